#include "engine/token_facts.h"

#include <algorithm>
#include <utility>

#include "weir/bitmask.h"

namespace weir::engine {

using regex::ExprId;

ResidualTable::ResidualTable(regex::ExprSet& exprs, const regex::ByteClasses& classes, lexer::TerminalSpec root,
                             std::uint32_t fuel)
    : exprs_(exprs), classes_(classes), mode_(root.mode), fuel_(fuel) {
  residuals_.push_back(ExprId::kNothing);
  can_end_.push_back(0);
  loops_.push_back(0);
  next_.assign(256, kDead);
  add(root.expr);
}

std::uint32_t ResidualTable::add(ExprId e) {
  const auto [it, is_new] = by_expr_.try_emplace(e, static_cast<std::uint32_t>(residuals_.size()));
  if (is_new) {
    residuals_.push_back(e);
    can_end_.push_back(exprs_.nullable(e) ? 1 : 0);
    loops_.push_back(kUnknownLoops);
    next_.insert(next_.end(), 256, kUnknown);
  }
  return it->second;
}

std::uint32_t ResidualTable::compute(std::uint32_t residual, std::uint8_t byte) {
  const bool has_ended = mode_ == lexer::Mode::kLazy && can_end_[residual] != 0;
  const ExprId e = has_ended ? ExprId::kNothing : exprs_.derivative(residuals_[residual], byte);
  const regex::Emptiness emptiness = exprs_.emptiness(e, fuel_);
  inexact_ = inexact_ || emptiness == regex::Emptiness::kUnknown;
  const std::uint32_t next = emptiness == regex::Emptiness::kNonEmpty ? add(e) : kDead;
  const std::uint8_t cls = classes_.class_of(byte);
  for (unsigned b = 0; b < 256; ++b) {
    if (classes_.class_of(static_cast<std::uint8_t>(b)) == cls) next_[(residual << 8) | b] = next;
  }
  return next;
}

std::uint8_t ResidualTable::find_loops(std::uint32_t residual) {
  std::uint8_t groups = (1U << vocab::kGroupCount) - 1;
  for (unsigned byte = 0x20; byte < 0x7F; ++byte) {
    const vocab::CharacterGroup group = vocab::group_of_ascii(static_cast<std::uint8_t>(byte));
    if ((groups & group) != 0 && step(residual, static_cast<std::uint8_t>(byte)) != residual) {
      groups = static_cast<std::uint8_t>(groups & ~group);
    }
  }
  if (!loops_beyond_ascii(residual)) groups = static_cast<std::uint8_t>(groups & ~vocab::kBeyondAscii);
  loops_[residual] = groups;
  return groups;
}

// Whether every valid character from U+0080 on leads from the residual back to it. Residuals inside a character are
// few: one for each way that the expression tells the bytes so far apart.
bool ResidualTable::loops_beyond_ascii(std::uint32_t residual) {
  // A lead byte with the range of the byte behind it and how many plain continuation bytes follow that.
  struct Lead {
    std::uint8_t first, last, low, high;
    int more;
  };
  static constexpr Lead kLeads[] = {{0xC2, 0xDF, 0x80, 0xBF, 0}, {0xE0, 0xE0, 0xA0, 0xBF, 1},
                                    {0xE1, 0xEC, 0x80, 0xBF, 1}, {0xED, 0xED, 0x80, 0x9F, 1},
                                    {0xEE, 0xEF, 0x80, 0xBF, 1}, {0xF0, 0xF0, 0x90, 0xBF, 2},
                                    {0xF1, 0xF3, 0x80, 0xBF, 2}, {0xF4, 0xF4, 0x80, 0x8F, 2}};
  constexpr std::size_t kManyResiduals = 64;
  for (const Lead& lead : kLeads) {
    std::vector<std::uint32_t> at;
    const auto advance = [&](const std::vector<std::uint32_t>& from, std::uint8_t low, std::uint8_t high) {
      std::vector<std::uint32_t> to;
      for (const std::uint32_t r : from) {
        for (unsigned byte = low; byte <= high; ++byte) {
          const std::uint32_t next = step(r, static_cast<std::uint8_t>(byte));
          if (to.empty() || to.back() != next) to.push_back(next);
        }
      }
      std::sort(to.begin(), to.end());
      to.erase(std::unique(to.begin(), to.end()), to.end());
      return to;
    };
    at = advance({residual}, lead.first, lead.last);
    at = advance(at, lead.low, lead.high);
    for (int i = 0; i < lead.more && at.size() < kManyResiduals; ++i) at = advance(at, 0x80, 0xBF);
    if (at.size() != 1 || at[0] != residual) return false;
  }
  return true;
}

TokenView::TokenView(const vocab::Vocabulary& v, TokenPosition p)
    : vocabulary(v),
      position(p),
      trie(p == TokenPosition::kFirst ? v.first_trie() : v.trie()),
      summary(p == TokenPosition::kFirst ? v.first_summary() : v.summary()) {}

std::string_view TokenView::bytes_of(std::uint32_t token) const {
  return position == TokenPosition::kFirst ? vocabulary.first_token_bytes(token) : vocabulary.token_bytes(token);
}

bool is_wide(ResidualTable& table, const vocab::TokenTrie& trie) {
  // Below this many nodes the walk beside the automaton costs some tens of microseconds.
  constexpr std::size_t kWideNodes = 4096;
  const auto nodes = trie.nodes();
  std::size_t alive = 0;
  for (std::size_t i = 0; i < nodes.size(); i += nodes[i].subtree_size) {
    const std::uint32_t first = table.step(ResidualTable::kRoot, static_cast<std::uint8_t>(nodes[i].byte));
    if (first == ResidualTable::kDead) continue;
    const std::size_t end = i + nodes[i].subtree_size;
    for (std::size_t j = i + 1; j < end; j += nodes[j].subtree_size) {
      if (table.step(first, static_cast<std::uint8_t>(nodes[j].byte)) == ResidualTable::kDead) continue;
      alive += nodes[j].subtree_size;
      if (alive > kWideNodes) return true;
    }
  }
  return false;
}

namespace {

class FactsWalk {
 public:
  FactsWalk(ResidualTable& table, const TokenView& tokens) : table_(table), tokens_(tokens) {}

