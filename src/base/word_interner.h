// WordInterner: hash-consing of sequences of 32-bit words.
//
// WHAT   Gives equal sequences equal, dense ids, 0, 1, 2, ..., and keeps each sequence once.
// WHY    Lexer states, continuations, rows and configurations are all sets of small integers, made unique so that a set
//        becomes one id. One table serves them all.
// HOW    Sequences lie behind one another in one array; open addressing with linear probing over ids, with the hash
//        kept beside the id so that growing never rereads the sequences.
// COST   Beside the words 8 bytes a sequence and 8 a slot, with 4/3 to 8/3 slots a sequence. Look-up: one hash of the
//        words and, over tables of all fillings, 1.7 slots for a sequence that is there and 3.6 for one that is not
//        (measured).
// THREADS Not thread-safe; a span from operator[] is invalid after the next intern().
#ifndef WEIR_SRC_BASE_WORD_INTERNER_H_
#define WEIR_SRC_BASE_WORD_INTERNER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace weir::base {

class WordInterner {
 public:
  WordInterner() : slots_(kInitialSlots) {}

  /// The id of `words`, and whether it is new.
  std::pair<std::uint32_t, bool> intern(std::span<const std::uint32_t> words);
  /// The id of `words` where they are known: for those who must ask before there is one more.
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const std::uint32_t> words) const;

  [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t id) const {
    return std::span(words_).subspan(begin_[id], begin_[id + 1] - begin_[id]);
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(begin_.size() - 1); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return words_.capacity() * sizeof(std::uint32_t) + begin_.capacity() * sizeof(std::size_t) +
           slots_.capacity() * sizeof(Slot);
  }

 private:
  static constexpr std::size_t kInitialSlots = 64;
  static constexpr std::uint32_t kFree = UINT32_MAX;
  struct Slot {
    std::uint32_t id = kFree;
    std::uint32_t hash = 0;
  };
  // The slot of the words, or the free one where they would go.
  [[nodiscard]] std::size_t slot_of(std::span<const std::uint32_t> words, std::uint32_t hash) const;
  void grow();

  std::vector<std::uint32_t> words_;
  std::vector<std::size_t> begin_{0};
  std::vector<Slot> slots_;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_WORD_INTERNER_H_
