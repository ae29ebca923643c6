// How each style writes a member, an object and a list.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/blanks.h"
#include "base/json/json_text.h"
#include "base/limit_error.h"
#include "base/utf8.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/structural_tag/argument_builder.h"
#include "regex/expr/expr.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::structural_tag {

using base::is_blank;
using grammar::NodeId;
using Nesting = ArgumentStyle::Nesting;
using Values = json_schema::Argument::Values;

namespace {

std::string attribute_text(std::string_view text, Nesting nesting) {
  std::string out;
  for (const char c : text) {
    const bool is_angle = (c == '<' || c == '>') && nesting == Nesting::kTypedTags;
    out += c == '&' ? "&amp;" : c == '"' ? "&quot;" : !is_angle ? std::string(1, c) : c == '<' ? "&lt;" : "&gt;";
  }
  return out;
}

// Returns false if the set is known to have no values of the kind, and of the type unless it is empty.
bool may_have(const json_schema::Shape& shape, Values kind, std::string_view type) {
  using json_schema::Shape;
  if (type == "null") return (shape.literals & Shape::kNull) != 0;
  if (type == "boolean") return (shape.literals & (Shape::kTrue | Shape::kFalse)) != 0;
  if (type == "number") return shape.numbers != regex::ExprId::kNothing;
  if (type == "object") return shape.objects != json_schema::FormulaId::kFalse;
  if (type == "array") return shape.arrays != json_schema::FormulaId::kFalse;
  if (kind == Values::kStrings) return shape.strings != regex::ExprId::kNothing;
  Shape others = shape;
  if (kind == Values::kOthers) others.strings = regex::ExprId::kNothing;
  return others != Shape{};
}

// Returns true for a name of Python, in which all characters that are not ASCII are taken to be letters.
bool is_identifier(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, is_part);
}

bool has_any(std::string_view text, std::string_view characters) {
  return text.find_first_of(characters) != std::string_view::npos;
}

}  // namespace

ArgumentBuilder::ArgumentBuilder(Input& input, const Literals& literals, const Request& request)
    : input_(input),
      literals_(literals),
      request_(request),
      style_(request.style),
      grammar_(input.reading().grammar),
      where_(request.schema.where()),
      options_(request.options) {
  options_.order = request.any_order ? JsonSchemaOptions::Order::kAny : JsonSchemaOptions::Order::kDeclared;
  // Python reads these as JSON does, but not all others.
  if (style_.nesting == Nesting::kPython) options_.escapes = JsonSchemaOptions::Escapes::kRequired;
}

ArgumentBuilder::Node ArgumentBuilder::build() {
  auto view =
      json_schema::SchemaView::make(input_.text_of(request_.schema), options_, grammar_.exprs, input_.reading().limits);
  if (!view) {
    input_.fail_within(request_.schema, std::move(view.error()));
    return std::nullopt;
  }
  view_ = std::move(*view);
  const FormulaId objects = view_->algebra().shape(view_->root()).objects;
  if (!view_->witness().object_exists(objects)) {
    if (check_limit()) {
      fail(ErrorCode::kUnsatisfiable, "the schema of arguments allows no object", whole(),
           "arguments are the members of an object");
    }
    return std::nullopt;
  }
  const Node listed = members(objects);
  if (!listed) return std::nullopt;
  while (!open_.empty() && !has_failed_) {
    const RuleKey next = open_.front();
    open_.pop_front();
    view_->algebra().reset_steps();
    const Node inside = body(next);
    if (!inside || !check_limit()) return std::nullopt;
    grammar_.rule(rules_.at(next)).body = *inside;
  }
  if (has_failed_) return std::nullopt;
  check_members();
  std::map<NodeId, bool> known;
  if (!has_texts(*listed, known)) {
    if (!reason_)
      reason_ = Error{ErrorCode::kUnsatisfiable, "no object that the schema allows can be written", whole()};
    fail(reason_->code, reason_->message, reason_->where);
    return std::nullopt;
  }
  switch (style_.nesting) {
    case Nesting::kJson: return sequence({*listed, blanks()});
    case Nesting::kTypedTags: return sequence({*listed, blanks()});
    case Nesting::kNamedTags: return *listed == NodeId::kEmpty ? *listed : sequence({*listed, blanks()});
    case Nesting::kBrackets: return sequence({literal("{"), *listed, literal("}")});
    case Nesting::kPython: return *listed;
  }
  return std::nullopt;
}

