#include "c_api/options.h"
#include "weir/strict_schema.h"

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

namespace {

using weir::Grammar;

// The body of the functions that make a grammar. `to_given(limits)` returns a Result of what the grammar is made of, as
// C++ takes it; `make` makes the grammar of that, under the limits.
template <typename ToGiven, typename Make>
weir_status build_grammar(const weir_limits* limits, weir_grammar** out, weir_error** error, const ToGiven& to_given,
                          const Make& make) noexcept {
  return build(out, error, [&]() -> weir::Result<Grammar> {
    return to_cpp(limits).and_then([&](const weir::Limits& under) {
      return to_given(under).and_then([&](const auto& given) -> weir::Result<Grammar> { return make(given, under); });
    });
  });
}

// The body of the functions that read a text with options. `to_options` converts the options to C++.
template <typename Options, typename ToOptions, typename Read>
weir_status read_text(weir_text text, const Options* options, const weir_limits* limits, weir_grammar** out,
                      weir_error** error, const ToOptions& to_options, const Read& read) noexcept {
  const auto to_given = [&](const weir::Limits&) {
    return is_valid(text) ? to_options(options) : is_no_array("the text");
  };
  return build_grammar(limits, out, error, to_given,
                       [&](const auto& given, const weir::Limits& under) { return read(to_view(text), given, under); });
}

weir::Result<std::vector<Grammar>> to_parts(const weir_grammar* const* parts, size_t count) {
  std::vector<Grammar> out;
  if (!is_valid(parts, count)) return is_no_array("`parts`");
  for (size_t i = 0; i < count; ++i) {
    if (parts[i] == nullptr) return is_null("one of `parts`");
    out.push_back(parts[i]->value);
  }
  return out;
}

}  // namespace

weir_status weir_grammar_from_ebnf(weir_text text, const weir_ebnf_options* options, const weir_limits* limits,
                                   weir_grammar** out, weir_error** error) {
  return read_text(text, options, limits, out, error, to_cpp<weir_ebnf_options>, Grammar::from_ebnf);
}

weir_status weir_grammar_from_text(weir_text text, const weir_text_options* options, const weir_limits* limits,
                                   weir_grammar** out, weir_error** error) {
  return read_text(text, options, limits, out, error, to_cpp<weir_text_options>, Grammar::from_text);
}

weir_status weir_grammar_from_regex(weir_text pattern, const weir_regex_options* options, const weir_limits* limits,
                                    weir_grammar** out, weir_error** error) {
  return read_text(pattern, options, limits, out, error, to_cpp<weir_regex_options>, Grammar::from_regex);
}

weir_status weir_grammar_from_json_schema(weir_text schema, const weir_json_schema_options* options,
                                          const weir_limits* limits, weir_grammar** out, weir_error** error) {
  return read_text(schema, options, limits, out, error, to_cpp<weir_json_schema_options>, Grammar::from_json_schema);
}

weir_status weir_grammar_json(const weir_json_schema_options* options, const weir_limits* limits, weir_grammar** out,
                              weir_error** error) {
  return build_grammar(
      limits, out, error, [&](const weir::Limits&) { return to_cpp(options); }, Grammar::json);
}

weir_status weir_grammar_json_object(const weir_json_schema_options* options, const weir_limits* limits,
                                     weir_grammar** out, weir_error** error) {
  return build_grammar(
      limits, out, error, [&](const weir::Limits&) { return to_cpp(options); }, Grammar::json_object);
}

weir_status weir_grammar_from_structural_tag(weir_text tag, const weir_structural_tag_options* options,
                                             const weir_limits* limits, weir_grammar** out, weir_error** error) {
  return read_text(tag, options, limits, out, error, to_cpp<weir_structural_tag_options>, Grammar::from_structural_tag);
}

weir_status weir_grammar_from_response_format(weir_text format, const weir_structural_tag_options* options,
                                              const weir_limits* limits, weir_grammar** out, weir_error** error) {
  return read_text(format, options, limits, out, error, to_cpp<weir_structural_tag_options>,
                   Grammar::from_response_format);
}

