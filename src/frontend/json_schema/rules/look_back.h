// Scans a JSON text backwards from a comma, and finds the value before the comma and the keys of its object so far.
//
// WHY    If items must differ, the next item depends on the one before; if keys must not repeat, the next key depends
//        on the keys so far. Scanning backwards needs no memory beside the text, and need not know where the JSON
//        begins in a longer text.
// HOW    Scanning starts outside of strings, so the first quote found ends a string. The string begins at the nearest
//        earlier quote that an even number of backslashes precedes. Brackets outside of strings are balanced.
// COST   Linear in the text that is scanned: the value, or the object up to the comma.
// THREADS Pure functions.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LOOK_BACK_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LOOK_BACK_H_

#include <string_view>
#include <vector>

namespace weir::frontend::json_schema {

// Precondition of all functions: the text ends with a comma between items or members, perhaps followed by blanks.

/// Returns the value before the comma.
std::string_view value_before_comma(std::string_view text);
/// Returns true if the comma is between members of an object.
bool is_comma_of_object(std::string_view text);
/// Returns the keys of the object as they are written, with their quotes, the last one first. Precondition:
/// is_comma_of_object(text).
std::vector<std::string_view> keys_before_comma(std::string_view text);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LOOK_BACK_H_
