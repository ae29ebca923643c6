// What stands between the `(` of a group and its body.
#ifndef WEIR_SRC_REGEX_SYNTAX_PARSER_GROUP_H_
#define WEIR_SRC_REGEX_SYNTAX_PARSER_GROUP_H_

#include <cstdint>

#include "regex/syntax/scanner.h"
#include "weir/error.h"

namespace weir::regex {

enum class GroupKind : std::uint8_t {
  kPlain,          ///< (...), (?:...), (?<name>...), (?P<name>...), (?i:...)
  kFlags,          ///< (?i): no group; the flags hold to the end of the group around it.
  kLookAhead,      ///< (?=...)
  kNotLookAhead,   ///< (?!...)
  kLookBehind,     ///< (?<=...)
  kNotLookBehind,  ///< (?<!...)
  kAtomic,         ///< (?>...): of the body the first match that is tried.
};

struct GroupHead {
  GroupKind kind = GroupKind::kPlain;
  Flags flags = {};  ///< In the body, or, for kFlags, from here on.
};

/// Precondition: at a `(` that begins no comment. Afterwards at the body, for kFlags behind the `)`.
/// Errors: kSyntax, kUnsupported (atomic groups, recursion, conditionals, ...).
Result<GroupHead> take_group_head(Scanner& scanner, const Flags& flags);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_PARSER_GROUP_H_
