#include "canonical/piece_automaton.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "vocab/readers/gguf_pre_tokenizers.h"
#include "vocab/segmenters/pattern.h"
#include "vocab/segmenters/pre_tokenizer.h"

namespace weir::canonical {
namespace {

using vocab::SplitBehavior;
using vocab::SplitPattern;

Result<PieceAutomaton> build(const std::vector<SplitPattern>& patterns, const PieceOptions& options = {}) {
  const auto pre_tokenizer = vocab::PreTokenizer::from_patterns(patterns);
  if (!pre_tokenizer) return tl::unexpected(pre_tokenizer.error());
  std::vector<PieceStep> steps;
  for (const vocab::StepRecipe& step : pre_tokenizer->recipe()) steps.push_back({.pattern = step.split});
  return PieceAutomaton::build(steps, options);
}

// The pieces of a text in all ways that the automaton accepts, `|` between them.
std::vector<std::string> splits(const PieceAutomaton& automaton, const std::string& text) {
  struct Marking {
    PieceAutomaton::Position at;
    std::string pieces;
  };
  std::vector<Marking> markings;
  for (const HypothesisId h : automaton.start()) markings.push_back({{h}, ""});
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::vector<Marking> next;
    for (Marking marking : markings) {
      if (!automaton.step(marking.at, static_cast<std::uint8_t>(text[i]))) continue;
      marking.pieces.push_back(text[i]);
      next.push_back(marking);
      if (marking.at.character != CharacterId::kNone || i + 1 == text.size()) continue;
      for (const HypothesisId h : automaton.cuts(marking.at.hypothesis)) next.push_back({{h}, marking.pieces + "|"});
    }
    markings = std::move(next);
  }
  std::vector<std::string> out;
  for (const Marking& marking : markings) {
    if (automaton.may_end(marking.at.hypothesis)) out.push_back(marking.pieces);
  }
  return out;
}

using Splits = std::vector<std::string>;

// Those that models use; what each costs is kept small.
TEST(PieceAutomaton, SizesOfRealPatterns) {
  struct Case {
    std::string name;
    std::size_t hypotheses, atoms;
    std::optional<std::size_t> look_ahead;
  };
  const std::vector<Case> cases = {
      {"gpt-2", 22, 14, 2},
      {"llama3", 33, 15, std::nullopt},
      {"gpt-4o", 49, 27, std::nullopt},
      {"falcon", 43, 16, 3},
      {"deepseek-v3", 84, 14, std::nullopt},
      {"deepseek-llm", 286, 13, std::nullopt},
      {"starcoder", 23, 14, 2},
      {"gemma4", 5, 2, 1},
      {"kimi-k2", 51, 30, std::nullopt},
  };
  for (const Case& c : cases) {
    std::vector<SplitPattern> patterns;
    const auto pre_tokenizer = vocab::find_gguf_pre_tokenizer(c.name);
    for (const std::string_view pattern : pre_tokenizer->patterns) {
      patterns.push_back({std::string(pattern)});
    }
    const auto automaton = build(patterns);
    ASSERT_TRUE(automaton.has_value()) << c.name << ": " << automaton.error().message;
    EXPECT_EQ(automaton->hypothesis_count(), c.hypotheses) << c.name;
    EXPECT_EQ(automaton->atom_count(), c.atoms) << c.name;
    EXPECT_LT(automaton->rest_count(), 400U) << c.name;
    EXPECT_EQ(automaton->look_ahead(), c.look_ahead) << c.name;
    EXPECT_LT(automaton->memory_bytes(), 200'000U) << c.name;
  }
}

TEST(PieceAutomaton, BlanksBeforeAWord) {
  const auto automaton = build({{R"( ?\p{L}+|\s+(?!\S)|\s+)"}});
  ASSERT_TRUE(automaton.has_value());
  EXPECT_EQ(splits(*automaton, "a  b"), Splits{"a| | b"});
  EXPECT_EQ(splits(*automaton, "a  "), Splits{"a|  "});
  EXPECT_EQ(splits(*automaton, "  \u00e91"), Splits{" | \u00e9|1"});
}

TEST(PieceAutomaton, BehavioursAreWrittenAsPatterns) {
  const auto contiguous = build({{"x", SplitBehavior::kContiguous}});
  ASSERT_TRUE(contiguous.has_value());
  EXPECT_EQ(splits(*contiguous, "axxxbx"), Splits{"a|xxx|b|x"});
  const auto with_next = build({{"x", SplitBehavior::kMergedWithNext}});
  ASSERT_TRUE(with_next.has_value());
  EXPECT_EQ(splits(*with_next, "axxbcx"), Splits{"a|x|xbc|x"});
  const auto with_previous = build({{"x", SplitBehavior::kMergedWithPrevious}});
  ASSERT_TRUE(with_previous.has_value());
  EXPECT_EQ(splits(*with_previous, "abxxc"), Splits{"abx|x|c"});
}

TEST(PieceAutomaton, FixedTextsAreNotCutFurther) {
  std::vector<PieceStep> steps(2);
  steps[0].fixed_texts = {"<b>", "<b><b>"};
  steps[1].pattern.regex = "[<>]|b";
  const auto automaton = PieceAutomaton::build(steps, {});
  ASSERT_TRUE(automaton.has_value());
  EXPECT_EQ(splits(*automaton, "b<b><b><b>c"), Splits{"b|<b><b>|<b>|c"});
  EXPECT_EQ(splits(*automaton, "<bc"), Splits{"<|b|c"});
}

TEST(PieceAutomaton, ASpaceMayBeReadAsItsSymbol) {
  PieceOptions options;
  options.space_symbol = U'\u2581';
  const auto automaton = build({{"\u2581", SplitBehavior::kMergedWithNext}}, options);
  ASSERT_TRUE(automaton.has_value());
  EXPECT_EQ(splits(*automaton, "a b "), Splits{"a| b| "});
  EXPECT_EQ(splits(*automaton, "a\u2581"), Splits{});
}

TEST(PieceAutomaton, TextsWithUnwritableCharactersHaveNoPieces) {
  PieceOptions options;
  options.unwritable = regex::CodePointSet::of(U'x') | regex::CodePointSet::of(0xE9);
  const auto automaton = build({{"a+"}}, options);
  ASSERT_TRUE(automaton.has_value());
  EXPECT_EQ(splits(*automaton, "aab"), Splits{"aa|b"});
  EXPECT_EQ(splits(*automaton, "ax"), Splits{});
  EXPECT_EQ(splits(*automaton, "a\u00e9"), Splits{});
  EXPECT_EQ(splits(*automaton, "a\u00e8"), Splits{"a|\u00e8"});
}

// After a letter, after a cut.
TEST(PieceAutomaton, TextsAfterABoundary) {
  const auto automaton = build({{R"(\p{L}+|\s+(?!\S)|\s+)"}});
  ASSERT_TRUE(automaton.has_value());
  PieceAutomaton::Position at{};
  bool found = false;
  for (const HypothesisId h : automaton->start()) {
    at = {h};
    found = automaton->step(at, 'a') && automaton->may_end(at.hypothesis);
    if (found) break;
  }
  ASSERT_TRUE(found);
  const RestId rest = automaton->rest_after(at.hypothesis);
  ASSERT_NE(rest, RestId::kNone);
  EXPECT_FALSE(automaton->may_end(rest));
  EXPECT_FALSE(automaton->is_settled(rest));
  EXPECT_EQ(automaton->step(rest, 'b'), RestId::kNone);  // the word would go on
  EXPECT_EQ(automaton->step(rest, 0x80), RestId::kNone);
  EXPECT_TRUE(automaton->settling_bytes(rest).contains('1'));
  EXPECT_TRUE(automaton->settling_bytes(rest).contains(' '));
  EXPECT_FALSE(automaton->settling_bytes(rest).contains('b'));
  EXPECT_FALSE(automaton->settling_bytes(rest).contains(0xC3));  // \u00e9 is a letter
  const RestId inside = automaton->step(rest, 0xC3);
  ASSERT_NE(inside, RestId::kNone);
  EXPECT_FALSE(automaton->may_end(inside));
  EXPECT_TRUE(automaton->settling_bytes(inside).is_empty());
  EXPECT_EQ(automaton->step(inside, 0xA9), RestId::kNone);
  const RestId after = automaton->step(inside, 0x97);  // a multiplication sign
  ASSERT_NE(after, RestId::kNone);
  EXPECT_TRUE(automaton->may_end(after));
  EXPECT_TRUE(automaton->is_settled(after));
}

TEST(PieceAutomaton, WhatIsRefusedIsNamed) {
  const auto reason = [](const SplitPattern& pattern) {
    std::vector<PieceStep> steps(1);
    steps[0].pattern = pattern;
    const auto automaton = PieceAutomaton::build(steps, {});
    if (automaton) return std::string("accepted");
    EXPECT_EQ(automaton.error().code, ErrorCode::kUnsupported);
    return automaton.error().message;
  };
  EXPECT_NE(reason({"(?<=a)b"}).find("a look-behind"), std::string::npos);
  EXPECT_NE(reason({"(a)\\1"}).find("the back-reference"), std::string::npos);
  EXPECT_NE(reason({"^a"}).find("an anchor of the beginning"), std::string::npos);
  EXPECT_NE(reason({"a\\b"}).find("a word boundary"), std::string::npos);
  EXPECT_NE(reason({"a\\Z"}).find("the anchor"), std::string::npos);
  EXPECT_NE(reason({"(?:a*)+b"}).find("a repeat of what may be empty"), std::string::npos);
  EXPECT_NE(reason({"(?:a(?!bb))+"}).find("a look-ahead within an unbounded repeat"), std::string::npos);
  EXPECT_NE(reason({"ab", SplitBehavior::kContiguous}).find("joins matches"), std::string::npos);
  EXPECT_NE(reason({"\\s", SplitBehavior::kRemoved}).find("a split that removes text"), std::string::npos);
  EXPECT_EQ(reason({"(?:(?!b)[a-c])+$"}), "accepted");
}

TEST(PieceAutomaton, ALimitIsNamed) {
  const auto automaton = build({{"(?:.{0,9}a){9}b"}, {"(?:.{0,9}c){9}d"}});
  ASSERT_FALSE(automaton.has_value());
  EXPECT_EQ(automaton.error().code, ErrorCode::kLimitExceeded);
  EXPECT_NE(automaton.error().message.find("4096 hypotheses"), std::string::npos) << automaton.error().message;
}

// Neither many alternatives, nor long texts, nor long sequences are a deep recursion.
TEST(PieceAutomaton, LargeInputs) {
  PieceStep many;
  for (int i = 1'000; i < 6'000; ++i) many.fixed_texts.push_back("<" + std::to_string(i) + ">");
  const auto numbers = PieceAutomaton::build(std::vector{many}, {});
  ASSERT_TRUE(numbers.has_value()) << numbers.error().message;
  EXPECT_EQ(splits(*numbers, "a<5999><6000>"), Splits{"a|<5999>|<6000>"});
  PieceStep texts;
  texts.fixed_texts = {"b" + std::string(4'000, 'a')};
  const auto text = PieceAutomaton::build(std::vector{texts}, {});
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code, ErrorCode::kLimitExceeded);
  std::string optional;
  for (int i = 0; i < 2'000; ++i) optional += "a?";
  const auto sequence = build({{optional + "b"}});
  ASSERT_FALSE(sequence.has_value());
  EXPECT_NE(sequence.error().message.find("500 nested parts"), std::string::npos) << sequence.error().message;
  std::string choice = "a";
  for (int i = 0; i < 5'000; ++i) choice += "|b";
  EXPECT_TRUE(build({{choice}}).has_value());
}

// PCRE2's version of Unicode decides: it is what the tokenizer runs.
TEST(PieceAutomaton, ClassesAreThoseOfPcre2) {
  const std::vector<std::string> classes = {"\\p{L}",
                                            "\\p{N}",
                                            "\\p{Lu}",
                                            "\\p{M}",
                                            "\\p{P}",
                                            "\\p{S}",
                                            "[^\\p{White_Space}\\p{L}\\p{N}]",
                                            "\\p{Han}",
                                            "\\d",
                                            "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"};
  std::vector<char32_t> characters;
  for (char32_t c = 1; c <= 0x10FFFF; ++c) {
    if (c == 0xD800) c = 0xF000;
    if (c == 0x40000) c = 0xE0000;
    if (c == 0xF0000) break;
    characters.push_back(c);
  }
  for (const std::string& cls : classes) {
    const auto automaton = build({{cls + "+"}});
    ASSERT_TRUE(automaton.has_value()) << automaton.error().message;
    EXPECT_EQ(automaton->atom_count(), 2U) << cls;
    const auto members = vocab::match_characters(cls, characters);
    ASSERT_TRUE(members.has_value());
    std::optional<std::uint16_t> member;  // the atom of those in the class
    std::size_t differ = 0;
    for (std::size_t i = 0; i < characters.size(); ++i) {
      std::string text;
      base::append_utf8(text, characters[i]);
      CharacterTable::Step step;
      for (const char c : text) step = automaton->characters().step(step.character, static_cast<std::uint8_t>(c));
      if ((*members)[i] && !member) member = step.atom;
      if (!(*members)[i] && member && step.atom == *member) ++differ;
      if ((*members)[i] && step.atom != *member) ++differ;
    }
    ASSERT_TRUE(member.has_value()) << cls;
    EXPECT_EQ(differ, 0U) << cls;
  }
}

}  // namespace
}  // namespace weir::canonical
