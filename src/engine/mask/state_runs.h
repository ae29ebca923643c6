// StateRuns: how states step by whole characters, so that a walk of the vocabulary's trie can take a whole subtree.
//
// WHY    In many states characters of some kinds may come in any number: letters in a name, everything but a quote in a
//        string. For a single terminal its facts say so (accelerators/character_steps.h). Where the parts of a
//        mask depend on each other, and after a terminal of single characters, only the state says so, and without that
//        a walk visits the whole trie: some 400,000 nodes.
// HOW    For each state, the state to which most of the asked characters lead, and the kinds of which all characters
//        lead there; characters beyond ASCII are looked at together. Only characters are stepped that a subtree contains,
//        so a walk explores hardly any states that it would not explore anyway.
// THREADS Requires the automaton's lock.
#ifndef WEIR_SRC_ENGINE_MASK_STATE_RUNS_H_
#define WEIR_SRC_ENGINE_MASK_STATE_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/search_bounds.h"
#include "engine/sets/state_id.h"
#include "vocab/character_set.h"
#include "vocab/trie_summary.h"

namespace weir::engine {

class LazyAutomaton;

class StateRuns {
 public:
  explicit StateRuns(LazyAutomaton& automaton) : automaton_(automaton) {}

  /// Returns true if each text of the characters of a subtree of `size` nodes leads from `state` to a state that is not
  /// kDead, and no state on the way follows the text before it. May return false although it is so: finding out must not
  /// cost more than a walk of the subtree.
  bool takes_all(StateId state, const vocab::TrieSummary& summary, std::size_t node, std::uint32_t size) {
    if (size < vocab::TrieSummary::kMinNodes || !summary.is_text(node)) return false;
    const vocab::CharacterSet& characters = summary.characters(node);
    if (raw(state) < runs_.size()) {
      const Run& here = runs_[raw(state)];
      if (here.others.contains_some(characters)) return false;
      if (here.next == raw(state) && here.characters.contains_all(characters)) return true;
    }
    return size >= kMinNodesToLookAt && follow(state, characters, summary.max_characters(node), size);
  }

  [[nodiscard]] std::size_t memory_bytes() const { return runs_.capacity() * sizeof(Run); }

 private:
  struct Run {
    std::uint32_t next = 0;          // where most characters lead; 0 if not known
    vocab::CharacterSet characters;  // these lead to `next`
    vocab::CharacterSet others;      // some of these do not
  };
  bool follow(StateId state, const vocab::CharacterSet& characters, unsigned most, std::uint32_t size);
  Run& run(StateId state, const vocab::CharacterSet& characters);
  std::uint32_t step(std::uint32_t state, std::uint8_t byte);
  std::uint32_t usual_next(StateId state, const vocab::CharacterSet& characters, vocab::CharacterSet& rejected);
  bool beyond_leads_to(std::uint32_t next, StateId state);

  LazyAutomaton& automaton_;
  std::vector<Run> runs_;             // by state
  std::vector<std::uint32_t> after_;  // scratch
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_STATE_RUNS_H_
