#include "frontend/xgrammar/arguments.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "frontend/ebnf/text.h"

namespace weir::frontend::xgrammar {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

void ValueReader::skip_blanks() {
  while (pos_ < end_) {
    const char c = text_[pos_];
    if (c == '#') {
      pos_ = std::min({text_.find('\n', pos_), text_.size(), end_});
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++pos_;
    } else {
      return;
    }
  }
}

bool ValueReader::take(char c) {
  skip_blanks();
  if (peek() != c) return false;
  ++pos_;
  return true;
}

std::string_view ValueReader::name() {
  skip_blanks();
  const std::size_t start = pos_;
  while (pos_ < end_ && is_name_character(text_[pos_])) ++pos_;
  return text_.substr(start, pos_ - start);
}

Error ValueReader::expected(std::string_view what, std::string hint) const {
  const std::size_t length = pos_ < end_ ? base::decode_utf8(text_, pos_).length : 0;
  const std::string found = length == 0 ? "the end" : "`" + base::escape_for_display(text_.substr(pos_, length)) + "`";
  return Error{ErrorCode::kSyntax,
               "expected " + std::string(what) + ", found " + found,
               {pos_, pos_ + length},
               std::move(hint),
               {}};
}

Result<Value> ValueReader::string() {
  const std::size_t start = pos_;
  for (++pos_; pos_ < end_ && text_[pos_] != '"'; ++pos_) pos_ += text_[pos_] == '\\' ? 1 : 0;
  pos_ = std::min(pos_ + 1, end_);  // the closing quote exists: brackets were matched with the same strings
  Result<std::string> bytes = ebnf::literal_bytes(text_, {start, pos_}, ebnf::Dialect::kXgrammar);
  if (!bytes) return tl::unexpected(std::move(bytes.error()));
  return Value{.kind = ValueKind::kString, .where = {start, pos_}, .string = std::move(*bytes)};
}

Result<Value> ValueReader::value() {
  skip_blanks();
  if (peek() == '"') return string();
  const std::size_t start = pos_;
  const std::string_view word = name();
  const SourceRange where{start, pos_};
  if (word.empty()) {
    return tl::unexpected(
        expected("a value", "values are strings, numbers, `true`, `false`, names of rules, and tuples"));
  }
  if (word == "true" || word == "false") {
    return Value{.kind = ValueKind::kBoolean, .where = where, .integer = word == "true" ? 1U : 0U};
  }
  if (!is_digit(word.front())) return Value{.kind = ValueKind::kName, .where = where, .string = std::string(word)};
  std::uint64_t number = 0;
  for (const char c : word) {
    if (!is_digit(c)) {
      return tl::unexpected(Error{ErrorCode::kSyntax, "`" + std::string(word) + "` is no whole number", where, {}, {}});
    }
    number = std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(c - '0'), std::uint64_t{1} << 32);
  }
  return Value{.kind = ValueKind::kInteger, .where = where, .integer = number};
}

Result<Value> ValueReader::value_or_tuple() {
  skip_blanks();
  if (peek() != '(') return value();
  Value tuple{.kind = ValueKind::kTuple, .where = {pos_, pos_}};
  ++pos_;
  while (!take(')')) {
    Result<Value> item = value();
    if (!item) return item;
    tuple.items.push_back(std::move(*item));
    if (take(',')) continue;
    skip_blanks();
    if (peek() != ')') return tl::unexpected(expected("`,` or `)` in a tuple"));
  }
  tuple.where.end = pos_;
  return tuple;
}

Result<Arguments> read_arguments(std::string_view text, SourceRange where) {
  ValueReader reader(text, {where.start, where.end - 1});
  Arguments arguments;
  arguments.macro = reader.name();
  arguments.macro_where = {where.start, reader.pos()};
  reader.take('(');
  reader.skip_blanks();
  if (reader.at_end()) return arguments;
  do {
    Result<Value> value = reader.value_or_tuple();
    if (!value) return tl::unexpected(std::move(value.error()));
    if (value->kind == ValueKind::kName && reader.take('=')) {
      NamedValue named{std::move(value->string), value->where};
      Result<Value> right = reader.value_or_tuple();
      if (!right) return tl::unexpected(std::move(right.error()));
      named.value = std::move(*right);
      arguments.named.push_back(std::move(named));
    } else {
      arguments.positional.push_back(std::move(*value));
    }
  } while (reader.take(','));
  reader.skip_blanks();
  if (!reader.at_end()) return tl::unexpected(reader.expected("`,` or `)`"));
  return arguments;
}

}  // namespace weir::frontend::xgrammar
