#include "growth/compile_case.h"

#include <array>
#include <charconv>
#include <functional>

namespace weir::growth {

namespace {

std::uint32_t number(const std::string& text) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

template <typename Enum>
void set_enum(Enum& member, const std::string& value) {
  member = static_cast<Enum>(number(value));
}

struct SchemaOption {
  std::string_view name;
  void (*set)(JsonSchemaOptions& options, const std::string& value);
};

using Options = JsonSchemaOptions;
using Value = const std::string&;

// Enumerations are given by number, in the order of weir/json_schema.h.
constexpr std::array kSchemaOptions = std::to_array<SchemaOption>({
    {"default_draft", [](Options& o, Value v) { set_enum(o.default_draft, v); }},
    {"base_uri", [](Options& o, Value v) { o.base_uri = v; }},
    {"documents", [](Options& o, Value v) { o.documents.push_back({"https://example.com/document", v}); }},
    {"formats", [](Options& o, Value v) { set_enum(o.formats, v); }},
    {"unknown_formats", [](Options& o, Value v) { set_enum(o.unknown_formats, v); }},
    {"whitespace", [](Options& o, Value v) { set_enum(o.whitespace, v); }},
    {"whitespace_limit", [](Options& o, Value v) { o.whitespace_limit = number(v); }},
    {"indent", [](Options& o, Value v) { o.indent = number(v); }},
    {"whitespace_pattern", [](Options& o, Value v) { o.whitespace_pattern = v; }},
    {"leading_whitespace", [](Options& o, Value v) { o.leading_whitespace = v == "1"; }},
    {"trailing_whitespace", [](Options& o, Value v) { o.trailing_whitespace = v == "1"; }},
    {"order", [](Options& o, Value v) { set_enum(o.order, v); }},
    {"escapes", [](Options& o, Value v) { set_enum(o.escapes, v); }},
    {"lone_surrogates", [](Options& o, Value v) { o.lone_surrogates = v == "1"; }},
    {"exponents", [](Options& o, Value v) { o.exponents = v == "1"; }},
    {"scientific_decimals", [](Options& o, Value v) { o.scientific_decimals = number(v); }},
    {"integers", [](Options& o, Value v) { set_enum(o.integers, v); }},
    {"numbers", [](Options& o, Value v) { set_enum(o.numbers, v); }},
    {"number_digits", [](Options& o, Value v) { o.number_digits = number(v); }},
});

// Names as many members as there are, and so does not compile with one more or one less.
constexpr std::size_t member_count(const JsonSchemaOptions& options) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = options;
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i, (void)j, (void)k, (void)l, (void)m;
  (void)n, (void)o, (void)p, (void)q, (void)r, (void)s;
  return 19;
}

JsonSchemaOptions schema_options(const Case& one) {
  JsonSchemaOptions options;
  const auto profile = one.options.find("profile");
  if (profile != one.options.end()) options = *schema_profile(profile->second);
  for (const SchemaOption& option : kSchemaOptions) {
    const auto found = one.options.find(std::string(option.name));
    if (found != one.options.end()) option.set(options, found->second);
  }
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

Result<CompiledGrammar> compile_tools(const Case& one, const GrammarCompiler& compiler, const std::string& text) {
  ToolOptions options;
  const auto choice = one.options.find("tool_choice");
  if (choice != one.options.end()) options.tool_choice = choice->second;
  const auto parallel = one.options.find("parallel_tool_calls");
  if (parallel != one.options.end()) options.parallel_tool_calls = parallel->second == "1";
  const auto reasoning = one.options.find("reasoning");
  if (reasoning != one.options.end()) set_enum(options.reasoning, reasoning->second);
  const Result<std::string> tag = structural_tag_for_tools(one.style, text, options, compiler.limits());
  if (!tag) return tl::unexpected(tag.error());
  StructuralTagOptions tag_options;
  tag_options.json_schema = schema_options(one);
  return compiler.compile_structural_tag(*tag, tag_options);
}

RegexOptions regex_options(const Case& one) {
  RegexOptions options;
  const auto flag = [&](const char* name) {
    const auto found = one.options.find(name);
    return found != one.options.end() && found->second == "1";
  };
  if (const auto dialect = one.options.find("dialect"); dialect != one.options.end()) {
    set_enum(options.dialect, dialect->second);
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
  const Result<Grammar> whole = is_sequence ? Grammar::concat(parts, compiler.limits())
                                            : Grammar::any_of(parts, compiler.limits());
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
    {"structural_tag",
     [](C one, G compiler, T text) {
       StructuralTagOptions options;
       options.json_schema = schema_options(one);
       if (const auto found = one.options.find("special_tokens"); found != one.options.end()) {
         options.special_tokens = lines(found->second);
       }
       return compiler.compile_structural_tag(text, options);
     }},
    {"response_format",
     [](C one, G compiler, T text) {
       StructuralTagOptions options;
       options.json_schema = schema_options(one);
       return compiler.compile_response_format(text, options);
     }},
    {"tools", compile_tools},
    {"choice", [](C, G compiler, T text) { return compiler.compile_choice(lines(text)); }},
    {"substring", [](C, G compiler, T text) { return compiler.compile_substring(text, SubstringUnit::kCharacter); }},
    {"words", [](C, G compiler, T text) { return compiler.compile_substring(text, SubstringUnit::kWord); }},
    {"chunks", [](C, G compiler, T text) { return compiler.compile_substring_chunks(lines(text)); }},
    {"concat", [](C, G compiler, T text) { return compile_parts(compiler, text, true); }},
    {"any_of", [](C, G compiler, T text) { return compile_parts(compiler, text, false); }},
});

}  // namespace

Result<CompiledGrammar> compile_case(const Case& one, const GrammarCompiler& compiler, const std::string& text) {
  for (const Syntax& syntax : kSyntaxes) {
    if (syntax.name == one.syntax) return syntax.compile(one, compiler, text);
  }
  return tl::unexpected(Error{ErrorCode::kInternal, "no such syntax: " + one.syntax, {}, {}, {}, {}});
}

std::vector<std::string_view> schema_option_names() {
  static_assert(kSchemaOptions.size() == 19);
  if (member_count(JsonSchemaOptions()) != kSchemaOptions.size()) return {};
  std::vector<std::string_view> names;
  for (const SchemaOption& option : kSchemaOptions) names.push_back(option.name);
  return names;
}

std::vector<std::string_view> syntaxes() {
  std::vector<std::string_view> names;
  for (const Syntax& syntax : kSyntaxes) names.push_back(syntax.name);
  return names;
}

}  // namespace weir::growth
