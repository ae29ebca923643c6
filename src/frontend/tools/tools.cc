#include "frontend/tools/tools.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/build_call.h"
#include "base/json/json_text.h"
#include "base/json/json_value.h"
#include "base/utf8.h"
#include "base/work.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/json_schema/source/keywords.h"
#include "frontend/json_schema/source/misnomers.h"
#include "frontend/reading.h"
#include "frontend/search_bounds.h"
#include "frontend/structural_tag/arguments.h"
#include "frontend/structural_tag/input.h"
#include "frontend/structural_tag/response_format.h"
#include "frontend/structural_tag/structural_tag.h"
#include "frontend/structural_tag/tool_places.h"
#include "frontend/tools/certain_errors.h"
#include "frontend/tools/harmony.h"
#include "frontend/tools/request_hints.h"
#include "frontend/tools/response_template.h"
#include "frontend/tools/tool_styles.h"
#include "grammar/ir.h"
#include "grammar/suggest.h"
#include "regex/analysis/members.h"
#include "regex/expr/expr.h"
#include "regex/syntax/syntax.h"
#include "weir/diagnostic.h"
#include "weir/grammar.h"

namespace weir::frontend::tools {

namespace {

using base::json_string;
using base::JsonDocument;
using base::JsonType;
using base::JsonValue;
using structural_tag::find_given;

constexpr std::string_view kHarmony = "harmony";
// What its names are like.
constexpr ToolStyle kHarmonyName{.name = kHarmony,
                                 .before_name = {},
                                 .after_name = {},
                                 .end = {},
                                 .trigger = {},
                                 .name_form = NameForm::kPlain,
                                 .name_ends = " <"};
// As many blanks as between arguments (structural_tag/arguments.cc).
constexpr std::string_view kAnyBlanks = R"({"type": "regex", "pattern": "[ \\t\\r\\n]{0,32}"})";

// --- JSON to write ---

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return "[" + out + "]";
}

std::string object(std::initializer_list<std::pair<std::string_view, std::string>> members) {
  std::string out;
  for (const auto& [key, value] : members) out += (out.empty() ? "" : ", ") + json_string(key) + ": " + value;
  return "{" + out + "}";
}

std::string format(std::string_view type, std::initializer_list<std::pair<std::string_view, std::string>> members) {
  std::string out = "{\"type\": " + json_string(type);
  for (const auto& [key, value] : members) out += ", " + json_string(key) + ": " + value;
  return out + "}";
}

// A format with one member, whose value is JSON.
std::string format(std::string_view type, std::string_view key, std::string_view value) {
  std::string out = "{\"type\": \"";
  for (const std::string_view part : {type, std::string_view("\", \""), key, std::string_view("\": "), value})
    out += part;
  return out += '}';
}

std::string constant(std::string_view text) { return format("const_string", "value", json_string(text)); }

std::string pattern(std::string_view text) { return format("regex", "pattern", json_string(text)); }

std::string optional(std::string_view content) { return format("optional", "content", content); }

std::string either(const std::vector<std::string>& ways) {
  return ways.size() == 1 ? ways[0] : format("or", "elements", joined(ways));
}

std::string sequence(const std::vector<std::string>& parts) {
  return parts.size() == 1 ? parts[0] : format("sequence", "elements", joined(parts));
}

std::string tag(std::string_view begin, const std::string& content, std::string_view end) {
  return format("tag", {{"begin", json_string(begin)}, {"content", content}, {"end", json_string(end)}});
}

// Returns the formats of the parts of a text of a style.
std::vector<std::string> formats_of(std::string_view text) {
  std::vector<std::string> formats;
  for (const TextPart& part : parts_of(text)) {
    switch (part.kind) {
      case TextPart::Kind::kText: formats.push_back(constant(part.text)); break;
      case TextPart::Kind::kBlank: formats.emplace_back(kAnyBlanks); break;
      case TextPart::Kind::kOr: formats.push_back(either({constant(part.text), constant(part.other)})); break;
    }
  }
  return formats;
}

// Returns the constant string with which a text begins, or ends, and takes it away.
std::string_view take_first(std::string_view& text) {
  const std::string_view first = first_text(text);
  text.remove_prefix(first.size());
  return first;
}
std::string_view take_last(std::string_view& text) {
  const std::string_view last = last_text(text);
  text.remove_suffix(last.size());
  return last;
}

void append(std::vector<std::string>& parts, std::vector<std::string> more) {
  for (std::string& one : more) parts.push_back(std::move(one));
}

std::string word(bool value) { return value ? "true" : "false"; }

// --- the request ---

struct Tool {
  std::string name;
  std::string parameters;             // JSON: a schema whose values are objects
  std::string pointer;                // to the object with the name, in the text of the tools
  SourceRange name_where;             // of the name in that text
  std::size_t start = 0;              // of the parameters in that text; 0 if there are none
  const JsonValue* schema = nullptr;  // the parameters in the tree of that text, if there are any
  std::size_t added = 0;              // bytes that `parameters` has after its first one, and the text has not
  std::vector<Error> errors = {};     // about its parameters
  bool is_custom = false;             // its only argument is a string, `input`
  const JsonValue* lark = nullptr;    // the grammar of that string; `parameters` then do not say what it is
  std::optional<structural_tag::ArgumentStyle> own = {};  // the form of arguments, unless it is JSON
};

using Mode = CallMode;

struct Request {
  std::vector<Tool> tools;
  Mode mode = Mode::kAuto;
  bool one_call = false;
  std::string answer;              // the format of an answer without calls; empty: text
  std::vector<std::string> never;  // what free text never contains, beside the beginnings of calls of `tools`
};

Error invalid(const JsonDocument& document, const JsonValue& at, std::string message, std::string hint = {}) {
  Error error{ErrorCode::kInvalidArgument, std::move(message), at.where(), std::move(hint)};
  error.pointer = frontend::json_schema::pointer_to(document.root(), at);
  return error;
}

// Returns one error for all: the first in the text, with the others as notes.
Error as_one(std::vector<Error> errors) {
  std::ranges::stable_sort(errors, {}, [](const Error& error) { return error.where.start; });
  Error first = std::move(errors.front());
  for (std::size_t i = 1; i < std::min(errors.size(), kMaxErrors); ++i) {
    first.notes.push_back({std::move(errors[i].message), errors[i].where, std::move(errors[i].pointer)});
  }
  return first;
}

std::string shown(std::string_view name) { return "`" + base::escape_for_display(name) + "`"; }

std::string not_of_type(const JsonValue& type) {
  return type.is(JsonType::kString) ? ", not " + shown(type.string()) : "";
}

std::string of_tool(std::string_view name) { return "tool " + shown(name) + ": "; }

bool has_type(const JsonValue& tool, std::string_view type) {
  const JsonValue* value = find_given(tool, "type");
  return value != nullptr && value->is(JsonType::kString) && value->string() == type;
}

// Returns true if a tool, or a choice that names one, is of another type than `function` and `custom`. A provider has such
// tools, `web_search` for example, and runs them itself.
bool is_built_in(const JsonValue& tool) {
  const JsonValue* type = find_given(tool, "type");
  return type != nullptr && type->is(JsonType::kString) && !has_type(tool, "function") && !has_type(tool, "custom");
}

std::optional<std::string> name_of(const JsonValue& tool) {
  const JsonValue* name = function_of(tool)->find("name");
  if (name == nullptr || !name->is(JsonType::kString) || name->string().empty()) return std::nullopt;
  if (base::find_invalid_utf8(name->string()) != std::string_view::npos) return std::nullopt;
  return std::string(name->string());
}

// Returns the error of a tool for which there is no name_of().
Error wrong_name(const JsonDocument& document, const JsonValue& tool) {
  const JsonValue& function = *function_of(tool);
  if (!tool.is(JsonType::kObject)) return invalid(document, tool, "a tool must be an object");
  if (!function.is(JsonType::kObject)) return invalid(document, function, "the `function` of a tool must be an object");
  const JsonValue* name = find_given(function, "name");
  if (name == nullptr) return invalid(document, tool, "a tool must have a `name`", hint_about_wrapper(function));
  return invalid(document, *name,
                 !name->is(JsonType::kString) ? "the `name` of a tool must be a string"
                 : name->string().empty()     ? "the `name` of a tool must not be empty"
                                          : "the `name` of a tool holds half of a surrogate pair, which is no text");
}

// Rejects tools without `parameters`, or custom tools without `format`, that have unknown members. Other dialects use
// other names, and such a tool would silently take no arguments, or any input. Beside a member that is known to hold the
// schema of a tool elsewhere, the others are not named.
void check_no_parameters(const JsonDocument& document, const JsonValue& tool, const std::string& name,
                         std::vector<Error>& errors) {
  static constexpr std::array<std::string_view, 5> kKnown{"type", "name", "title", "description", "strict"};
  const bool is_custom = has_type(tool, "custom");
  const std::string kind = is_custom ? "custom" : "function", missing = is_custom ? "format" : "parameters";
  std::vector<Error> unknown;
  std::vector<Error> schemas;
  for (const JsonValue* object : {&tool, function_of(tool)}) {
    for (const base::JsonMember& member : object->members()) {
      if (member.value.is(JsonType::kNull)) continue;
      if (&member.value == function_of(tool) && (is_custom || member.key == kind)) continue;
      if (std::find(kKnown.begin(), kKnown.end(), member.key) != kKnown.end()) continue;
      const bool is_beside = member.key == missing;  // of `function`, in which it is to be
      const bool has_schema = is_beside || frontend::json_schema::have_same_letters(member.key, "parameters") ||
                              frontend::json_schema::have_same_letters(member.key, "input_schema");
      const std::string hint = is_beside ? "it belongs into `" + kind + "`"
                               : has_schema && is_custom
                                   ? "a custom tool takes a text; of a tool with `parameters` the type is `function`"
                               : member.value.is(JsonType::kObject) ? "did you mean `" + missing + "`?"
                               : is_custom                          ? "leave it out, or say what the `format` is"
                                                                    : "leave it out, or say what the `parameters` are";
      const std::string message = is_beside ? shown(missing) + " is beside " + shown(kind) + ", not in it"
                                            : "without `" + missing + "` it has no member " + shown(member.key);
      (has_schema ? schemas : unknown).push_back(invalid(document, member.value, of_tool(name) + message, hint));
    }
    if (function_of(tool) == &tool) break;
  }
  for (Error& error : schemas.empty() ? unknown : schemas) errors.push_back(std::move(error));
}

// Changes the text of a schema so that its values are objects, which is what OpenAI's interface means if there is no `type`.
// A member is added after the first byte, or `type` is changed in its place. Returns false if `type` allows no object.
bool make_object(const JsonValue& schema, std::string& text) {
  const JsonValue* type = schema.find("type");
  if (type == nullptr) {
    text.insert(1, schema.members().empty() ? R"("type": "object")" : R"("type": "object", )");
    return true;
  }
  const auto is_object = [](const JsonValue& one) { return one.is(JsonType::kString) && one.string() == "object"; };
  if (is_object(*type)) return true;
  if (!type->is(JsonType::kArray) || std::ranges::none_of(type->items(), is_object)) return false;
  const std::size_t length = type->where().end - type->where().start;  // at least that of ["object"]
  std::string only = R"("object")";
  only.resize(length, ' ');
  text.replace(type->where().start - schema.where().start, length, only);
  return true;
}

// Sets the text of the parameters to a schema of objects.
void set_parameters(const JsonDocument& document, const JsonValue& parameters, Tool& tool, std::vector<Error>& errors) {
  const SourceRange where = parameters.where();
  tool.start = where.start;
  tool.schema = &parameters;
  tool.parameters = std::string(document.text().substr(where.start, where.end - where.start));
  auto wrapped = frontend::json_schema::wrapped_schema(parameters);
  // Beside a `type`, a member that is in no known request may be an extension. Reading the schema warns of it.
  if (wrapped.member != nullptr && (wrapped.is_known || parameters.find("type") == nullptr)) {
    errors.push_back(invalid(document, wrapped.member->value,
                             of_tool(tool.name) + "its `parameters` have no keyword " + shown(wrapped.member->key),
                             std::move(wrapped.hint)));
    errors.back().where = wrapped.member->key_where;
    return;
  }
  const std::size_t before = tool.parameters.size();
  if (make_object(parameters, tool.parameters)) {
    tool.added = tool.parameters.size() - before;
    return;
  }
  const JsonValue& type = *parameters.find("type");
  std::string hint = type.is(JsonType::kString) ? frontend::json_schema::hint_for_type(type.string()) : "";
  if (hint.empty()) hint = "arguments are the members of an object: \"type\": \"object\"";
  errors.push_back(invalid(document, type, of_tool(tool.name) + "its `parameters` allow no object", std::move(hint)));
}

// Reads what the input of a custom tool is: any text, or that of a regular expression or a grammar in Lark.
void set_input(const JsonDocument& document, const JsonValue& item, const Limits& limits, Tool& tool) {
  tool.is_custom = true;
  tool.parameters = of_input();
  const JsonValue* given = find_given(*function_of(item), "format");
  if (given == nullptr) return check_no_parameters(document, item, tool.name, tool.errors);
  const auto bad = [&](const JsonValue& at, std::string message, std::string hint = {}) {
    tool.errors.push_back(invalid(document, at, of_tool(tool.name) + std::move(message), std::move(hint)));
  };
  if (has_type(*given, "text")) {
    for (const base::JsonMember& member : given->members()) {
      if (member.key == "type" || member.value.is(JsonType::kNull)) continue;
      bad(member.value, "a `format` of type `text` has no member " + shown(member.key), "did you mean type `grammar`?");
    }
    return;
  }
  if (!has_type(*given, "grammar")) return bad(*given, "its `format` must be of type `text` or `grammar`");
  const JsonValue* inner = find_given(*given, "grammar");
  const JsonValue& of = inner != nullptr ? *inner : *given;
  const JsonValue* syntax = of.is(JsonType::kObject) ? find_given(of, "syntax") : nullptr;
  const JsonValue* definition = of.is(JsonType::kObject) ? find_given(of, "definition") : nullptr;
  const bool is_known =
      syntax != nullptr && syntax->is(JsonType::kString) && (syntax->string() == "lark" || syntax->string() == "regex");
  if (!is_known) return bad(syntax != nullptr ? *syntax : of, "its grammar needs a `syntax`, `lark` or `regex`");
  if (definition == nullptr || !definition->is(JsonType::kString)) {
    return bad(definition != nullptr ? *definition : of, "its grammar needs a `definition`, a string");
  }
  if (syntax->string() == "lark") {
    tool.lark = definition;
  } else {
    // The expression is read by itself first: what is put around it would close a bracket of `a)|(b`.
    regex::ExprSet exprs(limits.regex_nodes);
    regex::SyntaxOptions ecma;
    ecma.dialect = regex::Dialect::kEcma262;
    const Result<regex::ExprId> language = regex::parse_regex(exprs, definition->string(), ecma, limits);
    if (!language && language.error().code != ErrorCode::kLimitExceeded) {  // limits count when the tag is compiled
      bad(*definition, "its regular expression: " + language.error().message, language.error().hint);
      tool.errors.back().code = language.error().code;
      return;
    }
    const std::string whole = "^(?:" + std::string(definition->string()) + ")$";
    const Result<regex::ExprId> texts = regex::parse_regex(exprs, whole, ecma, limits);
    if (texts && regex::emptiness(exprs, *texts, limits.regex_fuel) == regex::Emptiness::kEmpty) {
      bad(*definition, "its regular expression matches no text");
      tool.errors.back().code = ErrorCode::kUnsatisfiable;
      return;
    }
    tool.parameters = of_input(", \"pattern\": " + json_string(whole));
  }
}

// Returns the error of a tool that is of another type than those that a model calls.
Error wrong_type(const JsonDocument& document, const JsonValue& tool, const JsonValue& type) {
  static constexpr std::array<std::string_view, 2> kTypes{"function", "custom"};
  if (frontend::json_schema::looks_like_schema(tool)) {
    return invalid(document, type, "this is a schema, not a tool",
                   R"(a tool is {"name": ..., "parameters": ...}, where the schema is the `parameters`)");
  }
  std::string hint = type.is(JsonType::kString) ? grammar::did_you_mean(kTypes, type.string()) : "";
  const bool is_built_in = type.is(JsonType::kString) && hint.empty();
  if (is_built_in) hint = "a provider runs such a tool itself: leave it out, or let `on_bad_tool` leave it out";
  return base::with_options(
      is_built_in ? "on_bad_tool" : "",
      invalid(document, type, "these styles support only tools of type `function` and `custom`" + not_of_type(type),
              std::move(hint)));
}

// `built_in` gets the errors of tools that a provider runs.
std::vector<Tool> read_tools(const JsonDocument& document, const Limits& limits, std::vector<Error>& errors,
                             std::vector<Error>& built_in) {
  const JsonValue& root = document.root();
  std::vector<Tool> tools;
  std::set<std::string, std::less<>> names;
  if (root.is(JsonType::kNull)) return tools;
  if (!root.is(JsonType::kArray)) {
    errors.push_back(invalid(document, root, "`tools` must be a list", hint_about_wrapper(root)));
  }
  for (const JsonValue& item : root.items()) {
    const JsonValue* type = find_given(item, "type");
    const bool is_custom = has_type(item, "custom");
    if (type != nullptr && !is_custom && !has_type(item, "function")) {
      Error error = wrong_type(document, item, *type);
      (error.options.empty() ? errors : built_in).push_back(std::move(error));
      continue;
    }
    std::optional<std::string> name = name_of(item);
    if (!name) {
      errors.push_back(wrong_name(document, item));
      continue;
    }
    if (names.contains(*name)) {
      errors.push_back(invalid(document, item, "there are two tools " + shown(*name)));
      continue;
    }
    const JsonValue* parameters = find_given(*function_of(item), "parameters");
    Tool tool;
    tool.name = *std::move(name);
    names.insert(tool.name);
    tool.pointer = frontend::json_schema::pointer_to(root, *function_of(item));
    tool.name_where = function_of(item)->find("name")->where();
    if (is_custom) {
      set_input(document, item, limits, tool);
    } else if (parameters != nullptr && !parameters->is(JsonType::kObject)) {
      tool.errors.push_back(
          invalid(document, *parameters, of_tool(tool.name) + "its `parameters` must be a JSON Schema of an object"));
    } else if (parameters != nullptr) {
      set_parameters(document, *parameters, tool, tool.errors);
    } else {
      check_no_parameters(document, item, tool.name, tool.errors);
      tool.parameters = R"({"type": "object", "properties": {}, "additionalProperties": false})";
    }
    tools.push_back(std::move(tool));
  }
  return tools;
}

Error bad_choice(std::string message, std::string hint = {}, const char* options = "tool_choice") {
  return base::with_options(options,
                            {ErrorCode::kInvalidArgument, "`tool_choice`: " + std::move(message), {}, std::move(hint)});
}

std::optional<Mode> mode_of(const JsonValue* value) {
  if (value == nullptr || !value->is(JsonType::kString)) return std::nullopt;
  if (value->string() == "none") return Mode::kNone;
  if (value->string() == "auto") return Mode::kAuto;
  if (value->string() == "required") return Mode::kRequired;
  return std::nullopt;
}

// A tool that `tool_choice` names, and what it takes it for.
struct Chosen {
  std::string name;
  std::optional<bool> is_custom = {};  // no function, if it says so
};

Result<void> keep(Request& request, const std::vector<Chosen>& chosen) {
  std::map<std::string_view, const Tool*> by_name;
  for (const Tool& tool : request.tools) by_name.emplace(tool.name, &tool);
  std::vector<Tool> kept;
  for (const auto& [name, is_custom] : chosen) {
    const auto found = by_name.find(name);
    if (found == by_name.end()) {
      std::vector<std::string_view> known;
      for (const Tool& tool : request.tools) known.push_back(tool.name);
      return tl::unexpected(
          bad_choice("there is no tool `" + base::escape_for_display(name) + "`", grammar::did_you_mean(known, name)));
    }
    const bool is_found_custom = found->second->is_custom;
    if (is_custom.value_or(is_found_custom) != is_found_custom) {
      return tl::unexpected(
          bad_choice("the tool " + shown(name) + " is " +
                         (is_found_custom ? "a custom one, no function" : "a function, no custom one"),
                     std::string("its `type` is `") + (is_found_custom ? "custom`" : "function`")));
    }
    kept.push_back(*found->second);
  }
  request.tools = std::move(kept);
  return {};
}

// What `tool_choice` says.
struct Choice {
  Mode mode = Mode::kAuto;
  bool one_call = false;
  std::optional<std::vector<Chosen>> tools = {};  // that may be called; all if it does not say
};

Result<Choice> read_choice(const JsonValue& choice) {
  if (choice.is(JsonType::kNull)) return Choice{};  // not given: "auto"
  if (const auto mode = mode_of(&choice)) return Choice{*mode};
  constexpr const char* kForms =
      R"(it is "none", "auto", "required", {"type": "function", "function": {"name": ...}}, {"type": "custom", "custom": {"name": ...}} or of type `allowed_tools`)";
  const JsonValue* type = choice.find("type");
  if (type == nullptr || !type->is(JsonType::kString))
    return tl::unexpected(bad_choice("not of any known form", kForms));
  if (type->string() == "function" || type->string() == "custom") {
    const auto name = name_of(choice);
    if (!name) return tl::unexpected(bad_choice("the tool has no name", kForms));
    return Choice{Mode::kRequired, true, std::vector{Chosen{*name, type->string() == "custom"}}};
  }
  if (type->string() != "allowed_tools") return tl::unexpected(bad_choice("not of any known form", kForms));
  const JsonValue* inner = find_given(choice, "allowed_tools");
  const JsonValue& allowed = inner != nullptr ? *inner : choice;
  const auto mode = mode_of(allowed.find("mode"));
  const JsonValue* list = find_given(allowed, "tools");
  if (!mode || list == nullptr || !list->is(JsonType::kArray)) {
    return tl::unexpected(bad_choice("`allowed_tools` needs a `mode` and a list of `tools`", kForms));
  }
  std::vector<Chosen> tools;
  for (const JsonValue& tool : list->items()) {
    if (is_built_in(tool)) continue;
    const auto name = name_of(tool);
    if (!name) return tl::unexpected(bad_choice("a tool has no name", kForms));
    const bool is_custom = has_type(tool, "custom");
    tools.push_back({*name, is_custom || has_type(tool, "function") ? std::optional(is_custom) : std::nullopt});
  }
  return Choice{*mode, false, std::move(tools)};
}

Result<void> choose(Request& request, const JsonValue& json) {
  Result<Choice> choice = read_choice(json);
  if (!choice) {
    std::vector<std::string_view> names;
    for (const Tool& tool : request.tools) names.push_back(tool.name);
    if (std::string hint = hint_for_choice(json, names); !hint.empty()) choice.error().hint = std::move(hint);
    return tl::unexpected(std::move(choice.error()));
  }
  request.mode = choice->mode;
  request.one_call = choice->one_call;
  return choice->tools ? keep(request, *choice->tools) : Result<void>();
}

// --- the styles ---

// Returns the name as the style writes it.
std::string written_name(NameForm form, std::string_view name) {
  if (form == NameForm::kPlain) return std::string(name);
  if (form == NameForm::kJson) {
    const std::string text = json_string(name);
    return text.substr(1, text.size() - 2);
  }
  std::string out;
  for (const char c : name) {
    const bool is_angle = (c == '<' || c == '>') && form == NameForm::kEscaped;
    out += c == '&' ? "&amp;" : c == '"' ? "&quot;" : !is_angle ? std::string(1, c) : c == '<' ? "&lt;" : "&gt;";
  }
  return out;
}

// Returns the reason why the style cannot write the name; empty if it can. `after` is what follows it.
std::string why_unwritable(NameForm form, std::string_view ends, std::string_view after, std::string_view name) {
  if (form == NameForm::kJson) return {};
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) return "a line end or control character";
    if (form == NameForm::kPlain && ends.find(c) != std::string_view::npos) return shown({&c, 1});
  }
  const bool is_quoted = form != NameForm::kPlain || after.starts_with('"');
  if (!is_quoted && (name.starts_with(' ') || name.ends_with(' '))) return "a blank at its beginning or end";
  return {};
}

