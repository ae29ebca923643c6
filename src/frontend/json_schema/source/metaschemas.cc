#include "frontend/json_schema/source/metaschemas.h"

#include <cstdint>
#include <optional>
#include <span>

#include "frontend/json_schema/source/keywords.h"

namespace weir::frontend::json_schema {

namespace {

constexpr std::string_view kHost = "https://json-schema.org/draft/";
constexpr std::string_view kVocabularies2019[] = {"core", "applicator", "validation", "meta-data", "format", "content"};
constexpr std::string_view kVocabularies2020[] = {"core",      "applicator",        "unevaluated", "validation",
                                                  "meta-data", "format-annotation", "content"};

/// Writes the metaschemas of one dialect.
class MetaschemaWriter {
 public:
  explicit MetaschemaWriter(Dialect dialect) : dialect_(dialect) {}

  /// The metaschema of drafts 4, 6 and 7.
  [[nodiscard]] std::string whole(std::string_view uri) const {
    const std::string id = dialect_ == Dialect::kDraft4 ? "id" : "$id";
    const std::string dependencies =
        dialect_ == Dialect::kDraft4
            ? R"(,"dependencies":{"exclusiveMaximum":["maximum"],"exclusiveMinimum":["minimum"]})"
            : "";
    return R"({"$schema":")" + std::string(uri) + R"(#",")" + id + R"(":")" + std::string(uri) + R"(#","type":)" +
           (dialect_ == Dialect::kDraft4 ? R"("object")" : R"(["object","boolean"])") + dependencies +
           R"(,"definitions":{)" + definitions(Vocabularies::kAll) + R"(},"properties":{)" +
           properties(Vocabularies::kAll) + "}}";
  }

  /// The metaschema of later dialects, which refers to those of the vocabularies.
  [[nodiscard]] std::string together() const {
    std::string list;
    std::string parts;
    for (const std::string_view name : vocabularies()) {
      const char* separator = list.empty() ? "" : ",";
      const bool is_required = name != "format";  // 2019-09, section 7
      list += separator + quoted(version() + "/vocab/" + std::string(name)) + (is_required ? ":true" : ":false");
      parts += separator + (R"({"$ref":"meta/)" + std::string(name) + R"("})");
    }
    std::string old = member(Keyword::kDefinitions) + "," + member(Keyword::kDependencies);
    if (dialect_ == Dialect::k2020_12) {
      old += R"(,"$recursiveAnchor":{"$ref":"meta/core#/$defs/anchorString"})";
      old += R"(,"$recursiveRef":{"$ref":"meta/core#/$defs/uriReferenceString"})";
    }
    return head("schema") + R"(,"$vocabulary":{)" + list + R"(},"allOf":[)" + parts + R"(],"properties":{)" + old +
           "}}";
  }

  /// The metaschema of a vocabulary; empty if there is none with this name.
  [[nodiscard]] std::string part(std::string_view name) const {
    const std::optional<Vocabularies> vocabulary = vocabulary_of_uri(version() + "/vocab/" + std::string(name));
    if (!vocabulary) return {};
    const std::string defined = definitions(*vocabulary);
    return head("meta/" + std::string(name)) + (defined.empty() ? "" : R"(,"$defs":{)" + defined + "}") +
           R"(,"properties":{)" + properties(*vocabulary) + "}}";
  }

 private:
  static std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

  [[nodiscard]] bool has_vocabularies() const { return dialect_ >= Dialect::k2019_09; }
  [[nodiscard]] std::string version() const {
    return std::string(kHost) + (dialect_ == Dialect::k2019_09 ? "2019-09" : "2020-12");
  }
  [[nodiscard]] std::span<const std::string_view> vocabularies() const {
    if (dialect_ == Dialect::k2019_09) return kVocabularies2019;
    return kVocabularies2020;
  }
  [[nodiscard]] std::string head(std::string_view path) const {
    return R"({"$schema":")" + version() + R"(/schema","$id":")" + version() + "/" + std::string(path) + R"(",)" +
           (dialect_ == Dialect::k2019_09 ? R"("$recursiveAnchor":true)" : R"("$dynamicAnchor":"meta")") +
           R"(,"type":["object","boolean"])";
  }

