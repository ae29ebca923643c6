// TokenFacts: what a vocabulary looks like from a residual expression, whatever row or grammar it stands in.
//
// WHAT   For an expression r (what is left of a terminal in progress) every token is one of three: *ready*, its bytes
//        begin a member of r, so it is allowed by r alone; *crossing*, r can end inside it, and the bytes behind that
//        place, the suffix, must be allowed by what follows the terminal; or neither.
// WHY    Inside a string almost the whole vocabulary is ready, and walking its trie for each new row that has a string
//        in progress costs a millisecond or two. The ready tokens are the same for all of them; only the crossing ones
//        (for a JSON string some 1,300 of 100,000, with 576 distinct suffixes) need the row, and those suffixes form a
//        small trie of their own.
// HOW    One walk of the vocabulary's trie with the derivatives of r, as a table that is filled as it goes
//        (ResidualTable). All tokens count as ready until r dies on the way to them. Where a residual goes on alike
//        over whole groups of characters (`loops`), subtrees made of those are taken without a look inside
//        (vocab/trie_summary.h); for a JSON string that leaves a twentieth of the trie to walk. Where r dies, each
//        earlier place at which r could end gives the tokens below a suffix. A place before the first byte is none:
//        where r can end at once, the row behind it is in the configuration already.
// COST   The walk, once for an expression: see `nodes_visited`. Worth it for wide expressions only (`is_wide`): for
//        narrow ones the walk beside the automaton visits fewer nodes than there are crossing tokens.
#ifndef WEIR_SRC_ENGINE_TOKEN_FACTS_H_
#define WEIR_SRC_ENGINE_TOKEN_FACTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/mask.h"
#include "lexer/lexer.h"
#include "regex/expr.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

struct TokenFacts {
  std::vector<std::uint32_t> ready;  ///< As a bitmask.
  vocab::TokenTrie suffixes;         ///< Suffixes of crossing tokens, each with the tokens that it ends.
  std::uint64_t nodes_visited = 0;
};

/// Steps what is left of one terminal by bytes, remembering residuals in a flat table: as Lexer does, for one terminal
/// alone and without rows. Greedy terminals step as exact ones; their condition is not looked at. Not thread-safe.
class ResidualTable {
 public:
  ResidualTable(regex::ExprSet& exprs, const regex::ByteClasses& classes, lexer::TerminalSpec root, std::uint32_t fuel);

  static constexpr std::uint32_t kDead = 0;  ///< The residual matches nothing.
  static constexpr std::uint32_t kRoot = 1;

  std::uint32_t step(std::uint32_t residual, std::uint8_t byte) {
    const std::uint32_t known = next_[(residual << 8) | byte];
    return known != kUnknown ? known : compute(residual, byte);
  }
  [[nodiscard]] bool can_end(std::uint32_t residual) const { return can_end_[residual] != 0; }

  /// The vocab::CharacterGroup bits of the groups each of whose characters takes `residual` back to itself.
  std::uint8_t loops(std::uint32_t residual) {
    return loops_[residual] != kUnknownLoops ? loops_[residual] : find_loops(residual);
  }

  /// Whether emptiness could not be decided on the way; what was computed is then not to be used.
  [[nodiscard]] bool is_inexact() const { return inexact_; }

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  static constexpr std::uint8_t kUnknownLoops = 0xFF;
  std::uint32_t compute(std::uint32_t residual, std::uint8_t byte);
  std::uint32_t add(regex::ExprId e);
  std::uint8_t find_loops(std::uint32_t residual);
  bool loops_beyond_ascii(std::uint32_t residual);

  regex::ExprSet& exprs_;
  const regex::ByteClasses& classes_;
  lexer::Mode mode_;
  std::uint32_t fuel_;
  std::vector<regex::ExprId> residuals_;
  std::vector<std::uint8_t> can_end_;
  std::vector<std::uint8_t> loops_;
  std::vector<std::uint32_t> next_;  // residual * 256 + byte
  std::unordered_map<regex::ExprId, std::uint32_t> by_expr_;
  bool inexact_ = false;
};

/// The tokens that may stand at `position`: their trie, what its subtrees are made of, and the bytes it holds for a
/// token.
struct TokenView {
  TokenView(const vocab::Vocabulary& vocabulary, TokenPosition position);
  [[nodiscard]] std::string_view bytes_of(std::uint32_t token) const;

  const vocab::Vocabulary& vocabulary;
  TokenPosition position;
  const vocab::TokenTrie& trie;
  const vocab::TrieSummary& summary;
};

/// Whether so many tokens may be ready for the residual that its facts are worth computing. Looks at the trie's first
/// two levels only.
bool is_wide(ResidualTable& table, const vocab::TokenTrie& trie);

/// None when the table is inexact, or the suffixes are more than a trie holds.
std::optional<TokenFacts> compute_token_facts(ResidualTable& table, const TokenView& tokens);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_TOKEN_FACTS_H_
