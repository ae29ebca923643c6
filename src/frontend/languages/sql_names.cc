#include "frontend/languages/sql_names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

namespace weir::frontend::sql {

namespace {

using Words = std::unordered_set<std::string>;

bool is_lower(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// The words in the regular expressions of the rule RESERVED, up to the next empty line or the end. A flag after an
// expression, such as the `i` of `/all|and/i`, is not a word.
Words reserved_words(std::string_view grammar) {
  Words words;
  const std::size_t begin = grammar.find("\nRESERVED ::=");
  if (begin == std::string_view::npos) return words;
  std::string_view rule = grammar.substr(begin + 1);
  rule = rule.substr(0, rule.find("\n\n"));
  std::string word;
  bool is_within = false;
  for (const char c : rule) {
    if (c == '/') is_within = !is_within;
    if (is_within && is_lower(c)) {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

// The reserved words that are columns, too: `COLUMN_WORD ::= NAME | TIME`.
Words column_words(std::string_view grammar) {
  Words words;
  constexpr std::string_view kRule = "\nCOLUMN_WORD ::= NAME";
  const std::size_t begin = grammar.find(kRule);
  if (begin == std::string_view::npos) return words;
  std::string_view rule = grammar.substr(begin + kRule.size());
  for (rule = rule.substr(0, rule.find('\n')); rule.starts_with(" | ");) {
    rule.remove_prefix(3);
    const std::size_t end = std::min(rule.find(' '), rule.size());
    words.insert(lower_case(rule.substr(0, end)));
    rule.remove_prefix(end);
  }
  return words;
}

// Returns true if the name needs no quotes, unless it is reserved.
bool is_plain(std::string_view name) {
  return may_begin_name(name.front()) && std::ranges::all_of(name, may_continue_name);
}

// A literal of EBNF.
std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

// An expression of EBNF that matches the text with ASCII letters in any case.
std::string any_case_literal(std::string_view text) {
  std::string result;
  std::string plain;
  const auto end_plain = [&] {
    if (!plain.empty()) result += " " + literal(std::exchange(plain, {}));
  };
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower < 'a' || lower > 'z') {
      plain += c;
      continue;
    }
    end_plain();
    result += {' ', '[', static_cast<char>(lower - 'a' + 'A'), lower, ']'};
  }
  end_plain();
  return result;
}

std::string in_quotes(std::string_view name) {
  std::string result = "\"";
  for (const char c : name) result.append(c == '"' ? 2 : 1, c);
  return result + '"';
}

// Alternatives, each once, in the order of their first mention.
class Alternatives {
 public:
  void add(const std::string& alternative) {
    if (!known_.insert(alternative).second) return;
    text_ += (text_.empty() ? "" : " | ") + alternative;
  }
  void add_all(const std::vector<std::string>& alternatives) {
    for (const std::string& alternative : alternatives) add(alternative);
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }

 private:
  Words known_;
  std::string text_;
};

// The literals of a name.
struct Spellings {
  std::vector<std::string> words;  // without quotes; none if it needs them
  std::vector<std::string> signs;  // in quotes
};

class NameRules {
 public:
  NameRules(std::span<const Table> tables, std::string_view grammar, bool any_case)
      : tables_(tables),
        reserved_(reserved_words(grammar)),
        column_words_(column_words(grammar)),
        are_labels_plain_(grammar.find("\nmember ::= LABEL") != std::string_view::npos),
        any_case_(any_case) {}

  std::string write() {
    rules_ = "# --- Names of the tables and columns that there are ---\n\n";
    for (std::size_t i = 0; i < tables_.size(); ++i) table(tables_[i], std::to_string(i + 1));
    derived_and_new();
    rule("word_listed", word_tables_.text());
    rule("sign_listed", sign_tables_.text());
    rule("k_table", "s word_listed | s? sign_listed");
    rule("word_table", "word_listed | word_derived");
    rule("sign_table", "sign_listed | sign_derived");
    both("column", words_of_columns_, signs_of_columns_);
    if (!words_of_members_.empty()) rule("listed_member", "column | " + words_of_members_.text());
    rule("qualifier", qualifiers_.text() + " | word_new | sign_new | derived");
    const std::string member = words_of_members_.empty() ? "column" : "listed_member";
    rule("word_ref",
         "word_column | word_new s? \".\" s? " + member + " | word_derived s? \".\" s? member" + word_refs_);
    rule("sign_ref",
         "sign_column | sign_new s? \".\" s? " + member + " | sign_derived s? \".\" s? member" + sign_refs_);
    rule("qualified_function", "/pg_catalog/ s? \".\" s? NAME");
    rule("table_function_name", "KNOWN_TABLE_FUNCTION");
    rule("key", "expr | name");
    rule("k_key", "k_expr | k_name");
    rule("checked", "own_expr");
    rule("k_checked", "own_k_expr");
    rule("k_new_table", "k_name (s? \".\" s? name)?");
    rule("k_insert_target", inserts_.text());
    rule("k_update_target", updates_.text());
    assignments("");
    return std::move(rules_);
  }

 private:
  void rule(const std::string& name, const std::string& body) { rules_ += name + " ::= " + body + "\n"; }

  // Writes the rules word_... and sign_... of a name. If all its spellings have quotes, the first is the second: a blank
  // before a quote does no harm.
  void both(const std::string& name, const Alternatives& words, const Alternatives& signs) {
    rule("word_" + name, words.empty() ? "sign_" + name : words.text());
    rule("sign_" + name, signs.text());
  }

  // What a name is decides which reserved words it may be without quotes. A member follows a dot.
  enum class Part : std::uint8_t { kTable, kColumn, kMember };

  Spellings spellings(const Name& name, Part part) const {
    Spellings all;
    const std::string lower = lower_case(name.text);
    const bool may_be_reserved =
        (part == Part::kColumn && column_words_.contains(lower)) || (part == Part::kMember && are_labels_plain_);
    if (is_plain(name.text) && (may_be_reserved || !reserved_.contains(lower))) {
      if (!name.is_quoted || any_case_ || lower == name.text) all.words.push_back(literal(name.text));
      if ((!name.is_quoted || any_case_) && lower != name.text) all.words.push_back(literal(lower));
    }
    all.signs.push_back(literal(in_quotes(name.is_quoted || any_case_ ? name.text : lower)));
    return all;
  }

  // The spellings that a name has only after a dot.
  std::vector<std::string> words_of_member(const Name& name, const Spellings& elsewhere) const {
    return elsewhere.words.empty() ? spellings(name, Part::kMember).words : std::vector<std::string>();
  }

  void table(const Table& table, const std::string& number) {
    const std::string self = "table_" + number;
    const std::string column = "column_" + number;
    const Spellings named = spellings(table.name, Part::kTable);
    Alternatives words;
    Alternatives signs;
    words.add_all(named.words);
    signs.add_all(named.signs);
    both("named_" + number, words, signs);
    std::string word = "word_named_" + number;
    std::string sign = "sign_named_" + number;
    if (table.schema) {
      std::string rest = " s? \".\" s? (word_named_" + number + " | sign_named_" + number;
      for (const std::string& one : words_of_member(table.name, named)) rest += " | " + one;
      rest += ")";
      const Spellings schema = spellings(*table.schema, Part::kTable);
      for (const std::string& one : schema.words) word += " | " + one + rest;
      for (const std::string& one : schema.signs) sign += " | " + one + rest;
    }
    rule("word_" + self, word);
    rule("sign_" + self, sign);
    rule("k_" + self, "s word_" + self + " | s? sign_" + self);
    word_tables_.add("word_" + self);
    sign_tables_.add("sign_" + self);
    qualifiers_.add("word_" + self + " | sign_" + self);
    names_.add(any_case_literal(table.name.text));
    quoted_names_.add(any_case_literal(in_quotes(table.name.text)));

    Alternatives column_words;
    Alternatives column_signs;
    std::string members;
    for (const Name& name : table.columns) {
      const Spellings written = spellings(name, Part::kColumn);
      for (const std::string& one : words_of_member(name, written)) {
        words_of_members_.add(one);
        members += " | " + one;
      }
      column_words.add_all(written.words);
      column_signs.add_all(written.signs);
      words_of_columns_.add_all(written.words);
      signs_of_columns_.add_all(written.signs);
    }
    both(column, column_words, column_signs);
    rule(column, "word_" + column + " | sign_" + column);
    rule("k_" + column, "s word_" + column + " | s? sign_" + column);
    const std::string target = column + " column_part";
    rule("targets_" + number, "\"(\" s? " + target + " (s? \",\" s? " + target + ")* s? \")\"");
    const std::string member = members.empty() ? column : "member_" + number;
    if (!members.empty()) rule(member, column + members);
    word_refs_ += " | word_" + self + " s? \".\" s? " + member;
    sign_refs_ += " | sign_" + self + " s? \".\" s? " + member;
    inserts_.add("k_" + self + " (s AS k_new)? (s? targets_" + number + " s? | s)");
    updates_.add("k_" + self + " target_alias? update_hint? s SET assignments_" + number);
    assignments("_" + number);
  }

  // The left sides of SET, for the columns of one table or, with an empty suffix, of all.
  void assignments(const std::string& suffix) {
    const std::string self = "assignment" + suffix;
    rule("assignments" + suffix, "k_" + self + " | assignments" + suffix + " s? \",\" s? " + self);
    rule(self, "column" + suffix + " column_part s? set_equal s? assigned | targets" + suffix + " s? set_equal s? row_assigned");
    rule("k_" + self,
         "k_column" + suffix + " column_part s? set_equal s? assigned | s? targets" + suffix + " s? set_equal s? row_assigned");
  }

  void derived_and_new() {
    rule("TABLE_NAMES", names_.text());
    rule("QUOTED_TABLE_NAMES", quoted_names_.text());
    rules_ +=
        "DERIVED ::= ([Cc] [Tt] [Ee] | [Ss] [Uu] [Bb]) [A-Za-z0-9_]* & ~TABLE_NAMES\n"
        "ALIAS ::= NAME & ~TABLE_NAMES & ~DERIVED\n"
        R"(QUOTED_ALIAS ::= '"' ([^"\x00-\x1F\x7F] | '""')+ '"' & ~QUOTED_TABLE_NAMES & ~('"' DERIVED '"'))"
        "\n"
        "word_derived ::= DERIVED\n"
        "sign_derived ::= '\"' DERIVED '\"'\n"
        "word_new ::= ALIAS\n"
        "sign_new ::= QUOTED_ALIAS\n"
        "word_rows ::= word_new | word_derived\n"
        "sign_rows ::= sign_new | sign_derived\n";
  }

  std::span<const Table> tables_;
  Words reserved_;
  Words column_words_;
  bool are_labels_plain_;
  bool any_case_;
  std::string rules_;
  std::string word_refs_;
  std::string sign_refs_;
  Alternatives names_;
  Alternatives quoted_names_;
  Alternatives word_tables_;
  Alternatives sign_tables_;
  Alternatives qualifiers_;
  Alternatives words_of_columns_;
  Alternatives signs_of_columns_;
  Alternatives words_of_members_;
  Alternatives inserts_;
  Alternatives updates_;
};

}  // namespace

bool may_begin_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool may_continue_name(char c) { return may_begin_name(c) || (c >= '0' && c <= '9') || c == '$'; }

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string rules_of_names(std::span<const Table> tables, std::string_view grammar, bool any_case) {
  return NameRules(tables, grammar, any_case).write();
}

}  // namespace weir::frontend::sql
