// Masks as values: which tokens may come next, how they are kept, and how one is put together.
//
// WHY    Most masks allow few tokens, or nearly those of a string's inside. So a mask is kept as how it differs from
//        nothing, or from the ready tokens of a residual (token_facts.h), which all masks share that have it; and it is
//        put together as such a difference, so that a new one costs what it differs by and not what a vocabulary is
//        long.
//        The difference is kept by words of the bitmask: tokens that come together, as those of digits do, mostly
//        stand together, and to write a word costs no more than to write a token.
// COST   write: a copy of the bitmask, and a step for each word that differs. MaskDraft: a step for each token that is
//        added, and for each that a union tells apart; a pass over the bitmask only where two wide sets that are not
//        one meet.
#ifndef WEIR_SRC_ENGINE_MASK_MASK_H_
#define WEIR_SRC_ENGINE_MASK_MASK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace weir::engine {

/// A set of tokens as a bitmask of bitmask_words(vocab_size) words.
using TokenBits = std::vector<std::uint32_t>;

struct Mask {
  /// Bits of a word of the bitmask.
  struct Word {
    std::uint32_t index;
    std::uint32_t bits;
    friend bool operator==(const Word&, const Word&) = default;
  };
  /// The tokens of `most` (none if it is null) but for the bits in `changed`, which are the other way round; by index.
  std::shared_ptr<const TokenBits> most;
  std::vector<Word> changed = {};
  /// Allowed tokens that go on behind a place where the text decides (Automaton::follows_text): they are allowed by
  /// some text, and a cursor that has one must look. Ascending; empty in all but a few grammars.
  std::vector<std::uint32_t> undecided = {};

  bool has_own_bits = false;  ///< `most` is of this mask alone, and not what a residual's ready tokens are.
  std::uint32_t id = 0;       ///< In its store.

  /// Writes the mask over `bitmask`.
  void write(std::span<std::uint32_t> bitmask) const;
  [[nodiscard]] bool contains(std::uint32_t token) const;
};

/// A set of tokens that grows.
class MaskDraft {
 public:
  /// The empty set, of a vocabulary with bitmasks of so many words.
  void reset(std::size_t words);

  void add(std::uint32_t token) {
    if (!contains(token)) flip(token);
  }
  [[nodiscard]] bool contains(std::uint32_t token) const { return ((word(token / 32) >> (token % 32)) & 1U) != 0; }
  /// Adds the tokens of `bits` but those in `except`, which is ascending. The first such set is what the mask will be
  /// kept as differing from.
  void add_all_but(const std::shared_ptr<const TokenBits>& bits, std::span<const std::uint32_t> except);
  void add_all(std::span<const std::uint32_t> bits);

  /// The set, as a mask without `undecided` tokens and id. The draft is empty then.
  Mask take();

 private:
  [[nodiscard]] std::uint32_t word(std::size_t i) const {
    return most_ == nullptr ? difference_[i] : (*most_)[i] ^ difference_[i];
  }
  void flip(std::uint32_t token) {
    difference_[token / 32] ^= std::uint32_t{1} << (token % 32);
    touch(token / 32);
  }
  void touch(std::size_t word) { touched_[word / 64] |= std::uint64_t{1} << (word % 64); }
  template <typename Use>
  void for_each_touched(Use use) const;
  void put_back_all_but(std::span<const std::uint32_t> except);

  std::shared_ptr<const TokenBits> most_;
  TokenBits difference_;                // of the set from `most_`
  std::vector<std::uint64_t> touched_;  // as a bitmask: the words of the difference that may be other than 0
  std::vector<Mask::Word> changed_;     // of the mask that is being taken
};

/// Keeps each mask once. Not thread-safe; pointers stay valid.
class MaskStore {
 public:
  const Mask* intern(Mask mask);
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_; }

 private:
  std::unordered_multimap<std::uint64_t, std::unique_ptr<const Mask>> masks_;
  std::size_t memory_bytes_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_MASK_H_
