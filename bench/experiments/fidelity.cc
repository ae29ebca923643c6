// `weir bench fidelity`: measures how masks change a language model's distribution, by enumerating all outputs.
//
// WHAT   Measures finite languages: the enumerations in the schemas of a file, and some regular expressions. Each
//        language is the value of an object's member: the context is `{"NAME":`, and the output is a space, the value
//        and `}`. The model's own distribution over the texts, given that it writes one of them, is compared with the
//        distributions of sampling with plain and with canonical masks (see fidelity_enumeration.h).
// MODELS Without --model, a bigram model, trained on the tokens of two thirds of the file's cases; the enumerations of
//        the other third are measured. With --model, a model of the Llama architecture, such as data/model; its
//        prompt is the schema.
// CHECK  Canonical masks must give exactly the sequences that the tokenizer writes.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "case_file.h"
#include "experiments.h"
#include "fidelity_enumeration.h"
#include "fidelity_models.h"
#include "inputs.h"
#include "terminal.h"
#include "text.h"

namespace weir::cli::bench_fidelity {

namespace {

// An enumeration is measured if it has at most kMostValues strings, of kLeastBytes to kMostBytes bytes each.
constexpr std::size_t kMostValues = 12, kLeastBytes = 2, kMostBytes = 24;
// The bigram model is trained with at most this many bytes of each schema or document.
constexpr std::size_t kMostTrainingBytes = 4000;
// Regular expressions for common kinds of values: words, numbers, dates, codes.
constexpr const char* kRegexes[] = {
    "true|false|null",     "[0-9]{1,2}",          "-?[0-9][.][0-9]",    "\"[ab]{1,4}\"", "\"(yes|no|maybe)\"",
    "\"(19|20)[0-9]{2}\"", "\"[A-C][0-9]{2}\"",   "\"v[0-9][.][0-9]\"", "\"#[08f]{3}\"", "\"(re|un)?(do|act)(ing)?\"",
    "\"0[1-9]:[0-5]0\"",   "\"[abc]{1,2}_[xyz]\""};

struct Options {
  CaseSelection cases;
  TokenizerInput tokenizer;
  std::string model;
  std::uint32_t count = 400;
  std::uint64_t max_nodes = 20'000;
  bool each = false;
  bool json = false;
};

struct Language {
  std::string member = {};               // the name of the member
  std::vector<std::string> values = {};  // the strings of an enumeration; empty for a regex
  std::string regex = {};                // used if `values` is empty
};

struct Measured {
  Language language;
  Enumeration found;
};

// The languages of one kind that were measured.
struct Group {
  std::string name;
  std::vector<Measured> measured = {};
  std::uint64_t too_large = 0, merges_context = 0, not_canonical = 0;
};

// --- Languages ---

bool is_plain(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 32; });
}

// Appends the enumerations of strings that a schema has among its properties. The recursion is as deep as the schema,
// and the JSON reader bounds that depth.
void add_enumerations(const Json& schema, std::vector<Language>& out) {
  if (schema.is_object() && schema.contains("properties") && schema["properties"].is_object()) {
    for (const auto& [name, property] : schema["properties"].items()) {
      if (!property.is_object() || !property.contains("enum") || !property["enum"].is_array() || !is_plain(name))
        continue;
      Language language{.member = name};
      bool is_measured = true;
      for (const Json& value : property["enum"]) {
        is_measured = is_measured && value.is_string();
        if (!is_measured) break;
        const auto text = value.get<std::string>();
        is_measured = is_plain(text) && text.size() >= kLeastBytes && text.size() <= kMostBytes;
        if (std::ranges::find(language.values, text) == language.values.end()) language.values.push_back(text);
      }
      if (is_measured && language.values.size() >= 2 && language.values.size() <= kMostValues)
        out.push_back(std::move(language));
    }
  }
  if (!schema.is_structured()) return;
  for (const Json& part : schema) add_enumerations(part, out);
}

struct Inputs {
  std::vector<Language> enumerations, regexes;
  std::vector<std::string> training;
};

