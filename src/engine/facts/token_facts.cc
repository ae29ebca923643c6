#include "engine/facts/token_facts.h"

#include <algorithm>
#include <utility>

#include "base/threads.h"
#include "base/work.h"
#include "engine/accelerators/character_rule.h"
#include "engine/accelerators/character_steps.h"
#include "engine/search_bounds.h"
#include "regex/analysis/text_horizon.h"
#include "weir/bitmask.h"

namespace weir::engine {

using vocab::Scan;
using vocab::TokenTrie;
using vocab::TrieNode;

std::size_t TokenFacts::memory_bytes() const {
  return sizeof(TokenFacts) + (base_facts == nullptr && ready != nullptr ? ready->size() * sizeof(std::uint32_t) : 0) +
         (added.capacity() + cleared.capacity() + not_crossing.capacity() + ends.capacity()) * sizeof(std::uint32_t) +
         suffixes.memory_bytes();
}

namespace {

// Calls `use` with each first byte that the residual does not reject, the residual after it, and its nodes in the trie.
template <typename Use>
void for_each_first(ResidualTable& table, std::uint32_t residual, const vocab::TokenTrie& trie, Use use) {
  const regex::ByteSet alive = table.alive(residual);  // a copy, because `use` may add residuals
  alive.for_each([&](std::uint8_t byte) {
    if (const TokenTrie::Range range = trie.nodes_from(byte); range.size() != 0) {
      use(byte, table.step(residual, byte), range);
    }
  });
}

}  // namespace

bool is_wide(ResidualTable& table, std::uint32_t residual, const TokenView& tokens) {
  std::size_t possible = 0;
  for_each_first(table, residual, tokens.trie,
                 [&](std::uint8_t, std::uint32_t, TokenTrie::Range range) { possible += range.size(); });
  if (possible <= kMaxNarrowNodes) return false;
  std::size_t alive = 0;
  for_each_first(table, residual, tokens.trie, [&](std::uint8_t byte, std::uint32_t first, TokenTrie::Range range) {
    if (alive > kMaxNarrowNodes) return;
    tokens.trie.for_each_second(byte, range, [&](std::uint8_t second, TokenTrie::Range below) {
      if (table.step(first, second) != ResidualTable::kDead) alive += below.size();
    });
  });
  return alive > kMaxNarrowNodes;
}

namespace {

// Collects the facts during walks of the vocabulary's trie.
class FactsWalk {
 public:
  FactsWalk(ResidualTable& table, const TokenView& tokens)
      : table_(table),
        characters_(table),
        tokens_(tokens),
        takes_subtrees_(table.accelerators().has(Accelerator::kSubtrees)),
        leaves_out_short_texts_(table.accelerators().has(Accelerator::kShortTexts)),
        most_below_end_(table.accelerators().has(Accelerator::kEnds) ? kMaxListedBelowEnd : UINT32_MAX),
        residuals_(tokens.trie.max_depth() + 1, table.root()),
        bytes_(tokens.trie.max_depth() + 1) {}
  ~FactsWalk() { base::Work::charge(nodes_visited_ / base::Work::kTrieNodes); }
  FactsWalk(const FactsWalk&) = delete;
  FactsWalk& operator=(const FactsWalk&) = delete;

  std::optional<TokenFacts> run_narrow();
  std::optional<TokenFacts> run_wide(const TokenKinds* kinds);
  std::optional<TokenFacts> run_difference(const Base& base, std::shared_ptr<const TokenFacts> base_facts);

