#include "growth_walks.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "command.h"
#include "engine_counters.h"
#include "inputs.h"
#include "stopwatch.h"
#include "terminal.h"
#include "weir/matcher.h"

namespace weir::cli {

namespace {

using Tokens = std::vector<std::uint32_t>;

constexpr const char* kJson = R"(
root   ::= value
value  ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" ws (member (ws "," ws member)*)? ws "}"
member ::= string ws ":" ws value
array  ::= "[" ws (value (ws "," ws value)*)? ws "]"
string ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""
number ::= "-"? ("0" | [1-9] [0-9]*) ("." [0-9]+)? ([eE] [+-]? [0-9]+)?
ws     ::= [ \t\n\r]*
)";

CompiledGrammar checked(Result<CompiledGrammar> compiled) {
  if (!compiled) throw InputError("internal error: a benchmark's grammar: " + compiled.error().message);
  return *std::move(compiled);
}

// --- Walking ---

struct StepTimes {
  std::uint64_t mask_ns = 0, commit_ns = 0;
};

StepTimes time_step(GrammarMatcher& matcher, std::uint32_t token, std::vector<std::uint32_t>& bitmask) {
  StepTimes out;
  const Stopwatch mask;
  const Step filled = matcher.fill_next_token_bitmask(bitmask);
  out.mask_ns = mask.elapsed_ns();
  const Stopwatch commit;
  const Step accepted = matcher.accept_token(token);
  out.commit_ns = commit.elapsed_ns();
  if (filled == Step::kOk && accepted == Step::kOk) return out;
  throw_on_limit(matcher);
  throw InputError(fmt::format("internal error: token {} of a valid text was refused", token));
}

struct Times {
  std::vector<std::uint64_t> masks, commits;
};

EngineStats difference(const EngineStats& later, const EngineStats& earlier) {
  EngineStats out;
  for_each_counter([&](const char*, auto counter) {
    // Memory shrinks when a cache is flushed; that counts as 0.
    out.*counter = std::max(later.*counter, earlier.*counter) - earlier.*counter;
  });
  return out;
}

// Returns 10, 20, 50, 100, 200, … below `most`, then `most`.
std::vector<std::uint64_t> bounds(std::uint64_t most) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t power = 10; power < most; power *= 10) {
    for (const std::uint64_t factor : {1, 2, 5}) {
      if (power * factor < most) out.push_back(power * factor);
    }
  }
  out.push_back(most);
  return out;
}

// Walks the text twice. Step i counts for the first point whose bound is at least position(i). Positions ascend.
std::vector<GrowthPoint> walk(const CompiledGrammar& compiled, const Tokens& tokens,
                              const std::function<std::uint64_t(std::size_t)>& position, const std::string& label) {
  if (tokens.empty()) return {};
  const std::vector<std::uint64_t> ends = bounds(position(tokens.size() - 1));
  std::vector<std::uint32_t> bitmask(bitmask_words(compiled.tokenizer_info().vocab_size()));
  std::vector<GrowthPoint> points(ends.size());
  Progress progress(label, 2 * tokens.size());
  GrammarMatcher matcher(compiled);
  for (const bool warm : {false, true}) {
    matcher.reset();
    std::vector<Times> times(ends.size());
    EngineStats before = compiled.stats();
    std::size_t at = 0;
    const auto finish_point = [&] {
      const EngineStats now = compiled.stats();
      if (!warm) points[at].explored = difference(now, before);
      before = now;
    };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      while (position(i) > ends[at]) {
        finish_point();
        ++at;
      }
      const StepTimes step = time_step(matcher, tokens[i], bitmask);
      times[at].masks.push_back(step.mask_ns);
      times[at].commits.push_back(step.commit_ns);
      progress.update(i + (warm ? tokens.size() : 0));
    }
    finish_point();
    for (std::size_t p = 0; p < points.size(); ++p) {
      points[p].up_to = ends[p];
      points[p].steps = times[p].masks.size();
      (warm ? points[p].warm_mask : points[p].cold_mask) = distribution_of(std::move(times[p].masks));
      (warm ? points[p].warm_commit : points[p].cold_commit) = distribution_of(std::move(times[p].commits));
    }
  }
  std::erase_if(points, [](const GrowthPoint& point) { return point.steps == 0; });
  return points;
}

