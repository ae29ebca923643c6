#include "convert/expand_lazy_rules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/limit_error.h"
#include "frontend/reading.h"
#include "grammar/growth.h"
#include "grammar/passes/lower.h"
#include "grammar/passes/unused.h"
#include "input/source.h"

namespace weir::frontend::convert {

namespace {

using grammar::Cfg;
using grammar::ItemId;
using grammar::NodeId;
using grammar::NodeKind;
using grammar::Symbol;
using regex::ExprId;
using regex::ExprKind;

class Writer {
 public:
  Writer(grammar::Grammar& ir, Target to, const Limits& limits)
      : ir_(ir),
        to_(to),
        limits_(limits),
        growing_(
            seed(ir), ir.exprs, [](const grammar::Terminal&) {}, grammar::GrowingCfg::Purpose::kWriting) {}

  Result<void> run() {
    if (auto done = make_all(); !done) return done;
    find_inline();
    write_rules();
    for (grammar::Node& node : ir_.nodes) {
      if (node.kind != NodeKind::kLazy) continue;
      node.kind = NodeKind::kRule;
      node.payload = static_cast<std::uint32_t>(rule_of_[node.payload]);
    }
    ir_.lazy_rules.clear();
    ir_.sources.clear();
    return {};
  }

 private:
  // Rule i is the lazy rule i of the grammar.
  static Cfg seed(const grammar::Grammar& ir) {
    Cfg cfg{regex::ExprSet(0)};
    for (const auto& source : ir.sources) cfg.sources.push_back({source});
    for (const grammar::LazyRule& lazy : ir.lazy_rules) {
      grammar::CfgRule rule;
      rule.name = "value";
      rule.lazy = lazy;
      cfg.rules.push_back(std::move(rule));
    }
    return cfg;
  }

  [[nodiscard]] const Cfg& cfg() const { return growing_.cfg(); }

  Result<void> make_all() {
    SourceRange where;
    for (const grammar::Node& node : ir_.nodes) {
      if (node.kind == NodeKind::kLazy) where = node.where;
    }
    for (std::uint32_t r = 0; r < cfg().rules.size(); ++r) {
      if (const base::Limit met = growing_.complete(grammar::RuleId{r}); met != base::Limit::kNone) {
        return tl::unexpected(base::limit_error("writing a schema out", base::field_name(met), where));
      }
      for (const ItemId first : std::vector(cfg().rules[r].productions)) {
        for (ItemId item = first; cfg().symbol(item).kind() != Symbol::Kind::kEnd; item = Cfg::next(item)) {
          if (growing_.follows_text(item)) {
            const std::string place = place_of(r);
            const std::string values = place.empty() ? ", in the outermost value" : ", in values at `" + place + "`";
            return refused(to_, what_follows(cfg().symbol(item)) + values, where);
          }
          if (cfg().symbol(item).kind() == Symbol::Kind::kRule) note_place(cfg().symbol(item).index(), r, first);
        }
      }
      if (r < places_.size() && places_[r].level > limits_.nesting) return tl::unexpected(too_deep(where));
      if (cfg().symbols.size() <= limits_.grammar_symbols) continue;
      Error error = grammar::too_many_symbols(limits_, where);
      error.hint = "properties in any order need a rule for each set of them: use the order of the schema";
      return tl::unexpected(std::move(error));
    }
    return {};
  }

  // Without indentation, nested values share the rules of outer ones.
  [[nodiscard]] Error too_deep(SourceRange where) const {
    const std::string levels = std::to_string(limits_.nesting);
    Error error{ErrorCode::kLimitExceeded,
                "with rules for each level, values nested more than " + levels + " deep exceed the limit `nesting`",
                where, "with `whitespace` = indented a recursive schema has rules for each level: choose another one",
                "nesting"};
    error.options = "whitespace";
    return error;
  }

  [[nodiscard]] std::string what_follows(Symbol symbol) const {
    const std::string& name = cfg().rules[symbol.index()].name;
    return name.starts_with("next_member") ? "an object with any number of keys, none of which may repeat"
                                           : "an array whose items depend on those before";
  }

