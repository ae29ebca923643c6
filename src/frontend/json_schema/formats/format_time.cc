// date, time, date-time, duration: RFC 3339.
#include <string>
#include <vector>

#include "frontend/json_schema/formats/format_builder.h"

namespace weir::frontend::json_schema {

namespace {

using regex::ExprId;

/// Four digits that are a leap year of the Gregorian calendar (appendix C).
ExprId leap_year(FormatBuilder& b) {
  // Multiples of 4 with two digits, except 00: 04, 08, 12, ...
  const ExprId multiple = b.any({b.all({b.text("0"), b.one_of("48")}), b.all({b.one_of("2468"), b.one_of("048")}),
                                 b.all({b.one_of("13579"), b.one_of("26")})});
  return b.any({b.all({b.times(b.digit(), 2), multiple}), b.all({b.any({b.text("00"), multiple}), b.text("00")})});
}

ExprId two_digit_text(FormatBuilder& b, unsigned number) {
  return b.text(std::to_string(number / 10) + std::to_string(number % 10));
}

ExprId hour(FormatBuilder& b) { return b.two_digits(0, 23); }
ExprId minute(FormatBuilder& b) { return b.two_digits(0, 59); }
ExprId second_fraction(FormatBuilder& b) { return b.maybe(b.all({b.text("."), b.some(b.digit())})); }
ExprId colon(FormatBuilder& b) { return b.text(":"); }

/// Times with second 60. A leap second is at 23:59:60 UTC (section 5.7), so the local hour and minute are 23:59 plus
/// the offset, modulo a day. The result is the intersection of a condition on hours and one on minutes, which is
/// smaller than a list of all pairs.
ExprId leap_second(FormatBuilder& b) {
  const ExprId after = b.all({b.text(":60"), second_fraction(b)});
  const ExprId zulu = b.one_of("Zz");
  std::vector<ExprId> hours;
  for (unsigned h = 0; h < 24; ++h) {
    // With an offset of whole hours, h = 23 + offset. With further minutes the sum carries into the next hour.
    const ExprId ahead = b.any({b.all({two_digit_text(b, (h + 1) % 24), b.text(":00")}),
                                b.all({two_digit_text(b, h), colon(b), b.two_digits(1, 59)})});
    const ExprId back = b.all({two_digit_text(b, 23 - h), colon(b), minute(b)});
    const ExprId offset =
        b.any({h == 23 ? zulu : ExprId::kNothing, b.all({b.text("+"), ahead}), b.all({b.text("-"), back})});
    hours.push_back(b.all({two_digit_text(b, h), colon(b), minute(b), after, offset}));
  }
  std::vector<ExprId> minutes;
  for (unsigned m = 0; m < 60; ++m) {
    const ExprId ahead = b.all({b.text("+"), hour(b), colon(b), two_digit_text(b, (m + 1) % 60)});
    const ExprId back = b.all({b.text("-"), hour(b), colon(b), two_digit_text(b, 59 - m)});
    const ExprId offset = b.any({m == 59 ? zulu : ExprId::kNothing, ahead, back});
    minutes.push_back(b.all({hour(b), colon(b), two_digit_text(b, m), after, offset}));
  }
  return b.both(b.exprs().alternation(hours), b.exprs().alternation(minutes));
}

}  // namespace

/// full-date of section 5.6, with the days per month of section 5.7.
ExprId date_format(FormatBuilder& b) {
  const ExprId dash = b.text("-");
  const ExprId long_month = b.any({b.all({b.text("0"), b.one_of("13578")}), b.all({b.text("1"), b.one_of("02")})});
  const ExprId short_month = b.any({b.all({b.text("0"), b.one_of("469")}), b.text("11")});
  const ExprId day =
      b.any({b.all({long_month, dash, b.two_digits(1, 31)}), b.all({short_month, dash, b.two_digits(1, 30)}),
             b.all({b.text("02-"), b.two_digits(1, 28)})});
  return b.any({b.all({b.times(b.digit(), 4), dash, day}), b.all({leap_year(b), b.text("-02-29")})});
}

/// full-time of section 5.6.
ExprId time_format(FormatBuilder& b) {
  const ExprId offset = b.any({b.one_of("Zz"), b.all({b.one_of("+-"), hour(b), colon(b), minute(b)})});
  const ExprId usual = b.all({hour(b), colon(b), minute(b), colon(b), b.two_digits(0, 59), second_fraction(b), offset});
  return b.any({usual, leap_second(b)});
}

/// date-time of section 5.6. A leap second is accepted on any day, since those of the future are not known. A blank
/// instead of the T is not accepted, since the grammar does not have it.
ExprId date_time_format(FormatBuilder& b) { return b.all({date_format(b), b.one_of("Tt"), time_format(b)}); }

/// duration of appendix A.
ExprId duration_format(FormatBuilder& b) {
  const ExprId number = b.some(b.digit());
  const auto unit = [&](const char* letter) { return b.all({number, b.text(letter)}); };
  const ExprId minutes = b.all({unit("M"), b.maybe(unit("S"))});
  const ExprId hours = b.all({unit("H"), b.maybe(minutes)});
  const ExprId time = b.all({b.text("T"), b.any({hours, minutes, unit("S")})});
  const ExprId months = b.all({unit("M"), b.maybe(unit("D"))});
  const ExprId years = b.all({unit("Y"), b.maybe(months)});
  const ExprId date = b.all({b.any({unit("D"), months, years}), b.maybe(time)});
  return b.all({b.text("P"), b.any({date, time, unit("W")})});
}

}  // namespace weir::frontend::json_schema
