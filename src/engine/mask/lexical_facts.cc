#include "engine/mask/lexical_facts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/node_bytes.h"
#include "base/work.h"
#include "engine/explore/lazy_automaton.h"
#include "engine/search_bounds.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

using lexer::LexerStateId;
using regex::ExprId;

namespace {

// In place of the terminal that has ended, where only its condition is known.
constexpr std::uint32_t kSomeTerminal = UINT32_MAX;

}  // namespace

LexicalFacts::LexicalFacts(LazyAutomaton& automaton) : automaton_(automaton), by_bytes_(*this), runs_(by_bytes_) {
  lexical_.intern({});                           // kNowhere
  lexical_.intern(std::array{std::uint32_t{}});  // kRowDecides
}

// Returns the lexical state of a state, or kNowhere if it has not exactly one thread in progress.
std::uint32_t LexicalFacts::lexical_of(StateId state) {
  if (raw(state) >= of_state_.size()) of_state_.resize(automaton_.state_count(), kUnknown);
  std::uint32_t& known = of_state_[raw(state)];
  if (known != kUnknown) return known;
  known = kNowhere;
  std::vector<std::uint32_t> words, ended;
  for (const Thread& thread : automaton_.threads(state)) {
    if (thread.fresh) {
      ended.push_back(static_cast<std::uint32_t>(thread.rest));
    } else if (words.empty()) {
      words = {static_cast<std::uint32_t>(thread.rest), static_cast<std::uint32_t>(thread.lexer)};
    } else {
      return known;
    }
  }
  if (words.empty()) return known;
  std::ranges::sort(ended);
  for (const std::uint32_t rest : ended) words.insert(words.end(), {kSomeTerminal, rest});
  return known = lexical_.intern(words).first;
}

std::uint32_t LexicalFacts::Steps::step(std::uint32_t from, std::uint8_t byte) {
  const std::uint32_t next = facts_.step(from, byte);
  return next == kRowDecides ? kNowhere : next;
}

// Returns the lexical state after a byte, kNowhere or kRowDecides. Sets met_limit_ if a limit was met; the result is then
// kNowhere.
std::uint32_t LexicalFacts::step(std::uint32_t from, std::uint8_t byte) {
  if (from <= kRowDecides) return kNowhere;
  const std::uint32_t classes = automaton_.classes().count();
  const std::size_t at = std::size_t{from} * classes + automaton_.classes().class_of(byte);
  if (at >= steps_.size()) steps_.resize(std::size_t{lexical_.size()} * classes, kUnknown);
  if (steps_[at] == kUnknown) {
    const std::uint32_t next = compute_step(from, byte);
    if (met_limit_) return kNowhere;
    steps_[at] = next;
  }
  return steps_[at];
}

std::uint32_t LexicalFacts::compute_step(std::uint32_t from, std::uint8_t byte) {
  base::Work::charge(base::Work::kTransition);
  lexer::Lexer& lexer = automaton_.lexer();
  regex::ExprSet& exprs = lexer.exprs();
  const auto after = [&](ExprId condition) {
    return condition == ExprId::kAllStrings ? condition : exprs.derivative(condition, byte);
  };
  const auto is_nothing = [&](ExprId condition) {
    const base::Answer nothing = lexer.is_nothing(condition);
    met_limit_ = met_limit_ || !nothing.is_known();
    return !nothing.is_no();
  };
  const std::span<const std::uint32_t> here = lexical_[from];
  for (std::size_t i = 2; i < here.size(); i += 2) {
    if (!is_nothing(after(ExprId{here[i + 1]}))) return kRowDecides;
  }
  const ExprId rest = after(ExprId{here[0]});
  if (is_nothing(rest)) return kNowhere;
  const lexer::Lexer::StepResult result = lexer.step(LexerStateId{here[1]}, automaton_.classes().class_of(byte));
  std::vector<std::uint32_t> next{static_cast<std::uint32_t>(rest), static_cast<std::uint32_t>(result.next)};
  for (const lexer::Ending& ending : result.endings) {
    const ExprId both = exprs.intersection(rest, ending.rest);
    if (!is_nothing(both)) next.insert(next.end(), {ending.terminal, static_cast<std::uint32_t>(both)});
  }
  met_limit_ = met_limit_ || base::is_limit_id(result.next) || base::Work::is_met();
  if (met_limit_ || (result.next == LexerStateId::kDead && next.size() == 2)) return kNowhere;
  return lexical_.intern(next).first;
}

