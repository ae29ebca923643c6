// Random small tokenizers and finite languages for the tests of canonical masks. The generator is seeded.
#ifndef WEIR_TESTS_EXHAUSTIVE_CANONICAL_WORLDS_H_
#define WEIR_TESTS_EXHAUSTIVE_CANONICAL_WORLDS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "exhaustive/canonical_check.h"
#include "oracle/bpe_tokenizer.h"
#include "weir/weir.h"

namespace weir::testing {

/// How the merges of a random vocabulary are made.
enum class VocabularyKind : std::uint8_t {
  kProper,    ///< Each merge makes a new token from bytes and tokens of earlier merges.
  kImproper,  ///< Merges are in any order, and several may make the same token.
  kRanks,     ///< A tiktoken file with any tokens in any order.
};
std::string_view to_string(VocabularyKind kind);

/// A tokenizer of weir, and the oracle's implementation of the same tokenizer.
struct SmallWorld {
  std::shared_ptr<const oracle::BpeTokenizer> plain;
  TokenizerInfo info;
  std::string name;
};

/// The names of the special tokens of all small worlds; the first one is the stop token.
inline constexpr const char* kSpecialNames[] = {"<|end|>", "<|sep|>", "<|tool|>"};

struct SmallWorldOptions {
  VocabularyKind kind = VocabularyKind::kProper;
  std::vector<std::string> characters = {};  ///< The alphabet of texts.
  std::uint32_t merges = 6;
  std::size_t longest_token = 7;   ///< In bytes.
  std::uint32_t extra_tokens = 0;  ///< Random tokens that are not meant to be made by merges.
  bool whole_pieces = false;
  std::vector<oracle::SplitStep> steps = {};
  bool nfc = false;  ///< Texts are put into NFC; not with kRanks.
};

/// Returns a random byte-level vocabulary. Precondition: with kRanks, `steps` has at most one step, an isolated one.
oracle::BpeTokenizerSpec random_vocabulary(std::mt19937& random, const SmallWorldOptions& options);

/// Returns the text of a tokenizer.json for this byte-level tokenizer. Special tokens follow the others.
std::string tokenizer_json(const oracle::BpeTokenizerSpec& spec);

/// Reads the tokenizer with weir, from a tokenizer.json or, for ranks, a tiktoken file.
SmallWorld make_world(oracle::BpeTokenizerSpec spec, std::string name);

/// Returns the world's tokenizations of those texts that decode to themselves.
oracle::SequenceTree sequences_of(const SmallWorld& world, const std::vector<std::string>& texts);

/// Returns a random finite language over `characters`, of at most `max_texts` texts: an expression in EBNF, with or
/// without rules, a regular expression, a choice, or all texts up to a length.
FiniteLanguage random_language(std::mt19937& random, const std::vector<std::string>& characters, std::size_t max_texts);

/// Returns `text` as a literal of EBNF, quotes included.
std::string ebnf_literal(std::string_view text);

}  // namespace weir::testing

#endif  // WEIR_TESTS_EXHAUSTIVE_CANONICAL_WORLDS_H_
