"""SGLang's own GrammarManager with weir as its backend: requests, refusals, reasoning, framing, batches."""

import ast
import json
import os
import pathlib
import random
import re
import subprocess
import sys
from types import ModuleType, SimpleNamespace
from typing import Optional

import numpy as np
import pytest
import torch

import sglang.srt.constrained.base_grammar_backend as base
import sglang.srt.constrained.grammar_manager as grammar_manager
import sglang.srt.runtime_context as runtime_context
import weir
from server import MODEL
from sglang.srt.constrained.base_grammar_backend import BaseGrammarObject, GrammarRow, InvalidGrammarObject
from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarBackend, ReasonerGrammarObject
from sglang.srt.plugins.hook_registry import HookRegistry
from weir.integrations import sglang as weir_sglang

weir_sglang.register()
HookRegistry.apply_hooks()
WIDTH = 1600
INFO = weir.TokenizerInfo.from_file(MODEL / "tokenizer.json")
END = 1532
SCHEMA = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}, "ok": {"type": "boolean"}},
          "required": ["name", "ok"], "additionalProperties": False}


class Req:
    """The fields of SGLang's Req that the manager reads."""

    def __init__(self, require_reasoning=False, **constraint):
        fields = dict.fromkeys(("json_schema", "regex", "ebnf", "structural_tag", "custom_params"))
        self.sampling_params = SimpleNamespace(**{**fields, "ebnf_full_assistant": False, "max_new_tokens": 400,
                                                  **constraint})
        self.rid, self.origin_input_ids, self.grammar_wait_ct = "r", [1, 2], 0
        self.require_reasoning, self.grammar, self.grammar_key, self.error = require_reasoning, None, None, None

    def finished(self):
        return self.error is not None

    def set_finish_with_abort(self, message):
        self.error = message


@pytest.fixture
def manager_with(tokenizer, monkeypatch):
    def make(**options):
        defaults = {"skip_tokenizer_init": False, "reasoning_parser": None, "enable_strict_thinking": False,
                    "constrained_json_disable_any_whitespace": False, "constrained_json_max_whitespace_cnt": None,
                    "constrained_json_whitespace_pattern": None}
        serving = SimpleNamespace(**{**defaults, **options})
        for module in (base, grammar_manager, runtime_context):
            monkeypatch.setattr(module, "get_serving", lambda: serving)
        monkeypatch.setattr(base, "get_exec", lambda: SimpleNamespace(kernel=SimpleNamespace(grammar_backend="weir")))
        monkeypatch.setattr(grammar_manager, "get_parallel", lambda: SimpleNamespace(pp_rank=0, pp_size=1))
        model = SimpleNamespace(vocab_size=WIDTH, hf_eos_token_id={END}, think_end_ids=None)
        scheduler = SimpleNamespace(server_args=None, tokenizer=tokenizer, model_config=model, dp_tp_cpu_group=None,
                                    dp_tp_group=SimpleNamespace(world_size=1, first_rank=0, is_first_rank=True),
                                    pp_group=None)
        return grammar_manager.GrammarManager(scheduler)

    return make


def start(manager, **constraint):
    request = Req(**constraint)
    if manager.process_req_with_grammar(request):
        while request not in manager.get_ready_grammar_requests():
            pass
    return request


def masks(requests):
    """Fills the masks of a batch as SamplingBatchInfo.update_regex_vocab_mask does."""
    grammars = [request.grammar for request in requests]
    mask = grammars[0].allocate_vocab_mask(WIDTH, len(grammars), "cpu")
    entries = [GrammarRow(row, grammar) for row, grammar in enumerate(grammars)
               if not grammar.finished and not grammar.is_terminated()]
    grammars[0].fill_vocab_mask_batched(entries, mask)
    return mask


def allowed(row):
    return set(np.flatnonzero(np.unpackbits(row.numpy().view(np.uint8), bitorder="little")).tolist())


