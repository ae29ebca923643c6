// idn-hostname, idn-email: IDNA2008 (RFC 5890 to RFC 5893), as far as it is regular.
//
// Checked: which characters a label may have, and where (RFC 5892); hyphens and leading marks (RFC 5891, section
// 4.2.3); the Bidi rule, for a label and for the name (RFC 5893, section 2). Not checked: that labels are in
// normalization form C; how long a label is in Punycode, but for what its count of characters says; what a label in
// Punycode decodes to.
#include "frontend/json_schema/format_builder.h"
#include "frontend/json_schema/idna_tables.h"
#include "regex/unicode.h"

namespace weir::frontend::json_schema {

namespace {

using regex::CodePointRange;
using regex::CodePointSet;
using regex::ExprId;

/// xn-- and, in Punycode, at least one digit a character and two more for the first one: 63 octets are 57 characters.
constexpr std::uint32_t kLongestLabel = 57;
/// At most this many octets in Punycode (RFC 1035, section 2.3.4), so at most as many characters.
constexpr std::uint32_t kLongestName = 253;

/// A union of named properties; the names are constants of this file.
CodePointSet properties(std::initializer_list<std::string_view> names) {
  CodePointSet set;
  for (const std::string_view name : names) {
    if (const auto property = regex::unicode_property(name)) set = set | *property;
  }
  return set;
}

CodePointSet ranges(std::initializer_list<CodePointRange> list) {
  return CodePointSet(std::vector<CodePointRange>(list));
}

/// RFC 5892, section 2.6, by their values.
CodePointSet always_valid() {
  return ranges({{0xDF, 0xDF}, {0x3C2, 0x3C2}, {0x6FD, 0x6FE}, {0xF0B, 0xF0B}, {0x3007, 0x3007}});
}
CodePointSet valid_in_context() {
  return ranges({{0xB7, 0xB7},
                 {0x375, 0x375},
                 {0x5F3, 0x5F4},
                 {0x660, 0x669},
                 {0x6F0, 0x6F9},
                 {0x200C, 0x200D},
                 {0x30FB, 0x30FB}});
}
CodePointSet never_valid() {
  return ranges({{0x640, 0x640}, {0x7FA, 0x7FA}, {0x302E, 0x302F}, {0x3031, 0x3035}, {0x303B, 0x303B}});
}

/// RFC 5892, section 3: the code points that are PVALID, CONTEXTJ or CONTEXTO.
CodePointSet label_characters() {
  const CodePointSet letter_digits = properties({"Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"});
  // Unstable (section 2.2): what normalizing and folding changes.
  const CodePointSet unstable = properties({"Changes_When_NFKC_Casefolded"});
  const CodePointSet ignorable = properties({"Default_Ignorable_Code_Point", "White_Space", "Noncharacter_Code_Point"});
  const CodePointSet ignorable_blocks = ranges({{0x20D0, 0x20FF}, {0x1D100, 0x1D1FF}, {0x1D200, 0x1D24F}});
  const CodePointSet old_hangul = ranges({{0x1100, 0x11FF}, {0xA960, 0xA97C}, {0xD7B0, 0xD7C6}, {0xD7CB, 0xD7FB}});
  const CodePointSet ldh = ranges({{'-', '-'}, {'0', '9'}, {'a', 'z'}});
  const CodePointSet derived = ldh | (letter_digits - unstable - ignorable - ignorable_blocks - old_hangul);
  return (derived - never_valid()) | always_valid() | valid_in_context();
}

/// What a label must be, one condition after the other.
class IdnLabel {
 public:
  explicit IdnLabel(FormatBuilder& b) : b_(b), characters_(label_characters()) {}

  /// Labels of which at least one character is not ASCII, and none is written from right to left.
  ExprId left_to_right() {
    const CodePointSet reversed = right_to_left() | table(idna_tables().arabic_number);
    return b_.both(well_formed(), b_.many(b_.one_of(characters_ - reversed)));
  }
  /// Labels, ASCII ones included, that obey the Bidi rule (RFC 5893, section 2).
  ExprId of_bidi_name() {
    const IdnaTables& tables = idna_tables();
    const ExprId marks = b_.many(b_.one_of(table(tables.non_spacing) & characters_));
    const CodePointSet european = table(tables.european_number);
    const CodePointSet arabic = table(tables.arabic_number);
    const CodePointSet neutral = european | table(tables.neutral) | table(tables.non_spacing);
    const CodePointSet left = characters_ - right_to_left() - arabic - neutral;
    const auto one = [&](const CodePointSet& set) { return b_.one_of(set & characters_); };
    const auto rule = [&](const CodePointSet& first, const CodePointSet& inner, const CodePointSet& last) {
      const ExprId end = b_.all({one(last), marks});
      const ExprId longer = b_.all({one(first), b_.many(one(inner)), end});
      return b_.any({b_.all({one(first & last), marks}), longer});
    };
    const CodePointSet ends = right_to_left() | european | arabic;
    const ExprId mixed = b_.both(b_.containing(one(european)), b_.containing(one(arabic)));
    // Of the neutral ones these stand beside `l`, Greek or Japanese only, all of them written from left to right. That
    // no label goes on behind them would else be found by following every label.
    const CodePointSet among_left = ranges({{0xB7, 0xB7}, {0x375, 0x375}, {0x30FB, 0x30FB}});
    const CodePointSet inner = (right_to_left() | arabic | neutral) - among_left;
    const ExprId reversed = b_.except(rule(right_to_left(), inner, ends), mixed);
    const ExprId usual = rule(left, left | neutral, left | european);
    return b_.both(b_.any({well_formed(), ascii_label(b_)}), b_.any({reversed, usual, upper_case_ascii(european)}));
  }

