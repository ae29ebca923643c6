// Compares the captures of random small grammars with the oracle of readings.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "oracle/random_grammar.h"
#include "oracle/readings.h"
#include "property/harness.h"

namespace weir::testing {
namespace {

using oracle::NamedSpan;
using oracle::Reading;

constexpr int kGrammars = 3'000;
constexpr std::size_t kLength = 5;
constexpr std::size_t kReadings = 2'000;  // at most this many readings of a text are listed

const oracle::Vocabulary& vocabulary() {
  static const oracle::Vocabulary v{{"a", "b", "ab", ""}, {3}};
  return v;
}

// Returns the grammar in EBNF; the body of each named rule is a capture with the rule's name.
std::string with_captures(const oracle::Cfg& cfg, const std::vector<bool>& named) {
  std::string out;
  std::string ebnf = oracle::to_ebnf(cfg);
  for (std::size_t rule = 0, begin = 0; begin < ebnf.size(); ++rule) {
    const std::size_t end = ebnf.find('\n', begin);
    const std::size_t body = ebnf.find("::=", begin) + 3;
    const std::string name = ebnf.substr(begin, ebnf.find(' ', begin) - begin);
    out += ebnf.substr(begin, body - begin);
    out +=
        named[rule] ? " @capture(" + name + ":" + ebnf.substr(body, end - body) + ")" : ebnf.substr(body, end - body);
    out += '\n';
    begin = end + 1;
  }
  return out;
}

std::string shown(const Reading& reading) {
  std::string out;
  for (const NamedSpan& span : reading) {
    out += std::to_string(span.rule) + "[" + std::to_string(span.begin) + "," + std::to_string(span.end) + ") ";
  }
  return out;
}

class CapturesCheck {
 public:
  CapturesCheck() : compiler_(make_tokenizer(vocabulary())), strings_(oracle::all_strings("ab", kLength)) {}

  void check(oracle::Cfg cfg, const std::vector<bool>& named) {
    const std::string ebnf = with_captures(cfg, named);
    SCOPED_TRACE("\n" + ebnf);
    const Result<CompiledGrammar> compiled = compiler_.compile_ebnf(ebnf);
    const std::vector<bool> productive = oracle::productive_rules(cfg);
    ASSERT_EQ(compiled.has_value(), productive[cfg.start]);
    if (!compiled) return;
    cfg = oracle::productive_part(cfg);
    std::map<std::string, std::size_t> rule_of;
    for (std::size_t rule = 0; rule < cfg.names.size(); ++rule) {
      rule_of[rule == cfg.start ? "root" : cfg.names[rule]] = rule;
    }
    const bool is_cyclic = oracle::is_cyclic(cfg);
    for (const std::string& text : strings_) {
      const oracle::Readings of_text(cfg, named, text);
      if (!of_text.is_member()) continue;
      GrammarMatcher matcher(*compiled);
      ASSERT_EQ(matcher.accept_bytes(text), Step::kOk) << text;
      Reading found;
      for (const Capture& capture : matcher.captures()) {
        EXPECT_TRUE(capture.complete) << text;
        found.push_back({rule_of.at(capture.name), capture.begin, capture.end});
      }
      ASSERT_EQ(matcher.limit_message(), "") << text;
      if (is_cyclic) continue;  // no result is expected; the call must terminate
      ++compared_;
      const std::set<Reading> all = of_text.all(kReadings);
      ambiguous_ += all.size() > 1 ? 1U : 0U;
      EXPECT_TRUE(all.size() >= kReadings || all.contains(found)) << "'" << text << "'";
      EXPECT_EQ(shown(found), shown(of_text.chosen())) << "'" << text << "'";
    }
    if (!is_cyclic) check_beginnings(*compiled, cfg, named, rule_of);
  }

  [[nodiscard]] std::size_t compared() const { return compared_; }
  [[nodiscard]] std::size_t ambiguous() const { return ambiguous_; }
  [[nodiscard]] std::size_t beginnings() const { return beginnings_; }

 private:
  // Checks that the captures of a text that may not end here are those of one of its readings as a prefix.
  void check_beginnings(const CompiledGrammar& compiled, const oracle::Cfg& cfg, const std::vector<bool>& named,
                        const std::map<std::string, std::size_t>& rule_of) {
    for (const std::string& text : strings_) {
      const oracle::Readings readings(cfg, named, text);
      GrammarMatcher matcher(compiled);
      if (text.empty() || readings.is_member() || matcher.accept_bytes(text) != Step::kOk) continue;
      Reading found;
      for (const Capture& capture : matcher.captures()) {
        ASSERT_TRUE(capture.complete || capture.end == text.size());
        found.push_back({rule_of.at(capture.name), capture.begin, capture.complete ? capture.end : text.size() + 1});
      }
      ASSERT_EQ(matcher.limit_message(), "") << text;
      const std::set<Reading> expected = readings.beginnings(kReadings);
      if (expected.size() >= kReadings) continue;
      ++beginnings_;
      EXPECT_TRUE(expected.contains(found)) << "'" << text << "' is read as " << shown(found);
    }
  }

  GrammarCompiler compiler_;
  std::vector<std::string> strings_;
  std::size_t compared_ = 0;
  std::size_t ambiguous_ = 0;
  std::size_t beginnings_ = 0;
};

TEST(ExhaustiveCaptures, Random) {
  CapturesCheck check;
  std::minstd_rand random(77);
  for (int i = 0; i < kGrammars && !enough_failures(); ++i) {
    const oracle::Cfg cfg = oracle::random_plain_grammar(random).cfg;
    std::vector<bool> named;
    for (std::size_t rule = 0; rule < cfg.names.size(); ++rule) named.push_back(random() % 3 != 0);
    check.check(cfg, named);
  }
  EXPECT_GT(check.compared(), 5'000U);
  EXPECT_GT(check.ambiguous(), 500U);
  EXPECT_GT(check.beginnings(), 500U);
}

}  // namespace
}  // namespace weir::testing
