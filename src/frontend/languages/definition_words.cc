#include "frontend/languages/definition_words.h"

#include <utility>

#include "base/utf8.h"
#include "frontend/languages/sql_names.h"

namespace weir::frontend::sql {

namespace {

// MySQL executes what is in `/*!50001 ... */` from that version on. 999999 is no version: dumps of MariaDB begin with it.
bool is_version_comment(std::string_view rest) { return rest.starts_with("/*!") && !rest.starts_with("/*!999999"); }

// T-SQL's scripts are sent in batches, each up to a line `GO`, perhaps with a count.
bool is_go(std::string_view line) {
  return line.size() >= 2 && lower_case(line.substr(0, 2)) == "go" &&
         line.find_first_not_of(" \t\r0123456789", 2) == std::string_view::npos;
}
std::size_t find_go(std::string_view text, std::size_t from) {
  for (std::size_t line = from; line < text.size(); line = std::min(text.find('\n', line), text.size() - 1) + 1) {
    if (is_go(text.substr(line, text.find('\n', line) - line))) return line;
  }
  return std::string_view::npos;
}

}  // namespace

bool is_possible(const Name& name) {
  return !name.text.empty() &&
         std::ranges::none_of(name.text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

DefinitionWords::DefinitionWords(std::string_view text, bool is_mysql)
    : text_(text),
      at_(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0),
      is_mysql_(is_mysql),
      has_batches_(find_go(text, 0) != std::string_view::npos) {
  next();
}

bool DefinitionWords::are_strings_closed(std::string_view text, bool is_mysql) {
  DefinitionWords reader(text, is_mysql);
  for (bool is_copy = false; !reader.is_end(); reader.next()) {
    is_copy = (is_copy && !reader.is_sign(';')) ||
              (reader.is_word("from") && reader.is_ahead([&] { return reader.is_word("stdin"); }));
    if (is_copy) reader.skip_past("\n\\.");
    const char after = reader.at_ < text.size() ? text[reader.at_] : ' ';
    if (reader.is_string() && (may_continue_name(after) || after == '\\')) return false;
  }
  return !reader.error_;
}

void DefinitionWords::fail(SourceRange where, std::string message, std::string hint) {
  if (!error_) error_ = Error{ErrorCode::kSyntax, std::move(message), where, std::move(hint)};
  word_ = {};
}

void DefinitionWords::expected(std::string what) {
  const std::string found =
      word_.kind == Kind::kEnd
          ? "the end"
          : "`" + base::escape_for_display(text_.substr(word_.where.start, word_.where.end - word_.where.start)) + "`";
  fail(word_.where, "expected " + std::move(what) + ", found " + found);
}

bool DefinitionWords::is_word(std::string_view lower) const { return is_name() && lower_case(word_.text) == lower; }

bool DefinitionWords::is_one_of(std::span<const std::string_view> words) const {
  return is_name() && std::ranges::count(words, lower_case(word_.text)) > 0;
}

bool DefinitionWords::take_word(std::string_view lower) {
  if (!is_word(lower)) return false;
  next();
  return true;
}

bool DefinitionWords::take_sign(char c) {
  if (!is_sign(c)) return false;
  next();
  return true;
}

std::optional<Name> DefinitionWords::name(const char* what) {
  if (word_.kind != Kind::kName && word_.kind != Kind::kQuoted && !is_literal()) {
    expected(what);
    return std::nullopt;
  }
  Name name{word_.text, word_.kind != Kind::kName};
  if (is_literal()) name.text = name.text.substr(1, name.text.size() - 2);
  if (!is_possible(name)) {
    fail(word_.where, name.text.empty() ? "a name cannot be empty" : "a name has a control character");
    return std::nullopt;
  }
  next();
  return name;
}

void DefinitionWords::next() {
  if (error_) return;
  skip_blanks();
  const std::size_t start = at_;
  if (error_ || at_ >= text_.size()) {
    word_ = {Kind::kEnd, {}, {text_.size(), text_.size()}};
    return;
  }
  const char c = text_[at_];
  if ((c == 'u' || c == 'U') && text_.substr(at_ + 1).starts_with("&\"")) {
    fail({at_, at_ + 3}, "a name with Unicode escapes cannot be read", "write its characters themselves");
  } else if (may_begin_name(c)) {
    const bool may_be_go = has_batches_ && is_first_of_line(at_);
    // Names of Oracle and T-SQL may have a `#`.
    while (at_ < text_.size() && (may_continue_name(text_[at_]) || (text_[at_] == '#' && !is_mysql_))) ++at_;
    word_ = {Kind::kName, std::string(text_.substr(start, at_ - start)), {start, at_}};
    if (may_be_go && is_go(text_.substr(start, text_.find('\n', start) - start))) {
      at_ = std::min(text_.find('\n', start), text_.size());
      word_ = {Kind::kOther, ";", {start, start + 2}};
    }
  } else if (c == '"' || c == '`' || (c == '[' && !is_subscript())) {
    quoted(c == '[' ? ']' : c, Kind::kQuoted);
  } else if (c == '\'') {
    quoted(c, Kind::kOther);
  } else if (c == '$' && dollar_string()) {
  } else {
    ++at_;
    word_ = {Kind::kOther, std::string(1, c), {start, at_}};
  }
}

void DefinitionWords::skip_blanks() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\n' || rest[0] == '\f') {
      ++at_;
    } else if (rest.starts_with("--") || (rest[0] == '\\' && is_first_of_line(at_)) ||
               (rest[0] == '#' && (is_mysql_ || is_first_of_line(at_)))) {
      // a comment, or a command of psql, such as `\restrict`
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) return fail({at_, at_ + 2}, "this comment is not closed");
      const bool is_executed = is_version_comment(rest);
      is_in_version_comment_ = is_in_version_comment_ || is_executed;
      at_ = is_executed ? std::min(text_.find_first_not_of("0123456789", at_ + 3), end) : end + 2;
    } else if (is_in_version_comment_ && rest.starts_with("*/")) {
      is_in_version_comment_ = false;
      at_ += 2;
    } else {
      return;
    }
  }
}

