"""The Python code in README.md and docs/ runs, and does what the text says."""

import contextlib
import importlib.util
import io
import json
import pathlib
import re

import pytest

import weir

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks(name):
    return re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)


def programs(name):
    """Returns the blocks with what they print: an `output` block shows that of the block before it, else it is nothing."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```(?:\n\n```output\n(.*?)```)?", text, re.DOTALL)


def printed(code, names):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, names)
    return out.getvalue()


def test_readme():
    [loop] = blocks("README.md")
    for _ in range(3):  # the program is random
        value = json.loads(printed(loop, {}))
        assert len(value) >= 2 and set(value) <= {"red", "green"}


def test_a_whole_program_with_transformers(monkeypatch):
    pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    monkeypatch.chdir(ROOT)
    torch.manual_seed(0)
    code = blocks("docs/transformers.md")[0]
    text, outcome = printed(code, {}).rsplit(" ", 1)
    assert outcome == "['complete']\n"
    value = json.loads(text)
    assert set(value) == {"customer", "count"} and value["count"] >= 1


def test_picture_of_masks():
    """docs/images/masks.svg shows real masks: those of today."""
    spec = importlib.util.spec_from_file_location("mask_picture", ROOT / "tools/docs/mask_picture.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.picture() == (ROOT / "docs/images/masks.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["docs/index.md", "docs/canonical.md", "docs/debug_a_refusal.md", "docs/speed.md",
                                  "docs/replies.md"])
def test_pages_that_show_output(name):
    """The blocks of a page form one program."""
    names = {}
    found = programs(name)
    assert found
    for code, shown in found:
        assert printed(code, names) == shown


def test_response_templates_in_the_docs():
    [(code, shown)] = [each for each in programs("docs/transformers.md") if each[1]]
    assert printed(code, {}) == shown


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


def test_docs_of_transformers():
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(ROOT / "data/default_tokenizer/tokenizer.json"), eos_token="<|endoftext|>",
        pad_token="<|pad|>", padding_side="left")
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=len(tokenizer), n_positions=128, n_embd=16, n_layer=1, n_head=1,
                                     eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id)
    names = {"tokenizer": tokenizer, "model": transformers.GPT2LMHeadModel(config).eval()}
    _, each, _, outlines = blocks("docs/transformers.md")
    exec("import weir\nfrom weir.integrations.transformers import GrammarLogitsProcessor, tokenizer_info\n"
         "compiler = weir.GrammarCompiler(tokenizer_info(tokenizer, model))", names)
    exec(each, names)
    outcomes = names["processor"].outcomes(names["output"])
    assert outcomes[0] in ("complete", "prefix") and outcomes[1] is None
    year = names["tokenizer"].decode(names["output"][0, names["prompts"]["input_ids"].shape[1]:],
                                     skip_special_tokens=True)
    assert re.fullmatch("[0-9]{4}", year)
    pytest.importorskip("outlines")
    exec(outlines, names)
    assert names["generator"]("A colour: ", max_new_tokens=20) in ('"red"', '"green"')


@pytest.mark.parametrize("code", blocks("docs/compat.md"))
def test_docs_of_other_interfaces(code, monkeypatch):
    monkeypatch.chdir(ROOT)
    exec(code, {})
