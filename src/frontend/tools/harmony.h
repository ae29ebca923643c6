// The special tokens of harmony, the form of messages of gpt-oss: `<|channel|>final<|message|>Hi<|return|>`.
#ifndef WEIR_SRC_FRONTEND_TOOLS_HARMONY_H_
#define WEIR_SRC_FRONTEND_TOOLS_HARMONY_H_

#include <array>
#include <string_view>

namespace weir::frontend::tools::harmony {

inline constexpr std::string_view kStart = "<|start|>";
inline constexpr std::string_view kChannel = "<|channel|>";
inline constexpr std::string_view kConstrain = "<|constrain|>";
inline constexpr std::string_view kMessage = "<|message|>";
inline constexpr std::string_view kEnd = "<|end|>";
inline constexpr std::string_view kCall = "<|call|>";
inline constexpr std::string_view kReturn = "<|return|>";
/// The channel of reasoning.
inline constexpr std::string_view kReasoning = "analysis";
/// Begin a header.
inline constexpr std::array<std::string_view, 2> kHeaders{kStart, kChannel};
/// End a message.
inline constexpr std::array<std::string_view, 3> kEnds{kEnd, kCall, kReturn};
inline constexpr std::string_view kRecipient = "to=";
/// Precedes the name of a function in a recipient.
inline constexpr std::string_view kFunctions = "functions.";

}  // namespace weir::frontend::tools::harmony

#endif  // WEIR_SRC_FRONTEND_TOOLS_HARMONY_H_
