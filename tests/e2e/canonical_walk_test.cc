// Random walks by canonical masks with real vocabularies, over grammars of all syntaxes and real schemas. Every walk
// must reach an end, and its tokens must be those that the tokenizer writes for its text.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "data_driven/case_file.h"
#include "e2e/documents.h"
#include "property/grammars.h"
#include "property/harness.h"
#include "rounds.h"
#include "shared_data.h"

namespace weir::e2e {
namespace {

using testing::shown;
using TokenIds = std::vector<std::uint32_t>;

/// A grammar or schema to walk.
struct Source {
  std::string name;
  std::string text;
  std::string syntax;                  ///< A syntax of tests/data, or "schema".
  const testing::Case* one = nullptr;  ///< The case of tests/data, if it is one; it has the options.
};

// Counts of walks, of checks and of skipped sources.
struct WalkTally {
  std::uint64_t walks = 0, steps = 0, allowed = 0, plain_allowed = 0, completed_by_force = 0;
  std::uint64_t dropped_checked = 0, kept_checked = 0;
  std::uint64_t without_completion = 0, completion_limits = 0;  ///< No result of shortest_completion_parts.
  std::uint64_t masks = 0;
  double mask_seconds = 0, longest_mask = 0;
  std::map<std::string, std::uint64_t> limits = {}, skipped = {};
};

class CanonicalWalk {
 public:
  CanonicalWalk(CompiledGrammar compiled, GrammarMatcher matcher, std::uint32_t seed, WalkTally& tally)
      : compiled_(std::move(compiled)),
        info_(compiled_.tokenizer_info()),
        matcher_(std::move(matcher)),
        plain_(compiled_),
        random_(seed),
        tally_(tally),
        mask_(bitmask_words(info_.vocab_size())),
        plain_mask_(mask_.size()),
        again_(mask_.size()) {}

  // Returns a description of the first problem, or an empty string.
  std::string run() {
    ++tally_.walks;
    const std::size_t steps = 5 + random_() % 60;
    for (std::size_t i = 0; i < steps; ++i) {
      bool done = false;
      if (std::string problem = step(done); !problem.empty()) return problem + at();
      if (limited_ || done) return limited_ ? "" : check_end();
    }
    if (std::string problem = finish(); !problem.empty()) return problem + at();
    return limited_ ? "" : check_end();
  }

 private:
  std::string step(bool& done) {
    const auto begin = std::chrono::steady_clock::now();
    if (matcher_.fill_next_token_bitmask(mask_) != Step::kOk) return limit("mask");
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    tally_.mask_seconds += seconds.count();
    tally_.longest_mask = std::max(tally_.longest_mask, seconds.count());
    ++tally_.masks;
    if (plain_.fill_next_token_bitmask(plain_mask_) != Step::kOk) return limit("plain mask");
    TokenIds allowed, dropped;
    const auto stops = info_.stop_token_ids();
    for (std::size_t word = 0; word < mask_.size(); ++word) {
      if ((mask_[word] & ~plain_mask_[word]) != 0) return "a token is allowed that the plain mask refuses";
      for (std::uint32_t bits = plain_mask_[word]; bits != 0; bits &= bits - 1) {
        const auto token = static_cast<std::uint32_t>(word * 32) + static_cast<std::uint32_t>(std::countr_zero(bits));
        (bitmask_get(mask_, token) ? allowed : dropped).push_back(token);
      }
    }
    ++tally_.steps;
    tally_.allowed += allowed.size();
    tally_.plain_allowed += allowed.size() + dropped.size();
    if (allowed.empty()) return "a dead end";
    for (const std::uint32_t stop : stops) {
      const bool is_listed = std::ranges::find(allowed, stop) != allowed.end();
      if (is_listed != matcher_.is_completed()) return "the stop token and is_completed disagree";
    }
    if (random_() % 8 == 0) {
      if (std::string problem = check_copies(allowed); !problem.empty()) return problem;
    }
    if (random_() % 4 == 0) {
      if (std::string problem = check_some(allowed, dropped); !problem.empty()) return problem;
    }
    if (limited_) return "";
    const std::uint32_t token = choose(allowed);
    if (const Step accepted = matcher_.accept_token(token); accepted != Step::kOk)
      return accepted == Step::kLimitExceeded ? limit("step") : "an allowed token is refused: " + name_of(token);
    if (plain_.accept_token(token) != Step::kOk) return "the plain matcher refuses " + name_of(token);
    done = matcher_.is_terminated();
    if (!done) tokens_.push_back(token);
    return "";
  }

