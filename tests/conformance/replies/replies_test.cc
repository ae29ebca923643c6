// Reads replies of models, written down with what they mean, whole and cut in many ways.
//
// The cases of tests/data/replies.jsonl must all be right. Those of ../shared/data/replies-dev.jsonl, which come from the
// tests of other programs, are compared with known.json: cases that are read otherwise than they say, and cases that the
// tag of the same style and tools does not allow although their calls are valid. A case that is wrong and not listed
// there fails, and so does one that is listed and right. WEIR_REPLIES=update writes the file; WEIR_REPLIES=show prints
// what is wrong. With either, or another value, texts are cut at each place instead of some.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared_data.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"

namespace weir {
namespace {

using Json = nlohmann::json;

const std::string kKnown = tests::repository() + "/tests/conformance/replies/known.json";

std::string trimmed(const Json& text) {
  if (!text.is_string()) return {};
  const std::string whole = text;
  const std::size_t first = whole.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? "" : whole.substr(first, whole.find_last_not_of(" \t\r\n") - first + 1);
}

std::string style_of(const Json& one) {
  const std::string style = one["style"];
  const std::string name = style.starts_with("other:") ? style.substr(6) : style;
  if (one.value("format", "") == "mlx:longcat") return "longcat_xml";
  return name == "llama4_pythonic" ? "pythonic" : name;
}

ReplyOptions options_of(const Json& one) {
  ReplyOptions options;
  if (one["prompt_ends_in_reasoning"]) options.tools.reasoning = ToolOptions::Reasoning::kBegun;
  return options;
}

Result<ReplyParser> parser_of(const Json& one, const ReplyOptions& options) {
  return ReplyParser::create(style_of(one), one["tools"].dump(), options);
}

// Appends events; deltas that follow each other are joined.
void join(std::vector<ReplyEvent> more, std::vector<ReplyEvent>& events) {
  for (ReplyEvent& event : more) {
    const bool is_delta = event.kind == ReplyEventKind::kReasoning || event.kind == ReplyEventKind::kText ||
                          event.kind == ReplyEventKind::kArguments;
    if (is_delta && !events.empty() && events.back().kind == event.kind && events.back().call == event.call) {
      events.back().text += event.text;
      events.back().end = event.end;
    } else {
      events.push_back(std::move(event));
    }
  }
}

struct Read {
  std::vector<ReplyEvent> events;
  std::string result;
};

Read read(ReplyParser& parser, const std::vector<std::string_view>& pieces) {
  Read out;
  parser.reset();
  for (const std::string_view piece : pieces) join(*parser.feed(piece), out.events);
  join(*parser.finish(), out.events);
  out.result = parser.snapshot();
  return out;
}

std::vector<std::string_view> in_pieces(std::string_view text, std::size_t size) {
  std::vector<std::string_view> pieces;
  for (std::size_t i = 0; i < text.size(); i += size) pieces.push_back(text.substr(i, size));
  return pieces;
}

bool is_right(const Json& one, const std::string& result) {
  const Json read = Json::parse(result, nullptr, false);
  if (read.is_discarded() || !read.is_object()) return false;
  const Json& expected = one["expect"];
  for (const std::string part : one["stated"]) {
    if (part != "tool_calls") {
      if (trimmed(read[part]) != trimmed(expected[part])) return false;
      continue;
    }
    if (read[part].size() != expected[part].size()) return false;
    for (std::size_t i = 0; i < read[part].size(); ++i) {
      if (read[part][i]["name"] != expected[part][i]["name"]) return false;
      if (!read[part][i].contains("arguments")) return false;
      if (read[part][i]["arguments"] != expected[part][i]["arguments"]) return false;
    }
  }
  return true;
}

// Returns what is wrong with the events themselves: ranges with gaps, deltas that are not the whole.
std::string why_wrong(std::string_view text, const Read& read) {
  std::size_t at = 0;
  std::map<std::string, std::string> joined;
  for (const ReplyEvent& event : read.events) {
    if (event.start != at || event.end < event.start) return "a gap before " + to_json(event);
    at = event.end;
    if (event.kind == ReplyEventKind::kReasoning) joined["reasoning"] += event.text;
    if (event.kind == ReplyEventKind::kText || event.kind == ReplyEventKind::kCallInvalid)
      joined["content"] += event.text;
  }
  if (at != text.size()) return "the events end at " + std::to_string(at);
  const Json result = Json::parse(read.result, nullptr, false);
  if (!result.is_object()) return "the result is not JSON: " + read.result;
  for (const char* part : {"reasoning", "content"}) {
    if (joined[part] != (result[part].is_string() ? result[part].get<std::string>() : ""))
      return "deltas of " + std::string(part);
  }
  return {};
}

// Reads the text cut at each place and in pieces of some sizes. Returns the first way that gives other events.
std::string differing_cut(ReplyParser& parser, std::string_view text, const Read& whole) {
  const auto differs = [&](const std::vector<std::string_view>& pieces) {
    const Read cut = read(parser, pieces);
    return cut.events != whole.events || cut.result != whole.result;
  };
  for (const std::size_t size : {1, 2, 3, 5}) {
    if (differs(in_pieces(text, size))) return "in pieces of " + std::to_string(size);
  }
  const std::size_t most = std::getenv("WEIR_REPLIES") == nullptr ? 40 : 100'000;  // places to cut at
  const std::size_t step = 1 + text.size() / most;
  for (std::size_t i = 1; i < text.size(); i += step) {
    if (differs({text.substr(0, i), text.substr(i)})) return "at " + std::to_string(i);
  }
  return {};
}

// Returns true if the tag allows the text, with the reasoning that the case has or the text shows.
bool is_allowed(const Json& one) {
  const std::string text = one["text"];
  const ReplyOptions given = options_of(one);
  for (const auto reasoning : {given.tools.reasoning, ToolOptions::Reasoning::kWhole, ToolOptions::Reasoning::kNone}) {
    ReplyOptions options = given;
    options.mode = ReplyOptions::Mode::kStrict;
    options.tools.reasoning = reasoning;
    Result<ReplyParser> parser = parser_of(one, options);
    if (parser && parser->feed(text) && parser->finish()) return true;
  }
  return false;
}

bool has_tag(const Json& one, const std::set<std::string>& tags) {
  return std::ranges::any_of(one["tags"], [&](const Json& tag) { return tags.contains(tag.get<std::string>()); });
}

// Returns true if the tools have the called ones, whose schemas allow the arguments; those that they do not list only if
// `additionalProperties` says so. The tag refuses other calls by right.
bool has_valid_calls(const Json& one) {
  static const GrammarCompiler compiler(TokenizerInfo::from_vocab({.tokens = {"x"}}).value());
  return std::ranges::all_of(one["expect"]["tool_calls"], [&](const Json& call) {
    const auto is_called = [&](const Json& tool) {
      return (tool.contains("function") ? tool["function"] : tool)["name"] == call["name"];
    };
    const auto tool = std::ranges::find_if(one["tools"], is_called);
    if (tool == one["tools"].end()) return false;
    Json schema = (tool->contains("function") ? (*tool)["function"] : *tool).value("parameters", Json::object());
    if (!schema.contains("additionalProperties")) schema["additionalProperties"] = false;
    JsonSchemaOptions options;
    options.order = JsonSchemaOptions::Order::kAny;
    const Result<CompiledGrammar> grammar = compiler.compile_json_schema(schema.dump(), options);
    if (!grammar) return true;
    Result<GrammarMatcher> matcher = GrammarMatcher::create(*grammar);
    return matcher && matcher->accept_bytes(call["arguments"].dump()) == Step::kOk && matcher->is_completed();
  });
}

bool is_strict(const Json& one) {
  return !has_tag(one, {"lenient", "implicit_reason_end", "malformed", "untyped", "badtype", "unknown_function",
                        "citations", "token_ids"});
}

struct Counts {
  std::size_t strict = 0, strict_right = 0, lenient = 0, lenient_right = 0, calls = 0, allowed = 0;
};

std::vector<Json> cases_in(const std::string& path) {
  std::vector<Json> cases;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    Json one = Json::parse(line);
    const std::string style = style_of(one);
    const std::vector<std::string_view> styles = tool_styles();
    const bool is_sound = !one.contains("sound") || one["sound"].get<bool>();
    if (is_sound && std::ranges::find(styles, style) != styles.end()) cases.push_back(std::move(one));
  }
  return cases;
}

void show(const Json& one, const std::string& what, const std::string& result) {
  std::cout << what << " " << one["id"].get<std::string>() << " " << one["tags"].dump() << "\n  " << one["text"].dump()
            << "\n  expected " << one["expect"].dump() << "\n  read     " << result << "\n";
}

TEST(Replies, OwnCases) {
  const std::vector<Json> cases = cases_in(tests::repository() + "/tests/data/replies.jsonl");
  EXPECT_GT(cases.size(), 30U);
  for (const Json& one : cases) {
    const std::string text = one["text"];
    Result<ReplyParser> parser = parser_of(one, options_of(one));
    ASSERT_TRUE(parser) << one["id"] << parser.error().message;
    const Read whole = read(*parser, {text});
    EXPECT_TRUE(is_right(one, whole.result)) << one["id"] << ": " << whole.result;
    EXPECT_EQ(why_wrong(text, whole), "") << one["id"];
    EXPECT_EQ(differing_cut(*parser, text, whole), "") << one["id"];
    const bool is_expected = one.value("allowed", true);
    EXPECT_EQ(is_allowed(one), is_expected) << one["id"];
  }
}

TEST(Replies, OfOtherPrograms) {
  const std::string path = (tests::shared_data() / "replies-dev.jsonl").string();
  const std::vector<Json> cases = cases_in(path);
  if (cases.empty()) GTEST_SKIP() << path << " is missing";
  const char* mode = std::getenv("WEIR_REPLIES");
  const bool shows = mode != nullptr && std::string_view(mode) == "show";
  std::ifstream file(kKnown);
  Json known = Json::parse(file, nullptr, false);
  if (known.is_discarded()) known = {{"wrong", Json::array()}, {"refused", Json::array()}};
  Json found = {{"wrong", Json::array()}, {"refused", Json::array()}};
  std::map<std::string, Counts> counts;
  Counts all;
  for (const Json& one : cases) {
    const std::string text = one["text"];
    Result<ReplyParser> parser = parser_of(one, options_of(one));
    ASSERT_TRUE(parser) << one["id"] << parser.error().message;
    const Read whole = read(*parser, {text});
    const bool right = is_right(one, whole.result);
    if (!right) found["wrong"].push_back(one["id"]);
    if (shows && !right) show(one, is_strict(one) ? "WRONG" : "wrong", whole.result);
    EXPECT_EQ(why_wrong(text, whole), "") << one["id"];
    EXPECT_EQ(differing_cut(*parser, text, whole), "") << one["id"];
    const bool with_calls =
        is_strict(one) && !one["tools"].empty() && !one["expect"]["tool_calls"].empty() && has_valid_calls(one);
    const bool allowed = with_calls && is_allowed(one);
    if (with_calls && !allowed) {
      found["refused"].push_back(one["id"]);
      if (shows) show(one, "REFUSED", "");
    }
    for (Counts* sum : {&counts[style_of(one)], &all}) {
      ++(is_strict(one) ? sum->strict : sum->lenient);
      if (right) ++(is_strict(one) ? sum->strict_right : sum->lenient_right);
      sum->calls += with_calls ? 1 : 0;
      sum->allowed += allowed ? 1 : 0;
    }
  }
  counts["all"] = all;
  for (const auto& [style, sum] : counts) {
    std::cout << style << ": strict " << sum.strict_right << " of " << sum.strict << ", lenient " << sum.lenient_right
              << " of " << sum.lenient << ", allowed " << sum.allowed << " of " << sum.calls << "\n";
  }
  if (mode != nullptr && std::string_view(mode) == "update") {
    std::ofstream(kKnown) << found.dump(1) << "\n";
    return;
  }
  for (const char* list : {"wrong", "refused"}) EXPECT_EQ(found[list], known[list]) << list;
}

}  // namespace
}  // namespace weir
