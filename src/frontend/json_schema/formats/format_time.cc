// date, time, date-time, duration: RFC 3339.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "frontend/json_schema/formats/format_builder.h"
#include "regex/atoms/atom.h"

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

ExprId hour(FormatBuilder& b) { return b.two_digits(0, 23); }
ExprId minute(FormatBuilder& b) { return b.two_digits(0, 59); }
ExprId second_fraction(FormatBuilder& b) { return b.maybe(b.all({b.text("."), b.some(b.digit())})); }
ExprId colon(FormatBuilder& b) { return b.text(":"); }
ExprId zulu(FormatBuilder& b) { return b.one_of("Zz"); }

/// A time with second 60. A leap second is at 23:59:60 UTC (section 5.7), so the local hour and minute are 23:59 plus the
/// offset, modulo a day: they determine the offset up to its sign. As an expression this is an intersection of 24 cases
/// with 60, which takes long to build. This machine reads the hour and the minute; its last derivative is what may follow
/// them.
///
/// `b` of its states is the number of characters that were read, `c` the number that their digits write.
class LeapSecondAtom final : public regex::Atom {
 public:
  constexpr LeapSecondAtom() : Atom(Form::kPlain) {}

  [[nodiscard]] Properties properties(const regex::ExprSet& /*exprs*/, const regex::AtomState& state) const override {
    constexpr std::array<std::uint32_t, 5> kBeginningsOfUtc = {0, 2, 23, 23, 235};
    const bool can_be_utc = state.c == kBeginningsOfUtc[state.b];
    const std::string_view shortest = can_be_utc ? "23:59:60Z" : "00:00:60-23:59";
    return {.has_member = true,
            .has_text = true,
            .is_ascii = true,
            .min_length = static_cast<std::uint32_t>(shortest.size()) - state.b};
  }
  ExprId derivative(regex::ExprSet& exprs, const regex::AtomState& state, std::uint8_t byte) const override {
    const std::uint32_t read = state.b;
    const auto go_on = [&](std::uint32_t digits) { return exprs.atom({0, read + 1, digits, state.atom}); };
    if (read == 2) return byte == ':' ? go_on(state.c) : ExprId::kNothing;
    if (byte < '0' || byte > '9') return ExprId::kNothing;
    const std::uint32_t digits = state.c * 10 + (byte - '0');
    if (read == 4) return after(exprs, digits / 100, digits % 100);
    const bool is_in_range = read == 0 ? digits <= 2 : read == 1 ? digits <= 23 : digits % 10 <= 5;
    return is_in_range ? go_on(digits) : ExprId::kNothing;
  }
  [[nodiscard]] std::span<const regex::ByteSet> classes(const regex::AtomState& /*state*/) const override {
    return kDigitsAndColon;
  }
  void refine_classes(regex::ByteClasses& classes) const override {
    for (const regex::ByteSet& set : kDigitsAndColon) classes.refine(set);
  }
  [[nodiscard]] std::string name(const regex::AtomState& state) const override {
    return "leap second(" + std::to_string(state.b) + ", " + std::to_string(state.c) + ")";
  }

 private:
  static constexpr std::array<regex::ByteSet, 11> kDigitsAndColon = [] {
    std::array<regex::ByteSet, 11> sets{};
    for (std::uint8_t i = 0; i < 11; ++i) sets[i] = regex::ByteSet::of(static_cast<std::uint8_t>('0' + i));
    return sets;
  }();
  static_assert(':' == '0' + 10);

  static ExprId after(regex::ExprSet& exprs, std::uint32_t hour, std::uint32_t minute) {
    constexpr std::uint32_t kDay = 24 * 60;
    const std::uint32_t local = hour * 60 + minute;
    FormatBuilder b(exprs);
    const auto time = [&](std::uint32_t minutes) {
      const std::uint32_t h = minutes / 60, m = minutes % 60;
      return b.all({b.two_digits(h, h), colon(b), b.two_digits(m, m)});
    };
    const ExprId utc = local == kDay - 1 ? zulu(b) : ExprId::kNothing;
    const ExprId ahead = b.all({b.text("+"), time((local + 1) % kDay)});
    const ExprId back = b.all({b.text("-"), time(kDay - 1 - local)});
    return b.all({b.text(":60"), second_fraction(b), b.any({utc, ahead, back})});
  }
};

constexpr LeapSecondAtom kLeapSecond;

ExprId leap_second(FormatBuilder& b) { return b.exprs().atom({0, 0, 0, b.exprs().register_atom(kLeapSecond)}); }

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
  const ExprId offset = b.any({zulu(b), b.all({b.one_of("+-"), hour(b), colon(b), minute(b)})});
  return b.any(
      {b.all({hour(b), colon(b), minute(b), colon(b), minute(b), second_fraction(b), offset}), leap_second(b)});
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
