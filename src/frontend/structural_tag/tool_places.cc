#include "frontend/structural_tag/tool_places.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/limit.h"
#include "base/utf8.h"
#include "base/work.h"
#include "frontend/json_schema/source/json_pointer.h"

namespace weir::frontend::structural_tag {

namespace {

using base::JsonDocument;
using base::JsonMember;
using base::JsonType;
using base::JsonValue;
using Path = std::span<const std::string>;

// The member `tool` of a tag.
struct Origin {
  std::string_view name;
  std::string_view pointer;
};

std::optional<Origin> origin_of(const JsonValue& tag) {
  const JsonValue* tool = tag.find("tool");
  const JsonValue* name = tool == nullptr ? nullptr : tool->find("name");
  const JsonValue* pointer = tool == nullptr ? nullptr : tool->find("pointer");
  if (name == nullptr || pointer == nullptr || !name->is(JsonType::kString) || !pointer->is(JsonType::kString)) {
    return std::nullopt;
  }
  return Origin{name->string(), pointer->string()};
}

// Returns the number of tokens of `path` that lead from `root` to the tag of a tool, and the tool.
std::optional<std::pair<std::size_t, Origin>> tool_on(const JsonValue& root, Path path) {
  const JsonValue* value = &root;
  for (std::size_t i = 0; value != nullptr; ++i) {
    if (const auto origin = origin_of(*value)) return std::pair{i, *origin};
    if (i == path.size()) break;
    value = json_schema::step_pointer(*value, path[i]);
  }
  return std::nullopt;
}

// A value, its pointer and, if it is a member, the range of its key.
struct Place {
  const JsonValue* value;
  SourceRange key = {};
  std::string pointer = {};
};

// Returns the last place on the path that exists.
Place follow(const JsonValue& root, Path path) {
  Place place{&root};
  for (const std::string& token : path) {
    const JsonValue* next = json_schema::step_pointer(*place.value, token);
    if (next == nullptr) break;
    SourceRange key;
    for (const JsonMember& member : place.value->members()) {
      if (&member.value == next) key = member.key_where;
    }
    std::string pointer = std::move(place.pointer);
    json_schema::append_to_pointer(pointer, token);
    place = {next, key, std::move(pointer)};
  }
  return place;
}

std::string_view text_at(const JsonDocument& document, SourceRange where) {
  return document.text().substr(where.start, where.end - where.start);
}

// Returns the range in `tools` of the place that a note of the tag, at `where`, leads to.
std::optional<SourceRange> of_note(const JsonDocument& tag, const JsonDocument& tools, SourceRange where) {
  for (const JsonValue& note : tag.root().find("notes")->items()) {
    const JsonValue* pointer = note.where() == where ? note.find("pointer") : nullptr;
    if (pointer == nullptr || !pointer->is(JsonType::kString)) continue;
    const auto path = json_schema::parse_pointer(pointer->string());
    const JsonValue* there = path ? json_schema::find_pointer(tools.root(), *path) : nullptr;
    if (there != nullptr) return there->where();
  }
  return std::nullopt;
}

// Returns the range in `tools` that corresponds to `where` in a tool's tag or in a note about one; nullopt if `where` is
// in no such tag or `tools` lacks the tool.
std::optional<SourceRange> in_tools(const JsonDocument& tag, const JsonDocument& tools, SourceRange where) {
  const auto path = json_schema::parse_pointer(json_schema::pointer_at(tag.root(), where));
  if (path && !path->empty() && path->front() == "notes") return of_note(tag, tools, where);
  const auto tool = path ? tool_on(tag.root(), *path) : std::nullopt;
  if (!tool) return std::nullopt;
  auto there = json_schema::parse_pointer(tool->second.pointer);
  const JsonValue* same = there ? json_schema::find_pointer(tools.root(), *there) : nullptr;
  const JsonValue* name = same != nullptr ? same->find("name") : nullptr;
  if (name == nullptr || !name->is(JsonType::kString) || name->string() != tool->second.name) return std::nullopt;
  Path within = Path(*path).subspan(tool->first);
  const bool is_content = within.size() == 1 && within.front() == "content";
  while (!within.empty() && within.front() != kSchemaMember.substr(1)) within = within.subspan(1);
  there->emplace_back(within.empty() && !is_content ? "name" : "parameters");
  if (!within.empty()) there->insert(there->end(), within.begin() + 1, within.end());
  const Place from = follow(tag.root(), *path);
  const Place to = follow(tools.root(), *there);
  if (to.key != SourceRange{} && where == from.key) return to.key;
  const SourceRange old = from.value->where(), now = to.value->where();
  const bool is_inside = where.start >= old.start && where.end <= old.end;
  if (!is_inside || text_at(tag, old) != text_at(tools, now)) return now;
  return SourceRange{now.start + (where.start - old.start), now.start + (where.end - old.start)};
}

// Returns the list of tools that the tag was made of, if the tag has it.
std::optional<JsonDocument> tools_of(const JsonDocument& tag, const Limits& limits) {
  const JsonValue* list = tag.root().find("tools");
  if (list == nullptr || !list->is(JsonType::kString)) return std::nullopt;
  Result<JsonDocument> tools = JsonDocument::parse(list->string(), limits);
  if (!tools) return std::nullopt;
  return std::move(*tools);
}

// Makes the places in the tag of a tool places in `tools`. Returns false if there are none.
template <typename Finding>
bool move_into_tools(const JsonDocument& tag, const JsonDocument& tools, Finding& finding) {
  const auto where = in_tools(tag, tools, finding.where);
  if (!where) return false;
  finding.where = *where;
  // structural_tag_for_tools adds a `type` where a schema has none, so the pointer may lead to a member that `tools`
  // lacks.
  if (const auto path = json_schema::parse_pointer(finding.pointer))
    finding.pointer = follow(tools.root(), *path).pointer;
  for (ErrorNote& note : finding.notes) {
    if (note.where != SourceRange{}) note.where = in_tools(tag, tools, note.where).value_or(*where);
  }
  return true;
}

// Returns true if the limit counts the whole grammar, so the part where it was met need not be the cause.
bool is_sum(const Error& error) { return error.limit == base::field_name(base::Limit::kGrammarSymbols); }

// Makes the error about a limit name the tool with the longest parameters, unless the limit is about a smaller part.
void lead_to_longest(const JsonValue& root, Error& error, bool is_in_tool) {
  std::vector<const JsonValue*> open{&root};
  const JsonValue* longest = nullptr;
  std::size_t most = 0;
  while (!open.empty()) {
    const JsonValue& value = *open.back();
    open.pop_back();
    if (origin_of(value)) {
      const std::size_t length = value.where().end - value.where().start;
      if (length > most) longest = &value;
      most = std::max(most, length);
      continue;
    }
    for (const JsonValue& item : value.items()) open.push_back(&item);
    for (const JsonMember& member : value.members()) open.push_back(&member.value);
  }
  if (longest == nullptr) return;
  const SourceRange all = longest->where();
  const bool is_smaller = error.where.start > all.start || error.where.end < all.end;
  if (is_smaller && error.where != SourceRange{} && !is_in_tool) return;
  const Origin origin = *origin_of(*longest);
  error.message += "; the tool with the longest parameters is `" + base::escape_for_display(origin.name) + "`";
  error.pointer = std::string(origin.pointer) + "/parameters";
  const JsonValue* content = longest->find("content");
  error.where = content != nullptr ? content->where() : all;
}

}  // namespace

std::string in_argument(std::string_view tool, std::string_view path) {
  constexpr std::string_view kProperties = "/properties/";
  std::string out = "tool `" + base::escape_for_display(tool) + "`";
  if (path.starts_with(kProperties)) {
    path.remove_prefix(kProperties.size() - 1);
    path = path.substr(0, path.find('/', 1));
    const auto key = json_schema::parse_pointer(path);
    if (key && key->size() == 1) out += ", argument `" + base::escape_for_display(key->front()) + "`";
  }
  return out + ": ";
}

template <typename Finding>
void lead_to_tool(Finding& finding, std::string_view tool, std::string_view pointer) {
  const std::size_t at = finding.pointer.find(kSchemaMember);
  const bool is_in_schema = at != std::string::npos;
  const std::string path = is_in_schema ? finding.pointer.substr(at + kSchemaMember.size()) : "";
  finding.message = in_argument(tool, path) + finding.message;
  finding.pointer = std::string(pointer) + (is_in_schema ? "/parameters" + path : "/name");
}
template void lead_to_tool(Error&, std::string_view, std::string_view);
template void lead_to_tool(Warning&, std::string_view, std::string_view);

void move_into_tools(std::string_view text, Error& error, Limits limits) {
  if (!error.text.empty()) return;
  limits.nesting = limits.number_digits = UINT32_MAX;
  const Result<JsonDocument> tag = JsonDocument::parse(text, limits);
  if (!tag) return;
  if (error.pointer.empty()) {
    std::string pointer = json_schema::pointer_at(tag->root(), error.where);
    const auto path = json_schema::parse_pointer(pointer);
    const auto tool = path ? tool_on(tag->root(), *path) : std::nullopt;
    if (tool && !is_sum(error)) {
      error.pointer = std::move(pointer);
      lead_to_tool(error, tool->second.name, tool->second.pointer);
    } else if (error.code == ErrorCode::kLimitExceeded) {
      lead_to_longest(tag->root(), error, tool.has_value());
    }
  }
  if (const auto tools = tools_of(*tag, limits); tools && move_into_tools(*tag, *tools, error)) {
    error.text = tools->text();
  }
}

std::vector<ToolGrammar> tool_grammars(std::string_view text, Limits limits) {
  std::vector<ToolGrammar> found;
  if (text.find("lark") == std::string_view::npos) return found;
  limits.nesting = limits.number_digits = UINT32_MAX;
  const Result<JsonDocument> tag = JsonDocument::parse(text, limits);
  const auto tools = tag ? tools_of(*tag, limits) : std::nullopt;
  if (!tools) return found;
  const auto inside = [](const JsonValue* value, std::string_view key) {
    const JsonValue* inner = value->find(key);
    return inner != nullptr && inner->is(JsonType::kObject) ? inner : value;
  };
  for (const JsonValue& item : tools->root().items()) {
    const JsonValue* tool = inside(&item, "custom");
    const JsonValue* name = tool->find("name");
    const JsonValue* grammar = inside(inside(tool, "format"), "grammar");
    const JsonValue* syntax = grammar->find("syntax");
    const JsonValue* definition = grammar->find("definition");
    const auto is_text = [](const JsonValue* value) { return value != nullptr && value->is(JsonType::kString); };
    if (!is_text(name) || !is_text(syntax) || syntax->string() != "lark" || !is_text(definition)) continue;
    found.push_back({std::string(name->string()), std::string(definition->string()),
                     json_schema::pointer_to(tools->root(), *definition), definition->where(),
                     std::string(tools->text())});
  }
  return found;
}

void move_into_tools(std::string_view text, std::vector<Warning>& warnings, Limits limits) {
  const auto has_place = [](const Warning& one) { return one.text == nullptr && one.where != SourceRange{}; };
  if (std::ranges::none_of(warnings, has_place)) return;
  limits.nesting = limits.number_digits = UINT32_MAX;
  const Result<JsonDocument> tag = JsonDocument::parse(text, limits);
  if (!tag) return;
  const auto tools = tools_of(*tag, limits);
  const auto shared = tools ? std::make_shared<const std::string>(tools->text()) : nullptr;
  std::set<std::tuple<std::string, std::string, std::size_t, std::size_t>> known;
  std::erase_if(warnings, [&](Warning& warning) {
    if (!has_place(warning)) return false;
    base::Work::charge(base::Work::kVisit);
    if (warning.pointer.empty()) {
      warning.pointer = json_schema::pointer_at(tag->root(), warning.where);
      const auto path = json_schema::parse_pointer(warning.pointer);
      const auto tool = path ? tool_on(tag->root(), *path) : std::nullopt;
      if (tool) lead_to_tool(warning, tool->second.name, tool->second.pointer);
    }
    if (!tools || !move_into_tools(*tag, *tools, warning)) return false;
    warning.text = shared;
    return !known.emplace(warning.code, warning.message, warning.where.start, warning.where.end).second;
  });
}

}  // namespace weir::frontend::structural_tag
