// The texts of YAML whose value is a string of a given language: plain, in single quotes, in double quotes.
//
// WHAT   A text that readers of YAML 1.2 and of YAML 1.1 read as the same string. A plain text that one of them reads as a
//        number, a boolean, null, a date or a merge is none, nor is a raw character that some reader refuses or takes for a
//        line end.
// FOLDS  With an indentation n, a string may go on in the next line: a line end with at least n blanks stands for a blank,
//        k + 1 line ends for k. One blank may stand before a single line end, no blank before several, and in double
//        quotes a backslash before it makes it stand for nothing.
// BLOCKS After `|` or `>` a string is written on lines of its own. Readers add a line end to it unless a `-` forbids that,
//        but not at the end of a document that lacks one: so a string without `-` is allowed with this line end and
//        without. After `>` no line begins or ends with a blank.
// HOW    Like json_string.h: an atom holds the expression of what has not been decoded and a state, and decodes byte by
//        byte. Escapes `\uXXXX` are decoded by JSON's decoder. What a plain or single-quoted text cannot say is
//        excluded from the operand beforehand, so that each state between characters can be finished.
// THREADS Pure functions of an ExprSet.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_YAML_STRINGS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_YAML_STRINGS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

#include "regex/expr/expr.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

class YamlStrings {
 public:
  enum class Form : std::uint8_t {
    kBlock,  ///< A plain text ends with its line, or at a colon with a blank.
    kFlow,   ///< Within brackets, a plain text ends at a comma, bracket or colon, too.
  };

  /// `has_member` says of an expression whether it matches anything.
  YamlStrings(regex::ExprSet& exprs, const Limits& limits, std::function<bool(regex::ExprId)> has_member);

  /// Returns the texts of the strings. `indent` is the least number of blanks at the beginning of a further line; none:
  /// a text is on one line.
  regex::ExprId texts(regex::ExprId strings, Form form, std::optional<std::uint32_t> indent);
  /// Returns the texts on lines of their own, from `|` or `>` on, whose lines begin with at least `indent` blanks; kNothing
  /// if there are none.
  regex::ExprId block_texts(regex::ExprId strings, std::uint32_t indent);

 private:
  regex::ExprId pattern(const char* text, const Limits& limits);
  // What strings have on lines of their own, whatever the indentation.
  struct OnLines {
    bool is_literal = false, is_folded = false;  // there is such a text
    bool may_end_in_line_end = false;            // one is of the strings both with a line end after it and without
  };
  OnLines on_lines(regex::ExprId strings);

  regex::ExprSet& exprs_;
  std::function<bool(regex::ExprId)> has_member_;
  std::array<regex::ExprId, 2> plain_;   // by form: strings that have a plain text
  std::array<regex::ExprId, 2> single_;  // those that have one in single quotes: on one line, with folds
  regex::ExprId lines_;                  // those that are printable lines
  std::unordered_map<regex::ExprId, OnLines> on_lines_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_YAML_STRINGS_H_
