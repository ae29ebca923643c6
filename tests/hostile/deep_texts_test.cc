// Texts that nest deeply, on threads with little stack: every reader, and everything that works on what was read.
//
// WHAT   Each construct that can nest is written at several depths: as deep as Limits::nesting allows, where it is read
//        and used in every way, and five and a hundred times as deep, where it is refused with that limit's name. The
//        same under limits that a user has raised: there is no limit then but memory and counted work.
// HOW    A stack overflow ends the process, so a test fails by ending it. What each construct means is tested
//        elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "distinct_styles.h"
#include "small_stack.h"
#include "unit/engine/engine_testing.h"
#include "weir/explain.h"
#include "weir/strict_schema.h"
#include "weir/weir.h"

namespace weir {
namespace {

constexpr std::uint32_t kNesting = Limits{}.nesting;
constexpr std::uint32_t kTooDeep[] = {kNesting + 1, 5 * kNesting, 100 * kNesting};

constexpr GrammarSyntax kSyntaxes[] = {GrammarSyntax::kEbnf, GrammarSyntax::kGbnf, GrammarSyntax::kXgrammar,
                                       GrammarSyntax::kKbnf, GrammarSyntax::kLark};

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

// A construct that contains another one of its kind.
struct Nest {
  std::string_view name;
  std::string_view open;
  std::string_view close;
  std::string_view inner;
  std::uint32_t levels = 1;        // of brackets that one construct adds
  std::uint32_t inner_levels = 1;  // of brackets in `inner`
  std::string_view before = {};    // the whole text: before, open..., inner, close..., after
  std::string_view after = {};
  std::uint32_t outer_levels = 0;  // of brackets in `before`
};

// Returns a text of as many levels of brackets as possible, at most `levels`.
std::string nested(const Nest& nest, std::uint32_t levels) {
  const std::uint32_t count = (levels - nest.inner_levels - nest.outer_levels) / nest.levels;
  return std::string(nest.before) + repeated(nest.open, count) + std::string(nest.inner) + repeated(nest.close, count) +
         std::string(nest.after);
}

// At least `levels` deep.
std::string nested_too_deep(const Nest& nest, std::uint32_t levels) { return nested(nest, levels + nest.levels); }

// --- Using a grammar ---

void use_matcher(const CompiledGrammar& compiled) {
  GrammarMatcher matcher(compiled);
  std::vector<std::uint32_t> mask(bitmask_words(compiled.tokenizer_info().vocab_size()));
  for (int step = 0; step < 24; ++step) {
    if (matcher.fill_next_token_bitmask(mask) != Step::kOk) break;
    // Brackets first, since they lead into what nests.
    std::string_view written;
    for (const std::string_view text : {"{\"a\":", "{", "[", "\"a\"", ":", "1", "a"}) {
      if (matcher.accept_bytes(text) != Step::kOk) continue;
      written = text;
      break;
    }
    if (written.empty()) break;
  }
  static_cast<void>(matcher.shortest_completion());
  static_cast<void>(matcher.find_jump_forward_string());
  static_cast<void>(matcher.explain(0));
  static_cast<void>(matcher.captures());
  static_cast<void>(matcher.limit_message());
  static_cast<void>(matcher.rollback(matcher.step_count()));
  static_cast<void>(matcher.shortest_completion());
}

enum class Converts : std::uint8_t { kNo, kYes };

// Compiles the grammar and uses it. Returns false if it is refused for a reason that has to do with its depth.
bool use(const Grammar& grammar, const Limits& limits = {}, Converts converts = Converts::kYes) {
  const GrammarCompiler compiler(engine_testing::byte_vocabulary({"[[", "{\"a\""}), limits);
  const Result<CompiledGrammar> compiled = compiler.compile(grammar);
  if (!compiled) return compiled.error().limit != "nesting";
  use_matcher(*compiled);
  if (converts == Converts::kNo) return true;
  for (const GrammarSyntax syntax : kSyntaxes) static_cast<void>(convert_grammar(grammar, syntax));
  static_cast<void>(convert_to_regex(grammar));
  return true;
}

// For what meets the limit of work anyway: deep patterns have many residuals.
Limits with_little_work() {
  Limits limits;
  limits.call_work = 100'000;
  return limits;
}

bool names_nesting(const Error& error) { return error.code == ErrorCode::kLimitExceeded && error.limit == "nesting"; }

bool name_nesting(const std::vector<Diagnostic>& found) {
  return std::any_of(found.begin(), found.end(), [](const Diagnostic& d) { return d.limit == "nesting"; });
}

template <typename T>
std::string why(const Result<T>& result) {
  return result ? "it was accepted" : result.error().message;
}

// A text of the deepest level is read, or refused for another reason than its depth: schemas that no value fits, lists
// that a style cannot write.
template <typename T>
void expect_read(const Result<T>& result, std::string_view name) {
  EXPECT_TRUE(result || result.error().limit != "nesting") << name << ": " << why(result);
}

template <typename T>
void expect_refused(const Result<T>& result, std::string_view name) {
  EXPECT_TRUE(!result && names_nesting(result.error())) << name << ": " << why(result);
}

// --- JSON Schemas ---

const std::vector<Nest>& schemas() {
  static const std::vector<Nest> all{
      {"not", R"({"not":)", "}", "{}"},
      {"not, with a type", R"({"type":"array","not":)", "}", R"({"type":"string"})"},
      {"if", R"({"if":)", R"(,"then":{"minItems":1},"else":{"maxItems":3}})", "{}"},
      {"then", R"({"if":{"type":"array"},"then":)", "}", "{}"},
      {"else", R"({"if":{"type":"string"},"else":)", "}", "{}"},
      {"properties", R"({"properties":{"a":)", "}}", "{}", 2},
      {"required", R"({"type":"object","required":["a"],"properties":{"a":)", "}}", R"({"type":"string"})", 2},
      {"items", R"({"items":)", "}", "{}"},
      {"minItems", R"({"type":"array","minItems":1,"items":)", "}", R"({"type":"string"})"},
      {"uniqueItems", R"({"type":"array","uniqueItems":true,"minItems":1,"items":)", "}", R"({"type":"string"})"},
      {"prefixItems", R"({"prefixItems":[)", "]}", "{}", 2},
      {"old items", R"({"$schema":"http://json-schema.org/draft-07/schema#","items":[)", "]}", "{}", 2},
      {"contains", R"({"type":"array","contains":)", "}", R"({"type":"string"})"},
      {"additionalProperties", R"({"minProperties":1,"type":"object","additionalProperties":)", "}", "{}"},
      {"patternProperties", R"({"patternProperties":{"^a":)", "}}", "{}", 2},
      {"propertyNames", R"({"propertyNames":)", "}", "{}"},
      {"unevaluatedItems", R"({"unevaluatedItems":)", "}", "{}"},
      {"unevaluatedProperties", R"({"unevaluatedProperties":)", "}", "{}"},
      {"unevaluated in place", R"({"anyOf":[{"properties":{"a":{}}},)", "]}", "{}", 2, 3,
       R"({"unevaluatedProperties":false,"unevaluatedItems":false,"allOf":[)", "]}", 2},
      {"dependentSchemas", R"({"dependentSchemas":{"a":)", "}}", "{}", 2},
      {"dependencies", R"({"dependencies":{"a":)", "}}", "{}", 2, 1,
       R"({"$schema":"http://json-schema.org/draft-07/schema#","allOf":[)", "]}", 2},
      {"allOf", R"({"allOf":[)", "]}", "{}", 2},
      {"anyOf", R"({"anyOf":[{"type":"string"},)", "]}", R"({"type":"array"})", 2},
      {"oneOf", R"({"oneOf":[{"type":"string"},)", "]}", R"({"type":"array"})", 2},
      {"oneOf of objects", R"({"oneOf":[{"required":["b"]},)", "]}", R"({"type":"object"})", 2},
      {"$defs", R"({"$defs":{"a":)", "}}", "{}", 2},
      {"definitions", R"({"definitions":{"a":)", "}}", "{}", 2},
      {"default", "[", "]", "1", 1, 0, R"({"default":)", "}", 1},
      {"examples", "[", "]", "1", 1, 0, R"({"examples":)", "}", 1},
      {"default of objects", R"({"a":)", "}", "1", 1, 0, R"({"default":)", "}", 1},
      {"an unknown keyword", R"({"a":)", "}", "1", 1, 0, R"({"x-more":)", "}", 1},
      {"const", "[", "]", "1", 1, 0, R"({"const":)", "}", 1},
      {"const of objects", R"({"a":)", "}", "1", 1, 0, R"({"const":)", "}", 1},
      {"enum", "[", "]", "1", 1, 0, R"({"enum":[2,)", "]}", 2},
      {"enum of equals", "[", "]", "1", 1, 0, R"({"type":"array","enum":[[1],)", "]}", 2},
      {"not const", "[", "]", "1", 1, 0, R"({"type":"array","not":{"const":)", "}}", 2},
      {"uniqueItems of const", "[", "]", "1", 1, 0,
       R"({"type":"array","minItems":1,"uniqueItems":true,"items":{"const":)", "}}", 2},
      {"all kinds", R"({"allOf":[{"type":["array","object"]}],"items":{"not":{"properties":{"a":)", "}}}}", "{}", 4},
  };
  return all;
}

// A chain of `count` definitions, each of which is written as `link` says; `$` stands for the reference to the next.
std::string chain(std::string_view link, std::uint32_t count) {
  const std::size_t at = link.find('$');
  std::string text = R"({"$ref":"#/$defs/d0","$defs":{)";
  for (std::uint32_t i = 0; i < count; ++i) {
    text += "\"d" + std::to_string(i) + "\":" + std::string(link.substr(0, at)) + R"({"$ref":"#/$defs/d)" +
            std::to_string(i + 1) + "\"}" + std::string(link.substr(at + 1)) + ",";
  }
  return text + "\"d" + std::to_string(count) + R"(":{"type":"string"}}})";
}

struct Link {
  std::string_view text;
  std::uint32_t steps;  // from schema to schema, without going into a value
};
constexpr Link kLinksInPlace[] = {{"$", 1},
                                  {R"({"allOf":[$]})", 2},
                                  {R"({"anyOf":[{"type":"null"},$]})", 2},
                                  {R"({"oneOf":[{"type":"null"},$]})", 2},
                                  {R"({"not":$})", 2}};
constexpr std::string_view kLinksBelow[] = {
    R"({"items":$})", R"({"type":"array","minItems":1,"items":$})", R"({"type":"array","contains":$})",
    R"({"type":"object","required":["a"],"properties":{"a":$}})", R"({"type":"object","properties":{"a":$}})"};

void use_schema(std::string_view schema, std::string_view name, const Limits& limits = {}) {
  SCOPED_TRACE(name);
  const Result<Grammar> grammar = Grammar::from_json_schema(schema, {}, limits);
  if (grammar) {
    EXPECT_TRUE(use(*grammar, limits)) << name;
  } else {
    EXPECT_NE(grammar.error().limit, "nesting") << name << ": " << grammar.error().message;
  }
  static_cast<void>(check_schema(schema, {}, limits));
  static_cast<void>(strict_json_schema(schema, limits));
  static_cast<void>(explain_refusal(schema, "[[[[[1", {}, limits));
  static_cast<void>(explain_refusal(schema, R"({"a":{"a":{"a":0)", {}, limits));
}

TEST(DeepTexts, SchemasAreReadAndUsed) {
  on_small_stack([] {
    for (const Nest& nest : schemas()) use_schema(nested(nest, kNesting), nest.name);
  });
}

TEST(DeepTexts, DeeperSchemasAreRefused) {
  on_small_stack([] {
    for (const Nest& nest : schemas()) {
      for (const std::uint32_t depth : kTooDeep) {
        const std::string schema = nested_too_deep(nest, depth);
        expect_refused(Grammar::from_json_schema(schema), nest.name);
        expect_refused(strict_json_schema(schema), nest.name);
        EXPECT_TRUE(name_nesting(check_schema(schema))) << nest.name;
        EXPECT_TRUE(name_nesting(explain_refusal(schema, "[[1"))) << nest.name;
      }
    }
  });
}

TEST(DeepTexts, ChainsOfReferences) {
  on_small_stack([] {
    for (const Link& link : kLinksInPlace) {
      use_schema(chain(link.text, kNesting / link.steps - 1), link.text);
      for (const std::uint32_t depth : kTooDeep) {
        const std::string schema = chain(link.text, depth / link.steps + 1);
        expect_refused(Grammar::from_json_schema(schema), link.text);
        EXPECT_TRUE(name_nesting(check_schema(schema))) << link.text;
        static_cast<void>(strict_json_schema(schema));
      }
    }
    // Between these links there is a value, so the limit is met where a search for a value goes so deep, if at all.
    for (const std::string_view link : kLinksBelow) {
      for (const std::uint32_t depth : {kNesting / 2, 5 * kNesting, 20 * kNesting}) {
        const std::string schema = chain(link, depth);
        const Result<Grammar> grammar = Grammar::from_json_schema(schema);
        if (grammar) static_cast<void>(use(*grammar));
        static_cast<void>(check_schema(schema));
        static_cast<void>(explain_refusal(schema, "[[[1"));
      }
    }
  });
}

// Users may raise the limit. Then stack is no limit.
TEST(DeepTexts, LimitsThatAreRaised) {
  on_small_stack([] {
    Limits limits;
    limits.nesting = 100'000;
    for (const Nest& nest : schemas()) {
      const std::string schema = nested(nest, 10 * kNesting);
      const Result<Grammar> grammar = Grammar::from_json_schema(schema, {}, limits);
      expect_read(grammar, nest.name);
      if (grammar) static_cast<void>(use(*grammar, limits, Converts::kNo));
      static_cast<void>(strict_json_schema(schema, limits));
    }
    expect_read(Grammar::from_json_schema(chain("$", 50 * kNesting), {}, limits), "$ref");
  });
}

// --- Structural tags, response formats, tools ---

const std::vector<Nest>& formats() {
  static const std::vector<Nest> all{
      {"tag", R"({"type":"tag","begin":"a","end":"b","content":)", "}", R"({"type":"any_text"})"},
      {"sequence", R"({"type":"sequence","elements":[)", "]}", R"({"type":"const_string","value":"a"})", 2},
      {"or", R"({"type":"or","elements":[{"type":"const_string","value":"b"},)", "]}",
       R"({"type":"const_string","value":"a"})", 2},
      {"star", R"({"type":"star","content":)", "}", R"({"type":"const_string","value":"a"})"},
      {"plus", R"({"type":"plus","content":)", "}", R"({"type":"const_string","value":"a"})"},
      {"optional", R"({"type":"optional","content":)", "}", R"({"type":"const_string","value":"a"})"},
      {"repeat", R"({"type":"repeat","min":0,"max":2,"content":)", "}", R"({"type":"const_string","value":"a"})"},
      {"triggered_tags", R"({"type":"triggered_tags","triggers":["<a"],"tags":[{"begin":"<a>","end":"</a>","content":)",
       "}]}", R"({"type":"any_text"})", 3},
      {"tags_with_separator",
       R"({"type":"tags_with_separator","separator":",","tags":[{"begin":"a","end":"b","content":)", "}]}",
       R"({"type":"any_text"})", 3},
      {"a schema", R"({"items":)", "}", "{}", 1, 1, R"({"type":"json_schema","json_schema":)", "}", 1},
      {"a constant in a schema", "[", "]", "1", 1, 0, R"({"type":"json_schema","json_schema":{"const":)", "}}", 2},
  };
  return all;
}

std::string tag_of(std::string_view format) {
  return R"({"type":"structural_tag","format":)" + std::string(format) + "}";
}

TEST(DeepTexts, StructuralTags) {
  on_small_stack([] {
    for (const Nest& nest : formats()) {
      const std::string tag = tag_of(nested(nest, kNesting - 1));
      const Result<Grammar> grammar = Grammar::from_structural_tag(tag);
      expect_read(grammar, nest.name);
      EXPECT_TRUE(!grammar || use(*grammar)) << nest.name;
      static_cast<void>(check_structural_tag(tag));
      for (const std::uint32_t depth : kTooDeep) {
        const std::string deeper = tag_of(nested_too_deep(nest, depth));
        expect_refused(Grammar::from_structural_tag(deeper), nest.name);
        EXPECT_TRUE(name_nesting(check_structural_tag(deeper))) << nest.name;
        const std::string response = R"({"type":"structural_tag","structural_tag":)" + deeper + "}";
        expect_refused(Grammar::from_response_format(response), nest.name);
        EXPECT_TRUE(name_nesting(check_response_format(response))) << nest.name;
      }
    }
  });
}

TEST(DeepTexts, ResponseFormats) {
  on_small_stack([] {
    for (const Nest& nest : schemas()) {
      const auto response = [](const std::string& schema) {
        return R"({"type":"json_schema","json_schema":{"name":"x","schema":)" + schema + "}}";
      };
      const Result<Grammar> grammar = Grammar::from_response_format(response(nested(nest, kNesting - 2)));
      expect_read(grammar, nest.name);
      for (const std::uint32_t depth : kTooDeep) {
        expect_refused(Grammar::from_response_format(response(nested_too_deep(nest, depth))), nest.name);
      }
    }
  });
}

TEST(DeepTexts, ToolsOfEveryStyle) {
  on_small_stack([] {
    const Nest few[] = {
        {"properties", R"({"type":"object","properties":{"a":)", "}}", R"({"type":"string"})", 2},
        {"lists", R"({"type":"array","items":)", "}", R"({"type":"string"})", 1, 1,
         R"({"type":"object","properties":{"a":)", "}}", 2},
        {"const", "[", "]", "1", 1, 0, R"({"type":"object","properties":{"a":{"const":)", "}}}", 3},
        {"allOf", R"({"allOf":[)", "]}", R"({"type":"string"})", 2, 1, R"({"type":"object","properties":{"a":)", "}}",
         2},
        {"anyOf", R"({"anyOf":[{"type":"null"},)", "]}", R"({"type":"string"})", 2, 1,
         R"({"type":"object","properties":{"a":)", "}}", 2},
    };
    const auto tools = [](const std::string& parameters) {
      return R"([{"type":"function","function":{"name":"f","parameters":)" + parameters + "}}]";
    };
    constexpr std::uint32_t kLevelsOfTools = 3;
    constexpr std::uint32_t kLevelsOfTags = 30;  // a tag has the schema deeper within it than the list of tools
    for (const std::string_view style : tests::distinct_styles()) {
      for (const Nest& nest : few) {
        const std::string name = std::string(style) + ", " + std::string(nest.name);
        const Result<std::string> tag = structural_tag_for_tools(style, tools(nested(nest, kNesting - kLevelsOfTags)));
        expect_read(tag, name);
        if (tag) {
          const Result<Grammar> grammar = Grammar::from_structural_tag(*tag);
          expect_read(grammar, name);
          if (grammar) static_cast<void>(use(*grammar, {}, Converts::kNo));
        }
        // Styles with values of their own form take values of some levels, and each level is a call within a call.
        const Result<std::string> few_levels = structural_tag_for_tools(style, tools(nested(nest, 60)));
        ASSERT_TRUE(few_levels) << name;
        static_cast<void>(Grammar::from_structural_tag(*few_levels));
        for (const std::uint32_t depth : kTooDeep) {
          expect_refused(structural_tag_for_tools(style, tools(nested_too_deep(nest, depth - kLevelsOfTools))), name);
        }
      }
    }
  });
}

// --- Grammars ---

struct Form {
  GrammarSyntax syntax;
  Nest nest;
};

std::vector<Form> forms() {
  std::vector<Form> all;
  for (const GrammarSyntax syntax : kSyntaxes) {
    const bool is_lark = syntax == GrammarSyntax::kLark;
    const bool is_kbnf = syntax == GrammarSyntax::kKbnf;
    const std::string_view start = is_lark ? "start: " : is_kbnf ? "start ::= " : "root ::= ";
    const std::string_view end = is_kbnf ? ";" : "\n";
    const auto add = [&](std::string_view name, std::string_view open, std::string_view close) {
      all.push_back({syntax, {name, open, close, "\"a\"", 1, 0, start, end}});
    };
    add("groups", "(", ")");
    add("alternatives", "(\"b\" | ", ")");
    add("sequences", "(\"b\" ", " \"c\")");
    add("options", "(\"b\" ", ")?");
    add("loops", "(\"b\" ", ")*");
    add("loops of loops", "(", ")+");
    if (!is_kbnf) add("counts", "(\"b\" ", is_lark ? ")~1..2" : "){1,2}");
    if (is_kbnf || is_lark) add("brackets", "[", "]");
    if (is_kbnf) add("braces", "{", "}");
  }
  all.push_back({GrammarSyntax::kEbnf, {"complements", "~(", ")", "\"a\"", 1, 0, "root ::= ", "\n"}});
  all.push_back({GrammarSyntax::kEbnf, {"intersections", "(\"a\" & ", ")", "\"a\"", 1, 0, "root ::= ", "\n"}});
  return all;
}

TEST(DeepTexts, Grammars) {
  on_small_stack([] {
    for (const Form& form : forms()) {
      const std::string name = std::string(to_string(form.syntax)) + ", " + std::string(form.nest.name);
      GrammarTextOptions options;
      options.syntax = form.syntax;
      const std::string text = nested(form.nest, kNesting - 1);
      const Result<Grammar> grammar = Grammar::from_text(text, options);
      expect_read(grammar, name);
      const bool converts = form.syntax == GrammarSyntax::kEbnf;  // the languages have one form of rules within
      if (grammar) static_cast<void>(use(*grammar, with_little_work(), converts ? Converts::kYes : Converts::kNo));
      static_cast<void>(check_grammar(text, options));
      for (const std::uint32_t depth : {5 * kNesting, 100 * kNesting}) {
        const std::string deeper = nested(form.nest, depth);
        const Result<Grammar> refused = Grammar::from_text(deeper, options);
        EXPECT_FALSE(refused) << name;
        EXPECT_FALSE(check_grammar(deeper, options).empty()) << name;
      }
      Limits limits = with_little_work();
      limits.nesting = 100'000;
      const Result<Grammar> raised = Grammar::from_text(nested(form.nest, 10 * kNesting), options, limits);
      if (raised) static_cast<void>(use(*raised, limits, Converts::kNo));
    }
  });
}

// Chains of rules have no brackets.
TEST(DeepTexts, ChainsOfRules) {
  on_small_stack([] {
    for (const GrammarSyntax syntax : kSyntaxes) {
      const bool is_lark = syntax == GrammarSyntax::kLark;
      const bool is_kbnf = syntax == GrammarSyntax::kKbnf;
      const std::string is = is_lark ? ": " : " ::= ";
      const std::string end = is_kbnf ? ";\n" : "\n";
      for (const std::string_view form : {"$", "\"x\" $", "$ \"x\"", "\"x\" $ \"y\" | \"z\"", "( $ )*"}) {
        const std::size_t at = form.find('$');
        std::string text = std::string(is_lark || is_kbnf ? "start" : "root") + is + "r0" + end;
        constexpr int kRules = 5'000;
        for (int i = 0; i < kRules; ++i) {
          text += "r" + std::to_string(i) + is + std::string(form.substr(0, at)) + "r" + std::to_string(i + 1) +
                  std::string(form.substr(at + 1)) + end;
        }
        text += "r" + std::to_string(kRules) + is + "\"e\"" + end;
        GrammarTextOptions options;
        options.syntax = syntax;
        const Result<Grammar> grammar = Grammar::from_text(text, options);
        ASSERT_TRUE(grammar) << why(grammar);
        static_cast<void>(use(*grammar, {}, syntax == GrammarSyntax::kEbnf ? Converts::kYes : Converts::kNo));
        static_cast<void>(check_grammar(text, options));
      }
    }
  });
}

TEST(DeepTexts, RegularExpressions) {
  on_small_stack([] {
    const Nest patterns[] = {
        {"groups", "(", ")", "a", 1, 0},
        {"plain groups", "(?:", ")", "a", 1, 0},
        {"options", "(?:a", ")?", "b", 1, 0},
        {"loops", "(?:a", ")*", "b", 1, 0},
        {"counts", "(?:a", "){0,2}", "b", 1, 0},
        {"alternatives", "(?:a|", "b)", "c", 1, 0},
        {"look-ahead", "(?=", ")", "a", 1, 0},
        {"negative look-ahead", "(?!", ")", "a", 1, 0},
        {"look-behind", "(?<=", ")", "a", 1, 0},
        {"groups around look-ahead", "(?:a", ")?", "(?=b)b", 1, 0},
        {"classes", "[", "]", "a", 1, 0},
        {"complements", "~(", ")", "a", 1, 0},
        {"intersections", "(?:a&", ")", "a", 1, 0},
        {"atomic groups", "(?>", ")", "a", 1, 0},
        {"flags", "(?i:", ")", "a", 1, 0},
    };
    for (const Nest& nest : patterns) {
      const std::string in_schema = R"({"type":"string","pattern":")" + nested(nest, kNesting - 1) + "\"}";
      static_cast<void>(Grammar::from_json_schema(in_schema, {}, with_little_work()));
    }
    for (const RegexDialect dialect : {RegexDialect::kWeir, RegexDialect::kEcma262, RegexDialect::kRust,
                                       RegexDialect::kPython, RegexDialect::kPcre}) {
      for (const Nest& nest : patterns) {
        RegexOptions options;
        options.dialect = dialect;
        options.operators = dialect == RegexDialect::kWeir;
        constexpr std::uint32_t kUsed = 45;
        for (const std::uint32_t depth : {kUsed, kNesting - 1}) {  // assertions have lower limits of their own
          const std::string pattern = nested(nest, depth);
          const Result<Grammar> grammar = Grammar::from_regex(pattern, options, with_little_work());
          // What is read no longer depends on the dialect; deeper patterns have so many residuals that this takes long.
          if (!grammar || dialect != RegexDialect::kWeir || depth > kUsed) continue;
          static_cast<void>(use(*grammar, with_little_work()));
          static_cast<void>(check_regex(pattern, options));
        }
        // Where classes do not nest, `[[` is a class with a bracket in it, and the closing brackets are text.
        const bool nests = nest.open != "[" || dialect == RegexDialect::kWeir || dialect == RegexDialect::kRust;
        for (const std::uint32_t depth : {5 * kNesting, 100 * kNesting}) {
          EXPECT_NE(Grammar::from_regex(nested(nest, depth), options).has_value(), nests) << nest.name;
        }
      }
    }
  });
}