  // Returns any allowed token half of the time, else one of the twenty with the least ids, which are the most common.
  std::uint32_t choose(const TokenIds& allowed) {
    const std::size_t some = random_() % 2 == 0 ? allowed.size() : std::min<std::size_t>(allowed.size(), 20);
    return allowed[random_() % some];
  }

  std::string check_copies(const TokenIds& allowed) {
    GrammarMatcher fork = matcher_.fork();
    if (fork.fill_next_token_bitmask(again_) != Step::kOk || again_ != mask_) return "a fork has another mask";
    const std::uint32_t token = allowed[random_() % allowed.size()];
    if (fork.accept_token(token) != Step::kOk) return "a fork refuses " + name_of(token);
    if (!fork.is_terminated() && fork.fill_next_token_bitmask(again_) == Step::kLimitExceeded) return limit("mask");
    if (fork.rollback(1) != Step::kOk || fork.fill_next_token_bitmask(again_) != Step::kOk || again_ != mask_)
      return "after rollback the mask differs";
    return "";
  }

  // Checks some tokens. `dropped` has the tokens that only the plain mask allows: the tokenizer must not write such a
  // token in a text that continues with it. An allowed token it must write in the shortest completion.
  std::string check_some(const TokenIds& allowed, const TokenIds& dropped) {
    for (int i = 0; i < 2 && !dropped.empty(); ++i) {
      const std::uint32_t token = dropped[random_() % dropped.size()];
      GrammarMatcher other = plain_.fork();
      if (other.accept_token(token) != Step::kOk || other.is_terminated()) continue;
      TokenIds begun = tokens_;
      begun.push_back(token);
      if (is_special(token)) continue;
      // Completes it by the shortest text, or by one after another token.
      if (random_() % 2 == 0 && other.fill_next_token_bitmask(again_) == Step::kOk) {
        TokenIds next;
        for (std::uint32_t id = 0; id < info_.vocab_size(); ++id) {
          if (bitmask_get(again_, id) && !info_.token_bytes(id).empty()) next.push_back(id);
        }
        const std::uint32_t more = next.empty() ? 0 : next[random_() % next.size()];
        if (!next.empty() && other.accept_token(more) == Step::kOk && other.is_terminated()) continue;
      }
      const auto parts = other.shortest_completion_parts();
      if (!parts || (!parts->empty() && parts->front().token)) continue;
      const std::string text =
          other.text().substr(segment_bytes()) + (parts->empty() ? std::string() : parts->front().text);
      const Result<TokenIds> ids = info_.tokenize(text);
      if (!ids || info_.decode(*ids) != text) continue;
      ++tally_.dropped_checked;
      const TokenIds segment(begun.begin() + static_cast<std::ptrdiff_t>(segment_begin()), begun.end());
      if (std::ranges::mismatch(segment, *ids).in1 == segment.end())
        return name_of(token) + " is refused, but the tokenizer writes it here in `" + shown(text) + "`";
    }
    for (int i = 0; i < 2; ++i) {
      const std::uint32_t token = allowed[random_() % allowed.size()];
      GrammarMatcher other = matcher_.fork();
      if (other.accept_token(token) != Step::kOk) return "an allowed token is refused: " + name_of(token);
      if (other.is_terminated() || is_special(token)) continue;
      const auto parts = other.shortest_completion_parts();
      if (!parts) {
        ++(other.limit_message().empty() ? tally_.without_completion : tally_.completion_limits);
        continue;
      }
      const std::string text =
          other.text().substr(segment_bytes()) + (parts->empty() || parts->front().token ? "" : parts->front().text);
      const Result<TokenIds> ids = info_.tokenize(text);
      ++tally_.kept_checked;
      TokenIds segment(tokens_.begin() + static_cast<std::ptrdiff_t>(segment_begin()), tokens_.end());
      segment.push_back(token);
      if (!ids || std::ranges::mismatch(segment, *ids).in1 != segment.end())
        return name_of(token) + " is allowed, but the tokenizer does not write it in the completion `" + shown(text) +
               "`";
    }
    return "";
  }