Inputs read_inputs(const Options& options) {
  Inputs inputs;
  CaseFile file(options.cases);
  std::set<std::vector<std::string>> seen;
  for (std::uint64_t number = 0; const std::optional<Case> next = file.next(); ++number) {
    if (!next->input || next->input->language != InputLanguage::kSchema) continue;
    if (options.model.empty() && number % 3 != 0) {
      inputs.training.push_back(next->input->text);
      for (const CaseTest& test : next->tests) {
        if (test.valid) inputs.training.push_back(test.text);
      }
      continue;
    }
    std::vector<Language> found;
    add_enumerations(Json::parse(next->input->text, nullptr, false), found);
    for (Language& language : found) {
      if (seen.insert(language.values).second) inputs.enumerations.push_back(std::move(language));
    }
  }
  // Takes `options.count` enumerations, spread evenly over the file.
  const std::size_t count = std::min<std::size_t>(options.count, inputs.enumerations.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(inputs.enumerations[i], inputs.enumerations[i * inputs.enumerations.size() / count]);
  }
  inputs.enumerations.resize(count);
  for (const char* regex : kRegexes) inputs.regexes.push_back({.member = "value", .regex = regex});
  return inputs;
}

// --- Measuring ---

std::vector<std::uint32_t> prompt_of(const TokenizerInfo& tokenizer, const Language& language,
                                     const std::vector<std::uint32_t>& context) {
  const auto special = [&](const char* name) {
    const std::optional<std::uint32_t> token = tokenizer.find_special_token(name);
    if (!token) throw InputError(fmt::format("the model's tokenizer has no {}", name));
    return *token;
  };
  Json member = language.values.empty() ? Json{{"pattern", "^(" + language.regex + ")$"}}
                                        : Json{{"type", "string"}, {"enum", language.values}};
  Json schema = {{"type", "object"}};
  schema["properties"][language.member] = std::move(member);
  schema["required"] = {language.member};
  std::vector<std::uint32_t> prompt = {special("<|schema|>")};
  const auto text = tokenize(tokenizer, schema.dump());
  prompt.insert(prompt.end(), text.begin(), text.end());
  prompt.push_back(special("<|json|>"));
  prompt.insert(prompt.end(), context.begin(), context.end());
  return prompt;
}

CompiledGrammar compile_language(const GrammarCompiler& compiler, const Language& language) {
  std::vector<std::string> texts;
  for (const std::string& value : language.values) texts.push_back(" \"" + value + "\"}");
  const auto compiled =
      language.values.empty() ? compiler.compile_regex(" (" + language.regex + ")[}]") : compiler.compile_choice(texts);
  if (!compiled) throw InputError(compiled.error().message, compiled.error());
  return *compiled;
}

void measure_language(const Options& options, const GrammarCompiler& compiler, const TokenizerInfo& tokenizer,
                      const Language& language, Model& model, Group& group) {
  const std::string context_text = "{\"" + language.member + "\":";
  const std::vector<std::uint32_t> context = tokenize(tokenizer, context_text);
  const bool begun = model.begin(options.model.empty() ? context : prompt_of(tokenizer, language, context));
  Refusal refusal = Refusal::kTooLarge;
  std::optional<Enumeration> found;
  if (begun) {
    found = enumerate({compile_language(compiler, language), context, context_text, options.max_nodes}, model, refusal);
  }
  if (found) {
    group.measured.push_back({language, *std::move(found)});
  } else {
    ++(refusal == Refusal::kTooLarge        ? group.too_large
       : refusal == Refusal::kMergesContext ? group.merges_context
                                            : group.not_canonical);
  }
}

// --- Summaries ---

struct Spread {
  double mean = 0, p50 = 0, p90 = 0;
};

Spread spread_of(const Group& group, const std::function<double(const Enumeration&)>& value) {
  std::vector<double> values;
  for (const Measured& measured : group.measured) values.push_back(value(measured.found));
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto nearest_rank = [&](double share) {
    return values[static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()))) - 1];
  };
  return {std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()), nearest_rank(0.5),
          nearest_rank(0.9)};
}

struct Row {
  const char* key;
  const char* title;
  Spread spread;
};

