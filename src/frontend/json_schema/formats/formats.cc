#include "frontend/json_schema/formats/formats.h"

#include <algorithm>
#include <array>

#include "frontend/json_schema/formats/format_builder.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::json_schema {

using regex::ByteSet;
using regex::CodePointSet;
using regex::ExprId;

ExprId FormatBuilder::any_case(std::string_view letters) {
  ExprId e = ExprId::kEpsilon;
  for (std::size_t i = letters.size(); i-- > 0;) {
    const auto lower = static_cast<std::uint8_t>(letters[i] | 0x20);
    const bool is_letter = lower >= 'a' && lower <= 'z';
    ByteSet set = ByteSet::of(is_letter ? lower : static_cast<std::uint8_t>(letters[i]));
    if (is_letter) set.add(static_cast<std::uint8_t>(lower - 0x20));
    e = exprs_.concat(exprs_.byte_set(set), e);
  }
  return e;
}

ExprId FormatBuilder::one_of(std::string_view characters) {
  ByteSet set;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const auto first = static_cast<std::uint8_t>(characters[i]);
    if (i + 2 < characters.size() && characters[i + 1] == '-') {
      set.add_range(first, static_cast<std::uint8_t>(characters[i + 2]));
      i += 2;
    } else {
      set.add(first);
    }
  }
  return exprs_.byte_set(set);
}

ExprId FormatBuilder::one_of(const CodePointSet& set) { return regex::utf8_set(exprs_, set); }

ExprId FormatBuilder::two_digits(unsigned first, unsigned last) {
  const auto digits = [&](unsigned low, unsigned high) {
    return exprs_.byte_set(ByteSet::range(static_cast<std::uint8_t>('0' + low), static_cast<std::uint8_t>('0' + high)));
  };
  ExprId e = ExprId::kNothing;
  for (unsigned ten = first / 10; ten <= last / 10; ++ten) {
    const ExprId ones = digits(ten == first / 10 ? first % 10 : 0, ten == last / 10 ? last % 10 : 9);
    e = exprs_.alternation(e, exprs_.concat(digits(ten, ten), ones));
  }
  return e;
}

ExprId FormatBuilder::octets(std::uint32_t count) { return exprs_.repeat(exprs_.byte_set(ByteSet::all()), 0, count); }

/// RFC 4122, section 3, UUID; any version and variant.
ExprId uuid_format(FormatBuilder& b) {
  const auto digits = [&](std::uint32_t count) { return b.times(b.hex_digit(), count); };
  const ExprId dash = b.text("-");
  return b.all({digits(8), dash, digits(4), dash, digits(4), dash, digits(4), dash, digits(12)});
}

/// RFC 6901, section 3.
ExprId json_pointer_format(FormatBuilder& b) {
  const ExprId unescaped = b.one_of(~(CodePointSet::of('/') | CodePointSet::of('~')));
  const ExprId character = b.any({unescaped, b.text("~0"), b.text("~1")});
  return b.many(b.all({b.text("/"), b.many(character)}));
}

/// draft-handrews-relative-json-pointer-01, section 3; from 2020-12 on draft-bhutton-relative-json-pointer-00, section
/// 3, which adds index manipulation.
ExprId relative_json_pointer_format(FormatBuilder& b, Dialect dialect) {
  const ExprId positive = b.all({b.one_of("1-9"), b.many(b.digit())});
  const ExprId number = b.any({b.text("0"), positive});
  const ExprId shift = dialect >= Dialect::k2020_12 ? b.maybe(b.all({b.one_of("+-"), positive})) : ExprId::kEpsilon;
  return b.all({number, shift, b.any({b.text("#"), json_pointer_format(b)})});
}

/// OpenAPI's `byte`: RFC 4648, section 4, with padding. The unused bits before the padding may have any value, which
/// section 3.5 allows a decoder to accept.
ExprId base64_format(FormatBuilder& b) {
  const ExprId digit = b.one_of("A-Za-z0-9+/");
  const ExprId padded = b.any({b.all({b.times(digit, 2), b.text("==")}), b.all({b.times(digit, 3), b.text("=")})});
  return b.all({b.many(b.times(digit, 4)), b.maybe(padded)});
}

