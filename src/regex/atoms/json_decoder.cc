#include "regex/atoms/json_decoder.h"

#include <string_view>
#include <vector>

#include "base/escape.h"

namespace weir::regex {

namespace {

enum class Phase : std::uint8_t {
  kText,  // between two characters
  // Inside a raw character:
  kTail1,   // one continuation byte follows
  kTail2,   // two follow
  kTail3,   // three follow
  kTailE0,  // after E0: no overlong forms
  kTailED,  // after ED: no surrogates
  kTailF0,  // after F0: no overlong forms
  kTailF4,  // after F4: nothing above U+10FFFF
  // Inside an escape:
  kBackslash,
  kFour,      // after \u
  kThreeZ,    // after \u0
  kThreeD,    // after \ud: may become a surrogate
  kThree,     // after \uX: the first of three bytes is fed
  kTwoZZ,     // after \u00
  kTwoZ,      // after \u0X, X in 1-7, which is pending
  kTwo,       // the first of three bytes is fed, the second digit is pending
  kOneAscii,  // after \u00X, X in 0-7, which is pending
  kOne,       // all bytes except the last are fed, the low two bits of the third digit are pending
  // Inside a surrogate pair, \uD800-\uDBFF:
  kHighTwo,   // after \udX: the low two bits of X are pending
  kHighOne,   // the first of four bytes is fed; two bits of the plane and two of the third digit are pending
  kHighDone,  // two bytes are fed, two bits are pending, also in the next three phases
  kLowU,      // after the backslash of the second escape
  kLowFour,   // after its u
  kLowThree,  // after its d
  kLowTwo,    // after its second digit, whose low two bits are also pending: four bits in all
};

// Phase: bits 0-4. Pending: bits 5-8.
constexpr std::uint32_t kAfterHigh = 1U << 9;  // an unpaired high surrogate was just read: no low one may follow
constexpr std::uint32_t kIsHigh = 1U << 10;    // the escape of an unpaired high surrogate is being read
constexpr unsigned kEscapesShift = 11;
constexpr std::uint32_t kLoneAllowed = 1U << 13;
constexpr std::uint32_t kOptions = (3U << kEscapesShift) | kLoneAllowed;

constexpr std::uint32_t word(JsonState state) { return static_cast<std::uint32_t>(state); }
constexpr Phase phase_of(JsonState state) { return Phase(word(state) & 31); }
constexpr std::uint8_t pending_of(JsonState state) { return static_cast<std::uint8_t>((word(state) >> 5) & 15); }
constexpr JsonEscapes escapes_of(JsonState state) { return JsonEscapes((word(state) >> kEscapesShift) & 3); }
constexpr bool has(JsonState state, std::uint32_t flag) { return (word(state) & flag) != 0; }

/// Returns a state with the options of `from` and the given phase, pending bits and flags.
constexpr JsonState go(JsonState from, Phase phase, unsigned pending = 0, std::uint32_t flags = 0) {
  return JsonState((word(from) & kOptions) | static_cast<std::uint32_t>(phase) | (pending << 5) | flags);
}

constexpr bool in(std::uint8_t byte, unsigned first, unsigned last) { return byte >= first && byte <= last; }

// Transitions that feed the byte unchanged: bytes of sets[i] lead to phase next[i]. The most frequent sets come first.
struct RawMoves {
  std::span<const ByteSet> sets;
  std::span<const Phase> next;
};

RawMoves raw_moves(Phase phase) {
  static constexpr std::array<ByteSet, 8> kText = {ByteSet::range(0x20, 0x7F) & ~(ByteSet::of('"') | ByteSet::of('\\')),
                                                   ByteSet::range(0xC2, 0xDF),
                                                   ByteSet::range(0xE1, 0xEF) & ~ByteSet::of(0xED),
                                                   ByteSet::range(0xF1, 0xF3),
                                                   ByteSet::of(0xE0),
                                                   ByteSet::of(0xED),
                                                   ByteSet::of(0xF0),
                                                   ByteSet::of(0xF4)};
  static constexpr std::array<Phase, 8> kBehindText = {Phase::kText,   Phase::kTail1,  Phase::kTail2,  Phase::kTail3,
                                                       Phase::kTailE0, Phase::kTailED, Phase::kTailF0, Phase::kTailF4};
  // Indexed by phase, from kTail1 on.
  static constexpr std::array<ByteSet, 7> kTails = {
      ByteSet::range(0x80, 0xBF), ByteSet::range(0x80, 0xBF), ByteSet::range(0x80, 0xBF), ByteSet::range(0xA0, 0xBF),
      ByteSet::range(0x80, 0x9F), ByteSet::range(0x90, 0xBF), ByteSet::range(0x80, 0x8F)};
  static constexpr std::array<Phase, 7> kBehindTails = {Phase::kText,  Phase::kTail1, Phase::kTail2, Phase::kTail1,
                                                        Phase::kTail1, Phase::kTail2, Phase::kTail2};
  if (phase == Phase::kText) return {kText, kBehindText};
  const auto tail = static_cast<std::size_t>(phase) - static_cast<std::size_t>(Phase::kTail1);
  return {std::span(kTails).subspan(tail, 1), std::span(kBehindTails).subspan(tail, 1)};
}

class Stepper {
 public:
  explicit Stepper(JsonState state) : state_(state) {}

