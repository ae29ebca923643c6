#include "frontend/json_schema/source/metaschemas.h"

#include <gtest/gtest.h>

#include <string>

#include "unit/frontend/json_schema/mini_validator.h"

namespace weir::frontend::json_schema {
namespace {

/// Returns the location of the schema that `$ref: reference` refers to, or the error's message.
std::string follow(const std::string& reference, const SchemaRegistry& registry = {}) {
  SchemaStore store(registry, Limits{});
  const Result<SchemaId> root = store.load(R"({"$ref": ")" + reference + R"("})", {});
  if (!root) return root.error().message;
  const auto target = store.follow(*root, Keyword::kRef, ScopeId::kEmpty);
  return target ? store.location(target->schema) : target.error().message;
}

// The conformance tests compare the metaschemas with the published ones.
TEST(Metaschemas, AreFoundByReferencesWithTheirDefinitions) {
  for (const char* const reference :
       {"http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-04/schema#/definitions/positiveIntegerDefault0",
        "http://json-schema.org/draft-04/schema#/properties/title",
        "http://json-schema.org/draft-06/schema#/definitions/nonNegativeInteger",
        "http://json-schema.org/draft-07/schema#/definitions/schemaArray",
        "https://json-schema.org/draft/2019-09/schema#", "https://json-schema.org/draft/2019-09/meta/format#",
        "https://json-schema.org/draft/2020-12/meta/format-assertion#/properties/format",
        "https://json-schema.org/draft/2020-12/meta/validation#/$defs/stringArray"}) {
    EXPECT_EQ(follow(reference), reference);
  }
}

TEST(Metaschemas, UnknownNames) {
  EXPECT_EQ(metaschema_text("http://json-schema.org/draft-03/schema"), "");
  EXPECT_EQ(metaschema_text("https://json-schema.org/draft/2020-12/meta/strange"), "");
  EXPECT_EQ(metaschema_text("https://json-schema.org/draft/2019-09/meta/unevaluated"), "");
  EXPECT_EQ(metaschema_text("https://example.com/"), "");
}

TEST(Metaschemas, ADocumentOfTheRegistryTakesPrecedence) {
  SchemaRegistry registry;
  ASSERT_TRUE(registry.add("http://json-schema.org/draft-07/schema", R"({"$defs": {"mine": {}}})", Limits{}));
  EXPECT_EQ(follow("http://json-schema.org/draft-07/schema#/$defs/mine", registry),
            "http://json-schema.org/draft-07/schema#/$defs/mine");
}

// A metaschema refers to itself by dynamic references. If a schema with the same dynamic anchor extends the metaschema,
// these references mean that schema, so it applies to subschemas, too.
TEST(Metaschemas, CanBeExtended) {
  constexpr std::string_view kStrict = R"({"$id": "https://example.com/strict", "$dynamicAnchor": "meta",
      "$ref": "https://json-schema.org/draft/2020-12/schema", "properties": {"title": false}})";
  const auto is_valid = [&](std::string_view instance) {
    const SchemaRegistry registry;
    SchemaStore store(registry, Limits{});
    const SchemaId root = store.load(kStrict, {}).value();
    MiniValidator validator(store);
    const bool valid = validator.is_valid(root, JsonDocument::parse(instance, Limits{}).value().root());
    EXPECT_EQ(validator.error(), "");
    return valid;
  };
  EXPECT_TRUE(is_valid(R"({"items": {"minLength": 1}})"));
  EXPECT_FALSE(is_valid(R"({"items": {"minLength": -1}})"));
  EXPECT_FALSE(is_valid(R"({"title": ""})"));
  EXPECT_FALSE(is_valid(R"({"items": {"title": ""}})"));
}

}  // namespace
}  // namespace weir::frontend::json_schema
