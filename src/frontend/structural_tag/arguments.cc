#include "frontend/structural_tag/arguments.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/structural_tag/formats.h"
#include "regex/expr/expr.h"

namespace weir::frontend::structural_tag {

using grammar::NodeId;

namespace {

constexpr std::uint32_t kMaxBlanks = 8;  // between arguments

struct NamedStyle {
  std::string_view name;
  ArgumentStyle style;
};
constexpr std::array kStyles{
    NamedStyle{"qwen_xml", {.before_key = "<parameter=", .after_key = ">", .end = "</parameter>", .on_lines = true}},
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
    NamedStyle{"gemma4", {.nesting = ArgumentStyle::Nesting::kBrackets}},
};
/// Each set of arguments read so far needs a rule: 2^n rules for n arguments in any order.
constexpr std::size_t kMaxInAnyOrder = 12;
/// Each set of patterns that a key matches has its own schema for the value: 2^n sets for n patterns.
constexpr std::size_t kMaxPatterns = 4;

std::string attribute_text(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

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
    none += (none.empty() ? R"({"pattern": )" : R"(, {"pattern": )") + json_string(containing(text)) + "}";
  }
  const std::string without = R"({"not": {"type": "string", "anyOf": [)" + none + "]}}";
  return R"({"$schema": "https://json-schema.org/draft/2020-12/schema", "allOf": [)" + without +
         R"(], "items": {"$ref": "#"}, "additionalProperties": {"$ref": "#"}, "propertyNames": )" + without + "}";
}

// Returns the fragment that leads from an object's schema to a member of one of its keywords.
std::string pointer_fragment(std::string_view keyword, std::string_view key) {
  std::string pointer = "/" + std::string(keyword);
  json_schema::append_to_pointer(pointer, key);
  return as_fragment(pointer);
}

bool is_false(const JsonValue& schema) { return schema.is(JsonType::kBoolean) && !schema.boolean(); }

}  // namespace

std::string json_string(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
    char32_t escaped = byte(i);
    if (escaped == 0xED && i + 2 < text.size() && byte(i + 1) >= 0xA0) {  // a surrogate
      escaped = 0xD000U | (byte(i + 1) & 0x3FU) << 6 | (byte(i + 2) & 0x3FU);
      i += 2;
    } else if (escaped >= 0x20) {
      if (escaped == '"' || escaped == '\\') out += '\\';
      out += text[i];
      continue;
    }
    out += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kDigits[escaped >> shift & 15U];
  }
  return out + "\"";
}

std::string all_of(const std::vector<std::string>& references) {
  if (references.size() == 1) return R"({"$ref": )" + json_string(references.front()) + "}";
  std::string out;
  for (const std::string& reference : references) {
    out += (out.empty() ? R"({"allOf": [{"$ref": )" : R"(, {"$ref": )") + json_string(reference) + "}";
  }
  return out + "]}";
}

std::string as_fragment(std::string_view pointer) {
  std::string out;
  for (const char c : pointer) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/';
    if (is_plain) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', "0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
    }
  }
  return out;
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
  const bool is_good =
      read_json_schema(input_.text_of(schema), options, json_schema::Placement::kEmbedded, reading).has_value();
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

