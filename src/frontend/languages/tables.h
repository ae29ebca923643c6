// The tables of a database, from its definitions in SQL or from a list in JSON.
//
//   CREATE TABLE users (id INTEGER PRIMARY KEY, "e-mail" TEXT);      in SQL
//   {"users": ["id", "e-mail"]}                                      in JSON
//
// In SQL only names are read, and what separates them: types and constraints are skipped, so the statements may be of any
// dialect. Nobody says which. Where dialects differ in what ends a string or a statement, signs in the text decide:
// - MySQL, whose strings have escapes by backslash and whose comments may begin with `#`, has `/*!` or `ENGINE=`. With
//   neither, but with a quote after a backslash, the text is MySQL's if only so all strings end where a string may end, for
//   which it is read up to twice more;
// - T-SQL needs no `;` between statements. Where lines `GO` divide it into batches, a routine ends with its batch.
// ALTER, RENAME and DROP change the tables before them, and Hive's `PARTITIONED BY (...)` adds columns. Statements that do
// not change names and psql's commands, of which a dump of a database has many, are skipped. A statement or an action of
// ALTER TABLE that is not known is an error, since it might change names, and so is a sign in place of a column's type.
// A view defines a table; one whose columns have no names that are plain to see is an error, since they would have to be
// guessed.
#ifndef WEIR_SRC_FRONTEND_LANGUAGES_TABLES_H_
#define WEIR_SRC_FRONTEND_LANGUAGES_TABLES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/reading.h"

namespace weir::frontend::sql {

/// The name of a table or column.
struct Name {
  std::string text;        ///< Without quotes.
  bool is_quoted = false;  ///< It was written in quotes, where most dialects tell letters' cases apart.
};

struct Table {
  std::optional<Name> schema = {};
  Name name;
  std::vector<Name> columns = {};  ///< At least one; no two mean the same.
};

/// Reads definitions, at least one, or adds an error with a range of `text` to the reading. If `any_case`, names in quotes
/// also mean names in other letters, as in SQLite. Cost: linear.
std::optional<std::vector<Table>> read_tables(std::string_view text, bool any_case, Reading& reading);

}  // namespace weir::frontend::sql

#endif  // WEIR_SRC_FRONTEND_LANGUAGES_TABLES_H_
