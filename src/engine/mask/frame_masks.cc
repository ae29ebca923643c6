// Masks within frames: found once for all places that a frame occurs at. mask_builder.h describes the method.
#include <algorithm>
#include <array>
#include <utility>

#include "base/replaceable.h"
#include "base/stack.h"
#include "base/work.h"
#include "engine/explore/lazy_automaton.h"
#include "engine/facts/facts_store.h"
#include "engine/mask/mask_builder.h"
#include "vocab/vocabulary.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Limit;

// Calls use(exits) for each condition under which a frame is complete in `state`.
template <typename Use>
void MaskBuilder::for_each_frame_exit(StateId state, Use use) {
  for (const Thread& thread : automaton_.threads(state)) {
    if (thread.fresh && automaton_.rows().leaves(thread.row)) use(frame_exits_under(thread.rest));
  }
}

// Adds the tokens of what is within frames in `state`: of all tokens, or of those that `of` describes and that have not yet
// been read to their ends. Sets `state` to the state of the rest.
WEIR_REPLACEABLE Limit MaskBuilder::add_frames(StateId& state, const FrameExits::Crossing& of, TokenPosition position) {
  if (targets_ != nullptr || !automaton_.rows().has_frames() || automaton_.has_one_walk()) return Limit::kNone;
  if (state == StateId::kDead || is_limit(state) || automaton_.program().follows_text) return Limit::kNone;
  std::vector<LazyAutomaton::Framed> framed;
  std::vector<StateId> after;
  state = automaton_.take_apart(state, framed, after);
  if (is_limit(state)) return limit_of(state);
  const auto add = [&](StateId part, const FrameExits::Crossing& tokens, Outline& known) {
    const Limit limit = base::with_stack([&] { return outline(part, tokens, position, known); });
    if (limit == Limit::kNone) draft_.add_all(*known.mask);
    return limit;
  };
  const auto add_after = [&](StateId part, const FrameExits::Crossing& tokens) {
    Outline known;
    if (const Limit limit = add(part, tokens, known); limit != Limit::kNone) return limit;
    for (std::uint32_t i = 0; i < known.exit_count; ++i) {
      const OutlineExit& exit = outline_exits_[known.first_exit + i];
      frame_exits_under(exit.rest).crossing.push_back(exit.of);
    }
    return Limit::kNone;
  };
  for (const StateId part : after) {
    if (const Limit limit = add_after(part, of); limit != Limit::kNone) return limit;
  }
  for (const auto& [inner, outer] : framed) {
    Outline known;
    if (const Limit limit = add(inner, of, known); limit != Limit::kNone) return limit;
    for (std::uint32_t i = 0; i < known.exit_count; ++i) {
      const OutlineExit exit = outline_exits_[known.first_exit + i];
      const StateId from = automaton_.state_at(outer, exit.rest);
      if (is_limit(from)) return limit_of(from);
      if (const Limit limit = add_after(from, exit.of); limit != Limit::kNone) return limit;
    }
  }
  return Limit::kNone;
}

// Adds the tokens that cross the end of a terminal or a frame; `after` is the state after it.
Limit MaskBuilder::add_crossing(const FrameExits::Crossing& of, StateId after, TokenPosition position) {
  if (of.list != 0) {
    if (automaton_.leaves(after)) list_frame_exit(of, after);
    if (const Limit limit = add_frames(after, of, position); limit != Limit::kNone) return limit;
    return walk(lists_[of.list - 1], after);
  }
  const TokenFacts* facts = facts_.of(of.expr, of.mode, position);
  if (facts == nullptr) return base::Work::met_or(Limit::kRegexNodes);
  return add_crossing(*facts, of, after, position);
}

// Finds the mask of a state, or those of its tokens that `of` describes, if that has an expression; and where they leave the
// frame that the state is within.
Limit MaskBuilder::outline(StateId state, const FrameExits::Crossing& of, TokenPosition position, Outline& result) {
  const std::array<std::uint32_t, 6> key{raw(state),
                                         static_cast<std::uint32_t>(position),
                                         static_cast<std::uint32_t>(of.expr),
                                         static_cast<std::uint32_t>(of.mode),
                                         of.from,
                                         of.list};
  if (const auto known = outline_ids_.find(key)) {
    result = outlines_[*known];
    return Limit::kNone;
  }
  // What is being built is put aside: draft_ and frame_exits_. The rest of what build() sets it has already: where there
  // are targets_ or a text to follow, whose tokens may be undecided_, no frame is read, and position_ is that of all
  // outlines of a mask.
  if (spare_drafts_.empty()) spare_drafts_.emplace_back();
  MaskDraft draft = std::exchange(draft_, std::move(spare_drafts_.back()));
  spare_drafts_.pop_back();
  std::vector<FrameExits> exits = std::exchange(frame_exits_, {});
  Limit limit = Limit::kNone;
  if (of == FrameExits::Crossing{}) {
    limit = build(state, position, nullptr);
  } else {
    draft_.reset(bitmask_words(automaton_.program().tokenizer.vocabulary().size()), &unions_);
    limit = add_crossing(of, state, position);
  }
  if (limit == Limit::kNone) result = {outline_masks_.intern(draft_.take())};
  spare_drafts_.push_back(std::exchange(draft_, std::move(draft)));
  frame_exits_.swap(exits);
  if (limit != Limit::kNone) return limit;
  result.first_exit = static_cast<std::uint32_t>(outline_exits_.size());
  for (FrameExits& one : exits) {
    if (const std::uint32_t list = list_of(one.listed, position); list != 0) one.crossing.push_back({.list = list});
    std::sort(one.crossing.begin(), one.crossing.end());
    one.crossing.erase(std::unique(one.crossing.begin(), one.crossing.end()), one.crossing.end());
    for (const FrameExits::Crossing& crossing : one.crossing) outline_exits_.push_back({one.rest, crossing});
  }
  result.exit_count = static_cast<std::uint32_t>(outline_exits_.size()) - result.first_exit;
  if (outline_ids_.intern(key).second) outlines_.push_back(result);
  return Limit::kNone;
}

