// Rules whose lines are read at a column, made while a parser runs: what Lark's Indenter means, without its stack.
//
// WHAT   A rule that contains line ends, a *lined* rule, is a template. For a column p, the column of the block around it,
//        and two states i and o, its lazy rule A[p, i, o] derives what A derives if i is pending before and o after it:
//          0  nothing;
//          1  a line has ended, and the blanks of the next line have not been read;
//          2  the text has ended, only ends of blocks may follow.
// HOW    The blanks after a line feed are read by the line that follows: by a terminal T(p), blanks of exactly p columns,
//        in the production that predicts that line. So the end of a block is only the end of a rule. A block begins with
//        U(p, c), the blanks that first exceed p, and then learns its column blank by blank:
//          open[p]   ::= U(p, c) more[c]           for each c that one blank or tab can reach
//          more[c]   ::= " " more[c+1] | "\t" more[c+tab_len] | the block's body at column c
//        What a production still has to derive after its first symbols is a rule of its own (a *suffix*), because states
//        branch at each lined symbol.
// WHY    Equal futures are equal rules: a column that no later line needs is in no rule that a parser still waits for. A
//        stack of columns beside the parser would be one more part of every state, and would refuse too late, after the
//        parser has allowed a line that belongs to no block.
// INVARIANTS  Rules derive no empty text. Suffix 0 is the empty one; the rest of a suffix has a smaller number.
#ifndef WEIR_SRC_GRAMMAR_COLUMNS_H_
#define WEIR_SRC_GRAMMAR_COLUMNS_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/cut_text.h"
#include "grammar/cfg.h"
#include "grammar/growth.h"
#include "grammar/ir.h"

namespace weir::grammar {

struct ColumnTemplates {
  static constexpr std::uint32_t kStates = 3;
  /// For each state before, a bit for each state after.
  using Ways = std::array<std::uint8_t, kStates>;

  enum class Part : std::uint8_t {
    kPlain,  ///< Within a line, or within brackets: an ordinary symbol.
    kNewline,
    kLined,  ///< A lined rule.
    kBlock,  ///< What is between an indent and its dedent.
  };
  struct Element {
    Part part = Part::kPlain;
    bool nullable = false;               ///< May be left out. The symbol itself derives no empty text.
    Symbol symbol = {};                  ///< kPlain.
    std::uint32_t index = 0;             ///< kLined: which of `rules`; kBlock: the suffix that is its body.
    float temperature = kNoTemperature;  ///< That of the line end, and of blanks before the symbol.
    friend auto operator<=>(const Element&, const Element&) = default;
  };
  struct Suffix {
    Element first = {};
    std::uint32_t rest = 0;
    bool nullable = true;
    Ways ways = {};  ///< By texts that are not empty.
  };
  struct Rule {
    Symbol rule = {};  ///< The rule without productions whose name, capture and bound the made rules have.
    std::vector<std::uint32_t> productions = {};  ///< Suffixes.
    bool nullable = false;
    Ways ways = {};
  };
  /// The least text of a plain symbol. Not known for one that needs a token.
  struct Text {
    Symbol symbol = {};
    base::CutText text{0};
  };

  Indentation indentation = {};
  std::vector<Suffix> suffixes = std::vector<Suffix>(1);
  std::vector<Rule> rules = {};
  std::vector<Symbol> lead =
      {};                   ///< Ignored text that may follow the blanks at a line's begin; empty if there is none.
  std::uint32_t start = 0;  ///< Which of `rules`.
  bool holds_captures = false;
  std::vector<Text> texts = {};                   ///< By symbol, ascending, once pass "emit" is done.
  std::vector<regex::ExprId> distinguished = {};  ///< Made terminals distinguish only bytes that these distinguish.

  /// Returns the states after an element, as bits, for texts that are not empty.
  [[nodiscard]] std::uint8_t after(const Element& element, std::uint32_t state) const;
  /// Returns the states in which a body may end so that `end` (1 or 2) is pending after its block.
  [[nodiscard]] std::uint8_t ends_of_block(std::uint32_t body, std::uint32_t end) const;
};

/// Returns the source of the lazy rules. Handle 0 is the whole text.
std::shared_ptr<const RuleSource> make_column_source(std::shared_ptr<const ColumnTemplates> templates);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_COLUMNS_H_
