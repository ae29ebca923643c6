// weir::Grammar, the public face of the front ends.
#include "weir/grammar.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/work.h"
#include "grammar/ir.h"
#include "grammar/passes/pipeline.h"
#include "grammar/print.h"
#include "weir/members.h"

namespace weir {
namespace {

TEST(Grammar, FromEbnf) {
  const auto grammar = Grammar::from_ebnf("main ::= \"a\" | main \"b\"", {.start = "main"});
  ASSERT_TRUE(grammar);
  EXPECT_TRUE(grammar->warnings().empty());
  EXPECT_EQ(grammar::to_ebnf(grammar->ir()), "main ::= \"a\" | main \"b\"\n");
}

TEST(Grammar, WarnsWhenItIsRead) {
  const auto grammar = Grammar::from_ebnf("root ::= \"a\" | dead\ndead ::= \"b\" dead\nspare ::= \"c\"");
  ASSERT_TRUE(grammar);
  ASSERT_EQ(grammar->warnings().size(), 2U);
  EXPECT_EQ(grammar->warnings()[0].message, "rule `spare` is never used");
  EXPECT_EQ(grammar->warnings()[1].message, "rule `dead` derives no finite string");
  EXPECT_EQ(grammar->ir().rules.size(), 3U);  // the grammar is as it was written
}

// The comments of the options say which are of one language alone. In another one each is an error.
TEST(Grammar, OptionsOfAnotherLanguageAreErrors) {
  int tried = 0;
  for_each_member<GrammarTextOptions>([&](const char* name, auto member, const char* comment) {
    const bool is_of_one =
        std::string_view(comment).starts_with("Lark:") || std::string_view(comment).starts_with("KBNF:");
    if (!is_of_one) return;
    ++tried;
    GrammarTextOptions options;
    auto& value = options.*member;
    using Value = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, JsonSchemaOptions>) {
      value.order = JsonSchemaOptions::Order::kDeclared;
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = true;
    } else if constexpr (std::is_same_v<Value, std::string>) {
      value = "{}";
    } else if constexpr (std::is_same_v<Value, std::vector<NamedGrammar>>) {
      value.emplace_back();
    } else {
      ADD_FAILURE() << name << " has a type for which no value is known here";
    }
    const auto read = Grammar::from_text("root ::= \"a\"", options);
    ASSERT_FALSE(read.has_value()) << name;
    EXPECT_TRUE(read.error().message.starts_with("`" + std::string(name) + "` has no effect")) << read.error().message;
  });
  EXPECT_GE(tried, 5);
}

TEST(Grammar, WarningsOfOneKindAreCounted) {
  std::string properties;
  for (int i = 0; i < 40; ++i) {
    const std::string name = std::to_string(i);
    properties += (i > 0 ? ", \"p" : "\"p") + name + R"(": {"$ref": "#/definitions/a", "minimum": 1, "maximum": 9})";
  }
  const std::string schema = R"({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {}},
    "properties": {)" + properties +
                             "}}";
  const auto grammar = Grammar::from_json_schema(schema);
  ASSERT_TRUE(grammar);
  ASSERT_EQ(grammar->warnings().size(), 6U);
  EXPECT_EQ(grammar->warnings()[0].message, "`minimum` of `#/properties/p0` has no effect beside `$ref` in draft 7");
  EXPECT_EQ(grammar->warnings()[4].message,
            "`minimum` of `#/properties/p2` has no effect beside `$ref` in draft 7 (and 37 more like it)");
  EXPECT_EQ(grammar->warnings()[5].message,
            "`maximum` of `#/properties/p2` has no effect beside `$ref` in draft 7 (and 37 more like it)");
  EXPECT_EQ(schema.substr(grammar->warnings()[4].where.start, 9), "\"minimum\"");
}

TEST(Grammar, WarningsOfOneCodeAreCounted) {
  std::string text = "root ::= \"a\"\n";
  for (int i = 0; i < 3'000; ++i) text += "unused" + std::to_string(i) + " ::= \"b\"\n";
  const auto grammar = Grammar::from_ebnf(text);
  ASSERT_TRUE(grammar);
  ASSERT_EQ(grammar->warnings().size(), 100U);
  EXPECT_EQ(grammar->warnings()[0].message, "rule `unused0` is never used");
  EXPECT_EQ(grammar->warnings()[99].message, "rule `unused99` is never used (and 2900 more warnings of this kind)");
}

// Its pointer comes from the document that was read.
TEST(Grammar, AWarningDoesNotMakeASchemaBeReadAgain) {
  constexpr std::size_t kBytes = 80'000;
  const auto work_of = [](const std::string& keyword, std::size_t warnings) {
    const std::string schema = R"({"description": ")" + std::string(kBytes, 'x') +
                               R"(", "properties": {"a": {"type": "string", ")" + keyword + R"(": "nope"}}})";
    const auto grammar = Grammar::from_json_schema(schema);
    EXPECT_TRUE(grammar.has_value() && grammar->warnings().size() == warnings);
    if (grammar && warnings == 1) {
      EXPECT_EQ(grammar->warnings()[0].pointer, "/properties/a/format");
    }
    return base::Work::last_call();
  };
  EXPECT_LT(work_of("format", 1), work_of("title", 0) + kBytes / base::Work::kTextBytes / 2);
}

