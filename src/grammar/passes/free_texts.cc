#include "grammar/passes/free_texts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/interner.h"
#include "base/work.h"
#include "grammar/growth.h"
#include "regex/analysis/members.h"
#include "regex/syntax/syntax.h"

namespace weir::grammar {

namespace {

using regex::ExprId;

// A search over all that may come after a node.
class Continuations {
 public:
  // A place in a node: before child `dot` of a sequence; before (0) or after (1) the text of any other node. `read` bytes
  // have been read since the search began.
  struct Place {
    NodeId node;
    std::uint32_t dot;
    std::uint32_t read;
  };

  explicit Continuations(const Grammar& grammar) : grammar_(grammar), uses_(grammar.nodes.size()) {
    for (std::uint32_t i = 0; i < grammar.nodes.size(); ++i) {
      const Node& node = grammar.nodes[i];
      const auto children = grammar.children_of(node);
      for (std::uint32_t c = 0; c < children.size(); ++c) add_use(children[c], {NodeId{i}, c, 0});
      if (node.kind == NodeKind::kRule) add_use(grammar.rules[node.payload].body, {NodeId{i}, 0, 0});
    }
  }

  void begin_after(NodeId node) {
    seen_ = {};
    pending_.clear();
    meets_end_ = false;
    visit({node, 1, 0});
  }
  /// Returns the next place before a terminal, tokens or a lazy rule.
  std::optional<Place> next() {
    while (!pending_.empty() && !base::Work::is_met()) {
      const Place place = pending_.back();
      pending_.pop_back();
      base::Work::charge(base::Work::kVisit);
      if (read(place)) return place;
    }
    return std::nullopt;
  }
  /// Continues after the node of a place that next() has returned.
  void continue_after(const Place& place, std::uint32_t read) { visit({place.node, 1, read}); }
  /// Returns true if the end of the start rule has been met.
  [[nodiscard]] bool meets_end() const { return meets_end_; }

 private:
  void add_use(NodeId child, const Place& parent) { uses_[static_cast<std::uint32_t>(child)].push_back(parent); }

  void visit(const Place& place) {
    const std::array<std::uint32_t, 3> key{static_cast<std::uint32_t>(place.node), place.dot, place.read};
    if (seen_.intern(key).second) pending_.push_back(place);
  }

  // Child `dot` of the node begins. The empty node is shared by all its uses, so it is passed at once.
  void begin(NodeId child, const Place& parent) {
    if (child == NodeId::kEmpty) return end(parent);
    visit({child, 0, parent.read});
  }
  // Child `dot` of the node has ended.
  void end(const Place& parent) {
    const bool is_sequence = grammar_.node(parent.node).kind == NodeKind::kSequence;
    visit({parent.node, is_sequence ? parent.dot + 1 : 1, parent.read});
  }
  void leave(const Place& place) {
    if (place.node == grammar_.rule(grammar_.start).body) meets_end_ = true;
    for (const Place& use : uses_[static_cast<std::uint32_t>(place.node)]) end({use.node, use.dot, place.read});
  }

  // Returns true if the place is before a symbol; otherwise goes on from it.
  bool read(const Place& place) {
    const Node& node = grammar_.node(place.node);
    const auto children = grammar_.children_of(node);
    switch (node.kind) {
      case NodeKind::kEmpty: leave(place); break;
      case NodeKind::kTerminal:
      case NodeKind::kTokens:
      case NodeKind::kLazy:
        if (place.dot == 0) return true;
        leave(place);
        break;
      case NodeKind::kRule:
        if (place.dot == 0) {
          begin(grammar_.rules[node.payload].body, place);
        } else {
          leave(place);
        }
        break;
      case NodeKind::kSequence:
        if (place.dot < children.size()) {
          begin(children[place.dot], place);
        } else {
          leave(place);
        }
        break;
      case NodeKind::kChoice:
        if (place.dot != 0) {
          leave(place);
          break;
        }
        for (const NodeId child : children) begin(child, place);
        break;
      case NodeKind::kRepeat:
        if (node.max > place.dot) begin(children[0], {place.node, 0, place.read});
        if (place.dot != 0 || node.min == 0) leave(place);
        break;
    }
    return false;
  }

