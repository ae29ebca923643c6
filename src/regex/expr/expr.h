// ExprSet: hash-consed regular expressions over bytes, and their Brzozowski derivatives.
//
// WHAT   An expression is the empty set, the empty string, all strings, a byte set, a set that a small machine decides
//        (atom.h), or a concatenation, alternation, intersection, complement, counted repeat {m,n} or look-around of
//        other expressions. Each expression is stored once and named by an id. The derivative of an expression by a
//        byte is the expression of what may follow that byte. So expressions are the states of a lazy automaton: only
//        the states that a text reaches are created.
//        ExprSet stores expressions, derives them, and tells what it knows of them in O(1). Searches and analyses are
//        functions of src/regex/analysis, which read expressions as any caller does.
// WHY    The layers above ask three questions: what may follow this byte, may the text end here, can it still match.
//        Many of the languages are intersections and complements ("any JSON string except these keys"). With
//        derivatives, `&` and `~` cost what `|` costs; automata would need products and determinisation in advance. A
//        repeat count is a number in a node; an automaton has a state for each count.
//
// HOW    Nodes of 28 bytes are stored in one array, lists of children in one pool, and one hash table finds equal
//        nodes. The known derivatives of an expression are stored in a row with one entry for each class of bytes. The
//        classes are those that the first bytes of the expression distinguish, which are fewer than those of all its
//        parts (derivative.cc).
//
//        The automaton is small only if equal languages have equal ids, so constructors bring expressions into a normal
//        form. Both sides of each law below get the same id. (x, y, t are any expressions; r has no assertions; S, T
//        are byte sets; _ is any byte, _* all strings, () the empty string, [] the empty set.)
//          concat        (x·y)·t = x·(y·t)     x·() = ()·x = x     x·[] = []·x = []
//                        r{a,b}·r{c,d} = r{a+c,b+d}     r·r{a,b} = r{a,b}·r = r{a+1,b+1}
//                        r·_* = _* if r is nullable     r{m,n}·_* = r{m,m}·_*     and the mirrored laws
//          repeat        x{1,1} = x     x{0,0} = ()     r{m,n} = r{0,n} if r is nullable     r{0,1} = () | r
//                        r{p,q}{m,n} = r{mp,nq} if every count between mp and nq is possible     _{0,} = _*
//                        (r{1,n} | x){m,} = (r | x){m,}     (r?·x?){m,} = (r | x){0,}
//          alternation   associative, commutative, idempotent     [] | x = x     _* | x = _*     x | ~x = _*
//                        S | T is a byte set     ~x | ~y = ~(x & y)     () | r = r if r is nullable
//                        r{a,b}t | r{c,d}t = r{a,max(b,d)}t if a <= c <= b+1     t | r{1,n}t = r{0,n}t
//                        x·y | x·t = x·(y | t) unless x is a bounded repeat     S·t | T·t = (S|T)·t
//                        S·x | b·y = (S-b)·x | b·(x | y) for a byte b in S
//                        x | y = y if a cheap test finds x in y; only with few terms (structure.cc)
//          intersection  associative, commutative, idempotent     _* & x = x     [] & x = []     x & ~x = []
//                        ~x & ~y = ~(x | y)     r{0,n} & ~() = r{1,n}     S·x & T·y = (S&T)·(x & y)
//                        S & r is a byte set, w & r for a literal w is w or []; x & y = [] if no length fits both
//                        x & y = x if a cheap test finds x in y; only with few operands. So C{m,n} & x = x if x is
//                        ASCII of m to n bytes and C holds each ASCII character
//          complement    ~~x = x     ~[] = _*     ~_* = []     ~() = _{1,}
//        Different ids may still denote the same language: only laws that are cheap and that derivatives need are
//        applied. Residuals of counted repeats join, as .{0,9}b | .{0,5}b = .{0,9}b, so the number of states is linear
//        in the count. An alternation of words becomes a trie: a derivative visits one branch, and equal suffixes are
//        one node.
//
//        Counts are never unrolled. With d for the derivative by a byte, d(r{m,n}) = d(r)·r{m-1,n-1}. This also holds
//        for a nullable r: its min is 0, and rounds that match the empty string can be moved to the end.
//
//        Look-around is created by translate() (ast.h); assertions.cc and context.cc describe how it becomes a
//        language.
//
// INVARIANTS
//   - Children have smaller ids than their parents. The head of a concat is not a concat; no child of an alternation,
//     intersection or complement has the same operator as its parent.
//   - An expression without `&`, `~`, contexts and machines has a member unless it is kNothing.
//   - The language of an id never changes. Derivatives and emptiness results are stored once they are found.
//
// COST   Measured by bench/regex_bench.cc, CPU time on a 2 GHz server: a known derivative 5 ns; a new derivative of an
//        expression of the size of a JSON string's 0.5 µs; a pattern of 50 characters 10 µs; a literal of 1 MB 0.1 s;
//        100,000 literals of 8 bytes 0.1 s and, as a trie, 520,000 nodes. Memory: a node, 8 to 20 bytes of hash table
//        and its children, plus 4 bytes a byte class for each expression that has been derived, and up to 100 bytes for each
//        new combination of its parts' partitions.
//
// LIMITS A constructor that would exceed the node limit returns kOverflow. Every operation on kOverflow returns
//        kOverflow, so no language is ever truncated. Emptiness tests and searches for members take fuel. Recursion is
//        bounded for every expression: constructors that call one another stop applying laws at kMaxConstructorDepth
//        levels, which is still exact; an expression with assertions that has more than kMaxHeight levels becomes kOverflow; all
//        other traversals are loops.
//
// THREADS Not thread-safe; const members may be called concurrently. A copy keeps all ids; afterwards the original and
//        the copy create ids independently.
//
// ALTERNATIVES
//   - Position automata and the subset construction need products for `&`, determinisation for `~` and a state for each
//     count.
//   - Partial derivatives (Antimirov) have smaller states, but a residual is a set of them, which `~` must treat as
//     one.
//   - Transition regexes (Moseley et al.) are derivatives by all bytes at once, as decision trees over byte sets. Rows
//     by byte class give the same lookup, and expressions need no conditionals.
//   - Splitting the byte sets of an alternation until they are disjoint gives more equal ids, but creates an expression
//     for each set of terms that some text could reach, also where no text does. Here only single bytes split sets.
//
// REFERENCES
//   Brzozowski, Derivatives of regular expressions, J. ACM 11(4), 1964.
//   Owens, Reppy, Turon, Regular-expression derivatives re-examined, J. Functional Programming 19(2), 2009; section 4.2
//   on byte classes.
//   Moseley, Nishio, Perez Rodriguez, Saarikivi, Toub, Veanes, Wan, Xu, Derivative based nonbacktracking real-world
//   regex matching with backtracking semantics, PLDI 2023.
//   Varatalu, Veanes, Ernits, RE#: high performance derivative-based regex matching with intersection, complement, and
//   restricted lookarounds, POPL 2025.
#ifndef WEIR_SRC_REGEX_EXPR_EXPR_H_
#define WEIR_SRC_REGEX_EXPR_EXPR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/flat_table.h"
#include "base/interner.h"
#include "regex/expr/byte_set.h"
#include "regex/expr/scratch.h"

