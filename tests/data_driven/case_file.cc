#include "data_driven/case_file.h"

#include <toml++/toml.h>
#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>

namespace weir::testing {

namespace {

std::vector<std::string> strings(const toml::table& table, std::string_view key) {
  std::vector<std::string> out;
  if (const toml::array* array = table[key].as_array()) {
    for (const toml::node& node : *array) out.push_back(node.value_or(std::string()));
  }
  return out;
}

template <typename Use>
void for_each_table(toml::node_view<const toml::node> list, Use use) {
  const toml::array* array = list.as_array();
  if (array == nullptr) return;
  for (const toml::node& node : *array) {
    if (const toml::table* table = node.as_table()) use(*table);
  }
}

Case read_case(const toml::table& table, const std::string& file) {
  Case c;
  c.file = file;
  c.name = table["name"].value_or(std::string("nameless"));
  c.syntax = table["syntax"].value_or(c.syntax);
  c.grammar = table["grammar"].value_or(std::string());
  c.start = table["start"].value_or(c.start);
  c.dialect = table["dialect"].value_or(c.dialect);
  c.keep_endless = table["keep_endless"].value_or(c.keep_endless);
  c.exact_splits = table["exact_splits"].value_or(false);
  if (const toml::table* grammars = table["grammars"].as_table()) {
    for (const auto& [name, text] : *grammars) c.grammars.emplace_back(name.str(), text.value_or(std::string()));
  }
  c.tokens = strings(table, "tokens");
  c.accepts = strings(table, "accepts");
  c.rejects = strings(table, "rejects");
  c.dead_prefixes = strings(table, "dead_prefixes");
  c.warnings = strings(table, "warnings");
  for_each_table(table["masks"], [&](const toml::table& mask) {
    c.masks.push_back({mask["after"].value_or(std::string()), strings(mask, "allowed")});
  });
  for_each_table(table["captures"], [&](const toml::table& captures) {
    c.captures.push_back({captures["after"].value_or(std::string()), strings(captures, "are")});
  });
  for_each_table(table["temperatures"], [&](const toml::table& temperature) {
    c.temperatures.push_back({temperature["after"].value_or(std::string()), temperature["is"].value<float>()});
  });
  if (const toml::table* error = table["error"].as_table()) {
    ErrorCase e{(*error)["code"].value_or(std::string()), std::nullopt, (*error)["says"].value_or(std::string())};
    if (const toml::array* at = (*error)["at"].as_array(); at != nullptr && at->size() == 2) {
      e.at = {(*at)[0].value_or(std::size_t{0}), (*at)[1].value_or(std::size_t{0})};
    }
    c.error = e;
  }
  return c;
}

void read_file(const std::string& path, std::vector<Case>& cases) {
  static const std::set<std::string_view> kKeys = {
      "name",  "syntax",   "grammar",      "start",        "tokens",   "accepts", "rejects",  "dead_prefixes", "masks",
      "error", "warnings", "keep_endless", "exact_splits", "grammars", "dialect", "captures", "temperatures"};
  const std::string file = std::filesystem::path(path).stem().string();
  const auto unreadable = [&](const std::string& why) {
    Case c;
    c.file = file;
    c.name = "unreadable";
    c.grammar = why;
    cases.push_back(c);
  };
  toml::table root;
  try {
    root = toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    std::ostringstream why;
    why << error;
    return unreadable(why.str());
  }
  const toml::array* list = root["case"].as_array();
  if (list == nullptr) return unreadable("no [[case]] in it");
  for (const toml::node& node : *list) {
    const toml::table& table = *node.as_table();
    for (const auto& [key, value] : table) {
      if (!kKeys.contains(key.str())) unreadable("unknown key " + std::string(key.str()));
    }
    cases.push_back(read_case(table, file));
  }
}

}  // namespace

std::vector<Case> read_cases(const std::string& directory) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".toml") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Case> cases;
  for (const std::string& path : paths) read_file(path, cases);
  return cases;
}

}  // namespace weir::testing