// Returns the reason why no member can have this key; empty if there is none.
std::string ArgumentBuilder::why_unwritable(std::string_view key) const {
  if (base::find_invalid_utf8(key) != std::string_view::npos) {
    return "its key holds half of a surrogate pair, which is no text";
  }
  for (const std::string& text : request_.excluded) {
    if (key.find(text) == std::string_view::npos) continue;
    return "its key contains `" + base::escape_for_display(text) + "`, which `excludes` excludes";
  }
  if (key.empty()) return "its key is empty";
  if (has_any(key, "\n\r")) return "its key has a line end";
  std::string written(key);
  std::string before(style_.before_key);
  std::string after(style_.after_key);
  switch (style_.nesting) {
    case Nesting::kJson:
      if (!style_.after_type.empty()) {
        written = attribute_text(key, style_.nesting);
      } else if (key.find(style_.after_key.front()) != std::string_view::npos) {
        return "its key contains `" + std::string(1, style_.after_key.front()) + "`, which ends a key in this style";
      }
      break;
    case Nesting::kTypedTags:
      written = attribute_text(key, style_.nesting);
      before = "<cofl:value name=\"";
      after = "\" type=\"";
      break;
    case Nesting::kNamedTags:
      if (std::ranges::any_of(key, [](char c) { return c == '<' || c == '>' || (c >= 0 && c <= ' '); })) {
        return "its key would be the name of a tag, which cannot contain `<`, `>`, blanks or control characters";
      }
      before = std::string(kNamedTagMark) + "<";
      after = ">";
      break;
    case Nesting::kBrackets:
      if (is_blank(key.front()) || is_blank(key.back()) || has_any(key, ":,{}[]") ||
          key.find(style_.quote) != std::string_view::npos) {
        return "keys stand without quotes in this style: no brackets, commas and colons, and no blanks around";
      }
      if (key.size() > 1 && key.front() == '"' && key.back() == '"') {
        return "its key has quotes around, which a reader takes for marks";
      }
      before = "";
      after = ":";
      break;
    case Nesting::kPython:
      if (is_root_ && !is_identifier(key)) return "its key would be the name of an argument in Python";
      if (!is_root_) written = base::json_string(key);
      before = "";
      after = is_root_ ? "=" : ":";
      break;
  }
  if (const auto token = literals_.token_over(before, written, after)) {
    return "its key spells the special token `" + base::escape_for_display(*token) + "`";
  }
  return {};
}

NodeId ArgumentBuilder::written_member(const Key& key, SetId value) {
  switch (style_.nesting) {
    case Nesting::kJson: return argument(key, value);
    case Nesting::kTypedTags: return is_root_ ? sequence({blanks(), typed_value(key, value)}) : typed_value(key, value);
    case Nesting::kNamedTags: return sequence({blanks(), named_value(key, value)});
    case Nesting::kBrackets: {
      const NodeId inside = bracket_value(value);
      if (!key.name && !key.node) return inside;
      return sequence({key.node ? *key.node : literal(*key.name), literal(":"), inside});
    }
    case Nesting::kPython:
      return key.name || key.node ? sequence({python_key(key), python_value(value)}) : python_value(value);
  }
  return nothing();
}

