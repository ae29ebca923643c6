"""vLLM's own manager of structured outputs with weir as its backend: requests, validation, drafts, reasoning, batches.

Two oracles are used. The masks of a step are compared with vLLM's original loop, which asks weir for each row. The rows
themselves are compared with a definition in this file: a token is allowed if its text begins the rest of a choice.
"""

import copy
import gc
import json
import os
import random
import re
import subprocess
import sys
import threading
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

import vllm
import weir
from server import MODEL
from vllm.exceptions import VLLMValidationError
from vllm.sampling_params import SamplingParams, StructuredOutputsParams
from vllm.v1.request import Request
from vllm.v1.structured_output import StructuredOutputManager
from vllm.v1.structured_output.backend_types import StructuredOutputBackend, StructuredOutputGrammar
from weir import _adapters
from weir.errors import LimitExceededError
from weir.integrations import vllm as weir_vllm

weir_vllm.register()
WIDTH = 1600  # the model's logits are wider than the tokenizer
INFO = weir.TokenizerInfo.from_file(MODEL / "tokenizer.json")
END = 1532


def config_with(backend="weir", drafts=0, most=64, **options):
    model = SimpleNamespace(skip_tokenizer_init=False, is_diffusion=False, get_vocab_size=lambda: WIDTH,
                            max_model_len=1024, hf_config=SimpleNamespace(model_type="llama"))
    return SimpleNamespace(
        model_config=model, num_speculative_tokens=drafts,
        speculative_config=SimpleNamespace(num_speculative_tokens=drafts) if drafts else None,
        parallel_config=SimpleNamespace(distributed_executor_backend=None),
        scheduler_config=SimpleNamespace(max_num_seqs=most),
        structured_outputs_config=vllm.config.StructuredOutputsConfig(backend=backend, **options))


@pytest.fixture
def manager_with(tokenizer, monkeypatch):
    import vllm.v1.structured_output as module

    monkeypatch.setattr(module, "cached_tokenizer_from_config", lambda model_config: tokenizer)
    made = []

    def make(**options):
        made.append(StructuredOutputManager(config_with(**options)))
        return made[-1]

    yield make
    for manager in made:
        manager.clear_backend()


def validated(tokenizer, config, max_tokens=200, stop_token_ids=(), **constraint):
    params = SamplingParams(structured_outputs=StructuredOutputsParams(**constraint), max_tokens=max_tokens,
                            stop_token_ids=list(stop_token_ids))
    params.update_from_generation_config({}, tokenizer.eos_token_id)
    params._validate_structured_outputs(config.model_config, config.structured_outputs_config, tokenizer)
    return params


def start(manager, tokenizer, name="r", **constraint):
    """Returns a request whose grammar has been compiled."""
    request = Request(name, [1, 2, 3], validated(tokenizer, manager.vllm_config, **constraint), None)
    manager.grammar_init(request)
    while not request.structured_output_request.is_grammar_ready:
        threading.Event().wait(0.001)
    assert isinstance(request.structured_output_request.grammar, StructuredOutputGrammar)
    return request


def step(manager, requests, drafts=None):
    by_id = {request.request_id: request for request in requests}
    return manager.grammar_bitmask(by_id, list(by_id), drafts or {})


def step_by_rows(manager, requests, drafts=None):
    """Returns the masks that vLLM's own loop computes with the same grammars."""
    by_id = {request.request_id: request for request in requests}
    original = StructuredOutputManager.grammar_bitmask.__wrapped__
    return original(manager, by_id, list(by_id), drafts or {})


def allowed(row):
    return set(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist())


def generate(manager, request, tokenizer, seed, most=400):
    """Returns the text of a random walk through the masks, which ends with a stop token."""
    rng, tokens = random.Random(seed), []
    stops = set(request.sampling_params.all_stop_token_ids)
    while not request.structured_output_request.grammar.is_terminated():
        may = allowed(step(manager, [request])[0])
        assert may, "a dead end"
        end = may & stops
        token = min(end) if end and (len(tokens) >= most // 8 or may == end) else rng.choice(sorted(may - end))
        assert manager.accept_tokens(request, [token])
        tokens.append(token)
        assert len(tokens) < most, tokenizer.decode(tokens)
    return b"".join(INFO.token_bytes(token) for token in tokens[:-1]).decode()



SCHEMA = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}, "ok": {"type": "boolean"}},
          "required": ["name", "ok"], "additionalProperties": False}
