// Printing of expressions for messages and debugging. Uses an explicit stack, so nested expressions cannot overflow the
// call stack, and truncates long texts.
#include <array>
#include <utility>

#include "regex/atoms/atom.h"
#include "regex/expr/expr.h"

namespace weir::regex {

class ExprSet::Printer {
 public:
  explicit Printer(const ExprSet& set) : s_(set) {}
  std::string print(ExprId e);

 private:
  static constexpr std::size_t kLongest = 400;
  /// Operator precedence. An expression whose level is lower than its position requires is put into parentheses.
  enum class Level : std::uint8_t { kAlternation, kIntersection, kConcat, kAtom };
  /// Either a text, or an expression and the level that its position requires.
  struct Piece {
    std::string text;
    ExprId e = ExprId::kOverflow;
    Level place = Level::kAtom;
  };

  void text(std::string t) { stack_.push_back({std::move(t)}); }
  void expr(ExprId e, Level place) { stack_.push_back({{}, e, place}); }
  void expand(ExprId e, Level place);
  void expand_list(const Node& n, std::string_view separator, Level place);
  void expand_atom(ExprId e);
  void expand_look(const Node& n);
  void expand_context(const Node& n);
  [[nodiscard]] Level level_of(ExprId e) const;
  static std::string repeat_suffix(const Node& n);
  static std::string byte_name(unsigned byte, bool in_class);
  static std::string set_name(const ByteSet& set);

  const ExprSet& s_;
  std::string out_;
  std::vector<Piece> stack_;  // the pieces that remain to be printed, last first
};

std::string ExprSet::Printer::print(ExprId e) {
  expr(e, Level::kAlternation);
  while (!stack_.empty()) {
    const Piece piece = std::move(stack_.back());
    stack_.pop_back();
    if (piece.text.empty()) {
      expand(piece.e, piece.place);
    } else {
      out_ += piece.text;
    }
    if (out_.size() > kLongest) {
      out_.resize(kLongest);
      return out_ + "...";
    }
  }
  return std::move(out_);
}

ExprSet::Printer::Level ExprSet::Printer::level_of(ExprId e) const {
  switch (s_.kind(e)) {
    case Kind::kAlternation: return Level::kAlternation;
    case Kind::kIntersection: return Level::kIntersection;
    case Kind::kConcat:
    case Kind::kComplement: return Level::kConcat;
    default: return Level::kAtom;
  }
}

void ExprSet::Printer::expand(ExprId e, Level place) {
  if (level_of(e) < place) {
    text(")");
    expr(e, Level::kAlternation);
    return text("(");
  }
  const Node& n = s_.node(e);
  switch (n.kind) {
    case Kind::kNothing: return text("[]");
    case Kind::kEpsilon: return text("()");
    case Kind::kAllStrings: return text("_*");
    case Kind::kOverflow: return text("<overflow>");
    case Kind::kByteSet: return text(set_name(s_.sets_[n.a]));
    case Kind::kConcat:
      // The operand of ~ extends to the end of the concat, so a complement as the tail needs parentheses.
      expr(ExprId{n.b}, s_.kind(ExprId{n.b}) == Kind::kComplement ? Level::kAtom : Level::kConcat);
      return expr(ExprId{n.a}, Level::kAtom);
    case Kind::kRepeat: text(repeat_suffix(n)); return expr(ExprId{n.a}, Level::kAtom);
    case Kind::kAlternation: return expand_list(n, "|", Level::kIntersection);
    case Kind::kIntersection: return expand_list(n, "&", Level::kConcat);
    case Kind::kComplement: expr(ExprId{n.a}, Level::kAtom); return text("~");
    case Kind::kLook: return expand_look(n);
    case Kind::kContext:
    case Kind::kTracker: return expand_context(n);
    case Kind::kAtom: return expand_atom(e);
  }
}

void ExprSet::Printer::expand_atom(ExprId e) {
  const std::string name = s_.atom_of(e).name(s_.state_of(e));
  if (!s_.is_decoder(e)) return text("<" + name + ">");
  text(">");
  expr(s_.operand(e), Level::kAlternation);
  text("<" + name + ": ");
}

void ExprSet::Printer::expand_list(const Node& n, std::string_view separator, Level place) {
  for (std::uint32_t i = n.b; i-- > 0;) {
    expr(s_.child(n, i), place);
    if (i > 0) text(std::string(separator));
  }
}

/// Prints (?=body) with the stored form body·Σ*, and (?<=body) with Σ*·body.
void ExprSet::Printer::expand_look(const Node& n) {
  constexpr std::array<const char*, 4> kOpen = {"(?=", "(?!", "(?<=", "(?<!"};
  text(")");
  expr(ExprId{n.a}, Level::kAlternation);
  text(kOpen[n.b]);
}

/// Prints <obligation -> expression, ...; tracker, ...>.
void ExprSet::Printer::expand_context(const Node& n) {
  const auto trackers = static_cast<std::uint32_t>(s_.leaf_sets_[n.c].size());
  text(">");
  for (std::uint32_t i = n.b; i-- > 0;) {
    expr(s_.child(n, i), Level::kAlternation);
    if (i == 0) break;
    const std::uint32_t pairs_end = n.b - trackers;
    text(i == pairs_end ? "; " : i > pairs_end || i % 2 == 0 ? ", " : " -> ");
  }
  text("<");
}

std::string ExprSet::Printer::repeat_suffix(const Node& n) {
  if (n.b == 0 && n.c == 1) return "?";
  if (n.b <= 1 && n.c == kUnbounded) return n.b == 0 ? "*" : "+";
  std::string suffix = "{" + std::to_string(n.b);
  if (n.c != n.b) suffix += n.c == kUnbounded ? "," : "," + std::to_string(n.c);
  return suffix + "}";
}

std::string ExprSet::Printer::byte_name(unsigned byte, bool in_class) {
  constexpr std::string_view kSpecial = "\\^$.[]|()?*+{}&~_<>#\"";
  constexpr std::string_view kSpecialInClass = "\\^-[]&~";
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (byte == '\n') return "\\n";
  if (byte == '\t') return "\\t";
  if (byte == '\r') return "\\r";
  if (byte < 0x20 || byte >= 0x7F) return {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
  const char c = static_cast<char>(byte);
  const bool special = (in_class ? kSpecialInClass : kSpecial).find(c) != std::string_view::npos;
  return special ? std::string{'\\', c} : std::string(1, c);
}

std::string ExprSet::Printer::set_name(const ByteSet& set) {
  if (set == ByteSet::all()) return "_";
  if (set.size() == 1) return byte_name(set.first(), false);
  const bool negated = set.size() > 128;
  std::string name = negated ? "[^" : "[";
  const auto in = [&](unsigned b) { return b < 256 && set.contains(static_cast<std::uint8_t>(b)) != negated; };
  for (unsigned b = 0; b < 256; ++b) {
    if (!in(b)) continue;
    const unsigned first = b;
    while (in(b + 1)) ++b;
    name += byte_name(first, true);
    if (b > first + 1) name += '-';
    if (b > first) name += byte_name(b, true);
  }
  return name + "]";
}

std::string ExprSet::to_string(ExprId e) const { return Printer(*this).print(e); }

}  // namespace weir::regex
