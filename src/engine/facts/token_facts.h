// TokenFacts: how the tokens of a vocabulary relate to one residual, whatever row or grammar it occurs in.
//
// The basic idea: what a token does inside a terminal depends on the residual and the vocabulary alone, so it is found
// out once for all grammars. A residual that resembles another is described by what differs.
//
// WHAT   For a residual r of a terminal in progress a token is *ready* if its bytes are a prefix of a member of r, so
//        that r alone allows it. Otherwise it is *crossing* if r can end inside it, so that the bytes after that place
//        (the suffix) must be allowed by what follows the terminal. All other tokens are not allowed.
// WHY    Inside a string almost the whole vocabulary is ready, and walking its trie for each new row with a string in
//        progress would take milliseconds. The ready tokens are the same for all these rows. Only the crossing tokens
//        depend on the row: they are few, and their suffixes form a small trie of their own. The same holds for small
//        terminals, such as a comma with blanks around it: facts that grammars have in common are computed once.
// HOW    One walk of the vocabulary's trie together with the residuals of r, in a table that is filled on the way
//        (residual_table.h). The walk visits the nodes that r reaches. For a wide residual, one for which most tokens
//        are ready, all tokens count as ready unless r rejects on the way to them. If a residual behaves the same for
//        many characters, subtrees that consist of these are not visited (vocab/trie_summary.h); for a JSON string,
//        with or without a bound on its length, that leaves a small part of the trie. If it takes or rejects characters
//        wherever they come, most tokens are found without a walk (accelerators/character_rule.h). Where r rejects,
//        every earlier place at which r could end gives suffixes. The place before the first byte is not one of them: if
//        r can end there, the row after the terminal is in the configuration already.
//
//        Most wide residuals are another residual (the *base*, accelerators/bases.h) with exceptions, and are described by
//        their difference from the base's facts.
//
//        A count beyond the longest token has no effect: r{0,1000} has the facts of r{0,} and is looked up as such.
// EXAMPLE  Residuals within a JSON string, after its opening quote, and the tokens of o200k_base.
//        1. Any string: 195,516 tokens are ready, such as `na`, `"` and ` "`. `",` is crossing with the suffix `,`.
//           There is no base.
//        2. Any string but `name`: a text without a quote can go on in both, so residual 1 is the base, and only tokens
//           with a quote are looked at. No token contains `name"`, so nothing differs.
//        3. The same after `name`: the base is residual 1 again, which may end here. So `"`, which is ready in the
//           base, is in `cleared`; `",` and the 380 other tokens that begin with a quote and go on are in
//           `not_crossing`.
//        4. Any string of at most 40 characters: BaseSearch::uncounted_text drops the count, and residual 1 is
//           the base. Only tokens of more than 40 characters differ: 122, such as a row of blanks, are in `cleared`.
//        Outside of strings, two residuals that are not wide; they have no base and no `ready`:
//        5. `[0-9]+`: the 1,110 tokens of digits are in `added`. No token goes on after its digits, so none is
//           crossing.
//        6. `ab?`: `a` and `ab` are in `added`. Below both nodes there are too many tokens to list, so `ends` has the
//           nodes: `any` is crossing with the suffix `ny`.
// COST   The walk, once for each residual and vocabulary: see `nodes_visited`.
#ifndef WEIR_SRC_ENGINE_FACTS_TOKEN_FACTS_H_
#define WEIR_SRC_ENGINE_FACTS_TOKEN_FACTS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/accelerators/bases.h"
#include "engine/accelerators/token_kinds.h"
#include "engine/facts/suffixes.h"
#include "engine/residuals/residual_table.h"
#include "engine/sets/mask.h"
#include "engine/sets/token_view.h"

namespace weir::engine {

struct TokenFacts {
  /// The facts that these facts are a difference from; null if there are none. A base has no base.
  std::shared_ptr<const TokenFacts> base_facts;
  /// The ready tokens are those in `ready` (no tokens if it is null; equal to the base's if there is a base), without
  /// `cleared`, and with `added`.
  std::shared_ptr<const TokenBits> ready;
  std::vector<std::uint32_t> added = {};    ///< Ascending.
  std::vector<std::uint32_t> cleared = {};  ///< Ascending.
  /// Suffixes of crossing tokens, each with its tokens. If there is a base, its suffixes count as well, except for
  /// tokens in `not_crossing`.
  Suffixes suffixes;
  std::vector<std::uint32_t> not_crossing = {};  ///< Ascending.
  /// More crossing tokens: those below these nodes of the vocabulary's trie, at which the residual can end. Used where
  /// there are many: after a blank half of the vocabulary is crossing.
  std::vector<std::uint32_t> ends = {};
  std::uint64_t nodes_visited = 0;

  [[nodiscard]] bool has_crossing() const {
    return !suffixes.empty() || !ends.empty() || (base_facts != nullptr && !base_facts->suffixes.empty());
  }
  [[nodiscard]] std::size_t memory_bytes() const;
};

/// Returns true if so many tokens may be ready for the residual that a bitmask is the better form. Looks only at the
/// first two levels of the trie.
bool is_wide(ResidualTable& table, std::uint32_t residual, const TokenView& tokens);

/// Computes the facts of a residual that is not wide. Returns nullopt, here and below, if the table is inexact or there
/// are more suffixes than a walk along states is worth.
std::optional<TokenFacts> compute_narrow_facts(ResidualTable& table, const TokenView& tokens);

/// Computes the facts of a wide residual. `kinds` is null or describes the tokens of the vocabulary inside a text.
std::optional<TokenFacts> compute_wide_facts(ResidualTable& table, const TokenView& tokens, const TokenKinds* kinds);

/// Computes the facts of a wide residual as a difference from those of `base`. Returns nullopt also if too much
/// differs.
std::optional<TokenFacts> compute_difference(ResidualTable& table, const TokenView& tokens, const Base& base,
                                             std::shared_ptr<const TokenFacts> base_facts);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_FACTS_TOKEN_FACTS_H_
