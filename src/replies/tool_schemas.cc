#include "replies/tool_schemas.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "base/json/json_text.h"
#include "base/utf8.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/tools/tools.h"
#include "replies/json_scanner.h"
#include "replies/python_reader.h"
#include "replies/search_bounds.h"

namespace weir::replies {

using base::JsonType;
using base::JsonValue;

namespace {

Types type_named(std::string_view name) {
  if (name == "integer") return type_bit(JsonType::kNumber);
  for (unsigned i = 0; i < 6; ++i) {
    if (base::to_string(static_cast<JsonType>(i)) == name) return type_bit(static_cast<JsonType>(i));
  }
  return 0;
}

RootedSchema resolved(RootedSchema place) {
  for (std::uint32_t depth = 0; depth < kMaxWithin && place.schema != nullptr; ++depth) {
    const JsonValue* reference = place.schema->find("$ref");
    if (reference == nullptr || !reference->is(JsonType::kString) || !reference->string().starts_with('#')) break;
    const auto path = frontend::json_schema::parse_pointer(reference->string().substr(1));
    const JsonValue* target = path ? frontend::json_schema::find_pointer(*place.root, *path) : nullptr;
    if (target == nullptr || target == place.schema) break;
    place.schema = target;
  }
  return place;
}

// Precondition: `text` is JSON without blanks around it.
JsonType type_of(std::string_view text) {
  switch (text.front()) {
    case '{': return JsonType::kObject;
    case '[': return JsonType::kArray;
    case '"': return JsonType::kString;
    case 'n': return JsonType::kNull;
    case 't':
    case 'f': return JsonType::kBoolean;
    default: return JsonType::kNumber;
  }
}

// Reads literals of Python and JSON.
class LiteralReader {
 public:
  explicit LiteralReader(std::string_view text) : text_(text) {}

  bool read() {
    if (!value(0)) return false;
    skip();
    return at_ == text_.size();
  }
  std::string take() { return std::move(out_); }

 private:
  void skip() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool next_is(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool value(std::uint32_t depth) {
    skip();
    if (at_ >= text_.size() || depth > kMaxWithin) return false;
    switch (text_[at_]) {
      case '{': return members(depth);
      case '[': return items(']', depth);
      case '(': return items(')', depth);
      case '"':
      case '\'': return string();
      default: return word();
    }
  }

  bool members(std::uint32_t depth) {
    ++at_;
    out_ += '{';
    while (!next_is('}')) {
      if (out_.back() != '{' && !comma()) return false;
      if (next_is('}')) {
        if (out_.ends_with(", ")) out_.resize(out_.size() - 2);
        break;
      }
      skip();
      if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'') || !string() || !next_is(':')) return false;
      out_ += ": ";
      if (!value(depth + 1)) return false;
    }
    out_ += '}';
    return true;
  }

  bool items(char end, std::uint32_t depth) {
    ++at_;
    out_ += '[';
    std::size_t values = 0;
    bool has_comma = false;
    while (!next_is(end)) {
      if (values > 0 && !comma()) return false;
      has_comma = values > 0;
      if (next_is(end)) {
        if (out_.ends_with(", ")) out_.resize(out_.size() - 2);
        break;
      }
      if (!value(depth + 1)) return false;
      ++values;
    }
    out_ += ']';
    return end != ')' || values != 1 || has_comma;  // (5) is no tuple: values in brackets are not read
  }

  bool comma() {
    out_ += ", ";
    return next_is(',');
  }

