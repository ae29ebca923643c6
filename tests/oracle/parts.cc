#include "oracle/parts.h"

#include <algorithm>

namespace weir::oracle {
namespace {

// The states of UTF-8 between two bytes: 0 between two characters; 1 to 3 before as many continuation bytes; the others
// after lead bytes whose next byte is restricted (Unicode 15, table 3-7).
enum Utf8State : std::uint8_t { kBoundary, kOne, kTwo, kThree, kAfterE0, kAfterEd, kAfterF0, kAfterF4, kInvalid };

Utf8State utf8_step(Utf8State state, unsigned char byte) {
  const auto in = [byte](int low, int high) { return byte >= low && byte <= high; };
  switch (state) {
    case kBoundary:
      if (in(0x00, 0x7F)) return kBoundary;
      if (in(0xC2, 0xDF)) return kOne;
      if (byte == 0xE0) return kAfterE0;
      if (byte == 0xED) return kAfterEd;
      if (in(0xE1, 0xEF)) return kTwo;
      if (byte == 0xF0) return kAfterF0;
      if (in(0xF1, 0xF3)) return kThree;
      return byte == 0xF4 ? kAfterF4 : kInvalid;
    case kOne: return in(0x80, 0xBF) ? kBoundary : kInvalid;
    case kTwo: return in(0x80, 0xBF) ? kOne : kInvalid;
    case kThree: return in(0x80, 0xBF) ? kTwo : kInvalid;
    case kAfterE0: return in(0xA0, 0xBF) ? kOne : kInvalid;
    case kAfterEd: return in(0x80, 0x9F) ? kOne : kInvalid;
    case kAfterF0: return in(0x90, 0xBF) ? kTwo : kInvalid;
    case kAfterF4: return in(0x80, 0x8F) ? kTwo : kInvalid;
    case kInvalid: break;
  }
  return kInvalid;
}

// Removes the states from which no accepting state is reachable.
Machine trimmed(Machine machine) {
  std::vector<char> live = machine.accepting;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t state = 0; state < live.size(); ++state) {
      for (const std::int32_t to : machine.next[state]) {
        if (!live[state] && to != Machine::kNone && live[static_cast<std::size_t>(to)]) live[state] = 1, changed = true;
      }
    }
  }
  if (live.empty() || !live[0]) return {};
  Machine result;
  std::vector<std::int32_t> ids(live.size(), Machine::kNone);
  std::int32_t states = 0;
  for (std::size_t state = 0; state < live.size(); ++state) {
    if (live[state]) ids[state] = states++;
  }
  for (std::size_t state = 0; state < live.size(); ++state) {
    if (!live[state]) continue;
    result.accepting.push_back(machine.accepting[state]);
    result.next.push_back(machine.next[state]);
    for (std::int32_t& to : result.next.back()) {
      if (to != Machine::kNone) to = ids[static_cast<std::size_t>(to)];
    }
  }
  return result;
}

// Returns the machine of the texts without any of `strings`, or of those that end where strings[*wanted] is the first.
// A state is a state of UTF-8 and the longest suffix that is a proper prefix of some string.
Machine text_machine(const std::vector<std::string>& strings, std::optional<std::size_t> wanted) {
  Machine machine;
  std::map<std::pair<Utf8State, std::string>, std::int32_t> ids{{{kBoundary, ""}, 0}};
  std::vector<std::pair<Utf8State, std::string>> states{{kBoundary, ""}};
  constexpr std::int32_t kFound = 1;  // where the wanted string is complete
  if (wanted) states.emplace_back(kInvalid, "");
  for (std::size_t id = 0; id < states.size(); ++id) {
    const auto [utf8, suffix] = states[id];
    machine.accepting.push_back(wanted ? id == kFound : utf8 == kBoundary);
    machine.next.emplace_back().fill(Machine::kNone);
    for (int byte = 0; byte < 256; ++byte) {
      const Utf8State to = utf8_step(utf8, static_cast<unsigned char>(byte));
      if (to == kInvalid) continue;
      std::string text = suffix + static_cast<char>(byte);
      if (wanted && text.ends_with(strings[*wanted])) {
        machine.next[id][static_cast<std::size_t>(byte)] = kFound;
        continue;
      }
      if (std::ranges::any_of(strings, [&](const std::string& string) { return text.ends_with(string); })) continue;
      while (std::ranges::none_of(strings, [&](const std::string& string) { return string.starts_with(text); })) {
        if (text.empty()) break;
        text.erase(0, 1);
      }
      const auto [it, is_new] = ids.try_emplace({to, text}, static_cast<std::int32_t>(states.size()));
      if (is_new) states.emplace_back(to, text);
      machine.next[id][static_cast<std::size_t>(byte)] = it->second;
    }
  }
  return trimmed(std::move(machine));
}

}  // namespace

