#include "frontend/json_schema/values/yaml_strings.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/escape.h"
#include "base/work.h"
#include "frontend/json_schema/values/yaml_place.h"
#include "frontend/search_bounds.h"
#include "regex/analysis/members.h"
#include "regex/atoms/atom.h"
#include "regex/atoms/json_string.h"
#include "regex/syntax/syntax.h"

namespace weir::frontend::json_schema {

using regex::AtomState;
using regex::ByteSet;
using regex::ExprId;
using regex::ExprSet;
using regex::JsonState;

namespace {

// --- The decoder ---

enum class Style : std::uint8_t { kPlain, kSingle, kDouble, kLiteral, kFolded };

enum class Phase : std::uint8_t {
  kText,         // between characters
  kAfterBlank,   // the same, after a raw blank: it is dropped before a line end, which stands for it
  kAfterBlanks,  // the same, after several: no line end
  // Inside a raw character; those that end lines or are not printable are left out:
  kTail1,
  kTail2,
  kTail3,
  kTailC2,
  kTailE0,
  kTailE2,
  kTailE280,
  kTailED,
  kTailEF,
  kTailEFBB,
  kTailEFBF,
  kTailF0,
  kTailF4,
  // Escapes:
  kQuote,  // a single quote that begins a pair
  kBackslash,
  kJson,       // within an escape of JSON; `c` is the state of its decoder
  kWide,       // after \U and `c` zeros
  kPlane,      // after the first digit of the plane, which is `c`
  kPlaneTail,  // the first of four bytes is fed, `c` are the low two bits of the plane
  // Line ends:
  kMoreBreaks,  // after one, another follows
  kIndent,      // after `c` blanks of the last line
  // Literal and folded:
  kHeader,     // after `|` or `>`; `c` has the parts that were read (Header)
  kFirstLine,  // after `c` blanks, when the indentation is not known
  kLine,       // after `c` blanks of a literal line, or of a first line
  kLastLines,  // after a folded text, within the line ends at its end
};

// What the header has so far.
enum Header : std::uint8_t { kNoHeader = 0, kIndicator = 1, kStrip = 2, kKeep = 4 };

// The rest of a state: `a` is the operand, `b` has the fields of this struct, `c` depends on the phase.
struct State {
  Phase phase;
  Style style;
  bool needs_line_end;  // a line end after the text is a part of the string
  bool may_end;  // for such a text: the operand holds the string with and without it; in a header: it may for some text
  std::uint32_t indent;  // plus 1; 0: there is no further line

