// Compares canonical masks of small random vocabularies and small languages with their definition. After each prefix of
// a canonical sequence, exactly those tokens are allowed that the tokenizer writes next in some text of the language.
//
// The masks here are computed from rows, rests and steps, as canonical_automaton.h describes under VIABILITY. The
// expected results come from the oracle's tokenization of each text (oracle/plain_tokenizer.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "canonical/canonical_automaton.h"
#include "canonical/merge_forest.h"
#include "canonical/piece_automaton.h"
#include "oracle/plain_tokenizer.h"
#include "rounds.h"
#include "vocab/normalizers/normalizers.h"
#include "vocab/segmenters/bpe.h"
#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/sentencepiece_segmenter.h"
#include "vocab/segmenters/spm_bpe.h"
#include "vocab/vocabulary.h"
#include "weir/bitmask.h"

namespace {

using weir::canonical::CanonicalAutomaton;
using weir::canonical::CanonicalId;
using weir::canonical::PlaceId;
using weir::canonical::RestId;
using weir::oracle::PlainTokenizer;
using weir::vocab::Vocabulary;
using Ids = std::vector<std::uint32_t>;
using Random = std::mt19937;

constexpr std::uint32_t kEnd = UINT32_MAX;

struct World {
  std::string name;
  PlainTokenizer plain;
  std::shared_ptr<const Vocabulary> vocabulary;
};

std::shared_ptr<const Vocabulary> make_vocabulary(std::vector<std::string> bytes,
                                                  std::shared_ptr<const weir::vocab::Segmenter> segmenter,
                                                  bool drops_space = false) {
  weir::vocab::VocabularySource source;
  source.kind = "test";
  for (const std::string& token : bytes) {
    source.token_kinds.push_back(token.empty() ? weir::TokenKind::kUnused : weir::TokenKind::kNormal);
  }
  source.token_bytes = std::move(bytes);
  if (drops_space) source.first_token = weir::vocab::VocabularySource::FirstToken::kDropLeadingSpace;
  source.segmenter = std::move(segmenter);
  auto vocabulary = Vocabulary::create(std::move(source), {});
  EXPECT_TRUE(vocabulary.has_value());
  return *vocabulary;
}

// How random merges are made: kNoTwins has one merge for each token; kProper may have several, each after the merges
// that it needs; kImproper has them in random order; kRanks merges by the ranks of all tokens.
enum class Kind : std::uint8_t { kNoTwins, kProper, kImproper, kRanks };

void add_merges(PlainTokenizer& plain, std::size_t count, Kind kind, Random& random) {
  for (int tries = 0; plain.merges.size() < count && tries < 1'000; ++tries) {
    const std::string& left = plain.tokens[random() % plain.tokens.size()];
    const std::string& right = plain.tokens[random() % plain.tokens.size()];
    if (left.empty() || right.empty() || left.size() + right.size() > 6) continue;
    const std::pair<std::string, std::string> merge(left, right);
    if (std::find(plain.merges.begin(), plain.merges.end(), merge) != plain.merges.end()) continue;
    const std::string token = left + right;
    const bool is_known = std::find(plain.tokens.begin(), plain.tokens.end(), token) != plain.tokens.end();
    if (is_known && kind == Kind::kNoTwins) continue;
    plain.merges.push_back(merge);
    if (!is_known) plain.tokens.push_back(token);
  }
  if (kind == Kind::kImproper) std::shuffle(plain.merges.begin(), plain.merges.end(), random);
  if (kind == Kind::kRanks) {
    plain.merges.clear();
    plain.merges_any = true;
    for (std::size_t i = 0; i < plain.tokens.size(); ++i) plain.ranks.push_back(i);
  }
}

weir::Result<weir::vocab::PreTokenizer> pre_tokenizer_of(const PlainTokenizer& plain) {
  std::vector<weir::vocab::SplitPattern> patterns;
  for (const std::string& pattern : plain.patterns) patterns.push_back({pattern});
  return weir::vocab::PreTokenizer::from_patterns(patterns);
}

const std::vector<std::vector<std::string>>& pattern_sets() {
  static const std::vector<std::vector<std::string>> kSets = {
      {R"(a+|b+|\s+(?!\S)|\s+)"},
      {R"( ?[ab]+|\s+(?!\S)|\s+)"},
      {R"(a{1,3}|[b ]+)"},
      {},
      {R"(ab|a|b| )"},
      {"b", R"( ?a+|\s+)"},
      {R"(a{1,3}(?=(?:a{3})*(?!a))|b+|\s+)"},
      {R"(a*?b|\s)"},
      {R"((?:ab)+|a b|\s*b)"},
      {R"(a{1,2}+|b++|\s++$|\s)"},
      {R"((?:(?!b)[ab])+| b)"},
      {R"([^a]?b+|\s*a)", "b(?=b)"},
  };
  return kSets;
}

// Returns a byte-level vocabulary over an alphabet in which some characters have several bytes.
World byte_world(const std::vector<std::string>& alphabet, Random& random) {
  World world;
  PlainTokenizer& plain = world.plain;
  std::set<std::string> bytes;
  for (const std::string& c : alphabet) {
    for (const char byte : c) bytes.insert(std::string(1, byte));
  }
  plain.tokens.assign(bytes.begin(), bytes.end());
  const auto kind = static_cast<Kind>(random() % 4);
  add_merges(plain, 1 + random() % 13, kind, random);
  if (kind != Kind::kRanks) {
    for (std::size_t i = random() % 3; i > 0; --i) {  // tokens that no merge makes
      std::string token;
      for (std::size_t k = 2 + random() % 3; k > 0; --k) token += alphabet[random() % alphabet.size()];
      if (std::find(plain.tokens.begin(), plain.tokens.end(), token) == plain.tokens.end()) {
        plain.tokens.push_back(token);
      }
    }
  }
  plain.takes_whole_pieces = kind == Kind::kRanks || random() % 5 < 3;
  plain.patterns = pattern_sets()[random() % pattern_sets().size()];
  weir::vocab::PipelineSpec spec;
  if (random() % 4 == 0) {
    for (std::size_t i = 1 + random() % 2; i > 0; --i) {
      std::string text;
      for (std::size_t k = 1 + random() % 3; k > 0; --k) text += alphabet[random() % alphabet.size()];
      const auto same = [&](const auto& token) { return token.first == text; };
      if (std::any_of(plain.added.begin(), plain.added.end(), same)) continue;
      plain.added.emplace_back(text, plain.tokens.size() + plain.added.size());
    }
  }
  std::vector<std::string> all = plain.tokens;
  for (const auto& [text, id] : plain.added) {
    all.push_back(text);
    spec.added_tokens.push_back({text, id});
  }
  spec.pre_tokenizer = *pre_tokenizer_of(plain);
  if (kind == Kind::kRanks) {
    spec.model = weir::vocab::make_rank_bpe(plain.tokens);
  } else {
    weir::vocab::MergeBpeSpec merges;
    merges.unit = weir::vocab::MergeBpeSpec::Unit::kByte;
    std::vector<std::string> names;  // tokens in the byte-level alphabet
    std::vector<std::pair<std::string, std::string>> pairs;
    const auto spelled = [](const std::string& text) {
      std::string name;
      for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        // Printable Latin-1 bytes stand for themselves; the others are numbered from U+0100.
        char32_t code = 0x100;
        const auto printable = [](unsigned b) {
          return (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
        };
        if (printable(byte)) {
          code = byte;
        } else {
          for (unsigned b = 0; b < byte; ++b) code += printable(b) ? 0 : 1;
        }
        weir::base::append_utf8(name, code);
      }
      return name;
    };
    for (const std::string& token : plain.tokens) names.push_back(spelled(token));
    for (const auto& [left, right] : plain.merges) pairs.emplace_back(spelled(left), spelled(right));
    std::vector<weir::vocab::MergeText> texts;
    for (const auto& [left, right] : pairs) texts.push_back({left, right});
    merges.tokens = names;
    merges.merges = texts;
    merges.ignore_merges = plain.takes_whole_pieces;
    spec.model = *weir::vocab::make_merge_bpe(merges);
  }
  world.vocabulary = make_vocabulary(std::move(all), weir::vocab::make_pipeline(std::move(spec)));
  world.name = "bytes, kind " + std::to_string(static_cast<int>(kind));
  return world;
}

// Returns a SentencePiece vocabulary: pieces with scores, some of them equal; byte tokens for characters that are not
// pieces; spaces as "▁", in half of the worlds also before the text; sometimes a user-defined piece.
World sentencepiece_world(const std::vector<std::string>& alphabet, Random& random) {
  World world;
  PlainTokenizer& plain = world.plain;
  plain.of_characters = true;
  plain.merges_any = true;
  plain.space_symbol = "\u2581";
  if (random() % 2 == 0) plain.prefix = plain.space_symbol;
  std::vector<std::string> texts;
  for (const std::string& c : alphabet) {
    texts.push_back(c == " " ? plain.space_symbol : c);
  }
  std::vector<std::string> symbols = texts;
  // Some characters are not pieces. The space is always one, because canonical masks need it.
  std::erase_if(texts, [&](const std::string& c) { return c != plain.space_symbol && random() % 4 == 0; });
  for (std::size_t i = 2 + random() % 10; i > 0; --i) {
    const std::string text = symbols[random() % symbols.size()] + symbols[random() % symbols.size()];
    if (text.size() > 12 || std::find(symbols.begin(), symbols.end(), text) != symbols.end()) continue;
    texts.push_back(text);
    symbols.push_back(text);
  }
  const std::size_t user_defined = random() % 3 == 0 && !texts.empty() ? texts.size() - 1 : SIZE_MAX;
  std::vector<double> scores;
  std::vector<weir::vocab::PieceType> types;
  std::vector<std::string> bytes;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    scores.push_back(-static_cast<double>(random() % 8));
    types.push_back(i == user_defined ? weir::vocab::PieceType::kUserDefined : weir::vocab::PieceType::kNormal);
    std::string plain_bytes;
    for (const std::string& c : weir::oracle::plain_characters(texts[i])) {
      plain_bytes += c == plain.space_symbol ? " " : c;
    }
    bytes.push_back(plain_bytes);
    plain.tokens.push_back(i == user_defined ? "" : texts[i]);
    plain.ranks.push_back(static_cast<std::size_t>(-scores[i]));
    if (i == user_defined) plain.added.emplace_back(texts[i], i);
  }
  for (unsigned byte = 0; byte < 256; ++byte) {
    plain.byte_tokens.push_back(static_cast<std::uint32_t>(texts.size()));
    texts.push_back("<0x" + std::to_string(byte) + ">");
    scores.push_back(0);
    types.push_back(weir::vocab::PieceType::kByte);
    bytes.emplace_back(1, static_cast<char>(byte));
  }
  const auto model =
      weir::vocab::make_spm_bpe({.texts = texts, .scores = scores, .types = types, .byte_tokens = plain.byte_tokens});
  EXPECT_TRUE(model.has_value());
  weir::vocab::SentencePieceRules rules;
  rules.add_dummy_prefix = !plain.prefix.empty();
  rules.remove_extra_whitespaces = false;
  std::vector<std::pair<std::string_view, std::uint32_t>> protected_texts;
  if (user_defined != SIZE_MAX) protected_texts.emplace_back(texts[user_defined], user_defined);
  world.vocabulary = make_vocabulary(
      std::move(bytes),
      weir::vocab::make_sentencepiece_segmenter(
          weir::vocab::SentencePieceNormalizer({}, rules, weir::vocab::PrefixTrie(protected_texts)), *model),
      !plain.prefix.empty());
  world.name = plain.prefix.empty() ? "SentencePiece" : "SentencePiece with a space in front";
  return world;
}

