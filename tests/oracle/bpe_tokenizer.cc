#include "oracle/bpe_tokenizer.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "oracle/small_nfc.h"

namespace weir::oracle {

namespace {

/// A stretch of a piece, and whether the pattern matched it.
struct Stretch {
  std::size_t begin = 0, end = 0;
  bool is_match = false;
};

}  // namespace

struct BpeTokenizer::Pattern {
  explicit Pattern(const std::string& text) {
    int error = 0;
    PCRE2_SIZE offset = 0;
    code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), PCRE2_UTF | PCRE2_UCP, &error, &offset,
                         nullptr);
    if (code == nullptr) {
      std::fprintf(stderr, "bad pattern in a test: %s\n", text.c_str());
      std::abort();
    }
    data = pcre2_match_data_create_from_pattern(code, nullptr);
  }
  ~Pattern() {
    pcre2_match_data_free(data);
    pcre2_code_free(code);
  }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /// Returns matches and what lies between them, in order; together they are the text. Empty matches do not count.
  [[nodiscard]] std::vector<Stretch> find(std::string_view text) const {
    std::vector<Stretch> found;
    std::size_t done = 0, from = 0;
    while (from < text.size()) {
      const int count =
          pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from, 0, data, nullptr);
      if (count < 0) break;
      const PCRE2_SIZE* const place = pcre2_get_ovector_pointer(data);
      if (place[0] == place[1]) {  // the next character
        from = place[1] + 1;
        while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) ++from;
        continue;
      }
      if (done < place[0]) found.push_back({done, place[0], false});
      found.push_back({place[0], place[1], true});
      done = from = place[1];
    }
    if (done < text.size()) found.push_back({done, text.size(), false});
    return found;
  }

  pcre2_code* code = nullptr;
  pcre2_match_data* data = nullptr;
};

BpeTokenizer::BpeTokenizer(BpeTokenizerSpec spec) : spec_(std::move(spec)) {
  for (const SplitStep& step : spec_.steps) patterns_.push_back(std::make_unique<Pattern>(step.pattern));
  for (std::uint32_t id = 0; id < spec_.tokens.size(); ++id) {
    if (!spec_.tokens[id].empty()) ids_.emplace(spec_.tokens[id], id);
  }
  for (std::size_t rank = 0; rank < spec_.merges.size(); ++rank) merge_ranks_.emplace(spec_.merges[rank], rank);
}

BpeTokenizer::~BpeTokenizer() = default;

std::vector<std::string> BpeTokenizer::split_by(const SplitStep& step, const Pattern& pattern,
                                                std::string_view text) const {
  std::vector<Stretch> stretches = pattern.find(text);
  if (step.invert) {
    for (Stretch& stretch : stretches) stretch.is_match = !stretch.is_match;
  }
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const std::string piece(text.substr(stretches[i].begin, stretches[i].end - stretches[i].begin));
    const bool after_match = i > 0 && stretches[i - 1].is_match;
    bool joins = false;
    switch (step.behavior) {
      case SplitStep::Behavior::kIsolated: break;
      case SplitStep::Behavior::kContiguous: joins = i > 0 && stretches[i].is_match == after_match; break;
      case SplitStep::Behavior::kMergedWithPrevious: joins = i > 0 && stretches[i].is_match && !after_match; break;
      // Read from the end, so a match joins what follows it unless that is a match.
      case SplitStep::Behavior::kMergedWithNext: joins = after_match && !stretches[i].is_match; break;
    }
    if (joins) {
      pieces.back() += piece;
    } else {
      pieces.push_back(piece);
    }
  }
  return pieces;
}

std::vector<std::string> BpeTokenizer::split(std::string_view text) const {
  std::vector<std::string> pieces;
  if (!text.empty()) pieces.emplace_back(text);
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    std::vector<std::string> smaller;
    for (const std::string& piece : pieces) {
      for (std::string& part : split_by(spec_.steps[i], *patterns_[i], piece)) smaller.push_back(std::move(part));
    }
    pieces = std::move(smaller);
  }
  return pieces;
}

std::optional<std::uint64_t> BpeTokenizer::rank_of(const std::string& left, const std::string& right) const {
  if (spec_.ranks == BpeTokenizerSpec::Ranks::kTokenIds) {
    const auto token = ids_.find(left + right);
    return token == ids_.end() ? std::nullopt : std::optional<std::uint64_t>(token->second);
  }
  const auto merge = merge_ranks_.find({left, right});
  return merge == merge_ranks_.end() ? std::nullopt : std::optional<std::uint64_t>(merge->second);
}

bool BpeTokenizer::tokenize_piece(const std::string& piece, TokenIds& ids) const {
  if (spec_.whole_pieces) {
    if (const auto whole = ids_.find(piece); whole != ids_.end()) {
      ids.push_back(whole->second);
      return true;
    }
  }
  // A part that is written in byte tokens takes part in no merge.
  struct Part {
    std::string text;
    bool in_bytes = false;
  };
  std::vector<Part> parts;
  if (spec_.unit == BpeTokenizerSpec::Unit::kByte) {
    for (const char c : piece) parts.push_back({std::string(1, c)});
  } else {
    for (const std::string& c : characters_of(piece)) parts.push_back({c, !ids_.contains(c)});
  }
  for (;;) {
    std::optional<std::pair<std::uint64_t, std::size_t>> best;  // rank, place
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      if (parts[i].in_bytes || parts[i + 1].in_bytes) continue;
      const std::optional<std::uint64_t> rank = rank_of(parts[i].text, parts[i + 1].text);
      if (rank && (!best || *rank < best->first)) best = {*rank, i};
    }
    if (!best) break;
    parts[best->second].text += parts[best->second + 1].text;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best->second) + 1);
  }
  for (const Part& part : parts) {
    if (part.in_bytes) {
      for (const char c : part.text) {
        const auto token = spec_.byte_tokens.find(static_cast<unsigned char>(c));
        if (token == spec_.byte_tokens.end()) return false;
        ids.push_back(token->second);
      }
      continue;
    }
    const auto token = ids_.find(part.text);
    if (token == ids_.end()) return false;
    ids.push_back(token->second);
  }
  return true;
}

std::optional<TokenIds> BpeTokenizer::tokenize(std::string_view text) const {
  std::string written = spec_.nfc ? small_nfc(text) : std::string(text);
  if (!spec_.space_symbol.empty() && !text.empty()) {
    written = spec_.space_symbol;
    for (const char c : text) written += c == ' ' ? spec_.space_symbol : std::string(1, c);
  }
  TokenIds ids;
  for (const std::string& piece : split(written)) {
    if (!tokenize_piece(piece, ids)) return std::nullopt;
  }
  return ids;
}

std::string BpeTokenizer::decode(const TokenIds& ids) const {
  std::string text;
  for (const std::uint32_t id : ids) {
    const auto is_this = [id](const auto& entry) { return entry.second == id; };
    const auto byte = std::ranges::find_if(spec_.byte_tokens, is_this);
    if (byte != spec_.byte_tokens.end()) {
      text += static_cast<char>(byte->first);
    } else {
      text += spec_.tokens[id];
    }
  }
  if (spec_.space_symbol.empty()) return text;
  std::string spaced;
  for (const std::string& c : characters_of(text)) spaced += c == spec_.space_symbol ? " " : c;
  if (spaced.starts_with(' ')) spaced.erase(0, 1);
  return spaced;
}

std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> characters;
  for (const char c : text) {
    if (characters.empty() || (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      characters.emplace_back(1, c);
    } else {
      characters.back() += c;
    }
  }
  return characters;
}

}  // namespace weir::oracle
