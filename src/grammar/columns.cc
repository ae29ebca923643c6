#include "grammar/columns.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/node_bytes.h"
#include "base/work.h"
#include "grammar/search_bounds.h"
#include "regex/analysis/members.h"

namespace weir::grammar {

namespace {

using Part = ColumnTemplates::Part;
using Element = ColumnTemplates::Element;
using Suffix = ColumnTemplates::Suffix;
using regex::ExprId;

constexpr std::uint64_t kNoCost = UINT64_MAX / 4;

constexpr std::uint8_t bit(std::uint32_t state) { return static_cast<std::uint8_t>(1U << state); }

// The choices of least texts: which production of a rule, and where the first element of a suffix leads.
class LeastTexts {
 public:
  explicit LeastTexts(const ColumnTemplates& templates)
      : templates_(templates), suffixes_(templates.suffixes.size()), rules_(templates.rules.size()) {
    for (std::size_t id = 1; id < suffixes_.size(); ++id) {
      const Element& first = templates.suffixes[id].first;
      needs_more_than_text_ |= first.part == Part::kPlain && text_index(first.symbol) == UINT32_MAX;
    }
    suffixes_[0] = {};
    for (std::uint32_t s = 0; s < ColumnTemplates::kStates; ++s) suffixes_[0][s][s].cost = 0;
    while (improve()) continue;
  }

  struct Task {
    enum class Kind : std::uint8_t { kRule, kSuffix, kBlock, kBlanks, kText, kLineFeed };
    Kind kind{};
    std::uint32_t index = 0, column = 0, from = 0, to = 0;
  };

  // Writes the texts of the tasks, the last one first. Returns CutText::none() if one of them has no text, and nothing if
  // it may have one with tokens, or one that was not found.
  std::optional<base::CutText> write(std::vector<Task> tasks, std::size_t most, std::string_view newline) const {
    base::CutText text(most);
    while (!tasks.empty()) {
      const Task task = tasks.back();
      tasks.pop_back();
      switch (task.kind) {
        case Task::Kind::kBlanks: text.add(" ", task.column); break;
        case Task::Kind::kLineFeed: text.add(newline); break;
        case Task::Kind::kText: text.add(templates_.texts[task.index].text); break;
        case Task::Kind::kRule: {
          const Choice& choice = rules_[task.index][task.from][task.to];
          if (choice.cost >= kNoCost) return no_text_or_unknown();
          tasks.push_back({Task::Kind::kSuffix, choice.next, task.column, task.from, task.to});
          break;
        }
        case Task::Kind::kBlock: {
          const std::uint32_t step = std::max(templates_.indentation.width, 1U);
          const std::uint32_t column = task.column + step;
          if (!push_body(task.index, column, task.to, tasks)) return no_text_or_unknown();
          tasks.push_back({Task::Kind::kBlanks, 0, column});
          break;
        }
        case Task::Kind::kSuffix:
          if (!push_suffix(task, tasks)) return no_text_or_unknown();
          break;
      }
    }
    return text;
  }

  [[nodiscard]] std::optional<base::CutText> no_text_or_unknown() const {
    return needs_more_than_text_ ? std::nullopt : std::optional(base::CutText::none());
  }

  // Appends the tasks for a block's body at a column. Returns false if no text of the body leads to `end`.
  bool push_body(std::uint32_t body, std::uint32_t column, std::uint32_t end, std::vector<Task>& tasks) const {
    const std::uint32_t inner = best_end(body, end);
    if (inner == ColumnTemplates::kStates) return false;
    if (end == 2 && inner == 1) tasks.push_back({Task::Kind::kBlanks, 0, column});
    tasks.push_back({Task::Kind::kSuffix, body, column, 0, inner});
    return true;
  }

  // Returns the state in which the rule of the whole text ends best.
  [[nodiscard]] std::uint32_t best_end_of_start() const {
    const auto& ends = rules_[templates_.start][0];
    return static_cast<std::uint32_t>(std::min_element(ends.begin(), ends.end(), cheaper) - ends.begin());
  }

 private:
  static constexpr std::uint32_t kOmitted = 3;
  struct Choice {
    std::uint64_t cost = kNoCost;
    std::uint32_t next = 0;  // of a rule: the suffix; of a suffix: the state after its first element, or kOmitted
  };
  using Table = std::array<std::array<Choice, ColumnTemplates::kStates>, ColumnTemplates::kStates>;
  static bool cheaper(const Choice& a, const Choice& b) { return a.cost < b.cost; }

