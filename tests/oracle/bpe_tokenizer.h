// Byte-pair encoding as its definition says it, for tests of canonical masks.
//
// WHAT   A text is cut into pieces by one split step after another. In each piece, units (bytes, or characters) are
//        merged: of all adjacent pairs that have a merge, the one of least rank is merged, of several places the
//        leftmost, until no pair has a merge.
// HOW    All pairs are looked at again after each merge. Matches are those of PCRE2, called here directly.
// COST   Quadratic in a piece's length, with a map lookup for each pair.
#ifndef WEIR_TESTS_ORACLE_BPE_TOKENIZER_H_
#define WEIR_TESTS_ORACLE_BPE_TOKENIZER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::oracle {

using TokenIds = std::vector<std::uint32_t>;

/// A step that cuts each piece into smaller ones at the matches of a pattern, as `Split` of a tokenizer.json does.
struct SplitStep {
  enum class Behavior : std::uint8_t {
    kIsolated,            ///< Each match is a piece, and so is each stretch between two matches.
    kMergedWithPrevious,  ///< A match belongs to the stretch before it.
    kMergedWithNext,      ///< A match belongs to the stretch after it.
    kContiguous,          ///< Matches without a stretch between them are one piece.
  };
  std::string pattern;
  Behavior behavior = Behavior::kIsolated;
  bool invert = false;  ///< True if the stretches between the matches count as the matches.
};

/// Merges by pairs of tokens, in the order of their ranks.
using MergeList = std::vector<std::pair<std::string, std::string>>;

struct BpeTokenizerSpec {
  enum class Unit : std::uint8_t {
    kByte,       ///< Byte-level BPE.
    kCharacter,  ///< As SentencePiece: a character without a token is written in byte tokens.
  };
  enum class Ranks : std::uint8_t {
    kMergeList,  ///< A pair has the place of its merge in `merges`.
    kTokenIds,   ///< Any pair whose concatenation is a token has that token's id (tiktoken).
  };
  std::vector<std::string> tokens = {};  ///< The text of token i; empty if it is not for text.
  Unit unit = Unit::kByte;
  Ranks ranks = Ranks::kMergeList;
  MergeList merges = {};
  bool whole_pieces = false;  ///< True if a piece that is a token becomes this token, whatever merges say.
  std::vector<SplitStep> steps = {};
  /// With kCharacter: the token of each byte, for characters without a token.
  std::map<unsigned char, std::uint32_t> byte_tokens = {};
  /// With kCharacter: written before a text that is not empty, and for each space.
  std::string space_symbol = {};
  bool nfc = false;  ///< Texts are first put into NFC (small_nfc.h).
};

class BpeTokenizer {
 public:
  explicit BpeTokenizer(BpeTokenizerSpec spec);
  ~BpeTokenizer();
  BpeTokenizer(const BpeTokenizer&) = delete;
  BpeTokenizer& operator=(const BpeTokenizer&) = delete;

  /// Returns the pieces of `text`, which is valid UTF-8.
  [[nodiscard]] std::vector<std::string> split(std::string_view text) const;
  /// Returns the tokens of `text`, or nullopt if a unit has no token.
  [[nodiscard]] std::optional<TokenIds> tokenize(std::string_view text) const;
  /// Returns the bytes that the tokens stand for, without the space that kCharacter adds before a text.
  [[nodiscard]] std::string decode(const TokenIds& ids) const;

  [[nodiscard]] const BpeTokenizerSpec& spec() const { return spec_; }

 private:
  struct Pattern;
  [[nodiscard]] std::vector<std::string> split_by(const SplitStep& step, const Pattern& pattern,
                                                  std::string_view text) const;
  [[nodiscard]] std::optional<std::uint64_t> rank_of(const std::string& left, const std::string& right) const;
  bool tokenize_piece(const std::string& piece, TokenIds& ids) const;

  BpeTokenizerSpec spec_;
  std::vector<std::unique_ptr<Pattern>> patterns_;
  std::map<std::string, std::uint32_t, std::less<>> ids_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> merge_ranks_;
};

/// Returns the characters of `text`, which is valid UTF-8.
std::vector<std::string> characters_of(std::string_view text);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_BPE_TOKENIZER_H_