  const Grammar& grammar_;
  std::vector<std::vector<Place>> uses_;  // by node: places in its parents
  base::WordInterner seen_;
  std::vector<Place> pending_;
  bool meets_end_ = false;
};

class FreeTextPass {
 public:
  FreeTextPass(Grammar& grammar, std::uint32_t fuel)
      : grammar_(grammar), exprs_(grammar.exprs), fuel_(fuel), after_(grammar) {}

  Result<void> run() {
    const std::vector<FreeText> texts = std::exchange(grammar_.free_texts, {});
    std::vector<std::pair<NodeId, NodeId>> replaced;  // at the end, because the search reads the nodes as they were
    for (const FreeText& text : texts) {
      for (const NodeId id : text.nodes) {
        endings_.clear();
        const regex::ByteSet first = first_after(id);
        for (const std::string& string : text.ends) find_endings(id, string, text.ends, first);
        for (const std::string& string : text.excluded) find_endings(id, string, text.ends, first);
        drop_impossible(grammar_.terminals[grammar_.node(id).payload].expr);
        if (endings_.empty()) continue;
        replaced.emplace_back(id, parts_of(grammar_.node(id)));
        if (has_overflow_) return tl::unexpected(regex::overflow_error(exprs_, grammar_.node(id).where));
      }
    }
    for (const auto& [id, parts] : replaced) {
      const SourceRange where = grammar_.node(id).where;
      Rule rule{.name = "text", .body = parts, .where = where, .defined = true, .generated = true};
      const RuleId made = grammar_.add_rule(std::move(rule));
      grammar_.nodes[static_cast<std::uint32_t>(id)] = {
          .kind = NodeKind::kRule, .payload = static_cast<std::uint32_t>(made), .where = where};
    }
    return {};
  }

 private:
  // For a prefix v of strings v·w: those w that may come after a text that ends with v.
  struct Ending {
    std::vector<std::string_view> rests = {};
    bool is_refused = false;  // one of them always comes
  };

  // Finds the bytes with which the text after a node may begin.
  regex::ByteSet first_after(NodeId id) {
    regex::ByteSet first;
    for (after_.begin_after(id); const auto place = after_.next();) {
      const Node& node = grammar_.node(place->node);
      if (node.kind == NodeKind::kLazy) return ~regex::ByteSet();
      if (node.kind == NodeKind::kTokens) continue;
      const ExprId expr = grammar_.terminals[node.payload].expr;
      first |= exprs_.first_bytes(expr);
      if (exprs_.nullable(expr)) after_.continue_after(*place, 0);
    }
    return first;
  }

  // Returns false if no text of a lazy rule begins with `rest`.
  [[nodiscard]] bool may_begin(const Node& node, std::string_view rest) const {
    const LazyRule& rule = grammar_.lazy_rules[node.payload];
    return grammar_.sources[rule.source]->may_begin(rule.handle, rest);
  }

  // Finds whether the text after a node can begin with `rest`, and whether it can begin otherwise or end before.
  void find_rest(NodeId id, std::string_view rest, bool& can, bool& cannot) {
    can = cannot = false;
    for (after_.begin_after(id); const auto place = after_.next();) {
      const Node& node = grammar_.node(place->node);
      if (node.kind == NodeKind::kTerminal) {
        read_terminal(*place, rest, can, cannot);
      } else {
        cannot = true;
        can = can || (node.kind == NodeKind::kLazy && may_begin(node, rest.substr(place->read)));
      }
      if (can && cannot) return;
    }
    cannot = cannot || after_.meets_end();
  }

  void read_terminal(const Continuations::Place& place, std::string_view rest, bool& can, bool& cannot) {
    ExprId left = grammar_.terminals[grammar_.node(place.node).payload].expr;
    for (std::uint32_t read = place.read; left != ExprId::kNothing; ++read) {
      if (read == rest.size()) {
        can = true;
        return;
      }
      base::Work::charge(base::Work::kVisit);
      if (exprs_.nullable(left)) after_.continue_after(place, read);
      const auto byte = static_cast<std::uint8_t>(rest[read]);
      if (!cannot) {
        regex::ByteSet first;
        first |= exprs_.first_bytes(left);
        cannot = !(first & ~regex::ByteSet::range(byte, byte)).is_empty();
      }
      left = exprs_.derivative(left, byte);
      if (left == ExprId::kOverflow || base::Work::is_met()) return;
    }
  }

