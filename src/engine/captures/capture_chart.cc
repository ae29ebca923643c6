#include "engine/captures/capture_chart.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "base/work.h"

namespace weir::engine {

using base::Limit;
using grammar::Cfg;
using grammar::ItemId;
using grammar::Symbol;
using lexer::LexerStateId;
using regex::ExprId;

namespace {

constexpr PointId kNoTop{UINT32_MAX};
constexpr PointId kSearchingTop{UINT32_MAX - 1};  // top_of_chain() is on the chain

bool by_symbol(const CaptureChart::Waiting& a, const CaptureChart::Waiting& b) {
  return a.symbol != b.symbol ? a.symbol < b.symbol : a.point < b.point;
}

std::array<std::uint32_t, 3> words_of(const CaptureChart::Point& point) {
  return {static_cast<std::uint32_t>(point.item), static_cast<std::uint32_t>(point.origin),
          static_cast<std::uint32_t>(point.column)};
}

}  // namespace

CaptureChart::Point CaptureChart::point(PointId id) const {
  const auto words = points_[raw(id)];
  return {ItemId{words[0]}, ColumnId{words[1]}, ColumnId{words[2]}};
}

std::optional<PointId> CaptureChart::find(const Point& point) const {
  const auto known = points_.find(words_of(point));
  return known ? std::optional(PointId{*known}) : std::nullopt;
}

std::span<const CaptureChart::Waiting> CaptureChart::waiting(ColumnId id) const {
  return std::span(waiting_).subspan(column(id).first_waiting, column(id).waiting_count);
}

std::span<const CaptureChart::Waiting> CaptureChart::waiting_for(ColumnId id, Symbol symbol) const {
  const auto all = waiting(id);
  const auto first =
      std::lower_bound(all.begin(), all.end(), symbol, [](const Waiting& w, Symbol s) { return w.symbol < s; });
  auto last = first;
  while (last != all.end() && last->symbol == symbol) ++last;
  return {first, last};
}

Limit CaptureChart::over_limit() const {
  return items() > program_.limits.capture_items ? Limit::kCaptureItems : Limit::kNone;
}

Limit CaptureChart::begin(const Parts& parts) {
  columns_.emplace_back();
  if (const Limit met = predict(parts, static_cast<std::uint32_t>(parts.grammar.cfg().start), ColumnId{0});
      met != Limit::kNone) {
    return met;
  }
  return close(parts);
}

Limit CaptureChart::read(const Parts& parts, std::string_view bytes) {
  items_before_step_ = items();
  for (const char c : bytes) {
    if (const Limit met = step(parts, static_cast<std::uint8_t>(c), std::nullopt); met != Limit::kNone) return met;
  }
  return Limit::kNone;
}

Limit CaptureChart::read_token(const Parts& parts, std::uint32_t token, TokenRole role, std::string_view bytes) {
  const Whole whole{token, role, first_current_, column_count()};
  items_before_step_ = items();
  if (bytes.empty()) return step(parts, std::nullopt, whole);
  bool is_taken = false;
  for (std::uint32_t c = whole.first_column; c < whole.end_column; ++c) {
    is_taken = is_taken ||
               std::ranges::any_of(waiting(ColumnId{c}), [&](const Waiting& one) { return takes(one.symbol, whole); });
  }
  if (!is_taken) return read(parts, bytes);
  may_slide_ = false;  // the columns before the token are needed where it ends
  if (const Limit met = read(parts, bytes.substr(0, bytes.size() - 1)); met != Limit::kNone) return met;
  return step(parts, static_cast<std::uint8_t>(bytes.back()), whole);
}

bool CaptureChart::takes(Symbol symbol, const Whole& whole) const {
  return symbol.kind() == Symbol::Kind::kTokens &&
         program_.token_terminals.contains(symbol.index(), whole.token, whole.role, program_.tokenizer.vocabulary());
}

// Reads a byte, or a token without text. `whole` is the token that ends here, if one does.
Limit CaptureChart::step(const Parts& parts, std::optional<std::uint8_t> byte, const std::optional<Whole>& whole) {
  ++place_;
  if (byte) ++offset_;
  base::Work::charge(base::Work::kTransition);
  ended_.clear();
  if (!byte) {
    runs_.clear();
  } else if (const Limit met = step_runs(parts, *byte); met != Limit::kNone) {
    return met;
  }
  if (!whole && slides_on()) {
    slide();
    return Limit::kNone;
  }
  ++changes_;
  points_before_step_ = points_.size();
  first_current_ = column_count();
  current_points_.clear();
  first_runs_.clear();
  for (const Ended& one : ended_) {
    scan(one.from, Symbol::terminal(grammar::TerminalId{one.terminal}), column_under(one.rest));
  }
  std::swap(made_current_, ended_);
  may_slide_ = byte && !whole;
  if (whole) {
    for (std::uint32_t c = whole->first_column; c < whole->end_column; ++c) {
      // The condition must accept the empty text, see LazyAutomaton::step_thread_by_tokens.
      if (!parts.lexer.exprs().nullable(columns_[c].rest)) continue;
      for (std::uint32_t i = 0; i < columns_[c].waiting_count; ++i) {
        const Symbol symbol = waiting_[columns_[c].first_waiting + i].symbol;
        if (!takes(symbol, *whole)) continue;
        const Point before = point(waiting_[columns_[c].first_waiting + i].point);
        link(add({Cfg::next(before.item), before.origin, column_under(program_.token_follows[symbol.index()])}),
             {ColumnId{c}});
      }
    }
  }
  return close(parts);
}

// Moves the lexemes in progress on, and lists those that end.
Limit CaptureChart::step_runs(const Parts& parts, std::uint8_t byte) {
  lexer::Lexer& lexer = parts.lexer;
  const std::uint8_t cls = lexer.classes().class_of(byte);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    Run run = runs_[i];
    if (run.rest != ExprId::kAllStrings) {
      run.rest = lexer.exprs().derivative(run.rest, byte);
      const base::Answer nothing = lexer.is_nothing(run.rest);
      if (!nothing.is_known()) return nothing.limit();
      if (nothing.is_yes()) continue;
    }
    const lexer::Lexer::StepResult result = lexer.step(run.state, cls);
    if (base::is_limit_id(result.next)) return base::limit_of_id(result.next);
    run.state = result.next;
    if (run.state != LexerStateId::kDead) runs_[kept++] = run;
    for (const lexer::Ending& ending : result.endings) {
      const ExprId both = lexer.exprs().intersection(run.rest, ending.rest);
      const base::Answer nothing = lexer.is_nothing(both);
      if (!nothing.is_known()) return nothing.limit();
      if (nothing.is_no()) ended_.push_back({run.column, ending.terminal, both});
    }
  }
  runs_.resize(kept);
  return Limit::kNone;
}