  // Records how rule `of` is first reached: from a production of rule `from` that begins with `first`.
  void note_place(std::uint32_t of, std::uint32_t from, ItemId first) {
    const auto is_kind = [&](std::uint32_t rule, std::string_view kind) {
      return cfg().rules[rule].name.starts_with(kind);
    };
    if (of >= places_.size()) places_.resize(of + 1);
    if (of < ir_.lazy_rules.size() || places_[of].is_known) return;
    places_[of] = {true, from, places_[from].level, {}, {}};
    const auto key = [&] {
      const std::string& name = cfg().terminals[cfg().symbol(first).index()].name;
      const bool is_one = name.find('"', 1) == name.size() - 1 && name.front() == '"';
      return "/" + (is_one ? name.substr(1, name.size() - 2) : "*");
    };
    if (is_kind(of, "value")) {
      places_[of].step = is_kind(from, "item") ? "/*" : is_list(from) ? key() : places_[from].key;
      if (!places_[of].step.empty()) ++places_[of].level;
    }
    if (is_kind(of, "after_key")) places_[of].key = key();
  }

  // Returns true if the rule is about the members of a list: its productions have a key, a value, and the rest.
  [[nodiscard]] bool is_list(std::uint32_t rule) const {
    const std::string& name = cfg().rules[rule].name;
    return name.starts_with("listed") && !name.starts_with("listed_rest");
  }

  // Returns the JSON pointer, within a value, of the part that a rule is for; `*` is any item, or any of several keys.
  [[nodiscard]] std::string place_of(std::uint32_t rule) const {
    std::string place;
    while (rule < places_.size() && places_[rule].is_known) {
      place.insert(0, places_[rule].step);
      rule = places_[rule].from;
    }
    return place;
  }

  // Rules with one production are written in place if they are used once or are a single terminal.
  void find_inline() {
    std::vector<std::uint32_t> uses(cfg().rules.size(), 0);
    for (const Symbol symbol : cfg().symbols) {
      if (symbol.kind() == Symbol::Kind::kRule) ++uses[symbol.index()];
    }
    for (std::uint32_t r = 0; r < cfg().rules.size(); ++r) {
      const std::vector<ItemId>& productions = cfg().rules[r].productions;
      const bool is_asked_for = r < ir_.lazy_rules.size();
      bool is_inline = productions.size() == 1 && !is_asked_for;
      if (is_inline && uses[r] > 1) {
        const ItemId first = productions[0];
        is_inline = cfg().symbol(first).kind() == Symbol::Kind::kTerminal &&
                    cfg().symbol(Cfg::next(first)).kind() == Symbol::Kind::kEnd;
      }
      is_inline_.push_back(is_inline);
    }
  }

  void write_rules() {
    for (std::uint32_t r = 0; r < cfg().rules.size(); ++r) {
      const std::string& name = cfg().rules[r].name;
      rule_of_.push_back({});
      if (is_inline_[r]) continue;
      rule_of_[r] =
          ir_.add_rule({.name = name.substr(0, name.find('.')), .where = {}, .defined = true, .generated = true});
    }
    for (std::uint32_t r = 0; r < cfg().rules.size(); ++r) {
      if (is_inline_[r]) continue;
      std::vector<NodeId> ways;
      for (const ItemId first : cfg().rules[r].productions) ways.push_back(sequence(first));
      ir_.rule(rule_of_[r]).body = ir_.add_choice(ways, {});
    }
  }

  // Returns a production as a node, with inline rules expanded. These may contain further ones, hence the stack.
  NodeId sequence(ItemId first) {
    std::vector<NodeId> parts;
    std::vector<ItemId> open{first};
    while (!open.empty()) {
      const Symbol symbol = cfg().symbol(open.back());
      if (symbol.kind() == Symbol::Kind::kEnd) {
        open.pop_back();
        continue;
      }
      open.back() = Cfg::next(open.back());
      if (symbol.kind() == Symbol::Kind::kTerminal) {
        add_terminal(symbol.index(), parts);
      } else if (is_inline_[symbol.index()]) {
        open.push_back(cfg().rules[symbol.index()].productions[0]);
      } else {
        parts.push_back(ir_.add_rule_reference(rule_of_[symbol.index()], {}));
      }
    }
    return ir_.add_sequence(parts, {});
  }

