#include "grammar/json_contents.h"

#include "regex/atoms/json_string.h"

namespace weir::grammar {

using regex::ExprId;

JsonContents::JsonContents(const Grammar& grammar)
    : terminals_(grammar.terminals.size()),
      rules_(grammar.rules.size()),
      token_sets_(grammar.token_sets.size()),
      sources_(grammar.sources.size()),
      free_texts_(grammar.free_texts.size()),
      separable_(grammar.separable.size()) {}

std::string_view JsonContents::write(Grammar& grammar, const regex::JsonStringOptions& options) const {
  for (std::size_t i = token_sets_; i < grammar.token_sets.size(); ++i) {
    if (grammar.token_sets[i].mark != LineMark::kNone) return "escapes would move the columns of its blocks of lines";
  }
  if (grammar.sources.size() > sources_) return "it has rules that are made while a text is read";
  if (grammar.free_texts.size() > free_texts_) return "it has free text that ends where a tag begins";
  regex::ExprSet& exprs = grammar.exprs;
  // What a lexer sees of a lexeme is where its text ends, and an escape may go on as half of a pair.
  if (options.lone_surrogates == regex::LoneSurrogates::kEscaped) {
    for (std::size_t i = terminals_; i < grammar.terminals.size(); ++i) {
      if (grammar.terminals[i].mode == base::LexemeMode::kLongest) return "the longest of its lexemes count";
    }
  }
  const auto content = [&](ExprId e) { return regex::json_string_content(exprs, e, options); };
  const ExprId up_to_quote = regex::json_up_to_quote(exprs);
  const auto ahead = [&](ExprId follow) {
    if (follow == ExprId::kAllStrings) return follow;
    return regex::json_string_then(exprs, exprs.intersection(follow, up_to_quote), options);
  };
  for (std::size_t i = terminals_; i < grammar.terminals.size(); ++i) {
    Terminal& terminal = grammar.terminals[i];
    terminal.expr = content(terminal.expr);
    terminal.text.clear();
  }
  for (std::size_t i = rules_; i < grammar.rules.size(); ++i) {
    Rule& rule = grammar.rules[i];
    rule.follow = ahead(rule.follow);
    if (!rule.parts.exist()) continue;
    if (rule.parts.first != ExprId::kAllStrings) rule.parts.first = content(rule.parts.first);
    rule.parts.second = content(rule.parts.second);
  }
  grammar.separable.resize(separable_);  // an escape has more than the next byte
  return {};
}

}  // namespace weir::grammar
