#!/usr/bin/python3
"""Mutation testing: which changes of an operator does no quick test notice?

Usage: mutate.py WORK_DIRECTORY [--count N] [--seed N] [--folders src/engine ...] [--targets test_engine ...]
                 [--jobs N] [--minutes N] [--slow SECONDS] [--above SECONDS] [--only ID ... | --survivors] [--report]

`make mutation` calls it. It needs Clang's Python module for the system's Python (tools/install_deps.sh --mutation). All
mutants are compiled into one set of test programs (mutants.h); an environment variable selects the active one, so a
mutant costs only the time of the tests that reach it. The steps:

1. Copy the repository into WORK_DIRECTORY/source, find the mutants of the .cc files of the folders, draw N of them and
   write them into the copy: comparisons (`<` to `<=`, `==` to `!=`, ...), arithmetic (`+` to `-`, `&` to `|`, ...), `&&` to
   `||` and back, conditions and returned truth values negated, statements (calls, assignments, increments) left out.
2. Build the quick test programs. Mutants on a line that does not compile are dropped.
3. Run each test alone, without an active mutant: how long it takes, which mutants it reaches. Tests that take longer than
   --slow seconds of processor time are left out.
4. Run each mutant with the tests that reach it, those of its folder first, then the fastest, until one fails, crashes or
   exceeds its time tenfold.
   Results are appended to WORK_DIRECTORY/results-DIGEST.jsonl; a later run continues there, unless the mutated files
   changed. With --survivors the mutants that survived run again: after tests were added, with other --targets, or with a
   larger --slow, and with --above without the tests that have run before. It is cheapest to begin with the unit tests of
   the folders, which are compiled soon, and to run the survivors with all programs.

Exit status 0: the mutants were run; survivors are printed, not judged.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = ["src/engine", "src/earley", "src/lexer", "src/regex"]
# The unit tests of the layers, and those that test all layers together.
TARGETS = ["test_lexer", "test_earley", "test_regex_machine", "test_regex_expr", "test_regex_syntax", "test_engine",
           "test_data_driven", "test_matcher_laws", "test_known_cases", "test_stop_tokens", "test_token_budget_walk",
           "test_exhaustive_bounds", "test_exhaustive_token_budget", "test_exhaustive_competing",
           "test_exhaustive_captures", "test_exhaustive_lexeme", "test_exhaustive_regex", "test_token_verdicts",
           "test_canonical_worlds", "test_e2e_schema", "test_lint", "test_json_schema", "test_hostile"]
RESOURCES = "/usr/lib/llvm-19/lib/clang/19/include"
# What is appended to the CMakeLists.txt of a mutated folder. Each mutated file is compiled alone, so that one that does
# not compile costs no others. Mutated code has warnings, such as those of parentheses.
FLAGS = b"""
get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
set_target_properties(${targets} PROPERTIES UNITY_BUILD OFF)
file(GLOB_RECURSE mutated *.cc)
set_source_files_properties(${mutated} PROPERTIES COMPILE_OPTIONS "-w;-Wno-error;-O1")
"""
MEMORY = 4 << 30  # bytes that a test with a mutant may use
GROUP = 40  # tests of one program that run in one process, and the
GROUP_SECONDS = 0.5  # processor time of all of them but the last

COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "<<": "shl", ">>": "shr", "&": "bit_and",
              "|": "bit_or", "^": "bit_xor"}
LOGIC = {"&&": "||", "||": "&&"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}


class File:
    """One file: its mutants, as edits of its text.

    An edit is [mutant, kind, place, text, until]: `text` goes before or after what begins or ends at `place`, or replaces
    the bytes from `place` to `until`. `@` in a text stands for the mutant's number."""

    def __init__(self, cindex, path, arguments):
        self.text = path.read_bytes()
        self.name = str(path)
        self.kinds = cindex.CursorKind
        self.types = cindex.TypeKind
        self.edits = []
        self.mutants = []  # [line, what]
        unit = cindex.Index.create().parse(str(path), args=arguments)
        errors = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if errors:
            print(f"{path}: {errors[0].spelling}", file=sys.stderr)
        self.visit(unit.cursor, None)

    def visit(self, cursor, parent):
        for child in cursor.get_children():
            place = child.location
            if parent is None and (place.file is None or place.file.name != self.name):
                continue
            kind = child.kind
            if kind in (self.kinds.STATIC_ASSERT, self.kinds.ENUM_DECL):
                continue
            if kind == self.kinds.CASE_STMT:
                # The compiler evaluates the label; the statement after it is mutated.
                for statement in list(child.get_children())[1:]:
                    self.mutate(statement, child)
                    self.visit(statement, child)
                continue
            self.mutate(child, cursor)
            self.visit(child, cursor)

    def mutate(self, cursor, parent):
        kinds = self.kinds
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        if begin >= end or self.text[begin:begin + 13] == b"static_assert":
            return
        children = list(cursor.get_children())
        if parent.kind == kinds.COMPOUND_STMT and self.is_statement(cursor, begin, end):
            self.add(begin, "statement left out", ["before", begin, "if (!weir_mutants::is(@)) "])
        if cursor.kind == kinds.BINARY_OPERATOR and len(children) == 2:
            self.binary(children, begin, end)
        elif cursor.kind == kinds.IF_STMT and children:
            condition = children[0]
            is_constexpr = re.match(rb"if\s+constexpr", self.text[begin:begin + 20]) is not None
            if not is_constexpr and condition.kind in (kinds.CALL_EXPR, kinds.DECL_REF_EXPR, kinds.MEMBER_REF_EXPR):
                self.negate(condition)
        elif cursor.kind == kinds.RETURN_STMT and children and children[0].kind == kinds.CXX_BOOL_LITERAL_EXPR:
            self.negate(children[0])
        elif cursor.kind == kinds.UNARY_OPERATOR and self.text[begin:begin + 1] == b"!":
            self.negate(cursor)

    def add(self, offset, what, *edits):
        self.edits += [[len(self.mutants), *edit] for edit in edits]
        self.mutants.append([self.text.count(b"\n", 0, offset) + 1, what])

    def binary(self, children, begin, end):
        left, right = (child.extent for child in children)
        if left.start.offset != begin or right.end.offset != end:
            return
        place, until = left.end.offset, right.start.offset
        operator = self.text[place:until].strip().decode()
        kinds = [child.type.get_canonical().kind for child in children]
        if operator in LOGIC:
            # By De Morgan's law a || b is !(!a && !b).
            own = "weir_mutants::is(@) != "
            self.add(place, f"{operator} becomes {LOGIC[operator]}", ["before", begin, f"({own}(({own}bool("],
                     ["replace", place, f")) {operator} ({own}bool(", until], ["after", end, "))))"])
            return
        if operator in COMPARISONS:
            name = COMPARISONS[operator]
        elif operator in ARITHMETIC and all(self.types.CHAR_U.value <= kind.value <= self.types.LONGDOUBLE.value
                                            for kind in kinds):
            name = ARITHMETIC[operator]
        else:
            return
        self.add(place, f"{operator} becomes its counterpart", ["before", begin, f"weir_mutants::{name}(@, "],
                 ["replace", place, ", ", until], ["after", end, ")"])

    def negate(self, condition):
        begin, end = condition.extent.start.offset, condition.extent.end.offset
        self.add(begin, "negated", ["before", begin, "(weir_mutants::is(@) != bool("], ["after", end, "))"])

    def is_statement(self, cursor, begin, end):
        kinds = self.kinds
        while cursor.kind == kinds.UNEXPOSED_EXPR:
            inner = list(cursor.get_children())
            if len(inner) != 1:
                return False
            cursor = inner[0]
        text = self.text[begin:end]
        if self.text[end:end + 1] != b";" or text.startswith(b"(void)") or b".reserve(" in text:
            return False
        if cursor.kind in (kinds.CALL_EXPR, kinds.COMPOUND_ASSIGNMENT_OPERATOR):
            return True
        if cursor.kind == kinds.UNARY_OPERATOR:
            return text[:2] in (b"++", b"--")
        children = list(cursor.get_children())
        return (cursor.kind == kinds.BINARY_OPERATOR and len(children) == 2 and
                self.text[children[0].extent.end.offset:children[1].extent.start.offset].strip().decode() in ASSIGNMENTS)


