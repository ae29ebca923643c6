#include "weir/languages.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "weir/compiler.h"
#include "weir/error.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace weir {
namespace {

constexpr std::string_view kShop = R"(
CREATE TABLE IF NOT EXISTS shop.users (id INTEGER PRIMARY KEY, name TEXT DEFAULT 'x, (y', "e-mail" TEXT, "Age" INT);
-- a comment; with a semicolon
CREATE INDEX i ON users (name);
CREATE TABLE orders (id INT, "user_id" INT REFERENCES users (id), total NUMERIC(10, 2) CHECK (total > 0), key TEXT,
  CONSTRAINT c UNIQUE (id, user_id), FOREIGN KEY (user_id) REFERENCES users (id));
CREATE VIEW totals (who, amount) AS SELECT 1, 2;
)";

// How far a text is read: its whole length if it is a text of the language, else the bytes before the place where it is
// refused, or -1 if it is incomplete.
int read_bytes(const CompiledGrammar& grammar, std::string_view text) {
  GrammarMatcher matcher(grammar);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (matcher.accept_string(text.substr(i, 1)) != Step::kOk) return static_cast<int>(i);
  }
  return matcher.is_completed() ? static_cast<int>(text.size()) : -1;
}

CompiledGrammar compiled(std::string_view name, std::string_view tables, std::string start = {}) {
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  Result<CompiledGrammar> grammar =
      compiler.compile_text(tables, {.start = std::move(start), .language = std::string(name)});
  EXPECT_TRUE(grammar.has_value()) << (grammar ? "" : render(grammar.error(), tables, "<tables>"));
  return *grammar;
}

TEST(Languages, AllCompileWithoutWarnings) {
  EXPECT_GE(language_names().size(), 2U);
  for (const std::string_view name : language_names()) {
    const CompiledGrammar grammar = compiled(name, "");
    EXPECT_TRUE(grammar.warnings().empty()) << name << ": " << grammar.warnings().front().message;
    EXPECT_TRUE(grammar_of_language(name)->warnings().empty()) << name;
  }
}

TEST(Languages, UnknownNamesAndOptionsOfGrammarsAreErrors) {
  const Result<Grammar> unknown = grammar_of_language("postgres");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(unknown.error().message, "there is no language `postgres`");
  EXPECT_NE(unknown.error().hint.find("`postgresql`"), std::string::npos) << unknown.error().hint;
  EXPECT_TRUE(grammar_of_language("sqlite", "CREATE TABLE t (a)", {.text_bytes = 100}).has_value());
  EXPECT_FALSE(grammar_of_language("sqlite", "CREATE TABLE t (a)", {.text_bytes = 10}).has_value());
  EXPECT_FALSE(Grammar::from_text("", {.exact_splits = true, .language = "sqlite"}).has_value());
  const auto start = Grammar::from_text("", {.start = "nothing", .language = "sqlite"});
  ASSERT_FALSE(start.has_value());
  EXPECT_EQ(start.error().hint.find("choose `statement`, `query`, "), 0U) << start.error().hint;
}

TEST(Languages, ExpressionsOfANewTableNameItsOwnColumns) {
  for (const std::string_view name : {"sqlite", "postgresql"}) {
    const CompiledGrammar grammar = compiled(name, kShop);
    for (const std::string_view text : {
             "CREATE TABLE boxes (width INT CHECK (width > 0 AND boxes.width < 100), height INT, area INT GENERATED "
             "ALWAYS AS (width * height) STORED, CHECK (lower(label) <> 'x' OR coalesce(height, 1) IN (1, 2)))",
             "CREATE TABLE boxes (\"a b\" INT CHECK (\"a b\" BETWEEN 1 AND 2 OR CASE WHEN \"a b\" THEN c END = 1))",
             "CREATE TABLE boxes (a INT CHECK (a IN (SELECT id FROM users)))",
             "ALTER TABLE users ADD COLUMN size INT CHECK (size > 0)",
         }) {
      EXPECT_EQ(read_bytes(grammar, text), static_cast<int>(text.size())) << name << ": " << text;
    }
    // A subquery has tables of its own. A function may have any name, so `x` is refused after the blank.
    constexpr std::string_view kSubquery = "CREATE TABLE boxes (a INT CHECK (a IN (SELECT x";
    EXPECT_EQ(read_bytes(grammar, std::string(kSubquery) + " FROM users)))"), static_cast<int>(kSubquery.size()) + 1)
        << name;
  }
  constexpr std::string_view kIndex = "CREATE INDEX i ON boxes (lower(label), width) WHERE height > 0";
  EXPECT_EQ(read_bytes(compiled("sqlite", kShop), kIndex), static_cast<int>(kIndex.size()));
}

