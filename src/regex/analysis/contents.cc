#include "regex/analysis/contents.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/interner.h"
#include "base/replaceable.h"
#include "base/work.h"
#include "regex/analysis/members.h"
#include "regex/atoms/atom.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

namespace {

/// Returns true if t·m is known to be a member of `e` for every member m and every text t over `character`.
bool is_closed_under_prefixing(const ExprSet& exprs, ExprId character, ExprId e, int fuel) {
  if (fuel == 0) return false;
  e = exprs.head(e);
  const ExprSet::Counted n = exprs.counted(e);
  switch (exprs.kind(e)) {
    case ExprKind::kAllStrings: return true;
    case ExprKind::kRepeat: return n.body == character && n.min == 0 && n.max == kUnbounded;
    case ExprKind::kAlternation:
    case ExprKind::kIntersection:
      return std::ranges::all_of(
          exprs.operands(e), [&](ExprId part) { return is_closed_under_prefixing(exprs, character, part, fuel - 1); });
    default: return false;
  }
}

/// Counts the texts of ASCII characters with which a member begins that is known to be UTF-8, by their length and their
/// residual. A residual that leads to itself shows that there are infinitely many. kFew may also mean unknown.
TextCount count_texts(ExprSet& exprs, ExprId e) {
  auto& memo = exprs.memo().text_counts;
  if (const auto known = memo.find(static_cast<std::uint32_t>(e)); known != memo.end()) return known->second;
  const ByteSet ascii = ByteSet::range(0, 0x7F);
  TextCount found = TextCount::kFew;
  std::map<ExprId, std::uint64_t> texts{{e, 1}};
  std::vector<ExprSet::Branch> branches;
  for (int visits = 0; found == TextCount::kFew && !texts.empty() && visits < kMaxCountVisits;) {
    std::map<ExprId, std::uint64_t> longer;
    std::uint64_t count = 0;
    for (const auto& [residual, number] : texts) {
      ++visits;
      base::Work::charge(base::Work::kVisit);
      branches.clear();
      exprs.append_branches(residual, branches);
      for (const ExprSet::Branch& branch : branches) {
        const std::uint64_t more = number * (branch.bytes & ascii).size();
        if (more == 0) continue;
        std::uint64_t& sum = longer[branch.to];
        sum = std::min(kManyTexts, sum + more);
        if (!exprs.has_plain_text(branch.to)) continue;
        count += more;
        if (branch.to == residual) found = TextCount::kEndless;
      }
    }
    if (found == TextCount::kFew && count >= kManyTexts) found = TextCount::kMany;
    texts = std::move(longer);
  }
  if (!base::Work::is_met()) memo.emplace(static_cast<std::uint32_t>(e), found);
  return found;
}

}  // namespace

bool has_cofinite_contents(const ExprSet& exprs, ExprId e) {
  const ExprId first = exprs.head(e);
  return exprs.is_decoder(first) && exprs.is_cofinite(exprs.operand(first));
}

WEIR_REPLACEABLE bool has_many_contents(ExprSet& exprs, ExprId e) {
  const ExprId first = exprs.head(e);
  if (!exprs.is_decoder(first) || !exprs.atom_of(first).spelling(exprs.state_of(first))) return false;
  const ExprId content = exprs.operand(first);
  // Operands that exclude finitely many strings, as "none of these values" does, change nothing for an infinite language.
  std::vector<ExprId> parts;
  const auto add = [&](ExprId part) {
    if (!exprs.is_cofinite(part)) parts.push_back(part);
  };
  if (exprs.kind(content) == ExprKind::kIntersection) {
    std::ranges::for_each(exprs.operands(content), add);
  } else {
    add(content);
  }
  if (parts.empty()) return true;
  const ExprId wanted = exprs.intersection(parts);
  const TextCount count = count_texts(exprs, wanted);
  if (count != TextCount::kMany || wanted == content) return count != TextCount::kFew;
  return count_texts(exprs, content) != TextCount::kFew;
}

