#include "regex/atoms/section_automaton.h"
#include "regex/analysis/members.h"
#include "regex/analysis/text_horizon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "regex/atoms/json_string.h"
#include "regex/expr/fingerprint.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::regex {
namespace {

// The tested language: sections of `a`, `ü` and `ba`, separated by `.`. A section with an `ü` has at most two
// characters, another one at most three. A text has at most six characters and eight octets.
constexpr std::uint32_t kOctets = 8;
constexpr std::uint32_t kCharacters = 6;

ExplicitDfa sections() {
  ExprSet exprs(1 << 12);
  const ExprId b_then_a = exprs.literal("ba");
  const ExprId one = exprs.alternation(exprs.byte_set(ByteSet::of('a') | ByteSet::of('u')), b_then_a);
  const ExprId all = exprs.repeat(one, 1, kUnbounded);
  const ExprId has_u = exprs.concat({{ExprId::kAllStrings, exprs.literal("u"), ExprId::kAllStrings}});
  const std::vector<ExplicitDfa> parts = {minimal(explicit_dfa_of(exprs, all, 128)),
                                          minimal(explicit_dfa_of(exprs, has_u, 128))};
  const ExplicitDfa section = side_by_side(
      parts,
      [&](ProductState states) -> std::uint8_t {
        if (parts[0].accepts[states[0]] == 0) return 0;
        return parts[1].accepts[states[1]] != 0 ? 2 : 1;
      },
      [](ProductState states) { return states[0] == ExplicitDfa::kDead; });
  ExplicitDfa looped = section;
  looped.accepts[ExplicitDfa::kStart] |= SectionAutomaton::kBegins;
  for (std::size_t state = 0; state < looped.size(); ++state) {
    if ((looped.accepts[state] & SectionAutomaton::kEnding) != 0) looped.next[state * 128 + '.'] = ExplicitDfa::kStart;
  }
  return minimal(looped);
}

std::vector<CodePointSet> classes() {
  std::vector<CodePointSet> sets;
  for (char32_t c = 0; c < 128; ++c) sets.push_back(CodePointSet::of(c == 'u' ? U'ü' : c));
  return sets;
}

const SectionAutomaton& automaton() {
  static const SectionAutomaton kAutomaton(sections(), classes(), {{3, 2}, kCharacters, kOctets});
  return kAutomaton;
}

// Returns true if `letters` is in this language, by its definition; u stands for ü.
bool is_member(const std::string& letters) {
  std::size_t characters = 0;
  bool has_u = false;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char c = letters[i];
    if (c == 'b' && (i + 1 == letters.size() || letters[i + 1] != 'a')) return false;
    has_u |= c == 'u';
    if (c != '.') ++characters;
    if (c != '.' && i + 1 != letters.size()) continue;
    if (characters == 0 || characters > (has_u ? 2U : 3U)) return false;
    characters = 0;
    has_u = false;
  }
  const auto wide = static_cast<std::size_t>(std::ranges::count(letters, 'u'));
  return !letters.empty() && letters.back() != '.' && letters.size() <= kCharacters && letters.size() + wide <= kOctets;
}

std::string utf8(std::string_view letters) {
  std::string text;
  for (const char c : letters) text += c == 'u' ? std::string("ü") : std::string(1, c);
  return text;
}

// Returns all texts of up to seven letters, in order of length.
std::vector<std::string> texts() {
  std::vector<std::string> all{""};
  for (std::size_t i = 0; all[i].size() < kCharacters + 1; ++i) {
    for (const char c : {'a', 'b', 'u', '.'}) all.push_back(all[i] + c);
  }
  return all;
}

class Sections : public testing::Test {
 protected:
  ExprId after(ExprId e, std::string_view text) {
    for (const char c : text) e = exprs_.derivative(e, static_cast<std::uint8_t>(c));
    return e;
  }
  ExprSet exprs_{1 << 20};
  const ExprId e_ = section_texts(exprs_, automaton());
};

