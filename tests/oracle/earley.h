// The Earley oracle: a textbook recogniser over bytes, to which bytes can be appended and from which they can be
// removed.
//
// WHAT   An item [A -> u . v, k] in set i says: A began at byte k, and u derives the bytes k .. i. Sets are closed
//        under
//          predict   . B            =>  [B -> . w, i], and the dot over B too when B derives the empty string
//          complete  [B -> w ., k]  =>  the dot over B in the items of set k that wait for B
//        and set i + 1 begins with the items of set i whose dot is before byte i.
//        The grammar is reduced to its productive part first, so that every item can be completed; hence
//          the bytes so far are a viable prefix    <=>  the last set is not empty,
//          they are a string of the language       <=>  it contains a complete item of the start rule that began at 0.
// HOW    The second half of `predict` covers completions of the empty string within one set (Aycock and Horspool), so
//        each item is processed once. Sets are stored, but not hashed, compared or shared.
// COST   O(items of the set) for each completion. Only the nullable rules are precomputed.
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

  /// Returns the number of bytes so far.
  [[nodiscard]] std::size_t size() const { return sets_.size() - 1; }
  [[nodiscard]] bool viable() const { return !sets_.back().empty(); }
  [[nodiscard]] bool member() const;
  /// Returns the bytes that may come next.
  [[nodiscard]] ByteSet next_bytes() const;

  void push(char byte);
  void push(std::string_view bytes);
  void pop(std::size_t bytes) { sets_.resize(sets_.size() - bytes); }
  /// Removes all bytes, then appends `text`.
  void restart(std::string_view text);

 private:
  struct Item {
    std::uint32_t dot;     ///< Index in dots_.
    std::uint32_t origin;  ///< The set where the rule began.
  };
  // A production with a dot in it. The dots of one production are adjacent: dot + 1 is after the next symbol.
  struct Dot {
    std::uint32_t rule;
    const Symbol* next;  ///< Null at the end of the production.
  };
  using Set = std::vector<Item>;

  void add(Set& set, Item item);
  void close(Set& set, std::uint32_t position);

  Cfg cfg_;
  std::vector<Dot> dots_;
  std::vector<std::vector<std::uint32_t>> first_dots_;  ///< By rule: the dots before the first symbol.
  std::vector<bool> nullable_;
  std::vector<Set> sets_;
  std::unordered_set<std::uint64_t> seen_;  ///< The items of the set that is being built.
};

/// Returns true if `text` is in the language.
bool is_member(const Cfg& cfg, std::string_view text);
/// Returns true if some string of the language begins with `text`.
bool is_viable_prefix(const Cfg& cfg, std::string_view text);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_EARLEY_H_
