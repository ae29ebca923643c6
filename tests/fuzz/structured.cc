#include "fuzz/structured.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "fuzz/choices.h"

namespace weir::fuzz {

namespace {

constexpr unsigned kDepth = 5;
constexpr std::size_t kMaxBytes = 4'000;

std::string counts(Choices& choices) {
  const unsigned low = choices.next(3);
  switch (choices.next(6)) {
    case 0: return "?";
    case 1: return "*";
    case 2: return "+";
    case 3: return "{" + std::to_string(low) + "}";
    case 4: return "{" + std::to_string(low) + ",}";
    default: return "{" + std::to_string(low) + "," + std::to_string(low + choices.next(4)) + "}";
  }
}

class GrammarText {
 public:
  explicit GrammarText(std::string_view data) : choices_(data) {}

  std::string write() {
    rules_ = 1 + choices_.next(4);
    std::vector<std::pair<std::size_t, std::size_t>> bodies;  // begin and end in out_
    for (unsigned i = 0; i < rules_; ++i) {
      out_ += (i == 0 ? "root" : "r" + std::to_string(i)) + " ::= ";
      bodies.emplace_back(out_.size(), 0);
      choice(0, Kind::kAny);
      bodies.back().second = out_.size();
      out_ += "\n";
    }
    // After all other choices, so that inputs of the corpus without such choices keep their meaning.
    for (; !bodies.empty(); bodies.pop_back()) {
      const auto [begin, end] = bodies.back();
      switch (choices_.next(4)) {
        case 1:
          out_.insert(end, ")");
          out_.insert(begin, "@max_tokens(" + std::to_string(1 + choices_.next(9)) + ": ");
          break;
        case 2: out_.insert(end, " (= \"a\" | [^a-c])"); break;
        default: break;
      }
    }
    return out_;
  }

 private:
  // Operands of operators and modes are regular (kRegular): they contain no rules, tokens, modes or captures.
  enum class Kind : std::uint8_t { kAny, kRegular };

  void choice(unsigned depth, Kind kind) {
    const unsigned count = 1 + choices_.next(3);
    for (unsigned i = 0; i < count; ++i) {
      if (i > 0) out_ += " | ";
      sequence(depth, kind);
    }
  }

  void sequence(unsigned depth, Kind kind) {
    const unsigned count = 1 + choices_.next(3);
    for (unsigned i = 0; i < count; ++i) {
      if (i > 0) out_ += " ";
      item(depth, kind);
    }
  }

  void item(unsigned depth, Kind kind) {
    static constexpr std::array kLeaves = {
        "\"a\"",  "\"ab\"",    "[a-c]",         "\"\"",        "[^a\\n]",        ".", "/a+?b/", "\"你\"",
        "[ \\t]", "\"{\\\"\"", "/[ab]{2,3}|é/", "/(?=a)\\w+/", "\"\\u{10FFFF}\""};
    static constexpr std::array kTokens = {"<[65-70]>", "!<[97, 98]>", "<|a|>"};
    if (depth >= kDepth || out_.size() > kMaxBytes) {
      out_ += kLeaves[choices_.next(kLeaves.size())];
      return;
    }
    switch (choices_.next(kind == Kind::kAny ? 14 : 6)) {
      case 0:
      case 1:
      case 2: out_ += kLeaves[choices_.next(kLeaves.size())]; break;
      case 3: group("(", depth, kind); break;
      case 4: group("~(", depth, Kind::kRegular); break;
      case 5:
        out_ += "(";
        sequence(depth + 1, Kind::kRegular);
        out_ += " & ";
        sequence(depth + 1, Kind::kRegular);
        out_ += ")";
        break;
      case 6: group("@lazy(", depth, Kind::kRegular); break;
      case 7: group("@greedy(", depth, Kind::kRegular); break;
      case 8: group("@capture(c: ", depth, Kind::kAny); break;
      case 9: out_ += kTokens[choices_.next(kTokens.size())]; break;
      default: {
        const unsigned rule = choices_.next(rules_);
        out_ += rule == 0 ? "root" : "r" + std::to_string(rule);
      }
    }
    if (choices_.next(3) == 2) out_ += counts(choices_);
  }

