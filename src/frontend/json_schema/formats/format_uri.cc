// uri, uri-reference, iri, iri-reference, uri-template.
#include "frontend/json_schema/formats/format_builder.h"

namespace weir::frontend::json_schema {

namespace {

using regex::CodePointRange;
using regex::CodePointSet;
using regex::ExprId;

/// The rules of RFC 3986, appendix A; for IRIs with the additions of RFC 3987, section 2.2.
class UriGrammar {
 public:
  UriGrammar(FormatBuilder& b, UriCharacters characters) : b_(b) {
    const bool wide = characters == UriCharacters::kUnicode;
    const ExprId beyond = wide ? b.one_of(iri_characters()) : ExprId::kNothing;
    percent_encoded_ = b.all({b.text("%"), b.times(b.hex_digit(), 2)});
    // unreserved and sub-delims
    plain_ = b.any({b.one_of("A-Za-z0-9._~-"), b.one_of("!$&'()*+,;="), beyond});
    pchar_ = b.any({plain_, percent_encoded_, b.one_of(":@")});
    query_extra_ = wide ? b.one_of(iri_private_characters()) : ExprId::kNothing;
  }

  ExprId uri() { return b_.all({scheme(), b_.text(":"), hierarchy(path_rootless()), tail()}); }
  ExprId relative() { return b_.all({hierarchy(path_noscheme()), tail()}); }

 private:
  ExprId scheme() { return b_.all({b_.letter(), b_.many(b_.one_of("A-Za-z0-9+.-"))}); }
  ExprId hierarchy(ExprId path) {
    return b_.any({b_.all({b_.text("//"), authority(), path_abempty()}), path_absolute(), path, ExprId::kEpsilon});
  }
  ExprId tail() {
    const ExprId fragment_character = b_.any({pchar_, b_.one_of("/?")});
    const ExprId query = b_.all({b_.text("?"), b_.many(b_.any({fragment_character, query_extra_}))});
    return b_.all({b_.maybe(query), b_.maybe(b_.all({b_.text("#"), b_.many(fragment_character)}))});
  }
  ExprId authority() {
    const ExprId user = b_.all({b_.many(b_.any({plain_, percent_encoded_, b_.text(":")})), b_.text("@")});
    const ExprId port = b_.all({b_.text(":"), b_.many(b_.digit())});
    return b_.all({b_.maybe(user), host(), b_.maybe(port)});
  }
  /// No rule for IPv4 addresses is needed: each one is also a reg-name, as is a malformed one such as 1.2.3.999.
  ExprId host() {
    const ExprId future_character = b_.any({b_.one_of("A-Za-z0-9._~-"), b_.one_of("!$&'()*+,;="), b_.text(":")});
    const ExprId future = b_.all({b_.any_case("v"), b_.some(b_.hex_digit()), b_.text("."), b_.some(future_character)});
    const ExprId literal = b_.all({b_.text("["), b_.any({ipv6_format(b_), future}), b_.text("]")});
    return b_.any({literal, b_.many(b_.any({plain_, percent_encoded_}))});
  }
  ExprId path_abempty() { return b_.many(b_.all({b_.text("/"), b_.many(pchar_)})); }
  ExprId path_absolute() { return b_.all({b_.text("/"), b_.maybe(path_rootless())}); }
  ExprId path_rootless() { return b_.all({b_.some(pchar_), path_abempty()}); }
  ExprId path_noscheme() { return b_.all({b_.some(b_.any({plain_, percent_encoded_, b_.text("@")})), path_abempty()}); }

  FormatBuilder& b_;
  ExprId percent_encoded_;
  ExprId plain_;
  ExprId pchar_;
  ExprId query_extra_;
};

}  // namespace

/// The rule ucschar.
CodePointSet iri_characters() {
  std::vector<CodePointRange> ranges = {{0xA0, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFEF}, {0xE1000, 0xEFFFD}};
  for (char32_t plane = 1; plane <= 13; ++plane) ranges.push_back({plane * 0x10000, plane * 0x10000 + 0xFFFD});
  return CodePointSet(ranges);
}

/// The rule iprivate.
CodePointSet iri_private_characters() {
  return CodePointSet(std::vector<CodePointRange>{{0xE000, 0xF8FF}, {0xF0000, 0xFFFFD}, {0x100000, 0x10FFFD}});
}

ExprId uri_format(FormatBuilder& b, UriKind kind, UriCharacters characters) {
  UriGrammar grammar(b, characters);
  return kind == UriKind::kAbsolute ? grammar.uri() : b.any({grammar.uri(), grammar.relative()});
}

/// RFC 6570, section 2, with erratum 6937 (an apostrophe is a literal). The grammar there includes operators that are
/// reserved for future extensions, so they are accepted here.
ExprId uri_template_format(FormatBuilder& b) {
  const ExprId percent_encoded = b.all({b.text("%"), b.times(b.hex_digit(), 2)});
  const ExprId wide = b.one_of(iri_characters() | iri_private_characters());
  const ExprId literal = b.any({b.one_of("!#$&'(-;=?-[]_a-z~"), wide, percent_encoded});
  const ExprId varchar = b.any({b.one_of("A-Za-z0-9_"), percent_encoded});
  const ExprId varname = b.all({varchar, b.many(b.all({b.maybe(b.text(".")), varchar}))});
  const ExprId max_length = b.all({b.one_of("1-9"), b.times(b.digit(), 0, 3)});
  const ExprId modifier = b.any({b.all({b.text(":"), max_length}), b.text("*")});
  const ExprId varspec = b.all({varname, b.maybe(modifier)});
  const ExprId list = b.all({varspec, b.many(b.all({b.text(","), varspec}))});
  const ExprId expression = b.all({b.text("{"), b.maybe(b.one_of("+#./;?&=,!@|")), list, b.text("}")});
  return b.many(b.any({literal, expression}));
}

}  // namespace weir::frontend::json_schema
