// KeyProbe: which keys an object may have, for all keys of a formula.
//
// WHY    A rule offers only keys behind which the object can be finished. A search for each of n keys, in formulas of n
//        parts, is what makes objects of many properties slow.
// HOW    An object that satisfies a conjunction mostly still does with one member more: unless the key is lacking
//        there, its value is in no set that is asked for, or the count is full. Objects that were found are kept, and
//        only a key that none of them can have is searched for.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_KEY_PROBE_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_KEY_PROBE_H_

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/model/derivation.h"
#include "frontend/json_schema/model/witness.h"

namespace weir::frontend::json_schema {

class KeyProbe {
 public:
  enum class Order : std::uint8_t { kAny, kDeclared /* see JsonSchemaOptions::Order */ };

  KeyProbe(Algebra& algebra, Witness& witness, FormulaId f, Order order);

  [[nodiscard]] FormulaId formula() const { return formula_; }

  /// Whether an object of the formula may begin with such a key, one of the formula's classes.
  bool may_begin_with(const KeyClass& key);

  /// What a member with such a key leaves, if it is the first: each choice that can be finished.
  std::vector<Choice> choices(const KeyClass& key);

  /// Whether the key, when it has come, is crossed out: of listed names the rules know what is left. Where a key that
  /// is not listed may begin with it, it does no harm, and the objects with it and without it have one rule.
  bool is_crossed_out(const KeyClass& key);

  /// Keys that may come and are not listed.
  [[nodiscard]] regex::ExprId open() const { return open_; }
  /// Whether all of those that begin in some way may have been used. True, too, where that takes too long to see.
  bool may_run_out();

 private:
  struct Known {
    Witness::ObjectAtoms atoms;
    std::unordered_map<NameId, std::uint32_t> names;  // of the members that have one, with their rank
    std::vector<regex::ExprId> classes;               // of the others
    std::uint64_t size = 0;
  };
  enum class Answer : std::uint8_t { kYes, kNo, kUnknown };

  void keep(const Witness::ObjectPlan& plan);
  [[nodiscard]] Answer answer(const Known& known, const KeyClass& key);
  [[nodiscard]] bool is_in_order(const Known& known, const KeyClass& key) const;
  [[nodiscard]] std::unordered_set<NameId> open_names() const;
  [[nodiscard]] FormulaId without_passed(FormulaId rest, const KeyClass& key);

  Algebra& algebra_;
  Witness& witness_;
  FormulaId formula_;
  Order order_;
  bool has_patterns_ = false;
  bool is_conjunction_ = false;
  std::unordered_map<NameId, std::uint32_t> ranks_;
  std::vector<Known> known_;
  regex::ExprId open_ = regex::ExprId::kNothing;
  std::vector<KeyClass> unlisted_;
  std::vector<KeyClass> open_classes_;  // those of them that may come
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_KEY_PROBE_H_
