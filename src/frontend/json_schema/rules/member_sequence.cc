#include "frontend/json_schema/rules/member_sequence.h"

#include <algorithm>
#include <span>
#include <string>

namespace weir::frontend::json_schema {

using base::CutText;

std::optional<MemberSequence> MemberSequence::of(Algebra& algebra, Witness& witness, FormulaId f) {
  std::optional<FormulaId> members;
  std::optional<OrderId> order;
  std::uint32_t passed = 0;
  std::vector<NameId> required;
  const Formula node = algebra.formula(f);
  if (node.kind != FormulaKind::kAnd) return std::nullopt;
  for (const std::uint32_t operand : node.operands) {
    const Formula atom = algebra.formula(FormulaId{operand});
    if (atom.kind == FormulaKind::kHas) {
      required.push_back(NameId{atom.operands[0]});
    } else if (atom.kind == FormulaKind::kMembers && !members) {
      members = FormulaId{operand};
    } else if (atom.kind == FormulaKind::kInOrder && !order) {
      order = OrderId{atom.operands[0]};
      passed = atom.operands[1];
    } else {
      return std::nullopt;
    }
  }
  if (!members || !order) return std::nullopt;
  const PropertyMap& map = algebra.property_map(PropertyMapId{algebra.formula(*members).operands[0]});
  const auto is_unordered = [&](NameId name) { return algebra.rank(*order, name) == 0; };
  if (!map.patterns.empty() || std::ranges::any_of(required, is_unordered)) return std::nullopt;
  std::ranges::sort(required);
  MemberSequence sequence;
  const std::vector<NameId>& names = algebra.names_of(*order);
  for (const NameId name : std::span(names).subspan(passed)) {
    if (!algebra.step()) return std::nullopt;
    const SetId value = witness.derivation().lookup(map, KeyClass{name});
    if (!witness.has_member(value) || !algebra.has_text(algebra.literal(name))) continue;
    const bool is_required = std::ranges::binary_search(required, name);
    sequence.members_.push_back({name, value, is_required});
    if (is_required) sequence.end_of_required_ = sequence.members_.size();
  }
  if (map.other != SetId::kNone) {
    sequence.after_ = algebra.meet(*members, algebra.in_order(*order, static_cast<std::uint32_t>(names.size())));
  }
  return sequence;
}

CutText MemberSequence::text(Witness& witness, const Layout& layout, std::uint32_t depth, std::size_t i,
                             std::size_t least, std::size_t most) {
  const std::string comma = layout.comma(depth).text;
  const std::string colon = layout.colon().text;
  if (lengths_.empty()) {
    lengths_.resize(end_of_required_ + 1, 0);
    for (std::size_t k = end_of_required_; k-- > 0;) {
      lengths_[k] = lengths_[k + 1];
      if (!members_[k].is_required) continue;
      const std::uint64_t key = comma.size() + witness.spelled_name(members_[k].name, layout).size() + colon.size();
      const std::uint64_t value = witness.text(members_[k].value, layout, depth, 0).length();
      lengths_[k] = std::min(CutText::kMaxLength, lengths_[k] + key + value);
    }
  }
  CutText out(most);
  const std::size_t end = std::max(end_of_required_, std::min(i + least, members_.size()));
  for (std::size_t k = i; k < end; ++k) {
    if (!members_[k].is_required && end == end_of_required_) continue;
    if (!out.empty()) {
      if (out.room() == 0) {
        out.add_unwritten(lengths_[k]);
        break;
      }
      out.add(comma);
    }
    out.add(witness.spelled_name(members_[k].name, layout) + colon);
    out.add(witness.text(members_[k].value, layout, depth, out.room()));
  }
  return out;
}

}  // namespace weir::frontend::json_schema
