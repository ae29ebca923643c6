// That reading a reply byte by byte is linear in its length, whatever it is, in every style: counted in bytes that are asked
// of malloc, not in time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "distinct_styles.h"
#include "growth/counted_memory.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"
#include "weir/tokenizer_info.h"

namespace weir {
namespace {

constexpr const char* kTools =
    R"([{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]}}])";

struct Cost {
  std::size_t asked = 0;  // bytes asked of malloc, in all
  std::size_t most = 0;   // bytes held at once
};

Cost read_bytewise(std::string_view style, std::string_view text, const ReplyOptions& options = {}) {
  auto parser = ReplyParser::create(style, kTools, options);
  EXPECT_TRUE(parser);
  growth::reset_peak();
  const std::size_t before = growth::asked_bytes();
  const std::size_t held = growth::allocated_bytes();
  for (std::size_t at = 0; at < text.size(); ++at) EXPECT_TRUE(parser->feed(text.substr(at, 1)));
  EXPECT_TRUE(parser->finish());
  return {growth::asked_bytes() - before, growth::peak_bytes() - held};
}

std::string repeated(std::string_view unit, std::size_t size) {
  std::string text;
  while (text.size() < size) text += unit;
  return text;
}

// Texts that begin a call and go on for ever, and texts that seem to be tags.
constexpr const char* kBegins[] = {"",
                                   "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"",
                                   "<tool_call>{\"arguments\": {\"a\": \"",
                                   "<tool_call>\n<function=f>\n<parameter=a>\n",
                                   "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>",
                                   "<tool_call>f\n<arg_key>b</arg_key>\n<arg_value>",
                                   "<|tool_call>call:f{a:<|\"|>",
                                   "[TOOL_CALLS]f[ARGS]{\"a\": \"",
                                   "<|channel|>commentary to=functions.f<|message|>{\"a\": \"",
                                   "<think>"};
constexpr const char* kUnits[] = {"text ",
                                  " ",
                                  "<tool_call>",
                                  "<tool_call>{",
                                  "<tool_call>\n<function=f>\n<parameter=b>",
                                  "</parameter> </para ",
                                  "</parameter>\n\n",
                                  "</arg_value> ",
                                  "[",
                                  "{\\\"a\\\":",
                                  "\\u00e9\xC3\xA9\xFF",
                                  "</think><think>",
                                  "<|tool_call>call:f{a:[",
                                  "<|start|>assistant<|channel|>final<|message|>"};

TEST(ReplyGrowth, TwiceTheReplyIsTwiceTheWork) {
  constexpr std::size_t kSize = 400;
  for (const std::string_view style : tests::distinct_styles()) {
    for (const char* begin : kBegins) {
      for (const char* unit : kUnits) {
        const std::string text = begin + repeated(unit, kSize);
        const std::string twice = begin + repeated(unit, 2 * kSize);
        const Cost once = read_bytewise(style, text);
        const Cost more = read_bytewise(style, twice);
        // Buffers grow by doubling, so a factor of 2 may be nearly 3 where one buffer is all there is.
        EXPECT_LT(more.asked, 3 * once.asked + 10'000) << style << ": " << begin << unit;
        EXPECT_LT(more.most, 64 * twice.size() + 10'000) << style << ": " << begin << unit;
      }
    }
  }
}

TEST(ReplyGrowth, AStringUnderALongKeyIsLinear) {
  ReplyOptions options;
  options.values = true;
  const auto cost = [&](std::size_t size) {
    const std::string key(size, 'k');
    return read_bytewise("hermes", R"(<tool_call>{"name": "f", "arguments": {")" + key + R"(": ")" + key, options);
  };
  const Cost once = cost(20'000);
  const Cost more = cost(40'000);
  EXPECT_LT(more.asked, 3 * once.asked);
  EXPECT_LT(more.most, 64 * 80'000);
}

// Long texts of a grammar with captures take little memory beside their bytes, although each byte may end the capture.
TEST(ReplyGrowth, CapturedTextTakesLittleMemory) {
  const auto compiler = GrammarCompiler(TokenizerInfo::builtin());
  const auto compiled = compiler.compile_structural_tag(R"({"format": {"type": "triggered_tags", "triggers": ["<sum>"],
      "text_capture": "prose", "tags": [{"begin": "<sum>", "content": {"type": "regex", "pattern": "[0-9]+"},
      "end": "</sum>", "capture": "sum"}]}})");
  ASSERT_TRUE(compiled) << compiled.error().message;
  const auto cost = [&](std::string_view text, std::size_t piece) {
    auto parser = ReplyParser::for_grammar(*compiled);
    EXPECT_TRUE(parser);
    EXPECT_TRUE(parser->feed("a"));
    growth::reset_peak();
    const std::size_t before = growth::asked_bytes();
    const std::size_t held = growth::allocated_bytes();
    for (std::size_t at = 0; at < text.size(); at += piece) EXPECT_TRUE(parser->feed(text.substr(at, piece)));
    EXPECT_TRUE(parser->finish());
    return Cost{growth::asked_bytes() - before, growth::peak_bytes() - held};
  };
  for (const std::string_view unit : {"The quick brown fox. ", "1, 2, 3 "}) {
    for (const std::size_t piece : {1, 7, 100'000}) {
      const Cost once = cost(repeated(unit, 10'000), piece);
      const Cost more = cost(repeated(unit, 20'000), piece);
      EXPECT_LT(more.asked, 3 * once.asked + 10'000) << unit << piece;
      EXPECT_LT(more.most, 64 * 20'000 + 100'000) << unit << piece;
    }
  }
}

// What is read of captures that end, of lists and of what is within one another is forgotten where nothing can need it.
TEST(ReplyGrowth, PartsThatEndTakeLittleMemory) {
  struct Case {
    const char* grammar;
    const char* begin;
    const char* unit;
    const char* end;
  };
  constexpr Case kCases[] = {{R"~(root ::= "[" (item ("," item)*)? "]"
           item ::= @capture(x: [0-9]+))~",
                              "[1", ",123", "]"},
                             {R"~(root ::= line*
           line ::= @capture(key: [a-z]+) "=" @capture(value: [^\n]*) "\n")~",
                              "", "key=value of it\n", ""},
                             {R"~(root ::= "[" @capture(all: items) "]"
           items ::= [0-9]+ | [0-9]+ "," items)~",
                              "[1", ",123", "]"},
                             {R"~(root ::= @capture(sum: e)
           e ::= t ("+" t)*
           t ::= f ("*" f)*
           f ::= [0-9]+ | "(" e ")")~",
                              "1", "+12*3+(4+5)*6", ""}};
  const auto compiler = GrammarCompiler(TokenizerInfo::builtin());
  for (const Case& one : kCases) {
    const auto compiled = compiler.compile_ebnf(one.grammar);
    ASSERT_TRUE(compiled) << compiled.error().message;
    for (const std::size_t piece : {1, 7}) {
      const auto read = [&](std::size_t size) {
        const std::string text = one.begin + repeated(one.unit, size) + one.end;
        auto parser = ReplyParser::for_grammar(*compiled);
        growth::reset_peak();
        const std::size_t held = growth::allocated_bytes();
        for (std::size_t at = 0; at < text.size(); at += piece) EXPECT_TRUE(parser->feed(text.substr(at, piece)));
        EXPECT_TRUE(parser->finish());
        const std::size_t most = growth::peak_bytes() - held;
        return std::pair(most, parser->snapshot());
      };
      const auto [few, first] = read(1'000);  // the automaton's states, and what is not yet worth forgetting
      const auto [most, after] = read(40'000);
      EXPECT_LT(most, 40 * 40'000 + few) << one.grammar;
      EXPECT_FALSE(first.empty());
      // The captures are those of the whole text.
      GrammarMatcher matcher = GrammarMatcher::create(*compiled).value();
      EXPECT_EQ(matcher.accept_bytes(one.begin + repeated(one.unit, 40'000) + one.end), Step::kOk);
      std::size_t found = 0;
      for (const Capture& capture : matcher.captures()) {
        const std::string part = "{\"name\": \"" + std::string(capture.name) +
                                 "\", \"start\": " + std::to_string(capture.begin) +
                                 ", \"end\": " + std::to_string(capture.end) + ",";
        found = after.find(part, found);  // in their order
        ASSERT_NE(found, std::string::npos) << part;
      }
    }
  }
}

}  // namespace
}  // namespace weir
