"""The Python code in README.md and docs/python.md runs, and does what the text around it says."""

import contextlib
import io
import json
import pathlib
import re

import pytest

import weir

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks(name):
    return re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)


def test_readme():
    (code,) = blocks("README.md")
    for _ in range(3):  # it is random
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, {})
        value = json.loads(out.getvalue())
        assert len(value) >= 2 and set(value) <= {"red", "green"}


class MyPydanticModel:
    @classmethod
    def model_json_schema(cls):
        return {"type": "object"}


@pytest.mark.parametrize("code", blocks("docs/python.md"))
def test_docs_of_the_package(code):
    names = {"weir": weir, "tokenizer_info": weir.TokenizerInfo.builtin(), "MyPydanticModel": MyPydanticModel}
    names["compiler"] = weir.GrammarCompiler(names["tokenizer_info"])
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, names)
    shown = [line.split("# ", 1)[1] for line in code.splitlines() if "# <grammar>" in line or "#   " in line]
    assert out.getvalue().splitlines() == shown
