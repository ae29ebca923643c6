#include "canonical/canonical_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "vocab/normalizers/normalizers.h"

namespace weir::canonical {

namespace {

using vocab::MergeRecipe;
using vocab::NormalizerRecipe;
using vocab::StepRecipe;

tl::unexpected<Error> refused_tokenizer(std::string what) {
  return tl::unexpected(Error{ErrorCode::kUnsupported, "no canonical mode for this tokenizer: " + std::move(what)});
}

std::optional<char32_t> only_character(std::string_view text) {
  const base::Decoded d = base::decode_utf8(text, 0);
  if (d.length == 0 || d.length != text.size()) return std::nullopt;
  return d.code_point;
}

class ModelReader {
 public:
  explicit ModelReader(const vocab::Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  Result<CanonicalModel> read() {
    if (vocabulary_.segmenter() == nullptr) return read_longest_match();
    recipe_ = vocabulary_.segmenter()->recipe();
    if (!recipe_.unsupported.empty()) return refused_tokenizer(recipe_.unsupported);
    if (!recipe_.model.other_model.empty()) return refused_tokenizer("the model is " + recipe_.model.other_model);
    for (const auto check : {&ModelReader::read_normalizers, &ModelReader::read_steps, &ModelReader::read_added_tokens,
                             &ModelReader::check_prefix}) {
      if (auto done = (this->*check)(); !done) return tl::unexpected(std::move(done).error());
    }
    model_.pieces.unwritable = unwritable();
    if (auto done = check_space(); !done) return tl::unexpected(std::move(done).error());
    if (auto done = check_fixed(); !done) return tl::unexpected(std::move(done).error());
    model_.merges = std::move(recipe_.model);
    return std::move(model_);
  }

 private:
  // If each byte is a token, every text has tokens. Otherwise this may depend on the whole text, so it is refused.
  Result<CanonicalModel> read_longest_match() {
    if (vocabulary_.drops_leading_space()) return refused_tokenizer("longest match that drops a leading space");
    for (unsigned byte = 0; byte < 0xF5; ++byte) {
      const char c = static_cast<char>(byte);
      const bool is_in_texts = byte != 0xC0 && byte != 0xC1;
      if (is_in_texts && vocabulary_.trie().subtree(std::string_view(&c, 1)).empty()) return lacks_byte(byte);
      if (is_in_texts && vocabulary_.trie().subtree(std::string_view(&c, 1)).front().tokens == 0) {
        return lacks_byte(byte);
      }
    }
    model_.takes_longest = true;
    return std::move(model_);
  }

  static tl::unexpected<Error> lacks_byte(unsigned byte) {
    const char c = static_cast<char>(byte);
    return refused_tokenizer("longest match with no token for the byte `" +
                             base::escape_for_display(std::string_view(&c, 1)) + "`");
  }

  Result<void> read_normalizers() {
    for (const NormalizerRecipe& normalizer : recipe_.normalizers) {
      switch (normalizer.kind) {
        case NormalizerRecipe::Kind::kPrepend: {
          const bool is_space = normalizer.to == " " || is_symbol(normalizer.to);
          if (!is_space || model_.prefix != CanonicalModel::Prefix::kNone || model_.pieces.space_symbol) {
            return refused_tokenizer("normalizer " + normalizer.name);
          }
          prefix_text_ = normalizer.to;
          model_.prefix = CanonicalModel::Prefix::kSpace;
          break;
        }
        case NormalizerRecipe::Kind::kReplace: {
          const std::optional<char32_t> symbol = only_character(normalizer.to);
          if (normalizer.from != " " || !symbol || *symbol < 0x80 || model_.pieces.space_symbol) {
            return refused_tokenizer("normalizer " + normalizer.name);
          }
          model_.pieces.space_symbol = symbol;
          break;
        }
        case NormalizerRecipe::Kind::kNfc: model_.normalizes_to_nfc = true; break;
        case NormalizerRecipe::Kind::kOther: return refused_tokenizer("normalizer " + normalizer.name);
      }
    }
    return {};
  }

  Result<void> read_steps() {
    for (std::size_t i = 0; i < recipe_.steps.size(); ++i) {
      const StepRecipe& step = recipe_.steps[i];
      switch (step.kind) {
        case StepRecipe::Kind::kSplit: pattern_steps_.push_back({.pattern = step.split}); break;
        case StepRecipe::Kind::kSymbolForSpaces: {
          const std::optional<char32_t> symbol = only_character(step.symbol);
          const bool is_first = i == 0 && recipe_.normalizers.empty();
          if (!is_first || !symbol || *symbol < 0x80) return refused_tokenizer("pre-tokenizer " + step.name);
          model_.pieces.space_symbol = symbol;
          if (step.prepend != StepRecipe::Prepend::kNever) model_.prefix = CanonicalModel::Prefix::kSpaceUnlessThere;
          break;
        }
        case StepRecipe::Kind::kOther: return refused_tokenizer("pre-tokenizer " + step.name);
      }
    }
    return {};
  }

  // Added tokens are found first, tokens of the model last.
  Result<void> read_added_tokens() {
    std::array<PieceStep, 2> added;  // before and after the normalizers
    for (const vocab::AddedToken& token : recipe_.added_tokens) {
      const std::string name = "`" + base::escape_for_display(token.text) + "`";
      if (token.single_word) return refused_tokenizer("added token " + name + " with `single_word`");
      if (token.lstrip) return refused_tokenizer("added token " + name + " with `lstrip`");
      if (token.rstrip) return refused_tokenizer("added token " + name + " with `rstrip`");
      if (token.text.empty()) continue;
      if (model_.prefix != CanonicalModel::Prefix::kNone) {
        return refused_tokenizer("added token " + name + ", after which a space is put in front of the text");
      }
      const auto text = token.normalized ? after_normalizers(token.text) : before_normalizers(token.text);
      if (!text) continue;
      if (before_normalizers(vocabulary_.token_bytes(token.id)) != text) {
        return refused_tokenizer("added token " + name + ", which decodes to another text");
      }
      add_fixed(added[token.normalized ? 1 : 0], *text, token.id);
    }
    for (PieceStep& step : added) {
      if (!step.fixed_texts.empty()) model_.steps.push_back(std::move(step));
    }
    for (PieceStep& step : pattern_steps_) model_.steps.push_back(std::move(step));
    PieceStep own;
    for (const MergeRecipe::Fixed& fixed : recipe_.model.user_defined) {
      if (const auto text = after_normalizers(fixed.text)) add_fixed(own, *text, fixed.id);
    }
    if (!own.fixed_texts.empty()) model_.steps.push_back(std::move(own));
    return {};
  }

  // Return the text, with symbols for spaces, in which a fixed text is found; nothing if it is in no text. Where spaces
  // have become symbols there is no space, and before that there is no symbol, since no token decodes to one.
  [[nodiscard]] std::optional<std::string> before_normalizers(std::string_view fixed) const {
    if (!model_.pieces.space_symbol) return std::string(fixed);
    std::string symbol;
    base::append_utf8(symbol, *model_.pieces.space_symbol);
    if (fixed.find(symbol) != std::string_view::npos) return std::nullopt;
    std::string text(fixed);
    vocab::replace_all(text, " ", symbol);
    return text;
  }
  [[nodiscard]] std::optional<std::string> after_normalizers(std::string_view fixed) const {
    if (model_.pieces.space_symbol && fixed.find(' ') != std::string_view::npos) return std::nullopt;
    return std::string(fixed);
  }

  void add_fixed(PieceStep& step, std::string text, std::uint32_t id) {
    if (std::find(step.fixed_texts.begin(), step.fixed_texts.end(), text) != step.fixed_texts.end()) return;
    step.fixed_texts.push_back(text);
    model_.fixed.push_back({std::move(text), id});
  }

  // The space that is added before a text must be the one that decoding removes.
  Result<void> check_prefix() {
    if (vocabulary_.first_token_rule_repeats()) return refused_tokenizer("extra white space is removed");
    const bool prepends = model_.prefix != CanonicalModel::Prefix::kNone;
    if (prepends && !prefix_text_.empty() && prefix_text_ != " ") {
      std::string symbol;
      if (model_.pieces.space_symbol) base::append_utf8(symbol, *model_.pieces.space_symbol);
      if (prefix_text_ != symbol) return refused_tokenizer("normalizer Prepend");
    }
    if (prepends != vocabulary_.drops_leading_space()) {
      return refused_tokenizer(prepends ? "a space is put in front of texts, and decoding keeps it"
                                        : "decoding drops a leading space that was not put there");
    }
    return {};
  }

  static bool is_symbol(std::string_view text) {
    const std::optional<char32_t> c = only_character(text);
    return c && *c >= 0x80;
  }

  // Without such a token a space would be written in the bytes of its symbol, and decoded to the symbol.
  [[nodiscard]] Result<void> check_space() const {
    if (!model_.pieces.space_symbol) return {};
    for (const MergeRecipe::Token& token : recipe_.model.tokens) {
      if (token.is_written && only_character(token.text) == model_.pieces.space_symbol) return {};
    }
    return refused_tokenizer("no token for a space");
  }

  // Otherwise the automaton would have to distinguish, character by character, texts that have tokens only as a fixed
  // text.
  [[nodiscard]] Result<void> check_fixed() const {
    for (const CanonicalModel::Fixed& fixed : model_.fixed) {
      for (std::size_t at = 0; at < fixed.text.size();) {
        const base::Decoded d = base::decode_utf8(fixed.text, at);
        if (d.length == 0 || model_.pieces.unwritable.contains(d.code_point)) {
          return refused_tokenizer("added token `" + base::escape_for_display(fixed.text) +
                                   "` with a character that no other token writes");
        }
        at += d.length;
      }
    }
    return {};
  }

  // Returns the characters that are neither a unit of a token nor written in byte tokens.
  [[nodiscard]] regex::CodePointSet unwritable() const {
    const MergeRecipe& model = recipe_.model;
    if (model.unit == MergeRecipe::Unit::kByte) return unwritable_by_bytes(model);
    if (!model.byte_tokens.empty()) return {};
    std::vector<regex::CodePointRange> written;
    for (const MergeRecipe::Token& token : model.tokens) {
      if (const auto c = only_character(token.text)) written.push_back({*c, *c});
    }
    return ~regex::CodePointSet(std::move(written));
  }

  static regex::CodePointSet unwritable_by_bytes(const MergeRecipe& model) {
    std::array<bool, 256> has{};
    for (const MergeRecipe::Token& token : model.tokens) {
      if (token.text.size() == 1) has[static_cast<unsigned char>(token.text[0])] = true;
    }
    std::vector<regex::CodePointRange> missing;
    const bool has_all_continuations =
        std::all_of(has.begin() + 0x80, has.begin() + 0xC0, [](bool is_there) { return is_there; });
    for (char32_t c = 0; c < 0x80; ++c) {
      if (!has[c]) missing.push_back({c, c});
    }
    for (char32_t lead = 0xC2; lead < 0xF5; ++lead) {
      const bool two = lead < 0xE0;
      const bool three = !two && lead < 0xF0;
      const unsigned shift = two ? 6 : three ? 12 : 18;
      const char32_t first = (lead & (two ? 0x1FU : three ? 0x0FU : 0x07U)) << shift;
      const char32_t last = std::min<char32_t>(first + (char32_t{1} << shift) - 1, base::kMaxCodePoint);
      const char32_t least = two ? 0x80 : three ? 0x800 : 0x10000;
      if (!has[lead]) {
        missing.push_back({std::max(first, least), last});
      } else if (!has_all_continuations) {
        for (char32_t c = std::max(first, least); c <= last; ++c) {
          std::string text;
          base::append_utf8(text, c);
          const bool is_written =
              std::all_of(text.begin(), text.end(), [&](char b) { return has[static_cast<unsigned char>(b)]; });
          if (!is_written) missing.push_back({c, c});
        }
      }
    }
    return regex::CodePointSet(std::move(missing));
  }

  const vocab::Vocabulary& vocabulary_;
  vocab::Recipe recipe_;
  CanonicalModel model_;
  std::vector<PieceStep> pattern_steps_;
  std::string prefix_text_;
};

}  // namespace

Result<CanonicalModel> read_canonical_model(const vocab::Vocabulary& vocabulary) {
  return ModelReader(vocabulary).read();
}

}  // namespace weir::canonical
