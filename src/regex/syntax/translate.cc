#include <algorithm>
#include <vector>

#include "regex/expr/expr.h"
#include "regex/expr/search_bounds.h"
#include "regex/syntax/ast.h"
#include "regex/syntax/parser_error.h"
#include "regex/syntax/syntax.h"

namespace weir::regex {

namespace {

/// Maximum nesting of assertions within assertions.
constexpr std::uint32_t kAssertionNesting = 50;

class Translator {
 public:
  Translator(ExprSet& exprs, const Limits& limits) : exprs_(exprs), levels_(std::min(limits.nesting, kAstLevels)) {}

  /// Returns `ast` as an expression with assertions.
  Result<ExprId> translate(const Ast& ast, std::uint32_t level, std::uint32_t assertions);

 private:
  ExprId combine(const Ast& ast, std::span<const ExprId> parts);

  ExprSet& exprs_;
  std::uint32_t levels_;
};

Result<ExprId> Translator::translate(const Ast& ast, std::uint32_t level, std::uint32_t assertions) {
  if (ast.kind == Ast::Kind::kExpr) return ast.expr;
  if (ast.kind >= Ast::Kind::kLookAhead) ++assertions;
  if (level > levels_ || assertions > kAssertionNesting)
    return limit_error({}, "look-around is nested too deeply", "nesting");
  std::vector<ExprId> parts;
  parts.reserve(ast.children.size());
  for (const Ast& child : ast.children) {
    Result<ExprId> part = translate(child, level + 1, assertions);
    if (!part) return part;
    parts.push_back(*part);
  }
  return combine(ast, parts);
}

ExprId Translator::combine(const Ast& ast, std::span<const ExprId> parts) {
  switch (ast.kind) {
    case Ast::Kind::kExpr: break;
    case Ast::Kind::kConcat: return exprs_.sequence(parts);
    case Ast::Kind::kAlternation: return exprs_.alternation(parts);
    case Ast::Kind::kRepeat: return exprs_.repeat(parts[0], ast.min, ast.max);
    case Ast::Kind::kLookAhead: return exprs_.assertion(Look::kAhead, parts[0]);
    case Ast::Kind::kNotLookAhead: return exprs_.assertion(Look::kNotAhead, parts[0]);
    case Ast::Kind::kLookBehind: return exprs_.assertion(Look::kBehind, parts[0]);
    case Ast::Kind::kNotLookBehind: return exprs_.assertion(Look::kNotBehind, parts[0]);
  }
  return ast.expr;
}

}  // namespace

Result<ExprId> translate(ExprSet& exprs, const Ast& ast, const Limits& limits) {
  const Result<ExprId> e = Translator(exprs, limits).translate(ast, 0, 0);
  if (!e) return e;
  const ExprId language = exprs.whole_text(*e);
  if (language != ExprId::kOverflow) return language;
  return tl::unexpected(overflow_error(exprs, {}));
}

// From an expression with assertions to the language of the texts that it matches from end to end.
//
// For most assertions, the part of the pattern between the assertion and one end of the text is plain, i.e. without
// assertions. Then the assertion is an operation on languages. With P before the assertion and k after it:
//   P (?=A) k = P ((A·Σ*) & k)  for a plain k        P (?<=A) k = (P & Σ*·A) k  for a plain P
// An alternation in such a place is split into its branches, each between the same P and k.
//
// Anywhere, also in a repeat, an assertion that looks no farther than the plain expression r beside it joins with r:
//   r (?<=A) = r & Σ*·A, if the longest member of A is at most as long as the shortest member of r
//
// For all other assertions, a context node (context.cc) is created.

class ExprSet::TextForm {
 public:
  explicit TextForm(ExprSet& set) : s_(set) {}

  /// Returns the texts before·e·after, for languages `before` and `after`; nullopt if that needs a context.
  std::optional<ExprId> solve(ExprId before, ExprId e, ExprId after);

 private:
  [[nodiscard]] bool is_choice(ExprId e) const {
    const Node& n = s_.node(e);
    return n.kind == Kind::kAlternation || (n.kind == Kind::kRepeat && n.b == 0 && n.c == 1);
  }
  std::optional<ExprId> solve_choice(ExprId before, ExprId first, ExprId choice, ExprId last, ExprId after);

