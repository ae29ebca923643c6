#include "frontend/json_schema/rules/schema_rules.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/node_bytes.h"
#include "base/replaceable.h"
#include "base/utf8.h"
#include "base/work.h"
#include "frontend/json_schema/model/search_bounds.h"
#include "frontend/json_schema/rules/look_back.h"
#include "frontend/json_schema/values/characters.h"
#include "frontend/search_bounds.h"
#include "grammar/search_bounds.h"
#include "regex/analysis/contents.h"
#include "regex/analysis/members.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::json_schema {

using grammar::Symbol;
using regex::ExprId;

NumberSpelling number_spelling(const JsonSchemaOptions& options) {
  NumberSpelling spelling;
  using Exponents = NumberSpelling::Exponents;
  // Readers of YAML 1.1 take `1e5` and `1.5e5` for strings.
  const bool is_yaml = options.notation == JsonSchemaOptions::Notation::kYaml;
  spelling.exponents = !options.exponents ? Exponents::kNever : is_yaml ? Exponents::kExplicit : Exponents::kOffered;
  spelling.scientific_decimals = options.scientific_decimals;
  spelling.plain_integers = options.integers == JsonSchemaOptions::Integers::kPlain;
  spelling.doubles = options.numbers == JsonSchemaOptions::Numbers::kDouble;
  spelling.most_digits = options.number_digits;
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

void offer_strings(Algebra& algebra, const SchemaStore& store, const JsonSchemaOptions& options) {
  if (options.characters.empty()) return;
  const auto strings = offered_strings(algebra.exprs(), options, store.documents(), algebra.limits());
  if (!strings) algebra.report_limit(base::Limit::kRegexNodes);  // no string then, rather than any
  algebra.offer_strings(strings.value_or(ExprId::kNothing));
}

ExprId scalar_texts(Algebra& algebra, const Shape& shape, std::string& name) {
  regex::ExprSet& exprs = algebra.exprs();
  std::vector<ExprId> parts;
  const auto add = [&](ExprId texts, std::string_view what) {
    parts.push_back(texts);
    if (!name.empty()) name += " or ";
    name += what;
  };
  if ((shape.literals & Shape::kNull) != 0) add(exprs.literal("null"), "null");
  const std::uint8_t both = Shape::kTrue | Shape::kFalse;
  if ((shape.literals & both) == both) {
    add(exprs.alternation(exprs.literal("true"), exprs.literal("false")), "boolean");
  } else if ((shape.literals & both) != 0) {
    const std::string_view word = (shape.literals & Shape::kTrue) != 0 ? "true" : "false";
    add(exprs.literal(word), word);
  }
  const bool is_any = shape.numbers == algebra.any_shape().numbers;
  if (is_any || (shape.numbers != ExprId::kNothing && algebra.has_number(shape.numbers))) {
    add(algebra.numbers().written(shape.numbers), "number");
  }
  if (algebra.has_text(shape.strings)) add(algebra.texts(shape.strings), "string");
  return exprs.alternation(parts);
}

SchemaRules::SchemaRules(std::unique_ptr<SchemaStore> store, SchemaId root, const JsonSchemaOptions& options,
                         Layout layout, Placement placement, Argument argument, regex::ExprSet& exprs,
                         const Limits& limits, SchemaRules* before)
    : store_(std::move(store)),
      schema_(root),
      options_(options),
      placement_(placement),
      argument_(std::move(argument)),
      layout_(std::move(layout)),
      exprs_(exprs),
      algebra_(exprs, number_spelling(options), string_spelling(options), limits,
               {[this](SchemaId schema, ScopeId scope) { return meaning_.shape(schema, scope); },
                [this](SchemaId schema) { return meaning_.is_plain(schema); }}),
      witness_(algebra_),
      meaning_(*store_, algebra_, witness_.derivation(), options_),
      key_reader_(algebra_.limits()),
      constant_texts_(algebra_, layout_, [this](NameId name) { return name_with_colon(name, 0); }) {
  // YAML's guard is asked for by depends_on_used_keys() alone.
  if (layout_.is_yaml()) placement_ = Placement::kEmbedded;
  if (before != nullptr) algebra_.take_over(before->algebra_);
  offer_strings(algebra_, *store_, options_);
  root_ = meaning_.set(root, store_->enter(ScopeId::kEmpty, root));
  const Kind kind = argument_.end.empty() ? Kind::kValue : Kind::kArgument;
  handle(kind, static_cast<std::uint32_t>(root_), 0);  // kRoot
  const std::uint32_t on_line = YamlPlace{YamlPlace::Kind::kRoot, 1}.depth();
  if (layout_.is_yaml()) handle(kind, static_cast<std::uint32_t>(root_), on_line);  // kRootOnLine
}

void SchemaRules::read_values(std::span<const SchemaPlace> places) {
  for (const SchemaPlace& place : places) {
    static_cast<void>(algebra_.shape(algebra_.schema(place.schema, place.scope)));
  }
  begin();  // discards what is incomplete
}

std::uint32_t SchemaRules::handle(Kind kind, std::uint32_t id, std::uint32_t depth, std::uint32_t key) {
  const std::array<std::uint32_t, 4> words{static_cast<std::uint32_t>(kind), id, layout_.depth_of(depth), key};
  const auto [handle, is_new] = rules_.intern(words);
  if (is_new) made_from_.push_back(current_);
  if (is_new && layout_.is_yaml() && (kind == Kind::kNext || kind == Kind::kDeferredNext)) yaml_reader_.read_items();
  return handle;
}

SchemaRules::Rule SchemaRules::rule(std::uint32_t handle) const {
  const auto words = rules_[handle];
  return {static_cast<Kind>(words[0]), words[1], words[2], words[3]};
}

// Resets the step count; called first in every operation on a rule or a text. If the last operation met a limit, its
// results may be wrong, so this discards them, as Algebra::reset_steps() does.
void SchemaRules::begin() {
  if (algebra_.limit_hit() != base::Limit::kNone) {
    items_.clear();
    keys_.clear();
    for (auto& names : names_with_colon_) names.clear();
    probe_.reset();
    required_ = {};
    sequences_.clear();
    yaml_strings_.reset();
  }
  algebra_.reset_steps();
}

base::Limit SchemaRules::make(std::uint32_t handle, grammar::GrowingCfg& out) {
  begin();
  current_ = handle;
  const Rule made = rule(handle);
  switch (made.kind) {
    case Kind::kValue: make_value(SetId{made.id}, made.depth, out); break;
    case Kind::kArgument: make_argument(out); break;
    case Kind::kItem: make_item(FormulaId{made.id}, made.depth, out); break;
    case Kind::kNext: make_item(witness_.derivation().with_unknown_value(FormulaId{made.id}), made.depth, out); break;
    case Kind::kDeferredNext: make_item(rest_after_unknown_item(FormulaId{made.id}), made.depth, out); break;
    case Kind::kMember:
    case Kind::kNextMember: make_member(made, out); break;
    case Kind::kAfterKey: make_after_key(made, out); break;
    case Kind::kListed: make_listed(made, out); break;
    case Kind::kDeeper: make_deeper(made, out); break;
    default: make_rest(made, out); break;
  }
  return algebra_.limit_hit();
}

std::size_t SchemaRules::memory_bytes() const {
  return algebra_.memory_bytes() + witness_.memory_bytes() + constant_texts_.memory_bytes() + rules_.memory_bytes() +
         (made_from_.capacity() + names_with_colon_[0].capacity() + names_with_colon_[1].capacity()) *
             sizeof(std::uint32_t) +
         key_count_ * sizeof(Key) + item_count_ * sizeof(Item) + sequence_members_ * sizeof(MemberSequence::Member) +
         base::node_bytes(items_) + base::node_bytes(keys_) + base::node_bytes(sequences_) + short_text_bytes_;
}

// The rules within an object or array come from that of the whole value, whose set names its schema.
WEIR_REPLACEABLE std::string SchemaRules::place(std::uint32_t handle) {
  for (;; handle = made_from_[handle]) {
    const Rule made = rule(handle);
    const bool is_set = made.kind == Kind::kValue || made.kind == Kind::kArgument;
    const std::optional<SchemaId> schema = is_set ? algebra_.schema_of(SetId{made.id}) : std::nullopt;
    if (schema.has_value()) return store_->location(*schema);
    if (handle == kRoot) return {};
  }
}

template <typename MakeName>
Symbol SchemaRules::terminal(ExprId texts, grammar::GrowingCfg& out, const MakeName& make_name) {
  if (texts == ExprId::kOverflow) algebra_.report_limit(base::Limit::kRegexNodes);
  return Symbol::terminal(out.terminal(texts, make_name));
}

Symbol SchemaRules::terminal(const Layout::Piece& piece, grammar::GrowingCfg& out, std::string_view name) {
  return terminal(piece.texts, out, [&] { return std::string(name); });
}

Symbol SchemaRules::lazy(Kind kind, std::uint32_t id, std::uint32_t depth, grammar::GrowingCfg& out,
                         std::uint32_t key) {
  static constexpr const char* kNames[] = {
      "value",  "array",   "item",        "items",     "next",   "open_items",  "open_next", "object",
      "member", "members", "next_member", "after_key", "listed", "listed_rest", "argument",  "deeper"};
  const auto make_name = [&] { return std::string(kNames[static_cast<std::size_t>(kind)]) + "." + std::to_string(id); };
  return Symbol::rule(out.rule(handle(kind, id, depth, key), make_name));
}

// Returns the texts of many constant arrays or objects as one terminal, if `f` is that.
std::optional<ExprId> SchemaRules::constants_of(FormulaId f, std::uint32_t depth, const grammar::GrowingCfg& out) {
  if (out.purpose() == grammar::GrowingCfg::Purpose::kWriting || layout_.is_yaml()) return std::nullopt;
  return constant_texts_.texts(f, depth);
}

void SchemaRules::make_value(SetId set, std::uint32_t depth, grammar::GrowingCfg& out) {
  const Shape shape = algebra_.shape(set);
  std::string name;
  const ExprId texts = layout_.is_yaml() ? yaml_scalars(shape, depth, name) : scalar_texts(algebra_, shape, name);
  if (texts != ExprId::kNothing) out.produce(std::array{terminal({texts, {}}, out, name)});
  const auto container = [&](FormulaId f, char bracket, Kind kind) {
    if (const std::optional<ExprId> constants = constants_of(f, layout_.within(depth), out)) {
      out.produce(std::array{terminal({*constants, {}}, out, bracket == '[' ? "array" : "object")});
      return;
    }
    const ExprId before = layout_.before_value(depth).texts;
    const Layout::Piece piece{exprs_.concat(before, layout_.open(bracket, depth).texts), {}};
    const Symbol open = terminal(piece, out, bracket == '[' ? "\"[\"" : "\"{\"");
    out.produce(std::array{open, lazy(kind, static_cast<std::uint32_t>(f), layout_.within(depth), out)});
    if (!layout_.is_yaml()) return;
    make_block({kind, static_cast<std::uint32_t>(f), depth, 0}, out);
    make_pair({kind, static_cast<std::uint32_t>(f), depth, 0}, out);
  };
  if (witness_.array_exists(shape.arrays)) container(shape.arrays, '[', Kind::kArray);
  if (witness_.object_exists(shape.objects)) {
    container(witness_.in_declared_order(shape.objects), '{', Kind::kObject);
  }
}

// Returns what may come where `made` stands, after an item or member, or at the beginning of an array or object.
SchemaRules::Rest SchemaRules::rest_of(const Rule& made) {
  const std::uint32_t form = layout_.is_block(made.depth) ? 1 : 0;
  const bool is_first = made.kind == Kind::kArray || made.kind == Kind::kObject;
  Rest rest;
  if (MemberSequence* sequence = sequence_of(made)) {
    const std::uint32_t position = is_first ? 0 : made.key;
    if (position < sequence->members().size()) rest.listed = {Kind::kListed, made.id, made.depth, position};
    rest.may_end = sequence->may_end_at(position);
    const FormulaId after = sequence->after();
    if (!rest.may_end || after == FormulaId::kFalse || keys_of(after, form).empty()) return rest;
    const Kind next = !is_first && depends_on_used_keys(after) ? Kind::kNextMember : Kind::kMember;
    rest.next = {next, static_cast<std::uint32_t>(after), made.depth, 0};
    return rest;
  }
  const FormulaId f{made.id};
  const bool is_open = made.kind == Kind::kDeferredItems;
  const bool is_array = made.kind == Kind::kArray || made.kind == Kind::kItems || is_open;
  rest.may_end = witness_.derivation().accepts(f);
  // The value of the item just read is not known here, and it may decide whether another item can follow.
  const bool may_go_on = is_open    ? true
                         : is_array ? !items_of(witness_.derivation().with_unknown_value(f)).empty()
                                    : !keys_of(f, form).empty();
  if (!may_go_on) return rest;
  Kind next = is_array ? Kind::kItem : Kind::kMember;
  if (!is_first && is_array && witness_.derivation().wants_value(f)) next = Kind::kNext;
  if (is_open) next = Kind::kDeferredNext;
  if (!is_first && !is_array && depends_on_used_keys(f)) next = Kind::kNextMember;
  rest.next = {next, made.id, made.depth, 0};
  return rest;
}

void SchemaRules::make_rest(const Rule& made, grammar::GrowingCfg& out) {
  const bool is_first = made.kind == Kind::kArray || made.kind == Kind::kObject;
  const bool is_array = made.kind < Kind::kObject;
  const auto go_on = [&](const std::optional<Rule>& next) {
    if (next) make_next(made, is_first, lazy(next->kind, next->id, next->depth, out, next->key), out);
  };
  const Rest rest = rest_of(made);
  go_on(rest.listed);
  if (rest.may_end) make_close(made, is_first, is_array ? ']' : '}', out);
  go_on(rest.next);
}

void SchemaRules::make_close(const Rule& made, bool is_first, char bracket, grammar::GrowingCfg& out) {
  const Layout::Piece plain{exprs_.literal({&bracket, 1}), std::string(1, bracket)};
  const char* name = bracket == ']' ? "\"]\"" : "\"}\"";
  out.produce(std::array{terminal(is_first ? plain : layout_.close(bracket, made.depth), out, name)});
}

void SchemaRules::make_next(const Rule& made, bool is_first, Symbol next, grammar::GrowingCfg& out) {
  const Layout::Piece before = is_first ? layout_.before_first(made.depth) : layout_.comma(made.depth);
  std::vector<Symbol> symbols;
  if (before.texts != ExprId::kEpsilon) symbols.push_back(terminal(before, out, is_first ? "line" : "\",\""));
  symbols.push_back(next);
  out.produce(symbols);
}

bool SchemaRules::follows_text(std::uint32_t handle) {
  const Kind kind = rule(handle).kind;
  return kind == Kind::kNext || kind == Kind::kDeferredNext || kind == Kind::kNextMember;
}

// An item that must differ from those before it may be any string but some: then whatever those are, each beginning of a
// string has ends that are left. If only some strings may come, that holds while more ends are left than a text has
// items, and if the rest of the array can be written whatever the items are. The first lexeme of an array or object is
// its bracket, after which the text decides.
grammar::AlikeUntil SchemaRules::alike_until(std::uint32_t handle) {
  using grammar::AlikeUntil;
  begin();
  current_ = handle;
  const Rule made = rule(handle);
  const FormulaId f{made.id};
  // In a block the first lexeme is the line end, after which some key always remains.
  if (made.kind == Kind::kNextMember && layout_.is_block(made.depth)) {
    KeyProbe& probe = probe_of(f);
    const Derivation::KeyClasses classes = witness_.derivation().key_classes(f);
    const bool has_others = std::any_of(classes->begin(), classes->end(), [&](const KeyClass& key) {
      return !key.name.has_value() && probe.may_begin_with(key);
    });
    const bool is_alike = has_others && !probe.may_run_out() && algebra_.limit_hit() == base::Limit::kNone;
    return is_alike ? AlikeUntil::kLexemeEnd : AlikeUntil::kUnknown;
  }
  if (made.kind != Kind::kNext || witness_.derivation().wants_repeat(f)) return AlikeUntil::kUnknown;
  bool has_strings = false;
  bool has_others = false;
  bool is_free = true;  // after any of the strings the rest can be written, whatever the items before are
  for (const Item& item : items_of(witness_.derivation().with_unknown_value(f))) {
    const Shape shape = algebra_.shape(item.value);
    // In brackets of YAML an object may begin with a key.
    const bool has_pairs = layout_.is_yaml() && !layout_.is_block(made.depth);
    if (has_pairs && witness_.object_exists(shape.objects)) return AlikeUntil::kUnknown;
    has_others = has_others || item.is_open || shape.literals != 0 || shape.numbers != ExprId::kNothing;
    if (shape.strings == ExprId::kNothing) continue;
    const ExprId inside = exprs_.derivative(algebra_.texts(shape.strings), '"');
    const bool are_nearly_all = regex::has_cofinite_contents(exprs_, inside);  // all strings, from some length on
    has_others = has_others || !are_nearly_all;
    if (!are_nearly_all && !regex::has_many_contents(exprs_, inside)) continue;
    has_strings = true;
    is_free = is_free && !item.is_open && witness_.has_values_to_spare(item.rest, regex::kManyTexts);
  }
  if (!has_strings || algebra_.limit_hit() != base::Limit::kNone) return AlikeUntil::kUnknown;
  if (!has_others) return AlikeUntil::kLexemeEnd;
  return is_free ? AlikeUntil::kFewTextsLeft : AlikeUntil::kUnknown;
}

// Returns the value before the comma in an array. In an object, returns the keys so far, decoded and sorted, each
// followed by KeyReader::kKeyEnd.
std::string_view SchemaRules::deciding_text(std::string_view text) {
  if (layout_.is_yaml()) return yaml_reader_.deciding_text(text);
  return is_comma_of_object(text) ? key_reader_.keys(text) : value_before_comma(text);
}

std::uint32_t SchemaRules::settle(std::uint32_t handle, std::string_view deciding_text) {
  begin();
  current_ = handle;
  const Rule made = rule(handle);
  if (layout_.is_yaml()) deciding_text = YamlReader::part_at(deciding_text, made.depth);
  if (made.kind == Kind::kNextMember) {
    std::vector<NameId> used;
    for (std::size_t end = 0; (end = deciding_text.find(KeyReader::kKeyEnd)) != std::string_view::npos;) {
      used.push_back(algebra_.name(deciding_text.substr(0, end)));
      deciding_text.remove_prefix(end + 1);
    }
    return settle_member(made, std::move(used));
  }
  const Result<JsonDocument> value = JsonDocument::parse(deciding_text, algebra_.limits());
  if (!value) return handle;  // a text that the grammar does not allow
  const SetId constant = algebra_.constant(value->root());
  if (made.kind == Kind::kDeferredNext) {
    return this->handle(Kind::kItem, static_cast<std::uint32_t>(rest_after_item(FormulaId{made.id}, constant)),
                        made.depth);
  }
  const FormulaId f = witness_.derivation().with_value(FormulaId{made.id}, constant);
  return this->handle(Kind::kItem, static_cast<std::uint32_t>(f), made.depth);
}

// Caches the members of the last formula: an object with n names has n rules kAfterKey with the same formula.
const SchemaRules::RequiredMembers& SchemaRules::required_members(FormulaId f, std::uint32_t depth) {
  if (required_.formula == f && required_.depth == depth) return required_;
  required_ = {f, depth};
  const Formula node = algebra_.formula(f);
  if (node.kind != FormulaKind::kAnd || layout_.is_yaml() || algebra_.has_declared_order()) return required_;
  const bool is_plain = std::ranges::all_of(node.operands, [&](std::uint32_t operand) {
    const FormulaKind kind = algebra_.formula(FormulaId{operand}).kind;
    return kind == FormulaKind::kMembers || kind == FormulaKind::kHas || kind == FormulaKind::kLacks;
  });
  const Witness::ObjectPlan* plan = is_plain && algebra_.step(node.operands.size()) ? witness_.object_plan(f) : nullptr;
  if (plan == nullptr) return required_;
  required_.atoms = witness_.object_atoms(f);
  const std::vector<Witness::Member> members = plan->members;  // a copy: texts of values make plans, too
  for (const Witness::Member& member : members) {
    base::CutText text(layout_.comma(depth).text, grammar::kKeptTextBytes);
    text.add(witness_.spelled_name(*member.key.name, layout_) + layout_.colon().text);
    text.add(witness_.text(member.value, layout_, depth, text.room()));
    required_.length += text.length();
    required_.members.emplace_back(*member.key.name, std::move(text));
  }
  required_.is_plain = algebra_.limit_hit() == base::Limit::kNone;
  return required_;
}

// Returns the text after a key, with kKeptTextBytes, without a search for the rest of the object: that is the members which
// the object needs whatever the key is. Returns nullopt if the formula is not so plain.
std::optional<base::CutText> SchemaRules::text_beside_required(const Rule& made) {
  const FormulaId f{made.id};
  const RequiredMembers& required = required_members(f, made.depth);
  const Derivation::KeyClasses classes = witness_.derivation().key_classes(f);
  if (!required.is_plain || made.key >= classes->size()) return std::nullopt;
  const KeyClass& key = (*classes)[made.key];
  const SetId value = witness_.value_of(required.atoms, key);
  if (!algebra_.step() || !witness_.has_member(value)) return std::nullopt;
  base::CutText text = witness_.text(value, layout_, made.depth, grammar::kKeptTextBytes);
  std::uint64_t left = required.length;
  for (const auto& [name, member] : required.members) {
    const bool is_written = name == key.name;
    if (is_written || text.room() != 0) left -= member.length();
    if (!is_written && text.room() != 0) text.add(member);
  }
  text.add_unwritten(left);
  text.add(layout_.close('}', made.depth).text);
  return text;
}

base::CutText SchemaRules::text_after_key(const Rule& made, std::size_t most) {
  if (most == grammar::kKeptTextBytes) {
    if (auto text = text_beside_required(made)) return *std::move(text);
  }
  const std::vector<Choice> choices = choices_after_key(FormulaId{made.id}, made.key);
  if (choices.empty()) return base::CutText(most);  // a limit was met
  base::CutText text(most);
  if (layout_.is_block(made.depth)) {
    text.add(layout_.colon().text);
  } else {
    text.add(layout_.before_value(layout_.member_value(made.depth)).text);
  }
  text.add(witness_.text(choices[0].value, layout_, made.depth, most));
  const base::CutText others = witness_.object_text(choices[0].rest, layout_, made.depth, most);
  if (!others.empty()) text.add(layout_.comma(made.depth).text);
  text.add(others);
  text.add(layout_.close('}', made.depth).text);
  return text;
}

// Memoised, because it is called for every unmade rule whenever rules have been made. A long text is kept as its
// beginning and its length.
std::optional<base::CutText> SchemaRules::short_text(std::uint32_t handle, std::size_t most) {
  const bool is_kept = most == grammar::kKeptTextBytes;
  if (const auto it = short_texts_.find(handle); is_kept && it != short_texts_.end()) return it->second;
  base::CutText text = make_short_text(handle, most);
  if (text.empty() || algebra_.limit_hit() != base::Limit::kNone) return {};  // it may lack what was not found
  base::Work::charge(text.text().size() / base::Work::kTextBytes);
  if (is_kept) {
    short_texts_.emplace(handle, text);
    short_text_bytes_ += sizeof(*short_texts_.begin()) + text.text().capacity();
  }
  return text;
}

base::CutText SchemaRules::make_short_text(std::uint32_t handle, std::size_t most) {
  begin();
  const Rule made = rule(handle);
  const std::uint32_t depth = made.depth;
  const FormulaId f{made.id};
  const bool is_array = made.kind < Kind::kObject;
  const char bracket = is_array ? ']' : '}';
  const bool needs_one = made.kind == Kind::kListed || made.kind == Kind::kItem || made.kind == Kind::kNext ||
                         made.kind == Kind::kDeferredNext || made.kind == Kind::kMember ||
                         made.kind == Kind::kNextMember;
  if (made.kind == Kind::kValue) {
    base::CutText text(layout_.is_yaml() ? layout_.before_value(depth).text : "", most);
    text.add(witness_.text(SetId{made.id}, layout_, depth, most));
    return text;
  }
  if (made.kind == Kind::kDeeper) return make_short_text(this->handle(deeper_kind(made), made.id, depth), most);
  if (made.kind == Kind::kArgument) return argument_text(most);
  if (made.kind == Kind::kAfterKey) return text_after_key(made, most);
  MemberSequence* sequence = sequence_of(made);
  const FormulaId least = !needs_one || sequence != nullptr ? f
                          : is_array                        ? algebra_.meet(f, algebra_.min_items(1))
                                                            : algebra_.meet(f, algebra_.min_members(1));
  base::CutText text(layout_.is_block(depth) ? beginning_of_line(made).text : "", most);
  if (is_array && witness_.array_plan(least) == nullptr) return base::CutText(most);  // a limit was met
  const base::CutText inside = sequence != nullptr
                                   ? sequence->text(witness_, layout_, depth, made.key, needs_one ? 1 : 0, most)
                               : is_array ? witness_.array_text(least, layout_, depth, most)
                                          : witness_.object_text(least, layout_, depth, most);
  const bool is_first = made.kind == Kind::kArray || made.kind == Kind::kObject;
  if (!needs_one && !inside.empty()) text.add((is_first ? layout_.before_first(depth) : layout_.comma(depth)).text);
  text.add(inside);
  const bool is_empty = is_first && inside.empty();
  text.add(is_empty ? std::string(1, bracket) : layout_.close(bracket, depth).text);
  return text;
}

// The rules of arrays: which items may come, and the formula for the rest.

const std::vector<SchemaRules::Item>& SchemaRules::items_of(FormulaId f) {
  const auto [it, is_new] = items_.try_emplace(static_cast<std::uint32_t>(f));
  if (!is_new) return it->second;
  std::vector<Item> viable;
  if (!defer_contains(f, viable)) {
    viable.clear();
    for (const Choice& choice : witness_.derivation().next_item(f)) add_item(choice, viable);
  }
  static_cast<void>(algebra_.limit_hit());  // notes a limit, after which begin() discards what was found
  item_count_ += viable.size();
  return items_[static_cast<std::uint32_t>(f)] = std::move(viable);
}

// Appends the part of a choice after which the array can be completed. If items must differ, the item may not take a
// value that the rest needs. Needed values are searched for in a plan of the rest only: a value outside the plan does
// not invalidate it.
void SchemaRules::add_item(const Choice& choice, std::vector<Item>& out) {
  Derivation& derivation = witness_.derivation();
  if (!witness_.has_member(choice.value)) return;
  const auto can_be_finished = [&](FormulaId f) {
    return witness_.has_values_to_spare(f, 0) || witness_.array_exists(f);
  };
  if (!can_be_finished(derivation.with_unknown_value(choice.rest))) return;
  if (!derivation.wants_value(choice.rest)) {
    out.push_back({choice.value, choice.rest});
    return;
  }
  const FormulaId more = algebra_.meet(choice.rest, algebra_.min_items(1));
  SetId value = choice.value;
  if (derivation.wants_both(choice.rest)) {
    // A value may fulfil a kNotUnique and violate a kUnique, so all values are tested: fitting_values().
    const SetId fitting = fitting_values(value, choice.rest);
    const SetId goes_on = fitting_values(fitting, more);
    const SetId ends = algebra_.meet(fitting, algebra_.complement(goes_on));
    if (witness_.has_member(goes_on)) out.push_back({goes_on, choice.rest});
    if (witness_.has_member(ends)) out.push_back({ends, algebra_.meet(choice.rest, algebra_.max_items(0))});
    return;
  }
  if (const auto repeated = witness_.values_to_repeat(choice.rest)) {
    value = fitting_values(algebra_.meet(value, *repeated), choice.rest);
  }
  // Returns the members of `value` without which `rest` cannot be satisfied.
  const auto needed = [&](FormulaId rest) {
    std::vector<SetId> found;
    if (witness_.has_values_to_spare(rest, 1)) return found;
    const Witness::StoredPlan* known = witness_.array_plan(rest);
    if (known == nullptr) return found;
    Witness::ArrayPlan plan = known->items();
    if (!witness_.can_do_without(plan, 1)) {  // which of very many values are needed is not searched for
      algebra_.report_limit(base::Limit::kSchemaSteps);
      return found;
    }
    std::erase_if(plan, [](const Witness::Items& items) { return items.differ; });
    // A second array without any value of the plan proves that no value is needed.
    std::vector<SetId> planned_values;
    for (const auto& [planned, count, differ] : plan) planned_values.push_back(witness_.single(planned));
    const FormulaId others = algebra_.unique(algebra_.complement(algebra_.join(std::move(planned_values))));
    if (witness_.array_exists(algebra_.meet(rest, others))) return found;
    for (const auto& [planned, count, differ] : plan) {
      const SetId one = witness_.single(planned);
      if (witness_.has_member(algebra_.meet(value, one)) && !witness_.array_exists(derivation.with_value(rest, one))) {
        found.push_back(one);
      }
      if (!algebra_.step()) break;
    }
    return found;
  };
  for (const SetId one : needed(choice.rest)) value = algebra_.meet(value, algebra_.complement(one));
  std::vector<SetId> last;
  if (can_be_finished(more)) last = needed(more);
  for (const SetId one : last) {
    value = algebra_.meet(value, algebra_.complement(one));
    out.push_back({one, algebra_.meet(choice.rest, algebra_.max_items(0))});
  }
  if (witness_.has_member(value)) out.push_back({value, choice.rest});
}

// Returns the members of `values` after which the array can be completed. The sets in `rest` split `values` into
// classes that it does not distinguish; one value of each class is tested.
SetId SchemaRules::fitting_values(SetId values, FormulaId rest) {
  std::vector<SetId> alike{values};
  for (const SetId set : witness_.derivation().item_sets(rest)) {
    const SetId others = algebra_.complement(set);
    std::vector<SetId> split;
    for (const SetId some : alike) {
      if (!algebra_.step(alike.size())) return values;
      for (const SetId part : {algebra_.meet(some, set), algebra_.meet(some, others)}) {
        if (witness_.has_member(part)) split.push_back(part);
      }
    }
    alike = std::move(split);
  }
  std::erase_if(alike, [&](SetId some) {
    return !witness_.array_exists(witness_.derivation().with_value(rest, witness_.single(some)));
  });
  return algebra_.join(std::move(alike));
}

// Returns true if no two of the sets have a member in common.
bool SchemaRules::are_disjoint(const std::vector<SetId>& sets) {
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!algebra_.step() || witness_.has_member(algebra_.meet(sets[i], sets[j]))) return false;
    }
  }
  return true;
}

