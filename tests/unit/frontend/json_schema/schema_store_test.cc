#include "frontend/json_schema/source/schema_store.h"

#include <gtest/gtest.h>

#include "unit/frontend/json_schema/mini_validator.h"

namespace weir::frontend::json_schema {
namespace {

/// A loaded schema. The test fails if the schema cannot be loaded.
class Loaded {
 public:
  explicit Loaded(std::string_view text, const LoadOptions& options = {}, SchemaRegistry registry = {})
      : text_(text), registry_(std::move(registry)), store_(registry_, Limits{}) {
    const Result<SchemaId> root = store_.load(text_, options);
    EXPECT_TRUE(root.has_value()) << (root ? "" : root.error().message);
    if (root) root_ = *root;
  }
  SchemaStore& operator*() { return store_; }
  SchemaStore* operator->() { return &store_; }
  [[nodiscard]] SchemaId root() const { return root_; }
  SchemaId property(std::string_view name) {
    return *store_.subschema(root_, *store_.find(root_, Keyword::kProperties)->find(name));
  }
  /// Returns the location of the schema that the `$ref` of a property refers to, or the error's message.
  std::string follow(std::string_view name, Keyword keyword = Keyword::kRef) {
    const SchemaId schema = property(name);
    const auto target = store_.follow(schema, keyword, store_.enter(store_.enter(ScopeId::kEmpty, root_), schema));
    if (!target) last_error_ = target.error();
    return target ? store_.location(target->schema) : target.error().message;
  }
  [[nodiscard]] const Error& last_error() const { return last_error_; }
  [[nodiscard]] std::string at(SourceRange where) const { return text_.substr(where.start, where.end - where.start); }

