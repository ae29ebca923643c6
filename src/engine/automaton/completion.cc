#include "engine/automaton/completion.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/reach.h"
#include "base/work.h"
#include "engine/costs/completion_measure.h"
#include "engine/costs/continuation_costs.h"
#include "engine/search_bounds.h"
#include "grammar/search_bounds.h"
#include "regex/analysis/members.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

namespace {

using base::Limit;
using earley::Entry;
using regex::ExprId;

class CompletionSearch {
 public:
  CompletionSearch(CompletionMeasure& measure, const Limits& limits, lexer::Lexer& lexer, const earley::RowTable& rows)
      : measure_(measure), limits_(limits), lexer_(lexer), rows_(rows), costs_(measure, rows) {}

  using Parts = std::vector<WayPart>;

  // Returns the limit that was met, even if a completion was found.
  Limit run(const std::vector<Thread>& threads) {
    for (const Thread& thread : threads) {
      if (!thread.fresh || !rows_.accepts(thread.row) || !lexer_.exprs().nullable(thread.rest)) continue;
      found_.emplace();
      return Limit::kNone;
    }
    for (const Thread& thread : threads) {
      for (const std::uint32_t terminal : rows_.terminals(thread.row)) {
        costs_.add(rows_.items_after(thread.row, terminal));
      }
      for (const std::uint32_t set : token_sets(thread)) costs_.add(rows_.items_after_tokens(thread.row, set));
    }
    for (const Thread& thread : threads) {
      offer_lexemes(thread);
      for (const std::uint32_t set : token_sets(thread)) {
        for (const Entry& after : rows_.items_after_tokens(thread.row, set)) {
          offer({{1, 0}, std::nullopt, ExprId::kEpsilon, set, after}, 0);
        }
      }
    }
    const bool is_limited = out_of_fuel_ || measure_.out_of_fuel() || base::Work::is_met();
    const Limit fuel = is_limited ? base::Work::met_or(Limit::kRegexFuel) : Limit::kNone;
    if (best_.cost.is_none()) return fuel;
    if (best_.cost.bytes + best_.cost.tokens > limits_.completion_bytes) return Limit::kCompletionBytes;
    base::Work::charge(best_.cost.bytes / base::Work::kTextBytes);
    if (found_.emplace(); parts_of(best_, *found_)) return fuel;
    found_.reset();
    return base::Work::met_or(Limit::kCompletionBytes);
  }
  [[nodiscard]] const std::optional<Parts>& found() const { return found_; }

 private:
  // A completion: first the rest of a lexeme or a token, then the rest of an item.
  struct Way {
    WayCost cost = kNoWay;  // in best_ the cost of all, otherwise of the part before `after`
    std::optional<base::CutText> head;
    ExprId residual = ExprId::kEpsilon;  // if there is no `head` and no `set`: a member is read off this expression
    std::optional<std::uint32_t> set;
    Entry after = earley::kAccept;
  };

  // The condition must accept the empty text, see LazyAutomaton::step_thread_by_tokens.
  [[nodiscard]] std::vector<std::uint32_t> token_sets(const Thread& thread) const {
    if (!thread.fresh || !lexer_.exprs().nullable(thread.rest)) return {};
    const auto sets = rows_.token_sets(thread.row);
    return {sets.begin(), sets.end()};
  }

  // Tries residuals in order of their shortest members, and stops when the lexeme alone is longer than the best
  // completion so far. In an object with many keys few are tried, and finding out what follows a key may be expensive.
  // If several completions are equally short, the first item's is taken, so that similar states have similar ones.
  void offer_lexemes(const Thread& thread) {
    const auto items = lexer_.items(thread.lexer);
    std::vector<std::pair<std::uint64_t, std::size_t>> by_length;
    for (std::size_t i = 0; i < items.size(); ++i) {
      // An exact terminal that may end here has ended in a fresh thread on the next row; that thread is tried, too.
      const auto& [terminal, residual] = items[i];
      if (lexer_.mode(terminal) == base::LexemeMode::kExact && lexer_.exprs().nullable(residual)) continue;
      by_length.emplace_back(lexer_.exprs().min_length(residual), i);
    }
    std::sort(by_length.begin(), by_length.end());
    best_item_ = 0;  // an equally short completion does not replace that of an earlier thread
    for (const auto& [length, i] : by_length) {
      if (WayCost{0, length} > best_.cost) break;
      const auto& [terminal, residual] = items[i];
      const auto after = rows_.items_after(thread.row, terminal);
      if (!may_be_better(length, after, i)) continue;
      Way way;
      way.residual = residual;
      if (regex::has_plain_member(lexer_.exprs(), residual, kPlainMemberParts)) {
        way.cost = {0, length};
      } else {
        way.head = regex::cut_shortest_member(lexer_.exprs(), residual, limits_.regex_fuel, limits_.completion_bytes);
        out_of_fuel_ = out_of_fuel_ || !way.head;
        if (!way.head) continue;
        way.cost = {0, way.head->length()};
      }
      for (const Entry& entry : after) {
        way.after = entry;
        offer(way, i);
      }
    }
  }

