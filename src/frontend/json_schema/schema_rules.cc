#include "frontend/json_schema/schema_rules.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "frontend/json_schema/look_back.h"

namespace weir::frontend::json_schema {

using grammar::Symbol;
using regex::ExprId;

namespace {

constexpr char kKeyEnd = '\xFF';

}  // namespace

NumberSpelling number_spelling(const JsonSchemaOptions& options) {
  NumberSpelling spelling;
  spelling.exponents = options.exponents ? NumberSpelling::Exponents::kOffered : NumberSpelling::Exponents::kNever;
  spelling.scientific_decimals = options.scientific_decimals;
  return spelling;
}

regex::JsonStringOptions string_spelling(const JsonSchemaOptions& options) {
  regex::JsonStringOptions spelling;
  switch (options.escapes) {
    case JsonSchemaOptions::Escapes::kAll: spelling.escapes = regex::JsonEscapes::kAll; break;
    case JsonSchemaOptions::Escapes::kShort: spelling.escapes = regex::JsonEscapes::kShort; break;
    case JsonSchemaOptions::Escapes::kRequired: spelling.escapes = regex::JsonEscapes::kRequired; break;
  }
  if (options.lone_surrogates) spelling.lone_surrogates = regex::LoneSurrogates::kEscaped;
  return spelling;
}

SchemaRules::SchemaRules(std::unique_ptr<SchemaStore> store, SchemaId root, const JsonSchemaOptions& options,
                         Layout layout, Placement placement, Argument argument, regex::ExprSet& exprs,
                         const Limits& limits)
    : store_(std::move(store)),
      schema_(root),
      options_(options),
      order_(options.order == JsonSchemaOptions::Order::kDeclared ? KeyProbe::Order::kDeclared : KeyProbe::Order::kAny),
      placement_(placement),
      argument_(std::move(argument)),
      layout_(std::move(layout)),
      exprs_(exprs),
      algebra_(exprs, number_spelling(options), string_spelling(options), limits,
               {[this](SchemaId schema, ScopeId scope) { return meaning_.shape(schema, scope); },
                [this](SchemaId schema) { return meaning_.is_plain(schema); }}),
      witness_(algebra_),
      meaning_(*store_, algebra_, witness_.derivation(), options_) {
  root_ = meaning_.set(root, store_->enter(ScopeId::kEmpty, root));
  const Kind kind = argument_.end.empty() ? Kind::kValue : Kind::kArgument;
  handle(kind, static_cast<std::uint32_t>(root_), 0);  // kRoot
}

std::uint32_t SchemaRules::handle(Kind kind, std::uint32_t id, std::uint32_t depth, std::uint32_t key) {
  const std::array<std::uint32_t, 4> words{static_cast<std::uint32_t>(kind), id, layout_.depth_of(depth), key};
  return rules_.intern(words).first;
}

SchemaRules::Rule SchemaRules::rule(std::uint32_t handle) const {
  const auto words = rules_[handle];
  return {static_cast<Kind>(words[0]), words[1], words[2], words[3]};
}

// To be called before anything is found out for a rule or a text. What was found out when a limit had been met may be
// wrong: it is forgotten, as the algebra does.
void SchemaRules::begin() {
  if (algebra_.limit_hit() != base::Limit::kNone) {
    items_.clear();
    keys_.clear();
    probe_.reset();
  }
  algebra_.reset_steps();
}

base::Limit SchemaRules::make(std::uint32_t handle, grammar::GrowingCfg& out) {
  begin();
  const Rule made = rule(handle);
  switch (made.kind) {
    case Kind::kValue: make_value(SetId{made.id}, made.depth, out); break;
    case Kind::kArgument: make_argument(out); break;
    case Kind::kItem: make_item(FormulaId{made.id}, made.depth, out); break;
    case Kind::kNext: make_item(witness_.derivation().with_unknown_value(FormulaId{made.id}), made.depth, out); break;
    case Kind::kOpenNext: make_item(behind_any_item(FormulaId{made.id}), made.depth, out); break;
    case Kind::kMember:
    case Kind::kNextMember: make_member(made, out); break;
    case Kind::kBehindKey: make_behind_key(made, out); break;
    default: make_rest(made, out); break;
  }
  return algebra_.limit_hit();
}

std::size_t SchemaRules::memory_bytes() const {
  return algebra_.memory_bytes() + witness_.memory_bytes() + rules_.memory_bytes() + key_count_ * sizeof(Key) +
         short_text_bytes_;
}

Symbol SchemaRules::terminal(const Layout::Piece& piece, grammar::GrowingCfg& out, std::string_view name) {
  if (piece.texts == ExprId::kOverflow) algebra_.report_limit(base::Limit::kRegexNodes);
  return Symbol::terminal(out.terminal(piece.texts, name));
}

Symbol SchemaRules::lazy(Kind kind, std::uint32_t id, std::uint32_t depth, grammar::GrowingCfg& out,
                         std::uint32_t key) {
  static constexpr const char* kNames[] = {"value",       "array",      "item",    "items",  "next",
                                           "open_items",  "open_next",  "object",  "member", "members",
                                           "next_member", "behind_key", "argument"};
  const std::string name = std::string(kNames[static_cast<std::size_t>(kind)]) + "." + std::to_string(id);
  return Symbol::rule(out.rule(handle(kind, id, depth, key), name));
}

void SchemaRules::make_value(SetId set, std::uint32_t depth, grammar::GrowingCfg& out) {
  const Shape shape = algebra_.shape(set);
  std::string name;
  const ExprId texts = scalars(shape, name);
  if (texts != ExprId::kNothing) out.produce(std::vector{terminal({texts, {}}, out, name)});
  const auto container = [&](FormulaId f, char bracket, Kind kind) {
    const Symbol open = terminal(layout_.open(bracket), out, bracket == '[' ? "\"[\"" : "\"{\"");
    out.produce(std::vector{open, lazy(kind, static_cast<std::uint32_t>(f), depth + 1, out)});
  };
  if (witness_.array_exists(shape.arrays)) container(shape.arrays, '[', Kind::kArray);
  if (witness_.object_exists(shape.objects)) container(shape.objects, '{', Kind::kObject);
}

// The literals, numbers and strings of a shape, as one language.
ExprId SchemaRules::scalars(const Shape& shape, std::string& name) {
  std::vector<ExprId> parts;
  const auto add = [&](ExprId texts, std::string_view what) {
    parts.push_back(texts);
    if (!name.empty()) name += " or ";
    name += what;
  };
  if ((shape.literals & Shape::kNull) != 0) add(exprs_.literal("null"), "null");
  const std::uint8_t both = Shape::kTrue | Shape::kFalse;
  if ((shape.literals & both) == both) {
    add(exprs_.alternation(exprs_.literal("true"), exprs_.literal("false")), "boolean");
  } else if ((shape.literals & both) != 0) {
    const std::string_view word = (shape.literals & Shape::kTrue) != 0 ? "true" : "false";
    add(exprs_.literal(word), word);
  }
  if (shape.numbers == algebra_.any_shape().numbers) {
    add(algebra_.numbers().any(), "number");
  } else if (shape.numbers != ExprId::kNothing && algebra_.has_member(shape.numbers)) {
    add(shape.numbers, "number");
  }
  if (algebra_.has_text(shape.strings)) add(algebra_.texts(shape.strings), "string");
  return exprs_.alternation(parts);
}

void SchemaRules::make_rest(const Rule& made, grammar::GrowingCfg& out) {
  const FormulaId f{made.id};
  const bool is_open = made.kind == Kind::kOpenItems;
  const bool is_array = made.kind == Kind::kArray || made.kind == Kind::kItems || is_open;
  const bool is_first = made.kind == Kind::kArray || made.kind == Kind::kObject;
  const char bracket = is_array ? ']' : '}';
  const char* name = is_array ? "\"]\"" : "\"}\"";
  if (witness_.derivation().accepts(f)) {
    const Layout::Piece plain{exprs_.literal({&bracket, 1}), std::string(1, bracket)};
    out.produce(std::vector{terminal(is_first ? plain : layout_.close(bracket, made.depth - 1), out, name)});
  }
  // The value that has just ended is not known here; it may be what lets the array go on.
  const bool may_go_on = is_open    ? true
                         : is_array ? !items_of(witness_.derivation().with_unknown_value(f)).empty()
                                    : !keys_of(f).empty();
  if (!may_go_on) return;
  const Layout::Piece before = is_first ? layout_.before_first(made.depth) : layout_.comma(made.depth);
  std::vector<Symbol> symbols;
  if (before.texts != ExprId::kEpsilon) symbols.push_back(terminal(before, out, is_first ? "line" : "\",\""));
  Kind next = is_array ? Kind::kItem : Kind::kMember;
  if (!is_first && is_array && witness_.derivation().wants_value(f)) next = Kind::kNext;
  if (is_open) next = Kind::kOpenNext;
  if (!is_first && !is_array && asks_for_used_keys(f)) next = Kind::kNextMember;
  symbols.push_back(lazy(next, made.id, made.depth, out));
  out.produce(symbols);
}

bool SchemaRules::follows_text(std::uint32_t handle) {
  const Kind kind = rule(handle).kind;
  return kind == Kind::kNext || kind == Kind::kOpenNext || kind == Kind::kNextMember;
}

// The value before the comma; in an object the keys that have been, decoded and sorted, each with a byte behind it that
// no text holds.
std::string_view SchemaRules::deciding_text(std::string_view text) {
  if (!is_comma_of_object(text)) return value_before_comma(text);
  std::vector<std::string> keys;
  for (const std::string_view key : keys_before_comma(text)) {
    const Result<JsonDocument> decoded = JsonDocument::parse(key, algebra_.limits());
    if (decoded && decoded->root().is(JsonType::kString)) keys.emplace_back(decoded->root().string());
  }
  std::sort(keys.begin(), keys.end());
  used_keys_.clear();
  for (const std::string& key : keys) used_keys_ += key + kKeyEnd;
  return used_keys_;
}

std::uint32_t SchemaRules::settle(std::uint32_t handle, std::string_view deciding_text) {
  begin();
  const Rule made = rule(handle);
  if (made.kind == Kind::kNextMember) {
    std::vector<NameId> used;
    for (std::size_t end = 0; (end = deciding_text.find(kKeyEnd)) != std::string_view::npos;) {
      used.push_back(algebra_.name(deciding_text.substr(0, end)));
      deciding_text.remove_prefix(end + 1);
    }
    return settle_member(made, std::move(used));
  }
  const Result<JsonDocument> value = JsonDocument::parse(deciding_text, algebra_.limits());
  if (!value) return handle;  // a text that the grammar does not allow
  const SetId constant = algebra_.constant(value->root());
  if (made.kind == Kind::kOpenNext) {
    return this->handle(Kind::kItem, static_cast<std::uint32_t>(behind_item(FormulaId{made.id}, constant)), made.depth);
  }
  const FormulaId f = witness_.derivation().with_value(FormulaId{made.id}, constant);
  return this->handle(Kind::kItem, static_cast<std::uint32_t>(f), made.depth);
}

std::string SchemaRules::text_behind_key(const Rule& made) {
  const std::vector<Choice> choices = choices_behind(FormulaId{made.id}, made.key);
  if (choices.empty()) return {};  // a limit was met
  const std::string value = witness_.text(choices[0].value, layout_, made.depth);
  const std::string others = witness_.object_text(choices[0].rest, layout_, made.depth);
  const std::string closing = layout_.close('}', made.depth - 1).text;
  return value + (others.empty() ? closing : layout_.comma(made.depth).text + others + closing);
}

// Asked for every rule that is not made yet, whenever some have been made; also where a limit is met: it would be
// again.
std::string SchemaRules::short_text(std::uint32_t handle) {
  if (const auto it = short_texts_.find(handle); it != short_texts_.end()) return it->second;
  std::string text = make_short_text(handle);
  constexpr std::size_t kLongestKept = 4'000;
  if (text.size() <= kLongestKept) {
    short_texts_.emplace(handle, text);
    short_text_bytes_ += sizeof(*short_texts_.begin()) + text.capacity();
  }
  return text;
}

std::string SchemaRules::make_short_text(std::uint32_t handle) {
  begin();
  const Rule made = rule(handle);
  const std::uint32_t depth = made.depth;
  const FormulaId f{made.id};
  const bool is_array = made.kind < Kind::kObject;
  const char bracket = is_array ? ']' : '}';
  const bool needs_one = made.kind == Kind::kItem || made.kind == Kind::kNext || made.kind == Kind::kOpenNext ||
                         made.kind == Kind::kMember || made.kind == Kind::kNextMember;
  if (made.kind == Kind::kValue) return witness_.text(SetId{made.id}, layout_, depth);
  if (made.kind == Kind::kArgument) return argument_text();
  if (made.kind == Kind::kBehindKey) return text_behind_key(made);
  const FormulaId least = !needs_one ? f
                          : is_array ? algebra_.meet(f, algebra_.min_items(1))
                                     : algebra_.meet(f, algebra_.min_members(1));
  if (is_array && witness_.array_plan(least) == nullptr) return {};  // a limit was met
  const std::string inside =
      is_array ? witness_.array_text(least, layout_, depth) : witness_.object_text(least, layout_, depth);
  const std::string closing = layout_.close(bracket, depth == 0 ? 0 : depth - 1).text;
  switch (made.kind) {
    case Kind::kItem:
    case Kind::kNext:
    case Kind::kOpenNext:
    case Kind::kMember:
    case Kind::kNextMember: return inside + closing;
    case Kind::kArray:
    case Kind::kObject:
      return inside.empty() ? std::string(1, bracket) : layout_.before_first(depth).text + inside + closing;
    default: return inside.empty() ? closing : layout_.comma(depth).text + inside + closing;
  }
}

}  // namespace weir::frontend::json_schema
