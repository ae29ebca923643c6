#include "frontend/json_schema/source/keywords.h"

#include <array>

namespace weir::frontend::json_schema {

namespace {

constexpr std::uint8_t kDraft4 = 1, kDraft6 = 2, kDraft7 = 4, k2019 = 8, k2020 = 16;
constexpr std::uint8_t kSince2019 = k2019 | k2020;
constexpr std::uint8_t kSince7 = kDraft7 | kSince2019;
constexpr std::uint8_t kSince6 = kDraft6 | kSince7;
constexpr std::uint8_t kEver = kDraft4 | kSince6;
constexpr std::uint8_t kUntil2019 = kEver & ~k2020;

using K = Keyword;
using V = Vocabularies;
using S = SchemasIn;
constexpr V kFormats = V::kFormatAnnotation | V::kFormatAssertion;

// Sorted by name. 2019-09 and 2020-12 no longer have `definitions` and `dependencies`, but their metaschemas still
// describe them, and many schemas rely on them, so they exist in all dialects here.
constexpr std::array kKeywords = std::to_array<KeywordInfo>({
    {"$anchor", K::kAnchor, kSince2019, V::kCore, S::kNowhere},
    {"$comment", K::kComment, kSince7, V::kCore, S::kNowhere},
    {"$defs", K::kDefs, kSince2019, V::kCore, S::kMembers},
    {"$dynamicAnchor", K::kDynamicAnchor, k2020, V::kCore, S::kNowhere},
    {"$dynamicRef", K::kDynamicRef, k2020, V::kCore, S::kNowhere},
    {"$id", K::kId, kSince6, V::kCore, S::kNowhere},
    {"$recursiveAnchor", K::kRecursiveAnchor, k2019, V::kCore, S::kNowhere},
    {"$recursiveRef", K::kRecursiveRef, k2019, V::kCore, S::kNowhere},
    {"$ref", K::kRef, kEver, V::kCore, S::kNowhere},
    {"$schema", K::kSchema, kEver, V::kCore, S::kNowhere},
    {"$vocabulary", K::kVocabulary, kSince2019, V::kCore, S::kNowhere},
    {"additionalItems", K::kAdditionalItems, kUntil2019, V::kApplicator, S::kValue},
    {"additionalProperties", K::kAdditionalProperties, kEver, V::kApplicator, S::kValue},
    {"allOf", K::kAllOf, kEver, V::kApplicator, S::kElements},
    {"anyOf", K::kAnyOf, kEver, V::kApplicator, S::kElements},
    {"const", K::kConst, kSince6, V::kValidation, S::kNowhere},
    {"contains", K::kContains, kSince6, V::kApplicator, S::kValue},
    {"contentEncoding", K::kContentEncoding, kSince7, V::kContent, S::kNowhere},
    {"contentMediaType", K::kContentMediaType, kSince7, V::kContent, S::kNowhere},
    {"contentSchema", K::kContentSchema, kSince2019, V::kContent, S::kValue},
    {"default", K::kDefault, kEver, V::kMetaData, S::kNowhere},
    {"definitions", K::kDefinitions, kEver, V::kCore, S::kMembers},
    {"dependencies", K::kDependencies, kEver, V::kApplicator, S::kSomeMembers},
    {"dependentRequired", K::kDependentRequired, kSince2019, V::kValidation, S::kNowhere},
    {"dependentSchemas", K::kDependentSchemas, kSince2019, V::kApplicator, S::kMembers},
    {"deprecated", K::kDeprecated, kSince2019, V::kMetaData, S::kNowhere},
    {"description", K::kDescription, kEver, V::kMetaData, S::kNowhere},
    {"else", K::kElse, kSince7, V::kApplicator, S::kValue},
    {"enum", K::kEnum, kEver, V::kValidation, S::kNowhere},
    {"examples", K::kExamples, kSince6, V::kMetaData, S::kNowhere},
    {"exclusiveMaximum", K::kExclusiveMaximum, kEver, V::kValidation, S::kNowhere},
    {"exclusiveMinimum", K::kExclusiveMinimum, kEver, V::kValidation, S::kNowhere},
    {"format", K::kFormat, kEver, kFormats, S::kNowhere},
    {"id", K::kId, kDraft4, V::kCore, S::kNowhere},
    {"if", K::kIf, kSince7, V::kApplicator, S::kValue},
    {"items", K::kItems, kEver, V::kApplicator, S::kValueOrElements},
    {"maxContains", K::kMaxContains, kSince2019, V::kValidation, S::kNowhere},
    {"maxItems", K::kMaxItems, kEver, V::kValidation, S::kNowhere},
    {"maxLength", K::kMaxLength, kEver, V::kValidation, S::kNowhere},
    {"maxProperties", K::kMaxProperties, kEver, V::kValidation, S::kNowhere},
    {"maximum", K::kMaximum, kEver, V::kValidation, S::kNowhere},
    {"minContains", K::kMinContains, kSince2019, V::kValidation, S::kNowhere},
    {"minItems", K::kMinItems, kEver, V::kValidation, S::kNowhere},
    {"minLength", K::kMinLength, kEver, V::kValidation, S::kNowhere},
    {"minProperties", K::kMinProperties, kEver, V::kValidation, S::kNowhere},
    {"minimum", K::kMinimum, kEver, V::kValidation, S::kNowhere},
    {"multipleOf", K::kMultipleOf, kEver, V::kValidation, S::kNowhere},
    {"not", K::kNot, kEver, V::kApplicator, S::kValue},
    {"oneOf", K::kOneOf, kEver, V::kApplicator, S::kElements},
    {"pattern", K::kPattern, kEver, V::kValidation, S::kNowhere},
    {"patternProperties", K::kPatternProperties, kEver, V::kApplicator, S::kMembers},
    {"prefixItems", K::kPrefixItems, k2020, V::kApplicator, S::kElements},
    {"properties", K::kProperties, kEver, V::kApplicator, S::kMembers},
    {"propertyNames", K::kPropertyNames, kSince6, V::kApplicator, S::kValue},
    {"readOnly", K::kReadOnly, kSince7, V::kMetaData, S::kNowhere},
    {"required", K::kRequired, kEver, V::kValidation, S::kNowhere},
    {"then", K::kThen, kSince7, V::kApplicator, S::kValue},
    {"title", K::kTitle, kEver, V::kMetaData, S::kNowhere},
    {"type", K::kType, kEver, V::kValidation, S::kNowhere},
    {"unevaluatedItems", K::kUnevaluatedItems, kSince2019, V::kUnevaluated, S::kValue},
    {"unevaluatedProperties", K::kUnevaluatedProperties, kSince2019, V::kUnevaluated, S::kValue},
    {"uniqueItems", K::kUniqueItems, kEver, V::kValidation, S::kNowhere},
    {"writeOnly", K::kWriteOnly, kSince7, V::kMetaData, S::kNowhere},
});

static_assert(kKeywordCount <= 64);  // KeywordSet

/// Maps a Keyword to its entry; kId to the entry `$id`, which sorts before `id`.
constexpr auto kByKeyword = [] {
  std::array<std::uint8_t, kKeywordCount> by_keyword{};
  for (std::size_t i = kKeywords.size(); i-- > 0;) {
    by_keyword[static_cast<std::size_t>(kKeywords[i].keyword)] = static_cast<std::uint8_t>(i);
  }
  return by_keyword;
}();

constexpr auto kDraft4Id = [] {
  std::size_t i = 0;
  while (kKeywords[i].name != "id") ++i;
  return i;
}();

static_assert([] {
  for (std::size_t i = 1; i < kKeywords.size(); ++i) {
    if (kKeywords[i - 1].name >= kKeywords[i].name) return false;
  }
  return kKeywords.size() == kKeywordCount + 1;  // each keyword once, kId twice
}());

// A hash table by length and three letters: the members of all schemas are looked up, and most of them are keywords.
constexpr std::size_t kSlots = 256;
constexpr std::uint8_t kNoKeyword = UINT8_MAX;
static_assert(kKeywords.size() < kNoKeyword && kKeywords.size() * 2 < kSlots);

/// Precondition: not empty.
constexpr std::size_t slot_of(std::string_view name) {
  const auto letter = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(name[i])); };
  const auto size = static_cast<unsigned>(name.size());
  return (letter(0) * 3 + letter(name.size() / 2) * 17 + letter(name.size() - 1) * 29 + size * 7) % kSlots;
}

