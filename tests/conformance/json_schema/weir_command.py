"""Runs `build/weir` for the tests of this directory."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
UNANSWERED = "unanswered"
SKIPPED = 77  # ctest reports this exit status as "Skipped".


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def shared_data(*parts):
    """Returns a path in the directory of larger collections. If it is missing, ends the program as skipped."""
    path = pathlib.Path(os.environ.get("WEIR_SHARED_DATA") or ROOT.parent / "shared" / "data").joinpath(*parts)
    if not path.exists():
        skip(f"{path} is absent; WEIR_SHARED_DATA says where the data is")
    return path


def run_cases(weir, cases, options=(), jobs=2):
    """Returns the result of `weir cases` for each case, in order. `jobs` processes share the cases."""
    cases = list(cases)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        parts = list(pool.map(lambda part: _run_part(weir, cases[part::jobs], options), range(jobs)))
    results = [None] * len(cases)
    for part, lines in enumerate(parts):
        results[part::jobs] = lines
    return results


def _run_part(weir, cases, options):
    with tempfile.TemporaryDirectory() as directory:
        path, out = pathlib.Path(directory) / "cases.jsonl", pathlib.Path(directory) / "results.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for case in cases:
                file.write(json.dumps(case, ensure_ascii=False) + "\n")
        command = [os.path.abspath(weir), "cases", str(path), "--out", str(out), "--json", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(command[:2])} ended with {done.returncode}:\n{done.stderr}")
        with out.open(encoding="utf-8") as file:
            results = [json.loads(line) for line in file]
        if len(results) != len(cases):
            sys.exit(f"{len(results)} results for {len(cases)} cases")
        return results


def generate(weir, schema, count, options=(), seed=0, timeout=60, tokens=256):
    """Returns (members of the schema's language, ""), or (None, the reason).

    The reason begins with UNANSWERED if weir exceeded the time, a limit or the number of tokens, which is not an error.
    """
    command = [os.path.abspath(weir), "generate", "--schema", "-", "--count", str(count), "--seed", str(seed),
               "--max-tokens", str(tokens), "-0", "--quiet", *options]
    try:
        text = json.dumps(schema).encode()
        done = subprocess.run(command, input=text, capture_output=True, check=False, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, f"{UNANSWERED}: {timeout} s"
    if done.returncode < 0:
        return None, f"ended by signal {-done.returncode}"
    if done.returncode != 0:
        message = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1]
        is_unanswered = "no member fits" in message or "limit exceeded" in message or "exceeds the limit" in message
        return None, f"{UNANSWERED}: {message}" if is_unanswered else message
    return [text.decode("utf-8") for text in done.stdout.split(b"\0")[:-1]], ""
