"""Calls every function and method of the package with every wrong kind of value.

A call may do what it can with a value, or raise a typed error whose message is one line and says what is wrong. The calls
run in another process, which says before each call which one comes; so a crash is a failure that names the call. What is
called is found by reflection: a new function or argument is covered without a line here.
"""

import ast
import inspect
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

import weir

TYPED = (TypeError, ValueError, IndexError, OSError, weir.LimitExceededError, weir.TerminatedError)
NOT_FOR_USERS = re.compile(r"incompatible function arguments|the arguments of .* cannot be read|std::|nanobind|_weir\b|"
                           r"basic_string|Limits::|0x[0-9a-f]{6}")
IS_SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
MOST_MEMORY = 2 << 30
# Constructors of weir.compat that check types; other calls there take whatever has the attributes, as the originals do.
CHECKED = {"Engine", "LLMatcher", "LLInterpreter", "LLTokenizer", "GrammarCompiler", "GrammarMatcher"}
CLASSES = ["BatchGrammarMatcher", "Grammar", "GrammarCompiler", "GrammarMatcher", "Limits", "TokenizerInfo"]


class Own(Exception):
    """What a value's own code raises, which the package passes on."""


def evil(*methods):
    """Returns an object whose methods of these names raise."""
    def fail(*_, **__):
        raise Own("of the value")

    return type("Evil", (), dict.fromkeys(methods, fail))()


def endless():
    loop = []
    loop.append(loop)
    return loop


def arrays():
    """Returns arrays that are not what a bitmask, or logits, of the test's vocabulary are."""
    import numpy as np

    right = np.zeros((2, 1), np.int32)
    frozen = right.copy()
    frozen.flags.writeable = False
    shapes = [(), (0,), (0, 1), (1, 0), (2,), (2, 3), (2, 1, 1), (1, 1)]
    kinds = [np.int8, np.uint32, np.int64, np.float32, np.float16, np.float64, np.complex64, bool, object, "U3", "M8[s]"]
    return [right, frozen, np.zeros((4, 2), np.int32)[::2], np.zeros((2, 2), np.int32).T, np.zeros((2, 1), ">i4"),
            np.zeros(2, [("a", "i4")]), *(np.zeros(shape, np.int32) for shape in shapes),
            *(np.zeros((2, 1), kind) for kind in kinds), np.int32(3), np.float32(1.5), memoryview(b"abcd"),
            bytearray(4)]


def values():
    """Returns wrong values of every kind, with their names."""
    numbers = [True, -1, 0, 5, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, -2**63 - 1, 10**300, 1.5, float("nan"), float("inf")]
    texts = ["", "x", "\ud800", "{\"enum\": [\"\udfff\"]}", "a\0b", "/", b"", b"\xff\0", "\u202e\n"]
    lists = [[], [None], ["\ud800"], [["a"]], [2**70], [-1], [1.5], [b"a"], ["a", 1], (), [0, 0], endless(), [weir]]
    others = [{}, {1: 2}, {"a": {1}}, {"a": "\ud800"}, {"\udfff": 1}, {("a",): 1}, {1, 2}, frozenset(), range(3), object(),
              int, len, weir, NotImplemented, ..., iter([1]), (each for each in [1]), Own("a value"), 3j]
    evils = [evil(name) for name in ("__iter__", "__len__", "__str__", "__repr__", "__index__", "__getitem__", "__eq__",
                                     "__hash__", "__dlpack__", "__fspath__", "__bool__", "__int__", "items")]
    evils += [evil("__iter__", "__len__", "__getitem__"), evil("__len__", "__getitem__", "__buffer__")]
    unmade = [getattr(weir, name).__new__(getattr(weir, name)) for name in CLASSES]
    found = [None, *numbers, *texts, *lists, *others, *evils, *unmade, *arrays()]
    return [(f"{number} ({type(value).__name__})", value) for number, value in enumerate(found)]


