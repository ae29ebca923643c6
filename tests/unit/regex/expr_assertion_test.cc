// Compares patterns with assertions with a textbook matcher, which computes for a node and a position the set of
// positions where a match can end. It does not use derivatives; look-around computes the same sets for its operand.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <set>

#include "regex/expr/expr.h"
#include "regex/expr/print.h"
#include "regex/syntax/ast.h"

namespace weir::regex {
namespace {

using Kind = Ast::Kind;

/// Matches an Ast against one text. Each pair of a node and a position is computed once.
class Matcher {
 public:
  Matcher(ExprSet& exprs, std::string_view text) : exprs_(exprs), text_(text) {}

  /// Returns the set of ends of matches that begin at `i`: bit j is set if the node matches text[i, j).
  std::uint32_t ends(const Ast& ast, std::size_t i) {
    const auto [it, is_new] = memo_.try_emplace({&ast, i}, 0);
    if (is_new) {
      const std::uint32_t result = compute(ast, i);
      memo_[{&ast, i}] = result;
      return result;
    }
    return it->second;
  }
  bool matches(const Ast& ast) { return (ends(ast, 0) >> text_.size() & 1) != 0; }

 private:
  std::uint32_t bit(std::size_t i) { return std::uint32_t{1} << i; }

  std::uint32_t after(const Ast& ast, std::uint32_t starts) {
    std::uint32_t result = 0;
    for (std::size_t i = 0; i <= text_.size(); ++i) {
      if ((starts & bit(i)) != 0) result |= ends(ast, i);
    }
    return result;
  }

  std::uint32_t compute(const Ast& ast, std::size_t i) {
    std::uint32_t result = 0;
    switch (ast.kind) {
      case Kind::kExpr:
        for (std::size_t j = i; j <= text_.size(); ++j) {
          if (exprs_.matches(ast.expr, text_.substr(i, j - i))) result |= bit(j);
        }
        return result;
      case Kind::kConcat:
        result = bit(i);
        for (const Ast& child : ast.children) result = after(child, result);
        return result;
      case Kind::kAlternation:
        for (const Ast& child : ast.children) result |= ends(child, i);
        return result;
      case Kind::kRepeat: {
        std::uint32_t reached = bit(i);
        // So many rounds suffice to reach every end position, with empty and with non-empty rounds.
        const std::uint32_t rounds =
            std::min<std::uint32_t>(ast.max, ast.min + static_cast<std::uint32_t>(text_.size()) + 1);
        for (std::uint32_t k = 0; k <= rounds; ++k) {
          if (k >= ast.min) result |= reached;
          if (k < rounds) reached = after(ast.children[0], reached);
        }
        return result;
      }
      case Kind::kLookAhead: return ends(ast.children[0], i) != 0 ? bit(i) : 0;
      case Kind::kNotLookAhead: return ends(ast.children[0], i) == 0 ? bit(i) : 0;
      case Kind::kLookBehind: return stands_before(ast.children[0], i) ? bit(i) : 0;
      case Kind::kNotLookBehind: return stands_before(ast.children[0], i) ? 0 : bit(i);
    }
    return 0;
  }

  bool stands_before(const Ast& ast, std::size_t i) {
    for (std::size_t from = 0; from <= i; ++from) {
      if ((ends(ast, from) & bit(i)) != 0) return true;
    }
    return false;
  }

  ExprSet& exprs_;
  std::string_view text_;
  std::map<std::pair<const Ast*, std::size_t>, std::uint32_t> memo_;
};

std::string show(const ExprSet& exprs, const Ast& ast) {
  std::string text;
  switch (ast.kind) {
    case Kind::kExpr: return to_string(exprs, ast.expr);
    case Kind::kRepeat: {
      const std::string max = ast.max == kUnbounded ? "" : std::to_string(ast.max);
      return "(?:" + show(exprs, ast.children[0]) + "){" + std::to_string(ast.min) + "," + max + "}";
    }
    case Kind::kConcat: text = "(?:"; break;
    case Kind::kAlternation: text = "(?:"; break;
    case Kind::kLookAhead: text = "(?="; break;
    case Kind::kNotLookAhead: text = "(?!"; break;
    case Kind::kLookBehind: text = "(?<="; break;
    case Kind::kNotLookBehind: text = "(?<!"; break;
  }
  for (const Ast& child : ast.children) {
    text += show(exprs, child);
    if (ast.kind == Kind::kAlternation && &child != &ast.children.back()) text += "|";
  }
  return text + ")";
}

class Assertions : public ::testing::Test {
 protected:
  Assertions() {
    texts_.emplace_back();
    for (std::size_t i = 0; texts_.size() < 63; ++i) {
      texts_.push_back(texts_[i] + "a");
      texts_.push_back(texts_[i] + "b");
    }
  }