 private:
  static CodePointSet table(IdnaTables::Ranges list) { return CodePointSet(list); }
  static CodePointSet right_to_left() { return CodePointSet(idna_tables().right_to_left); }

  /// Upper-case letters stand in ASCII labels only; they are of class L, and so are the labels' lower-case letters.
  ExprId upper_case_ascii(const CodePointSet& european) {
    const CodePointSet ascii_digits = european & CodePointSet::range('0', '9');
    const CodePointSet letters = ranges({{'A', 'Z'}, {'a', 'z'}});
    return b_.all({b_.one_of(letters), b_.many(b_.one_of(letters | ascii_digits | CodePointSet::of('-')))});
  }

  ExprId well_formed() {
    const ExprId any = b_.one_of(CodePointSet::all());
    const ExprId hyphen = b_.text("-");
    const ExprId not_ascii = b_.containing(b_.one_of(CodePointSet::range(0x80, 0x10FFFF)));
    const ExprId marks = b_.one_of(properties({"M"}) & characters_);
    const ExprId forbidden =
        b_.any({b_.all({b_.any({hyphen, marks}), ExprId::kAllStrings}), b_.all({ExprId::kAllStrings, hyphen}),
                b_.all({any, any, b_.text("--"), ExprId::kAllStrings}), out_of_context()});
    const ExprId label = b_.times(b_.one_of(characters_), 1, kLongestLabel);
    return b_.except(b_.both(label, not_ascii), forbidden);
  }

  /// RFC 5892, appendix A: strings in which some character stands where it must not.
  ExprId out_of_context() {
    const IdnaTables& tables = idna_tables();
    const CodePointSet viramas = table(tables.viramas);
    const CodePointSet digits = CodePointSet::range(0x660, 0x669);
    const CodePointSet extended_digits = CodePointSet::range(0x6F0, 0x6F9);
    const ExprId both_digits = b_.both(b_.containing(b_.one_of(digits)), b_.containing(b_.one_of(extended_digits)));
    const ExprId japanese = b_.containing(b_.one_of(properties({"Script=Hiragana", "Script=Katakana", "Script=Han"})));
    // 1: a non-joiner stands behind a virama, or between letters that would join.
    const ExprId transparent = b_.many(b_.one_of(table(tables.transparent)));
    const ExprId joins = b_.all({ExprId::kAllStrings, b_.one_of(table(tables.left_joining)), transparent});
    const ExprId joined = b_.all({transparent, b_.one_of(table(tables.right_joining)), ExprId::kAllStrings});
    const ExprId behind_virama = b_.all({ExprId::kAllStrings, b_.one_of(viramas)});
    const ExprId non_joiner = b_.one_of(CodePointSet::of(0x200C));
    const ExprId lone_non_joiner =
        b_.any({b_.all({b_.no(b_.any({behind_virama, joins})), non_joiner, ExprId::kAllStrings}),
                b_.all({b_.no(behind_virama), non_joiner, b_.no(joined)})});
    return b_.any({
        lone_non_joiner, not_behind(0x200D, viramas),                             // 2: joiner
        not_behind(0xB7, CodePointSet::of('l')),                                  // 3: middle dot
        not_before(0xB7, CodePointSet::of('l')),                                  // 3
        not_before(0x375, properties({"Script=Greek"})),                          // 4: Greek keraia
        not_behind(0x5F3, properties({"Script=Hebrew"})),                         // 5: geresh
        not_behind(0x5F4, properties({"Script=Hebrew"})),                         // 6: gershayim
        b_.except(b_.containing(b_.one_of(CodePointSet::of(0x30FB))), japanese),  // 7: katakana middle dot
        both_digits,                                                              // 8, 9
    });
  }
  ExprId not_behind(char32_t character, const CodePointSet& before) {
    const ExprId behind = b_.all({ExprId::kAllStrings, b_.one_of(before)});
    return b_.all({b_.no(behind), b_.one_of(CodePointSet::of(character)), ExprId::kAllStrings});
  }
  ExprId not_before(char32_t character, const CodePointSet& behind) {
    const ExprId before = b_.all({b_.one_of(behind), ExprId::kAllStrings});
    return b_.all({ExprId::kAllStrings, b_.one_of(CodePointSet::of(character)), b_.no(before)});
  }

  FormatBuilder& b_;
  CodePointSet characters_;
};

ExprId idn_name(FormatBuilder& b, ExprId separator) {
  IdnLabel label(b);
  const auto name = [&](ExprId one) { return b.all({one, b.many(b.all({separator, one}))}); };
  // RFC 5893: as soon as one label is written from right to left, all obey the rule.
  const ExprId any = b.one_of(CodePointSet::all());
  const ExprId names = b.any({name(b.any({ascii_label(b), label.left_to_right()})), name(label.of_bidi_name())});
  return b.both(names, b.times(any, 0, kLongestName));
}

}  // namespace

/// RFC 5890, section 2.3.2.3, with the separators of RFC 3490, section 3.1, that JSON Schema's tests ask for: . 。．｡
ExprId idn_hostname_format(FormatBuilder& b) {
  return idn_name(b, b.one_of(ranges({{'.', '.'}, {0x3002, 0x3002}, {0xFF0E, 0xFF0E}, {0xFF61, 0xFF61}})));
}

/// RFC 6531, section 3.3: UTF8-non-ascii in atoms and quoted strings, U-labels in domains.
ExprId idn_email_format(FormatBuilder& b) {
  return email_from(b, b.one_of(CodePointSet::range(0x80, 0x10FFFF)), idn_name(b, b.text(".")));
}

}  // namespace weir::frontend::json_schema
