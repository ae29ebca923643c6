#!/usr/bin/env python3
"""Compares weir with Ajv on real schemas and changed documents: ajv_test.py WEIR MODULES [--all] [--seed S] [--changes N]

The schemas are those of SchemaStore's development half, read as their authors mean them (`--reading practice`): Ajv
honours keywords of later drafts and siblings of `$ref` in every draft. The texts are the documents that people wrote and
changed ones: each change takes away, adds, renames or replaces one value. A tenth of the schemas, or all with --all or
WEIR_CONFORMANCE=all in the environment. It is a finding if weir and Ajv differ, unless DIFFERENCES has the cause; if weir
meets a limit; or if weir alone refuses the schema. MODULES is a directory into which npm installs Ajv.
"""

import argparse
import copy
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import zlib

import comparable
import schemastore_test
import weir_command

HERE = pathlib.Path(__file__).resolve().parent / "ajv"

# Why weir and Ajv differ about a schema, by its id.
DIFFERENCES = {
    "cloudify": "a definition refers to itself with nothing in between; Ajv notices it only if a document leads there",
}

REPLACEMENTS = (None, True, False, 0, -1, 1.5, 1000, "", "x", "1", [], {}, [None], {"x": 1})


def places(value, path=()):
    """Yields the path of each value within a value."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def changed(document, rng):
    """Returns the document with one change."""
    root = {"root": copy.deepcopy(document)}
    path = rng.choice([("root", *path) for path in places(document)])
    inside = root
    for key in path[:-1]:
        inside = inside[key]
    key, value = path[-1], inside[path[-1]]
    changes = ["replace"]
    if len(path) > 1:
        changes += ["remove", "remove"]
        changes += ["rename"] if isinstance(inside, dict) else ["repeat"]
    changes += ["add"] if isinstance(value, (dict, list)) else ["edit", "edit"]
    change = rng.choice(changes)
    if change == "remove":
        del inside[key]
    elif change == "rename":
        inside[key + "x"] = inside.pop(key)
    elif change == "repeat":
        inside.insert(key, value)
    elif change == "add":
        added = rng.choice(REPLACEMENTS)
        value.append(added) if isinstance(value, list) else value.setdefault(rng.choice(("x", "name", "$schema")), added)
    elif change == "edit" and isinstance(value, str):
        inside[key] = rng.choice((value + "x", value[:-1], value.upper(), " " + value))
    elif change == "edit" and isinstance(value, (int, float)) and not isinstance(value, bool):
        inside[key] = rng.choice((-value, value + 1, value + 0.5, value * 1000))
    else:
        inside[key] = rng.choice(REPLACEMENTS)
    return root["root"]


def is_comparable(value):
    try:
        text = json.dumps(value, ensure_ascii=False)
        text.encode()
        comparable.read(text)
    except (comparable.NotComparable, UnicodeEncodeError):
        return False
    return True


def values_for(case, seed, count):
    """Returns the documents of a case and `count` changes of each."""
    rng = random.Random(f"{case['id']}/{seed}")
    documents = [test["data"] for test in case["tests"]]
    values = documents + [changed(document, rng) for document in documents for _ in range(count)]
    return [value for value in values if is_comparable(value)]


def install(modules):
    """Installs Ajv into `modules`, unless it is there."""
    modules.mkdir(parents=True, exist_ok=True)
    wanted = (HERE / "package.json").read_text(encoding="utf-8")
    installed = modules / "installed.json"
    shutil.copy(HERE / "verdicts.mjs", modules)
    if installed.exists() and installed.read_text(encoding="utf-8") == wanted:
        return
    if shutil.which("npm") is None:
        weir_command.skip("npm is not installed")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, modules)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--no-progress", "--ignore-scripts", "--fetch-retries=0",
               "--fetch-timeout=20000"]
    done = subprocess.run(command, cwd=modules, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        weir_command.skip(f"Ajv cannot be had: {done.stderr.strip().splitlines()[-1:]}")
    installed.write_text(wanted, encoding="utf-8")


def ask_ajv(modules, cases):
    """Returns Ajv's answer for each case."""
    lines = "".join(json.dumps({"schema": case["schema"], "values": case["values"]}) + "\n" for case in cases)
    done = subprocess.run(["node", "verdicts.mjs"], cwd=modules, input=lines, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"Ajv ended with {done.returncode}:\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(case, answer, result):
    """Returns findings about a case that Ajv judges."""
    if "refused" in result:
        if result["refused"]["code"] == "unsatisfiable" and not any(answer["valid"]):
            return []
        return [f"refused, {result['refused']['code']}: {result['refused']['message']}"]
    return [f"{outcome}: {json.dumps(value)[:300]}" for value, outcome in zip(case["values"], result["tests"])
            if outcome != "ok"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("modules", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="all schemas, not a tenth")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--changes", type=int, default=10, help="of each document")
    options = parser.parse_args()
    every = options.all or os.environ.get("WEIR_CONFORMANCE") == "all"
    cases = [case for case in schemastore_test.read_cases(True) if every or zlib.crc32(case["id"].encode()) % 10 == 0]
    install(options.modules)
    for case in cases:
        case["values"] = values_for(case, options.seed, options.changes)
    answers = ask_ajv(options.modules, cases)
    judged = [(case, answer) for case, answer in zip(cases, answers) if "error" not in answer]
    results = weir_command.run_cases(
        options.weir,
        [{"id": case["id"], "schema": case["schema"],
          "tests": [{"data": value, "valid": valid} for value, valid in zip(case["values"], answer["valid"])]}
         for case, answer in judged], ("--reading", "practice", "--formats", "annotate"))
    findings, explained = [], 0
    for (case, answer), result in zip(judged, results):
        for line in compare(case, answer, result):
            explained += case["id"] in DIFFERENCES
            if case["id"] not in DIFFERENCES:
                findings.append(f"{case['id']}: {line}")
    print("\n".join(findings))
    for case, answer in zip(cases, answers):
        if "error" in answer:
            print(f"not read by Ajv: {case['id']}: {answer['error'][:200]}")
    compared = sum(len(answer["valid"]) for _, answer in judged)
    print(f"{len(judged)} of {len(cases)} schemas, {compared} texts compared: {len(findings)} findings, "
          f"{explained} explained differences")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
