#include "convert/characters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "regex/analysis/members.h"

namespace weir::frontend::convert {

namespace {

using regex::CodePointRange;
using regex::CodePointSet;
using regex::ExprId;
using regex::ExprKind;
using regex::ExprSet;

// For each residual, the characters that lead to it.
using Branches = std::map<ExprId, std::vector<CodePointRange>>;

// Returns the number of bytes that follow this first byte of a character; 4 if no character begins with it.
unsigned pending_after(unsigned byte) {
  if (byte < 0x80) return 0;
  if (byte < 0xC2) return 4;
  if (byte < 0xE0) return 1;
  return byte < 0xF0 ? 2 : byte < 0xF5 ? 3 : 4;
}

class CharacterSteps {
 public:
  explicit CharacterSteps(ExprSet& exprs) : exprs_(exprs) {}

  // Returns the residuals after each first character. Returns nullopt if the text may begin with a byte that begins no
  // character.
  std::optional<Branches> of(ExprId e) {
    Branches out;
    for (const auto& [bytes, to] : branches_of(e)) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        if (!bytes.contains(static_cast<std::uint8_t>(byte))) continue;
        const unsigned pending = pending_after(byte);
        if (pending == 4) return std::nullopt;
        const std::uint32_t high = pending == 0 ? byte : byte & ((1U << (6 - pending)) - 1);
        for (const auto& [after, ranges] : rest(to, pending)) append(out[after], ranges, high << (6 * pending));
      }
    }
    for (auto& [after, ranges] : out) {
      const CodePointSet joined(std::move(ranges));
      ranges.assign(joined.ranges().begin(), joined.ranges().end());
    }
    return out;
  }

 private:
  std::vector<ExprSet::Branch> branches_of(ExprId e) {
    std::vector<ExprSet::Branch> branches;
    exprs_.append_branches(e, branches);
    return branches;
  }

  static void append(std::vector<CodePointRange>& out, const std::vector<CodePointRange>& ranges, std::uint32_t base) {
    for (const CodePointRange& range : ranges) out.push_back({range.first + base, range.last + base});
  }

  // Returns the residuals after `pending` continuation bytes, with the low bits of the characters that lead to them.
  const Branches& rest(ExprId e, unsigned pending) {
    const auto [found, is_new] = rests_.try_emplace({e, pending});
    if (!is_new) return found->second;
    Branches out;
    if (pending == 0) {
      out[e].push_back({0, 0});
    } else {
      for (const auto& [bytes, to] : branches_of(e)) {
        for (unsigned byte = 0x80; byte < 0xC0; ++byte) {
          if (!bytes.contains(static_cast<std::uint8_t>(byte))) continue;
          const std::uint32_t base = (byte & 0x3FU) << (6 * (pending - 1));
          for (const auto& [after, ranges] : rest(to, pending - 1)) append(out[after], ranges, base);
        }
      }
      for (auto& [after, ranges] : out) {
        const CodePointSet joined(std::move(ranges));
        ranges.assign(joined.ranges().begin(), joined.ranges().end());
      }
    }
    return rests_[{e, pending}] = std::move(out);
  }

  ExprSet& exprs_;
  std::map<std::pair<ExprId, unsigned>, Branches> rests_;
};

class TreeMaker {
 public:
  TreeMaker(ExprSet& exprs, std::size_t most_nodes) : exprs_(exprs), steps_(exprs), most_nodes_(most_nodes) {}

  std::optional<regex::SyntaxTree> run(ExprId root) {
    open_.push_back(root);
    while (!open_.empty()) {
      const ExprId e = open_.back();
      if (made_.contains(e)) {
        open_.pop_back();
        continue;
      }
      if (tree_.nodes.size() > most_nodes_ || plans_.size() > most_nodes_) return std::nullopt;
      const auto [plan, is_new] = plans_.try_emplace(e);
      if (is_new && !make_plan(e, plan->second)) return std::nullopt;
      const std::size_t before = open_.size();
      for (const Item& item : plan->second.items) {
        if (item.below && !made_.contains(*item.below)) {
          // An expression within itself cannot be written with these operators.
          if (!is_new) return std::nullopt;
          open_.push_back(*item.below);
        }
      }
      if (open_.size() != before) continue;
      made_[e] = make(plan->second);
      open_.pop_back();
    }
    tree_.root = made_.at(root);
    return std::move(tree_);
  }

