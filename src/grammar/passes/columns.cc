#include "grammar/passes/columns.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/limit_error.h"
#include "base/replaceable.h"
#include "base/strong_components.h"
#include "base/work.h"
#include "grammar/columns.h"
#include "grammar/passes/nullable_rules.h"
#include "grammar/passes/rule_users.h"
#include "grammar/search_bounds.h"
#include "regex/analysis/members.h"

namespace weir::grammar {

namespace {

using Part = ColumnTemplates::Part;
using Element = ColumnTemplates::Element;

// Least texts of rules and terminals outside lined rules.
class PlainTexts {
 public:
  PlainTexts(Draft& draft, const Limits& limits) : draft_(draft), limits_(limits) {}

  // Finds the least texts of `symbols` and of all that they derive.
  void find(const std::set<Symbol>& symbols) {
    list(symbols);
    while (improve()) continue;
  }

  // Returns the text of a symbol that find() was given; nothing if it needs a token or was not found.
  [[nodiscard]] std::optional<base::CutText> text(Symbol symbol) const {
    if (length_of(symbol) == kNone) return std::nullopt;
    return written(symbol);
  }

 private:
  static constexpr std::uint64_t kNone = UINT64_MAX / 4;
  struct Least {
    std::uint64_t length = kNone;
    std::size_t production = 0;
    std::optional<base::CutText> text = {};  // of terminals and of lazy rules
  };

  // Enters the symbols and all that they derive into known_.
  void list(const std::set<Symbol>& symbols) {
    std::vector<Symbol> open(symbols.begin(), symbols.end());
    while (!open.empty()) {
      const Symbol symbol = open.back();
      open.pop_back();
      if (!known_.try_emplace(symbol).second) continue;
      if (symbol.kind() != Symbol::Kind::kRule) {
        settle(symbol);
        continue;
      }
      const DraftRule& rule = draft_.rules[symbol.index()];
      if (rule.lazy.source != LazyRule::kNone) settle(symbol);
      for (const Production& production : rule.productions)
        open.insert(open.end(), production.begin(), production.end());
    }
  }

  void settle(Symbol symbol) {
    Least& least = known_[symbol];
    if (symbol.kind() == Symbol::Kind::kTerminal) {
      least.text = regex::cut_shortest_member(draft_.exprs, draft_.terminals[symbol.index()].expr, limits_.regex_fuel,
                                              kKeptTextBytes);
    } else if (symbol.kind() == Symbol::Kind::kRule) {
      const LazyRule lazy = draft_.rules[symbol.index()].lazy;
      least.text = draft_.sources[lazy.source].source->maker(draft_.exprs)->short_text(lazy.handle, kKeptTextBytes);
      if (least.text && least.text->is_none()) least.text.reset();
    }
    if (least.text) least.length = least.text->length();
  }

  [[nodiscard]] std::uint64_t length_of(Symbol symbol) const { return known_.find(symbol)->second.length; }

  bool improve() {
    bool improved = false;
    for (auto& [symbol, least] : known_) {
      if (symbol.kind() != Symbol::Kind::kRule) continue;
      const std::vector<Production>& productions = draft_.rules[symbol.index()].productions;
      for (std::size_t p = 0; p < productions.size(); ++p) {
        std::uint64_t length = 0;
        for (const Symbol part : productions[p]) length = std::min(kNone, length + length_of(part));
        if (length >= least.length) continue;
        least.length = length;
        least.production = p;
        improved = true;
      }
    }
    return improved;
  }

  [[nodiscard]] base::CutText written(Symbol root) const {
    base::CutText text(kKeptTextBytes);
    std::vector<Symbol> open{root};
    while (!open.empty()) {
      const Symbol symbol = open.back();
      open.pop_back();
      const Least& least = known_.find(symbol)->second;
      if (least.text) {
        text.add(*least.text);
      } else if (!text.is_whole() || text.room() == 0) {
        text.add_unwritten(least.length);
      } else {
        const Production& production = draft_.rules[symbol.index()].productions[least.production];
        open.insert(open.end(), production.rbegin(), production.rend());
      }
    }
    return text;
  }