  Ast leaf(std::string_view text) { return {.expr = exprs_.literal(text)}; }
  static Ast node(Kind kind, std::vector<Ast> children) { return {.kind = kind, .children = std::move(children)}; }
  static Ast repeat(Ast body, std::uint32_t min, std::uint32_t max) {
    return {.kind = Kind::kRepeat, .min = min, .max = max, .children = {std::move(body)}};
  }

  std::vector<Ast> plain_parts() {
    const ExprId all = ExprId::kAllStrings;
    return {leaf("a"),
            leaf("b"),
            leaf("ab"),
            leaf("ba"),
            leaf("aa"),
            {.expr = exprs_.alternation(exprs_.literal("a"), exprs_.literal("b"))},
            {.expr = exprs_.byte_set(ByteSet::all())},
            {.expr = exprs_.concat(all, exprs_.literal("b"))},
            {.expr = exprs_.concat(all, exprs_.literal("ab"))},
            {.expr = exprs_.repeat(exprs_.literal("ab"), 0, kUnbounded)}};
  }

  void check(const Ast& ast) {
    const Result<ExprId> e = translate(exprs_, ast, Limits());
    ASSERT_TRUE(e.has_value()) << show(exprs_, ast);
    ASSERT_FALSE(exprs_.has_assertions(*e));
    for (const std::string& text : texts_) {
      ASSERT_EQ(exprs_.matches(*e, text), Matcher(exprs_, text).matches(ast))
          << show(exprs_, ast) << " on '" << text << "': " << to_string(exprs_, *e);
    }
  }

  /// Returns the number of residuals, which must be finite. Stops soon after 5,000.
  std::size_t count_states(ExprId e) {
    std::set<ExprId> seen{e};
    std::vector<ExprId> states{e};
    for (std::size_t i = 0; i < states.size() && states.size() < 5000; ++i) {
      for (std::uint8_t byte : {'a', 'b', 'c'}) {
        const ExprId d = exprs_.derivative(states[i], byte);
        if (seen.insert(d).second) states.push_back(d);
      }
    }
    return states.size();
  }