// Returns an argument, with the blanks before it, between its tags.
NodeId ArgumentBuilder::argument(const Key& key, SetId value) {
  std::vector<NodeId> ways;
  const auto add_way = [&](std::string_view after_key, Values kind, std::string_view type = {}) {
    const NodeId inside = value_and_end(value, kind, type);
    std::map<NodeId, bool> known;
    if (!has_texts(inside, known)) return;
    const std::string after = std::string(after_key) + std::string(type) + std::string(style_.after_type);
    std::vector<NodeId> parts{blanks(), marks(style_.before_key)};
    if (key.node) {
      parts.push_back(*key.node);
    } else {
      parts.push_back(literal(type.empty() ? std::string(*key.name) : attribute_text(*key.name, style_.nesting)));
    }
    parts.push_back(marks(after));
    if (!style_.to_value.empty()) {
      if (!style_.is_strict) parts.push_back(blanks());
      parts.push_back(marks(style_.to_value));
    }
    parts.push_back(inside);
    ways.push_back(grammar_.add_sequence(parts, where_));
  };
  if (!style_.after_type.empty()) {
    for (const std::string_view type : {"string", "number", "boolean", "null", "object", "array"}) {
      add_way(style_.after_key, type == "string" ? Values::kStrings : Values::kOthers, type);
    }
  } else {
    const bool split = !style_.after_string_key.empty();
    if (split) add_way(style_.after_string_key, Values::kStrings);
    add_way(style_.after_key, split ? Values::kOthers : Values::kAll);
  }
  return grammar_.add_choice(ways, where_);
}

// Returns a node for the values of a kind (and of a type, unless it is empty), and the end of the argument; one without
// texts if there are none. If the end has special tokens, strings are a terminal by themselves.
NodeId ArgumentBuilder::value_and_end(SetId value, Values kind, std::string_view type) {
  const auto [known, is_new] = values_.try_emplace({value, kind, std::string(type)});
  if (is_new) known->second = make_value_and_end(value, kind, type);
  return known->second;
}

NodeId ArgumentBuilder::make_value_and_end(SetId value, Values kind, std::string_view type) {
  // Reading a schema takes a thousand steps, and a style that writes the type reads it for each of six.
  const bool is_split = kind != Values::kAll || !type.empty();
  if (is_split && !may_have(view_->algebra().shape(value), kind, type)) return nothing();
  const std::optional<std::string> text = view_->text_of(value, kArgumentsDocument);
  if (!text) {
    if (!check_limit()) return nothing();
    fail(ErrorCode::kUnsupported, "the values of an argument cannot be told apart from those of others in this style",
         view_->where(value), "the style `json` supports it");
    return nothing();
  }
  std::string schema = *text;
  JsonSchemaOptions options = request_.options;
  if (schema.find(kArgumentsDocument) == std::string::npos) {  // each reader would read the whole document anew
    std::erase_if(options.documents, [](const SchemaDocument& one) { return one.uri == kArgumentsDocument; });
  }
  const auto meet = [&](const std::string& other) { schema = R"({"allOf": [)" + schema + ", " + other + "]}"; };
  if (!request_.excluded.empty()) meet(R"({"$ref": ")" + std::string(kExclusionDocument) + "\"}");
  if (!type.empty()) meet(R"({"type": ")" + std::string(type) + "\"}");
  std::vector<NodeId> ways;
  const auto settle = [&](const Reading& reading, const Node& way) {
    if (way) ways.push_back(*way);
    if (way || reading.errors.front().code == ErrorCode::kUnsatisfiable) return;
    for (Error error : reading.errors) {  // their places are in `schema`
      error.where = view_->where(value);
      if (error.where.end == 0) error.where = whole();
      error.pointer = view_->pointer_at(error.where);
      error.notes.clear();
      error.fix.reset();
      input_.fail_within(request_.schema, std::move(error));
    }
    has_failed_ = true;
  };
  const PlacedParts placed(grammar_, request_.schema);
  Reading reading{grammar_, input_.reading().limits, input_.reading().review};
  const auto as_node = [&](const std::optional<grammar::RuleId>& rule) {
    return rule ? Node(grammar_.add_rule_reference(*rule, where_)) : std::nullopt;
  };
  if (std::ranges::none_of(literals_.split(style_.end), &Literals::Piece::is_token)) {
    const json_schema::Argument between{std::string(style_.end), kind, style_.on_lines};
    settle(reading, as_node(read_argument_schema(schema, options, between, reading)));
    return grammar_.add_choice(ways, where_);
  }
  const NodeId line = style_.on_lines ? grammar_.add_repeat(literal("\n"), 0, 1, where_) : NodeId::kEmpty;
  if (kind != Values::kOthers) {
    Reading of_strings{grammar_, input_.reading().limits, input_.reading().review};
    settle(of_strings, read_bare_strings(schema, options, std::string(style_.end), style_.on_lines, of_strings));
  }
  if (kind != Values::kStrings) {
    JsonSchemaOptions with_blanks = options;
    with_blanks.leading_whitespace = with_blanks.trailing_whitespace = true;
    meet(R"({"type": ["number", "boolean", "null", "object", "array"]})");
    const Node others = as_node(read_json_schema(schema, with_blanks, json_schema::Placement::kEmbedded, reading));
    const bool has_line_ends =
        with_blanks.whitespace == JsonSchemaOptions::Whitespace::kUnbounded ||
        (with_blanks.whitespace == JsonSchemaOptions::Whitespace::kBounded && with_blanks.whitespace_limit > 0);
    settle(reading, others && !has_line_ends ? Node(sequence({line, *others, line})) : others);
  }
  return sequence({grammar_.add_choice(ways, where_), marks(style_.end)});
}

