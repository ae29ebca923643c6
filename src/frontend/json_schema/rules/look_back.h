// Scans a JSON text backwards from a comma, and finds the value before the comma and the keys of its object so far.
//
// WHY    If items must differ, the next item depends on the one before; if keys must not repeat, the next key depends
//        on the keys so far. Scanning backwards needs no memory beside the text, and need not know where the JSON
//        begins in a longer text.
// HOW    Scanning starts outside of strings, so the first quote found ends a string. The string begins at the nearest
//        earlier quote that an even number of backslashes precedes. Brackets outside of strings are balanced.
// COST   Functions: linear in the text that is scanned, the value or the last member. KeyReader: the members since the
//        last comma of the object that it has read, and a comparison with the text of the object up to there.
// THREADS Pure functions; a KeyReader is for one thread.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LOOK_BACK_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LOOK_BACK_H_

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/limits.h"

namespace weir::frontend::json_schema {

// Precondition of all functions: the text ends with a comma between items or members, perhaps followed by blanks.

/// Returns the value before the comma.
std::string_view value_before_comma(std::string_view text);
/// Returns true if the comma is between members of an object.
bool is_comma_of_object(std::string_view text);
struct MemberBefore {
  std::string_view key;     ///< As it is written, with its quotes.
  std::string_view before;  ///< The text before the key: ends with a comma if another member comes before it.
};
/// Returns the last member of the object. Precondition: is_comma_of_object(text).
MemberBefore member_before_comma(std::string_view text);

/// Reads the keys that an object has before a comma. Many texts are read that differ in the last member alone, so it
/// remembers some objects up to the comma before that.
class KeyReader {
 public:
  explicit KeyReader(const Limits& limits) : limits_(limits) {}
  /// Returns the keys, decoded and sorted, each followed by kKeyEnd. Valid until the next call. Precondition:
  /// is_comma_of_object(text).
  std::string_view keys(std::string_view text);
  /// Sets `out` to `some`, which are like keys(), together with `others`, which are sorted. `out` shares no memory with
  /// them.
  static void merge_keys(std::string_view some, std::span<const std::string> others, std::string& out);

  static constexpr char kKeyEnd = '\xFF';  ///< Never occurs in UTF-8.

 private:
  struct Known {
    std::string text;  // of the object, from its bracket to a comma
    std::string keys;  // as keys() returns them
  };
  const Known& object_before(std::string_view text);
  [[nodiscard]] std::vector<std::string> decoded(std::span<const std::string_view> written) const;  // sorted

  const Limits& limits_;
  std::array<Known, 4> known_;
  std::size_t next_ = 0;  // where the next object that is not known is stored
  // The last result, if no object has changed since then: the keys of this object, null if it is empty, and one more key.
  // The tokens of a mask mostly end the same member, each with another value.
  std::optional<std::string> found_;
  const Known* of_object_ = nullptr;
  std::string of_key_;  // as it is written
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LOOK_BACK_H_
