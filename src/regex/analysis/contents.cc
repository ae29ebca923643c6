// What the contents of a JSON string are known to include: all texts, or all but finitely many.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/interner.h"
#include "base/work.h"
#include "regex/atoms/atom.h"
#include "regex/expr/expr.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

bool ExprSet::has_cofinite_contents(ExprId e) const { return is_decoder(head(e)) && is_cofinite(operand(head(e))); }

ExprId ExprSet::with_any_contents(ExprId character, ExprId e) {
  const ExprId first = head(e);
  if (!is_decoder(first) || !atom_of(first).decodes_utf8(state_of(first))) return ExprId::kNothing;
  const ExprId content = operand(first);
  // In a string within a string, an escaped quote may be the end of the inner one.
  if (content == ExprId::kAllStrings || is_decoder(head(content))) return ExprId::kNothing;
  const auto with = [&](ExprId any) {
    return concat(atom_of(first).with_operand(*this, state_of(first), any), tail(e));
  };
  if (has_cofinite_contents(e)) return with(ExprId::kAllStrings);
  return continues_any_text(character, e) ? with(repeat(character, 0, kUnbounded)) : ExprId::kNothing;
}

/// Returns true if t·m is known to be a member of `e` for every member m and every text t over `character`.
bool ExprSet::is_closed_under_prefixing(ExprId character, ExprId e, int fuel) const {
  if (fuel == 0) return false;
  e = head(e);
  const Counted n = counted(e);
  switch (kind(e)) {
    case Kind::kAllStrings: return true;
    case Kind::kRepeat: return n.body == character && n.min == 0 && n.max == kUnbounded;
    case Kind::kAlternation:
    case Kind::kIntersection:
      return std::ranges::all_of(operands(e),
                                 [&](ExprId part) { return is_closed_under_prefixing(character, part, fuel - 1); });
    default: return false;
  }
}

bool ExprSet::continues_any_text(ExprId character, ExprId e) {
  const ExprId first = head(e);
  if (is_decoder(first) && !atom_of(first).spelling(state_of(first))) return false;
  const ExprId content = is_decoder(first) ? operand(first) : e;
  const auto known = [&](ExprId residual) {
    const auto it = continues_any_text_.find(static_cast<std::uint32_t>(residual));
    return it == continues_any_text_.end() ? std::nullopt : std::optional(it->second);
  };
  if (const std::optional<bool> answer = known(content)) return *answer;
  // Most searches show it by their form.
  const auto is_search = [&](ExprId part) {
    return has_plain_text(part) && is_closed_under_prefixing(character, part, kPrefixingFuel);
  };
  bool is_true = is_search(content);
  if (kind(content) == Kind::kAlternation) is_true = is_true || std::ranges::any_of(operands(content), is_search);
  if (is_true) return continues_any_text_[static_cast<std::uint32_t>(content)] = true;
  if (has_counts(content)) return false;  // each count would be a residual, and then reject a text
  // A place is the pair of the residuals of `content` and of all texts after the same bytes.
  using Place = std::array<ExprId, 2>;
  const ExprId any_text = repeat(character, 0, kUnbounded);
  base::Interner<Place> places;
  const auto reach = [&](ExprId residual, ExprId text) {
    const Place place{residual, text};
    places.intern({&place, 1});
  };
  reach(content, any_text);
  std::vector<Branch> branches;
  std::vector<Branch> text_branches;
  const std::size_t most_nodes = node_count() + kMaxAnyTextNodes;
  is_true = true;
  for (std::uint32_t i = 0; i < places.size() && is_true; ++i) {
    const Place place = places[i].front();
    if (place[1] == any_text && known(place[0]) == true) continue;
    branches.clear();
    append_branches(place[0], branches);
    text_branches.clear();
    append_branches(place[1], text_branches);
    base::Work::charge(base::Work::kVisit);
    for (const Branch& text : text_branches) {
      ByteSet rejected = text.bytes;
      for (const Branch& branch : branches) {
        if ((branch.bytes & text.bytes).is_empty()) continue;
        rejected &= ~branch.bytes;
        reach(branch.to, text.to);
      }
      is_true = is_true && rejected.is_empty();
    }
    is_true = is_true && places.size() <= kMaxAnyTextResiduals && node_count() <= most_nodes && !base::Work::is_met();
  }
  // No byte is rejected. What is left may still be empty, also if it has members that are not UTF-8.
  for (std::uint32_t i = places.size(); i-- > 0 && is_true;) {
    const auto [residual, text] = places[i].front();
    is_true = text != any_text || has_plain_text(residual) ||
              emptiness(intersection(residual, any_text), kAnyTextFuel) == Emptiness::kNonEmpty;
  }
  if (base::Work::is_met()) return false;  // the answer may be found in another call
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const auto [residual, text] = places[i].front();
    if (i == 0 || (is_true && text == any_text)) continues_any_text_[static_cast<std::uint32_t>(residual)] = is_true;
  }
  return is_true;
}

}  // namespace weir::regex
