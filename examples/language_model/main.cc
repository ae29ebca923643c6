// A decoding loop with a real language model, which generates with and without weir from the same prompts and random
// numbers.
//
// Usage: weir_language_model MODEL_DIRECTORY PROMPT_DIRECTORY [TEXTS [TEMPERATURE]]
//
// A prompt is a JSON Schema, NAME.json, and optionally a text, NAME.txt, whose content the document is to contain. For
// each prompt, TEXTS documents are generated. A token is drawn by adding noise to the logits and taking the greatest
// (Gumbel); the noise depends on the position in the text only. So masks change nothing until the model chooses a token
// that no valid document has at that position. Times include everything, also the first masks.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "llama.h"
#include "weights.h"
#include "weir/weir.h"

namespace {

// A text is cut off after this many tokens; with weir, a shortest completion is then appended.
constexpr std::size_t kMaxTokens = 200;

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

struct Prompt {
  std::string name = {}, schema = {}, text = {};
};

std::string without_line_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::vector<Prompt> read_prompts(const std::string& directory) {
  std::vector<Prompt> prompts;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() != ".json") continue;
    std::filesystem::path text = entry.path();
    text.replace_extension(".txt");
    prompts.push_back({entry.path().stem().string(), without_line_end(read_file(entry.path().string())),
                       std::filesystem::exists(text) ? without_line_end(read_file(text.string())) : ""});
  }
  std::sort(prompts.begin(), prompts.end(), [](const Prompt& a, const Prompt& b) { return a.name < b.name; });
  return prompts;
}

// Returns a prompt in the format that the model was trained with: <|text|> and the text, if there is one, <|schema|>
// and the schema, then <|json|>.
std::vector<std::uint32_t> tokens_of(const weir::TokenizerInfo& tokenizer, const Prompt& prompt) {
  std::vector<std::uint32_t> tokens;
  const auto special = [&](const char* name) {
    const std::optional<std::uint32_t> token = tokenizer.find_special_token(name);
    if (!token) throw std::runtime_error(std::string("the tokenizer has no ") + name);
    tokens.push_back(*token);
  };
  const auto text = [&](const std::string& what) {
    const weir::Result<std::vector<std::uint32_t>> ids = tokenizer.tokenize(what);
    if (!ids) throw std::runtime_error(ids.error().message);
    tokens.insert(tokens.end(), ids->begin(), ids->end());
  };
  if (!prompt.text.empty()) {
    special("<|text|>");
    text(prompt.text);
  }
  special("<|schema|>");
  text(prompt.schema);
  special("<|json|>");
  return tokens;
}

// Adds the noise of one position of one text, which is the same with and without weir.
void add_noise(std::span<float> logits, float temperature, std::uint32_t text, std::size_t place) {
  std::mt19937 random(text * 1000003U + static_cast<std::uint32_t>(place));
  for (float& logit : logits) {
    const double uniform = (static_cast<double>(random()) + 0.5) / 4294967296.0;
    logit = logit / temperature - static_cast<float>(std::log(-std::log(uniform)));
  }
}

// Times and counts of the generated texts.
struct Tally {
  std::size_t texts = 0, valid = 0, tokens = 0, corrected = 0, cut = 0;
  double model = 0, weir = 0;  // in microseconds

  void operator+=(const Tally& other) {
    texts += other.texts;
    valid += other.valid;
    tokens += other.tokens;
    corrected += other.corrected;
    cut += other.cut;
    model += other.model;
    weir += other.weir;
  }
};

// `judged` accepts all texts that the schema allows and decides if any text is valid. `written` is the grammar for
// masks; it allows only the layout and the spelling of characters that the model was trained with.
struct Grammars {
  weir::CompiledGrammar judged, written;
};

Grammars compile(const weir::GrammarCompiler& compiler, const Prompt& prompt) {
  weir::JsonSchemaOptions plain = *weir::schema_profile("serving");
  plain.whitespace = weir::JsonSchemaOptions::Whitespace::kCompact;
  weir::Result<weir::CompiledGrammar> judged = compiler.compile_json_schema(prompt.schema);
  weir::Result<weir::CompiledGrammar> written = compiler.compile_json_schema(prompt.schema, plain);
  if (!judged) throw std::runtime_error(weir::render(judged.error(), prompt.schema, prompt.name));
  if (!written) throw std::runtime_error(weir::render(written.error(), prompt.schema, prompt.name));
  return {*std::move(judged), *std::move(written)};
}