void check_name(std::string_view style, const ToolStyle& form, const Tool& tool, std::vector<Error>& errors) {
  const std::string why = why_unwritable(form.name_form, form.name_ends, form.after_name, tool.name);
  if (why.empty()) return;
  Error error{ErrorCode::kUnsupported,
              of_tool(tool.name) + "the style `" + std::string(style) + "` cannot write a name with " + why,
              tool.name_where, "letters, digits, `_` and `-` can be written in all styles"};
  error.pointer = tool.pointer + "/name";
  errors.push_back(std::move(error));
}

// A tag, or a constant string, in which the name of a tool stands; `before` is what precedes the name.
std::string name_range(std::string_view before, std::string_view name) {
  return "[" + std::to_string(before.size()) + ", " + std::to_string(before.size() + name.size()) + "]";
}

std::string call_tag(const Tool& tool, std::string_view begin, const std::string& name_at, const std::string& content,
                     std::string_view end) {
  const std::string origin = object({{"name", json_string(tool.name)}, {"pointer", json_string(tool.pointer)}});
  if (name_at.empty()) {
    return format("tag",
                  {{"begin", json_string(begin)}, {"tool", origin}, {"content", content}, {"end", json_string(end)}});
  }
  return format("tag", {{"begin", json_string(begin)},
                        {"text", name_at},
                        {"tool", origin},
                        {"content", content},
                        {"end", json_string(end)}});
}

