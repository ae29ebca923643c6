"""Compiling in the background, and the timings of an output."""

import json
import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

import weir
from weir.integrations._serving import RequestCompiler


def test_futures(letters):
    compiler = weir.GrammarCompiler(letters)
    futures = [compiler.submit_grammar('root ::= "a"\nb ::= "b"', start="b"),
               compiler.submit_regex("B", ignore_case=True), compiler.submit_json_schema({"const": "b"}),
               compiler.submit(weir.Grammar.from_ebnf('root ::= "b"'))]
    for future, text in zip(futures, ["b", "b", '"b"', "b"]):
        assert isinstance(future, Future)
        compiled = future.result(timeout=60)
        assert isinstance(compiled, weir.CompiledGrammar)
        matcher = weir.GrammarMatcher(compiled)
        assert matcher.accept_string(text) and matcher.is_completed()
    with pytest.raises(weir.GrammarError, match="not defined"):
        compiler.submit_grammar("root ::= x").result(timeout=60)
    with pytest.raises(TypeError, match="no option"):
        compiler.submit_regex("a", colour=1).result(timeout=60)


ORDER = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "kind": {"enum": ["red", "green"]}},
         "required": ["id", "kind"]}


def masks_of(compiled, text):
    """The masks before each token of `text`, which the tokenizer writes, and how many of them were known."""
    info = compiled.tokenizer_info
    matcher = weir.GrammarMatcher(compiled)
    bitmask = weir.allocate_token_bitmask(1, info.vocab_size)
    masks, known = [], 0
    for token in info.tokenize(text):
        known += matcher.state_stats().mask_known
        matcher.fill_next_token_bitmask(bitmask)
        masks.append(bitmask.tobytes())
        assert matcher.accept_token(token)
    return masks, known


def test_warm_up(builtin):
    warm = weir.GrammarCompiler(builtin).compile_json_schema(ORDER)
    cold = weir.GrammarCompiler(builtin).compile_json_schema(ORDER)
    assert warm.warm_up(work=0).masks == 0
    report = warm.warm_up()
    assert 0 < report.work <= 60_000 and report.masks == warm.stats().masks > 0
    assert repr(report) == (
        f"<weir.WarmUpReport: work={report.work}, masks={report.masks}, is_complete={report.is_complete}>")
    assert warm.warm_up().work == (0 if report.is_complete else 60_000 - report.work)
    text = '{"id": 381, "name": "a longer name", "kind": "green"}'
    (warm_masks, warm_known), (cold_masks, cold_known) = masks_of(warm, text), masks_of(cold, text)
    assert warm_masks == cold_masks
    assert warm_known > 0.9 * len(warm_masks) > cold_known
    with pytest.raises(ValueError, match="not negative"):
        cold.warm_up(work=-1)
    with pytest.raises(TypeError):
        cold.warm_up(work="much")


def test_warm_up_in_the_background(builtin):
    compiler = weir.GrammarCompiler(builtin)
    for wrong in (-1, 1.5, "yes", None):
        with pytest.raises(ValueError, match="count of steps"):
            compiler.submit_json_schema(ORDER, warm_up=wrong)
    compiled = compiler.submit_json_schema(ORDER, warm_up=2_000_000).result(timeout=60)
    expected = masks_of(weir.GrammarCompiler(builtin).compile_json_schema(ORDER), '{"kind": "red", "id": 3}')[0]
    assert masks_of(compiled, '{"kind": "red", "id": 3}')[0] == expected  # asked for meanwhile
    for warm_up in (True, 20_000):
        compiled = weir.GrammarCompiler(builtin).submit(weir.Grammar.from_json_schema(ORDER), warm_up=warm_up).result(timeout=60)
        deadline = time.monotonic() + 60
        while compiled.stats().masks == 0 and time.monotonic() < deadline:
            time.sleep(0.001)
        assert compiled.stats().masks > 0
    with pytest.raises(weir.GrammarError, match="not defined"):
        compiler.submit_grammar("root ::= x", warm_up=True).result(timeout=60)


def test_stop_warm_up(builtin):
    compiled = weir.GrammarCompiler(builtin).compile_json()  # nested without end
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(compiled.warm_up, work=10**12)
        while compiled.stats().masks == 0:
            time.sleep(0.001)
        compiled.stop_warm_up()
        assert not running.result(timeout=60).is_complete
    assert compiled.stats().memory_bytes < weir.Limits().state_memory / 2  # where it would have stopped by itself


