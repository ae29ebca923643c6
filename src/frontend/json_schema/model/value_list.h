// ValueList: the values of a set, one after the other.
//
// WHY    Items that must differ, and keys of one class, are taken from a set one by one. A search for each, in the set
//        without the earlier ones, would explore the set as often as there are items.
// HOW    First literals, then numbers in plain notation and strings, short ones first (regex/analysis/member_list.h), then
//        the arrays and objects that the set lists. Each further value is searched for in the set without the earlier ones.
// THREADS As Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_VALUE_LIST_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_VALUE_LIST_H_

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/json_schema/model/algebra.h"
#include "regex/analysis/member_list.h"

namespace weir::frontend::json_schema {

class Witness;

class ValueList {
 public:
  ValueList(Algebra& algebra, Witness& witness, SetId set);

  /// Returns the set of the next value alone; nullopt if there is none, or if a limit was met.
  std::optional<SetId> next();
  /// The same, without values that are not listed but searched for.
  std::optional<SetId> next_listed();

 private:
  std::optional<SetId> next_number();
  std::optional<SetId> next_string();
  std::optional<SetId> next_constant();

  Algebra& algebra_;
  Witness& witness_;
  Shape left_;  // its literals, arrays and objects have not been returned yet, nor its numbers if `is_searched_`
  bool is_searched_ = false;
  std::optional<regex::MemberList> numbers_;
  std::optional<regex::MemberList> strings_;
  std::vector<SetId> listed_numbers_;  // those that have been returned
  std::vector<SetId> constants_;       // in reverse order
  bool has_constants_ = false;         // constants_ has been filled
};

/// Values of several sets that all differ.
class DifferentValues {
 public:
  DifferentValues(Algebra& algebra, Witness& witness) : algebra_(algebra), witness_(witness) {}

  /// Returns the set of a value alone that has not been returned before; nullopt if the set has none, or if a limit was
  /// met.
  std::optional<SetId> next(SetId set) { return first_unused(set, &ValueList::next); }
  std::optional<SetId> next_listed(SetId set) { return first_unused(set, &ValueList::next_listed); }

 private:
  std::optional<SetId> first_unused(SetId set, std::optional<SetId> (ValueList::*next)());

  Algebra& algebra_;
  Witness& witness_;
  std::unordered_map<SetId, ValueList> lists_;
  std::unordered_set<SetId> used_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_VALUE_LIST_H_
