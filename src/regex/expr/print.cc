#include "regex/expr/print.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "regex/atoms/atom.h"

namespace weir::regex {

namespace {

/// Uses an explicit stack, so nested expressions cannot overflow the call stack, and truncates long texts.
class Printer {
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
  void expand_list(ExprId e, std::string_view separator, Level place);
  void expand_atom(ExprId e);
  void expand_look(ExprId e);
  void expand_context(ExprId e);
  [[nodiscard]] Level level_of(ExprId e) const;
  static std::string repeat_suffix(const ExprSet::Counted& n);
  static std::string byte_name(unsigned byte, bool in_class);
  static std::string set_name(const ByteSet& set);

  const ExprSet& s_;
  std::string out_;
  std::vector<Piece> stack_;  // the pieces that remain to be printed, last first
};

std::string Printer::print(ExprId e) {
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

Printer::Level Printer::level_of(ExprId e) const {
  switch (s_.kind(e)) {
    case ExprKind::kAlternation: return Level::kAlternation;
    case ExprKind::kIntersection: return Level::kIntersection;
    case ExprKind::kConcat:
    case ExprKind::kComplement: return Level::kConcat;
    default: return Level::kAtom;
  }
}

void Printer::expand(ExprId e, Level place) {
  if (level_of(e) < place) {
    text(")");
    expr(e, Level::kAlternation);
    return text("(");
  }
  switch (s_.kind(e)) {
    case ExprKind::kNothing: return text("[]");
    case ExprKind::kEpsilon: return text("()");
    case ExprKind::kAllStrings: return text("_*");
    case ExprKind::kOverflow: return text("<overflow>");
    case ExprKind::kByteSet: return text(set_name(s_.bytes(e)));
    case ExprKind::kConcat:
      // The operand of ~ extends to the end of the concat, so a complement as the tail needs parentheses.
      expr(s_.tail(e), s_.kind(s_.tail(e)) == ExprKind::kComplement ? Level::kAtom : Level::kConcat);
      return expr(s_.head(e), Level::kAtom);
    case ExprKind::kRepeat: text(repeat_suffix(s_.counted(e))); return expr(s_.operand(e), Level::kAtom);
    case ExprKind::kAlternation: return expand_list(e, "|", Level::kIntersection);
    case ExprKind::kIntersection: return expand_list(e, "&", Level::kConcat);
    case ExprKind::kComplement: expr(s_.operand(e), Level::kAtom); return text("~");
    case ExprKind::kLook: return expand_look(e);
    case ExprKind::kContext:
    case ExprKind::kTracker: return expand_context(e);
    case ExprKind::kAtom: return expand_atom(e);
  }
}

void Printer::expand_atom(ExprId e) {
  const std::string name = s_.atom_of(e).name(s_.state_of(e));
  if (!s_.is_decoder(e)) return text("<" + name + ">");
  text(">");
  expr(s_.operand(e), Level::kAlternation);
  text("<" + name + ": ");
}

void Printer::expand_list(ExprId e, std::string_view separator, Level place) {
  for (std::uint32_t i = s_.operand_count(e); i-- > 0;) {
    expr(s_.operand(e, i), place);
    if (i > 0) text(std::string(separator));
  }
}

/// Prints (?=body) with the stored form body·Σ*, and (?<=body) with Σ*·body.
void Printer::expand_look(ExprId e) {
  constexpr std::array<const char*, 4> kOpen = {"(?=", "(?!", "(?<=", "(?<!"};
  text(")");
  expr(s_.operand(e), Level::kAlternation);
  text(kOpen[static_cast<std::size_t>(s_.look(e))]);
}

/// Prints <obligation -> expression, ...; tracker, ...>.
void Printer::expand_context(ExprId e) {
  const std::uint32_t count = s_.operand_count(e);
  const std::uint32_t pairs_end = count - static_cast<std::uint32_t>(s_.look_behinds(e).size());
  text(">");
  for (std::uint32_t i = count; i-- > 0;) {
    expr(s_.operand(e, i), Level::kAlternation);
    if (i == 0) break;
    text(i == pairs_end ? "; " : i > pairs_end || i % 2 == 0 ? ", " : " -> ");
  }
  text("<");
}

std::string Printer::repeat_suffix(const ExprSet::Counted& n) {
  if (n.min == 0 && n.max == 1) return "?";
  if (n.min <= 1 && n.max == kUnbounded) return n.min == 0 ? "*" : "+";
  std::string suffix = "{" + std::to_string(n.min);
  if (n.max != n.min) suffix += n.max == kUnbounded ? "," : "," + std::to_string(n.max);
  return suffix + "}";
}

std::string Printer::byte_name(unsigned byte, bool in_class) {
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

std::string Printer::set_name(const ByteSet& set) {
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

}  // namespace

std::string to_string(const ExprSet& exprs, ExprId e) { return Printer(exprs).print(e); }

}  // namespace weir::regex