// Returns true if the columns that the last byte makes would be the current ones, which nothing in progress needs.
bool CaptureChart::slides_on() const {
  const auto is_before = [&](const Run& run) { return raw(run.column) < first_current_; };
  return may_slide_ && ended_ == made_current_ && std::ranges::all_of(runs_, is_before);
}

void CaptureChart::slide() {
  for (std::uint32_t c = first_current_; c < column_count(); ++c) {
    columns_[c].place = place_;
    columns_[c].offset = offset_;
  }
  runs_.insert(runs_.end(), first_runs_.begin(), first_runs_.end());
}

// Returns the current column with this condition; adds it if there is none.
ColumnId CaptureChart::column_under(ExprId rest) {
  for (std::uint32_t c = first_current_; c < columns_.size(); ++c) {
    if (columns_[c].rest == rest) return ColumnId{c};
  }
  columns_.push_back({place_, offset_, rest});
  return ColumnId{column_count() - 1};
}

// Moves the dot over a terminal that began in `from` and ends in `to`.
void CaptureChart::scan(ColumnId from, Symbol symbol, ColumnId to) {
  for (const Waiting& waiting : waiting_for(from, symbol)) {
    const Point before = point(waiting.point);
    link(add({Cfg::next(before.item), before.origin, to}), {from});
  }
}

