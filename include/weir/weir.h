// All of weir's C++ interface.
#ifndef WEIR_WEIR_H_
#define WEIR_WEIR_H_

#include "weir/batch.h"
#include "weir/bitmask.h"
#include "weir/check.h"
#include "weir/compiler.h"
#include "weir/convert.h"
#include "weir/diagnostic.h"
#include "weir/error.h"
#include "weir/explain.h"
#include "weir/grammar.h"
#include "weir/json_schema.h"
#include "weir/kbnf.h"
#include "weir/languages.h"
#include "weir/limits.h"
#include "weir/logits.h"
#include "weir/matcher.h"
#include "weir/members.h"
#include "weir/reply_parser.h"
#include "weir/strict_schema.h"
#include "weir/token_dfa.h"
#include "weir/tokenizer_info.h"
#include "weir/tools.h"

#endif  // WEIR_WEIR_H_
