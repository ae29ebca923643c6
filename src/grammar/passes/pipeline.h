// The passes in their order, from IR to Cfg.
//
//   on the IR
//     check        undefined rules, before anything follows a reference
//     unused       drop what the start rule does not lead to; before the others, so that they do not work on it
//     productive   remove what derives no finite string; afterwards every reference can be followed to a string, or,
//                  where rules without an end are kept, to text that never ends
//     simplify     operators within operators; so that fold sees neighbours as neighbours
//     fold         regular parts to terminals; here, where repeats are still counted operators and not rules
//   on the Draft
//     lower        nested operators to rules
//     look-ahead   what must follow a rule, laid on its last terminals; what follows anyway is none
//     cycles       warn of rules that derive themselves
//     dedupe       equal terminals, token sets and rules; before inline, to which use counts matter
//     inline       unit rules, rules used once
//     merge        terminals that have become neighbours; still nullable ones: `"{" ws` is one terminal that is not
//     nullable     no terminal matches the empty string from here on
//     dedupe       again: merging and splitting make equal things
//   emit           Draft to Cfg
//
// Each pass keeps the language: the set of byte strings, and of token sequences where token terminals are involved.
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

/// Called after each pass with the pass's name and the grammar as text; for `weir inspect`.
using PassObserver = std::function<void(std::string_view pass, std::string_view text)>;

/// Runs all passes on a copy of `grammar`, under `limits`, whatever it was read under. Warnings (unused rules, rules
/// that derive no finite string, ...) are appended.
/// Errors: kUnsatisfiable when the start rule derives no finite string; kInvalidArgument for an undefined rule;
/// kUnsupported for a greedy terminal that matches the empty string or stands beside kept rules without an end, and for
/// look-aheads that cannot be laid (look_ahead.h); kLimitExceeded (grammar_symbols, regex_nodes, regex_fuel).
Result<Cfg> run_passes(const Grammar& grammar, const Limits& limits, std::vector<Warning>* warnings,
                       const PassObserver& observer = {});

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_PIPELINE_H_
