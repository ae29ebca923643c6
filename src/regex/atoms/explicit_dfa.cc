#include "regex/atoms/explicit_dfa.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/interner.h"

namespace weir::regex {

ExplicitDfa::State ExplicitDfa::add(std::uint8_t accepted) {
  accepts.push_back(accepted);
  next.resize(accepts.size() * symbols, kDead);
  return static_cast<State>(accepts.size() - 1);
}

ExplicitDfa explicit_dfa_of(ExprSet& exprs, ExprId e, std::uint32_t symbols) {
  ExplicitDfa made{symbols};
  made.add(0);
  std::vector<ExprId> residuals{ExprId::kNothing};
  std::unordered_map<ExprId, ExplicitDfa::State> numbers{{ExprId::kNothing, ExplicitDfa::kDead}};
  const auto number = [&](ExprId residual) {
    const auto [it, is_new] = numbers.try_emplace(residual, static_cast<ExplicitDfa::State>(residuals.size()));
    if (is_new) {
      residuals.push_back(residual);
      made.add(exprs.nullable(residual) ? 1 : 0);
    }
    return it->second;
  };
  if (number(e) == ExplicitDfa::kDead) made.add(0);
  for (std::size_t i = ExplicitDfa::kStart; i < residuals.size(); ++i) {
    for (std::uint32_t symbol = 0; symbol < symbols; ++symbol) {
      const ExplicitDfa::State to = number(exprs.derivative(residuals[i], static_cast<std::uint8_t>(symbol)));
      made.next[i * symbols + symbol] = to;
    }
  }
  return made;
}

std::vector<std::uint32_t> equivalent_symbols(std::span<const ExplicitDfa> parts) {
  const std::uint32_t symbols = parts.empty() ? 0 : parts[0].symbols;
  std::map<std::vector<ExplicitDfa::State>, std::uint32_t> columns;
  std::vector<std::uint32_t> alike(symbols);
  for (std::uint32_t symbol = 0; symbol < symbols; ++symbol) {
    std::vector<ExplicitDfa::State> column;
    for (const ExplicitDfa& part : parts) {
      for (std::size_t i = 0; i < part.size(); ++i) column.push_back(part.next[i * symbols + symbol]);
    }
    alike[symbol] = columns.try_emplace(std::move(column), symbol).first->second;
  }
  return alike;
}

ExplicitDfa side_by_side(std::span<const ExplicitDfa> parts, const std::function<std::uint8_t(ProductState)>& accept,
                         const std::function<bool(ProductState)>& is_hopeless) {
  const std::vector<std::uint32_t> alike = equivalent_symbols(parts);
  ExplicitDfa made{static_cast<std::uint32_t>(alike.size())};
  base::WordInterner numbers;  // numbers the product states; a sequence has one word for each part
  std::vector<std::uint32_t> words(parts.size());
  std::vector<ExplicitDfa::State> states(parts.size(), ExplicitDfa::kDead);
  const auto number = [&] {
    if (is_hopeless(states)) states.assign(parts.size(), ExplicitDfa::kDead);
    std::copy(states.begin(), states.end(), words.begin());
    const auto [state, is_new] = numbers.intern(words);
    if (is_new) made.add(accept(states));
    return static_cast<ExplicitDfa::State>(state);
  };
  number();
  states.assign(parts.size(), ExplicitDfa::kStart);
  if (number() == ExplicitDfa::kDead) made.add(0);
  for (std::uint32_t i = ExplicitDfa::kStart; i < numbers.size(); ++i) {
    const std::vector<std::uint32_t> from(numbers[i].begin(), numbers[i].end());
    for (std::uint32_t symbol = 0; symbol < made.symbols; ++symbol) {
      ExplicitDfa::State to = ExplicitDfa::kDead;
      if (alike[symbol] != symbol) {
        to = made.next[i * made.symbols + alike[symbol]];
      } else {
        for (std::size_t p = 0; p < parts.size(); ++p) {
          states[p] = parts[p].step(static_cast<ExplicitDfa::State>(from[p]), symbol);
        }
        to = number();
      }
      made.next[i * made.symbols + symbol] = to;
    }
  }
  return made;
}

ExplicitDfa minimal(const ExplicitDfa& automaton) {
  const std::vector<std::uint32_t> alike = equivalent_symbols({&automaton, 1});
  std::vector<std::uint32_t> block_of(automaton.accepts.begin(), automaton.accepts.end());
  std::size_t blocks = 0;
  std::vector<std::uint32_t> words;
  while (true) {
    base::WordInterner numbers;
    std::vector<std::uint32_t> refined(automaton.size());
    for (std::size_t i = 0; i < automaton.size(); ++i) {
      words.assign(1, block_of[i]);
      for (std::uint32_t symbol = 0; symbol < automaton.symbols; ++symbol) {
        if (alike[symbol] == symbol) words.push_back(block_of[automaton.next[i * automaton.symbols + symbol]]);
      }
      refined[i] = numbers.intern(words).first;
    }
    block_of = std::move(refined);
    if (numbers.size() == blocks) break;
    blocks = numbers.size();
  }
  // Numbers the blocks in the order of their first states, so kDead is in block 0; kStart may be in the same block.
  ExplicitDfa made{automaton.symbols};
  std::vector<ExplicitDfa::State> number_of(blocks, ExplicitDfa::kDead);
  std::vector<std::size_t> firsts;
  const auto keep = [&](std::size_t i) {
    number_of[block_of[i]] = made.add(automaton.accepts[i]);
    firsts.push_back(i);
  };
  keep(ExplicitDfa::kDead);
  if (block_of[ExplicitDfa::kStart] == block_of[ExplicitDfa::kDead]) {
    made.add(0);
    return made;
  }
  for (std::size_t i = ExplicitDfa::kStart; i < automaton.size(); ++i) {
    if (block_of[i] != block_of[ExplicitDfa::kDead] && number_of[block_of[i]] == ExplicitDfa::kDead) keep(i);
  }
  for (std::size_t made_state = 0; made_state < firsts.size(); ++made_state) {
    for (std::uint32_t symbol = 0; symbol < automaton.symbols; ++symbol) {
      const ExplicitDfa::State to = automaton.next[firsts[made_state] * automaton.symbols + symbol];
      made.next[made_state * automaton.symbols + symbol] = number_of[block_of[to]];
    }
  }
  return made;
}

}  // namespace weir::regex
