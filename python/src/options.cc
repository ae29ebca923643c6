// The options of each kind of input. A table has a row for each option: its name, its type and default in signatures, and
// how a value that Python passes sets the C++ option.
#include "options.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "bindings.h"

namespace nb = nanobind;

namespace weir::python {

namespace {

[[noreturn]] void raise_bad(std::string_view name, const std::string& what) {
  throw nb::value_error(("`" + std::string(name) + "` " + what).c_str());
}

std::string joined(const Words& words, char quote) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + (quote + word + quote);
  return out;
}

// Sets `out` to the enumerator whose name is `value`; `words` has the names in the order of the enumerators.
template <typename Enum>
void set_word(Enum& out, nb::handle value, std::string_view name, const Words& words) {
  const std::string_view given = nb::isinstance<nb::str>(value) ? utf8(nb::borrow<nb::str>(value)) : "";
  const auto known = std::ranges::find(words, given);
  if (known == words.end()) raise_bad(name, "must be one of " + joined(words, '"'));
  out = static_cast<Enum>(known - words.begin());
}

void set_flag(bool& out, nb::handle value, std::string_view name) {
  if (!nb::isinstance<nb::bool_>(value)) raise_bad(name, "must be a bool");
  out = nb::cast<bool>(value);
}

void set_count(std::uint32_t& out, nb::handle value, std::string_view name) {
  if (!nb::try_cast(value, out)) raise_bad(name, "must be a count from 0 to 4294967295");
}

void set_text(std::string& out, nb::handle value, std::string_view name) {
  if (!nb::isinstance<nb::str>(value)) raise_bad(name, "must be a str");
  out = utf8(nb::borrow<nb::str>(value));
}

// Reads documents by URI. A document is JSON text, or the Python value that such a text stands for.
void set_documents(JsonSchemaOptions& out, nb::handle value) {
  const nb::module_ schemas = nb::module_::import_("weir._schemas");
  for (nb::handle item : nb::borrow<nb::list>(schemas.attr("to_documents")(value))) {
    const auto uri = nb::cast<nb::str>(item[0]);
    const auto text = nb::cast<nb::str>(item[1]);
    out.documents.push_back({std::string(utf8(uri)), std::string(utf8(text))});
  }
}

void set_grammars(GrammarTextOptions& out, nb::handle value) {
  if (!nb::isinstance<nb::dict>(value)) raise_bad("grammars", "must be a dict of names and texts");
  for (const auto [name, text] : nb::borrow<nb::dict>(value)) {
    std::string name_text;
    std::string grammar;
    if (!nb::isinstance<nb::str>(name)) raise_bad("grammars", "must have names and texts of type str");
    set_text(name_text, name, "grammars");
    set_text(grammar, text, "grammars");
    out.grammars.push_back({std::move(name_text), std::move(grammar), GrammarSyntax::kLark});
  }
}

void set_json_schema(GrammarTextOptions& out, nb::handle value) {
  if (!nb::isinstance<nb::dict>(value)) raise_bad("json_schema", "must be a dict");
  const auto given = nb::borrow<nb::dict>(value);
  for (const auto [name, of_option] : given) {
    if (!nb::isinstance<nb::str>(name)) throw nb::type_error("the names of options in `json_schema` must be str");
  }
  out.json_schema = json_schema_options(given);
}

template <typename Options>
struct Option {
  std::string name;
  std::string declared;  // its type and default, as in a signature: "bool = False"
  std::function<void(Options&, nb::handle)> set;
};

// `words` has the names of the enumerators, in their order.
template <typename Options, typename Enum>
Option<Options> word_option(const char* name, Enum Options::*member, Words words) {
  const std::string& by_default = words[static_cast<std::size_t>(Options().*member)];
  const std::string declared = literal_type(words) + " = '" + by_default + "'";
  return {name, declared,
          [=, words = std::move(words)](Options& out, nb::handle value) { set_word(out.*member, value, name, words); }};
}

template <typename Options>
Option<Options> flag_option(const char* name, bool Options::*member) {
  return {name, Options().*member ? "bool = True" : "bool = False",
          [=](Options& out, nb::handle value) { set_flag(out.*member, value, name); }};
}

template <typename Options>
Option<Options> count_option(const char* name, std::uint32_t Options::*member) {
  return {name, "int = " + std::to_string(Options().*member),
          [=](Options& out, nb::handle value) { set_count(out.*member, value, name); }};
}

template <typename Options>
Option<Options> text_option(const char* name, std::string Options::*member) {
  return {name, "str = '" + Options().*member + "'",
          [=](Options& out, nb::handle value) { set_text(out.*member, value, name); }};
}

template <typename Options>
using OptionTable = std::vector<Option<Options>>;

const OptionTable<GrammarTextOptions>& text_table() {
  using Options = GrammarTextOptions;
  static const OptionTable<Options> table{word_option("syntax", &Options::syntax, syntax_names()),
                                          text_option("start", &Options::start),
                                          flag_option("exact_splits", &Options::exact_splits),
                                          flag_option("keep_endless", &Options::keep_endless),
                                          {"grammars", "collections.abc.Mapping[str, str] = {}", set_grammars},
                                          {"json_schema", "dict[str, typing.Any] = {}", set_json_schema}};
  return table;
}

const OptionTable<RegexOptions>& regex_table() {
  using Options = RegexOptions;
  static const OptionTable<Options> table{
      word_option("dialect", &Options::dialect, {"weir", "ecma262", "rust", "python", "pcre"}),
      word_option("match", &Options::match, {"full", "search"}),
      flag_option("ignore_case", &Options::ignore_case),
      flag_option("multi_line", &Options::multi_line),
      flag_option("dot_all", &Options::dot_all),
      flag_option("extended", &Options::extended),
      flag_option("operators", &Options::operators)};
  return table;
}

const OptionTable<JsonSchemaOptions>& schema_table() {
  using Options = JsonSchemaOptions;
  static const OptionTable<Options> table{
      word_option("default_draft", &Options::default_draft, {"4", "6", "7", "2019-09", "2020-12"}),
      text_option("base_uri", &Options::base_uri),
      {"documents", "collections.abc.Mapping[str, str | bool | dict[str, typing.Any]] = {}", set_documents},
      word_option("formats", &Options::formats, {"assert", "annotate"}),
      word_option("unknown_formats", &Options::unknown_formats, {"warn", "refuse"}),
      word_option("whitespace", &Options::whitespace,
                  {"bounded", "none", "compact", "indented", "unbounded", "pattern"}),
      count_option("whitespace_limit", &Options::whitespace_limit),
      count_option("indent", &Options::indent),
      text_option("whitespace_pattern", &Options::whitespace_pattern),
      flag_option("leading_whitespace", &Options::leading_whitespace),
      flag_option("trailing_whitespace", &Options::trailing_whitespace),
      word_option("order", &Options::order, {"any", "declared"}),
      word_option("escapes", &Options::escapes, {"all", "short", "required"}),
      flag_option("lone_surrogates", &Options::lone_surrogates),
      flag_option("exponents", &Options::exponents),
      count_option("scientific_decimals", &Options::scientific_decimals),
      word_option("integers", &Options::integers, {"any", "plain"}),
      word_option("numbers", &Options::numbers, {"any", "double"}),
      count_option("number_digits", &Options::number_digits),
      // json_schema_options() sets the options of the profile before those that are given.
      {"profile", "typing.Literal['exact', 'serving'] = 'exact'", [](Options&, nb::handle) {}}};
  return table;
}

template <typename Options>
std::string signature_of(const OptionTable<Options>& table) {
  std::string out = "*";
  for (const Option<Options>& option : table) out += ", " + option.name + ": " + option.declared;
  return out;
}

template <typename Options>
std::string unknown_option(std::string_view name, const OptionTable<Options>& table) {
  nb::list names;
  for (const Option<Options>& option : table) names.append(option.name);
  const nb::list near =
      nb::borrow<nb::list>(nb::module_::import_("difflib").attr("get_close_matches")(std::string(name), names, 1));
  std::string message = "there is no option `" + std::string(name) + "`";
  if (near.size() == 1) message += "; did you mean `" + nb::cast<std::string>(near[0]) + "`?";
  return message;
}

// Sets the given options, which are named by str. Raises TypeError for an unknown name.
template <typename Options>
Options with_given(Options out, const OptionTable<Options>& table, const nb::dict& given) {
  for (const auto [key, value] : given) {
    const std::string_view name = utf8(nb::borrow<nb::str>(key));
    const auto option = std::ranges::find(table, name, &Option<Options>::name);
    if (option == table.end()) throw nb::type_error(unknown_option(name, table).c_str());
    option->set(out, value);
  }
  return out;
}

// Raises ValueError if an option is given that has no effect beside the others. The library refuses most of these, too;
// it does not see whether an option that has its default was given.
void check_effect(const JsonSchemaOptions& options, const nb::dict& given) {
  using Whitespace = JsonSchemaOptions::Whitespace;
  const auto needs = [&](const char* name, bool has_effect, const char* needed) {
    if (given.contains(name) && !has_effect) raise_bad(name, std::string("has no effect: it is for ") + needed);
  };
  needs("whitespace_pattern", options.whitespace == Whitespace::kPattern, "whitespace='pattern'");
  needs("whitespace_limit", options.whitespace == Whitespace::kBounded, "whitespace='bounded'");
  needs("indent", options.whitespace == Whitespace::kIndented, "whitespace='indented'");
  const bool has_blanks = options.whitespace == Whitespace::kBounded || options.whitespace == Whitespace::kUnbounded ||
                          options.whitespace == Whitespace::kPattern;
  needs("leading_whitespace", has_blanks || !options.leading_whitespace, "a `whitespace` with blanks");
  needs("trailing_whitespace", has_blanks || !options.trailing_whitespace, "a `whitespace` with blanks");
  needs("scientific_decimals", options.exponents, "exponents=True");
}

}  // namespace

