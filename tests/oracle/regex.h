// The regular-expression oracle: slow, short, and meant to be checked by reading.
//
// WHAT   A Regex is a tree over bytes: nothing, the empty string, a byte set, and concat, or, and, not, repeat of
//        these. It stands for a set of byte strings, its language L:
//          L(kNothing) = {}        L(kEmpty) = {""}       L(kSet S) = { "c" : c in S }
//          L(r s) = { xy : x in L(r), y in L(s) }         L(r|s), L(r&s) = union, intersection
//          L(~r)  = all byte strings but L(r)             L(r{m,n}) = the union of L(r)^k for m <= k <= n
//        Two matchers that share nothing but the tree:
//        - `matches`: the definition itself, as a table "does node r match text[i, j)?" for all i <= j;
//        - `Dfa`: Brzozowski's derivatives, made into an automaton over a given alphabet, with exact liveness.
// WHY    What the engine computes with hash-consing, normal forms and budgets must equal this.
// LIMITS Sizes are those of tests: texts of tens of bytes, automata of thousands of states. Recursion on the tree.
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

/// The set of the bytes of `bytes`.
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
  std::string key = {};  ///< The tree as text: equal keys, equal trees.
};

// Constructors. They simplify nothing.
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

/// Nodes of the tree.
int size_of(const Regex& regex);

/// Whether `text` is in the regex's language, by tables over all spans of `text`.
bool matches(const Regex& regex, std::string_view text);

/// Whether the regex matches text[i, j), for all i <= j: entry i * (text.size() + 1) + j.
std::vector<char> match_spans(const Regex& regex, std::string_view text);

enum class Syntax : std::uint8_t {
  kRegex,  ///< With operators, and with `.` for all characters.
  kEbnf,   ///< Literals, classes, groups, repeats, `&` and `~`.
};
enum class Groups : std::uint8_t {
  kAll,     ///< Parentheses around all but characters.
  kNeeded,  ///< As few as the rules of precedence allow: quantifiers, then ~, sequence, &, |.
};

/// The regex as a text for weir. The last character of `universe` stands for all characters that are not in it: a set
/// with that character is written as a negated class.
std::string print(const Regex& regex, Syntax syntax, Groups groups, std::string_view universe);

/// Matching by derivatives. States are expressions up to associativity, commutativity and idempotence of | and &, and
/// the laws of nothing and empty, of which there are finitely many (Brzozowski's theorem 5.2).
class Dfa {
 public:
  using State = std::size_t;

  /// The bytes of `alphabet` are the only ones that step() may be given, and the only ones that liveness considers.
  Dfa(const RegexPtr& regex, std::string_view alphabet);

  [[nodiscard]] State start() const { return 0; }
  [[nodiscard]] State step(State state, char byte) const { return next_[state].at(byte); }
  [[nodiscard]] State run(std::string_view text) const;
  [[nodiscard]] bool accepting(State state) const { return accepting_[state] != 0; }
  /// Whether an accepting state can be reached, in zero or more steps.
  [[nodiscard]] bool live(State state) const { return live_[state] != 0; }
  [[nodiscard]] std::size_t size() const { return next_.size(); }

 private:
  std::vector<std::map<char, State>> next_;
  std::vector<char> accepting_;
  std::vector<char> live_;
};

/// All trees of exactly `size` nodes over these leaves, with ~, *, ? and {2} above one child and concat, |, & above
/// two.
std::vector<RegexPtr> all_regexes(int size, const std::vector<RegexPtr>& leaves);

/// A tree of at most `size` nodes, by chance.
RegexPtr random_regex(std::minstd_rand& random, int size, const std::vector<RegexPtr>& leaves);

/// All strings of length 0 .. `length` over `alphabet`, short ones first.
std::vector<std::string> all_strings(std::string_view alphabet, std::size_t length);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_REGEX_H_
