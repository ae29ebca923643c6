// Compares used keys with brute force: a character may follow a text iff some object has the result as a prefix. The
// schemas allow few names, or names of one length, so that all names with a prefix can be used up.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "e2e/embedded_schema.h"
#include "rounds.h"
#include "weir/bitmask.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

// kLetters has letters of names that stand for a to z: those that texts can spell, and c and z, which they cannot, so
// that names with c or z always remain unused. kAlphabet has the characters of texts.
constexpr std::string_view kLetters = "abfjkucz";
constexpr std::string_view kAlphabet = "{}\",:1ab\\u06";
constexpr std::size_t kLongestName = 3;

/// Objects whose members are 1 or objects of the same kind.
struct Kind {
  std::string schema;  // the keywords about members
  std::function<bool(std::string_view)> allows;
  std::size_t min = 0;
  std::size_t max = 99;
  std::vector<std::string> required = {};
  bool goes_on = false;  // longer names than those that are tried are allowed
};

std::vector<std::string> names_of(const Kind& kind) {
  std::vector<std::string> all{""};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].size() == kLongestName) break;
    for (const char c : kLetters) all.push_back(all[i] + c);
  }
  std::erase_if(all, [&](const std::string& name) { return !kind.allows(name); });
  return all;
}

/// Decides by trying all possibilities whether a text is a prefix of an object of the kind.
class BruteForce {
 public:
  explicit BruteForce(const Kind& kind) : kind_(kind), names_(names_of(kind)) {}

  bool may_begin(std::string_view text) {
    text_ = text;
    const Read read = value();
    return read == Read::kCut || (read == Read::kDone && text_.empty());
  }

 private:
  enum class Read { kDone, kCut, kWrong };

  bool take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  // Returns true if the name may be next and the object can be completed after it.
  [[nodiscard]] bool is_left(const std::set<std::string>& used, const std::string& name) const {
    if (used.contains(name) || used.size() == kind_.max) return false;
    const std::size_t size = used.size() + 1;
    const std::size_t more = kind_.goes_on ? kind_.max : names_.size() - size;
    const auto missing = std::count_if(kind_.required.begin(), kind_.required.end(), [&](const std::string& other) {
      return other != name && !used.contains(other);
    });
    return size + std::min(more, kind_.max - size) >= kind_.min &&
           size + static_cast<std::size_t>(missing) <= kind_.max;
  }

  // Reads a character in any spelling. Returns kCut if the text ends within it.
  Read character(std::string_view candidates, std::string& name) {
    for (const char c : candidates) {
      static constexpr std::string_view kDigits = "0123456789abcdef";
      const auto code = static_cast<unsigned char>(c);
      const std::string escaped = std::string("\\u00") + kDigits[code / 16] + kDigits[code % 16];
      for (const std::string& spelled : {std::string(1, c), escaped}) {
        if (text_.size() < spelled.size() && spelled.starts_with(text_)) return Read::kCut;
        if (!text_.starts_with(spelled)) continue;
        text_.remove_prefix(spelled.size());
        name += c;
        return Read::kDone;
      }
    }
    return Read::kWrong;
  }

  // Reads the rest of a key after its opening quote and adds the key to `used`.
  Read key(std::set<std::string>& used) {
    std::string name;
    for (;;) {
      std::string candidates;
      bool is_name = false;
      for (const std::string& other : names_) {
        if (!other.starts_with(name) || !is_left(used, other)) continue;
        if (other.size() == name.size()) is_name = true;
        if (other.size() > name.size()) candidates += other[name.size()];
      }
      if (kind_.goes_on && name.size() >= kLongestName && kind_.allows(name)) {
        is_name = !used.contains(name);
        candidates = kLetters;
      }
      if (!is_name && candidates.empty()) return Read::kWrong;
      if (text_.empty()) return Read::kCut;
      if (is_name && take('"')) break;
      if (const Read read = character(candidates, name); read != Read::kDone) return read;
    }
    used.insert(name);
    return Read::kDone;
  }

  // Return true if the list of members may end, or another member may follow.
  [[nodiscard]] bool may_close(const std::set<std::string>& used) const {
    return used.size() >= kind_.min && std::all_of(kind_.required.begin(), kind_.required.end(),
                                                   [&](const std::string& name) { return used.contains(name); });
  }
  [[nodiscard]] bool may_go_on(const std::set<std::string>& used) const {
    return std::any_of(names_.begin(), names_.end(), [&](const std::string& name) { return is_left(used, name); });
  }

