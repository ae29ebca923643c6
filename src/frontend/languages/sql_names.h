// The rules of SQL's grammars that say which names there are, for given tables.
//
// WHAT   A context-free grammar cannot remember which table a query joins. So names are restricted as follows, and
//        docs/languages.md says so to users:
//        - a table is one of the list, or derived: a name that begins with `cte` or `sub`, for common table expressions
//          and subqueries, and is not in the list. A function in place of a table is one of the dialect's own
//          (KNOWN_TABLE_FUNCTION);
//        - a column is one of any table. After `table.` it is one of that table; in the column list of INSERT and on the
//          left in UPDATE it is one of the table that is changed; after the name of a derived table it is any;
//        - an alias of a table is any other name, and a column of any table follows it;
//        - an alias of a column is any name. It is used as a whole key of ORDER BY or GROUP BY.
// HOW    A name that was written without quotes may be written without them, as it was or in lower case, and in quotes.
// COST   Rules linear in the number of names.
#ifndef WEIR_SRC_FRONTEND_LANGUAGES_SQL_NAMES_H_
#define WEIR_SRC_FRONTEND_LANGUAGES_SQL_NAMES_H_

#include <span>
#include <string>
#include <string_view>

#include "frontend/languages/tables.h"

namespace weir::frontend::sql {

/// Returns true if a name without quotes may begin with the byte, or may have it after its beginning.
bool may_begin_name(char c);
bool may_continue_name(char c);

/// Returns the text with ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// Returns the rules, as EBNF, that take the place of those in data/languages/sql/names.ebnf. `grammar` is the other
/// rules: RESERVED says which words are reserved, COLUMN_WORD which of these are columns without quotes, and `member`
/// whether a word after a dot may be any. They are found by their text (tests/unit/frontend/sql_names_test.cc). If
/// `any_case`, names in quotes also mean names in other letters, as in SQLite.
std::string rules_of_names(std::span<const Table> tables, std::string_view grammar, bool any_case);

}  // namespace weir::frontend::sql

#endif  // WEIR_SRC_FRONTEND_LANGUAGES_SQL_NAMES_H_