def mutated(text, edits, first, drawn):
    """Returns a file's text with the mutants whose indices are in `drawn`; the number of index i is first + i."""
    before, after, replaced = collections.defaultdict(list), collections.defaultdict(list), {}
    for mutant, kind, place, change, *until in edits:
        if mutant not in drawn:
            continue
        change = change.replace("@", str(first + mutant)).encode()
        if kind == "before":
            before[place].append(change)
        elif kind == "after":
            after[place].insert(0, change)
        else:
            replaced[place] = (until[0], change)
    out, at = [b'#include "weir_mutants.h"\n#line 1\n'], 0
    for place in sorted({*before, *after, *replaced}):
        if place > at:
            out.append(text[at:place])
            at = place
        out += after.get(place, [])
        if place in replaced:
            until, change = replaced[place]
            out += [change, b"\n" * text.count(b"\n", place, until)]
            at = until
        out += before.get(place, [])
    out.append(text[at:])
    return b"".join(out)


def find_mutants(work, folders):
    """Returns [(path, mutants, edits)] of all files; what is known of a file's text is kept in `work`."""
    known_path = work / "mutants.json"
    known = json.loads(known_path.read_text()) if known_path.exists() else {}
    arguments = ["-std=c++20", "-x", "c++", f"-I{ROOT}/include", f"-I{ROOT}/src", f"-I{RESOURCES}", "-ferror-limit=0"]
    found = []
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.cc")):
            if path.name.endswith("tables.cc"):
                continue  # generated
            name = str(path.relative_to(ROOT))
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            if known.get(name, {}).get("digest") != digest:
                from clang import cindex
                file = File(cindex, path, arguments)
                known[name] = {"digest": digest, "mutants": file.mutants, "edits": file.edits}
                known_path.write_text(json.dumps(known))
            found.append((name, known[name]["mutants"], known[name]["edits"]))
    return found


