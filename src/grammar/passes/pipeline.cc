#include "grammar/passes/pipeline.h"

#include <utility>

#include "grammar/passes/check.h"
#include "grammar/passes/emit.h"
#include "grammar/passes/lower.h"
#include "grammar/passes/nullable_terminals.h"
#include "grammar/passes/productive.h"
#include "grammar/passes/unused.h"

namespace weir::grammar {

Result<Cfg> run_passes(const Grammar& grammar, const Limits& limits, std::vector<Warning>* warnings,
                       const PassObserver& observer) {
  (void)observer;
  if (auto done = check_defined(grammar); !done) return tl::unexpected(std::move(done.error()));
  Grammar ir = grammar;
  drop_unused(ir, warnings);
  if (auto done = remove_unproductive(ir, limits, warnings); !done) return tl::unexpected(std::move(done.error()));
  drop_unused(ir, nullptr);
  Result<Draft> draft = lower(std::move(ir), limits);
  if (!draft) return tl::unexpected(std::move(draft.error()));
  if (auto done = split_nullable_terminals(*draft, warnings); !done) return tl::unexpected(std::move(done.error()));
  return emit(std::move(*draft));
}

}  // namespace weir::grammar
