// Canonical masks with real vocabularies, for finite languages of words, numbers, JSON, code and many scripts. Compares
// the masks with the prefixes of the tokenizations of all texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "exhaustive/canonical_check.h"
#include "exhaustive/canonical_worlds.h"
#include "property/harness.h"
#include "rounds.h"
#include "shared_data.h"
#include "vocab/recipe.h"
#include "vocab/segmenters/pipeline.h"
#include "vocab/vocabulary.h"

namespace weir::testing {
namespace {

using Texts = std::vector<std::string>;

Grammar expect_read(const Result<Grammar>& grammar, const std::string& name) {
  if (grammar) return *grammar;
  ADD_FAILURE() << name << ": " << grammar.error().message;
  return *Grammar::from_ebnf("root ::= \"a\"");
}

Texts sorted(Texts texts) {
  std::ranges::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return texts;
}

FiniteLanguage choice(std::string name, Texts texts) {
  texts = sorted(std::move(texts));
  return {name, expect_read(Grammar::from_choice(texts), name), texts};
}

// Returns all concatenations of one text of each part. Each part is a rule, so tokens cross the ends of rules.
FiniteLanguage product(std::string name, const std::vector<Texts>& parts) {
  Texts texts = {""};
  std::string root = "root ::=", rules;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Texts longer;
    for (const std::string& left : texts) {
      for (const std::string& right : parts[i]) longer.push_back(left + right);
    }
    texts = std::move(longer);
    root += " part" + std::to_string(i);
    rules += "\npart" + std::to_string(i) + " ::=";
    for (std::size_t k = 0; k < parts[i].size(); ++k) rules += (k == 0 ? " " : " | ") + ebnf_literal(parts[i][k]);
  }
  return {name, expect_read(Grammar::from_ebnf(root + rules), name), sorted(std::move(texts))};
}

// Returns all concatenations of `least` to `most` units.
FiniteLanguage repeats(std::string name, const Texts& units, std::size_t least, std::size_t most) {
  Texts all, last = {""};
  for (std::size_t count = 0; count <= most; ++count) {
    if (count >= least) all.insert(all.end(), last.begin(), last.end());
    if (count == most) break;
    Texts longer;
    for (const std::string& left : last) {
      for (const std::string& right : units) longer.push_back(left + right);
    }
    last = std::move(longer);
  }
  std::string ebnf = "root ::= (";
  for (std::size_t i = 0; i < units.size(); ++i) ebnf += (i == 0 ? "" : " | ") + ebnf_literal(units[i]);
  ebnf += "){" + std::to_string(least) + "," + std::to_string(most) + "}";
  return {name, expect_read(Grammar::from_ebnf(ebnf), name), sorted(std::move(all))};
}

FiniteLanguage json_enum(std::string name, JsonSchemaOptions::Whitespace whitespace) {
  using Json = nlohmann::json;
  const Texts names = {"red",      "dark red",     "",         "naïve", "東京",   "Zürich", "a\nb", "say \"no\"",
                       "C:\\temp", "😀👍🏽", "nullable", "12",    "Ελλάδα", "한국어", " ",    "the"};
  const Json schema = {{"type", "object"},
                       {"properties", {{"name", {{"enum", names}}}, {"is_new", {{"enum", {true, nullptr}}}}}},
                       {"required", {"name", "is_new"}},
                       {"additionalProperties", false}};
  JsonSchemaOptions options;
  options.whitespace = whitespace;
  options.escapes = JsonSchemaOptions::Escapes::kRequired;
  options.order = JsonSchemaOptions::Order::kDeclared;
  Texts texts;
  for (const std::string& value : names) {
    for (const char* flag : {"true", "null"}) {
      const std::string first = Json(value).dump(), second = flag;
      using Whitespace = JsonSchemaOptions::Whitespace;
      // The members in the schema's order, which a dumped object would not keep.
      texts.push_back(whitespace == Whitespace::kNone ? "{\"name\":" + first + ",\"is_new\":" + second + "}"
                      : whitespace == Whitespace::kCompact
                          ? "{\"name\": " + first + ", \"is_new\": " + second + "}"
                          : "{\n  \"name\": " + first + ",\n  \"is_new\": " + second + "\n}");
    }
  }
  std::string text = schema.dump();  // sorts keys by name, so is_new would come first; hence the next lines
  text = "{\"type\":\"object\",\"properties\":{\"name\":" + schema["properties"]["name"].dump() +
         ",\"is_new\":" + schema["properties"]["is_new"].dump() +
         "},\"required\":[\"name\",\"is_new\"],\"additionalProperties\":false}";
  return {name, expect_read(Grammar::from_json_schema(text, options), name), sorted(std::move(texts))};
}

FiniteLanguage digits(std::string name, const std::string& regex, const std::function<bool(const std::string&)>& has,
                      std::size_t most) {
  Texts texts;
  const std::function<void(const std::string&)> add = [&](const std::string& text) {
    if (has(text)) texts.push_back(text);
    if (text.size() < most) {
      for (const char digit : std::string_view("0123456789")) add(text + digit);
    }
  };
  add("");
  return {name, expect_read(Grammar::from_regex(regex), name), sorted(std::move(texts))};
}

std::vector<FiniteLanguage> make_languages() {
  using Whitespace = JsonSchemaOptions::Whitespace;
  const Texts blank_lines = {"\n", "\r\n", " ", "\t", "  "};
  std::vector<FiniteLanguage> all;
  all.push_back(choice("one text", {"The quick brown fox jumps over the lazy dog."}));
  all.push_back(choice("the empty text and one", {"", "indeed"}));
  all.push_back(
      choice("words", {"the",         "there", "therefore", "theory",      "theatre",       "a",     "an", "and",
                       "android",     "in",    "into",      "internal",    "international", "inter", "un", "unhappy",
                       "unhappiness", "Th",    "T",         "tokenization"}));
  all.push_back(
      product("words with endings",
              {{"the", " the", "The", " The"}, {"re", "atre", "ory", "", "m"}, {"", "s", " is", "'s", "'re", "."}}));
  all.push_back(product(
      "contractions",
      {{"I", "you", "don", "IT", "'"}, {"'t", "'m", "'re", "'ll", "'S", "'d", "' t", "’s"}, {" ", "", "\n", "ve"}}));
  all.push_back(product(
      "case", {{"get", "HTTP", "my", "X"}, {"Response", "_", "URL", "ID", "id"}, {"Code", "code", "_2", "s", ""}}));
  all.push_back(digits(
      "numbers up to 999", "[0-9]{1,3}", [](const std::string& text) { return !text.empty(); }, 3));
  all.push_back(digits(
      "four digits", "(19|20)[0-9]{2}",
      [](const std::string& text) { return text.size() == 4 && (text.starts_with("19") || text.starts_with("20")); },
      4));
  all.push_back(repeats("zeros and ones", {"0", "1"}, 1, 8));
  all.push_back(product("numbers", {{"-", "", "$", "+"},
                                    {"1", "12", "123", "1234", "12345"},
                                    {",", ".", " ", "", "e"},
                                    {"5", "67", "890", "1000"}}));
  all.push_back(product("dates", {{"1999", "2024", "2025"},
                                  {"-", "/"},
                                  {"01", "02", "09", "10", "12"},
                                  {"-", "/"},
                                  {"01", "10", "28", "31"},
                                  {"", "T", " "}}));
  all.push_back(product("times", {{"0", "1", "23", "00"}, {":"}, {"00", "05", "30"}, {"", ":59", " am", "Z"}}));
  all.push_back(product("blanks before words",
                        {{"", " ", "  ", "   ", "       "}, {"", "a", "1", "!", "\n", "é"}, {"", " ", "    "}}));
  all.push_back(repeats("blanks", {" "}, 0, 40));
  all.push_back(repeats("line ends and blanks", blank_lines, 0, 4));
  all.push_back(product(
      "line ends in text",
      {{"x", "x.", "", ")"}, {"\n", "\r\n", "\n\n", " \n", "\n ", "\n\n\n", "\r"}, {"", "y", " y", "\n", "- y", "1"}}));
  all.push_back(repeats("tabs", {"\t", "a", "\n"}, 0, 5));
  all.push_back(json_enum("JSON without blanks", Whitespace::kNone));
  all.push_back(json_enum("JSON with a space", Whitespace::kCompact));
  all.push_back(json_enum("indented JSON", Whitespace::kIndented));
  all.push_back(product("JSON arrays", {{"["},
                                        {"", " ", "\n  "},
                                        {"1", "-0.5", "null", "\"a\"", "[]", "1e5"},
                                        {",", ", ", ",\n  "},
                                        {"true", "{}", "\"\"", "10"},
                                        {"", "\n"},
                                        {"]"}}));
  all.push_back(product("JSON keys", {{"{\""},
                                      {"id", "name", "firstName", "名前", "a b", "x-y"},
                                      {"\":", "\": "},
                                      {"\"", "\"\\n", "[\"", "{\""},
                                      {"a", "\\u00e9", "é", " ", "\\\""},
                                      {"\"}", "\"]}", "\": 1}}"}}));
  all.push_back(repeats("Chinese", {"你", "好", "中国", "，", "的", "我"}, 1, 4));
  all.push_back(product(
      "Japanese",
      {{"東京", "日本語", "これ", "カタカナ"}, {"は", "の", "、", "。", ""}, {"です", "ー", "々", "」", "テスト"}}));
  all.push_back(product("Korean", {{"안녕", "한국", "가"}, {"하세요", "어", " ", "을"}, {"", "?", "!"}}));
  all.push_back(repeats("emoji", {"😀", "👍🏽", "👨‍👩‍👧", "❤️", "🇩🇪", " "}, 1, 3));
  all.push_back(repeats("accents", {"é", "e\u0301", "e", "\u0301", " "}, 0, 4));
  all.push_back(
      product("Latin letters",
              {{"Zür", "na", "Stra", "Ł", "İ"}, {"ich", "ïve", "ße", "ódź", "stanbul"}, {"", "er", " ", "’s"}}));
  all.push_back(product("Greek and Cyrillic", {{"Ελλ", "Моск", "при"}, {"άδα", "ва", "вет"}, {"", ",", " мир", "!"}}));
  all.push_back(product("Arabic, Hebrew, Hindi",
                        {{"السلام", "שלום", "नमस्ते", "कि"}, {" ", "\u064E", "", "़"}, {"عليكم", "עולם", "दुनिया", "।"}}));
  all.push_back(product("Thai and Vietnamese", {{"สวัสดี", "Tiếng", "ที่"}, {"", " "}, {"ครับ", "Việt", "นี่", "ệ"}}));
  all.push_back(product("Python", {{"def ", "    ", "\t", ""},
                                   {"return", "f", "self.x"},
                                   {"(", "():\n", " = ", " == "},
                                   {"None", "'a'", "x)", "\n        pass"}}));
  all.push_back(product("C", {{"int ", "for (", "if(", "}\n"},
                              {"i", "main", "p->x", "*"},
                              {" = 0;", "++)", "() {\n", ";"},
                              {"", "\n}", " // x", "  "}}));
  all.push_back(product("links", {{"http://", "https://www.", "www."},
                                  {"example", "a", "x-y"},
                                  {".com", ".org/", ":80"},
                                  {"", "?q=1", "#a", "/index.html"}}));
  all.push_back(
      product("mail addresses", {{"john", "j.doe", "x_1"}, {"@", "+a@"}, {"example", "mail"}, {".com", ".co.uk"}}));
  all.push_back(product("Markdown", {{"# ", "## ", "- ", "* ", "1. ", "> "},
                                     {"**", "_", "`", ""},
                                     {"Title", "a b", "x"},
                                     {"**", "_", "`", "\n\n", "\n"}}));
  all.push_back(
      product("XML", {{"<"}, {"a", "br", "/div"}, {"", " id=\"1\"", "/"}, {">", ">\n", "></"}, {"", "text", "&amp;"}}));
  all.push_back(repeats("punctuation", {"(", ")", "...", "==", "!", "->", "\"", "--"}, 0, 3));
  all.push_back(repeats("one letter", {"a"}, 0, 60));
  all.push_back(repeats("lines", {"="}, 1, 100));
  all.push_back(product("letters and digits",
                        {{"abc", "x", "v", "Q"}, {"1", "12", "2024", "0001"}, {"", "def", ".", "-"}, {"7", "x", ""}}));
  all.push_back(product("colours", {{"#", "0x"}, {"f", "0", "a9"}, {"F", "0", "e3"}, {"ff", "00", ""}}));
  all.push_back(product("identifiers", {{"123e4567", "00000000"}, {"-"}, {"e89b", "0000"}, {"-"}, {"12d3", "a456"}}));
  all.push_back(repeats("a, blank, line end", {"a", " ", "\n"}, 0, 5));
  all.push_back(repeats("digit, letter, blank", {"1", "a", " "}, 0, 5));
  all.push_back(repeats("apostrophes", {"'", "s", "T", " "}, 0, 4));
  all.push_back(repeats("quotes", {"\"", "\\", "\n", ",", " "}, 0, 4));
  all.push_back(repeats("signs that split", {"é", "中", "😀", "a"}, 0, 4));
  all.push_back(choice("names of special tokens", {"<|endoftext|>", "<|im_start|>", "<s>", "</s>", "<|", "|>",
                                                   "<|endoftext", "<0x0A>", "[INST]", "<unk>"}));
  all.push_back(repeats("rare blanks and signs",
                        {"\u00A0", "\u3000", "\u200B", "\uFEFF", "\u2028", "\u0085", "\u180E", "a", "\uFFFD"}, 0, 3));
  all.push_back(repeats("SentencePiece's symbol", {"▁", " ", "a"}, 0, 4));
  all.push_back(choice("long words", {"Donaudampfschifffahrtsgesellschaft", "antidisestablishmentarianism",
                                      "pneumonoultramicroscopic", "llanfairpwllgwyngyll", "supercalifragilistic"}));
  all.push_back(
      choice("sentences", {"I don't know.", "I don’t know", "It's 5 o'clock (GMT+1).", "It's 5%.", "Yes, 1,234.5 km²!",
                           "Yes — no.", "It’s “fine”…", "I don't know what's up, y'all're"}));
  return all;
}

const std::vector<FiniteLanguage>& languages() {
  static const std::vector<FiniteLanguage> kLanguages = make_languages();
  return kLanguages;
}

oracle::SequenceTree sequences_of(const TokenizerInfo& info, const Texts& texts) {
  oracle::SequenceTree tree;
  for (const std::string& text : texts) {
    const Result<TokenIds> ids = info.tokenize(text);
    if (ids && info.decode(*ids) == text) tree.add(*ids);
  }
  return tree;
}

struct RealVocabulary {
  const char* name;
  const char* file;
  bool required;     ///< True if canonical masks must be supported.
  bool nfc = false;  ///< With a normalizer for NFC, as the models' tokenizer.json files have it.
};

constexpr RealVocabulary kVocabularies[] = {
    {"gpt2", "gpt2.tiktoken", true},
    {"cl100k", "cl100k_base.tiktoken", true},
    {"o200k", "o200k_base.tiktoken", true},
    {"llama3", "gguf/ggml-vocab-llama-bpe.gguf", true},
    {"qwen2", "gguf/ggml-vocab-qwen2.gguf", true},
    {"qwen2_nfc", "gguf/ggml-vocab-qwen2.gguf", true, true},
    {"deepseek_llm", "gguf/ggml-vocab-deepseek-llm.gguf", true},
    {"gpt2_gguf", "gguf/ggml-vocab-gpt-2.gguf", true},
    {"llama2", "gguf/ggml-vocab-llama-spm.gguf", false},
    {"phi3", "gguf/ggml-vocab-phi-3.gguf", false},
    {"gemma4", "gguf/ggml-vocab-gemma-4.gguf", false},
};

// Returns a tokenizer with the tokens and merges of Qwen 2, read from a tokenizer.json that normalizes to NFC.
TokenizerInfo with_nfc(const TokenizerInfo& info) {
  const vocab::MergeRecipe model = info.vocabulary().segmenter()->recipe().model;
  oracle::BpeTokenizerSpec spec;
  spec.nfc = true;
  spec.steps = {
      {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}};
  for (const vocab::MergeRecipe::Token& token : model.tokens) {
    if (token.id >= spec.tokens.size()) spec.tokens.resize(token.id + 1);
    spec.tokens[token.id] = token.text;
  }
  std::vector<vocab::MergeRecipe::Pair> pairs = model.pairs;
  std::ranges::sort(pairs, {}, &vocab::MergeRecipe::Pair::rank);
  for (const auto& pair : pairs) spec.merges.emplace_back(spec.tokens[pair.left], spec.tokens[pair.right]);
  TokenizerOptions options;
  options.stop_token_ids = {static_cast<std::uint32_t>(spec.tokens.size())};
  const Result<TokenizerInfo> read = TokenizerInfo::from_bytes(tokenizer_json(spec), "qwen2", options);
  if (read) return *read;
  ADD_FAILURE() << read.error().message;
  return info;
}

class CanonicalReal : public ::testing::TestWithParam<RealVocabulary> {
 protected:
  void SetUp() override {
    const std::filesystem::path path = tests::shared_data() / "tokenizers" / GetParam().file;
    if (!std::filesystem::exists(path))
      GTEST_SKIP() << "no vocabulary file " << path << "; WEIR_SHARED_DATA names the directory with tokenizers/";
    const Result<TokenizerInfo> info = TokenizerInfo::from_file(path.string());
    ASSERT_TRUE(info.has_value()) << info.error().message;
    info_ = GetParam().nfc ? with_nfc(*info) : *info;
    MatcherOptions options;
    options.tokenization = Tokenization::kCanonical;
    const Result<GrammarMatcher> matcher =
        GrammarMatcher::create(*GrammarCompiler(info_).compile_ebnf("root ::= [a-z]*"), options);
    if (matcher) return;
    ASSERT_EQ(matcher.error().code, ErrorCode::kUnsupported);
    ASSERT_FALSE(GetParam().required) << matcher.error().message;
    GTEST_SKIP() << "no canonical masks: " << matcher.error().message;
  }

