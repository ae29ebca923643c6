#include "engine/mask.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "engine/automaton.h"
#include "engine/token_facts.h"
#include "vocab/vocabulary.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Limit;

const Mask* MaskStore::intern(Mask mask) {
  const std::uint64_t hash = base::hash_long(mask.words);
  const auto [begin, end] = masks_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (it->second->words == mask.words && it->second->undecided == mask.undecided) return it->second.get();
  }
  memory_bytes_ += (mask.words.capacity() + mask.undecided.capacity()) * sizeof(std::uint32_t) + sizeof(Mask);
  return masks_.emplace(hash, std::make_unique<const Mask>(std::move(mask)))->second.get();
}

base::Limit MaskBuilder::build() {
  const vocab::Vocabulary& vocabulary = automaton_.program().tokenizer.vocabulary();
  words.assign(bitmask_words(vocabulary.size()), 0);
  if (state_ == StateId::kDead || is_limit(state_)) return limit_of(state_);
  MaskPlan plan;
  if (const Limit limit = automaton_.plan_mask(state_, position_, plan); limit != Limit::kNone) return limit;
  for (const WidePart& part : plan.wide) {
    std::transform(words.begin(), words.end(), part.facts->ready.begin(), words.begin(), std::bit_or<>());
    if (const Limit limit = walk(part.facts->suffixes, part.behind); limit != Limit::kNone) return limit;
  }
  const Limit limit = walk(TokenView(vocabulary, position_).trie, plan.narrow);
  if (limit != Limit::kNone) return limit;
  std::sort(undecided.begin(), undecided.end());
  undecided.erase(std::unique(undecided.begin(), undecided.end()), undecided.end());
  if (automaton_.has_token_exits(state_)) add_token_exits();
  if (automaton_.accepts(state_)) {
    for (const std::uint32_t token : vocabulary.stop_token_ids()) bitmask_set(words, token);
  }
  if (position_ == TokenPosition::kFirst) {
    for (const std::uint32_t token : vocabulary.first_empty_tokens()) bitmask_set(words, token);
  }
  return Limit::kNone;
}

// Adds the tokens of `trie` whose bytes may come in state `from`.
base::Limit MaskBuilder::walk(const vocab::TokenTrie& trie, StateId from) {
  if (from == StateId::kDead) return Limit::kNone;
  const std::span<const vocab::TrieNode> nodes = trie.nodes();
  // states[d] is the state behind the first d bytes of the path to the node at hand.
  std::vector<StateId> states(trie.max_depth() + 1);
  states[0] = from;
  std::size_t undecided_until = 0;  // nodes before it lie below one where the text decides
  for (std::size_t i = 0; i < nodes.size();) {
    const vocab::TrieNode node = nodes[i];
    ++nodes_visited;
    const StateId next = automaton_.step(states[node.depth - 1], static_cast<std::uint8_t>(node.byte));
    if (next == StateId::kDead) {
      i += node.subtree_size;
      continue;
    }
    if (is_limit(next)) return limit_of(next);
    states[node.depth] = next;
    if (node.tokens != 0) {
      for (const std::uint32_t token : trie.tokens_at(node)) {
        bitmask_set(words, token);
        if (i < undecided_until) undecided.push_back(token);
      }
    }
    if (automaton_.follows_text(next)) undecided_until = std::max(undecided_until, i + node.subtree_size);
    ++i;
  }
  return Limit::kNone;
}

void MaskBuilder::add_token_exits() {
  const std::scoped_lock lock(automaton_.mutex_);
  for (const Thread& thread : automaton_.read_threads(state_)) {
    if (!thread.fresh || !automaton_.lexer_.exprs().nullable(thread.rest)) continue;
    for (const std::uint32_t set : automaton_.rows_.token_sets(thread.row)) {
      automaton_.program().token_sets.add_to(set, words);
    }
  }
}

}  // namespace weir::engine
