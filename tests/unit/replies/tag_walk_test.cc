// Random outputs of the tags of all styles: the strict parser accepts each, and finds the calls that the tag's captures
// have, with their arguments where the form writes them as JSON, and no text where there are only calls. WEIR_TAG_WALKS is
// the number of outputs for each style and choice; test `reply_tag_walks` takes more than the suite does, and 13,000 are a
// million in all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "distinct_styles.h"
#include "random_output.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"

namespace weir {
namespace {

using tests::bytes;
using tests::random_output;

constexpr const char* kWalkTools =
    R"([{"name": "find", "parameters": {"type": "object", "properties": {"text": {"type": "string"}, "n": {"type": "integer"},
    "tags": {"type": "array", "items": {"enum": ["x", "y z"]}}, "either": {"type": ["string", "null"]}}, "required": ["n"]}},
    {"name": "now"}, {"name": "odd", "parameters": {"properties": {"Aa": {"enum": ["xy"]}, "@type": {"enum": ["on"]},
    "B c": {"enum": ["on"]}, "x/y": {"enum": ["on"]}}, "additionalProperties": {"enum": ["on"]}}}])";

// Returns true if text may precede a call that is required.
bool has_preambles(std::string_view style) { return style == "harmony" || style == "kimi_k3"; }

class TagWalk : public testing::TestWithParam<std::string_view> {};

TEST_P(TagWalk, FindsTheCallsOfTheTag) {
  std::mt19937 random(5);
  std::size_t calls = 0;
  using Reasoning = ToolOptions::Reasoning;
  constexpr std::pair<const char*, Reasoning> kChoices[] = {
      {"\"auto\"", Reasoning::kNone}, {"\"required\"", Reasoning::kNone}, {"\"required\"", Reasoning::kBegun}};
  for (const auto& [choice, reasoning] : kChoices) {
    ReplyOptions options;
    options.mode = ReplyOptions::Mode::kStrict;
    options.tools.tool_choice = choice;
    options.tools.reasoning = reasoning;
    auto parser = ReplyParser::create(GetParam(), kWalkTools, options);
    if (!parser && parser.error().message.ends_with("has no reasoning")) continue;
    ASSERT_TRUE(parser) << parser.error().message;
    const bool has_text = choice == std::string_view("\"auto\"") || has_preambles(GetParam());
    const auto tag = structural_tag_for_tools(GetParam(), kWalkTools, options.tools);
    GrammarMatcher matcher(GrammarCompiler(bytes()).compile_structural_tag(*tag).value());
    const char* wanted = std::getenv("WEIR_TAG_WALKS");
    const int walks = wanted == nullptr ? 60 : std::atoi(wanted);
    for (int i = 0; i < walks; ++i) {
      const std::string text = random_output(matcher, random, 20 + random() % 200);
      std::vector<std::string> expected;
      std::vector<std::string> written;
      for (const Capture& capture : matcher.captures()) {
        expected.push_back(capture.name);
        written.push_back(text.substr(capture.begin, capture.end - capture.begin));
      }
      parser->reset();
      std::vector<std::string> found;
      std::string events;
      const auto take = [&](const Result<std::vector<ReplyEvent>>& more) {
        ASSERT_TRUE(more) << more.error().message << "\n" << text;
        for (const ReplyEvent& event : *more) {
          events += to_json(event) + "\n";
          if (event.kind == ReplyEventKind::kCallBegins) found.push_back(event.name);
          EXPECT_NE(event.kind, ReplyEventKind::kCallInvalid) << text << "\n" << events;
        }
      };
      take(parser->feed(text));
      take(parser->finish());
      ASSERT_EQ(found, expected) << text << "\n" << events;
      const auto read = nlohmann::json::parse(parser->snapshot(), nullptr, false);
      // The oracle reads no number beyond a double.
      static const std::regex beyond("[eE][+]?[0-9]{3}|[0-9]{300}");
      if (read.is_discarded() && std::regex_search(parser->snapshot(), beyond)) continue;
      ASSERT_TRUE(read.is_object()) << parser->snapshot();
      ASSERT_EQ(read["tool_calls"].size(), written.size());
      if (!has_text) {
        ASSERT_TRUE(read["content"].is_null()) << text << "\n" << events;
      }
      for (std::size_t k = 0; k < written.size(); ++k) {
        const auto whole = nlohmann::json::parse(written[k], nullptr, false);
        if (whole.is_object()) {
          ASSERT_EQ(read["tool_calls"][k]["arguments"], whole) << text;
        }
      }
      for (const auto& call : read["tool_calls"]) {
        ASSERT_TRUE(call.contains("arguments") && call["arguments"].is_object()) << text << "\n" << parser->snapshot();
        if (call["name"] == "find") {
          EXPECT_TRUE(call["arguments"]["n"].is_number()) << text << "\n" << parser->snapshot();
        }
        if (call["name"] == "odd") {  // no key is read as a part of the value before it
          for (const auto& [key, value] : call["arguments"].items()) {
            EXPECT_EQ(value, key == "Aa" ? "xy" : "on") << text << "\n" << parser->snapshot();
          }
        }
      }
      calls += found.size();
    }
  }
  EXPECT_GT(calls, 40U);
}

INSTANTIATE_TEST_SUITE_P(Styles, TagWalk, testing::ValuesIn(tests::distinct_styles()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace weir
