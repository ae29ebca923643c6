// Random structural tags, nested and with strings that overlap, against an oracle that reads the definition from the
// JSON: which texts are accepted, that no text which can go on is a dead end, and masks.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/tag_texts.h"
#include "property/harness.h"
#include "rounds.h"

namespace weir::testing {
namespace {

using oracle::TagTexts;

constexpr std::string_view kLetters = "ab1@";  // the last one stands for the special token

TokenizerInfo letters_and_pieces() {
  VocabSpec spec;
  for (const char* token : {"a", "b", "1", "<tool>", "<eos>", "ab", "ba", "aa", "b1", "1a", "aab", "bab", "11b"}) {
    spec.tokens.emplace_back(token);
  }
  spec.special_token_ids = {3, 4};
  spec.stop_token_ids = {4};
  return *TokenizerInfo::from_vocab(std::move(spec));
}

/// Writes random tags. Strings are short and taken from few letters, and are often used again.
class TagWriter {
 public:
  explicit TagWriter(std::uint32_t seed) : random_(seed) {}

  std::string tag() {
    pool_.clear();
    return R"({"format": )" + format(1 + below(3)) + "}";
  }
  [[nodiscard]] const std::vector<std::string>& strings() const { return pool_; }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() >> 8) % bound; }

 private:
  std::string string() {
    if (!pool_.empty() && below(3) == 0) {
      std::string again = pool_[below(static_cast<std::uint32_t>(pool_.size()))];
      if (below(2) == 0 && again.size() > 1)
        again = below(2) == 0 ? again.substr(1) : again.substr(0, again.size() - 1);
      return again;
    }
    std::string made;
    for (std::uint32_t left = 1 + below(3); left > 0; --left) made += kLetters[below(10) % 3];
    pool_.push_back(made);
    return made;
  }
  static std::string quoted(const std::string& text) { return '"' + text + '"'; }
  std::string list(const std::vector<std::string>& items) {
    std::string out;
    for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
    return "[" + out + "]";
  }
  std::string excludes() {
    std::vector<std::string> items;
    for (std::uint32_t left = below(3); left > 0; --left) items.push_back(quoted(string()));
    return items.empty() ? "" : R"(, "excludes": )" + list(items);
  }
  std::string flags(std::initializer_list<const char*> names) {
    std::string out;
    for (const char* name : names) {
      if (below(4) == 0) out += ", \"" + std::string(name) + "\": true";
    }
    return out;
  }

  std::string tag_from(const std::string& begin, std::uint32_t depth) {
    std::string end;
    switch (below(8)) {
      case 0: end = quoted(""); break;
      case 1: end = list({quoted(string()), quoted(string())}); break;
      case 2: end = list({quoted(string()), quoted("")}); break;
      case 3: end = kTokenFormat; break;
      default: end = quoted(string());
    }
    return R"({"type": "tag", "begin": )" + begin + R"(, "content": )" + format(depth) + R"(, "end": )" + end + "}";
  }

  // Triggers of which none is the beginning of another, and tags for them.
  std::string triggered(std::uint32_t depth) {
    std::vector<std::string> triggers, quoted_triggers, tags;
    for (std::uint32_t left = 1 + below(2); left > 0; --left) {
      const std::string made = string();
      bool is_apart = true;
      for (const std::string& other : triggers)
        is_apart = is_apart && !other.starts_with(made) && !made.starts_with(other);
      if (is_apart) triggers.push_back(made);
    }
    for (const std::string& trigger : triggers) {
      quoted_triggers.push_back(quoted(trigger));
      std::string begin = trigger + (below(2) == 0 ? string() : "");
      tags.push_back(tag_from(quoted(begin), depth));
    }
    return R"({"type": "triggered_tags", "triggers": )" + list(quoted_triggers) + R"(, "tags": )" + list(tags) +
           excludes() + flags({"at_least_one", "stop_after_first"}) + "}";
  }

  std::string dispatch(std::uint32_t depth) {
    std::vector<std::string> rules;
    for (std::uint32_t left = 1 + below(2); left > 0; --left) rules.push_back(list({quoted(string()), format(depth)}));
    return R"({"type": "dispatch", "rules": )" + list(rules) + excludes() +
           (below(3) == 0 ? R"(, "loop": false)" : "") + "}";
  }

  std::string separated(std::uint32_t depth) {
    std::vector<std::string> tags{tag_from(quoted(string()), depth)};
    if (below(2) == 0) tags.push_back(tag_from(kTokenFormat, depth));
    return R"({"type": "tags_with_separator", "separator": )" + quoted(below(3) == 0 ? "" : string()) +
           R"(, "tags": )" + list(tags) + flags({"at_least_one", "stop_after_first"}) + "}";
  }

