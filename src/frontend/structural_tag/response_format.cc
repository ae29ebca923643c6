#include "frontend/structural_tag/response_format.h"
#include "frontend/json_schema/json_schema.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json_value.h"
#include "base/utf8.h"
#include "frontend/structural_tag/formats.h"
#include "frontend/structural_tag/input.h"
#include "grammar/suggest.h"

namespace weir::frontend {

namespace {

using namespace structural_tag;  // NOLINT(google-build-using-namespace): this file is its facade
using grammar::NodeId;
using json_schema::Placement;
using Node = FormatReader::Node;

class ResponseFormat {
 public:
  ResponseFormat(Input& input, const StructuralTagOptions& options)
      : input_(input), options_(options), formats_(input, options), root_{input.root(), "a response format"} {}

  Node run() {
    if (!root_.value.is(JsonType::kObject)) {
      return input_.fail(root_.value, "a response format must be an object", hint_for_response_format(root_.value));
    }
    if (find_given(root_.value, "type") == nullptr) {
      return input_.fail(root_.value, "a response format needs a member `type`", hint_for_response_format(root_.value));
    }
    const JsonValue* type = input_.find(root_, "type", JsonType::kString);
    if (type == nullptr) return std::nullopt;
    const JsonValue* reasoning = input_.find(root_, "reasoning", JsonType::kObject);
    if (reasoning != nullptr) placement_ = Placement::kEmbedded;
    std::vector<std::string_view> names;
    for (const Type& known : kTypes) {
      names.push_back(known.name);
      if (known.name != type->string()) continue;
      const Node node = (this->*known.read)();
      return reasoning != nullptr ? with_reasoning(*reasoning, node) : node;
    }
    std::string hint = grammar::did_you_mean(names, type->string());
    if (hint.empty()) hint = hint_for_response_format(root_.value);
    if (hint.empty()) hint = grammar::did_you_mean(names, type->string(), "the types are");
    return input_.fail(*type, "there is no response format `" + base::escape_for_display(type->string()) + "`",
                       std::move(hint));
  }

 private:
  struct Type {
    std::string_view name;
    Node (ResponseFormat::*read)();
  };
  static const std::array<Type, 7> kTypes;

  Node text() {
    input_.has_only(root_, {"type", "reasoning"});
    return formats_.any_text_at(root_.value);
  }

  Node json_object() {
    input_.has_only(root_, {"type", "schema", "reasoning"});
    if (const JsonValue* schema = find_given(root_.value, "schema")) {
      return formats_.object_schema(*schema, options_.json_schema, placement_);
    }
    return formats_.schema_text(root_.value, R"({"type": "object"})", options_.json_schema, placement_);
  }

  Node json_schema() {
    if (input_.one_of(root_, {"json_schema", "schema"}) == nullptr) return std::nullopt;
    if (const JsonValue* schema = find_given(root_.value, "schema")) {  // as in OpenAI's Responses
      input_.has_only(root_, {"type", "name", "description", "schema", "strict", "reasoning"});
      return of_schema(*schema);
    }
    input_.has_only(root_, {"type", "json_schema", "reasoning"});
    const JsonValue* value = input_.need(root_, "json_schema", JsonType::kObject);
    if (value == nullptr) return std::nullopt;
    const JsonValue* schema = find_given(*value, "schema");
    if (schema == nullptr) return input_.fail(*value, "`json_schema` needs a member `schema`", "it holds the schema");
    const Object object{*value, "`json_schema`"};
    input_.has_only(object, {"name", "description", "schema", "strict"});
    return of_schema(*schema);
  }

  Node structural_tag() {
    if (find_given(root_.value, "reasoning") == nullptr) return formats_.structural_tag(root_);
    input_.has_only(root_, {"type", "format", "tools", "reasoning"});
    const JsonValue* format = input_.need(root_, "format", JsonType::kObject);
    return format != nullptr ? formats_.read(*format) : std::nullopt;
  }

  Node grammar() { return formats_.grammar_format({root_.value, "a response format"}); }

  Node regex() {
    input_.has_only(root_, {"type", "pattern", "regex", "reasoning"});
    const char* key = input_.one_of(root_, {"pattern", "regex"});
    const JsonValue* pattern = key != nullptr ? input_.need(root_, key, JsonType::kString) : nullptr;
    return pattern != nullptr ? formats_.regex(*pattern) : std::nullopt;
  }

  Node choice() {
    input_.has_only(root_, {"type", "choice", "choices", "reasoning"});
    const char* key = input_.one_of(root_, {"choice", "choices"});
    const JsonValue* list = key != nullptr ? input_.need(root_, key, JsonType::kArray) : nullptr;
    if (list == nullptr) return std::nullopt;
    const auto strings = input_.strings(root_, key, Input::Empty::kAllowed);
    if (!strings) return std::nullopt;
    if (strings->empty()) return input_.fail(*list, "the list of choices must not be empty");
    grammar::Grammar& grammar = input_.reading().grammar;
    std::vector<NodeId> ways;
    for (const std::string& text : *strings) ways.push_back(grammar.add_literal(text, list->where()));
    return grammar.add_choice(ways, list->where());
  }

  Node of_schema(const JsonValue& schema) { return formats_.schema(schema, options_.json_schema, placement_); }

  // Returns a node for the reasoning, which is `begin`, free text and `end`; then a few blanks; then the answer.
  Node with_reasoning(const JsonValue& value, const Node& answer) {
    const Object reasoning{value, "`reasoning`"};
    input_.has_only(reasoning, {"begin", "end"});
    const std::optional<std::string> end = input_.need_string(reasoning, "end");
    const std::optional<std::string> begin =
        find_given(value, "begin") != nullptr ? input_.need_string(reasoning, "begin") : std::string();
    if (!begin || !end || !answer) return std::nullopt;
    if (end->empty()) return input_.fail(*find_given(value, "end"), "`end` must not be empty");
    const NodeId parts[] = {formats_.text_up_to(*begin, *end, value.where()), formats_.blanks(value.where()), *answer};
    return input_.reading().grammar.add_sequence(parts, value.where());
  }

  Input& input_;
  const StructuralTagOptions& options_;
  FormatReader formats_;
  Object root_;
  Placement placement_ = Placement::kWholeText;
};

const std::array<ResponseFormat::Type, 7> ResponseFormat::kTypes{
    Type{"text", &ResponseFormat::text},
    Type{"json_object", &ResponseFormat::json_object},
    Type{"json_schema", &ResponseFormat::json_schema},
    Type{"structural_tag", &ResponseFormat::structural_tag},
    Type{"grammar", &ResponseFormat::grammar},
    Type{"regex", &ResponseFormat::regex},
    Type{"choice", &ResponseFormat::choice},
};

}  // namespace

std::optional<grammar::RuleId> read_response_format(std::string_view text, const StructuralTagOptions& options,
                                                    Reading& reading) {
  if (std::optional<Error> useless = option_without_effect(options.json_schema))
    return reading.fail(*std::move(useless));
  return read_tag_document(text, reading, [&](Input& input) { return ResponseFormat(input, options).run(); });
}

bool is_json_format(std::string_view text, const Limits& limits) {
  const Result<base::JsonDocument> format = base::JsonDocument::parse(text, limits);
  if (!format || !format->root().is(JsonType::kObject) || find_given(format->root(), "reasoning") != nullptr) {
    return false;
  }
  const JsonValue* const type = find_given(format->root(), "type");
  return type != nullptr && type->is(JsonType::kString) && type->string().starts_with("json_");
}

}  // namespace weir::frontend