  static State of(const AtomState& state) {
    return {Phase(state.b & 31U), Style((state.b >> 5U) & 7U), (state.b >> 8U & 1U) != 0, (state.b >> 9U & 1U) != 0,
            state.b >> 10U};
  }
  [[nodiscard]] std::uint32_t word() const {
    return static_cast<std::uint32_t>(phase) | static_cast<std::uint32_t>(style) << 5U |
           static_cast<std::uint32_t>(needs_line_end) << 8U | static_cast<std::uint32_t>(may_end) << 9U | indent << 10U;
  }
  [[nodiscard]] State with(Phase next) const { return {next, style, needs_line_end, false, indent}; }
  [[nodiscard]] bool is_block() const { return style >= Style::kLiteral; }
};

ByteSet bytes_of(std::string_view bytes) {
  ByteSet set;
  for (const char c : bytes) set.add(static_cast<std::uint8_t>(c));
  return set;
}

struct RawMove {
  ByteSet bytes;
  Phase next;
};

// The bytes of a raw character from its second on, and from its first on if it is not ASCII.
std::span<const RawMove> raw_moves(Phase phase) {
  static constexpr auto kRange = [](unsigned first, unsigned last) {
    return ByteSet::range(static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(last));
  };
  static const std::vector<std::vector<RawMove>> kMoves = [] {
    std::vector<std::vector<RawMove>> moves(static_cast<std::size_t>(Phase::kTailF4) + 1);
    const auto at = [&](Phase from) -> std::vector<RawMove>& { return moves[static_cast<std::size_t>(from)]; };
    at(Phase::kText) = {{kRange(0xC2, 0xC2), Phase::kTailC2},
                        {kRange(0xC3, 0xDF), Phase::kTail1},
                        {kRange(0xE0, 0xE0), Phase::kTailE0},
                        {kRange(0xE2, 0xE2), Phase::kTailE2},
                        {kRange(0xED, 0xED), Phase::kTailED},
                        {kRange(0xEF, 0xEF), Phase::kTailEF},
                        {kRange(0xE1, 0xE1) | kRange(0xE3, 0xEC) | kRange(0xEE, 0xEE), Phase::kTail2},
                        {kRange(0xF0, 0xF0), Phase::kTailF0},
                        {kRange(0xF1, 0xF3), Phase::kTail3},
                        {kRange(0xF4, 0xF4), Phase::kTailF4}};
    at(Phase::kTail1) = {{kRange(0x80, 0xBF), Phase::kText}};
    at(Phase::kTail2) = {{kRange(0x80, 0xBF), Phase::kTail1}};
    at(Phase::kTail3) = {{kRange(0x80, 0xBF), Phase::kTail2}};
    at(Phase::kTailC2) = {{kRange(0xA0, 0xBF), Phase::kText}};
    at(Phase::kTailE0) = {{kRange(0xA0, 0xBF), Phase::kTail1}};
    at(Phase::kTailE2) = {{kRange(0x80, 0x80), Phase::kTailE280}, {kRange(0x81, 0xBF), Phase::kTail1}};
    at(Phase::kTailE280) = {{kRange(0x80, 0xA7) | kRange(0xAA, 0xBF), Phase::kText}};
    at(Phase::kTailED) = {{kRange(0x80, 0x9F), Phase::kTail1}};
    at(Phase::kTailEF) = {{kRange(0x80, 0xBA) | kRange(0xBC, 0xBE), Phase::kTail1},
                          {kRange(0xBB, 0xBB), Phase::kTailEFBB},
                          {kRange(0xBF, 0xBF), Phase::kTailEFBF}};
    at(Phase::kTailEFBB) = {{kRange(0x80, 0xBE), Phase::kText}};
    at(Phase::kTailEFBF) = {{kRange(0x80, 0xBD), Phase::kText}};
    at(Phase::kTailF0) = {{kRange(0x90, 0xBF), Phase::kTail2}};
    at(Phase::kTailF4) = {{kRange(0x80, 0x8F), Phase::kTail2}};
    return moves;
  }();
  return kMoves[static_cast<std::size_t>(phase)];
}

// The state of JSON's decoder after the beginning of an escape.
JsonState json_after(std::string_view begin) {
  JsonState state = regex::json_initial_state({});
  for (const char c : begin) state = regex::json_moves(state, static_cast<std::uint8_t>(c)).moves[0].next;
  return state;
}

struct Classes {
  std::vector<ByteSet> text, tail, backslash, header, all;
};

const Classes& classes() {
  static const Classes kClasses = [] {
    Classes made;
    made.text = {bytes_of("'"),
                 bytes_of("\""),
                 bytes_of("\\"),
                 bytes_of("\n"),
                 bytes_of(" "),
                 bytes_of("-"),
                 bytes_of("."),
                 ByteSet::range(0x00, 0x1F) | ByteSet::of(0x7F),
                 ByteSet::range(0x80, 0xFF)};
    for (const RawMove& move : raw_moves(Phase::kText)) made.text.push_back(move.bytes);
    made.tail = {ByteSet::of(0x80),          ByteSet::range(0x80, 0x8F), ByteSet::range(0x90, 0x9F),
                 ByteSet::range(0xA0, 0xBF), ByteSet::range(0xA8, 0xA9), ByteSet::of(0xBB),
                 ByteSet::of(0xBE),          ByteSet::of(0xBF)};
    for (const char c : std::string_view("0abtnvfre \"/\\N_xuU\n")) made.backslash.push_back(bytes_of({&c, 1}));
    for (const char c : std::string_view("123456789-+\n")) made.header.push_back(bytes_of({&c, 1}));
    for (const auto* part : {&made.text, &made.tail, &made.backslash, &made.header}) {
      made.all.insert(made.all.end(), part->begin(), part->end());
    }
    const std::span<const ByteSet> of_json = regex::json_all_classes();
    made.all.insert(made.all.end(), of_json.begin(), of_json.end());
    return made;
  }();
  return kClasses;
}

class YamlStringAtom final : public regex::Atom {
 public:
  constexpr YamlStringAtom() : Atom(Form::kDecoder) {}

