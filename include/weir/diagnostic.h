// Diagnostics: all that there is to say of a text, errors and warnings alike, as data for editors and as text for
// people.
//
// WHAT   An error that ends building is an Error; a Diagnostic is one finding of a list. check.h finds them.
// WHY    An editor wants all findings of one run, each with a stable code to filter by and a change to offer.
// THREADS Plain values, and functions of their arguments alone.
#ifndef WEIR_DIAGNOSTIC_H_
#define WEIR_DIAGNOSTIC_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/export.h"

namespace weir {

/// The number of errors that are reported for one text.
inline constexpr std::size_t kMaxErrors = 20;

enum class Severity : std::uint8_t { kError, kWarning };

/// "error", "warning".
WEIR_API std::string_view to_string(Severity severity) noexcept;

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;  ///< Of an error its ErrorCode's name; of a warning Warning::code. docs/diagnostics.md lists them.
  std::string message;
  SourceRange where = {};
  std::string hint = {};
  std::string limit = {};    ///< The field of Limits that was exceeded, if one was.
  std::string pointer = {};  ///< Of a JSON Schema: Error::pointer.
  std::vector<ErrorNote> notes = {};
  std::optional<Fix> fix = {};
};

WEIR_API Diagnostic to_diagnostic(Error error);
WEIR_API Diagnostic to_diagnostic(Warning warning);

struct RenderOptions {
  bool colors = false;  ///< With the escape sequences that colour a terminal.
};

/// As render() of an Error; and where there is a fix, below the caret what it puts there.
WEIR_API std::string render(const Diagnostic& diagnostic, std::string_view text, std::string_view name,
                            const RenderOptions& options = {});

}  // namespace weir

#endif  // WEIR_DIAGNOSTIC_H_
