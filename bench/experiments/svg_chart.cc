#include "svg_chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace weir::cli {

namespace {

constexpr double kPanelWidth = 520, kPanelHeight = 400;
constexpr double kLeft = 80, kRight = 20, kTop = 40, kBottom = 60;  // Margins of a panel.
constexpr double kCaptionHeight = 30;
constexpr std::array<const char*, 6> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

std::string escape_xml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text, const std::string& extra = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor, extra,
                     escape_xml(text));
}

// Maps data to the panel's pixels. The y range extends to whole powers of ten.
struct Scale {
  double x_max = 1;
  int y_low = 0, y_high = 1;  // Exponents.

  explicit Scale(const Panel& panel) {
    double low = INFINITY, high = 0;
    for (const Series& series : panel.series) {
      for (const auto& [x, y] : series.points) {
        x_max = std::max(x_max, x);
        if (y > 0) low = std::min(low, y);
        high = std::max(high, y);
      }
    }
    if (high <= 0) return;
    y_low = static_cast<int>(std::floor(std::log10(low)));
    y_high = static_cast<int>(std::ceil(std::log10(high))) + 1;  // A decade of room for the legend.
  }
  [[nodiscard]] double x(double value) const { return kLeft + value / x_max * (kPanelWidth - kLeft - kRight); }
  [[nodiscard]] double y(double value) const {
    const double share = (std::log10(value) - y_low) / (y_high - y_low);
    return kPanelHeight - kBottom - share * (kPanelHeight - kTop - kBottom);
  }
};

// Returns 1, 2 or 5 times a power of ten, so that there are about six ticks.
double tick_step(double range) {
  const double rough = range / 6;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

std::vector<std::pair<double, std::string>> round_ticks(double x_max) {
  std::vector<std::pair<double, std::string>> ticks;
  const double step = tick_step(x_max);
  for (double value = 0; value <= x_max * 1.0001; value += step) ticks.emplace_back(value, fmt::format("{:g}", value));
  return ticks;
}

std::string render_axes(const Panel& panel, const Scale& scale) {
  std::string out;
  const double bottom = kPanelHeight - kBottom;
  for (int exponent = scale.y_low; exponent <= scale.y_high; ++exponent) {
    const double y = scale.y(std::pow(10, exponent));
    out += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#ddd\"/>\n", kLeft, y, kPanelWidth - kRight);
    out += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">10<tspan dy=\"-5\" font-size=\"9\">{}</tspan></text>\n",
        kLeft - 6, y + 4, exponent);
  }
  for (const auto& [value, label] : panel.x_ticks.empty() ? round_ticks(scale.x_max) : panel.x_ticks) {
    if (value > scale.x_max * 1.0001) continue;
    out += fmt::format("<path d=\"M{:.1f} {:.1f}v5\" stroke=\"#333\"/>\n", scale.x(value), bottom);
    out += text_at(scale.x(value), bottom + 20, "middle", label);
  }
  out += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"#333\"/>\n", kLeft, kTop, bottom,
                     kPanelWidth - kRight);
  out += text_at((kLeft + kPanelWidth - kRight) / 2, kTop - 16, "middle", panel.title, "font-weight=\"bold\"");
  out += text_at((kLeft + kPanelWidth - kRight) / 2, bottom + 42, "middle", panel.x_label);
  const double middle = (kTop + bottom) / 2;
  out += text_at(20, middle, "middle", panel.y_label, fmt::format("transform=\"rotate(-90 20 {:.1f})\"", middle));
  return out;
}

std::string render_series(const Series& series, const Scale& scale, std::size_t number) {
  const char* color = kColors[number % kColors.size()];
  std::string path;
  for (const auto& [x, y] : series.points) {
    if (y > 0) path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", scale.x(x), scale.y(y));
  }
  std::string out = fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", path, color);
  const double y = kTop + 12 + 16 * static_cast<double>(number);
  out += fmt::format("<path d=\"M{:.1f} {:.1f}h18\" stroke=\"{}\" stroke-width=\"3\"/>\n", kLeft + 10, y, color);
  return out + text_at(kLeft + 34, y + 4, "start", series.name);
}

}  // namespace

std::string render_svg(std::span<const Panel> panels, const std::string& caption) {
  const double width = kPanelWidth * static_cast<double>(panels.size());
  const double height = kPanelHeight + kCaptionHeight;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, height);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Scale scale(panels[i]);
    out += fmt::format("<g transform=\"translate({:g} 0)\">\n", kPanelWidth * static_cast<double>(i));
    out += render_axes(panels[i], scale);
    for (std::size_t s = 0; s < panels[i].series.size(); ++s) out += render_series(panels[i].series[s], scale, s);
    out += "</g>\n";
  }
  out += text_at(width / 2, kPanelHeight + 12, "middle", caption, "fill=\"#555\"");
  return out + "</svg>\n";
}

}  // namespace weir::cli