  TokenizerInfo info_ = TokenizerInfo::builtin();
};

INSTANTIATE_TEST_SUITE_P(Files, CanonicalReal, ::testing::ValuesIn(kVocabularies),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(CanonicalReal, MasksArePrefixesOfWhatTheTokenizerWrites) {
  std::uint64_t prefixes = 0, texts = 0, lost = 0;
  for (const FiniteLanguage& language : languages()) {
    if (enough_failures()) break;
    SCOPED_TRACE(language.name);
    const oracle::SequenceTree tree = sequences_of(info_, language.texts);
    texts += tree.nodes()[0].sequences;
    lost += language.texts.size() - tree.nodes()[0].sequences;
    ASSERT_FALSE(tree.empty());
    CanonicalCheckOptions options;
    options.every_token = false;
    options.max_prefixes = tests::rounds(80U);
    options.completions_every = 10;
    CanonicalCheck check(canonical_matcher(compiled_for_test(info_, language.grammar, language.name)), tree, options);
    check.run();
    prefixes += check.prefixes();
  }
  std::printf("%zu languages, %llu texts, %llu that the tokenizer does not give back, %llu prefixes\n",
              languages().size(), static_cast<unsigned long long>(texts), static_cast<unsigned long long>(lost),
              static_cast<unsigned long long>(prefixes));
}

// At each position of a text, any other token with the text's next bytes is allowed only if another text needs it.
TEST_P(CanonicalReal, OtherSegmentationsAreRefused) {
  std::multimap<char, std::uint32_t> by_first_byte;
  for (std::uint32_t id = 0; id < info_.vocab_size(); ++id) {
    const std::string_view bytes = info_.token_bytes(id);
    if (!bytes.empty() && info_.token_kind(id) != TokenKind::kSpecial) by_first_byte.emplace(bytes[0], id);
  }
  std::mt19937 random(1);
  std::uint64_t walked = 0, refused = 0, other_texts = 0;
  for (const FiniteLanguage& language : languages()) {
    if (enough_failures()) break;
    SCOPED_TRACE(language.name);
    const oracle::SequenceTree tree = sequences_of(info_, language.texts);
    GrammarMatcher matcher = canonical_matcher(compiled_for_test(info_, language.grammar, language.name));
    for (unsigned round = 0; round < tests::rounds(4U); ++round) {
      const std::string& text = language.texts[random() % language.texts.size()];
      const Result<TokenIds> ids = info_.tokenize(text);
      if (!ids || info_.decode(*ids) != text) continue;
      SCOPED_TRACE(text);
      std::size_t at = 0;  // position in bytes
      std::size_t node = 0;
      matcher.reset();
      for (std::size_t i = 0; i < ids->size(); ++i) {
        const std::string_view rest = std::string_view(text).substr(at);
        const auto [begin, end] = by_first_byte.equal_range(rest.empty() ? '\0' : rest[0]);
        for (auto token = begin; token != end; ++token) {
          if (!rest.starts_with(info_.token_bytes(token->second))) continue;
          const bool expected = tree.nodes()[node].children.contains(token->second);
          const bool allowed = matcher.is_token_allowed(token->second);
          if (token->second != (*ids)[i]) ++(allowed ? other_texts : refused);
          if (allowed != expected) {
            ADD_FAILURE() << "byte " << at << ": " << shown_ids(info_, {token->second}) << " is "
                          << (allowed ? "allowed" : "refused");
            break;
          }
        }
        ASSERT_EQ(matcher.accept_token((*ids)[i]), Step::kOk) << "byte " << at << ": " << shown_ids(info_, {(*ids)[i]});
        node = tree.nodes()[node].children.at((*ids)[i]);
        at = matcher.text().size();
      }
      ++walked;
      EXPECT_TRUE(matcher.is_completed());
      matcher.reset();
      EXPECT_EQ(matcher.accept_text(text), Step::kOk);
      EXPECT_EQ(matcher.step_count(), ids->size());
    }
  }
  std::printf("%llu texts; other tokens: %llu refused, %llu of other texts\n", static_cast<unsigned long long>(walked),
              static_cast<unsigned long long>(refused), static_cast<unsigned long long>(other_texts));
}

// The context decides which tokens may begin the output.
TEST_P(CanonicalReal, Contexts) {
  const Texts contexts = {"Hello", "The answer is", "The answer is ", "x =", "a\n\n", "你", "{\"a\": ", "don", "12",
                          "é",     "http:"};
  std::uint64_t with_output = 0, without = 0;
  for (std::size_t i = 0; i < languages().size(); i += 2) {
    if (enough_failures()) break;
    const FiniteLanguage& language = languages()[i];
    const CompiledGrammar compiled = compiled_for_test(info_, language.grammar, language.name);
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string& before = contexts[(i / 2 + 5 * k) % contexts.size()];
      SCOPED_TRACE(language.name + " after `" + before + "`");
      const Result<TokenIds> context = info_.tokenize(before);
      ASSERT_TRUE(context.has_value());
      oracle::SequenceTree tree;
      for (const std::string& text : language.texts) {
        const Result<TokenIds> ids = info_.tokenize(before + text);
        if (!ids || info_.decode(*ids) != before + text || ids->size() < context->size()) continue;
        const auto rest = ids->begin() + static_cast<std::ptrdiff_t>(context->size());
        if (std::equal(ids->begin(), rest, context->begin())) tree.add(TokenIds(rest, ids->end()));
      }
      if (tree.empty()) {
        ++without;
        MatcherOptions canonical;
        canonical.tokenization = Tokenization::kCanonical;
        canonical.context = *context;
        if (Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, canonical)) {
          EXPECT_TRUE(tokens_of(mask_of(*matcher)).empty());
        }
        continue;
      }
      ++with_output;
      CanonicalCheckOptions options;
      options.every_token = false;
      options.at_text_start = false;
      options.max_prefixes = tests::rounds(30U);
      options.completions_every = 10;
      CanonicalCheck(canonical_matcher(compiled, *context), tree, options).run();
    }
  }
  std::printf("%llu contexts, %llu that no text of the language goes on with\n",
              static_cast<unsigned long long>(with_output), static_cast<unsigned long long>(without));
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

// Documents of an infinite language: the tokenizer's tokens are accepted, and no other segmentation of the same text.
TEST_P(CanonicalReal, DocumentsHaveOneSegmentation) {
  const std::filesystem::path examples = std::filesystem::path(tests::repository()) / "examples";
  const Result<CompiledGrammar> compiled = GrammarCompiler(info_).compile_ebnf(read_text(examples / "json.ebnf"));
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher = canonical_matcher(*compiled);
  std::unordered_multimap<std::string_view, std::uint32_t> by_bytes;
  std::size_t longest = 0;
  for (std::uint32_t id = 0; id < info_.vocab_size(); ++id) {
    if (info_.token_bytes(id).empty()) continue;
    by_bytes.emplace(info_.token_bytes(id), id);
    longest = std::max(longest, info_.token_bytes(id).size());
  }
  std::mt19937 random(2);
  std::uint64_t tokens = 0, others = 0;
  for (const auto& entry : std::filesystem::directory_iterator(examples / "documents")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename());
    const std::string text = read_text(entry.path());
    const Result<TokenIds> ids = info_.tokenize(text);
    ASSERT_TRUE(ids.has_value());
    if (info_.decode(*ids) != text) continue;
    matcher.reset();
    const auto words = bitmask_words(info_.vocab_size());
    std::vector<std::uint32_t> bitmask(words);
    const std::size_t some = tests::rounds(std::size_t{40});
    for (std::size_t i = 0; i < ids->size(); ++i) {
      if (i < some) {
        ASSERT_EQ(matcher.fill_next_token_bitmask(bitmask), Step::kOk) << matcher.limit_message();
        ASSERT_TRUE(bitmask_get(bitmask, (*ids)[i])) << "token " << i << ": " << shown_ids(info_, {(*ids)[i]});
      }
      ASSERT_EQ(matcher.accept_token((*ids)[i]), Step::kOk) << "token " << i << ": " << shown_ids(info_, {(*ids)[i]});
      ++tokens;
    }
    EXPECT_TRUE(matcher.is_completed());
    // Leaves the tokenizer's tokens at a random position and spells the rest of the text with other tokens.
    for (unsigned round = 0; round < tests::rounds(10U); ++round) {
      std::size_t at = 0;
      const std::size_t until = random() % ids->size();
      matcher.reset();
      TokenIds path(ids->begin(), ids->begin() + static_cast<std::ptrdiff_t>(until));
      for (const std::uint32_t token : path) ASSERT_EQ(matcher.accept_token(token), Step::kOk);
      at = matcher.text().size();
      bool differs = false, refused = false;
      while (at < text.size() && !refused) {
        TokenIds fits;
        for (std::size_t size = 1; size <= std::min(longest, text.size() - at); ++size) {
          const auto [begin, end] = by_bytes.equal_range(std::string_view(text).substr(at, size));
          for (auto token = begin; token != end; ++token) fits.push_back(token->second);
        }
        // Usually takes the longest token that fits.
        const std::uint32_t token = fits[random() % 4 == 0 ? random() % fits.size() : fits.size() - 1];
        differs |= path.size() >= ids->size() || token != (*ids)[path.size()];
        path.push_back(token);
        refused = matcher.accept_token(token) != Step::kOk;
        at += info_.token_bytes(token).size();
      }
      if (!differs) continue;
      ++others;
      EXPECT_TRUE(refused || !matcher.is_completed()) << "another segmentation of the text is complete";
    }
  }
  std::printf("%llu tokens, %llu other segmentations\n", static_cast<unsigned long long>(tokens),
              static_cast<unsigned long long>(others));
}

TEST(CanonicalRealRefusals, WordPieceIsRefused) {
  const std::filesystem::path path = tests::shared_data() / "tokenizers" / "gguf" / "ggml-vocab-bert-bge.gguf";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no vocabulary file " << path;
  const Result<TokenizerInfo> info = TokenizerInfo::from_file(path.string());
  ASSERT_TRUE(info.has_value()) << info.error().message;
  MatcherOptions options;
  options.tokenization = Tokenization::kCanonical;
  const Result<GrammarMatcher> matcher =
      GrammarMatcher::create(*GrammarCompiler(*info).compile_ebnf("root ::= [a-z]*"), options);
  ASSERT_FALSE(matcher.has_value());
  EXPECT_EQ(matcher.error().code, ErrorCode::kUnsupported) << matcher.error().message;
}

}  // namespace
}  // namespace weir::testing
