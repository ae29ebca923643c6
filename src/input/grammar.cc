#include "weir/grammar.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/build_call.h"
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
#include "input/source.h"
#include "lint/schema_lint.h"

namespace weir {

namespace {

using frontend::Reading;
using frontend::Source;
using frontend::json_schema::Placement;

// Returns the grammar that `source` reads, with warnings. A start rule that derives no string is not reported as an
// error here; compiling reports it.
Result<Grammar> read(const Limits& limits, Source source) {
  return base::build_call(limits, [&]() -> Result<Grammar> {
    grammar::Grammar ir(limits.regex_nodes);
    Reading reading{ir, limits, &frontend::json_schema::schema_review()};
    const std::optional<grammar::RuleId> start = source.read(Placement::kWholeText, reading);
    if (!start) return tl::unexpected(std::move(reading.errors.front()));
    ir.start = *start;
    std::vector<Warning> warnings = std::move(reading.warnings);
    grammar::Grammar scratch = ir;
    grammar::drop_unused(scratch, &warnings);
    static_cast<void>(grammar::remove_unproductive(scratch, limits, &warnings));
    ir.exprs = std::move(scratch.exprs);  // with cached results about them
    return Grammar(std::make_shared<const grammar::Grammar>(std::move(ir)), std::move(warnings), limits,
                   std::make_shared<const Source>(std::move(source)));
  });
}

// The same for one text, which `front_end(text, reading)` reads.
template <typename FrontEnd>
Result<Grammar> read_one(std::string_view text, const Limits& limits, FrontEnd front_end) {
  return read(limits, {[text = std::string(text), front_end = std::move(front_end)](Placement, Reading& reading) {
                         return front_end(text, reading);
                       },
                       text.size()});
}

enum class Join : std::uint8_t { kSequence, kChoice };

Error refused(ErrorCode code, std::string message, std::string limit = {}) {
  return {code, std::move(message), {}, {}, std::move(limit), {}};
}

// Clears all positions, because they refer to several texts and none of these is the grammar's own.
void clear_positions(Reading& reading) {
  grammar::Grammar& ir = reading.grammar;
  for (grammar::Node& node : ir.nodes) node.where = {};
  for (grammar::Rule& rule : ir.rules) rule.where = {};
  for (grammar::Terminal& terminal : ir.terminals) terminal.where = {};
  for (grammar::TokenSet& set : ir.token_sets) set.where = {};
  for (Warning& warning : reading.warnings) {
    warning.where = {};
    warning.notes.clear();
  }
  for (Error& error : reading.errors) error = refused(error.code, std::move(error.message), std::move(error.limit));
}

std::optional<grammar::RuleId> read_parts(const std::vector<std::shared_ptr<const Source>>& parts, Join how,
                                          Reading& reading) {
  std::vector<grammar::NodeId> nodes;
  for (const std::shared_ptr<const Source>& part : parts) {
    const std::optional<grammar::RuleId> rule = part->read(Placement::kEmbedded, reading);
    if (!rule) break;
    nodes.push_back(reading.grammar.add_rule_reference(*rule, {}));
  }
  if (nodes.size() < parts.size()) return std::nullopt;
  grammar::Rule root;
  root.name = "root";
  root.defined = true;
  root.body = how == Join::kSequence ? reading.grammar.add_sequence(nodes, {}) : reading.grammar.add_choice(nodes, {});
  return reading.grammar.add_rule(std::move(root));
}

Result<Grammar> join(std::span<const Grammar> parts, Join how, const Limits& limits) {
  if (parts.empty()) return tl::unexpected(refused(ErrorCode::kInvalidArgument, "there are no grammars to join"));
  Source joined;
  std::vector<std::shared_ptr<const Source>> sources;
  for (const Grammar& part : parts) {
    if (part.ir().keeps_endless) {
      return tl::unexpected(
          refused(ErrorCode::kUnsupported, "a grammar with `keep_endless` cannot be joined with others"));
    }
    sources.push_back(part.source());
    joined.depth = std::max(joined.depth, sources.back()->depth + 1);
    joined.bytes += sources.back()->bytes + 1;  // a part without a text also costs work
    if (joined.bytes > limits.text_bytes) {
      return tl::unexpected(refused(ErrorCode::kLimitExceeded,
                                    "the grammars have more than " + std::to_string(limits.text_bytes) + " bytes",
                                    "text_bytes"));
    }
  }
  if (joined.depth > limits.nesting) {
    return tl::unexpected(refused(ErrorCode::kLimitExceeded,
                                  "grammars are joined at more than " + std::to_string(limits.nesting) + " levels",
                                  "nesting"));
  }
  joined.read = [sources = std::move(sources), how](Placement placement, Reading& reading) {
    const std::optional<grammar::RuleId> root = read_parts(sources, how, reading);
    if (placement == Placement::kWholeText) clear_positions(reading);  // once, for all levels
    return root;
  };
  return read(limits, std::move(joined));
}

}  // namespace

Grammar::Grammar(std::shared_ptr<const grammar::Grammar> ir, std::vector<Warning> warnings, Limits limits,
                 std::shared_ptr<const frontend::Source> source) noexcept
    : ir_(std::move(ir)), warnings_(std::move(warnings)), limits_(limits), source_(std::move(source)) {}

Result<Grammar> Grammar::from_ebnf(std::string_view text, const EbnfOptions& options, const Limits& limits) {
  return from_text(text, {.syntax = GrammarSyntax::kEbnf, .start = options.start}, limits);
}

Result<Grammar> Grammar::from_text(std::string_view text, const GrammarTextOptions& options, const Limits& limits) {
  return read_one(text, limits, [options](std::string_view from, Reading& reading) {
    return frontend::read_text(from, options, reading);
  });
}

Result<Grammar> Grammar::from_regex(std::string_view pattern, const RegexOptions& options, const Limits& limits) {
  const regex::SyntaxOptions syntax = frontend::regex_syntax(options);
  return read_one(pattern, limits, [syntax](std::string_view from, Reading& reading) {
    return frontend::read_regex(from, syntax, reading);
  });
}

Result<Grammar> Grammar::from_json_schema(std::string_view schema, const JsonSchemaOptions& options,
                                          const Limits& limits) {
  Source source{[text = std::string(schema), options](Placement placement, Reading& reading) {
                  return frontend::read_json_schema(text, options, placement, reading);
                },
                schema.size()};
  return base::build_call(limits, [&]() -> Result<Grammar> {
    grammar::Grammar ir(limits.regex_nodes);
    Reading reading{ir, limits, &frontend::json_schema::schema_review()};
    const std::optional<grammar::RuleId> rule = source.read(Placement::kWholeText, reading);
    if (!rule) return tl::unexpected(std::move(reading.errors.front()));
    ir.start = *rule;
    // The schema's rules are made later, so the passes have nothing to warn of.
    return Grammar(std::make_shared<const grammar::Grammar>(std::move(ir)), std::move(reading.warnings), limits,
                   std::make_shared<const Source>(std::move(source)));
  });
}

Result<Grammar> Grammar::from_structural_tag(std::string_view text, const StructuralTagOptions& options,
                                             const Limits& limits) {
  return read_one(text, limits, [options](std::string_view from, Reading& reading) {
    return frontend::read_structural_tag(from, options, reading);
  });
}

Result<Grammar> Grammar::from_response_format(std::string_view text, const StructuralTagOptions& options,
                                              const Limits& limits) {
  return read_one(text, limits, [options](std::string_view from, Reading& reading) {
    return frontend::read_response_format(from, options, reading);
  });
}

Result<Grammar> Grammar::from_choice(std::span<const std::string> strings, const Limits& limits) {
  std::size_t bytes = 0;
  for (const std::string& string : strings) bytes += string.size();
  return read(limits, {[own = std::vector<std::string>(strings.begin(), strings.end())](Placement, Reading& reading) {
                         return frontend::read_choice(own, reading);
                       },
                       bytes});
}

Result<Grammar> Grammar::from_substring(std::string_view text, SubstringUnit unit, const Limits& limits) {
  return read_one(text, limits, [unit](std::string_view from, Reading& reading) {
    return frontend::read_substring(from, unit, reading);
  });
}

Result<Grammar> Grammar::concat(std::span<const Grammar> parts, const Limits& limits) {
  return join(parts, Join::kSequence, limits);
}

Result<Grammar> Grammar::any_of(std::span<const Grammar> parts, const Limits& limits) {
  return join(parts, Join::kChoice, limits);
}

Result<Grammar> Grammar::from_substring_chunks(std::span<const std::string> chunks, const Limits& limits) {
  std::size_t bytes = 0;
  for (const std::string& chunk : chunks) bytes += chunk.size();
  return read(limits, {[own = std::vector<std::string>(chunks.begin(), chunks.end())](Placement, Reading& reading) {
                         return frontend::read_substring_chunks(own, reading);
                       },
                       bytes});
}

Result<Grammar> Grammar::json(const JsonSchemaOptions& options, const Limits& limits) {
  return from_json_schema("true", options, limits);
}

Result<Grammar> Grammar::json_object(const JsonSchemaOptions& options, const Limits& limits) {
  return from_json_schema(R"({"type": "object"})", options, limits);
}

}  // namespace weir
