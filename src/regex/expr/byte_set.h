// ByteSet: a set of bytes as 256 bits. ByteClasses: a partition of the bytes such that every set of a given collection
// is a union of classes; a transition table then needs one column a class instead of 256.
#ifndef WEIR_SRC_REGEX_EXPR_BYTE_SET_H_
#define WEIR_SRC_REGEX_EXPR_BYTE_SET_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace weir::regex {

class ByteSet {
 public:
  constexpr ByteSet() = default;
  static constexpr ByteSet of(std::uint8_t byte) {
    ByteSet set;
    set.add(byte);
    return set;
  }
  static constexpr ByteSet range(std::uint8_t first, std::uint8_t last) {
    ByteSet set;
    set.add_range(first, last);
    return set;
  }
  static constexpr ByteSet all() { return range(0, 255); }

  constexpr void add(std::uint8_t byte) { words_[byte >> 6] |= std::uint64_t{1} << (byte & 63); }
  constexpr void add_range(std::uint8_t first, std::uint8_t last) {
    for (unsigned b = first; b <= last; ++b) add(static_cast<std::uint8_t>(b));
  }
  [[nodiscard]] constexpr bool contains(std::uint8_t byte) const {
    return ((words_[byte >> 6] >> (byte & 63)) & 1) != 0;
  }
  [[nodiscard]] constexpr bool is_empty() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
  [[nodiscard]] constexpr std::size_t size() const {
    std::size_t n = 0;
    for (std::uint64_t w : words_) n += static_cast<std::size_t>(std::popcount(w));
    return n;
  }
  /// Precondition: not empty.
  [[nodiscard]] constexpr std::uint8_t first() const {
    unsigned i = 0;
    while (words_[i] == 0) ++i;
    return static_cast<std::uint8_t>(i * 64 + static_cast<unsigned>(std::countr_zero(words_[i])));
  }
  /// Calls `use` with each member, in ascending order.
  template <typename Use>
  constexpr void for_each(Use use) const {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::uint64_t bits = words_[i]; bits != 0; bits &= bits - 1) {
        use(static_cast<std::uint8_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
      }
    }
  }
  constexpr ByteSet& operator|=(const ByteSet& o) {
    for (std::size_t i = 0; i < 4; ++i) words_[i] |= o.words_[i];
    return *this;
  }
  constexpr ByteSet& operator&=(const ByteSet& o) {
    for (std::size_t i = 0; i < 4; ++i) words_[i] &= o.words_[i];
    return *this;
  }
  friend constexpr ByteSet operator|(ByteSet a, const ByteSet& b) { return a |= b; }
  friend constexpr ByteSet operator&(ByteSet a, const ByteSet& b) { return a &= b; }
  friend constexpr ByteSet operator~(ByteSet a) {
    for (auto& w : a.words_) w = ~w;
    return a;
  }
  friend constexpr bool operator==(const ByteSet&, const ByteSet&) = default;
  friend constexpr auto operator<=>(const ByteSet&, const ByteSet&) = default;
  [[nodiscard]] constexpr const std::array<std::uint64_t, 4>& words() const { return words_; }

 private:
  std::array<std::uint64_t, 4> words_{};
};

/// A ByteSet that numbers its members in ascending order, for tables that have entries for members only.
class RankedByteSet {
 public:
  constexpr RankedByteSet() = default;
  explicit constexpr RankedByteSet(const ByteSet& set) : words_(set.words()) {
    unsigned before = 0;
    for (std::size_t w = 0; w < 4; ++w) {
      before_[w] = static_cast<std::uint8_t>(before);  // at most 192 in three words
      before += static_cast<unsigned>(std::popcount(words_[w]));
    }
  }
  [[nodiscard]] constexpr bool contains(std::uint8_t byte) const {
    return ((words_[byte >> 6] >> (byte & 63)) & 1) != 0;
  }
  /// Returns the number of members less than `byte`.
  [[nodiscard]] constexpr std::uint32_t rank(std::uint8_t byte) const {
    const std::uint64_t below = (std::uint64_t{1} << (byte & 63)) - 1;
    return before_[byte >> 6] + static_cast<std::uint32_t>(std::popcount(words_[byte >> 6] & below));
  }
  [[nodiscard]] constexpr std::uint32_t size() const {
    return before_[3] + static_cast<std::uint32_t>(std::popcount(words_[3]));
  }

 private:
  std::array<std::uint64_t, 4> words_{};
  std::array<std::uint8_t, 4> before_{};
};

/// A partition of 0..255. It starts as one class; refine() splits each class into the bytes inside and outside a set.
class ByteClasses {
 public:
  /// Returns the partition in which each byte is a class of its own.
  static ByteClasses single();
  void refine(const ByteSet& set);
  [[nodiscard]] std::uint8_t class_of(std::uint8_t byte) const { return class_of_[byte]; }
  /// Returns the classes of the bytes of a set.
  [[nodiscard]] ByteSet classes_of(const ByteSet& bytes) const {
    if (is_single_) return bytes;
    ByteSet classes;
    bytes.for_each([&](std::uint8_t byte) { classes.add(class_of_[byte]); });
    return classes;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// Returns the smallest byte of a class.
  [[nodiscard]] std::uint8_t representative(std::uint8_t cls) const { return representative_[cls]; }

 private:
  std::array<std::uint8_t, 256> class_of_{};
  std::array<std::uint8_t, 256> representative_{};
  std::uint32_t count_ = 1;
  bool is_single_ = false;  // class_of(b) == b for all bytes
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_BYTE_SET_H_
