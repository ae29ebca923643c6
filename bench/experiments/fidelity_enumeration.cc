#include "fidelity_enumeration.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "weir/bitmask.h"
#include "weir/matcher.h"

namespace weir::cli::bench_fidelity {

namespace {

using Tokens = std::vector<std::uint32_t>;

constexpr std::uint32_t kStrayed = UINT32_MAX;

// The canonical sequences of all texts, as a tree.
class CanonicalTree {
 public:
  CanonicalTree() : children_(1), is_leaf_(1) {}

  void add(const Tokens& tokens) {
    std::uint32_t node = 0;
    for (const std::uint32_t token : tokens) {
      const auto [child, is_new] = children_[node].try_emplace(token, static_cast<std::uint32_t>(children_.size()));
      node = child->second;
      if (!is_new) continue;
      children_.emplace_back();
      is_leaf_.push_back(false);
    }
    is_leaf_[node] = true;
  }
  // Returns kStrayed if the sequence is not a prefix of any canonical sequence.
  [[nodiscard]] std::uint32_t step(std::uint32_t node, std::uint32_t token) const {
    if (node == kStrayed) return kStrayed;
    const auto child = children_[node].find(token);
    return child == children_[node].end() ? kStrayed : child->second;
  }
  [[nodiscard]] bool is_leaf(std::uint32_t node) const { return node != kStrayed && is_leaf_[node]; }

 private:
  std::vector<std::map<std::uint32_t, std::uint32_t>> children_;
  std::vector<bool> is_leaf_;
};

// The allowed next tokens of a partial output.
struct Choices {
  Tokens tokens = {};
  bool may_end = false;
};

class Masks {
 public:
  explicit Masks(GrammarMatcher matcher)
      : matcher_(std::move(matcher)), info_(matcher_.compiled_grammar().tokenizer_info()) {
    bitmask_.resize(bitmask_words(info_.vocab_size()));
  }

  // Returns nullopt if a limit was reached or the output was refused.
  std::optional<Choices> after(const Tokens& output) {
    matcher_.reset();
    for (const std::uint32_t token : output) {
      if (matcher_.accept_token(token) != Step::kOk) return std::nullopt;
    }
    if (matcher_.fill_next_token_bitmask(bitmask_) != Step::kOk) return std::nullopt;
    Choices choices;
    choices.may_end = matcher_.is_completed();
    const auto stops = info_.stop_token_ids();
    for (std::size_t word = 0; word < bitmask_.size(); ++word) {
      for (std::uint32_t bits = bitmask_[word]; bits != 0; bits &= bits - 1) {
        const auto token = static_cast<std::uint32_t>(word * 32) + static_cast<std::uint32_t>(std::countr_zero(bits));
        if (std::ranges::find(stops, token) == stops.end()) choices.tokens.push_back(token);
      }
    }
    return choices;
  }

 private:
  GrammarMatcher matcher_;
  TokenizerInfo info_;
  std::vector<std::uint32_t> bitmask_;
};

// A partial output, and its probabilities summed over all token sequences that lead to the node.
struct Node {
  Tokens tokens = {};  // one of the sequences
  std::string text = {};
  std::uint32_t place = 0;  // node of the canonical tree
  double masked = 0;        // probability under masks
  double own = 0;           // probability under the model alone
};

// Partial outputs with the same key are one node. The node with the least key is expanded first. Keys grow along an
// output, so every sequence that leads to a node is counted before the node is expanded.
using Key = std::tuple<Tokens, std::uint32_t, std::uint32_t>;

Key key_of(const Node& node, bool sees_last_token_only) {
  if (!sees_last_token_only) return {node.tokens, 0, 0};
  return {Tokens(node.text.begin(), node.text.end()), node.tokens.back(), node.place};
}

struct End {
  double masked = 0, own = 0, canonical_masked = 0, canonical_own = 0;
};

struct Walk {
  std::map<std::string, End> ends = {};
  double steps = 0, single = 0;
  std::set<std::uint32_t> leaves = {};  // canonical sequences reached
  bool strayed = false;                 // some sequence was not canonical
};

// Expands all outputs. `choices_of` returns the choices at a node; if it returns nullopt, so does the walk.
template <typename ChoicesOf>
std::optional<Walk> walk(Model& model, const TokenizerInfo& info, const CanonicalTree& tree, bool merges_nodes,
                         const ChoicesOf& choices_of) {
  Walk done;
  std::map<Key, Node> open;
  open[Key{}] = {{}, "", 0, 1, 1};
  while (!open.empty()) {
    const Node node = std::move(open.extract(open.begin()).mapped());
    const std::optional<Choices> choices = choices_of(node);
    if (!choices) return std::nullopt;
    if (choices->may_end) {
      End& end = done.ends[node.text];
      end.masked += node.masked;
      end.own += node.own;
      if (tree.is_leaf(node.place)) {
        end.canonical_masked += node.masked;
        end.canonical_own += node.own;
        done.leaves.insert(node.place);
      } else {
        done.strayed = true;
      }
      continue;
    }
    const std::vector<double> probabilities = model.probabilities(node.tokens, choices->tokens);
    const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
    done.steps += node.masked;
    if (choices->tokens.size() == 1) done.single += node.masked;
    for (std::size_t i = 0; i < choices->tokens.size(); ++i) {
      const std::uint32_t token = choices->tokens[i];
      Node next{node.tokens, node.text + std::string(info.token_bytes(token)), tree.step(node.place, token),
                node.masked * probabilities[i] / sum, node.own * probabilities[i]};
      next.tokens.push_back(token);
      Key key = key_of(next, merges_nodes);
      const auto [known, is_new] = open.try_emplace(std::move(key), next);
      if (is_new) continue;
      known->second.masked += next.masked;
      known->second.own += next.own;
    }
  }
  return done;
}

// Plain masks by text: they depend on the text alone, not on its tokens.
class PlainChoices {
 public:
  PlainChoices(GrammarMatcher matcher, const TokenizerInfo& info) : masks_(std::move(matcher)), info_(info) {}

