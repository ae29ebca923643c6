// KeyGuard: refuses a JSON text when a key comes twice in one object.
//
// WHY    Rules would have to remember all keys of all objects that are open, and no two texts would share a state. So
//        the rules let a key come again, and the guard, which reads the text beside the parser, refuses its last quote.
// HOW    One pass over the bytes: which containers are open, which keys each object has, and of a key in progress what
//        it means so far, escapes undone. Keys and containers are logged with their places, so that reading can be
//        taken back. The text is JSON already where the parser allows it; the guard does not look at anything else.
//        A token that holds a whole key in its quotes is rare, and what it holds is punctuation. So the guard counts
//        the keys that are such a text, and while there are none those tokens need not be asked about.
// COST   Some nanoseconds a byte; the keys of the text.
// THREADS As grammar::TextGuard.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_KEY_GUARD_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_KEY_GUARD_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/growth.h"

namespace weir::frontend::json_schema {

class KeyGuard : public grammar::TextGuard {
 public:
  explicit KeyGuard(const grammar::TokenQuotes& quotes) : quotes_(quotes) {}
  [[nodiscard]] std::unique_ptr<TextGuard> clone() const override { return std::make_unique<KeyGuard>(*this); }
  bool read(char byte) override;
  [[nodiscard]] Mark mark() const override { return {position_, place_, partial_}; }
  void rewind(const Mark& mark) override;
  [[nodiscard]] Refusals refusals() const override;

 private:
  enum class Phase : std::uint8_t { kOther, kKeyExpected, kKey, kString };
  // The escape in progress: none, behind the backslash, or behind `\u` and some digits.
  static constexpr std::uint8_t kNoEscape = 0, kBackslash = 1, kDigits = 2;

  struct Container {
    std::size_t open = 0;
    std::uint32_t parent = 0;
    bool is_object = false;
    std::set<std::string> keys;
  };

  struct LoggedKey {
    std::size_t end = 0;  // the place behind it
    std::uint32_t container = 0;
    bool is_quoted = false;  // by a token
    std::string key;
  };

  void read_in_string(char byte);
  void read_key_byte(char byte);
  void append_code_unit(std::uint32_t unit);
  void flush_surrogate();

  [[nodiscard]] bool is_quoted(std::string_view key) const;
  [[nodiscard]] static bool may_be_raw(std::string_view text);
  [[nodiscard]] bool may_be_escaped(std::string_view text) const;

  [[nodiscard]] Phase phase() const { return static_cast<Phase>(place_.phase); }
  void set_phase(Phase phase) { place_.phase = static_cast<std::uint8_t>(phase); }

  grammar::TokenQuotes quotes_;
  std::size_t position_ = 0;
  std::size_t quoted_keys_ = 0;  // of the log
  Place place_ = {};
  std::string partial_;                                            // of the key in progress
  std::vector<Container> containers_ = std::vector<Container>(1);  // the first is around the text
  std::vector<LoggedKey> key_log_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_KEY_GUARD_H_
