// Recipe: a tokenizer's algorithm as data.
//
// WHY    A segmenter turns text into tokens. Whoever asks the opposite, which sequences of tokens it writes, needs to
//        know what it does, step by step; src/canonical does. Here are the steps and nothing of what follows from them.
// HOW    Segmenter::recipe() and PieceModel::merges() make one on request from what they run on.
#ifndef WEIR_SRC_VOCAB_RECIPE_H_
#define WEIR_SRC_VOCAB_RECIPE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vocab/normalizers/normalizer.h"
#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/pre_tokenizer.h"

namespace weir::vocab {

/// How a model merges the units of a piece into tokens: it merges the adjacent pair with the lowest rank, the leftmost
/// of equal ranks, and repeats this until no pair has a merge.
struct MergeRecipe {
  /// Not empty: the model does not merge, and is this.
  std::string other_model = {};

  enum class Unit : std::uint8_t {
    kByte,
    kCharacter,
  };
  Unit unit = Unit::kByte;

  enum class Rule : std::uint8_t {
    kPairs,           ///< Those of `pairs` merge. A unit that is no token merges with nothing.
    kConcatenations,  ///< Two symbols merge if their texts together are a token's, at that token's rank.
  };
  Rule rule = Rule::kPairs;

  /// A piece that is a token is that token, whatever the merges would make of it.
  bool takes_whole_pieces = false;

  struct Token {
    std::string_view text;  ///< As in pieces, bytes or characters. Lives as long as the model.
    std::uint32_t id = 0;
    std::uint32_t rank = 0;  ///< kConcatenations.
    bool is_written = true;  ///< False: merges may pass through it, but it is undone in the end.
  };
  /// Tokens of the model, each text once, in no order. User-defined ones are not among them.
  std::vector<Token> tokens = {};

  struct Pair {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t rank = 0;
    std::uint32_t result = 0;
  };
  std::vector<Pair> pairs = {};  ///< kPairs: each (left, right) once, in no order.

  /// kCharacter: tokens of the 256 bytes, in which a character is written that is no token. Empty: it is an error, or
  /// the unknown token, which no text can be read off.
  std::vector<std::uint32_t> byte_tokens = {};

  struct Fixed {
    std::string_view text;
    std::uint32_t id = 0;
  };
  /// Texts that are found in a piece first, leftmost and then longest, and are that token; no merge crosses them.
  std::vector<Fixed> user_defined = {};
};

struct Recipe {
  /// Not empty: there is no algorithm, and this is why.
  std::string unsupported = {};
  std::vector<AddedToken> added_tokens = {};  ///< Found before everything else, but for those that are `normalized`.
  std::vector<NormalizerRecipe> normalizers = {};
  std::vector<StepRecipe> steps = {};  ///< Those of the pre-tokenizer.
  MergeRecipe model = {};
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_RECIPE_H_
