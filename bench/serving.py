"""Measures weir in vLLM: python bench/serving.py fill|schemas|start DATA_DIRECTORY [BACKEND...]
                      python bench/serving.py soak DATA_DIRECTORY MINUTES

Runs in the environment of tests/serving/run.sh and writes Markdown. DATA_DIRECTORY has `maskbench-dev.jsonl.xz` and
`tokenizers/cl100k_base.tiktoken`.

fill      measures StructuredOutputManager.grammar_bitmask for 256 requests of 32 schemas, each at some position in a
          valid document. The masks are warm: every backend has computed them before. Backends take turns.
schemas   measures how the front end treats 1,500 random schemas: accepted, refused, times. Each backend has a process
          of its own, which is restarted when a schema takes more than 20 s.
start     measures what a backend adds to the start of a server with a vocabulary of 100,000 tokens, up to its first
          request: what a plugin registers, the first validation in the front end, the first grammar in the engine. In
          processes of their own, in turns; the processor time is the one to compare.
soak      sends mixed requests to a vLLM server on the CPU with weir, budgets of tokens and a cache of 64 MiB, 16 at
          once: schemas (some new ones), expressions, choices, grammars, structural tags, tools, wrong requests. All
          answers are checked, except those for schemas that jsonschema_rs cannot read, which are counted apart. Records
          the memory of the server's processes each minute.
"""

import collections
import concurrent.futures
import itertools
import json
import lzma
import multiprocessing
import pathlib
import platform
import random
import re
import statistics
import sys
import tempfile
import threading
import time
from types import SimpleNamespace

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIMIT_S = 20
WIDTH = 100352  # the size of cl100k, padded as models pad it


def configuration(backend, most):
    from vllm.config import StructuredOutputsConfig

    model = SimpleNamespace(skip_tokenizer_init=False, is_diffusion=False, get_vocab_size=lambda: WIDTH,
                            hf_config=SimpleNamespace(model_type="llama"))
    return SimpleNamespace(model_config=model, num_speculative_tokens=0, speculative_config=None,
                           parallel_config=SimpleNamespace(distributed_executor_backend=None),
                           scheduler_config=SimpleNamespace(max_num_seqs=most),
                           structured_outputs_config=StructuredOutputsConfig(backend=backend))


def large_tokenizer(data):
    """Returns cl100k as a fast tokenizer of transformers."""
    from transformers import PreTrainedTokenizerFast
    from transformers.convert_slow_tokenizer import TikTokenConverter

    beside = json.loads((data / "tokenizers/cl100k_base.json").read_text())
    special = sorted(beside["special_tokens"], key=beside["special_tokens"].get)
    made = TikTokenConverter(str(data / "tokenizers/cl100k_base.tiktoken"), pattern=beside["pat_str"],
                             extra_special_tokens=special).converted()
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|endoftext|>")


def schema_cases(data):
    with lzma.open(data / "maskbench-dev.jsonl.xz", "rt") as lines:
        return [json.loads(line) for line in lines]


def validated(tokenizer, config, schema):
    from vllm.sampling_params import SamplingParams, StructuredOutputsParams

    params = SamplingParams(structured_outputs=StructuredOutputsParams(json=schema), max_tokens=1000)
    params.update_from_generation_config({}, tokenizer.eos_token_id)
    params._validate_structured_outputs(config.model_config, config.structured_outputs_config, tokenizer)
    return params


def requests_at(manager, tokenizer, documents):
    """Returns a request for each (schema, tokens), whose grammar has accepted the tokens."""
    from vllm.v1.request import Request

    made = []
    for place, (schema, tokens) in enumerate(documents):
        request = Request(str(place), [1], validated(tokenizer, manager.vllm_config, schema), None)
        manager.grammar_init(request)
        while not request.structured_output_request.is_grammar_ready:
            time.sleep(0.01)
        grammar = request.structured_output_request.grammar
        if isinstance(grammar, Exception) or len(grammar.validate_tokens(tokens)) != len(tokens):
            return None
        grammar.accept_tokens("", tokens)
        made.append(request)
    return made


