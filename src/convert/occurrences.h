// Which terminals may begin a part of a grammar, and which may follow it: by occurrence, not by terminal.
#ifndef WEIR_SRC_CONVERT_OCCURRENCES_H_
#define WEIR_SRC_CONVERT_OCCURRENCES_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grammar/ir.h"
#include "grammar/passes/live.h"

namespace weir::frontend::convert {

/// A set of numbers below a bound that all sets have in common.
class NumberSet {
 public:
  explicit NumberSet(std::size_t bound = 0) : words_((bound + 63) / 64) {}
  void add(std::size_t number) { words_[number / 64] |= std::uint64_t{1} << (number % 64); }
  [[nodiscard]] bool contains(std::size_t number) const { return ((words_[number / 64] >> (number % 64)) & 1) != 0; }
  /// Returns true if the set has changed.
  bool unite(const NumberSet& other);
  void intersect(const NumberSet& other);
  template <typename Use>
  void for_each(Use use) const {
    for (std::size_t i = 0; i < words_.size() * 64; ++i) {
      if (contains(i)) use(i);
    }
  }
  friend auto operator<=>(const NumberSet&, const NumberSet&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

/// The nodes that are terminals or sets of tokens, numbered, and what may begin and follow each node.
class Occurrences {
 public:
  /// Rules for which `is_left_out` is true count as empty.
  Occurrences(const grammar::Grammar& grammar, const grammar::Live& live, const std::vector<bool>& is_left_out);

  [[nodiscard]] std::size_t count() const { return nodes_.size(); }
  [[nodiscard]] const grammar::Node& node(std::size_t occurrence) const {
    return grammar_.nodes[static_cast<std::size_t>(nodes_[occurrence])];
  }
  [[nodiscard]] bool is_terminal(std::size_t occurrence) const {
    return node(occurrence).kind == grammar::NodeKind::kTerminal;
  }
  [[nodiscard]] bool is_nullable(grammar::NodeId id) const { return nullable_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const NumberSet& first(grammar::NodeId id) const { return first_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const NumberSet& following(std::size_t occurrence) const {
    return follow_[static_cast<std::size_t>(nodes_[occurrence])];
  }
  /// Returns, for each occurrence, occurrences that are allowed wherever it is: other alternatives of a choice that
  /// begins there, and another round of a loop before it.
  [[nodiscard]] std::vector<NumberSet> allowed_together() const;

 private:
  bool add_first(std::size_t i);
  bool add_follow(std::size_t i);
  bool add(grammar::NodeId node, const NumberSet& more) {
    return follow_[static_cast<std::size_t>(node)].unite(more);
  }

  const grammar::Grammar& grammar_;
  const grammar::Live& live_;
  const std::vector<bool>& is_left_out_;
  std::vector<grammar::NodeId> nodes_;
  std::vector<std::size_t> number_;  // by node, like the next three
  std::vector<bool> nullable_;
  std::vector<NumberSet> first_;
  std::vector<NumberSet> follow_;
};

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_OCCURRENCES_H_
