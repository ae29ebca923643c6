#include "engine/mask.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "base/hash.h"
#include "engine/automaton.h"
#include "engine/token_facts.h"
#include "vocab/vocabulary.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Limit;

namespace {

void append_tokens(std::size_t word, std::uint32_t bits, std::vector<std::uint32_t>& out) {
  for (; bits != 0; bits &= bits - 1) {
    out.push_back(static_cast<std::uint32_t>(word * 32) + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }
}

// Calls `use(i)` for each word in which the bitmasks differ. Blocks of words are compared at once.
template <typename Use>
void for_each_difference(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Use use) {
  constexpr std::size_t kBlock = 16;
  std::size_t begin = 0;
  for (; begin + kBlock <= a.size(); begin += kBlock) {
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < kBlock; ++i) any |= a[begin + i] ^ b[begin + i];
    for (std::size_t i = begin; any != 0 && i < begin + kBlock; ++i) use(i);
  }
  for (; begin < a.size(); ++begin) use(begin);
}

// Lists in which tokens `words` differs from `most`.
void list_differences(std::span<const std::uint32_t> words, std::span<const std::uint32_t> most, Mask& mask) {
  for_each_difference(words, most, [&](std::size_t i) {
    append_tokens(i, words[i] & ~most[i], mask.added);
    append_tokens(i, most[i] & ~words[i], mask.cleared);
  });
}

}  // namespace

void Mask::write(std::span<std::uint32_t> bitmask) const {
  if (most == nullptr) {
    std::fill(bitmask.begin(), bitmask.end(), 0);
  } else {
    std::copy(most->begin(), most->end(), bitmask.begin());
  }
  for (const std::uint32_t token : cleared) bitmask_clear(bitmask, token);
  for (const std::uint32_t token : added) bitmask_set(bitmask, token);
}

bool Mask::contains(std::uint32_t token) const {
  if (most != nullptr && bitmask_get(*most, token)) return !std::binary_search(cleared.begin(), cleared.end(), token);
  return std::binary_search(added.begin(), added.end(), token);
}

const Mask* MaskStore::intern(std::span<const std::uint32_t> words, std::shared_ptr<const TokenBits> like,
                              std::vector<std::uint32_t> undecided) {
  // Beyond one token in 64 a list is slower to write than a bitmask, and no smaller than half of it.
  const std::size_t longest = words.size() / 2;
  Mask mask{std::move(like), {}, {}, std::move(undecided)};
  nothing_.resize(words.size());
  list_differences(words, mask.most == nullptr ? nothing_ : *mask.most, mask);
  const bool has_own_bits = mask.added.size() + mask.cleared.size() > longest;
  if (has_own_bits) {
    mask.most = std::make_shared<const TokenBits>(words.begin(), words.end());
    mask.added.clear();
    mask.cleared.clear();
  }
  std::uint64_t hash = has_own_bits ? base::hash_long(*mask.most) : std::hash<const void*>()(mask.most.get());
  for (const std::vector<std::uint32_t>* list : {&mask.added, &mask.cleared, &mask.undecided}) {
    hash = base::hash_words(*list, hash);
  }
  const auto same_bits = [&](const Mask& other) {
    return other.most == mask.most || (has_own_bits && other.most != nullptr && *other.most == *mask.most);
  };
  const auto [begin, end] = masks_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const Mask& known = *it->second;
    if (same_bits(known) && known.added == mask.added && known.cleared == mask.cleared &&
        known.undecided == mask.undecided) {
      return &known;
    }
  }
  for (std::vector<std::uint32_t>* list : {&mask.added, &mask.cleared, &mask.undecided}) {
    list->shrink_to_fit();
    memory_bytes_ += list->size() * sizeof(std::uint32_t);
  }
  memory_bytes_ += sizeof(Mask) + (has_own_bits ? words.size_bytes() : 0);
  mask.id = static_cast<std::uint32_t>(masks_.size());
  return masks_.emplace(hash, std::make_unique<const Mask>(std::move(mask)))->second.get();
}

Limit MaskBuilder::build(StateId state, TokenPosition position) {
  const vocab::Vocabulary& vocabulary = automaton_.program().tokenizer.vocabulary();
  words_.assign(bitmask_words(vocabulary.size()), 0);
  like_ = nullptr;
  undecided_.clear();
  if (state == StateId::kDead || is_limit(state)) return limit_of(state);
  StateId left{};
  if (const Limit limit = add_terminals(state, position, left); limit != Limit::kNone) return limit;
  if (const Limit limit = walk(TokenView(vocabulary, position).trie, left); limit != Limit::kNone) return limit;
  std::sort(undecided_.begin(), undecided_.end());
  undecided_.erase(std::unique(undecided_.begin(), undecided_.end()), undecided_.end());
  if (automaton_.has_token_exits(state)) {
    if (const Limit limit = add_token_exits(state); limit != Limit::kNone) return limit;
  }
  if (automaton_.accepts(state)) {
    for (const std::uint32_t token : vocabulary.stop_token_ids()) bitmask_set(words_, token);
  }
  if (position == TokenPosition::kFirst) {
    for (const std::uint32_t token : vocabulary.first_empty_tokens()) bitmask_set(words_, token);
  }
  return Limit::kNone;
}

