#include "weir/grammar.h"

#include <utility>

#include "frontend/ebnf/ebnf.h"
#include "frontend/json_schema/json_pointer.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/regex/regex.h"
#include "grammar/ir.h"
#include "grammar/passes/productive.h"
#include "grammar/passes/unused.h"

namespace weir {

namespace {

// Keeps the grammar as it was read, and what there is to warn of. A start rule that derives nothing is no error yet:
// compiling reports it.
Grammar checked(grammar::Grammar ir, const Limits& limits) {
  std::vector<Warning> warnings;
  grammar::Grammar scratch = ir;
  grammar::drop_unused(scratch, &warnings);
  static_cast<void>(grammar::remove_unproductive(scratch, limits, &warnings));
  ir.exprs = std::move(scratch.exprs);  // with what has been found out about them
  return {std::make_shared<const grammar::Grammar>(std::move(ir)), std::move(warnings), limits};
}

}  // namespace

Grammar::Grammar(std::shared_ptr<const grammar::Grammar> ir, std::vector<Warning> warnings, Limits limits) noexcept
    : ir_(std::move(ir)), warnings_(std::move(warnings)), limits_(limits) {}

Result<Grammar> Grammar::from_ebnf(std::string_view text, const EbnfOptions& options, const Limits& limits) {
  Result<grammar::Grammar> ir = frontend::parse_ebnf(text, options.start, limits);
  if (!ir) return tl::unexpected(std::move(ir.error()));
  return checked(std::move(*ir), limits);
}

Result<Grammar> Grammar::from_regex(std::string_view pattern, const RegexOptions& options, const Limits& limits) {
  regex::SyntaxOptions syntax;
  if (options.dialect == RegexDialect::kEcma262) syntax.dialect = regex::Dialect::kEcma262;
  syntax.ignore_case = options.ignore_case;
  syntax.multi_line = options.multi_line;
  syntax.dot_all = options.dot_all;
  syntax.extended = options.extended;
  syntax.operators = options.operators;
  syntax.search = options.match == RegexMatch::kSearch;
  Result<grammar::Grammar> ir = frontend::regex_grammar(pattern, syntax, limits);
  if (!ir) return tl::unexpected(std::move(ir.error()));
  return checked(std::move(*ir), limits);
}

Result<Grammar> Grammar::from_json_schema(std::string_view schema, const JsonSchemaOptions& options,
                                          const Limits& limits) {
  std::vector<Warning> warnings;
  Result<grammar::Grammar> ir = frontend::json_schema_grammar(schema, options, limits, warnings);
  if (!ir) {
    if (const auto document = frontend::json_schema::JsonDocument::parse(schema, limits)) {
      ir.error().pointer = frontend::json_schema::pointer_at(document->root(), ir.error().where);
    }
    return tl::unexpected(std::move(ir.error()));
  }
  return Grammar(std::make_shared<const grammar::Grammar>(std::move(*ir)), std::move(warnings), limits);
}

Result<Grammar> Grammar::json(const JsonSchemaOptions& options, const Limits& limits) {
  return from_json_schema("true", options, limits);
}

Result<Grammar> Grammar::json_object(const JsonSchemaOptions& options, const Limits& limits) {
  return from_json_schema(R"({"type": "object"})", options, limits);
}

}  // namespace weir