def fill(data):
    import vllm.v1.structured_output as module

    tokenizer = large_tokenizer(data)
    module.cached_tokenizer_from_config = lambda model_config: tokenizer
    backends = ("xgrammar", "weir")
    managers = {backend: module.StructuredOutputManager(configuration(backend, 256)) for backend in backends}
    rng, chosen = random.Random(0), []
    cases = schema_cases(data)
    rng.shuffle(cases)
    for case in cases:
        texts = [json.dumps(test["data"]) for test in case["tests"] if test["valid"]]
        if not texts or len(chosen) == 32:
            continue
        tokens = tokenizer.encode(max(texts, key=len), add_special_tokens=False)
        documents = [(case["schema"], tokens[:rng.randrange(len(tokens))]) for _ in range(8)]
        try:
            if all(requests_at(manager, tokenizer, documents) for manager in managers.values()):
                chosen.append(documents)
        except Exception as error:  # refused by a backend
            print("left out:", case["id"], str(error).splitlines()[0][:80], file=sys.stderr)
    documents = [each for several in chosen for each in several]
    steps = {}
    for backend, manager in managers.items():
        by_id = {request.request_id: request for request in requests_at(manager, tokenizer, documents)}
        steps[backend] = lambda manager=manager, by_id=by_id: manager.grammar_bitmask(by_id, list(by_id), {})
        steps[backend]()
    wall, used = {backend: [] for backend in steps}, {backend: [] for backend in steps}
    for _ in range(150):
        for backend, step in steps.items():
            begun, begun_used = time.perf_counter(), time.process_time()
            step()
            wall[backend].append(time.perf_counter() - begun)
            used[backend].append(time.process_time() - begun_used)
    print(f"\n{len(documents)} rows of {len(chosen)} schemas, {WIDTH} tokens; 150 steps of each backend, in turns.\n")
    print("| backend | wall, ms: least | median | processor, ms: least | median |\n|---|---|---|---|---|")
    for backend in steps:
        print(f"| {backend} | " + " | ".join(f"{1000 * value:.2f}" for values in (wall[backend], used[backend])
                                             for value in (min(values), statistics.median(values))) + " |")
    for name, values in (("wall", wall), ("processor", used)):
        print(f"\nweir / xgrammar, {name}: {min(values['weir']) / min(values['xgrammar']):.2f} (least), "
              f"{statistics.median(values['weir']) / statistics.median(values['xgrammar']):.2f} (median)", end="")
    print()


def check_schemas(backend, pipe):
    from transformers import PreTrainedTokenizerFast
    from weir.integrations import vllm as weir_vllm

    weir_vllm.register()
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(ROOT / "data/model/tokenizer.json"), eos_token="<|end|>")
    config = configuration(backend, 1)
    while True:
        schema = pipe.recv()
        begun = time.perf_counter()
        try:
            chosen = validated(tokenizer, config, schema).structured_outputs._backend
        except Exception as error:
            chosen = f"refused: {str(error).splitlines()[0][:100]}"
        pipe.send((chosen, time.perf_counter() - begun))


def schemas(data):
    sample = random.Random(0).sample(schema_cases(data), 1500)
    print("| `backend` | accepted | by | refused | over 20 s | median, ms | p99, ms | slowest, ms |")
    print("|---|---|---|---|---|---|---|---|")
    for backend in sys.argv[3:] or ("xgrammar", "guidance", "auto", "weir"):
        worker, results, times, over = None, [], [], 0
        for case in [{"schema": True}, *sample]:  # the first warms up
            if worker is None:
                pipe, inner = multiprocessing.Pipe()
                worker = multiprocessing.get_context("spawn").Process(target=check_schemas, args=(backend, inner))
                worker.start()
                pipe.send({"type": "boolean"})
                pipe.recv()
            pipe.send(case["schema"])
            if not pipe.poll(LIMIT_S):
                worker.kill()
                worker, over = None, over + 1
                continue
            chosen, seconds = pipe.recv()
            if "id" in case:
                results.append((case["id"], chosen))
                times.append(1000 * seconds)
        worker.kill()
        by = {name: sum(chosen == name for _, chosen in results) for name in sorted({chosen for _, chosen in results})
              if not name.startswith("refused")}
        refused = [(name, chosen) for name, chosen in results if chosen.startswith("refused")]
        print(f"| {backend} | {sum(by.values())} | {', '.join(f'{name} {count}' for name, count in by.items())} | "
              f"{len(refused)} | {over} | {statistics.median(times):.2f} | {sorted(times)[len(times) * 99 // 100]:.1f} | "
              f"{max(times):.0f} |", flush=True)
        if backend == "weir":
            print("\nRefused by weir:\n\n" + "\n".join(f"- {name}: {chosen[9:]}" for name, chosen in refused))


def start_backend(backend, data, pipe):
    """Sends the wall time and the processor time, in seconds, of each part of a start."""
    import vllm.v1.structured_output as module

    tokenizer = large_tokenizer(data)
    module.cached_tokenizer_from_config = lambda model_config: tokenizer
    tokenizer.encode("a")
    times = []

    def timed(part):
        begun, begun_used = time.perf_counter(), time.process_time()
        result = part()
        times.append((time.perf_counter() - begun, time.process_time() - begun_used))
        return result

    def register():
        if backend == "weir":
            from weir.integrations import vllm as weir_vllm

            weir_vllm.register()

    timed(register)
    config = configuration(backend, 1)
    timed(lambda: validated(tokenizer, config, {"type": "boolean"}))
    manager = module.StructuredOutputManager(config)
    timed(lambda: requests_at(manager, tokenizer, [({"type": "boolean"}, [])]))
    pipe.send(times)


