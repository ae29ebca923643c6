#include "weir/grammar.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/build_call.h"
#include "base/json/json_value.h"
#include "base/stack.h"
#include "frontend/choice.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/reading.h"
#include "frontend/regex/regex.h"
#include "frontend/structural_tag/response_format.h"
#include "frontend/structural_tag/structural_tag.h"
#include "frontend/structural_tag/tool_places.h"
#include "frontend/substring.h"
#include "frontend/text.h"
#include "frontend/text_limit.h"
#include "grammar/ir.h"
#include "grammar/passes/free_texts.h"
#include "grammar/passes/productive.h"
#include "grammar/passes/unused.h"
#include "input/source.h"
#include "input/tool_grammars.h"
#include "lint/schema_lint.h"

namespace weir {

using frontend::Reading;
using frontend::json_schema::Placement;
using input::GrammarSource;
using input::read;

namespace {

using Join = GrammarSource::Join;
using Parts = std::vector<std::shared_ptr<const GrammarSource>>;

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
    warning.pointer.clear();
    warning.notes.clear();
  }
  for (Error& error : reading.errors) error = refused(error.code, std::move(error.message), std::move(error.limit));
}

std::optional<grammar::RuleId> read_parts(const Parts& parts, Join how, Reading& reading) {
  std::vector<grammar::NodeId> nodes;
  for (const std::shared_ptr<const GrammarSource>& part : parts) {
    const std::optional<grammar::RuleId> rule =
        base::with_stack([&] { return input::read_into(*part, Placement::kEmbedded, reading); });
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
  GrammarSource joined(how);
  for (const Grammar& part : parts) {
    if (part.ir().keeps_endless) {
      Error error = refused(ErrorCode::kUnsupported, "a grammar with `keep_endless` cannot be joined with others");
      error.options = "keep_endless";
      return tl::unexpected(std::move(error));
    }
    joined.parts.push_back(part.source());
    joined.depth = std::max(joined.depth, part.source()->depth + 1);
    joined.bytes += part.source()->bytes + 1;  // a part without a text also costs work
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
  return read(std::move(joined), limits);
}

// Reads a source of each kind.
struct Reader {
  const GrammarSource& source;
  Placement placement;
  Reading& reading;

  using Rule = std::optional<grammar::RuleId>;
  [[nodiscard]] const std::string& text() const { return source.texts.front(); }
  Rule operator()(const GrammarTextOptions& o) const { return frontend::read_text(text(), o, reading); }
  Rule operator()(const RegexOptions& o) const {
    return frontend::read_regex(text(), frontend::regex_syntax(o), reading);
  }
  Rule operator()(const JsonSchemaOptions& o) const {
    return frontend::read_json_schema(text(), o, placement, reading);
  }
  Rule operator()(const StructuralTagOptions& o) const { return frontend::read_structural_tag(text(), o, reading); }
  Rule operator()(const GrammarSource::ResponseFormat& o) const {
    return frontend::read_response_format(text(), o, reading);
  }
  Rule operator()(SubstringUnit unit) const { return frontend::read_substring(text(), unit, reading); }
  Rule operator()(GrammarSource::Choice) const { return frontend::read_choice(source.texts, reading); }
  Rule operator()(GrammarSource::Chunks) const { return frontend::read_substring_chunks(source.texts, reading); }
  Rule operator()(Join how) const {
    const Rule root = read_parts(source.parts, how, reading);
    if (placement == Placement::kWholeText) clear_positions(reading);  // once, for all levels
    return root;
  }
};

bool is_structural_tag(const GrammarSource& source) {
  return std::holds_alternative<StructuralTagOptions>(source.kind) ||
         std::holds_alternative<GrammarSource::ResponseFormat>(source.kind);
}

}  // namespace

GrammarSource::GrammarSource(Kind how, std::vector<std::string> of) : kind(std::move(how)), texts(std::move(of)) {
  for (const std::string& text : texts) bytes += text.size();
}

// Parts end within one another, as deep as grammars were joined.
GrammarSource::~GrammarSource() {
  if (!parts.empty()) base::with_stack([&] { parts.clear(); });
}

}  // namespace weir

