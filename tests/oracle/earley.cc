#include "oracle/earley.h"

namespace weir::oracle {
namespace {

std::vector<bool> nullable_rules(const Cfg& cfg) {
  std::vector<bool> nullable(cfg.names.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Production& p : cfg.productions) {
      bool all = true;
      for (const Symbol& s : p.symbols) all = all && s.is_rule && nullable[s.rule];
      if (all && !nullable[p.rule]) nullable[p.rule] = true, changed = true;
    }
  }
  return nullable;
}

}  // namespace

Earley::Earley(const Cfg& cfg)
    : cfg_(productive_part(cfg)), first_dots_(cfg_.names.size()), nullable_(nullable_rules(cfg_)) {
  for (const Production& p : cfg_.productions) {
    const auto rule = static_cast<std::uint32_t>(p.rule);
    first_dots_[rule].push_back(static_cast<std::uint32_t>(dots_.size()));
    for (const Symbol& s : p.symbols) dots_.push_back({rule, &s});
    dots_.push_back({rule, nullptr});
  }
  restart("");
}

void Earley::restart(std::string_view text) {
  sets_.assign(1, {});
  seen_.clear();
  for (const std::uint32_t dot : first_dots_[cfg_.start]) add(sets_[0], {dot, 0});
  close(sets_[0], 0);
  push(text);
}

void Earley::add(Set& set, Item item) {
  if (seen_.insert((std::uint64_t{item.dot} << 32) | item.origin).second) set.push_back(item);
}

void Earley::close(Set& set, std::uint32_t position) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    const Item item = set[i];
    const Dot dot = dots_[item.dot];
    if (dot.next != nullptr) {
      if (!dot.next->is_rule) continue;
      for (const std::uint32_t first : first_dots_[dot.next->rule]) add(set, {first, position});
      if (nullable_[dot.next->rule]) add(set, {item.dot + 1, item.origin});
    } else if (item.origin != position) {
      for (const Item& waiting : sets_[item.origin]) {
        const Symbol* next = dots_[waiting.dot].next;
        if (next != nullptr && next->is_rule && next->rule == dot.rule) add(set, {waiting.dot + 1, waiting.origin});
      }
    }
  }
}

void Earley::push(char byte) {
  Set set;
  seen_.clear();
  for (const Item& item : sets_.back()) {
    const Symbol* next = dots_[item.dot].next;
    if (next != nullptr && !next->is_rule && next->bytes[static_cast<unsigned char>(byte)]) {
      add(set, {item.dot + 1, item.origin});
    }
  }
  close(set, static_cast<std::uint32_t>(sets_.size()));
  sets_.push_back(std::move(set));
}

void Earley::push(std::string_view bytes) {
  for (const char byte : bytes) push(byte);
}

bool Earley::member() const {
  for (const Item& item : sets_.back()) {
    if (item.origin == 0 && dots_[item.dot].next == nullptr && dots_[item.dot].rule == cfg_.start) return true;
  }
  return false;
}

ByteSet Earley::next_bytes() const {
  ByteSet result;
  for (const Item& item : sets_.back()) {
    const Symbol* next = dots_[item.dot].next;
    if (next != nullptr && !next->is_rule) result |= next->bytes;
  }
  return result;
}

bool is_member(const Cfg& cfg, std::string_view text) {
  Earley earley(cfg);
  earley.push(text);
  return earley.member();
}

bool is_viable_prefix(const Cfg& cfg, std::string_view text) {
  Earley earley(cfg);
  earley.push(text);
  return earley.viable();
}

}  // namespace weir::oracle