  bool string() {
    const char quote = text_[at_++];
    std::string content;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] != '\\') {
        content += text_[at_++];
      } else if (!escape(content)) {
        return false;
      }
    }
    if (at_ >= text_.size()) return false;
    ++at_;
    out_ += base::json_string(content);
    return true;
  }

  bool escape(std::string& content) {
    const PythonEscape escape = read_python_escape(text_.substr(at_));
    if (escape.is != PythonEscape::Is::kWhole) return false;
    content += escape.text;
    at_ += escape.length;
    return true;
  }

  bool word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) &&
           std::string_view(",]})(:[{'\"").find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    std::string one(text_.substr(start, at_ - start));
    std::string lower = one;
    std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    if (lower == "true" || lower == "false") {
      out_ += lower;
      return true;
    }
    if (lower == "none" || lower == "null") {
      out_ += "null";
      return true;
    }
    const bool is_negative = one.starts_with('-');
    std::string digits = one.substr(is_negative || one.starts_with('+') ? 1 : 0);
    const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
    const bool needs_zero =
        zeros == digits.size() || std::string_view(".eE").find(digits[zeros]) != std::string_view::npos;
    if (zeros > 0) digits.erase(0, needs_zero ? zeros - 1 : zeros);
    if (digits.starts_with('.')) digits.insert(0, "0");
    if (digits.ends_with('.')) digits += '0';
    if (!digits.empty() && digits.front() == '-') return false;  // a second sign
    if (digits.empty() || !is_json(digits) || type_of(digits) != JsonType::kNumber) return false;
    out_ += (is_negative ? "-" : "") + digits;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

ToolSchemas::ToolSchemas(base::JsonDocument document)
    : document_(std::move(document)), of_custom_(*base::JsonDocument::parse(frontend::tools::of_input(), Limits{})) {
  for (const frontend::tools::ListedTool& tool : frontend::tools::listed_tools(document_.root())) {
    tools_.emplace(tool.name, tool.function);
    if (tool.is_custom) custom_.emplace(tool.name);
  }
}

void ToolSchemas::keep(const std::set<std::string, std::less<>>& names) {
  const auto is_other = [&](std::string_view name) { return !names.contains(name); };
  std::erase_if(tools_, [&](const auto& tool) { return is_other(tool.first); });
  std::erase_if(custom_, is_other);
}

std::vector<std::string_view> ToolSchemas::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, schema] : tools_) names.push_back(name);
  return names;
}

RootedSchema ToolSchemas::arguments(std::string_view tool) const {
  if (is_custom(tool)) return {&of_custom_.root(), &of_custom_.root()};
  const auto found = tools_.find(tool);
  const JsonValue* parameters = found == tools_.end() ? nullptr : found->second->find("parameters");
  if (parameters == nullptr || !parameters->is(JsonType::kObject)) return {};
  return {parameters, parameters};
}

Rest ToolSchemas::values(std::string_view tool) {
  const RootedSchema place = arguments(tool);
  if (place.schema == nullptr || is_custom(tool)) return {};
  const SourceRange where = place.schema->where();
  auto known = sets_.find(tool);
  if (known != sets_.end() && known->second.is_large()) {
    sets_.erase(known);
    known = sets_.end();
  }
  if (known == sets_.end()) {
    known = sets_.try_emplace(std::string(tool), document_.text().substr(where.start, where.end - where.start)).first;
  }
  return Rest(&known->second, Rest::Of::kObject);
}

bool ToolSchemas::has_required(RootedSchema place, std::string_view object) {
  const JsonValue* required = place.schema == nullptr ? nullptr : resolved(place).schema->find("required");
  if (required == nullptr) return true;
  Limits limits;
  limits.nesting = limits.number_digits = UINT32_MAX;  // nothing but the names of its members is asked
  const Result<base::JsonDocument> document = base::JsonDocument::parse(object, limits);
  return document && std::ranges::all_of(required->items(), [&](const JsonValue& key) {
           return key.is(JsonType::kString) && document->root().find(key.string()) != nullptr;
         });
}