// Returns a plain list of tokens, whose tokenizer always takes the longest token that fits.
World longest_match_world(const std::vector<std::string>& alphabet, Random& random) {
  World world;
  PlainTokenizer& plain = world.plain;
  plain.takes_longest = true;
  for (std::size_t i = 2 + random() % 9; i > 0; --i) {
    std::string token;
    for (std::size_t k = 1 + random() % 4; k > 0; --k) token += alphabet[random() % alphabet.size()];
    if (random() % 5 == 0) token.pop_back();  // may end within a character
    if (!token.empty()) plain.tokens.push_back(token);
  }
  for (unsigned byte = 0; byte < 256; ++byte) plain.tokens.emplace_back(1, static_cast<char>(byte));
  auto vocabulary = Vocabulary::create(weir::VocabSpec{.tokens = plain.tokens}, {});
  EXPECT_TRUE(vocabulary.has_value());
  world.vocabulary = *vocabulary;
  world.name = "longest match";
  return world;
}

// A finite language as a trie of bytes.
class Language {
 public:
  explicit Language(const std::vector<std::string>& words) : nodes_(1) {
    for (const std::string& word : words) {
      std::size_t at = 0;
      for (const char c : word) {
        const auto byte = static_cast<std::uint8_t>(c);
        const auto found = nodes_[at].next.find(byte);
        if (found != nodes_[at].next.end()) {
          at = found->second;
        } else {
          nodes_[at].next[byte] = nodes_.size();
          at = nodes_.size();
          nodes_.emplace_back();
        }
      }
      nodes_[at].accepts = true;
    }
  }
  struct Node {
    std::map<std::uint8_t, std::size_t> next;
    bool accepts = false;
  };
  const Node& operator[](std::size_t node) const { return nodes_[node]; }
  [[nodiscard]] std::optional<std::size_t> step(std::size_t node, std::string_view bytes) const {
    for (const char c : bytes) {
      const auto found = nodes_[node].next.find(static_cast<std::uint8_t>(c));
      if (found == nodes_[node].next.end()) return std::nullopt;
      node = found->second;
    }
    return node;
  }

