// Reads replies, for oracle_test.py: reply_events TOKENIZER < CASES, where TOKENIZER may be "" for the built-in one.
//
// A case is a line of JSON: {"style", "tools": list, "mode": "tolerant" or "strict", "reasoning": as in ReplyOptions,
// "values": bool, "text", "cuts": ["bytes", "tokens", "lines", "whole"], "tag": bool}. The answer is a line of JSON:
// {"error"} if there is no parser, else {"cuts": {NAME: [[FED, EVENT...]...]}, "snapshot"}: for each piece that had
// events, the number of bytes that had been fed after it. If a piece is refused, the cut ends with [FED, "error", MESSAGE].
// With "tag", "allowed" says whether the tag of the same call allows the text.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"
#include "weir/tokenizer_info.h"
#include "weir/tools.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;  // keeps the order of arguments

ReplyOptions options_of(const Json& one) {
  ReplyOptions options;
  const std::string reasoning = one.value("reasoning", "none");
  using Reasoning = ToolOptions::Reasoning;
  options.tools.reasoning = reasoning == "whole"   ? Reasoning::kWhole
                            : reasoning == "begun" ? Reasoning::kBegun
                            : reasoning == "auto"  ? Reasoning::kAuto
                                                   : Reasoning::kNone;
  options.mode = one.value("mode", "") == "strict" ? ReplyOptions::Mode::kStrict : ReplyOptions::Mode::kTolerant;
  options.values = one.value("values", false);
  return options;
}

std::vector<std::string_view> pieces_of(std::string_view text, const std::string& cut, const TokenizerInfo& tokenizer) {
  std::vector<std::string_view> pieces;
  if (cut == "whole") {
    pieces.push_back(text);
  } else if (cut == "tokens") {
    const auto ids = tokenizer.tokenize(text);
    std::size_t at = 0;
    for (const std::uint32_t id : *ids) {
      const std::size_t size = tokenizer.token_bytes(id).size();
      pieces.push_back(text.substr(at, size));
      at += size;
    }
  } else {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = cut == "bytes" ? at : text.find('\n', at);
      const std::size_t next = end == std::string_view::npos ? text.size() : end + 1;
      pieces.push_back(text.substr(at, next - at));
      at = next;
    }
  }
  return pieces;
}

Json to_array(const ReplyEvent& event) {
  return {to_string(event.kind), event.start, event.end,  event.call, event.text, event.name, event.id,
          event.reason,          event.key,   event.depth};
}

Json read(ReplyParser& parser, const std::vector<std::string_view>& pieces) {
  Json out = Json::array();
  std::size_t fed = 0;
  const auto add = [&](const Result<std::vector<ReplyEvent>>& events) {
    if (!events) {
      out.push_back({fed, "error", events.error().message});
    } else if (!events->empty()) {
      Json step = Json::array({fed});
      for (const ReplyEvent& event : *events) step.push_back(to_array(event));
      out.push_back(std::move(step));
    }
    return events.has_value();
  };
  parser.reset();
  for (const std::string_view piece : pieces) {
    fed += piece.size();
    if (!add(parser.feed(piece))) return out;
  }
  fed += 1;  // the end
  add(parser.finish());
  return out;
}

bool is_allowed(const Json& one, const ReplyOptions& options, const GrammarCompiler& compiler) {
  const std::string style = one["style"];
  const auto tag = structural_tag_for_tools(style, one["tools"].dump(), options.tools);
  if (!tag) return false;
  const auto compiled = compiler.compile_structural_tag(*tag);
  if (!compiled) return false;
  GrammarMatcher matcher(*compiled);
  const std::string text = one["text"];
  return matcher.accept_string(text) == Step::kOk && matcher.is_completed();
}

Json answer(const Json& one, const TokenizerInfo& tokenizer, const GrammarCompiler& compiler) {
  const ReplyOptions options = options_of(one);
  const std::string style = one["style"], text = one["text"];
  auto parser = ReplyParser::create(style, one["tools"].dump(), options);
  if (!parser) return {{"error", parser.error().message}};
  Json out = {{"cuts", Json::object()}};
  for (const std::string cut : one["cuts"]) out["cuts"][cut] = read(*parser, pieces_of(text, cut, tokenizer));
  out["snapshot"] = parser->snapshot();
  if (one.value("tag", false)) out["allowed"] = is_allowed(one, options, compiler);
  return out;
}

int run(const std::string& path) {
  auto tokenizer = path.empty() ? Result<TokenizerInfo>(TokenizerInfo::builtin()) : TokenizerInfo::from_file(path);
  if (!tokenizer) {
    std::cerr << tokenizer.error().message << "\n";
    return 1;
  }
  VocabSpec bytes;  // no special tokens: the reply is text
  for (int byte = 0; byte < 256; ++byte) bytes.tokens.push_back(std::string(1, static_cast<char>(byte)));
  const GrammarCompiler compiler(*TokenizerInfo::from_vocab(std::move(bytes)));
  std::string line;
  while (std::getline(std::cin, line)) std::cout << answer(Json::parse(line), *tokenizer, compiler).dump() << "\n";
  return 0;
}

}  // namespace
}  // namespace weir

int main(int count, char** arguments) { return weir::run(count > 1 ? arguments[1] : ""); }
