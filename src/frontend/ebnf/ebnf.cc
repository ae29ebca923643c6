#include "frontend/ebnf/ebnf.h"

#include <string>
#include <vector>

#include "base/utf8.h"
#include "frontend/ebnf/parser.h"
#include "frontend/ebnf/words.h"
#include "grammar/passes/check.h"
#include "grammar/regular.h"
#include "grammar/suggest.h"

namespace weir::frontend {

namespace {

// Rules that no other rule refers to are what one would begin with.
std::string start_candidates(const grammar::Grammar& grammar) {
  std::vector<bool> used(grammar.rules.size(), false);
  for (const grammar::Node& node : grammar.nodes) {
    if (node.kind == grammar::NodeKind::kRule) used[node.payload] = true;
  }
  constexpr std::size_t kShown = 5;
  std::string list;
  std::size_t count = 0;
  for (std::size_t i = 0; i < grammar.rules.size(); ++i) {
    if (used[i]) continue;
    if (++count <= kShown) list += (list.empty() ? "`" : ", `") + grammar.rules[i].name + "`";
  }
  if (count == 0) return "every rule is used by another one: choose the rule to start with";
  if (count > kShown) list += ", ...";
  return "choose the rule to start with; those that no rule refers to: " + list;
}

Result<void> select_start(grammar::Grammar& grammar, std::string_view start) {
  for (std::size_t i = 0; i < grammar.rules.size(); ++i) {
    if (grammar.rules[i].name != start || !grammar.rules[i].defined) continue;
    grammar.start = grammar::RuleId{static_cast<std::uint32_t>(i)};
    return {};
  }
  std::string hint = grammar::did_you_mean(grammar, start);
  if (hint.empty()) hint = start_candidates(grammar);
  return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                              "there is no rule `" + base::escape_for_display(start) + "` to start with",
                              {},
                              std::move(hint),
                              {}});
}

}  // namespace

Result<grammar::Grammar> parse_ebnf(std::string_view text, std::string_view start, const Limits& limits) {
  if (text.size() > limits.text_bytes) {
    return tl::unexpected(Error{ErrorCode::kLimitExceeded,
                                "the grammar's text has " + std::to_string(text.size()) + " bytes, the limit is " +
                                    std::to_string(limits.text_bytes),
                                {},
                                {},
                                "text_bytes"});
  }
  if (const std::size_t at = base::find_invalid_utf8(text); at != std::string_view::npos) {
    return tl::unexpected(Error{ErrorCode::kSyntax, "the grammar's text is not valid UTF-8", {at, at + 1}, {}, {}});
  }
  const auto words = ebnf::split_words(text, limits);
  if (!words) return tl::unexpected(words.error());
  auto parsed = ebnf::parse(text, *words, limits);
  if (!parsed) return tl::unexpected(std::move(parsed.error()));
  grammar::Grammar& grammar = parsed->grammar;
  if (auto done = grammar::check_defined(grammar); !done) return tl::unexpected(std::move(done.error()));
  if (auto done = grammar::resolve(grammar, parsed->operations); !done) return tl::unexpected(std::move(done.error()));
  if (auto done = select_start(grammar, start); !done) return tl::unexpected(std::move(done.error()));
  return std::move(grammar);
}

}  // namespace weir::frontend
