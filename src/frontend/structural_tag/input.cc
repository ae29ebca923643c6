#include "frontend/structural_tag/input.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/json/json_text.h"
#include "base/utf8.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "grammar/suggest.h"
#include "regex/syntax/syntax.h"
#include "weir/diagnostic.h"

namespace weir::frontend::structural_tag {

namespace {

std::string quoted(std::string_view name) { return "`" + base::escape_for_display(name, 60) + "`"; }

}  // namespace

std::string_view Input::text_of(const JsonValue& value) const {
  return document_.text().substr(value.where().start, value.where().end - value.where().start);
}

std::nullopt_t Input::fail(const JsonValue& at, std::string message, std::string hint, ErrorCode code) {
  if (reading_.errors.size() >= kMaxErrors) return std::nullopt;
  Error error{code, std::move(message), at.where(), std::move(hint)};
  error.pointer = json_schema::pointer_to(root(), at);
  return reading_.fail(std::move(error));
}

void Input::warn(const JsonValue& at, std::string message, std::string code, std::string options) {
  reading_.warnings.push_back({std::move(message), at.where(), {}, std::move(code), {}, std::move(options)});
}

// Returns the position in the document of the byte `offset` of a string's value.
std::size_t Input::offset_of(const JsonValue& value, std::size_t offset) const {
  const std::string_view text = text_of(value);
  std::size_t at = 1;  // after the quote
  for (std::string read; read.size() < offset && at + 1 < text.size();) {
    const std::size_t length = std::max<std::size_t>(base::read_json_escape(text.substr(at)).length, 1);
    base::append_json_string(text.substr(at, length), read);
    at += length;
  }
  return value.where().start + at;
}

PlacedParts::PlacedParts(grammar::Grammar& grammar, const JsonValue& value)
    : grammar_(grammar),
      value_(value),
      nodes_(grammar.nodes.size()),
      rules_(grammar.rules.size()),
      terminals_(grammar.terminals.size()),
      token_sets_(grammar.token_sets.size()) {}

PlacedParts::~PlacedParts() {
  for (; nodes_ < grammar_.nodes.size(); ++nodes_) place(grammar_.nodes[nodes_].where);
  for (; terminals_ < grammar_.terminals.size(); ++terminals_) place(grammar_.terminals[terminals_].where);
  for (; token_sets_ < grammar_.token_sets.size(); ++token_sets_) place(grammar_.token_sets[token_sets_].where);
  for (; rules_ < grammar_.rules.size(); ++rules_) {
    grammar::Rule& rule = grammar_.rules[rules_];
    place(rule.where);
    const bool is_terminal = grammar_.node(rule.body).kind == grammar::NodeKind::kTerminal;
    rule.generated = rule.generated || (is_terminal && rule.name == "root");
  }
}

void PlacedParts::place(SourceRange& where) const {
  const SourceRange all = value_.where();
  const bool is_as_written = value_.is(JsonType::kString) && value_.string().size() + 2 == all.end - all.start;
  const bool is_within = is_as_written && where.start < where.end && where.end <= value_.string().size();
  where = is_within ? SourceRange{all.start + 1 + where.start, all.start + 1 + where.end} : all;
}

SourceRange Input::range_within(const JsonValue& value, SourceRange where) const {
  if (value.is(JsonType::kString)) return {offset_of(value, where.start), offset_of(value, where.end)};
  const std::size_t start = value.where().start;
  return {start + where.start, start + where.end};
}

void Input::fail_within(const JsonValue& value, Error error) {
  if (reading_.errors.size() >= kMaxErrors) return;
  error.pointer = json_schema::pointer_to(root(), value) + error.pointer;
  error.where = range_within(value, error.where);
  for (ErrorNote& note : error.notes) {
    if (note.where != SourceRange{}) note.where = range_within(value, note.where);
  }
  reading_.errors.push_back(std::move(error));
}

void Input::warn_within(const JsonValue& value, Warning warning) {
  warning.where = range_within(value, warning.where);
  for (ErrorNote& note : warning.notes) {
    if (note.where != SourceRange{}) note.where = range_within(value, note.where);
  }
  reading_.warnings.push_back(std::move(warning));
}

bool Input::has_only(const Object& object, std::initializer_list<std::string_view> known) {
  bool is_known = true;
  for (const base::JsonMember& member : object.value.members()) {
    const bool is_one = std::find(known.begin(), known.end(), member.key) != known.end();
    if (is_one || member.value.is(JsonType::kNull)) continue;
    is_known = false;
    std::string hint = grammar::did_you_mean(std::span(known.begin(), known.size()), member.key, "its members are");
    const std::size_t before = reading_.errors.size();
    fail(member.value, std::string(object.name) + " has no member " + quoted(member.key), std::move(hint));
    if (reading_.errors.size() > before) reading_.errors.back().where = member.key_where;
  }
  return is_known;
}

const JsonValue* Input::find(const Object& object, std::string_view key, JsonType type) {
  const JsonValue* value = find_given(object.value, key);
  if (value == nullptr || value->is(type)) return value;
  fail(*value, quoted(key) + " of " + std::string(object.name) + " must be of type " + std::string(to_string(type)) +
                   ", not " + std::string(to_string(value->type())));
  return nullptr;
}

const JsonValue* Input::need(const Object& object, std::string_view key, JsonType type) {
  if (find_given(object.value, key) == nullptr) {
    fail(object.value, std::string(object.name) + " needs a member " + quoted(key));
    return nullptr;
  }
  return find(object, key, type);
}

std::optional<std::string> Input::need_string(const Object& object, std::string_view key) {
  const JsonValue* value = need(object, key, JsonType::kString);
  if (value == nullptr) return std::nullopt;
  if (base::find_invalid_utf8(value->string()) != std::string_view::npos) {
    return fail(*value, quoted(key) + " holds half of a surrogate pair, which is no text");
  }
  return std::string(value->string());
}

std::optional<bool> Input::flag(const Object& object, std::string_view key, bool otherwise) {
  if (find_given(object.value, key) == nullptr) return otherwise;
  const JsonValue* value = find(object, key, JsonType::kBoolean);
  if (value == nullptr) return std::nullopt;
  return value->boolean();
}

std::optional<std::uint32_t> Input::count(const Object& object, std::string_view key, std::uint32_t most,
                                          std::uint32_t otherwise) {
  const JsonValue* value = find_given(object.value, key);
  if (value == nullptr) return otherwise;
  value = find(object, key, JsonType::kNumber);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::uint64_t> number = value->number().to_uint64();
  if (number && *number <= most) return static_cast<std::uint32_t>(*number);
  return fail(*value, quoted(key) + " must be an integer from 0 to " + std::to_string(most));
}

const char* Input::one_of(const Object& object, std::array<const char*, 2> names) {
  const JsonValue* first = find_given(object.value, names[0]);
  const JsonValue* second = find_given(object.value, names[1]);
  if (first == nullptr || second == nullptr) return second != nullptr ? names[1] : names[0];
  fail(second->where().start > first->where().start ? *second : *first,
       std::string(object.name) + " has both " + quoted(names[0]) + " and " + quoted(names[1]) +
           ", which are two names of one member",
       "leave one of them out");
  return nullptr;
}

std::optional<std::vector<std::string>> Input::strings(const Object& object, std::string_view key, Empty empty) {
  std::vector<std::string> out;
  if (find_given(object.value, key) == nullptr) return out;
  const JsonValue* array = find(object, key, JsonType::kArray);
  if (array == nullptr) return std::nullopt;
  bool good = true;
  for (const JsonValue& item : array->items()) {
    if (!item.is(JsonType::kString)) {
      fail(item, "an item of " + quoted(key) + " must be a string");
    } else if (item.string().empty() && empty == Empty::kRefused) {
      fail(item, "a string of " + quoted(key) + " must not be empty");
    } else if (base::find_invalid_utf8(item.string()) != std::string_view::npos) {
      fail(item, "a string of " + quoted(key) + " holds half of a surrogate pair, which is no text");
    } else {
      out.emplace_back(item.string());
      continue;
    }
    good = false;
  }
  if (!good) return std::nullopt;
  return out;
}

std::optional<grammar::RuleId> read_tag_document(std::string_view text, Reading& reading,
                                                 const std::function<std::optional<grammar::NodeId>(Input&)>& read) {
  if (auto done = check_text(text, reading.limits); !done) return reading.fail(std::move(done.error()));
  Result<base::JsonDocument> document = base::JsonDocument::parse(text, reading.limits);
  if (!document) return reading.fail(std::move(document.error()));
  Input input(*document, reading);
  const std::optional<grammar::NodeId> node = read(input);
  if (!node || !reading.errors.empty()) return std::nullopt;
  std::set<std::size_t> known;  // where schemas warn of their own
  for (const Warning& warning : reading.warnings) known.insert(warning.where.start);
  for (const base::DuplicateKey& key : document->duplicate_keys()) {
    const SourceRange where = key.overridden;
    if (known.contains(where.start)) continue;
    reading.warnings.push_back(
        {"a later member overrides the key " + quoted(text.substr(where.start, where.end - where.start)),
         where,
         {},
         "duplicate-key"});
  }
  for (const grammar::Terminal& terminal : reading.grammar.terminals) {
    if (terminal.expr != regex::ExprId::kOverflow) continue;
    return reading.fail(regex::overflow_error(reading.grammar.exprs, terminal.where));
  }
  grammar::Rule root;
  root.name = "root";
  root.where = input.root().where();
  root.defined = true;
  root.body = *node;
  return reading.grammar.add_rule(std::move(root));
}

}  // namespace weir::frontend::structural_tag