std::pair<PointId, bool> CaptureChart::intern(const Point& point) {
  const auto [id, is_new] = points_.intern(words_of(point));
  if (is_new) first_links_.push_back(kNoLink);
  return {PointId{id}, is_new};
}

// Adds a point to a current column.
PointId CaptureChart::add(const Point& point) {
  const auto [id, is_new] = intern(point);
  if (is_new) {
    pending_.push_back(id);
    current_points_.push_back(id);
  }
  return id;
}

void CaptureChart::link(PointId id, const Link& added) {
  base::Work::charge(1);
  links_.push_back(added);
  links_.back().next = std::exchange(first_links_[raw(id)], static_cast<std::uint32_t>(links_.size() - 1));
}

// Processes predictions and completions of the current columns until there are none left.
Limit CaptureChart::close(const Parts& parts) {
  while (!pending_.empty()) {
    const PointId id = pending_.back();
    pending_.pop_back();
    base::Work::charge(base::Work::kRowItem);
    if (const Limit met = process(parts, id); met != Limit::kNone) return met;
    if (const Limit met = over_limit(); met != Limit::kNone) return met;
    if (base::Work::is_met() && items() > items_before_step_ + kItemsOfWholeStep) return Limit::kCallWork;
  }
  for (std::uint32_t c = first_current_; c < columns_.size(); ++c) {
    if (const Limit met = finish_column(parts, ColumnId{c}); met != Limit::kNone) return met;
  }
  return Limit::kNone;
}

Limit CaptureChart::process(const Parts& parts, PointId id) {
  const Cfg& cfg = parts.grammar.cfg();
  const Point here = point(id);
  const Symbol symbol = cfg.symbol(here.item);
  if (symbol.kind() == Symbol::Kind::kEnd) {
    // A rule that ends where it began was skipped when it was predicted.
    if (here.origin != here.column) complete(cfg, symbol.index(), here.origin, here.column);
    return Limit::kNone;
  }
  if (symbol.kind() != Symbol::Kind::kRule) return Limit::kNone;
  if (cfg.rules[symbol.index()].nullable) {
    link(add({Cfg::next(here.item), here.origin, here.column}), {here.column});
  }
  return predict(parts, symbol.index(), here.column);
}

Limit CaptureChart::predict(const Parts& parts, std::uint32_t rule, ColumnId column) {
  if (const Limit met = parts.grammar.complete(grammar::RuleId{rule}); met != Limit::kNone) return met;
  for (const ItemId first : parts.grammar.cfg().rules[rule].productions) {
    const std::size_t before = points_.size();
    add({first, column, column});
    if (points_.size() == before) break;  // the rule was predicted before, with all its productions
  }
  return Limit::kNone;
}

void CaptureChart::complete(const Cfg& cfg, std::uint32_t rule, ColumnId origin, ColumnId column) {
  if (!completed_.intern(std::array{rule, raw(origin), raw(column)}).second) return;
  if (const std::optional<PointId> top = top_of_chain(cfg, rule, origin)) {
    const Point last = point(*top);
    Link jump{last.column};
    if (last.column != origin || cfg.symbol(last.item).index() != rule) {
      jump.bottom_rule = rule;
      jump.bottom = origin;
    }
    link(add({Cfg::next(last.item), last.origin, column}), jump);
    return;
  }
  for (const Waiting& waiting : waiting_for(origin, Symbol::rule(grammar::RuleId{rule}))) {
    const Point before = point(waiting.point);
    link(add({Cfg::next(before.item), before.origin, column}), {origin});
  }
}

