#include "regex/syntax/assertions.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "regex/expr/search_bounds.h"

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

namespace weir::regex {

namespace {

/// Returns true if `e` is a look-behind (if `after`) or look-ahead whose body has no assertions.
bool is_plain_look(const ExprSet& exprs, ExprId e, bool after) {
  return exprs.kind(e) == ExprKind::kLook && (exprs.look(e) >= Look::kBehind) == after &&
         exprs.kind(exprs.operand(e)) != ExprKind::kTracker && !exprs.has_assertions(exprs.operand(e));
}

/// Returns the language that a look-ahead requires of the text after its position, a look-behind of the text before it.
ExprId plain_demand(ExprSet& exprs, ExprId look) {
  const Look kind = exprs.look(look);
  const bool is_negated = kind == Look::kNotAhead || kind == Look::kNotBehind;
  return is_negated ? exprs.complement(exprs.operand(look)) : exprs.operand(look);
}

class TextForm {
 public:
  explicit TextForm(ExprSet& set) : s_(set) {}

  /// Returns the texts before·e·after, for languages `before` and `after`; nullopt if that needs a context.
  std::optional<ExprId> solve(ExprId before, ExprId e, ExprId after);

 private:
  [[nodiscard]] bool is_choice(ExprId e) const {
    const ExprSet::Counted n = s_.counted(e);
    return s_.kind(e) == ExprKind::kAlternation || (s_.kind(e) == ExprKind::kRepeat && n.min == 0 && n.max == 1);
  }
  std::optional<ExprId> solve_choice(ExprId before, ExprId first, ExprId choice, ExprId last, ExprId after);

  ExprSet& s_;
  int branches_ = 0;
};

std::optional<ExprId> TextForm::solve(ExprId before, ExprId e, ExprId after) {
  std::vector<ExprId> elements;
  for (; s_.kind(e) == ExprKind::kConcat; e = s_.tail(e)) elements.push_back(s_.head(e));
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
    } else if (is_plain_look(s_, x, true)) {
      before = s_.intersection(before, plain_demand(s_, x));
      ++first;
    } else if (is_plain_look(s_, y, false)) {
      after = s_.intersection(after, plain_demand(s_, y));
      --end;
    } else if (before == ExprId::kEpsilon && is_plain_look(s_, x, false)) {
      around = s_.intersection(around, plain_demand(s_, x));
      ++first;
    } else if (after == ExprId::kEpsilon && is_plain_look(s_, y, true)) {
      around = s_.intersection(around, plain_demand(s_, y));
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

std::optional<ExprId> TextForm::solve_choice(ExprId before, ExprId first, ExprId choice, ExprId last, ExprId after) {
  std::vector<ExprId> plain;
  std::vector<ExprId> branches;
  if (s_.kind(choice) == ExprKind::kRepeat) {
    plain.push_back(ExprId::kEpsilon);
    branches.push_back(s_.operand(choice));
  } else {
    for (const ExprId x : s_.operands(choice)) {
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

/// Returns the maximum number of bytes before or after its position that a plain assertion depends on; kUnbounded if
/// there is none or it is not known.
std::uint32_t reach(const ExprSet& exprs, ExprId look) {
  const bool after = is_plain_look(exprs, look, true);
  std::uint64_t length = 0;
  bool is_open = false;  // has the form Σ*·body or body·Σ*; Σ* may be joined with some Σ of the body into Σ{n,}
  std::size_t i = 0;
  for (ExprId e = exprs.operand(look); e != ExprId::kEpsilon; e = exprs.tail(e), ++i) {
    const ExprSet::Counted c = exprs.counted(exprs.head(e));
    const bool is_outer =
        (after ? i == 0 : exprs.kind(e) != ExprKind::kConcat) && c.body == exprs.any_byte() && c.max == kUnbounded;
    is_open |= is_outer;
    length += is_outer ? c.min : exprs.max_length(exprs.head(e));
    if (i == kMaxLookBody || length >= kUnbounded) return kUnbounded;
  }
  return is_open ? static_cast<std::uint32_t>(length) : kUnbounded;
}

/// Joins plain look-behinds (or look-aheads) among `parts` with the plain parts before them, if they do not look
/// farther. `parts` are in text order for look-behinds, reversed for look-aheads.
void join_looks(ExprSet& exprs, std::vector<ExprId>& parts, bool after) {
  std::vector<ExprId> done;
  for (ExprId part : parts) {
    done.push_back(part);
    if (!is_plain_look(exprs, part, after)) continue;
    const std::uint32_t needed = reach(exprs, part);
    std::uint64_t length = 0;
    std::size_t first = done.size() - 1;
    while (length < needed && first > 0 && !exprs.has_assertions(done[first - 1]))
      length += exprs.min_length(done[--first]);
    if (length < needed || needed == kUnbounded) continue;
    done.pop_back();
    std::vector<ExprId> neighbours(done.begin() + static_cast<std::ptrdiff_t>(first), done.end());
    if (!after) std::ranges::reverse(neighbours);
    done.resize(first);
    done.push_back(exprs.intersection(exprs.concat(neighbours), plain_demand(exprs, part)));
  }
  parts = std::move(done);
}

}  // namespace

ExprId sequence(ExprSet& exprs, std::span<const ExprId> parts) {
  std::vector<ExprId> joined(parts.begin(), parts.end());
  join_looks(exprs, joined, true);
  std::ranges::reverse(joined);
  join_looks(exprs, joined, false);
  std::ranges::reverse(joined);
  return exprs.concat(joined);
}

ExprId whole_text(ExprSet& exprs, ExprId e) {
  if (!exprs.has_assertions(e)) return e;
  const std::optional<ExprId> language = TextForm(exprs).solve(ExprId::kEpsilon, e, ExprId::kEpsilon);
  return language ? *language : exprs.context(e);
}

}  // namespace weir::regex