  [[nodiscard]] std::uint32_t text_index(Symbol symbol) const {
    const auto found = std::lower_bound(templates_.texts.begin(), templates_.texts.end(), symbol,
                                        [](const ColumnTemplates::Text& text, Symbol s) { return text.symbol < s; });
    const bool is_known = found != templates_.texts.end() && found->symbol == symbol;
    return is_known ? static_cast<std::uint32_t>(found - templates_.texts.begin()) : UINT32_MAX;
  }

  [[nodiscard]] std::uint32_t best_end(std::uint32_t body, std::uint32_t end) const {
    const std::uint8_t ends = templates_.ends_of_block(body, end);
    std::uint32_t best = ColumnTemplates::kStates;
    for (std::uint32_t s = 0; s < ColumnTemplates::kStates; ++s) {
      if ((ends & bit(s)) == 0) continue;
      if (best == ColumnTemplates::kStates || cheaper(suffixes_[body][0][s], suffixes_[body][0][best])) best = s;
    }
    return best;
  }

  [[nodiscard]] std::uint64_t cost_of(const Element& x, std::uint32_t from, std::uint32_t to) const {
    switch (x.part) {
      case Part::kNewline: return from == 0 && to == 1 ? 1 : kNoCost;
      case Part::kLined: return rules_[x.index][from][to].cost;
      case Part::kBlock: {
        if (from != 1) return kNoCost;
        const std::uint32_t end = best_end(x.index, to);
        return end == ColumnTemplates::kStates ? kNoCost : suffixes_[x.index][0][end].cost + 2;
      }
      case Part::kPlain: break;
    }
    const std::uint32_t text = text_index(x.symbol);
    if (from == 2 || to != 0 || text == UINT32_MAX) return kNoCost;
    return std::min(kNoCost / 4, templates_.texts[text].text.length()) + from;
  }

  static bool lower(Choice& choice, std::uint64_t cost, std::uint32_t next) {
    if (cost >= choice.cost) return false;
    choice = {cost, next};
    return true;
  }

  bool improve() {
    bool improved = false;
    for (std::uint32_t id = 1; id < suffixes_.size(); ++id) {
      const Suffix& suffix = templates_.suffixes[id];
      for (std::uint32_t from = 0; from < ColumnTemplates::kStates; ++from) {
        for (std::uint32_t to = 0; to < ColumnTemplates::kStates; ++to) {
          Choice& choice = suffixes_[id][from][to];
          if (suffix.first.nullable) {
            improved = lower(choice, suffixes_[suffix.rest][from][to].cost, kOmitted) || improved;
          }
          for (std::uint32_t middle = 0; middle < ColumnTemplates::kStates; ++middle) {
            const std::uint64_t cost = cost_of(suffix.first, from, middle) + suffixes_[suffix.rest][middle][to].cost;
            improved = lower(choice, cost, middle) || improved;
          }
        }
      }
    }
    for (std::uint32_t r = 0; r < rules_.size(); ++r) {
      for (const std::uint32_t suffix : templates_.rules[r].productions) {
        for (std::uint32_t from = 0; from < ColumnTemplates::kStates; ++from) {
          for (std::uint32_t to = 0; to < ColumnTemplates::kStates; ++to) {
            improved = lower(rules_[r][from][to], suffixes_[suffix][from][to].cost, suffix) || improved;
          }
        }
      }
    }
    return improved;
  }

  bool push_suffix(const Task& task, std::vector<Task>& tasks) const {
    if (task.index == 0) return true;
    const Suffix& suffix = templates_.suffixes[task.index];
    const Choice& choice = suffixes_[task.index][task.from][task.to];
    if (choice.cost >= kNoCost) return false;
    const std::uint32_t middle = choice.next == kOmitted ? task.from : choice.next;
    tasks.push_back({Task::Kind::kSuffix, suffix.rest, task.column, middle, task.to});
    if (choice.next == kOmitted) return true;
    const Element& x = suffix.first;
    switch (x.part) {
      case Part::kNewline: tasks.push_back({Task::Kind::kLineFeed}); break;
      case Part::kLined: tasks.push_back({Task::Kind::kRule, x.index, task.column, task.from, middle}); break;
      case Part::kBlock: tasks.push_back({Task::Kind::kBlock, x.index, task.column, 1, middle}); break;
      case Part::kPlain:
        tasks.push_back({Task::Kind::kText, text_index(x.symbol)});
        if (task.from == 1) tasks.push_back({Task::Kind::kBlanks, 0, task.column});
        break;
    }
    return true;
  }