  // Returns true if a lexeme of `bytes` bytes can give a better completion. If not, its member is not computed.
  bool may_be_better(std::uint64_t bytes, std::span<const Entry> after, std::size_t item) {
    return std::any_of(after.begin(), after.end(), [&](const Entry& entry) {
      return is_better(WayCost{0, bytes} + costs_.cost_of(entry), item);
    });
  }

  [[nodiscard]] bool is_better(const WayCost& cost, std::size_t item) const {
    return cost < best_.cost || (cost == best_.cost && item < best_item_);
  }

  void offer(const Way& way, std::size_t item) {
    const WayCost cost = way.cost + costs_.cost_of(way.after);
    if (!is_better(cost, item)) return;
    best_ = way;
    best_.cost = cost;
    best_item_ = item;
  }

  // Returns false if a text could not be written.
  bool parts_of(const Way& way, Parts& parts) {
    if (way.set) {
      parts.push_back({{}, way.set});
    } else if (way.head) {
      text_at_end(parts) += way.head->text();
    } else {
      regex::append_plain_member(lexer_.exprs(), way.residual, text_at_end(parts));
    }
    for (Entry entry = way.after; entry != earley::kAccept; entry = costs_.best(entry.continuation)) {
      if (!earley::is_fence(entry) && !measure_.append_suffix(entry.item, parts, limits_.completion_bytes))
        return false;
    }
    return true;
  }

  CompletionMeasure& measure_;
  const Limits& limits_;
  lexer::Lexer& lexer_;
  const earley::RowTable& rows_;
  ContinuationCosts costs_;
  std::optional<Parts> found_;
  Way best_;
  std::size_t best_item_ = 0;  // index of the lexeme in its thread
  bool out_of_fuel_ = false;
};

// Returns the parts with a token in place of each token set; none if a set has no token.
std::optional<std::vector<CompletionPart>> with_tokens(const std::vector<WayPart>& way, const Program& program,
                                                       const StopTokens& stops) {
  std::vector<CompletionPart> parts;
  for (const WayPart& part : way) {
    parts.push_back({part.text, {}});
    if (!part.token_set.has_value()) continue;
    parts.back().token = program.token_terminals.example(*part.token_set, program.tokenizer.vocabulary(), stops);
    if (!parts.back().token.has_value()) return std::nullopt;
  }
  return parts;
}

// Returns one token of each token set that a state expects.
std::vector<std::uint32_t> example_tokens(SharedAutomaton& automaton, StateId state, const StopTokens& stops) {
  std::vector<std::uint32_t> tokens;
  if (!automaton.expects_token_terminals(state)) return tokens;
  const Program& program = automaton.program();
  const std::vector<Thread> threads = automaton.threads(state);
  automaton.inspect([&](const grammar::GrowingCfg&, const lexer::Lexer&, const earley::RowTable& rows) {
    for (const Thread& thread : threads) {
      if (!thread.fresh) continue;
      for (const std::uint32_t set : rows.token_sets(thread.row)) {
        const auto token = program.token_terminals.example(set, program.tokenizer.vocabulary(), stops);
        if (token) tokens.push_back(*token);
      }
    }
  });
  return tokens;
}

}  // namespace

Completion estimate_completion(SharedAutomaton& automaton, StateId state, const StopTokens& stops) {
  const std::vector<Thread> threads = automaton.threads(state);
  return automaton.inspect_completions(
      [&](grammar::GrowingCfg& grammar, lexer::Lexer& lexer, const earley::RowTable& rows, CompletionMeasure& measure) {
        measure.update(grammar, lexer.exprs(), automaton.program());
        CompletionSearch search(measure, automaton.program().limits, lexer, rows);
        const Limit limit = search.run(threads);
        measure.end_search();
        Completion found{std::nullopt, limit};
        if (search.found()) found.parts = with_tokens(*search.found(), automaton.program(), stops);
        return found;
      });
}

Limit CompletionWalk::step(const CompletionPart& part) {
  if (part.token) {
    step_token(*part.token);
  } else {
    state_ = automaton_.step(state_, part.text);
    if (!part.text.empty()) position_ = TokenPosition::kInside;
  }
  return limit_of(state_);
}