  std::string elements(const char* type, std::uint32_t depth) {
    std::vector<std::string> items;
    for (std::uint32_t left = 1 + below(3); left > 0; --left) items.push_back(format(depth));
    return R"({"type": ")" + std::string(type) + R"(", "elements": )" + list(items) + "}";
  }

  std::string content(const std::string& type, std::uint32_t depth) {
    return R"({"type": )" + type + R"(, "content": )" + format(depth) + "}";
  }

  std::string any_text() {
    return R"({"type": "any_text")" + excludes() +
           (below(4) == 0 ? R"(, "max_chars": )" + std::to_string(below(4)) : "") + "}";
  }

  // A pattern that may write the strings of other formats, alone or with what is beside it.
  std::string pattern() {
    switch (below(5)) {
      case 0: return "[ab]*";
      case 1: return "a?(b1)*|bb";
      case 2: return "[ab1]*";
      case 3: return string() + "?";
      default: return "(" + string() + "|" + string() + ")*";
    }
  }

  // A tag of free text beside what may write a part of its end, or all of it.
  std::string beside_free_text() {
    const std::string end = string();
    std::vector<std::string> items{any_text(), leaf()};
    if (below(2) == 0) std::swap(items[0], items[1]);
    if (below(2) == 0) items.push_back(below(2) == 0 ? any_text() : leaf());
    std::string inside = R"({"type": "sequence", "elements": )" + list(items) + "}";
    if (below(3) == 0) inside = R"({"type": "star", "content": {"type": "or", "elements": )" + list(items) + "}}";
    return R"({"type": "tag", "begin": )" + quoted(below(3) == 0 ? "" : string()) + R"(, "content": )" + inside +
           R"(, "end": )" + quoted(end) + "}";
  }

  // Text without a trigger, perhaps none, before the text of triggered tags.
  std::string before_triggered(std::uint32_t depth) {
    std::string text = any_text();
    if (below(2) == 0) text = R"({"type": "optional", "content": )" + text + "}";
    return R"({"type": "sequence", "elements": )" + list({text, triggered(depth)}) + "}";
  }

  std::string leaf() {
    switch (below(12)) {
      case 0: return R"({"type": "const_string", "value": )" + quoted(below(4) == 0 ? "" : string()) + "}";
      case 1: return R"({"type": "regex", "pattern": )" + quoted(pattern()) + "}";
      case 2:
        return R"({"type": "grammar", "syntax": "ebnf", "grammar": "root ::= \"\" | \")" + std::string(1, letter()) +
               R"(\" root \")" + std::string(1, letter()) + R"(\""})";
      case 3: return R"({"type": "json_schema", "json_schema": {"type": "integer", "minimum": 0}})";
      case 4: return kTokenFormat;
      default: return any_text();
    }
  }
  char letter() { return kLetters[below(2)]; }

  std::string format(std::uint32_t depth) {
    if (depth == 0) return leaf();
    const std::uint32_t inner = depth - 1;
    switch (below(17)) {
      case 0:
      case 1:
      case 2: return elements("sequence", inner);
      case 3: return elements("or", inner);
      case 4: return content(R"("optional")", inner);
      case 5: return content(R"("plus")", inner);
      case 6: return content(R"("star")", inner);
      case 7: return content(R"("repeat", "min": 0, "max": 2)", inner);
      case 8: return content(R"("repeat", "min": 2, "max": -1)", inner);
      case 9: return dispatch(inner);
      case 10: return separated(inner);
      case 11: return triggered(inner);
      case 12: return before_triggered(inner);
      case 13:
      case 14: return beside_free_text();
      default: return tag_from(quoted(string()), depth > 1 && below(2) == 0 ? depth : inner);
    }
  }

  static inline const std::string kTokenFormat = R"({"type": "token", "token": "<tool>"})";
  std::minstd_rand random_;
  std::vector<std::string> pool_;
};

/// Compares a tag with the oracle.
class Comparison {
 public:
  Comparison(const TokenizerInfo& tokenizer, const std::string& tag, TagWriter& writer)
      : tokenizer_(tokenizer), tag_(tag), writer_(writer), oracle_(tag) {}

