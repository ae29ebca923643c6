// Sets of code points, properties and case folding. If the Unicode data files are installed, compares the tables with
// them.
#include "regex/unicode/unicode.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "regex/unicode/tables.h"

namespace weir::regex {
namespace {

constexpr char32_t kLast = 0x10FFFF;

CodePointSet property(std::string_view name) {
  const Result<CodePointSet> set = unicode_property(name);
  EXPECT_TRUE(set) << name;
  return set ? *set : CodePointSet();
}

// --- CodePointSet ---

TEST(CodePointSet, MergesWhatTouches) {
  const CodePointSet set(std::vector<CodePointRange>{{'x', 'z'}, {'c', 'd'}, {'a', 'b'}, {'b', 'b'}, {'m', 'm'}});
  ASSERT_EQ(set.ranges().size(), 3U);
  EXPECT_EQ(set.ranges()[0], (CodePointRange{'a', 'd'}));
  EXPECT_EQ(set.size(), 8U);
  EXPECT_TRUE(set.contains('c'));
  EXPECT_FALSE(set.contains('e'));
  EXPECT_FALSE(set.contains(kLast));
}

TEST(CodePointSet, ComplementAtTheEnds) {
  EXPECT_EQ(~CodePointSet(), CodePointSet::all());
  EXPECT_EQ(~CodePointSet::all(), CodePointSet());
  EXPECT_EQ(~CodePointSet::of(0), CodePointSet::range(1, kLast));
  EXPECT_EQ(~CodePointSet::of(kLast), CodePointSet::range(0, kLast - 1));
  EXPECT_EQ((~CodePointSet::of('a')).ranges().size(), 2U);
}

TEST(CodePointSet, OperationsAgreeWithSetsOfNumbers) {
  std::mt19937 random(7);
  const auto below = [&](char32_t n) { return static_cast<char32_t>(random() % n); };
  for (int round = 0; round < 300; ++round) {
    constexpr char32_t kWorld = 24;
    std::vector<CodePointRange> ranges[2];
    std::set<char32_t> numbers[2];
    for (int side = 0; side < 2; ++side) {
      for (char32_t n = below(6); n > 0; --n) {
        const char32_t first = below(kWorld);
        const char32_t last = std::min(first + below(4), kWorld - 1);
        ranges[side].push_back({first, last});
        for (char32_t c = first; c <= last; ++c) numbers[side].insert(c);
      }
    }
    const CodePointSet a(ranges[0]);
    const CodePointSet b(ranges[1]);
    for (char32_t c = 0; c < kWorld; ++c) {
      const bool in_a = numbers[0].contains(c);
      const bool in_b = numbers[1].contains(c);
      ASSERT_EQ(a.contains(c), in_a);
      ASSERT_EQ((a | b).contains(c), in_a || in_b);
      ASSERT_EQ((a & b).contains(c), in_a && in_b);
      ASSERT_EQ((a - b).contains(c), in_a && !in_b);
      ASSERT_EQ((a ^ b).contains(c), in_a != in_b);
      ASSERT_EQ((~a).contains(c), !in_a);
    }
    ASSERT_EQ(~~a, a);
    ASSERT_EQ(~(a | b), ~a & ~b);
    ASSERT_EQ(a.size(), numbers[0].size());
  }
}

// --- The tables ---

TEST(UnicodeTables, AreNotEmpty) {
  for (const auto tables : {unicode_scripts(), unicode_properties(), unicode_script_extensions()}) {
    EXPECT_FALSE(tables.empty());
    for (const UnicodeTable& table : tables) EXPECT_FALSE(members(table).is_empty()) << table.names;
  }
}

TEST(UnicodeTables, CategoriesAndScriptsArePartitions) {
  std::vector<CodePointSet> categories;
  for (std::size_t i = 0; i < unicode_categories().names.size(); ++i) categories.push_back(code_points_of(1U << i));
  EXPECT_EQ(categories.size(), 30U);
  std::vector<CodePointSet> scripts;
  for (const UnicodeTable& table : unicode_scripts()) scripts.push_back(members(table));
  for (const auto& sets : {categories, scripts}) {
    CodePointSet all;
    std::size_t size = 0;
    for (const CodePointSet& set : sets) {
      size += set.size();
      all = all | set;
    }
    EXPECT_EQ(all.size(), size);
  }
  EXPECT_EQ(property("Cn"), ~property("Assigned"));
  EXPECT_EQ(
      property("L") | property("M") | property("N") | property("P") | property("S") | property("Z") | property("C"),
      CodePointSet::all());
  EXPECT_EQ(property("LC"), property("Lu") | property("Ll") | property("Lt"));
}

TEST(UnicodeTables, EveryNameIsFound) {
  const auto find_all = [](const char* list, const CodePointSet& set) {
    std::istringstream names(list);
    for (std::string name; names >> name;) EXPECT_EQ(property(name), set) << name;
  };
  const std::span<const char* const> categories = unicode_categories().names;
  for (std::size_t i = 0; i < categories.size(); ++i) find_all(categories[i], code_points_of(1U << i));
  for (const auto tables : {unicode_scripts(), unicode_properties()}) {
    for (const UnicodeTable& table : tables) find_all(table.names, members(table));
  }
}

TEST(UnicodeTables, CaseStepsAreRings) {
  std::map<char32_t, char32_t> next;
  for (const CaseStep& step : unicode_case_steps()) {
    EXPECT_TRUE(next.empty() || step.from > next.rbegin()->first);
    next[step.from] = step.to;
  }
  for (const auto& [from, to] : next) {
    ASSERT_NE(from, to);
    char32_t c = to;
    int steps = 1;
    for (; c != from && steps < 10; c = next.at(c)) ++steps;
    EXPECT_EQ(c, from);
  }
}

// --- Spot checks that need no files ---

TEST(UnicodeProperty, KnownMembers) {
  struct Known {
    std::string_view name;
    char32_t member;
    char32_t other;
  };
  for (const Known& known : std::vector<Known>{{"Lu", 'A', 'a'},
                                               {"Ll", 0xDF, 'A'},
                                               {"Lt", 0x1C5, 'a'},
                                               {"Lo", 0x4F60, 'a'},
                                               {"Nd", 0x663, 0xB2},
                                               {"No", 0xB2, '2'},
                                               {"Nl", 0x2160, 'I'},
                                               {"Sc", 0x20AC, '+'},
                                               {"Sm", '+', '$'},
                                               {"Zs", 0x3000, '\t'},
                                               {"Cc", 0x85, ' '},
                                               {"Cf", 0xFEFF, 'a'},
                                               {"Co", 0xE000, 0xF900},
                                               {"Han", 0x4E00, 0x3042},
                                               {"sc=Latn", 0x212A, 0x3B1},
                                               {"Cyrillic", 0x416, 'a'},
                                               {"scx=Grek", 0x342, 'a'},
                                               {"scx=Arab", 0x60C, 'a'},
                                               {"Uppercase", 0x24B6, 'a'},
                                               {"Lowercase", 0xAA, 'A'},
                                               {"Math", '+', 'a'},
                                               {"Hex_Digit", 0xFF21, 'g'},
                                               {"AHex", 'f', 0xFF21},
                                               {"Dash", 0x2014, '_'},
                                               {"Bidi_M", '(', 'a'},
                                               {"CWKCF", 'A', 'a'},
                                               {"RI", 0x1F1E6, 'a'},
                                               {"EMod", 0x1F3FB, 'a'},
                                               {"Ideographic", 0x3007, 'a'},
                                               {"NChar", 0xFFFE, 'a'},
                                               {"VS", 0xFE0F, 'a'},
                                               {"Join_Control", 0x200D, 'a'},
                                               {"Kawi", 0x11F00, 'a'}}) {
    EXPECT_TRUE(property(known.name).contains(known.member)) << known.name;
    EXPECT_FALSE(property(known.name).contains(known.other)) << known.name;
  }
}

TEST(UnicodeProperty, NamesAreMatchedLoosely) {
  for (std::string_view name :
       {"Script_Extensions=Greek", "scx=Grek", "SCX=greek", "script extensions=GREEK", "scx:Grek"}) {
    EXPECT_EQ(property(name), property("scx=Greek")) << name;
  }
  EXPECT_EQ(property("lowercaseletter"), property("Ll"));
  EXPECT_EQ(property("White-Space"), property("WSpace"));
}

// --- Against the files ---

/// Returns the fields of the lines `fields # comment` of a data file, without surrounding blanks. Returns an empty
/// vector if the file is not installed.
std::vector<std::vector<std::string>> data_lines(const std::string& name) {
  std::vector<std::vector<std::string>> out;
  std::ifstream file("/usr/share/unicode/" + name);
  for (std::string line; std::getline(file, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ';');) {
      const std::size_t first = field.find_first_not_of(' ');
      fields.push_back(first == std::string::npos ? "" : field.substr(first, field.find_last_not_of(' ') - first + 1));
    }
    if (fields.size() >= 2) out.push_back(fields);
  }
  return out;
}

bool is_version_of_the_tables() {
  std::ifstream file("/usr/share/unicode/PropList.txt");
  std::string line;
  return std::getline(file, line) && line.find("PropList-15.0.0.txt") != std::string::npos;
}

CodePointRange parse_range(const std::string& text) {
  std::size_t end = 0;
  const auto first = static_cast<char32_t>(std::stoul(text, &end, 16));
  return {first, end < text.size() ? static_cast<char32_t>(std::stoul(text.substr(end + 2), nullptr, 16)) : first};
}

class UnicodeFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_version_of_the_tables()) GTEST_SKIP() << "version 15.0.0 of Unicode is not in /usr/share/unicode";
  }
  /// Collects the lines of a file `range ; name` and compares each name's set with the property `prefix` + name.
  static void compare(const std::string& file, const std::string& prefix, std::size_t least) {
    std::map<std::string, std::vector<CodePointRange>> sets;
    for (const auto& fields : data_lines(file)) sets[fields[1]].push_back(parse_range(fields[0]));
    EXPECT_GE(sets.size(), least);
    for (const auto& [name, ranges] : sets) EXPECT_EQ(property(prefix + name), CodePointSet(ranges)) << name;
  }
};

