#include "frontend/dispatch.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "base/work.h"
#include "regex/syntax/syntax.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend {

namespace {

using grammar::NodeId;
using regex::ExprId;
using regex::ExprSet;

ExprId texts(ExprSet& exprs) { return exprs.repeat(regex::any_code_point(exprs), 0, regex::kUnbounded); }

template <typename Strings>
ExprId any_of(ExprSet& exprs, const Strings& strings) {
  std::vector<ExprId> parts;
  for (const auto& string : strings) parts.push_back(exprs.literal(string));
  return exprs.alternation(parts);
}

// _* e _*: the strings that contain a member of `e`.
ExprId holding(ExprSet& exprs, ExprId e) {
  return exprs.concat(ExprId::kAllStrings, exprs.concat(e, ExprId::kAllStrings));
}

std::vector<std::string> texts_of(const std::vector<Trigger>& triggers) {
  std::vector<std::string> all;
  for (const Trigger& trigger : triggers) all.push_back(trigger.text);
  return all;
}

// Computes which text may precede each trigger.
class TriggerTrie {
 public:
  TriggerTrie(ExprSet& exprs, const Dispatch& dispatch) : exprs_(exprs), nodes_(1) {
    for (const Trigger& trigger : dispatch.triggers) ends_.push_back(insert(trigger.text));
    for (const Trigger& trigger : dispatch.triggers) mark(trigger.text, &Node::beyond);
    for (const std::string& string : dispatch.excluded) mark(string, &Node::at);
    std::vector<std::string> all = texts_of(dispatch.triggers);
    nodes_[0].without_triggers = text_without(exprs_, all);
    nodes_[0].without_excluded = text_without(exprs_, dispatch.excluded);
    all.insert(all.end(), dispatch.excluded.begin(), dispatch.excluded.end());
    nodes_[0].text = text_without(exprs_, all);
    // Parents come before their children. A call that takes too long is refused, whatever its result.
    for (std::size_t i = 1; i < nodes_.size() && !base::Work::is_met(); ++i) finish(nodes_[i]);
  }

  [[nodiscard]] ExprId free_text() const { return nodes_[0].text; }
  [[nodiscard]] ExprId text_before(std::size_t trigger) const { return nodes_[ends_[trigger]].text; }

 private:
  // A node represents the text w that leads to it.
  struct Node {
    std::uint32_t parent = 0;
    char last = '\0';                      // last byte of w
    std::vector<std::string> beyond = {};  // v with v·w a trigger: not at the end of text before longer triggers
    std::vector<std::string> at = {};      // v with v·w excluded: not at the end of text before w or longer triggers
    ExprId text = ExprId::kNothing;        // text that may precede the trigger w
    // Residuals after w of the texts without triggers, and of those without excluded strings.
    ExprId without_triggers = ExprId::kNothing;
    ExprId without_excluded = ExprId::kNothing;
  };

  static std::uint64_t key(std::uint32_t node, char c) {
    return (std::uint64_t{node} << 8) | static_cast<std::uint8_t>(c);
  }

  std::uint32_t insert(std::string_view text) {
    std::uint32_t at = 0;
    for (const char c : text) {
      const auto [child, is_new] = children_.try_emplace(key(at, c), static_cast<std::uint32_t>(nodes_.size()));
      if (is_new) nodes_.push_back({.parent = at, .last = c});
      at = child->second;
    }
    return at;
  }

  // Adds v to the list of w for each split of `text` into non-empty v·w where w is a prefix of a trigger.
  void mark(const std::string& text, std::vector<std::string> Node::*list) {
    for (std::size_t cut = 1; cut < text.size() && !base::Work::is_met(); ++cut) {
      std::uint32_t at = 0;
      std::size_t i = cut;
      for (; i < text.size(); ++i) {
        const auto child = children_.find(key(at, text[i]));
        if (child == children_.end()) break;
        at = child->second;
      }
      base::Work::charge(1 + (i - cut) / base::Work::kTextBytes);
      if (i == text.size()) (nodes_[at].*list).push_back(text.substr(0, cut));
    }
  }

  void finish(Node& node) {
    const Node& parent = nodes_[node.parent];
    const auto last = static_cast<std::uint8_t>(node.last);
    node.without_triggers = exprs_.derivative(parent.without_triggers, last);
    node.without_excluded = exprs_.derivative(parent.without_excluded, last);
    // Another trigger ends before the end of w, or w contains an excluded string.
    if (parent.without_triggers == ExprId::kNothing || node.without_excluded == ExprId::kNothing) return;
    node.text = not_ending_with(not_ending_with(parent.text, parent.beyond), node.at);
  }

