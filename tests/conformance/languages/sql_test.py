#!/usr/bin/env python3
"""Compares the SQL grammars of data/languages with the databases' own parsers: sql_test.py WEIR DIALECT

- Every statement of DIALECT_valid.txt is accepted by both, and every one of DIALECT_wrong.txt refused by both.
- Random members of the grammar are accepted by the database's parser, also of the one by name with tables.
- Of statements with a word changed, the grammar accepts none that the database's parser refuses.
- SQLite's statements that change a table, with names in any case and quotes, leave the names that sqlite3 has after them.

The parsers are that of Python's sqlite3, by EXPLAIN on an empty database, and PostgreSQL's own in the package pglast. Only errors
of syntax count: names that do not exist are none. The files have statements separated by blank lines.
"""

import json
import pathlib
import random
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LANGUAGES = HERE.parents[2] / "data" / "languages"
SQLITE_SYNTAX = ("syntax error", "unrecognized token", "incomplete input")
MEMBERS = 400  # of each start rule
MUTATIONS = 2000
WORDS = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|[A-Za-z_]\w*|\d+\.?\d*|\s+|--[^\n]*|[<>=!|:]+|.", re.S)


def sqlite_error(text):
    """Returns SQLite's message if the text's first statement has an error of syntax, else None."""
    statement = text if text.lstrip().upper().startswith("EXPLAIN") else "EXPLAIN " + text
    try:
        sqlite3.connect(":memory:").execute(statement)
    except (sqlite3.Error, sqlite3.Warning) as error:
        return str(error) if any(words in str(error) for words in SQLITE_SYNTAX) else None
    return None


def postgresql_error(text):
    """Returns PostgreSQL's message if the text has an error of syntax, else None."""
    import pglast

    try:
        pglast.parse_sql(text)
    except pglast.parser.ParseError as error:
        return str(error)
    return None


def statements(name):
    return (HERE / name).read_text(encoding="utf-8").rstrip("\n").split("\n\n")


def accepted(weir, grammar, texts):
    """Returns of each text whether the grammar accepts it."""
    with tempfile.TemporaryDirectory() as directory:
        path, out = pathlib.Path(directory) / "cases.jsonl", pathlib.Path(directory) / "out.jsonl"
        tests = [{"valid": True, "text": text} for text in texts]
        path.write_text(json.dumps({"id": "sql", "ebnf": grammar.read_text(encoding="utf-8"), "tests": tests}) + "\n")
        subprocess.run([weir, "cases", path, "--out", out, "--json"], check=False, capture_output=True)
        result = json.loads(out.read_text())
    if "tests" not in result:
        sys.exit(f"{grammar.name}: {result}")
    return [verdict == "ok" for verdict in result["tests"]]


def members(weir, source, start, seed):
    command = [weir, "generate", "--quiet", "--json", *source, "--start", start, "--count", str(MEMBERS), "--seed", str(seed),
               "--max-tokens", "60", "--steer", "0.3"]
    lines = subprocess.run(command, check=True, capture_output=True).stdout.splitlines()
    return [text for line in lines if (text := json.loads(line)["text"]) is not None]


def mutations(texts, seed):
    """Returns statements with a word left out, doubled, replaced by another one, or exchanged with another one."""
    choose = random.Random(seed)
    texts = [text for text in texts if ";" not in text]  # sqlite3 reads one statement
    words = [word for text in texts for word in WORDS.findall(text) if word.strip()]
    changed = set()
    while len(changed) < MUTATIONS:
        parts = WORDS.findall(choose.choice(texts))
        places = [i for i, part in enumerate(parts) if part.strip()]
        at, other, kind = choose.choice(places), choose.choice(places), choose.random()
        if kind < 0.4:
            del parts[at]
        elif kind < 0.6:
            parts.insert(at, parts[at] + " ")
        elif kind < 0.8:
            parts[at] = choose.choice(words)
        else:
            parts[at], parts[other] = parts[other], parts[at]
        changed.add("".join(parts))
    return sorted(changed)


def spellings(name):
    return [form.format(one) for one in (name.capitalize(), name) for form in ("{}", '"{}"', "[{}]", "`{}`")]


