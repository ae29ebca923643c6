// Converts Python's keyword arguments to C++ options.
#include <nanobind/stl/string.h>

#include <array>
#include <cstdint>

#include "bindings.h"

namespace nb = nanobind;

namespace weir::python {

namespace {

[[noreturn]] void raise_bad(std::string_view name, const std::string& what) {
  throw nb::value_error(("`" + std::string(name) + "` " + what).c_str());
}

// Sets `out` to the enumerator whose name is `value`; `choices` lists the names in the order of the enumerators.
template <typename Enum, std::size_t N>
void set_choice(Enum& out, nb::handle value, std::string_view name, const std::array<const char*, N>& choices) {
  std::string names;
  for (std::size_t i = 0; i < N; ++i) {
    if (nb::isinstance<nb::str>(value) && utf8(nb::borrow<nb::str>(value)) == choices[i]) {
      out = static_cast<Enum>(i);
      return;
    }
    names += std::string(i == 0 ? "" : ", ") + '"' + choices[i] + '"';
  }
  raise_bad(name, "must be one of " + names);
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
void set_documents(std::vector<SchemaDocument>& out, nb::handle value) {
  const nb::object to_text = nb::module_::import_("weir._schemas").attr("to_json_text");
  for (nb::handle item : nb::borrow<nb::object>(value.attr("items")())) {
    const nb::object text = to_text(item[1]);
    out.push_back({nb::cast<std::string>(item[0]), std::string(utf8(nb::borrow<nb::str>(text)))});
  }
}

[[noreturn]] void raise_unknown(std::string_view name) {
  throw nb::type_error(("there is no option `" + std::string(name) + "`").c_str());
}

}  // namespace

TokenSpelling token_spelling(nb::handle value) {
  TokenSpelling out = TokenSpelling::kBytes;
  set_choice(out, value, "spelling", std::array{"bytes", "byte_fallback", "byte_level"});
  return out;
}

RegexOptions regex_options(const nb::kwargs& arguments) {
  RegexOptions out;
  for (const auto [key, value] : arguments) {
    const std::string_view name = utf8(nb::borrow<nb::str>(key));
    if (name == "dialect") {
      set_choice(out.dialect, value, name, std::array{"weir", "ecma262", "rust", "python", "pcre"});
    } else if (name == "match") {
      set_choice(out.match, value, name, std::array{"full", "search"});
    } else if (name == "ignore_case") {
      set_flag(out.ignore_case, value, name);
    } else if (name == "multi_line") {
      set_flag(out.multi_line, value, name);
    } else if (name == "dot_all") {
      set_flag(out.dot_all, value, name);
    } else if (name == "extended") {
      set_flag(out.extended, value, name);
    } else if (name == "operators") {
      set_flag(out.operators, value, name);
    } else {
      raise_unknown(name);
    }
  }
  return out;
}

JsonSchemaOptions json_schema_options(const nb::kwargs& arguments) {
  JsonSchemaOptions out;
  if (arguments.contains("profile")) {
    std::string profile;
    set_text(profile, nb::borrow(arguments["profile"]), "profile");
    const Result<JsonSchemaOptions> found = schema_profile(profile);
    if (!found) throw nb::value_error("`profile` must be 'exact' or 'serving'");
    out = *found;
  }
  for (const auto [key, value] : arguments) {
    const std::string_view name = utf8(nb::borrow<nb::str>(key));
    if (name == "profile") {
      continue;
    } else if (name == "integers") {
      set_choice(out.integers, value, name, std::array{"any", "plain"});
    } else if (name == "numbers") {
      set_choice(out.numbers, value, name, std::array{"any", "double"});
    } else if (name == "number_digits") {
      set_count(out.number_digits, value, name);
    } else if (name == "default_draft") {
      set_choice(out.default_draft, value, name, std::array{"4", "6", "7", "2019-09", "2020-12"});
    } else if (name == "base_uri") {
      set_text(out.base_uri, value, name);
    } else if (name == "documents") {
      set_documents(out.documents, value);
    } else if (name == "formats") {
      set_choice(out.formats, value, name, std::array{"assert", "annotate"});
    } else if (name == "unknown_formats") {
      set_choice(out.unknown_formats, value, name, std::array{"warn", "refuse"});
    } else if (name == "whitespace") {
      set_choice(out.whitespace, value, name,
                 std::array{"bounded", "none", "compact", "indented", "unbounded", "pattern"});
    } else if (name == "whitespace_limit") {
      set_count(out.whitespace_limit, value, name);
    } else if (name == "indent") {
      set_count(out.indent, value, name);
    } else if (name == "whitespace_pattern") {
      set_text(out.whitespace_pattern, value, name);
    } else if (name == "leading_whitespace") {
      set_flag(out.leading_whitespace, value, name);
    } else if (name == "trailing_whitespace") {
      set_flag(out.trailing_whitespace, value, name);
    } else if (name == "order") {
      set_choice(out.order, value, name, std::array{"any", "declared"});
    } else if (name == "escapes") {
      set_choice(out.escapes, value, name, std::array{"all", "short", "required"});
    } else if (name == "lone_surrogates") {
      set_flag(out.lone_surrogates, value, name);
    } else if (name == "exponents") {
      set_flag(out.exponents, value, name);
    } else if (name == "scientific_decimals") {
      set_count(out.scientific_decimals, value, name);
    } else {
      raise_unknown(name);
    }
  }
  return out;
}

}  // namespace weir::python
