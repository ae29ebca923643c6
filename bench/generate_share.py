#!/usr/bin/env python3
"""Measures weir's share of the time of transformers' generate() with the small model of data/model, and prints a table
in Markdown.

Usage: bench/generate_share.py      with a Python that has the package weir, torch and transformers

Generates from every prompt of the example by sampling, one by one and as one batch, each prompt with its own grammar.
Times are processor times of one thread. A small model is the worst case: a larger one takes longer for a step, but weir
does not. The first pass explores the grammars (cold); the others reuse the result (warm).
"""

import pathlib
import platform
import subprocess
import time

import torch
import transformers

import weir
from python_calls import processor
from weir.integrations.transformers import GrammarLogitsProcessor, tokenizer_info

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = ROOT / "data/model"
LONGEST = 120


class Timed(GrammarLogitsProcessor):
    """Counts the calls of a function and sums their times."""

    seconds, calls = 0.0, 0

    def __call__(self, input_ids, scores):
        begin = time.process_time()
        masked = super().__call__(input_ids, scores)
        self.seconds += time.process_time() - begin
        self.calls += 1
        return masked


def prompt_of(file):
    text = file.with_suffix(".txt")
    head = "<|text|>" + text.read_text().rstrip("\n") if text.exists() else ""
    return f"{head}<|schema|>{file.read_text().rstrip()}<|json|>"


def run(model, tokenizer, prompts, grammars):
    """Returns the number of steps, the total seconds, and the seconds in weir."""
    inputs = tokenizer(prompts, return_tensors="pt", padding=True, return_token_type_ids=False)
    processor = Timed(grammars)
    begin = time.process_time()
    model.generate(**inputs, do_sample=True, top_k=0, max_new_tokens=LONGEST, pad_token_id=tokenizer.pad_token_id,
                   logits_processor=[processor])
    return processor.calls, time.process_time() - begin, processor.seconds


def main():
    torch.set_num_threads(1)
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(MODEL / "tokenizer.json"), eos_token="<|end|>",
                                                    pad_token="<|end|>", padding_side="left")
    model = transformers.LlamaForCausalLM.from_pretrained(MODEL, dtype=torch.float32).eval()
    files = sorted((ROOT / "examples/language_model/prompts").glob("*.json"))
    prompts = [prompt_of(file) for file in files]
    compiler = weir.GrammarCompiler(tokenizer_info(tokenizer, model))
    grammars = [compiler.compile_json_schema(file.read_text(), whitespace="compact") for file in files]
    generate_alone = [([prompt], [grammar]) for prompt, grammar in zip(prompts, grammars)]
    run(model, tokenizer, prompts[:1], [compiler.compile_regex("[a-z]{20}")])  # warms up torch
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True,
                            check=True).stdout.strip()
    print("# generate() with weir\n")
    print(f"weir {weir.__version__} at {commit}, torch {torch.__version__}, transformers {transformers.__version__}, "
          f"Python {platform.python_version()}. Processor: {processor()}.\n")
    print("| batch | | steps | ms a step | of them weir's | share |")
    print("|---|---|---|---|---|---|")
    batches_of = [("1", "cold", generate_alone), ("1", "warm", generate_alone),
                  (str(len(prompts)), "warm", [(prompts, grammars)])]
    for name, state, batches in batches_of:
        torch.manual_seed(1)
        runs = [run(model, tokenizer, *batch) for batch in batches]
        steps, all_, ours = (sum(column) for column in zip(*runs))
        print(f"| {name} | {state} | {steps} | {1000 * all_ / steps:.2f} | {1000 * ours / steps:.3f} | "
              f"{100 * ours / all_:.1f} % |")


if __name__ == "__main__":
    main()