def generate(request, seed, most=400):
    rng, tokens = random.Random(seed), []
    while not request.grammar.is_terminated():
        may = allowed(masks([request])[0])
        assert may, "a dead end"
        token = END if END in may and (len(tokens) >= most // 8 or may == {END}) else rng.choice(sorted(may - {END}))
        request.grammar.accept_token(token)
        tokens.append(token)
        assert len(tokens) < most
    return b"".join(INFO.token_bytes(token) for token in tokens[:-1]).decode()


def is_record(text):
    value = json.loads(text)
    return list(value) == ["name", "ok"] and isinstance(value["name"], str) and isinstance(value["ok"], bool)


TAG = {"type": "structural_tag", "format": {"type": "tag", "begin": "<a>", "end": "</a>",
                                            "content": {"type": "json_schema", "json_schema": SCHEMA}}}
EMPTY = {"type": "structural_tag", "format": {"type": "tag", "begin": "<a>", "end": "</a>",
                                              "content": {"type": "json_schema", "json_schema": None}}}


@pytest.mark.parametrize(("constraint", "is_valid"), [
    ({"json_schema": json.dumps(SCHEMA)}, is_record),
    ({"json_schema": "$$ANY$$"}, lambda text: json.loads(text) is not Ellipsis),
    ({"regex": r"\d{3}-[ab]+"}, re.compile(r"\d{3}-[ab]+").fullmatch),
    ({"ebnf": 'root ::= "a" root | "b"'}, re.compile("a*b").fullmatch),
    ({"ebnf": 'root ::= "a" root | "b"', "ebnf_full_assistant": True}, re.compile("a*b").fullmatch),
    ({"structural_tag": json.dumps(TAG)}, lambda text: text[:3] == "<a>" and is_record(text[3:-4])),
    ({"structural_tag": json.dumps(EMPTY)}, lambda text: json.loads(text[3:-4]) is not Ellipsis),
], ids=["json", "any", "regex", "ebnf", "full_assistant_ebnf", "structural_tag", "null schema"])
def test_every_kind_of_request(manager_with, constraint, is_valid):
    manager = manager_with()
    for seed in range(3):
        request = start(manager, **constraint)
        assert request.error is None and isinstance(request.grammar, BaseGrammarObject)
        assert request.grammar.grammar_stats.is_cache_hit == (seed > 0)
        text = generate(request, seed)
        assert is_valid(text), text


def test_an_older_structural_tag(manager_with):
    tag = {"triggers": ["<f"], "structures": [{"begin": "<f>", "schema": SCHEMA, "end": "</f>"},
                                              {"begin": "<fg>", "schema": None, "end": "</fg>"}]}
    request = start(manager_with(), structural_tag=json.dumps(tag))
    for token in INFO.tokenize('I call <f>{"name": "a", "ok": true}</f> <fg>[1]</fg>') + [END]:
        request.grammar.accept_token(token)
    assert request.grammar.is_terminated()


@pytest.mark.parametrize(("constraint", "parts"), [
    ({"json_schema": '{"properties": {"x": {"type": "foo"}}}'}, ["json", "at #/properties/x/type"]),
    ({"json_schema": '{"type": "strin'}, ["quote"]),
    ({"regex": "a("}, ["line 1"]),
    ({"ebnf": 'root ::= "a'}, ["line 1"]),
    ({"structural_tag": '{"type": "structural_tag", "format": {"type": "tagg"}}'}, ["at #/format"]),
    ({"structural_tag": "{"}, ["structural_tag"]),
])
def test_a_refusal_ends_the_request(manager_with, constraint, parts):
    manager = manager_with()
    for _ in range(2):  # the second request gets the result from SGLang's cache
        request = start(manager, **constraint)
        assert isinstance(request.grammar, InvalidGrammarObject)
        assert all(part in request.error for part in parts), request.error


def test_a_batch_as_row_by_row(manager_with):
    manager = manager_with()
    schemas = [{"type": "object", "properties": {f"m{place}": SCHEMA}, "required": [f"m{place}"]} for place in range(5)]
    requests = [start(manager, json_schema=json.dumps(schemas[place % 5])) for place in range(60)]
    rng = random.Random(0)
    for _ in range(15):
        filled = masks(requests)
        for row, request in zip(filled, requests):
            alone = request.grammar.allocate_vocab_mask(WIDTH, 1, "cpu")
            if not request.grammar.is_terminated():
                request.grammar.fill_vocab_mask(alone, 0)
            assert torch.equal(row, alone[0])
            if not request.grammar.is_terminated():
                request.grammar.accept_token(rng.choice(sorted(allowed(row))))


def test_refused_tokens_and_rollback(manager_with):
    request = start(manager_with(), regex="ab")
    first, second = INFO.tokenize("a"), INFO.tokenize("b")
    with pytest.raises(ValueError, match="not allowed after 0 tokens"):
        request.grammar.accept_token(second[0])
    before = masks([request])
    for token in (*first, *second, END):
        request.grammar.accept_token(token)
    assert request.grammar.is_terminated() and request.grammar.current_token == END
    request.grammar.rollback(3)
    assert torch.equal(masks([request]), before)


def test_jump_forward(manager_with, tokenizer):
    request = start(manager_with(), regex="(yes|no), thank you")
    assert request.grammar.try_jump_forward(tokenizer) is None
    old = INFO.tokenize("y")
    for token in old:
        request.grammar.accept_token(token)
    helper = request.grammar.try_jump_forward(tokenizer)
    text, state = request.grammar.jump_forward_str_state(helper)
    assert text == "es, thank you"
    request.grammar.jump_and_retokenize(old, INFO.tokenize("y" + text), state)
    assert allowed(masks([request])[0]) == {END}


def test_a_limit_ends_one_request(manager_with, monkeypatch):
    monkeypatch.setattr("weir.integrations._serving.server_limits", lambda: weir.Limits(row_items=60))
    manager = manager_with()
    met = start(manager, ebnf='root ::= (a b? c? d?)+\na ::= "x" a?\nb ::= a a?\nc ::= b b?\nd ::= c c b a?')
    other = start(manager, regex="xxxx|yes")
    token = INFO.tokenize("x")[0]
    for _ in range(30):
        filled = masks([met, other])
        if met.grammar.failure is not None:
            break
        try:
            met.grammar.accept_token(token)
        except ValueError:
            break
    assert "row_items" in met.grammar.failure
    assert (masks([met, other])[0] == -1).all() and torch.equal(masks([met, other])[1], filled[1])
    with pytest.raises(ValueError, match="row_items"):
        met.grammar.accept_token(token)


def test_reasoning(manager_with):
    manager = manager_with(reasoning_parser="deepseek-r1")
    assert isinstance(manager.grammar_backend, ReasonerGrammarBackend)
    request = start(manager, regex="yes", require_reasoning=True)
    assert isinstance(request.grammar, ReasonerGrammarObject)
    assert (masks([request]) == -1).all()
    for token in INFO.tokenize("well, no</think>"):
        request.grammar.accept_token(token)
    begin = {token for token in range(INFO.vocab_size) if INFO.token_bytes(token) in (b"y", b"ye", b"yes")}
    assert allowed(masks([request])[0]) == begin
    request.grammar.rollback(2)
    assert (masks([request]) == -1).all()
    plain = start(manager, regex="yes", require_reasoning=False)
    assert allowed(masks([plain])[0]) == begin


def test_a_tag_with_reasoning(manager_with):
    """It is refused where the model would end the reasoning twice, and only there."""
    ends = {"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": "</think>"}
    tag = json.dumps({"type": "structural_tag", "format": {"type": "sequence", "elements": [
        ends, {"type": "const_string", "value": "yes"}]}})
    manager = manager_with(reasoning_parser="deepseek-r1")
    refused = start(manager, structural_tag=tag, require_reasoning=True)
    assert "would have to end it twice" in refused.error
    covered = {"__sglang_reasoning_in_grammar": True}  # as SGLang marks the tags that it makes for some tool calls
    for request in (start(manager, structural_tag=tag, require_reasoning=True, custom_params=covered),
                    start(manager, structural_tag=tag)):
        assert request.error is None
        for token in INFO.tokenize("well</think>yes"):
            request.grammar.accept_token(token)
        assert allowed(masks([request])[0]) == {END}
    part = {"type": "sequence", "elements": [{"type": "token", "token": 12}]}
    part = weir_sglang._exact_value(json.dumps(part))
    assert weir_sglang._writes(part, ["</think>", 12]) and not weir_sglang._writes(part, ["</think>", 1])


def test_texts_with_what_python_reads_otherwise(manager_with):
    """Numbers keep their digits, and a byte order mark is skipped, also in tags and in frames."""
    manager = manager_with()
    digits = "0.12345678901234567891"
    frame = (lambda content: {"type": "structural_tag", "format": {"type": "sequence", "elements": [content]}})
    for number, is_written in (("1" * 5000, False), (digits, True), ("1e400", False)):
        schema = f'{{"const": {number}}}'
        tag = f'{{"type": "structural_tag", "format": {{"type": "json_schema", "json_schema": {schema}}}}}'
        for constraint in ({"json_schema": "\ufeff" + schema}, {"structural_tag": tag}):
            made = start(manager, **constraint)
            assert made.error is None, made.error
            framed = manager.grammar_backend.compile_framed_grammar(made.grammar, frame)
            for grammar in (made.grammar, framed) if framed is not None else (made.grammar,):
                assert not is_written or (grammar.matcher.accept_string(number) and grammar.matcher.is_completed())
    lines = start(manager, regex="a.b").grammar
    for grammar in (lines, manager.grammar_backend.compile_framed_grammar(lines, frame)):
        assert grammar.matcher.accept_string("a\nb")


def test_tags_without_types(manager_with):
    schema = {"type": "json_schema", "json_schema": SCHEMA}
    tag = {"type": "triggered_tags", "triggers": ["<f>"], "tags": [{"begin": "<f>", "content": schema, "end": "</f>"}]}
    listed = [{"trigger": "<f>", "begin": "<f>", "grammar": SCHEMA, "end": "</f>"}]
    for given in ({"type": "structural_tag", "format": tag}, listed):
        request = start(manager_with(), structural_tag=json.dumps(given))
        assert request.error is None
        assert request.grammar.matcher.accept_string('hm<f>{"')
        assert not request.grammar.matcher.accept_string("ok") and request.grammar.matcher.accept_string("name")


def test_strict_thinking_filters_tokens(manager_with, monkeypatch):
    manager = manager_with()
    mask = manager.grammar_backend.allocate_vocab_mask(WIDTH, 2, "cpu")
    manager.grammar_backend.set_token_filter(mask, [5, 31, 40], 0, is_allowed=False)
    manager.grammar_backend.set_token_filter(mask, [5, 31, 40], 1, is_allowed=True)
    assert set(range(1600)) - allowed(mask[0]) == {5, 31, 40} and allowed(mask[1]) == {5, 31, 40}


@pytest.mark.parametrize(("constraint", "text"), [
    ({"json_schema": json.dumps(SCHEMA)}, '{"name": "a", "ok": true}'),
    ({"regex": "[ab]{2}"}, "ab"),
    ({"ebnf": 'root ::= "a" root | "b"'}, "aab"),
])
def test_framing(manager_with, constraint, text):
    """Tokens frame the answer. The tokens of the frame never match as text."""
    manager = manager_with()
    backend = manager.grammar_backend
    framing = [INFO.tokenize("{")[0], 1533]
    grammar = start(manager, **constraint).grammar
    frame = (lambda content: {"type": "structural_tag", "format": {"type": "sequence", "elements": [
        {"type": "token", "token": 1534},
        {"type": "any_tokens", "exclude_tokens": [1535], "max_tokens": 3},
        {"type": "token", "token": 1535}, content, {"type": "token", "token": 1533}]}})
    backend.reserve_framing_tokens([1533, 1534, 1535])
    framed = backend.compile_framed_grammar(grammar, frame)
    for token in [1534, *INFO.tokenize("hm")[:3], 1535, *INFO.tokenize(text), 1533, END]:
        framed.accept_token(token)
    assert framed.is_terminated()
    if text.startswith("{"):
        backend.reserve_framing_tokens(framing)
        framed = backend.compile_framed_grammar(grammar, frame)
        framed.accept_token(1534)
        framed.accept_token(1535)
        with pytest.raises(ValueError):
            framed.accept_token(framing[0])


def test_options_of_the_server(manager_with):
    schema = json.dumps({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"],
                         "additionalProperties": False})

    def taken(**options):
        results = []
        for text in ('{"a":1}', '{"a": 1}', '{"a":   1}'):
            matcher = start(manager_with(**options), json_schema=schema).grammar.matcher
            results.append(matcher.longest_viable_prefix(text) == len(text))
        return results

    assert taken() == [True, True, True]
    assert taken(constrained_json_disable_any_whitespace=True) == [False, True, False]
    assert taken(constrained_json_max_whitespace_cnt=1) == [True, True, False]
    assert taken(constrained_json_whitespace_pattern=" ?") == [True, True, False]


@pytest.mark.parametrize(("constraint", "fewest"), [
    ({"json_schema": json.dumps({"type": "array", "items": {"type": "string"}, "minItems": 2})}, None),
    ({"regex": "(ab)*c"}, 2),
    ({"ebnf": 'root ::= "[" (root ",")* "]"'}, None),
])
def test_budgets_of_tokens(manager_with, monkeypatch, constraint, fewest):
    """With budgets each output is complete, its stop token included, within the request's max_new_tokens."""
    monkeypatch.setenv("WEIR_SGLANG_MAX_TOKENS", "1")
    manager, refused = manager_with(), []
    for most in range(14):
        for seed in range(4):  # the first compiles the grammar, the others find it in SGLang's cache
            request = start(manager, max_new_tokens=most, **constraint)
            if request.error is not None:
                assert f"max_new_tokens = {most}" in request.error and seed == 0
                refused.append(most)
                break
            rng, count = random.Random(seed), 0
            while not request.grammar.is_terminated():
                request.grammar.accept_token(rng.choice(sorted(allowed(masks([request])[0]))))
                count += 1
            assert count <= most
    assert refused == list(range(len(refused))) and 1 < len(refused) < 12
    assert fewest is None or len(refused) == fewest


def test_without_budgets_outputs_are_cut(manager_with):
    request = start(manager_with(), regex="a{9}b", max_new_tokens=1)
    assert request.error is None and len(allowed(masks([request])[0])) > 0


def test_an_unknown_version_says_what_to_do():
    for version in ("0.5.22", "0.6.0", "0.5.230"):
        with pytest.raises(RuntimeError, match=re.escape(version) + ".*Install a supported SGLang"):
            weir_sglang.check_version(version)
    weir_sglang.check_version("0.5.23.post1")


@pytest.mark.parametrize(("version", "plugins", "parts"), [
    ("0.5.23", "weir", ["backend: weir"]),
    ("0.5.23", "another", ["--grammar-backend: invalid choice: 'weir'"]),
    ("0.6.0", "weir", ["Install a supported SGLang", "--grammar-backend: invalid choice: 'weir'"]),
])
def test_the_plugin_is_found_or_the_name_is_refused(version, plugins, parts):
    """A new process loads the plugin by its entry point and reads the command line as SGLang's server does.
    SGLANG_PLUGINS is SGLang's list of the plugins to load."""
    code = ("import argparse, sys, sglang\n"
            f"sglang.__version__ = {version!r}\n"
            "from sglang.srt.plugins import load_plugins\n"
            "load_plugins()\n"
            "from sglang.srt.server_args import ServerArgs\n"
            "parser = argparse.ArgumentParser()\n"
            "ServerArgs.add_cli_args(parser)\n"
            "made = parser.parse_args(['--model-path', 'x', '--grammar-backend', 'weir'])\n"
            "print('backend:', made.grammar_backend)\n")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                         env={**os.environ, "SGLANG_PLUGINS": plugins})
    assert all(part in ran.stdout + ran.stderr for part in parts), ran.stdout + ran.stderr