namespace weir::regex {

/// Names an expression of one ExprSet. Equal ids are the same expression; different ids may denote the same language.
enum class ExprId : std::uint32_t {
  kNothing = 0,     ///< The empty set.
  kEpsilon = 1,     ///< The empty string alone.
  kAllStrings = 2,  ///< Every byte string.
  kOverflow = 3,    ///< The node limit or kMaxHeight was exceeded. Every operation on it returns it.
};

enum class Emptiness : std::uint8_t { kEmpty, kNonEmpty, kUnknown /* out of fuel */ };

/// A state of a machine that serves as an expression. The machine knows what `a`, `b` and `c` mean.
struct AtomState {
  std::uint32_t a = 0;  ///< The operand, if the machine is a decoder.
  std::uint32_t b = 0;
  std::uint32_t c = 0;     ///< Less than 2^20.
  std::uint32_t atom = 0;  ///< See ExprSet::register_atom().

  friend bool operator==(const AtomState&, const AtomState&) = default;
};
class Atom;  // atoms/atom.h

/// The kinds of zero-width assertions: the text after (kAhead) or before (kBehind) a position must match, or must not.
enum class Look : std::uint8_t { kAhead, kNotAhead, kBehind, kNotBehind };

inline constexpr std::uint32_t kUnbounded = UINT32_MAX;
/// Returns a length or a count, kUnbounded if it is too large for one.
constexpr std::uint32_t saturating(std::uint64_t n) {
  return n < kUnbounded ? static_cast<std::uint32_t>(n) : kUnbounded;
}

/// The operator of an expression. Its operands and parameters are read with the members of ExprSet named here.
enum class ExprKind : std::uint8_t {
  kNothing,
  kEpsilon,
  kAllStrings,
  kOverflow,
  kByteSet,       // bytes()
  kConcat,        // operands: the head, which is never a concat, and the tail
  kRepeat,        // operand: the body; counted()
  kAlternation,   // operands, ascending
  kIntersection,  // operands, ascending
  kComplement,    // operand
  kLook,          // operand: body·Σ* of a look-ahead, initial tracker of a look-behind; look()
  kContext,       // operands: (obligation, expression)..., tracker...; look_behinds()
  kTracker,       // as kContext
  kAtom,          // operand: that of a decoder; other machines have none; atom_of(), state_of()
};

/// Returns true for the operators of plain regular expressions: [], (), byte sets, and three that combine them.
constexpr bool is_plain_operator(ExprKind kind) {
  return kind == ExprKind::kNothing || kind == ExprKind::kEpsilon || kind == ExprKind::kByteSet ||
         kind == ExprKind::kConcat || kind == ExprKind::kRepeat || kind == ExprKind::kAlternation;
}

/// How many members an expression has: fewer than kManyTexts, at least as many, or infinitely many.
enum class TextCount : std::uint8_t { kFew, kMany, kEndless };

/// Results of functions of src/regex, copied with the set. The keys of maps are ids of expressions.
struct FunctionMemo {
  std::unordered_map<std::uint32_t, std::uint32_t> farthest_ends = {};  ///< text_horizon.cc
  std::unordered_map<std::uint64_t, bool> subsets = {};                 ///< The same; the key is a pair of ids.
  std::unordered_map<std::uint32_t, bool> continues_any_text = {};      ///< contents.cc
  std::unordered_map<std::uint32_t, TextCount> text_counts = {};        ///< contents.cc
  /// utf8_ranges.cc. The key has the first and the last code point of each range.
  std::unordered_map<std::u32string, ExprId> utf8_sets = {};
};

class ExprSet {
 public:
  using Kind = ExprKind;