constexpr auto kBySlot = [] {
  std::array<std::uint8_t, kSlots> by_slot{};
  by_slot.fill(kNoKeyword);
  for (std::size_t i = 0; i < kKeywords.size(); ++i) {
    std::size_t slot = slot_of(kKeywords[i].name);
    while (by_slot[slot] != kNoKeyword) slot = (slot + 1) % kSlots;
    by_slot[slot] = static_cast<std::uint8_t>(i);
  }
  return by_slot;
}();

/// Returns `uri` without its scheme and without an empty fragment; empty if the scheme is not http or https.
std::string_view bare(std::string_view uri) {
  if (uri.starts_with("http://")) {
    uri.remove_prefix(7);
  } else if (uri.starts_with("https://")) {
    uri.remove_prefix(8);
  } else {
    return {};
  }
  if (uri.ends_with('#')) uri.remove_suffix(1);
  return uri;
}

}  // namespace

KnownSchemaUri known_schema_uri(std::string_view uri) {
  struct Entry {
    std::string_view uri;
    KnownSchemaUri known;
  };
  constexpr std::array kEntries = std::to_array<Entry>({
      {"json-schema.org/draft/2020-12/schema", {Dialect::k2020_12}},
      {"json-schema.org/draft/2019-09/schema", {Dialect::k2019_09}},
      {"json-schema.org/draft-07/schema", {Dialect::kDraft7}},
      {"json-schema.org/draft-06/schema", {Dialect::kDraft6}},
      {"json-schema.org/draft-05/schema", {Dialect::kDraft4}},
      {"json-schema.org/draft-04/schema", {Dialect::kDraft4}},
      {"json-schema.org/draft-03/schema", {std::nullopt, true}},
      {"json-schema.org/draft-02/schema", {std::nullopt, true}},
      {"json-schema.org/draft-01/schema", {std::nullopt, true}},
      {"json-schema.org/draft-00/schema", {std::nullopt, true}},
  });
  const std::string_view key = bare(uri);
  for (const Entry& entry : kEntries) {
    if (entry.uri == key) return entry.known;
  }
  return {};
}