 private:
  // A character class, an expression, or a class followed by an expression.
  struct Item {
    std::optional<CodePointSet> first = {};
    std::optional<ExprId> below = {};
  };
  struct Plan {
    ExprKind kind = ExprKind::kEpsilon;
    std::vector<Item> items = {};  // of an alternation or a concatenation
    std::uint32_t min = 0, max = 0;
    bool may_be_empty = false;  // one more alternative, the empty text
  };
  // For each number of pending bytes at the start (index), the possible numbers of pending bytes at the end (bit set).
  using Ends = std::array<std::uint8_t, 4>;

  bool make_plan(ExprId e, Plan& plan) {
    switch (exprs_.kind(e)) {
      case ExprKind::kEpsilon: return true;
      case ExprKind::kConcat: return plan_concat(e, plan);
      case ExprKind::kRepeat:
        if (!is_whole(exprs_.operand(e))) return plan_characters(e, plan);
        plan = {.kind = ExprKind::kRepeat,
                .items = {{{}, exprs_.operand(e)}},
                .min = exprs_.counted(e).min,
                .max = exprs_.counted(e).max};
        return true;
      case ExprKind::kAlternation:
        plan.kind = ExprKind::kAlternation;
        for (const ExprId part : exprs_.operands(e)) plan.items.push_back({{}, part});
        return true;
      case ExprKind::kByteSet: return plan_characters(e, plan);
      default: return false;
    }
  }

  // Keeps parts that end between characters; the remainder is divided into characters.
  bool plan_concat(ExprId e, Plan& plan) {
    plan.kind = ExprKind::kConcat;
    for (; exprs_.kind(e) == ExprKind::kConcat; e = exprs_.tail(e)) {
      if (!is_whole(exprs_.head(e))) {
        if (plan.items.empty()) return plan_characters(e, plan);
        break;
      }
      plan.items.push_back({{}, exprs_.head(e)});
    }
    plan.items.push_back({{}, e});
    return true;
  }

  bool plan_characters(ExprId e, Plan& plan) {
    plan = {.kind = ExprKind::kAlternation, .may_be_empty = exprs_.nullable(e)};
    const std::optional<Branches> branches = steps_.of(e);
    if (!branches) return false;
    for (const auto& [after, ranges] : *branches) plan.items.push_back({CodePointSet(std::span(ranges)), after});
    return !plan.items.empty();
  }

  // Returns true if all members that begin at a character boundary end at one.
  bool is_whole(ExprId e) {
    const std::optional<Ends> ends = ends_of(e);
    return ends && (*ends)[0] == 1;
  }

  std::optional<Ends> ends_of(ExprId root) {
    std::vector<ExprId> open{root};
    while (!open.empty()) {
      const ExprId e = open.back();
      if (!is_plain_operator(exprs_.kind(e))) return std::nullopt;
      const std::size_t before = open.size();
      for (const ExprId part : exprs_.operands(e)) {
        if (!ends_.contains(part)) open.push_back(part);
      }
      if (open.size() != before) continue;
      open.pop_back();
      ends_[e] = ends_of_operator(e);
    }
    return ends_.at(root);
  }

