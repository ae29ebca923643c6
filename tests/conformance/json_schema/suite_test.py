#!/usr/bin/env python3
"""Runs the official JSON Schema test suite: suite_test.py WEIR [--update] [--details]

Each group of tests is a case of `weir cases`, so the verdicts are those of the masks. The result of each group is
compared with results/DIALECT.txt. The run fails if a group passes fewer tests than recorded. weir refuses a schema
without values as unsatisfiable; that is right if all tests of the group are about invalid values. In the suite's file
`format`, `format` is an annotation; in `optional/format` it is asserted.
"""

import json
import sys

import recorded
import weir_command

DIALECTS = {"draft4": "4", "draft6": "6", "draft7": "7", "draft2019-09": "2019-09", "draft2020-12": "2020-12"}
REMOTES = "http://localhost:1234"  # The suite's address of its other documents.


def groups_of(directory):
    """Yields cases with the ids FILE/NUMBER, ordered by file and number."""
    for path in sorted(directory.rglob("*.json")):
        name = path.relative_to(directory).with_suffix("").as_posix()
        for number, group in enumerate(json.loads(path.read_text(encoding="utf-8"))):
            yield {"id": f"{name}/{number}", "schema": group["schema"], "tests": group["tests"]}


def passed(case, result):
    if "refused" not in result:
        return result["tests"].count("ok")
    no_value = result["refused"]["code"] == "unsatisfiable" and not any(test["valid"] for test in case["tests"])
    return len(case["tests"]) if no_value else 0


def run_dialect(weir, name, documents):
    """Returns (case, result) for all groups."""
    suite = weir_command.shared_data("json-schema-test-suite", "tests", name)
    cases = list(groups_of(suite))
    options = ["--draft", DIALECTS[name], *documents]
    annotating = [case for case in cases if case["id"].startswith("format/")]
    asserting = [case for case in cases if not case["id"].startswith("format/")]
    pairs = list(zip(asserting, weir_command.run_cases(weir, asserting, options)))
    pairs += zip(annotating, weir_command.run_cases(weir, annotating, [*options, "--formats", "annotate"]))
    return sorted(pairs, key=lambda pair: cases.index(pair[0]))


def compare(results, recorded_results):
    worse, better = [], []
    for group, result in results.items():
        before = recorded_results.get(group, "0/0")
        if result != before:
            (passes, total), (passed_before, total_before) = (map(int, text.split("/")) for text in (result, before))
            is_better = total == total_before and passes > passed_before
            (better if is_better else worse).append(f"{group} {result}, recorded {before}")
    worse += [f"{group} is recorded, but not in the suite" for group in recorded_results if group not in results]
    return worse, better


def print_details(name, pairs):
    for case, result in pairs:
        if "refused" in result and passed(case, result) == 0:
            print(f"{name} {case['id']}: {result['refused']['message']}")
        for test, outcome in zip(case["tests"], result.get("tests", ())):
            if outcome != "ok":
                print(f"{name} {case['id']}: {outcome}: {test['description']}: {json.dumps(test['data'])}")


def main():
    options = recorded.parse_arguments(__doc__.splitlines()[0])
    remotes = weir_command.shared_data("json-schema-test-suite", "remotes")
    documents = []
    for path in sorted(remotes.rglob("*.json")):
        documents += ["--document", f"{REMOTES}/{path.relative_to(remotes).as_posix()}={path}"]
    fine = True
    for name in DIALECTS:
        pairs = run_dialect(options.weir, name, documents)
        results = {case["id"]: f"{passed(case, result)}/{len(case['tests'])}" for case, result in pairs}
        required = [pair for pair in pairs if not pair[0]["id"].startswith("optional/")]
        optional = [pair for pair in pairs if pair[0]["id"].startswith("optional/")]
        totals = []
        for what, part in (("required", required), ("optional", optional)):
            totals.append(f"{what} {sum(passed(*pair) for pair in part)}/{sum(len(case['tests']) for case, _ in part)}")
        print(f"{name}: {', '.join(totals)}", flush=True)
        if options.details:
            print_details(name, pairs)
        if options.update:
            recorded.write(name, [f"Tests passed of each group of the official suite: {', '.join(totals)}"], results)
        else:
            fine = recorded.report(name, *compare(results, recorded.read(name))) and fine
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
