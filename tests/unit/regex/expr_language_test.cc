// Compares every small expression with its language, which is computed as a set of strings.
#include "unit/regex/expr_language.h"
#include "regex/analysis/members.h"
#include "regex/analysis/prefix_closure.h"
#include "regex/analysis/superset.h"
#include "regex/expr/print.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "regex/expr/expr.h"

namespace weir::regex {
namespace {

using testing::Universe;

struct Bounds {
  std::uint32_t min, max;
};
constexpr Bounds kBounds[] = {{0, 1}, {0, kUnbounded}, {1, kUnbounded}, {2, 2}, {2, 3}, {0, 2}, {3, kUnbounded}};

template <int Letters, int Length>
class Checker {
 public:
  using World = Universe<Letters, Length>;
  using Set = typename World::Set;
  struct Case {
    ExprId e;
    Set language;
  };

  /// Records that `e` was built to have `language`, and checks that equal ids have equal languages. Returns true if `e`
  /// is new.
  bool note(ExprId e, const Set& language) {
    const auto [it, is_new] = languages.try_emplace(e, language);
    EXPECT_EQ(it->second, language) << to_string(exprs, e) << " has two languages";
    return is_new;
  }

  /// Checks that `e` matches exactly the texts of `language`, by derivatives, and that searches, lengths and prefix
  /// closures of `e` agree with it.
  void check(ExprId e, const Set& language) {
    ASSERT_EQ(exprs.nullable(e), language[0]) << to_string(exprs, e);
    for (int c = 0; c < Letters; ++c) {
      const char letter = static_cast<char>('a' + c);
      const ExprId d = exprs.derivative(e, static_cast<std::uint8_t>(letter));
      ASSERT_EQ(exprs.first_bytes(e).contains(static_cast<std::uint8_t>(letter)), d != ExprId::kNothing)
          << to_string(exprs, e);
      check_matches(d, world.quotient(language, letter));
    }
    // The world contains only texts over its alphabet, so other bytes are excluded before emptiness is tested.
    const ExprId within = exprs.intersection(e, alphabet_strings);
    const std::optional<std::string> shortest = shortest_member(exprs, within, kFuel);
    const Emptiness expected = shortest ? Emptiness::kNonEmpty : Emptiness::kEmpty;
    ASSERT_EQ(emptiness(exprs, within, kFuel), expected) << to_string(exprs, e);
    if (shortest.has_value()) {
      ASSERT_EQ(emptiness(exprs, e, kFuel), Emptiness::kNonEmpty) << to_string(exprs, e);
    }
    const ExprId more = with_loops(exprs, e);
    for (std::size_t i = language._Find_first(); i < language.size(); i = language._Find_next(i)) {
      ASSERT_TRUE(exprs.matches(more, world.strings()[i])) << to_string(exprs, more) << " lacks " << world.strings()[i];
    }
    const std::optional<std::string> any_shortest = any_shortest_member(exprs, within, kFuel);
    ASSERT_EQ(any_shortest.has_value(), shortest.has_value()) << to_string(exprs, e);
    if (shortest.has_value()) {
      ASSERT_TRUE(exprs.matches(within, *any_shortest)) << to_string(exprs, e) << " does not match " << *any_shortest;
      ASSERT_EQ(any_shortest->size(), shortest->size()) << to_string(exprs, e);
    }
    if (has_plain_member(exprs, e, kFuel)) {
      std::string member;
      append_plain_member(exprs, e, member);
      ASSERT_TRUE(exprs.matches(e, member)) << to_string(exprs, e) << " does not match `" << member << "`";
      ASSERT_EQ(member.size(), shortest_member(exprs, e, kFuel).value().size()) << to_string(exprs, e);
    }
    if (language.any()) {
      ASSERT_EQ(shortest, world.strings()[language._Find_first()]) << to_string(exprs, e);
    } else if (shortest) {
      ASSERT_GT(shortest->size(), Length) << to_string(exprs, e);
      ASSERT_TRUE(exprs.matches(e, *shortest)) << to_string(exprs, e);
    }
    if (static_cast<std::uint32_t>(e) % 16 == 0) check_prefix_closure(e);
    for (std::size_t i = 0; i < world.count(); ++i) {
      if (language[i]) {
        ASSERT_GE(world.strings()[i].size(), exprs.min_length(e)) << to_string(exprs, e);
        ASSERT_LE(world.strings()[i].size(), exprs.max_length(e)) << to_string(exprs, e);
      }
    }
  }

  // Checks the prefix closure: a text is in it if its residual is not empty.
  void check_prefix_closure(ExprId e) {
    const std::optional<ExprId> begun = prefix_closure(exprs, e);
    if (!begun) return;
    for (const std::string& text : world.strings()) {
      if (text.size() == Length) break;
      ExprId rest = e;
      for (const char c : text) rest = exprs.derivative(rest, static_cast<std::uint8_t>(c));
      ASSERT_EQ(exprs.matches(*begun, text), emptiness(exprs, rest, kFuel) == Emptiness::kNonEmpty)
          << to_string(exprs, e) << " and `" << text << "`";
    }
  }

