// ExprSet: hash-consed regular expressions over bytes, and their Brzozowski derivatives.
//
// WHAT   Nothing, the empty string, all strings, byte sets, concatenation, alternation, intersection, complement,
//        counted repeats {m,n}, look-around, and sets that a small machine decides; each expression once, named by an
//        id. The derivative of an expression by a byte is what may follow that byte: an expression again. So the
//        expressions are the states of their own automaton, and only those that a text reaches are ever made.
// WHY    Everything above asks the same few questions, of sets that are intersections and complements as often as not
//        ("any JSON string but these keys"): what may follow this byte, may it end here, can it still match. With
//        derivatives `&` and `~` cost what `|` costs, where automata would be multiplied and determinised in advance;
//        and a count is a number in a node, where automata have a state for each.
//
// HOW    A node is 28 bytes in one array, lists of children stand in one pool, one hash table finds equal nodes. A
//        derivative is remembered in a row of its expression, by class of bytes: the classes that the expression's own
//        first bytes need, not those of all its parts (derivative.cc).
//
//        States recur because equal ids do: constructors bring expressions into a normal form. In it, these are the
//        same id. (x, y, t any; r without assertions; S, T byte sets; _ any byte, _* all strings, () the empty string,
//        [] nothing.)
//          concat        (x·y)·t = x·(y·t)     x·() = ()·x = x     x·[] = []·x = []
//                        r{a,b}·r{c,d} = r{a+c,b+d}     r·r{a,b} = r{a,b}·r = r{a+1,b+1}
//                        r·_* = _* if r is nullable     r{m,n}·_* = r{m,m}·_*     and both mirrored
//          repeat        x{1,1} = x     x{0,0} = ()     r{m,n} = r{0,n} if r is nullable     r{0,1} = () | r
//                        r{p,q}{m,n} = r{mp,nq} if that leaves no gap     _{0,} = _*
//                        (r{1,n} | x){m,} = (r | x){m,}     (r?·x?){m,} = (r | x){0,}
//          alternation   associative, commutative, idempotent     [] | x = x     _* | x = _*     x | ~x = _*
//                        S | T is a byte set     ~x | ~y = ~(x & y)     () | r = r if r is nullable
//                        r{a,b}t | r{c,d}t = r{a,max(b,d)}t if a <= c <= b+1     t | r{1,n}t = r{0,n}t
//                        x·y | x·t = x·(y | t) unless x is a bounded repeat     S·t | T·t = (S|T)·t
//                        S·x | b·y = (S-b)·x | b·(x | y) for a byte b in S
//                        x | y = y if that is seen at once, of a few terms (structure.cc)
//          intersection  associative, commutative, idempotent     _* & x = x     [] & x = []     x & ~x = []
//                        ~x & ~y = ~(x | y)     r{0,n} & ~() = r{1,n}     S·x & T·y = (S&T)·(x & y)
//                        S & r, and a literal & r, are counted out; so is [] where no length suits all
//                        x & y = x if that is seen at once, of a few operands
//          complement    ~~x = x     ~[] = _*     ~_* = []     ~() = _{1,}
//        Two ids may still be one language: the laws are those that are cheap and that derivatives need. A union of
//        counted residuals, .{0,9}b | .{0,5}b, is one residual, so states stay linear in the count. A set of words is
//        a trie, of which a derivative looks at one branch, and in which equal endings are one node.
//
//        Counts are never unrolled: the derivative of r{m,n} is (that of r)·r{m-1,n-1}. For a nullable r that is right
//        because its min is 0: of the rounds, those that are empty may be taken to be the last.
//
//        Look-around is for translate() in ast.h; context.cc and translate.cc say how it becomes a language.
//
// INVARIANTS
//   - Children have smaller ids than their parents. No concat is the head of one, no alternation a child of one, no
//     intersection a child of one, no complement a child of one.
//   - An expression without `&`, `~`, contexts and machines has a member unless it is kNothing.
//   - What an id denotes never changes; derivatives and verdicts on emptiness, once found, are kept.
//
// COST   bench/regex_bench.cc, CPU time on a 2 GHz server: a derivative that is known 5 ns, a new one of an expression
//        the size of a JSON string's 0.5 µs, a pattern of 50 characters 10 µs, a literal of 1 MB 0.1 s, 100,000
//        literals of 8 bytes and their trie 0.1 s and 520,000 nodes. Memory: a node, 8 to 20 bytes to find it, its
//        children; and 4 bytes a byte class for each expression that was derived.
//
// LIMITS A constructor that would exceed the node limit returns kOverflow, which absorbs every operation; nothing is
//        cut. Emptiness and shortest members have fuel. Recursion is bounded, whatever the expression: constructors
//        that call one another stop applying laws at kMaxDepth levels, which is still exact; expressions with
//        assertions have at most kMaxHeight levels, beyond which there is kOverflow again; all else goes by loops.
//
// THREADS Not thread-safe; const members may be called concurrently. A copy keeps all ids, and the two grow apart.
//
// ALTERNATIVES
//   - Position automata and the subset construction: products for `&`, determinisation for `~`, a state for each count.
//   - Partial derivatives (Antimirov): smaller states, but sets of them, which `~` must see as one.
//   - Transition regexes (Moseley et al.): derivatives by all bytes at once, as a decision tree over byte sets. Rows by
//     byte class come to the same look-up, and expressions need no conditionals.
//   - Splitting byte sets until those of an alternation are disjoint: more equal ids, but it makes an expression for
//     each set of terms that some text could reach, not that one does. Here only single bytes split sets.
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
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/word_interner.h"
#include "regex/expr/byte_set.h"
#include "regex/expr/scratch.h"