TEST(Languages, OnlyTablesAndColumnsThatExist) {
  for (const std::string_view name : {"sqlite", "postgresql"}) {
    const CompiledGrammar grammar = compiled(name, kShop);
    EXPECT_TRUE(grammar.warnings().empty());
    for (const std::string_view text : {
             "SELECT u.name, sum(o.total) AS spent FROM users AS u JOIN orders o ON o.user_id = u.id GROUP BY u.id "
             "ORDER BY spent DESC",
             "SELECT \"e-mail\", users.id, shop.users.\"Age\", \"orders\".\"total\" FROM shop.users, \"orders\" WHERE "
             "name = 'x'",
             "WITH cte_a AS (SELECT id AS n FROM users) SELECT cte_a.n, id FROM cte_a, (SELECT who FROM totals) sub1",
             "INSERT INTO orders (id, total, key) VALUES (1, 2, 'k')",
             "UPDATE users SET name = 'x', \"Age\" = 3 WHERE id = 1",
             "DELETE FROM orders WHERE total > 5",
             "select count(*) from users where name is not null",
             // new names, also in quotes
             "SELECT \"my u\".name FROM users AS \"my u\"",
             "CREATE TABLE n (\"e-mail 2\" text, orders int)",
             "ALTER TABLE users ADD COLUMN \"a b\" int",
             "ALTER TABLE users RENAME TO subscribers",
             "ALTER TABLE users RENAME COLUMN id TO \"no.\"",
         }) {
      EXPECT_EQ(read_bytes(grammar, text), static_cast<int>(text.size())) << name << ": " << text;
    }
    struct Refused {
      std::string_view text;
      int at;  // of the byte that no name continues
    };
    for (const Refused& refused : {
             Refused{"SELECT nam FROM users", 11},
             Refused{"SELECT id FROM user ", 19},
             Refused{"SELECT id FROM accounts", 15},
             Refused{"SELECT users.total FROM users", 13},
             Refused{"SELECT u.amounts FROM users u", 15},
             Refused{"INSERT INTO users (zone) VALUES (1)", 19},
             Refused{"UPDATE orders SET name = 1", 18},
             Refused{"DELETE FROM cte", 12},
             Refused{"SELECT \"age\" FROM users", 13},
             Refused{"SELECT 1 FROM users AS \"orders\" ", 31},
         }) {
      EXPECT_EQ(read_bytes(grammar, refused.text), refused.at) << name << ": " << refused.text;
    }
  }
}

TEST(Languages, NamesInQuotesKeepTheirLettersInPostgresqlAlone) {
  EXPECT_GT(read_bytes(compiled("sqlite", R"({"T": ["userId"]})", "query"), "SELECT userId FROM T"), 0);
  EXPECT_EQ(read_bytes(compiled("postgresql", R"({"T": ["userId"]})", "query"), "SELECT userId FROM"), 14);
  EXPECT_GT(read_bytes(compiled("postgresql", R"({"T": ["userId"]})", "query"), R"(SELECT "userId" FROM "T")"), 0);
}

// Which reserved words are columns, and that a name after a dot may be any of them, is so without tables, too.
TEST(Languages, ReservedWordsThatAreNamesOfPostgresqlNeedNoQuotes) {
  const std::string tables =
      "CREATE TABLE t (position INT, time INT, \"timestamp\" INT, \"order\" INT); CREATE TABLE public.\"user\" (id "
      "INT)";
  const CompiledGrammar grammar = compiled("postgresql", tables, "statement");
  for (const std::string_view text : {
           "SELECT position, time, timestamp FROM t WHERE position > 3 ORDER BY time",
           "INSERT INTO t (position, time) VALUES (1, 2)",
           "UPDATE t SET position = 2",
           "SELECT time '10:00', t.order, a.order, \"t\".order, \"order\" FROM t, t AS a",
           "SELECT id FROM public.user",
           "WITH cte AS (SELECT 1) SELECT cte.order FROM cte",
       }) {
    EXPECT_EQ(read_bytes(grammar, text), static_cast<int>(text.size())) << text;
  }
  // The query may select nothing, `SELECT ORDER BY time`.
  EXPECT_EQ(read_bytes(grammar, "SELECT order FROM t"), 13);
  EXPECT_LT(read_bytes(grammar, "SELECT id FROM user"), 17);
  EXPECT_LT(read_bytes(compiled("sqlite", tables, "query"), "SELECT t.order FROM t"), 14);
}

