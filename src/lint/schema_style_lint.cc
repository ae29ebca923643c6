#include "lint/schema_style_lint.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "frontend/json_schema/source/keywords.h"
#include "frontend/json_schema/source/misnomers.h"
#include "grammar/suggest.h"

namespace weir::frontend::json_schema {

namespace {

std::string_view name_of(Dialect dialect) {
  switch (dialect) {
    case Dialect::kDraft4: return "draft 4";
    case Dialect::kDraft6: return "draft 6";
    case Dialect::kDraft7: return "draft 7";
    case Dialect::k2019_09: return "draft 2019-09";
    case Dialect::k2020_12: return "draft 2020-12";
  }
  return {};
}

using Reading = JsonSchemaOptions::Reading;

// Returns true if the dialect itself defines the keyword.
bool is_of(Dialect dialect, const KeywordInfo& keyword) {
  return keyword.exists_in(dialect, Vocabularies::kAll, Reading::kSpecification);
}

// Returns true if the first letters are the same but for their case. Asserting keywords begin with small letters.
bool begin_alike(std::string_view keyword, std::string_view name) {
  return !name.empty() && (name[0] == keyword[0] || name[0] == keyword[0] - 'a' + 'A');
}

// Returns the asserting keyword of the dialect that differs from the name only in case, `_` and `-`. A name that begins
// with one of these marks, such as `_format`, is not meant as a keyword.
std::optional<std::string_view> meant_keyword(std::string_view name, Dialect dialect) {
  if (name.starts_with('_') || name.starts_with('-')) return std::nullopt;
  for (auto i = static_cast<std::uint8_t>(Keyword::kAllOf); i <= static_cast<std::uint8_t>(Keyword::kFormat); ++i) {
    const KeywordInfo& info = keyword_info(static_cast<Keyword>(i), dialect);
    if (!begin_alike(info.name, name)) continue;
    if (have_same_letters(info.name, name) && is_of(dialect, info)) return info.name;
  }
  return std::nullopt;
}

// Returns the asserting keyword of the dialect of which the name is probably a typo. Schemas contain annotations of all
// kinds, such as `form`, `maxSteps` and `inclusiveMinimum`. So the first letter must be the keyword's, and only names
// like long keywords may have two wrong letters.
std::optional<std::string_view> mistyped_keyword(std::string_view name, Dialect dialect) {
  constexpr std::size_t kShortest = 5;
  constexpr std::size_t kLong = 9;
  if (name == "cost" || name == "multiple") return std::nullopt;
  for (auto i = static_cast<std::uint8_t>(Keyword::kAllOf); i <= static_cast<std::uint8_t>(Keyword::kFormat); ++i) {
    const KeywordInfo& info = keyword_info(static_cast<Keyword>(i), dialect);
    const std::size_t bound = info.name.size() < kLong ? 1 : 2;
    if (info.name.size() < kShortest || !begin_alike(info.name, name) || !is_of(dialect, info)) continue;
    if (name.size() + bound < info.name.size() || name.size() > info.name.size() + bound) continue;
    if (grammar::edit_distance(info.name, name, bound) <= bound) return info.name;
  }
  return std::nullopt;
}

struct Foreign {
  std::string_view name;
  std::string_view of;
  std::string_view hint;
  std::string_view options = {};
};
constexpr std::array kForeign = std::to_array<Foreign>({
    {"disallow", "draft 3", "use `not` with a `type`"},
    {"divisibleBy", "draft 3", "use `multipleOf`"},
    {"extends", "draft 3", "use `allOf`"},
    {"nullable", "OpenAPI 3.0", "use `\"type\": [\"string\", \"null\"]`, or `anyOf`"},
    {"optional", "other formats", "members are optional unless `required` of the object lists them"},
    {"propertyOrdering", "Gemini", "with the option `order` members come in the order of `properties`", "order"},
    {"x-guidance", "llguidance", "options of the call say the same"},
});

// Names of other libraries for keywords. Annotations have such names, too, so they are warned of only in a schema of the
// type that the keyword is for, with a value that it could take.
struct Synonym {
  std::string_view name;
  std::string_view type;
  JsonType value;
  std::string_view keyword;
};
constexpr std::array kSynonyms = std::to_array<Synonym>({
    {"max", "array", JsonType::kNumber, "maxItems"},
    {"max", "integer", JsonType::kNumber, "maximum"},
    {"max", "number", JsonType::kNumber, "maximum"},
    {"max", "string", JsonType::kNumber, "maxLength"},
    {"min", "array", JsonType::kNumber, "minItems"},
    {"min", "integer", JsonType::kNumber, "minimum"},
    {"min", "number", JsonType::kNumber, "minimum"},
    {"min", "string", JsonType::kNumber, "minLength"},
    {"options", "string", JsonType::kArray, "enum"},
    {"regex", "string", JsonType::kString, "pattern"},
    {"values", "string", JsonType::kArray, "enum"},
});

// Returns the keyword that the member is probably meant as; empty if there is none, or the schema has it.
std::string_view meant_by_synonym(const JsonValue& schema, const JsonMember& member) {
  const JsonValue* type = schema.find("type");
  if (type == nullptr || !type->is(JsonType::kString)) return {};
  for (const Synonym& one : kSynonyms) {
    if (one.name != member.key || one.type != type->string() || !member.value.is(one.value)) continue;
    return schema.find(one.keyword) == nullptr ? one.keyword : std::string_view();
  }
  return {};
}

void warn_of_member(const SchemaStore& store, SchemaId schema, const JsonMember& member, bool is_beside_ref,
                    std::vector<Warning>& warnings) {
  const Dialect dialect = store.dialect(schema);
  const auto warn = [&](std::string_view code, std::string_view message, std::string_view hint,
                        std::string_view options = {}) {
    Warning warning = store.warning(schema, member, message);
    warning.hint = hint;
    warning.code = code;
    warning.options = options;
    warnings.push_back(std::move(warning));
  };
  if (const KeywordInfo* known = find_keyword(member.key); known != nullptr) {
    if (!asserts(known->keyword)) return;
    const bool is_old = known->keyword == Keyword::kAdditionalItems && store.has_old_items(schema);
    if ((is_old || is_of(dialect, *known)) && !is_beside_ref) return;
    const bool is_practice = store.reading() == Reading::kPractice;
    const std::string draft(name_of(dialect));
    if (!is_old && !is_of(dialect, *known)) {
      if (is_practice && known->exists_in(dialect, Vocabularies::kAll, Reading::kPractice)) {
        warn("later-keyword", "has no effect in " + draft + ", but in later drafts: it counts here", kDraftHint,
             kDraftOption);
      } else {
        warn("ignored-keyword", "has no effect in " + draft, kDraftHint, kDraftOption);
      }
    } else if (is_beside_ref && known->keyword != Keyword::kRef) {
      const std::string_view hint = "put the `$ref` into an `allOf`";
      if (is_practice) {
        warn("later-keyword", "has no effect beside `$ref` in " + draft + ", but in later drafts: it counts here",
             hint);
      } else {
        warn("ignored-keyword", "has no effect beside `$ref` in " + draft, hint);
      }
    }
    return;
  }
  for (const Foreign& foreign : kForeign) {
    if (foreign.name != member.key || (member.value.is(JsonType::kBoolean) && !member.value.boolean())) continue;
    warn("ignored-keyword", "is a keyword of " + std::string(foreign.of) + " and has no effect here", foreign.hint,
         foreign.options);
    return;
  }
  if (const std::string_view meant = meant_by_synonym(store.json(schema), member); !meant.empty()) {
    warn("ignored-keyword", "is not a keyword and has no effect", "did you mean `" + std::string(meant) + "`?");
  } else if (const auto meant = meant_keyword(member.key, dialect)) {
    warn("ignored-keyword", "is not a keyword and has no effect", "did you mean `" + std::string(*meant) + "`?");
  } else if (const auto mistyped = mistyped_keyword(member.key, dialect)) {
    warn("ignored-keyword", "is not a keyword and has no effect", "did you mean `" + std::string(*mistyped) + "`?");
  }
}

struct Spelling {
  std::string_view text;
  std::string_view means;  // in ECMA-262
  std::string_view hint;
};
constexpr std::array kSpellings = std::to_array<Spelling>({
    {"\\A", "the letter A", "`^` is the beginning of the text"},
    {"\\Z", "the letter Z", "`$` is the end of the text"},
    {"\\z", "the letter z", "`$` is the end of the text"},
    {"\\G", "the letter G", "`^` is the beginning of the text"},
    {"\\h", "the letter h", "`[ \\t]` is a blank within a line"},
    {"\\H", "the letter H", "`[^ \\t]` is no blank within a line"},
    {"\\R", "the letter R", "`\\r?\\n` is the end of a line"},
    {"\\Q", "the letter Q", "each character that means something needs a backslash"},
    {"\\e", "the letter e", "`\\x1B` is the character ESC"},
    {"\\x{", "the letter x and a count or a brace", "`\\u{...}` is a character by its number"},
    {"[[:", "a class of `[`, `:` and letters", "`\\p{...}` is a property of characters"},
    {"{,", "these two characters", "`{0,` counts from 0"},
});

// Returns true if the text begins with a count without a lower bound: {,3}.
bool is_count_from_nothing(std::string_view text) {
  if (!text.starts_with("{,")) return false;
  const std::size_t end = text.find_first_not_of("0123456789", 2);
  return end != 2 && end != std::string_view::npos && text[end] == '}';
}

constexpr std::string_view kFirstBytes = "\\[{";

// Bit i of entry b is set if kFirstBytes[i] and b begin a spelling. A table, since a long pattern may have a bracket at
// every second byte.
constexpr auto kSecondBytes = [] {
  std::array<std::uint8_t, 256> bytes{};
  for (const Spelling& spelling : kSpellings) {
    bytes[static_cast<std::uint8_t>(spelling.text[1])] |=
        static_cast<std::uint8_t>(1U << kFirstBytes.find(spelling.text[0]));
  }
  return bytes;
}();

// Returns true if the pattern is written as in JavaScript's sources: /^a$/i.
bool is_between_slashes(std::string_view pattern) {
  const std::size_t last = pattern.find_last_not_of("dgimsuvy");
  if (last == std::string_view::npos || last < 2 || pattern[0] != '/' || pattern[last] != '/') return false;
  return pattern[1] == '^' || pattern[last - 1] == '$';
}

void warn_of_pattern(const SchemaStore& store, SchemaId schema, const JsonMember& member, std::string_view pattern,
                     std::vector<Warning>& warnings) {
  if (is_between_slashes(pattern)) {
    Warning warning = store.warning(schema, member, "is between slashes, which are characters here");
    warning.hint = "leave out the slashes and what follows them";
    warning.code = "pattern-dialect";
    warnings.push_back(std::move(warning));
    return;
  }
  // Each spelling has two bytes or more.
  for (std::size_t i = 0; i + 1 < pattern.size(); i += pattern[i] == '\\' ? 2 : 1) {
    const unsigned firsts = kSecondBytes[static_cast<std::uint8_t>(pattern[i + 1])];
    if (firsts == 0) continue;
    const std::size_t first = kFirstBytes.find(pattern[i]);
    if (first == std::string_view::npos || (firsts >> first & 1U) == 0) continue;
    if (pattern[i] == '{' && !is_count_from_nothing(pattern.substr(i))) continue;
    const auto found = std::ranges::find_if(
        kSpellings, [&](const Spelling& spelling) { return pattern.substr(i).starts_with(spelling.text); });
    if (found == kSpellings.end()) continue;
    Warning warning =
        store.warning(schema, member,
                      "has `" + std::string(found->text) + "`, which is " + std::string(found->means) + " in ECMA-262");
    warning.hint = found->hint;
    warning.code = "pattern-dialect";
    warnings.push_back(std::move(warning));
    return;
  }
}

}  // namespace

void warn_of_style(const SchemaStore& store, SchemaId schema, std::vector<Warning>& warnings) {
  const JsonValue& json = store.json(schema);
  const JsonValue* ref = json.find("$ref");
  const bool is_beside_ref = store.dialect(schema) <= Dialect::kDraft7 && ref != nullptr && ref->is(JsonType::kString);
  for (const JsonMember& member : json.members()) {
    warn_of_member(store, schema, member, is_beside_ref, warnings);
    if (store.hides_siblings(schema)) continue;
    if (member.key == "pattern" && member.value.is(JsonType::kString)) {
      warn_of_pattern(store, schema, member, member.value.string(), warnings);
    }
    if (member.key != "patternProperties") continue;
    for (const JsonMember& one : member.value.members()) warn_of_pattern(store, schema, one, one.key, warnings);
  }
}

}  // namespace weir::frontend::json_schema