  // None when the suffixes are too many for a trie.
  std::optional<TokenFacts> run() {
    facts_.ready = tokens_.summary.all_tokens();
    const auto nodes = tokens_.trie.nodes();
    // residuals[d]: behind the first d bytes of the path to the node at hand.
    std::vector<std::uint32_t> residuals(tokens_.trie.max_depth() + 1, ResidualTable::kRoot);
    for (std::size_t i = 0; i < nodes.size();) {
      const vocab::TrieNode node = nodes[i];
      const std::uint32_t residual = residuals[node.depth - 1];
      ++facts_.nodes_visited;
      if (node.subtree_size >= kSmallSubtree && (tokens_.summary[i].groups & ~table_.loops(residual)) == 0) {
        i += node.subtree_size;
        continue;
      }
      const std::uint32_t next = table_.step(residual, static_cast<std::uint8_t>(node.byte));
      if (next == ResidualTable::kDead) {
        take_out(nodes.subspan(i, node.subtree_size), std::span(residuals).first(node.depth));
        i += node.subtree_size;
        continue;
      }
      residuals[node.depth] = next;
      ++i;
    }
    if (suffix_bytes_ > vocab::kMaxVocabularyBytes || suffixes_.size() > vocab::kMaxTokens) return std::nullopt;
    facts_.suffixes = vocab::TokenTrie(suffixes_);
    return std::move(facts_);
  }

 private:
  // Below this many nodes a subtree is walked sooner than it is asked for its groups.
  static constexpr std::uint32_t kSmallSubtree = 3;

  // The expression dies on the first byte of `subtree`, behind `residuals`: its tokens are not ready, and may be
  // crossing.
  void take_out(std::span<const vocab::TrieNode> subtree, std::span<const std::uint32_t> residuals) {
    for (const vocab::TrieNode& node : subtree) {
      if (node.tokens == 0) continue;
      for (const std::uint32_t token : tokens_.trie.tokens_at(node)) {
        facts_.ready[token / 32] &= ~(std::uint32_t{1} << (token % 32));
        for (std::size_t depth = 1; depth < residuals.size(); ++depth) {
          if (!table_.can_end(residuals[depth])) continue;
          suffixes_.emplace_back(tokens_.bytes_of(token).substr(depth), token);
          suffix_bytes_ += suffixes_.back().first.size();
        }
      }
    }
  }

  ResidualTable& table_;
  const TokenView& tokens_;
  TokenFacts facts_;
  std::vector<std::pair<std::string_view, std::uint32_t>> suffixes_;
  std::size_t suffix_bytes_ = 0;
};

}  // namespace

std::optional<TokenFacts> compute_token_facts(ResidualTable& table, const TokenView& tokens) {
  std::optional<TokenFacts> facts = FactsWalk(table, tokens).run();
  if (table.is_inexact()) return std::nullopt;
  return facts;
}

}  // namespace weir::engine