  const std::optional<Choices>& after(const Tokens& tokens, const std::string& text) {
    const auto [known, is_new] = known_.try_emplace(text);
    if (is_new) known->second = masks_.after(tokens);
    return known->second;
  }

  // Counts the nodes of a walk and the token sequences, and appends the texts, without the model. Returns nullopt if
  // there are more than `most` nodes or a limit was reached.
  std::optional<std::uint64_t> count(bool merges_nodes, std::uint64_t most, std::vector<std::string>& texts,
                                     std::uint64_t& sequences) {
    struct Reached {
      Tokens tokens = {};
      std::uint64_t ways = 0;
      std::set<std::uint32_t> last = {};
    };
    std::map<std::string, Reached> open{{"", {{}, 1, {0}}}};
    std::uint64_t nodes = 0;
    while (!open.empty()) {
      const auto first = open.extract(open.begin());
      const Reached& here = first.mapped();
      nodes += merges_nodes ? here.last.size() : here.ways;
      if (nodes > most) return std::nullopt;
      const std::optional<Choices>& choices = after(here.tokens, first.key());
      if (!choices) return std::nullopt;
      if (choices->may_end) {
        texts.push_back(first.key());
        sequences += here.ways;
        continue;
      }
      for (const std::uint32_t token : choices->tokens) {
        Reached& next = open[first.key() + std::string(info_.token_bytes(token))];
        if (next.tokens.empty()) {
          next.tokens = here.tokens;
          next.tokens.push_back(token);
        }
        next.ways += here.ways;
        next.last.insert(token);
      }
    }
    return nodes;
  }

 private:
  Masks masks_;
  const TokenizerInfo& info_;
  std::map<std::string, std::optional<Choices>> known_;
};

std::vector<double> normalized(std::vector<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::vector<double> of_texts(const Walk& walked, const std::vector<std::string>& texts, double End::*member) {
  std::vector<double> out;
  out.reserve(texts.size());
  for (const std::string& text : texts) {
    const auto end = walked.ends.find(text);
    out.push_back(end == walked.ends.end() ? 0 : end->second.*member);
  }
  return out;
}

}  // namespace

double total_variation(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

std::optional<Enumeration> enumerate(const EnumerationInput& input, Model& model, Refusal& refusal) {
  const TokenizerInfo& info = input.compiled.tokenizer_info();
  MatcherOptions options;
  options.at_text_start = false;
  refusal = Refusal::kNotCanonical;
  auto plain = GrammarMatcher::create(input.compiled, options);
  options.context = input.context;
  options.tokenization = Tokenization::kCanonical;
  auto canonical = GrammarMatcher::create(input.compiled, options);
  if (!plain || !canonical) return std::nullopt;

  PlainChoices plain_choices(*std::move(plain), info);
  Enumeration found;
  const bool merges_nodes = model.sees_last_token_only();
  refusal = Refusal::kTooLarge;
  if (!plain_choices.count(merges_nodes, input.max_nodes, found.texts, found.sequences)) return std::nullopt;

  CanonicalTree tree;
  for (const std::string& text : found.texts) {
    const Result<Tokens> tokens = info.tokenize(input.context_text + text);
    refusal = Refusal::kMergesContext;
    if (!tokens || std::ranges::mismatch(input.context, *tokens).in1 != input.context.end()) return std::nullopt;
    tree.add(Tokens(tokens->begin() + static_cast<std::ptrdiff_t>(input.context.size()), tokens->end()));
  }
  try {
    refusal = Refusal::kTooLarge;
    const auto plain_walk = walk(model, info, tree, merges_nodes,
                                 [&](const Node& node) { return plain_choices.after(node.tokens, node.text); });
    Masks canonical_masks(*std::move(canonical));
    const auto canonical_walk =
        walk(model, info, tree, false, [&](const Node& node) { return canonical_masks.after(node.tokens); });
    refusal = Refusal::kNotCanonical;
    if (!plain_walk || !canonical_walk) return std::nullopt;
    found.own = normalized(of_texts(*plain_walk, found.texts, &End::own));
    found.canonical_only = normalized(of_texts(*plain_walk, found.texts, &End::canonical_own));
    found.plain = {of_texts(*plain_walk, found.texts, &End::masked), plain_walk->steps, plain_walk->single};
    found.canonical = {of_texts(*canonical_walk, found.texts, &End::masked), canonical_walk->steps,
                       canonical_walk->single};
    found.is_exact = !canonical_walk->strayed && canonical_walk->leaves.size() == found.texts.size();
    double own = 0, own_canonical = 0;
    for (const auto& [text, end] : plain_walk->ends) {
      found.other_mass += end.masked - end.canonical_masked;
      own += end.own;
      own_canonical += end.canonical_own;
    }
    found.own_other_mass = 1 - own_canonical / own;
  } catch (const std::length_error&) {
    return std::nullopt;  // more tokens than the model can read
  }
  refusal = Refusal::kNone;
  return found;
}

}  // namespace weir::cli::bench_fidelity
