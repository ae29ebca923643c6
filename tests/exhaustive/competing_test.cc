// Compares the competing terminals of Lark grammars, with longest and shortest matches, with the oracle of such lexers.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/competing.h"
#include "property/harness.h"
#include "weir/check.h"

namespace weir::testing {
namespace {

using oracle::CompetingGrammar;

constexpr int kGrammars = 1500;
constexpr std::size_t kLength = 5;  // longest text whose mask is compared
constexpr std::size_t kBound = 10;  // members up to this length witness viability

const oracle::Vocabulary& vocabulary() {
  static const oracle::Vocabulary v{{"a", "b", "ab", "ba", "aab", "bb", ""}, {6}};
  return v;
}

// Returns a random grammar of two or three terminals, in one to three sequences of up to three terminals. No terminal
// matches the empty text. Sometimes there is also an ignored terminal.
CompetingGrammar random_grammar(std::minstd_rand& random) {
  using namespace oracle;
  static const std::vector<RegexPtr> pool{
      set_of("a"),
      set_of("b"),
      literal("ab"),
      literal("ba"),
      literal("aab"),
      repeat(set_of("a"), 1, kUnbounded),
      repeat(set_of("b"), 1, kUnbounded),
      repeat(set_of("ab"), 1, kUnbounded),
      repeat(literal("ab"), 1, kUnbounded),
      concat(repeat(set_of("a"), 0, 1), set_of("b")),
      concat(set_of("a"), repeat(set_of("b"), 0, 1)),
      concat(repeat(set_of("a"), 0, kUnbounded), set_of("b")),
      concat(set_of("a"), repeat(literal("ba"), 0, kUnbounded)),
      either(literal("a"), literal("abb")),
  };
  CompetingGrammar grammar;
  const std::size_t terminals = 2 + random() % 2;
  for (std::size_t t = 0; t < terminals; ++t) {
    grammar.terminals.push_back({pool[random() % pool.size()], random() % 4 == 0, false});
  }
  for (std::size_t n = 1 + random() % 3; n > 0; --n) {
    std::vector<std::size_t>& sequence = grammar.sequences.emplace_back();
    for (std::size_t k = 1 + random() % 3; k > 0; --k) sequence.push_back(random() % terminals);
  }
  if (random() % 3 == 0) grammar.terminals.push_back({pool[random() % pool.size()], false, true});
  return grammar;
}

class CompetingCheck {
 public:
  CompetingCheck() : compiler_(make_tokenizer(vocabulary())), strings_(oracle::all_strings("ab", kBound)) {}

  void check(const CompetingGrammar& grammar) {
    const std::string lark = oracle::to_lark(grammar, "abc");
    SCOPED_TRACE("\n" + lark);
    lexer_.emplace(grammar, "ab");
    members_.clear();
    viable_.clear();
    for (const std::string& text : strings_) {
      if (!lexer_->is_member(text)) continue;
      members_.insert(text);
      for (std::size_t n = 0; n <= text.size(); ++n) viable_.insert(text.substr(0, n));
    }
    const Result<CompiledGrammar> compiled = compiler_.compile_text(lark, {.syntax = GrammarSyntax::kLark});
    if (members_.empty()) {
      // There may be members longer than the bound. So if there is an error, only its code is known.
      if (!compiled) {
        EXPECT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable) << compiled.error().message;
      }
      return;
    }
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    for (const std::string& text : strings_) {
      if (text.size() > kLength || enough_failures()) return;
      GrammarMatcher matcher(*compiled);
      const Step step = matcher.accept_bytes(text);
      if (viable_.contains(text)) {
        ASSERT_EQ(step, Step::kOk) << "'" << text << "' begins a member";
        ASSERT_EQ(matcher.is_completed(), members_.contains(text)) << "on '" << text << "'";
        check_mask(matcher, text);
        ++masks_;
      } else if (step == Step::kOk) {
        check_witness(matcher, text);
      }
    }
  }
  [[nodiscard]] int masks() const { return masks_; }

 private:
  void check_mask(GrammarMatcher& matcher, const std::string& text) {
    const std::vector<bool> mask = mask_of(matcher);
    for (std::uint32_t token = 0; token < mask.size(); ++token) {
      const std::string after = text + vocabulary().tokens[token];
      if (vocabulary().is_stop(token)) {
        ASSERT_EQ(mask[token], members_.contains(text)) << "stop token after '" << text << "'";
      } else if (viable_.contains(after)) {
        ASSERT_TRUE(mask[token]) << "masked, but '" << after << "' begins a member";
      } else if (mask[token]) {
        GrammarMatcher next = matcher.fork();
        ASSERT_EQ(next.accept_token(token), Step::kOk);
        check_witness(next, after);
      }
    }
  }

