// Unicode properties, named classes and case folding, as sets of code points.
//
// WHAT   The sets that `\p{...}`, `\d`, `\w`, `\s` and `[:alpha:]` denote, and the characters that are equal if case is
//        ignored.
// HOW    Uses the tables of tables.h. Names are matched loosely (UAX #44, LM3, without the prefix "is"): case, blanks,
//        `-` and `_` are ignored, so all spellings that ECMA-262 and Rust's regex crate allow are accepted.
// COST   A lookup compares the name with about 700 names; the set is then built from its ranges.
#ifndef WEIR_SRC_REGEX_UNICODE_UNICODE_H_
#define WEIR_SRC_REGEX_UNICODE_UNICODE_H_

#include <optional>
#include <string_view>

#include "regex/unicode/code_point_set.h"
#include "weir/error.h"

namespace weir::regex {

/// Returns the set that `\p{query}` denotes: a general category (`Lu`, `Letter`, `gc=Lu`), a script (`Greek`,
/// `Script=Grek`, `scx=Grek`), a binary property (`Alphabetic`), `Any`, `ASCII` or `Assigned`.
/// Errors: kSyntax for an unknown name (the hint is the nearest known name), kUnsupported for a Unicode property
/// without a table here. Error::where is a range of `query`.
Result<CodePointSet> unicode_property(std::string_view query);

/// Selects which characters are equal if case is ignored.
enum class CaseMeaning : std::uint8_t {
  kUnicode,  ///< Characters with the same simple case folding (CaseFolding.txt, status C and S).
  kPython,   ///< As kUnicode, and some more as in Python's re: `i` also equals `İ` and `ı`.
};

/// Returns `set` and every code point that equals a member if case is ignored.
CodePointSet case_closure(const CodePointSet& set, CaseMeaning meaning = CaseMeaning::kUnicode);

/// Returns true if `code_point` equals another code point if case is ignored.
bool has_case_variants(char32_t code_point, CaseMeaning meaning = CaseMeaning::kUnicode);

/// Selects the definition of `\d`, `\w` and `\s`.
enum class ClassMeaning : std::uint8_t {
  kEcma,     ///< ECMA-262: ASCII for `\d` and `\w`; `\s` has Unicode blanks.
  kUnicode,  ///< UTS #18, annex C.
  kAscii,    ///< The POSIX classes digit, word and space.
  kPython,   ///< Python's str.isdecimal, str.isalnum (and `_`) and str.isspace.
};

CodePointSet digit_characters(ClassMeaning meaning);
CodePointSet word_characters(ClassMeaning meaning);
CodePointSet space_characters(ClassMeaning meaning);

/// Returns LF, CR, U+2028 and U+2029 (ECMA-262, LineTerminator): `.` does not match them, and with flag m `^` and `$`
/// match beside them.
CodePointSet line_terminators();

/// Returns `set` and the other case of each ASCII letter in it.
CodePointSet ascii_case_closure(const CodePointSet& set);

/// Returns true for the blanks that flag x ignores (Unicode's Pattern_White_Space).
bool is_pattern_white_space(char32_t code_point);

/// Return true if `code_point` may be the first, or a later, character of a group's name.
bool is_name_start(char32_t code_point);
bool is_name_part(char32_t code_point);

/// Returns the POSIX class with this name ("alpha"), which has ASCII characters only; nullopt if there is none.
std::optional<CodePointSet> posix_class(std::string_view name);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_UNICODE_UNICODE_H_
