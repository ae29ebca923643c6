#include "regex/unicode/utf8_ranges.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace weir::regex {

namespace {

/// Groups bytes by the expression that follows them.
class Branches {
 public:
  explicit Branches(ExprSet& exprs) : exprs_(exprs) {}

  void add(std::uint8_t byte, ExprId tail) { add(ByteSet::of(byte), tail); }
  void add(const ByteSet& bytes, ExprId tail) {
    if (tail == ExprId::kNothing || bytes.is_empty()) return;
    // Neighbouring bytes mostly have the same tail, so the search runs backward.
    const auto found = std::find_if(groups_.rbegin(), groups_.rend(), [&](const Group& g) { return g.tail == tail; });
    if (found != groups_.rend()) {
      found->bytes |= bytes;
    } else {
      groups_.push_back({tail, bytes});
    }
  }

  [[nodiscard]] ExprId expression() const {
    std::vector<ExprId> members;
    for (const Group& group : groups_) members.push_back(exprs_.concat(exprs_.byte_set(group.bytes), group.tail));
    return exprs_.alternation(members);
  }

 private:
  struct Group {
    ExprId tail;
    ByteSet bytes;
  };
  ExprSet& exprs_;
  std::vector<Group> groups_;
};

/// Returns the ASCII characters of a set.
ByteSet ascii(const CodePointSet& set) {
  ByteSet bytes;
  for (const auto& [first, last] : set.ranges()) {
    if (first >= 0x80) break;
    bytes |=
        ByteSet::range(static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(std::min<char32_t>(last, 0x7F)));
  }
  return bytes;
}

class Utf8Builder {
 public:
  Utf8Builder(ExprSet& exprs, const CodePointSet& set) : exprs_(exprs), set_(set) {
    const ExprId continuation = exprs_.byte_set(ByteSet::range(0x80, 0xBF));
    full_[0] = ExprId::kEpsilon;
    for (std::size_t i = 1; i < full_.size(); ++i) full_[i] = exprs_.concat(continuation, full_[i - 1]);
  }

  /// Precondition: no surrogates in the set.
  [[nodiscard]] ExprId build() {
    Branches leads(exprs_);
    leads.add(ascii(set_), ExprId::kEpsilon);
    // The blocks of the lead bytes E0 and F0 begin with code points whose encoding would be overlong; these are left
    // out.
    for (unsigned i = 0x02; i < 0x20; ++i) leads.add(static_cast<std::uint8_t>(0xC0 | i), tail(i << 6, 1));
    for (unsigned i = 0x00; i < 0x10; ++i) leads.add(static_cast<std::uint8_t>(0xE0 | i), tail(i << 12, 2, 0x800));
    for (unsigned i = 0x00; i < 0x05; ++i) leads.add(static_cast<std::uint8_t>(0xF0 | i), tail(i << 18, 3, 0x10000));
    return leads.expression();
  }

 private:
  /// Returns the last `levels` bytes of the encodings of the members in the block of 64^levels code points that begins
  /// at `base`, without code points below `smallest`. `smallest` is a multiple of the block size one level down, so it
  /// never divides such a block.
  [[nodiscard]] ExprId tail(char32_t base, std::size_t levels, char32_t smallest = 0) {
    const char32_t last = base + (char32_t{1} << (6 * levels)) - 1;
    if (last < smallest) return ExprId::kNothing;
    const auto range = std::lower_bound(set_.ranges().begin(), set_.ranges().end(), base,
                                        [](const CodePointRange& r, char32_t c) { return r.last < c; });
    if (range == set_.ranges().end() || range->first > last) return ExprId::kNothing;
    const bool is_full = range->first <= base && last <= range->last && base >= smallest;
    if (is_full) return full_[levels];
    if (levels == 1) {
      ByteSet bytes;
      for (auto r = range; r != set_.ranges().end() && r->first <= last; ++r) {
        bytes |=
            ByteSet::range(continuation_byte(std::max(r->first, base)), continuation_byte(std::min(r->last, last)));
      }
      return exprs_.byte_set(bytes);
    }
    Branches children(exprs_);
    for (unsigned i = 0; i < 64; ++i) {
      children.add(static_cast<std::uint8_t>(0x80 | i), tail(base + (i << (6 * (levels - 1))), levels - 1, smallest));
    }
    return children.expression();
  }

  static std::uint8_t continuation_byte(char32_t c) { return static_cast<std::uint8_t>(0x80 | (c & 0x3F)); }

  ExprSet& exprs_;
  const CodePointSet& set_;
  std::array<ExprId, 4> full_{};
};

}  // namespace

ExprId utf8_set(ExprSet& exprs, const CodePointSet& set) {
  if (set.ranges().empty() || set.ranges().back().last < 0x80) return exprs.byte_set(ascii(set));
  std::u32string key;
  for (const auto& [first, last] : set.ranges()) key += {first, last};
  const auto known = exprs.memo().utf8_sets.find(key);
  if (known != exprs.memo().utf8_sets.end()) return known->second;
  const ExprId made = Utf8Builder(exprs, set - CodePointSet::range(0xD800, 0xDFFF)).build();
  if (made != ExprId::kOverflow) exprs.memo().utf8_sets.emplace(std::move(key), made);
  return made;
}

ExprId any_code_point(ExprSet& exprs) { return utf8_set(exprs, CodePointSet::all()); }

}  // namespace weir::regex
