#!/usr/bin/env python3
"""Compares YAML as a notation of JSON Schemas with two libraries, PyYAML (YAML 1.1) and ruamel.yaml (1.2):
yaml_test.py WEIR [--some | --all]

- The texts in TEXTS are accepted, or refused, as they say, and both libraries read each accepted text as the value beside it.
- Random members of the schemas in SCHEMAS are read by both libraries as the same value, which is valid as JSON.
- Documents of SchemaStore's development half, as the libraries write them in the styles of WRITERS: the valid ones are accepted,
  except for a share of 1 - LEAST, and the others refused. A document is valid if it is as JSON, too. Texts that one of the libraries
  reads as another value are left out (ruamel.yaml writes `YES` and `{a: b?}`, which PyYAML does not read so), and so are schemas and
  texts above SCHEMA_BYTES and TEXT_BYTES: they take minutes. SIZES says how many members and schemas. Skipped if the data is
  absent.
"""

import io
import json
import lzma
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

LEAST = 0.99  # what is missing: what docs/json_schema.md lists
SIZES = {"": (16, 40), "--some": (250, 16), "--all": (1_250, 4)}  # members of each schema, and each n-th schema of the data
SCHEMA_BYTES, TEXT_BYTES = 30_000, 1_500
SHARED = pathlib.Path(os.environ.get("WEIR_SHARED_DATA") or pathlib.Path(__file__).resolve().parents[3].parent / "shared" / "data")


def by_pyyaml(data, style=lambda text: None, **options):
    """Writes data, and its strings in the styles that `style` says."""

    class Dumper(yaml.SafeDumper):
        pass

    Dumper.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style(text)))
    return yaml.dump(data, Dumper=Dumper, sort_keys=False, **options)


def with_literals(data):
    if isinstance(data, dict):
        return {key: with_literals(value) for key, value in data.items()}
    if isinstance(data, list):
        return [with_literals(value) for value in data]
    return LiteralScalarString(data) if isinstance(data, str) and "\n" in data else data


def by_ruamel(data, flow=False, indent=None, **options):
    writer = YAML(**options)
    if flow:
        writer.default_flow_style = True
    if indent:
        writer.indent(**indent)
    out = io.StringIO()
    writer.dump(data, out)
    return out.getvalue()


WRITERS = {
    "PyYAML": by_pyyaml,
    "PyYAML, Unicode": lambda data: by_pyyaml(data, allow_unicode=True),
    "PyYAML, flow": lambda data: by_pyyaml(data, default_flow_style=True),
    "PyYAML, leaves in flow": lambda data: by_pyyaml(data, default_flow_style=None, explicit_start=True),
    "PyYAML, narrow": lambda data: by_pyyaml(data, indent=4, width=40, explicit_start=True, explicit_end=True),
    "PyYAML, literal": lambda data: by_pyyaml(data, lambda text: "|" if "\n" in text else None),
    "PyYAML, folded": lambda data: by_pyyaml(data, lambda text: ">" if len(text) > 60 or "\n" in text else None),
    "PyYAML, quoted": lambda data: by_pyyaml(data, lambda text: "'" if "\n" in text else '"'),
    "ruamel": by_ruamel,
    "ruamel, flow": lambda data: by_ruamel(data, flow=True),
    "ruamel, safe": lambda data: by_ruamel(data, typ="safe", pure=True),
    "ruamel, literal": lambda data: by_ruamel(with_literals(data), indent={"mapping": 2, "sequence": 4, "offset": 2}),
}


def by_1_2(text):
    return YAML(typ="safe", pure=True).load(text)


def equal(a, b):
    """Returns true if the values are the same JSON."""
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b or math.isclose(a, b, rel_tol=1e-15)
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b))
    return a == b


def plain(value):
    """Returns ruamel's values as those of Python."""
    return json.loads(json.dumps(value, ensure_ascii=True))


