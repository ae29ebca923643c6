#include "convert/resolve_competition.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/lexeme_mode.h"
#include "convert/occurrences.h"
#include "convert/search_bounds.h"
#include "frontend/lark/lark.h"
#include "grammar/joint_lexemes.h"
#include "grammar/passes/unused.h"
#include "regex/analysis/members.h"
#include "regex/expr/byte_set.h"

namespace weir::frontend::convert {

namespace {

using base::LexemeMode;
using grammar::JointLexemes;
using grammar::NodeId;
using grammar::NodeKind;
using grammar::RuleId;
using regex::ByteSet;
using regex::Emptiness;
using regex::ExprId;

std::size_t index_of(NodeId id) { return static_cast<std::size_t>(id); }

// The bytes by which the text may not continue after a lexeme of each terminal, and the languages of terminals.
class Competitors {
 public:
  Competitors(grammar::Grammar& grammar, const Limits& limits) : grammar_(grammar), limits_(limits) {}

  [[nodiscard]] bool competes(std::uint32_t terminal) const {
    return base::competes(grammar_.terminals[terminal].mode);
  }

  const ByteSet& first_bytes(ExprId expr) {
    const auto [known, is_new] = first_bytes_.try_emplace(expr);
    if (is_new) known->second = grammar_.exprs.first_bytes(expr);
    return known->second;
  }

  [[nodiscard]] bool is_empty(ExprId expr) {
    return regex::emptiness(grammar_.exprs, expr, limits_.regex_fuel) == Emptiness::kEmpty;
  }

  /// Returns true if two texts of the terminal, one after the other, are always a text of it.
  bool is_closed(std::uint32_t terminal) {
    const ExprId one = grammar_.terminals[terminal].expr;
    const ExprId rest = grammar_.exprs.difference(grammar_.exprs.concat(one, one), one);
    return rest != ExprId::kOverflow && is_empty(rest);
  }

  bool have_common_text(std::uint32_t a, std::uint32_t b) {
    if (a == b) return true;
    const auto [known, is_new] = common_.try_emplace(std::minmax(a, b), true);
    if (!is_new) return known->second;
    const ExprId both = grammar_.exprs.intersection(grammar_.terminals[a].expr, grammar_.terminals[b].expr);
    return known->second = both == ExprId::kOverflow || !is_empty(both);
  }

  /// Returns the bytes of `after` by which some terminal of `all`, among them `terminal`, continues where `terminal`
  /// may end. Returns nullopt if these are not the same at all of its ends, or not those by which a terminal of `sure`
  /// continues; or if a lazy terminal ends while another one is in progress; or at a limit.
  std::optional<ByteSet> forbidden_after(std::uint32_t terminal, const std::set<std::uint32_t>& all,
                                         const std::set<std::uint32_t>& sure, const ByteSet& after) {
    JointLexemes lexemes(grammar_.exprs, grammar_.terminals, limits_.regex_fuel, fuel_);
    std::optional<ByteSet> found;
    ByteSet by_all, by_sure;  // bytes that some terminal takes in the state that is visited, and one of `sure`
    const auto on_step = [&](const JointLexemes::State&, const ByteSet& bytes, JointLexemes::State& next) {
      if (!next.empty()) by_all |= bytes;
      if (std::ranges::any_of(next, [&](const auto& one) { return sure.contains(one.first); })) by_sure |= bytes;
      const auto ended =
          std::erase_if(next, [&](const auto& one) { return lexemes.ends_lazily(one.first, one.second); });
      if (ended > 0 && !next.empty()) return false;
      if (std::ranges::find(next, terminal, &JointLexemes::State::value_type::first) == next.end()) next.clear();
      return true;
    };
    const auto on_state = [&](const JointLexemes::State& state) {
      const ByteSet here = by_all & after, surely_here = by_sure & after;
      by_all = by_sure = ByteSet();
      const auto own = std::ranges::find(state, terminal, &JointLexemes::State::value_type::first);
      const bool is_lazy = grammar_.terminals[terminal].mode == LexemeMode::kShortest;
      if (is_lazy || !grammar_.exprs.nullable(own->second)) return true;
      if (here != surely_here || found.value_or(here) != here) return false;
      found = here;
      return true;
    };
    if (!lexemes.explore({all.begin(), all.end()}, on_step, on_state)) return std::nullopt;
    return found.value_or(ByteSet());
  }