def test_a_server_without_the_plugin_does_not_start(manager_with, monkeypatch):
    monkeypatch.delitem(base.GRAMMAR_BACKEND_REGISTRY, "weir")
    with pytest.raises(ValueError, match="Invalid grammar backend: weir"):
        manager_with()


def test_register_twice():
    from sglang.srt.arg_groups.choices import GRAMMAR_BACKEND_CHOICES

    weir_sglang.register()
    assert GRAMMAR_BACKEND_CHOICES.count("weir") == 1
    assert base.GRAMMAR_BACKEND_REGISTRY["weir"] is weir_sglang.create_backend
    begin = grammar_manager.GrammarManager._apply_request_reasoning_config
    HookRegistry.apply_hooks()
    assert grammar_manager.GrammarManager._apply_request_reasoning_config is begin


def test_a_tokenizer_that_weir_cannot_read_is_refused_at_the_start():
    with pytest.raises(TypeError, match="a tokenizer of transformers"):
        weir_sglang.WeirGrammarBackend(object(), WIDTH)


def test_a_character_that_the_tokenizer_lacks_ends_one_request(letters):
    backend = weir_sglang.WeirGrammarBackend(letters, WIDTH)
    grammars = [backend.dispatch_regex(pattern) for pattern in ("aé", "ab")]
    for grammar in grammars:
        grammar.accept_token(0)
    rows = masks([SimpleNamespace(grammar=grammar) for grammar in grammars])
    assert (rows[0] == -1).all() and allowed(rows[1]) == {1}  # the sampler needs a token to draw
    grammars[1].accept_token(1)
    with pytest.raises(ValueError, match="the tokenizer has none"):
        grammars[0].accept_token(1)


