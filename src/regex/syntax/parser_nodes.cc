#include "regex/syntax/parser_nodes.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "regex/expr/expr.h"
#include "regex/syntax/parser_error.h"
#include "regex/syntax/parser_group.h"
#include "regex/syntax/parser_quantifier.h"

namespace weir::regex {

using Kind = Node::Kind;

/// Adds a node with `children` and the range `where`. For kinds that join several children: the range is that of the
/// children; a single child is returned itself; without children, adds the empty literal at `where`.
NodeId TreeBuilder::add_parent(Kind kind, std::span<const NodeId> children, SourceRange where) {
  const bool joins = kind == Kind::kConcat || kind == Kind::kAlternation || kind == Kind::kIntersection;
  if (joins && children.empty()) return add_literal({}, where);
  if (joins && children.size() == 1) return children[0];
  if (joins) where = {tree_[children.front()].where.start, tree_[children.back()].where.end};
  const auto begin = static_cast<std::uint32_t>(tree_.children.size());
  tree_.children.insert(tree_.children.end(), children.begin(), children.end());
  return add({.kind = kind, .begin = begin, .size = static_cast<std::uint32_t>(children.size()), .where = where});
}

NodeId TreeBuilder::add_literal(std::string_view bytes, SourceRange where) {
  const auto begin = static_cast<std::uint32_t>(tree_.text.size());
  tree_.text += bytes;
  return add(
      {.kind = Kind::kLiteral, .begin = begin, .size = static_cast<std::uint32_t>(bytes.size()), .where = where});
}

NodeId TreeBuilder::add_repeat(NodeId body, std::uint32_t min, std::uint32_t max, SourceRange where) {
  const NodeId node = add_parent(Kind::kRepeat, {{body}}, where);
  tree_.nodes.back().min = min;
  tree_.nodes.back().max = max;
  return node;
}

/// Adds the subtree for `\R`. It never splits CR LF: a CR by itself must not be followed by LF.
NodeId TreeBuilder::add_line_break(SourceRange where) {
  const NodeId both = add_literal("\r\n", where);
  const NodeId feed = add_parent(Kind::kNotLookAhead, {{add_literal("\n", where)}}, where);
  const NodeId carriage = add_parent(Kind::kConcat, {{add_literal("\r", where), feed}}, where);
  const CodePointSet others =
      CodePointSet::range('\n', '\f') | CodePointSet::of(0x85) | CodePointSet::range(0x2028, 0x2029);
  return add_parent(Kind::kAlternation, {{both, carriage, add_class(others, where)}}, where);
}

/// Adds the subtree for a line start that is not after a final line feed: the beginning of the text, or after a line
/// feed that is not the last character.
NodeId TreeBuilder::add_inner_line_start(SourceRange where) {
  const NodeId begin = add({.kind = Kind::kTextStart, .where = where});
  const NodeId after = add_parent(Kind::kLookBehind, {{add_literal("\n", where)}}, where);
  const NodeId more = add_parent(Kind::kLookAhead, {{add_class(CodePointSet::all(), where)}}, where);
  const NodeId inner = add_parent(Kind::kConcat, {{after, more}}, where);
  return add_parent(Kind::kAlternation, {{begin, inner}}, where);
}

NodeId TreeBuilder::add_class(CodePointSet set, SourceRange where, Kind kind) {
  return add({.kind = kind, .cls = class_id(std::move(set)), .where = where});
}

/// Equal classes are stored once.
ClassId TreeBuilder::class_id(CodePointSet set) {
  std::uint64_t hash = 0;
  for (const CodePointRange& range : set.ranges()) hash = base::hash_mix(base::hash_mix(hash, range.first), range.last);
  const auto [begin, end] = class_ids_.equal_range(hash);
  for (auto known = begin; known != end; ++known) {
    if (tree_.classes[static_cast<std::size_t>(known->second)] == set) return known->second;
  }
  const ClassId id{static_cast<std::uint32_t>(tree_.classes.size())};
  class_ranges_ += set.ranges().size();
  tree_.classes.push_back(std::move(set));
  class_ids_.emplace(hash, id);
  return id;
}

namespace {

/// Constructs of other dialects that are refused, by their opening text.
struct Refused {
  std::string_view opening;
  const char* message;
  const char* hint;
  bool to_parenthesis;  ///< True if the construct ends at the next `)`; the error's range then covers all of it.
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

/// Parses the name of a group, up to and including the closing character.
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
                      join({"add `", std::string(1, close), "` after the name"}));
}

/// Parses flags such as `i`, `-s` and `im-sx`, up to and including the `:` or `)`.
Result<GroupHead> take_flags(Scanner& scanner, std::size_t start, Flags flags) {
  bool value = true;
  bool any = false;
  bool reset = false;  // by `^`, after which PCRE2 takes no `-`
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
    if (c == '-' && value && !reset) {
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
      any = reset = true;
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

/// Returns the number of bytes of a call of a group by number, such as `(?1)`, `(?+1)` and `(?-1)`; 0 if there is none.
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

namespace {

/// Returns the value of a bound. `at` is the position of its digits.
Result<std::uint32_t> bound(std::string_view digits, std::size_t at, const Limits& limits) {
  std::uint64_t value = 0;
  for (char c : digits) value = std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(c - '0'), kUnbounded);
  if (value <= limits.repeat_count && value < kUnbounded) return static_cast<std::uint32_t>(value);
  return limit_error({at, at + digits.size()},
                     join({"the repeat count is larger than ", std::to_string(limits.repeat_count)}), "repeat_count");
}

/// Parses `{m}`, `{m,}` or `{m,n}`. Returns nullopt and does not move if the brace is a character.
Result<std::optional<Quantifier>> take_braces(Scanner& scanner, const Limits& limits) {
  const std::size_t start = scanner.pos();
  const std::string_view text = scanner.rest();
  std::size_t i = 1;
  bool foreign = false;  // has blanks: dialects differ on whether it is a quantifier
  const auto skip_blanks = [&] {
    for (; scanner.is(' ', i) || scanner.is('\t', i); ++i) foreign = true;
  };
  const auto digits = [&] {
    skip_blanks();
    const std::size_t first = i;
    while (is_digit(scanner.byte(i))) ++i;
    const std::string_view found = text.substr(first, i - first);
    skip_blanks();
    return found;
  };
  const std::string_view least = digits();
  const bool comma = scanner.is(',', i);
  if (comma) ++i;
  const std::string_view most = comma ? digits() : least;
  const OddBraces odd = scanner.rules().odd_braces;
  const bool may_lack_both = comma && odd == OddBraces::kNoMinimum;
  if ((least.empty() && most.empty() && !may_lack_both) || !scanner.is('}', i)) return std::nullopt;
  ++i;
  const SourceRange where = {start, start + i};
  if (odd == OddBraces::kNoMinimum && foreign) return std::nullopt;
  if (odd != OddBraces::kNoMinimum && (foreign || least.empty())) {
    if (odd == OddBraces::kCharacters) return std::nullopt;
    const std::string bounds = join({least.empty() ? "0" : least, comma ? "," : "", comma ? most : ""});
    return syntax_error(where, "dialects differ on whether this is a quantifier",
                        join({"write `{", base::escape_for_display(bounds), "}`, or `\\{` for the brace itself"}));
  }
  const auto offset = [&](std::string_view part) {
    return start + static_cast<std::size_t>(part.data() - text.data());
  };
  const auto min = least.empty() ? Result<std::uint32_t>(0) : bound(least, offset(least), limits);
  if (!min) return tl::unexpected(min.error());
  const auto max = most.empty() ? Result<std::uint32_t>(kUnbounded) : bound(most, offset(most), limits);
  if (!max) return tl::unexpected(max.error());
  if (*min > *max) {
    return syntax_error(where, "the bounds are out of order",
                        join({"write `{", std::to_string(*max), ",", std::to_string(*min), "}`"}));
  }
  scanner.advance(i);
  return Quantifier{*min, *max};
}

}  // namespace

Result<std::optional<Quantifier>> take_quantifier(Scanner& scanner, const Limits& limits) {
  const std::size_t start = scanner.pos();
  std::optional<Quantifier> quantifier;
  if (scanner.take('*')) {
    quantifier = Quantifier{0, kUnbounded};
  } else if (scanner.take('+')) {
    quantifier = Quantifier{1, kUnbounded};
  } else if (scanner.take('?')) {
    quantifier = Quantifier{0, 1};
  } else if (scanner.is('{')) {
    auto braces = take_braces(scanner, limits);
    if (!braces) return braces;
    quantifier = *braces;
  }
  if (!quantifier) return std::nullopt;
  if (!scanner.rules().stacked_quantifiers && scanner.take('+')) {
    quantifier->possessive = scanner.rules().possessive;
    if (quantifier->possessive) return quantifier;
    return unsupported_error(scanner.since(start),
                             join({"the possessive quantifier `", scanner.text_since(start),
                                   "` is not supported: it depends on the order in which a matcher tries"}),
                             "remove the last `+`");
  }
  quantifier->question = scanner.take('?');  // changes the language only within atomic groups
  return quantifier;
}

}  // namespace weir::regex
