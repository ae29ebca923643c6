// What the tag of a style allows as an answer, the strict parser reads as that answer, whatever texts of the form are in it.
//
// Answers are made of texts of the style's entry, beginnings of them, names of tools and calls; those that the tag accepts
// without a call must come back as they are, but for white space and for tags that a form has around answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "distinct_styles.h"
#include "frontend/tools/tool_styles.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"

namespace weir {
namespace {

using frontend::tools::ToolStyle;

constexpr const char* kAnswerTools =
    R"([{"name": "find", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
    {"name": "now"}])";

TokenizerInfo byte_tokens() {
  VocabSpec spec;
  for (unsigned b = 0; b < 256; ++b) spec.tokens.emplace_back(1, static_cast<char>(b));
  return TokenizerInfo::from_vocab(std::move(spec)).value();
}

const ToolStyle* entry_of(std::string_view style) {
  const auto found = std::ranges::find(frontend::tools::tool_styles(), style, &ToolStyle::name);
  return found == frontend::tools::tool_styles().end() ? nullptr : &*found;
}

// Adds the parts of a text of an entry, and their beginnings.
void add_parts(std::string_view text, std::vector<std::string>& out) {
  std::string part;
  const auto end_part = [&] {
    if (part.empty()) return;
    out.push_back(part);
    std::size_t half = part.size() / 2;
    while ((static_cast<unsigned char>(part[half]) & 0xC0U) == 0x80U) --half;  // a whole character
    if (half > 0) out.push_back(part.substr(0, half));
    part.clear();
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const std::size_t mark = rest.starts_with(frontend::tools::kBlank) ? frontend::tools::kBlank.size()
                             : rest.starts_with(frontend::tools::kOr)  ? frontend::tools::kOr.size()
                                                                       : 0;
    if (mark != 0) end_part();
    if (mark == 0) part += text[i];
    i += std::max<std::size_t>(mark, 1);
  }
  end_part();
}

std::vector<std::string> pieces_of(const ToolStyle* style) {
  std::vector<std::string> out{"a",
                               " ",
                               "\n",
                               "[",
                               "]",
                               "(",
                               ")",
                               "{",
                               "}",
                               "find",
                               "now",
                               "n=1",
                               "\"",
                               ", ",
                               "{\"name\"",
                               ": ",
                               R"({"name": "find", "parameters": {"n": 1}})",
                               R"({"name": "now", "arguments": {}})"};
  if (style == nullptr) {
    for (const char* text : {"<|start|>assistant", "<|channel|>", "<|message|>", "<|end|>", "<|call|>", "<|return|>",
                             "final", "commentary to=functions.find"}) {
      out.emplace_back(text);
    }
    return out;
  }
  for (const std::string_view text :
       {style->before_name, style->after_name, style->end, style->trigger, style->section_end, style->after_id,
        style->answer_begin, style->answer_end, style->message_begin, style->message_end, style->other_open,
        style->other_trigger, style->other_section_end, style->bare, style->again, style->note_begin, style->note_end,
        style->other_answer_begin, style->other_answer_end}) {
    add_parts(text, out);
  }
  return out;
}

// Returns the answer within the tags of its style.
std::vector<std::string> as_replies(const ToolStyle* style, const std::string& answer) {
  if (style == nullptr) return {"<|channel|>final<|message|>" + answer};
  std::string inside(style->answer_begin);
  inside += answer + std::string(style->answer_end);
  return {answer, inside, answer + std::string(style->answer_end) + std::string(style->message_end)};
}

// Returns true if an answer begins or ends with a tag that may be around it.
bool has_own_tag(const ToolStyle* style, const std::string& answer) {
  if (style == nullptr) return false;
  const std::string_view begins[] = {style->answer_begin, style->message_begin};
  for (const std::string_view end : {style->answer_end, style->message_end}) {
    if (!end.empty() && answer.find(end) != std::string::npos) return true;
  }
  return std::ranges::any_of(begins, [&](std::string_view tag) { return !tag.empty() && answer.starts_with(tag); });
}

// Returns the text without white space and without the tags that a form may have around an answer.
std::string compared(const ToolStyle* style, std::string text) {
  if (style != nullptr) {
    for (const std::string_view tag : {style->other_answer_begin, style->other_answer_end}) {
      for (std::size_t at = 0; !tag.empty() && (at = text.find(tag, at)) != std::string::npos;)
        text.erase(at, tag.size());
    }
  }
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; });
  return text;
}