 private:
  std::vector<Node> nodes_;
};

class Product {
 public:
  Product(const Vocabulary& vocabulary, const CanonicalAutomaton& canonical, const Language& language)
      : vocabulary_(vocabulary), canonical_(canonical), language_(language) {}

  // Returns the allowed tokens, and kEnd if the text may end.
  std::set<std::uint32_t> mask(std::size_t g, CanonicalId c, bool is_first) {
    std::set<std::uint32_t> allowed;
    for (const std::uint32_t token : row(c)) {
      const auto next = language_.step(g, bytes(token, is_first));
      if (next && viable(*next, canonical_.step(c, token))) allowed.insert(token);
    }
    if (language_[g].accepts && canonical_.may_end(c)) allowed.insert(kEnd);
    return allowed;
  }

  [[nodiscard]] std::string_view bytes(std::uint32_t token, bool is_first) const {
    return is_first ? vocabulary_.first_token_bytes(token) : vocabulary_.token_bytes(token);
  }

 private:
  // Returns the tokens of the row. Checks that it agrees with steps and with the sources that it is made of.
  const std::vector<std::uint32_t>& row(CanonicalId c) {
    const auto [known, is_new] = rows_.try_emplace(c);
    if (!is_new) return known->second;
    std::vector<std::uint32_t> bitmask(weir::bitmask_words(vocabulary_.size()), 0xFFFFFFFF);
    canonical_.row(c, bitmask);
    std::vector<CanonicalAutomaton::RowMember> sources;
    std::vector<std::uint32_t> others;
    canonical_.append_sources(c, sources, others);
    const std::uint32_t last = canonical_.last_symbol(c);
    for (std::uint32_t token = 0; token < vocabulary_.size(); ++token) {
      const CanonicalId to = canonical_.step(c, token);
      EXPECT_EQ(weir::bitmask_get(bitmask, token), to != CanonicalId::kRefused) << token;
      const auto places = canonical_.places_after(c, token);
      EXPECT_EQ(places.empty(), to == CanonicalId::kRefused);
      if (to != CanonicalId::kRefused) {
        known->second.push_back(token);
        EXPECT_TRUE(
            std::equal(places.begin(), places.end(), canonical_.places(to).begin(), canonical_.places(to).end()));
      }
      if (std::find(others.begin(), others.end(), token) != others.end()) continue;
      std::set<PlaceId> by_sources;
      for (const auto& [source, same_piece] : sources) {
        if (!source->contains(token)) continue;
        const bool merges =
            same_piece && last < canonical_.forest()->symbol_count() &&
            !canonical_.forest()->is_compatible(weir::canonical::SymbolId{last}, weir::canonical::SymbolId{token});
        if (!merges) by_sources.insert(source->place_after(token));
      }
      EXPECT_EQ(by_sources, std::set<PlaceId>(places.begin(), places.end())) << token;
    }
    return known->second;
  }

