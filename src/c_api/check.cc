// Functions of the C interface that check texts.
#include "weir/check.h"

#include "c_api/options.h"
#include "weir/explain.h"

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

namespace {

// The body of the checks. `to_options` converts the options to C++; `find` returns the findings.
template <typename Options, typename ToOptions, typename Find>
weir_status check(weir_text text, const Options* options, const weir_limits* limits, weir_diagnostics** out,
                  weir_error** error, const ToOptions& to_options, const Find& find) noexcept {
  return build(out, error, [&]() -> weir::Result<std::vector<weir::Diagnostic>> {
    if (!is_valid(text)) return is_no_array("the text");
    return to_cpp(limits).and_then([&](const weir::Limits& under) {
      return to_options(options).map([&](const auto& given) { return find(to_view(text), given, under); });
    });
  });
}

}  // namespace

weir_status weir_check_grammar(weir_text text, const weir_text_options* options, const weir_limits* limits,
                               weir_diagnostics** out, weir_error** error) {
  return check(text, options, limits, out, error, to_cpp<weir_text_options>, weir::check_grammar);
}

weir_status weir_check_regex(weir_text pattern, const weir_regex_options* options, const weir_limits* limits,
                             weir_diagnostics** out, weir_error** error) {
  return check(pattern, options, limits, out, error, to_cpp<weir_regex_options>, weir::check_regex);
}

weir_status weir_check_schema(weir_text schema, const weir_json_schema_options* options, const weir_limits* limits,
                              weir_diagnostics** out, weir_error** error) {
  return check(schema, options, limits, out, error, to_cpp<weir_json_schema_options>, weir::check_schema);
}

weir_status weir_explain_refusal(weir_text schema, weir_text text, const weir_json_schema_options* options,
                                 const weir_limits* limits, weir_diagnostics** out, weir_error** error) {
  if (!is_valid(text)) {
    return check(text, options, limits, out, error, to_cpp<weir_json_schema_options>, weir::check_schema);
  }
  return check(schema, options, limits, out, error, to_cpp<weir_json_schema_options>,
               [&](std::string_view view, const weir::JsonSchemaOptions& given, const weir::Limits& under) {
                 return weir::explain_refusal(view, to_view(text), given, under);
               });
}

weir_status weir_check_structural_tag(weir_text tag, const weir_structural_tag_options* options,
                                      const weir_limits* limits, weir_diagnostics** out, weir_error** error) {
  return check(tag, options, limits, out, error, to_cpp<weir_structural_tag_options>, weir::check_structural_tag);
}

weir_status weir_check_response_format(weir_text format, const weir_structural_tag_options* options,
                                       const weir_limits* limits, weir_diagnostics** out, weir_error** error) {
  return check(format, options, limits, out, error, to_cpp<weir_structural_tag_options>, weir::check_response_format);
}
