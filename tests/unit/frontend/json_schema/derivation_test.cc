#include "frontend/json_schema/model/derivation.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "unit/frontend/json_schema/rules_rig.h"

namespace weir::frontend::json_schema {
namespace {

class DerivationTest : public testing::Test {
 protected:
  SetId literal(std::uint8_t which) {
    Shape shape;
    shape.literals = which;
    return algebra_.set(shape);
  }
  KeyClass key_of(FormulaId f, std::string_view name) {
    const Derivation::KeyClasses classes = derivation_.key_classes(f);
    for (const KeyClass& key : *classes) {
      if (key.name.has_value() && algebra_.name(*key.name) == name) return key;
    }
    ADD_FAILURE() << "no key " << name;
    return {};
  }

  RulesRig rig_{"true"};
  Algebra& algebra_ = rig_.algebra();
  Derivation& derivation_ = rig_.witness().derivation();
};

TEST_F(DerivationTest, ItemsCountDown) {
  const FormulaId two = algebra_.meet(algebra_.min_items(2), algebra_.max_items(2));
  EXPECT_FALSE(derivation_.accepts(two));
  const std::vector<Choice> first = derivation_.next_item(two);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].value, SetId::kAny);
  const std::vector<Choice> second = derivation_.next_item(first[0].rest);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_TRUE(derivation_.accepts(second[0].rest));
  EXPECT_TRUE(derivation_.next_item(second[0].rest).empty());
}

TEST_F(DerivationTest, PrefixIsConsumed) {
  const SetId null = literal(Shape::kNull);
  const std::vector<Choice> choices = derivation_.next_item(algebra_.items({{null}, SetId::kNone}));
  ASSERT_EQ(choices.size(), 1U);
  EXPECT_EQ(choices[0].value, null);
  EXPECT_EQ(choices[0].rest, algebra_.items({{}, SetId::kNone}));
}

TEST_F(DerivationTest, ARequiredNameIsRequiredOnce) {
  const FormulaId has = algebra_.has(algebra_.name("a"));
  EXPECT_FALSE(derivation_.accepts(has));
  const std::vector<Choice> choices = derivation_.next_member(has, key_of(has, "a"));
  ASSERT_EQ(choices.size(), 1U);
  EXPECT_EQ(choices[0].rest, FormulaId::kTrue);
  EXPECT_TRUE(derivation_.next_member(algebra_.lacks(algebra_.name("a")), key_of(has, "a")).empty());
}

TEST_F(DerivationTest, KeyClassesAreThoseThatTheFormulaDistinguishes) {
  PropertyMap map;
  map.names = {{algebra_.name("a"), literal(Shape::kNull)}};
  map.patterns = {{algebra_.exprs().literal("b"), literal(Shape::kTrue)}};
  map.other = literal(Shape::kFalse);
  const FormulaId f = algebra_.members(map);
  EXPECT_EQ(derivation_.lookup(map, key_of(f, "a")), literal(Shape::kNull));
  const Derivation::KeyClasses classes = derivation_.key_classes(f);
  ASSERT_EQ(classes->size(), 3U);  // a, b, all others
  EXPECT_EQ(derivation_.lookup(map, (*classes)[2]), literal(Shape::kFalse));
}

TEST_F(DerivationTest, SearchesAllowLongerKeys) {
  regex::ExprSet& exprs = algebra_.exprs();
  const regex::ExprId any = exprs.repeat(exprs.byte_set(regex::ByteSet::range(0x20, 0x7E)), 0, regex::kUnbounded);
  const auto search = [&](std::string_view word) { return exprs.concat(std::vector{any, exprs.literal(word), any}); };
  const regex::ExprId whole = exprs.literal("ab");
  const regex::ExprId to_x = exprs.concat(any, exprs.literal("x"));
  EXPECT_TRUE(derivation_.allow_longer_keys({}));
  EXPECT_TRUE(derivation_.allow_longer_keys(std::vector{search("ab"), search("cd")}));
  EXPECT_FALSE(derivation_.allow_longer_keys(std::vector{search("ab"), whole}));  // "ab" does not match any longer
  EXPECT_FALSE(derivation_.allow_longer_keys(std::vector{to_x}));                 // another x makes "a" match
}

TEST_F(DerivationTest, OnlyUniqueItemsWantTheirValue) {
  EXPECT_TRUE(derivation_.wants_value(algebra_.unique(SetId::kAny)));
  EXPECT_FALSE(derivation_.wants_value(algebra_.min_items(2)));
  EXPECT_EQ(derivation_.with_value(algebra_.min_items(2), literal(Shape::kNull)), algebra_.min_items(2));
}

}  // namespace
}  // namespace weir::frontend::json_schema
