"""weir's logits processors in outlines' own generators, with the small model of data/model in transformers. Skipped if
torch, transformers or outlines is not installed. Outputs are checked by outlines' definitions of the types: jsonschema,
Python's re, and lists of choices.
"""

import enum
import json
import pathlib
import re
from typing import Literal

import pytest

import weir

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
outlines = pytest.importorskip("outlines")
jsonschema = pytest.importorskip("jsonschema")
pydantic = pytest.importorskip("pydantic")
weir_outlines = pytest.importorskip("weir.integrations.outlines")
torch.set_num_threads(1)

MODEL = pathlib.Path(__file__).resolve().parents[2] / "data/model"
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer", "multipleOf": 7, "minimum": 0, "maximum": 90},
                                           "s": {"type": "string", "maxLength": 4}}, "required": ["n", "s"],
          "additionalProperties": False}


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"


class Record(pydantic.BaseModel, extra="forbid"):
    name: str = pydantic.Field(max_length=5)
    is_new: bool


@pytest.fixture(scope="module")
def model():
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(MODEL / "tokenizer.json"), eos_token="<|end|>",
                                                     pad_token="<|end|>", padding_side="left")
    loaded = transformers.LlamaForCausalLM.from_pretrained(MODEL, dtype=torch.float32).eval()
    return outlines.from_transformers(loaded, tokenizer)


def is_record(text):
    jsonschema.validate(json.loads(text), Record.model_json_schema())
    return True


def follows_schema(text):
    jsonschema.validate(json.loads(text), SCHEMA)
    return True


@pytest.mark.parametrize(("output_type", "is_valid"), [
    (outlines.json_schema(SCHEMA), follows_schema),
    (outlines.types.JsonSchema(SCHEMA, whitespace_pattern=""), lambda text: follows_schema(text) and text.startswith('{"n":')),
    (Record, is_record),
    (int, re.compile(r"[+-]?(0|[1-9][0-9]*)").fullmatch),
    (Literal["yes", "no"], ["yes", "no"].__contains__),
    (Colour, ["red", "green"].__contains__),
    (outlines.regex(r"[ab]{3}-\d"), re.compile(r"[ab]{3}-\d").fullmatch),
    (outlines.cfg('root ::= ("a" | "b"){2,4} "."'), re.compile("[ab]{2,4}[.]").fullmatch),
    (outlines.cfg('start: "a" WORD?\nWORD: /[bc]{2}/'), re.compile("a([bc]{2})?").fullmatch),
], ids=["schema", "whitespace", "pydantic", "int", "literal", "enum", "regex", "ebnf", "lark"])
def test_output_types(model, output_type, is_valid):
    generator = outlines.Generator(model, processor=weir_outlines.logits_processor(model, output_type))
    torch.manual_seed(1)
    for _ in range(3):  # outlines resets the processor before each call
        text = generator("<|text|>Write.<|json|>", max_new_tokens=150, do_sample=True)
        assert is_valid(text), text


def test_batches(model):
    generator = outlines.Generator(model, processor=weir_outlines.logits_processor(model, Literal["yes", "no"]))
    texts = generator.batch(["<|text|>One.<|json|>", "<|text|>The second.<|json|>"], max_new_tokens=20)
    assert len(texts) == 2 and set(texts) <= {"yes", "no"}


def test_one_compiler_for_a_model(model):
    compiler = weir_outlines.compiler_of(model)
    assert weir_outlines.compiler_of(model) is compiler
    compiled = compiler.compile_regex("on|off")
    text = outlines.Generator(model, processor=weir_outlines.logits_processor(model, compiled))("x", max_new_tokens=9)
    assert text in ("on", "off")


def test_schemas_in_lark_follow_the_profile(model):
    lark = outlines.cfg('start: "a" %json {"properties": {"b": {}, "a": {}}}')
    matcher = weir.GrammarMatcher(weir_outlines.compile_output_type(weir_outlines.compiler_of(model), lark))
    for text, is_taken in (('a{"b": 1, "a": 1}', True), ('a{"a": 1, "b"', False)):
        assert (matcher.longest_viable_prefix(text) == len(text)) == is_taken


def test_what_is_refused(model):
    with pytest.raises(TypeError, match="not for int"):
        weir_outlines.logits_processor(1, int)
    with pytest.raises(weir.GrammarError, match="minLength"):
        weir_outlines.logits_processor(model, outlines.json_schema({"type": "string", "minLength": 5, "maxLength": 3}))
