// JointLexemes: several terminals matched together from one position.
//
// WHY    Competing terminals (base/lexeme_mode.h) decide together where a lexeme ends. Three questions about them explore
//        what they reach together: whether their competition matters (frontend/lark/drop_competition.h), whether one of
//        them is never matched (lint/shadowed.h), and which bytes must not follow a lexeme (convert/resolve_competition.h).
// HOW    A state is the terminals in progress, each with its residual. Bytes that no terminal distinguishes are one class,
//        and a state is stepped by one byte of each class.
// EXAMPLE  Of a keyword `if` and names `[a-z]+`, the state after `i` is (`f`, `[a-z]*`). By `f` both are taken and the
//        keyword is complete; by another letter only the name is taken, and that state leads to itself.
// COST   States are sets of residuals, so there may be exponentially many. The caller's fuel counts derivatives.
#ifndef WEIR_SRC_GRAMMAR_JOINT_LEXEMES_H_
#define WEIR_SRC_GRAMMAR_JOINT_LEXEMES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "grammar/ir.h"
#include "regex/expr/byte_set.h"
#include "regex/expr/expr.h"

namespace weir::grammar {

/// Returns true if a byte after a lexeme of a competing terminal tells whether it goes on. Within a JSON string
/// (json_contents.h) a character does, which has several spellings.
bool competition_is_by_bytes(const regex::ExprSet& exprs, const std::vector<Terminal>& terminals);

class JointLexemes {
 public:
  /// The terminals in progress, by number, each with its residual. None of the residuals is empty.
  using State = std::vector<std::pair<std::uint32_t, regex::ExprId>>;

  /// `emptiness_fuel` is that of one test whether a residual is empty (regex/analysis/members.h). `fuel` is how many
  /// derivatives may be taken; it is counted down. All references must outlive this object.
  JointLexemes(regex::ExprSet& exprs, const std::vector<Terminal>& terminals, std::uint32_t emptiness_fuel,
               std::size_t& fuel)
      : exprs_(exprs), terminals_(terminals), emptiness_fuel_(emptiness_fuel), fuel_(fuel) {}

  /// Returns the derivative, kNothing if it is empty; nullopt if that cannot be decided within the fuel and the limits.
  std::optional<regex::ExprId> derive(regex::ExprId residual, std::uint8_t byte);
  /// Returns true if a lazy terminal ends where `residual` is left of it.
  [[nodiscard]] bool ends_lazily(std::uint32_t terminal, regex::ExprId residual) const {
    return terminals_[terminal].mode == base::LexemeMode::kShortest && exprs_.nullable(residual);
  }

  /// Visits all states that the terminals reach together from the beginning of a lexeme.
  ///
  /// For each state and each class of bytes calls `on_step(state, bytes, next)`, where `next` are the terminals that take
  /// these bytes. It may remove some of `next`; the others are followed. After all classes of a state calls
  /// `on_state(state)`. Each returns false to stop. Returns true if all states were visited; false if a call stopped it
  /// or a derivative cannot be decided.
  template <typename OnStep, typename OnState>
  bool explore(const std::vector<std::uint32_t>& terminals, OnStep on_step, OnState on_state);

 private:
  // Sets `next` to the terminals that take the byte. Returns false if that cannot be decided.
  bool step(const State& state, std::uint8_t byte, State& next);

  regex::ExprSet& exprs_;
  const std::vector<Terminal>& terminals_;
  std::uint32_t emptiness_fuel_;
  std::size_t& fuel_;
};

template <typename OnStep, typename OnState>
bool JointLexemes::explore(const std::vector<std::uint32_t>& terminals, OnStep on_step, OnState on_state) {
  State start;
  regex::ByteClasses classes;
  for (const std::uint32_t one : terminals) {
    start.emplace_back(one, terminals_[one].expr);
    exprs_.refine_classes(terminals_[one].expr, classes);
  }
  std::array<regex::ByteSet, 256> bytes;
  for (unsigned byte = 0; byte < 256; ++byte) {
    bytes[classes.class_of(static_cast<std::uint8_t>(byte))].add(static_cast<std::uint8_t>(byte));
  }
  std::set<State> seen{std::move(start)};
  std::deque<const State*> queue{&*seen.begin()};
  for (; !queue.empty(); queue.pop_front()) {
    const State& state = *queue.front();
    for (std::uint32_t cls = 0; cls < classes.count(); ++cls) {
      State next;
      if (!step(state, classes.representative(static_cast<std::uint8_t>(cls)), next)) return false;
      if (!on_step(state, bytes[cls], next)) return false;
      if (next.empty()) continue;
      const auto [known, is_new] = seen.insert(std::move(next));
      if (is_new) queue.push_back(&*known);
    }
    if (!on_state(state)) return false;
  }
  return true;
}

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_JOINT_LEXEMES_H_
