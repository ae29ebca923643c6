// JSON and arithmetic as hand-written context-free grammars over bytes, for the Earley oracle. The languages are those
// of kJson and kExpressions in property/grammars.h; the rules differ.
#ifndef WEIR_TESTS_EXHAUSTIVE_JSON_CFG_H_
#define WEIR_TESTS_EXHAUSTIVE_JSON_CFG_H_

#include "oracle/cfg.h"

namespace weir::testing {

oracle::Cfg json_cfg();
oracle::Cfg expressions_cfg();

}  // namespace weir::testing

#endif  // WEIR_TESTS_EXHAUSTIVE_JSON_CFG_H_
