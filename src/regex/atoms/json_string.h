// JSON strings whose contents are in a given language.
//
// WHAT   json_string(e) holds the JSON strings, quotes included, whose decoded contents are members of `e`. A character
//        may have each spelling that the options allow: raw UTF-8, two-character escape, \uXXXX with digits of either
//        case, surrogate pair.
// WHY    Decoding maps each JSON string to exactly one string, so Boolean operations on contents carry over to texts
//        exactly, independently of spelling:
//            json_string(a & b) = json_string(a) & json_string(b),    json_string(a | b) likewise,
//            json_string(~a) = json_string(kAllStrings) & ~json_string(a).
//        An excluded key is excluded in every spelling. Complements may be relative to all byte strings, since contents
//        that are ill-formed UTF-8 have no text.
// HOW    An expression node holds `e` and the state of a decoder (json_decoder.h). Its derivative by a byte of text
//        replaces `e` by its derivative by the byte that the decoder feeds, if any. Lazy, and exact for every `e`,
//        including complements and counts.
// COST   The states are those of `e` times the positions within a character, which `e` mostly distinguishes anyway, and
//        about 20 more within an escape. "Any string" is json_string(kAllStrings) and has 30 states.
#ifndef WEIR_SRC_REGEX_ATOMS_JSON_STRING_H_
#define WEIR_SRC_REGEX_ATOMS_JSON_STRING_H_

#include <optional>

#include "regex/atoms/json_decoder.h"
#include "regex/expr/expr.h"

namespace weir::regex {

/// Returns the JSON strings that decode to members of `decoded`. Precondition: `decoded` has no assertions.
ExprId json_string(ExprSet& exprs, ExprId decoded, const JsonStringOptions& options = {});

/// Returns the same language without the opening quote.
ExprId json_string_tail(ExprSet& exprs, ExprId decoded, const JsonStringOptions& options = {});

/// Returns the same language without either quote: the texts that decode to members of `decoded`.
ExprId json_string_content(ExprSet& exprs, ExprId decoded, const JsonStringOptions& options = {});

/// Stands for the closing quote in the contents of json_string_then(). No text in UTF-8 has it.
inline constexpr char kQuoteByte = '\xFF';

/// Returns, for each w·kQuoteByte·t in `contents`, the JSON strings without the opening quote that decode to w, followed
/// by t. Precondition: each member of `contents` is of that form, and
/// each w is in UTF-8.
ExprId json_string_then(ExprSet& exprs, ExprId contents, const JsonStringOptions& options = {});

/// Returns the texts of the form that json_string_then() needs: they have kQuoteByte.
ExprId json_up_to_quote(ExprSet& exprs);

/// Returns the contents that are left of `e`. Precondition: is_json_content(e).
ExprId json_contents_of(const ExprSet& exprs, ExprId e);

/// Returns true if both are left of json_string_content() at the same place in a character, spelled by the same options.
bool have_one_spelling(const ExprSet& exprs, ExprId a, ExprId b);

/// Returns json_string_then(contents), spelled by the options of `like`. Precondition: `like` is what is left of
/// json_string_content() between two characters.
ExprId json_string_then(ExprSet& exprs, ExprId contents, ExprId like);

/// Returns true if `e` is json_string_content() of something, or what is left of it.
bool is_json_content(const ExprSet& exprs, ExprId e);

/// For other decoders that read escapes of JSON: returns the state of the decoder, with the least pending bits that the
/// operand does not distinguish; nullopt if it is known that no member of the operand goes on from there.
std::optional<JsonState> json_state_for(ExprSet& exprs, JsonState state, ExprId operand);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_JSON_STRING_H_
