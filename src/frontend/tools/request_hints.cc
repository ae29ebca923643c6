#include "frontend/tools/request_hints.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/json/json_text.h"
#include "base/utf8.h"
#include "frontend/json_schema/source/misnomers.h"
#include "frontend/search_bounds.h"
#include "frontend/structural_tag/input.h"

namespace weir::frontend::tools {

namespace {

using base::JsonMember;
using base::JsonType;
using base::JsonValue;
using json_schema::have_same_letters;
using structural_tag::find_given;

std::string shown(std::string_view name) { return "`" + base::escape_for_display(name) + "`"; }

// Returns the first member whose name is one of these, whatever its case.
const JsonValue* find_any(const JsonValue& object, std::initializer_list<std::string_view> names) {
  for (const JsonMember& member : object.members()) {
    const auto is_name = [&](std::string_view name) { return have_same_letters(member.key, name); };
    if (std::ranges::any_of(names, is_name)) return &member.value;
  }
  return nullptr;
}

bool is_tool(const JsonValue& value) { return find_given(*function_of(value), "name") != nullptr; }

// Returns true for what is a tool but for its name, which a record of tools has as the key.
bool is_nameless_tool(const JsonValue& value) {
  const JsonValue* schema = find_any(value, {"parameters", "input_schema", "function"});
  const JsonValue* description = find_any(value, {"description"});
  return (schema != nullptr && schema->is(JsonType::kObject)) ||
         (description != nullptr && description->is(JsonType::kString));
}

// Returns what a word of another interface means here; empty if that is not clear.
std::string_view meaning_of(std::string_view word) {
  static constexpr auto kWords = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"any", "required"},
      {"auto", "auto"},
      {"force", "required"},
      {"none", "none"},
      {"required", "required"},
      {"validated", "auto"},
  });
  for (const auto& [known, meaning] : kWords) {
    if (have_same_letters(word, known)) return meaning;
  }
  return {};
}

std::string choice_of_function(std::string_view name) {
  return R"({"type": "function", "function": {"name": )" + base::json_string(name) + "}}";
}

// Returns what says the same here; empty if that is not clear. `depth` bounds the wrappers.
std::string choice_that_is_meant(const JsonValue& choice, std::span<const std::string_view> names, int depth) {
  const auto is_known = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
  const auto in_quotes = [](std::string_view word) { return word.empty() ? std::string() : base::json_string(word); };
  if (choice.is(JsonType::kString)) {
    return is_known(choice.string()) ? choice_of_function(choice.string()) : in_quotes(meaning_of(choice.string()));
  }
  if (!choice.is(JsonType::kObject)) return {};
  const JsonValue* allowed = find_any(choice, {"allowed_function_names"});
  if (allowed != nullptr && allowed->items().size() > 0) {
    return R"({"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": ...}]})";
  }
  const JsonValue* inner = find_any(choice, {"function", "tool"});
  const JsonValue* name = find_any(inner != nullptr ? *inner : choice, {"name", "tool_name"});
  if (name != nullptr && name->is(JsonType::kString) && is_known(name->string())) {
    return choice_of_function(name->string());
  }
  const JsonValue* word = find_any(choice, {"type", "mode"});
  if (word != nullptr) return word->is(JsonType::kString) ? in_quotes(meaning_of(word->string())) : std::string();
  if (choice.members().size() != 1 || depth == 0) return {};
  const JsonMember& only = choice.members()[0];
  const std::string_view meaning = meaning_of(only.key);  // {"any": {}}
  return !meaning.empty() ? in_quotes(meaning) : choice_that_is_meant(only.value, names, depth - 1);
}

}  // namespace

const JsonValue* function_of(const JsonValue& tool) {
  for (const std::string_view kind : {"function", "custom"}) {
    if (const JsonValue* inner = find_given(tool, kind)) return inner;
  }
  return &tool;
}

std::string hint_about_wrapper(const JsonValue& object) {
  if (is_tool(object)) return "put the tool into a list";
  for (const JsonMember& member : object.members()) {
    if (find_given(member.value, "name") != nullptr) {
      return "did you mean the tool in its member " + shown(member.key) + "?";
    }
    for (const JsonValue& item : member.value.items()) {
      if (item.is(JsonType::kObject)) return "did you mean the list in its member " + shown(member.key) + "?";
    }
  }
  if (is_nameless_tool(object) || json_schema::looks_like_schema(object)) return {};
  for (const JsonMember& member : object.members()) {
    if (!is_nameless_tool(member.value)) continue;
    return "a list of tools has the name in each: [{\"name\": " +
           base::json_string(base::escape_for_display(member.key)) + ", \"parameters\": ...}]";
  }
  return {};
}

std::string hint_for_choice(const JsonValue& choice, std::span<const std::string_view> names) {
  std::string meant = choice_that_is_meant(choice, names, kMaxWrappers);
  return meant.empty() ? std::string() : "did you mean " + std::move(meant) + "?";
}

}  // namespace weir::frontend::tools