// Returns a node for the properties of the schema, each between its tags, in listed or in any order.
FormatReader::Node FormatReader::arguments(const JsonValue& schema, const ArgumentStyle& style,
                                           const JsonSchemaOptions& options, bool any_order,
                                           const std::vector<std::string>& excluded) {
  if (schema.is(JsonType::kBoolean) && schema.boolean()) {  // as {}: a function without parameters has no arguments
    const bool in_brackets = style.nesting == ArgumentStyle::Nesting::kBrackets;
    return in_brackets ? grammar_.add_literal("{}", schema.where()) : blanks(schema.where());
  }
  if (!schema.is(JsonType::kObject)) return input_.fail(schema, "the schema of arguments must be an object or true");
  if (!check_schema(schema, options)) return std::nullopt;
  JsonSchemaOptions in_document = with_document(schema, options);
  if (style.nesting == ArgumentStyle::Nesting::kBrackets) {
    return bracket_object({&schema, std::nullopt, std::string(kArgumentsDocument) + "#", 0, reference_root(schema)},
                          in_document, any_order);
  }
  if (style.nesting != ArgumentStyle::Nesting::kJson) {
    const bool is_named = style.nesting == ArgumentStyle::Nesting::kNamedTags;
    return nested_arguments(schema, {in_document, any_order, is_named});
  }
  std::vector<std::string> always;
  if (!excluded.empty()) {
    in_document.documents.push_back({std::string(kExclusionDocument), exclusion(excluded)});
    always.emplace_back(kExclusionDocument);
  }
  const auto values = [&](std::vector<std::string> fragments) {
    for (std::string& fragment : fragments) fragment.insert(0, std::string(kArgumentsDocument) + "#");
    fragments.insert(fragments.end(), always.begin(), always.end());
    return all_of(fragments);
  };
  const auto listed = [&](const ListedMember& member) -> Node {
    for (const std::string& text : excluded) {
      if (member.key.find(text) == std::string_view::npos) continue;
      return input_.fail(*member.schema, "the key of this argument contains `" + base::escape_for_display(text) +
                                             "`, which `excludes` excludes");
    }
    return argument(schema, {.text = member.key, .is_required = member.is_required}, values(member.pointers), style,
                    in_document);
  };
  const auto further = [&](const FurtherMembers& others) -> Node {
    std::string keys = others.keys;
    if (!excluded.empty()) keys = R"({"allOf": [)" + keys + R"(, {"$ref": )" + json_string(kExclusionDocument) + "}]}";
    const Node key = further_key(schema, keys, in_document);
    if (!key) return key;
    return argument(schema, {.node = key}, values(others.pointers), style, in_document);
  };
  const Node all = members(schema, {.is_any = any_order}, in_document, listed, further);
  if (!all) return std::nullopt;
  const NodeId parts[] = {*all, blanks(schema.where())};
  return grammar_.add_sequence(parts, schema.where());
}

JsonSchemaOptions FormatReader::with_document(const JsonValue& schema, const JsonSchemaOptions& options) const {
  JsonSchemaOptions extended = options;
  extended.documents.push_back({std::string(kArgumentsDocument), std::string(input_.text_of(schema))});
  return extended;
}

// Returns a node for the keys that are valid under a schema (given as text); one without texts if there are none.
FormatReader::Node FormatReader::further_key(const JsonValue& object, const std::string& keys,
                                             const JsonSchemaOptions& options) {
  Reading reading{grammar_, input_.reading().limits, input_.reading().review};
  if (const Node key = read_bare_strings(keys, options, "<", reading)) return key;
  if (reading.errors.front().code == ErrorCode::kUnsatisfiable) return grammar_.add_choice({}, object.where());
  for (Error& error : reading.errors) input_.fail(object, std::move(error.message), std::move(error.hint), error.code);
  return std::nullopt;
}

// Returns true unless the key certainly does not match the pattern (ECMA-262).
bool FormatReader::may_match(std::string_view key, std::string_view pattern, const JsonSchemaOptions& options) {
  grammar::Grammar scratch(input_.reading().limits.regex_nodes);
  Reading reading{scratch, input_.reading().limits, input_.reading().review};
  const auto rule =
      read_json_schema(R"({"const": )" + json_string(key) + R"(, "pattern": )" + json_string(pattern) + "}", options,
                       json_schema::Placement::kEmbedded, reading);
  return rule || reading.errors.front().code != ErrorCode::kUnsatisfiable;
}

