#include "weir/convert.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/convert/left_recursion.h"
#include "frontend/convert/spelling.h"
#include "grammar/ir.h"
#include "grammar/passes/unused.h"
#include "grammar/print.h"

namespace weir {

namespace {

using frontend::convert::Level;
using frontend::convert::Written;
using grammar::NodeKind;

class Converter {
 public:
  Converter(const grammar::Grammar& grammar, GrammarSyntax to, const Limits& limits)
      : grammar_(grammar), to_(to), limits_(limits) {}

  Result<std::string> run() {
    name_rules();
    const std::vector<bool> needed = nodes_of_rules();
    written_.resize(grammar_.nodes.size());
    for (std::size_t i = 0; i < grammar_.nodes.size(); ++i) {  // children come before their parents
      if (!needed[i]) continue;
      Result<Written> text = node(grammar::NodeId{static_cast<std::uint32_t>(i)});
      if (!text) return tl::unexpected(std::move(text.error()));
      size_ += text->text.size();
      if (size_ > limits_.text_bytes) return tl::unexpected(too_long());
      written_[i] = std::move(*text);
    }
    std::string out;
    for (const std::size_t i : order()) {
      const std::string& body = written_[static_cast<std::size_t>(grammar_.rules[i].body)].text;
      out.append(names_[i]).append(" ::= ").append(body).append("\n");
    }
    return out;
  }

 private:
  [[nodiscard]] std::vector<bool> nodes_of_rules() const {
    std::vector<bool> needed(grammar_.nodes.size(), false);
    for (const grammar::Rule& rule : grammar_.rules) needed[static_cast<std::size_t>(rule.body)] = true;
    for (std::size_t i = needed.size(); i-- > 0;) {
      if (!needed[i]) continue;
      for (const grammar::NodeId child : grammar_.children_of(grammar_.nodes[i])) {
        needed[static_cast<std::size_t>(child)] = true;
      }
    }
    return needed;
  }

  // Captures are written where they stand.
  [[nodiscard]] bool is_inline(std::size_t rule) const {
    return to_ == GrammarSyntax::kEbnf && !grammar_.rules[rule].capture.empty();
  }

  // The start rule first, then the others as they stand in the text.
  [[nodiscard]] std::vector<std::size_t> order() const {
    std::vector<std::size_t> rules;
    for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
      if (!is_inline(i)) rules.push_back(i);
    }
    const auto start = static_cast<std::size_t>(grammar_.start);
    std::stable_sort(rules.begin(), rules.end(), [&](std::size_t a, std::size_t b) {
      if ((a == start) != (b == start)) return a == start;
      return grammar_.rules[a].where.start < grammar_.rules[b].where.start;
    });
    return rules;
  }

