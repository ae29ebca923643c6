// Recipes: texts that contain lists, and a size. The cases of tests/growth and tests/hostile are written as recipes for a
// grammar and for a text.
//
// $n         the size
// $l         a line end
// <<COUNT;SEPARATOR;BODY>>
//            COUNT copies of BODY with SEPARATOR between them. COUNT is a number or `n`, also `n/10` or `s`, the square
//            root of the size. In BODY, $i is the copy's number from 0, $j the number modulo 7, $c the letter of the
//            number modulo 26, $h a word of six letters that looks random and differs from those of other numbers. A
//            list in a BODY has copies that are equal, and no numbers.
#ifndef WEIR_TESTS_RECIPE_H_
#define WEIR_TESTS_RECIPE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::tests {

/// Returns the text of a recipe for this size. A list has at most `most_copies` copies.
std::string expand(std::string_view recipe, std::uint64_t size = 0, std::size_t most_copies = SIZE_MAX);

}  // namespace weir::tests

#endif  // WEIR_TESTS_RECIPE_H_
