// Measures expressions: building them, cold and warm derivatives, deciding emptiness.
//
// Counters are deterministic and can be compared between versions: `nodes` is the number of expressions made,
// `residuals` the number of distinct residuals reached, `bytes` the memory of the set.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "regex/analysis/members.h"
#include "regex/expr/expr.h"
#include "regex/syntax/assertions.h"

namespace weir::regex {
namespace {

constexpr std::uint32_t kNodes = 16'000'000;

void count(benchmark::State& state, const ExprSet& s) {
  state.counters["nodes"] = static_cast<double>(s.node_count());
  state.counters["bytes"] = static_cast<double>(s.memory_bytes());
}

ExprId range(ExprSet& s, char first, char last) {
  return s.byte_set(ByteSet::range(static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(last)));
}

/// Returns one character of a JSON string: an escape, or any UTF-8 but quote, backslash and control characters.
ExprId json_char(ExprSet& s) {
  const auto bytes = [&](std::uint8_t first, std::uint8_t last) { return s.byte_set(ByteSet::range(first, last)); };
  ByteSet plain = ByteSet::range(0x20, 0x7F);
  plain &= ~(ByteSet::of('"') | ByteSet::of('\\'));
  const ExprId more = bytes(0x80, 0xBF);
  const ExprId hex = s.alternation(range(s, '0', '9'), s.alternation(range(s, 'a', 'f'), range(s, 'A', 'F')));
  ByteSet short_escapes;
  for (char c : std::string("\"\\/bfnrt")) short_escapes.add(static_cast<std::uint8_t>(c));
  const ExprId unicode = s.concat(s.literal("u"), s.repeat(hex, 4, 4));
  const ExprId options[] = {
      s.byte_set(plain),
      s.concat(bytes(0xC2, 0xDF), more),
      s.concat(bytes(0xE0, 0xEF), s.repeat(more, 2, 2)),
      s.concat(bytes(0xF0, 0xF4), s.repeat(more, 3, 3)),
      s.concat(s.literal("\\"), s.alternation(s.byte_set(short_escapes), unicode)),
  };
  return s.alternation(options);
}

ExprId json_string(ExprSet& s, std::uint32_t max) {
  const ExprId parts[] = {s.literal("\""), s.repeat(json_char(s), 0, max), s.literal("\"")};
  return s.concat(parts);
}

std::vector<std::string> words(std::size_t n) {
  std::vector<std::string> result;
  std::uint64_t x = 1;
  while (result.size() < n) {
    std::string word;
    for (std::size_t length = 4 + result.size() % 9; word.size() < length;) {
      x = x * 6364136223846793005U + 1442695040888963407U;
      const std::uint64_t a = (x >> 33) % 26, b = (x >> 45) % 26;  // early letters are more frequent
      word += static_cast<char>('a' + a * b / 26);
    }
    result.push_back(std::move(word));
  }
  return result;
}

ExprId any_of(ExprSet& s, const std::vector<std::string>& texts, const std::string& quote = "") {
  std::vector<ExprId> ids;
  ids.reserve(texts.size());
  for (const std::string& text : texts) ids.push_back(s.literal(quote + text + quote));
  return s.alternation(ids);
}

std::size_t explore(ExprSet& s, ExprId e, std::size_t most) {
  ByteClasses classes;
  s.refine_classes(e, classes);
  std::vector<ExprId> found{e};
  std::unordered_set<std::uint32_t> seen{static_cast<std::uint32_t>(e)};
  for (std::size_t i = 0; i < found.size() && found.size() < most; ++i) {
    for (std::uint32_t cls = 0; cls < classes.count(); ++cls) {
      const ExprId d = s.derivative(found[i], classes.representative(static_cast<std::uint8_t>(cls)));
      if (seen.insert(static_cast<std::uint32_t>(d)).second) found.push_back(d);
    }
  }
  return found.size();
}

// --- Building ---

void BM_BuildJsonString(benchmark::State& state) {
  for (auto _ : state) {
    ExprSet s(kNodes);
    benchmark::DoNotOptimize(json_string(s, kUnbounded));
  }
  ExprSet s(kNodes);
  json_string(s, kUnbounded);
  count(state, s);
}
BENCHMARK(BM_BuildJsonString);

void BM_BuildLiteral(benchmark::State& state) {
  std::string text;
  for (int i = 0; i < state.range(0); ++i) text += static_cast<char>('a' + i % 23);
  for (auto _ : state) {
    ExprSet s(kNodes);
    benchmark::DoNotOptimize(s.literal(text));
    if (s.node_count() <= text.size()) state.SkipWithError("overflow");
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_BuildLiteral)->Arg(100)->Arg(1 << 20)->Unit(benchmark::kMicrosecond);

void BM_BuildWords(benchmark::State& state) {
  const std::vector<std::string> texts = words(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    ExprSet s(kNodes);
    benchmark::DoNotOptimize(any_of(s, texts));
  }
  ExprSet s(kNodes);
  any_of(s, texts);
  count(state, s);
}
BENCHMARK(BM_BuildWords)->Arg(100)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

/// Adds the same words one by one.
void BM_AddWords(benchmark::State& state) {
  const std::vector<std::string> texts = words(static_cast<std::size_t>(state.range(0)));
  std::size_t nodes = 0;
  for (auto _ : state) {
    ExprSet s(kNodes);
    ExprId e = ExprId::kNothing;
    for (const std::string& text : texts) e = s.alternation(e, s.literal(text));
    nodes = s.node_count();
  }
  state.counters["nodes"] = static_cast<double>(nodes);
}
BENCHMARK(BM_AddWords)->Arg(1000)->Unit(benchmark::kMillisecond);

// --- Deriving ---

void BM_DeriveKnown(benchmark::State& state) {
  ExprSet s(kNodes);
  const ExprId e = json_string(s, kUnbounded);
  std::string text = "\"";
  for (int i = 0; i < 1000; ++i) text += "plain text, \\n \\u00e9 and \xC3\xA9; ";
  text += '"';
  for (auto _ : state) benchmark::DoNotOptimize(s.matches(e, text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(BM_DeriveKnown);

/// Explores all residuals of the expression that `Build` makes, each time in a new set.
template <ExprId (*Build)(ExprSet&)>
void BM_Explore(benchmark::State& state) {
  std::size_t residuals = 0;
  for (auto _ : state) {
    ExprSet s(kNodes);
    residuals = explore(s, Build(s), 100'000);
  }
  ExprSet s(kNodes);
  explore(s, Build(s), 100'000);
  count(state, s);
  state.counters["residuals"] = static_cast<double>(residuals);
  state.counters["time_per_residual"] = benchmark::Counter(
      static_cast<double>(residuals), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
ExprId any_string(ExprSet& s) { return json_string(s, kUnbounded); }
ExprId bounded_string(ExprSet& s) { return json_string(s, 2000); }
ExprId window(ExprSet& s) {  // [^]*a[^]{0,50}b
  const ExprId parts[] = {ExprId::kAllStrings, s.literal("a"), s.repeat(s.byte_set(ByteSet::all()), 0, 50),
                          s.literal("b")};
  return s.concat(parts);
}
ExprId ambiguous_count(ExprSet& s) {  // (a|ab|abc){0,500}d
  const ExprId body[] = {s.literal("a"), s.literal("ab"), s.literal("abc")};
  return s.concat(s.repeat(s.alternation(body), 0, 500), s.literal("d"));
}
ExprId excluded_keys(ExprSet& s) { return s.difference(json_string(s, kUnbounded), any_of(s, words(1000), "\"")); }
ExprId two_constraints(ExprSet& s) {  // identifiers with dashes of 3 to 40 bytes
  const ExprId word = s.repeat(range(s, 'a', 'z'), 1, kUnbounded);
  const ExprId name = s.concat(word, s.repeat(s.concat(s.literal("-"), word), 0, kUnbounded));
  return s.intersection(name, s.repeat(s.byte_set(ByteSet::all()), 3, 40));
}
ExprId word_boundaries(ExprSet& s) {  // (\bfoo\b ?)+
  const ExprId w = range(s, 'a', 'z');
  const ExprId boundary = s.alternation(s.concat(s.assertion(Look::kBehind, w), s.assertion(Look::kNotAhead, w)),
                                        s.concat(s.assertion(Look::kNotBehind, w), s.assertion(Look::kAhead, w)));
  const ExprId parts[] = {boundary, s.literal("foo"), boundary, s.repeat(s.literal(" "), 0, 1)};
  return whole_text(s, s.repeat(s.concat(parts), 1, kUnbounded));
}
BENCHMARK(BM_Explore<any_string>);
BENCHMARK(BM_Explore<bounded_string>);
BENCHMARK(BM_Explore<window>);
BENCHMARK(BM_Explore<ambiguous_count>);
BENCHMARK(BM_Explore<excluded_keys>);
BENCHMARK(BM_Explore<two_constraints>);
BENCHMARK(BM_Explore<word_boundaries>);

void BM_MatchWords(benchmark::State& state) {
  const std::vector<std::string> texts = words(10'000);
  ExprSet s(kNodes);
  const ExprId e = any_of(s, texts);
  std::int64_t bytes = 0;
  for (const std::string& text : texts) bytes += static_cast<std::int64_t>(text.size());
  for (auto _ : state) {
    for (const std::string& text : texts) benchmark::DoNotOptimize(s.matches(e, text));
  }
  state.SetBytesProcessed(state.iterations() * bytes);
}
BENCHMARK(BM_MatchWords)->Unit(benchmark::kMicrosecond);

// --- Emptiness ---

/// Decides that multiples of 7 and multiples of 7 plus 1, of up to n letters, have nothing in common. It must look at
/// every length.
void BM_EmptinessByExploring(benchmark::State& state) {
  for (auto _ : state) {
    ExprSet s(kNodes);
    const ExprId a = s.literal("a"), b = s.literal("b");
    const ExprId sevens = s.concat(s.repeat(s.repeat(a, 7, 7), 0, kUnbounded), b);
    const ExprId others = s.concat(s.repeat(s.repeat(a, 7, 7), 0, kUnbounded), s.concat(a, b));
    const ExprId length = s.repeat(s.byte_set(ByteSet::all()), 0, static_cast<std::uint32_t>(state.range(0)));
    const ExprId meet[] = {sevens, others, length};
    if (emptiness(s, s.intersection(meet), 1'000'000) != Emptiness::kEmpty) state.SkipWithError("not empty");
  }
}
BENCHMARK(BM_EmptinessByExploring)->Arg(1000);

}  // namespace
}  // namespace weir::regex

BENCHMARK_MAIN();
