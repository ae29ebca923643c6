// JSON and arithmetic as context-free grammars over bytes, written out by hand for the Earley oracle: the same
// languages as kJson and kExpressions of property/grammars.h, by other rules.
#ifndef WEIR_TESTS_EXHAUSTIVE_JSON_CFG_H_
#define WEIR_TESTS_EXHAUSTIVE_JSON_CFG_H_

#include "oracle/cfg.h"

namespace weir::testing {

oracle::Cfg json_cfg();
oracle::Cfg expressions_cfg();

}  // namespace weir::testing

#endif  // WEIR_TESTS_EXHAUSTIVE_JSON_CFG_H_