def right_values():
    """Returns a right value for each name of an argument, as functions, because some are used up."""
    import numpy as np

    info = weir.TokenizerInfo(["a", "b", "<end>"], special_token_ids=[2], stop_token_ids=[2])
    compiler = weir.GrammarCompiler(info)
    compiled = compiler.compile_grammar('root ::= ("a" | "b")*')
    file = pathlib.Path(__file__).resolve().parents[2] / "data/default_tokenizer/tokenizer.json"
    matcher = weir.GrammarMatcher
    return {
        "BatchGrammarMatcher": lambda: weir.BatchGrammarMatcher(1), "CompiledGrammar": lambda: compiled,
        "Grammar": lambda: weir.Grammar.from_choice(["a"]), "GrammarCompiler": lambda: compiler,
        "GrammarMatcher": lambda: matcher(compiled), "Limits": weir.Limits, "TokenizerInfo": lambda: info,
        "Diagnostic": lambda: weir.check_schema('{"type": 5}')[0], "DiagnosticNote": lambda: weir.DiagnosticNote("a", 0, 1),
        "Fix": lambda: weir.Fix(0, 1, "a"), "EngineStats": compiled.stats, "CacheStats": compiler.cache_stats,
        "StateStats": lambda: matcher(compiled).state_stats(), "Expectation": lambda: matcher(compiled).expected(),
        "TokenExplanation": lambda: matcher(compiled).explain(0), "WarmUpReport": compiled.warm_up,
        "MatcherTimings": lambda: matcher(compiled, measure_time=True).timings(),
        "CanonicalSupport": info.canonical_support, "TokenHealing": lambda: weir.TokenizerInfo.builtin().heal([]),
        "GrammarWarning": lambda: weir.Grammar.from_ebnf('root ::= "a"\nb ::= "c"').warnings[0],
        "ReplyParser": lambda: weir.ReplyParser("hermes"), "ReplyEvent": lambda: weir.ReplyParser("hermes").feed("a b")[0],
        "Capture": lambda: matcher(compiler.compile_grammar('root ::= @capture(x: "a"*)')).captures()[0],
        "compiled_grammar": lambda: compiled, "tokenizer_info": lambda: info, "grammar": lambda: weir.Grammar.from_choice(["a"]),
        "bitmask": lambda: np.zeros((2, 1), np.int32), "logits": lambda: np.zeros((2, 3), np.float32), "token_id": lambda: 0,
        "text": lambda: 'root ::= "a"', "pattern": lambda: "a", "schema": lambda: '{"type": "null"}', "steps": lambda: 0,
        "tag": lambda: {"format": {"type": "any_text"}}, "response_format": lambda: {"type": "text"}, "to": lambda: "ebnf",
        "strings": lambda: ["a"], "chunks": lambda: ["a"], "token_ids": lambda: [0, 0], "parents": lambda: [-1, -1],
        "matchers": lambda: [None, None], "vocab": lambda: ["a"], "path": lambda: file, "data": file.read_bytes,
        "context": lambda: [], "name": lambda: "a", "message": lambda: "a", "start": lambda: 0, "end": lambda: 1,
        "replacement": lambda: "a", "style": lambda: "hermes", "tools": lambda: [], "vocab_size": lambda: 3, "matcher": lambda: matcher(compiled),
        "batch_size": lambda: 2, "piece": lambda: "a", "tokenizer": object, "encoding": object, "processor": object, "parts": lambda: info,
    }


def functions():
    """Returns the name, the function, and whether it is a method, of everything that users call."""
    found = []
    for name in weir.__all__:
        value = getattr(weir, name)
        if inspect.isclass(value):
            for member in sorted(dir(value)):
                function = inspect.getattr_static(value, member)
                is_own = type(function).__name__ in ("nb_method", "nb_func", "function")
                if is_own and (not member.startswith("__") or member in ("__init__", "__copy__", "__deepcopy__", "__eq__")):
                    if not issubclass(value, Exception):
                        found.append((f"{name}.{member}", getattr(value, member), type(function).__name__ != "nb_func"))
        elif callable(value):
            found.append((name, value, False))
    found += [(f"tools.{name}", getattr(weir.tools, name), False) for name in weir.tools.__all__]
    return found


def parameters_of(function):
    """Returns the names of the positional parameters, `self` excepted, and those of the keyword-only ones."""
    if hasattr(function, "__nb_signature__"):
        text = re.sub(r"\\\d+", "...", function.__nb_signature__[0][0])
        tree = ast.parse(text[text.rindex("def "):] + ": ...").body[0].args
        positional = [each.arg for each in [*tree.posonlyargs, *tree.args]]
        needed = positional[:len(positional) - len(tree.defaults)]
        named = [each.arg for each in tree.kwonlyargs]
        if tree.vararg is not None:
            positional.append(tree.vararg.arg)
    else:
        given = inspect.signature(function).parameters.values()
        positional = [each.name for each in given if each.kind == each.POSITIONAL_OR_KEYWORD]
        needed = [each.name for each in given if each.default is each.empty and each.name in positional]
        named = [each.name for each in given if each.kind == each.KEYWORD_ONLY]
    return [each for each in positional if each != "self"], named, [each for each in needed if each != "self"]


def calls():
    """Yields the name of each call and a function that makes it."""
    right, wrong = right_values(), values()
    for name, function, is_method in functions():
        owner = name.partition(".")[0]
        made = right.get(owner) if is_method and not name.endswith("__init__") else None
        if name.endswith("__init__"):
            function = getattr(weir, owner)
            parameters = parameters_of(inspect.getattr_static(function, "__init__"))
        else:
            parameters = parameters_of(function)
        positional, named, needed = parameters
        first = [] if made is None else [made]
        usual = {each: right[each] for each in needed if each in right}

        def call(function, first, usual, **given):
            arguments = [each() for each in first]
            return function(*arguments, **{key: value() for key, value in {**usual, **given}.items()})

        def in_place(function, first, count, value):
            return function(*(each() for each in first), *[value] * count)

        for what, value in wrong:
            for parameter in [*positional, *named]:
                yield (f"{name}({parameter}={what})",
                       lambda p=parameter, v=value, f=function, a=first, u=usual: call(f, a, u, **{p: lambda: v}))
            yield f"{name}(no_such_argument={what})", lambda v=value, f=function, a=first, u=usual: call(
                f, a, u, no_such_argument=lambda: v)
            for count in (len(needed), len(positional) + 1):
                yield (f"{name}({', '.join([what] * count)})",
                       lambda c=count, v=value, f=function, a=first: in_place(f, a, c, v))
            if is_method:
                yield f"{name} of {what}", lambda v=value, f=function: f(v)
        yield f"{name}() without arguments", lambda f=function: f()


