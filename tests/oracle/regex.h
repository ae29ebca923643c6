// The regular-expression oracle: slow and short, so that its correctness can be checked by reading.
//
// WHAT   A Regex is a tree over bytes: nothing, the empty string, a byte set, and concat, or, and, not, repeat of
//        these. It denotes a set of byte strings, its language L:
//          L(kNothing) = {}        L(kEmpty) = {""}       L(kSet S) = { "c" : c in S }
//          L(r s) = { xy : x in L(r), y in L(s) }         L(r|s), L(r&s) = union, intersection
//          L(~r)  = all byte strings but L(r)             L(r{m,n}) = the union of L(r)^k for m <= k <= n
//        There are two matchers, which share only the tree:
//        - `matches`: the definition itself, as a table "does node r match text[i, j)?" for all i <= j;
//        - `Dfa`: an automaton over a given alphabet, built from Brzozowski's derivatives, with exact liveness.
// WHY    The results of the engine, which uses hash-consing, normal forms and budgets, must equal these.
// LIMITS Only for tests: texts of tens of bytes, automata of thousands of states. Recursion on the tree.
//        weir's complement is relative to valid UTF-8 text, this one to all byte strings; over an alphabet of whole
//        ASCII characters they agree.
// REFERENCES Brzozowski, Derivatives of regular expressions, 1964.
#ifndef WEIR_TESTS_ORACLE_REGEX_H_
#define WEIR_TESTS_ORACLE_REGEX_H_

#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace weir::oracle {

using ByteSet = std::bitset<256>;

/// Returns the set of the bytes in `bytes`.
ByteSet bytes_of(std::string_view bytes);

enum class RegexKind : std::uint8_t { kNothing, kEmpty, kSet, kConcat, kOr, kAnd, kNot, kRepeat };

inline constexpr int kUnbounded = -1;

struct Regex;
using RegexPtr = std::shared_ptr<const Regex>;

struct Regex {
  RegexKind kind = RegexKind::kNothing;
  ByteSet set = {};
  RegexPtr left = {};  ///< The only child of kNot and kRepeat.
  RegexPtr right = {};
  int min = 0;
  int max = 0;           ///< kUnbounded: no bound.
  std::string key = {};  ///< The tree as a text; trees are equal iff their keys are.
};

// Constructors. They do not simplify.
RegexPtr nothing();
RegexPtr empty();
RegexPtr set_of(const ByteSet& set);
RegexPtr set_of(std::string_view bytes);
RegexPtr literal(std::string_view bytes);
RegexPtr concat(RegexPtr left, RegexPtr right);
RegexPtr either(RegexPtr left, RegexPtr right);
RegexPtr both(RegexPtr left, RegexPtr right);
RegexPtr complement(RegexPtr child);
RegexPtr repeat(RegexPtr child, int min, int max);

/// Returns the number of nodes of the tree.
int size_of(const Regex& regex);

/// Returns true if `text` is in the regex's language. Computes tables over all spans of `text`.
bool matches(const Regex& regex, std::string_view text);

/// Returns for all i <= j, in entry i * (text.size() + 1) + j, true if the regex matches text[i, j).
std::vector<char> match_spans(const Regex& regex, std::string_view text);

enum class Syntax : std::uint8_t {
  kRegex,  ///< With operators, and with `.` for all characters.
  kEbnf,   ///< Literals, classes, groups, repeats, `&` and `~`.
};
enum class Groups : std::uint8_t {
  kAll,     ///< Parentheses around all expressions except characters.
  kNeeded,  ///< As few as the rules of precedence allow: quantifiers, then ~, sequence, &, |.
};

/// Returns the regex as a text for weir. The last character of `universe` represents all characters that are not in
/// `universe`: a set with that character is written as a negated class.
std::string print(const Regex& regex, Syntax syntax, Groups groups, std::string_view universe);

/// Matching by derivatives. States are expressions modulo associativity, commutativity and idempotence of | and &, and
/// the laws of nothing and empty; there are finitely many (Brzozowski's theorem 5.2).
class Dfa {
 public:
  using State = std::size_t;

  /// step() accepts only the bytes of `alphabet`, and liveness considers only them.
  Dfa(const RegexPtr& regex, std::string_view alphabet);

  [[nodiscard]] State start() const { return 0; }
  [[nodiscard]] State step(State state, char byte) const { return next_[state].at(byte); }
  [[nodiscard]] State run(std::string_view text) const;
  [[nodiscard]] bool accepting(State state) const { return accepting_[state] != 0; }
  /// Returns true if an accepting state is reachable in zero or more steps.
  [[nodiscard]] bool live(State state) const { return live_[state] != 0; }
  [[nodiscard]] std::size_t size() const { return next_.size(); }

 private:
  std::vector<std::map<char, State>> next_;
  std::vector<char> accepting_;
  std::vector<char> live_;
};

/// Returns all trees of exactly `size` nodes with these leaves; ~, *, ? and {2} have one child, concat, | and & have
/// two.
std::vector<RegexPtr> all_regexes(int size, const std::vector<RegexPtr>& leaves);

/// Returns a random tree of at most `size` nodes.
RegexPtr random_regex(std::minstd_rand& random, int size, const std::vector<RegexPtr>& leaves);

/// Returns all strings of length 0 .. `length` over `alphabet`, short ones first.
std::vector<std::string> all_strings(std::string_view alphabet, std::size_t length);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_REGEX_H_