  JsonMoves step(std::uint8_t byte) {
    const Phase phase = phase_of(state_);
    if (phase == Phase::kText) {
      text(byte);
    } else if (phase < Phase::kBackslash) {
      raw(phase, byte);
    } else if (phase == Phase::kBackslash) {
      after_backslash(byte);
    } else if (phase == Phase::kHighDone) {
      if (byte == '\\') move(go(state_, Phase::kLowU, pending_of(state_)));
    } else if (phase == Phase::kLowU) {
      if (byte == 'u') move(go(state_, Phase::kLowFour, pending_of(state_)));
    } else if (const int digit = base::hex_digit(static_cast<char>(byte));
               digit >= 0 && !(forbids_upper_case() && in(byte, 'A', 'F'))) {
      hex(phase, static_cast<unsigned>(digit));
    }
    return moves_;
  }

 private:
  void move(JsonState next) { moves_.moves[moves_.count++] = {next, false, false, 0}; }
  void feed(unsigned byte, JsonState next) {
    moves_.moves[moves_.count++] = {next, false, true, static_cast<std::uint8_t>(byte)};
  }
  [[nodiscard]] bool forbids_upper_case() const { return escapes_of(state_) == JsonEscapes::kRequired; }

  void text(std::uint8_t byte) {
    if (byte == '"') {
      moves_.moves[moves_.count++].closes = true;
    } else if (byte == '\\') {
      move(go(state_, Phase::kBackslash, 0, word(state_) & kAfterHigh));
    } else {
      raw(Phase::kText, byte);
    }
  }

  void raw(Phase phase, std::uint8_t byte) {
    const RawMoves moves = raw_moves(phase);
    for (std::size_t i = 0; i < moves.sets.size(); ++i) {
      if (moves.sets[i].contains(byte)) return feed(byte, go(state_, moves.next[i]));
    }
  }

  void after_backslash(std::uint8_t byte) {
    constexpr std::string_view kLetters = "\"\\bfnrt/";
    constexpr std::string_view kMeanings = "\"\\\b\f\n\r\t/";
    if (byte == 'u') return move(go(state_, Phase::kFour, 0, word(state_) & kAfterHigh));
    const std::size_t letter = kLetters.find(static_cast<char>(byte));
    if (letter == std::string_view::npos) return;
    if (byte == '/' && escapes_of(state_) == JsonEscapes::kRequired) return;
    feed(static_cast<unsigned char>(kMeanings[letter]), go(state_, Phase::kText));
  }

