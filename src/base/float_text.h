// Floats as decimal fractions, read and written as std::from_chars and std::to_chars do.
//
// WHY    The standard library's functions add 27 KB to weir.wasm, which a page has to load first: code, and tables for
//        all types of floating-point numbers. The only such numbers in grammars are temperatures.
// COST   Some microseconds; reading is linear in the text.
// THREADS Functions without state.
#ifndef WEIR_SRC_BASE_FLOAT_TEXT_H_
#define WEIR_SRC_BASE_FLOAT_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

namespace weir::base {

/// Returns the float that is nearest to a decimal fraction; if two are, the one with an even mantissa. `text` is digits
/// with at most one point, and an optional exponent, without a sign before the digits. Returns nullopt for any other
/// text, and for a value that would be rounded to infinity, or to 0 although it is not 0.
std::optional<float> read_float(std::string_view text);

/// Returns the shortest text from which read_float reads `value`; if several have as few digits, the nearest to `value`.
/// Plain notation unless scientific notation such as `1.5e-09` is shorter. Precondition: finite, 0 or above.
std::string float_text(float value);

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_FLOAT_TEXT_H_
