// Answer: yes, no, or the limit that kept a computation from finding out.
//
// WHY    A function that returns a limit and sets a `bool&` says nothing of the bool where a limit is met, and a caller may
//        read it all the same. An Answer that is not known is neither yes nor no.
// NAMES  A no is a no. Where it only means that nothing was found, the function's name says so: `surely_`, `finds_`, `try_`.
// EXAMPLE  A question that is answered by the first of several that has a yes:
//            if (const Answer ends = may_text_end(g); !ends.is_no()) return ends;  // a yes, or a limit
//            return search_text(g, rest);
#ifndef WEIR_SRC_BASE_ANSWER_H_
#define WEIR_SRC_BASE_ANSWER_H_

#include <cassert>
#include <concepts>

#include "base/limit.h"

namespace weir::base {

class [[nodiscard]] Answer {
 public:
  // NOLINTBEGIN(google-explicit-constructor): functions return a bool or a limit.
  constexpr Answer(std::same_as<bool> auto is_yes) : is_yes_(is_yes) {}
  /// Precondition: `limit` is not kNone.
  constexpr Answer(Limit limit) : limit_(limit) { assert(limit != Limit::kNone); }
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] constexpr bool is_yes() const { return is_yes_; }
  [[nodiscard]] constexpr bool is_no() const { return is_known() && !is_yes_; }
  [[nodiscard]] constexpr bool is_known() const { return limit_ == Limit::kNone; }
  /// Returns the limit that was met; kNone if the answer is known.
  [[nodiscard]] constexpr Limit limit() const { return limit_; }

 private:
  Limit limit_ = Limit::kNone;
  bool is_yes_ = false;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_ANSWER_H_