std::string literal_type(const Words& words) { return "typing.Literal[" + joined(words, '\'') + "]"; }

Words syntax_names() {
  Words names;
  for (std::uint8_t i = 0; !to_string(static_cast<GrammarSyntax>(i)).empty(); ++i) {
    names.emplace_back(to_string(static_cast<GrammarSyntax>(i)));
  }
  return names;
}

TokenSpelling token_spelling(nb::handle value) {
  TokenSpelling out = TokenSpelling::kBytes;
  set_word(out, value, "spelling", {"bytes", "byte_fallback", "byte_level"});
  return out;
}

SubstringUnit substring_unit(std::string_view name) {
  if (name == "word") return SubstringUnit::kWord;
  if (name == "character") return SubstringUnit::kCharacter;
  throw nb::value_error("`unit` must be 'word' or 'character'");
}

std::string text_signature() { return signature_of(text_table()); }
std::string regex_signature() { return signature_of(regex_table()); }
std::string schema_signature() { return signature_of(schema_table()); }

GrammarTextOptions text_options(const nb::dict& given) { return with_given(GrammarTextOptions(), text_table(), given); }

RegexOptions regex_options(const nb::dict& given) { return with_given(RegexOptions(), regex_table(), given); }

JsonSchemaOptions json_schema_options(const nb::dict& given) {
  std::string profile = "exact";
  if (given.contains("profile")) set_text(profile, nb::borrow(given["profile"]), "profile");
  const Result<JsonSchemaOptions> found = schema_profile(profile);
  if (!found) throw nb::value_error("`profile` must be 'exact' or 'serving'");
  JsonSchemaOptions out = with_given(*found, schema_table(), given);
  check_effect(out, given);
  return out;
}

StructuralTagOptions structural_tag_options(const nb::dict& given) {
  return {.json_schema = json_schema_options(given)};
}

}  // namespace weir::python