TAG = {"type": "structural_tag", "format": {"type": "tag", "begin": "<a>", "end": "</a>",
                                            "content": {"type": "json_schema", "json_schema": SCHEMA}}}
LEGACY = {"type": "structural_tag", "triggers": ["<f"], "structures": [{"begin": "<f>", "schema": SCHEMA,
                                                                      "end": "</f>"}]}


def is_record(text):
    value = json.loads(text)
    return list(value) == ["name", "ok"] and isinstance(value["name"], str) and isinstance(value["ok"], bool)


@pytest.mark.parametrize(("constraint", "is_valid"), [
    ({"json": SCHEMA}, is_record),
    ({"json": json.dumps(SCHEMA)}, is_record),
    ({"json_object": True}, lambda text: isinstance(json.loads(text), dict)),
    ({"regex": r"\d{3}-[ab]+"}, re.compile(r"\d{3}-[ab]+").fullmatch),
    ({"choice": ["yes", "no", "perhaps not"]}, ["yes", "no", "perhaps not"].__contains__),
    ({"grammar": 'root ::= "a" root | "b"'}, re.compile("a*b").fullmatch),
    ({"grammar": "start: A+ \"b\"\nA: \"a\""}, re.compile("a+b").fullmatch),
    ({"structural_tag": json.dumps(TAG)}, lambda text: text[:3] == "<a>" and is_record(text[3:-4])),
], ids=["json", "json text", "json_object", "regex", "choice", "ebnf", "lark", "structural_tag"])
def test_every_request_type(manager_with, tokenizer, constraint, is_valid):
    manager = manager_with()
    for seed in range(3):
        request = start(manager, tokenizer, **constraint)
        text = generate(manager, request, tokenizer, seed)
        assert is_valid(text), text
    assert isinstance(manager.backend, weir_vllm.WeirBackend) and isinstance(manager.backend, StructuredOutputBackend)


def test_an_older_structural_tag(manager_with, tokenizer):
    manager = manager_with()
    request = start(manager, tokenizer, structural_tag=json.dumps(LEGACY))
    text = 'I call <f>{"name": "a", "ok": true}</f>.'
    assert manager.accept_tokens(request, INFO.tokenize(text) + [END])
    other = start(manager, tokenizer, structural_tag=json.dumps(LEGACY))
    assert not manager.accept_tokens(other, INFO.tokenize('I call <f>{"name": 1'))


def test_a_mask_against_the_choices(manager_with, tokenizer):
    choices = ["yes", "yes, but", "no", "nothing"]
    manager = manager_with()
    for text in ("", "y", "yes", "no", "noth"):
        request = start(manager, tokenizer, choice=choices)
        assert manager.accept_tokens(request, INFO.tokenize(text)) if text else True
        rests = [choice[len(text):] for choice in choices if choice.startswith(text)]
        expected = {token for token in range(INFO.vocab_size) if INFO.token_bytes(token)  # special tokens have no bytes
                    and any(rest.encode().startswith(INFO.token_bytes(token)) for rest in rests)}
        assert allowed(step(manager, [request])[0]) == expected | ({END} if "" in rests else set())


@pytest.mark.parametrize(("constraint", "parts"), [
    ({"json": {"type": "string", "minLength": 5, "maxLength": 3}}, ["minLength", "maxLength", "#/"]),
    ({"json": {"properties": {"x": {"type": "foo"}}}}, ["at #/properties/x/type"]),
    ({"json": '{"type": "strin'}, ["quote"]),
    ({"regex": "a("}, ["line 1"]),
    ({"grammar": 'root ::= "a'}, ["line 1"]),
    ({"grammar": "start: a\n"}, ["line 1"]),
    ({"structural_tag": '{"type": "structural_tag", "format": {"type": "tagg"}}'}, ["at #/format"]),
    ({"structural_tag": '{"type": "structural_tag", "format": {"type": "token", "token": "<|nope|>"}}'}, ["<|nope|>"]),
    ({"choice": []}, ["choice"]),
    ({"json_object": False}, ["json_object"]),
])
def test_a_refusal_is_the_clients_error(tokenizer, constraint, parts):
    with pytest.raises(VLLMValidationError) as caught:
        validated(tokenizer, config_with(), **constraint)
    assert all(part in str(caught.value) for part in parts), str(caught.value)