// Steps like a cursor that accepts the token: its bytes are read as text, too.
void CompletionWalk::step_token(std::uint32_t token) {
  const TokenKind kind = automaton_.program().tokenizer.vocabulary().token_kind(token);
  const bool is_text = kind == TokenKind::kNormal || kind == TokenKind::kByte;
  state_ = automaton_.step_token(state_, token, position_, stops_->text_of(token, position_), stops_->role(token));
  if (is_text) position_ = TokenPosition::kInside;
}

namespace {

// "Which text, with tokens where it needs them, leads to acceptance in the fewest steps?" Among equals the longest so far
// comes first.
class CompletionGraph : public base::ReachGraph<StateAt, std::pair<std::uint64_t, std::uint64_t>> {
 public:
  using Label = CompletionPart;
  static constexpr bool kNewestFirst = true;

  CompletionGraph(SharedAutomaton& automaton, const StopTokens& stops)
      : automaton_(automaton), stops_(stops), has_distance_(automaton.program().token_terminals.size() == 0) {}
  static std::uint64_t hash(const StateAt& node) { return node.hash(); }
  [[nodiscard]] std::optional<std::uint64_t> known(const StateAt& node) const {
    return automaton_.accepts(node.state) ? std::optional<std::uint64_t>(0) : std::nullopt;
  }
  [[nodiscard]] std::optional<Order> order(const StateAt& node, std::uint64_t price, std::uint64_t /*bound*/) const {
    const std::uint64_t left = has_distance_ ? automaton_.distance(node.state).bytes : 0;
    return Order{price + left, UINT64_MAX - price};  // the least steps of a completion, then the longest so far
  }
  template <typename Out>
  Limit for_each_step(const StateAt& from, Out& out) {
    const std::uint32_t classes = automaton_.classes().count();
    base::Work::charge(base::Work::kVisit * (1 + classes / 8));
    const auto offer = [&](const CompletionPart& part) {
      CompletionWalk walk(automaton_, from.state, from.position, stops_);
      if (const Limit met = walk.step(part); met != Limit::kNone) limit_ = met;
      if (walk.state() != StateId::kDead && !is_limit(walk.state())) out.to(1, {walk.state(), walk.position()}, part);
    };
    for (std::uint32_t cls = 0; cls < classes; ++cls) {
      const std::uint8_t byte = automaton_.classes().representative(static_cast<std::uint8_t>(cls));
      offer({std::string(1, static_cast<char>(byte)), {}});
    }
    for (const std::uint32_t token : example_tokens(automaton_, from.state, stops_)) offer({"", token});
    return Limit::kNone;
  }
  /// A limit that a step met, so that its state was not visited.
  [[nodiscard]] Limit limit() const { return limit_; }

 private:
  SharedAutomaton& automaton_;
  const StopTokens& stops_;
  // The distance by the grammar alone is a lower bound. With token sets it is not, since it minimizes tokens and not
  // steps.
  bool has_distance_;
  Limit limit_ = Limit::kNone;
};

}  // namespace

Completion search_completion(SharedAutomaton& automaton, StateId state, TokenPosition position,
                             const StopTokens& stops) {
  using Search = base::Reach<CompletionGraph>;
  CompletionGraph graph(automaton, stops);
  Search search(graph, automaton.program().limits.lookahead_threads);
  const base::Answer found = search.find_least({state, position});
  if (!found.is_known()) return {std::nullopt, found.limit()};
  if (found.is_no()) return {std::nullopt, graph.limit()};
  std::vector<CompletionPart> steps;  // the last first
  search.for_each_on_way([&](const auto& step) { steps.push_back(step.label); });
  std::vector<CompletionPart> parts;
  for (std::size_t i = steps.size() - 1; i > 0; --i) {  // not the label of the end
    if (steps[i].token || parts.empty() || parts.back().token) {
      parts.push_back(std::move(steps[i]));
    } else {
      parts.back().text += steps[i].text;
    }
  }
  return {std::move(parts), graph.limit()};
}

using grammar::Cfg;
using grammar::ItemId;
using grammar::Symbol;

std::string& text_at_end(std::vector<WayPart>& parts) {
  if (parts.empty() || parts.back().token_set.has_value()) parts.emplace_back();
  return parts.back().text;
}

