"""weir's tokenizers, read through the program dump_tokenizer, and functions that compare them with other libraries."""

import json
import os
import pathlib
import random
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]

# Each line is one text. Tokenizers tend to disagree about these texts.
TEXTS = [
    "",
    " ",
    "  ",
    "   \t \n",
    "\n",
    "\n\n\n",
    "\t\tx",
    "a",
    " a",
    "  a",
    "a ",
    "a  b   c    d",
    "Hello, world!",
    "Hello world, it's 12345 o'clock; I've said we'll see. DON'T!",
    "The quick brown fox jumps over the lazy dog. " * 3,
    "你好，世界！今天天气很好，我们去公园散步吧。",
    "東京タワーは高さ333メートルです。ｶﾀｶﾅ ﾊﾝｶｸ",
    "한국어 문장도 있습니다.",
    "Привет, мир! Ёлка и съезд.",
    "مرحبا بالعالم ١٢٣",
    "हिन्दी में लिखा हुआ",
    "ភាសាខ្មែរ",
    "naïve café résumé Ångström ﬁne ½ ² № ℌ",
    "e\u0301 a\u0308\u0323 n\u0303 \u0301alone",
    "👩‍💻👨‍👩‍👧‍👦🏳️‍🌈 🦙 😶‍🌫️",
    "🚀 (normal) ✅",
    "def f(x: int) -> str:\n    return f'{x!r}' if x else \"\"\n\n\n\t# done\n",
    "for (size_t i = 0; i < n; ++i) { a[i] ^= b[i] << 3; }",
    '{"name": "x", "values": [1, 2.5e-3, null, true], "nested": {"k": "\\u00e9"}}',
    "SELECT * FROM t WHERE a<>'b' AND c>=10;",
    "https://example.org/path?q=1&r=%20#top user@example.org",
    "a\x00b\x01c\x7f\x80\x9f\u200b\u200e\ufeff\u2028x",
    "tabs\tand\rreturns\r\nand\x0bothers\x0c",
    "\u00a0no-break\u2009thin\u3000wide spaces",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "=" * 70,
    "\u2581escaped\u2581already",
    "##ing ##s [x] <0x41> <y>",
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "1 22 333 4444 55555 666666 3.14159 1,000,000 0xDEADBEEF",
]


def random_texts(count=300, seed=7):
    """Returns texts of parts of TEXTS and of single characters of all kinds."""
    rng = random.Random(seed)
    characters = " \t\n\r'\"-_.,;:!?()[]{}<>/\\|@#$%^&*+=~`0123456789aAbBzZéßñçøıſßΣςДжאبकािงกំ한글ㄱ你好々〆ーカｶ、。「」！？～①½²Ⅷﬁ㌔\u00a0\u2009\u3000\u200d\u200b\u0301\u0323\ufe0f🦙👩🏽"
    texts = []
    for _ in range(count):
        text = ""
        for _ in range(rng.randrange(1, 12)):
            dice = rng.random()
            if dice < 0.4:
                source = rng.choice(TEXTS)
                begin = rng.randrange(len(source) + 1)
                text += source[begin:begin + rng.randrange(1, 12)]
            elif dice < 0.9:
                text += "".join(rng.choices(characters, k=rng.randrange(1, 5)))
            else:
                text += rng.choice(characters) * rng.randrange(2, 20)
        texts.append(text.replace("\x00", ""))
    return texts


def corpus():
    """Returns lines to train on: the repository's own files, and TEXTS."""
    paths = sorted(REPOSITORY.glob("*.md")) + sorted(REPOSITORY.glob("docs/*.md")) + sorted(REPOSITORY.glob("tools/*.py"))
    paths += sorted(REPOSITORY.glob("include/weir/*.h"))
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").split("\n")]
    return [line for line in lines + TEXTS * 5 if line.strip() and "\x00" not in line]