// Adds the members of `properties`, then those that only `required` names. Returns false if the schema allows no value
// under a required key.
bool FormatReader::listed_members(const JsonValue& schema, const JsonSchemaOptions& options,
                                  std::vector<ListedMember>& listed) {
  const JsonValue* required = schema.find("required");
  const JsonValue* properties = schema.find("properties");
  const JsonValue* patterns = schema.find("patternProperties");
  const JsonValue* additional = schema.find("additionalProperties");
  const auto add_patterns = [&](ListedMember& member) {
    if (patterns == nullptr) return;
    for (const base::JsonMember& pattern : patterns->members()) {
      if (!may_match(member.key, pattern.key, options)) continue;
      member.pointers.push_back(pointer_fragment("patternProperties", pattern.key));
      if (member.schema == nullptr) member.schema = &pattern.value;
    }
  };
  std::set<std::string_view> not_added;
  if (required != nullptr) {
    for (const JsonValue& key : required->items()) not_added.insert(key.string());
  }
  if (properties != nullptr) {
    for (const base::JsonMember& property : properties->members()) {
      const bool is_required = not_added.erase(property.key) != 0;
      listed.push_back({property.key, {pointer_fragment("properties", property.key)}, &property.value, is_required});
      add_patterns(listed.back());
    }
  }
  if (not_added.empty()) return true;
  bool good = true;
  for (const JsonValue& key : required->items()) {
    if (not_added.erase(key.string()) == 0) continue;
    ListedMember member{key.string(), {}, nullptr, true};
    add_patterns(member);
    if (member.pointers.empty() && additional != nullptr && !is_false(*additional)) {
      member.pointers.emplace_back("/additionalProperties");
      member.schema = additional;
    }
    if (member.pointers.empty()) {
      input_.fail(key, "a required argument is not among `properties`", "list it under `properties`");
      good = false;
      continue;
    }
    listed.push_back(std::move(member));
  }
  return good;
}

// Returns what `patternProperties` and `additionalProperties` allow beside the listed members: an entry for each set of
// patterns that a key may match. None if both are absent, since in these styles other members exist only where the
// schema asks for them.
std::optional<std::vector<FormatReader::FurtherMembers>> FormatReader::further_members(
    const JsonValue& schema, std::span<const ListedMember> listed) {
  const JsonValue* patterns = schema.find("patternProperties");
  const JsonValue* additional = schema.find("additionalProperties");
  const bool has_additional = additional != nullptr && !is_false(*additional);
  const auto by_pattern = patterns == nullptr ? std::span<const base::JsonMember>() : patterns->members();
  if (by_pattern.size() > kMaxPatterns) {
    input_.fail(*patterns, "more than " + std::to_string(kMaxPatterns) + " patterns for keys in this style",
                "the style `json` supports them", ErrorCode::kUnsupported);
    return std::nullopt;
  }
  std::string others = R"({"type": "string", "pattern": )" + std::string(kWritableKeys);
  if (!listed.empty()) {
    others += R"(, "not": {"enum": [)";
    for (const ListedMember& member : listed) {
      others += (others.ends_with('[') ? "" : ", ") + json_string(member.key);
    }
    others += "]}";
  }
  std::vector<FurtherMembers> found;
  for (std::size_t set = has_additional ? 0 : 1; set < std::size_t{1} << by_pattern.size(); ++set) {
    FurtherMembers one;
    bool allows_values = true;
    one.keys = others + R"(, "allOf": [true)";
    for (std::size_t i = 0; i < by_pattern.size(); ++i) {
      const std::string pattern = R"({"pattern": )" + json_string(by_pattern[i].key) + "}";
      const bool matches = (set >> i & 1U) != 0;
      one.keys += matches ? ", " + pattern : R"(, {"not": )" + pattern + "}";
      if (!matches) continue;
      allows_values = allows_values && !is_false(by_pattern[i].value);
      one.pointers.push_back(pointer_fragment("patternProperties", by_pattern[i].key));
      one.schema = &by_pattern[i].value;
    }
    if (!allows_values) continue;
    one.keys += "]}";
    if (one.pointers.empty()) {
      one.pointers.emplace_back("/additionalProperties");
      one.schema = additional;
    }
    if (one.pointers.size() > 1) one.schema = nullptr;
    found.push_back(std::move(one));
  }
  return found;
}

