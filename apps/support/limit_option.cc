#include "limit_option.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "command.h"

namespace weir::cli {

namespace {

template <auto Field>
bool set(Limits& limits, std::uint64_t value) {
  using Number = std::remove_reference_t<decltype(limits.*Field)>;
  if (value > std::numeric_limits<Number>::max()) return false;
  limits.*Field = static_cast<Number>(value);
  return true;
}

struct Setter {
  std::string_view name;
  bool (*set)(Limits& limits, std::uint64_t value);  // returns false if the value is too large for the field
};
constexpr std::array<Setter, 19> kSetters = {{
    {"text_bytes", set<&Limits::text_bytes>},
    {"nesting", set<&Limits::nesting>},
    {"grammar_symbols", set<&Limits::grammar_symbols>},
    {"repeat_count", set<&Limits::repeat_count>},
    {"number_digits", set<&Limits::number_digits>},
    {"schema_steps", set<&Limits::schema_steps>},
    {"call_work", set<&Limits::call_work>},
    {"token_dfa_states", set<&Limits::token_dfa_states>},
    {"token_dfa_transitions", set<&Limits::token_dfa_transitions>},
    {"regex_nodes", set<&Limits::regex_nodes>},
    {"regex_fuel", set<&Limits::regex_fuel>},
    {"lexer_states", set<&Limits::lexer_states>},
    {"row_items", set<&Limits::row_items>},
    {"configuration_threads", set<&Limits::configuration_threads>},
    {"lookahead_threads", set<&Limits::lookahead_threads>},
    {"completion_bytes", set<&Limits::completion_bytes>},
    {"capture_items", set<&Limits::capture_items>},
    {"state_memory", set<&Limits::state_memory>},
    {"cache_memory", set<&Limits::cache_memory>},
}};

std::string names() {
  std::string out;
  for (const Setter& setter : kSetters) out += fmt::format("{}{}", out.empty() ? "" : ", ", setter.name);
  return out;
}

}  // namespace

void add_limit_option(CLI::App& app, std::vector<std::string>& settings) {
  app.add_option("--limit", settings, "Set a limit; may be given several times: " + names())
      ->type_name("NAME=N")
      ->expected(1)
      ->take_all();
}

Limits read_limits(const std::vector<std::string>& settings) {
  Limits limits;
  for (const std::string& setting : settings) {
    const std::size_t equals = std::min(setting.find('='), setting.size());
    const std::string_view name = std::string_view(setting).substr(0, equals);
    const std::string_view digits = std::string_view(setting).substr(std::min(equals + 1, setting.size()));
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool is_number = error == std::errc{} && end == digits.data() + digits.size();
    bool known = false;
    for (const Setter& setter : kSetters) {
      if (setter.name != name) continue;
      known = true;
      if (!is_number || !setter.set(limits, value)) {
        throw InputError(fmt::format("--limit {}: `{}` is no number that this limit can have", setting, digits));
      }
    }
    if (!known) throw InputError(fmt::format("--limit {}: it is NAME=N, and the names are {}", setting, names()));
  }
  return limits;
}

std::string with_command_options(std::string message) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSpoken{{
      {"with `keep_endless`", "with --keep-endless"},
      {"add it to `documents`", "give it with --document URI=FILE"},
      {"declare the dialect with `$schema`", "declare the dialect with `$schema`, or give it with --draft"},
  }};
  for (const auto& [words, ours] : kSpoken) {
    if (const std::size_t found = message.find(words); found != std::string::npos) {
      message.replace(found, words.size(), ours);
    }
  }
  constexpr std::string_view kRaise = "raise Limits::";
  const std::size_t at = message.find(kRaise);
  if (at == std::string::npos) return message;
  const std::size_t name = at + kRaise.size();
  const std::size_t end = std::min(message.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", name), message.size());
  message.insert(end, "=N");
  return message.replace(at, kRaise.size(), "raise it with --limit ");
}

}  // namespace weir::cli
