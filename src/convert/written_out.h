// A grammar whose schemas are written out: rules that are made as the output reaches them (grammar/growth.h), all of
// them made at once, for whoever has to write them down.
//
// HOW    The grammar is read again as a part of another text, where no guard reads along and rules alone say
//        everything; from its first rule on each one is made that another leads to. Where one follows the text (items
//        that must differ, keys without number that must not come twice), that is an error: it stands for more rules
//        than can be written.
// COST   That of the rules. LIMITS Limits::grammar_symbols, which the sets of properties in any order soon exceed.
#ifndef WEIR_SRC_CONVERT_WRITTEN_OUT_H_
#define WEIR_SRC_CONVERT_WRITTEN_OUT_H_

#include "convert/spelling.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/grammar.h"

namespace weir::frontend::convert {

/// The grammar's rules as they are, where none is lazy. Errors: kUnsupported, kLimitExceeded.
Result<grammar::Grammar> written_out(const Grammar& grammar, Target to);

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_WRITTEN_OUT_H_
