#include "frontend/json_schema/model/declared_order.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/stack.h"
#include "frontend/json_schema/model/formula_walk.h"
#include "frontend/json_schema/model/search_bounds.h"

namespace weir::frontend::json_schema {

namespace {

class OrderSplit {
 public:
  using Resolve = std::function<FormulaId(FormulaId)>;

  OrderSplit(Algebra& algebra, const Resolve& resolve) : algebra_(algebra), resolve_(resolve) {}

  FormulaId apply(FormulaId f) {
    const OrderId order = order_of(maps_in(f, Violated::kYes));
    if (algebra_.names_of(order).empty()) return f;
    order_ = order;
    if (disagrees(f)) {
      std::vector<Alternative> alternatives;
      if (split(f, alternatives)) {
        std::vector<FormulaId> ways;
        for (const Alternative& one : alternatives) {
          ways.push_back(algebra_.meet(one.formula, algebra_.in_order(order_of(one.maps), 0)));
        }
        return algebra_.join(std::move(ways));
      }
    }
    return algebra_.meet(f, algebra_.in_order(order, 0));
  }

 private:
  using Maps = std::vector<PropertyMapId>;
  struct Alternative {
    FormulaId formula;
    Maps maps;
  };

  // Maps that must be violated count for the order of the whole formula, but not for that of an alternative: with
  // `oneOf` they are those of the others.
  enum class Violated : std::uint8_t { kNo, kYes };

  Maps maps_in(FormulaId f, Violated violated) {
    Maps maps;
    for_each_atom(algebra_, f, [&](const Formula& atom) {
      const bool is_violated = atom.kind == FormulaKind::kNotMembers;
      if (atom.kind != FormulaKind::kMembers && !(is_violated && violated == Violated::kYes)) return;
      maps.push_back(PropertyMapId{atom.operands[0]});
    });
    return maps;
  }

  // Returns the names of the maps by their first mention in the schema's text.
  OrderId order_of(const Maps& maps) {
    std::vector<std::pair<std::uint64_t, NameId>> mentions;
    for (const PropertyMapId map : maps) {
      for (const PropertyMap::Named& named : algebra_.property_map(map).names) {
        if (named.order != 0) mentions.emplace_back(named.order, named.name);
      }
    }
    algebra_.step(mentions.size());
    std::ranges::sort(mentions);
    std::vector<NameId> names;
    std::unordered_map<NameId, bool> is_listed;
    for (const auto& [position, name] : mentions) {
      if (is_listed.try_emplace(name, true).second) names.push_back(name);
    }
    return algebra_.order(std::move(names));
  }

  // Returns true if a map in `f` has two names in another order than order_. Formulas are hash-consed, hence memoised.
  bool disagrees(FormulaId f) {
    if (const auto known = disagrees_.find(f); known != disagrees_.end()) return known->second;
    const Formula node = algebra_.formula(f);
    bool found = false;
    if (is_combination(node.kind)) {
      found = std::ranges::any_of(node.operands, [&](std::uint32_t operand) {
        return base::with_stack([&] { return disagrees(FormulaId{operand}); });
      });
    } else if (node.kind == FormulaKind::kMembers) {
      std::vector<std::pair<std::uint64_t, std::uint32_t>> ranks;
      for (const PropertyMap::Named& named : algebra_.property_map(PropertyMapId{node.operands[0]}).names) {
        if (named.order != 0) ranks.emplace_back(named.order, algebra_.rank(order_, named.name));
      }
      std::ranges::sort(ranks);
      found = !std::ranges::is_sorted(ranks, {}, &std::pair<std::uint64_t, std::uint32_t>::second);
    }
    disagrees_.emplace(f, found);
    return found;
  }

  // Appends alternatives whose union is `f`; those without alternatives that disagree stay together. Returns false if
  // there are too many.
  bool split(FormulaId f, std::vector<Alternative>& out) {
    const Formula node = algebra_.formula(f);
    const std::vector<std::uint32_t> operands(node.operands.begin(), node.operands.end());
    const FormulaKind kind = node.kind;
    if (!is_combination(kind) || kind == FormulaKind::kNotOneOf || !disagrees(f)) {
      out.push_back({f, maps_in(f, Violated::kNo)});
      return true;
    }
    if (kind == FormulaKind::kAnd) return split_conjunction(operands, out);
    if (kind == FormulaKind::kOneOf) return base::with_stack([&] { return split(resolve_(f), out); });
    for (const std::uint32_t operand : operands) {
      if (!base::with_stack([&] { return split(FormulaId{operand}, out); })) return false;
    }
    return out.size() <= kMaxOrderedAlternatives && algebra_.step();
  }