  const ColumnTemplates& templates_;
  std::vector<Table> suffixes_;
  std::vector<Table> rules_;
  bool needs_more_than_text_ = false;  // a symbol has no text: it is a token, or its text was not found
};

class ColumnMaker final : public RuleMaker {
 public:
  ColumnMaker(std::shared_ptr<const ColumnTemplates> templates, regex::ExprSet& exprs)
      : templates_(std::move(templates)), exprs_(exprs) {
    handle_of({});
  }

  base::Limit make(std::uint32_t handle, GrowingCfg& out) override {
    out_ = &out;
    limit_ = base::Limit::kNone;
    const Key key = keys_[handle];
    switch (key.kind) {
      case Key::Kind::kText: make_text(); break;
      case Key::Kind::kRule:
        for (const std::uint32_t suffix : templates_->rules[key.index].productions) alternatives(suffix, key);
        break;
      case Key::Kind::kSuffix: alternatives(key.index, key); break;
      case Key::Kind::kOpen: make_open(key); break;
      case Key::Kind::kMore: make_more(key); break;
    }
    return limit_;
  }

  std::optional<base::CutText> short_text(std::uint32_t handle, std::size_t most) override {
    if (!least_) {
      least_.emplace(*templates_);
      newline_ = regex::shortest_member(exprs_, templates_->indentation.newline, kBlankFuel).value_or("\n");
    }
    using Task = LeastTexts::Task;
    const Key key = keys_[handle];
    std::vector<Task> tasks;
    switch (key.kind) {
      case Key::Kind::kText:
        tasks.push_back({Task::Kind::kRule, templates_->start, 0, 0, least_->best_end_of_start()});
        break;
      case Key::Kind::kRule: tasks.push_back({Task::Kind::kRule, key.index, key.column, key.from, key.to}); break;
      case Key::Kind::kSuffix: tasks.push_back({Task::Kind::kSuffix, key.index, key.column, key.from, key.to}); break;
      case Key::Kind::kOpen: tasks.push_back({Task::Kind::kBlock, key.index, key.column, 1, key.to}); break;
      case Key::Kind::kMore:
        if (!least_->push_body(key.index, key.column, key.to, tasks)) return least_->no_text_or_unknown();
        break;
    }
    return least_->write(std::move(tasks), most, newline_);
  }

  std::string place(std::uint32_t handle) override { return "column " + std::to_string(keys_[handle].column); }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return keys_.capacity() * sizeof(Key) + base::node_bytes(handles_) +
           (blanks_.size() + texts_.size()) * sizeof(ExprId);
  }

 private:
  struct Key {
    enum class Kind : std::uint8_t { kText, kRule, kSuffix, kOpen, kMore };
    Kind kind = Kind::kText;
    std::uint8_t from = 0, to = 0;
    std::uint32_t index = 0;
    std::uint32_t column = 0;
    std::uint32_t deepest = 0;  // of kMore: the largest column that the block may have
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  std::uint32_t handle_of(const Key& key) {
    const auto [found, is_new] = handles_.try_emplace(key, static_cast<std::uint32_t>(keys_.size()));
    if (is_new) keys_.push_back(key);
    return found->second;
  }

  Symbol rule(const Key& key) {
    const bool is_template = key.kind == Key::Kind::kRule;
    const CfgRule* like = is_template ? &out_->cfg().rules[templates_->rules[key.index].rule.index()] : nullptr;
    GrowingCfg::Attributes attributes;
    attributes.holds_capture = templates_->holds_captures;
    attributes.is_frame = key.kind == Key::Kind::kOpen;
    if (like != nullptr) {
      attributes.capture = like->capture;
      attributes.max_tokens = like->max_tokens;
    }
    const auto name = [&] {
      static constexpr std::string_view kNames[] = {"text", "rule", "lines", "block", "block"};
      const std::string what = like != nullptr ? like->name : std::string(kNames[static_cast<std::size_t>(key.kind)]);
      return what + "@" + std::to_string(key.column);
    };
    return Symbol::rule(out_->rule(handle_of(key), name, attributes));
  }