  void find_endings(NodeId id, std::string_view string, const std::vector<std::string>& ends,
                    const regex::ByteSet& first) {
    for (std::size_t cut = 1; cut < string.size() && !base::Work::is_met(); ++cut) {
      if (!first.contains(static_cast<std::uint8_t>(string[cut]))) continue;
      bool can = false, cannot = false;
      find_rest(id, string.substr(cut), can, cannot);
      if (!can) continue;
      if (holds_other(string, ends)) return;
      Ending& ending = endings_[string.substr(0, cut)];
      ending.rests.push_back(string.substr(cut));
      ending.is_refused = ending.is_refused || !cannot;
    }
  }

  // Returns true if the string holds one of `ends` that is not the string itself: that one is complete first.
  static bool holds_other(std::string_view string, const std::vector<std::string>& ends) {
    base::Work::charge(ends.size() * (1 + string.size() / base::Work::kTextBytes));
    return std::any_of(ends.begin(), ends.end(), [&](const std::string& end) {
      return end != string && string.find(end) != std::string_view::npos;
    });
  }

  void drop_impossible(ExprId text) {
    std::erase_if(endings_, [&](const auto& ending) {
      const ExprId ended = exprs_.intersection(text, ending_with({&ending.first, 1}));
      return regex::emptiness(exprs_, ended, fuel_) == regex::Emptiness::kEmpty;
    });
  }

  ExprId any_of(std::span<const std::string_view> strings) {
    std::vector<ExprId> parts;
    for (const std::string_view string : strings) parts.push_back(exprs_.literal(string));
    return exprs_.alternation(parts);
  }
  ExprId ending_with(std::span<const std::string_view> strings) {
    return exprs_.concat(ExprId::kAllStrings, any_of(strings));
  }

  // Returns a node for the lexemes of a terminal, those with a dangerous ending apart from the others.
  NodeId parts_of(const Node& node) {
    const Terminal whole = grammar_.terminals[node.payload];
    std::vector<std::string_view> all;
    for (const auto& [ending, found] : endings_) all.push_back(ending);
    std::vector<NodeId> parts;
    if (const ExprId others = exprs_.difference(whole.expr, ending_with(all)); others != ExprId::kNothing) {
      parts.push_back(add_part(whole, others));
    }
    for (const auto& [ending, found] : endings_) {
      // Only the longest ending of a text counts. What may not follow it may not follow the others, either.
      std::vector<std::string_view> rests, longer;
      bool is_refused = false;
      for (const auto& [other, of_other] : endings_) {
        base::Work::charge(1);
        if (other.size() > ending.size() && other.ends_with(ending)) longer.push_back(other);
        if (!ending.ends_with(other)) continue;
        rests.insert(rests.end(), of_other.rests.begin(), of_other.rests.end());
        is_refused = is_refused || of_other.is_refused;
      }
      if (base::Work::is_met()) break;
      if (is_refused) continue;
      ExprId expr = exprs_.intersection(whole.expr, ending_with({&ending, 1}));
      if (!longer.empty()) expr = exprs_.difference(expr, ending_with(longer));
      Rule rule{.name = "text", .where = whole.where, .defined = true, .generated = true};
      rule.body = add_part(whole, expr);
      rule.follow = exprs_.complement(exprs_.concat(any_of(rests), ExprId::kAllStrings));
      has_overflow_ = has_overflow_ || rule.follow == ExprId::kOverflow;
      parts.push_back(grammar_.add_rule_reference(grammar_.add_rule(std::move(rule)), whole.where));
    }
    return grammar_.add_choice(parts, whole.where);
  }

  NodeId add_part(const Terminal& whole, ExprId expr) {
    has_overflow_ = has_overflow_ || expr == ExprId::kOverflow;
    Terminal part = whole;
    if (part.expr != expr) part.text.clear();
    part.expr = expr;
    return grammar_.add_terminal(std::move(part));
  }

  Grammar& grammar_;
  regex::ExprSet& exprs_;
  std::uint32_t fuel_;
  Continuations after_;
  std::map<std::string_view, Ending> endings_;
  bool has_overflow_ = false;
};

}  // namespace

Result<void> keep_out_of_free_texts(Grammar& grammar, std::uint32_t regex_fuel) {
  if (grammar.free_texts.empty()) return {};
  return FreeTextPass(grammar, regex_fuel).run();
}

}  // namespace weir::grammar