  Draft& draft_;
  const Limits& limits_;
  std::map<Symbol, Least> known_;
};

class ColumnPass {
 public:
  ColumnPass(Draft& draft, const Limits& limits)
      : draft_(draft),
        limits_(limits),
        nullable_(find_nullable_rules(draft)),
        number_of_(draft.rules.size()),
        not_empty_(draft.rules.size()) {}

  Result<void> run() {
    out_.indentation = *draft_.indentation;
    take_lead();
    if (auto done = find_lined(); !done) return done;
    settle_nullable();
    find_ways();
    if (auto done = check(); !done) return done;
    if (auto done = check_line_begins(); !done) return done;
    add_texts();
    frame_brackets();
    finish();
    return {};
  }

 private:
  [[nodiscard]] LineMark mark_of(Symbol symbol) const {
    return symbol.kind() == Symbol::Kind::kTokens ? draft_.token_sets[symbol.index()].mark : LineMark::kNone;
  }
  // Rules that this pass adds are not lined.
  [[nodiscard]] bool is_lined(std::uint32_t rule) const { return rule < number_of_.size() && number_of_[rule]; }

  // Takes out the production of ignored text at a line's begin, which becomes ColumnTemplates::lead.
  void take_lead() {
    for (DraftRule& rule : draft_.rules) {
      for (std::size_t p = 0; p < rule.productions.size(); ++p) {
        const Production& production = rule.productions[p];
        if (production.empty() || mark_of(production[0]) != LineMark::kLead) continue;
        out_.lead.assign(production.begin() + 1, production.end());
        rule.productions.erase(rule.productions.begin() + static_cast<std::ptrdiff_t>(p));
        return;
      }
    }
  }

  // Numbers the lined rules that the start rule reaches, and divides their productions.
  Result<void> find_lined() {
    std::vector<bool> lined(draft_.rules.size());
    for (std::uint32_t r = 0; r < draft_.rules.size(); ++r) {
      for (const Production& production : draft_.rules[r].productions) {
        lined[r] = lined[r] ||
                   std::ranges::any_of(production, [&](Symbol symbol) { return mark_of(symbol) != LineMark::kNone; });
      }
    }
    mark_users(draft_, lined);
    // Rule 0 of the templates is the start rule, whether it has line ends or not: parsing begins with it.
    number(static_cast<std::uint32_t>(draft_.start));
    for (std::size_t i = 0; i < out_.rules.size(); ++i) {
      const std::uint32_t rule = out_.rules[i].rule.index();
      if (draft_.rules[rule].max_tokens != kNoTokenLimit) return tl::unexpected(bounded(rule));
      for (const Production& production : draft_.rules[rule].productions) {
        for (const Symbol symbol : production) {
          if (symbol.kind() == Symbol::Kind::kRule && lined[symbol.index()]) number(symbol.index());
        }
      }
      for (const Production& production : std::vector<Production>(draft_.rules[rule].productions)) {
        const std::optional<std::uint32_t> suffix = divide(production, rule);
        if (!suffix) return tl::unexpected(unmatched(rule));
        out_.rules[i].productions.push_back(*suffix);
      }
    }
    return {};
  }

  void number(std::uint32_t rule) {
    if (is_lined(rule)) return;
    number_of_[rule] = static_cast<std::uint32_t>(out_.rules.size());
    out_.rules.push_back({Symbol::rule(RuleId{rule})});
  }

  // Returns where out_.suffixes has the whole production; nothing if an indent or a dedent has no partner in it.
  std::optional<std::uint32_t> divide(const Production& production, std::uint32_t rule) {
    std::vector<std::uint32_t> after{0};  // what follows, at each level of blocks
    const Production parts = frame_runs(production, rule);
    for (std::size_t i = parts.size(); i-- > 0;) {
      const Symbol symbol = parts[i];
      switch (mark_of(symbol)) {
        case LineMark::kDedent: after.push_back(0); continue;
        case LineMark::kIndent: {
          if (after.size() < 2) return std::nullopt;
          const std::uint32_t body = after.back();
          after.pop_back();
          after.back() = suffix({.part = Part::kBlock, .index = body}, after.back());
          continue;
        }
        default: after.back() = suffix(element(symbol), after.back());
      }
    }
    return after.size() == 1 ? std::optional(after[0]) : std::nullopt;
  }

