// Accelerators: what makes the facts of terminals, and masks, cheaper to find. No mask depends on them.
//
// The basic idea: each has a line here and may be left out, so that anyone can measure what it buys, and a test can show
// that it changes no mask.
//
// HOW    Tables of residuals know which accelerators their store of facts has (FactsStore::leave_out). Code asks once for
//        a walk, a choice of base or a subtree, never for a byte. `kinds` does nothing without `rule`.
//        To add one, add an enumerator and a line of kAccelerators, and ask Accelerators::has where its code begins; a
//        new kind of base is a line of BaseSearch's table (accelerators/bases.h) instead of a question. The test in
//        token_facts_test.cc and `weir-bench accelerators` go over all lines: the test compares the masks without each
//        with those of all, the experiment measures it. What buys less than 3 % is not kept; the figures are in
//        docs/decisions/accelerators.md.
//        To remove one, remove its line and the code that asks for it, and delete a file if nothing else includes it.
#ifndef WEIR_SRC_ENGINE_ACCELERATORS_H_
#define WEIR_SRC_ENGINE_ACCELERATORS_H_

#include <array>
#include <cstdint>

namespace weir::engine {

enum class Accelerator : std::uint8_t {
  kSharedFacts,    // facts_store.h
  kCountedTexts,   // bases.h
  kAnyString,      // bases.h
  kUsualLoop,      // bases.h
  kUncounted,      // bases.h
  kShortTexts,     // token_facts.cc
  kCharacterRule,  // character_rule.h
  kTokenKinds,     // token_kinds.h
  kSubtrees,       // character_steps.h
  kEnds,           // token_facts.cc
  kAfterEnd,       // mask_builder.cc
  kStateRuns,      // state_runs.h
  kLexicalFacts,   // lexical_facts.h
};

struct NamedAccelerator {
  Accelerator id;
  const char* name;
  const char* what;
};
inline constexpr std::array kAccelerators{
    NamedAccelerator{Accelerator::kSharedFacts, "shared", "grammars of a vocabulary share facts"},
    NamedAccelerator{Accelerator::kCountedTexts, "counted",
                     "texts of m to n characters are described beside any length"},
    NamedAccelerator{Accelerator::kAnyString, "any_string", "some strings are described beside any string"},
    NamedAccelerator{Accelerator::kUsualLoop, "usual_loop", "others beside the residual in which most texts stay"},
    NamedAccelerator{Accelerator::kUncounted, "uncounted", "patterns with counts beside those without"},
    NamedAccelerator{Accelerator::kShortTexts, "short_texts", "subtrees too short for a count are left out"},
    NamedAccelerator{Accelerator::kCharacterRule, "rule", "characters that may come anywhere"},
    NamedAccelerator{Accelerator::kTokenKinds, "kinds", "bitmasks of the tokens with each kind of characters"},
    NamedAccelerator{Accelerator::kSubtrees, "subtrees", "subtrees whose characters behave alike are taken whole"},
    NamedAccelerator{Accelerator::kEnds, "ends", "many crossing tokens are one node of the trie"},
    NamedAccelerator{Accelerator::kAfterEnd, "after_end", "tokens after such a node are found by facts"},
    NamedAccelerator{Accelerator::kStateRuns, "state_runs", "subtrees that a state takes whole"},
    NamedAccelerator{Accelerator::kLexicalFacts, "lexical", "rows share what a walk finds within lexemes"},
};

/// The accelerators in use: all but those that are left out.
class Accelerators {
 public:
  constexpr Accelerators() = default;
  [[nodiscard]] constexpr bool has(Accelerator one) const { return (without_ >> static_cast<unsigned>(one) & 1U) == 0; }
  [[nodiscard]] constexpr Accelerators without(Accelerator one) const {
    Accelerators fewer = *this;
    fewer.without_ |= 1U << static_cast<unsigned>(one);
    return fewer;
  }

 private:
  std::uint32_t without_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_ACCELERATORS_H_
