"""Compares weir's backends for vLLM and SGLang with the recorded interfaces of both, without installing either.

tests/serving/interfaces has the names and parameters of the functions of each supported version, as
tests/serving/record_interfaces.py wrote them. The tests make fake modules of these records, import weir's modules with
them, and look up each function of a record in weir's class. tests/serving runs the backends in the real engines.
"""

import importlib
import inspect
import json
import pathlib
import sys
import types

import pytest

import weir

RECORDS = sorted((pathlib.Path(__file__).parents[1] / "serving" / "interfaces").glob("*.json"))
VLLM = [path for path in RECORDS if path.name.startswith("vllm-")]
SGLANG = [path for path in RECORDS if path.name.startswith("sglang-")]


def of_version(path):
    return path.stem


def made_function(parameters):
    """Returns a function with recorded parameters: `=` after one with a default, `*` before a keyword-only one."""
    text, has_star = [], False
    for parameter in parameters:
        if parameter.startswith("*") and not has_star:
            text, has_star = [*text, "*"], True
        text.append(parameter.lstrip("*").replace("=", "=None"))
    return eval(f"lambda {', '.join(text)}: None")


def made_class(name, functions, is_abstract):
    body = {}
    for method, parameters in functions.items():
        if parameters == "property":
            body[method] = property(lambda self: None)
            continue
        function = made_function(parameters)
        function.__isabstractmethod__ = is_abstract
        body[method] = function if parameters and parameters[0] == "self" else staticmethod(function)
    if is_abstract:
        import abc

        return abc.ABCMeta(name, (), body)
    return type(name, (), {"__init__": lambda self: None, **body})


class Modules:
    """Fake modules. The fixture removes them and all modules of weir that were imported with them."""

    def __init__(self, monkeypatch):
        self._monkeypatch = monkeypatch
        for name in [name for name in sys.modules if name.startswith("weir.integrations.")]:
            monkeypatch.delitem(sys.modules, name)

    def add(self, name, **names):
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            path = ".".join(parts[:end])
            # A real package of this name, if installed, is hidden.
            if not isinstance(sys.modules.get(path), Fake):
                self._monkeypatch.setitem(sys.modules, path, Fake(path))
            if end > 1:
                setattr(sys.modules[".".join(parts[:end - 1])], parts[end - 1], sys.modules[path])
        for key, value in names.items():
            setattr(sys.modules[name], key, value)

    def add_record(self, record, places):
        for path, value in {**record["classes"], **record["functions"]}.items():
            owner, _, function = path.rpartition(".")
            if isinstance(value, dict):
                self.add(places[path], **{path: made_class(path, value, record["engine"] == "vllm")})
            elif not owner:
                self.add(places[path], **{function: made_function(value)})
            else:
                if not hasattr(sys.modules.get(places[owner]), owner):
                    self.add(places[owner], **{owner: type(owner, (), {})})
                setattr(getattr(sys.modules[places[owner]], owner), function, made_function(value))


class Fake(types.ModuleType):
    __path__ = []


@pytest.fixture
def modules(monkeypatch):
    yield Modules(monkeypatch)
    for name in [name for name in sys.modules if name.startswith("weir.integrations.")]:
        monkeypatch.delitem(sys.modules, name)


PLACES = {
    "StructuredOutputGrammar": "vllm.v1.structured_output.backend_types",
    "StructuredOutputBackend": "vllm.v1.structured_output.backend_types",
    "StructuredOutputManager": "vllm.v1.structured_output",
    "SamplingParams": "vllm.sampling_params",
    "validate_xgrammar_grammar": "vllm.v1.structured_output.backend_xgrammar",
    "validate_structural_tag_payload": "vllm.entrypoints.generate.base.protocol",
    "BeamSearchOfflineMixin": "vllm.entrypoints.generate.beam_search.offline",
    "BaseGrammarObject": "sglang.srt.constrained.base_grammar_backend",
    "BaseGrammarBackend": "sglang.srt.constrained.base_grammar_backend",
    "register_grammar_backend": "sglang.srt.constrained.base_grammar_backend",
    "create_grammar_backend": "sglang.srt.constrained.base_grammar_backend",
    "ReasonerGrammarBackend": "sglang.srt.constrained.reasoner_grammar_backend",
    "GrammarManager": "sglang.srt.constrained.grammar_manager",
}