class Session {
 public:
  Session(Llama& model, Grammars grammars, std::span<const std::uint32_t> prompt, float temperature)
      : model_(model), grammars_(std::move(grammars)), prompt_size_(prompt.size()), temperature_(temperature) {
    model_.truncate(0);
    for (const std::uint32_t token : prompt) {
      const std::span<const float> logits = model_.append(token);
      first_logits_.assign(logits.begin(), logits.end());
    }
  }

  // Generates a document, with masks if `with_weir` is true. Tokens that differ because of a mask are counted as
  // corrected.
  std::string write(std::uint32_t text, bool with_weir, Tally& tally) {
    const weir::TokenizerInfo& tokenizer = grammars_.written.tokenizer_info();
    weir::GrammarMatcher matcher(grammars_.written);
    std::vector<std::uint32_t> bitmask(weir::bitmask_words(tokenizer.vocab_size())), output;
    std::vector<float> logits = first_logits_;
    model_.truncate(prompt_size_);
    bool has_ended = false;
    for (std::size_t place = 0; place < kMaxTokens; ++place) {
      add_noise(logits, temperature_, text, place);
      std::uint32_t token = best(logits);
      if (with_weir) {
        const Clock::time_point begin = Clock::now();
        if (matcher.fill_next_token_bitmask(bitmask) != weir::Step::kOk) {
          throw std::runtime_error(matcher.limit_message());
        }
        weir::apply_token_bitmask_inplace(logits.data(), logits.size(), weir::LogitType::kFloat32, bitmask);
        tally.weir += microseconds_since(begin);
        const std::uint32_t unmasked = std::exchange(token, best(logits));
        if (token != unmasked) ++tally.corrected;
        const Clock::time_point accept_begin = Clock::now();
        if (matcher.accept_token(token) != weir::Step::kOk) throw std::runtime_error(matcher.limit_message());
        tally.weir += microseconds_since(accept_begin);
      }
      ++tally.tokens;
      has_ended = std::ranges::binary_search(tokenizer.stop_token_ids(), token);
      if (has_ended) break;
      output.push_back(token);
      const Clock::time_point begin = Clock::now();
      const std::span<const float> next = model_.append(token);
      tally.model += microseconds_since(begin);
      logits.assign(next.begin(), next.end());
    }
    std::string written = tokenizer.decode(output);
    if (!has_ended && with_weir) {
      const std::optional<std::string> rest = matcher.shortest_completion();
      if (!rest) throw std::runtime_error(matcher.limit_message());
      written += *rest;
    }
    ++tally.texts;
    if (!has_ended) ++tally.cut;
    if ((has_ended || with_weir) && is_valid(written)) ++tally.valid;
    return written;
  }

  // Returns true if the text is valid; checks the whole text again, independently of the masks.
  [[nodiscard]] bool is_valid(const std::string& text) const {
    weir::GrammarMatcher matcher(grammars_.judged);
    return matcher.accept_string(text) == weir::Step::kOk && matcher.is_completed();
  }

  // Returns the text from where it leaves the language, as much as fits a line; empty if it only ends too early.
  [[nodiscard]] std::string refused_part(const std::string& text) const {
    constexpr std::size_t kMaxBytes = 30;
    std::size_t begin = weir::GrammarMatcher(grammars_.judged).longest_viable_prefix(text);
    const auto is_inside = [&](std::size_t at) { return at < text.size() && (text[at] & 0xC0) == 0x80; };
    while (begin > 0 && is_inside(begin)) --begin;
    std::size_t end = std::min(text.size(), begin + kMaxBytes);
    while (is_inside(end)) ++end;
    return text.substr(begin, end - begin) + (end < text.size() ? "..." : "");
  }

 private:
  static std::uint32_t best(std::span<const float> logits) {
    return static_cast<std::uint32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  }

  Llama& model_;
  Grammars grammars_;
  std::size_t prompt_size_;
  float temperature_;
  std::vector<float> first_logits_;
};

