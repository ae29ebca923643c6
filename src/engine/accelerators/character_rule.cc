#include "engine/accelerators/character_rule.h"

#include <algorithm>
#include <vector>

#include "engine/residuals/character_automaton.h"
#include "engine/search_bounds.h"

namespace weir::engine {

using vocab::CharacterKind;
using vocab::CharacterSet;

namespace {

// Returns all kinds of characters that subtrees are described by.
CharacterSet all_characters() {
  CharacterSet all;
  for_each_ascii([&](std::uint8_t byte) { all.add(vocab::kind_of_ascii(byte)); });
  all |= beyond_ascii();
  return all;
}

bool is_letter_or_blank(CharacterKind kind) {
  const auto byte = static_cast<std::uint8_t>(kind);
  return (byte >= 'a' && byte <= 'z') || byte == ' ';
}

class RuleSearch {
 public:
  explicit RuleSearch(CharacterSteps& characters) : characters_(characters), table_(characters.table()) {}
  bool find(CharacterRule& rule);

 private:
  static constexpr std::uint32_t kDead = ResidualTable::kDead;
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Reached {
    std::uint32_t residual;
    std::uint32_t from;  // the place of the residual before it
  };
  struct Steps {
    CharacterSet rejected;            // kinds of which every character is rejected
    CharacterSet partly_rejected;     // kinds of which some character is rejected
    std::vector<std::uint32_t> next;  // the residuals that are reached, some of them several times
  };
  CharacterSet follow(CharacterRule& rule);
  CharacterSet fewest_on_way(const std::vector<Reached>& reached, std::uint32_t at, const CharacterSet& last,
                             const CharacterSet& taken);
  const Steps& steps(std::uint32_t residual, const CharacterSet& taken);
  CharacterSet characters_between(std::uint32_t from, std::uint32_t to, const CharacterSet& characters);