  [[nodiscard]] Properties properties(const ExprSet& exprs, const AtomState& state) const override {
    const State at = State::of(state);
    const ExprId content{state.a};
    const bool is_between = at.phase <= Phase::kAfterBlanks && !at.needs_line_end;
    // A raw character or an escape of n bytes takes n bytes at least, \N and \_ take one after the backslash.
    std::uint32_t least = exprs.min_length(content);
    if (at.phase == Phase::kBackslash && least > 0) --least;
    const bool has_quotes = at.style == Style::kSingle || at.style == Style::kDouble;
    if (has_quotes && least < regex::kUnbounded) ++least;
    if (at.phase == Phase::kQuote) least = std::max(least, 2U);
    // Whatever the operand holds has a text from between two characters on.
    const bool has_member = is_between && (exprs.is_cofinite(content) || exprs.has_plain_text(content));
    const bool is_nullable =
        !has_quotes && may_end(at, state.c) && (at.needs_line_end ? at.may_end : exprs.nullable(content));
    return {.is_nullable = is_nullable, .has_member = has_member || is_nullable, .min_length = is_nullable ? 0 : least};
  }

  ExprId with_operand(ExprSet& exprs, const AtomState& state, ExprId operand) const override {
    if (operand == ExprId::kNothing || operand == ExprId::kOverflow) return operand;
    AtomState made = state;
    made.a = static_cast<std::uint32_t>(operand);
    switch (State::of(state).phase) {
      case Phase::kQuote:
        if (exprs.derivative(operand, '\'') == ExprId::kNothing) return ExprId::kNothing;
        break;
      case Phase::kJson: {
        const std::optional<JsonState> live = regex::json_state_for(exprs, JsonState(state.c), operand);
        if (!live) return ExprId::kNothing;
        made.c = static_cast<std::uint32_t>(*live);
        break;
      }
      case Phase::kMoreBreaks:
        if (exprs.derivative(operand, '\n') == ExprId::kNothing) return ExprId::kNothing;
        break;
      default: break;
    }
    if (State at = State::of(state); at.needs_line_end) {
      at.may_end = may_end(at, state.c) && exprs.nullable(operand) && exprs.nullable(exprs.derivative(operand, '\n'));
      made.b = at.word();
    }
    return exprs.atom(made);
  }

