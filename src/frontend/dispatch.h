// Free text in which some strings mean something: tool calls in an answer, a closing fence.
//
// WHAT   Text that holds none of some strings; text that ends with the first of some strings; and dispatch: free text
//        up to a trigger, then what the trigger leads to, then free text again. All of it exact: free text never goes
//        past the first place where a trigger, or a string that is excluded, is complete, however tokens cut it.
// HOW    Text without the strings s1, s2, ... is the one expression `texts & ~(_* (s1|s2|...) _*)`, whose residuals are
//        the states of Aho and Corasick's automaton, made where a text reaches them: the strings are a trie, and a
//        residual holds those branches of it that the text's end has begun.
//
//        A dispatch is `text (trigger then ...)?`, with the trigger as a terminal of its own: so the text is one wide
//        terminal, however many triggers there are, and they are looked at where one may begin. The text before trigger
//        t must not end with a v for which v·w is a trigger too and w a proper prefix of t, or it would have come
//        first ("`" before "```"). Which v those are is found by walking the suffixes of all strings in the trie of the
//        triggers; triggers with the same v's, mostly none, share their text.
// COST   Building: the sum of the squares of the strings' lengths at most.
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

// Strings are valid UTF-8 and not empty, here and below; an ExprId may be kOverflow.

/// All texts (strings of valid UTF-8) that hold none of `strings`.
regex::ExprId text_without(regex::ExprSet& exprs, std::span<const std::string> strings);

/// The texts that end with one of `strings` and hold none of them before that.
regex::ExprId text_through_first(regex::ExprSet& exprs, std::span<const std::string> strings);

struct Trigger {
  enum class Next : std::uint8_t {
    kText,  ///< Free text again, behind `then`.
    kEnd,   ///< The dispatch ends behind `then`.
  };
  std::string text;
  grammar::NodeId then = grammar::NodeId::kEmpty;
  Next next = Next::kText;
  SourceRange where = {};
};

struct Dispatch {
  std::vector<Trigger> triggers;           ///< Equal texts are alternatives.
  std::vector<std::string> excluded = {};  ///< Free text holds none of these, the trigger that ends it included.
  bool ends_in_text = true;                ///< Free text may be the last part.
  bool needs_trigger = false;              ///< One trigger at least.
  SourceRange where = {};
};

/// Adds a node of the dispatch's language, and rules named after `name`. Of triggers that end at one place, one the
/// suffix of another, each is followed.
/// Errors: kLimitExceeded (regex_nodes).
Result<grammar::NodeId> add_dispatch(grammar::Grammar& grammar, const Dispatch& dispatch, const std::string& name);

/// The triggers, by index, that no text reaches: one of them holds another before its end, or a string that is
/// excluded.
std::vector<std::size_t> unreachable_triggers(regex::ExprSet& exprs, const Dispatch& dispatch);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_DISPATCH_H_