NodeId ArgumentBuilder::typed_value(const Key& key, SetId value) {
  std::vector<NodeId> ways;
  const auto add_way = [&](std::string_view kind, NodeId inside) {
    std::map<NodeId, bool> known;
    if (!has_texts(inside, known)) return;
    ways.push_back(sequence({marks(std::string(kind) + "\">"), inside, marks(kTypedTagEnd)}));
  };
  add_way("raw", strings(value, kTypedTagEnd));
  add_way("dict", containers(value, false));
  add_way("list", containers(value, true));
  add_way("json", sequence({blanks(), scalars(value), blanks()}));
  const NodeId kinds = grammar_.add_choice(ways, where_);
  if (!key.name && !key.node) return sequence({marks("<cofl:value type=\""), kinds});
  const NodeId name = key.node ? *key.node : literal(attribute_text(*key.name, style_.nesting));
  return sequence({marks("<cofl:value name=\""), name, marks("\" type=\""), kinds});
}

NodeId ArgumentBuilder::named_value(const Key& key, SetId value) {
  const NodeId ways[] = {strings(value, kNamedTagMark), sequence({blanks(), scalars(value), blanks()}),
                         containers(value, false), containers(value, true)};
  const NodeId name = literal(key.name.value_or(kItemTag));
  return sequence({marks(std::string(kNamedTagMark) + "<"), name, marks(">"), grammar_.add_choice(ways, where_),
                   marks(std::string(kNamedTagMark) + "</"), name, marks(">")});
}

// A word needs no marks around it, unless it spells a literal.
NodeId ArgumentBuilder::words(SetId value) {
  regex::ExprSet& exprs = grammar_.exprs;
  regex::ByteSet first;
  for (char c = 'A'; c <= 'Z'; ++c) {
    first.add(static_cast<std::uint8_t>(c));
    first.add(static_cast<std::uint8_t>(c - 'A' + 'a'));
  }
  regex::ByteSet later = first;
  for (const char c : std::string_view("0123456789_-")) later.add(static_cast<std::uint8_t>(c));
  const auto in_any_case = [&](std::string_view word) {
    regex::ExprId all = regex::ExprId::kEpsilon;
    for (const char c : word) {
      regex::ByteSet either;
      for (const int byte : {c - 'a' + 'A', +c}) either.add(static_cast<std::uint8_t>(byte));
      all = exprs.concat(all, exprs.byte_set(either));
    }
    return all;
  };
  const regex::ExprId literals[] = {in_any_case("true"), in_any_case("false"), in_any_case("null"),
                                    in_any_case("none")};
  const regex::ExprId word =
      exprs.concat(exprs.byte_set(first), exprs.repeat(exprs.byte_set(later), 0, regex::kUnbounded));
  const regex::ExprId plain = exprs.intersection(word, exprs.complement(exprs.alternation(literals)));
  const regex::ExprId texts = exprs.intersection(view_->bare_strings(value, style_.quote), plain);
  return view_->algebra().has_member(texts) ? terminal(texts, "word") : nothing();
}

