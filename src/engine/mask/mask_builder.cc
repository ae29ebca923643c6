#include "engine/mask/mask_builder.h"

#include <algorithm>
#include <utility>

#include "base/stack.h"
#include "base/work.h"
#include "engine/explore/lazy_automaton.h"
#include "engine/facts/facts_store.h"
#include "engine/mask/bound_search.h"
#include "engine/search_bounds.h"
#include "regex/analysis/residuals.h"
#include "vocab/vocabulary.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Answer;
using base::Limit;

Limit MaskBuilder::build(StateId state, TokenPosition position, TokenTargets* targets) {
  const vocab::Vocabulary& vocabulary = automaton_.program().tokenizer.vocabulary();
  targets_ = targets;
  position_ = position;
  frame_exits_.clear();
  draft_.reset(bitmask_words(vocabulary.size()), &unions_);
  undecided_.clear();
  if (state == StateId::kDead || is_limit(state)) return limit_of(state);
  const bool accepts = automaton_.accepts(state);
  const StateId given = state;
  if (automaton_.has_bounds()) state = automaton_.begin_token(state);
  if (is_limit(state)) return limit_of(state);
  StateId outside_frames = state;
  if (const Limit limit = add_frames(outside_frames, {}, position); limit != Limit::kNone) return limit;
  StateId to_walk{};
  if (const Limit limit = add_terminals(outside_frames, position, to_walk); limit != Limit::kNone) return limit;
  if (const Limit limit = walk_vocabulary({0, TokenView(vocabulary, position).trie.nodes().size()}, to_walk, position);
      limit != Limit::kNone)
    return limit;
  if (automaton_.expects_token_terminals(state)) {
    if (const Limit limit = add_token_terminals(state, position); limit != Limit::kNone) return limit;
  }
  if (accepts) {
    for (const std::uint32_t token : vocabulary.stop_token_ids()) draft_.add(token);
  }
  if (position == TokenPosition::kFirst) {
    for (const std::uint32_t token : vocabulary.first_empty_tokens()) {
      draft_.add(token);
      if (targets_ != nullptr) targets_->listed.emplace_back(token, given);
    }
  }
  return Limit::kNone;
}

Mask MaskBuilder::take() {
  Mask mask = draft_.take();
  std::sort(undecided_.begin(), undecided_.end());
  undecided_.erase(std::unique(undecided_.begin(), undecided_.end()), undecided_.end());
  mask.undecided = undecided_;
  return mask;
}

// Adds the tokens that the facts of terminals in progress give. Sets `to_walk` to the state with the terminals that have
// no usable facts.
Limit MaskBuilder::add_terminals(StateId state, TokenPosition position, StateId& to_walk) {
  to_walk = state;
  if (automaton_.has_one_walk()) return Limit::kNone;  // with conditions the parts depend on each other
  lexer::Lexer& lexer = automaton_.lexer();
  std::vector<Ended> ended;
  std::vector<Thread> rest = automaton_.threads(state);
  for (Thread& thread : rest) {
    const auto items = lexer.items(thread.lexer);
    const std::vector<lexer::Item> copy(items.begin(), items.end());  // interning may move the storage of `items`
    std::vector<lexer::Item> without_facts;
    for (const lexer::Item& item : copy) {
      base::Work::set_terminal(item.terminal);
      const TokenFacts* facts = facts_.of(item.residual, lexer.mode(item.terminal), position);
      if (base::Work::is_met()) return Limit::kCallWork;
      const Answer usable = facts != nullptr ? surely_fits_ready(thread, item) : false;
      if (!usable.is_known()) return usable.limit();
      if (usable.is_no()) {
        without_facts.push_back(item);
        continue;
      }
      add_ready(*facts, {thread.row, item.terminal, item.residual});
      if (!facts->has_crossing()) continue;
      const StateId after = automaton_.after_terminal(thread.row, item.terminal);
      if (is_limit(after)) return limit_of(after);
      ended.push_back({facts, {item.residual, lexer.mode(item.terminal)}, after});
    }
    thread.lexer = without_facts.empty() ? lexer::LexerStateId::kDead : lexer.state_of(std::move(without_facts));
    if (base::is_limit_id(thread.lexer)) return base::limit_of_id(thread.lexer);
  }
  unite_at_same_residual(ended);
  for (const Ended& one : ended) {
    const Limit limit = add_crossing(*one.facts, one.of, one.after, position);
    if (limit != Limit::kNone) return limit;
  }
  std::erase_if(rest, [](const Thread& t) { return t.lexer == lexer::LexerStateId::kDead; });
  to_walk = rest.empty() ? StateId::kDead : automaton_.intern(rest);
  return limit_of(to_walk);
}

