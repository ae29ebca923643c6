#include "frontend/json_schema/rules/yaml_guard.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/replaceable.h"
#include "frontend/json_schema/rules/yaml_reader.h"

namespace weir::frontend::json_schema {

using base::QuotingTokens;

namespace {

constexpr bool ends_plain_key(char c) { return c == ' ' || c == '\n'; }

// Returns the key that a whole scalar denotes, without the quote that ends it.
std::string key_of(std::string_view written) {
  if (written.front() != '"' && written.front() != '\'') return std::string(written);
  const bool is_plain = written.find(written.front() == '"' ? '\\' : '\'', 1) == std::string_view::npos;
  return is_plain ? std::string(written.substr(1)) : YamlReader::decoded_key(written);
}

}  // namespace

bool YamlGuard::read(char byte) {
  const Place before = place_;
  if (!advance(byte)) {
    place_ = before;
    return false;
  }
  if (place_.is_candidate()) written_.push_back(byte);
  ++position_;
  if (place_ != before) place_log_.push_back({position_, place_, written_.size()});
  return true;
}

// Reads a byte. Returns false, and has changed nothing but the place, if it ends a key that the object has.
bool YamlGuard::advance(char byte) {
  switch (place_.at) {
    case At::kValue: at_value(byte); break;
    case At::kLine: at_line(byte); break;
    case At::kDash: after_dash(byte); break;
    case At::kHeader:
      if (byte == '\n') {
        begin_line();
        place_.before = Before::kText;
      } else if (byte >= '1' && byte <= '9') {
        place_.column = static_cast<std::uint32_t>(column_around()) + static_cast<std::uint32_t>(byte - '0');
      }
      break;
    case At::kText:
      if (byte != '\n') break;
      begin_line();
      place_.before = Before::kText;
      break;
    case At::kPlain: in_plain(byte); break;
    case At::kColon: return after_colon(byte);
    case At::kSingle:
      if (byte == '\'') place_.at = At::kSingleEnd;
      break;
    case At::kSingleEnd:
      if (byte == '\'') {
        place_.at = At::kSingle;
      } else if (byte == ':' && place_.is_candidate()) {
        if (!end_key(written().substr(0, written().size() - 1))) return false;
        place_.at = At::kKeyEnd;
      } else if (!place_.is_key) {  // after a key comes the colon
        after_value(byte);
      }
      break;
    case At::kDouble:
      if (byte == '\\') {
        place_.at = At::kDoubleEscape;
      } else if (byte == '"') {
        if (place_.is_key && !end_key(written())) return false;
        place_.at = At::kDoubleEnd;
      }
      break;
    case At::kDoubleEscape: place_.at = At::kDouble; break;
    case At::kDoubleEnd:
      if (byte != ':') {
        after_value(byte);
        break;
      }
      if (place_.may_be_key) static_cast<void>(end_key(written().substr(0, written().size() - 1)));
      place_.at = At::kKeyEnd;
      break;
    case At::kKeyEnd: before_value_of_key(byte); break;
    case At::kFlow: in_flow(byte); break;
    case At::kAfter: after_value(byte); break;
  }
  return true;
}

void YamlGuard::begin_line() {
  place_.at = At::kLine;
  place_.line = position_ + 1;
  place_.before = Before::kNothing;
  place_.is_key = place_.may_be_key = false;
}

// A colon that ends a key has been read, and the byte after it.
void YamlGuard::before_value_of_key(char byte) {
  if (container().is_flow) {
    place_.at = At::kFlow;
  } else if (byte == '\n') {
    begin_line();
    place_.before = Before::kValue;
  } else {
    place_.at = At::kValue;
  }
}

void YamlGuard::at_line(char byte) {
  if (byte == ' ') return;
  if (byte == '\n') {
    place_.line = position_ + 1;
    return;
  }
  const std::size_t column = position_ - place_.line;
  const bool is_deeper = place_.container == 0 || column > column_around();
  switch (std::exchange(place_.before, Before::kNothing)) {
    case Before::kText:
      if (place_.column == 0 && column > column_around()) place_.column = static_cast<std::uint32_t>(column);
      if (place_.column != 0 && column >= place_.column) {
        place_.at = At::kText;
        return;
      }
      break;
    case Before::kPlain:
      if (!is_deeper) break;
      place_.at = At::kPlain;
      return;
    case Before::kValue:
      if (byte == '-') place_.before = Before::kValue;
      if (byte == '-' || !is_deeper) break;
      at_value(byte);
      return;
    case Before::kNothing: break;
  }
  place_.column = static_cast<std::uint32_t>(column);
  if (byte == '-') {
    place_.at = At::kDash;
    return;
  }
  close_to(column, false);
  begin_scalar(byte, true, false, column);
}

// What began with a dash is an item, or a scalar: a value that is expected, or the next key.
void YamlGuard::after_dash(char byte) {
  const std::size_t column = place_.column;
  const bool is_value = std::exchange(place_.before, Before::kNothing) == Before::kValue;
  const bool is_deeper = place_.container == 0 || column > container().column;
  if (ends_plain_key(byte)) {
    const bool is_level = column == container().column && container().is_object;
    if (is_value && (is_deeper || is_level)) {
      open(false, false, column);
    } else {
      close_to(column, true);
    }
    before_value_of_key(byte);
    return;
  }
  const bool is_scalar = is_value && is_deeper;
  if (!is_scalar) close_to(column, false);
  begin_scalar('-', !is_scalar, is_scalar, column);
  written_.push_back('-');
  in_plain(byte);
}

void YamlGuard::at_value(char byte) {
  if (byte == ' ') return;
  const std::size_t column = position_ - place_.line;
  const bool may_be_block = place_.container == 0 || !container().is_object || place_.at == At::kLine;
  if (byte == '\n') {
    begin_line();
    place_.before = Before::kValue;
  } else if (byte == '[' || byte == '{') {
    open_bracket(byte);
  } else if (byte == '|' || byte == '>') {
    place_.at = At::kHeader;
    place_.column = 0;
  } else if (byte == '-' && may_be_block) {
    place_.at = At::kDash;
    place_.before = Before::kValue;
    place_.column = static_cast<std::uint32_t>(column);
  } else {
    begin_scalar(byte, false, may_be_block, column);
  }
}

void YamlGuard::in_flow(char byte) {
  if (ends_plain_key(byte)) return;
  if (byte == ',' || byte == ']' || byte == '}') {
    after_value(byte);
  } else if (byte == '[' || byte == '{') {
    open_bracket(byte);
  } else {
    begin_scalar(byte, place_.expects_key, !container().is_object, 0);
  }
}

void YamlGuard::begin_scalar(char first, bool is_key, bool may_be_key, std::size_t column) {
  place_.at = first == '"' ? At::kDouble : first == '\'' ? At::kSingle : At::kPlain;
  place_.column = static_cast<std::uint32_t>(column);
  place_.is_key = is_key;
  place_.may_be_key = may_be_key;
  place_.scalar = written_.size();
}

void YamlGuard::in_plain(char byte) {
  const bool is_flow = container().is_flow;
  place_.at = At::kPlain;
  if (byte == ':' && place_.is_candidate()) {
    place_.at = At::kColon;
  } else if (is_flow && !place_.is_key && (byte == ',' || byte == ']' || byte == '}')) {
    after_value(byte);
  } else if (byte == '\n' && (is_flow || place_.is_key)) {
    place_.may_be_key = false;  // a key is on one line
  } else if (place_.container == 0 && ends_plain_key(byte) && written() == "---") {
    place_.may_be_key = false;
    before_value_of_key(byte);
  } else if (byte == '\n') {
    begin_line();
    place_.before = Before::kPlain;
  }
}

bool YamlGuard::after_colon(char byte) {
  if (!ends_plain_key(byte)) {
    in_plain(byte);
    return true;
  }
  if (!end_key(written().substr(0, written().size() - 1))) return false;
  before_value_of_key(byte);
  return true;
}

void YamlGuard::after_value(char byte) {
  place_.is_key = place_.may_be_key = false;
  place_.at = At::kAfter;
  if (!container().is_flow) {
    if (byte == '\n') begin_line();
    return;
  }
  if (byte != ',' && byte != ']' && byte != '}') return;
  if (container().is_pair) place_.container = container().parent;
  if (byte == ',') {
    place_.at = At::kFlow;
    place_.expects_key = container().is_object;
  } else {
    place_.container = container().parent;
  }
}

void YamlGuard::open(bool is_object, bool is_flow, std::size_t column) {
  Container opened{.open = position_, .parent = place_.container};
  opened.is_object = is_object;
  opened.is_flow = is_flow;
  opened.column = static_cast<std::uint32_t>(column);
  containers_.push_back(std::move(opened));
  place_.container = static_cast<std::uint32_t>(containers_.size() - 1);
}

void YamlGuard::open_bracket(char bracket) {
  open(bracket == '{', true, column_around());
  place_.at = At::kFlow;
  place_.expects_key = bracket == '{';
}

// Closes the blocks that a line at `column` ends.
void YamlGuard::close_to(std::size_t column, bool is_item) {
  while (place_.container != 0) {
    const Container& last = container();
    if (last.column < column || (last.column == column && last.is_object != is_item)) break;
    place_.container = last.parent;
  }
}

// The scalar in progress ends as a key. Returns false if it is a key of the object already. `written`: without the quote
// that ends it.
bool YamlGuard::end_key(std::string_view written) {
  std::string key = key_of(written);
  if (!place_.is_key) {
    const bool is_pair = container().is_flow;
    open(true, is_pair, place_.column);
    container().is_pair = is_pair;
  }
  if (!container().keys.insert(key).second) return false;
  const bool is_quoted = tokens_->has_quoted(key);
  if (is_quoted) ++quoted_keys_;
  key_log_.push_back({position_ + 1, place_.container, is_quoted, std::move(key)});
  place_.is_key = place_.may_be_key = place_.expects_key = false;
  return true;
}

bool YamlGuard::is_used(std::string_view written) const {
  return place_.is_key && container().keys.contains(key_of(written));
}

bool YamlGuard::may_end() const {
  return place_.at != At::kColon || !is_used(written().substr(0, written().size() - 1));
}

void YamlGuard::rewind(std::size_t position) {
  if (position == position_) return;
  for (; !key_log_.empty() && key_log_.back().end > position; key_log_.pop_back()) {
    containers_[key_log_.back().container].keys.erase(key_log_.back().key);
    if (key_log_.back().is_quoted) --quoted_keys_;
  }
  while (containers_.size() > 1 && containers_.back().open >= position) containers_.pop_back();
  while (!place_log_.empty() && place_log_.back().position > position) place_log_.pop_back();
  const LoggedPlace last = place_log_.empty() ? LoggedPlace() : place_log_.back();
  place_ = last.place;
  written_.resize(last.written_size + (place_.is_candidate() ? position - last.position : 0));
  position_ = position;
}

// Lists tokens that the guard refuses.
class YamlGuard::Refusal {
 public:
  using Tokens = std::span<const QuotingTokens::Token>;