def copy_of_the_repository(source, folders):
    """Copies files that changed, but for those that build() writes."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.split(b"\0")
    for name in filter(None, map(os.fsdecode, names)):
        to = source / name
        if to.exists() and name.startswith(tuple(folders)) and name.endswith((".cc", "CMakeLists.txt")):
            continue
        if (ROOT / name).is_file() and (not to.exists() or to.stat().st_mtime < (ROOT / name).stat().st_mtime):
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to)


def write_if_other(path, text):
    if not path.exists() or path.read_bytes() != text:
        path.write_bytes(text)


def draw(files, count, seed):
    """Returns the drawn mutants as [(number, file, line, what)], in random order."""
    mutants, first = [], 1
    for name, found, _ in files:
        mutants += [(first + index, name, line, what) for index, (line, what) in enumerate(found)]
        first += len(found)
    print(f"{len(files)} files, {len(mutants)} mutants, of which {min(count, len(mutants))} are drawn", flush=True)
    random.Random(seed).shuffle(mutants)
    return mutants[:count]


def build(work, folders, files, mutants, targets, jobs):
    """Writes the mutants into the copy and builds it; returns the numbers of the mutants that compile."""
    source = work / "source"
    copy_of_the_repository(source, folders)
    for folder in folders:
        write_if_other(source / folder / "CMakeLists.txt", (ROOT / folder / "CMakeLists.txt").read_bytes() + FLAGS)
    shutil.copy2(HERE / "mutants.h", source / "include/weir_mutants.h")
    subprocess.run(["cmake", "--preset", "release", "-DWEIR_BUILD_BENCH=OFF"], cwd=source, check=True,
                   stdout=subprocess.DEVNULL)
    numbers = {number for number, *_ in mutants}
    for attempt in range(6):
        first = 1
        for name, found, edits in files:
            drawn = {index for index in range(len(found)) if first + index in numbers}
            write_if_other(source / name, mutated((ROOT / name).read_bytes(), edits, first, drawn))
            first += len(found)
        done = subprocess.run(["cmake", "--build", source / "build", f"-j{jobs}", "--target", *targets, "--", "-k", "0"],
                              capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return numbers
        for name, *_ in files:
            pattern = rf"^(?:\.\./|{re.escape(str(source))}/)?{re.escape(name)}:(\d+)(?::\d+)?: error"
            lines = {int(line) for line in re.findall(pattern, done.stdout, re.MULTILINE)}
            own = {number for number, file, line, _ in mutants
                   if file == name and any(abs(line - other) <= attempt for other in lines)}
            if lines:
                print(f"{name}, lines {sorted(lines)} do not compile; {len(own & numbers)} mutants dropped", flush=True)
            numbers -= own
    print(done.stdout[-6000:], file=sys.stderr)
    sys.exit(2)


def run(program, tests, seconds, environment):
    """Returns what became of tests (passed, failed, crashed, slow) and their processor time.

    The limit is one of processor time, so that other work on the machine makes no test slow."""
    def limits():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([program, f"--gtest_filter={':'.join(tests)}", "--gtest_fail_fast"], capture_output=True,
                              check=False, cwd=program.parent, env={**os.environ, **environment}, preexec_fn=limits,
                              timeout=30 * seconds + 30)
        status = done.returncode
    except subprocess.TimeoutExpired:
        status = -24
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
    how = "passed" if status == 0 else "slow" if status in (-24, -9) else "crashed" if status < 0 else "failed"
    return how, took


def measured(work, targets, slow):
    """Returns {program: [{test, seconds, how, reached}]}; what was measured since a program was built is kept.

    A test is ended soon after `slow` seconds."""
    known_path, report = work / "tests.json", work / "reached.txt"
    known = json.loads(known_path.read_text()) if known_path.exists() else {}
    for target in targets:
        program = next(path for path in (work / "source/build/tests").rglob(target) if path.is_file())
        before = known.get(target, {})
        if before.get("built") == program.stat().st_mtime and before.get("slow", 0) >= slow:
            continue
        listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
        tests, suite = [], ""
        for line in listed.splitlines():
            name = line.split("#")[0].rstrip()
            if not name.startswith(" "):
                suite = name
                continue
            report.write_text("")
            how, took = run(program, [suite + name.strip()], slow, {"WEIR_MUTANTS_REACHED": str(report)})
            reached = [int(number) for number in report.read_text().split()]
            tests.append({"test": suite + name.strip(), "seconds": took, "how": how, "reached": reached})
        known[target] = {"program": str(program), "built": program.stat().st_mtime, "slow": slow, "tests": tests}
        known_path.write_text(json.dumps(known))
        print(f"{target}: {len(tests)} tests, {sum(test['seconds'] for test in tests):.1f} s", flush=True)
    return known


def groups(mutant, file, known, targets, above, slow):
    """Returns the tests of more than `above` and at most `slow` seconds that reach a mutant as [(seconds, target, tests)]:
    groups of one process each, those of the file's folder first, then the fastest."""
    folder = "test_" + file.split("/")[1]
    found = []
    for target in targets:
        own = sorted((test["seconds"], test["test"]) for test in known[target]["tests"]
                     if test["how"] == "passed" and above < test["seconds"] <= slow and mutant in test["reached"])
        group, seconds = [], 0
        for at, (took, name) in enumerate(own):
            group.append(name)
            seconds += took
            if len(group) == GROUP or seconds >= GROUP_SECONDS or at + 1 == len(own):
                found.append((seconds, target, group))
                group, seconds = [], 0
    return sorted(found, key=lambda group: (not group[1].startswith(folder), group))


