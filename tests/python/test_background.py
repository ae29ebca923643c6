"""Compiling in the background, and the timings of an output."""

import multiprocessing
import signal
import threading
import time
from concurrent.futures import Future

import pytest

import weir


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
