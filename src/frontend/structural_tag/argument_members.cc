// The members of the objects among arguments, and the items of lists: which may come, in which order.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json_text.h"
#include "base/stack.h"
#include "base/utf8.h"
#include "frontend/json_schema/model/formula_walk.h"
#include "frontend/search_bounds.h"
#include "frontend/structural_tag/argument_builder.h"
#include "regex/expr/expr.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::structural_tag {

using grammar::NodeId;
using json_schema::Choice;
using json_schema::Formula;
using json_schema::FormulaKind;
using json_schema::NameId;
using json_schema::PropertyMap;
using json_schema::PropertyMapId;
using json_schema::Witness;

namespace {

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

// Returns a node for the members of an object that satisfies the formula.
ArgumentBuilder::Node ArgumentBuilder::members(FormulaId f) {
  std::vector<NodeId> ways;
  for (const FormulaId alternative : alternatives(f)) {
    if (!view_->witness().object_exists(alternative)) continue;
    if (const auto atoms = plain_object(alternative)) {
      ways.push_back(plain_members(alternative, *atoms, takes_any(alternative)));
    } else {
      ways.push_back(rule(Kind::kMembers, closed(alternative)));
    }
  }
  if (!check_limit()) return std::nullopt;
  return grammar_.add_choice(ways, where_);
}

// Returns formulas of which at least one holds iff `f` does.
std::vector<ArgumentBuilder::FormulaId> ArgumentBuilder::alternatives(FormulaId f) {
  std::vector<FormulaId> all;
  splits_ = 0;
  if (!add_alternatives(f, all)) return {f};
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool ArgumentBuilder::add_alternatives(FormulaId f, std::vector<FormulaId>& out) {
  json_schema::Algebra& algebra = view_->algebra();
  if (out.size() >= kMaxArgumentAlternatives || ++splits_ > kMaxArgumentSplits || !algebra.step()) return false;
  const auto splits = [](FormulaKind kind) {
    return kind == FormulaKind::kOr || kind == FormulaKind::kOneOf || kind == FormulaKind::kNotOneOf;
  };
  const Formula node = algebra.formula(f);
  const std::vector<std::uint32_t> operands(node.operands.begin(), node.operands.end());
  if (splits(node.kind)) {
    if (node.kind != FormulaKind::kOr) {
      const FormulaId resolved = view_->witness().resolve(f, FormulaId::kTrue);
      return resolved != f && base::with_stack([&] { return add_alternatives(resolved, out); });
    }
    return std::ranges::all_of(operands, [&](std::uint32_t one) {
      return base::with_stack([&] { return add_alternatives(FormulaId{one}, out); });
    });
  }
  const auto split =
      node.kind != FormulaKind::kAnd ? operands.end() : std::ranges::find_if(operands, [&](std::uint32_t one) {
        return splits(algebra.formula(FormulaId{one}).kind);
      });
  if (split == operands.end()) {
    if (f != FormulaId::kFalse) out.push_back(f);
    return true;
  }
  std::vector<FormulaId> others;
  for (const std::uint32_t one : operands) {
    if (one != *split) others.push_back(FormulaId{one});
  }
  const FormulaId rest = algebra.meet(others);
  FormulaId choice{*split};
  if (algebra.formula(choice).kind != FormulaKind::kOr) choice = view_->witness().resolve(choice, rest);
  std::vector<FormulaId> ways{choice};
  if (const Formula of_choice = algebra.formula(choice); of_choice.kind == FormulaKind::kOr) {
    ways.clear();
    for (const std::uint32_t one : of_choice.operands) ways.push_back(FormulaId{one});
  }
  return std::ranges::all_of(ways, [&](FormulaId way) {
    return way != FormulaId{*split} && base::with_stack([&] { return add_alternatives(algebra.meet(rest, way), out); });
  });
}

// Returns true if a keyword describes the members whose keys are of this class: `patternProperties` with a schema that is
// not false, or `additionalProperties` with one that is neither false nor true.
bool ArgumentBuilder::asks_for(FormulaId f, const KeyClass& key) {
  bool asks = false;
  for_each_atom(view_->algebra(), f, [&](const Formula& atom) {
    if (atom.kind != FormulaKind::kMembers) return;
    const PropertyMap& map = view_->algebra().property_map(PropertyMapId{atom.operands[0]});
    bool matches = false;
    for (const auto& [pattern, set] : map.patterns) {
      if (!std::ranges::binary_search(key.patterns, pattern)) continue;
      matches = true;
      asks = asks || set != SetId::kNone;
    }
    asks = asks || (!matches && map.other != SetId::kAny && map.other != SetId::kNone);
  });
  return asks;
}

bool ArgumentBuilder::lists_members(FormulaId f) {
  const auto classes = view_->witness().derivation().key_classes(f);
  return std::ranges::any_of(*classes, [](const KeyClass& key) { return key.name.has_value(); });
}

// Returns true if there may be members for which no keyword asks.
bool ArgumentBuilder::takes_any(FormulaId f) { return is_root_ ? request_.is_open : !lists_members(f); }

// Returns the formula without the members for which no keyword asks, unless nothing satisfies it then.
ArgumentBuilder::FormulaId ArgumentBuilder::closed(FormulaId f) {
  json_schema::Algebra& algebra = view_->algebra();
  if (takes_any(f)) return f;
  const auto classes = view_->witness().derivation().key_classes(f);
  std::vector<regex::ExprId> unasked;
  for (const KeyClass& key : *classes) {
    if (!key.name && !asks_for(f, key)) unasked.push_back(key.keys);
  }
  if (unasked.empty()) return f;
  const regex::ExprId keys = algebra.exprs().alternation(unasked);
  const FormulaId some = algebra.meet(f, algebra.members({{}, {{keys, SetId::kNone}}, SetId::kAny}));
  return view_->witness().object_exists(some) ? some : f;
}

// Returns the atoms of a formula that says no more than which members there are, with which values, and which of them
// are required.
std::optional<Witness::ObjectAtoms> ArgumentBuilder::plain_object(FormulaId f) {
  bool is_plain = true;
  const auto is_known = [&](const Formula& atom) {
    is_plain = is_plain && (atom.kind == FormulaKind::kTrue || atom.kind == FormulaKind::kMembers ||
                            atom.kind == FormulaKind::kHas || atom.kind == FormulaKind::kLacks ||
                            atom.kind == FormulaKind::kMinMembers);
  };
  for_each_atom(view_->algebra(), f, is_known,
                [&](const Formula& node) { is_plain = is_plain && node.kind == FormulaKind::kAnd; });
  if (!is_plain) return std::nullopt;
  Witness::ObjectAtoms atoms = view_->witness().object_atoms(f);
  if (atoms.min > atoms.names.size()) return std::nullopt;
  return atoms;
}

// Sorts members as the style does: by their keys, or in the order in which they are declared, those that are only
// required last.
void ArgumentBuilder::sort_members(FormulaId f, std::vector<Member>& members) {
  const json_schema::Algebra& algebra = view_->algebra();
  std::map<NameId, std::uint64_t> orders;
  for_each_atom(view_->algebra(), f, [&](const Formula& atom) {
    if (atom.kind != FormulaKind::kMembers && atom.kind != FormulaKind::kNotMembers) return;
    for (const PropertyMap::Named& named : algebra.property_map(PropertyMapId{atom.operands[0]}).names) {
      if (named.order == 0) continue;
      const auto [known, is_new] = orders.try_emplace(named.name, named.order);
      known->second = std::min(known->second, named.order);
    }
  });
  for (Member& one : members) {
    const auto known = orders.find(*one.key.name);
    one.order = known == orders.end() ? 0 : known->second;
  }
  if (is_sorted()) {
    std::ranges::stable_sort(members, {}, [&](const Member& one) {
      return std::pair(in_lower_case(algebra.name(*one.key.name)), one.order);
    });
  } else {
    std::ranges::stable_sort(members, {}, [](const Member& one) { return one.order - 1; });  // 0 comes last
  }
}

// Returns the members of an object that `atoms` describe completely. Sets `further` to members with other keys, which may
// come any number of times: among the named ones, or after them if those have the order of the schema. If `is_open`, that
// includes members for which no keyword asks.
std::vector<ArgumentBuilder::Part> ArgumentBuilder::plain_parts(FormulaId f, const Witness::ObjectAtoms& atoms,
                                                                bool is_open, NodeId& further) {
  Witness& witness = view_->witness();
  const auto classes = witness.derivation().key_classes(f);
  std::vector<Member> listed;
  std::vector<NodeId> others;
  for (const KeyClass& key : *classes) {
    if (key.name && std::ranges::binary_search(atoms.lacking, *key.name)) continue;
    const SetId value = witness.value_of(atoms, key);
    if (key.name) {
      listed.push_back({key, value, std::ranges::binary_search(atoms.names, *key.name)});
    } else if ((is_open || asks_for(f, key)) && witness.has_member(value)) {
      const Node keys = other_keys(key);
      if (keys) others.push_back(written_member({.node = keys}, value));
    }
  }
  sort_members(f, listed);
  further = others.empty() ? NodeId::kEmpty : grammar_.add_choice(others, where_);
  const bool has_further = further != NodeId::kEmpty && !request_.any_order;
  const auto further_part = [&] {
    const NodeId more = grammar_.add_repeat(sequence({comma(), further}), 0, regex::kUnbounded, where_);
    return Part{sequence({further, more}), false};
  };
  std::vector<Part> parts;
  for (const Member& one : listed) {
    if (one.value != SetId::kNone) {
      if (has_further && is_sorted()) parts.push_back(further_part());
      parts.push_back({member(one), one.is_required});
    } else if (has_values_by_name(f, *one.key.name)) {
      absent(one, "no value is valid under all of its schemas", ErrorCode::kUnsatisfiable);
    }
  }
  if (has_further) parts.push_back(further_part());
  return parts;
}

// Returns true if `properties` gives the member values, so that another keyword must forbid it if it has none.
bool ArgumentBuilder::has_values_by_name(FormulaId f, NameId name) {
  bool has_values = false;
  for_each_atom(view_->algebra(), f, [&](const Formula& atom) {
    if (atom.kind != FormulaKind::kMembers) return;
    const PropertyMap& map = view_->algebra().property_map(PropertyMapId{atom.operands[0]});
    const auto found = std::ranges::lower_bound(map.names, name, {}, &PropertyMap::Named::name);
    has_values = has_values || (found != map.names.end() && found->name == name && found->set != SetId::kNone);
  });
  return has_values;
}

NodeId ArgumentBuilder::plain_members(FormulaId f, const Witness::ObjectAtoms& atoms, bool is_open) {
  NodeId further = NodeId::kEmpty;
  const std::vector<Part> parts = plain_parts(f, atoms, is_open, further);
  return request_.any_order ? in_any_order(parts, further) : in_order(parts).first;
}

std::string_view ArgumentBuilder::separator() const {
  const bool has_commas = is_sorted() || style_.nesting == ArgumentStyle::Nesting::kPython;
  return has_commas ? "," : "";
}

NodeId ArgumentBuilder::comma() {
  const NodeId mark = literal(separator());
  return style_.nesting == ArgumentStyle::Nesting::kPython ? sequence({mark, blanks()}) : mark;
}

// Returns a node for the keys of a class that the style can write; nullopt if there are none.
ArgumentBuilder::Node ArgumentBuilder::other_keys(const KeyClass& key) {
  if (style_.nesting == ArgumentStyle::Nesting::kNamedTags) return std::nullopt;  // both tags of a member have its key
  regex::ExprSet& exprs = grammar_.exprs;
  // No ASCII control characters and blanks, no quotes, `&`, `<` and `>`, so that no key is taken for another part of the
  // tag; in Python's form only letters, digits and `_`.
  regex::ByteSet bytes;
  for (int byte = 0x21; byte < 0x7f; ++byte) {
    const auto c = static_cast<char>(byte);
    const bool ends_key = std::string_view("\"&<>").find(c) != std::string_view::npos;
    const bool is_bracket = std::string_view(":,{}[]").find(c) != std::string_view::npos;
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (ends_key || (is_bracket && is_sorted())) continue;
    if (style_.nesting == ArgumentStyle::Nesting::kPython && !is_word) continue;
    bytes.add(static_cast<std::uint8_t>(byte));
  }
  for (int byte = 0x80; byte < 0x100; ++byte) bytes.add(static_cast<std::uint8_t>(byte));
  const regex::ExprId writable = exprs.repeat(exprs.byte_set(bytes), 1, regex::kUnbounded);
  regex::ExprId keys = exprs.intersection(key.keys, writable);
  keys = exprs.intersection(keys, exprs.repeat(regex::any_code_point(exprs), 0, regex::kUnbounded));
  for (const std::string& text : request_.excluded) keys = view_->without(keys, text);
  if (!view_->algebra().has_member(keys)) return std::nullopt;
  return terminal(keys, "key");
}

// Returns a node for a member with a name; one without texts if the style cannot write the key.
NodeId ArgumentBuilder::member(const Member& one) {
  const std::string_view name = view_->algebra().name(*one.key.name);
  if (const std::string why = why_unwritable(name); !why.empty()) {
    absent(one, why, ErrorCode::kUnsupported);
    return nothing();
  }
  const auto [known, is_new] = written_.try_emplace({is_root_, *one.key.name, one.value}, one, NodeId::kEmpty);
  if (is_new) known->second.second = written_member({.name = name}, one.value);
  known->second.first.is_required |= one.is_required;
  return known->second.second;
}

// Notes that the member cannot be written. If it is optional, it is always left out, with a warning. If it is required,
// there is no object.
void ArgumentBuilder::absent(const Member& one, const std::string& why, ErrorCode code) {
  const std::string name = base::json_string(view_->algebra().name(*one.key.name));
  SourceRange where = view_->where(one.value);
  if (where == SourceRange{}) where = whole();
  if (one.is_required) {
    if (!reason_) reason_ = Error{code, "the required argument " + name + " cannot be written: " + why, where};
    return;
  }
  std::string message = "the argument " + name + " never occurs: " + why;
  if (!warned_.insert(message).second) return;
  input_.warn_within(request_.schema, {std::move(message), where, {}, "absent-argument"});
}

// Notes the members that have no value which the style can write. Precondition: the bodies of all rules are made.
void ArgumentBuilder::check_members() {
  std::map<NodeId, bool> known;
  for (const auto& [name, one] : written_) {
    if (has_texts(one.second, known)) continue;
    absent(one.first, "no value of its schema can be written in this style", ErrorCode::kUnsatisfiable);
  }
}

// Returns a node for the remaining members, which must satisfy `f`.
ArgumentBuilder::Node ArgumentBuilder::member_body(FormulaId f, bool is_first) {
  json_schema::Algebra& algebra = view_->algebra();
  Witness& witness = view_->witness();
  if (const auto atoms = request_.any_order ? std::nullopt : plain_object(f)) {
    NodeId further = NodeId::kEmpty;
    const auto [all, after] = in_order(plain_parts(f, *atoms, true, further));
    return is_first ? all : after;
  }
  const auto classes = witness.derivation().key_classes(f);
  std::vector<Member> names;
  for (const KeyClass& key : *classes) {
    if (key.name) names.push_back({key});
  }
  sort_members(f, names);
  std::vector<NodeId> ways;
  if (witness.derivation().accepts(f)) ways.push_back(NodeId::kEmpty);
  std::vector<FormulaId> passed;
  const auto add = [&](const KeyClass& key) {
    for (const Choice& choice : witness.derivation().next_member(f, key)) {
      passed.push_back(choice.rest);
      const FormulaId rest = algebra.meet(passed);
      passed.pop_back();
      if (!witness.has_member(choice.value) || !witness.object_exists(rest)) continue;
      NodeId one = NodeId::kEmpty;
      if (key.name) {
        one = member({key, choice.value, false});
      } else if (const Node keys = other_keys(key)) {
        one = written_member({.node = keys}, choice.value);
      } else {
        continue;
      }
      ways.push_back(sequence({is_first ? NodeId::kEmpty : comma(), one, rule(Kind::kMoreMembers, rest)}));
      ++transitions_;
    }
  };
  for (const Member& one : names) {
    if (request_.any_order) passed.clear();
    passed.push_back(algebra.lacks(*one.key.name));
    if (view_->algebra().out_of_steps() || transitions_ > kMaxArgumentTransitions) break;
    add(one.key);
  }
  if (request_.any_order || is_sorted()) passed.clear();
  for (const KeyClass& key : *classes) {
    if (key.name) continue;
    const std::size_t before = ways.size();
    add(key);
    if (ways.size() > before) warn_of_least(f);
  }
  if (transitions_ > kMaxArgumentTransitions) {
    fail(ErrorCode::kUnsupported, "the schema combines its members in too many ways for this style", whole(),
         "the style `json` supports it");
    return std::nullopt;
  }
  return grammar_.add_choice(ways, where_);
}

// Warns once if several members with keys that the schema does not list may be needed: they may have one key, for rules do
// not look back at the keys that were written.
void ArgumentBuilder::warn_of_least(FormulaId f) {
  bool counts = false;
  for_each_atom(view_->algebra(), f, [&](const Formula& atom) {
    counts = counts || (atom.kind == FormulaKind::kMinMembers && atom.operands[0] > 1);
  });
  if (!counts || std::exchange(drops_least_, true)) return;
  input_.warn(request_.schema,
              "`minProperties` is not enforced for keys that the schema does not list: this style may write one twice",
              "not-enforced");
}

// Returns a node for the items of a list that satisfies the formula.
ArgumentBuilder::Node ArgumentBuilder::items(FormulaId f) {
  std::vector<NodeId> ways;
  for (const FormulaId one : alternatives(f)) {
    if (!view_->witness().array_exists(one)) continue;
    if (has_few_values(one)) {
      ways.push_back(rule(Kind::kItems, one));
      continue;
    }
    const FormulaId alternative = without_unique(one);
    const auto plain = plain_items(alternative);
    ways.push_back(plain ? *plain : rule(Kind::kItems, alternative));
  }
  if (!check_limit()) return std::nullopt;
  return grammar_.add_choice(ways, where_);
}

// Returns true if items must differ and the first one has so few values that there can be a rule for each set of values
// that have been read.
bool ArgumentBuilder::has_few_values(FormulaId f) {
  json_schema::Derivation& derivation = view_->witness().derivation();
  if (!derivation.wants_value(f)) return false;
  std::uint64_t most = 0;
  for (const Choice& choice : derivation.next_item(f)) {
    most = std::max(most, view_->witness().count_members(choice.value, kMaxDifferentValues + 1));
  }
  if (most > kMaxDifferentValues || differing_ > kMaxArgumentTransitions / 2) return false;
  differing_ += most << most;
  return true;
}

// Returns the formula without the condition that items differ, which would need the text of the items before. Warns once.
ArgumentBuilder::FormulaId ArgumentBuilder::without_unique(FormulaId f) {
  json_schema::Algebra& algebra = view_->algebra();
  const Formula node = algebra.formula(f);
  std::vector<std::uint32_t> operands{static_cast<std::uint32_t>(f)};
  if (node.kind == FormulaKind::kAnd) operands.assign(node.operands.begin(), node.operands.end());
  const std::size_t count = operands.size();
  std::erase_if(operands,
                [&](std::uint32_t one) { return algebra.formula(FormulaId{one}).kind == FormulaKind::kUnique; });
  if (operands.size() == count) return f;
  if (!std::exchange(drops_unique_, true)) {
    input_.warn(request_.schema, "`uniqueItems` is not enforced in lists that this style writes in its own form",
                "not-enforced");
  }
  std::vector<FormulaId> rest;
  for (const std::uint32_t one : operands) rest.push_back(FormulaId{one});
  return algebra.meet(std::move(rest));
}

// Returns the items of a list if its formula says only how many there are and which values each index allows.
std::optional<NodeId> ArgumentBuilder::plain_items(FormulaId f) {
  json_schema::Algebra& algebra = view_->algebra();
  Witness& witness = view_->witness();
  json_schema::SharedItemMap map;
  std::uint64_t min = 0;
  std::uint64_t max = regex::kUnbounded;
  bool is_plain = true;
  const auto use = [&](const Formula& atom) {
    switch (atom.kind) {
      case FormulaKind::kTrue: break;
      case FormulaKind::kItems: map = algebra.item_map(json_schema::ItemMapId{atom.operands[0]}); break;
      case FormulaKind::kMinItems: min = atom.operands[0]; break;
      case FormulaKind::kMaxItems: max = atom.operands[0]; break;
      default: is_plain = false;
    }
  };
  for_each_atom(algebra, f, use, [&](const Formula& node) { is_plain = is_plain && node.kind == FormulaKind::kAnd; });
  if (!is_plain) return std::nullopt;
  const std::uint64_t most_repeats = input_.reading().limits.repeat_count;
  if (min > most_repeats) {
    fail(ErrorCode::kUnsupported, "a list of so many items is not supported in this style", whole());
    return nothing();
  }
  if (max > most_repeats) max = regex::kUnbounded == max ? max : most_repeats;
  const auto item = [&](SetId value) { return witness.has_member(value) ? written_member({}, value) : nothing(); };
  const NodeId between = comma();
  std::uint64_t prefix = std::min<std::uint64_t>(map.prefix.size(), max);
  for (std::uint64_t i = 0; i < prefix; ++i) {
    if (!witness.has_member(map.prefix[i])) max = prefix = i;
  }
  NodeId after = NodeId::kEmpty;
  if (max > prefix && witness.has_member(map.rest)) {
    const NodeId one = item(map.rest);
    const auto least = static_cast<std::uint32_t>(min > prefix ? min - prefix : 0);
    const auto most = static_cast<std::uint32_t>(max == regex::kUnbounded ? max : max - prefix);
    const NodeId next = sequence({between, one});
    if (prefix > 0 || separator().empty()) {
      after = grammar_.add_repeat(next, least, most, where_);
    } else {
      const NodeId more =
          grammar_.add_repeat(next, least == 0 ? 0 : least - 1, most == regex::kUnbounded ? most : most - 1, where_);
      after = sequence({one, more});
      if (least == 0) after = grammar_.add_repeat(after, 0, 1, where_);
    }
  }
  for (std::uint64_t i = prefix; i-- > 0;) {
    after = sequence({i == 0 ? NodeId::kEmpty : between, item(map.prefix[i]), after});
    if (i >= min) after = grammar_.add_repeat(after, 0, 1, where_);
  }
  return after;
}

ArgumentBuilder::Node ArgumentBuilder::item_body(FormulaId f, bool is_first) {
  Witness& witness = view_->witness();
  std::vector<NodeId> ways;
  if (witness.derivation().accepts(f)) ways.push_back(NodeId::kEmpty);
  for (const Choice& choice : witness.derivation().next_item(f)) {
    const auto add = [&](SetId value, FormulaId rest) {
      if (!witness.has_member(value) || !witness.array_exists(rest)) return;
      ways.push_back(
          sequence({is_first ? NodeId::kEmpty : comma(), written_member({}, value), rule(Kind::kMoreItems, rest)}));
      ++transitions_;
    };
    if (!witness.derivation().wants_value(choice.rest)) {
      add(choice.value, choice.rest);
    } else if (witness.has_members(choice.value, kMaxDifferentValues + 1)) {
      add(choice.value, witness.derivation().with_unknown_value(without_unique(choice.rest)));
    } else {
      json_schema::Algebra& algebra = view_->algebra();
      SetId left = choice.value;
      for (std::uint64_t i = 0; i < kMaxDifferentValues && witness.has_member(left); ++i) {
        const SetId one = witness.single(left);
        add(one, witness.derivation().with_value(choice.rest, one));
        left = algebra.meet(left, algebra.complement(one));
      }
    }
    if (transitions_ > kMaxArgumentTransitions) {
      fail(ErrorCode::kUnsupported, "the schema combines the items of a list in too many ways for this style", whole(),
           "the style `json` supports it");
      return std::nullopt;
    }
  }
  return grammar_.add_choice(ways, where_);
}

// Built from the end: `after` may follow a member and begins with the separator; `all` is what may come if there was no
// member yet.
std::pair<NodeId, NodeId> ArgumentBuilder::in_order(const std::vector<Part>& parts) {
  NodeId after = NodeId::kEmpty;
  NodeId all = NodeId::kEmpty;
  for (std::size_t i = parts.size(); i-- > 0;) {
    const NodeId ways[] = {sequence({parts[i].node, after}), all};
    all = parts[i].is_required ? ways[0] : grammar_.add_choice(ways, where_);
    const NodeId next = sequence({comma(), parts[i].node});
    after = sequence({parts[i].is_required ? next : grammar_.add_repeat(next, 0, 1, where_), after});
  }
  return {all, after};
}

// Makes a rule for each set of arguments that have been read: it allows each of the others, or the end if all required
// ones are in the set. `further` is what may come any number of times between them; kEmpty: nothing.
NodeId ArgumentBuilder::in_any_order(const std::vector<Part>& parts, NodeId further) {
  if (parts.size() > kMaxArgumentsInAnyOrder) {
    fail(ErrorCode::kUnsupported, "more than " + std::to_string(kMaxArgumentsInAnyOrder) + " arguments in any order",
         whole(), "leave out `any_order`: they are then written in the order of `properties`");
    return nothing();
  }
  const std::size_t sets = std::size_t{1} << parts.size();
  // One rule for each part with its separator, to which the rules of all sets refer: passes look at a part once.
  const auto shared = [&](NodeId part) {
    const grammar::RuleId id =
        grammar_.add_rule({.name = "argument", .where = where_, .defined = true, .generated = true});
    grammar_.rule(id).body = sequence({comma(), part});
    return grammar_.add_rule_reference(id, where_);
  };
  std::vector<NodeId> next;
  for (const Part& part : parts) next.push_back(shared(part.node));
  const NodeId next_further = further == NodeId::kEmpty ? further : shared(further);
  const auto first = static_cast<std::uint32_t>(grammar_.rules.size());
  // The last rule is that of the empty set, before which no separator stands.
  for (std::size_t seen = 0; seen <= sets; ++seen) {
    grammar_.add_rule(
        {.name = "arguments", .where = where_, .defined = true, .generated = true, .is_one_of_many = true});
  }
  for (std::size_t state = 0; state <= sets; ++state) {
    const bool is_start = state == sets;
    const std::size_t seen = is_start ? 0 : state;
    std::vector<NodeId> ways;
    bool may_end = true;
    const auto add = [&](NodeId one, std::size_t then) {
      const grammar::RuleId after{first + static_cast<std::uint32_t>(then)};
      ways.push_back(sequence({one, grammar_.add_rule_reference(after, where_)}));
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if ((seen >> i & 1U) != 0) continue;
      may_end = may_end && !parts[i].is_required;
      add(is_start ? parts[i].node : next[i], seen | (std::size_t{1} << i));
    }
    if (further != NodeId::kEmpty) add(is_start ? further : next_further, seen);
    if (may_end) ways.push_back(NodeId::kEmpty);
    grammar_.rules[first + state].body = grammar_.add_choice(ways, where_);
  }
  return grammar_.add_rule_reference(grammar::RuleId{first + static_cast<std::uint32_t>(sets)}, where_);
}

NodeId ArgumentBuilder::rule(Kind kind, FormulaId f) {
  static constexpr std::array kNames{"object", "members", "more_members", "list", "items", "more_items"};
  const bool is_of_members = kind == Kind::kMembers || kind == Kind::kMoreMembers;
  const RuleKey key{kind, f, is_of_members && is_root_};
  const auto [known, is_new] = rules_.try_emplace(key);
  if (is_new) {
    known->second = grammar_.add_rule(
        {.name = kNames[static_cast<std::size_t>(kind)], .where = where_, .defined = true, .generated = true});
    open_.push_back(key);
  }
  return grammar_.add_rule_reference(known->second, where_);
}

ArgumentBuilder::Node ArgumentBuilder::body(const RuleKey& key) {
  const FormulaId f = key.f;
  is_root_ = key.is_root;
  switch (key.kind) {
    case Kind::kObject: return object_body(f);
    case Kind::kMembers: return member_body(f, true);
    case Kind::kMoreMembers: return member_body(f, false);
    case Kind::kList: return list_body(f);
    case Kind::kItems: return item_body(f, true);
    case Kind::kMoreItems: return item_body(f, false);
  }
  return std::nullopt;
}

// Returns false if the node derives no text, as far as is known: what is nested deeper than kMaxTextlessDepth, a rule within
// itself, and a rule whose body is still to be made are taken to derive one. `known` has the answers for nodes; `depth`
// is the number of nodes around this one.
bool ArgumentBuilder::has_texts(NodeId id, std::map<NodeId, bool>& known, std::uint32_t depth) const {
  const auto [answer, is_new] = known.try_emplace(id, true);
  if (!is_new || depth > kMaxTextlessDepth) return answer->second;
  const grammar::Node& node = grammar_.node(id);
  const auto children = grammar_.children_of(node);
  const auto child_has_texts = [&](NodeId child) {
    return base::with_stack([&] { return has_texts(child, known, depth + 1); });
  };
  switch (node.kind) {
    case grammar::NodeKind::kSequence: answer->second = std::ranges::all_of(children, child_has_texts); break;
    case grammar::NodeKind::kChoice: answer->second = std::ranges::any_of(children, child_has_texts); break;
    case grammar::NodeKind::kRepeat: answer->second = node.min == 0 || child_has_texts(children.front()); break;
    case grammar::NodeKind::kRule:
      answer->second = child_has_texts(grammar_.rule(grammar::RuleId{node.payload}).body);
      break;
    default: break;
  }
  return answer->second;
}

}  // namespace weir::frontend::structural_tag
