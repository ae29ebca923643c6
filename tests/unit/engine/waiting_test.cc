// Matchers that wait: states that the grammar has dropped are not kept alive by them, and their next call, whichever it
// is, answers as if nothing had been dropped.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/automaton/compiled.h"
#include "unit/engine/engine_testing.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::compile;
using engine_testing::mask_of;

void drop_states(const CompiledGrammar& compiled) {
  compiled.impl()->install(compiled.impl()->successor(compiled.impl()->automaton()).automaton);
}

// The automata that a grammar has had.
class Automata {
 public:
  explicit Automata(const CompiledGrammar& compiled) : compiled_(compiled) {}
  void look() {
    const std::shared_ptr<engine::SharedAutomaton> current = compiled_.impl()->automaton();
    if (seen_.empty() || seen_.back().lock() != current) seen_.push_back(current);
  }
  [[nodiscard]] std::size_t alive() const {
    return static_cast<std::size_t>(
        std::count_if(seen_.begin(), seen_.end(), [](const auto& automaton) { return !automaton.expired(); }));
  }
  [[nodiscard]] std::size_t count() const { return seen_.size(); }

 private:
  CompiledGrammar compiled_;
  std::vector<std::weak_ptr<engine::SharedAutomaton>> seen_;
};

// Takes a random step, the same for all matchers, and compares their masks.
void step_alike(GrammarMatcher& a, GrammarMatcher& b, std::minstd_rand& random) {
  ASSERT_EQ(mask_of(a), mask_of(b));
  if (b.is_terminated()) {
    a.reset();
    b.reset();
    return;
  }
  if (random() % 16 == 0) {
    const std::size_t back = random() % (b.step_count() + 1);
    ASSERT_EQ(a.rollback(back), Step::kOk);
    ASSERT_EQ(b.rollback(back), Step::kOk);
    return;
  }
  const std::size_t vocab_size = b.compiled_grammar().tokenizer_info().vocab_size();
  auto token = static_cast<std::uint32_t>(random() % vocab_size);
  while (!b.is_token_allowed(token)) token = static_cast<std::uint32_t>((token + 1) % vocab_size);
  ASSERT_EQ(a.accept_token(token), Step::kOk);
  ASSERT_EQ(b.accept_token(token), Step::kOk);
}

TEST(WaitingMatchers, KeepNoDroppedStates) {
  constexpr std::string_view kGrammar =
      "root ::= \"(\" root \")\" root | [a-z]{0,30} \";\" | \"[\" root \"]\" | \"<\" root root \">\"";
  const TokenizerInfo tokenizer = byte_vocabulary({"((", "a;", ");)", "abc"});
  Limits limits;
  limits.state_memory = 20'000;
  const CompiledGrammar small = compile(tokenizer, kGrammar, limits);
  const CompiledGrammar large = compile(tokenizer, kGrammar);
  Automata automata(small);
  std::vector<std::pair<GrammarMatcher, GrammarMatcher>> matchers;
  for (int i = 0; i < 40; ++i) matchers.emplace_back(GrammarMatcher(small), GrammarMatcher(large));
  std::minstd_rand random(5);
  for (int turn = 0; turn < 30; ++turn) {
    for (std::size_t i = 0; i < matchers.size(); ++i) {
      step_alike(matchers[i].first, matchers[i].second, random);
      if (random() % 32 == 0) matchers[i] = std::pair(matchers[random() % matchers.size()]);
      automata.look();
      ASSERT_EQ(automata.alive(), 1U);
    }
  }
  EXPECT_GT(automata.count(), 5U) << large.stats().memory_bytes << " bytes without a limit";
  EXPECT_EQ(large.stats().cache_flushes, 0U);
}

TEST(WaitingMatchers, DoNotReplayEachOthersHistories) {
  std::string grammar = "root ::= ";
  for (const char letter : std::string("abcdef")) {
    grammar += std::string(letter == 'a' ? "" : " | ") + "\"" + letter + "\" /[" + letter + "-z]{0,3000}/ \";\"";
  }
  const TokenizerInfo tokenizer = byte_vocabulary({});
  std::size_t alone = 0;
  {
    const CompiledGrammar compiled = compile(tokenizer, grammar);
    ASSERT_EQ(GrammarMatcher(compiled).accept_bytes("a" + std::string(1000, 'z')), Step::kOk);
    alone = compiled.stats().memory_bytes;
  }
  for (const std::size_t bytes : {alone / 4, alone, 2 * alone}) {
    Limits limits;
    limits.state_memory = bytes;
    const CompiledGrammar compiled = compile(tokenizer, grammar, limits);
    std::vector<GrammarMatcher> matchers;
    for (const char letter : std::string("abcdef")) {
      matchers.emplace_back(compiled);
      ASSERT_EQ(matchers.back().accept_bytes({&letter, 1}), Step::kOk);
    }
    for (int i = 0; i < 1000; ++i) {
      for (GrammarMatcher& matcher : matchers) ASSERT_EQ(matcher.accept_token('z'), Step::kOk);
    }
    EXPECT_LE(compiled.stats().cache_flushes, 40U) << "of 6,000 calls, with " << bytes << " bytes";
    EXPECT_LE(compiled.stats().memory_bytes, std::max(bytes, 2 * 6 * alone)) << bytes;
  }
}

