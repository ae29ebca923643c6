#include "engine/token_facts.h"

#include "weir/bitmask.h"

namespace weir::engine {

using regex::ExprId;

ResidualTable::ResidualTable(regex::ExprSet& exprs, const regex::ByteClasses& classes, lexer::TerminalSpec root,
                             std::uint32_t fuel)
    : exprs_(exprs), classes_(classes), mode_(root.mode), fuel_(fuel) {
  residuals_.push_back(ExprId::kNothing);
  can_end_.push_back(false);
  next_.assign(classes_.count(), kDead);
  add(root.expr);
}

std::uint32_t ResidualTable::add(ExprId e) {
  const auto index = static_cast<std::size_t>(e);
  if (index >= by_expr_.size()) by_expr_.resize(index + 1, kUnknown);
  if (by_expr_[index] == kUnknown) {
    by_expr_[index] = static_cast<std::uint32_t>(residuals_.size());
    residuals_.push_back(e);
    can_end_.push_back(exprs_.nullable(e));
    next_.insert(next_.end(), classes_.count(), kUnknown);
  }
  return by_expr_[index];
}

std::uint32_t ResidualTable::compute(std::uint32_t residual, std::uint8_t byte) {
  const bool has_ended = mode_ == lexer::Mode::kLazy && can_end_[residual];
  const ExprId e = has_ended ? ExprId::kNothing : exprs_.derivative(residuals_[residual], byte);
  const regex::Emptiness emptiness = exprs_.emptiness(e, fuel_);
  inexact_ = inexact_ || emptiness == regex::Emptiness::kUnknown;
  const std::uint32_t next = emptiness == regex::Emptiness::kNonEmpty ? add(e) : kDead;
  next_[residual * classes_.count() + classes_.class_of(byte)] = next;
  return next;
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

const vocab::TokenTrie& trie_of(const vocab::Vocabulary& vocabulary, TokenPosition position) {
  return position == TokenPosition::kFirst ? vocabulary.first_trie() : vocabulary.trie();
}

std::string_view bytes_of(const vocab::Vocabulary& vocabulary, TokenPosition position, std::uint32_t token) {
  return position == TokenPosition::kFirst ? vocabulary.first_token_bytes(token) : vocabulary.token_bytes(token);
}

namespace {

class FactsWalk {
 public:
  FactsWalk(ResidualTable& table, const vocab::Vocabulary& vocabulary, TokenPosition position)
      : table_(table), vocabulary_(vocabulary), position_(position), trie_(trie_of(vocabulary, position)) {}

  // None when the suffixes are too many for a trie.
  std::optional<TokenFacts> run() {
    TokenFacts facts;
    facts.ready.assign(bitmask_words(vocabulary_.size()), 0);
    const auto nodes = trie_.nodes();
    // residuals[d]: behind the first d bytes of the path to the node at hand.
    std::vector<std::uint32_t> residuals(trie_.max_depth() + 1, ResidualTable::kRoot);
    for (std::size_t i = 0; i < nodes.size();) {
      const vocab::TrieNode node = nodes[i];
      ++facts.nodes_visited;
      const std::uint32_t next = table_.step(residuals[node.depth - 1], static_cast<std::uint8_t>(node.byte));
      if (next == ResidualTable::kDead) {
        add_suffixes(nodes.subspan(i, node.subtree_size), std::span(residuals).first(node.depth));
        i += node.subtree_size;
        continue;
      }
      residuals[node.depth] = next;
      if (node.tokens != 0) {
        for (const std::uint32_t token : trie_.tokens_at(node)) bitmask_set(facts.ready, token);
      }
      ++i;
    }
    if (suffix_bytes_ > vocab::kMaxVocabularyBytes || suffixes_.size() > vocab::kMaxTokens) return std::nullopt;
    facts.suffixes = vocab::TokenTrie(suffixes_);
    return facts;
  }

 private:
  // All tokens of a subtree on whose first byte the expression dies; residuals on the way to it.
  void add_suffixes(std::span<const vocab::TrieNode> subtree, std::span<const std::uint32_t> residuals) {
    for (std::size_t depth = 1; depth < residuals.size(); ++depth) {
      if (!table_.can_end(residuals[depth])) continue;
      for (const vocab::TrieNode& node : subtree) {
        if (node.tokens == 0) continue;
        for (const std::uint32_t token : trie_.tokens_at(node)) {
          suffixes_.emplace_back(bytes_of(vocabulary_, position_, token).substr(depth), token);
          suffix_bytes_ += suffixes_.back().first.size();
        }
      }
    }
  }

  ResidualTable& table_;
  const vocab::Vocabulary& vocabulary_;
  TokenPosition position_;
  const vocab::TokenTrie& trie_;
  std::vector<std::pair<std::string_view, std::uint32_t>> suffixes_;
  std::size_t suffix_bytes_ = 0;
};

}  // namespace

std::optional<TokenFacts> compute_token_facts(ResidualTable& table, const vocab::Vocabulary& vocabulary,
                                              TokenPosition position) {
  std::optional<TokenFacts> facts = FactsWalk(table, vocabulary, position).run();
  if (table.is_inexact()) return std::nullopt;
  return facts;
}

}  // namespace weir::engine
