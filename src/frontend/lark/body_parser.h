// The bodies of definitions: alternatives, sequences, repeats, operators.
//
// HOW    Levels of parentheses on a stack of our own; what is finished of them lies on another. A nested grammar is
//        passed over: its words are listed, to be read as a module of its own.
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

  /// Alternatives, up to the first word that belongs to none. Nullopt: an error has been reported.
  std::optional<std::uint32_t> alternatives();
  /// One string, regular expression, name or the like, without operators.
  std::optional<std::uint32_t> primary();

  /// The words, first and end, of a module that is yet to be read.
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
    std::size_t first_word = 0;  // the bracket, or the template's name
    std::size_t arguments = 0;   // all of these are places in parts_
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
