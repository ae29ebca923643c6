#include "fuzz/c_target.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/choices.h"
#include "fuzz/exercise.h"
#include "fuzz/targets.h"
#include "weir_c.h"

namespace weir::fuzz {

namespace {

constexpr unsigned kCalls = 60;

weir_text c_text(std::string_view text) { return {text.data(), text.size()}; }

void expect(bool holds, const char* what) {
  if (!holds) throw Violation(what);
}

/// Handles in slots, most of which are NULL at first. A call draws its handles; what it makes replaces another.
class Session {
 public:
  explicit Session(std::string_view data) : choices_(data) {
    static constexpr std::array kTokens = {"a", "b", "ab", "1", "{", "}", "\"", ":", "\"a\"", "true", "", "<end>"};
    std::vector<weir_text> tokens;
    for (const char* token : kTokens) tokens.push_back(weir_text_of(token));
    const std::uint32_t stop = kTokens.size() - 1;
    weir_vocab_spec spec;
    expect(weir_vocab_spec_init(&spec, sizeof spec) == WEIR_OK, "weir_vocab_spec_init");
    spec.tokens = tokens.data();
    spec.token_count = tokens.size();
    spec.special_token_ids = spec.stop_token_ids = &stop;
    spec.special_token_count = spec.stop_token_count = 1;
    expect(weir_tokenizer_info_from_vocab(&spec, nullptr, &tokenizer_, nullptr) == WEIR_OK, "the vocabulary");
    expect(weir_limits_init(&limits_, sizeof limits_) == WEIR_OK, "weir_limits_init");
    const Limits small = small_limits();
    limits_.text_bytes = small.text_bytes;
    limits_.grammar_symbols = small.grammar_symbols;
    limits_.schema_steps = small.schema_steps;
    limits_.call_work = small.call_work;
    limits_.regex_nodes = small.regex_nodes;
    limits_.state_memory = small.state_memory;
    expect(weir_compiler_create(tokenizer_, &limits_, &compiler_, nullptr) == WEIR_OK, "weir_compiler_create");
    expect(weir_batch_create(1, &batch_) == WEIR_OK, "weir_batch_create");
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    weir_tokenizer_info_free(tokenizer_);
    weir_compiler_free(compiler_);
    weir_batch_free(batch_);
    for (weir_grammar* grammar : grammars_) weir_grammar_free(grammar);
    for (weir_compiled_grammar* compiled : compiled_) weir_compiled_grammar_free(compiled);
    for (weir_matcher* matcher : matchers_) weir_matcher_free(matcher);
  }

  void run() {
    for (unsigned i = 0; i < kCalls && !choices_.is_empty(); ++i) {
      switch (choices_.next(5)) {
        case 0: read(); break;
        case 1: compile(); break;
        case 2: make_matcher(); break;
        case 3: step(); break;
        default: inspect();
      }
    }
  }

 private:
  static void check(weir_status status) {
    expect(status >= WEIR_OK && status <= WEIR_NOT_FOUND && status != WEIR_INTERNAL, "an internal error");
  }

  // Checks the status and the error of a call that builds something; frees the error.
  template <class Handle>
  void built(weir_status status, Handle* made, weir_error* error, Handle*& slot, void (*free)(Handle*)) {
    check(status);
    expect((status == WEIR_OK) == (made != nullptr), "a status without its result");
    expect((status == WEIR_OK) == (error == nullptr), "a status without its error");
    if (error != nullptr) {
      expect(weir_error_status(error) == status && weir_error_message(error).size > 0, "an error of another status");
      weir_owned_text shown = {};
      check(weir_error_render(error, c_text("ab\n"), c_text("t"), &shown));
      weir_owned_text_free(&shown);
      weir_error_free(error);
    }
    if (made == nullptr) return;
    free(slot);
    slot = made;
  }

  std::string_view source() {
    static constexpr std::array kSources = {
        "root ::= \"a\" root | \"b\"",
        "root ::= @capture(c: [ab]+) (\"1\" | root)",
        "root ::= <|end|> | \"{\" root \"}\"",
        "(a|b)*1",
        R"({"type": "object", "properties": {"a": {"type": "boolean"}}})",
        R"({"type": "structural_tag", "format": {"type": "const_string", "value": "ab"}})",
        R"({"type": "json_object"})",
    };
    const unsigned drawn = choices_.next(kSources.size() + 1);
    return drawn < kSources.size() ? std::string_view(kSources[drawn]) : choices_.text(40);
  }

