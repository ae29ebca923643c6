// Response templates as styles: what their tags and their readers take, and what is refused, with its place.
// tests/python/test_response_templates.py compares with transformers' own parser.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "weir/reply_parser.h"
#include "weir/tools.h"

namespace weir {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kTimeTools = R"([
  {"name": "time", "parameters": {"properties": {"zone": {"type": "string"}, "n": {"type": "integer"}}, "required": ["zone"]}},
  {"name": "noon"}])";

constexpr std::string_view kObjectTemplate = R"RE({"start_anchor": "<|assistant|>", "fields": {
  "thinking": {"open": "<think>", "close": "</think>"},
  "content": {"close": "<|im_end|>", "content": "text"},
  "tool_calls": {"open_pattern": "\\s*<tool>", "close": "</tool>", "repeats": true, "content": "json",
                 "transform": {"type": "function", "function": {"name": "{content.call}", "arguments": "{content.with}"}}}}})RE";

constexpr std::string_view kTagTemplate = R"RE({"start_anchor_pattern": "<\\|bot\\|>", "fields": {
  "content": {"open": "<say>", "close_pattern": "\\n?</say>"},
  "tool_calls": {"open_pattern": "(?:<\\|bot\\|>)?<do (?P<name>\\w+)>", "close": ["</do>", "<|eos|>"], "repeats": true,
                 "content": "xml-inline",
                 "content_args": {"tag_pattern": "<arg k=\"(?P<key>\\w+)\">\\s*(?P<value>.*?)\\s*</arg>"},
                 "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}}}})RE";

constexpr std::string_view kListTemplate = R"RE({"version": 1, "start_anchor": ["a", "b"], "fields": {
  "content": {},
  "tool_calls": {"open": "<calls>", "close": "</calls>", "content": "json", "transform_each": true,
                 "transform": {"type": "function", "function": {"name": "{tool}", "arguments": "{input}"}}}}})RE";

constexpr std::string_view kPythonTemplate = R"RE({"start_anchor": "a", "fields": {
  "content": {},
  "tool_calls": {"open": "<py>", "close": "</py>", "content": "python-call-list", "transform_each": true,
                 "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}}}}})RE";

constexpr std::string_view kBracketTemplate = R"RE({"start_anchor": "a", "fields": {
  "content": {},
  "tool_calls": {"open_pattern": "<call:(?P<name>\\w+)", "close": ">", "repeats": true, "content": "json",
                 "content_args": {"unquoted_keys": true, "string_delims": [["<~>", "<~>"]]},
                 "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}}}})RE";

constexpr std::string_view kHermesTemplate = R"RE({"start_anchor": "a", "fields": {
  "thinking": {"open": "<think>", "close": "</think>"},
  "content": {"close": "<|im_end|>"},
  "tool_calls": {"open": "<tool_call>", "close": "</tool_call>", "repeats": true, "content": "json",
                 "transform": {"type": "function", "function": "{content}"}}}})RE";