  void run() {
    const Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer_).compile_structural_tag(tag_);
    if (!compiled) {
      ASSERT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable) << tag_ << ": " << compiled.error().message;
    }
    std::optional<GrammarMatcher> matcher;
    if (compiled) matcher.emplace(*compiled);
    visit(matcher, "", true, 0);
    for (int i = 0; i < 40 && !::testing::Test::HasFailure(); ++i) {
      if (matcher) matcher->reset();
      walk(matcher, random_text());
    }
  }
  [[nodiscard]] int accepted() const { return accepted_; }

 private:
  static constexpr std::size_t kAllTexts = 4;  // all texts of at most so many letters are compared
  static constexpr std::size_t kLongest = 14;

  std::string random_text() {
    std::string text;
    const std::vector<std::string>& strings = writer_.strings();
    while (text.size() < kLongest && writer_.below(8) != 0) {
      if (!strings.empty() && writer_.below(3) != 0) {
        text += strings[writer_.below(static_cast<std::uint32_t>(strings.size()))];
      } else {
        text += kLetters[writer_.below(13) % 4];
      }
    }
    return text.substr(0, kLongest);
  }

  // Compares the text with the oracle; `is_viable`: the matcher has accepted all of it.
  void compare(std::optional<GrammarMatcher>& matcher, const std::string& text, bool is_viable) {
    const bool is_member = oracle_.contains(text);
    accepted_ += is_member ? 1 : 0;
    ASSERT_EQ(is_viable && matcher && matcher->is_completed(), is_member) << tag_ << "\ntext: " << text;
    if (is_viable && matcher && writer_.below(6) == 0) look_around(*matcher, text);
  }

  // Compares the mask with what the letters of tokens do, and completes the text.
  void look_around(GrammarMatcher& matcher, const std::string& text) {
    const std::vector<bool> mask = mask_of(matcher);
    for (std::uint32_t token = 5; token < tokenizer_.vocab_size(); ++token) {
      const std::string_view bytes = tokenizer_.token_bytes(token);
      ASSERT_EQ(mask[token], matcher.longest_viable_prefix(bytes) == bytes.size()) << tag_ << "\n"
                                                                                   << text << " + " << bytes;
    }
    const auto parts = matcher.shortest_completion_parts();
    ASSERT_TRUE(parts.has_value()) << "a dead end: " << tag_ << "\n" << text;
    std::string whole = text;
    for (const CompletionPart& part : *parts) whole += part.token ? std::string(1, TagTexts::kToken) : part.text;
    if (whole.size() < 31) {
      ASSERT_TRUE(oracle_.contains(whole)) << tag_ << "\n" << text << " was completed to " << whole;
    }
  }

  bool accept(GrammarMatcher& matcher, char letter) {
    return matcher.accept_token(static_cast<std::uint32_t>(kLetters.find(letter))) == Step::kOk;
  }

  void visit(std::optional<GrammarMatcher>& matcher, const std::string& text, bool is_viable, std::size_t depth) {
    compare(matcher, text, is_viable);
    if (::testing::Test::HasFatalFailure() || depth == kAllTexts) return;
    for (const char letter : kLetters) {
      const bool is_next = is_viable && matcher && accept(*matcher, letter);
      visit(matcher, text + letter, is_next, depth + 1);
      if (is_next) {
        ASSERT_EQ(matcher->rollback(1), Step::kOk);
      }
    }
  }

  void walk(std::optional<GrammarMatcher>& matcher, const std::string& text) {
    bool is_viable = matcher.has_value();
    for (std::size_t i = 0; i < text.size(); ++i) {
      is_viable = is_viable && accept(*matcher, text[i]);
      compare(matcher, text.substr(0, i + 1), is_viable);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }

  const TokenizerInfo& tokenizer_;
  const std::string& tag_;
  TagWriter& writer_;
  TagTexts oracle_;
  int accepted_ = 0;
};

// WEIR_TAG_ROUNDS: how many tags (a longer run); WEIR_TAG_SEED: where to begin.
std::uint32_t from_environment(const char* name, std::uint32_t otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

TEST(StructuralTagOracle, RandomTags) {
  const TokenizerInfo tokenizer = letters_and_pieces();
  const std::uint32_t count = from_environment("WEIR_TAG_ROUNDS", tests::rounds(400U));
  const std::uint32_t first = from_environment("WEIR_TAG_SEED", 1);
  std::uint32_t with_texts = 0;
  for (std::uint32_t round = 0; round < count && !enough_failures(); ++round) {
    TagWriter writer(first + round);
    const std::string tag = writer.tag();
    SCOPED_TRACE("WEIR_TAG_SEED=" + std::to_string(first + round));
    Comparison comparison(tokenizer, tag, writer);
    comparison.run();
    with_texts += comparison.accepted() > 3 ? 1 : 0;
  }
  EXPECT_TRUE(HasFailure() || with_texts > count / 2) << "only " << with_texts << " tags have several of the texts";
}

}  // namespace
}  // namespace weir::testing
