// ReplyOptions::values: what arguments, and answers in JSON, consist of.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "weir/reply_parser.h"

namespace weir {
namespace {

constexpr const char* kAnyTools = R"([{"name": "f", "parameters": {"type": "object"}}])";

ReplyParser with_values(std::string_view style, const std::string& response_format = {}) {
  ReplyOptions options;
  options.values = true;
  options.tools.response_format = response_format;
  auto parser = ReplyParser::create(style, kAnyTools, options);
  EXPECT_TRUE(parser) << parser.error().message;
  return *std::move(parser);
}

// The events of values, on a line each, with strings joined: `depth key kind text`.
std::string values_in(ReplyParser& parser, std::string_view reply, std::size_t piece) {
  std::string out;
  bool is_in_string = false;
  std::size_t end = 0;
  const auto add = [&](const Result<std::vector<ReplyEvent>>& events) {
    ASSERT_TRUE(events) << events.error().message;
    for (const ReplyEvent& event : *events) {
      EXPECT_LE(end, event.start);
      end = event.end;
      if (event.kind <= ReplyEventKind::kMarkup) continue;
      EXPECT_EQ(event.start, event.end);
      if (event.kind == ReplyEventKind::kString && is_in_string) {
        out += event.text;
        continue;
      }
      is_in_string = event.kind == ReplyEventKind::kString;
      EXPECT_TRUE(!is_in_string || event.text.empty()) << out;
      out += "\n" + std::to_string(event.depth) + " " + event.key + " " + std::string(to_string(event.kind));
      if (!event.text.empty() || is_in_string) out += " " + event.text;
    }
  };
  for (std::size_t at = 0; at < reply.size(); at += piece) add(parser.feed(reply.substr(at, piece)));
  add(parser.finish());
  return out;
}

TEST(ValueEvents, AreThoseOfTheArguments) {
  const std::string reply =
      R"(Hm. <tool_call>{"name": "f", "arguments": {"a": [1, "x\ny\u00e9\ud83d\ude00z\ud800!", {}, -1.5e+3],)"
      R"( "b\"": {"c": true, "": null}, "b": ""}}</tool_call>)";
  for (const std::size_t piece : {1, 2, 3, 5, 1000}) {
    ReplyParser parser = with_values("hermes");
    EXPECT_EQ(values_in(parser, reply, piece), R"(
0  object_begins
1 a array_begins
2 0 number 1
2 1 string x
yé😀z�!
2 1 string_ends
2 2 object_begins
2 2 object_ends
2 3 number -1.5e+3
1 a array_ends
1 b" object_begins
2 c boolean true
2  null null
1 b" object_ends
1 b string 
1 b string_ends
0  object_ends)")
        << piece;
  }
}

TEST(ValueEvents, AreOfArgumentsInAnyForm) {
  for (const std::size_t piece : {1, 4, 1000}) {
    ReplyParser parser = with_values("qwen_coder");
    EXPECT_EQ(
        values_in(parser, "<tool_call>\n<function=f>\n<parameter=a>\nx \"y\"\n</parameter>\n</function>\n</tool_call>",
                  piece),
        R"(
0  object_begins
1 a string x "y"
1 a string_ends
0  object_ends)")
        << piece;
  }
}

TEST(ValueEvents, AreOfEachCallByItself) {
  ReplyParser parser = with_values("hermes");
  const std::string call = R"(<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>)";
  const std::string values = "\n0  object_begins\n1 a number 1\n0  object_ends";
  EXPECT_EQ(values_in(parser, call + call, 7), values + values);
  parser.reset();
  EXPECT_EQ(values_in(parser, call, 7), values);
}

TEST(ValueEvents, AreThoseOfAnAnswerInJson) {
  const std::string format = R"({"type": "json_object"})";
  for (const std::size_t piece : {1, 3, 1000}) {
    ReplyParser object = with_values("hermes", format);
    EXPECT_EQ(values_in(object, R"( {"a":"b"} )", piece),
              "\n0  object_begins\n1 a string b\n1 a string_ends\n0  object_ends");
    ReplyParser number = with_values("hermes", format);
    EXPECT_EQ(values_in(number, "12", piece), "\n0  number 12");
    // What is not JSON has no more values.
    ReplyParser text = with_values("hermes", format);
    EXPECT_EQ(values_in(text, R"(["a", oops, "b"])", piece), "\n0  array_begins\n1 0 string a\n1 0 string_ends");
    // What follows the value is not read, and a value that is cut off is none.
    for (const char* tail : {" and more, x", "}", "]", ",", "\"", "{", " {\"a\": 2}", "1"}) {
      ReplyParser longer = with_values("hermes", format);
      EXPECT_EQ(values_in(longer, std::string("{}") + tail, piece), "\n0  object_begins\n0  object_ends") << tail;
    }
    for (const char* tail : {",", "\"", "x", " \"b\""}) {
      ReplyParser longer = with_values("hermes", format);
      EXPECT_EQ(values_in(longer, std::string("\"a\"") + tail, piece), "\n0  string a\n0  string_ends") << tail;
    }
    for (const char* cut : {"tru", "1.", "-", "1e"}) {
      ReplyParser part = with_values("hermes", format);
      EXPECT_EQ(values_in(part, cut, piece), "") << cut;
    }
    ReplyParser word = with_values("hermes", format);
    EXPECT_EQ(values_in(word, "true", piece), "\n0  boolean true");
    ReplyParser plain = with_values("hermes");
    EXPECT_EQ(values_in(plain, R"({"a": 1})", piece), "");
  }
}

TEST(ValueEvents, AreInOrderWithTheOthers) {
  ReplyParser parser = with_values("hermes");
  const auto events = parser.feed(R"(<tool_call>{"name": "f", "arguments": {"a": "x)");
  ASSERT_TRUE(events);
  std::string all;
  for (const ReplyEvent& event : *events) all += to_json(event) + "\n";
  EXPECT_NE(all.find(R"("event": "string", "start": 46, "end": 46, "depth": 1, "key": "a", "text": "x"})"),
            std::string::npos)
      << all;
}

}  // namespace
}  // namespace weir
