// What the parser makes of a Lark text: definitions, whose bodies are trees, in modules.
//
// INVARIANTS  A child's number is smaller than its parent's.
#ifndef WEIR_SRC_FRONTEND_LARK_SYNTAX_TREE_H_
#define WEIR_SRC_FRONTEND_LARK_SYNTAX_TREE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/lark/parameter.h"
#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::frontend::lark {

enum class NodeKind : std::uint8_t {
  kEmpty,
  kString,     // "..." with its flag
  kRange,      // "a".."z"
  kRegex,      // /.../flags
  kJson,       // %json; of the JSON text alone
  kSubstring,  // %regex; of the JSON text alone
  kModule,     // %lark; index is the module
  kGrammar,    // @name
  kToken,      // <...>
  kName,       // a rule, terminal or template's parameter; children are the template's arguments
  kSequence,
  kChoice,
  kRepeat,
  kAnd,
  kNot,
  kGuard,  // an alternative with %if; index is the condition
};

struct Node {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  NodeKind kind = NodeKind::kEmpty;
  SourceRange where = {};       // kRange: the first string
  SourceRange second = {};      // kRange: the second string
  std::uint32_t index = kNone;  // kModule, kGuard; kName: its parameter, if there is one
  std::uint32_t min = 0, max = 0;
  std::uint32_t first_child = 0, child_count = 0;
};

/// What stands in brackets behind a rule's name.
struct Attributes {
  bool lazy = false;
  std::optional<std::uint32_t> suffix;  ///< The node that a lexeme ends with, by `suffix` or `stop`.
  bool is_stop = false;                 ///< By `stop`.
  std::optional<std::string> capture;   ///< Of a lexeme with a suffix, of what stands before that.
  std::string suffix_capture = {};      ///< Empty: there is none.
  std::uint32_t max_tokens = grammar::kNoTokenLimit;
  float temperature = grammar::kNoTemperature;
  SourceRange lexeme_where = {};  ///< Of the attribute that makes the rule a lexeme.
  [[nodiscard]] bool is_lexeme() const { return lazy || suffix.has_value(); }
  [[nodiscard]] bool captures_parts() const { return suffix && (capture || !suffix_capture.empty()); }
};

struct Definition {
  std::string name;
  SourceRange where = {};
  bool is_terminal = false;
  bool is_broken = false;        ///< Its body was not understood: known by name only.
  std::string common_name = {};  ///< Of an imported terminal, which has no body.
  bool is_parametric = false;
  std::vector<std::string_view> template_names = {};
  Attributes attributes = {};
  std::uint32_t body = 0;
};

struct Module {
  std::string_view text;  ///< What the ranges are of: a named grammar has a text of its own.
  std::vector<Definition> definitions = {};
  std::unordered_map<std::string_view, std::uint32_t> names = {};
  std::vector<std::uint32_t> ignored = {};  ///< Bodies of %ignore.
  std::vector<SourceRange> options = {};    ///< JSON values of %llguidance.
  SourceRange where = {};                   ///< Of `%lark` that it stands behind, or `@name` that led to it.
  std::string grammar_name =
      {};  ///< Of a named grammar, whose text is not that of the whole; `where` is of the latter.
};

struct SyntaxTree {
  std::vector<Node> nodes = {};
  std::vector<std::uint32_t> children = {};
  std::vector<ParameterExpr> parameters = {};
  std::vector<Condition> conditions = {};
  std::vector<Module> modules = {};

  [[nodiscard]] std::span<const std::uint32_t> children_of(const Node& node) const {
    return std::span(children).subspan(node.first_child, node.child_count);
  }
};

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_SYNTAX_TREE_H_