  // A key and the colon after it are one terminal. They are written separately, so that a key that must become an
  // automaton contains no blanks.
  void add_terminal(std::uint32_t index, std::vector<NodeId>& parts) {
    const grammar::Terminal& terminal = cfg().terminals[index];
    std::vector<ExprId> list{terminal.expr};
    if (ir_.exprs.kind(terminal.expr) == ExprKind::kConcat) {
      list = {ir_.exprs.head(terminal.expr), ir_.exprs.tail(terminal.expr)};
    }
    std::size_t last = list.size();
    while (last > 0 && is_ascii(list[last - 1])) --last;
    const bool is_split = last > 0 && last < list.size() && !regex::is_plain_operator(ir_.exprs.kind(list[last - 1]));
    if (!is_split) return parts.push_back(one_terminal(terminal.expr, terminal.name));
    parts.push_back(one_terminal(ir_.exprs.concat(std::span(list).first(last)), terminal.name));
    parts.push_back(one_terminal(ir_.exprs.concat(std::span(list).subspan(last)), "colon"));
  }

  // Returns true if the expression consists of sets of ASCII characters only.
  [[nodiscard]] bool is_ascii(ExprId expr) const {
    std::vector<ExprId> open{expr};
    std::unordered_set<ExprId> seen;  // expressions share parts
    while (!open.empty()) {
      const ExprId part = open.back();
      open.pop_back();
      if (!seen.insert(part).second) continue;
      const ExprKind kind = ir_.exprs.kind(part);
      if (!regex::is_plain_operator(kind)) return false;
      if (kind == ExprKind::kByteSet && !(ir_.exprs.bytes(part) & regex::ByteSet::range(0x80, 0xFF)).is_empty()) {
        return false;
      }
      for (const ExprId below : ir_.exprs.operands(part)) open.push_back(below);
    }
    return true;
  }

  NodeId one_terminal(ExprId expr, const std::string& name) {
    const auto [known, is_new] = terminals_.try_emplace(expr);
    if (!is_new) return ir_.add_terminal_reference(known->second, {});
    const NodeId node = ir_.add_terminal({.expr = expr, .name = name});
    known->second = grammar::TerminalId{ir_.node(node).payload};
    return node;
  }

  grammar::Grammar& ir_;
  const Target to_;
  const Limits& limits_;
  grammar::GrowingCfg growing_;
  struct Place {
    bool is_known = false;
    std::uint32_t from = 0;
    std::uint32_t level = 0;  // number of enclosing values
    std::string step;         // step from the place that it is reached from
    std::string key;          // for a rule after a key: the step to its value
  };
  std::vector<Place> places_;             // by rule of the Cfg
  std::vector<bool> is_inline_;           // by rule of the Cfg
  std::vector<grammar::RuleId> rule_of_;  // by rule of the Cfg; set for rules that are not inline
  std::map<ExprId, grammar::TerminalId> terminals_;
};

}  // namespace

Result<grammar::Grammar> expand_lazy_rules(const Grammar& grammar, Target to) {
  grammar::Grammar used = grammar.ir();
  if (used.indentation) return refused(to, "that a block has the column of its first line", {});
  grammar::drop_unused(used, nullptr);
  const auto is_lazy = [](const grammar::Node& node) { return node.kind == NodeKind::kLazy; };
  if (std::ranges::none_of(used.nodes, is_lazy)) return grammar.ir();
  grammar::Grammar ir(grammar.limits().regex_nodes);
  Reading reading{ir, grammar.limits()};
  const std::optional<grammar::RuleId> start =
      input::read_into(*grammar.source(), json_schema::Placement::kEmbedded, reading);
  if (!start) {
    Error& error = reading.errors.front();
    // Rules of YAML look back to where the document begins, so they are none for a part of a grammar.
    if (error.options == "notation") return refused(to, "the values of a schema in YAML", {});
    return tl::unexpected(std::move(error));
  }
  ir.start = *start;
  if (auto done = Writer(ir, to, grammar.limits()).run(); !done) return tl::unexpected(std::move(done.error()));
  return ir;
}

}  // namespace weir::frontend::convert
