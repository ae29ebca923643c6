// ExprSet: hash-consed regular expressions over bytes, and their Brzozowski derivatives.
//
// (The interface that the layers above rely on. The essay, the private part and the implementation belong to the
// regex subsystem.)
#ifndef WEIR_SRC_REGEX_EXPR_H_
#define WEIR_SRC_REGEX_EXPR_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  ExprId complement(ExprId e);                                          // relative to all byte strings
  ExprId repeat(ExprId e, std::uint32_t min, std::uint32_t max);        // max may be kUnbounded; never unrolled
  ExprId difference(ExprId a, ExprId b) { return intersection(a, complement(b)); }

  [[nodiscard]] bool nullable(ExprId e) const;
  ExprId derivative(ExprId e, std::uint8_t byte);                        // memoised
  void refine_classes(ExprId e, ByteClasses& classes) const;             // with every byte set that e or a residual of e can test
  Emptiness emptiness(ExprId e, std::uint32_t fuel);                     // memoised
  std::optional<std::string> shortest_member(ExprId e, std::uint32_t fuel);  // the first in (length, byte) order
  [[nodiscard]] bool matches(ExprId e, std::string_view text);           // by derivatives

  [[nodiscard]] std::string to_string(ExprId e) const;                   // regex syntax, for people; bounded in length
  [[nodiscard]] std::size_t node_count() const;
  [[nodiscard]] std::size_t memory_bytes() const;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_H_
