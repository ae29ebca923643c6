// Makes well-formed texts from arbitrary bytes, so that most mutations of the bytes give a text that is read, compiled
// and walked.
#ifndef WEIR_TESTS_FUZZ_STRUCTURED_H_
#define WEIR_TESTS_FUZZ_STRUCTURED_H_

#include <string>
#include <string_view>

namespace weir::fuzz {

/// Returns a grammar in weir's EBNF.
std::string grammar_text(std::string_view data);

/// Returns a JSON Schema.
std::string schema_text(std::string_view data);

}  // namespace weir::fuzz

#endif  // WEIR_TESTS_FUZZ_STRUCTURED_H_