// Returns the number of the tool's arguments if the schema only lists them; else a number that is too large.
std::size_t listed_arguments(const Tool& tool) {
  static constexpr std::array<std::string_view, 9> kListing{
      "type",    "properties",  "required", "title",  "additionalProperties",
      "$schema", "description", "examples", "default"};
  if (tool.is_custom) return 1;
  if (tool.schema == nullptr) return 0;
  for (const base::JsonMember& member : tool.schema->members()) {
    if (std::ranges::find(kListing, member.key) == kListing.end()) return kMaxUnordered + 1;
  }
  const JsonValue* properties = tool.schema->find("properties");
  const JsonValue* required = tool.schema->find("required");
  const std::size_t listed = properties == nullptr ? 0 : properties->members().size();
  const std::size_t needed = required == nullptr ? 0 : required->items().size();
  return listed + (needed > listed ? needed : 0);
}

std::size_t most_in_any_order(const std::vector<Tool>& tools) {
  std::size_t most = kMaxUnordered;
  const auto rules = [&] {
    std::size_t sum = 0;
    for (const Tool& tool : tools) {
      const std::size_t count = listed_arguments(tool);
      if (count <= most) sum += std::size_t{1} << count;
    }
    return sum;
  };
  while (most > kFewUnordered && rules() > kMaxOrderRules / 4) --most;
  while (most > 1 && rules() > kMaxOrderRules) --most;
  return most;
}

