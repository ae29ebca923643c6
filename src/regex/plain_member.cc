// Shortest members that can be read off an expression's structure, without a derivative.
//
// WHY    A walk of the derivatives visits at least as many expressions as the member has bytes: of a{1000000} a
//        million.
// HOW    Of a concatenation the members of both, of a repeat its least count of its body's, of an alternation that of a
//        child with the least length. That length is met wherever the children that matter are of these kinds; an
//        intersection or a complement knows a lower bound only, and then nothing is said.
#include <algorithm>
#include <unordered_map>

#include "regex/expr.h"

namespace weir::regex {

class ExprSet::PlainMember {
 public:
  explicit PlainMember(const ExprSet& exprs) : exprs_(exprs) {}

  /// Looks at what matters below `e`. Whether all of it is plain, and no more than `fuel` expressions.
  bool read(ExprId e, std::uint32_t fuel) {
    std::vector<ExprId> open{e};
    first_.emplace(e, 0);
    while (!open.empty()) {
      const ExprId at = open.back();
      open.pop_back();
      if (exprs_.nullable(at)) continue;
      if (first_.size() > fuel || exprs_.min_length(at) >= kUnbounded - 1) return false;
      if (!for_each_part(at, [&](ExprId part) {
            if (first_.emplace(part, 0).second) open.push_back(part);
          })) {
        return false;
      }
    }
    return true;
  }

  /// Appends the member. Precondition: read() returned true.
  void append(ExprId e, std::string& out) {
    choose_first_bytes();
    struct Work {
      ExprId e;
      std::size_t times;  // 0: not to be made but to be repeated, see below
      std::size_t begin;  // of the text that is to be repeated
    };
    std::vector<Work> stack{{e, 1, 0}};
    while (!stack.empty()) {
      const Work work = stack.back();
      stack.pop_back();
      if (work.times == 0) {
        const std::string body = out.substr(work.begin);
        out.reserve(work.begin + body.size() * exprs_.node(work.e).b);
        for (std::uint32_t i = 1; i < exprs_.node(work.e).b; ++i) out += body;
        continue;
      }
      if (exprs_.nullable(work.e)) continue;
      const Node& n = exprs_.node(work.e);
      if (n.kind == Kind::kByteSet) {
        out += static_cast<char>(exprs_.bytes(work.e).first());
      } else if (n.kind == Kind::kConcat) {
        stack.push_back({ExprId{n.b}, 1, 0});
        stack.push_back({ExprId{n.a}, 1, 0});
      } else if (n.kind == Kind::kRepeat) {
        stack.push_back({work.e, 0, out.size()});
        stack.push_back({ExprId{n.a}, 1, 0});
      } else {
        stack.push_back({best_child(work.e), 1, 0});
      }
    }
  }

 private:
  // The operands that a shortest member of `e`, which is not nullable, is made of or chosen from. False for a kind
  // whose members need exploring.
  template <typename Use>
  bool for_each_part(ExprId e, Use use) const {
    const Node& n = exprs_.node(e);
    switch (n.kind) {
      case Kind::kByteSet: return true;
      case Kind::kConcat: use(ExprId{n.b}); [[fallthrough]];
      case Kind::kRepeat: use(ExprId{n.a}); return true;
      case Kind::kAlternation:
        for (std::uint32_t i = 0; i < n.b; ++i) {
          if (exprs_.min_length(exprs_.child(n, i)) == n.min_length) use(exprs_.child(n, i));
        }
        return true;
      default: return false;
    }
  }

  // Children have smaller ids than their parents, so ids in order are a bottom-up order.
  void choose_first_bytes() {
    std::vector<ExprId> order;
    for (const auto& entry : first_) order.push_back(entry.first);
    std::sort(order.begin(), order.end());
    for (const ExprId e : order) {
      if (exprs_.nullable(e)) continue;
      const Node& n = exprs_.node(e);
      switch (n.kind) {
        case Kind::kByteSet: first_[e] = exprs_.bytes(e).first(); break;
        case Kind::kAlternation: first_[e] = first_[best_child(e)]; break;
        default: first_[e] = first_[ExprId{exprs_.nullable(ExprId{n.a}) ? n.b : n.a}]; break;
      }
    }
  }

  // A child with the least length; of several, one with the least first byte, so that members look alike.
  [[nodiscard]] ExprId best_child(ExprId alternation) const {
    ExprId best = ExprId::kNothing;
    (void)for_each_part(alternation, [&](ExprId child) {
      if (best == ExprId::kNothing || first_.at(child) < first_.at(best)) best = child;
    });
    return best;
  }

  const ExprSet& exprs_;
  std::unordered_map<ExprId, std::uint8_t> first_;  // expressions that matter, with the member's first byte
};

bool ExprSet::has_plain_member(ExprId e, std::uint32_t fuel) const { return PlainMember(*this).read(e, fuel); }

void ExprSet::append_plain_member(ExprId e, std::string& out) const {
  PlainMember member(*this);
  if (member.read(e, UINT32_MAX)) member.append(e, out);
}

}  // namespace weir::regex