constexpr std::string_view kQwenTemplate = R"RE({"start_anchor": "a", "fields": {
  "tool_calls": {"open_pattern": "<tool_call>\\s*<function=(?P<name>[^>]+)>", "close": "</tool_call>", "repeats": true,
                 "content": "xml-inline",
                 "content_args": {"tag_pattern": "<parameter=(?P<key>\\w+)>\\s*(?P<value>.*?)\\s*</parameter>"},
                 "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}}}})RE";

constexpr std::string_view kChannelTemplate = R"RE({"start_anchor": "a", "fields": {
  "thinking": {"open": "<|channel|>analysis<|message|>", "close": "<|end|>"},
  "content": {"open": "<|channel|>final<|message|>", "close": "<|end|>"},
  "tool_calls": {"open_pattern": "<\\|channel\\|>commentary to=functions\\.(?P<name>\\w+).*?<\\|message\\|>",
                 "close": "<|call|>", "repeats": true, "content": "json",
                 "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}}}})RE";

ReplyOptions template_options(ReplyOptions::Mode mode, bool has_reasoning) {
  ReplyOptions options;
  options.mode = mode;
  if (has_reasoning) options.tools.reasoning = ToolOptions::Reasoning::kAuto;
  return options;
}

Result<std::string> read_reply(std::string_view style, std::string_view reply, const ReplyOptions& options,
                               std::size_t piece) {
  auto parser = ReplyParser::create(style, kTimeTools, options);
  if (!parser) return tl::unexpected(parser.error());
  for (std::size_t at = 0; at < reply.size(); at += piece) {
    if (const auto events = parser->feed(reply.substr(at, piece)); !events) return tl::unexpected(events.error());
  }
  if (const auto events = parser->finish(); !events) return tl::unexpected(events.error());
  return parser->snapshot();
}

struct TemplateReply {
  std::string_view style;
  std::string_view reply;
  const char* meaning;  // [reasoning, content, [[name, arguments], ...]]
};
constexpr TemplateReply kCases[] = {
    {kObjectTemplate, R"(Hi. <tool>{"call": "time", "with": {"zone": "UTC"}}</tool>
<tool>{"with": {}, "call": "noon"}</tool>)",
     R"([null, "Hi. ", [["time", {"zone": "UTC"}], ["noon", {}]]])"},
    {kObjectTemplate, "<think>Hm.</think>Yes.", R"(["Hm.", "Yes.", []])"},
    {kTagTemplate, "<say>Yes.</say>", R"([null, "Yes.", []])"},
    {kTagTemplate, R"(<do time><arg k="zone">
a <b>
</arg><arg k="n">7</arg></do><do noon></do>)",
     R"([null, null, [["time", {"zone": "a <b>", "n": 7}], ["noon", {}]]])"},
    {kListTemplate, R"(Hi.<calls>[{"tool": "time", "input": {"zone": "UTC"}}, {"tool": "noon", "input": {}}]</calls>)",
     R"([null, "Hi.", [["time", {"zone": "UTC"}], ["noon", {}]]])"},
    {kPythonTemplate, R"(<py>[time(zone='UTC', n=3), noon()]</py>)",
     R"([null, null, [["time", {"zone": "UTC", "n": 3}], ["noon", {}]]])"},
    {kBracketTemplate, R"(<call:time{n:3,zone:<~>a, "b"<~>}>)",
     R"([null, null, [["time", {"n": 3, "zone": "a, \"b\""}]]])"},
    // The brackets are all of a call whose template has no `close`.
    {R"RE({"start_anchor": "a", "fields": {
  "content": {},
  "tool_calls": {"open_pattern": "<c (?P<name>\\w+)", "repeats": true, "content": "json",
                 "content_args": {"unquoted_keys": true, "string_delims": [["<~>", "<~>"]]},
                 "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}}}})RE",
     "<c time{n:1,zone:<~>UTC<~>}", R"([null, null, [["time", {"n": 1, "zone": "UTC"}]]])"},
    {kHermesTemplate, R"(Hi. <tool_call>{"name": "noon", "arguments": {}}</tool_call>)",
     R"([null, "Hi. ", [["noon", {}]]])"},
    // The end of the function is not in the template, but the model writes it.
    {kQwenTemplate, "<tool_call>\n<function=time>\n<parameter=zone>\nUTC\n</parameter>\n</function>\n</tool_call>",
     R"([null, null, [["time", {"zone": "UTC"}]]])"},
    {kChannelTemplate,
     R"(<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.noon <|constrain|>json<|message|>{})",
     R"(["Hm.", null, [["noon", {}]]])"},
};

TEST(ResponseTemplate, ReadsInBothModesAndAllCuts) {
  for (const TemplateReply& one : kCases) {
    const bool has_reasoning =
        one.style != kTagTemplate && std::string_view(one.style).find("thinking") != std::string_view::npos;
    for (const auto mode : {ReplyOptions::Mode::kTolerant, ReplyOptions::Mode::kStrict}) {
      for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, one.reply.size()}) {
        const Result<std::string> text = read_reply(one.style, one.reply, template_options(mode, has_reasoning), piece);
        ASSERT_TRUE(text) << one.reply << ": " << text.error().message;
        const Json reply = Json::parse(*text);
        Json meaning = Json::array({reply["reasoning"], reply["content"], Json::array()});
        for (const Json& call : reply["tool_calls"]) meaning[2].push_back({call["name"], call["arguments"]});
        EXPECT_EQ(meaning, Json::parse(one.meaning)) << one.reply;
      }
    }
  }
}

