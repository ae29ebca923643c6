// Looking back over a JSON text from a comma: the value before it, and the keys of its object so far.
//
// WHY    What may come next depends on them where items must differ and keys must not come again. Looking back needs no
//        memory beside the text, and need not know where in a longer text the JSON begins.
// HOW    Outside of a string a quote ends one, which begins at the next quote back that no odd number of backslashes
//        precedes; and brackets outside of strings are balanced.
// COST   What is passed: a value, or an object up to here.
// THREADS Functions of their arguments alone.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LOOK_BACK_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LOOK_BACK_H_

#include <string_view>
#include <vector>

namespace weir::frontend::json_schema {

// Precondition of all: the text ends with a comma between items or members, and blanks.

/// The value before the comma.
std::string_view value_before_comma(std::string_view text);
/// Whether it is a member's.
bool is_comma_of_object(std::string_view text);
/// The keys of the object that the comma stands in, as they are spelled, quotes included; the last one first.
/// Precondition: it stands in an object.
std::vector<std::string_view> keys_before_comma(std::string_view text);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LOOK_BACK_H_
