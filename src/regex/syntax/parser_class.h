// Character classes in brackets.
//
// WHAT   `[a-z]`, `[^\d_]`, `[[:alpha:]_]`. With operators enabled also nested classes and the set operations of Rust:
//        `[\w&&[^aeiou]]`, `[a-z--b]`, `[a-f~~d-h]`. The three operations have the same precedence, lower than union,
//        and associate to the left.
// HOW    One loop with a stack of open brackets. Case folding is applied before complement, so `(?i)[^a]` excludes both
//        cases.
#ifndef WEIR_SRC_REGEX_SYNTAX_PARSER_CLASS_H_
#define WEIR_SRC_REGEX_SYNTAX_PARSER_CLASS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "regex/syntax/scanner.h"
#include "regex/unicode/code_point_set.h"
#include "weir/error.h"

namespace weir::regex {

class ClassParser {
 public:
  ClassParser(Scanner& scanner, const Flags& flags, bool operators, std::uint32_t nesting)
      : scanner_(scanner),
        flags_(flags),
        operators_(operators || scanner.rules().class_operations),
        nesting_(nesting) {}

  /// Parses a class. Precondition: the scanner is at the `[`. Leaves it after the `]`.
  Result<CodePointSet> parse();

  /// Returns true if dialects disagree about where this class ends: a `[` was read as a member, or the class was `[]`
  /// or `[^]`. Other dialects end such a class at a later `]`.
  [[nodiscard]] bool is_ambiguous() const { return ambiguous_; }

 private:
  enum class Operation : std::uint8_t { kNone, kIntersection, kDifference, kSymmetricDifference };
  struct Frame {
    std::size_t open = 0;
    bool negated = false;
    Operation operation = Operation::kNone;  ///< Operator between `left` and the current operand.
    std::size_t operation_at = 0;
    CodePointSet left = {};
    std::vector<CodePointRange> members = {};  ///< Characters, ranges and small sets of the current operand.
    CodePointSet sets = {};                    ///< Union of its larger sets.
    bool has_members = false;                  ///< True if the operand has members; they may be empty sets.
  };
  /// A member of a class: one character, or a set.
  struct Atom {
    std::size_t start = 0;
    std::optional<char32_t> code_point = std::nullopt;
    CodePointSet set = {};
  };

  /// Reads a class of plain characters and ranges of them, such as `[^a-z0-9_]`: most classes. Returns nullopt, and does
  /// not move, at another class.
  std::optional<CodePointSet> take_plain();
  Result<void> open();
  void skip_blanks();
  void skip_quotes();
  Result<CodePointSet> close();
  Result<void> take_operation();
  Result<void> end_operand();
  Result<void> take_member();
  Result<Atom> take_atom();
  Result<CodePointSet> take_posix(std::size_t size);
  void add(CodePointRange range);
  void add(const Atom& atom);
  void add(const CodePointSet& set);
  [[nodiscard]] std::size_t posix_size() const;
  [[nodiscard]] std::string_view posix_name(std::size_t size) const;
  [[nodiscard]] bool at_nested_class() const { return operators_ && scanner_.is('[') && posix_size() == 0; }
  [[nodiscard]] bool at_operation() const {
    return operators_ && (scanner_.is("&&") || scanner_.is("--") || scanner_.is("~~"));
  }

  Scanner& scanner_;
  const Flags flags_;
  const bool operators_;
  const std::uint32_t nesting_;
  bool ambiguous_ = false;
  bool quoting_ = false;
  std::vector<Frame> frames_ = {};
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_PARSER_CLASS_H_