namespace weir::input {

GrammarSource ebnf_source(std::string_view text, const EbnfOptions& options, const Limits& limits) {
  return {GrammarTextOptions{.syntax = GrammarSyntax::kEbnf, .start = options.start}, text, limits};
}

GrammarSource json_source(const JsonSchemaOptions& options, const Limits& limits) { return {options, "true", limits}; }

GrammarSource json_object_source(const JsonSchemaOptions& options, const Limits& limits) {
  return {options, R"({"type": "object"})", limits};
}

std::optional<grammar::RuleId> read_into(const GrammarSource& source, Placement placement, Reading& reading) {
  return std::visit(Reader{source, placement, reading}, source.kind);
}

bool is_json(const GrammarSource& source, const Limits& limits) {
  if (std::holds_alternative<JsonSchemaOptions>(source.kind)) return true;
  return std::holds_alternative<GrammarSource::ResponseFormat>(source.kind) &&
         frontend::is_json_format(source.texts.front(), limits);
}

void move_into_tools(const GrammarSource& source, Error& error, const Limits& limits) {
  if (!is_structural_tag(source)) return;
  frontend::structural_tag::move_into_tools(source.texts.front(), error, limits);
}

std::vector<ToolGrammar> tool_grammars(const GrammarSource& source, const Limits& limits) {
  if (!is_structural_tag(source)) return {};
  return frontend::structural_tag::tool_grammars(source.texts.front(), limits);
}

void place_warnings(const GrammarSource& source, std::vector<Warning>& warnings, const Limits& limits,
                    const base::JsonDocument* schema) {
  if (is_structural_tag(source)) {
    frontend::structural_tag::move_into_tools(source.texts.front(), warnings, limits);
  } else if (std::holds_alternative<JsonSchemaOptions>(source.kind) && !warnings.empty()) {
    std::optional<base::JsonDocument> document;
    if (schema == nullptr) {
      auto parsed = base::JsonDocument::parse(source.texts.front(), limits);
      if (!parsed) return;
      schema = &document.emplace(*std::move(parsed));
    }
    for (Warning& warning : warnings) {
      if (warning.where != SourceRange{}) {
        warning.pointer = frontend::json_schema::pointer_at(schema->root(), warning.where);
      }
    }
  }
}

Result<Grammar> read(GrammarSource given, const Limits& limits) {
  const auto shared = std::make_shared<const GrammarSource>(std::move(given));
  const GrammarSource& source = *shared;
  Result<Grammar> grammar = base::build_call(limits, [&]() -> Result<Grammar> {
    grammar::Grammar ir(limits.regex_nodes);
    Reading reading{ir, limits, &frontend::json_schema::schema_review()};
    if (source.texts.size() == 1 && source.bytes > limits.text_bytes) {
      return tl::unexpected(frontend::text_too_long(source.bytes, limits));
    }
    const std::optional<grammar::RuleId> start = read_into(source, Placement::kWholeText, reading);
    if (!start) return tl::unexpected(std::move(reading.errors.front()));
    ir.start = *start;
    if (auto kept = grammar::keep_out_of_free_texts(ir, limits.regex_fuel); !kept) {
      return tl::unexpected(std::move(kept.error()));
    }
    std::vector<Warning> warnings = std::move(reading.warnings);
    // The rules of a schema are made later, so the passes have nothing to warn of.
    if (!std::holds_alternative<JsonSchemaOptions>(source.kind)) {
      grammar::Grammar scratch = ir;
      grammar::drop_unused(scratch, &warnings);
      static_cast<void>(grammar::remove_unproductive(scratch, limits, &warnings));
      ir.exprs = std::move(scratch.exprs);  // with cached results about them
    }
    place_warnings(source, warnings, limits, reading.schema.get());
    base::shorten(warnings);
    for (Warning& warning : warnings) base::make_utf8(warning);
    return Grammar(std::make_shared<const grammar::Grammar>(std::move(ir)), std::move(warnings), limits, shared);
  });
  if (!grammar) move_into_tools(source, grammar.error(), limits);
  return grammar;
}

}  // namespace weir::input

namespace weir {

Grammar::Grammar(std::shared_ptr<const grammar::Grammar> ir, std::vector<Warning> warnings, Limits limits,
                 std::shared_ptr<const GrammarSource> source) noexcept
    : ir_(std::move(ir)), warnings_(std::move(warnings)), limits_(limits), source_(std::move(source)) {}

Result<Grammar> Grammar::from_ebnf(std::string_view text, const EbnfOptions& options, const Limits& limits) {
  return read(input::ebnf_source(text, options, limits), limits);
}

Result<Grammar> Grammar::from_text(std::string_view text, const GrammarTextOptions& options, const Limits& limits) {
  return read({options, text, limits}, limits);
}

Result<Grammar> Grammar::from_regex(std::string_view pattern, const RegexOptions& options, const Limits& limits) {
  return read({options, pattern, limits}, limits);
}

Result<Grammar> Grammar::from_json_schema(std::string_view schema, const JsonSchemaOptions& options,
                                          const Limits& limits) {
  return read({options, schema, limits}, limits);
}

Result<Grammar> Grammar::json(const JsonSchemaOptions& options, const Limits& limits) {
  return read(input::json_source(options, limits), limits);
}

Result<Grammar> Grammar::json_object(const JsonSchemaOptions& options, const Limits& limits) {
  return read(input::json_object_source(options, limits), limits);
}

Result<Grammar> Grammar::from_structural_tag(std::string_view text, const StructuralTagOptions& options,
                                             const Limits& limits) {
  return read({options, text, limits}, limits);
}

Result<Grammar> Grammar::from_response_format(std::string_view text, const StructuralTagOptions& options,
                                              const Limits& limits) {
  return read({GrammarSource::ResponseFormat{options}, text, limits}, limits);
}

Result<Grammar> Grammar::from_choice(std::span<const std::string> strings, const Limits& limits) {
  return read({GrammarSource::Choice(), {strings.begin(), strings.end()}}, limits);
}

Result<Grammar> Grammar::from_substring(std::string_view text, SubstringUnit unit, const Limits& limits) {
  return read({unit, text, limits}, limits);
}

Result<Grammar> Grammar::from_substring_chunks(std::span<const std::string> chunks, const Limits& limits) {
  return read({GrammarSource::Chunks(), {chunks.begin(), chunks.end()}}, limits);
}

Result<Grammar> Grammar::concat(std::span<const Grammar> parts, const Limits& limits) {
  return join(parts, Join::kSequence, limits);
}

Result<Grammar> Grammar::any_of(std::span<const Grammar> parts, const Limits& limits) {
  return join(parts, Join::kChoice, limits);
}

}  // namespace weir
