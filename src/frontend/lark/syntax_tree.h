// The result of parsing a Lark text: modules of definitions, whose bodies are trees.
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
  kJson,       // %json; the range is the JSON text
  kSubstring,  // %regex; the range is the JSON text
  kModule,     // %lark; index is the number of the module
  kGrammar,    // @name
  kToken,      // <...>
  kName,       // a rule, terminal or template parameter; children are the arguments of a template
  kSequence,
  kChoice,
  kRepeat,
  kAnd,
  kNot,
  kGuard,  // an alternative with %if; index is the number of the condition
};

struct Node {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  NodeKind kind = NodeKind::kEmpty;
  SourceRange where = {};       // kRange: the first string
  SourceRange second = {};      // kRange: the second string
  std::uint32_t index = kNone;  // for kModule, kGrammar, kGuard; for kName its parameter, if any
  std::uint32_t min = 0, max = 0;
  std::uint32_t first_child = 0, child_count = 0;
};

/// The attributes in brackets after a rule's name.
struct Attributes {
  bool lazy = false;
  std::optional<std::uint32_t> suffix;  ///< The node that a lexeme ends with, from `suffix` or `stop`.
  bool is_stop = false;                 ///< True if it was given by `stop`.
  std::optional<std::string> capture;   ///< For a lexeme with a suffix: captures the text before the suffix.
  std::string suffix_capture = {};      ///< Empty if there is none.
  std::uint32_t max_tokens = grammar::kNoTokenLimit;
  float temperature = grammar::kNoTemperature;
  SourceRange lexeme_where = {};  ///< The attribute that makes the rule a lexeme.
  [[nodiscard]] bool is_lexeme() const { return lazy || suffix.has_value(); }
  [[nodiscard]] bool captures_parts() const { return suffix && (capture || !suffix_capture.empty()); }
};

struct Definition {
  std::string name;
  SourceRange where = {};
  bool is_terminal = false;
  bool is_broken = false;        ///< True if the body has errors; only the name is known.
  bool is_declared = false;      ///< By `%declare`: a terminal without a body.
  std::string common_name = {};  ///< For an imported terminal, which has no body.
  bool is_parametric = false;
  std::vector<std::string_view> template_names = {};
  Attributes attributes = {};
  std::uint32_t body = 0;
};

struct Module {
  std::string_view text;  ///< The text that ranges refer to. A named grammar has its own.
  std::vector<Definition> definitions = {};
  std::unordered_map<std::string_view, std::uint32_t> names = {};
  std::vector<std::uint32_t> ignored = {};  ///< Bodies of %ignore.
  std::vector<SourceRange> options = {};    ///< JSON values of %llguidance.
  std::optional<SourceRange> indent = {};   ///< The JSON value of %indent.
  std::vector<std::uint32_t> longest = {};  ///< Bodies of %longest.
  SourceRange where = {};                   ///< The `%lark` or the `@name` that refers to this module.
  std::string grammar_name =
      {};  ///< Not empty for a named grammar, which has a text of its own; `where` is then a range of the main text.
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
