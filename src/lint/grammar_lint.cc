#include "lint/grammar_lint.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "grammar/passes/live.h"
#include "grammar/regular.h"
#include "lint/search_bounds.h"
#include "regex/analysis/members.h"
#include "regex/unicode/unicode.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::grammar {

namespace {

using regex::ExprId;

constexpr std::size_t kTextBytes = 40;  // longest text shown in a message

class Linter {
 public:
  Linter(Grammar& grammar, const Limits& limits, std::vector<Warning>& warnings)
      : grammar_(grammar),
        fuel_(std::min(limits.regex_fuel, lint::kMemberFuel)),
        warnings_(warnings),
        live_(find_live(grammar)),
        states_(grammar.nodes.size(), State::kNew),
        languages_(grammar.nodes.size()) {}

  void run() {
    for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
      if (!live_.rules[i]) continue;
      visit(grammar_.rules[i].body);
      look_for_both_ends(static_cast<std::uint32_t>(i));
    }
    const ExprId blank = regex::utf8_set(grammar_.exprs, regex::space_characters(regex::ClassMeaning::kEcma));
    blanks_ = grammar_.exprs.repeat(blank, 0, regex::kUnbounded);
    // Parents before children, since look_for_blanks() skips nodes within a node that has been reported.
    for (std::size_t i = grammar_.nodes.size(); i-- > 0;) {
      if (!live_.nodes[i]) continue;
      const Node& node = grammar_.nodes[i];
      if (node.kind == NodeKind::kChoice) compare_alternatives(node);
      if (node.kind == NodeKind::kTerminal || node.kind == NodeKind::kRepeat) {
        look_for_blanks(NodeId{static_cast<std::uint32_t>(i)});
      }
    }
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };

  [[nodiscard]] static std::uint32_t index(NodeId id) { return static_cast<std::uint32_t>(id); }

  // Computes languages_ in post-order, as passes/fold.h does. A rule whose body is still open when a reference to it is
  // visited is recursive.
  void visit(NodeId root) {
    stack_.assign(1, root);
    while (!stack_.empty()) {
      const NodeId id = stack_.back();
      State& state = states_[index(id)];
      const Node& node = grammar_.node(id);
      if (state != State::kNew) {
        stack_.pop_back();
        if (state == State::kOpen) languages_[index(id)] = language(node);
        state = State::kDone;
        continue;
      }
      state = State::kOpen;
      if (node.kind == NodeKind::kRule) push(grammar_.rules[node.payload].body);
      for (const NodeId child : grammar_.children_of(node)) push(child);
    }
  }

  void push(NodeId id) {
    if (states_[index(id)] == State::kNew) stack_.push_back(id);
  }

  // Returns the language of a node; nullopt if it is not regular or that is not known.
  std::optional<ExprId> language(const Node& node) {
    switch (node.kind) {
      case NodeKind::kTokens:
      case NodeKind::kLazy: return std::nullopt;
      case NodeKind::kTerminal: {
        const Terminal& terminal = grammar_.terminals[node.payload];
        return terminal.mode == base::LexemeMode::kExact ? std::optional(terminal.expr) : std::nullopt;
      }
      case NodeKind::kRule: {
        const Rule& rule = grammar_.rules[node.payload];
        const bool known =
            states_[index(rule.body)] == State::kDone && !rule.is_marked() && rule.follow == ExprId::kAllStrings;
        return known ? languages_[index(rule.body)] : std::nullopt;
      }
      default: break;
    }
    std::vector<ExprId> parts;
    for (const NodeId child : grammar_.children_of(node)) {
      if (!languages_[index(child)]) return std::nullopt;
      parts.push_back(*languages_[index(child)]);
    }
    const ExprId whole = combine(grammar_.exprs, node, parts);
    return whole == ExprId::kOverflow ? std::nullopt : std::optional(whole);
  }

  // Returns true if `small` is a subset of `big`. False if it is not, or if the search takes too long.
  bool is_subset(ExprId small, ExprId big) {
    if (questions_ == lint::kMaxQuestions) return false;
    ++questions_;
    const ExprId rest = grammar_.exprs.difference(small, big);
    return rest != ExprId::kOverflow && regex::emptiness(grammar_.exprs, rest, fuel_) == regex::Emptiness::kEmpty;
  }

  void compare_alternatives(const Node& node) {
    if (node.child_count > lint::kMaxCompared) return;
    ExprId before = ExprId::kNothing;
    std::vector<NodeId> seen;
    for (const NodeId child : grammar_.children_of(node)) {
      const std::optional<ExprId> texts = languages_[index(child)];
      // The range of an empty alternative is not known, and other code warns of alternatives that match nothing. Nobody
      // wrote alternatives that have the same place: those of a schema in a structural tag, for example.
      if (!texts || *texts == ExprId::kNothing) continue;
      const auto where = [&](NodeId one) { return grammar_.node(one).where; };
      const bool is_written = child != NodeId::kEmpty && std::ranges::count(seen, where(child), where) == 0;
      if (is_written && before != ExprId::kNothing && is_subset(*texts, before)) {
        report_alternative(child, seen);
      } else {
        if (is_written) look_for_overlap(child, seen);
        before = grammar_.exprs.alternation(before, *texts);
        if (before == ExprId::kOverflow) return;
      }
      seen.push_back(child);
    }
  }

