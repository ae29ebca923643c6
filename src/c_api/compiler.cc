#include <functional>

#include "c_api/options.h"

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

namespace {

using weir::CompiledGrammar;
using weir::GrammarCompiler;

// The body of the functions that compile an input. `to_given` returns a Result of what `compile` takes: options, strings.
template <typename ToGiven, typename Compile>
weir_status compile_given(const weir_compiler* compiler, weir_compiled_grammar** out, weir_error** error,
                          const ToGiven& to_given, const Compile& compile) noexcept {
  return build(out, error, [&]() -> weir::Result<CompiledGrammar> {
    if (compiler == nullptr) return is_null("`compiler`");
    return to_given().and_then([&](const auto& given) { return std::invoke(compile, compiler->value, given); });
  });
}

// The body of the functions that compile a text. `to_options` converts the options to C++.
template <typename Options, typename ToOptions, typename Compile>
weir_status compile_text(const weir_compiler* compiler, weir_text text, const Options* options,
                         weir_compiled_grammar** out, weir_error** error, const ToOptions& to_options,
                         Compile compile) noexcept {
  const auto to_given = [&] { return is_valid(text) ? to_options(options) : is_no_array("the text"); };
  return compile_given(compiler, out, error, to_given, [&](const GrammarCompiler& with, const auto& given) {
    return (with.*compile)(to_view(text), given);
  });
}

}  // namespace

weir_status weir_compiler_create(const weir_tokenizer_info* tokenizer, const weir_limits* limits, weir_compiler** out,
                                 weir_error** error) {
  return build(out, error, [&]() -> weir::Result<GrammarCompiler> {
    if (tokenizer == nullptr) return is_null("`tokenizer`");
    return to_cpp(limits).map([&](const weir::Limits& under) { return GrammarCompiler(tokenizer->value, under); });
  });
}

void weir_compiler_free(weir_compiler* compiler) { delete compiler; }

weir_status weir_compiler_tokenizer_info(const weir_compiler* compiler, weir_tokenizer_info** out) {
  return derive(compiler, out, [](const weir_compiler& from) { return from.value.tokenizer_info(); });
}

weir_status weir_compiler_limits(const weir_compiler* compiler, weir_limits* out) {
  if (compiler == nullptr || out == nullptr) return WEIR_INVALID_ARGUMENT;
  return store(compiler->value.limits(), out);
}

weir_status weir_compiler_compile(const weir_compiler* compiler, const weir_grammar* grammar,
                                  weir_compiled_grammar** out, weir_error** error) {
  return build(out, error, [&]() -> weir::Result<CompiledGrammar> {
    if (compiler == nullptr) return is_null("`compiler`");
    if (grammar == nullptr) return is_null("`grammar`");
    return compiler->value.compile(grammar->value);
  });
}

weir_status weir_compiler_compile_ebnf(const weir_compiler* compiler, weir_text text, const weir_ebnf_options* options,
                                       weir_compiled_grammar** out, weir_error** error) {
  return compile_text(compiler, text, options, out, error, to_cpp<weir_ebnf_options>, &GrammarCompiler::compile_ebnf);
}

weir_status weir_compiler_compile_text(const weir_compiler* compiler, weir_text text, const weir_text_options* options,
                                       weir_compiled_grammar** out, weir_error** error) {
  return compile_text(compiler, text, options, out, error, to_cpp<weir_text_options>, &GrammarCompiler::compile_text);
}

weir_status weir_compiler_compile_choice(const weir_compiler* compiler, const weir_text* strings, size_t count,
                                         weir_compiled_grammar** out, weir_error** error) {
  return compile_given(
      compiler, out, error, [&] { return to_strings(strings, count, compiler->value.limits()); },
      &GrammarCompiler::compile_choice);
}

weir_status weir_compiler_compile_substring(const weir_compiler* compiler, weir_text text, int32_t unit,
                                            weir_compiled_grammar** out, weir_error** error) {
  return compile_given(
      compiler, out, error, [&] { return to_unit(text, unit); },
      [&](const GrammarCompiler& with, weir::SubstringUnit given) {
        return with.compile_substring(to_view(text), given);
      });
}

weir_status weir_compiler_compile_substring_chunks(const weir_compiler* compiler, const weir_text* chunks, size_t count,
                                                   weir_compiled_grammar** out, weir_error** error) {
  return compile_given(
      compiler, out, error, [&] { return to_strings(chunks, count, compiler->value.limits()); },
      &GrammarCompiler::compile_substring_chunks);
}