def results(weir, cases, *options):
    with tempfile.TemporaryDirectory() as directory:
        path, out = pathlib.Path(directory) / "cases.jsonl", pathlib.Path(directory) / "out.jsonl"
        known = ("valid", "text")
        read = [{**case, "tests": [{key: test[key] for key in known} for test in case["tests"]]} for case in cases]
        path.write_text("".join(json.dumps(case) + "\n" for case in read))
        done = subprocess.run([weir, "cases", path, "--out", out, "--json", *options], check=False, capture_output=True)
        if done.returncode not in (0, 1):
            sys.exit(done.stdout.decode() + done.stderr.decode())
        return [json.loads(line) for line in out.read_text().splitlines()]


ANY = {}
OPEN = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}
CLOSED = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}, "n": {"type": ["number", "null"]}},
    "additionalProperties": False,
    "required": ["name"],
}
TREE = {
    "type": "object",
    "properties": {"v": {"type": "integer"}, "c": {"type": "array", "items": {"$ref": "#"}}},
    "required": ["v"],
    "additionalProperties": False,
}
UNIQUE = {"type": "object", "properties": {"u": {"type": "array", "uniqueItems": True, "items": {"enum": [1, 2, "1", None, {"a": 1}]}}}}
DIFFERENT = {"type": "array", "uniqueItems": True, "items": {"type": "string"}}
WORDS = {"type": "array", "items": {"enum": ["yes", "no", "1:30", "0o7", "null", "~", "a: b", "x", "1.0.0", "2001-01-01", "", " a", "-", "a#b"]}}
PATTERN = {"type": "object", "patternProperties": {"^[a-z]{1,2}$": {"type": "boolean"}}, "additionalProperties": False}
LENGTHS = {"type": "array", "items": {"type": "string", "minLength": 2, "maxLength": 4}, "minItems": 1}
SCHEMAS = {
    "any": ANY, "open": OPEN, "closed": CLOSED, "tree": TREE, "unique": UNIQUE, "words": WORDS, "pattern": PATTERN, "lengths": LENGTHS,
}