 private:
  grammar::Grammar& grammar_;
  const Limits& limits_;
  std::map<ExprId, ByteSet> first_bytes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> common_;
  std::size_t fuel_ = kMaxDerivatives;
};

// Finds the bytes that must not follow each terminal.
class Resolution {
 public:
  Resolution(grammar::Grammar& grammar, const Limits& limits, const std::vector<bool>& is_ignored)
      : grammar_(grammar),
        competitors_(grammar, limits),
        live_(grammar::find_live(grammar)),
        none_left_out_(grammar.rules.size(), false),
        all_(grammar, live_, none_left_out_),
        significant_(grammar, live_, is_ignored) {
    for (std::size_t r = 0; r < grammar.rules.size(); ++r) {
      if (is_ignored[r] && live_.rules[r]) add_terminals(all_.first(grammar.rules[r].body), ignored_);
    }
  }

  /// Returns the sets by terminal; nullopt if there are none.
  std::optional<std::vector<ByteSet>> find() {
    forbidden_.resize(grammar_.terminals.size());
    const std::vector<NumberSet> together = significant_.allowed_together();
    std::set<NumberSet> seen;
    std::deque<const NumberSet*> queue;
    const auto visit = [&](const NumberSet& place) {
      const auto [known, is_new] = seen.insert(place);
      if (is_new) queue.push_back(&*known);
    };
    visit(significant_.first(grammar_.rule(grammar_.start).body));
    for (; !queue.empty(); queue.pop_front()) {
      if (seen.size() > kMaxPlaces) return std::nullopt;
      const NumberSet& place = *queue.front();
      if (!examine(place, together)) return std::nullopt;
      place.for_each([&](std::size_t occurrence) { visit(place_after(place, occurrence)); });
    }
    std::vector<ByteSet> out(forbidden_.size());
    for (std::size_t t = 0; t < out.size(); ++t) out[t] = forbidden_[t].value_or(ByteSet());
    return out;
  }

 private:
  void add_terminals(const NumberSet& occurrences, std::set<std::uint32_t>& out) const {
    occurrences.for_each([&](std::size_t one) {
      if (all_.is_terminal(one) && competitors_.competes(all_.node(one).payload)) out.insert(all_.node(one).payload);
    });
  }

  // Returns what may be allowed after a lexeme of this occurrence: other occurrences may have matched the same lexeme.
  NumberSet place_after(const NumberSet& place, std::size_t occurrence) {
    NumberSet next = significant_.following(occurrence);
    if (!significant_.is_terminal(occurrence)) return next;
    place.for_each([&](std::size_t other) {
      if (significant_.is_terminal(other) &&
          competitors_.have_common_text(significant_.node(occurrence).payload, significant_.node(other).payload)) {
        next.unite(significant_.following(other));
      }
    });
    return next;
  }

  bool examine(const NumberSet& place, const std::vector<NumberSet>& together) {
    std::set<std::uint32_t> allowed = ignored_;
    std::map<std::uint32_t, std::optional<NumberSet>> sure;  // by terminal: what is allowed with each occurrence of it
    place.for_each([&](std::size_t one) {
      if (!significant_.is_terminal(one) || !competitors_.competes(significant_.node(one).payload)) return;
      allowed.insert(significant_.node(one).payload);
      std::optional<NumberSet>& with = sure[significant_.node(one).payload];
      with.has_value() ? with->intersect(together[one]) : static_cast<void>(with = together[one]);
    });
    for (const std::uint32_t terminal : allowed) {
      std::set<std::uint32_t> surely{terminal};
      if (const auto with = sure.find(terminal); with != sure.end()) {
        with->second->for_each([&](std::size_t one) {
          if (significant_.is_terminal(one)) surely.insert(significant_.node(one).payload);
        });
      }
      if (!known_.insert({terminal, allowed, surely}).second) continue;
      const std::optional<ByteSet> bytes =
          competitors_.forbidden_after(terminal, allowed, surely, bytes_after(terminal));
      std::optional<ByteSet>& before = forbidden_[terminal];
      if (!bytes || before.value_or(*bytes) != *bytes) return false;
      before = bytes;
    }
    return true;
  }

