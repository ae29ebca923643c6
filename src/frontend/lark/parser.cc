#include "frontend/lark/parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "frontend/lark/body_parser.h"
#include "frontend/lark/common.h"
#include "frontend/lark/literals.h"
#include "frontend/lark/word_reader.h"
#include "grammar/suggest.h"

namespace weir::frontend::lark {

namespace {

class Parser {
 public:
  Parser(std::string_view text, const std::vector<Word>& words, const Limits& limits, SyntaxTree& tree,
         std::vector<Error>& errors)
      : reader_(text, words, errors), bodies_(reader_, limits, tree), tree_(tree) {
    Module module;
    module.text = text;
    tree_.modules.push_back(std::move(module));
    bodies_.nested().push_back({static_cast<std::uint32_t>(tree_.modules.size() - 1), 0, words.size() - 1});
  }

  void run() {
    for (std::size_t i = 0; i < bodies_.nested().size(); ++i) {
      const BodyParser::Nested nested = bodies_.nested()[i];
      module_ = nested.module;
      reader_.enter(nested.first, nested.end);
      while (reader_.take(WordKind::kLineEnd)) continue;
      while (reader_.kind() != WordKind::kEnd) {
        if (!statement() || !end_of_line()) recover();
        while (reader_.take(WordKind::kLineEnd)) continue;
      }
    }
  }

 private:
  [[nodiscard]] Module& module() { return tree_.modules[module_]; }

  bool end_of_line() {
    switch (reader_.kind()) {
      case WordKind::kEnd:
      case WordKind::kLineEnd: return true;
      case WordKind::kClose: return reader_.fail(reader_.where(), "`)` without `(`");
      case WordKind::kCloseBracket: return reader_.fail(reader_.where(), "`]` without `[`");
      default: return reader_.expected("the end of the definition");
    }
  }

  // Skips to the next line that looks like a statement.
  void recover() {
    for (;; reader_.advance()) {
      if (reader_.kind() == WordKind::kEnd) return;
      if (!reader_.begins_line(reader_.pos())) continue;
      const WordKind kind = reader_.kind();
      const bool is_name = kind == WordKind::kRuleName || kind == WordKind::kTerminalName;
      const bool is_modified = kind == WordKind::kQuestion || kind == WordKind::kExclamation;
      const WordKind next = reader_.kind(1);
      const bool is_head = next == WordKind::kColon || next == WordKind::kDoubleColon || next == WordKind::kDot ||
                           next == WordKind::kOpenBracket || next == WordKind::kOpenBrace;
      if (is_modified || (is_name && is_head)) return;
      if (kind == WordKind::kDirective && !reader_.at_directive("%if")) return;
    }
  }

  bool statement() {
    switch (reader_.kind()) {
      case WordKind::kDirective: return directive();
      case WordKind::kRuleName:
      case WordKind::kTerminalName:
      case WordKind::kQuestion:
      case WordKind::kExclamation: return definition();
      case WordKind::kString:
      case WordKind::kRegex:
      case WordKind::kOpen:
        return reader_.expected("a definition", "a body continues on the next line only if that line begins with `|`");
      default: return reader_.expected("a definition", "a rule is written `name: ...`, a terminal `NAME: ...`");
    }
  }

  bool definition() {
    // `?` and `!` affect Lark's syntax trees only.
    while (reader_.take(WordKind::kQuestion) || reader_.take(WordKind::kExclamation)) continue;
    Definition definition;
    definition.where = reader_.where();
    definition.name = reader_.spelling();
    definition.is_terminal = reader_.kind() == WordKind::kTerminalName;
    const std::string_view name = reader_.spelling();
    if (!reader_.take(WordKind::kTerminalName) && !reader_.expect(WordKind::kRuleName, "the name of a rule"))
      return false;
    const std::optional<std::uint32_t> body = head_and_body(definition);
    if (!body) {
      definition.is_broken = true;
      add_definition(name, std::move(definition));
      return false;
    }
    definition.body = *body;
    return add_definition(name, std::move(definition));
  }

