// Pass "emit": turns a Draft into a Cfg. Drops unreachable rules, lays out the productions, and finds nullable rules.
#ifndef WEIR_SRC_GRAMMAR_PASSES_EMIT_H_
#define WEIR_SRC_GRAMMAR_PASSES_EMIT_H_

#include "grammar/cfg.h"
#include "grammar/draft.h"

namespace weir::grammar {

[[gnu::noinline]] Cfg emit(Draft draft);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_EMIT_H_
