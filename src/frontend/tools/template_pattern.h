// Takes the patterns of a response template apart, which say where a part of a reply begins and ends.
#ifndef WEIR_SRC_FRONTEND_TOOLS_TEMPLATE_PATTERN_H_
#define WEIR_SRC_FRONTEND_TOOLS_TEMPLATE_PATTERN_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::tools {

/// A part of a pattern. All parts one after the other are the pattern.
struct PatternPiece {
  enum class Kind : std::uint8_t {
    kText,    ///< `text` as it is.
    kBlanks,  ///< Any number of blanks of any kind.
    kGroup,   ///< A group with one of the wanted names: `name`; `text` is the pattern within it.
    kOther,  ///< Anything else. It may match nothing, as `.*?`, an optional group and an assertion do, if `is_optional`.
    kMaybe,  ///< `text`, or nothing.
  };
  Kind kind = Kind::kText;
  std::string text = {};
  std::string name = {};
  bool is_optional = false;
};

/// Returns the parts of a pattern in the dialect of Python, with texts that are as long as they can be. Only one of several
/// alternatives is returned: the first with a text or a group. A group is taken apart unless `groups` has its name.
/// Where blanks may stand a limited number of times, or are not of all kinds, those that must stand are a text, and one
/// more is kMaybe. Another character that must stand several times is a text, what may follow is kOther.
/// Errors   Those of regex::parse_regex; kUnsupported: flags, atomic groups, assertions but look-ahead, numbers of
///          characters, more than 32 copies of a text. Error::where is a range of the pattern.
Result<std::vector<PatternPiece>> read_template_pattern(std::string_view pattern,
                                                        const std::vector<std::string_view>& groups,
                                                        const Limits& limits);

}  // namespace weir::frontend::tools

#endif  // WEIR_SRC_FRONTEND_TOOLS_TEMPLATE_PATTERN_H_
