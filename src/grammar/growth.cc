#include "grammar/growth.h"
#include "base/node_bytes.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace weir::grammar {

namespace {

constexpr std::uint64_t key_of(const LazyRule& rule) {
  return (static_cast<std::uint64_t>(rule.source) << 32) | rule.handle;
}

Cfg copy_without_expressions(const Cfg& seed) {
  Cfg copy{regex::ExprSet(0)};
  copy.terminals = seed.terminals;
  copy.token_sets = seed.token_sets;
  copy.symbols = seed.symbols;
  copy.rules = seed.rules;
  copy.sources = seed.sources;
  copy.captures = seed.captures;
  copy.start = seed.start;
  return copy;
}

}  // namespace

GrowingCfg::GrowingCfg(const Cfg& seed, regex::ExprSet& exprs, OnTerminal on_terminal, Purpose purpose)
    : cfg_(copy_without_expressions(seed)),
      exprs_(exprs),
      on_terminal_(std::move(on_terminal)),
      purpose_(purpose),
      makers_(seed.sources.size()),
      made_(seed.rules.size(), false) {
  if (cfg_.sources.empty()) return;
  has_followers_ = std::any_of(cfg_.sources.begin(), cfg_.sources.end(),
                               [](const LazySource& s) { return s.source->follows_text(); });
  for (std::uint32_t t = 0; t < cfg_.terminals.size(); ++t) {
    const Terminal& terminal = cfg_.terminals[t];
    if (terminal.mode != base::LexemeMode::kExact || terminal.follow != regex::ExprId::kAllStrings) continue;
    terminal_of_.emplace(terminal_key(terminal.expr, terminal.temperature), TerminalId{t});
  }
  for (std::uint32_t r = 0; r < cfg_.rules.size(); ++r) {
    if (cfg_.rules[r].lazy.source != LazyRule::kNone) rule_of_.emplace(key_of(cfg_.rules[r].lazy), RuleId{r});
  }
}

std::size_t GrowingCfg::memory_bytes() const {
  std::size_t bytes = cfg_.terminals.capacity() * sizeof(Terminal) + cfg_.rules.capacity() * sizeof(CfgRule) +
                      cfg_.symbols.capacity() * sizeof(Symbol) + added_bytes_ + base::node_bytes(terminal_of_) +
                      base::node_bytes(rule_of_) + base::node_bytes(settled_) +
                      maker_rules_.capacity() * sizeof(RuleId);
  for (const std::unique_ptr<RuleMaker>& maker : makers_) {
    if (maker != nullptr) bytes += maker->memory_bytes();
  }
  return bytes;
}

RuleMaker& GrowingCfg::maker_of(const LazyRule& rule) {
  std::unique_ptr<RuleMaker>& maker = makers_[rule.source];
  if (maker == nullptr) maker = cfg_.sources[rule.source].source->maker(exprs_);
  return *maker;
}

base::Limit GrowingCfg::make(RuleId rule) {
  const LazyRule lazy = cfg_.rule(rule).lazy;
  current_ = rule;
  base::Work::set_rule(static_cast<std::uint32_t>(rule));
  const base::Limit limit = maker_of(lazy).make(lazy.handle, *this);
  const bool is_made = limit == base::Limit::kNone;
  made_[static_cast<std::size_t>(rule)] = is_made;
  if (!is_made) cfg_.rules[static_cast<std::size_t>(rule)].productions.clear();
  return limit;
}

std::string GrowingCfg::describe(base::Work::Place place) {
  std::string text;
  std::size_t rule = place.index;
  if (!place.is_rule) {
    if (place.index >= cfg_.terminals.size()) return {};
    text = " in terminal `" + cfg_.terminals[place.index].name + "`";
    const std::size_t first_added = cfg_.terminals.size() - maker_rules_.size();
    if (place.index < first_added) return text;
    rule = static_cast<std::size_t>(maker_rules_[place.index - first_added]);
  }
  const LazyRule lazy = cfg_.rules[rule].lazy;
  const std::string where = maker_of(lazy).place(lazy.handle);
  return where.empty() ? text : text + " at `" + where + "`";
}