// Precondition: place.schema is not null, and resolved.
const ToolSchemas::Members& ToolSchemas::members_of(RootedSchema place) {
  const auto [entry, is_new] = members_.try_emplace(place.schema);
  Members& members = entry->second;
  const auto find = [](const JsonValue& schema, std::string_view keyword, auto&& visit) {
    if (const JsonValue* found = schema.find(keyword)) visit(*found);
  };
  std::vector<const JsonValue*> open;
  std::set<const JsonValue*> seen;
  if (is_new) open.push_back(place.schema);
  while (!open.empty()) {
    const JsonValue& schema = *resolved({open.back(), place.root}).schema;
    open.pop_back();
    if (!seen.insert(&schema).second) continue;
    find(schema, "properties", [&](const JsonValue& all) {
      for (const base::JsonMember& one : all.members()) members.listed[one.key].push_back(&one.value);
    });
    find(schema, "patternProperties", [&](const JsonValue& all) {
      for (const base::JsonMember& one : all.members()) members.others.push_back(&one.value);
    });
    find(schema, "additionalProperties", [&](const JsonValue& one) { members.others.push_back(&one); });
    const std::size_t begin = open.size();
    for (const std::string_view keyword : {"allOf", "anyOf", "oneOf"}) {
      find(schema, keyword, [&](const JsonValue& ways) {
        for (const JsonValue& way : ways.items()) open.push_back(&way);
      });
    }
    for (const std::string_view keyword : {"then", "else"}) {
      find(schema, keyword, [&](const JsonValue& way) { open.push_back(&way); });
    }
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(begin), open.end());  // the first comes first
  }
  return members;
}

// Precondition: as above.
const ToolSchemas::Schemas& ToolSchemas::schemas_of(RootedSchema place, std::string_view key) {
  const Members& members = members_of(place);
  const auto listed = members.listed.find(key);
  return listed == members.listed.end() ? members.others : listed->second;
}

RootedSchema ToolSchemas::member(RootedSchema place, std::string_view key) {
  place = resolved(place);
  if (place.schema == nullptr) return {};
  const Schemas& schemas = schemas_of(place, key);
  return schemas.empty() ? RootedSchema{} : RootedSchema{schemas.front(), place.root};
}

bool ToolSchemas::lists(RootedSchema place, std::string_view key) {
  place = resolved(place);
  return place.schema != nullptr && members_of(place).listed.contains(key);
}

Types ToolSchemas::member_types(RootedSchema place, std::string_view key) {
  place = resolved(place);
  if (place.schema == nullptr) return 0;
  Types either = 0;
  for (const JsonValue* schema : schemas_of(place, key)) either |= types({schema, place.root});
  return either;
}

RootedSchema ToolSchemas::item(RootedSchema place) {
  place = resolved(place);
  const bool has_prefix = place.schema != nullptr && place.schema->find("prefixItems") != nullptr;
  const JsonValue* items = place.schema == nullptr || has_prefix ? nullptr : place.schema->find("items");
  return {items, items == nullptr ? nullptr : place.root};
}

// Returns what the keywords of a schema say, if `types_` knows its alternatives.
Types ToolSchemas::types_said(RootedSchema place) const {
  Types types = kAnyType;
  bool says_types = false;
  const auto meet = [&](Types others) {
    if (others == 0) return;
    says_types = true;
    types &= others;
  };
  const auto known = [&](const JsonValue& schema) {
    const auto found = types_.find(resolved({&schema, place.root}).schema);
    return found == types_.end() ? Types{0} : found->second;
  };
  if (const JsonValue* type = place.schema->find("type")) {
    Types named = type->is(JsonType::kString) ? type_named(type->string()) : Types{0};
    for (const JsonValue& one : type->items()) named |= one.is(JsonType::kString) ? type_named(one.string()) : Types{0};
    meet(named);
  }
  if (const JsonValue* constant = place.schema->find("const")) meet(type_bit(constant->type()));
  if (const JsonValue* values = place.schema->find("enum")) {
    Types of_values = 0;
    for (const JsonValue& one : values->items()) of_values |= type_bit(one.type());
    meet(of_values);
  }
  for (const std::string_view keyword : {"anyOf", "oneOf"}) {
    const JsonValue* ways = place.schema->find(keyword);
    if (ways == nullptr) continue;
    Types either = 0;
    for (const JsonValue& way : ways->items()) {
      const Types one = known(way);
      either |= one == 0 ? kAnyType : one;
    }
    meet(either);
  }
  if (const JsonValue* all = place.schema->find("allOf")) {
    for (const JsonValue& one : all->items()) meet(known(one));
  }
  const JsonValue* nullable = place.schema->find("nullable");
  if (nullable != nullptr && nullable->is(JsonType::kBoolean) && nullable->boolean()) {
    types |= type_bit(JsonType::kNull);
  }
  // Who lists members or items means an object or a list, although the schema allows all else, too.
  if (!says_types && (place.schema->find("properties") || place.schema->find("items"))) return kAnyType;
  return says_types ? types : Types{0};
}

