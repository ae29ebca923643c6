// Reads files of grammars with texts, one JSON object a line, for `weir cases` and `weir bench`. `weir cases --help`
// (cases.cc) describes the members of a line.
#ifndef WEIR_APPS_SUPPORT_CASE_FILE_H_
#define WEIR_APPS_SUPPORT_CASE_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar_text.h"
#include "weir/error.h"
#include "weir/grammar.h"
#include "weir/tokenizer_info.h"

namespace CLI {
class App;
}

namespace weir::cli {

struct CaseTest {
  bool valid = false;
  std::string text;
  std::optional<std::vector<std::uint32_t>> tokens;  ///< Used instead of the text's canonical tokens.
};

struct Case {
  std::string id;
  Result<GrammarText> input;  ///< An error if the line has no readable grammar.
  std::vector<CaseTest> tests;
};

/// Reads the grammar of a case.
Result<Grammar> read_grammar(const Case& of, const JsonSchemaOptions& schema, const Limits& limits);

/// Returns the tokens of a test: those that it lists, or its text's. Error: the tokenizer cannot tokenize the text.
Result<std::vector<std::uint32_t>> tokens_of(const CaseTest& test, const TokenizerInfo& tokenizer);

/// A file and a selection of its cases.
struct CaseSelection {
  std::string path;
  std::string filter;       ///< Only cases whose id contains it.
  std::uint64_t first = 0;  ///< Only so many cases, counted after `filter` and `every`; 0 means all.
  std::uint64_t every = 1;  ///< The first of the cases that `filter` leaves, and each `every`-th after it.
};
void add_case_options(CLI::App& app, CaseSelection& selection);

/// Iterates over the selected cases in the order of the file. A line of standard input is read only when next() needs
/// it, so that another program may send cases one by one. Functions throw InputError, which names the line.
class CaseFile {
 public:
  explicit CaseFile(const CaseSelection& selection);

  /// Returns the next case, or nullopt at the end. Throws InputError at the end if no case was selected.
  std::optional<Case> next();
  void rewind();

  /// For Progress: position() is the number of lines read or, with CaseSelection::first, of cases returned; size() is
  /// its greatest possible value, 0 if that is not known.
  [[nodiscard]] std::uint64_t position() const;
  [[nodiscard]] std::uint64_t size() const;

 private:
  bool has_line();

  CaseSelection selection_;
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
  std::uint64_t matching_ = 0, selected_ = 0;
};

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_CASE_FILE_H_
