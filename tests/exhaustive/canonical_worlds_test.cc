// Checks canonical masks by brute force, with tokenizers of a handful of tokens, split patterns, and languages whose
// texts can all be listed. The oracle's tokenizer follows the definition and shares no code with weir.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "exhaustive/budget_cases.h"
#include "exhaustive/canonical_check.h"
#include "exhaustive/canonical_worlds.h"
#include "oracle/bounded.h"
#include "property/harness.h"
#include "rounds.h"

namespace weir::testing {
namespace {

using oracle::SplitStep;
using Characters = std::vector<std::string>;

const std::vector<Characters>& alphabets() {
  static const std::vector<Characters> kAlphabets = {
      {"a", "b"},
      {"a", "b", " "},
      {"a", "b", " ", "\n"},
      {"a"},
      {"1", "2", "a"},
      {"a", "é", "你", " "},
      {"😀", "é"},
      {"'", "s", "t", " "},
      {"1", " ", ","},
      {"\"", "{", "a", "\n"},
      {"A", "b", " "},
      {"\n", " ", "\r"},
  };
  return kAlphabets;
}

constexpr const char* kGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr const char* kCl100k =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

// Patterns whose matches cover any text of the alphabets without gaps.
const std::vector<std::string>& covering_patterns() {
  static const std::vector<std::string> kPatterns = {
      R"([\s\S]+)",
      kGpt2,
      kCl100k,
      R"(a+|b+|\s+(?!\S)|\s+|[^ab\s]+)",
      R"( ?[^\s]+|\s+(?!\S)|\s+)",
      R"([^b]{1,3}|b+)",
      R"([\s\S])",
      R"(ab|[\s\S])",
      R"(\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))|[^\p{N}]+)",
      R"(\p{N}{1,3}|[^\p{N}\s]+|\s*[\r\n]+|\s+(?!\S)|\s+)",
      R"(\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lu}|[^\p{Lu}\p{Ll}]+)",
      R"([^ ]*? |[^ ]+)",
      R"((?:ab)+|a b|\s*b|[^b]|b)",
      R"(\s*[\r\n]+|[^\r\n]+?(?=\s)|[^\r\n]+)",
  };
  return kPatterns;
}

SplitStep isolated(std::string pattern) { return {.pattern = std::move(pattern)}; }

// Lists of steps: with gaps between matches, with other behaviors, with several steps.
const std::vector<std::vector<SplitStep>>& step_lists() {
  using Behavior = SplitStep::Behavior;
  static const std::vector<std::vector<SplitStep>> kLists = {
      {},
      {isolated("[a]+|b")},
      {isolated("b"), isolated(R"( ?a+|\s+)")},
      {isolated(R"(a*?b|\s)")},
      {isolated("a{1,3}(?=(?:a{3})*(?!a))|b+|\\s+")},
      {isolated(R"(\p{N}{1,3})"), isolated(R"([\r\n]| ?\p{L}+)")},
      {isolated(R"(\p{N})"), isolated(kGpt2)},
      {isolated(R"([\r\n])"), isolated(R"(\s?\p{L}+)"), isolated(R"(\s?\p{P}+)"), isolated(R"([一-龥]+)"),
       isolated(R"(\p{N}+)")},
      {{" ", Behavior::kMergedWithNext}},
      {{" ", Behavior::kMergedWithPrevious}},
      {{"a", Behavior::kContiguous}},
      {{"a", Behavior::kMergedWithNext}, isolated(kGpt2)},
      {{"[ab]+", Behavior::kIsolated, true}},
      {{"\\p{N}", Behavior::kContiguous}, {" ", Behavior::kMergedWithNext}},
      {isolated(R"((?=b)[^ ]+|\s+$|\s)")},
      {isolated(R"(a+$|a|b\s*)")},
      {isolated("aa|a(?=b)|ab")},
  };
  return kLists;
}

// Runs `body` for worlds 0 to count - 1, or only for world WEIR_CANONICAL_WORLD, to debug a failure.
void for_each_world(std::uint32_t count, const std::function<void(std::uint32_t)>& body) {
  if (const char* only = std::getenv("WEIR_CANONICAL_WORLD")) {
    body(static_cast<std::uint32_t>(std::strtoul(only, nullptr, 10)));
    return;
  }
  for (std::uint32_t world = 0; world < count && !enough_failures(); ++world) {
    SCOPED_TRACE("world " + std::to_string(world));
    body(world);
  }
}

SmallWorld random_world(std::mt19937& random, const Characters& characters, std::size_t longest_token = 7,
                        bool nfc = false) {
  SmallWorldOptions options;
  options.nfc = nfc;
  options.longest_token = longest_token;
  options.characters = characters;
  options.kind = static_cast<VocabularyKind>(random() % (nfc ? 2 : 3));
  options.merges = static_cast<std::uint32_t>(random() % 13);
  options.extra_tokens = random() % 3 == 0 ? static_cast<std::uint32_t>(random() % 4) : 0;
  options.whole_pieces = random() % 3 == 0;
  if (options.kind == VocabularyKind::kRanks || random() % 2 == 0) {
    options.steps = {isolated(covering_patterns()[random() % covering_patterns().size()])};
  } else {
    options.steps = step_lists()[random() % step_lists().size()];
  }
  return make_world(random_vocabulary(random, options), std::string(to_string(options.kind)));
}

// Returns all texts of at most `length` characters.
std::vector<std::string> texts_up_to(const Characters& characters, std::size_t length) {
  std::vector<std::string> texts = {""};
  for (std::size_t begin = 0, round = 0; round < length; ++round) {
    const std::size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (const std::string& c : characters) texts.push_back(texts[begin] + c);
    }
  }
  return texts;
}

// Checks that weir's tokenize() equals the oracle's, so that masks are compared with the tokens that users get.
bool same_tokens(const SmallWorld& world, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const std::optional<TokenIds> expected = world.plain->tokenize(text);
    const Result<TokenIds> found = world.info.tokenize(text);
    const bool same = expected ? found && *found == *expected : !found;
    if (!same) {
      ADD_FAILURE() << "tokenize(`" << shown(text) << "`) is " << (found ? shown_ids(world.info, *found) : "an error")
                    << ", by the definition " << (expected ? shown_ids(world.info, *expected) : "an error");
      return false;
    }
  }
  return true;
}

// Checks that accept_text accepts exactly the texts that have a canonical sequence.
void check_texts(GrammarMatcher matcher, const SmallWorld& world, const oracle::SequenceTree& tree,
                 const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size(); i += 1 + texts.size() / 40) {
    const std::string& text = texts[i];
    const std::optional<TokenIds> ids = world.plain->tokenize(text);
    const std::optional<std::size_t> node = ids ? tree.find(*ids) : std::nullopt;
    const Step step = matcher.accept_text(text);
    ASSERT_EQ(step == Step::kOk, node.has_value()) << shown(text) << ": " << to_string(step);
    if (!node) continue;
    EXPECT_EQ(matcher.step_count(), ids->size()) << shown(text);
    EXPECT_EQ(matcher.is_completed(), tree.nodes()[*node].member) << shown(text);
    EXPECT_EQ(matcher.text(), world.info.decode(*ids));
    matcher.reset();
    // The rest of the text that these tokens are, after some of them.
    for (std::size_t k = 0; k < ids->size() / 2; ++k)
      ASSERT_EQ(matcher.accept_token((*ids)[k]), Step::kOk) << shown(text);
    const std::string rest = world.info.decode(*ids).substr(matcher.text().size());
    const bool begins_inside = !rest.empty() && (static_cast<unsigned char>(rest.front()) & 0xC0U) == 0x80U;
    if (!begins_inside && !matcher.text().empty()) {
      EXPECT_EQ(matcher.accept_text(rest), Step::kOk) << shown(text) << " from " << shown(rest);
      EXPECT_EQ(matcher.step_count(), ids->size()) << shown(text);
    }
    matcher.reset();
  }
}