  Read value() {
    std::set<std::string> used;
    if (text_.empty()) return Read::kCut;
    if (!take('{')) return Read::kWrong;
    for (bool is_first = true;; is_first = false) {
      if (text_.empty()) return Read::kCut;
      if (may_close(used) && take('}')) return Read::kDone;
      if (!may_go_on(used) || (!is_first && !take(','))) return Read::kWrong;
      if (text_.empty()) return Read::kCut;
      if (!take('"')) return Read::kWrong;
      if (const Read read = key(used); read != Read::kDone) return read;
      if (text_.empty()) return Read::kCut;
      if (!take(':')) return Read::kWrong;
      if (text_.empty()) return Read::kCut;
      if (take('1')) continue;
      if (const Read read = value(); read != Read::kDone) return read;
    }
  }

  const Kind& kind_;
  std::vector<std::string> names_;
  std::string_view text_;
};

bool is_of(std::string_view name, std::string_view letters) {
  return name.find_first_not_of(letters) == std::string_view::npos;
}

std::vector<Kind> kinds() {
  const std::string kMembers = R"("additionalProperties": {"$ref": "#/$defs/member"}, )";
  const auto up_to = [](std::size_t n) { return [n](std::string_view name) { return name.size() <= n; }; };
  const auto exactly = [](std::size_t n) { return [n](std::string_view name) { return name.size() == n; }; };
  std::vector<Kind> all{
      {kMembers + R"("propertyNames": {"maxLength": 1, "pattern": "^[a-z]*$"})", up_to(1)},
      {kMembers + R"("propertyNames": {"maxLength": 2, "pattern": "^[a-z]*$"})", up_to(2)},
      {kMembers + R"("propertyNames": {"minLength": 2, "maxLength": 2, "pattern": "^[a-z]*$"})", exactly(2)},
      {kMembers + R"("propertyNames": {"not": {"minLength": 3}, "pattern": "^[a-z]*$"})", up_to(2)},
      {kMembers + R"("propertyNames": {"enum": ["a", "ab", "b", "aba"]})",
       [](std::string_view name) { return name == "a" || name == "ab" || name == "b" || name == "aba"; }},
      {kMembers + R"("propertyNames": {"pattern": "^[ab]{1,2}$"})",
       [](std::string_view name) { return !name.empty() && name.size() <= 2 && is_of(name, "ab"); }},
      {kMembers + R"("propertyNames": {"pattern": "^[a-z]{2}$"})", exactly(2)},
      {R"("patternProperties": {"^[a-z]{3}$": {"$ref": "#/$defs/member"}}, "additionalProperties": false)", exactly(3)},
      {R"("patternProperties": {"^[a-z]{2}$": {"$ref": "#/$defs/member"}}, "additionalProperties": false,
          "properties": {"a": {"$ref": "#/$defs/member"}, "abc": {"$ref": "#/$defs/member"}, "ab": {"$ref": "#/$defs/member"}})",
       [](std::string_view name) { return name == "a" || name == "abc" || name.size() == 2; }},
      {R"("patternProperties": {"^[a-z]{2}$": {"$ref": "#/$defs/member"}}, "unevaluatedProperties": false,
          "anyOf": [{"patternProperties": {"^a$": {"$ref": "#/$defs/member"}}}, {"patternProperties": {"^b$": {"$ref": "#/$defs/member"}}}])",
       [](std::string_view name) { return name == "a" || name == "b" || name.size() == 2; }},
      {kMembers + R"("propertyNames": {"anyOf": [{"pattern": "^a[a-z]$"}, {"pattern": "^b[a-z]*$"}]})",
       [](std::string_view name) { return name.starts_with('b') || (name.starts_with('a') && name.size() == 2); },
       0,
       99,
       {},
       true},
      {kMembers + R"("propertyNames": {"pattern": "^[a-z]{1,2}$"}, "patternProperties": {"^.b": false})",
       [](std::string_view name) { return !name.empty() && name.size() <= 2 && (name.size() < 2 || name[1] != 'b'); }},
      {kMembers + R"("propertyNames": {"pattern": "^[a-z]{2}$"}, "properties": {"ab": false})",
       [](std::string_view name) { return name.size() == 2 && name != "ab"; }},
  };
  const std::size_t plain = all.size();
  for (std::size_t i = 0; i < plain; ++i) {
    Kind counted = all[i];
    counted.schema += R"(, "minProperties": 2, "maxProperties": 3)";
    counted.min = 2;
    counted.max = 3;
    all.push_back(std::move(counted));
  }
  Kind tight = all[4];
  tight.schema += R"(, "minProperties": 4)";
  tight.min = 4;
  all.push_back(std::move(tight));
  Kind required = all[6];
  required.schema += R"(, "required": ["ab"], "maxProperties": 3)";
  required.required = {"ab"};
  required.max = 3;
  all.push_back(std::move(required));
  return all;
}

std::string schema_of(const Kind& kind) {
  return R"({"$ref": "#/$defs/object", "$defs": {"member": {"anyOf": [{"const": 1}, {"$ref": "#/$defs/object"}]},
             "object": {"type": "object", )" +
         kind.schema + "}}}";
}

