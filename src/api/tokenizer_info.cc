// The part of TokenizerInfo that is above the layer `vocab`.
#include "weir/tokenizer_info.h"

#include <utility>

#include "canonical/canonical_automaton.h"

namespace weir {

// Asks for the automaton itself: a merge list may be refused only when it is read.
Result<void> TokenizerInfo::canonical_support() const {
  return canonical::CanonicalAutomaton::of(*vocabulary_).map([](const canonical::CanonicalAutomaton*) {});
}

Result<TokenHealing> TokenizerInfo::heal(std::span<const std::uint32_t> context) const {
  using canonical::CanonicalAutomaton;
  return CanonicalAutomaton::of(*vocabulary_)
      .and_then([&](const CanonicalAutomaton* automaton) { return automaton->heal(context); })
      .map([](CanonicalAutomaton::Healing healing) {
        return TokenHealing{healing.tokens, std::move(healing.bytes)};
      });
}

}  // namespace weir
