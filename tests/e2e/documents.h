// The documents of the end-to-end test and the demonstration: files in examples/documents, larger collections if they
// are present (shared_data.h), and randomly generated expressions.
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

/// Returns every `stride`th file in `directory` and its subdirectories whose name ends in `suffix`, sorted by name.
/// Returns none if there is no such directory.
std::vector<Document> files_in(const std::string& directory, const std::string& suffix, std::size_t stride = 1);

/// Returns the instances in every `stride`th line of a MaskBench file, valid and invalid ones: all are JSON. The file
/// is packed with xz. Each line is a JSON object with "tests": [{"data": …}]. Returns none if the file or xz is
/// missing.
std::vector<Document> maskbench_instances(const std::string& path, std::size_t stride);

/// Returns the schemas in every `stride`th line of a MaskBench file ("schema": {…}). Returns none if the file or xz is
/// missing.
std::vector<Document> maskbench_schemas(const std::string& path, std::size_t stride);

/// Returns random texts of the language of examples/expression.ebnf.
std::vector<Document> random_expressions(std::size_t count, std::uint64_t seed);

}  // namespace weir::e2e

#endif  // WEIR_TESTS_E2E_DOCUMENTS_H_
