#include "frontend/lark/literals.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/escape.h"
#include "base/json/json_value.h"
#include "base/utf8.h"
#include "frontend/substring.h"
#include "grammar/suggest.h"
#include "regex/syntax/syntax.h"
#include "regex/unicode/code_point_set.h"
#include "regex/unicode/unicode.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::lark {

namespace {

using regex::ExprId;

tl::unexpected<Error> syntax_error(SourceRange where, std::string message, std::string hint = {}) {
  return tl::unexpected(Error{ErrorCode::kSyntax, std::move(message), where, std::move(hint), {}});
}

// Reads the escape whose letter is at `pos`, and moves `pos` to after it.
std::optional<char32_t> escape(std::string_view inside, std::size_t& pos) {
  const char c = inside[pos++];
  std::size_t digits = 0;
  switch (c) {
    case 'n': return U'\n';
    case 'r': return U'\r';
    case 't': return U'\t';
    case 'f': return U'\f';
    case 'v': return U'\v';
    case 'b': return U'\b';
    case 'a': return U'\a';
    case '0': return U'\0';
    case '"':
    case '\'':
    case '/':
    case '\\': return static_cast<char32_t>(c);
    case 'x': digits = 2; break;
    case 'u': digits = 4; break;
    case 'U': digits = 8; break;
    default: return std::nullopt;
  }
  char32_t value = 0;
  for (; digits > 0; --digits, ++pos) {
    const int digit = pos < inside.size() ? base::hex_digit(inside[pos]) : -1;
    if (digit < 0 || value > base::kMaxCodePoint) return std::nullopt;
    value = value * 16 + static_cast<char32_t>(digit);
  }
  if (value > base::kMaxCodePoint) return std::nullopt;
  return value;
}

// Returns the string without its quotes and its flag.
std::string_view inside_of(std::string_view text, SourceRange where) {
  const std::size_t end = text[where.end - 1] == '"' ? where.end - 1 : where.end - 2;
  return text.substr(where.start + 1, end - where.start - 1);
}

Result<std::u32string> characters(std::string_view text, SourceRange where) {
  const std::string_view inside = inside_of(text, where);
  std::u32string out;
  for (std::size_t pos = 0; pos < inside.size();) {
    const std::size_t start = pos;
    if (inside[pos] != '\\') {
      const base::Decoded c = base::decode_utf8(inside, pos);
      pos += c.length;
      out.push_back(c.code_point);
      continue;
    }
    ++pos;
    std::optional<char32_t> c = escape(inside, pos);
    if (c && base::is_high_surrogate(*c) && inside.substr(pos, 2) == "\\u") {
      ++pos;
      const std::optional<char32_t> low = escape(inside, pos);
      c = low && base::is_low_surrogate(*low) ? std::optional(base::join_surrogates(*c, *low)) : std::nullopt;
    }
    if (!c || base::is_surrogate(*c)) {
      pos = std::min(std::max(pos, start + 2), inside.size());
      const SourceRange at{where.start + 1 + start, where.start + 1 + pos};
      return syntax_error(at, "unknown escape `" + base::escape_for_display(inside.substr(start, pos - start)) + "`",
                          "a backslash itself is written `\\\\`; a character by its number `\\xHH`, `\\uHHHH` or "
                          "`\\UHHHHHHHH`");
    }
    out.push_back(*c);
  }
  return out;
}

Result<ExprId> checked(const regex::ExprSet& exprs, ExprId expr, SourceRange where) {
  if (expr == ExprId::kOverflow) return tl::unexpected(regex::overflow_error(exprs, where));
  return expr;
}

}  // namespace

Result<std::string> string_bytes(std::string_view text, SourceRange where) {
  const Result<std::u32string> string = characters(text, where);
  if (!string) return tl::unexpected(string.error());
  std::string bytes;
  for (const char32_t c : *string) base::append_utf8(bytes, c);
  return bytes;
}

Result<ExprId> string_expr(regex::ExprSet& exprs, std::string_view text, SourceRange where) {
  if (text[where.end - 1] != 'i') {
    const Result<std::string> bytes = string_bytes(text, where);
    if (!bytes) return tl::unexpected(bytes.error());
    return checked(exprs, exprs.literal(*bytes), where);
  }
  const Result<std::u32string> string = characters(text, where);
  if (!string) return tl::unexpected(string.error());
  std::vector<ExprId> parts;
  for (const char32_t c : *string) {
    parts.push_back(regex::utf8_set(exprs, regex::case_closure(regex::CodePointSet::range(c, c))));
  }
  return checked(exprs, exprs.concat(parts), where);
}

