// Combinations of two cases: what is fast alone may be slow together.
#include <array>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "growth/cases.h"

namespace weir::growth {

namespace {

// How two operands become one: {} stands for the first, [] for the second.
struct Form {
  std::string_view name;
  std::string_view text;
};

constexpr std::array kSchemaForms = std::to_array<Form>({
    {"allOf", R"({"allOf":[@1,@2]})"},
    {"anyOf", R"({"anyOf":[@1,@2]})"},
    {"oneOf", R"({"oneOf":[@1,@2]})"},
    {"members", R"({"type":"object","properties":{"a":@1,"b":@2},"required":["a","b"]})"},
    {"items", R"({"type":"array","prefixItems":[@1],"items":@2,"minItems":2})"},
    {"unique", R"({"type":"array","items":{"anyOf":[@1,@2]},"uniqueItems":true,"minItems":2})"},
    {"if", R"({"if":@1,"then":@2})"},
    {"not", R"({"allOf":[@1,{"not":@2}]})"},
    {"names", R"({"type":"object","propertyNames":@1,"additionalProperties":@2,"minProperties":1})"},
    {"contains", R"({"type":"array","contains":@1,"items":{"anyOf":[@1,@2]}})"},
});

constexpr std::array kRegexForms = std::to_array<Form>({
    {"sequence", "(?:@1)(?:@2)"},
    {"either", "(?:@1)|(?:@2)"},
    {"both", "(?:@1)&(?:@2)"},
    {"but", "(?:@1)&~(?:@2)"},
    {"star", "(?:@1)*(?:@2)"},
    {"search", ".*(?:@1).*(?:@2)"},
});

constexpr std::array kEbnfForms = std::to_array<Form>({
    {"sequence", "root ::= (@1) (@2)"},
    {"either", "root ::= (@1) | (@2)"},
    {"star", "root ::= ((@1) | (@2))*"},
    {"captured", "root ::= @capture(a: @1) (@2)"},
    {"recursive", "root ::= (@1) root? | (@2)"},
});

constexpr std::array kTagForms = std::to_array<Form>({
    {"sequence", R"({"type":"structural_tag","format":{"type":"sequence","elements":[@1,@2]}})"},
    {"or", R"({"type":"structural_tag","format":{"type":"or","elements":[@1,@2]}})"},
    {"star",
     R"({"type":"structural_tag","format":{"type":"star","content":{"type":"sequence","elements":[@1,@2]}}})"},
    {"tag",
     R"({"type":"structural_tag","format":{"type":"sequence","elements":[{"type":"tag","begin":"<t>","end":"</t>","content":@1},@2]}})"},
});

struct Combined {
  std::string_view syntax;
  std::span<const Form> forms;
};

constexpr std::array kCombined = std::to_array<Combined>({
    {"json_schema", kSchemaForms}, {"regex", kRegexForms}, {"ebnf", kEbnfForms}, {"structural_tag", kTagForms}});

// Returns what of a case may be an operand of a combination.
std::optional<std::string> operand(const Case& one) {
  const std::string& text = one.grammar;
  if (!one.options.empty()) return std::nullopt;
  if (one.syntax == "json_schema") {
    // Their references are relative to the root.
    if (text.find("$ref") != text.npos || text.find("Ref\"") != text.npos || text.find("$schema") != text.npos) return {};
    return text;
  }
  if (one.syntax == "ebnf") {
    constexpr std::string_view kBegin = "root ::= ";
    if (!text.starts_with(kBegin) || text.find("::=", kBegin.size()) != text.npos || text.find("$l") != text.npos ||
        text.find("root", kBegin.size()) != text.npos) {
      return std::nullopt;
    }
    return text.substr(kBegin.size());
  }
  if (one.syntax == "structural_tag") {
    constexpr std::string_view kBegin = R"({"type":"structural_tag","format":)";
    if (!text.starts_with(kBegin)) return std::nullopt;
    return text.substr(kBegin.size(), text.size() - kBegin.size() - 1);
  }
  return one.syntax == "regex" ? std::optional(text) : std::nullopt;
}

std::string combine(std::string_view form, const std::string& first, const std::string& second) {
  std::string out;
  for (std::size_t at = 0; at < form.size(); ++at) {
    if (form.substr(at).starts_with("@1")) {
      out += first;
    } else if (form.substr(at).starts_with("@2")) {
      out += second;
    } else {
      out += form[at];
      continue;
    }
    ++at;
  }
  return out;
}

std::string last_word(const std::string& name) { return name.substr(name.rfind('/') + 1); }

}  // namespace

std::vector<Case> combinations(const std::vector<Case>& cases, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Case> out;
  while (out.size() < count) {
    const Combined& combined = kCombined[random() % kCombined.size()];
    const Case& first = cases[random() % cases.size()];
    const Case& second = cases[random() % cases.size()];
    if (first.syntax != combined.syntax || second.syntax != combined.syntax || first.sizes != second.sizes) continue;
    const auto a = operand(first);
    const auto b = operand(second);
    if (!a || !b) continue;
    const Form& form = combined.forms[random() % combined.forms.size()];
    Case one;
    one.name = "combined/" + first.syntax + "/" + std::string(form.name) + "/" + last_word(first.name) + "+" +
               last_word(second.name);
    one.syntax = first.syntax;
    one.grammar = combine(form.text, *a, *b);
    one.sizes = first.sizes;
    one.growth = "any";  // an intersection may have as many states as both have together
    one.reach = 0;
    one.most = std::min(first.most, second.most);
    out.push_back(one);
  }
  return out;
}

}  // namespace weir::growth
