#include "grammar/print.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/float_text.h"
#include "regex/expr/print.h"

namespace weir::grammar {

namespace {

std::string token_name_literal(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string token_set_text(const TokenSet& set) {
  std::string out = set.complement ? "!<[" : "<[";
  std::string_view separator;
  for (const auto& [first, last] : set.ranges) {
    out.append(separator).append(std::to_string(first));
    if (last != first) out.append("-").append(std::to_string(last));
    separator = ", ";
  }
  for (const std::string& name : set.names) {
    out.append(separator).append(token_name_literal(name));
    separator = ", ";
  }
  return out + "]>";
}

// Texts of composite terminals are in parentheses, see Terminal::text.
std::string_view without_parentheses(std::string_view text) {
  return text.starts_with('(') ? text.substr(1, text.size() - 2) : text;
}

// Returns the follow condition as a regular expression for reading; empty if there is no condition.
std::string follow_text(const regex::ExprSet& exprs, regex::ExprId follow) {
  return follow == regex::ExprId::kAllStrings ? std::string() : " (= /" + regex::to_string(exprs, follow) + "/)";
}

std::string expr_text(const regex::ExprSet& exprs, regex::ExprId expr, ExprTexts* known) {
  if (known == nullptr) return regex::to_string(exprs, expr);
  const auto [found, is_new] = known->try_emplace(expr);
  if (is_new) found->second = regex::to_string(exprs, expr);
  return found->second;
}

std::string terminal_text(const regex::ExprSet& exprs, const Terminal& terminal, ExprTexts* known = nullptr) {
  if (!terminal.text.empty()) return terminal.text;
  std::string out = "/" + expr_text(exprs, terminal.expr, known) + "/";
  if (terminal.mode == base::LexemeMode::kExact) return out;
  return "@" + std::string(base::name_of(terminal.mode)) + "(" + out + ")";
}

std::string lazy_text(const LazyRule& rule) {
  return "(* made when needed: " + std::to_string(rule.source) + "." + std::to_string(rule.handle) + " *)";
}

// How tightly a node's text binds. A node that binds more loosely than its context requires is put in parentheses.
enum class Level : std::uint8_t { kChoice, kSequence, kItem };

enum class References : std::uint8_t { kNames, kExpanded };

class NodePrinter {
 public:
  NodePrinter(const Grammar& grammar, std::size_t limit, std::string& out, References references, ExprTexts* known)
      : grammar_(grammar), limit_(out.size() + limit), out_(out), references_(references), known_(known) {}

  /// Returns false if the text was cut.
  bool print(NodeId root) {
    stack_.assign(1, {root, Level::kChoice, {}});
    while (!stack_.empty()) {
      if (out_.size() > limit_) {
        out_ += " ...";
        return false;
      }
      const Step step = std::move(stack_.back());
      stack_.pop_back();
      if (step.text.empty()) {
        open(step.node, step.level);
      } else {
        out_ += step.text;
      }
    }
    return true;
  }

 private:
  // Either a node to print or, if `text` is not empty, that text.
  struct Step {
    NodeId node = NodeId::kEmpty;
    Level level = Level::kChoice;
    std::string text;
  };

  void open(NodeId id, Level level) {
    const Node& node = grammar_.node(id);
    switch (node.kind) {
      case NodeKind::kEmpty: out_ += "\"\""; break;
      case NodeKind::kTerminal: {
        const std::string text = terminal_text(grammar_.exprs, grammar_.terminals[node.payload], known_);
        out_ += level == Level::kChoice ? without_parentheses(text) : text;
        break;
      }
      case NodeKind::kTokens: out_ += token_set_text(grammar_.token_sets[node.payload]); break;
      case NodeKind::kRule: {
        const Rule& rule = grammar_.rules[node.payload];
        if (references_ == References::kNames) {
          out_ += rule.name;
        } else {
          stack_.push_back({rule.body, level, {}});
        }
        break;
      }
      case NodeKind::kLazy: out_ += lazy_text(grammar_.lazy_rules[node.payload]); break;
      case NodeKind::kSequence: list(node, level > Level::kSequence, Level::kItem, " "); break;
      case NodeKind::kChoice: list(node, level > Level::kChoice, Level::kSequence, " | "); break;
      case NodeKind::kRepeat:
        stack_.push_back({NodeId::kEmpty, Level::kItem, count_text(node.min, node.max)});
        stack_.push_back({grammar_.children_of(node)[0], Level::kItem, {}});
        break;
    }
  }

  void list(const Node& node, bool enclosed, Level level, const char* separator) {
    if (enclosed) {
      out_ += "(";
      stack_.push_back({NodeId::kEmpty, Level::kItem, ")"});
    }
    const auto children = grammar_.children_of(node);
    for (std::size_t i = children.size(); i-- > 0;) {
      stack_.push_back({children[i], level, {}});
      if (i > 0) stack_.push_back({NodeId::kEmpty, level, separator});
    }
  }

  const Grammar& grammar_;
  std::size_t limit_;
  std::string& out_;
  References references_;
  ExprTexts* known_;
  std::vector<Step> stack_;
};

// Returns the name of a symbol of a Draft or a Cfg.
template <typename AnyGrammar>
std::string_view symbol_name(const AnyGrammar& grammar, Symbol symbol) {
  switch (symbol.kind()) {
    case Symbol::Kind::kTerminal: return grammar.terminals[symbol.index()].name;
    case Symbol::Kind::kTokens: return grammar.token_sets[symbol.index()].name;
    default: return grammar.rules[symbol.index()].name;
  }
}

template <typename AnyGrammar>
std::string terminal_list(const AnyGrammar& grammar) {
  std::string out;
  for (const Terminal& terminal : grammar.terminals) {
    const std::string text = terminal_text(grammar.exprs, terminal);
    const bool has_temperature = terminal.temperature != kNoTemperature;
    if (text == terminal.name && terminal.follow == regex::ExprId::kAllStrings && !has_temperature) continue;
    out.append("# ").append(terminal.name).append(" = ").append(without_parentheses(text));
    out += follow_text(grammar.exprs, terminal.follow);
    if (has_temperature) out += ", temperature " + temperature_text(terminal.temperature);
    out += "\n";
  }
  return out;
}

struct Remarks {
  std::string_view start, nullable, capture;
  std::uint32_t max_tokens = kNoTokenLimit;
  float temperature = kNoTemperature;
  std::string_view second_capture = {};
};

// Returns the comment that is printed after a rule's first production.
std::string remark_of(const Remarks& remarks) {
  std::string out;
  const auto add = [&](std::string_view text) { out.append(out.empty() ? "  # " : ", ").append(text); };
  if (!remarks.start.empty()) add(remarks.start);
  if (!remarks.nullable.empty()) add(remarks.nullable);
  if (!remarks.capture.empty()) add("capture " + std::string(remarks.capture));
  if (!remarks.second_capture.empty()) add("capture of its end " + std::string(remarks.second_capture));
  if (remarks.max_tokens != kNoTokenLimit) add("max_tokens " + std::to_string(remarks.max_tokens));
  if (remarks.temperature != kNoTemperature) add("temperature " + temperature_text(remarks.temperature));
  return out;
}

// Prints the first production of a rule after its name, and the others below it.
class ProductionPrinter {
 public:
  void rule(std::string_view name, std::string remark) {
    indent_.assign(name.size() + 1, ' ');
    out_.append(name).append(" ::=");
    remark_ = std::move(remark);
    first_ = true;
  }
  void production() {
    if (!first_) out_.append(indent_).append("  |");
    empty_ = true;
  }
  void symbol(std::string_view name) {
    out_.append(" ").append(name);
    empty_ = false;
  }
  void end_production() {
    if (empty_) out_ += " \"\"";
    if (std::exchange(first_, false)) out_ += remark_;
    out_ += "\n";
  }
  void lazy_productions(const LazyRule& rule) {
    production();
    symbol(lazy_text(rule));
    end_production();
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  std::string indent_;
  std::string remark_;
  bool first_ = true;
  bool empty_ = true;
};

}  // namespace

std::string to_ebnf(const Grammar& grammar, NodeId node, std::size_t limit, ExprTexts* known) {
  std::string out;
  static_cast<void>(NodePrinter(grammar, limit, out, References::kNames, known).print(node));
  return out;
}

std::string temperature_text(float temperature) { return base::float_text(temperature); }

std::string count_text(std::uint32_t min, std::uint32_t max) {
  if (max == regex::kUnbounded && min == 0) return "*";
  if (max == regex::kUnbounded && min == 1) return "+";
  if (min == 0 && max == 1) return "?";
  std::string out = "{" + std::to_string(min);
  if (max == min) return out + "}";
  out += ",";
  if (max != regex::kUnbounded) out += std::to_string(max);
  return out + "}";
}

std::string to_expanded_ebnf(const Grammar& grammar, NodeId node, std::size_t limit, ExprTexts* known) {
  std::string out = "(";
  if (!NodePrinter(grammar, limit, out, References::kExpanded, known).print(node) || out.size() > limit) return {};
  return out + ")";
}

std::string to_ebnf(const Grammar& grammar) {
  std::string out;
  const auto print = [&](const Rule& rule) {
    if (!rule.defined || out.size() > kPrintLimit) return;
    out.append(rule.name).append(" ::= ");
    const bool is_bounded = rule.max_tokens != kNoTokenLimit;
    const bool has_temperature = rule.temperature != kNoTemperature;
    if (has_temperature) out.append("@temperature(").append(temperature_text(rule.temperature)).append(": ");
    if (is_bounded) out.append("@max_tokens(").append(std::to_string(rule.max_tokens)).append(": ");
    if (!rule.capture.empty()) out.append("@capture(").append(rule.capture).append(": ");
    const std::size_t left = kPrintLimit - out.size();
    static_cast<void>(NodePrinter(grammar, left, out, References::kNames, nullptr).print(rule.body));
    out += rule.capture.empty() ? "" : ")";
    out += is_bounded ? ")" : "";
    out += has_temperature ? ")" : "";
    out += follow_text(grammar.exprs, rule.follow) + "\n";
  };
  if (grammar.rules.empty()) return out;
  print(grammar.rule(grammar.start));
  // Front ends number rules in the order of their first uses; readers expect them in the order of the source text.
  std::vector<const Rule*> others;
  for (const Rule& rule : grammar.rules) {
    if (&rule != &grammar.rule(grammar.start)) others.push_back(&rule);
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const Rule* a, const Rule* b) { return a->where.start < b->where.start; });
  for (const Rule* rule : others) print(*rule);
  return out;
}

std::string to_text(const Draft& draft) {
  ProductionPrinter printer;
  for (const DraftRule& rule : draft.rules) {
    const bool is_lazy = rule.lazy.source != LazyRule::kNone;
    if (rule.productions.empty() && !is_lazy) continue;  // a pass has moved the productions elsewhere
    printer.rule(rule.name, remark_of({&rule == &draft.rule(draft.start) ? "start" : "", "", rule.capture,
                                       rule.max_tokens, rule.temperature, rule.parts.second_capture}));
    for (const Production& production : rule.productions) {
      printer.production();
      for (const Symbol symbol : production) printer.symbol(symbol_name(draft, symbol));
      printer.end_production();
    }
    if (is_lazy) printer.lazy_productions(rule.lazy);
  }
  return printer.take() + terminal_list(draft);
}

std::string to_text(const Cfg& cfg) {
  ProductionPrinter printer;
  for (std::size_t i = 0; i < cfg.rules.size(); ++i) {
    const CfgRule& rule = cfg.rules[i];
    const bool is_start = RuleId{static_cast<std::uint32_t>(i)} == cfg.start;
    const CfgCapture capture = rule.capture == CfgRule::kNoCapture ? CfgCapture() : cfg.captures[rule.capture];
    printer.rule(rule.name, remark_of({is_start ? "start" : "", rule.nullable ? "nullable" : "", capture.name,
                                       rule.max_tokens, kNoTemperature, capture.parts.second_capture}));
    for (ItemId item : rule.productions) {
      printer.production();
      for (; cfg.symbol(item).kind() != Symbol::Kind::kEnd; item = Cfg::next(item)) {
        printer.symbol(symbol_name(cfg, cfg.symbol(item)));
      }
      printer.end_production();
    }
    if (rule.lazy.source != LazyRule::kNone) printer.lazy_productions(rule.lazy);
  }
  return printer.take() + terminal_list(cfg);
}

}  // namespace weir::grammar
