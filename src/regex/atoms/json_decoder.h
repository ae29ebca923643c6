// The inside of a JSON string, byte by byte: a transducer from a string's text to the UTF-8 bytes of what it means.
//
// WHAT   State and input byte give the next state and at most one byte of the decoded string. The text ends with the
//        closing quote. What is no JSON string (a raw control character, ill-formed UTF-8, an unknown escape) has no
//        move.
// HOW    A byte is *fed* as soon as the text determines it, not when the escape is complete: behind `\u4` the first
//        byte of a three-byte encoding is known, behind `\u4f6` the second. What is read and not yet fed is *pending*,
//        at most four bits. So the state behind a part of an escape is the state of whoever is fed, and four bits, of
//        which most do not matter to him: for "any string" there are some thirty states in all, not 16^3.
//        The raw encoding of a character is fed as it is, and checked (RFC 3629, section 4).
//        A high surrogate's escape is the first half of a pair, or, where lone surrogates are allowed, may also stand
//        alone; that is the one place with two moves, and what follows tells them apart.
// WHO    atoms.cc, which pairs the state with the expression that is fed. Grammars use json_string.h.
// REFERENCES  RFC 8259, section 7.
#ifndef WEIR_SRC_REGEX_ATOMS_JSON_DECODER_H_
#define WEIR_SRC_REGEX_ATOMS_JSON_DECODER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "regex/expr/byte_set.h"

namespace weir::regex {

/// Which spellings of a character are offered.
enum class JsonEscapes : std::uint8_t {
  kAll,       ///< All that RFC 8259 has.
  kShort,     ///< Raw, `\n` and the other seven; \uXXXX only for what has no other spelling.
  kRequired,  ///< Raw, but for `"`, `\` and control characters: one spelling each, that of RFC 8785, section 3.2.2.2.
};

/// Whether a string may hold surrogates that are no pair. They are decoded to the three bytes that UTF-8 would have.
enum class LoneSurrogates : std::uint8_t { kForbidden, kEscaped };

struct JsonStringOptions {
  JsonEscapes escapes = JsonEscapes::kAll;
  LoneSurrogates lone_surrogates = LoneSurrogates::kForbidden;
};

/// A state: a phase, pending bits, flags, and the options.
enum class JsonState : std::uint32_t {};

struct JsonMove {
  JsonState next{};
  bool closes = false;  ///< The closing quote: nothing follows.
  bool feeds = false;
  std::uint8_t fed = 0;
};
struct JsonMoves {
  std::array<JsonMove, 2> moves{};
  std::uint8_t count = 0;
};

/// Behind the opening quote.
JsonState json_initial_state(const JsonStringOptions& options);

JsonMoves json_moves(JsonState state, std::uint8_t byte);

/// Between two characters: the string may end here.
bool json_is_between_characters(JsonState state);

/// Whether half of a surrogate pair may be spelled: a string may hold what is no UTF-8 then.
bool json_has_lone_surrogates(JsonState state);

/// Behind a backslash, with or without a `u`, where every character may be spelled so.
bool json_begins_any_escape(JsonState state);

/// Within an escape that may become each character of [first, last], all of ASCII, and perhaps others.
struct AsciiRange {
  std::uint8_t first;
  std::uint8_t last;
};
std::optional<AsciiRange> json_ascii_escapes(JsonState state);

/// In the middle of a raw character or between two: a byte that is not a quote or a backslash is fed as it is.
bool json_is_raw(JsonState state);

/// The bytes that are fed as they are in such a state, in one set those that lead to one state; of the sets none meets
/// another. Precondition: json_is_raw(state).
std::span<const ByteSet> json_raw_sets(JsonState state);

/// Sets that tell apart what `json_moves` tells apart in this state, except that bytes fed as they are may share one.
std::span<const ByteSet> json_classes(JsonState state);

/// The same for all states together.
std::span<const ByteSet> json_all_classes();

/// What is fed next, if the string goes on from this state; nothing where that may be nearly any byte.
std::optional<ByteSet> json_fed_next(JsonState state);

/// A state with pending bits p feeds, next, one of the `width` bytes from first + p × width on. States that differ only
/// in p, and in blocks of bytes that the one who is fed does not tell apart, are equivalent for him.
struct JsonPending {
  std::uint8_t first;
  std::uint8_t width;
  std::uint8_t least;  ///< The smallest p.
  std::uint8_t pending;
};
std::optional<JsonPending> json_pending(JsonState state);
JsonState json_with_pending(JsonState state, std::uint8_t pending);

/// For messages: "" between two characters.
const char* json_state_name(JsonState state);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_JSON_DECODER_H_