  /// Creates a set that may hold `node_limit` expressions; a limit below 5 is raised to the 5 that always exist.
  explicit ExprSet(std::uint32_t node_limit);

  /// Changes the node limit. Existing expressions stay valid even if they are more than the new limit.
  void set_node_limit(std::uint32_t node_limit);
  /// Returns true if the node limit is reached. If an operation returns kOverflow and the set is not full, kMaxHeight
  /// was exceeded.
  [[nodiscard]] bool is_full() const { return nodes_.size() >= node_limit_; }

  /// Maximum number of levels of an expression with assertions, which is traversed recursively.
  static constexpr std::uint16_t kMaxHeight = 500;

  // Constructors. Each returns the normal form of the result; kOverflow if an operand is kOverflow, or if the node
  // limit or kMaxHeight is exceeded.
  // Precondition of all members: ids are of this set, or were copied with it from another set.

  ExprId byte_set(const ByteSet& set);
  /// Returns byte_set(ByteSet::of(byte)), which it remembers.
  ExprId byte(std::uint8_t byte);
  ExprId literal(std::string_view bytes);
  ExprId concat(ExprId a, ExprId b);
  ExprId concat(std::span<const ExprId> parts);
  ExprId alternation(std::span<const ExprId> parts);
  ExprId alternation(ExprId a, ExprId b);
  ExprId intersection(std::span<const ExprId> parts);
  ExprId intersection(ExprId a, ExprId b);
  ExprId complement(ExprId e);  ///< Relative to all byte strings.
  /// Returns `min` to `max` repetitions of `e`; `max` may be kUnbounded. kNothing if min > max. O(1) in the counts.
  ExprId repeat(ExprId e, std::uint32_t min, std::uint32_t max);
  ExprId difference(ExprId a, ExprId b) { return intersection(a, complement(b)); }

