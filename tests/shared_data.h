// Where tests find files: those of the repository, and larger collections that are not part of it (tokenizers, grammars,
// schemas, documents). Tests that need a collection are skipped if it is missing.
#ifndef WEIR_TESTS_SHARED_DATA_H_
#define WEIR_TESTS_SHARED_DATA_H_

#include <filesystem>
#include <string>

namespace weir::tests {

/// Returns the repository's directory. Only shared_data.cc is compiled with its name, so a compiler cache knows the other
/// files of tests in every checkout.
const std::string& repository();

/// Returns the directory in the environment variable WEIR_SHARED_DATA, or else shared/data next to the repository. It
/// need not exist. tests/conformance/tokenizers/python/test_gguf.py does the same in Python.
std::filesystem::path shared_data();

}  // namespace weir::tests

#endif  // WEIR_TESTS_SHARED_DATA_H_
