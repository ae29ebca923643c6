// JsonScanner: reads one JSON value byte by byte and says where it ends.
//
// WHY    Arguments are passed on while they are written, so they must be known to be JSON up to each byte.
// WHICH  RFC 8259. Blanks before the value belong to it, blanks after it do not.
#ifndef WEIR_SRC_REPLIES_JSON_SCANNER_H_
#define WEIR_SRC_REPLIES_JSON_SCANNER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/blanks.h"

namespace weir::replies {

using base::is_blank;
using base::trimmed;

constexpr bool is_quote(char c) { return c == '"' || c == '\''; }

class JsonScanner {
 public:
  enum class Step : std::uint8_t {
    kMore,   ///< The byte belongs to the value, which goes on or may go on.
    kDone,   ///< The byte ends the value.
    kAfter,  ///< The value ended before this byte.
    kBad,    ///< No value continues so.
  };
  Step feed(char c);
  /// Returns true if the text so far is a value. More of a number could follow.
  [[nodiscard]] bool may_end() const;
  [[nodiscard]] bool has_begun() const { return place_ != Place::kValue || !open_.empty(); }
  void reset();

 private:
  enum class Place : std::uint8_t {
    kValue,
    kFirstItem,
    kFirstKey,
    kKey,
    kColon,
    kAfterItem,
    kString,
    kEscape,
    kHex,
    kWord,
    kMinus,
    kZero,
    kDigits,
    kPoint,
    kFraction,
    kExponent,
    kExponentSign,
    kExponentDigits,
    kEnd,
  };
  Step value(char c);
  Step number(char c);
  Step end_value();
  Step after_item(char c);
  void open(char bracket, Place next);

  Place place_ = Place::kValue;
  bool is_key_ = false;
  std::uint8_t hex_left_ = 0;
  std::string_view word_ = {};  // what remains of `true`, `false` or `null`
  std::string open_ = {};       // brackets
};

/// Returns true if the text is one JSON value, with blanks around it.
bool is_json(std::string_view text);

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_JSON_SCANNER_H_
