// CharacterRule: which characters a residual takes, and which it rejects, wherever they come in a text.
//
// HOW    find_character_rule() begins with the characters that the root does not reject, follows all their texts, and
//        drops some characters wherever a text gets stuck.
// EXAMPLE  After the opening quote of a JSON string:
//        1. Any string: all but control characters are taken at first. `"` leads to a residual that can end: `"` is
//           dropped. `\` leads into an escape, where most letters are rejected. Either those letters go or the `\`
//           before them. `\` is in fewer tokens (fewest_on_way), so it is dropped. All others lead back to the root.
//           The rule takes tokens of these, rejects control characters, and says nothing of tokens with `"` or `\`,
//           which are walked.
//        2. `[a-z]{0,12}`: `"` and `\` are dropped as above. Each letter leads one residual further; after twelve every
//           one is rejected, so `most` is 12.
//        3. `[a-z]+( [a-z]+)*`: letters are taken. A blank is neither taken, because the root rejects it, nor rejected,
//           because it may come after a letter.
//        4. `[A-Z][a-z]*`: capitals get stuck after the first one. Too few letters are left: there is no rule.
#ifndef WEIR_SRC_ENGINE_ACCELERATORS_CHARACTER_RULE_H_
#define WEIR_SRC_ENGINE_ACCELERATORS_CHARACTER_RULE_H_

#include <cstdint>

#include "engine/accelerators/character_steps.h"
#include "vocab/character_set.h"

namespace weir::engine {

/// What a language does with characters, wherever in a text they come: if a text consists of `taken` characters, at most
/// `most` of them, it is a viable prefix. A text with more of them is not, nor is one with a `rejected` character. Nothing
/// is said of texts with characters that are neither, nor of those with more than `known` characters.
struct CharacterRule {
  static constexpr unsigned kAnyNumber = UINT32_MAX;
  vocab::CharacterSet taken, rejected;
  unsigned most = kAnyNumber;
  unsigned known = kAnyNumber;
};

/// Finds a rule about the root's characters. Returns false if there is none that allows many letters. The residuals that
/// the texts of a rule lead to cannot end.
bool find_character_rule(CharacterSteps& characters, CharacterRule& rule);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_ACCELERATORS_CHARACTER_RULE_H_
