// Which words are names without quotes is said by rules of the grammars, which are found by their text.
#include "frontend/languages/sql_names.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "frontend/languages/language.h"
#include "frontend/languages/tables.h"

namespace weir::frontend::sql {
namespace {

std::string_view text_of(std::string_view language) {
  for (const Language& known : languages()) {
    if (known.name == language) return known.text;
  }
  return {};
}

// Returns the body of a rule that rules_of_names() writes for a table with these columns.
std::string body(std::string_view rule, std::string_view language, const std::vector<Name>& columns) {
  const std::vector<Table> tables{{.name = {"t"}, .columns = columns}};
  const std::string rules = rules_of_names(tables, text_of(language), false);
  const std::string begin = "\n" + std::string(rule) + " ::= ";
  const std::size_t at = rules.find(begin);
  if (at == std::string::npos) return "no rule";
  return rules.substr(at + begin.size(), rules.find('\n', at + 1) - at - begin.size());
}

TEST(SqlNames, RulesThatAreRead) {
  const auto count = [](std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  for (const std::string_view language : {"postgresql", "sqlite"}) {
    const std::string_view text = text_of(language);
    EXPECT_EQ(count(text, "\nRESERVED ::= /"), 1U) << language;
    EXPECT_EQ(count(text, "\nCOLUMN_WORD ::= NAME\n") + count(text, "\nCOLUMN_WORD ::= NAME | "), 1U) << language;
    EXPECT_EQ(count(text, "\nCOLUMN_WORD ::= NAME\n "), 0U) << language << ": the rule must be one line";
    EXPECT_EQ(count(text, "\nmember ::= LABEL |") + count(text, "\nmember ::= name\n"), 1U) << language;
  }
}

TEST(SqlNames, WordsWithoutQuotes) {
  const std::vector<Name> columns{{"id"}, {"time"}, {"timestamp"}, {"position"}, {"order"}};
  EXPECT_EQ(body("word_column_1", "postgresql", columns), R"("id" | "time" | "timestamp" | "position")");
  EXPECT_EQ(body("member_1", "postgresql", columns), R"(column_1 | "order")");
  EXPECT_EQ(body("word_column_1", "sqlite", columns), R"("id" | "time" | "timestamp" | "position")");
  EXPECT_EQ(body("member_1", "sqlite", columns), "no rule");
}

TEST(SqlNames, WordsInQuotes) {
  const std::vector<Name> columns{{"Id"}, {"all"}, {"Time", true}};
  EXPECT_EQ(body("word_column_1", "postgresql", columns), R"("Id" | "id")");
  EXPECT_EQ(body("sign_column_1", "postgresql", columns), R"("\"id\"" | "\"all\"" | "\"Time\"")");
}

}  // namespace
}  // namespace weir::frontend::sql
