// What happens when memory is exhausted: the n-th allocation of a call fails, for each n.
//
// Calls that build (compile, read, check, convert, make or copy a matcher) throw std::bad_alloc. They leak nothing, and
// the same call succeeds afterwards on the same objects, with the masks that it has without the failure. Calls that step
// are noexcept: where they need memory and get none they end the program (include/weir/matcher.h); for known states they
// need none.
//
// WEIR_ALLOCATIONS=all tries each n up to 10,000; without it a sample is tried, since the work grows with the square of n.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/check.h"
#include "weir/convert.h"
#include "weir/weir.h"

namespace weir::testing {
namespace {

// Allocations that may succeed before one fails; negative: none fails.
std::atomic<std::int64_t> allocations_left{-1};
// True: all allocations after the one that failed fail, too.
std::atomic<bool> all_later_fail{false};
std::atomic<std::int64_t> live_blocks{0};
std::atomic<std::int64_t> allocation_count{0};

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  if (allocations_left.load(std::memory_order_relaxed) >= 0) {
    const std::int64_t left = allocations_left.fetch_sub(1, std::memory_order_relaxed);
    if (left == 0) {
      if (all_later_fail) allocations_left = 0;
      return nullptr;
    }
  }
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* const block = alignment <= alignof(std::max_align_t) ? std::malloc(size == 0 ? 1 : size)
                                                             : std::aligned_alloc(alignment, rounded);
  if (block != nullptr) live_blocks.fetch_add(1, std::memory_order_relaxed);
  return block;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* const block = allocate(size, alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void release(void* block) noexcept {
  if (block != nullptr) live_blocks.fetch_sub(1, std::memory_order_relaxed);
  std::free(block);
}

}  // namespace
}  // namespace weir::testing

// The operators that the whole program uses; those for arrays call them.
void* operator new(std::size_t size) { return weir::testing::allocate_or_throw(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return weir::testing::allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return weir::testing::allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { weir::testing::release(block); }
void operator delete(void* block, std::size_t) noexcept { weir::testing::release(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { weir::testing::release(block); }
void operator delete(void* block, std::align_val_t) noexcept { weir::testing::release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { weir::testing::release(block); }

namespace weir::testing {
namespace {

// While it lives, the n-th allocation fails, counted from 1.
class Failure {
 public:
  explicit Failure(std::int64_t n, bool all_later) {
    all_later_fail = all_later;
    allocations_left = n - 1;
  }
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;
  ~Failure() { allocations_left = -1; }
  // Returns true if fewer than n allocations were made.
  [[nodiscard]] static bool was_out_of_reach() { return allocations_left >= 0 && !all_later_fail; }
};

bool all_are_asked_for() {
  const char* const asked = std::getenv("WEIR_ALLOCATIONS");
  return asked != nullptr && std::string(asked) == "all";
}

// Returns the allocation to fail after the n-th was tried: all of the first ones, then fewer and fewer.
std::int64_t next_after(std::int64_t n) { return all_are_asked_for() || n < 24 ? n + 1 : n + 1 + n / 6; }

constexpr std::int64_t kMostAllocations = 10000;

const char* const kTokenizerFile =
    R"({"version": "1.0", "added_tokens": [{"id": 12, "content": "<end>", "special": true}],
  "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true}, "decoder": {"type": "ByteLevel"},
  "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2, "1": 3, "2": 4, "\"": 5, "{": 6, "}": 7, ":": 8, ",": 9,
  "ab": 10, "aab": 11}, "merges": ["a b", "a ab"]}})";

VocabSpec vocabulary() {
  VocabSpec spec;
  spec.tokens = {"a", "b",  "ab", "c",     "\"", "\"a", "a\"", "\":", "{", "}", ",", "{\"", "\"}",  "1",
                 "2", "12", ":",  "\",\"", "x",  "y",   "[",   "]",   ";", "-", ".", "0",   "<end>"};
  spec.special_token_ids = {26};
  spec.stop_token_ids = {26};
  return spec;
}

// Returns the masks of a walk that takes another allowed token at each step.
std::string masks_of(const CompiledGrammar& compiled) {
  GrammarMatcher matcher(compiled);
  std::vector<std::uint32_t> bitmask(bitmask_words(compiled.tokenizer_info().vocab_size()));
  std::string masks;
  for (std::uint32_t step = 0; step < 14 && matcher.fill_next_token_bitmask(bitmask) == Step::kOk; ++step) {
    std::vector<std::uint32_t> allowed;
    for (std::uint32_t token = 0; token < compiled.tokenizer_info().vocab_size(); ++token) {
      if (bitmask_get(bitmask, token)) allowed.push_back(token);
    }
    for (const std::uint32_t word : bitmask) masks += std::to_string(word) + ' ';
    if (allowed.empty() || matcher.accept_token(allowed[(step * 7) % allowed.size()]) != Step::kOk) break;
  }
  return masks;
}

// A call to try: it builds something, under the failure, and returns a function that describes it, without.
struct World {
  TokenizerInfo tokenizer;
  GrammarCompiler compiler;
};
using Description = std::function<std::string()>;
struct Subject {
  std::string name;
  std::function<Description(const World&)> build;
};

Description described(Result<CompiledGrammar> compiled) {
  if (!compiled) return [message = compiled.error().message] { return "error: " + message; };
  return [compiled = *std::move(compiled)] { return masks_of(compiled); };
}

Description described(Result<TokenizerInfo> tokenizer) {
  if (!tokenizer) return [message = tokenizer.error().message] { return "error: " + message; };
  return [tokenizer = *std::move(tokenizer)] {
    std::string tokens;
    for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token)
      tokens.append(tokenizer.token_bytes(token)) += '/';
    const Result<std::vector<std::uint32_t>> ids = tokenizer.tokenize("aabab");
    if (ids) {
      for (const std::uint32_t id : *ids) tokens += std::to_string(id) + ' ';
    }
    return tokens;
  };
}

const char* const kSchema = R"({"type": "object", "properties": {"a": {"type": "integer", "minimum": 2, "maximum": 120},
  "b": {"type": "array", "items": {"enum": ["a", "ab", 1]}, "uniqueItems": true}, "c": {"$ref": "#"}},
  "patternProperties": {"^x": {"type": "string", "format": "date"}}, "additionalProperties": false, "minProperties": 1})";
