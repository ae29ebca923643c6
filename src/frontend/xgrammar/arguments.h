// Parses a macro's arguments: strings, numbers, booleans, rule names, tuples of those, and named arguments.
#ifndef WEIR_SRC_FRONTEND_XGRAMMAR_ARGUMENTS_H_
#define WEIR_SRC_FRONTEND_XGRAMMAR_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"

namespace weir::frontend::xgrammar {

enum class ValueKind : std::uint8_t { kString, kInteger, kBoolean, kName, kTuple };

struct Value {
  ValueKind kind = ValueKind::kTuple;
  SourceRange where = {};
  std::string string = {};        ///< kString: the bytes. kName: the name.
  std::uint64_t integer = 0;      ///< kInteger: at most 2^32. kBoolean: 0 or 1.
  std::vector<Value> items = {};  ///< kTuple; tuples contain no tuples.
};

struct NamedValue {
  std::string name;
  SourceRange where = {};  ///< The name.
  Value value = {};
};

struct Arguments {
  std::string_view macro;
  SourceRange macro_where = {};
  std::vector<Value> positional = {};
  std::vector<NamedValue> named = {};
};

/// Reads blanks, comments, and the values of options and arguments.
class ValueReader {
 public:
  /// Reads from `where.start` to `where.end` of `text`.
  ValueReader(std::string_view text, SourceRange where) : text_(text), pos_(where.start), end_(where.end) {}

  void skip_blanks();
  [[nodiscard]] bool at_end() const { return pos_ >= end_; }
  [[nodiscard]] char peek() const { return pos_ < end_ ? text_[pos_] : '\0'; }
  [[nodiscard]] std::size_t pos() const { return pos_; }
  /// Skips blanks, and `c` if it follows. Returns true if it did.
  bool take(char c);
  /// Returns the name at this position; empty if there is none.
  std::string_view name();
  /// Reads a string, a number, a boolean or a name.
  Result<Value> value();
  Result<Value> value_or_tuple();
  /// Returns a kSyntax error at the next character.
  [[nodiscard]] Error expected(std::string_view what, std::string hint = {}) const;

 private:
  Result<Value> string();

  std::string_view text_;
  std::size_t pos_;
  std::size_t end_;
};

/// Reads the call at `where`, from the macro's name to the closing parenthesis. Errors: kSyntax.
Result<Arguments> read_arguments(std::string_view text, SourceRange where);

}  // namespace weir::frontend::xgrammar

#endif  // WEIR_SRC_FRONTEND_XGRAMMAR_ARGUMENTS_H_