  bool viable(std::size_t g, CanonicalId c) {
    const auto [known, is_new] = viable_.try_emplace({g, c}, false);
    if (!is_new) return known->second;
    bool found = language_[g].accepts && canonical_.may_end(c);
    const weir::regex::ByteSet keeping = canonical_.keeping_bytes(c);
    for (const PlaceId p : canonical_.places(c)) {
      EXPECT_EQ(canonical_.may_cut(p), canonical_.rest_after(p) != RestId::kNone);
      found = found || has_text(g, canonical_.rest_after(p));
      const RestId around = canonical_.rest_around(p);
      for (const auto& [byte, next] : language_[g].next) {
        if (found || around == RestId::kNone || !keeping.contains(byte)) continue;
        found = canonical_.settling_bytes(around).contains(byte) || has_text(next, canonical_.step(around, byte));
      }
    }
    if (!found) {
      for (const std::uint32_t token : row(c)) {
        const auto next = language_.step(g, vocabulary_.token_bytes(token));
        if (!next || !viable(*next, canonical_.step(c, token))) continue;
        found = true;
        break;
      }
    }
    viable_[{g, c}] = found;
    return found;
  }

  // Returns true if some text of the language, from its state `g` on, continues with a text of the rest.
  bool has_text(std::size_t g, RestId rest) {
    if (rest == RestId::kNone) return false;
    if (canonical_.is_settled(rest)) return true;
    if (language_[g].accepts && canonical_.may_end(rest)) return true;
    const auto [known, is_new] = has_text_.try_emplace({g, rest}, false);
    if (!is_new) return known->second;
    bool found = false;
    for (const auto& [byte, next] : language_[g].next) {
      found = found || canonical_.settling_bytes(rest).contains(byte) || has_text(next, canonical_.step(rest, byte));
    }
    return has_text_[{g, rest}] = found;
  }

