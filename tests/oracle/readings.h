// The oracle of readings: the derivations of a text by a grammar some of whose rules have names, by tables over its
// spans.
//
// WHAT   `chosen` is the reading that weir promises for a whole text (docs/ebnf.md, captures), from its definition: a
//        rule's first alternative that derives the span; in that the first part as long as it can be, then the second;
//        the empty text without names where that can be. `all` is every reading there is, each as the list of its named
//        spans.
// LIMITS Small grammars, short texts; no rule may derive itself (`is_cyclic`), so that there are finitely many
//        readings.
#ifndef WEIR_TESTS_ORACLE_READINGS_H_
#define WEIR_TESTS_ORACLE_READINGS_H_

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/cfg.h"

namespace weir::oracle {

struct NamedSpan {
  std::size_t rule = 0;
  std::size_t begin = 0, end = 0;
  friend auto operator<=>(const NamedSpan&, const NamedSpan&) = default;
};
/// In the order in which they begin, an outer one before those in it.
using Reading = std::vector<NamedSpan>;

/// Whether a rule derives itself, with nothing beside it but what may be empty.
bool is_cyclic(const Cfg& cfg);

class Readings {
 public:
  /// `named`: by rule, whether its spans are listed.
  Readings(const Cfg& cfg, const std::vector<bool>& named, std::string_view text);

  [[nodiscard]] bool is_member() const { return derives(cfg_.start, 0, text_.size()); }
  /// Precondition of both: is_member().
  [[nodiscard]] Reading chosen() const;
  /// At most about `limit` of them.
  [[nodiscard]] std::set<Reading> all(std::size_t limit) const;
  /// Every reading of the text as the beginning of one that goes on, in which no rule is open twice from the same place
  /// on; what is open ends one place behind the text. Every rule must derive something. At most about `limit`.
  [[nodiscard]] std::set<Reading> beginnings(std::size_t limit) const;

 private:
  [[nodiscard]] bool derives(std::size_t rule, std::size_t i, std::size_t j) const {
    return table_[(rule * (text_.size() + 1) + i) * (text_.size() + 1) + j] != 0;
  }
  [[nodiscard]] bool derives(const Symbol& symbol, std::size_t i, std::size_t j) const;
  [[nodiscard]] bool derives(const std::vector<Symbol>& symbols, std::size_t first, std::size_t last, std::size_t i,
                             std::size_t j) const;
  [[nodiscard]] bool holds_name(const Symbol& symbol) const { return symbol.is_rule && holds_name_[symbol.rule]; }
  void choose(std::size_t rule, std::size_t i, std::size_t j, Reading& out) const;
  [[nodiscard]] std::set<Reading> all_of(std::size_t rule, std::size_t i, std::size_t j, std::size_t limit) const;

  [[nodiscard]] std::set<Reading> closed_symbol(const Symbol& symbol, std::size_t i, std::size_t j,
                                                std::size_t limit) const;
  [[nodiscard]] std::set<Reading> open_of(std::size_t rule, std::size_t i, std::size_t limit) const;

  const Cfg& cfg_;
  const std::vector<bool>& named_;
  std::string_view text_;
  std::vector<char> table_;
  std::vector<bool> holds_name_;
  std::vector<bool> vanishes_;                                       // derives the empty text without a name
  mutable std::set<std::pair<std::size_t, std::size_t>> under_way_;  // of open_of: rules and where they began
};

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_READINGS_H_