Result<ExprId> range_expr(regex::ExprSet& exprs, std::string_view text, SourceRange first, SourceRange last) {
  char32_t bounds[2] = {};
  for (int i = 0; i < 2; ++i) {
    const SourceRange where = i == 0 ? first : last;
    const Result<std::u32string> string = characters(text, where);
    if (!string) return tl::unexpected(string.error());
    if (string->size() != 1) return syntax_error(where, "a range goes from one character to one character");
    if (text[where.end - 1] == 'i') return syntax_error(where, "a range has no flags");
    bounds[i] = (*string)[0];
  }
  if (bounds[1] < bounds[0]) return syntax_error({first.start, last.end}, "the range goes backwards");
  const regex::CodePointSet set = regex::CodePointSet::range(bounds[0], bounds[1]);
  return checked(exprs, regex::utf8_set(exprs, set - regex::CodePointSet::range(0xD800, 0xDFFF)), first);
}

namespace {

using base::JsonDocument;
using base::JsonType;
using base::JsonValue;

SourceRange shifted(SourceRange range, std::size_t by) { return {range.start + by, range.end + by}; }

// Returns views into the strings of the JSON value.
Result<std::vector<std::string_view>> chunks_of(const JsonValue& value, std::string_view kind, std::size_t at) {
  const bool is_list = kind == "substring_chunks";
  std::vector<std::string_view> chunks;
  if (value.is(is_list ? JsonType::kArray : JsonType::kString)) {
    if (!is_list) {
      const bool by_words = kind == "substring_words";
      return split_units(value.string(), by_words ? SubstringUnit::kWord : SubstringUnit::kCharacter);
    }
    for (const JsonValue& item : value.items()) {
      if (!item.is(JsonType::kString)) return syntax_error(shifted(item.where(), at), "a chunk has to be a string");
      chunks.push_back(item.string());
    }
    return chunks;
  }
  return syntax_error(shifted(value.where(), at),
                      "`" + std::string(kind) + "` has to be " + (is_list ? "a list of strings" : "a string"));
}

}  // namespace

Result<ExprId> substring_expr(regex::ExprSet& exprs, std::string_view text, SourceRange where, const Limits& limits) {
  static constexpr std::array<std::string_view, 3> kKinds{"substring_chunks", "substring_words", "substring_chars"};
  auto document = JsonDocument::parse(text.substr(where.start, where.end - where.start), limits);
  if (!document) {
    document.error().where = shifted(document.error().where, where.start);
    return tl::unexpected(std::move(document.error()));
  }
  const auto members = document->root().members();
  if (members.size() != 1) {
    return syntax_error(where, "`%regex` has to have one member",
                        "`substring_chunks`, `substring_words` or `substring_chars`");
  }
  const std::string_view kind = members[0].key;
  if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end()) {
    std::string hint = grammar::did_you_mean(kKinds, kind, "there are");
    return tl::unexpected(Error{ErrorCode::kUnsupported,
                                "unknown kind `" + base::escape_for_display(kind) + "` of `%regex`",
                                shifted(members[0].key_where, where.start),
                                std::move(hint),
                                {}});
  }
  const auto chunks = chunks_of(members[0].value, kind, where.start);
  if (!chunks) return tl::unexpected(chunks.error());
  return checked(exprs, substring_of(exprs, *chunks), where);
}

namespace {

std::optional<std::uint32_t> token_id(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  std::uint64_t id = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    id = std::min<std::uint64_t>(id * 10 + static_cast<std::uint64_t>(c - '0'), UINT32_MAX);
  }
  if (id == UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(id);
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

Result<grammar::TokenSet> token_set(std::string_view text, SourceRange where) {
  const std::string_view written = text.substr(where.start, where.end - where.start);
  grammar::TokenSet set;
  set.name = written;
  set.where = where;
  if (!written.starts_with("<[")) {
    set.names.emplace_back(written);  // the brackets are part of the name
    return set;
  }
  const auto wrong = [&] {
    return syntax_error(where, "malformed set of tokens", "sets are written `<[7]>`, `<[1-5,9]>`, `<[^7]>` or `<[*]>`");
  };
  if (!written.ends_with("]>")) return wrong();
  std::string_view inside = trimmed(written.substr(2, written.size() - 4));
  if (inside == "*") {
    set.complement = true;  // the complement of the empty set
    return set;
  }
  if (inside.starts_with('^')) {
    set.complement = true;
    inside.remove_prefix(1);
  }
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = inside.find(',');
    const std::string_view part = trimmed(inside.substr(0, comma));
    is_last = comma == std::string_view::npos;
    inside.remove_prefix(is_last ? inside.size() : comma + 1);
    const std::size_t dash = part.find('-');
    const auto first = token_id(trimmed(part.substr(0, dash)));
    const auto last = dash == std::string_view::npos ? first : token_id(trimmed(part.substr(dash + 1)));
    if (!first || !last) return wrong();
    if (*last < *first) return syntax_error(where, "a range of token ids goes backwards");
    set.ranges.emplace_back(*first, *last);
  }
  return set;
}

}  // namespace weir::frontend::lark
