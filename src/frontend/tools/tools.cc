#include "weir/tools.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/json/json_value.h"
#include "base/utf8.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/tools/tool_styles.h"
#include "grammar/suggest.h"

namespace weir {

namespace {

using base::JsonDocument;
using base::JsonType;
using base::JsonValue;
using frontend::tools::ToolStyle;

constexpr std::string_view kHarmony = "harmony";
constexpr std::string_view kBlanks = R"({"type": "regex", "pattern": "[ \\t\\r\\n]{0,8}"})";

// --- JSON to write ---

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += {"0123456789abcdef"[c >> 4], "0123456789abcdef"[c & 15]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return "[" + out + "]";
}

std::string object(std::initializer_list<std::pair<std::string_view, std::string>> members) {
  std::string out;
  for (const auto& [key, value] : members) out += (out.empty() ? "" : ", ") + quoted(key) + ": " + value;
  return "{" + out + "}";
}

std::string format(std::string_view type, std::initializer_list<std::pair<std::string_view, std::string>> members) {
  std::string out = "{\"type\": " + quoted(type);
  for (const auto& [key, value] : members) out += ", " + quoted(key) + ": " + value;
  return out + "}";
}

std::string sequence(const std::vector<std::string>& parts) {
  return parts.size() == 1 ? parts[0] : format("sequence", {{"elements", joined(parts)}});
}

std::string tag(std::string_view begin, const std::string& content, std::string_view end) {
  return format("tag", {{"begin", quoted(begin)}, {"content", content}, {"end", quoted(end)}});
}

std::string word(bool value) { return value ? "true" : "false"; }

// --- the request ---

struct Tool {
  std::string name;
  std::string parameters;  // JSON
};

enum class Mode : std::uint8_t { kNone, kAuto, kRequired };

struct Request {
  std::vector<Tool> tools;
  Mode mode = Mode::kAuto;
  bool one_call = false;
};

Error invalid(const JsonDocument& document, const JsonValue& at, std::string message, std::string hint = {}) {
  Error error{ErrorCode::kInvalidArgument, std::move(message), at.where(), std::move(hint)};
  error.pointer = frontend::json_schema::pointer_to(document.root(), at);
  return error;
}

// Returns the object with the function's name, from an item of a list of tools or from a choice that names one.
const JsonValue* function_of(const JsonValue& tool) {
  const JsonValue* inner = tool.find("function");
  return inner != nullptr ? inner : &tool;
}

std::optional<std::string> name_of(const JsonValue& tool) {
  const JsonValue* name = function_of(tool)->find("name");
  if (name == nullptr || !name->is(JsonType::kString) || name->string().empty()) return std::nullopt;
  if (base::find_invalid_utf8(name->string()) != std::string_view::npos) return std::nullopt;
  return std::string(name->string());
}

// Rejects tools without `parameters` that have unknown members. Other dialects use other names for `parameters`, and
// such a tool would silently take no arguments.
Result<void> check_no_parameters(const JsonDocument& document, const JsonValue& tool) {
  static constexpr std::array<std::string_view, 5> kKnown{"type", "function", "name", "description", "strict"};
  for (const JsonValue* object : {&tool, function_of(tool)}) {
    for (const base::JsonMember& member : object->members()) {
      if (std::find(kKnown.begin(), kKnown.end(), member.key) != kKnown.end()) continue;
      const std::string name = "`" + base::escape_for_display(member.key) + "`";
      const char* hint = member.key == "parameters"           ? "it belongs into `function`"
                         : member.value.is(JsonType::kObject) ? "did you mean `parameters`?"
                                                              : "leave it out, or say what the `parameters` are";
      return tl::unexpected(invalid(document, member.value, "a tool without `parameters` has no member " + name, hint));
    }
  }
  return {};
}

Result<std::vector<Tool>> read_tools(const JsonDocument& document) {
  const JsonValue& root = document.root();
  if (!root.is(JsonType::kArray)) return tl::unexpected(invalid(document, root, "`tools` must be a list"));
  std::vector<Tool> tools;
  for (const JsonValue& item : root.items()) {
    const JsonValue* type = item.find("type");
    if (type != nullptr && (!type->is(JsonType::kString) || type->string() != "function")) {
      return tl::unexpected(invalid(document, *type, "these styles support only tools of type `function`"));
    }
    std::optional<std::string> name = name_of(item);
    if (!name) return tl::unexpected(invalid(document, item, "a tool must have a `name` that is not empty"));
    const auto same = [&](const Tool& tool) { return tool.name == *name; };
    if (std::any_of(tools.begin(), tools.end(), same)) {
      return tl::unexpected(invalid(document, item, "there are two tools `" + *name + "`"));
    }
    const JsonValue* parameters = function_of(item)->find("parameters");
    if (parameters != nullptr && !parameters->is(JsonType::kObject)) {
      return tl::unexpected(invalid(document, *parameters, "`parameters` must be a JSON Schema of an object"));
    }
    if (parameters == nullptr) {
      if (auto done = check_no_parameters(document, item); !done) return tl::unexpected(std::move(done.error()));
    }
    const SourceRange where = parameters != nullptr ? parameters->where() : SourceRange{};
    tools.push_back({*std::move(name), parameters != nullptr
                                           ? std::string(document.text().substr(where.start, where.end - where.start))
                                           : R"({"type": "object", "properties": {}, "additionalProperties": false})"});
  }
  return tools;
}

Error bad_choice(std::string message, std::string hint = {}) {
  return {ErrorCode::kInvalidArgument, "`tool_choice`: " + std::move(message), {}, std::move(hint)};
}

std::optional<Mode> mode_of(const JsonValue* value) {
  if (value == nullptr || !value->is(JsonType::kString)) return std::nullopt;
  if (value->string() == "none") return Mode::kNone;
  if (value->string() == "auto") return Mode::kAuto;
  if (value->string() == "required") return Mode::kRequired;
  return std::nullopt;
}

Result<void> keep(Request& request, const std::vector<std::string>& names) {
  std::vector<Tool> kept;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(request.tools.begin(), request.tools.end(), [&](const Tool& tool) { return tool.name == name; });
    if (found == request.tools.end()) {
      std::vector<std::string_view> known;
      for (const Tool& tool : request.tools) known.push_back(tool.name);
      return tl::unexpected(
          bad_choice("there is no tool `" + base::escape_for_display(name) + "`", grammar::did_you_mean(known, name)));
    }
    kept.push_back(*found);
  }
  request.tools = std::move(kept);
  return {};
}

Result<void> choose(Request& request, const JsonValue& choice) {
  if (const auto mode = mode_of(&choice)) {
    request.mode = *mode;
    return {};
  }
  constexpr const char* kForms =
      R"(it is "none", "auto", "required", {"type": "function", "function": {"name": ...}} or of type `allowed_tools`)";
  const JsonValue* type = choice.find("type");
  if (type == nullptr || !type->is(JsonType::kString))
    return tl::unexpected(bad_choice("not of any known form", kForms));
  if (type->string() == "function") {
    const auto name = name_of(choice);
    if (!name) return tl::unexpected(bad_choice("the function has no name", kForms));
    request.mode = Mode::kRequired;
    request.one_call = true;
    return keep(request, {*name});
  }
  if (type->string() != "allowed_tools") return tl::unexpected(bad_choice("not of any known form", kForms));
  const JsonValue* inner = choice.find("allowed_tools");
  const JsonValue& allowed = inner != nullptr ? *inner : choice;
  const auto mode = mode_of(allowed.find("mode"));
  const JsonValue* list = allowed.find("tools");
  if (!mode || list == nullptr || !list->is(JsonType::kArray)) {
    return tl::unexpected(bad_choice("`allowed_tools` needs a `mode` and a list of `tools`", kForms));
  }
  std::vector<std::string> names;
  for (const JsonValue& tool : list->items()) {
    const auto name = name_of(tool);
    if (!name) return tl::unexpected(bad_choice("a function has no name", kForms));
    names.push_back(*name);
  }
  request.mode = *mode;
  return keep(request, names);
}

// --- the styles ---

std::string content(const ToolStyle& style, const Tool& tool) {
  std::string arguments =
      format("json_schema",
             {{"json_schema", tool.parameters}, {"style", quoted(style.arguments)}, {"capture", quoted(tool.name)}});
  std::vector<std::string> parts;
  if (!style.id_pattern.empty()) {
    const std::string name = std::string(style.after_id) + tool.name + std::string(style.after_name);
    parts.push_back(format("regex", {{"pattern", quoted(style.id_pattern)}}));
    parts.push_back(format("const_string", {{"value", quoted(name)}}));
  }
  if (!style.after_name_pattern.empty()) {
    parts.push_back(format("regex", {{"pattern", quoted(style.after_name_pattern)}}));
    parts.push_back(format("const_string", {{"value", quoted(style.after_name)}}));
  }
  parts.push_back(std::move(arguments));
  if (!style.after_arguments_pattern.empty()) {
    parts.push_back(format("regex", {{"pattern", quoted(style.after_arguments_pattern)}}));
  }
  return sequence(parts);
}

std::string calls(const ToolStyle& style, const Request& request, bool one_call) {
  std::vector<std::string> tags;
  for (const Tool& tool : request.tools) {
    std::string begin(style.before_name);
    if (style.id_pattern.empty()) begin += tool.name;
    if (style.id_pattern.empty() && style.after_name_pattern.empty()) begin += style.after_name;
    tags.push_back(tag(begin, content(style, tool), style.end));
  }
  const bool in_section = !style.section_end.empty();
  if (in_section || request.mode == Mode::kRequired) {
    return format("tags_with_separator", {{"tags", joined(tags)},
                                          {"separator", quoted(style.separator)},
                                          {"at_least_one", "true"},
                                          {"stop_after_first", word(one_call)}});
  }
  return format(
      "triggered_tags",
      {{"triggers", joined({quoted(style.trigger)})}, {"tags", joined(tags)}, {"stop_after_first", word(one_call)}});
}

// For styles with tags around the answer: the answer, the calls, or either of them; if messages end with a tag, both.
std::string in_parts(const ToolStyle& style, const Request& request, bool one_call, bool has_reasoning) {
  const bool is_message = !style.message_end.empty();
  const std::string_view begin = is_message && !has_reasoning ? "" : style.answer_begin;
  const std::string answer = tag(begin, format("any_text", {}), style.answer_end);
  const bool may_call = request.mode != Mode::kNone && !request.tools.empty();
  const std::string section = may_call ? tag(style.trigger, calls(style, request, one_call), style.section_end) : "";
  if (is_message) {
    std::vector<std::string> parts{answer};
    if (may_call) {
      const bool is_required = request.mode == Mode::kRequired;
      parts.push_back(is_required ? section : format("optional", {{"content", section}}));
    }
    parts.push_back(format("const_string", {{"value", quoted(style.message_end)}}));
    return sequence(parts);
  }
  if (!may_call) return answer;
  if (request.mode == Mode::kRequired) return section;
  return format("or", {{"elements", joined({section, answer})}});
}

std::string in_style(const ToolStyle& style, const Request& request, bool one_call, bool has_reasoning) {
  if (!style.answer_begin.empty()) return in_parts(style, request, one_call, has_reasoning);
  if (request.mode == Mode::kNone || request.tools.empty()) {
    return format("any_text", {{"excludes", joined({quoted(style.trigger)})}});
  }
  std::string all = calls(style, request, one_call);
  if (style.section_end.empty()) return all;
  // Mistral's section begins with a bracket, possibly after a blank.
  const bool is_list = style.section_end == "]";
  if (is_list) {
    const std::string open = format("regex", {{"pattern", quoted(" ?\\[")}});
    all = sequence({open, std::move(all)});
  }
  const std::string section = tag(style.trigger, all, style.section_end);
  if (request.mode == Mode::kRequired) return section;
  return format(
      "triggered_tags",
      {{"triggers", joined({quoted(style.trigger)})}, {"tags", joined({section})}, {"stop_after_first", "true"}});
}

// Harmony writes messages in channels: reasoning and preambles, then one call or the answer.
std::string in_harmony(const Request& request) {
  const std::string text = format("any_text", {});
  constexpr std::string_view kNext = "<|end|><|start|>assistant";
  std::vector<std::string> before{tag("<|channel|>analysis<|message|>", text, kNext)};
  const bool may_call = request.mode != Mode::kNone && !request.tools.empty();
  if (may_call) before.push_back(tag("<|channel|>commentary<|message|>", text, kNext));
  std::vector<std::string> last;
  if (may_call) {
    for (const Tool& tool : request.tools) {
      const std::string arguments =
          format("json_schema", {{"json_schema", tool.parameters}, {"capture", quoted(tool.name)}});
      last.push_back(
          tag("<|channel|>commentary to=functions." + tool.name + " <|constrain|>json<|message|>", arguments, ""));
    }
  }
  if (request.mode != Mode::kRequired || !may_call) last.push_back(tag("<|channel|>final<|message|>", text, ""));
  return sequence({format("star", {{"content", format("or", {{"elements", joined(before)}})}}),
                   format("or", {{"elements", joined(last)}})});
}

Result<std::string> with_reasoning(const ToolStyle& style, ToolOptions::Reasoning reasoning, std::string rest) {
  if (reasoning == ToolOptions::Reasoning::kNone) return rest;
  if (style.think_end.empty()) {
    return tl::unexpected(
        Error{ErrorCode::kUnsupported, "the style `" + std::string(style.name) + "` has no reasoning", {}});
  }
  const std::string_view begin = reasoning == ToolOptions::Reasoning::kWhole ? style.think_begin : "";
  std::vector<std::string> parts{tag(begin, format("any_text", {}), style.think_end)};
  if (style.message_end.empty()) parts.emplace_back(kBlanks);
  parts.push_back(std::move(rest));
  return sequence(parts);
}

}  // namespace

