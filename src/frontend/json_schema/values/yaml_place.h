// YamlPlace: where in a YAML text a value, an item or a member stands. It is what rules have in place of a depth.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_YAML_PLACE_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_YAML_PLACE_H_

#include <cstdint>

namespace weir::frontend::json_schema {

struct YamlPlace {
  enum class Kind : std::uint8_t {
    kRoot,       ///< A value: the whole document. At column 1 it is on the line of `---`, and no block.
    kAfterKey,   ///< A value after the colon of a member at `column`.
    kAfterDash,  ///< A value after the dash of an item at `column`.
    kFlow,       ///< Within brackets. Lines within them begin with at least `column` blanks.
    kMapping,    ///< Members of a block at `column`.
    kSequence,   ///< Items of a block whose dashes are at `column`.
    kFlowItem,   ///< Within brackets, the value of an item: an object of one member needs no braces.
    kFlowValue,  ///< Within brackets, a value after a colon, with the blanks before it.
  };
  Kind kind = Kind::kRoot;
  std::uint32_t column = 0;
  bool on_next_line = false;  ///< kMapping, kSequence: a line end and the blanks come first.

  // The place as one number, which rules have where those of JSON have a depth. That of the root is 0.
  static constexpr std::uint32_t kShift = 4;
  static constexpr std::uint32_t kNextLine = 8;
  [[nodiscard]] constexpr std::uint32_t depth() const {
    return column << kShift | (on_next_line ? kNextLine : 0) | static_cast<std::uint32_t>(kind);
  }
  static constexpr YamlPlace of(std::uint32_t depth) {
    return {static_cast<Kind>(depth & (kNextLine - 1)), depth >> kShift, (depth & kNextLine) != 0};
  }
  [[nodiscard]] constexpr bool is_block() const { return kind == Kind::kMapping || kind == Kind::kSequence; }
  [[nodiscard]] constexpr bool is_flow() const { return kind == Kind::kFlow || kind >= Kind::kFlowItem; }
  /// The fewest blanks at the beginning of a line that continues a scalar or brackets here.
  [[nodiscard]] constexpr std::uint32_t least_indent() const {
    return is_flow() || kind == Kind::kRoot ? column : column + 1;
  }
};

/// The most blanks in one place of a line, and the most columns by which a block is deeper than the one around it.
inline constexpr std::uint32_t kMaxYamlStep = 8;
/// The most blanks before a further line of a scalar or of brackets, in addition to least_indent(). PyYAML writes two for
/// each level of brackets.
inline constexpr std::uint32_t kMaxYamlIndent = 64;

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_YAML_PLACE_H_