// Questions to a matcher, and what its answers are as a text.
struct Question {
  const char* name;
  std::function<std::string(GrammarMatcher&)> ask;
};

std::string listed(const std::vector<std::uint32_t>& words) {
  std::string out;
  for (const std::uint32_t word : words) out += " " + std::to_string(word);
  return out;
}

std::string mask_words(GrammarMatcher& matcher) {
  std::vector<std::uint32_t> words(bitmask_words(matcher.compiled_grammar().tokenizer_info().vocab_size()));
  const Step step = matcher.fill_next_token_bitmask(words);
  return std::string(to_string(step)) + listed(words) + matcher.limit_message();
}

std::string draft_tree(GrammarMatcher& matcher) {
  const std::vector<std::uint32_t> tokens = {'a', 'b', ',', '"'};
  const std::vector<std::int32_t> parents = {-1, 0, 1, -1};
  std::vector<std::uint32_t> masks(4 * bitmask_words(matcher.compiled_grammar().tokenizer_info().vocab_size()));
  std::vector<Step> steps(4);
  EXPECT_EQ(matcher.fill_draft_tree_bitmasks(tokens, parents, masks, steps), Step::kOk);
  std::string out = listed(masks);
  for (const Step step : steps) out += to_string(step);
  return out + mask_words(matcher);
}

std::string batch_masks(GrammarMatcher& matcher) {
  BatchMatcher batch({.threads = 1, .prefetch = true});
  GrammarMatcher* const row = &matcher;
  const std::uint32_t token = 'a';
  Step step = Step::kOk;
  EXPECT_EQ(batch.accept_tokens({&row, 1}, {&token, 1}, {&step, 1}), Step::kOk);
  return std::string(to_string(step)) + mask_words(matcher);
}

const std::vector<Question>& questions() {
  using M = GrammarMatcher;
  static const std::vector<Question> kAll = {
      {"mask", mask_words},
      {"mask id", [](M& m) { return std::to_string(m.next_token_mask_id().has_value()); }},
      {"draft tree", draft_tree},
      {"batch", batch_masks},
      {"is allowed", [](M& m) { return std::to_string(m.is_token_allowed('a')); }},
      {"token", [](M& m) { return std::string(to_string(m.accept_token('a'))) + mask_words(m); }},
      {"bytes", [](M& m) { return std::string(to_string(m.accept_bytes("a"))) + mask_words(m); }},
      {"text", [](M& m) { return std::string(to_string(m.accept_text("a"))) + mask_words(m); }},
      {"viable prefix", [](M& m) { return std::to_string(m.longest_viable_prefix("ab,\"?")); }},
      {"rollback", [](M& m) { return std::string(to_string(m.rollback(2))) + mask_words(m); }},
      {"rollback of all", [](M& m) { return std::string(to_string(m.rollback(m.step_count()))) + mask_words(m); }},
      {"reset", [](M& m) { return m.reset(), mask_words(m); }},
      {"fork",
       [](M& m) {
         M fork = m.fork();
         std::string out = mask_words(fork);
         out += to_string(fork.accept_token('a'));
         return out + mask_words(fork) + mask_words(m);
       }},
      {"completed", [](M& m) { return std::to_string(m.is_completed()); }},
      {"terminated", [](M& m) { return std::to_string(m.is_terminated()) + std::to_string(m.step_count()); }},
      {"written", [](M& m) { return m.GrammarMatcher::text(); }},
      {"forced text", [](M& m) { return m.find_jump_forward_string(); }},
      {"forced tokens", [](M& m) { return listed(m.forced_tokens()); }},
      {"completion", [](M& m) { return m.shortest_completion().value_or("none"); }},
      {"completion parts", [](M& m) { return std::to_string(m.shortest_completion_parts().value().size()); }},
      {"captures",
       [](M& m) {
         std::string out;
         for (const Capture& c : m.captures()) out += c.name + std::to_string(c.begin) + "-" + std::to_string(c.end);
         return out;
       }},
      {"temperature", [](M& m) { return std::to_string(m.temperature().value_or(-1)); }},
      {"expected",
       [](M& m) {
         const Expectation expected = m.expected();
         std::string out(expected.bytes.begin(), expected.bytes.end());
         for (const std::string& name : expected.terminals) out += " " + name;
         return out + std::to_string(expected.end);
       }},
      {"explanation", [](M& m) { return m.explain('?').reason + m.explain('a').reason; }},
      {"state", [](M& m) { return std::to_string(m.state_stats().threads); }},
      {"state id", [](M& m) { return std::to_string(m.state_id() == m.state_stats().state); }},
  };
  return kAll;
}