std::vector<Row> rows_of(const Group& group) {
  const auto row = [&](const char* key, const char* title, const auto& value) {
    return Row{key, title, spread_of(group, value)};
  };
  return {
      row("plain_distance", "plain masks: distance from the model",
          [](const Enumeration& e) { return total_variation(e.plain.texts, e.own); }),
      row("canonical_distance", "canonical masks: distance",
          [](const Enumeration& e) { return total_variation(e.canonical.texts, e.own); }),
      row("canonical_only_distance", "canonical sequences alone: distance",
          [](const Enumeration& e) { return total_variation(e.canonical_only, e.own); }),
      row("plain_other_mass", "plain masks: other tokenizations", [](const Enumeration& e) { return e.other_mass; }),
      row("own_other_mass", "model: other tokenizations", [](const Enumeration& e) { return e.own_other_mass; })};
}

// Returns the share of steps at which only one token was allowed, over all languages.
double single_share(const Group& group, Masked Enumeration::*masks) {
  double steps = 0, single = 0;
  for (const Measured& measured : group.measured) {
    steps += (measured.found.*masks).steps;
    single += (measured.found.*masks).single;
  }
  return steps == 0 ? 0 : single / steps;
}

// Returns in how many languages canonical masks are closer to the model's distribution than plain masks, and in how
// many they are farther from it.
std::pair<std::size_t, std::size_t> nearer_and_farther(const Group& group) {
  constexpr double kSame = 0.001;
  std::size_t nearer = 0, farther = 0;
  for (const Measured& measured : group.measured) {
    const double plain = total_variation(measured.found.plain.texts, measured.found.own);
    const double canonical = total_variation(measured.found.canonical.texts, measured.found.own);
    if (canonical < plain - kSame) ++nearer;
    if (canonical > plain + kSame) ++farther;
  }
  return {nearer, farther};
}

std::size_t wrong_languages(const Group& group) {
  return static_cast<std::size_t>(
      std::ranges::count_if(group.measured, [](const Measured& measured) { return !measured.found.is_exact; }));
}

std::string name_of(const Language& language) {
  return language.values.empty() ? language.regex : fmt::format("{} of {}", language.member, language.values.front());
}

void print_group(const Group& group, bool each) {
  fmt::print("\n{}: {} languages; left out: {} too large, {} that change the tokens before them, {} not canonical\n",
             group.name, group.measured.size(), group.too_large, group.merges_context, group.not_canonical);
  fmt::print("{:<42} {:>7} {:>7} {:>7}\n", "", "mean", "p50", "p90");
  for (const Row& row : rows_of(group)) {
    fmt::print("{:<42} {:>7.3f} {:>7.3f} {:>7.3f}\n", row.title, row.spread.mean, row.spread.p50, row.spread.p90);
  }
  const auto [nearer, farther] = nearer_and_farther(group);
  fmt::print("canonical masks are nearer to the model for {} languages, farther for {}\n", nearer, farther);
  fmt::print("steps with one allowed token: plain {:.1f} %, canonical {:.1f} %\n",
             100 * single_share(group, &Enumeration::plain), 100 * single_share(group, &Enumeration::canonical));
  if (const std::size_t wrong = wrong_languages(group); wrong != 0)
    fmt::print("WRONG: the canonical masks of {} languages give other sequences than the tokenizer\n", wrong);
  if (!each) return;
  for (const Measured& measured : group.measured) {
    const Enumeration& e = measured.found;
    fmt::print("  {:<40} {:>3} texts {:>8} sequences: plain {:.3f}, canonical {:.3f}\n",
               escape(name_of(measured.language), 36), e.texts.size(), e.sequences,
               total_variation(e.plain.texts, e.own), total_variation(e.canonical.texts, e.own));
  }
}

