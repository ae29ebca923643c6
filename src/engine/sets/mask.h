// Masks as values: the set of tokens that may come next, how it is stored, and how it is built.
//
// WHY    Most masks allow few tokens, or nearly the same tokens as the inside of a string. So a mask is stored as its
//        difference from the empty set, or from the ready tokens of a residual (token_facts.h), which all masks with
//        that residual share. It is also built as such a difference, so a new mask costs what it differs by, not the
//        size of the vocabulary.
//        The difference is stored as words of the bitmask: tokens that are allowed together, such as digits, mostly
//        have near ids, and writing a word costs no more than writing one token.
// COST   write: a copy of the bitmask, and a step for each word that differs. MaskDraft: a step for each token that is
//        added, and for each token in which two sets differ that are united. A pass over the whole bitmask is needed
//        only to unite two different wide sets, and for those that many masks are made of only once (MaskUnions).
#ifndef WEIR_SRC_ENGINE_SETS_MASK_H_
#define WEIR_SRC_ENGINE_SETS_MASK_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/search_bounds.h"
#include "vocab/token_set.h"

namespace weir::engine {

using vocab::TokenBits;

struct Mask {
  /// A word of a bitmask.
  struct Word {
    std::uint32_t index;
    std::uint32_t bits;
    friend bool operator==(const Word&, const Word&) = default;
  };
  /// The mask is `most` (the empty set if null) with the bits in `changed` flipped. `changed` is ascending by index.
  std::shared_ptr<const TokenBits> most;
  std::vector<Word> changed = {};
  /// Allowed tokens that pass a place where the text decides (LazyAutomaton::follows_text). Some text before them allows
  /// them; a cursor has to test them with its own text. Ascending; empty except in a few grammars.
  std::vector<std::uint32_t> undecided = {};

  bool has_own_bits = false;  ///< `most` is neither the ready tokens of a residual nor a union of such sets.
  std::uint32_t id = 0;       ///< Unique in the mask's store.

  /// Writes the mask over `bitmask`.
  void write(std::span<std::uint32_t> bitmask) const;
  [[nodiscard]] bool contains(std::uint32_t token) const;
  /// Returns the memory of the mask, `most` included where the mask alone has it.
  [[nodiscard]] std::size_t memory_bytes() const {
    return sizeof(Mask) + undecided.size() * sizeof(std::uint32_t) + changed.size() * sizeof(Word) +
           (has_own_bits ? most->size() * sizeof(std::uint32_t) : 0);
  }
};

/// Returns a mask with the tokens of a bitmask, stored as a list of words if that is smaller, and without an id.
Mask mask_of(std::span<const std::uint32_t> bitmask);

/// Stores wide masks as differences from few of them: of masks that are asked for together, most are near an earlier
/// one. Not thread-safe.
class MaskBases {
 public:
  /// Returns a mask with the tokens of a bitmask, without an id: as mask_of() does if it is small, and otherwise as the
  /// difference from the nearest of the latest bases. If that is too large, the bitmask becomes a base.
  Mask mask_of(std::span<const std::uint32_t> bitmask);

  /// Returns the memory of the bases that masks refer to.
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_->load(std::memory_order_relaxed); }

 private:
  struct Base {
    std::weak_ptr<const TokenBits> bits;  // dropped with the last mask that refers to it
    std::array<std::uint32_t, kMaskSampleWords> samples;
  };
  std::vector<Base> bases_;
  std::size_t oldest_ = 0;
  // Shared with the bases, which may outlive this.
  std::shared_ptr<std::atomic<std::size_t>> memory_bytes_ = std::make_shared<std::atomic<std::size_t>>(0);
};

/// The unions of the ready tokens of residuals. Where names may come both at once and after a blank, the masks of a grammar
/// differ little from one such union, and much from each of its parts. Not thread-safe.
class MaskUnions {
 public:
  /// Returns the union of two sets, or null if there are too many unions already.
  std::shared_ptr<const TokenBits> of(const std::shared_ptr<const TokenBits>& a,
                                      const std::shared_ptr<const TokenBits>& b);
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_; }

 private:
  struct Union {
    std::shared_ptr<const TokenBits> a, b, both;
  };
  std::vector<Union> unions_;
  std::size_t memory_bytes_ = 0;
};

/// A set of tokens that is being built.
class MaskDraft {
 public:
  /// Makes the set empty; bitmasks of the vocabulary have `words` words. `unions`, if it is not null, must live as long as
  /// the draft.
  void reset(std::size_t words, MaskUnions* unions = nullptr);

  void add(std::uint32_t token) {
    if (!contains(token)) flip(token);
  }
  [[nodiscard]] bool contains(std::uint32_t token) const { return ((word(token / 32) >> (token % 32)) & 1U) != 0; }
  /// Adds the tokens of `bits`, the ready tokens of a residual or a union of such sets, except those in `except`, which is
  /// ascending. The first `bits` added, or its union with others, becomes Mask::most.
  void add_all_but(const std::shared_ptr<const TokenBits>& bits, std::span<const std::uint32_t> except) {
    add_all_but(bits, false, except);
  }
  void add_all(std::span<const std::uint32_t> bits);
  /// Adds the tokens of a mask. `undecided` is not looked at.
  void add_all(const Mask& mask);
  void add_all(const vocab::TokenSet& tokens) {
    if (!tokens.is_list()) return add_all(tokens.stored());
    for (const std::uint32_t token : tokens.list()) add(token);
  }

  /// Returns the set as a mask without `undecided` tokens and without an id, and makes the draft empty.
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
  void add_all_but(const std::shared_ptr<const TokenBits>& bits, bool is_own, std::span<const std::uint32_t> except);
  void add_block(std::span<const std::uint32_t> bits, std::size_t begin, std::size_t end);

  MaskUnions* unions_ = nullptr;
  std::shared_ptr<const TokenBits> most_;
  bool has_own_most_ = false;           // `most_` is the own bits of a mask
  TokenBits difference_;                // the set XOR `most_`
  std::vector<std::uint64_t> touched_;  // as a bitmask: the words of `difference_` that may be non-zero
  std::vector<Mask::Word> changed_;     // scratch of take()
};

/// Stores each mask once. Not thread-safe; pointers stay valid.
class MaskStore {
 public:
  const Mask* intern(Mask mask);
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_; }

 private:
  std::unordered_multimap<std::uint64_t, std::unique_ptr<const Mask>> masks_;
  std::size_t memory_bytes_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_SETS_MASK_H_
