// The values of a schema as they stand between tags: SchemaRules for an Argument.
#include <string>
#include <vector>

#include "frontend/json_schema/schema_rules.h"
#include "regex/syntax.h"

namespace weir::frontend::json_schema {

using grammar::Symbol;
using regex::ExprId;

// Strings as they are, none of which holds the end.
ExprId SchemaRules::argument_strings() {
  if (argument_.values == Argument::Values::kOthers) return ExprId::kNothing;
  const ExprId strings = algebra_.shape(root_).strings;
  if (!algebra_.has_text(strings)) return ExprId::kNothing;
  const ExprId texts = exprs_.repeat(regex::any_code_point(exprs_), 0, regex::kUnbounded);
  const ExprId end = exprs_.literal(argument_.end);
  const ExprId holding = exprs_.concat(ExprId::kAllStrings, exprs_.concat(end, ExprId::kAllStrings));
  const ExprId parts[] = {strings, texts, exprs_.complement(holding)};
  return exprs_.intersection(parts);
}

ExprId SchemaRules::argument_scalars(std::string& name) {
  if (argument_.values == Argument::Values::kStrings) return ExprId::kNothing;
  Shape shape = algebra_.shape(root_);
  shape.strings = ExprId::kNothing;
  return scalars(shape, name);
}

void SchemaRules::make_argument(grammar::GrowingCfg& out) {
  const ExprId end = exprs_.literal(argument_.end);
  const ExprId blanks = layout_.around().texts;
  if (const ExprId strings = argument_strings(); algebra_.has_member(strings)) {
    const ExprId line = argument_.on_lines ? exprs_.repeat(exprs_.literal("\n"), 0, 1) : ExprId::kEpsilon;
    const ExprId parts[] = {line, strings, line, end};
    out.produce(std::vector{terminal({exprs_.concat(parts), {}}, out, "string")});
  }
  std::string name;
  if (const ExprId texts = argument_scalars(name); texts != ExprId::kNothing) {
    const ExprId parts[] = {blanks, texts, blanks, end};
    out.produce(std::vector{terminal({exprs_.concat(parts), {}}, out, name)});
  }
  if (argument_.values == Argument::Values::kStrings) return;
  const auto container = [&](FormulaId f, char bracket, Kind kind) {
    const Symbol open = terminal({exprs_.concat(blanks, layout_.open(bracket).texts), {}}, out, {&bracket, 1});
    const Symbol close = terminal({exprs_.concat(blanks, end), {}}, out, argument_.end);
    out.produce(std::vector{open, lazy(kind, static_cast<std::uint32_t>(f), 1, out), close});
  };
  const Shape shape = algebra_.shape(root_);
  if (witness_.array_exists(shape.arrays)) container(shape.arrays, '[', Kind::kArray);
  if (witness_.object_exists(shape.objects)) container(shape.objects, '{', Kind::kObject);
}

bool SchemaRules::has_argument() {
  if (algebra_.has_member(argument_strings())) return true;
  if (argument_.values == Argument::Values::kStrings) return false;
  std::string name;
  if (argument_scalars(name) != ExprId::kNothing) return true;
  const Shape shape = algebra_.shape(root_);
  return witness_.array_exists(shape.arrays) || witness_.object_exists(shape.objects);
}

std::string SchemaRules::argument_text() {
  if (const ExprId strings = argument_strings(); algebra_.has_member(strings)) {
    const auto text = exprs_.shortest_member(strings, algebra_.limits().regex_fuel);
    if (text) return *text + argument_.end;
  }
  std::string name;
  if (const ExprId texts = argument_scalars(name); texts != ExprId::kNothing) {
    const auto text = exprs_.shortest_member(texts, algebra_.limits().regex_fuel);
    if (text) return *text + argument_.end;
  }
  return witness_.text(root_, layout_, 0) + argument_.end;
}

}  // namespace weir::frontend::json_schema