# Schema, text, and the value if it is accepted.
REFUSED = object()
TEXTS = [
    (ANY, "a: 1\n", {"a": 1}),
    (ANY, "---\na: 1\nb:\n- x\n- y: z\n  w: null\n", {"a": 1, "b": ["x", {"y": "z", "w": None}]}),
    (ANY, "a:\n    b:\n     - - 1\n       - 2\n     -\n      c: ~\n", {"a": {"b": [[1, 2], {"c": None}]}}),
    (ANY, "a:\nb:\n  -\n  - 1\n", {"a": None, "b": [None, 1]}),
    (ANY, "{a: 1, \"b\": [1, 2,\n  x y], 'c': {}}\n", {"a": 1, "b": [1, 2, "x y"], "c": {}}),
    (ANY, "a: some long\n  text\n\n  on lines\n", REFUSED),
    (ANY, "a: some long\n  text\n", {"a": "some long text"}),
    (ANY, "a: 'it''s\n\n  so\n  long'\n", {"a": "it's\nso long"}),
    (ANY, "a: \"x\\\n  \\ y\\u00e9\\xe9\\U0001F600\\_\"\n", {"a": "x y\u00e9\u00e9\U0001F600\u00a0"}),
    (ANY, "text\n...\n", "text"),
    (ANY, "a: \n    'long'\nb:\n  word\nc: {d: http://x:1/y,\n      e: f}\n", {"a": "long", "b": "word", "c": {"d": "http://x:1/y", "e": "f"}}),
    (ANY, "{a: 1, b: x\ny}\n", {"a": 1, "b": "x y"}),
    (ANY, "a: x \n  y\nb: 'x \n  y'\nc: \"x \n  y\"\n", {"a": "x y", "b": "x y", "c": "x y"}),
    (ANY, "a: x  \n  y\n", REFUSED),
    ({"type": "object", "additionalProperties": {"const": "x y"}}, "a: x \n  y\nb: 'x\n  y'\n", {"a": "x y", "b": "x y"}),
    (ANY, "{a: 1, b: 'x\n--- y'}\n", REFUSED),
    (ANY, "- a: b\n  c:\n    d\n  a: 2\n", REFUSED),
    (ANY, "a: |+\n\nb: |+\n\n\n- 1\n", REFUSED),
    (ANY, "a: |+\n\nb: >+\n\n\nc: 1\n", {"a": "\n", "b": "\n\n", "c": 1}),
    (ANY, "- |+\n\n- |+\n\n\n", ["\n", "\n\n"]),
    ({"const": "\n"}, "|+\n\n", REFUSED),
    (ANY, "a:\n  1\nb:\n  true\nc:\n  -1.5\nd:\n  null\n", {"a": 1, "b": True, "c": -1.5, "d": None}),
    (ANY, "a:\n1\n", REFUSED),
    (ANY, "a: 1\n b: 2\n", REFUSED),
    (ANY, "a: 1\n  b: 2\n", REFUSED),
    (ANY, "a:\n - 1\n  - 2\n", {"a": ["1 - 2"]}),
    (ANY, "a: 1\na: 2\n", REFUSED),
    (ANY, "a: 1\n\"a\": 2\n", REFUSED),
    (ANY, "a: 1\n'a': 2\n", REFUSED),
    (ANY, "a: 1\n\"\\x61\": 2\n", REFUSED),
    (ANY, "{a: 1, 'a': 2}\n", REFUSED),
    (ANY, "- a: 1\n  a: 2\n", REFUSED),
    (ANY, "- a: 1\n- a: 2\n", [{"a": 1}, {"a": 2}]),
    (ANY, "a: {a: {a: 1}}\nb: 'a\n  a: 1'\n", {"a": {"a": {"a": 1}}, "b": "a a: 1"}),
    (ANY, "a: b: c\n", REFUSED),
    (ANY, "a: [1, 2\n", REFUSED),
    (ANY, "a: \"\\ud83d\\ude00\"\n", REFUSED),
    (ANY, "a: &x 1\n", REFUSED),
    (ANY, "a: *x\n", REFUSED),
    (ANY, "a: !!str 1\n", REFUSED),
    ({"type": "string"}, "yes", REFUSED),
    ({"type": "string"}, "'yes'", "yes"),
    ({"type": "string"}, "1:30", REFUSED),
    ({"type": "string"}, "00:00:00.5", REFUSED),
    ({"type": "string"}, "09:00", "09:00"),
    ({"type": "string"}, "00:11:22:33:44:55", "00:11:22:33:44:55"),
    (ANY, "a: 00:00:01\nb: [-0:30, 0_9:59]\n", {"a": "00:00:01", "b": ["-0:30", "0_9:59"]}),
    ({"type": "string"}, "0o7", REFUSED),
    ({"type": "string"}, "1_000", REFUSED),
    ({"type": "string"}, "1e3", REFUSED),
    ({"type": "string"}, "2001-01-01", REFUSED),
    ({"type": "string"}, "=", REFUSED),
    ({"type": "string"}, "<<", REFUSED),
    ({"type": "string"}, ".inf", REFUSED),
    ({"type": "string"}, "1.0.0", "1.0.0"),
    ({"type": "string"}, "http://a.b/c", "http://a.b/c"),
    ({"type": "number"}, "1e5", REFUSED),
    ({"type": "number"}, "-1.50", -1.5),
    ({"type": "integer", "minimum": 3}, "2", REFUSED),
    (WORDS, "- 'yes'\n- x\n- 1.0.0\n- \"1:30\"\n", ["yes", "x", "1.0.0", "1:30"]),
    (WORDS, "- yes\n", REFUSED),
    (WORDS, "- x: 1\n", REFUSED),
    (UNIQUE, "u:\n- 1\n- 2\n- '1'\n- a: 1\n-\n", {"u": [1, 2, "1", {"a": 1}, None]}),
    (UNIQUE, "u:\n- 1\n- '1'\n- 1\n", REFUSED),
    (UNIQUE, "u:\n- a: 1\n- {a: 1}\n", REFUSED),
    (UNIQUE, "u: [1, 2, \"1\", {\"a\": 1}, {a: 1}]\n", REFUSED),
    (LENGTHS, "- ab\n- 'a''b'\n- \"\\u00e9a\"\n", ["ab", "a'b", "\u00e9a"]),
    (LENGTHS, "- a\n", REFUSED),
    (LENGTHS, "- abcde\n", REFUSED),
    (PATTERN, "a: true\nab: false\n", {"a": True, "ab": False}),
    (PATTERN, "a: true\nabc: false\n", REFUSED),
    (ANY, "a: 1.1e-05\nb: 1.0e+20\n", {"a": 1.1e-05, "b": 1e20}),
    (ANY, "[a: b, c]\n", [{"a": "b"}, "c"]),
    (ANY, "[\"a\": [b: [c: d]], x: {y: z}]\n", [{"a": [{"b": [{"c": "d"}]}]}, {"x": {"y": "z"}}]),
    (ANY, "[a: b: c]\n", REFUSED),
    (ANY, "[a: x\n  y, \n  b:\n  z, c: \n  d]\n", [{"a": "x y"}, {"b": "z"}, {"c": "d"}]),
    (ANY, "{a: 'x\n-y\n.z\n--x'}\n", {"a": "x -y .z --x"}),
    (ANY, "{a: 'x\n---y'}\n", REFUSED),
    (ANY, "a:\n- \n- b\n- c: \n  d: \n", {"a": [None, "b", {"c": None, "d": None}]}),
    (ANY, "a: |\n  x\n  y\nb: |-\n  x\n\n   y\nc: |+\n  x\n\nd: 1\n", {"a": "x\ny\n", "b": "x\n\n y", "c": "x\n\n", "d": 1}),
    (ANY, "a: |2-\n    x\n  y\nb: |2\n\n  x\n", {"a": "  x\ny", "b": "\nx\n"}),
    (ANY, "a: >\n  x\n  y\n\n  z\nb: >-\n  x\n  y\nc: >+\n  x\n  y\n\n\nd: 1\n", {"a": "x y\nz\n", "b": "x y", "c": "x y\n\n\n", "d": 1}),
    (ANY, "a: |\n  x", {"a": "x"}),
    (ANY, "- |\n x\n- - |-\n   y # no: [comment\n", ["x\n", ["y # no: [comment"]]),
    (ANY, "|\n x\n", "x\n"),
    ({"type": "string", "enum": ["x"]}, "|\n x\n", REFUSED),
    ({"type": "object", "additionalProperties": {"enum": ["x", "y\n"]}}, "a: |-\n  x\n", {"a": "x"}),
    ({"type": "object", "additionalProperties": {"enum": ["x", "x\n"]}}, "a: |\n  x\n", {"a": "x\n"}),
    (UNIQUE, "u: [1, a: 1, a: 1]\n", REFUSED),
    (UNIQUE, "u: [1, a: 1, 2]\n", {"u": [1, {"a": 1}, 2]}),
    (DIFFERENT, "- |\n  a\n- \"a\\n\"\n", REFUSED),
    (DIFFERENT, "- |\n  a\n- \"a\"\n", ["a\n", "a"]),
    (DIFFERENT, "- |+\n  a\n\n- \"a\\n\\n\"\n", REFUSED),
    (DIFFERENT, "- >\n  a\n  b\n- \"a b\\n\"\n", REFUSED),
    (DIFFERENT, "- >-\n  a\n\n  b\n- \"a\\nb\"\n", REFUSED),
]


