// Runs the cases of tests/data in every configuration.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "data_driven/case_file.h"
#include "shared_data.h"
#include "weir/weir.h"

namespace weir::testing {
namespace {

struct Configuration {
  const char* name;
  bool tiny_cache = false;
  bool shuffled = false;
  bool rollback = false;
  int passes = 1;
};
constexpr Configuration kConfigurations[] = {
    {"cold"},
    {.name = "warm", .passes = 2},
    {.name = "tiny_cache", .tiny_cache = true},
    {.name = "rollback", .rollback = true},
    {.name = "shuffled", .shuffled = true},
};

// The single bytes, the case's tokens and the stop token, in the order that the configuration requires.
class Vocabulary {
 public:
  Vocabulary(const Case& c, const Configuration& configuration) {
    std::vector<std::string> tokens;
    for (unsigned b = 0; b < 256; ++b) tokens.push_back(std::string(1, static_cast<char>(b)));
    tokens.insert(tokens.end(), c.tokens.begin(), c.tokens.end());
    tokens.push_back("<eos>");
    std::vector<std::uint32_t> order(tokens.size());
    std::iota(order.begin(), order.end(), 0U);
    if (configuration.shuffled) std::shuffle(order.begin(), order.end(), std::minstd_rand(5));
    VocabSpec spec;
    place_.resize(tokens.size());
    for (std::uint32_t id = 0; id < order.size(); ++id) {
      place_[order[id]] = id;
      spec.tokens.push_back(tokens[order[id]]);
    }
    stop_ = place_.back();
    spec.special_token_ids = spec.stop_token_ids = {stop_};
    tokens_ = std::move(tokens);
    info_ = TokenizerInfo::from_vocab(std::move(spec)).value();
  }
  [[nodiscard]] const TokenizerInfo& info() const { return *info_; }
  [[nodiscard]] std::uint32_t stop() const { return stop_; }
  [[nodiscard]] std::uint32_t byte(char c) const { return place_[static_cast<std::uint8_t>(c)]; }
  // Returns the id of the case's k-th token.
  [[nodiscard]] std::uint32_t extra(std::size_t k) const { return place_[256 + k]; }
  // Cuts `text` into tokens; each is drawn by `random` from those that fit at its offset.
  std::vector<std::uint32_t> cut(std::string_view text, std::minstd_rand& random) const {
    std::vector<std::uint32_t> ids;
    for (std::size_t at = 0; at < text.size();) {
      std::vector<std::size_t> fitting{static_cast<std::uint8_t>(text[at])};
      for (std::size_t t = 256; t + 1 < tokens_.size(); ++t) {
        if (!tokens_[t].empty() && text.substr(at).starts_with(tokens_[t])) fitting.push_back(t);
      }
      const std::size_t token = fitting[random() % fitting.size()];
      ids.push_back(place_[token]);
      at += tokens_[token].size();
    }
    return ids;
  }

 private:
  std::vector<std::string> tokens_;
  std::vector<std::uint32_t> place_;  // by index in tokens_: the id
  std::uint32_t stop_ = 0;
  std::optional<TokenizerInfo> info_;
};

class CaseRun {
 public:
  CaseRun(const Case& c, const Configuration& configuration)
      : case_(c), configuration_(configuration), vocabulary_(c, configuration) {}

  void run() {
    Limits limits;
    if (configuration_.tiny_cache) limits.state_memory = 1;
    const GrammarCompiler compiler(vocabulary_.info(), limits);
    const auto compiled = compile(compiler);
    if (case_.error.has_value()) return check_error(compiled);
    ASSERT_TRUE(compiled.has_value()) << render(compiled.error(), case_.grammar, case_.name);
    check_warnings(compiled->warnings());
    for (int pass = 0; pass < configuration_.passes; ++pass) {
      for (const std::string& text : case_.accepts) check_accepted(*compiled, text);
      for (const std::string& text : case_.rejects) {
        GrammarMatcher matcher(*compiled);
        const bool is_prefix = matcher.accept_bytes(text) == Step::kOk;
        EXPECT_FALSE(is_prefix && matcher.is_completed()) << "should be rejected: " << text;
      }
      for (const std::string& text : case_.dead_prefixes) check_dead(*compiled, text);
      for (const MaskCase& mask : case_.masks) check_mask(*compiled, mask);
      for (const CaptureCase& captures : case_.captures) check_captures(*compiled, captures);
      for (const TemperatureCase& temperature : case_.temperatures) check_temperature(*compiled, temperature);
    }
  }

 private:
  Result<CompiledGrammar> compile(const GrammarCompiler& compiler) const {
    if (case_.syntax == "regex") return compiler.compile_regex(case_.grammar, {.dialect = dialect()});
    if (case_.syntax == "structural_tag") return compiler.compile_structural_tag(case_.grammar);
    if (case_.syntax == "response_format") return compiler.compile_response_format(case_.grammar);
    GrammarTextOptions options;
    options.syntax = syntax_named(case_.syntax).value();
    options.start = case_.start;
    options.keep_endless = case_.keep_endless;
    options.exact_splits = case_.exact_splits;
    for (const auto& [name, text] : case_.grammars) options.grammars.push_back({name, text});
    return compiler.compile_text(case_.grammar, options);
  }

  [[nodiscard]] RegexDialect dialect() const {
    static const std::map<std::string, RegexDialect> kDialects{{"weir", RegexDialect::kWeir},
                                                               {"ecma262", RegexDialect::kEcma262},
                                                               {"rust", RegexDialect::kRust},
                                                               {"python", RegexDialect::kPython},
                                                               {"pcre", RegexDialect::kPcre}};
    return kDialects.at(case_.dialect);
  }

