// The error channel of building: every function that turns text into an object returns Result<T>.
//
// WHAT   A Result<T> is a value or an Error. An Error says what is wrong, where in the caller's text, and, if known, a
//        likely fix. Functions that step a matcher return a Step instead (matcher.h).
// WHY    Users write schemas and grammars by hand: an error that does not point at the place costs them an hour.
// THREADS Plain values, and functions of their arguments alone.
//
//     weir::Result<weir::Grammar> grammar = weir::Grammar::from_ebnf(text);
//     if (!grammar) {
//       std::cerr << weir::render(grammar.error(), text, "order.ebnf");
//       return 1;
//     }
#ifndef WEIR_ERROR_H_
#define WEIR_ERROR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/export.h"

#if defined(__has_include) && !__has_include(<tl/expected.hpp>)
#error "weir's C++ headers need tl-expected (Debian: libexpected-dev; github.com/TartanLlama/expected)"
#endif
#include <tl/expected.hpp>

namespace weir {

/// The kind of an error. The list is closed; the message has the details.
enum class ErrorCode : std::uint8_t {
  kInvalidArgument,  ///< An argument, an option or a file that cannot be used as asked.
  kSyntax,           ///< Text that does not follow the syntax of its language.
  kUnsupported,      ///< Well-formed, but outside what weir can express; the construct is named.
  kUnsatisfiable,    ///< Well-formed, but no string satisfies it.
  kLimitExceeded,    ///< A field of Limits was exceeded; `Error::limit` names it.
  kInternal,         ///< A defect in weir.
};

/// Returns the code's name as it is printed and written into JSON: "syntax", "limit_exceeded", ...
WEIR_API std::string_view to_string(ErrorCode code) noexcept;

/// A range of bytes in the user's text, [start, end). Empty where the error has only a position.
struct SourceRange {
  std::size_t start = 0;
  std::size_t end = 0;
  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

/// Another place that belongs to an error, such as the second of two constraints that contradict each other.
struct ErrorNote {
  std::string message;
  SourceRange where = {};     ///< A range of the text that was being read; empty if the place is in another document.
  std::string location = {};  ///< In a JSON Schema: "#/a/minLength", in another document "https://example.com/x#/a".
};

/// A change of the text that corrects the error, or that gives at least what was likely meant.
struct Fix {
  SourceRange where = {};  ///< The range to replace; empty where `replacement` is inserted.
  std::string replacement = {};
  friend bool operator==(const Fix&, const Fix&) = default;
};

/// Why something could not be built.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;     ///< One sentence, lower case, no full stop: "unknown rule `exprs`".
  SourceRange where = {};  ///< A range of the text that was being read, or of `text`.
  std::string hint = {};   ///< A likely fix: "did you mean `expr`?". May be empty.
  std::string limit = {};  ///< With kLimitExceeded, the field of Limits: "grammar_symbols". Otherwise empty.
  /// With a JSON Schema, the JSON Pointer (RFC 6901) of the value that contains `where`. "" is the whole schema.
  std::string pointer = {};
  std::vector<ErrorNote> notes = {};  ///< In the order of the text.
  std::optional<Fix> fix = {};        ///< The hint as a change of the text, where it can be made automatically.
  /// The text of which `where` and those of the notes are ranges, if that is not the text that was read: the tools that a
  /// structural tag was made of, or the response format beside them. Otherwise empty.
  std::string text = {};
  /// The options that the error is about or that the message and the hint name, separated by spaces: "exact_splits". They
  /// are names of members of the structs of options (and `style` of structural_tag_for_tools); the message and the hint
  /// write them in backquotes. An interface whose callers write them in another way, such as `--exact-splits`, puts that
  /// in their place. Otherwise empty.
  std::string options = {};
};

/// Something that is allowed but probably not meant, such as an unused rule.
struct Warning {
  std::string message;
  SourceRange where = {};  ///< A range of the text that was being read, or of `text`.
  std::string hint = {};
  std::string code = {};  ///< The kind of warning, for programs: "unused-rule". docs/diagnostics.md has the list.
  std::vector<ErrorNote> notes = {};
  std::string options = {};  ///< Error::options.
  std::string pointer = {};  ///< Error::pointer; in a structural tag that of the tag or, with `text`, of the tools.
  /// Error::text, which all warnings about it share. Null where that is empty.
  std::shared_ptr<const std::string> text = nullptr;
};

/// A value, or the Error that says why there is none. `*result` is the value, `result.error()` the error.
template <typename T>
using Result = tl::expected<T, Error>;

/// A position as people count it, from 1. Columns count code points; a malformed byte counts as one.
struct LineColumn {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// Returns the line and column of byte `offset` of `text`; for an offset after the end, those of the end. Cost:
/// O(offset).
WEIR_API LineColumn line_column(std::string_view text, std::size_t offset) noexcept;

/// Prints an error as a compiler does: `name:line:column: error: message`, the line with a caret under the range, the
/// hint, and then the notes in the same form, except those at the error's own place. The result ends with a line feed.
/// `text` is the text that was read, and `name` the file's name, or "<grammar>" where there is no file; if the error or
/// the warning has a `text`, that one is shown, as "<tools>".
/// Carets are placed by what a terminal shows: a wide character takes two columns, a combining mark none. Characters
/// that would move the cursor or change the direction of the text are shown as escapes, in the name too. If a line
/// is long, only some hundred bytes around the place are shown. A limit that neither the message nor the hint names is
/// added.
/// Cost     O(where.start).
WEIR_API std::string render(const Error& error, std::string_view text, std::string_view name);
/// The same for a warning.
WEIR_API std::string render(const Warning& warning, std::string_view text, std::string_view name);

}  // namespace weir

#endif  // WEIR_ERROR_H_
