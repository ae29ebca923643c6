#include "engine/mask/next_states.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/node_bytes.h"
#include "base/work.h"
#include "engine/explore/lazy_automaton.h"
#include "engine/facts/facts_store.h"
#include "engine/facts/vocabulary_store.h"
#include "engine/mask/mask_table.h"
#include "engine/search_bounds.h"
#include "regex/analysis/residuals.h"
#include "regex/analysis/text_horizon.h"
#include "vocab/character_set.h"
#include "vocab/vocabulary.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Limit;
using regex::ExprId;

NextStates::Found NextStates::of(StateId state, TokenPosition position) {
  const std::uint64_t key = (std::uint64_t{raw(state)} << 1) | static_cast<std::uint64_t>(position);
  if (const auto known = known_.find(key); known != known_.end()) return {&known->second};
  TokenTargets targets;
  if (const Limit limit = masks_.of(state, position, &targets).limit; limit != Limit::kNone) {
    return {nullptr, limit};
  }
  std::vector<NextState> next;
  add_listed(state, targets, position, next);
  for (const TokenTargets::Terminal& terminal : targets.terminals) {
    if (const Limit limit = add_terminal(terminal, position, next); limit != Limit::kNone) return {nullptr, limit};
  }
  bytes_ += base::node_bytes<decltype(known_)>() + next.capacity() * sizeof(NextState);
  return {&known_.emplace(key, std::move(next)).first->second};
}

void NextStates::add_listed(StateId from, const TokenTargets& targets, TokenPosition position,
                            std::vector<NextState>& next) {
  const vocab::Vocabulary& vocabulary = automaton_.program().tokenizer.vocabulary();
  const auto& empty = vocabulary.first_empty_tokens();
  std::map<std::pair<StateId, TokenPosition>, std::vector<std::uint32_t>> by_state;
  for (const auto& [token, state] : targets.listed) {
    const bool adds_nothing =
        position == TokenPosition::kFirst && std::find(empty.begin(), empty.end(), token) != empty.end();
    const TokenPosition after =
        adds_nothing ? position_after_empty(vocabulary) : position_after_token(vocabulary, token, position);
    if (adds_nothing && state != from) continue;  // a token terminal does not take it
    by_state[{state, after}].push_back(token);
  }
  const std::size_t words = bitmask_words(vocabulary.size());
  for (auto& [key, tokens] : by_state) {
    next.push_back({key.first, key.second, keep(vocab::TokenSet(std::move(tokens), words))});
  }
}

const vocab::TokenSet* NextStates::keep(vocab::TokenSet tokens) {
  const std::uint64_t wide_hash = base::hash_long(tokens.stored());
  const auto hash = static_cast<std::uint32_t>(wide_hash >> 16);
  const base::NumberSlot& known = list_slots_.find(
      hash, [&](const base::NumberSlot& slot) { return slot.key_hash == hash && lists_[slot.number] == tokens; });
  if (!known.is_free()) return &lists_[known.number];
  list_slots_.insert({static_cast<std::uint32_t>(lists_.size()), hash});
  bytes_ += sizeof(vocab::TokenSet) + tokens.memory_bytes();
  return &lists_.emplace_back(std::move(tokens));
}

Limit NextStates::add_terminal(const TokenTargets::Terminal& terminal, TokenPosition position,
                               std::vector<NextState>& next) {
  const std::vector<Group>* groups = groups_inside(terminal, position);
  if (groups == nullptr) return base::Work::met_or(Limit::kRegexFuel);
  for (const Group& group : *groups) {
    const StateId state = automaton_.state_inside({terminal.row, terminal.terminal, group.residual});
    if (is_limit(state)) return limit_of(state);
    if (state != StateId::kDead) next.push_back({.state = state, .tokens = group.tokens});
  }
  return add_ended(terminal, position, next);
}

// Lists the tokens that stay inside the terminal and lead further than that if it ends within them.
Limit NextStates::add_ended(const TokenTargets::Terminal& terminal, TokenPosition position,
                            std::vector<NextState>& next) {
  if (automaton_.lexer().mode(terminal.terminal) != base::LexemeMode::kExact) return Limit::kNone;
  regex::ByteSet bytes = bytes_after_ends(terminal.residual);
  if (bytes.is_empty()) return Limit::kNone;
  const StateId after = automaton_.after_terminal(terminal.row, terminal.terminal);
  if (is_limit(after) || after == StateId::kDead) return limit_of(after);
  regex::ByteSet may_follow;
  if (const Limit met = automaton_.add_next_bytes(after, may_follow); met != Limit::kNone) return met;
  bytes &= may_follow;
  if (bytes.is_empty()) return Limit::kNone;
  return walk_ended(terminal, TokenView(automaton_.program().tokenizer.vocabulary(), position), bytes, next);
}