@pytest.mark.parametrize("name", ["WEIR_CACHE_MB", "WEIR_WARM_UP"])
def test_a_setting_that_is_no_number_is_refused_at_the_start(monkeypatch, name):
    monkeypatch.setenv(name, "much")
    config_with(backend="xgrammar")
    with pytest.raises(ValueError, match=f"{name} is 'much'"):
        config_with()


def test_other_backends_are_as_before(tokenizer):
    params = validated(tokenizer, config_with(backend="auto"), json=SCHEMA)
    assert params.structured_outputs._backend == "xgrammar"


def test_auto_can_mean_weir(tokenizer, monkeypatch):
    monkeypatch.setenv("WEIR_VLLM_AUTO", "1")
    params = validated(tokenizer, config_with(backend="auto"), json={"type": "integer", "multipleOf": 3})
    assert params.structured_outputs._backend == "weir"
    params._validate_structured_outputs(config_with().model_config, config_with(backend="auto")
                                        .structured_outputs_config, tokenizer)  # validates the same params again
    options = {"disable_any_whitespace": True, "disable_additional_properties": True}
    params = validated(tokenizer, config_with(backend="auto", **options), json=SCHEMA)
    assert params.structured_outputs._backend == "weir"


def test_options_of_the_server_and_of_a_request(manager_with, tokenizer):
    record = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    texts = ['{"a":1}', '{"a": 1}', '{"a":1,"b":2}']

    def taken(manager, **constraint):
        request = start(manager, tokenizer, **constraint)
        return [manager_takes(manager, request, text) for text in texts]

    def manager_takes(manager, request, text):
        grammar = request.structured_output_request.grammar
        tokens = INFO.tokenize(text) + [END]
        return grammar.validate_tokens(tokens) == tokens

    assert taken(manager_with(), json=record) == [True, True, True]
    assert taken(manager_with(disable_any_whitespace=True), json=record) == [True, False, True]
    assert taken(manager_with(disable_additional_properties=True), json=record) == [True, True, False]
    assert taken(manager_with(), json=record, disable_any_whitespace=True) == [True, False, True]
    assert taken(manager_with(), json=record, whitespace_pattern=r"\n?") == [True, False, True]


@pytest.mark.parametrize("is_reasoning", [False, True])
def test_drafts_as_vllms_own_loop_fills_them(manager_with, tokenizer, is_reasoning):
    rng = random.Random(5)
    manager = manager_with(drafts=4)
    if is_reasoning:
        manager.reasoner_cls = Reasoner
    constraints = [{"json": SCHEMA}, {"choice": ["aa", "ab b"]}, {"regex": "[a-c]*"}, {"json_object": True}]
    requests = [start(manager, tokenizer, name=str(place), **constraint) for place, constraint
                in enumerate(constraints * 3)]
    for _ in range(40):
        drafts = {}
        for request in requests:
            drafts[request.request_id] = draft_for(manager, request, rng)
        mine = step(manager, requests, drafts).copy()
        manager._grammar_bitmask.fill_(-1)
        expected = used(step_by_rows(manager, requests, drafts), drafts, requests)
        assert used(mine, drafts, requests).tolist() == expected.tolist(), drafts
        for request in requests:
            grammar = request.structured_output_request.grammar
            good = [token for token in drafts[request.request_id] if token >= 0]
            taken = manager.validate_tokens(request, good)[:rng.randrange(3)]
            request.append_output_token_ids(taken)
            assert manager.accept_tokens(request, taken)
            if grammar.is_terminated() and rng.random() < 0.5:
                grammar.reset()