  // Replaces each run of symbols within a line by a new rule, a frame, unless it has no rule or may be empty.
  Production frame_runs(const Production& production, std::uint32_t rule) {
    Production joined;
    Production run;
    const auto close = [&] {
      const bool has_rule = std::ranges::any_of(run, [](Symbol s) { return s.kind() == Symbol::Kind::kRule; });
      const bool may_be_empty =
          std::ranges::all_of(run, [&](Symbol s) { return s.kind() == Symbol::Kind::kRule && nullable_[s.index()]; });
      if (!has_rule || may_be_empty) {
        joined.insert(joined.end(), run.begin(), run.end());
      } else {
        joined.push_back(frame_of(run, rule));
      }
      run.clear();
    };
    for (const Symbol symbol : production) {
      const bool is_plain =
          mark_of(symbol) == LineMark::kNone && !(symbol.kind() == Symbol::Kind::kRule && is_lined(symbol.index()));
      if (is_plain) {
        run.push_back(symbol);
        continue;
      }
      close();
      joined.push_back(symbol);
    }
    close();
    return joined;
  }

  Element element(Symbol symbol) {
    if (mark_of(symbol) == LineMark::kNewline) {
      return {.part = Part::kNewline, .temperature = draft_.token_sets[symbol.index()].temperature};
    }
    if (symbol.kind() == Symbol::Kind::kTerminal) {
      return {.symbol = symbol, .temperature = draft_.terminals[symbol.index()].temperature};
    }
    if (symbol.kind() == Symbol::Kind::kTokens) {
      return {.symbol = symbol, .temperature = draft_.token_sets[symbol.index()].temperature};
    }
    const std::uint32_t rule = symbol.index();
    if (is_lined(rule)) return {.part = Part::kLined, .nullable = nullable_[rule], .index = *number_of_[rule]};
    if (!nullable_[rule]) return {.symbol = symbol};
    return {.nullable = true, .symbol = not_empty(symbol)};
  }

  std::uint32_t suffix(const Element& first, std::uint32_t rest) {
    const auto [found, is_new] =
        suffix_of_.try_emplace({first, rest}, static_cast<std::uint32_t>(out_.suffixes.size()));
    if (is_new) out_.suffixes.push_back({first, rest, false, {}});
    return found->second;
  }

  // Returns a copy of a rule without the empty text: in each production, a first symbol is not empty.
  Symbol not_empty(Symbol symbol) {
    if (symbol.kind() != Symbol::Kind::kRule || !nullable_[symbol.index()]) return symbol;
    std::vector<std::uint32_t> open;
    const Symbol copy = copy_of(symbol.index(), open);
    while (!open.empty()) {
      const std::uint32_t of = open.back();
      open.pop_back();
      std::vector<Production> productions;
      for (const Production& production : std::vector<Production>(draft_.rules[of].productions)) {
        for (std::size_t i = 0; i < production.size(); ++i) {
          const Symbol first = production[i];
          const bool may_be_empty = first.kind() == Symbol::Kind::kRule && nullable_[first.index()];
          Production rest(production.begin() + static_cast<std::ptrdiff_t>(i), production.end());
          if (may_be_empty) rest[0] = copy_of(first.index(), open);
          productions.push_back(std::move(rest));
          if (!may_be_empty) break;
        }
      }
      draft_.rules[not_empty_[of]->index()].productions = std::move(productions);
    }
    return copy;
  }

  Symbol copy_of(std::uint32_t rule, std::vector<std::uint32_t>& open) {
    if (!not_empty_[rule]) {
      DraftRule copy = draft_.rules[rule];
      copy.productions.clear();
      copy.name += "+";
      copy.generated = true;
      not_empty_[rule] = Symbol::rule(draft_.add_rule(std::move(copy)));
      open.push_back(rule);
    }
    return *not_empty_[rule];
  }

  void settle_nullable() {
    for (std::size_t s = 1; s < out_.suffixes.size(); ++s) {
      ColumnTemplates::Suffix& at = out_.suffixes[s];
      at.nullable = at.first.nullable && out_.suffixes[at.rest].nullable;
    }
    for (ColumnTemplates::Rule& rule : out_.rules) {
      for (const std::uint32_t production : rule.productions) {
        rule.nullable = rule.nullable || out_.suffixes[production].nullable;
      }
    }
  }

