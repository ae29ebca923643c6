// Functions that all readers use.
#include "vocab/readers/readers.h"
#include "vocab/token_spelling.h"

namespace weir::vocab {

Error malformed(std::string_view name, std::string_view message, std::size_t offset) {
  std::string text = "`";
  text.append(name).append("`: ").append(message);
  return Error{ErrorCode::kInvalidArgument, std::move(text), {offset, offset}};
}

tl::unexpected<Error> invalid_at(std::string message, std::size_t offset) {
  return tl::unexpected(
      Error{ErrorCode::kInvalidArgument, std::move(message) + " at byte " + std::to_string(offset), {offset, offset}});
}

std::vector<std::uint32_t> usual_stop_tokens(const VocabularySource& source) {
  std::vector<std::uint32_t> found;
  std::optional<std::uint32_t> separator;
  for (std::uint32_t id = 0; id < source.token_names.size(); ++id) {
    if (source.token_kinds[id] != TokenKind::kSpecial) continue;
    const std::string_view name = source.token_names[id];
    if (is_usual_stop_name(name)) found.push_back(id);
    if (name == "[SEP]") separator = id;
  }
  // BERT's separator is used only if there is no other such token.
  if (found.empty() && separator) found.push_back(*separator);
  return found;
}

}  // namespace weir::vocab
