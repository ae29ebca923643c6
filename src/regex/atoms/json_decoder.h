// JSON string decoder: a transducer from the text of a JSON string, byte by byte, to its contents in UTF-8.
//
// WHAT   A state and an input byte give the next state and at most one byte of output. The text ends with the closing
//        quote. Bytes that no JSON string has there (a raw control character, ill-formed UTF-8, an unknown escape) have
//        no transition.
// HOW    An output byte is *fed* to the consumer as soon as the text determines it, not at the end of the escape: after
//        `\u4` the first byte of a three-byte encoding is known, after `\u4f6` the second. Bits that are read but not
//        yet fed are *pending*; there are at most four. So within an escape the combined state is the consumer's state
//        and four bits, most of which the consumer does not distinguish: for "any string" there are about thirty states
//        in all, not 16^3.
//        The raw UTF-8 encoding of a character is checked and fed unchanged (RFC 3629, section 4).
//        The escape of a high surrogate begins a pair; if lone surrogates are allowed, it may also stand alone. This is
//        the only state with two transitions for a byte; the text that follows decides between them.
// USED BY  json_string.cc, which pairs a state with the expression that consumes the output. Grammars use json_string.h.
// REFERENCES  RFC 8259, section 7.
#ifndef WEIR_SRC_REGEX_ATOMS_JSON_DECODER_H_
#define WEIR_SRC_REGEX_ATOMS_JSON_DECODER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "regex/expr/byte_set.h"

namespace weir::regex {

/// Which spellings of a character are allowed.
enum class JsonEscapes : std::uint8_t {
  kAll,       ///< All spellings of RFC 8259.
  kShort,     ///< Raw or a two-character escape (`\n` and the other seven); \uXXXX if neither exists.
  kRequired,  ///< One spelling each: raw, and for `"`, `\` and controls the escape of RFC 8785, section 3.2.2.2.
};

/// Whether a string may contain escapes of unpaired surrogates. They are decoded to three bytes, as UTF-8 would be if
/// it allowed surrogates.
enum class LoneSurrogates : std::uint8_t { kForbidden, kEscaped };

struct JsonStringOptions {
  JsonEscapes escapes = JsonEscapes::kAll;
  LoneSurrogates lone_surrogates = LoneSurrogates::kForbidden;
};

/// A state of the decoder: phase, pending bits, flags and options, packed into a word.
enum class JsonState : std::uint32_t {};

struct JsonMove {
  JsonState next{};
  bool closes = false;  ///< True for the closing quote; there is no next state.
  bool feeds = false;   ///< True if the byte `fed` is output.
  std::uint8_t fed = 0;
};
struct JsonMoves {
  std::array<JsonMove, 2> moves{};
  std::uint8_t count = 0;
};

/// Returns the state after the opening quote.
JsonState json_initial_state(const JsonStringOptions& options);

/// Returns the transitions of `state` by `byte`: none, one, or two (a high surrogate's escape).
JsonMoves json_moves(JsonState state, std::uint8_t byte);

/// Returns true between two characters, where the string may end.
bool json_is_between_characters(JsonState state);

/// Returns true if unpaired surrogates are allowed; the contents may then be ill-formed UTF-8.
bool json_has_lone_surrogates(JsonState state);

/// Returns true after a backslash, and after `\u`, if every character may be written as such an escape.
bool json_begins_any_escape(JsonState state);

/// A range of ASCII characters; both bounds are included.
struct AsciiRange {
  std::uint8_t first;
  std::uint8_t last;
};
/// Within an escape, returns a range of characters each of which it can still become; it may also become others.
/// Returns nullopt outside of escapes and if no such range is known.
std::optional<AsciiRange> json_ascii_escapes(JsonState state);

/// Returns ASCII characters that may come next, each completed in this state; not always all of them.
ByteSet json_next_ascii(JsonState state);

/// Returns true between two characters and inside a raw one: bytes other than quote and backslash are fed unchanged.
bool json_is_raw(JsonState state);

/// Returns the bytes that are fed unchanged in this state, as disjoint sets; the bytes of a set lead to the same state.
/// Precondition: json_is_raw(state).
std::span<const ByteSet> json_raw_sets(JsonState state);

/// Returns sets that distinguish the bytes that json_moves() distinguishes in this state. Exception: bytes that are fed
/// unchanged may be in one set.
std::span<const ByteSet> json_classes(JsonState state);

/// Returns sets that do so for all states together.
std::span<const ByteSet> json_all_classes();

/// Returns the bytes that may be fed next from this state; nullopt if these are nearly all bytes.
std::optional<ByteSet> json_fed_next(JsonState state);

/// The next byte that a state with pending bits p feeds is one of the `width` bytes from first + p × width on. Two
/// states that differ only in p are equivalent if the consumer does not distinguish the bytes of their two blocks.
struct JsonPending {
  std::uint8_t first;
  std::uint8_t width;
  std::uint8_t least;  ///< The smallest p.
  std::uint8_t pending;
};
std::optional<JsonPending> json_pending(JsonState state);
JsonState json_with_pending(JsonState state, std::uint8_t pending);

/// Returns a short name of the state's phase for messages; "" between two characters.
const char* json_state_name(JsonState state);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_JSON_DECODER_H_
