"""SQL for a given database: identifiers come from the live schema, and a column only with its table.

The grammar is made from what sqlite says about its tables. It has no statement but SELECT, so no output changes data;
the connection is read-only nevertheless, since one guard is never enough.
"""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

import weir
from decoding import generate
from models import EchoModel

SETUP = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE invoice (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), total REAL, paid INTEGER);
INSERT INTO customer VALUES (1, 'Ada', 'London'), (2, 'Grace', 'Lisbon'), (3, 'Emmy', 'Lisbon');
INSERT INTO invoice VALUES (1, 1, 120.5, 1), (2, 2, 80, 0), (3, 3, 310, 0), (4, 2, 12, 1);
"""


REFUSAL = "-- no query answers this"  # a way out: without one, a grammar forces an answer

# SQL compares names without case. A key that names no columns means the primary key of the other table.
FOREIGN_KEYS = """
SELECT other.name, key."from",
       coalesce(key."to", (SELECT name FROM pragma_table_info(other.name) WHERE pk = key.seq + 1)) AS their
FROM pragma_foreign_key_list(?) AS key JOIN sqlite_schema AS other ON other.name = key."table" COLLATE NOCASE
WHERE other.type = 'table' AND their IS NOT NULL
"""


def quoted(text: str) -> str:
    """Returns the text as a string of EBNF."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def identifier(name: str) -> str:
    """Returns the name as SQL writes it, within quotes unless it is a plain word in lower case."""
    is_plain = name.isidentifier() and name.isascii() and name.islower()
    return name if is_plain else '"' + name.replace('"', '""') + '"'


def grammar_of(database: sqlite3.Connection) -> str:
    """Returns the grammar, in EBNF, of the SELECT statements over one table, or two that a foreign key joins."""
    rows = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    tables = [name for (name,) in rows]
    if not tables:
        raise ValueError("the database has no tables")
    rules, sources, defined = [], [], set()
    for number, table in enumerate(tables):
        columns = database.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
        names = {name: f"{identifier(table)}.{identifier(name)}" for name, _ in columns}
        numeric = [names[name] for name, kind in columns if kind.upper() in ("INTEGER", "REAL", "NUMERIC")]
        text = [names[name] for name, kind in columns if kind.upper() == "TEXT"]
        kinds = {"column": list(names.values()), "number": numeric, "text": text}
        rules += [f"{kind}-{number} ::= " + " | ".join(map(quoted, of)) for kind, of in kinds.items() if of]
        defined |= {f"{kind}-{number}" for kind, of in kinds.items() if of}
        sources.append((identifier(table), [number]))
    for number, table in enumerate(tables):
        for other, own, their in database.execute(FOREIGN_KEYS, (table,)):
            joined = (f"{identifier(table)} JOIN {identifier(other)} ON {identifier(table)}.{identifier(own)} = "
                      f"{identifier(other)}.{identifier(their)}")
            sources.append((joined, [number, tables.index(other)]))
    selects = []
    for number, (source, members) in enumerate(sources):
        column, number_rules, text_rules = (
            " | ".join(rule for rule in (f"{kind}-{member}" for member in members) if rule in defined)
            for kind in ("column", "number", "text"))
        items, tests = [f"any-{number}", '"COUNT(*)"'], []
        if number_rules:
            items.append(f'("SUM" | "AVG" | "MIN" | "MAX") "(" ({number_rules}) ")"')
            tests.append(f'({number_rules}) " " compare " " number')
        if text_rules:
            tests.append(f'({text_rules}) (" = " | " LIKE ") string')
        tail = f'(" GROUP BY " any-{number})? (" ORDER BY " item-{number} (" DESC")?)? (" LIMIT " [1-9] [0-9]{{0,3}})?'
        if tests:
            rules.append(f"test-{number} ::= " + " | ".join(tests))
            tail = f'(" WHERE " test-{number} ((" AND " | " OR ") test-{number})*)? ' + tail
        rules += [f'select-{number} ::= "SELECT " item-{number} (", " item-{number})* {quoted(" FROM " + source)} {tail}',
                  f"item-{number} ::= " + " | ".join(items), f"any-{number} ::= {column}"]
        selects.append(f"select-{number}")
    return "\n".join(["root ::= (" + " | ".join(selects) + f') ";" | {quoted(REFUSAL)}', *rules, """
compare ::= "=" | "<" | ">" | "<=" | ">=" | "<>"
number  ::= "-"? [0-9]{1,9} ("." [0-9]{1,6})?
string  ::= "'" ([^'\\x00-\\x1F] | "''"){0,80} "'"
"""])


# What the stand-in would write first, and second. First it names a column that does not exist, and deletes.
QUESTIONS = {
    "Which customers of Lisbon owe us most?": (
        "SELECT customer.name, SUM(invoice.amount) FROM invoice JOIN customer ON invoice.customer_id = customer.id"
        " WHERE customer.city = 'Lisbon' AND invoice.paid = 0 GROUP BY customer.name ORDER BY SUM(invoice.total) DESC;",),
    "Delete all customers.": ("DELETE FROM customer;", REFUSAL),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "shop.db")
        with sqlite3.connect(path) as writable:
            writable.executescript(SETUP)
        writable.close()
        database = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        model = EchoModel([f"{question}\n{queries[rank]}" for rank in (0, 1) for question, queries in QUESTIONS.items()
                           if rank < len(queries)])
        compiled = weir.GrammarCompiler(model.tokenizer_info).compile_grammar(grammar_of(database))
        for question, (alone, *_) in QUESTIONS.items():
            query = generate(model, compiled, model.prompt(question + "\n"), max_tokens=120)
            print(f"{question}\n  the model alone  {alone}\n  with weir        {query}")
            for row in database.execute(query) if query != REFUSAL else ():
                print("   ", *row)
        database.close()


if __name__ == "__main__":
    main()