  void find_ways() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t s = 1; s < out_.suffixes.size(); ++s) {
        ColumnTemplates::Suffix& at = out_.suffixes[s];
        const ColumnTemplates::Suffix& rest = out_.suffixes[at.rest];
        for (std::uint32_t from = 0; from < ColumnTemplates::kStates; ++from) {
          std::uint8_t ways = at.first.nullable ? rest.ways[from] : 0;
          const std::uint8_t after = out_.after(at.first, from);
          for (std::uint32_t state = 0; state < ColumnTemplates::kStates; ++state) {
            if ((after >> state & 1) == 0) continue;
            ways = static_cast<std::uint8_t>(ways | rest.ways[state] | (rest.nullable ? 1 << state : 0));
          }
          changed = changed || (ways & ~at.ways[from]) != 0;
          at.ways[from] |= ways;
        }
      }
      for (ColumnTemplates::Rule& rule : out_.rules) {
        for (const std::uint32_t production : rule.productions) {
          for (std::uint32_t from = 0; from < ColumnTemplates::kStates; ++from) {
            const std::uint8_t ways = out_.suffixes[production].ways[from];
            changed = changed || (ways & ~rule.ways[from]) != 0;
            rule.ways[from] |= ways;
          }
        }
      }
    }
  }

  Result<void> check() const {
    for (const ColumnTemplates::Rule& rule : out_.rules) {
      for (std::uint32_t at : rule.productions) {
        for (; at != 0; at = out_.suffixes[at].rest) {
          const Element& x = out_.suffixes[at].first;
          if (x.part != Part::kBlock || !out_.suffixes[x.index].nullable) continue;
          return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                                      "a block of `" + name_of(rule.rule.index()) + "` may be empty",
                                      draft_.rules[rule.rule.index()].where,
                                      "between an indent and its dedent there is at least one line",
                                      {}});
        }
      }
    }
    const ColumnTemplates::Rule& start = out_.rules[0];
    if (start.ways[0] != 0 || start.nullable) return {};
    return tl::unexpected(Error{ErrorCode::kUnsatisfiable,
                                "no text matches `" + name_of(start.rule.index()) + "`",
                                draft_.rules[start.rule.index()].where,
                                "a block begins after a line end only, and ends before one",
                                {}});
  }

  // Refuses a terminal with which a line may begin if its texts may begin with what would also go on with the line end
  // before it, such as a blank: then the column would count only some of the blanks.
  Result<void> check_line_begins() {
    if (out_.indentation.continued == regex::ExprId::kNothing) return {};
    constexpr std::uint32_t kBlockBegin = ColumnTemplates::kStates;  // as state 0, right after the blanks of a line
    std::vector<std::array<bool, kBlockBegin + 1>> seen(out_.suffixes.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open;
    const auto enter = [&](std::uint32_t suffix, std::uint32_t from) {
      if (suffix == 0 || std::exchange(seen[suffix][from], true)) return;
      open.emplace_back(suffix, from);
    };
    for (const std::uint32_t production : out_.rules[0].productions) enter(production, 0);
    std::set<Symbol> begins;
    while (!open.empty()) {
      const auto [suffix, from] = open.back();
      open.pop_back();
      const ColumnTemplates::Suffix& at = out_.suffixes[suffix];
      if (at.first.nullable) enter(at.rest, from);
      const std::uint8_t after = out_.after(at.first, from == kBlockBegin ? 0 : from);
      for (std::uint32_t state = 0; state < ColumnTemplates::kStates; ++state) {
        if ((after >> state & 1) != 0) enter(at.rest, state);
      }
      switch (at.first.part) {
        case Part::kPlain:
          if (from == 1 || from == kBlockBegin) begins.insert(at.first.symbol);
          break;
        case Part::kLined:
          for (const std::uint32_t production : out_.rules[at.first.index].productions) enter(production, from);
          break;
        case Part::kBlock:
          if (from == 1) enter(at.first.index, kBlockBegin);
          break;
        case Part::kNewline: break;
      }
    }
    for (const std::uint32_t terminal : first_terminals(begins)) {
      const regex::ExprId both = draft_.exprs.intersection(draft_.terminals[terminal].expr, out_.indentation.continued);
      const regex::Emptiness emptiness = regex::emptiness(draft_.exprs, both, limits_.regex_fuel);
      if (emptiness == regex::Emptiness::kEmpty) continue;
      if (emptiness == regex::Emptiness::kUnknown) {
        return tl::unexpected(
            base::limit_error("deciding how a line may begin", "regex_fuel", draft_.terminals[terminal].where));
      }
      return tl::unexpected(
          Error{ErrorCode::kUnsupported,
                "a line may begin with what continues the line end before it",
                draft_.terminals[terminal].where,
                "a line end takes empty lines and all blanks after it; let the line begin with something else",
                {}});
    }
    return {};
  }

  // Returns the terminals with which the texts of the symbols begin. Lazy rules are left out.
  [[nodiscard]] std::set<std::uint32_t> first_terminals(const std::set<Symbol>& symbols) const {
    std::set<std::uint32_t> terminals;
    std::set<Symbol> seen = symbols;
    std::vector<Symbol> open(symbols.begin(), symbols.end());
    while (!open.empty()) {
      const Symbol symbol = open.back();
      open.pop_back();
      if (symbol.kind() == Symbol::Kind::kTerminal) terminals.insert(symbol.index());
      if (symbol.kind() != Symbol::Kind::kRule) continue;
      for (const Production& production : draft_.rules[symbol.index()].productions) {
        for (const Symbol part : production) {
          if (seen.insert(part).second) open.push_back(part);
          if (part.kind() != Symbol::Kind::kRule || part.index() >= nullable_.size() || !nullable_[part.index()]) break;
        }
      }
    }
    return terminals;
  }

  [[nodiscard]] Error unmatched(std::uint32_t rule) const {
    return {ErrorCode::kInvalidArgument,
            "in `" + name_of(rule) + "`, an indent and its dedent are not in one alternative",
            draft_.rules[rule].where,
            "write both in one alternative, with the block between them",
            {}};
  }

  // How many tokens a line needs depends on its column.
  [[nodiscard]] Error bounded(std::uint32_t rule) const {
    return {ErrorCode::kUnsupported,
            "`" + name_of(rule) + "` has line ends and `max_tokens`",
            draft_.rules[rule].where,
            "give `max_tokens` to parts of lines, or to the whole output",
            {}};
  }

  // The name that the user knows the rule by: `block` for `block.2`.
  [[nodiscard]] std::string name_of(std::uint32_t rule) const {
    const DraftRule& named = draft_.rules[rule];
    return named.generated ? named.name.substr(0, named.name.find('.')) : named.name;
  }

  void add_texts() {
    std::set<Symbol> symbols;
    for (std::size_t s = 1; s < out_.suffixes.size(); ++s) {
      if (out_.suffixes[s].first.part == Part::kPlain) symbols.insert(out_.suffixes[s].first.symbol);
    }
    PlainTexts texts(draft_, limits_);
    texts.find(symbols);
    for (const Symbol symbol : symbols) {
      if (std::optional<base::CutText> text = texts.text(symbol)) out_.texts.push_back({symbol, std::move(*text)});
    }
  }

  // Replaces what is between two terminals of a production by a frame if its rule can occur there again, as within
  // brackets.
  void frame_brackets() {
    const std::vector<std::uint32_t> component = components();
    for (std::uint32_t r = 0; r < component.size(); ++r) {
      if (draft_.rules[r].is_frame || draft_.rules[r].lazy.source != LazyRule::kNone || is_lined(r)) continue;
      // A rule of the production can derive the production iff each can derive the other.
      const auto recurs = [&](Symbol part) { return component[part.index()] == component[r]; };
      for (std::size_t p = 0; p < draft_.rules[r].productions.size(); ++p) {
        const Production production = draft_.rules[r].productions[p];
        Production joined, run;
        bool is_open = false;
        for (const Symbol symbol : production) {
          if (symbol.kind() == Symbol::Kind::kRule) {
            run.push_back(symbol);
            continue;
          }
          if (is_open && std::ranges::any_of(run, recurs)) run = {frame_of(run, r)};
          joined.insert(joined.end(), run.begin(), run.end());
          joined.push_back(symbol);
          run.clear();
          is_open = symbol.kind() == Symbol::Kind::kTerminal;
        }
        joined.insert(joined.end(), run.begin(), run.end());
        draft_.rules[r].productions[p] = std::move(joined);
      }
    }
  }

  // Returns for each rule the strongly connected component of the grammar that it is in.
  [[nodiscard]] std::vector<std::uint32_t> components() const {
    std::vector<std::vector<std::uint32_t>> edges(draft_.rules.size());
    for (std::size_t r = 0; r < edges.size(); ++r) {
      for (const Production& production : draft_.rules[r].productions) {
        base::Work::charge(production.size());
        for (const Symbol symbol : production) {
          if (symbol.kind() == Symbol::Kind::kRule) edges[r].push_back(symbol.index());
        }
      }
    }
    std::vector<std::uint32_t> component(edges.size());
    std::uint32_t number = 0;
    for (const std::vector<std::uint32_t>& members : base::strong_components(edges)) {
      for (const std::uint32_t member : members) component[member] = number;
      ++number;
    }
    return component;
  }

  // Returns the frame that derives `run`, which is a part of a production of `rule`.
  Symbol frame_of(const Production& run, std::uint32_t rule) {
    const auto [found, is_new] = frame_of_.try_emplace(run);
    if (is_new) {
      const DraftRule& whole = draft_.rules[rule];
      DraftRule frame{.name = whole.name, .where = whole.where, .generated = true, .productions = {run}};
      frame.is_frame = true;
      found->second = Symbol::rule(draft_.add_rule(std::move(frame)));
      nullable_.resize(draft_.rules.size());
      nullable_.back() = std::ranges::all_of(
          run, [&](Symbol part) { return part.kind() == Symbol::Kind::kRule && nullable_[part.index()]; });
      number_of_.resize(draft_.rules.size());
      not_empty_.resize(draft_.rules.size());
    }
    return found->second;
  }

  // Leaves lined rules without productions, and makes a start rule of the lazy rule for the whole text.
  void finish() {
    const std::vector<bool> capturing = find_capturing_rules(draft_);
    out_.holds_captures = capturing[static_cast<std::uint32_t>(draft_.start)];
    for (const ColumnTemplates::Rule& rule : out_.rules) draft_.rules[rule.rule.index()].productions.clear();
    regex::ExprSet& exprs = draft_.exprs;
    out_.distinguished = {out_.indentation.newline, out_.indentation.rest};
    for (const char* blank : {" ", "\t", "\n"}) out_.distinguished.push_back(exprs.literal(blank));
    DraftRule text{.name = "text", .where = draft_.rule(draft_.start).where, .generated = true};
    text.lazy = {static_cast<std::uint32_t>(draft_.sources.size()), 0};
    draft_.columns = std::make_shared<ColumnTemplates>(std::move(out_));
    draft_.sources.push_back({make_column_source(draft_.columns)});
    const Symbol whole = Symbol::rule(draft_.add_rule(std::move(text)));
    DraftRule start{.name = "start of the text", .where = draft_.rule(draft_.start).where, .generated = true};
    if (draft_.columns->rules[0].ways[0] != 0) start.productions.push_back({whole});
    if (draft_.columns->rules[0].nullable) start.productions.emplace_back();
    draft_.start = draft_.add_rule(std::move(start));
  }

  Draft& draft_;
  const Limits& limits_;
  std::vector<bool> nullable_;
  std::vector<std::optional<std::uint32_t>> number_of_;  // by rule; of lined rules
  std::vector<std::optional<Symbol>> not_empty_;         // by rule
  std::map<Production, Symbol> frame_of_;                // by what a frame derives
  std::map<std::pair<Element, std::uint32_t>, std::uint32_t> suffix_of_;
  ColumnTemplates out_;
};

}  // namespace

WEIR_REPLACEABLE Result<void> make_columns(Draft& draft, const Limits& limits) {
  if (!draft.indentation) return {};
  return ColumnPass(draft, limits).run();
}

}  // namespace weir::grammar
