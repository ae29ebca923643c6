// The growth suite: every keyword, format, option and operator at growing sizes. cases.h says what a case is, judge.cc
// what a call may take, known.toml which faults are known.
//
// The small run, in CI: some sizes, under the limits of a public server. Steps and memory are counted, and so the same
// on every machine. Processor time is not, so only a call that does not end by its deadline is a fault of time there, and
// the sizes at which one is known are left out. To take less than a minute, it tries half of the cases with two sizes.
//
// WEIR_GROWTH=whole (`make growth`): all sizes, both sets of limits, more combinations, every fault. WEIR_GROWTH_CASE
// is the beginning of the names of the only cases to run, of which all figures are printed, and WEIR_GROWTH_LIMITS the
// only limits. WEIR_GROWTH_SEED draws other combinations. WEIR_GROWTH_UPDATE=1 records the faults in known.toml.
// WEIR_GROWTH_SHOW=1 prints errors, and the text that is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/json_schema/formats/formats.h"
#include "frontend/json_schema/source/keywords.h"
#include "growth/cases.h"
#include "growth/compile_case.h"
#include "growth/judge.h"
#include "growth/known.h"
#include "growth/probe.h"
#include "recipe.h"
#include "shared_data.h"
#include "weir/weir.h"

namespace weir::growth {
namespace {

constexpr unsigned kDeadlineSeconds = 1;  // and up to one more, because limits of processor time are whole seconds
constexpr unsigned kDeadlineSecondsOfGate = 3;  // more, because other tests run at the same time
constexpr std::size_t kRunsOfUpdate = 20;       // known.toml is written again after so many
constexpr std::size_t kCombinations = 20;
constexpr std::size_t kCombinationsOfWhole = 600;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string read_file(const std::string& path) {
  std::ifstream in(tests::repository() + "/" + path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Returns the limits that docs/limits.md recommends for a public server.
Limits public_limits() {
  const std::string page = read_file("docs/limits.md");
  const std::size_t begin = page.find("limits = weir.Limits(\n");
  EXPECT_NE(begin, std::string::npos);
  const std::string list = page.substr(begin, page.find("```", begin) - begin);
  Limits limits;
  std::size_t found = 0;
  for_each_member<Limits>([&](const char* name, auto member, const char*) {
    const std::string assignment = std::string(name) + "=";
    const std::size_t at = list.find(assignment);
    if (at == std::string::npos) return;
    ++found;
    std::string digits;
    std::size_t i = at + assignment.size();
    for (; i < list.size() && (std::isdigit(static_cast<unsigned char>(list[i])) != 0 || list[i] == '_'); ++i) {
      if (list[i] != '_') digits += list[i];
    }
    std::size_t value = std::stoull(digits);
    if (list.substr(i, 4) == " << ") value <<= std::stoull(list.substr(i + 4));
    limits.*member = static_cast<std::remove_reference_t<decltype(limits.*member)>>(value);
  });
  EXPECT_GE(found, 15U);
  return limits;
}

TEST(GrowthRecipes, AreExpanded) {
  using tests::expand;
  EXPECT_EQ(expand("a<<n;,;p$i>>b", 3), "ap0,p1,p2b");
  EXPECT_EQ(expand("<<n;;(>>$n<<n;;)>>", 2), "((2))");
  EXPECT_EQ(expand("<<n;|;<<2;;y>>$c>>", 2), "yya|yyb");
  EXPECT_EQ(expand("<<n/10;$l;x>>", 20), "x\nx");
  EXPECT_EQ(expand("a<<b", 1), "a<<b");
  EXPECT_EQ(expand("<<n;;x>>", 1'000, 5), "xxxxx");
  std::set<std::string> words;
  std::istringstream list(expand("<<n; ;$h>>", 10'000));
  for (std::string word; list >> word;) words.insert(word);
  EXPECT_EQ(words.size(), 10'000U);
}

bool has_text(const std::vector<Case>& cases, std::string_view syntax, const std::string& text) {
  return std::ranges::any_of(
      cases, [&](const Case& one) { return one.syntax == syntax && one.grammar.find(text) != std::string::npos; });
}

TEST(GrowthCases, CoverKeywordsFormatsAndOptions) {
  using namespace frontend::json_schema;
  const std::vector<Case> cases = read_cases();
  for (std::size_t i = 0; i < kKeywordCount; ++i) {
    for (const Dialect dialect : {Dialect::kDraft4, Dialect::k2020_12}) {
      const std::string name(keyword_info(static_cast<Keyword>(i), dialect).name);
      EXPECT_TRUE(has_text(cases, "json_schema", '"' + name + '"')) << "no case has the keyword " << name;
    }
  }
  for (const std::string_view format : known_formats()) {
    EXPECT_TRUE(has_text(cases, "json_schema", R"("format":")" + std::string(format) + '"')) << format;
  }
  std::set<std::string> options;
  std::set<std::string> used;
  for (const Case& one : cases) {
    used.insert(one.syntax);
    for (const auto& [name, value] : one.options) options.insert(name);
  }
  ASSERT_FALSE(schema_option_names().empty());
  for (const std::string_view name : schema_option_names()) {
    EXPECT_TRUE(options.contains(std::string(name))) << "no case has the option " << name;
  }
  for (const std::string_view name : syntaxes()) EXPECT_TRUE(used.contains(std::string(name))) << name;
  for (int i = 0; !to_string(static_cast<GrammarSyntax>(i)).empty(); ++i) {
    EXPECT_TRUE(used.contains(std::string(to_string(static_cast<GrammarSyntax>(i)))));
  }
}

// The tables of formats and styles are private to their files, so their texts are read.
std::vector<std::string> names_in_table(const std::string& path, const std::string& member) {
  const std::string text = read_file(path);
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = text.find("\", " + member, at)) != std::string::npos; ++at) {
    const std::size_t begin = text.rfind('"', at - 1);
    names.push_back(text.substr(begin + 1, at - begin - 1));
  }
  return names;
}

TEST(GrowthCases, CoverFormatsOfTagsAndTypesOfResponseFormats) {
  const std::vector<Case> cases = read_cases();
  const auto formats = names_in_table("src/frontend/structural_tag/formats.cc", "&FormatReader::");
  EXPECT_GE(formats.size(), 20U);
  for (const std::string& name : formats) {
    EXPECT_TRUE(has_text(cases, "structural_tag", R"("type":")" + name + '"')) << "no case has the format " << name;
  }
  const auto types = names_in_table("src/frontend/structural_tag/response_format.cc", "&ResponseFormat::");
  EXPECT_GE(types.size(), 6U);
  for (const std::string& name : types) {
    EXPECT_TRUE(has_text(cases, "response_format", R"("type":")" + name + '"')) << "no case has the type " << name;
  }
}

TEST(GrowthCases, SayWhyTheyGrow) {
  for (const Case& one : read_cases()) {
    const bool grows = one.growth == "quadratic" || (one.growth == "linear" && one.sizes == "numbers");
    EXPECT_TRUE(!grows || !one.why.empty()) << one.name;
    EXPECT_TRUE(one.growth == "constant" || one.growth == "linear" || one.growth == "quadratic") << one.name;
    EXPECT_TRUE(one.sizes == "numbers" || one.sizes == "lists" || one.sizes == "depths") << one.name;
  }
}

TEST(GrowthCases, KnownFaultsHaveACause) {
  for (const std::string& cause : Known().causes()) EXPECT_FALSE(cause.empty()) << "known.toml: a group without `why`";
}

// The gate tries every second case, by a hash of its name, with two sizes: lists and depths of 10 and 100, numbers of 10
// and 10^9. `make growth` tries the others.
bool has_two_sizes(const std::string& name) {
  std::uint32_t hash = 2'166'136'261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619U;
  return (hash >> 16U & 1U) != 0;
}

// What a run is for: to pass or fail in CI, or to show and record faults.
enum class Aim : std::uint8_t { kGate, kFigures };

class Suite {
 public:
  Suite(bool is_whole, Aim aim) : is_whole_(is_whole), is_gate_(aim == Aim::kGate), public_(public_limits()) {}

  void run(const Case& one, const std::string& limits_name) {
    const Limits limits = limits_name == "public" ? public_ : Limits();
    std::vector<std::uint64_t> sizes = sizes_of(one, is_whole_);
    bool has_fewer_sizes = false;
    if (is_gate_) {
      has_fewer_sizes = has_two_sizes(one.name) && sizes.size() > 2;
      if (has_fewer_sizes) sizes = {sizes[0], one.sizes == "numbers" ? sizes.back() : sizes[1]};
      const std::uint64_t slow = known_.first_slow(one, limits_name);
      std::erase_if(sizes, [&](std::uint64_t size) { return size >= slow; });
    }
    if (sizes.empty()) return;
    const unsigned seconds = is_gate_ ? kDeadlineSecondsOfGate : kDeadlineSeconds;
    const auto faults_now = [&](const Probed& probed) {
      std::vector<Fault> faults = judge(one, limits_name, limits, probed);
      if (is_gate_) std::erase_if(faults, [](const Fault& f) { return is_time(f.kind) && f.kind != "died"; });
      return faults;
    };
    const Probed probed = probe(one, sizes, tokenizer_, limits, seconds);
    std::vector<Fault> faults = faults_now(probed);
    // Times are only faults if they are seen again.
    for (int i = 0; i < 2 && has_new_time(faults); ++i) {
      const std::vector<Fault> others = faults_now(probe(one, sizes, tokenizer_, limits, seconds));
      std::erase_if(faults, [&](const Fault& fault) { return is_time(fault.kind) && !has_key(others, fault.key()); });
    }
    if (++runs_ % kRunsOfUpdate == 0) update();
    print(one, limits_name, probed, faults);
    for (const Fault& fault : faults) {
      if (!known_.contains(fault)) unknown_.push_back(fault);
    }
    // Growth is seen between two sizes. A known fault must be far from gone: otherwise a faster machine would report it.
    if (has_fewer_sizes) return;
    const std::vector<Fault> near = judge(one, limits_name, limits, probed, 0.25);
    for (const std::string& key : known_.gone(one, limits_name, sizes, near)) gone_.push_back(key);
  }

  // Records the faults that were found so far, if asked to.
  bool update() const {
    if (environment("WEIR_GROWTH_UPDATE").empty()) return false;
    known_.rewrite(gone_, unknown_);
    return true;
  }

  void report() const {
    std::printf("%zu runs, %zu known faults, %zu new, %zu gone\n", runs_, known_.size(), unknown_.size(), gone_.size());
    if (update()) return;
    for (const Fault& fault : unknown_) {
      ADD_FAILURE() << fault.key() << " at " << fault.size << ": " << fault.figure;
    }
    for (const std::string& key : gone_) {
      if (is_gate_ && is_time(key.substr(key.rfind(' ') + 1))) continue;
      ADD_FAILURE() << key << ": is known, but has gone. Remove it from known.toml";
    }
  }

 private:
  static bool has_key(const std::vector<Fault>& faults, const std::string& key) {
    return std::ranges::any_of(faults, [&](const Fault& fault) { return fault.key() == key; });
  }
  [[nodiscard]] bool has_new_time(const std::vector<Fault>& faults) const {
    return std::ranges::any_of(faults, [&](const Fault& f) { return is_time(f.kind) && !known_.contains(f); });
  }

  void print(const Case& one, const std::string& limits, const Probed& probed, const std::vector<Fault>& faults) const {
    if (!environment("WEIR_GROWTH_CASE").empty()) {
      for (const Measured& m : probed.calls) {
        std::printf("%10llu %-14s %5llu calls %9llu steps %9llu us %8llu KiB %s\n",
                    static_cast<unsigned long long>(m.size), m.call.c_str(), static_cast<unsigned long long>(m.calls),
                    static_cast<unsigned long long>(m.work), static_cast<unsigned long long>(m.micros),
                    static_cast<unsigned long long>(m.bytes >> 10U), m.outcome.c_str());
      }
    }
    if (!is_gate_) {
      std::printf("%-8s %-60s %s\n", limits.c_str(), one.name.c_str(), faults.empty() ? "ok" : "");
    }
    for (const Fault& fault : faults) {
      if (known_.contains(fault) && is_gate_) continue;
      std::printf("  %s at %llu: %s%s\n", fault.key().c_str(), static_cast<unsigned long long>(fault.size),
                  fault.figure.c_str(), known_.contains(fault) ? " (known)" : "");
    }
    std::fflush(stdout);
  }

  bool is_whole_;
  bool is_gate_;
  Limits public_;
  TokenizerInfo tokenizer_ = TokenizerInfo::builtin();
  Known known_;
  std::size_t runs_ = 0;
  std::vector<Fault> unknown_;
  std::vector<std::string> gone_;
};

// The small run has one style of tool calls of each form of arguments.
bool is_in_small_run(const Case& one) {
  if (one.syntax != "tools") return true;
  return one.style == "hermes" || one.style == "qwen_coder" || one.style == "cohere_xml" || one.style == "gemma4";
}

TEST(Growth, IsAsPromised) {
  const std::string only = environment("WEIR_GROWTH_CASE");
  const std::string only_limits = environment("WEIR_GROWTH_LIMITS");
  const bool is_whole = environment("WEIR_GROWTH") == "whole";
  const std::string seed = environment("WEIR_GROWTH_SEED");
  std::vector<Case> cases = read_cases();
  EXPECT_GE(cases.size(), 700U);
  for (Case& one :
       combinations(cases, is_whole ? kCombinationsOfWhole : kCombinations, seed.empty() ? 1 : std::stoull(seed))) {
    cases.push_back(std::move(one));
  }
  const bool is_gate = !is_whole && only.empty() && environment("WEIR_GROWTH_UPDATE").empty();
  Suite suite(is_whole, is_gate ? Aim::kGate : Aim::kFigures);
  for (const Case& one : cases) {
    if (!one.name.starts_with(only)) continue;
    if (!is_whole && only.empty() && !is_in_small_run(one)) continue;
    for (const std::string limits : {"public", "default"}) {
      if (only_limits.empty() ? limits == "default" && !is_whole : only_limits != limits) continue;
      suite.run(one, limits);
    }
  }
  suite.report();
}

}  // namespace
}  // namespace weir::growth