  // Returns the bytes that may follow the terminal in the grammar.
  ByteSet bytes_after(std::uint32_t terminal) {
    const auto [known, is_new] = after_.try_emplace(terminal);
    if (!is_new) return known->second;
    NumberSet next(all_.count());
    for (std::size_t one = 0; one < all_.count(); ++one) {
      if (all_.is_terminal(one) && all_.node(one).payload == terminal) next.unite(all_.following(one));
    }
    next.for_each([&](std::size_t one) {
      if (!all_.is_terminal(one)) return;
      known->second |= competitors_.first_bytes(grammar_.terminals[all_.node(one).payload].expr);
    });
    return known->second;
  }

  grammar::Grammar& grammar_;
  Competitors competitors_;
  const grammar::Live live_;
  const std::vector<bool> none_left_out_;
  const Occurrences all_;
  const Occurrences significant_;  // without ignored text, which is allowed everywhere
  std::set<std::uint32_t> ignored_;
  std::vector<std::optional<ByteSet>> forbidden_;  // by terminal
  std::map<std::uint32_t, ByteSet> after_;
  std::set<std::tuple<std::uint32_t, std::set<std::uint32_t>, std::set<std::uint32_t>>> known_;
};

// Writes each part of a grammar once for each set of bytes that it may not begin with and each set that holds after it.
class Variants {
 public:
  Variants(grammar::Grammar& grammar, const std::vector<ByteSet>& forbidden, const Limits& limits)
      : grammar_(grammar),
        competitors_(grammar, limits),
        live_(grammar::find_live(grammar)),
        none_left_out_(grammar.rules.size(), false),
        occurrences_(grammar, live_, none_left_out_),
        node_count_(grammar.nodes.size()),
        rule_count_(grammar.rules.size()) {
    for (const ByteSet& bytes : forbidden) {
      const auto known = std::ranges::find(sets_, bytes);
      state_after_.push_back(static_cast<std::size_t>(known - sets_.begin()));
      if (known == sets_.end()) sets_.push_back(bytes);
    }
  }

  /// Returns false, and leaves the grammar unfinished, if there are too many parts, or parts that cannot be written.
  bool write() {
    if (sets_.size() > kMaxSets || node_count_ * sets_.size() * sets_.size() > kMaxVariants) return false;
    for (std::size_t r = 0; r < rule_count_; ++r) {
      const grammar::Rule& rule = grammar_.rules[r];
      const bool is_plain = rule.follow == ExprId::kAllStrings && rule.ahead == NodeId::kEmpty && !rule.parts.exist();
      if (live_.rules[r] && !is_plain) return false;
    }
    find_ends();
    make_rules();
    return write_nodes() && set_start();
  }

 private:
  using Ends =
      std::array<std::uint8_t, kMaxSets>;  // for each set before a part, the sets that may hold after it, as bits

  [[nodiscard]] std::size_t states() const { return sets_.size(); }

  // What a part begins with decides which sets before it make a difference.
  [[nodiscard]] ByteSet first_bytes(NodeId id) {
    ByteSet bytes;
    occurrences_.first(id).for_each([&](std::size_t one) {
      if (occurrences_.is_terminal(one)) {
        bytes |= competitors_.first_bytes(grammar_.terminals[occurrences_.node(one).payload].expr);
      }
    });
    return bytes;
  }

  void find_ends() {
    ends_.assign(node_count_, Ends{});
    before_.resize(node_count_);
    for (std::size_t n = 0; n < node_count_; ++n) {
      if (!live_.nodes[n]) continue;
      const NodeId id{static_cast<std::uint32_t>(n)};
      const ByteSet bytes = first_bytes(id);
      for (std::size_t i = 0; i < states(); ++i) {
        const bool matters = occurrences_.is_nullable(id) || !(bytes & sets_[i]).is_empty();
        before_[n][i] = static_cast<std::uint8_t>(matters ? i : 0);
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t n = 0; n < node_count_; ++n) {
        if (!live_.nodes[n]) continue;
        for (std::size_t i = 0; i < states(); ++i) {
          const std::uint8_t now = ends_of(n, i);
          changed = changed || now != ends_[n][i];
          ends_[n][i] = now;
        }
      }
    }
  }

