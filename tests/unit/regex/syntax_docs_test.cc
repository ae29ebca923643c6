// Checks the examples in docs/regex.md.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "shared_data.h"
#include "unit/regex/syntax_testing.h"

namespace weir::regex {
namespace {

using testing::Pattern;

TEST(SyntaxDocs, ExamplesHold) {
  std::ifstream file(tests::repository() + "/docs/regex.md");
  ASSERT_TRUE(file);
  int examples = 0;
  bool inside = false;
  std::string options;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      inside = line.starts_with("```examples");
      options = line.ends_with("search") ? "f" : line.ends_with("operators") ? "o" : "";
      continue;
    }
    if (!inside) continue;
    ++examples;
    const std::size_t first = line.find(" :: ");
    const std::size_t second = line.find(" :: ", first + 1);
    ASSERT_NE(second, std::string::npos) << line;
    const std::string text = line.substr(0, line.find_last_not_of(' ', first) + 1);
    Pattern pattern(text, options);
    ASSERT_FALSE(pattern.failed()) << line << ": " << pattern.error().message;
    for (const bool expected : {true, false}) {
      std::istringstream subjects(expected ? line.substr(first + 4, second - first - 4) : line.substr(second + 4));
      for (std::string subject; subjects >> subject;) {
        if (subject == "\"\"") subject.clear();
        EXPECT_EQ(pattern.matches(subject), expected) << text << " on " << subject;
      }
    }
  }
  EXPECT_GE(examples, 15);
}

}  // namespace
}  // namespace weir::regex
