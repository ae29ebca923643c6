#include "oracle/readings.h"

#include <algorithm>

namespace weir::oracle {

namespace {

// Returns the least set that contains every rule that has a production with `is_in(production, set)`.
template <typename IsIn>
std::vector<bool> least(const Cfg& cfg, IsIn is_in) {
  std::vector<bool> set(cfg.names.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Production& p : cfg.productions) {
      if (set[p.rule] || !is_in(p, set)) continue;
      set[p.rule] = changed = true;
    }
  }
  return set;
}

// The first symbols of a production.
struct Partial {
  std::size_t at;
  Reading spans;
};

Reading joined(Reading left, const Reading& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

bool all_in(const std::vector<Symbol>& symbols, const std::vector<bool>& set) {
  return std::all_of(symbols.begin(), symbols.end(), [&](const Symbol& s) { return s.is_rule && set[s.rule]; });
}

}  // namespace

bool is_cyclic(const Cfg& cfg) {
  const std::size_t n = cfg.names.size();
  const std::vector<bool> empty =
      least(cfg, [](const Production& p, const auto& set) { return all_in(p.symbols, set); });
  std::vector<char> leads(n * n, 0);
  for (const Production& p : cfg.productions) {
    for (std::size_t k = 0; k < p.symbols.size(); ++k) {
      std::vector<Symbol> others = p.symbols;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      if (p.symbols[k].is_rule && all_in(others, empty)) leads[p.rule * n + p.symbols[k].rule] = 1;
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (leads[i * n + k] && leads[k * n + j]) leads[i * n + j] = 1;
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (leads[i * n + i]) return true;
  }
  return false;
}

Readings::Readings(const Cfg& cfg, const std::vector<bool>& named, std::string_view text)
    : cfg_(cfg), named_(named), text_(text) {
  const std::size_t n = text.size() + 1;
  table_.assign(cfg.names.size() * n * n, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Production& p : cfg.productions) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j) {
          if (derives(p.rule, i, j) || !derives(p.symbols, 0, p.symbols.size(), i, j)) continue;
          table_[(p.rule * n + i) * n + j] = 1;
          changed = true;
        }
      }
    }
  }
  holds_name_ = least(cfg, [&](const Production& p, const auto& set) {
    return named[p.rule] ||
           std::any_of(p.symbols.begin(), p.symbols.end(), [&](const Symbol& s) { return s.is_rule && set[s.rule]; });
  });
  vanishes_ =
      least(cfg, [&](const Production& p, const auto& set) { return !named[p.rule] && all_in(p.symbols, set); });
}

bool Readings::derives(const Symbol& symbol, std::size_t i, std::size_t j) const {
  if (symbol.is_rule) return derives(symbol.rule, i, j);
  return j == i + 1 && symbol.bytes[static_cast<unsigned char>(text_[i])];
}

bool Readings::derives(const std::vector<Symbol>& symbols, std::size_t first, std::size_t last, std::size_t i,
                       std::size_t j) const {
  if (first == last) return i == j;
  for (std::size_t m = i; m <= j; ++m) {
    if (derives(symbols[first], i, m) && derives(symbols, first + 1, last, m, j)) return true;
  }
  return false;
}

Reading Readings::chosen() const {
  Reading out;
  choose(cfg_.start, 0, text_.size(), out);
  return out;
}

void Readings::choose(std::size_t rule, std::size_t i, std::size_t j, Reading& out) const {
  if (named_[rule]) out.push_back({rule, i, j});
  if (i == j && vanishes_[rule]) return;
  for (const Production& p : cfg_.productions) {
    const std::vector<Symbol>& symbols = p.symbols;
    const std::size_t count = symbols.size();
    if (p.rule != rule || !derives(symbols, 0, count, i, j)) continue;
    std::size_t at = i;
    for (std::size_t k = 0; k < count;) {
      std::size_t next = k + 1;
      while (!holds_name(symbols[k]) && next < count && !holds_name(symbols[next])) ++next;
      std::size_t end = j;
      while (!derives(symbols, k, next, at, end) || !derives(symbols, next, count, end, j)) --end;
      if (holds_name(symbols[k])) choose(symbols[k].rule, at, end, out);
      at = end;
      k = next;
    }
    return;
  }
}

std::set<Reading> Readings::all(std::size_t limit) const { return all_of(cfg_.start, 0, text_.size(), limit); }

std::set<Reading> Readings::all_of(std::size_t rule, std::size_t i, std::size_t j, std::size_t limit) const {
  std::set<Reading> out;
  for (const Production& p : cfg_.productions) {
    const std::size_t count = p.symbols.size();
    if (p.rule != rule || !derives(p.symbols, 0, count, i, j)) continue;
    std::vector<Partial> partial{{i, named_[rule] ? Reading{{rule, i, j}} : Reading{}}};
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<Partial> next;
      for (const Partial& so_far : partial) {
        for (std::size_t m = so_far.at; m <= j && next.size() < limit; ++m) {
          if (!derives(p.symbols[k], so_far.at, m) || !derives(p.symbols, k + 1, count, m, j)) continue;
          for (const Reading& spans : closed_symbol(p.symbols[k], so_far.at, m, limit)) {
            next.push_back({m, joined(so_far.spans, spans)});
          }
        }
      }
      partial = std::move(next);
    }
    for (Partial& whole : partial) out.insert(std::move(whole.spans));
    if (out.size() >= limit) break;
  }
  return out;
}

std::set<Reading> Readings::closed_symbol(const Symbol& symbol, std::size_t i, std::size_t j, std::size_t limit) const {
  return holds_name(symbol) ? all_of(symbol.rule, i, j, limit) : std::set<Reading>{{}};
}

std::set<Reading> Readings::beginnings(std::size_t limit) const { return open_of(cfg_.start, 0, limit); }

std::set<Reading> Readings::open_of(std::size_t rule, std::size_t i, std::size_t limit) const {
  std::set<Reading> out;
  if (!under_way_.insert({rule, i}).second) return out;
  const std::size_t end = text_.size();
  const Reading itself = named_[rule] ? Reading{{rule, i, end + 1}} : Reading{};
  for (const Production& p : cfg_.productions) {
    if (p.rule != rule) continue;
    std::vector<Partial> partial{{i, itself}};
    for (const Symbol& symbol : p.symbols) {
      std::vector<Partial> next;
      for (const Partial& so_far : partial) {
        if (so_far.at == end) {
          out.insert(so_far.spans);  // the symbol has not begun
        } else if (symbol.is_rule) {
          for (const Reading& spans : open_of(symbol.rule, so_far.at, limit)) out.insert(joined(so_far.spans, spans));
        }
        for (std::size_t m = so_far.at; m <= end && next.size() < limit; ++m) {
          if (!derives(symbol, so_far.at, m)) continue;
          for (const Reading& spans : closed_symbol(symbol, so_far.at, m, limit)) {
            next.push_back({m, joined(so_far.spans, spans)});
          }
        }
      }
      partial = std::move(next);
    }
    if (out.size() >= limit) break;
  }
  under_way_.erase({rule, i});
  return out;
}

}  // namespace weir::oracle
