// Tests which texts lead to the same row, how many rows and continuations a grammar needs, and which texts it accepts.
// The terminals are letters; each grammar is written as productions of letters and rule names (capitals).
#include "earley/row_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace weir::earley {
namespace {

using grammar::Cfg;
using grammar::CfgRule;
using grammar::ItemId;
using grammar::RuleId;
using grammar::Symbol;
using grammar::TerminalId;

// Makes a Cfg from rules such as "S=aSb|". Rules are single capitals, with ids in the order of `rules`; small letters
// are the terminals a = 0, b = 1, ...
Cfg make_cfg(const std::vector<std::string>& rules) {
  Cfg cfg{regex::ExprSet(1000)};
  cfg.terminals.resize(26);
  const auto rule_of = [&](char name) {
    const auto it = std::find_if(rules.begin(), rules.end(), [&](const std::string& r) { return r[0] == name; });
    EXPECT_NE(it, rules.end()) << name;
    return RuleId{static_cast<std::uint32_t>(it - rules.begin())};
  };
  for (const std::string& text : rules) {
    CfgRule rule;
    rule.name = text.substr(0, 1);
    const RuleId lhs{static_cast<std::uint32_t>(cfg.rules.size())};
    std::string_view body = std::string_view(text).substr(2);
    for (bool more = true; more;) {
      const std::size_t bar = body.find('|');
      rule.productions.push_back(ItemId{static_cast<std::uint32_t>(cfg.symbols.size())});
      for (const char c : body.substr(0, bar)) {
        const bool is_rule = c >= 'A' && c <= 'Z';
        cfg.symbols.push_back(is_rule ? Symbol::rule(rule_of(c))
                                      : Symbol::terminal(TerminalId{static_cast<std::uint32_t>(c - 'a')}));
      }
      cfg.symbols.push_back(Symbol::end(lhs));
      more = bar != std::string_view::npos;
      if (more) body.remove_prefix(bar + 1);
    }
    cfg.rules.push_back(std::move(rule));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (CfgRule& rule : cfg.rules) {
      for (ItemId item : rule.productions) {
        while (cfg.symbol(item).kind() == Symbol::Kind::kRule && cfg.rules[cfg.symbol(item).index()].nullable) {
          item = Cfg::next(item);
        }
        if (rule.nullable || cfg.symbol(item).kind() != Symbol::Kind::kEnd) continue;
        rule.nullable = changed = true;
      }
    }
  }
  return cfg;
}

class Parse {
 public:
  explicit Parse(const std::vector<std::string>& rules, const Limits& limits = {})
      : grammar_(make_cfg(rules), exprs_, [](const grammar::Terminal&) {}), table_(grammar_, limits) {}

  // Returns the row after `text`, kNotViable if the text is no viable prefix, or that of a limit if one is met.
  RowId row(std::string_view text) {
    RowId at = table_.start();
    for (const char c : text) {
      if (base::is_limit_id(at)) return at;
      const auto terminals = table_.terminals(at);
      const auto t = static_cast<std::uint32_t>(c - 'a');
      if (!std::binary_search(terminals.begin(), terminals.end(), t)) return kNotViable;
      at = table_.advance(at, t);
    }
    return at;
  }
  bool accepts(std::string_view text) {
    const RowId at = row(text);
    return at != kNotViable && !base::is_limit_id(at) && table_.accepts(at);
  }
  RowTable& table() { return table_; }

  static constexpr RowId kNotViable{base::kFirstLimitId - 5};