namespace weir::regex {

/// Names an expression of one ExprSet. Equal ids are the same expression; different ids may still denote one language.
enum class ExprId : std::uint32_t {
  kNothing = 0,     ///< The empty set.
  kEpsilon = 1,     ///< The empty string alone.
  kAllStrings = 2,  ///< Every byte string.
  kOverflow = 3,    ///< The node limit or kMaxHeight was met; absorbs every operation. Never a result otherwise.
};

enum class Emptiness : std::uint8_t { kEmpty, kNonEmpty, kUnknown /* out of fuel */ };

enum class JsonState : std::uint32_t;  // json_decoder.h
struct DivisionState;                  // decimal_multiple.h
class SectionAutomaton;                // section_automaton.h
struct SectionPlace;                   // the same

/// A zero-width assertion: what must (not) stand before or behind a place in the text.
enum class Look : std::uint8_t { kAhead, kNotAhead, kBehind, kNotBehind };

inline constexpr std::uint32_t kUnbounded = UINT32_MAX;

class ExprSet {
 public:
  /// At most `node_limit` expressions, and at least the five that always exist.
  explicit ExprSet(std::uint32_t node_limit);

  /// Another limit from now on. Expressions beyond it stay, and then the set is full.
  void set_node_limit(std::uint32_t node_limit);
  /// Whether the node limit was met. A kOverflow of a set that is not full is one of kMaxHeight.
  [[nodiscard]] bool is_full() const { return nodes_.size() >= node_limit_; }

  /// Levels of an expression with assertions: those are walked by recursion.
  static constexpr std::uint16_t kMaxHeight = 500;

  // Constructors. Each returns the normal form; kOverflow if an operand is kOverflow, or the node limit or kMaxHeight
  // is met.
  // Precondition of all members: ids are of this set, or of the one that this is a copy of.

  ExprId byte_set(const ByteSet& set);
  ExprId literal(std::string_view bytes);
  ExprId concat(ExprId a, ExprId b);
  ExprId concat(std::span<const ExprId> parts);
  ExprId alternation(std::span<const ExprId> parts);
  ExprId alternation(ExprId a, ExprId b);
  ExprId intersection(std::span<const ExprId> parts);
  ExprId intersection(ExprId a, ExprId b);
  ExprId complement(ExprId e);  ///< Relative to all byte strings.
  /// `min` to `max` times, never unrolled; `max` may be kUnbounded. Nothing if min > max.
  ExprId repeat(ExprId e, std::uint32_t min, std::uint32_t max);
  ExprId difference(ExprId a, ExprId b) { return intersection(a, complement(b)); }