Machine machine_of(const RegexPtr& regex, std::string_view alphabet) {
  const Dfa dfa(regex, alphabet);
  Machine machine;
  for (Dfa::State state = 0; state < dfa.size(); ++state) {
    machine.accepting.push_back(dfa.accepting(state));
    machine.next.emplace_back().fill(Machine::kNone);
    for (const char byte : alphabet) {
      machine.next.back()[static_cast<unsigned char>(byte)] = static_cast<std::int32_t>(dfa.step(state, byte));
    }
  }
  return trimmed(std::move(machine));
}

Machine text_without(const std::vector<std::string>& strings) { return text_machine(strings, std::nullopt); }

Machine text_until(const std::vector<std::string>& strings, std::size_t wanted) {
  return text_machine(strings, wanted);
}

PartAutomaton::PartAutomaton(PartGraph graph, const SortedVocabulary& vocabulary)
    : graph_(std::move(graph)), vocabulary_(vocabulary) {
  has_bounds_ = std::ranges::any_of(graph_.parts, [](const Part& part) { return part.max_tokens.has_value(); });
  std::vector<Reading> readings;
  for (const std::size_t part : graph_.first) {
    if (!graph_.parts[part].machine.next.empty()) add(readings, {.part = static_cast<std::uint32_t>(part)});
  }
  start_ = intern(std::move(readings), true);
}

// Adds the reading, and those that begin the next part if this one may end here.
void PartAutomaton::add(std::vector<Reading>& readings, const Reading& reading) const {
  if (std::ranges::find(readings, reading) != readings.end()) return;
  readings.push_back(reading);
  const Part& part = graph_.parts[reading.part];
  if (!part.machine.accepting[static_cast<std::size_t>(reading.state)]) return;
  Reading next{.greedy = reading.greedy};
  if (part.mode == Mode::kGreedy) next.greedy.emplace_back(reading.part, reading.state);
  std::ranges::sort(next.greedy);
  next.greedy.erase(std::ranges::unique(next.greedy).begin(), next.greedy.end());
  for (const std::size_t following : part.next) {
    next.part = static_cast<std::uint32_t>(following);
    if (!graph_.parts[following].machine.next.empty()) add(readings, next);
  }
}

PartAutomaton::State PartAutomaton::intern(std::vector<Reading> readings, bool is_start) {
  std::ranges::sort(readings);
  readings.erase(std::ranges::unique(readings).begin(), readings.end());
  const auto [it, is_new] = ids_.try_emplace({readings, is_start}, static_cast<State>(sets_.size()));
  if (is_new) {
    Set set{.readings = std::move(readings)};
    set.next.fill(-1);
    set.is_member =
        (is_start && graph_.has_empty_text) || std::ranges::any_of(set.readings, [&](const Reading& reading) {
          const Part& part = graph_.parts[reading.part];
          return part.is_last && part.machine.accepting[static_cast<std::size_t>(reading.state)];
        });
    sets_.push_back(std::move(set));
  }
  return it->second;
}