FormatReader::Node FormatReader::members(const JsonValue& schema, const MemberOrder& order,
                                         const JsonSchemaOptions& options,
                                         const std::function<Node(const ListedMember&)>& node_of,
                                         const std::function<Node(const FurtherMembers&)>& further) {
  static constexpr std::array<std::string_view, 15> kKnown{"type",
                                                           "properties",
                                                           "required",
                                                           "additionalProperties",
                                                           "patternProperties",
                                                           "title",
                                                           "description",
                                                           "$defs",
                                                           "definitions",
                                                           "$schema",
                                                           "$id",
                                                           "$comment",
                                                           "examples",
                                                           "default",
                                                           "strict"};
  for (const base::JsonMember& member : schema.members()) {
    if (std::find(kKnown.begin(), kKnown.end(), member.key) != kKnown.end()) continue;
    return input_.fail(member.value,
                       "`" + base::escape_for_display(member.key) +
                           "` constrains several arguments at once, which this style does not support",
                       "the style `json` supports it", ErrorCode::kUnsupported);
  }
  std::vector<ListedMember> listed;
  bool good = listed_members(schema, options, listed);
  std::erase_if(listed, [&](const ListedMember& member) { return !can_write_key(member, good); });
  if (order.is_sorted) {
    // Keys that are equal but for case stay in the order of `properties`, in which their schemas lie in memory.
    std::ranges::sort(listed, {},
                      [](const ListedMember& member) { return std::pair(in_lower_case(member.key), member.schema); });
  }
  std::vector<ArgumentPart> given;
  for (const ListedMember& member : listed) {
    const Node one = node_of(member);
    good &= one.has_value();
    if (!one) continue;
    given.push_back({*one, member.is_required});
    std::map<NodeId, bool> known;
    if (!member.is_required && !is_false(*member.schema) && !has_texts(*one, known)) {
      warn_of_absent(member, "no value of its schema can be written in this style");
    }
  }
  const auto others = further_members(schema, listed);
  if (!others || !good) return std::nullopt;
  std::vector<NodeId> ways;
  for (const FurtherMembers& one : *others) {
    if (!further) {
      const JsonValue* patterns = schema.find("patternProperties");
      const JsonValue* at = patterns != nullptr ? patterns : schema.find("additionalProperties");
      return input_.fail(*at, "arguments that `properties` does not list are not supported in this style", "",
                         ErrorCode::kUnsupported);
    }
    const Node way = further(one);
    if (!way) return std::nullopt;
    ways.push_back(*way);
  }
  const NodeId any_further = ways.empty() ? NodeId::kEmpty : grammar_.add_choice(ways, schema.where());
  if (!order.is_any) {
    const NodeId ordered = in_order(given, order.separator, schema.where());
    if (ways.empty()) return ordered;
    const NodeId parts[] = {ordered, grammar_.add_repeat(any_further, 0, regex::kUnbounded, schema.where())};
    return grammar_.add_sequence(parts, schema.where());
  }
  if (given.size() > kMaxInAnyOrder) {
    return input_.fail(schema, "more than " + std::to_string(kMaxInAnyOrder) + " arguments in any order",
                       "leave out `any_order`: they are then written in the order of `properties`",
                       ErrorCode::kUnsupported);
  }
  return in_any_order(given, order.separator, any_further, schema.where());
}

// Returns false if the key is no text. That is an error if the member is required; else the member does not occur.
bool FormatReader::can_write_key(const ListedMember& member, bool& good) {
  if (base::find_invalid_utf8(member.key) == std::string_view::npos) return true;
  const std::string why = "its key holds half of a surrogate pair, which is no text";
  if (member.is_required) {
    input_.fail(*member.schema, "the required argument " + json_string(member.key) + " cannot be written: " + why,
                "the style `json` writes such keys with escapes", ErrorCode::kUnsupported);
    good = false;
  } else {
    warn_of_absent(member, why);
  }
  return false;
}

void FormatReader::warn_of_absent(const ListedMember& member, const std::string& why) {
  input_.warn(*member.schema, "the argument " + json_string(member.key) + " never occurs: " + why, "absent-argument");
}

// Returns false if the node derives no text, as far as is known: what is nested deeper than kMaxDepth, and a rule within
// itself, is taken to derive one. `known` has the answers for nodes; `depth` is the number of nodes around this one.
bool FormatReader::has_texts(NodeId id, std::map<NodeId, bool>& known, std::uint32_t depth) const {
  constexpr std::uint32_t kMaxDepth = 500;
  const auto [answer, is_new] = known.try_emplace(id, true);
  if (!is_new || depth > kMaxDepth) return answer->second;
  const grammar::Node& node = grammar_.node(id);
  const auto children = grammar_.children_of(node);
  const auto child_has_texts = [&](NodeId child) { return has_texts(child, known, depth + 1); };
  switch (node.kind) {
    case grammar::NodeKind::kSequence: answer->second = std::ranges::all_of(children, child_has_texts); break;
    case grammar::NodeKind::kChoice: answer->second = std::ranges::any_of(children, child_has_texts); break;
    case grammar::NodeKind::kRepeat: answer->second = node.min == 0 || child_has_texts(children.front()); break;
    case grammar::NodeKind::kRule:
      answer->second = child_has_texts(grammar_.rule(grammar::RuleId{node.payload}).body);
      break;
    default: break;
  }
  return answer->second;
}

