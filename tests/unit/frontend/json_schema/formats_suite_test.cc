// Compares formats with the official suite: every string of optional/format, in all dialects.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "frontend/json_schema/formats/formats.h"
#include "unit/frontend/json_schema/suite.h"

namespace weir::frontend::json_schema {
namespace {

using regex::ExprId;
using regex::ExprSet;

/// The strings for which weir's verdict differs from the suite's, by format. weir accepts all of them, and the suite
/// rejects them. The test fails if one of them no longer differs. They are A-labels that are well-formed host names;
/// weir does not decode their Punycode, which encodes a name that IDNA forbids. The comment says why it is forbidden.
const std::map<std::string, std::set<std::string>, std::less<>> kDifferences = {
    {"hostname",
     {
         "xn--07jt112bpxg.xn--9t4b11yi5a",  // U+302E, Hangul single dot tone mark, is DISALLOWED
         "xn--hello-txk",                   // begins with a spacing combining mark
         "xn--hello-zed",                   // begins with a nonspacing mark
         "xn--hello-6bf",                   // begins with an enclosing mark
         "xn--chb89f",                      // exceptions that are DISALLOWED, written from right to left
         "xn--07jceefgh4c",                 // exceptions that are DISALLOWED, written from left to right
         "xn--al-0ea",                      // middle dot not after an l
         "xn--l-fda",                       // middle dot at the start
         "xn--la-0ea",                      // middle dot not before an l
         "xn--l-gda",                       // middle dot at the end
         "xn--S-jib3p",                     // Greek keraia not before Greek
         "xn--wva3j",                       // Greek keraia at the end
         "xn--A-2hc5h",                     // Hebrew geresh not after Hebrew
         "xn--5db1e",                       // Hebrew geresh at the start
         "xn--A-2hc8h",                     // Hebrew gershayim not after Hebrew
         "xn--5db3e",                       // Hebrew gershayim at the start
         "xn--defabc-k64e",                 // katakana middle dot without Hiragana, Katakana or Han
         "xn--vek",                         // katakana middle dot alone
         "xn--ngb6iyr",                     // Arabic-Indic and extended Arabic-Indic digits
         "xn--11b2er09f",                   // zero width joiner not after a virama
         "xn--02b508i",                     // zero width joiner at the start
         "XN--aa---o47jg78q",               // "--" as the third and fourth character of the decoded name
     }},
    {"idn-hostname",
     {
         "XN--aa---o47jg78q",  // as under "hostname"
         "xn--0ca24w",         // violates the Bidi rule
     }},
};

TEST(FormatsSuite, EveryStringOfEveryDialect) {
  const auto suite = suite_directory();
  if (!suite) GTEST_SKIP() << "json-schema-test-suite is not there; WEIR_SHARED_DATA names its directory";
  ExprSet exprs(Limits{}.regex_nodes);
  std::size_t tests = 0;
  std::map<std::string, std::set<std::string>, std::less<>> differences;
  for (const SuiteDialect& dialect : kSuiteDialects) {
    for (const auto& entry :
         std::filesystem::directory_iterator(*suite / "tests" / dialect.directory / "optional/format")) {
      const auto file = read_suite_file(dialect.directory, "optional/format/" + entry.path().stem().string());
      ASSERT_TRUE(file.has_value()) << entry.path();
      for (const SuiteGroup& group : file->groups) {
        const JsonDocument schema = *JsonDocument::parse(group.schema, Limits{});
        const std::string name(schema.root().find("format")->string());
        const auto format = string_format(exprs, name, dialect.dialect);
        ASSERT_TRUE(format.has_value());
        if (!*format) {
          EXPECT_EQ(name, "unknown");
          continue;
        }
        for (const SuiteTest& test : group.tests) {
          if (!test.data->is(JsonType::kString)) continue;
          ++tests;
          const std::string text(test.data->string());
          if (exprs.matches(**format, text) == test.valid) continue;
          const auto known = kDifferences.find(name);
          const bool is_known = known != kDifferences.end() && known->second.contains(text);
          EXPECT_TRUE(is_known && !test.valid)
              << dialect.directory << " " << name << ": " << test.description << ": " << text;
          differences[name].insert(text);
        }
      }
    }
  }
  EXPECT_EQ(differences, kDifferences);
  EXPECT_GT(tests, 2'000U);
}

}  // namespace
}  // namespace weir::frontend::json_schema
