// JSON schemas in a structural tag, and the styles in which models write values.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/json_text.h"
#include "base/utf8.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/structural_tag/arguments.h"
#include "frontend/structural_tag/formats.h"

namespace weir::frontend::structural_tag {

namespace {

// Returns the message with the places that the user wrote, not those of the documents that were made of them.
std::string as_given(std::string message) {
  const std::string made = "`" + std::string(kExclusionDocument);
  for (std::size_t at = 0; (at = message.find(made, at)) != std::string::npos;) {
    message.replace(at, message.find('`', at + 1) + 1 - at, "`excludes`");
  }
  for (std::size_t at = 0; (at = message.find(kArgumentsDocument, at)) != std::string::npos;) {
    message.erase(at, kArgumentsDocument.size());
  }
  return message;
}

}  // namespace

FormatReader::Node FormatReader::json_schema(const Object& format) {
  input_.has_only(format, {"type", "json_schema", "style", "any_order", "max_whitespace_cnt", "excludes", "capture"});
  const JsonValue* value = find_given(format.value, "json_schema");
  if (value == nullptr) return input_.fail(format.value, "`json_schema` needs a member `json_schema`");
  JsonSchemaOptions options = options_.json_schema;
  const bool any_order = options.order == JsonSchemaOptions::Order::kAny;
  const std::optional<bool> order = input_.flag(format, "any_order", any_order);
  const std::optional<std::uint32_t> blanks = input_.count(format, "max_whitespace_cnt", 1'000'000, UINT32_MAX);
  const JsonValue* style = find_given(format.value, "style");
  const bool is_own = style != nullptr && style->is(JsonType::kObject);
  if (!is_own) style = input_.find(format, "style", JsonType::kString);
  const std::optional<std::vector<std::string>> excluded = input_.strings(format, "excludes");
  if (!order || !blanks || !excluded) return std::nullopt;
  options.order = *order ? JsonSchemaOptions::Order::kAny : JsonSchemaOptions::Order::kDeclared;
  if (*blanks != UINT32_MAX) {
    using Whitespace = JsonSchemaOptions::Whitespace;
    const Whitespace wanted = *blanks == 0 ? Whitespace::kNone : Whitespace::kBounded;
    const bool is_bound = options.whitespace == Whitespace::kBounded || options.whitespace == Whitespace::kUnbounded;
    if (!is_bound && options.whitespace != wanted) {
      const std::string replaced = options.whitespace == Whitespace::kPattern ? "whitespace_pattern" : "whitespace";
      input_.warn(*find_given(format.value, "max_whitespace_cnt"),
                  "`max_whitespace_cnt` replaces the option `" + replaced + "` here", "replaced-option", replaced);
    }
    options.whitespace = wanted;
    options.whitespace_limit = *blanks;
  }
  if (style == nullptr || (!is_own && style->string() == "json")) {
    return excluded->empty() ? known_or(*value, "json", options, false, {}, [&] { return schema(*value, options); })
                             : without_strings(*value, options, *excluded);
  }
  const std::optional<ArgumentStyle> known = is_own ? own_style(*style) : argument_style(style->string());
  if (is_own && !known) return std::nullopt;
  const bool asks_any_order = find_given(format.value, "any_order") != nullptr && *order;
  if (known && !excluded->empty() && known->nesting != ArgumentStyle::Nesting::kJson) {
    return input_.fail(*find_given(format.value, "excludes"), "`excludes` is not supported in this style",
                       "a `pattern` with a negative look-ahead keeps a text out of a string", ErrorCode::kUnsupported);
  }
  if (known) {
    const std::string_view text = is_own ? input_.text_of(*style) : style->string();
    return arguments(*value, text, *known, options, asks_any_order, *excluded);
  }
  return input_.fail(*style, "there is no style `" + base::escape_for_display(style->string()) + "`",
                     "known are json" + argument_style_names(), ErrorCode::kUnsupported);
}

namespace {

// The members of an own style that are texts.
constexpr std::array<std::pair<std::string_view, std::string_view ArgumentStyle::*>, 5> kTexts{
    std::pair{"before_key", &ArgumentStyle::before_key}, std::pair{"after_key", &ArgumentStyle::after_key},
    std::pair{"to_value", &ArgumentStyle::to_value},     std::pair{"end", &ArgumentStyle::end},
    std::pair{"quote", &ArgumentStyle::quote},
};
constexpr std::string_view kLineEnd = "line_end";
constexpr std::string_view kNoBlanks = "none";

}  // namespace

std::string to_json(const ArgumentStyle& style, std::string_view like) {
  std::string members;
  const auto add = [&](std::string_view key, std::string_view value) {
    members += (members.empty() ? "" : ", ") + base::json_string(key) + ": " + std::string(value);
  };
  if (!like.empty()) add("like", base::json_string(like));
  const ArgumentStyle known = like.empty() ? ArgumentStyle() : *argument_style(like);
  for (const auto& [key, text] : kTexts) {
    if (style.*text != known.*text) add(key, base::json_string(style.*text));
  }
  if (style.on_lines != known.on_lines) add("on_lines", style.on_lines ? "true" : "false");
  if (style.blanks != ArgumentStyle::Blanks::kAny) {
    add("blanks", base::json_string(style.blanks == ArgumentStyle::Blanks::kLineEnd ? kLineEnd : kNoBlanks));
  }
  if (style.is_strict) add("strict", "true");
  return "{" + members + "}";
}

std::optional<ArgumentStyle> FormatReader::own_style(const JsonValue& value) {
  const Object texts{value, "a `style`"};
  if (!input_.has_only(
          texts, {"like", "before_key", "after_key", "to_value", "end", "on_lines", "quote", "blanks", "strict"})) {
    return std::nullopt;
  }
  const JsonValue* like = input_.find(texts, "like", JsonType::kString);
  const JsonValue* blanks = input_.find(texts, "blanks", JsonType::kString);
  const std::optional<ArgumentStyle> known = like == nullptr ? ArgumentStyle() : argument_style(like->string());
  if (!known)
    return input_.fail(*like, "there is no style `" + base::escape_for_display(like->string()) + "`",
                       "known are" + argument_style_names().substr(1));
  ArgumentStyle style = *known;
  for (const auto& [key, text] : kTexts) {
    if (const JsonValue* given = input_.find(texts, key, JsonType::kString)) style.*text = given->string();
  }
  const std::optional<bool> on_lines = input_.flag(texts, "on_lines", style.on_lines);
  const std::optional<bool> is_strict = input_.flag(texts, "strict", false);
  if (!on_lines || !is_strict) return std::nullopt;
  style.on_lines = *on_lines;
  style.is_strict = *is_strict;
  if (blanks != nullptr) {
    using Blanks = ArgumentStyle::Blanks;
    style.blanks = blanks->string() == kLineEnd ? Blanks::kLineEnd : Blanks::kNone;
    if (blanks->string() != kLineEnd && blanks->string() != kNoBlanks) {
      return input_.fail(*blanks, "`blanks` of a `style` are `line_end` or `none`");
    }
  }
  if (style.nesting == ArgumentStyle::Nesting::kJson &&
      (style.before_key.empty() || style.after_key.empty() || style.end.empty())) {
    return input_.fail(value,
                       "a `style` needs the texts `before_key`, `after_key` and `end`, or a style that it is `like`");
  }
  return style;
}

FormatReader::Node FormatReader::qwen_xml_parameter(const Object& format) {
  input_.has_only(format, {"type", "json_schema", "capture"});
  const JsonValue* value = find_given(format.value, "json_schema");
  if (value == nullptr) return input_.fail(format.value, "`qwen_xml_parameter` needs a member `json_schema`");
  return arguments(*value, "qwen_xml", *argument_style("qwen_xml"), options_.json_schema, false, {});
}

FormatReader::Node FormatReader::schema(const JsonValue& schema, const JsonSchemaOptions& options,
                                        json_schema::Placement placement) {
  const bool is_text = schema.is(JsonType::kString);
  if (!schema.is(JsonType::kObject) && !schema.is(JsonType::kBoolean) && !is_text) {
    return input_.fail(schema,
                       "a schema must be an object or a boolean, not of type " + std::string(to_string(schema.type())));
  }
  const PlacedParts placed(grammar_, schema);
  Reading reading{grammar_, input_.reading().limits, input_.reading().review, input_.reading().is_check};
  const auto rule = read_json_schema(is_text ? schema.string() : input_.text_of(schema), options, placement, reading);
  for (Warning& warning : reading.warnings) input_.warn_within(schema, std::move(warning));
  for (Error& error : reading.errors) {
    if (is_text) error.pointer.clear();
    input_.fail_within(schema, std::move(error));
  }
  if (!rule) return std::nullopt;
  return grammar_.add_rule_reference(*rule, schema.where());
}

FormatReader::Node FormatReader::object_schema(const JsonValue& value, const JsonSchemaOptions& options,
                                               json_schema::Placement placement) {
  const bool is_text = value.is(JsonType::kString);
  const JsonValue* type = value.find("type");
  const bool is_of_objects = type != nullptr && type->is(JsonType::kString) && type->string() == "object" &&
                             value.find("$ref") == nullptr;  // a `$ref` may hide what is beside it
  if (is_of_objects || (!is_text && !value.is(JsonType::kObject) && !value.is(JsonType::kBoolean))) {
    return schema(value, options, placement);
  }
  if (!is_text && !check_schema(value, options)) return std::nullopt;
  JsonSchemaOptions extended = with_document(value, options);
  if (is_text) extended.documents.back().text = value.string();
  const std::string text = R"({"type": "object", "allOf": [)" + all_of({std::string(kArgumentsDocument)}) + "]}";
  std::vector<Error>& errors = input_.reading().errors;
  const std::size_t before = errors.size();
  const Node node = schema_text(value, text, extended, placement);
  if (errors.size() > before && errors.back().code == ErrorCode::kUnsatisfiable) {
    errors.back().message = "the schema allows no object";
    errors.back().hint = "a `json_object` is an object";
  }
  return node;
}

FormatReader::Node FormatReader::schema_text(const JsonValue& at, std::string_view text,
                                             const JsonSchemaOptions& options, json_schema::Placement placement) {
  const PlacedParts placed(grammar_, at);
  Reading reading{grammar_, input_.reading().limits, input_.reading().review};
  const auto rule = read_json_schema(text, options, placement, reading);
  for (Error& error : reading.errors) {
    input_.fail(at, as_given(std::move(error.message)), std::move(error.hint), error.code);
  }
  if (!rule) return std::nullopt;
  return grammar_.add_rule_reference(*rule, at.where());
}

}  // namespace weir::frontend::structural_tag