  [[nodiscard]] std::uint8_t after(NodeId id, std::uint8_t before) const {
    std::uint8_t out = 0;
    for (std::size_t i = 0; i < states(); ++i) {
      if ((before >> i & 1U) != 0) out |= ends_[index_of(id)][i];
    }
    return out;
  }

  std::uint8_t ends_of(std::size_t n, std::size_t i) {
    const grammar::Node& node = grammar_.nodes[n];
    const auto children = grammar_.children_of(node);
    auto out = static_cast<std::uint8_t>(1U << i);
    switch (node.kind) {
      case NodeKind::kTerminal:
        return restricted(node.payload, i) == ExprId::kNothing
                   ? std::uint8_t{0}
                   : static_cast<std::uint8_t>(1U << state_after_[node.payload]);
      case NodeKind::kTokens: return 1;
      case NodeKind::kRule: return ends_[index_of(grammar_.rules[node.payload].body)][i];
      case NodeKind::kSequence:
        for (const NodeId child : children) out = after(child, out);
        return out;
      case NodeKind::kChoice:
        out = 0;
        for (const NodeId child : children) out |= ends_[index_of(child)][i];
        return out;
      case NodeKind::kRepeat: break;
      default: return out;
    }
    for (std::uint32_t c = 0; c < std::min(node.min, kMaxCopies); ++c) out = after(children[0], out);
    const std::uint32_t more = std::min(node.max == regex::kUnbounded ? kMaxCopies : node.max - node.min, kMaxCopies);
    std::uint8_t last = out;
    for (std::uint32_t c = 0; c < more; ++c) out |= last = after(children[0], last);
    return out;
  }

  // Returns the terminal's texts that do not begin with a byte of the set; kNothing if there are none.
  ExprId restricted(std::uint32_t terminal, std::size_t i) {
    const ExprId expr = grammar_.terminals[terminal].expr;
    const ByteSet first = competitors_.first_bytes(expr);
    if ((first & sets_[i]).is_empty()) return expr;
    const auto [known, is_new] = restricted_.try_emplace({terminal, i}, ExprId::kNothing);
    if (!is_new) return known->second;
    const ByteSet others = first & ~sets_[i];
    if (others.is_empty()) return ExprId::kNothing;
    regex::ExprSet& exprs = grammar_.exprs;
    const ExprId any = exprs.repeat(exprs.byte_set(ByteSet::all()), 0, regex::kUnbounded);
    const ExprId both = exprs.intersection(expr, exprs.concat(exprs.byte_set(others), any));
    return known->second = both == ExprId::kOverflow || competitors_.is_empty(both) ? ExprId::kNothing : both;
  }

  // Makes the rules, whose bodies write_nodes() writes.
  void make_rules() {
    for (std::size_t r = 0; r < rule_count_; ++r) {
      if (!live_.rules[r]) continue;
      const std::size_t body = index_of(grammar_.rules[r].body);
      for (std::size_t i = 0; i < states(); ++i) {
        for (std::size_t o = 0; o < states(); ++o) {
          if (before_[body][i] != i || (ends_[body][i] >> o & 1U) == 0) continue;
          grammar::Rule copy = grammar_.rules[r];
          rules_[{r, i, o}] = grammar_.add_rule(std::move(copy));
        }
      }
    }
  }

  bool write_nodes() {
    for (std::size_t n = 0; n < node_count_; ++n) {
      if (!live_.nodes[n]) continue;
      for (std::size_t i = 0; i < states(); ++i) {
        for (std::size_t o = 0; o < states(); ++o) {
          if (before_[n][i] != i || (ends_[n][i] >> o & 1U) == 0) continue;
          const std::optional<NodeId> made = write_node(n, i, o);
          if (!made) return false;
          nodes_[{n, i, o}] = *made;
        }
      }
    }
    for (const auto& [key, rule] : rules_) {
      const auto& [r, i, o] = key;
      grammar_.rule(rule).body = written(grammar_.rules[r].body, i, o);
    }
    return true;
  }

