#include "vocab/readers/token_decoder.h"

#include <array>
#include <utility>

#include "base/utf8.h"
#include "vocab/byte_level.h"
#include "vocab/normalizers/normalizers.h"
#include "vocab/readers/readers.h"
#include "vocab/token_spelling.h"

namespace weir::vocab {

namespace {

tl::unexpected<Error> refuse(std::string_view name, std::string_view what) {
  Error error = malformed(name, what);
  error.code = ErrorCode::kUnsupported;
  return tl::unexpected(std::move(error));
}

// Applies WordPiece's `cleanup` to one token. The replacements are in the order of the original.
void clean_up(std::string& token) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kReplacements = {
      {{" .", "."},
       {" ?", "?"},
       {" !", "!"},
       {" ,", ","},
       {" ' ", "'"},
       {" n't", "n't"},
       {" 'm", "'m"},
       {" do not", " don't"},
       {" 's", "'s"},
       {" 've", "'ve"},
       {" 're", "'re"}}};
  for (const auto& [from, to] : kReplacements) replace_all(token, from, to);
}

bool is_one_character(std::string_view text) {
  return !text.empty() && base::decode_utf8(text, 0).length == text.size();
}

}  // namespace

Result<TokenDecoder> TokenDecoder::create(const Json& decoder, std::string_view name) {
  TokenDecoder result;
  if (decoder.is(JsonType::kNull)) {
    result.steps_.emplace_back([](std::string& token, bool is_first) {
      if (!is_first) token.insert(0, 1, ' ');
    });
    return result;
  }
  if (auto done = result.add(decoder, name); !done) return tl::unexpected(std::move(done).error());
  return result;
}

std::string TokenDecoder::decode(std::string_view token, bool is_first) const {
  std::string text(token);
  for (const Step& step : steps_) step(text, is_first);
  return text;
}

Result<void> TokenDecoder::add(const Json& decoder, std::string_view name) {
  const auto type = json_string(decoder, "type");
  if (!type) return tl::unexpected(malformed(name, "a decoder has no `type`"));
  if (*type == "Sequence") {
    // The recursion is bounded by kMaxJsonDepth.
    for (const Json& inner : json_items(json_member(decoder, "decoders"))) {
      if (auto done = add(inner, name); !done) return done;
    }
    return {};
  }
  if (*type == "Fuse") {
    fused_ = true;
    return {};
  }
  if (*type == "Replace") return add_replace(decoder, name);
  if (*type == "Strip") return add_strip(decoder, name);
  const bool known = *type == "ByteLevel" || *type == "ByteFallback" || *type == "Metaspace" || *type == "WordPiece";
  if (!known)
    return refuse(name,
                  "decoder `" + std::string(*type) + "`: the bytes of its tokens depend on the tokens around them");
  if (fused_) return refuse(name, "decoder `" + std::string(*type) + "` after one that joins the tokens");

  if (*type == "ByteLevel") {
    is_byte_level_ = fused_ = true;
    // A token with a character outside the alphabet is not changed.
    steps_.emplace_back([](std::string& token, bool) {
      if (auto bytes = decode_byte_level(token)) token = *std::move(bytes);
    });
  } else if (*type == "ByteFallback") {
    has_byte_fallback_ = true;
    steps_.emplace_back([](std::string& token, bool) {
      if (const auto byte = parse_byte_token(token)) token.assign(1, static_cast<char>(*byte));
    });
  } else if (*type == "Metaspace") {
    return add_metaspace(decoder, name);
  } else {
    add_word_piece(decoder);
  }
  return {};
}

Result<void> TokenDecoder::add_metaspace(const Json& decoder, std::string_view name) {
  const auto given = json_string(decoder, "replacement");
  std::string symbol(given.value_or("▁"));
  if (symbol.empty()) return tl::unexpected(malformed(name, "decoder `Metaspace` has an empty `replacement`"));
  const auto scheme = json_string(decoder, "prepend_scheme");
  const bool prepends = scheme ? *scheme != "never" : json_bool(decoder, "add_prefix_space").value_or(true);
  // As in the original, all symbols of the first token are removed, not only the one that encoding inserted.
  steps_.emplace_back([symbol = std::move(symbol), prepends](std::string& token, bool is_first) {
    replace_all(token, symbol, is_first && prepends ? "" : " ");
  });
  return {};
}

Result<void> TokenDecoder::add_replace(const Json& decoder, std::string_view name) {
  const Json& pattern = json_member(decoder, "pattern");
  const auto text = json_string(pattern, "String");
  const auto regex = json_string(pattern, "Regex");
  const auto content = json_string(decoder, "content");
  if ((!text && !regex) || !content) {
    return tl::unexpected(malformed(name, "decoder `Replace` lacks its `pattern` or `content`"));
  }
  if (fused_) {
    // Replacing one character in each token is the same as in the whole text, unless tokens hold parts of characters.
    const bool splits_characters = has_byte_fallback_ || is_byte_level_;
    const bool by_token = text && is_one_character(*text) && (!splits_characters || text->size() == 1);
    if (!by_token) return refuse(name, "decoder `Replace` of a pattern that may lie across tokens");
  }
  NormalizerPtr replace;
  if (text) {
    replace = make_replace(std::string(*text), std::string(*content));
  } else {
    auto made = make_replace_pattern(std::string(*regex), std::string(*content));
    if (!made) return refuse(name, "decoder `Replace`: " + made.error().message);
    replace = *std::move(made);
  }
  steps_.emplace_back([replace](std::string& token, bool) { replace->normalize(token); });
  return {};
}

Result<void> TokenDecoder::add_strip(const Json& decoder, std::string_view name) {
  const auto content = json_string(decoder, "content");
  const auto start = json_u32(decoder, "start");
  const auto stop = json_u32(decoder, "stop");
  if (!content || !is_one_character(*content) || !start || !stop) {
    return tl::unexpected(malformed(name, "decoder `Strip` lacks `content`, `start` or `stop`"));
  }
  if (fused_ && (*stop > 0 || *start > 1)) {
    return refuse(name, "decoder `Strip` of the end of the text, or of more than one character at its start");
  }
  steps_.emplace_back([c = std::string(*content), start = *start, stop = *stop, first_only = fused_](std::string& token,
                                                                                                     bool is_first) {
    if (first_only && !is_first) return;
    std::string_view rest = token;
    for (std::uint32_t i = 0; i < start && rest.starts_with(c); ++i) rest.remove_prefix(c.size());
    for (std::uint32_t i = 0; i < stop && rest.ends_with(c); ++i) rest.remove_suffix(c.size());
    token = std::string(rest);
  });
  return {};
}

void TokenDecoder::add_word_piece(const Json& decoder) {
  const auto given = json_string(decoder, "prefix");
  steps_.emplace_back([prefix = std::string(given.value_or("##")),
                       cleans = json_bool(decoder, "cleanup").value_or(true)](std::string& token, bool is_first) {
    if (!is_first) {
      if (token.starts_with(prefix)) {
        token.erase(0, prefix.size());
      } else {
        token.insert(0, 1, ' ');
      }
    }
    if (cleans) clean_up(token);
  });
}

}  // namespace weir::vocab
