#include "growth/known.h"

#include <toml++/toml.h>

#include <algorithm>
#include <fstream>

#include "shared_data.h"

namespace weir::growth {

namespace {

const std::string kPath = tests::repository() + "/tests/growth/known.toml";
constexpr std::string_view kHead =
    R"(# Faults that are known, by cause. A line: the limits, the case, the call, the kind of the fault (judge.h), the smallest
# size at which it occurs, and a figure. `WEIR_GROWTH_UPDATE=1 build/tests/growth/test_growth` removes those that are gone
# and adds new ones, which then need a cause.
)";

// A line is "public kind/case call kind 1000: figure"; its key is what precedes the size.
std::string key_of(const std::string& line) { return line.substr(0, line.rfind(' ', line.find(": ") - 1)); }

std::uint64_t size_in(const std::string& line) { return std::stoull(line.substr(key_of(line).size() + 1)); }

}  // namespace

Known::Known() {
  const toml::table file = toml::parse_file(kPath);
  const toml::array* groups = file["known"].as_array();
  if (groups == nullptr) return;
  for (const toml::node& node : *groups) {
    const toml::table& table = *node.as_table();
    Group& group = groups_.emplace_back();
    group.why = table["why"].value_or(std::string());
    for (const toml::node& line : *table["faults"].as_array()) {
      group.lines.push_back(line.value_or(std::string()));
      sizes_[key_of(group.lines.back())] = size_in(group.lines.back());
    }
  }
}

bool Known::contains(const Fault& fault) const {
  const auto found = sizes_.find(fault.key());
  return found != sizes_.end() && found->second <= fault.size;
}

std::uint64_t Known::first_slow(const Case& one, const std::string& limits) const {
  std::uint64_t first = UINT64_MAX;
  const std::string prefix = limits + " " + one.name + " ";
  for (const auto& [key, size] : sizes_) {
    if (key.starts_with(prefix) && is_time(key.substr(key.rfind(' ') + 1))) first = std::min(first, size);
  }
  return first;
}

std::vector<std::string> Known::gone(const Case& one, const std::string& limits,
                                     const std::vector<std::uint64_t>& sizes, const std::vector<Fault>& found) const {
  std::vector<std::string> out;
  const std::string prefix = limits + " " + one.name + " ";
  for (const auto& [key, size] : sizes_) {
    if (!key.starts_with(prefix) || std::ranges::find(sizes, size) == sizes.end()) continue;
    if (std::ranges::none_of(found, [&](const Fault& fault) { return fault.key() == key; })) out.push_back(key);
  }
  return out;
}

std::vector<std::string> Known::causes() const {
  std::vector<std::string> out;
  for (const Group& group : groups_) out.push_back(group.why);
  return out;
}

void Known::rewrite(const std::vector<std::string>& gone, const std::vector<Fault>& added) const {
  std::vector<Group> groups = groups_;
  for (Group& group : groups) {
    std::erase_if(group.lines, [&](const std::string& line) {
      const std::string key = key_of(line);
      const bool is_again = std::ranges::any_of(added, [&](const Fault& fault) { return fault.key() == key; });
      return is_again || std::ranges::find(gone, key) != gone.end();
    });
  }
  std::erase_if(groups, [](const Group& group) { return group.lines.empty(); });
  if (!added.empty()) {
    Group& group = groups.emplace_back();
    for (const Fault& fault : added) {
      group.lines.push_back(fault.key() + " " + std::to_string(fault.size) + ": " + fault.figure);
    }
  }
  std::ofstream out(kPath);
  out << kHead;
  for (const Group& group : groups) {
    out << "\n[[known]]\nwhy = '" << group.why << "'\nfaults = [\n";
    for (const std::string& line : group.lines) out << "  '" << line << "',\n";
    out << "]\n";
  }
}

}  // namespace weir::growth
