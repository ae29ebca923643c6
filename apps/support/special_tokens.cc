#include "special_tokens.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>

#include "command.h"
#include "inputs.h"

namespace weir::cli {

void add_special_tokens_option(CLI::App& app, bool& flag) {
  app.add_flag(
      "--special-tokens", flag,
      "In texts, names of special tokens denote those tokens, which token terminals match; otherwise they are\n"
      "text (`weir tokenizer --special` lists them)");
}

std::vector<std::string> special_token_names(const TokenizerInfo& info) {
  std::vector<std::string> names;
  for (std::uint32_t id = 0; id < info.vocab_size(); ++id) {
    if (info.token_kind(id) == TokenKind::kSpecial) names.emplace_back(info.token_name(id));
  }
  return names;
}

std::vector<CompletionPart> split_at_special_tokens(std::string_view text, const TokenizerInfo& info) {
  std::array<std::vector<std::uint32_t>, 256> by_first_byte;
  for (std::uint32_t id = 0; id < info.vocab_size(); ++id) {
    if (info.token_kind(id) != TokenKind::kSpecial || info.token_name(id).empty()) continue;
    by_first_byte[static_cast<unsigned char>(info.token_name(id).front())].push_back(id);
  }
  std::vector<CompletionPart> parts;
  std::size_t text_begin = 0;
  const auto end_text = [&](std::size_t end) {
    if (end != text_begin) parts.push_back({std::string(text.substr(text_begin, end - text_begin)), {}});
  };
  for (std::size_t at = 0; at < text.size();) {
    std::optional<std::uint32_t> longest;
    for (const std::uint32_t id : by_first_byte[static_cast<unsigned char>(text[at])]) {
      const bool is_longer = !longest || info.token_name(id).size() > info.token_name(*longest).size();
      if (is_longer && text.substr(at).starts_with(info.token_name(id))) longest = id;
    }
    if (!longest) {
      ++at;
      continue;
    }
    end_text(at);
    parts.push_back({"", longest});
    at += info.token_name(*longest).size();
    text_begin = at;
  }
  end_text(text.size());
  return parts;
}

std::size_t accept_viable_prefix(GrammarMatcher& matcher, std::string_view text, bool special_tokens,
                                 const std::string& name) {
  const TokenizerInfo& info = matcher.compiled_grammar().tokenizer_info();
  std::vector<CompletionPart> parts = {{std::string(text), {}}};
  if (special_tokens) parts = split_at_special_tokens(text, info);
  std::size_t offset = 0;
  for (const CompletionPart& part : parts) {
    if (part.token) {
      const Step step = matcher.accept_token(*part.token);
      if (step == Step::kLimitExceeded) throw_on_limit(matcher, fmt::format("{}: at byte {}: ", name, offset));
      if (step != Step::kOk) return offset;
      offset += info.token_name(*part.token).size();
      continue;
    }
    const std::size_t viable = matcher.longest_viable_prefix(part.text);
    throw_on_limit(matcher, fmt::format("{}: at byte {}: ", name, offset + viable));
    if (viable > 0 && matcher.accept_bytes(std::string_view(part.text).substr(0, viable)) != Step::kOk) {
      throw_on_limit(matcher, fmt::format("{}: at byte {}: ", name, offset + viable));
      return offset;  // the text has ended, or a budget leaves no time for the bytes
    }
    offset += viable;
    if (viable != part.text.size()) return offset;
  }
  return offset;
}

}  // namespace weir::cli
