#include "engine/mask/state_runs.h"

#include <string_view>

#include "engine/residuals/character_automaton.h"
#include "engine/search_bounds.h"

namespace weir::engine {

using vocab::CharacterKind;
using vocab::CharacterSet;

// Returns the state that more than half of the ASCII characters among these lead to, if there is one; otherwise some
// state, or 0. Also 0 if the state rejects one of them: no subtree with that character is taken, whatever the others do.
std::uint32_t StateRuns::usual_next(std::uint32_t state, const CharacterSet& characters, CharacterSet& rejected) {
  std::uint32_t usual = 0;
  int votes = 0;  // for `usual`, less those that other votes have cancelled: if more than half are for it, it remains
  for_each_ascii_of(characters, [&](std::uint8_t byte) {
    const std::uint32_t next = states_.step(state, byte);
    if (next == 0) rejected.add(vocab::kind_of_ascii(byte));
    if (votes == 0) usual = next;
    votes += next == usual ? 1 : -1;
    return next != 0;
  });
  // If there are few characters, such as blanks and line ends, one vote decides nothing.
  return votes > 1 && rejected.is_empty() ? usual : 0;
}

// Returns true if all characters beyond ASCII lead to `next`. Three of them are looked at first: often one of these does
// not, and each new state is more work than a walk of many nodes.
bool StateRuns::beyond_leads_to(std::uint32_t next, std::uint32_t state) {
  for (const std::string_view sample : {"\u00A0", "\u2026", "\u4E00"}) {
    std::uint32_t after = state;
    for (const char byte : sample) after = states_.step(after, static_cast<std::uint8_t>(byte));
    if (after != next) return false;
  }
  const auto step_by = [this](std::uint32_t from, std::uint8_t byte) { return states_.step(from, byte); };
  return list_after_kind(CharacterKind::kOther, state, step_by, after_) && after_.size() == 1 && after_[0] == next;
}

StateRuns::Run& StateRuns::run(std::uint32_t state, const CharacterSet& characters) {
  if (state >= run_of_.size()) run_of_.resize(states_.count());
  if (run_of_[state] == 0) {
    run_of_[state] = static_cast<std::uint32_t>(runs_.size());
    runs_.emplace_back();
  }
  Run& run = runs_[run_of_[state]];
  if (run.others.contains_some(characters)) return run;
  CharacterSet asked = characters;
  asked.remove_all(run.characters);
  if (asked.is_empty()) return run;
  if (run.next == 0) {
    CharacterSet rejected;
    run.next = usual_next(state, characters, rejected);
    run.others |= rejected;
  }
  if (run.next == 0) return run;
  for_each_ascii_of(asked, [&](std::uint8_t byte) {
    (states_.step(state, byte) == run.next ? run.characters : run.others).add(vocab::kind_of_ascii(byte));
    return true;
  });
  if (asked.contains_some(beyond_ascii())) {
    (beyond_leads_to(run.next, state) ? run.characters : run.others) |= beyond_ascii();
  }
  return run;
}

// Follows the chain of Run::next for as many characters as the texts have.
bool StateRuns::follow(std::uint32_t state, const CharacterSet& characters, unsigned most, std::uint32_t size) {
  std::uint32_t left = 1 + size / kNodesForOneRun;
  for (unsigned count = most; count > 0 && left > 0; --count, --left) {
    if (states_.follows_text(state)) return false;
    const Run& here = run(state, characters);
    if (!here.characters.contains_all(characters)) return false;
    if (here.next == state) return true;
    state = here.next;
    if (count == 1) return most < vocab::kManyCharacters && !states_.follows_text(state);
  }
  return false;
}

}  // namespace weir::engine
