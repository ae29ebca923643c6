// Dialects, vocabularies and keywords of JSON Schema. One table lists the dialects and vocabularies of each keyword,
// and where its value holds schemas.
//
// REFERENCES  draft-zyp-json-schema-04 and draft-fge-json-schema-validation-00 (draft 4); draft-wright-json-schema-01
//             and draft-wright-json-schema-validation-01 (draft 6); draft-handrews-json-schema-01 and -validation-01
//             (draft 7); draft-handrews-json-schema-02 and -validation-02 (2019-09); draft-bhutton-json-schema-01 and
//             -validation-01 (2020-12).
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_KEYWORDS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_KEYWORDS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "weir/json_schema.h"

namespace weir::frontend::json_schema {

/// In the order of their publication.
enum class Dialect : std::uint8_t { kDraft4, kDraft6, kDraft7, k2019_09, k2020_12 };

/// The dialect that a `$schema` names. Draft 5 is treated as draft 4, from which it does not differ; drafts 0 to 3 are
/// not supported.
struct KnownSchemaUri {
  std::optional<Dialect> dialect;
  bool unsupported = false;
};
/// Looks up a URI, with or without an empty fragment, with http or https.
KnownSchemaUri known_schema_uri(std::string_view uri);

/// Vocabularies, which a metaschema switches on (2019-09, section 8.1; 2020-12, section 8.1). A set of bits.
enum class Vocabularies : std::uint16_t {
  kNone = 0,
  kCore = 1,
  kApplicator = 2,
  kUnevaluated = 4,  ///< Part of the applicator vocabulary in 2019-09.
  kValidation = 8,
  kMetaData = 16,
  kFormatAnnotation = 32,  ///< Also the only format vocabulary of 2019-09.
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
/// Returns the vocabularies of a dialect without a `$vocabulary`: all but kFormatAssertion; before 2019-09, all.
Vocabularies default_vocabularies(Dialect dialect);
/// Returns the vocabulary that a URI in a `$vocabulary` names; nullopt if it is unknown.
std::optional<Vocabularies> vocabulary_of_uri(std::string_view uri);

/// In an order that asserts() relies on, and allows_null() in model/plain_schema.cc: under the assertions from
/// kMultipleOf to kFormat null is always valid.
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
inline constexpr std::size_t kKeywordCount = static_cast<std::size_t>(Keyword::kExamples) + 1;

constexpr bool is_reference(Keyword keyword) {
  return keyword == Keyword::kRef || keyword == Keyword::kDynamicRef || keyword == Keyword::kRecursiveRef;
}
/// Returns true if a keyword may restrict values, itself or through the schemas that it holds or refers to.
constexpr bool asserts(Keyword keyword) {
  return is_reference(keyword) || (keyword >= Keyword::kAllOf && keyword <= Keyword::kFormat);
}

class KeywordSet {
 public:
  constexpr KeywordSet() = default;
  constexpr explicit KeywordSet(std::span<const Keyword> keywords) {
    for (const Keyword keyword : keywords) add(keyword);
  }
  constexpr KeywordSet(std::initializer_list<Keyword> keywords) : KeywordSet(std::span(keywords)) {}
  constexpr void add(Keyword keyword) { bits_ |= bit(keyword); }
  /// Returns the keywords of both sets.
  [[nodiscard]] constexpr KeywordSet operator|(KeywordSet other) const {
    KeywordSet both;
    both.bits_ = bits_ | other.bits_;
    return both;
  }
  [[nodiscard]] constexpr bool intersects(KeywordSet other) const { return (bits_ & other.bits_) != 0; }
  [[nodiscard]] bool contains(Keyword keyword) const { return (bits_ & bit(keyword)) != 0; }
  /// Returns how many of the keywords come before `keyword` in the order of the enumeration.
  [[nodiscard]] std::size_t count_before(Keyword keyword) const {
    return static_cast<std::size_t>(std::popcount(bits_ & (bit(keyword) - 1)));
  }
  /// Calls `use` with each keyword, in the order of the enumeration.
  template <typename Use>
  void for_each(Use use) const {
    for (std::uint64_t rest = bits_; rest != 0; rest &= rest - 1) use(static_cast<Keyword>(std::countr_zero(rest)));
  }

 private:
  static constexpr std::uint64_t bit(Keyword keyword) { return std::uint64_t{1} << static_cast<unsigned>(keyword); }
  std::uint64_t bits_ = 0;
};

/// Where a keyword's value holds schemas.
enum class SchemasIn : std::uint8_t {
  kNowhere,
  kValue,            ///< The value is a schema.
  kElements,         ///< The elements of an array.
  kMembers,          ///< The members of an object.
  kValueOrElements,  ///< `items` up to 2019-09.
  kSomeMembers,      ///< The members of an object that are not arrays: `dependencies`.
};

struct KeywordInfo {
  std::string_view name;
  Keyword keyword;
  std::uint8_t dialects;      ///< Bit i: the keyword exists in Dialect i.
  Vocabularies vocabularies;  ///< It exists if one of these is active.
  SchemasIn schemas;

  /// Returns true if schemas of `dialect` have the keyword. With Reading::kPractice, schemas also have the
  /// keywords of later dialects.
  [[nodiscard]] bool exists_in(Dialect dialect, Vocabularies active, JsonSchemaOptions::Reading reading) const {
    const unsigned from_dialect = dialects >> static_cast<unsigned>(dialect);
    const bool is_defined =
        reading == JsonSchemaOptions::Reading::kPractice ? from_dialect != 0 : (from_dialect & 1) != 0;
    return is_defined && (vocabularies & active) != Vocabularies::kNone;
  }
};

/// Returns the keyword with this name, or null. A name that differs in meaning between dialects, such as `items`, is
/// one keyword. kId has two entries: `id` in draft 4 and `$id` later.
const KeywordInfo* find_keyword(std::string_view name);

/// Returns the keywords whose values hold schemas in some dialect.
KeywordSet keywords_with_schemas();

/// Returns the entry of a keyword, with its name in this dialect.
const KeywordInfo& keyword_info(Keyword keyword, Dialect dialect);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_KEYWORDS_H_