// Adds what the facts of terminals in progress tell. `left` is the state without those.
Limit MaskBuilder::add_terminals(StateId state, TokenPosition position, StateId& left) {
  left = state;
  if (automaton_.may_strand_) return Limit::kNone;  // conditions reach over the parts
  automaton_.begin_exploring();
  lexer::Lexer& lexer = automaton_.lexer_;
  std::vector<Thread> rest = automaton_.read_threads(state);
  for (Thread& thread : rest) {
    const auto items = lexer.items(thread.lexer);
    const std::vector<std::uint32_t> words(items.begin(), items.end());  // interning moves what `items` points at
    std::vector<std::uint32_t> without_facts;
    for (std::size_t i = 0; i < words.size(); i += 2) {
      const TokenFacts* facts = automaton_.facts_.of(regex::ExprId{words[i + 1]}, lexer.mode(words[i]), position);
      if (facts == nullptr) {
        without_facts.insert(without_facts.end(), {words[i], words[i + 1]});
        continue;
      }
      add_ready(*facts);
      if (!facts->has_crossing()) continue;
      const StateId behind = automaton_.behind_terminal(thread, words[i]);
      if (is_limit(behind)) return limit_of(behind);
      if (const Limit limit = add_crossing(*facts, behind, position); limit != Limit::kNone) return limit;
    }
    thread.lexer = without_facts.empty() ? lexer::LexerStateId::kDead : lexer.state_of(std::move(without_facts));
  }
  std::erase_if(rest, [](const Thread& t) { return t.lexer == lexer::LexerStateId::kDead; });
  left = rest.empty() ? StateId::kDead : automaton_.intern(rest);
  return limit_of(left);
}

void MaskBuilder::add_ready(const TokenFacts& facts) {
  if (facts.ready != nullptr) {
    // What the facts leave out of their base another terminal may have put in.
    std::vector<std::uint32_t> out;
    for (const std::uint32_t token : facts.cleared) {
      if (!bitmask_get(words_, token)) out.push_back(token);
    }
    std::transform(words_.begin(), words_.end(), facts.ready->begin(), words_.begin(), std::bit_or<>());
    for (const std::uint32_t token : out) bitmask_clear(words_, token);
    if (like_ == nullptr) like_ = facts.ready;
  }
  for (const std::uint32_t token : facts.added) bitmask_set(words_, token);
}

Limit MaskBuilder::add_crossing(const TokenFacts& facts, StateId behind, TokenPosition position) {
  const vocab::TokenTrie& all = TokenView(automaton_.program().tokenizer.vocabulary(), position).trie;
  for (const std::uint32_t end : facts.ends) {
    const auto below = all.nodes().subspan(end + 1, all.nodes()[end].subtree_size - 1);
    if (const Limit limit = walk(all, below, behind); limit != Limit::kNone) return limit;
  }
  if (facts.base != nullptr) {
    const Limit limit = walk(facts.base->suffixes, behind, facts.not_crossing);
    if (limit != Limit::kNone) return limit;
  }
  return walk(facts.suffixes, behind);
}

// Adds the tokens of `trie` whose bytes may come in state `from`, but for those in `except`, which is ascending.
Limit MaskBuilder::walk(const vocab::TokenTrie& trie, StateId from, std::span<const std::uint32_t> except) {
  return walk(trie, trie.nodes(), from, except);
}

// The same for some of its nodes: all below one.
Limit MaskBuilder::walk(const vocab::TokenTrie& trie, std::span<const vocab::TrieNode> nodes, StateId from,
                        std::span<const std::uint32_t> except) {
  if (from == StateId::kDead || nodes.empty()) return Limit::kNone;
  // path_[d] is the state behind the first d bytes of the path to the node at hand.
  if (path_.size() <= trie.max_depth()) path_.resize(trie.max_depth() + 1);
  path_[nodes[0].depth - 1] = from;
  // Nodes before it lie behind a place where the text decides.
  std::size_t undecided_until = automaton_.follows_text(from) ? nodes.size() : 0;
  for (std::size_t i = 0; i < nodes.size();) {
    const vocab::TrieNode node = nodes[i];
    ++nodes_visited_;
    const StateId next = automaton_.step_locked(path_[node.depth - 1], static_cast<std::uint8_t>(node.byte));
    if (next == StateId::kDead) {
      i += node.subtree_size;
      continue;
    }
    if (is_limit(next)) return limit_of(next);
    path_[node.depth] = next;
    if (node.tokens != 0) {
      for (const std::uint32_t token : trie.tokens_at(node)) {
        if (!except.empty() && std::binary_search(except.begin(), except.end(), token)) continue;
        bitmask_set(words_, token);
        if (i < undecided_until) undecided_.push_back(token);
      }
    }
    if (automaton_.follows_text(next)) undecided_until = std::max(undecided_until, i + node.subtree_size);
    ++i;
  }
  return Limit::kNone;
}

Limit MaskBuilder::add_token_exits(StateId state) {
  for (const Thread& thread : automaton_.read_threads(state)) {
    if (!thread.fresh || !automaton_.lexer_.exprs().nullable(thread.rest)) continue;
    const auto listed = automaton_.rows_.token_sets(thread.row);
    const std::vector<std::uint32_t> sets(listed.begin(), listed.end());  // advancing moves what `listed` points at
    for (const std::uint32_t set : sets) {
      bool finishes = false;
      if (!automaton_.finishes_behind(thread, set, finishes)) return automaton_.limit_;
      if (finishes) automaton_.program().token_sets.add_to(set, words_);
    }
  }
  return Limit::kNone;
}

}  // namespace weir::engine