 private:
  std::string text_;
  SchemaRegistry registry_;
  SchemaStore store_;
  SchemaId root_{};
  Error last_error_;
};

TEST(SchemaStore, DialectsBySchemaKeyword) {
  const auto dialect = [](std::string_view uri) {
    Loaded schema(R"({"$schema": ")" + std::string(uri) + R"("})");
    EXPECT_TRUE(schema->warnings().empty()) << uri;
    return schema->dialect(schema.root());
  };
  EXPECT_EQ(dialect("http://json-schema.org/draft-04/schema#"), Dialect::kDraft4);
  EXPECT_EQ(dialect("http://json-schema.org/draft-04/schema"), Dialect::kDraft4);
  EXPECT_EQ(dialect("http://json-schema.org/draft-05/schema#"), Dialect::kDraft4);
  EXPECT_EQ(dialect("https://json-schema.org/draft-06/schema#"), Dialect::kDraft6);
  EXPECT_EQ(dialect("http://json-schema.org/draft-07/schema#"), Dialect::kDraft7);
  EXPECT_EQ(dialect("https://json-schema.org/draft/2019-09/schema"), Dialect::k2019_09);
  EXPECT_EQ(dialect("https://json-schema.org/draft/2020-12/schema"), Dialect::k2020_12);
  Loaded none("{}");
  EXPECT_EQ(none->dialect(none.root()), Dialect::k2020_12);
  Loaded chosen("{}", {"", Dialect::kDraft7});
  EXPECT_EQ(chosen->dialect(chosen.root()), Dialect::kDraft7);
  Loaded boolean("true");
  EXPECT_TRUE(boolean->json(boolean.root()).boolean());
}

TEST(SchemaStore, UnknownAndUnsupportedDialects) {
  const std::string text = R"({"$schema": "https://example.com/mine", "type": "null"})";
  Loaded unknown(text, {"", Dialect::kDraft6});
  EXPECT_EQ(unknown->dialect(unknown.root()), Dialect::kDraft6);
  ASSERT_EQ(unknown->warnings().size(), 1U);
  EXPECT_EQ(unknown.at(unknown->warnings()[0].where), "\"https://example.com/mine\"");

  const SchemaRegistry registry;
  SchemaStore store(registry, Limits{});
  const auto old = store.load(R"({"$schema": "http://json-schema.org/draft-03/schema#"})", {});
  ASSERT_FALSE(old.has_value());
  EXPECT_EQ(old.error().code, ErrorCode::kUnsupported);
  SchemaStore second(registry, Limits{});
  const auto number = second.load(" 12", {});
  ASSERT_FALSE(number.has_value());
  EXPECT_EQ(number.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(number.error().where, (SourceRange{1, 3}));
}

TEST(SchemaStore, KeywordsExistWhereTheirDialectHasThem) {
  const std::string body =
      R"("const": 1, "if": {}, "dependentRequired": {}, "prefixItems": [], "additionalItems": {}, "minimum": 1, "unknown": 2})";
  using Reading = JsonSchemaOptions::Reading;
  const auto known = [&](Dialect dialect, Reading reading = Reading::kSpecification) {
    Loaded schema("{" + body, {"", dialect, reading});
    std::string found;
    const std::pair<Keyword, char> keywords[] = {{Keyword::kConst, 'c'},
                                                 {Keyword::kIf, 'i'},
                                                 {Keyword::kDependentRequired, 'd'},
                                                 {Keyword::kPrefixItems, 'p'},
                                                 {Keyword::kAdditionalItems, 'a'},
                                                 {Keyword::kMinimum, 'm'}};
    for (const auto& [keyword, letter] : keywords) {
      if (schema->find(schema.root(), keyword) != nullptr) found += letter;
    }
    return found;
  };
  EXPECT_EQ(known(Dialect::kDraft4), "am");
  EXPECT_EQ(known(Dialect::kDraft6), "cam");
  EXPECT_EQ(known(Dialect::kDraft7), "ciam");
  EXPECT_EQ(known(Dialect::k2019_09), "cidam");
  EXPECT_EQ(known(Dialect::k2020_12), "cidpm");
  // In practice those of later drafts exist, too; `additionalItems` is of earlier ones than 2020-12.
  EXPECT_EQ(known(Dialect::kDraft4, Reading::kPractice), "cidpam");
  EXPECT_EQ(known(Dialect::k2019_09, Reading::kPractice), "cidpam");
  EXPECT_EQ(known(Dialect::k2020_12, Reading::kPractice), "cidpm");
}

TEST(SchemaStore, InPracticeSiblingsOfAReferenceCountButItsIdentifier) {
  const std::string text =
      R"({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {"type": "string"}}, "properties": {
          "b": {"$id": "http://example.com/other", "$ref": "#/definitions/a", "maxLength": 1}}})";
  for (const auto reading : {JsonSchemaOptions::Reading::kSpecification, JsonSchemaOptions::Reading::kPractice}) {
    Loaded schema(text, {"", Dialect::k2020_12, reading});
    const bool is_practice = reading == JsonSchemaOptions::Reading::kPractice;
    EXPECT_EQ(schema->find(schema.property("b"), Keyword::kMaxLength) != nullptr, is_practice);
    EXPECT_EQ(schema->hides_siblings(schema.property("b")), !is_practice);
    EXPECT_EQ(schema.follow("b"), "#/definitions/a");
  }
}

TEST(SchemaStore, RefHidesItsSiblingsUpToDraft7) {
  const std::string text =
      R"({"properties": {"a": {"$ref": "#/definitions/b", "maxItems": 2}}, "definitions": {"b": {}}})";
  Loaded before(text, {"", Dialect::kDraft7});
  EXPECT_EQ(before->find(before.property("a"), Keyword::kMaxItems), nullptr);
  EXPECT_EQ(before.follow("a"), "#/definitions/b");
  Loaded after(text, {"", Dialect::k2019_09});
  EXPECT_NE(after->find(after.property("a"), Keyword::kMaxItems), nullptr);
  EXPECT_EQ(after.follow("a"), "#/definitions/b");
}

TEST(SchemaStore, ReferencesByPointerAnchorAndUri) {
  Loaded schema(R"({
    "$id": "https://example.com/dir/root.json",
    "properties": {
      "root": {"$ref": "#"}, "pointer": {"$ref": "#/$defs/a~1b/items/0"}, "percent": {"$ref": "#/$defs/%C3%A9%25"},
      "anchor": {"$ref": "#here"}, "relative": {"$ref": "sub/x.json"}, "absolute": {"$ref": "https://example.com/dir/sub/x.json"},
      "inner": {"$ref": "sub/x.json#in"}, "deep": {"$ref": "#/$defs/x/$defs/y"}, "self": {"$ref": "root.json#/$defs/x"},
      "unknown": {"$ref": "#/stuff/0/a"}, "absolute_path": {"$ref": "/dir/sub/x.json"}
    },
    "$defs": {
      "a/b": {"items": [{"type": "null"}]}, "é%": {"$anchor": "here"},
      "x": {"$id": "sub/x.json", "$defs": {"y": {"$anchor": "in", "$ref": "#/$defs/z"}, "z": {}}}
    },
    "stuff": [{"a": {"$id": "no-resource.json"}}]
  })");
  EXPECT_EQ(schema.follow("root"), "#");
  EXPECT_EQ(schema.follow("pointer"), "#/$defs/a~1b/items/0");
  EXPECT_EQ(schema.follow("percent"), "#/$defs/é%");
  EXPECT_EQ(schema.follow("anchor"), "#/$defs/é%");
  EXPECT_EQ(schema.follow("relative"), "#/$defs/x");
  EXPECT_EQ(schema.follow("absolute"), "#/$defs/x");
  EXPECT_EQ(schema.follow("absolute_path"), "#/$defs/x");
  EXPECT_EQ(schema.follow("inner"), "#/$defs/x/$defs/y");
  EXPECT_EQ(schema.follow("deep"), "#/$defs/x/$defs/y");
  EXPECT_EQ(schema.follow("self"), "#/$defs/x");
  EXPECT_EQ(schema.follow("unknown"), "#/stuff/0/a");
  // Inside an embedded resource a pointer starts at that resource.
  const auto y = schema->follow(schema.property("inner"), Keyword::kRef, ScopeId::kEmpty);
  ASSERT_TRUE(y.has_value());
  const auto z = schema->follow(y->schema, Keyword::kRef, y->scope);
  ASSERT_TRUE(z.has_value());
  EXPECT_EQ(schema->location(z->schema), "#/$defs/x/$defs/z");
}