struct Tally {
  std::uint64_t worlds = 0, prefixes = 0, without_texts = 0;
  ~Tally() {
    std::printf("%llu worlds, %llu prefixes, %llu languages of which the tokenizer gives back no text\n",
                static_cast<unsigned long long>(worlds), static_cast<unsigned long long>(prefixes),
                static_cast<unsigned long long>(without_texts));
  }
};

void check_world(const SmallWorld& world, const FiniteLanguage& language, Tally& tally,
                 CanonicalCheckOptions options = {}) {
  SCOPED_TRACE(world.name);
  SCOPED_TRACE(language.name);
  if (!same_tokens(world, language.texts)) return;
  const oracle::SequenceTree tree = sequences_of(world, language.texts);
  const CompiledGrammar compiled = compiled_for_test(world.info, language.grammar, language.name);
  MatcherOptions canonical;
  canonical.tokenization = Tokenization::kCanonical;
  ++tally.worlds;
  if (tree.empty()) {
    // No text decodes to itself, so there is no matcher, or one that allows nothing.
    ++tally.without_texts;
    Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, canonical);
    if (!matcher) return;
    std::vector<std::uint32_t> bitmask(bitmask_words(world.info.vocab_size()));
    if (matcher->fill_next_token_bitmask(bitmask) != Step::kOk) return;
    EXPECT_TRUE(std::ranges::all_of(bitmask, [](std::uint32_t word) { return word == 0; }));
    EXPECT_FALSE(matcher->is_completed());
    return;
  }
  CanonicalCheck check(canonical_matcher(compiled), tree, options);
  check.run();
  tally.prefixes += check.prefixes();
  if (check.failures() == 0) check_texts(canonical_matcher(compiled), world, tree, language.texts);
}

// Checks a matcher with a budget of tokens: the prefixes that it allows are those of the sequences that are within it.
void check_budget(const CompiledGrammar& compiled, const std::vector<TokenIds>& sequences, std::size_t budget,
                  Tally& tally, const CanonicalCheckOptions& options) {
  SCOPED_TRACE("within " + std::to_string(budget) + " tokens");
  MatcherOptions within;
  within.tokenization = Tokenization::kCanonical;
  within.max_tokens = static_cast<std::uint32_t>(budget);
  oracle::SequenceTree tree;
  for (const TokenIds& ids : sequences) {
    if (ids.size() <= budget) tree.add(ids);
  }
  Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, within);
  ASSERT_EQ(matcher.has_value(), !tree.empty()) << (matcher ? "" : matcher.error().message);
  if (!matcher) return;
  ++tally.worlds;
  CanonicalCheck check(*std::move(matcher), tree, options);
  check.run();
  tally.prefixes += check.prefixes();
}

// Checks some budgets of all sequences of a finite language.
void check_budgets(const CompiledGrammar& compiled, const std::vector<TokenIds>& sequences, std::mt19937& random,
                   Tally& tally, const CanonicalCheckOptions& options) {
  if (sequences.empty()) {
    ++tally.without_texts;
    return;
  }
  const auto [shortest, longest] =
      std::ranges::minmax_element(sequences, {}, [](const TokenIds& ids) { return ids.size(); });
  MatcherOptions within;
  within.tokenization = Tokenization::kCanonical;
  if (!shortest->empty()) {
    within.max_tokens = static_cast<std::uint32_t>(shortest->size()) - 1;
    const Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, within);
    ASSERT_FALSE(matcher.has_value()) << "within " << *within.max_tokens;
    EXPECT_EQ(matcher.error().code, ErrorCode::kUnsatisfiable) << matcher.error().message;
  }
  const std::size_t other = shortest->size() + random() % (longest->size() - shortest->size() + 2);
  for (const std::size_t budget : std::set<std::size_t>{shortest->size(), other}) {
    check_budget(compiled, sequences, budget, tally, options);
  }
}

void check_budgets(const SmallWorld& world, const FiniteLanguage& language, std::mt19937& random, Tally& tally,
                   const CanonicalCheckOptions& options = {}) {
  SCOPED_TRACE(world.name);
  SCOPED_TRACE(language.name);
  if (!same_tokens(world, language.texts)) return;
  std::vector<TokenIds> sequences;
  for (const std::string& text : language.texts) {
    const std::optional<TokenIds> ids = world.plain->tokenize(text);
    if (ids && world.plain->decode(*ids) == text) sequences.push_back(*ids);
  }
  check_budgets(compiled_for_test(world.info, language.grammar, language.name), sequences, random, tally, options);
}

// Tests every list of up to three merges over two letters, in every order, on all texts of up to five letters.
TEST(CanonicalWorlds, EveryShortMergeList) {
  Tally tally;
  std::vector<oracle::MergeList> lists = {{}};
  std::vector<oracle::MergeList> longest = lists;
  for (int length = 0; length < 3; ++length) {
    std::vector<oracle::MergeList> longer;
    for (const oracle::MergeList& list : longest) {
      std::vector<std::string> tokens = {"a", "b"};
      for (const auto& [left, right] : list) tokens.push_back(left + right);
      for (const std::string& left : tokens) {
        for (const std::string& right : tokens) {
          if (left.size() + right.size() > 5 || std::ranges::find(list, std::pair(left, right)) != list.end()) continue;
          longer.push_back(list);
          longer.back().emplace_back(left, right);
        }
      }
    }
    lists.insert(lists.end(), longer.begin(), longer.end());
    longest = std::move(longer);
  }
  std::set<oracle::MergeList> every;
  for (oracle::MergeList list : lists) {
    std::ranges::sort(list);
    do every.insert(list);
    while (std::ranges::next_permutation(list).found);
  }
  const std::vector<std::string> texts = texts_up_to({"a", "b"}, 5);
  const Result<Grammar> grammar = Grammar::from_ebnf("root ::= [ab]{0,5}");
  ASSERT_TRUE(grammar.has_value());
  const FiniteLanguage language{"all texts of up to five letters", *grammar, texts};
  const std::vector<oracle::MergeList> chosen(every.begin(), every.end());
  const auto count = static_cast<std::uint32_t>(chosen.size());
  std::printf("%u merge lists\n", count);
  for_each_world(count, [&](std::uint32_t number) {
    if (tests::is_sanitized() && number % 7 != 0) return;
    oracle::BpeTokenizerSpec spec;
    spec.tokens = {"a", "b"};
    spec.merges = chosen[number];
    for (const auto& [left, right] : spec.merges) {
      for (const std::string& token : {left, right, left + right}) {
        if (std::ranges::find(spec.tokens, token) == spec.tokens.end()) spec.tokens.push_back(token);
      }
    }
    CanonicalCheckOptions options;
    options.completions_every = 8;
    check_world(make_world(std::move(spec), "short list"), language, tally, options);
  });
}

TEST(CanonicalWorlds, RandomWorlds) {
  Tally tally;
  for_each_world(tests::rounds(1200U), [&](std::uint32_t number) {
    std::mt19937 random(number);
    const Characters& characters = alphabets()[random() % alphabets().size()];
    const SmallWorld world = random_world(random, characters);
    for (int i = 0; i < 2; ++i) {
      CanonicalCheckOptions options;
      options.max_prefixes = 250;
      options.seed = number;
      check_world(world, random_language(random, characters, 150), tally, options);
    }
  });
}

