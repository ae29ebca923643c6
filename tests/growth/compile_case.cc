#include "growth/compile_case.h"

#include <array>
#include <charconv>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "weir/members.h"

namespace weir::growth {

namespace {

std::uint32_t number(const std::string& text) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Sets an option to its value in a case. Enumerators are given by number.
template <typename T>
void set(T& option, const std::string& value) {
  if constexpr (std::is_same_v<T, bool>) {
    option = value == "1";
  } else if constexpr (std::is_same_v<T, std::string>) {
    option = value;
  } else if constexpr (std::is_same_v<T, std::vector<SchemaDocument>>) {
    option.push_back({"https://example.com/document", value});
  } else {
    option = static_cast<T>(number(value));
  }
}

JsonSchemaOptions schema_options(const Case& one) {
  JsonSchemaOptions options;
  const auto profile = one.options.find("profile");
  if (profile != one.options.end()) options = *schema_profile(profile->second);
  for_each_member<JsonSchemaOptions>([&](const char* name, auto member, const char*) {
    const auto found = one.options.find(name);
    if (found != one.options.end()) set(options.*member, found->second);
  });
  return options;
}

std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

Result<CompiledGrammar> compile_tag(const Case& one, const GrammarCompiler& compiler, const std::string& text) {
  StructuralTagOptions options;
  options.json_schema = schema_options(one);
  if (const auto found = one.options.find("special_tokens"); found != one.options.end()) {
    options.special_tokens = lines(found->second);
  }
  return compiler.compile_structural_tag(text, options);
}

RegexOptions regex_options(const Case& one) {
  RegexOptions options;
  const auto flag = [&](const char* name) {
    const auto found = one.options.find(name);
    return found != one.options.end() && found->second == "1";
  };
  if (const auto dialect = one.options.find("dialect"); dialect != one.options.end()) {
    set(options.dialect, dialect->second);
  }
  if (flag("search")) options.match = RegexMatch::kSearch;
  options.ignore_case = flag("ignore_case");
  options.multi_line = flag("multi_line");
  options.dot_all = flag("dot_all");
  options.extended = flag("extended");
  options.operators = options.dialect == RegexDialect::kWeir;
  return options;
}

struct Syntax {
  std::string_view name;
  Result<CompiledGrammar> (*compile)(const Case& one, const GrammarCompiler& compiler, const std::string& text);
};

using C = const Case&;
using G = const GrammarCompiler&;
using T = const std::string&;

Result<CompiledGrammar> compile_text(C one, G compiler, T text) {
  GrammarTextOptions options;
  options.syntax = *syntax_named(one.syntax);
  options.exact_splits = one.options.contains("exact_splits");
  options.keep_endless = one.options.contains("keep_endless");
  if (const auto found = one.options.find("language"); found != one.options.end()) options.language = found->second;
  options.json_schema = schema_options(one);
  if (const auto found = one.options.find("grammars"); found != one.options.end()) {
    options.grammars.push_back({"other", found->second, options.syntax});
  }
  return compiler.compile_text(text, options);
}

Result<CompiledGrammar> compile_parts(const GrammarCompiler& compiler, std::string_view text, bool is_sequence) {
  std::vector<Grammar> parts;
  for (const std::string& line : lines(text)) {
    Result<Grammar> part = Grammar::from_ebnf(line, {}, compiler.limits());
    if (!part) return tl::unexpected(part.error());
    parts.push_back(*std::move(part));
  }
  const Result<Grammar> whole =
      is_sequence ? Grammar::concat(parts, compiler.limits()) : Grammar::any_of(parts, compiler.limits());
  if (!whole) return tl::unexpected(whole.error());
  return compiler.compile(*whole);
}

constexpr std::array kSyntaxes = std::to_array<Syntax>({
    {"ebnf", compile_text},
    {"gbnf", compile_text},
    {"xgrammar", compile_text},
    {"kbnf", compile_text},
    {"lark", compile_text},
    {"regex", [](C one, G compiler, T text) { return compiler.compile_regex(text, regex_options(one)); }},
    {"json_schema", [](C one, G compiler, T text) { return compiler.compile_json_schema(text, schema_options(one)); }},
    {"structural_tag", compile_tag},
    {"response_format",
     [](C one, G compiler, T text) {
       StructuralTagOptions options;
       options.json_schema = schema_options(one);
       return compiler.compile_response_format(text, options);
     }},
    {"tools", compile_tag},
    {"choice", [](C, G compiler, T text) { return compiler.compile_choice(lines(text)); }},
    {"substring", [](C, G compiler, T text) { return compiler.compile_substring(text, SubstringUnit::kCharacter); }},
    {"words", [](C, G compiler, T text) { return compiler.compile_substring(text, SubstringUnit::kWord); }},
    {"chunks", [](C, G compiler, T text) { return compiler.compile_substring_chunks(lines(text)); }},
    {"concat", [](C, G compiler, T text) { return compile_parts(compiler, text, true); }},
    {"any_of", [](C, G compiler, T text) { return compile_parts(compiler, text, false); }},
});

}  // namespace

Result<std::string> tag_of_tools(const Case& one, const Limits& limits, const std::string& text) {
  ToolOptions options;
  const auto choice = one.options.find("tool_choice");
  if (choice != one.options.end()) options.tool_choice = choice->second;
  const auto parallel = one.options.find("parallel_tool_calls");
  if (parallel != one.options.end()) options.parallel_tool_calls = parallel->second == "1";
  const auto reasoning = one.options.find("reasoning");
  if (reasoning != one.options.end()) set(options.reasoning, reasoning->second);
  return structural_tag_for_tools(one.style, text, options, limits);
}

Result<CompiledGrammar> compile_case(const Case& one, const GrammarCompiler& compiler, const std::string& text) {
  for (const Syntax& syntax : kSyntaxes) {
    if (syntax.name == one.syntax) return syntax.compile(one, compiler, text);
  }
  return tl::unexpected(Error{ErrorCode::kInternal, "no such syntax: " + one.syntax, {}, {}, {}, {}});
}

std::vector<std::string_view> schema_option_names() {
  std::vector<std::string_view> names;
  for_each_member<JsonSchemaOptions>([&](const char* name, auto, const char*) { names.emplace_back(name); });
  return names;
}

std::vector<std::string_view> syntaxes() {
  std::vector<std::string_view> names;
  for (const Syntax& syntax : kSyntaxes) names.push_back(syntax.name);
  return names;
}

}  // namespace weir::growth
