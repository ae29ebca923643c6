// StringIndex: from byte strings to token ids.
//
// HOW    Open addressing with linear probing over 16-byte slots (offset and length of the key in one block, id, part of
//        the hash), at most half full. The keys are copied.
// COST   A look-up: one hash of the key and about 1.5 slots; keys are compared only where the hash's tag agrees.
// THREADS const is safe to call concurrently.
#ifndef WEIR_SRC_VOCAB_STRING_INDEX_H_
#define WEIR_SRC_VOCAB_STRING_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::vocab {

class StringIndex {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// Room for `keys` keys; `bytes` is a guess at their length together. More keys than that are no error.
  explicit StringIndex(std::size_t keys = 0, std::size_t bytes = 0);

  /// Whether the key was new; an existing key keeps its id. Precondition: id != kNone; keys of 4 GB together at most.
  bool insert(std::string_view key, std::uint32_t id);

  /// The id, or kNone.
  [[nodiscard]] std::uint32_t find(std::string_view key) const noexcept;

  /// Calls `use` with each key and its id, in no order. The views live as long as the index is not changed.
  template <typename Use>
  void for_each(Use use) const {
    for (const Slot& slot : slots_) {
      if (slot.id != kNone) use(std::string_view(block_).substr(slot.begin, slot.length), slot.id);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Length of the longest key.
  [[nodiscard]] std::size_t longest() const noexcept { return longest_; }

 private:
  struct Slot {
    std::uint32_t id = kNone;
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
    std::uint32_t tag = 0;
  };
  [[nodiscard]] std::size_t slot_of(std::string_view key, std::uint64_t hash) const noexcept;
  void grow();

  std::string block_;
  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  std::size_t longest_ = 0;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_STRING_INDEX_H_
