// A schema's texts inside other text, as a grammar.
#ifndef WEIR_TESTS_E2E_EMBEDDED_SCHEMA_H_
#define WEIR_TESTS_E2E_EMBEDDED_SCHEMA_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/json_schema/json_schema.h"
#include "weir/grammar.h"

namespace weir {

struct EmbeddedIn {
  std::string_view open;
  std::string_view close;
};

/// Returns a grammar of the schema's texts between the two texts of `around`, repeated `count` times.
inline Grammar embedded_schema(const std::string& schema, const EmbeddedIn& around, std::size_t count = 1,
                               const JsonSchemaOptions& options = {}) {
  const Limits limits;
  grammar::Grammar ir(limits.regex_nodes);
  frontend::Reading reading{ir, limits};
  std::vector<grammar::NodeId> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto rule = frontend::read_json_schema(schema, options, frontend::json_schema::Placement::kEmbedded, reading);
    if (!rule) {
      ADD_FAILURE() << schema << "\n" << reading.errors.front().message;
      break;
    }
    parts.push_back(ir.add_literal(around.open, {}));
    parts.push_back(ir.add_rule_reference(*rule, {}));
    parts.push_back(ir.add_literal(around.close, {}));
  }
  grammar::Rule start{.name = "start", .defined = true};
  start.body = ir.add_sequence(parts, {});
  ir.start = ir.add_rule(std::move(start));
  return Grammar(std::make_shared<const grammar::Grammar>(std::move(ir)), {}, limits, nullptr);
}

}  // namespace weir

#endif  // WEIR_TESTS_E2E_EMBEDDED_SCHEMA_H_