  // Completes the output by the shortest completion, in the tokens that the tokenizer writes for it.
  std::string finish() {
    const auto parts = matcher_.shortest_completion_parts();
    if (!parts) {
      ++(matcher_.limit_message().empty() ? tally_.without_completion : tally_.completion_limits);
      return finish_by_masks();
    }
    ++tally_.completed_by_force;
    for (const CompletionPart& part : *parts) {
      TokenIds next;
      if (part.token) {
        next = {*part.token};
      } else {
        const std::string text = matcher_.text().substr(segment_bytes()) + part.text;
        const Result<TokenIds> ids = info_.tokenize(text);
        if (!ids) return "the completion `" + shown(part.text) + "` has no tokens";
        const TokenIds segment(tokens_.begin() + static_cast<std::ptrdiff_t>(segment_begin()), tokens_.end());
        if (std::ranges::mismatch(segment, *ids).in1 != segment.end())
          return "the completion `" + shown(part.text) + "` would change the tokens before it";
        next.assign(ids->begin() + static_cast<std::ptrdiff_t>(segment.size()), ids->end());
      }
      for (const std::uint32_t token : next) {
        if (matcher_.fill_next_token_bitmask(mask_) != Step::kOk) return limit("mask");
        if (!bitmask_get(mask_, token)) {
          GrammarMatcher plain(compiled_);
          for (const std::uint32_t before : tokens_) {
            if (plain.accept_token(before) != Step::kOk) return "the plain matcher refuses " + name_of(before);
          }
          return name_of(token) + " of the completion `" + shown(part.text) + "` is refused, by the plain matcher " +
                 (plain.is_token_allowed(token) ? "not" : "too");
        }
        if (matcher_.accept_token(token) != Step::kOk) return limit("step");
        tokens_.push_back(token);
        ++tally_.steps;
      }
    }
    return matcher_.is_completed() ? "" : "the completion is not complete";
  }

  // Completes the output token by token. Takes the tokenizer's next token for the plain matcher's shortest completion,
  // if the tokens so far stay the same. Otherwise takes, of up to twelve allowed tokens, the one closest to an end.
  std::string finish_by_masks() {
    const auto length_of = [](const std::optional<std::vector<CompletionPart>>& parts) {
      std::size_t bytes = parts ? 0 : SIZE_MAX;
      if (parts) {
        for (const CompletionPart& part : *parts) bytes += part.text.size() + 1;
      }
      return bytes;
    };
    for (int i = 0; i < 400; ++i) {
      if (matcher_.is_completed()) return "";
      if (matcher_.fill_next_token_bitmask(mask_) != Step::kOk) return limit("mask");
      ++tally_.steps;
      std::optional<std::uint32_t> best;
      const TokenIds segment(tokens_.begin() + static_cast<std::ptrdiff_t>(segment_begin()), tokens_.end());
      const auto parts = plain_.shortest_completion_parts();
      if (parts && !parts->empty() && parts->front().token) {
        const Result<TokenIds> ids = info_.tokenize(matcher_.text().substr(segment_bytes()));
        if (ids && *ids == segment) best = parts->front().token;
      } else if (parts && !parts->empty() && !parts->front().token) {
        const Result<TokenIds> ids = info_.tokenize(matcher_.text().substr(segment_bytes()) + parts->front().text);
        if (ids && ids->size() > segment.size() && std::ranges::mismatch(segment, *ids).in1 == segment.end())
          best = (*ids)[segment.size()];
      }
      if (best && !bitmask_get(mask_, *best)) return "the tokenizer writes " + name_of(*best) + ", which is refused";
      if (!best) {
        TokenIds allowed;
        for (std::uint32_t token = 0; token < info_.vocab_size(); ++token) {
          if (bitmask_get(mask_, token)) allowed.push_back(token);
        }
        if (allowed.empty()) return "a dead end";
        std::size_t least = SIZE_MAX;
        for (std::size_t k = 0; k < 12; ++k) {
          const std::uint32_t token = allowed[allowed.size() <= 12 ? k % allowed.size() : random_() % allowed.size()];
          GrammarMatcher other = plain_.fork();
          if (other.accept_token(token) != Step::kOk) return "the plain matcher refuses " + name_of(token);
          if (const std::size_t bytes = length_of(other.shortest_completion_parts()); bytes < least || !best) {
            best = token;
            least = bytes;
          }
        }
      }
      if (matcher_.accept_token(*best) != Step::kOk || plain_.accept_token(*best) != Step::kOk)
        return "an allowed token is refused: " + name_of(*best);
      tokens_.push_back(*best);
    }
    return "no end within 400 steps";
  }