  const Vocabulary& vocabulary_;
  const CanonicalAutomaton& canonical_;
  const Language& language_;
  std::map<CanonicalId, std::vector<std::uint32_t>> rows_;
  std::map<std::pair<std::size_t, CanonicalId>, bool> viable_;
  std::map<std::pair<std::size_t, RestId>, bool> has_text_;
};

std::vector<std::string> all_texts(const std::vector<std::string>& alphabet, std::size_t longest) {
  std::vector<std::string> texts = {""};
  for (std::size_t begin = 0, length = 1; length <= longest; ++length) {
    const std::size_t end = texts.size();
    for (std::size_t i = begin; i < end; ++i) {
      for (const std::string& c : alphabet) texts.push_back(texts[i] + c);
    }
    begin = end;
  }
  return texts;
}

struct Counts {
  std::size_t worlds = 0, refused = 0, masks = 0, wrong = 0, tokens = 0, unwritten = 0, added = 0;
};

std::string describe(const World& world, const Ids& prefix) {
  std::string out = world.name + "; patterns";
  for (const std::string& pattern : world.plain.patterns) out += " `" + pattern + "`";
  out += "; tokens";
  for (std::uint32_t id = 0; id < std::min<std::uint32_t>(40, world.vocabulary->size()); ++id) {
    out += " " + std::to_string(id) + "=`" + weir::base::escape_for_display(world.vocabulary->token_bytes(id)) + "`";
  }
  out += "; merges";
  for (const auto& [left, right] : world.plain.merges) out += " " + left + "+" + right;
  for (const auto& [text, id] : world.plain.added) out += "; added `" + text + "`";
  out += "; after";
  for (const std::uint32_t id : prefix) out += " " + std::to_string(id);
  return out;
}

void check_world(const World& world, std::vector<std::string> words, Counts& counts) {
  ++counts.worlds;
  const auto canonical = CanonicalAutomaton::of(*world.vocabulary);
  if (!canonical) {
    ++counts.refused;
    EXPECT_EQ(canonical.error().code, weir::ErrorCode::kUnsupported);
    return;
  }
  counts.unwritten += (*canonical)->unwritten_tokens() > 0 ? 1 : 0;
  counts.added += world.plain.added.empty() ? 0 : 1;
  std::map<Ids, std::set<std::uint32_t>> truth;
  for (const std::string& word : words) {
    const auto ids = world.plain.tokenize(word);
    if (!ids) continue;
    std::string back;
    for (std::size_t i = 0; i < ids->size(); ++i) {
      back += i == 0 ? world.vocabulary->first_token_bytes((*ids)[i]) : world.vocabulary->token_bytes((*ids)[i]);
    }
    if (back != word) continue;
    Ids prefix;
    for (const std::uint32_t id : *ids) {
      truth[prefix].insert(id);
      prefix.push_back(id);
    }
    truth[prefix].insert(kEnd);
  }
  const Language language(words);
  Product product(*world.vocabulary, **canonical, language);
  struct Entry {
    Ids prefix;
    std::size_t g;
    CanonicalId c;
  };
  std::vector<Entry> pending = {{{}, 0, (*canonical)->start()}};
  std::size_t seen = 0;
  while (!pending.empty()) {
    const Entry entry = std::move(pending.back());
    pending.pop_back();
    ++seen;
    ++counts.masks;
    const auto expected = truth.find(entry.prefix);
    const std::set<std::uint32_t> mask = product.mask(entry.g, entry.c, entry.prefix.empty());
    counts.tokens += mask.size();
    if (mask != (expected == truth.end() ? std::set<std::uint32_t>() : expected->second) && ++counts.wrong < 4) {
      std::string shown = "has";
      for (const std::uint32_t id : mask) shown += " " + std::to_string(id);
      shown += ", should have";
      if (expected != truth.end()) {
        for (const std::uint32_t id : expected->second) shown += " " + std::to_string(id);
      }
      ADD_FAILURE() << describe(world, entry.prefix) << ": " << shown;
    }
    if (counts.wrong > 20) return;
    for (const std::uint32_t token : mask) {
      if (token == kEnd) continue;
      Entry next = entry;
      next.prefix.push_back(token);
      next.g = *language.step(entry.g, product.bytes(token, entry.prefix.empty()));
      next.c = (*canonical)->step(entry.c, token);
      pending.push_back(std::move(next));
    }
  }
  EXPECT_EQ(seen, std::max<std::size_t>(1, truth.size())) << describe(world, {});
}

