#include "frontend/json_schema/rules/key_guard.h"

#include <algorithm>
#include <span>
#include <utility>

namespace weir::frontend::json_schema {

using base::JsonPlace;
using base::QuotingTokens;

bool KeyGuard::read(char byte) {
  Place after = place_.where == JsonPlace::kOutside ? place_after_outside(byte) : place_;
  after.where = base::place_after(place_.where, byte);
  if (after.is_in_key() && place_.where != JsonPlace::kOutside) {
    written_.push_back(byte);
  } else if (place_.is_in_key()) {
    if (!end_key()) return false;
    after.is_key = false;
  }
  ++position_;
  if (after == place_) return true;
  place_ = after;
  place_log_.push_back({position_, place_, written_.size()});
  return true;
}

// Returns the container and is_key after a byte outside of strings, and opens a container if the byte does.
KeyGuard::Place KeyGuard::place_after_outside(char byte) {
  Place after = place_;
  if (byte == '{' || byte == '[') {
    containers_.push_back({position_, place_.container, byte == '{', {}});
    after.container = static_cast<std::uint32_t>(containers_.size() - 1);
    after.is_key = byte == '{';
  } else if (byte == '}' || byte == ']') {
    after.container = containers_[place_.container].parent;
    after.is_key = false;
  } else if (byte == ',') {
    after.is_key = containers_[place_.container].is_object;
  }
  return after;
}

// Adds the key in progress, which the next byte ends, to its object. Returns false if the object has it.
bool KeyGuard::end_key() {
  std::string key;
  base::append_json_string(key_in_progress(), key);
  if (!containers_[place_.container].keys.insert(key).second) return false;
  const bool is_quoted = tokens_->has_quoted(key);
  if (is_quoted) ++quoted_keys_;
  key_log_.push_back({position_ + 1, place_.container, is_quoted, written_.size(), std::move(key)});
  return true;
}

std::string_view KeyGuard::key_in_progress() const {
  return std::string_view(written_).substr(key_log_.empty() ? 0 : key_log_.back().written_end);
}

void KeyGuard::rewind(std::size_t position) {
  if (position == position_) return;
  for (; !key_log_.empty() && key_log_.back().end > position; key_log_.pop_back()) {
    containers_[key_log_.back().container].keys.erase(key_log_.back().key);
    if (key_log_.back().is_quoted) --quoted_keys_;
  }
  while (containers_.size() > 1 && containers_.back().open >= position) containers_.pop_back();
  while (!place_log_.empty() && place_log_.back().position > position) place_log_.pop_back();
  const LoggedPlace last = place_log_.empty() ? LoggedPlace() : place_log_.back();
  place_ = last.place;
  written_.resize(last.written_size + (place_.is_in_key() ? position - last.position : 0));
  position_ = position;
}

namespace {

// Returns true if the text needs no escapes in a JSON string.
bool may_be_raw(std::string_view text) {
  return std::ranges::none_of(text,
                              [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
}

// Returns true if some token may contain an escape for one of the text's characters.
bool may_be_escaped(std::string_view text, const QuotingTokens& tokens) {
  static constexpr std::string_view kWithShortEscapes = "\"\\/\b\f\n\r\t";
  return tokens.has_numeric_escapes() || text.find_first_of(kWithShortEscapes) != std::string_view::npos;
}

}  // namespace

// Lists tokens that the guard refuses.
class KeyGuard::Refusal {
 public:
  using Tokens = std::span<const QuotingTokens::Token>;

  Refusal(KeyGuard& guard, const grammar::AllowedTokens& allowed, std::vector<std::uint32_t>& refused)
      : guard_(guard), allowed_(allowed), refused_(refused) {}

  // Lists those of the tokens that are allowed.
  void list(Tokens tokens) {
    for (const QuotingTokens::Token& token : tokens) {
      if (allowed_.contains(token.id)) refused_.push_back(token.id);
    }
  }

  // Lists those of the tokens that are allowed and that the guard refuses when it reads them.
  void list_if_refused(Tokens tokens) {
    const std::size_t here = guard_.position();
    for (const QuotingTokens::Token& token : tokens) {
      if (!allowed_.contains(token.id)) continue;
      const std::string_view bytes = allowed_.bytes_of(token.id);
      if (!std::ranges::all_of(bytes, [&](char c) { return guard_.read(c); })) refused_.push_back(token.id);
      guard_.rewind(here);
    }
  }

 private:
  KeyGuard& guard_;
  const grammar::AllowedTokens& allowed_;
  std::vector<std::uint32_t>& refused_;
};

// The first token of a text may have other bytes than in `tokens_`. There are no keys then, so no token is listed by
// its bytes alone.
void KeyGuard::list_refused(const grammar::AllowedTokens& allowed, std::vector<std::uint32_t>& refused) {
  Refusal refusal(*this, allowed, refused);
  if (place_.is_in_key()) return list_at_key(refusal);
  // A key has two quotes; in a string, its end comes first.
  const std::size_t fewest = place_.where == JsonPlace::kOutside ? 2 : 3;
  const auto plain = quoted_keys_ == 0 ? QuotingTokens::Plain::kLeftOut : QuotingTokens::Plain::kIncluded;
  refusal.list_if_refused(tokens_->with_quotes(fewest, plain));
}

void KeyGuard::list_at_key(Refusal& refusal) {
  std::string begun;
  if (base::append_json_string(key_in_progress(), begun)) {  // within an escape
    refusal.list_if_refused(tokens_->all());
    return;
  }
  const std::set<std::string>& keys = containers_[place_.container].keys;
  bool escapes = false;
  for (auto key = keys.lower_bound(begun); key != keys.end() && key->starts_with(begun); ++key) {
    const std::string_view rest = std::string_view(*key).substr(begun.size());
    if (may_be_raw(rest)) refusal.list(tokens_->beginning_with(std::string(rest) + '"'));
    escapes = escapes || may_be_escaped(rest, *tokens_);
  }
  // The end of this key, which may not be a used one, and another whole key.
  refusal.list_if_refused(tokens_->with_quotes(3, QuotingTokens::Plain::kIncluded));
  if (escapes) refusal.list_if_refused(tokens_->escaping());
}

}  // namespace weir::frontend::json_schema
