// Compares indexes of small languages over real vocabularies with all segmentations of all texts.
#include "token_languages/token_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "canonical/canonical_automaton.h"
#include "canonical/canonical_filter.h"
#include "shared_data.h"
#include "vocab/vocabulary.h"
#include "weir/token_dfa.h"
#include "weir/tokenizer_info.h"

namespace weir::token_languages {
namespace {

using canonical::CanonicalAutomaton;
using canonical::CanonicalFilter;
using Ids = std::vector<std::uint32_t>;

struct Case {
  const char* pattern;  // in a syntax that weir and std::regex share
  const char* units;    // of the tried texts: characters, or strings separated by `|`
  std::size_t longest;  // in units; longer texts are not tried
};
constexpr Case kCases[] = {
    {"(true|false|null)", "truefalsn", 5},
    {"[a-c]{1,4}", "abcd", 5},
    {"a*b?", "ab", 8},
    {" ?(the|a) (cat|dog)s?", "", 0},
    {"(ab|ba)*", "ab", 6},
    {"-?(0|[19][019]*)", "-019", 5},
    {"( |\\n)*x", " \nx", 6},
    {"(é|😀|▁|a){0,3}", "é|😀|▁|a", 3},
    {" ?(中|文| ){0,2}x?", "中|文| |x", 4},
    {"\"([a-b ]|\\\\[\\\\\"])*\"", "\"\\ab ", 5},
};
// Returns the texts that are tried for the case without units.
std::vector<std::string> sentences() {
  std::vector<std::string> out;
  for (const std::string space : {"", " "}) {
    for (const std::string article : {"the ", "a "}) {
      for (const std::string noun : {"cat", "dog", "cats", "dogs", "catss"}) out.push_back(space + article + noun);
    }
  }
  return out;
}

std::vector<std::string> sequences_of_units(const Case& c) {
  std::set<std::string> units;
  const std::string listed = c.units;
  if (listed.find('|') == std::string::npos) {
    for (const char unit : listed) units.emplace(1, unit);
  } else {
    for (std::size_t begin = 0; begin < listed.size();) {
      const std::size_t end = std::min(listed.find('|', begin), listed.size());
      units.insert(listed.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  std::vector<std::string> texts{""};
  for (std::size_t length = 0, begin = 0; length < c.longest; ++length) {
    for (const std::size_t end = texts.size(); begin < end; ++begin) {
      for (const std::string& unit : units) texts.push_back(texts[begin] + unit);
    }
  }
  return texts;
}

std::vector<std::string> texts_of(const Case& c) {
  std::vector<std::string> texts;
  const std::regex matcher(c.pattern);
  const std::vector<std::string> tried = *c.units == '\0' ? sentences() : sequences_of_units(c);
  for (const std::string& text : tried) {
    if (std::regex_match(text, matcher)) texts.push_back(text);
  }
  return texts;
}

// Finds all sequences of tokens that decode to a text, by trying each token at each position.
class Segmentations {
 public:
  explicit Segmentations(const TokenizerInfo& tokenizer) : tokenizer_(tokenizer) {
    for (std::uint32_t id = 0; id < tokenizer.vocab_size(); ++id) {
      const TokenKind kind = tokenizer.token_kind(id);
      const auto stops = tokenizer.stop_token_ids();
      if (kind != TokenKind::kNormal && kind != TokenKind::kByte) continue;
      if (std::find(stops.begin(), stops.end(), id) != stops.end()) continue;
      if (!tokenizer.token_bytes(id).empty()) later_[tokenizer.token_bytes(id)].push_back(id);
      // The first token may lose all its bytes. A token that has no bytes anywhere is in no index.
      if (!tokenizer.token_bytes(id).empty()) first_[tokenizer.first_token_bytes(id)].push_back(id);
    }
  }
  std::set<Ids> of(const std::string& text) const {
    std::set<Ids> found;
    Ids ids;
    extend(text, 0, true, ids, found);
    return found;
  }

 private:
  void extend(const std::string& text, std::size_t at, bool is_first, Ids& ids, std::set<Ids>& found) const {
    if (at == text.size()) found.insert(ids);
    const auto& tokens = is_first ? first_ : later_;
    for (std::size_t length = is_first ? 0 : 1; at + length <= text.size(); ++length) {
      const auto listed = tokens.find(std::string_view(text).substr(at, length));
      if (listed == tokens.end()) continue;
      for (const std::uint32_t id : listed->second) {
        ids.push_back(id);
        if (tokenizer_.decode(ids) == text.substr(0, at + length)) {
          const bool repeats = length == 0 && tokenizer_.vocabulary().first_token_rule_repeats();
          if (!(repeats && ids.size() > 3)) extend(text, at + length, repeats, ids, found);
        }
        ids.pop_back();
      }
    }
  }

  const TokenizerInfo& tokenizer_;
  std::map<std::string_view, Ids> first_, later_;
};

// Returns the sequences of the index whose text has at most `longest` bytes. Of those without text, returns only those
// with at most `most_empty` tokens.
std::set<Ids> sequences_of(const TokenIndex& index, const TokenizerInfo& tokenizer, std::size_t longest,
                           std::size_t most_empty) {
  std::set<Ids> found;
  struct Open {
    DfaState state;
    Ids ids;
  };
  std::vector<Open> open{{DfaState::kStart, {}}};
  while (!open.empty()) {
    const Open from = std::move(open.back());
    open.pop_back();
    if (index.accepts(from.state)) found.insert(from.ids);
    for (const TokenIndex::Way& way : index.ways(from.state)) {
      for (const std::uint32_t token : index.tokens(way.set)) {
        Ids ids = from.ids;
        ids.push_back(token);
        const std::string text = tokenizer.decode(ids);
        if (text.size() > longest || (text.empty() && ids.size() > most_empty)) continue;
        open.push_back({way.target, std::move(ids)});
      }
    }
  }
  return found;
}

std::vector<TokenizerInfo> tokenizers() {
  std::vector<TokenizerInfo> out{TokenizerInfo::builtin()};
  for (const char* name : {"gpt2.tiktoken", "o200k_base.tiktoken", "gguf/ggml-vocab-llama-spm.gguf",
                           "gguf/ggml-vocab-llama-bpe.gguf", "gguf/ggml-vocab-deepseek-llm.gguf"}) {
    const auto path = tests::shared_data() / "tokenizers" / name;
    if (std::filesystem::exists(path)) out.push_back(TokenizerInfo::from_file(path.string()).value());
  }
  VocabSpec spec{
      {" ", " a", "a", "b", "ab", " ab", "t", "r", "u", "e", "true", "x", "\n", " \n", "0", "1", "9", "-", "</s>"}};
  spec.special_token_ids = spec.stop_token_ids = {18};
  spec.drops_leading_space = true;
  out.push_back(TokenizerInfo::from_vocab(spec).value());
  return out;
}

TEST(TokenIndex, HasAllSegmentations) {
  std::size_t sequences = 0;
  for (const TokenizerInfo& tokenizer : tokenizers()) {
    const Segmentations segmentations(tokenizer);
    for (const Case& c : kCases) {
      const std::vector<std::string> texts = texts_of(c);
      std::set<Ids> want;
      std::size_t longest = 0;
      for (const std::string& text : texts) {
        want.merge(segmentations.of(text));
        longest = std::max(longest, text.size());
      }
      const Result<TokenIndex> index =
          TokenIndex::build(byte_dfa(c.pattern).value(), tokenizer.vocabulary(), nullptr, {});
      if (!index) {
        ASSERT_EQ(index.error().code, ErrorCode::kUnsatisfiable);
        ASSERT_TRUE(want.empty()) << c.pattern;
        continue;
      }
      ASSERT_EQ(sequences_of(*index, tokenizer, longest, 3), want) << c.pattern << " " << tokenizer.kind();
      sequences += want.size();
    }
  }
  EXPECT_GT(sequences, 5'000U);
}

// A canonical index has exactly the tokenizations of the texts that decode to themselves.
TEST(TokenIndex, CanonicalOnesHaveWhatTheTokenizerWrites) {
  std::size_t sequences = 0;
  for (const TokenizerInfo& tokenizer : tokenizers()) {
    const auto automaton = CanonicalAutomaton::of(tokenizer.vocabulary());
    if (!automaton) {
      EXPECT_EQ(tokenizer.kind(), "token list") << automaton.error().message;
      continue;
    }
    for (const Case& c : kCases) {
      const std::vector<std::string> texts = texts_of(c);
      std::set<Ids> want;
      std::size_t longest = 0;
      for (const std::string& text : texts) {
        const Result<Ids> ids = tokenizer.tokenize(text);
        if (ids && tokenizer.decode(*ids) == text) want.insert(*ids);
        longest = std::max(longest, text.size());
      }
      CanonicalFilter filter(**automaton, tokenizer.vocabulary());
      const Result<TokenIndex> index =
          TokenIndex::build(byte_dfa(c.pattern).value(), tokenizer.vocabulary(), &filter, {});
      ASSERT_TRUE(index) << c.pattern << " " << index.error().message;
      ASSERT_EQ(sequences_of(*index, tokenizer, longest, 3), want) << c.pattern << " " << tokenizer.kind();
      for (std::uint32_t s = 0; s < index->state_count(); ++s) {
        ASSERT_TRUE(index->accepts(DfaState{s}) || !index->ways(DfaState{s}).empty());
      }
      sequences += want.size();
    }
  }
  EXPECT_GT(sequences, 500U);
}

}  // namespace
}  // namespace weir::token_languages
