// Shortest members that can be read off an expression's structure, without a derivative.
//
// WHY    A walk of the derivatives visits at least as many expressions as the member has bytes: of a{1000000} a
//        million.
// HOW    Of a concatenation the members of both, of a repeat its least count of its body's, of an alternation that of a
//        child with the least length. Of a string in JSON that of its contents, where it needs no escape, which a walk
//        would follow beside each character: all bytes that matter are then of ASCII. The least length is met wherever
//        the children that matter are of these kinds; an intersection or a complement knows a lower bound only, and
//        then nothing is said.
#include <algorithm>
#include <unordered_map>

#include "regex/expr.h"
#include "regex/json_decoder.h"

namespace weir::regex {

namespace {

constexpr ByteSet kNeedsNoEscape = ByteSet::range(0x20, 0x7F) & ~(ByteSet::of('"') | ByteSet::of('\\'));

}  // namespace

class ExprSet::PlainMember {
 public:
  explicit PlainMember(const ExprSet& exprs) : exprs_(exprs) {}

  /// Looks at what matters below `e`. Whether all of it is plain, and no more than `fuel` expressions.
  bool read(ExprId e, std::uint32_t fuel) {
    struct Open {
      ExprId e;
      bool in_json;
    };
    std::vector<Open> open;
    const auto reach = [&](ExprId part, bool in_json) {
      const auto [it, is_new] = parts_.try_emplace(part);
      if (!is_new && (it->second.in_json || !in_json)) return;
      it->second.in_json = in_json;
      open.push_back({part, in_json});
    };
    reach(e, false);
    while (!open.empty()) {
      const Open at = open.back();
      open.pop_back();
      if (exprs_.nullable(at.e)) continue;
      if (parts_.size() > fuel || exprs_.min_length(at.e) >= kUnbounded - 1) return false;
      const bool begins_json = is_json(exprs_.node(at.e));
      if (at.in_json && (begins_json || !is_spelled_as_it_is(at.e))) return false;
      if (!for_each_part(at.e, [&](ExprId part) { reach(part, at.in_json || begins_json); })) return false;
    }
    return true;
  }

  /// Appends the member. Precondition: read() returned true.
  void append(ExprId e, std::string& out) {
    choose_first_bytes();
    enum class Step : std::uint8_t { kMake, kRepeat, kClose };
    struct Work {
      ExprId e;
      Step step = Step::kMake;
      std::size_t begin = 0;  // of the text that is to be repeated
    };
    std::vector<Work> stack{{e}};
    while (!stack.empty()) {
      const Work work = stack.back();
      stack.pop_back();
      const Node& n = exprs_.node(work.e);
      if (work.step == Step::kRepeat) {
        const std::string body = out.substr(work.begin);
        out.reserve(work.begin + body.size() * n.b);
        for (std::uint32_t i = 1; i < n.b; ++i) out += body;
      } else if (work.step == Step::kClose) {
        out += '"';
      } else if (exprs_.nullable(work.e)) {
        continue;
      } else if (n.kind == Kind::kByteSet) {
        out += static_cast<char>(parts_[work.e].first);
      } else if (n.kind == Kind::kConcat) {
        stack.push_back({ExprId{n.b}});
        stack.push_back({ExprId{n.a}});
      } else if (n.kind == Kind::kAlternation) {
        stack.push_back({best_child(work.e)});
      } else {
        stack.push_back({work.e, n.kind == Kind::kRepeat ? Step::kRepeat : Step::kClose, out.size()});
        stack.push_back({ExprId{n.a}});
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
      case Kind::kMachine:
        if (!is_json(n) || !json_is_between_characters(JsonState(n.b))) return false;
        use(ExprId{n.a});
        return true;
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

  [[nodiscard]] bool is_spelled_as_it_is(ExprId e) const {
    return exprs_.kind(e) != Kind::kByteSet || !(exprs_.bytes(e) & kNeedsNoEscape).is_empty();
  }

  // Children have smaller ids than their parents, so ids in order are a bottom-up order.
  void choose_first_bytes() {
    std::vector<ExprId> order;
    for (const auto& entry : parts_) order.push_back(entry.first);
    std::sort(order.begin(), order.end());
    for (const ExprId e : order) {
      if (exprs_.nullable(e)) continue;
      Part& part = parts_[e];
      const Node& n = exprs_.node(e);
      switch (n.kind) {
        case Kind::kByteSet:
          part.first = (part.in_json ? exprs_.bytes(e) & kNeedsNoEscape : exprs_.bytes(e)).first();
          break;
        case Kind::kAlternation: part.first = parts_[best_child(e)].first; break;
        case Kind::kMachine: part.first = exprs_.nullable(ExprId{n.a}) ? '"' : parts_[ExprId{n.a}].first; break;
        default: part.first = parts_[ExprId{exprs_.nullable(ExprId{n.a}) ? n.b : n.a}].first; break;
      }
    }
  }

  // A child with the least length; of several, one with the least first byte, so that members look alike.
  [[nodiscard]] ExprId best_child(ExprId alternation) const {
    ExprId best = ExprId::kNothing;
    (void)for_each_part(alternation, [&](ExprId child) {
      if (best == ExprId::kNothing || parts_.at(child).first < parts_.at(best).first) best = child;
    });
    return best;
  }

  struct Part {
    std::uint8_t first = 0;  // byte of its member
    bool in_json = false;    // A string in JSON has it, whose member needs no escape.
  };

  const ExprSet& exprs_;
  std::unordered_map<ExprId, Part> parts_;  // expressions that matter
};

bool ExprSet::has_plain_member(ExprId e, std::uint32_t fuel) const { return PlainMember(*this).read(e, fuel); }

void ExprSet::append_plain_member(ExprId e, std::string& out) const {
  PlainMember member(*this);
  if (member.read(e, UINT32_MAX)) member.append(e, out);
}

}  // namespace weir::regex
