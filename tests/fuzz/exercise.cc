#include "fuzz/exercise.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>

#include "fuzz/targets.h"

namespace weir::fuzz {

namespace {

constexpr int kSteps = 24;

void require(bool holds, const std::string& what) {
  if (!holds) throw Violation(what);
}

const TokenizerInfo& tokenizer() {
  static const TokenizerInfo info = [] {
    VocabSpec spec;
    for (int byte = 0; byte < 256; ++byte) spec.tokens.emplace_back(1, static_cast<char>(byte));
    for (const char* token : {"aa", "ab", "\":", "{\"", "\"}", ", ", "\xE4\xBD", "\xA0\xE5", "true", "  ", "0.", "\n\n",
                              "a\"", "", "<|a|>", "<|end|>"}) {
      spec.tokens.emplace_back(token);
    }
    const auto end = static_cast<std::uint32_t>(spec.tokens.size() - 1);
    spec.special_token_ids = {end - 1, end};
    spec.stop_token_ids = {end};
    return TokenizerInfo::from_vocab(std::move(spec)).value();
  }();
  return info;
}

// Returns bytes as a byte-level BPE in a tokenizer.json writes them: those that are no printable characters of Latin-1 as
// characters from U+0100 on. All are escaped.
std::string json_of(std::string_view bytes) {
  std::string result = "\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const auto is_plain = [](unsigned b) { return (b > 32 && b < 127) || (b > 160 && b != 173); };
    unsigned character = byte;
    if (!is_plain(byte)) {
      character = 256;
      for (unsigned other = 0; other < byte; ++other) character += is_plain(other) ? 0 : 1;
    }
    static constexpr std::string_view kDigits = "0123456789abcdef";
    result += "\\u0";
    for (const unsigned shift : {8U, 4U, 0U}) result += kDigits[character >> shift & 15U];
  }
  return result + "\"";
}

// Returns a byte-level BPE of all bytes and some merges, which has canonical masks.
const TokenizerInfo& merging_tokenizer() {
  static const TokenizerInfo info = [] {
    std::string vocabulary;
    unsigned id = 0;
    const auto add = [&](std::string_view token) {
      vocabulary += (id == 0 ? "" : ", ") + json_of(token) + ": " + std::to_string(id);
      ++id;
    };
    for (int byte = 0; byte < 256; ++byte) add(std::string(1, static_cast<char>(byte)));
    std::string merges;
    using Pair = std::pair<std::string_view, std::string_view>;
    for (const auto& [left, right] : {Pair("a", "b"), Pair("a", "a"), Pair("aa", "b"), Pair("\"", ":"), Pair("{", "\""),
                                      Pair(" ", "a"), Pair(" ", " "), Pair("t", "r"), Pair("u", "e"), Pair("tr", "ue"),
                                      Pair("0", "."), Pair("\xE4", "\xBD"), Pair("b", "\n")}) {
      merges += (merges.empty() ? "[" : ", [") + json_of(left) + ", " + json_of(right) + "]";
      add(std::string(left) + std::string(right));
    }
    const std::string file = R"({"version": "1.0", "normalizer": null, "post_processor": null,
      "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
      "decoder": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
      "added_tokens": [{"id": )" +
                             std::to_string(id) + R"(, "content": "<|endoftext|>", "single_word": false,
        "lstrip": false, "rstrip": false, "normalized": false, "special": true}],
      "model": {"type": "BPE", "vocab": {)" +
                             vocabulary + R"(}, "merges": [)" + merges + "]}}";
    return TokenizerInfo::from_bytes(file, "tokenizer.json").value();
  }();
  return info;
}

void require_sane_step(Step step, const GrammarMatcher& matcher, const char* what) {
  require(step == Step::kOk || step == Step::kLimitExceeded,
          std::string(what) + " returned " + std::string(to_string(step)));
  require(step == Step::kOk || !matcher.limit_message().empty(), std::string(what) + ": no limit is named");
}

// Checks that the matcher's shortest completion completes the output.
void complete(GrammarMatcher matcher) {
  const bool completed = matcher.is_completed();
  const std::optional<std::string> rest = matcher.shortest_completion();
  if (!rest) return;
  require(completed == rest->empty(), "is_completed and shortest_completion disagree");
  const Step step = matcher.accept_bytes(*rest);
  require_sane_step(step, matcher, "accepting the completion");
  if (step == Step::kOk) require(matcher.is_completed(), "the completion does not complete");
}

bool has(const std::vector<std::uint32_t>& words, std::uint32_t token) {
  return (words[token / 32] >> (token % 32) & 1U) != 0;
}

// Fills the mask, checks it and accepts one of its tokens. Returns false if the walk cannot continue.
bool step(GrammarMatcher& matcher, std::vector<std::uint32_t>& words, std::minstd_rand& random) {
  const Step filled = matcher.fill_next_token_bitmask(words);
  require_sane_step(filled, matcher, "the mask");
  const std::size_t count = bitmask_count(words);
  if (filled != Step::kOk) {
    require(count == 0, "a mask that met a limit is not empty");
    return false;
  }
  const std::uint32_t size = tokenizer().vocab_size();
  const std::uint32_t stop = tokenizer().stop_token_ids()[0];
  if (count == 0) {
    // The mask may be empty if only token terminals can match and the vocabulary has none of their tokens. The
    // vocabulary has a token for each byte.
    require(matcher.expected().bytes.empty(), "the mask is empty though bytes may come");
    return false;
  }
  if (matcher.is_completed()) require(has(words, stop), "the output may end, and the mask has no stop token");
  const auto some = static_cast<std::uint32_t>(random());
  std::uint32_t token = some % size;
  const bool refused_is_allowed = !has(words, token) && matcher.is_token_allowed(token);
  require(!refused_is_allowed, "a token that the mask leaves out is allowed");
  while (!has(words, token)) token = (token + 1) % size;
  const bool allowed = matcher.is_token_allowed(token);
  require(allowed || !matcher.limit_message().empty(), "a token of the mask is not allowed");
  const Step accepted = matcher.accept_token(token);
  require_sane_step(accepted, matcher, "accepting a token of the mask");
  if (accepted != Step::kOk) return false;
  if (some % 5 != 0 || matcher.is_terminated()) return !matcher.is_terminated();
  require(matcher.rollback(1) == Step::kOk, "no rollback");
  std::vector<std::uint32_t> again(words.size());
  require_sane_step(matcher.fill_next_token_bitmask(again), matcher, "the mask after a rollback");
  require(again == words || !matcher.limit_message().empty(), "another mask after a rollback");
  return matcher.accept_token(token) == Step::kOk;
}

// Fills the mask and accepts one of its tokens. Returns false if the walk cannot continue: a limit was met, the mask is
// empty, or only a stop token may come.
bool step_within(GrammarMatcher& matcher, const TokenizerInfo& info, std::minstd_rand& random) {
  std::vector<std::uint32_t> words(bitmask_words(info.vocab_size()));
  const Step filled = matcher.fill_next_token_bitmask(words);
  require_sane_step(filled, matcher, "the mask");
  for (const std::uint32_t stop : info.stop_token_ids()) words[stop / 32] &= ~(1U << (stop % 32));
  if (bitmask_count(words) == 0) return false;
  auto token = static_cast<std::uint32_t>(random() % info.vocab_size());
  while (!has(words, token)) token = (token + 1) % info.vocab_size();
  const Step accepted = matcher.accept_token(token);
  require_sane_step(accepted, matcher, "accepting a token of the mask");
  return accepted == Step::kOk;
}

// An output within a budget of tokens is complete when no token is left.
void walk_within_budget(const CompiledGrammar& compiled, std::uint32_t budget, std::minstd_rand& random) {
  MatcherOptions options;
  options.max_tokens = budget;
  Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, options);
  if (!matcher) return require_sane(matcher.error(), "");
  std::uint32_t taken = 0;
  while (step_within(*matcher, tokenizer(), random)) require(++taken <= budget, "more tokens than the budget");
  if (taken == budget) require(matcher->is_completed(), "the budget is spent, and the output is not complete");
}