def check_texts(weir, options):
    failures = []
    cases = [{"id": str(i), "schema": schema, "tests": [{"valid": True, "text": text}]} for i, (schema, text, _) in enumerate(TEXTS)]
    for (schema, text, value), result in zip(TEXTS, results(weir, cases, *options)):
        is_accepted = result.get("tests") == ["ok"]
        if is_accepted != (value is not REFUSED):
            failures.append(f"{text!r} under {schema}: {result}")
        if is_accepted and value is not REFUSED:
            for read in (yaml.safe_load, by_1_2):
                if not equal(plain(read(text)), value):
                    failures.append(f"{text!r} is read as {read(text)!r}")
    return failures


def check_members(weir, schemas, count, options):
    failures, members, cases = [], 0, []
    for name, schema in schemas.items():
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "schema.json"
            path.write_text(json.dumps(schema))
            # Without --numbers, some numbers are infinite to readers, and JSON has no text for them.
            command = [weir, "generate", "--quiet", "--json", "--schema", path, *options, "--numbers", "double", "--count", str(count), "--seed", "1",
                       "--max-tokens", "60", "--steer", "0.2"]
            done = subprocess.run(command, check=False, capture_output=True)
        tests = []
        for line in done.stdout.splitlines():
            text = json.loads(line)["text"]
            if text is None:
                continue
            members += 1
            try:
                read = [plain(yaml.safe_load(text)), plain(by_1_2(text))]
            except Exception as error:  # any error of a reader is a failure
                failures.append(f"{name}: {text!r}: {type(error).__name__} {str(error)[:200]!r}")
                continue
            if not equal(read[0], read[1]):
                failures.append(f"{name}: {text!r} is read as {read[0]!r} and {read[1]!r}")
            tests.append({"valid": True, "text": json.dumps(read[0]), "yaml": text})
        cases.append({"id": name, "schema": schema, "tests": tests})
    for case, result in zip(cases, results(weir, cases)):
        for test, verdict in zip(case["tests"], result.get("tests", [])):
            if verdict != "ok":
                failures.append(f"{case['id']}: {test['yaml']!r} is {verdict} as JSON: {test['text']}")
    print(f"{members} members of {len(schemas)} schemas")
    return failures