// Handles a formula with many parts of kind kMinContains. There would be a choice for each combination of their sets that
// an item may be in. Instead, makes one open item: which sets the value is in is decided after the value is known
// (rest_after_item). A separate item covers a value that is in all sets and ends the array. Returns false if there are at
// most kFewContains parts, or at most kFewDisjointContains whose sets have no member in common, or if the array could not
// be completed after an item that is in none of the sets.
bool SchemaRules::defer_contains(FormulaId f, std::vector<Item>& out) {
  const Formula node = algebra_.formula(f);
  if (node.kind != FormulaKind::kAnd || witness_.derivation().wants_value(f)) return false;
  std::vector<FormulaId> contained;
  std::vector<FormulaId> others;
  std::vector<SetId> sets;
  bool once = true;
  for (const std::uint32_t operand : node.operands) {
    const Formula part = algebra_.formula(FormulaId{operand});
    if (part.kind <= FormulaKind::kNotOneOf) return false;  // it may contain kMinContains
    if (part.kind != FormulaKind::kMinContains) {
      others.push_back(FormulaId{operand});
      continue;
    }
    contained.push_back(FormulaId{operand});
    sets.push_back(SetId{part.operands[0]});
    once = once && part.operands[1] == 1;
  }
  if (contained.size() <= kFewContains) return false;
  if (contained.size() <= kFewDisjointContains && are_disjoint(sets)) return false;
  const FormulaId all = algebra_.meet(std::move(contained));
  for (const Choice& choice : witness_.derivation().next_item(algebra_.meet(std::move(others)))) {
    if (!witness_.has_member(choice.value) || !witness_.array_exists(choice.rest)) continue;
    const FormulaId open = algebra_.meet(choice.rest, all);
    if (!witness_.array_exists(open)) return false;
    out.push_back({choice.value, open, true});
    if (!once || !witness_.derivation().accepts(choice.rest)) continue;
    sets.push_back(choice.value);
    const SetId last = algebra_.meet(sets);
    sets.pop_back();
    if (witness_.has_member(last)) out.push_back({last, algebra_.meet(choice.rest, algebra_.max_items(0))});
  }
  return true;
}

