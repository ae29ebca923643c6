// KeyGuard: refuses a JSON text in which an object has the same key twice, and the tokens that would write one.
//
// WHY    If the rules excluded used keys, they would have to track all keys of all open objects, and no two texts would
//        share a state. So the rules allow a key to come again. The guard reads the text beside the parser, and refuses
//        the closing quote of a repeated key.
// HOW    One pass over the bytes. The guard tracks the open containers, the keys of each object, and what is written of
//        a key in progress. It logs keys, containers and places with their positions, so that rewind() can undo them.
//        It does no syntax checks, because the parser only lets JSON through.
//        A *place* is the container at a position, whether the position is inside a string, and whether that is a key.
// TOKENS A token is refused if it completes the key in progress to one that the object has, or if it contains a whole
//        key that its object has already or that the token writes twice. The former are those that begin with the rest
//        of a used key and a quote; if the rest may be written with an escape, tokens with a backslash before their
//        last quote are read one by one; within an escape, all tokens. The latter have two quotes or more. They are
//        rare, and the keys in them are mostly punctuation. The guard counts the keys in the text that some token
//        quotes so. While there are none, and outside a key, plain tokens (quoting_tokens.h) need no check.
// COST   A few operations a byte. A key is decoded when it ends; each mask within a key decodes the part written so
//        far. Memory: each key three times (as written, in its object, in the log), and 24 bytes for each change of
//        place: about two for a key or a string, one for a comma or a bracket.
// THREADS Same as grammar::TextGuard.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_KEY_GUARD_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_KEY_GUARD_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_text.h"
#include "base/json/quoting_tokens.h"
#include "grammar/text_guard.h"

namespace weir::frontend::json_schema {

class KeyGuard : public grammar::TextGuard {
 public:
  /// `tokens`, those of the vocabulary, must outlive the guard and its clones.
  explicit KeyGuard(const base::QuotingTokens& tokens) : tokens_(&tokens) {}
  [[nodiscard]] std::unique_ptr<TextGuard> clone() const override { return std::make_unique<KeyGuard>(*this); }
  bool read(char byte) override;
  [[nodiscard]] std::size_t position() const override { return position_; }
  void rewind(std::size_t position) override;
  void list_refused(const grammar::AllowedTokens& allowed, std::vector<std::uint32_t>& refused) override;

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
    bool is_quoted = false;       // some token contains it with both quotes
    std::size_t written_end = 0;  // the size of written_ at its end
    std::string key;
  };
  struct Place {
    std::uint32_t container = 0;
    base::JsonPlace where = {};
    bool is_key = false;  // the string is a key, or the next string will be
    [[nodiscard]] bool is_in_key() const { return is_key && where != base::JsonPlace::kOutside; }
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct LoggedPlace {
    std::size_t position = 0;  // where the place begins
    Place place = {};
    std::size_t written_size = 0;  // the size of written_ there
  };

  Place place_after_outside(char byte);
  bool end_key();
  [[nodiscard]] std::string_view key_in_progress() const;
  class Refusal;
  void list_at_key(Refusal& refusal);

  const base::QuotingTokens* tokens_;
  std::size_t position_ = 0;
  std::size_t quoted_keys_ = 0;  // the number of is_quoted in key_log_
  Place place_ = {};
  std::string written_;                                            // all keys and the one in progress, as written
  std::vector<Container> containers_ = std::vector<Container>(1);  // the first stands for the whole text
  std::vector<LoggedKey> key_log_;
  std::vector<LoggedPlace> place_log_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_KEY_GUARD_H_