  // Checks that the tokenizer writes the output: each text between special tokens on its own.
  std::string check_end() {
    if (!matcher_.is_terminated() && !matcher_.is_completed()) return "not complete" + at();
    TokenIds segment;
    const auto check = [&]() -> std::string {
      const std::string text = info_.decode(segment);
      const Result<TokenIds> ids = info_.tokenize(text);
      return ids && *ids == segment ? "" : "the tokenizer does not write this: `" + shown(text) + "`" + at();
    };
    for (const std::uint32_t token : tokens_) {
      if (!is_special(token)) {
        segment.push_back(token);
        continue;
      }
      if (std::string problem = check(); !problem.empty()) return problem;
      segment.clear();
    }
    if (std::string problem = check(); !problem.empty()) return problem;
    GrammarMatcher plain(compiled_);
    for (const std::uint32_t token : tokens_) {
      if (plain.accept_token(token) != Step::kOk) return "the plain matcher refuses the output" + at();
    }
    return plain.is_completed() ? "" : "the output is not complete for the plain matcher" + at();
  }

  [[nodiscard]] bool is_special(std::uint32_t token) const { return info_.token_kind(token) == TokenKind::kSpecial; }
  // Returns the index of the first token after the last special token.
  [[nodiscard]] std::size_t segment_begin() const {
    const auto last =
        std::find_if(tokens_.rbegin(), tokens_.rend(), [this](std::uint32_t id) { return is_special(id); });
    return static_cast<std::size_t>(tokens_.rend() - last);
  }
  [[nodiscard]] std::size_t segment_bytes() const {
    const TokenIds before(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(segment_begin()));
    return info_.decode(before).size();
  }

  std::string limit(const std::string& what) {
    limited_ = true;
    const std::string message = matcher_.limit_message();
    if (message.empty()) return "no " + what;
    ++tally_.limits[what + ": " + message.substr(0, 60)];
    return "";
  }
  [[nodiscard]] std::string name_of(std::uint32_t token) const {
    return std::to_string(token) + " '" + shown(info_.token_bytes(token)) + "'";
  }
  [[nodiscard]] std::string at() const {
    std::string out = "; tokens";
    for (const std::uint32_t token : tokens_) out += " " + name_of(token);
    return out;
  }