def judge(mutant, file, known, targets, before, above, slow):
    """Returns how the first tests that notice the mutant do so, "survived", or "not reached". `before` is what other tests
    said."""
    outcome = before
    for seconds, target, tests in groups(mutant, file, known, targets, above, slow):
        how, _ = run(pathlib.Path(known[target]["program"]), tests, 2 + 10 * seconds, {"WEIR_MUTANT": str(mutant)})
        if how != "passed":
            return f"{how}: {target}"
        outcome = "survived"
    return outcome


def report(results):
    counts = collections.defaultdict(collections.Counter)
    for result in results:
        for folder in ("/".join(result["file"].split("/")[:2]), "all"):
            counts[folder][result["outcome"].split(":")[0]] += 1
    kinds = ["failed", "crashed", "slow", "survived", "not reached"]
    print("| folder | mutants | " + " | ".join(kinds) + " |\n|---|---" + "|---" * len(kinds) + "|")
    for folder, count in sorted(counts.items()):
        print(f"| {folder} | {count.total()} | " + " | ".join(str(count[kind]) for kind in kinds) + " |")
    for result in sorted(results, key=lambda r: (r["file"], r["line"])):
        if result["outcome"] in ("survived", "not reached"):
            print(f"{result['file']}:{result['line']}: {result['what']}: {result['outcome']} (mutant {result['id']})")