NodeId ArgumentBuilder::bracket_value(SetId value) {
  const NodeId quote = marks(style_.quote);
  const NodeId ways[] = {sequence({quote, strings(value, style_.quote), quote}),
                         style_.is_strict ? nothing() : words(value), scalars(value), containers(value, false),
                         containers(value, true)};
  return grammar_.add_choice(ways, where_);
}

// Returns a key and what follows it: that of an argument, or of an object within one. Like strings, the latter is written
// between either quotes, unless it needs escapes; keys that only a class describes need none.
NodeId ArgumentBuilder::python_key(const Key& key) {
  if (is_root_) return sequence({key.node ? *key.node : literal(*key.name), literal("=")});
  const NodeId end = sequence({literal(":"), blanks()});
  const auto quoted = [&](char quote) {
    const std::string mark(1, quote);
    return key.node ? sequence({literal(mark), *key.node, literal(mark)})
                    : literal(mark + std::string(*key.name) + mark);
  };
  const std::string name = key.name ? base::json_string(*key.name) : "";
  const bool is_plain = key.node || (name.size() == key.name->size() + 2 && name.find('\'') == std::string::npos);
  if (!is_plain) return sequence({literal(name), end});
  const NodeId ways[] = {quoted('"'), quoted('\'')};
  return sequence({grammar_.add_choice(ways, where_), end});
}

// Returns an expression for strings of Python between these quotes: all but those with characters by number or name. A
// backslash that begins no escape stays.
regex::ExprId ArgumentBuilder::python_strings(char quote) {
  regex::ExprSet& exprs = grammar_.exprs;
  const auto but = [&](std::string_view excluded) {
    regex::ByteSet set;
    for (int byte = 0; byte < 0x20; ++byte) set.add(static_cast<std::uint8_t>(byte));
    for (const char c : excluded) set.add(static_cast<std::uint8_t>(c));
    return exprs.intersection(regex::any_code_point(exprs), exprs.complement(exprs.byte_set(set)));
  };
  const regex::ExprId mark = exprs.literal({&quote, 1});
  const regex::ExprId escape = exprs.concat(exprs.literal("\\"), but("/avxuUN01234567"));
  const regex::ExprId parts[] = {but(std::string(1, quote) + "\\"), escape};
  return exprs.concat(mark, exprs.concat(exprs.repeat(exprs.alternation(parts), 0, regex::kUnbounded), mark));
}

// Strings are JSON's, or between single quotes if they need no escapes. If the schema allows all strings, they may have
// Python's escapes between either quotes.
NodeId ArgumentBuilder::python_value(SetId value) {
  const json_schema::Shape& shape = view_->algebra().shape(value);
  std::string number;
  std::string string;
  regex::ByteSet plain;
  for (int byte = 0x20; byte < 0x100; ++byte) {
    if (byte != '\\') plain.add(static_cast<std::uint8_t>(byte));
  }
  regex::ExprSet& exprs = grammar_.exprs;
  const regex::ExprId bare =
      exprs.intersection(view_->bare_strings(value, "'"), exprs.repeat(exprs.byte_set(plain), 0, regex::kUnbounded));
  const regex::ExprId one = exprs.concat(exprs.literal("'"), exprs.concat(bare, exprs.literal("'")));
  regex::ExprId in_double = view_->strings(value, string);
  regex::ExprId in_single = view_->algebra().has_member(bare) ? one : regex::ExprId::kNothing;
  if (!style_.is_strict && shape.strings == view_->algebra().shape(SetId::kAny).strings) {
    in_double = exprs.alternation(in_double, python_strings('"'));
    in_single = python_strings('\'');
  }
  std::vector<NodeId> ways{terminal_or_nothing(in_double, "string"), terminal_or_nothing(in_single, "string"),
                           terminal_or_nothing(view_->numbers(value, number), "number")};
  using json_schema::Shape;
  static constexpr std::array kWords{std::pair{Shape::kTrue, "True"}, std::pair{Shape::kFalse, "False"},
                                     std::pair{Shape::kNull, "None"}};
  for (const auto& [bit, word] : kWords) {
    if ((shape.literals & bit) != 0) ways.push_back(literal(word));
  }
  ways.push_back(containers(value, false));
  ways.push_back(containers(value, true));
  return grammar_.add_choice(ways, where_);
}