  void read() {
    const weir_text text = c_text(source());
    weir_grammar*& slot = grammars_[choices_.next(grammars_.size())];
    weir_grammar* made = nullptr;
    weir_error* error = nullptr;
    weir_status status = WEIR_OK;
    switch (choices_.next(8)) {
      case 0: status = weir_grammar_from_ebnf(text, nullptr, &limits_, &made, &error); break;
      case 1: status = weir_grammar_from_regex(text, nullptr, &limits_, &made, &error); break;
      case 2: status = weir_grammar_from_json_schema(text, nullptr, &limits_, &made, &error); break;
      case 3: status = weir_grammar_from_structural_tag(text, nullptr, &limits_, &made, &error); break;
      case 4:
        status =
            weir_grammar_from_substring(text, static_cast<std::int32_t>(choices_.next(5)), &limits_, &made, &error);
        break;
      case 5: {
        const std::array texts = {text, c_text("ab"), c_text(choices_.text(5))};
        status = weir_grammar_from_choice(texts.data(), choices_.next(4), &limits_, &made, &error);
        break;
      }
      case 6:
        status = weir_grammar_concat(grammars_.data(), choices_.next(grammars_.size() + 1), &limits_, &made, &error);
        break;
      default:
        status = weir_grammar_any_of(grammars_.data(), choices_.next(grammars_.size() + 1), &limits_, &made, &error);
    }
    built(status, made, error, slot, weir_grammar_free);
  }

  void compile() {
    weir_compiled_grammar*& slot = compiled_[choices_.next(compiled_.size())];
    weir_compiled_grammar* made = nullptr;
    weir_error* error = nullptr;
    weir_status status = WEIR_OK;
    switch (choices_.next(6)) {
      case 0: status = weir_compiler_compile_ebnf(compiler_, c_text(source()), nullptr, &made, &error); break;
      case 1: status = weir_compiler_compile_json_schema(compiler_, c_text(source()), nullptr, &made, &error); break;
      case 2: status = weir_compiler_compile_regex(compiler_, c_text(source()), nullptr, &made, &error); break;
      case 3:
        status = weir_compiler_compile_response_format(compiler_, c_text(source()), nullptr, &made, &error);
        break;
      case 4: check(weir_compiler_clear_cache(compiler_)); return;
      default: status = weir_compiler_compile(compiler_, grammars_[choices_.next(grammars_.size())], &made, &error);
    }
    built(status, made, error, slot, weir_compiled_grammar_free);
  }

  void make_matcher() {
    weir_matcher*& slot = matchers_[choices_.next(matchers_.size())];
    weir_matcher* made = nullptr;
    weir_error* error = nullptr;
    switch (choices_.next(4)) {
      case 0: {
        const weir_status status = weir_matcher_fork(any_matcher(), &made);
        check(status);
        expect((status == WEIR_OK) == (made != nullptr), "a fork without a matcher");
        weir_matcher_free(slot);
        slot = made;
        return;
      }
      case 1:
        weir_matcher_free(slot);
        slot = nullptr;
        return;
      default: break;
    }
    weir_matcher_options options;
    expect(weir_matcher_options_init(&options, sizeof options) == WEIR_OK, "weir_matcher_options_init");
    const std::array ids = {choices_.next(14), choices_.next(14)};
    options.max_tokens = choices_.next(4) == 3 ? choices_.next(20) : 0;
    options.tokenization = static_cast<std::int32_t>(choices_.next(8) == 1 ? choices_.next(3) : 0);
    options.at_text_start = choices_.next(2) == 1;
    if (choices_.next(4) == 1) {
      options.stop_token_ids = ids.data();
      options.stop_token_count = ids.size();
    } else if (choices_.next(4) == 1) {
      options.context = ids.data();
      options.context_count = ids.size();
    }
    const weir_status status =
        weir_matcher_create_with_error(compiled_[choices_.next(compiled_.size())], &options, &made, &error);
    built(status, made, error, slot, weir_matcher_free);
  }

  void step() {
    weir_matcher* const matcher = any_matcher();
    const std::uint32_t token = choices_.next(14);
    std::vector<std::uint32_t> words(1 + (choices_.next(16) == 1 ? 1 : 0), 0xA5A5A5A5U);
    switch (choices_.next(9)) {
      case 0: {
        const weir_status status = weir_matcher_fill_next_token_bitmask(matcher, words.data(), words.size());
        check(status);
        if (status != WEIR_OK) return;
        for (std::uint32_t other = 0; other < 12; ++other) {
          bool allowed = false;
          const weir_status known = weir_matcher_is_token_allowed(matcher, other, &allowed);
          check(known);
          expect(known != WEIR_OK || allowed == weir_bitmask_get(words.data(), other), "a mask of other tokens");
        }
        break;
      }
      case 1:
      case 2: {
        const std::size_t steps = weir_matcher_step_count(matcher);
        const weir_status status = weir_matcher_accept_token(matcher, token);
        check(status);
        expect(weir_matcher_step_count(matcher) == steps + (status == WEIR_OK ? 1 : 0), "the number of steps");
        break;
      }
      case 3: check(weir_matcher_accept_bytes(matcher, c_text(choices_.text(6)))); break;
      case 4: check(weir_matcher_accept_text(matcher, c_text(choices_.text(6)))); break;
      case 5: {
        const std::size_t steps = choices_.next(4);
        const bool can = matcher != nullptr && steps <= weir_matcher_step_count(matcher);
        expect((weir_matcher_rollback(matcher, steps) == WEIR_OK) == can, "a rollback");
        break;
      }
      case 6: check(weir_matcher_reset(matcher)); break;
      case 7: batch(); break;
      default: draft(matcher, token);
    }
  }

