#include "recipe.h"

#include <algorithm>
#include <optional>

namespace weir::tests {

namespace {

std::uint64_t square_root(std::uint64_t n) {
  std::uint64_t root = 1;
  while ((root + 1) * (root + 1) <= n) root = std::max(root + 1, root + root / 8);
  while (root * root > n) --root;
  return root;
}

// An odd factor permutes the numbers below 2^28, and 26^6 is larger, so words of different numbers differ.
std::string word(std::uint64_t number) {
  std::uint64_t mixed = (number * 0x9E3779B) & 0xFFFFFFF;
  std::string out;
  for (int i = 0; i < 6; ++i, mixed /= 26) out += static_cast<char>('a' + mixed % 26);
  return out;
}

void append_numbered(std::string& out, std::string_view body, std::uint64_t i) {
  for (std::size_t at = 0; at < body.size(); ++at) {
    const char kind = body[at] == '$' && at + 1 < body.size() ? body[at + 1] : '\0';
    if (kind == 'i') {
      out += std::to_string(i);
    } else if (kind == 'j') {
      out += std::to_string(i % 7);
    } else if (kind == 'c') {
      out += static_cast<char>('a' + i % 26);
    } else if (kind == 'h') {
      out += word(i);
    } else {
      out += body[at];
      continue;
    }
    ++at;
  }
}

class Expander {
 public:
  Expander(std::string_view recipe, std::uint64_t size, std::size_t most)
      : text_(recipe), size_(size), most_(most) {}

  // Reads to the end of the recipe or, within a list, of the list's body.
  std::string read(bool is_body) {
    std::string out;
    while (at_ < text_.size()) {
      std::uint64_t count = 0;
      std::string_view separator;
      if (is_body && text_.substr(at_).starts_with(">>")) {
        at_ += 2;
        return out;
      }
      if (text_.substr(at_).starts_with("$l")) {
        out += '\n';
        at_ += 2;
      } else if (text_.substr(at_).starts_with("$n")) {
        out += std::to_string(size_);
        at_ += 2;
      } else if (!begins_list(count, separator)) {
        out += text_[at_++];
      } else {
        const std::string body = read(true);
        for (std::uint64_t i = 0; i < count; ++i) {
          if (i != 0) out += separator == "$l" ? "\n" : separator;
          append_numbered(out, body, i);
        }
      }
    }
    return out;
  }

 private:
  [[nodiscard]] std::optional<std::uint64_t> count_of(std::string_view word) const {
    std::uint64_t number = 0;
    if (word == "n") {
      number = size_;
    } else if (word == "n/10") {
      number = size_ / 10;
    } else if (word == "s") {
      number = square_root(size_);
    } else if (!word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos) {
      number = std::stoull(std::string(word));
    } else {
      return std::nullopt;
    }
    return std::min<std::uint64_t>(number, most_);
  }

  // Returns true if a list begins here; then goes to its body.
  bool begins_list(std::uint64_t& count, std::string_view& separator) {
    if (!text_.substr(at_).starts_with("<<")) return false;
    const std::size_t first = text_.find(';', at_);
    const std::size_t second = first == std::string_view::npos ? first : text_.find(';', first + 1);
    if (second == std::string_view::npos) return false;
    const auto number = count_of(text_.substr(at_ + 2, first - at_ - 2));
    if (!number) return false;
    count = *number;
    separator = text_.substr(first + 1, second - first - 1);
    at_ = second + 1;
    return true;
  }

  std::string_view text_;
  std::uint64_t size_;
  std::size_t most_;
  std::size_t at_ = 0;
};

}  // namespace

std::string expand(std::string_view recipe, std::uint64_t size, std::size_t most_copies) {
  return Expander(recipe, size, most_copies).read(false);
}

}  // namespace weir::tests