def used(rows, drafts, requests):
    """Returns the rows of requests. vLLM 0.32 writes them consecutively; later versions use a stride for a request."""
    if vllm.__version__.startswith("0.32."):
        return rows
    stride = len(rows) // len(requests)
    return np.concatenate([rows[place * stride:place * stride + len(drafts[request.request_id]) + 1]
                           for place, request in enumerate(requests)])


def draft_for(manager, request, rng):
    """Returns up to four drafted tokens: mostly allowed ones, some refused ones, a stop token, padding."""
    grammar = request.structured_output_request.grammar
    twin, tokens = grammar.matcher.fork(), []
    bitmask = weir.allocate_token_bitmask(1, grammar.matcher.compiled_grammar.tokenizer_info.vocab_size)
    for _ in range(rng.randrange(5)):
        kind = rng.random()
        if kind < 0.1 or twin.is_terminated():
            tokens.append(rng.randrange(INFO.vocab_size))
            twin.accept_token(tokens[-1]) if not twin.is_terminated() else None
            continue
        if kind < 0.15:
            tokens.append(Reasoner.END)
            continue
        twin.fill_next_token_bitmask(bitmask)
        tokens.append(rng.choice(sorted(allowed(bitmask[0]))))
        assert twin.accept_token(tokens[-1])
    if tokens and rng.random() < 0.2:
        tokens[rng.randrange(len(tokens)):] = [-1]
    return tokens


class Reasoner:
    """A reasoner for which one token ends the reasoning."""

    END = 1533

    def __init__(self, tokenizer, **options):
        pass

    def is_reasoning_end(self, tokens):
        return self.END in tokens

    def is_reasoning_end_streaming(self, tokens, new):
        return self.END in new


def test_reasoning_is_left_alone(manager_with, tokenizer):
    manager = manager_with()
    manager.reasoner_cls = Reasoner
    request = start(manager, tokenizer, choice=["yes"])
    assert (step(manager, [request]) == -1).all()
    thought = INFO.tokenize("well, no")
    for tokens in (thought, [Reasoner.END]):
        request.append_output_token_ids(tokens)
        assert manager.accept_tokens(request, tokens)
    assert allowed(step(manager, [request])[0]) == {token for token in range(INFO.vocab_size)
                                                   if INFO.token_bytes(token) in (b"y", b"ye", b"yes")}


def test_large_batches(manager_with, tokenizer):
    manager = manager_with(most=300)
    schemas = [{"type": "object", "properties": {f"m{place}": SCHEMA}, "required": [f"m{place}"]} for place in range(7)]
    requests = [start(manager, tokenizer, name=str(place), json=schemas[place % 7]) for place in range(256)]
    rng = random.Random(0)
    for _ in range(12):
        rows = step(manager, requests).copy()
        assert np.array_equal(rows, step_by_rows(manager, requests))
        for row, request in zip(rows, requests):
            if not request.structured_output_request.grammar.is_terminated():
                assert manager.accept_tokens(request, [rng.choice(sorted(allowed(row)))])


def test_schemas_in_lark_grammars_follow_the_profile(manager_with, tokenizer):
    schema = '{"properties": {"b": {"type": "integer"}, "a": {}}, "additionalProperties": false}'
    request = start(manager_with(), tokenizer, grammar=f'start: "x" %json {schema}')
    matcher = request.structured_output_request.grammar.matcher
    for text, is_taken in (('x{"b": 1, "a": 1}', True), ('x{"a": 1, "b"', False), ('x{"b": 1.', False)):
        assert (matcher.longest_viable_prefix(text) == len(text)) == is_taken, text


def test_integers_are_plain_and_end(manager_with, tokenizer):
    request = start(manager_with(), tokenizer, json={"type": "integer", "maximum": 77})
    grammar = request.structured_output_request.grammar
    assert [len(grammar.validate_tokens(INFO.tokenize(text))) == len(INFO.tokenize(text))
            for text in ("17", "17.", "1e", "-" + 20 * "1", "-" + 30 * "1")] == [True, False, False, True, False]


