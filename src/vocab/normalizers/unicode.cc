#include "vocab/normalizers/unicode.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/utf8.h"
#include "vocab/normalizers/unicode_tables.h"

namespace weir::vocab {

namespace {

using unicode::CombiningClass;
using unicode::Composition;
using unicode::Mapping;
using unicode::Range;

// Hangul syllables are (de)composed by arithmetic: a leading consonant, a vowel, and perhaps a trailing consonant.
constexpr char32_t kSyllableBase = 0xAC00;
constexpr char32_t kLeadingBase = 0x1100;
constexpr char32_t kVowelBase = 0x1161;
constexpr char32_t kTrailingBase = 0x11A7;  // one before the first trailing consonant: offset 0 means none
constexpr char32_t kLeadingCount = 19;
constexpr char32_t kVowelCount = 21;
constexpr char32_t kTrailingCount = 28;
constexpr char32_t kSyllableCount = kLeadingCount * kVowelCount * kTrailingCount;

// Added to a byte that is not valid UTF-8, so that it can stand in a list of characters.
constexpr char32_t kRawByte = 0x80000000;

const Mapping* find_mapping(std::span<const Mapping> table, char32_t c) {
  const auto it =
      std::lower_bound(table.begin(), table.end(), c, [](const Mapping& m, char32_t key) { return m.from < key; });
  return it != table.end() && it->from == c ? &*it : nullptr;
}

bool in_ranges(std::span<const Range> ranges, char32_t c) {
  const auto it =
      std::lower_bound(ranges.begin(), ranges.end(), c, [](const Range& r, char32_t key) { return r.last < key; });
  return it != ranges.end() && it->first <= c;
}

std::uint8_t combining_class(char32_t c) {
  if (c < 0x300) return 0;
  const auto table = unicode::kCombiningClasses;
  const auto it = std::lower_bound(table.begin(), table.end(), c,
                                   [](const CombiningClass& r, char32_t key) { return r.last < key; });
  return it != table.end() && it->first <= c ? it->value : std::uint8_t{0};
}

struct Character {
  char32_t code_point;
  std::uint8_t combining;
};

void append_decomposed(std::vector<Character>& out, char32_t c, bool compatibility) {
  if (c >= kSyllableBase && c < kSyllableBase + kSyllableCount) {
    const char32_t index = c - kSyllableBase;
    out.push_back({kLeadingBase + index / (kVowelCount * kTrailingCount), 0});
    out.push_back({kVowelBase + index / kTrailingCount % kVowelCount, 0});
    if (index % kTrailingCount != 0) out.push_back({kTrailingBase + index % kTrailingCount, 0});
    return;
  }
  const Mapping* mapping = c < 0xA0 ? nullptr : compatibility ? find_mapping(unicode::kCompatibility, c) : nullptr;
  if (mapping == nullptr && c >= 0xC0) mapping = find_mapping(unicode::kCanonical, c);
  if (mapping == nullptr) {
    out.push_back({c, combining_class(c)});
    return;
  }
  for (std::size_t i = 0; i < mapping->length; ++i) {
    const char32_t part = unicode::kPool[mapping->offset + i];
    out.push_back({part, combining_class(part)});
  }
}

// Sorts each run of combining characters by class.
void reorder(std::vector<Character>& characters) {
  const auto end = characters.end();
  for (auto it = characters.begin(); it != end;) {
    if (it->combining == 0) {
      ++it;
      continue;
    }
    auto run_end = std::find_if(it, end, [](const Character& c) { return c.combining == 0; });
    std::stable_sort(it, run_end, [](const Character& a, const Character& b) { return a.combining < b.combining; });
    it = run_end;
  }
}

// Returns the composition of two characters, or 0 if there is none.
char32_t compose_pair(char32_t first, char32_t second) {
  if (first - kLeadingBase < kLeadingCount && second - kVowelBase < kVowelCount) {
    return kSyllableBase + ((first - kLeadingBase) * kVowelCount + (second - kVowelBase)) * kTrailingCount;
  }
  if (first - kSyllableBase < kSyllableCount && (first - kSyllableBase) % kTrailingCount == 0 &&
      second > kTrailingBase && second < kTrailingBase + kTrailingCount) {
    return first + (second - kTrailingBase);
  }
  const auto table = unicode::kCompositions;
  const auto it = std::lower_bound(table.begin(), table.end(), std::pair(first, second),
                                   [](const Composition& entry, const std::pair<char32_t, char32_t>& key) {
                                     return std::pair(entry.first, entry.second) < key;
                                   });
  return it != table.end() && it->first == first && it->second == second ? it->composed : 0;
}

// Composes in place: each character with the last starter, unless a character between them blocks it.
void compose(std::vector<Character>& characters) {
  std::size_t kept = 0;
  std::size_t starter = 0;
  bool has_starter = false;
  for (const Character c : characters) {
    if (has_starter) {
      const bool adjacent = kept == starter + 1;
      // A character between them with the same combining class blocks, and so does a starter. After reorder() the class
      // of the last one is the highest.
      const bool blocked = !adjacent && characters[kept - 1].combining >= c.combining;
      if (!blocked) {
        if (const char32_t composed = compose_pair(characters[starter].code_point, c.code_point); composed != 0) {
          characters[starter].code_point = composed;
          continue;
        }
      }
    }
    if (c.combining == 0) {
      starter = kept;
      has_starter = true;
    }
    characters[kept++] = c;
  }
  characters.resize(kept);
}

// Returns the offset of the first character in `text` that is at least `first_unsafe` or not valid UTF-8.
std::size_t safe_prefix(std::string_view text, char32_t first_unsafe) {
  std::size_t pos = 0;
  while (pos < text.size()) {
    if (static_cast<unsigned char>(text[pos]) < 0x80) {
      ++pos;
      continue;
    }
    const base::Decoded d = base::decode_utf8(text, pos);
    if (d.length == 0 || d.code_point >= first_unsafe) break;
    pos += d.length;
  }
  return pos;
}

}  // namespace

std::string normalize_unicode(std::string_view text, NormalizationForm form) {
  const bool compatibility = form == NormalizationForm::kNfkc || form == NormalizationForm::kNfkd;
  const bool composes = form == NormalizationForm::kNfc || form == NormalizationForm::kNfkc;
  // Characters below `first_unsafe` do not decompose (for NFC: nor combine), so most text needs no more than a copy.
  // The last safe character is processed again, because the characters after it may combine with it.
  const char32_t first_unsafe = compatibility ? 0xA0 : composes ? 0x300 : 0xC0;
  std::size_t safe = safe_prefix(text, first_unsafe);
  if (safe == text.size()) return std::string(text);
  while (safe > 0 && (static_cast<unsigned char>(text[--safe]) & 0xC0U) == 0x80U) {
  }

  std::string out(text.substr(0, safe));
  std::vector<Character> characters;
  characters.reserve(text.size() - safe);
  for (std::size_t pos = safe; pos < text.size();) {
    const base::Decoded d = base::decode_utf8(text, pos);
    if (d.length == 0) {
      characters.push_back({kRawByte | static_cast<unsigned char>(text[pos++]), 0});
      continue;
    }
    append_decomposed(characters, d.code_point, compatibility);
    pos += d.length;
  }
  reorder(characters);
  if (composes) compose(characters);
  for (const Character& c : characters) {
    if ((c.code_point & kRawByte) != 0) {
      out.push_back(static_cast<char>(c.code_point & 0xFFU));
    } else {
      base::append_utf8(out, c.code_point);
    }
  }
  return out;
}

std::string lowercase_unicode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t pos = 0; pos < text.size();) {
    const auto byte = static_cast<unsigned char>(text[pos]);
    if (byte < 0x80) {
      out.push_back(static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte));
      ++pos;
      continue;
    }
    const base::Decoded d = base::decode_utf8(text, pos);
    const Mapping* mapping = d.length == 0 ? nullptr : find_mapping(unicode::kLowercase, d.code_point);
    const std::size_t length = d.length == 0 ? 1 : d.length;
    if (mapping == nullptr) {
      out.append(text.substr(pos, length));
    } else {
      for (std::size_t i = 0; i < mapping->length; ++i) base::append_utf8(out, unicode::kPool[mapping->offset + i]);
    }
    pos += length;
  }
  return out;
}

bool is_mark(char32_t c) noexcept { return c >= 0x300 && in_ranges(unicode::kMarks, c); }
bool is_nonspacing_mark(char32_t c) noexcept { return c >= 0x300 && in_ranges(unicode::kNonspacingMarks, c); }
bool is_control_or_format(char32_t c) noexcept { return in_ranges(unicode::kControlOrFormat, c); }

}  // namespace weir::vocab
