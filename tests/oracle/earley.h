// The Earley oracle: a textbook recogniser over bytes that can be extended and taken back byte by byte.
//
// WHAT   An item [A -> u . v, k] in set i says: A began at byte k, and u derives the bytes k .. i. Sets are closed
//        under
//          predict   . B            =>  [B -> . w, i], and the dot over B too when B derives the empty string
//          complete  [B -> w ., k]  =>  the dot over B in the items of set k that wait for B
//        and set i + 1 begins with the items of set i whose dot stands before byte i.
//        The grammar is reduced to its productive part first, so that every item can be finished; hence
//          the bytes so far are a viable prefix    <=>  the last set is not empty,
//          they are a string of the language       <=>  it holds a complete item of the start rule that began at 0.
// HOW    Completions of the empty string within one set are covered by the second half of `predict` (Aycock and
//        Horspool), so each item is looked at once. Sets are kept, not hashed, compared or shared.
// COST   O(items of the set) a completion; nothing is precomputed but which rules are nullable.
// REFERENCES Earley, An efficient context-free parsing algorithm, 1970; Aycock and Horspool, Practical Earley parsing,
//        2002.
#ifndef WEIR_TESTS_ORACLE_EARLEY_H_
#define WEIR_TESTS_ORACLE_EARLEY_H_

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "oracle/cfg.h"

namespace weir::oracle {

class Earley {
 public:
  explicit Earley(const Cfg& cfg);
  Earley(const Earley&) = delete;
  Earley& operator=(const Earley&) = delete;

  /// Bytes so far.
  [[nodiscard]] std::size_t size() const { return sets_.size() - 1; }
  [[nodiscard]] bool viable() const { return !sets_.back().empty(); }
  [[nodiscard]] bool member() const;
  /// The bytes that may come next.
  [[nodiscard]] ByteSet next_bytes() const;

  void push(char byte);
  void push(std::string_view bytes);
  void pop(std::size_t bytes) { sets_.resize(sets_.size() - bytes); }
  /// Back to nothing, then `text`.
  void restart(std::string_view text);

 private:
  struct Item {
    std::uint32_t dot;     ///< Into dots_.
    std::uint32_t origin;  ///< The set where the rule began.
  };
  // A production with a dot in it. Dots of one production are neighbours: dot + 1 stands behind the next symbol.
  struct Dot {
    std::uint32_t rule;
    const Symbol* next;  ///< Null at the end of the production.
  };
  using Set = std::vector<Item>;

  void add(Set& set, Item item);
  void close(Set& set, std::uint32_t position);

  Cfg cfg_;
  std::vector<Dot> dots_;
  std::vector<std::vector<std::uint32_t>> first_dots_;  ///< Of each rule: the dots before the first symbol.
  std::vector<bool> nullable_;
  std::vector<Set> sets_;
  std::unordered_set<std::uint64_t> seen_;  ///< Items of the set in the making.
};

/// Whether `text` is in the language.
bool is_member(const Cfg& cfg, std::string_view text);
/// Whether some string of the language begins with `text`.
bool is_viable_prefix(const Cfg& cfg, std::string_view text);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_EARLEY_H_