  ExprId derivative(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const override {
    const State at = State::of(state);
    const ExprId content{state.a};
    const auto go = [&](Phase phase, ExprId operand, std::uint32_t c = 0) {
      return with_operand(exprs, {0, at.with(phase).word(), c, state.atom}, operand);
    };
    const auto feed = [&](std::uint8_t fed, Phase phase, std::uint32_t c = 0) {
      return go(phase, exprs.derivative(content, fed), c);
    };
    const int digit = base::hex_digit(static_cast<char>(byte));
    switch (at.phase) {
      case Phase::kText:
      case Phase::kAfterBlank:
      case Phase::kAfterBlanks: return text(exprs, state, byte);
      case Phase::kQuote: return byte == '\'' ? feed(byte, Phase::kText) : ExprId::kNothing;
      case Phase::kBackslash: return after_backslash(exprs, state, byte);
      case Phase::kJson: return within_json(exprs, state, byte);
      case Phase::kWide:
        if (byte == '0') return state.c < 2 ? go(Phase::kWide, content, state.c + 1) : go(Phase::kPlane, content, 0);
        return byte == '1' && state.c == 2 ? go(Phase::kPlane, content, 1) : ExprId::kNothing;
      case Phase::kPlane: {
        if (digit < 0 || (state.c == 1 && digit != 0)) return ExprId::kNothing;
        const unsigned plane = state.c * 16 + static_cast<unsigned>(digit);
        if (plane == 0) return go(Phase::kJson, content, static_cast<std::uint32_t>(json_after("\\u")));
        return feed(static_cast<std::uint8_t>(0xF0U | plane >> 2U), Phase::kPlaneTail, plane & 3U);
      }
      case Phase::kPlaneTail: {
        if (digit < 0) return ExprId::kNothing;
        const auto fed = static_cast<std::uint8_t>(0x80U | state.c << 4U | static_cast<unsigned>(digit));
        return feed(fed, Phase::kJson, static_cast<std::uint32_t>(json_after("\\u1")));
      }
      case Phase::kMoreBreaks:
        return byte == '\n' ? exprs.alternation(feed(byte, Phase::kIndent), feed(byte, Phase::kMoreBreaks))
                            : ExprId::kNothing;
      case Phase::kIndent:
        if (byte == ' ') {
          const bool goes_on = at.is_block() ? state.c + 1 < at.indent : state.c < at.indent + kMaxYamlIndent;
          return goes_on ? go(Phase::kIndent, content, state.c + 1) : ExprId::kNothing;
        }
        if (state.c + 1 < at.indent || byte == '\n') return ExprId::kNothing;
        // At column 0, `---` or `...` would end the document.
        if (state.c == 0 && (byte == '-' || byte == '.')) {
          const ExprId mark = exprs.literal(std::string(3, static_cast<char>(byte)));
          const ExprId others = exprs.difference(content, exprs.concat(mark, ExprId::kAllStrings));
          return text(exprs, {static_cast<std::uint32_t>(others), state.b, state.c, state.atom}, byte);
        }
        return text(exprs, state, byte);
      case Phase::kHeader: return header(exprs, state, byte);
      case Phase::kFirstLine:
        if (byte == '\n') return state.c == 0 ? feed(byte, Phase::kFirstLine) : ExprId::kNothing;
        if (byte == ' ') {
          return state.c + 2 < at.indent + kMaxYamlStep ? go(Phase::kFirstLine, content, state.c + 1)
                                                        : ExprId::kNothing;
        }
        return state.c + 1 >= at.indent ? text(exprs, with_indent(state, state.c), byte) : ExprId::kNothing;
      case Phase::kLine:
        if (state.c + 1 == at.indent) return byte != '\n' ? text(exprs, state, byte) : ExprId::kNothing;
        if (byte == ' ') return go(Phase::kLine, content, state.c + 1);
        return byte == '\n' && state.c == 0 ? feed(byte, Phase::kLine) : ExprId::kNothing;
      case Phase::kLastLines: return byte == '\n' ? feed(byte, Phase::kLastLines) : ExprId::kNothing;
      default:
        for (const auto& [bytes, next] : raw_moves(at.phase)) {
          if (bytes.contains(byte)) return feed(byte, next);
        }
        return ExprId::kNothing;
    }
  }

  [[nodiscard]] std::span<const ByteSet> classes(const AtomState& state) const override {
    const Classes& known = json_schema::classes();
    switch (State::of(state).phase) {
      case Phase::kText:
      case Phase::kAfterBlank:
      case Phase::kAfterBlanks:
      case Phase::kIndent:
      case Phase::kQuote: return known.text;
      case Phase::kBackslash: return known.backslash;
      case Phase::kJson: return regex::json_classes(JsonState(state.c));
      case Phase::kWide:
      case Phase::kPlane:
      case Phase::kPlaneTail: return regex::json_classes(json_after("\\u"));
      case Phase::kMoreBreaks:
      case Phase::kFirstLine:
      case Phase::kLine:
      case Phase::kLastLines: return known.text;
      case Phase::kHeader: return known.header;
      default: return known.tail;
    }
  }
  void refine_classes(regex::ByteClasses& classes) const override {
    for (const ByteSet& set : json_schema::classes().all) classes.refine(set);
  }
  [[nodiscard]] std::string name(const AtomState& state) const override {
    const State at = State::of(state);
    static constexpr std::array<const char*, 5> kNames{"plain", "single", "double", "literal", "folded"};
    return std::string("yaml ") + kNames[static_cast<std::size_t>(at.style)] + (at.needs_line_end ? "+ " : " ") +
           std::to_string(static_cast<unsigned>(at.phase)) + "." + std::to_string(state.c) + "." +
           std::to_string(at.indent);
  }
  [[nodiscard]] bool feeds_text(const AtomState& state) const override {
    switch (State::of(state).phase) {
      case Phase::kIndent:
      case Phase::kFirstLine:
      case Phase::kLine:
      case Phase::kLastLines: return true;
      default: return State::of(state).phase <= Phase::kTailF4;
    }
  }
  [[nodiscard]] bool looks_ahead(const AtomState& state) const override {
    return State::of(state).needs_line_end || State::of(state).phase == Phase::kHeader;
  }

 private:
  ExprId text(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const {
    const State at = State::of(state);
    const ExprId content{state.a};
    const auto go = [&](Phase phase, ExprId operand) {
      return with_operand(exprs, {0, at.with(phase).word(), 0, state.atom}, operand);
    };
    if (byte == '\'' && at.style == Style::kSingle) {
      return exprs.alternation(exprs.nullable(content) ? ExprId::kEpsilon : ExprId::kNothing,
                               go(Phase::kQuote, content));
    }
    if (at.style == Style::kDouble && byte == '"') {
      return exprs.nullable(content) ? ExprId::kEpsilon : ExprId::kNothing;
    }
    if (at.style == Style::kDouble && byte == '\\') return go(Phase::kBackslash, content);
    if (byte == '\n') {
      if (at.indent == 0) return ExprId::kNothing;
      const ExprId after_break = at.is_block() ? exprs.derivative(content, byte) : ExprId::kNothing;
      if (at.style == Style::kLiteral) return go(Phase::kLine, after_break);
      if (at.phase == Phase::kAfterBlank && !at.is_block()) return go(Phase::kIndent, content);
      if (at.phase == Phase::kAfterBlank || at.phase == Phase::kAfterBlanks) return ExprId::kNothing;
      const ExprId folds =
          exprs.alternation(go(Phase::kIndent, exprs.derivative(content, ' ')), go(Phase::kMoreBreaks, content));
      return at.needs_line_end ? exprs.alternation(folds, go(Phase::kLastLines, after_break)) : folds;
    }
    if (byte == ' ' && at.style != Style::kLiteral) {
      return go(at.phase == Phase::kText ? Phase::kAfterBlank : Phase::kAfterBlanks, exprs.derivative(content, byte));
    }
    if (byte >= 0x20 && byte < 0x7F) return go(Phase::kText, exprs.derivative(content, byte));
    for (const auto& [bytes, next] : raw_moves(Phase::kText)) {
      if (bytes.contains(byte)) return go(next, exprs.derivative(content, byte));
    }
    return ExprId::kNothing;
  }

  ExprId after_backslash(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const {
    constexpr std::string_view kLetters = "abtnvfre \"/\\";
    constexpr std::string_view kMeanings = "\a\b\t\n\v\f\r\x1B \"/\\";
    const State at = State::of(state);
    const ExprId content{state.a};
    const auto go = [&](Phase phase, ExprId operand, std::uint32_t c = 0) {
      return with_operand(exprs, {0, at.with(phase).word(), c, state.atom}, operand);
    };
    if (const std::size_t letter = kLetters.find(static_cast<char>(byte)); letter != std::string_view::npos) {
      return go(Phase::kText, exprs.derivative(content, static_cast<std::uint8_t>(kMeanings[letter])));
    }
    switch (byte) {
      case '0': return go(Phase::kText, exprs.derivative(content, 0));
      case 'N':
      case '_': {
        const ExprId rest = exprs.derivative(content, 0xC2);
        return rest == ExprId::kOverflow ? rest : go(Phase::kText, exprs.derivative(rest, byte == 'N' ? 0x85 : 0xA0));
      }
      case 'x': return go(Phase::kJson, content, static_cast<std::uint32_t>(json_after("\\u00")));
      case 'u': return go(Phase::kJson, content, static_cast<std::uint32_t>(json_after("\\u")));
      case 'U': return go(Phase::kWide, content);
      case '\n': return at.indent > 0 ? go(Phase::kIndent, content) : ExprId::kNothing;
      default: return ExprId::kNothing;
    }
  }

  // The header of a literal or folded text: a number of columns, then `-` or `+`.
  ExprId header(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const {
    State at = State::of(state);
    const auto go = [&](std::uint32_t part, std::uint32_t c, ExprId operand) {
      return with_operand(exprs, {0, at.word(), c | part, state.atom}, operand);
    };
    const bool has_chomping = (state.c & (kStrip | kKeep)) != 0;
    if (byte >= '1' && byte <= '9' && state.c == kNoHeader) {
      at.indent += byte - '0' - 1U;  // it was one column more than that of the block around
      return go(kIndicator, state.c, ExprId{state.a});
    }
    if (byte == '-' && !has_chomping) return go(kStrip, state.c, ExprId{state.a});
    if (byte == '+' && !has_chomping && at.may_end) return go(kKeep, state.c, ExprId{state.a});
    if (byte != '\n' || (!at.may_end && (state.c & kStrip) == 0)) return ExprId::kNothing;
    // Whether line ends at the end belong to the string, and whether blanks at its beginning can be told from the
    // indentation.
    const ExprId line_end = exprs.literal("\n");
    const ExprId last = exprs.concat(ExprId::kAllStrings, exprs.byte_set(~bytes_of(" \n")));
    const bool is_stripped = (state.c & kStrip) != 0, is_kept = (state.c & kKeep) != 0;
    const ExprId ends = exprs.repeat(line_end, is_kept ? 1 : 0, is_stripped ? 0 : is_kept ? regex::kUnbounded : 1);
    ExprId strings = exprs.intersection(ExprId{state.a}, exprs.concat(last, ends));
    const bool is_indented = (state.c & kIndicator) != 0 && at.style == Style::kLiteral;
    if (!is_indented) {
      const ExprId lines = exprs.repeat(line_end, 0, regex::kUnbounded);
      const ExprId blank = exprs.concat(exprs.literal(" "), ExprId::kAllStrings);
      strings = exprs.difference(strings, exprs.concat(lines, blank));
    }
    at.needs_line_end = !is_stripped;
    at.may_end = false;
    at.phase = (state.c & kIndicator) != 0 ? Phase::kLine : Phase::kFirstLine;
    const ExprId lines = with_operand(exprs, {0, at.word(), 0, state.atom}, strings);
    if (!is_kept) return lines;
    // A string of line ends alone has no line with a column.
    const ExprId line_ends = exprs.intersection(ExprId{state.a}, exprs.repeat(line_end, 0, regex::kUnbounded));
    return exprs.alternation(lines, with_operand(exprs, {0, at.with(Phase::kLine).word(), 0, state.atom}, line_ends));
  }

  static AtomState with_indent(const AtomState& state, std::uint32_t indent) {
    State at = State::of(state);
    at.indent = indent + 1;
    return {state.a, at.word(), state.c, state.atom};
  }

  // Returns true in phases in which the text may end, if it has no quotes.
  static bool may_end(const State& at, std::uint32_t c) {
    if (at.phase == Phase::kText || at.phase == Phase::kLastLines) return true;
    return at.phase == Phase::kLine && c == 0 && at.needs_line_end;
  }

  // Readers do not join pairs of surrogates.
  ExprId within_json(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const {
    const State at = State::of(state);
    const JsonState json{state.c};
    if (json == json_after("\\ud") && (byte < '0' || byte > '7')) return ExprId::kNothing;
    const regex::JsonMoves moves = regex::json_moves(json, byte);
    if (moves.count == 0) return ExprId::kNothing;
    const auto& [next, closes, feeds, fed] = moves.moves[0];
    const bool is_over = regex::json_is_between_characters(next);
    const ExprId operand = feeds ? exprs.derivative(ExprId{state.a}, fed) : ExprId{state.a};
    const State to = at.with(is_over ? Phase::kText : Phase::kJson);
    return with_operand(exprs, {0, to.word(), is_over ? 0 : static_cast<std::uint32_t>(next), state.atom}, operand);
  }
};

constexpr YamlStringAtom kYamlString;

ExprId yaml_string(ExprSet& exprs, ExprId strings, Style style, std::optional<std::uint32_t> indent,
                   Phase phase = Phase::kText, bool may_end_in_line_end = false) {
  const State start{phase, style, false, may_end_in_line_end, indent ? *indent + 1 : 0};
  return kYamlString.with_operand(exprs, {0, start.word(), 0, exprs.register_atom(kYamlString)}, strings);
}

// --- What each form can say ---

constexpr const char* kPrintable =
    "[ -~\xC2\xA0-\xE2\x80\xA7\xE2\x80\xAA-\xED\x9F\xBF\xEE\x80\x80-\xEF\xBB\xBE\xEF\xBC\x80-\xEF\xBF\xBD"
    "\xF0\x90\x80\x80-\xF4\x8F\xBF\xBF]*";
constexpr const char* kPrintableLines =
    "[\n -~\xC2\xA0-\xE2\x80\xA7\xE2\x80\xAA-\xED\x9F\xBF\xEE\x80\x80-\xEF\xBB\xBE\xEF\xBC\x80-\xEF\xBF\xBD"
    "\xF0\x90\x80\x80-\xF4\x8F\xBF\xBF]*";
// Blanks beside a line end are dropped by readers.
constexpr const char* kBlankBesideBreak = " \n|\n ";
// What follows some of these is any bytes, not any characters: so a text that has one is left over as the empty language at
// once. As characters it would be found empty by a search, through each count of a length.
constexpr const char* kNeverPlain = "|[-?:]";  // whole texts
constexpr const char* kNeverBeginsPlain =
    "[ ,\\[\\]{}#&*!|>'\"%@`]|[-?:] |---|\\.\\.\\.";  // an indicator, a document's end
constexpr const char* kNeverEndsPlain = "[ :]";
constexpr const char* kNeverWithinPlain = ": | #";  // a value, a comment
constexpr const char* kNeverBeginsInFlow = ":";
constexpr const char* kNeverWithinFlow = "[,\\[\\]{}?]";
// What the resolvers of YAML 1.1 (with its dates and numbers in base 60) or of 1.2 take for something else than a string.
constexpr const char* kResolved =
    "~|null|Null|NULL|<<|=|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF"
    "|[-+]?0b[01_]+|[-+]?0o?[0-7_]+|[-+]?[0-9][0-9_]*|[-+][0-9_]+|[-+]?0x[0-9a-fA-F_]+"
    "|[-+]?[0-9][0-9_]*\\.[0-9_]*([eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|[-+]?\\.[0-9_]+([eE][-+]?[0-9]+)?"
    "|[-+]?([1-9][0-9_]*(:[0-5]?[0-9])+|[0-9][0-9_]*(:[0-5]?[0-9])+\\.[0-9_]*)|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)"
    "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\\.[0-9]*)?"
    "([ \t]*(Z|[-+][0-9]{1,2}(:?[0-9]{2})?))?)?";

}  // namespace

YamlStrings::YamlStrings(ExprSet& exprs, const Limits& limits, std::function<bool(ExprId)> has_member)
    : exprs_(exprs), has_member_(std::move(has_member)) {
  const auto begins = [&](const char* text) { return exprs.concat(pattern(text, limits), ExprId::kAllStrings); };
  const auto ends = [&](const char* text) { return exprs.concat(ExprId::kAllStrings, pattern(text, limits)); };
  const auto within = [&](const char* text) { return exprs.concat(ExprId::kAllStrings, begins(text)); };
  const ExprId never =
      exprs.alternation(std::array{pattern(kResolved, limits), pattern(kNeverPlain, limits), begins(kNeverBeginsPlain),
                                   ends(kNeverEndsPlain), within(kNeverWithinPlain)});
  const ExprId never_in_flow =
      exprs.alternation(std::array{never, begins(kNeverBeginsInFlow), within(kNeverWithinFlow)});
  const ExprId printable = pattern(kPrintable, limits);
  plain_ = {exprs.difference(printable, never), exprs.difference(printable, never_in_flow)};
  lines_ = pattern(kPrintableLines, limits);
  single_ = {printable, exprs.difference(lines_, within(kBlankBesideBreak))};
}

ExprId YamlStrings::pattern(const char* text, const Limits& limits) {
  return regex::parse_regex(exprs_, text, {}, limits).value_or(ExprId::kOverflow);
}

ExprId YamlStrings::texts(ExprId strings, Form form, std::optional<std::uint32_t> indent) {
  const ExprId plain = exprs_.intersection(strings, plain_[static_cast<std::size_t>(form)]);
  const ExprId single = exprs_.intersection(strings, single_[indent ? 1 : 0]);
  std::vector<ExprId> ways;
  if (has_member_(plain)) ways.push_back(yaml_string(exprs_, plain, Style::kPlain, indent));
  if (has_member_(single)) {
    ways.push_back(exprs_.concat(exprs_.literal("'"), yaml_string(exprs_, single, Style::kSingle, indent)));
  }
  ways.push_back(exprs_.concat(exprs_.literal("\""), yaml_string(exprs_, strings, Style::kDouble, indent)));
  return exprs_.alternation(ways);
}

// Searches are for texts with one blank before a line: many blanks would take as many steps.
YamlStrings::OnLines YamlStrings::on_lines(ExprId strings) {
  if (const auto known = on_lines_.find(strings); known != on_lines_.end()) return known->second;
  const auto texts = [&](ExprId these, Style style, bool may_end) {
    return yaml_string(exprs_, exprs_.intersection(strings, these), style, 1, Phase::kHeader, may_end);
  };
  OnLines found;
  const ExprId header = texts(lines_, Style::kLiteral, true);
  const ExprId with_line_end =
      exprs_.alternation(exprs_.derivative(header, '\n'), exprs_.derivative(exprs_.derivative(header, '+'), '\n'));
  found.may_end_in_line_end = regex::emptiness(exprs_, with_line_end, kLineEndFuel) == regex::Emptiness::kNonEmpty;
  found.is_literal = found.may_end_in_line_end || has_member_(texts(lines_, Style::kLiteral, false));
  found.is_folded = has_member_(texts(single_[1], Style::kFolded, found.may_end_in_line_end));
  if (!base::Work::is_met()) on_lines_.emplace(strings, found);  // else the searches were cut
  return found;
}

ExprId YamlStrings::block_texts(ExprId strings, std::uint32_t indent) {
  const OnLines found = on_lines(strings);
  const auto way = [&](const char* mark, ExprId these, Style style) {
    const ExprId some = exprs_.intersection(strings, these);
    const std::uint32_t least = std::max(indent, 1U);
    return exprs_.concat(exprs_.literal(mark),
                         yaml_string(exprs_, some, style, least, Phase::kHeader, found.may_end_in_line_end));
  };
  return exprs_.alternation(found.is_literal ? way("|", lines_, Style::kLiteral) : ExprId::kNothing,
                            found.is_folded ? way(">", single_[1], Style::kFolded) : ExprId::kNothing);
}

}  // namespace weir::frontend::json_schema
