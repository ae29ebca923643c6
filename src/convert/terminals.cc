#include "convert/terminals.h"

#include <algorithm>
#include <optional>

#include "convert/search_bounds.h"
#include "regex/analysis/members.h"
#include "regex/syntax/syntax.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::convert {

namespace {

using base::LexemeMode;
using regex::ExprId;

// The edges of an automaton: the text that leads from one state to another.
using Edges = std::map<std::pair<std::size_t, std::size_t>, Written>;

}  // namespace

std::unordered_set<std::string> reserved_names(Target target) {
  if (target != Target::kXgrammar) return {};
  return {"Regex", "Substring", "TagDispatch", "Token", "ExcludeToken", "TokenTagDispatch", "true", "false"};
}

Result<Written> Terminals::write(std::uint32_t index, SourceRange where) {
  if (const auto known = known_.find(index); known != known_.end()) return known->second;
  const grammar::Terminal terminal = grammar_.terminals[index];
  const bool is_lazy = terminal.mode == LexemeMode::kLazy;
  if (target_ == Target::kEbnf && !terminal.text.empty()) {
    // Operators are written as in the source, with the names in it.
    const bool has_names = terminal.text.front() == '(' || terminal.text.front() == '@';
    const bool is_word = tree_as_written(terminal).has_value();
    if (is_word || (has_names && !renamed_)) return Written{terminal.text};
    if (has_names) return refused(target_, "`" + terminal.name + "` where rules get other names", where);
  }
  if (terminal.mode == LexemeMode::kGreedy) return refused(target_, "a greedy terminal", where);
  if (base::competes(terminal.mode)) {
    Error error{
        ErrorCode::kUnsupported,
        "terminal " + terminal.name + " competes with others for the longest match, which cannot be written down",
        where, "with the option `exact_splits` terminals do not compete"};
    error.options = "exact_splits";
    return tl::unexpected(std::move(error));
  }
  regex::ExprSet& exprs = grammar_.exprs;
  ExprId expr = terminal.expr;
  if (is_lazy) {
    if (exprs.nullable(expr)) return refused(target_, "a lazy terminal that may be empty", where);
    const ExprId more = exprs.repeat(exprs.byte_set(regex::ByteSet::all()), 1, regex::kUnbounded);
    expr = exprs.difference(expr, exprs.concat(expr, more));
    if (expr == ExprId::kOverflow) return tl::unexpected(regex::overflow_error(exprs, where));
  }
  std::optional<Error> error;
  bool has_counts = true;  // false if the language cannot express a count; states would be too many then
  const auto take = [&](const std::optional<regex::SyntaxTree>& tree) -> std::optional<Written> {
    if (!tree) return std::nullopt;
    Result<Written> text = write_tree(*tree, where);
    if (text) return std::move(*text);
    error = std::move(text.error());
    has_counts = std::ranges::all_of(tree->nodes, [&](const regex::Node& node) {
      return node.kind != regex::Node::Kind::kRepeat || is_pattern() || has_count(target_, node.min, node.max);
    });
    return std::nullopt;
  };
  std::optional<Written> out;
  if (!is_lazy) out = take(tree_as_written(terminal));
  if (!out && regex::emptiness(exprs, expr, limits_.regex_fuel) == regex::Emptiness::kEmpty) {
    const bool looks = terminal.name.starts_with('/') && terminal.name.find("(?=") != std::string::npos;
    return refused(target_, terminal.name + ", which matches no text", where,
                   looks ? "a look-ahead in a pattern sees what the pattern itself matches, and not what follows" : "");
  }
  if (!out) out = take(tree_of(exprs, expr, kMaxNodes));
  if (!out && has_counts) {
    if (const std::optional<States> states = states_of(exprs, expr, kMaxStates, limits_.regex_fuel)) {
      Result<Written> text =
          target_ == Target::kRegex ? eliminate_states(*states, where) : write_states(*states, fresh_name(), where);
      if (!text) return text;
      out = std::move(*text);
    }
  }
  if (!out) {
    if (error) return tl::unexpected(std::move(*error));
    return refused(target_, "so large a terminal as " + terminal.name, where);
  }
  return known_[index] = std::move(*out);
}

// The text may be in another dialect and mean something else here, so its expression is compared with the terminal's.
std::optional<regex::SyntaxTree> Terminals::tree_as_written(const grammar::Terminal& terminal) {
  std::optional<regex::SyntaxTree> tree = tree_of_text(terminal.text, limits_);
  if (!tree) return std::nullopt;
  const regex::Node& root = (*tree)[tree->root];
  ExprId expr = terminal.expr;
  if (terminal.text.front() != '/') {
    expr = root.kind == regex::Node::Kind::kLiteral
               ? grammar_.exprs.literal(tree->literal(root))
               : regex::utf8_set(grammar_.exprs, tree->classes[static_cast<std::size_t>(root.cls)]);
  }
  return expr == terminal.expr ? std::move(tree) : std::nullopt;
}