// Returns what remains of an open rest after an item with this value: counts it for each kMinContains whose set it is
// in.
FormulaId SchemaRules::rest_after_item(FormulaId open, SetId value) {
  const Formula node = algebra_.formula(open);
  std::vector<std::uint32_t> operands{static_cast<std::uint32_t>(open)};
  if (node.kind == FormulaKind::kAnd) operands.assign(node.operands.begin(), node.operands.end());
  std::vector<FormulaId> parts;
  for (const std::uint32_t operand : operands) {
    const Formula part = algebra_.formula(FormulaId{operand});
    parts.push_back(FormulaId{operand});
    if (part.kind != FormulaKind::kMinContains) continue;
    const SetId set{part.operands[0]};
    const std::uint32_t count = part.operands[1];
    if (witness_.has_member(algebra_.meet(value, set))) parts.back() = algebra_.min_contains(set, count - 1);
  }
  return algebra_.meet(std::move(parts));
}

// The weakest rest that an item of unknown value can leave.
FormulaId SchemaRules::rest_after_unknown_item(FormulaId open) { return rest_after_item(open, SetId::kAny); }

void SchemaRules::make_item(FormulaId f, std::uint32_t depth, grammar::GrowingCfg& out) {
  const std::vector<Item> items = items_of(f);
  for (const Item& item : items) {
    const Kind after = item.is_open ? Kind::kDeferredItems : Kind::kItems;
    if (layout_.is_block(depth)) {
      make_line({Kind::kItem, 0, depth, 0}, {}, item.value, {after, static_cast<std::uint32_t>(item.rest), depth, 0},
                out);
      continue;
    }
    out.produce(std::array{lazy(Kind::kValue, static_cast<std::uint32_t>(item.value), layout_.item_value(depth), out),
                           lazy(after, static_cast<std::uint32_t>(item.rest), depth, out)});
  }
}

