#include "weir/reply_parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/tokenizer_info.h"

namespace weir {
namespace {

constexpr const char* kTools =
    R"([{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}])";

ReplyParser parser_of(std::string_view style, const ReplyOptions& options = {}, const Limits& limits = {}) {
  auto parser = ReplyParser::create(style, kTools, options, limits);
  EXPECT_TRUE(parser) << parser.error().message;
  return *std::move(parser);
}

std::string events_of(const Result<std::vector<ReplyEvent>>& events) {
  if (!events) return events.error().message;
  std::string out;
  for (const ReplyEvent& event : *events) {
    out += (out.empty() ? "" : " ") + std::string(to_string(event.kind)) + "(" + event.name + event.text + ")";
  }
  return out;
}

TEST(ReplyParser, GivesAnEventAsSoonAsItIsCertain) {
  ReplyParser parser = parser_of("qwen_coder");
  EXPECT_EQ(events_of(parser.feed("Hi <tool")), "text(Hi )");
  EXPECT_EQ(events_of(parser.feed("_call><function=f")), "");
  EXPECT_EQ(events_of(parser.feed(">")), "call_begins(f)");
  EXPECT_EQ(events_of(parser.feed("<parameter=a>")), R"(arguments({"a": "))");
  EXPECT_EQ(events_of(parser.feed("x\"\n")), R"(arguments(x\"))");
  EXPECT_EQ(events_of(parser.feed("y</para")), R"(arguments(\ny))");
  EXPECT_EQ(
      parser.snapshot(),
      R"({"reasoning": null, "content": "Hi ", "tool_calls": [{"name": "f", "partial_arguments": "{\"a\": \"x\\\"\\ny"}]})");
  EXPECT_EQ(events_of(parser.feed("meter></function>")), R"(arguments("}))");
  EXPECT_EQ(events_of(parser.feed("</tool_call>")), "call_ends()");
  EXPECT_EQ(events_of(parser.finish()), "");
  EXPECT_EQ(parser.snapshot(),
            R"({"reasoning": null, "content": "Hi ", "tool_calls": [{"name": "f", "arguments": {"a": "x\"\ny"}}]})");
}

// The name of a tag in prose is no call, so none is announced, and calls are counted from 0.
TEST(ReplyParser, ATagInProseIsNotAnnounced) {
  for (const auto& [style, prose, call] :
       {std::tuple{"glm", "Use the <tool_call> tag. ",
                   "<tool_call>f\n<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>"},
        std::tuple{"longcat_xml", "Use the <longcat_tool_call> tag. ",
                   "<longcat_tool_call>f\n<longcat_arg_key>a</longcat_arg_key><longcat_arg_value>1</longcat_arg_value>"
                   "</longcat_tool_call>"},
        std::tuple{"minicpm5", "Write <function name=\"f\"> first. ",
                   "<function name=\"f\"><param name=\"a\">1</param></function>"},
        std::tuple{"functiongemma", "Use <start_function_call>call:f or so. ",
                   "<start_function_call>call:f{a:<escape>1<escape>}<end_function_call>"}}) {
    ReplyParser parser = parser_of(style);
    EXPECT_EQ(events_of(parser.feed(prose)).find("call_"), std::string::npos) << style;
    const auto events = parser.feed(call);
    ASSERT_TRUE(events);
    const auto begins = std::ranges::find(*events, ReplyEventKind::kCallBegins, &ReplyEvent::kind);
    ASSERT_NE(begins, events->end()) << style;
    EXPECT_EQ(begins->call, 0U);
    EXPECT_TRUE(parser.finish());
    EXPECT_EQ(parser.snapshot(), "{\"reasoning\": null, \"content\": " + nlohmann::json(prose).dump() +
                                     R"(, "tool_calls": [{"name": "f", "arguments": {"a": "1"}}]})")
        << style;
  }
}

