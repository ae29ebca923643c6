// Interner: hash-consing of sequences.
//
// WHAT   Gives equal sequences equal ids, which are dense (0, 1, 2, ...), and stores each sequence once.
// WHY    Lexer states, continuations, rows and configurations are all sets of small values. Interning a set turns it
//        into one id, and one class serves all of them.
// HOW    The sequences are stored one after another in one array. A slot of the table holds an id and its hash, so
//        growing does not read the sequences again. Elements are hashed and compared as 32-bit words.
// COST   In addition to the elements, 8 bytes a sequence and 8 bytes a slot, with 4/3 to 8/3 slots a sequence. A lookup
//        hashes the elements once.
// THREADS Not thread-safe. A span from operator[] is invalid after the next intern().
#ifndef WEIR_SRC_BASE_INTERNER_H_
#define WEIR_SRC_BASE_INTERNER_H_

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/flat_table.h"
#include "base/hash.h"

namespace weir::base {

template <typename Element>
class Interner {
  static_assert(std::is_trivially_copyable_v<Element> && std::has_unique_object_representations_v<Element> &&
                sizeof(Element) % sizeof(std::uint32_t) == 0);

 public:
  /// Returns the id of `sequence`, and true if the sequence is new.
  std::pair<std::uint32_t, bool> intern(std::span<const Element> sequence) {
    const std::uint32_t hash = hash_of(sequence);
    if (const NumberSlot& slot = slot_of(sequence, hash); !slot.is_free()) return {slot.number, false};
    const std::uint32_t id = size();
    slots_.insert({id, hash});
    elements_.insert(elements_.end(), sequence.begin(), sequence.end());
    begin_.push_back(elements_.size());
    return {id, true};
  }
  /// Returns the id of `sequence`, or nullopt if it has not been interned. Adds nothing, so that a caller can check a
  /// limit before it interns.
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const Element> sequence) const {
    const NumberSlot& slot = slot_of(sequence, hash_of(sequence));
    return slot.is_free() ? std::nullopt : std::optional(slot.number);
  }

  [[nodiscard]] std::span<const Element> operator[](std::uint32_t id) const {
    return std::span(elements_).subspan(begin_[id], begin_[id + 1] - begin_[id]);
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(begin_.size() - 1); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return elements_.capacity() * sizeof(Element) + begin_.capacity() * sizeof(std::size_t) + slots_.memory_bytes();
  }

 private:
  static std::uint32_t hash_of(std::span<const Element> sequence) {
    using Words = std::array<std::uint32_t, sizeof(Element) / sizeof(std::uint32_t)>;
    std::uint64_t hash = hash_mix(0, sequence.size());
    for (const Element& element : sequence) {
      for (const std::uint32_t word : std::bit_cast<Words>(element)) hash = hash_mix(hash, word);
    }
    return static_cast<std::uint32_t>(hash >> 16);
  }
  [[nodiscard]] const NumberSlot& slot_of(std::span<const Element> sequence, std::uint32_t hash) const {
    return slots_.find(hash, [&](const NumberSlot& slot) {
      if (slot.key_hash != hash) return false;
      const std::span<const Element> known = (*this)[slot.number];
      return known.size() == sequence.size() &&
             (known.empty() || std::memcmp(known.data(), sequence.data(), known.size_bytes()) == 0);
    });
  }

  std::vector<Element> elements_;
  std::vector<std::size_t> begin_{0};
  FlatTable<NumberSlot> slots_;
};

using WordInterner = Interner<std::uint32_t>;

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_INTERNER_H_