// The rules of members: which keys may come, and the formula for the rest.

// Caches the probe of the last formula. An object with n names has n rules kAfterKey with the same formula, and making
// a probe examines all keys.
KeyProbe& SchemaRules::probe_of(FormulaId f) {
  if (!probe_.has_value() || probe_->formula() != f) probe_.emplace(algebra_, witness_, f);
  return *probe_;
}

// Returns true if the member after a comma depends on the keys so far. Without a guard it depends on them if the rules
// would allow some key a second time; with a guard, if the unlisted keys with some prefix may be used up. A guard of YAML
// refuses a key after what may be its end (yaml_guard.h), so there any text has to go on after any key.
bool SchemaRules::depends_on_used_keys(FormulaId f) {
  KeyProbe& probe = probe_of(f);
  if (layout_.is_yaml()) {
    return !probe.crosses_out_all() && !(probe.all_may_come() && options_.characters.empty());
  }
  return placement_ == Placement::kWholeText ? probe.may_run_out() : !probe.crosses_out_all();
}

// Returns the rule for a member after the keys in `used`. The rule excludes these keys. With a guard, it excludes only
// those that are not a prefix of another key that may come, so that more texts share rules; the guard refuses the
// others.
std::uint32_t SchemaRules::settle_member(const Rule& made, std::vector<NameId> used) {
  const FormulaId all{made.id};
  FormulaId f = all;
  for (bool is_done = false; !is_done;) {
    std::vector<NameId> lacking = used;
    if (placement_ == Placement::kWholeText) {
      lacking = used_up(f, used);
      std::erase_if(used,
                    [&](NameId name) { return std::find(lacking.begin(), lacking.end(), name) != lacking.end(); });
    }
    // Repeat: a key may have been a prefix only of keys that are excluded now.
    is_done = lacking.empty() || used.empty() || placement_ == Placement::kEmbedded;
    std::vector<FormulaId> parts{f};
    for (const NameId name : lacking) parts.push_back(algebra_.lacks(name));
    f = algebra_.meet(std::move(parts));
  }
  // The rule after the key uses the formula without the exclusions, since the member after the next comma looks back
  // again; so texts with different keys share it. The exclusions are kept if a map has to be violated (kNotMembers),
  // because whether some key can still violate it depends on them.
  const bool may_forget = f != all && f != FormulaId::kFalse && !witness_.derivation().may_violate_map(all);
  return handle(Kind::kMember, static_cast<std::uint32_t>(f), made.depth, may_forget ? made.id : 0);
}

