#include "weir/compiler.h"

#include <string>
#include <utility>
#include <variant>

#include "api/grammar_cache.h"
#include "base/build_call.h"
#include "engine/explore/compiled.h"
#include "engine/explore/warm_up.h"
#include "engine/mask/vocabulary_store.h"

namespace weir {

using Source = GrammarCache::Source;

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

Result<CompiledGrammar> GrammarCompiler::compile(const Grammar& grammar) const {
  return base::build_call(limits_, [&] {
    return engine::make_program(grammar, tokenizer_info_, limits_)
        .and_then(
            [](std::shared_ptr<const engine::Program> program) { return engine::Compiled::create(std::move(program)); })
        .map([](std::shared_ptr<engine::Compiled> compiled) { return CompiledGrammar(std::move(compiled)); });
  });
}

Result<CompiledGrammar> GrammarCompiler::compile_ebnf(std::string_view text, const EbnfOptions& options) const {
  return cache_->get(Source::kEbnf, text, options, [&] {
    return Grammar::from_ebnf(text, options, limits_).and_then([this](const Grammar& g) { return compile(g); });
  });
}

Result<CompiledGrammar> GrammarCompiler::compile_text(std::string_view text, const GrammarTextOptions& options) const {
  return cache_->get(Source::kText, text, options, [&] {
    return Grammar::from_text(text, options, limits_).and_then([this](const Grammar& g) { return compile(g); });
  });
}

Result<CompiledGrammar> GrammarCompiler::compile_regex(std::string_view pattern, const RegexOptions& options) const {
  return cache_->get(Source::kRegex, pattern, options, [&] {
    return Grammar::from_regex(pattern, options, limits_).and_then([this](const Grammar& g) { return compile(g); });
  });
}

Result<CompiledGrammar> GrammarCompiler::compile_json_schema(std::string_view schema,
                                                             const JsonSchemaOptions& options) const {
  return cache_->get(Source::kJsonSchema, schema, options, [&] {
    return Grammar::from_json_schema(schema, options, limits_).and_then([this](const Grammar& g) {
      return compile(g);
    });
  });
}

namespace {

StructuralTagOptions with_special_tokens(StructuralTagOptions options, const TokenizerInfo& tokenizer) {
  if (!options.special_tokens.empty()) return options;
  for (std::uint32_t id = 0; id < tokenizer.vocab_size(); ++id) {
    if (tokenizer.token_kind(id) == TokenKind::kSpecial) options.special_tokens.emplace_back(tokenizer.token_name(id));
  }
  return options;
}

}  // namespace

Result<CompiledGrammar> GrammarCompiler::compile_structural_tag(std::string_view text,
                                                                const StructuralTagOptions& options) const {
  return cache_->get(Source::kStructuralTag, text, options, [&] {
    return Grammar::from_structural_tag(text, with_special_tokens(options, tokenizer_info_), limits_)
        .and_then([this](const Grammar& g) { return compile(g); });
  });
}

Result<CompiledGrammar> GrammarCompiler::compile_response_format(std::string_view text,
                                                                 const StructuralTagOptions& options) const {
  return cache_->get(Source::kResponseFormat, text, options, [&] {
    return Grammar::from_response_format(text, with_special_tokens(options, tokenizer_info_), limits_)
        .and_then([this](const Grammar& g) { return compile(g); });
  });
}

Result<CompiledGrammar> GrammarCompiler::compile_json(const JsonSchemaOptions& options) const {
  return cache_->get(Source::kAnyValue, {}, options, [&] {
    return Grammar::json(options, limits_).and_then([this](const Grammar& g) { return compile(g); });
  });
}

Result<CompiledGrammar> GrammarCompiler::compile_json_object(const JsonSchemaOptions& options) const {
  return cache_->get(Source::kAnyObject, {}, options, [&] {
    return Grammar::json_object(options, limits_).and_then([this](const Grammar& g) { return compile(g); });
  });
}

namespace {

// Returns a key that no other list of strings has.
std::string key_of(std::span<const std::string> strings) {
  std::string key;
  for (const std::string& string : strings) key += std::to_string(string.size()) + ":" + string;
  return key;
}

}  // namespace

Result<CompiledGrammar> GrammarCompiler::compile_choice(std::span<const std::string> strings) const {
  return cache_->get(Source::kChoice, key_of(strings), std::monostate(), [&] {
    return Grammar::from_choice(strings, limits_).and_then([this](const Grammar& g) { return compile(g); });
  });
}

Result<CompiledGrammar> GrammarCompiler::compile_substring(std::string_view text, SubstringUnit unit) const {
  return cache_->get(Source::kSubstring, text, unit, [&] {
    return Grammar::from_substring(text, unit, limits_).and_then([this](const Grammar& g) { return compile(g); });
  });
}

Result<CompiledGrammar> GrammarCompiler::compile_substring_chunks(std::span<const std::string> chunks) const {
  return cache_->get(Source::kSubstringChunks, key_of(chunks), std::monostate(), [&] {
    return Grammar::from_substring_chunks(chunks, limits_).and_then([this](const Grammar& g) { return compile(g); });
  });
}

CacheStats GrammarCompiler::cache_stats() const { return cache_->stats(); }
void GrammarCompiler::clear_cache() const { cache_->clear(); }

}  // namespace weir
