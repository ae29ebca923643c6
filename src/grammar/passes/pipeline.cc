#include "grammar/passes/pipeline.h"

#include <utility>

#include "base/work.h"
#include "grammar/passes/check.h"
#include "grammar/passes/columns.h"
#include "grammar/passes/cycles.h"
#include "grammar/passes/dedupe.h"
#include "grammar/passes/emit.h"
#include "grammar/passes/fold.h"
#include "grammar/passes/implied_look_aheads.h"
#include "grammar/passes/inline.h"
#include "grammar/passes/look_ahead.h"
#include "grammar/passes/lower.h"
#include "grammar/passes/merge.h"
#include "grammar/passes/nullable_terminals.h"
#include "grammar/passes/productive.h"
#include "grammar/passes/simplify.h"
#include "grammar/passes/temperatures.h"
#include "grammar/passes/unused.h"
#include "grammar/print.h"
#include "regex/syntax/syntax.h"

namespace weir::grammar {

Result<Cfg> run_passes(const Grammar& grammar, const Limits& limits, std::vector<Warning>* warnings,
                       const PassObserver& observer) {
  const auto observe = [&](std::string_view pass, const auto& current, auto print) {
    if (observer) observer(pass, print(current));
  };
  const auto ebnf = [](const Grammar& current) { return to_ebnf(current); };
  const auto text = [](const auto& current) { return to_text(current); };

  if (auto done = check_defined(grammar); !done) return tl::unexpected(std::move(done.error()));
  Grammar ir = grammar;
  ir.exprs.set_node_limit(limits.regex_nodes);  // the front end may have used another limit
  if (ir.exprs.node_count() > limits.regex_nodes) {
    return tl::unexpected(regex::overflow_error(ir.exprs, ir.rule(ir.start).where));
  }
  observe("parse", ir, ebnf);
  drop_unused(ir, warnings);
  observe("unused", ir, ebnf);
  if (auto done = remove_unproductive(ir, limits, warnings); !done) return tl::unexpected(std::move(done.error()));
  drop_unused(ir, nullptr);  // drops what only the removed alternatives reached
  observe("productive", ir, ebnf);
  simplify(ir);
  observe("simplify", ir, ebnf);
  if (auto done = fold_regular(ir); !done) return tl::unexpected(std::move(done.error()));
  drop_unused(ir, nullptr);  // drops rules that were folded into others
  observe("fold", ir, ebnf);

  Result<Draft> draft = lower(std::move(ir), limits);
  if (!draft) return tl::unexpected(std::move(draft.error()));
  observe("lower", *draft, text);
  drop_implied_look_aheads(*draft, limits);
  if (auto done = impose_look_aheads(*draft, limits); !done) return tl::unexpected(std::move(done.error()));
  observe("look-ahead", *draft, text);
  if (warnings != nullptr) report_cycles(*draft, *warnings);
  dedupe(*draft);
  observe("dedupe", *draft, text);
  inline_rules(*draft);
  observe("inline", *draft, text);
  if (auto done = merge_terminals(*draft); !done) return tl::unexpected(std::move(done.error()));
  observe("merge", *draft, text);
  if (auto done = split_nullable_terminals(*draft, warnings); !done) return tl::unexpected(std::move(done.error()));
  observe("nullable", *draft, text);
  if (auto done = apply_temperatures(*draft, limits); !done) return tl::unexpected(std::move(done.error()));
  observe("temperature", *draft, text);
  dedupe(*draft);
  if (auto done = make_columns(*draft, limits); !done) return tl::unexpected(std::move(done.error()));
  Cfg cfg = emit(std::move(*draft));
  base::Work::charge(cfg.symbols.size());
  if (cfg.symbols.size() > limits.grammar_symbols) {  // splitting nullable terminals adds some
    return tl::unexpected(too_many_symbols(limits, cfg.rule(cfg.start).where));
  }
  observe("emit", cfg, text);
  return cfg;
}

}  // namespace weir::grammar
