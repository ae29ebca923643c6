#include "canonical/nfc_automaton.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "vocab/normalizers/unicode.h"
#include "vocab/normalizers/unicode_tables.h"

namespace weir::canonical {

namespace {

namespace unicode = vocab::unicode;

constexpr char32_t kFirstSyllable = 0xAC00, kLastSyllable = 0xD7A3;
constexpr char32_t kSyllablesOfVowel = 28;  // the first of them has no final consonant
constexpr char32_t kFirstLeading = 0x1100, kLastLeading = 0x1112;
constexpr char32_t kFirstVowel = 0x1161, kLastVowel = 0x1175;
constexpr char32_t kFirstFinal = 0x11A8, kLastFinal = 0x11C2;

}  // namespace

class NfcAutomaton::Maker {
 public:
  explicit Maker(NfcAutomaton& out) : out_(out) {}

  void make() {
    for (const unicode::CombiningClass& range : unicode::kCombiningClasses) {
      for (char32_t c = range.first; c <= range.last; ++c) classes_[c] = range.value;
      levels_.emplace(range.value, 0);
    }
    std::uint8_t level = 0;
    for (auto& [value, number] : levels_) number = ++level;
    for (const unicode::Composition& composition : unicode::kCompositions) {
      seconds_.try_emplace(composition.second, static_cast<std::uint8_t>(seconds_.size()));
    }
    vowel_ = static_cast<std::uint8_t>(seconds_.size());
    final_ = vowel_ + 1;
    partners_number({});
    add_all_characters();
    add_levels();
    add_bytes();
  }

 private:
  using Partners = NfcAutomaton::Partners;
  using Atom = NfcAutomaton::Atom;

  static void insert(Partners& partners, std::uint8_t second) {
    partners[second / 64] |= std::uint64_t{1} << (second % 64);
  }
  [[nodiscard]] std::uint8_t class_of(char32_t c) const {
    const auto found = classes_.find(c);
    return found == classes_.end() ? std::uint8_t{0} : found->second;
  }
  [[nodiscard]] std::uint8_t level_of(char32_t c) const {
    const std::uint8_t value = class_of(c);
    return value == 0 ? std::uint8_t{0} : levels_.at(value);
  }
  // Returns the composition of two characters, or 0.
  static char32_t composed(char32_t first, char32_t second) {
    const auto found = std::lower_bound(
        unicode::kCompositions.begin(), unicode::kCompositions.end(), std::pair(first, second),
        [](const unicode::Composition& c, const auto& key) { return std::pair(c.first, c.second) < key; });
    const bool is_there = found != unicode::kCompositions.end() && found->first == first && found->second == second;
    return is_there ? found->composed : 0;
  }

  std::uint16_t partners_number(const Partners& partners) {
    const auto [found, is_new] =
        partners_numbers_.try_emplace(partners, static_cast<std::uint16_t>(out_.partners_.size()));
    if (is_new) out_.partners_.push_back(partners);
    return found->second;
  }

  // Returns the characters with which a starter with this full decomposition composes. See HOW.
  Partners partners_of(char32_t starter, std::span<const char32_t> decomposed_starter) const {
    Partners partners{};
    for (const auto& [second, number] : seconds_) {
      const std::uint8_t value = class_of(second);
      char32_t first = starter;
      if (value != 0) {
        first = decomposed_starter[0];
        for (std::size_t i = 1; i < decomposed_starter.size() && class_of(decomposed_starter[i]) <= value; ++i) {
          first = composed(first, decomposed_starter[i]);
        }
      }
      if (composed(first, second) != 0) insert(partners, number);
    }
    return partners;
  }