  /// A reference to the dialect's metaschema.
  [[nodiscard]] std::string schema() const {
    if (dialect_ == Dialect::k2019_09) return R"({"$recursiveRef":"#"})";
    return dialect_ == Dialect::k2020_12 ? R"({"$dynamicRef":"#meta"})" : R"({"$ref":"#"})";
  }
  [[nodiscard]] std::string defined(std::string_view name) const {
    return R"({"$ref":"#/)" + std::string(has_vocabularies() ? "$defs/" : "definitions/") + std::string(name) + R"("})";
  }
  static std::string map_of(std::string_view values) {
    return R"({"type":"object","additionalProperties":)" + std::string(values) + "}";
  }
  static std::string either(const std::string& one, const std::string& other) {
    return R"({"anyOf":[)" + one + "," + other + "]}";
  }
  /// A string of a format. Drafts before 6 have no format there, except `regex`.
  [[nodiscard]] std::string string_of(std::string_view format) const {
    if (dialect_ == Dialect::kDraft4 && format != "regex") return R"({"type":"string"})";
    return R"({"type":"string","format":)" + quoted(format) + "}";
  }
  [[nodiscard]] std::string count() const {
    return defined(dialect_ == Dialect::kDraft4 ? "positiveInteger" : "nonNegativeInteger");
  }
  [[nodiscard]] std::string count_default_0() const {
    return defined(dialect_ == Dialect::kDraft4 ? "positiveIntegerDefault0" : "nonNegativeIntegerDefault0");
  }

  /// Members of `definitions` or `$defs`, with the names of the published metaschemas.
  [[nodiscard]] std::string definitions(Vocabularies vocabularies) const {
    std::string out;
    const auto add = [&](Vocabularies where, std::string_view name, const std::string& what) {
      if ((where & vocabularies) == Vocabularies::kNone) return;
      if (!out.empty()) out += ',';
      out += quoted(name) + ":" + what;
    };
    const bool is_draft4 = dialect_ == Dialect::kDraft4;
    if (dialect_ == Dialect::k2020_12) {
      add(Vocabularies::kCore, "anchorString", R"({"type":"string","pattern":"^[A-Za-z_][-A-Za-z0-9._]*$"})");
      add(Vocabularies::kCore, "uriString", string_of("uri"));
      add(Vocabularies::kCore, "uriReferenceString", string_of("uri-reference"));
    }
    add(Vocabularies::kApplicator, "schemaArray", R"({"type":"array","minItems":1,"items":)" + schema() + "}");
    add(Vocabularies::kValidation, is_draft4 ? "positiveInteger" : "nonNegativeInteger",
        R"({"type":"integer","minimum":0})");
    add(Vocabularies::kValidation, is_draft4 ? "positiveIntegerDefault0" : "nonNegativeIntegerDefault0",
        has_vocabularies() ? count() : R"({"allOf":[)" + count() + "]}");
    add(Vocabularies::kValidation, "simpleTypes",
        R"({"enum":["array","boolean","integer","null","number","object","string"]})");
    add(Vocabularies::kValidation, "stringArray",
        std::string(R"({"type":"array","items":{"type":"string"},"uniqueItems":true)") +
            (is_draft4 ? R"(,"minItems":1})" : "}"));
    return out;
  }

  [[nodiscard]] std::string member(Keyword keyword) const {
    return quoted(keyword_info(keyword, dialect_).name) + ":" + value_of(keyword);
  }

  [[nodiscard]] std::string properties(Vocabularies vocabularies) const {
    constexpr auto kReading = JsonSchemaOptions::Reading::kSpecification;
    std::string out;
    for (std::size_t i = 0; i < kKeywordCount; ++i) {
      const auto keyword = Keyword(i);
      const bool is_old = keyword == Keyword::kDefinitions || keyword == Keyword::kDependencies;
      if (has_vocabularies() && is_old) continue;                              // together() has them
      if (dialect_ == Dialect::kDraft4 && keyword == Keyword::kRef) continue;  // draft 4's metaschema omits it
      if (!keyword_info(keyword, dialect_).exists_in(dialect_, vocabularies, kReading)) continue;
      if (!out.empty()) out += ',';
      out += member(keyword);
    }
    return out;
  }

