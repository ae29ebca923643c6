#include "engine/mask/next_states.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/work.h"
#include "engine/explore/lazy_automaton.h"
#include "engine/facts/facts_store.h"
#include "engine/facts/vocabulary_store.h"
#include "engine/mask/mask_table.h"
#include "regex/analysis/text_horizon.h"
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
  constexpr std::size_t kNode = 64;  // of a hash map: key, value, next pointer, bucket
  bytes_ += kNode + next.capacity() * sizeof(NextState);
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
  return Limit::kNone;
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
  constexpr std::uint32_t kEndBytes = 16;  // enough for the shortest end of a JSON string, inside an escape
  ExprId residual = root;
  const regex::Rounds rounds = regex::first_rounds(exprs, residual);
  if (regex::is_json_repeat(exprs, residual) && rounds.min == 0)
    residual = regex::with_first_rounds(exprs, residual, {});
  residual = regex::drop_distant_counts(exprs, residual, tokens.trie.max_depth() + kEndBytes);
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