const char* const kTag = R"({"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["{"], "tags": [
  {"begin": "{a", "end": "}", "content": {"type": "regex", "pattern": "[ab]{2,5}"}}]}})";
const char* const kLark = "start: a+ \";\"\na: A | B\nA: /a+/\nB: /ab*/\n%ignore /-/\n";
const char* const kEbnf =
    "root ::= list | @capture(name: [a-c]+) \";\"\nlist ::= \"[\" (list (\",\" list)*)? \"]\" | sum\n"
    "sum ::= sum \"-\" [0-9]+ | @max_tokens(3: [0-9]*) \".\"\n";

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  const auto add = [&](std::string name, std::function<Description(const World&)> build) {
    all.push_back({std::move(name), std::move(build)});
  };
  add("EBNF", [](const World& world) { return described(world.compiler.compile_ebnf(kEbnf)); });
  add("an error in EBNF",
      [](const World& world) { return described(world.compiler.compile_ebnf("root ::= lost [a-")); });
  add("Lark", [](const World& world) {
    GrammarTextOptions options;
    options.syntax = GrammarSyntax::kLark;
    return described(world.compiler.compile_text(kLark, options));
  });
  add("regular expression", [](const World& world) {
    return described(world.compiler.compile_regex("(?=a)(ab|a[bc]{2,40}|12)*(?<!c);\\d{0,3}"));
  });
  add("JSON Schema", [](const World& world) { return described(world.compiler.compile_json_schema(kSchema)); });
  add("structural tag", [](const World& world) { return described(world.compiler.compile_structural_tag(kTag)); });
  add("choice", [](const World& world) {
    return described(world.compiler.compile_choice(std::vector<std::string>{"a", "abc", "ab;", "12"}));
  });
  add("quotation", [](const World& world) {
    return described(world.compiler.compile_substring("ab abc 12; a-b c.", SubstringUnit::kWord));
  });
  add("tokenizer.json", [](const World&) { return described(TokenizerInfo::from_bytes(kTokenizerFile, "t.json")); });
  add("list of tokens", [](const World&) { return described(TokenizerInfo::from_vocab(vocabulary())); });
  add("serialized tokenizer",
      [](const World& world) { return described(TokenizerInfo::deserialize(world.tokenizer.serialize())); });
  add("check", [](const World&) -> Description {
    std::string found;
    for (const Diagnostic& finding : check_schema(R"({"type": "string", "minimum": 3, "minLenght": 2})")) {
      found += finding.message + '\n';
    }
    return [found] { return found; };
  });
  add("conversion", [](const World&) -> Description {
    const Result<Grammar> grammar = Grammar::from_json_schema(R"({"enum": ["a", 12, {"b": []}]})");
    Result<std::string> text = convert_grammar(*grammar, GrammarSyntax::kGbnf);
    return [text = text ? *text : text.error().message] { return text; };
  });
  add("matchers", [](const World& world) -> Description {
    const Result<CompiledGrammar> compiled = world.compiler.compile_regex("[ab]{2,9}");
    const GrammarMatcher first(*compiled);
    GrammarMatcher copy(first);
    const GrammarMatcher other = copy;
    return [other] { return masks_of(other.compiled_grammar()); };
  });
  return all;
}