const LexicalTokens* LexicalFacts::of(StateId state, TokenPosition position, std::size_t node) {
  const std::uint32_t from = lexical_of(state);
  if (from == kNowhere) return nullptr;
  const std::uint64_t key = std::uint64_t{from} << 32 | std::uint64_t{node} << 1 | static_cast<std::uint64_t>(position);
  if (const auto known = known_.find(key); known != known_.end()) return &known->second;
  met_limit_ = false;
  std::optional<LexicalTokens> computed =
      compute(from, TokenView(automaton_.program().tokenizer.vocabulary(), position), node);
  if (!computed) return nullptr;
  known_bytes_ += base::node_bytes<decltype(known_)>();
  for (const LexicalTokens::Group& group : computed->groups) {
    known_bytes_ += sizeof(group) + group.tokens.capacity() * sizeof(group.tokens[0]) + group.suffixes.memory_bytes() +
                    group.ends.capacity() * sizeof(std::uint32_t);
  }
  return &known_.emplace(key, *std::move(computed)).first->second;
}

// Returns nullopt if a limit was met.
std::optional<LexicalTokens> LexicalFacts::compute(std::uint32_t from, const TokenView& tokens, std::size_t node) {
  const vocab::TokenTrie& trie = tokens.trie;
  const std::uint32_t depth = trie.nodes()[node].depth;
  LexicalTokens result;
  std::vector<Suffixes::List> suffixes;  // by group
  std::unordered_map<std::uint32_t, std::size_t> groups;
  // Returns the group of a lexical state to which the first `to` bytes of the tokens below `i` lead.
  const auto group_of = [&](std::uint32_t lexical, std::size_t i, std::uint32_t to) {
    const auto [group, is_new] = groups.try_emplace(lexical, groups.size());
    if (is_new) {
      result.groups.push_back({tokens.bytes_of(trie.tokens_below(i).front()).substr(depth, to - depth)});
      suffixes.emplace_back();
    }
    return group->second;
  };
  const auto add = [&](std::size_t group, std::span<const std::uint32_t> added) {
    auto& all = result.groups[group].tokens;
    if (!all.empty() && all.back().data() + all.back().size() == added.data()) {
      all.back() = {all.back().data(), all.back().size() + added.size()};
    } else {
      all.push_back(added);
    }
  };
  std::vector<std::uint32_t> path(trie.max_depth() + std::size_t{1});
  path[depth] = from;
  trie.scan({node + 1, node + trie.nodes()[node].subtree_size}, std::span(path),
            [&](std::size_t i, const vocab::TrieNode& at, std::uint32_t before, std::uint32_t& after) {
              if (++nodes_visited_ % base::Work::kTrieNodes == 0) base::Work::charge(1);
              after = step(before, static_cast<std::uint8_t>(at.byte));
              if (met_limit_) return vocab::Scan::kStop;
              if (after == kNowhere) return vocab::Scan::kPast;
              if (after == kRowDecides) {
                const std::size_t group = group_of(before, i, at.depth - 1U);
                if (at.subtree_size >= kMinLexicalNodes) {
                  result.groups[group].ends.push_back(static_cast<std::uint32_t>(i));
                  return vocab::Scan::kPast;
                }
                for (const std::uint32_t token : trie.tokens_below(i)) {
                  suffixes[group].push_back(
                      {token, static_cast<std::uint16_t>(at.depth - 1U), static_cast<std::uint8_t>(at.byte)});
                }
                return vocab::Scan::kPast;
              }
              if (runs_.stays(before, tokens.summary, i, at.subtree_size)) {
                add(group_of(before, i, at.depth), trie.tokens_below(i));
                return vocab::Scan::kPast;
              }
              if (at.tokens != 0) add(group_of(after, i, at.depth), trie.tokens_at(at));
              return met_limit_ ? vocab::Scan::kStop : vocab::Scan::kInto;
            });
  if (met_limit_) return std::nullopt;
  for (std::size_t i = 0; i < suffixes.size(); ++i) {
    std::ranges::sort(suffixes[i], {}, &Suffixes::Suffix::token);
    result.groups[i].suffixes = Suffixes(std::move(suffixes[i]), tokens);
  }
  return result;
}

std::size_t LexicalFacts::memory_bytes() const {
  return lexical_.memory_bytes() + (of_state_.capacity() + steps_.capacity()) * sizeof(std::uint32_t) +
         runs_.memory_bytes() + known_bytes_;
}

}  // namespace weir::engine
