#include "regex/parser_group.h"

#include <string_view>

namespace weir::regex {

namespace {

/// Constructs of other dialects that no language can express, by their opening text.
struct Refused {
  std::string_view opening;
  const char* message;
  const char* hint;
  bool to_parenthesis;  ///< Whether the construct ends at the next `)`, so that the error can point at all of it.
};
constexpr Refused kRefused[] = {
    {"(?>", "atomic groups are not supported: they depend on the order in which a matcher tries", "write `(?:...)`",
     false},
    {"(?|", "branch-reset groups are not supported", "write `(?:...)`", false},
    {"(?(", "conditionals are not supported", "write the cases as alternatives", false},
    {"(?R", "recursion is not supported in a pattern: it is not regular", "write a grammar", true},
    {"(?&", "calls of a group are not supported: recursion is not regular", "write a grammar", true},
    {"(?P>", "calls of a group are not supported: recursion is not regular", "write a grammar", true},
    {"(?P=", "back-references are not supported: they are not regular", "", true},
    {"(?C", "callouts are not supported", "", true},
    {"(?{", "code in a pattern is not supported", "", false},
    {"(??{", "code in a pattern is not supported", "", false},
};

Result<GroupHead> refuse(Scanner& scanner, std::size_t start, const Refused& refused) {
  scanner.advance(refused.opening.size());
  if (refused.to_parenthesis) {
    const std::size_t end = scanner.rest().find(')');
    if (end != std::string_view::npos) scanner.advance(end + 1);
  }
  return unsupported_error(scanner.since(start), refused.message, refused.hint);
}

/// At the name of a group, up to and including what closes it.
Result<void> take_name(Scanner& scanner, std::size_t start, char close) {
  const std::size_t first = scanner.pos();
  while (!scanner.at_end()) {
    const std::size_t at = scanner.pos();
    if (scanner.take(close)) {
      if (at > first) return {};
      return syntax_error(scanner.since(start), "the group's name is empty", "for a group without a name write `(?:`");
    }
    const auto code_point = scanner.take_code_point();
    if (!code_point) return tl::unexpected(code_point.error());
    if (at == first ? !is_name_start(*code_point) : !is_name_part(*code_point)) {
      return syntax_error(
          scanner.since(at), join({"`", scanner.text_since(at), "` cannot stand here in a group's name"}),
          join({"a name is made of letters, digits and `_`, does not begin with a digit, and ends with `",
                std::string(1, close), "`"}));
    }
  }
  return syntax_error(scanner.since(start), "the group's name is not closed",
                      join({"add `", std::string(1, close), "` behind the name"}));
}

/// `i`, `-s`, `im-sx`, ... up to and including the `:` or `)`.
Result<GroupHead> take_flags(Scanner& scanner, std::size_t start, Flags flags) {
  bool value = true;
  bool any = false;
  while (!scanner.at_end()) {
    const std::size_t at = scanner.pos();
    const char c = scanner.byte();
    if (c == ':' || c == ')') {
      scanner.advance(1);
      if (any) return GroupHead{c == ':' ? GroupKind::kPlain : GroupKind::kFlags, flags};
      return syntax_error(scanner.since(start), join({"flags are expected between `(?` and `", std::string(1, c), "`"}),
                          "the flags are i, m, s, u and x");
    }
    if (auto taken = scanner.take_code_point(); !taken) return tl::unexpected(taken.error());
    if (c == '-' && value) {
      value = false;
      any = false;
      continue;
    }
    const DialectRules& rules = scanner.rules();
    if (std::string_view(rules.idle_flags).find(c) != std::string_view::npos) {
      any = true;
      continue;
    }
    if (rules.ascii_flag && value && c == 'a') {
      flags.unicode = false;
      any = true;
      continue;
    }
    if (rules.perl_groups && c == '^' && at == start + 2) {
      flags.ignore_case = flags.multi_line = flags.dot_all = flags.extended = false;
      any = true;
      continue;
    }
    if (rules.perl_groups && c == 'x' && scanner.is('x')) {
      scanner.advance(1);
      return unsupported_error(scanner.since(at), "flag xx, which leaves blanks out in classes, too, is not supported",
                               "write `x`, and leave the blanks in classes out");
    }
    bool* const flag = c == 'i'                        ? &flags.ignore_case
                       : c == 'm'                      ? &flags.multi_line
                       : c == 's'                      ? &flags.dot_all
                       : c == 'u'                      ? &flags.unicode
                       : c == 'x'                      ? &flags.extended
                       : c == 'U' && rules.perl_groups ? &flags.ungreedy
                                                       : nullptr;
    if (flag == nullptr) {
      return syntax_error(scanner.since(at), join({"unknown flag `", scanner.text_since(at), "`"}),
                          "the flags are i, m, s, u and x");
    }
    *flag = value;
    any = true;
  }
  return syntax_error(scanner.since(start), "the flags are not closed", "add `)`, or `:` and a body");
}

/// `(?1)`, `(?+1)`, `(?-1)`: the bytes of the call of a group by number; 0 when there is none.
std::size_t call_by_number(const Scanner& scanner) {
  std::size_t i = 2;
  if (scanner.is('+', i) || scanner.is('-', i)) ++i;
  const std::size_t first = i;
  while (is_digit(scanner.byte(i))) ++i;
  if (i == first) return 0;
  return scanner.is(')', i) ? i + 1 : i;
}

}  // namespace

Result<GroupHead> take_group_head(Scanner& scanner, const Flags& flags) {
  const std::size_t start = scanner.pos();
  if (scanner.is("(*") && is_letter(scanner.byte(2))) {
    return refuse(scanner, start, {"(*", "verbs, `(*...)`, are not supported", "for a star write `\\*`", true});
  }
  if (!scanner.is("(?")) {
    scanner.advance(1);
    return GroupHead{GroupKind::kPlain, flags};
  }
  const DialectRules& rules = scanner.rules();
  if (rules.possessive && scanner.take("(?>")) return GroupHead{GroupKind::kAtomic, flags};
  if (rules.perl_groups && scanner.take("(?|")) return GroupHead{GroupKind::kPlain, flags};
  for (const Refused& refused : kRefused) {
    if (scanner.is(refused.opening)) return refuse(scanner, start, refused);
  }
  if (const std::size_t size = call_by_number(scanner); size != 0) {
    scanner.advance(size);
    return unsupported_error(scanner.since(start), "calls of a group are not supported: recursion is not regular",
                             "write a grammar");
  }
  if (scanner.take("(?:")) return GroupHead{GroupKind::kPlain, flags};
  if (scanner.take("(?=")) return GroupHead{GroupKind::kLookAhead, flags};
  if (scanner.take("(?!")) return GroupHead{GroupKind::kNotLookAhead, flags};
  if (scanner.take("(?<=")) return GroupHead{GroupKind::kLookBehind, flags};
  if (scanner.take("(?<!")) return GroupHead{GroupKind::kNotLookBehind, flags};
  const bool is_quoted = rules.perl_groups && scanner.take("(?'");
  if (is_quoted || scanner.take("(?<") || scanner.take("(?P<")) {
    if (auto name = take_name(scanner, start, is_quoted ? '\'' : '>'); !name) return tl::unexpected(name.error());
    return GroupHead{GroupKind::kPlain, flags};
  }
  if (scanner.is("(?'") || scanner.is("(?P")) {
    scanner.advance(3);
    return syntax_error(scanner.since(start), join({"unknown kind of group `", scanner.text_since(start), "`"}),
                        "for a group with a name write `(?<name>...)`");
  }
  scanner.advance(2);
  return take_flags(scanner, start, flags);
}

}  // namespace weir::regex
