// Languages as sets: one bit for every string of up to N letters. The results of ExprSet must agree with them.
//
// Restricting languages to short strings over a few letters commutes with every operation here, so results must be
// equal. Nothing here uses derivatives or normal forms.
#ifndef WEIR_TESTS_UNIT_REGEX_EXPR_LANGUAGE_H_
#define WEIR_TESTS_UNIT_REGEX_EXPR_LANGUAGE_H_

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::regex::testing {

/// A language over an alphabet of `Letters` letters ('a', 'b', ...), restricted to strings of up to `Length` letters;
/// bits are in the order of strings, shorter ones first.
template <int Letters, int Length>
class Universe {
 public:
  static constexpr std::size_t count() {
    std::size_t n = 0;
    std::size_t power = 1;
    for (int i = 0; i <= Length; ++i, power *= Letters) n += power;
    return n;
  }
  using Set = std::bitset<count()>;

  Universe() {
    strings_.emplace_back();
    for (std::size_t i = 0; strings_.size() < count(); ++i) {
      for (int c = 0; c < Letters; ++c) strings_.push_back(strings_[i] + static_cast<char>('a' + c));
    }
    for (const std::string& x : strings_) {
      for (const std::string& y : strings_) joined_.push_back(x.size() + y.size() <= Length ? index(x + y) : kTooLong);
    }
  }

  [[nodiscard]] const std::vector<std::string>& strings() const { return strings_; }
  [[nodiscard]] std::size_t index(std::string_view text) const {
    std::size_t i = 0;
    for (char c : text) i = i * Letters + static_cast<std::size_t>(c - 'a') + 1;
    return i;
  }
  [[nodiscard]] Set of(std::string_view text) const { return Set().set(index(text)); }
  [[nodiscard]] Set letters(std::string_view letters) const {
    Set set;
    for (char c : letters) set.set(index(std::string(1, c)));
    return set;
  }
  [[nodiscard]] Set all() const { return ~Set(); }

  [[nodiscard]] Set concat(const Set& x, const Set& y) const {
    Set result;
    for (std::size_t i = x._Find_first(); i < x.size(); i = x._Find_next(i)) {
      for (std::size_t j = y._Find_first(); j < y.size(); j = y._Find_next(j)) {
        const std::size_t k = joined_[i * count() + j];
        if (k == kTooLong) break;  // the strings after this one are at least as long
        result.set(k);
      }
    }
    return result;
  }
  /// x{min,max}; `max` may be UINT32_MAX for no bound.
  [[nodiscard]] Set repeat(const Set& x, std::uint32_t min, std::uint32_t max) const {
    Set power = of("");
    Set result;
    // All powers from x^(Length+1) on are equal, because longer strings are not represented.
    for (std::uint64_t k = 0; k <= max && k <= std::uint64_t{min} + Length + 1; ++k) {
      if (k >= min) result |= power;
      const Set next = concat(power, x);
      if (next == power && k < min) k = min - 1;
      power = next;
    }
    return result;
  }
  /// Returns the derivative by `letter`, without strings of full length, which are not known.
  [[nodiscard]] Set quotient(const Set& x, char letter) const {
    Set result;
    for (std::size_t i = 0; i < count(); ++i) {
      if (strings_[i].size() < Length && x[index(std::string(1, letter) + strings_[i])]) result.set(i);
    }
    return result;
  }
  /// Returns the language without strings of full length.
  [[nodiscard]] Set shorter() const {
    Set result;
    for (std::size_t i = 0; i < count(); ++i) result[i] = strings_[i].size() < Length;
    return result;
  }

 private:
  static constexpr std::size_t kTooLong = SIZE_MAX;
  std::vector<std::string> strings_;
  std::vector<std::size_t> joined_;
};

}  // namespace weir::regex::testing

#endif  // WEIR_TESTS_UNIT_REGEX_EXPR_LANGUAGE_H_
