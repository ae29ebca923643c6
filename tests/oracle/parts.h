// The oracle of parts: the tokens that may continue a text that is a walk through a graph of parts.
//
// WHAT   A part is a regular language, as a Machine, with a mode as in lexemes.h and possibly a bound on tokens. A text
//        is in the language of a PartGraph iff it can be split into pieces, one for each part of a walk from a first to a
//        last part, so that
//          - the machine of a part accepts its piece;
//          - no proper prefix of the piece of a lazy part is accepted;
//          - no longer piece from the same start is accepted for a greedy part, up to the end of the whole text;
//          - at most max_tokens tokens have a byte in a piece that is not empty.
// HOW    The subset construction, with a table that is filled when an entry is needed. An element of a set is a Reading:
//        the part and state that were reached, the tokens counted, and the machines of earlier greedy parts, which must
//        not accept anything more. A set can end if a search by whole tokens finds a member; without bounds the search
//        goes by bytes, because every member is then reached by bytes.
// LIMITS Only for tests. Regular languages; the sets are small if the parts are.
#ifndef WEIR_TESTS_ORACLE_PARTS_H_
#define WEIR_TESTS_ORACLE_PARTS_H_

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/lexemes.h"
#include "oracle/regex.h"
#include "oracle/vocabulary.h"

namespace weir::oracle {

/// A deterministic automaton over all bytes. State 0 is the start. An accepting state is reachable from every state.
struct Machine {
  static constexpr std::int32_t kNone = -1;
  std::vector<std::array<std::int32_t, 256>> next = {};  ///< By state and byte; kNone: rejected.
  std::vector<char> accepting = {};                      ///< By state.
};

/// Returns the machine of a regex over the bytes of `alphabet`; without states if its language is empty.
Machine machine_of(const RegexPtr& regex, std::string_view alphabet);

/// Returns the machine of all UTF-8 texts without any of `strings`.
Machine text_without(const std::vector<std::string>& strings);

/// Returns the machine of all UTF-8 texts that end with strings[wanted] and contain none of `strings` that ends before.
/// The machine has no states if strings[wanted] always contains another one.
Machine text_until(const std::vector<std::string>& strings, std::size_t wanted);

struct Part {
  Machine machine = {};
  Mode mode = Mode::kExact;
  std::optional<std::size_t> max_tokens = {};
  std::vector<std::size_t> next = {};  ///< The parts that may follow.
  bool is_last = false;                ///< The text may end after this part.
};

struct PartGraph {
  std::vector<Part> parts = {};
  std::vector<std::size_t> first = {};
  bool has_empty_text = false;  ///< The empty text is in the language without any part.
};

class PartAutomaton {
 public:
  using State = std::uint32_t;  ///< A set of readings.

  PartAutomaton(PartGraph graph, const SortedVocabulary& vocabulary);

  [[nodiscard]] State start() const { return start_; }
  /// Returns the state after one more token.
  State step(State state, std::string_view token);
  [[nodiscard]] bool is_member(State state) const { return sets_[state].is_member; }
  /// Returns true if some tokens lead from the state to a member.
  bool can_end(State state);
  /// Returns the tokens after which the text can end, and the stop tokens in a member.
  std::vector<bool> mask(State state);

 private:
  struct Reading {
    std::uint32_t part = 0;
    std::int32_t state = 0;
    std::uint32_t tokens = 0;  // that have a byte in the piece; counted only in parts with a bound
    bool is_counted = false;   // the current token is among them
    std::vector<std::pair<std::uint32_t, std::int32_t>> greedy = {};  // parts and states that must not accept more
    friend auto operator<=>(const Reading&, const Reading&) = default;
  };
  struct Set {
    std::vector<Reading> readings = {};
    bool is_member = false;
    std::optional<bool> can_end = {};
    std::array<std::int64_t, 256> next = {};  // of bytes; -1: not computed
    std::int64_t after_token = -1;
  };

  void add(std::vector<Reading>& readings, const Reading& reading) const;
  State intern(std::vector<Reading> readings, bool is_start);
  State after_byte(State state, char byte);
  State after_token(State state);
  std::vector<State> successors(State state);
  template <typename Visit>
  void for_each_token(State state, Visit visit);

  PartGraph graph_;
  const SortedVocabulary& vocabulary_;
  bool has_bounds_ = false;
  std::vector<Set> sets_;
  std::map<std::pair<std::vector<Reading>, bool>, State> ids_;
  State start_ = 0;
};

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_PARTS_H_