void print(const Counts& counts) {
  std::printf("  %zu worlds (%zu refused, %zu with tokens never written, %zu with added ones), %zu masks, %zu tokens\n",
              counts.worlds, counts.refused, counts.unwritten, counts.added, counts.masks, counts.tokens);
}

template <typename Make>
void check_worlds(std::uint32_t seed, int rounds, const std::vector<std::string>& alphabet, std::size_t longest,
                  Make make) {
  Random random(seed);
  Counts counts;
  const std::vector<std::string> texts = all_texts(alphabet, longest);
  for (int round = 0; round < weir::tests::rounds(rounds); ++round) {
    const World world = make(alphabet, random);
    std::vector<std::string> words = texts;
    if (random() % 5 < 3) {
      std::shuffle(words.begin(), words.end(), random);
      words.resize(std::min<std::size_t>(words.size(), 2 + random() % 38));
    }
    check_world(world, words, counts);
    if (counts.wrong > 20) break;
  }
  EXPECT_EQ(counts.wrong, 0U);
  EXPECT_LT(counts.refused, counts.worlds / 4);
  print(counts);
}

TEST(CanonicalExhaustive, BytesOfAscii) { check_worlds(11, 400, {"a", "b", " "}, 5, byte_world); }

TEST(CanonicalExhaustive, BytesWithinCharacters) { check_worlds(12, 200, {"a", "é", "è", " "}, 4, byte_world); }

TEST(CanonicalExhaustive, BytesOfLongCharacters) {
  check_worlds(13, 100, {"a", "中", "丯", "\U0001F600"}, 3, byte_world);
}

TEST(CanonicalExhaustive, SentencePiece) { check_worlds(14, 300, {"a", "b", " "}, 5, sentencepiece_world); }

TEST(CanonicalExhaustive, SentencePieceWithUnknownCharacters) {
  check_worlds(15, 200, {"a", "é", "\u2581", " "}, 4, sentencepiece_world);
}

TEST(CanonicalExhaustive, LongestMatch) { check_worlds(16, 200, {"a", "b", "c"}, 5, longest_match_world); }

TEST(CanonicalExhaustive, LongestMatchWithinCharacters) {
  check_worlds(17, 200, {"a", "é", "è"}, 4, longest_match_world);
}

