// PreTokenizer: cuts text into the pieces that the model then tokenizes one by one.
//
// WHAT   A sequence of steps. A step cuts each piece further (by a PCRE2 pattern, with a behaviour that says what
//        becomes of the matches), or rewrites pieces (a prefix space, "▁" for spaces).
// HOW    The pieces are ranges of one working text. Patterns are compiled once, with JIT, UTF and UCP; bytes that are
//        not valid UTF-8 match no character class of a pattern (PCRE2's MATCH_INVALID_UTF) and so end up between
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
  /// Whether `text` is still what the caller gave, so that offsets mean something to them.
  bool offsets_are_original = true;
  /// Whether `text` opens the text that is tokenized: some steps put a space there and nowhere else.
  bool starts_text = true;
};

/// What becomes of the matches of a split pattern. The names are those of tokenizer.json.
enum class SplitBehavior : std::uint8_t {
  kIsolated,            ///< Each match is a piece, and so is what lies between matches.
  kRemoved,             ///< Matches are dropped.
  kMergedWithPrevious,  ///< A match ends the piece before it.
  kMergedWithNext,      ///< A match opens the piece after it.
  kContiguous,          ///< Adjacent matches are one piece.
};

struct SplitPattern {
  /// As tokenizer files write it, in what the syntaxes of Oniguruma, Rust and PCRE2 have in common. `\s` is the
  /// property White_Space, `\w` what Oniguruma takes for a word's: letters, marks, digits, connectors.
  std::string regex;
  SplitBehavior behavior = SplitBehavior::kIsolated;
  bool invert = false;  ///< What the pattern does not match counts as the match.
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
  Prepend prepend = Prepend::kNever;  ///< Of the text alone, or of each piece, unless a space or the symbol is there.
};

class PreTokenizerStep {
 public:
  virtual ~PreTokenizerStep() = default;
  virtual Result<void> apply(PieceList& list) const = 0;
  /// The same where `list` is one piece, valid UTF-8, that the text may go on behind. False: the pieces left are those
  /// of every such text's that come first. True: the list is one piece still, the beginning of what it would be.
  virtual Result<bool> apply_settled(PieceList& list) const = 0;
  [[nodiscard]] virtual StepRecipe recipe() const = 0;
};

class PreTokenizer {
 public:
  /// Without steps: the whole text is one piece.
  PreTokenizer() = default;
  explicit PreTokenizer(std::vector<std::shared_ptr<const PreTokenizerStep>> steps) : steps_(std::move(steps)) {}

  /// One splitting step for each pattern, in order.
  /// Errors: kUnsupported if PCRE2 does not take a pattern, with its message.
  static Result<PreTokenizer> from_patterns(std::span<const SplitPattern> patterns);

  /// Applies all steps. `list` holds the text, and one piece or more.
  Result<void> apply(PieceList& list) const;

  /// The pieces that come first in every text that begins with the one piece in `list`, which is valid UTF-8.
  Result<void> apply_settled(PieceList& list) const;

  [[nodiscard]] std::vector<StepRecipe> recipe() const;

 private:
  std::vector<std::shared_ptr<const PreTokenizerStep>> steps_;
};

/// A step that splits by a pattern. Errors: kUnsupported if PCRE2 does not take the pattern.
Result<std::shared_ptr<const PreTokenizerStep>> make_split_step(const SplitPattern& pattern);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_PRE_TOKENIZER_H_