TEST_F(UnicodeFiles, Categories) { compare("extracted/DerivedGeneralCategory.txt", "gc=", 30); }
TEST_F(UnicodeFiles, Scripts) { compare("Scripts.txt", "sc=", 163); }
TEST_F(UnicodeFiles, Properties) {
  compare("PropList.txt", "", 30);
  compare("DerivedCoreProperties.txt", "", 15);
  compare("emoji/emoji-data.txt", "", 6);
  compare("extracted/DerivedBinaryProperties.txt", "", 1);
}

TEST_F(UnicodeFiles, ScriptExtensions) {
  std::vector<std::string> scripts(kLast + 1);
  for (const auto& fields : data_lines("Scripts.txt")) {
    const CodePointRange range = parse_range(fields[0]);
    for (char32_t c = range.first; c <= range.last; ++c) scripts[c] = fields[1];
  }
  for (const auto& fields : data_lines("ScriptExtensions.txt")) {
    const CodePointRange range = parse_range(fields[0]);
    for (char32_t c = range.first; c <= range.last; ++c) scripts[c] = fields[1];
  }
  // Scripts.txt uses the long names of scripts, ScriptExtensions.txt the short ones.
  const std::vector<std::pair<std::string, std::string>> names = {
      {"Latn", "Latin"}, {"Grek", "Greek"},    {"Deva", "Devanagari"}, {"Zyyy", "Common"}, {"Zinh", "Inherited"},
      {"Hani", "Han"},   {"Hira", "Hiragana"}, {"Arab", "Arabic"},     {"Cprt", "Cypriot"}};
  for (const auto& [short_name, long_name] : names) {
    const CodePointSet set = property("scx=" + short_name);
    for (char32_t c = 0; c <= kLast; ++c) {
      const std::string listed = " " + scripts[c] + " ";
      const bool expected = listed.find(" " + short_name + " ") != std::string::npos ||
                            listed.find(" " + long_name + " ") != std::string::npos;
      ASSERT_EQ(set.contains(c), expected) << long_name << " " << static_cast<std::uint32_t>(c);
    }
  }
}