// A pair of tags with no call in it says nothing, in every style, however the text is cut.
TEST(ReplyParser, PairsOfTagsWithoutACall) {
  const std::tuple<const char*, const char*, const char*> styles[] = {
      {"hermes", "<tool_call>", "</tool_call>"},
      {"qwen_coder", "<tool_call>", "</tool_call>"},
      {"glm", "<tool_call>", "</tool_call>"},
      {"longcat_xml", "<longcat_tool_call>", "</longcat_tool_call>"},
      {"longcat", "<longcat_tool_call>", "</longcat_tool_call>"},
      {"gemma4", "<|tool_call>", "<tool_call|>"},
      {"functiongemma", "<start_function_call>", "<end_function_call>"},
      {"seed_oss", "<seed:tool_call>", "</seed:tool_call>"},
      {"minimax_m2", "<minimax:tool_call>", "</minimax:tool_call>"},
      {"hunyuan", "<tool_calls>", "</tool_calls>"},
  };
  for (const auto& [style, begin, end] : styles) {
    for (const char* blanks : {"", "\n", " \n "}) {
      for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{100}}) {
        const std::string text = std::string("a") + begin + blanks + end + "b";
        ReplyParser parser = parser_of(style);
        for (std::size_t at = 0; at < text.size(); at += piece) EXPECT_TRUE(parser.feed(text.substr(at, piece)));
        EXPECT_TRUE(parser.finish());
        EXPECT_EQ(parser.snapshot(), R"({"reasoning": null, "content": "ab", "tool_calls": []})")
            << style << " " << text << " " << piece;
      }
    }
  }
  // What is no end tag in the end stays.
  for (const char* text : {"a<tool_call></tool_x>", "a<tool_call></tool", "a<tool_call><b>", "a<tool_call> </ b"}) {
    ReplyParser parser = parser_of("glm");
    EXPECT_TRUE(parser.feed(text));
    EXPECT_TRUE(parser.finish());
    EXPECT_EQ(parser.snapshot(),
              "{\"reasoning\": null, \"content\": " + nlohmann::json(text).dump() + ", \"tool_calls\": []}");
  }
}

// However the text is cut.
void expect_message(std::string_view style, std::string_view text, std::string_view message) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, text.size()}) {
    ReplyParser parser = parser_of(style);
    for (std::size_t at = 0; at < text.size(); at += piece) EXPECT_TRUE(parser.feed(text.substr(at, piece)));
    EXPECT_TRUE(parser.finish());
    EXPECT_EQ(parser.snapshot(), message) << style << " " << piece;
  }
}

TEST(ReplyParser, AHeaderThatIsCutIsNoText) {
  const std::string_view whole = "<|channel|>commentary to=functions.f <|constrain|>json<|message|>";
  for (std::size_t end = std::string_view("<|channel|>").size(); end < whole.size(); ++end) {
    expect_message("harmony", whole.substr(0, end), R"({"reasoning": null, "content": null, "tool_calls": []})");
    expect_message("harmony",
                   "<|channel|>final<|message|>Yes.<|end|><|start|>assistant" + std::string(whole.substr(0, end)),
                   R"({"reasoning": null, "content": "Yes.", "tool_calls": []})");
  }
  expect_message("harmony", "<|channel|>final Yes <|x",
                 R"({"reasoning": null, "content": " Yes <|x", "tool_calls": []})");
}

// A reply that a bound on tokens cuts, in the mode that reads whole replies only.
TEST(ReplyParser, AReplyThatIsCutEndsAsItIs) {
  ReplyOptions options;
  options.mode = ReplyOptions::Mode::kStrict;
  ReplyParser parser = parser_of("hermes", options);
  EXPECT_EQ(events_of(parser.feed("Use the <tool_ca")), "text(Use the )");
  EXPECT_EQ(events_of(parser.cut()), "text(<tool_ca)");
  EXPECT_EQ(events_of(parser.cut()), "the reply has ended");
  EXPECT_EQ(events_of(parser.finish()), "the reply has ended");
  EXPECT_EQ(parser.snapshot(), R"({"reasoning": null, "content": "Use the <tool_ca", "tool_calls": []})");
  parser.reset();
  const std::string call = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x";
  EXPECT_EQ(events_of(parser.feed(call)), "call_begins(f) arguments({\"a\": \"x)");
  EXPECT_EQ(events_of(parser.finish()), "the reply is not complete");
  EXPECT_EQ(parser.snapshot(),
            R"({"reasoning": null, "content": null, "tool_calls": [{"name": "f", "partial_arguments": )"
            R"("{\"a\": \"x"}]})");
  EXPECT_EQ(events_of(parser.cut()), "call_invalid(" + call + ")");
  ReplyParser tolerant = parser_of("hermes");
  EXPECT_TRUE(tolerant.feed("a <tool"));
  EXPECT_EQ(events_of(tolerant.cut()), "text(<tool)");
}

TEST(ReplyParser, AnAnswerEndsReasoningThatHasNoEnd) {
  expect_message("harmony", "<|channel|>analysis<|message|>hm<|start|>assistant<|channel|>final<|message|>Yes.",
                 R"({"reasoning": "hm", "content": "Yes.", "tool_calls": []})");
}

TEST(ReplyParser, ACallOfNoNameIsText) {
  expect_message(
      "harmony", R"(<|channel|>commentary to=functions.<|message|>{"a":1}<|end|>)",
      R"({"reasoning": null, "content": "<|channel|>commentary to=functions.<|message|>{\"a\":1}<|end|>", "tool_calls": []})");
}

TEST(ReplyParser, BlanksBeforeABrokenCallArePartsOfTheText) {
  expect_message("hermes",
                 "Hi<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\n"
                 "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\" oops}}",
                 R"({"reasoning": null, "content": "Hi\n<tool_call>{\"name\": \"f\", \"arguments\": {\"a\" oops}}", )"
                 R"("tool_calls": [{"name": "f", "arguments": {}}]})");
}