// What is around a string, the only argument, in a style of arguments.
struct AroundInput {
  std::string before = {};  // up to `begin`, with blanks
  std::string begin = {};
  std::string end = {};
  std::string after = {};
  std::string_view escapes = {};  // of the string; empty if it is written as it is
};

AroundInput around_input(const std::optional<structural_tag::ArgumentStyle>& style) {
  using structural_tag::ArgumentStyle;
  const std::string blank(kBlank);
  const std::string key(kInput);
  if (!style) return {"{" + blank + json_string(key) + blank + ":" + blank, "\"", "\"", blank + "}", "json"};
  switch (style->nesting) {
    case ArgumentStyle::Nesting::kPython: return {"", key + "=\"", "\"", "", "python"};
    case ArgumentStyle::Nesting::kBrackets: {
      const std::string quote(style->quote);
      return {"", "{" + key + ":" + quote, quote + "}", ""};
    }
    case ArgumentStyle::Nesting::kTypedTags:
      return {blank, "<cofl:value name=\"" + key + "\" type=\"raw\">", std::string(structural_tag::kTypedTagEnd),
              blank};
    case ArgumentStyle::Nesting::kNamedTags: {
      const std::string mark(structural_tag::kNamedTagMark);
      return {blank, mark + "<" + key + ">", mark + "</" + key + ">", blank};
    }
    case ArgumentStyle::Nesting::kJson: break;
  }
  std::string begin = std::string(style->before_key) + key;
  begin += style->after_string_key.empty() ? style->after_key : style->after_string_key;
  if (!style->after_type.empty()) begin += "string" + std::string(style->after_type);
  // A reader takes away a line end on each side, and the text of a grammar may itself have one there: so both are written.
  const std::string line = style->on_lines ? "\n" : "";
  const std::string end = line + std::string(style->end);
  if (style->to_value.empty() || style->is_strict) {
    return {blank, begin + std::string(style->to_value) + line, end, blank};
  }
  return {blank + begin + blank, std::string(style->to_value) + line, end, blank};
}

// Returns the format of a custom tool's grammar, which is the last part of it, as a string in JSON. Its texts have no tokens:
// those who write tools do not decide on control tokens.
std::string input_grammar(std::string_view definition, std::string_view escapes) {
  std::string begin = format("grammar", {{"syntax", R"("lark")"}, {"text", "true"}});
  begin.pop_back();
  if (!escapes.empty()) begin += R"(, "escapes": )" + json_string(escapes);
  return begin + R"(, "grammar": )" + std::string(definition) + "}";
}

// Returns the format of the arguments of a custom tool whose input has a grammar.
std::string input_format(const std::optional<structural_tag::ArgumentStyle>& style, const Tool& tool) {
  const AroundInput around = around_input(style);
  std::vector<std::string> parts = formats_of(around.before);
  parts.push_back(tag(around.begin, input_grammar(json_string(tool.lark->string()), around.escapes), around.end));
  append(parts, formats_of(around.after));
  return format("sequence", {{"elements", joined(parts)}, {"capture", json_string(tool.name)}});
}

// The style of arguments, in a tag: a name, or an object that says it.
std::string style_of_arguments(std::string_view style) {
  return style.starts_with('{') ? std::string(style) : json_string(style);
}

std::string schema_format(std::string_view style, const Tool& tool, std::size_t most_unordered = 0) {
  if (tool.lark != nullptr) return input_format(style == "json" ? std::nullopt : tool.own, tool);
  const std::string schema = tool.parameters;
  const std::size_t count = style == "json" ? 0 : listed_arguments(tool);
  if (count > 1 && count <= most_unordered) {
    return format("json_schema", {{"json_schema", schema},
                                  {"style", style_of_arguments(style)},
                                  {"any_order", "true"},
                                  {"capture", json_string(tool.name)}});
  }
  return format("json_schema",
                {{"json_schema", schema}, {"style", style_of_arguments(style)}, {"capture", json_string(tool.name)}});
}

// One call of the tool: `before` is what precedes the name, from its last blanks on, and `end` ends the tag.
std::string tool_tag(const ToolStyle& style, const Tool& tool, std::string_view before, std::size_t most_unordered,
                     std::vector<std::string> rest, std::string_view end) {
  const std::string name = written_name(style.name_form, tool.name);
  std::string begin = std::string(before) + name;
  std::string_view after = style.after_name;
  std::vector<std::string> parts;
  if (style.after_name_pattern.empty()) {
    begin += take_first(after);
  } else {
    parts.push_back(pattern(style.after_name_pattern));
  }
  append(parts, formats_of(after));
  std::string arguments = schema_format(style.arguments, tool, most_unordered);
  if (style.takes_json_arguments) {
    arguments =
        either({arguments, sequence({std::string(kAnyBlanks), schema_format("json", tool), std::string(kAnyBlanks)})});
  }
  parts.push_back(std::move(arguments));
  if (!style.after_arguments_pattern.empty()) {
    parts.push_back(pattern(style.after_arguments_pattern));
  }
  append(parts, std::move(rest));
  return call_tag(tool, begin, name_range(before, name), sequence(parts), end);
}

// Calls as JSON objects with the name after the arguments: which tool is called is then known late, and each byte of the
// arguments belongs to all of them. Figures are in docs/decisions/replies.md.
constexpr std::size_t kMaxNamedLast = 8;  // tools

// Returns the members of such objects, for each tool; none if the style has other calls, or calls that begin with the key of
// the name. `to_name` is what precedes the name.
std::vector<std::string> calls_named_last(const ToolStyle& style, const Request& request, std::string_view to_name) {
  std::string_view to_arguments = style.after_name;
  const std::size_t comma = to_arguments.find(',');
  const bool has_more = style.trigger.starts_with('{') || !style.id_pattern.empty() ||
                        !style.after_name_pattern.empty() || !style.after_arguments_pattern.empty();
  if (style.name_form != NameForm::kJson || comma == std::string_view::npos || has_more ||
      request.tools.size() > kMaxNamedLast) {
    return {};
  }
  to_arguments.remove_prefix(comma + 1);
  const std::string_view quote = take_last(to_name);
  std::vector<std::string> tags;
  for (const Tool& tool : request.tools) {
    std::vector<std::string> parts = formats_of(to_arguments);
    parts.push_back(call_tag(tool, "", "", schema_format(style.arguments, tool), ""));
    append(parts, formats_of(std::string(kBlank) + ","));
    append(parts, formats_of(to_name));
    const std::string name = written_name(style.name_form, tool.name);
    parts.push_back(call_tag(tool, std::string(quote) + name, name_range(quote, name), constant("\""), ""));
    tags.push_back(sequence(parts));
  }
  return tags;
}

// Returns the tags of calls: one for each tool or, if texts that can be written in several ways precede the name, one for
// all tools.
std::vector<std::string> call_tags(const ToolStyle& style, const Request& request) {
  const std::size_t most_unordered = most_in_any_order(request.tools);
  std::string_view before = style.before_name;
  std::string_view end = style.end;
  const std::string_view last = take_last(end);
  std::vector<std::string> tags;
  const bool is_constant = first_text(before) == before;
  if (style.id_pattern.empty() && is_constant) {
    for (const Tool& tool : request.tools) {
      tags.push_back(tool_tag(style, tool, before, most_unordered, formats_of(end), last));
      if (style.empty_call.empty() || listed_arguments(tool) > 0) continue;
      const std::string name = written_name(style.name_form, tool.name);
      tags.push_back(
          call_tag(tool, std::string(before) + name, name_range(before, name),
                   sequence({constant(style.empty_call),
                             format("const_string", {{"value", R"("")"}, {"capture", json_string(tool.name)}})}),
                   ""));
    }
    return tags;
  }
  const std::string_view begin = take_first(before);
  std::vector<std::string> parts;
  std::string_view at_name = before;
  if (!style.id_pattern.empty()) {
    append(parts, formats_of(before));
    parts.push_back(pattern(style.id_pattern));
    at_name = style.after_id;
  }
  const std::size_t brace = at_name.find('{');
  const std::string_view to_name = at_name.substr(brace == std::string_view::npos ? 0 : brace + 1);
  std::vector<std::string> named_last = calls_named_last(style, request, to_name);
  if (!named_last.empty()) {
    append(parts, formats_of(at_name.substr(0, at_name.size() - to_name.size())));
    at_name = to_name;
  }
  const std::string_view quote = take_last(at_name);
  std::vector<std::string> first = formats_of(at_name);
  for (const Tool& tool : request.tools) tags.push_back(tool_tag(style, tool, quote, most_unordered, {}, ""));
  first.push_back(either(tags));
  named_last.insert(named_last.begin(), sequence(first));
  parts.push_back(either(named_last));
  append(parts, formats_of(end));
  tags = {tag(begin, sequence(parts), last)};
  if (!style.other_open.empty()) tags.push_back(tag(style.other_open, sequence(parts), last));
  return tags;
}