TEST_F(UnicodeFiles, CaseFolding) {
  std::map<char32_t, char32_t> folded;
  for (const auto& fields : data_lines("CaseFolding.txt")) {
    if (fields[1] == "C" || fields[1] == "S") folded[parse_range(fields[0]).first] = parse_range(fields[2]).first;
  }
  ASSERT_GT(folded.size(), 1400U);
  const auto fold = [&](char32_t c) { return folded.contains(c) ? folded.at(c) : c; };
  std::map<char32_t, std::vector<CodePointRange>> classes;
  for (char32_t c = 0; c <= kLast; ++c) classes[fold(c)].push_back({c, c});
  for (const auto& [target, members] : classes) {
    for (const CodePointRange& member : members) {
      ASSERT_EQ(has_case_variants(member.first), members.size() > 1);
      if (members.size() > 1) {
        ASSERT_EQ(case_closure(CodePointSet::of(member.first)), CodePointSet(members))
            << static_cast<std::uint32_t>(member.first);
      }
    }
  }
}

// --- Case folding and named classes ---

TEST(CaseClosure, OfSets) {
  EXPECT_EQ(case_closure(CodePointSet::range('a', 'c')),
            CodePointSet(std::vector<CodePointRange>{{'A', 'C'}, {'a', 'c'}}));
  EXPECT_EQ(case_closure(CodePointSet::of('K')).size(), 3U);
  EXPECT_EQ(case_closure(CodePointSet::all()), CodePointSet::all());
  EXPECT_EQ(case_closure(CodePointSet()), CodePointSet());
  EXPECT_EQ(case_closure(CodePointSet::range('0', '9')), CodePointSet::range('0', '9'));
  const CodePointSet letters = case_closure(property("L"));
  EXPECT_EQ(case_closure(letters), letters);
}

TEST(NamedClasses, Sizes) {
  EXPECT_EQ(digit_characters(ClassMeaning::kEcma).size(), 10U);
  EXPECT_EQ(word_characters(ClassMeaning::kEcma).size(), 63U);
  EXPECT_EQ(space_characters(ClassMeaning::kEcma).size(), 25U);
  EXPECT_TRUE((property("Zs") - space_characters(ClassMeaning::kEcma)).is_empty());
  EXPECT_EQ(space_characters(ClassMeaning::kUnicode), property("White_Space"));
  EXPECT_EQ(digit_characters(ClassMeaning::kUnicode), property("Nd"));
  EXPECT_TRUE((word_characters(ClassMeaning::kEcma) - word_characters(ClassMeaning::kUnicode)).is_empty());
  EXPECT_FALSE(posix_class("letters"));
}

}  // namespace
}  // namespace weir::regex
