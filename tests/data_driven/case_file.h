// Reads the cases of tests/data from TOML; tests/data/README.md explains the keys.
#ifndef WEIR_TESTS_DATA_DRIVEN_CASE_FILE_H_
#define WEIR_TESTS_DATA_DRIVEN_CASE_FILE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace weir::testing {

struct MaskCase {
  std::string after;
  std::vector<std::string> allowed;
};

/// The captures that are reported after a text.
struct CaptureCase {
  std::string after;
  std::vector<std::string> are;  // "name=text", or "name=text..." if it is not complete
};
struct TemperatureCase {
  std::string after;
  std::optional<float> is;
};

struct ErrorCase {
  std::string code;
  std::optional<std::pair<std::size_t, std::size_t>> at;
  std::string says;
};

struct Case {
  std::string file;
  std::string name;
  std::string syntax = "ebnf";
  std::string grammar;
  std::string start;
  std::string dialect = "weir";  ///< For a regular expression.
  bool keep_endless = false;
  bool exact_splits = false;
  std::vector<std::pair<std::string, std::string>> grammars;  // names and texts, in Lark
  std::vector<std::string> tokens;
  std::vector<std::string> accepts;
  std::vector<std::string> rejects;
  std::vector<std::string> dead_prefixes;
  std::vector<MaskCase> masks;
  std::vector<CaptureCase> captures;
  std::vector<TemperatureCase> temperatures;
  std::optional<ErrorCase> error;
  std::vector<std::string> warnings;
};

/// Returns all cases of all files in a directory, in order. A file that cannot be read, or an unknown key, gives a case
/// named "unreadable" whose grammar is the reason.
std::vector<Case> read_cases(const std::string& directory);

}  // namespace weir::testing

#endif  // WEIR_TESTS_DATA_DRIVEN_CASE_FILE_H_