TEST(CanonicalWorlds, WithinBudgets) {
  Tally tally;
  for_each_world(tests::rounds(300U), [&](std::uint32_t number) {
    std::mt19937 random(number + 90'000);
    const Characters& characters = alphabets()[random() % alphabets().size()];
    const SmallWorld world = random_world(random, characters);
    for (int i = 0; i < 2; ++i) {
      CanonicalCheckOptions options;
      options.max_prefixes = 150;
      options.seed = number;
      check_budgets(world, random_language(random, characters, 150), random, tally, options);
    }
  });
}

// Checks budgets in grammars with recursion and words: a token may stay inside a word, or the word ends within it.
TEST(CanonicalWorlds, WithinBudgetsWhereATokenHasSeveralReadings) {
  constexpr std::size_t kMost = 3;  // the largest budget
  Tally tally;
  for_each_world(tests::rounds(60U), [&](std::uint32_t number) {
    std::mt19937 random(number + 150'000);
    const SmallWorld world = random_world(random, {"a", "b"}, 3);
    std::minstd_rand of_grammar(number + 1);
    const BudgetCase one = budget_case(of_grammar, true);
    SCOPED_TRACE(world.name);
    SCOPED_TRACE(one.ebnf);
    const Result<CompiledGrammar> compiled = GrammarCompiler(world.info).compile_ebnf(one.ebnf);
    if (!compiled) return;  // an empty language
    const std::set<std::string> texts = oracle::languages(one.grammar.cfg, kMost * 3)[one.grammar.cfg.start];
    if (!same_tokens(world, {texts.begin(), texts.end()})) return;
    std::vector<TokenIds> sequences;
    for (const std::string& text : texts) {
      const std::optional<TokenIds> ids = world.plain->tokenize(text);
      if (ids && ids->size() <= kMost && world.plain->decode(*ids) == text) sequences.push_back(*ids);
    }
    CanonicalCheckOptions options;
    options.max_prefixes = 100;
    options.completions_every = 0;  // the shortest completion may be longer
    options.seed = number;
    for (std::size_t budget = 1; budget <= kMost; ++budget) check_budget(*compiled, sequences, budget, tally, options);
  });
}

// A grammar without recursion, some of whose rules are bounded, in both notations: each rule names only later ones.
struct BoundedWorldGrammar {
  oracle::BoundedCfg oracle;
  std::string ebnf;
};

BoundedWorldGrammar random_bounded_grammar(std::mt19937& random, const Characters& characters) {
  static constexpr const char* kNames[] = {"root", "x", "y"};
  const auto any_text = [&](std::size_t most) {
    std::string text;
    for (std::size_t i = 1 + random() % most; i > 0; --i) text += characters[random() % characters.size()];
    return text;
  };
  BoundedWorldGrammar out;
  const std::size_t rules = 1 + random() % 3;
  for (std::size_t rule = 0; rule < rules; ++rule) {
    out.oracle.cfg.add_rule(kNames[rule]);
    const bool is_bounded = random() % 3 != 0;
    out.oracle.bounds.push_back(is_bounded ? std::optional<std::size_t>(1 + random() % 4) : std::nullopt);
  }
  for (std::size_t rule = 0; rule < rules; ++rule) {
    const auto bound = out.oracle.bounds[rule];
    out.ebnf += std::string(kNames[rule]) + " ::= ";
    if (bound) out.ebnf += "@max_tokens(" + std::to_string(*bound) + ": ";
    for (std::size_t alternatives = 1 + random() % 3, i = 0; i < alternatives; ++i) {
      if (i > 0) out.ebnf += " | ";
      std::vector<oracle::Symbol> symbols;
      std::string line;
      for (std::size_t count = random() % 4; count > 0; --count) {
        const std::size_t drawn = random() % 4;
        if (drawn == 0 && rule + 1 < rules) {
          const std::size_t named = rule + 1 + random() % (rules - rule - 1);
          symbols.push_back(oracle::Cfg::rule(named));
          line += std::string(kNames[named]) + " ";
        } else if (drawn == 1) {  // a terminal of several texts: a rule of its own to the oracle
          std::set<std::string> texts;
          while (texts.size() < 1 + random() % 4) texts.insert(any_text(3));
          const std::size_t terminal = out.oracle.cfg.add_rule("terminal");
          out.oracle.bounds.push_back(std::nullopt);
          std::string regex;
          for (const std::string& text : texts) {
            out.oracle.cfg.add(terminal, oracle::Cfg::text(text));
            regex += regex.empty() ? "" : "|";
            for (const char c : text) {
              const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0;
              constexpr std::string_view kDigits = "0123456789ABCDEF";
              const auto value = static_cast<unsigned char>(c);
              regex += is_plain ? std::string(1, c) : std::string("\\x") + kDigits[value / 16] + kDigits[value % 16];
            }
          }
          symbols.push_back(oracle::Cfg::rule(terminal));
          line += "/" + regex + "/ ";
        } else {
          const std::string text = any_text(2);
          for (const oracle::Symbol& symbol : oracle::Cfg::text(text)) symbols.push_back(symbol);
          line += ebnf_literal(text) + " ";
        }
      }
      out.ebnf += line.empty() ? "\"\"" : line;
      out.oracle.cfg.add(rule, std::move(symbols));
    }
    out.ebnf += bound ? ")\n" : "\n";
  }
  return out;
}

// Rules with bounds: the masks allow the canonical sequences that derive from the grammar within them.
void check_bounded_rules(const SmallWorld& world, const Characters& characters, std::mt19937& random, Tally& tally) {
  constexpr std::size_t kLongest = 60;  // more bytes than any text has
  SCOPED_TRACE(world.name);
  const BoundedWorldGrammar grammar = random_bounded_grammar(random, characters);
  SCOPED_TRACE(grammar.ebnf);
  const std::set<std::string> derived = oracle::languages(grammar.oracle.cfg, kLongest)[grammar.oracle.cfg.start];
  const std::vector<std::string> texts(derived.begin(), derived.end());
  if (texts.size() > 300 || !same_tokens(world, texts)) return;
  const Result<CompiledGrammar> compiled = GrammarCompiler(world.info).compile_ebnf(grammar.ebnf);
  if (!compiled) {  // no tokens end a rule in time
    ASSERT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable) << compiled.error().message;
    return;
  }
  // The first token of a text may lack its space; if nothing is left of it, it has no byte in any rule.
  std::vector<std::string> vocabulary;
  const std::uint32_t size = world.info.vocab_size();
  for (std::uint32_t id = 0; id < size; ++id) vocabulary.emplace_back(world.info.token_bytes(id));
  for (std::uint32_t id = 0; id < size; ++id) {
    const bool drops_space = !world.plain->spec().space_symbol.empty() && vocabulary[id].starts_with(' ');
    vocabulary.push_back(vocabulary[id].substr(drops_space ? 1 : 0));
  }
  const oracle::BoundedLanguage language(grammar.oracle, vocabulary);
  const auto is_member = [&](TokenIds ids) {
    if (!ids.empty()) ids.front() += size;
    if (!ids.empty() && vocabulary[ids.front()].empty()) ids.erase(ids.begin());
    return language.is_member(ids);
  };
  oracle::SequenceTree tree;
  for (const std::string& text : texts) {
    const std::optional<TokenIds> ids = world.plain->tokenize(text);
    if (ids && world.plain->decode(*ids) == text && is_member(*ids)) tree.add(*ids);
  }
  ++tally.worlds;
  MatcherOptions canonical;
  canonical.tokenization = Tokenization::kCanonical;
  Result<GrammarMatcher> matcher = GrammarMatcher::create(*compiled, canonical);
  if (!matcher) {
    ++tally.without_texts;
    EXPECT_TRUE(tree.empty()) << matcher.error().message;
    EXPECT_EQ(matcher.error().code, ErrorCode::kUnsatisfiable) << matcher.error().message;
    return;
  }
  const bool has_bounds =
      std::ranges::any_of(grammar.oracle.bounds, [](const auto& bound) { return bound.has_value(); });
  if (has_bounds) {
    ASSERT_FALSE(tree.empty()) << "a matcher without outputs";
  }
  if (tree.empty()) return;
  CanonicalCheckOptions options;
  options.max_prefixes = 150;
  CanonicalCheck check(*std::move(matcher), tree, options);
  check.run();
  tally.prefixes += check.prefixes();
}

TEST(CanonicalWorlds, RulesWithinTheirBounds) {
  Tally tally;
  for_each_world(tests::rounds(500U), [&](std::uint32_t number) {
    std::mt19937 random(number + 120'000);
    const Characters& characters = alphabets()[random() % alphabets().size()];
    const SmallWorld world = random_world(random, characters, 7, number % 4 == 0);
    for (int i = 0; i < 2; ++i) check_bounded_rules(world, characters, random, tally);
  });
}

// Characters that compose, over tokens, pieces and ends of terminals; marks that change places; Hangul; characters that
// no text in NFC has; and those that neither do nor change anything.
const std::vector<Characters>& nfc_alphabets() {
  static const std::vector<Characters> kAlphabets = {
      {"e", "\u0301"},
      {"e", "\u0323", "\u0302", "\u00EA"},
      {"e", "\u00E9", "\u0301", " "},
      {"\u00EA", "\u1EB9", "\u0323", "\u0302"},
      {"\u1100", "\u1161", "\u11A8"},
      {"\uAC00", "\u11A8", "\uAC01", "a"},
      {"\u0340", "e", "\u0300", "\u00E8"},
      {"K", "\u212A", " "},
      {"\u0915", "\u093C", "\u0958", "a"},
      {">", "\u0338", "\n"},
      {"\u304B", "\u3099", "\u304C", "\u4F60"},
      {"\u00EA", "\u0301", "\u0323", "\u1EBF", " "},
      {"1", "\u0301", " ", "e"},
  };
  return kAlphabets;
}

TEST(CanonicalWorlds, NfcWorlds) {
  Tally tally;
  for_each_world(tests::rounds(400U), [&](std::uint32_t number) {
    std::mt19937 random(number + 50'000);
    const Characters& characters = nfc_alphabets()[number % nfc_alphabets().size()];
    const SmallWorld world = random_world(random, characters, 7, true);
    for (int i = 0; i < 2; ++i) {
      CanonicalCheckOptions options;
      options.max_prefixes = 250;
      options.seed = number;
      check_world(world, random_language(random, characters, 150), tally, options);
    }
  });
}

// Vocabularies with hundreds of tokens, so that masks are made by groups of tokens and not token by token.
TEST(CanonicalWorlds, NfcWorldsWithWideMasks) {
  Tally tally;
  const Characters characters = {"q", "1", "e", "\u0301", "\u0323", "\u0302", "\u00EA", "\u00E9", " ", "\u4F60"};
  std::string any = "[";
  for (const std::string& c : characters) any += c;
  any += "]";
  const std::vector<std::string> texts = texts_up_to(characters, 3);
  for_each_world(tests::rounds(40U), [&](std::uint32_t number) {
    std::mt19937 random(number + 70'000);
    SmallWorldOptions made{.characters = characters, .merges = 200, .longest_token = 9, .nfc = true};
    made.kind = number % 2 == 0 ? VocabularyKind::kProper : VocabularyKind::kImproper;
    made.whole_pieces = random() % 3 == 0;
    made.steps = {isolated(covering_patterns()[number % covering_patterns().size()])};
    const SmallWorld world = make_world(random_vocabulary(random, made), std::string(to_string(made.kind)));
    // What follows the terminal may be a text that composes with its end.
    constexpr std::array<std::pair<const char*, const char*>, 4> kAround = {
        {{"", ""}, {"e", " "}, {"", "\u0301"}, {"\u00EA", "\u0323q"}}};
    const auto& [before, after] = kAround[random() % kAround.size()];
    const std::string ebnf = "root ::= " + ebnf_literal(before) + " /" + any + "{0,3}/ " + ebnf_literal(after);
    const Result<Grammar> grammar = Grammar::from_ebnf(ebnf);
    ASSERT_TRUE(grammar.has_value()) << ebnf;
    FiniteLanguage language{ebnf, *grammar, {}};
    for (const std::string& text : texts) language.texts.push_back(before + text + after);
    CanonicalCheckOptions options;
    options.max_prefixes = 120;
    options.completions_every = 8;
    options.seed = number;
    check_world(world, language, tally, options);
    if (number % 2 == 0) check_budgets(world, language, random, tally, options);
  });
}

// The mask of a residual does not depend on which residuals came before, although it is computed by difference from theirs.
// Here only "wxyz" may follow token "q", so "q" begins no member with at most four letters, and begins one of the pattern
// without the first count. To see that takes four bytes more, and the pattern without the first count has another count.
TEST(CanonicalWorlds, CountsBesideTheirBases) {
  oracle::BpeTokenizerSpec spec;
  spec.steps = {isolated(R"(\S+|\s+)")};
  for (int byte = 0; byte < 256; ++byte) spec.tokens.emplace_back(1, static_cast<char>(byte));
  spec.merges = {{"w", "x"}, {"wx", "y"}, {"wxy", "z"}, {"q", "q"},  {"q", "w"},  {"q", "x"},
                 {"q", "y"}, {"q", "z"},  {"q", "!"},   {"q", "wx"}, {"q", "wxy"}};
  for (const auto& [left, right] : spec.merges) spec.tokens.push_back(left + right);
  // Tokens that no text has, so that masks are wide.
  std::mt19937 random(2);
  std::set<std::string> known(spec.tokens.begin(), spec.tokens.end());
  while (spec.tokens.size() < 9'267) {
    std::string text;
    for (int i = 0; i < 7; ++i) text += "wxyz"[random() % 4];
    if (known.insert(text).second) spec.tokens.push_back(std::move(text));
  }
  const std::string counted = "[qwxyz]{0,4}![a-z]{0,20} ";
  const std::string uncounted = "[qwxyz]*![a-z]{0,20} ";
  constexpr std::uint32_t kQ = 'q';
  for (const auto& patterns : std::vector<std::vector<std::string>>{{counted}, {uncounted, counted}}) {
    const SmallWorld world = make_world(spec, "counts");
    const GrammarCompiler compiler(world.info);
    for (const std::string& pattern : patterns) {
      const auto compiled = compiler.compile_regex(pattern);
      ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
      MatcherOptions options;
      options.tokenization = Tokenization::kCanonical;
      auto matcher = GrammarMatcher::create(*compiled, options);
      ASSERT_TRUE(matcher.has_value()) << matcher.error().message;
      std::vector<std::uint32_t> bitmask(bitmask_words(world.info.vocab_size()));
      ASSERT_EQ(matcher->fill_next_token_bitmask(bitmask), Step::kOk);
      EXPECT_EQ(bitmask_get(bitmask, kQ), pattern == uncounted)
          << pattern << " after " << patterns.size() - 1 << " others";
    }
  }
}

// Tests each pattern on all short texts, with a vocabulary whose merges join characters across the pattern's cuts.
TEST(CanonicalWorlds, EveryPattern) {
  Tally tally;
  std::vector<std::vector<SplitStep>> lists = step_lists();
  for (const std::string& pattern : covering_patterns()) lists.push_back({isolated(pattern)});
  for_each_world(static_cast<std::uint32_t>(lists.size()), [&](std::uint32_t number) {
    std::uint32_t seed = 1000 + number;
    for (const Characters& characters : alphabets()) {
      if (tests::is_sanitized() && seed % 5 != 0) {
        ++seed;
        continue;
      }
      std::mt19937 random(seed++);
      SmallWorldOptions options{.kind = random() % 2 == 0 ? VocabularyKind::kProper : VocabularyKind::kImproper,
                                .characters = characters,
                                .merges = 10,
                                .extra_tokens = static_cast<std::uint32_t>(random() % 3),
                                .whole_pieces = random() % 2 == 0,
                                .steps = lists[number]};
      const SmallWorld world = make_world(random_vocabulary(random, options), std::string(to_string(options.kind)));
      const std::size_t length = characters.size() == 1   ? 9
                                 : characters.size() == 2 ? 6
                                 : characters.size() == 3 ? 4
                                                          : 3;
      const std::vector<std::string> texts = texts_up_to(characters, length);
      std::string any;
      for (const std::string& c : characters) any += (any.empty() ? "" : " | ") + ebnf_literal(c);
      const std::string ebnf = "root ::= (" + any + "){0," + std::to_string(length) + "}";
      const Result<Grammar> grammar = Grammar::from_ebnf(ebnf);
      ASSERT_TRUE(grammar.has_value()) << ebnf;
      CanonicalCheckOptions check;
      check.max_prefixes = 200;
      check.seed = seed;
      check_world(world, {ebnf, *grammar, texts}, tally, check);
    }
  });
}

// Infinite languages. All texts up to a length are listed, but only prefixes well below that length are compared.
// Tokens have at most three bytes, so a viable prefix has a listed text that continues it by several tokens.
TEST(CanonicalWorlds, EndlessLanguages) {
  struct Endless {
    const char* ebnf;
    Characters characters;
    std::size_t checked;  ///< Longest prefix that is compared, in bytes.
    std::vector<std::string> texts;
  };
  const auto only_if = [](std::vector<std::string> texts, const std::function<bool(const std::string&)>& has) {
    std::erase_if(texts, [&](const std::string& text) { return !has(text); });
    return texts;
  };
  std::vector<std::string> counted, mirrored;
  for (std::size_t n = 1; n <= 20; ++n) counted.push_back(std::string(n, 'a') + std::string(n, 'b'));
  for (const std::string& half : texts_up_to({"a", "b"}, 9)) {
    const std::string back(half.rbegin(), half.rend());
    for (const char* middle : {"", "a", "b"}) mirrored.push_back(half + middle + back);
  }
  const auto is_spaced = [](const std::string& text) {
    return text.size() >= 2 && text[0] == 'a' && text.back() == 'b' &&
           std::all_of(text.begin() + 1, text.end() - 1, [](char c) { return c == ' '; });
  };
  const auto has_pairs = [](const std::string& text) {
    return text.find("aa") == std::string::npos && !text.ends_with('a');
  };
  const auto is_one_kind = [](const std::string& text) {
    return text.find_first_not_of("12") == std::string::npos || text.find_first_not_of("a") == std::string::npos;
  };
  const std::vector<Endless> languages = {
      {"root ::= [ab]*", {"a", "b"}, 4, texts_up_to({"a", "b"}, 11)},
      {"root ::= [ab ]*", {"a", "b", " "}, 2, texts_up_to({"a", "b", " "}, 8)},
      {"root ::= a*\na ::= \"a\"", {"a"}, 25, texts_up_to({"a"}, 40)},
      {"root ::= \"a\" root \"b\" | \"ab\"", {"a", "b"}, 7, counted},
      {"root ::= (\"ab\" | \"b\")*", {"a", "b"}, 5, only_if(texts_up_to({"a", "b"}, 12), has_pairs)},
      {"root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"a\" | \"b\" | \"\"", {"a", "b"}, 3, mirrored},
      {"root ::= \"a\" \" \"* \"b\"", {"a", "b", " "}, 4, only_if(texts_up_to({"a", "b", " "}, 9), is_spaced)},
      {"root ::= ([ \\n]* \"a\")* [ \\n]*", {"a", " ", "\n"}, 2, texts_up_to({"a", " ", "\n"}, 8)},
      {"root ::= [12]* | \"a\"+", {"1", "2", "a"}, 3, only_if(texts_up_to({"1", "2", "a"}, 9), is_one_kind)},
      {"root ::= [aé]*", {"a", "é"}, 4, texts_up_to({"a", "é"}, 11)},
  };
  Tally tally;
  for_each_world(tests::rounds(80U), [&](std::uint32_t number) {
    const Endless& endless = languages[number % languages.size()];
    std::mt19937 random(2000 + number);
    std::vector<std::string> texts = endless.texts;
    std::ranges::sort(texts);
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    const Result<Grammar> grammar = Grammar::from_ebnf(endless.ebnf);
    ASSERT_TRUE(grammar.has_value()) << endless.ebnf;
    CanonicalCheckOptions options;
    options.completions_every = 0;  // the listed texts are not all texts
    options.max_text = endless.checked;
    check_world(random_world(random, endless.characters, 3), {endless.ebnf, *grammar, texts}, tally, options);
  });
}

std::string choice_of(const std::vector<std::string>& texts) {
  std::string out = "(";
  for (const std::string& text : texts) out += (out.size() == 1 ? "" : " | ") + ebnf_literal(text);
  return out + ")";
}

// Special tokens between texts. Each text is tokenized on its own.
TEST(CanonicalWorlds, SpecialTokensBetweenTexts) {
  Tally tally;
  for_each_world(tests::rounds(200U), [&](std::uint32_t number) {
    std::mt19937 random(3000 + number);
    const Characters& characters = alphabets()[random() % alphabets().size()];
    const SmallWorld world = random_world(random, characters);
    const auto first_special = static_cast<std::uint32_t>(world.plain->spec().tokens.size());
    const std::uint32_t separator = first_special + 1, tool = first_special + 2;
    const auto some_texts = [&] {
      std::set<std::string> texts;
      for (std::size_t i = 0, count = 1 + random() % 8; i < count; ++i) {
        std::string text;
        for (std::size_t k = 0, size = random() % 6; k < size; ++k) text += characters[random() % characters.size()];
        texts.insert(text);
      }
      return std::vector<std::string>(texts.begin(), texts.end());
    };
    const std::vector<std::string> a = some_texts(), b = some_texts(), c = some_texts();
    if (!same_tokens(world, a) || !same_tokens(world, b) || !same_tokens(world, c)) return;
    // Sequences of texts, separated by special tokens.
    struct Shape {
      std::string ebnf;
      std::vector<std::vector<std::uint32_t>> separators;  ///< Each has one text more: a, then b, then c.
    };
    const std::string sep = "<|sep|>", tools = "<|tool|>";
    const std::vector<Shape> shapes = {
        {"A <|sep|> B", {{separator}}},
        {"A (<|sep|> | <|tool|>) B", {{separator}, {tool}}},
        {"A <|sep|> B <|tool|> C", {{separator, tool}}},
        {"A (<|sep|> B)?", {{}, {separator}}},
        {"A <[" + std::to_string(separator) + "-" + std::to_string(tool) + "]> B (<|sep|> C)?",
         {{separator}, {tool}, {separator, separator}, {tool, separator}}},
    };
    const Shape& shape = shapes[number % shapes.size()];
    const std::string ebnf =
        "root ::= " + shape.ebnf + "\nA ::= " + choice_of(a) + "\nB ::= " + choice_of(b) + "\nC ::= " + choice_of(c);
    SCOPED_TRACE(world.name);
    SCOPED_TRACE(ebnf);
    oracle::SequenceTree tree;
    std::vector<TokenIds> sequences;
    const std::vector<const std::vector<std::string>*> parts = {&a, &b, &c};
    const std::function<void(const std::vector<std::uint32_t>&, std::size_t, TokenIds)> add =
        [&](const std::vector<std::uint32_t>& separators, std::size_t at, const TokenIds& before) {
          for (const std::string& text : *parts[at]) {
            const std::optional<TokenIds> ids = world.plain->tokenize(text);
            if (!ids || world.plain->decode(*ids) != text) continue;
            TokenIds sequence = before;
            sequence.insert(sequence.end(), ids->begin(), ids->end());
            if (at == separators.size()) {
              tree.add(sequence);
              sequences.push_back(std::move(sequence));
              continue;
            }
            sequence.push_back(separators[at]);
            add(separators, at + 1, sequence);
          }
        };
    for (const std::vector<std::uint32_t>& separators : shape.separators) add(separators, 0, {});
    const Result<Grammar> grammar = Grammar::from_ebnf(ebnf);
    ASSERT_TRUE(grammar.has_value()) << grammar.error().message;
    CanonicalCheckOptions options;
    options.max_prefixes = 300;
    options.seed = number;
    const CompiledGrammar compiled = compiled_for_test(world.info, *grammar, ebnf);
    CanonicalCheck check(canonical_matcher(compiled), tree, options);
    check.run();
    ++tally.worlds;
    tally.prefixes += check.prefixes();
    if (number % 3 == 0) check_budgets(compiled, sequences, random, tally, options);
  });
}

// The context decides which tokens are allowed.
TEST(CanonicalWorlds, Contexts) {
  Tally tally;
  std::uint64_t without_output = 0, refused = 0, not_refused = 0;
  for_each_world(tests::rounds(250U), [&](std::uint32_t number) {
    std::mt19937 random(4000 + number);
    const Characters& characters = alphabets()[random() % alphabets().size()];
    const SmallWorld world = random_world(random, characters);
    const FiniteLanguage language = random_language(random, characters, 60);
    SCOPED_TRACE(world.name);
    SCOPED_TRACE(language.name);
    const CompiledGrammar compiled = compiled_for_test(world.info, language.grammar, language.name);
    MatcherOptions canonical;
    canonical.tokenization = Tokenization::kCanonical;
    const auto separator = static_cast<std::uint32_t>(world.plain->spec().tokens.size()) + 1;
    for (int i = 0; i < 3 && !enough_failures(); ++i) {
      std::string before;
      for (std::size_t k = 0, size = 1 + random() % 5; k < size; ++k)
        before += characters[random() % characters.size()];
      const std::optional<TokenIds> context = world.plain->tokenize(before);
      if (!context) continue;
      oracle::SequenceTree tree;
      for (const std::string& text : language.texts) {
        const std::optional<TokenIds> ids = world.plain->tokenize(before + text);
        if (!ids || !std::equal(context->begin(), context->end(), ids->begin(),
                                ids->begin() + static_cast<std::ptrdiff_t>(std::min(context->size(), ids->size()))))
          continue;
        tree.add(TokenIds(ids->begin() + static_cast<std::ptrdiff_t>(context->size()), ids->end()));
      }
      SCOPED_TRACE("context " + shown_ids(world.info, *context));
      canonical.context = *context;
      if (i == 1) canonical.context.insert(canonical.context.begin(), separator);
      if (i == 2) {  // tokens before the last special token, which must not matter
        canonical.context.insert(canonical.context.begin(), separator);
        canonical.context.insert(canonical.context.begin(), context->begin(), context->end());
      }
      Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, canonical);
      if (tree.empty()) {
        ++without_output;
        if (!matcher) continue;
        std::vector<std::uint32_t> bitmask(bitmask_words(world.info.vocab_size()));
        if (matcher->fill_next_token_bitmask(bitmask) != Step::kOk) continue;
        EXPECT_TRUE(std::ranges::all_of(bitmask, [](std::uint32_t word) { return word == 0; }));
        continue;
      }
      ASSERT_TRUE(matcher.has_value()) << matcher.error().message;
      CanonicalCheckOptions options;
      options.max_prefixes = 100;
      options.seed = number;
      CanonicalCheck check(*matcher, tree, options);
      check.run();
      ++tally.worlds;
      tally.prefixes += check.prefixes();
    }
    // Contexts that are not a prefix of any canonical sequence.
    for (int i = 0; i < 3 && !enough_failures(); ++i) {
      TokenIds context;
      for (std::size_t k = 0, size = 2 + random() % 2; k < size; ++k) {
        context.push_back(static_cast<std::uint32_t>(random() % world.plain->spec().tokens.size()));
      }
      const std::string text = world.plain->decode(context);
      if (std::ranges::any_of(text, [](char byte) { return static_cast<unsigned char>(byte) >= 0x80; })) continue;
      const std::vector<std::string> after = texts_up_to(characters, characters.size() <= 2 ? 6 : 4);
      const auto viable = [&](const TokenIds& prefix) {
        return std::ranges::any_of(after, [&](const std::string& rest) {
          const std::optional<TokenIds> ids = world.plain->tokenize(world.plain->decode(prefix) + rest);
          return ids && std::ranges::mismatch(prefix, *ids).in1 == prefix.end();
        });
      };
      std::size_t first_bad = 0;
      while (first_bad < context.size() &&
             viable(TokenIds(context.begin(), context.begin() + static_cast<std::ptrdiff_t>(first_bad) + 1)))
        ++first_bad;
      if (first_bad == context.size()) continue;
      canonical.context = context;
      SCOPED_TRACE("context " + shown_ids(world.info, context));
      const Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, canonical);
      if (!matcher) {
        ++refused;
        if (matcher.error().code == ErrorCode::kUnsatisfiable) continue;  // each pair of its tokens is possible
        EXPECT_EQ(matcher.error().code, ErrorCode::kInvalidArgument) << matcher.error().message;
        EXPECT_GE(matcher.error().where.start, first_bad);
        EXPECT_LT(matcher.error().where.start, context.size());
        continue;
      }
      // The engine checks contexts by pairs of tokens. If it accepts a bad context, no token may be allowed.
      ++not_refused;
      GrammarMatcher empty = *matcher;
      const std::vector<bool> mask = mask_of(empty);
      EXPECT_TRUE(tokens_of(mask).empty()) << shown_ids(world.info, tokens_of(mask));
    }
  });
  std::printf("%llu contexts without output, %llu refused, %llu bad ones not refused\n",
              static_cast<unsigned long long>(without_output), static_cast<unsigned long long>(refused),
              static_cast<unsigned long long>(not_refused));
  EXPECT_GT(refused, 10 * not_refused);
}

// Texts with characters that no token has. The tokenizer writes no tokens for such a text.
TEST(CanonicalWorlds, CharactersWithoutTokens) {
  Tally tally;
  for_each_world(tests::rounds(200U), [&](std::uint32_t number) {
    std::mt19937 random(9000 + number);
    const Characters& characters = alphabets()[random() % alphabets().size()];
    Characters more = characters;
    more.push_back(number % 2 == 0 ? "x" : "ü");
    SmallWorldOptions options;
    options.characters = characters;
    options.kind = static_cast<VocabularyKind>(random() % 2);
    options.merges = static_cast<std::uint32_t>(random() % 10);
    options.steps = {isolated(covering_patterns()[random() % covering_patterns().size()])};
    const SmallWorld world = make_world(random_vocabulary(random, options), "without " + more.back());
    CanonicalCheckOptions check;
    check.max_prefixes = 150;
    check.seed = number;
    check_world(world, random_language(random, more, 100), tally, check);
  });
}

// JSON texts, with tokens that cross quotes, escapes and white space.
TEST(CanonicalWorlds, JsonEnums) {
  Tally tally;
  const std::vector<std::string> values = {"a", "ab", "b a", "é", "你好", "a\nb", "\"", "\\", "", " ", "😀", "aé", "12"};
  for_each_world(tests::rounds(60U), [&](std::uint32_t number) {
    std::mt19937 random(6000 + number);
    nlohmann::json chosen = nlohmann::json::array();
    std::set<std::string> texts;
    const bool in_object = random() % 2 == 0;
    const std::size_t layout = random() % 3;
    for (const std::string& value : values) {
      if (random() % 2 == 0) chosen.push_back(value);
    }
    if (chosen.empty()) chosen.push_back("a");
    for (const char* word : {"true", "null"}) {
      if (random() % 3 == 0) chosen.push_back(nlohmann::json::parse(word));
    }
    const std::string space = layout == 0 ? "" : " ";
    for (const nlohmann::json& value : chosen) {
      const std::string text = value.dump();
      texts.insert(!in_object ? text : layout == 2 ? "{\n  \"a\": " + text + "\n}" : "{\"a\":" + space + text + "}");
    }
    nlohmann::json schema = {{"enum", chosen}};
    if (in_object)
      schema = {
          {"type", "object"}, {"properties", {{"a", schema}}}, {"required", {"a"}}, {"additionalProperties", false}};
    JsonSchemaOptions options;
    using Whitespace = JsonSchemaOptions::Whitespace;
    options.whitespace = layout == 0 ? Whitespace::kNone : layout == 1 ? Whitespace::kCompact : Whitespace::kIndented;
    options.escapes = JsonSchemaOptions::Escapes::kRequired;
    const Result<Grammar> grammar = Grammar::from_json_schema(schema.dump(), options);
    ASSERT_TRUE(grammar.has_value()) << grammar.error().message;
    SmallWorldOptions world_options;
    world_options.characters = {"\"", "\\", "{", "}", ":", "a", "b", " ", "\n", "n", "é",
                                "你", "好", "😀", "1", "2", "t", "r", "u", "e",  "l"};
    world_options.kind = static_cast<VocabularyKind>(random() % 3);
    world_options.merges = 40;
    world_options.extra_tokens = 6;
    world_options.whole_pieces = random() % 2 == 0;
    if (random() % 3 != 0) world_options.steps = {isolated(random() % 2 == 0 ? kGpt2 : kCl100k)};
    const SmallWorld world =
        make_world(random_vocabulary(random, world_options), std::string(to_string(world_options.kind)));
    check_world(world, {schema.dump(), *grammar, {texts.begin(), texts.end()}}, tally);
  });
}

// The masks of a tree of drafted tokens are the masks of its nodes.
TEST(CanonicalWorlds, DraftTrees) {
  for_each_world(tests::rounds(100U), [&](std::uint32_t number) {
    std::mt19937 random(7000 + number);
    const Characters& characters = alphabets()[random() % alphabets().size()];
    const SmallWorld world = random_world(random, characters);
    const FiniteLanguage language = random_language(random, characters, 100);
    SCOPED_TRACE(world.name);
    SCOPED_TRACE(language.name);
    const oracle::SequenceTree tree = sequences_of(world, language.texts);
    if (tree.empty()) return;
    GrammarMatcher matcher = canonical_matcher(compiled_for_test(world.info, language.grammar, language.name));
    TokenIds tokens;
    std::vector<std::int32_t> parents;
    for (std::int32_t i = 0; i < 40; ++i) {
      tokens.push_back(static_cast<std::uint32_t>(random() % world.plain->spec().tokens.size()));
      parents.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(i + 1)) - 1);
    }
    const std::size_t words = bitmask_words(world.info.vocab_size());
    std::vector<std::uint32_t> bitmasks(tokens.size() * words, 0xFFFFFFFFU);
    std::vector<Step> steps(tokens.size());
    ASSERT_EQ(matcher.fill_draft_tree_bitmasks(tokens, parents, bitmasks, steps), Step::kOk);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      TokenIds path;
      for (std::int32_t at = static_cast<std::int32_t>(i); at >= 0; at = parents[static_cast<std::size_t>(at)]) {
        path.insert(path.begin(), tokens[static_cast<std::size_t>(at)]);
      }
      const std::optional<std::size_t> node = tree.find(path);
      ASSERT_EQ(steps[i] == Step::kOk, node.has_value()) << shown_ids(world.info, path);
      std::vector<std::uint32_t> expected(words);
      if (node) {
        for (const auto& [token, child] : tree.nodes()[*node].children) expected[token / 32] |= 1U << (token % 32);
        if (tree.nodes()[*node].member) {
          for (const std::uint32_t stop : world.info.stop_token_ids()) expected[stop / 32] |= 1U << (stop % 32);
        }
      }
      const std::vector<std::uint32_t> found(bitmasks.begin() + static_cast<std::ptrdiff_t>(i * words),
                                             bitmasks.begin() + static_cast<std::ptrdiff_t>((i + 1) * words));
      ASSERT_EQ(found, expected) << shown_ids(world.info, path);
    }
    EXPECT_EQ(matcher.step_count(), 0U);
  });
}