// Healing keeps only tokens that all continuations of the text have in common. The oracle knows only texts up to some
// length, so healing may take back more: a token that only a longer text changes.
TEST(CanonicalExhaustive, Healing) {
  Random random(21);
  std::size_t contexts = 0, all_stay = 0, less = 0;
  const std::vector<std::string> alphabet = {"a", "b", " "};
  const std::vector<std::string> texts = all_texts(alphabet, 6);
  for (int round = 0; round < weir::tests::rounds(60); ++round) {
    const World world = round % 3 == 0   ? sentencepiece_world(alphabet, random)
                        : round % 3 == 1 ? byte_world(alphabet, random)
                                         : longest_match_world(alphabet, random);
    const auto canonical = CanonicalAutomaton::of(*world.vocabulary);
    ASSERT_TRUE(canonical.has_value()) << canonical.error().message;
    std::map<std::string, Ids> written;
    for (const std::string& text : texts) {
      if (const auto ids = world.plain.tokenize(text)) written[text] = *ids;
    }
    for (const std::string& text : texts) {
      if (text.size() > 3 || !written.contains(text)) continue;
      const Ids& ids = written[text];
      std::size_t common = ids.size();
      for (auto longer = written.lower_bound(text); longer != written.end() && longer->first.starts_with(text);
           ++longer) {
        const auto differs = std::mismatch(ids.begin(), ids.end(), longer->second.begin(), longer->second.end());
        common = std::min(common, static_cast<std::size_t>(differs.first - ids.begin()));
      }
      const auto healing = (*canonical)->heal(ids);
      ASSERT_TRUE(healing.has_value()) << describe(world, ids) << ": " << healing.error().message;
      const std::size_t kept = ids.size() - healing->tokens;
      ASSERT_LE(kept, common) << describe(world, ids);
      std::string back;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i < kept) continue;
        back += i == 0 ? world.vocabulary->first_token_bytes(ids[i]) : world.vocabulary->token_bytes(ids[i]);
      }
      ASSERT_EQ(healing->bytes, back);
      ++contexts;
      all_stay += kept == ids.size() ? 1 : 0;
      less += kept < common ? 1 : 0;
    }
  }
  EXPECT_GT(all_stay, contexts / 20);
  EXPECT_LT(less, contexts / 10);
  std::printf("  %zu contexts, %zu stay whole, %zu with more taken back than texts of 6 characters ask for\n", contexts,
              all_stay, less);
}

// Compares the pieces of all texts of a few characters that the patterns distinguish.
TEST(CanonicalExhaustive, PiecesOfAllTexts) {
  const std::vector<std::string> alphabet = {"a", "b", " ", "\n", "é"};
  std::size_t checked = 0;
  for (const std::vector<std::string>& patterns : pattern_sets()) {
    if (patterns.empty()) continue;
    std::vector<weir::vocab::SplitPattern> split;
    for (const std::string& pattern : patterns) split.push_back({pattern});
    std::vector<weir::canonical::PieceStep> steps;
    for (const weir::vocab::StepRecipe& step : weir::vocab::PreTokenizer::from_patterns(split)->recipe()) {
      steps.push_back({.pattern = step.split});
    }
    const auto automaton = weir::canonical::PieceAutomaton::build(steps, {});
    ASSERT_TRUE(automaton.has_value()) << automaton.error().message;
    for (const std::string& text : all_texts(alphabet, 5)) {
      if (text.empty()) continue;
      std::vector<std::string> pieces = {text};
      for (const std::string& pattern : patterns) {
        const weir::oracle::BacktrackingPattern compiled(pattern);
        std::vector<std::string> finer;
        for (const std::string& piece : pieces) {
          for (std::string& part : compiled.split(piece)) finer.push_back(std::move(part));
        }
        pieces = std::move(finer);
      }
      struct Marking {
        weir::canonical::PieceAutomaton::Position at;
        std::vector<std::string> pieces;
      };
      std::vector<Marking> markings, next;
      for (const auto h : automaton->start()) markings.push_back({{h}, {""}});
      for (std::size_t i = 0; i < text.size(); ++i) {
        next.clear();
        for (Marking marking : markings) {
          if (!automaton->step(marking.at, static_cast<std::uint8_t>(text[i]))) continue;
          marking.pieces.back().push_back(text[i]);
          next.push_back(marking);
          if (marking.at.character != weir::canonical::CharacterId::kNone || i + 1 == text.size()) continue;
          marking.pieces.emplace_back();
          for (const auto h : automaton->cuts(marking.at.hypothesis)) {
            marking.at.hypothesis = h;
            next.push_back(marking);
          }
        }
        markings.swap(next);
      }
      std::erase_if(markings, [&](const Marking& m) { return !automaton->may_end(m.at.hypothesis); });
      ASSERT_EQ(markings.size(), 1U) << patterns.front() << " on " << weir::base::escape_for_display(text);
      ASSERT_EQ(markings.front().pieces, pieces) << patterns.front() << " on " << weir::base::escape_for_display(text);
      ++checked;
    }
  }
  EXPECT_EQ(checked, 11U * (5 + 25 + 125 + 625 + 3'125));
}

}  // namespace
