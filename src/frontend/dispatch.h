// Free text in which some strings have a meaning, such as tool calls in an answer or a closing fence.
//
// WHAT   Text without some strings; text that ends with the first occurrence of some strings; and dispatch: free text
//        up to a trigger, then what the trigger selects, then free text again. All of it is exact: free text never
//        extends past the first position where a trigger or an excluded string is complete, however tokens divide it.
// HOW    Text without the strings s1, s2, ... is the expression `texts & ~(_* (s1|s2|...) _*)`. Its residuals are the
//        states of the Aho-Corasick automaton and are made when a text reaches them: the strings form a trie, and a
//        residual contains the branches that a suffix of the text has begun.
//
//        A dispatch is `text (trigger then ...)?` where the trigger is a separate terminal. So the text is one wide
//        terminal regardless of the number of triggers, and triggers matter only where one may begin. The text before
//        trigger t must not end with a v for which v·w is a trigger and w a proper prefix of t, because that trigger
//        would have been complete first ("`" before "```"). These v are found by walking the suffixes of all strings in
//        the trie of the triggers. Triggers with the same set of v, usually the empty set, share their text.
// COST   Building: at most the sum of the squares of the lengths of the strings.
// REFERENCES  Aho and Corasick, Efficient string matching: an aid to bibliographic search, CACM 18(6), 1975.
#ifndef WEIR_SRC_FRONTEND_DISPATCH_H_
#define WEIR_SRC_FRONTEND_DISPATCH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grammar/ir.h"
#include "regex/expr/expr.h"
#include "weir/error.h"

namespace weir::frontend {

// Strings here and below are valid UTF-8 and not empty. A returned ExprId may be kOverflow.

/// Returns all texts (strings of valid UTF-8) that contain none of `strings`.
regex::ExprId text_without(regex::ExprSet& exprs, std::span<const std::string> strings);

struct Trigger {
  enum class Next : std::uint8_t {
    kText,  ///< Free text follows `then`.
    kEnd,   ///< The dispatch ends after `then`.
  };
  std::string text;
  grammar::NodeId then = grammar::NodeId::kEmpty;
  Next next = Next::kText;
  SourceRange where = {};
};

struct Dispatch {
  std::vector<Trigger> triggers;           ///< Triggers with equal texts are alternatives.
  std::vector<std::string> excluded = {};  ///< Free text, including the trigger that ends it, contains none of these.
  bool ends_in_text = true;                ///< The dispatch may end in free text.
  bool needs_trigger = false;              ///< At least one trigger is required.
  /// If not null, receives the nodes of the terminals of free text.
  std::vector<grammar::NodeId>* text_nodes = nullptr;
  std::string capture = {};  ///< The name under which free text is reported; empty if it is not.
  SourceRange where = {};
};

/// Adds a node with the language of the dispatch, and rules named after `name`. If several triggers end at one
/// position, because one is a suffix of another, all of them are followed.
/// Errors: kLimitExceeded (regex_nodes).
Result<grammar::NodeId> add_dispatch(grammar::Grammar& grammar, const Dispatch& dispatch, const std::string& name);

/// Returns the indices of the triggers that no text reaches, because they contain another trigger before their end, or
/// an excluded string.
std::vector<std::size_t> unreachable_triggers(regex::ExprSet& exprs, const Dispatch& dispatch);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_DISPATCH_H_