weir_status weir_compiler_compile_regex(const weir_compiler* compiler, weir_text pattern,
                                        const weir_regex_options* options, weir_compiled_grammar** out,
                                        weir_error** error) {
  return compile_text(compiler, pattern, options, out, error, to_cpp<weir_regex_options>,
                      &GrammarCompiler::compile_regex);
}

weir_status weir_compiler_compile_json_schema(const weir_compiler* compiler, weir_text schema,
                                              const weir_json_schema_options* options, weir_compiled_grammar** out,
                                              weir_error** error) {
  return compile_text(compiler, schema, options, out, error, to_cpp<weir_json_schema_options>,
                      &GrammarCompiler::compile_json_schema);
}

weir_status weir_compiler_compile_json(const weir_compiler* compiler, const weir_json_schema_options* options,
                                       weir_compiled_grammar** out, weir_error** error) {
  return compile_given(
      compiler, out, error, [&] { return to_cpp(options); }, &GrammarCompiler::compile_json);
}

weir_status weir_compiler_compile_json_object(const weir_compiler* compiler, const weir_json_schema_options* options,
                                              weir_compiled_grammar** out, weir_error** error) {
  return compile_given(
      compiler, out, error, [&] { return to_cpp(options); }, &GrammarCompiler::compile_json_object);
}

weir_status weir_compiler_compile_structural_tag(const weir_compiler* compiler, weir_text tag,
                                                 const weir_structural_tag_options* options,
                                                 weir_compiled_grammar** out, weir_error** error) {
  return compile_text(compiler, tag, options, out, error, to_cpp<weir_structural_tag_options>,
                      &GrammarCompiler::compile_structural_tag);
}

weir_status weir_compiler_compile_response_format(const weir_compiler* compiler, weir_text format,
                                                  const weir_structural_tag_options* options,
                                                  weir_compiled_grammar** out, weir_error** error) {
  return compile_text(compiler, format, options, out, error, to_cpp<weir_structural_tag_options>,
                      &GrammarCompiler::compile_response_format);
}

weir_status weir_compiled_grammar_clone(const weir_compiled_grammar* compiled, weir_compiled_grammar** out) {
  return derive(compiled, out, [](const weir_compiled_grammar& from) { return from.value; });
}

void weir_compiled_grammar_free(weir_compiled_grammar* compiled) { delete compiled; }

weir_status weir_compiled_grammar_tokenizer_info(const weir_compiled_grammar* compiled, weir_tokenizer_info** out) {
  return derive(compiled, out, [](const weir_compiled_grammar& from) { return from.value.tokenizer_info(); });
}

size_t weir_compiled_grammar_warning_count(const weir_compiled_grammar* compiled) {
  return compiled != nullptr ? compiled->value.warnings().size() : 0;
}

weir_status weir_compiled_grammar_diagnostics(const weir_compiled_grammar* compiled, weir_diagnostics** out) {
  return give_warnings(compiled != nullptr ? &compiled->value.warnings() : nullptr, out);
}

weir_status weir_compiled_grammar_warning(const weir_compiled_grammar* compiled, size_t index, weir_warning* out) {
  if (compiled != nullptr) return warning_at(compiled->value.warnings(), index, out);
  return warning_at({}, index, out);
}

weir_status weir_compiled_grammar_stats(const weir_compiled_grammar* compiled, weir_engine_stats* out) {
  if (compiled == nullptr || out == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] { return store(compiled->value.stats(), out); });
}

weir_status weir_compiled_grammar_warm_up(const weir_compiled_grammar* compiled, const weir_warm_up_options* options,
                                          weir_warm_up_report* out) {
  if (compiled == nullptr || (out != nullptr && !is_struct_size(out->struct_size))) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    const weir::Result<weir::WarmUpOptions> given = to_cpp(options);
    if (!given) return to_status(given.error().code);
    const weir::WarmUpReport done = compiled->value.warm_up(*given);
    if (out == nullptr) return WEIR_OK;
    return store(done, out);
  });
}

weir_status weir_compiled_grammar_stop_warm_up(const weir_compiled_grammar* compiled) {
  if (compiled == nullptr) return WEIR_INVALID_ARGUMENT;
  compiled->value.stop_warm_up();
  return WEIR_OK;
}