  /// The schema of the keyword's value.
  [[nodiscard]] std::string value_of(Keyword keyword) const {
    using K = Keyword;
    switch (keyword) {
      case K::kSchema: return dialect_ == Dialect::k2020_12 ? defined("uriString") : string_of("uri");
      case K::kId: return id();
      case K::kAnchor:
        if (dialect_ == Dialect::k2019_09) return R"({"type":"string","pattern":"^[A-Za-z][-A-Za-z0-9.:_]*$"})";
        return defined("anchorString");
      case K::kDynamicAnchor: return defined("anchorString");
      case K::kRef:
      case K::kDynamicRef:
      case K::kRecursiveRef:
        return dialect_ == Dialect::k2020_12 ? defined("uriReferenceString") : string_of("uri-reference");
      case K::kVocabulary:
        return R"({"type":"object","propertyNames":)" + value_of(K::kSchema) +
               R"(,"additionalProperties":{"type":"boolean"}})";
      case K::kAllOf:
      case K::kAnyOf:
      case K::kOneOf:
      case K::kPrefixItems: return defined("schemaArray");
      case K::kItems: return dialect_ == Dialect::k2020_12 ? schema() : either(schema(), defined("schemaArray"));
      case K::kAdditionalItems:
      case K::kAdditionalProperties:
        return dialect_ == Dialect::kDraft4 ? either(R"({"type":"boolean"})", schema()) : schema();
      case K::kNot:
      case K::kIf:
      case K::kThen:
      case K::kElse:
      case K::kContains:
      case K::kPropertyNames:
      case K::kUnevaluatedItems:
      case K::kUnevaluatedProperties:
      case K::kContentSchema: return schema();
      case K::kDefs:
      case K::kDefinitions:
      case K::kProperties:
      case K::kDependentSchemas: return map_of(schema());
      case K::kPatternProperties:
        if (dialect_ == Dialect::kDraft4) return map_of(schema());
        return R"({"type":"object","propertyNames":{"format":"regex"},"additionalProperties":)" + schema() + "}";
      case K::kDependencies:
        return map_of(either(schema(), has_vocabularies() ? R"({"$ref":"meta/validation#/$defs/stringArray"})"
                                                          : defined("stringArray")));
      case K::kDependentRequired: return map_of(defined("stringArray"));
      case K::kRequired: return defined("stringArray");
      case K::kType:
        return either(defined("simpleTypes"),
                      R"({"type":"array","items":)" + defined("simpleTypes") + R"(,"minItems":1,"uniqueItems":true})");
      case K::kEnum:
        return dialect_ == Dialect::kDraft4 ? R"({"type":"array","minItems":1,"uniqueItems":true})"
                                            : R"({"type":"array"})";  // from draft 6 on only "SHOULD"
      case K::kMultipleOf:
        return dialect_ == Dialect::kDraft4 ? R"({"type":"number","minimum":0,"exclusiveMinimum":true})"
                                            : R"({"type":"number","exclusiveMinimum":0})";
      case K::kMaximum:
      case K::kMinimum: return R"({"type":"number"})";
      case K::kExclusiveMaximum:
      case K::kExclusiveMinimum: return dialect_ == Dialect::kDraft4 ? R"({"type":"boolean"})" : R"({"type":"number"})";
      case K::kMaxLength:
      case K::kMaxItems:
      case K::kMaxProperties:
      case K::kMaxContains:
      case K::kMinContains: return count();
      case K::kMinLength:
      case K::kMinItems:
      case K::kMinProperties: return count_default_0();
      case K::kPattern: return string_of("regex");
      case K::kRecursiveAnchor:
      case K::kUniqueItems:
      case K::kDeprecated:
      case K::kReadOnly:
      case K::kWriteOnly: return R"({"type":"boolean"})";
      case K::kComment:
      case K::kFormat:
      case K::kContentEncoding:
      case K::kContentMediaType:
      case K::kTitle:
      case K::kDescription: return R"({"type":"string"})";
      case K::kExamples: return R"({"type":"array"})";
      case K::kConst:
      case K::kDefault: break;  // anything
    }
    return "{}";
  }

  [[nodiscard]] std::string id() const {
    constexpr std::string_view kNoFragment = R"("pattern":"^[^#]*#?$"})";
    if (!has_vocabularies()) return string_of("uri-reference");
    if (dialect_ == Dialect::k2020_12) return R"({"$ref":"#/$defs/uriReferenceString",)" + std::string(kNoFragment);
    return R"({"type":"string","format":"uri-reference",)" + std::string(kNoFragment);
  }

  Dialect dialect_;
};

}  // namespace

std::string metaschema_text(std::string_view uri) {
  const KnownSchemaUri known = known_schema_uri(uri);
  if (known.dialect && *known.dialect < Dialect::k2019_09) return MetaschemaWriter(*known.dialect).whole(uri);
  if (known.dialect) return MetaschemaWriter(*known.dialect).together();
  for (const Dialect dialect : {Dialect::k2019_09, Dialect::k2020_12}) {
    const std::string version = dialect == Dialect::k2019_09 ? "2019-09/meta/" : "2020-12/meta/";
    const std::string base = std::string(kHost) + version;
    if (uri.starts_with(base)) return MetaschemaWriter(dialect).part(uri.substr(base.size()));
  }
  return {};
}

}  // namespace weir::frontend::json_schema
