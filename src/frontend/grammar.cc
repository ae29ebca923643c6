#include "weir/grammar.h"

#include <utility>

#include "frontend/choice.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/reading.h"
#include "frontend/regex/regex.h"
#include "frontend/structural_tag/response_format.h"
#include "frontend/structural_tag/structural_tag.h"
#include "frontend/substring.h"
#include "frontend/text.h"
#include "grammar/ir.h"
#include "grammar/passes/productive.h"
#include "grammar/passes/unused.h"

namespace weir {

namespace {

// The grammar that `front_end` reads, and what there is to warn of. A start rule that derives nothing is no error yet:
// compiling reports it.
template <typename FrontEnd>
Result<Grammar> read(const Limits& limits, const FrontEnd& front_end) {
  grammar::Grammar ir(limits.regex_nodes);
  frontend::Reading reading{ir, limits};
  const std::optional<grammar::RuleId> start = front_end(reading);
  if (!start) return tl::unexpected(std::move(reading.errors.front()));
  ir.start = *start;
  std::vector<Warning> warnings = std::move(reading.warnings);
  grammar::Grammar scratch = ir;
  grammar::drop_unused(scratch, &warnings);
  static_cast<void>(grammar::remove_unproductive(scratch, limits, &warnings));
  ir.exprs = std::move(scratch.exprs);  // with what has been found out about them
  return Grammar(std::make_shared<const grammar::Grammar>(std::move(ir)), std::move(warnings), limits);
}

}  // namespace

Grammar::Grammar(std::shared_ptr<const grammar::Grammar> ir, std::vector<Warning> warnings, Limits limits) noexcept
    : ir_(std::move(ir)), warnings_(std::move(warnings)), limits_(limits) {}

Result<Grammar> Grammar::from_ebnf(std::string_view text, const EbnfOptions& options, const Limits& limits) {
  return from_text(text, {.syntax = GrammarSyntax::kEbnf, .start = options.start}, limits);
}

Result<Grammar> Grammar::from_text(std::string_view text, const GrammarTextOptions& options, const Limits& limits) {
  return read(limits, [&](frontend::Reading& reading) { return frontend::read_text(text, options, reading); });
}

Result<Grammar> Grammar::from_regex(std::string_view pattern, const RegexOptions& options, const Limits& limits) {
  const regex::SyntaxOptions syntax = frontend::regex_syntax(options);
  return read(limits, [&](frontend::Reading& reading) { return frontend::read_regex(pattern, syntax, reading); });
}

Result<Grammar> Grammar::from_json_schema(std::string_view schema, const JsonSchemaOptions& options,
                                          const Limits& limits) {
  grammar::Grammar ir(limits.regex_nodes);
  frontend::Reading reading{ir, limits};
  const auto rule = frontend::read_json_schema(schema, options, frontend::json_schema::Placement::kWholeText, reading);
  if (!rule) return tl::unexpected(std::move(reading.errors.front()));
  ir.start = *rule;
  // Its rules are made later: there is nothing that the passes could warn of.
  return Grammar(std::make_shared<const grammar::Grammar>(std::move(ir)), std::move(reading.warnings), limits);
}

Result<Grammar> Grammar::from_structural_tag(std::string_view text, const StructuralTagOptions& options,
                                             const Limits& limits) {
  return read(limits,
              [&](frontend::Reading& reading) { return frontend::read_structural_tag(text, options, reading); });
}

Result<Grammar> Grammar::from_response_format(std::string_view text, const StructuralTagOptions& options,
                                              const Limits& limits) {
  return read(limits,
              [&](frontend::Reading& reading) { return frontend::read_response_format(text, options, reading); });
}

Result<Grammar> Grammar::from_choice(std::span<const std::string> strings, const Limits& limits) {
  return read(limits, [&](frontend::Reading& reading) { return frontend::read_choice(strings, reading); });
}

Result<Grammar> Grammar::from_substring(std::string_view text, SubstringUnit unit, const Limits& limits) {
  return read(limits, [&](frontend::Reading& reading) { return frontend::read_substring(text, unit, reading); });
}

Result<Grammar> Grammar::json(const JsonSchemaOptions& options, const Limits& limits) {
  return from_json_schema("true", options, limits);
}

Result<Grammar> Grammar::json_object(const JsonSchemaOptions& options, const Limits& limits) {
  return from_json_schema(R"({"type": "object"})", options, limits);
}

}  // namespace weir