TEST(ResponseTemplate, StrictModeRefusesWhatTheTemplateDoesNotRead) {
  const TemplateReply refused[] = {
      {kObjectTemplate, R"(<tool>{"call": "time", "with": {}}</tool>)", ""},  // a member is missing
      {kObjectTemplate, R"(<tool>{"call": "noon", "with": {}}</tool> text)",
       ""},                        // a later text would replace an earlier one
      {kTagTemplate, "text", ""},  // no part has it
      {kHermesTemplate, "<tool_call>{\"name\": \"noon\", \"arguments\": {}}</tool_call>\n<tool_call>", ""},
      {kBracketTemplate, "<call:time{zone:UTC}>", ""},  // strings have marks
      {kPythonTemplate, R"(<py>[time(zone='\d')]</py>)", ""},
      {kChannelTemplate, " to=functions.noon<|channel|>commentary<|message|>{}", ""},
  };
  for (const TemplateReply& one : refused) {
    EXPECT_FALSE(read_reply(one.style, one.reply, template_options(ReplyOptions::Mode::kStrict, false), 1))
        << one.reply;
  }
}

// Where the pattern joins the tag of a key and that of its value, nothing stands between them.
TEST(ResponseTemplate, TagsThatThePatternJoinsHaveNoBlanksBetween) {
  std::string text(kTagTemplate);
  const std::string_view old = R"(<arg k=\"(?P<key>\\w+)\">\\s*(?P<value>.*?)\\s*</arg>)";
  ASSERT_NE(text.find(old), std::string::npos);
  text.replace(text.find(old), old.size(), R"(<k>(?P<key>\\w+)</k><v>(?P<value>.*?)</v>)");
  for (const std::string_view blanks : {"", " ", "\n"}) {
    const std::string reply = "<do time><k>zone</k>" + std::string(blanks) + "<v>UTC</v></do>";
    const Result<std::string> read =
        read_reply(text, reply, template_options(ReplyOptions::Mode::kStrict, false), reply.size());
    EXPECT_EQ(read.has_value(), blanks.empty()) << reply << (read ? *read : read.error().message);
  }
}

struct OpenPattern {
  const char* pattern;  // of kTagTemplate, in JSON
  const char* begin;    // of a call
  bool is_read;
};