def is_read_as(text, data):
    try:
        return all(equal(plain(read(text)), data) for read in (yaml.safe_load, by_1_2))
    except Exception:  # any error of a reader
        return False


def check_documents(weir, step, options):
    path = SHARED / "schemastore-dev.jsonl.xz"
    if not path.exists():
        print(f"SchemaStore's documents are skipped: {path} is absent")
        return []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        schemas = [case for case in map(json.loads, file) if len(json.dumps(case["schema"])) <= SCHEMA_BYTES][::step]
    in_json = [{"id": case["id"], "schema": case["schema"],
                "tests": [{"valid": test["valid"], "text": json.dumps(test["data"])} for test in case["tests"]]} for case in schemas]
    cases, failures, accepted, valid, refused, wrong, left_out = [], [], 0, 0, 0, 0, 0
    for case, result in zip(schemas, results(weir, in_json, "--reading", "practice")):
        tests = []
        for test, verdict in zip(case["tests"], result.get("tests", [])):
            texts = {}
            if verdict == "ok":
                for name, write in WRITERS.items():
                    texts.setdefault(write(test["data"]), name)
            for text, name in texts.items():
                if len(text) > TEXT_BYTES:
                    continue
                is_same = is_read_as(text, test["data"])
                left_out += not is_same
                if is_same:
                    tests.append({"valid": test["valid"], "text": text, "by": name})
        cases.append({"id": case["id"], "schema": case["schema"], "tests": tests})
    for case, result in zip(cases, results(weir, cases, "--reading", "practice", *options)):
        verdicts = result.get("tests", ["no grammar"] * len(case["tests"]))
        for test, verdict in zip(case["tests"], verdicts):
            if test["valid"]:
                valid += 1
                accepted += verdict == "ok"
            else:
                wrong += 1
                refused += verdict == "ok"
            if verdict != "ok":
                print(f"{case['id']}, {test['by']}, {'valid' if test['valid'] else 'wrong'}: {verdict}")
    print(f"{left_out} texts left out")
    print(f"{accepted} of {valid} valid texts accepted, {refused} of {wrong} wrong ones refused")
    if refused < wrong:
        failures.append(f"{wrong - refused} wrong texts are accepted")
    if accepted < LEAST * valid:
        failures.append(f"only {accepted} of {valid} valid texts are accepted")
    return failures


def main():
    weir = os.path.abspath(sys.argv[1])
    options = ["--notation", "yaml"]
    failures = check_texts(weir, options)
    members, step = SIZES[sys.argv[2] if len(sys.argv) > 2 else ""]
    failures += check_members(weir, SCHEMAS, members, options)
    failures += check_documents(weir, step, options)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