def test_stop_tokens_of_a_request(manager_with, tokenizer):
    manager = manager_with()
    request = start(manager, tokenizer, choice=["a"], stop_token_ids=[1534])
    assert manager.accept_tokens(request, INFO.tokenize("a"))
    assert allowed(step(manager, [request])[0]) == {END, 1534}
    assert manager.accept_tokens(request, [1534])
    assert request.structured_output_request.grammar.is_terminated()
    assert (step(manager, [request]) == -1).all()


BUDGETED = [({"json": {"type": "array", "items": {"type": "string"}, "minItems": 2}}, None),
            ({"regex": "(ab)*c"}, 2),
            ({"structural_tag": json.dumps(TAG)}, None)]


@pytest.mark.parametrize(("constraint", "fewest"), BUDGETED, ids=["json", "regex", "structural_tag"])
def test_budgets_of_tokens(manager_with, tokenizer, monkeypatch, constraint, fewest):
    """With budgets each output is complete, its stop token included, within the request's max_tokens."""
    monkeypatch.setenv("WEIR_VLLM_MAX_TOKENS", "1")
    manager, refused = manager_with(), []
    for most in range(1, 40):
        try:
            validated(tokenizer, manager.vllm_config, max_tokens=most, **constraint)
        except VLLMValidationError as error:
            assert f"max_tokens = {most}" in str(error) and error.parameter == "max_tokens"
            refused.append(most)
            continue
        for seed in range(3):
            generate(manager, start(manager, tokenizer, max_tokens=most, **constraint), tokenizer, seed, most + 1)
    assert refused == list(range(1, len(refused) + 1)) and 1 <= len(refused) < 39
    assert fewest is None or len(refused) == fewest - 1


def test_a_budget_that_keys_leave_no_way_in_is_given_up(manager_with, tokenizer, monkeypatch):
    """With the key "" in use, the shortest key needs one token more than the budget foresees."""
    monkeypatch.setenv("WEIR_VLLM_MAX_TOKENS", "1")
    manager = manager_with(drafts=2)
    text = INFO.tokenize('{"":1,"')
    shortest = INFO.tokenize('":1}')
    given_up = 0
    for is_drafted in (False, True):
        for spare in range(6):
            request = start(manager, tokenizer, json={"additionalProperties": {"const": 1}, "type": "object"},
                            max_tokens=len(text) + len(shortest) + 1 + spare)
            grammar = request.structured_output_request.grammar
            first = text[:-1] if is_drafted else text
            if not manager.accept_tokens(request, first):
                assert spare == 0  # the budget has foreseen it
                continue
            rows = step(manager, [request], {"r": text[-1:]} if is_drafted else {})
            assert all(allowed(row) for row in rows[:1 + is_drafted])
            if is_drafted:
                assert manager.accept_tokens(request, text[-1:])
                rows = step(manager, [request])
            while not grammar.is_terminated() and grammar.matcher.step_count < 60:
                assert manager.accept_tokens(request, [min(allowed(step(manager, [request])[0]))])
            given_up += grammar._budgeted._spare is None
    assert given_up > 0


def test_a_drafted_stop_token_does_not_give_up_the_budget(manager_with, tokenizer, monkeypatch):
    """No token follows a stop token, whatever the budget is."""
    monkeypatch.setenv("WEIR_VLLM_MAX_TOKENS", "1")
    manager = manager_with(drafts=2)
    (letter,) = INFO.tokenize("a")
    request = start(manager, tokenizer, regex="a*", max_tokens=3)
    assert manager.accept_tokens(request, [letter])
    rows = step(manager, [request], {"r": [END, letter]})
    assert letter in allowed(rows[0]) and END in allowed(rows[0])
    assert (rows[1:] == -1).all()
    assert request.structured_output_request.grammar._budgeted._spare is not None
    assert manager.accept_tokens(request, [letter])
    assert allowed(step(manager, [request])[0]) == {END}  # the third and last token