  // Precondition: those of the operands are known.
  Ends ends_of_operator(ExprId e) {
    constexpr Ends kSame = {1, 2, 4, 8};
    switch (exprs_.kind(e)) {
      case ExprKind::kEpsilon: return kSame;
      case ExprKind::kByteSet: {
        Ends ends = {};
        for (unsigned byte = 0; byte < 256; ++byte) {
          if (!exprs_.bytes(e).contains(static_cast<std::uint8_t>(byte))) continue;
          if (byte >= 0x80 && byte < 0xC0) {
            for (unsigned pending = 1; pending < 4; ++pending)
              ends[pending] |= static_cast<std::uint8_t>(1U << (pending - 1));
          } else if (pending_after(byte) < 4) {
            ends[0] |= static_cast<std::uint8_t>(1U << pending_after(byte));
          }
        }
        return ends;
      }
      case ExprKind::kConcat: return after(ends_.at(exprs_.head(e)), ends_.at(exprs_.tail(e)));
      case ExprKind::kAlternation: {
        Ends ends = {};
        for (const ExprId part : exprs_.operands(e)) ends = either(ends, ends_.at(part));
        return ends;
      }
      case ExprKind::kRepeat: {
        // An over-approximation: any number of rounds.
        const Ends body = ends_.at(exprs_.operand(e));
        Ends ends = exprs_.counted(e).min == 0 ? either(kSame, body) : body;
        for (int round = 0; round < 4; ++round) ends = either(ends, after(ends, body));
        return ends;
      }
      default: return {};
    }
  }

  static Ends either(const Ends& a, const Ends& b) {
    Ends out = {};
    for (std::size_t i = 0; i < 4; ++i) out[i] = static_cast<std::uint8_t>(a[i] | b[i]);
    return out;
  }
  static Ends after(const Ends& a, const Ends& b) {
    Ends out = {};
    for (std::size_t i = 0; i < 4; ++i) {
      for (unsigned between = 0; between < 4; ++between) {
        if ((a[i] >> between & 1U) != 0) out[i] |= b[between];
      }
    }
    return out;
  }

  regex::NodeId make(const Plan& plan) {
    std::vector<regex::NodeId> parts;
    CodePointSet characters;  // single characters that are alternatives
    bool may_be_empty = plan.may_be_empty;
    if (plan.kind == ExprKind::kEpsilon) return literal({});
    for (const Item& item : plan.items) {
      const regex::NodeId below = item.below ? made_.at(*item.below) : regex::NodeId{};
      if (!item.first) {
        const regex::Node& node = tree_[below];
        if (plan.kind == ExprKind::kAlternation && node.kind == regex::Node::Kind::kLiteral && node.size == 0) {
          may_be_empty = true;
        } else if (plan.kind == ExprKind::kAlternation && node.kind == regex::Node::Kind::kClass) {
          characters = characters | tree_.classes[static_cast<std::size_t>(node.cls)];
        } else {
          parts.push_back(below);
        }
      } else if (*item.below == ExprId::kEpsilon) {
        characters = characters | *item.first;
      } else {
        parts.push_back(sequence({character_class(*item.first), below}));
      }
    }
    if (plan.kind == ExprKind::kConcat) return sequence(parts);
    if (plan.kind == ExprKind::kRepeat) {
      const regex::NodeId node = parent(regex::Node::Kind::kRepeat, parts);
      tree_.nodes.back().min = plan.min;
      tree_.nodes.back().max = plan.max;
      return node;
    }
    if (!characters.is_empty()) parts.insert(parts.begin(), character_class(std::move(characters)));
    const regex::NodeId some = parts.size() == 1 ? parts[0] : parent(regex::Node::Kind::kAlternation, parts);
    if (!may_be_empty) return some;
    const regex::NodeId node = parent(regex::Node::Kind::kRepeat, {some});
    tree_.nodes.back().max = 1;
    return node;
  }

  // Adjacent characters become one literal.
  regex::NodeId sequence(const std::vector<regex::NodeId>& given) {
    std::vector<regex::NodeId> parts;
    std::string text;
    const auto flush = [&] {
      if (!text.empty()) parts.push_back(literal(std::exchange(text, {})));
    };
    for (const regex::NodeId id : given) {
      const auto children = tree_.children_of(tree_[id]);
      const bool is_sequence = tree_[id].kind == regex::Node::Kind::kConcat;
      const std::vector<regex::NodeId> list =
          is_sequence ? std::vector<regex::NodeId>(children.begin(), children.end()) : std::vector<regex::NodeId>{id};
      for (const regex::NodeId part : list) {
        if (const std::optional<std::string> plain = plain_text(part)) {
          text += *plain;
        } else {
          flush();
          parts.push_back(part);
        }
      }
    }
    flush();
    if (parts.empty()) return literal({});
    return parts.size() == 1 ? parts[0] : parent(regex::Node::Kind::kConcat, parts);
  }

