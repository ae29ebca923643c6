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
      ->allow_extra_args(false);
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

namespace {

// Returns how the command writes an option of the library.
std::string command_option(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOthers{{
      {"default_draft", "--draft"},
      {"documents", "--document URI=FILE"},
      {"exponents", "exponents"},  // its option, --no-exponents, says the opposite
      {"operators", "--regex-operators"},
  }};
  for (const auto& [theirs, ours] : kOthers) {
    if (name == theirs) return std::string(ours);
  }
  std::string out = "--" + std::string(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

template <typename Finding>
void use_command_options(Finding& finding) {
  finding.message = with_command_options(std::move(finding.message), finding.options);
  finding.hint = with_command_options(std::move(finding.hint), finding.options);
}

template <typename Finding>
void use_command_limit(Finding& finding) {
  use_command_options(finding);
  if (finding.hint.empty() && !finding.limit.empty()) {
    finding.hint = fmt::format("raise it with --limit {}=N", finding.limit);
  }
}

}  // namespace

void use_command_words(Error& error) { use_command_limit(error); }
void use_command_words(Diagnostic& finding) { use_command_limit(finding); }
void use_command_words(Warning& warning) { use_command_options(warning); }

InputError option_error(Error error) {
  const std::string option = command_option(std::string_view(error.options).substr(0, error.options.find(' ')));
  use_command_words(error);
  if (error.message.find(option) == std::string::npos) error.message = option + ": " + error.message;
  const std::string hint = error.hint.empty() ? "" : "\n  hint: " + error.hint;
  return {error.message + hint, error};
}

std::string with_command_options(std::string message, std::string_view options) {
  while (!options.empty()) {
    const std::string_view name = options.substr(0, options.find(' '));
    options.remove_prefix(std::min(name.size() + 1, options.size()));
    const std::string quoted = fmt::format("`{}`", name), ours = command_option(name);
    for (std::size_t at = 0; (at = message.find(quoted, at)) != std::string::npos; at += ours.size()) {
      message.replace(at, quoted.size(), ours);
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
