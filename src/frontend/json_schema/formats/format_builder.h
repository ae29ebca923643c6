// FormatBuilder: short names for operations on expressions, so that formats can be written like the rules of their RFCs
// (ABNF, RFC 5234); and one function for each format. Used by formats.cc and the format_*.cc only.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_FORMATS_FORMAT_BUILDER_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_FORMATS_FORMAT_BUILDER_H_

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "frontend/json_schema/source/keywords.h"
#include "regex/expr/expr.h"
#include "regex/unicode/code_point_set.h"

namespace weir::frontend::json_schema {

class FormatBuilder {
 public:
  using ExprId = regex::ExprId;
  explicit FormatBuilder(regex::ExprSet& exprs) : exprs_(exprs) {}

  ExprId text(std::string_view bytes) { return exprs_.literal(bytes); }
  /// `letters` with each ASCII letter in upper or lower case.
  ExprId any_case(std::string_view letters);
  /// One of the listed ASCII characters. `-` between two characters makes a range; at the end it stands for itself:
  /// "A-Za-z_-".
  ExprId one_of(std::string_view characters);
  ExprId one_of(const regex::CodePointSet& set);

  ExprId all(std::initializer_list<ExprId> parts) { return exprs_.concat({parts.begin(), parts.size()}); }
  ExprId any(std::initializer_list<ExprId> parts) { return exprs_.alternation({parts.begin(), parts.size()}); }
  ExprId maybe(ExprId e) { return exprs_.repeat(e, 0, 1); }
  ExprId many(ExprId e) { return exprs_.repeat(e, 0, regex::kUnbounded); }
  ExprId some(ExprId e) { return exprs_.repeat(e, 1, regex::kUnbounded); }
  ExprId times(ExprId e, std::uint32_t min, std::uint32_t max) { return exprs_.repeat(e, min, max); }
  ExprId times(ExprId e, std::uint32_t count) { return exprs_.repeat(e, count, count); }
  ExprId both(ExprId a, ExprId b) { return exprs_.intersection(a, b); }
  ExprId except(ExprId a, ExprId b) { return exprs_.difference(a, b); }
  ExprId no(ExprId e) { return exprs_.complement(e); }
  /// A number from `first` to `last`, written with two digits.
  ExprId two_digits(unsigned first, unsigned last);
  /// Strings of at most `count` octets.
  ExprId octets(std::uint32_t count);
  /// Strings that contain a member of `e`.
  ExprId containing(ExprId e) { return all({ExprId::kAllStrings, e, ExprId::kAllStrings}); }

  ExprId digit() { return one_of("0-9"); }
  ExprId hex_digit() { return one_of("0-9A-Fa-f"); }
  ExprId letter() { return one_of("A-Za-z"); }

  regex::ExprSet& exprs() { return exprs_; }

 private:
  regex::ExprSet& exprs_;
};

// RFC 3339.
regex::ExprId date_format(FormatBuilder& b);
regex::ExprId time_format(FormatBuilder& b);
regex::ExprId date_time_format(FormatBuilder& b);
regex::ExprId duration_format(FormatBuilder& b);

// Names and addresses of machines and people.
regex::ExprId ipv4_format(FormatBuilder& b);
regex::ExprId ipv6_format(FormatBuilder& b);
regex::ExprId hostname_format(FormatBuilder& b);
regex::ExprId email_format(FormatBuilder& b);
regex::ExprId idn_hostname_format(FormatBuilder& b);
regex::ExprId idn_email_format(FormatBuilder& b);
inline constexpr std::uint32_t kLongestName = 253;    // RFC 1035, section 2.3.4: 255 with length bytes.
inline constexpr std::uint32_t kLongestLabel = 63;    // RFC 1035, section 2.3.4; all in octets.
inline constexpr std::uint32_t kLongestDomain = 255;  // RFC 5321, section 4.5.3.1.2.
/// One label of ASCII letters, digits and hyphens. Precondition: longest >= 2.
regex::ExprId ascii_label(FormatBuilder& b, std::uint32_t longest);
/// An address with `domain` after the `@`. `wide_character` is allowed in the local part besides ASCII. Precondition:
/// members of `domain` have at most kLongestDomain octets.
regex::ExprId email_from(FormatBuilder& b, regex::ExprId wide_character, regex::ExprId domain);

// RFC 3986, RFC 3987, RFC 6570.
enum class UriKind : std::uint8_t { kAbsolute, kReference };
enum class UriCharacters : std::uint8_t { kAscii, kUnicode };
regex::ExprId uri_format(FormatBuilder& b, UriKind kind, UriCharacters characters);
regex::ExprId uri_template_format(FormatBuilder& b);
/// Characters beyond ASCII that an IRI may contain (RFC 3987, section 2.2): ucschar anywhere, iprivate in its query
/// only.
regex::CodePointSet iri_characters();
regex::CodePointSet iri_private_characters();

// Others.
regex::ExprId uuid_format(FormatBuilder& b);
regex::ExprId json_pointer_format(FormatBuilder& b);
regex::ExprId relative_json_pointer_format(FormatBuilder& b, Dialect dialect);
regex::ExprId regex_format(FormatBuilder& b);
regex::ExprId base64_format(FormatBuilder& b);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_FORMATS_FORMAT_BUILDER_H_