  void add_all_characters() {
    std::map<char32_t, std::uint16_t> numbers;  // of atoms, by character; others are plain starters
    atom_number({});
    std::set<char32_t> starters;
    for (const unicode::Composition& composition : unicode::kCompositions) starters.insert(composition.first);
    for (const unicode::Mapping& mapping : unicode::kCanonical) starters.insert(mapping.from);
    const auto mapping_of = [](char32_t c) -> const unicode::Mapping* {
      const auto found = std::lower_bound(unicode::kCanonical.begin(), unicode::kCanonical.end(), c,
                                          [](const unicode::Mapping& m, char32_t key) { return m.from < key; });
      return found != unicode::kCanonical.end() && found->from == c ? &*found : nullptr;
    };
    for (const char32_t c : starters) {
      const unicode::Mapping* mapping = mapping_of(c);
      if (mapping != nullptr) {
        std::string text;
        base::append_utf8(text, c);
        if (vocab::normalize_unicode(text, vocab::NormalizationForm::kNfc) != text) {
          numbers[c] = CharacterTable::kNoAtom;
          continue;
        }
      }
      const std::span<const char32_t> parts =
          mapping == nullptr ? std::span(&c, 1) : std::span(unicode::kPool + mapping->offset, mapping->length);
      Atom atom;
      atom.partners = partners_number(partners_of(c, parts));
      if (const auto second = seconds_.find(parts[0]); second != seconds_.end()) atom.second = second->second;
      numbers[c] = atom_number(atom);
    }
    for (const auto& [c, second] : seconds_) {
      if (numbers.contains(c)) continue;  // a starter
      numbers[c] = atom_number({level_of(c), second, 0});
    }
    for (const auto& [c, value] : classes_) {
      if (!numbers.contains(c)) numbers[c] = atom_number({level_of(c), NfcAutomaton::kNoSecond, 0});
    }
    Partners vowels{}, finals{};
    insert(vowels, vowel_);
    insert(finals, final_);
    const std::uint16_t leading = atom_number({0, NfcAutomaton::kNoSecond, partners_number(vowels)});
    const std::uint16_t open = atom_number({0, NfcAutomaton::kNoSecond, partners_number(finals)});
    for (char32_t c = kFirstLeading; c <= kLastLeading; ++c) numbers[c] = leading;
    for (char32_t c = kFirstVowel; c <= kLastVowel; ++c) numbers[c] = atom_number({0, vowel_, 0});
    for (char32_t c = kFirstFinal; c <= kLastFinal; ++c) numbers[c] = atom_number({0, final_, 0});
    for (char32_t c = kFirstSyllable; c <= kLastSyllable; c += kSyllablesOfVowel) numbers[c] = open;

    std::vector<CharacterTable::Stretch> stretches{{0, 0}};
    for (const auto& [c, number] : numbers) {
      if (stretches.back().first == c) {
        stretches.back().atom = number;
      } else if (stretches.back().atom != number) {
        stretches.push_back({c, number});
      }
      if (!numbers.contains(c + 1)) stretches.push_back({c + 1, 0});
    }
    out_.characters_ = CharacterTable(stretches);
  }

  std::uint16_t atom_number(const Atom& atom) {
    const auto [found, is_new] = atom_numbers_.try_emplace(atom, static_cast<std::uint16_t>(out_.atoms_.size()));
    if (is_new) out_.atoms_.push_back(atom);
    return found->second;
  }

  // Adds the sets of partners that remain after a mark: those of a higher level.
  void add_levels() {
    std::vector<std::uint8_t> level_of_second(128, 0);
    for (const auto& [c, second] : seconds_) level_of_second[second] = level_of(c);
    for (std::size_t number = 0; number < out_.partners_.size(); ++number) {  // which grows
      for (std::size_t level = 0; level < NfcAutomaton::kMaxLevels; ++level) {
        Partners left = out_.partners_[number];
        for (std::size_t second = 0; second < 128 && level > 0; ++second) {
          if (level_of_second[second] <= level) left[second / 64] &= ~(std::uint64_t{1} << (second % 64));
        }
        out_.with_level_.push_back(partners_number(left));
      }
    }
  }

  void add_bytes() {
    const auto is_free = [&](std::size_t atom) { return out_.atoms_[atom].is_free(); };
    for (std::size_t i = 0; i < out_.characters_.count(); ++i) {
      bool all = true, some = false;
      for (unsigned atom = 0; atom < out_.atoms_.size() && i > 0; ++atom) {
        if (!out_.characters_.atoms_after(CharacterId{static_cast<std::uint16_t>(i)})
                 .contains(static_cast<std::uint8_t>(atom))) {
          continue;
        }
        all = all && is_free(atom);
        some = some || is_free(atom);
      }
      out_.is_free_.push_back(all);
      out_.may_be_free_.push_back(some);
    }
    for (unsigned byte = 0; byte < 256; ++byte) {
      const CharacterTable::Step step = out_.characters_.step(CharacterId::kNone, static_cast<std::uint8_t>(byte));
      const bool is_whole = step.kind == CharacterTable::Step::Kind::kComplete && is_free(step.atom);
      const bool is_begun =
          step.kind == CharacterTable::Step::Kind::kInside && out_.is_free_[static_cast<std::size_t>(step.character)];
      if (is_whole || is_begun) out_.free_bytes_.add(static_cast<std::uint8_t>(byte));
    }
  }