namespace {

struct StringFormat {
  std::string_view name;
  ExprId (*make)(FormatBuilder& b, Dialect dialect);
};

constexpr std::array kStringFormats = std::to_array<StringFormat>({
    {"byte", [](FormatBuilder& b, Dialect) { return base64_format(b); }},
    {"date", [](FormatBuilder& b, Dialect) { return date_format(b); }},
    {"date-time", [](FormatBuilder& b, Dialect) { return date_time_format(b); }},
    {"duration", [](FormatBuilder& b, Dialect) { return duration_format(b); }},
    {"email", [](FormatBuilder& b, Dialect) { return email_format(b); }},
    {"hostname", [](FormatBuilder& b, Dialect) { return hostname_format(b); }},
    {"idn-email", [](FormatBuilder& b, Dialect) { return idn_email_format(b); }},
    {"idn-hostname", [](FormatBuilder& b, Dialect) { return idn_hostname_format(b); }},
    {"ipv4", [](FormatBuilder& b, Dialect) { return ipv4_format(b); }},
    {"ipv6", [](FormatBuilder& b, Dialect) { return ipv6_format(b); }},
    {"iri", [](FormatBuilder& b, Dialect) { return uri_format(b, UriKind::kAbsolute, UriCharacters::kUnicode); }},
    {"iri-reference",
     [](FormatBuilder& b, Dialect) { return uri_format(b, UriKind::kReference, UriCharacters::kUnicode); }},
    {"json-pointer", [](FormatBuilder& b, Dialect) { return json_pointer_format(b); }},
    {"regex", [](FormatBuilder& b, Dialect) { return regex_format(b); }},
    {"relative-json-pointer",
     [](FormatBuilder& b, Dialect dialect) { return relative_json_pointer_format(b, dialect); }},
    {"time", [](FormatBuilder& b, Dialect) { return time_format(b); }},
    {"uri", [](FormatBuilder& b, Dialect) { return uri_format(b, UriKind::kAbsolute, UriCharacters::kAscii); }},
    {"uri-reference",
     [](FormatBuilder& b, Dialect) { return uri_format(b, UriKind::kReference, UriCharacters::kAscii); }},
    {"uri-template", [](FormatBuilder& b, Dialect) { return uri_template_format(b); }},
    {"url", [](FormatBuilder& b, Dialect) { return uri_format(b, UriKind::kAbsolute, UriCharacters::kAscii); }},
    {"uuid", [](FormatBuilder& b, Dialect) { return uuid_format(b); }},
});

struct NumberRange {
  std::string_view name;
  bool is_integer;
  std::string_view minimum;
  std::string_view maximum;
};

// OpenAPI's format registry. `float` and `double` are ranges: up to the largest finite values of binary32 and binary64
// (IEEE 754).
constexpr std::array kNumberRanges = std::to_array<NumberRange>({
    {"double", false, "-1.7976931348623157e308", "1.7976931348623157e308"},
    {"float", false, "-3.4028234663852886e38", "3.4028234663852886e38"},
    {"int16", true, "-32768", "32767"},
    {"int32", true, "-2147483648", "2147483647"},
    {"int64", true, "-9223372036854775808", "9223372036854775807"},
    {"int8", true, "-128", "127"},
    {"uint16", true, "0", "65535"},
    {"uint32", true, "0", "4294967295"},
    {"uint64", true, "0", "18446744073709551615"},
    {"uint8", true, "0", "255"},
});

constexpr auto kNames = [] {
  std::array<std::string_view, kStringFormats.size() + kNumberRanges.size()> names{};
  std::size_t n = 0;
  for (const StringFormat& format : kStringFormats) names[n++] = format.name;
  for (const NumberRange& format : kNumberRanges) names[n++] = format.name;
  std::ranges::sort(names);
  return names;
}();

}  // namespace

Result<std::optional<ExprId>> string_format(regex::ExprSet& exprs, std::string_view name, Dialect dialect) {
  const auto format = std::ranges::lower_bound(kStringFormats, name, {}, &StringFormat::name);
  if (format == kStringFormats.end() || format->name != name) return std::optional<ExprId>();
  FormatBuilder builder(exprs);
  const ExprId e = format->make(builder, dialect);
  if (e == ExprId::kOverflow) {
    return tl::unexpected(Error{ErrorCode::kLimitExceeded,
                                "the format `" + std::string(name) + "` needs too many expressions",
                                {},
                                "",
                                "regex_nodes"});
  }
  return e;
}

std::optional<NumericFormat> numeric_format(std::string_view name) {
  const auto range = std::ranges::lower_bound(kNumberRanges, name, {}, &NumberRange::name);
  if (range == kNumberRanges.end() || range->name != name) return std::nullopt;
  const auto bound = [](std::string_view text) {
    return NumberBound{Decimal::parse(text, Limits{}).value_or(Decimal()), false};
  };
  return NumericFormat{range->is_integer, bound(range->minimum), bound(range->maximum)};
}

std::span<const std::string_view> known_formats() { return kNames; }

}  // namespace weir::frontend::json_schema
