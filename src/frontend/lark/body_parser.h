// Parses the bodies of definitions: alternatives, sequences, repeats, operators.
//
// HOW    An explicit stack of levels of parentheses; finished parts are on a second stack. A nested grammar is skipped
//        and its words are recorded (`nested`); the caller reads them as a module of their own.
#ifndef WEIR_SRC_FRONTEND_LARK_BODY_PARSER_H_
#define WEIR_SRC_FRONTEND_LARK_BODY_PARSER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/lark/syntax_tree.h"
#include "frontend/lark/word_reader.h"
#include "weir/limits.h"

namespace weir::frontend::lark {

class BodyParser {
 public:
  BodyParser(WordReader& reader, const Limits& limits, SyntaxTree& tree)
      : reader_(reader), limits_(limits), tree_(tree) {}

  /// Parses alternatives, up to the first word that belongs to none. Returns nothing if an error was reported.
  std::optional<std::uint32_t> alternatives();
  /// Parses one string, regular expression, name or similar item, without operators.
  std::optional<std::uint32_t> primary();

  /// The words [first, end) of a module that has not been read yet.
  struct Nested {
    std::uint32_t module = 0;
    std::size_t first = 0;
    std::size_t end = 0;
  };
  [[nodiscard]] std::vector<Nested>& nested() { return nested_; }

 private:
  enum class LevelKind : std::uint8_t { kBody, kGroup, kOptional, kArguments };
  struct Level {
    LevelKind kind = LevelKind::kBody;
    std::size_t first_word = 0;  // the bracket, or the name of the template
    std::size_t arguments = 0;   // these four are positions in parts_
    std::size_t alternatives = 0;
    std::size_t operands = 0;
    std::size_t items = 0;
    std::size_t alternative_word = 0;
    std::size_t sequence_word = 0;
    std::size_t item_word = 0;
  };

  [[nodiscard]] bool at_item() const;
  [[nodiscard]] bool at_definition() const;
  bool step(bool& is_done);
  bool item();
  bool end_item(std::uint32_t node, std::size_t first_word);
  bool end_operand();
  bool end_alternative();
  std::uint32_t end_choice();
  bool end_level(bool& is_done);
  bool open_level(LevelKind kind, std::size_t first_word);
  void start_alternative(Level& level);
  std::optional<std::uint32_t> name();
  std::optional<std::uint32_t> string();
  std::optional<std::uint32_t> directive();
  std::optional<std::uint32_t> nested_grammar();
  bool repeat(std::uint32_t& node, std::size_t first_word);
  bool count(std::uint32_t& value);
  bool counts_in_braces(std::uint32_t& min, std::uint32_t& max);
  std::uint32_t add(Node node, std::span<const std::uint32_t> children = {});

  WordReader& reader_;
  const Limits& limits_;
  SyntaxTree& tree_;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> parts_;
  std::vector<Nested> nested_;
};

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_BODY_PARSER_H_