  ExprSet& s_;
  int branches_ = 0;
};

std::optional<ExprId> ExprSet::TextForm::solve(ExprId before, ExprId e, ExprId after) {
  std::vector<ExprId> elements;
  for (; s_.kind(e) == Kind::kConcat; e = s_.tail(e)) elements.push_back(s_.head(e));
  elements.push_back(e);
  std::size_t first = 0;
  std::size_t end = elements.size();
  ExprId around = ExprId::kAllStrings;  // a language that the whole text must also be in
  while (first < end) {
    const ExprId x = elements[first];
    const ExprId y = elements[end - 1];
    if (!s_.has_assertions(x)) {
      before = s_.concat(before, x);
      ++first;
    } else if (!s_.has_assertions(y)) {
      after = s_.concat(y, after);
      --end;
    } else if (s_.is_plain_look(x, true)) {
      before = s_.intersection(before, s_.plain_demand(x));
      ++first;
    } else if (s_.is_plain_look(y, false)) {
      after = s_.intersection(after, s_.plain_demand(y));
      --end;
    } else if (before == ExprId::kEpsilon && s_.is_plain_look(x, false)) {
      around = s_.intersection(around, s_.plain_demand(x));
      ++first;
    } else if (after == ExprId::kEpsilon && s_.is_plain_look(y, true)) {
      around = s_.intersection(around, s_.plain_demand(y));
      --end;
    } else {
      break;
    }
  }
  if (first == end) return s_.intersection(around, s_.concat(before, after));
  const auto rest = [&](std::size_t from, std::size_t to) {
    return s_.concat(std::span<const ExprId>(elements).subspan(from, to - from));
  };
  std::optional<ExprId> result;
  if (is_choice(elements[first])) {
    result = solve_choice(before, ExprId::kEpsilon, elements[first], rest(first + 1, end), after);
  } else if (is_choice(elements[end - 1])) {
    result = solve_choice(before, rest(first, end - 1), elements[end - 1], ExprId::kEpsilon, after);
  }
  if (!result) return std::nullopt;
  return s_.intersection(around, *result);
}

std::optional<ExprId> ExprSet::TextForm::solve_choice(ExprId before, ExprId first, ExprId choice, ExprId last,
                                                      ExprId after) {
  const Node n = s_.node(choice);
  std::vector<ExprId> plain;
  std::vector<ExprId> branches;
  if (n.kind == Kind::kRepeat) {
    plain.push_back(ExprId::kEpsilon);
    branches.push_back(ExprId{n.a});
  } else {
    for (std::uint32_t i = 0; i < n.b; ++i) {
      const ExprId x = s_.child(n, i);
      (s_.has_assertions(x) ? branches : plain).push_back(x);
    }
  }
  if (!plain.empty()) branches.push_back(s_.alternation(plain));
  std::vector<ExprId> languages;
  for (ExprId branch : branches) {
    if (++branches_ > kMaxLookBranches) return std::nullopt;
    const std::optional<ExprId> language = solve(before, s_.concat(first, s_.concat(branch, last)), after);
    if (!language) return std::nullopt;
    languages.push_back(*language);
  }
  return s_.alternation(languages);
}

/// Returns true if `e` is a look-behind (if `after`) or look-ahead whose body has no assertions.
bool ExprSet::is_plain_look(ExprId e, bool after) const {
  return kind(e) == Kind::kLook && (node(e).b >= static_cast<std::uint32_t>(Look::kBehind)) == after &&
         kind(operand(e)) != Kind::kTracker && !has_assertions(operand(e));
}

/// Returns the language that a look-ahead requires of the text after its position, a look-behind of the text before it.
ExprId ExprSet::plain_demand(ExprId look) {
  return (node(look).b & 1) != 0 ? complement(operand(look)) : operand(look);
}

/// Returns the maximum number of bytes before or after its position that a plain assertion depends on; kUnbounded if
/// there is none or it is not known.
std::uint32_t ExprSet::reach(ExprId look) const {
  const bool after = is_plain_look(look, true);
  std::uint64_t length = 0;
  bool is_open = false;  // has the form Σ*·body or body·Σ*; Σ* may be joined with some Σ of the body into Σ{n,}
  std::size_t i = 0;
  for (ExprId e = operand(look); e != ExprId::kEpsilon; e = tail(e), ++i) {
    const Counted c = counted(head(e));
    const bool is_outer = (after ? i == 0 : kind(e) != Kind::kConcat) && c.body == any_byte_ && c.max == kUnbounded;
    is_open |= is_outer;
    length += is_outer ? c.min : max_length(head(e));
    if (i == kMaxLookBody || length >= kUnbounded) return kUnbounded;
  }
  return is_open ? static_cast<std::uint32_t>(length) : kUnbounded;
}

/// Joins plain look-behinds (or look-aheads) among `parts` with the plain parts before them, if they do not look
/// farther. `parts` are in text order for look-behinds, reversed for look-aheads.
void ExprSet::join_looks(std::vector<ExprId>& parts, bool after) {
  std::vector<ExprId> done;
  for (ExprId part : parts) {
    done.push_back(part);
    if (!is_plain_look(part, after)) continue;
    const std::uint32_t needed = reach(part);
    std::uint64_t length = 0;
    std::size_t first = done.size() - 1;
    while (length < needed && first > 0 && !has_assertions(done[first - 1])) length += min_length(done[--first]);
    if (length < needed || needed == kUnbounded) continue;
    done.pop_back();
    std::vector<ExprId> neighbours(done.begin() + static_cast<std::ptrdiff_t>(first), done.end());
    if (!after) std::ranges::reverse(neighbours);
    done.resize(first);
    done.push_back(intersection(concat(neighbours), plain_demand(part)));
  }
  parts = std::move(done);
}

ExprId ExprSet::sequence(std::span<const ExprId> parts) {
  std::vector<ExprId> joined(parts.begin(), parts.end());
  join_looks(joined, true);
  std::ranges::reverse(joined);
  join_looks(joined, false);
  std::ranges::reverse(joined);
  return concat(joined);
}

ExprId ExprSet::whole_text(ExprId e) {
  if (!has_assertions(e)) return e;
  const std::optional<ExprId> language = TextForm(*this).solve(ExprId::kEpsilon, e, ExprId::kEpsilon);
  return language ? *language : close(e);
}

}  // namespace weir::regex