// Makes one entry of those at the same residual, if very many tokens go on after one of its ends (TokenFacts::ends): what
// follows is walked once, from the union of the states after the terminals.
void MaskBuilder::unite_at_same_residual(std::vector<Ended>& ended) {
  const bool can_unite = targets_ == nullptr && !automaton_.has_bounds() && !automaton_.program().follows_text &&
                         !automaton_.rows().has_frames();
  if (!can_unite || ended.size() < kMinUnited) return;
  std::ranges::stable_sort(ended, {}, &Ended::of);
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < ended.size(); begin = end) {
    while (end < ended.size() && ended[end].of == ended[begin].of) ++end;
    Ended united = ended[begin];
    bool is_united = end - begin >= kMinUnited && !united.facts->ends.empty();
    if (is_united) {
      std::vector<Thread> threads;
      for (std::size_t i = begin; i < end; ++i) {
        const std::vector<Thread> after = automaton_.threads(ended[i].after);
        threads.insert(threads.end(), after.begin(), after.end());
      }
      united.after = automaton_.intern(threads);
      is_united = !is_limit(united.after);
    }
    if (is_united) {
      ended[kept++] = united;
    } else {
      while (begin < end) ended[kept++] = ended[begin++];
    }
  }
  ended.resize(kept);
}

void MaskBuilder::add_ready(const TokenFacts& facts, const TokenTargets::Terminal& terminal) {
  if (targets_ != nullptr) targets_->terminals.push_back(terminal);
  if (facts.ready != nullptr) draft_.add_all_but(facts.ready, facts.cleared);
  for (const std::uint32_t token : facts.added) draft_.add(token);
}

// Adds the tokens in which a terminal ends; `after` is the state after it. `of` says what the facts are of.
Limit MaskBuilder::add_crossing(const TokenFacts& facts, const FrameExits::Crossing& of, StateId after,
                                TokenPosition position) {
  const std::uint32_t from = of.from;
  if (automaton_.leaves(after)) list_frame_exit(of, after);
  if (!automaton_.goes_on(after)) return Limit::kNone;
  if (const Limit limit = add_frames(after, of, position); limit != Limit::kNone) return limit;
  if (!automaton_.goes_on(after)) return Limit::kNone;
  const vocab::TokenTrie& all = TokenView(automaton_.program().tokenizer.vocabulary(), position).trie;
  for (const std::uint32_t end : facts.ends) {
    if (all.nodes()[end].depth <= from) continue;
    const Answer done = try_add_after_end(end, after, position);
    if (!done.is_known()) return done.limit();
    if (done.is_yes()) continue;
    const vocab::TokenTrie::Range below{end + 1U, end + all.nodes()[end].subtree_size};
    if (const Limit limit = walk_vocabulary(below, after, position); limit != Limit::kNone) return limit;
  }
  if (facts.base_facts != nullptr) {
    const Limit limit = walk(facts.base_facts->suffixes, after, facts.not_crossing);
    if (limit != Limit::kNone) return limit;
  }
  return walk(facts.suffixes, after);
}

// Adds the tokens of suffixes that may come in state `from`, except those in `except`, which is ascending.
Limit MaskBuilder::walk(const Suffixes& suffixes, StateId from, std::span<const std::uint32_t> except) {
  Limit limit = Limit::kNone;
  suffixes.for_each_trie([&](std::uint8_t byte) { return automaton_.step(from, byte) != StateId::kDead; },
                         [&](const vocab::TokenTrie& trie) {
                           limit = walk(trie, from, except);
                           return limit == Limit::kNone;
                         });
  return limit;
}

