// ConstantTexts: the texts of many constant arrays or objects, as an `enum` lists them, as one expression.
//
// WHY    Rules for a choice among n objects have n productions after the first key, and n terminals in progress within
//        its value. A mask takes steps for each of them, although most tokens match few.
// HOW    A *level* is the set of constants that agree with the text so far, each with what follows it. Its expression is
//        made when a text reaches it: for each key that may come, a table (regex/atoms/word_table.h) of the values that
//        the constants have there, each followed by the level of the constants with that value. The first table of an
//        order of members holds all constants; later ones are small. Blanks and the order of members are as in
//        schema_rules.h.
// LIMITS regex_nodes. Constants that are not in UTF-8 are left to rules.
// THREADS Same as Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_CONSTANT_TEXTS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_CONSTANT_TEXTS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/interner.h"
#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/values/layout.h"
#include "regex/atoms/atom.h"
#include "regex/atoms/word_table.h"

namespace weir::frontend::json_schema {

class ConstantTexts {
 public:
  /// All arguments must outlive this object, which must outlive the expressions that it makes. `key_texts` returns the
  /// texts of a key with the colon.
  ConstantTexts(Algebra& algebra, const Layout& layout, std::function<regex::ExprId(NameId)> key_texts)
      : algebra_(algebra), layout_(layout), key_texts_(std::move(key_texts)), level_atom_(*this) {}
  ConstantTexts(const ConstantTexts&) = delete;
  ConstantTexts& operator=(const ConstantTexts&) = delete;

  /// Returns the texts of the arrays or objects of `f`, whose members are at `depth`, if it is a disjunction of at least
  /// kLongEnum constants. Returns nullopt if it is not.
  std::optional<regex::ExprId> texts(FormulaId f, std::uint32_t depth);

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  class LevelAtom final : public regex::Atom {
   public:
    explicit LevelAtom(ConstantTexts& texts) : Atom(Form::kPlain), texts_(texts) {}
    [[nodiscard]] bool is_constant() const override { return false; }
    [[nodiscard]] Properties properties(const regex::ExprSet& exprs, const regex::AtomState& state) const override;
    regex::ExprId derivative(regex::ExprSet& exprs, const regex::AtomState& state, std::uint8_t byte) const override;
    [[nodiscard]] std::span<const regex::ByteSet> classes(const regex::AtomState& state) const override;
    void refine_classes(regex::ByteClasses& classes) const override { classes = regex::ByteClasses::single(); }
    [[nodiscard]] std::string name(const regex::AtomState& state) const override;
    bool append_branches(regex::ExprSet& exprs, const regex::AtomState& state,
                         std::vector<regex::ExprSet::Branch>& branches) const override;
    [[nodiscard]] Transient transient(const regex::ExprSet&, const regex::AtomState&) const override {
      return Transient::kAlsoAsHead;
    }

   private:
    ConstantTexts& texts_;
  };
  struct Candidate {
    ConstantId constant;
    regex::ExprId after;  // what follows its closing bracket
  };
  // A value that comes next, and the constant that it is part of.
  struct Next {
    SetId value;
    Candidate of;
  };
  struct Place {
    bool is_object;
    std::uint32_t depth;
    std::uint32_t read;      // array: the number of items read; object: the id in names_read_ of the names read
    bool is_inside = false;  // the comma before the next item or member, if any, has been read
  };
  class Values;

  std::uint32_t least_length(SetId value);
  std::uint32_t least_length(const Constant& constant);
  std::uint64_t least_rest(const Place& place, const Candidate& candidate);
  regex::ExprId level(const Place& place, std::span<const Candidate> candidates);
  regex::ExprId made(std::uint32_t level);
  [[nodiscard]] std::size_t count_read(const Place& place) const;
  regex::ExprId make(const Place& place, std::span<const Candidate> candidates);
  regex::ExprId make_inside(const Place& place, std::span<const Candidate> candidates);
  regex::ExprId values(const Place& place, std::vector<Next> next);
  [[nodiscard]] std::optional<ConstantId> constant_in(SetId value);

  Algebra& algebra_;
  const Layout& layout_;
  std::function<regex::ExprId(NameId)> key_texts_;
  LevelAtom level_atom_;
  base::WordInterner levels_;        // by state.a: the place, then each candidate
  std::vector<regex::ExprId> made_;  // by level; kNothing: not made yet
  base::WordInterner names_read_;    // sets of names, ascending
  std::size_t candidate_count_ = 0;
  std::unordered_map<SetId, std::uint32_t> least_lengths_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_CONSTANT_TEXTS_H_
