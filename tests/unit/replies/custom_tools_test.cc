// Custom tools of OpenAI's API: a text, or the text of a grammar, in the place of arguments.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"
#include "weir/tools.h"

namespace weir {
namespace {

using Json = nlohmann::json;

std::string custom(const Json& format) {
  Json tool = {{"type", "custom"}, {"custom", {{"name", "run"}, {"description", "Runs a program."}}}};
  if (!format.is_null()) tool["custom"]["format"] = format;
  return Json::array({tool}).dump();
}
Json grammar(std::string_view syntax, std::string_view definition) {
  return {{"type", "grammar"}, {"grammar", {{"syntax", syntax}, {"definition", definition}}}};
}

// A compiler for bytes, without special tokens.
const GrammarCompiler& byte_compiler() {
  static const GrammarCompiler made = [] {
    VocabSpec spec;
    for (int byte = 0; byte < 256; ++byte) spec.tokens.emplace_back(1, static_cast<char>(byte));
    spec.tokens.emplace_back("<end>");
    spec.special_token_ids = spec.stop_token_ids = {256};
    return GrammarCompiler(*TokenizerInfo::from_vocab(std::move(spec)));
  }();
  return made;
}

Result<GrammarMatcher> matcher_of(std::string_view style, const std::string& tools) {
  ToolOptions options;
  options.tool_choice = R"({"type": "custom", "custom": {"name": "run"}})";
  return structural_tag_for_tools(style, tools, options).and_then([](const std::string& tag) {
    return byte_compiler().compile_structural_tag(tag).and_then(
        [](const CompiledGrammar& of) { return GrammarMatcher::create(of); });
  });
}

bool takes_reply(std::string_view style, const std::string& tools, const std::string& reply) {
  auto matcher = matcher_of(style, tools);
  EXPECT_TRUE(matcher) << style << ": " << matcher.error().message;
  return matcher && matcher->accept_bytes(reply) == Step::kOk && matcher->is_completed();
}

// Returns a call of `run` in the style hermes. `input` has its escapes.
std::string hermes(const std::string& input) {
  return R"(<tool_call>{"name": "run", "arguments": {"input": ")" + input + R"("}}</tool_call>)";
}

// Reads a reply in pieces, and expects one call of `run` with this input.
void expect_input(std::string_view style, const std::string& tools, const std::string& reply,
                  const std::string& input) {
  for (const bool is_strict : {false, true}) {
    ReplyOptions options;
    if (is_strict) options.mode = ReplyOptions::Mode::kStrict;
    auto parser = ReplyParser::create(style, tools, options);
    ASSERT_TRUE(parser) << style << ": " << parser.error().message;
    std::vector<ReplyEvent> whole;  // events, those of the same part joined
    for (const std::size_t piece : {1000, 1, 3}) {
      parser->reset();
      std::string joined;
      std::vector<ReplyEvent> events_joined;
      std::size_t end = 0;
      const auto add = [&](const Result<std::vector<ReplyEvent>>& events) {
        ASSERT_TRUE(events) << style << ": " << events.error().message << reply;
        for (const ReplyEvent& event : *events) {
          EXPECT_EQ(event.start, end) << style << to_json(event);
          end = event.end;
          EXPECT_NE(event.kind, ReplyEventKind::kArguments);
          if (event.kind == ReplyEventKind::kInput) joined += event.text;
          if (!events_joined.empty() && events_joined.back().kind == event.kind) {
            events_joined.back().text += event.text;
            events_joined.back().end = event.end;
          } else {
            events_joined.push_back(event);
          }
        }
      };
      for (std::size_t at = 0; at < reply.size(); at += piece)
        add(parser->feed(std::string_view(reply).substr(at, piece)));
      add(parser->finish());
      EXPECT_EQ(joined, input) << style << ": " << reply;
      if (whole.empty()) whole = events_joined;
      EXPECT_EQ(events_joined, whole) << style << ": " << reply;
      const Json calls = Json::parse(parser->snapshot())["tool_calls"];
      ASSERT_EQ(calls.size(), 1U) << style << ": " << reply << parser->snapshot();
      EXPECT_EQ(calls[0]["type"], "custom");
      EXPECT_EQ(calls[0]["custom"], Json({{"name", "run"}, {"input", input}})) << style;
    }
  }
}

TEST(CustomTools, HaveARegularExpressionInEveryStyle) {
  for (const std::string_view style : tool_styles()) {
    const std::string tools = custom(grammar("regex", "a\"+|abc{2}\n?;"));
    auto matcher = matcher_of(style, tools);
    ASSERT_TRUE(matcher) << style << ": " << matcher.error().message;
    const auto reply = matcher->shortest_completion();
    ASSERT_TRUE(reply) << style;
    expect_input(style, tools, *reply, "a\"");
  }
}

TEST(CustomTools, MayTakeAnyText) {
  for (const Json& format : {Json(), Json({{"type", "text"}})}) {
    const std::string tools = custom(format);
    EXPECT_TRUE(matcher_of("hermes", tools));
    expect_input("hermes", tools, R"(<tool_call>{"name": "run", "arguments": {"input": "a\n\"b\""}}</tool_call>)",
                 "a\n\"b\"");
    expect_input(
        "qwen_coder", tools,
        "<tool_call>\n<function=run>\n<parameter=input>\nprint(1)\n  x\n</parameter>\n</function>\n</tool_call>",
        "print(1)\n  x");
  }
}