TEST(ResponseTemplate, ATagWritesWhatThePatternReads) {
  const OpenPattern cases[] = {
      // Characters of several bytes.
      {R"(<do>é?(?P<name>\\w+)>)", "<do>noon>", true},
      {R"(<do>｜?(?P<name>\\w+)>)", "<do>noon>", true},
      {R"(<do>▁*(?P<name>\\w+)>)", "<do>noon>", true},
      {R"(<do>▁+(?P<name>\\w+)>)", "<do>▁noon>", true},
      {R"(<do>▁+(?P<name>\\w+)>)", "<do>noon>", false},
      {R"(<do>\\｜(?P<name>\\w+)>)", "<do>｜noon>", true},
      {R"(<do>\\｜{2}(?P<name>\\w+)>)", "<do>｜｜noon>", true},
      // Blanks, and other characters, that stand several times.
      {R"(<do>\\s*(?P<name>\\w+)>)", "<do> \n noon>", true},
      {R"(<do> {4}(?P<name>\\w+)>)", "<do>    noon>", true},
      {R"(<do> {4}(?P<name>\\w+)>)", "<do>   noon>", false},
      {R"(<do> {4}(?P<name>\\w+)>)", "<do>     noon>", false},
      {R"(<do> {4}(?P<name>\\w+)>)", "<do>    \nnoon>", false},
      {R"(<do>\\s{2}<n>(?P<name>\\w+)>)", "<do>\n\n<n>noon>", true},
      {R"(<do>\\s{2}<n>(?P<name>\\w+)>)", "<do>\n<n>noon>", false},
      {R"(<do>\\s{2}<n>(?P<name>\\w+)>)", "<do>\n\n\n<n>noon>", false},
      {R"(<do>\\s{2,}<n>(?P<name>\\w+)>)", "<do>\n\n\t <n>noon>", true},
      {R"(<do> +(?P<name>\\w+)>)", "<do> noon>", true},
      {R"(<do> +(?P<name>\\w+)>)", "<do>  noon>", true},
      {R"(<do> +(?P<name>\\w+)>)", "<do> \nnoon>", false},
      {R"(<do>\\n?<n>(?P<name>\\w+)>)", "<do>\n<n>noon>", true},
      {R"(<do>\\n?<n>(?P<name>\\w+)>)", "<do><n>noon>", true},
      {R"(<do>\\n?<n>(?P<name>\\w+)>)", "<do> <n>noon>", false},
      {R"(<do>[\\n\\t]<n>(?P<name>\\w+)>)", "<do> <n>noon>", false},
      {R"(<do>={3}(?P<name>\\w+)>)", "<do>===noon>", true},
      {R"(<do>={3}(?P<name>\\w+)>)", "<do>==noon>", false},
      {R"(<do>={0}(?P<name>\\w+)>)", "<do>noon>", true},
      // As known styles begin.
      {R"(<tool_call>\\s*<function=(?P<name>[^>]+)>)", "<tool_call>\n\n<function=noon>", true},
      {R"(<tool_call>\\n?<function=(?P<name>[^>]+)>)", "<tool_call>\n<function=noon>", true},
      {R"(<tool_call>\\n?<function=(?P<name>[^>]+)>)", "<tool_call>\n\n<function=noon>", false},
  };
  for (const OpenPattern& one : cases) {
    const bool is_known = std::string_view(one.pattern).find("function=") != std::string_view::npos;
    std::string text(is_known ? kQwenTemplate : kTagTemplate);
    const std::size_t at = text.find(R"("open_pattern": ")") + std::string_view(R"("open_pattern": ")").size();
    text.replace(at, text.find("\", ", at) - at, one.pattern);
    const std::string reply = one.begin + std::string(is_known ? "\n</function>\n</tool_call>" : "</do>");
    const Result<std::string> read =
        read_reply(text, reply, template_options(ReplyOptions::Mode::kStrict, false), reply.size());
    EXPECT_EQ(read.has_value(), one.is_read)
        << one.pattern << " " << reply << (read ? "" : ": " + read.error().message);
    if (!read || !one.is_read) continue;
    EXPECT_EQ(Json::parse(*read)["tool_calls"][0]["name"], "noon") << reply;
    const Result<std::string> tolerant =
        read_reply(text, reply, template_options(ReplyOptions::Mode::kTolerant, false), 1);
    EXPECT_EQ(*tolerant, *read) << reply;
  }
}

// Blanks after the name would be a part of it.
TEST(ResponseTemplate, BlanksOfANameDoNotFollowIt) {
  struct NamePattern {
    const char* pattern;  // in JSON
    const char* name;
  };
  const NamePattern names[] = {{R"(functions\\.\\w+\\s*)", "functions.noon"},
                               {"[A-Z ]+", "NOON"},
                               {R"(noon[ \\n]*)", "noon"},
                               {"[^<]+", "noon"}};
  for (const NamePattern& one : names) {
    for (const std::string after : {"", R"(\\s*<a>)", R"(\\n?<a>)"}) {
      std::string text(kTagTemplate);
      const std::string before = R"RE(<do (?P<name>\\w+)>)RE";
      text.replace(text.find(before), before.size(), "<do>(?P<name>" + std::string(one.pattern) + ")" + after);
      const std::string tools = R"([{"name": ")" + std::string(one.name) + R"("}])";
      for (const std::string blanks : {"", " ", "\n"}) {
        if (blanks == "\n" && one.pattern[0] == '[' && one.pattern[1] == 'A') continue;  // not of the name
        ReplyOptions options;
        options.mode = ReplyOptions::Mode::kStrict;
        auto parser = ReplyParser::create(text, tools, options);
        ASSERT_TRUE(parser) << parser.error().message;
        const std::string reply = "<do>" + (one.name + blanks) + (after.empty() ? "" : "<a>") + "</do>";
        EXPECT_EQ(parser->feed(reply).has_value() && parser->finish().has_value(), blanks.empty())
            << one.pattern << after << " " << reply;
      }
    }
  }
}

