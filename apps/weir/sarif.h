// Findings as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), which code hosts and editors read.
#ifndef WEIR_APPS_WEIR_SARIF_H_
#define WEIR_APPS_WEIR_SARIF_H_

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "text.h"
#include "weir/diagnostic.h"

namespace weir::cli {

struct CheckedFile {
  std::string name;
  std::string text;
  std::vector<Diagnostic> findings;
};

/// Why a file could not be checked; without a name, why none could be.
struct CheckFailure {
  std::string name;
  std::string message;
};

/// Returns a log with one run. Columns count Unicode code points, as line_column does; byte ranges are included, too.
/// Failures are notifications of the run, which then was not successful.
Json sarif_log(std::span<const CheckedFile> files, std::span<const CheckFailure> failures);

}  // namespace weir::cli

#endif  // WEIR_APPS_WEIR_SARIF_H_