  // Called for a viable text that no member up to the bound extends: some longer member must extend it.
  void check_witness(GrammarMatcher& matcher, const std::string& text) {
    const std::optional<std::string> rest = matcher.shortest_completion();
    ASSERT_TRUE(rest.has_value()) << "'" << text << "' is allowed, but begins no member";
    ASSERT_TRUE(lexer_->is_member(text + *rest)) << "'" << text << *rest << "' is completed, but no member";
  }

  GrammarCompiler compiler_;
  std::vector<std::string> strings_;
  std::optional<oracle::CompetingLexer> lexer_;
  std::set<std::string> members_;
  std::set<std::string> viable_;
  int masks_ = 0;
};

TEST(ExhaustiveCompeting, Random) {
  CompetingCheck check;
  std::minstd_rand random(601);
  for (int i = 0; i < kGrammars && !enough_failures(); ++i) check.check(random_grammar(random));
  EXPECT_GT(check.masks(), kGrammars * 3) << "the grammars have too few texts to tell anything";
}

// Contents of a JSON string that are in the language, each character as itself or as an escape. A token may end within an
// escape, and may close the string.
const oracle::Vocabulary& spellings() {
  static const oracle::Vocabulary v{
      {"a", "b", "ab", "\\u0061", "\\u0062", "a\\u0062", "\\u006", "1", "2", "2b", "\"", "b\"", ""}, {12}};
  return v;
}

// What has been read of a string after its opening quote.
struct Spelled {
  std::string contents;
  bool is_closed = false, is_within = false;  // within: after `\u006`
};

// Returns nullopt if there is a character that is neither `a` nor `b`, or if text follows the string.
std::optional<Spelled> read_spelled(std::string_view text) {
  constexpr std::string_view kEscape = "\\u006";
  Spelled read;
  while (!text.empty()) {
    if (read.is_closed) return std::nullopt;
    if (text[0] == '"') {
      read.is_closed = true;
      text.remove_prefix(1);
    } else if (text[0] == 'a' || text[0] == 'b') {
      read.contents += text[0];
      text.remove_prefix(1);
    } else if (text.starts_with(kEscape)) {
      text.remove_prefix(kEscape.size());
      read.is_within = text.empty();
      if (read.is_within) return read;
      if (text[0] != '1' && text[0] != '2') return std::nullopt;
      read.contents += text[0] == '1' ? 'a' : 'b';
      text.remove_prefix(1);
    } else {
      return std::nullopt;
    }
  }
  return read;
}

// The same grammars within a JSON string: whether a lexeme goes on depends on the next character, however it is spelled.
TEST(ExhaustiveCompeting, WithinAJsonString) {
  const GrammarCompiler compiler(make_tokenizer(spellings()));
  const std::vector<std::string> strings = oracle::all_strings("ab", kBound);
  std::minstd_rand random(603);
  int masks = 0;
  for (int i = 0; i < kGrammars && !enough_failures(); ++i) {
    const CompetingGrammar grammar = random_grammar(random);
    const std::string lark = oracle::to_lark(grammar, "abc");
    SCOPED_TRACE("\n" + lark);
    const oracle::CompetingLexer lexer(grammar, "ab");
    std::set<std::string> members, viable;
    for (const std::string& text : strings) {
      if (!lexer.is_member(text)) continue;
      members.insert(text);
      for (std::size_t n = 0; n <= text.size(); ++n) viable.insert(text.substr(0, n));
    }
    if (members.empty()) continue;
    const nlohmann::json tag = {{"type", "structural_tag"},
                                {"format",
                                 {{"type", "sequence"},
                                  {"elements",
                                   {{{"type", "grammar"}, {"syntax", "lark"}, {"grammar", lark}, {"escapes", "json"}},
                                    {{"type", "const_string"}, {"value", "\""}}}}}}};
    const Result<CompiledGrammar> compiled = compiler.compile_structural_tag(tag.dump());
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    // Members beyond the bound witness that a text begins one, too.
    const auto is_allowed = [&](const std::string& text, bool mask_says, GrammarMatcher& matcher) {
      const std::optional<Spelled> read = read_spelled(text);
      if (!read) return false;
      if (read->is_closed) return members.contains(read->contents);
      const std::string& contents = read->contents;
      if (read->is_within ? viable.contains(contents + 'a') || viable.contains(contents + 'b')
                          : viable.contains(contents))
        return true;
      if (!mask_says) return false;
      const std::optional<std::string> rest = matcher.shortest_completion();
      const std::optional<Spelled> whole = rest ? read_spelled(text + *rest) : std::nullopt;
      return whole && whole->is_closed && lexer.is_member(whole->contents);
    };
    for (const std::string& contents : strings) {
      if (contents.size() > kLength - 1 || enough_failures()) break;
      if (!viable.contains(contents)) continue;
      std::string text;
      for (const char c : contents) text += random() % 2 == 0 ? std::string(1, c) : c == 'a' ? "\\u0061" : "\\u0062";
      GrammarMatcher matcher(*compiled);
      ASSERT_EQ(matcher.accept_bytes(text), Step::kOk) << text;
      const std::vector<bool> mask = mask_of(matcher);
      ++masks;
      for (std::uint32_t token = 0; token + 1 < mask.size(); ++token) {
        const std::string after = text + spellings().tokens[token];
        GrammarMatcher next = matcher.fork();
        ASSERT_EQ(next.accept_token(token) == Step::kOk, mask[token]) << after;
        ASSERT_EQ(mask[token], is_allowed(after, mask[token], next)) << after;
      }
    }
  }
  EXPECT_GT(masks, kGrammars) << "the grammars have too few texts to tell anything";
}

// Returns the terminals that a warning is about; weir treats equal terminals as one. A warning shows either the name of
// the terminal, which contains its number, or its expression, whose line begins with the name. Ignored terminals are in
// no sequence, so none are returned for them.
std::set<std::size_t> terminals_at(SourceRange where, const std::string& lark, const CompetingGrammar& grammar) {
  const bool is_expression = lark[where.start] == '/';
  const std::size_t named = is_expression ? lark.rfind('\n', where.start) + 1 : where.start;
  if (lark[named] == '%') return {};
  const std::size_t number = std::stoul(lark.substr(named + 1));
  const auto spelled = [&](std::size_t t) {
    return oracle::print(*grammar.terminals[t].regex, oracle::Syntax::kRegex, oracle::Groups::kNeeded, "abc");
  };
  std::set<std::size_t> equal;
  for (std::size_t t = 0; t < grammar.terminals.size(); ++t) {
    const bool is_alike = grammar.terminals[t].shortest == grammar.terminals[number].shortest;
    if (is_alike && spelled(t) == spelled(number)) equal.insert(t);
  }
  return equal;
}

// Checks that a warning about a terminal is true: no text is read with a sequence that contains the terminal. A `z`,
// with which no terminal can continue, is appended to such sequences to distinguish their readings from the others.
TEST(ExhaustiveCompeting, ShadowedTerminalsTakeNoText) {
  std::minstd_rand random(602);
  const std::vector<std::string> texts = oracle::all_strings("ab", kBound - 2);
  int warnings = 0;
  for (int i = 0; i < kGrammars && !enough_failures(); ++i) {
    const CompetingGrammar grammar = random_grammar(random);
    const std::string lark = oracle::to_lark(grammar, "abc");
    SCOPED_TRACE("\n" + lark);
    for (const Diagnostic& warning : check_grammar(lark, {.syntax = GrammarSyntax::kLark})) {
      if (warning.code != "shadowed-terminal") continue;
      ++warnings;
      const std::set<std::size_t> shadowed = terminals_at(warning.where, lark, grammar);
      CompetingGrammar marked = grammar;
      marked.terminals.push_back({oracle::set_of("z")});
      for (std::vector<std::size_t>& sequence : marked.sequences) {
        const auto is_shadowed = [&](std::size_t t) { return shadowed.contains(t); };
        if (std::any_of(sequence.begin(), sequence.end(), is_shadowed)) sequence.push_back(grammar.terminals.size());
      }
      const oracle::CompetingLexer lexer(marked, "abz");
      for (const std::string& text : texts)
        ASSERT_FALSE(lexer.is_member(text + "z")) << warning.message << ": " << text;
    }
  }
  EXPECT_GT(warnings, kGrammars / 15) << "too few to tell anything";
}

}  // namespace
}  // namespace weir::testing
