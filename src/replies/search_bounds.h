// Bounds of what ReplyParser reads. A call beyond a bound is not valid, so nothing that a model wrote is lost. In the strict
// mode the tag is the bound: those of names, keys and headers do not count. Replies of tests/data/replies.jsonl and of the
// public cases stay far below all of them.
#ifndef WEIR_SRC_REPLIES_SEARCH_BOUNDS_H_
#define WEIR_SRC_REPLIES_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::replies {

/// Bytes of a name, of a key, or of a tag with one. APIs allow names of 64 characters. What is held back is no longer. Each
/// piece of a string has its key again, unless that is longer: a string in as many pieces as it has bytes would take the
/// square of the reply.
inline constexpr std::size_t kMaxName = 1'024;
/// Bytes of a message's header.
inline constexpr std::size_t kMaxHeader = 512;
/// Bytes of the texts of captures that a snapshot has for each byte of the reply, and in any case. Captures within one
/// another have copies of their texts: 100,000 brackets would have 10 GB.
inline constexpr std::size_t kCaptureCopies = 4;
inline constexpr std::size_t kMaxCaptureTexts = std::size_t{16} << 20;
/// Schemas within schemas, and literals within literals, that are looked at for the types of a value.
inline constexpr std::uint32_t kMaxWithin = 64;
/// Bytes of the JSON text of a value that is looked up in the sets of a schema's values. A longer one is taken to be
/// allowed.
inline constexpr std::size_t kMaxCheckedText = 4'096;
/// Members of an object, or items of a list, after which no more is asked of the sets of values.
inline constexpr std::size_t kMaxChecked = 1'000;
/// Nodes of expressions in these sets, some 100 bytes each, after which they are made anew at the next call.
inline constexpr std::size_t kMaxViewNodes = 100'000;

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_SEARCH_BOUNDS_H_
