// WordInterner: hash-consing of sequences of 32-bit words.
//
// WHAT   Gives equal sequences equal ids, which are dense (0, 1, 2, ...), and stores each sequence once.
// WHY    Lexer states, continuations, rows and configurations are all sets of small integers. Interning a set turns it
//        into one id, and one class serves all of them.
// HOW    The sequences are stored one after another in one array. A slot of the table holds an id and its hash, so
//        growing does not read the sequences again.
// COST   In addition to the words, 8 bytes a sequence and 8 bytes a slot, with 4/3 to 8/3 slots a sequence. A lookup
//        hashes the words once.
// THREADS Not thread-safe. A span from operator[] is invalid after the next intern().
#ifndef WEIR_SRC_BASE_WORD_INTERNER_H_
#define WEIR_SRC_BASE_WORD_INTERNER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/flat_table.h"
#include "base/hash.h"

namespace weir::base {

class WordInterner {
 public:
  /// Returns the id of `words`, and true if the sequence is new.
  std::pair<std::uint32_t, bool> intern(std::span<const std::uint32_t> words);
  /// Returns the id of `words`, or nullopt if they have not been interned. Adds nothing, so that a caller can check a
  /// limit before it interns.
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const std::uint32_t> words) const;

  [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t id) const {
    return std::span(words_).subspan(begin_[id], begin_[id + 1] - begin_[id]);
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(begin_.size() - 1); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return words_.capacity() * sizeof(std::uint32_t) + begin_.capacity() * sizeof(std::size_t) + slots_.memory_bytes();
  }

 private:
  [[nodiscard]] const NumberSlot& slot_of(std::span<const std::uint32_t> words, std::uint32_t hash) const;

  std::vector<std::uint32_t> words_;
  std::vector<std::size_t> begin_{0};
  FlatTable<NumberSlot> slots_;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_WORD_INTERNER_H_