  CompiledGrammar compiled_;
  const TokenizerInfo& info_;
  GrammarMatcher matcher_, plain_;
  std::mt19937 random_;
  WalkTally& tally_;
  std::vector<std::uint32_t> mask_, plain_mask_, again_;
  TokenIds tokens_ = {};
  bool limited_ = false;
};

Result<CompiledGrammar> compile(const GrammarCompiler& compiler, const Source& source) {
  if (source.syntax == "schema") {
    JsonSchemaOptions options;
    options.whitespace_limit = 4;
    return compiler.compile_json_schema(source.text, options);
  }
  if (source.syntax == "structural_tag") return compiler.compile_structural_tag(source.text);
  if (source.syntax == "response_format") return compiler.compile_response_format(source.text);
  if (source.syntax == "regex") {
    constexpr std::array<std::pair<std::string_view, RegexDialect>, 5> kDialects = {
        {{"weir", RegexDialect::kWeir},
         {"ecma262", RegexDialect::kEcma262},
         {"rust", RegexDialect::kRust},
         {"python", RegexDialect::kPython},
         {"pcre", RegexDialect::kPcre}}};
    RegexOptions options;
    for (const auto& [name, dialect] : kDialects) {
      if (source.one != nullptr && source.one->dialect == name) options.dialect = dialect;
    }
    return compiler.compile_regex(source.text, options);
  }
  GrammarTextOptions options;
  options.syntax = syntax_named(source.syntax).value();
  if (source.one != nullptr) {
    options.start = source.one->start;
    options.exact_splits = source.one->exact_splits;
    for (const auto& [name, text] : source.one->grammars) options.grammars.push_back({name, text});
  }
  return compiler.compile_text(source.text, options);
}

std::vector<Source> grammars(const std::vector<testing::Case>& cases) {
  std::vector<Source> sources;
  for (const testing::NamedGrammar& grammar : testing::kGrammars)
    sources.push_back({grammar.name, grammar.ebnf, "ebnf"});
  for (const Document& file : files_in(tests::repository() + "/examples", ".ebnf"))
    sources.push_back({file.name, file.text, "ebnf"});
  for (const testing::Case& one : cases) {
    // An endless grammar has no end to reach. A grammar with token ids would mean other tokens in other vocabularies.
    if (one.error || one.keep_endless || one.grammar.find("<[") != std::string::npos) continue;
    sources.push_back({one.file + ": " + one.name, one.grammar, one.syntax, &one});
  }
  for (const Document& file : files_in((tests::shared_data() / "grammars").string(), ".gbnf"))
    sources.push_back({file.name, file.text, "gbnf"});
  return sources;
}

std::optional<std::uint32_t> number_from(const char* name) {
  const char* from_environment = std::getenv(name);
  if (from_environment == nullptr) return std::nullopt;
  return static_cast<std::uint32_t>(std::strtoul(from_environment, nullptr, 10));
}

// Makes `walks` walks over the sources.
void walk_all(const std::vector<Source>& sources, std::uint32_t walks, std::uint32_t seed) {
  if (sources.empty()) GTEST_SKIP() << "no sources; WEIR_SHARED_DATA names the directory with maskbench-dev.jsonl.xz";
  std::vector<std::pair<std::string, TokenizerInfo>> tokenizers = {{"builtin", TokenizerInfo::builtin()}};
  for (const char* file : {"gpt2.tiktoken", "o200k_base.tiktoken", "gguf/ggml-vocab-llama-bpe.gguf"}) {
    const std::filesystem::path path = tests::shared_data() / "tokenizers" / file;
    if (!std::filesystem::exists(path)) continue;
    if (Result<TokenizerInfo> info = TokenizerInfo::from_file(path.string())) tokenizers.emplace_back(file, *info);
  }
  if (const char* file = std::getenv("WEIR_CANONICAL_TOKENIZER")) {
    const Result<TokenizerInfo> info = TokenizerInfo::from_file(file);
    ASSERT_TRUE(info.has_value()) << file << ": " << info.error().message;
    tokenizers = {{file, *info}};
  }
  WalkTally tally;
  std::string only;
  if (const char* name = std::getenv("WEIR_CANONICAL_WALK")) only = name;
  const auto begin = std::chrono::steady_clock::now();
  std::uint32_t failures = 0;
  const std::uint32_t first = number_from("WEIR_CANONICAL_FIRST").value_or(0);
  Limits limits;
  limits.call_work = 1'000'000'000;  // some masks of products of multiples, plain ones too, take more than the default
  for (std::uint32_t walk = first; walk - first < walks && failures < 12; ++walk) {
    if (!only.empty() && only != std::to_string(walk)) continue;
    // Consecutive walks use different tokenizers, and in time each source is walked with all of them.
    const Source& source = sources[(std::uint64_t{walk} * 7919 + seed) % sources.size()];
    const auto& [tokenizer_name, info] = tokenizers[(walk + walk / tokenizers.size()) % tokenizers.size()];
    const Result<CompiledGrammar> compiled = compile(GrammarCompiler(info, limits), source);
    if (!compiled) {
      ++tally.skipped["does not compile with this tokenizer: " + compiled.error().message.substr(0, 50)];
      continue;
    }
    MatcherOptions options;
    options.tokenization = Tokenization::kCanonical;
    const Result<GrammarMatcher> matcher = GrammarMatcher::create(*compiled, options);
    if (!matcher) {
      ++tally.skipped["no canonical masks: " + matcher.error().message.substr(0, 60)];
      if (matcher.error().code != ErrorCode::kUnsupported) {
        ++failures;
        ADD_FAILURE() << source.name << ": " << matcher.error().message;
      }
      continue;
    }
    const auto walk_begin = std::chrono::steady_clock::now();
    const std::map<std::string, std::uint64_t> limits_before = tally.limits;
    const std::string problem = CanonicalWalk(*compiled, *matcher, seed + walk, tally).run();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - walk_begin;
    if (time.count() > 3 || tally.limits != limits_before) {
      std::printf("walk %u, %s, %s: %.1f s%s\n", walk, source.name.c_str(), tokenizer_name.c_str(), time.count(),
                  tally.limits != limits_before ? ", a limit" : "");
    }
    if (problem.empty()) continue;
    ++failures;
    ADD_FAILURE() << "walk " << walk << ", " << source.name << ", " << tokenizer_name << ": " << problem << "\n"
                  << source.text.substr(0, 1500);
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  std::printf(
      "%llu walks, %llu steps, %.1f s; allowed %.4f of the plain masks; %llu ended by a completion; refused tokens "
      "looked at %llu, allowed ones %llu\n",
      static_cast<unsigned long long>(tally.walks), static_cast<unsigned long long>(tally.steps), time.count(),
      static_cast<double>(tally.allowed) / static_cast<double>(std::max<std::uint64_t>(tally.plain_allowed, 1)),
      static_cast<unsigned long long>(tally.completed_by_force), static_cast<unsigned long long>(tally.dropped_checked),
      static_cast<unsigned long long>(tally.kept_checked));
  std::printf("%llu canonical masks, %.3f ms each, the longest %.1f ms\n", static_cast<unsigned long long>(tally.masks),
              1e3 * tally.mask_seconds / static_cast<double>(std::max<std::uint64_t>(tally.masks, 1)),
              1e3 * tally.longest_mask);
  std::printf("no shortest completion: %llu; for a limit: %llu\n",
              static_cast<unsigned long long>(tally.without_completion),
              static_cast<unsigned long long>(tally.completion_limits));
  EXPECT_EQ(tally.without_completion, 0U) << "shortest_completion_parts found none and names no limit";
  EXPECT_LE(tally.completion_limits, walks / 50) << "shortest_completion_parts met a limit";
  std::uint64_t limits_met = 0;
  for (const auto& [name, count] : tally.limits) {
    limits_met += count;
    std::printf("limit: %llu x %s\n", static_cast<unsigned long long>(count), name.c_str());
  }
  for (const auto& [name, count] : tally.skipped) {
    std::printf("left out: %llu x %s\n", static_cast<unsigned long long>(count), name.c_str());
  }
  EXPECT_EQ(limits_met, 0U) << "walks that did not reach their end";
  if (only.empty()) {
    EXPECT_GT(tally.walks, walks / 2);
  }
}

// Returns the number of walks: WEIR_CANONICAL_WALKS, or a small default. WEIR_CANONICAL_FIRST is the number of the
// first walk, so that many walks can be made in parts. WEIR_CANONICAL_TOKENIZER is a file to walk with alone.
std::uint32_t walk_count() { return number_from("WEIR_CANONICAL_WALKS").value_or(tests::rounds(200U)); }

TEST(CanonicalWalks, OverGrammars) {
  const std::vector<testing::Case> cases = testing::read_cases(tests::repository() + "/tests/data");
  walk_all(grammars(cases), walk_count() / 2, 1);
}

TEST(CanonicalWalks, OverSchemas) {
  std::vector<Source> sources;
  const std::size_t stride = walk_count() > 1000 ? 1 : 29;
  const std::string path = (tests::shared_data() / "maskbench-dev.jsonl.xz").string();
  for (Document& schema : maskbench_schemas(path, stride)) sources.push_back({schema.name, schema.text, "schema"});
  walk_all(sources, walk_count() / 2, 2);
}

}  // namespace
}  // namespace weir::e2e
