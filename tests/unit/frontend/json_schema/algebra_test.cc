#include "frontend/json_schema/model/algebra.h"

#include <gtest/gtest.h>

#include "unit/frontend/json_schema/rules_rig.h"

namespace weir::frontend::json_schema {
namespace {

class AlgebraTest : public testing::Test {
 protected:
  RulesRig rig_{"true"};
  Algebra& algebra_ = rig_.algebra();
};

TEST_F(AlgebraTest, SetsHaveANormalForm) {
  const SetId a = algebra_.set([] {
    Shape shape;
    shape.literals = Shape::kNull;
    return shape;
  }());
  const SetId b = algebra_.set([] {
    Shape shape;
    shape.literals = Shape::kTrue;
    return shape;
  }());
  EXPECT_EQ(algebra_.meet(a, b), algebra_.meet(b, a));
  EXPECT_EQ(algebra_.join({a, b, a}), algebra_.join(b, a));
  EXPECT_EQ(algebra_.meet(a, SetId::kAny), a);
  EXPECT_EQ(algebra_.join(a, SetId::kNone), a);
  EXPECT_EQ(algebra_.complement(algebra_.complement(a)), a);
  EXPECT_EQ(algebra_.complement(SetId::kAny), SetId::kNone);
  EXPECT_EQ(algebra_.shape(algebra_.meet(a, b)).literals, 0);
  EXPECT_EQ(algebra_.shape(algebra_.join(a, b)).literals, Shape::kNull | Shape::kTrue);
  EXPECT_EQ(algebra_.shape(algebra_.complement(a)).literals, Shape::kTrue | Shape::kFalse);
}

// Known without evaluating them, as for any other two sets.
TEST_F(AlgebraTest, ASetAndItsComplement) {
  RulesRig rig(R"({"type": "string", "minLength": 3})");
  Algebra& algebra = rig.algebra();
  const SetId strings = rig.root();
  const SetId others = algebra.complement(strings);
  const SetId one = algebra.set({.literals = Shape::kNull});
  EXPECT_EQ(algebra.meet(strings, others), SetId::kNone);
  EXPECT_EQ(algebra.join(others, strings), SetId::kAny);
  EXPECT_EQ(algebra.meet({others, one, strings}), SetId::kNone);
  EXPECT_EQ(algebra.meet(algebra.meet(strings, one), others), SetId::kNone);
  EXPECT_EQ(algebra.join({one, strings, others}), SetId::kAny);
  EXPECT_NE(algebra.meet(one, others), SetId::kNone);
}

// Combinations of shapes are remembered, and those of other operands or of the other kind are others.
TEST_F(AlgebraTest, CombinationsOfShapesAreRemembered) {
  const auto set = [&](int literals) { return algebra_.set({.literals = static_cast<std::uint8_t>(literals)}); };
  for (int time = 0; time < 2; ++time) {
    for (int a = 0; a <= Shape::kAllLiterals; ++a) {
      for (int b = 0; b <= Shape::kAllLiterals; ++b) {
        for (int c = 0; c <= Shape::kAllLiterals; ++c) {
          ASSERT_EQ(algebra_.meet({set(a), set(b), set(c)}), set(a & b & c));
          ASSERT_EQ(algebra_.join({set(a), set(b), set(c)}), set(a | b | c));
        }
        ASSERT_EQ(algebra_.meet(set(a), set(b)), set(a & b));
        ASSERT_EQ(algebra_.join(set(a), set(b)), set(a | b));
      }
    }
  }
}

TEST_F(AlgebraTest, CountsAreMerged) {
  EXPECT_EQ(algebra_.meet(algebra_.min_items(1), algebra_.min_items(3)), algebra_.min_items(3));
  EXPECT_EQ(algebra_.meet(algebra_.max_members(1), algebra_.max_members(3)), algebra_.max_members(1));
  EXPECT_EQ(algebra_.meet(algebra_.min_items(2), algebra_.max_items(1)), FormulaId::kFalse);
  EXPECT_EQ(algebra_.meet(algebra_.min_members(2), algebra_.max_members(1)), FormulaId::kFalse);
  EXPECT_EQ(algebra_.min_items(0), FormulaId::kTrue);
  EXPECT_EQ(algebra_.complement(algebra_.min_items(2)), algebra_.max_items(1));
  EXPECT_EQ(algebra_.complement(algebra_.max_members(2)), algebra_.min_members(3));
}

TEST_F(AlgebraTest, ComplementsOfAtoms) {
  const FormulaId has = algebra_.has(algebra_.name("a"));
  const FormulaId few = algebra_.max_members(2);
  EXPECT_EQ(algebra_.complement(has), algebra_.lacks(algebra_.name("a")));
  EXPECT_EQ(algebra_.meet(has, algebra_.complement(has)), FormulaId::kFalse);
  EXPECT_EQ(algebra_.join(has, algebra_.complement(has)), FormulaId::kTrue);
  EXPECT_EQ(algebra_.complement(algebra_.meet(has, few)),
            algebra_.join(algebra_.complement(has), algebra_.complement(few)));
}

TEST_F(AlgebraTest, WaysThatAConjunctionExcludesAreDropped) {
  const FormulaId unique = algebra_.unique(SetId::kAny);
  const FormulaId few = algebra_.max_items(3);
  const FormulaId repeats_or_few = algebra_.join(algebra_.complement(unique), few);
  EXPECT_EQ(algebra_.meet(unique, repeats_or_few), algebra_.meet(unique, few));
  EXPECT_EQ(algebra_.meet({unique, algebra_.min_items(4), repeats_or_few}), FormulaId::kFalse);
}

TEST_F(AlgebraTest, MapsThatAskNothing) {
  EXPECT_EQ(algebra_.items({}), FormulaId::kTrue);
  EXPECT_EQ(algebra_.complement(algebra_.items({})), FormulaId::kFalse);
  EXPECT_EQ(algebra_.members({}), FormulaId::kTrue);
  EXPECT_EQ(algebra_.not_members({}, {}), FormulaId::kFalse);
}

TEST_F(AlgebraTest, FormulasKnowWhatTheyAreAbout) {
  const FormulaId few = algebra_.max_members(0);
  EXPECT_TRUE(algebra_.is_about_objects(few));
  EXPECT_FALSE(algebra_.is_about_objects(algebra_.max_items(0)));
  EXPECT_TRUE(algebra_.is_about_objects(algebra_.one_of({FormulaId::kTrue, few})));
}

TEST_F(AlgebraTest, StepsAreCounted) {
  EXPECT_TRUE(algebra_.step());
  EXPECT_FALSE(algebra_.step(algebra_.limits().schema_steps));
  EXPECT_EQ(algebra_.limit_hit(), base::Limit::kSchemaSteps);
  algebra_.reset_steps();
  EXPECT_EQ(algebra_.limit_hit(), base::Limit::kNone);
}

}  // namespace
}  // namespace weir::frontend::json_schema
