#include "grammar_text.h"

#include "weir/tools.h"

namespace weir::cli {

Result<Grammar> read_grammar(const GrammarText& input, const JsonSchemaOptions& schema, const Limits& limits,
                             const std::vector<std::string>& special_tokens) {
  if (input.notation && *input.notation != schema.notation) {
    JsonSchemaOptions noted = schema;
    noted.notation = *input.notation;
    return read_grammar(input, noted, limits, special_tokens);
  }
  const StructuralTagOptions tag_options{.json_schema = schema, .special_tokens = special_tokens};
  switch (input.language) {
    case InputLanguage::kGrammar: {
      GrammarTextOptions options = input.text_options;
      if (options.syntax == GrammarSyntax::kLark) options.json_schema = schema;
      return Grammar::from_text(input.text, options, limits);
    }
    case InputLanguage::kRegex: return Grammar::from_regex(input.text, input.regex_options, limits);
    case InputLanguage::kStructuralTag: return Grammar::from_structural_tag(input.text, tag_options, limits);
    case InputLanguage::kTools:
      return structural_tag_for_tools(input.style, input.text, {}, limits).and_then([&](const std::string& tag) {
        return Grammar::from_structural_tag(tag, tag_options, limits);
      });
    case InputLanguage::kResponseFormat: return Grammar::from_response_format(input.text, tag_options, limits);
    case InputLanguage::kJsonValue: return Grammar::json(schema, limits);
    case InputLanguage::kJsonObject: return Grammar::json_object(schema, limits);
    case InputLanguage::kChoice: return Grammar::from_choice(input.strings, limits);
    case InputLanguage::kSubstring: return Grammar::from_substring(input.text, input.unit, limits);
    case InputLanguage::kChunks: return Grammar::from_substring_chunks(input.strings, limits);
    case InputLanguage::kSchema: break;
  }
  return Grammar::from_json_schema(input.text, schema, limits);
}

std::optional<GrammarSyntax> syntax_of_file(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::nullopt : syntax_named(path.substr(dot + 1));
}

}  // namespace weir::cli
