// Makes the rules of a schema one after the other, in an order in which a parser could reach them.
#ifndef WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_MADE_RULES_H_
#define WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_MADE_RULES_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grammar/growth.h"
#include "unit/frontend/json_schema/rules_rig.h"

namespace weir::frontend::json_schema {

// Makes the first rules of a rig that a parser could reach.
class MadeRules {
 public:
  explicit MadeRules(RulesRig& rig)
      : rig_(rig), cfg_(seed(rig.rules()), rig.exprs(), [](const grammar::Terminal&) {}) {}

  void make(std::size_t count) {
    for (; made_ < count && made_ < cfg_.cfg().rules.size(); ++made_) {
      const grammar::RuleId rule{static_cast<std::uint32_t>(made_)};
      ASSERT_EQ(cfg_.complete(rule), base::Limit::kNone);
    }
  }
  [[nodiscard]] std::size_t count() const { return made_; }
  [[nodiscard]] const grammar::Cfg& cfg() const { return cfg_.cfg(); }

  [[nodiscard]] std::uint64_t work() const {
    Algebra& algebra = rig_.algebra();
    return algebra.total_steps() + algebra.set_count() + algebra.formula_count() + rig_.exprs().node_count();
  }

 private:
  class Forward : public grammar::RuleMaker {
   public:
    explicit Forward(SchemaRules& rules) : rules_(rules) {}
    base::Limit make(std::uint32_t handle, grammar::GrowingCfg& out) override { return rules_.make(handle, out); }
    std::optional<base::CutText> short_text(std::uint32_t handle, std::size_t most) override {
      return rules_.short_text(handle, most);
    }

   private:
    SchemaRules& rules_;
  };
  class Source : public grammar::RuleSource {
   public:
    explicit Source(SchemaRules& rules) : rules_(rules) {}
    [[nodiscard]] std::unique_ptr<grammar::RuleMaker> maker(regex::ExprSet& /*exprs*/) const override {
      return std::make_unique<Forward>(rules_);
    }

   private:
    SchemaRules& rules_;
  };

  static grammar::Cfg seed(SchemaRules& rules) {
    grammar::Cfg cfg{regex::ExprSet(0)};
    cfg.sources.push_back({std::make_shared<Source>(rules)});
    cfg.rules.emplace_back();
    cfg.rules.back().lazy = {0, SchemaRules::kRoot};
    return cfg;
  }

  RulesRig& rig_;
  grammar::GrowingCfg cfg_;
  std::size_t made_ = 0;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_MADE_RULES_H_
