#include "engine/accelerators/character_steps.h"

#include <array>
#include <utility>

#include "engine/residuals/character_automaton.h"
#include "engine/search_bounds.h"

namespace weir::engine {

using vocab::CharacterKind;
using vocab::CharacterSet;

void CharacterSteps::step_by_character(std::uint32_t residual) {
  Uniform uniform{usual_next(residual)};
  for_each_ascii([&](std::uint8_t byte) {
    const std::uint32_t next = step(residual, byte);
    if (next == kDead) {
      uniform.dead.add(vocab::kind_of_ascii(byte));
    } else if (next == uniform.next) {
      uniform.characters.add(vocab::kind_of_ascii(byte));
    }
  });
  // All characters beyond ASCII are looked at together first: most expressions take all of them, or none.
  if (uniform.next == kDead) uniform.known = beyond_ascii();
  uniform.dead |= beyond_ascii();
  CharacterSet alive;
  for (unsigned lead = 0xC2; lead <= 0xF4; ++lead) {
    if (step(residual, static_cast<std::uint8_t>(lead)) == kDead) continue;
    alive.add(vocab::kind_of_lead(static_cast<std::uint8_t>(lead)));
    alive.add(CharacterKind::kWideSpace);
  }
  uniform.dead.remove_all(alive);
  of(residual) = uniform;
}

// Finds out which of the kinds beyond ASCII lead to Uniform::next.
void CharacterSteps::look_beyond(std::uint32_t residual, const CharacterSet& asked) {
  const auto leads_on = [&](const std::vector<std::uint32_t>& after) {
    return after.size() == 1 && after[0] == of(residual).next;
  };
  if (of(residual).known.is_empty() && leads_on(after_kind(residual, CharacterKind::kOther))) {
    of(residual).known = beyond_ascii();
    of(residual).characters |= beyond_ascii();
    return;
  }
  for (const CharacterKind kind : kBeyond) {
    if (!asked.contains(kind)) continue;
    const bool is_uniform = !of(residual).dead.contains(kind) && leads_on(after_kind(residual, kind));
    Uniform& u = of(residual);
    u.known.add(kind);
    if (is_uniform) u.characters.add(kind);
  }
}

const CharacterSteps::Uniform& CharacterSteps::uniform(std::uint32_t residual, const CharacterSet& characters) {
  if (of(residual).next == kUnknown) step_by_character(residual);
  CharacterSet asked = characters;
  asked.keep_only(beyond_ascii());
  asked.remove_all(of(residual).known);
  if (!asked.is_empty()) look_beyond(residual, asked);
  return of(residual);
}

// Follows the chain of `Uniform::next` for as many characters as the texts of the subtree have. Analyses at most one new
// residual: an analysis must not cost more than a walk, which then makes some of the others known.
bool CharacterSteps::runs_through(std::uint32_t residual, const CharacterSet& characters, unsigned max_characters) {
  bool has_analysed = false;
  for (unsigned count = max_characters; count > 0; --count) {
    if (of(residual).next == kUnknown && std::exchange(has_analysed, true)) return false;
    const Uniform& u = uniform(residual, characters);
    if (!u.characters.contains_all(characters)) return false;
    if (u.next == residual) return true;
    residual = u.next;
  }
  return max_characters < vocab::kManyCharacters;
}

std::uint32_t CharacterSteps::usual_loop(std::uint32_t residual) {
  const std::uint32_t usual = usual_next(residual);
  if (usual == kDead) return kDead;
  const Uniform& u = uniform(usual, {});
  return u.next == usual && u.characters.size() >= kMinUsualCharacters ? usual : kDead;
}

const std::vector<std::uint32_t>& CharacterSteps::after_kind(std::uint32_t residual, CharacterKind kind) {
  after_is_exact_ = list_after_kind(
      kind, residual, [this](std::uint32_t from, std::uint8_t byte) { return step(from, byte); }, after_);
  if (!after_is_exact_) after_.assign(1, kDead);
  return after_;
}

// Returns the residual that the most printable ASCII characters lead to; kDead if all lead nowhere.
std::uint32_t CharacterSteps::usual_next(std::uint32_t residual) {
  struct Count {
    std::uint32_t next;
    unsigned count;
  };
  std::array<Count, 0x5F> counts;
  std::size_t size = 0;  // usually two or three
  for (unsigned byte = 0x20; byte < 0x7F; ++byte) {
    const std::uint32_t next = step(residual, static_cast<std::uint8_t>(byte));
    std::size_t i = 0;
    while (i < size && counts[i].next != next) ++i;
    if (i == size) counts[size++] = {next, 0};
    ++counts[i].count;
  }
  Count usual{kDead, 0};
  for (std::size_t i = 0; i < size; ++i) {
    if (counts[i].next != kDead && counts[i].count > usual.count) usual = counts[i];
  }
  return usual.next;
}

}  // namespace weir::engine