// Adds the tokens below a node of the vocabulary's trie at which a terminal ends, if there are very many of them, as
// after a blank. Then half of them may be allowed, and a walk would visit them all. Instead the node's text is joined
// with each terminal of the state after it, and the facts of the joined expression are used. A terminal that may be
// empty needs no special case: the row after it is part of that state already. Returns no if the facts are not available
// and the caller has to walk.
Answer MaskBuilder::try_add_after_end(std::uint32_t end, StateId after, TokenPosition position) {
  const TokenView tokens(automaton_.program().tokenizer.vocabulary(), position);
  const vocab::TrieNode node = tokens.trie.nodes()[end];
  if (node.subtree_size < kMinNodesAfterEnd || !facts_.accelerators().has(Accelerator::kAfterEnd)) return false;
  if (after == StateId::kDead || automaton_.has_bounds() || automaton_.follows_text(after)) return false;
  const std::string_view text = tokens.bytes_of(tokens.trie.tokens_below(end).front()).substr(0, node.depth);
  lexer::Lexer& lexer = automaton_.lexer();
  const regex::ExprId before = lexer.exprs().literal(text);
  for (const Thread& thread : automaton_.threads(after)) {
    const auto items = lexer.items(thread.lexer);
    const std::vector<lexer::Item> copy(items.begin(), items.end());
    for (const auto& [terminal, residual] : copy) {
      const regex::ExprId joined = lexer.exprs().concat(before, residual);
      if (joined == regex::ExprId::kOverflow) return false;
      const TokenFacts* facts = facts_.of(joined, lexer.mode(terminal), position);
      if (facts == nullptr) return false;
      add_ready(*facts, {thread.row, terminal, joined});
      if (!facts->has_crossing()) continue;
      const StateId next = automaton_.after_terminal(thread.row, terminal);
      if (is_limit(next)) return limit_of(next);
      const FrameExits::Crossing of{joined, lexer.mode(terminal), node.depth};
      const Limit limit = base::with_stack([&] { return add_crossing(*facts, of, next, position); });
      if (limit != Limit::kNone) return limit;
    }
  }
  return true;
}

// Adds the tokens of `trie` whose bytes may come in state `from`, except those in `except`, which is ascending.
Limit MaskBuilder::walk(const vocab::TokenTrie& trie, StateId from, std::span<const std::uint32_t> except) {
  return walk(trie, {0, trie.nodes().size()}, from, except, nullptr);
}

// Does the same for some nodes of the vocabulary's trie: all of them, or all below one. Takes subtrees as a whole where the
// state allows all their characters.
Limit MaskBuilder::walk_vocabulary(vocab::TokenTrie::Range range, StateId from, TokenPosition position) {
  const TokenView tokens(automaton_.program().tokenizer.vocabulary(), position);
  const bool may_take =
      targets_ == nullptr && !automaton_.has_bounds() && facts_.accelerators().has(Accelerator::kStateRuns);
  if (!may_take) return walk(tokens.trie, range, from, {}, nullptr);
  taken_.clear();
  shared_.clear();
  may_share_ = automaton_.has_one_walk() && !automaton_.rows().has_frames() && !automaton_.program().follows_text &&
               facts_.accelerators().has(Accelerator::kLexicalFacts);
  Limit limit = walk(tokens.trie, range, from, {}, &tokens.summary);
  while (limit == Limit::kNone && !shared_.empty()) {
    const Shared shared = shared_.back();
    shared_.pop_back();
    limit = add_shared(shared, tokens);
  }
  may_share_ = false;
  if (!taken_.empty()) draft_.add_all(taken_);
  return limit;
}

