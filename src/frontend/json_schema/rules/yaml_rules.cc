// The rules of schema_rules.h that only YAML has: blocks, and the texts of scalars and keys.
#include <array>
#include <string>
#include <vector>

#include "base/replaceable.h"
#include "frontend/json_schema/rules/schema_rules.h"

namespace weir::frontend::json_schema {

using grammar::Symbol;
using regex::ExprId;

namespace {

// Rule::key of a kDeeper has the number of columns that are left to go, and in higher bits the kind of the first line.
constexpr unsigned kStepBits = 8;

}  // namespace

YamlStrings& SchemaRules::yaml_strings() {
  if (!yaml_strings_) {
    yaml_strings_.emplace(exprs_, algebra_.limits(), [this](ExprId e) { return algebra_.has_member(e); });
  }
  return *yaml_strings_;
}

// Returns the texts of the scalars of a shape at `depth`, with the blanks before them, and appends a description to `name`.
WEIR_REPLACEABLE ExprId SchemaRules::yaml_scalars(const Shape& shape, std::uint32_t depth, std::string& name) {
  const YamlPlace place = YamlPlace::of(depth);
  Shape others = shape;
  others.strings = ExprId::kNothing;
  ExprId texts = scalar_texts(algebra_, others, name);
  const bool has_null = (shape.literals & Shape::kNull) != 0;
  if (has_null) texts = exprs_.alternation(texts, exprs_.literal("~"));
  texts = exprs_.concat(layout_.before_scalar(depth), texts);
  // ruamel.yaml writes a blank after the dash of a null.
  if (has_null && (place.kind == YamlPlace::Kind::kAfterKey || place.kind == YamlPlace::Kind::kAfterDash)) {
    texts = exprs_.alternation(texts, exprs_.literal(" "));
  }
  if (algebra_.has_text(shape.strings)) {
    const YamlStrings::Form form = place.is_flow() ? YamlStrings::Form::kFlow : YamlStrings::Form::kBlock;
    const ExprId strings = yaml_strings().texts(shape.strings, form, place.least_indent());
    texts = exprs_.alternation(texts, exprs_.concat(layout_.before_scalar(depth), strings));
    if (!place.is_flow()) {
      const ExprId on_lines = yaml_strings().block_texts(shape.strings, place.least_indent());
      texts = exprs_.alternation(texts, exprs_.concat(layout_.before_value(depth).texts, on_lines));
    }
    name += name.empty() ? "string" : " or string";
  }
  return texts;
}

WEIR_REPLACEABLE ExprId SchemaRules::yaml_keys(ExprId keys, std::uint32_t form) {
  if (form == 1) return yaml_strings().texts(keys, YamlStrings::Form::kBlock, std::nullopt);
  const ExprId texts = yaml_strings().texts(keys, YamlStrings::Form::kFlow, std::nullopt);
  return exprs_.concat(texts, exprs_.literal(":"));
}

// Adds the productions of a value at `container.depth` that is a block.
WEIR_REPLACEABLE void SchemaRules::make_block(const Rule& container, grammar::GrowingCfg& out) {
  using Place = YamlPlace::Kind;
  const YamlPlace around = YamlPlace::of(container.depth);
  if (around.is_flow() || (around.kind == Place::kRoot && around.column != 0)) return;
  const bool is_array = container.kind == Kind::kArray;
  const Place lines = is_array ? Place::kSequence : Place::kMapping;
  const std::uint32_t at = YamlPlace{lines, 0}.depth();
  const Rest first = rest_of({container.kind, container.id, at, 0});
  for (const std::optional<Rule>& next : {first.listed, first.next}) {
    if (!next) continue;
    const auto deeper = [&](std::uint32_t column, std::uint32_t steps) {
      const std::uint32_t key = static_cast<std::uint32_t>(next->kind) << kStepBits | steps;
      return lazy(Kind::kDeeper, next->id, YamlPlace{lines, column}.depth(), out, key);
    };
    if (around.kind == Place::kRoot) {
      out.produce(std::array{deeper(0, kMaxYamlStep)});
      continue;
    }
    // The items of a member may stand at the column of its key.
    const bool may_be_level = is_array && around.kind == Place::kAfterKey;
    const std::uint32_t least = around.column + (may_be_level ? 0 : 1);
    const std::uint32_t most = around.column + kMaxYamlStep;
    out.produce(std::array{terminal(layout_.line_at(least), out, "line"), deeper(least, most - least)});
    if (around.kind != Place::kAfterDash) continue;
    const Symbol blank = terminal({exprs_.literal(" "), " "}, out, "\" \"");
    out.produce(std::array{blank, deeper(around.column + 2, kMaxYamlStep - 2)});
  }
}

// Adds the productions of an object of one member that is an item of brackets, without braces: `[a: 1]`.
WEIR_REPLACEABLE void SchemaRules::make_pair(const Rule& object, grammar::GrowingCfg& out) {
  const YamlPlace place = YamlPlace::of(object.depth);
  if (object.kind != Kind::kObject || place.kind != YamlPlace::Kind::kFlowItem) return;
  const std::uint32_t at = layout_.member_value(object.depth);
  const auto add = [&](ExprId key, const auto& name, SetId value) {
    const Symbol text = terminal(key, out, name);
    out.produce(std::array{text, lazy(Kind::kValue, static_cast<std::uint32_t>(value), at, out)});
  };
  const MemberSequence* const sequence = sequence_of(object);
  const std::size_t listed = sequence != nullptr ? sequence->members().size() : 0;
  for (std::size_t i = 0; i < listed && algebra_.step(); ++i) {
    const auto& [name, value, is_required] = sequence->members()[i];
    Key key;
    key.shown[key.named++] = name;
    if (sequence->may_end_at(i + 1))
      add(
          name_with_colon(name, 0), [&] { return name_of(key); }, value);
    if (is_required) return;
  }
  const FormulaId f = sequence != nullptr ? sequence->after() : FormulaId{object.id};
  if (f == FormulaId::kFalse) return;
  const std::vector<Key> keys = keys_of(f, 0);  // a copy: choices_after_key() may make others
  for (const Key& key : keys) {
    for (const Choice& choice : choices_after_key(f, key.index)) {
      if (!witness_.derivation().accepts(choice.rest)) continue;
      add(
          key.texts, [&] { return name_of(key); }, choice.value);
    }
  }
}

SchemaRules::Kind SchemaRules::deeper_kind(const Rule& made) { return static_cast<Kind>(made.key >> kStepBits); }

void SchemaRules::make_deeper(const Rule& made, grammar::GrowingCfg& out) {
  out.produce(std::array{lazy(deeper_kind(made), made.id, made.depth, out)});
  if ((made.key & ((1U << kStepBits) - 1)) == 0) return;
  YamlPlace next = YamlPlace::of(made.depth);
  ++next.column;
  out.produce(std::array{terminal({exprs_.literal(" "), " "}, out, "\" \""),
                         lazy(Kind::kDeeper, made.id, next.depth(), out, made.key - 1)});
}

// What an item or member in a block begins with: the line end and blanks, if it is not the first, and the dash of an item.
Layout::Piece SchemaRules::beginning_of_line(const Rule& made) const {
  const YamlPlace place = YamlPlace::of(made.depth);
  const bool has_line = place.on_next_line && made.kind != Kind::kAfterKey;
  Layout::Piece piece = has_line ? layout_.line_at(place.column) : Layout::Piece();
  if (place.kind != YamlPlace::Kind::kSequence) return piece;
  return {exprs_.concat(piece.texts, exprs_.literal("-")), piece.text + "- "};
}

// Adds the productions of an item (with its dash), a member (`key`), or what comes after a key: a value, then the rest
// of the block unless that may end. A null may be empty.
WEIR_REPLACEABLE void SchemaRules::make_line(const Rule& made, std::optional<Symbol> key, SetId value, const Rule& rest,
                                             grammar::GrowingCfg& out) {
  using Place = YamlPlace::Kind;
  YamlPlace place = YamlPlace::of(made.depth);
  const bool is_item = place.kind == Place::kSequence;
  std::vector<Symbol> begin;
  if (const Layout::Piece line = beginning_of_line(made); line.texts != ExprId::kEpsilon) {
    begin.push_back(terminal(line, out, is_item ? "\"-\"" : "line"));
  }
  if (key) begin.push_back(*key);
  if (!is_item) begin.push_back(terminal(layout_.colon(), out, "\":\""));
  const Symbol written = lazy(Kind::kValue, static_cast<std::uint32_t>(value),
                              YamlPlace{is_item ? Place::kAfterDash : Place::kAfterKey, place.column}.depth(), out);
  const bool may_be_empty = (algebra_.shape(value).literals & Shape::kNull) != 0;
  place.on_next_line = true;
  const auto produce = [&](std::optional<Symbol> next) {
    for (const bool is_empty : {false, true}) {
      if (is_empty && !may_be_empty) continue;
      std::vector<Symbol> symbols = begin;
      if (!is_empty) symbols.push_back(written);
      if (next) symbols.push_back(*next);
      out.produce(symbols);
    }
  };
  Rule after = rest;
  after.depth = layout_.on_line(rest.depth);
  const Rest next = rest_of(after);
  const auto go_on = [&](const std::optional<Rule>& rule) {
    if (rule) produce(lazy(rule->kind, rule->id, place.depth(), out, rule->key));
  };
  go_on(next.listed);
  if (next.may_end) produce(std::nullopt);
  go_on(next.next);
}

}  // namespace weir::frontend::json_schema
