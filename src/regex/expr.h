// ExprSet: hash-consed regular expressions over bytes, and their Brzozowski derivatives.
#ifndef WEIR_SRC_REGEX_EXPR_H_
#define WEIR_SRC_REGEX_EXPR_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/word_interner.h"
#include "regex/byte_set.h"

namespace weir::regex {

/// Names an expression of one ExprSet. Equal ids are the same expression; different ids may still denote one language.
enum class ExprId : std::uint32_t {
  kNothing = 0,     ///< The empty set.
  kEpsilon = 1,     ///< The empty string alone.
  kAllStrings = 2,  ///< Every byte string.
  kOverflow = 3,    ///< The node limit was met; absorbs every operation. Never a result otherwise.
};

enum class Emptiness : std::uint8_t { kEmpty, kNonEmpty, kUnknown /* out of fuel */ };

inline constexpr std::uint32_t kUnbounded = UINT32_MAX;

/// Copyable: a copy keeps all ids, and the two grow apart from then on. Not thread-safe.
class ExprSet {
 public:
  explicit ExprSet(std::uint32_t node_limit);

  // Constructors, each returning the normal form.
  ExprId byte_set(const ByteSet& set);
  ExprId literal(std::string_view bytes);
  ExprId concat(ExprId a, ExprId b);
  ExprId concat(std::span<const ExprId> parts);
  ExprId alternation(std::span<const ExprId> parts);
  ExprId alternation(ExprId a, ExprId b);
  ExprId intersection(std::span<const ExprId> parts);
  ExprId intersection(ExprId a, ExprId b);
  ExprId complement(ExprId e);                                    ///< Relative to all byte strings.
  ExprId repeat(ExprId e, std::uint32_t min, std::uint32_t max);  ///< `max` may be kUnbounded; never unrolled.
  ExprId difference(ExprId a, ExprId b) { return intersection(a, complement(b)); }

  [[nodiscard]] bool nullable(ExprId e) const { return (node(e).flags & kNullableFlag) != 0; }
  ExprId derivative(ExprId e, std::uint8_t byte);
  void refine_classes(ExprId e, ByteClasses& classes) const;
  Emptiness emptiness(ExprId e, std::uint32_t fuel);
  std::optional<std::string> shortest_member(ExprId e, std::uint32_t fuel);
  [[nodiscard]] bool matches(ExprId e, std::string_view text);

  [[nodiscard]] std::string to_string(ExprId e) const;
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  enum class Kind : std::uint8_t {
    kNothing,
    kEpsilon,
    kAllStrings,
    kOverflow,
    kByteSet,
    kConcat,
    kRepeat,
    kAlternation,
    kIntersection,
    kComplement
  };
  static constexpr std::uint8_t kNullableFlag = 1;
  static constexpr std::uint8_t kPositiveFlag = 2;
  static constexpr std::uint32_t kNoRow = 0;
  static constexpr ExprId kUnknownId{UINT32_MAX};

  struct Node {
    Kind kind = Kind::kNothing;
    std::uint8_t flags = 0;
    Emptiness verdict = Emptiness::kUnknown;
    std::uint32_t a = 0, b = 0, c = 0;
    std::uint32_t row = kNoRow;
  };
  struct Slot {
    std::uint32_t id = UINT32_MAX;
    std::uint32_t hash = 0;
  };
  struct Partition {
    std::array<std::uint8_t, 256> class_of{};
    std::vector<ByteSet> sets;
  };
  struct Counted {
    ExprId body;
    std::uint32_t min, max;
  };

  [[nodiscard]] const Node& node(ExprId e) const { return nodes_[static_cast<std::uint32_t>(e)]; }
  [[nodiscard]] Node& node(ExprId e) { return nodes_[static_cast<std::uint32_t>(e)]; }
  [[nodiscard]] Kind kind(ExprId e) const { return node(e).kind; }
  [[nodiscard]] ExprId child(ExprId list, std::uint32_t i) const { return ExprId{pool_[node(list).a + i]}; }
  [[nodiscard]] ExprId head(ExprId e) const { return kind(e) == Kind::kConcat ? ExprId{node(e).a} : e; }
  [[nodiscard]] ExprId tail(ExprId e) const { return kind(e) == Kind::kConcat ? ExprId{node(e).b} : ExprId::kEpsilon; }
  [[nodiscard]] Counted counted(ExprId e) const;

  ExprId intern(Kind kind, std::uint32_t a, std::uint32_t b, std::uint32_t c);
  ExprId intern_list(Kind kind, std::span<const ExprId> list);
  void set_flags(Node& n) const;
  template <typename Equal, typename Make>
  ExprId find_or_add(std::uint64_t hash, Equal equal, Make make);
  void grow_slots();
  ExprId cons(ExprId h, ExprId t);

  [[nodiscard]] ExprId known_derivative(ExprId e, std::uint8_t byte) const;
  ExprId derive(ExprId e, std::uint8_t byte);
  ExprId compute_derivative(ExprId e, std::uint8_t byte);
  void push_missing(ExprId e, std::uint8_t byte, std::vector<ExprId>& stack) const;
  std::uint32_t partition_of(ExprId e);
  void make_row(ExprId e);

  std::uint32_t node_limit_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> pool_;
  std::vector<ByteSet> sets_;
  std::vector<Slot> slots_;
  std::vector<Partition> partitions_;
  base::WordInterner partition_ids_;
  std::vector<std::uint32_t> memo_;
  ExprId any_byte_ = ExprId::kNothing;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_H_