// A complete output of canonical tokens is what the tokenizer writes for its text.
void walk_canonically(const Grammar& grammar, std::string_view text, std::minstd_rand& random) {
  const TokenizerInfo& info = merging_tokenizer();
  const Result<CompiledGrammar> compiled = GrammarCompiler(info, small_limits()).compile(grammar);
  if (!compiled) return require_sane(compiled.error(), text);
  MatcherOptions options;
  options.tokenization = Tokenization::kCanonical;
  Result<GrammarMatcher> matcher = GrammarMatcher::create(*compiled, options);
  if (!matcher) return require_sane(matcher.error(), "");
  for (int i = 0; i < kSteps && step_within(*matcher, info, random); ++i) {
    if (!matcher->is_completed()) continue;
    const Result<std::vector<std::uint32_t>> canonical = info.tokenize(matcher->text());
    if (!canonical) continue;  // not UTF-8
    require(matcher->step_count() == canonical->size(), "the tokenizer writes the text in other tokens");
  }
}

}  // namespace

Limits small_limits() {
  Limits limits;
  limits.text_bytes = 1U << 14U;
  limits.nesting = 100;
  limits.grammar_symbols = 20'000;
  limits.number_digits = 300;
  limits.schema_steps = 20'000;
  limits.call_work = 50'000;
  limits.regex_nodes = 60'000;
  limits.regex_fuel = 2'000;
  limits.lexer_states = 3'000;
  limits.row_items = 5'000;
  limits.configuration_threads = 500;
  limits.lookahead_threads = 1'000;
  limits.completion_bytes = 10'000;
  limits.state_memory = std::size_t{16} << 20U;
  return limits;
}

