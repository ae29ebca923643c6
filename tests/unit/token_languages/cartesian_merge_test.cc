#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/canonical/small_table.h"
#include "weir/token_dfa.h"

namespace weir {
namespace {

using tests::SmallTable;
using Ids = std::vector<std::uint32_t>;

TEST(CartesianMerge, AllowsWhatBothAllow) {
  const SmallTable small({"abc", {{"a", "b"}, {"ab", "c"}}});
  const TokenizerDfa tokenizer = fuse_states(build_tokenizer_dfa(small.table).value());
  const CartesianMerge product = cartesian_merge(byte_dfa("(ab)*c").value(), small.views(), tokenizer).value();
  const std::uint32_t c = small.id_of("c"), ab = small.id_of("ab"), abc = small.id_of("abc");
  Ids next;
  product.append_next_tokens(product.start(), next);
  EXPECT_EQ(next, (Ids{c, ab, abc}));  // `a` would be merged with the b that must come
  const auto after_ab = product.step(product.start(), ab);
  ASSERT_TRUE(after_ab);
  next.clear();
  product.append_next_tokens(*after_ab, next);
  EXPECT_EQ(next, (Ids{ab, abc}));
  EXPECT_FALSE(product.accepts(*after_ab));
  EXPECT_TRUE(product.accepts(product.step(*after_ab, abc).value()));
  EXPECT_FALSE(product.step(*after_ab, c));
  EXPECT_EQ(product.product_states(), 3U);  // c and abc lead to one
}

TEST(CartesianMerge, FindsThatNoTokensSpellTheLanguage) {
  const SmallTable small({"ab", {{"a", "b"}}});
  const TokenizerDfa tokenizer = build_tokenizer_dfa(small.table).value();
  EXPECT_EQ(cartesian_merge(byte_dfa("a?c").value(), small.views(), tokenizer).error().code, ErrorCode::kUnsatisfiable);
  EXPECT_TRUE(cartesian_merge(byte_dfa("c?").value(), small.views(), tokenizer));  // the empty text
}

TEST(CartesianMerge, StopsAtItsLimits) {
  const SmallTable small({"ab", {{"a", "b"}, {"b", "a"}, {"a", "a"}, {"ab", "a"}, {"ba", "b"}}});
  const TokenizerDfa tokenizer = build_tokenizer_dfa(small.table).value();
  const ByteDfa language = byte_dfa("[ab]{1,9}").value();
  Limits limits;
  limits.token_dfa_states = 20;
  EXPECT_EQ(cartesian_merge(language, small.views(), tokenizer, limits).error().limit, "token_dfa_states");
  limits = {};
  limits.token_dfa_transitions = 30;
  EXPECT_EQ(cartesian_merge(language, small.views(), tokenizer, limits).error().limit, "token_dfa_transitions");
  EXPECT_EQ(cartesian_merge(language, small.views(), tokenizer).value().written_out(limits).error().limit,
            "token_dfa_transitions");
  EXPECT_EQ(token_paths(language, small.views(), limits).error().limit, "token_dfa_transitions");
}

TEST(CartesianMerge, RefusesWhatIsNoAutomaton) {
  const SmallTable small({"ab", {}});
  const TokenizerDfa tokenizer = build_tokenizer_dfa(small.table).value();
  const auto refused = [&](const ByteDfa& language) {
    return cartesian_merge(language, small.views(), tokenizer).error().code == ErrorCode::kInvalidArgument &&
           token_paths(language, small.views()).error().code == ErrorCode::kInvalidArgument;
  };
  EXPECT_TRUE(refused({}));
  ByteDfa language = byte_dfa("a*").value();
  language.next.back() = DfaState{1};
  EXPECT_TRUE(refused(language));
  language = byte_dfa("a*").value();
  language.class_of[0] = 7;
  EXPECT_TRUE(refused(language));
  language = byte_dfa("a*").value();
  language.next.pop_back();
  EXPECT_TRUE(refused(language));
  const std::string longest(3000, 'a');
  EXPECT_EQ(token_paths(byte_dfa("a*").value(), std::vector<std::string_view>{longest}).error().code,
            ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace weir
