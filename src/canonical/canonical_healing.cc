// CanonicalAutomaton::heal: which tokens at the end of a context further text could still change.
//
// HOW    The tokens of a text that begins with the context's bytes may differ from the context's tokens near its end.
//        So all canonical token sequences of such texts are followed together, as branches, position by position. Most
//        other sequences are rejected after a few bytes, so there are few branches at a time. The tokens that all
//        branches at the end of the context have in common are kept.
// COST   Linear in the context; a walk of one path of the trie for each token and branch.
#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "canonical/canonical_automaton.h"
#include "canonical/search_bounds.h"
#include "weir/bitmask.h"

namespace weir::canonical {

namespace {

class Healer {
 public:
  Healer(const CanonicalAutomaton& automaton, const vocab::Vocabulary& vocabulary, CanonicalId start,
         std::span<const std::uint32_t> tokens)
      : automaton_(automaton), vocabulary_(vocabulary), tokens_(tokens) {
    for (const std::uint32_t token : tokens) text_ += vocabulary.token_bytes(token);
    branches_[0].push_back({start, 0, true});
  }

  // Returns how many tokens of the context are kept.
  std::size_t kept() {
    std::size_t least = tokens_.size();
    while (!branches_.empty()) {
      const std::size_t at = branches_.begin()->first;
      const std::vector<Branch> here = std::move(branches_.begin()->second);
      branches_.erase(branches_.begin());
      for (const Branch& branch : here) {
        if (at == text_.size()) {
          if (branch.kept < least && may_go_on(branch.state, 0)) least = branch.kept;
        } else if (follow(branch, at) && branch.kept < least) {
          least = branch.kept;
        }
      }
    }
    return least;
  }

 private:
  struct Branch {
    CanonicalId state;
    std::size_t kept;  // how many of its first tokens are the context's tokens
    bool is_context;   // all of its tokens are
  };

  // Adds a branch for each token that the text has at `at`, before its end. Returns true if a token that is longer than
  // the rest of the text may come.
  bool follow(const Branch& branch, std::size_t at) {
    const vocab::TokenTrie& trie = vocabulary_.trie();
    const std::string_view rest = std::string_view(text_).substr(at);
    trie.for_each_prefix(rest, [&](const vocab::TrieNode& node) {
      for (const std::uint32_t token : trie.tokens_at(node)) add(branch, token, at + node.depth);
      return true;
    });
    const std::span<const vocab::TrieNode> nodes = trie.subtree(rest);
    return !nodes.empty() && std::any_of(nodes.begin() + 1, nodes.end(), [&](const vocab::TrieNode& node) {
      const auto tokens = trie.tokens_at(node);
      return std::any_of(tokens.begin(), tokens.end(), [&](std::uint32_t token) {
        const CanonicalId next = automaton_.step(branch.state, token);
        return next != CanonicalId::kRefused && may_go_on(next, 0);
      });
    });
  }

  void add(const Branch& from, std::uint32_t token, std::size_t at) {
    const CanonicalId state = automaton_.step(from.state, token);
    if (state == CanonicalId::kRefused) return;
    const bool is_context = from.is_context && tokens_[from.kept] == token;
    const Branch next{state, from.kept + (is_context ? 1 : 0), is_context};
    std::vector<Branch>& there = branches_[at];
    const auto same = std::find_if(there.begin(), there.end(), [&](const Branch& b) {
      return b.state == next.state && b.is_context == next.is_context;
    });
    if (same == there.end()) {
      there.push_back(next);
    } else {
      same->kept = std::min(same->kept, next.kept);
    }
  }

  // Returns true if some text leads from the state to an end, or if kMaxHealingTokens tokens do not decide it.
  bool may_go_on(CanonicalId state, int steps) const {
    if (automaton_.may_end(state) || steps == kMaxHealingTokens) return true;
    const regex::ByteSet keeping = automaton_.keeping_bytes(state);
    for (const PlaceId place : automaton_.places(state)) {
      if (automaton_.may_cut(place)) return true;
      const RestId around = automaton_.rest_around(place);
      for (unsigned byte = 0; around != RestId::kNone && byte < 256; ++byte) {
        const auto b = static_cast<std::uint8_t>(byte);
        if (keeping.contains(b) && automaton_.step(around, b) != RestId::kNone) return true;
      }
    }
    std::vector<std::uint32_t> row(bitmask_words(vocabulary_.size()));
    automaton_.row(state, row);
    return !vocab::for_each_token(
        row, [&](std::uint32_t token) { return !may_go_on(automaton_.step(state, token), steps + 1); });
  }

  const CanonicalAutomaton& automaton_;
  const vocab::Vocabulary& vocabulary_;
  std::span<const std::uint32_t> tokens_;
  std::string text_;
  std::map<std::size_t, std::vector<Branch>> branches_;  // by position
};

}  // namespace

Result<CanonicalAutomaton::Healing> CanonicalAutomaton::heal(std::span<const std::uint32_t> context) const {
  if (const auto state = start(context); !state) return tl::unexpected(state.error());
  const vocab::Vocabulary& tokens = vocabulary();
  const std::size_t begin = text_begin(context);
  const CanonicalId first = begin == 0 ? start() : restart();
  const auto text = context.subspan(begin);
  std::size_t kept = Healer(*this, tokens, first, text).kept();
  // Whole characters are taken back, so that a caller can write them into a grammar.
  const auto begins_inside_character = [&](std::uint32_t token) {
    const std::string_view bytes = tokens.token_bytes(token);
    return !bytes.empty() && (static_cast<std::uint8_t>(bytes.front()) & 0xC0U) == 0x80;
  };
  while (kept > 0 && kept < text.size() && begins_inside_character(text[kept])) --kept;
  Healing healing{text.size() - kept, {}};
  for (std::size_t i = kept; i < text.size(); ++i) {
    healing.bytes += begin == 0 && i == 0 ? tokens.first_token_bytes(text[i]) : tokens.token_bytes(text[i]);
  }
  return healing;
}

}  // namespace weir::canonical
