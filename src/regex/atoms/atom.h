// Atom: a small machine that serves as an expression.
//
// WHAT   A machine has states; each state is an expression. ExprSet stores the state in a node and asks the machine for
//        derivatives, byte classes and lengths. The machines are in json_string.h, decimal_multiple.h,
//        section_automaton.h, word_table.h, and in JSON Schema's format_time.cc and constant_texts.cc. A *decoder* is a
//        machine with an operand: it decodes the text and feeds the decoded bytes to the operand. Each text has exactly
//        one decoded form, so Boolean operations on operands carry over to texts: decoders that differ in their operands
//        only are joined by the laws of unions and intersections.
// HOW    To add a machine, write a class and a function that calls ExprSet::register_atom(), and atom() with its
//        initial state. No file of src/regex/expr names a machine.
// COST   A virtual call for each new derivative; none for a derivative that is stored.
// THREADS Immutable, except for the two that make expressions on demand: word_table.h, constant_texts.h.
#ifndef WEIR_SRC_REGEX_ATOMS_ATOM_H_
#define WEIR_SRC_REGEX_ATOMS_ATOM_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "regex/expr/byte_set.h"
#include "regex/expr/expr.h"

namespace weir::regex {

class Atom {
 public:
  [[nodiscard]] bool is_decoder() const { return is_decoder_; }

  struct Properties {
    bool is_nullable = false;
    bool has_member = false;  ///< False may mean unknown, here and below.
    bool has_text = false;    ///< Has a member that is well-formed UTF-8.
    bool is_ascii = false;    ///< All members consist of ASCII characters.
    std::uint32_t min_length = 0;
    std::uint32_t max_length = kUnbounded;
  };
  [[nodiscard]] virtual Properties properties(const ExprSet& exprs, const AtomState& state) const = 0;
  virtual ExprId derivative(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const = 0;
  /// Returns byte sets that are constants of the program. Two bytes that are in the same ones of them have the same
  /// derivative, unless the operand distinguishes them.
  [[nodiscard]] virtual std::span<const ByteSet> classes(const AtomState& state) const = 0;
  /// Refines `classes` for all states together.
  virtual void refine_classes(ByteClasses& classes) const = 0;
  [[nodiscard]] virtual std::string name(const AtomState& state) const = 0;

  /// Which derivatives are not stored, because few are queried again.
  enum class Transient : std::uint8_t {
    kNever,       ///< All are stored.
    kAlone,       ///< Those of the atom.
    kAlsoAsHead,  ///< Also those of a concatenation that begins with the atom, unless some of it are stored.
  };
  [[nodiscard]] virtual Transient transient(const ExprSet& /*exprs*/, const AtomState& /*state*/) const {
    return Transient::kNever;
  }
  /// Does what ExprSet::append_branches() does. Returns false and appends nothing if classes() shall be used instead.
  virtual bool append_branches(ExprSet& /*exprs*/, const AtomState& /*state*/,
                               std::vector<ExprSet::Branch>& /*branches*/) const {
    return false;
  }

  /// Returns the bytes with which a member may begin, for a machine of which each state has a member; nullopt if they are
  /// not known.
  [[nodiscard]] virtual std::optional<ByteSet> first_bytes(const AtomState& /*state*/) const { return std::nullopt; }

  /// Returns a set that has all bytes of all members, in every state.
  [[nodiscard]] virtual ByteSet alphabet() const { return ByteSet::all(); }

  /// Returns the members that all of `others` have, for a machine that belongs to some sets of expressions and lists its
  /// members; nullopt in other cases, and if it is better to follow all together.
  virtual std::optional<ExprId> listed_in(ExprSet& /*exprs*/, const AtomState& /*state*/,
                                          std::span<const ExprId> /*others*/) const {
    return std::nullopt;
  }

  // Decoders.

  /// Returns the expression of this state with another operand.
  virtual ExprId with_operand(ExprSet& exprs, const AtomState& state, ExprId operand) const {
    return exprs.atom({static_cast<std::uint32_t>(operand), state.b, state.c, state.atom});
  }
  /// Returns true if the operand reads the next bytes of the text as they are, unless the text ends.
  [[nodiscard]] virtual bool feeds_text(const AtomState& /*state*/) const { return false; }
  /// Returns true if the byte of the operand after those that were read decides whether the text may end.
  [[nodiscard]] virtual bool looks_ahead(const AtomState& /*state*/) const { return false; }
  /// Returns true if only well-formed UTF-8 is decoded.
  [[nodiscard]] virtual bool decodes_utf8(const AtomState& /*state*/) const { return false; }
  /// Returns ASCII characters with which the text can go on in this state, whatever well-formed text comes after them;
  /// not always all of them. The next character of the operand may be any of these.
  [[nodiscard]] virtual ByteSet next_ascii(const AtomState& /*state*/) const { return {}; }
  /// Returns true for a JSON string: no byte but a double quote ends the text, in any state.
  [[nodiscard]] virtual bool is_json_string() const { return false; }
  /// Bytes of `as_is` are written as themselves; `end` closes the text.
  struct Spelling {
    ByteSet as_is;
    char end;
  };
  /// Returns nullopt in states where the text may not end.
  [[nodiscard]] virtual std::optional<Spelling> spelling(const AtomState& /*state*/) const { return std::nullopt; }
  /// n bytes of text decode to at most n + kMaxPending bytes, because a character may have begun before this state.
  static constexpr std::uint32_t kMaxPending = 8;

  // Machines that belong to some sets of expressions (ExprSet::own_atom).

  /// Returns false if the machine is no constant of the program: then its address says nothing to other sets.
  [[nodiscard]] virtual bool is_constant() const { return true; }
  [[nodiscard]] virtual std::size_t memory_bytes() const { return 0; }

  // Machines that count.

  /// Returns a number of bytes that may be read before a count can matter; kUnbounded if none does. Returns nullopt if
  /// the machine does not count.
  [[nodiscard]] virtual std::optional<std::uint32_t> bytes_before_limits(const AtomState& /*state*/) const {
    return std::nullopt;
  }
  /// Returns the state without the counts that cannot matter within `bytes` bytes.
  [[nodiscard]] virtual AtomState without_distant_counts(const AtomState& state, std::uint32_t /*bytes*/) const {
    return state;
  }
  /// Returns the state without any counts.
  [[nodiscard]] virtual AtomState without_counts(const AtomState& state) const { return state; }

 protected:
  enum class Form : bool { kDecoder, kPlain };
  constexpr explicit Atom(Form form) : is_decoder_(form == Form::kDecoder) {}
  constexpr Atom(const Atom&) = default;
  Atom& operator=(const Atom&) = default;
  constexpr ~Atom() = default;

 private:
  bool is_decoder_;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_ATOM_H_
