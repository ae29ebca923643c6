#include "frontend/kbnf/kbnf.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/replaceable.h"
#include "base/utf8.h"
#include "frontend/kbnf/parser.h"
#include "frontend/kbnf/words.h"
#include "grammar/passes/check.h"
#include "grammar/regular.h"
#include "grammar/suggest.h"

namespace weir::frontend {

namespace {

std::optional<grammar::RuleId> find_start(std::size_t first_rule, std::string_view start, Reading& reading) {
  const grammar::Grammar& grammar = reading.grammar;
  for (std::size_t i = first_rule; i < grammar.rules.size(); ++i) {
    if (grammar.rules[i].name == start) return grammar::RuleId{static_cast<std::uint32_t>(i)};
  }
  std::string hint = grammar::did_you_mean(grammar, start);
  if (hint.empty()) hint = "choose another start rule, for example `" + grammar.rules[first_rule].name + "`";
  return reading.fail({ErrorCode::kInvalidArgument,
                       "there is no rule `" + base::escape_for_display(start) + "` to start with",
                       {},
                       std::move(hint),
                       {}});
}

}  // namespace

WEIR_REPLACEABLE std::optional<grammar::RuleId> read_kbnf(std::string_view text, std::string_view start,
                                                          Reading& reading) {
  if (auto done = check_text(text, reading.limits); !done) return reading.fail(std::move(done.error()));
  const std::size_t first_rule = reading.grammar.rules.size();
  const std::vector<kbnf::Word> words = kbnf::split_words(text, reading.errors);
  const auto operations = kbnf::parse(text, words, reading);
  for (Error& error : grammar::undefined_rules(reading.grammar, first_rule)) reading.errors.push_back(std::move(error));
  if (!reading.errors.empty()) {
    std::stable_sort(reading.errors.begin(), reading.errors.end(),
                     [](const Error& a, const Error& b) { return a.where.start < b.where.start; });
    if (reading.errors.size() > kMaxErrors) reading.errors.resize(kMaxErrors);
    return std::nullopt;
  }
  if (auto done = grammar::resolve(reading.grammar, operations, reading.warnings); !done)
    return reading.fail(std::move(done.error()));
  return find_start(first_rule, start, reading);
}

}  // namespace weir::frontend