JsonSchemaOptions without_blanks() {
  JsonSchemaOptions options;
  options.whitespace = JsonSchemaOptions::Whitespace::kNone;
  return options;
}

// Walks randomly, mostly by characters of short names, and compares the allowed characters at each step.
void walk(GrammarMatcher& matcher, const Kind& kind, std::minstd_rand& random, std::size_t steps) {
  BruteForce truth(kind);
  std::string text;
  for (std::size_t step = 0; step < steps; ++step) {
    std::string may_come;
    for (const char c : kAlphabet) {
      const bool is_viable = truth.may_begin(text + c);
      const Step taken = matcher.accept_bytes({&c, 1});
      ASSERT_EQ(taken == Step::kOk, is_viable) << schema_of(kind) << "\n" << text << c;
      if (taken == Step::kOk) {
        ASSERT_EQ(matcher.rollback(1), Step::kOk);
        may_come += c;
      }
    }
    if (may_come.empty()) break;  // the text is complete, or continues with characters outside the alphabet
    // Escapes make texts long, and deeply nested texts have few keys, so both are rare.
    std::erase_if(may_come,
                  [&](char c) { return may_come.size() > 1 && (c == '\\' || c == '{') && random() % 4 != 0; });
    text += may_come[random() % may_come.size()];
    ASSERT_EQ(matcher.accept_bytes({&text.back(), 1}), Step::kOk);
  }
  ASSERT_EQ(matcher.rollback(text.size()), Step::kOk);
}

TEST(SchemaUsedKeys, MayBeginIffSomeKeyIsLeft) {
  std::minstd_rand random(1);
  for (const Kind& kind : kinds()) {
    const auto compiled =
        GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema_of(kind), without_blanks());
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    GrammarMatcher matcher(*compiled);
    for (int i = 0; i < tests::rounds(20) && !HasFatalFailure(); ++i) walk(matcher, kind, random, 60);
    if (HasFatalFailure()) return;
  }
}

TEST(SchemaUsedKeys, AreTheSameWithinOtherText) {
  std::minstd_rand random(2);
  for (const Kind& kind : kinds()) {
    const Grammar grammar = embedded_schema(schema_of(kind), {"say ", "."}, 1, without_blanks());
    GrammarMatcher matcher(GrammarCompiler(TokenizerInfo::builtin()).compile(grammar).value());
    ASSERT_EQ(matcher.accept_bytes("say "), Step::kOk);
    for (int i = 0; i < tests::rounds(5) && !HasFatalFailure(); ++i) walk(matcher, kind, random, 60);
    if (HasFatalFailure()) return;
  }
}

// Tokens may contain commas and quotes and end within a key.
TEST(SchemaUsedKeys, MasksAgreeWithSteps) {
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  const std::string text = R"({"ab":1,"aa":{"ab":1,"aa":1,"a":1},"a":1,"b":1,"abc":1,"bb":1,"ba":1,"aba":1})";
  for (const Kind& kind : kinds()) {
    GrammarMatcher matcher(
        *GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema_of(kind), without_blanks()));
    const std::size_t viable = matcher.longest_viable_prefix(text);
    for (std::size_t i = 0; i < viable; ++i) {
      ASSERT_EQ(matcher.accept_bytes(text.substr(i, 1)), Step::kOk);
      if (i % 3 != 0 && text[i] != '"') continue;
      ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
      for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token) {
        ASSERT_EQ(bitmask_get(mask, token), matcher.is_token_allowed(token))
            << schema_of(kind) << "\n"
            << text.substr(0, i + 1) << " " << tokenizer.token_name(token);
      }
    }
  }
}

// The state within a value does not depend on the number of used keys. The check of the next key reads the used keys
// from the text.
TEST(SchemaUsedKeys, ShareTheStatesAfterThem) {
  const auto compiled = GrammarCompiler(TokenizerInfo::builtin())
                            .compile_json_schema(
                                R"({"type": "object", "propertyNames": {"pattern": "^[0-9]{4}-[0-9]{2}$"},
          "additionalProperties": {"type": "object", "properties": {"low": {"type": "number"}}}})");
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  const std::string value = R"({"low": 12.5, "at": ["x", {"y": null}]})";
  ASSERT_EQ(matcher.accept_string(R"({"2001-01": )" + value + R"(, "2001-02": )" + value + R"(, "2001-03": )"),
            Step::kOk);
  const std::uint64_t states = compiled->stats().states;
  ASSERT_EQ(matcher.accept_string(value), Step::kOk);
  EXPECT_LE(compiled->stats().states, states + 1);
  EXPECT_EQ(matcher.accept_string(R"(, "2001-0)"), Step::kOk);
  EXPECT_EQ(matcher.accept_string("2"), Step::kRefused) << "nothing goes on after it but the quote";
}

}  // namespace
}  // namespace weir
