// Group heads: the text from the `(` of a group to its body.
#ifndef WEIR_SRC_REGEX_SYNTAX_PARSER_GROUP_H_
#define WEIR_SRC_REGEX_SYNTAX_PARSER_GROUP_H_

#include <cstdint>

#include "regex/syntax/scanner.h"
#include "weir/error.h"

namespace weir::regex {

enum class GroupKind : std::uint8_t {
  kPlain,          ///< (...), (?:...), (?<name>...), (?P<name>...), (?i:...)
  kFlags,          ///< (?i): sets flags up to the end of the enclosing group; has no body.
  kLookAhead,      ///< (?=...)
  kNotLookAhead,   ///< (?!...)
  kLookBehind,     ///< (?<=...)
  kNotLookBehind,  ///< (?<!...)
  kAtomic,         ///< (?>...): keeps the first match of the body (first_match.h).
};

struct GroupHead {
  GroupKind kind = GroupKind::kPlain;
  Flags flags = {};  ///< The flags in the body or, for kFlags, from here on.
};

/// Parses a group head. Precondition: the scanner is at a `(` that does not begin a comment. Leaves it at the body; for
/// kFlags, after the `)`. Errors: kSyntax, kUnsupported (atomic groups, recursion, conditionals, ...).
Result<GroupHead> take_group_head(Scanner& scanner, const Flags& flags);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_PARSER_GROUP_H_