Json group_json(const Group& group) {
  Json out = {{"languages", group.measured.size()},
              {"too_large", group.too_large},
              {"merges_context", group.merges_context},
              {"not_canonical", group.not_canonical}};
  for (const Row& row : rows_of(group)) {
    out[row.key] = {{"mean", row.spread.mean}, {"p50", row.spread.p50}, {"p90", row.spread.p90}};
  }
  const auto [nearer, farther] = nearer_and_farther(group);
  out["nearer"] = nearer;
  out["farther"] = farther;
  out["plain_single_share"] = single_share(group, &Enumeration::plain);
  out["canonical_single_share"] = single_share(group, &Enumeration::canonical);
  out["wrong"] = wrong_languages(group);
  return out;
}

int run_fidelity(Options options) {
  if (!options.model.empty() && options.tokenizer.path.empty())
    options.tokenizer.path = options.model + "/tokenizer.json";
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  if (const Result<void> support = tokenizer.canonical_support(); !support)
    throw InputError(support.error().message, support.error());
  const Inputs inputs = read_inputs(options);
  std::unique_ptr<Model> model;
  std::string model_name;
  if (options.model.empty()) {
    auto bigrams = std::make_unique<BigramModel>(tokenizer.vocab_size());
    for (const std::string& text : inputs.training) {
      const std::string begin = text.substr(0, kMostTrainingBytes);
      if (is_valid_utf8(begin)) bigrams->train(tokenize(tokenizer, begin));
    }
    model_name = fmt::format("bigrams of {} tokens", bigrams->trained_tokens());
    model = std::move(bigrams);
  } else {
    try {
      model = std::make_unique<LlamaModel>(options.model);
    } catch (const std::runtime_error& error) {
      throw InputError(error.what());
    }
    model_name = options.model;
  }
  const GrammarCompiler compiler(tokenizer);
  Group enumerations{"enumerations"}, regexes{"regular expressions"};
  Progress progress("languages", inputs.enumerations.size() + inputs.regexes.size());
  std::uint64_t done = 0;
  for (const auto& [languages, group] : {std::pair{&inputs.enumerations, &enumerations}, {&inputs.regexes, &regexes}}) {
    for (const Language& language : *languages) {
      measure_language(options, compiler, tokenizer, language, *model, *group);
      progress.update(++done);
    }
  }
  if (options.json) {
    fmt::print("{}\n", Json{{"model", model_name},
                            {"tokenizer", tokenizer.kind()},
                            {"vocab_size", tokenizer.vocab_size()},
                            {"enumerations", group_json(enumerations)},
                            {"regexes", group_json(regexes)}}
                           .dump());
  } else {
    fmt::print("Distributions over the texts of finite languages. Model: {}. Tokenizer: {} of {} tokens.\n", model_name,
               tokenizer.kind(), tokenizer.vocab_size());
    fmt::print("Distance: total variation, from 0 to 1.\n");
    print_group(enumerations, options.each);
    print_group(regexes, options.each);
  }
  return wrong_languages(enumerations) + wrong_languages(regexes) == 0 ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
The languages are values of a member of an object: enumerations of the schemas in CASES, and some regular expressions.
Without --model two thirds of the cases train a bigram model, and the enumerations of the others are measured.
JSON: {"model", "tokenizer", "vocab_size", "enumerations": {"languages", "too_large", "merges_context", "not_canonical",
"plain_distance": {"mean", "p50", "p90"}, "canonical_distance", "canonical_only_distance", "plain_other_mass",
"own_other_mass", "nearer", "farther", "plain_single_share", "canonical_single_share", "wrong"}, "regexes": the same}.
Exit status: 0 done; 1 canonical masks gave other sequences than the tokenizer; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand("fidelity", "What masks do to a language model's distribution");
  app->footer(kFooter);
  add_case_options(*app, options->cases);
  add_tokenizer_option(*app, options->tokenizer);
  app->add_option("--model", options->model, "A folder with a language model, as data/model (default: bigrams)")
      ->type_name("DIR");
  app->add_option("--count", options->count, "Measure so many enumerations")->type_name("N")->capture_default_str();
  app->add_option("--max-nodes", options->max_nodes, "Leave out languages with more outputs begun than this")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_flag("--each", options->each, "Also print a row for each language");
  app->add_flag("--json", options->json, "JSON instead of tables");
  return {app, [options] { return run_fidelity(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_fidelity