// Adds the tokens of a subtree of the vocabulary's trie by what is known of the lexemes in progress.
Limit MaskBuilder::add_shared(const Shared& shared, const TokenView& tokens) {
  for (const LexicalTokens::Group& group : shared.tokens->groups) {
    StateId state = shared.state;
    for (const char byte : group.text) state = automaton_.step(state, static_cast<std::uint8_t>(byte));
    if (is_limit(state)) return limit_of(state);
    if (state == StateId::kDead) continue;
    if (taken_.empty()) taken_.resize(tokens.summary.all_tokens().size());
    for (const std::span<const std::uint32_t> some : group.tokens) {
      for (const std::uint32_t token : some) bitmask_set(taken_, token);
    }
    if (const Limit limit = walk(group.suffixes, state); limit != Limit::kNone) return limit;
    for (const std::uint32_t end : group.ends) {
      const vocab::TokenTrie::Range range{end, end + tokens.trie.nodes()[end].subtree_size};
      const Limit limit = walk(tokens.trie, range, state, {}, &tokens.summary);
      if (limit != Limit::kNone) return limit;
    }
  }
  return Limit::kNone;
}

std::uint32_t MaskBuilder::Steps::step(std::uint32_t state, std::uint8_t byte) {
  const StateId next = automaton_.step(StateId{state}, byte);
  return is_limit(next) ? 0 : raw(next);  // a walk meets the limit again by itself
}

bool MaskBuilder::Steps::follows_text(std::uint32_t state) const { return automaton_.follows_text(StateId{state}); }

std::size_t MaskBuilder::Steps::count() const { return automaton_.state_count(); }

// Adds the tokens of some nodes of the trie. If `summary` is given, it describes the trie, and tokens may be collected in
// taken_.
Limit MaskBuilder::walk(const vocab::TokenTrie& trie, vocab::TokenTrie::Range range, StateId from,
                        std::span<const std::uint32_t> except, const vocab::TrieSummary* summary) {
  if (from == StateId::kDead || range.size() == 0) return Limit::kNone;
  if (base::Work::is_met()) return Limit::kCallWork;
  // path_[d] is the state after the first d bytes of the path to the current node.
  if (path_.size() <= trie.max_depth()) path_.resize(trie.max_depth() + 1);
  path_[trie.nodes()[range.begin].depth - 1] = from;
  // Nodes before these indices are below a place where the text decides: at once, or when a lexeme ends after it.
  std::size_t undecided_until = 0;
  std::size_t alike_until = 0;
  const auto pass = [&](StateId state, std::size_t end) {
    if (!automaton_.follows_text(state)) return;
    std::size_t& until = automaton_.begins_alike(state) ? alike_until : undecided_until;
    until = std::max(until, end);
  };
  pass(from, range.end);
  Limit limit = Limit::kNone;
  trie.scan(range, std::span(path_), [&](std::size_t i, const vocab::TrieNode& node, StateId before, StateId& after) {
    if (++nodes_visited_ % base::Work::kTrieNodes == 0) base::Work::charge(1);
    const StateId next = automaton_.step(before, static_cast<std::uint8_t>(node.byte));
    if (next == StateId::kDead) return vocab::Scan::kPast;
    limit = limit_of(next);
    if (limit != Limit::kNone) return vocab::Scan::kStop;
    if (summary != nullptr && i >= std::max(undecided_until, alike_until) &&
        runs_.takes_all(raw(before), *summary, i, node.subtree_size)) {
      if (taken_.empty()) taken_.resize(summary->all_tokens().size());
      for (const std::uint32_t token : trie.tokens_below(i)) bitmask_set(taken_, token);
      return vocab::Scan::kPast;
    }
    after = next;
    if (automaton_.leaves(next)) list_frame_exits_below(trie, i, next, except);
    if (i < alike_until && automaton_.ends_lexeme(next) && !automaton_.begins_alike(next)) {
      undecided_until = std::max(undecided_until, i + node.subtree_size);
    }
    const auto is_undecided = [&] { return i < undecided_until || (i < alike_until && !automaton_.is_alike(next)); };
    Answer takes_tokens = node.tokens != 0;
    if (takes_tokens.is_yes() && automaton_.has_bounds()) takes_tokens = bound_search_.fits_bounds(next);
    limit = takes_tokens.limit();
    if (limit != Limit::kNone) return vocab::Scan::kStop;
    if (takes_tokens.is_yes()) {
      for (const std::uint32_t token : trie.tokens_at(node)) {
        if (!except.empty() && std::binary_search(except.begin(), except.end(), token)) continue;
        draft_.add(token);
        if (is_undecided()) undecided_.push_back(token);
        if (targets_ != nullptr) targets_->listed.emplace_back(token, next);
      }
    }
    if (may_share_ && summary != nullptr && node.subtree_size >= kMinLexicalNodes) {
      if (const LexicalTokens* tokens = lexical_facts_.of(next, position_, i); tokens != nullptr) {
        shared_.push_back({next, tokens});
        return vocab::Scan::kPast;
      }
    }
    pass(next, i + node.subtree_size);
    return vocab::Scan::kInto;
  });
  return limit;
}