TEST(CustomTools, HaveAGrammarInLarkInEveryStyle) {
  const std::string tools = custom(grammar("lark", "start: \"x\" start \"y\" | \"<z>\""));
  for (const std::string_view style : tool_styles()) {
    auto matcher = matcher_of(style, tools);
    ASSERT_TRUE(matcher) << style << ": " << matcher.error().message;
    const auto reply = matcher->shortest_completion();
    ASSERT_TRUE(reply) << style;
    expect_input(style, tools, *reply, "<z>");
  }
}

// Within a string each character has its escapes; look-aheads and terminals that compete count the characters.
TEST(CustomTools, AGrammarWithinAStringHasItsEscapes) {
  const std::string tools = custom(grammar("lark", R"(start: (line "\n")+
      line: NAME "=" (TEXT | NUMBER | NAME)
      NAME: /[a-zé]+(?![a-zé])/
      TEXT: "\"" /[^"\n]*/ "\""
      NUMBER: /[0-9]+/
      %ignore " "
      )"));
  const auto accepts = [&](std::string_view style, const std::string& reply) {
    return takes_reply(style, tools, reply);
  };
  const auto python = [](const std::string& input) { return R"([run(input=")" + input + R"(")])"; };
  EXPECT_TRUE(accepts("hermes", hermes(R"(a = \"b\\c\"\n)")));
  EXPECT_TRUE(accepts("hermes", hermes(R"(\u00e9 = \u0031\n\u0061=b\u000a)")));
  EXPECT_FALSE(accepts("hermes", hermes(R"(a = "b"\n)")));
  EXPECT_FALSE(accepts("hermes", hermes("a = 1\n")));  // a line end as it is
  EXPECT_FALSE(accepts("hermes", hermes(R"(a = \"b\n\"\n)")));
  EXPECT_FALSE(accepts("hermes", hermes(R"(a = 1)")));
  EXPECT_TRUE(accepts("pythonic", python(R"(a = \"b\\c\"\né=2\n)")));
  EXPECT_FALSE(accepts("pythonic", python(R"(\u0061 = 1\n)")));
  expect_input("hermes", tools, hermes(R"(\u00e9 = \"\\\"\n)"), "é = \"\\\"\n");
  expect_input("pythonic", tools, python(R"(é = \"\\\"\n)"), "é = \"\\\"\n");
  for (const std::string_view style : {"hermes", "pythonic", "llama3", "harmony"}) {
    auto matcher = matcher_of(style, tools);
    ASSERT_TRUE(matcher) << style;
    const auto reply = matcher->shortest_completion();
    ASSERT_TRUE(reply) << style;
    EXPECT_NE(reply->find(R"(\n)"), std::string::npos) << *reply;
  }
}

// Whether a lexeme is the longest depends on the next character, which may be an escape. The grammar allows `1.` to be
// the beginning of FLOAT alone, and `ifx` a NAME alone.
TEST(CustomTools, TerminalsThatCompeteHaveEscapes) {
  const std::string tools = custom(grammar("lark", R"(start: (line "\n")+
      line: INT "." NAME | FLOAT | "if" NAME | NAME "=" NAME
      NAME: /[a-z]+/
      INT: /[0-9]+/
      FLOAT: /[0-9]+\.[0-9]+/
      %ignore /[ \t]+/
      )"));
  const auto accepts = [&](std::string_view style, const std::string& reply) {
    return takes_reply(style, tools, reply);
  };
  EXPECT_TRUE(accepts("hermes", hermes(R"(1.5\n)")));
  EXPECT_TRUE(accepts("hermes", hermes(R"(1\u002e5\nif\tx\u000a)")));
  EXPECT_TRUE(accepts("hermes", hermes(R"(1 .\u0061b\n)")));
  EXPECT_FALSE(accepts("hermes", hermes(R"(1.a\n)")));
  EXPECT_FALSE(accepts("hermes", hermes(R"(1\u002ea\n)")));
  EXPECT_FALSE(accepts("hermes", hermes(R"(i\u0066x\n)")));
  EXPECT_TRUE(accepts("pythonic", R"([run(input="if\tx\n1.5\n")])"));
  EXPECT_FALSE(accepts("pythonic", R"([run(input="ifx\n")])"));
  expect_input("hermes", tools, hermes(R"(1\u002e5\nif\tx\n)"), "1.5\nif\tx\n");
}

// What is within a string does not compete with what is not, nor with what has other escapes.
TEST(CustomTools, TerminalsThatAreSpelledDifferentlyDoNotCompete) {
  const std::string lark = "start: (IF | NAME | SP | NUM)+\nIF: \"if\"\nNAME: /[a-z]+/\nSP: \" \"\nNUM: /[0-9]+/";
  const Json plain = {{"type", "grammar"}, {"syntax", "lark"}, {"grammar", lark}};
  const auto within = [&](const char* escapes) {
    Json inside = plain;
    inside["escapes"] = escapes;
    return Json{{"type", "sequence"}, {"elements", {inside, {{"type", "const_string"}, {"value", "\""}}}}};
  };
  const auto accepts = [](const Json& elements, std::string_view text) {
    const Json tag = {{"type", "structural_tag"}, {"format", {{"type", "or"}, {"elements", elements}}}};
    const auto compiled = byte_compiler().compile_structural_tag(tag.dump());
    EXPECT_TRUE(compiled) << compiled.error().message;
    if (!compiled) return false;
    GrammarMatcher matcher(*compiled);
    return matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
  };
  EXPECT_TRUE(accepts({plain, within("json")}, "if"));
  EXPECT_TRUE(accepts({plain, within("json")}, "if a1"));
  EXPECT_TRUE(accepts({plain, within("json")}, "if\\u0020b\""));
  EXPECT_TRUE(accepts({within("json"), within("python")}, "if\\u0020b\""));
  EXPECT_TRUE(accepts({within("python"), within("json")}, "if\\u0020b\""));
  EXPECT_TRUE(accepts({within("python"), within("json")}, "if b1\""));
}

// The tool with which coding agents change files, as its publisher writes the grammar.
TEST(CustomTools, AGrammarOfPatchesInEveryStyle) {
  const std::string tools = custom(grammar("lark", R"(start: begin_patch hunk+ end_patch
begin_patch: "*** Begin Patch" LF
end_patch: "*** End Patch" LF?

hunk: add_hunk | delete_hunk | update_hunk
add_hunk: "*** Add File: " filename LF add_line+
delete_hunk: "*** Delete File: " filename LF
update_hunk: "*** Update File: " filename LF change_move? change?

filename: /(.+)/
add_line: "+" /(.*)/ LF -> line

change_move: "*** Move to: " filename LF
change: (change_context | change_line)+ eof_line?
change_context: ("@@" | "@@ " /(.+)/) LF
change_line: ("+" | "-" | " ") /(.*)/ LF
eof_line: "*** End of File" LF

%import common.LF
)"));
  const std::string patch =
      "*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-  \"x\"\n+\t\\y\n@@\n *** End of File\n*** End Patch\n";
  const Json input = patch;
  for (const std::string_view style : tool_styles()) {
    auto matcher = matcher_of(style, tools);
    ASSERT_TRUE(matcher) << style << ": " << matcher.error().message;
    EXPECT_TRUE(matcher->shortest_completion()) << style;
  }
  expect_input("hermes", tools,
               R"(<tool_call>{"name": "run", "arguments": {"input": )" + input.dump() + "}}</tool_call>", patch);
}

TEST(CustomTools, BlocksOfLinesHaveNoEscapes) {
  const std::string tools = custom(grammar("lark", R"(start: (NAME _NL [_INDENT start _DEDENT])+
      NAME: /[a-z]+/
      _NL: /(\n *)+/
      %declare _INDENT _DEDENT
      )"));
  const auto matcher = matcher_of("hermes", tools);
  ASSERT_FALSE(matcher);
  EXPECT_EQ(matcher.error().code, ErrorCode::kUnsupported) << matcher.error().message;
  EXPECT_NE(matcher.error().message.find("escapes would move the columns"), std::string::npos)
      << matcher.error().message;
  EXPECT_TRUE(matcher_of("qwen_coder", tools));
}

TEST(CustomTools, AreWrittenFlatInResponses) {
  const std::string tools =
      R"([{"type": "custom", "name": "run", "format": {"type": "grammar", "syntax": "regex", "definition": "[0-9]+"}}])";
  EXPECT_TRUE(matcher_of("hermes", tools));
  expect_input("hermes", tools, R"(<tool_call>{"name": "run", "arguments": {"input": "12"}}</tool_call>)", "12");
}

TEST(CustomTools, AreChosenAsWhatTheyAre) {
  const std::string tools = R"([{"type": "custom", "custom": {"name": "run"}},
                                {"type": "function", "function": {"name": "f"}}])";
  const auto chosen = [&](const char* choice) {
    const auto tag = structural_tag_for_tools("hermes", tools, {.tool_choice = choice});
    return tag ? std::string() : tag.error().message + " (" + tag.error().hint + ")";
  };
  EXPECT_EQ(chosen(R"({"type": "custom", "custom": {"name": "run"}})"), "");
  EXPECT_EQ(chosen(R"({"type": "custom", "name": "run"})"), "");
  EXPECT_EQ(chosen(R"({"type": "function", "function": {"name": "f"}})"), "");
  constexpr const char* kNoCustom =
      "`tool_choice`: the tool `f` is a function, no custom one (its `type` is `function`)";
  EXPECT_EQ(chosen(R"({"type": "custom", "custom": {"name": "f"}})"), kNoCustom);
  EXPECT_EQ(chosen(R"({"type": "custom", "name": "f"})"), kNoCustom);
  constexpr const char* kNoFunction =
      "`tool_choice`: the tool `run` is a custom one, no function (its `type` is `custom`)";
  EXPECT_EQ(chosen(R"({"type": "function", "function": {"name": "run"}})"), kNoFunction);
  EXPECT_EQ(chosen(R"({"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"},
                       {"type": "function", "name": "run"}]})"),
            kNoFunction);
  EXPECT_EQ(chosen(R"({"type": "allowed_tools", "mode": "auto", "tools": [{"name": "f"}, {"name": "run"}]})"), "");
  EXPECT_NE(chosen("5").find(R"({"type": "custom", "custom": {"name": ...}})"), std::string::npos);
}

TEST(CustomTools, OfTheWrongFormAreErrors) {
  const auto message = [](const std::string& tools) {
    const auto tag = structural_tag_for_tools("hermes", tools);
    return tag ? std::string() : tag.error().message;
  };
  EXPECT_EQ(message(custom({{"type", "json"}})), "tool `run`: its `format` must be of type `text` or `grammar`");
  EXPECT_EQ(message(custom(grammar("ebnf", "x"))), "tool `run`: its grammar needs a `syntax`, `lark` or `regex`");
  EXPECT_EQ(message(custom({{"type", "grammar"}, {"grammar", {{"syntax", "lark"}}}})),
            "tool `run`: its grammar needs a `definition`, a string");
}

// The templates of these styles write a line end between a key and its value.
TEST(CustomTools, ALineEndBetweenTheTagsOfAGrammarsInput) {
  const std::string tools = custom(grammar("lark", "start: /[0-9]+/"));
  expect_input("glm", tools, "<tool_call>run\n<arg_key>input</arg_key>\n<arg_value>1</arg_value>\n</tool_call>", "1");
  expect_input(
      "hunyuan", tools,
      "<tool_calls><tool_call>run<tool_sep>\n<arg_key>input</arg_key>\n<arg_value>1</arg_value>\n</tool_call>\n"
      "</tool_calls>",
      "1");
  expect_input("longcat_xml", tools,
               "<longcat_tool_call>run\n<longcat_arg_key>input</longcat_arg_key>\n<longcat_arg_value>1"
               "</longcat_arg_value>\n</longcat_tool_call>",
               "1");
}

// What a tool says of its input in another form must not be lost: any text would then be an input.
TEST(CustomTools, MembersThatWouldBeIgnoredAreErrors) {
  const auto message = [](std::string_view tools) {
    const Result<std::string> tag = structural_tag_for_tools("hermes", tools);
    return tag ? std::string() : tag.error().message + "; " + tag.error().hint;
  };
  EXPECT_EQ(message(R"([{"type": "custom", "custom": {"name": "run", "parameters": {"type": "object"}}}])"),
            "tool `run`: without `format` it has no member `parameters`; a custom tool takes a text; of a tool with "
            "`parameters` the type is `function`");
  EXPECT_EQ(message(R"([{"type": "custom", "custom": {"name": "run"}, "format": {"type": "text"}}])"),
            "tool `run`: `format` is beside `custom`, not in it; it belongs into `custom`");
  EXPECT_EQ(message(R"([{"type": "custom", "name": "run", "grammar": {"syntax": "regex", "definition": "a"}}])"),
            "tool `run`: without `format` it has no member `grammar`; did you mean `format`?");
  EXPECT_EQ(message(R"([{"type": "custom", "name": "run", "syntax": "regex"}])"),
            "tool `run`: without `format` it has no member `syntax`; leave it out, or say what the `format` is");
  EXPECT_EQ(message(R"([{"type": "custom", "name": "run", "format": {"type": "text", "definition": "a"}}])"),
            "tool `run`: a `format` of type `text` has no member `definition`; did you mean type `grammar`?");
  EXPECT_EQ(message(R"([{"type": "custom", "description": "d", "strict": null, "custom": {"name": "run"}}])"), "");
  EXPECT_EQ(message(R"([{"type": "custom", "function": {"name": "run"}}])"), "");
}

TEST(CustomTools, ARegularExpressionIsReadByItself) {
  for (const char* expression : {"a)|(?:b", "(a", "a|*"}) {
    const std::string tools = custom(grammar("regex", expression));
    const Result<std::string> tag = structural_tag_for_tools("hermes", tools);
    ASSERT_FALSE(tag) << expression;
    EXPECT_EQ(tag.error().code, ErrorCode::kSyntax);
    EXPECT_TRUE(tag.error().message.starts_with("tool `run`: its regular expression: ")) << tag.error().message;
    EXPECT_EQ(tools.substr(tag.error().where.start, tag.error().where.end - tag.error().where.start),
              Json(expression).dump());
  }
  EXPECT_TRUE(structural_tag_for_tools("hermes", custom(grammar("regex", "a|b$"))));
}

TEST(CustomTools, ArgumentsWithoutAnInputAreTheInput) {
  auto parser = ReplyParser::create("hermes", custom({}));
  const auto events = parser->feed(R"(<tool_call>{"name": "run", "arguments": {"x": 1}}</tool_call>)");
  ASSERT_TRUE(events);
  std::string input;
  for (const ReplyEvent& event : *events) input += event.kind == ReplyEventKind::kInput ? event.text : "";
  EXPECT_EQ(input, R"({"x": 1})");
}

// Which one is meant cannot be said, and what was given is not taken back.
TEST(CustomTools, TwoInputsAreNoCall) {
  for (const auto& [style, reply] :
       {std::pair{"hermes", R"(<tool_call>{"name": "run", "arguments": {"input": "a", "input": "b"}}</tool_call>)"},
        std::pair{"hermes", R"(<tool_call>{"name": "run", "arguments": {"input": 1, "\u0069nput": [2]}}</tool_call>)"},
        std::pair{"qwen_coder",
                  "<tool_call><function=run><parameter=input>a</parameter><parameter=input>b</parameter></function>"
                  "</tool_call>"},
        std::pair{"pythonic", "[run(input='a', input='b')]"}}) {
    auto parser = ReplyParser::create(style, custom({}));
    ASSERT_TRUE(parser) << parser.error().message;
    const auto events = parser->feed(reply);
    ASSERT_TRUE(events && parser->finish());
    const auto invalid = std::ranges::find(*events, ReplyEventKind::kCallInvalid, &ReplyEvent::kind);
    ASSERT_NE(invalid, events->end()) << style;
    EXPECT_EQ(invalid->reason, "the input is given twice") << style;
    const Json read = Json::parse(parser->snapshot());
    EXPECT_TRUE(read["tool_calls"].empty()) << style;
    EXPECT_TRUE(std::string(reply).starts_with(read["content"].get<std::string>())) << style;
  }
}

// In the text of the tools, and by line and column in the grammar's own text.
TEST(CustomTools, AnErrorOfTheGrammarHasItsPlaceInIt) {
  const std::string tools = custom(grammar("lark", "start: \"\u00E9\" term\nterm: NUMBR \"\\\"\"\nNUMBER: /[0-9]+/\n"));
  const auto tag = structural_tag_for_tools("qwen_coder", tools);
  ASSERT_FALSE(tag);
  EXPECT_EQ(tag.error().message, "tool `run`: its grammar, line 2, column 7: `NUMBR` is not defined");
  EXPECT_EQ(tools.substr(tag.error().where.start, tag.error().where.end - tag.error().where.start), "NUMBR");
  EXPECT_EQ(tag.error().pointer, "/0/custom/format/grammar/definition");
  for (const char* definition : {"start: \"a\" <", "start: <b c", "start: <>", "start: T\nT: <|x|> \"a\"",
                                 "start: <|x|>", "start: \"a\" <[12]> t\nt: <|x|>"}) {
    EXPECT_FALSE(structural_tag_for_tools("qwen_coder", custom(grammar("lark", definition)))) << definition;
  }
  const auto tokens =
      structural_tag_for_tools("qwen_coder", custom(grammar("lark", "start: \"a\" <[12]> t\nt: <|x|>")));
  EXPECT_EQ(tokens.error().notes.size(), 1U) << "both are named";
}

}  // namespace
}  // namespace weir
