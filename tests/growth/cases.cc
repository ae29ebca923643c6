#include "growth/cases.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "distinct_styles.h"
#include "shared_data.h"
#include "weir/weir.h"

namespace weir::growth {

namespace {

constexpr std::uint64_t kDeepest = 1'000;  // Limits::nesting; deeper texts are refused

std::string string_of(const toml::table& table, std::string_view key, const std::string& otherwise = {}) {
  return table[key].value_or(otherwise);
}

std::uint64_t size_of(const toml::table& table, std::string_view key, std::uint64_t otherwise) {
  const auto value = table[key].value<std::int64_t>();
  return value ? static_cast<std::uint64_t>(*value) : otherwise;
}

// Reads the members that a kind and a case may have; the case's take precedence over those in `out`.
void read_members(const toml::table& table, Case& out) {
  out.syntax = string_of(table, "syntax", out.syntax);
  out.grammar = string_of(table, "grammar", out.grammar);
  out.text = string_of(table, "text", out.text);
  out.sizes = string_of(table, "sizes", out.sizes);
  out.growth = string_of(table, "growth", out.growth);
  out.style = string_of(table, "style", out.style);
  out.why = string_of(table, "why", out.why);
  out.reach = size_of(table, "reach", out.reach);
  out.reach_public = size_of(table, "public", out.reach_public);
  out.most = size_of(table, "most", out.most);
  if (const toml::table* options = table["options"].as_table()) {
    for (const auto& [key, value] : *options) out.options[std::string(key.str())] = value.value_or(std::string());
  }
}

void read_kind(std::string_view kind, const toml::table& table, std::vector<Case>& out) {
  Case common;
  read_members(table, common);
  common.grammar.clear();
  for (const auto& [key, value] : table) {
    Case one = common;
    one.name = std::string(kind) + "/" + std::string(key.str());
    std::ranges::replace(one.name, ' ', '_');
    if (key.str() == "options") continue;
    if (const toml::table* members = value.as_table()) {
      read_members(*members, one);
    } else if (const toml::array* pair = value.as_array()) {
      one.grammar = pair->at(0).value_or(std::string());
      one.text = pair->at(1).value_or(std::string());
    } else {
      continue;
    }
    if (one.sizes == "depths") one.reach = std::min(one.reach, kDeepest);
    if (one.growth.empty()) one.growth = one.sizes == "numbers" ? "constant" : "linear";
    if (one.style != "all") {
      out.push_back(one);
      continue;
    }
    for (const std::string_view style : tests::distinct_styles()) {
      Case styled = one;
      styled.name += "/" + std::string(style);
      styled.style = style;
      out.push_back(styled);
    }
  }
}

}  // namespace

std::vector<Case> read_cases() {
  std::vector<Case> cases;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(tests::repository() + "/tests/growth/cases")) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const auto& file : files) {
    const toml::table kinds = toml::parse_file(file.string());
    for (const auto& [kind, table] : kinds) read_kind(kind.str(), *table.as_table(), cases);
  }
  return cases;
}

std::vector<std::uint64_t> sizes_of(const Case& one, bool is_whole) {
  std::vector<std::uint64_t> sizes;
  const bool is_number = one.sizes == "numbers";
  std::uint64_t last = is_number ? 1'000'000'000 : one.sizes == "depths" ? 10'000 : 100'000;
  if (!is_whole && !is_number) last = 1'000;
  last = std::min(last, one.most);
  for (std::uint64_t size = 10; size <= last; size *= 10) sizes.push_back(size);
  // The small run has four numbers: 10, 1,000, 1,000,000, 1,000,000,000.
  if (!is_whole && is_number) {
    std::erase_if(sizes, [](std::uint64_t s) { return s != 10 && s != 1'000 && s != 1'000'000 && s != 1'000'000'000; });
  }
  return sizes;
}

}  // namespace weir::growth
