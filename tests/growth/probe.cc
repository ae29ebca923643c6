#include "growth/probe.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <new>
#include <optional>
#include <sstream>

#include "base/work.h"
#include "growth/compile_case.h"
#include "growth/counted_memory.h"
#include "recipe.h"

namespace weir::growth {

namespace {

// More memory than this is not given to a child.
constexpr std::size_t kMostMemory = std::size_t{3} << 30U;
constexpr int kNoMemory = 3;
// A text that is accepted after the first places, without masks, in pieces of so many bytes.
constexpr std::size_t kPiece = 4'096;
constexpr std::size_t kPlaces = 6;
constexpr std::uint32_t kBudget = 100;

std::uint64_t cpu_micros() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(now.tv_nsec) / 1'000;
}

std::string limit_in(const std::string& message) {
  const std::size_t begin = message.find('`');
  return begin == std::string::npos ? "unnamed" : message.substr(begin + 1, message.find('`', begin + 1) - begin - 1);
}

std::string outcome_of(Step step, const GrammarMatcher& matcher) {
  if (step == Step::kOk) return "ok";
  return step == Step::kLimitExceeded ? limit_in(matcher.limit_message()) : std::string(to_string(step));
}

std::string outcome_of(const Error& error) {
  return error.limit.empty() ? std::string(to_string(error.code)) : error.limit;
}

// What runs in the child.
class Child {
 public:
  Child(const Case& one, const TokenizerInfo& tokenizer, const Limits& limits, unsigned seconds, int out,
        std::map<std::string, std::uint64_t> left_out)
      : one_(one),
        compiler_(tokenizer, without_cache(limits)),
        seconds_(seconds),
        out_(fdopen(out, "w")),
        left_out_(std::move(left_out)) {}