// --- SentencePiece ---

// Returns a tokenizer.json like Llama 2's: a space before the text, spaces as U+2581, and byte tokens for characters
// that have no token.
std::string sentencepiece_json(const oracle::BpeTokenizerSpec& spec) {
  nlohmann::json vocab = nlohmann::json::object(), merges = nlohmann::json::array();
  vocab["<unk>"] = 0;
  for (std::uint32_t id = 1; id < spec.tokens.size(); ++id) vocab[spec.tokens[id]] = id;
  for (const auto& [left, right] : spec.merges) merges.push_back({left, right});
  nlohmann::json added = nlohmann::json::array();
  added.push_back({{"id", 0}, {"content", "<unk>"}, {"special", true}});
  added.push_back({{"id", spec.tokens.size()}, {"content", "</s>"}, {"special", true}});
  const std::string symbol = spec.space_symbol;
  const nlohmann::json pattern = {{"String", " "}};
  const nlohmann::json back = {{"String", symbol}};
  const nlohmann::json file = {{"version", "1.0"},
                               {"added_tokens", added},
                               {"normalizer",
                                {{"type", "Sequence"},
                                 {"normalizers",
                                  {{{"type", "Prepend"}, {"prepend", symbol}},
                                   {{"type", "Replace"}, {"pattern", pattern}, {"content", symbol}}}}}},
                               {"pre_tokenizer", nullptr},
                               {"decoder",
                                {{"type", "Sequence"},
                                 {"decoders",
                                  {{{"type", "Replace"}, {"pattern", back}, {"content", " "}},
                                   {{"type", "ByteFallback"}},
                                   {{"type", "Fuse"}},
                                   {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}}},
                               {"model",
                                {{"type", "BPE"},
                                 {"unk_token", "<unk>"},
                                 {"byte_fallback", true},
                                 {"fuse_unk", true},
                                 {"vocab", vocab},
                                 {"merges", merges}}}};
  return file.dump();
}

TEST(CanonicalWorlds, SentencePieceWorlds) {
  Tally tally;
  const std::string symbol = "▁";
  const Characters characters = {"a", "b", " ", "é", "\n"};  // é and \n have no token
  for_each_world(tests::rounds(150U), [&](std::uint32_t number) {
    std::mt19937 random(8000 + number);
    oracle::BpeTokenizerSpec spec;
    spec.unit = oracle::BpeTokenizerSpec::Unit::kCharacter;
    spec.space_symbol = symbol;
    spec.tokens = {"", "a", "b", symbol};
    for (std::uint32_t tries = 0, merges = static_cast<std::uint32_t>(random() % 12);
         spec.merges.size() < merges && tries < 100; ++tries) {
      const std::string left = spec.tokens[1 + random() % (spec.tokens.size() - 1)];
      const std::string right = spec.tokens[1 + random() % (spec.tokens.size() - 1)];
      if (left.size() + right.size() > 12 || std::ranges::find(spec.tokens, left + right) != spec.tokens.end())
        continue;
      spec.merges.emplace_back(left, right);
      spec.tokens.push_back(left + right);
    }
    for (unsigned byte = 0; byte < 256; ++byte) {
      const std::string_view digits = "0123456789ABCDEF";
      spec.byte_tokens[static_cast<unsigned char>(byte)] = static_cast<std::uint32_t>(spec.tokens.size());
      spec.tokens.push_back(std::string("<0x") + digits[byte / 16] + digits[byte % 16] + ">");
    }
    TokenizerOptions options;
    options.stop_token_ids = {static_cast<std::uint32_t>(spec.tokens.size())};
    const Result<TokenizerInfo> info = TokenizerInfo::from_bytes(sentencepiece_json(spec), "small", options);
    ASSERT_TRUE(info.has_value()) << info.error().message;
    std::string name = "SentencePiece; merges";
    for (const auto& [left, right] : spec.merges) name += " " + left + "+" + right;
    const SmallWorld world{std::make_shared<const oracle::BpeTokenizer>(spec), *info, name};
    Characters drawn = characters;
    if (number % 4 == 0) drawn.push_back(symbol);  // decodes to a space
    const FiniteLanguage language = random_language(random, drawn, 100);
    MatcherOptions canonical;
    canonical.tokenization = Tokenization::kCanonical;
    const CompiledGrammar compiled = compiled_for_test(world.info, language.grammar, language.name);
    if (const Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, canonical);
        !matcher && matcher.error().code == ErrorCode::kUnsupported) {
      if (number == 0) std::printf("SentencePiece: %s\n", matcher.error().message.c_str());
      return;
    }
    check_world(world, language, tally);
    if (number % 3 == 0) check_budgets(world, language, random, tally);
    for (int i = 0; i < 3; ++i) check_bounded_rules(world, drawn, random, tally);
  });
  if (tally.worlds == 0) GTEST_SKIP() << "SentencePiece has no canonical masks";
}

// --- Refusals ---

std::optional<Error> refusal(const TokenizerInfo& info, std::string_view ebnf = "root ::= [ab]*") {
  const Result<CompiledGrammar> compiled = GrammarCompiler(info).compile_ebnf(ebnf);
  if (!compiled) {
    ADD_FAILURE() << compiled.error().message;
    return std::nullopt;
  }
  MatcherOptions options;
  options.tokenization = Tokenization::kCanonical;
  const Result<GrammarMatcher> matcher = GrammarMatcher::create(*compiled, options);
  if (matcher) return std::nullopt;
  // The constructor reports no error, but the matcher refuses every step.
  GrammarMatcher refused(*compiled, options);
  std::vector<std::uint32_t> bitmask(bitmask_words(info.vocab_size()), 0xFFFFFFFFU);
  EXPECT_EQ(refused.fill_next_token_bitmask(bitmask), Step::kBadArgument);
  EXPECT_TRUE(std::ranges::all_of(bitmask, [](std::uint32_t word) { return word == 0; }));
  EXPECT_EQ(refused.accept_token(0), Step::kBadArgument);
  EXPECT_EQ(refused.accept_text("a"), Step::kBadArgument);
  return matcher.error();
}

TokenizerInfo changed_tokenizer(const std::function<void(nlohmann::json&)>& change) {
  oracle::BpeTokenizerSpec spec;
  spec.tokens = {"a", "b", "ab"};
  spec.merges = {{"a", "b"}};
  nlohmann::json file = nlohmann::json::parse(tokenizer_json(spec));
  change(file);
  const Result<TokenizerInfo> info = TokenizerInfo::from_bytes(file.dump(), "changed");
  if (info) return *info;
  ADD_FAILURE() << info.error().message;
  return TokenizerInfo::builtin();
}

TEST(CanonicalWorlds, RefusesWhatItCannotDo) {
  using Json = nlohmann::json;
  EXPECT_EQ(refusal(changed_tokenizer([](Json&) {})), std::nullopt);
  EXPECT_EQ(refusal(TokenizerInfo::builtin()), std::nullopt) << "byte-level BPE";
  const auto expect_unsupported = [](const char* what, const std::optional<Error>& error) {
    SCOPED_TRACE(what);
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->code, ErrorCode::kUnsupported);
    EXPECT_FALSE(error->message.empty());
  };
  expect_unsupported("dropout", refusal(changed_tokenizer([](Json& file) { file["model"]["dropout"] = 0.1; })));
  expect_unsupported("lowercase", refusal(changed_tokenizer([](Json& file) {
                       file["normalizer"] = {{"type", "Lowercase"}};
                     })));
  const auto split = [](const char* pattern, const char* behavior) {
    return changed_tokenizer([&](Json& file) {
      Json& steps = file["pre_tokenizer"]["pretokenizers"];
      steps.insert(steps.begin(), Json{{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", behavior}});
    });
  };
  EXPECT_EQ(refusal(split("a+", "Isolated")), std::nullopt);
  expect_unsupported("removed", refusal(split(" ", "Removed")));
  expect_unsupported("look-behind", refusal(split("(?<=a)b", "Isolated")));
  expect_unsupported("anchor of the beginning", refusal(split("^a+|b", "Isolated")));
  expect_unsupported("back-reference", refusal(split(R"((a|b)\1)", "Isolated")));
  const char* unigram =
      R"({"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": null, "decoder": null,
          "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -2.0], ["b", -2.0], ["ab", -1.0]]}})";
  const Result<TokenizerInfo> viterbi = TokenizerInfo::from_bytes(unigram, "unigram");
  ASSERT_TRUE(viterbi.has_value()) << viterbi.error().message;
  expect_unsupported("Unigram", refusal(*viterbi));
  const char* word_piece =
      R"({"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": null,
          "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": false},
          "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "a": 1, "b": 2, "##b": 3, "##a": 4}}})";
  const Result<TokenizerInfo> words = TokenizerInfo::from_bytes(word_piece, "words");
  ASSERT_TRUE(words.has_value()) << words.error().message;
  expect_unsupported("WordPiece", refusal(*words));
  {
    oracle::BpeTokenizerSpec spec;
    spec.tokens = {"a", "b", "ab"};
    spec.merges = {{"a", "b"}};
    TokenizerOptions options;
    options.stop_token_ids = {2};
    const Result<TokenizerInfo> stops = TokenizerInfo::from_bytes(tokenizer_json(spec), "stops", options);
    ASSERT_TRUE(stops.has_value()) << stops.error().message;
    expect_unsupported("a stop token that is text", refusal(*stops));
  }
  EXPECT_EQ(refusal(changed_tokenizer([](Json&) {}), "root ::= @max_tokens(3: [ab]*) \"a\""), std::nullopt);
}

TEST(CanonicalWorlds, BytesAndBadArgumentsChangeNothing) {
  const TokenizerInfo info = changed_tokenizer([](nlohmann::json&) {});
  GrammarMatcher matcher = canonical_matcher(*GrammarCompiler(info).compile_ebnf("root ::= [ab]{2,4}"));
  ASSERT_EQ(matcher.accept_text("ab"), Step::kOk);
  const std::vector<bool> mask = mask_of(matcher);
  EXPECT_EQ(matcher.accept_bytes("a"), Step::kBadArgument);
  EXPECT_EQ(matcher.accept_token(1000), Step::kBadArgument);
  EXPECT_EQ(matcher.rollback(2), Step::kBadArgument);
  EXPECT_EQ(matcher.accept_text("\xFF"), Step::kBadArgument) << "no token has this byte";
  EXPECT_EQ(matcher.accept_text("aabb"), Step::kRefused) << "too long";
  EXPECT_EQ(matcher.step_count(), 1U);
  EXPECT_EQ(matcher.text(), "ab");
  EXPECT_TRUE(mask_of(matcher) == mask);
  EXPECT_EQ(matcher.accept_text("ab"), Step::kOk);
  EXPECT_EQ(matcher.text(), "abab");
  matcher.reset();
  EXPECT_EQ(matcher.accept_text("a"), Step::kOk);
  EXPECT_EQ(matcher.accept_text("b"), Step::kRefused) << "the tokenizer writes `a` `b` as `ab`";
  EXPECT_EQ(matcher.text(), "a");
}

TEST(CanonicalWorlds, ARefusalIsExplained) {
  const TokenizerInfo info = changed_tokenizer([](nlohmann::json&) {});
  GrammarMatcher matcher = canonical_matcher(*GrammarCompiler(info).compile_ebnf("root ::= [ab]{2,4}"));
  const Result<std::vector<std::uint32_t>> b = info.tokenize("b");
  ASSERT_TRUE(b.has_value() && b->size() == 1);
  EXPECT_TRUE(matcher.explain(b->front()).allowed);
  ASSERT_EQ(matcher.accept_text("a"), Step::kOk);
  const TokenExplanation why = matcher.explain(b->front());
  EXPECT_FALSE(why.allowed);
  EXPECT_EQ(why.reason, "the tokenizer writes `a` `b` as `ab`");
}

// The tokens `d` `abc` are two, but the tokenizer writes `d` `ab` `c`.
TEST(CanonicalWorlds, ABoundThatRefusesCanonicalTokensAloneIsNamed) {
  oracle::BpeTokenizerSpec spec;
  spec.tokens = {"a", "b", "c", "d", "ab", "bc", "abc"};
  spec.merges = {{"a", "b"}, {"b", "c"}, {"a", "bc"}};
  const Result<TokenizerInfo> info = TokenizerInfo::from_bytes(tokenizer_json(spec), "small");
  ASSERT_TRUE(info.has_value()) << info.error().message;
  const CompiledGrammar compiled =
      *GrammarCompiler(*info).compile_ebnf("root ::= x\nx ::= @max_tokens(2: \"dabc\" | \"ab\")");
  constexpr std::uint32_t kD = 3;
  EXPECT_TRUE(GrammarMatcher(compiled).is_token_allowed(kD));
  GrammarMatcher matcher = canonical_matcher(compiled);
  EXPECT_FALSE(matcher.is_token_allowed(kD));
  EXPECT_EQ(matcher.explain(kD).reason, "`max_tokens` 2 of `x.max_tokens` leaves no room to end after it");
  EXPECT_EQ(matcher.accept_text("ab"), Step::kOk);
  EXPECT_TRUE(matcher.is_completed());
}

}  // namespace
}  // namespace weir::testing