  Refusal(YamlGuard& guard, const grammar::AllowedTokens& allowed, std::vector<std::uint32_t>& refused)
      : guard_(guard), allowed_(allowed), refused_(refused) {}

  // Lists those of the tokens that are allowed.
  void list(Tokens tokens) {
    for (const QuotingTokens::Token& token : tokens) {
      if (allowed_.contains(token.id)) refused_.push_back(token.id);
    }
  }

  // Lists the allowed tokens that begin with one of two bytes.
  void list_beginning_with(char one, char other) {
    for (std::uint32_t token = 0; token < allowed_.count(); ++token) {
      if (!allowed_.contains(token)) continue;
      const std::string_view bytes = allowed_.bytes_of(token);
      if (bytes.starts_with(one) || bytes.starts_with(other)) refused_.push_back(token);
    }
  }

  // Lists those of the tokens that are allowed, contain `needed` unless it is 0, and are refused by the guard when it
  // reads them.
  void list_if_refused(Tokens tokens, char needed) {
    const std::size_t here = guard_.position();
    for (const QuotingTokens::Token& token : tokens) {
      if (!allowed_.contains(token.id)) continue;
      const std::string_view bytes = allowed_.bytes_of(token.id);
      if (needed != '\0' && bytes.find(needed) == std::string_view::npos) continue;
      if (!std::ranges::all_of(bytes, [&](char c) { return guard_.read(c); })) refused_.push_back(token.id);
      guard_.rewind(here);
    }
  }

