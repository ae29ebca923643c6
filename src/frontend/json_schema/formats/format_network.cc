// ipv4, ipv6, hostname, email.
#include <vector>

#include "frontend/json_schema/formats/format_builder.h"

namespace weir::frontend::json_schema {

namespace {

using regex::ExprId;

constexpr std::uint32_t kLongestLocal = 64;  // RFC 5321, section 4.5.3.1.1.

/// 0 to 255 without leading zeros: dec-octet of RFC 3986, section 3.2.2.
ExprId octet(FormatBuilder& b) {
  return b.any({b.digit(), b.all({b.one_of("1-9"), b.digit()}), b.all({b.text("1"), b.times(b.digit(), 2)}),
                b.all({b.text("2"), b.one_of("0-4"), b.digit()}), b.all({b.text("25"), b.one_of("0-5")})});
}

/// The Punycode digits after `xn--` and the last hyphen, as far as they can be checked without decoding (RFC 3492).
/// They are a sequence of numbers; a digit less than its threshold ends a number. The first number encodes the first
/// character, and its thresholds are 1, 1 and then 26. If its first or second digit ended it, the character would be
/// less than U+00A4, which no name contains; so neither is 0, which is written `a`. The very last digit must end a
/// number, which the digits 0-9 never do: their values are 26 to 35.
ExprId punycode_digits(FormatBuilder& b) {
  const ExprId not_zero = b.one_of("B-Zb-z0-9");
  const ExprId first = b.all({b.times(not_zero, 2), b.many(b.digit()), b.letter()});
  return b.all({first, b.maybe(b.all({b.many(b.one_of("A-Za-z0-9")), b.letter()}))});
}

}  // namespace

/// RFC 2673, section 3.2, to which JSON Schema refers: dotted-quad with decimals from 0 to 255.
ExprId ipv4_format(FormatBuilder& b) { return b.all({b.times(b.all({octet(b), b.text(".")}), 3), octet(b)}); }

/// RFC 4291, section 2.2, with the grammar of RFC 3986, section 3.2.2: eight groups, or fewer with `::` for one or more
/// of them. The last two groups may be an IPv4 address.
ExprId ipv6_format(FormatBuilder& b) {
  const ExprId group = b.times(b.hex_digit(), 1, 4);
  const ExprId group_colon = b.all({group, b.text(":")});
  const ExprId last_two = b.any({b.all({group_colon, group}), ipv4_format(b)});
  std::vector<ExprId> forms = {b.all({b.times(group_colon, 6), last_two})};
  for (std::uint32_t before = 0; before <= 7; ++before) {
    const ExprId head = before == 0 ? ExprId::kEpsilon : b.all({b.times(group_colon, before - 1), group});
    // At most 7 - before groups follow `::`. If there are two or more, the last two may be an IPv4 address.
    const std::uint32_t most = 7 - before;
    ExprId rest = ExprId::kEpsilon;
    if (most >= 1) rest = b.any({rest, group});
    if (most >= 2) rest = b.any({rest, b.all({b.times(group_colon, 0, most - 2), last_two})});
    forms.push_back(b.all({head, b.text("::"), rest}));
  }
  return b.exprs().alternation(forms);
}

/// RFC 1123, section 2.1, which extends RFC 952: letters, digits and hyphens, with no hyphen at either end.
///
/// A label that begins with xn-- is Punycode (RFC 5890, section 2.3.2.1). It is not decoded, so labels that decode to a
/// forbidden name are accepted.
ExprId ascii_label(FormatBuilder& b, std::uint32_t longest) {
  const ExprId end = b.one_of("A-Za-z0-9");
  const ExprId inner = b.one_of("A-Za-z0-9-");
  const std::uint32_t most_inside = longest == regex::kUnbounded ? longest : longest - 2;
  const ExprId label = b.all({end, b.maybe(b.all({b.times(inner, 0, most_inside), end}))});
  const ExprId prefix = b.all({b.any_case("xn"), b.text("--")});
  const ExprId basic = b.all({b.some(inner), b.text("-")});
  const ExprId encoded = b.all({prefix, b.maybe(basic), punycode_digits(b)});
  return b.any({b.except(label, b.all({prefix, ExprId::kAllStrings})), b.both(label, encoded)});
}

ExprId hostname_format(FormatBuilder& b) {
  const ExprId label = ascii_label(b, kLongestLabel);
  return b.both(b.all({label, b.many(b.all({b.text("."), label}))}), b.octets(kLongestName));
}

/// Mailbox of RFC 5321, section 4.1.2. `wide_character` is what RFC 6531, section 3.3, adds to atext and qtextSMTP.
/// Address literals are IPv4 addresses, and IPv6 addresses with the only registered tag, `IPv6:` (section 4.1.3).
ExprId email_from(FormatBuilder& b, ExprId wide_character, ExprId domain) {
  const ExprId atext = b.any({b.one_of("A-Za-z0-9!#$%&'*+/=?^_`{|}~-"), wide_character});
  const ExprId dot_string = b.all({b.some(atext), b.many(b.all({b.text("."), b.some(atext)}))});
  const ExprId quoted_text = b.any({b.one_of(" !#-[]-~"), wide_character});
  const ExprId quoted_pair = b.all({b.text("\\"), b.one_of(" -~")});
  const ExprId quoted = b.all({b.text("\""), b.many(b.any({quoted_text, quoted_pair})), b.text("\"")});
  const ExprId local = b.both(b.any({dot_string, quoted}), b.octets(kLongestLocal));
  // Snum = 1*3DIGIT, so numbers in an address literal may have leading zeros.
  const ExprId number = b.any({octet(b), b.all({b.text("0"), b.times(b.digit(), 1, 2)})});
  const ExprId ipv4 = b.all({b.times(b.all({number, b.text(".")}), 3), number});
  const ExprId literal =
      b.all({b.text("["), b.any({ipv4, b.all({b.any_case("ipv6"), b.text(":"), ipv6_format(b)})}), b.text("]")});
  return b.all({local, b.text("@"), b.any({domain, literal})});
}

ExprId email_format(FormatBuilder& b) {
  const ExprId label = ascii_label(b, kLongestLabel);
  const ExprId domain = b.all({label, b.many(b.all({b.text("."), label}))});
  return email_from(b, ExprId::kNothing, b.both(domain, b.octets(kLongestDomain)));
}

}  // namespace weir::frontend::json_schema
