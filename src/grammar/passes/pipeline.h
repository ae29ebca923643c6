// The passes in their order, from IR to Cfg. (Interface; the passes belong to the grammar subsystem.)
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

/// Runs all passes on a copy of `grammar`. Warnings (unused rules, rules that derive no finite string, ...) are
/// appended. Errors: kUnsatisfiable when the start rule derives no finite string; kInvalidArgument for an undefined
/// rule; kLimitExceeded (grammar_symbols, regex_nodes, regex_fuel).
Result<Cfg> run_passes(const Grammar& grammar, const Limits& limits, std::vector<Warning>* warnings,
                       const PassObserver& observer = {});

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_PIPELINE_H_
