#include "frontend/json_schema/values/yaml_strings.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/escape.h"
#include "frontend/json_schema/values/yaml_place.h"
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

enum class Quotes : std::uint8_t { kNone, kSingle, kDouble };

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
};

// The rest of a state: `a` is the operand, `b` has the phase, the quotes and the indentation plus 1 (0: there is no further
// line), `c` depends on the phase.
struct State {
  Phase phase;
  Quotes quotes;
  std::uint32_t indent;

  static State of(const AtomState& state) {
    return {Phase(state.b & 31U), Quotes((state.b >> 5U) & 3U), state.b >> 7U};
  }
  [[nodiscard]] std::uint32_t word() const {
    return static_cast<std::uint32_t>(phase) | static_cast<std::uint32_t>(quotes) << 5U | indent << 7U;
  }
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
  std::vector<ByteSet> text, tail, backslash, all;
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
    for (const auto* part : {&made.text, &made.tail, &made.backslash}) {
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
    const bool is_between = at.phase <= Phase::kAfterBlanks;
    // A raw character or an escape of n bytes takes n bytes at least, \N and \_ take one after the backslash.
    std::uint32_t least = exprs.min_length(content);
    if (at.phase == Phase::kBackslash && least > 0) --least;
    if (at.quotes != Quotes::kNone && least < regex::kUnbounded) ++least;
    if (at.phase == Phase::kQuote) least = std::max(least, 2U);
    // Whatever the operand holds has a text from between two characters on.
    const bool has_member = is_between && (exprs.is_cofinite(content) || exprs.has_plain_text(content));
    const bool is_nullable = at.quotes == Quotes::kNone && at.phase == Phase::kText && exprs.nullable(content);
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
    return exprs.atom(made);
  }

  ExprId derivative(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const override {
    const State at = State::of(state);
    const ExprId content{state.a};
    const auto go = [&](Phase phase, ExprId operand, std::uint32_t c = 0) {
      return with_operand(exprs, {0, State{phase, at.quotes, at.indent}.word(), c, state.atom}, operand);
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
          return state.c < at.indent + kMaxYamlIndent ? go(Phase::kIndent, content, state.c + 1) : ExprId::kNothing;
        }
        // At column 0 a document may end.
        if (state.c == 0 && (byte == '-' || byte == '.')) return ExprId::kNothing;
        return state.c + 1 >= at.indent && byte != '\n' ? text(exprs, state, byte) : ExprId::kNothing;
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
      case Phase::kMoreBreaks: return known.text;
      default: return known.tail;
    }
  }
  void refine_classes(regex::ByteClasses& classes) const override {
    for (const ByteSet& set : json_schema::classes().all) classes.refine(set);
  }
  [[nodiscard]] std::string name(const AtomState& state) const override {
    const State at = State::of(state);
    static constexpr std::array<const char*, 3> kNames{"yaml plain", "yaml single", "yaml double"};
    return kNames[static_cast<std::size_t>(at.quotes)] + std::string(" ") +
           std::to_string(static_cast<unsigned>(at.phase)) + "." + std::to_string(state.c) + "." +
           std::to_string(at.indent);
  }
  [[nodiscard]] bool feeds_text(const AtomState& state) const override {
    const Phase phase = State::of(state).phase;
    return phase <= Phase::kTailF4 || phase == Phase::kIndent;
  }

 private:
  ExprId text(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const {
    const State at = State::of(state);
    const ExprId content{state.a};
    const auto go = [&](Phase phase, ExprId operand) {
      return with_operand(exprs, {0, State{phase, at.quotes, at.indent}.word(), 0, state.atom}, operand);
    };
    if (byte == '\'' && at.quotes == Quotes::kSingle) {
      return exprs.alternation(exprs.nullable(content) ? ExprId::kEpsilon : ExprId::kNothing,
                               go(Phase::kQuote, content));
    }
    if (at.quotes == Quotes::kDouble && byte == '"') {
      return exprs.nullable(content) ? ExprId::kEpsilon : ExprId::kNothing;
    }
    if (at.quotes == Quotes::kDouble && byte == '\\') return go(Phase::kBackslash, content);
    if (byte == '\n') {
      if (at.indent == 0) return ExprId::kNothing;
      if (at.phase == Phase::kAfterBlank) return go(Phase::kIndent, content);
      if (at.phase != Phase::kText) return ExprId::kNothing;
      return exprs.alternation(go(Phase::kIndent, exprs.derivative(content, ' ')), go(Phase::kMoreBreaks, content));
    }
    if (byte == ' ') {
      return go(at.phase == Phase::kText ? Phase::kAfterBlank : Phase::kAfterBlanks, exprs.derivative(content, byte));
    }
    if (byte > 0x20 && byte < 0x7F) return go(Phase::kText, exprs.derivative(content, byte));
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
      return with_operand(exprs, {0, State{phase, at.quotes, at.indent}.word(), c, state.atom}, operand);
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
    const State to{is_over ? Phase::kText : Phase::kJson, at.quotes, at.indent};
    return with_operand(exprs, {0, to.word(), is_over ? 0 : static_cast<std::uint32_t>(next), state.atom}, operand);
  }
};

constexpr YamlStringAtom kYamlString;

ExprId yaml_string(ExprSet& exprs, ExprId strings, Quotes quotes, std::optional<std::uint32_t> indent) {
  const State start{Phase::kText, quotes, indent ? *indent + 1 : 0};
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
  single_ = {printable, exprs.difference(pattern(kPrintableLines, limits), within(kBlankBesideBreak))};
}

ExprId YamlStrings::pattern(const char* text, const Limits& limits) {
  return regex::parse_regex(exprs_, text, {}, limits).value_or(ExprId::kOverflow);
}

ExprId YamlStrings::texts(ExprId strings, Form form, std::optional<std::uint32_t> indent) {
  const ExprId plain = exprs_.intersection(strings, plain_[static_cast<std::size_t>(form)]);
  const ExprId single = exprs_.intersection(strings, single_[indent ? 1 : 0]);
  std::vector<ExprId> ways;
  if (has_member_(plain)) ways.push_back(yaml_string(exprs_, plain, Quotes::kNone, indent));
  if (has_member_(single)) {
    ways.push_back(exprs_.concat(exprs_.literal("'"), yaml_string(exprs_, single, Quotes::kSingle, indent)));
  }
  ways.push_back(exprs_.concat(exprs_.literal("\""), yaml_string(exprs_, strings, Quotes::kDouble, indent)));
  return exprs_.alternation(ways);
}

}  // namespace weir::frontend::json_schema
