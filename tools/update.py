#!/usr/bin/env python3
"""Writes again everything that is recorded or generated, and says what changed: update.py BUILD_DIRECTORY [NAME...]

A NAME, from the table below, does that alone: `tools/update.py build generate counters`. The build directory must have
what is run; `make update` builds it.
"""

import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def recorders(build):
    """{name: (what it writes, command, environment)}, in the order in which one may depend on another."""
    python, weir = sys.executable, f"{build}/weir"
    packaged = f"{build}/python-venv/bin/python"  # with the package weir: tests/python/run.sh makes it
    json_schema = "tests/conformance/json_schema"
    return {
        "generate": ("what follows from the headers' structs", [python, "tools/generate"], {}),
        "counters": ("counts of the engine's work", [python, "tests/bench/counters_test.py", weir, "--update"], {}),
        "mask-walks": ("masks that JavaScript's are compared with", [f"{build}/tests/e2e/test_mask_walks"], {"WEIR_UPDATE": "1"}),
        "package-masks": ("masks that packages are tried with", [python, "tests/dist/smoke_command.py", weir, "--update"], {}),
        "hostile": ("work of hostile grammars", [f"{build}/tests/hostile/test_hostile"], {"WEIR_HOSTILE": "update"}),
        "growth": ("faults of growing inputs", [f"{build}/tests/growth/test_growth"], {"WEIR_GROWTH_UPDATE": "1"}),
        "suite": ("results of the JSON Schema suite", [python, f"{json_schema}/suite_test.py", weir, "--update"], {}),
        "maskbench": ("results of MaskBench", [python, f"{json_schema}/maskbench_test.py", weir, "--update"], {}),
        "schemastore": ("results of SchemaStore", [python, f"{json_schema}/schemastore_test.py", weir, "--update"], {}),
        "tool-styles": ("real schemas as tools", [python, "tests/conformance/tool_styles/styles_test.py", weir, "--update"], {}),
        "reasoning": ("the table of tags around reasoning", [python, "tests/docs/reasoning_test.py", weir, "--update"], {}),
        "samples": ("outputs of commands in pages", [python, "tests/docs/samples_test.py", str(build), "--update"], {}),
        "cookbook": ("outputs of programs in the cookbook", [packaged, "tests/python/test_cookbook.py"], {}),
        "masks-picture": ("README.md's picture", [packaged, "tools/docs/mask_picture.py", "docs/images/masks.svg"], {}),
        "figures": ("figures of records in pages", [python, "tools/docs/figures.py"], {}),
        "badges": ("README.md's badges", [python, "tools/docs/badges.py"], {}),
    }


def changes():
    """{path: what git knows of it} of the files that differ from the last commit."""
    names = subprocess.run(["git", "status", "--porcelain", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [line[3:] for line in names.stdout.split("\0") if len(line) > 3]
    files = [path for path in paths if (ROOT / path).is_file()]
    hashes = subprocess.run(["git", "hash-object", "--", *files], cwd=ROOT, capture_output=True, text=True, check=True)
    return dict(zip(files, hashes.stdout.split()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="the build directory")
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to write again: " + ", ".join(recorders("build")))
    options = parser.parse_args()
    known = recorders(options.build.resolve())
    names = options.names or list(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"there is no {', '.join(unknown)}; there are {', '.join(known)}")
    failed, total = [], 0
    for name in names:
        what, command, environment = known[name]
        if not pathlib.Path(command[0]).exists():
            print(f"{name}: left out, {command[0]} is not built")
            continue
        before = changes()
        done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False)
        after = changes()
        changed = sorted(path for path in before | after if before.get(path) != after.get(path))
        total += len(changed)
        print(f"{name}: {what}: {', '.join(changed) if changed else 'nothing changed'}", flush=True)
        if done.returncode != 0 and not changed:
            failed.append(name)
            print("\n".join((done.stdout + done.stderr).splitlines()[-15:]))
    print(f"{total} files changed" + (f", {len(failed)} failed: {', '.join(failed)}" if failed else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
