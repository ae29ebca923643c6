#include "frontend/tools/tool_styles.h"

#include <array>

namespace weir::frontend::tools {

namespace {

constexpr std::array kStyles{
    ToolStyle{.name = "llama3",
              .before_name = R"({"name": ")",
              .behind_name = R"(", "parameters": )",
              .end = "}",
              .trigger = R"({"name":)",
              .think_begin = "",
              .think_end = "",
              .is_single = true},
    ToolStyle{.name = "hermes",
              .before_name = "<tool_call>\n{\"name\": \"",
              .behind_name = R"(", "arguments": )",
              .end = "}\n</tool_call>",
              .trigger = "<tool_call>",
              .separator = "\n"},
    ToolStyle{.name = "qwen_coder",
              .before_name = "<tool_call>\n<function=",
              .behind_name = ">",
              .end = "</function>\n</tool_call>",
              .trigger = "<tool_call>",
              .separator = "\n",
              .arguments = "qwen_xml"},
    ToolStyle{.name = "mistral",
              .before_name = R"({"name": ")",
              .behind_name = R"(", "arguments": )",
              .end = "}",
              .trigger = "[TOOL_CALLS]",
              .section_end = "]",
              .separator = ", ",
              .behind_arguments_pattern = R"RE((, "id": "[a-zA-Z0-9]{9}")?)RE",
              .think_begin = "",
              .think_end = ""},
    ToolStyle{.name = "deepseek_v3",
              .before_name = "<｜tool▁call▁begin｜>function<｜tool▁sep｜>",
              .behind_name = "\n```json\n",
              .end = "\n```<｜tool▁call▁end｜>",
              .trigger = "<｜tool▁calls▁begin｜>",
              .section_end = "<｜tool▁calls▁end｜>",
              .separator = "\n"},
    ToolStyle{.name = "deepseek_v3_1",
              .before_name = "<｜tool▁call▁begin｜>",
              .behind_name = "<｜tool▁sep｜>",
              .end = "<｜tool▁call▁end｜>",
              .trigger = "<｜tool▁calls▁begin｜>",
              .section_end = "<｜tool▁calls▁end｜>"},
    ToolStyle{.name = "glm",
              .before_name = "<tool_call>",
              .behind_name = "\n",
              .end = "</tool_call>",
              .trigger = "<tool_call>",
              .separator = "\n",
              .arguments = "glm_xml"},
    ToolStyle{.name = "kimi_k2",
              .before_name = "<|tool_call_begin|>functions.",
              .behind_name = "<|tool_call_argument_begin|>",
              .end = "<|tool_call_end|>",
              .trigger = "<|tool_calls_section_begin|>",
              .section_end = "<|tool_calls_section_end|>",
              .behind_name_pattern = ":[0-9]{1,6}"},
    ToolStyle{.name = "minimax_m2",
              .before_name = "<invoke name=\"",
              .behind_name = "\">",
              .end = "</invoke>\n",
              .trigger = "<minimax:tool_call>\n",
              .section_end = "</minimax:tool_call>",
              .arguments = "minimax_xml"},
};

}  // namespace

std::span<const ToolStyle> tool_styles() { return kStyles; }

}  // namespace weir::frontend::tools