  NfcAutomaton& out_;
  std::map<char32_t, std::uint8_t> classes_;     // combining classes but 0
  std::map<std::uint8_t, std::uint8_t> levels_;  // by combining class
  std::map<char32_t, std::uint8_t> seconds_;
  std::uint8_t vowel_ = 0, final_ = 0;  // seconds of Hangul
  std::map<Partners, std::uint16_t> partners_numbers_;
  std::map<Atom, std::uint16_t> atom_numbers_;
};

NfcAutomaton::NfcAutomaton() { Maker(*this).make(); }

std::uint32_t NfcAutomaton::after(std::uint32_t base, std::uint16_t number) const {
  const Atom& atom = atoms_[number];
  const std::size_t level = base % kMaxLevels;
  const auto partners = static_cast<std::uint32_t>(base / kMaxLevels);
  // These are the partners of higher levels. So they have no mark of this level and, after a mark, no starter.
  if (atom.second != kNoSecond && (partners_[partners][atom.second / 64] >> (atom.second % 64) & 1U) != 0) {
    return kNoBase;
  }
  if (atom.level == 0) return static_cast<std::uint32_t>(atom.partners * kMaxLevels);
  if (atom.level < level) return kNoBase;
  return static_cast<std::uint32_t>(with_level_[partners * kMaxLevels + atom.level] * kMaxLevels + atom.level);
}

NfcState NfcAutomaton::step(NfcState state, std::uint8_t byte) const {
  const CharacterTable::Step step = characters_.step(character(state), byte);
  if (step.kind == CharacterTable::Step::Kind::kInvalid) return NfcState::kRefused;
  if (step.kind == CharacterTable::Step::Kind::kComplete) {
    const std::uint32_t next = after(base(state), step.atom);
    return next == kNoBase ? NfcState::kRefused : make(next, CharacterId::kNone);
  }
  if (is_free_[static_cast<std::size_t>(step.character)]) return make(0, step.character);
  if (!may_be_free_[static_cast<std::size_t>(step.character)]) {
    const regex::ByteSet& atoms = characters_.atoms_after(step.character);
    bool may_come = false;
    for (std::uint16_t atom = 0; atom < atoms_.size() && !may_come; ++atom) {
      may_come = atoms.contains(static_cast<std::uint8_t>(atom)) && after(base(state), atom) != kNoBase;
    }
    if (!may_come) return NfcState::kRefused;
  }
  return make(base(state), step.character);
}

NfcState NfcAutomaton::step(NfcState state, std::string_view bytes) const {
  for (const char c : bytes) {
    if (state == NfcState::kRefused) return state;
    state = step(state, static_cast<std::uint8_t>(c));
  }
  return state;
}

bool NfcAutomaton::may_follow_all(std::string_view text) const {
  const base::Decoded first = base::decode_utf8(text, 0);
  if (!text.empty() && (first.length == 0 || !has_free_character(text.substr(0, first.length)))) return false;
  const NfcState state = step(NfcState::kStart, text);
  return state != NfcState::kRefused && is_between(state);
}

bool NfcAutomaton::has_free_character(std::string_view text) const {
  CharacterId at = CharacterId::kNone;
  for (const char c : text) {
    const CharacterTable::Step step = characters_.step(at, static_cast<std::uint8_t>(c));
    if (step.kind == CharacterTable::Step::Kind::kInvalid) return false;
    if (step.kind == CharacterTable::Step::Kind::kComplete && atoms_[step.atom].is_free()) return true;
    at = step.character;
  }
  return at != CharacterId::kNone && is_free_[static_cast<std::size_t>(at)];
}

std::size_t NfcAutomaton::memory_bytes() const {
  return sizeof(*this) + characters_.memory_bytes() + atoms_.capacity() * sizeof(Atom) +
         partners_.capacity() * sizeof(Partners) + with_level_.capacity() * sizeof(std::uint16_t) +
         (may_be_free_.capacity() + is_free_.capacity()) / 8;
}

}  // namespace weir::canonical