  void report_alternative(NodeId alternative, const std::vector<NodeId>& earlier) {
    const SourceRange where = grammar_.node(alternative).where;
    if (where.end == where.start) return;
    Warning warning{"this alternative adds nothing: earlier ones match every text of it", where,
                    "leave it out, or put it before them", "unreachable-alternative"};
    for (const NodeId other : earlier) {
      if (other == NodeId::kEmpty || !is_subset(*languages_[index(alternative)], *languages_[index(other)])) continue;
      warning.notes.push_back({"this one matches all that it does", grammar_.node(other).where});
      break;
    }
    warnings_.push_back(std::move(warning));
  }

  // Looks for a text that the alternative and an earlier one both match; it then has two parses. Earlier alternatives
  // that are subsets of this one do not count: a special case before the general one, `"if" | [a-z]+`, is intended.
  void look_for_overlap(NodeId alternative, const std::vector<NodeId>& earlier) {
    const SourceRange where = grammar_.node(alternative).where;
    if (where.end == where.start) return;
    const ExprId texts = *languages_[index(alternative)];
    ExprId others = ExprId::kNothing;
    for (const NodeId other : earlier) {
      if (questions_ == lint::kMaxQuestions) return;
      if (other == NodeId::kEmpty || is_subset(*languages_[index(other)], texts)) continue;
      others = grammar_.exprs.alternation(others, *languages_[index(other)]);
    }
    if (others == ExprId::kNothing || others == ExprId::kOverflow) return;
    const std::optional<std::string> text = common_text(texts, others);
    if (!text) return;
    Warning warning{
        "this alternative and one before it both match `" + base::escape_for_display(*text, kTextBytes) + "`", where,
        "such texts have two readings, of which captures follow one; masks are the same", "overlapping-alternatives"};
    for (const NodeId other : earlier) {
      if (other == NodeId::kEmpty || !grammar_.exprs.matches(*languages_[index(other)], *text)) continue;
      warning.notes.push_back({"this one matches it, too", grammar_.node(other).where});
      break;
    }
    warnings_.push_back(std::move(warning));
  }

  // Returns a shortest non-empty text that both match; nullopt if there is none or the search takes too long.
  std::optional<std::string> common_text(ExprId a, ExprId b) {
    if (questions_ == lint::kMaxQuestions) return std::nullopt;
    ++questions_;
    const ExprId both = grammar_.exprs.difference(grammar_.exprs.intersection(a, b), ExprId::kEpsilon);
    if (both == ExprId::kOverflow) return std::nullopt;
    return regex::shortest_member(grammar_.exprs, both, fuel_);
  }

  // Warns of rules such as `e ::= e "+" e | ...`: with three operands, either the first two or the last two may be the
  // inner `e`.
  void look_for_both_ends(std::uint32_t rule) {
    const auto is_rule = [&](NodeId id) {
      const Node& node = grammar_.node(id);
      return node.kind == NodeKind::kRule && node.payload == rule;
    };
    const auto look = [&](NodeId id) {
      const Node& node = grammar_.node(id);
      if (node.kind != NodeKind::kSequence) return;
      const auto parts = grammar_.children_of(node);
      if (!is_rule(parts.front()) || !is_rule(parts.back())) return;
      warnings_.push_back(
          {"rule `" + grammar_.rules[rule].name + "` begins and ends with itself here, so it is ambiguous",
           node.where,
           "a text of three parts has two readings, which cost little; captures follow one of them",
           "ambiguous-rule",
           {}});
    };
    const NodeId body = grammar_.rules[rule].body;
    look(body);
    if (grammar_.node(body).kind != NodeKind::kChoice) return;
    for (const NodeId alternative : grammar_.children_of(grammar_.node(body))) look(alternative);
  }

  void look_for_blanks(NodeId id) {
    const Node& node = grammar_.node(id);
    const std::optional<ExprId> texts = languages_[index(id)];
    if (!texts || *texts == ExprId::kNothing || grammar_.exprs.max_length(*texts) != regex::kUnbounded) return;
    const auto holds_this = [&](const SourceRange& range) {
      return range.start <= node.where.start && node.where.end <= range.end;
    };
    if (std::any_of(reported_.begin(), reported_.end(), holds_this)) return;
    if (!is_subset(*texts, blanks_)) return;
    reported_.push_back(node.where);
    warnings_.push_back({"blanks may go on without end here", node.where,
                         "a model can write nothing else from here on; a bound such as `{0,20}` prevents it",
                         "unbounded-whitespace"});
  }

  Grammar& grammar_;
  std::uint32_t fuel_;
  std::vector<Warning>& warnings_;
  Live live_;
  std::vector<State> states_;                     // by node
  std::vector<std::optional<ExprId>> languages_;  // by node
  std::vector<NodeId> stack_;
  ExprId blanks_ = ExprId::kNothing;
  std::uint32_t questions_ = 0;
  std::vector<SourceRange> reported_;
};

}  // namespace

void lint(Grammar grammar, const Limits& limits, std::vector<Warning>& warnings) {
  Linter(grammar, limits, warnings).run();
}

}  // namespace weir::grammar
