#include "exhaustive/canonical_worlds.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "property/harness.h"

namespace weir::testing {

namespace {

using Json = nlohmann::json;
using oracle::BpeTokenizerSpec;

std::string utf8(std::uint32_t code_point) {
  if (code_point < 0x80) return std::string(1, static_cast<char>(code_point));
  return {static_cast<char>(0xC0U | (code_point >> 6U)), static_cast<char>(0x80U | (code_point & 0x3FU))};
}

// Spells bytes as a tokenizer.json does: printable Latin-1 bytes stand for themselves, the others for U+0100 and up.
std::string byte_level(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const auto is_printable = [](unsigned b) {
      return (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
    };
    if (is_printable(byte)) {
      out += utf8(byte);
      continue;
    }
    std::uint32_t number = 0;
    for (unsigned other = 0; other < byte; ++other) number += is_printable(other) ? 0 : 1;
    out += utf8(0x100 + number);
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k > bytes.size() ? '=' : kDigits[(group >> (18 - 6 * k)) & 63U];
    }
  }
  return out;
}

TokenizerInfo expect_tokenizer(const Result<TokenizerInfo>& info, const std::string& file) {
  if (info) return *info;
  ADD_FAILURE() << info.error().message << " in " << file;
  return *TokenizerInfo::from_vocab({.tokens = {"failed"}});
}

/// A temporary folder, for files that the reader finds by name.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::path(::testing::TempDir()) / ("weir_canonical_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

TokenizerInfo read_ranks(const BpeTokenizerSpec& spec) {
  const TemporaryFolder folder;
  std::string ranks;
  for (std::size_t id = 0; id < spec.tokens.size(); ++id) {
    ranks += base64(spec.tokens[id]) + " " + std::to_string(id) + "\n";
  }
  Json special = Json::object();
  for (std::size_t i = 0; i < std::size(kSpecialNames); ++i) special[kSpecialNames[i]] = spec.tokens.size() + i;
  const Json settings = {{"name", "small"},
                         {"pat_str", spec.steps.empty() ? "[\\s\\S]+" : spec.steps[0].pattern},
                         {"special_tokens", special}};
  std::ofstream(folder / "small.tiktoken", std::ios::binary) << ranks;
  std::ofstream(folder / "small.json", std::ios::binary) << settings.dump();
  TokenizerOptions options;
  options.stop_token_ids = {static_cast<std::uint32_t>(spec.tokens.size())};
  return expect_tokenizer(TokenizerInfo::from_file((folder / "small.tiktoken").string(), options), ranks);
}

// --- Languages ---

/// An expression in two syntaxes, and all its texts.
struct Expression {
  std::string ebnf;
  std::string regex;
  std::set<std::string> texts = {};
};

std::string regex_literal(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (std::string_view("\\^$.|?*+()[]{}/-&~#").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

class LanguageMaker {
 public:
  LanguageMaker(std::mt19937& random, const std::vector<std::string>& characters, std::size_t max_texts)
      : random_(random), characters_(characters), max_texts_(max_texts) {}

  Expression expression(int depth) {
    switch (depth == 0 ? below(2) : below(7)) {
      case 0: return literal();
      case 1: return one_of();
      case 2:
      case 3: return sequence(depth);
      case 4: return alternatives(depth);
      case 5: return repeat(depth);
      default: return rule(depth);
    }
  }

  [[nodiscard]] const std::string& rules() const { return rules_; }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  Expression literal() {
    std::string text;
    for (std::size_t i = 0, size = 1 + below(3); i < size; ++i) text += characters_[below(characters_.size())];
    return {ebnf_literal(text), "(?:" + regex_literal(text) + ")", {text}};
  }

  Expression one_of() {
    std::set<std::string> chosen;
    for (std::size_t i = 0, size = 1 + below(3); i < size; ++i) chosen.insert(characters_[below(characters_.size())]);
    std::string regex, ebnf;
    for (const std::string& c : chosen) {
      regex += (regex.empty() ? "" : "|") + regex_literal(c);
      ebnf += (ebnf.empty() ? "" : " | ") + ebnf_literal(c);
    }
    return {"(" + ebnf + ")", "(?:" + regex + ")", std::move(chosen)};
  }

  Expression sequence(int depth) {
    const Expression a = expression(depth - 1), b = expression(depth - 1);
    Expression both{"(" + a.ebnf + " " + b.ebnf + ")", a.regex + b.regex};
    for (const std::string& left : a.texts) {
      for (const std::string& right : b.texts) both.texts.insert(left + right);
    }
    return checked(both, a);
  }

  Expression alternatives(int depth) {
    const Expression a = expression(depth - 1), b = expression(depth - 1);
    Expression both{"(" + a.ebnf + " | " + b.ebnf + ")", "(?:" + a.regex + "|" + b.regex + ")", a.texts};
    both.texts.insert(b.texts.begin(), b.texts.end());
    return checked(both, a);
  }

  Expression repeat(int depth) {
    const Expression once = expression(depth - 1);
    const std::size_t least = below(3), most = least + below(3);
    const std::string counts = "{" + std::to_string(least) + "," + std::to_string(most) + "}";
    Expression all{"(" + once.ebnf + ")" + counts, "(?:" + once.regex + ")" + counts};
    std::set<std::string> texts = {""};
    for (std::size_t turn = 0; turn <= most; ++turn) {
      if (turn >= least) all.texts.insert(texts.begin(), texts.end());
      std::set<std::string> longer;
      for (const std::string& left : texts) {
        for (const std::string& right : once.texts) longer.insert(left + right);
      }
      texts = std::move(longer);
      if (texts.size() > max_texts_) return once;
    }
    return checked(all, once);
  }

  Expression rule(int depth) {
    Expression body = expression(depth - 1);
    const std::string name = "r" + std::to_string(rule_count_++);
    rules_ += name + " ::= " + body.ebnf + "\n";
    body.ebnf = name;
    return body;
  }

  // Returns `whole`, or `part` if `whole` has too many texts.
  Expression checked(const Expression& whole, const Expression& part) {
    return whole.texts.size() > max_texts_ ? part : whole;
  }

  std::mt19937& random_;
  const std::vector<std::string>& characters_;
  std::size_t max_texts_;
  std::size_t rule_count_ = 0;
  std::string rules_ = {};
};

Grammar expect_grammar(const Result<Grammar>& grammar, const std::string& text) {
  if (grammar) return *grammar;
  ADD_FAILURE() << grammar.error().message << " in " << text;
  return *Grammar::from_ebnf("root ::= \"a\"");
}

FiniteLanguage all_texts(std::mt19937& random, const std::vector<std::string>& characters, std::size_t max_texts) {
  std::set<std::string> texts = {""}, last = {""};
  std::size_t length = 0;
  while (last.size() * characters.size() + texts.size() <= max_texts) {
    std::set<std::string> longer;
    for (const std::string& text : last) {
      for (const std::string& c : characters) longer.insert(text + c);
    }
    texts.insert(longer.begin(), longer.end());
    last = std::move(longer);
    ++length;
  }
  std::string any = "(";
  for (const std::string& c : characters) any += (any.size() == 1 ? "" : " | ") + ebnf_literal(c);
  any += ")";
  std::string ebnf = "root ::= " + any + "{0," + std::to_string(length) + "}";
  if (random() % 2 == 0) {  // the same language, with one rule for each length
    ebnf = "root ::= r" + std::to_string(length) + "\nr0 ::= \"\"\n";
    for (std::size_t i = 1; i <= length; ++i) {
      ebnf += "r" + std::to_string(i) + " ::= \"\" | " + any + " r" + std::to_string(i - 1) + "\n";
    }
  }
  return {ebnf, expect_grammar(Grammar::from_ebnf(ebnf), ebnf), {texts.begin(), texts.end()}};
}

FiniteLanguage some_texts(std::mt19937& random, const std::vector<std::string>& characters, std::size_t max_texts) {
  std::set<std::string> texts;
  const std::size_t count = 1 + random() % std::min<std::size_t>(max_texts, 40);
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    for (std::size_t k = 0, size = random() % 9; k < size; ++k) text += characters[random() % characters.size()];
    texts.insert(text);
  }
  const std::vector<std::string> list(texts.begin(), texts.end());
  std::string name = "choice";
  for (const std::string& text : list) name += " " + ebnf_literal(text);
  return {name, expect_grammar(Grammar::from_choice(list), name), list};
}

}  // namespace

std::string_view to_string(VocabularyKind kind) {
  switch (kind) {
    case VocabularyKind::kProper: return "proper";
    case VocabularyKind::kImproper: return "improper";
    case VocabularyKind::kRanks: return "ranks";
  }
  return "";
}

BpeTokenizerSpec random_vocabulary(std::mt19937& random, const SmallWorldOptions& options) {
  BpeTokenizerSpec spec;
  spec.steps = options.steps;
  spec.nfc = options.nfc;
  spec.whole_pieces = options.whole_pieces || options.kind == VocabularyKind::kRanks;
  std::set<char> bytes;
  for (const std::string& c : options.characters) bytes.insert(c.begin(), c.end());
  for (const char byte : bytes) spec.tokens.emplace_back(1, byte);
  const auto is_token = [&](const std::string& text) {
    return std::ranges::find(spec.tokens, text) != spec.tokens.end();
  };
  for (std::uint32_t tries = 0; spec.merges.size() < options.merges && tries < 200; ++tries) {
    const std::string left = spec.tokens[random() % spec.tokens.size()];
    const std::string right = spec.tokens[random() % spec.tokens.size()];
    if (left.size() + right.size() > options.longest_token) continue;
    const bool known = is_token(left + right);
    if (known && (options.kind != VocabularyKind::kImproper ||
                  std::ranges::find(spec.merges, std::pair(left, right)) != spec.merges.end()))
      continue;
    spec.merges.emplace_back(left, right);
    if (!known) spec.tokens.push_back(left + right);
  }
  if (options.kind == VocabularyKind::kImproper) std::ranges::shuffle(spec.merges, random);
  for (std::uint32_t i = 0; i < options.extra_tokens; ++i) {
    std::string text;
    for (std::size_t k = 0, size = 2 + random() % 4; k < size; ++k) {
      text += options.characters[random() % options.characters.size()];
    }
    if (text.size() > options.longest_token) text.resize(options.longest_token);  // perhaps within a character
    if (!is_token(text)) spec.tokens.push_back(text);
  }
  if (options.kind == VocabularyKind::kRanks) {
    spec.ranks = BpeTokenizerSpec::Ranks::kTokenIds;
    spec.merges.clear();
    // In half of the vocabularies ranks are random, so that tokens may come before their parts.
    if (random() % 2 == 0) {
      std::ranges::shuffle(spec.tokens.begin() + static_cast<std::ptrdiff_t>(bytes.size()), spec.tokens.end(), random);
    }
  }
  return spec;
}

std::string tokenizer_json(const BpeTokenizerSpec& spec) {
  Json vocab = Json::object(), merges = Json::array(), added = Json::array(), steps = Json::array();
  for (std::size_t id = 0; id < spec.tokens.size(); ++id) vocab[byte_level(spec.tokens[id])] = id;
  for (const auto& [left, right] : spec.merges) merges.push_back({byte_level(left), byte_level(right)});
  for (std::size_t i = 0; i < std::size(kSpecialNames); ++i) {
    added.push_back({{"id", spec.tokens.size() + i}, {"content", kSpecialNames[i]}, {"special", true}});
  }
  constexpr std::array<const char*, 4> kBehaviors = {"Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"};
  for (const oracle::SplitStep& step : spec.steps) {
    steps.push_back({{"type", "Split"},
                     {"pattern", {{"Regex", step.pattern}}},
                     {"behavior", kBehaviors[static_cast<std::size_t>(step.behavior)]},
                     {"invert", step.invert}});
  }
  const Json byte_step = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
  steps.push_back(byte_step);
  const Json file = {
      {"version", "1.0"},
      {"added_tokens", added},
      {"normalizer", spec.nfc ? Json({{"type", "NFC"}}) : Json()},
      {"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", steps}}},
      {"decoder", byte_step},
      {"model", {{"type", "BPE"}, {"vocab", vocab}, {"merges", merges}, {"ignore_merges", spec.whole_pieces}}}};
  return file.dump();
}

