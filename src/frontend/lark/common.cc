#include "frontend/lark/common.h"

#include <algorithm>
#include <array>

namespace weir::frontend::lark {

namespace {

struct Common {
  std::string_view name;
  std::string_view pattern;
};

// Where Lark's own definition ends a comment or a string lazily, the pattern here is the language of the resulting
// texts.
constexpr std::array kCommon{
    Common{"DIGIT", R"([0-9])"},
    Common{"HEXDIGIT", R"([0-9A-Fa-f])"},
    Common{"INT", R"([0-9]+)"},
    Common{"SIGNED_INT", R"([-+]?[0-9]+)"},
    Common{"DECIMAL", R"([0-9]+\.[0-9]*|\.[0-9]+)"},
    Common{"_EXP", R"([Ee][-+]?[0-9]+)"},
    Common{"FLOAT", R"([0-9]+[Ee][-+]?[0-9]+|([0-9]+\.[0-9]*|\.[0-9]+)([Ee][-+]?[0-9]+)?)"},
    Common{"SIGNED_FLOAT", R"([-+]?([0-9]+[Ee][-+]?[0-9]+|([0-9]+\.[0-9]*|\.[0-9]+)([Ee][-+]?[0-9]+)?))"},
    Common{"NUMBER", R"(([0-9]+(\.[0-9]*)?|\.[0-9]+)([Ee][-+]?[0-9]+)?)"},
    Common{"SIGNED_NUMBER", R"([-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([Ee][-+]?[0-9]+)?)"},
    Common{"ESCAPED_STRING", R"("([^"\\\n]|\\[^\n])*")"},
    Common{"LCASE_LETTER", R"([a-z])"},
    Common{"UCASE_LETTER", R"([A-Z])"},
    Common{"LETTER", R"([A-Za-z])"},
    Common{"WORD", R"([A-Za-z]+)"},
    Common{"CNAME", R"([A-Za-z_][A-Za-z0-9_]*)"},
    Common{"WS_INLINE", R"([ \t]+)"},
    Common{"WS", R"([ \t\f\r\n]+)"},
    Common{"CR", R"(\r)"},
    Common{"LF", R"(\n)"},
    Common{"NEWLINE", R"((\r?\n)+)"},
    Common{"SH_COMMENT", R"(#[^\n]*)"},
    Common{"CPP_COMMENT", R"(//[^\n]*)"},
    Common{"C_COMMENT", R"(/\*([^*]|\*+[^*/])*\*+/)"},
    Common{"SQL_COMMENT", R"(--[^\n]*)"},
};

constexpr auto kNames = [] {
  std::array<std::string_view, kCommon.size()> names{};
  for (std::size_t i = 0; i < kCommon.size(); ++i) names[i] = kCommon[i].name;
  return names;
}();

}  // namespace

std::span<const std::string_view> common_terminal_names() { return kNames; }

bool is_common_terminal(std::string_view name) { return std::find(kNames.begin(), kNames.end(), name) != kNames.end(); }

std::string_view common_terminal_pattern(std::string_view name) {
  const auto found = std::find_if(kCommon.begin(), kCommon.end(), [&](const Common& c) { return c.name == name; });
  return found->pattern;
}

}  // namespace weir::frontend::lark
