#include "frontend/structural_tag/arguments.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json_text.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/search_bounds.h"
#include "frontend/structural_tag/argument_builder.h"
#include "frontend/structural_tag/formats.h"
#include "regex/expr/expr.h"

namespace weir::frontend::structural_tag {

using grammar::NodeId;

namespace {

struct NamedStyle {
  std::string_view name;
  ArgumentStyle style;
};
constexpr std::array kStyles{
    NamedStyle{"qwen_xml", {.before_key = "<parameter=", .after_key = ">", .end = "</parameter>", .on_lines = true}},
    NamedStyle{"mimo_xml", {.before_key = "<parameter=", .after_key = ">", .end = "</parameter>"}},
    NamedStyle{"minimax_xml", {.before_key = "<parameter name=\"", .after_key = "\">", .end = "</parameter>"}},
    NamedStyle{
        "glm_xml",
        {.before_key = "<arg_key>", .after_key = "</arg_key>", .end = "</arg_value>", .to_value = "<arg_value>"}},
    NamedStyle{"deepseek_xml",
               {.before_key = "<｜DSML｜parameter name=\"",
                .after_key = "\" string=\"false\">",
                .end = "</｜DSML｜parameter>",
                .after_string_key = "\" string=\"true\">"}},
    NamedStyle{"deepseek_v4_1_xml",
               {.before_key = "<｜DSML｜ parameter name=\"",
                .after_key = "\" string=\"false\">",
                .end = "</｜DSML｜ parameter>",
                .after_string_key = "\" string=\"true\">"}},
    NamedStyle{"kimi_k3_xml",
               {.before_key = "<|open|>argument key=\"",
                .after_key = "\" type=\"",
                .end = "<|close|>argument<|sep|>",
                .after_type = "\"<|sep|>"}},
    NamedStyle{"cohere_xml", {.nesting = ArgumentStyle::Nesting::kTypedTags}},
    NamedStyle{"minimax_m3_xml", {.nesting = ArgumentStyle::Nesting::kNamedTags}},
    NamedStyle{"gemma4", {.nesting = ArgumentStyle::Nesting::kBrackets, .quote = "<|\"|>"}},
    NamedStyle{"functiongemma", {.nesting = ArgumentStyle::Nesting::kBrackets, .quote = "<escape>"}},
    NamedStyle{"python", {.nesting = ArgumentStyle::Nesting::kPython}},
    NamedStyle{"longcat_xml",
               {.before_key = "<longcat_arg_key>",
                .after_key = "</longcat_arg_key>",
                .end = "</longcat_arg_value>",
                .to_value = "<longcat_arg_value>"}},
    NamedStyle{"minicpm5_xml", {.before_key = "<param name=\"", .after_key = "\">", .end = "</param>"}},
    NamedStyle{"step3_xml",
               {.before_key = "<steptml:parameter name=\"", .after_key = "\">", .end = "</steptml:parameter>"}},
};

// Returns an expression (ECMA-262) for texts that contain the string.
std::string containing(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("^$\\.*+?()[]{}|/").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// Returns the text of a schema for the values in which no string and no key, at any depth, contains one of the strings.
std::string exclusion(const std::vector<std::string>& excluded) {
  std::string none;
  for (const std::string& text : excluded) {
    none += (none.empty() ? R"({"pattern": )" : R"(, {"pattern": )") + base::json_string(containing(text)) + "}";
  }
  const std::string without = R"({"not": {"type": "string", "anyOf": [)" + none + "]}}";
  return R"({"$schema": "https://json-schema.org/draft/2020-12/schema", "allOf": [)" + without +
         R"(], "items": {"$ref": "#"}, "additionalProperties": {"$ref": "#"}, "propertyNames": )" + without + "}";
}

}  // namespace

std::string all_of(const std::vector<std::string>& references) {
  if (references.size() == 1) return R"({"$ref": )" + base::json_string(references.front()) + "}";
  std::string out;
  for (const std::string& reference : references) {
    out += (out.empty() ? R"({"allOf": [{"$ref": )" : R"(, {"$ref": )") + base::json_string(reference) + "}";
  }
  return out + "]}";
}

std::optional<ArgumentStyle> argument_style(std::string_view name) {
  for (const NamedStyle& known : kStyles) {
    if (known.name == name) return known.style;
  }
  return std::nullopt;
}

std::string argument_style_names() {
  std::string names;
  for (const NamedStyle& known : kStyles) names += ", " + std::string(known.name);
  return names;
}

// Reads the schema by itself, so that errors have positions in this text.
bool FormatReader::check_schema(const JsonValue& schema, const JsonSchemaOptions& options) {
  grammar::Grammar scratch(input_.reading().limits.regex_nodes);
  Reading reading{scratch, input_.reading().limits, input_.reading().review, input_.reading().is_check};
  const bool is_good = check_json_schema(input_.text_of(schema), options, json_schema::Placement::kEmbedded, reading);
  for (Error& error : reading.errors) input_.fail_within(schema, std::move(error));
  if (!is_good) return false;
  for (Warning& warning : reading.warnings) input_.warn_within(schema, std::move(warning));
  return true;
}

// Returns a node for the values of the schema as JSON, without those that have an excluded string.
FormatReader::Node FormatReader::without_strings(const JsonValue& schema, const JsonSchemaOptions& options,
                                                 const std::vector<std::string>& excluded) {
  if (!schema.is(JsonType::kObject) && !schema.is(JsonType::kBoolean)) {
    return input_.fail(schema, "with `excludes` a schema must be an object or a boolean");
  }
  if (!check_schema(schema, options)) return std::nullopt;
  JsonSchemaOptions extended = with_document(schema, options);
  extended.documents.push_back({std::string(kExclusionDocument), exclusion(excluded)});
  return schema_text(schema, all_of({std::string(kArgumentsDocument), std::string(kExclusionDocument)}), extended,
                     json_schema::Placement::kEmbedded);
}

// Returns a node for the members of an object that is valid under the schema, in the notation of the style.
FormatReader::Node FormatReader::arguments(const JsonValue& schema, std::string_view style_text,
                                           const ArgumentStyle& style, const JsonSchemaOptions& options, bool any_order,
                                           const std::vector<std::string>& excluded) {
  const bool is_any = schema.is(JsonType::kBoolean) && schema.boolean();
  // The two tags of an argument would have the same key.
  if (is_any && style.nesting == ArgumentStyle::Nesting::kNamedTags) return blanks(schema.where());
  if (!is_any && !schema.is(JsonType::kObject))
    return input_.fail(schema, "the schema of arguments must be an object or true");
  return known_or(schema, style_text, options, any_order, excluded, [&]() -> Node {
    if (!check_schema(schema, options)) return std::nullopt;
    ArgumentBuilder::Request request{schema, style, with_document(schema, options), any_order, excluded, is_any};
    if (!excluded.empty()) {
      request.options.documents.push_back({std::string(kExclusionDocument), exclusion(excluded)});
    }
    return ArgumentBuilder(input_, literals_, request).build();
  });
}

JsonSchemaOptions FormatReader::with_document(const JsonValue& schema, const JsonSchemaOptions& options) const {
  JsonSchemaOptions extended = options;
  extended.documents.push_back({std::string(kArgumentsDocument), std::string(input_.text_of(schema))});
  return extended;
}

NodeId add_blanks(grammar::Grammar& grammar, SourceRange where, ArgumentStyle::Blanks which) {
  if (which == ArgumentStyle::Blanks::kNone) return NodeId::kEmpty;
  const bool is_any = which == ArgumentStyle::Blanks::kAny;
  regex::ByteSet set;
  for (const char c : std::string_view(is_any ? " \t\n\r" : "\n")) set.add(static_cast<std::uint8_t>(c));
  const regex::ExprId some = grammar.exprs.repeat(grammar.exprs.byte_set(set), 0, is_any ? kMaxArgumentBlanks : 1);
  return grammar.add_terminal({some, base::LexemeMode::kExact, "blanks", where});
}

NodeId FormatReader::blanks(SourceRange where) { return add_blanks(grammar_, where); }

}  // namespace weir::frontend::structural_tag
