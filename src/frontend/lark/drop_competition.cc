#include "frontend/lark/drop_competition.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
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

// How a text may begin: its first byte, and its first lexeme if that is of a terminal.
class Begins {
 public:
  Begins() = default;
  Begins(ByteSet bytes)
      : bytes_(bytes) {}  // NOLINT(google-explicit-constructor): a set of bytes is one, of no terminal
  static Begins terminal(std::size_t number, const ByteSet& bytes) {
    Begins begins(bytes);
    begins.terminals_.resize(number / 64 + 1);
    begins.terminals_.back() = std::uint64_t{1} << (number % 64);
    return begins;
  }

  Begins& operator|=(const Begins& other) {
    bytes_ |= other.bytes_;
    if (terminals_.size() < other.terminals_.size()) terminals_.resize(other.terminals_.size());
    for (std::size_t i = 0; i < other.terminals_.size(); ++i) terminals_[i] |= other.terminals_[i];
    return *this;
  }
  friend bool operator==(const Begins&, const Begins&) = default;

  [[nodiscard]] const ByteSet& bytes() const { return bytes_; }
  [[nodiscard]] std::vector<std::uint32_t> terminals() const {
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < terminals_.size() * 64; ++i) {
      if ((terminals_[i / 64] >> (i % 64) & 1) != 0) numbers.push_back(static_cast<std::uint32_t>(i));
    }
    return numbers;
  }

 private:
  ByteSet bytes_;
  std::vector<std::uint64_t> terminals_;  // one bit each; the last word is not 0
};

// How the text after each node may begin according to the grammar.
class Follow {
 public:
  // What is kept of beginnings.
  enum class Kept : std::uint8_t { kBytes, kTerminalsToo };

  Follow(grammar::Grammar& grammar, Kept kept)
      : grammar_(grammar),
        kept_(kept),
        nullable_(grammar.nodes.size(), false),
        first_(grammar.nodes.size()),
        follow_(grammar.nodes.size()) {}

  // Returns false if the fixpoint takes too many rounds.
  bool find() {
    return to_fixpoint([this](std::size_t i) { return add_first(i); }, false) &&
           to_fixpoint([this](std::size_t i) { return add_follow(i); }, true);
  }

  // How the text after any occurrence of a terminal may begin, by terminal.
  [[nodiscard]] std::vector<Begins> after_terminals() const {
    std::vector<Begins> after(grammar_.terminals.size());
    for (std::size_t i = 0; i < grammar_.nodes.size(); ++i) {
      const grammar::Node& node = grammar_.nodes[i];
      if (node.kind == grammar::NodeKind::kTerminal) after[node.payload] |= follow_[i];
    }
    return after;
  }
  [[nodiscard]] const Begins& first(NodeId node) const { return first_[index(node)]; }

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

  bool set(std::size_t i, bool nullable, Begins first) {
    first |= first_[i];
    const bool changed = nullable != nullable_[i] || !(first == first_[i]);
    nullable_[i] = nullable;
    first_[i] = std::move(first);
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
        const ByteSet bytes = grammar_.exprs.first_bytes(expr);
        return set(i, grammar_.exprs.nullable(expr),
                   kept_ == Kept::kBytes ? Begins(bytes) : Begins::terminal(node.payload, bytes));
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
    Begins first;
    for (const NodeId child : children) {
      first |= first_[index(child)];
      if (is_sequence && !nullable_[index(child)]) return set(i, false, first);
      nullable = nullable || nullable_[index(child)];
    }
    return set(i, nullable, first);
  }

  bool add(NodeId node, const Begins& begins) {
    Begins more = follow_[index(node)];
    more |= begins;
    if (more == follow_[index(node)]) return false;
    follow_[index(node)] = std::move(more);
    return true;
  }

  bool add_follow(std::size_t i) {
    const grammar::Node& node = grammar_.nodes[i];
    const auto children = grammar_.children_of(node);
    Begins after = follow_[i];
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
          Begins before = first_[index(children[c])];
          if (nullable_[index(children[c])]) before |= after;
          after = std::move(before);
        }
        return changed;
      default: return false;
    }
  }

  grammar::Grammar& grammar_;
  Kept kept_;
  std::vector<bool> nullable_;  // by node, like the next two
  std::vector<Begins> first_;
  std::vector<Begins> follow_;
};

// Decides whether competition has an effect at places where given terminals may begin.
class Competition {
 public:
  Competition(grammar::Grammar& grammar, std::vector<Begins> after, const Limits& limits)
      : grammar_(grammar),
        after_(std::move(after)),
        fuel_(kMaxCompetitionDerivatives),
        lexemes_(grammar.exprs, grammar.terminals, limits.regex_fuel, fuel_) {}