def start(data):
    backends = tuple(sys.argv[3:]) or ("xgrammar", "weir")
    results = {backend: [] for backend in backends}
    for _ in range(3):
        for backend in backends:
            pipe, inner = multiprocessing.Pipe()
            worker = multiprocessing.get_context("spawn").Process(target=start_backend, args=(backend, data, inner))
            worker.start()
            inner.close()  # if the worker dies, recv raises EOFError
            results[backend].append(pipe.recv())
            worker.join()
    print("Milliseconds, least of 3 processes: wall (processor).\n")
    print("| backend | plugin | front end: first request | engine: first request | sum of the processor times |")
    print("|---|---|---|---|---|")
    for backend, runs in results.items():
        parts = [[min(1000 * run[part][kind] for run in runs) for kind in range(2)] for part in range(3)]
        print(f"| {backend} | " + " | ".join(f"{wall:.0f} ({used:.0f})" for wall, used in parts)
              + f" | {sum(used for _, used in parts):.0f} |")


RECORD = {"type": "object", "properties": {"n": {"enum": [1, 22]}, "text": {"type": "string"}}, "required": ["n"],
          "additionalProperties": False}
TAG = {"type": "structural_tag", "format": {"type": "tag", "begin": "<a>", "end": "</a>",
                                            "content": {"type": "json_schema", "json_schema": RECORD}}}
RIGHT = ("valid", "unchecked", "cut", "refused")
REQUESTS = [  # a kind, a constraint, and what its outputs are
    ("regex", {"regex": r"\d{3}-[ab]{2,}"}, re.compile(r"\d{3}-[ab]{2,}").fullmatch),
    ("choice", {"choice": ["yes", "no", "perhaps"]}, ["yes", "no", "perhaps"].__contains__),
    ("ebnf", {"grammar": 'root ::= ("a" | "b"){3,} "."'}, re.compile("[ab]{3,}[.]").fullmatch),
    ("lark", {"grammar": 'start: WORD ("," WORD)* "!"\nWORD: /[ab]{2}/'}, re.compile("[ab]{2}(,[ab]{2})*!").fullmatch),
    ("structural_tag", {"structural_tag": json.dumps(TAG)}, lambda text: json.loads(text[3:-4])["n"] in (1, 22)),
]


