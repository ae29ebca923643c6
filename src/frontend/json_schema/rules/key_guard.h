// KeyGuard: rejects a JSON text in which an object has the same key twice.
//
// WHY    If the rules excluded used keys, they would have to track all keys of all open objects, and no two texts would
//        share a state. So the rules allow a key to come again. The guard reads the text beside the parser, and rejects
//        the closing quote of a repeated key.
// HOW    One pass over the bytes. The guard tracks the open containers, the keys of each object, and what is written of
//        a key in progress. It logs keys and containers with their positions, so that rewind() can undo them. It does
//        no syntax checks, because the parser only lets JSON through.
//        Tokens that contain a whole key with both quotes are rare, and the keys in them are mostly punctuation. The
//        guard counts the keys in the text that some token quotes so. While there are none, such tokens need no check.
// COST   A few operations a byte; a key is decoded at its end, and as far as it goes for each mask within it. Memory: the
//        keys of the text.
// THREADS Same as grammar::TextGuard.
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
  struct Container {
    std::size_t open = 0;
    std::uint32_t parent = 0;
    bool is_object = false;
    std::set<std::string> keys;
  };

  struct LoggedKey {
    std::size_t end = 0;  // the position after its closing quote
    std::uint32_t container = 0;
    bool is_quoted = false;  // some token contains it with both quotes
    std::string key;
  };

  void read_outside(char byte);
  [[nodiscard]] bool is_quoted(std::string_view key) const;
  [[nodiscard]] static bool may_be_raw(std::string_view text);
  [[nodiscard]] bool may_be_escaped(std::string_view text) const;

  grammar::TokenQuotes quotes_;
  std::size_t position_ = 0;
  std::size_t quoted_keys_ = 0;  // the number of is_quoted in key_log_
  Place place_ = {};
  std::string partial_;                                            // what is written of the key in progress
  std::vector<Container> containers_ = std::vector<Container>(1);  // the first stands for the whole text
  std::vector<LoggedKey> key_log_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_KEY_GUARD_H_