// Long texts nest within expressions: as sequences, and as alternatives that begin alike.
TEST(DeepTexts, LongChoices) {
  on_small_stack([] {
    const std::string many = repeated("ab", 50'000);
    const std::vector<std::string> strings{many + "x", many + "y", many, many.substr(0, 1'000), "b" + many};
    const Result<Grammar> grammar = Grammar::from_choice(strings);
    ASSERT_TRUE(grammar) << why(grammar);
    static_cast<void>(use(*grammar));
  });
}

TEST(DeepTexts, JoinedGrammars) {
  on_small_stack([] {
    Limits limits;
    limits.nesting = 5'000;
    limits.call_work = 2'000'000'000;
    Result<Grammar> joined = Grammar::from_ebnf("root ::= \"a\"");
    for (std::uint32_t depth = 1; depth <= 1'500; ++depth) {
      const Grammar one[] = {*joined};
      const bool is_within = depth <= kNesting;
      if (depth % 500 == 0 || depth > kNesting) {
        const Result<Grammar> by_default = Grammar::any_of(one);
        EXPECT_EQ(by_default.has_value(), is_within) << depth << why(by_default);
      }
      joined = Grammar::concat(one, limits);
      ASSERT_TRUE(joined) << depth << why(joined);
    }
    EXPECT_TRUE(use(*joined, limits));
  });
}

// --- Tokenizers' files ---

std::string number_of_8_bytes(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

TEST(DeepTexts, TokenizerFiles) {
  on_small_stack([] {
    const Nest files[] = {
        {"tokenizer.json", "[", "]", "1", 1, 0, R"({"model":)", "}", 1},
        {"normalizers", R"({"type":"Sequence","normalizers":[)", "]}", R"({"type":"NFC"})", 2, 1,
         R"({"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"normalizer":)", "}", 1},
        {"pre-tokenizers", R"({"type":"Sequence","pretokenizers":[)", "]}", R"({"type":"Whitespace"})", 2, 1,
         R"({"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"pre_tokenizer":)", "}", 1},
        {"decoders", R"({"type":"Sequence","decoders":[)", "]}", R"({"type":"ByteLevel"})", 2, 1,
         R"({"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"decoder":)", "}", 1},
        {"tekken.json", "[", "]", "1", 1, 0, R"({"config":{"pattern":"."},"vocab":)", "}", 1},
    };
    for (const Nest& nest : files) {
      for (const std::uint32_t depth : {60U, 99U, kNesting, 5 * kNesting, 100 * kNesting}) {
        const Result<TokenizerInfo> info = TokenizerInfo::from_bytes(nested(nest, depth), nest.name);
        EXPECT_TRUE(!info || depth < kNesting) << nest.name;
        static_cast<void>(TokenizerInfo::deserialize(nested(nest, depth)));
      }
    }
    for (const std::uint32_t depth : {kNesting, 100 * kNesting}) {
      // GGUF: one metadata pair, an array of arrays.
      const std::string array("\x09\0\0\0", 4);
      std::string gguf = "GGUF" + std::string("\x03\0\0\0", 4) + number_of_8_bytes(0) + number_of_8_bytes(1) +
                         number_of_8_bytes(1) + "a" + array;
      for (std::uint32_t i = 0; i < depth; ++i) gguf += array + number_of_8_bytes(1);
      EXPECT_FALSE(TokenizerInfo::from_bytes(gguf, "a.gguf"));
      // SentencePiece: messages within messages.
      EXPECT_FALSE(TokenizerInfo::from_bytes(repeated("\x0A\x7F", depth), "a.model"));
    }
  });
}

// --- Outputs ---

constexpr std::size_t kBrackets = 100'000;

// Walks an output of many open brackets and asks everything of the matcher.
void walk_brackets(const CompiledGrammar& compiled, std::string_view bracket, std::size_t count) {
  GrammarMatcher matcher(compiled);
  const TokenizerInfo& tokenizer = compiled.tokenizer_info();
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(matcher.accept_bytes(bracket), Step::kOk) << i;
  EXPECT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
  EXPECT_TRUE(bitmask_get(mask, static_cast<std::uint8_t>(bracket.front())));
  const auto completion = matcher.shortest_completion();
  ASSERT_TRUE(completion);
  EXPECT_GE(completion->size(), count);
  static_cast<void>(matcher.find_jump_forward_string());
  static_cast<void>(matcher.explain('?'));
  static_cast<void>(matcher.expected());
  static_cast<void>(matcher.temperature());
  static_cast<void>(matcher.state_stats());
  GrammarMatcher fork = matcher.fork();
  EXPECT_EQ(fork.accept_bytes(*completion), Step::kOk);
  EXPECT_TRUE(fork.is_completed());
  EXPECT_EQ(fork.fill_next_token_bitmask(mask), Step::kOk);
  EXPECT_EQ(matcher.rollback(count / 2), Step::kOk);
  EXPECT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
  EXPECT_EQ(matcher.longest_viable_prefix(repeated(bracket, count)), bracket.size() * count);
}

TEST(DeepTexts, DeepOutputs) {
  on_small_stack([] {
    const GrammarCompiler compiler(engine_testing::byte_vocabulary({"[[", "{\"a\""}));
    const auto json = compiler.compile_json({.whitespace = JsonSchemaOptions::Whitespace::kNone});
    ASSERT_TRUE(json);
    walk_brackets(*json, "[", kBrackets);
    walk_brackets(*json, "{\"a\":", kBrackets / 5);
    const auto ebnf = compiler.compile_ebnf("root ::= \"[\" root* \"]\"");
    ASSERT_TRUE(ebnf);
    walk_brackets(*ebnf, "[", kBrackets);
    const auto schema = compiler.compile_json_schema(R"({"type": "array", "items": {"$ref": "#"}})",
                                                     {.whitespace = JsonSchemaOptions::Whitespace::kNone});
    ASSERT_TRUE(schema);
    walk_brackets(*schema, "[", kBrackets);
    static_cast<void>(explain_refusal(R"({"type": "array", "items": {"$ref": "#"}})", repeated("[", 5'000) + "1"));
  });
}

// A capture within a capture holds its text again, so fewer levels are enough.
TEST(DeepTexts, CapturesWithinCaptures) {
  on_small_stack([] {
    const GrammarCompiler compiler(engine_testing::byte_vocabulary({}));
    const auto compiled = compiler.compile_ebnf("root ::= @capture(x: \"[\" root? \"]\")");
    ASSERT_TRUE(compiled);
    GrammarMatcher matcher(*compiled);
    constexpr std::size_t kLevels = 3'000;
    ASSERT_EQ(matcher.accept_bytes(repeated("[", kLevels) + repeated("]", kLevels)), Step::kOk);
    EXPECT_EQ(matcher.captures().size(), kLevels);
  });
}

}  // namespace
}  // namespace weir