  void hex(Phase phase, unsigned digit) {
    const unsigned pending = pending_of(state_);
    switch (phase) {
      case Phase::kFour: return first_digit(digit);
      case Phase::kThreeZ: return second_digit_after_zero(digit);
      case Phase::kThreeD: return second_digit_after_d(digit);
      case Phase::kThree: return move(go(state_, Phase::kTwo, digit));
      case Phase::kTwoZZ:
        if (digit >= 2 && escapes_of(state_) != JsonEscapes::kAll) return;
        if (digit < 8) return move(go(state_, Phase::kOneAscii, digit));
        return feed(0xC0 | (digit >> 2), go(state_, Phase::kOne, digit & 3));
      case Phase::kTwoZ: return feed(0xC0 | (pending << 2) | (digit >> 2), go(state_, Phase::kOne, digit & 3));
      case Phase::kTwo:
        return feed(0x80 | (pending << 2) | (digit >> 2), go(state_, Phase::kOne, digit & 3, word(state_) & kIsHigh));
      case Phase::kOneAscii:
        if (!has_better_spelling((pending << 4) | digit)) feed((pending << 4) | digit, go(state_, Phase::kText));
        return;
      case Phase::kOne:
        return feed(0x80 | (pending << 4) | digit, go(state_, Phase::kText, 0, has(state_, kIsHigh) ? kAfterHigh : 0));
      default: return surrogate_digit(phase, digit, pending);
    }
  }

  void first_digit(unsigned digit) {
    const std::uint32_t flags = word(state_) & kAfterHigh;
    if (digit == 0) return move(go(state_, Phase::kThreeZ));
    if (escapes_of(state_) != JsonEscapes::kAll && !(digit == 0xD && has(state_, kLoneAllowed))) return;
    if (digit == 0xD) return move(go(state_, Phase::kThreeD, 0, flags));
    feed(0xE0 | digit, go(state_, Phase::kThree));
  }

  void second_digit_after_zero(unsigned digit) {
    if (digit == 0) return move(go(state_, Phase::kTwoZZ));
    if (escapes_of(state_) != JsonEscapes::kAll) return;
    if (digit < 8) return move(go(state_, Phase::kTwoZ, digit));
    feed(0xE0, go(state_, Phase::kTwo, digit));
  }

  void second_digit_after_d(unsigned digit) {
    const bool lone_allowed = has(state_, kLoneAllowed);  // an unpaired surrogate has no other spelling
    const bool all = escapes_of(state_) == JsonEscapes::kAll;
    if (digit < 8) {
      if (all) feed(0xED, go(state_, Phase::kTwo, digit));
    } else if (digit < 0xC) {
      if (all) move(go(state_, Phase::kHighTwo, digit & 3));
      if (lone_allowed) feed(0xED, go(state_, Phase::kTwo, digit, kIsHigh));
    } else if (lone_allowed && !has(state_, kAfterHigh)) {
      feed(0xED, go(state_, Phase::kTwo, digit));
    }
  }

  /// Reads a digit of a surrogate pair. The ten bits of the high surrogate plus 0x40 are the upper eleven bits h of the
  /// code point; the ten bits of the low surrogate are the lower bits l. UTF-8: 11110hhh 10hhhhhh 10hhllll 10llllll.
  void surrogate_digit(Phase phase, unsigned digit, unsigned pending) {
    switch (phase) {
      case Phase::kHighTwo: {
        const unsigned plane = ((pending << 2) | (digit >> 2)) + 1;
        return feed(0xF0 | (plane >> 2), go(state_, Phase::kHighOne, ((plane & 3) << 2) | (digit & 3)));
      }
      case Phase::kHighOne: return feed(0x80 | (pending << 2) | (digit >> 2), go(state_, Phase::kHighDone, digit & 3));
      case Phase::kLowFour:
        if (digit == 0xD) move(go(state_, Phase::kLowThree, pending));
        return;
      case Phase::kLowThree:
        if (digit >= 0xC) move(go(state_, Phase::kLowTwo, (pending << 2) | (digit & 3)));
        return;
      case Phase::kLowTwo: return feed(0x80 | (pending << 2) | (digit >> 2), go(state_, Phase::kOne, digit & 3));
      default: return;
    }
  }

