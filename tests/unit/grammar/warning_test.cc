// Warnings of the passes, and errors about grammars whose language is empty.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "frontend/ebnf/ebnf.h"
#include "grammar/passes/pipeline.h"

namespace weir::grammar::warning_test {
namespace {

struct Outcome {
  std::vector<Warning> warnings;
  Result<Cfg> cfg;
};

Outcome compiled(std::string_view text) {
  std::vector<Warning> warnings;
  const auto grammar = frontend::parse_ebnf(text, "root", Limits{});
  if (!grammar) return {{}, tl::unexpected(grammar.error())};
  Result<Cfg> cfg = run_passes(*grammar, Limits{}, &warnings);
  return {std::move(warnings), std::move(cfg)};
}

struct Expected {
  const char* text;
  std::vector<std::string> warnings;  // each "range: message"
};

TEST(Warnings, NameThePlace) {
  const Expected cases[] = {
      {"root ::= \"a\"", {}},
      {"root ::= \"a\"\nb ::= c\nc ::= b | \"x\"", {"b: rule `b` is never used", "c: rule `c` is never used"}},
      {"root ::= a & ~b\na ::= c\nb ::= \"x\"\nc ::= \"y\"", {}},  // operands are used
      {"root ::= \"a\" | dead\ndead ::= \"x\" dead", {"dead: rule `dead` derives no finite string"}},
      {"root ::= \"a\" | b\nb ::= \"x\" c\nc ::= b | b b",
       {"b: rule `b` derives no finite string", "c: rule `c` derives no finite string"}},
      {"root ::= \"a\" | \"b\" (\"c\" & \"d\")", {"\"c\" & \"d\": \"c\" & \"d\" matches no text"}},
      {"root ::= \"a\" root | \"b\" | root", {"root: rule `root` can derive itself"}},
      {"root ::= a b | \"x\"\na ::= \"\" | \"y\"\nb ::= root?", {"root: rule `root` can derive itself"}},
      {"root ::= \"(\" (root*)* \")\"", {}},
      {"root ::= \"a\" @lazy(\"b\"*) \"c\"",
       {"@lazy(\"b\"*): lazy terminal @lazy(\"b\"*) matches the empty string, so it never takes any text"}},
  };
  for (const Expected& c : cases) {
    const Outcome outcome = compiled(c.text);
    ASSERT_TRUE(outcome.cfg) << c.text << ": " << outcome.cfg.error().message;
    std::vector<std::string> warnings;
    for (const Warning& w : outcome.warnings) {
      warnings.push_back(std::string(c.text).substr(w.where.start, w.where.end - w.where.start) + ": " + w.message);
    }
    EXPECT_EQ(warnings, c.warnings) << c.text;
  }
}

struct NoText {
  const char* text;
  const char* message;
  const char* place;
  const char* hint;
};

TEST(Unsatisfiable, SaysWhy) {
  const NoText cases[] = {
      {"root ::= \"a\" root", "no text matches: rule `root` derives no finite string", "root",
       "every way through `root` leads back to it"},
      {"root ::= \"x\" list\nlist ::= \"a\" \",\" list", "no text matches: rule `root` derives no finite string",
       "root", "every way through `list` leads back to it"},
      {"root ::= \"x\" (\"a\" & \"b\")", "no text matches: rule `root` derives no finite string", "\"a\" & \"b\"",
       "\"a\" & \"b\" matches no text"},
      {"root ::= \"a\" & \"b\"", "no text matches \"a\" & \"b\"", "\"a\" & \"b\"", ""},
      {"root ::= x\nx ::= \"a\" & \"b\"", "no text matches: rule `root` derives no finite string", "\"a\" & \"b\"", ""},
  };
  for (const NoText& c : cases) {
    const Outcome outcome = compiled(c.text);
    ASSERT_FALSE(outcome.cfg) << c.text;
    const Error& error = outcome.cfg.error();
    EXPECT_EQ(error.code, ErrorCode::kUnsatisfiable);
    EXPECT_EQ(error.message, c.message);
    EXPECT_EQ(std::string(c.text).substr(error.where.start, error.where.end - error.where.start), c.place);
    EXPECT_NE(error.hint.find(c.hint), std::string::npos) << error.hint;
  }
}

TEST(Unsatisfiable, FuelIsALimit) {
  // The shortest text of the intersection is longer than the fuel: lengths that are multiples of 7, 11 and 13.
  const auto grammar = frontend::parse_ebnf("root ::= (\"a\"{7})+ & (\"a\"{11})+ & (\"a\"{13})+", "root", Limits{});
  ASSERT_TRUE(grammar);
  Limits limits;
  limits.regex_fuel = 100;
  const auto cfg = run_passes(*grammar, limits, nullptr);
  ASSERT_FALSE(cfg);
  EXPECT_EQ(cfg.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(cfg.error().limit, "regex_fuel");
}

TEST(Unsatisfiable, ExpressionsAreALimit) {
  const auto grammar = frontend::parse_ebnf("root ::= (\"a\"{7})+ & (\"a\"{11})+ & (\"a\"{13})+", "root", Limits{});
  ASSERT_TRUE(grammar);
  Limits limits;
  limits.regex_nodes = static_cast<std::uint32_t>(grammar->exprs.node_count()) + 50;
  const auto cfg = run_passes(*grammar, limits, nullptr);
  ASSERT_FALSE(cfg);
  EXPECT_EQ(cfg.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(cfg.error().limit, "regex_nodes");
}

TEST(CheckDefined, IsPartOfThePipeline) {
  Grammar grammar(1000);
  Rule rule;
  rule.name = "root";
  rule.defined = true;
  Rule missing;
  missing.name = "missing";
  const RuleId id = grammar.add_rule(missing);
  rule.body = grammar.add_rule_reference(id, {});
  grammar.start = grammar.add_rule(rule);
  const auto cfg = run_passes(grammar, Limits{}, nullptr);
  ASSERT_FALSE(cfg);
  EXPECT_EQ(cfg.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace weir::grammar::warning_test