// Asks every question of two matchers with one history; before one of them is asked, its states are dropped.
void ask_all(const CompiledGrammar& compiled, std::string_view text, const MatcherOptions& options = {}) {
  SCOPED_TRACE(text);
  const auto made = GrammarMatcher::create(compiled, options);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  GrammarMatcher matcher = *made;
  for (const char c : text) {
    ASSERT_EQ(matcher.accept_token(static_cast<std::uint8_t>(c)), Step::kOk) << c << matcher.limit_message();
    (void)matcher.captures();
  }
  for (const Question& question : questions()) {
    if (matcher.is_terminated() && std::string_view(question.name) == "completion parts") continue;
    GrammarMatcher first = matcher.fork();
    GrammarMatcher second = matcher.fork();
    const std::string answer = question.ask(first);
    const std::weak_ptr<engine::SharedAutomaton> held = compiled.impl()->automaton();
    drop_states(compiled);
    EXPECT_TRUE(held.expired()) << question.name;
    EXPECT_EQ(question.ask(second), answer) << question.name;
    EXPECT_EQ(second.limit_message(), first.limit_message()) << question.name;
    EXPECT_EQ(mask_words(second), mask_words(first)) << question.name;
  }
}

TEST(WaitingMatchers, AnswerEachQuestionAsBefore) {
  const TokenizerInfo bytes = byte_vocabulary({"ab", "a,", ",\"a"});
  const CompiledGrammar list =
      compile(bytes, R"g(root ::= (@capture(x: @temperature(0.5: [a-z]+)) ",")* | "q" "uick"? <tool>)g");
  ask_all(list, "");
  ask_all(list, "ab,ab,a");
  ask_all(list, "q");
  ask_all(list, "ab,", {.max_tokens = 5});
  ask_all(compile(bytes, "root ::= @max_tokens(3: [a-z]* \";\") \".\""), "ab");
}

TEST(WaitingMatchers, AnswerEachQuestionAsBeforeUnderASchema) {
  const TokenizerInfo bytes = byte_vocabulary({"\"a", "a\"", "\",\"a", "\":1", "{\""});
  const auto schema = GrammarCompiler(bytes).compile_json_schema(
      R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","uniqueItems":true}}})");
  ASSERT_TRUE(schema.has_value());
  ask_all(*schema, R"({"a":"b","b":[1,)");
  ask_all(*schema, R"({"a":"b","b":[1],"c":1,")");
  ask_all(*schema, R"({"a":"b","b":[1],"c":1,")", {.max_tokens = 40});
}

TEST(WaitingMatchers, AnswerEachQuestionAsBeforeInCanonicalMode) {
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  const auto compiled = GrammarCompiler(tokenizer).compile_ebnf("root ::= ([a-z]+ \", \")* \"end\"");
  ASSERT_TRUE(compiled.has_value());
  for (const std::optional<std::uint32_t> most : {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(30)}) {
    MatcherOptions options;
    options.tokenization = Tokenization::kCanonical;
    options.max_tokens = most;
    const auto made = GrammarMatcher::create(*compiled, options);
    ASSERT_TRUE(made.has_value()) << made.error().message;
    GrammarMatcher matcher = *made;
    GrammarMatcher other = *made;
    const auto tokens = tokenizer.tokenize("matching, waiting, en");
    ASSERT_TRUE(tokens.has_value());
    for (const std::uint32_t token : *tokens) {
      ASSERT_EQ(mask_words(matcher), mask_words(other));
      EXPECT_EQ(matcher.forced_tokens(), other.forced_tokens());
      EXPECT_EQ(matcher.shortest_completion(), other.shortest_completion());
      ASSERT_EQ(matcher.accept_token(token), Step::kOk);
      drop_states(*compiled);
      ASSERT_EQ(other.accept_token(token), Step::kOk);
      drop_states(*compiled);
      EXPECT_EQ(matcher.is_completed(), other.is_completed());
    }
    EXPECT_EQ(matcher.accept_text("d"), other.accept_text("d"));
    EXPECT_EQ(mask_words(matcher), mask_words(other));
  }
}