def main():
    parser = argparse.ArgumentParser(description="Mutation testing; docs/testing.md has the results.")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--folders", nargs="+", default=FOLDERS)
    parser.add_argument("--targets", nargs="+", default=TARGETS, help="the test programs")
    parser.add_argument("--jobs", type=int, default=2, help="compilers at a time")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--slow", type=float, default=0.25, help="processor time of the longest test, in seconds")
    parser.add_argument("--above", type=float, default=-1, help="leave out tests of at most so many seconds")
    parser.add_argument("--only", type=int, nargs="+", help="judge these mutants of those drawn")
    parser.add_argument("--survivors", action="store_true", help="judge again those that survived")
    parser.add_argument("--report", action="store_true", help="print the results, and do nothing else")
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)

    files = find_mutants(work, options.folders)
    digest = hashlib.sha256(b"".join((ROOT / name).read_bytes() for name, *_ in files)).hexdigest()[:12]
    results = work / f"results-{digest}.jsonl"
    judged = {}
    if results.exists():
        judged = {(r["file"], r["id"]): r for r in map(json.loads, results.read_text().splitlines())}
    if options.report:
        report(judged.values())
        return 0
    mutants = draw(files, options.count, options.seed)
    numbers = build(work, options.folders, files, mutants, options.targets, options.jobs)
    known = measured(work, options.targets, options.slow)
    end = time.monotonic() + 60 * options.minutes
    with results.open("a", encoding="utf-8") as out:
        for number, file, line, what in mutants:
            before = judged.get((file, number))
            again = options.survivors and before and before["outcome"] in ("survived", "not reached")
            if number not in numbers or (number not in options.only if options.only else before and not again):
                continue
            if time.monotonic() > end:
                break
            judged[file, number] = {"id": number, "file": file, "line": line, "what": what,
                                    "outcome": judge(number, file, known, options.targets,
                                                     before["outcome"] if before else "not reached", options.above,
                                                     options.slow)}
            out.write(json.dumps(judged[file, number]) + "\n")
            out.flush()
    report(judged.values())
    return 0


if __name__ == "__main__":
    sys.exit(main())