def test_budgets_end_at_the_models_length(manager_with, tokenizer, monkeypatch):
    """The prompt and the output share the model's context, here 3 and 6 tokens."""
    monkeypatch.setenv("WEIR_VLLM_MAX_TOKENS", "1")
    manager = manager_with()
    manager.vllm_config.model_config.max_model_len = 9
    for seed in range(20):
        generate(manager, start(manager, tokenizer, max_tokens=100, regex="a*b"), tokenizer, seed, most=7)


def test_budgets_are_opt_in_and_not_for_reasoning(tokenizer, monkeypatch):
    assert validated(tokenizer, config_with(), max_tokens=1, regex="a{9}b")
    monkeypatch.setenv("WEIR_VLLM_MAX_TOKENS", "1")
    with pytest.raises(VLLMValidationError, match="max_tokens = 1: "):
        validated(tokenizer, config_with(), max_tokens=1, regex="a{9}b")
    assert validated(tokenizer, config_with(reasoning_parser="qwen3"), max_tokens=1, regex="a{9}b")


def test_the_tokenizer_is_read_when_a_request_needs_it(manager_with, tokenizer, monkeypatch):
    """Once by the engine; by the front end only if a constraint may name tokens, or a request has stop tokens."""
    from weir.integrations import _serving

    reads = []
    monkeypatch.setattr(_serving, "server_tokenizer",
                        lambda *given, **named: reads.append(1) or _adapters.server_tokenizer(*given, **named))
    manager, own = manager_with(), copy.deepcopy(tokenizer)
    for constraint in ({"json": SCHEMA}, {"json_object": True}, {"regex": "a+"}, {"choice": ["a"]}):
        validated(own, manager.vllm_config, **constraint)
    assert not reads
    for constraint in ({"grammar": "start: <|nope|>"}, {"json": {"type": "foo"}}):
        with pytest.raises(VLLMValidationError):
            validated(own, manager.vllm_config, **constraint)
    validated(own, manager.vllm_config, structural_tag=json.dumps(TAG))
    validated(own, manager.vllm_config, regex="a+", stop_token_ids=[1534])
    assert len(reads) == 1
    for name in "ab":
        generate(manager, start(manager, own, name=name, choice=["a"]), own, 0)
    assert len(reads) == 2


def test_a_tokenizer_that_weir_cannot_read_ends_requests_only(manager_with, tokenizer):
    manager = manager_with()
    manager.tokenizer = object()
    for name in "ab":  # the second request ends with the error that the first one met
        request = Request(name, [1], validated(tokenizer, manager.vllm_config, choice=["yes"]), None)
        manager.grammar_init(request)
        with pytest.raises(TypeError, match="a tokenizer of transformers"):
            manager._create_grammar(request)


def test_a_limit_ends_one_request(manager_with, tokenizer, monkeypatch):
    monkeypatch.setattr("weir.integrations._serving.server_limits", lambda: weir.Limits(row_items=60))
    manager = manager_with()
    ambiguous = 'root ::= (a b? c? d?)+\na ::= "x" a?\nb ::= a a?\nc ::= b b?\nd ::= c c b a?'
    met = start(manager, tokenizer, name="met", grammar=ambiguous)
    other = start(manager, tokenizer, name="other", choice=["xxxx", "yes"])
    grammar = met.structured_output_request.grammar
    for _ in range(30):
        rows = step(manager, [met, other])
        if grammar.failure is not None:
            break
        if not manager.accept_tokens(met, INFO.tokenize("x")):
            break
    assert "row_items" in grammar.failure
    assert (step(manager, [met, other])[0] == -1).all() and not manager.accept_tokens(met, INFO.tokenize("x"))
    assert allowed(rows[1]) == allowed(step(manager, [other])[0])


def test_a_limit_that_a_draft_meets_ends_no_request(manager_with, tokenizer, monkeypatch):
    request = start(manager_with(drafts=2), tokenizer, choice=["ab"])
    grammar, tokens = request.structured_output_request.grammar, INFO.tokenize("a") + INFO.tokenize("b")

    def accept_token(token, original=grammar._budgeted.accept_token):
        if token == tokens[1]:
            raise LimitExceededError("a limit")
        return original(token)

    with monkeypatch.context() as patch:
        patch.setattr(grammar._budgeted, "accept_token", accept_token)
        assert grammar.validate_tokens(tokens) == tokens[:1] and grammar.failure is None
    assert grammar.validate_tokens(tokens) == tokens