bool Terminals::is_pattern() const {
  return (target_ == Target::kKbnf || target_ == Target::kLark) && form_ == TerminalForm::kWhole;
}

Result<Written> Terminals::write_tree(const regex::SyntaxTree& tree, SourceRange where) const {
  if (is_pattern()) return terminal_text(target_, tree, where, limits_);
  if (target_ != Target::kLark) return pattern_text(target_, tree, where, limits_);
  return pattern_text(target_, with_single_characters(tree), where, limits_);
}

// Makes a rule for each state: a character followed by the rule of the next state, or nothing.
Result<Written> Terminals::write_states(const States& states, const std::string& name, SourceRange where) {
  std::vector<std::string> names(states.states.size());
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = i == 0 ? name : fresh_name();
  std::size_t size = 0;
  const auto ends = [&](const States::Step& step) { return states.states[step.to].steps.empty(); };
  if (!states.states[0].accepts && std::ranges::all_of(states.states[0].steps, ends)) {
    std::vector<Written> ways;
    for (const States::Step& step : states.states[0].steps) ways.push_back(class_text(target_, step.characters));
    return joined(target_, ways, Level::kChoice);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<Written> ways;
    for (const States::Step& step : states.states[i].steps) {
      const Written character = class_text(target_, step.characters);
      ways.push_back(ends(step) ? character : joined(target_, {character, {names[step.to]}}, Level::kSequence));
    }
    if (states.states[i].accepts) ways.push_back(literal_text(target_, {}));
    if (i > 0 && states.states[i].steps.empty()) continue;
    rules_.emplace_back(names[i], joined(target_, ways, Level::kChoice).text);
    size += rules_.back().second.size();
    if (size > limits_.text_bytes) return too_long(where);
  }
  return Written{name};
}

// Eliminates states one by one: paths through a state become edges. A begin and an end state are added first.
Result<Written> Terminals::eliminate_states(const States& states, SourceRange where) const {
  const std::size_t count = states.states.size();
  const auto too_large = [&] { return refused(target_, "so large an automaton", where); };
  if (count > kMaxEliminated) return too_large();
  const std::size_t begin = count;
  const std::size_t end = count + 1;
  Edges edges;
  const auto add = [&](std::size_t from, std::size_t to, const Written& text) {
    const auto [edge, is_new] = edges.try_emplace({from, to}, text);
    if (!is_new) edge->second = joined(target_, {edge->second, text}, Level::kChoice);
  };
  const Written nothing{};
  add(begin, 0, nothing);
  for (std::size_t i = 0; i < count; ++i) {
    std::map<std::size_t, regex::CodePointSet> steps;
    for (const States::Step& step : states.states[i].steps) steps[step.to] = steps[step.to] | step.characters;
    for (const auto& [to, characters] : steps) add(i, to, class_text(target_, characters));
    if (states.states[i].accepts) add(i, end, nothing);
  }
  const auto sequence = [&](const std::vector<Written>& parts) {
    std::vector<Written> some;
    for (const Written& part : parts) {
      if (!part.text.empty()) some.push_back(part);
    }
    return some.empty() ? nothing : joined(target_, some, Level::kSequence);
  };
  for (std::size_t state = count; state-- > 0;) {
    std::vector<std::pair<std::size_t, Written>> in;
    std::vector<std::pair<std::size_t, Written>> out;
    Written loop;
    for (const auto& [edge, text] : edges) {
      if (edge.first == state && edge.second == state) {
        loop = {enclosed(target_, text, Level::kItem) + "*", Level::kRepeat};
      } else if (edge.second == state) {
        in.emplace_back(edge.first, text);
      } else if (edge.first == state) {
        out.emplace_back(edge.second, text);
      }
    }
    std::erase_if(edges, [&](const auto& edge) { return edge.first.first == state || edge.first.second == state; });
    std::size_t size = 0;
    for (const auto& [from, before] : in) {
      for (const auto& [to, after] : out) {
        size += before.text.size() + loop.text.size() + after.text.size();
        if (size > kMaxEliminatedBytes) return too_large();
        add(from, to, sequence({before, loop, after}));
      }
    }
    size = 0;
    for (const auto& [edge, text] : edges) size += text.text.size();
    if (size > kMaxEliminatedBytes) return too_large();
  }
  const Written& all = edges.at({begin, end});
  return all.text.empty() ? literal_text(target_, {}) : all;
}

std::string Terminals::fresh_name() {
  const char* prefix = target_ == Target::kKbnf ? "part_" : "part-";
  std::string name;
  do {
    name = prefix + std::to_string(next_name_++);
  } while (!taken_.insert(name).second);
  return name;
}

}  // namespace weir::frontend::convert