  [[nodiscard]] NodeId written(NodeId id, std::size_t i, std::size_t o) const {
    return nodes_.at({index_of(id), before_[index_of(id)][i], o});
  }
  [[nodiscard]] bool leads(NodeId id, std::size_t i, std::size_t o) const {
    return (ends_[index_of(id)][i] >> o & 1U) != 0;
  }

  std::optional<NodeId> write_node(std::size_t n, std::size_t i, std::size_t o) {
    const grammar::Node node = grammar_.nodes[n];
    const auto given = grammar_.children_of(node);
    const std::vector<NodeId> children(given.begin(), given.end());
    switch (node.kind) {
      case NodeKind::kTerminal: {
        const ExprId expr = restricted(node.payload, i);
        const grammar::Terminal& terminal = grammar_.terminals[node.payload];
        if (expr == terminal.expr) {
          return grammar_.add_terminal_reference(grammar::TerminalId{node.payload}, node.where);
        }
        return grammar_.add_terminal({expr, base::without_competition(terminal.mode), terminal.name, terminal.where});
      }
      case NodeKind::kRule: {
        const NodeId body = grammar_.rules[node.payload].body;
        return grammar_.add_rule_reference(rules_.at({node.payload, before_[index_of(body)][i], o}), node.where);
      }
      case NodeKind::kChoice: {
        std::vector<NodeId> ways;
        for (const NodeId child : children) {
          if (leads(child, i, o)) ways.push_back(written(child, i, o));
        }
        return grammar_.add_choice(ways, node.where);
      }
      case NodeKind::kSequence: return write_sequence(children, i, o, node.where);
      case NodeKind::kRepeat: return write_repeat(node, children[0], i, o);
      case NodeKind::kTokens: return NodeId{static_cast<std::uint32_t>(n)};
      default: return NodeId::kEmpty;
    }
  }

  // Backwards: `ways[s]` is the rest of the sequence from set s to set o.
  NodeId write_sequence(const std::vector<NodeId>& parts, std::size_t i, std::size_t o, SourceRange where) {
    std::vector<std::uint8_t> reached{static_cast<std::uint8_t>(1U << i)};
    for (const NodeId part : parts) reached.push_back(after(part, reached.back()));
    std::array<std::optional<NodeId>, kMaxSets> ways{};
    ways[o] = NodeId::kEmpty;
    for (std::size_t p = parts.size(); p-- > 0;) ways = before_part(parts[p], reached[p], ways, where);
    return *ways[i];
  }

  using Ways = std::array<std::optional<NodeId>, kMaxSets>;

  // Returns, for each set that may hold before the part, the part followed by the way from there.
  Ways before_part(NodeId part, std::uint8_t reached, const Ways& rest, SourceRange where) {
    Ways out{};
    for (std::size_t s = 0; s < states(); ++s) {
      if ((reached >> s & 1U) == 0) continue;
      std::vector<NodeId> choices;
      for (std::size_t m = 0; m < states(); ++m) {
        if (!rest[m] || !leads(part, s, m)) continue;
        std::vector<NodeId> pair;
        for (const NodeId one : {written(part, s, m), *rest[m]}) {
          if (one != NodeId::kEmpty) pair.push_back(one);
        }
        choices.push_back(grammar_.add_sequence(pair, where));
      }
      if (!choices.empty()) out[s] = grammar_.add_choice(choices, where);
    }
    return out;
  }