  // Sets that a small machine decides. json_string.h, decimal_multiple.h and section_automaton.h say which, and are the
  // ways to make them.

  ExprId json_tail(ExprId operand, JsonState state);
  ExprId division(const DivisionState& state);
  ExprId sections(const SectionAutomaton& automaton);

  [[nodiscard]] bool nullable(ExprId e) const { return (node(e).flags & kNullable) != 0; }
  /// Whether `e` has a member that is well-formed UTF-8, as far as is seen at a glance: O(1).
  [[nodiscard]] bool has_plain_text(ExprId e) const { return (node(e).flags & kHasText) != 0; }
  /// No member of `e` is shorter, or longer (kUnbounded: no such bound is known). O(1); a bound need not be met.
  [[nodiscard]] std::uint32_t min_length(ExprId e) const { return node(e).min_length; }
  [[nodiscard]] std::uint32_t max_length(ExprId e) const { return node(e).max_length; }

  /// What may follow `byte` in the members of `e` that begin with it. Memoised by byte class.
  ExprId derivative(ExprId e, std::uint8_t byte);
  struct Branch {
    ByteSet bytes;
    ExprId to;
  };
  /// Appends the classes of bytes that lead from `e` to one expression each, with that expression; those that lead to
  /// kNothing are left out. Several may lead to one expression.
  void append_branches(ExprId e, std::vector<Branch>& branches);
  /// An expression that no text of at most `bytes` bytes tells from `e`: as a text, or as the beginning of one. Where
  /// `e` begins with a counted repeat, counts beyond `bytes` are forgotten.
  ExprId drop_distant_counts(ExprId e, std::uint32_t bytes);
  /// Whether every text of these characters may come before some member of `e`, which has one, and leaves that member:
  /// "a word anywhere in a text". `character`: an expression of single characters. What is seen at a glance.
  [[nodiscard]] bool may_begin_with_any(ExprId character, ExprId e) const;
  /// Where that is so of a string in JSON that `e` begins with, and not all contents are members: any string, and
  /// behind it what is behind it in `e`; else kNothing, as of strings that need not be UTF-8 or that hold a string in
  /// JSON. Texts without a quote leave something of both or of neither.
  ExprId any_string_before(ExprId character, ExprId e);
  struct Rounds {
    std::uint32_t min = 0;
    std::uint32_t max = kUnbounded;
  };
  /// How many rounds of the repeat that `e`, or the string in JSON that `e` begins with, begins with; 1 to 1 where it
  /// begins with none. Each takes a byte at least. Of an automaton of sections, at the beginning or among alternatives
  /// there: the bytes that may follow before its counts matter.
  [[nodiscard]] Rounds first_rounds(ExprId e) const;
  /// Whether `e` is a string in JSON, perhaps with more behind it, of which the whole content is one repeat.
  [[nodiscard]] bool is_string_of_rounds(ExprId e) const;
  /// `e` with that many instead; of an automaton of sections, whatever they are, without counts. Precondition: it
  /// begins with one of the two.
  ExprId with_first_rounds(ExprId e, Rounds rounds);
  /// `e` with any number of rounds where a repeat has at most n, n being `most` or more and not below 8: as far as its
  /// parts are looked at, but in complements and assertions, of what may be empty, and behind a string in JSON.
  ExprId without_counts(ExprId e, std::uint32_t most);
  /// How long a text may be that does not tell `x` from `y`, as a member or as the beginning of one: no more than so
  /// many bytes; or so many that are not inside a character of UTF-8 (0x80 to 0xBF). 0 where that is not seen; seen are
  /// counts that differ, and of a pattern within a length that `y` is the pattern (text_horizon.cc).
  struct Alike {
    std::uint32_t bytes = 0;
    std::uint32_t characters = 0;
  };
  Alike equal_prefix_length(ExprId x, ExprId y);
  /// Refines `classes` so that bytes of one class lead from `e`, and from every residual of `e`, to equal expressions.
  void refine_classes(ExprId e, ByteClasses& classes) const;
  /// Whether `e` has no member; kUnknown after visiting `fuel` expressions, or at the node limit. Verdicts are kept.
  Emptiness emptiness(ExprId e, std::uint32_t fuel);
  /// The first member in (length, byte) order; nullopt if there is none within `fuel` visited expressions, or within 16
  /// times as many that are made.
  std::optional<std::string> shortest_member(ExprId e, std::uint32_t fuel);
  /// One of its length, mostly within far fewer visits: a few for each byte in an intersection of texts with an a, with
  /// a b and so on. Of intersections what derivatives look at counts as well: operands, and pairs of them.
  std::optional<std::string> any_shortest_member(ExprId e, std::uint32_t fuel);
  /// Whether a member of min_length(e) bytes can be read off the expression, at a cost of `fuel` expressions at most
  /// and whatever the length: most expressions without intersections, complements and look-around (searches.cc).
  [[nodiscard]] bool has_plain_member(ExprId e, std::uint32_t fuel) const;
  /// Appends that member. Precondition: has_plain_member(e, …).
  void append_plain_member(ExprId e, std::string& out) const;
  [[nodiscard]] bool matches(ExprId e, std::string_view text);
  /// The texts that a member begins with, members included; nullopt where `e` has intersections, complements,
  /// assertions or machines (structure.cc).
  std::optional<ExprId> beginnings(ExprId e);

