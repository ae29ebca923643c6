// CaseInputs: the options of experiments that walk the texts of a file of cases.
#ifndef WEIR_BENCH_EXPERIMENTS_CASE_INPUTS_H_
#define WEIR_BENCH_EXPERIMENTS_CASE_INPUTS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "case_file.h"
#include "inputs.h"
#include "limit_option.h"
#include "schema_input.h"

namespace weir::cli {

struct CaseInputs {
  CaseSelection cases;
  TokenizerInput tokenizer;
  SchemaInput schema;
  std::vector<std::string> limits;  ///< --limit
  bool json = false;

  void add_options(CLI::App& app) {
    add_case_options(app, cases);
    add_tokenizer_option(app, tokenizer);
    add_schema_options(app, schema);
    add_limit_option(app, limits);
    app.add_flag("--json", json, "JSON instead of tables");
  }
};

}  // namespace weir::cli

#endif  // WEIR_BENCH_EXPERIMENTS_CASE_INPUTS_H_