weir_status weir_grammar_from_choice(const weir_text* strings, size_t count, const weir_limits* limits,
                                     weir_grammar** out, weir_error** error) {
  return build_grammar(
      limits, out, error, [&](const weir::Limits& under) { return to_strings(strings, count, under); },
      Grammar::from_choice);
}

weir_status weir_grammar_from_substring(weir_text text, int32_t unit, const weir_limits* limits, weir_grammar** out,
                                        weir_error** error) {
  return build_grammar(
      limits, out, error, [&](const weir::Limits&) { return to_unit(text, unit); },
      [&](weir::SubstringUnit given, const weir::Limits& under) {
        return Grammar::from_substring(to_view(text), given, under);
      });
}

weir_status weir_grammar_concat(const weir_grammar* const* parts, size_t count, const weir_limits* limits,
                                weir_grammar** out, weir_error** error) {
  return build_grammar(
      limits, out, error, [&](const weir::Limits&) { return to_parts(parts, count); }, Grammar::concat);
}

weir_status weir_grammar_any_of(const weir_grammar* const* parts, size_t count, const weir_limits* limits,
                                weir_grammar** out, weir_error** error) {
  return build_grammar(
      limits, out, error, [&](const weir::Limits&) { return to_parts(parts, count); }, Grammar::any_of);
}

weir_status weir_strict_json_schema(weir_text schema, const weir_limits* limits, weir_owned_text* out,
                                    weir_error** error) {
  return build_text(out, error, [&]() -> weir::Result<std::string> {
    if (!is_valid(schema)) return is_no_array("the schema");
    return to_cpp(limits).and_then(
        [&](const weir::Limits& under) { return weir::strict_json_schema(to_view(schema), under); });
  });
}

weir_status weir_convert_to_regex(const weir_grammar* grammar, weir_owned_text* out, weir_error** error) {
  return build_text(out, error, [&]() -> weir::Result<std::string> {
    if (grammar == nullptr) return is_null("`grammar`");
    return weir::convert_to_regex(grammar->value);
  });
}

weir_status weir_convert_grammar(const weir_grammar* grammar, int32_t to, weir_owned_text* out, weir_error** error) {
  return build_text(out, error, [&]() -> weir::Result<std::string> {
    if (grammar == nullptr) return is_null("`grammar`");
    return to_syntax(to).and_then(
        [&](weir::GrammarSyntax syntax) { return weir::convert_grammar(grammar->value, syntax); });
  });
}

weir_status weir_grammar_from_substring_chunks(const weir_text* chunks, size_t count, const weir_limits* limits,
                                               weir_grammar** out, weir_error** error) {
  return build_grammar(
      limits, out, error, [&](const weir::Limits& under) { return to_strings(chunks, count, under); },
      Grammar::from_substring_chunks);
}

const char* weir_grammar_syntax_name(weir_grammar_syntax syntax) {
  const auto known = to_syntax(syntax);
  return known ? weir::to_string(*known).data()
               : "unknown";  // NOLINT(bugprone-suspicious-stringview-data-usage): literals
}

weir_status weir_grammar_syntax_named(weir_text name, weir_grammar_syntax* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = WEIR_SYNTAX_EBNF;
  if (!is_valid(name)) return WEIR_INVALID_ARGUMENT;
  const auto syntax = weir::syntax_named(to_view(name));
  if (!syntax) return WEIR_NOT_FOUND;
  *out = static_cast<weir_grammar_syntax>(*syntax);
  return WEIR_OK;
}

weir_status weir_grammar_clone(const weir_grammar* grammar, weir_grammar** out) {
  return derive(grammar, out, [](const weir_grammar& from) { return from.value; });
}

void weir_grammar_free(weir_grammar* grammar) { delete grammar; }

size_t weir_grammar_warning_count(const weir_grammar* grammar) {
  return grammar != nullptr ? grammar->value.warnings().size() : 0;
}

weir_status weir_grammar_diagnostics(const weir_grammar* grammar, weir_diagnostics** out) {
  return give_warnings(grammar != nullptr ? &grammar->value.warnings() : nullptr, out);
}

weir_status weir_grammar_warning(const weir_grammar* grammar, size_t index, weir_warning* out) {
  if (grammar != nullptr) return warning_at(grammar->value.warnings(), index, out);
  return warning_at({}, index, out);
}