  std::optional<std::uint32_t> head_and_body(Definition& definition) {
    for (bool is_head = true; is_head;) {
      if (!head(definition, is_head)) return std::nullopt;
    }
    if (!expect_colon(definition)) return std::nullopt;
    return bodies_.alternatives();
  }

  bool expect_colon(const Definition& definition) {
    return reader_.expect(WordKind::kColon, "`:` after `" + definition.name + "`",
                          "a rule is written `name: ...`, a terminal `NAME: ...`");
  }

  // Parses one of the parts that may be between a name and its colon.
  bool head(Definition& definition, bool& is_head) {
    if (reader_.take(WordKind::kDoubleColon)) {
      if (reader_.kind() == WordKind::kEquals) return expect_colon(definition);  // EBNF's `::=`
      definition.is_parametric = true;
      if (definition.is_terminal) return reader_.fail(definition.where, "terminals have no parameter");
      return reader_.expect(WordKind::kUnderscore, "`_`", "a rule with a parameter is written `name::_ : ...`");
    }
    if (reader_.take(WordKind::kDot)) {
      return reader_.expect(WordKind::kNumber, "a priority after `.`");
    }
    if (reader_.kind() == WordKind::kOpenBrace) return template_names(definition);
    if (reader_.kind() == WordKind::kOpenBracket) return attributes(definition);
    is_head = false;
    return true;
  }

  bool template_names(Definition& definition) {
    if (definition.is_terminal) return reader_.fail(reader_.where(), "terminals have no template parameters");
    reader_.advance();
    do {
      definition.template_names.push_back(reader_.spelling());
      if (!reader_.take(WordKind::kTerminalName) &&
          !reader_.expect(WordKind::kRuleName, "the name of a template's parameter")) {
        return false;
      }
    } while (reader_.take(WordKind::kComma));
    return reader_.expect(WordKind::kCloseBrace, "`,` or `}` after a template's parameter");
  }

  bool attributes(Definition& definition) {
    if (definition.is_terminal) {
      return reader_.fail(reader_.where(), "terminals have no attributes",
                          "give them to a rule: `name[lazy]: " + definition.name + "`");
    }
    reader_.advance();
    do {
      if (!attribute(definition)) return false;
    } while (reader_.take(WordKind::kComma));
    if (!reader_.expect(WordKind::kCloseBracket, "`,` or `]` after an attribute")) return false;
    const Attributes& read = definition.attributes;
    return read.suffix_capture.empty() || read.suffix ||
           reader_.fail(definition.where, "`stop_capture` without `stop` or `suffix`",
                        "it captures the text that `stop` or `suffix` matches");
  }

  bool attribute(Definition& definition) {
    static constexpr std::array<std::string_view, 7> kNames{"lazy",       "suffix",      "stop",        "capture",
                                                            "max_tokens", "temperature", "stop_capture"};
    const SourceRange where = reader_.where();
    const std::string_view name = reader_.spelling();
    static constexpr const char* kHint =
        "there are `lazy`, `suffix`, `stop`, `stop_capture`, `capture`, `max_tokens` and `temperature`";
    if (!reader_.expect(WordKind::kRuleName, "an attribute", kHint)) return false;
    Attributes& attributes = definition.attributes;
    if (name == "lazy") {
      attributes.lazy = true;
      attributes.lexeme_where = where;
      return true;
    }
    if (name == "capture") return capture(definition);
    if (name == "stop_capture") {
      return reader_.expect(WordKind::kEquals, "`=` after `stop_capture`") &&
             capture_name("stop_capture", attributes.suffix_capture);
    }
    if (name == "max_tokens") return max_tokens(attributes);
    if (name == "temperature") return temperature(attributes);
    if (name == "suffix" || name == "stop") return suffix(attributes, name, where);
    std::string hint = grammar::did_you_mean(kNames, name);
    return reader_.fail(where, "unknown attribute `" + std::string(name) + "`", hint.empty() ? kHint : std::move(hint));
  }

