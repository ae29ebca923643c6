// PatternReader: turns the patterns of a pre-tokenizer's steps into terms for PieceAutomaton.
//
// WHAT   A term is a pattern, or the residual of one: empty, a class of characters, a sequence, an ordered choice, a
//        repeat, or a look-ahead. Equal terms have equal ids, so equal residuals of different texts are recognised.
// HOW    Patterns are read by weir's own parser, in PCRE2's dialect. Behaviours other than "isolated" are written as
//        patterns: `contiguous` x is x+, `merged with next` c is c[^c]*|[^c]+. A look-ahead directly before a class is
//        replaced by a smaller class: `(?!\p{Han})[\p{L}]`.
// WHY    The segmenter runs PCRE2, which has Unicode tables of its own. Characters that are assigned in one version and
//        not in the other are looked up in PCRE2, class by class; of all others the two agree.
#ifndef WEIR_SRC_CANONICAL_PIECE_PATTERN_H_
#define WEIR_SRC_CANONICAL_PIECE_PATTERN_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/interner.h"
#include "regex/syntax/syntax_tree.h"
#include "regex/unicode/code_point_set.h"
#include "vocab/segmenters/pre_tokenizer.h"
#include "weir/error.h"

namespace weir::canonical {

enum class TermId : std::uint32_t { kEmpty = 0 };
/// An index into PatternReader::classes().
enum class ClassId : std::uint32_t {};

struct Term {
  enum class Kind : std::uint32_t { kEmpty, kClass, kConcat, kAlternation, kRepeat, kLook };
  Kind kind = Kind::kEmpty;
  TermId a = {}, b = {};  ///< The parts; a repeat and a look-ahead have only `a`.
  ClassId cls = {};
  std::uint32_t min = 0, max = 0;  ///< `max` may be regex::kUnbounded.
  bool lazy = false;
  bool negative = false;  ///< For a look-ahead.
  // About the term and its parts:
  bool has_look = false;
  bool may_be_empty = false;
};

class PatternReader {
 public:
  PatternReader();

  /// Errors: kUnsupported; the message names the construct and the pattern.
  Result<TermId> read(const vocab::SplitPattern& pattern);
  /// Returns the term of one of these texts; longer ones are tried first.
  Result<TermId> read_texts(std::span<const std::string> texts);

  [[nodiscard]] const Term& term(TermId id) const { return terms_[static_cast<std::size_t>(id)]; }
  TermId concat(TermId a, TermId b);
  TermId repeat(TermId body, std::uint32_t min, std::uint32_t max, bool lazy);
  /// Returns the classes of characters of the patterns read so far, each once.
  [[nodiscard]] std::span<const regex::CodePointSet> classes() const { return classes_; }

 private:
  TermId add(const Term& term);
  // An ordered choice of one or more alternatives. The term is balanced, so it is not deep.
  TermId alternation(std::span<const TermId> alternatives);
  TermId character_class(regex::CodePointSet set);
  TermId literal(std::string_view text);
  Result<TermId> convert(const regex::SyntaxTree& tree, regex::NodeId id, std::string_view pattern);
  Result<TermId> convert_node(const regex::SyntaxTree& tree, regex::NodeId id, std::string_view pattern);
  Result<TermId> convert_concat(const regex::SyntaxTree& tree, const regex::Node& node, std::string_view pattern);
  Result<regex::CodePointSet> class_of(const regex::SyntaxTree& tree, const regex::Node& node,
                                       std::string_view pattern);
  Result<TermId> with_behavior(TermId term, const vocab::SplitPattern& pattern);

  std::vector<Term> terms_;
  base::WordInterner ids_;
  std::vector<regex::CodePointSet> classes_;
};

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_PIECE_PATTERN_H_
