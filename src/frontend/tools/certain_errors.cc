#include "frontend/tools/certain_errors.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/work.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/json_schema/source/keywords.h"
#include "frontend/reading.h"
#include "frontend/structural_tag/structural_tag.h"
#include "grammar/ir.h"
#include "weir/grammar.h"

namespace weir::frontend::tools {

using base::JsonDocument;
using base::JsonType;
using base::JsonValue;

namespace {

// Returns true if a keyword that an error is about is one of the dialect, or no keyword.
bool has_keywords(frontend::json_schema::Dialect dialect, const std::vector<Error>& errors) {
  constexpr auto kReading = JsonSchemaOptions::Reading::kSpecification;  // of errors_of()
  const auto has = [dialect](std::string_view pointer) {
    const auto* info = frontend::json_schema::find_keyword(pointer.substr(pointer.rfind('/') + 1));
    return info == nullptr || info->exists_in(dialect, frontend::json_schema::Vocabularies::kAll, kReading);
  };
  return std::ranges::all_of(errors, [&](const Error& error) {
    return has(error.pointer) && std::ranges::all_of(error.notes, has, &ErrorNote::location);
  });
}

// What a schema has that drafts may read differently.
struct DraftMarks {
  std::vector<const frontend::json_schema::KeywordInfo*> keywords;  // each once
  bool has_ref_beside_others = false;
  bool has_list_of_items = false;
};

DraftMarks draft_marks(const JsonValue& schema) {
  DraftMarks marks;
  std::vector<const JsonValue*> open{&schema};
  while (!open.empty()) {
    const JsonValue& value = *open.back();
    open.pop_back();
    for (const JsonValue& item : value.items()) open.push_back(&item);
    for (const base::JsonMember& member : value.members()) {
      open.push_back(&member.value);
      const auto* info = frontend::json_schema::find_keyword(member.key);
      if (info == nullptr) continue;
      if (member.key == "$ref" && value.members().size() > 1) marks.has_ref_beside_others = true;
      if (member.key == "items" && member.value.is(JsonType::kArray)) marks.has_list_of_items = true;
      if (std::ranges::find(marks.keywords, info) == marks.keywords.end()) marks.keywords.push_back(info);
    }
  }
  return marks;
}

// Returns what the draft reads otherwise than 2020-12 does.
std::vector<std::string_view> read_otherwise(const DraftMarks& marks, frontend::json_schema::Dialect draft) {
  using frontend::json_schema::Dialect;
  using frontend::json_schema::Vocabularies;
  constexpr auto kReading =
      JsonSchemaOptions::Reading::kSpecification;  // the default, with which schemas are read here
  std::vector<std::string_view> out;
  if (draft == Dialect::k2020_12) return out;
  for (const auto* info : marks.keywords) {
    const bool is_new = info->exists_in(Dialect::k2020_12, Vocabularies::kAll, kReading);
    if (info->exists_in(draft, Vocabularies::kAll, kReading) != is_new) out.push_back(info->name);
  }
  if (marks.has_list_of_items) out.emplace_back("items");
  if (marks.has_ref_beside_others && draft != Dialect::k2019_09) out.emplace_back("$ref");
  return out;
}

}  // namespace

std::vector<Error> errors_of(std::string_view tag, const JsonValue& schema, const Limits& limits,
                             const frontend::json_schema::SchemaReview* review) {
  using Draft = JsonSchemaOptions::Draft;
  using frontend::json_schema::Dialect;
  const bool names_draft = schema.find("$schema") != nullptr;
  std::optional<DraftMarks> marks;
  std::vector<std::vector<std::string_view>> tried;
  static constexpr std::array kDrafts{std::pair{Draft::k2020_12, Dialect::k2020_12},
                                      std::pair{Draft::k7, Dialect::kDraft7}, std::pair{Draft::k4, Dialect::kDraft4},
                                      std::pair{Draft::k6, Dialect::kDraft6},
                                      std::pair{Draft::k2019_09, Dialect::k2019_09}};
  std::vector<Error> first;
  for (const auto& [draft, dialect] : kDrafts) {
    if (!first.empty()) {
      if (!marks) marks = draft_marks(schema);
      std::vector<std::string_view> otherwise = read_otherwise(*marks, dialect);
      if (otherwise.empty() || std::ranges::find(tried, otherwise) != tried.end()) continue;
      tried.push_back(std::move(otherwise));
      if (!has_keywords(dialect, first)) continue;
    }
    grammar::Grammar scratch(limits.regex_nodes);
    frontend::Reading reading{scratch, limits, review};
    StructuralTagOptions options;
    options.json_schema.default_draft = draft;
    options.json_schema.formats = JsonSchemaOptions::Formats::kAnnotate;
    if (frontend::read_structural_tag(tag, options, reading)) return {};
    if (first.empty()) first = std::move(reading.errors);
    if (names_draft || base::Work::is_met()) break;
  }
  return first;
}

bool is_uncertain(const Error& error, std::string_view tag, const Limits& limits) {
  if (error.code == ErrorCode::kLimitExceeded) return true;
  const Result<JsonDocument> document = JsonDocument::parse(tag, limits);
  const auto path = frontend::json_schema::parse_pointer(error.pointer);
  if (!document || !path || path->empty()) return false;
  const std::string& key = path->back();
  if (key == "$schema") return true;
  const JsonValue* value = frontend::json_schema::find_pointer(document->root(), *path);
  return (key == "$ref" || key == "$dynamicRef" || key == "$recursiveRef") && value != nullptr &&
         value->is(JsonType::kString) && !value->string().starts_with('#');
}

}  // namespace weir::frontend::tools
