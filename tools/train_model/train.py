#!/usr/bin/env python3
"""Trains the small model in data/model, its tokenizer first, on the texts of examples.py.

Usage: python3 tools/train_model/train.py WORK_DIRECTORY [--steps N] [--minutes N] [--threads N]

Training ends after N steps or minutes, whichever comes first; the learning rate decreases towards that end. Needs the
packages in requirements.txt. Whenever the loss on validation texts improves, the model is written to
WORK_DIRECTORY/best, from which export.py makes data/model. Seeds and texts are fixed; another number of threads or
another version of torch may round differently.

The model is transformers' Llama with four layers of width 192. Its initial weights contain a head that copies
(copying.py). Batches hold examples of similar length, padded at the end, so attention needs only a causal mask.
Matrices inside the layers are trained with Muon, all other parameters with AdamW.
"""

import argparse
import json
import pathlib
import time

import torch
import transformers
from copying import put_in
from examples import SPECIAL_TOKENS, Examples
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

VOCAB_SIZE = 1536
WIDTH, LAYERS, HEADS, INNER = 192, 4, 4, 384
LONGEST = 384  # tokens of prompt and document
BATCH_TOKENS = 2048
POOL = 1024  # examples drawn at a time and sorted by length
SEEDS = {"tokenizer": 1, "validation": 2, "training": 3}  # demonstrations and tests use others
WARM_UP = 30
PROMPT_WEIGHT = 0.25  # weight of a prompt's tokens in the loss
MUON_RATE, ADAM_RATE = 0.02, 0.003


def train_tokenizer():
    """Trains a byte-level BPE with GPT-2's pattern, which all readers of tokenizer files support."""
    source = Examples(SEEDS["tokenizer"])
    texts = []
    for _ in range(20000):
        example = next(source)
        texts.append(example.prompt() + example.answer())
    for token in SPECIAL_TOKENS:
        texts = [text.replace(token, "\n") for text in texts]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=VOCAB_SIZE - len(SPECIAL_TOKENS), show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens(SPECIAL_TOKENS)
    return tokenizer


def new_model(tokenizer):
    torch.manual_seed(0)
    end = tokenizer.token_to_id("<|end|>")
    config = transformers.LlamaConfig(
        vocab_size=VOCAB_SIZE, hidden_size=WIDTH, intermediate_size=INNER, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, num_key_value_heads=HEADS, max_position_embeddings=1024, tie_word_embeddings=True,
        rope_parameters={"rope_type": "default", "rope_theta": 100000.0},
        bos_token_id=None, eos_token_id=end, pad_token_id=end, attn_implementation="eager")  # faster on CPUs, backwards
    model = transformers.LlamaForCausalLM(config)
    put_in(model)
    return model


class Batches:
    """An endless sequence of (token ids, weights of the tokens in the loss), as tensors."""

    def __init__(self, tokenizer, seed):
        self.tokenizer = tokenizer
        self.source = Examples(seed)
        self.order = torch.Generator().manual_seed(seed)
        self.end = tokenizer.token_to_id("<|end|>")

    def encoded(self):
        """Returns the ids of an example, and the number of those in its prompt."""
        while True:
            example = next(self.source)
            prompt = self.tokenizer.encode(example.prompt()).ids
            answer = self.tokenizer.encode(example.answer()).ids
            if len(prompt) + len(answer) <= LONGEST:
                return prompt + answer, len(prompt)

    def tensors(self, rows):
        longest = max(len(ids) for ids, _ in rows)
        ids = torch.full((len(rows), longest), self.end)
        weights = torch.zeros((len(rows), longest))
        for row, (tokens, prompt) in enumerate(rows):
            ids[row, :len(tokens)] = torch.tensor(tokens)
            weights[row, 1:prompt] = PROMPT_WEIGHT
            weights[row, prompt:len(tokens)] = 1.0
        return ids, weights

    def pool(self):
        """Returns the batches of one pool of examples, in random order."""
        rows = sorted((self.encoded() for _ in range(POOL)), key=lambda row: len(row[0]))
        batches, start = [], 0
        for stop in range(1, len(rows) + 1):
            if stop == len(rows) or len(rows[stop][0]) * (stop + 1 - start) > BATCH_TOKENS:
                batches.append(self.tensors(rows[start:stop]))
                start = stop
        return [batches[i] for i in torch.randperm(len(batches), generator=self.order)]

    def __iter__(self):
        while True:
            yield from self.pool()