  // Assertions; translate() in ast.h is the way to use them. An expression with assertions says something about places
  // in a text, not about strings, until whole_text() turns it into a language. Of the operations only concat,
  // alternation and repeat apply to it.

  /// The place where the text that follows (precedes) has a prefix (suffix) in `body`, or has none.
  ExprId assertion(Look look, ExprId body);
  /// concat, in which assertions that cannot look beyond what stands beside them become part of that.
  ExprId sequence(std::span<const ExprId> parts);
  [[nodiscard]] bool has_assertions(ExprId e) const { return (node(e).flags & kConditional) != 0; }
  /// The texts that `e` spans from end to end.
  ExprId whole_text(ExprId e);

  /// An expression's operator and its parts, for whoever writes it down.
  struct Shape {
    enum class Kind : std::uint8_t { kNothing, kEpsilon, kBytes, kConcat, kRepeat, kAlternation, kOther };
    Kind kind = Kind::kOther;  ///< kOther: any string, intersections, complements, assertions, machines.
    ByteSet bytes = {};
    std::vector<ExprId> parts = {};
    std::uint32_t min = 0, max = 0;
  };
  [[nodiscard]] Shape shape(ExprId e) const;

  /// What an expression is made of: `words` say what it is, but for its parts. Equal structures are one expression.
  struct Structure {
    std::vector<std::uint64_t> words = {};
    std::vector<ExprId> parts = {};
    bool commutes = false;  ///< The order of the parts is that of their ids and means nothing.
  };
  void read_structure(ExprId e, Structure& structure) const;

  /// Regex-like syntax, for people; cut off with "..." after some hundred characters.
  [[nodiscard]] std::string to_string(ExprId e) const;
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  class Union;                // normal_form.cc
  class IntersectionBuilder;  // normal_form.cc
  class Context;              // context.cc
  class TextForm;             // translate.cc
  class Printer;              // print.cc
  class PlainMember;          // searches.cc
  class MemberSearch;         // searches.cc
  class ShortestSearch;       // searches.cc
  class Comparison;           // text_horizon.cc

  enum class Kind : std::uint8_t {
    kNothing,
    kEpsilon,
    kAllStrings,
    kOverflow,
    kByteSet,       // a: index into sets_
    kConcat,        // a: head, never a concat; b: tail; c: leaf set
    kRepeat,        // a: body; b: min; c: max
    kAlternation,   // a, b: children in pool_, sorted; c: leaf set
    kIntersection,  // a, b: children in pool_, sorted
    kComplement,    // a
    kLook,          // a: look-ahead: body·Σ*; look-behind: first tracker; b: Look; c: leaf set
    kContext,       // a, b: (obligation, expression)..., tracker... in pool_; c: leaf set
    kTracker,       // the same
    kMachine,       // a, b, c: see atoms.cc
  };
  static constexpr std::uint8_t kNullable = 1;
  static constexpr std::uint8_t kHasMember = 2;    // not empty
  static constexpr std::uint8_t kHasNoMember = 4;  // found empty by exploration
  static constexpr std::uint8_t kConditional = 8;  // has assertions outside contexts
  static constexpr std::uint8_t kHasText = 16;  // has a member that is well-formed UTF-8; not set for all that have one
  static constexpr std::uint8_t kHoldsLong = 32;  // all strings from some length on are members; not set for all such
  static constexpr std::uint8_t kHasCount = 64;   // a repeat of at most n rounds, and not few, that without_counts sees

