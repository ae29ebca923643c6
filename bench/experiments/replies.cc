// `weir bench replies`: measures ReplyParser, over replies in tokens, and over one long string in one-byte pieces.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "distribution.h"
#include "experiments.h"
#include "inputs.h"
#include "process_memory.h"
#include "stopwatch.h"
#include "text.h"
#include "weir/compiler.h"
#include "weir/reply_parser.h"
#include "weir/tokenizer_info.h"

namespace weir::cli::bench_replies {

namespace {

struct Options {
  std::string path;
  TokenizerInput tokenizer;
  std::size_t length = 116'667;
  std::size_t passes = 3;
  bool json = false;
};

// A reply with one long text: an answer, the argument of a call, or a part of a structural tag.
struct LongReply {
  const char* name;
  const char* style;  // or a structural tag with captures
  const char* before;
  const char* unit;  // repeated
  const char* after;
};
constexpr const char* kLetters = "The quick brown fox jumps over the lazy dog, again and again. ";
constexpr const char* kHermes = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"";
constexpr const char* kQwen = "<tool_call>\n<function=f>\n<parameter=a>\n";
constexpr const char* kTag =
    R"({"format": {"type": "triggered_tags", "triggers": ["<sum>"], "text_capture": "prose", "tags": [
        {"begin": "<sum>", "content": {"type": "regex", "pattern": "[0-9]+"}, "end": "</sum>", "capture": "sum"}]}})";
constexpr const char* kSchemaTag =
    R"({"format": {"type": "json_schema", "json_schema": {"type": "object"}, "capture": "answer"}})";
constexpr LongReply kLong[] = {
    {"text", "hermes", "", kLetters, ""},
    {"text, beginnings of tags", "hermes", "", "a <tool_ b <tool_cal ", ""},
    {"text, blanks", "hermes", "", "          ", "."},
    {"hermes", "hermes", kHermes, kLetters, "\"}}\n</tool_call>"},
    {"hermes, escapes", "hermes", kHermes, "\\\"\\n\\u00e9\\\\", "\"}}\n</tool_call>"},
    {"hermes, cut", "hermes", kHermes, kLetters, ""},
    {"qwen_coder", "qwen_coder", kQwen, kLetters, "\n</parameter>\n</function>\n</tool_call>"},
    {"qwen_coder, end tags", "qwen_coder", kQwen, "</parameter> </para ", "\n</parameter>\n</function>\n</tool_call>"},
    {"glm", "glm", "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>", kLetters, "</arg_value>\n</tool_call>"},
    {"gemma4", "gemma4", "<|tool_call>call:f{a:<|\"|>", kLetters, "<|\"|>}<tool_call|>"},
    {"tag, free text", kTag, "", kLetters, "<sum>12</sum>"},
    {"tag, beginnings of tags", kTag, "", "a <su b < <s ", "<sum>12</sum>"},
    {"tag, captures", kTag, "", "one and one: <sum>2</sum> ", ""},
    {"tag, a string", kSchemaTag, "{\"a\": \"", kLetters, "\"}"},
    {"tag, numbers", kSchemaTag, "{\"a\": [0", ", 12.5", "]}"},
};
constexpr const char* kTools =
    R"([{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}])";

Result<ReplyParser> parser_of_tag(std::string_view tag) {
  static const GrammarCompiler compiler(TokenizerInfo::builtin());
  return compiler.compile_structural_tag(tag).and_then(
      [](const CompiledGrammar& compiled) { return ReplyParser::for_grammar(compiled); });
}

ReplyParser parser_of(std::string_view style, const std::string& tools, const ReplyOptions& options = {}) {
  Result<ReplyParser> parser =
      style.starts_with('{') ? parser_of_tag(style) : ReplyParser::create(style, tools, options);
  if (!parser) throw InputError(parser.error().message, parser.error());
  return *std::move(parser);
}

void require(const Result<std::vector<ReplyEvent>>& events) {
  if (!events) throw InputError(events.error().message, events.error());
}

struct LongRow {
  const LongReply* reply = nullptr;
  std::uint64_t whole_ns = 0;    // all pieces, the least of the passes
  std::uint64_t quarter_ns = 0;  // of a text of a quarter of the length
  double held = 0;               // bytes that the parser has from malloc at the end, for each byte of the text
  std::size_t calls = 0;
};

std::string text_of(const LongReply& reply, std::size_t length) {
  std::string text(reply.before);
  const std::string_view unit = reply.unit;
  const std::size_t end = text.size() + length;
  while (text.size() + unit.size() <= end) text += unit;
  return text + reply.after;
}

std::uint64_t read_bytewise(const LongReply& reply, const std::string& text, LongRow* row) {
  const std::uint64_t before = heap_bytes();
  ReplyParser parser = parser_of(reply.style, kTools);
  const Stopwatch watch;
  for (std::size_t at = 0; at < text.size(); ++at) require(parser.feed(std::string_view(text).substr(at, 1)));
  require(parser.finish());
  const std::uint64_t elapsed = watch.elapsed_ns();
  if (row != nullptr) {
    row->held = static_cast<double>(heap_growth_since(before)) / static_cast<double>(text.size());
    const nlohmann::json snapshot = nlohmann::json::parse(parser.snapshot());
    row->calls = snapshot[snapshot.contains("captures") ? "captures" : "tool_calls"].size();
  }
  return elapsed;
}