// Returns a node for the objects of a set, or for its lists; one without texts if there are none.
NodeId ArgumentBuilder::containers(SetId value, bool is_list) {
  const json_schema::Shape& shape = view_->algebra().shape(value);
  const FormulaId f = is_list ? shape.arrays : shape.objects;
  const bool exists = is_list ? view_->witness().array_exists(f) : view_->witness().object_exists(f);
  return exists ? rule(is_list ? Kind::kList : Kind::kObject, f) : nothing();
}

NodeId ArgumentBuilder::strings(SetId value, std::string_view end) {
  return terminal_or_nothing(view_->bare_strings(value, end), "string");
}

NodeId ArgumentBuilder::scalars(SetId value) {
  std::string name;
  const regex::ExprId texts = view_->scalars(value, name);
  return terminal_or_nothing(texts, std::move(name));
}

ArgumentBuilder::Node ArgumentBuilder::object_body(FormulaId f) {
  const Node inside = members(f);
  if (!inside) return inside;
  const bool is_json_like = style_.nesting == Nesting::kBrackets || style_.nesting == Nesting::kPython;
  if (is_json_like) return sequence({literal("{"), *inside, literal("}")});
  if (style_.nesting == Nesting::kTypedTags || *inside == NodeId::kEmpty) return inside;
  return sequence({*inside, blanks()});
}

ArgumentBuilder::Node ArgumentBuilder::list_body(FormulaId f) {
  const Node inside = items(f);
  if (!inside) return inside;
  const bool is_json_like = style_.nesting == Nesting::kBrackets || style_.nesting == Nesting::kPython;
  if (is_json_like) return sequence({literal("["), *inside, literal("]")});
  if (style_.nesting == Nesting::kTypedTags) return inside;
  return sequence({*inside, blanks()});
}

NodeId ArgumentBuilder::sequence(std::initializer_list<NodeId> parts) {
  return grammar_.add_sequence(std::vector<NodeId>(parts), where_);
}

NodeId ArgumentBuilder::terminal(regex::ExprId texts, std::string name) {
  return grammar_.add_terminal({texts, base::LexemeMode::kExact, std::move(name), where_});
}

NodeId ArgumentBuilder::terminal_or_nothing(regex::ExprId texts, std::string name) {
  return texts == regex::ExprId::kNothing ? nothing() : terminal(texts, std::move(name));
}

// Adds an error about a range of the schema's text.
void ArgumentBuilder::fail(ErrorCode code, std::string message, SourceRange where, std::string hint) {
  Error error{code, std::move(message), where, std::move(hint)};
  error.pointer = view_->pointer_at(where);
  input_.fail_within(request_.schema, std::move(error));
  has_failed_ = true;
}

// Returns false, with an error, if a search has met a limit.
bool ArgumentBuilder::check_limit() {
  if (has_failed_) return false;
  const base::Limit met = view_->algebra().limit_hit();
  if (met == base::Limit::kNone) return true;
  input_.fail_within(request_.schema,
                     base::limit_error("reading the schema of arguments", base::field_name(met), whole()));
  has_failed_ = true;
  return false;
}

}  // namespace weir::frontend::structural_tag