// A known style's calls have `arguments`, or one of `arguments` and `parameters`.
TEST(ResponseTemplate, ATagWritesTheKeysThatTheTemplateReads) {
  for (const std::string open : {"<tool_call>", "<|python_tag|>"}) {
    for (const std::string read : {"arg", "arguments", "parameter", "parameters", "a"}) {
      const std::string text = R"({"start_anchor": "a", "fields": {"content": {}, "tool_calls": {"open": ")" + open +
                               R"(", "close": "</tool_call>", "content": "json", "transform": {"type": "function",
          "function": {"name": "{content.name}", "arguments": "{content.)" +
                               read + R"(}"}}}}})";
      for (const std::string written : {"arg", "arguments", "parameter", "parameters", "a"}) {
        const std::string reply = open + R"({"name": "noon", ")" + written + R"(": {}}</tool_call>)";
        EXPECT_EQ(read_reply(text, reply, template_options(ReplyOptions::Mode::kStrict, false), 9).has_value(),
                  read == written)
            << read << " " << reply;
      }
    }
  }
}

TEST(ResponseTemplate, FindsTheMemberOfATokenizersFile) {
  const std::string file = R"({"eos_token": "</s>", "response_template": )" + std::string(kHermesTemplate) + "}";
  EXPECT_EQ(*structural_tag_for_tools(file, kTimeTools), *structural_tag_for_tools(kHermesTemplate, kTimeTools));
}

// A text before the name is a part of the tag, whatever word it ends with: without it there is no call.
TEST(ResponseTemplate, TheTextBeforeANameIsReadWhole) {
  for (const std::string open : {"<call:", "<functions."}) {
    std::string style(kBracketTemplate);
    style.replace(style.find("<call:"), 6, open == "<call:" ? open : "<functions\\\\.");
    for (const auto mode : {ReplyOptions::Mode::kStrict, ReplyOptions::Mode::kTolerant}) {
      const ReplyOptions options = template_options(mode, false);
      const auto call = read_reply(style, open + "noon{}>", options, 3);
      ASSERT_TRUE(call) << call.error().message;
      EXPECT_EQ(Json::parse(*call)["tool_calls"].size(), 1U) << *call;
      const auto text = read_reply(style, "a <noon{}> b", options, 3);
      ASSERT_TRUE(text) << text.error().message;
      EXPECT_EQ(Json::parse(*text)["content"], "a <noon{}> b") << *text;
    }
  }
}

TEST(ResponseTemplate, WithoutCallsHasNoTools) {
  constexpr std::string_view kText =
      R"({"start_anchor": "a", "fields": {"thinking": {"open": "[", "close": "]"}, "content": {"close": "<e>"}}})";
  EXPECT_TRUE(structural_tag_for_tools(kText, "null"));
  const auto tag = structural_tag_for_tools(kText, kTimeTools);
  ASSERT_FALSE(tag);
  EXPECT_EQ(tag.error().options, "style");
  EXPECT_EQ(*read_reply(
                kText, "[a]b",
                [] {
                  ReplyOptions options;
                  options.tools.tool_choice = "\"none\"";
                  return options;
                }(),
                1),
            R"({"reasoning": "a", "content": "b", "tool_calls": []})");
}

TEST(ResponseTemplate, ChecksNamesAndKeys) {
  constexpr std::string_view kBad = R"([{"name": "a-b"}, {"name": "f", "parameters": {"properties": {"x y": {}}}}])";
  const auto tag = structural_tag_for_tools(kTagTemplate, kBad);
  ASSERT_FALSE(tag);
  EXPECT_EQ(tag.error().pointer, "/0/name");
  ASSERT_EQ(tag.error().notes.size(), 1u);
  EXPECT_EQ(tag.error().notes.front().location, "/1/parameters/properties/x y");
}

struct WrongTemplate {
  const char* replaced;  // in kTagTemplate
  const char* by;
  const char* pointer;
  const char* message;
};

