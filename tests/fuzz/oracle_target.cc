#include "fuzz/oracle_target.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/choices.h"
#include "fuzz/exercise.h"
#include "fuzz/targets.h"
#include "oracle/cfg.h"
#include "oracle/vocabulary.h"
#include "weir/weir.h"

namespace weir::fuzz {

namespace {

constexpr unsigned kWalk = 12;

const oracle::Vocabulary& overlapping_tokens() {
  static const oracle::Vocabulary vocabulary{
      {"a", "b", "ab", "ba", "aab", "bb", "aaa", "", "c", "abba", "", "ca", "bbbb", "bca"}, {10}};
  return vocabulary;
}

oracle::Cfg random_cfg(Choices& choices) {
  static constexpr std::array kSets = {"a", "b", "c", "ab", "abc"};
  oracle::Cfg cfg;
  const unsigned rules = 1 + choices.next(4);
  for (unsigned rule = 0; rule < rules; ++rule) cfg.add_rule(rule == 0 ? "root" : "r" + std::to_string(rule));
  for (unsigned rule = 0; rule < rules; ++rule) {
    for (unsigned alternatives = 1 + choices.next(4); alternatives > 0; --alternatives) {
      std::vector<oracle::Symbol> symbols;
      for (unsigned count = choices.next(5); count > 0; --count) {
        const unsigned drawn = choices.next(kSets.size() + rules);
        symbols.push_back(drawn < kSets.size() ? oracle::Cfg::bytes(kSets[drawn])
                                               : oracle::Cfg::rule(drawn - kSets.size()));
      }
      cfg.add(rule, std::move(symbols));
    }
  }
  return cfg;
}

void agree(bool holds, const std::string& ebnf, const std::string& what) {
  if (!holds) throw Violation(what + " of the grammar\n" + ebnf);
}

const TokenizerInfo& overlapping_tokenizer() {
  static const TokenizerInfo info = [] {
    VocabSpec spec;
    spec.tokens = overlapping_tokens().tokens;
    spec.stop_token_ids = spec.special_token_ids = overlapping_tokens().stop_tokens;
    return TokenizerInfo::from_vocab(std::move(spec)).value();
  }();
  return info;
}

}  // namespace

void compare_with_oracle(std::string_view data) {
  Choices choices(data);
  const oracle::Cfg cfg = random_cfg(choices);
  const std::string ebnf = oracle::to_ebnf(cfg);
  Limits limits = small_limits();
  if (choices.next(4) == 1) limits.state_memory = 20'000;  // states are often dropped and made again
  const Result<CompiledGrammar> compiled = GrammarCompiler(overlapping_tokenizer(), limits).compile_ebnf(ebnf);
  oracle::Earley earley(cfg);
  if (!compiled) {
    agree(compiled.error().code == ErrorCode::kUnsatisfiable && !earley.viable(), ebnf,
          "an error, " + compiled.error().message + ",");
    return;
  }
  agree(earley.viable(), ebnf, "no error");
  GrammarMatcher matcher(*compiled);
  std::vector<std::uint32_t> words(bitmask_words(overlapping_tokenizer().vocab_size()));
  std::string text;
  for (unsigned i = 0; i < kWalk; ++i) {
    if (matcher.fill_next_token_bitmask(words) != Step::kOk) return;  // a limit
    const std::vector<bool> expected = oracle::mask(earley, overlapping_tokens());
    std::vector<std::uint32_t> allowed;
    for (std::uint32_t token = 0; token < expected.size(); ++token) {
      agree(((words[token / 32] >> (token % 32) & 1U) != 0) == expected[token], ebnf,
            "the mask after \"" + text + "\" differs at token " + std::to_string(token));
      if (expected[token] && !overlapping_tokens().is_stop(token)) allowed.push_back(token);
    }
    agree(matcher.is_completed() == earley.member(), ebnf, "the end after \"" + text + "\"");
    const std::string forced = matcher.find_jump_forward_string();
    agree(!matcher.limit_message().empty() || forced == oracle::forced_bytes(earley, forced.size() + 1), ebnf,
          "the forced bytes after \"" + text + "\"");
    if (allowed.empty()) return;
    const std::uint32_t token = allowed[choices.next(allowed.size())];
    agree(matcher.accept_token(token) == Step::kOk, ebnf, "a refused token after \"" + text + "\"");
    text += overlapping_tokens().tokens[token];
    earley.push(overlapping_tokens().tokens[token]);
  }
}

}  // namespace weir::fuzz
