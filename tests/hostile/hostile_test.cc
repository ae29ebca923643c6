// Compiles each grammar of cases.toml and walks its text: every call answers, or names the limit that it met, within
// Limits::call_work and counted memory.
//
// What is measured is counted, so it is the same on every machine: record.txt has the outcome of each case and the
// steps of all its calls. A case that takes more steps fails. `WEIR_HOSTILE=update` in the environment records;
// `WEIR_HOSTILE=time` prints the slowest call of each case in milliseconds of CPU and the bytes that it keeps, with the
// default of call_work and, if WEIR_TOKENIZER names a file, with that tokenizer. WEIR_HOSTILE_CASE is the only case to run.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/build_call.h"
#include "base/work.h"
#include "recipe.h"
#include "shared_data.h"
#include "weir/weir.h"

namespace weir {
namespace {

const std::string kFolder = tests::repository() + "/tests/hostile/";

// A twentieth of the default, so that the whole corpus takes seconds.
constexpr std::uint64_t kWork = 100'000;
// One operation is counted but not interrupted: building the expression of a text of 20 MB.
constexpr std::uint64_t kOvershoot = 6'000'000;
constexpr std::size_t kMemory = std::size_t{256} << 20U;

std::string_view mode() {
  const char* set = std::getenv("WEIR_HOSTILE");
  return set == nullptr ? "" : set;
}

double cpu_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Result<CompiledGrammar> compile(const GrammarCompiler& compiler, std::string_view syntax, std::string_view grammar) {
  if (syntax == "regex") return compiler.compile_regex(grammar, {.operators = true});
  if (syntax == "ebnf") return compiler.compile_ebnf(grammar);
  if (syntax == "lark") return compiler.compile_text(grammar, {.syntax = GrammarSyntax::kLark});
  if (syntax == "json_schema") return compiler.compile_json_schema(grammar);
  return compiler.compile_structural_tag(grammar);
}

struct Walked {
  std::string outcome;
  std::uint64_t work = 0;   // steps of all calls
  std::uint64_t most = 0;   // steps of the largest call that is no compilation
  std::uint64_t built = 0;  // steps of compiling
  double slowest_ms = 0;    // CPU time of the slowest call
  std::size_t memory = 0;   // bytes that the grammar keeps
};

class Walk {
 public:
  explicit Walk(const GrammarCompiler& compiler) : compiler_(compiler) {}

  Walked run(std::string_view syntax, std::string_view grammar, std::string_view text) {
    Result<CompiledGrammar> compiled = tl::unexpected(Error{});
    measure([&] { compiled = compile(compiler_, syntax, grammar); });
    walked_.built = std::exchange(walked_.most, 0);
    if (!compiled) {
      const Error& error = compiled.error();
      EXPECT_NE(error.code, ErrorCode::kInternal) << error.message;
      EXPECT_EQ(error.code == ErrorCode::kLimitExceeded, !error.limit.empty()) << error.message;
      walked_.outcome = "compile:" + (error.limit.empty() ? std::string(to_string(error.code)) : error.limit);
      return walked_;
    }
    MatcherOptions within_budget;
    within_budget.max_tokens = 100;
    measure([&] { (void)GrammarMatcher::create(*compiled, within_budget); });
    GrammarMatcher matcher(*compiled);
    std::vector<std::uint32_t> bitmask(bitmask_words(compiled->tokenizer_info().vocab_size()));
    for (std::size_t i = 0;; ++i) {
      // Masks at first places, where most is new, and then from time to time.
      if ((i < 4 || i % 16 == 0 || i == text.size()) &&
          !step("mask", matcher, [&] { return matcher.fill_next_token_bitmask(bitmask); })) {
        break;
      }
      if (i == text.size()) {
        measure([&] { (void)matcher.find_jump_forward_string(); });
        measure([&] { (void)matcher.shortest_completion(); });
        walked_.outcome = "walked";
        break;
      }
      if (!step("accept", matcher, [&] { return matcher.accept_bytes(text.substr(i, 1)); })) break;
    }
    walked_.memory = compiled->stats().memory_bytes;
    return walked_;
  }