// --- What grows ---

std::string order_text(std::uint32_t number) {
  return fmt::format(R"({{"id": {}, "name": "customer {}", "tags": ["new", "paid"], "total": {}.25, "sent": {}}})",
                     number, number * 7919, number % 1000, number % 2 == 0);
}

constexpr const char* kOrders = R"({"type": "array", "items": {"type": "object", "properties": {
  "id": {"type": "integer"}, "name": {"type": "string"}, "tags": {"type": "array", "items": {"enum": ["new", "paid", "old"]}},
  "total": {"type": "number"}, "sent": {"type": "boolean"}}, "required": ["id", "name"], "additionalProperties": false}})";

// Returns the first `count` tokens of a long enough list of orders.
Tokens orders(const TokenizerInfo& tokenizer, std::uint32_t count) {
  std::string text = "[" + order_text(1);
  const std::size_t each = std::max<std::size_t>(tokenize(tokenizer, text).size(), 2) - 1;
  for (std::uint32_t i = 2; i <= count / each + 2; ++i) text += ", " + order_text(i);
  Tokens tokens = tokenize(tokenizer, text);
  if (tokens.size() > count) tokens.resize(count);
  return tokens;
}

GrowthCurve output_length(const TokenizerInfo& tokenizer, const GrowthLimits& limits) {
  const CompiledGrammar compiled = checked(GrammarCompiler(tokenizer).compile_json_schema(kOrders));
  return {"output length", "an array of objects under a schema", "tokens",
          walk(
              compiled, orders(tokenizer, limits.tokens), [](std::size_t i) { return i + 1; }, "output length")};
}

GrowthCurve nesting_depth(const TokenizerInfo& tokenizer, const GrowthLimits& limits) {
  const CompiledGrammar compiled = checked(GrammarCompiler(tokenizer).compile_ebnf(kJson));
  std::string text;
  for (std::uint32_t i = 0; i < limits.depth; ++i) text += "[1, ";
  const Tokens tokens = tokenize(tokenizer, text);
  std::vector<std::uint64_t> depths;
  std::uint64_t depth = 0;
  for (const std::uint32_t token : tokens) {
    const std::string_view bytes = tokenizer.token_bytes(token);
    depth += static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '['));
    depths.push_back(depth);
  }
  return {"nesting depth", "arrays in arrays, the JSON grammar", "levels",
          walk(
              compiled, tokens, [&](std::size_t i) { return depths[i]; }, "nesting depth")};
}

// The tokens of an object whose members are not in the order of their numbers. `seen[i]` is the number of members that
// start before the end of token i; a comma starts the next member.
struct Members {
  Tokens tokens;
  std::vector<std::uint64_t> seen;
};

Members members_text(const TokenizerInfo& tokenizer, std::uint32_t count) {
  std::string text = "{";
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t other = (std::uint64_t{i} * 7919 + 17) % count;
    text += fmt::format(R"({}"member_{}": {})", i == 0 ? "" : ", ", other, i % 10);
  }
  Members out{tokenize(tokenizer, text + "}"), {}};
  std::uint64_t members = 1;
  for (const std::uint32_t token : out.tokens) {
    out.seen.push_back(members);
    const std::string_view bytes = tokenizer.token_bytes(token);
    members += static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), ','));
  }
  return out;
}

GrowthCurve members_seen(const TokenizerInfo& tokenizer, const GrowthLimits& limits) {
  const CompiledGrammar compiled = checked(GrammarCompiler(tokenizer).compile_json_schema(
      R"({"type": "object", "additionalProperties": {"type": "integer"}})"));
  const Members members = members_text(tokenizer, limits.members);
  return {"members seen", "an object of members with any names", "members",
          walk(
              compiled, members.tokens, [&](std::size_t i) { return members.seen[i]; }, "members seen")};
}