def compat_calls():
    """Yields calls of the functions and constructors of weir.compat, whose errors are like those of other libraries."""
    import weir.compat.kbnf
    import weir.compat.llguidance
    import weir.compat.xgrammar

    for module in (weir.compat.kbnf, weir.compat.llguidance, weir.compat.xgrammar):
        for name in sorted(name for name in dir(module) if not name.startswith("_")):
            function = getattr(module, name)
            if callable(function) and getattr(function, "__module__", "").startswith("weir.compat"):
                for what, value in values():
                    for count in (1, 2, 3):
                        yield (f"{module.__name__}.{name}({', '.join([what] * count)})",
                               lambda f=function, c=count, v=value: f(*[v] * c))


def complaint(error, name=""):
    """Returns what is wrong with an exception, or None."""
    if name.startswith("weir.compat."):
        if name.partition("(")[0].rpartition(".")[2] in CHECKED and isinstance(error, AttributeError):
            return f"a bad message: {error}"
        return None if isinstance(error, Exception) and not isinstance(error, SystemError) else repr(error)
    if isinstance(error, Own) or "Own" in type(error).__name__:
        return None
    text = error.message if isinstance(error, weir.GrammarError) else str(error)
    if not isinstance(error, TYPED) or isinstance(error, UnicodeError):
        return f"{type(error).__name__}: {text}"
    if not text or "\n" in text or len(text) > 400 or NOT_FOR_USERS.search(text):
        return f"a bad message: {type(error).__name__}: {text}"
    if re.search(r"must be (?!a sequence of).* or None, not None", text):
        return f"refuses what it says it takes: {text}"
    return None


def work(part, count):
    """Makes its part of the calls. Writes the name of each call before it and, at the end, what is wrong."""
    import resource
    import warnings

    warnings.simplefilter("ignore")
    if not IS_SANITIZED:  # which takes address space by the terabyte; ASAN_OPTIONS have a limit instead
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    complaints = []
    with open(os.environ["ABUSE_LOG"], "w", encoding="utf-8") as log:
        for number, (name, call) in enumerate(itertools.chain(calls(), compat_calls())):
            if number % count != part:
                continue
            log.seek(0)
            log.write(name[:500].ljust(500))
            log.flush()
            try:
                result = call()
                if hasattr(result, "exception"):
                    raised = result.exception()
                    if raised is not None:
                        raise raised
            except MemoryError:
                if "allocate_token_bitmask" not in name and "compat" not in name:
                    complaints.append(f"{name}: MemoryError")
            except BaseException as error:
                wrong = complaint(error, name)
                if wrong is not None:
                    complaints.append(f"{name}: {wrong}")
    print(json.dumps({"calls": number + 1, "complaints": complaints}))


@pytest.mark.parametrize("part", range(4))
def test_wrong_values(part, tmp_path):
    """Under a sanitizer, which is slow, a part is a fifth as large."""
    log = tmp_path / "call.txt"
    asan = f"{os.environ.get('ASAN_OPTIONS', '')}:allocator_may_return_null=1:max_allocation_size_mb={MOST_MEMORY >> 20}"
    run = subprocess.run([sys.executable, __file__, str(part), "20" if IS_SANITIZED else "4"],
                         env={**os.environ, "ABUSE_LOG": str(log), "ASAN_OPTIONS": asan.lstrip(":")},
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    assert run.returncode == 0, (run.returncode, log.read_text().strip(), run.stderr[-2000:])
    found = json.loads(run.stdout.splitlines()[-1])
    assert found["calls"] > 10_000
    assert found["complaints"] == [], f"{len(found['complaints'])} calls, the first: {found['complaints'][:20]}"


def test_every_function_is_called():
    names = {name for name, _, _ in functions()}
    assert {"GrammarMatcher.accept_token", "GrammarCompiler.__init__", "check_regex", "tools.structural_tag",
            "TokenizerInfo.from_file", "Grammar.concat", "apply_token_bitmask_inplace"} <= names
    owners = {name.partition(".")[0] for name, _, is_method in functions() if is_method}
    assert owners <= set(right_values()), "a class has no right value here"


if __name__ == "__main__":
    work(int(sys.argv[1]), int(sys.argv[2]))
