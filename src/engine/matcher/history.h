// History: the accepted steps of one output, and what a cursor knows at each point of it.
//
// WHAT   A step is a token, a byte string, or a stop token that only ends the output. A *point* is the beginning of the
//        output, or the end of a step. The history stores each step and the point after it, so a rollback truncates.
// INVARIANTS  There is one more point than steps. A step adds one to the number of tokens if it is a token, else zero.
//        Only the last step can end the output. Marks are the positions of the text before each step, if they are
//        stored.
// COST   24 bytes a step; the bytes of byte steps; eight more a step if marks are stored. position_after() is O(1)
//        unless the first token of a text differs from others: then it is linear in the steps before the first text.
// THREADS One thread at a time.
#ifndef WEIR_SRC_ENGINE_MATCHER_HISTORY_H_
#define WEIR_SRC_ENGINE_MATCHER_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "canonical/canonical_automaton.h"
#include "engine/automaton/text_state.h"
#include "engine/sets/state_id.h"
#include "engine/sets/stop_tokens.h"

namespace weir::engine {

class History {
 public:
  struct Point {
    StateId state{};
    canonical::CanonicalId canonical{};  ///< In canonical mode.
    std::uint32_t tokens : 31 = 0;  ///< The number in the output so far. A stop token that only ends it does not count.
    bool accepts : 1 = false;       ///< The output may end here.
  };

  /// kStored if the text matters (TextState::matters).
  enum class Marks : std::uint8_t { kNone, kStored };

  /// `first` is the position of the output's first token; `start.tokens` is 0.
  History(StopTokens stops, TokenPosition first, const Point& start, Marks marks)
      : stops_(std::move(stops)), first_(first), stores_marks_(marks == Marks::kStored), start_(start) {}

  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  /// Returns the point after the first `steps` steps. Precondition: steps <= size().
  [[nodiscard]] const Point& after(std::size_t steps) const {
    return steps == 0 ? start_ : steps_[steps - 1].point_after;
  }
  [[nodiscard]] const Point& here() const { return after(size()); }
  /// Returns the position of a token after the first `steps` steps. A token is the first while the text is empty:
  /// special tokens add no text, and in some tokenizers a first token may add none.
  [[nodiscard]] TokenPosition position_after(std::size_t steps) const {
    return first_ == TokenPosition::kInside ? TokenPosition::kInside : find_position_after(steps);
  }
  [[nodiscard]] TokenPosition position() const { return position_after(size()); }
  /// Returns true if the last step was a token that ended the output.
  [[nodiscard]] bool is_terminated() const { return is_terminated_; }

  /// Returns a number for the steps so far, not 0. Histories with equal numbers are copies with equal steps.
  std::uint64_t number();
  /// Returns the number, or 0 if it was not asked for since the steps changed.
  [[nodiscard]] std::uint64_t known_number() const { return number_; }
  void drop_number() { number_ = 0; }

  // A step. Precondition: step < size().

  [[nodiscard]] bool is_bytes(std::size_t step) const { return steps_[step].token == kByteStep; }
  /// Returns what the step has added to the text. Valid until the history changes.
  [[nodiscard]] std::string_view text_of(std::size_t step) const;
  // Precondition of the next functions: !is_bytes(step).
  [[nodiscard]] std::uint32_t token(std::size_t step) const { return steps_[step].token; }
  /// Returns true if the step is a stop token that the grammar did not expect, so that it changed no state.
  [[nodiscard]] bool is_plain_stop_token(std::size_t step) const {
    return after(step).tokens == after(step + 1).tokens;
  }
  /// Returns TextState::position() before the step. Precondition: marks are stored.
  [[nodiscard]] std::size_t text_before(std::size_t step) const { return marks_[step]; }
  [[nodiscard]] TokenRole role_of(std::size_t step) const { return stops_.role(token(step)); }
  /// Returns true if the token is the first one of a text and the leading-space rule leaves none of its bytes.
  [[nodiscard]] bool adds_nothing(std::size_t step) const {
    return stops_.adds_nothing(token(step), position_after(step));
  }

  /// Returns the text of the output.
  [[nodiscard]] std::string text() const { return text_from(0); }
  /// Returns the number of its bytes from `step` on. Linear in these steps.
  [[nodiscard]] std::size_t text_bytes(std::size_t step = 0) const;
  /// Returns the text of all steps from `step` on.
  [[nodiscard]] std::string text_from(std::size_t step) const;

  // Functions that add a step. They set Point::tokens themselves. `text_before` is TextState::position() before the
  // step. Precondition: !is_terminated().

  enum class Output : std::uint8_t { kGoesOn, kEnds };
  void add_token(std::uint32_t token, Output output, Point after, std::size_t text_before);
  void add_bytes(std::string_view bytes, Point after, std::size_t text_before);
  /// Adds a stop token that the grammar did not expect.
  void add_plain_stop_token(std::uint32_t token, std::size_t text_before);

  /// Removes the last `steps` steps, and their text from `text`. Precondition: steps <= size().
  void rollback(std::size_t steps, TextState& text);
  /// Makes one step of the last two. Precondition: both are byte steps.
  void join_last();
  /// Returns how often steps were removed.
  [[nodiscard]] std::uint64_t rollbacks() const { return rollbacks_; }
  /// Returns how many steps were there at least since `rollbacks()` was `since`.
  [[nodiscard]] std::size_t least_since(std::uint64_t since) const;

  /// Replaces the start, and the states after each step, by those of another automaton.
  void move_to(const Point& start, std::span<const StateId> states);

 private:
  static constexpr std::uint32_t kByteStep = UINT32_MAX;
  struct Step {
    std::uint32_t token = 0;  // kByteStep: the step's bytes are bytes_ from bytes_begin to the next step's
    Point point_after = {};
    std::size_t bytes_begin = 0;
  };

  [[nodiscard]] TokenPosition find_position_after(std::size_t steps) const;
  [[nodiscard]] std::string_view bytes_of(std::size_t step) const;
  void add(std::uint32_t token, const Point& after, std::size_t text_before);

  std::uint64_t number_ = 0;
  StopTokens stops_;
  TokenPosition first_;
  bool stores_marks_;
  bool is_terminated_ = false;
  Point start_;
  std::vector<Step> steps_;
  std::string bytes_;  // of all byte steps
  std::vector<std::size_t> marks_;
  std::uint64_t rollbacks_ = 0;
  // The number of a rollback and the steps that it has left. Both ascend: a rollback to fewer steps replaces those before
  // it that left as many or more.
  std::vector<std::pair<std::uint64_t, std::size_t>> left_;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_HISTORY_H_