std::vector<std::string> triggers_of(const ToolStyle& style, const Request& request) {
  std::vector<std::string_view> names;
  for (const Tool& tool : request.tools) names.push_back(tool.name);
  return call_triggers(style, names);
}

// Returns the beginnings of calls of those of the named tools that may not be called: a reader takes their calls out of a text.
std::vector<std::string> openers_of_others(const ToolStyle& style, const std::vector<std::string>& names,
                                           const std::vector<Tool>& tools) {
  std::set<std::string_view> others(names.begin(), names.end());
  for (const Tool& tool : tools) others.erase(tool.name);
  return call_triggers(style, std::vector(others.begin(), others.end()));
}

// Returns what a text without calls does not contain.
std::vector<std::string> excluded_from_text(const ToolStyle& style, const Request& request) {
  std::vector<std::string> excluded = triggers_of(style, request);
  excluded.insert(excluded.end(), request.never.begin(), request.never.end());
  return excluded;
}

std::string quoted(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& text : texts) out.push_back(json_string(text));
  return joined(out);
}

// Returns the style with calls written as JSON objects.
ToolStyle in_json(ToolStyle style) {
  style.before_name = R"({␣"name"␣:␣")";
  style.after_name = R"("␣,␣"¦arguments¦parameters¦"␣:␣)";
  style.end = "␣}";
  style.name_form = NameForm::kJson;
  style.arguments = "json";
  return style;
}

// Returns the format of free text with tags.
std::string triggered(const Request& request, std::string triggers, const std::vector<std::string>& tags, bool one_call,
                      const std::string& after = "") {
  std::string made =
      format("triggered_tags",
             {{"triggers", std::move(triggers)}, {"tags", joined(tags)}, {"stop_after_first", word(one_call)}});
  made.pop_back();
  if (!after.empty()) made += R"(, "after": )" + after;
  if (!request.never.empty()) made += R"(, "excludes": )" + quoted(request.never);
  return made + "}";
}

std::string calls(const ToolStyle& style, const Request& request, bool one_call) {
  std::vector<std::string> tags = call_tags(style, request);
  if (style.takes_json) append(tags, call_tags(in_json(style), request));
  if (style.section_end.empty() && request.mode != Mode::kRequired) {
    std::vector<std::string> triggers{json_string(style.trigger)};
    if (!style.other_open.empty()) triggers.push_back(json_string(style.other_open));
    std::vector<std::string> all = tags;
    if (!style.other_trigger.empty()) {
      triggers.push_back(json_string(style.other_trigger));
      for (const std::string& one : tags) all.push_back(tag(style.other_trigger, one, ""));
    }
    return triggered(request, joined(triggers), all, one_call);
  }
  const std::string call = either(tags);
  if (one_call) return call;
  std::vector<std::string> next = formats_of(style.separator);
  next.push_back(call);
  return sequence({call, format("star", "content", sequence(next))});
}

// Returns the tags of first calls in sections whose trigger has the name of the first call: one for each tool.
std::vector<std::string> first_calls(const ToolStyle& style, const Request& request) {
  const std::size_t most_unordered = most_in_any_order(request.tools);
  std::vector<std::string> tags;
  for (const Tool& tool : request.tools) {
    const std::string name = written_name(style.name_form, tool.name);
    const std::string begin = std::string(style.trigger) + name + std::string(style.after_name);
    tags.push_back(call_tag(tool, begin, name_range(style.trigger, name),
                            schema_format(style.arguments, tool, most_unordered), style.end));
  }
  return tags;
}

// Returns what follows the first call: the others, and the section's end.
std::string after_first_call(const ToolStyle& style, const Request& request, bool one_call) {
  std::vector<std::string> rest;
  if (!one_call) {
    std::vector<std::string> next = formats_of(style.separator);
    next.push_back(either(call_tags(style, request)));
    rest.push_back(format("star", "content", sequence(next)));
  }
  append(rest, formats_of(style.section_end));
  return sequence(rest);
}

// Returns the tag of a section with calls.
std::string section_tag(const ToolStyle& style, const Request& request, bool one_call) {
  std::string_view trigger = style.trigger;
  std::string_view end = style.section_end;
  const std::string_view begin = take_first(trigger);
  const std::string_view last = take_last(end);
  std::vector<std::string> parts = formats_of(trigger);
  parts.push_back(calls(style, request, one_call));
  append(parts, formats_of(end));
  return tag(begin, sequence(parts), last);
}

// Returns calls without text around them, at least one.
std::string calls_alone(const ToolStyle& style, Request request, bool one_call) {
  request.mode = Mode::kRequired;
  return style.section_end.empty() ? calls(style, request, one_call) : section_tag(style, request, one_call);
}

// Returns the format of an answer, if it is no text.
std::string answer_or(const Request& request, std::string text) {
  return request.answer.empty() ? std::move(text) : request.answer;
}

// Returns an answer of text in a style with tags around it. It has none of the texts that a reader takes for a tag.
std::string text_between_tags(const ToolStyle& style) {
  std::vector<std::string> excluded;
  std::string_view trigger = style.trigger;
  for (const std::string_view text : {take_first(trigger), style.answer_begin, style.message_begin, style.message_end,
                                      style.other_answer_begin, style.other_answer_end}) {
    if (!text.empty()) excluded.emplace_back(text);
  }
  return format("any_text", "excludes", quoted(excluded));
}

// For styles with tags around the answer: the answer, the calls, or either of them; if messages end with a tag, both.
std::string in_parts(const ToolStyle& style, const Request& request, bool one_call, bool has_reasoning) {
  const bool is_message = !style.message_end.empty();
  const std::string_view begin = is_message && !has_reasoning ? "" : style.answer_begin;
  const std::string inside = answer_or(request, text_between_tags(style));
  const std::string answer = tag(begin, inside, style.answer_end);
  const bool may_call = request.mode != Mode::kNone && !request.tools.empty();
  const std::string section = may_call ? calls_alone(style, request, one_call) : "";
  if (is_message) {
    // The answer may be missing before calls, and servers take the end of the message away.
    const std::string whole = tag(style.answer_begin, inside, style.answer_end);
    const std::string some = begin.empty() ? either({answer, whole}) : answer;
    const std::string last = optional(constant(style.message_end));
    const std::string alone = sequence({some, last});
    if (!may_call) return alone;
    if (request.answer.empty()) {
      return sequence({optional(some), request.mode == Mode::kRequired ? section : optional(section), last});
    }
    // Calls replace an answer under a schema, but its tags may stand.
    const std::string nothing =
        either({tag(begin, constant(""), style.answer_end), tag(style.answer_begin, constant(""), style.answer_end)});
    const std::string instead = sequence({optional(nothing), section, last});
    return request.mode == Mode::kRequired ? instead : either({instead, alone});
  }
  if (!may_call) return answer;
  if (request.mode == Mode::kRequired) return section;
  return either({section, answer});
}

// For styles with a message for each answer and each call.
std::string in_messages(const ToolStyle& style, const Request& request, bool one_call) {
  const std::string first = optional(constant(style.message_begin));
  const std::string last = optional(constant(style.message_end));
  const std::string text = tag(style.answer_begin, answer_or(request, text_between_tags(style)), style.answer_end);
  const auto messages = [&](const std::string& one, bool is_one) {
    if (is_one) return sequence({first, one, last});
    return sequence({first, one, format("star", "content", sequence({constant(style.message_begin), one})), last});
  };
  if (request.mode == Mode::kNone || request.tools.empty()) return messages(text, !request.answer.empty());
  std::vector<std::string> calls;
  Request alone = request;
  for (const Tool& tool : request.tools) {
    alone.tools = {tool};
    std::vector<std::string> parts{either(call_tags(style, alone))};
    if (tool.name.find_first_of(" \t\r\n<") == std::string::npos) {  // a reader ends the name there
      parts.insert(parts.begin(), optional(call_tag(tool, tool.name, name_range("", tool.name), constant(""), "")));
    }
    calls.push_back(sequence(parts));
  }
  const std::string call = either(calls);
  if (request.mode == Mode::kRequired) return messages(call, one_call);
  if (!request.answer.empty()) return either({messages(call, one_call), messages(text, true)});
  if (!one_call) return messages(either({text, call}), false);
  const std::string after = sequence({text, optional(sequence({constant(style.message_begin), call}))});
  return messages(either({call, after}), true);
}

