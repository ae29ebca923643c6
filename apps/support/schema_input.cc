#include "schema_input.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/blanks.h"
#include "command.h"
#include "inputs.h"
#include "limit_option.h"
#include "member_options.h"

namespace weir::cli {

void add_schema_options(CLI::App& app, SchemaInput& input) {
  CLI::Option_group* group =
      app.add_option_group("JSON Schema", "With --schema, --json-value, --json-object, and %json in Lark:");
  input.group = group;
  add_member_options(*group, input.options);
  group
      ->add_option("--profile", input.profile,
                   "Settings for all options that are not given: exact (default), serving (declared order, at most 8 "
                   "blanks in a place, escapes only where required, no exponents, plain integers, at most 20 digits)")
      ->type_name("exact|serving")
      ->capture_default_str();
  group->add_option("--document", input.documents, "A schema to which $ref may refer; may be given several times")
      ->type_name("URI=FILE")
      ->allow_extra_args(false);
}

namespace {

// Refuses options that apply only to another kind of white space than the chosen one.
void check_whitespace_options(const SchemaInput& input) {
  using Whitespace = JsonSchemaOptions::Whitespace;
  const auto is_given = [&](const char* name) { return input.group->get_option(name)->count() != 0; };
  const auto needs = [&](const char* name, Whitespace whitespace, const std::string& word) {
    if (is_given(name) && input.options.whitespace != whitespace) {
      throw InputError(std::string(name) + " is for --whitespace " + word);
    }
  };
  needs("--whitespace-limit", Whitespace::kBounded, "bounded");
  needs("--whitespace-pattern", Whitespace::kPattern, "pattern");
  needs("--indent", Whitespace::kIndented, "indented");
  if (input.options.whitespace != Whitespace::kPattern) return;
  if (!is_given("--whitespace-pattern")) throw InputError("--whitespace pattern needs a --whitespace-pattern");
  JsonSchemaOptions options;
  options.whitespace = Whitespace::kPattern;
  options.whitespace_pattern = input.options.whitespace_pattern;
  const Result<Grammar> grammar = Grammar::json(options);
  if (grammar || grammar.error().code == ErrorCode::kLimitExceeded) return;
  throw option_error(grammar.error());
}

// Refuses options that say nothing about texts in YAML. The library cannot tell whether they were given.
void check_notation(const SchemaInput& input) {
  if (input.options.notation != JsonSchemaOptions::Notation::kYaml) return;
  for (const char* name :
       {"--whitespace", "--whitespace-limit", "--whitespace-pattern", "--indent", "--leading-whitespace",
        "--trailing-whitespace", "--escapes", "--no-exponents", "--scientific-decimals"}) {
    if (input.group->get_option(name)->count() == 0) continue;
    throw InputError(std::string(name) + " has no effect on texts in YAML (--notation yaml)");
  }
}

// Returns the options that were given, and those of the profile for the others.
JsonSchemaOptions with_profile(const SchemaInput& input) {
  JsonSchemaOptions options = input.options;
  const Result<JsonSchemaOptions> profile = schema_profile(input.profile);
  if (!profile) throw InputError("--profile: " + profile.error().message + "\n  hint: " + profile.error().hint);
  const JsonSchemaOptions& from = *profile;
  const JsonSchemaOptions usual;
  for_each_member<JsonSchemaOptions>([&](const char* name, auto member, const char*) {
    if (from.*member == usual.*member) return;  // what a subcommand may set otherwise
    if (input.group->get_option(option_of(name, usual.*member))->count() == 0) options.*member = from.*member;
  });
  return options;
}

}  // namespace

JsonSchemaOptions schema_options(const SchemaInput& input) {
  check_notation(input);
  check_whitespace_options(input);
  JsonSchemaOptions options = with_profile(input);
  using Whitespace = JsonSchemaOptions::Whitespace;
  if (options.whitespace == Whitespace::kNone || options.whitespace == Whitespace::kCompact ||
      options.whitespace == Whitespace::kIndented) {  // a subcommand's defaults allow blanks around a value
    if (input.group->get_option("--leading-whitespace")->count() == 0) options.leading_whitespace = false;
    if (input.group->get_option("--trailing-whitespace")->count() == 0) options.trailing_whitespace = false;
  }
  for (const std::string& document : input.documents) {
    const std::size_t equals = document.rfind('=');
    if (equals == std::string::npos) throw InputError("--document needs URI=FILE, not `" + document + "`");
    const std::string path = document.substr(equals + 1);
    options.documents.push_back({document.substr(0, equals), read_file(path)});
    const std::string& text = options.documents.back().text;
    if (nlohmann::json::accept(text)) continue;
    // Errors in a file are shown with its name, which the library does not know.
    const Result<Grammar> grammar = Grammar::from_json_schema(text);
    if (!grammar) throw text_error(grammar.error(), text, path);
  }
  return options;
}

namespace {

// A cursor in a well-formed JSON text.
class JsonWalk {
 public:
  explicit JsonWalk(std::string_view text) : text_(text) {}