void CompletionMeasure::update(grammar::GrowingCfg& grammar, const regex::ExprSet& exprs, const Program& program) {
  const bool is_first = grammar_ == nullptr;
  grammar_ = &grammar;
  cfg_ = &grammar.cfg();
  exprs_ = &exprs;
  program_ = &program;
  terminals_.resize(cfg_->terminals.size());
  rules_.resize(cfg_->rules.size());
  end_search();  // the copy may lack expressions that were added since
  if (!is_first && (!was_cut_ || base::Work::is_met())) return;
  was_cut_ = false;  // another call may find what the call before could not
  begin_to_settle();
}

// A search that asks for costs may make rules and terminals while it steps (LazyAutomaton::can_finish), so the tables grow.
const CompletionMeasure::TerminalCost& CompletionMeasure::terminal(std::uint32_t index) {
  if (index >= terminals_.size()) {
    terminals_.resize(cfg_->terminals.size());
    end_search();
  }
  TerminalCost& terminal = terminals_[index];
  if (terminal.is_known) return terminal;
  terminal.is_known = true;
  const std::uint32_t fuel = program_->limits.regex_fuel;
  const regex::ExprId expr = cfg_->terminals[index].expr;
  if (regex::has_plain_member(*exprs_, expr, kPlainMemberParts)) {
    terminal.cost = {0, exprs_->min_length(expr)};
    return terminal;
  }
  if (!scratch_) {
    scratch_ = *exprs_;
    base::Work::charge(exprs_->node_count() / kEntriesForOneStep);
  }
  const base::Work::Part search(kMaxMemberWork - std::min(work_, kMaxMemberWork));
  terminal.text = regex::cut_shortest_member(*scratch_, expr, fuel, program_->limits.completion_bytes);
  work_ += search.spent();
  if (terminal.text) {
    terminal.cost = {0, terminal.text->length()};
    text_bytes_ += terminal.text->text().size();
  }
  out_of_fuel_ = out_of_fuel_ || !terminal.text;
  return terminal;
}

const CompletionMeasure::RuleCost& CompletionMeasure::rule(std::uint32_t index) {
  if (index >= rules_.size()) rules_.resize(cfg_->rules.size());
  if (!is_lazy(index)) settle(index);
  RuleCost& rule = rules_[index];
  if (rule.is_known || !is_lazy(index)) return rule;
  bool is_cut = base::Work::is_met();
  if (!is_cut) {
    bool gave_up = false;
    {
      const base::Work::Part search(kMaxMemberWork);
      const auto text = grammar_->short_text(grammar::RuleId{index}, grammar::kKeptTextBytes);
      gave_up = !text;  // a limit was met, or a text needs a token
      rule.cost = gave_up || text->is_none() ? kNoWay : WayCost{0, text->length()};
      if (text && text->is_whole()) rule.text = text->text();
    }
    is_cut = gave_up && base::Work::is_met();
    rule.is_known = !is_cut;  // what this search does not find is not searched for again
    out_of_fuel_ = out_of_fuel_ || (gave_up && !is_cut);
    text_bytes_ += rule.text.size();
  }
  was_cut_ = was_cut_ || is_cut;
  return rule;
}

WayCost CompletionMeasure::cost_of_symbol(Symbol symbol) {
  switch (symbol.kind()) {
    case Symbol::Kind::kRule: return rule(symbol.index()).cost;
    case Symbol::Kind::kTerminal: return terminal(symbol.index()).cost;
    case Symbol::Kind::kTokens: return {1, 0};
    case Symbol::Kind::kEnd: return {};
  }
  return kNoWay;
}

WayCost CompletionMeasure::cost_of_suffix(ItemId item) {
  WayCost cost;
  for (; cfg_->symbol(item).kind() != Symbol::Kind::kEnd && !cost.is_none(); item = Cfg::next(item)) {
    cost = cost + cost_of_symbol(cfg_->symbol(item));
  }
  return cost;
}

// Returns a lower bound of cost_of_symbol(), without a search. A terminal matches no empty text, nor does a lazy rule.
WayCost CompletionMeasure::least_cost_of(Symbol symbol) const {
  const std::uint32_t i = symbol.index();
  switch (symbol.kind()) {
    case Symbol::Kind::kRule: return is_lazy(i) && !rules_[i].is_known ? WayCost{0, 1} : rules_[i].cost;
    case Symbol::Kind::kTerminal:
      return terminals_[i].is_known ? terminals_[i].cost : WayCost{0, exprs_->min_length(cfg_->terminals[i].expr)};
    case Symbol::Kind::kTokens: return {1, 0};
    case Symbol::Kind::kEnd: return {};
  }
  return kNoWay;
}

