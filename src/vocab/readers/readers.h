// Readers: tokenizer files to VocabularySource, one function a file format.
//
// WHAT   Each reader takes the whole file in memory and answers with the bytes, names and kinds of all tokens, the stop
//        tokens, the first-token rule, and the segmenter where the file describes one that weir knows.
// HOW    A reader checks what is its format's business; Vocabulary::create checks what is common to all (lengths, ids).
// ERRORS kInvalidArgument: truncated or malformed; the message opens with `name`, `where` is the byte offset where
//        known. kUnsupported: decoding is not a homomorphism; the part is named. A segmenter that cannot be built is no
//        error of the reader: it returns make_unsupported_segmenter(...), whose tokenize() says why, since masks need
//        none.
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
/// `sidecar` is the text of the .json beside the ranks: {"name", "pat_str", "special_tokens": {name: id}}. Empty: there
/// is none; the pre-tokenizer is then unknown, and tokenize() says so.
Result<VocabularySource> read_tiktoken(std::string_view data, std::string_view name, std::string_view sidecar);
Result<VocabularySource> read_tekken(std::string_view data, std::string_view name);

/// What a file's content looks like.
enum class FileKind : unsigned char { kUnknown, kGguf, kSentencePiece, kTokenizerJson, kTiktoken, kTekken };
[[nodiscard]] FileKind detect_file_kind(std::string_view data);

/// Detects and reads. Errors: those of the reader; kInvalidArgument naming what was looked for.
Result<VocabularySource> read_any(std::string_view data, std::string_view name, std::string_view sidecar);

/// An error of a reader: "`name`: message", at a byte offset of the file.
[[nodiscard]] Error malformed(std::string_view name, std::string_view message, std::size_t offset = 0);

/// An error at a byte offset, where the file's name is not known.
[[nodiscard]] tl::unexpected<Error> invalid_at(std::string message, std::size_t offset);

/// The byte that a byte token's name says: "<0x0A>" is 10; nullopt for a name that is none of the kind.
[[nodiscard]] std::optional<std::uint8_t> parse_byte_token(std::string_view name) noexcept;

/// The tokens that usually end an output, by name: `</s>`, `<|endoftext|>`, `<|eot_id|>`, `<|im_end|>`,
/// `<end_of_turn>`, ... For files that do not say it themselves; ascending. Only special tokens are considered.
[[nodiscard]] std::vector<std::uint32_t> usual_stop_tokens(const VocabularySource& source);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_READERS_H_
