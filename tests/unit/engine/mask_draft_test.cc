// MaskDraft, MaskStore and MaskBases against bitmasks.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/search_bounds.h"
#include "engine/sets/mask.h"
#include "weir/bitmask.h"

namespace weir::engine {
namespace {

constexpr std::uint32_t kTokens = 1000;
constexpr std::size_t kWords = bitmask_words(kTokens);

class Drawn {
 public:
  explicit Drawn(std::uint32_t seed) : random_(seed) {}

  std::uint32_t token() { return static_cast<std::uint32_t>(random_() % kTokens); }
  std::vector<std::uint32_t> tokens(std::size_t most) {
    std::vector<std::uint32_t> list(random_() % (most + 1));
    for (std::uint32_t& token : list) token = this->token();
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }
  TokenBits bits() {
    TokenBits bits(kWords);
    for (const std::uint32_t token : tokens(2 * kTokens)) bitmask_set(bits, token);
    return bits;
  }
  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  std::minstd_rand random_;
};

// Applies one step to the draft and to a plain bitmask.
void add_something(Drawn& drawn, const std::vector<std::shared_ptr<const TokenBits>>& wide,
                   const std::vector<const Mask*>& known, MaskDraft& draft, TokenBits& plain) {
  switch (drawn.below(5)) {
    case 0: {
      const TokenBits bits = drawn.bits();
      draft.add_all(bits);
      for (std::size_t i = 0; i < kWords; ++i) plain[i] |= bits[i];
      break;
    }
    case 1: {
      const std::shared_ptr<const TokenBits>& bits = wide[drawn.below(wide.size())];
      const std::vector<std::uint32_t> except = drawn.tokens(20);
      draft.add_all_but(bits, except);
      for (std::uint32_t token = 0; token < kTokens; ++token) {
        const bool is_in = bitmask_get(*bits, token) && !std::binary_search(except.begin(), except.end(), token);
        if (is_in) bitmask_set(plain, token);
      }
      break;
    }
    case 2: {
      if (known.empty()) break;
      const Mask& mask = *known[drawn.below(known.size())];
      draft.add_all(mask);
      TokenBits bits(kWords);
      mask.write(bits);
      for (std::size_t i = 0; i < kWords; ++i) plain[i] |= bits[i];
      break;
    }
    default:
      for (const std::uint32_t token : drawn.tokens(10)) {
        draft.add(token);
        bitmask_set(plain, token);
      }
  }
}

TEST(MaskDraft, AgreesWithAPlainBitmask) {
  Drawn drawn(7);
  std::vector<std::shared_ptr<const TokenBits>> wide;
  for (int i = 0; i < 3; ++i) wide.push_back(std::make_shared<const TokenBits>(drawn.bits()));
  MaskDraft draft;
  MaskUnions unions;
  MaskStore store;
  std::vector<const Mask*> known;
  for (int round = 0; round < 3'000; ++round) {
    draft.reset(kWords, round % 3 == 0 ? nullptr : &unions);
    TokenBits plain(kWords);
    for (std::size_t steps = drawn.below(6); steps > 0; --steps) add_something(drawn, wide, known, draft, plain);
    for (std::uint32_t token = 0; token < kTokens; ++token) {
      ASSERT_EQ(draft.contains(token), bitmask_get(plain, token)) << round << ' ' << token;
    }
    const Mask* mask = store.intern(draft.take());
    known.push_back(mask);
    TokenBits written(kWords, 0xFFFFFFFF);
    mask->write(written);
    ASSERT_EQ(written, plain) << round;
    ASSERT_TRUE(std::ranges::is_sorted(mask->changed, {}, &Mask::Word::index));
    ASSERT_LE(mask->changed.size(), kWords / 4);
    for (std::uint32_t token = 0; token < kTokens; ++token) ASSERT_EQ(mask->contains(token), bitmask_get(plain, token));
  }
}

TEST(MaskUnions, AUnionIsStoredOnce) {
  Drawn drawn(3);
  const auto bits = [&] { return std::make_shared<const TokenBits>(drawn.bits()); };
  const auto a = bits();
  const auto b = bits();
  MaskUnions unions;
  const auto both = unions.of(a, b);
  for (std::uint32_t token = 0; token < kTokens; ++token) {
    EXPECT_EQ(bitmask_get(*both, token), bitmask_get(*a, token) || bitmask_get(*b, token));
  }
  EXPECT_EQ(unions.of(b, a), both);
  EXPECT_EQ(unions.of(both, a), both);
  EXPECT_EQ(unions.of(std::make_shared<const TokenBits>(*b), a), both) << "equal sets have one union";
  EXPECT_EQ(unions.memory_bytes(), kWords * sizeof(std::uint32_t));
  MaskDraft draft;
  draft.reset(kWords, &unions);
  draft.add_all_but(a, {});
  draft.add_all_but(b, {});
  const Mask mask = draft.take();
  EXPECT_EQ(mask.most, both);
  EXPECT_TRUE(mask.changed.empty());
  std::size_t made = 0;
  while (unions.of(bits(), bits()) != nullptr) ASSERT_LT(++made, kMaxMaskUnions);
  EXPECT_EQ(unions.of(a, b), both);
}

TEST(MaskDraft, TakingLeavesAnEmptyDraft) {
  MaskDraft draft;
  draft.reset(kWords);
  draft.add(5);
  draft.add(999);
  const Mask mask = draft.take();
  EXPECT_EQ(mask.changed, (std::vector<Mask::Word>{{0, 1U << 5}, {999 / 32, 1U << (999 % 32)}}));
  EXPECT_FALSE(draft.contains(5));
  EXPECT_TRUE(draft.take().changed.empty());
}

TEST(MaskStore, EqualMasksAreOne) {
  Drawn drawn(11);
  const auto wide = std::make_shared<const TokenBits>(drawn.bits());
  const TokenBits other = drawn.bits();
  MaskDraft draft;
  MaskStore store;
  const auto few = [&](std::uint32_t token) {
    draft.reset(kWords);
    draft.add_all_but(wide, {});
    draft.add(token);
    return store.intern(draft.take());
  };
  const auto own = [&] {
    draft.reset(kWords);
    draft.add_all(other);
    return store.intern(draft.take());
  };
  const Mask* first = own();
  EXPECT_TRUE(first->has_own_bits);
  EXPECT_EQ(own(), first);
  std::uint32_t missing = 0;
  while (bitmask_get(*wide, missing)) ++missing;
  EXPECT_EQ(few(missing), few(missing));
  EXPECT_NE(few(missing), first);
  EXPECT_EQ(few(missing)->most, wide);
}

TEST(MaskBases, MasksAreTheirBitmasks) {
  Drawn drawn(7);
  MaskBases bases;
  std::vector<TokenBits> wide;
  for (int i = 0; i < 50; ++i) wide.push_back(drawn.bits());  // more than there are bases
  struct Kept {
    Mask mask;
    TokenBits bits;
  };
  std::vector<Kept> kept(40);  // bases are dropped with the last mask that refers to them
  std::size_t differences = 0;
  for (int round = 0; round < 2'000; ++round) {
    Kept& next = kept[drawn.below(kept.size())];
    next.bits = wide[drawn.below(wide.size())];
    for (const std::uint32_t token : drawn.tokens(3)) bitmask_set(next.bits, token);
    next.mask = bases.mask_of(next.bits);
    differences += next.mask.most != nullptr && !next.mask.changed.empty() ? 1 : 0;
    const Kept& any = kept[drawn.below(kept.size())];
    if (any.bits.empty()) continue;
    TokenBits written(kWords, 0xAAAAAAAA);
    any.mask.write(written);
    EXPECT_EQ(written, any.bits);
  }
  EXPECT_GT(differences, 100);
  EXPECT_GT(bases.memory_bytes(), 0);
  kept.clear();
  EXPECT_EQ(bases.memory_bytes(), 0);
}

TEST(MaskBases, NearMasksShareABase) {
  Drawn drawn(8);
  MaskBases bases;
  const std::size_t bytes = kWords * sizeof(std::uint32_t);
  TokenBits bits(kWords, 0x55555555);
  const Mask first = bases.mask_of(bits);
  ASSERT_NE(first.most, nullptr);
  EXPECT_TRUE(first.changed.empty());
  std::vector<Mask> near;
  for (int i = 0; i < 20; ++i) {
    TokenBits other = bits;
    bitmask_set(other, drawn.token());
    near.push_back(bases.mask_of(other));
    EXPECT_EQ(near.back().most, first.most);
    EXPECT_LE(near.back().changed.size(), 1);
    TokenBits written(kWords);
    near.back().write(written);
    EXPECT_EQ(written, other);
  }
  EXPECT_EQ(bases.memory_bytes(), bytes);
  const Mask far = bases.mask_of(TokenBits(kWords, 0xAAAAAAAA));
  EXPECT_NE(far.most, first.most);
  EXPECT_EQ(bases.memory_bytes(), 2 * bytes);
}

}  // namespace
}  // namespace weir::engine
