// StringIndex: a hash table from byte strings to token ids.
//
// HOW    A flat table of 16-byte slots. A slot holds the id, part of the key's hash, and the offset and length of the
//        key in a block that holds copies of all keys.
// COST   A lookup hashes the key once, and compares keys only where the hashes agree.
// THREADS const is safe to call concurrently.
#ifndef WEIR_SRC_VOCAB_STRING_INDEX_H_
#define WEIR_SRC_VOCAB_STRING_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/flat_table.h"

namespace weir::vocab {

class StringIndex {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// Reserves space for `keys` keys of `bytes` bytes in total. Both are estimates; the table grows where they are
  /// exceeded.
  explicit StringIndex(std::size_t keys = 0, std::size_t bytes = 0);

  /// Inserts `key` and returns true if it is new; otherwise the key keeps its id.
  /// Precondition: id != kNone; the keys have at most 4 GB in total.
  bool insert(std::string_view key, std::uint32_t id);

  /// Returns the id of `key`, or kNone if there is no such key.
  [[nodiscard]] std::uint32_t find(std::string_view key) const noexcept;

  /// Calls `use` with each key and its id, in no order. The views live as long as the index is not changed.
  template <typename Use>
  void for_each(Use use) const {
    slots_.for_each([&](const Slot& slot) { use(std::string_view(block_).substr(slot.begin, slot.length), slot.id); });
  }

  [[nodiscard]] std::size_t size() const noexcept { return slots_.size(); }
  /// Length of the longest key in bytes.
  [[nodiscard]] std::size_t longest() const noexcept { return longest_; }

 private:
  struct Slot {
    std::uint32_t id = kNone;
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
    std::uint32_t key_hash = 0;
    [[nodiscard]] bool is_free() const { return id == kNone; }
    [[nodiscard]] std::uint32_t hash() const { return key_hash; }
  };
  [[nodiscard]] const Slot& slot_of(std::string_view key, std::uint32_t hash) const noexcept;

  std::string block_;
  base::FlatTable<Slot> slots_;
  std::size_t longest_ = 0;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_STRING_INDEX_H_