void print_row(const std::string& name, const Tally& alone, const Tally& with_weir) {
  const auto percent = [](std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  const double tokens = static_cast<double>(with_weir.tokens), texts = static_cast<double>(with_weir.texts);
  std::printf("%-14s %8.0f %% %8.0f %% %10.1f %10.1f %10.0f %10.2f %9.2f %%\n", name.c_str(),
              percent(alone.valid, alone.texts), percent(with_weir.valid, with_weir.texts), tokens / texts,
              static_cast<double>(with_weir.corrected) / texts, with_weir.model / tokens, with_weir.weir / tokens,
              100.0 * with_weir.weir / (with_weir.weir + with_weir.model));
}

// Shows a text that the model alone got wrong and the corresponding text with weir; if there is none, the first text.
void show_example(Session& session, std::size_t texts) {
  Tally ignored;
  std::uint32_t shown = 0;
  std::string alone = session.write(0, false, ignored);
  for (std::uint32_t text = 1; text < texts && session.is_valid(alone); ++text) {
    std::string other = session.write(text, false, ignored);
    if (session.is_valid(other)) continue;
    shown = text;
    alone = std::move(other);
  }
  std::printf("  alone      %s\n", alone.c_str());
  if (session.is_valid(alone)) {
    std::printf("             valid, as are all %zu\n\n", texts);
  } else {
    const std::string refused = session.refused_part(alone);
    if (refused.empty()) {
      std::printf("             ends too early\n");
    } else {
      std::printf("             goes wrong at: %s\n", refused.c_str());
    }
    std::printf("  with weir  %s\n\n", session.write(shown, true, ignored).c_str());
  }
}

int run(const std::string& model_directory, const std::string& prompt_directory, std::size_t texts, float temperature) {
  const weir::Result<weir::TokenizerInfo> tokenizer =
      weir::TokenizerInfo::from_file(model_directory + "/tokenizer.json");
  if (!tokenizer) throw std::runtime_error(tokenizer.error().message);
  const weir::GrammarCompiler compiler(*tokenizer);
  Llama model(model_directory);
  if (model.vocab_size() != tokenizer->vocab_size()) throw std::runtime_error("another tokenizer's model");
  struct Row {
    std::string name;
    Tally alone, with_weir;
  };
  std::vector<Row> rows;
  for (const Prompt& prompt : read_prompts(prompt_directory)) {
    Session session(model, compile(compiler, prompt), tokens_of(*tokenizer, prompt), temperature);
    Row& row = rows.emplace_back(Row{prompt.name, {}, {}});
    for (std::uint32_t text = 0; text < texts; ++text) (void)session.write(text, false, row.alone);
    for (std::uint32_t text = 0; text < texts; ++text) (void)session.write(text, true, row.with_weir);
    std::printf("%s\n  schema     %s\n", prompt.name.c_str(), prompt.schema.c_str());
    show_example(session, texts);
  }
  std::printf("%zu texts a prompt at temperature %.1f; times a token, of texts with weir\n\n", texts,
              static_cast<double>(temperature));
  std::printf("%-14s %10s %10s %10s %10s %10s %10s %11s\n", "", "valid", "valid", "tokens", "corrected", "us of",
              "us of", "weir's");
  std::printf("%-14s %10s %10s %10s %10s %10s %10s %11s\n", "prompt", "alone", "with weir", "a text", "a text", "model",
              "weir", "share");
  Row all{"all", {}, {}};
  for (const Row& row : rows) {
    print_row(row.name, row.alone, row.with_weir);
    all.alone += row.alone;
    all.with_weir += row.with_weir;
  }
  if (rows.size() > 1) print_row(all.name, all.alone, all.with_weir);
  std::printf("\n%zu of %zu texts with weir came to %zu tokens and were ended by the shortest completion.\n",
              all.with_weir.cut, all.with_weir.texts, kMaxTokens);
  return all.with_weir.valid == all.with_weir.texts ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) {
    std::fprintf(stderr, "usage: weir_language_model MODEL_DIRECTORY PROMPT_DIRECTORY [TEXTS [TEMPERATURE]]\n");
    return EXIT_FAILURE;
  }
  try {
    const std::size_t texts = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 20;
    const float temperature = argc > 4 ? std::strtof(argv[4], nullptr) : 0.6F;
    if (texts == 0 || !(temperature > 0)) throw std::runtime_error("TEXTS and TEMPERATURE are greater than zero");
    return run(argv[1], argv[2], texts, temperature);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weir_language_model: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
