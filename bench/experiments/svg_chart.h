// A line chart as an SVG file: one or more panels side by side, with a linear x axis and a logarithmic y axis. The code
// has no dependencies and draws only what the benchmarks need.
#ifndef WEIR_BENCH_EXPERIMENTS_SVG_CHART_H_
#define WEIR_BENCH_EXPERIMENTS_SVG_CHART_H_

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir::cli {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< (x, y); points with y <= 0, which have no logarithm, are skipped.
};

struct Panel {
  std::string title, x_label, y_label;
  std::vector<Series> series;  ///< There are six colours; later series reuse them.
  /// Positions and texts of labels on the x axis, for transformed values. Empty: labels at round numbers.
  std::vector<std::pair<double, std::string>> x_ticks = {};
};

/// Returns the content of the file. `caption` is printed below the panels.
std::string render_svg(std::span<const Panel> panels, const std::string& caption);

}  // namespace weir::cli

#endif  // WEIR_BENCH_EXPERIMENTS_SVG_CHART_H_