  void group(const char* open, unsigned depth, Kind kind) {
    out_ += open;
    choice(depth + 1, kind);
    out_ += ")";
  }

  Choices choices_;
  unsigned rules_ = 1;
  std::string out_;
};

class SchemaText {
 public:
  explicit SchemaText(std::string_view data) : choices_(data) {}

  std::string write() {
    schema(0);
    return out_;
  }

 private:
  void schema(unsigned depth) {
    static constexpr std::array kLeaves = {
        "true",
        "false",
        R"({"type": "string", "minLength": 1, "maxLength": 3})",
        R"({"type": "integer", "minimum": -3, "exclusiveMaximum": 12, "multipleOf": 2})",
        R"({"type": "number", "minimum": 0.5, "maximum": 1e2})",
        R"({"enum": ["a", 1, null, {"a": [1]}, 1.0]})",
        R"({"const": {"a": "b"}})",
        R"({"type": ["null", "boolean"]})",
        R"({"pattern": "^[ab]+$"})",
        R"({"$ref": "#"})",
        R"({"format": "date"})",
        R"({"required": ["a"], "maxProperties": 2})",
        R"({"minItems": 1, "maxItems": 2, "uniqueItems": true})",
        R"({"propertyNames": {"maxLength": 2}})",
    };
    if (depth >= kDepth || out_.size() > kMaxBytes || choices_.next(3) == 0) {
      out_ += kLeaves[choices_.next(kLeaves.size())];
      return;
    }
    static constexpr std::array kTypes = {"object", "array", "string", "number"};
    out_ += "{";
    if (choices_.next(2) == 1) out_ += R"("type": ")" + std::string(kTypes[choices_.next(kTypes.size())]) + R"(", )";
    out_ += R"("title": "t")";
    const unsigned keywords = 1 + choices_.next(3);
    for (unsigned i = 0; i < keywords; ++i) keyword(depth);
    out_ += "}";
  }

  // Appends a random keyword. A schema may contain a keyword several times; then the last one counts.
  void keyword(unsigned depth) {
    static constexpr std::array kOne = {
        "not",  "items", "additionalProperties", "unevaluatedProperties", "contains", "if",
        "then", "else",  "propertyNames"};
    static constexpr std::array kMany = {"allOf", "anyOf", "oneOf", "prefixItems"};
    static constexpr std::array kNamed = {"properties", "patternProperties", "dependentSchemas"};
    out_ += ", \"";
    switch (choices_.next(4)) {
      case 0: {
        out_ += std::string(kNamed[choices_.next(kNamed.size())]) + "\": {";
        for (unsigned i = 0, count = choices_.next(3); i <= count; ++i) {
          out_ += i > 0 ? ", \"" : "\"";
          out_ += std::string(1 + i, static_cast<char>('a' + choices_.next(2))) + "\": ";
          schema(depth + 1);
        }
        out_ += "}";
        break;
      }
      case 1:
        out_ += std::string(kMany[choices_.next(kMany.size())]) + "\": [";
        for (unsigned i = 0, count = choices_.next(3); i <= count; ++i) {
          if (i > 0) out_ += ", ";
          schema(depth + 1);
        }
        out_ += "]";
        break;
      case 2: out_ += R"(required": ["a", "b"])"; break;
      default: out_ += std::string(kOne[choices_.next(kOne.size())]) + "\": "; schema(depth + 1);
    }
  }

  Choices choices_;
  std::string out_;
};

}  // namespace

std::string grammar_text(std::string_view data) { return GrammarText(data).write(); }

std::string schema_text(std::string_view data) { return SchemaText(data).write(); }

}  // namespace weir::fuzz
