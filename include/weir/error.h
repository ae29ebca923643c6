// The building channel of errors: everything that turns text into an object returns Result<T>.
//
// WHAT   A Result<T> is a value or an Error; an Error says what is wrong, where in the caller's text, and, where there
//        is one, the likely fix. The stepping channel, Step, stands in matcher.h.
// WHY    Users write schemas and grammars by hand: an error that does not point at the place costs them an hour.
// THREADS Plain values, and functions of their arguments alone.
#ifndef WEIR_ERROR_H_
#define WEIR_ERROR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "weir/export.h"

namespace weir {

/// What kind of thing went wrong. The list is closed; the message has the details.
enum class ErrorCode : std::uint8_t {
  kInvalidArgument,  ///< An argument, an option or a file that cannot be used as asked.
  kSyntax,           ///< Text that does not follow the syntax of its language.
  kUnsupported,      ///< Well-formed, but outside what weir can express; the construct is named.
  kUnsatisfiable,    ///< Well-formed, but no string satisfies it.
  kLimitExceeded,    ///< A field of Limits was exceeded; `Error::limit` names it.
  kInternal,         ///< A defect in weir.
};

/// The code's name as it is printed and put into JSON: "syntax", "limit_exceeded", ...
WEIR_API std::string_view to_string(ErrorCode code) noexcept;

/// A range of bytes in the user's text, [start, end). Empty where there is nothing to point at but a position.
struct SourceRange {
  std::size_t start = 0;
  std::size_t end = 0;
  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

/// Another place that has to do with an error: of constraints that contradict each other, one.
struct ErrorNote {
  std::string message;
  SourceRange where = {};     ///< Into the text that was being read; empty where it is another document.
  std::string location = {};  ///< In a JSON Schema: "#/a/minLength", in another document "https://example.com/x#/a".
};

/// A change of the text that mends what is wrong, or that is at least what was likely meant.
struct Fix {
  SourceRange where = {};  ///< What is replaced; empty where something is put in.
  std::string replacement = {};
  friend bool operator==(const Fix&, const Fix&) = default;
};

/// Why something could not be built.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;     ///< One sentence, lower case, no full stop: "unknown rule `exprs`".
  SourceRange where = {};  ///< Into the text that was being read.
  std::string hint = {};   ///< A likely fix: "did you mean `expr`?". May be empty.
  std::string limit = {};  ///< With kLimitExceeded, the field of Limits: "grammar_symbols". Otherwise empty.
  /// With a JSON Schema, the JSON Pointer (RFC 6901) of the value that `where` lies in. "" is the whole schema.
  std::string pointer = {};
  std::vector<ErrorNote> notes = {};  ///< In the order of the text.
  std::optional<Fix> fix = {};        ///< Where a hint can be carried out as it stands.
};

/// Something that is allowed but probably not meant: an unused rule, say.
struct Warning {
  std::string message;
  SourceRange where = {};
  std::string hint = {};
  std::string code = {};  ///< What kind of warning, for programs: "unused-rule". docs/diagnostics.md has the list.
  std::vector<ErrorNote> notes = {};
};

template <typename T>
using Result = tl::expected<T, Error>;

/// A position as people count it. Columns count code points; a malformed byte counts as one.
struct LineColumn {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// The line and column of byte `offset` of `text`; behind its end, those of the end. Cost: O(offset).
WEIR_API LineColumn line_column(std::string_view text, std::size_t offset) noexcept;

/// Prints an error as a compiler does: `name:line:column: error: message`, the line, a caret under the range, the hint;
/// the notes likewise, but for those at the error's own place.
/// `text` is what Error::where is a range of; `name` is the file's name, or "<grammar>" where there is no file. Carets
/// stand under what a terminal shows there: a wide character takes two columns, a combining mark none, and what would
/// move the cursor or turn the text around is shown as an escape, in the name too. Of a long line some hundred bytes
/// around the place are shown. The last line ends with a line feed. Cost: O(where.start).
WEIR_API std::string render(const Error& error, std::string_view text, std::string_view name);
/// The same for a warning.
WEIR_API std::string render(const Warning& warning, std::string_view text, std::string_view name);

}  // namespace weir

#endif  // WEIR_ERROR_H_
