#!/usr/bin/env python3
"""Trains weir's embedded default tokenizer: a byte-level BPE of 8,192 tokens, for demonstrations and tests.

Usage: python3 tools/train_default_tokenizer.py [--check]
    --check   trains, compares with the committed file, changes nothing

It creates a virtual environment with the pinned `tokenizers` package (so it needs python3-venv, and a package index
once), and writes data/default_tokenizer/tokenizer.json and MANIFEST.json. Training is deterministic: the same texts
give the same file, and the manifest has the hash of the texts. Building weir does not run it.

The texts, and why they may be used:
  - data/default_tokenizer/multilingual.txt: sentences in some thirty languages, symbols and emoji, written for weir.
  - JSON, tables, markup and prose made by the seeded generators below, written for weir.
  - Parts of Python 3.11's standard library, code and documentation strings (Debian: libpython3.11-stdlib), under the
    Python Software Foundation Licence 2.0, which permits derived works.
  - C++ headers of fmt, nlohmann/json (MIT) and CLI11 (BSD-3-Clause) from Debian's -dev packages.
The file contains only which byte strings are frequent in them, not the texts.
"""

import argparse
import ast
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "data" / "default_tokenizer"
TOKENIZERS_VERSION = "0.21.0"
VOCAB_SIZE = 8192
SPECIAL_TOKENS = ["<|endoftext|>", "<|system|>", "<|user|>", "<|assistant|>", "<|tool_call|>", "<|pad|>"]
SEED = 20240229

PYTHON_LIBRARY = pathlib.Path("/usr/lib/python3.11")
PYTHON_CODE = ["argparse", "ast", "bisect", "calendar", "configparser", "csv", "dataclasses", "datetime", "difflib",
               "email/message", "enum", "fractions", "functools", "heapq", "html/parser", "http/client", "inspect",
               "json/decoder", "json/encoder", "json/scanner", "logging/__init__", "pathlib", "queue", "random",
               "shutil", "sqlite3/dbapi2", "statistics", "string", "subprocess", "textwrap", "threading", "tokenize",
               "typing", "unittest/case", "urllib/parse", "xml/etree/ElementTree"]
PYTHON_PROSE = "pydoc_data/topics.py"
CPP_HEADERS = ["/usr/include/fmt/core.h", "/usr/include/fmt/format.h", "/usr/include/nlohmann/json.hpp",
               "/usr/include/CLI/App.hpp"]

FIRST_NAMES = "Ada Alan Barbara Carlos Chen Elena Emma Fatima Grace Hiroshi Igor Jana John Lena Maria Noam Olga Priya".split()
LAST_NAMES = "Brown Costa Garcia Hansen Ivanova Kim Kowalski Lee Martin Müller Nakamura Novak Okafor Rossi Smith Silva".split()
CITIES = "Amsterdam Berlin Bogotá Cairo Delhi Lagos Lima London Madrid Nairobi Oslo Paris Rome Seoul Sydney Tokyo".split()
NOUNS = """account address answer array author balance book bridge button cache category city color column comment company
content country currency customer date device document email engine error event example field file filter function garden
grammar group height house image index input item key label language length letter level library limit line list location
machine mask message method model module month name network node number object option order output owner page parser
password path pattern person phone picture point price process product profile project property query question record
region report request response result river role room row rule schema score section server service session setting shop
size source state status step street string student style summary system table tag target task team template test text
ticket time title token tool total tree type unit user value vehicle version video water week weight width window word
year zone""".split()
VERBS = """add allow ask build buy call change check choose close compare contain copy count create delete describe draw end
expect explain find follow get give hold keep know learn leave make match measure move need open order parse place print
put read receive refuse remember remove rename replace return run save say search see select send set show sort split
start stop store take tell test try turn update use wait walk want write""".split()
ADJECTIVES = """active available big blue cheap clear common correct current deep default different early easy empty exact
expensive false fast few final first free full global good great green hard high important internal large last late light
local long low main maximum minimum missing near new next normal old open optional possible private public quick quiet
random ready red required right safe same second short simple slow small special strong true unknown valid whole wrong
young""".split()


