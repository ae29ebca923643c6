#include "canonical/canonical_automaton.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "vocab/normalizers/normalizers.h"
#include "vocab/segmenters/bpe.h"
#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/pre_tokenizer_steps.h"
#include "vocab/segmenters/sentencepiece_segmenter.h"
#include "vocab/segmenters/spm_bpe.h"
#include "vocab/segmenters/unigram.h"
#include "vocab/segmenters/wordpiece.h"
#include "weir/bitmask.h"
#include "weir/tokenizer_info.h"

namespace weir::canonical {
namespace {

using vocab::Vocabulary;
using VocabularyPtr = std::shared_ptr<const Vocabulary>;

const std::vector<std::string> kTokens = {"a", "b", " ", "ab", " a", "aba"};

VocabularyPtr make(vocab::PipelineSpec spec, std::vector<std::string> tokens = kTokens, bool drops_space = false) {
  vocab::VocabularySource source;
  source.kind = "test";
  source.token_kinds.assign(tokens.size(), TokenKind::kNormal);
  source.token_bytes = std::move(tokens);
  source.token_bytes.emplace_back();
  source.token_names = source.token_bytes;
  source.token_names.back() = "<special>";
  source.token_kinds.push_back(TokenKind::kSpecial);
  if (drops_space) source.first_token = vocab::VocabularySource::FirstToken::kDropLeadingSpace;
  source.segmenter = vocab::make_pipeline(std::move(spec));
  auto vocabulary = Vocabulary::create(std::move(source), {});
  EXPECT_TRUE(vocabulary.has_value());
  return *vocabulary;
}

// By ranks, with one split pattern.
vocab::PipelineSpec ranks(const std::string& pattern = " ?[ab]+") {
  vocab::PipelineSpec spec;
  const std::vector<vocab::SplitPattern> patterns = {{pattern}};
  spec.pre_tokenizer = *vocab::PreTokenizer::from_patterns(patterns);
  spec.model = vocab::make_rank_bpe(kTokens);
  return spec;
}

std::string refusal(const VocabularyPtr& vocabulary) {
  const auto supported = canonical_support(*vocabulary);
  const auto automaton = CanonicalAutomaton::of(*vocabulary);
  EXPECT_EQ(supported.has_value(), automaton.has_value());
  if (automaton) return "supported";
  EXPECT_EQ(automaton.error().code, ErrorCode::kUnsupported);
  if (!supported) {
    EXPECT_EQ(supported.error().message, automaton.error().message);
  }
  return automaton.error().message;
}

TEST(CanonicalAutomaton, WalksWhatTheTokenizerWrites) {
  const TokenizerInfo info = TokenizerInfo::builtin();
  const auto automaton = CanonicalAutomaton::of(info.vocabulary());
  ASSERT_TRUE(automaton.has_value());
  const std::string text = "{\"name\": \"Größe\",  \"x\": [1, 22, 333]}\n\n";
  const auto ids = info.tokenize(text);
  ASSERT_TRUE(ids.has_value());
  CanonicalId state = (*automaton)->start();
  EXPECT_TRUE((*automaton)->may_end(state));
  std::vector<std::uint32_t> row(bitmask_words(info.vocab_size()));
  for (const std::uint32_t id : *ids) {
    (*automaton)->row(state, row);
    EXPECT_TRUE(bitmask_get(row, id));
    state = (*automaton)->step(state, id);
    ASSERT_NE(state, CanonicalId::kRefused);
    EXPECT_EQ((*automaton)->last_symbol(state), id);
  }
  EXPECT_TRUE((*automaton)->may_end(state));
  EXPECT_EQ((*automaton)->start(*ids).value(), state);
  EXPECT_EQ((*automaton)->start({}).value(), (*automaton)->start());
  EXPECT_GT((*automaton)->state_count(), ids->size() / 2);
  EXPECT_GT((*automaton)->memory_bytes(), 100'000U);
}

TEST(CanonicalAutomaton, ContextsThatAreNotCanonicalAreRefusedWithThePlace) {
  const VocabularyPtr vocabulary = make(ranks());
  const auto automaton = CanonicalAutomaton::of(*vocabulary);
  ASSERT_TRUE(automaton.has_value());
  const std::vector<std::uint32_t> apart = {2, 0, 1};  // " a" is one token
  const auto refused = (*automaton)->start(apart);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.error().where.start, 1U);
  const std::vector<std::uint32_t> unknown = {0, 99};
  EXPECT_EQ((*automaton)->start(unknown).error().where.start, 1U);
  // What stands before a special token does not matter.
  const std::vector<std::uint32_t> after_special = {2, 0, 1, 6, 4};
  EXPECT_TRUE((*automaton)->start(after_special).has_value());
  EXPECT_EQ((*automaton)->heal(apart).error().where.start, 1U);
}

TEST(CanonicalAutomaton, SpecialTokensAreInNoRow) {
  const VocabularyPtr vocabulary = make(ranks());
  const auto automaton = CanonicalAutomaton::of(*vocabulary);
  ASSERT_TRUE(automaton.has_value());
  EXPECT_EQ((*automaton)->step((*automaton)->start(), 6), CanonicalId::kRefused);
  EXPECT_EQ((*automaton)->restart(), (*automaton)->start());
  EXPECT_TRUE((*automaton)->places_after((*automaton)->start(), 6).empty());
}

TEST(CanonicalAutomaton, HealingTakesBackWhatFurtherTextCouldChange) {
  const VocabularyPtr vocabulary = make(ranks());
  const auto automaton = CanonicalAutomaton::of(*vocabulary);
  ASSERT_TRUE(automaton.has_value());
  const auto heal = [&](const std::vector<std::uint32_t>& context) {
    const auto healing = (*automaton)->heal(context);
    EXPECT_TRUE(healing.has_value());
    return *healing;
  };
  // `a` could become `ab`, and `aba` before `b` is `ab` `ab`. Nothing begins with `b` but itself.
  EXPECT_EQ(heal({4, 6, 0}).tokens, 1U);
  EXPECT_EQ(heal({4, 6, 0}).bytes, "a");
  EXPECT_EQ(heal({5}).bytes, "aba");
  EXPECT_EQ(heal({1}).tokens, 0U);
  EXPECT_EQ(heal({1, 5}).tokens, 1U);
  EXPECT_EQ(heal({}).tokens, 0U);
  EXPECT_EQ(heal({5, 2}).bytes, " ");
}

// The second byte of `é` merges with an `a` after it, so that byte's token alone would have to be taken back.
TEST(CanonicalAutomaton, HealingTakesBackWholeCharacters) {
  const std::vector<std::string> tokens = {"\xC3", "\xA9", "a", "\xA9\x61"};
  const std::vector<vocab::SplitPattern> patterns = {{"[éa]+"}};
  vocab::PipelineSpec spec;
  spec.pre_tokenizer = *vocab::PreTokenizer::from_patterns(patterns);
  spec.model = vocab::make_rank_bpe(tokens);
  const VocabularyPtr vocabulary = make(std::move(spec), tokens);
  const auto automaton = CanonicalAutomaton::of(*vocabulary);
  ASSERT_TRUE(automaton.has_value());
  for (const std::vector<std::uint32_t>& context : {std::vector<std::uint32_t>{0, 1}, {2, 0, 1}}) {
    const auto healing = (*automaton)->heal(context);
    ASSERT_TRUE(healing.has_value());
    EXPECT_EQ(healing->tokens, 2U);
    EXPECT_EQ(healing->bytes, "é");
  }
  const std::vector<std::uint32_t> inside = {2, 0};
  EXPECT_EQ((*automaton)->heal(inside)->tokens, 0U);
}

TEST(CanonicalAutomaton, BytesThatMergeWithNothingKeepTheLastToken) {
  const VocabularyPtr vocabulary = make(ranks());
  const auto automaton = CanonicalAutomaton::of(*vocabulary);
  ASSERT_TRUE(automaton.has_value());
  const CanonicalId a = (*automaton)->step((*automaton)->start(), 0);
  EXPECT_FALSE((*automaton)->keeping_bytes(a).contains('b'));
  EXPECT_TRUE((*automaton)->keeping_bytes(a).contains('a'));
  EXPECT_TRUE((*automaton)->keeping_bytes(a).contains(' '));
}

TEST(CanonicalAutomaton, WhatIsRefusedIsNamed) {
  EXPECT_EQ(refusal(make(ranks())), "supported");
  const auto names = [](const VocabularyPtr& vocabulary, std::string_view what) {
    const std::string message = refusal(vocabulary);
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  names(make(ranks("(?<=a)b")), "a look-behind");

  vocab::PipelineSpec lowercase = ranks();
  lowercase.normalizers = {vocab::make_lowercase()};
  names(make(std::move(lowercase)), "normalizer Lowercase");
  vocab::PipelineSpec replace = ranks();
  replace.normalizers = {vocab::make_replace("a", "b")};
  names(make(std::move(replace)), "normalizer Replace");
  vocab::PipelineSpec prepend = ranks();
  prepend.normalizers = {vocab::make_prepend(" ")};
  names(make(prepend), "decoding keeps it");
  EXPECT_EQ(refusal(make(prepend, kTokens, /*drops_space=*/true)), "supported");
  names(make(ranks(), kTokens, /*drops_space=*/true), "decoding drops a leading space");

  vocab::PipelineSpec added = prepend;
  added.added_tokens = {{"b", 1}};
  names(make(added, kTokens, /*drops_space=*/true), "added token `b`, after which a space");
  for (const char* option : {"single_word", "lstrip", "rstrip"}) {
    vocab::PipelineSpec stripping = ranks();
    vocab::AddedToken token{"b", 1};
    token.single_word = option == std::string_view("single_word");
    token.lstrip = option == std::string_view("lstrip");
    token.rstrip = option == std::string_view("rstrip");
    stripping.added_tokens = {token};
    names(make(std::move(stripping)), option);
  }
  vocab::PipelineSpec foreign = ranks();
  foreign.added_tokens = {{"x", 6}};
  names(make(std::move(foreign), {"a", "b", " ", "ab", " a", "aba", "x"}),
        "added token `x` with a character that no other token writes");

  vocab::PipelineSpec prefix_space = ranks();
  prefix_space.pre_tokenizer = vocab::PreTokenizer({vocab::make_prefix_space_step()});
  names(make(std::move(prefix_space)), "`add_prefix_space`");

  const std::vector<double> scores(kTokens.size(), -1.0);
  vocab::PipelineSpec unigram;
  vocab::UnigramSpec pieces;
  pieces.pieces.texts = kTokens;
  pieces.pieces.scores = scores;
  unigram.model = *vocab::make_unigram(pieces);
  names(make(std::move(unigram)), "the model is Unigram");
  vocab::PipelineSpec wordpiece;
  wordpiece.model = *vocab::make_wordpiece({.tokens = kTokens});
  names(make(std::move(wordpiece)), "the model is WordPiece");

  // Support is told before the automaton is made, and the same.
  const std::vector<std::string> pieces_with_unused = {"a", "\u2581", "aa"};
  const std::vector<double> piece_scores = {-2, -3, -1};
  const std::vector<vocab::PieceType> types = {vocab::PieceType::kNormal, vocab::PieceType::kNormal,
                                               vocab::PieceType::kUnused};
  vocab::VocabularySource with_unused;
  with_unused.token_bytes = {"a", " ", ""};
  with_unused.token_kinds = {TokenKind::kNormal, TokenKind::kNormal, TokenKind::kUnused};
  vocab::SentencePieceRules rules;
  rules.add_dummy_prefix = false;
  rules.remove_extra_whitespaces = false;
  with_unused.segmenter = vocab::make_sentencepiece_segmenter(
      vocab::SentencePieceNormalizer({}, rules),
      *vocab::make_spm_bpe({.texts = pieces_with_unused, .scores = piece_scores, .types = types}));
  const auto unused = Vocabulary::create(std::move(with_unused), {});
  ASSERT_TRUE(unused.has_value());
  EXPECT_FALSE(canonical_support(**unused).has_value());
  names(*unused, "unused piece 2, which merges pass through");

  const auto list = Vocabulary::create(VocabSpec{.tokens = kTokens}, {});
  ASSERT_TRUE(list.has_value());
  names(*list, "longest match with no token for the byte");
  vocab::VocabularySource source;
  source.token_bytes = kTokens;
  source.token_kinds.assign(kTokens.size(), TokenKind::kNormal);
  source.segmenter = vocab::make_unsupported_segmenter("the file lacks a pattern");
  const auto lacking = Vocabulary::create(std::move(source), {});
  ASSERT_TRUE(lacking.has_value());
  names(*lacking, "the file lacks a pattern");
}

// SentencePiece looks for them where spaces are symbols already.
TEST(CanonicalAutomaton, UserDefinedPiecesWithSpacesAreNeverWritten) {
  using enum vocab::PieceType;
  const std::vector<std::string> texts = {"a", "\u2581", "a a", "\u2581\u2581"};
  const std::vector<double> scores = {-1, -2, 0, 0};
  const std::vector<vocab::PieceType> types = {kNormal, kNormal, kUserDefined, kUserDefined};
  vocab::VocabularySource source;
  source.token_bytes = {"a", " ", "a a", "  "};
  source.token_kinds.assign(texts.size(), TokenKind::kNormal);
  vocab::SentencePieceRules rules;
  rules.add_dummy_prefix = false;
  rules.remove_extra_whitespaces = false;
  source.segmenter =
      vocab::make_sentencepiece_segmenter(vocab::SentencePieceNormalizer({}, rules),
                                          *vocab::make_spm_bpe({.texts = texts, .scores = scores, .types = types}));
  const auto vocabulary = Vocabulary::create(std::move(source), {});
  ASSERT_TRUE(vocabulary.has_value());
  const auto automaton = CanonicalAutomaton::of(**vocabulary);
  ASSERT_TRUE(automaton.has_value()) << automaton.error().message;
  EXPECT_EQ((*automaton)->step((*automaton)->start(), 2), CanonicalId::kRefused);
  for (const char* text : {"a a", "a  a a", "   a"}) {
    CanonicalId state = (*automaton)->start();
    const auto ids = (*vocabulary)->segmenter()->tokenize(text);
    ASSERT_TRUE(ids.has_value());
    for (const std::uint32_t token : *ids) {
      ASSERT_NE(state = (*automaton)->step(state, token), CanonicalId::kRefused) << text << ", token " << token;
    }
    EXPECT_TRUE((*automaton)->may_end(state)) << text;
  }
}

// Added tokens are searched for before the normalizer, or after it if they are normalized.
TEST(CanonicalAutomaton, AddedTokensWithSpacesAndSymbols) {
  struct Case {
    std::string added;
    bool normalized;
    bool is_written;
  };
  for (const Case& c : {Case{"a a", false, true}, Case{"a a", true, true}, Case{"a\u2581a", false, false},
                        Case{"a\u2581a", true, true}}) {
    const std::vector<std::string> tokens = {"a", "\u2581"};
    vocab::PipelineSpec spec;
    spec.normalizers.push_back(vocab::make_replace(" ", "\u2581"));
    vocab::MergeBpeSpec model;
    model.unit = vocab::MergeBpeSpec::Unit::kCharacter;
    model.tokens = tokens;
    spec.model = *vocab::make_merge_bpe(model);
    spec.added_tokens.push_back({.text = c.added, .id = 2, .normalized = c.normalized});
    const VocabularyPtr vocabulary = make(std::move(spec), {"a", " ", "a a"});
    const auto automaton = CanonicalAutomaton::of(*vocabulary);
    ASSERT_TRUE(automaton.has_value()) << automaton.error().message;
    const auto ids = vocabulary->segmenter()->tokenize("a a");
    ASSERT_TRUE(ids.has_value());
    EXPECT_EQ(ids->front() == 2, c.is_written) << c.added;
    EXPECT_EQ((*automaton)->step((*automaton)->start(), 2) != CanonicalId::kRefused, c.is_written) << c.added;
    CanonicalId state = (*automaton)->start();
    for (const std::uint32_t token : *ids) {
      ASSERT_NE(state = (*automaton)->step(state, token), CanonicalId::kRefused) << c.added;
    }
    EXPECT_TRUE((*automaton)->may_end(state));
  }
}

// A text in which it is found is not what its tokens decode to.
TEST(CanonicalAutomaton, AddedTokensThatDecodeToAnotherTextAreRefused) {
  vocab::PipelineSpec spec = ranks();
  spec.added_tokens.push_back({.text = "\u0120", .id = 2});
  const std::string message = refusal(make(std::move(spec)));
  EXPECT_NE(message.find("added token `\u0120`, which decodes to another text"), std::string::npos) << message;
}

TEST(CanonicalAutomaton, ThreadsShareOneAutomaton) {
  const TokenizerInfo info = TokenizerInfo::builtin();
  std::vector<std::string> texts;
  for (int i = 0; i < 12; ++i) {
    texts.push_back("text " + std::to_string(i * 7919) + std::string(static_cast<std::size_t>(i), ' ') +
                    "{\"a\": é}\n");
  }
  std::vector<std::vector<CanonicalId>> ends(4, std::vector<CanonicalId>(texts.size()));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < ends.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto automaton = CanonicalAutomaton::of(info.vocabulary());
      ASSERT_TRUE(automaton.has_value());
      std::vector<std::uint32_t> row(bitmask_words(info.vocab_size()));
      for (std::size_t k = 0; k < texts.size(); ++k) {
        const std::size_t i = (k + t * 5) % texts.size();
        CanonicalId state = (*automaton)->start();
        const auto ids = info.tokenize(texts[i]);
        for (const std::uint32_t id : *ids) {
          (*automaton)->row(state, row);
          ASSERT_TRUE(bitmask_get(row, id));
          state = (*automaton)->step(state, id);
        }
        ends[t][i] = state;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 1; t < ends.size(); ++t) EXPECT_EQ(ends[t], ends[0]);
}

}  // namespace
}  // namespace weir::canonical