  void skip_blanks() {
    while (at_ < text_.size() && base::is_blank(text_[at_])) ++at_;
  }
  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek() const { return done() ? '\0' : text_[at_]; }
  char take() { return text_[at_++]; }

  std::string_view string() {
    const std::size_t begin = at_++;
    while (peek() != '"' && !done()) at_ += peek() == '\\' ? 2 : 1;
    ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string_view word() {
    const std::size_t begin = at_;
    while (!done() && !base::is_blank(peek()) && std::string_view(",:]}").find(peek()) == std::string_view::npos) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string_view value() {
    skip_blanks();
    const std::size_t begin = at_;
    std::size_t depth = 0;
    do {
      skip_blanks();
      const char c = peek();
      if (c == '"') {
        string();
      } else if (c == '[' || c == '{') {
        ++depth;
        ++at_;
      } else if (c == ']' || c == '}') {
        --depth;
        ++at_;
      } else if (c == ',' || c == ':') {
        ++at_;
      } else {
        word();
      }
    } while (depth > 0 && !done());
    return text_.substr(begin, at_ - begin);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string decoded(std::string_view json_string) { return nlohmann::json::parse(json_string).get<std::string>(); }

std::string python_string(std::string_view json_string) {
  // nlohmann::json and Python escape the same characters: quotes, backslashes and control characters; except DEL, which
  // Python does not escape.
  return nlohmann::json(decoded(json_string)).dump();
}

// Returns a float as Python prints it: the shortest digits that read back as the number, without exponent from 1e-4 up
// to 1e16.
std::string python_float(double value) {
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const std::size_t e = text.find('e');
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(), exponent);
  if (exponent >= -4 && exponent < 16) {
    const auto fixed = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr;
    std::string plain(buffer, static_cast<std::size_t>(fixed - buffer));
    return plain.find('.') == std::string::npos ? plain + ".0" : plain;
  }
  return std::string(text);
}

std::string python_number(std::string_view text) {
  if (text.find_first_of(".eE") != std::string_view::npos) {
    return python_float(std::strtod(std::string(text).c_str(), nullptr));
  }
  return text == "-0" ? "0" : std::string(text);
}

}  // namespace

std::optional<std::string_view> member_text(std::string_view object, std::string_view key) {
  JsonWalk walk(object);
  walk.skip_blanks();
  if (walk.peek() != '{') return std::nullopt;
  walk.take();
  std::optional<std::string_view> found;
  for (;;) {
    walk.skip_blanks();
    if (walk.peek() != '"') return found;
    const std::string_view name = walk.string();
    walk.skip_blanks();
    walk.take();  // the colon
    const std::string_view value = walk.value();
    if (decoded(name) == key) found = value;
    walk.skip_blanks();
    if (walk.peek() != ',') return found;
    walk.take();
  }
}

std::vector<std::string_view> element_texts(std::string_view array) {
  std::vector<std::string_view> elements;
  JsonWalk walk(array);
  walk.skip_blanks();
  if (walk.peek() != '[') return elements;
  walk.take();
  for (;;) {
    walk.skip_blanks();
    if (walk.peek() == ']' || walk.done()) return elements;
    elements.push_back(walk.value());
    walk.skip_blanks();
    if (walk.peek() == ',') walk.take();
  }
}

std::string python_text(std::string_view json) {
  std::string out;
  JsonWalk walk(json);
  for (walk.skip_blanks(); !walk.done(); walk.skip_blanks()) {
    const char c = walk.peek();
    if (c == '"') {
      out += python_string(walk.string());
    } else if (std::string_view("[]{},:").find(c) != std::string_view::npos) {
      out += walk.take();
      if (c == ',' || c == ':') out += ' ';
    } else {
      const std::string_view word = walk.word();
      out += word[0] == '-' || (word[0] >= '0' && word[0] <= '9') ? python_number(word) : std::string(word);
    }
  }
  return out;
}

}  // namespace weir::cli
