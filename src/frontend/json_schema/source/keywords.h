// Dialects, vocabularies and keywords of JSON Schema: one table that says which keyword exists where, and which of them
// hold schemas.
//
// REFERENCES  draft-zyp-json-schema-04 and draft-fge-json-schema-validation-00 (draft 4); draft-wright-json-schema-01
//             and draft-wright-json-schema-validation-01 (draft 6); draft-handrews-json-schema-01 and -validation-01
//             (draft 7); draft-handrews-json-schema-02 and -validation-02 (2019-09); draft-bhutton-json-schema-01 and
//             -validation-01 (2020-12).
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_KEYWORDS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_KEYWORDS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace weir::frontend::json_schema {

/// In the order of their publication.
enum class Dialect : std::uint8_t { kDraft4, kDraft6, kDraft7, k2019_09, k2020_12 };

/// What a `$schema` says. Draft 5 is draft 4 under another name; drafts 0 to 3 are not supported.
struct KnownSchemaUri {
  std::optional<Dialect> dialect;
  bool unsupported = false;
};
/// `uri` with or without an empty fragment, with http or https.
KnownSchemaUri known_schema_uri(std::string_view uri);

/// Parts of a dialect that a metaschema switches on (2019-09, section 8.1; 2020-12, section 8.1). A set of bits.
enum class Vocabularies : std::uint16_t {
  kNone = 0,
  kCore = 1,
  kApplicator = 2,
  kUnevaluated = 4,  ///< Part of the applicator vocabulary in 2019-09.
  kValidation = 8,
  kMetaData = 16,
  kFormatAnnotation = 32,  ///< 2019-09's one format vocabulary is this one.
  kFormatAssertion = 64,
  kContent = 128,
  kAll = 255,
};
constexpr Vocabularies operator|(Vocabularies a, Vocabularies b) {
  return Vocabularies(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}
constexpr Vocabularies operator&(Vocabularies a, Vocabularies b) {
  return Vocabularies(static_cast<std::uint16_t>(a) & static_cast<std::uint16_t>(b));
}
/// What a schema of a dialect has when its metaschema says nothing else: all but kFormatAssertion; all before 2019-09.
Vocabularies default_vocabularies(Dialect dialect);
/// The vocabulary that a URI names in a `$vocabulary`; nullopt for others.
std::optional<Vocabularies> vocabulary_of_uri(std::string_view uri);

enum class Keyword : std::uint8_t {
  // Identity and reference.
  kSchema,
  kVocabulary,
  kId,
  kAnchor,
  kDynamicAnchor,
  kRecursiveAnchor,
  kRef,
  kDynamicRef,
  kRecursiveRef,
  kDefs,
  kDefinitions,
  kComment,
  // Applicators.
  kAllOf,
  kAnyOf,
  kOneOf,
  kNot,
  kIf,
  kThen,
  kElse,
  kDependentSchemas,
  kDependencies,
  kPrefixItems,
  kItems,
  kAdditionalItems,
  kContains,
  kProperties,
  kPatternProperties,
  kAdditionalProperties,
  kPropertyNames,
  kUnevaluatedItems,
  kUnevaluatedProperties,
  // Assertions.
  kType,
  kEnum,
  kConst,
  kMultipleOf,
  kMaximum,
  kExclusiveMaximum,
  kMinimum,
  kExclusiveMinimum,
  kMaxLength,
  kMinLength,
  kPattern,
  kMaxItems,
  kMinItems,
  kUniqueItems,
  kMaxContains,
  kMinContains,
  kMaxProperties,
  kMinProperties,
  kRequired,
  kDependentRequired,
  kFormat,
  // Annotations.
  kContentEncoding,
  kContentMediaType,
  kContentSchema,
  kTitle,
  kDescription,
  kDefault,
  kDeprecated,
  kReadOnly,
  kWriteOnly,
  kExamples,
};

constexpr bool is_reference(Keyword keyword) {
  return keyword == Keyword::kRef || keyword == Keyword::kDynamicRef || keyword == Keyword::kRecursiveRef;
}
/// Whether a keyword says something of values, itself or by what it leads to.
constexpr bool asserts(Keyword keyword) {
  return is_reference(keyword) || (keyword >= Keyword::kAllOf && keyword <= Keyword::kFormat);
}

class KeywordSet {
 public:
  void add(Keyword keyword) { bits_ |= bit(keyword); }
  [[nodiscard]] bool contains(Keyword keyword) const { return (bits_ & bit(keyword)) != 0; }

 private:
  static constexpr std::uint64_t bit(Keyword keyword) { return std::uint64_t{1} << static_cast<unsigned>(keyword); }
  std::uint64_t bits_ = 0;
};

/// Where in a keyword's value schemas stand.
enum class SchemasIn : std::uint8_t {
  kNowhere,
  kValue,            ///< The value is a schema.
  kElements,         ///< The elements of an array.
  kMembers,          ///< The members of an object.
  kValueOrElements,  ///< `items` up to 2019-09.
  kSomeMembers,      ///< Those members of an object that are no arrays: `dependencies`.
};

struct KeywordInfo {
  std::string_view name;
  Keyword keyword;
  std::uint8_t dialects;      ///< Bit i: exists in Dialect i.
  Vocabularies vocabularies;  ///< Exists where one of these is on.
  SchemasIn schemas;

  [[nodiscard]] bool exists_in(Dialect dialect, Vocabularies active) const {
    return ((dialects >> static_cast<unsigned>(dialect)) & 1) != 0 && (vocabularies & active) != Vocabularies::kNone;
  }
};

/// The keyword written `name`, or null. A name may mean different things in different dialects: `items`; it is then
/// still one keyword. The identifier is `id` in draft 4 and `$id` later: two entries, one Keyword.
const KeywordInfo* find_keyword(std::string_view name);

/// How a keyword is written in a dialect, and where it exists.
const KeywordInfo& keyword_info(Keyword keyword, Dialect dialect);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_KEYWORDS_H_