// Returns those of the used names that are not a proper prefix of a key that may come.
std::vector<NameId> SchemaRules::used_up(FormulaId f, const std::vector<NameId>& used) {
  KeyProbe& probe = probe_of(f);
  const Derivation::KeyClasses classes = witness_.derivation().key_classes(f);
  std::vector<NameId> found;
  for (const NameId name : used) {
    if (witness_.derivation().is_prefix_of_other(probe.open(), name)) continue;
    const std::string& text = algebra_.name(name);
    const bool goes_on = std::any_of(classes->begin(), classes->end(), [&](const KeyClass& key) {
      return key.name.has_value() && *key.name != name && algebra_.name(*key.name).starts_with(text) &&
             probe.may_begin_with(key);
    });
    if (!goes_on) found.push_back(name);
    if (!algebra_.step(1 + classes->size())) break;
  }
  return found;
}

const std::vector<SchemaRules::Key>& SchemaRules::keys_of(FormulaId f, std::uint32_t form) {
  const std::uint64_t known = std::uint64_t{static_cast<std::uint32_t>(f)} << 1U | form;
  const auto [it, is_new] = keys_.try_emplace(known);
  if (!is_new) return it->second;
  KeyProbe& probe = probe_of(f);
  const Derivation::KeyClasses classes = witness_.derivation().key_classes(f);
  // Keys that lead to the same rule are one terminal. A name that is crossed out or has an order leads to a rule of its
  // own. The other classes are grouped by kind, the groups in the order of their first classes.
  constexpr std::uint32_t kNone = UINT32_MAX;
  const std::size_t count = classes->size();
  std::vector<std::uint32_t> grouped;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!probe.is_crossed_out((*classes)[i])) grouped.push_back(i);
  }
  std::vector<std::uint32_t> next_of_group(count, kNone);
  std::vector<bool> is_first(count, true);
  if (grouped.size() > 1) {
    const std::vector<std::uint32_t> kinds = witness_.derivation().key_kinds(f, *classes);
    std::vector<std::uint32_t> last_of_kind(count, kNone);  // kinds are numbers below that of the classes
    for (const std::uint32_t i : grouped) {
      if (const std::uint32_t last = std::exchange(last_of_kind[kinds[i]], i); last != kNone) {
        next_of_group[last] = i;
        is_first[i] = false;
      }
    }
  }
  std::vector<Key> keys;
  std::vector<std::uint32_t> group;
  for (std::uint32_t first = 0; first < count; ++first) {
    if (!is_first[first]) continue;
    if (algebra_.out_of_steps()) break;
    if (!probe.may_begin_with((*classes)[first])) continue;
    group.clear();
    for (std::uint32_t i = first; i != kNone; i = next_of_group[i]) group.push_back(i);
    Key key = key_of(*classes, group, form);
    // A key with a lone surrogate may have no spelling.
    if (key.texts != ExprId::kNothing) keys.push_back(std::move(key));
  }
  key_count_ += keys.size();
  return keys_[known] = std::move(keys);
}