TEST(Languages, StatementsOfPostgresqlAloneNameTablesAndColumnsThatExist) {
  const CompiledGrammar grammar = compiled("postgresql", kShop);
  for (const std::string_view text : {
           "INSERT INTO users (name[1], \"e-mail\".part) VALUES ('x', 'y')",
           "UPDATE users SET (name[1], id) = (1, 2) WHERE CURRENT OF rows_of_users",
           "COPY users (id, name) FROM STDIN WITH (FORMAT csv) WHERE id > 3",
           "COPY (SELECT id FROM orders) TO STDOUT",
           "SELECT id INTO TEMP copies FROM users",
           "WITH RECURSIVE cte AS (SELECT id FROM users) SEARCH DEPTH FIRST BY id SET place SELECT * FROM cte",
           "SELECT xmlforest(name AS \"who\", id), @ id, id OPERATOR(pg_catalog.+) 2 FROM users",
           "GRANT SELECT ON users TO GROUP readers",
       }) {
    EXPECT_EQ(read_bytes(grammar, text), static_cast<int>(text.size())) << text;
  }
  struct Refused {
    std::string_view text;
    int at;
  };
  for (const Refused& refused : {
           Refused{"INSERT INTO users (zone[1]) VALUES (1)", 19},
           Refused{"COPY accounts FROM STDIN", 5},
           Refused{"COPY users (zone) FROM STDIN", 12},
           Refused{"SELECT users.zones INTO copies FROM users", 13},
       }) {
    EXPECT_EQ(read_bytes(grammar, refused.text), refused.at) << refused.text;
  }
}

TEST(Languages, NewNamesAreFree) {
  for (const std::string_view name : {"sqlite", "postgresql"}) {
    const CompiledGrammar grammar = compiled(name, kShop);
    for (const std::string_view text : {
             "create table t (\"a b\" int, users int, primary key (users, \"a b\"))",
             "create table t (a int, foreign key (a) references v (b), unique (a))",
             "alter table users add column \"a b\" int",
             "alter table users rename to subs",
             "select \"my u\".id, \"u-2\".name from users as \"my u\", users \"u-2\"",
             "select sub_e.key, \"cte1\".value from json_each('[1]') as sub_e, json_each('[1]') \"cte1\"",
         }) {
      EXPECT_EQ(read_bytes(grammar, text), static_cast<int>(text.size())) << name << ": " << text;
    }
    // These aliases would hide a table, or could be any one.
    EXPECT_EQ(read_bytes(grammar, "select id from users as \"Orders\" "), 32) << name;
    EXPECT_EQ(read_bytes(grammar, "select id from users as \"sub_1\" "), 31) << name;
  }
  const CompiledGrammar postgresql = compiled("postgresql", kShop);
  for (const std::string_view text : {
           "create table t (time int, b int references v (position)) partition by range (time, b)",
           "create table t (a int, exclude using gist (a with =))",
           "select sub_n.m, g.id from generate_series(1, 3) with ordinality as sub_n(n, m), generate_series(1, 3) g",
       }) {
    EXPECT_EQ(read_bytes(postgresql, text), static_cast<int>(text.size())) << text;
  }
  EXPECT_LT(read_bytes(postgresql, "select sum(id) over (rows 1 following) from users"), 35);
  const CompiledGrammar sqlite = compiled("sqlite", kShop);
  for (const std::string_view text :
       {"create table t ([a b] text, primary key (`a b` desc))", "create index i on t (a, b desc)"}) {
    EXPECT_EQ(read_bytes(sqlite, text), static_cast<int>(text.size())) << text;
  }
}

