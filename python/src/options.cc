// The options of each kind of input, and of matchers. A table has a row for each member of the C++ options
// (weir/members.h): its name, its type and default in signatures, and how a value that Python passes sets it.
#include "options.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings.h"
#include "errors.h"

namespace nb = nanobind;

namespace weir::python {

namespace {

// How values are read: for keyword arguments whose types the call's signature has, a wrong type is nanobind's to report, as
// for other arguments (plain_errors.h).
struct Reading {
  std::uint32_t vocab_size = UINT32_MAX;
  bool is_typed = false;
};

constexpr const char* kCount = "must be a count from 0 to 4294967295";

[[noreturn]] void raise_bad(std::string_view name, const std::string& what) {
  throw nb::value_error(("`" + std::string(name) + "` " + what).c_str());
}

[[noreturn]] void raise_wrong_type(std::string_view name, const std::string& what, const Reading& reading) {
  if (reading.is_typed) throw nb::next_overload();
  raise_bad(name, what);
}

std::string joined(const Words& words, char quote) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + (quote + word + quote);
  return out;
}

template <typename Enum>
Words words() {
  Words out;
  for (const Word& word : kWords<Enum>) out.emplace_back(word.word);
  return out;
}

// Sets `out` to the enumerator whose name is `value`.
template <typename Enum>
void set(Enum& out, nb::handle value, std::string_view name, const Reading& reading) requires std::is_enum_v<Enum> {
  const std::string one_of = "must be one of " + joined(words<Enum>(), '"');
  if (!nb::isinstance<nb::str>(value)) raise_wrong_type(name, one_of, reading);
  const auto known = std::ranges::find(kWords<Enum>, utf8(nb::borrow<nb::str>(value)), &Word::word);
  if (known == kWords<Enum>.end()) raise_bad(name, one_of);
  out = static_cast<Enum>(known - kWords<Enum>.begin());
}

void set(bool& out, nb::handle value, std::string_view name, const Reading& reading) {
  if (!nb::isinstance<nb::bool_>(value)) raise_wrong_type(name, "must be a bool", reading);
  out = nb::cast<bool>(value);
}

void set(std::uint32_t& out, nb::handle value, std::string_view name, const Reading& reading) {
  if (nb::try_cast(value, out)) return;
  if (std::int64_t number = 0; !nb::try_cast(value, number)) raise_wrong_type(name, kCount, reading);
  raise_bad(name, kCount);
}

void set(std::string& out, nb::handle value, std::string_view name, const Reading& reading) {
  nb::object made;
  if (name == "indenter" && !nb::isinstance<nb::str>(value)) {  // an Indenter of Lark, or what it says
    made = nb::module_::import_("weir._schemas").attr("to_indenter_text")(value);
    value = made;
  }
  if (!nb::isinstance<nb::str>(value)) raise_wrong_type(name, "must be a str", reading);
  out = utf8(nb::borrow<nb::str>(value));
}

// Raises IndexError for a token that a vocabulary of this size lacks.
void set(std::vector<std::uint32_t>& out, nb::handle value, std::string_view name, const Reading& reading) {
  std::vector<std::int64_t> tokens;
  if (!nb::try_cast(value, tokens)) raise_wrong_type(name, "must be a sequence of token ids", reading);
  for (const std::int64_t token : tokens) out.push_back(checked_token(token, reading.vocab_size));
}

// Reads documents by URI. A document is JSON text, or the Python value that such a text stands for.
void set(std::vector<SchemaDocument>& out, nb::handle value, std::string_view /*name*/, const Reading& /*reading*/) {
  const nb::module_ schemas = nb::module_::import_("weir._schemas");
  for (nb::handle item : nb::borrow<nb::list>(schemas.attr("to_documents")(value))) {
    const auto uri = nb::cast<nb::str>(item[0]);
    const auto text = nb::cast<nb::str>(item[1]);
    out.push_back({std::string(utf8(uri)), std::string(utf8(text))});
  }
}

void set(std::vector<NamedGrammar>& out, nb::handle value, std::string_view name, const Reading& reading) {
  if (!nb::isinstance<nb::dict>(value)) raise_bad(name, "must be a dict of names and texts");
  for (const auto [key, text] : nb::borrow<nb::dict>(value)) {
    NamedGrammar grammar;
    if (!nb::isinstance<nb::str>(key)) raise_bad(name, "must have names and texts of type str");
    set(grammar.name, key, name, reading);
    if (!nb::isinstance<nb::str>(text)) {
      raise_bad(name, "must have texts in Lark, of type str: that of `" + grammar.name + "` is none");
    }
    set(grammar.text, text, name, reading);
    out.push_back(std::move(grammar));
  }
}

void set(JsonSchemaOptions& out, nb::handle value, std::string_view name, const Reading& /*reading*/) {
  if (!nb::isinstance<nb::dict>(value)) raise_bad(name, "must be a dict");
  const auto given = nb::borrow<nb::dict>(value);
  for (const auto [key, of_option] : given) {
    if (nb::isinstance<nb::str>(key)) continue;
    throw nb::type_error(("the names of options in `" + std::string(name) + "` must be str").c_str());
  }
  out = json_schema_options(given);
}

template <typename T>
void set(std::optional<T>& out, nb::handle value, std::string_view name, const Reading& reading) {
  out.reset();
  if (!value.is_none()) set(out.emplace(), value, name, reading);
}

// Return the type and the default of an option, as in a signature: "bool = False".
template <typename Enum>
std::string declared(Enum value) requires std::is_enum_v<Enum> {
  return literal_type(words<Enum>()) + " = '" + words<Enum>()[static_cast<std::size_t>(value)] + "'";
}
std::string declared(bool value) { return value ? "bool = True" : "bool = False"; }
std::string declared(std::uint32_t value) { return "int = " + std::to_string(value); }
std::string declared(const std::string& value) { return "str = '" + value + "'"; }
std::string declared(const std::vector<std::uint32_t>& /*value*/) { return "collections.abc.Sequence[int] = ()"; }
std::string declared(const std::optional<std::vector<std::uint32_t>>& /*value*/) {
  return "collections.abc.Sequence[int] | None = None";
}
std::string declared(std::optional<std::uint32_t> /*value*/) { return "int | None = None"; }
std::string declared(const std::vector<SchemaDocument>& /*value*/) {
  return "collections.abc.Mapping[str, str | bool | dict[str, typing.Any]] = {}";
}
std::string declared(const std::vector<NamedGrammar>& /*value*/) { return "collections.abc.Mapping[str, str] = {}"; }
std::string declared(const JsonSchemaOptions& /*value*/) { return "dict[str, typing.Any] = {}"; }

template <typename Options>
struct Option {
  std::string name;
  std::string declared;
  std::string comment;
  std::function<void(Options&, nb::handle, const Reading&)> set;
};

template <typename Options>
using OptionTable = std::vector<Option<Options>>;

// Returns a row for each member of the options.
template <typename Options>
const OptionTable<Options>& table() {
  static const OptionTable<Options> rows = [] {
    OptionTable<Options> out;
    for_each_member<Options>([&](const char* name, auto member, const char* comment) {
      out.push_back(
          {name, declared(Options().*member), comment, [=](Options& options, nb::handle value, const Reading& reading) {
             set(options.*member, value, name, reading);
           }});
    });
    if constexpr (std::is_same_v<Options, JsonSchemaOptions>) {
      // json_schema_options() sets the options of the profile before those that are given.
      out.push_back({"profile", "typing.Literal['exact', 'serving'] = 'exact'", "The defaults of the other options.",
                     [](Options&, nb::handle, const Reading&) {}});
    }
    return out;
  }();
  return rows;
}

template <typename Options>
std::string unknown_option(std::string_view name) {
  nb::list names;
  for (const Option<Options>& option : table<Options>()) names.append(option.name);
  const nb::list near =
      nb::borrow<nb::list>(nb::module_::import_("difflib").attr("get_close_matches")(std::string(name), names, 1));
  std::string message = "there is no option `" + std::string(name) + "`";
  if (near.size() == 1) message += "; did you mean `" + nb::cast<std::string>(near[0]) + "`?";
  return message;
}

// Sets the given options, which are named by str. Raises TypeError for an unknown name.
template <typename Options>
Options with_given(Options out, const nb::dict& given, const Reading& reading = {}) {
  for (const auto [key, value] : given) {
    const std::string_view name = utf8(nb::borrow<nb::str>(key));
    const auto option = std::ranges::find(table<Options>(), name, &Option<Options>::name);
    if (option == table<Options>().end() && reading.is_typed) throw nb::next_overload();
    if (option == table<Options>().end()) throw nb::type_error(unknown_option<Options>(name).c_str());
    option->set(out, value, reading);
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
  // As for the command: YAML has its own blanks, spellings of strings and numbers.
  const bool is_json = options.notation == JsonSchemaOptions::Notation::kJson;
  for (const char* of_json :
       {"whitespace", "whitespace_limit", "whitespace_pattern", "indent", "leading_whitespace", "trailing_whitespace",
        "escapes", "exponents", "scientific_decimals", "lone_surrogates"}) {
    needs(of_json, is_json, "notation='json'");
  }
}

}  // namespace

std::string literal_type(const Words& words) { return "typing.Literal[" + joined(words, '\'') + "]"; }

Words syntax_names() { return words<GrammarSyntax>(); }

TokenSpelling token_spelling(nb::handle value) {
  TokenSpelling out = TokenSpelling::kBytes;
  set(out, value, "spelling", {});
  return out;
}

SubstringUnit substring_unit(std::string_view name) {
  if (name == "word") return SubstringUnit::kWord;
  if (name == "character") return SubstringUnit::kCharacter;
  throw nb::value_error("`unit` must be 'word' or 'character'");
}

template <typename Options>
std::string signature() {
  std::string out = "*";
  for (const Option<Options>& option : table<Options>()) out += ", " + option.name + ": " + option.declared;
  return out;
}
template std::string signature<GrammarTextOptions>();
template std::string signature<RegexOptions>();
template std::string signature<JsonSchemaOptions>();
template std::string signature<MatcherOptions>();

template <typename Options>
std::string docs() {
  std::string out;
  for (const Option<Options>& option : table<Options>()) out += option.name + ": " + option.comment + "\n";
  return out + "\n";
}
template std::string docs<GrammarTextOptions>();

GrammarTextOptions text_options(const nb::dict& given) { return with_given(GrammarTextOptions(), given); }

RegexOptions regex_options(const nb::dict& given) { return with_given(RegexOptions(), given); }

MatcherOptions matcher_options(const nb::dict& given, std::uint32_t vocab_size) {
  return with_given(MatcherOptions(), given, {.vocab_size = vocab_size, .is_typed = true});
}

JsonSchemaOptions json_schema_options(const nb::dict& given) {
  std::string profile = "exact";
  if (given.contains("profile")) set(profile, nb::borrow(given["profile"]), "profile", {});
  const Result<JsonSchemaOptions> found = schema_profile(profile);
  if (!found) throw nb::value_error("`profile` must be 'exact' or 'serving'");
  JsonSchemaOptions out = with_given(*found, given);
  check_effect(out, given);
  return out;
}

StructuralTagOptions structural_tag_options(const nb::dict& given) {
  return {.json_schema = json_schema_options(given)};
}

}  // namespace weir::python