  Symbol terminal(ExprId expr, float temperature, std::string_view what, std::uint32_t column) {
    if (expr == ExprId::kOverflow) limit_ = base::Limit::kRegexNodes;
    const auto name = [&] { return std::string(what) + (column > 0 ? " " + std::to_string(column) : ""); };
    return Symbol::terminal(out_->terminal(expr, temperature, name));
  }

  void produce(std::span<const Symbol> symbols) {
    if (limit_ == base::Limit::kNone) out_->produce(symbols);
  }

  // Blanks of exactly `column` columns. The residual after a blank is the expression of the column before.
  ExprId blanks(std::uint32_t column) {
    while (blanks_.size() <= column) {
      const auto c = static_cast<std::uint32_t>(blanks_.size());
      const std::uint32_t tab = templates_->indentation.tab_len;
      ExprId next = c == 0 ? ExprId::kEpsilon : exprs_.concat(exprs_.literal(" "), blanks_[c - 1]);
      if (c >= tab && templates_->indentation.tabs) {
        next = exprs_.alternation(next, exprs_.concat(exprs_.literal("\t"), blanks_[c - tab]));
      }
      blanks_.push_back(next);
    }
    return blanks_[column];
  }

  // Texts without line feed whose blanks and tabs have `column` columns, wherever in the text they are.
  ExprId text_of_columns(std::uint32_t column) {
    regex::ByteSet others = regex::ByteSet::range(0, '\t' - 1);
    others.add_range('\n' + 1, ' ' - 1);
    others.add_range(' ' + 1, 255);
    const ExprId between = exprs_.repeat(exprs_.byte_set(others), 0, regex::kUnbounded);
    while (texts_.size() <= column) {
      const auto c = static_cast<std::uint32_t>(texts_.size());
      const std::uint32_t tab = templates_->indentation.tab_len;
      ExprId next = c == 0 ? ExprId::kEpsilon : exprs_.concat(exprs_.literal(" "), texts_[c - 1]);
      if (c >= tab && templates_->indentation.tabs) {
        next = exprs_.alternation(next, exprs_.concat(exprs_.literal("\t"), texts_[c - tab]));
      }
      texts_.push_back(exprs_.concat(between, next));
    }
    return texts_[column];
  }

  // Produces the ways to begin a line at `column` with `rest`, which is not read yet.
  void begin_line(std::uint32_t column, float temperature, std::span<const Symbol> rest) {
    std::vector<Symbol> symbols;
    if (column > 0) symbols.push_back(terminal(blanks(column), temperature, "blanks", column));
    const std::size_t count = symbols.size();
    symbols.insert(symbols.end(), rest.begin(), rest.end());
    produce(symbols);
    if (templates_->lead.empty()) return;
    symbols.insert(symbols.begin() + static_cast<std::ptrdiff_t>(count), templates_->lead.begin(),
                   templates_->lead.end());
    produce(symbols);
  }

  // Produces `symbols` and what may be between the last line feed and the end of the text, at a column.
  void end_text(std::vector<Symbol> symbols, std::uint32_t column) {
    const std::size_t count = symbols.size();
    if (column == 0) produce(symbols);
    ExprId expr = exprs_.intersection(templates_->indentation.rest, text_of_columns(column));
    if (column == 0) expr = exprs_.difference(expr, ExprId::kEpsilon);
    const regex::Emptiness emptiness = regex::emptiness(exprs_, expr, kBlankFuel);
    if (emptiness == regex::Emptiness::kUnknown) limit_ = base::Work::met_or(base::Limit::kRegexFuel);
    if (emptiness == regex::Emptiness::kNonEmpty) {
      symbols.push_back(terminal(expr, kNoTemperature, "last blanks", column));
      produce(symbols);
      symbols.resize(count);
    }
    if (templates_->lead.empty() || !templates_->indentation.ignored_at_ends) return;
    if (column > 0) symbols.push_back(terminal(blanks(column), kNoTemperature, "blanks", column));
    symbols.insert(symbols.end(), templates_->lead.begin(), templates_->lead.end());
    produce(symbols);
  }