// Returns none for the start rule at the beginning, because the end of the output waits for it, too.
std::optional<PointId> CaptureChart::only_tail(const Cfg& cfg, std::uint32_t rule, ColumnId column) const {
  if (column == ColumnId{0} && grammar::RuleId{rule} == cfg.start) return std::nullopt;
  const auto waiting = waiting_for(column, Symbol::rule(grammar::RuleId{rule}));
  if (waiting.size() != 1) return std::nullopt;
  const Point before = point(waiting.front().point);
  if (cfg.symbol(Cfg::next(before.item)).kind() != Symbol::Kind::kEnd) return std::nullopt;
  return waiting.front().point;
}

// Follows the chain of rules that end when this rule ends, as long as only_tail() has a point. Returns the last point
// of the chain; nullopt if there is none, or if the chain leads back to itself.
std::optional<PointId> CaptureChart::top_of_chain(const Cfg& cfg, std::uint32_t rule, ColumnId column) {
  struct Visit {
    std::uint64_t key;
    PointId point;
  };
  std::vector<Visit> path;
  PointId top = kNoTop;
  for (;;) {
    const std::uint64_t key = chart_key(column, rule);
    const auto [known, is_new] = tops_.try_emplace(key, kNoTop);
    if (!is_new && known->second != kSearchingTop) {
      top = known->second;
      break;
    }
    if (!is_new) {
      for (bool in_cycle = true; in_cycle; path.pop_back()) {
        in_cycle = path.back().key != key;
        tops_[path.back().key] = kNoTop;
      }
      break;
    }
    const std::optional<PointId> tail = only_tail(cfg, rule, column);
    if (!tail) break;
    known->second = kSearchingTop;
    path.push_back({key, *tail});
    const Point after = point(*tail);
    rule = cfg.symbol(Cfg::next(after.item)).index();
    column = after.origin;
  }
  for (; !path.empty(); path.pop_back()) {
    if (top == kNoTop) top = path.back().point;
    tops_[path.back().key] = top;
  }
  return top == kNoTop ? std::nullopt : std::optional(top);
}

Limit CaptureChart::expand(const Cfg& cfg, PointId id) {
  const ColumnId column = point(id).column;
  for (std::uint32_t l = first_link(id); l != kNoLink; l = links_[l].next) {
    const Link jump = links_[l];
    if (jump.bottom_rule == UINT32_MAX) continue;
    std::uint32_t rule = jump.bottom_rule;
    ColumnId origin = jump.bottom;
    // The last point of the chain is `id` itself, which the jump has added.
    for (;;) {
      if (!is_whole(origin)) return ask_for_past();  // what the jump left out may be forgotten
      if (!expanded_.intern(std::array{rule, raw(origin), raw(column)}).second) break;
      const Point before = point(*only_tail(cfg, rule, origin));
      const Point after{Cfg::next(before.item), before.origin, column};
      if (find(after) == id) break;
      link(intern(after).first, {origin});
      rule = cfg.symbol(after.item).index();
      origin = after.origin;
    }
    links_[l].bottom_rule = UINT32_MAX;
  }
  return over_limit();
}

void CaptureChart::list_needed(const Cfg& cfg, std::vector<PointId>& points, std::vector<Awaited>& rules) {
  std::vector<bool> is_needed(points_.size());
  std::vector<PointId> open;
  std::unordered_set<std::uint64_t> awaited;  // column and rule
  const auto need = [&](PointId id) {
    if (is_needed[raw(id)]) return;
    is_needed[raw(id)] = true;
    open.push_back(id);
  };
  for (std::uint32_t id = points_before_step_; id < points_.size(); ++id) {
    const Point here = point(PointId{id});
    if (raw(here.column) < first_current_) continue;  // one that expand() has added
    need(PointId{id});
    // The values of current points are found again if their columns move.
    for (std::uint32_t l = first_links_[id]; l != kNoLink; l = links_[l].next) {
      need(*find({Cfg::previous(here.item), here.origin, links_[l].from}));
    }
  }
  for (const Run& run : runs_) {
    for (const Waiting& one : waiting(run.column)) {
      if (one.symbol.kind() == Symbol::Kind::kTerminal) need(one.point);
    }
  }
  const auto await = [&](std::uint32_t rule, ColumnId column) {
    if (!awaited.insert(chart_key(column, rule)).second) return;
    if (raw(column) < first_current_) rules.push_back({column, rule});
    if (const std::optional<PointId> top = top_of_chain(cfg, rule, column)) return need(*top);
    for (const Waiting& one : waiting_for(column, Symbol::rule(grammar::RuleId{rule}))) need(one.point);
  };
  await(static_cast<std::uint32_t>(cfg.start), ColumnId{0});
  while (!open.empty()) {
    const Point here = point(open.back());
    open.pop_back();
    await(cfg.rule_of(here.item), here.origin);
  }
  for (std::uint32_t id = 0; id < points_.size(); ++id) {
    if (is_needed[id] && raw(point(PointId{id}).column) < first_current_) points.push_back(PointId{id});
  }
}

