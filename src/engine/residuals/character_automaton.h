// CharacterAutomaton: which bytes the characters of a kind have, so that an automaton over bytes can be stepped by all of
// them at once.
#ifndef WEIR_SRC_ENGINE_RESIDUALS_CHARACTER_AUTOMATON_H_
#define WEIR_SRC_ENGINE_RESIDUALS_CHARACTER_AUTOMATON_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "engine/search_bounds.h"
#include "vocab/character_set.h"

namespace weir::engine {

// A deterministic automaton of single characters in UTF-8. State 0 is the end, state 1 the start.
struct CharacterAutomaton {
  struct Branch {
    std::vector<std::uint8_t> bytes;
    std::size_t to;
  };
  std::vector<std::vector<Branch>> states;
};

/// Returns the automaton of the characters of a kind beyond ASCII; for kOther, of all characters beyond ASCII.
const CharacterAutomaton& automaton_of(vocab::CharacterKind kind);

/// The kinds of characters beyond ASCII.
inline constexpr auto kBeyond = [] {
  std::array<vocab::CharacterKind, std::size(vocab::kLeadKinds) + 1> kinds{vocab::CharacterKind::kWideSpace};
  for (std::size_t i = 0; i < std::size(vocab::kLeadKinds); ++i) kinds[i + 1] = vocab::kLeadKinds[i].kind;
  return kinds;
}();
/// Returns these kinds as a set.
constexpr vocab::CharacterSet beyond_ascii() {
  vocab::CharacterSet kinds;
  for (const vocab::CharacterKind kind : kBeyond) kinds.add(kind);
  return kinds;
}

/// Calls `use` with the bytes that are each a kind of characters.
template <typename Use>
constexpr void for_each_ascii(Use use) {
  for (std::uint8_t byte = '\t'; byte <= '\r'; ++byte) use(byte);
  for (std::uint8_t byte = 0x20; byte < 0x7F; ++byte) use(byte);
}

/// Calls `use` with those of these bytes whose kinds are in a set, until it returns false.
template <typename Use>
void for_each_ascii_of(const vocab::CharacterSet& kinds, Use use) {
  constexpr vocab::CharacterSet kAscii = [] {
    vocab::CharacterSet all;
    for_each_ascii([&](std::uint8_t byte) { all.add(vocab::kind_of_ascii(byte)); });
    return all;
  }();
  vocab::CharacterSet asked = kinds;
  asked.keep_only(kAscii);
  asked.for_each([&](vocab::CharacterKind kind) { return use(static_cast<std::uint8_t>(kind)); });
}

/// Sets `after` to what the characters of a kind beyond ASCII lead to from `root` in an automaton over bytes whose state 0
/// rejects: each state once, 0 included. `step(state, byte)` returns the next state. Returns false if finding them takes
/// too long.
template <typename Step>
bool list_after_kind(vocab::CharacterKind kind, std::uint32_t root, Step step, std::vector<std::uint32_t>& after) {
  const CharacterAutomaton& automaton = automaton_of(kind);
  struct Place {
    std::uint32_t state;     // of the automaton that is stepped
    std::size_t characters;  // of the characters' automaton
    bool operator==(const Place&) const = default;
  };
  std::vector<Place> places{{root, 1}};
  after.clear();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places.size() > kMaxKindResiduals || after.size() > kMaxKindResiduals) return false;
    for (const CharacterAutomaton::Branch& branch : automaton.states[places[i].characters]) {
      Place last{UINT32_MAX, branch.to};
      for (const std::uint8_t byte : branch.bytes) {
        const Place place{step(places[i].state, byte), branch.to};
        if (place == last) continue;
        last = place;
        const bool is_end = place.characters == 0 || place.state == 0;
        if (is_end && std::find(after.begin(), after.end(), place.state) == after.end()) after.push_back(place.state);
        if (!is_end && std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
      }
    }
  }
  return true;
}

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_RESIDUALS_CHARACTER_AUTOMATON_H_