class Weir:
    """One tokenizer file, read by weir."""

    def __init__(self, path):
        self.path = str(path)
        lines = self._run("vocabulary", "").splitlines()
        self.tokens = [json.loads(line) for line in lines]
        for token in self.tokens:
            token["bytes"] = bytes.fromhex(token["bytes"])
            token["first"] = bytes.fromhex(token["first"])

    def _run(self, mode, text):
        program = os.environ["WEIR_DUMP_TOKENIZER"]
        done = subprocess.run([program, self.path, mode], input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"dump_tokenizer {self.path} {mode}: {done.stderr}"
        return done.stdout

    def tokenize(self, texts):
        """Returns the ids of each text; for an error, its message."""
        answers = self._run("tokenize", "".join(text.encode("utf-8").hex() + "\n" for text in texts)).splitlines()
        assert len(answers) == len(texts)
        return [answer.get("ids", answer.get("error")) for answer in map(json.loads, answers)]

    def decode(self, sequences):
        """Returns the bytes of each sequence of ids."""
        lines = "".join(" ".join(map(str, ids)) + "\n" for ids in sequences)
        answers = self._run("decode", lines).splitlines()
        assert len(answers) == len(sequences)
        return [bytes.fromhex(answer) for answer in answers]

    def are_canonical(self, sequences):
        """Returns for each sequence of ids whether it is canonical; or a message if canonical mode is not supported."""
        lines = "".join(" ".join(map(str, ids)) + "\n" for ids in sequences)
        head, *answers = self._run("canonical", lines).splitlines()
        support = json.loads(head)
        if not support["supported"]:
            return support["reason"]
        assert len(answers) == len(sequences)
        return [answer == "yes" for answer in answers]

    def canonical_support(self):
        """Returns (number of tokens that are never written, number of hypotheses of the piece automaton, number of
        characters after a boundary on which it may depend; None for any number); or a message if canonical mode is not
        supported."""
        support = json.loads(self._run("canonical", ""))
        if not support["supported"]:
            return support["reason"]
        return support["unwritten"], support["hypotheses"], support["look_ahead"]

    def ids_of_kind(self, *kinds):
        return [token["id"] for token in self.tokens if token["kind"] in kinds]


def random_sequences(weir, count=400, seed=1, exclude=(), specials=True):
    """Returns random ids. Byte tokens come in runs that spell a character; libraries differ on other runs."""
    rng = random.Random(seed)
    normal = [i for i in weir.ids_of_kind("normal") if i not in exclude]
    special = [i for i in weir.ids_of_kind("special") if i not in exclude] if specials else []
    spaces = [i for i in normal if weir.tokens[i]["bytes"].startswith(b" ")]
    byte_ids = {weir.tokens[i]["bytes"]: i for i in weir.ids_of_kind("byte")}
    sequences = []
    for _ in range(count):
        ids = []
        for _ in range(rng.randrange(1, 9)):
            dice = rng.random()
            if dice < 0.1 and len(byte_ids) == 256:
                character = rng.choice("a é€你🦙\n \u0301")
                ids += [byte_ids[bytes([byte])] for byte in character.encode("utf-8")]
            elif dice < 0.2 and special:
                ids.append(rng.choice(special))
            elif dice < 0.5 and spaces:
                ids.append(rng.choice(spaces))
            else:
                ids.append(rng.choice(normal))
        sequences.append(ids)
    # Each token once as the first and once after another token.
    sequences += [[i] for i in normal] + [[normal[-1], i] for i in normal]
    return sequences


def check_tokenization(weir, encode, texts=None):
    """Checks that weir's ids for all texts are those of `encode`. On failure, shows all texts that differ."""
    texts = TEXTS + random_texts() if texts is None else texts
    ours = weir.tokenize(texts)
    different = [(text, got, want) for text, got, want in zip(texts, ours, map(encode, texts)) if got != want]
    assert not different, "\n".join(f"{text!r}:\n  weir     {got}\n  original {want}" for text, got, want in different)
    check_canonical(weir, encode, [ids for ids in ours if isinstance(ids, list)])


def other_segmentations(weir, ids, rng, by_bytes, count=6):
    """Returns other segmentations of the same bytes: one token split in two, or two tokens joined."""
    others = []
    for _ in range(count if ids else 0):
        at = rng.randrange(len(ids))
        data = weir.tokens[ids[at]]["bytes"]
        if rng.random() < 0.5 and at + 1 < len(ids):
            data += weir.tokens[ids[at + 1]]["bytes"]
            for whole in by_bytes.get(data, []):
                others.append(ids[:at] + [whole] + ids[at + 2:])
        elif len(data) > 1:
            cut = rng.randrange(1, len(data))
            for left in by_bytes.get(data[:cut], [])[:2]:
                for right in by_bytes.get(data[cut:], [])[:2]:
                    others.append(ids[:at] + [left, right] + ids[at + 1:])
    return [other for other in others if other != ids]


def check_canonical(weir, encode, sequences, seed=3):
    """Checks that a sequence is canonical iff `encode` writes it for its own text, if canonical mode is supported."""
    rng = random.Random(seed)
    by_bytes = {}
    for token in weir.tokens:
        if token["kind"] in ("normal", "byte") and token["bytes"]:
            by_bytes.setdefault(token["bytes"], []).append(token["id"])
    sequences = sequences + [other for ids in sequences for other in other_segmentations(weir, ids, rng, by_bytes)]
    answers = weir.are_canonical(sequences)
    if isinstance(answers, str):
        print("no canonical mode:", answers)
        return
    different = []
    for ids, data, canonical in zip(sequences, weir.decode(sequences), answers):
        try:
            expected = encode(data.decode("utf-8")) == ids
        except UnicodeDecodeError:
            expected = False
        if canonical != expected:
            different.append((ids, data, canonical))
    assert not different, f"{len(different)} of {len(sequences)} differ\n" + "\n".join(
        f"{data!r}: {[weir.tokens[i]['name'] for i in ids]} canonical: {canonical}" for ids, data, canonical in different[:10])
    assert sum(answers) > len(answers) / 20


def check_decoding(weir, decode, sequences):
    """Checks that weir's bytes are the text of `decode`, with U+FFFD for invalid UTF-8."""
    different = []
    for ids, data in zip(sequences, weir.decode(sequences)):
        got, want = data.decode("utf-8", errors="replace"), decode(ids)
        if got != want:
            different.append((ids, got, want))
    assert not different, f"{len(different)} differ\n" + "\n".join(
        f"{ids} {[weir.tokens[i]['name'] for i in ids]}:\n  weir     {got!r}\n  original {want!r}"
        for ids, got, want in different[:20])


def check_pieces(weir):
    """Checks that the text of a sequence is the concatenation of the tokens' bytes: decoding is a homomorphism, except
    for the first token.

    After a first token that adds no bytes, some tokenizers treat the next token as the first, too.
    """
    sequences = random_sequences(weir, count=50, seed=2)[:50]
    for ids, data in zip(sequences, weir.decode(sequences)):
        once, repeated, started = b"", b"", False
        for i in ids:
            token = weir.tokens[i]
            if token["kind"] not in ("normal", "byte"):
                continue
            once += token["bytes" if started else "first"]
            repeated += token["bytes" if repeated else "first"]
            started = True
        assert data in (once, repeated), ids
