#!/usr/bin/env python3
"""Says which code the fuzzers' inputs reach: fuzz_coverage.py BUILD_DIRECTORY [CORPUS_DIRECTORY] [--unreached FILE]

BUILD_DIRECTORY has test_fuzz_replay of the preset fuzz-coverage. It runs tests/fuzz/corpus with mutations and, of each
target, the inputs in CORPUS_DIRECTORY/TARGET. Prints two tables in Markdown: the coverage by each target, and the files of
src with the most lines that no target reaches. --unreached writes the functions that no target reaches.
`make fuzz-coverage` calls it.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FILES = 25  # of the second table


def profiled(program, target, profile, corpus):
    """Runs one target; returns its merged profile."""
    environment = {**os.environ, "LLVM_PROFILE_FILE": str(profile)}
    if corpus:
        environment["WEIR_FUZZ_CORPUS"] = str(corpus)
    subprocess.run([program, f"--gtest_filter=*Replay.*/{target}"], env=environment, check=True, stdout=subprocess.DEVNULL)
    return merged([profile], profile.with_suffix(".profdata"))


def merged(profiles, out):
    subprocess.run(["llvm-profdata-19", "merge", "--sparse", *profiles, "-o", out], check=True)
    return out


def exported(program, profile, *options):
    done = subprocess.run(["llvm-cov-19", "export", program, f"--instr-profile={profile}", *options, str(ROOT / "src"),
                           str(ROOT / "include")], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["data"][0]


def share(summary):
    return f"{summary['covered']:,} of {summary['count']:,} ({100 * summary['covered'] / summary['count']:.0f} %)"


def unreached(data):
    """Returns [(file, line, function)] of the functions of which no instantiation is reached."""
    counts = collections.Counter()
    names = {}
    for function in data["functions"]:
        place = (function["filenames"][0], function["regions"][0][0])
        counts[place] += function["count"]
        names.setdefault(place, function["name"])
    found = sorted(place for place, count in counts.items() if count == 0)
    plain = subprocess.run(["c++filt"], input="\n".join(names[place].split(":")[-1] for place in found), text=True,
                           capture_output=True, check=True).stdout.splitlines()
    return [(file, line, name) for (file, line), name in zip(found, plain)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("corpus", type=pathlib.Path, nargs="?")
    parser.add_argument("--unreached", type=pathlib.Path)
    options = parser.parse_args()
    program = options.build.resolve() / "tests/fuzz/test_fuzz_replay"
    profiles = options.build.resolve() / "profiles"
    profiles.mkdir(exist_ok=True)
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True,
                            env={**os.environ, "LLVM_PROFILE_FILE": os.devnull}).stdout
    targets = [line.split("#")[0].split("/")[1].strip() for line in listed.splitlines() if line.startswith("  ")]
    corpus = options.corpus.resolve() if options.corpus else None
    found = []
    print("| target | functions | lines | branches |\n|---|---|---|---|")
    for target in targets:
        found.append(profiled(program, target, profiles / f"{target}.profraw", corpus))
        totals = exported(program, found[-1], "--summary-only")["totals"]
        print(f"| {target} | {share(totals['functions'])} | {share(totals['lines'])} | {share(totals['branches'])} |", flush=True)
    data = exported(program, merged(found, profiles / "all.profdata"))
    totals = data["totals"]
    print(f"| all | {share(totals['functions'])} | {share(totals['lines'])} | {share(totals['branches'])} |")
    print("\n| file | lines that no target reaches |\n|---|---|")
    files = sorted(data["files"], key=lambda file: file["summary"]["lines"]["covered"] - file["summary"]["lines"]["count"])
    for file in files[:FILES]:
        lines = file["summary"]["lines"]
        name = pathlib.Path(file["filename"]).relative_to(ROOT)
        print(f"| {name} | {lines['count'] - lines['covered']} of {lines['count']} |")
    if options.unreached:
        with options.unreached.open("w", encoding="utf-8") as out:
            for file, line, name in unreached(data):
                out.write(f"{pathlib.Path(file).relative_to(ROOT)}:{line}: {name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