LongRow measure_long(const LongReply& reply, const Options& options) {
  LongRow row{&reply};
  const std::string whole = text_of(reply, options.length);
  const std::string quarter = text_of(reply, options.length / 4);
  row.whole_ns = read_bytewise(reply, whole, &row);
  row.quarter_ns = read_bytewise(reply, quarter, nullptr);
  for (std::size_t pass = 1; pass < options.passes; ++pass) {
    row.whole_ns = std::min(row.whole_ns, read_bytewise(reply, whole, nullptr));
    row.quarter_ns = std::min(row.quarter_ns, read_bytewise(reply, quarter, nullptr));
  }
  return row;
}

struct Replies {
  std::size_t count = 0, bytes = 0;
  std::vector<std::uint64_t> tokens;  // nanoseconds of each
};

// Reads the replies of a file, a JSON object on each line: {"style", "tools", "text"}. Other members are not read.
Replies measure_file(const Options& options) {
  Replies out;
  if (options.path.empty()) return out;
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  const std::vector<std::string_view> styles = tool_styles();
  std::istringstream lines(read_file(options.path));
  for (std::string line; std::getline(lines, line);) {
    const Json input = Json::parse(line);
    const auto style = input.value("style", std::string());
    if (std::ranges::find(styles, style) == styles.end()) continue;
    ReplyParser parser = parser_of(style, input.value("tools", Json::array()).dump());
    const auto text = input.value("text", std::string());
    const auto tokens = tokenizer.tokenize(text);
    if (!tokens) continue;
    ++out.count;
    out.bytes += text.size();
    for (std::size_t pass = 0; pass < options.passes; ++pass) {
      const std::size_t first = out.tokens.size() - (pass == 0 ? 0 : tokens->size());
      for (std::size_t i = 0; i < tokens->size(); ++i) {
        const std::uint32_t token = (*tokens)[i];
        const Stopwatch watch;
        const auto events = parser.feed_tokens({&token, 1}, tokenizer);
        const std::uint64_t elapsed = watch.elapsed_ns();
        require(events);
        if (pass == 0)
          out.tokens.push_back(elapsed);
        else
          out.tokens[first + i] = std::min(out.tokens[first + i], elapsed);
      }
      parser.reset();
    }
  }
  return out;
}

void print_json(const Replies& replies, const std::vector<LongRow>& rows) {
  Json out = {
      {"replies", replies.count}, {"bytes", replies.bytes}, {"token", to_json(distribution_of(replies.tokens))}};
  out["long"] = Json::array();
  for (const LongRow& row : rows) {
    out["long"].push_back({{"reply", row.reply->name},
                           {"ms", static_cast<double>(row.whole_ns) / 1e6},
                           {"quarter_ms", static_cast<double>(row.quarter_ns) / 1e6},
                           {"bytes_a_byte", row.held},
                           {"calls", row.calls}});
  }
  fmt::print("{}\n", json_text(out));
}

void print_tables(const Replies& replies, const std::vector<LongRow>& rows, std::size_t length) {
  if (replies.count > 0) {
    fmt::print("{} replies, {} bytes\n{}\n{}\n\n", replies.count, replies.bytes, distribution_heading(8),
               distribution_row("a token", 8, distribution_of(replies.tokens)));
  }
  fmt::print("{:<26} {:>10} {:>12} {:>14} {:>6}\n", fmt::format("{} bytes, one by one", length), "all", "to a quarter",
             "memory a byte", "calls");
  for (const LongRow& row : rows) {
    fmt::print("{:<26} {:>10} {:>11.1f}x {:>12.1f} B {:>6}\n", row.reply->name,
               format_time(static_cast<double>(row.whole_ns)),
               static_cast<double>(row.whole_ns) / static_cast<double>(std::max<std::uint64_t>(row.quarter_ns, 1)),
               row.held, row.calls);
  }
}

int run(const Options& options) {
  const Replies replies = measure_file(options);
  std::vector<LongRow> rows;
  for (const LongReply& reply : kLong) rows.push_back(measure_long(reply, options));
  if (options.json)
    print_json(replies, rows);
  else
    print_tables(replies, rows, options.length);
  return kOk;
}

constexpr const char* kFooter = R"(
A line of the file is {"style", "tools", "text"}; replies of styles that weir does not have are left out. Each reply is
read token by token, as its tokenizer writes the text; the time is that of ReplyParser::feed_tokens. Then long texts are
read byte by byte: an answer, a call whose argument is one string, or a text of a structural tag with captures, which
count as calls. "to a quarter" is the time beside that of a text of
a quarter of the length: 4 if reading is linear. Memory is what the parser has from malloc when the text has ended.
JSON: {"replies", "bytes", "token": {"p50_ns", …}, "long": [{"reply", "ms", "quarter_ms", "bytes_a_byte", "calls"}]}.
Exit status: 0 done; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand("replies", "What reading a reply costs, by tokens and by single bytes");
  app->footer(kFooter);
  app->add_option("FILE", options->path, "Replies, a JSON object on each line (default: only the long ones)");
  add_tokenizer_option(*app, options->tokenizer);
  app->add_option("--length", options->length, "Bytes of the long string")->type_name("N")->capture_default_str();
  app->add_option("--passes", options->passes, "Take the least of so many times")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_flag("--json", options->json, "JSON instead of tables");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_replies