TEST(SchemaStore, AnchorsInIdsUpToDraft7) {
  const std::string text = R"({
    "id": "http://example.com/root", "$id": "http://example.com/root",
    "properties": {"a": {"$ref": "#foo"}, "b": {"$ref": "http://example.com/other#bar"}},
    "definitions": {"a": {"id": "#foo", "$id": "#foo"}, "b": {"id": "other#bar", "$id": "other#bar"},
                    "c": {"id": "#baz", "$id": "#baz", "$ref": "#"}}
  })";
  for (const Dialect dialect : {Dialect::kDraft4, Dialect::kDraft6, Dialect::kDraft7}) {
    Loaded schema(text, {"", dialect});
    EXPECT_EQ(schema.follow("a"), "#/definitions/a");
    EXPECT_EQ(schema.follow("b"), "#/definitions/b");
  }
}

TEST(SchemaStore, EmbeddedResourcesOfOtherDialects) {
  Loaded schema(R"({"properties": {
    "own": {"$id": "http://x/own", "$schema": "http://json-schema.org/draft-07/schema#", "if": {}, "prefixItems": []},
    "no_resource": {"id": "http://x/four", "$schema": "http://json-schema.org/draft-04/schema#", "prefixItems": []},
    "ref": {"$ref": "#/properties"}}})");
  EXPECT_EQ(schema->dialect(schema.property("own")), Dialect::kDraft7);
  EXPECT_EQ(schema->find(schema.property("own"), Keyword::kPrefixItems), nullptr);
  EXPECT_EQ(schema->dialect(schema.property("no_resource")), Dialect::k2020_12);
  EXPECT_NE(schema->find(schema.property("no_resource"), Keyword::kPrefixItems), nullptr);
  EXPECT_EQ(schema->resource(schema.property("no_resource")), schema->resource(schema.root()));
}

TEST(SchemaStore, ErrorsSayWhereAndWhy) {
  Loaded schema(R"({"properties": {
    "a": {"$ref": "#/$defs/missing"}, "b": {"$ref": "#nowhere"}, "c": {"$ref": "http://example.com/x"}, "d": {"$ref": 5},
    "e": {"$ref": "#/$defs/list"}, "f": {"$ref": "#/~2"}, "g": {"$ref": "#/%GG"}, "h": {"$ref": "#/$defs/list/01"}},
    "$defs": {"list": [1]}})");
  EXPECT_EQ(schema.follow("a"), "`$ref` of `#/properties/a` leads to `#/$defs/missing`, which does not exist");
  EXPECT_EQ(schema.at(schema.last_error().where), "\"#/$defs/missing\"");
  EXPECT_EQ(schema.last_error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(schema.follow("b"), "`$ref` of `#/properties/b` leads to the anchor `nowhere`, which does not exist");
  EXPECT_EQ(schema.follow("c"), "`$ref` of `#/properties/c` leads to `http://example.com/x`, which is not known");
  EXPECT_FALSE(schema.last_error().hint.empty());
  EXPECT_EQ(schema.follow("d"), "`$ref` of `#/properties/d` must be a string");
  EXPECT_EQ(schema.follow("e"),
            "`$ref` of `#/properties/e` leads to `#/$defs/list`, which is no schema but of type array");
  EXPECT_NE(schema.follow("f").find("`~`"), std::string::npos);
  EXPECT_NE(schema.follow("g").find("`%`"), std::string::npos);
  EXPECT_NE(schema.follow("h").find("which does not exist"), std::string::npos);
}