def with_ecma_dots(schema):
    """Returns a schema with patterns in which `.` excludes what it excludes in ECMA-262, as JSON Schema has it: `\\n`,
    `\\r`, U+2028 and U+2029. To jsonschema_rs `.` excludes only `\\n`."""
    def rewritten(pattern):
        return re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]|\.",
                      lambda part: r"[^\n\r\u2028\u2029]" if part[0] == "." else part[0], pattern, flags=re.DOTALL)

    if isinstance(schema, list):
        return [with_ecma_dots(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for key, value in schema.items():
        if key == "pattern" and isinstance(value, str):
            made[key] = rewritten(value)
        elif key == "patternProperties" and isinstance(value, dict):
            made[key] = {rewritten(name): with_ecma_dots(each) for name, each in value.items()}
        else:
            made[key] = value if key in ("const", "enum") else with_ecma_dots(value)
    return made


def soak_request(server, schemas, number):
    """Sends one request. Returns its kind and what became of it: one of RIGHT ("cut": by max_tokens), or what is wrong."""
    import jsonschema_rs

    rng = random.Random(number)
    most = rng.choice([30, 100, 300])
    turn = number % 12
    if turn == 0:  # a wrong request
        status, answer = server.post("completions", prompt="Write.", max_tokens=most,
                                     structured_outputs={"regex": f"a({number}"})
        return "wrong", "refused" if status == 400 and "line 1" in answer["error"]["message"] else f"{status} {answer}"
    if turn == 1:
        tool = {"type": "function", "function": {"name": "set", "parameters": RECORD, "strict": True}}
        status, answer = server.chat(tools=[tool], tool_choice="required", max_tokens=300, seed=number)
        calls = answer["choices"][0]["message"]["tool_calls"] if status == 200 else []
        arguments = [json.loads(call["function"]["arguments"]) for call in calls]
        is_valid = arguments and all(jsonschema_rs.is_valid(RECORD, value) for value in arguments)
        return "tool", "valid" if is_valid else f"{status} {answer}"
    if turn < 2 + len(REQUESTS):
        kind, constraint, is_valid = REQUESTS[turn - 2]
    else:
        kind, schema = "json", schemas[number // 32 % len(schemas) if number % 32 == 7 else rng.randrange(200)]
        constraint = {"json": schema}

        def is_valid(text):
            value = json.loads(text)
            try:
                return jsonschema_rs.validator_for(with_ecma_dots(schema), validate_formats=False).is_valid(value)
            except ValueError:  # the validator cannot read the schema
                return None
    status, answer = server.post("completions", prompt="Write.", temperature=1, seed=number, max_tokens=most,
                                 structured_outputs=constraint)
    if status == 400:  # no output of this schema has so few tokens, or no value is valid
        message = answer["error"]["message"]
        return kind, "refused" if kind == "json" and message.startswith("weir refuses") else message
    if status != 200:
        return kind, f"{status} {answer}"
    (choice,) = answer["choices"]
    if choice["finish_reason"] == "length":
        return kind, "cut"
    found = is_valid(choice["text"]) if choice["finish_reason"] == "stop" else False
    if found is None and kind == "json":
        return kind, "unchecked"
    return kind, "valid" if found else f"{constraint} {choice}"


def soak(data):
    import psutil

    sys.path.insert(0, str(ROOT / "tests" / "serving"))
    import server as serving

    folder = pathlib.Path(tempfile.mkdtemp())
    server = serving.Server(serving.make_model_folder(folder / "model"), folder / "log", WEIR_VLLM_MAX_TOKENS="1",
                            WEIR_CACHE_MB="64")
    print(f"The server's output is in {folder / 'log'}.", file=sys.stderr)
    schemas = [case["schema"] for case in schema_cases(data)]
    random.Random(0).shuffle(schemas)
    outcomes, wrong, lock = collections.Counter(), [], threading.Lock()
    numbers, begun, memory = itertools.count(), time.monotonic(), []
    until = begun + 60 * float(sys.argv[3])

    def work():
        while time.monotonic() < until:
            with lock:
                number = next(numbers)
            try:
                kind, outcome = soak_request(server, schemas, number)
            except Exception as error:  # no answer, or one that cannot be read
                kind, outcome = "?", repr(error)
            with lock:
                outcomes[kind, outcome if outcome in RIGHT else "wrong"] += 1
                if outcome not in RIGHT:
                    wrong.append((number, kind, outcome))
                    print(*wrong[-1], file=sys.stderr, flush=True)

    def processes():
        root = psutil.Process(server.process.pid)
        return [root, *root.children(recursive=True)]

    with concurrent.futures.ThreadPoolExecutor(serving.AT_ONCE) as pool:
        for _ in range(serving.AT_ONCE):
            pool.submit(work)
        while time.monotonic() < until:
            with lock:
                count = sum(outcomes.values())
            memory.append((time.monotonic() - begun, count,
                           {f"{each.pid}": each.memory_info().rss >> 20 for each in processes()}))
            time.sleep(min(60, max(0.1, until - time.monotonic())))
    seconds, is_up = time.monotonic() - begun, server.process.poll() is None
    server.close()
    print(f"{sum(outcomes.values())} requests in {seconds / 60:.0f} minutes, {serving.AT_ONCE} at once; "
          f"{len(wrong)} wrong or lost; the server {'runs' if is_up else 'DIED'}. It started in "
          f"{server.start_s:.0f} s.\n")
    print("| kind | valid | unchecked | cut | refused | wrong |\n|---|---|---|---|---|---|")
    for kind in sorted({kind for kind, _ in outcomes}):
        print(f"| {kind} | " + " | ".join(str(outcomes[kind, each]) for each in (*RIGHT, "wrong")) + " |")
    print("\nResident memory of the server's processes (front end, engine, worker, and Python's helpers), MiB:\n")
    print("| minute | requests | memory |\n|---|---|---|")
    for place, (at, count, sizes) in enumerate(memory):
        if place < 3 or place % 5 == 0 or place == len(memory) - 1:
            print(f"| {at / 60:.0f} | {count} | {', '.join(str(size) for size in sizes.values())} |")
    for number, kind, outcome in wrong[:20]:
        print(f"\n- {number}, {kind}: {outcome[:300]}")


def main():
    import vllm
    import weir

    if sys.argv[1] == "fill":
        from weir.integrations import vllm as weir_vllm

        weir_vllm.register()
    print(f"vLLM {vllm.__version__}, weir {weir.__version__}, Python {platform.python_version()}.\n")
    {"fill": fill, "schemas": schemas, "start": start, "soak": soak}[sys.argv[1]](pathlib.Path(sys.argv[2]))


if __name__ == "__main__":
    main()
