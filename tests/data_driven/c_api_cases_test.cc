// The cases of tests/data, which contain every construct of every dialect, through the C interface only. Each case runs
// once; cases_test.cc runs the other configurations.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data_driven/case_file.h"
#include "shared_data.h"
#include "weir_c.h"

namespace weir::testing {
namespace {

template <auto kFree>
struct Free {
  template <typename Handle>
  void operator()(Handle* handle) const {
    kFree(handle);
  }
};
using Tokenizer = std::unique_ptr<weir_tokenizer_info, Free<weir_tokenizer_info_free>>;
using Compiler = std::unique_ptr<weir_compiler, Free<weir_compiler_free>>;
using Compiled = std::unique_ptr<weir_compiled_grammar, Free<weir_compiled_grammar_free>>;
using Matcher = std::unique_ptr<weir_matcher, Free<weir_matcher_free>>;
using Captures = std::unique_ptr<weir_captures, Free<weir_captures_free>>;
using CError = std::unique_ptr<weir_error, Free<weir_error_free>>;

weir_text to_c(const std::string& text) { return {text.data(), text.size()}; }
std::string from_c(weir_text text) { return text.size == 0 ? std::string() : std::string(text.data, text.size); }

class CaseRun {
 public:
  explicit CaseRun(const Case& c) : case_(c) {
    std::vector<std::string> tokens;
    for (unsigned b = 0; b < 256; ++b) tokens.emplace_back(1, static_cast<char>(b));
    tokens.insert(tokens.end(), c.tokens.begin(), c.tokens.end());
    stop_ = static_cast<std::uint32_t>(tokens.size());
    tokens.emplace_back("<eos>");
    std::vector<weir_text> texts;
    for (const std::string& token : tokens) texts.push_back(to_c(token));
    weir_vocab_spec spec;
    EXPECT_EQ(weir_vocab_spec_init(&spec, sizeof spec), WEIR_OK);
    spec.tokens = texts.data();
    spec.token_count = texts.size();
    spec.special_token_ids = spec.stop_token_ids = &stop_;
    spec.special_token_count = spec.stop_token_count = 1;
    weir_tokenizer_info* tokenizer = nullptr;
    EXPECT_EQ(weir_tokenizer_info_from_vocab(&spec, nullptr, &tokenizer, nullptr), WEIR_OK);
    tokenizer_.reset(tokenizer);
    weir_compiler* compiler = nullptr;
    EXPECT_EQ(weir_compiler_create(tokenizer, nullptr, &compiler, nullptr), WEIR_OK);
    compiler_.reset(compiler);
  }

  void run() {
    weir_error* error = nullptr;
    weir_compiled_grammar* compiled = nullptr;
    const weir_status status = compile(&compiled, &error);
    compiled_.reset(compiled);
    const CError owned(error);
    if (case_.error.has_value()) return check_error(status, error);
    ASSERT_EQ(status, WEIR_OK) << from_c(weir_error_message(error));
    check_warnings();
    for (const std::string& text : case_.accepts) check_accepted(text);
    for (const std::string& text : case_.rejects) {
      const Matcher matcher = make_matcher();
      const bool is_prefix = weir_matcher_accept_bytes(matcher.get(), to_c(text)) == WEIR_OK;
      EXPECT_FALSE(is_prefix && weir_matcher_is_completed(matcher.get())) << "should be rejected: " << text;
    }
    for (const std::string& text : case_.dead_prefixes) {
      const Matcher matcher = make_matcher();
      std::size_t viable = 0;
      EXPECT_EQ(weir_matcher_longest_viable_prefix(matcher.get(), to_c(text), &viable), WEIR_OK);
      EXPECT_LT(viable, text.size()) << "should be dead: " << text;
    }
    for (const MaskCase& mask : case_.masks) check_mask(mask);
    for (const CaptureCase& captures : case_.captures) check_captures(captures);
    for (const TemperatureCase& temperature : case_.temperatures) check_temperature(temperature);
  }

 private:
  weir_status compile(weir_compiled_grammar** out, weir_error** error) const {
    const weir_text text = to_c(case_.grammar);
    if (case_.syntax == "regex") {
      static const std::map<std::string, weir_regex_dialect> kDialects{{"weir", WEIR_REGEX_WEIR},
                                                                       {"ecma262", WEIR_REGEX_ECMA262},
                                                                       {"rust", WEIR_REGEX_RUST},
                                                                       {"python", WEIR_REGEX_PYTHON},
                                                                       {"pcre", WEIR_REGEX_PCRE}};
      weir_regex_options options;
      EXPECT_EQ(weir_regex_options_init(&options, sizeof options), WEIR_OK);
      options.dialect = kDialects.at(case_.dialect);
      return weir_compiler_compile_regex(compiler_.get(), text, &options, out, error);
    }
    if (case_.syntax == "structural_tag") {
      return weir_compiler_compile_structural_tag(compiler_.get(), text, nullptr, out, error);
    }
    if (case_.syntax == "response_format") {
      return weir_compiler_compile_response_format(compiler_.get(), text, nullptr, out, error);
    }
    weir_grammar_syntax syntax = WEIR_SYNTAX_EBNF;
    EXPECT_EQ(weir_grammar_syntax_named(to_c(case_.syntax), &syntax), WEIR_OK) << case_.syntax;
    weir_text_options options;
    EXPECT_EQ(weir_text_options_init(&options, sizeof options), WEIR_OK);
    std::vector<weir_named_grammar> grammars;
    for (const auto& [name, grammar] : case_.grammars)
      grammars.push_back({to_c(name), to_c(grammar), WEIR_SYNTAX_LARK});
    options.syntax = syntax;
    options.start = to_c(case_.start);
    options.keep_endless = case_.keep_endless;
    options.exact_splits = case_.exact_splits;
    options.grammars = grammars.data();
    options.grammar_count = grammars.size();
    return weir_compiler_compile_text(compiler_.get(), text, &options, out, error);
  }