def loss_of(model, ids, weights):
    """Returns the weighted mean loss over tokens. Logits are computed only for tokens with a weight."""
    counts = weights[:, 1:] > 0
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = model.model(input_ids=ids[:, :-1], use_cache=False).last_hidden_state
        logits = model.lm_head(hidden[counts])
    losses = torch.nn.functional.cross_entropy(logits.float(), ids[:, 1:][counts], reduction="none")
    return (losses * weights[:, 1:][counts]).sum() / weights.sum()


@torch.no_grad()
def validation_loss(model, batches):
    """Returns the loss of documents only, without their prompts."""
    documents = [(ids, (weights == 1).float()) for ids, weights in batches]
    total = sum(loss_of(model, ids, weights).item() * weights.sum().item() for ids, weights in documents)
    return total / sum(weights.sum().item() for _, weights in documents)


def optimizers_of(model):
    matrices = [p for p in model.model.layers.parameters() if p.ndim == 2]
    others = [p for p in model.parameters() if all(p is not matrix for matrix in matrices)]
    return [torch.optim.Muon(matrices, lr=MUON_RATE, weight_decay=0.01, adjust_lr_fn="original"),
            torch.optim.AdamW(others, lr=ADAM_RATE, betas=(0.9, 0.98), weight_decay=0.0)]


def rate(step, done):
    """Returns the factor of the learning rate: a short warm-up, constant for the first half, then down to a
    hundredth."""
    return min(1.0, (step + 1) / WARM_UP) * max(0.01, min(1.0, 2.0 * (1.0 - done)))


def save(model, tokenizer, directory, facts):
    model.save_pretrained(directory)
    tokenizer.save(str(directory / "tokenizer.json"))
    (directory / "training.json").write_text(json.dumps(facts, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    tokenizer_file = arguments.directory / "tokenizer.json"
    if not tokenizer_file.exists():
        arguments.directory.mkdir(parents=True, exist_ok=True)
        train_tokenizer().save(str(tokenizer_file))
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    model = new_model(tokenizer)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters", flush=True)
    validation = Batches(tokenizer, SEEDS["validation"]).pool()[:6]
    optimizers = optimizers_of(model)
    bases = [[group["lr"] for group in optimizer.param_groups] for optimizer in optimizers]
    best, tokens, begin = float("inf"), 0, time.monotonic()
    for step, (ids, weights) in enumerate(Batches(tokenizer, SEEDS["training"])):
        minutes = (time.monotonic() - begin) / 60
        done = max((step + 1) / arguments.steps, minutes / arguments.minutes)
        for optimizer, rates in zip(optimizers, bases):
            for group, base in zip(optimizer.param_groups, rates):
                group["lr"] = base * rate(step, done)
        loss = loss_of(model, ids, weights)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()
        tokens += ids.numel()
        if (step + 1) % 25 == 0:
            print(f"step {step + 1} loss {loss.item():.3f} {time.monotonic() - begin:.0f} s, "
                  f"{tokens / (time.monotonic() - begin):.0f} tokens/s", flush=True)
        if (step + 1) % 100 == 0 or done >= 1:
            held_out = validation_loss(model, validation)
            print(f"  held out {held_out:.4f}", flush=True)
            if held_out < best:
                best = held_out
                save(model, tokenizer, arguments.directory / "best", {
                    "steps": step + 1, "tokens": tokens,
                    "validation_loss": round(best, 4), "minutes": round(minutes, 1),
                    "torch": torch.__version__, "transformers": transformers.__version__})
        if done >= 1:
            return


if __name__ == "__main__":
    main()