  bool split_conjunction(const std::vector<std::uint32_t>& operands, std::vector<Alternative>& out) {
    std::vector<Alternative> products{{FormulaId::kTrue, {}}};
    for (const std::uint32_t operand : operands) {
      std::vector<Alternative> factors;
      if (!base::with_stack([&] { return split(FormulaId{operand}, factors); })) return false;
      if (products.size() * factors.size() > kMaxOrderedAlternatives) return false;
      std::vector<Alternative> longer;
      for (const Alternative& product : products) {
        for (const Alternative& factor : factors) {
          Alternative both{algebra_.meet(product.formula, factor.formula), product.maps};
          both.maps.insert(both.maps.end(), factor.maps.begin(), factor.maps.end());
          if (!algebra_.step(both.maps.size())) return false;
          longer.push_back(std::move(both));
        }
      }
      products = std::move(longer);
    }
    out.insert(out.end(), products.begin(), products.end());
    return true;
  }

  Algebra& algebra_;
  const Resolve& resolve_;
  OrderId order_{};
  std::unordered_map<FormulaId, bool> disagrees_;
};

// Appends the orders of all mentions of names in the formula.
void append_orders(const Algebra& algebra, FormulaId f, std::vector<std::uint64_t>& orders) {
  for_each_atom(algebra, f, [&](const Formula& atom) {
    if (atom.kind != FormulaKind::kMembers && atom.kind != FormulaKind::kNotMembers) return;
    for (const PropertyMap::Named& named : algebra.property_map(PropertyMapId{atom.operands[0]}).names) {
      if (named.order != 0) orders.push_back(named.order);
    }
  });
}

// Gives the mentions of names in a formula new orders: `first`, and those after it.
class Reorder {
 public:
  /// `orders` are those of the mentions, ascending.
  Reorder(Algebra& algebra, const std::vector<std::uint64_t>& orders, std::uint64_t first)
      : algebra_(algebra), orders_(orders), first_(first) {}

  FormulaId apply(FormulaId f) {
    if (const auto known = known_.find(f); known != known_.end()) return known->second;
    const FormulaId result = base::with_stack([&] { return find(f); });
    known_.emplace(f, result);
    return result;
  }

 private:
  FormulaId find(FormulaId f) {
    const Formula node = algebra_.formula(f);
    const std::vector<std::uint32_t> operands(node.operands.begin(), node.operands.end());
    const FormulaKind kind = node.kind;
    algebra_.step();
    if (is_combination(kind)) {
      std::vector<FormulaId> parts;
      for (const std::uint32_t operand : operands) parts.push_back(apply(FormulaId{operand}));
      if (kind == FormulaKind::kAnd) return algebra_.meet(std::move(parts));
      if (kind == FormulaKind::kOr) return algebra_.join(std::move(parts));
      const FormulaId one = algebra_.one_of(parts);
      return kind == FormulaKind::kOneOf ? one : algebra_.complement(one);
    }
    if (kind != FormulaKind::kMembers && kind != FormulaKind::kNotMembers) return f;
    PropertyMap map = algebra_.property_map(PropertyMapId{operands[0]});
    for (PropertyMap::Named& named : map.names) {
      const auto at = std::ranges::lower_bound(orders_, named.order) - orders_.begin();
      if (named.order != 0) named.order = first_ + static_cast<std::uint64_t>(at);
    }
    if (kind == FormulaKind::kMembers) return algebra_.members(std::move(map));
    std::vector<NameId> apart;
    for (std::size_t i = 1; i < operands.size(); ++i) apart.push_back(NameId{operands[i]});
    return algebra_.not_members(std::move(map), std::move(apart));
  }

  Algebra& algebra_;
  const std::vector<std::uint64_t>& orders_;
  std::uint64_t first_;
  std::unordered_map<FormulaId, FormulaId> known_;
};

}  // namespace

FormulaId placed_at(Algebra& algebra, FormulaId f, std::size_t position) {
  std::vector<std::uint64_t> orders;
  append_orders(algebra, f, orders);
  std::ranges::sort(orders);
  return Reorder(algebra, orders, position_order(position)).apply(f);
}

std::vector<bool> out_of_place(Algebra& algebra, std::span<const PlacedFormula> parts) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> mentions;  // orders as they are, and at their places
  std::vector<bool> is_outside;
  for (const PlacedFormula& part : parts) {
    std::vector<std::uint64_t> orders;
    append_orders(algebra, part.formula, orders);
    std::ranges::sort(orders);
    const std::uint64_t begin = position_order(part.where.start);
    const std::uint64_t end = position_order(part.where.end);
    is_outside.push_back(!orders.empty() && (orders.front() < begin || orders.back() >= end));
    for (std::size_t i = 0; i < orders.size(); ++i) {
      mentions.emplace_back(orders[i], is_outside.back() ? begin + i : orders[i]);
    }
  }
  algebra.step(mentions.size());
  std::ranges::sort(mentions);
  for (std::size_t i = 1; i < mentions.size(); ++i) {
    if (mentions[i].second < mentions[i - 1].second) return is_outside;
  }
  return {};
}

FormulaId in_declared_order(Algebra& algebra, FormulaId f, const std::function<FormulaId(FormulaId)>& resolve) {
  return OrderSplit(algebra, resolve).apply(f);
}

}  // namespace weir::frontend::json_schema