def test_a_scheduler_that_nothing_else_refers_to_is_freed():
    class Scheduler:
        pass

    def construct(scheduler):
        scheduler.structured_output_manager = Scheduler()

    scheduler = Scheduler()
    weir_vllm._make_scheduler(construct, scheduler)
    known = weakref.ref(scheduler)
    del scheduler
    gc.collect()
    assert known() is None


def test_a_character_that_the_tokenizer_lacks_ends_one_request(manager_with, letters):
    manager = manager_with()
    manager.tokenizer = letters
    met, other = (start(manager, letters, name=text, choice=[text]) for text in ("aé", "ab"))
    for request in (met, other):
        assert manager.accept_tokens(request, [0])
    rows = step(manager, [met, other])
    assert (rows[0] == -1).all() and allowed(rows[1]) == {1}  # the sampler needs a token to draw
    assert not manager.accept_tokens(met, [1]) and manager.accept_tokens(other, [1])
    assert "the tokenizer has none" in met.structured_output_request.grammar.failure


def test_a_character_that_the_tokenizer_lacks_after_a_draft(manager_with, letters):
    manager = manager_with(drafts=1)
    manager.tokenizer = letters
    request = start(manager, letters, choice=["aé"])
    rows = step(manager, [request], {request.request_id: [0]})
    assert allowed(rows[0]) == {0} and (rows[1] == -1).all()
    assert not manager.accept_tokens(request, [0, 1])
    assert "the tokenizer has none" in request.structured_output_request.grammar.failure


def test_an_unknown_version_says_what_to_do():
    from weir.integrations._vllm_plugin import check_version

    for version in ("0.31.9", "0.34.0", "1.0", "dev"):
        with pytest.raises(RuntimeError, match=re.escape(version) + r".*Install a supported vLLM"):
            check_version(version)


def test_register_twice():
    before = StructuredOutputManager.grammar_bitmask
    weir_vllm.register()
    assert StructuredOutputManager.grammar_bitmask is before


def test_checks_that_name_xgrammar_ask_weir(monkeypatch):
    from vllm.entrypoints.generate.base.protocol import validate_structural_tag_payload
    from vllm.parser.abstract_parser import _xgrammar_supports

    schema = StructuredOutputsParams(json={"type": "integer", "multipleOf": 3})
    monkeypatch.setattr(weir_vllm, "_is_default", False)
    assert not _xgrammar_supports(schema)
    monkeypatch.setattr(weir_vllm, "_is_default", True)
    assert _xgrammar_supports(schema)
    assert not _xgrammar_supports(StructuredOutputsParams(json={"type": "foo"}))
    validate_structural_tag_payload(json.dumps(TAG), parameter="response_format")
    with pytest.raises(VLLMValidationError, match="at #/format"):
        validate_structural_tag_payload('{"type": "structural_tag", "format": {"type": "tagg"}}',
                                        parameter="response_format")


@pytest.mark.parametrize("plugins", ["weir", "another"])
def test_the_plugin_is_found_or_the_name_is_refused(plugins):
    """A new process loads the plugin by its entry point and validates the option as `vllm serve` does. VLLM_PLUGINS is
    vLLM's list of the plugins to load."""
    code = ("from vllm.plugins import load_general_plugins\n"
            "load_general_plugins()\n"
            "import pydantic, vllm.config\n"
            "adapter = pydantic.TypeAdapter(vllm.config.StructuredOutputsConfig)\n"
            "print(adapter.validate_json('{\"backend\": \"weir\"}'))\n")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                         env={**os.environ, "VLLM_LOGGING_LEVEL": "ERROR", "VLLM_PLUGINS": plugins})
    if plugins == "weir":
        assert ran.returncode == 0 and "backend='weir'" in ran.stdout, ran.stdout + ran.stderr
    else:
        assert ran.returncode != 0 and "Input should be 'auto'" in ran.stderr and "'weir'" in ran.stderr, ran.stderr
