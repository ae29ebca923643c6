"""The programs of docs/cookbook run, and their pages show them and what they print.

`python tests/python/test_cookbook.py` writes programs and outputs into the pages.
"""

import asyncio
import importlib
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys

import pytest

import weir

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "examples/cookbook"
SHARED = {"decoding.py", "models.py"}
PAGES = sorted(path for path in (ROOT / "docs/cookbook").glob("*.md") if path.name != "README.md")
BLOCK = re.compile(r"```(python|output)\n(.*?)```", re.DOTALL)


def run(program):
    """Returns what the program prints. One thread: more do not make such small models faster."""
    done = subprocess.run([sys.executable, "-W", "error", program], capture_output=True, text=True, check=False, timeout=300,
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def imported(name):
    """Returns a program of the cookbook as a module."""
    sys.path.insert(0, str(PROGRAMS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(PROGRAMS))


def program_of(page):
    return PROGRAMS / f"{page.stem}.py"


def test_each_program_has_a_page_in_the_list():
    programs = {path.name for path in PROGRAMS.glob("*.py")} - SHARED
    assert {program_of(page).name for page in PAGES} == programs and len(programs) == 13
    listed = re.findall(r"\]\((\w+)\.md\) \|", (ROOT / "docs/cookbook/README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == [page.stem for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page):
    (kind, program), (other, output) = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert (kind, other) == ("python", "output")
    assert program == program_of(page).read_text(encoding="utf-8"), "the page shows another program"
    assert output == run(program_of(page))


def test_small_model():
    """The numpy model is the one whose logits are on record."""
    models = imported("models")
    model = models.SmallModel()
    for line in (models.MODEL / "reference_logits.txt").read_text().splitlines():
        tokens, logits = line.split(" : ")
        expected = [float(logit) for logit in logits.split()]
        token_ids = [int(token) for token in tokens.split()]
        assert model.logits(token_ids)[:len(expected)] == pytest.approx(expected, abs=2e-3)
        # The same with keys and values of a sequence that begins like this one and ends otherwise.
        model.logits([*token_ids[:-2], 0, 0])
        assert model.logits(token_ids)[:len(expected)] == pytest.approx(expected, abs=2e-3)


def test_sql_joins_by_foreign_keys():
    """A key without columns means the primary key; names compare without case; keys to no table join nothing."""
    database = sqlite3.connect(":memory:")
    database.executescript("""
        CREATE TABLE customer (number INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE place (country TEXT, town TEXT, PRIMARY KEY (town, country));
        CREATE TABLE invoice (id INTEGER PRIMARY KEY, buyer INTEGER REFERENCES Customer, payer REFERENCES CUSTOMER(number),
                              t TEXT, c TEXT, lost REFERENCES absent, FOREIGN KEY (t, c) REFERENCES place);
    """)
    grammar = imported("sql").grammar_of(database)
    database.close()
    assert set(re.findall(r'" FROM (\w+ JOIN [^"]+)"', grammar)) == {
        "invoice JOIN customer ON invoice.buyer = customer.number", "invoice JOIN customer ON invoice.payer = customer.number",
        "invoice JOIN place ON invoice.t = place.town", "invoice JOIN place ON invoice.c = place.country"}


def test_chunks_are_the_reply():
    chunks = imported("openai_chunks")
    info = weir.TokenizerInfo.builtin()
    tokens = info.tokenize(chunks.REPLY)
    for most in (len(tokens) + 1, len(tokens) - 10):
        for size in (1, 7):
            parser = weir.ReplyParser(chunks.STYLE, chunks.TOOLS, mode="strict", tokenizer_info=info)
            pieces = [tokens[at:at + size] for at in range(0, len(tokens), size)]
            choices = list(chunks.choices(pieces, parser, max_tokens=most))
            calls = chunks.message_of(choices)["tool_calls"]
            assert [call["function"]["name"] for call in calls] == ["book", "book"]
            assert json.loads(calls[0]["function"]["arguments"]) == {"to": "Porto", "seats": 2}
            if most > len(tokens):
                assert choices[-1]["finish_reason"] == "tool_calls"
                assert json.loads(calls[1]["function"]["arguments"]) == {"to": "Faro", "seats": 1}
            else:
                assert choices[-1]["finish_reason"] == "length"
                assert calls[1]["function"]["arguments"].startswith('{"to": "Faro"')


def test_server_answers_deep_and_long_requests():
    server = imported("server")

    async def answers():
        engine = server.Engine(server.SmallModel())
        listening = await asyncio.start_server(lambda r, w: server.serve(engine, r, w), "127.0.0.1", 0, limit=server.LINE_BYTES)
        reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
        writer.write(b'{"schema": ' + b"[" * 20000 + b"]" * 20000 + b"}\n")
        writer.write(b'{"schema": true, "text": "' + b"word " * 5000 + b'"}\n')
        found = [await asyncio.wait_for(reader.readline(), 60) for _ in range(2)]
        writer.close()
        listening.close()
        return found

    deep, long = asyncio.run(answers())
    assert b"nested too deeply" in deep
    assert b"at most 800 are allowed" in long


def update():
    for page in PAGES:
        shown = {"python": program_of(page).read_text(encoding="utf-8"), "output": run(program_of(page))}
        text = BLOCK.sub(lambda block, shown=shown: f"```{block[1]}\n{shown[block[1]]}```", page.read_text(encoding="utf-8"))
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    update()
