#include "base/byte_blocks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace weir::base {
namespace {

std::uint64_t word_of(std::uint8_t fill, std::size_t place, std::uint8_t byte) {
  std::string text(8, static_cast<char>(fill));
  text[place] = static_cast<char>(byte);
  std::uint64_t word = 0;
  std::memcpy(&word, text.data(), 8);
  return word;
}

// Every byte at every place of a word, beside seven equal bytes.
TEST(ByteBlocks, WordsAreTestedByteByByte) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (const unsigned fill : {0x00U, 0x1FU, 0x20U, 0x21U, 0x22U, 0x23U, 0x5CU, 0x7FU, 0x80U, 0xA2U, 0xFFU}) {
      for (std::size_t place = 0; place < 8; ++place) {
        const std::uint64_t word = word_of(static_cast<std::uint8_t>(fill), place, static_cast<std::uint8_t>(byte));
        EXPECT_EQ(has_byte_below(word, 0x20), byte < 0x20 || fill < 0x20) << byte << ' ' << fill;
        EXPECT_EQ(has_byte_below(word, 128), byte < 128 || fill < 128) << byte << ' ' << fill;
        EXPECT_EQ(has_byte(word, 0x22), byte == 0x22 || fill == 0x22) << byte << ' ' << fill;
      }
    }
  }
}

TEST(ByteBlocks, SearchesFindTheFirstByteFromAnyPosition) {
  for (std::size_t size = 0; size < 27; ++size) {
    for (std::size_t wanted = 0; wanted <= size; ++wanted) {
      std::string text(size, 'a');
      if (wanted < size) text[wanted] = '\xC3';
      // A buffer of exactly that size: AddressSanitizer reports a read past its end.
      const std::vector<char> bytes(text.begin(), text.end());
      const std::string_view exact(bytes.data(), bytes.size());
      for (std::size_t pos = 0; pos <= size; ++pos) {
        const std::size_t expected = pos <= wanted ? wanted : size;
        EXPECT_EQ(skip_ascii(exact, pos), expected) << size << ' ' << wanted << ' ' << pos;
      }
    }
  }
}

}  // namespace
}  // namespace weir::base
