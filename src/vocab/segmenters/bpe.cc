#include "vocab/segmenters/bpe.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <utility>

#include "base/flat_table.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "vocab/byte_level.h"
#include "vocab/recipe.h"
#include "vocab/search_bounds.h"
#include "vocab/segmenters/scored_pieces.h"
#include "vocab/string_index.h"

namespace weir::vocab {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

// A range of the piece: a token, or a unit (byte or character) that is not a token.
struct Symbol {
  std::uint32_t id = kNone;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// The result of merging two neighbours. Merges with lower ranks are done first.
struct Merge {
  std::uint32_t rank = kNone;  // kNone: there is no such merge
  std::uint32_t id = kNone;
};

// Merges symbols in place by scanning and returns the number of those that remain. `lookup(left, right)` returns a
// Merge.
template <typename Lookup>
std::size_t merge_by_scan(Symbol* symbols, std::size_t count, const Lookup& lookup) {
  std::array<Merge, kScanSymbols> merges;  // merges[i] merges symbols i and i + 1
  for (std::size_t i = 0; i + 1 < count; ++i) merges[i] = lookup(symbols[i], symbols[i + 1]);
  while (count > 1) {
    std::size_t best = 0;
    for (std::size_t i = 1; i + 1 < count; ++i) {
      if (merges[i].rank < merges[best].rank) best = i;
    }
    if (merges[best].rank == kNone) break;
    symbols[best] = {merges[best].id, symbols[best].begin, symbols[best + 1].end};
    std::copy(symbols + best + 2, symbols + count, symbols + best + 1);
    --count;
    std::copy(merges.begin() + static_cast<std::ptrdiff_t>(best) + 1,
              merges.begin() + static_cast<std::ptrdiff_t>(count), merges.begin() + static_cast<std::ptrdiff_t>(best));
    if (best > 0) merges[best - 1] = lookup(symbols[best - 1], symbols[best]);
    if (best + 1 < count) merges[best] = lookup(symbols[best], symbols[best + 1]);
  }
  return count;
}

// Merges symbols as merge_by_scan does, with a linked list and a heap of candidates; for long pieces.
template <typename Lookup>
void merge_by_heap(std::vector<Symbol>& symbols, const Lookup& lookup) {
  // A candidate identifies its pair by the offsets of both symbols, so that it can be recognized as stale after another
  // merge has changed one of them.
  struct Candidate {
    Merge merge;
    std::uint32_t left;  // index of the left symbol
    std::uint32_t middle;
    std::uint32_t end;
    bool operator<(const Candidate& other) const {  // std::priority_queue returns the greatest element
      return merge.rank != other.merge.rank ? merge.rank > other.merge.rank : left > other.left;
    }
  };
  const auto count = static_cast<std::uint32_t>(symbols.size());
  std::vector<std::uint32_t> next(count);
  std::vector<std::uint32_t> previous(count);
  std::vector<Candidate> initial;
  initial.reserve(count);
  const auto candidate = [&](std::uint32_t left, std::uint32_t right) {
    return Candidate{lookup(symbols[left], symbols[right]), left, symbols[right].begin, symbols[right].end};
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    next[i] = i + 1 < count ? i + 1 : kNone;
    previous[i] = i > 0 ? i - 1 : kNone;
    if (i + 1 < count) {
      const Candidate c = candidate(i, i + 1);
      if (c.merge.rank != kNone) initial.push_back(c);
    }
  }
  std::priority_queue<Candidate> queue({}, std::move(initial));
  while (!queue.empty()) {
    const Candidate c = queue.top();
    queue.pop();
    Symbol& left = symbols[c.left];
    const std::uint32_t right = next[c.left];
    // A symbol that was merged into its left neighbour has the offsets kNone, so it fails the first comparison.
    if (left.end != c.middle || right == kNone || symbols[right].end != c.end) continue;
    left.id = c.merge.id;
    left.end = c.end;
    symbols[right].begin = symbols[right].end = kNone;
    next[c.left] = next[right];
    if (next[right] != kNone) previous[next[right]] = c.left;
    for (const auto& [a, b] : {std::pair{previous[c.left], c.left}, std::pair{c.left, next[c.left]}}) {
      if (a == kNone || b == kNone) continue;
      const Candidate added = candidate(a, b);
      if (added.merge.rank != kNone) queue.push(added);
    }
  }
  std::erase_if(symbols, [](const Symbol& symbol) { return symbol.begin == symbol.end; });
}

Error no_token(std::string_view piece, std::size_t begin, std::size_t end) {
  return Error{
      ErrorCode::kInvalidArgument,
      "no token of the vocabulary matches `" + base::escape_for_display(piece.substr(begin, end - begin)) + "`",
      {begin, end}};
}

// --- By ranks. ---

class RankBpe final : public PieceModel {
 public:
  explicit RankBpe(std::span<const std::string> token_bytes) : tokens_(token_bytes.size(), 8 * token_bytes.size()) {
    for (std::uint32_t id = 0; id < token_bytes.size(); ++id) {
      if (!token_bytes[id].empty()) tokens_.insert(token_bytes[id], id);
    }
  }

