// Readers: turn tokenizer files into VocabularySource; one function for each file format.
//
// WHAT   Each reader takes the whole file in memory and returns the bytes, names and kinds of all tokens, the stop
//        tokens, the first-token rule, and the segmenter if weir supports the one that the file describes.
// HOW    A reader checks the rules of its format; Vocabulary::create checks the rules common to all (lengths, ids).
// ERRORS kInvalidArgument: truncated or malformed. The message begins with `name`; `where` is the byte offset if it is
//        known. kUnsupported: decoding is not a homomorphism (the bytes of a token depend on other tokens); the message
//        names the part. An unsupported segmenter is not an error, because masks need none: the reader then returns
//        make_unsupported_segmenter(...), whose tokenize() returns the reason.
// THREADS Pure functions.
#ifndef WEIR_SRC_VOCAB_READERS_READERS_H_
#define WEIR_SRC_VOCAB_READERS_READERS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "vocab/vocabulary.h"
#include "weir/error.h"

namespace weir::vocab {

Result<VocabularySource> read_gguf(std::string_view data, std::string_view name);
Result<VocabularySource> read_sentencepiece_model(std::string_view data, std::string_view name);
Result<VocabularySource> read_tokenizer_json(std::string_view data, std::string_view name);
/// `sidecar` is the content of the .json file next to the ranks: {"name", "pat_str", "special_tokens": {name: id}}.
/// Empty if there is none; the pre-tokenizer is then unknown, and tokenize() returns an error that says so.
Result<VocabularySource> read_tiktoken(std::string_view data, std::string_view name, std::string_view sidecar);
Result<VocabularySource> read_tekken(std::string_view data, std::string_view name);

/// File formats.
enum class FileKind : unsigned char { kUnknown, kGguf, kSentencePiece, kTokenizerJson, kTiktoken, kTekken };
/// Returns the format of a file, as detected from its content.
[[nodiscard]] FileKind detect_file_kind(std::string_view data);

/// Detects the format and calls its reader. Errors: those of the reader; kInvalidArgument, with a list of the supported
/// formats, if the format is unknown.
Result<VocabularySource> read_any(std::string_view data, std::string_view name, std::string_view sidecar);

/// Returns the error kInvalidArgument "`name`: message", at a byte offset of the file.
[[nodiscard]] Error malformed(std::string_view name, std::string_view message, std::size_t offset = 0);

/// Returns the error kInvalidArgument at a byte offset, for code that does not know the file's name.
[[nodiscard]] tl::unexpected<Error> invalid_at(std::string message, std::size_t offset);

/// Returns the special tokens whose names usually denote the end of an output (is_usual_stop_name), ascending. For files
/// that do not list their stop tokens.
[[nodiscard]] std::vector<std::uint32_t> usual_stop_tokens(const VocabularySource& source);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_READERS_H_