std::string in_style(const ToolStyle& style, const Request& request, bool one_call, bool has_reasoning) {
  if (!style.message_begin.empty()) return in_messages(style, request, one_call);
  if (!style.answer_begin.empty()) return in_parts(style, request, one_call, has_reasoning);
  const std::string triggers = quoted(triggers_of(style, request));
  if (request.mode == Mode::kNone || request.tools.empty()) {
    return answer_or(request, format("any_text", {{"excludes", quoted(excluded_from_text(style, request))}}));
  }
  if (!request.answer.empty() && request.mode == Mode::kAuto) {
    Request alone = request;
    alone.mode = Mode::kRequired;
    return either({in_style(style, alone, one_call, has_reasoning), request.answer});
  }
  if (style.name_is_of_trigger) {
    const std::vector<std::string> first = first_calls(style, request);
    const std::string after = after_first_call(style, request, one_call);
    if (request.mode == Mode::kRequired) return sequence({either(first), after});
    return triggered(request, triggers, first, one_call, after);
  }
  if (style.text_is_first && request.mode == Mode::kAuto) {
    return sequence({format("any_text", "excludes", quoted(excluded_from_text(style, request))),
                     optional(calls_alone(style, request, one_call))});
  }
  if (style.section_end.empty()) return calls(style, request, one_call);
  const std::string section = section_tag(style, request, one_call);
  if (request.mode == Mode::kRequired) return section;
  return triggered(request, triggers, {section}, one_call);
}

// Returns the format of the reasoning, up to the tag that ends it, without the texts that `excluded` lists in JSON.
std::string reasoning_text(const ToolOptions& options, const std::string& excluded = "") {
  std::string text = R"({"type": "any_text")";
  if (!excluded.empty()) text += R"(, "excludes": )" + excluded;
  // No output is so long that the largest bound of a tag does not do for a larger one.
  const std::uint32_t most = std::min(options.max_reasoning_tokens, grammar::kMaxTokenLimit);
  if (most != 0) text += R"(, "max_tokens": )" + std::to_string(most);
  text += "}";
  if (options.reasoning_closing.empty()) return text;
  return sequence({std::move(text), optional(constant(options.reasoning_closing))});
}

// Harmony writes messages in channels: reasoning and preambles, then one call or the answer.
// A bound on reasoning is one on all of it, so there is then one message of it. A template reads calls in the channel
// `commentary` alone, with the channel first, and no preambles.
std::string in_harmony(const Request& request, const ToolOptions& options, bool is_template) {
  // What a reader takes for the border of messages.
  std::vector<std::string> excluded(harmony::kHeaders.begin(), harmony::kHeaders.end());
  excluded.insert(excluded.end(), harmony::kEnds.begin(), harmony::kEnds.end());
  const std::string borders = quoted(excluded);
  const std::string text = format("any_text", "excludes", borders);
  const std::string next = std::string(harmony::kEnd) + std::string(harmony::kStart) + "assistant";
  const auto header = [](std::string_view channel) {
    return std::string(harmony::kChannel) + std::string(channel) + std::string(harmony::kMessage);
  };
  const bool is_bound = options.max_reasoning_tokens != 0 || !options.reasoning_closing.empty();
  const bool is_begun = options.reasoning == ToolOptions::Reasoning::kBegun;
  const auto reasoning = [&](bool begun) {
    return tag(begun ? "" : header(harmony::kReasoning), reasoning_text(options, borders), next);
  };
  std::vector<std::string> parts;
  if (is_begun) parts.push_back(reasoning(true));
  if (is_bound && !is_begun) parts.push_back(optional(reasoning(false)));
  std::vector<std::string> before;
  if (!is_bound) before.push_back(reasoning(false));
  const bool may_call = request.mode != Mode::kNone && !request.tools.empty();
  // A preamble is content, and so would spoil an answer under a schema.
  const bool has_preambles = may_call && !is_template && request.answer.empty();
  if (has_preambles) before.push_back(tag(header("commentary"), text, next));
  std::vector<std::string> last;
  if (may_call) {
    const std::string channels = is_template ? constant("commentary") : pattern("commentary|analysis");
    const std::string channel = constant(harmony::kChannel);
    const std::string blank = pattern(" ?");
    const std::string json = sequence({constant(harmony::kConstrain), constant("json")});
    for (const Tool& tool : request.tools) {
      const std::string begin = " " + std::string(harmony::kRecipient) + std::string(harmony::kFunctions);
      const std::string to = call_tag(tool, begin + tool.name, name_range(begin, tool.name), constant(""), "");
      std::vector<std::string> headers{sequence({channel, channels, to})};
      if (!is_template) headers.push_back(sequence({to, channel, channels}));
      last.push_back(sequence({either(headers), blank, optional(json),
                               call_tag(tool, harmony::kMessage, "", schema_format("json", tool), "")}));
    }
  }
  if (request.mode != Mode::kRequired || !may_call) last.push_back(tag(header("final"), answer_or(request, text), ""));
  if (!before.empty()) parts.push_back(format("star", "content", either(before)));
  parts.push_back(either(last));
  return sequence(parts);
}

Result<std::string> with_reasoning(const ToolStyle& style, const ToolOptions& options, std::string rest) {
  using Reasoning = ToolOptions::Reasoning;
  if (options.reasoning == Reasoning::kNone) return rest;
  if (style.think_end.empty()) {
    return tl::unexpected(base::with_options(
        "reasoning", {ErrorCode::kUnsupported, "the style `" + std::string(style.name) + "` has no reasoning"}));
  }
  const std::string begin =
      options.reasoning == Reasoning::kBegun ? "" : std::string(style.think_begin) + std::string(style.think_label);
  std::vector<std::string> parts{tag(begin, reasoning_text(options), style.think_end)};
  if (style.message_end.empty()) parts.emplace_back(kAnyBlanks);
  if (options.reasoning == Reasoning::kAuto) parts = {optional(sequence(parts))};
  parts.push_back(std::move(rest));
  return sequence(parts);
}

// Returns the format of values of a schema, for a structural tag.
std::string of_schema(std::string_view schema) { return format("json_schema", "json_schema", schema); }

// Returns the format of an answer as OpenAI's response_format says; empty for text.
Result<std::string> answer_format(std::string_view text, const Limits& limits,
                                  const frontend::json_schema::SchemaReview* review) {
  if (text.empty()) return std::string();
  const auto bad = [](std::string message, std::string hint, ErrorCode code = ErrorCode::kInvalidArgument) {
    return tl::unexpected(
        base::with_options("response_format", {code, "`response_format`: " + std::move(message), {}, std::move(hint)}));
  };
  constexpr const char* kForms = R"(it is of type "text", "json_object" or "json_schema", as in OpenAI's API)";
  const Result<JsonDocument> document = JsonDocument::parse(text, limits);
  if (!document) return bad("not JSON", kForms);
  const JsonValue& root = document->root();
  if (root.is(JsonType::kNull)) return std::string();
  const JsonValue* type = root.is(JsonType::kObject) ? root.find("type") : nullptr;
  const std::string_view kind = type != nullptr && type->is(JsonType::kString) ? type->string() : "";
  static constexpr std::array<std::string_view, 3> kKinds{"text", "json_object", "json_schema"};
  if (std::ranges::find(kKinds, kind) == kKinds.end()) {
    std::string hint = grammar::did_you_mean(kKinds, kind);
    if (hint.empty()) hint = frontend::hint_for_response_format(root);
    return bad("not of any known form", hint.empty() ? kForms : std::move(hint));
  }
  if (const JsonValue* reasoning = find_given(root, "reasoning"); reasoning != nullptr) {
    return bad("it cannot have `reasoning` beside tools", "the option `reasoning` is that of the whole reply");
  }
  // Its own reader says what is wrong with it.
  grammar::Grammar scratch(limits.regex_nodes);
  frontend::Reading reading{scratch, limits, review};
  StructuralTagOptions options;
  options.json_schema.formats = JsonSchemaOptions::Formats::kAnnotate;
  const bool is_read = frontend::read_response_format(text, options, reading).has_value();
  const JsonValue* inner = find_given(root, "json_schema");
  const JsonValue* schema = find_given(inner != nullptr && inner->is(JsonType::kObject) ? *inner : root, "schema");
  const std::string of = schema != nullptr ? frontend::json_schema::pointer_to(root, *schema) : "";
  const auto is_in_schema = [&](const Error& error) {
    return !of.empty() && (error.pointer == of || error.pointer.starts_with(of + "/"));
  };
  if (!is_read && reading.errors.empty()) return bad("not of any known form", kForms);
  std::string format_text;
  if (schema != nullptr)
    format_text = of_schema(text.substr(schema->where().start, schema->where().end - schema->where().start));
  std::vector<Error>& errors = reading.errors;
  if (!errors.empty() && std::ranges::all_of(errors, is_in_schema)) {
    const std::string tag = R"({"format": )" + format_text + "}";
    errors = errors_of(tag, *schema, limits, review);
    std::erase_if(errors, [&](const Error& error) { return is_uncertain(error, tag, limits); });
    const std::size_t in_tag = tag.size() - 2 - (schema->where().end - schema->where().start);
    const auto move = [&](SourceRange& where) {
      if (where != SourceRange{}) {
        where = {where.start - in_tag + schema->where().start, where.end - in_tag + schema->where().start};
      }
    };
    for (Error& error : errors) {
      constexpr std::string_view kInTag = "/format/json_schema";
      if (error.pointer.starts_with(kInTag)) error.pointer = of + error.pointer.substr(kInTag.size());
      move(error.where);
      for (ErrorNote& note : error.notes) move(note.where);
    }
  }
  if (!errors.empty()) {
    errors.front().message = "`response_format`: " + errors.front().message;
    errors.front().text = text;
    return tl::unexpected(base::with_options("response_format", std::move(errors.front())));
  }
  if (kind == "text") return std::string();
  if (kind == "json_schema") return format_text;
  if (schema == nullptr || schema->is(JsonType::kBoolean)) return of_schema(R"({"type": "object"})");
  // A schema may be given as its text.
  const bool is_text = schema->is(JsonType::kString);
  std::string objects(is_text ? schema->string()
                              : text.substr(schema->where().start, schema->where().end - schema->where().start));
  const Result<JsonDocument> own = JsonDocument::parse(objects, limits);
  if (!own) return bad("its `schema` is not JSON", "");
  if (own->root().is(JsonType::kBoolean)) return of_schema(R"({"type": "object"})");
  if (!make_object(own->root(), objects)) return bad("its `schema` allows no object", "a `json_object` is an object");
  return of_schema(objects);
}

