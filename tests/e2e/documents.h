// Where the end-to-end test and the demonstration take their documents from: files committed under examples/documents,
// larger collections where they are present (shared_data.h), and a generator of expressions.
#ifndef WEIR_TESTS_E2E_DOCUMENTS_H_
#define WEIR_TESTS_E2E_DOCUMENTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::e2e {

struct Document {
  std::string name;
  std::string text;
};

/// The files of `directory` and below whose names end in `suffix`, by name; every `stride`th. Empty where there is no
/// such directory.
std::vector<Document> files_in(const std::string& directory, const std::string& suffix, std::size_t stride = 1);

/// The instances of a MaskBench file (a JSON object a line, each with "tests": [{"data": …}], packed with xz), those
/// that are valid for their schema and those that are not: all are JSON. Every `stride`th line. Empty where the file or
/// xz is missing.
std::vector<Document> maskbench_instances(const std::string& path, std::size_t stride);

/// Random texts of the language of examples/expression.ebnf.
std::vector<Document> random_expressions(std::size_t count, std::uint64_t seed);

}  // namespace weir::e2e

#endif  // WEIR_TESTS_E2E_DOCUMENTS_H_
