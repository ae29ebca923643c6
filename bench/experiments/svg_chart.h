// A line chart as an SVG file: one or more panels side by side, linear x axis, logarithmic y axis. No dependencies;
// just what the benchmarks need to show growth.
#ifndef WEIR_BENCH_EXPERIMENTS_SVG_CHART_H_
#define WEIR_BENCH_EXPERIMENTS_SVG_CHART_H_

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir::cli {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< (x, y); points with y <= 0 are left out: a logarithm has none.
};

struct Panel {
  std::string title, x_label, y_label;
  std::vector<Series> series;  ///< At most six colours; more begin again.
  /// Where the x axis is labelled, and how: for values that were transformed. Empty: at round numbers.
  std::vector<std::pair<double, std::string>> x_ticks = {};
};

/// The whole file. `caption` stands under the panels.
std::string render_svg(std::span<const Panel> panels, const std::string& caption);

}  // namespace weir::cli

#endif  // WEIR_BENCH_EXPERIMENTS_SVG_CHART_H_