  bool suffix(Attributes& attributes, std::string_view name, SourceRange where) {
    if (attributes.suffix) {
      return reader_.fail(where, "`" + std::string(name) + "` after another `suffix` or `stop`",
                          "a lexeme has one end; alternatives are written in one regular expression");
    }
    attributes.lexeme_where = where;
    attributes.is_stop = name == "stop";
    if (!reader_.expect(WordKind::kEquals, "`=` after `" + std::string(name) + "`")) return false;
    attributes.suffix = bodies_.primary();
    return attributes.suffix.has_value();
  }

  bool capture(Definition& definition) {
    definition.attributes.capture = definition.name;
    if (!reader_.take(WordKind::kEquals)) return true;
    return capture_name("capture", *definition.attributes.capture);
  }

  bool capture_name(std::string_view attribute, std::string& into) {
    const SourceRange where = reader_.where();
    if (!reader_.expect(WordKind::kString, "a name in quotes after `" + std::string(attribute) + "=`")) return false;
    Result<std::string> name = string_bytes(reader_.text(), where);
    if (!name) return reader_.fail(std::move(name.error()));
    if (name->empty()) return reader_.fail(where, "a capture needs a name");
    into = std::move(*name);
    return true;
  }

  bool max_tokens(Attributes& attributes) {
    if (!reader_.expect(WordKind::kEquals, "`=` after `max_tokens`")) return false;
    const SourceRange where = reader_.where();
    const std::string_view digits = reader_.spelling();
    if (!reader_.expect(WordKind::kNumber, "a number after `max_tokens=`")) return false;
    std::uint32_t count = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (status != std::errc() || end != digits.data() + digits.size() || count > grammar::kMaxTokenLimit) {
      return reader_.fail(where,
                          "`max_tokens` must be an integer from 0 to " + std::to_string(grammar::kMaxTokenLimit));
    }
    attributes.max_tokens = count;
    return true;
  }

  bool temperature(Attributes& attributes) {
    if (!reader_.expect(WordKind::kEquals, "`=` after `temperature`")) return false;
    const SourceRange where = reader_.where();
    const std::string_view digits = reader_.spelling();
    if (!reader_.expect(WordKind::kNumber, "a number after `temperature=`")) return false;
    const std::optional<float> read = grammar::read_temperature(digits);
    if (!read) return reader_.fail(where, "`temperature` must be a number of at least 0");
    attributes.temperature = *read;
    return true;
  }

  bool add_definition(std::string_view name, Definition definition) {
    Module& into = module();
    const auto [found, is_new] = into.names.try_emplace(name, static_cast<std::uint32_t>(into.definitions.size()));
    if (!is_new) {
      const LineColumn first = line_column(reader_.text(), into.definitions[found->second].where.start);
      return reader_.fail(definition.where, "`" + definition.name + "` is defined twice",
                          "it is defined at line " + std::to_string(first.line) + ", column " +
                              std::to_string(first.column) +
                              " already; further alternatives are added there, with `|`");
    }
    into.definitions.push_back(std::move(definition));
    return true;
  }