  void batch() {
    std::vector<std::uint32_t> words(matchers_.size());
    std::vector<std::uint32_t> tokens;
    for (std::size_t i = 0; i < matchers_.size(); ++i) tokens.push_back(choices_.next(14));
    std::array<weir_status, kMatchers> steps = {};
    check(weir_batch_fill_next_token_bitmasks(batch_, matchers_.data(), matchers_.size(), words.data(), words.size(),
                                              steps.data()));
    for (const weir_status status : steps) check(status);
    check(weir_batch_accept_tokens(batch_, matchers_.data(), tokens.data(), matchers_.size(), steps.data()));
    for (const weir_status status : steps) check(status);
  }

  void draft(weir_matcher* matcher, std::uint32_t token) {
    const std::array tokens = {token, choices_.next(14), choices_.next(14)};
    std::array<std::int32_t, 3> parents = {-1, 0, 0};
    if (choices_.next(2) == 1) parents[2] = static_cast<std::int32_t>(choices_.next(5)) - 1;
    std::array<std::uint32_t, 3> words = {};
    std::array<weir_status, 3> steps = {};
    check(weir_matcher_fill_draft_tree_bitmasks(matcher, tokens.data(), parents.data(), tokens.size(), words.data(),
                                                words.size(), steps.data()));
    for (const weir_status status : steps) check(status);
  }

  void inspect() {
    weir_matcher* const matcher = any_matcher();
    weir_owned_text text = {};
    switch (choices_.next(8)) {
      case 0: check(weir_matcher_shortest_completion(matcher, &text)); break;
      case 1: check(weir_matcher_find_jump_forward_string(matcher, &text)); break;
      case 2: check(weir_matcher_text(matcher, &text)); break;
      case 3: {
        weir_token_ids ids = {};
        check(weir_matcher_forced_tokens(matcher, &ids));
        weir_token_ids_free(&ids);
        break;
      }
      case 4: {
        weir_captures* captures = nullptr;
        check(weir_matcher_captures(matcher, &captures));
        for (std::size_t i = 0; i <= weir_captures_count(captures); ++i) {
          weir_capture capture = {};
          const bool exists = i < weir_captures_count(captures);
          expect((weir_captures_at(captures, i, &capture) == WEIR_OK) == exists, "a capture");
          expect(capture.begin <= capture.end, "a capture that ends before it begins");
        }
        weir_captures_free(captures);
        break;
      }
      case 5: {
        weir_expectation* expectation = nullptr;
        check(weir_matcher_expected(matcher, &expectation));
        expect(weir_expectation_end(expectation) == (expectation != nullptr && weir_matcher_is_completed(matcher)),
               "the end is expected");
        weir_expectation_free(expectation);
        break;
      }
      case 6: {
        weir_explanation* explanation = nullptr;
        const std::uint32_t token = choices_.next(14);
        check(weir_matcher_explain(matcher, token, &explanation));
        expect(explanation == nullptr || token < 12 || !weir_explanation_allowed(explanation), "an unknown token");
        weir_explanation_free(explanation);
        break;
      }
      default: {
        weir_grammar* const grammar = grammars_[choices_.next(grammars_.size())];
        weir_error* error = nullptr;
        check(weir_convert_grammar(grammar, static_cast<std::int32_t>(choices_.next(6)), &text, &error));
        weir_error_free(error);
        break;
      }
    }
    weir_owned_text_free(&text);
  }

  weir_matcher* any_matcher() { return matchers_[choices_.next(matchers_.size())]; }

  static constexpr std::size_t kMatchers = 4;
  Choices choices_;
  weir_tokenizer_info* tokenizer_ = nullptr;
  weir_compiler* compiler_ = nullptr;
  weir_limits limits_ = {};
  weir_batch* batch_ = nullptr;
  std::array<weir_grammar*, 3> grammars_ = {};
  std::array<weir_compiled_grammar*, 3> compiled_ = {};
  std::array<weir_matcher*, kMatchers> matchers_ = {};
};

}  // namespace

void call_c_functions(std::string_view data) { Session(data).run(); }

}  // namespace weir::fuzz
