#include "random_grammar.h"

#include <string>
#include <vector>

namespace weir::grammar::testing {

namespace {

class Generator {
 public:
  Generator(std::mt19937& random, Extras extras) : random_(random), extras_(extras), grammar_(100'000) {}

  Grammar run() {
    const std::uint32_t count = 1 + below(4);
    for (std::uint32_t i = 0; i < count; ++i) {
      Rule rule;
      rule.name = std::string(1, static_cast<char>('p' + i));
      rule.defined = true;
      grammar_.add_rule(std::move(rule));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const NodeId body = node(3);
      grammar_.rules[i].body = body;
    }
    grammar_.start = RuleId{below(count)};
    return std::move(grammar_);
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  NodeId node(int depth) {
    if (depth == 0 || below(4) == 0) return leaf();
    switch (below(5)) {
      case 0:
      case 1: return grammar_.add_sequence(nodes(1 + below(3), depth - 1), {});
      case 2:
      case 3: return grammar_.add_choice(nodes(1 + below(3), depth - 1), {});
      default: {
        const NodeId child = node(depth - 1);
        const std::uint32_t min = below(3);
        const std::uint32_t max = below(3) == 0 ? regex::kUnbounded : min + below(3);
        return grammar_.add_repeat(child, min, max, {});
      }
    }
  }

  std::vector<NodeId> nodes(std::uint32_t count, int depth) {
    std::vector<NodeId> out;
    for (std::uint32_t i = 0; i < count; ++i) {
      // Sometimes uses the same node twice.
      out.push_back(i > 0 && below(8) == 0 ? out.back() : node(depth));
    }
    return out;
  }

  NodeId leaf() {
    switch (below(extras_ == Extras::kNone ? 8 : 11)) {
      case 0: return NodeId::kEmpty;
      case 1:
      case 2: return grammar_.add_rule_reference(RuleId{below(static_cast<std::uint32_t>(grammar_.rules.size()))}, {});
      case 3: return terminal("\"a\"", grammar_.exprs.literal("a"));
      case 4: return terminal("\"b\"", grammar_.exprs.literal("b"));
      case 5: return terminal("\"ba\"", grammar_.exprs.literal("ba"));
      case 6: return terminal("[a-c]", grammar_.exprs.byte_set(regex::ByteSet::range('a', 'c')));
      case 7: return odd_terminal();
      case 8: return token_set();
      case 9: return terminal("@lazy([ab]+)", letters(1, regex::kUnbounded), base::LexemeMode::kLazy);
      default: return terminal("@greedy([ab]{2})", letters(2, 2), base::LexemeMode::kGreedy);
    }
  }

  regex::ExprId letters(std::uint32_t min, std::uint32_t max) {
    return grammar_.exprs.repeat(grammar_.exprs.byte_set(regex::ByteSet::range('a', 'b')), min, max);
  }

  NodeId odd_terminal() {
    switch (below(4)) {
      case 0: return terminal("(\"a\" & \"b\")", regex::ExprId::kNothing);
      case 1: return terminal("(\"\" & \"\")", regex::ExprId::kEpsilon);
      case 2: return terminal("[ab]{0,2}", letters(0, 2));
      default: return terminal("([ab]* & ~\"\")", letters(1, regex::kUnbounded));
    }
  }

  NodeId terminal(const char* text, regex::ExprId expr, base::LexemeMode mode = base::LexemeMode::kExact) {
    return grammar_.add_terminal({expr, mode, text, {}, text});
  }

  NodeId token_set() {
    TokenSet set;
    set.complement = below(2) == 0;
    set.ranges.emplace_back(1, 2 + below(2));
    set.name = "tokens";
    return grammar_.add_tokens(std::move(set));
  }

  std::mt19937& random_;
  Extras extras_;
  Grammar grammar_;
};

}  // namespace

Grammar random_grammar(std::mt19937& random, Extras extras) { return Generator(random, extras).run(); }

}  // namespace weir::grammar::testing