def code_text():
    """Returns code: each file once, and the documentation strings of Python's library a second time as prose."""
    parts = []
    for name in PYTHON_CODE:
        text = (PYTHON_LIBRARY / f"{name}.py").read_text(encoding="utf-8")
        parts.append(text)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                doc = ast.get_docstring(node)
                if doc:
                    parts.append(doc)
    topics = ast.parse((PYTHON_LIBRARY / PYTHON_PROSE).read_text(encoding="utf-8"))
    parts.extend(node.value for node in ast.walk(topics) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    parts.extend(pathlib.Path(name).read_text(encoding="utf-8") for name in CPP_HEADERS)
    return parts


def is_unspaced(character):
    """Returns True if the character's script is written without spaces between words."""
    name = unicodedata.name(character, "")
    return name.startswith(("CJK", "HIRAGANA", "KATAKANA", "THAI"))


def multilingual_text(rng):
    """Returns the words of the sentences many times; for scripts without spaces, windows of one to three characters.

    So training finds characters and short words instead of memorizing the sentences.
    """
    words = []
    for line in (OUTPUT / "multilingual.txt").read_text(encoding="utf-8").splitlines():
        for word in line.split(" "):
            if not any(is_unspaced(c) for c in word):
                words.extend([word] * 24)
                continue
            for start in range(len(word)):
                words.extend(word[start:start + length] for length in (1, 1, 2, 1, 3))
                words.extend([word[start]] * 30)
    rng.shuffle(words)
    return [" ".join(words[i:i + 16]) for i in range(0, len(words), 16)]


def sentence(rng):
    """Returns a random English sentence."""
    forms = [
        "The {a} {n} and the {n2} {v} every {n3}.",
        "If the {n} is {a}, you should {v} the {n2} before you {v2} it.",
        "We {v} a {n}, then {v2} the {n2}, because the {n3} was not {a}.",
        "What does the {n} {v}, and why is the {n2} so {a}?",
        "{n} {v} {n2}: it's {a}, isn't it? I'd {v2} that.",
        "Do not {v} the {a} {n}; they're going to {v2} it with the {n2} from {c}.",
        "There are {d} {n}s in the {a} {n2}, which {f} {l} will {v} on Monday.",
    ]
    text = rng.choice(forms).format(a=rng.choice(ADJECTIVES), n=rng.choice(NOUNS), n2=rng.choice(NOUNS),
                                    n3=rng.choice(NOUNS), v=rng.choice(VERBS), v2=rng.choice(VERBS),
                                    c=rng.choice(CITIES), d=rng.randrange(2, 2000), f=rng.choice(FIRST_NAMES),
                                    l=rng.choice(LAST_NAMES))
    return text[0].upper() + text[1:]


def property_name(rng):
    words = [rng.choice(NOUNS) for _ in range(rng.choice([1, 1, 1, 2]))]
    if rng.random() < 0.3:
        words.insert(0, rng.choice(ADJECTIVES))
    return "_".join(words) if rng.random() < 0.5 else words[0] + "".join(w.capitalize() for w in words[1:])


def json_string(rng):
    kind = rng.randrange(9)
    if kind == 0:
        return f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"
    if kind == 1:
        return f"{rng.randrange(1990, 2031)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}T{rng.randrange(24):02}:00:00Z"
    if kind == 2:
        return f"https://www.example.{rng.choice(['com', 'org', 'net'])}/{rng.choice(NOUNS)}/{rng.randrange(1000)}"
    if kind == 3:
        return f"{rng.choice(FIRST_NAMES).lower()}.{rng.choice(LAST_NAMES).lower()}@example.com"
    if kind == 4:
        return "".join(rng.choice("0123456789abcdef") for _ in range(12))
    if kind == 5:
        return rng.choice(ADJECTIVES + NOUNS)
    if kind == 6:
        return rng.choice(CITIES)
    return sentence(rng)


def json_value(rng, depth):
    kind = rng.randrange(10) if depth < 4 else rng.randrange(6)
    if kind < 3:
        return json_string(rng)
    if kind == 3:
        return rng.choice([rng.randrange(100), rng.randrange(100000), -rng.randrange(1000)])
    if kind == 4:
        return round(rng.uniform(-100, 1000), rng.randrange(1, 4))
    if kind == 5:
        return rng.choice([True, False, None])
    if kind < 8:
        return [json_value(rng, depth + 1) for _ in range(rng.randrange(5))]
    return {property_name(rng): json_value(rng, depth + 1) for _ in range(rng.randrange(1, 7))}


def json_text(rng):
    """Returns an object in one of the usual layouts: compact, Python's, or indented."""
    value = {property_name(rng): json_value(rng, 1) for _ in range(rng.randrange(2, 9))}
    layout = rng.choice([{"separators": (",", ":")}, {}, {"indent": 2}, {"indent": 4}])
    return json.dumps(value, ensure_ascii=rng.random() < 0.2, **layout)


def other_text(rng):
    """Returns a small text in another syntax for which grammars are common."""
    n, n2, a = rng.choice(NOUNS), rng.choice(NOUNS), rng.choice(ADJECTIVES)
    number = rng.randrange(1000)
    forms = [
        f"SELECT {n}.{n2}, COUNT(*) FROM {n}s WHERE {n}.{a} = {number} AND {n2} IS NOT NULL GROUP BY {n} ORDER BY {n2} DESC LIMIT 10;",
        f"<{n} class=\"{a}\" id=\"{n2}-{number}\"><{n2}>{sentence(rng)}</{n2}></{n}>",
        f"# {n.capitalize()} {n2}\n\n- {sentence(rng)}\n- **{a}** `{n}_{n2}()`\n\n| {n} | {n2} |\n|---|---|\n| {number} | {a} |\n",
        f"{n}:\n  {n2}: {number}\n  {a}: true\n  items:\n    - {n2}\n    - \"{a}\"\n",
        f"function {n}({n2}, {a}) {{\n  const {a}Value = {n2}.map((x) => x * {number});\n  return {a}Value[0] || null;\n}}\n",
        f"int main(int argc, char** argv) {{\n  for (int i = 0; i < {number}; ++i) {{\n    printf(\"%d\\n\", i);\n  }}\n  return 0;\n}}\n",
        f"{rng.randrange(100)} + {rng.randrange(100)} * ({n[0]} - {number}) / {rng.randrange(1, 50)} = {n2[0]}\n",
        f"root ::= {n} | \"{a}\" {n2}*\n{n} ::= [a-z]+ [0-9]{{1,3}}\n",
        f"{n},{n2},{a}\n{number},{rng.choice(CITIES)},{rng.random():.4f}\n",
    ]
    return rng.choice(forms)


def corpus():
    rng = random.Random(SEED)
    parts = code_text()
    parts += multilingual_text(rng)
    parts += [json_text(rng) for _ in range(2500)]
    parts += [other_text(rng) for _ in range(2500)]
    parts += [sentence(rng) for _ in range(2500)]
    return parts


def train(parts):
    """Trains and writes the tokenizer; runs in the virtual environment."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=VOCAB_SIZE - len(SPECIAL_TOKENS), show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), max_token_length=24)
    tokenizer.train_from_iterator(parts, trainer)
    tokenizer.add_special_tokens(SPECIAL_TOKENS)
    return json.loads(tokenizer.to_str())


def write_outputs(directory):
    parts = corpus()
    digest = hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()
    data = train(parts)
    # Merges are written as "a b" strings, without white space: this halves the size, and all readers support the form.
    data["model"]["merges"] = [m if isinstance(m, str) else " ".join(m) for m in data["model"]["merges"]]
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
    (directory / "tokenizer.json").write_text(text, encoding="utf-8")
    manifest = {
        "trained_with": f"tokenizers {TOKENIZERS_VERSION}",
        "vocab_size": len(data["model"]["vocab"]) + len(SPECIAL_TOKENS),
        "corpus_bytes": sum(len(part.encode("utf-8")) for part in parts),
        "corpus_sha256": digest,
        "tokenizer_sha256": hashlib.sha256(text.encode("utf-8")).hexdigest(),
    }
    (directory / "MANIFEST.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(manifest, indent=2))


def run_in_environment(arguments):
    """Runs this file again in a new virtual environment with the pinned trainer."""
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([sys.executable, "-m", "venv", directory], check=True)
        python = pathlib.Path(directory) / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"tokenizers=={TOKENIZERS_VERSION}"], check=True)
        return subprocess.run([python, __file__, "--inside", *arguments], check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the committed file, change nothing")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.inside:
        return run_in_environment(["--check"] if arguments.check else [])
    if not arguments.check:
        write_outputs(OUTPUT)
        return 0
    with tempfile.TemporaryDirectory() as directory:
        write_outputs(pathlib.Path(directory))
        same = all((pathlib.Path(directory) / name).read_bytes() == (OUTPUT / name).read_bytes()
                   for name in ("tokenizer.json", "MANIFEST.json"))
    print("identical" if same else "different from the committed file")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
