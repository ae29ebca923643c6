// StateRuns: how the states of an automaton step by whole characters, so that a walk of the vocabulary's trie can take
// a whole subtree.
//
// WHY    In many states characters of some kinds may come in any number: letters in a name, everything but a quote in a
//        string. For a single terminal its facts say so (accelerators/character_steps.h). Where the parts of a
//        mask depend on each other, and after a terminal of single characters, only the state says so, and without that
//        a walk visits the whole trie: some 400,000 nodes.
// HOW    For each state, the state to which most of the asked characters lead, and the kinds of which all characters
//        lead there; characters beyond ASCII are looked at together. Only characters are stepped that a subtree contains,
//        so a walk explores hardly any states that it would not explore anyway.
// THREADS Requires the lock under which the states are found.
#ifndef WEIR_SRC_ENGINE_MASK_STATE_RUNS_H_
#define WEIR_SRC_ENGINE_MASK_STATE_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/search_bounds.h"
#include "vocab/character_set.h"
#include "vocab/trie_summary.h"

namespace weir::engine {

/// States that are stepped by bytes. State 0 rejects.
class ByteSteps {
 public:
  ByteSteps() = default;
  ByteSteps(const ByteSteps&) = delete;
  ByteSteps& operator=(const ByteSteps&) = delete;
  virtual ~ByteSteps() = default;
  /// Returns the state after a byte; 0 if it rejects, or is not known within limits.
  virtual std::uint32_t step(std::uint32_t state, std::uint8_t byte) = 0;
  /// Returns true if what may come after the state depends on the text before it.
  [[nodiscard]] virtual bool follows_text(std::uint32_t /*state*/) const { return false; }
  [[nodiscard]] virtual std::size_t count() const = 0;  ///< The number of states.
};

class StateRuns {
 public:
  explicit StateRuns(ByteSteps& states) : states_(states) {}

  /// Returns true if each text of the characters of a subtree of `size` nodes leads from `state` to a state that does not
  /// reject, and no state on the way follows the text before it. May return false although it is so: finding out must not
  /// cost more than a walk of the subtree.
  bool takes_all(std::uint32_t state, const vocab::TrieSummary& summary, std::size_t node, std::uint32_t size) {
    if (size < vocab::kMinSummarizedNodes || !summary.is_text(node)) return false;
    const vocab::CharacterSet& characters = summary.characters(node);
    if (state < run_of_.size()) {
      const Run& here = runs_[run_of_[state]];
      if (here.others.contains_some(characters)) return false;
      if (here.next == state && here.characters.contains_all(characters)) return true;
    }
    return size >= kMinNodesToLookAt && follow(state, characters, summary.max_characters(node), size);
  }

  /// Returns true if, in addition, each of these texts leads back to `state`.
  bool stays(std::uint32_t state, const vocab::TrieSummary& summary, std::size_t node, std::uint32_t size) {
    return takes_all(state, summary, node, size) && runs_[run_of_[state]].next == state;
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return runs_.capacity() * sizeof(Run) + run_of_.capacity() * sizeof(run_of_[0]);
  }

 private:
  struct Run {
    std::uint32_t next = 0;          // where most characters lead; 0 if not known
    vocab::CharacterSet characters;  // these lead to `next`
    vocab::CharacterSet others;      // some of these do not
  };
  bool follow(std::uint32_t state, const vocab::CharacterSet& characters, unsigned most, std::uint32_t size);
  Run& run(std::uint32_t state, const vocab::CharacterSet& characters);
  std::uint32_t usual_next(std::uint32_t state, const vocab::CharacterSet& characters, vocab::CharacterSet& rejected);
  bool beyond_leads_to(std::uint32_t next, std::uint32_t state);

  ByteSteps& states_;
  std::vector<Run> runs_{1};           // the first says nothing
  std::vector<std::uint32_t> run_of_;  // by state; 0 if nothing is known
  std::vector<std::uint32_t> after_;   // scratch
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_STATE_RUNS_H_
