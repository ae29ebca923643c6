#include "frontend/text.h"

#include <algorithm>
#include <array>

#include "base/json/json_value.h"
#include "frontend/ebnf/ebnf.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/kbnf/kbnf.h"
#include "frontend/languages/language.h"
#include "frontend/lark/lark.h"
#include "frontend/xgrammar/xgrammar.h"

namespace weir {

namespace {

using Reader = std::optional<grammar::RuleId> (*)(std::string_view, const GrammarTextOptions&, frontend::Reading&);

struct Syntax {
  GrammarSyntax id;
  std::string_view name;
  Reader read;
};

std::optional<grammar::RuleId> read_ebnf(std::string_view text, const GrammarTextOptions& options,
                                         frontend::Reading& reading) {
  return frontend::read_ebnf(text, options.start.empty() ? "root" : options.start, reading);
}

std::optional<grammar::RuleId> read_gbnf(std::string_view text, const GrammarTextOptions& options,
                                         frontend::Reading& reading) {
  return frontend::read_gbnf(text, options.start.empty() ? "root" : options.start, reading);
}

std::optional<grammar::RuleId> read_xgrammar(std::string_view text, const GrammarTextOptions& options,
                                             frontend::Reading& reading) {
  return frontend::read_xgrammar(text, options.start.empty() ? "root" : options.start, reading);
}

std::optional<grammar::RuleId> read_kbnf(std::string_view text, const GrammarTextOptions& options,
                                         frontend::Reading& reading) {
  reading.grammar.keeps_endless = reading.grammar.keeps_endless || options.keep_endless;
  return frontend::read_kbnf(text, options.start.empty() ? "start" : options.start, reading);
}

// The grammar languages. The command, case files, the C interface and Python take their names from here.
constexpr std::array kSyntaxes{
    Syntax{GrammarSyntax::kEbnf, "ebnf", read_ebnf},              //
    Syntax{GrammarSyntax::kGbnf, "gbnf", read_gbnf},              //
    Syntax{GrammarSyntax::kXgrammar, "xgrammar", read_xgrammar},  //
    Syntax{GrammarSyntax::kKbnf, "kbnf", read_kbnf},              //
    Syntax{GrammarSyntax::kLark, "lark", frontend::read_lark},    //
};

}  // namespace

std::string_view to_string(GrammarSyntax syntax) noexcept {
  for (const Syntax& known : kSyntaxes) {
    if (known.id == syntax) return known.name;
  }
  return {};
}

std::optional<GrammarSyntax> syntax_named(std::string_view name) noexcept {
  for (const Syntax& known : kSyntaxes) {
    if (known.name == name) return known.id;
  }
  return std::nullopt;
}

}  // namespace weir

namespace weir::frontend {

std::string syntax_names() {
  std::string names;
  for (const Syntax& known : kSyntaxes) names += (names.empty() ? "" : ", ") + std::string(known.name);
  return names;
}

}  // namespace weir::frontend

namespace weir {

namespace {

// Options that only one language has have no effect in the others, so there their caller expects something else.
std::optional<Error> option_of_another_language(const GrammarTextOptions& options) {
  if (options.keep_endless && options.syntax != GrammarSyntax::kKbnf) {
    return frontend::no_effect("keep_endless", "syntax", "`syntax` = kbnf");
  }
  if (options.syntax == GrammarSyntax::kLark) return frontend::option_without_effect(options.json_schema);
  const char* const of_lark = options.exact_splits                         ? "exact_splits"
                              : !options.grammars.empty()                  ? "grammars"
                              : options.json_schema != JsonSchemaOptions() ? "json_schema"
                              : !options.indenter.empty()                  ? "indenter"
                                                                           : nullptr;
  if (of_lark != nullptr) return frontend::no_effect(of_lark, "syntax", "`syntax` = lark");
  return std::nullopt;
}

}  // namespace

}  // namespace weir

namespace weir::frontend {

namespace {

// Returns which of the other languages `text` is in; "" if none.
std::string another_language_of(std::string_view text, const GrammarTextOptions& options, const Limits& limits) {
  for (const Syntax& other : kSyntaxes) {
    if (other.id == options.syntax) continue;
    grammar::Grammar grammar(limits.regex_nodes);
    Reading reading{grammar, limits};
    GrammarTextOptions how;
    how.start = options.start;
    if (other.read(text, how, reading))
      return "as a grammar in " + std::string(other.name) + " (`syntax`) the text has no error";
  }
  const Result<base::JsonDocument> json = base::JsonDocument::parse(text, limits);
  if (!json || !json->root().is(base::JsonType::kObject)) return {};
  return "this is JSON: a JSON Schema or a structural tag is not read as a grammar";
}

}  // namespace

std::optional<grammar::RuleId> read_text(std::string_view text, const GrammarTextOptions& options, Reading& reading) {
  if (!options.language.empty()) return read_language(text, options, reading);
  if (std::optional<Error> useless = option_of_another_language(options)) return reading.fail(*std::move(useless));
  const auto known = std::ranges::find(kSyntaxes, options.syntax, &Syntax::id);
  if (known == kSyntaxes.end()) return reading.fail({ErrorCode::kInvalidArgument, "`syntax` is no GrammarSyntax", {}});
  const std::size_t before = reading.errors.size();
  const std::optional<grammar::RuleId> rule = known->read(text, options, reading);
  if (rule || reading.errors.size() == before || reading.errors[before].code != ErrorCode::kSyntax) return rule;
  if (std::string hint = another_language_of(text, options, reading.limits); !hint.empty()) {
    reading.errors[before].hint = std::move(hint);
    reading.errors[before].options = "syntax";
  }
  return rule;
}

}  // namespace weir::frontend
