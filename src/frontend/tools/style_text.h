// The notation of the texts of a style of tools (tool_styles.h): blanks, and two words of which one comes, within text.
#ifndef WEIR_SRC_FRONTEND_TOOLS_STYLE_TEXT_H_
#define WEIR_SRC_FRONTEND_TOOLS_STYLE_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::frontend::tools {

/// Up to a few blanks.
inline constexpr std::string_view kBlank = "␣";
/// Around and between two words of which one comes: `¦this¦that¦`.
inline constexpr std::string_view kOr = "¦";

/// A part of a text: `{`, `␣` and `"` of `{␣"`.
struct TextPart {
  enum class Kind : std::uint8_t {
    kText,
    kBlank,
    kOr,
  };
  Kind kind = Kind::kText;
  std::string_view text = {};     ///< Of kText; of kOr, the first word.
  std::string_view other = {};    ///< Of kOr: the second word.
  std::string_view written = {};  ///< As it is in the text.
};

/// Returns true if the part is blanks, or a blank that may be left out.
bool is_blank(const TextPart& part);

/// Returns the parts of a text, in their order. Precondition: each `¦` is one of three.
std::vector<TextPart> parts_of(std::string_view text);

/// Returns the text with which a text begins, or ends, up to a mark. It may be empty.
std::string_view first_text(std::string_view text);
std::string_view last_text(std::string_view text);

/// Returns what is between blanks, without blanks around it. Of two words, it has the first; if that is a blank, what is
/// around it are two texts.
std::vector<std::string> texts_of(std::string_view text);

}  // namespace weir::frontend::tools

#endif  // WEIR_SRC_FRONTEND_TOOLS_STYLE_TEXT_H_
