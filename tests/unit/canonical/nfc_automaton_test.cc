#include "canonical/nfc_automaton.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "rounds.h"
#include "vocab/normalizers/unicode.h"
#include "vocab/normalizers/unicode_tables.h"

namespace weir::canonical {
namespace {

namespace unicode = vocab::unicode;

const NfcAutomaton& nfc() {
  static const NfcAutomaton kAutomaton;
  return kAutomaton;
}

std::string utf8(const std::vector<char32_t>& characters) {
  std::string text;
  for (const char32_t c : characters) base::append_utf8(text, c);
  return text;
}

bool is_read(std::string_view text) { return nfc().step(NfcState::kStart, text) != NfcState::kRefused; }

// By the definition: normalizing changes nothing.
bool is_in_nfc(const std::string& text) {
  return vocab::normalize_unicode(text, vocab::NormalizationForm::kNfc) == text;
}

bool agrees(const std::vector<char32_t>& characters) {
  const std::string text = utf8(characters);
  if (is_read(text) == is_in_nfc(text)) return true;
  std::string shown;
  for (const char32_t c : characters) {
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), " U+%04X", static_cast<unsigned>(c));
    shown += number.data();
  }
  ADD_FAILURE() << (is_read(text) ? "read, though normalizing changes it:" : "refused, though it is in NFC:") << shown;
  return false;
}

// Characters that the tables name, and some others; and those of them that may change a text that they follow.
struct Characters {
  std::vector<char32_t> all = {'a', 'e', '.', '>', 0x4E00, 0xAC00, 0xAC01, 0xD7A3, 0x1100, 0x1112, 0x1161, 0x11A8};
  std::vector<char32_t> followers = {0x1161, 0x1175, 0x1176, 0x11A7, 0x11A8, 0x11C2, 0x11C3, 'a'};
  Characters() {
    std::map<std::uint8_t, int> of_class;
    for (const unicode::Mapping& mapping : unicode::kCanonical) all.push_back(mapping.from);
    for (const unicode::CombiningClass& range : unicode::kCombiningClasses) {
      for (char32_t c = range.first; c <= range.last; ++c) {
        all.push_back(c);
        if (++of_class[range.value] <= 2) followers.push_back(c);
      }
    }
    for (const unicode::Composition& composition : unicode::kCompositions) {
      all.push_back(composition.first);
      if (followers.back() != composition.second) followers.push_back(composition.second);
    }
  }
};

TEST(NfcAutomaton, KindsOfCharactersFitTheTable) {
  EXPECT_GT(nfc().atom_count(), 200U);
  EXPECT_LE(nfc().atom_count(), 256U);
  EXPECT_LT(nfc().memory_bytes(), 500'000U);
}

TEST(NfcAutomaton, EveryCharacter) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    if (!agrees({c})) return;
  }
}

TEST(NfcAutomaton, CharactersThatMayChange) {
  const Characters characters;
  const std::size_t stride = tests::is_sanitized() ? 37 : 2;
  std::mt19937 random(3);
  for (std::size_t i = random() % stride; i < characters.all.size(); i += stride) {
    for (const char32_t follower : characters.followers) {
      if (!agrees({characters.all[i], follower})) return;
    }
  }
}

TEST(NfcAutomaton, RandomTexts) {
  const Characters characters;
  std::mt19937 random(5);
  for (int i = 0, rounds = tests::rounds(200'000); i < rounds; ++i) {
    std::vector<char32_t> text{characters.all[random() % characters.all.size()]};
    for (std::size_t k = 0, more = 1 + random() % 4; k < more; ++k) {
      const auto& from = random() % 3 == 0 ? characters.all : characters.followers;
      text.push_back(from[random() % from.size()]);
    }
    if (!agrees(text)) return;
  }
}

TEST(NfcAutomaton, ADotBelowGoesBeforeACircumflex) {
  EXPECT_TRUE(is_read("\u00EA"));
  EXPECT_FALSE(is_read("\u00EA\u0323"));  // U+1EC7
  EXPECT_TRUE(is_read("\u1EC7"));
  EXPECT_TRUE(is_read("\u00EA\u031B"));
  EXPECT_FALSE(is_read("\u00EA\u031B\u0301"));  // U+1EBF and U+031B
}

// A beginning of a character is read iff a character with it is.
TEST(NfcAutomaton, BeginningsOfCharacters) {
  for (const char* before : {"", "e", "\u0301", "\u1100", "\uAC00", "\u0315", "a\u0345"}) {
    const NfcState state = nfc().step(NfcState::kStart, before);
    ASSERT_NE(state, NfcState::kRefused);
    std::map<std::string, bool> begun;
    for (char32_t c = 0x80; c < 0x11000; ++c) {
      if (c >= 0xD800 && c < 0xE000) continue;
      const std::string text = utf8({c});
      const bool may_come = nfc().step(state, text) != NfcState::kRefused;
      for (std::size_t size = 1; size < text.size(); ++size) {
        bool& known = begun[text.substr(0, size)];
        known = known || may_come;
      }
    }
    for (const auto& [bytes, may_come] : begun) {
      if (bytes[0] == '\xF0') continue;  // others than those above begin with it
      EXPECT_EQ(nfc().step(state, bytes) != NfcState::kRefused, may_come);
    }
  }
  EXPECT_FALSE(is_read("\xC0"));
  EXPECT_FALSE(is_read("\xED\xA0"));  // a surrogate
  EXPECT_FALSE(is_read("\x80"));
}

TEST(NfcAutomaton, FreeCharacters) {
  EXPECT_TRUE(nfc().may_follow_all(""));

  EXPECT_TRUE(nfc().may_follow_all("\u0939\u093F\u0928\u094D"));  // with a virama, of class 9
  EXPECT_FALSE(nfc().may_follow_all("\u0301"));
  EXPECT_FALSE(nfc().may_follow_all("e\u0301"));
  EXPECT_FALSE(nfc().may_follow_all("\u1161"));
  EXPECT_FALSE(nfc().may_follow_all("\xE4\xBD"));  // not a text
  EXPECT_TRUE(nfc().has_free_character("\xE4\xBD"));
  EXPECT_FALSE(nfc().has_free_character("\xCC"));
  EXPECT_TRUE(nfc().has_free_character("\u0301 "));
  for (unsigned byte = 0; byte < 0x80; ++byte) {
    EXPECT_TRUE(nfc().free_bytes().contains(static_cast<std::uint8_t>(byte)));
  }
  EXPECT_TRUE(nfc().free_bytes().contains(0xC3));
  EXPECT_FALSE(nfc().free_bytes().contains(0xCC));
  EXPECT_FALSE(nfc().free_bytes().contains(0x80));
  // After a free character the state does not depend on the text before.
  for (const char* free : {"a", "\u4F60", "\xE4", "\u00EA"}) {
    const NfcState after = nfc().step(NfcState::kStart, free);
    for (const char* before : {"e", "\u0301", "\u1100"}) {
      EXPECT_EQ(nfc().step(nfc().step(NfcState::kStart, before), free), after);
    }
  }
}

}  // namespace
}  // namespace weir::canonical
