// Compares the captures of random small grammars with the oracle of readings.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "engine/matcher/cursor.h"
#include "oracle/random_grammar.h"
#include "oracle/readings.h"
#include "property/harness.h"

namespace weir::testing {
namespace {

using oracle::NamedSpan;
using oracle::Reading;

constexpr int kGrammars = 3'000;
constexpr std::size_t kLength = 5;
constexpr std::size_t kGrammarsForCertain = 4;  // of so many grammars one is compared with its beginnings
constexpr std::size_t kReadings = 2'000;        // at most this many readings of a text are listed

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
    if (grammars_++ % kGrammarsForCertain == 0) check_certain(*compiled);
  }

  [[nodiscard]] std::size_t compared() const { return compared_; }
  [[nodiscard]] std::size_t ambiguous() const { return ambiguous_; }
  [[nodiscard]] std::size_t beginnings() const { return beginnings_; }
  [[nodiscard]] std::size_t certain() const { return certain_; }
  [[nodiscard]] std::size_t early() const { return early_; }

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

  using Marks = std::vector<engine::Cursor::NamedMark>;
  static std::string shown_marks(const Marks& marks) {
    std::string out;
    for (const auto& mark : marks)
      out += (mark.is_begin ? " (" : " )") + std::string(mark.name) + std::to_string(mark.at);
    return out;
  }
  static bool is_same(const engine::Cursor::NamedMark& a, const engine::Cursor::NamedMark& b) {
    return a.name == b.name && a.is_begin == b.is_begin && a.at == b.at;
  }

  // Checks that a matcher that forgets what it can after each step finds the same marks, of which it has found `before`.
  static void check_forgetful(GrammarMatcher& matcher, const std::string& text, const Marks& before, const Marks& marks,
                              std::size_t up_to, bool is_last) {
    using engine::CertainCaptures;
    if (!text.empty()) {
      ASSERT_EQ(matcher.accept_bytes(text.substr(text.size() - 1)), Step::kOk) << text;
    }
    Marks found = before;
    const auto certain = matcher.cursor().certain_captures(CertainCaptures::Output::kGoesOn,
                                                           static_cast<std::uint32_t>(before.size()), found);
    ASSERT_TRUE(certain) << text;
    EXPECT_EQ(shown_marks(found), shown_marks(marks)) << text;
    EXPECT_EQ(certain->up_to, up_to) << text;
    if (!is_last || !matcher.is_completed()) return;  // what its end needs may be what was forgotten
    GrammarMatcher whole(matcher);                    // reads the output again
    Marks of_whole;
    Marks at_end = found;
    ASSERT_TRUE(whole.cursor().certain_captures(CertainCaptures::Output::kEnds, 0, of_whole)) << text;
    ASSERT_TRUE(matcher.cursor().certain_captures(CertainCaptures::Output::kEnds,
                                                  static_cast<std::uint32_t>(found.size()), at_end))
        << text;
    EXPECT_EQ(shown_marks(at_end), shown_marks(of_whole)) << text;
  }

  // Checks that what is certain of a beginning is so in all members that begin with it, and that what is certain of a
  // whole text are its captures.
  void check_certain(const CompiledGrammar& compiled) {
    using engine::CertainCaptures;
    std::vector<std::pair<std::string, Marks>> members;
    for (const std::string& text : strings_) {
      GrammarMatcher matcher(compiled);
      if (matcher.accept_bytes(text) != Step::kOk || !matcher.is_completed()) continue;
      Marks marks;
      ASSERT_TRUE(matcher.cursor().certain_captures(CertainCaptures::Output::kEnds, 0, marks)) << text;
      std::vector<Capture> listed;
      std::vector<std::size_t> open;
      for (const auto& mark : marks) {
        if (mark.is_begin) {
          open.push_back(listed.size());
          listed.push_back({std::string(mark.name), mark.at, mark.at, true});
        } else {
          ASSERT_FALSE(open.empty()) << text << shown_marks(marks);
          EXPECT_EQ(listed[open.back()].name, mark.name) << text << shown_marks(marks);
          listed[open.back()].end = mark.at;
          open.pop_back();
        }
      }
      EXPECT_EQ(listed, matcher.captures()) << text << shown_marks(marks);
      members.emplace_back(text, std::move(marks));
    }
    for (const std::string& text : strings_) {
      GrammarMatcher matcher(compiled);
      GrammarMatcher forgetful(compiled);
      forgetful.cursor().set_items_to_forget(0);
      Marks marks;
      for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i > 0 && matcher.accept_bytes(text.substr(i - 1, 1)) != Step::kOk) break;
        const Marks before = marks;
        const auto certain = matcher.cursor().certain_captures(CertainCaptures::Output::kGoesOn,
                                                               static_cast<std::uint32_t>(marks.size()), marks);
        ASSERT_TRUE(certain) << text;
        ASSERT_EQ(certain->marks, marks.size())
            << text << " after " << i << shown_marks(before) << " then" << shown_marks(marks);
        check_forgetful(forgetful, text.substr(0, i), before, marks, certain->up_to, i == text.size());
        if (i < text.size()) continue;
        std::size_t common = SIZE_MAX;
        const Marks* first = nullptr;
        for (const auto& [member, of_member] : members) {
          if (!member.starts_with(text)) continue;
          ASSERT_LE(marks.size(), of_member.size())
              << text << shown_marks(marks) << " of " << member << shown_marks(of_member);
          for (std::size_t k = 0; k < marks.size(); ++k) {
            ASSERT_TRUE(is_same(marks[k], of_member[k]))
                << text << shown_marks(marks) << " of " << member << shown_marks(of_member);
          }
          if (of_member.size() > marks.size()) {
            ASSERT_GE(of_member[marks.size()].at, certain->up_to) << text << shown_marks(marks) << " of " << member;
          }
          if (first == nullptr) {
            first = &of_member;
            common = of_member.size();
          }
          for (std::size_t k = 0; k < std::min(common, of_member.size()); ++k) {
            if (!is_same((*first)[k], of_member[k])) common = k;
          }
          common = std::min(common, of_member.size());
        }
        if (first == nullptr) continue;
        ++certain_;
        while (common > 0 && (*first)[common - 1].at > text.size()) --common;
        early_ += marks.size() >= common ? 1U : 0U;
      }
    }
  }

  GrammarCompiler compiler_;
  std::vector<std::string> strings_;
  std::size_t grammars_ = 0;
  std::size_t certain_ = 0;
  std::size_t early_ = 0;
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
  EXPECT_GT(check.certain(), 2'000U);
  EXPECT_GT(check.early(), check.certain() / 2);  // of those, all that the longer texts share is known
}

}  // namespace
}  // namespace weir::testing
