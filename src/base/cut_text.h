// CutText: a text of which only the beginning is written, and whose length is counted.
//
// WHY    A shortest text may be as long as a number in a grammar says: 10^9 letters, or as many items. Most callers need
//        its length only, and none wants it written if it is longer than a limit.
// COST   Adding a text n times costs no more than writing what is kept.
#ifndef WEIR_SRC_BASE_CUT_TEXT_H_
#define WEIR_SRC_BASE_CUT_TEXT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace weir::base {

class CutText {
 public:
  static constexpr std::uint64_t kMaxLength = UINT64_MAX / 4;  ///< Longer texts count as this long.

  /// An empty text, of which the first `most` bytes will be kept.
  explicit CutText(std::size_t most) : most_(most) {}
  CutText(std::string text, std::size_t most) : text_(std::move(text)), length_(text_.size()), most_(most) {
    if (text_.size() > most_) text_.resize(most_);
  }

  /// Returns what stands for "there is no text". Its length is kMaxLength.
  static CutText none() {
    CutText text(0);
    text.length_ = kMaxLength;
    text.is_none_ = true;
    return text;
  }

  /// Returns the text, or its beginning if it is not whole.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::uint64_t length() const { return length_; }
  [[nodiscard]] bool empty() const { return length_ == 0; }
  [[nodiscard]] bool is_none() const { return is_none_; }
  [[nodiscard]] bool is_whole() const { return text_.size() == length_; }
  /// Returns how many bytes of what is added next will be kept.
  [[nodiscard]] std::size_t room() const { return is_whole() ? most_ - text_.size() : 0; }

  void add(std::string_view text, std::uint64_t times = 1) { add(text, text.size(), times); }
  void add(const CutText& other, std::uint64_t times = 1) { add(other.text_, other.length_, times); }
  /// Adds bytes that are not written; nothing that is added later is written either.
  void add_unwritten(std::uint64_t bytes) { add({}, bytes, 1); }

 private:
  // Adds a text of `length` bytes that begins with `begin`.
  void add(std::string_view begin, std::uint64_t length, std::uint64_t times) {
    if (length == 0) return;
    for (; times > 0 && is_whole() && text_.size() < most_; --times) {
      text_.append(begin.substr(0, most_ - text_.size()));
      length_ += std::min(length, kMaxLength - length_);
    }
    length_ = times > (kMaxLength - length_) / length ? kMaxLength : length_ + length * times;
  }

  std::string text_;
  std::uint64_t length_ = 0;
  std::size_t most_;
  bool is_none_ = false;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_CUT_TEXT_H_
