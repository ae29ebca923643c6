"""Compares backends of structured outputs in vLLM: python bench/serving.py fill|schemas DATA_DIRECTORY [BACKEND...]

Runs in the environment of tests/serving/run.sh and writes Markdown. DATA_DIRECTORY has `maskbench-dev.jsonl.xz` and
`tokenizers/cl100k_base.tiktoken`.

fill      measures StructuredOutputManager.grammar_bitmask for 256 requests of 32 schemas, each at some position in a
          valid document. The masks are warm: every backend has computed them before. Backends take turns.
schemas   measures how the front end treats 1,500 random schemas: accepted, refused, times. Each backend has a process
          of its own, which is restarted when a schema takes more than 20 s.
"""

import json
import lzma
import multiprocessing
import pathlib
import platform
import random
import statistics
import sys
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


def main():
    import vllm
    import weir

    if sys.argv[1] == "fill":
        from weir.integrations import vllm as weir_vllm

        weir_vllm.register()
    print(f"vLLM {vllm.__version__}, weir {weir.__version__}, Python {platform.python_version()}.\n")
    {"fill": fill, "schemas": schemas}[sys.argv[1]](pathlib.Path(sys.argv[2]))


if __name__ == "__main__":
    main()
