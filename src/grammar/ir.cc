#include "grammar/ir.h"

#include "base/float_text.h"
#include "base/utf8.h"

namespace weir::grammar {

namespace {

NodeId append(std::vector<Node>& nodes, NodeKind kind, std::uint32_t payload, SourceRange where) {
  Node node;
  node.kind = kind;
  node.payload = payload;
  node.where = where;
  nodes.push_back(node);
  return NodeId{static_cast<std::uint32_t>(nodes.size() - 1)};
}

// Returns the bytes as an EBNF literal, or an empty string if they are not valid UTF-8, which EBNF cannot express.
std::string literal_text(std::string_view bytes) {
  if (base::find_invalid_utf8(bytes) != std::string_view::npos) return {};
  std::string text = "\"";
  for (const char c : bytes) {
    switch (c) {
      case '"': text += "\\\""; break;
      case '\\': text += "\\\\"; break;
      case '\n': text += "\\n"; break;
      case '\r': text += "\\r"; break;
      case '\t': text += "\\t"; break;
      default:
        if (c >= '\0' && c < ' ') {
          text += "\\x0";
          text.back() = "01"[c >> 4];
          text += "0123456789ABCDEF"[c & 15];
        } else {
          text += c;
        }
    }
  }
  return text + '"';
}

}  // namespace

std::optional<float> read_temperature(std::string_view digits) { return base::read_float(digits); }

NodeId Grammar::add_terminal(Terminal terminal) {
  const SourceRange where = terminal.where;
  terminals.push_back(std::move(terminal));
  return add_terminal_reference(TerminalId{static_cast<std::uint32_t>(terminals.size() - 1)}, where);
}

NodeId Grammar::add_literal(std::string_view bytes, SourceRange where) {
  if (bytes.empty()) return NodeId::kEmpty;
  std::string name = "\"" + base::escape_for_display(bytes, kTerminalNameBytes) + "\"";
  return add_terminal({exprs.literal(bytes), base::LexemeMode::kExact, std::move(name), where, literal_text(bytes)});
}

NodeId Grammar::add_terminal_reference(TerminalId terminal, SourceRange where) {
  return append(nodes, NodeKind::kTerminal, static_cast<std::uint32_t>(terminal), where);
}

NodeId Grammar::add_tokens(TokenSet set) {
  const SourceRange where = set.where;
  token_sets.push_back(std::move(set));
  return append(nodes, NodeKind::kTokens, static_cast<std::uint32_t>(token_sets.size() - 1), where);
}

NodeId Grammar::add_line_mark(LineMark mark, SourceRange where) {
  static constexpr std::array<std::string_view, 5> kNames{"", "line end", "indent", "dedent", "line begin"};
  TokenSet set;
  set.name = kNames[static_cast<std::size_t>(mark)];
  set.names.push_back(set.name);
  set.where = where;
  set.mark = mark;
  return add_tokens(std::move(set));
}

NodeId Grammar::add_rule_reference(RuleId rule, SourceRange where) {
  return append(nodes, NodeKind::kRule, static_cast<std::uint32_t>(rule), where);
}

NodeId Grammar::add_lazy(std::shared_ptr<const RuleSource> source, std::uint32_t handle, SourceRange where) {
  std::uint32_t index = 0;
  while (index < sources.size() && sources[index] != source) ++index;
  if (index == sources.size()) sources.push_back(std::move(source));
  lazy_rules.push_back({index, handle});
  return append(nodes, NodeKind::kLazy, static_cast<std::uint32_t>(lazy_rules.size() - 1), where);
}

NodeId Grammar::add_parent(NodeKind kind, std::span<const NodeId> parts, SourceRange where) {
  const NodeId id = append(nodes, kind, 0, where);
  nodes.back().first_child = static_cast<std::uint32_t>(children.size());
  nodes.back().child_count = static_cast<std::uint32_t>(parts.size());
  children.insert(children.end(), parts.begin(), parts.end());
  return id;
}

NodeId Grammar::add_sequence(std::span<const NodeId> parts, SourceRange where) {
  if (parts.empty()) return NodeId::kEmpty;
  return parts.size() == 1 ? parts[0] : add_parent(NodeKind::kSequence, parts, where);
}

NodeId Grammar::add_choice(std::span<const NodeId> parts, SourceRange where) {
  return parts.size() == 1 ? parts[0] : add_parent(NodeKind::kChoice, parts, where);
}

NodeId Grammar::add_repeat(NodeId child, std::uint32_t min, std::uint32_t max, SourceRange where) {
  const NodeId id = add_parent(NodeKind::kRepeat, std::span(&child, 1), where);
  nodes.back().min = min;
  nodes.back().max = max;
  return id;
}

RuleId Grammar::add_rule(Rule rule) {
  rules.push_back(std::move(rule));
  return RuleId{static_cast<std::uint32_t>(rules.size() - 1)};
}

}  // namespace weir::grammar
