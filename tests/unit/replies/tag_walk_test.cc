// Random outputs of the tags of all styles: the strict parser accepts each, and finds the calls that the tag's captures
// have, with their arguments where the form writes them as JSON. WEIR_TAG_WALKS is the number of outputs for each style
// and choice; test `reply_tag_walks` takes more than the suite does, and 13,000 are a million in all.
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
#include <vector>

#include "distinct_styles.h"
#include "weir/bitmask.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"

namespace weir {
namespace {

constexpr const char* kWalkTools =
    R"([{"name": "find", "parameters": {"type": "object", "properties": {"text": {"type": "string"}, "n": {"type": "integer"},
    "tags": {"type": "array", "items": {"enum": ["x", "y z"]}}, "either": {"type": ["string", "null"]}}, "required": ["n"]}},
    {"name": "now"}])";

TokenizerInfo bytes() {
  VocabSpec spec;
  for (unsigned b = 0; b < 256; ++b) spec.tokens.emplace_back(1, static_cast<char>(b));
  return TokenizerInfo::from_vocab(std::move(spec)).value();
}

// Returns an output of at most so many random bytes, then the shortest end. Bytes of tags and JSON come often.
std::string random_output(GrammarMatcher& matcher, std::mt19937& random, std::size_t most) {
  matcher.reset();
  std::vector<std::uint32_t> mask(bitmask_words(256));
  std::string text;
  while (text.size() < most && matcher.fill_next_token_bitmask(mask) == Step::kOk) {
    std::vector<std::uint32_t> allowed;
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      if ((mask[byte / 32] >> (byte % 32) & 1U) == 0) continue;
      const bool is_common =
          std::string_view("<>{}\"|/[]:,=&()'\n ").find(static_cast<char>(byte)) != std::string_view::npos;
      allowed.insert(allowed.end(), is_common ? 6 : 1, byte);
    }
    if (allowed.empty()) break;
    const char byte = static_cast<char>(allowed[random() % allowed.size()]);
    if (matcher.accept_bytes({&byte, 1}) != Step::kOk) break;
    text += byte;
    // A tag that has begun goes on to where there is a choice.
    if (const std::string forced = matcher.find_jump_forward_string(); !forced.empty() && random() % 8 != 0) {
      if (matcher.accept_bytes(forced) == Step::kOk) text += forced;
    }
  }
  const auto rest = matcher.shortest_completion();
  if (!rest || matcher.accept_bytes(*rest) != Step::kOk) return {};
  return text + *rest;
}

class TagWalk : public testing::TestWithParam<std::string_view> {};

TEST_P(TagWalk, FindsTheCallsOfTheTag) {
  std::mt19937 random(5);
  std::size_t calls = 0;
  for (const char* choice : {"\"auto\"", "\"required\""}) {
    ReplyOptions options;
    options.mode = ReplyOptions::Mode::kStrict;
    options.tools.tool_choice = choice;
    auto parser = ReplyParser::create(GetParam(), kWalkTools, options);
    ASSERT_TRUE(parser) << parser.error().message;
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
