#include "regex/syntax/dialect.h"

namespace weir::regex {

const DialectRules& rules_of(Dialect dialect) {
  static constexpr DialectRules kOwn;
  static constexpr DialectRules kEcma{
      .odd_braces = OddBraces::kCharacters,
      .brackets_are_characters = true,
      .posix_classes = false,
  };
  static constexpr DialectRules kRust{
      .without_unicode = ClassMeaning::kAscii,
      .unicode = true,
      .bytes_without_unicode = true,
      .line_feed_only = true,
      .class_operations = true,
      .leading_bracket_is_member = true,
      .blanks_in_classes_extended = true,
      .stacked_quantifiers = true,
      .idle_flags = "U",
  };
  static constexpr DialectRules kPython{
      .with_unicode = ClassMeaning::kPython,
      .without_unicode = ClassMeaning::kAscii,
      .unicode = true,
      .ascii_cases_without_unicode = true,
      .line_feed_only = true,
      .leading_bracket_is_member = true,
      .odd_braces = OddBraces::kNoMinimum,
      .cases = CaseMeaning::kPython,
      .cases_of_sets = false,
      .dollar_before_last_line_feed = true,
      .possessive = true,
      .not_boundary_needs_text = true,
      .ascii_blanks = true,
      .brackets_are_characters = true,
      .posix_classes = false,
      .surrogate_pairs = false,
      .ascii_flag = true,
  };
  static constexpr DialectRules kPcre{
      .with_unicode = ClassMeaning::kAscii,
      .without_unicode = ClassMeaning::kAscii,
      .line_feed_only = true,
      .leading_bracket_is_member = true,
      .odd_braces = OddBraces::kCharacters,
      .cases_of_sets = false,
      .dollar_before_last_line_feed = true,
      .line_after_last_line_feed = false,
      .possessive = true,
      .quoting = true,
      .brackets_are_characters = true,
      .script_extensions = true,
      .perl_groups = true,
      .idle_flags = "nJ",
  };
  switch (dialect) {
    case Dialect::kWeir: break;
    case Dialect::kEcma262: return kEcma;
    case Dialect::kRust: return kRust;
    case Dialect::kPython: return kPython;
    case Dialect::kPcre: return kPcre;
  }
  return kOwn;
}

}  // namespace weir::regex