bool CaptureChart::jumps(const Awaited& rule) const {
  const auto known = tops_.find(chart_key(rule.column, rule.rule));
  return known != tops_.end() && known->second != kNoTop;
}

// Returns the new ids of the columns by the old ones: those of current columns, of the points and rules that are needed, and
// of what is in progress.
std::vector<std::uint32_t> CaptureChart::renumbered_columns(const std::vector<PointId>& needed,
                                                            const std::vector<Awaited>& rules) const {
  std::vector<std::uint32_t> columns(columns_.size(), kGone);
  const auto keep = [&](ColumnId id) { columns[raw(id)] = 0; };
  keep(ColumnId{0});
  for (const PointId id : needed) {
    keep(point(id).column);
    keep(point(id).origin);
  }
  for (const Awaited& rule : rules) keep(rule.column);
  for (const Run& run : runs_) keep(run.column);
  for (std::uint32_t c = first_current_; c < columns_.size(); ++c) keep(ColumnId{c});
  for (std::uint32_t id = points_before_step_; id < points_.size(); ++id) {
    const Point here = point(PointId{id});
    if (raw(here.column) < first_current_) continue;
    keep(here.origin);
    for (std::uint32_t l = first_links_[id]; l != kNoLink; l = links_[l].next) {
      if (links_[l].bottom_rule != UINT32_MAX) keep(links_[l].bottom);
    }
  }
  std::uint32_t kept = 0;
  for (std::uint32_t& id : columns) {
    if (id != kGone) id = kept++;
  }
  return columns;
}

// Keeps the needed points, without their links, and those of the current columns with theirs. Sets renumbering.points.
void CaptureChart::keep_points(const std::vector<PointId>& needed, Renumbering& renumbering) {
  base::WordInterner points;
  std::vector<std::uint32_t> first_links;
  std::vector<Link> links;
  const auto keep = [&](PointId id) {
    Point here = point(id);
    renumbering.apply(here.origin);
    renumbering.apply(here.column);
    renumbering.points[raw(id)] = points.intern(words_of(here)).first;
  };
  for (const PointId id : needed) {
    keep(id);
    first_links.push_back(first_link(id) == kNoLink ? kNoLink : kForgotten);
  }
  first_whole_point_ = points.size();
  for (std::uint32_t id = points_before_step_; id < points_.size(); ++id) {
    if (raw(point(PointId{id}).column) < first_current_) continue;
    keep(PointId{id});
    first_links.push_back(kNoLink);
    std::vector<Link> own;
    for (std::uint32_t l = first_links_[id]; l != kNoLink; l = links_[l].next) own.push_back(links_[l]);
    for (auto link = own.rbegin(); link != own.rend(); ++link) {
      renumbering.apply(link->from);
      if (link->bottom_rule != UINT32_MAX) renumbering.apply(link->bottom);
      link->next = std::exchange(first_links.back(), static_cast<std::uint32_t>(links.size()));
      links.push_back(*link);
    }
  }
  points_before_step_ = first_whole_point_;
  points_ = std::move(points);
  first_links_ = std::move(first_links);
  links_ = std::move(links);
}