  Result<void> tokenize_piece(std::string_view piece, std::vector<std::uint32_t>& out) const override {
    if (piece.empty()) return {};
    if (const std::uint32_t id = tokens_.find(piece); id != kNone) {
      out.push_back(id);
      return {};
    }
    const auto lookup = [&](const Symbol& left, const Symbol& right) {
      const std::uint32_t id = tokens_.find(piece.substr(left.begin, right.end - left.begin));
      return Merge{id, id};
    };
    if (piece.size() <= kScanSymbols) {
      std::array<Symbol, kScanSymbols> symbols;
      fill(symbols.data(), piece);
      return write(std::span(symbols.data(), merge_by_scan(symbols.data(), piece.size(), lookup)), piece, out);
    }
    std::vector<Symbol> symbols(piece.size());
    fill(symbols.data(), piece);
    merge_by_heap(symbols, lookup);
    return write(symbols, piece, out);
  }

  [[nodiscard]] MergeRecipe merges() const override {
    MergeRecipe recipe;
    recipe.rule = MergeRecipe::Rule::kConcatenations;
    recipe.takes_whole_pieces = true;
    recipe.tokens.reserve(tokens_.size());
    tokens_.for_each([&](std::string_view text, std::uint32_t id) { recipe.tokens.push_back({text, id, id}); });
    return recipe;
  }

 private:
  void fill(Symbol* symbols, std::string_view piece) const {
    for (std::uint32_t i = 0; i < piece.size(); ++i) symbols[i] = {tokens_.find(piece.substr(i, 1)), i, i + 1};
  }
  static Result<void> write(std::span<const Symbol> symbols, std::string_view piece, std::vector<std::uint32_t>& out) {
    for (const Symbol& symbol : symbols) {
      if (symbol.id == kNone) return tl::unexpected(no_token(piece, symbol.begin, symbol.end));
      out.push_back(symbol.id);
    }
    return {};
  }

  StringIndex tokens_;
};

// --- By merges. ---

// A hash table from pairs of ids to merges.
class MergeTable {
 public:
  explicit MergeTable(std::size_t merges) : slots_(merges) {}

  /// Inserts a merge. If the pair has one already, that one is kept: it has the lower rank.
  void insert(std::uint32_t left, std::uint32_t right, Merge merge) {
    if (slot_of(key_of(left, right)).is_free()) slots_.insert({key_of(left, right), merge});
  }
  [[nodiscard]] Merge find(std::uint32_t left, std::uint32_t right) const { return slot_of(key_of(left, right)).merge; }
  [[nodiscard]] std::vector<MergeRecipe::Pair> pairs() const {
    std::vector<MergeRecipe::Pair> pairs;
    pairs.reserve(slots_.size());
    slots_.for_each([&](const Slot& slot) {
      pairs.push_back({static_cast<std::uint32_t>(slot.key >> 32), static_cast<std::uint32_t>(slot.key),
                       slot.merge.rank, slot.merge.id});
    });
    return pairs;
  }

 private:
  struct Slot {
    std::uint64_t key = UINT64_MAX;
    Merge merge;
    [[nodiscard]] bool is_free() const { return key == UINT64_MAX; }
    [[nodiscard]] std::uint32_t hash() const { return hash_of(key); }
  };
  static std::uint64_t key_of(std::uint32_t left, std::uint32_t right) { return std::uint64_t{left} << 32 | right; }
  static std::uint32_t hash_of(std::uint64_t key) { return static_cast<std::uint32_t>(base::hash_mix(0, key)); }
  [[nodiscard]] const Slot& slot_of(std::uint64_t key) const {
    return slots_.find(hash_of(key), [key](const Slot& slot) { return slot.key == key; });
  }
  base::FlatTable<Slot> slots_;
};

class MergeBpe final : public PieceModel {
 public:
  MergeBpe(const MergeBpeSpec& spec, StringIndex tokens, MergeTable merges)
      : unit_(spec.unit),
        ignore_merges_(spec.ignore_merges),
        tokens_(std::move(tokens)),
        merges_(std::move(merges)),
        byte_tokens_(spec.byte_tokens.begin(), spec.byte_tokens.end()),
        unknown_(spec.unknown_token.value_or(kNone)),
        fuse_unknown_(spec.fuse_unknown) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      single_[byte] = tokens_.find(std::string_view(&c, 1));
    }
  }