TEST_F(Sections, MatchTheirDefinitionAndRejectAsSoonAsNothingFollows) {
  std::vector<std::string> members;
  for (const std::string& letters : texts()) {
    const bool is = is_member(letters);
    EXPECT_EQ(exprs_.matches(e_, utf8(letters)), is) << letters;
    if (is) members.push_back(letters);
  }
  EXPECT_GT(members.size(), 100U);
  std::ranges::sort(members);
  for (const std::string& letters : texts()) {
    const auto first = std::ranges::lower_bound(members, letters);
    const bool goes_on = first != members.end() && first->starts_with(letters);
    const ExprId rest = after(e_, utf8(letters));
    EXPECT_EQ(emptiness(exprs_, rest, 1) == Emptiness::kNonEmpty, goes_on) << letters;
    const auto wide = std::ranges::lower_bound(members, letters + 'u');
    const bool u_goes_on = wide != members.end() && wide->starts_with(letters + 'u');
    EXPECT_EQ(after(rest, "\xC3") != ExprId::kNothing, u_goes_on) << letters;
    if (!goes_on) continue;
    std::size_t shortest = SIZE_MAX;
    std::size_t longest = 0;
    for (auto member = first; member != members.end() && member->starts_with(letters); ++member) {
      shortest = std::min(shortest, utf8(*member).size() - utf8(letters).size());
      longest = std::max(longest, utf8(*member).size() - utf8(letters).size());
    }
    EXPECT_LE(exprs_.min_length(rest), shortest) << letters;
    EXPECT_GE(exprs_.max_length(rest), longest) << letters;
    EXPECT_EQ(any_shortest_member(exprs_, rest, 1'000)->size(), shortest) << letters;
  }
}

TEST_F(Sections, AreOperandsLikeOthers) {
  const ExprId other = exprs_.complement(e_);
  const ExprId with_b =
      exprs_.intersection(e_, exprs_.concat({{ExprId::kAllStrings, exprs_.literal("b"), ExprId::kAllStrings}}));
  const ExprId in_json = json_string(exprs_, e_, {});
  for (const std::string& letters : texts()) {
    const bool is = is_member(letters);
    EXPECT_EQ(exprs_.matches(other, utf8(letters)), !is) << letters;
    EXPECT_EQ(exprs_.matches(with_b, utf8(letters)), is && letters.find('b') != std::string::npos) << letters;
    EXPECT_EQ(exprs_.matches(in_json, "\"" + utf8(letters) + "\""), is) << letters;
  }
  EXPECT_TRUE(exprs_.matches(in_json, "\"\\u00fcb\\u0061.a\"") == is_member("uba.a"));
  EXPECT_TRUE(exprs_.matches(in_json, "\"b\\u0061.\\u00fc\""));
  std::vector<ExprSet::Branch> branches;
  exprs_.append_branches(e_, branches);
  for (const ExprSet::Branch& branch : branches) EXPECT_EQ(branch.to, exprs_.derivative(e_, branch.bytes.first()));
  EXPECT_EQ(branches.size(), 3U);  // a, b, the first byte of ü
}

// Before a count can matter, residuals accept and continue as those without the count.
TEST_F(Sections, CountsChangeNothingWithinTheLengthThatTheyReport) {
  const SectionAutomaton roomy(sections(), classes(), {{10, 9}, 14, 20});
  const ExprId e = section_texts(exprs_, roomy);
  const ExprId uncounted = with_first_rounds(exprs_, e, {});
  const std::uint32_t bytes = first_rounds(exprs_, e).max;
  EXPECT_GE(bytes, 4U);
  EXPECT_EQ(equal_prefix_length(exprs_, e, uncounted).bytes, bytes);
  for (const std::string& letters : texts()) {
    if (utf8(letters).size() > bytes) continue;
    const ExprId a = after(e, utf8(letters));
    const ExprId b = after(uncounted, utf8(letters));
    EXPECT_EQ(a == ExprId::kNothing, b == ExprId::kNothing) << letters;
    EXPECT_EQ(exprs_.nullable(a), exprs_.nullable(b)) << letters;
  }
  EXPECT_NE(drop_distant_counts(exprs_, e, bytes), e);
  EXPECT_EQ(drop_distant_counts(exprs_, e, 14), e);
}

// Three characters are too many for a section without an `ü`; with one as the fourth it may end.
TEST_F(Sections, AnEndThatIsNotAllowedMayLeadToOneThatIs) {
  const SectionAutomaton automaton(sections(), classes(), {{2, 4}});
  const ExprId e = section_texts(exprs_, automaton);
  EXPECT_TRUE(exprs_.matches(e, "aa.a"));
  EXPECT_FALSE(exprs_.matches(e, "aaa"));
  EXPECT_FALSE(exprs_.matches(e, "aaa.a"));
  EXPECT_TRUE(exprs_.matches(e, "aaaü.a"));
  EXPECT_FALSE(exprs_.matches(e, "aaaaü"));
}

TEST_F(Sections, OneAutomatonHasOneFingerprintInEverySet) {
  const SectionAutomaton other(sections(), classes(), {{3, 2}, kCharacters, kOctets + 1});
  ExprSet set(1 << 12);
  const ExprId second = section_texts(set, other);
  const ExprId same = section_texts(set, automaton());
  Fingerprints here({1, 2}, 1);
  Fingerprints there({1, 2}, 2);
  EXPECT_EQ(here.of(exprs_, e_), there.of(set, same));
  EXPECT_NE(here.of(exprs_, e_), there.of(set, second));
}

TEST(Automata, AreMinimal) {
  ExprSet exprs(1 << 12);
  const ExprId ab = exprs.byte_set(ByteSet::of(0) | ByteSet::of(1));
  // An even number of symbols, made as a product that has more states than needed.
  const ExplicitDfa four = explicit_dfa_of(exprs, exprs.repeat(exprs.repeat(ab, 4, 4), 0, kUnbounded), 2);
  const ExplicitDfa two = explicit_dfa_of(exprs, exprs.repeat(exprs.repeat(ab, 2, 2), 0, kUnbounded), 2);
  const std::vector<ExplicitDfa> parts = {four, two};
  const ExplicitDfa product = side_by_side(
      parts,
      [&](ProductState states) { return parts[0].accepts[states[0]] != 0 || parts[1].accepts[states[1]] != 0 ? 1 : 0; },
      [](ProductState) { return false; });
  EXPECT_GE(product.size(), 5U);
  const ExplicitDfa least = minimal(product);
  EXPECT_EQ(least.size(), 3U);  // with kDead
  EXPECT_EQ(least.accepts[ExplicitDfa::kStart], 1);
  EXPECT_EQ(least.step(least.step(ExplicitDfa::kStart, 0), 1), ExplicitDfa::kStart);
  EXPECT_EQ(equivalent_symbols({&least, 1}), (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(minimal(explicit_dfa_of(exprs, ExprId::kNothing, 2)).size(), 2U);
}

}  // namespace
}  // namespace weir::regex