PartAutomaton::State PartAutomaton::after_byte(State state, char byte) {
  const auto at = static_cast<unsigned char>(byte);
  if (sets_[state].next[at] >= 0) return static_cast<State>(sets_[state].next[at]);
  std::vector<Reading> readings;
  for (const Reading& reading : sets_[state].readings) {
    const Part& part = graph_.parts[reading.part];
    const auto from = static_cast<std::size_t>(reading.state);
    if (part.mode == Mode::kLazy && part.machine.accepting[from]) continue;
    Reading next{
        .part = reading.part, .state = part.machine.next[from][at], .tokens = reading.tokens, .is_counted = true};
    if (next.state == Machine::kNone) continue;
    if (!part.max_tokens) {
      next.is_counted = false;
    } else if (!reading.is_counted && ++next.tokens > *part.max_tokens) {
      continue;
    }
    bool is_longer = false;
    for (const auto& [greedy, greedy_state] : reading.greedy) {
      const Machine& machine = graph_.parts[greedy].machine;
      const std::int32_t to = machine.next[static_cast<std::size_t>(greedy_state)][at];
      if (to == Machine::kNone) continue;
      is_longer = is_longer || machine.accepting[static_cast<std::size_t>(to)];
      next.greedy.emplace_back(greedy, to);
    }
    std::ranges::sort(next.greedy);
    if (!is_longer) add(readings, next);
  }
  const State to = intern(std::move(readings), false);
  sets_[state].next[at] = to;
  return to;
}

PartAutomaton::State PartAutomaton::after_token(State state) {
  if (!has_bounds_) return state;
  if (sets_[state].after_token < 0) {
    std::vector<Reading> readings = sets_[state].readings;
    for (Reading& reading : readings) reading.is_counted = false;
    const State to = intern(std::move(readings), false);
    sets_[state].after_token = to;
  }
  return static_cast<State>(sets_[state].after_token);
}

PartAutomaton::State PartAutomaton::step(State state, std::string_view token) {
  for (const char byte : token) state = after_byte(state, byte);
  return after_token(state);
}

// Calls visit(token, state after it) for each token with bytes that leads to a set that is not empty.
template <typename Visit>
void PartAutomaton::for_each_token(State state, Visit visit) {
  std::vector<State> path{state};  // after each byte of `read`
  std::string_view read;
  for (const std::uint32_t token : vocabulary_.order()) {
    const std::string_view bytes = vocabulary_.vocabulary().tokens[token];
    path.resize(static_cast<std::size_t>(std::ranges::mismatch(read, bytes).in1 - read.begin()) + 1);
    while (path.size() <= bytes.size() && !sets_[path.back()].readings.empty()) {
      path.push_back(after_byte(path.back(), bytes[path.size() - 1]));
    }
    read = bytes.substr(0, path.size() - 1);
    if (read.size() == bytes.size() && !sets_[path.back()].readings.empty()) visit(token, after_token(path.back()));
  }
}

std::vector<PartAutomaton::State> PartAutomaton::successors(State state) {
  std::vector<State> result;
  if (has_bounds_) {
    for_each_token(state, [&](std::uint32_t, State to) {
      if (result.empty() || result.back() != to) result.push_back(to);
    });
  } else {
    for (int byte = 0; byte < 256; ++byte) result.push_back(after_byte(state, static_cast<char>(byte)));
  }
  std::ranges::sort(result);
  result.erase(std::ranges::unique(result).begin(), result.end());
  return result;
}

bool PartAutomaton::can_end(State state) {
  if (sets_[state].can_end) return *sets_[state].can_end;
  std::vector<State> found{state};
  std::vector<bool> is_found(sets_.size(), false);
  is_found[state] = true;
  bool result = false;
  for (std::size_t at = 0; at < found.size() && !result; ++at) {
    result = sets_[found[at]].is_member || sets_[found[at]].can_end.value_or(false);
    if (result || sets_[found[at]].can_end) continue;
    for (const State to : successors(found[at])) {
      is_found.resize(sets_.size(), false);
      if (is_found[to]) continue;
      is_found[to] = true;
      found.push_back(to);
    }
  }
  if (!result) {
    for (const State none : found) sets_[none].can_end = false;
  }
  sets_[state].can_end = result;
  return result;
}

std::vector<bool> PartAutomaton::mask(State state) {
  std::vector<bool> result(vocabulary_.vocabulary().tokens.size(), false);
  for (const std::uint32_t token : vocabulary_.vocabulary().stop_tokens) result[token] = is_member(state);
  for_each_token(state, [&](std::uint32_t token, State to) { result[token] = can_end(to); });
  return result;
}

}  // namespace weir::oracle