  Result<void> tokenize_piece(std::string_view piece, std::vector<std::uint32_t>& out) const override {
    if (piece.empty()) return {};
    if (ignore_merges_) {
      if (const std::uint32_t id = tokens_.find(piece); id != kNone) {
        out.push_back(id);
        return {};
      }
    }
    const auto lookup = [&](const Symbol& left, const Symbol& right) { return merges_.find(left.id, right.id); };
    if (piece.size() <= kScanSymbols) {  // size() is the number of bytes, which bounds that of symbols
      std::array<Symbol, kScanSymbols> symbols;
      std::size_t count = 0;
      const auto add = [&](const Symbol& symbol) { symbols[count++] = symbol; };
      if (auto done = split(piece, add); !done) return done;
      count = merge_by_scan(symbols.data(), count, lookup);
      for (std::size_t i = 0; i < count; ++i) out.push_back(symbols[i].id);
      return {};
    }
    std::vector<Symbol> symbols;
    symbols.reserve(piece.size());
    if (auto done = split(piece, [&](const Symbol& symbol) { symbols.push_back(symbol); }); !done) return done;
    merge_by_heap(symbols, lookup);
    for (const Symbol& symbol : symbols) out.push_back(symbol.id);
    return {};
  }

  [[nodiscard]] MergeRecipe merges() const override {
    MergeRecipe recipe;
    recipe.unit = unit_ == MergeBpeSpec::Unit::kByte ? MergeRecipe::Unit::kByte : MergeRecipe::Unit::kCharacter;
    recipe.takes_whole_pieces = ignore_merges_;
    recipe.tokens.reserve(tokens_.size());
    tokens_.for_each([&](std::string_view text, std::uint32_t id) { recipe.tokens.push_back({text, id}); });
    recipe.pairs = merges_.pairs();
    recipe.byte_tokens = byte_tokens_;
    return recipe;
  }

 private:
  template <typename Add>
  Result<void> split(std::string_view piece, const Add& add) const {
    return unit_ == MergeBpeSpec::Unit::kByte ? split_bytes(piece, add) : split_characters(piece, add);
  }

  template <typename Add>
  Result<void> split_bytes(std::string_view piece, const Add& add) const {
    for (std::uint32_t i = 0; i < piece.size(); ++i) {
      const std::uint32_t id = single_[static_cast<unsigned char>(piece[i])];
      if (id == kNone) return tl::unexpected(no_token(piece, i, i + 1));
      add(Symbol{id, i, i + 1});
    }
    return {};
  }

  template <typename Add>
  Result<void> split_characters(std::string_view piece, const Add& add) const {
    Symbol unknown;  // the unknown symbol that was not added yet; empty if there is none
    const auto flush = [&] {
      if (unknown.begin != unknown.end) add(unknown);
      unknown = {};
    };
    for (std::uint32_t begin = 0, end = 0; begin < piece.size(); begin = end) {
      end = begin + static_cast<std::uint32_t>(character_length(piece, begin));
      const std::string_view character = piece.substr(begin, end - begin);
      if (const std::uint32_t id = tokens_.find(character); id != kNone) {
        flush();
        add(Symbol{id, begin, end});
      } else if (!byte_tokens_.empty()) {
        flush();
        for (std::uint32_t i = begin; i < end; ++i) {
          add(Symbol{byte_tokens_[static_cast<unsigned char>(piece[i])], i, i + 1});
        }
      } else if (unknown_ == kNone) {
        return tl::unexpected(no_token(piece, begin, end));
      } else if (fuse_unknown_ && unknown.begin != unknown.end) {
        unknown.end = end;
      } else {
        flush();
        unknown = {unknown_, begin, end};
      }
    }
    flush();
    return {};
  }

  MergeBpeSpec::Unit unit_;
  bool ignore_merges_;
  StringIndex tokens_;
  MergeTable merges_;
  std::array<std::uint32_t, 256> single_{};  // the tokens of one byte, by byte
  std::vector<std::uint32_t> byte_tokens_;
  std::uint32_t unknown_;
  bool fuse_unknown_;
};

Result<void> check(const MergeBpeSpec& spec) {
  const auto invalid = [](std::string message) {
    return tl::unexpected(Error{ErrorCode::kInvalidArgument, std::move(message)});
  };
  if (!spec.byte_tokens.empty() && spec.byte_tokens.size() != 256) return invalid("there must be 256 byte tokens");
  for (const std::uint32_t id : spec.byte_tokens) {
    if (id >= spec.tokens.size()) return invalid("byte token " + std::to_string(id) + " is out of range");
  }
  if (spec.unknown_token && *spec.unknown_token >= spec.tokens.size()) {
    return invalid("unknown token " + std::to_string(*spec.unknown_token) + " is out of range");
  }
  return {};
}