Limit MaskBuilder::add_token_terminals(StateId state, TokenPosition position) {
  const TokenTerminals& token_terminals = automaton_.program().token_terminals;
  const vocab::Vocabulary& vocabulary = automaton_.program().tokenizer.vocabulary();
  for (const Thread& thread : automaton_.threads(state)) {
    if (!thread.fresh || !automaton_.exprs().nullable(thread.rest)) continue;
    const auto listed = automaton_.rows().token_sets(thread.row);
    const std::vector<std::uint32_t> sets(listed.begin(), listed.end());  // advancing may move the storage of `listed`
    for (const std::uint32_t set : sets) {
      const Answer finishes = automaton_.can_finish_after(thread, set);
      if (!finishes.is_known()) return finishes.limit();
      if (finishes.is_no()) continue;
      if (!automaton_.has_bounds()) {
        TokenBits tokens(bitmask_words(vocabulary.size()));
        token_terminals.add_to(set, tokens);
        draft_.add_all(tokens);
        if (const Limit limit = list_targets_of_set(state, set, tokens); limit != Limit::kNone) return limit;
        continue;
      }
      const StateId after = automaton_.after_token_set(state, set);
      if (is_limit(after)) return limit_of(after);
      for (const TokenPosition next : {TokenPosition::kInside, TokenPosition::kFirst}) {
        const TokenBits tokens = token_terminals.leading_to(next, set, position, vocabulary);
        if (tokens.empty()) continue;
        const Answer fits_bounds = bound_search_.fits_bounds(after);
        if (!fits_bounds.is_known()) return fits_bounds.limit();
        if (fits_bounds.is_no()) continue;
        draft_.add_all(tokens);
        if (const Limit limit = list_targets_of_set(state, set, tokens); limit != Limit::kNone) return limit;
      }
    }
  }
  return Limit::kNone;
}

// Lists the tokens of a set with the state after it, where targets are asked for.
Limit MaskBuilder::list_targets_of_set(StateId state, std::uint32_t set, const TokenBits& tokens) {
  if (targets_ == nullptr) return Limit::kNone;
  const StateId after = automaton_.after_token_set(state, set);
  if (is_limit(after)) return limit_of(after);
  vocab::for_each_token(tokens, [&](std::uint32_t token) { targets_->listed.emplace_back(token, after); });
  return Limit::kNone;
}

// Returns whether the state fits its bounds after every token that stays inside a terminal in progress: the terminal is
// outside of bounded rules, or every residual of it fits by itself. Returns no also if there are too many residuals to
// look at.
Answer MaskBuilder::surely_fits_ready(const Thread& thread, const lexer::Item& item) {
  if (!automaton_.has_bounds()) return true;
  const auto after = automaton_.rows().items_after(thread.row, item.terminal);
  const std::vector<earley::Entry> entries(after.begin(), after.end());
  const auto is_outside = [&](const earley::Entry& entry) { return automaton_.rows().is_outside(entry.continuation); };
  if (std::any_of(entries.begin(), entries.end(), is_outside)) return true;
  if (bound_search_.stays_within_bounds(item.residual, entries)) return true;
  const auto [residuals, distances, farthest] =
      regex::list_residuals(automaton_.exprs(), item.residual, kMaxBoundResiduals);
  if (distances.empty()) return false;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    if (distances[i] == regex::kUnbounded) continue;
    const StateId state = automaton_.state_inside({thread.row, item.terminal, residuals[i]});
    if (is_limit(state)) return limit_of(state);
    if (const Answer fits = bound_search_.fits_bounds(state); !fits.is_yes()) return fits;
  }
  return true;
}

}  // namespace weir::engine