  void make_text() {
    const ColumnTemplates::Rule& start = templates_->rules[templates_->start];
    for (std::uint8_t end = 0; end < ColumnTemplates::kStates; ++end) {
      if ((start.ways[0] & bit(end)) == 0) continue;
      std::vector<Symbol> symbols{rule({Key::Kind::kRule, 0, end, templates_->start})};
      if (end == 1) {
        end_text(std::move(symbols), 0);
      } else {
        produce(symbols);
      }
    }
  }

  // Produces the ways of `key` in which the suffix derives a text that is not empty.
  void alternatives(std::uint32_t suffix, const Key& key) {
    for (; suffix != 0; suffix = templates_->suffixes[suffix].rest) {
      const Suffix& at = templates_->suffixes[suffix];
      const std::uint8_t after = templates_->after(at.first, key.from);
      for (std::uint8_t state = 0; state < ColumnTemplates::kStates; ++state) {
        if ((after & bit(state)) == 0) continue;
        std::vector<Symbol> symbols{first_symbol(at.first, key, state)};
        finish(at.rest, key, state, begins_line(at.first, key.from) ? &at.first : nullptr, symbols);
      }
      if (!at.first.nullable) return;
    }
  }

  // Returns true if the blanks of a line are read right before the element.
  static bool begins_line(const Element& x, std::uint8_t from) {
    return from == 1 && (x.part == Part::kPlain || x.part == Part::kNewline);
  }

  Symbol first_symbol(const Element& x, const Key& key, std::uint8_t to) {
    switch (x.part) {
      case Part::kPlain: return x.symbol;
      case Part::kNewline: return terminal(templates_->indentation.newline, x.temperature, "line end", 0);
      case Part::kLined: return rule({Key::Kind::kRule, key.from, to, x.index, key.column});
      case Part::kBlock: break;
    }
    return rule({Key::Kind::kOpen, 1, to, x.index, key.column});
  }

  // Produces `symbols` and what the suffix `rest` derives from `state` on. `line` is the first element if a line begins
  // with it.
  void finish(std::uint32_t rest, const Key& key, std::uint8_t state, const Element* line,
              std::vector<Symbol>& symbols) {
    while (rest != 0 && state == 0) {  // as far as there is one way only
      const Suffix& at = templates_->suffixes[rest];
      const bool is_plain = at.first.part == Part::kPlain;
      if (at.first.nullable || (!is_plain && at.first.part != Part::kNewline)) break;
      symbols.push_back(first_symbol(at.first, {Key::Kind::kSuffix, 0, 0, 0, key.column}, 0));
      state = is_plain ? 0 : 1;
      rest = at.rest;
    }
    const Suffix& left = templates_->suffixes[rest];
    if (left.nullable && state == key.to) put(line, key.column, symbols);
    if ((left.ways[state] & bit(key.to)) == 0) return;
    symbols.push_back(rest_symbol(rest, key, state));
    put(line, key.column, symbols);
  }

  Symbol rest_symbol(std::uint32_t rest, const Key& key, std::uint8_t state) {
    const Suffix& at = templates_->suffixes[rest];
    const bool is_one_rule =
        at.rest == 0 && !at.first.nullable && (at.first.part == Part::kLined || at.first.part == Part::kBlock);
    if (is_one_rule) return first_symbol(at.first, {Key::Kind::kSuffix, state, 0, 0, key.column}, key.to);
    return rule({Key::Kind::kSuffix, state, key.to, rest, key.column});
  }

  void put(const Element* line, std::uint32_t column, std::span<const Symbol> symbols) {
    if (line == nullptr) return produce(symbols);
    if (line->part == Part::kPlain) return begin_line(column, line->temperature, symbols);
    // Between two line ends there is something, at least ignored text.
    std::vector<Symbol> all;
    if (column > 0) all.push_back(terminal(blanks(column), line->temperature, "blanks", column));
    all.insert(all.end(), templates_->lead.begin(), templates_->lead.end());
    all.insert(all.end(), symbols.begin(), symbols.end());
    produce(all);
  }