// Returns the number of the list of the suffixes below some nodes. Nearly all sequences of nodes have been met before, at
// another place of the frame, and then nothing is listed. 0 is the empty list.
std::uint32_t MaskBuilder::list_of(std::span<const FrameExits::Below> places, TokenPosition position) {
  const auto index = static_cast<std::size_t>(position);
  const auto [id, is_new] = places_[index].intern(places);
  if (is_new) lists_of_places_[index].push_back(intern_list(places, position));
  return lists_of_places_[index][id];
}

// Lists the suffixes and returns the number of the list. Equal lists have one.
std::uint32_t MaskBuilder::intern_list(std::span<const FrameExits::Below> places, TokenPosition position) {
  const TokenView tokens(automaton_.program().tokenizer.vocabulary(), position);
  std::vector<std::uint64_t> keys;
  for (const auto& [trie, except_begin, except_count, node] : places) {
    const std::span<const std::uint32_t> except(except_begin, except_count);
    const auto nodes = trie->nodes();
    std::uint8_t first = 0;
    for (std::size_t i = node + 1; i < node + nodes[node].subtree_size; ++i) {
      if (nodes[i].depth == nodes[node].depth + 1) first = static_cast<std::uint8_t>(nodes[i].byte);
      for (const std::uint32_t token : trie->tokens_at(nodes[i])) {
        if (!except.empty() && std::binary_search(except.begin(), except.end(), token)) continue;
        const std::size_t depth = tokens.bytes_of(token).size() - (nodes[i].depth - nodes[node].depth);
        keys.push_back(std::uint64_t{token} << 32U | std::uint64_t{static_cast<std::uint16_t>(depth)} << 8U | first);
      }
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  if (keys.empty()) return 0;
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(position)};
  words.reserve(1 + 2 * keys.size());
  for (const std::uint64_t key : keys) {
    words.push_back(static_cast<std::uint32_t>(key >> 32U));
    words.push_back(static_cast<std::uint32_t>(key));
  }
  const auto [id, is_new] = list_ids_.intern(words);
  if (is_new) {
    Suffixes::List sorted;
    sorted.reserve(keys.size());
    for (const std::uint64_t key : keys) {
      sorted.push_back({static_cast<std::uint32_t>(key >> 32U), static_cast<std::uint16_t>(key >> 8U),
                        static_cast<std::uint8_t>(key)});
    }
    lists_.emplace_back(std::move(sorted), tokens);
    list_bytes_ += lists_.back().memory_bytes();
  }
  return id + 1;
}

MaskBuilder::FrameExits& MaskBuilder::frame_exits_under(regex::ExprId rest) {
  const auto known = std::ranges::find(frame_exits_, rest, &FrameExits::rest);
  if (known != frame_exits_.end()) return *known;
  frame_exits_.push_back({.rest = rest});
  return frame_exits_.back();
}

// Lists tokens that cross the end of a frame which is complete in `state`.
WEIR_REPLACEABLE void MaskBuilder::list_frame_exit(const FrameExits::Crossing& of, StateId state) {
  for_each_frame_exit(state, [&](FrameExits& exits) { exits.crossing.push_back(of); });
}

// Notes that the tokens below a node at which a frame is complete are to be listed, with their suffixes from there.
WEIR_REPLACEABLE void MaskBuilder::list_frame_exits_below(const vocab::TokenTrie& trie, std::size_t node, StateId state,
                                                          std::span<const std::uint32_t> except) {
  if (trie.nodes()[node].subtree_size == 1) return;
  const FrameExits::Below below{&trie, except.data(), static_cast<std::uint32_t>(except.size()),
                                static_cast<std::uint32_t>(node)};
  for_each_frame_exit(state, [&](FrameExits& exits) { exits.listed.push_back(below); });
}

}  // namespace weir::engine
