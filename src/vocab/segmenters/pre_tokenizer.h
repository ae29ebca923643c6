// PreTokenizer: cuts text into the pieces that the model then tokenizes one by one.
//
// WHAT   A sequence of steps. A step either cuts each piece further, by a PCRE2 pattern and a rule for its matches
//        (SplitBehavior), or rewrites the pieces (a prefix space, "▁" for spaces).
// HOW    The pieces are ranges of one working text. Patterns are compiled once, with JIT, UTF and UCP. Bytes that are
//        not valid UTF-8 match no character class of a pattern (PCRE2's MATCH_INVALID_UTF), so they are always between
//        matches.
// COST   Linear in the text for the patterns in use.
// THREADS const is safe to call concurrently: match data lives in the call.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_PRE_TOKENIZER_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_PRE_TOKENIZER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"

namespace weir::vocab {

/// Text and its pieces: ranges in ascending order that do not overlap.
struct PieceList {
  struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::string text;
  std::vector<Piece> pieces;
  /// True if `text` is still the caller's text, so that offsets in it can be reported in errors.
  bool offsets_are_original = true;
  /// True if `text` is at the start of the whole text: some steps insert a space there only.
  bool starts_text = true;
};

/// How a split step treats the matches of its pattern. The names are those of tokenizer.json.
enum class SplitBehavior : std::uint8_t {
  kIsolated,            ///< Each match is a piece, and so is each text between two matches.
  kRemoved,             ///< Matches are dropped.
  kMergedWithPrevious,  ///< A match becomes the end of the piece before it.
  kMergedWithNext,      ///< A match becomes the start of the piece after it.
  kContiguous,          ///< Adjacent matches are one piece.
};

struct SplitPattern {
  /// The pattern as tokenizer files write it, in the common part of the syntaxes of Oniguruma, Rust and PCRE2. `\s` is
  /// the property White_Space; `\w` is Oniguruma's class of word characters: letters, marks, digits, connectors.
  std::string regex;
  SplitBehavior behavior = SplitBehavior::kIsolated;
  bool invert = false;  ///< The texts between matches are treated as the matches.
};

/// What a step does, as data.
struct StepRecipe {
  enum class Kind : std::uint8_t {
    kSplit,
    kSymbolForSpaces,  ///< Spaces become `symbol`, and one may be put in front.
    kOther,
  };
  Kind kind = Kind::kOther;
  std::string name = {};    ///< For messages.
  SplitPattern split = {};  ///< kSplit: the pattern in PCRE2's syntax, with its options UTF, UCP and DOLLAR_ENDONLY.
  std::string symbol = {};  ///< kSymbolForSpaces, and below.
  enum class Prepend : std::uint8_t { kNever, kFirst, kAlways };
  /// Whether the symbol is put before the text (kFirst) or before each piece (kAlways), unless a space or the symbol is
  /// there.
  Prepend prepend = Prepend::kNever;
};

class PreTokenizerStep {
 public:
  virtual ~PreTokenizerStep() = default;
  /// Applies the step to `list`.
  virtual Result<void> apply(PieceList& list) const = 0;
  /// Applies the step to a list of one piece that is a prefix of the whole text. Precondition: the piece is valid
  /// UTF-8. If it returns false, `list` holds settled pieces: for every text with this prefix, the result of apply()
  /// begins with them. If it returns true, `list` is still one piece, a prefix of the rewritten text.
  virtual Result<bool> apply_settled(PieceList& list) const = 0;
  [[nodiscard]] virtual StepRecipe recipe() const = 0;
};

class PreTokenizer {
 public:
  /// Makes a pre-tokenizer without steps: the whole text is one piece.
  PreTokenizer() = default;
  explicit PreTokenizer(std::vector<std::shared_ptr<const PreTokenizerStep>> steps) : steps_(std::move(steps)) {}

  /// Makes a pre-tokenizer with one splitting step for each pattern, in order.
  /// Errors: kUnsupported with PCRE2's message if PCRE2 refuses a pattern.
  static Result<PreTokenizer> from_patterns(std::span<const SplitPattern> patterns);

  /// Applies all steps. Precondition: `list` holds the text and at least one piece.
  Result<void> apply(PieceList& list) const;

  /// Replaces the one piece in `list` by the settled pieces: the pieces of every text that starts with this piece start
  /// with them. Precondition: the piece is valid UTF-8.
  Result<void> apply_settled(PieceList& list) const;

  [[nodiscard]] std::vector<StepRecipe> recipe() const;

 private:
  std::vector<std::shared_ptr<const PreTokenizerStep>> steps_;
};

/// Makes a step that splits by a pattern. Errors: kUnsupported if PCRE2 refuses the pattern.
Result<std::shared_ptr<const PreTokenizerStep>> make_split_step(const SplitPattern& pattern);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_PRE_TOKENIZER_H_
