// Texts that are well-formed, made of any bytes: most of what a mutation changes is then read, compiled and walked.
#ifndef WEIR_TESTS_FUZZ_STRUCTURED_H_
#define WEIR_TESTS_FUZZ_STRUCTURED_H_

#include <string>
#include <string_view>

namespace weir::fuzz {

/// A grammar in weir's EBNF.
std::string grammar_text(std::string_view data);

/// A JSON Schema.
std::string schema_text(std::string_view data);

}  // namespace weir::fuzz

#endif  // WEIR_TESTS_FUZZ_STRUCTURED_H_