std::optional<base::CutText> GrowingCfg::short_text(RuleId rule, std::size_t most) {
  const LazyRule lazy = cfg_.rule(rule).lazy;
  return maker_of(lazy).short_text(lazy.handle, most);
}

std::string_view GrowingCfg::deciding_text(ItemId item, std::string_view text) {
  return maker_of(cfg_.rules[cfg_.symbol(item).index()].lazy).deciding_text(text);
}

ItemId GrowingCfg::settle(ItemId item, std::string_view deciding_text) {
  current_ = RuleId{cfg_.symbol(item).index()};
  const LazyRule lazy = cfg_.rule(current_).lazy;
  const RuleId settled =
      rule(maker_of(lazy).settle(lazy.handle, deciding_text), [&] { return cfg_.rule(current_).name; });
  const std::uint64_t key = (static_cast<std::uint64_t>(item) << 32) | static_cast<std::uint32_t>(settled);
  const auto [it, is_new] = settled_.try_emplace(key, ItemId{static_cast<std::uint32_t>(cfg_.symbols.size())});
  if (!is_new) return it->second;
  // The new item belongs to no rule's production: the settled rule, then the rest of the old production.
  cfg_.symbols.push_back(Symbol::rule(settled));
  while (cfg_.symbol(item).kind() != Symbol::Kind::kEnd) {
    item = Cfg::next(item);
    cfg_.symbols.push_back(cfg_.symbol(item));
  }
  return it->second;
}

std::uint64_t GrowingCfg::terminal_key(regex::ExprId expr, float temperature) {
  return (std::uint64_t{std::bit_cast<std::uint32_t>(temperature)} << 32) | static_cast<std::uint32_t>(expr);
}

float GrowingCfg::source_temperature() const { return cfg_.sources[cfg_.rule(current_).lazy.source].temperature; }

std::uint64_t GrowingCfg::rule_key(std::uint32_t handle) const {
  return key_of(LazyRule{cfg_.rule(current_).lazy.source, handle});
}

TerminalId GrowingCfg::add_terminal(regex::ExprId expr, float temperature, std::string name) {
  const TerminalId id{static_cast<std::uint32_t>(cfg_.terminals.size())};
  terminal_of_.emplace(terminal_key(expr, temperature), id);
  Terminal added{.expr = expr, .name = std::move(name)};
  added.temperature = temperature;
  added_bytes_ += added.name.size();
  cfg_.terminals.push_back(std::move(added));
  maker_rules_.push_back(current_);
  on_terminal_(cfg_.terminals.back());
  return id;
}

RuleId GrowingCfg::add_rule(std::uint32_t handle, std::string name, const Attributes& attributes) {
  const RuleId id{static_cast<std::uint32_t>(cfg_.rules.size())};
  rule_of_.emplace(rule_key(handle), id);
  CfgRule added;
  added.lazy = {cfg_.rule(current_).lazy.source, handle};
  added.name = std::move(name);
  added.capture = attributes.capture;
  added.holds_capture = attributes.holds_capture;
  added.max_tokens = attributes.max_tokens;
  added.is_frame = attributes.is_frame;
  added_bytes_ += added.name.size();
  cfg_.rules.push_back(std::move(added));
  made_.push_back(false);
  return id;
}

void GrowingCfg::produce(std::span<const Symbol> symbols) {
  CfgRule& rule = cfg_.rules[static_cast<std::size_t>(current_)];
  added_bytes_ += sizeof(ItemId);
  rule.productions.push_back(ItemId{static_cast<std::uint32_t>(cfg_.symbols.size())});
  cfg_.symbols.insert(cfg_.symbols.end(), symbols.begin(), symbols.end());
  cfg_.symbols.push_back(Symbol::end(current_));
}

}  // namespace weir::grammar
