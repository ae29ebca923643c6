// Work: counts the work of one call of a program, for Limits::call_work.
//
// WHAT   A *call* is a function of the public interface that reads a grammar, compiles one, or asks a matcher something.
//        While it runs, each layer adds the steps that it takes to one counter: a new derivative, an item of a row,
//        some nodes of a trie, a visit of a search. A step is 0.03 µs (derivatives, searches) to 0.1 µs (rows) on a
//        processor of 2 GHz.
// WHY    Other limits bound one search or one table. A call may make many searches, each within its limits, and the
//        other requests of a server wait for it.
// HOW    The counter belongs to the thread, so every inner loop can reach it without an argument. Loops that can be
//        long ask is_met() and then end as at any other limit, with Limit::kCallWork. What is not complete is not
//        remembered; what is complete is kept, so the same call finds more of it done when it is made again. Without a
//        call nothing is bounded: tools and tests that use a layer by itself see no limit.
// COST   An addition to a thread's variable for each step or few steps.
// ALTERNATIVES  A counter as an argument of every function that explores (some 60 call sites in five layers); a counter
//        in ExprSet, which several threads' calls would share, because a lock is held for parts of a call only.
#ifndef WEIR_SRC_BASE_WORK_H_
#define WEIR_SRC_BASE_WORK_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/limit.h"

namespace weir::base {

struct WorkCounter {
  std::uint64_t spent = 0;
  std::uint64_t most = UINT64_MAX;
  std::uint64_t last_call = 0;
  std::uint32_t calls = 0;           // 1 while a call runs; more while calls run within it
  std::uint32_t place = UINT32_MAX;  // a terminal; with the top bit, a lazy rule
  std::uint64_t restored = 0;        // of `spent`: by all Restoring of the call; kept until the next call
  bool is_restoring = false;
};

class Work {
 public:
  // What is added, in steps. The figures are times of single operations: bench/regex_bench.cc, `weir bench masks`.
  static constexpr std::uint64_t kNode = 2;        ///< A new expression; one that is looked up in a large table.
  static constexpr std::uint64_t kDerivative = 3;  ///< A new derivative, without what it creates.
  static constexpr std::uint64_t kVisit = 2;       ///< A visit of a search, without its derivatives.
  static constexpr std::uint64_t kTransition = 4;  ///< A new transition of an automaton, without its threads.
  static constexpr std::uint64_t kThread = 2;      ///< A thread in a new transition.
  static constexpr std::uint64_t kRowItem = 2;     ///< An item or entry of a new row.
  static constexpr std::uint64_t kSchemaStep = 2;  ///< One of Limits::schema_steps.
  static constexpr std::uint64_t kTrieNodes = 8;   ///< So many nodes of a trie are one step.
  static constexpr std::uint64_t kTextBytes = 8;   ///< So many bytes of a text that is parsed are one step.

  static void charge(std::uint64_t steps) { counter_.spent += steps; }
  /// Returns true if the call has taken more steps than it may. Stays true until the call ends.
  [[nodiscard]] static bool is_met() { return counter_.spent > counter_.most; }
  /// Returns true if the call may not take so many more steps: what takes them is then not begun.
  [[nodiscard]] static bool would_exceed(std::uint64_t steps) {
    return is_met() || steps > counter_.most - counter_.spent;
  }
  /// Returns how many steps the call may take in all.
  [[nodiscard]] static std::uint64_t most() { return counter_.most; }
  /// Returns the limit that a search without a result has met: kCallWork, or `own` if the call may go on.
  [[nodiscard]] static Limit met_or(Limit own) { return is_met() ? Limit::kCallWork : own; }
  /// Returns true while a Restoring lives: what is done now was allowed before.
  [[nodiscard]] static bool is_restoring() { return counter_.is_restoring; }
  /// Lets the call take more steps, for input of its own that it has to read.
  static void allow_more(std::uint64_t steps) {
    counter_.most = counter_.most > UINT64_MAX - steps ? UINT64_MAX : counter_.most + steps;
  }

  /// What a call works on, for the message when it meets a limit: a terminal, or a lazy rule that is being made.
  struct Place {
    bool is_rule = false;
    std::uint32_t index = 0;
  };
  /// Notes the terminal, or the lazy rule, that is worked on from now on.
  static void set_terminal(std::uint32_t terminal) { counter_.place = terminal; }
  static void set_rule(std::uint32_t rule) { counter_.place = rule | kRule; }
  /// Returns what was noted last in this call.
  [[nodiscard]] static std::optional<Place> place() {
    if (counter_.place == UINT32_MAX) return std::nullopt;
    return Place{(counter_.place & kRule) != 0, counter_.place & ~kRule};
  }

  /// A call that goes on in another thread hands over its counter.
  [[nodiscard]] static const WorkCounter& handed_over() { return counter_; }
  static void take_over(const WorkCounter& counter) { counter_ = counter; }

  /// Returns the steps of this thread's last call that has ended.
  [[nodiscard]] static std::uint64_t last_call() { return counter_.last_call; }
  /// Returns how many of them made states again that were dropped.
  [[nodiscard]] static std::uint64_t last_call_restored() { return counter_.restored; }

  /// A call, while it lives. A call within a call belongs to the outer one.
  class Call {
   public:
    explicit Call(std::uint64_t most) {
      if (counter_.calls++ != 0) return;
      counter_.spent = 0;
      counter_.most = most;
      counter_.restored = 0;
      counter_.place = UINT32_MAX;
    }
    ~Call() {
      if (--counter_.calls != 0) return;
      counter_.last_call = counter_.spent;
      counter_.spent = 0;
      counter_.most = UINT64_MAX;
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
  };

  /// A search within a call that has a limit of its own, because what it finds, or that it finds nothing, is
  /// remembered. Its steps are added to those of the call when it ends.
  class Part {
   public:
    explicit Part(std::uint64_t most) : before_(counter_) {
      counter_.spent = 0;
      counter_.most = most;
    }
    ~Part() {
      const std::uint64_t spent = counter_.spent;
      counter_ = before_;
      charge(spent);
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    [[nodiscard]] std::uint64_t spent() const { return counter_.spent; }

   private:
    WorkCounter before_;
  };

  /// Work within a call that an earlier call has been allowed to do, to make states again that were dropped. Its steps
  /// are added to those of the call, which may take as many more. All of them in one call have one limit together.
  class Restoring {
   public:
    explicit Restoring(std::uint64_t most) : before_(counter_) {
      counter_.spent = 0;
      counter_.most = most - std::min(most, before_.restored);
      counter_.is_restoring = true;
    }
    ~Restoring() {
      const std::uint64_t spent = counter_.spent;
      counter_ = before_;
      counter_.restored += spent;
      charge(spent);
      allow_more(spent);
    }
    Restoring(const Restoring&) = delete;
    Restoring& operator=(const Restoring&) = delete;

   private:
    WorkCounter before_;
  };

 private:
  static constexpr std::uint32_t kRule = 1U << 31;
  static inline constinit thread_local WorkCounter counter_{};
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_WORK_H_
