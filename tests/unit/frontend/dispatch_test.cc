// Compares the automaton of a dispatch with its definition on every short text.
#include "frontend/dispatch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "weir/weir.h"

namespace weir::frontend {
namespace {

// A dispatch for the test, in which the content after each trigger is a literal.
struct Example {
  std::vector<std::pair<std::string, std::string>> triggers;
  std::vector<std::string> excluded = {};
  bool ends_in_text = true;
  bool needs_trigger = false;
  std::optional<Trigger::Next> next = Trigger::Next::kText;
  std::string alphabet = "abc";
  std::size_t longest = 7;
};

bool ends_with_any(std::string_view text, const std::vector<std::string>& strings) {
  return std::ranges::any_of(strings, [&](const std::string& s) { return text.ends_with(s); });
}

// Returns true if the dispatch accepts `text`. Reads free text one byte at a time.
bool is_member(const Example& example, std::string_view text, bool seen_trigger = false) {
  for (std::size_t end = 0;; ++end) {
    const std::string_view free = text.substr(0, end);
    if (ends_with_any(free, example.excluded)) return false;
    bool triggered = false;
    for (const auto& [trigger, then] : example.triggers) {
      if (!free.ends_with(trigger)) continue;
      triggered = true;
      const std::string_view rest = text.substr(end);
      if (!rest.starts_with(then)) continue;
      const std::string_view after = rest.substr(then.size());
      if (*example.next == Trigger::Next::kEnd ? after.empty() : is_member(example, after, true)) return true;
    }
    if (triggered) return false;
    if (end == text.size()) return example.ends_in_text && (seen_trigger || !example.needs_trigger);
  }
}

bool is_text_member(const Example& example, std::string_view text) {
  return base::find_invalid_utf8(text) == std::string_view::npos && is_member(example, text);
}

CompiledGrammar compile(const Example& example) {
  auto ir = std::make_shared<grammar::Grammar>(Limits{}.regex_nodes);
  Dispatch dispatch;
  for (const auto& [trigger, then] : example.triggers) {
    dispatch.triggers.push_back({trigger, ir->add_literal(then, {}), *example.next});
  }
  dispatch.excluded = example.excluded;
  dispatch.ends_in_text = example.ends_in_text;
  dispatch.needs_trigger = example.needs_trigger;
  const Result<grammar::NodeId> node = add_dispatch(*ir, dispatch, "dispatch");
  ir->start = ir->add_rule({.name = "root", .body = node.value(), .defined = true});
  VocabSpec spec;
  for (unsigned b = 0; b < 256; ++b) spec.tokens.push_back(std::string(1, static_cast<char>(b)));
  spec.tokens.push_back("<eos>");
  spec.special_token_ids = spec.stop_token_ids = {256};
  const GrammarCompiler compiler(TokenizerInfo::from_vocab(std::move(spec)).value());
  return compiler.compile(Grammar(std::move(ir), {}, Limits{}, nullptr)).value();
}

// Calls `visit(true)` for every text that the matcher accepts as viable, and `visit(false)` for every viable text plus
// one byte that the matcher refuses.
void for_each_text(GrammarMatcher& matcher, const Example& example, std::string& text,
                   const std::function<void(bool viable)>& visit) {
  visit(true);
  if (text.size() == example.longest) return;
  for (const char c : example.alphabet) {
    text.push_back(c);
    if (matcher.accept_bytes(std::string_view(&c, 1)) == Step::kOk) {
      for_each_text(matcher, example, text, visit);
      ASSERT_EQ(matcher.rollback(1), Step::kOk);
    } else {
      visit(false);
    }
    text.pop_back();
  }
}

TEST(Dispatch, IsItsDefinition) {
  using Next = Trigger::Next;
  const Example examples[] = {
      {{{"ab", "c"}}},
      {{{"ab", "c"}, {"ba", "b"}}},    // each overlaps the other one
      {{{"aa", "b"}}},                 // it overlaps itself
      {{{"aab", "c"}, {"ab", "a"}}},   // one is a suffix of the other: both end at the same position
      {{{"ab", "c"}, {"abc", "a"}}},   // the longer one never completes first
      {{{"ab", "cc"}, {"abc", "b"}}},  // nor if it ends inside the shorter one's content
      {{{"ab", "cc"}, {"cabc", "b"}}},
      {{{"a", ""}, {"bc", ""}}},                     // nothing follows a trigger
      {{{"abc", "a"}, {"bcb", "b"}, {"cab", "c"}}},  // chains of overlaps
      {{{"ab", "a"}, {"ab", "b"}}},                  // the same trigger twice
      {{{"ab", "c"}}, {"cc"}},                       //
      {{{"ab", "c"}}, {"ca", "aa"}},                 // no free text before the trigger may end with these
      {{{"ab", "c"}, {"bb", "a"}}, {"bab", "ab"}},   // one trigger is excluded
      {{}, {"ab", "cc"}},                            //
      {{}},                                          //
      {{{"ab", "c"}, {"ba", "b"}}, {}, true, true},  // at least one
      {{{"ab", "c"}, {"ba", "b"}}, {}, false, true, Next::kEnd},
      {{{"ab", "c"}, {"ba", "b"}}, {"ac"}, true, false, Next::kEnd},
      {{{"é", "a"}}, {"aé"}, true, false, Next::kText, "a\xC3\xA9\xA8", 6},
  };
  for (const Example& example : examples) {
    const CompiledGrammar compiled = compile(example);
    GrammarMatcher matcher(compiled);
    std::string text;
    std::size_t members = 0;
    for_each_text(matcher, example, text, [&](bool viable) {
      if (viable) {
        EXPECT_EQ(matcher.is_completed(), is_text_member(example, text)) << text;
        members += matcher.is_completed() ? 1 : 0;
        return;
      }
      // No text that begins with `text` is accepted. Two more letters are tried.
      for (const char a : example.alphabet) {
        for (const char b : example.alphabet) EXPECT_FALSE(is_text_member(example, text + a + b)) << text << a << b;
      }
    });
    EXPECT_GT(members, 3U);
  }
}

TEST(Dispatch, NamesTriggersThatNoTextReaches) {
  grammar::Grammar grammar(Limits{}.regex_nodes);
  const Dispatch dispatch{{{"ab"}, {"abc"}, {"xab"}, {"zabz"}, {"xx"}, {"axx"}, {"yy"}}, {"xx"}};
  // Not reachable: "abc", because "ab" ends earlier; "zabz", which contains "ab"; "xx", which is excluded; "axx", which
  // ends with it. "xab" ends where "ab" ends, so it is reachable. "yy" overlaps only itself.
  EXPECT_EQ(unreachable_triggers(grammar.exprs, dispatch), (std::vector<std::size_t>{1, 3, 4, 5}));
}

// Twice as many triggers make about twice as many expressions, before any text and after some texts were read.
TEST(Dispatch, IsLinearInTheTriggers) {
  std::vector<std::size_t> nodes;
  for (const std::size_t count : {250U, 500U}) {
    grammar::Grammar grammar(Limits{}.regex_nodes);
    Dispatch dispatch;
    for (std::size_t i = 0; i < count; ++i) dispatch.triggers.push_back({"<function=name_" + std::to_string(i) + ">"});
    const Result<grammar::NodeId> node = add_dispatch(grammar, dispatch, "dispatch");
    ASSERT_TRUE(node);
    for (const Trigger& trigger : dispatch.triggers) {
      regex::ExprId rest = grammar.terminals.front().expr;
      for (const char c : trigger.text) rest = grammar.exprs.derivative(rest, static_cast<std::uint8_t>(c));
      EXPECT_EQ(rest, regex::ExprId::kNothing);
    }
    nodes.push_back(grammar.exprs.node_count());
  }
  EXPECT_LT(nodes[1], nodes[0] * 5 / 2);
  EXPECT_LT(nodes[1], 60'000U);
}

}  // namespace
}  // namespace weir::frontend