TEST(ReplyParser, AWordWithManyColonsIsLinear) {
  ReplyParser parser = parser_of("gemma4");
  EXPECT_TRUE(parser.feed("<|tool_call>call:f{x:a, " + std::string(300'000, ':')));
  EXPECT_TRUE(parser.finish());
}

TEST(ReplyParser, WholeCharacters) {
  ReplyParser parser = parser_of("hermes");
  EXPECT_EQ(events_of(parser.feed("a\xC3")), "text(a)");
  EXPECT_EQ(events_of(parser.feed("\xA9\xFF"
                                  "b\xE2\x82")),
            "text(é\xEF\xBF\xBD"
            "b)");
  EXPECT_EQ(events_of(parser.finish()), "text(\xEF\xBF\xBD)");
  // As decoders do: one U+FFFD for the beginning of a character that does not go on, one for each other byte.
  for (const auto& [bytes, count] : {std::pair{"\xF0\x9F\x98", 1},
                                     {"\xF0\x9F\x98x", 1},
                                     {"\xE2\xE2\x82", 2},
                                     {"\xE0\x80", 2},
                                     {"\xED\xA0\x80", 3},
                                     {"\xF4\x90\x80", 3},
                                     {"\x80\x80", 2},
                                     {"\xC3\xE2\x82\xF0", 3},
                                     {"\xFF\xF0\x9F", 2}}) {
    for (const std::size_t piece : {1, 2, 9}) {
      const std::string_view all = bytes;
      parser.reset();
      for (std::size_t at = 0; at < all.size(); at += piece) EXPECT_TRUE(parser.feed(all.substr(at, piece)));
      EXPECT_TRUE(parser.finish());
      std::string text;
      for (int i = 0; i < count; ++i) text += "\xEF\xBF\xBD";
      if (all.ends_with('x')) text += 'x';
      EXPECT_EQ(nlohmann::json::parse(parser.snapshot())["content"], text);
    }
  }
}

TEST(ReplyParser, BytesThatAreNoUtf8InNames) {
  ReplyParser parser = ReplyParser::create("hermes", "[]").value();
  const auto events = parser.feed("<tool_call>{\"id\": \"\xFF\", \"name\": \"f\xE9\", \"arguments\": {}}</tool_call>");
  ASSERT_TRUE(events.has_value());
  EXPECT_EQ(events->front().name, "f\xEF\xBF\xBD");
  EXPECT_EQ(events->front().id, "\xEF\xBF\xBD");
  EXPECT_EQ(parser.snapshot(),
            "{\"reasoning\": null, \"content\": null, \"tool_calls\": [{\"id\": \"\xEF\xBF\xBD\", \"name\": "
            "\"f\xEF\xBF\xBD\", \"arguments\": {}}]}");
}

TEST(ReplyParser, ACallThatTurnsOutToBeNoneSaysWhy) {
  ReplyParser parser = parser_of("hermes");
  const auto events = parser.feed(R"(<tool_call>{"name": "f", "arguments": {"a": oops}})");
  ASSERT_TRUE(events);
  ASSERT_EQ(
      events_of(events),
      R"(call_begins(f) arguments({"a": ) call_invalid(<tool_call>{"name": "f", "arguments": {"a": ) text(oops}}))");
  EXPECT_EQ((*events)[2].reason, "a value is not JSON");
  EXPECT_EQ((*events)[2].end, 44U);
}

// An object after a tag was to be a call. Its text stays in the answer, with the blanks before it.
TEST(ReplyParser, AnObjectAfterATagThatIsNoCallSaysWhy) {
  struct Broken {
    const char* style;
    const char* reply;
    const char* events;
    const char* reason;
  };
  constexpr Broken kBroken[] = {
      {"hermes", "Hi <tool_call>{'name': 'f'}</tool_call>",
       "text(Hi ) call_invalid(<tool_call>{) text('name': 'f'}</tool_call>)", "a key is missing"},
      {"hermes", R"(<tool_call>{"a": 1}</tool_call>)", R"(call_invalid(<tool_call>{"a": 1}) text(</tool_call>))",
       "the call has no name"},
      {"hermes", R"(<tool_call>{"na)", R"(call_invalid(<tool_call>{"na))", "the reply ends within the call"},
      {"longcat", "<longcat_tool_call>{f}", "call_invalid(<longcat_tool_call>{) text(f})", "a key is missing"},
      {"mistral", "[TOOL_CALLS] [{'name'}]", "call_invalid([TOOL_CALLS] [{) text('name'}])", "a key is missing"},
      {"cohere", "<|START_ACTION|>[{'a'", "call_invalid(<|START_ACTION|>[{) text('a')", "a key is missing"},
      {"qwen_coder", "<tool_call>{'name'", "call_invalid(<tool_call>{) text('name')", "a key is missing"},
      {"llama3", "<|python_tag|>{'name'", "call_invalid(<|python_tag|>{) text('name')", "a key is missing"},
      {"llama3", R"({"name": "f", "parameters": {}, "a": 1})",
       R"(call_begins(f) arguments({}) call_invalid({"name": "f", "parameters": {}, "a") text(: 1}))",
       "the object has a member that a call does not have"},
      // Without a tag it is an answer.
      {"llama3", "{'name'", "text({'name')", ""},
      {"xlam", "[{'name'", "text([{'name')", ""},
  };
  for (const Broken& one : kBroken) {
    ReplyParser parser = parser_of(one.style);
    auto events = parser.feed(one.reply);
    auto last = parser.finish();
    ASSERT_TRUE(events && last);
    events->insert(events->end(), last->begin(), last->end());
    EXPECT_EQ(events_of(*events), one.events);
    std::string reason;
    for (const ReplyEvent& event : *events) reason += event.reason;
    EXPECT_EQ(reason, one.reason) << one.reply;
    EXPECT_NE(parser.snapshot().find("\"tool_calls\": []"), std::string::npos);
  }
  // A call takes the number of one without a name.
  ReplyParser parser = parser_of("hermes");
  const auto events = parser.feed(R"(<tool_call>{'a'} <tool_call>{"name": "f", "arguments": {}}</tool_call>)");
  ASSERT_TRUE(events);
  EXPECT_EQ(events->front().call, 0U);
  EXPECT_EQ(events->back().call, 0U);
}

TEST(ReplyParser, WhatIsWrongWithTheCall) {
  const auto error = [](std::string_view style, std::string_view tools) {
    const auto parser = ReplyParser::create(style, tools);
    return parser ? std::string() : parser.error().message;
  };
  EXPECT_EQ(error("nope", kTools), "there is no style `nope`");
  EXPECT_EQ(error("hermes", R"([{"name": "f"}, {"name": "f"}])"), "there are two tools `f`");
  EXPECT_NE(error("hermes", "{"), "");
}

// What the tag constrains the reader must find, wherever a schema says the type of an argument.
TEST(ReplyParser, TypesOfArgumentsFromAllKeywords) {
  const auto read = [](const std::string& parameters, const std::string& value) {
    auto parser = ReplyParser::create("glm", R"([{"name": "f", "parameters": )" + parameters + "}]");
    EXPECT_TRUE(parser) << parser.error().message;
    EXPECT_TRUE(parser->feed("<tool_call>f\n<arg_key>a</arg_key><arg_value>" + value + "</arg_value></tool_call>"));
    EXPECT_TRUE(parser->finish());
    const std::string whole = parser->snapshot(), before = R"("arguments": {"a": )";
    const std::size_t at = whole.find(before) + before.size();
    return whole.substr(at, whole.size() - at - 4);
  };
  EXPECT_EQ(read(R"({"patternProperties": {"^a": {"type": "object"}}})", "{}"), "{}");
  EXPECT_EQ(read(R"({"additionalProperties": {"type": "integer"}})", "7"), "7");
  EXPECT_EQ(read(R"({"$ref": "#/$defs/b", "$defs": {"b": {"oneOf": [{"properties": {"a": {"type": "null"}}},
                     {"properties": {"a": {"type": ["string", "boolean"]}}}]}}})",
                 "true"),
            "true");
  EXPECT_EQ(read(R"({"if": {}, "then": {"allOf": [{"properties": {"a": {"type": "array"}}}]}})", "[1]"), "[1]");
  EXPECT_EQ(read(R"({"properties": {"a": {"properties": {"b": {}}}}})", R"({"b": 1})"), R"({"b": 1})");
  EXPECT_EQ(read(R"({"properties": {"a": {}}})", "7"), R"("7")");
}