 private:
  void walk_narrow(TokenTrie::Range range, TokenFacts& facts);
  // Calls visit(i, node, residual before it, residual after it) as TokenTrie::scan does.
  template <typename Visit>
  void scan(const TokenTrie& trie, TokenTrie::Range range, Visit visit) {
    trie.scan(range, std::span(residuals_),
              [&](std::size_t i, const TrieNode& node, std::uint32_t before, auto& after) {
                if (table_.is_inexact()) return Scan::kStop;
                ++nodes_visited_;
                bytes_[node.depth - 1] = static_cast<std::uint8_t>(node.byte);
                return visit(i, node, before, after);
              });
  }
  static void add_tokens_at(const TokenTrie& trie, std::size_t node, TokenFacts& facts);
  bool walk_all_differences(const Base& base, TokenFacts& facts);
  // The tokens that a walk along the base's residuals looks at: all, those with a quote, or those without.
  enum class Of : std::uint8_t { kAll, kQuoting, kUnquoted };
  bool walk_difference(Of tokens, TokenTrie::Range range, const Base& base, TokenFacts& facts);
  bool walk_exceptions(const Base& base, TokenFacts& facts);
  std::uint32_t step_beside_base(const Base& base, std::uint32_t residual, std::uint32_t other,
                                 std::uint32_t next_of_other, std::uint8_t byte);
  [[nodiscard]] bool is_short(const regex::EqualPrefix& alike, std::size_t node, std::uint32_t less) const;
  static constexpr bool kHasKinds = WEIR_HAS_THREADS != 0;  // see FactsStore::prepare
  struct WideWalk {
    [[nodiscard]] bool has_kinds() const { return kHasKinds && kinds != nullptr; }
    const TokenKinds* kinds = nullptr;
    const CharacterRule* rule = nullptr;
    TokenBits ready = {};
  };
  void walk_wide(WideWalk& walk);
  void walk_apart(const TokenTrie& trie, TokenBits& ready);
  void add_suffix(std::uint32_t token, std::uint32_t depth);
  void add_suffixes(std::uint32_t token, std::uint32_t depth);
  [[nodiscard]] bool has_too_many_suffixes() const { return suffixes_.size() > kMaxSuffixes; }
  [[nodiscard]] bool suffixes_fit_a_trie() const;
  bool finish(TokenFacts& facts);

