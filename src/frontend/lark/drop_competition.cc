#include "frontend/lark/drop_competition.h"

#include <cstdint>
#include <vector>

#include "frontend/search_bounds.h"
#include "grammar/joint_lexemes.h"
#include "regex/expr/byte_set.h"

namespace weir::frontend::lark {

namespace {

using base::LexemeMode;
using grammar::JointLexemes;
using grammar::NodeId;
using regex::ByteSet;
using regex::ExprId;

ByteSet all_bytes() { return ByteSet::range(0, 255); }

// The bytes that may follow each node according to the grammar.
class Follow {
 public:
  explicit Follow(grammar::Grammar& grammar)
      : grammar_(grammar),
        nullable_(grammar.nodes.size(), false),
        first_(grammar.nodes.size()),
        follow_(grammar.nodes.size()) {}

  // Returns false if the fixpoint takes too many rounds.
  bool find() {
    return to_fixpoint([this](std::size_t i) { return add_first(i); }, false) &&
           to_fixpoint([this](std::size_t i) { return add_follow(i); }, true);
  }

  // Returns the bytes that may follow any occurrence of a terminal.
  [[nodiscard]] ByteSet after(std::size_t terminal) const {
    ByteSet bytes;
    for (std::size_t i = 0; i < grammar_.nodes.size(); ++i) {
      const grammar::Node& node = grammar_.nodes[i];
      if (node.kind == grammar::NodeKind::kTerminal && node.payload == terminal) bytes |= follow_[i];
    }
    return bytes;
  }

 private:
  static std::size_t index(NodeId id) { return static_cast<std::size_t>(id); }

  // `visit` returns true if a node has changed. Visits children before parents, or after them if `downwards`.
  template <typename Visit>
  bool to_fixpoint(Visit visit, bool downwards) {
    const std::size_t count = grammar_.nodes.size();
    for (int round = 0; round < kMaxCompetitionRounds; ++round) {
      bool changed = false;
      for (std::size_t i = 0; i < count; ++i) changed = visit(downwards ? count - 1 - i : i) || changed;
      if (!changed) return true;
    }
    return false;
  }

  bool set(std::size_t i, bool nullable, ByteSet first) {
    first |= first_[i];
    const bool changed = nullable != nullable_[i] || !(first == first_[i]);
    nullable_[i] = nullable;
    first_[i] = first;
    return changed;
  }

  bool add_first(std::size_t i) {
    const grammar::Node& node = grammar_.nodes[i];
    const auto children = grammar_.children_of(node);
    switch (node.kind) {
      case grammar::NodeKind::kEmpty: return set(i, true, {});
      case grammar::NodeKind::kTokens:
        switch (grammar_.token_sets[node.payload].mark) {
          case grammar::LineMark::kNone: return false;  // a token is no text
          case grammar::LineMark::kNewline:
            return set(i, false, grammar_.exprs.first_bytes(grammar_.indentation->newline));
          default: return set(i, true, {});
        }
      case grammar::NodeKind::kLazy: return set(i, true, all_bytes());
      case grammar::NodeKind::kTerminal: {
        const ExprId expr = grammar_.terminals[node.payload].expr;
        return set(i, grammar_.exprs.nullable(expr), grammar_.exprs.first_bytes(expr));
      }
      case grammar::NodeKind::kRule: {
        const std::size_t body = index(grammar_.rules[node.payload].body);
        return set(i, nullable_[body], first_[body]);
      }
      case grammar::NodeKind::kRepeat: {
        const std::size_t child = index(children[0]);
        return set(i, node.min == 0 || nullable_[child], first_[child]);
      }
      case grammar::NodeKind::kSequence:
      case grammar::NodeKind::kChoice: break;
    }
    const bool is_sequence = node.kind == grammar::NodeKind::kSequence;
    bool nullable = is_sequence;
    ByteSet first;
    for (const NodeId child : children) {
      first |= first_[index(child)];
      if (is_sequence && !nullable_[index(child)]) return set(i, false, first);
      nullable = nullable || nullable_[index(child)];
    }
    return set(i, nullable, first);
  }