def weir_in_vllm(modules, record):
    """Imports weir.integrations.vllm with a fake vLLM that has the interface of the record."""
    modules.add("torch", Tensor=object)
    modules.add("vllm", __version__=record["version"])
    modules.add("vllm.exceptions", VLLMValidationError=type("VLLMValidationError", (Exception,), {}))
    modules.add("vllm.logger", init_logger=lambda name: None)
    modules.add("vllm.config.structured_outputs")
    modules.add("vllm.v1.core.sched.scheduler", Scheduler=type("Scheduler", (), {}))
    modules.add_record(record, PLACES)
    kinds = ("JSON", "JSON_OBJECT", "REGEX", "GRAMMAR", "CHOICE", "STRUCTURAL_TAG")
    import enum

    modules.add(PLACES["StructuredOutputGrammar"], StructuredOutputOptions=enum.Enum("StructuredOutputOptions", kinds))
    return importlib.import_module("weir.integrations.vllm")


def weir_in_sglang(modules, record):
    modules.add("torch", Tensor=object)
    modules.add("sglang", __version__=record["version"])
    modules.add_record(record, PLACES)
    choices = ["xgrammar"]
    modules.add("sglang.srt.arg_groups.choices", GRAMMAR_BACKEND_CHOICES=choices,
                add_grammar_backend_choices=choices.extend)
    hooks = types.SimpleNamespace(added=[])
    hooks.register = lambda target, hook, kind: hooks.added.append((target, hook, kind))
    modules.add("sglang.srt.plugins.hook_registry", HookRegistry=hooks, HookType=types.SimpleNamespace(AROUND="around"))
    modules.add(PLACES["BaseGrammarObject"], InvalidGrammarObject=object, GrammarRow=tuple, GrammarStats=object)
    return importlib.import_module("weir.integrations.sglang")


def check_implements(cls, functions):
    """Checks that each function takes the recorded parameters: the same names, in the same order, with the defaults."""
    for name, parameters in functions.items():
        if parameters == "property":
            assert isinstance(inspect.getattr_static(cls, name), property), name
            continue
        own = list(inspect.signature(getattr(cls, name)).parameters.values())
        recorded = list(inspect.signature(made_function(parameters)).parameters.values())
        if isinstance(inspect.getattr_static(cls, name), staticmethod) and recorded[:1] and recorded[0].name == "self":
            del recorded[0]
        assert [each.name for each in own[:len(recorded)]] == [each.name for each in recorded], name
        assert all(mine.default is not mine.empty for mine, theirs in zip(own, recorded)
                   if theirs.default is not theirs.empty), name
        assert all(each.default is not each.empty for each in own[len(recorded):]), name


def test_there_are_records_of_all_versions(modules):
    plugin = importlib.import_module("weir.integrations._vllm_plugin")
    assert [path.stem.removeprefix("vllm-").rpartition(".")[0] for path in VLLM] == list(plugin.SUPPORTED_VERSIONS)
    sglang = weir_in_sglang(modules, json.loads(SGLANG[0].read_text()))
    assert tuple(path.stem.removeprefix("sglang-") for path in SGLANG) == sglang.SUPPORTED_VERSIONS


@pytest.mark.parametrize("path", VLLM, ids=of_version)
def test_vllm(modules, monkeypatch, path):
    record = json.loads(path.read_text())
    weir_vllm = weir_in_vllm(modules, record)
    for name, own in (("StructuredOutputGrammar", weir_vllm.WeirGrammar),
                      ("StructuredOutputBackend", weir_vllm.WeirBackend)):
        assert own.__abstractmethods__ == frozenset()
        check_implements(own, record["classes"][name])
    monkeypatch.setattr(weir_vllm, "_widen", lambda config: None)  # _widen needs pydantic
    manager = sys.modules["vllm.v1.structured_output"].StructuredOutputManager
    before = manager.grammar_bitmask
    weir_vllm.register()
    wrapped = manager.grammar_bitmask
    assert wrapped is not before and wrapped.__wrapped__ is before
    weir_vllm.register()
    assert manager.grammar_bitmask is wrapped


def test_vllm_reads_a_tokenizer_that_weir_refuses_once(modules):
    backend = weir_in_vllm(modules, json.loads(VLLM[-1].read_text())).WeirBackend()
    settings = types.SimpleNamespace(disable_any_whitespace=False, disable_additional_properties=False)
    backend.vllm_config, backend.vocab_size = types.SimpleNamespace(structured_outputs_config=settings), 2
    reads = []
    backend.tokenizer = types.SimpleNamespace(to_str=lambda: reads.append(1) or '{"model": {"type": "Foo"}}')
    for _ in range(3):
        with pytest.raises(weir.TokenizerError, match="Foo"):
            _ = backend.requests
    assert len(reads) == 1
    backend.destroy()