// Built from the end: `after` may follow a member and begins with the separator; `all` is what may come if there was
// no member yet.
NodeId FormatReader::in_order(std::span<const ArgumentPart> parts, std::string_view separator, SourceRange where) {
  NodeId after = NodeId::kEmpty;
  NodeId all = NodeId::kEmpty;
  for (std::size_t i = parts.size(); i-- > 0;) {
    const NodeId first[] = {parts[i].node, after};
    const NodeId ways[] = {grammar_.add_sequence(first, where), all};
    all = parts[i].is_required ? ways[0] : grammar_.add_choice(ways, where);
    const NodeId next[] = {grammar_.add_literal(separator, where), parts[i].node};
    const NodeId member = grammar_.add_sequence(next, where);
    const NodeId rest[] = {parts[i].is_required ? member : grammar_.add_repeat(member, 0, 1, where), after};
    after = grammar_.add_sequence(rest, where);
  }
  return all;
}

// Makes a rule for each set of arguments that have been read: it allows each of the others, or the end if all required
// ones are in the set.
NodeId FormatReader::in_any_order(std::span<const ArgumentPart> parts, std::string_view separator, NodeId further,
                                  SourceRange where) {
  const std::size_t sets = std::size_t{1} << parts.size();
  const auto first = static_cast<std::uint32_t>(grammar_.rules.size());
  for (std::size_t seen = 0; seen < sets; ++seen) {
    grammar_.add_rule({.name = "arguments", .where = where, .defined = true, .generated = true});
  }
  for (std::size_t seen = 0; seen < sets; ++seen) {
    std::vector<NodeId> ways;
    bool may_end = true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if ((seen >> i & 1U) != 0) continue;
      may_end = may_end && !parts[i].is_required;
      const grammar::RuleId after{first + static_cast<std::uint32_t>(seen | (std::size_t{1} << i))};
      const NodeId way[] = {grammar_.add_literal(seen == 0 ? "" : separator, where), parts[i].node,
                            grammar_.add_rule_reference(after, where)};
      ways.push_back(grammar_.add_sequence(way, where));
    }
    if (further != NodeId::kEmpty) {
      const grammar::RuleId same{first + static_cast<std::uint32_t>(seen)};
      const NodeId way[] = {further, grammar_.add_rule_reference(same, where)};
      ways.push_back(grammar_.add_sequence(way, where));
    }
    if (may_end) ways.push_back(NodeId::kEmpty);
    grammar_.rules[first + seen].body = grammar_.add_choice(ways, where);
  }
  return grammar_.add_rule_reference(grammar::RuleId{first}, where);
}

NodeId FormatReader::blanks(SourceRange where) {
  regex::ByteSet set;
  for (const char c : {' ', '\t', '\n', '\r'}) set.add(static_cast<std::uint8_t>(c));
  const regex::ExprId some = grammar_.exprs.repeat(grammar_.exprs.byte_set(set), 0, kMaxBlanks);
  return grammar_.add_terminal({some, base::LexemeMode::kExact, "blanks", where});
}