TEST(ReplyParser, ACallAfterTextIsOneIfTheTagSaysSo) {
  constexpr std::string_view kReply = R"(Hi {"name": "f", "parameters": {"a": "x"}})";
  EXPECT_EQ(events_of(parser_of("llama3").feed(kReply)), "text(" + std::string(kReply) + ")");
  EXPECT_EQ(events_of(parser_of("llama3", {.mode = ReplyOptions::Mode::kStrict}).feed(kReply)),
            R"(text(Hi ) call_begins(f) arguments({"a": "x"}) call_ends())");
}

// Both the calls and the answer may be JSON, and only what follows the first call tells which it is.
TEST(ReplyParser, AnAnswerThatLooksLikeACall) {
  ReplyOptions options;
  options.mode = ReplyOptions::Mode::kStrict;
  options.tools.response_format = R"({"type": "json_object"})";
  ReplyParser parser = parser_of("llama3", options);
  EXPECT_EQ(events_of(parser.feed(R"({"name": "f", "parameters": {"a": "x"})")), "");
  EXPECT_EQ(parser.snapshot(), R"({"reasoning": null, "content": null, "tool_calls": []})");
  EXPECT_EQ(events_of(parser.feed(R"(, "b": 1})")), R"(text({"name": "f", "parameters": {"a": "x"},) text( "b": 1}))");
  EXPECT_EQ(events_of(parser.finish()), "");

  parser.reset();
  EXPECT_EQ(events_of(parser.feed(R"({"name": "f", "parameters": {"a": "x"}})")), "");
  EXPECT_EQ(events_of(parser.finish()), R"(call_begins(f) arguments({"a": "x"}) call_ends())");

  // No answer is a list of calls, so it is known at once.
  parser.reset();
  EXPECT_EQ(events_of(parser.feed(R"({"name": "f", "parameters": {"a": "x"}};)")),
            R"(call_begins(f) arguments({"a": "x"}) call_ends())");

  options.tools.response_format = R"({"type": "json_schema", "json_schema": {"name": "n", "schema": {}}})";
  ReplyParser lists = parser_of("xlam", options);
  EXPECT_EQ(events_of(lists.feed(R"([{"name": "f", "arguments": {"a": "x"}}, )")), "");
  EXPECT_EQ(events_of(lists.feed("5]")), R"(text([{"name": "f", "arguments": {"a": "x"}}, 5) text(]))");
  lists.reset();
  EXPECT_EQ(events_of(lists.feed(R"([{"name": "g)")), R"(text([{"name": "g))");
}

// A tool that the tag leaves out is not called, although the request lists it, and the tag allows no text like its call.
TEST(ReplyParser, StrictReadsTheToolsOfTheTag) {
  constexpr const char* kTwo = R"([{"name": "f"}, {"name": "g"}, {"name": "bad", "parameters": {"type": "string"}}])";
  ReplyOptions options;
  options.mode = ReplyOptions::Mode::kStrict;
  options.tools.on_bad_tool = ToolOptions::OnBadTool::kDrop;
  options.tools.tool_choice = R"({"type": "allowed_tools", "mode": "auto", "tools": [{"name": "f"}, {"name": "bad"}]})";
  for (const auto& [style, before, after] :
       {std::tuple{"pythonic", "[", "()]"}, std::tuple{"xlam", R"([{"name": ")", R"(", "arguments": {}}])"}}) {
    auto parser = ReplyParser::create(style, kTwo, options);
    ASSERT_TRUE(parser) << parser.error().message;
    const std::string events = events_of(parser->feed(std::string(before) + "f" + after));
    EXPECT_TRUE(events.starts_with("call_begins(f) arguments({}) call_ends()")) << events;
    for (const char* other : {"g", "bad"}) {
      parser->reset();
      const Result<std::vector<ReplyEvent>> call = parser->feed(std::string(before) + other + after);
      ASSERT_FALSE(call.has_value()) << style << " " << other;
      EXPECT_NE(call.error().message.find("does not follow its tag"), std::string::npos) << call.error().message;
    }
  }
  options.tools.tool_choice = R"({"type": "allowed_tools", "mode": "auto", "tools": []})";
  auto none = ReplyParser::create("pythonic", kTwo, options);
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_FALSE(none->feed("[f()]").has_value());
}

// What is not a special token is text, also where the reply ends within the beginning of a call.
TEST(ReplyParser, TextBesideTheTokensOfACallThatOnlyBegins) {
  const auto read = [](std::string_view style, std::string_view text) {
    ReplyParser parser = parser_of(style);
    std::string events = events_of(parser.feed(text));
    return events + " " + events_of(parser.finish());
  };
  EXPECT_EQ(read("gemma4", "<|tool_call>"), " markup()");
  EXPECT_EQ(read("gemma4", "a <|tool_call>call:"), "text(a ) markup() text(call:)");
  EXPECT_EQ(read("gemma4", "<|channel>thought\nb<|tool_call>ca"),
            "reasoning_begins() markup() reasoning(b) reasoning_ends() text(ca)");
  EXPECT_EQ(read("kimi_k2", "<|tool_calls_section_begin|><|tool_call_begin|>functions."), " markup() text(functions.)");
  EXPECT_EQ(read("lfm2", "<|tool_call_start|> ["), " markup() text([)");
  EXPECT_EQ(read("inkling", "f<|content_invoke_tool_json|>"), " text(f) markup()");
  EXPECT_EQ(read("cohere", "<|START_ACTION|>"), " markup()");
}

TEST(ReplyParser, EscapesInBrackets) {
  ReplyParser parser = parser_of("gemma4");
  ASSERT_TRUE(parser.feed(R"(<|tool_call>call:f{a:"\u0041\"\u00g\x"}<tool_call|>)"));
  const auto read = nlohmann::json::parse(parser.snapshot());
  EXPECT_EQ(read["tool_calls"][0]["arguments"]["a"], "A\"\\u00g\\x");
}

TEST(ReplyParser, EndsOnce) {
  ReplyParser parser = parser_of("hermes");
  ASSERT_TRUE(parser.feed("a"));
  ASSERT_TRUE(parser.finish());
  EXPECT_EQ(events_of(parser.feed("b")), "the reply has ended");
  EXPECT_EQ(events_of(parser.finish()), "the reply has ended");
  EXPECT_EQ(parser.snapshot(), R"({"reasoning": null, "content": "a", "tool_calls": []})");
  parser.reset();
  EXPECT_EQ(events_of(parser.feed("b")), "text(b)");
}

TEST(ReplyParser, StrictRefusesAndStaysAsItWas) {
  ReplyOptions options;
  options.mode = ReplyOptions::Mode::kStrict;
  options.tools.tool_choice = "\"required\"";
  ReplyParser parser = parser_of("hermes", options);
  ASSERT_TRUE(parser.feed(R"(<tool_call>{"name": )"));
  const auto refused = parser.feed(R"("g", "arguments": {}})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.error().where.start, 21U);
  EXPECT_EQ(events_of(parser.finish()), "the reply is not complete");
  EXPECT_EQ(events_of(parser.feed(R"("f", "arguments": {"a": "b"}}</tool_call>)")),
            R"(call_begins(f) arguments({"a": "b"}) call_ends())");
  EXPECT_EQ(events_of(parser.finish()), "");
}

// What the parser reads of a request is what the tag is made of.
TEST(ReplyParser, StrictReadsRequestsAsTheTagDoes) {
  ReplyOptions options;
  options.mode = ReplyOptions::Mode::kStrict;
  options.tools.tool_choice = R"({"type": "function", "function": {"name": "f"}, "mode": "none"})";
  ReplyParser parser = parser_of("hermes", options);
  EXPECT_EQ(events_of(parser.feed(R"(<tool_call>{"name": "f", "arguments": {"a": "b"}}</tool_call>)")),
            R"(call_begins(f) arguments({"a": "b"}) call_ends())");

  auto of_number = ReplyParser::create(
      "qwen_coder", R"([{"custom": {"name": "g", "parameters": {"properties": {"a": {"type": "integer"}}}}}])");
  ASSERT_TRUE(of_number) << of_number.error().message;
  EXPECT_EQ(events_of(of_number->feed("<tool_call><function=g><parameter=a>1</parameter></function></tool_call>")),
            R"(call_begins(g) arguments({"a": 1}) call_ends())");
}

TEST(ReplyParser, LongerThanTheLimit) {
  Limits limits;
  limits.text_bytes = 500;
  ReplyParser parser = parser_of("hermes", {}, limits);
  ASSERT_TRUE(parser.feed(std::string(499, 'a')));
  const auto refused = parser.feed("bc");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(refused.error().limit, "text_bytes");
  EXPECT_EQ(events_of(parser.feed("b")), "text(b)");
}

TEST(ReplyParser, Tokens) {
  VocabSpec spec;
  spec.tokens = {"<tool_call>", R"({"name": "f", "arguments": {"a": "b)", "\"}}", "</tool_call>", "<|im_end|>"};
  spec.special_token_ids = {0, 3, 4};
  spec.stop_token_ids = {4};
  const TokenizerInfo tokenizer = TokenizerInfo::from_vocab(std::move(spec)).value();
  ReplyParser parser = parser_of("hermes");
  const std::vector<std::uint32_t> tokens{0, 1, 2, 3, 4};
  EXPECT_EQ(events_of(parser.feed_tokens(tokens, tokenizer)), R"(call_begins(f) arguments({"a": "b"}) call_ends())");
  const std::vector<std::uint32_t> unknown{9};
  EXPECT_EQ(events_of(parser.feed_tokens(unknown, tokenizer)), "there is no token 9");
}

// A call is one however deep its arguments are, in the strict mode and in the other.
TEST(ReplyParser, DeepCalls) {
  constexpr std::size_t kLevels = 5'000;
  constexpr const char* kLists = R"([{"name": "f", "parameters": {"properties": {"a": {"$ref": "#/$defs/list"}},
      "required": ["a"], "$defs": {"list": {"type": "array", "items": {"$ref": "#/$defs/list"}}}}}])";
  struct Deep {
    const char* style;
    const char* before;
    const char* open;
    const char* close;
    const char* after;
  };
  const std::string marks = "]<]minimax[>[";
  const std::string minimax[] = {marks + "<tool_call>" + marks + "<invoke name=\"f\">" + marks + "<a>",
                                 marks + "<item>", marks + "</item>",
                                 marks + "</a>" + marks + "</invoke>" + marks + "</tool_call>"};
  const Deep deep[] = {
      {"hermes", R"(<tool_call>{"name": "f", "arguments": {"a": [)", "[", "]", "]}}</tool_call>"},
      {"mistral_v11", R"([TOOL_CALLS]f[ARGS]{"a": [)", "[", "]", "]}"},
      {"harmony", R"(<|channel|>commentary to=functions.f<|message|>{"a": [)", "[", "]", "]}"},
      {"qwen_coder", "<tool_call>\n<function=f>\n<parameter=a>\n[", "[", "]",
       "]\n</parameter>\n</function>\n</tool_call>"},
      {"gemma4", "<|tool_call>call:f{a:[", "[", "]", "]}<tool_call|>"},
      {"lfm2", "<|tool_call_start|>[f(a=[", "[", "]", "])]<|tool_call_end|>"},
      {"cohere_xml", R"(<cofl:tool_calls><cofl:tool_call id="0" name="f"><cofl:value name="a" type="list">)",
       R"(<cofl:value type="list">)", "</cofl:value>", "</cofl:value></cofl:tool_call></cofl:tool_calls>"},
      {"minimax_m3", minimax[0].c_str(), minimax[1].c_str(), minimax[2].c_str(), minimax[3].c_str()}};
  for (const Deep& one : deep) {
    std::string reply = one.before;
    for (std::size_t i = 0; i < kLevels; ++i) reply += one.open;
    for (std::size_t i = 0; i < kLevels; ++i) reply += one.close;
    reply += one.after;
    const std::string list = std::string(kLevels + 1, '[') + std::string(kLevels + 1, ']');
    for (const auto mode : {ReplyOptions::Mode::kTolerant, ReplyOptions::Mode::kStrict}) {
      auto parser = ReplyParser::create(one.style, kLists, {.mode = mode});
      ASSERT_TRUE(parser) << parser.error().message;
      const auto events = parser->feed(reply);
      ASSERT_TRUE(events) << one.style << ": " << events.error().message;
      ASSERT_TRUE(parser->finish()) << one.style;
      const std::string result = parser->snapshot();
      EXPECT_TRUE(result.starts_with(R"({"reasoning": null, "content": null, "tool_calls": [{)") &&
                  result.ends_with(R"("name": "f", "arguments": {"a": )" + list + "}}]}"))
          << one.style << ": " << result.substr(0, 200);
    }
  }
}

// A bound on reasoning counts tokens of a mask. Replies have none, however they are cut and whatever they are fed as.
TEST(ReplyParser, BoundsOnReasoningDoNotDependOnTheCut) {
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  for (const auto& [style, reply] :
       {std::pair{"hermes", "<think>one two three</think>x"},
        std::pair{"gemma4", "<|channel>thought\none two three<channel|>x"},
        std::pair{
            "harmony",
            "<|channel|>analysis<|message|>one two three<|end|><|start|>assistant<|channel|>final<|message|>x"}}) {
    ReplyOptions options;
    options.mode = ReplyOptions::Mode::kStrict;
    options.tools.reasoning = ToolOptions::Reasoning::kAuto;
    options.tools.max_reasoning_tokens = 1;
    ReplyParser parser = parser_of(style, options);
    const std::string text = reply;
    const auto is_read = [&] {
      return parser.finish() && parser.snapshot().starts_with(R"({"reasoning": "one two three", "content": "x")");
    };
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      parser.reset();
      EXPECT_TRUE(parser.feed(text.substr(0, cut)) && parser.feed(text.substr(cut)) && is_read()) << style << cut;
    }
    const auto tokens = tokenizer.tokenize(text);
    ASSERT_TRUE(tokens);
    parser.reset();
    for (const std::uint32_t token : *tokens) ASSERT_TRUE(parser.feed_tokens({&token, 1}, tokenizer)) << style;
    EXPECT_TRUE(is_read()) << style;
  }
}

