// Command-line options for the members of a struct of options: names, words, defaults and help are those of its header.
//
// HOW    `whitespace_limit` is --whitespace-limit. A flag whose default is true has an option that turns it off:
//        --no-exponents. Lists and options within options have no option of the command by themselves.
#ifndef WEIR_APPS_SUPPORT_MEMBER_OPTIONS_H_
#define WEIR_APPS_SUPPORT_MEMBER_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "weir/members.h"
#include "words.h"

namespace weir::cli {

/// Returns the name of a member's option; `by_default` is its default. `default_draft` is --draft.
template <typename T>
std::string option_of(std::string name, const T& by_default) {
  if (name.starts_with("default_")) name = name.substr(8);
  std::ranges::replace(name, '_', '-');
  if constexpr (std::is_same_v<T, bool>) return (by_default ? "--no-" : "--") + name;
  return "--" + name;
}

/// Returns "Blanks are also allowed" of "True if blanks are also allowed."
inline std::string help_of_flag(std::string_view comment, bool turns_off) {
  if (comment.ends_with('.')) comment.remove_suffix(1);
  std::string help(comment);
  if (help.starts_with("True if ")) help = turns_off ? "Turns off that " + help.substr(8) : help.substr(8);
  help[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(help[0])));
  return help;
}

/// Adds the option of a member, which the parse sets; `value` must outlive it. `by_default` is the library's default, and
/// `value` what the command has otherwise. Returns nullptr for a member that has none.
template <typename T>
CLI::Option* add_member_option(CLI::App& app, const std::string& name, T& value, const T& by_default,
                               std::string comment) {
  if constexpr (std::is_same_v<T, bool>) {
    return app.add_flag_callback(
        option_of(name, by_default), [&value, by_default] { value = !by_default; }, help_of_flag(comment, by_default));
  } else {
    if (comment.ends_with('.')) comment.pop_back();
    if constexpr (std::is_enum_v<T>) {
      return add_word(app, option_of(name, by_default), value, words_of<T>(), comment + ": " + listed(by_default));
    } else if constexpr (std::is_same_v<T, std::uint32_t>) {
      return app.add_option(option_of(name, by_default), value, comment)->type_name("N")->capture_default_str();
    } else if constexpr (std::is_same_v<T, std::string>) {
      const char* type = name.ends_with("pattern") ? "REGEX" : name.ends_with("uri") ? "URI" : "RULE";
      return app.add_option(option_of(name, by_default), value, comment)->type_name(type);
    }
  }
  return nullptr;
}

/// Adds the options of a struct's members, whose names begin with `prefix`.
template <typename Struct>
void add_member_options(CLI::App& app, Struct& options, const std::string& prefix = "") {
  for_each_member<Struct>([&](const char* name, auto member, const char* comment) {
    add_member_option(app, prefix + name, options.*member, Struct().*member, comment);
  });
}

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_MEMBER_OPTIONS_H_
