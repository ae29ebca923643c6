// Options whose value is one of a few words.
//
// WHY    CLI11's own transformers show the value of each word in the help and in errors, too; for enums these would be
//        raw bytes.
#ifndef WEIR_APPS_SUPPORT_WORDS_H_
#define WEIR_APPS_SUPPORT_WORDS_H_

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "weir/members.h"

namespace weir::cli {

/// Returns the words, separated by commas.
template <typename Value>
std::string listed(const std::map<std::string, Value>& words) {
  std::string out;
  for (const auto& [word, meaning] : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

/// Returns the words of an enumeration and the enumerators that they stand for. The dialect ecma262 is also "ecma".
template <typename Enum>
const std::map<std::string, Enum>& words_of() {
  static const std::map<std::string, Enum> words = [] {
    std::map<std::string, Enum> by_word;
    for (const Word& word : kWords<Enum>) by_word.emplace(word.word, static_cast<Enum>(by_word.size()));
    if constexpr (std::is_same_v<Enum, RegexDialect>) by_word.emplace("ecma", RegexDialect::kEcma262);
    return by_word;
  }();
  return words;
}

/// Returns the words of an enumeration in the order of its enumerators, the default marked: "any (default), declared".
template <typename Enum>
std::string listed(Enum by_default) {
  std::string out;
  for (const Word& word : kWords<Enum>) {
    const bool is_default = &word == &kWords<Enum>[static_cast<std::size_t>(by_default)];
    out += (out.empty() ? "" : ", ") + std::string(word.word) + (is_default ? " (default)" : "");
  }
  return out;
}

/// Returns the words with bars between them, as the name of the value in --help, from which shells complete it.
template <typename Value>
std::string alternatives(const std::map<std::string, Value>& words) {
  std::string out;
  for (const auto& [word, meaning] : words) out += (out.empty() ? "" : "|") + word;
  return out;
}

/// Adds an option that sets `value` to the value of the given word; case does not matter. `value` must outlive the
/// parse. `what` is the help text, which should list the words and the default.
template <typename Value>
CLI::Option* add_word(CLI::App& app, const std::string& name, Value& value, std::map<std::string, Value> words,
                      const std::string& what) {
  const std::string shown = alternatives(words);
  const auto set = [name, &value, words = std::move(words)](const std::string& word) {
    const auto known = words.find(CLI::detail::to_lower(word));
    if (known != words.end()) {
      value = known->second;
      return;
    }
    throw CLI::ValidationError(name, "there is no `" + word + "`; it is one of: " + listed(words));
  };
  return app.add_option_function<std::string>(name, set, what)->type_name(shown);
}

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_WORDS_H_
