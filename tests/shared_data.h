// Larger collections that are not part of the repository: tokenizers, grammars, schemas, documents. Tests that need
// them are skipped if they are missing.
#ifndef WEIR_TESTS_SHARED_DATA_H_
#define WEIR_TESTS_SHARED_DATA_H_

#include <cstdlib>
#include <filesystem>

namespace weir::tests {

/// Returns the directory in the environment variable WEIR_SHARED_DATA, or else shared/data next to the repository. It
/// need not exist. tests/conformance/tokenizers/python/test_gguf.py does the same in Python.
inline std::filesystem::path shared_data() {
  const char* from_environment = std::getenv("WEIR_SHARED_DATA");
  if (from_environment != nullptr) return from_environment;
  return std::filesystem::path(WEIR_SOURCE_DIR).parent_path() / "shared" / "data";
}

}  // namespace weir::tests

#endif  // WEIR_TESTS_SHARED_DATA_H_
