#!/usr/bin/env python3
"""Checks generated members of real schemas with two validators: generate_test.py WEIR [--schemas N] [--seed S]

Takes a sample of the schemas of MaskBench's development half; --seed determines the sample. --schemas 0, or
WEIR_CONFORMANCE=all in the environment, takes all; --part 2/10 takes the second of ten parts of these. It is a finding
if both validators reject a member, or if weir has an internal error. weir and both validators assert `format`, each by
its own rules: weir follows the grammars of the RFCs; the validators are laxer in some places and stricter in others.
Therefore a member that only one validator rejects is counted but is no finding; --details lists such members. An
example is the year 0000, which RFC 3339 allows and Python does not have.
"""

import argparse
import concurrent.futures
import json
import lzma
import os
import random
import sys

import jsonschema
import jsonschema_rs

import comparable
import weir_command

TOKENS = 2_000  # The most tokens of a member; real schemas may need many.
PROGRESS = 500  # Prints a line after this many schemas.

# Schemas with members that both validators wrongly reject, each for a reason of its own.
DOT = "in ECMA-262 `.` does not match a carriage return; in Python and in Rust's regex it does"
BOTH_WRONG = {
    "Github_hard---o35186": DOT,
    "Github_medium---o58776": DOT,
    "Github_ultra---o33032": DOT,
    "JsonSchemaStore---httpmockrc": DOT,
    "Glaiveai2K---create_user_633f87f7": "Python has no year 0000, RFC 3339 has; jsonschema-rs refuses an address literal "
                                         "[046.0.0.0], whose numbers are one to three digits in RFC 5321",
}


def read_schemas(count, seed):
    with lzma.open(weir_command.shared_data("maskbench-dev.jsonl.xz"), "rt", encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    return random.Random(seed).sample(cases, count) if count else cases


class Judges:
    """Returns the names of the validators that reject a value."""

    def __init__(self, schema):
        kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
        self.python = kind(schema, format_checker=kind.FORMAT_CHECKER)
        try:
            self.rust = jsonschema_rs.validator_for(schema, validate_formats=True)
        except ValueError:  # jsonschema-rs refuses some slightly invalid schemas; weir does not.
            self.rust = None

    def __call__(self, value):
        rejecting = []
        try:
            if not self.python.is_valid(value):
                rejecting.append("jsonschema")
        except (ArithmeticError, RecursionError, TypeError, ValueError, jsonschema.exceptions.UnknownType):
            pass
        except Exception as error:  # errors of several types for unsupported patterns and references
            if type(error).__module__.split(".")[0] not in ("re", "referencing", "jsonschema"):
                raise
        if self.rust is None or not self.rust.is_valid(value):
            rejecting.append("jsonschema-rs")
        return rejecting


def is_for_serving(text):
    """Returns True if no number has an exponent, and no number with a fraction has more digits than the profile for
    serving allows. An integer may have more, because a schema may require it."""
    numbers = []
    json.loads(text, parse_float=lambda number: numbers.append(number) or 0)
    return not any("e" in number.lower() or sum(c.isdigit() for c in number) > 20 for number in numbers)


def examine(weir, case, count, profile):
    """Returns (findings, members that only one validator rejects, number of compared members, why weir gave no answer)
    for the schema of a case."""
    options = ["--profile", "serving"] if profile else ["--no-exponents"]
    members, why = weir_command.generate(weir, case["schema"], count, options, tokens=TOKENS)
    if members is None:
        if why.startswith(weir_command.UNANSWERED):
            return [], [], 0, why
        compiling = {"id": "", "schema": case["schema"], "tests": []}
        refused = weir_command.run_cases(weir, [compiling], jobs=1)[0].get("refused")
        if refused:
            return [], [], 0, f"refused, {refused['code']}: {refused['message']}"
        return [f"generate: {why}"], [], 0, ""
    judges = Judges(case["schema"])
    findings, alone, compared = [], [], 0
    for text in members:
        if profile and not is_for_serving(text):
            findings.append(f"not as the profile for serving says: {text}")
        try:
            rejecting = judges(comparable.read(text))
        except comparable.NotComparable:
            continue
        compared += 1
        if len(rejecting) == 2 and case["id"] not in BOTH_WRONG:
            findings.append(f"rejected by both: {text}")
        elif rejecting and judges.rust is not None:
            alone.append(f"rejected by {' and '.join(rejecting)}: {text}")
    return findings, alone, compared, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("--schemas", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--members", type=int, default=20, help="of each schema")
    parser.add_argument("--part", default="1/1", help="I/N: the I-th of N parts")
    parser.add_argument("--details", action="store_true",
                        help="list what one validator alone rejects, and what is not answered")
    options = parser.parse_args()
    count = 0 if os.environ.get("WEIR_CONFORMANCE") == "all" else options.schemas
    part, parts = map(int, options.part.split("/"))
    cases = read_schemas(count, options.seed)[part - 1::parts]
    wrong = lone = compared = unanswered = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda pair: examine(options.weir, pair[1], options.members, profile=pair[0] % 2 == 1),
                           enumerate(cases))
        for done, (case, (findings, alone, members, why)) in enumerate(zip(cases, results), 1):
            reasons = [why] if why else []
            for line in findings + (alone + reasons if options.details else []):
                print(f"{case['id']}: {line}", flush=True)
            wrong, lone, compared = wrong + len(findings), lone + len(alone), compared + members
            unanswered += bool(why)
            if done % PROGRESS == 0:
                print(f"{done} of {len(cases)} schemas", flush=True)
    print(f"{len(cases)} schemas ({unanswered} refused, or too slow or long), {compared} members compared: "
          f"{wrong} findings, {lone} rejected by one validator alone")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