TEST(SchemaStore, WhatStandsAtASchemasPlaceMustBeASchema) {
  Loaded schema(R"({"properties": {"a": 5}})");
  const auto a = schema->subschema(schema.root(), *schema->find(schema.root(), Keyword::kProperties)->find("a"));
  ASSERT_FALSE(a.has_value());
  EXPECT_EQ(a.error().message, "expected a schema, an object or a boolean, at `#/properties/a`");
  EXPECT_EQ(schema.at(a.error().where), "5");
}

TEST(SchemaStore, RemoteDocuments) {
  SchemaRegistry registry;
  ASSERT_TRUE(
      registry.add("http://example.com/a.json", R"({"$defs": {"x": {"$ref": "b.json#/properties/y"}}})", Limits{}));
  ASSERT_TRUE(registry.add("http://example.com/b.json",
                           R"({"$id": "http://other.org/b", "properties": {"y": {"$ref": "#k"}},
                                                             "$defs": {"k": {"$anchor": "k"}, "l": {"$ref": "#/nope"}}})",
                           Limits{}));
  ASSERT_TRUE(registry.add("plain.json", R"({"type": "null"})", Limits{}));
  ASSERT_FALSE(registry.add("bad", "{", Limits{}));
  Loaded schema(
      R"({"properties": {"a": {"$ref": "http://example.com/a.json#/$defs/x"}, "b": {"$ref": "http://other.org/b"},
                     "c": {"$ref": "plain.json"}, "d": {"$ref": "http://other.org/b#/$defs/l"}}})",
      {}, std::move(registry));
  EXPECT_EQ(schema.follow("a"), "http://example.com/a.json#/$defs/x");
  EXPECT_EQ(schema.follow("b"), "http://other.org/b#");
  EXPECT_EQ(schema.follow("c"), "plain.json#");
  auto target = schema->follow(schema.property("a"), Keyword::kRef, ScopeId::kEmpty);
  ASSERT_TRUE(target.has_value());
  target = schema->follow(target->schema, Keyword::kRef, target->scope);
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(schema->location(target->schema), "http://other.org/b#/properties/y");
  target = schema->follow(target->schema, Keyword::kRef, target->scope);
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(schema->location(target->schema), "http://other.org/b#/$defs/k");
  // The message of an error in a remote document names the position there; the range is that of the reference in the
  // loaded text that leads there.
  target = schema->follow(schema.property("d"), Keyword::kRef, ScopeId::kEmpty);
  ASSERT_TRUE(target.has_value());
  const auto missing = schema->follow(target->schema, Keyword::kRef, target->scope);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message,
            "`$ref` of `http://other.org/b#/$defs/l`, at 2:109 there, leads to `#/nope`, which does not exist");
  EXPECT_EQ(schema.at(missing.error().where), R"("http://other.org/b")");
}

TEST(SchemaStore, VocabulariesOfACustomMetaschema) {
  SchemaRegistry registry;
  ASSERT_TRUE(registry.add("http://example.com/meta", R"({"$schema": "https://json-schema.org/draft/2020-12/schema",
    "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true,
                    "https://json-schema.org/draft/2020-12/vocab/applicator": true,
                    "https://json-schema.org/draft/2020-12/vocab/format-assertion": true, "http://example.com/v": false}})",
                           Limits{}));
  ASSERT_TRUE(registry.add("http://example.com/strict",
                           R"({"$schema": "http://example.com/strict", "$vocabulary": {"http://example.com/v": true}})",
                           Limits{}));
  SchemaRegistry copy;
  Loaded schema(R"({"$schema": "http://example.com/meta", "minimum": 1, "properties": {}, "format": "date"})", {},
                std::move(registry));
  EXPECT_EQ(schema->dialect(schema.root()), Dialect::k2020_12);
  EXPECT_EQ(schema->find(schema.root(), Keyword::kMinimum), nullptr);
  EXPECT_NE(schema->find(schema.root(), Keyword::kProperties), nullptr);
  EXPECT_NE(schema->find(schema.root(), Keyword::kFormat), nullptr);
  EXPECT_EQ(schema->vocabularies(schema.root()) & Vocabularies::kFormatAssertion, Vocabularies::kFormatAssertion);

  ASSERT_TRUE(copy.add("http://example.com/strict",
                       R"({"$schema": "http://example.com/strict", "$vocabulary": {"http://example.com/v": true}})",
                       Limits{}));
  const std::string text = R"({"$schema": "http://example.com/strict"})";
  SchemaStore store(copy, Limits{});
  const auto strict = store.load(text, {});
  ASSERT_FALSE(strict.has_value());
  EXPECT_EQ(strict.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(text.substr(strict.error().where.start, 5), "\"http");
}

