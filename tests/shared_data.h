// Larger collections that are no part of the repository: tokenizers, grammars, schemas, documents. Tests that need them
// are skipped where they are not there.
#ifndef WEIR_TESTS_SHARED_DATA_H_
#define WEIR_TESTS_SHARED_DATA_H_

#include <cstdlib>
#include <filesystem>

namespace weir::tests {

/// The environment's WEIR_SHARED_DATA, else shared/data beside the repository. It need not exist. The one look-up
/// outside of C++ is in tests/conformance/tokenizers/python/test_gguf.py.
inline std::filesystem::path shared_data() {
  const char* from_environment = std::getenv("WEIR_SHARED_DATA");
  if (from_environment != nullptr) return from_environment;
  return std::filesystem::path(WEIR_SOURCE_DIR).parent_path() / "shared" / "data";
}

}  // namespace weir::tests

#endif  // WEIR_TESTS_SHARED_DATA_H_