// A bracket right after a name, a bracket or a type's end is no quote: `ARRAY['a']`, `text[]`.
bool DefinitionWords::is_subscript() const {
  const char before = at_ == 0 ? ' ' : text_[at_ - 1];
  return may_continue_name(before) || before == '[' || before == ']' || before == ')';
}

bool DefinitionWords::is_first_of_line(std::size_t at) const {
  const std::size_t before = at == 0 ? std::string_view::npos : text_.find_last_not_of(" \t", at - 1);
  return before == std::string_view::npos || text_[before] == '\n';
}

void DefinitionWords::skip_past(std::string_view mark) {
  const std::size_t found = text_.find(mark, at_);
  at_ = found == std::string_view::npos ? text_.size() : std::min(text_.find('\n', found + 1), text_.size());
}

void DefinitionWords::skip_batch() {
  at_ = std::min(find_go(text_, std::min(text_.find('\n', at_), text_.size() - 1) + 1), text_.size());
  next();
}

void DefinitionWords::skip_delimited() {
  const std::size_t line = std::min(text_.find('\n', at_), text_.size());
  const std::string_view sign = text_.substr(at_, line - at_);
  at_ = line;
  if (sign.find_first_not_of(" \t\r;") == std::string_view::npos && std::ranges::count(sign, ';') == 1) {
    word_ = {Kind::kOther, ";", {line, line}};
    return;
  }
  const std::size_t found =
      std::min({text_.find("\nDELIMITER ;", at_), text_.find("\ndelimiter ;", at_), text_.size()});
  at_ = std::min(text_.find('\n', found + 1), text_.size());
  word_ = {Kind::kOther, ";", {at_, at_}};
}

// Reads what begins at at_ and ends with `close`; two of them stand for one. It may be empty
// where it is not a name: `DEFAULT ""`, `TEXT[]`.
void DefinitionWords::quoted(char close, Kind kind) {
  const std::size_t start = at_++;
  // In strings of MySQL, and in E'...' of PostgreSQL, a backslash keeps a quote from closing.
  const bool is_escape_string = close == '\'' && start > 0 && (text_[start - 1] == 'E' || text_[start - 1] == 'e');
  const bool has_escapes = is_escape_string || (is_mysql_ && (close == '\'' || close == '"'));
  std::string inside;
  for (;; ++at_) {
    if (has_escapes && at_ + 1 < text_.size() && text_[at_] == '\\') {
      inside += text_[++at_];
      continue;
    }
    if (at_ >= text_.size()) return fail({start, start + 1}, "this quote is not closed");
    if (text_[at_] == close && (at_ + 1 >= text_.size() || text_[at_ + 1] != close)) break;
    if (text_[at_] == close) ++at_;
    inside += text_[at_];
  }
  ++at_;
  if (kind == Kind::kOther) inside = "'" + inside + "'";
  word_ = {kind, std::move(inside), {start, at_}};
}

// Reads PostgreSQL's `$tag$ ... $tag$`, if one begins at at_.
bool DefinitionWords::dollar_string() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '$' && may_continue_name(text_[end])) ++end;
  if (end >= text_.size() || text_[end] != '$') return false;
  const std::string_view tag = text_.substr(at_, end + 1 - at_);
  const std::size_t close = text_.find(tag, end + 1);
  if (close == std::string_view::npos) {
    fail({at_, end + 1}, "this quote is not closed");
    return true;
  }
  word_ = {Kind::kOther, "''", {at_, close + tag.size()}};
  at_ = close + tag.size();
  return true;
}

void DefinitionWords::go_back(const Place& place) {
  word_ = place.word;
  text_ = place.text;
  at_ = place.at;
  is_in_version_comment_ = place.is_in_version_comment;
}

void DefinitionWords::enter(std::string_view text) {
  text_ = text;
  at_ = 0;
  next();
}

}  // namespace weir::frontend::sql