  // Returns true if it certainly has none where any of `competing` may begin, however many of them do.
  bool has_no_effect_among(const std::vector<std::uint32_t>& competing) {
    ByteSet taken;  // by some terminal, in the state that is visited
    return lexemes_.explore(
        competing,
        [&](const JointLexemes::State&, const ByteSet& bytes, JointLexemes::State& next) {
          if (!next.empty()) taken |= bytes;
          std::vector<std::uint32_t> ends;
          for (const auto& [terminal, residual] : next) {
            if (grammar_.exprs.nullable(residual)) ends.push_back(terminal);
          }
          if (!ends.empty()) ends_.insert(std::move(ends));
          const auto ended =
              std::erase_if(next, [&](const auto& one) { return lexemes_.ends_lazily(one.first, one.second); });
          return ended == 0 || next.empty();
        },
        [&](const JointLexemes::State& state) {
          const bool none = std::ranges::none_of(state, [&](const auto& one) {
            return grammar_.exprs.nullable(one.second) && !(after_[one.first].bytes() & taken).is_empty();
          });
          taken = ByteSet();
          return none;
        });
  }

  // The same for a grammar whose lexemes are all of competing terminals, and whose texts begin with any of `first`. A
  // lexeme then ends in one place, and terminals compete there only if they may follow one that has this lexeme.
  bool has_no_effect_from(const std::vector<std::uint32_t>& first) {
    std::set<std::vector<std::uint32_t>> places{first};
    std::vector<const std::vector<std::uint32_t>*> queue{&*places.begin()};
    while (!queue.empty()) {
      const std::vector<std::uint32_t>& place = *queue.back();
      queue.pop_back();
      ends_.clear();
      if (!has_no_effect_among(place)) return false;
      for (const std::vector<std::uint32_t>& terminals : ends_) {
        Begins next;
        for (const std::uint32_t terminal : terminals) next |= after_[terminal];
        const auto [known, is_new] = places.insert(next.terminals());
        if (is_new) queue.push_back(&*known);
      }
    }
    return true;
  }

 private:
  grammar::Grammar& grammar_;
  std::vector<Begins> after_;  // by terminal
  std::size_t fuel_;
  JointLexemes lexemes_;
  std::set<std::vector<std::uint32_t>> ends_;  // which terminals end with one lexeme, in the states visited
};

// Returns true if all lexemes of a rule are of competing terminals, at any depth.
bool has_only_competing(const grammar::Grammar& grammar, grammar::RuleId rule) {
  std::vector<bool> is_known(grammar.nodes.size());
  std::vector<NodeId> open{grammar.rules[static_cast<std::size_t>(rule)].body};
  while (!open.empty()) {
    const auto at = static_cast<std::size_t>(open.back());
    open.pop_back();
    if (is_known[at]) continue;
    is_known[at] = true;
    const grammar::Node& node = grammar.nodes[at];
    switch (node.kind) {
      case grammar::NodeKind::kTokens:
      case grammar::NodeKind::kLazy: return false;
      case grammar::NodeKind::kTerminal:
        if (!base::competes(grammar.terminals[node.payload].mode)) return false;
        break;
      case grammar::NodeKind::kRule: open.push_back(grammar.rules[node.payload].body); break;
      default: break;
    }
    for (const NodeId child : grammar.children_of(node)) open.push_back(child);
  }
  return true;
}

}  // namespace

bool drop_competition(grammar::Grammar& grammar, grammar::RuleId start, std::size_t first, const Limits& limits) {
  std::vector<std::uint32_t> competing;
  for (std::size_t t = first; t < grammar.terminals.size(); ++t) {
    if (base::competes(grammar.terminals[t].mode)) competing.push_back(static_cast<std::uint32_t>(t));
  }
  const NodeId body = grammar.rules[static_cast<std::size_t>(start)].body;
  const auto is_shown = [&](Follow::Kept kept) {
    Follow follow(grammar, kept);
    if (!follow.find()) return false;
    Competition competition(grammar, follow.after_terminals(), limits);
    return kept == Follow::Kept::kBytes ? competition.has_no_effect_among(competing)
                                        : competition.has_no_effect_from(follow.first(body).terminals());
  };
  const auto has_few_places = [&] {
    return grammar.nodes.size() * grammar.terminals.size() <= kMaxCompetitionBits && has_only_competing(grammar, start);
  };
  if (!is_shown(Follow::Kept::kBytes) && !(has_few_places() && is_shown(Follow::Kept::kTerminalsToo))) return false;
  for (const std::uint32_t t : competing) {
    LexemeMode& mode = grammar.terminals[t].mode;
    mode = without_competition(mode);
  }
  return true;
}

}  // namespace weir::frontend::lark