 private:
  template <typename Call>
  void measure(Call call) {
    const double before = cpu_ms();
    call();
    walked_.slowest_ms = std::max(walked_.slowest_ms, cpu_ms() - before);
    walked_.work += base::Work::last_call();
    walked_.most = std::max(walked_.most, base::Work::last_call());
  }

  // Returns true if the step was taken. A limit is named, and the matcher is as before.
  template <typename Call>
  bool step(const char* name, GrammarMatcher& matcher, Call call) {
    const std::size_t steps = matcher.step_count();
    Step taken = Step::kOk;
    measure([&] { taken = call(); });
    if (taken == Step::kOk) return true;
    EXPECT_EQ(matcher.step_count(), steps);
    walked_.outcome = std::string(name) + ":" + std::string(to_string(taken));
    if (taken != Step::kLimitExceeded) return false;
    const std::string message = matcher.limit_message();
    const std::size_t begin = message.find('`');
    EXPECT_NE(begin, std::string::npos) << "a limit without a name";
    walked_.outcome = std::string(name) + ":" + message.substr(begin + 1, message.find('`', begin + 1) - begin - 1);
    return false;
  }

  const GrammarCompiler& compiler_;
  Walked walked_;
};

TokenizerInfo tokenizer() {
  const char* path = std::getenv("WEIR_TOKENIZER");
  return path == nullptr ? TokenizerInfo::builtin() : *TokenizerInfo::from_file(path);
}

struct Recorded {
  std::string outcome;
  std::uint64_t work = 0;
};

std::map<std::string, Recorded> read_record() {
  std::map<std::string, Recorded> record;
  std::ifstream in(kFolder + "record.txt");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    Recorded recorded;
    if (words >> name >> recorded.outcome >> recorded.work) record[name] = recorded;
  }
  return record;
}

TEST(Hostile, IsAnsweredOrRefusedByName) {
  const toml::table kinds = toml::parse_file(kFolder + "cases.toml");
  Limits limits;
  if (mode() != "time") limits.call_work = kWork;
  limits.cache_memory = 0;
  const GrammarCompiler compiler(tokenizer(), limits);
  const std::map<std::string, Recorded> record = read_record();
  std::ostringstream lines;
  std::size_t cases = 0;
  for (const auto& [kind, table] : kinds) {
    const std::string syntax = table.as_table()->at("syntax").value_or(std::string());
    for (const auto& [key, value] : *table.as_table()) {
      if (key.str() == "syntax") continue;
      std::string name = std::string(kind.str()) + "/" + std::string(key.str());
      std::replace(name.begin(), name.end(), ' ', '-');
      if (const char* only = std::getenv("WEIR_HOSTILE_CASE"); only != nullptr && name != only) continue;
      SCOPED_TRACE(name);
      const toml::array& parts = *value.as_array();
      const std::string grammar = tests::expand(parts.at(0).value_or(std::string()));
      const std::string text = tests::expand(parts.at(1).value_or(std::string()));
      const Walked walked = Walk(compiler).run(syntax, grammar, text);
      ++cases;
      EXPECT_LE(walked.built, base::kBuildFactor * limits.call_work + kOvershoot);
      EXPECT_LE(walked.most, limits.call_work + kOvershoot);
      EXPECT_LE(walked.memory, kMemory);
      if (mode() == "time") {
        std::printf("%8.1f ms %10zu bytes %9llu built %9llu most  %s %s\n", walked.slowest_ms, walked.memory,
                    static_cast<unsigned long long>(walked.built), static_cast<unsigned long long>(walked.most),
                    name.c_str(), walked.outcome.c_str());
        std::fflush(stdout);
      } else if (mode() == "update") {
        lines << name << " " << walked.outcome << " " << walked.work << "\n";
      } else if (const auto known = record.find(name); known == record.end()) {
        ADD_FAILURE() << "record.txt does not have it; run with WEIR_HOSTILE=update";
      } else {
        EXPECT_EQ(walked.outcome, known->second.outcome);
        EXPECT_LE(walked.work, known->second.work + known->second.work / 10 + 1'000);
      }
    }
  }
  if (std::getenv("WEIR_HOSTILE_CASE") != nullptr) return;
  EXPECT_GE(cases, 150U);
  if (mode() == "update") std::ofstream(kFolder + "record.txt") << lines.str();
}

}  // namespace
}  // namespace weir
