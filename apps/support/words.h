// Options whose value is one of a few words.
//
// WHY    CLI11's own transformers show the value of each word in the help and in errors, too; for enums these would be
//        raw bytes.
#ifndef WEIR_APPS_SUPPORT_WORDS_H_
#define WEIR_APPS_SUPPORT_WORDS_H_

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <utility>

namespace weir::cli {

/// Returns the words, separated by commas.
template <typename Value>
std::string listed(const std::map<std::string, Value>& words) {
  std::string out;
  for (const auto& [word, meaning] : words) out += (out.empty() ? "" : ", ") + word;
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