  [[nodiscard]] std::optional<std::string> plain_text(regex::NodeId id) const {
    const regex::Node& node = tree_[id];
    if (node.kind == regex::Node::Kind::kLiteral) return std::string(tree_.literal(node));
    if (node.kind != regex::Node::Kind::kClass) return std::nullopt;
    const auto ranges = tree_.classes[static_cast<std::size_t>(node.cls)].ranges();
    if (ranges.size() != 1 || ranges[0].first != ranges[0].last) return std::nullopt;
    std::string text;
    base::append_utf8(text, ranges[0].first);
    return text;
  }

  regex::NodeId literal(std::string_view text) {
    const auto begin = static_cast<std::uint32_t>(tree_.text.size());
    tree_.text += text;
    return add({.kind = regex::Node::Kind::kLiteral, .begin = begin, .size = static_cast<std::uint32_t>(text.size())});
  }
  regex::NodeId character_class(CodePointSet set) {
    tree_.classes.push_back(std::move(set));
    const auto id = static_cast<std::uint32_t>(tree_.classes.size() - 1);
    return add({.kind = regex::Node::Kind::kClass, .cls = regex::ClassId{id}});
  }
  regex::NodeId parent(regex::Node::Kind kind, const std::vector<regex::NodeId>& children) {
    const auto begin = static_cast<std::uint32_t>(tree_.children.size());
    tree_.children.insert(tree_.children.end(), children.begin(), children.end());
    return add({.kind = kind, .begin = begin, .size = static_cast<std::uint32_t>(children.size())});
  }
  regex::NodeId add(regex::Node node) {
    tree_.nodes.push_back(node);
    return regex::NodeId{static_cast<std::uint32_t>(tree_.nodes.size() - 1)};
  }

  ExprSet& exprs_;
  CharacterSteps steps_;
  const std::size_t most_nodes_;
  regex::SyntaxTree tree_;
  std::vector<ExprId> open_;
  std::unordered_map<ExprId, Plan> plans_;
  std::unordered_map<ExprId, regex::NodeId> made_;
  std::unordered_map<ExprId, Ends> ends_;
};

}  // namespace

std::optional<regex::SyntaxTree> tree_of(ExprSet& exprs, ExprId e, std::size_t most_nodes) {
  return TreeMaker(exprs, most_nodes).run(e);
}

std::optional<States> states_of(ExprSet& exprs, ExprId e, std::size_t most_states, std::uint32_t fuel) {
  CharacterSteps steps(exprs);
  States out;
  std::unordered_map<ExprId, std::size_t> numbers{{e, 0}};
  std::vector<ExprId> pending{e};
  out.states.emplace_back();
  for (std::size_t next = 0; next < pending.size(); ++next) {
    if (pending.size() > most_states) return std::nullopt;
    const std::optional<Branches> branches = steps.of(pending[next]);
    if (!branches) return std::nullopt;
    out.states[next].accepts = exprs.nullable(pending[next]);
    std::vector<std::pair<CodePointSet, ExprId>> ordered;
    for (const auto& [after, ranges] : *branches) ordered.emplace_back(CodePointSet(std::span(ranges)), after);
    std::ranges::sort(ordered, {}, [](const auto& step) { return step.first.ranges()[0].first; });
    for (auto& [characters, after] : ordered) {
      const regex::Emptiness emptiness = regex::emptiness(exprs, after, fuel);
      if (emptiness == regex::Emptiness::kUnknown) return std::nullopt;
      if (emptiness == regex::Emptiness::kEmpty) continue;
      const auto [number, is_new] = numbers.try_emplace(after, pending.size());
      if (is_new) {
        pending.push_back(after);
        out.states.emplace_back();
      }
      out.states[next].steps.push_back({std::move(characters), number->second});
    }
  }
  return out;
}

}  // namespace weir::frontend::convert