  ExprId not_ending_with(ExprId text, const std::vector<std::string>& strings) {
    if (strings.empty()) return text;
    return exprs_.difference(text, exprs_.concat(ExprId::kAllStrings, any_of(exprs_, strings)));
  }

  ExprSet& exprs_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> children_;
  std::vector<std::uint32_t> ends_;  // by trigger
};

class Builder {
 public:
  Builder(grammar::Grammar& grammar, const Dispatch& dispatch, const std::string& name)
      : grammar_(grammar), dispatch_(dispatch), name_(name) {}

  Result<NodeId> run() {
    const TriggerTrie trie(grammar_.exprs, dispatch_);
    free_text_ = trie.free_text();
    const grammar::RuleId again =
        grammar_.add_rule({.name = name_, .where = dispatch_.where, .defined = true, .generated = true});
    const NodeId loop = grammar_.add_rule_reference(again, dispatch_.where);
    group_of(free_text_);
    for (std::size_t i = 0; i < dispatch_.triggers.size(); ++i) {
      if (trie.text_before(i) == ExprId::kNothing) continue;
      const Trigger& trigger = dispatch_.triggers[i];
      std::vector<NodeId> parts{grammar_.add_literal(trigger.text, trigger.where), trigger.then};
      if (trigger.next == Trigger::Next::kText) parts.push_back(loop);
      group_of(trie.text_before(i)).alternatives.push_back(grammar_.add_sequence(parts, trigger.where));
    }
    for (const Group& group : groups_) {
      if (group.text != ExprId::kOverflow) continue;
      return tl::unexpected(regex::overflow_error(grammar_.exprs, dispatch_.where));
    }
    const NodeId first = dispatch_.needs_trigger || !dispatch_.ends_in_text ? round(false) : NodeId::kEmpty;
    grammar_.rule(again).body = dispatch_.ends_in_text ? round(true) : first;
    return dispatch_.needs_trigger ? first : loop;
  }

 private:
  // The triggers that share one kind of free text.
  struct Group {
    ExprId text;
    NodeId terminal;
    std::vector<NodeId> alternatives = {};
  };

  Group& group_of(ExprId text) {
    for (Group& group : groups_) {
      if (group.text == text) return group;
    }
    const NodeId terminal =
        grammar_.add_terminal({text, base::LexemeMode::kExact, "text of " + name_, dispatch_.where});
    if (dispatch_.text_nodes != nullptr) dispatch_.text_nodes->push_back(terminal);
    groups_.push_back({text, dispatch_.capture.empty() ? terminal : captured(terminal)});
    return groups_.back();
  }

  NodeId captured(NodeId text) {
    const grammar::RuleId rule = grammar_.add_rule({.name = dispatch_.capture,
                                                    .body = text,
                                                    .where = dispatch_.where,
                                                    .defined = true,
                                                    .generated = true,
                                                    .capture = dispatch_.capture});
    return grammar_.add_rule_reference(rule, dispatch_.where);
  }

  NodeId round(bool may_end) {
    std::vector<NodeId> ways;
    for (const Group& group : groups_) {
      std::vector<NodeId> after = group.alternatives;
      if (may_end && group.text == free_text_) after.push_back(NodeId::kEmpty);
      if (after.empty()) continue;
      const NodeId parts[] = {group.terminal, grammar_.add_choice(after, dispatch_.where)};
      ways.push_back(grammar_.add_sequence(parts, dispatch_.where));
    }
    return grammar_.add_choice(ways, dispatch_.where);
  }

  grammar::Grammar& grammar_;
  const Dispatch& dispatch_;
  const std::string& name_;
  ExprId free_text_ = ExprId::kNothing;
  std::vector<Group> groups_;
};

}  // namespace

ExprId text_without(ExprSet& exprs, std::span<const std::string> strings) {
  return exprs.difference(texts(exprs), holding(exprs, any_of(exprs, strings)));
}

Result<NodeId> add_dispatch(grammar::Grammar& grammar, const Dispatch& dispatch, const std::string& name) {
  return Builder(grammar, dispatch, name).run();
}

std::vector<std::size_t> unreachable_triggers(ExprSet& exprs, const Dispatch& dispatch) {
  const TriggerTrie trie(exprs, dispatch);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < dispatch.triggers.size(); ++i) {
    if (trie.text_before(i) == ExprId::kNothing) found.push_back(i);
  }
  return found;
}

}  // namespace weir::frontend