// A JSON object whose members hold the text, or objects that look like calls.
std::string random_object(const std::string& text, std::mt19937& random) {
  switch (random() % 8) {
    case 4: return R"({"name": "now", "parameters": {}, "b": )" + nlohmann::json(text).dump() + "}";
    case 5: return R"({"name": "find", "parameters": {"n": )" + nlohmann::json(text).dump() + "}}";
    case 6:
      return R"({"name": "find", "parameters": {"n": 1)" + std::string(random() % 2 == 0 ? ", \"n\": 2" : "") + "}}";
    case 7: return R"({"name": "nowhere", "parameters": {}})";
    case 0: return nlohmann::json{{"a", text}}.dump();
    case 1:
      return R"({"a": [{"name": "now", "parameters": {}, "arguments": {}}], "b": )" + nlohmann::json(text).dump() + "}";
    case 2: return R"({"name": "Bob", "parameters": {}, "b": )" + nlohmann::json(text).dump() + "}";
    default: return R"({"b": {"name": "find", "parameters": {"n": 1}}})";
  }
}

// Likewise, or a list of objects, which may look like calls.
std::string random_json(const std::string& text, std::mt19937& random) {
  if (random() % 2 == 0) return random_object(text, random);
  std::string list = R"([{"name": "now", "arguments": {}})";
  switch (random() % 5) {
    case 0: break;
    case 1: list += ", " + random_object(text, random); break;
    case 2: list += R"(, {"name": "find", "arguments": {"n": )" + nlohmann::json(text).dump() + "}}"; break;
    case 3: list = R"([{"name": "find", "arguments": {"n": 1}, "b": )" + nlohmann::json(text).dump() + "}"; break;
    default: list += R"(, {"name": "find", "arguments": {"n": 1}}, 5)"; break;
  }
  return list + "]";
}

class TagAnswer : public testing::TestWithParam<std::string_view> {};

TEST_P(TagAnswer, IsReadAsItIsWritten) {
  const ToolStyle* const style = entry_of(GetParam());
  const std::vector<std::string> pieces = pieces_of(style);
  std::mt19937 random(7);
  std::size_t answers = 0;
  constexpr const char* kOneTool = R"({"type": "allowed_tools", "mode": "auto", "tools": [{"name": "now"}]})";
  constexpr const char* kNoTools = R"({"type": "allowed_tools", "mode": "auto", "tools": []})";
  for (const char* choice : {"\"auto\"", "\"none\"", kOneTool, kNoTools}) {
    for (const char* format : {"", R"({"type": "json_object"})",
                               R"({"type": "json_schema", "json_schema": {"name": "any", "schema": {}}})"}) {
      ReplyOptions options;
      options.mode = ReplyOptions::Mode::kStrict;
      options.tools.tool_choice = choice;
      options.tools.response_format = format;
      auto parser = ReplyParser::create(GetParam(), kAnswerTools, options);
      ASSERT_TRUE(parser) << parser.error().message;
      const auto tag = structural_tag_for_tools(GetParam(), kAnswerTools, options.tools);
      GrammarMatcher matcher(GrammarCompiler(byte_tokens()).compile_structural_tag(*tag).value());
      for (int round = 0; round < 200; ++round) {
        std::string answer;
        for (std::size_t left = 1 + random() % 6; left > 0; --left) answer += pieces[random() % pieces.size()];
        if (*format != 0) {
          const bool is_object = std::string_view(format).find("schema") == std::string_view::npos;
          answer = is_object ? random_object(answer, random) : random_json(answer, random);
        }
        if (has_own_tag(style, answer)) continue;
        for (const std::string& reply : as_replies(style, answer)) {
          matcher.reset();
          if (matcher.accept_bytes(reply) != Step::kOk || !matcher.is_completed()) continue;
          std::vector<std::string> expected;
          for (const Capture& capture : matcher.captures()) expected.push_back(capture.name);
          parser->reset();
          const auto more = parser->feed(reply);
          ASSERT_TRUE(more) << more.error().message << "\n" << reply;
          const auto last = parser->finish();
          ASSERT_TRUE(last) << last.error().message << "\n" << reply;
          std::string events;
          std::vector<std::string> found;
          for (const auto* list : {&*more, &*last}) {
            for (const ReplyEvent& event : *list) {
              events += to_json(event) + "\n";
              if (event.kind == ReplyEventKind::kCallBegins) found.push_back(event.name);
            }
          }
          ASSERT_EQ(found, expected) << reply << "\n" << events;
          if (!expected.empty()) continue;
          const auto read = nlohmann::json::parse(parser->snapshot());
          const std::string content = read["content"].is_string() ? read["content"].get<std::string>() : "";
          ASSERT_EQ(compared(style, content), compared(style, answer)) << reply << "\n" << events;
          ++answers;
        }
      }
    }
  }
  EXPECT_GT(answers, 100U);
}

INSTANTIATE_TEST_SUITE_P(Styles, TagAnswer, testing::ValuesIn(tests::distinct_styles()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace weir
