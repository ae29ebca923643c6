// YamlGuard: refuses a YAML text in which an object has the same key twice, and the tokens that would write one.
//
// WHY    As for KeyGuard: rules that exclude used keys have states and terminals of their own for each set of keys.
// HOW    One pass over the bytes of a text that rules for YAML allow, as YamlReader reads it, but without a look ahead. A
//        place says what the next byte may be: within a line's blanks, a plain or quoted scalar, lines after `|`, brackets.
//        Keys, containers and places are logged with their positions, so that rewind() can undo them.
// ENDS   A key ends for certain at the closing double quote, at the colon after a closing single quote, and at the blank or
//        line end after the colon of a plain key: `a:b` and `'a''b'` go on. There a key that comes again is refused. So the
//        rules leave the used keys of an object to the guard only if a key may go on in any way
//        (SchemaRules::depends_on_used_keys). A null after the colon of a plain key may be empty, and the text end there:
//        may_end() says no if the key comes again.
//        The first key of an object is no repetition, and only its end tells that it is a key: `- a` or `- a: 1`.
// TOKENS Few tokens end a key within them: those with a double quote, and those with a colon and a blank, a line end or a
//        single quote beside it (QuotingTokens::with_colons). Where they may be the end of a used key, or contain a whole
//        key, they are read one by one. After the colon of a used plain key all tokens that begin with a blank or line end
//        are refused.
// COST   A few operations a byte; each key is decoded when it ends. Memory: the text of scalars that may be keys, each key
//        twice, and 48 bytes for each change of place.
// THREADS Same as grammar::TextGuard.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_YAML_GUARD_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_YAML_GUARD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/quoting_tokens.h"
#include "grammar/text_guard.h"

namespace weir::frontend::json_schema {

class YamlGuard : public grammar::TextGuard {
 public:
  /// `tokens`, those of the vocabulary, must outlive the guard and its clones.
  explicit YamlGuard(const base::QuotingTokens& tokens) : tokens_(&tokens) {}
  [[nodiscard]] std::unique_ptr<TextGuard> clone() const override { return std::make_unique<YamlGuard>(*this); }
  bool read(char byte) override;
  [[nodiscard]] bool may_end() const override;
  [[nodiscard]] std::size_t position() const override { return position_; }
  void rewind(std::size_t position) override;
  void list_refused(const grammar::AllowedTokens& allowed, std::vector<std::uint32_t>& refused) override;

 private:
  struct Container {
    std::size_t open = 0;  // the position of the byte that opens it
    std::uint32_t parent = 0;
    std::uint32_t column = 0;  // of a block
    bool is_object = false;
    bool is_flow = false;
    bool is_pair = false;  // an object of one member in an array in brackets, without braces
    std::set<std::string> keys = {};
  };
  struct LoggedKey {
    std::size_t end = 0;  // the position after the byte that ends it
    std::uint32_t container = 0;
    bool is_quoted = false;  // some token contains it with double quotes
    std::string key;
  };
  enum class At : std::uint8_t {
    kValue,   // before a value on the line of its key or dash, or of the document's begin
    kLine,    // among the blanks that a line begins with
    kDash,    // after a dash that is an item's if a blank follows
    kHeader,  // after `|` or `>`
    kText,    // within a line of the lines after that
    kPlain,
    kColon,      // in a plain scalar that may be a key, after a colon
    kSingle,     // within single quotes
    kSingleEnd,  // after a quote there: the end, or the first of two
    kDouble,
    kDoubleEscape,  // after a backslash there
    kDoubleEnd,
    kKeyEnd,  // after the colon of a quoted key
    kFlow,    // in brackets, before a key or value
    kAfter,   // after a value
  };
  // What a line may continue.
  enum class Before : std::uint8_t { kNothing, kPlain, kText, kValue };
  struct Place {
    std::uint32_t container = 0;  // 0: the document
    std::uint32_t column = 0;     // of a scalar's first byte; of the lines after `|`, or 0 if it is not known yet
    At at = At::kValue;
    Before before = Before::kNothing;  // at kLine and kDash
    bool is_key = false;               // the scalar in progress is a key of the container,
    bool may_be_key = false;           // or perhaps the first key of an object in it
    bool expects_key = false;          // in brackets
    std::size_t line = 0;              // the position after the last line end of a block
    std::size_t scalar = 0;            // where the scalar in progress begins in written_, if it may be a key
    [[nodiscard]] bool is_candidate() const { return is_key || may_be_key; }
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct LoggedPlace {
    std::size_t position = 0;  // where the place begins
    Place place = {};
    std::size_t written_size = 0;  // the size of written_ there
  };

  bool advance(char byte);
  void begin_line();
  void at_line(char byte);
  void after_dash(char byte);
  void at_value(char byte);
  void in_flow(char byte);
  bool after_colon(char byte);
  void in_plain(char byte);
  void after_value(char byte);
  void begin_scalar(char first, bool is_key, bool may_be_key, std::size_t column);
  void open(bool is_object, bool is_flow, std::size_t column);
  void open_bracket(char bracket);
  void close_to(std::size_t column, bool is_item);
  void before_value_of_key(char byte);
  bool end_key(std::string_view written);
  [[nodiscard]] Container& container() { return containers_[place_.container]; }
  [[nodiscard]] const Container& container() const { return containers_[place_.container]; }
  [[nodiscard]] std::size_t column_around() const { return place_.container == 0 ? 0 : container().column; }
  [[nodiscard]] std::string_view written() const { return std::string_view(written_).substr(place_.scalar); }
  [[nodiscard]] bool is_used(std::string_view written) const;
  class Refusal;
  void list_in_double_quotes(Refusal& refusal) const;

  const base::QuotingTokens* tokens_;
  std::size_t position_ = 0;
  std::size_t quoted_keys_ = 0;  // the number of is_quoted in key_log_
  Place place_ = {};
  std::string written_;                                            // the scalars that may be keys, as written
  std::vector<Container> containers_ = std::vector<Container>(1);  // the first stands for the document
  std::vector<LoggedKey> key_log_;
  std::vector<LoggedPlace> place_log_;
};

/// Returns a YamlGuard; the smaller WebAssembly module has none.
std::unique_ptr<grammar::TextGuard> make_yaml_guard(const base::QuotingTokens& tokens);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_YAML_GUARD_H_