Vocabularies default_vocabularies(Dialect dialect) {
  if (dialect < Dialect::k2019_09) return Vocabularies::kAll;
  return Vocabularies(static_cast<std::uint16_t>(Vocabularies::kAll) &
                      ~static_cast<std::uint16_t>(Vocabularies::kFormatAssertion));
}

std::optional<Vocabularies> vocabulary_of_uri(std::string_view uri) {
  constexpr std::string_view k2019Prefix = "https://json-schema.org/draft/2019-09/vocab/";
  constexpr std::string_view k2020Prefix = "https://json-schema.org/draft/2020-12/vocab/";
  const bool is_2019 = uri.starts_with(k2019Prefix);
  if (!is_2019 && !uri.starts_with(k2020Prefix)) return std::nullopt;
  const std::string_view name = uri.substr(k2020Prefix.size());
  if (name == "core") return Vocabularies::kCore;
  if (name == "applicator") return is_2019 ? V::kApplicator | V::kUnevaluated : V::kApplicator;
  if (name == "validation") return Vocabularies::kValidation;
  if (name == "meta-data") return Vocabularies::kMetaData;
  if (name == "content") return Vocabularies::kContent;
  if (is_2019) return name == "format" ? std::optional(Vocabularies::kFormatAnnotation) : std::nullopt;
  if (name == "unevaluated") return Vocabularies::kUnevaluated;
  if (name == "format-annotation") return Vocabularies::kFormatAnnotation;
  if (name == "format-assertion") return Vocabularies::kFormatAssertion;
  return std::nullopt;
}

const KeywordInfo* find_keyword(std::string_view name) {
  if (name.empty()) return nullptr;
  for (std::size_t slot = slot_of(name); kBySlot[slot] != kNoKeyword; slot = (slot + 1) % kSlots) {
    if (kKeywords[kBySlot[slot]].name == name) return &kKeywords[kBySlot[slot]];
  }
  return nullptr;
}

KeywordSet keywords_with_schemas() {
  static constexpr KeywordSet kWithSchemas = [] {
    KeywordSet found;
    for (const KeywordInfo& info : kKeywords) {
      if (info.schemas != SchemasIn::kNowhere) found.add(info.keyword);
    }
    return found;
  }();
  return kWithSchemas;
}

const KeywordInfo& keyword_info(Keyword keyword, Dialect dialect) {
  if (keyword == Keyword::kId && dialect == Dialect::kDraft4) return kKeywords[kDraft4Id];
  return kKeywords[kByKeyword[static_cast<std::size_t>(keyword)]];
}

}  // namespace weir::frontend::json_schema
