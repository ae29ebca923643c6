// A file of grammars with texts, one JSON object a line, as `weir cases` and `weir bench` read it. What a line may hold
// stands in `weir cases --help` (cases.cc).
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
  std::optional<std::vector<std::uint32_t>> tokens;  ///< Instead of the text's canonical ones.
};

/// A grammar's text and the language that it is in.
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
  GrammarTextOptions options = {};             ///< Of a grammar.
  RegexDialect dialect = RegexDialect::kWeir;  ///< Of kRegex.
  std::string style = {};                      ///< Of kTools, whose text is the list of tools.
  std::vector<std::string> choice = {};        ///< Of kChoice.
  SubstringUnit unit = SubstringUnit::kWord;   ///< Of kSubstring.
  bool has_chunks = false;                     ///< Of kSubstring: it is made of `choice`.
};

struct Case {
  std::string id;
  Result<CaseInput> input;  ///< An error where the line names no grammar that could be read.
  std::vector<CaseTest> tests;
};

/// Reads the grammar.
Result<Grammar> read_grammar(const CaseInput& input, const JsonSchemaOptions& schema, const Limits& limits);

/// Which file, and which of its cases.
struct CaseSelection {
  std::string path;
  std::string filter;       ///< Only cases whose id contains it.
  std::uint64_t first = 0;  ///< Only the first so many of those; 0: all.
  std::uint64_t every = 1;  ///< Of those the first, and then each so manyth.
};
void add_case_options(CLI::App& app, CaseSelection& selection);

/// The cases that are selected, in the file's order. Of standard input a line is read when it is asked for, so that
/// another program may send cases one by one. Functions throw InputError, which names the line.
class CaseFile {
 public:
  explicit CaseFile(const CaseSelection& selection);

  /// Throws at the end of a file in which nothing is selected.
  std::optional<Case> next();
  void rewind();

  /// For showing progress: how much has been read, of how much; 0: not known.
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
