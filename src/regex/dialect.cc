#include "regex/dialect.h"

namespace weir::regex {

const DialectRules& rules_of(Dialect dialect) {
  static constexpr DialectRules kOwn;
  static constexpr DialectRules kRust{
      .without_unicode = ClassMeaning::kAscii,
      .unicode = true,
      .bytes_without_unicode = true,
      .line_feed_only = true,
      .class_operations = true,
      .leading_bracket_is_member = true,
      .blanks_in_classes_extended = true,
      .stacked_quantifiers = true,
  };
  return dialect == Dialect::kRust ? kRust : kOwn;
}

}  // namespace weir::regex