SchemaRules::Key SchemaRules::key_of(const std::vector<KeyClass>& classes, const std::vector<std::uint32_t>& group,
                                     std::uint32_t form) {
  Key key;
  key.index = group.front();
  const std::optional<NameId> first = classes[key.index].name;
  if (group.size() == 1 && first.has_value()) {
    key.shown[key.named++] = *first;
    key.texts = name_with_colon(*first, form);
    return key;
  }
  std::vector<ExprId> languages;
  for (const std::uint32_t i : group) {
    const KeyClass& one = classes[i];
    languages.push_back(one.name.has_value() ? algebra_.literal(*one.name) : one.keys);
    key.has_others = key.has_others || !one.name.has_value();
    if (!one.name.has_value()) continue;
    if (key.named < Key::kShownNames) key.shown[key.named] = *one.name;
    ++key.named;
  }
  key.texts = with_colon(exprs_.alternation(languages), form);
  return key;
}

// Returns the texts of keys with the colon after them; kNothing if they have none. In a YAML block (`form` 1) without
// the colon, which begins the rule after the key.
ExprId SchemaRules::with_colon(ExprId keys, std::uint32_t form) {
  if (!algebra_.has_text(keys)) return ExprId::kNothing;
  if (layout_.is_yaml()) return yaml_keys(keys, form);
  return exprs_.concat(algebra_.texts(keys), layout_.colon().texts);
}

