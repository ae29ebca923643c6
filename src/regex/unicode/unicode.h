// Unicode properties, named classes and case folding, as sets of code points.
//
// WHAT   What `\p{...}`, `\d`, `\w`, `\s` and `[:alpha:]` mean, and which characters are equal when case is ignored.
// HOW    From the tables of tables.h. Names are matched loosely (UAX #44, LM3, without the prefix "is"): case,
//        blanks, `-` and `_` do not count, so every spelling of ECMA-262 and of Rust's regex crate is understood.
// COST   A look-up compares the name with about 700 names; a set is built from its ranges.
#ifndef WEIR_SRC_REGEX_UNICODE_UNICODE_H_
#define WEIR_SRC_REGEX_UNICODE_UNICODE_H_

#include <optional>
#include <string_view>

#include "regex/unicode/code_point_set.h"
#include "weir/error.h"

namespace weir::regex {

/// The set that `\p{query}` names: a general category (`Lu`, `Letter`, `gc=Lu`), a script (`Greek`, `Script=Grek`,
/// `scx=Grek`), a binary property (`Alphabetic`), `Any`, `ASCII` or `Assigned`.
/// Errors: kSyntax for a name that is none (with the nearest name as a hint), kUnsupported for a property of Unicode
/// that weir has no table for. Error::where is a range of `query`.
Result<CodePointSet> unicode_property(std::string_view query);

/// Which characters are equal when case is ignored.
enum class CaseMeaning : std::uint8_t {
  kUnicode,  ///< Those with one simple case folding.
  kPython,   ///< Those, and a few that Python's re adds: `i` is also `İ` and `ı`.
};

/// `set` and every code point that is equal to a member; one with the same simple case folding (CaseFolding.txt, C and
/// S).
CodePointSet case_closure(const CodePointSet& set, CaseMeaning meaning = CaseMeaning::kUnicode);

/// Whether ignoring case makes `code_point` equal to another one.
bool has_case_variants(char32_t code_point, CaseMeaning meaning = CaseMeaning::kUnicode);

/// Whose meaning `\d`, `\w` and `\s` have.
enum class ClassMeaning : std::uint8_t {
  kEcma,     ///< ECMA-262's: ASCII, but for blanks.
  kUnicode,  ///< That of UTS #18, annex C.
  kAscii,    ///< That of POSIX's classes digit, word and space.
  kPython,   ///< That of str.isdecimal, isalnum (and `_`) and isspace.
};

CodePointSet digit_characters(ClassMeaning meaning);
CodePointSet word_characters(ClassMeaning meaning);
CodePointSet space_characters(ClassMeaning meaning);

/// LF, CR, U+2028 and U+2029: what `.` leaves out and `^` and `$` stand at with flag m (ECMA-262, LineTerminator).
CodePointSet line_terminators();

/// `set` and, of the ASCII letters in it, both cases.
CodePointSet ascii_case_closure(const CodePointSet& set);

/// The blanks that are ignored with flag x.
bool is_pattern_white_space(char32_t code_point);

/// Whether a group's name may begin with `code_point`, and whether it may go on with it.
bool is_name_start(char32_t code_point);
bool is_name_part(char32_t code_point);

/// The POSIX class of this name ("alpha"), ASCII only; empty when there is none.
std::optional<CodePointSet> posix_class(std::string_view name);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_UNICODE_UNICODE_H_
