#include "regex/atoms/word_table.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "base/work.h"
#include "regex/atoms/atom.h"
#include "regex/expr/search_bounds.h"
#include "regex/expr/trie.h"

namespace weir::regex {

namespace {

constexpr std::uint32_t kMostWords = (1U << 20U) - 1;  // AtomState::c
constexpr std::uint8_t kNoText = 0xFF;

/// The classes at a word's end, because what follows the word may distinguish any bytes.
constexpr std::array<ByteSet, 256> kEachByte = [] {
  std::array<ByteSet, 256> sets{};
  for (std::size_t i = 0; i < sets.size(); ++i) sets[i] = ByteSet::of(static_cast<std::uint8_t>(i));
  return sets;
}();

/// `a` of its states is the first word of a range, `b` the number of bytes that have been read, `c` the number of words.
class WordTable final : public Atom {
 public:
  /// Precondition: `words` are sorted by text.
  WordTable(std::span<const Word> words, std::shared_ptr<AfterWords> after)
      : Atom(Form::kPlain), after_(std::move(after)) {
    for (const Word& word : words) {
      const std::uint32_t least = saturating(word.text.size() + std::uint64_t{word.least});
      const bool is_new = begin_.empty() || text_from(begin_.back()) != word.text;
      if (is_new) {
        begin_.push_back(static_cast<std::uint32_t>(texts_.size()));
        first_id_.push_back(static_cast<std::uint32_t>(ids_.size()));
        least_.push_back(least);
        texts_ += word.text;
      }
      least_.back() = std::min(least_.back(), least);
      longest_ = std::max(longest_, static_cast<std::uint32_t>(word.text.size()));
      if (after_ != nullptr) ids_.push_back(word.id);
    }
    first_id_.push_back(static_cast<std::uint32_t>(ids_.size()));
    for (std::size_t i = 0; i < least_.size(); i += kWordsOfBlock) {
      const auto block = std::span(least_).subspan(i, std::min<std::size_t>(kWordsOfBlock, least_.size() - i));
      least_of_block_.push_back(*std::ranges::min_element(block));
    }
    begin_.push_back(static_cast<std::uint32_t>(texts_.size()));
    for (const char c : texts_) used_.add(static_cast<std::uint8_t>(c));
    is_ascii_ = after_ == nullptr && (used_ & ~ByteSet::range(0, 0x7F)).is_empty();
    used_.for_each([&](std::uint8_t byte) { classes_.push_back(ByteSet::of(byte)); });
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(least_.size()); }
  /// Returns the expression of a range of words that have the first `state.b` bytes in common.
  ExprId node(ExprSet& exprs, const AtomState& state) const {
    return state.c == 1 && is_over(state) ? after(exprs, state.a) : exprs.atom(state);
  }

  [[nodiscard]] bool is_constant() const override { return false; }
  [[nodiscard]] Properties properties(const ExprSet& /*exprs*/, const AtomState& state) const override {
    // Within a character the rest of a word is not valid UTF-8.
    const bool is_text = is_over(state) || (byte_of(state.a, state.b) & 0xC0U) != 0x80;
    return {.is_nullable = after_ == nullptr && is_over(state),
            .has_member = true,
            .has_text = after_ == nullptr && is_text,
            .is_ascii = is_ascii_,
            .min_length = least_rest(state),
            .max_length = after_ == nullptr ? longest_ - state.b : kUnbounded};
  }