  ResidualTable& table_;
  CharacterSteps characters_;
  const TokenView& tokens_;
  bool takes_subtrees_, leaves_out_short_texts_;
  std::uint32_t most_below_end_;
  std::vector<std::uint32_t> residuals_;  // [d]: after the first d bytes of the path to the current node
  std::vector<std::uint8_t> bytes_;       // [d]: byte d of that path
  struct Beside {
    std::uint32_t residual;
    bool ends_alike;       // the two could end at the same of the first d bytes
    bool may_end = false;  // the base could end at one of them
  };
  std::vector<Beside> beside_;  // [d]: the base's residual after the first d bytes
  std::size_t most_residuals_ = 0;
  Suffixes::List suffixes_;
  std::uint64_t nodes_visited_ = 0;
};

// Returns true if all tokens of a subtree, without their first `less` bytes or characters, are too short to distinguish
// the two residuals.
bool FactsWalk::is_short(const regex::EqualPrefix& alike, std::size_t node, std::uint32_t less) const {
  const std::uint32_t bytes = tokens_.summary.max_bytes(node);
  if (bytes < vocab::kManyCharacters && bytes <= alike.bytes + std::uint64_t{less}) return true;
  if (alike.characters == 0 || !tokens_.summary.is_text(node)) return false;
  const std::uint32_t characters = tokens_.summary.max_characters(node);
  return characters < vocab::kManyCharacters && characters <= alike.characters + std::uint64_t{less};
}

// Adds the suffix of a token below the current node that begins after `depth` bytes. The suffix begins on the path to
// that node, so its first byte is known from the path: reading the token's own bytes would take longer than everything
// else.
void FactsWalk::add_suffix(std::uint32_t token, std::uint32_t depth) {
  suffixes_.push_back({token, static_cast<std::uint16_t>(depth), bytes_[depth]});
}

// Adds the suffixes of a token that is rejected at byte `depth`.
void FactsWalk::add_suffixes(std::uint32_t token, std::uint32_t depth) {
  for (std::uint32_t d = 1; d < depth; ++d) {
    if (table_.can_end(residuals_[d])) add_suffix(token, d);
  }
}

bool FactsWalk::suffixes_fit_a_trie() const {
  if (suffixes_.size() * tokens_.trie.max_depth() <= vocab::kMaxVocabularyBytes) return true;
  std::size_t bytes = 0;
  for (const Suffixes::Suffix& suffix : suffixes_) bytes += tokens_.bytes_of(suffix.token).size() - suffix.depth;
  return bytes <= vocab::kMaxVocabularyBytes;
}

bool FactsWalk::finish(TokenFacts& facts) {
  if (has_too_many_suffixes() || !suffixes_fit_a_trie()) return false;
  facts.suffixes = Suffixes(std::move(suffixes_), tokens_);
  facts.nodes_visited = nodes_visited_;
  return true;
}

std::optional<TokenFacts> FactsWalk::run_narrow() {
  TokenFacts facts;
  for_each_first(table_, table_.root(), tokens_.trie,
                 [&](std::uint8_t byte, std::uint32_t first, TokenTrie::Range range) {
                   if (table_.can_end(first)) return walk_narrow(range, facts);  // tokens rejected below are crossing
                   ++nodes_visited_;
                   residuals_[1] = first;
                   add_tokens_at(tokens_.trie, range.begin, facts);
                   tokens_.trie.for_each_second(byte, range, [&](std::uint8_t second, TokenTrie::Range below) {
                     if (table_.step(first, second) != ResidualTable::kDead) walk_narrow(below, facts);
                   });
                 });
  if (!finish(facts)) return std::nullopt;
  std::sort(facts.added.begin(), facts.added.end());
  facts.added.shrink_to_fit();
  return facts;
}

void FactsWalk::add_tokens_at(const TokenTrie& trie, std::size_t node, TokenFacts& facts) {
  const vocab::TrieNode here = trie.nodes()[node];
  const auto tokens = trie.tokens_at(here);
  facts.added.insert(facts.added.end(), tokens.begin(), tokens.end());
}

void FactsWalk::walk_narrow(TokenTrie::Range range, TokenFacts& facts) {
  std::vector<std::uint32_t> end_depths;  // of ends on the path whose tokens are listed
  scan(tokens_.trie, range, [&](std::size_t i, const TrieNode& node, std::uint32_t before, std::uint32_t& after) {
    while (!end_depths.empty() && end_depths.back() >= node.depth) end_depths.pop_back();
    const std::uint32_t next = table_.step_in_escape(before, static_cast<std::uint8_t>(node.byte));
    if (next != ResidualTable::kDead) {
      after = next;
      if (table_.can_end(next) && node.subtree_size > most_below_end_) {
        facts.ends.push_back(static_cast<std::uint32_t>(i));
      } else if (table_.can_end(next)) {
        end_depths.push_back(node.depth);
      }
      add_tokens_at(tokens_.trie, i, facts);
      return Scan::kInto;
    }
    if (end_depths.empty()) return Scan::kPast;
    for (const std::uint32_t token : tokens_.trie.tokens_below(i)) {
      for (const std::uint32_t depth : end_depths) add_suffix(token, depth);
    }
    return Scan::kPast;
  });
}

// Finds the ready tokens by a rule about their characters, if there is one, and walks the subtrees of which the rule says
// nothing. `kinds` may be nullptr; without it, the tokens that the rule takes are also found by the walk.
std::optional<TokenFacts> FactsWalk::run_wide(const TokenKinds* kinds) {
  CharacterRule rule;
  const bool has_rule =
      table_.accelerators().has(Accelerator::kCharacterRule) && find_character_rule(characters_, rule);
  if (!has_rule || !kHasKinds) kinds = nullptr;
  WideWalk walk{.kinds = kinds};
  if (walk.has_kinds()) {
    walk.ready = kinds->ready(rule);
  } else {
    walk.ready.resize(tokens_.summary.all_tokens().size());
  }
  if (has_rule) walk.rule = &rule;
  walk_wide(walk);
  if (walk.has_kinds()) {
    for (const TokenKinds::Apart& group : kinds->apart()) {
      if (group.is_open(rule)) walk_apart(group.trie, walk.ready);
    }
  }
  TokenFacts facts;
  if (!finish(facts)) return std::nullopt;
  facts.ready = std::make_shared<const TokenBits>(std::move(walk.ready));
  return facts;
}

void FactsWalk::walk_wide(WideWalk& walk) {
  const TokenTrie& trie = tokens_.trie;
  const vocab::TrieSummary& summary = tokens_.summary;
  const CharacterRule rule = walk.rule != nullptr ? *walk.rule : CharacterRule{};
  // The subtrees of these characters are skipped, if their texts are not longer than `most`: each of their tokens is
  // among those that the rule takes, or is rejected, or has been found by its kinds.
  vocab::CharacterSet known = rule.taken;
  std::uint32_t most = std::min(rule.most, rule.known);
  if (walk.has_kinds()) {
    known |= rule.rejected;
    for (const TokenKinds::Apart& group : walk.kinds->apart()) known |= group.kinds;
    most = rule.known;
    if (most == CharacterRule::kAnyNumber && known.contains_all(summary.all_characters())) return;
  }
  const auto takes = [&](std::uint8_t byte) {  // a byte within a character does not change what the path consists of
    if (byte < 0x80) return rule.taken.contains(vocab::kind_of_ascii(byte));
    return byte < 0xC0 ||
           (rule.taken.contains(vocab::kind_of_lead(byte)) && rule.taken.contains(vocab::CharacterKind::kWideSpace));
  };
  struct Path {
    bool is_taken = false;  // it consists of characters that the rule takes
    bool may_end = false;   // the terminal can end within it
  };
  std::vector<Path> path(residuals_.size());  // [d]: the first d bytes of the path
  path[0].is_taken = walk.rule != nullptr;
  const auto put_in = [&](std::span<const std::uint32_t> tokens) {
    for (const std::uint32_t token : tokens) bitmask_set(walk.ready, token);
  };
  const auto is_apart = [&](std::uint32_t token) {
    return walk.has_kinds() && std::ranges::any_of(walk.kinds->apart(), [&](const TokenKinds::Apart& group) {
             return group.is_open(rule) && bitmask_get(group.tokens, token);
           });
  };
  scan(trie, trie.all(), [&](std::size_t i, const TrieNode& node, std::uint32_t residual, std::uint32_t& after) {
    if (has_too_many_suffixes()) return Scan::kStop;
    const Path before = path[node.depth - 1];
    if (before.is_taken && vocab::TrieSummary::has_set(summary.is_text(i), node) &&
        known.contains_all(summary.characters(i)) && node.depth - 1U + summary.max_characters(i) <= most) {
      if (!walk.has_kinds()) put_in(trie.tokens_below(i));
      return Scan::kPast;
    }
    if (takes_subtrees_ && (!before.is_taken || !walk.has_kinds()) &&
        characters_.takes_all(residual, summary, i, node.subtree_size)) {
      put_in(trie.tokens_below(i));
      return Scan::kPast;
    }
    const std::uint32_t next = table_.step(residual, static_cast<std::uint8_t>(node.byte));
    if (next != ResidualTable::kDead) {
      after = next;
      path[node.depth] = {before.is_taken && takes(static_cast<std::uint8_t>(node.byte)),
                          before.may_end || table_.can_end(next)};
      put_in(trie.tokens_at(node));
      return Scan::kInto;
    }
    if (before.may_end) {
      for (const std::uint32_t token : trie.tokens_below(i)) {
        if (!is_apart(token)) add_suffixes(token, node.depth);
      }
    }
    return Scan::kPast;
  });
}

// Adds the tokens of a group that is apart to the ready ones, or their suffixes.
void FactsWalk::walk_apart(const TokenTrie& trie, TokenBits& ready) {
  scan(trie, trie.all(), [&](std::size_t i, const TrieNode& node, std::uint32_t before, std::uint32_t& after) {
    const std::uint32_t next = table_.step(before, static_cast<std::uint8_t>(node.byte));
    if (next != ResidualTable::kDead) {
      after = next;
      for (const std::uint32_t token : trie.tokens_at(node)) bitmask_set(ready, token);
      return Scan::kInto;
    }
    for (const std::uint32_t token : trie.tokens_below(i)) add_suffixes(token, node.depth);
    return Scan::kPast;
  });
}

std::optional<TokenFacts> FactsWalk::run_difference(const Base& base, std::shared_ptr<const TokenFacts> base_facts) {
  beside_.assign(residuals_.size(), {base.residual, true});
  most_residuals_ = table_.size() + kMaxDifferenceResiduals;
  TokenFacts facts;
  facts.ready = base_facts->ready;
  facts.base_facts = std::move(base_facts);
  if (!walk_all_differences(base, facts) || !finish(facts)) return std::nullopt;
  for (std::vector<std::uint32_t>* list : {&facts.added, &facts.cleared, &facts.not_crossing}) {
    std::sort(list->begin(), list->end());
    list->shrink_to_fit();
  }
  return facts;
}

// Returns the residual after `residual` and `byte`; `other` is the base's residual, `next_of_other` the one after it.
// If the two differ only in a distant count, both reject the same bytes. Then the base's step decides, and the counted
// residual is stepped by this byte alone: filling rows would create as many residuals as there are counts.
std::uint32_t FactsWalk::step_beside_base(const Base& base, std::uint32_t residual, std::uint32_t other,
                                          std::uint32_t next_of_other, std::uint8_t byte) {
  if (!base.differs_in_counts || residual == other || table_.equal_prefix_length(residual, other).bytes == 0) {
    return table_.step(residual, byte);
  }
  return next_of_other == ResidualTable::kDead ? next_of_other : table_.step_alive(residual, byte);
}

// Returns false if too much differs.
bool FactsWalk::walk_all_differences(const Base& base, TokenFacts& facts) {
  const TokenTrie::Range all = tokens_.trie.all();
  if (base.unquoted == ResidualTable::kDead || tokens_.position == TokenPosition::kFirst) {
    return base.differs_in_counts ? walk_difference(Of::kAll, all, base, facts) : walk_exceptions(base, facts);
  }
  if (!walk_difference(Of::kQuoting, tokens_.vocabulary.quote_trie().all(), base, facts)) return false;
  residuals_[0] = base.unquoted;
  return base.unquoted == base.residual || walk_difference(Of::kUnquoted, all, base, facts);
}

// Walks all tokens. For the first two bytes the table alone says where the two differ, without reading trie nodes, which
// are far apart.
bool FactsWalk::walk_exceptions(const Base& base, TokenFacts& facts) {
  const TokenTrie& trie = tokens_.trie;
  bool is_done = true;
  for (unsigned b = 0; b < 256 && is_done; ++b) {
    const auto byte = static_cast<std::uint8_t>(b);
    const std::uint32_t next = table_.step(table_.root(), byte);
    const std::uint32_t of_base = table_.step(base.residual, byte);
    const TokenTrie::Range range = next == of_base ? TokenTrie::Range{} : trie.nodes_from(byte);
    if (range.size() == 0) continue;
    if (next == ResidualTable::kDead) {
      is_done = walk_difference(Of::kAll, range, base, facts);
      continue;
    }
    is_done = walk_difference(Of::kAll, {range.begin, range.begin + 1}, base, facts);
    const bool ends_alike = beside_[1].ends_alike;
    trie.for_each_second(byte, range, [&](std::uint8_t second, TokenTrie::Range below) {
      const bool is_alike = ends_alike && table_.step(next, second) == table_.step(of_base, second);
      if (!is_alike) is_done = is_done && walk_difference(Of::kAll, below, base, facts);
    });
  }
  return is_done;
}

// Walks along the path of the base's residuals. Where both paths reach the same residual, and could end at the same
// places, everything below is equal and is skipped. Returns false if too much differs.
bool FactsWalk::walk_difference(Of tokens, TokenTrie::Range range, const Base& base, TokenFacts& facts) {
  const TokenTrie& trie = tokens == Of::kQuoting ? tokens_.vocabulary.quote_trie() : tokens_.trie;
  const bool knows_subtrees = leaves_out_short_texts_ && base.differs_in_counts && tokens != Of::kQuoting;
  bool is_small = true;
  scan(trie, range, [&](std::size_t i, const TrieNode& node, std::uint32_t residual, std::uint32_t& after) {
    is_small = nodes_visited_ <= kMaxDifferenceNodes && table_.size() <= most_residuals_;
    if (!is_small) return Scan::kStop;
    const auto byte = static_cast<std::uint8_t>(node.byte);
    const Beside& before = beside_[node.depth - 1];
    if (knows_subtrees && before.ends_alike && is_short(table_.equal_prefix_length(residual, before.residual), i, 0)) {
      return Scan::kPast;
    }
    const Beside here{table_.step(before.residual, byte), before.ends_alike, before.may_end};
    const std::uint32_t next = step_beside_base(base, residual, before.residual, here.residual, byte);
    if (next == here.residual && here.ends_alike) return Scan::kPast;
    if (next != ResidualTable::kDead) {
      after = next;
      const bool ends_alike = here.ends_alike && table_.can_end(next) == table_.can_end(here.residual);
      beside_[node.depth] = {here.residual, ends_alike, here.may_end || table_.can_end(here.residual)};
      if (here.residual == ResidualTable::kDead) {
        add_tokens_at(trie, i, facts);
        const auto ready = trie.tokens_at(node);  // crossing in the base, if that could end before it rejected
        if (here.may_end) facts.not_crossing.insert(facts.not_crossing.end(), ready.begin(), ready.end());
      }
      const bool is_done = knows_subtrees && ends_alike && here.residual != ResidualTable::kDead &&
                           is_short(table_.equal_prefix_length(next, here.residual), i, 1);
      return is_done ? Scan::kPast : Scan::kInto;
    }
    is_small = node.subtree_size <= kMaxDifferenceNodes;
    if (!is_small) return Scan::kStop;
    for (const std::uint32_t token : trie.tokens_below(i)) {
      if (tokens == Of::kUnquoted && tokens_.bytes_of(token).find('"') != std::string_view::npos) continue;
      (bitmask_get(*facts.ready, token) ? facts.cleared : facts.not_crossing).push_back(token);
      add_suffixes(token, node.depth);
    }
    nodes_visited_ += node.subtree_size;
    return Scan::kPast;
  });
  return is_small;
}

}  // namespace

std::optional<TokenFacts> compute_narrow_facts(ResidualTable& table, const TokenView& tokens) {
  std::optional<TokenFacts> facts = FactsWalk(table, tokens).run_narrow();
  if (table.is_inexact()) return std::nullopt;
  return facts;
}

std::optional<TokenFacts> compute_wide_facts(ResidualTable& table, const TokenView& tokens, const TokenKinds* kinds) {
  const bool are_inside = tokens.position == TokenPosition::kInside;
  std::optional<TokenFacts> facts = FactsWalk(table, tokens).run_wide(are_inside ? kinds : nullptr);
  if (table.is_inexact()) return std::nullopt;
  return facts;
}

std::optional<TokenFacts> compute_difference(ResidualTable& table, const TokenView& tokens, const Base& base,
                                             std::shared_ptr<const TokenFacts> base_facts) {
  std::optional<TokenFacts> facts = FactsWalk(table, tokens).run_difference(base, std::move(base_facts));
  if (table.is_inexact()) return std::nullopt;
  return facts;
}

}  // namespace weir::engine