// --- the arguments of each tool ---

// Appends what is wrong with the grammar of a custom tool's input, at its place in the text of the tools and, in the
// message, in the grammar's own text. A limit is met again when the tag is compiled.
void check_lark(const JsonDocument& document, const Tool& tool, const Limits& limits, std::vector<Error>& errors) {
  const SourceRange given = tool.lark->where();
  const std::string_view raw = document.text().substr(given.start, given.end - given.start);
  // The grammar comes last in its format.
  const std::string of_format = input_grammar(raw, around_input(tool.own).escapes);
  const std::string before = R"({"format": )" + of_format.substr(0, of_format.size() - raw.size() - 1);
  const std::string text = R"({"format": )" + of_format + "}";
  grammar::Grammar scratch(limits.regex_nodes);
  frontend::Reading reading{scratch, limits, nullptr};
  if (frontend::read_structural_tag(text, {}, reading)) return;
  for (Error& error : reading.errors) {
    const std::size_t end = before.size() + raw.size();
    const std::size_t start = std::clamp(error.where.start, before.size() + 1, end);
    if (error.code == ErrorCode::kLimitExceeded) continue;
    std::string decoded;
    base::append_json_string(raw.substr(1, start - before.size() - 1), decoded);
    const LineColumn at = line_column(tool.lark->string(), decoded.size());
    error.message = of_tool(tool.name) + "its grammar, line " + std::to_string(at.line) + ", column " +
                    std::to_string(at.column) + ": " + error.message;
    const auto in_tools = [&](std::size_t offset) {
      return given.start + std::clamp(offset, before.size(), end) - before.size();
    };
    error.where = {in_tools(start), in_tools(error.where.end)};
    for (ErrorNote& note : error.notes) {
      if (note.where != SourceRange{}) note.where = {in_tools(note.where.start), in_tools(note.where.end)};
    }
    error.pointer = frontend::json_schema::pointer_to(document.root(), *tool.lark);
    errors.push_back(std::move(error));
  }
}

// The patterns with which a template reads names and keys.
class TemplateNames {
 public:
  TemplateNames(const ToolStyle& style, const Limits& limits)
      : exprs_(limits.regex_nodes), names_(read(style.name_pattern, limits)), keys_(read(style.key_pattern, limits)) {}

  // Appends errors about the tool's name, and about the keys of its arguments.
  void check(const JsonDocument& document, const Tool& tool, std::vector<Error>& errors,
             std::vector<Error>& of_schema) {
    const auto add = [&](std::vector<Error>& all, std::string what, SourceRange where, std::string pointer) {
      Error error{ErrorCode::kUnsupported,
                  of_tool(tool.name) + "the response template does not read " + std::move(what), where};
      error.pointer = std::move(pointer);
      all.push_back(std::move(error));
    };
    if (names_ && !exprs_.matches(*names_, tool.name)) add(errors, "its name", tool.name_where, tool.pointer + "/name");
    const JsonValue* properties = tool.schema == nullptr ? nullptr : find_given(*tool.schema, "properties");
    if (!keys_ || properties == nullptr) return;
    for (const base::JsonMember& member : properties->members()) {
      if (exprs_.matches(*keys_, member.key)) continue;
      add(of_schema, "the name of its argument " + shown(member.key), member.key_where,
          frontend::json_schema::pointer_to(document.root(), member.value));
    }
  }

 private:
  std::optional<regex::ExprId> read(std::string_view pattern, const Limits& limits) {
    if (pattern.empty()) return std::nullopt;
    regex::SyntaxOptions python;
    python.dialect = regex::Dialect::kPython;
    python.dot_all = true;
    const Result<regex::ExprId> read = regex::parse_regex(exprs_, pattern, python, limits);
    return read ? std::optional(*read) : std::nullopt;
  }

  regex::ExprSet exprs_;
  std::optional<regex::ExprId> names_;
  std::optional<regex::ExprId> keys_;
};

// Has an error in the text of tools that was met before it could be read, such as a limit, name its tool.
Error with_tool(std::string_view tools, Error error, Limits limits) {
  limits.nesting = limits.number_digits = UINT32_MAX;
  const Result<JsonDocument> document = JsonDocument::parse(tools, limits);
  if (!document) return error;
  error.pointer = frontend::json_schema::pointer_at(document->root(), error.where);
  for (const JsonValue& item : document->root().items()) {
    const auto name = name_of(item);
    if (!name || error.where.start < item.where().start || error.where.end > item.where().end) continue;
    const std::string parameters =
        frontend::json_schema::pointer_to(document->root(), *function_of(item)) + "/parameters";
    const bool is_inside = error.pointer.starts_with(parameters);
    const std::string_view path = std::string_view(error.pointer).substr(is_inside ? parameters.size() : 0);
    error.message = frontend::structural_tag::in_argument(*name, is_inside ? path : "") + error.message;
  }
  return error;
}

// Appends what is wrong with the arguments of a tool whatever the options of the schemas are. The text is read as it will
// be in the tag, so that errors lead to places in the text of the tools.
void check_arguments(std::string_view arguments, const Tool& tool, const Limits& limits,
                     const frontend::json_schema::SchemaReview* review, std::vector<Error>& errors) {
  if (tool.start == 0) return;
  const std::string before =
      R"({"format": {"type": "json_schema", "style": )" + style_of_arguments(arguments) + R"(, "json_schema": )";
  constexpr std::string_view kPointer = "/format/json_schema";
  const auto in_tools = [&](std::size_t offset) {
    const std::size_t at = offset > before.size() ? offset - before.size() : 0;
    return tool.start + (at > tool.added ? at - tool.added : std::min<std::size_t>(at, 1));
  };
  const auto range = [&](SourceRange where) { return SourceRange{in_tools(where.start), in_tools(where.end)}; };
  const std::string text = before + tool.parameters + "}}";
  std::vector<Error> found = errors_of(text, *tool.schema, limits, review);
  if (base::Work::is_met()) {
    if (found.empty()) found.push_back({ErrorCode::kLimitExceeded, {}, {before.size(), text.size() - 2}});
    found.resize(1);
    base::blame_call_work(found.front());
  }
  for (Error& error : found) {
    if (error.limit != base::field_name(base::Limit::kCallWork) && is_uncertain(error, text, limits)) continue;
    const std::string_view path =
        std::string_view(error.pointer).substr(std::min(kPointer.size(), error.pointer.size()));
    error.message = frontend::structural_tag::in_argument(tool.name, path) + error.message;
    const bool is_added = error.where.start > before.size() && error.where.end <= before.size() + 1 + tool.added;
    error.pointer = tool.pointer + "/parameters" + std::string(is_added ? "" : path);
    error.where = is_added ? tool.schema->where() : range(error.where);
    for (ErrorNote& note : error.notes) {
      if (note.where != SourceRange{}) note.where = range(note.where);
    }
    errors.push_back(std::move(error));
  }
}

// Appends an error for each member that is given twice. In a schema that is a warning, where the tag is read.
void check_repeated_members(const JsonDocument& document, std::string_view text, const std::vector<Tool>& tools,
                            std::vector<Error>& errors) {
  for (const base::DuplicateKey& key : document.duplicate_keys()) {
    const auto has_it = [&](const Tool& tool) {
      if (tool.schema == nullptr) return false;
      const SourceRange where = tool.schema->where();
      return where.start <= key.overridden.start && key.overridden.end <= where.end;
    };
    if (std::ranges::any_of(tools, has_it)) continue;
    const SourceRange where = key.overriding;
    errors.push_back(
        {ErrorCode::kInvalidArgument,
         "the member " + std::string(text.substr(where.start, where.end - where.start)) + " is given twice", where,
         "only the last one would count"});
    errors.back().pointer = frontend::json_schema::pointer_at(document.root(), where);
  }
}

}  // namespace