// What is wrong with an attempt; nothing if all is well.
std::optional<std::string> problem_of(const Subject& subject, const std::string& expected, std::int64_t n,
                                      bool all_later, bool& is_beyond) {
  const std::int64_t before = live_blocks;
  bool is_other = false, is_right_again = false;
  {
    const World world = [] {
      TokenizerInfo tokenizer = *TokenizerInfo::from_vocab(vocabulary());
      return World{tokenizer, GrammarCompiler(tokenizer)};
    }();
    try {
      Description made;
      {
        const Failure failure(n, all_later);
        made = subject.build(world);
        is_beyond = Failure::was_out_of_reach();
      }
      is_other = made() != expected;  // such as where a sort did without its buffer
    } catch (const std::bad_alloc&) {
      is_beyond = false;
    }
    is_right_again = subject.build(world)() == expected;
  }
  if (is_other) return "the call returned something else";
  if (!is_right_again) return "after the failure the same call returns something else";
  if (live_blocks != before) return std::to_string(live_blocks - before) + " blocks are lost";
  return std::nullopt;
}

// Calls `work` in a child process, in which std::terminate means what matcher.h documents. Returns the exit status of
// the child: what `work` returns, kEndedAsDocumented, or -1 if it crashed.
constexpr int kEndedAsDocumented = 3;
int in_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    std::set_terminate([] { _exit(kEndedAsDocumented); });
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Allocation, CallsThatBuildThrowLoseNothingAndSucceedAfterwards) {
  for (const Subject& subject : subjects()) {
    SCOPED_TRACE(subject.name);
    std::string expected;
    for (int round = 0; round < 2; ++round) {  // the first round makes what the process keeps
      TokenizerInfo tokenizer = *TokenizerInfo::from_vocab(vocabulary());
      expected = subject.build({tokenizer, GrammarCompiler(tokenizer)})();
    }
    ASSERT_GT(expected.size(), 3U);
    EXPECT_EQ(expected.starts_with("error"), subject.name.starts_with("an error")) << expected;
    std::int64_t tried = 0;
    bool is_beyond = false;
    for (std::int64_t n = 1; n <= kMostAllocations && !is_beyond; n = next_after(n)) {
      ++tried;
      const std::optional<std::string> problem = problem_of(subject, expected, n, false, is_beyond);
      ASSERT_FALSE(problem) << *problem << " when allocation " << n << " failed";
      bool ignored = false;
      const std::optional<std::string> with_all = problem_of(subject, expected, n, true, ignored);
      ASSERT_FALSE(with_all) << *with_all << " when allocation " << n << " and all later ones failed";
    }
    std::printf("%s: %lld allocations tried\n", subject.name.c_str(), static_cast<long long>(tried));
    EXPECT_GT(tried, 5);
  }
}

// Walks through masks while the n-th allocation fails. Returns 0 if the masks afterwards are right.
int walk_without_memory(const World& world, const std::string& expected, std::int64_t n) {
  const CompiledGrammar compiled = *world.compiler.compile_json_schema(kSchema);
  GrammarMatcher matcher(compiled);
  std::vector<std::uint32_t> bitmask(bitmask_words(compiled.tokenizer_info().vocab_size()));
  {
    const Failure failure(n, false);
    (void)matcher.fill_next_token_bitmask(bitmask);
    (void)matcher.accept_token(8);
    (void)matcher.fill_next_token_bitmask(bitmask);
  }
  return masks_of(compiled) == expected ? 0 : 1;
}

TEST(Allocation, StepsThatExploreEndTheProgramOrAreRight) {
  const TokenizerInfo tokenizer = *TokenizerInfo::from_vocab(vocabulary());
  const World world{tokenizer, GrammarCompiler(tokenizer)};
  const std::string expected = masks_of(*world.compiler.compile_json_schema(kSchema));
  world.compiler.clear_cache();
  int right = 0, ended = 0;
  for (std::int64_t n = 1; n <= kMostAllocations && right < 3; n = next_after(n)) {
    const int status = in_child([&] { return walk_without_memory(world, expected, n); });
    ASSERT_TRUE(status == 0 || status == kEndedAsDocumented) << "allocation " << n << ", status " << status;
    ++(status == 0 ? right : ended);
  }
  EXPECT_GT(ended, 10);  // the failures were met
  EXPECT_GT(right, 0);   // and at last there were no more allocations
}

TEST(Allocation, KnownMasksNeedNone) {
  const TokenizerInfo tokenizer = *TokenizerInfo::from_vocab(vocabulary());
  const CompiledGrammar compiled = *GrammarCompiler(tokenizer).compile_json_schema(kSchema);
  (void)masks_of(compiled);
  GrammarMatcher matcher(compiled);
  std::vector<std::uint32_t> bitmask(bitmask_words(tokenizer.vocab_size()));
  ASSERT_EQ(matcher.fill_next_token_bitmask(bitmask), Step::kOk);
  ASSERT_EQ(matcher.accept_token(8), Step::kOk);
  ASSERT_EQ(matcher.rollback(1), Step::kOk);
  const std::int64_t before = allocation_count;
  EXPECT_EQ(matcher.fill_next_token_bitmask(bitmask), Step::kOk);
  EXPECT_EQ(matcher.accept_token(8), Step::kOk);
  EXPECT_EQ(matcher.rollback(1), Step::kOk);
  matcher.reset();
  EXPECT_EQ(allocation_count, before);
}

}  // namespace
}  // namespace weir::testing
