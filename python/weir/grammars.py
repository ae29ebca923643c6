"""Grammars of languages by their names (docs/languages.md)::

    weir.grammars.sqlite(ddl="CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)")
    weir.grammars.get("postgresql", tables={"users": ["id", "name"]}, start="query")

Each name in names() is a function of this module, which is get() with that name.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence

from weir._arguments import expect
from weir._weir import Grammar
from weir._weir import language_names as names

__all__ = ["get", "names"]


def get(
    name: str,
    *,
    ddl: str | None = None,
    tables: Mapping[str, Sequence[str]] | None = None,
    start: str = "",
) -> Grammar:
    """Returns the grammar of a language, for GrammarCompiler.compile.

    name: one of names().
    ddl: for SQL, CREATE TABLE statements. Only their tables and columns can then be written.
    tables: the same as a dict of tables with their columns.
    start: the start rule, such as "query" in SQL. Empty: the language's own.

    Raises GrammarError if there is no such language, or it has no tables, or the statements cannot be read; TypeError;
    ValueError if both `ddl` and `tables` are given, or `ddl` is blank.
    """
    expect(name, "name", str)
    if ddl is not None:
        expect(ddl, "ddl", str)
        if not ddl.strip():
            raise ValueError("`ddl` has no statements; without tables, leave it out")
        if tables is not None:
            raise ValueError("`ddl` and `tables` cannot both be given")
    elif tables is not None:
        expect(tables, "tables", Mapping)
        for table, columns in tables.items():
            expect(table, "tables", str)
            if isinstance(columns, str):  # a sequence of its letters
                raise TypeError(f"the columns of the table `{table}` must be a list of str, not a str")
        ddl = json.dumps({table: list(columns) for table, columns in tables.items()})
    return Grammar.from_text(ddl or "", language=name, start=start)


def __getattr__(name: str) -> Callable[..., Grammar]:
    if name in names():
        return functools.partial(get, name)
    raise AttributeError(f"module `weir.grammars` has no language `{name}`; it has {', '.join(names())}")


def __dir__() -> list[str]:
    return sorted([*__all__, *names()])
