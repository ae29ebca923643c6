// The part of TokenizerInfo that is above the layer `vocab`.
#include "weir/tokenizer_info.h"

#include "canonical/canonical_automaton.h"

namespace weir {

// Asks for the automaton itself: a merge list may be refused only when it is read.
Result<void> TokenizerInfo::canonical_support() const {
  return canonical::CanonicalAutomaton::of(*vocabulary_).map([](const canonical::CanonicalAutomaton*) {});
}

}  // namespace weir
