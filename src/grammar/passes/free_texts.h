// Pass "free texts": no string that is kept out of a free text begins in it, even if what follows would complete it.
//
//   text "</t>"?       where `text` holds no "</t>": after the text `a</t`, the regex `>b` would still complete it
//   text regex
//
// WHY    The expression of a terminal says what its lexemes hold. A string that begins in one lexeme and is complete in
//        another is in neither.
// HOW    For each proper prefix v of a string v·w, a search over the rules finds whether w can come after a text that ends
//        with v:
//          never      Nothing to do. This holds for nearly all tags; their terminals stay as they are.
//          always     The text does not end with v.
//          otherwise  Texts that end with v become a rule with a look-ahead: what follows does not begin with w.
//        The search considers all uses of a rule, and knows of a lazy rule how its text begins at most. So it may take
//        "never" for "otherwise"; that costs time (implied_look_aheads.h), but the language is the same.
//        A token that is taken as a whole is not text. It completes no string.
//        The same holds for a constant or a pattern in a tag: the tag's end does not begin in it and end after it.
//        Such a terminal may hold the whole end, because that is how it is written.
// LIMITS Limits::regex_nodes; Limits::call_work.
#ifndef WEIR_SRC_GRAMMAR_PASSES_FREE_TEXTS_H_
#define WEIR_SRC_GRAMMAR_PASSES_FREE_TEXTS_H_

#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::grammar {

/// Imposes Grammar::free_texts, which is empty afterwards. Precondition: the start rule is known and all rules are there.
/// Errors: kLimitExceeded (regex_nodes).
[[gnu::noinline]] Result<void> keep_out_of_free_texts(Grammar& grammar, std::uint32_t regex_fuel);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_FREE_TEXTS_H_
