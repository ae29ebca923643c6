// MemberList: the members of an expression, one after the other.
//
// WHY    A search for each of n different members, in the expression without the members before it, explores the
//        expression n times. 2,000 words of an alternation took 3 s.
// HOW    A best-first walk of the derivatives that keeps its place between two members: first where the lower bound on
//        the length of a member is least, then where most has been read, then by bytes. Where min_length() is exact,
//        members come in (length, byte) order.
// COST   A visit for each byte of a member that no member before it begins with. If the expression has not been explored
//        yet, also a new derivative and a test whether that has members.
// THREADS As ExprSet.
#ifndef WEIR_SRC_REGEX_ANALYSIS_MEMBER_LIST_H_
#define WEIR_SRC_REGEX_ANALYSIS_MEMBER_LIST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "regex/expr/expr.h"

namespace weir::regex {

class MemberList {
 public:
  /// Visits at most `fuel` expressions for one member.
  MemberList(ExprSet& exprs, ExprId e, std::uint32_t fuel);

  /// Returns the next member; nullopt if there is none, after `fuel` visits, or at Limits::call_work.
  std::optional<std::string> next();

 private:
  struct Visit {
    ExprId e;
    std::uint32_t parent;  // index of the visit that led here
    std::uint8_t byte;
  };
  struct Open {
    std::uint64_t length;  // lower bound on the length of members on this path
    std::uint32_t depth;
    std::uint32_t parent;
    ByteSet bytes;  // those that have not been followed
    ExprId to;
  };
  static bool is_after(const Open& x, const Open& y);
  void open(const Open& way);
  void expand(std::uint32_t visit, std::uint32_t depth);
  [[nodiscard]] std::string text_to(std::uint32_t visit) const;

  ExprSet& exprs_;
  std::uint32_t fuel_;
  std::vector<Visit> visits_;
  std::vector<Open> open_;  // a heap
  std::vector<ExprSet::Branch> branches_;
  bool has_begun_ = false;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ANALYSIS_MEMBER_LIST_H_