  std::optional<NodeId> write_repeat(const grammar::Node& node, NodeId part, std::size_t i, std::size_t o) {
    const bool is_unbounded = node.max == regex::kUnbounded;
    const std::uint8_t once = ends_[index_of(part)][i];
    if (once == 0) return NodeId::kEmpty;  // not even once, so the minimum is 0
    const auto j = static_cast<std::size_t>(std::countr_zero(once));
    if (once == 1U << j &&
        ends_[index_of(part)][j] == once) {  // the first one leads to set j, and the others stay there
      const std::uint32_t more = is_unbounded ? regex::kUnbounded : node.max - 1;
      if (i == j) return grammar_.add_repeat(written(part, i, i), node.min, node.max, node.where);
      if (o == i) return NodeId::kEmpty;
      std::vector<NodeId> parts{written(part, i, j)};
      if (more != 0) {
        parts.push_back(grammar_.add_repeat(written(part, j, j), std::max(node.min, 1U) - 1, more, node.where));
      }
      return grammar_.add_sequence(parts, node.where);
    }
    if (node.min > kMaxCopies || (!is_unbounded && node.max > kMaxCopies)) return std::nullopt;
    Ways ways{};
    if (is_unbounded) {
      const std::array<RuleId, kMaxSets> loop = write_loop(part, o, node.where);
      for (std::size_t s = 0; s < states(); ++s) {
        if (loop_leads(part, s, o)) ways[s] = grammar_.add_rule_reference(loop[s], node.where);
      }
    } else {
      ways[o] = NodeId::kEmpty;
      for (std::uint32_t c = node.min; c < node.max; ++c) {
        Ways more = before_part(part, kAll, ways, node.where);
        const NodeId end_or_more[] = {NodeId::kEmpty, more[o].value_or(NodeId::kEmpty)};
        more[o] = more[o] ? grammar_.add_choice(end_or_more, node.where) : NodeId::kEmpty;
        ways = more;
      }
    }
    for (std::uint32_t c = 0; c < node.min; ++c) ways = before_part(part, kAll, ways, node.where);
    return ways[i];
  }

  static constexpr std::uint8_t kAll = 0xFF;

  [[nodiscard]] bool loop_leads(NodeId part, std::size_t from, std::size_t to) const {
    auto reached = static_cast<std::uint8_t>(1U << from);
    for (std::size_t c = 0; c < states(); ++c) reached |= after(part, reached);
    return (reached >> to & 1U) != 0;
  }

  // Returns a rule for each set: any number of the part, from that set to set `o`.
  std::array<RuleId, kMaxSets> write_loop(NodeId part, std::size_t o, SourceRange where) {
    const auto [known, is_new] = loops_.try_emplace({index_of(part), o});
    if (!is_new) return known->second;
    for (std::size_t s = 0; s < states(); ++s) {
      if (!loop_leads(part, s, o)) continue;
      known->second[s] = grammar_.add_rule({.name = "more", .where = where, .defined = true, .generated = true});
    }
    for (std::size_t s = 0; s < states(); ++s) {
      if (!loop_leads(part, s, o)) continue;
      std::vector<NodeId> choices;
      for (std::size_t m = 0; m < states(); ++m) {
        if (!leads(part, s, m) || !loop_leads(part, m, o)) continue;
        const NodeId pair[] = {written(part, s, m), grammar_.add_rule_reference(known->second[m], where)};
        choices.push_back(grammar_.add_sequence(pair, where));
      }
      if (s == o) choices.push_back(NodeId::kEmpty);
      grammar_.rule(known->second[s]).body = grammar_.add_choice(choices, where);
    }
    return known->second;
  }

  // The new start rule ends with any set.
  bool set_start() {
    const grammar::Rule& start = grammar_.rule(grammar_.start);
    std::vector<NodeId> ways;
    std::optional<RuleId> only;
    for (std::size_t o = 0; o < states(); ++o) {
      if (!leads(start.body, 0, o)) continue;
      only = rules_.at({static_cast<std::size_t>(grammar_.start), 0, o});
      ways.push_back(grammar_.add_rule_reference(*only, start.where));
    }
    if (ways.empty()) return false;
    if (ways.size() > 1) {
      const NodeId body = grammar_.add_choice(ways, start.where);
      only = grammar_.add_rule({.name = start.name, .body = body, .where = start.where, .defined = true});
    }
    grammar_.start = *only;
    return true;
  }

