// What ALTER, RENAME and DROP make of the tables before them.
#include "frontend/languages/tables.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::sql {
namespace {

// Returns `users(id,name) public.orders(id)`, or the error with the text at its place.
std::string tables_of(std::string_view text, bool any_case = false) {
  const Limits limits;
  grammar::Grammar grammar(limits.regex_nodes);
  Reading reading{grammar, limits};
  const auto tables = read_tables(text, any_case, reading);
  if (!tables) {
    const Error& error = reading.errors.front();
    return error.message + " @" + std::string(text.substr(error.where.start, error.where.end - error.where.start));
  }
  std::string out;
  for (const Table& table : *tables) {
    out += (out.empty() ? "" : " ") + (table.schema ? table.schema->text + "." : "") + table.name.text + "(";
    for (const Name& column : table.columns) out += (out.back() == '(' ? "" : ",") + column.text;
    out += ")";
  }
  return out;
}

TEST(Tables, AlteredTables) {
  struct Case {
    std::string_view alter;
    std::string_view tables;
  };
  for (const Case& c : {
           // columns
           Case{"ALTER TABLE t ADD COLUMN c INT DEFAULT (1, 2)", "t(a,b,c)"},
           Case{"alter table IF EXISTS ONLY t * ADD c TEXT NOT NULL, ADD COLUMN IF NOT EXISTS b INT, ADD d INT",
                "t(a,b,c,d)"},
           Case{"ALTER TABLE t ADD (c INT, CONSTRAINT k UNIQUE (c), d DECIMAL(1, 2)), ADD e INT", "t(a,b,c,d,e)"},
           Case{"ALTER TABLE t ADD COLUMN (c INT, d INT)", "t(a,b,c,d)"},
           Case{"ALTER TABLE t ADD c INT, d INT, ENGINE = InnoDB", "t(a,b,c,d)"},
           Case{"ALTER TABLE t ADD key INT, ADD COLUMN index INT", "t(a,b,key,index)"},
           Case{"ALTER TABLE t DROP COLUMN a CASCADE", "t(b)"},
           Case{"ALTER TABLE t DROP a, ADD a INT", "t(b,a)"},
           Case{"ALTER TABLE t DROP COLUMN IF EXISTS x", "t(a,b)"},
           Case{"ALTER TABLE t RENAME COLUMN a TO \"A b\"", "t(A b,b)"},
           Case{"ALTER TABLE t RENAME a TO A", "t(A,b)"},
           Case{"ALTER TABLE t RENAME a TO c; ALTER TABLE t RENAME b TO a", "t(c,a)"},
           Case{"ALTER TABLE t CHANGE COLUMN `a` `c` INT FIRST, CHANGE b b TEXT, MODIFY c INT", "t(c,b)"},
           // tables
           Case{"ALTER TABLE t RENAME TO s", "s(a,b)"},
           Case{"ALTER TABLE t RENAME AS s, ADD c INT; ALTER TABLE s DROP a", "s(b,c)"},
           Case{"ALTER TABLE t RENAME s", "s(a,b)"},
           Case{"ALTER TABLE t SET SCHEMA s; ALTER TABLE s.t ADD c INT", "s.t(a,b,c)"},
           Case{"RENAME TABLE t TO old, old TO new", "new(a,b)"},
           Case{"RENAME TABLE IF EXISTS x TO y", "t(a,b)"},
           Case{"ALTER TABLE t RENAME TO s; CREATE TABLE t (z INT)", "s(a,b) t(z)"},
           // nothing of names
           Case{"ALTER TABLE ONLY t ADD CONSTRAINT k CHECK (a > 1), ADD PRIMARY KEY (a), ADD KEY k (a), DROP "
                "CONSTRAINT k",
                "t(a,b)"},
           Case{"ALTER TABLE t RENAME CONSTRAINT k TO l, ALTER COLUMN a SET DEFAULT 1, OWNER TO me", "t(a,b)"},
           Case{"ALTER TABLE other OWNER TO me; ALTER TABLE IF EXISTS other ADD c INT; ALTER SEQUENCE s RENAME TO r",
                "t(a,b)"},
           // what inherits
           Case{"CREATE TABLE u PARTITION OF t FOR VALUES IN (1); CREATE TABLE v (c INT) INHERITS (u);"
                "ALTER TABLE t ADD d INT, RENAME a TO x, DROP b; ALTER TABLE ONLY u ADD e INT",
                "t(x,d) u(x,d,e) v(c,x,d)"},
           Case{
               "CREATE TABLE u (a INT, b INT); CREATE TABLE v (a INT, b INT); ALTER TABLE t ATTACH PARTITION u DEFAULT;"
               "ALTER TABLE v INHERIT t; ALTER TABLE t ADD c INT",
               "t(a,b,c) u(a,b,c) v(a,b,c)"},
           // views
           Case{"CREATE MATERIALIZED VIEW m AS SELECT t.a, count(*) AS n FROM t WITH NO DATA", "t(a,b) m(a,n)"},
           Case{"CREATE ALGORITHM=MERGE DEFINER=`me`@`%` SQL SECURITY DEFINER VIEW v AS select 1 AS c", "t(a,b) v(c)"},
           Case{"CREATE DEFINER=`me`@`%` PROCEDURE p() SELECT 1", "t(a,b)"},
           Case{"CREATE VIEW v (c) AS SELECT 1; ALTER VIEW v RENAME TO w; ALTER VIEW w RENAME COLUMN c TO d",
                "t(a,b) w(d)"},
           Case{"CREATE VIEW v (c) AS SELECT 1; ALTER VIEW v AS SELECT 1 AS d", "t(a,b) v(d)"},
           Case{"CREATE VIEW v (c) AS SELECT 1; DROP VIEW IF EXISTS v, w", "t(a,b)"},
           // schemas
           Case{"CREATE TABLE s.u (c INT); DROP SCHEMA s CASCADE; CREATE TABLE s.u (d INT)", "t(a,b) s.u(d)"},
           Case{"ALTER SCHEMA s OWNER TO me", "t(a,b)"},
       }) {
    EXPECT_EQ(tables_of("CREATE TABLE t (a INT, b INT);" + std::string(c.alter)), c.tables) << c.alter;
  }
}

TEST(Tables, WrongChanges) {
  struct Case {
    std::string_view alter;
    std::string_view error;
  };
  for (const Case& c : {
           Case{"ALTER TABLE other ADD c INT",
                "the table `other`, whose names this changes, is not defined before @other"},
           Case{"ALTER TABLE t ADD B INT", "the column `B` is already in the table `t` @B"},
           Case{"ALTER TABLE t DROP COLUMN c", "the column `c` is not in the table `t` @c"},
           Case{"ALTER TABLE t RENAME c TO d", "the column `c` is not in the table `t` @c"},
           Case{"ALTER TABLE t RENAME a TO b", "the column `b` is already in the table `t` @a"},
           Case{"ALTER TABLE t RENAME a b c", "expected `TO`, found `b` @b"},
           Case{"ALTER TABLE t DROP a, DROP b", "the table `t` has no other column @b"},
           Case{"ALTER TABLE t ADD COLUMN", "expected the column's name, found the end @"},
           Case{"ALTER TABLE t ADD (c INT", "this bracket is not closed @("},
           Case{"CREATE TABLE u (a); ALTER TABLE t RENAME TO u", "there is already a table `u` @t"},
           Case{"ALTER SCHEMA s RENAME TO r", "a change of a schema's name or tables cannot be read @RENAME"},
           Case{"EXEC sp_rename 't.a', 'c', 'COLUMN'", "what is renamed by `sp_rename` cannot be read @sp_rename"},
       }) {
    EXPECT_EQ(tables_of("CREATE TABLE t (a INT, b INT);" + std::string(c.alter)), c.error) << c.alter;
  }
}

// In SQLite a name means the same in any case and in any quotes. In other dialects a name in quotes is another one.
TEST(Tables, NamesInAnyCase) {
  struct Case {
    std::string_view statements;  // after those of the table `T` with the columns `A` and `b`; `@` is S.T, `~` S, `#` A
    std::string_view tables;
  };
  static constexpr Case kCases[] = {
      {"ALTER TABLE @ ADD c INT", "S.T(A,b,c) o(z)"},
      {"ALTER TABLE @ ADD COLUMN IF NOT EXISTS # INT", "S.T(A,b) o(z)"},
      {"ALTER TABLE @ DROP COLUMN #", "S.T(b) o(z)"},
      {"ALTER TABLE IF EXISTS @ DROP COLUMN IF EXISTS #", "S.T(b) o(z)"},
      {"ALTER TABLE @ RENAME COLUMN # TO c", "S.T(c,b) o(z)"},
      {"ALTER TABLE @ RENAME # TO c", "S.T(c,b) o(z)"},
      {"ALTER TABLE @ CHANGE # c INT", "S.T(c,b) o(z)"},
      {"ALTER TABLE @ RENAME TO u; ALTER TABLE ~.U ADD c", "S.u(A,b,c) o(z)"},
      {"RENAME TABLE @ TO s.u", "s.u(A,b) o(z)"},
      {"ALTER TABLE @ SET SCHEMA r", "r.T(A,b) o(z)"},
      {"ALTER TABLE o INHERIT @; ALTER TABLE @ ADD c", "S.T(A,b,c) o(z,c)"},
      {"ALTER TABLE @ ATTACH PARTITION O DEFAULT; ALTER TABLE @ ADD c", "S.T(A,b,c) o(z,c)"},
      {"DROP TABLE @", "o(z)"},
      {"DROP TABLE IF EXISTS @", "o(z)"},
      {"DROP SCHEMA ~ CASCADE", "o(z)"},
      {"CREATE TABLE IF NOT EXISTS @ (x INT)", "S.T(A,b) o(z)"},
      {"CREATE OR REPLACE VIEW @ (x) AS SELECT 1", "@(x) o(z)"},
      {"CREATE TABLE u (LIKE @, c INT)", "S.T(A,b) o(z) u(A,b,c)"},
      {"CREATE TABLE u (#, c INT) INHERITS (@)", "S.T(A,b) o(z) u(A,c,b)"},
      {"CREATE TABLE u PARTITION OF @ DEFAULT", "S.T(A,b) o(z) u(A,b)"},
      {"CREATE TABLE @ (x INT)", "is defined twice"},
      {"ALTER TABLE o RENAME TO @", "there is already a table"},
      {"ALTER TABLE @ ADD # INT", "is already in the table"},
      {"ALTER TABLE @ RENAME b TO #", "is already in the table"},
      {"CREATE TABLE u (A INT, # INT)", "is defined twice"},
      {"CREATE TABLE u (\"A\" INT, # INT)", "is defined twice"},
  };
  const auto spelled = [](std::string_view name) {
    const std::string upper(name);
    const std::string lower(1, static_cast<char>(name[0] - 'A' + 'a'));
    std::vector<std::string> all;
    for (const std::string& one : {upper, lower}) {
      for (const char* quotes : {"  ", "\"\"", "``", "[]"}) {
        all.push_back(quotes[0] == ' ' ? one : quotes[0] + one + quotes[1]);
      }
    }
    return all;
  };
  const std::vector<std::string> schemas = spelled("S");
  const std::vector<std::string> tables = spelled("T");
  const std::vector<std::string> columns = spelled("A");
  for (std::size_t first = 0; first < 4; ++first) {
    const std::string before = "CREATE TABLE " + schemas[first] + "." + tables[first] + " (" + columns[first] +
                               " INT, b INT); CREATE TABLE o (z INT);";
    for (std::size_t second = 0; second < tables.size(); ++second) {
      for (const Case& c : kCases) {
        std::string text = before;
        for (const char sign : c.statements) {
          text += sign == '@'   ? schemas[second] + "." + tables[second]
                  : sign == '~' ? schemas[second]
                  : sign == '#' ? columns[second]
                                : std::string(1, sign);
        }
        std::string expected(c.tables);
        // A table that is replaced is written as in its last definition.
        if (expected.starts_with('@')) expected.replace(0, 1, second < 4 ? "S.T" : "s.t");
        // A column that a table has before it inherits the others is written as in its own list.
        const std::size_t own = expected.find("u(A,c,b)");
        if (own != std::string::npos && second >= 4) expected[own + 2] = 'a';
        const std::string read = tables_of(text, true);
        if (expected.ends_with(')')) {
          EXPECT_EQ(read, expected) << text;
        } else {
          EXPECT_NE(read.find(expected), std::string::npos) << text << "\n" << read;
        }
      }
    }
  }
  constexpr std::string_view kQuoted = "CREATE TABLE \"T\" (\"A\" INT, b INT);";
  EXPECT_EQ(tables_of(std::string(kQuoted) + "DROP TABLE IF EXISTS T; CREATE TABLE t (x, \"X\")"), "T(A,b) t(x,X)");
  EXPECT_EQ(tables_of(std::string(kQuoted) + "ALTER TABLE \"T\" DROP A"), "the column `A` is not in the table `T` @A");
}

TEST(Tables, NamesInJsonInAnyCase) {
  EXPECT_EQ(tables_of(R"({"T": ["A", "b"], "t": ["a", "A"]})"), "T(A,b) t(a,A)");
  EXPECT_EQ(tables_of(R"({"T": ["A", "b"], "t": ["a"]})", true), "a table is listed twice @\"t\"");
  EXPECT_EQ(tables_of(R"({"T": ["A", "a"]})", true), "a column is listed twice @\"a\"");
}

// What is neither read nor known to change no name is an error.
TEST(Tables, NothingIsLost) {
  struct Case {
    std::string_view text;
    std::string_view tables;
  };
  for (const Case& c : {
           // words that are names of columns, too
           Case{"CREATE TABLE film (title text, fulltext tsvector NOT NULL, period int, exclude bool, spatial int, key "
                "numeric(4))",
                "film(title,fulltext,period,exclude,spatial,key)"},
           Case{"CREATE TABLE t (a int, FULLTEXT KEY k (a), SPATIAL INDEX (a), INDEX i USING BTREE (a), KEY j ((a + "
                "1)), "
                "EXCLUDE USING gist (a WITH =), PERIOD FOR SYSTEM_TIME (a, b), INDEX x NONCLUSTERED (a))",
                "t(a)"},
           Case{"CREATE TABLE t (a int, b int, c int); ALTER TABLE t ADD period int, ADD partition int; ALTER TABLE t "
                "DROP KEY "
                "k, DROP INDEX i; ALTER TABLE t DROP PARTITION p0, p1; ALTER TABLE t ADD PARTITION (PARTITION p2 "
                "VALUES IN (1))",
                "t(a,b,c,period,partition)"},
           Case{"CREATE TABLE t (a STRUCT<x INT, y MAP<STRING, INT>>, b int CHECK (b < 3), c ARRAY<INT>)", "t(a,b,c)"},
           Case{"CREATE TABLE t (emp# int, [a]]b] int, c text[])", "t(emp#,a]b,c)"},
           Case{"create table t (my-col int)", "expected the column's type, found `-` @-"},
           Case{"create table t (a int), b int)", "this bracket is not opened @)"},
           // actions of ALTER TABLE
           Case{"create table t (a int); alter table t add if int, add if not exists b int; alter table t rename if to "
                "c",
                "t(a,c,b)"},
           Case{"create table t (a int); alter table t ad b int", "there is no `ALTER TABLE ... ad` @ad"},
           Case{"create table t (a int); alter table t", "expected what `ALTER TABLE` does, found the end @"},
           Case{"create table t (a int); alter table t replace columns (b int)",
                "there is no `ALTER TABLE ... replace` @replace"},
           Case{"create table t (a int, b int); alter table t set unused column b",
                "`SET UNUSED` cannot be read @unused"},
           Case{"create table t (a int); alter table t add columns (b int, c string)", "t(a,b,c)"},
           Case{"create table t (a int); alter table t order by a, b; alter table t max_rows = 3, min_rows = 1",
                "t(a)"},
           Case{"create table t (a int); rename t to u", "u(a)"},
           // statements without `;`
           Case{"create procedure p as\nbegin\n  create table #x (a int);\n  if 1 = 1 select 1;\nend\nGO\ncreate table "
                "t (a int)\nGO "
                "5\ncreate or alter view v as select t.a from t\ngo",
                "t(a) v(a)"},
           Case{"create table t (a int)\ninsert into t select a as b from u\nalter table t add c int\nupdate t set a = "
                "1, b = 2\n"
                "create table u (d int)",
                "t(a,c) u(d)"},
           Case{"create schema s authorization me create table t (a int) create view v as select t.a from t; create "
                "table u (b int)",
                "s.t(a) s.v(a) u(b)"},
           Case{"create schema if not exists s create table t (a int) create view v as select t.a from t; create table "
                "u (b int)",
                "s.t(a) s.v(a) u(b)"},
           // queries
           Case{"create view v as select 1 as a union select 2 as b", "v(a)"},
           Case{"create view v as select distinct on (t.x, t.y) t.a, t.offset, 1 as limit from t", "v(a,offset,limit)"},
           Case{"create view v as (select 1 as a) union all (select 2 as b)", "v(a)"},
       }) {
    EXPECT_EQ(tables_of(c.text), c.tables) << c.text;
  }
}

// MySQL executes what is in such comments. So mysqldump writes views: first as a table or a view of constants.
TEST(Tables, StatementsWithoutSemicolon) {
  EXPECT_EQ(tables_of("create table t(a int)\n\ncreate table u(b int)"), "t(a) u(b)");
  EXPECT_EQ(tables_of("create table t(a int)\nGO\ncreate unique index i on t(a)\nGO\ncreate view v as select a from t\n"
                      "GO\ncreate table u(b int)\nGO\n"),
            "t(a) v(a) u(b)");
  EXPECT_EQ(tables_of("create table t(a int)\nalter table t add b int\ncreate table u(c int)"), "t(a,b) u(c)");
  EXPECT_EQ(tables_of("create table t(a int); show create table x; grant create table to me; grant create view to me"),
            "t(a)");
  EXPECT_EQ(tables_of("create procedure p as create table x(a int); create table t(a int)"), "t(a)");
}

// As SQL Server Management Studio writes scripts.
TEST(Tables, StatementsOfTsqlWithConditions) {
  struct Case {
    std::string_view text;
    std::string_view tables;
  };
  for (const auto& [text, tables] : {
           Case{"IF (1 = F('x'))\nbegin\nEXEC [a].[dbo].[sp_fulltext_database] @action = 'enable'\nend\nGO\n"
                "CREATE TABLE [t]([a] [int] NULL) ON [PRIMARY]\nGO\nENABLE TRIGGER [dbo].[x] ON [t]\nGO\n",
                "t(a)"},
           Case{"IF NOT EXISTS (SELECT * FROM sys.objects WHERE object_id = OBJECT_ID(N'[t]'))\nBEGIN\n"
                "CREATE TABLE [t](\n\t[a] [int] NULL\n) ON [PRIMARY]\nEND\nGO\n"
                "CREATE XML SCHEMA COLLECTION [x] AS N'<x/>'\nGO\nCREATE PARTITION FUNCTION [f](int) AS RANGE LEFT FOR "
                "VALUES (1)\nGO\nDENY SELECT ON [t] TO [joe]\nGO\n",
                "t(a)"},
           Case{"CREATE TABLE a (x int)\nGO\nIF OBJECT_ID('a') IS NOT NULL DROP TABLE a\nGO\nCREATE TABLE b (y int)\n",
                "b(y)"},
       }) {
    EXPECT_EQ(tables_of(text), tables) << text;
  }
}

TEST(Tables, ColumnsAfterTheList) {
  EXPECT_EQ(tables_of("create table u(b int); create table t(a int) engine = x select b, b + 1 as c from u"),
            "u(b) t(a,b,c)");
  EXPECT_EQ(tables_of("create table t(a int) select 1"),
            "the query after the columns of `t` has a column without a name @create");
  EXPECT_EQ(tables_of("create table u(b int); create table t(a) as select b from u"), "u(b) t(a)");
  EXPECT_EQ(tables_of("create table t(a int, e int) comment 'x' partitioned by (ds string, e, hour int) stored as orc"),
            "t(a,e,ds,hour)");
  EXPECT_EQ(tables_of("create table t(a int) partition by range (a) (partition p0 values less than (1))"), "t(a)");
}

TEST(Tables, QueriesInBrackets) {
  EXPECT_EQ(tables_of("create view v as\n ( SELECT t.a\n FROM t LIMIT 1)\nUNION ALL\n ( SELECT t.b FROM t);\n"
                      "create view w as ((with x as (select 1) select x.a, (select 1) as b));\n"
                      "create view c as VALUES (1, f(2, 3)), (2, 3);"),
            "v(a) w(a,b) c(column1,column2)");
}

TEST(Tables, BackslashesBeforeQuotes) {
  // mysqldump without its comments, and SQLite
  EXPECT_EQ(
      tables_of(
          "CREATE TABLE `t` (`a` int);\nINSERT INTO `t` VALUES (1,'it\\'s'),(2,'b');\nCREATE TABLE `u` (`b` int);"),
      "t(a) u(b)");
  EXPECT_EQ(tables_of("CREATE TABLE `t` (`a` int);\nINSERT INTO `t` VALUES (1,'it\\'s'),(2,'don\\'t');\nCREATE TABLE "
                      "`u` (`b` int);"),
            "t(a) u(b)");
  EXPECT_EQ(tables_of("CREATE TABLE `t` (`a` int);\nINSERT INTO `t` VALUES (1,'C:\\');\nCREATE TABLE `u` (`b` int);"),
            "t(a) u(b)");
  // other databases that read backslashes, one that does not, and psql's commands
  EXPECT_EQ(
      tables_of(
          "create table t (a int);\ninsert into t values ('it\\'s; x'), ('\\''), ('don\\'t;');\ncreate table u (b "
          "int);\n"),
      "t(a) u(b)");
  EXPECT_EQ(
      tables_of(
          "create table t (a int);\n\\connect it's\ncopy t from stdin;\n it's \\'x\n\\.\ninsert into t values ('C:\\');"
          "\ncreate table u (b int default 'a\\');"),
      "t(a) u(b)");
  EXPECT_EQ(
      tables_of("CREATE TABLE `t` (`a` int);\nINSERT INTO `t` VALUES ('C:\\');\nINSERT INTO `t` VALUES ('D:\\');\n"
                "CREATE TABLE `u` (`b` int);"),
      "t(a) u(b)");
}

TEST(Tables, NamesWithUnicodeEscapes) {
  EXPECT_EQ(tables_of("create table t (u&\"d\\0061t\" int)"), "a name with Unicode escapes cannot be read @u&\"");
  EXPECT_EQ(tables_of("create table t (u int default U&'x')"), "t(u)");
}

TEST(Tables, CommentsOfVersions) {
  EXPECT_EQ(tables_of(R"(/*!999999\- enable the sandbox mode */
/*!40101 SET NAMES utf8 */;
CREATE TABLE `t` (`a` int /*!80023 INVISIBLE */, /* no /*! version */ PRIMARY KEY (`a`)) /*!50100 PARTITION BY HASH (a) */;
/*!50001 CREATE VIEW `v` AS SELECT
 1 AS `a`,
 1 AS `n`*/;
/*!40000 ALTER TABLE `t` DISABLE KEYS */;
/*!50112 PREPARE s FROM @x */; /*!50112 DEALLOCATE PREPARE s */;
/*!50001 DROP VIEW IF EXISTS `v`*/;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50001 VIEW `v` AS select `t`.`a` AS `a`,count(0) AS `m` from `t` */;
/*! ALTER TABLE t ADD c INT */)"),
            "t(a,c) v(a,m)");
}

// Tables and columns are looked up in tables of their own, so that the work is linear.
TEST(Tables, ManyChanges) {
  std::string text = "CREATE TABLE t (a INT);";
  std::string expected = "t(a";
  for (int i = 0; i < 5000; ++i) {
    const std::string column = "c" + std::to_string(i);
    text += "ALTER TABLE t ADD " + column + " INT; ALTER TABLE t DROP " + column + "; ALTER TABLE t ADD " + column +
            " INT;";
    expected += "," + column;
  }
  EXPECT_EQ(tables_of(text), expected + ")");
}

}  // namespace
}  // namespace weir::frontend::sql