  struct Node {
    Kind kind = Kind::kNothing;
    std::uint8_t flags = 0;
    std::uint16_t height = 0;  // levels of conditional expressions; see kMaxHeight
    std::uint32_t a = 0, b = 0, c = 0;
    std::uint32_t min_length = 0, max_length = 0;
    std::uint32_t row = 0;  // into memo_; 0: none yet
  };
  struct Slot {
    std::uint32_t id = UINT32_MAX;
    std::uint32_t hash = 0;
  };
  struct Partition {
    std::array<std::uint8_t, 256> class_of{};
    std::vector<ByteSet> sets;  // ascending by first byte
  };
  struct Counted {
    ExprId body;
    std::uint32_t min, max;
  };
  struct Term {
    ExprId head, tail, id;
  };

  static constexpr ExprId kUnknown{UINT32_MAX};
  static constexpr std::uint32_t kMaxDepth = 64;  // of constructors that call one another; deeper, laws are skipped

  // expr.cc: the store, and the constructors without a file of their own.
  [[nodiscard]] const Node& node(ExprId e) const { return nodes_[static_cast<std::uint32_t>(e)]; }
  [[nodiscard]] Node& node(ExprId e) { return nodes_[static_cast<std::uint32_t>(e)]; }
  [[nodiscard]] Kind kind(ExprId e) const { return node(e).kind; }
  [[nodiscard]] ExprId operand(ExprId e) const { return ExprId{node(e).a}; }
  [[nodiscard]] ExprId child(const Node& list, std::uint32_t i) const { return ExprId{pool_[list.a + i]}; }
  [[nodiscard]] const ByteSet& bytes(ExprId e) const { return sets_[node(e).a]; }
  [[nodiscard]] ExprId head(ExprId e) const { return kind(e) == Kind::kConcat ? ExprId{node(e).a} : e; }
  [[nodiscard]] ExprId tail(ExprId e) const { return kind(e) == Kind::kConcat ? ExprId{node(e).b} : ExprId::kEpsilon; }
  [[nodiscard]] Counted counted(ExprId e) const;
  [[nodiscard]] std::uint32_t leaf_set(ExprId e) const;
  template <typename Equal, typename Make>
  ExprId find_or_add(std::uint64_t hash, Equal equal, Make make);
  void grow_slots();
  ExprId intern(Kind kind, std::uint32_t a, std::uint32_t b, std::uint32_t c);
  ExprId intern_list(Kind kind, std::span<const ExprId> list, std::uint32_t leaves);
  bool set_properties(Node& n);
  void set_list_properties(Node& n);
  void set_context_properties(Node& n);
  ExprId cons(ExprId h, ExprId t);
  ExprId cons_look(ExprId look, ExprId t);
  ExprId star_body(ExprId e);

  // structure.cc: cheap facts about languages; `false` and nullopt mean "not seen".
  [[nodiscard]] bool includes(ExprId big, ExprId small) const;
  [[nodiscard]] bool includes(ExprId big, ExprId small, int& fuel) const;
  [[nodiscard]] bool includes_by_heads(ExprId big, ExprId small, int& fuel) const;
  std::optional<ExprId> union_of_two(ExprId x, ExprId y, int depth);
  [[nodiscard]] std::optional<ByteSet> one_byte_members(ExprId e, int& fuel) const;
  [[nodiscard]] bool is_literal(ExprId e, std::size_t longest, std::string& text) const;
  std::optional<ExprId> without_epsilon(ExprId e);