  CharacterSteps& characters_;
  ResidualTable& table_;
  Steps steps_;
};

bool RuleSearch::find(CharacterRule& rule) {
  rule = {};
  rule.taken = all_characters();
  rule.taken.remove_all(steps(table_.root(), {}).rejected);
  for (int tries = kMaxRuleTries; tries > 0 && !table_.is_inexact(); --tries) {
    int letters = 0;
    for_each_ascii([&](std::uint8_t byte) {
      const CharacterKind kind = vocab::kind_of_ascii(byte);
      letters += is_letter_or_blank(kind) && rule.taken.contains(kind) ? 1 : 0;
    });
    if (letters < kMinRuleLetters) return false;
    const CharacterSet removed = follow(rule);
    if (removed.is_empty()) return !table_.is_inexact();
    rule.taken.remove_all(removed);
  }
  return false;
}

// Follows all texts of the characters that a rule takes, one character after another. If each of these characters may come
// everywhere, or up to some length and then none of them, completes the rule and returns the empty set. Otherwise returns
// characters that the rule should not take: those of the step that is rejected, or of a step before it, whichever are
// the fewest.
CharacterSet RuleSearch::follow(CharacterRule& rule) {
  const CharacterSet taken = rule.taken;
  rule = {};
  rule.taken = taken;
  rule.rejected = all_characters();
  std::vector<Reached> reached{{table_.root(), 0}};
  std::vector<Reached> next;
  bool has_loops = false;  // texts of different lengths lead to the same residual
  for (std::uint32_t length = 0, begin = 0; begin < reached.size(); ++length) {
    const auto end = static_cast<std::uint32_t>(reached.size());
    std::uint32_t rejecting = kNone;
    std::uint32_t others = 0;
    for (std::uint32_t i = begin; i < end; ++i) {
      const Steps& step = steps(reached[i].residual, taken);
      if (table_.is_inexact()) return taken;
      if (table_.can_end(reached[i].residual)) return fewest_on_way(reached, i, taken, taken);
      rule.rejected.keep_only(step.rejected);
      if (step.rejected.contains_all(taken)) {
        rejecting = i;
      } else if (step.partly_rejected.is_empty()) {
        ++others;
      } else {
        return fewest_on_way(reached, i, step.partly_rejected, taken);
      }
      for (const std::uint32_t to : step.next) next.push_back({to, i});
    }
    if (rejecting != kNone) {
      if (others != 0 || has_loops) return fewest_on_way(reached, rejecting, taken, taken);
      if (length <= kMaxRuleCharacters) {
        rule.most = length;
      } else {
        rule.known = kMaxRuleCharacters;
      }
      return {};
    }
    if (length == kLongRuleCharacters || reached.size() > kMaxRuleResiduals) {
      if (length < kMinRuleCharacters) return taken;
      rule.known = length == kLongRuleCharacters ? length : std::min(length, kMaxRuleCharacters);
      return {};
    }
    for (const Reached& to : next) {
      const auto known = std::ranges::find(reached, to.residual, &Reached::residual);
      if (known == reached.end()) {
        reached.push_back(to);
      } else {
        has_loops = has_loops || known - reached.begin() < static_cast<std::ptrdiff_t>(end);
      }
    }
    next.clear();
    begin = end;
  }
  return {};
}

// Returns, of `last` and the characters of each step to reached[at], the fewest. Never returns the empty set.
// Precondition: `last` is not empty.
CharacterSet RuleSearch::fewest_on_way(const std::vector<Reached>& reached, std::uint32_t at, const CharacterSet& last,
                                       const CharacterSet& taken) {
  CharacterSet fewest = last;
  for (; at != 0; at = reached[at].from) {
    const CharacterSet step = characters_between(reached[reached[at].from].residual, reached[at].residual, taken);
    if (!step.is_empty() && step.size() < fewest.size()) fewest = step;
  }
  return fewest;
}

// Returns the steps of a residual by `taken` characters. Valid until the next call.
const RuleSearch::Steps& RuleSearch::steps(std::uint32_t residual, const CharacterSet& taken) {
  steps_.rejected = characters_.uniform(residual, {}).dead;
  steps_.partly_rejected = steps_.rejected;
  steps_.next.clear();
  const auto add = [&](std::uint32_t next) {
    if (next != kDead && (steps_.next.empty() || steps_.next.back() != next)) steps_.next.push_back(next);
  };
  for_each_ascii([&](std::uint8_t byte) {
    if (taken.contains(vocab::kind_of_ascii(byte))) add(table_.step(residual, byte));
  });
  const CharacterSteps::Uniform& known = characters_.uniform(residual, all_characters());
  for (const CharacterKind kind : kBeyond) {
    if (steps_.rejected.contains(kind)) continue;
    if (known.characters.contains(kind)) {
      if (taken.contains(kind)) add(known.next);
      continue;
    }
    const std::vector<std::uint32_t>& after = characters_.after_kind(residual, kind);
    for (const std::uint32_t next : after) {
      if (next == kDead) steps_.partly_rejected.add(kind);
      if (taken.contains(kind)) add(next);
    }
    if (characters_.after_is_exact() && after.size() == 1 && after[0] == kDead) steps_.rejected.add(kind);
  }
  steps_.partly_rejected.keep_only(taken);
  return steps_;
}

// Returns the kinds among `characters` that may lead from one residual to another.
CharacterSet RuleSearch::characters_between(std::uint32_t from, std::uint32_t to, const CharacterSet& characters) {
  CharacterSet between;
  for_each_ascii([&](std::uint8_t byte) {
    const CharacterKind kind = vocab::kind_of_ascii(byte);
    if (characters.contains(kind) && table_.step(from, byte) == to) between.add(kind);
  });
  for (const CharacterKind kind : kBeyond) {
    if (!characters.contains(kind)) continue;
    const std::vector<std::uint32_t>& after = characters_.after_kind(from, kind);
    if (std::find(after.begin(), after.end(), to) != after.end()) between.add(kind);
  }
  return between;
}

}  // namespace

bool find_character_rule(CharacterSteps& characters, CharacterRule& rule) { return RuleSearch(characters).find(rule); }

}  // namespace weir::engine