  // Letters of ASCII, digits and dashes; in EBNF low lines, too.
  void name_rules() {
    std::unordered_set<std::string> taken = {"root"};
    names_.resize(grammar_.rules.size());
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (is_inline(i)) continue;
      const std::string& given = grammar_.rules[i].name;
      std::string name;
      for (const char c : given) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           (c == '_' && to_ == GrammarSyntax::kEbnf);
        name += plain ? c : '-';
      }
      names_[i] = name;
      if (i == static_cast<std::size_t>(grammar_.start)) {
        names_[i] = "root";
      } else {
        for (std::size_t suffix = 2; !taken.insert(names_[i]).second; ++suffix) {
          names_[i] = name + "-" + std::to_string(suffix);
        }
      }
      renamed_ = renamed_ || names_[i] != given;
    }
  }

  [[nodiscard]] const Written& of(grammar::NodeId id) const { return written_[static_cast<std::size_t>(id)]; }

  Result<Written> node(grammar::NodeId id) const {
    const grammar::Node& node = grammar_.node(id);
    switch (node.kind) {
      case NodeKind::kEmpty: return Written{"\"\""};
      case NodeKind::kTerminal: return terminal(grammar_.terminals[node.payload], node.where);
      case NodeKind::kTokens: {
        if (to_ == GrammarSyntax::kEbnf) return Written{grammar::to_ebnf(grammar_, id)};
        return frontend::convert::gbnf_tokens(grammar_.token_sets[node.payload], node.where);
      }
      case NodeKind::kRule: return reference(node);
      case NodeKind::kLazy: return refused("a schema", node.where);
      case NodeKind::kSequence: return list(node, Level::kSequence, Level::kRepeat, " ");
      case NodeKind::kChoice:
        if (node.child_count == 0) return refused("a rule without any text", node.where);
        return list(node, Level::kChoice, Level::kSequence, " | ");
      case NodeKind::kRepeat:
        if (to_ == GrammarSyntax::kGbnf && !frontend::convert::is_gbnf_count(node.min, node.max)) {
          return refused("a count above 2000", node.where);
        }
        return Written{enclosed(of(grammar_.children_of(node)[0]), Level::kItem) +
                           frontend::convert::repeat_text(node.min, node.max),
                       Level::kRepeat};
    }
    return Written{};
  }

  Result<Written> list(const grammar::Node& node, Level level, Level of_children, const char* separator) const {
    Written out{{}, level};
    for (const grammar::NodeId child : grammar_.children_of(node)) {
      if (!out.text.empty()) out.text += separator;
      out.text += enclosed(of(child), of_children);
    }
    return out;
  }

  Result<Written> reference(const grammar::Node& node) const {
    const grammar::Rule& rule = grammar_.rules[node.payload];
    if (rule.capture.empty()) return Written{names_[node.payload]};
    if (to_ != GrammarSyntax::kEbnf) return refused("a capture", node.where);
    // Of a rule that is met before what it holds nothing has been written yet.
    if (of(rule.body).text.empty()) return refused("a capture of a rule that refers to itself", node.where);
    return Written{"@capture(" + rule.capture + ": " + of(rule.body).text + ")"};
  }

  Result<Written> terminal(const grammar::Terminal& terminal, SourceRange where) const {
    if (to_ == GrammarSyntax::kGbnf) return frontend::convert::gbnf_terminal(terminal, where, limits_);
    if (terminal.text.empty()) return refused("terminal " + terminal.name, where);
    // Operators are written as they stand, with the names that they had.
    const bool has_names = terminal.text.front() == '(' || terminal.text.front() == '@';
    if (has_names && renamed_) return refused("`" + terminal.name + "` where rules get other names", where);
    return Written{terminal.text};
  }

  [[nodiscard]] tl::unexpected<Error> refused(const std::string& what, SourceRange where) const {
    const char* language = to_ == GrammarSyntax::kGbnf ? "GBNF" : "EBNF";
    return tl::unexpected(Error{ErrorCode::kUnsupported, std::string(language) + " has no way to say " + what, where});
  }

  [[nodiscard]] Error too_long() const {
    return {ErrorCode::kLimitExceeded,
            "the converted grammar has more than " + std::to_string(limits_.text_bytes) + " bytes",
            {},
            {},
            "text_bytes"};
  }

  const grammar::Grammar& grammar_;
  GrammarSyntax to_;
  const Limits& limits_;
  std::vector<std::string> names_;  // by rule
  bool renamed_ = false;
  std::vector<Written> written_;  // by node
  std::size_t size_ = 0;
};

}  // namespace

bool can_convert_to(GrammarSyntax syntax) noexcept {
  return syntax == GrammarSyntax::kEbnf || syntax == GrammarSyntax::kGbnf;
}

Result<std::string> convert_grammar(const Grammar& grammar, GrammarSyntax to) {
  if (!can_convert_to(to)) {
    return tl::unexpected(
        Error{ErrorCode::kUnsupported, "grammars cannot be converted to `" + std::string(to_string(to)) + "`", {}});
  }
  grammar::Grammar used = grammar.ir();
  // EBNF's operators may name rules that no node refers to.
  if (to != GrammarSyntax::kEbnf) {
    grammar::drop_unused(used, nullptr);
    if (auto done = frontend::convert::check_left_recursion(used); !done)
      return tl::unexpected(std::move(done.error()));
  }
  return Converter(used, to, grammar.limits()).run();
}

}  // namespace weir