// Each schema is looked at once before its alternatives are, and once after them.
Types ToolSchemas::types(RootedSchema place) {
  place = resolved(place);
  if (place.schema == nullptr) return 0;
  std::vector<std::pair<const JsonValue*, bool>> open{{place.schema, false}};
  while (!open.empty()) {
    const auto [schema, is_second] = open.back();
    open.pop_back();
    if (is_second) {
      types_[schema] = types_said({schema, place.root});
      continue;
    }
    if (!types_.emplace(schema, 0).second) continue;
    open.emplace_back(schema, true);
    for (const std::string_view keyword : {"anyOf", "oneOf", "allOf"}) {
      const JsonValue* ways = schema->find(keyword);
      if (ways == nullptr) continue;
      for (const JsonValue& way : ways->items()) {
        open.emplace_back(resolved({&way, place.root}).schema, false);
      }
    }
  }
  return types_[place.schema];
}

Allowed next_value(Rest& rest, std::string_view key, Types types, bool has_parts) {
  const bool is_certain = types == kStringType || (types != 0 && (types & kStringType) == 0);
  if ((is_certain && !has_parts) || rest.sets() == nullptr) return {types};
  const ValueSets::SetId set = rest.next(key);
  const Types of_values = rest.sets()->types(set);
  // Keywords that say nothing of types are those of a text, unless no text is allowed.
  if (types == 0 && (of_values & kStringType) == 0) types = of_values;
  if ((types & of_values) != 0) types &= of_values;
  return {types, rest.sets(), set};
}

std::string value_as_json(std::string_view text, const Allowed& allowed) {
  if (allowed.is_string()) return base::json_string(text);
  const Types types = allowed.types;
  const std::string_view inside = trimmed(text);
  const bool is_other = is_json(inside) && type_of(inside) != JsonType::kString && allowed.has(type_of(inside));
  if (allowed.has(JsonType::kString)) {
    std::string own = base::json_string(text);
    // Where the keywords say nothing of types, it is text if it may be.
    const bool is_own = !is_other || (types == 0 ? allowed.allows(own) || !allowed.allows(inside)
                                                 : !allowed.allows(inside) && allowed.allows(own));
    return is_own ? own : std::string(inside);
  }
  if (is_other) return std::string(inside);
  std::string literal = literal_as_json(inside);
  if (!literal.empty() && (types & type_bit(type_of(literal))) != 0) return literal;
  std::string unescaped;  // JSON with the escapes that it has within a string
  if (inside.find("\\\"") != std::string_view::npos && is_json("\"" + std::string(inside) + "\"")) {
    base::append_json_string(inside, unescaped);
    if (is_json(unescaped) && (types & type_bit(type_of(unescaped))) != 0) return unescaped;
  }
  return is_json(inside) && type_of(inside) == JsonType::kString ? std::string(inside) : base::json_string(text);
}

std::string literal_as_json(std::string_view text) {
  LiteralReader reader(text);
  return reader.read() ? reader.take() : std::string();
}

}  // namespace weir::replies