def faults_of_changes(weir):
    """Returns in which changes of SQLite's tables other names are possible than sqlite3 has, and how many changes there are."""
    changes = [
        "ALTER TABLE {t} ADD e INT",
        "ALTER TABLE {t} ADD {c} INT",
        "ALTER TABLE {t} RENAME COLUMN {c} TO e",
        "ALTER TABLE {t} RENAME TO f",
        "ALTER TABLE {t} DROP COLUMN {c}",
        "DROP TABLE {t}",
        "CREATE TABLE {t} (x INT)",
        "CREATE TABLE IF NOT EXISTS {t} (x INT)",
    ]
    tables, columns = spellings("users"), spellings("id")
    choose = random.Random(0)
    faults = []
    cases = [(change, first) for change in changes for first in range(len(tables))]
    for change, first in cases:
        second = choose.randrange(len(tables))
        definition = f"CREATE TABLE {tables[first]} ({columns[first]} INT, b INT); CREATE TABLE other (z INT);"
        text = f"{definition} {change.format(t=tables[second], c=columns[second])};"
        database = sqlite3.connect(":memory:")
        try:
            database.executescript(text)
        except sqlite3.Error:
            database = None
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "tables.sql"
            path.write_text(text)
            command = [weir, "validate", "--language", "sqlite", "--tables", path]
            queries = [f"SELECT {column} FROM {table}" for table in ("users", "f") for column in ("id", "b", "e", "x")]
            for query in queries if database else ["SELECT z FROM other"]:
                try:
                    # The grammar does not compare a query's columns with its table: the table's name before them does.
                    query = query.replace("SELECT ", f"SELECT {query.split()[-1]}.")
                    is_valid = database is not None and bool(database.execute(query))
                except sqlite3.Error:
                    is_valid = False
                run = subprocess.run([*command, "-"], input=query, capture_output=True, text=True)
                if (run.returncode == 0) != is_valid:
                    faults.append(f"weir {'refuses' if is_valid else 'accepts'} {query!r} after {text}")
    return faults, len(cases)


def main():
    weir, dialect = sys.argv[1:]
    grammar = LANGUAGES / f"{dialect}.ebnf"
    error_of = {"sqlite": sqlite_error, "postgresql": postgresql_error}[dialect]
    faults = []
    valid, wrong = statements(f"{dialect}_valid.txt"), statements(f"{dialect}_wrong.txt")
    verdicts = accepted(weir, grammar, valid + wrong)
    for text, is_accepted in zip(valid + wrong, verdicts):
        expected = text in valid
        if is_accepted != expected:
            faults.append(f"weir {'accepts' if is_accepted else 'refuses'}: {text}")
        if (error_of(text) is None) != expected:
            faults.append(f"{dialect} {'refuses' if expected else 'accepts'}: {text}")
    count = 0
    for seed, start in enumerate(("statement", "query", "insert", "update", "definition")):
        for text in members(weir, ["--grammar", grammar], start, seed):
            count += 1
            if error := error_of(text):
                faults.append(f"{dialect} refuses a member ({error}): {text!r}")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as tables:
        tables.write('CREATE TABLE users (id INT, "Full name" TEXT, "order" INT); CREATE TABLE shop.orders (id INT, total REAL);')
        tables.flush()
        for text in members(weir, ["--language", dialect, "--tables", tables.name], "data_statement", 0):
            count += 1
            if error := error_of(text):
                faults.append(f"{dialect} refuses a member with tables ({error}): {text!r}")
    changed = mutations(valid, 1)
    for text, is_accepted in zip(changed, accepted(weir, grammar, changed)):
        if is_accepted and (error := error_of(text)):
            faults.append(f"weir accepts, {dialect} refuses ({error}): {text}")
    if dialect == "sqlite":
        of_changes, changed_tables = faults_of_changes(weir)
        faults += of_changes
        print(f"{dialect}: {changed_tables} changes of tables")
    for fault in faults:
        print(fault)
    print(f"{dialect}: {len(valid)} valid and {len(wrong)} wrong statements, {count} members, {len(changed)} changed statements, {len(faults)} faults")
    return 1 if faults or count < 4 * MEMBERS else 0


if __name__ == "__main__":
    sys.exit(main())
