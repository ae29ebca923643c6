#include "weir/check.h"
#include "lint/search_bounds.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/build_call.h"
#include "base/json/json_value.h"
#include "base/stack.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/reading.h"
#include "frontend/regex/regex.h"
#include "frontend/structural_tag/response_format.h"
#include "frontend/structural_tag/structural_tag.h"
#include "frontend/structural_tag/tool_places.h"
#include "frontend/text.h"
#include "grammar/ir.h"
#include "grammar/passes/pipeline.h"
#include "lint/grammar_lint.h"
#include "lint/schema_lint.h"
#include "lint/shadowed.h"

namespace weir {

namespace {

std::vector<Diagnostic> in_order(std::vector<Diagnostic> found) {
  std::stable_sort(found.begin(), found.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.where.start < b.where.start; });
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.where == b.where && a.code == b.code && a.message == b.message;
  };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  if (found.size() > lint::kMaxShownFindings) {
    const std::size_t others = found.size() - lint::kMaxShownFindings;
    found.resize(lint::kMaxShownFindings);
    found.back().message += " (and " + std::to_string(others) + " more findings)";
  }
  return found;
}

// `tag` is the text if it is a structural tag or a response format.
template <typename FrontEnd>
std::vector<Diagnostic> check_within(const Limits& limits, const FrontEnd& front_end, std::string_view tag) {
  using frontend::structural_tag::move_into_tools;
  grammar::Grammar ir(limits.regex_nodes);
  frontend::Reading reading{ir, limits, &frontend::json_schema::schema_review(), true};
  const std::optional<grammar::RuleId> start = front_end(reading);
  std::vector<Diagnostic> found;
  if (!start) {
    if (!tag.empty()) move_into_tools(tag, reading.warnings, limits);
    // Why no value is valid is often what a warning says: a keyword that is misspelled.
    const auto was_read = [](const Error& error) { return error.code == ErrorCode::kUnsatisfiable; };
    if (std::ranges::all_of(reading.errors, was_read)) {
      for (Warning& warning : reading.warnings) found.push_back(to_diagnostic(std::move(warning)));
    }
    for (Error& error : reading.errors) {
      if (!tag.empty()) move_into_tools(tag, error, limits);
      found.push_back(to_diagnostic(std::move(error)));
    }
    found = in_order(std::move(found));
    if (found.size() > kMaxErrors) found.resize(kMaxErrors);
    return found;
  }
  ir.start = *start;
  std::vector<Warning> warnings = std::move(reading.warnings);
  if (auto cfg = grammar::run_passes(ir, limits, &warnings); !cfg) {
    if (!tag.empty()) move_into_tools(tag, cfg.error(), limits);
    found.push_back(to_diagnostic(std::move(cfg.error())));
  } else {
    const bool has_columns = ir.indentation.has_value();  // then the Cfg does not say what follows a terminal
    grammar::lint(std::move(ir), limits, warnings);
    if (!has_columns) grammar::warn_of_shadowed(*cfg, limits, warnings);
  }
  if (!tag.empty()) move_into_tools(tag, warnings, limits);
  for (Warning& warning : warnings) found.push_back(to_diagnostic(std::move(warning)));
  return in_order(std::move(found));
}

template <typename FrontEnd>
std::vector<Diagnostic> check(const Limits& limits, const FrontEnd& front_end, std::string_view tag = {}) {
  return base::with_stack([&] { return check_within(limits, front_end, tag); }, base::kCallStack);
}

std::vector<Diagnostic> check_text(std::string_view text, const GrammarTextOptions& options, const Limits& limits) {
  return check(limits, [&](frontend::Reading& reading) { return frontend::read_text(text, options, reading); });
}

// For grammars in KBNF, adds a hint to findings about endless rules that `keep_endless` would avoid. To know which
// those are, checks the text again with the option: a rule without any text is reported in either case.
void name_keep_endless(std::vector<Diagnostic>& found, std::string_view text, const GrammarTextOptions& options,
                       const Limits& limits) {
  const auto is_about_ends = [](const Diagnostic& d) { return d.code == "endless-rule" || d.code == "unsatisfiable"; };
  if (options.syntax != GrammarSyntax::kKbnf || options.keep_endless) return;
  if (std::none_of(found.begin(), found.end(), is_about_ends)) return;
  GrammarTextOptions keeping = options;
  keeping.keep_endless = true;
  const std::vector<Diagnostic> left = check_text(text, keeping, limits);
  for (Diagnostic& finding : found) {
    const auto same = [&](const Diagnostic& d) { return d.code == finding.code && d.where == finding.where; };
    if (!is_about_ends(finding) || std::any_of(left.begin(), left.end(), same)) continue;
    finding.hint += std::string(finding.hint.empty() ? "" : "; ") + "with `keep_endless` a rule may go on forever";
    finding.options += finding.options.empty() ? "keep_endless" : " keep_endless";
  }
}

void add_pointers(std::vector<Diagnostic>& found, std::string_view schema, const Limits& limits) {
  if (found.empty()) return;
  const auto document = base::JsonDocument::parse(schema, limits);
  if (!document) return;
  for (Diagnostic& finding : found) {
    if (finding.where.end == finding.where.start) continue;
    finding.pointer = frontend::json_schema::pointer_at(document->root(), finding.where);
    base::make_utf8(finding.pointer);
  }
}

}  // namespace

std::vector<Diagnostic> check_grammar(std::string_view text, const GrammarTextOptions& options, const Limits& limits) {
  std::vector<Diagnostic> found = check_text(text, options, limits);
  name_keep_endless(found, text, options, limits);
  // With an explicit start rule, unused rules are expected.
  if (!options.start.empty()) std::erase_if(found, [](const Diagnostic& d) { return d.code == "unused-rule"; });
  return found;
}

std::vector<Diagnostic> check_regex(std::string_view pattern, const RegexOptions& options, const Limits& limits) {
  const regex::SyntaxOptions syntax = frontend::regex_syntax(options);
  return check(limits, [&](frontend::Reading& reading) { return frontend::read_regex(pattern, syntax, reading); });
}

std::vector<Diagnostic> check_schema(std::string_view schema, const JsonSchemaOptions& options, const Limits& limits) {
  std::vector<Diagnostic> found = check(limits, [&](frontend::Reading& reading) {
    return frontend::read_json_schema(schema, options, frontend::json_schema::Placement::kWholeText, reading);
  });
  add_pointers(found, schema, limits);
  return found;
}

std::vector<Diagnostic> check_structural_tag(std::string_view text, const StructuralTagOptions& options,
                                             const Limits& limits) {
  return check(
      limits, [&](frontend::Reading& reading) { return frontend::read_structural_tag(text, options, reading); }, text);
}

std::vector<Diagnostic> check_response_format(std::string_view text, const StructuralTagOptions& options,
                                              const Limits& limits) {
  return check(
      limits, [&](frontend::Reading& reading) { return frontend::read_response_format(text, options, reading); }, text);
}

}  // namespace weir
