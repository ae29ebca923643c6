"""weir.grammars: languages by name."""

from __future__ import annotations

import pytest

import weir


@pytest.fixture(scope="module")
def compiler() -> weir.GrammarCompiler:
    return weir.GrammarCompiler(weir.TokenizerInfo.builtin())


def accepts(compiled: weir.CompiledGrammar, text: str) -> bool:
    matcher = weir.GrammarMatcher(compiled)
    return matcher.accept_string(text) and matcher.is_completed()


def test_names_are_functions() -> None:
    assert {"sqlite", "postgresql"} <= set(weir.grammars.names())
    assert weir.grammars.names() == sorted(weir.grammars.names())
    assert set(weir.grammars.names()) <= set(dir(weir.grammars))
    with pytest.raises(AttributeError, match="no language `mysql`"):
        weir.grammars.mysql()


def test_any_names(compiler: weir.GrammarCompiler) -> None:
    compiled = compiler.compile(weir.grammars.postgresql())
    assert accepts(compiled, "SELECT a::int FROM t WHERE b ILIKE 'x%'")
    assert not accepts(compiler.compile(weir.grammars.sqlite()), "SELECT a::int FROM t")
    assert not accepts(compiler.compile(weir.grammars.sqlite(start="query")), "DROP TABLE t")


@pytest.mark.parametrize(
    "names",
    [
        {"ddl": "CREATE TABLE users (id INTEGER, name TEXT);"},
        {"tables": {"users": ["id", "name"]}},
    ],
)
def test_tables(compiler: weir.GrammarCompiler, names: dict) -> None:
    compiled = compiler.compile(weir.grammars.get("sqlite", **names))
    assert accepts(compiled, "SELECT u.name FROM users u ORDER BY u.id")
    assert not accepts(compiled, "SELECT u.age FROM users u")
    assert not accepts(compiled, "SELECT name FROM people")


def test_the_option_is_that_of_compile_grammar(compiler: weir.GrammarCompiler) -> None:
    compiled = compiler.compile_grammar("CREATE TABLE t (a INT)", language="sqlite", start="query")
    assert accepts(compiled, "SELECT a FROM t")


def test_errors() -> None:
    with pytest.raises(weir.GrammarError, match="did you mean `sqlite`"):
        weir.grammars.get("sqlit")
    with pytest.raises(weir.GrammarError, match="this bracket is not closed"):
        weir.grammars.sqlite(ddl="CREATE TABLE users (id INTEGER")
    with pytest.raises(weir.GrammarError, match="must have a column"):
        weir.grammars.sqlite(tables={"users": []})
    with pytest.raises(ValueError, match="cannot both"):
        weir.grammars.sqlite(ddl="CREATE TABLE t (a)", tables={"t": ["a"]})
    with pytest.raises(ValueError, match="no statements"):
        weir.grammars.sqlite(ddl=" ")
    with pytest.raises(TypeError, match="`tables` must be"):
        weir.grammars.sqlite(tables=["users"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the columns of the table `users` must be a list"):
        weir.grammars.sqlite(tables={"users": "id"})
    with pytest.raises(TypeError, match="`name` must be"):
        weir.grammars.get(1)  # type: ignore[arg-type]
