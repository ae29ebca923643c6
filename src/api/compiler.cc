#include "weir/compiler.h"

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "api/grammar_cache.h"
#include "base/build_call.h"
#include "base/utf8.h"
#include "engine/automaton/compiled.h"
#include "engine/automaton/warm_up.h"
#include "engine/facts/vocabulary_store.h"
#include "input/source.h"
#include "input/tool_grammars.h"

namespace weir {

using input::GrammarSource;

const TokenizerInfo& CompiledGrammar::tokenizer_info() const noexcept { return impl_->program().tokenizer; }
const std::vector<Warning>& CompiledGrammar::warnings() const noexcept { return impl_->program().warnings; }
EngineStats CompiledGrammar::stats() const { return impl_->stats(); }
WarmUpReport CompiledGrammar::warm_up(const WarmUpOptions& options) const noexcept {
  return engine::warm_up(*impl_, options);
}
void CompiledGrammar::stop_warm_up() const noexcept { engine::stop_warm_up(*impl_); }

GrammarCompiler::GrammarCompiler(TokenizerInfo tokenizer_info, const Limits& limits)
    : tokenizer_info_(std::move(tokenizer_info)), limits_(limits), cache_(std::make_shared<GrammarCache>(limits)) {
  const vocab::Vocabulary& vocabulary = tokenizer_info_.vocabulary();
  vocabulary.extension<engine::VocabularyStore>().facts.prepare(vocabulary);
}

namespace {

Result<std::shared_ptr<engine::Compiled>> compile_alone(const Grammar& grammar, const TokenizerInfo& tokenizer,
                                                        const Limits& limits, const engine::PlaceWarnings& place = {}) {
  return engine::make_program(grammar, tokenizer, limits, place)
      .and_then(
          [](std::shared_ptr<const engine::Program> program) { return engine::Compiled::create(std::move(program)); });
}

// Returns the error of a custom tool whose grammar no text satisfies. Beside other tools it would never be called, without
// a word: masks keep out what leads nowhere.
std::optional<Error> tool_without_text(const GrammarSource& source, const TokenizerInfo& tokenizer,
                                       const Limits& limits) {
  for (const input::ToolGrammar& tool : input::tool_grammars(source, limits)) {
    GrammarTextOptions options;
    options.syntax = GrammarSyntax::kLark;
    const auto compiled = input::read({options, tool.definition, limits}, limits).and_then([&](const Grammar& grammar) {
      return compile_alone(grammar, tokenizer, limits);
    });
    if (compiled || compiled.error().code != ErrorCode::kUnsatisfiable) continue;
    Error error{ErrorCode::kUnsatisfiable,
                "tool `" + base::escape_for_display(tool.tool) + "`: its grammar: " + compiled.error().message,
                tool.where, compiled.error().hint};
    error.pointer = tool.pointer;
    error.text = tool.tools;
    return error;
  }
  return std::nullopt;
}

}  // namespace

Result<CompiledGrammar> GrammarCompiler::compile(const Grammar& grammar) const {
  const GrammarSource* const source = grammar.source().get();  // null for a grammar that is not read from a text
  Result<CompiledGrammar> compiled = base::build_call(limits_, [&]() -> Result<CompiledGrammar> {
    const auto place = [&](std::vector<Warning>& warnings) {
      if (source != nullptr) input::place_warnings(*source, warnings, limits_);
    };
    auto whole = compile_alone(grammar, tokenizer_info_, limits_, place);
    if (source != nullptr && (whole || whole.error().code == ErrorCode::kUnsatisfiable)) {
      if (auto lost = tool_without_text(*source, tokenizer_info_, limits_)) return tl::unexpected(*std::move(lost));
    }
    return std::move(whole).map(
        [](std::shared_ptr<engine::Compiled> made) { return CompiledGrammar(std::move(made)); });
  });
  if (!compiled && source != nullptr) input::move_into_tools(*source, compiled.error(), limits_);
  return compiled;
}

namespace {

// Adds the tokenizer's special tokens to the options of a structural tag or a response_format that list none.
void add_special_tokens(GrammarSource& source, const TokenizerInfo& tokenizer) {
  StructuralTagOptions* options = std::get_if<StructuralTagOptions>(&source.kind);
  if (options == nullptr) options = std::get_if<GrammarSource::ResponseFormat>(&source.kind);
  if (options == nullptr || !options->special_tokens.empty()) return;
  for (const std::uint32_t id : tokenizer.vocabulary().special_tokens()) {
    options->special_tokens.emplace_back(tokenizer.token_name(id));
  }
}

}  // namespace

Result<CompiledGrammar> GrammarCompiler::compile(const GrammarSource& source) const {
  return cache_->get(source, [&] {
    GrammarSource read = source;
    add_special_tokens(read, tokenizer_info_);
    return input::read(std::move(read), limits_).and_then([this](const Grammar& grammar) { return compile(grammar); });
  });
}

Result<CompiledGrammar> GrammarCompiler::compile_ebnf(std::string_view text, const EbnfOptions& options) const {
  return compile(input::ebnf_source(text, options, limits_));
}

Result<CompiledGrammar> GrammarCompiler::compile_text(std::string_view text, const GrammarTextOptions& options) const {
  return compile(GrammarSource(options, text, limits_));
}

Result<CompiledGrammar> GrammarCompiler::compile_regex(std::string_view pattern, const RegexOptions& options) const {
  return compile(GrammarSource(options, pattern, limits_));
}

Result<CompiledGrammar> GrammarCompiler::compile_json_schema(std::string_view schema,
                                                             const JsonSchemaOptions& options) const {
  return compile(GrammarSource(options, schema, limits_));
}

Result<CompiledGrammar> GrammarCompiler::compile_structural_tag(std::string_view text,
                                                                const StructuralTagOptions& options) const {
  return compile(GrammarSource(options, text, limits_));
}

Result<CompiledGrammar> GrammarCompiler::compile_response_format(std::string_view text,
                                                                 const StructuralTagOptions& options) const {
  return compile(GrammarSource(GrammarSource::ResponseFormat{options}, text, limits_));
}

Result<CompiledGrammar> GrammarCompiler::compile_json(const JsonSchemaOptions& options) const {
  return compile(input::json_source(options, limits_));
}

Result<CompiledGrammar> GrammarCompiler::compile_json_object(const JsonSchemaOptions& options) const {
  return compile(input::json_object_source(options, limits_));
}

Result<CompiledGrammar> GrammarCompiler::compile_choice(std::span<const std::string> strings) const {
  return compile(GrammarSource(GrammarSource::Choice(), {strings.begin(), strings.end()}));
}

Result<CompiledGrammar> GrammarCompiler::compile_substring(std::string_view text, SubstringUnit unit) const {
  return compile(GrammarSource(unit, text, limits_));
}

Result<CompiledGrammar> GrammarCompiler::compile_substring_chunks(std::span<const std::string> chunks) const {
  return compile(GrammarSource(GrammarSource::Chunks(), {chunks.begin(), chunks.end()}));
}

CacheStats GrammarCompiler::cache_stats() const { return cache_->stats(); }
void GrammarCompiler::clear_cache() const { cache_->clear(); }

}  // namespace weir