  // Sets that a small machine decides (atom.h).

  /// Returns the number of a machine in this set and its copies. At most 2,048 are possible. Precondition: `atom`
  /// outlives all of them.
  std::uint32_t register_atom(const Atom& atom);
  /// Registers a machine that is not a constant of the program: the set and its copies keep it.
  std::uint32_t own_atom(std::shared_ptr<const Atom> atom);
  [[nodiscard]] std::size_t owned_atoms() const { return owned_atoms_.size(); }
  ExprId atom(const AtomState& state);
  /// Returns a decoder with another operand. Precondition: `operand` has no assertions.
  ExprId with_operand(ExprId decoder, ExprId operand);

  /// Returns true if the empty string is a member. O(1).
  [[nodiscard]] bool nullable(ExprId e) const { return (node(e).flags & kNullable) != 0; }
  /// Returns true if `e` is known to have a member that is well-formed UTF-8; false if it has none or it is not known.
  /// O(1).
  [[nodiscard]] bool has_plain_text(ExprId e) const { return (node(e).flags & kHasText) != 0; }
  /// Returns true if `e` is known to have no member with a byte above 0x7F. O(1).
  [[nodiscard]] bool is_ascii(ExprId e) const { return (node(e).flags & kIsAscii) != 0; }
  /// Returns true if `e` is known to hold all strings from some length on. O(1).
  [[nodiscard]] bool is_cofinite(ExprId e) const { return (node(e).flags & kIsCofinite) != 0; }
  /// Returns true if `e` has a repeat with a finite maximum of kMinCounted or more (search_bounds.h) outside
  /// complements and assertions. O(1).
  [[nodiscard]] bool has_counts(ExprId e) const { return (node(e).flags & kHasCount) != 0; }
  /// Returns what is known without a search. O(1).
  [[nodiscard]] Emptiness emptiness_if_known(ExprId e) const {
    const std::uint8_t flags = node(e).flags;
    return (flags & kHasMember) != 0     ? Emptiness::kNonEmpty
           : (flags & kHasNoMember) != 0 ? Emptiness::kEmpty
                                         : Emptiness::kUnknown;
  }
  /// Stores what a search found.
  void set_emptiness(ExprId e, Emptiness found) {
    node(e).flags |= found == Emptiness::kNonEmpty ? kHasMember : found == Emptiness::kEmpty ? kHasNoMember : 0;
  }
  /// Stores that a search found a member that is well-formed UTF-8.
  void set_has_text(ExprId e) { node(e).flags |= kHasMember | kHasText; }
  /// Returns bounds on the length of the members of `e` in bytes; kUnbounded if no upper bound is known. There may be
  /// no member of exactly that length. O(1).
  [[nodiscard]] std::uint32_t min_length(ExprId e) const { return node(e).min_length; }
  [[nodiscard]] std::uint32_t max_length(ExprId e) const { return node(e).max_length; }