  void run(std::uint64_t size) {
    size_ = size;
    std::string grammar = tests::expand(one_.grammar, size);
    Case sized = one_;
    for (auto& [name, value] : sized.options) value = tests::expand(value, size);
    std::string text = tests::expand(one_.text, size, one_.sizes == "numbers" ? 5'000 : SIZE_MAX);
    before_ = allocated_bytes();
    std::optional<CompiledGrammar> compiled;
    bool has_grammar = true;
    if (one_.syntax == "tools") {
      measure("tag", [&] { return take(tag_of_tools(sized, compiler_.limits(), grammar), grammar, has_grammar); });
    }
    if (has_grammar) {
      measure("compile", [&] { return take(compile_case(sized, compiler_, grammar), compiled, has_grammar); });
    }
    if (compiled) run_matchers(*compiled, text);
    std::fprintf(out_, "B %llu held\nE %llu held 0 0 0 %zu 0 ok\n", static_cast<unsigned long long>(size_),
                 static_cast<unsigned long long>(size_), allocated_bytes() > before_ ? allocated_bytes() - before_ : 0);
  }

 private:
  static Limits without_cache(Limits limits) {
    limits.cache_memory = 0;
    return limits;
  }

  // Moves a result into `out`, and returns its outcome.
  template <typename T, typename Out>
  static std::string take(Result<T> result, Out& out, bool& is_good) {
    is_good = result.has_value();
    if (is_good) {
      out = *std::move(result);
      return "ok";
    }
    if (std::getenv("WEIR_GROWTH_SHOW") != nullptr) std::fprintf(stderr, "%s\n", result.error().message.c_str());
    return outcome_of(result.error());
  }

  // Calls `call`, which returns an outcome, and writes what it took.
  // `given` is the length of a text that is given to it.
  template <typename Call>
  void measure(const char* name, Call call, std::size_t given = 0) {
    const auto left_out = left_out_.find(name);
    if (left_out != left_out_.end() && size_ >= left_out->second) return;
    { const base::Work::Call none(0); }  // calls that count nothing leave 0 behind
    std::fprintf(out_, "B %llu %s\n", static_cast<unsigned long long>(size_), name);
    std::fflush(out_);
    const rlimit deadline{cpu_micros() / 1'000'000 + seconds_ + 1, RLIM_INFINITY};
    setrlimit(RLIMIT_CPU, &deadline);
    reset_peak();
    const std::size_t held = allocated_bytes();
    const std::uint64_t begin = cpu_micros();
    std::string outcome;
    try {
      outcome = call();
    } catch (const std::bad_alloc&) {
      std::fflush(out_);
      _exit(kNoMemory);
    }
    const std::uint64_t took = cpu_micros() - begin;
    const std::size_t bytes = peak_bytes() - held;
    std::fprintf(out_, "E %llu %s %llu %llu %llu %zu %zu %s\n", static_cast<unsigned long long>(size_), name,
                 static_cast<unsigned long long>(base::Work::last_call()),
                 static_cast<unsigned long long>(base::Work::last_call_restored()), static_cast<unsigned long long>(took),
                 bytes, given, outcome.empty() ? "ok" : outcome.c_str());
  }

  std::string mask(GrammarMatcher& matcher) { return outcome_of(matcher.fill_next_token_bitmask(bitmask_), matcher); }

  void run_matchers(const CompiledGrammar& compiled, std::string& text) {
    bitmask_.resize(bitmask_words(compiled.tokenizer_info().vocab_size()));
    std::optional<GrammarMatcher> matcher;
    measure("matcher", [&] {
      matcher.emplace(compiled);
      return "ok";
    });
    bool is_going = true;
    measure("first_mask", [&] {
      const std::string outcome = mask(*matcher);
      is_going = outcome == "ok";
      return outcome;
    });
    questions(*matcher, text.empty() ? &text : nullptr);
    budget(compiled);
    walk(*matcher, text);
    measure("end_mask", [&] { return mask(*matcher); });
    questions(*matcher, nullptr);
    measure("captures", [&] {
      (void)matcher->captures();
      return limit_or_ok(*matcher);
    });
    measure("fork", [&] {
      GrammarMatcher fork = matcher->fork();
      return mask(fork);
    });
    measure("rollback", [&] { return outcome_of(matcher->rollback(matcher->step_count()), *matcher); });
    measure("again", [&] { return outcome_of(matcher->accept_bytes(text_taken_), *matcher); }, text_taken_.size());
    canonical(compiled, text);
  }

  static std::string limit_or_ok(const GrammarMatcher& matcher) {
    const std::string message = matcher.limit_message();
    return message.empty() ? "ok" : limit_in(message);
  }

  // Calls that are about one place. Stores the completion, if asked for.
  void questions(GrammarMatcher& matcher, std::string* completion) {
    measure("completion", [&]() -> std::string {
      const auto found = matcher.shortest_completion();
      if (!found) return limit_or_ok(matcher) == "ok" ? "none" : limit_or_ok(matcher);
      if (completion != nullptr) *completion = *found;
      return "ok";
    });
    measure("jump", [&] {
      (void)matcher.find_jump_forward_string();
      return limit_or_ok(matcher);
    });
    measure("jump_tokens", [&] {
      (void)matcher.forced_tokens();
      return limit_or_ok(matcher);
    });
    measure("expected", [&] {
      (void)matcher.expected();
      return limit_or_ok(matcher);
    });
    measure("temperature", [&] {
      (void)matcher.temperature();
      return limit_or_ok(matcher);
    });
  }

  void budget(const CompiledGrammar& compiled) {
    for (const std::uint32_t tokens : {kBudget, static_cast<std::uint32_t>(std::min<std::uint64_t>(size_, 1U << 30U))}) {
      std::optional<GrammarMatcher> matcher;
      MatcherOptions options;
      options.max_tokens = tokens;
      measure("budget", [&]() -> std::string {
        Result<GrammarMatcher> made = GrammarMatcher::create(compiled, options);
        if (!made) return outcome_of(made.error());
        matcher.emplace(*std::move(made));
        return "ok";
      });
      if (!matcher) continue;
      measure("budget_mask", [&] { return mask(*matcher); });
      for (int i = 0; i < 3; ++i) {
        const std::size_t token = first_token();  // of a mask that met a limit, none
        if (token == SIZE_MAX) break;
        measure("budget_step", [&] { return outcome_of(matcher->accept_token(static_cast<std::uint32_t>(token)), *matcher); });
        measure("budget_mask", [&] { return mask(*matcher); });
      }
    }
  }

  // Returns the first token of the mask that is no stop token.
  [[nodiscard]] std::size_t first_token() const {
    for (std::size_t t = 0; t < compiler_.tokenizer_info().vocab_size(); ++t) {
      if (!bitmask_get(bitmask_, static_cast<std::uint32_t>(t))) continue;
      const auto stops = compiler_.tokenizer_info().stop_token_ids();
      if (std::ranges::find(stops, static_cast<std::uint32_t>(t)) == stops.end()) return t;
    }
    return SIZE_MAX;
  }

  // Writes the text: its first places token by token with masks, then pieces, then its last places with masks.
  void walk(GrammarMatcher& matcher, const std::string& text) {
    text_taken_.clear();
    std::size_t viable = 0;
    measure("prefix", [&] {
      viable = matcher.longest_viable_prefix(text);
      return limit_or_ok(matcher);
    }, text.size());
    if (std::getenv("WEIR_GROWTH_SHOW") != nullptr) {
      std::fprintf(stderr, "%llu: %zu of %zu bytes are viable: %s\n", static_cast<unsigned long long>(size_), viable,
                   text.size(), text.substr(0, 60).c_str());
    }
    const std::string_view good = std::string_view(text).substr(0, viable);
    const std::size_t first = std::min(good.size(), kPlaces * 4);
    const std::size_t last = std::max(first, good.size() - std::min(good.size(), kPlaces * 4));
    if (!step_by_step(matcher, good.substr(0, first))) return;
    for (std::size_t at = first; at < last; at += kPiece) {
      const std::string_view piece = good.substr(at, std::min(kPiece, last - at));
      bool is_taken = false;
      measure("piece", [&] {
        const Step step = matcher.accept_bytes(piece);
        is_taken = step == Step::kOk;
        return outcome_of(step, matcher);
      }, piece.size());
      if (!is_taken) return;
      text_taken_ += piece;
      if (at % (64 * kPiece) == first) measure("mask", [&] { return mask(matcher); });
    }
    (void)step_by_step(matcher, good.substr(last));
  }

  bool step_by_step(GrammarMatcher& matcher, std::string_view text) {
    const auto tokens = compiler_.tokenizer_info().tokenize(text);
    if (!tokens) return false;
    for (const std::uint32_t token : *tokens) {
      bool is_taken = false;
      measure("mask", [&] { return mask(matcher); });
      measure("step", [&] {
        const Step step = matcher.accept_token(token);
        is_taken = step == Step::kOk;
        return outcome_of(step, matcher);
      });
      if (!is_taken) return false;
    }
    text_taken_ += text;
    return true;
  }

  void canonical(const CompiledGrammar& compiled, std::string_view text) {
    MatcherOptions options;
    options.tokenization = Tokenization::kCanonical;
    std::optional<GrammarMatcher> matcher;
    measure("canonical", [&]() -> std::string {
      Result<GrammarMatcher> made = GrammarMatcher::create(compiled, options);
      if (!made) return outcome_of(made.error());
      matcher.emplace(*std::move(made));
      return mask(*matcher);
    });
    if (!matcher) return;
    const auto tokens = compiler_.tokenizer_info().tokenize(text.substr(0, kPlaces * 4));
    if (!tokens) return;
    for (const std::uint32_t token : *tokens) {
      bool is_taken = false;
      measure("canonical_step", [&] {
        const Step step = matcher->accept_token(token);
        is_taken = step == Step::kOk;
        return outcome_of(step, *matcher);
      });
      if (!is_taken) return;
      measure("canonical_mask", [&] { return mask(*matcher); });
    }
  }

  const Case& one_;
  GrammarCompiler compiler_;
  unsigned seconds_;
  FILE* out_;
  std::map<std::string, std::uint64_t> left_out_;
  std::uint64_t size_ = 0;
  std::size_t before_ = 0;
  std::vector<std::uint32_t> bitmask_;
  std::string text_taken_;
};

// Adds a call to the figures of its name and size.
void add(Probed& probed, const Measured& one) {
  const auto same = std::ranges::find_if(
      probed.calls, [&](const Measured& m) { return m.size == one.size && m.call == one.call; });
  if (same == probed.calls.end()) {
    probed.calls.push_back(one);
    return;
  }
  same->calls += 1;
  same->work = std::max(same->work, one.work);
  same->total += one.total;
  same->micros = std::max(same->micros, one.micros);
  same->blind = std::max(same->blind, one.blind);
  same->bytes = std::max(same->bytes, one.bytes);
  same->given = std::max(same->given, one.given);
  if (same->outcome == "ok") same->outcome = one.outcome;
}

void read_line(Probed& probed, const std::string& line) {
  std::istringstream words(line);
  std::string kind;
  std::uint64_t size = 0;
  std::string call;
  words >> kind >> size >> call;
  probed.at_size = size;
  probed.at_call = call;
  if (kind != "E") return;
  probed.at_call.clear();
  Measured one;
  one.size = size;
  one.call = call;
  one.calls = 1;
  std::uint64_t restored = 0;
  words >> one.work >> restored >> one.micros >> one.bytes >> one.given >> one.outcome;
  one.total = one.work;
  one.blind = one.micros > one.work / 2 ? one.micros - one.work / 2 : 0;
  // Which call makes states again that were dropped for memory depends on which comes first after that, and what it may
  // take for that on the text so far, whose steps are judged where it is read: docs/limits.md, One call.
  one.work -= restored;
  add(probed, one);
}

}  // namespace

namespace {

// Runs the sizes in one child, until it ends. Returns how it died, or nothing.
std::string run_child(const Case& one, const std::vector<std::uint64_t>& sizes, const TokenizerInfo& tokenizer,
                      const Limits& limits, unsigned seconds,
                      const std::map<std::string, std::uint64_t>& left_out, Probed& probed) {
  int ends[2];
  std::fflush(nullptr);
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    refuse_beyond(kMostMemory);
    Child running(one, tokenizer, limits, seconds, ends[1], left_out);
    for (const std::uint64_t size : sizes) running.run(size);
    std::fflush(nullptr);
    _exit(0);
  }
  close(ends[1]);
  std::string pending;
  std::string buffer(1U << 16U, '\0');
  for (ssize_t got = 0; (got = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    pending.append(buffer, 0, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = pending.find('\n', begin)) != std::string::npos; begin = end + 1) {
      read_line(probed, pending.substr(begin, end - begin));
    }
    pending.erase(0, begin);
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    return WTERMSIG(status) == SIGXCPU ? "deadline" : "signal " + std::to_string(WTERMSIG(status));
  }
  if (WEXITSTATUS(status) == kNoMemory) return "memory";
  return WEXITSTATUS(status) == 0 ? "" : "exit " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Probed probe(const Case& one, const std::vector<std::uint64_t>& sizes, const TokenizerInfo& tokenizer,
             const Limits& limits, unsigned seconds) {
  Probed probed;
  std::map<std::string, std::uint64_t> without;  // calls that died, by name, from a size on
  std::vector<std::uint64_t> rest = sizes;
  while (!rest.empty()) {
    const std::string died = run_child(one, rest, tokenizer, limits, seconds, without, probed);
    if (died.empty()) break;
    probed.deaths.push_back({died, probed.at_size, probed.at_call});
    if (probed.at_call.empty() || probed.at_call == "compile" || probed.at_call == "tag") break;
    without[probed.at_call] = probed.at_size;
    std::erase_if(rest, [&](std::uint64_t size) { return size < probed.at_size; });
    std::erase_if(probed.calls, [&](const Measured& m) { return m.size >= probed.at_size; });
  }
  return probed;
}

}  // namespace weir::growth