TEST(SchemaStore, DynamicReferencesLeadToTheOutermostAnchor) {
  Loaded schema(R"({
    "$id": "https://example.com/strict", "$dynamicAnchor": "node", "$ref": "tree", "title": "strict",
    "$defs": {"tree": {"$id": "tree", "$dynamicAnchor": "node", "properties": {
      "dynamic": {"$dynamicRef": "#node"}, "static": {"$ref": "#node"}, "pointer": {"$dynamicRef": "#/properties"}}}}
  })");
  const ScopeId top = schema->enter(ScopeId::kEmpty, schema.root());
  const auto tree = schema->follow(schema.root(), Keyword::kRef, top);
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(tree->scope, top) << "the inner anchor is hidden by the outer one, so the scope stays the same";
  const auto child = [&](std::string_view name) {
    return *schema->subschema(tree->schema, *schema->find(tree->schema, Keyword::kProperties)->find(name));
  };
  const auto location = [&](std::string_view name, Keyword keyword, ScopeId scope) {
    const auto target = schema->follow(child(name), keyword, scope);
    return target ? schema->location(target->schema) : target.error().message;
  };
  EXPECT_EQ(location("dynamic", Keyword::kDynamicRef, tree->scope), "#");
  EXPECT_EQ(location("static", Keyword::kRef, tree->scope), "#/$defs/tree");
  EXPECT_EQ(location("pointer", Keyword::kDynamicRef, tree->scope), "#/$defs/tree/properties");
  // If the dynamic scope begins at the tree itself, the same reference leads to the tree.
  const ScopeId inner = schema->enter(ScopeId::kEmpty, tree->schema);
  EXPECT_NE(inner, top);
  EXPECT_EQ(location("dynamic", Keyword::kDynamicRef, inner), "#/$defs/tree");
}

TEST(SchemaStore, RecursionThroughScopesEnds) {
  Loaded schema(R"({"$id": "http://x/a", "$dynamicAnchor": "n", "properties": {"b": {"$ref": "b"}},
    "$defs": {"b": {"$id": "b", "$dynamicAnchor": "n", "$dynamicAnchor2": 1, "properties": {"a": {"$ref": "a"}, "n": {"$dynamicRef": "#n"}}}}})");
  ScopeId scope = schema->enter(ScopeId::kEmpty, schema.root());
  const ScopeId first = scope;
  SchemaId at = schema.root();
  for (int i = 0; i < 10; ++i) {
    const char* name = i % 2 == 0 ? "b" : "a";
    const SchemaId property = *schema->subschema(at, *schema->find(at, Keyword::kProperties)->find(name));
    const auto target = schema->follow(property, Keyword::kRef, schema->enter(scope, property));
    ASSERT_TRUE(target.has_value());
    at = target->schema;
    scope = target->scope;
    EXPECT_EQ(scope, first);
  }
}

TEST(SchemaStore, WarnsOfDuplicates) {
  Loaded keys(R"({"minimum": 1, "minimum": 2})");
  ASSERT_EQ(keys->warnings().size(), 1U);
  EXPECT_EQ(keys->find(keys.root(), Keyword::kMinimum)->number(), Decimal(2));
  Loaded ids(R"({"$defs": {"a": {"$id": "http://x/y", "type": "null"}, "b": {"$id": "http://x/y"}},
                 "properties": {"p": {"$ref": "http://x/y"}}})");
  ASSERT_EQ(ids->warnings().size(), 1U);
  EXPECT_EQ(ids.follow("p"), "#/$defs/a");
}

TEST(SchemaStore, ManySchemasAndDeepOnes) {
  std::string wide = R"({"$defs": {)";
  for (int i = 0; i < 50'000; ++i) {
    wide += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(": {"$ref": "#/$defs/)" + std::to_string(i / 2) + "\"}";
  }
  Loaded schema(wide + "}}");
  EXPECT_EQ(schema->schema_count(), 50'001U);
  std::string deep = "true";
  for (int i = 0; i < 900; ++i) deep = R"({"not": )" + deep + "}";
  Loaded nested(deep);
  EXPECT_EQ(nested->schema_count(), 901U);
}

}  // namespace
}  // namespace weir::frontend::json_schema