  /// Returns the derivative of `e`: the strings w such that `byte`·w is a member of `e`. Memoised by byte class.
  ExprId derivative(ExprId e, std::uint8_t byte);
  struct Branch {
    ByteSet bytes;
    ExprId to;
  };
  /// Appends the transitions of `e` as disjoint byte sets, each with the derivative by every byte of the set. Bytes
  /// whose derivative is kNothing are left out. Several branches may have the same derivative.
  void append_branches(ExprId e, std::vector<Branch>& branches);
  /// Returns the bytes of these transitions. A residual may be empty without being kNothing, so not all of them need
  /// begin a member.
  ByteSet first_bytes(ExprId e);
  /// Returns a partition of the bytes in which the bytes of a class have the same derivative, ascending by first byte.
  /// It stays valid as long as the set.
  std::span<const ByteSet> first_classes(ExprId e);
  /// Refines `classes` so that bytes of one class lead from `e`, and from every residual of `e`, to equal expressions.
  void refine_classes(ExprId e, ByteClasses& classes) const { refine_classes(std::span(&e, 1), classes); }
  /// Likewise for several expressions. What they share is looked at once.
  void refine_classes(std::span<const ExprId> exprs, ByteClasses& classes) const;
  [[nodiscard]] bool matches(ExprId e, std::string_view text);

  // Assertions. Use translate() (syntax/ast.h), which calls these functions and those of syntax/assertions.h. An
  // expression with assertions describes spans of a text, not strings. Only concat, alternation and repeat apply to it.

  /// Returns the zero-width assertion that the text after (or before) a position has a prefix (or suffix) in `body`, or
  /// for the negated kinds that it has none.
  ExprId assertion(Look look, ExprId body);
  [[nodiscard]] bool has_assertions(ExprId e) const { return (node(e).flags & kConditional) != 0; }
  /// Returns the language of the texts that `e` matches from end to end, as a node that tracks all matches of the
  /// text by `e` in parallel (syntax/context.cc). whole_text() finds a simpler expression for most.
  ExprId context(ExprId e);

  // Reading an expression. O(1).

  [[nodiscard]] Kind kind(ExprId e) const { return node(e).kind; }
  /// Returns operand `i`. Precondition: `e` has so many; operand 0 of an expression without operands is unspecified.
  [[nodiscard]] ExprId operand(ExprId e, std::uint32_t i = 0) const {
    const Node& n = node(e);
    return is_list(n.kind) ? child(n, i) : ExprId{i == 0 ? n.a : n.b};
  }
  [[nodiscard]] std::uint32_t operand_count(ExprId e) const;
  /// Returns the operands as a range. They are read one by one, so expressions may be created meanwhile.
  [[nodiscard]] auto operands(ExprId e) const {
    return std::views::iota(0U, operand_count(e)) |
           std::views::transform([this, e](std::uint32_t i) { return operand(e, i); });
  }
  /// Return the two parts of a concatenation; `e` and kEpsilon if `e` is not a concatenation.
  [[nodiscard]] ExprId head(ExprId e) const { return kind(e) == Kind::kConcat ? ExprId{node(e).a} : e; }
  [[nodiscard]] ExprId tail(ExprId e) const { return kind(e) == Kind::kConcat ? ExprId{node(e).b} : ExprId::kEpsilon; }
  struct Counted {
    ExprId body;
    std::uint32_t min, max;
  };
  /// Returns `e` as a counted repeat; if it is not a repeat, as {1,1} of itself.
  [[nodiscard]] Counted counted(ExprId e) const;
  /// Precondition: `e` is a byte set.
  [[nodiscard]] const ByteSet& bytes(ExprId e) const { return sets_[node(e).a]; }
  /// Precondition: `e` is an assertion.
  [[nodiscard]] Look look(ExprId e) const { return Look{static_cast<std::uint8_t>(node(e).b)}; }
  /// Returns the initial trackers of the look-behinds of a context or tracker. The last operands of `e` are their
  /// current trackers.
  [[nodiscard]] std::span<const std::uint32_t> look_behinds(ExprId e) const { return leaf_sets_[node(e).c]; }
  [[nodiscard]] ExprId any_byte() const { return any_byte_; }
  /// Returns true if `e` is a machine with an operand.
  [[nodiscard]] bool is_decoder(ExprId e) const { return kind(e) == Kind::kAtom && (node(e).c & kIsDecoder) != 0; }
  /// Precondition of both: `e` is a machine.
  [[nodiscard]] const Atom& atom_of(ExprId e) const { return *atoms_[node(e).c >> kIndexShift]; }
  [[nodiscard]] AtomState state_of(ExprId e) const { return state_of(node(e)); }
  /// Returns true if `x` and `y` are decoders in the same state, which differ in their operands only.
  [[nodiscard]] bool same_decoder(ExprId x, ExprId y) const {
    return is_decoder(x) && is_decoder(y) && node(x).b == node(y).b && node(x).c == node(y).c;
  }

