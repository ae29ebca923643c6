// Reads files of grammars with texts, one JSON object a line, for `weir cases` and `weir bench`. `weir cases --help`
// (cases.cc) describes the members of a line.
#ifndef WEIR_APPS_SUPPORT_CASE_FILE_H_
#define WEIR_APPS_SUPPORT_CASE_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/error.h"
#include "weir/grammar.h"

namespace CLI {
class App;
}

namespace weir::cli {

struct CaseTest {
  bool valid = false;
  std::string text;
  std::optional<std::vector<std::uint32_t>> tokens;  ///< Used instead of the text's canonical tokens.
};

/// A grammar's text and its language.
struct CaseInput {
  enum class Language : std::uint8_t {
    kGrammar,
    kRegex,
    kSchema,
    kStructuralTag,
    kTools,
    kResponseFormat,
    kJson,
    kJsonObject,
    kChoice,
    kSubstring
  };
  Language language = Language::kGrammar;
  std::string text;
  GrammarTextOptions options = {};             ///< For kGrammar.
  RegexDialect dialect = RegexDialect::kWeir;  ///< For kRegex.
  std::string style = {};                      ///< For kTools; `text` is the list of tools.
  std::vector<std::string> choice = {};        ///< For kChoice.
  SubstringUnit unit = SubstringUnit::kWord;   ///< For kSubstring.
  bool has_chunks = false;                     ///< For kSubstring: the chunks are `choice`.
};

struct Case {
  std::string id;
  Result<CaseInput> input;  ///< An error if the line has no readable grammar.
  std::vector<CaseTest> tests;
};

/// Reads the grammar.
Result<Grammar> read_grammar(const CaseInput& input, const JsonSchemaOptions& schema, const Limits& limits);

/// A file and a selection of its cases.
struct CaseSelection {
  std::string path;
  std::string filter;       ///< Only cases whose id contains it.
  std::uint64_t first = 0;  ///< Only so many cases, counted after `filter` and `every`; 0 means all.
  std::uint64_t every = 1;  ///< Of the cases that `filter` leaves, the first and each `every`-th after it.
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