@pytest.mark.parametrize("path", VLLM, ids=of_version)
def test_another_vllm_is_refused(modules, monkeypatch, path):
    record = json.loads(path.read_text())
    for name in record["functions"]:
        changed = {**record, "functions": {**record["functions"], name: [*record["functions"][name], "more="]}}
        with monkeypatch.context() as patch:
            weir_vllm = weir_in_vllm(Modules(patch), changed)
            patch.setattr(weir_vllm, "_widen", lambda config: None)
            if name.endswith("_get_constraint_bounds"):  # weir calls this function and does not wrap it
                weir_vllm.register()
                continue
            with pytest.raises(RuntimeError, match=f"{name.rpartition('.')[2]}.*has the parameters"):
                weir_vllm.register()


def test_an_unknown_version_is_refused_where_weir_is_asked_for(modules, monkeypatch, caplog):
    record = {**json.loads(VLLM[-1].read_text()), "version": "0.99.1"}
    modules.add("vllm", __version__=record["version"])
    plugin = importlib.import_module("weir.integrations._vllm_plugin")
    monkeypatch.setattr(sys, "argv", ["vllm", "serve", "model"])
    plugin.load()
    assert "0.99.1" in caplog.text
    for asks in (["--structured-outputs-config.backend", "weir"], ["--structured_outputs_config.backend=weir"],
                 ["--structured-outputs-config", '{"backend": "weir"}']):
        monkeypatch.setattr(sys, "argv", ["vllm", "serve", "model", *asks])
        with pytest.raises(RuntimeError, match="0.99.1.*Install a supported vLLM"):
            plugin.load()
    monkeypatch.setattr(sys, "argv", ["vllm", "serve", "weir", "--structured-outputs-config.backend", "xgrammar"])
    plugin.load()
    monkeypatch.setenv("WEIR_VLLM_AUTO", "1")
    with pytest.raises(RuntimeError, match="0.99.1"):
        plugin.load()
    with pytest.raises(RuntimeError, match="0.99.1"):
        weir_in_vllm(modules, record)


@pytest.mark.parametrize("path", SGLANG, ids=of_version)
def test_sglang(modules, path):
    record = json.loads(path.read_text())
    weir_sglang = weir_in_sglang(modules, record)
    for name, own in (("BaseGrammarObject", weir_sglang.WeirGrammar),
                      ("BaseGrammarBackend", weir_sglang.WeirGrammarBackend)):
        check_implements(own, record["classes"][name])
    inherited = {"maybe_init_reasoning", "finished"}  # from SGLang's base class; weir implements all others
    assert set(record["classes"]["BaseGrammarObject"]) - set(vars(weir_sglang.WeirGrammar)) == inherited
    registered = {}
    base = sys.modules["sglang.srt.constrained.base_grammar_backend"]
    base.register_grammar_backend = lambda name, factory: registered.update({name: factory})
    weir_sglang.register()
    weir_sglang.register()
    assert sys.modules["sglang.srt.arg_groups.choices"].GRAMMAR_BACKEND_CHOICES == ["xgrammar", "weir"]
    ((target, hook, kind),) = sys.modules["sglang.srt.plugins.hook_registry"].HookRegistry.added
    name = target.removeprefix(PLACES["GrammarManager"] + ".")
    # A hook around a function gets the function, then its arguments.
    assert kind == "around" and len(inspect.signature(hook).parameters) == 1 + len(record["functions"][name])
    assert list(inspect.signature(registered["weir"]).parameters) == ["server_args", "tokenizer", "vocab_size",
                                                                      "eos_token_ids"]


class Refused:
    def __init__(self, message):
        self.message = message


def sglang_backend(modules, monkeypatch, **settings):
    """Makes the backend of a fake SGLang with these settings of the server."""
    weir_sglang = weir_in_sglang(modules, json.loads(SGLANG[-1].read_text()))
    monkeypatch.setattr(weir_sglang, "InvalidGrammarObject", Refused)
    monkeypatch.setattr(weir_sglang, "GrammarStats", types.SimpleNamespace)
    monkeypatch.setattr(weir_sglang.dataclasses, "replace", lambda stats, **_: stats)
    defaults = {"constrained_json_disable_any_whitespace": False, "constrained_json_max_whitespace_cnt": None,
                "constrained_json_whitespace_pattern": None, "reasoning_parser": None, "enable_strict_thinking": False}
    serving = types.SimpleNamespace(**{**defaults, **settings})
    modules.add("sglang.srt.runtime_context", get_serving=lambda: serving)

    class Parser:
        def __init__(self, **_):
            self.detector = types.SimpleNamespace(think_end_token="</think>", get_think_end_token_ids=lambda _: [5])

    class Reasoner:
        def __init__(self, backend, *_, **__):
            self.backend = backend

    modules.add("sglang.srt.parser.reasoning_parser", ReasoningParser=Parser)
    modules.add(PLACES["ReasonerGrammarBackend"], ReasonerGrammarBackend=Reasoner)
    tokens = [*(bytes([byte]) for byte in range(256)), b"</s>"]
    info = weir.TokenizerInfo(tokens, special_token_ids=[256], stop_token_ids=[256])
    monkeypatch.setattr(sys.modules["weir.integrations._serving"], "server_tokenizer", lambda *_, **__: info)
    made = weir_sglang.create_backend(None, None, len(tokens))
    return weir_sglang, getattr(made, "backend", made)