// Walks the trie to do so. A terminal that has ended may only be followed by one of `bytes`.
Limit NextStates::walk_ended(const TokenTargets::Terminal& terminal, const TokenView& tokens,
                             const regex::ByteSet& bytes, std::vector<NextState>& next) {
  vocab::CharacterSet kinds;  // of characters with these bytes
  bool are_ascii = true;
  bytes.for_each([&](std::uint8_t byte) {
    are_ascii = are_ascii && byte < 0x80;
    if (are_ascii) kinds.add(vocab::kind_of_ascii(byte));
  });
  const auto has_bytes = [&](std::size_t i, const vocab::TrieNode& node) {
    const bool is_known = are_ascii && vocab::TrieSummary::has_set(tokens.summary.is_text(i), node);
    return !is_known || tokens.summary.characters(i).contains_some(kinds);
  };
  struct At {
    std::uint32_t residual = ResidualTable::kDead;
    std::optional<StateId> state;  // with other readings than that the terminal goes on; none if there are none
  };
  std::map<StateId, std::vector<std::uint32_t>> by_state;
  Limit limit = Limit::kNone;
  std::uint64_t visited = 0;
  facts_.with_table(
      terminal.residual, base::LexemeMode::kExact, tokens.position, [&](ResidualTable& table, const auto&) {
        const auto inside = [&](std::uint32_t residual) {
          return automaton_.state_inside({terminal.row, terminal.terminal, table.expr(residual)});
        };
        std::vector<At> path(tokens.trie.max_depth() + std::size_t{1}, At{table.root(), {}});
        tokens.trie.scan(
            tokens.trie.all(), std::span(path), [&](std::size_t i, const auto& node, At before, At& after) {
              const auto byte = static_cast<std::uint8_t>(node.byte);
              if (++visited % base::Work::kTrieNodes == 0) base::Work::charge(1);
              after = {table.step(before.residual, byte), {}};
              if (after.residual == ResidualTable::kDead) return vocab::Scan::kPast;
              const bool ends = node.depth > 1 && table.can_end(before.residual) && bytes.contains(byte);
              if (!ends && !before.state) return has_bytes(i, node) ? vocab::Scan::kInto : vocab::Scan::kPast;
              const StateId from = before.state ? *before.state : inside(before.residual);
              const StateId state = is_limit(from) ? from : automaton_.step(from, byte);
              const StateId alone = inside(after.residual);
              limit = base::Work::is_met() ? Limit::kCallWork : is_limit(state) ? limit_of(state) : limit_of(alone);
              if (limit != Limit::kNone) return vocab::Scan::kStop;
              if (state == alone) return vocab::Scan::kInto;
              after.state = state;
              for (const std::uint32_t token : tokens.trie.tokens_at(node)) by_state[state].push_back(token);
              return vocab::Scan::kInto;
            });
        if (limit == Limit::kNone && table.is_inexact()) limit = base::Work::met_or(Limit::kRegexFuel);
      });
  const std::size_t words = bitmask_words(tokens.vocabulary.size());
  for (auto& [state, listed] : by_state) {
    next.push_back({.state = state, .tokens = keep(vocab::TokenSet(std::move(listed), words))});
  }
  return limit;
}

// Returns a superset of the bytes with which a terminal may go on where it may end, here or after further bytes: those of
// all residuals that this one leads to. They are listed once, and have the same superset.
const regex::ByteSet& NextStates::bytes_after_ends(ExprId residual) {
  const auto [entry, is_new] = after_ends_.try_emplace(residual, nullptr);
  if (!is_new) return *entry->second;
  regex::ExprSet& exprs = automaton_.exprs();
  const std::size_t longest = automaton_.program().tokenizer.vocabulary().trie().max_depth();
  // Without its counts it has fewer residuals, and a superset of these bytes.
  ExprId uncounted = regex::drop_distant_counts(exprs, residual, static_cast<std::uint32_t>(longest));
  if (regex::is_json_repeat(exprs, uncounted)) uncounted = regex::with_first_rounds(exprs, uncounted, {});
  if (const auto known = after_ends_.find(uncounted); known != after_ends_.end() && known->second != nullptr) {
    return *(after_ends_[residual] = known->second);
  }
  const regex::Residuals found = regex::list_residuals(exprs, uncounted, kMaxListedResiduals);
  regex::ByteSet& bytes = byte_sets_.emplace_back();
  const bool is_complete = !found.distances.empty();
  std::vector<regex::ExprSet::Branch> branches;
  for (const ExprId one : found.all) {
    if (is_complete && exprs.nullable(one)) {
      branches.clear();
      exprs.append_branches(one, branches);
      for (const regex::ExprSet::Branch& branch : branches) bytes |= branch.bytes;
    }
    after_ends_.try_emplace(one, &bytes);
  }
  if (!is_complete) bytes = regex::ByteSet::all();
  bytes_ += sizeof(bytes) + (found.all.size() + 1) * base::node_bytes<decltype(after_ends_)>();
  return *(after_ends_[residual] = &bytes);
}

