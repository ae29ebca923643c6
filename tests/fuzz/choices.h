// Choices: reads decisions from the bytes that a fuzzer mutates.
#ifndef WEIR_TESTS_FUZZ_CHOICES_H_
#define WEIR_TESTS_FUZZ_CHOICES_H_

#include <cstddef>
#include <string_view>

namespace weir::fuzz {

/// After the last byte every choice is 0. Whoever reads choices must end if all further choices are 0.
class Choices {
 public:
  explicit Choices(std::string_view data) : data_(data) {}

  /// Returns a number below `count`, which is at most 256.
  unsigned next(std::size_t count) {
    if (is_empty()) return 0;
    return static_cast<unsigned>(static_cast<unsigned char>(data_[pos_++]) % count);
  }
  /// Returns a part of the bytes, at most `most` of them.
  std::string_view text(std::size_t most) {
    const std::size_t size = next(most + 1);
    const std::string_view taken = data_.substr(pos_, size);
    pos_ += taken.size();
    return taken;
  }
  [[nodiscard]] bool is_empty() const { return pos_ == data_.size(); }

 private:
  std::string_view data_;
  std::size_t pos_ = 0;
};

}  // namespace weir::fuzz

#endif  // WEIR_TESTS_FUZZ_CHOICES_H_
