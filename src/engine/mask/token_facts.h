// TokenFacts: what a vocabulary looks like from a residual expression, whatever row or grammar it stands in.
//
// WHAT   For an expression r (what is left of a terminal in progress) every token is one of three: *ready*, its bytes
//        begin a member of r, so it is allowed by r alone; *crossing*, r can end inside it, and the bytes behind that
//        place, the suffix, must be allowed by what follows the terminal; or neither.
// WHY    Inside a string almost the whole vocabulary is ready, and walking its trie for each new row that has a string
//        in progress costs a millisecond or two. The ready tokens are the same for all of them; only the crossing ones
//        (for a JSON string some 1,300 of 100,000, with 576 distinct suffixes) need the row, and those suffixes form a
//        small trie of their own. Of a comma with blanks around it the same is true in small: what all grammars have in
//        common is worked out once, and of a key one may write in any place no more than once.
// HOW    One walk of the vocabulary's trie with the derivatives of r, as a table that is filled as it goes
//        (residual_table.h). It visits the nodes that r reaches; for a wide expression that most tokens are ready for,
//        all tokens count as ready until r dies on the way to them. Where a residual goes on alike
//        over many characters, subtrees made of those are taken without a look inside (vocab/trie_summary.h);
//        for a JSON string that leaves a twentieth of the trie to walk, and for one of at most n characters little
//        more. Where r dies, each earlier place at which r could end gives the tokens below a suffix. A place before
//        the first byte is none: where r can end at once, the row behind it is in the configuration already.
//
//        Most wide expressions are others with exceptions: a string that is none of these keys. Where the usual next
//        residual s of r goes on alike for ever, r is described by how it differs from s. The walk then goes on only
//        where the residual reached from r is not the one reached from s, along the exceptions. So is a string of m to
//        n characters described by how it differs from any string (kManyRounds): only tokens that are longer than what
//        is left tell the two apart, and those with a quote, which have a trie of their own. A search, for a word that
//        may come whatever the text is, differs from any string in the latter alone. And so is a pattern with high
//        counts, or within a length, by how it differs from the pattern without (regex/analysis/text_horizon.cc): each number that
//        is left is a residual of its own, of which no more are made than long tokens ask for.
//
//        A count beyond the longest token is no count: r{0,1000} has the facts of r{0,}, and is looked up as such.
// COST   The walk, once for an expression and a vocabulary: see `nodes_visited`.
#ifndef WEIR_SRC_ENGINE_MASK_TOKEN_FACTS_H_
#define WEIR_SRC_ENGINE_MASK_TOKEN_FACTS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/mask/mask.h"
#include "engine/mask/residual_table.h"
#include "engine/mask/suffixes.h"
#include "engine/mask/token_view.h"

namespace weir::engine {

struct TokenFacts {
  /// What these facts differ from; null if they stand alone. A base stands alone.
  std::shared_ptr<const TokenFacts> base;
  /// The ready tokens: those in `ready` (none if it is null), of the base if there is one; then less `cleared`, and
  /// with `added`.
  std::shared_ptr<const TokenBits> ready;
  std::vector<std::uint32_t> added = {};    ///< Ascending.
  std::vector<std::uint32_t> cleared = {};  ///< Ascending.
  /// Suffixes of crossing tokens, each with the tokens that it ends. With a base, its suffixes count, too, but for
  /// tokens in `not_crossing`.
  Suffixes suffixes;
  std::vector<std::uint32_t> not_crossing = {};  ///< Ascending.
  /// Further crossing tokens: those below these nodes of the vocabulary's trie, at which the residual can end. Where it
  /// can end behind a blank, half of the vocabulary is crossing.
  std::vector<std::uint32_t> ends = {};
  std::uint64_t nodes_visited = 0;

  [[nodiscard]] bool has_crossing() const {
    return !suffixes.empty() || !ends.empty() || (base != nullptr && !base->suffixes.empty());
  }
  [[nodiscard]] std::size_t memory_bytes() const;
};

/// The root with any number of rounds where it has many; kDead where it has none, or where that is not seen to be the
/// same for texts of kManyRounds bytes: so a byte that leaves something of the one leaves something of the other.
std::uint32_t find_uncounted(ResidualTable& table, regex::ExprSet& exprs);

/// Whether so many tokens may be ready for the residual that they are better kept as a bitmask. Looks at the trie's
/// first two levels only.
bool is_wide(ResidualTable& table, std::uint32_t residual, const TokenView& tokens);

/// What facts of a table's root may be described by.
struct Base {
  std::uint32_t residual = ResidualTable::kDead;   ///< kDead: nothing.
  std::uint32_t uncounted = ResidualTable::kDead;  ///< As find_uncounted says.
  bool is_recount = false;         ///< What is left of both may differ in how often something repeats, and no more.
  bool counts_characters = false;  ///< Both begin with what is recounted: texts are compared in characters, too.
  bool is_worth_it = true;         ///< To be worked out if its facts are not known: less work than without a base.
  /// Of some strings in JSON: the residual behind which texts without a quote fare as behind the root. It is the base,
  /// or differs from it in how long a text may be. kDead: none is known.
  std::uint32_t unquoted = ResidualTable::kDead;
};
Base find_base(ResidualTable& table, std::uint32_t uncounted, regex::ExprSet& exprs);

/// Of so many characters nearly all tokens are less: a string with fewer left does not differ by few tokens from any
/// string.
inline constexpr std::uint32_t kManyRounds = 16;

/// For a residual that is not wide. None, here and below, when the table is inexact, or the suffixes are more than a
/// trie holds, or, of what has few characters left, more than are worth it.
std::optional<TokenFacts> compute_narrow_facts(ResidualTable& table, const TokenView& tokens);

/// For a wide one.
std::optional<TokenFacts> compute_wide_facts(ResidualTable& table, const TokenView& tokens);

/// The same, as a difference from the facts of a residual. None also where there is too much that differs.
std::optional<TokenFacts> compute_difference(ResidualTable& table, const TokenView& tokens, const Base& base,
                                             std::shared_ptr<const TokenFacts> base_facts);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_TOKEN_FACTS_H_