// Keeps the columns that are renumbered, and of what waits in them the points that are.
void CaptureChart::keep_columns(const Renumbering& renumbering) {
  std::vector<Column> columns;
  std::vector<Waiting> all_waiting;
  for (std::uint32_t c = 0; c < columns_.size(); ++c) {
    if (renumbering.columns[c] == kGone) continue;
    Column& column = columns.emplace_back(columns_[c]);
    column.first_waiting = static_cast<std::uint32_t>(all_waiting.size());
    for (const Waiting& one : waiting(ColumnId{c})) {
      const std::uint32_t kept = renumbering.points[raw(one.point)];
      if (kept != kGone) all_waiting.push_back({one.symbol, PointId{kept}});
    }
    column.waiting_count = static_cast<std::uint32_t>(all_waiting.size()) - column.first_waiting;
  }
  const bool has_current = first_current_ < columns_.size();
  first_current_ = has_current ? renumbering.columns[first_current_] : static_cast<std::uint32_t>(columns.size());
  first_whole_column_ = first_current_;
  columns_ = std::move(columns);
  waiting_ = std::move(all_waiting);
}

// Keeps the jumps of the rules.
void CaptureChart::keep_tops(const std::vector<Awaited>& rules, const Renumbering& renumbering) {
  std::unordered_map<std::uint64_t, PointId> tops;
  for (const Awaited& rule : rules) {
    if (!jumps(rule)) continue;
    const PointId top = tops_.find(chart_key(rule.column, rule.rule))->second;
    tops.emplace(chart_key(ColumnId{renumbering.columns[raw(rule.column)]}, rule.rule),
                 PointId{renumbering.points[raw(top)]});
  }
  tops_ = std::move(tops);
}

CaptureChart::Renumbering CaptureChart::forget(const std::vector<PointId>& needed, const std::vector<Awaited>& rules) {
  Renumbering renumbering{std::vector(points_.size(), kGone), renumbered_columns(needed, rules)};
  keep_points(needed, renumbering);
  keep_columns(renumbering);
  keep_tops(rules, renumbering);
  for (auto* runs : {&runs_, &first_runs_}) {
    for (Run& run : *runs) renumbering.apply(run.column);
  }
  for (Ended& one : made_current_) {
    // Gone: it is not in progress, so no lexeme that ends is the same.
    if (raw(one.from) != kGone) renumbering.apply(one.from);
  }
  for (PointId& id : current_points_) id = PointId{renumbering.points[raw(id)]};
  completed_ = {};
  expanded_ = {};
  put_off();
  return renumbering;
}

// Sorts the points that wait in a column by symbol, and begins the column's lexemes.
Limit CaptureChart::finish_column(const Parts& parts, ColumnId id) {
  Column& column = columns_[raw(id)];
  column.first_waiting = static_cast<std::uint32_t>(waiting_.size());
  std::vector<std::uint32_t> terminals;
  for (const PointId point_id : current_points_) {
    const Point here = point(point_id);
    if (here.column != id) continue;
    const Symbol symbol = parts.grammar.cfg().symbol(here.item);
    if (symbol.kind() == Symbol::Kind::kEnd) continue;
    waiting_.push_back({symbol, point_id});
    if (symbol.kind() == Symbol::Kind::kTerminal) terminals.push_back(symbol.index());
  }
  column.waiting_count = static_cast<std::uint32_t>(waiting_.size()) - column.first_waiting;
  std::sort(waiting_.begin() + column.first_waiting, waiting_.end(), by_symbol);
  const LexerStateId state = parts.lexer.start(terminals);
  if (base::is_limit_id(state)) return base::limit_of_id(state);
  if (state != LexerStateId::kDead) {
    first_runs_.push_back({id, state, column.rest});
    runs_.push_back(first_runs_.back());
  }
  return Limit::kNone;
}

}  // namespace weir::engine