 private:
  regex::ExprSet exprs_{100};
  grammar::GrowingCfg grammar_;
  RowTable table_;
};

TEST(RowTable, ListsReachTheSameRowHoweverTheyRecurse) {
  // [x,x,x]: l x , r  as letters: l opens, r closes, c separates.
  for (const auto& rules : {std::vector<std::string>{"S=lEr", "E=V|EcV", "V=x|S"},  // left-recursive
                            std::vector<std::string>{"S=lEr", "E=V|VcE", "V=x|S"},  // right-recursive
                            std::vector<std::string>{"S=lET", "T=cET|r", "E=x|S"}}) {
    Parse parse(rules);
    EXPECT_EQ(parse.row("lxcx"), parse.row("lxcxcxcxcxcx"));
    EXPECT_EQ(parse.row("lxc"), parse.row("lxcxcxc"));
    EXPECT_EQ(parse.row("llxrcx"), parse.row("lxcx"));
    EXPECT_NE(parse.row("llx"), parse.row("lx")) << "depth is part of the future";
    EXPECT_TRUE(parse.accepts("lxclxrr"));
    EXPECT_FALSE(parse.accepts("lxclxr"));
    EXPECT_EQ(parse.row("lxr"
                        "r"),
              Parse::kNotViable);
  }
}

TEST(RowTable, OperatorChainsReuseContinuations) {
  Parse parse({"E=EpT|T", "T=TmF|F", "F=lEr|n"});
  (void)parse.row("npn");
  const std::uint32_t rows = parse.table().row_count();
  const std::uint32_t continuations = parse.table().continuation_count();
  std::string text = "n";
  for (int i = 0; i < 50; ++i) text += i % 2 == 0 ? "pn" : "mn";
  EXPECT_TRUE(parse.accepts(text));
  EXPECT_LE(parse.table().row_count(), rows + 3);
  EXPECT_LE(parse.table().continuation_count(), continuations + 3);
}

TEST(RowTable, AmbiguityDoesNotGrowRows) {
  Parse parse({"E=EE|a"});
  EXPECT_EQ(parse.row("aaa"), parse.row(std::string(1000, 'a')));
  EXPECT_TRUE(parse.accepts(std::string(77, 'a')));
  EXPECT_FALSE(parse.accepts(""));
}

TEST(RowTable, NullableHiddenLeftRecursionAndCycles) {
  {
    Parse parse({"S=NSb|a", "N="});  // hidden left recursion: a b*
    EXPECT_TRUE(parse.accepts("a"));
    EXPECT_TRUE(parse.accepts("abbb"));
    EXPECT_FALSE(parse.accepts("ba"));
  }
  {
    Parse parse({"A=A|B|a", "B=A|b"});  // unit cycles
    EXPECT_TRUE(parse.accepts("a"));
    EXPECT_TRUE(parse.accepts("b"));
    EXPECT_FALSE(parse.accepts("ab"));
  }
  {
    Parse parse({"S=ABC", "A=a|", "B=b|", "C=c|S|"});  // all nullable, and recursive: (a?b?)+c?
    for (const char* text : {"", "a", "b", "c", "abc", "ac", "bc", "ab", "aba", "ba", "babac"}) {
      EXPECT_TRUE(parse.accepts(text)) << text;
    }
    EXPECT_FALSE(parse.accepts("ca"));
  }
  {
    Parse parse({"A=Bx|a", "B=Ay|b"});  // indirect left recursion
    EXPECT_TRUE(parse.accepts("ayxyx"));
    EXPECT_TRUE(parse.accepts("bxyx"));
    EXPECT_FALSE(parse.accepts("ay"));
    EXPECT_EQ(parse.row("ayx"), parse.row("ayxyx"));
  }
}

TEST(RowTable, DeepNestingIsALoop) {
  Parse parse({"S=aSb|c"});
  const std::string deep = std::string(100'000, 'a') + "c" + std::string(100'000, 'b');
  EXPECT_TRUE(parse.accepts(deep));
  EXPECT_FALSE(parse.accepts(deep.substr(0, deep.size() - 1)));
}

TEST(RowTable, TooManyItemsIsALimitAndStaysOne) {
  Limits limits;
  limits.row_items = 3;
  Parse parse({"S=xT|y", "T=aA|bB|cC|dD", "A=a", "B=b", "C=c", "D=d"}, limits);
  EXPECT_TRUE(parse.accepts("y"));
  EXPECT_EQ(base::limit_of_id(parse.row("x")), base::Limit::kRowItems);
  EXPECT_EQ(base::limit_of_id(parse.row("x")), base::Limit::kRowItems);
  EXPECT_TRUE(parse.accepts("y"));
}

}  // namespace
}  // namespace weir::earley
