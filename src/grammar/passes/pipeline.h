// The passes in their order, from IR to Cfg.
//
//   on the IR
//     check        reports undefined rules; first, because the other passes follow references
//     unused       drops unreachable rules, so that the other passes do not work on them; again after productive and fold
//     productive   removes what derives no finite string (and, where endless rules are kept, no endless text either)
//     simplify     joins operators directly inside one another, so that fold sees neighbours as neighbours
//     fold         regular parts to terminals; here, where repeats are still counted operators and not rules
//   on the Draft
//     lower        nested operators to rules
//     look-ahead   first drops look-aheads that the grammar satisfies anyway (implied_look_aheads.h), then turns the others
//                  into follow conditions on terminals (look_ahead.h)
//     cycles       warns of rules that derive themselves
//     dedupe       merges equal terminals, token sets and rules; before inline, which depends on use counts
//     inline       unit rules, rules used once
//     merge        joins terminals that have become neighbours; before nullable, so that `"{" ws` is one terminal
//     nullable     splits nullable terminals; from here on no terminal matches the empty string
//     temperature  copies rules and terminals for each temperature; late, so that earlier passes see one of each
//     dedupe       again, because merging and splitting create equal symbols
//     columns      takes the rules with line ends out of a grammar with indentation; last, so that all passes before it
//                  work on them as on others
//   emit           Draft to Cfg
//
// Each pass preserves the language: the set of byte strings, and of token sequences where token sets are involved.
//
// Passes that are called once are marked as not to be inlined. In a WebAssembly module they were one function of 31 KB,
// for which V8's optimising compiler took 0.2 s.
#ifndef WEIR_SRC_GRAMMAR_PASSES_PIPELINE_H_
#define WEIR_SRC_GRAMMAR_PASSES_PIPELINE_H_

#include <functional>
#include <string_view>
#include <vector>

#include "grammar/cfg.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Called after each pass with the name of the pass and the grammar as text; for `weir inspect`.
using PassObserver = std::function<void(std::string_view pass, std::string_view text)>;

/// Runs all passes on a copy of `grammar` under `limits`, even if it was read under others. Appends warnings (unused
/// rules, rules that derive no finite string, ...).
/// Errors: kUnsatisfiable if the start rule derives no finite string; kInvalidArgument for an undefined rule;
/// kUnsupported for a greedy terminal that matches the empty string or occurs in a grammar that may go on forever, and
/// for look-aheads that cannot be imposed (look_ahead.h); kLimitExceeded (grammar_symbols, regex_nodes, regex_fuel).
Result<Cfg> run_passes(const Grammar& grammar, const Limits& limits, std::vector<Warning>* warnings,
                       const PassObserver& observer = {});

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_PIPELINE_H_
