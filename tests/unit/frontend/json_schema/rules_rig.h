// A schema with the algebra and the witnesses that are needed to make its rules.
#ifndef WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_RULES_RIG_H_
#define WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_RULES_RIG_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/json_schema/rules/schema_check.h"
#include "frontend/json_schema/rules/schema_rules.h"
#include "frontend/json_schema/source/documents.h"
#include "frontend/json_schema/values/layout.h"

namespace weir::frontend::json_schema {

class RulesRig {
 public:
  explicit RulesRig(std::string_view text, JsonSchemaOptions options = {})
      : options_(std::move(options)), exprs_(limits_.regex_nodes) {
    auto store = std::make_unique<SchemaStore>(registry_, limits_);
    const Result<SchemaId> root = store->load(text, load_options(options_));
    EXPECT_TRUE(root.has_value()) << (root ? "" : root.error().message);
    std::vector<Warning> warnings;
    const auto checked = check_schemas(*store, *root, exprs_, options_, limits_, warnings);
    EXPECT_TRUE(checked.has_value()) << (checked ? "" : checked.error().message);
    rules_ = std::make_unique<SchemaRules>(std::move(store), *root, options_, *Layout::make(exprs_, options_, limits_),
                                           Placement::kWholeText, Argument{}, exprs_, limits_);
  }
  RulesRig(const RulesRig&) = delete;
  RulesRig& operator=(const RulesRig&) = delete;

  SchemaRules& rules() { return *rules_; }
  regex::ExprSet& exprs() { return exprs_; }
  Algebra& algebra() { return rules_->algebra(); }
  Witness& witness() { return rules_->witness(); }
  [[nodiscard]] SetId root() const { return rules_->root(); }
  /// Returns a text of the schema without white space, or "none".
  std::string member() {
    return witness().has_member(root()) ? witness().text(root(), Layout::compact(), 0, SIZE_MAX).text() : "none";
  }

 private:
  Limits limits_;
  JsonSchemaOptions options_;
  SchemaRegistry registry_;
  regex::ExprSet exprs_;
  std::unique_ptr<SchemaRules> rules_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_RULES_RIG_H_
