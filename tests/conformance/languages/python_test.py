"""Compares data/languages/python.lark with Python's own parser.

WHAT   Three comparisons with `ast.parse`:
       - short texts, one for each construct, which Python 3.13 parses (`python_accepted.txt`) or
         refuses (`python_refused.txt`); one a line, in which `⏎` is a line feed and `␀` a zero byte;
       - files of the library of the Python that runs this: all that it parses are accepted;
       - copies of statements of that library with one character or token changed: those that it parses are accepted,
         and nearly all others are refused, most of them on the line that Python names. What differs is mostly a
         bracket that is never closed: Python names the bracket, and weir the place from which no text goes on.
HOW    A seeded sample; `--all` reads all files and many copies. A text that Python parses and the grammar leaves out on
       purpose is not counted: one without a line feed at its end, and one that does not fit UTF-8.
USAGE  python_test.py WEIR GRAMMAR [--all]
"""

import ast
import io
import pathlib
import random
import subprocess
import sys
import sysconfig
import tempfile
import tokenize
import warnings

# Of the changed copies that Python refuses, this part may be accepted: what Python refuses after parsing, and what only
# newer versions parse, is counted, too.
MOST_ACCEPTED = 0.01
MOST_ACCEPTED_OF_ALL = 0.005
# Of those that both refuse, at least this part is refused on the line that Python names.
LEAST_ON_ITS_LINE = 0.85
BYTES_OF_A_CHANGED_TEXT = 1_500
INSERTED = " \n\t()[]{}:,.;=+-*/'\"\\#@%<>!&|^~0a_"


def cases(name):
    folder = pathlib.Path(__file__).parent
    return [line.replace("⏎", "\n").replace("␀", "\0") + "\n" for line in (folder / name).read_text("utf-8").splitlines()]


ACCEPTED = cases("python_accepted.txt")
REFUSED = cases("python_refused.txt")


def parses(text):
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def is_on_its_line(text, verdict):
    """Returns true if the line of a refusal is that of Python's error."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        return verdict.startswith(f"{error.lineno}:")
    except ValueError:
        return False
    return False


def texts_of_library(all_of_it, rng):
    root = pathlib.Path(sysconfig.get_path("stdlib"))
    files = sorted(path for path in root.rglob("*.py") if "site-packages" not in path.parts and "dist-packages" not in path.parts)
    if not all_of_it:
        files = rng.sample([path for path in files if path.stat().st_size < 30_000], 40)
    for path in files:
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        if text.endswith("\n") and parses(text):
            yield path, text


def statements(texts):
    """Returns short top-level statements, or whole texts that are short."""
    found = []
    for _, text in texts:
        if len(text) < BYTES_OF_A_CHANGED_TEXT:
            found.append(text)
            continue
        lines = text.split("\n")
        for node in ast.parse(text).body:
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
            part = "\n".join(lines[first - 1 : node.end_lineno]) + "\n"
            if 20 <= len(part) < BYTES_OF_A_CHANGED_TEXT and parses(part):
                found.append(part)
    return found


def changed(text, rng):
    """Returns the text with one character or token removed, replaced, or inserted; None if that is not possible."""
    at = rng.randrange(len(text))
    kind = rng.randrange(5)
    if kind == 0:
        return text[:at] + text[at + 1 :]
    if kind == 1:
        return text[:at] + rng.choice(INSERTED) + text[at:]
    if kind == 2:
        return text[:at] + rng.choice(INSERTED) + text[at + 1 :]
    try:
        tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.string.strip()]
    except (tokenize.TokenError, SyntaxError):
        return None
    begins = [0]
    for line in text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    token = rng.choice(tokens)
    begin, end = (begins[line - 1] + column for line, column in (token.start, token.end))
    return text[:begin] + (rng.choice(tokens).string if kind == 4 else "") + text[end:]


def verdicts(weir, grammar, texts):
    """Returns for each text None if it is accepted, or else what weir says."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, text in enumerate(texts):
            names.append(f"{number}.py")
            (pathlib.Path(folder) / names[-1]).write_bytes(text.encode())
        call = [weir, "validate", "--quiet", "--grammar", grammar, "--syntax", "lark", "--exact-splits"]
        found = {}
        for first in range(0, len(names), 500):
            done = subprocess.run([*call, *names[first : first + 500]], cwd=folder, capture_output=True, text=True, errors="replace")
            for line in done.stdout.splitlines() + done.stderr.splitlines():
                name, _, rest = line.partition(":")
                if name.endswith(".py") and name[:-3].isdigit():
                    found.setdefault(int(name[:-3]), None if rest.strip() == "accepted" else rest)
        return [found.get(number, "no verdict") for number in range(len(texts))]


def main():
    weir, grammar = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
    all_of_it = "--all" in sys.argv[3:]
    warnings.simplefilter("ignore")
    rng = random.Random(20)
    failures = []

    for text, verdict in zip(ACCEPTED, verdicts(weir, grammar, ACCEPTED)):
        if verdict is not None:
            failures.append(f"refused: {text!r}: {verdict}")
    for text, verdict in zip(REFUSED, verdicts(weir, grammar, REFUSED)):
        if verdict is None:
            failures.append(f"accepted: {text!r}")

    library = list(texts_of_library(all_of_it, rng))
    for (path, _), verdict in zip(library, verdicts(weir, grammar, [text for _, text in library])):
        if verdict is not None:
            failures.append(f"refused: {path}: {verdict}")

    parts = statements(library)
    texts = []
    while len(texts) < (5_000 if all_of_it else 400):
        part = rng.choice(parts)
        text = changed(part, rng)
        if text is not None and text != part and "\0" not in text:
            texts.append(text)
    is_python = [parses(text) for text in texts]
    wrongly_accepted = []
    found = verdicts(weir, grammar, texts)
    for text, python_parses, verdict in zip(texts, is_python, found):
        if python_parses and verdict is not None and text.endswith("\n"):
            failures.append(f"refused: {text!r}: {verdict}")
        if not python_parses and verdict is None:
            wrongly_accepted.append(text)
    most = MOST_ACCEPTED_OF_ALL if all_of_it else MOST_ACCEPTED
    if len(wrongly_accepted) > most * is_python.count(False):
        failures += [f"accepted: {text!r}" for text in wrongly_accepted]

    refused = [(text, verdict) for text, python_parses, verdict in zip(texts, is_python, found) if not python_parses and verdict]
    on_their_line = sum(is_on_its_line(text, verdict) for text, verdict in refused)
    if on_their_line < LEAST_ON_ITS_LINE * len(refused):
        failures.append(f"only {on_their_line} of {len(refused)} texts are refused on the line that Python names")

    print(f"{len(ACCEPTED) + len(REFUSED)} cases, {len(library)} files, {len(texts)} changed texts, of which Python parses "
          f"{is_python.count(True)}; {len(wrongly_accepted)} of the others were accepted, {on_their_line} of {len(refused)} refused on its line")
    for failure in failures[:50]:
        print(failure)
    return 1 if failures or not library else 0


if __name__ == "__main__":
    sys.exit(main())
