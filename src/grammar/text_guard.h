// TextGuard: reads a text beside the parser, and refuses what rules could refuse only with too many states.
//
// WHAT   States and masks belong to an automaton and are the same for all texts. A guard belongs to one text: it refuses
//        bytes, and so tokens, that the automaton allows.
// HOW    The engine reads each byte with the guard after the automaton has allowed it, returns to an earlier position
//        after a walk or for a rollback, and asks which tokens of a mask the guard would refuse. The engine knows
//        nothing of what a guard refuses; a front end supplies the guard (RuleSource::guard).
// INVARIANTS  After any text that the guard accepted, some continuation satisfies both the rules and the guard.
// THREADS One thread at a time; clones are independent.
#ifndef WEIR_SRC_GRAMMAR_TEXT_GUARD_H_
#define WEIR_SRC_GRAMMAR_TEXT_GUARD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace weir::grammar {

/// The tokens that the automaton allows at one position.
class AllowedTokens {
 public:
  [[nodiscard]] virtual bool contains(std::uint32_t token) const = 0;
  /// Returns the number of tokens of the vocabulary.
  [[nodiscard]] virtual std::uint32_t count() const = 0;
  /// Returns what the token adds to the text.
  [[nodiscard]] virtual std::string_view bytes_of(std::uint32_t token) const = 0;

 protected:
  ~AllowedTokens() = default;
};

class TextGuard {
 public:
  virtual ~TextGuard() = default;
  [[nodiscard]] virtual std::unique_ptr<TextGuard> clone() const = 0;
  /// Reads one byte. Returns false if the text is refused; the byte is then not read.
  virtual bool read(char byte) = 0;
  /// Returns false if the text may not end here, even if the rules allow that.
  [[nodiscard]] virtual bool may_end() const { return true; }
  /// Returns the number of bytes read.
  [[nodiscard]] virtual std::size_t position() const = 0;
  /// Returns to an earlier position. Precondition: position <= position().
  virtual void rewind(std::size_t position) = 0;
  /// Appends the tokens of `allowed` that the guard refuses at its position; some may be listed twice. The position is
  /// the same afterwards.
  virtual void list_refused(const AllowedTokens& allowed, std::vector<std::uint32_t>& refused) = 0;
};

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_TEXT_GUARD_H_
