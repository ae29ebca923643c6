#include "growth/judge.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>

namespace weir::growth {

namespace {

// Processor time of one call, in microseconds.
constexpr std::uint64_t kMostMicros = 200'000;
constexpr std::uint64_t kMostMicrosOfCompiling = 1'000'000;
// A call that is given a text may take 40 steps more for each of its bytes.
constexpr std::uint64_t kMicrosOfByte = 4;
// A call may take this many microseconds beyond half a microsecond for each of its steps; a step takes 0.03 to 0.1.
constexpr double kBlindMicros = 60'000;
constexpr std::size_t kMemory = std::size_t{64} << 20U;
// Fewer steps than kFloor are not compared; those of a smaller size count as kBase at least.
constexpr std::uint64_t kFloor = 30'000;
constexpr std::uint64_t kBase = 1'000;

double exponent_of(const std::string& growth) {
  if (growth == "constant") return 0.3;
  if (growth == "linear") return 1.3;
  if (growth == "quadratic") return 2.3;
  return std::numeric_limits<double>::infinity();  // "any"
}

bool is_one_of(const std::string& call, std::initializer_list<const char*> names) {
  return std::ranges::any_of(names, [&](const char* name) { return call == name; });
}

bool is_building(const std::string& call) { return is_one_of(call, {"compile", "tag"}); }

// Calls that every output makes. Others may meet a limit where texts of the grammar are long.
bool is_promised(const std::string& call) {
  return is_one_of(call, {"tag", "compile", "first_mask", "mask", "step", "piece", "prefix"});
}

// Calls whose answer or argument is a text, which grows with the size.
bool is_about_text(const std::string& call) {
  return is_one_of(call, {"completion", "prefix", "piece", "again", "captures", "jump", "jump_tokens", "budget"});
}

// Calls share what they have explored, so which of them does the work depends on which is made first. A call is compared
// with the one of its kind that took most at a smaller size.
enum class Kind : std::uint8_t { kCompiling, kText, kPlace };

Kind kind_of(const std::string& call) {
  if (is_building(call)) return Kind::kCompiling;
  return is_about_text(call) ? Kind::kText : Kind::kPlace;
}

bool grows_too_fast(const Case& one, std::uint64_t size, std::uint64_t work, const Measured& larger) {
  if (larger.work <= kFloor) return false;
  const double ratio = static_cast<double>(larger.size) / static_cast<double>(size);
  const double exponent = std::max(exponent_of(one.growth), is_about_text(larger.call) ? 1.3 : 0.0);
  const double base = static_cast<double>(std::max(work, kBase));
  return static_cast<double>(larger.work) > base * std::pow(ratio, exponent);
}

// Returns what calls of the kind took at each smaller size, in steps of the call that took most. Every smaller size is
// compared, so that a run with more sizes finds all faults that a run with fewer does.
std::map<std::uint64_t, std::uint64_t> smaller_sizes(const Probed& probed, Kind kind, std::uint64_t size) {
  std::map<std::uint64_t, std::uint64_t> most;
  for (const Measured& m : probed.calls) {
    if (m.size >= size || kind_of(m.call) != kind || m.outcome != "ok") continue;
    most[m.size] = std::max(most[m.size], m.work);
  }
  return most;
}

std::string figure_of(const Measured& m) {
  return std::to_string(m.work) + " steps, " + std::to_string(m.micros / 1'000) + " ms, " +
         std::to_string(m.bytes >> 20U) + " MiB, " + m.outcome;
}

}  // namespace

bool is_time(const std::string& kind) { return is_one_of(kind, {"time", "uncounted", "died"}); }

std::vector<Fault> judge(const Case& one, const std::string& limits_name, const Limits& limits, const Probed& probed,
                         double margin) {
  std::vector<Fault> faults;
  const auto add = [&](const std::string& call, const char* kind, std::uint64_t size, const std::string& figure) {
    const auto same = [&](const Fault& f) { return f.call == call && f.kind == kind; };
    if (std::ranges::none_of(faults, same)) faults.push_back({one.name, limits_name, call, kind, size, figure});
  };
  const std::uint64_t reach = limits_name == "default" ? one.reach : one.reach_public;
  const auto exceeds = [](std::uint64_t measured, double allowed) { return static_cast<double>(measured) > allowed; };
  for (const Measured& m : probed.calls) {
    const std::uint64_t most = is_building(m.call) ? kMostMicrosOfCompiling : kMostMicros;
    const std::size_t memory = kMemory + (m.call == "held" ? limits.state_memory : 0);
    const auto micros = static_cast<double>(most + m.given * kMicrosOfByte);
    if (exceeds(m.micros, margin * micros)) add(m.call, "time", m.size, figure_of(m));
    if (exceeds(m.blind, margin * kBlindMicros)) add(m.call, "uncounted", m.size, figure_of(m));
    const double bytes = std::min(margin, 1.0) * static_cast<double>(memory);
    if (exceeds(m.bytes, bytes)) add(m.call, "memory", m.size, figure_of(m));
    const bool is_answered = is_one_of(m.outcome, {"ok", "none", "unsupported", "unsatisfiable"});
    if (m.size <= reach && is_promised(m.call) && !is_answered) add(m.call, "limit", m.size, figure_of(m));
    if (m.outcome != "ok") continue;
    for (const auto& [size, work] : smaller_sizes(probed, kind_of(m.call), m.size)) {
      if (!grows_too_fast(one, size, work, m)) continue;
      add(m.call, "growth", m.size, figure_of(m) + "; " + std::to_string(work) + " steps at " + std::to_string(size));
    }
  }
  for (const Death& death : probed.deaths) add(death.call, "died", death.size, death.how);
  return faults;
}

}  // namespace weir::growth
