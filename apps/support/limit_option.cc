#include "limit_option.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "command.h"
#include "weir/members.h"

namespace weir::cli {

namespace {

std::string names() {
  std::string out;
  for_each_member<Limits>(
      [&](const char* name, auto, const char*) { out += fmt::format("{}{}", out.empty() ? "" : ", ", name); });
  return out;
}

// Sets a limit. Returns false if the value is too large for it.
template <typename Number>
bool set(Number& limit, std::uint64_t value) {
  if (value > std::numeric_limits<Number>::max()) return false;
  limit = static_cast<Number>(value);
  return true;
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
    for_each_member<Limits>([&](std::string_view limit, auto member, const char*) {
      if (limit != name) return;
      known = true;
      if (!is_number || !set(limits.*member, value)) {
        throw InputError(fmt::format("--limit {}: `{}` is no number that this limit can have", setting, digits));
      }
    });
    if (!known) throw InputError(fmt::format("--limit {}: it is NAME=N, and the names are {}", setting, names()));
  }
  return limits;
}

std::string limit_of_message(std::string_view message) {
  const std::size_t name = std::min(message.find('`'), message.size());
  message.remove_prefix(std::min(name + 1, message.size()));
  return std::string(message.substr(0, message.find('`')));
}

std::string hint_in_words(const std::string& hint, const std::string& limit) {
  if (!hint.empty() || limit.empty()) return with_command_options(hint);
  return fmt::format("raise it with --limit {}=N", limit);
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
