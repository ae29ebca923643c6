#!/usr/bin/env python3
"""Makes data/model from the output of train.py: the weights as float16, and reference logits for tests of other
inference.

Usage: python3 tools/train_model/export.py WORK_DIRECTORY [OUTPUT_DIRECTORY]
"""

import pathlib
import shutil
import sys

import torch
import transformers
from examples import Examples
from tokenizers import Tokenizer

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = 4
CHECKED_TEXTS = 3
CHECKED_LOGITS = 16  # number of logits of the last token that are written


def reference(model, tokenizer):
    """Returns lines for tests: the tokens of a text, a colon, and the first logits after it, computed in float32."""
    lines = []
    source = Examples(SEED)
    for _ in range(CHECKED_TEXTS):
        ids = tokenizer.encode(next(source).prompt()).ids
        with torch.no_grad():
            logits = model(torch.tensor([ids])).logits[0, -1, :CHECKED_LOGITS]
        lines.append(" ".join(map(str, ids)) + " : " + " ".join(f"{logit:.5f}" for logit in logits.tolist()))
    return "\n".join(lines) + "\n"


def main():
    source = pathlib.Path(sys.argv[1]) / "best"
    output = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "data" / "model"
    output.mkdir(parents=True, exist_ok=True)
    model = transformers.LlamaForCausalLM.from_pretrained(source, dtype=torch.float16)
    model.save_pretrained(output)
    for name in ("tokenizer.json", "training.json"):
        shutil.copyfile(source / name, output / name)
    tokenizer = Tokenizer.from_file(str(output / "tokenizer.json"))
    (output / "reference_logits.txt").write_text(reference(model.float(), tokenizer))
    for file in output.iterdir():
        file.chmod(0o644)


if __name__ == "__main__":
    main()
