#include "regex/unicode/unicode.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "regex/syntax/parser_error.h"
#include "regex/unicode/tables.h"

namespace weir::regex {

namespace {

constexpr CodePointRange kAsciiDigits[] = {{'0', '9'}};
constexpr CodePointRange kAsciiWord[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
constexpr CodePointRange kLineTerminators[] = {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};
// Characters that Python 3.11's re treats as equal, though their simple case foldings differ.
constexpr CodePointRange kPythonCases[][2] = {{{'i', 'i'}, {0x130, 0x131}},
                                              {{0x390, 0x390}, {0x1FD3, 0x1FD3}},
                                              {{0x3B0, 0x3B0}, {0x1FE3, 0x1FE3}},
                                              {{0xFB05, 0xFB06}, {0xFB05, 0xFB06}}};
// WhiteSpace and LineTerminator of ECMA-262: some controls, category Zs, and others.
constexpr CodePointRange kEcmaSpace[] = {{'\t', '\r'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680},
                                         {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                                         {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};

/// Composite categories, each with the two-letter categories that it consists of.
struct Composite {
  const char* names;
  const char* members;
};
constexpr Composite kComposites[] = {
    {"Other C", "Cc Cf Cn Co Cs"},      {"Letter L", "Ll Lm Lo Lt Lu"},
    {"Cased_Letter LC L&", "Ll Lt Lu"}, {"Mark M Combining_Mark", "Mc Me Mn"},
    {"Number N", "Nd Nl No"},           {"Punctuation P punct", "Pc Pd Pe Pf Pi Po Ps"},
    {"Symbol S", "Sc Sk Sm So"},        {"Separator Z", "Zl Zp Zs"},
};
constexpr const char* kUnknownScriptNames = "Unknown Zzzz";
constexpr const char* kSpecialNames = "Any ASCII Assigned";

/// Unicode properties that are not sets of characters, or have no table here. They get another error than misspellings.
constexpr const char* kOtherProperties[] = {"Age",
                                            "Block blk",
                                            "Bidi_Class bc",
                                            "Canonical_Combining_Class ccc",
                                            "Decomposition_Type dt",
                                            "East_Asian_Width ea",
                                            "Grapheme_Cluster_Break GCB",
                                            "Hangul_Syllable_Type hst",
                                            "Indic_Syllabic_Category InSC",
                                            "Joining_Group jg",
                                            "Joining_Type jt",
                                            "Line_Break lb",
                                            "Name na",
                                            "NFC_Quick_Check NFC_QC",
                                            "NFD_Quick_Check NFD_QC",
                                            "NFKC_Quick_Check NFKC_QC",
                                            "NFKD_Quick_Check NFKD_QC",
                                            "Numeric_Type nt",
                                            "Numeric_Value nv",
                                            "Sentence_Break SB",
                                            "Word_Break WB",
                                            "Vertical_Orientation vo",
                                            "Basic_Emoji",
                                            "Emoji_Keycap_Sequence",
                                            "RGI_Modifier_Sequence",
                                            "RGI_Flag_Sequence",
                                            "RGI_Emoji",
                                            "RGI_Emoji_Flag_Sequence",
                                            "RGI_Emoji_Modifier_Sequence",
                                            "RGI_Emoji_Tag_Sequence",
                                            "RGI_Emoji_ZWJ_Sequence"};

std::string loose(std::string_view name) {
  std::string out;
  for (char c : name) {
    if (c == ' ' || c == '_' || c == '-') continue;
    out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return out;
}

/// Calls `visit` with each name of a list separated by spaces.
template <typename Visit>
void for_each_name(std::string_view names, Visit visit) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    visit(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

/// Returns true if loose(name) == wanted, without allocation.
bool matches_loosely(std::string_view name, std::string_view wanted) {
  std::size_t i = 0;
  for (char c : name) {
    if (c == ' ' || c == '_' || c == '-') continue;
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (i == wanted.size() || wanted[i] != lower) return false;
    ++i;
  }
  return i == wanted.size();
}

bool has_name(std::string_view names, const std::string& wanted) {
  bool found = false;
  for_each_name(names, [&](std::string_view name) { found = found || matches_loosely(name, wanted); });
  return found;
}

const UnicodeTable* find_table(std::span<const UnicodeTable> tables, const std::string& wanted) {
  for (const UnicodeTable& table : tables) {
    if (has_name(table.names, wanted)) return &table;
  }
  return nullptr;
}

/// Returns the bit of the general category of two letters with this name; 0 if there is none.
CategoryBits category_bit(const std::string& wanted) {
  CategoryBits bit = 1;
  for (const char* names : unicode_categories().names) {
    if (has_name(names, wanted)) return bit;
    bit <<= 1;
  }
  return 0;
}

/// Returns the union of the categories with these names, which are separated by spaces.
CodePointSet set_of_categories(std::string_view names) {
  CategoryBits bits = 0;
  for_each_name(names, [&](std::string_view name) { bits |= category_bit(loose(name)); });
  return code_points_of(bits);
}

CodePointSet set_of_property(const std::string& name) {
  const UnicodeTable* table = find_table(unicode_properties(), name);
  return table == nullptr ? CodePointSet() : members(*table);
}

CodePointSet assigned() { return code_points_of(~category_bit("cn")); }

std::optional<CodePointSet> find_category(const std::string& name) {
  if (const CategoryBits bit = category_bit(name)) return code_points_of(bit);
  for (const Composite& composite : kComposites) {
    if (has_name(composite.names, name)) return set_of_categories(composite.members);
  }
  return std::nullopt;
}

std::optional<CodePointSet> find_script(const std::string& name) {
  if (const UnicodeTable* table = find_table(unicode_scripts(), name)) return members(*table);
  if (!has_name(kUnknownScriptNames, name)) return std::nullopt;
  CodePointSet known;
  for (const UnicodeTable& table : unicode_scripts()) known = known | members(table);
  return ~known;
}

std::optional<CodePointSet> find_script_extensions(const std::string& name) {
  const std::optional<CodePointSet> script = find_script(name);
  if (!script) return std::nullopt;
  CodePointSet set = *script - unpacked_ranges(unicode_listed_script_extensions());
  const UnicodeTable* table = find_table(unicode_scripts(), name);
  if (table == nullptr) return set;
  for (const UnicodeTable& listed : unicode_script_extensions()) {
    if (has_name(table->names, loose(listed.names))) set = set | members(listed);
  }
  return set;
}

std::optional<CodePointSet> find_binary(const std::string& name) {
  if (name == "any") return CodePointSet::all();
  if (name == "ascii") return CodePointSet::range(0, 0x7F);
  if (name == "assigned") return assigned();
  if (const UnicodeTable* table = find_table(unicode_properties(), name)) return members(*table);
  return std::nullopt;
}

/// Returns the Levenshtein distance; `limit` + 1 if the lengths alone differ by more than `limit`.
std::size_t edit_distance(const std::string& a, const std::string& b, std::size_t limit) {
  if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row[b.size()];
}

/// Finds, among the names that are offered, the one with the smallest edit distance to `wanted`, for a hint. The hint
/// is empty if no name is similar.
class Nearest {
 public:
  explicit Nearest(std::string wanted)
      : wanted_(std::move(wanted)), best_(std::min<std::size_t>(wanted_.size() / 3, 2) + 1) {}

  void offer(std::string_view names) {
    for_each_name(names, [&](std::string_view name) {
      const std::string candidate = loose(name);
      const std::size_t distance = edit_distance(wanted_, candidate, best_);
      if (distance < best_) best_ = distance, name_ = name;
    });
  }
  void offer(std::span<const UnicodeTable> tables) {
    for (const UnicodeTable& table : tables) offer(table.names);
  }
  [[nodiscard]] std::string hint() const {
    return name_.empty() ? std::string() : join({"did you mean `", name_, "`?"});
  }

 private:
  std::string wanted_;
  std::size_t best_;
  std::string_view name_ = {};
};

void offer_categories(Nearest& nearest) {
  for (const char* names : unicode_categories().names) nearest.offer(names);
  for (const Composite& composite : kComposites) nearest.offer(composite.names);
}

void offer_scripts(Nearest& nearest) {
  nearest.offer(unicode_scripts());
  nearest.offer(kUnknownScriptNames);
}

bool is_other_property(const std::string& name) {
  return std::any_of(std::begin(kOtherProperties), std::end(kOtherProperties),
                     [&](const char* names) { return has_name(names, name); });
}

std::string quoted(std::string_view name) { return join({"`", base::escape_for_display(name), "`"}); }

tl::unexpected<Error> unsupported_property(std::string_view name) {
  return tl::unexpected(Error{.code = ErrorCode::kUnsupported,
                              .message = join({"the Unicode property ", quoted(name), " is not supported"}),
                              .where = {0, name.size()},
                              .hint = "General_Category, Script, Script_Extensions and binary properties are"});
}

/// Returns the set for `\p{name}`: a category, a binary property or a script.
Result<CodePointSet> lone_property(std::string_view query) {
  const std::string name = loose(query);
  if (auto set = find_category(name)) return *std::move(set);
  if (auto set = find_binary(name)) return *std::move(set);
  if (auto set = find_script(name)) return *std::move(set);
  if (is_other_property(name)) return unsupported_property(query);
  Error error = {.code = ErrorCode::kSyntax,
                 .message = join({"unknown Unicode property ", quoted(query)}),
                 .where = {0, query.size()}};
  if (name == "generalcategory" || name == "gc" || name == "script" || name == "sc" || name == "scriptextensions" ||
      name == "scx") {
    error.message = join({"the Unicode property ", quoted(query), " needs a value"});
    error.hint = join({"write `", query, name[0] == 'g' ? "=Lu`, say" : "=Latin`, say"});
    return tl::unexpected(std::move(error));
  }
  Nearest nearest(name);
  offer_categories(nearest);
  nearest.offer(unicode_properties());
  nearest.offer(kSpecialNames);
  offer_scripts(nearest);
  error.hint = nearest.hint();
  return tl::unexpected(std::move(error));
}

/// Returns the set for `\p{key=value}`. `equals` is the offset of the `=`.
Result<CodePointSet> property_with_value(std::string_view query, std::size_t equals) {
  const std::string key = loose(query.substr(0, equals));
  const std::string value = loose(query.substr(equals + 1));
  Nearest nearest(value);
  std::optional<CodePointSet> set;
  if (key == "generalcategory" || key == "gc") {
    set = find_category(value);
    offer_categories(nearest);
  } else if (key == "script" || key == "sc") {
    set = find_script(value);
    offer_scripts(nearest);
  } else if (key == "scriptextensions" || key == "scx") {
    set = find_script_extensions(value);
    offer_scripts(nearest);
  } else if (is_other_property(key)) {
    return unsupported_property(query.substr(0, equals));
  } else {
    Error error = {.code = ErrorCode::kSyntax,
                   .message = join({"unknown Unicode property ", quoted(query.substr(0, equals))}),
                   .where = {0, equals},
                   .hint = "before `=` stands `General_Category`, `Script` or `Script_Extensions`"};
    if (find_binary(key))
      error.message = join({"the Unicode property ", quoted(query.substr(0, equals)), " has no values"});
    return tl::unexpected(std::move(error));
  }
  if (set) return *std::move(set);
  return tl::unexpected(Error{.code = ErrorCode::kSyntax,
                              .message = join({"unknown value ", quoted(query.substr(equals + 1)),
                                               " of the Unicode property ", quoted(query.substr(0, equals))}),
                              .where = {equals + 1, query.size()},
                              .hint = nearest.hint()});
}

/// Returns the link of the ring from `code_point`; the end iterator if it has no case variants.
std::span<const CaseStep>::iterator find_step(char32_t code_point) {
  const auto steps = unicode_case_steps();
  const auto step = std::lower_bound(steps.begin(), steps.end(), code_point,
                                     [](const CaseStep& s, char32_t c) { return s.from < c; });
  return step != steps.end() && step->from == code_point ? step : steps.end();
}

}  // namespace

Result<CodePointSet> unicode_property(std::string_view query) {
  const std::size_t equals = query.find_first_of("=:");
  return equals == std::string_view::npos ? lone_property(query) : property_with_value(query, equals);
}

CodePointSet case_closure(const CodePointSet& set, CaseMeaning meaning) {
  if (meaning == CaseMeaning::kPython) {
    CodePointSet closed = case_closure(set);  // `I` is `i`, which is `İ`
    for (const auto& equal : kPythonCases) {
      const CodePointSet class_of(equal);
      if (!(class_of & closed).is_empty()) closed = closed | class_of;
    }
    return case_closure(closed);
  }
  std::vector<CodePointRange> added;
  const auto steps = unicode_case_steps();
  auto step = steps.begin();
  for (const CodePointRange& range : set.ranges()) {
    step = std::lower_bound(step, steps.end(), range.first, [](const CaseStep& s, char32_t c) { return s.from < c; });
    for (; step != steps.end() && step->from <= range.last; ++step) {
      for (char32_t c = step->to; c != step->from; c = find_step(c)->to) added.push_back({c, c});
    }
  }
  return added.empty() ? set : set | CodePointSet(std::move(added));
}

CodePointSet ascii_case_closure(const CodePointSet& set) {
  constexpr char32_t kDistance = 'a' - 'A';
  std::vector<CodePointRange> added;
  const CodePointSet upper = set & CodePointSet::range('A', 'Z');
  const CodePointSet lower = set & CodePointSet::range('a', 'z');
  for (const CodePointRange& range : upper.ranges()) {
    added.push_back({range.first + kDistance, range.last + kDistance});
  }
  for (const CodePointRange& range : lower.ranges()) {
    added.push_back({range.first - kDistance, range.last - kDistance});
  }
  return set | CodePointSet(std::move(added));
}

bool has_case_variants(char32_t code_point, CaseMeaning meaning) {
  if (find_step(code_point) != unicode_case_steps().end()) return true;
  return meaning == CaseMeaning::kPython &&
         std::ranges::any_of(kPythonCases, [&](const auto& equal) { return CodePointSet(equal).contains(code_point); });
}

CodePointSet digit_characters(ClassMeaning meaning) {
  const bool is_unicode = meaning == ClassMeaning::kUnicode || meaning == ClassMeaning::kPython;
  return is_unicode ? set_of_categories("Nd") : CodePointSet(kAsciiDigits);
}

CodePointSet word_characters(ClassMeaning meaning) {
  if (meaning == ClassMeaning::kPython) {
    return set_of_categories("Lu Ll Lt Lm Lo Nd Nl No") | CodePointSet::of('_');
  }
  if (meaning != ClassMeaning::kUnicode) return CodePointSet(kAsciiWord);
  return set_of_categories("Mc Me Mn Nd Pc") | set_of_property("alphabetic") | set_of_property("joincontrol");
}

CodePointSet space_characters(ClassMeaning meaning) {
  switch (meaning) {
    case ClassMeaning::kEcma: return CodePointSet(kEcmaSpace);
    case ClassMeaning::kUnicode: return set_of_property("whitespace");
    case ClassMeaning::kPython: return set_of_property("whitespace") | CodePointSet::range(0x1C, 0x1F);
    case ClassMeaning::kAscii: break;
  }
  return CodePointSet::range('\t', '\r') | CodePointSet::of(' ');
}

CodePointSet line_terminators() { return CodePointSet(kLineTerminators); }

bool is_pattern_white_space(char32_t c) {
  return (c >= '\t' && c <= '\r') || c == ' ' || c == 0x85 || c == 0x200E || c == 0x200F || c == 0x2028 || c == 0x2029;
}

bool is_name_start(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  static const CodePointSet kStart = set_of_property("idstart");
  return kStart.contains(c);
}

bool is_name_part(char32_t c) {
  if (c < 0x80) return is_name_start(c) || (c >= '0' && c <= '9');
  static const CodePointSet kPart = set_of_property("idcontinue");
  return c == 0x200C || c == 0x200D || kPart.contains(c);
}

std::optional<CodePointSet> posix_class(std::string_view name) {
  struct Posix {
    std::string_view name;
    std::vector<CodePointRange> ranges;
  };
  const std::array<Posix, 14> classes = {{
      {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
      {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
      {"ascii", {{0, 0x7F}}},
      {"blank", {{'\t', '\t'}, {' ', ' '}}},
      {"cntrl", {{0, 0x1F}, {0x7F, 0x7F}}},
      {"digit", {{'0', '9'}}},
      {"graph", {{'!', '~'}}},
      {"lower", {{'a', 'z'}}},
      {"print", {{' ', '~'}}},
      {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
      {"space", {{'\t', '\r'}, {' ', ' '}}},
      {"upper", {{'A', 'Z'}}},
      {"word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
      {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
  }};
  for (const Posix& posix : classes) {
    if (posix.name == name) return CodePointSet(posix.ranges);
  }
  return std::nullopt;
}

}  // namespace weir::regex