// The tag of the strict mode is the only bound of names and keys.
TEST(ReplyParser, LongNamesAndKeys) {
  const std::string name(1'500, 'f'), key(1'500, 'k');
  const std::string tools = R"([{"name": ")" + name + R"(", "parameters": {"properties": {")" + key +
                            R"(": {"type": "string"}}, "required": [")" + key + R"("]}}])";
  const std::string replies[][2] = {
      {"hermes", R"(<tool_call>{"name": ")" + name + R"(", "arguments": {")" + key + R"(": "x"}}</tool_call>)"},
      {"qwen_coder",
       "<tool_call>\n<function=" + name + ">\n<parameter=" + key + ">\nx\n</parameter>\n</function>\n</tool_call>"},
      {"minicpm5", "<function name=\"" + name + "\"><param name=\"" + key + "\">x</param></function>"},
      {"mistral_v11", "[TOOL_CALLS]" + name + "[ARGS]{\"" + key + "\": \"x\"}"},
      {"harmony", "<|channel|>commentary to=functions." + name + "<|message|>{\"" + key + "\": \"x\"}"},
      {"inkling", name + R"(<|content_invoke_tool_json|>{"name": ")" + name + R"(", "args": {")" + key +
                      R"(": "x"}}<|end_message|>)"},
      {"lfm2", "<|tool_call_start|>[" + name + "(" + key + "=\"x\")]<|tool_call_end|>"}};
  for (const auto& [style, reply] : replies) {
    auto parser = ReplyParser::create(style, tools, {.mode = ReplyOptions::Mode::kStrict});
    ASSERT_TRUE(parser) << parser.error().message;
    const auto events = parser->feed(reply);
    ASSERT_TRUE(events) << style << ": " << events.error().message;
    ASSERT_TRUE(parser->finish()) << style;
    const std::string result = parser->snapshot();
    EXPECT_TRUE(result.starts_with(R"({"reasoning": null, "content": null, "tool_calls": [{"name": ")" + name))
        << style << ": " << result.substr(0, 200);
  }
}

