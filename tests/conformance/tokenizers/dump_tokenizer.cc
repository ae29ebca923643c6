// Prints the content of a tokenizer file as weir reads it, for comparisons with other libraries; see python/.
//
//   dump_tokenizer FILE vocabulary    Writes one line for each token: {"id", "kind", "name", "bytes", "first"}. Bytes
//                                     are hexadecimal.
//   dump_tokenizer FILE tokenize      Reads lines of hexadecimal text; writes {"ids"} or {"error", "start"} for each.
//   dump_tokenizer FILE decode        Reads lines of ids; writes the text of each in hexadecimal.
//   dump_tokenizer FILE canonical     Writes {"supported", "reason"} or {"supported", "unwritten", "hypotheses",
//                                     "look_ahead"}; "look_ahead" is null for any number of characters. Then reads
//                                     lines of ids; writes "yes" for a canonical line, else "no".
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "canonical/canonical_automaton.h"
#include "canonical/piece_automaton.h"
#include "weir/tokenizer_info.h"

namespace {

using weir::TokenizerInfo;
using weir::TokenKind;

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 0xFU];
  }
  return hex;
}

std::optional<std::string> from_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    std::uint8_t byte = 0;
    const char* end = hex.data() + i + 2;
    if (std::from_chars(hex.data() + i, end, byte, 16).ptr != end) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::string_view name_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::kNormal: return "normal";
    case TokenKind::kByte: return "byte";
    case TokenKind::kSpecial: return "special";
    case TokenKind::kUnused: return "unused";
  }
  return "";
}

void print(const nlohmann::json& line) {
  std::cout << line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) << '\n';
}

int dump_vocabulary(const TokenizerInfo& info) {
  for (std::uint32_t id = 0; id < info.vocab_size(); ++id) {
    print({{"id", id},
           {"kind", name_of(info.token_kind(id))},
           {"name", info.token_name(id)},
           {"bytes", to_hex(info.token_bytes(id))},
           {"first", to_hex(info.first_token_bytes(id))}});
  }
  return 0;
}

int tokenize_lines(const TokenizerInfo& info) {
  for (std::string line; std::getline(std::cin, line);) {
    const std::optional<std::string> text = from_hex(line);
    if (!text) {
      std::cerr << "not hexadecimal: " << line << '\n';
      return 2;
    }
    if (const auto ids = info.tokenize(*text)) {
      print({{"ids", *ids}});
    } else {
      print({{"error", ids.error().message}, {"start", ids.error().where.start}});
    }
  }
  return 0;
}

int judge_lines(const TokenizerInfo& info) {
  const auto automaton = weir::canonical::CanonicalAutomaton::of(info.vocabulary());
  if (!automaton) {
    print({{"supported", false}, {"reason", automaton.error().message}});
    return 0;
  }
  const std::optional<std::size_t> look_ahead = (*automaton)->pieces().look_ahead();
  print({{"supported", true},
         {"unwritten", (*automaton)->unwritten_tokens()},
         {"hypotheses", (*automaton)->pieces().hypothesis_count()},
         {"look_ahead", look_ahead ? nlohmann::json(*look_ahead) : nlohmann::json(nullptr)}});
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream numbers(line);
    auto state = (*automaton)->start();
    for (std::uint32_t id = 0; numbers >> id && state != weir::canonical::CanonicalId::kRefused;) {
      state = (*automaton)->step(state, id);
    }
    const bool is_canonical = state != weir::canonical::CanonicalId::kRefused && (*automaton)->may_end(state);
    std::cout << (is_canonical ? "yes\n" : "no\n");
  }
  return 0;
}

int decode_lines(const TokenizerInfo& info) {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream numbers(line);
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; numbers >> id;) {
      if (id >= info.vocab_size()) {
        std::cerr << "no such token: " << id << '\n';
        return 2;
      }
      ids.push_back(id);
    }
    std::cout << to_hex(info.decode(ids)) << '\n';
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() != 2) {
    std::cerr << "usage: dump_tokenizer FILE vocabulary|tokenize|decode|canonical\n";
    return 2;
  }
  const auto info = TokenizerInfo::from_file(arguments[0]);
  if (!info) {
    std::cerr << info.error().message << '\n';
    return 1;
  }
  if (arguments[1] == "vocabulary") return dump_vocabulary(*info);
  if (arguments[1] == "tokenize") return tokenize_lines(*info);
  if (arguments[1] == "decode") return decode_lines(*info);
  if (arguments[1] == "canonical") return judge_lines(*info);
  std::cerr << "unknown mode: " << arguments[1] << '\n';
  return 2;
}