  bool directive() {
    const SourceRange where = reader_.where();
    const std::string_view name = reader_.spelling();
    reader_.advance();
    if (name == "%ignore" || name == "%longest") {
      const std::size_t first_word = reader_.pos();
      const std::optional<std::uint32_t> body = bodies_.alternatives();
      if (!body) return false;
      if (reader_.pos() == first_word) return reader_.expected("a terminal after `" + std::string(name) + "`");
      (name == "%ignore" ? module().ignored : module().longest).push_back(*body);
      return true;
    }
    if (name == "%import") return import();
    if (name == "%llguidance") {
      const SourceRange options = reader_.where();
      if (!reader_.expect(WordKind::kJson, "a JSON object after `%llguidance`")) return false;
      module().options.push_back(options);
      return true;
    }
    if (name == "%declare") return declare();
    if (name == "%indent") {
      const SourceRange options = reader_.where();
      if (!reader_.expect(WordKind::kJson, "a JSON object after `%indent`")) return false;
      if (module().indent) return reader_.fail(where, "a second `%indent`", "all of it is said in one");
      module().indent = options;
      return true;
    }
    if (name == "%override" || name == "%extend") {
      return refuse_directive(where, name, "it changes what is imported: write the definition itself");
    }
    static constexpr std::array<std::string_view, 9> kNames{"%ignore",  "%import", "%llguidance", "%declare", "%indent",
                                                            "%longest", "%json",   "%regex",      "%lark"};
    return reader_.fail(where, "unexpected `" + std::string(name) + "`", grammar::did_you_mean(kNames, name));
  }

  // Parses `%declare NAME NAME`.
  bool declare() {
    do {
      Definition definition;
      definition.where = reader_.where();
      definition.name = reader_.spelling();
      definition.is_terminal = definition.is_declared = true;
      const std::string_view name = reader_.spelling();
      if (!reader_.expect(WordKind::kTerminalName, "the name of a terminal after `%declare`")) return false;
      if (!add_definition(name, std::move(definition))) return false;
    } while (reader_.kind() != WordKind::kLineEnd && reader_.kind() != WordKind::kEnd);
    return true;
  }

  bool refuse_directive(SourceRange where, std::string_view name, std::string hint) {
    return reader_.fail(
        {ErrorCode::kUnsupported, "`" + std::string(name) + "` is not supported", where, std::move(hint), {}});
  }

  // Parses `%import common.NAME -> OTHER` and `%import common (NAME, OTHER)`.
  bool import() {
    const SourceRange library = reader_.where();
    if (reader_.kind() == WordKind::kDot || reader_.spelling() != "common") {
      return reader_.fail({ErrorCode::kUnsupported,
                           "only the library `common` can be imported",
                           library,
                           "write the definitions themselves, or name a grammar with `@name`",
                           {}});
    }
    reader_.advance();
    if (!reader_.take(WordKind::kOpen)) {
      return reader_.expect(WordKind::kDot, "`.` or `(` after `common`") && import_one(true);
    }
    do {
      if (!import_one(false)) return false;
    } while (reader_.take(WordKind::kComma));
    return reader_.expect(WordKind::kClose, "`,` or `)` after an imported terminal");
  }

  bool import_one(bool may_rename) {
    const SourceRange where = reader_.where();
    std::string_view name = reader_.spelling();
    if (!reader_.take(WordKind::kTerminalName) && !reader_.expect(WordKind::kRuleName, "a terminal of `common`"))
      return false;
    if (!is_common_terminal(name)) {
      std::string hint = grammar::did_you_mean(common_terminal_names(), name, "there are");
      return reader_.fail({ErrorCode::kInvalidArgument,
                           "the library `common` has no `" + std::string(name) + "`",
                           where,
                           std::move(hint),
                           {}});
    }
    Definition definition;
    definition.common_name = name;
    definition.where = where;
    definition.is_terminal = true;
    if (may_rename && reader_.take(WordKind::kArrow)) {
      name = reader_.spelling();
      if (!reader_.expect(WordKind::kTerminalName, "a terminal's name after `->`")) return false;
    }
    definition.name = name;
    return add_definition(name, std::move(definition));
  }

  WordReader reader_;
  BodyParser bodies_;
  SyntaxTree& tree_;
  std::uint32_t module_ = 0;
};

}  // namespace

void parse(std::string_view text, const std::vector<Word>& words, const Limits& limits, SyntaxTree& tree,
           std::vector<Error>& errors) {
  Parser(text, words, limits, tree, errors).run();
}

}  // namespace weir::frontend::lark