GrowthCurve properties_seen(const TokenizerInfo& tokenizer, const GrowthLimits& limits) {
  std::string schema = R"({"type": "object", "additionalProperties": false, "properties": {)";
  for (std::uint32_t i = 0; i < limits.properties; ++i) {
    schema += fmt::format(R"({}"member_{}": {{"type": "integer"}})", i == 0 ? "" : ", ", i);
  }
  const CompiledGrammar compiled = checked(GrammarCompiler(tokenizer).compile_json_schema(schema + "}}"));
  const Members members = members_text(tokenizer, limits.properties);
  return {"properties seen", fmt::format("an object of {} declared members, in any order", limits.properties),
          "members",
          walk(
              compiled, members.tokens, [&](std::size_t i) { return members.seen[i]; }, "properties seen")};
}

// Returns the first `count` tokens and all tokens of one byte, so that every text can be spelled.
TokenizerInfo part_of(const TokenizerInfo& tokenizer, std::uint32_t count) {
  VocabSpec spec;
  for (std::uint32_t id = 0; id < tokenizer.vocab_size(); ++id) {
    const std::string_view bytes = tokenizer.token_bytes(id);
    if (!bytes.empty() && (id < count || bytes.size() == 1)) spec.tokens.emplace_back(bytes);
  }
  spec.stop_token_ids = {static_cast<std::uint32_t>(spec.tokens.size())};
  spec.special_token_ids = spec.stop_token_ids;
  spec.tokens.emplace_back("<end>");
  Result<TokenizerInfo> part = TokenizerInfo::from_vocab(std::move(spec));
  if (!part) throw InputError("cannot take a part of the vocabulary: " + part.error().message, part.error());
  return *std::move(part);
}

// Walks the same text with parts of the vocabulary of growing size. Counts only steps with sparse masks.
GrowthCurve vocabulary_size(const TokenizerInfo& tokenizer, const GrowthLimits& limits) {
  constexpr std::size_t kSparse = 500;
  GrowthCurve curve{"vocabulary",
                    fmt::format("steps of a schema's text with at most {} allowed tokens", kSparse),
                    "tokens of the vocabulary",
                    {}};
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t size = limits.least_vocab; size < tokenizer.vocab_size(); size *= 2) sizes.push_back(size);
  sizes.push_back(tokenizer.vocab_size());
  for (const std::uint32_t size : sizes) {
    const TokenizerInfo part = part_of(tokenizer, size);
    const CompiledGrammar compiled = checked(GrammarCompiler(part).compile_json_schema(kOrders));
    const Tokens tokens = orders(part, 400);
    std::vector<std::uint32_t> bitmask(bitmask_words(part.vocab_size()));
    GrowthPoint point;
    point.up_to = part.vocab_size();
    GrammarMatcher matcher(compiled);
    for (const bool warm : {false, true}) {
      matcher.reset();
      Times times;
      for (const std::uint32_t token : tokens) {
        const EngineStats before = compiled.stats();
        const StepTimes step = time_step(matcher, token, bitmask);
        if (bitmask_count(bitmask) > kSparse) continue;
        times.masks.push_back(step.mask_ns);
        times.commits.push_back(step.commit_ns);
        if (!warm) add_to(point.explored, difference(compiled.stats(), before));
      }
      point.steps = times.masks.size();
      (warm ? point.warm_mask : point.cold_mask) = distribution_of(std::move(times.masks));
      (warm ? point.warm_commit : point.cold_commit) = distribution_of(std::move(times.commits));
    }
    curve.points.push_back(point);
  }
  return curve;
}

}  // namespace

std::vector<GrowthCurve> measure_mask_growth(const TokenizerInfo& tokenizer, const GrowthLimits& limits) {
  std::vector<GrowthCurve> curves;
  for (const auto measure : {output_length, nesting_depth, members_seen, properties_seen, vocabulary_size}) {
    curves.push_back(measure(tokenizer, limits));
  }
  return curves;
}

}  // namespace weir::cli