// Returns with_colon() of one name. Memoised: each set of unused names has a rule, and each rule offers all its names.
ExprId SchemaRules::name_with_colon(NameId name, std::uint32_t form) {
  std::vector<ExprId>& known = names_with_colon_[form];
  const auto i = static_cast<std::size_t>(name);
  if (i >= known.size()) known.resize(i + 1, ExprId::kOverflow);
  if (known[i] == ExprId::kOverflow) known[i] = with_colon(algebra_.literal(name), form);
  return known[i];
}

// Describes the keys for messages.
std::string SchemaRules::name_of(const Key& key) const {
  std::string name;
  for (std::uint32_t i = 0; i < std::min(key.named, Key::kShownNames); ++i) {
    if (i != 0) name += ", ";
    name += "\"" + base::escape_for_display(algebra_.name(key.shown[i]), 40) + "\"";
  }
  if (key.named > Key::kShownNames) name += ", ...";
  if (key.has_others) name += name.empty() ? "key" : " or another key";
  return name;
}

void SchemaRules::make_member(const Rule& made, grammar::GrowingCfg& out) {
  const FormulaId f{made.id};
  const FormulaId after = made.key == 0 ? f : FormulaId{made.key};
  const bool is_block = layout_.is_block(made.depth);
  const std::vector<Key>& keys = keys_of(f, is_block ? 1 : 0);
  if (algebra_.limit_hit() != base::Limit::kNone) return;  // the keys and their classes may be incomplete
  const Layout::Piece line = is_block ? beginning_of_line(made) : Layout::Piece();
  const std::vector<std::uint32_t> classes = after == f ? std::vector<std::uint32_t>{} : classes_in(after, f);
  for (const Key& key : keys) {
    const std::uint32_t index = after == f ? key.index : classes[key.index];
    const Symbol text = terminal(key.texts, out, [&] { return name_of(key); });
    const Symbol after_key =
        lazy(Kind::kAfterKey, static_cast<std::uint32_t>(after), layout_.on_line(made.depth), out, index);
    if (line.texts != ExprId::kEpsilon) {
      out.produce(std::array{terminal(line, out, "line"), text, after_key});
    } else {
      out.produce(std::array{text, after_key});
    }
  }
}

// Maps each key class of `f` to the index of its class in `all`. Precondition: `f` is `all` with some names excluded.
std::vector<std::uint32_t> SchemaRules::classes_in(FormulaId all, FormulaId f) {
  std::unordered_map<NameId, std::uint32_t> named;
  std::map<std::vector<ExprId>, std::uint32_t> unnamed;  // by patterns
  const Derivation::KeyClasses classes = witness_.derivation().key_classes(all);
  for (std::uint32_t i = 0; i < classes->size(); ++i) {
    const KeyClass& key = (*classes)[i];
    if (key.name.has_value()) {
      named.emplace(*key.name, i);
    } else {
      unnamed.emplace(key.patterns, i);
    }
  }
  std::vector<std::uint32_t> found;
  const Derivation::KeyClasses classes_of_f = witness_.derivation().key_classes(f);
  for (const KeyClass& key : *classes_of_f) {
    const auto name = key.name.has_value() ? named.find(*key.name) : named.end();
    const auto pattern = unnamed.find(key.patterns);
    found.push_back(name != named.end() ? name->second : pattern != unnamed.end() ? pattern->second : 0);
  }
  return found;
}

std::vector<Choice> SchemaRules::choices_after_key(FormulaId f, std::uint32_t key) {
  KeyProbe& probe = probe_of(f);
  const Derivation::KeyClasses classes = witness_.derivation().key_classes(f);
  return key < classes->size() ? probe.choices((*classes)[key]) : std::vector<Choice>{};
}

void SchemaRules::make_after_key(const Rule& made, grammar::GrowingCfg& out) {
  for (const Choice& choice : choices_after_key(FormulaId{made.id}, made.key)) {
    if (layout_.is_block(made.depth)) {
      make_line(made, {}, choice.value, {Kind::kMembers, static_cast<std::uint32_t>(choice.rest), made.depth, 0}, out);
      continue;
    }
    const std::uint32_t at = layout_.member_value(made.depth);
    out.produce(std::array{lazy(Kind::kValue, static_cast<std::uint32_t>(choice.value), at, out),
                           lazy(Kind::kMembers, static_cast<std::uint32_t>(choice.rest), made.depth, out)});
  }
}

// Returns the list of an object's members; null if it is no such object, or if the rule is not about one.
MemberSequence* SchemaRules::sequence_of(const Rule& made) {
  if (made.kind != Kind::kObject && made.kind != Kind::kListed && made.kind != Kind::kListedRest) return nullptr;
  const auto [it, is_new] = sequences_.try_emplace(std::uint64_t{made.id} << 32U | layout_.on_line(made.depth));
  if (is_new && algebra_.has_declared_order()) {
    it->second = MemberSequence::of(algebra_, witness_, FormulaId{made.id});
    if (it->second) sequence_members_ += it->second->members().size();
  }
  return it->second ? &*it->second : nullptr;
}