std::vector<std::string_view> tool_styles() {
  std::vector<std::string_view> names;
  for (const ToolStyle& style : frontend::tools::tool_styles()) names.push_back(style.name);
  names.push_back(kHarmony);
  return names;
}

Result<std::string> structural_tag_for_tools(std::string_view style, std::string_view tools, const ToolOptions& options,
                                             const Limits& limits) {
  const std::vector<std::string_view> names = tool_styles();
  if (std::find(names.begin(), names.end(), style) == names.end()) {
    std::string hint = grammar::did_you_mean(names, style);
    if (hint.empty()) {
      for (const std::string_view name : names) hint += (hint.empty() ? "known are " : ", ") + std::string(name);
    }
    return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                                "there is no style `" + base::escape_for_display(style) + "`",
                                {},
                                std::move(hint)});
  }
  Result<JsonDocument> document = JsonDocument::parse(tools, limits);
  if (!document) return tl::unexpected(std::move(document.error()));
  const Result<JsonDocument> choice = JsonDocument::parse(options.tool_choice, limits);
  if (!choice) return tl::unexpected(bad_choice("not JSON", "a word stands in quotes: \"auto\""));
  Request request;
  Result<std::vector<Tool>> listed = read_tools(*document);
  if (!listed) return tl::unexpected(std::move(listed.error()));
  request.tools = *std::move(listed);
  if (auto done = choose(request, choice->root()); !done) return tl::unexpected(std::move(done.error()));
  if (request.mode == Mode::kRequired && request.tools.empty()) {
    return tl::unexpected(bad_choice("a call is required, and there are no tools"));
  }
  Result<std::string> made;
  if (style == kHarmony) {
    made = in_harmony(request);
  } else {
    for (const ToolStyle& known : frontend::tools::tool_styles()) {
      if (known.name != style) continue;
      const bool one_call = request.one_call || known.is_single || !options.parallel_tool_calls;
      const bool has_reasoning = options.reasoning != ToolOptions::Reasoning::kNone;
      made = with_reasoning(known, options.reasoning, in_style(known, request, one_call, has_reasoning));
    }
  }
  return made.map([](const std::string& inner) { return object({{"type", "\"structural_tag\""}, {"format", inner}}); });
}

}  // namespace weir