  grammar::Grammar& grammar_;
  Competitors competitors_;
  const grammar::Live live_;
  const std::vector<bool> none_left_out_;
  const Occurrences occurrences_;
  const std::size_t node_count_, rule_count_;  // of the grammar that was given
  std::vector<ByteSet> sets_{ByteSet()};       // the first one is empty: any byte may follow
  std::vector<std::size_t> state_after_;       // by terminal: an index into sets_
  std::vector<Ends> ends_;                     // by node
  std::vector<Ends> before_;                   // by node: the set that has the same effect, 0 if it has none
  std::map<std::pair<std::uint32_t, std::size_t>, ExprId> restricted_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, RuleId> rules_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, NodeId> nodes_;
  std::map<std::pair<std::size_t, std::size_t>, std::array<RuleId, kMaxSets>> loops_;
};

bool is_ignored_text(const grammar::Rule& rule) { return rule.generated && rule.name == lark::kIgnoredText; }

// Ignored text is `(A | B)*`. If A never follows itself, because it contains the concatenations of its texts, this is
// `A? (B A?)*`.
void simplify_ignored_text(grammar::Grammar& grammar, RuleId id, Competitors& competitors) {
  const grammar::Node body = grammar.node(grammar.rule(id).body);
  if (body.kind != NodeKind::kRepeat || body.min != 0 || body.max != regex::kUnbounded) return;
  const NodeId one = grammar.children_of(body)[0];
  const grammar::Node& choice = grammar.node(one);
  std::vector<NodeId> others{one};
  if (choice.kind == NodeKind::kChoice) {
    const auto children = grammar.children_of(choice);
    others.assign(children.begin(), children.end());
  }
  const auto closed = std::ranges::find_if(others, [&](NodeId other) {
    const grammar::Node& node = grammar.node(other);
    return node.kind == NodeKind::kTerminal && grammar.terminals[node.payload].mode == LexemeMode::kLongest &&
           competitors.is_closed(node.payload);
  });
  if (closed == others.end()) return;
  const NodeId blanks = grammar.add_repeat(*closed, 0, 1, body.where);
  others.erase(closed);
  NodeId text = blanks;
  if (!others.empty()) {
    const NodeId other = grammar.add_choice(others, body.where);
    const NodeId round[] = {other, blanks};
    const NodeId rounds = grammar.add_repeat(grammar.add_sequence(round, body.where), 0, regex::kUnbounded, body.where);
    const NodeId both[] = {blanks, rounds};
    text = grammar.add_sequence(both, body.where);
  }
  grammar.rule(id).body = text;
}

}  // namespace

bool resolve_competition(grammar::Grammar& grammar, const Limits& limits) {
  const auto competes = [](const grammar::Terminal& terminal) { return base::competes(terminal.mode); };
  if (std::ranges::none_of(grammar.terminals, competes)) return true;
  if (!grammar::competition_is_by_bytes(grammar.exprs, grammar.terminals)) return false;
  grammar::Grammar out = grammar;
  grammar::drop_unused(out, nullptr);
  const auto is_occurrence = [](const grammar::Node& node) {
    return node.kind == NodeKind::kTerminal || node.kind == NodeKind::kTokens;
  };
  const auto occurrences = static_cast<std::size_t>(std::ranges::count_if(out.nodes, is_occurrence));
  if (occurrences * (out.nodes.size() + 1) > kMaxOccurrenceBits) return false;
  Competitors competitors(out, limits);
  std::vector<bool> is_ignored;
  for (std::uint32_t r = 0; r < out.rules.size(); ++r) {
    is_ignored.push_back(is_ignored_text(out.rules[r]));
    if (is_ignored.back()) simplify_ignored_text(out, RuleId{r}, competitors);
  }
  const std::optional<std::vector<ByteSet>> forbidden = Resolution(out, limits, is_ignored).find();
  if (!forbidden) return false;
  const bool has_sets = std::ranges::any_of(*forbidden, [](const ByteSet& bytes) { return !bytes.is_empty(); });
  if (has_sets && !Variants(out, *forbidden, limits).write()) return false;
  for (grammar::Terminal& terminal : out.terminals) terminal.mode = base::without_competition(terminal.mode);
  grammar::drop_unused(out, nullptr);
  grammar = std::move(out);
  return true;
}

}  // namespace weir::frontend::convert
