// Character classes in brackets.
//
// WHAT   `[a-z]`, `[^\d_]`, `[[:alpha:]_]`, and, where operators are on, nested classes and the set operations of Rust:
//        `[\w&&[^aeiou]]`, `[a-z--b]`, `[a-f~~d-h]`, all three of one precedence, from left to right, looser than
//        union.
// HOW    One loop with a stack of open brackets. A class is folded before it is complemented, so that `(?i)[^a]` leaves
//        out both cases.
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

  /// Precondition: at the `[`. Afterwards behind the `]`.
  Result<CodePointSet> parse();

  /// Whether a `[` was taken as a member, or the class was `[]` or `[^]`: other dialects read the brackets differently
  /// then, and end the class at a later `]`.
  [[nodiscard]] bool is_ambiguous() const { return ambiguous_; }

 private:
  enum class Operation : std::uint8_t { kNone, kIntersection, kDifference, kSymmetricDifference };
  struct Frame {
    std::size_t open = 0;
    bool negated = false;
    Operation operation = Operation::kNone;  ///< Between `left` and the members that follow it.
    std::size_t operation_at = 0;
    CodePointSet left = {};
    std::vector<CodePointRange> members = {};  ///< Of this operand: characters, ranges and small sets,
    CodePointSet sets = {};                    ///< and the larger sets.
    bool has_members = false;                  ///< Whether there were any; they may be empty sets.
  };
  /// A member: one character, or a set.
  struct Atom {
    std::size_t start = 0;
    std::optional<char32_t> code_point = std::nullopt;
    CodePointSet set = {};
  };

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