TEST(Grammar, WithoutAnyTextIsAnErrorOfCompilingOnly) {
  const auto grammar = Grammar::from_ebnf("root ::= \"a\" root");
  ASSERT_TRUE(grammar);
  const auto cfg = grammar::run_passes(grammar->ir(), Limits{}, nullptr);
  ASSERT_FALSE(cfg);
  EXPECT_EQ(cfg.error().code, ErrorCode::kUnsatisfiable);
}

TEST(Grammar, LimitsAreKept) {
  Limits limits;
  limits.nesting = 3;
  const auto grammar = Grammar::from_ebnf("root ::= (\"a\")", {}, limits);
  ASSERT_TRUE(grammar);
  EXPECT_EQ(grammar->limits().nesting, 3U);
  EXPECT_FALSE(Grammar::from_ebnf("root ::= ((((\"a\"))))", {}, limits));
}

bool matches(const Grammar& grammar, std::string_view text) {
  regex::ExprSet exprs = grammar.ir().exprs;
  return exprs.matches(grammar.ir().terminals.at(0).expr, text);
}

// A text beyond the limit is refused by its size, before it is copied or read: here nobody could read it.
TEST(Grammar, ATextThatIsTooLongIsNotRead) {
  const std::string_view text("root", std::size_t{1} << 40);
  const auto is_refused = [](const Result<Grammar>& grammar) {
    return !grammar && grammar.error().limit == "text_bytes" && grammar.error().code == ErrorCode::kLimitExceeded;
  };
  EXPECT_TRUE(is_refused(Grammar::from_ebnf(text)));
  EXPECT_TRUE(is_refused(Grammar::from_text(text, {.syntax = GrammarSyntax::kLark})));
  EXPECT_TRUE(is_refused(Grammar::from_regex(text)));
  EXPECT_TRUE(is_refused(Grammar::from_json_schema(text)));
  EXPECT_TRUE(is_refused(Grammar::from_structural_tag(text)));
  EXPECT_TRUE(is_refused(Grammar::from_response_format(text)));
  EXPECT_TRUE(is_refused(Grammar::from_substring(text, SubstringUnit::kWord)));
}

TEST(Grammar, FromRegex) {
  const auto full = Grammar::from_regex("ab+");
  ASSERT_TRUE(full);
  EXPECT_TRUE(matches(*full, "abb"));
  EXPECT_FALSE(matches(*full, "xabb"));

  const auto search = Grammar::from_regex("ab+", {.match = RegexMatch::kSearch});
  ASSERT_TRUE(search);
  EXPECT_TRUE(matches(*search, "xabby"));

  const auto flags = Grammar::from_regex("a . B", {.ignore_case = true, .dot_all = true, .extended = true});
  ASSERT_TRUE(flags);
  EXPECT_TRUE(matches(*flags, "A\nb"));

  const auto operators = Grammar::from_regex("[a-z]+&~(if)", {.operators = true});
  ASSERT_TRUE(operators);
  EXPECT_TRUE(matches(*operators, "ifs"));
  EXPECT_FALSE(matches(*operators, "if"));
}

TEST(Grammar, OperatorsAreOfOneDialect) {
  for (const RegexDialect dialect :
       {RegexDialect::kEcma262, RegexDialect::kRust, RegexDialect::kPython, RegexDialect::kPcre}) {
    const auto grammar = Grammar::from_regex("[a-z]+&~(?:if)", {.dialect = dialect, .operators = true});
    ASSERT_FALSE(grammar);
    EXPECT_EQ(grammar.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(grammar.error().options, "operators");
  }
}

TEST(Grammar, FromRegexErrors) {
  const auto grammar = Grammar::from_regex("a(b");
  ASSERT_FALSE(grammar);
  EXPECT_EQ(grammar.error().code, ErrorCode::kSyntax);
}

}  // namespace
}  // namespace weir