  ExprSet exprs_{20'000'000};
  std::vector<std::string> texts_;
};

TEST_F(Assertions, SmallPatterns) {
  constexpr std::size_t kSize = 5;
  std::vector<std::vector<Ast>> by_size(kSize + 1);
  by_size[1] = {leaf("a"), leaf("b"), leaf("")};
  for (std::size_t size = 2; size <= kSize; ++size) {
    for (const Ast& x : by_size[size - 1]) {
      for (Kind kind : {Kind::kLookAhead, Kind::kNotLookAhead, Kind::kLookBehind, Kind::kNotLookBehind}) {
        by_size[size].push_back(node(kind, {x}));
      }
      if (x.kind != Kind::kRepeat) {
        by_size[size].push_back(repeat(x, 0, kUnbounded));
        by_size[size].push_back(repeat(x, 2, 3));
      }
    }
    for (std::size_t left = 1; left + 1 < size; ++left) {
      for (const Ast& x : by_size[left]) {
        for (const Ast& y : by_size[size - 1 - left]) {
          by_size[size].push_back(node(Kind::kConcat, {x, y}));
          by_size[size].push_back(node(Kind::kAlternation, {x, y}));
        }
      }
    }
    for (const Ast& ast : by_size[size]) {
      check(ast);
      if (HasFatalFailure()) return;
    }
  }
}

/// Random trees that are built from small parts.
TEST_F(Assertions, LargerPatterns) {
  std::mt19937 random(4711);
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 1000; ++round) {
    std::vector<Ast> pool = plain_parts();
    const std::size_t parts = pool.size();
    for (int step = 0; step < 12; ++step) {
      const Ast x = pool[pick(pool.size())];
      const Ast y = pool[pick(pool.size())];
      switch (pick(8)) {
        case 0:
        case 1: pool.push_back(node(Kind::kConcat, {x, y})); break;
        case 2: pool.push_back(node(Kind::kAlternation, {x, y})); break;
        case 3: {
          const auto min = static_cast<std::uint32_t>(pick(3));
          pool.push_back(repeat(x, min, pick(2) == 0 ? kUnbounded : min + static_cast<std::uint32_t>(pick(3))));
          break;
        }
        case 4: pool.push_back(node(Kind::kLookAhead, {x})); break;
        case 5: pool.push_back(node(Kind::kNotLookAhead, {x})); break;
        case 6: pool.push_back(node(Kind::kLookBehind, {x})); break;
        default: pool.push_back(node(Kind::kNotLookBehind, {x})); break;
      }
    }
    for (std::size_t i = parts; i < pool.size(); ++i) {
      check(pool[i]);
      if (HasFatalFailure()) return;
    }
  }
}

/// Loops over alternatives with assertions before and after them, and with assertions inside assertions. Many of these
/// loops have no form without a context. The number of their residuals is finite because contexts recur.
TEST_F(Assertions, Loops) {
  std::mt19937 random(4712);
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::vector<Ast> plain = plain_parts();
  const auto part = [&] { return plain[pick(plain.size())]; };
  const std::function<Ast(int)> look = [&](int depth) {
    constexpr Kind kLooks[] = {Kind::kLookAhead, Kind::kNotLookAhead, Kind::kLookBehind, Kind::kNotLookBehind};
    Ast body = part();
    if (depth > 0 && pick(3) == 0) {
      const bool first = pick(2) == 0;
      const Ast inner = look(depth - 1);
      body = node(Kind::kConcat, first ? std::vector<Ast>{inner, body} : std::vector<Ast>{body, inner});
      if (pick(3) == 0) body = node(Kind::kConcat, {body, part()});
      if (pick(3) == 0) body = repeat(body, 0, kUnbounded);
    }
    return node(kLooks[pick(4)], {body});
  };
  std::size_t contexts = 0;
  for (int round = 0; round < 3000; ++round) {
    const int depth = round % 3;
    std::vector<Ast> branches;
    for (std::size_t n = 1 + pick(3); n > 0; --n) {
      std::vector<Ast> sequence;
      if (pick(3) != 0) sequence.push_back(look(depth));
      sequence.push_back(part());
      if (pick(3) == 0) sequence.push_back(look(depth));
      branches.push_back(node(Kind::kConcat, sequence));
    }
    const Ast loop = repeat(node(Kind::kAlternation, branches), static_cast<std::uint32_t>(pick(3)), kUnbounded);
    std::vector<Ast> sequence{loop};
    if (pick(2) == 0) sequence.push_back(part());
    if (pick(3) == 0) sequence.push_back(look(depth));
    if (pick(4) == 0) sequence.push_back(loop);
    const Ast ast = node(Kind::kConcat, sequence);
    check(ast);
    if (HasFatalFailure()) return;
    const ExprId e = *translate(exprs_, ast, Limits());
    if (to_string(exprs_, e).find('<') != std::string::npos) ++contexts;
    ASSERT_LE(count_states(e), 1000U) << show(exprs_, ast);
  }
  EXPECT_GT(contexts, 1500U);
}

TEST_F(Assertions, AssertionsAboutOneNeighbourNeedNoContext) {
  // ((?!-)[a-]{1,3}(?<!-)b)*
  const Ast dash = leaf("-");
  const Ast label = {.expr = exprs_.repeat(exprs_.alternation(exprs_.literal("a"), exprs_.literal("-")), 1, 3)};
  const Ast body =
      node(Kind::kConcat, {node(Kind::kNotLookAhead, {dash}), label, node(Kind::kNotLookBehind, {dash}), leaf("b")});
  const ExprId e = *translate(exprs_, repeat(body, 0, kUnbounded), Limits());
  EXPECT_EQ(to_string(exprs_, e).find("->"), std::string::npos) << to_string(exprs_, e);
  EXPECT_TRUE(exprs_.matches(e, "abaabaaab"));
  EXPECT_TRUE(exprs_.matches(e, "a-ab"));
  EXPECT_FALSE(exprs_.matches(e, "-ab"));
  EXPECT_FALSE(exprs_.matches(e, "aba-b"));
}

TEST_F(Assertions, NestingIsLimited) {
  Ast ast = leaf("a");
  for (int i = 0; i < 200; ++i) ast = node(Kind::kLookAhead, {std::move(ast)});
  const Result<ExprId> e = translate(exprs_, ast, Limits());
  ASSERT_FALSE(e.has_value());
  EXPECT_EQ(e.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(e.error().limit, "nesting");

  ast = node(Kind::kConcat, {node(Kind::kLookAhead, {leaf("a")}), leaf("a")});
  for (int i = 0; i < 2000; ++i) ast = repeat(std::move(ast), 2, 3);
  EXPECT_EQ(translate(exprs_, ast, Limits()).error().limit, "nesting");

  ExprSet small(8);
  const Ast b = {.expr = small.literal("b")};
  ASSERT_NE(b.expr, ExprId::kOverflow);
  ast = node(Kind::kConcat, {b, node(Kind::kLookAhead, {b})});
  EXPECT_EQ(translate(small, ast, Limits()).error().limit, "regex_nodes");
}

}  // namespace
}  // namespace weir::regex