def test_sglang_takes_one_setting_of_white_space(modules, monkeypatch):
    given = {"constrained_json_max_whitespace_cnt": 2, "constrained_json_whitespace_pattern": "[ ]?",
             "constrained_json_disable_any_whitespace": True}
    for one, value in given.items():
        _, backend = sglang_backend(modules, monkeypatch, **{one: value})
        matcher = backend.dispatch_json('{"type": "array"}').matcher
        blanks = {"constrained_json_max_whitespace_cnt": 2, "constrained_json_whitespace_pattern": 1}
        assert matcher.longest_viable_prefix("[    ]") == 1 + blanks.get(one, 0)
        for other in set(given) - {one}:
            with pytest.raises(ValueError, match="--constrained-json-.* and --constrained-json-.* exclude each other"):
                sglang_backend(modules, monkeypatch, **{one: value, other: given[other]})
    sglang_backend(modules, monkeypatch, constrained_json_max_whitespace_cnt=0)


def test_sglang_refuses_reasoning_that_its_parser_reads(modules, monkeypatch):
    """The model would have to end its reasoning twice."""
    weir_sglang, backend = sglang_backend(modules, monkeypatch, reasoning_parser="deepseek-r1")
    aborted = []
    tools = [{"type": "function", "function": {"name": "f"}}]

    def begin(tag, is_reasoning, asked=True, in_grammar=False):
        grammar = backend.dispatch_structural_tag(json.dumps(tag)).copy()
        within = types.SimpleNamespace(grammar=grammar, reasoning_in_grammar=in_grammar)
        request = types.SimpleNamespace(grammar=within if is_reasoning else grammar, require_reasoning=asked,
                                        set_finish_with_abort=aborted.append)
        weir_sglang._begin_request(lambda *_: None, None, request)

    for reasoning in ("whole", "begun", "none"):
        tag = weir.tools.structural_tag("hermes", tools, reasoning=reasoning)
        begin(tag, is_reasoning=True)
        assert len(aborted) == (reasoning != "none") and all("leave the reasoning out" in each for each in aborted)
        aborted.clear()
        begin(tag, is_reasoning=False)
        begin(tag, is_reasoning=True, asked=False)
        begin(tag, is_reasoning=True, in_grammar=True)
        assert not aborted
    begin({"format": {"type": "json_schema", "json_schema": {"const": {"end": "</think>"}}}}, is_reasoning=True)
    assert not aborted
    deep = {"type": "any_text"}
    for _ in range(150):
        deep = {"type": "sequence", "elements": [deep]}
    begin({"format": deep}, is_reasoning=True)
    assert not aborted


def test_sglang_jumps_only_within_limits(modules, monkeypatch):
    _, backend = sglang_backend(modules, monkeypatch)
    assert backend.dispatch_regex("abc").try_jump_forward(None) == ([], "abc")
    inside = backend.dispatch_regex("日本x")
    assert inside.try_jump_forward(None) == ([], "日本x")
    info = backend.requests.info
    inside.accept_token(next(token for token in range(info.vocab_size) if info.token_bytes(token) == b"\xe6"))
    assert inside.matcher.find_jump_forward_string().endswith(b"x") and inside.try_jump_forward(None) is None
    grammar = backend.dispatch_regex("a{100}")

    class Limited:
        is_terminated = staticmethod(lambda: False)

        def find_jump_forward_string(self):
            raise weir.LimitExceededError("the limit `call_work` was exceeded", limit="call_work")

    grammar._budgeted = types.SimpleNamespace(matcher=Limited())
    assert grammar.try_jump_forward(None) is None and grammar.failure is None


def test_vllm_takes_one_setting_of_white_space(modules):
    weir_vllm = weir_in_vllm(modules, json.loads(VLLM[-1].read_text()))

    def options(**given):
        defaults = {"disable_any_whitespace": False, "disable_additional_properties": False, "whitespace_pattern": None}
        return weir_vllm._request_options(types.SimpleNamespace(**{**defaults, **given}))

    assert options(whitespace_pattern=" ?") == {"whitespace_pattern": " ?"}
    assert options(disable_any_whitespace=True) == {"whitespace": "none"}
    with pytest.raises(Exception, match="disable_any_whitespace and whitespace_pattern exclude each other"):
        options(disable_any_whitespace=True, whitespace_pattern=" ?")
