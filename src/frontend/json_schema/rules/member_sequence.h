// MemberSequence: an object whose members come in a list's order, each of them required or not, as a list.
//
// WHY    The formula of what may still come after the k-th member names all required members after it. To derive it for
//        each member, and to search for an object that satisfies it, makes work and memory quadratic in the members. In
//        a list it is a position.
// WHAT   Lists a conjunction of one map without patterns, one kInOrder and kHas of its names. What comes after the names
//        of the order, such as unlisted keys, remains a formula: after().
// COST   of(): linear in the names. text(): the members that are written, and one step.
// THREADS Same as Witness.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_MEMBER_SEQUENCE_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_MEMBER_SEQUENCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/cut_text.h"
#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/model/witness.h"
#include "frontend/json_schema/values/layout.h"

namespace weir::frontend::json_schema {

class MemberSequence {
 public:
  struct Member {
    NameId name{};
    SetId value = SetId::kAny;
    bool is_required = false;
  };

  /// Returns the objects of `f` as a list, in which members without a value are missing; nullopt if `f` is of another
  /// form. Precondition: some object satisfies `f`.
  static std::optional<MemberSequence> of(Algebra& algebra, Witness& witness, FormulaId f);

  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  /// Returns true if no required member comes at position `i` or after it.
  [[nodiscard]] bool may_end_at(std::size_t i) const { return i >= end_of_required_; }
  /// Returns what members must satisfy that come after those of the list; kFalse if none can come.
  [[nodiscard]] FormulaId after() const { return after_; }
  /// Returns a short text of the members from position `i` on, at least `least` of them, 0 or 1, without brackets.
  /// Precondition: the same layout and depth in all calls.
  base::CutText text(Witness& witness, const Layout& layout, std::uint32_t depth, std::size_t i, std::size_t least,
                     std::size_t most);

 private:
  std::vector<Member> members_;
  std::size_t end_of_required_ = 0;
  FormulaId after_ = FormulaId::kFalse;
  std::vector<std::uint64_t> lengths_;  // of the texts from each position on, with a comma before; made when needed
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_MEMBER_SEQUENCE_H_