  void check_error(weir_status status, const weir_error* error) const {
    ASSERT_NE(status, WEIR_OK) << "should not compile";
    EXPECT_EQ(weir_status_name(status), case_.error->code);
    const std::string message = from_c(weir_error_message(error));
    EXPECT_NE(message.find(case_.error->says), std::string::npos) << message;
    if (!case_.error->at.has_value()) return;
    EXPECT_EQ(weir_error_start(error), case_.error->at->first) << message;
    EXPECT_EQ(weir_error_end(error), case_.error->at->second) << message;
  }

  void check_warnings() const {
    std::string all;
    const std::size_t count = weir_compiled_grammar_warning_count(compiled_.get());
    for (std::size_t i = 0; i < count; ++i) {
      weir_warning warning;
      ASSERT_EQ(weir_compiled_grammar_warning(compiled_.get(), i, &warning), WEIR_OK);
      all += from_c(warning.message) + "\n";
    }
    EXPECT_EQ(count, case_.warnings.size()) << all;
    for (const std::string& says : case_.warnings)
      EXPECT_NE(all.find(says), std::string::npos) << says << " in " << all;
  }

  [[nodiscard]] Matcher make_matcher() const {
    weir_matcher* matcher = nullptr;
    EXPECT_EQ(weir_matcher_create(compiled_.get(), nullptr, &matcher), WEIR_OK);
    return Matcher(matcher);
  }

  std::vector<std::uint32_t> mask_of(weir_matcher* matcher) const {
    std::vector<std::uint32_t> mask(stop_ / 32 + 1);
    EXPECT_EQ(weir_matcher_fill_next_token_bitmask(matcher, mask.data(), mask.size()), WEIR_OK);
    return mask;
  }

  void check_accepted(const std::string& text) const {
    const Matcher matcher = make_matcher();
    for (const char c : text) {
      const std::uint32_t token = static_cast<std::uint8_t>(c);
      ASSERT_TRUE(weir_bitmask_get(mask_of(matcher.get()).data(), token)) << "masked in " << text;
      ASSERT_EQ(weir_matcher_accept_token(matcher.get(), token), WEIR_OK) << text;
    }
    EXPECT_TRUE(weir_matcher_is_completed(matcher.get())) << text;
    EXPECT_EQ(weir_matcher_accept_token(matcher.get(), stop_), WEIR_OK) << text;
  }

  void check_mask(const MaskCase& expected) const {
    const Matcher matcher = make_matcher();
    ASSERT_EQ(weir_matcher_accept_bytes(matcher.get(), to_c(expected.after)), WEIR_OK) << expected.after;
    const std::vector<std::uint32_t> mask = mask_of(matcher.get());
    std::vector<std::string> allowed;
    for (std::uint32_t k = 0; k < case_.tokens.size(); ++k) {
      if (weir_bitmask_get(mask.data(), 256 + k)) allowed.push_back(case_.tokens[k]);
    }
    if (weir_bitmask_get(mask.data(), stop_)) allowed.emplace_back("<eos>");
    std::vector<std::string> sorted = expected.allowed;
    std::sort(sorted.begin(), sorted.end());
    std::sort(allowed.begin(), allowed.end());
    EXPECT_EQ(allowed, sorted) << "after " << expected.after;
  }

  void check_captures(const CaptureCase& expected) const {
    const Matcher matcher = make_matcher();
    ASSERT_EQ(weir_matcher_accept_bytes(matcher.get(), to_c(expected.after)), WEIR_OK) << expected.after;
    weir_captures* made = nullptr;
    ASSERT_EQ(weir_matcher_captures(matcher.get(), &made), WEIR_OK);
    const Captures captures(made);
    std::vector<std::string> found;
    for (std::size_t i = 0; i < weir_captures_count(made); ++i) {
      weir_capture capture;
      ASSERT_EQ(weir_captures_at(made, i, &capture), WEIR_OK);
      found.push_back(from_c(capture.name) + "=" + expected.after.substr(capture.begin, capture.end - capture.begin) +
                      (capture.complete ? "" : "..."));
    }
    EXPECT_EQ(found, expected.are) << "after " << expected.after;
  }

  void check_temperature(const TemperatureCase& expected) const {
    const Matcher matcher = make_matcher();
    ASSERT_EQ(weir_matcher_accept_bytes(matcher.get(), to_c(expected.after)), WEIR_OK) << expected.after;
    float temperature = 0;
    const weir_status status = weir_matcher_temperature(matcher.get(), &temperature);
    EXPECT_EQ(status, expected.is.has_value() ? WEIR_OK : WEIR_NOT_FOUND) << "after " << expected.after;
    EXPECT_EQ(temperature, expected.is.value_or(0)) << "after " << expected.after;
  }

  const Case& case_;
  std::uint32_t stop_ = 0;
  Tokenizer tokenizer_;
  Compiler compiler_;
  Compiled compiled_;
};

TEST(CApiCases, EveryCase) {
  const std::vector<Case> cases = read_cases(tests::repository() + "/tests/data");
  ASSERT_GT(cases.size(), 20U);
  for (const Case& c : cases) {
    ASSERT_NE(c.name, "unreadable") << c.file << ": " << c.grammar;
    SCOPED_TRACE(c.file + ", case \"" + c.name + "\"");
    CaseRun(c).run();
  }
}

}  // namespace
}  // namespace weir::testing
