#!/usr/bin/env python3
"""Compares weir with two validators on random schemas: oracle_test.py WEIR [--schemas N] [--seed S] [--draft D]

A seed, a dialect and a number N determine the N-th schema; `--first N --schemas 1` makes this schema alone.
The test compares which of about a hundred short texts each schema accepts, and checks that members that weir generates
are valid. A schema that weir refuses as unsatisfiable must have no valid text. An internal error while generating means
a dead end, or a mask that contradicts what is accepted. Exceeded limits are counted and are not findings. If the two
validators disagree about a text, it is not compared; the number of such texts is printed.
"""

import argparse
import concurrent.futures
import json
import sys

import jsonschema
import jsonschema_rs

import comparable
import random_schemas
import weir_command

VALIDATORS = {
    "4": (jsonschema.Draft4Validator, jsonschema_rs.Draft4Validator),
    "6": (jsonschema.Draft6Validator, jsonschema_rs.Draft6Validator),
    "7": (jsonschema.Draft7Validator, jsonschema_rs.Draft7Validator),
    "2019-09": (jsonschema.Draft201909Validator, jsonschema_rs.Draft201909Validator),
    "2020-12": (jsonschema.Draft202012Validator, jsonschema_rs.Draft202012Validator),
}


class Oracle:
    """Returns the validators' verdict on a value: True, False, or None if they disagree."""

    def __init__(self, draft, schema):
        python, rust = VALIDATORS[draft]
        self.python, self.rust = python(schema), rust(schema)

    def __call__(self, value):
        verdict = self.rust.is_valid(value)
        try:
            return verdict if verdict == self.python.is_valid(value) else None
        except (AttributeError, TypeError):
            # jsonschema fails on `dependencies` on names, in its search for identifiers; and in draft 2019-09 on
            # unevaluatedItems beside `"items": true`.
            return verdict


def without(schema, keyword):
    if isinstance(schema, dict):
        return {key: without(value, keyword) for key, value in schema.items() if key != keyword}
    return [without(item, keyword) for item in schema] if isinstance(schema, list) else schema


def make_case(draft, seed, extra_texts, left_out):
    schema = without(random_schemas.SchemaMaker(seed, draft).document(), left_out)
    oracle = Oracle(draft, schema)
    tests = [{"text": text, "valid": oracle(json.loads(text))} for text in random_schemas.texts_for(seed, extra_texts)]
    return {"id": f"{draft}/{seed}", "schema": schema, "oracle": oracle,
            "unsure": sum(test["valid"] is None for test in tests),
            "tests": [test for test in tests if test["valid"] is not None]}


def judge_texts(case, result):
    """Returns findings (what, text) about the case's own texts."""
    if "refused" in result:
        code = result["refused"]["code"]
        if code == "limit_exceeded":
            return []
        if code != "unsatisfiable":
            return [(f"refused as {code}: {result['refused']['message']}", "")]
        return [("unsatisfiable, but a text is valid", test["text"]) for test in case["tests"] if test["valid"]][:1]
    return [(outcome, test["text"]) for test, outcome in zip(case["tests"], result["tests"])
            if outcome not in ("ok", "limit")]


def met_limit(result):
    return result["refused"]["code"] == "limit_exceeded" if "refused" in result else "limit" in result["tests"]


def judge_members(case, weir, count):
    """Returns findings (what, text) about members that weir generates."""
    members, why = weir_command.generate(weir, case["schema"], count)
    if members is None:
        return [] if why.startswith(weir_command.UNANSWERED) else [(f"generate: {why}", "")]
    findings = []
    for text in members:
        try:
            if case["oracle"](comparable.read(text)) is False:
                findings.append(("generated, but not valid", text))
        except comparable.NotComparable:
            pass
    return findings


def check(weir, cases, members):
    lines = [{"id": c["id"], "schema": c["schema"], "tests": c["tests"]} for c in cases]
    results = weir_command.run_cases(weir, lines)
    findings = [judge_texts(case, result) for case, result in zip(cases, results)]
    if members:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            generated = pool.map(lambda pair: [] if "refused" in pair[1] else judge_members(pair[0], weir, members),
                                 zip(cases, results))
            findings = [own + more for own, more in zip(findings, generated)]
    return findings, sum("refused" in result for result in results), sum(met_limit(result) for result in results)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("--schemas", type=int, default=100, help="for each dialect")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--draft", choices=random_schemas.DRAFTS)
    parser.add_argument("--texts", type=int, default=100, help="random ones for each schema")
    parser.add_argument("--without", default="", help="a keyword to leave out")
    parser.add_argument("--members", type=int, default=5, help="generated for each schema")
    options = parser.parse_args()
    failed = False
    for draft in [options.draft] if options.draft else random_schemas.DRAFTS:
        cases = [make_case(draft, f"{options.seed}/{number}", options.texts, options.without)
                 for number in range(options.first, options.first + options.schemas)]
        findings, refused, limited = check(options.weir, cases, options.members)
        texts = sum(len(case["tests"]) for case in cases)
        valid = sum(test["valid"] for case in cases for test in case["tests"])
        wrong = sum(bool(found) for found in findings)
        print(f"draft {draft}: {len(cases)} schemas ({refused} refused, {limited} met a limit), {texts} texts "
              f"({valid} valid, {sum(case['unsure'] for case in cases)} undecided), {wrong} schemas with findings",
              flush=True)
        for case, found in zip(cases, findings):
            if found:
                failed = True
                print(f"{case['id']} {json.dumps(case['schema'])}")
                for what, text in found[:4]:
                    print(f"    {what}: {text}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
