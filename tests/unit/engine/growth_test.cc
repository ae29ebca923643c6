// Lazy rules through the whole engine: a language that no finite set of rules describes.
#include "grammar/growth.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "grammar/ir.h"
#include "weir/weir.h"

namespace weir::growth_test {
namespace {

using grammar::GrowingCfg;
using grammar::Symbol;

// count(n) ::= "a" count(n+1) | "b"{n} "c"{n}: the texts a^n b^n c^n, n > 0, which are not context-free. Handle 0 is
// count(0); 3k+1 is count(k), 3k+2 and 3k+3 are "b"{k} and "c"{k}.
class EqualCounts : public grammar::RuleMaker {
 public:
  EqualCounts(regex::ExprSet& exprs, std::uint32_t limit, std::size_t* texts_asked_for, bool knows_texts)
      : exprs_(exprs), limit_(limit), texts_asked_for_(texts_asked_for), knows_texts_(knows_texts) {}

  base::Limit make(std::uint32_t handle, GrowingCfg& out) override {
    const std::uint32_t n = handle == 0 ? 0 : (handle - 1) / 3;
    const std::uint32_t kind = handle == 0 ? 0 : (handle - 1) % 3;
    if (n > limit_) return base::Limit::kGrammarSymbols;
    const auto letter = [&](const char* text) {
      return Symbol::terminal(out.terminal(exprs_.literal(text), [&] { return std::string(text); }));
    };
    const auto rule = [&](std::uint32_t k, std::uint32_t count) {
      return Symbol::rule(out.rule(3 * count + k + 1, [] { return std::string("r"); }));
    };
    if (kind == 0) {
      out.produce(std::vector{letter("a"), rule(0, n + 1)});
      if (n == 1) out.produce(std::vector{letter("b"), letter("c")});
      if (n > 1) out.produce(std::vector{letter("b"), rule(1, n - 1), letter("c"), rule(2, n - 1)});
    } else {
      const Symbol last = letter(kind == 1 ? "b" : "c");
      if (n == 1) out.produce(std::vector{last});
      if (n > 1) out.produce(std::vector{last, rule(kind, n - 1)});
    }
    return base::Limit::kNone;
  }

  std::optional<base::CutText> short_text(std::uint32_t handle, std::size_t most) override {
    if (texts_asked_for_ != nullptr) ++*texts_asked_for_;
    base::CutText text(most);
    if (!knows_texts_) return {};
    const std::uint32_t n = handle == 0 ? 0 : (handle - 1) / 3;
    const std::uint32_t kind = handle == 0 ? 3 : (handle - 1) % 3;
    if (kind == 3) text.add("abc");
    if (kind < 2) text.add("b", n);
    if (kind == 0 || kind == 2) text.add("c", n);
    return text;
  }

 private:
  regex::ExprSet& exprs_;
  std::uint32_t limit_;
  std::size_t* texts_asked_for_;
  bool knows_texts_;
};

class EqualCountsSource : public grammar::RuleSource {
 public:
  EqualCountsSource(std::uint32_t limit, std::size_t* texts_asked_for, bool knows_texts)
      : limit_(limit), texts_asked_for_(texts_asked_for), knows_texts_(knows_texts) {}
  [[nodiscard]] std::unique_ptr<grammar::RuleMaker> maker(regex::ExprSet& exprs) const override {
    return std::make_unique<EqualCounts>(exprs, limit_, texts_asked_for_, knows_texts_);
  }

 private:
  std::uint32_t limit_;
  std::size_t* texts_asked_for_;
  bool knows_texts_;
};

CompiledGrammar compile(std::uint32_t limit = 1000, std::size_t* texts_asked_for = nullptr, bool knows_texts = true) {
  auto ir = std::make_shared<grammar::Grammar>(1000);
  const grammar::NodeId lazy =
      ir->add_lazy(std::make_shared<EqualCountsSource>(limit, texts_asked_for, knows_texts), 0, {});
  const std::vector<grammar::NodeId> parts{ir->add_literal("<", {}), lazy, ir->add_literal(">", {})};
  ir->start = ir->add_rule({"root", ir->add_sequence(parts, {}), {}, true});
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  auto compiled = compiler.compile(Grammar(ir, {}, {}, nullptr));
  EXPECT_TRUE(compiled.has_value());
  return *compiled;
}

TEST(Growth, RulesAreMadeAsTheTextNeedsThem) {
  GrammarMatcher matcher(compile());
  EXPECT_EQ(matcher.longest_viable_prefix("<aaabbbccc>"), 11U);
  EXPECT_EQ(matcher.longest_viable_prefix("<aaabbbcc>"), 9U);
  EXPECT_EQ(matcher.longest_viable_prefix("<aaabbc"), 6U);
  EXPECT_EQ(matcher.longest_viable_prefix("<>"), 1U);
  EXPECT_EQ(matcher.accept_bytes("<" + std::string(200, 'a') + std::string(200, 'b') + std::string(200, 'c') + ">"),
            Step::kOk);
  EXPECT_TRUE(matcher.is_completed());
}

TEST(Growth, CompletionsUseTheMakersTexts) {
  GrammarMatcher matcher(compile());
  EXPECT_EQ(matcher.shortest_completion(), "<abc>");
  ASSERT_EQ(matcher.accept_bytes("<aaab"), Step::kOk);
  EXPECT_EQ(matcher.shortest_completion(), "bbccc>");
}

// Most rules that a text reaches are not needed for its completion.
TEST(Growth, CompletionsAskForTheTextsOfRulesThatTheyPass) {
  std::size_t asked = 0;
  GrammarMatcher matcher(compile(1000, &asked));
  constexpr std::size_t kSteps = 100;
  ASSERT_EQ(matcher.accept_bytes("<"), Step::kOk);
  for (std::size_t i = 0; i < kSteps; ++i) {
    ASSERT_EQ(matcher.accept_bytes("a"), Step::kOk);
    ASSERT_TRUE(matcher.shortest_completion().has_value());
  }
  EXPECT_LE(asked, 5 * kSteps);
}

// A maker whose search for a text met a limit says nothing about whether there is one.
TEST(Growth, CompletionsAreSearchedForWhereTheMakerFindsNoText) {
  GrammarMatcher matcher(compile(20, nullptr, false));
  EXPECT_EQ(matcher.shortest_completion(), "<abc>");
  EXPECT_EQ(matcher.limit_message(), "");
  ASSERT_EQ(matcher.accept_bytes("<aaab"), Step::kOk);
  EXPECT_EQ(matcher.shortest_completion(), "bbccc>");
}

TEST(Growth, LimitsOfTheMakerStopTheCallThatMeetsThem) {
  GrammarMatcher matcher(compile(3));
  EXPECT_EQ(matcher.accept_bytes("<aa"), Step::kOk);
  EXPECT_EQ(matcher.accept_bytes("aaaa"), Step::kLimitExceeded);
  EXPECT_NE(matcher.limit_message().find("grammar_symbols"), std::string::npos);
  EXPECT_EQ(matcher.accept_bytes("bbcc>"), Step::kOk) << "the matcher stands where it stood";
}

}  // namespace
}  // namespace weir::growth_test
