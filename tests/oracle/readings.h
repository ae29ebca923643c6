// The oracle of readings: computes the derivations of a text by a grammar with named rules, from tables over the text's
// spans. A reading is the list of the named spans of a derivation.
//
// WHAT   `chosen` is the reading that weir promises for a whole text (docs/ebnf.md, captures), computed by definition:
//        of a rule, the first alternative that derives the span; in an alternative, the first part as long as possible,
//        then the second, and so on; the empty text is derived without names if possible. `all` returns every reading.
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
/// Named spans in the order of their starts, an outer one before the inner ones.
using Reading = std::vector<NamedSpan>;

/// Returns true if some rule derives itself, possibly next to nullable symbols.
bool is_cyclic(const Cfg& cfg);

class Readings {
 public:
  /// `named` says for each rule if it is named.
  Readings(const Cfg& cfg, const std::vector<bool>& named, std::string_view text);

  [[nodiscard]] bool is_member() const { return derives(cfg_.start, 0, text_.size()); }
  /// Precondition of both: is_member().
  [[nodiscard]] Reading chosen() const;
  /// Returns at most about `limit` readings.
  [[nodiscard]] std::set<Reading> all(std::size_t limit) const;
  /// Returns every reading of the text as a prefix of a longer text, at most about `limit`. The end of a span that is
  /// not complete is one after the text. No rule is open twice from the same offset. Precondition: every rule derives a
  /// text.
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
  mutable std::set<std::pair<std::size_t, std::size_t>> under_way_;  // of open_of: rules and their starts
};

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_READINGS_H_