TEST(WaitingMatchers, AnswerAsBeforeAtTheEnd) {
  const CompiledGrammar compiled = compile(byte_vocabulary({}), "root ::= [a-z]*");
  GrammarMatcher matcher(compiled);
  drop_states(compiled);
  EXPECT_TRUE(matcher.is_completed()) << "the empty output is complete";
  ASSERT_EQ(matcher.accept_token('a'), Step::kOk);
  ASSERT_EQ(matcher.accept_token(compiled.tokenizer_info().stop_token_ids()[0]), Step::kOk);
  drop_states(compiled);
  EXPECT_TRUE(matcher.is_completed());
  EXPECT_EQ(mask_of(matcher), "[terminated]");
  ASSERT_EQ(matcher.rollback(1), Step::kOk);
  drop_states(compiled);
  GrammarMatcher moved = std::move(matcher);
  EXPECT_TRUE(moved.is_completed());
  EXPECT_EQ(moved.accept_bytes("?"), Step::kRefused);
  EXPECT_EQ(moved.accept_bytes("b"), Step::kOk);
}

// A history that met no limit meets none when it is read again. Here the limit shrinks meanwhile, so that it does.
TEST(WaitingMatchers, AHistoryThatMeetsALimitIsTriedAgain) {
  const CompiledGrammar compiled = compile(byte_vocabulary({}), "root ::= (/[a-z]{0,200}/ \";\")*");
  auto& lexer_states = const_cast<std::uint32_t&>(compiled.impl()->program().limits.lexer_states);
  const std::uint32_t enough = lexer_states;
  GrammarMatcher matcher(compiled);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(matcher.accept_token('a'), Step::kOk);
  const std::string mask = mask_of(matcher);
  lexer_states = 50;
  drop_states(compiled);
  const std::uint64_t flushes = compiled.stats().cache_flushes;
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(matcher.accept_token('a'), Step::kLimitExceeded);
    EXPECT_NE(matcher.limit_message().find("lexer_states"), std::string::npos) << matcher.limit_message();
    EXPECT_EQ(matcher.accept_bytes("a"), Step::kLimitExceeded);
    EXPECT_EQ(matcher.accept_text("a"), Step::kLimitExceeded);
    EXPECT_EQ(mask_of(matcher), "[limit_exceeded]");
    EXPECT_FALSE(matcher.next_token_mask_id().has_value());
    EXPECT_FALSE(matcher.is_token_allowed('a'));
    EXPECT_EQ(matcher.longest_viable_prefix("a"), 0U);
    EXPECT_EQ(matcher.find_jump_forward_string(), "");
    EXPECT_TRUE(matcher.forced_tokens().empty());
    EXPECT_FALSE(matcher.shortest_completion().has_value());
    EXPECT_TRUE(matcher.captures().empty());
    EXPECT_FALSE(matcher.temperature().has_value());
    EXPECT_TRUE(matcher.expected().bytes.empty());
    EXPECT_NE(matcher.explain('a').reason.find("lexer_states"), std::string::npos);
    EXPECT_EQ(matcher.state_stats().threads, 0U);
    GrammarMatcher fork = matcher.fork();
    EXPECT_EQ(fork.accept_token('a'), Step::kLimitExceeded);
    const std::vector<std::uint32_t> tokens = {'a', 'b'};
    const std::vector<std::int32_t> parents = {-1, 0};
    std::vector<std::uint32_t> masks(2 * bitmask_words(compiled.tokenizer_info().vocab_size()));
    std::vector<Step> steps(2);
    EXPECT_EQ(matcher.fill_draft_tree_bitmasks(tokens, parents, masks, steps), Step::kOk);
    EXPECT_EQ(steps, (std::vector<Step>{Step::kLimitExceeded, Step::kRefused}));
    EXPECT_EQ(matcher.step_count(), 100U);
    EXPECT_EQ(matcher.text(), std::string(100, 'a'));
  }
  EXPECT_LE(compiled.stats().cache_flushes, flushes + 1) << "other matchers do not lose their states at each try";
  GrammarMatcher shorter = matcher.fork();
  ASSERT_EQ(shorter.rollback(90), Step::kOk);
  EXPECT_EQ(shorter.accept_token('a'), Step::kOk) << shorter.limit_message();
  lexer_states = enough;
  EXPECT_EQ(matcher.accept_token('a'), Step::kLimitExceeded) << "the current states keep to the limit that they had";
  drop_states(compiled);
  EXPECT_EQ(mask_of(matcher), mask);
  EXPECT_EQ(matcher.accept_token('a'), Step::kOk);
  EXPECT_EQ(matcher.step_count(), 101U);
}

}  // namespace
}  // namespace weir