// A call that is cut is none, however deep it is.
TEST(ReplyParser, DeepArguments) {
  for (const auto& [style, before, each] :
       {std::tuple{"hermes", R"(<tool_call>{"name": "f", "arguments": {"a": )", "["},
        std::tuple{"gemma4", "<|tool_call>call:f{a:", "["},
        std::tuple{"qwen_coder", "<tool_call><function=f><parameter=b>", "["},
        std::tuple{"cohere_xml", "<cofl:tool_calls><cofl:tool_call id=\"0\" name=\"f\">",
                   "<cofl:value name=\"a\" type=\"dict\">"}}) {
    std::string text = before;
    for (int i = 0; i < 100'000; ++i) text += each;
    ReplyParser parser = parser_of(style);
    ASSERT_TRUE(parser.feed(text));
    ASSERT_TRUE(parser.finish());
    EXPECT_NE(parser.snapshot().find("\"tool_calls\": []"), std::string::npos) << style;
  }
}

// What a schema says of types is found out once, however many ways lead to a part of it: here there are 2^60.
TEST(ReplyParser, SchemasWithSharedAlternatives) {
  std::string definitions = R"("s60": {"type": "integer"})";
  for (int i = 0; i < 60; ++i) {
    const std::string way = R"({"$ref": "#/$defs/s)" + std::to_string(i + 1) + R"("})";
    definitions += R"(, "s)" + std::to_string(i) + R"(": {"anyOf": [)" + way + ", " + way + "]}";
  }
  const std::string tools =
      R"([{"name": "f", "parameters": {"properties": {"a": {"$ref": "#/$defs/s0"}}, "$defs": {)" + definitions + "}}}]";
  auto parser = ReplyParser::create("qwen_coder", tools);
  ASSERT_TRUE(parser) << parser.error().message;
  ASSERT_TRUE(parser->feed("<tool_call><function=f><parameter=a>007</parameter></function></tool_call>"));
  EXPECT_NE(parser->snapshot().find(R"("arguments": {"a": 7})"), std::string::npos) << parser->snapshot();
}

// With lists that are searched one by one these would take minutes.
TEST(ReplyParser, ManyToolsCallsAndKeys) {
  constexpr int kMany = 20'000;
  std::string tools;
  for (int i = 0; i < kMany; ++i) tools += (i > 0 ? ", " : "[") + (R"({"name": "f)" + std::to_string(i) + R"("})");
  const auto read = [&](std::string_view style, const std::string& text) {
    auto parser = ReplyParser::create(style, style == "longcat" ? tools + "]" : "[]");
    if (!parser || !parser->feed(text) || !parser->finish()) return std::string("not read");
    return parser->snapshot();
  };
  std::string calls;
  std::string tags = "]<]minimax[>[<tool_call>]<]minimax[>[<invoke name=\"f\">";
  for (int i = 0; i < kMany; ++i) {
    const std::string number = std::to_string(i);
    calls += R"(<longcat_tool_call>{"name": "f)" + std::to_string(kMany - 1) + R"("}</longcat_tool_call>)";
    tags += "]<]minimax[>[<k" + number + ">1]<]minimax[>[</k" + number + ">";
  }
  tags += "]<]minimax[>[</invoke>]<]minimax[>[</tool_call>";
  EXPECT_NE(read("longcat", calls).find(R"("name": "f19999", "arguments": {}}, )"), std::string::npos);
  EXPECT_NE(read("minimax_m3", tags).find(R"("k19999": "1"}}]})"), std::string::npos);
}

}  // namespace
}  // namespace weir