// Returns the groups of the tokens that stay inside a terminal; null if a limit is met.
const std::vector<NextStates::Group>* NextStates::groups_inside(const TokenTargets::Terminal& terminal,
                                                                TokenPosition position) {
  const base::LexemeMode mode = automaton_.lexer().mode(terminal.terminal);
  const std::uint64_t key = (static_cast<std::uint64_t>(terminal.residual) << 8) |
                            (static_cast<std::uint64_t>(mode) << 1) | static_cast<std::uint64_t>(position);
  if (const auto known = groups_.find(key); known != groups_.end()) return &known->second;
  const TokenView tokens(automaton_.program().tokenizer.vocabulary(), position);
  const TokenFacts* facts = facts_.of(terminal.residual, mode, position);
  if (facts == nullptr) return nullptr;  // they were known for the mask
  std::vector<Group> groups;
  if (facts->ready != nullptr) {
    TokenBits ready = *facts->ready;
    for (const std::uint32_t token : facts->cleared) bitmask_clear(ready, token);
    for (const std::uint32_t token : facts->added) bitmask_set(ready, token);
    if (!group_wide(terminal.residual, mode, tokens, std::move(ready), groups)) return nullptr;
  } else {
    std::map<ExprId, std::vector<std::uint32_t>> by_residual;
    for (const std::uint32_t token : facts->added) {
      by_residual[after(terminal.residual, tokens.bytes_of(token))].push_back(token);
    }
    const std::size_t words = bitmask_words(tokens.vocabulary.size());
    for (auto& [residual, listed] : by_residual) {
      groups.push_back({residual, keep(vocab::TokenSet(std::move(listed), words))});
    }
  }
  bytes_ += groups.capacity() * sizeof(Group);
  return &groups_.emplace(key, std::move(groups)).first->second;
}

ExprId NextStates::after(ExprId residual, std::string_view text) {
  for (const char c : text) residual = automaton_.exprs().derivative(residual, static_cast<std::uint8_t>(c));
  return residual;
}

// Groups the tokens in `allowed`, which stay inside a wide terminal. Returns false if a limit is met.
bool NextStates::group_wide(ExprId root, base::LexemeMode mode, const TokenView& tokens, TokenBits allowed,
                            std::vector<Group>& groups) {
  regex::ExprSet& exprs = automaton_.exprs();
  ExprId residual = root;
  const regex::Rounds rounds = regex::first_rounds(exprs, residual);
  if (regex::is_json_repeat(exprs, residual) && rounds.min == 0)
    residual = regex::with_first_rounds(exprs, residual, {});
  residual = regex::drop_distant_counts(exprs, residual, tokens.trie.max_depth() + kMaxStringEndBytes);
  const auto add = [&](const ReadyGroup& group) {
    vocab::TokenSet common = group.tokens.within(allowed);
    if (common.is_empty()) return;
    common.remove_from(allowed);
    const ExprId residual_after = after(root, tokens.bytes_of(common.first()));
    groups.push_back({residual_after, keep(std::move(common))});
  };
  std::optional<ReadyGroups> beside;
  std::optional<ExprId> base;
  facts_.with_table(residual, mode, tokens.position, [&](ResidualTable& table, const FactsStore::Key&) {
    base = find_base_of_groups(table, tokens, kAnyText);
    if (!base) return;
    beside = compute_groups_beside(table, table.add(*base), kAnyText, tokens);
  });
  if (beside.has_value()) {
    for (const ReadyGroup& group : beside->groups) add(group);
    residual = *base;
  }
  const auto rest = groups_of(residual, mode, tokens);
  if (rest == nullptr) return false;
  for (const ReadyGroup& group : rest->groups) add(group);
  return true;
}

// Returns the groups of all ready tokens of a residual; null if a limit is met.
std::shared_ptr<const ReadyGroups> NextStates::groups_of(ExprId residual, base::LexemeMode mode,
                                                         const TokenView& tokens) {
  GroupsStore& store = automaton_.program().tokenizer.vocabulary().extension<VocabularyStore>().groups;
  std::shared_ptr<const ReadyGroups> groups;
  facts_.with_table(residual, mode, tokens.position, [&](ResidualTable& table, const FactsStore::Key& key) {
    groups = store.find(key);
    if (groups != nullptr && !groups->are_beside_base) return;
    groups = nullptr;
    auto computed = compute_ready_groups(table, tokens);
    if (computed) groups = store.insert(key, *std::move(computed));
  });
  return groups;
}

}  // namespace weir::engine
