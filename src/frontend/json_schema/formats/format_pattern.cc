// regex: the patterns of ECMA-262.
#include "frontend/json_schema/formats/format_builder.h"
#include "frontend/search_bounds.h"
#include "regex/unicode/unicode.h"

namespace weir::frontend::json_schema {

namespace {

using regex::CodePointSet;
using regex::ExprId;

/// Pattern of ECMA-262 (11th edition), section 21.2.1, with the parameters U and N: the syntax under the flag u, which
/// JSON Schema prescribes.
///
/// Patterns are not a regular language, because groups nest. Patterns with more than kMaxFormatGroups nested groups are
/// rejected. Early errors (section 21.2.1.1) that need a comparison are not detected: a range in descending order,
/// [z-a]; a quantifier such as {3,2}; references to groups that do not exist; two groups with the same name; unknown
/// property names.
class PatternGrammar {
 public:
  explicit PatternGrammar(FormatBuilder& b) : b_(b) {
    name_ = group_name();
    escape_ = b_.all({b_.text("\\"), character_escape()});
    class_escape_ = b_.all({b_.text("\\"), character_class_escape()});
  }

  ExprId pattern() {
    const ExprId assertion = b_.any({b_.text("^"), b_.text("$"), b_.text("\\b"), b_.text("\\B")});
    const ExprId reference = b_.all({b_.text("\\"), b_.any({decimal_escape(), b_.all({b_.text("k"), name_})})});
    const ExprId character = b_.one_of(~characters("^$\\.*+?()[]{}|"));
    const ExprId atom = b_.any({character, b_.text("."), escape_, class_escape_, reference, character_class()});
    const ExprId group_head = b_.any({b_.text("("), b_.text("(?:"), b_.all({b_.text("(?"), name_})});
    const ExprId look_head = b_.any({b_.text("(?="), b_.text("(?!"), b_.text("(?<="), b_.text("(?<!")});
    ExprId inner = ExprId::kNothing;
    for (int depth = 0; depth <= kMaxFormatGroups; ++depth) {
      const ExprId group = b_.all({group_head, inner, b_.text(")")});
      const ExprId look = b_.all({look_head, inner, b_.text(")")});
      const ExprId term = b_.any({assertion, look, b_.all({b_.any({atom, group}), b_.maybe(quantifier())})});
      inner = b_.many(b_.any({term, b_.text("|")}));
    }
    return inner;
  }

 private:
  static CodePointSet characters(std::string_view list) {
    CodePointSet set;
    for (const char c : list) set = set | CodePointSet::of(static_cast<unsigned char>(c));
    return set;
  }

  ExprId quantifier() {
    const ExprId digits = b_.some(b_.digit());
    const ExprId counts =
        b_.all({b_.text("{"), digits, b_.maybe(b_.all({b_.text(","), b_.many(b_.digit())})), b_.text("}")});
    return b_.all({b_.any({b_.one_of("*+?"), counts}), b_.maybe(b_.text("?"))});
  }

  ExprId decimal_escape() { return b_.all({b_.one_of("1-9"), b_.many(b_.digit())}); }

  /// GroupName: an identifier in angle brackets; its characters may be escaped.
  ExprId group_name() {
    CodePointSet start = characters("$_");
    CodePointSet part = characters("$_") | CodePointSet::range(0x200C, 0x200D);
    if (const auto id_start = regex::unicode_property("ID_Start")) start = start | *id_start;
    if (const auto id_part = regex::unicode_property("ID_Continue")) part = part | *id_part;
    const ExprId escaped = b_.all({b_.text("\\"), unicode_escape()});
    return b_.all(
        {b_.text("<"), b_.any({b_.one_of(start), escaped}), b_.many(b_.any({b_.one_of(part), escaped})), b_.text(">")});
  }

  /// \uXXXX, and \u{X...} up to 10FFFF. Halves of a surrogate pair may occur alone.
  ExprId unicode_escape() {
    const ExprId hex = b_.hex_digit();
    const ExprId value = b_.any({b_.times(hex, 1, 5), b_.all({b_.text("10"), b_.times(hex, 4)})});
    const ExprId braced = b_.all({b_.text("{"), b_.many(b_.text("0")), value, b_.text("}")});
    return b_.all({b_.text("u"), b_.any({b_.times(hex, 4), braced})});
  }

  ExprId character_escape() {
    const ExprId hex = b_.all({b_.text("x"), b_.times(b_.hex_digit(), 2)});
    const ExprId control = b_.all({b_.text("c"), b_.letter()});
    return b_.any({b_.one_of("fnrtv0"), control, hex, unicode_escape(), b_.one_of("^$\\.*+?()[]{}|/")});
  }

  ExprId character_class_escape() {
    const ExprId word = b_.some(b_.one_of("A-Za-z0-9_"));
    const ExprId property =
        b_.all({b_.one_of("pP"), b_.text("{"), word, b_.maybe(b_.all({b_.text("="), word})), b_.text("}")});
    return b_.any({b_.one_of("dDsSwW"), property});
  }

  /// CharacterClass. A hyphen between two characters makes a range; neither of them may be a class such as \d. So the
  /// meaning of a hyphen depends on what precedes it: at the beginning and after a range it is an ordinary character;
  /// after a single character it makes a range, unless it is the last character of the class.
  ExprId character_class() {
    const ExprId plain = b_.one_of(~characters("\\]-"));
    const ExprId single = b_.any({plain, escape_, b_.text("\\b"), b_.text("\\-")});
    const ExprId hyphen = b_.text("-");
    const ExprId end = b_.any({single, hyphen});
    const ExprId range_after_single = b_.all({single, hyphen, end});
    const ExprId range = b_.all({end, hyphen, end});
    const ExprId one = b_.any({single, class_escape_});
    // Single characters without ranges, the first of which may be a hyphen.
    const ExprId run = b_.all({b_.any({one, hyphen}), b_.many(one)});
    const ExprId ranges = b_.many(range);
    const ExprId more = b_.many(b_.all({run, range_after_single, ranges}));
    const ExprId contents = b_.all({ranges, more, b_.maybe(b_.all({run, b_.maybe(hyphen)}))});
    // `[^` always negates.
    const ExprId not_negated = b_.except(contents, b_.all({b_.text("^"), ExprId::kAllStrings}));
    return b_.all({b_.text("["), b_.any({not_negated, b_.all({b_.text("^"), contents})}), b_.text("]")});
  }

  FormatBuilder& b_;
  ExprId name_{};
  ExprId escape_{};
  ExprId class_escape_{};
};

}  // namespace

ExprId regex_format(FormatBuilder& b) {
  // Exclude \0 followed by a digit, which is not an escape. Pairs of a backslash and a character are read together, so
  // that an escaped backslash before a 0 does not count.
  const ExprId pair = b.all({b.text("\\"), b.one_of(CodePointSet::all())});
  const ExprId other = b.one_of(~CodePointSet::of('\\'));
  const ExprId octal = b.all({b.many(b.any({pair, other})), b.text("\\0"), b.digit(), ExprId::kAllStrings});
  return b.except(PatternGrammar(b).pattern(), octal);
}

}  // namespace weir::frontend::json_schema