  ExprId derivative(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const override {
    const bool is_at_end = is_over(state) && after_ != nullptr;
    if (!used_.contains(byte) && !is_at_end) return ExprId::kNothing;  // frequent: all states try control characters
    base::Work::charge(base::Work::kDerivative);
    const auto words = std::views::iota(state.a + (is_over(state) ? 1 : 0), state.a + state.c);
    const auto found = std::ranges::equal_range(words, byte, {}, [&](std::uint32_t i) { return byte_of(i, state.b); });
    ExprId rest = ExprId::kNothing;
    if (!found.empty()) {
      rest = node(exprs, {found.front(), state.b + 1, static_cast<std::uint32_t>(found.size()), state.atom});
    }
    return !is_at_end ? rest : exprs.alternation(rest, exprs.derivative(after(exprs, state.a), byte));
  }

  [[nodiscard]] std::span<const ByteSet> classes(const AtomState& state) const override {
    return is_over(state) && after_ != nullptr ? kEachByte : std::span<const ByteSet>(classes_);
  }
  void refine_classes(ByteClasses& classes) const override {
    for (const ByteSet& set : classes_) classes.refine(set);
    if (after_ != nullptr) classes = ByteClasses::single();
  }
  [[nodiscard]] std::string name(const AtomState& state) const override {
    return std::to_string(state.c) + " words from " + std::string(text_from(begin_[state.a] + state.b));
  }
  [[nodiscard]] Transient transient(const ExprSet& /*exprs*/, const AtomState& /*state*/) const override {
    return Transient::kAlsoAsHead;
  }

  bool append_branches(ExprSet& exprs, const AtomState& state, std::vector<ExprSet::Branch>& branches) const override {
    base::Work::charge(base::Work::kDerivative);
    const std::size_t begin = branches.size();
    ByteSet bytes;
    for_each_byte(state, [&](std::uint8_t byte, std::uint32_t from, std::uint32_t to) {
      branches.push_back({ByteSet::of(byte), node(exprs, {from, state.b + 1, to - from, state.atom})});
      bytes.add(byte);
    });
    base::Work::charge(branches.size() - begin);
    if (!is_over(state) || after_ == nullptr) return true;
    // What follows the word may begin with the same bytes as the rest of longer words: such branches are joined.
    std::vector<ExprSet::Branch> others;
    exprs.append_branches(after(exprs, state.a), others);
    const std::size_t end = branches.size();
    for (const ExprSet::Branch& other : others) {
      for (std::size_t i = begin; i < end; ++i) {
        if (!other.bytes.contains(branches[i].bytes.first())) continue;
        branches[i].to = exprs.alternation(branches[i].to, other.to);
      }
      if (const ByteSet alone = other.bytes & ~bytes; !alone.is_empty()) branches.push_back({alone, other.to});
    }
    return true;
  }

  [[nodiscard]] std::optional<ByteSet> first_bytes(const AtomState& state) const override {
    if (is_over(state) && after_ != nullptr) return std::nullopt;
    ByteSet bytes;
    for_each_byte(state, [&](std::uint8_t byte, std::uint32_t, std::uint32_t) { bytes.add(byte); });
    return bytes;
  }

  std::optional<ExprId> listed_in(ExprSet& exprs, const AtomState& state,
                                  std::span<const ExprId> others) const override {
    if (state.b != 0 || state.c != size() || after_ != nullptr) return std::nullopt;
    const ExprId other = exprs.intersection(others);
    // A text differs from all of a few excluded words after some bytes, so that the table alone is left: nothing to list.
    const bool excludes_words =
        exprs.kind(other) == ExprKind::kComplement && exprs.max_length(exprs.operand(other)) != kUnbounded;
    if (excludes_words) return std::nullopt;
    std::vector<Word> words;
    std::vector<ExprId> residuals{other};  // [i]: of `other` after i bytes of the word
    std::string_view before;
    for (std::uint32_t i = 0; i < size() && !base::Work::is_met(); ++i) {
      const std::string_view text = std::string_view(texts_).substr(begin_[i], begin_[i + 1] - begin_[i]);
      const auto common = static_cast<std::size_t>(std::ranges::mismatch(text, before).in1 - text.begin());
      residuals.resize(common + 1);
      base::Work::charge(1 + (text.size() - common) / kWordBytesForOneStep);
      for (const char c : text.substr(common)) {
        residuals.push_back(exprs.derivative(residuals.back(), static_cast<std::uint8_t>(c)));
      }
      if (exprs.nullable(residuals.back())) words.push_back({text});
      before = text;
    }
    if (base::Work::is_met() || exprs.is_full()) return std::nullopt;
    if (words.size() == size()) return exprs.atom(state);
    if (const auto table = long_word_table(exprs, words)) return table;
    std::vector<TextBefore> texts;
    for (const Word& word : words) texts.push_back({word.text});
    return trie(exprs, std::move(texts));
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return texts_.capacity() +
           (begin_.capacity() + first_id_.capacity() + ids_.capacity() + least_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  [[nodiscard]] std::string_view text_from(std::uint32_t place) const {
    const auto end = std::ranges::upper_bound(begin_, place);
    return std::string_view(texts_).substr(place, (end == begin_.end() ? texts_.size() : *end) - place);
  }
  [[nodiscard]] bool is_over(const AtomState& state) const { return begin_[state.a] + state.b == begin_[state.a + 1]; }
  [[nodiscard]] std::uint8_t byte_of(std::uint32_t word, std::uint32_t place) const {
    return static_cast<std::uint8_t>(texts_[begin_[word] + place]);
  }
  // Calls `use` for each byte that is next in some words, with the range of these words.
  template <typename Use>
  void for_each_byte(const AtomState& state, const Use& use) const {
    const std::uint32_t end = state.a + state.c;
    for (std::uint32_t from = state.a + (is_over(state) ? 1 : 0); from < end;) {
      const std::uint8_t byte = byte_of(from, state.b);
      // Doubles the step until the byte differs, and finds the first such word in the last step by bisection.
      std::uint32_t step = 1;
      while (step < end - from && byte_of(from + step, state.b) == byte) step *= 2;
      const auto words = std::views::iota(from + step / 2, std::min(end, from + step));
      const auto other =
          std::ranges::partition_point(words, [&](std::uint32_t i) { return byte_of(i, state.b) == byte; });
      const auto to = static_cast<std::uint32_t>(from + step / 2 + (other - words.begin()));
      use(byte, from, to);
      from = to;
    }
  }
  ExprId after(ExprSet& exprs, std::uint32_t word) const {
    if (after_ == nullptr) return ExprId::kEpsilon;
    std::vector<ExprId> ways;
    for (std::uint32_t i = first_id_[word]; i < first_id_[word + 1]; ++i) ways.push_back(after_->after(exprs, ids_[i]));
    return exprs.alternation(ways);
  }
  [[nodiscard]] std::uint32_t least_rest(const AtomState& state) const {
    std::uint32_t least = kUnbounded;
    for (std::uint32_t i = state.a, end = state.a + state.c; i < end;) {
      const bool is_block = i % kWordsOfBlock == 0 && i + kWordsOfBlock <= end;
      least = std::min(least, is_block ? least_of_block_[i / kWordsOfBlock] : least_[i]);
      i += is_block ? kWordsOfBlock : 1;
    }
    return least == kUnbounded ? least : least - state.b;
  }

  std::string texts_;                    // all words
  std::vector<std::uint32_t> begin_;     // by word: where it begins in texts_, and at the end texts_.size()
  std::vector<std::uint32_t> first_id_;  // by word: where its ids begin in ids_, and at the end ids_.size()
  std::vector<std::uint32_t> ids_;       // none without `after_`
  std::vector<std::uint32_t> least_;     // by word: the least length of a member that begins with it
  std::vector<std::uint32_t> least_of_block_;
  std::uint32_t longest_ = 0;
  bool is_ascii_ = false;
  ByteSet used_;                  // the bytes of the words
  std::vector<ByteSet> classes_;  // a set for each byte of used_
  std::shared_ptr<AfterWords> after_;
};

// Returns the number of bytes that belong to one word alone in the trie of the words. Their alternation takes about as
// many expressions if no two words end alike.
std::size_t own_bytes(std::vector<Word> words) {
  std::ranges::sort(words, {}, &Word::text);
  base::Work::charge(words.size());
  std::size_t own = 0;
  std::size_t before = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    const std::string_view next = i + 1 < words.size() ? words[i + 1].text : std::string_view();
    const auto after = static_cast<std::size_t>(std::ranges::mismatch(text, next).in1 - text.begin());
    own += text.size() - std::max(before, after);
    before = after;
  }
  return own;
}

}  // namespace

std::optional<ExprId> long_word_table(ExprSet& exprs, const std::vector<Word>& words) {
  std::size_t bytes = 0;
  for (const Word& word : words) bytes += word.text.size();
  if (bytes < kMinTableBytes || own_bytes(words) < kMinTableBytes / 2) return std::nullopt;
  return word_table(exprs, words);
}

std::optional<ExprId> word_table(ExprSet& exprs, std::vector<Word> words, std::shared_ptr<AfterWords> after) {
  std::size_t bytes = 0;
  for (const Word& word : words) {
    bytes += word.text.size();
    std::string_view text = word.text;
    if (!text.empty() && static_cast<std::uint8_t>(text.back()) == kNoText) text.remove_suffix(1);
    if (base::find_invalid_utf8(text) != std::string_view::npos) return std::nullopt;
  }
  base::Work::charge(words.size() + bytes / kWordBytesForOneStep);
  const bool is_too_large = bytes > UINT32_MAX / 2 || words.size() > kMostWords;
  if (is_too_large || exprs.owned_atoms() >= kMaxWordTables) return std::nullopt;
  std::ranges::sort(words, {}, &Word::text);
  const auto table = std::make_shared<const WordTable>(words, std::move(after));
  return table->node(exprs, {0, 0, table->size(), exprs.own_atom(table)});
}

}  // namespace weir::regex