// Strings in one block.
class PackedStrings {
 public:
  void reserve(std::size_t strings) { ends_.reserve(strings); }
  void append(std::string_view text) {
    block_.append(text);
    ends_.push_back(block_.size());
  }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(block_).substr(begin, ends_[i] - begin);
  }

 private:
  std::string block_;
  std::vector<std::size_t> ends_;
};

// Makes the tables of a model by merges. spec: without tokens and merges. merges: two names for each, by rank.
MergeBpe make_tables(const MergeBpeSpec& spec, const PackedStrings& tokens, const PackedStrings& merges) {
  StringIndex names(tokens.size(), 8 * tokens.size());
  for (std::uint32_t id = 0; id < tokens.size(); ++id) {
    if (!tokens[id].empty()) names.insert(tokens[id], id);
  }
  MergeTable table(merges.size() / 2);
  std::string joined;
  for (std::uint32_t rank = 0; rank < merges.size() / 2; ++rank) {
    const std::string_view left = merges[2 * rank];
    const std::string_view right = merges[2 * rank + 1];
    joined.assign(left).append(right);
    const std::uint32_t left_id = names.find(left);
    const std::uint32_t right_id = names.find(right);
    const std::uint32_t id = names.find(joined);
    if (left_id != kNone && right_id != kNone && id != kNone) table.insert(left_id, right_id, {rank, id});
  }
  if (spec.unit == MergeBpeSpec::Unit::kCharacter) return MergeBpe(spec, std::move(names), std::move(table));
  // The merges are pairs of ids now, so from here on tokens are looked up by their bytes only.
  StringIndex bytes(tokens.size(), 8 * tokens.size());
  for (std::uint32_t id = 0; id < tokens.size(); ++id) {
    if (tokens[id].empty()) continue;
    if (const auto decoded = decode_byte_level(tokens[id])) bytes.insert(*decoded, id);
  }
  return MergeBpe(spec, std::move(bytes), std::move(table));
}

// A model by merges whose tables are made when they are first needed. Masks do not need them, and for 100,000 tokens
// they take longer than all else that a file has.
class LazyMergeBpe final : public PieceModel {
 public:
  explicit LazyMergeBpe(const MergeBpeSpec& spec)
      : spec_(spec), byte_tokens_(spec.byte_tokens.begin(), spec.byte_tokens.end()) {
    tokens_.reserve(spec.tokens.size());
    for (const std::string& token : spec.tokens) tokens_.append(token);
    merges_.reserve(2 * spec.merges.size());
    for (const MergeText& merge : spec.merges) {
      merges_.append(merge.left);
      merges_.append(merge.right);
    }
    spec_.tokens = {};
    spec_.merges = {};
    spec_.byte_tokens = byte_tokens_;
  }

  Result<void> tokenize_piece(std::string_view piece, std::vector<std::uint32_t>& out) const override {
    return made().tokenize_piece(piece, out);
  }
  [[nodiscard]] MergeRecipe merges() const override { return made().merges(); }

 private:
  const MergeBpe& made() const {
    std::call_once(once_, [this] {
      made_.emplace(make_tables(spec_, tokens_, merges_));
      tokens_ = {};
      merges_ = {};
    });
    return *made_;
  }

  MergeBpeSpec spec_;  // without tokens and merges
  std::vector<std::uint32_t> byte_tokens_;
  mutable std::once_flag once_;
  mutable PackedStrings tokens_, merges_;  // until made_ has a value
  mutable std::optional<MergeBpe> made_;
};

}  // namespace

Result<std::shared_ptr<const PieceModel>> make_merge_bpe(const MergeBpeSpec& spec) {
  if (auto done = check(spec); !done) return tl::unexpected(std::move(done).error());
  return std::make_shared<LazyMergeBpe>(spec);
}

std::shared_ptr<const PieceModel> make_rank_bpe(std::span<const std::string> token_bytes) {
  return std::make_shared<RankBpe>(token_bytes);
}

Result<std::shared_ptr<const Segmenter>> make_byte_level_bpe(ByteLevelBpeSpec spec) {
  auto model = make_merge_bpe(spec.model);
  if (!model) return tl::unexpected(std::move(model).error());
  auto pre_tokenizer = PreTokenizer::from_patterns(spec.patterns);
  if (!pre_tokenizer) return tl::unexpected(std::move(pre_tokenizer).error());
  return make_pipeline({std::move(spec.added_tokens), std::move(spec.normalizers), *std::move(pre_tokenizer), *model});
}

}  // namespace weir::vocab