 private:
  YamlGuard& guard_;
  const grammar::AllowedTokens& allowed_;
  std::vector<std::uint32_t>& refused_;
};

void YamlGuard::list_refused(const grammar::AllowedTokens& allowed, std::vector<std::uint32_t>& refused) {
  using Plain = QuotingTokens::Plain;
  Refusal refusal(*this, allowed, refused);
  if (place_.at == At::kColon && !may_end()) refusal.list_beginning_with(' ', '\n');
  if (place_.at == At::kSingleEnd && is_used(written().substr(0, written().size() - 1))) {
    refusal.list_beginning_with(':', ':');
  }
  const bool is_in_double = place_.at == At::kDouble || place_.at == At::kDoubleEscape;
  if (is_in_double && place_.is_key) list_in_double_quotes(refusal);
  // Before a whole key that a token contains, what is in progress has to end.
  const bool is_on_line = !place_.is_candidate() && !container().is_flow;
  const char needed = is_in_double                                                        ? '"'
                      : place_.at == At::kSingle                                          ? '\''
                      : is_on_line && (place_.at == At::kPlain || place_.at == At::kText) ? '\n'
                                                                                          : '\0';
  // A plain or single-quoted key whose colon comes in the token is one of with_colons().
  if (!place_.is_key || is_in_double || place_.at == At::kColon) {
    const Plain plain = quoted_keys_ == 0 && !place_.is_candidate() ? Plain::kLeftOut : Plain::kIncluded;
    refusal.list_if_refused(tokens_->with_quotes(is_in_double ? 3 : 2, plain), needed);
  }
  refusal.list_if_refused(tokens_->with_colons(), needed);
}

// Lists the tokens that complete the key in progress to a used one.
void YamlGuard::list_in_double_quotes(Refusal& refusal) const {
  const std::string_view begun = written().substr(1);
  if (begun.find('\\') != std::string_view::npos) {
    refusal.list_if_refused(tokens_->all(), '"');
    return;
  }
  const std::set<std::string>& keys = container().keys;
  bool is_begun = false;
  for (auto key = keys.lower_bound(std::string(begun)); key != keys.end() && key->starts_with(begun); ++key) {
    is_begun = true;
    const std::string_view rest = std::string_view(*key).substr(begun.size());
    if (rest.find_first_of("\"\\") == std::string_view::npos) {
      refusal.list(tokens_->beginning_with(std::string(rest) + '"'));
    }
  }
  if (is_begun) refusal.list_if_refused(tokens_->escaping(), '"');
}

WEIR_REPLACEABLE std::unique_ptr<grammar::TextGuard> make_yaml_guard(const base::QuotingTokens& tokens) {
  return std::make_unique<YamlGuard>(tokens);
}

}  // namespace weir::frontend::json_schema