  /// For the files that FunctionMemo names.
  [[nodiscard]] FunctionMemo& memo() { return function_memo_; }
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  class AlternationBuilder;   // normal_form.cc
  class IntersectionBuilder;  // normal_form.cc
  class Context;              // syntax/context.cc

  static constexpr std::uint8_t kNullable = 1;
  static constexpr std::uint8_t kHasMember = 2;    // not empty
  static constexpr std::uint8_t kHasNoMember = 4;  // found empty by exploration
  static constexpr std::uint8_t kConditional = 8;  // has assertions outside contexts
  static constexpr std::uint8_t kHasText = 16;     // known to have a member that is well-formed UTF-8
  static constexpr std::uint8_t kIsCofinite = 32;  // known to hold all strings from some length on
  static constexpr std::uint8_t kHasCount = 64;    // has a repeat with a maximum that without_counts() may remove
  static constexpr std::uint8_t kIsAscii = 128;    // known to have no member with a byte above 0x7F

  // The meaning of `a`, `b` and `c` by kind:
  //   kByteSet                a: index into sets_
  //   kConcat                 a: head; b: tail; c: leaf set
  //   kRepeat                 a: body; b: min; c: max
  //   kAlternation            a, b: operands in pool_; c: leaf set
  //   kIntersection           a, b: operands in pool_
  //   kComplement             a: operand
  //   kLook                   a: operand; b: Look; c: leaf set
  //   kContext, kTracker      a, b: operands in pool_; c: leaf set
  //   kAtom                   a, b, c: state; c also holds kIsDecoder and, from kIndexShift on, an index into atoms_
  struct Node {
    Kind kind = Kind::kNothing;
    std::uint8_t flags = 0;
    std::uint16_t height = 0;  // levels of expressions with assertions; see kMaxHeight
    std::uint32_t a = 0, b = 0, c = 0;
    std::uint32_t min_length = 0, max_length = 0;
    std::uint32_t row = 0;  // index into memo_ of the derivatives; 0: none yet
  };
  static constexpr ExprId kUnknown{UINT32_MAX};

  struct Partition {
    std::array<std::uint8_t, 256> class_of{};
    std::vector<ByteSet> sets;  // ascending by first byte
  };
  struct Term {
    ExprId head, tail, id;
  };
  struct Inclusion {
    ExprId big = kUnknown;
    ExprId small = kUnknown;
    bool is_included = false;
  };

  static constexpr unsigned kAtomShift = 20;
  static constexpr std::uint32_t kIsDecoder = 1U << kAtomShift;
  static constexpr unsigned kIndexShift = kAtomShift + 1;