  // derivative.cc
  [[nodiscard]] ExprId known_derivative(ExprId e, std::uint8_t byte) const;
  ExprId derive(ExprId e, std::uint8_t byte);
  ExprId derive_once(ExprId e, std::uint8_t byte, std::span<const ExprId> parts);
  void list_parts(ExprId e, std::vector<ExprId>& parts) const;
  std::uint32_t partition_of(std::span<const ExprId> parts, std::span<const ByteSet> sets = {});
  std::uint32_t make_partition(std::span<const ExprId> parts, std::span<const ByteSet> sets);
  void make_row(ExprId e, std::span<const ExprId> parts);
  const Partition& first_classes(ExprId e);

  // searches.cc
  [[nodiscard]] std::uint64_t distance(ExprId e) const;
  Emptiness emptiness_inside(ExprId e, std::uint32_t fuel);

  // atoms.cc
  static bool is_json(const Node& n);
  static bool is_sections(const Node& n);
  [[nodiscard]] const SectionAutomaton& automaton_of(const Node& n) const;
  ExprId sections(std::uint32_t automaton, const SectionPlace& place);
  [[nodiscard]] std::optional<SectionPlace> section_place(ExprId e) const;
  [[nodiscard]] ExprId sections_in(ExprId e) const;
  void set_section_properties(Node& n) const;
  void read_sections(const Node& n, Structure& structure) const;
  static ExprId fed_operand(const Node& n);
  [[nodiscard]] std::span<const ByteSet> machine_classes(const Node& n) const;
  void set_machine_properties(Node& n) const;
  [[nodiscard]] bool json_has_plain_member(ExprId e, JsonState state) const;
  [[nodiscard]] bool has_long_text(ExprId e) const;
  [[nodiscard]] bool has_text_from(ExprId e, const ByteSet& ascii) const;
  [[nodiscard]] bool stays_behind_any(ExprId character, ExprId e, int fuel) const;
  ExprId derive_machine(const Node& n, std::uint8_t byte);
  bool append_json_branches(ExprId e, std::vector<Branch>& branches);
  std::optional<ExprId> join_json(ExprId x, ExprId y, bool meets);
  void refine_by_machine(const Node& n, ByteClasses& classes) const;
  [[nodiscard]] static std::string machine_name(const Node& n);

  // text_horizon.cc
  ExprId without_counts(ExprId e, std::uint32_t most, int& fuel);
  ExprId without_lengths(ExprId e);
  bool is_within(ExprId small, ExprId big);
  ExprId with_loops(ExprId e, int& fuel);
  std::uint32_t farthest_end(ExprId e);
  std::uint32_t farthest_in_parts(ExprId e, int& fuel) const;
  [[nodiscard]] bool begins_with_characters(ExprId e) const;

  // translate.cc
  [[nodiscard]] bool is_plain_look(ExprId e, bool behind) const;
  ExprId plain_demand(ExprId look);
  [[nodiscard]] std::uint32_t reach(ExprId look) const;
  void join_looks(std::vector<ExprId>& parts, bool behind);

  // context.cc
  std::uint32_t leaf_set_union(std::uint32_t x, std::uint32_t y);
  ExprId close(ExprId e);
  ExprId derive_context(ExprId e, std::uint8_t byte, std::vector<ExprId>& parts);
  [[nodiscard]] bool context_nullable(const Node& n) const;
  [[nodiscard]] bool holds_at_end(ExprId e, const Node& context) const;

  std::uint32_t node_limit_ = 0;
  std::uint32_t depth_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> pool_;
  std::vector<ByteSet> sets_;
  std::vector<const SectionAutomaton*> automata_;
  std::vector<Slot> slots_;
  std::vector<Partition> partitions_;
  base::WordInterner partition_ids_;
  // What partition_of found for one part with a machine's sets, of which there are few.
  std::unordered_map<std::uint64_t, std::uint32_t> partition_with_;
  std::vector<std::span<const ByteSet>> partition_sets_;
  base::WordInterner leaf_sets_;
  std::vector<std::uint32_t> memo_;
  std::unordered_map<std::uint32_t, std::uint32_t> farthest_ends_;
  std::unordered_map<std::uint64_t, bool> within_;
  ExprId any_byte_ = ExprId::kNothing;
  ScratchPool<ExprId> ids_;
  ScratchPool<Term> terms_;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_EXPR_H_