// Returns the values of a schema (given as text) followed by their end. If the end contains special tokens, it is a
// node of its own.
FormatReader::Node FormatReader::value_and_end(const std::string& schema, const json_schema::Argument& argument,
                                               const JsonSchemaOptions& options, Reading& reading) {
  using Values = json_schema::Argument::Values;
  const SourceRange where{0, schema.size()};
  const auto pieces = literals_.split(argument.end);
  if (std::ranges::none_of(pieces, &Literals::Piece::is_token)) {
    const auto rule = read_argument_schema(schema, options, argument, reading);
    return rule ? Node(grammar_.add_rule_reference(*rule, where)) : std::nullopt;
  }
  std::vector<NodeId> ways;
  const auto is_settled = [&](const Reading& kind, const Node& way) {
    if (way) ways.push_back(*way);
    if (way || kind.errors.front().code == ErrorCode::kUnsatisfiable) return true;
    reading.errors = kind.errors;
    return false;
  };
  if (argument.values != Values::kOthers) {
    Reading strings{grammar_, reading.limits, reading.review};
    Node text = read_bare_strings(schema, options, argument.end, strings);
    if (text && argument.on_lines) {
      const NodeId line = grammar_.add_repeat(grammar_.add_literal("\n", where), 0, 1, where);
      const NodeId parts[] = {line, *text, line};
      text = grammar_.add_sequence(parts, where);
    }
    if (!is_settled(strings, text)) return std::nullopt;
  }
  if (argument.values != Values::kStrings) {
    JsonSchemaOptions with_blanks = options;
    with_blanks.leading_whitespace = with_blanks.trailing_whitespace = true;
    Reading others{grammar_, reading.limits, reading.review};
    const auto rule = read_json_schema(
        R"({"allOf": [)" + schema + R"(, {"type": ["number", "boolean", "null", "object", "array"]}]})", with_blanks,
        json_schema::Placement::kEmbedded, others);
    if (!is_settled(others, rule ? Node(grammar_.add_rule_reference(*rule, where)) : std::nullopt)) return std::nullopt;
  }
  if (ways.empty()) {
    return reading.fail({ErrorCode::kUnsatisfiable, "no value can stand before `" + argument.end + "`", where});
  }
  const NodeId parts[] = {grammar_.add_choice(ways, where), literals_.add(grammar_, argument.end, where)};
  return grammar_.add_sequence(parts, where);
}

// Returns an argument with this key and the values of a schema (given as text), between its tags. If there are no values
// and the argument is not required, the node has no texts.
FormatReader::Node FormatReader::argument(const JsonValue& schema, const ArgumentKey& key, const std::string& values,
                                          const ArgumentStyle& style, const JsonSchemaOptions& options) {
  using Values = json_schema::Argument::Values;
  const SourceRange where = schema.where();
  const bool has_types = !style.after_type.empty();
  const auto fail_all = [&](std::vector<Error>& errors) {
    for (Error& error : errors) input_.fail(schema, std::move(error.message), std::move(error.hint), error.code);
  };
  std::vector<NodeId> ways;
  std::vector<Error> without_values;  // the errors of the last kind without values
  // Returns false on an error. A kind without values is not an error.
  const auto add_way = [&](std::string_view after_key, Values kind, const std::string& type = {}) {
    Reading reading{grammar_, input_.reading().limits, input_.reading().review};
    const std::string of_type = type.empty() ? values : R"({"allOf": [)" + values + R"(, {"type": ")" + type + "\"}]}";
    const Node value = value_and_end(of_type, {std::string(style.end), kind, style.on_lines}, options, reading);
    if (!value) {
      without_values = std::move(reading.errors);
      if (without_values.front().code == ErrorCode::kUnsatisfiable) return true;
      fail_all(without_values);
      return false;
    }
    std::vector<NodeId> parts{blanks(where)};
    std::string begin(style.before_key);
    if (key.node) {
      parts.push_back(literals_.add(grammar_, begin, where));
      parts.push_back(*key.node);
      begin.clear();
    } else {
      begin += has_types ? attribute_text(key.text) : std::string(key.text);
    }
    begin.append(after_key).append(type).append(style.after_type);
    parts.push_back(literals_.add(grammar_, begin, where));
    if (!style.to_value.empty()) {
      parts.push_back(blanks(where));
      parts.push_back(literals_.add(grammar_, style.to_value, where));
    }
    parts.push_back(*value);
    ways.push_back(grammar_.add_sequence(parts, where));
    return true;
  };
  if (has_types) {
    for (const char* type : {"string", "number", "boolean", "null", "object", "array"}) {
      const Values kind = std::string_view(type) == "string" ? Values::kStrings : Values::kOthers;
      if (!add_way(style.after_key, kind, type)) return std::nullopt;
    }
  } else {
    const bool split = !style.after_string_key.empty();
    if (split && !add_way(style.after_string_key, Values::kStrings)) return std::nullopt;
    if (!add_way(style.after_key, split ? Values::kOthers : Values::kAll)) return std::nullopt;
  }
  if (!ways.empty() || !key.is_required) return grammar_.add_choice(ways, where);
  if (has_types) {
    return input_.fail(schema, "no value can stand before `" + std::string(style.end) + "`", "",
                       ErrorCode::kUnsatisfiable);
  }
  fail_all(without_values);
  return std::nullopt;
}

}  // namespace weir::frontend::structural_tag