  void check_matches(ExprId e, const Set& language) {
    for (std::size_t i = 0; i < world.count(); ++i) {
      if (world.strings()[i].size() == Length) break;
      ASSERT_EQ(exprs.matches(e, world.strings()[i]), language[i])
          << to_string(exprs, e) << " on " << world.strings()[i];
    }
  }

  ExprId letters(std::string_view text) {
    ByteSet set;
    for (char c : text) set.add(static_cast<std::uint8_t>(c));
    return exprs.byte_set(set);
  }

  static constexpr std::uint32_t kFuel = 100'000;
  World world;
  ExprSet exprs{50'000'000};
  ExprId alphabet_strings = exprs.repeat(letters(std::string_view("abc").substr(0, Letters)), 0, kUnbounded);
  std::map<ExprId, Set> languages;
};

class Exhaustive : public ::testing::Test, public Checker<2, 5> {};

// All expressions of up to kSize operators and leaves. Each normal form is used once as an operand of larger ones.
TEST_F(Exhaustive, SmallExpressions) {
  constexpr std::size_t kSize = 5;
  std::vector<std::vector<Case>> by_size(kSize + 1);
  const auto add = [&](std::size_t size, ExprId e, const Set& language) {
    if (note(e, language)) by_size[size].push_back({e, language});
  };
  add(1, ExprId::kNothing, Set());
  add(1, ExprId::kEpsilon, world.of(""));
  add(1, ExprId::kAllStrings, world.all());
  add(1, letters("a"), world.of("a"));
  add(1, letters("b"), world.of("b"));
  add(1, letters("ab"), world.letters("ab"));
  for (std::size_t size = 2; size <= kSize; ++size) {
    for (const Case& x : std::vector<Case>(by_size[size - 1])) {
      add(size, exprs.complement(x.e), ~x.language);
      for (const Bounds& b : kBounds)
        add(size, exprs.repeat(x.e, b.min, b.max), world.repeat(x.language, b.min, b.max));
    }
    for (std::size_t left = 1; left + 1 < size; ++left) {
      for (const Case& x : std::vector<Case>(by_size[left])) {
        for (const Case& y : std::vector<Case>(by_size[size - 1 - left])) {
          add(size, exprs.concat(x.e, y.e), world.concat(x.language, y.language));
          add(size, exprs.alternation(x.e, y.e), x.language | y.language);
          add(size, exprs.intersection(x.e, y.e), x.language & y.language);
          if (HasFailure()) return;
        }
      }
    }
  }
  const std::map<ExprId, Set> all = languages;
  EXPECT_GT(all.size(), 5000U);
  for (const auto& [e, language] : all) {
    check(e, language);
    if (HasFailure()) return;
  }
}

class Random : public ::testing::Test, public Checker<3, 4> {};

TEST_F(Random, LargerExpressions) {
  std::mt19937 random(20240601);
  std::vector<Case> pool;
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 4000; ++round) {
    pool.assign({{ExprId::kEpsilon, world.of("")}, {ExprId::kAllStrings, world.all()}});
    for (std::string_view set : {"a", "b", "c", "ab", "bc", "abc", "ac"})
      pool.push_back({letters(set), world.letters(set)});
    for (std::string_view text : {"ab", "abc", "aab", "ba", "cab", "abca"}) {
      pool.push_back({exprs.literal(text), world.of(text)});
    }
    for (int step = 0; step < 40; ++step) {
      const Case x = pool[pick(pool.size())];
      const Case y = pool[pick(pool.size())];
      const Case z = pool[pick(pool.size())];
      Case made = x;
      switch (pick(7)) {
        case 0: made = {exprs.concat(x.e, y.e), world.concat(x.language, y.language)}; break;
        case 1: made = {exprs.alternation(x.e, y.e), x.language | y.language}; break;
        case 2: {
          const ExprId parts[] = {x.e, y.e, z.e};
          made = {exprs.alternation(parts), x.language | y.language | z.language};
          break;
        }
        case 3: made = {exprs.intersection(x.e, y.e), x.language & y.language}; break;
        case 4: made = {exprs.complement(x.e), ~x.language}; break;
        case 5: {
          const auto min = static_cast<std::uint32_t>(pick(4));
          const auto max = pick(3) == 0 ? kUnbounded : min + static_cast<std::uint32_t>(pick(3));
          made = {exprs.repeat(x.e, min, max), world.repeat(x.language, min, max)};
          break;
        }
        default: {
          const char c = static_cast<char>('a' + pick(3));
          const ExprId d = exprs.derivative(x.e, static_cast<std::uint8_t>(c));
          check_matches(d, world.quotient(x.language, c));
          continue;
        }
      }
      note(made.e, made.language);
      ASSERT_EQ(exprs.nullable(made.e), made.language[0]) << to_string(exprs, made.e);
      pool.push_back(made);
      if (HasFailure()) return;
    }
    for (const Case& x : pool) {
      check_matches(x.e, x.language);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace weir::regex