  void make_open(const Key& key) {
    const Indentation& how = templates_->indentation;
    const std::uint32_t p = key.column;
    if (how.width > 0) return make_body({Key::Kind::kMore, 1, key.to, key.index, p + how.width}, true);
    const std::uint32_t deepest = how.max_step == UINT32_MAX ? UINT32_MAX : p + how.max_step;
    const std::uint32_t tab = how.tabs ? how.tab_len : 1;
    for (std::uint32_t c = p + 1; c - p <= tab && c <= deepest; ++c) {
      ExprId expr = c == p + 1 ? exprs_.concat(blanks(p), exprs_.literal(" ")) : ExprId::kNothing;
      if (how.tabs && c >= how.tab_len) {
        expr = exprs_.alternation(expr, exprs_.concat(blanks(c - how.tab_len), exprs_.literal("\t")));
      }
      if (expr == ExprId::kNothing) continue;
      const Symbol symbols[] = {terminal(expr, kNoTemperature, "blanks to", c),
                                rule({Key::Kind::kMore, 1, key.to, key.index, c, deepest})};
      produce(symbols);
    }
  }

  void make_more(const Key& key) {
    const Indentation& how = templates_->indentation;
    const auto deeper = [&](std::string_view blank, std::uint32_t by) {
      if (key.deepest - key.column < by) return;
      Key next = key;
      next.column += by;
      const Symbol symbols[] = {terminal(exprs_.literal(blank), kNoTemperature, "blank", 0), rule(next)};
      produce(symbols);
    };
    deeper(" ", 1);
    if (how.tabs) deeper("\t", how.tab_len);
    make_body(key, false);
  }

  // Produces the body of a block at its column; with the blanks before it, if they are not read.
  void make_body(const Key& key, bool with_blanks) {
    const std::uint8_t ends = templates_->ends_of_block(key.index, key.to);
    for (std::uint8_t end = 0; end < ColumnTemplates::kStates; ++end) {
      if ((ends & bit(end)) == 0) continue;
      const Symbol body = rule({Key::Kind::kSuffix, 0, end, key.index, key.column});
      for (const bool has_lead : {false, true}) {
        if (has_lead && templates_->lead.empty()) continue;
        std::vector<Symbol> symbols;
        if (with_blanks) symbols.push_back(terminal(blanks(key.column), kNoTemperature, "blanks", key.column));
        if (has_lead) symbols.insert(symbols.end(), templates_->lead.begin(), templates_->lead.end());
        symbols.push_back(body);
        if (end == 1 && key.to == 2) {
          end_text(std::move(symbols), key.column);
        } else {
          produce(symbols);
        }
      }
    }
  }

  std::shared_ptr<const ColumnTemplates> templates_;
  regex::ExprSet& exprs_;
  GrowingCfg* out_ = nullptr;
  base::Limit limit_ = base::Limit::kNone;
  std::vector<Key> keys_;  // by handle
  std::map<Key, std::uint32_t> handles_;
  std::vector<ExprId> blanks_, texts_;  // by column
  std::optional<LeastTexts> least_;
  std::string newline_;
};

class ColumnSource final : public RuleSource {
 public:
  explicit ColumnSource(std::shared_ptr<const ColumnTemplates> templates) : templates_(std::move(templates)) {}
  [[nodiscard]] std::unique_ptr<RuleMaker> maker(regex::ExprSet& exprs) const override {
    return std::make_unique<ColumnMaker>(templates_, exprs);
  }
  [[nodiscard]] std::optional<std::span<const ExprId>> distinguished() const override {
    return templates_->distinguished;
  }

 private:
  std::shared_ptr<const ColumnTemplates> templates_;
};

}  // namespace

std::uint8_t ColumnTemplates::after(const Element& x, std::uint32_t state) const {
  switch (x.part) {
    case Part::kPlain: return state == 2 ? std::uint8_t{0} : bit(0);
    case Part::kNewline: return state == 0 || (state == 1 && !lead.empty()) ? bit(1) : std::uint8_t{0};
    case Part::kLined: return rules[x.index].ways[state];
    case Part::kBlock: break;
  }
  if (state != 1) return 0;
  std::uint8_t states = 0;
  for (const std::uint32_t end : {1U, 2U})
    if (ends_of_block(x.index, end) != 0) states |= bit(end);
  return states;
}

std::uint8_t ColumnTemplates::ends_of_block(std::uint32_t body, std::uint32_t end) const {
  return static_cast<std::uint8_t>(suffixes[body].ways[0] & (end == 1 ? bit(1) : 7));
}

std::shared_ptr<const RuleSource> make_column_source(std::shared_ptr<const ColumnTemplates> templates) {
  return std::make_shared<ColumnSource>(std::move(templates));
}

}  // namespace weir::grammar
