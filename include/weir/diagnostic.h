// Diagnostics: the errors and warnings about a text, as data for editors and as text for people.
//
// WHAT   An Error says why one building call failed. A Diagnostic is one finding in a list of errors and warnings; the
//        functions of check.h return such lists.
// WHY    An editor wants all findings of one run, each with a stable code to filter by and, if there is one, a fix to
//        offer.
// THREADS Plain values, and functions of their arguments alone.
#ifndef WEIR_DIAGNOSTIC_H_
#define WEIR_DIAGNOSTIC_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/export.h"

namespace weir {

/// The greatest number of errors that are reported for one text.
inline constexpr std::size_t kMaxErrors = 20;

enum class Severity : std::uint8_t { kError, kWarning };

/// Returns "error" or "warning".
WEIR_API std::string_view to_string(Severity severity) noexcept;

/// One finding about a text. `where` and `fix` are ranges of bytes of that text, or of the finding's own.
struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;  ///< The name of the error's ErrorCode, or Warning::code. docs/diagnostics.md lists them.
  std::string message;
  SourceRange where = {};
  std::string hint = {};
  std::string limit = {};    ///< The field of Limits that was exceeded, if one was.
  std::string pointer = {};  ///< With a JSON Schema: Error::pointer.
  std::vector<ErrorNote> notes = {};
  std::optional<Fix> fix = {};
  std::string options = {};  ///< Error::options.
  /// The text that the ranges are of, if that is not the one that was read: Error::text. Otherwise null.
  std::shared_ptr<const std::string> text = nullptr;
};

/// Returns the error or the warning as a finding.
WEIR_API Diagnostic to_diagnostic(Error error);
WEIR_API Diagnostic to_diagnostic(Warning warning);

/// How a finding is shown.
struct RenderOptions {
  bool colors = false;  ///< Adds the escape sequences that colour a terminal.
};

/// Returns the finding as text, in the form that render() gives an Error. If a fix is in the quoted line, the line
/// below the caret shows its replacement.
/// Example
///     std::cerr << weir::render(weir::check_regex(pattern).front(), pattern, "<regex>", {.colors = true});
WEIR_API std::string render(const Diagnostic& diagnostic, std::string_view text, std::string_view name,
                            const RenderOptions& options = {});

}  // namespace weir

#endif  // WEIR_DIAGNOSTIC_H_