TEST(Languages, QuotesAndBracketsOfDefinitionsMayBeEmpty) {
  const std::string tables =
      R"(CREATE TABLE Main.t (i INT DEFAULT "", tags TEXT[], a$b INT); INSERT INTO t VALUES (""))";
  for (const char* name : {"sqlite", "postgresql"}) {
    const CompiledGrammar grammar = compiled(name, tables, "query");
    for (const std::string_view text :
         {"SELECT i FROM t", "SELECT tags FROM Main.t", "SELECT a$b FROM main.t", "SELECT t.i FROM t"}) {
      EXPECT_EQ(read_bytes(grammar, text), static_cast<int>(text.size())) << name << ": " << text;
    }
  }
}

TEST(Languages, WhatDumpsHaveBesideTablesIsSkipped) {
  for (const std::string_view before : {"\\restrict x'y\n", "USE shop; LOCK TABLES t WRITE; UNLOCK TABLES;"}) {
    const std::string tables = std::string(before) + "CREATE TABLE t (a INT);";
    EXPECT_TRUE(grammar_of_language("postgresql", tables).has_value()) << before;
  }
}

// What pg_dump and mysqldump write.
TEST(Languages, TablesOfRealDumps) {
  const std::string postgresql = R"(
SET check_function_bodies = false;
CREATE TABLE public.users (
    id integer NOT NULL,
    tags text[] DEFAULT ARRAY['a,b'::text, 'it''s)'::text] NOT NULL,
    note text DEFAULT E'a\'b;'::text,
    CONSTRAINT few CHECK (((data #> '{a}'::text[]) IS NULL))
)
PARTITION BY RANGE (id);
CREATE TABLE public.users_1 PARTITION OF public.users (CONSTRAINT p PRIMARY KEY (id)) FOR VALUES FROM (1) TO (9);
CREATE TABLE public.child (
)
INHERITS (public.users);
CREATE TABLE copied (LIKE public.users INCLUDING ALL, extra int);
COPY public.users (id, tags) FROM stdin;
1	{it's "x; CREATE TABLE broken (
2	{}
\.
COPY public.child (id) FROM stdin;
\.
CREATE TABLE IF NOT EXISTS public.users (other int);
ALTER TABLE ONLY public.users ADD CONSTRAINT k UNIQUE (id);
)";
  const std::string mysql = R"(
-- MySQL dump
/*!40101 SET NAMES utf8 */;
# a comment; it's one
DROP TABLE IF EXISTS `orders`;
CREATE TABLE `orders` (
  `id` int(11) NOT NULL AUTO_INCREMENT, # it's the key
  `order` varchar(10) DEFAULT 'it\'s;',
  `kind` enum('a','b') COMMENT "say \"x\"",
  PRIMARY KEY (`id`), UNIQUE KEY `k` (`order`), KEY other (`kind`), SPATIAL KEY s (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8;
LOCK TABLES `orders` WRITE;
INSERT INTO `orders` VALUES (1,'a\\','b'),(2,'\'',NULL);
DELIMITER ;;
CREATE PROCEDURE p() BEGIN SELECT 'x; END ;;
DELIMITER ;
CREATE TABLE likewise LIKE `orders`;
DROP TABLE likewise;
CREATE TABLE likewise (`only` int);
)";
  const CompiledGrammar of_postgresql = compiled("postgresql", postgresql, "query");
  for (const std::string_view text :
       {"SELECT tags FROM users_1", "SELECT note FROM child", "SELECT extra, id FROM copied"}) {
    EXPECT_EQ(read_bytes(of_postgresql, text), static_cast<int>(text.size())) << text;
  }
  EXPECT_EQ(read_bytes(of_postgresql, "SELECT other FROM users_1"), 13);
  EXPECT_EQ(read_bytes(of_postgresql, "SELECT id FROM broken"), 15);
  const CompiledGrammar of_mysql = compiled("sqlite", mysql, "query");
  for (const std::string_view text : {"SELECT id, kind FROM orders", "SELECT only FROM likewise"}) {
    EXPECT_EQ(read_bytes(of_mysql, text), static_cast<int>(text.size())) << text;
  }
}

// What `.schema` and `.dump` of SQLite's shell write of virtual tables, whose module has the columns, and of views.
TEST(Languages, VirtualAndForeignTablesAndViews) {
  const std::string sqlite = R"(
CREATE VIRTUAL TABLE docs USING fts5(title, body UNINDEXED, tokenize='porter unicode61', content="")
/* docs(title,body) */;
CREATE TABLE IF NOT EXISTS 'docs_data'(id INTEGER PRIMARY KEY, block BLOB);
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','mail','mail',0,'CREATE VIRTUAL TABLE mail using fts4(subject TEXT NOT NULL, "the ''body", tokenize=porter)');
CREATE VIRTUAL TABLE bare USING fts4;
CREATE VIRTUAL TABLE IF NOT EXISTS main.boxes USING rtree(id, min_x, max_x, +label text);
CREATE VIEW v as SELECT DISTINCT docs.title, count(*) AS n, "body" b FROM docs;
CREATE VIEW listed(one) AS SELECT 1;
CREATE TABLE made AS WITH q AS (SELECT 1 AS z, 2) SELECT z, (SELECT 1) AS y FROM q;
)";
  const CompiledGrammar of_sqlite = compiled(
      "sqlite", sqlite.substr(0, sqlite.find("CREATE VIEW v")) + sqlite.substr(sqlite.find("CREATE VIEW listed")),
      "query");
  for (const std::string_view text :
       {"SELECT title, body FROM docs WHERE docs MATCH 'a' ORDER BY rank", "SELECT block FROM docs_data",
        "SELECT subject, \"the 'body\", docid FROM mail", "SELECT content FROM bare",
        "SELECT label, min_x FROM main.boxes", "SELECT one FROM listed", "SELECT z, y FROM made"}) {
    EXPECT_EQ(read_bytes(of_sqlite, text), static_cast<int>(text.size())) << text;
  }
  EXPECT_EQ(read_bytes(of_sqlite, "SELECT tokenize FROM docs"), 16);
  EXPECT_FALSE(grammar_of_language("sqlite", sqlite).has_value()) << "a column without AS or a table's name before it";

  const std::string postgresql = R"(
CREATE FOREIGN DATA WRAPPER file_fdw HANDLER public.file_fdw_handler;
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE USER MAPPING FOR PUBLIC SERVER files;
CREATE FOREIGN TABLE public.remote (
    id integer OPTIONS (column_name 'key', other 'a)b') NOT NULL,
    name text COLLATE "C"
)
SERVER files
OPTIONS (filename '/tmp/x;y.csv');
CREATE TABLE parts (id integer, day date) PARTITION BY RANGE (day);
CREATE FOREIGN TABLE old_parts PARTITION OF parts FOR VALUES FROM (1) TO (2) SERVER files;
CREATE VIEW public.names AS
 SELECT remote.id,
    upper(remote.name) AS upper,
        CASE WHEN (remote.id > 1) THEN 'a'::text ELSE 'b'::text END AS "Kind"
   FROM public.remote;
CREATE TEXT SEARCH CONFIGURATION english (PARSER = "default");
REFRESH MATERIALIZED VIEW nothing;
)";
  const CompiledGrammar of_postgresql = compiled("postgresql", postgresql, "query");
  for (const std::string_view text : {"SELECT name FROM public.remote", "SELECT day FROM old_parts",
                                      "SELECT id, upper, \"Kind\" FROM public.names"}) {
    EXPECT_EQ(read_bytes(of_postgresql, text), static_cast<int>(text.size())) << text;
  }
}

TEST(Languages, ATableDefinedTwiceNamesBothPlaces) {
  const std::string text = "CREATE TABLE t (a);\nCREATE TABLE u (a);\nCREATE TABLE T (b);";
  const Result<Grammar> grammar = grammar_of_language("sqlite", text);
  ASSERT_FALSE(grammar.has_value());
  EXPECT_EQ(grammar.error().message, "the table `T` is defined twice");
  EXPECT_EQ(line_column(text, grammar.error().where.start).line, 3U);
  ASSERT_EQ(grammar.error().notes.size(), 1U);
  EXPECT_EQ(line_column(text, grammar.error().notes[0].where.start).line, 1U);
  EXPECT_TRUE(grammar_of_language("sqlite", "CREATE TABLE a.t (a); CREATE TABLE b.t (a)").has_value());
}

TEST(Languages, ErrorsOfTablesHaveTheirPlace) {
  struct Case {
    std::string_view text;
    std::string_view at;  // the text at the error's place
    std::string_view message;
  };
  for (const Case& c : {
           Case{"CREATE TABLE users (id INT", "(", "this bracket is not closed"},
           Case{"CREATE TABLE users id INT)", "id", "expected `(`"},
           Case{"CREATE TABLE (id INT)", "(", "expected the table's name"},
           Case{"CREAT TABLE t (a)", "CREAT", "no statement begins with `CREAT`"},
           Case{"CREATE TABEL t (a)", "TABEL", "there is no `CREATE TABEL`"},
           Case{"CREATE TABLE t (a, b, A)", "A", "the column `A` is defined twice"},
           Case{"CREATE TABLE t (a, PRIMARY KEY (a)); SELECT 'x", "'", "this quote is not closed"},
           Case{"CREATE VIEW v AS SELECT 1", "CREATE", "the view `v` has no list of columns"},
           Case{"CREATE TABLE t AS TABLE u", "CREATE", "the table `t` has no list of columns"},
           Case{"CREATE VIRTUAL TABLE t USING csv(filename='a')", "CREATE", "are known to its module `csv` alone"},
           Case{"CREATE VIRTUAL TABLE t (a)", "(", "expected `USING`"},
           Case{"CREATE VIRTUAL TABLE t USING fts5(a", "(", "this bracket is not closed"},
           Case{"INSERT INTO sqlite_master VALUES ('CREATE VIRTUAL TABLE t USING')", "'CREATE VIRTUAL TABLE t USING'",
                "expected the module's name, found the end"},
           Case{"CREATE TABLE t (a) /* x", "/*", "this comment is not closed"},
           Case{"SELECT 1", "S", "there is no CREATE TABLE statement"},
           Case{"CREATE TABLE t (CHECK (1))", "CREATE", "the table `t` has no columns"},
           Case{R"(CREATE TABLE t (a, "" INT))", R"("")", "a name cannot be empty"},
           Case{R"({"t": "a"})", R"("a")", "the columns of a table must be an array"},
           Case{R"({"t": ["a", 1]})", "1", "a column must be a string"},
           Case{"CREATE TABLE p PARTITION OF q FOR VALUES IN (1)", "q", "the table `q`, whose columns `p` has, is not"},
           Case{R"({"t": ["a", "a"]})", R"("a")", "a column is listed twice"},
           Case{R"({"t": []})", "[]", "a table must have a column"},
           Case{R"({"": ["a"]})", R"("")", "this cannot be a name"},
           Case{R"({})", "{}", "there must be a table"},
       }) {
    const Result<Grammar> grammar = grammar_of_language("sqlite", c.text);
    ASSERT_FALSE(grammar.has_value()) << c.text;
    const Error& error = grammar.error();
    EXPECT_NE(error.message.find(c.message), std::string::npos) << c.text << ": " << error.message;
    EXPECT_EQ(c.text.substr(error.where.start, error.where.end - error.where.start), c.at)
        << c.text << ": " << error.message;
  }
}

TEST(Languages, PartsOfStructuralTags) {
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  const auto tag = [](const std::string& rest) {
    return R"({"type": "structural_tag", "format": {"type": "tag", "begin": "<sql>", "end": "</sql>", "content": {"type": "language", )" +
           rest + "}}}";
  };
  const Result<CompiledGrammar> grammar =
      compiler.compile_structural_tag(tag(R"x("name": "sqlite", "start": "query", "tables": "CREATE TABLE t (a)")x"));
  ASSERT_TRUE(grammar.has_value()) << grammar.error().message;
  EXPECT_EQ(read_bytes(*grammar, "<sql>SELECT a FROM t</sql>"), 26);
  EXPECT_EQ(read_bytes(*grammar, "<sql>SELECT b FROM"), 14);
  const std::string unknown = tag(R"("name": "sql")");
  const Result<Grammar> error = Grammar::from_structural_tag(unknown);
  ASSERT_FALSE(error.has_value());
  EXPECT_EQ(unknown.substr(error.error().where.start, 3), "sql");
  const std::string tables = tag(R"("name": "sqlite", "tables": "CREATE TABLE t a")");
  const Result<Grammar> place = Grammar::from_structural_tag(tables);
  ASSERT_FALSE(place.has_value());
  EXPECT_EQ(tables.substr(place.error().where.start, 1), "a") << place.error().message;
}

}  // namespace
}  // namespace weir