  void check_error(const Result<CompiledGrammar>& compiled) {
    ASSERT_FALSE(compiled.has_value()) << "should not compile";
    const Error& error = compiled.error();
    EXPECT_EQ(to_string(error.code), case_.error->code) << error.message;
    EXPECT_NE(error.message.find(case_.error->says), std::string::npos) << error.message;
    if (!case_.error->at.has_value()) return;
    EXPECT_EQ(error.where.start, case_.error->at->first) << render(error, case_.grammar, case_.name);
    EXPECT_EQ(error.where.end, case_.error->at->second) << render(error, case_.grammar, case_.name);
  }

  void check_warnings(const std::vector<Warning>& warnings) {
    std::string all;
    for (const Warning& warning : warnings) all += warning.message + "\n";
    EXPECT_EQ(warnings.size(), case_.warnings.size()) << all;
    for (const std::string& says : case_.warnings)
      EXPECT_NE(all.find(says), std::string::npos) << says << " in " << all;
  }

  // Masks allow every prefix of the text, for all its tokenizations; the whole text is complete.
  void check_accepted(const CompiledGrammar& compiled, const std::string& text) {
    std::vector<std::uint32_t> mask(bitmask_words(vocabulary_.info().vocab_size()));
    std::minstd_rand random(11);
    for (int way = 0; way < 3; ++way) {
      GrammarMatcher matcher(compiled);
      for (const std::uint32_t token : vocabulary_.cut(text, random)) {
        ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk) << text;
        ASSERT_TRUE(bitmask_get(mask, token)) << "masked in " << text << " at step " << matcher.step_count();
        ASSERT_EQ(matcher.accept_token(token), Step::kOk) << text;
        if (!configuration_.rollback) continue;
        const std::uint32_t state = matcher.state_id();
        ASSERT_EQ(matcher.rollback(1), Step::kOk);
        std::vector<std::uint32_t> again(mask.size());
        ASSERT_EQ(matcher.fill_next_token_bitmask(again), Step::kOk);
        EXPECT_EQ(again, mask) << "another mask after rollback in " << text;
        ASSERT_EQ(matcher.accept_token(token), Step::kOk);
        EXPECT_EQ(matcher.state_id(), state);
      }
      EXPECT_TRUE(matcher.is_completed()) << text;
      EXPECT_EQ(matcher.accept_token(vocabulary_.stop()), Step::kOk) << text;
    }
  }

  void check_dead(const CompiledGrammar& compiled, const std::string& text) {
    GrammarMatcher matcher(compiled);
    std::size_t last = text.size();
    while (last > 0 && (static_cast<std::uint8_t>(text[--last]) & 0xC0U) == 0x80U) {
    }
    const std::size_t viable = matcher.longest_viable_prefix(text);
    EXPECT_LT(viable, text.size()) << "should be dead: " << text;
    EXPECT_GE(viable, last) << "is dead too early: " << text;
  }

  void check_mask(const CompiledGrammar& compiled, const MaskCase& expected) {
    GrammarMatcher matcher(compiled);
    ASSERT_EQ(matcher.accept_bytes(expected.after), Step::kOk) << expected.after;
    std::vector<std::uint32_t> mask(bitmask_words(vocabulary_.info().vocab_size()));
    ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
    std::vector<std::string> allowed;
    for (std::size_t k = 0; k < case_.tokens.size(); ++k) {
      if (bitmask_get(mask, vocabulary_.extra(k))) allowed.push_back(case_.tokens[k]);
    }
    if (bitmask_get(mask, vocabulary_.stop())) allowed.emplace_back("<eos>");
    std::vector<std::string> sorted = expected.allowed;
    std::sort(sorted.begin(), sorted.end());
    std::sort(allowed.begin(), allowed.end());
    EXPECT_EQ(allowed, sorted) << "after " << expected.after;
  }

  static void check_captures(const CompiledGrammar& compiled, const CaptureCase& expected) {
    GrammarMatcher matcher(compiled);
    ASSERT_EQ(matcher.accept_bytes(expected.after), Step::kOk) << expected.after;
    std::vector<std::string> found;
    for (const Capture& capture : matcher.captures()) {
      found.push_back(capture.name + "=" + expected.after.substr(capture.begin, capture.end - capture.begin) +
                      (capture.complete ? "" : "..."));
    }
    EXPECT_EQ(found, expected.are) << "after " << expected.after;
  }

  static void check_temperature(const CompiledGrammar& compiled, const TemperatureCase& expected) {
    GrammarMatcher matcher(compiled);
    ASSERT_EQ(matcher.accept_bytes(expected.after), Step::kOk) << expected.after;
    EXPECT_EQ(matcher.temperature(), expected.is) << "after " << expected.after;
  }

  const Case& case_;
  const Configuration& configuration_;
  Vocabulary vocabulary_;
};

TEST(DataDriven, EveryCaseInEveryConfiguration) {
  const std::vector<Case> cases = read_cases(tests::repository() + "/tests/data");
  ASSERT_GT(cases.size(), 20U);
  for (const Case& c : cases) {
    ASSERT_NE(c.name, "unreadable") << c.file << ": " << c.grammar;
    for (const Configuration& configuration : kConfigurations) {
      SCOPED_TRACE(c.file + ", case \"" + c.name + "\", " + configuration.name);
      CaseRun(c, configuration).run();
    }
  }
}

}  // namespace
}  // namespace weir::testing