void CompletionMeasure::offer(const Use& use) {
  Candidate candidate{{}, true, use.rule, use.production};
  for (ItemId item = use.production; cfg_->symbol(item).kind() != Symbol::Kind::kEnd; item = Cfg::next(item)) {
    candidate.cost = candidate.cost + least_cost_of(cfg_->symbol(item));
    if (candidate.cost.is_none()) return;
  }
  cheapest_.push(candidate);
}

// Offers the productions that consist of terminals and lazy rules.
void CompletionMeasure::begin_to_settle() {
  base::Work::charge(cfg_->symbols.size() / kSettledSymbolsForOneStep);
  ++settlings_;
  cheapest_ = {};
  open_.assign(cfg_->symbols.size(), 0);
  first_uses_.assign(rules_.size() + 1, 0);
  const auto for_each_use = [&](const auto& visit) {
    for (std::uint32_t r = 0; r < rules_.size(); ++r) {
      if (is_lazy(r)) continue;
      for (const ItemId first : cfg_->rules[r].productions) {
        for (ItemId item = first; cfg_->symbol(item).kind() != Symbol::Kind::kEnd; item = Cfg::next(item)) {
          const Symbol symbol = cfg_->symbol(item);
          if (symbol.kind() == Symbol::Kind::kRule && !is_lazy(symbol.index())) visit(symbol.index(), Use{r, first});
        }
      }
    }
  };
  for_each_use([&](std::uint32_t used, const Use&) { ++first_uses_[used + 1]; });
  std::partial_sum(first_uses_.begin(), first_uses_.end(), first_uses_.begin());
  uses_.resize(first_uses_.back());
  std::vector<std::uint32_t> next(first_uses_.begin(), first_uses_.end() - 1);
  for_each_use([&](std::uint32_t used, const Use& use) {
    uses_[next[used]++] = use;
    ++open_[static_cast<std::uint32_t>(use.production)];
  });
  for (std::uint32_t r = 0; r < rules_.size(); ++r) {
    if (is_lazy(r)) continue;
    rules_[r] = {};
    for (const ItemId first : cfg_->rules[r].productions) {
      if (open_[static_cast<std::uint32_t>(first)] == 0) offer({r, first});
    }
  }
}

// Finds the cost of a rule that is not lazy, and of all cheaper ones.
void CompletionMeasure::settle(std::uint32_t rule) {
  while (!rules_[rule].is_known && !cheapest_.empty()) {
    Candidate candidate = cheapest_.top();
    cheapest_.pop();
    if (rules_[candidate.rule].is_known) continue;
    if (candidate.is_bound) {
      candidate.cost = cost_of_suffix(candidate.production);
      candidate.is_bound = false;
      if (!candidate.cost.is_none()) cheapest_.push(candidate);
      continue;
    }
    rules_[candidate.rule] = {candidate.cost, candidate.production, {}, true};
    for (std::uint32_t i = first_uses_[candidate.rule]; i < first_uses_[candidate.rule + 1]; ++i) {
      if (--open_[static_cast<std::uint32_t>(uses_[i].production)] == 0) offer(uses_[i]);
    }
  }
}

bool CompletionMeasure::append_suffix(ItemId from, std::vector<WayPart>& parts, std::size_t most) const {
  std::vector<ItemId> stack{from};
  while (!stack.empty() && (parts.empty() || parts.back().text.size() < most)) {
    const ItemId item = stack.back();
    const Symbol symbol = cfg_->symbol(item);
    if (symbol.kind() == Symbol::Kind::kEnd) {
      stack.pop_back();
      continue;
    }
    stack.back() = Cfg::next(item);
    if (symbol.kind() == Symbol::Kind::kTerminal) {
      const TerminalCost& terminal = terminals_[symbol.index()];
      std::string& text = text_at_end(parts);
      if (terminal.text) {
        text += terminal.text->text();
      } else {
        regex::append_plain_member(*exprs_, cfg_->terminals[symbol.index()].expr, text, most);
      }
    } else if (symbol.kind() == Symbol::Kind::kTokens) {
      parts.push_back({{}, symbol.index()});
    } else if (is_lazy(symbol.index())) {
      const RuleCost& rule = rules_[symbol.index()];
      if (rule.cost.bytes <= grammar::kKeptTextBytes) {
        text_at_end(parts) += rule.text;
        continue;
      }
      const auto text = grammar_->short_text(grammar::RuleId{symbol.index()}, most);
      if (!text || (!text->is_whole() && text->text().size() < most)) return false;  // a limit was met
      text_at_end(parts) += text->text();
    } else {
      if (rules_[symbol.index()].cost.is_none()) return false;
      stack.push_back(rules_[symbol.index()].best);
    }
  }
  return true;
}

}  // namespace weir::engine