  bool add(NodeId node, const ByteSet& bytes) {
    ByteSet more = follow_[index(node)];
    more |= bytes;
    if (more == follow_[index(node)]) return false;
    follow_[index(node)] = more;
    return true;
  }

  bool add_follow(std::size_t i) {
    const grammar::Node& node = grammar_.nodes[i];
    const auto children = grammar_.children_of(node);
    ByteSet after = follow_[i];
    bool changed = false;
    switch (node.kind) {
      case grammar::NodeKind::kRule: return add(grammar_.rules[node.payload].body, after);
      case grammar::NodeKind::kRepeat:
        if (node.max > 1) after |= first_[index(children[0])];
        return add(children[0], after);
      case grammar::NodeKind::kChoice:
        for (const NodeId child : children) changed = add(child, after) || changed;
        return changed;
      case grammar::NodeKind::kSequence:
        for (std::size_t c = children.size(); c-- > 0;) {
          changed = add(children[c], after) || changed;
          ByteSet before = first_[index(children[c])];
          if (nullable_[index(children[c])]) before |= after;
          after = before;
        }
        return changed;
      default: return false;
    }
  }

  grammar::Grammar& grammar_;
  std::vector<bool> nullable_;  // by node, like the next two
  std::vector<ByteSet> first_;
  std::vector<ByteSet> follow_;
};

// Finds the bytes by which competing terminals continue where one of them ends, by matching all of them together.
class Competition {
 public:
  Competition(grammar::Grammar& grammar, std::size_t first, const Limits& limits)
      : grammar_(grammar), limits_(limits), continuing_bytes_(grammar.terminals.size()) {
    for (std::size_t t = first; t < grammar.terminals.size(); ++t) {
      if (base::competes(grammar.terminals[t].mode)) competing_.push_back(static_cast<std::uint32_t>(t));
    }
  }

  // Returns false if they reach too many states together, or if a lazy terminal ends while others are in progress.
  bool run() {
    std::size_t fuel = kMaxCompetitionDerivatives;
    JointLexemes lexemes(grammar_.exprs, grammar_.terminals, limits_.regex_fuel, fuel);
    ByteSet taken;  // by some terminal, in the state that is visited
    return lexemes.explore(
        competing_,
        [&](const JointLexemes::State&, const ByteSet& bytes, JointLexemes::State& next) {
          if (!next.empty()) taken |= bytes;
          const auto ended =
              std::erase_if(next, [&](const auto& one) { return lexemes.ends_lazily(one.first, one.second); });
          return ended == 0 || next.empty();
        },
        [&](const JointLexemes::State& state) {
          for (const auto& [terminal, residual] : state) {
            if (grammar_.exprs.nullable(residual)) continuing_bytes_[terminal] |= taken;
          }
          taken = ByteSet();
          return true;
        });
  }

  // Returns the bytes with which some competitor continues at a place where the terminal ends.
  [[nodiscard]] const ByteSet& continuing_bytes(std::size_t terminal) const { return continuing_bytes_[terminal]; }

 private:
  grammar::Grammar& grammar_;
  const Limits& limits_;
  std::vector<std::uint32_t> competing_;
  std::vector<ByteSet> continuing_bytes_;  // by terminal
};

}  // namespace

bool drop_competition(grammar::Grammar& grammar, std::size_t first, const Limits& limits) {
  Competition competition(grammar, first, limits);
  if (!competition.run()) return false;
  Follow follow(grammar);
  if (!follow.find()) return false;
  for (std::size_t t = first; t < grammar.terminals.size(); ++t) {
    if (grammar.terminals[t].mode == LexemeMode::kLongest &&
        !(competition.continuing_bytes(t) & follow.after(t)).is_empty())
      return false;
  }
  for (std::size_t t = first; t < grammar.terminals.size(); ++t) {
    LexemeMode& mode = grammar.terminals[t].mode;
    mode = without_competition(mode);
  }
  return true;
}

}  // namespace weir::frontend::lark