@pytest.fixture
def traversal(monkeypatch):
    """A module with SGLang's own function that tries a tree of drafted tokens. The module that has it needs more
    packages."""
    path = pathlib.Path(base.__file__).parents[1] / "speculative" / "spec_utils.py"
    found = [node for node in ast.parse(path.read_text()).body
             if isinstance(node, ast.FunctionDef) and node.name == "traverse_tree"]
    module = ModuleType("sglang.srt.speculative.spec_utils")
    module.__dict__.update(torch=torch, Optional=Optional, BaseGrammarObject=BaseGrammarObject)
    exec(compile(ast.Module(found, []), str(path), "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def try_drafts(traversal, grammar, tokens):
    """Returns the masks before each token of a chain of drafted tokens, of which the first is accepted already."""
    mask = grammar.allocate_vocab_mask(WIDTH, len(tokens), "cpu")
    following = torch.tensor([*range(1, len(tokens)), -1])
    traversal.traverse_tree(following, torch.full((len(tokens),), -1), torch.tensor(tokens), grammar, mask, WIDTH)
    return mask


def test_drafts(manager_with, traversal):
    request = start(manager_with(), regex="abc")
    tokens = [INFO.tokenize(letter)[0] for letter in "abc"]
    request.grammar.accept_token(tokens[0])
    mask = try_drafts(traversal, request.grammar, [*tokens, END])
    for row, token in zip(mask, [*tokens[1:], END]):
        assert token in allowed(row)
        assert torch.equal(row, masks([request])[0])
        request.grammar.accept_token(token)
    assert request.grammar.is_terminated()


def test_drafts_after_which_no_token_can_come(letters, manager_with, traversal):
    """SGLang's traversal does not catch what accept_token raises. Only an output that takes the draft ends."""
    start(manager_with(), regex="a")  # the first request finds the traversal
    backend = weir_sglang.WeirGrammarBackend(letters, WIDTH)
    grammar = backend.dispatch_regex("a(aé|bb)")
    grammar.accept_token(0)
    for _ in range(2):
        mask = try_drafts(traversal, grammar, [0, 0, 0, 1])
        assert allowed(mask[0]) == {0, 1} and (mask[1:] == -1).all() and grammar.failure is None
    other = grammar.copy()
    for token in (0, 1, 1):
        other.accept_token(token)
    grammar.accept_token(0)
    for _ in range(2):
        assert (try_drafts(traversal, grammar, [0, 1, 1]) == -1).all()
    with pytest.raises(ValueError, match="the tokenizer has none"):
        grammar.accept_token(1)


# SGLang's kernel that applies masks on a GPU. Triton runs it on the CPU if TRITON_INTERPRET is set.
KERNEL = """
import torch
import weir
from sglang.kernels.ops.grammar import bitmask_ops
bitmask_ops.get_device_core_count = lambda *arguments: 3  # there is no device
info = weir.TokenizerInfo.builtin()
compiled = weir.GrammarCompiler(info).compile_json_schema({"type": "object"})
width = info.vocab_size
for text in ("", "{", '{"a', '{"a": 1'):
    matcher = weir.GrammarMatcher(compiled)
    assert matcher.accept_string(text)
    mask = torch.from_numpy(weir.allocate_token_bitmask(2, width))
    matcher.fill_next_token_bitmask(mask, 1)
    logits = torch.randn(2, width)
    expected = logits.clone()
    for token in range(width):
        for row in range(2):
            if not mask[row, token // 32] >> token % 32 & 1:
                expected[row, token] = -float("inf")
    bitmask_ops.apply_token_bitmask_inplace_triton(logits, mask)
    assert torch.equal(logits, expected) and not torch.isinf(logits[0]).any() and torch.isinf(logits[1]).any()
"""


def test_the_kernel_for_gpus_in_tritons_interpreter():
    pytest.importorskip("triton")
    ran = subprocess.run([sys.executable, "-c", KERNEL], capture_output=True, text=True,
                         env={**os.environ, "TRITON_INTERPRET": "1"})
    assert ran.returncode == 0, ran.stderr


def test_logits(manager_with):
    request = start(manager_with(), regex="yes")
    mask = masks([request])
    logits = torch.zeros((1, WIDTH))
    request.grammar.apply_vocab_mask(logits, mask)
    assert set(torch.nonzero(logits[0] == 0)[:, 0].tolist()) == allowed(mask[0])