  /// Returns true if the options do not allow \uXXXX for a control character, because it has a short escape. Not called
  /// for characters from U+0020 on.
  [[nodiscard]] bool has_better_spelling(unsigned character) const {
    if (escapes_of(state_) == JsonEscapes::kAll) return false;
    return std::string_view("\b\f\n\r\t").find(static_cast<char>(character)) != std::string_view::npos;
  }

  JsonState state_;
  JsonMoves moves_;
};

/// Byte classes by kind of phase: between characters, within a raw character, after a backslash, at a digit; and all.
struct Classes {
  std::vector<ByteSet> text;
  std::vector<ByteSet> tail;
  std::vector<ByteSet> backslash;
  std::vector<ByteSet> digits;
  std::vector<ByteSet> all;
};

const Classes& classes() {
  static const Classes kClasses = [] {
    Classes made;
    const auto of = [](std::string_view bytes) {
      ByteSet set;
      for (const char c : bytes) set.add(static_cast<std::uint8_t>(c));
      return set;
    };
    made.text = {of("\""),
                 of("\\"),
                 ByteSet::range(0x00, 0x1F),
                 ByteSet::range(0x80, 0xC1) | ByteSet::range(0xF5, 0xFF),
                 ByteSet::range(0xC2, 0xDF),
                 ByteSet::of(0xE0),
                 ByteSet::of(0xED),
                 ByteSet::range(0xE0, 0xEF),
                 ByteSet::of(0xF0),
                 ByteSet::of(0xF4),
                 ByteSet::range(0xF0, 0xF4)};
    made.tail = {ByteSet::range(0x80, 0x8F), ByteSet::range(0x90, 0x9F), ByteSet::range(0xA0, 0xBF)};
    for (const char letter : std::string_view("\"\\/bfnrtu")) made.backslash.push_back(of({&letter, 1}));
    for (const char digit : std::string_view("0123456789")) made.digits.push_back(of({&digit, 1}));
    for (const std::string_view digit : {"aA", "bB", "cC", "dD", "eE", "fF"}) made.digits.push_back(of(digit));
    made.digits.push_back(of("\\"));  // between the two escapes of a surrogate pair
    made.digits.push_back(of("u"));
    made.digits.push_back(ByteSet::range('A', 'F'));  // last, because most options do not distinguish them from a-f
    for (const auto* part : {&made.text, &made.tail, &made.backslash, &made.digits}) {
      made.all.insert(made.all.end(), part->begin(), part->end());
    }
    return made;
  }();
  return kClasses;
}

}  // namespace

JsonState json_initial_state(const JsonStringOptions& options) {
  const bool lone = options.lone_surrogates == LoneSurrogates::kEscaped;
  return JsonState((static_cast<std::uint32_t>(options.escapes) << kEscapesShift) | (lone ? kLoneAllowed : 0));
}

JsonMoves json_moves(JsonState state, std::uint8_t byte) { return Stepper(state).step(byte); }

bool json_is_between_characters(JsonState state) { return phase_of(state) == Phase::kText; }

bool json_has_lone_surrogates(JsonState state) { return has(state, kLoneAllowed); }

bool json_begins_any_escape(JsonState state) {
  const Phase phase = phase_of(state);
  return (phase == Phase::kBackslash || phase == Phase::kFour) && escapes_of(state) == JsonEscapes::kAll;
}

std::optional<AsciiRange> json_ascii_escapes(JsonState state) {
  if (escapes_of(state) != JsonEscapes::kAll) return std::nullopt;
  switch (phase_of(state)) {
    case Phase::kThreeZ:
    case Phase::kTwoZZ: return AsciiRange{0x00, 0x7F};
    case Phase::kOneAscii: {
      const auto first = static_cast<std::uint8_t>(pending_of(state) << 4);
      return AsciiRange{first, static_cast<std::uint8_t>(first | 0xF)};
    }
    default: return std::nullopt;
  }
}

ByteSet json_next_ascii(JsonState state) {
  if (json_is_between_characters(state) || json_begins_any_escape(state)) return ByteSet::range(0x00, 0x7F);
  if (const std::optional<AsciiRange> range = json_ascii_escapes(state))
    return ByteSet::range(range->first, range->last);
  ByteSet set;
  if (phase_of(state) == Phase::kBackslash) {
    for (const char c : std::string_view("\"\\\b\f\n\r\t")) set.add(static_cast<std::uint8_t>(c));
  }
  return set;
}

bool json_is_raw(JsonState state) { return phase_of(state) < Phase::kBackslash; }

std::span<const ByteSet> json_raw_sets(JsonState state) { return raw_moves(phase_of(state)).sets; }

std::span<const ByteSet> json_classes(JsonState state) {
  const Phase phase = phase_of(state);
  if (phase == Phase::kText) return classes().text;
  if (phase < Phase::kBackslash) return classes().tail;
  if (phase == Phase::kBackslash) return classes().backslash;
  const std::span<const ByteSet> digits = classes().digits;
  return escapes_of(state) == JsonEscapes::kRequired ? digits : digits.first(digits.size() - 1);
}

std::span<const ByteSet> json_all_classes() { return classes().all; }

std::optional<ByteSet> json_fed_next(JsonState state) {
  constexpr ByteSet kFirstOfFour = ByteSet::range(0xF0, 0xF4);
  const Phase phase = phase_of(state);
  if (phase == Phase::kThreeD) return kFirstOfFour | ByteSet::of(0xED);
  if (phase == Phase::kHighTwo) return kFirstOfFour;
  if (escapes_of(state) == JsonEscapes::kAll) return std::nullopt;
  // Few characters have escapes. Most contents cannot go on with one of them, and no search has to find that out.
  constexpr ByteSet kControls = ByteSet::range(0x00, 0x1F);
  const ByteSet lone = has(state, kLoneAllowed) ? ByteSet::of(0xED) : ByteSet();
  switch (phase) {
    case Phase::kBackslash: {
      const ByteSet slash = escapes_of(state) == JsonEscapes::kShort ? ByteSet::of('/') : ByteSet();
      return kControls | ByteSet::of('"') | ByteSet::of('\\') | slash | lone;
    }
    case Phase::kFour: return kControls | lone;
    case Phase::kThreeZ:
    case Phase::kTwoZZ: return kControls;
    case Phase::kOneAscii: {
      const auto first = static_cast<std::uint8_t>(pending_of(state) << 4);
      return ByteSet::range(first, static_cast<std::uint8_t>(first | 0xF));
    }
    default: return std::nullopt;
  }
}

std::optional<JsonPending> json_pending(JsonState state) {
  const std::uint8_t pending = pending_of(state);
  switch (phase_of(state)) {
    case Phase::kTwo:
    case Phase::kHighOne:
    case Phase::kLowTwo: return JsonPending{0x80, 4, 0, pending};
    case Phase::kTwoZ: return JsonPending{0xC0, 4, 1, pending};
    case Phase::kOne:
    case Phase::kHighDone:
    case Phase::kLowU:
    case Phase::kLowFour:
    case Phase::kLowThree: return JsonPending{0x80, 16, 0, pending};
    case Phase::kOneAscii:
      // Under the other options, which digits may follow depends on the pending bits.
      if (escapes_of(state) == JsonEscapes::kAll) return JsonPending{0x00, 16, 0, pending};
      return std::nullopt;
    default: return std::nullopt;
  }
}

JsonState json_with_pending(JsonState state, std::uint8_t pending) {
  return JsonState((word(state) & ~(15U << 5)) | (std::uint32_t{pending} << 5));
}

const char* json_state_name(JsonState state) {
  constexpr std::array<const char*, 25> kNames = {
      "",          "tail",        "tail2", "tail3",   "tail E0",  "tail ED",   "tail F0",   "tail F4", "\\",
      "\\u",       "\\u0",        "\\ud",  "\\uX",    "\\u00",    "\\u0X",     "\\uXX",     "\\u00X",  "\\uXXX",
      "high \\ud", "high \\uXXX", "high",  "high \\", "high \\u", "high \\ud", "high \\udX"};
  return kNames[static_cast<std::size_t>(phase_of(state))];
}

}  // namespace weir::regex
