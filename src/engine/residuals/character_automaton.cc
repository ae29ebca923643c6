#include "engine/residuals/character_automaton.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "regex/expr/expr.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::engine {

using regex::CodePointSet;
using regex::ExprId;
using regex::ExprSet;
using vocab::CharacterKind;

namespace {

CharacterAutomaton automaton_of(const CodePointSet& characters) {
  ExprSet exprs(1U << 12);
  std::vector<ExprId> states{ExprId::kEpsilon, regex::utf8_set(exprs, characters)};
  CharacterAutomaton automaton;
  automaton.states.resize(1);
  for (std::size_t i = 1; i < states.size(); ++i) {
    std::vector<ExprSet::Branch> branches;
    exprs.append_branches(states[i], branches);
    std::vector<CharacterAutomaton::Branch>& made = automaton.states.emplace_back();
    for (const ExprSet::Branch& branch : branches) {
      const auto known = std::find(states.begin(), states.end(), branch.to);
      made.push_back({{}, static_cast<std::size_t>(known - states.begin())});
      branch.bytes.for_each([&](std::uint8_t byte) { made.back().bytes.push_back(byte); });
      if (known == states.end()) states.push_back(branch.to);
    }
  }
  return automaton;
}

CodePointSet wide_spaces() {
  std::vector<regex::CodePointRange> ranges;
  for (const auto& [first, last] : vocab::kWideSpaces) ranges.push_back({char32_t{first}, char32_t{last}});
  return CodePointSet(std::move(ranges));
}

// Returns the first code point whose first byte is `lead` or greater.
char32_t code_point_from(unsigned lead) {
  if (lead < 0xE0) return (lead & 0x1FU) << 6U;
  if (lead < 0xF0) return lead == 0xE0 ? 0x800 : (lead & 0xFU) << 12U;
  return lead == 0xF0 ? 0x10000 : std::min<char32_t>((lead & 0x7U) << 18U, 0x110000);
}

CodePointSet characters_of(CharacterKind kind) {
  if (kind == CharacterKind::kOther) return CodePointSet::range(0x80, 0x10FFFF);
  if (kind == CharacterKind::kWideSpace) return wide_spaces();
  const auto* group = std::ranges::find(vocab::kLeadKinds, kind, &vocab::LeadKind::kind);
  return CodePointSet::range(code_point_from(group->first), code_point_from(group->last + 1U) - 1) - wide_spaces();
}

}  // namespace

const CharacterAutomaton& automaton_of(CharacterKind kind) {
  static std::array<CharacterAutomaton, 32> automata;
  static std::array<std::once_flag, automata.size()> made;
  const auto i = static_cast<std::size_t>(kind);
  std::call_once(made[i], [&] { automata[i] = automaton_of(characters_of(kind)); });
  return automata[i];
}

}  // namespace weir::engine