TEST(ResponseTemplate, ErrorsHaveTheirPlaceInTheTemplate) {
  const WrongTemplate wrong[] = {
      {R"("fields")", R"("field")", "/field", "no member `field`"},
      {R"("fields": {)", R"("version": 2, "fields": {)", "/version", "version 1"},
      {R"("start_anchor_pattern": "<\\|bot\\|>",)", "", "", "start_anchor"},
      {R"("content": {"open")", R"("score": {"open")", "/fields/score", "no part `score`"},
      {R"("open": "<say>")", R"("open": "<say>", "open_pattern": "x")", "/fields/content/open_pattern", "exclude"},
      {R"("open": "<say>")", R"("open": "")", "/fields/content/open", "not empty"},
      {R"("open": "<say>")", R"("opens": "<say>")", "/fields/content/opens", "no member `opens`"},
      {R"("open": "<say>")", R"("open": "<say>", "content": "json")", "/fields/content/content", "text"},
      {R"("open": "<say>")", R"("open": "<say>", "content": "yaml")", "/fields/content/content", "`yaml`"},
      {R"("close_pattern": "\\n?</say>")", R"RE("close_pattern": "(?<=x)</say>")RE", "/fields/content/close_pattern",
       "assertions"},
      {R"("close_pattern": "\\n?</say>")", R"RE("close_pattern": "(x)\\1")RE", "/fields/content/close_pattern", ""},
      {R"("close_pattern": "\\n?</say>")", R"RE("close_pattern": "(?i)</say>")RE", "/fields/content/close_pattern",
       "flags"},
      {R"("close_pattern": "\\n?</say>")", R"("close_pattern": "</say>x{,2}b")", "/fields/content/close_pattern",
       "one text"},
      {R"("close_pattern": "\\n?</say>")", R"("close_pattern": "\\x41")", "/fields/content/close_pattern", "escape"},
      {R"RE(<do (?P<name>)RE", R"RE(<do {33}(?P<name>)RE", "/fields/tool_calls/open_pattern", "more than 32 times"},
      {R"RE(<do (?P<name>\\w+)>)RE", R"RE(<do>)RE", "/fields/tool_calls/open_pattern", "no group `name`"},
      {R"RE(<do (?P<name>)RE", R"RE(<do [^ ]+ (?P<name>)RE", "/fields/tool_calls/open_pattern", "between texts"},
      {R"("xml-inline",)", R"("kv-lines",)", "/fields/tool_calls/content", "`kv-lines`"},
      {R"RE((?P<key>\\w+))RE", R"(\\w+)", "/fields/tool_calls/content_args/tag_pattern", "`key`"},
      {R"RE(<arg k=\")RE", R"RE(<arg>\\n?<k>)RE", "/fields/tool_calls/content_args/tag_pattern",
       "blanks are read around a value alone"},
      {R"("{name}")", R"("time")", "/fields/tool_calls/transform/function/name", "group"},
      {R"("arguments": "{content}")", R"("args": "{content}")", "/fields/tool_calls/transform/function", "arguments"},
  };
  for (const WrongTemplate& one : wrong) {
    std::string text(kTagTemplate);
    const std::size_t at = text.find(one.replaced);
    ASSERT_NE(at, std::string::npos) << one.replaced;
    text.replace(at, std::string_view(one.replaced).size(), one.by);
    const auto tag = structural_tag_for_tools(text, kTimeTools);
    ASSERT_FALSE(tag) << one.by;
    EXPECT_EQ(tag.error().pointer, one.pointer) << one.by;
    EXPECT_NE(tag.error().message.find(one.message), std::string::npos) << tag.error().message;
    EXPECT_EQ(tag.error().text, text);
    EXPECT_EQ(tag.error().options, "style");
    EXPECT_EQ(ReplyParser::create(text, kTimeTools).error().message, tag.error().message);
  }
  const auto tag = structural_tag_for_tools("{\"fields\": ", kTimeTools);
  ASSERT_FALSE(tag);
  EXPECT_EQ(tag.error().code, ErrorCode::kSyntax);
  EXPECT_EQ(tag.error().text, "{\"fields\": ");
}

}  // namespace
}  // namespace weir