void require_sane(const Error& error, std::string_view text) {
  require(error.code != ErrorCode::kInternal, "internal error: " + error.message);
  require(!error.message.empty(), "an error without a message");
  require(error.where.start <= error.where.end && error.where.end <= text.size(),
          "an error outside the text: " + error.message);
  require((error.code == ErrorCode::kLimitExceeded) == !error.limit.empty(),
          "a limit without a name: " + error.message);
  require(!render(error, text, "t").empty(), "an error that is not shown");
}

void require_sane(const std::vector<Diagnostic>& findings, std::string_view text) {
  for (const Diagnostic& finding : findings) {
    require(!finding.message.empty() && !finding.code.empty(), "a finding without a message or a code");
    require(finding.where.start <= finding.where.end && finding.where.end <= text.size(),
            "a finding outside the text: " + finding.message);
    if (finding.fix) {
      require(finding.fix->where.start <= finding.fix->where.end && finding.fix->where.end <= text.size(),
              "a fix outside the text: " + finding.message);
    }
    require(!render(finding, text, "t").empty(), "a finding that is not shown");
  }
}

void exercise(const Grammar& grammar, std::string_view text, std::string_view data) {
  const Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer(), small_limits()).compile(grammar);
  if (!compiled) return require_sane(compiled.error(), text);
  GrammarMatcher matcher(*compiled);
  std::minstd_rand random(static_cast<std::uint32_t>(std::hash<std::string_view>()(data)));
  std::vector<std::uint32_t> words(bitmask_words(tokenizer().vocab_size()));
  complete(matcher);
  for (int i = 0; i < kSteps && step(matcher, words, random); ++i) {
  }
  if (!matcher.is_terminated()) complete(matcher);
  switch (random() % 3) {
    case 0: walk_within_budget(*compiled, static_cast<std::uint32_t>(random() % 20), random); break;
    case 1: walk_canonically(grammar, text, random); break;
    default: break;
  }
}

}  // namespace weir::fuzz