  // expr.cc: the store, and the constructors that have no file of their own.
  [[nodiscard]] const Node& node(ExprId e) const { return nodes_[static_cast<std::uint32_t>(e)]; }
  [[nodiscard]] Node& node(ExprId e) { return nodes_[static_cast<std::uint32_t>(e)]; }
  static constexpr bool is_list(Kind kind) {
    return kind == Kind::kAlternation || kind == Kind::kIntersection || kind == Kind::kContext ||
           kind == Kind::kTracker;
  }
  [[nodiscard]] ExprId child(const Node& list, std::uint32_t i) const { return ExprId{pool_[list.a + i]}; }
  [[nodiscard]] std::uint32_t leaf_set(ExprId e) const;
  [[nodiscard]] static AtomState state_of(const Node& n) {
    return {n.a, n.b, n.c & ((1U << kAtomShift) - 1), n.c >> kAtomShift};
  }
  template <typename Equal, typename Make>
  ExprId find_or_add(std::uint64_t hash, Equal equal, Make make);
  ExprId intern(Kind kind, std::uint32_t a, std::uint32_t b, std::uint32_t c);
  ExprId intern_list(Kind kind, std::span<const ExprId> list, std::uint32_t leaves);
  bool set_properties(Node& n);
  void set_atom_properties(Node& n) const;
  void set_list_properties(Node& n);
  void set_context_properties(Node& n);
  ExprId cons(ExprId h, ExprId t);
  ExprId cons_look(ExprId look, ExprId t);
  ExprId star_body(ExprId e);

  // normal_form.cc
  std::optional<ExprId> join_decoders(ExprId x, ExprId y, bool meets);
  bool includes_memoised(ExprId big, ExprId small);
  template <typename Builder>
  ExprId finish(Builder& form);

  // derivative.cc
  [[nodiscard]] ExprId known_derivative(ExprId e, std::uint8_t byte) const;
  ExprId derive(ExprId e, std::uint8_t byte);
  ExprId derive_once(ExprId e, std::uint8_t byte, std::vector<ExprId>& of_parts);
  void list_parts(ExprId e, std::vector<ExprId>& parts) const;
  std::uint32_t partition_of(std::span<const ExprId> parts, std::span<const ByteSet> sets = {});
  std::uint32_t make_partition(std::span<const std::uint32_t> key, std::span<const ByteSet> sets);
  void make_row(ExprId e, std::span<const ExprId> parts);
  [[nodiscard]] bool begins_with_character(const ByteSet& first, ExprId after) const;
  [[nodiscard]] bool ends_character(ExprId e, const ByteSet& next, int count) const;
  bool fill_row_of_branches(ExprId e, std::vector<ExprId>& parts);

  // syntax/context.cc
  std::uint32_t leaf_set_union(std::uint32_t x, std::uint32_t y);
  ExprId derive_context(ExprId e, std::uint8_t byte, std::vector<ExprId>& parts);
  [[nodiscard]] bool context_nullable(const Node& n) const;
  [[nodiscard]] bool holds_at_end(ExprId e, const Node& context) const;

  std::uint32_t node_limit_ = 0;
  std::uint32_t depth_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> pool_;
  std::vector<ByteSet> sets_;
  std::vector<const Atom*> atoms_;
  std::vector<std::shared_ptr<const Atom>> owned_atoms_;  // those of `atoms_` that are no constants
  base::FlatTable<base::NumberSlot> slots_;
  std::vector<Partition> partitions_;
  base::WordInterner partition_ids_;
  // Memo of partition_of(). The byte sets of a machine are identified by address.
  base::WordInterner partition_keys_;
  std::vector<std::uint32_t> partition_of_key_;
  std::vector<std::span<const ByteSet>> partition_sets_;
  std::vector<std::uint32_t> partition_key_;  // buffer
  base::WordInterner leaf_sets_;              // sets of look-behinds, by their initial trackers
  std::vector<std::uint32_t> memo_;           // rows of derivatives; see derivative.cc
  FunctionMemo function_memo_;
  std::vector<Inclusion> inclusions_;  // memo of includes_memoised(): the latest pair with each hash; empty at first
  ExprId any_byte_ = ExprId::kNothing;
  std::array<ExprId, 256> single_bytes_{};  // memo of byte(); kNothing: none yet
  ScratchPool<ExprId> ids_;
  ScratchPool<Term> terms_;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_EXPR_H_