SmallWorld make_world(BpeTokenizerSpec spec, std::string name) {
  for (const oracle::SplitStep& step : spec.steps) name += ", split by " + step.pattern;
  if (spec.whole_pieces) name += ", whole pieces";
  if (spec.nfc) name += ", NFC";
  name += "; tokens";
  for (const std::string& token : spec.tokens) name += " '" + shown(token) + "'";
  name += "; merges";
  for (const auto& [left, right] : spec.merges) name += " " + shown(left) + "+" + shown(right);
  TokenizerInfo info = TokenizerInfo::builtin();
  if (spec.ranks == BpeTokenizerSpec::Ranks::kTokenIds) {
    info = read_ranks(spec);
  } else {
    const std::string json = tokenizer_json(spec);
    TokenizerOptions options;
    options.stop_token_ids = {static_cast<std::uint32_t>(spec.tokens.size())};
    info = expect_tokenizer(TokenizerInfo::from_bytes(json, "small", options), json);
  }
  return {std::make_shared<const oracle::BpeTokenizer>(std::move(spec)), std::move(info), std::move(name)};
}

oracle::SequenceTree sequences_of(const SmallWorld& world, const std::vector<std::string>& texts) {
  oracle::SequenceTree tree;
  for (const std::string& text : texts) {
    const std::optional<TokenIds> ids = world.plain->tokenize(text);
    if (ids && world.plain->decode(*ids) == text) tree.add(*ids);
  }
  return tree;
}

std::string ebnf_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '"':
      case '\\': out += '\\'; [[fallthrough]];
      default: out += c;
    }
  }
  return out + "\"";
}

FiniteLanguage random_language(std::mt19937& random, const std::vector<std::string>& characters,
                               std::size_t max_texts) {
  const std::size_t kind = random() % 8;
  if (kind == 0) return all_texts(random, characters, max_texts);
  if (kind <= 2) return some_texts(random, characters, max_texts);
  LanguageMaker maker(random, characters, max_texts);
  const Expression expression = maker.expression(2 + static_cast<int>(random() % 3));
  const std::vector<std::string> texts(expression.texts.begin(), expression.texts.end());
  // Two kinds make the whole language one terminal, the others use rules, so tokens cross different ends of terminals.
  if (kind == 3)
    return {expression.regex, expect_grammar(Grammar::from_regex(expression.regex), expression.regex), texts};
  const std::string ebnf =
      kind == 4 ? "root ::= /" + expression.regex + "/" : "root ::= " + expression.ebnf + "\n" + maker.rules();
  return {ebnf, expect_grammar(Grammar::from_ebnf(ebnf), ebnf), texts};
}

}  // namespace weir::testing