def test_servers_warm_up(builtin, monkeypatch):
    def masks(work):
        monkeypatch.setenv("WEIR_WARM_UP", work)
        requests = RequestCompiler.of(builtin)
        compiled = requests.compile("json", json.dumps(ORDER))
        requests.warm_up(compiled)
        deadline = time.monotonic() + (60 if work != "0" else 0.05)
        while compiled.stats().masks == 0 and time.monotonic() < deadline:
            time.sleep(0.001)
        return compiled.stats().masks

    assert masks("20000") > 0
    assert masks("0") == 0
    with pytest.raises(ValueError, match="WEIR_WARM_UP"):
        masks("few")


def test_exit_during_a_warm_up():
    """The interpreter exits while warm-ups run and wait, with nobody else who has the grammars."""
    script = """
import weir
compiler = weir.GrammarCompiler(weir.TokenizerInfo.builtin())
futures = [compiler.submit_json_schema({"properties": {f"{n}{i}": {} for i in range(9)}}, warm_up=200_000) for n in range(40)]
futures[0].result()
del futures, compiler
print("done")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


def test_python_runs_while_a_grammar_compiles(builtin):
    """Another Python thread counts while a large grammar compiles."""
    compiler = weir.GrammarCompiler(builtin)
    rules = "".join(f'r{i} ::= "x{i}" r{i + 1} | [a-z]{{1,{i % 50 + 1}}}\n' for i in range(20_000))
    ticks = []
    done = threading.Event()

    def count():
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    counter = threading.Thread(target=count)
    counter.start()
    start = time.monotonic()
    compiler.compile_grammar(f'root ::= r0\n{rules}r20000 ::= "end"')
    end = time.monotonic()
    done.set()
    counter.join()
    assert sum(start < tick < end for tick in ticks) >= 3, end - start


def test_in_a_forked_process(letters):
    weir.GrammarCompiler(letters).submit_regex("a").result(timeout=60)  # the child has none of the parent's threads
    queue = multiprocessing.get_context("fork").Queue()

    def child():
        compiled = weir.GrammarCompiler(letters).submit_regex("ab").result(timeout=60)
        queue.put(weir.GrammarMatcher(compiled).accept_string("ab"))

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    assert queue.get(timeout=60) is True
    process.join()


def test_timings(letters):
    compiled = weir.GrammarCompiler(letters).compile_grammar('root ::= "a"+ "b"')
    with pytest.raises(ValueError, match="measure_time"):
        weir.GrammarMatcher(compiled).timings()
    matcher = weir.GrammarMatcher(compiled, measure_time=True)
    before = matcher.timings()
    assert before.grammar_init_s > 0 and before.grammar_per_token_s == 0 and before.tokens == 0
    start = time.perf_counter()
    bitmask = weir.allocate_token_bitmask(1, 7)
    for token in (0, 0, 2, 1):
        matcher.fill_next_token_bitmask(bitmask)
        matcher.accept_token(token)
    taken = time.perf_counter() - start
    after = matcher.timings()
    assert after.tokens == 3  # token 2 was refused
    assert 0 < after.grammar_per_token_s * 3 <= taken
    assert after.grammar_init_s == before.grammar_init_s
    fork = matcher.fork()
    assert fork.timings().tokens == 3 and fork.accept_token(5) and fork.timings().tokens == 4
    assert matcher.timings().tokens == 3


LONG = " ".join(f"w{number * 7919 % 1000003}" for number in range(40_000))  # a quotation from it compiles for most of a second


@pytest.fixture
def interrupt_soon():
    """Sends this process the signal of Ctrl-C in 50 ms."""
    timer = threading.Timer(0.05, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT])
    timer.daemon = True
    yield timer.start
    timer.join()


def test_waiting_for_a_compile_can_be_interrupted(builtin, interrupt_soon):
    compiler = weir.GrammarCompiler(builtin)
    ended = []
    future = compiler.submit_grammar(f'start: %regex {{"substring_words": "{LONG}"}}', syntax="lark")
    future.add_done_callback(lambda _: ended.append(time.monotonic()))
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        while True:
            future.result()
    interrupted = time.monotonic()
    matcher = weir.GrammarMatcher(future.result())  # it was not disturbed
    assert ended[0] > interrupted
    assert matcher.accept_string("w7919 w15838")


def test_an_interrupted_compile_ends_first(builtin, interrupt_soon):
    """Ctrl-C in a compile raises KeyboardInterrupt after it, and the compiler has what it made."""
    compiler = weir.GrammarCompiler(builtin)
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        compiler.compile_substring(LONG)
        while True:
            time.sleep(0.01)
    assert weir.GrammarMatcher(compiler.compile_substring(LONG)).accept_string("w7919 w15838")