std::string of_input(const std::string& member) {
  const std::string key = json_string(kInput);
  return R"({"type": "object", "properties": {)" + key + R"(: {"type": "string")" + member + R"(}}, "required": [)" +
         key + R"(], "additionalProperties": false})";
}

std::vector<ListedTool> listed_tools(const JsonValue& list) {
  std::vector<ListedTool> tools;
  for (const JsonValue& item : list.items()) {
    const JsonValue* function = function_of(item);
    if (is_built_in(item) || !name_of(item)) continue;
    tools.push_back({function->find("name")->string(), function, has_type(item, "custom")});
  }
  return tools;
}

CallMode call_mode(std::string_view tool_choice, const Limits& limits) {
  const Result<JsonDocument> document = JsonDocument::parse(tool_choice, limits);
  const Result<Choice> choice = document ? read_choice(document->root()) : Choice{};
  return choice ? choice->mode : Mode::kAuto;
}

std::string choice_of(std::span<const std::string_view> names) {
  std::vector<std::string> tools;
  for (const std::string_view name : names) tools.push_back(object({{"name", json_string(name)}}));
  return object({{"type", json_string("allowed_tools")}, {"mode", json_string("required")}, {"tools", joined(tools)}});
}

std::vector<std::string> call_triggers(const ToolStyle& style, std::span<const std::string_view> names) {
  std::string_view rest = style.trigger;
  const std::string trigger(take_first(rest));
  std::vector<std::string> triggers;
  if (trigger.empty()) return triggers;  // a response template without calls
  if (!style.other_open.empty()) triggers.emplace_back(style.other_open);
  if (!style.name_is_of_trigger) triggers.push_back(trigger);
  if (!style.name_is_of_trigger) return triggers;
  for (const std::string_view name : names) {
    std::string_view after = style.after_name;
    triggers.push_back(trigger + written_name(style.name_form, name) + std::string(take_first(after)));
  }
  return triggers;
}

Result<ToolTag> make_structural_tag(std::string_view style, std::string_view tools, const ToolOptions& options,
                                    const Limits& limits, const json_schema::SchemaReview* review) {
  const Result<FoundStyle> found_style = find_style(style, limits);
  if (!found_style) return tl::unexpected(found_style.error());
  const ToolStyle* known = found_style->style;
  const bool is_harmony = known == nullptr;
  const std::string_view style_name = is_harmony ? kHarmony : known->name;
  Result<JsonDocument> document = JsonDocument::parse(tools, limits);
  if (!document) return tl::unexpected(with_tool(tools, std::move(document.error()), limits));
  const Result<JsonDocument> choice = JsonDocument::parse(options.tool_choice, limits);
  if (!choice) return tl::unexpected(bad_choice("not JSON", "a word stands in quotes: \"auto\""));
  Request request;
  std::vector<Error> errors;
  std::vector<Error> built_in;
  request.tools = read_tools(*document, limits, errors, built_in);
  check_repeated_members(*document, tools, request.tools, errors);
  const std::string_view arguments = is_harmony ? "json" : known->arguments;
  std::vector<std::string> notes;  // of tools that are loosened or dropped
  std::vector<std::string> dropped;
  std::string reason;  // why the first one is dropped
  const auto note = [&](const Error& error, bool is_dropped) {
    if (is_dropped && reason.empty()) reason = error.message;
    notes.push_back(object({{"pointer", json_string(error.pointer)},
                            {"message", json_string(error.message + (is_dropped ? "; it cannot be called"
                                                                                : "; it takes any arguments"))}}));
  };
  for (Error& error : built_in) {
    if (options.on_bad_tool == ToolOptions::OnBadTool::kRefuse) {
      errors.push_back(std::move(error));
    } else {
      note(error, true);
    }
  }
  TemplateNames patterns(is_harmony ? ToolStyle() : *known, limits);
  for (Tool& tool : request.tools) {
    check_name(style_name, is_harmony ? kHarmonyName : *known, tool, errors);
    std::vector<Error> found = std::move(tool.errors);
    patterns.check(*document, tool, errors, found);
    if (!is_harmony) tool.own = arguments_of(*known);
    if (tool.lark != nullptr) check_lark(*document, tool, limits, found);
    check_arguments(arguments, tool, limits, review, found);
    if (base::Work::is_met() && !found.empty()) return tl::unexpected(std::move(found.back()));
    if (!found.empty() && options.on_bad_tool != ToolOptions::OnBadTool::kRefuse) {
      const bool is_dropped = options.on_bad_tool == ToolOptions::OnBadTool::kDrop;
      note(found.front(), is_dropped);
      if (is_dropped) dropped.push_back(tool.name);
      tool.parameters = tool.is_custom ? of_input() : arguments == "json" ? R"({"type": "object"})" : "true";
      tool.start = 0;
      tool.schema = nullptr;
      tool.lark = nullptr;
      continue;
    }
    for (Error& error : found) errors.push_back(std::move(error));
  }
  if (!errors.empty()) return tl::unexpected(as_one(std::move(errors)));
  std::vector<std::string> names;
  for (const Tool& tool : request.tools) names.push_back(tool.name);
  if (auto done = choose(request, choice->root()); !done) return tl::unexpected(std::move(done.error()));
  std::erase_if(request.tools,
                [&](const Tool& tool) { return std::ranges::find(dropped, tool.name) != dropped.end(); });
  if (request.mode == Mode::kRequired && request.tools.empty()) {
    return tl::unexpected(reason.empty()
                              ? bad_choice("a call is required, and there are no tools")
                              : bad_choice("a call is required, and `on_bad_tool` has dropped the tools: " + reason, "",
                                           "tool_choice on_bad_tool"));
  }
  const bool is_bound = options.max_reasoning_tokens != 0 || !options.reasoning_closing.empty();
  if (is_bound && !is_harmony && options.reasoning == ToolOptions::Reasoning::kNone) {
    const char* name = options.max_reasoning_tokens != 0 ? "max_reasoning_tokens" : "reasoning_closing";
    return tl::unexpected(base::with_options(std::string(name) + " reasoning",
                                             {ErrorCode::kInvalidArgument,
                                              "`" + std::string(name) + "` has no effect: there is no reasoning",
                                              {},
                                              "`reasoning` says whether there is"}));
  }
  const std::string_view think_end = is_harmony ? harmony::kEnd : known->think_end;
  const std::string_view think_begin = is_harmony ? harmony::kChannel : known->think_begin;
  for (const auto& [tag, does] : {std::pair(think_end, "ends"), std::pair(think_begin, "begins")}) {
    if (tag.empty() || options.reasoning_closing.find(tag) == std::string::npos) continue;
    return tl::unexpected(base::with_options(
        "reasoning_closing",
        {ErrorCode::kInvalidArgument,
         "`reasoning_closing` contains the tag that " + std::string(does) + " the reasoning",
         {},
         tag == think_end ? "the tag follows it in any case" : "it stands where the reasoning has begun"}));
  }
  if (!is_harmony && known->trigger.empty() && request.mode != Mode::kNone && !request.tools.empty()) {
    return tl::unexpected(base::with_options(
        "style", {ErrorCode::kUnsupported, "the response template has no `tool_calls`, and there are tools"}));
  }
  Result<std::string> answer = answer_format(options.response_format, limits, review);
  if (!answer) return tl::unexpected(std::move(answer.error()));
  request.answer = *std::move(answer);
  Result<std::string> made;
  if (is_harmony) {
    made = in_harmony(request, options, found_style->is_template);
  } else {
    const bool one_call = request.one_call || known->is_single || !options.parallel_tool_calls;
    const bool has_reasoning = options.reasoning != ToolOptions::Reasoning::kNone;
    if (known->name_is_of_trigger) request.never = openers_of_others(*known, names, request.tools);
    // Where reasoning may be missing, the text in its place does not begin one, for which there would be no bound.
    if (is_bound && options.reasoning == ToolOptions::Reasoning::kAuto) {
      const std::string_view begin = known->think_begin;
      request.never.emplace_back(begin.substr(0, begin.find_last_not_of(" \n") + 1));
    }
    made = with_reasoning(*known, options, in_style(*known, request, one_call, has_reasoning));
  }
  const bool has_calls = request.mode != Mode::kNone && !request.tools.empty();
  return made.map([&](const std::string& inner) {
    std::string alone = R"({"type": "structural_tag", "format": )" + inner;
    if (!notes.empty()) alone += R"(, "notes": )" + joined(notes);
    if (!has_calls) return ToolTag{alone + "}"};
    // For errors that are met when the tag is compiled.
    std::string all = alone + R"(, "tools": )" + json_string(tools) + "}";
    ToolTag tag{all.size() > limits.text_bytes ? alone + "}" : std::move(all)};
    for (const Tool& tool : request.tools) tag.called.insert(tool.name);
    return tag;
  });
}

}  // namespace weir::frontend::tools

namespace weir {

std::vector<std::string_view> tool_styles() {
  std::vector<std::string_view> names;
  for (const frontend::tools::ToolStyle& style : frontend::tools::tool_styles()) names.push_back(style.name);
  names.push_back(frontend::tools::kHarmony);
  return names;
}

}  // namespace weir