void SchemaRules::make_listed(const Rule& made, grammar::GrowingCfg& out) {
  const MemberSequence* sequence = sequence_of(made);
  if (sequence == nullptr) return;  // a limit was met
  const std::vector<MemberSequence::Member>& members = sequence->members();
  for (std::size_t i = made.key; i < members.size(); ++i) {
    const auto& [name, value, is_required] = members[i];
    Key key;
    key.shown[key.named++] = name;
    const bool is_block = layout_.is_block(made.depth);
    const Symbol text = terminal(name_with_colon(name, is_block ? 1 : 0), out, [&] { return name_of(key); });
    const auto after = static_cast<std::uint32_t>(i + 1);
    if (is_block) {
      make_line(made, text, value, {Kind::kListedRest, made.id, made.depth, after}, out);
      if (is_required || !algebra_.step()) break;
      continue;
    }
    const std::uint32_t at = layout_.member_value(made.depth);
    out.produce(std::array{text, lazy(Kind::kValue, static_cast<std::uint32_t>(value), at, out),
                           lazy(Kind::kListedRest, made.id, made.depth, out, after)});
    if (is_required || !algebra_.step()) break;
  }
}

// Values between tags: the rules for an Argument.

// Strings without quotes and escapes, except those that contain the end tag, with the line ends around them.
ExprId SchemaRules::argument_strings() {
  if (argument_.values == Argument::Values::kOthers) return ExprId::kNothing;
  const ExprId strings = algebra_.shape(root_).strings;
  if (!algebra_.has_text(strings)) return ExprId::kNothing;
  const ExprId texts = exprs_.repeat(regex::any_code_point(exprs_), 0, regex::kUnbounded);
  const ExprId end = exprs_.literal(argument_.end);
  const ExprId holding = exprs_.concat(ExprId::kAllStrings, exprs_.concat(end, ExprId::kAllStrings));
  const ExprId parts[] = {strings, texts, exprs_.complement(holding)};
  const ExprId bare = exprs_.intersection(parts);
  if (!argument_.on_lines) return bare;
  const ExprId others[] = {exprs_.complement(strings), texts, exprs_.complement(holding)};
  return on_lines(bare, exprs_.intersection(others));
}

// Returns the texts from which a reader, who takes away a line end at the beginning and one at the end, gets one of the
// strings. A string that begins or ends with a line end is not written without another one: `⏎v⏎` would be read as `v`, and
// `v` may be none of the strings. `others` are the texts that are none of them.
ExprId SchemaRules::on_lines(ExprId strings, ExprId others) {
  const ExprId line = exprs_.literal("\n");
  const ExprId begun = exprs_.concat(line, ExprId::kAllStrings);
  const ExprId ended = exprs_.concat(ExprId::kAllStrings, line);
  const auto is_empty = [&](ExprId e) { return regex::emptiness(exprs_, e, kLineFuel) == regex::Emptiness::kEmpty; };
  const ExprId edges = exprs_.intersection(strings, exprs_.alternation(begun, ended));
  if (is_empty(others) || is_empty(edges)) {
    const ExprId maybe = exprs_.repeat(line, 0, 1);
    return exprs_.concat(std::array{maybe, strings, maybe});
  }
  const ExprId unbegun = exprs_.intersection(strings, exprs_.complement(begun));
  const ExprId unended = exprs_.intersection(strings, exprs_.complement(ended));
  return exprs_.alternation(std::array{exprs_.intersection(unbegun, unended), exprs_.concat(line, unended),
                                       exprs_.concat(unbegun, line), exprs_.concat(std::array{line, strings, line})});
}

ExprId SchemaRules::argument_scalars(std::string& name) {
  if (argument_.values == Argument::Values::kStrings) return ExprId::kNothing;
  Shape shape = algebra_.shape(root_);
  shape.strings = ExprId::kNothing;
  return scalar_texts(algebra_, shape, name);
}

void SchemaRules::make_argument(grammar::GrowingCfg& out) {
  const ExprId end = exprs_.literal(argument_.end);
  const ExprId line = argument_.on_lines ? exprs_.repeat(exprs_.literal("\n"), 0, 1) : ExprId::kEpsilon;
  // Line ends of the template are allowed around all values, whatever the white space within JSON is.
  const bool has_line_ends =
      options_.whitespace == JsonSchemaOptions::Whitespace::kUnbounded ||
      (options_.whitespace == JsonSchemaOptions::Whitespace::kBounded && options_.whitespace_limit > 0);
  const ExprId around = layout_.around().texts;
  const ExprId blanks = has_line_ends ? around : exprs_.alternation(around, line);
  if (const ExprId strings = argument_strings(); algebra_.has_member(strings)) {
    out.produce(std::array{terminal({exprs_.concat(strings, end), {}}, out, "string")});
  }
  std::string name;
  if (const ExprId texts = argument_scalars(name); texts != ExprId::kNothing) {
    const ExprId parts[] = {blanks, texts, blanks, end};
    out.produce(std::array{terminal({exprs_.concat(parts), {}}, out, name)});
  }
  if (argument_.values == Argument::Values::kStrings) return;
  const auto container = [&](FormulaId f, char bracket, Kind kind) {
    const Symbol close = terminal({exprs_.concat(blanks, end), {}}, out, argument_.end);
    if (const std::optional<ExprId> constants = constants_of(f, 1, out)) {
      const std::string_view what = bracket == '[' ? "array" : "object";
      out.produce(std::array{terminal({exprs_.concat(blanks, *constants), {}}, out, what), close});
      return;
    }
    const Symbol open = terminal({exprs_.concat(blanks, layout_.open(bracket, 0).texts), {}}, out, {&bracket, 1});
    out.produce(std::array{open, lazy(kind, static_cast<std::uint32_t>(f), 1, out), close});
  };
  const Shape shape = algebra_.shape(root_);
  if (witness_.array_exists(shape.arrays)) container(shape.arrays, '[', Kind::kArray);
  if (witness_.object_exists(shape.objects)) {
    container(witness_.in_declared_order(shape.objects), '{', Kind::kObject);
  }
}

bool SchemaRules::has_argument() {
  if (algebra_.has_member(argument_strings())) return true;
  if (argument_.values == Argument::Values::kStrings) return false;
  std::string name;
  if (argument_scalars(name) != ExprId::kNothing) return true;
  const Shape shape = algebra_.shape(root_);
  return witness_.array_exists(shape.arrays) || witness_.object_exists(shape.objects);
}

base::CutText SchemaRules::argument_text(std::size_t most) {
  const auto shortest = [&](ExprId texts) {
    return regex::cut_shortest_member(exprs_, texts, algebra_.limits().regex_fuel, most);
  };
  std::optional<base::CutText> text;
  if (const ExprId strings = argument_strings(); algebra_.has_member(strings)) text = shortest(strings);
  std::string name;
  if (!text) {
    if (const ExprId texts = argument_scalars(name); texts != ExprId::kNothing) text = shortest(texts);
  }
  if (!text) text = witness_.text(root_, layout_, 0, most);
  text->add(argument_.end);
  return *text;
}

}  // namespace weir::frontend::json_schema
