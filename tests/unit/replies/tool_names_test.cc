// Odd names of tools in all styles. Either the tag is refused, with an error that names the tool, or the parser, in both
// modes, reads the names back from outputs of the tag.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "distinct_styles.h"
#include "random_output.h"
#include "rounds.h"
#include "sanitized.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"
#include "weir/tools.h"

namespace weir {
namespace {

using tests::bytes;
using tests::random_output;

constexpr auto kOddNames = std::to_array<std::string_view>({"get weather",
                                                            "get  weather",
                                                            " a",
                                                            "a ",
                                                            "  a  ",
                                                            "a b c",
                                                            "a get",
                                                            "a<b",
                                                            "a{b",
                                                            "{a",
                                                            "[a",
                                                            "a[b",
                                                            "a]b",
                                                            "a}b",
                                                            "a\"b",
                                                            "\"a\"",
                                                            "'a'",
                                                            "`a`",
                                                            "a\\b",
                                                            "a\\n",
                                                            "a\\",
                                                            "a:b",
                                                            "a:0",
                                                            ":a",
                                                            "call:a",
                                                            "a=b",
                                                            "a(b",
                                                            "a)b",
                                                            ".a",
                                                            "a.b",
                                                            "functions.a",
                                                            "functions.a:0",
                                                            "-a",
                                                            "a-b",
                                                            "/a",
                                                            "a/b",
                                                            "a>b",
                                                            "a,b",
                                                            ",a",
                                                            "!a",
                                                            "a;b",
                                                            "a|b",
                                                            "a&b",
                                                            "a&amp;b",
                                                            "a#b",
                                                            "*",
                                                            "1a",
                                                            "a\tb",
                                                            "a\nb",
                                                            "\x7f"
                                                            "a",
                                                            "\u00e9",
                                                            "a\u00a0b",
                                                            "\u00a0",
                                                            "a\u2028b",
                                                            "\ufeffa",
                                                            "a\u4e2d",
                                                            "name",
                                                            "arguments",
                                                            "parameters",
                                                            "tool_call",
                                                            "functions",
                                                            "call",
                                                            "json",
                                                            "id",
                                                            "x id=5",
                                                            "x name=5",
                                                            "null",
                                                            "<tool_call>",
                                                            "</tool_call>",
                                                            "<|im_end|>",
                                                            "[TOOL_CALLS]",
                                                            "[ARGS]",
                                                            "<think>",
                                                            "function=a"});

std::string tool_list(std::string_view name) {
  const nlohmann::json parameters = {{"type", "object"},
                                     {"properties", {{"q", {{"type", "boolean"}}}}},
                                     {"required", {"q"}},
                                     {"additionalProperties", false}};
  nlohmann::json tools = nlohmann::json::array();
  for (const std::string_view one : {name, std::string_view("a"), std::string_view("get")}) {
    if (one != name || tools.empty()) tools.push_back({{"name", one}, {"parameters", parameters}});
  }
  return tools.dump();
}

std::vector<std::string> names_read(ReplyParser& parser, const std::string& text) {
  std::vector<std::string> names;
  parser.reset();
  const auto first = parser.feed(text);
  const auto rest = parser.finish();
  for (const auto* events : {&first, &rest}) {
    EXPECT_TRUE(*events);
    if (!*events) continue;
    for (const ReplyEvent& event : **events) {
      if (event.kind == ReplyEventKind::kCallBegins) names.push_back(event.name);
      EXPECT_NE(event.kind, ReplyEventKind::kCallInvalid);
    }
  }
  return names;
}

class ToolNames : public testing::TestWithParam<std::string_view> {};

TEST_P(ToolNames, AreReadBackOrRefused) {
  std::mt19937 random(7);
  std::size_t read = 0;
  // With sanitizers each style takes one of five names, styles with names of other lengths take others.
  for (std::size_t i = GetParam().size() % tests::one_in(); i < kOddNames.size(); i += tests::one_in()) {
    const std::string_view name = kOddNames[i];
    const std::string tools = tool_list(name);
    ToolOptions options;
    options.tool_choice = "\"required\"";
    const auto tag = structural_tag_for_tools(GetParam(), tools, options);
    if (!tag) {
      const std::string shown = nlohmann::json(name).dump();
      EXPECT_NE(tag.error().message.find("tool `"), std::string::npos) << tag.error().message << "\n" << shown;
      continue;
    }
    auto compiled = GrammarCompiler(bytes()).compile_structural_tag(*tag);
    ASSERT_TRUE(compiled) << compiled.error().message << "\n" << name;
    GrammarMatcher matcher(*std::move(compiled));
    for (const ReplyOptions::Mode mode : {ReplyOptions::Mode::kStrict, ReplyOptions::Mode::kTolerant}) {
      ReplyOptions reply;
      reply.mode = mode;
      reply.tools = options;
      auto parser = ReplyParser::create(GetParam(), tools, reply);
      ASSERT_TRUE(parser) << parser.error().message;
      for (int walk = 0; walk < (tests::is_sanitized() ? 1 : 3); ++walk) {
        const std::string text = random_output(matcher, random, walk == 0 ? 0 : 10 + random() % 120);
        std::vector<std::string> expected;
        for (const Capture& capture : matcher.captures()) expected.push_back(capture.name);
        const std::vector<std::string> found = names_read(*parser, text);
        EXPECT_EQ(found, expected) << "mode " << static_cast<int>(mode) << ": " << text;
        read += static_cast<std::size_t>(std::ranges::count(found, name));
        if (HasFailure()) break;
      }
    }
  }
  if (!tests::is_sanitized()) {
    EXPECT_GT(read, 2U);
  }
}

INSTANTIATE_TEST_SUITE_P(Styles, ToolNames, testing::ValuesIn(tests::distinct_styles()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace weir
