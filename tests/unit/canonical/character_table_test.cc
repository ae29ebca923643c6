#include "canonical/character_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/utf8.h"

namespace weir::canonical {
namespace {

using Kind = CharacterTable::Step::Kind;

const std::vector<CharacterTable::Stretch> kStretches = {
    {0, 0},      {U'a', 1},    {U'b', 0},    {0xE9, 2}, {0xEA, 0}, {0x2581, CharacterTable::kNoAtom},
    {0x2582, 3}, {0x1F600, 1}, {0x1F601, 0},
};

std::uint16_t atom_of(char32_t c) {
  std::uint16_t atom = 0;
  for (const CharacterTable::Stretch& stretch : kStretches) {
    if (stretch.first <= c) atom = stretch.atom;
  }
  return atom;
}

TEST(CharacterTable, EveryCharacterHasItsAtom) {
  const CharacterTable table(kStretches);
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0xD800) c = 0xE000;
    std::string text;
    base::append_utf8(text, c);
    CharacterTable::Step step;
    bool is_valid = true;
    for (std::size_t i = 0; i < text.size() && is_valid; ++i) {
      step = table.step(i == 0 ? CharacterId::kNone : step.character, static_cast<std::uint8_t>(text[i]));
      is_valid = step.kind != Kind::kInvalid;
      if (i + 1 < text.size() && is_valid) {
        ASSERT_EQ(step.kind, Kind::kInside);
        if (atom_of(c) != CharacterTable::kNoAtom) {
          ASSERT_TRUE(table.atoms_after(step.character).contains(static_cast<std::uint8_t>(atom_of(c))));
        }
      }
    }
    if (atom_of(c) == CharacterTable::kNoAtom) {
      ASSERT_FALSE(is_valid) << static_cast<std::uint32_t>(c);
    } else {
      ASSERT_EQ(step.kind, Kind::kComplete) << static_cast<std::uint32_t>(c);
      ASSERT_EQ(step.atom, atom_of(c)) << static_cast<std::uint32_t>(c);
    }
  }
}

// All texts of one, two and three bytes, and those of four with interesting beginnings.
TEST(CharacterTable, InvalidUtf8IsRefused) {
  const CharacterTable table(std::vector<CharacterTable::Stretch>{{0, 0}});
  const auto is_valid = [&](const std::string& text) {
    CharacterTable::Step step;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i > 0 && step.kind != Kind::kInside) return false;
      step = table.step(i == 0 ? CharacterId::kNone : step.character, static_cast<std::uint8_t>(text[i]));
    }
    return step.kind == Kind::kComplete;
  };
  for (unsigned a = 0; a < 256; ++a) {
    const std::string one(1, static_cast<char>(a));
    EXPECT_EQ(is_valid(one), base::decode_utf8(one, 0).length == 1);
    for (unsigned b = 0; b < 256; ++b) {
      const std::string two = one + static_cast<char>(b);
      ASSERT_EQ(is_valid(two), base::decode_utf8(two, 0).length == 2);
      for (unsigned c = 0x7F; a >= 0xE0 && c < 0xC1; ++c) {
        const std::string three = two + static_cast<char>(c);
        ASSERT_EQ(is_valid(three), base::decode_utf8(three, 0).length == 3);
        if (a < 0xF0 || c % 16 != 0) continue;
        for (const unsigned d : {0x7FU, 0x80U, 0xBFU, 0xC0U}) {
          const std::string four = three + static_cast<char>(d);
          ASSERT_EQ(is_valid(four), base::decode_utf8(four, 0).length == 4);
        }
      }
    }
  }
}

}  // namespace
}  // namespace weir::canonical