ExprId with_any_contents(ExprSet& exprs, ExprId character, ExprId e) {
  const ExprId first = exprs.head(e);
  if (!exprs.is_decoder(first) || !exprs.atom_of(first).decodes_utf8(exprs.state_of(first))) return ExprId::kNothing;
  const ExprId content = exprs.operand(first);
  // In a string within a string, an escaped quote may be the end of the inner one.
  if (content == ExprId::kAllStrings || exprs.is_decoder(exprs.head(content))) return ExprId::kNothing;
  const auto with = [&](ExprId any) { return exprs.concat(exprs.with_operand(first, any), exprs.tail(e)); };
  if (has_cofinite_contents(exprs, e)) return with(ExprId::kAllStrings);
  return continues_any_text(exprs, character, e) ? with(exprs.repeat(character, 0, kUnbounded)) : ExprId::kNothing;
}

bool continues_any_text(ExprSet& exprs, ExprId character, ExprId e) {
  const ExprId first = exprs.head(e);
  if (exprs.is_decoder(first) && !exprs.atom_of(first).spelling(exprs.state_of(first))) return false;
  const ExprId content = exprs.is_decoder(first) ? exprs.operand(first) : e;
  auto& memo = exprs.memo().continues_any_text;
  const auto known = [&](ExprId residual) {
    const auto it = memo.find(static_cast<std::uint32_t>(residual));
    return it == memo.end() ? std::nullopt : std::optional(it->second);
  };
  if (const std::optional<bool> answer = known(content)) return *answer;
  // Most searches show it by their form.
  const auto is_search = [&](ExprId part) {
    return exprs.has_plain_text(part) && is_closed_under_prefixing(exprs, character, part, kPrefixingFuel);
  };
  bool is_true = is_search(content);
  if (!is_true && exprs.kind(content) == ExprKind::kAlternation) {
    is_true = std::ranges::any_of(exprs.operands(content), is_search);
  }
  if (is_true) return memo[static_cast<std::uint32_t>(content)] = true;
  if (exprs.has_counts(content)) return false;  // each count would be a residual, and then reject a text
  // A place is the pair of the residuals of `content` and of all texts after the same bytes.
  using Place = std::array<ExprId, 2>;
  const ExprId any_text = exprs.repeat(character, 0, kUnbounded);
  base::Interner<Place> places;
  const auto reach = [&](ExprId residual, ExprId text) {
    const Place place{residual, text};
    places.intern({&place, 1});
  };
  reach(content, any_text);
  std::vector<ExprSet::Branch> branches;
  std::vector<ExprSet::Branch> text_branches;
  const std::size_t most_nodes = exprs.node_count() + kMaxAnyTextNodes;
  is_true = true;
  for (std::uint32_t i = 0; i < places.size() && is_true; ++i) {
    const Place place = places[i].front();
    if (place[1] == any_text && known(place[0]) == true) continue;
    branches.clear();
    exprs.append_branches(place[0], branches);
    text_branches.clear();
    exprs.append_branches(place[1], text_branches);
    base::Work::charge(base::Work::kVisit);
    for (const ExprSet::Branch& text : text_branches) {
      ByteSet rejected = text.bytes;
      for (const ExprSet::Branch& branch : branches) {
        if ((branch.bytes & text.bytes).is_empty()) continue;
        rejected &= ~branch.bytes;
        reach(branch.to, text.to);
      }
      is_true = is_true && rejected.is_empty();
    }
    is_true =
        is_true && places.size() <= kMaxAnyTextResiduals && exprs.node_count() <= most_nodes && !base::Work::is_met();
  }
  // No byte is rejected. What is left may still be empty, also if it has members that are not UTF-8.
  for (std::uint32_t i = places.size(); i-- > 0 && is_true;) {
    const auto [residual, text] = places[i].front();
    is_true = text != any_text || exprs.has_plain_text(residual) ||
              emptiness(exprs, exprs.intersection(residual, any_text), kAnyTextFuel) == Emptiness::kNonEmpty;
  }
  if (base::Work::is_met()) return false;  // the answer may be found in another call
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const auto [residual, text] = places[i].front();
    if (i == 0 || (is_true && text == any_text)) memo[static_cast<std::uint32_t>(residual)] = is_true;
  }
  return is_true;
}

}  // namespace weir::regex
