#!/usr/bin/env python3
"""Real schemas as parameters of tools, in each style of arguments: styles_test.py WEIR [--update] [--details]

The schemas of objects in MaskBench's and SchemaStore's development halves. For each style the test counts those that are
refused, by cause, and walks the instances of MaskBench, written as the style writes arguments. A deterministic tenth of the
schemas is tried; all with WEIR_CONFORMANCE=all in the environment. results.json has the counts of both, for the styles that
have been recorded. The run fails if more is refused or wrong than recorded, or if the table of docs/tools.md is not that of the record. --update records the
counts and writes the table.
"""

import collections
import json
import lzma
import os
import pathlib
import re
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "json_schema"))
import recorded  # noqa: E402
import weir_command  # noqa: E402
from nested_forms import cohere, gemma, json_type, minimax_m3  # noqa: E402

RESULTS = HERE / "results.json"
PAGE = HERE.parents[2] / "docs" / "tools.md"
TABLE = re.compile(r"(<!-- refused schemas -->\n).*?(<!-- end of refused schemas -->)", re.DOTALL)
NO_OBJECT = "the schema of arguments allows no object"  # then it is no schema of parameters
DATA = ("maskbench-dev.jsonl.xz", "schemastore-dev.jsonl.xz")


def text_of(value):
    return json.dumps(value, ensure_ascii=False)


def tagged(before, after, end, to_value="", after_string=None, type_end=None, attribute=str):
    """Returns a function that writes arguments between tags: strings as they are, all else as JSON."""

    def write(arguments):
        out = ""
        for key, value in arguments.items():
            is_string = isinstance(value, str)
            out += before + attribute(key)
            if type_end is not None:
                out += after + json_type(value) + type_end
            else:
                out += after_string if is_string and after_string else after
            out += to_value + (value if is_string else text_of(value)) + end
        return out

    return write


def dsml(blank):
    begin = f'<｜DSML｜{blank}parameter name="'
    return tagged(begin, '" string="false">', f"</｜DSML｜{blank}parameter>", after_string='" string="true">')


# Each style, how it writes arguments, and whether a reader of the text sees what is a string.
STYLES = {
    "json": (text_of, True),
    "qwen_xml": (tagged("<parameter=", ">", "</parameter>"), False),
    "minimax_xml": (tagged('<parameter name="', '">', "</parameter>"), False),
    "glm_xml": (tagged("<arg_key>", "</arg_key>", "</arg_value>", to_value="<arg_value>"), False),
    "deepseek_xml": (dsml(""), True),
    "deepseek_v4_1_xml": (dsml(" "), True),
    "kimi_k3_xml": (tagged('<|open|>argument key="', '" type="', "<|close|>argument<|sep|>", type_end='"<|sep|>',
                           attribute=lambda key: key.replace("&", "&amp;").replace('"', "&quot;")), True),
    "cohere_xml": (lambda arguments: "".join(cohere(value, key) for key, value in arguments.items()), True),
    "minimax_m3_xml": (minimax_m3, False),
    "gemma4": (gemma, True),
}


def is_of_objects(schema):
    kinds = schema.get("type", "object") if isinstance(schema, dict) else None
    return "object" in ([kinds] if isinstance(kinds, str) else kinds or [])


def read_cases(every):
    """Returns (id, schema, tests) of all schemas of objects, or of a tenth that depends only on their ids."""
    for name in DATA:
        with lzma.open(weir_command.shared_data(name), "rt", encoding="utf-8") as file:
            for line in file:
                case = json.loads(line)
                if is_of_objects(case["schema"]) and (every or zlib.crc32(case["id"].encode()) % 10 == 0):
                    yield case["id"], case["schema"], case.get("tests", ())


def in_place(schemas, root, keywords=("then", "else")):
    """Yields schemas and those within them that apply to the same value."""
    seen, todo = [], list(schemas)
    while todo:
        one = todo.pop(0)
        if not isinstance(one, dict) or any(one is other for other in seen):
            continue
        seen.append(one)
        yield one
        reference = one.get("$ref")
        if isinstance(reference, str) and reference.startswith("#"):
            todo.append(at_pointer(root, reference[1:]))
        for keyword in ("allOf", "anyOf", "oneOf"):
            todo += one.get(keyword, ()) if isinstance(one.get(keyword), list) else ()
        todo += [one[keyword] for keyword in keywords if keyword in one]
        todo += one.get("dependentSchemas", {}).values()


def declared_order(schemas, root):
    """Returns the rank of each name of `properties` in these schemas and those that apply to the same value. What a
    `$ref` leads to counts where the `$ref` stands."""
    ranks, seen = {}, set()

    def walk(one):
        if not isinstance(one, dict) or id(one) in seen:
            return
        seen.add(id(one))
        for keyword, value in one.items():
            if keyword == "properties" and isinstance(value, dict):
                for name in value:
                    ranks.setdefault(name, len(ranks))
            elif keyword == "$ref" and isinstance(value, str) and value.startswith("#"):
                walk(at_pointer(root, value[1:]))
            elif keyword in ("allOf", "anyOf", "oneOf", "if", "then", "else", "not", "dependentSchemas"):
                inner = value.values() if keyword == "dependentSchemas" else value if isinstance(value, list) else [value]
                for part in inner:
                    walk(part)

    for schema in schemas:
        walk(schema)
    return ranks


def at_pointer(root, pointer):
    value = root
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(token)] if isinstance(value, list) else value[token]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return value


# What ends a key in the style, or cannot stand in one.
UNWRITABLE = {"gemma4": r"[:,{}\[\]]|^\s|\s$", "minimax_m3_xml": r"[\x00-\x20<>]", "qwen_xml": ">", "glm_xml": "<",
              "minimax_xml": '"', "deepseek_xml": '"', "deepseek_v4_1_xml": '"'}
NO_OPEN_KEY = re.compile(r'[\x00-\x20"&<>\x7f]')


class Arrangement:
    """Puts the members of objects in the order of a schema, as docs/structural_tags.md has it. Raises LookupError if
    a member cannot come: the style cannot write its key, or it is listed nowhere and no keyword asks for it."""

    def __init__(self, style, schema):
        self.root = schema
        self.is_nested = style in ("cohere_xml", "minimax_m3_xml", "gemma4")
        self.has_open_keys = style != "minimax_m3_xml"
        self.unwritable = re.compile(UNWRITABLE.get(style, "[\n\r]"))

    def check_key(self, key, is_listed, places, is_open):
        if not key or "\n" in key or "\r" in key or self.unwritable.search(key):
            raise LookupError
        if is_listed:
            return
        if not self.has_open_keys or NO_OPEN_KEY.search(key):
            raise LookupError
        patterns = [pattern for place in places for pattern in place.get("patternProperties", ())]
        if not (is_open or any(place.get("additionalProperties") for place in places)
                or any(re.search(pattern, key) for pattern in patterns)):
            raise LookupError

    def schemas_of(self, key, places):
        """Returns the schemas of a member: that of `additionalProperties` where no other keyword knows the key."""
        found = []
        for place in places:
            known = [place["properties"][key]] if key in place.get("properties", {}) else []
            known += [one for pattern, one in place.get("patternProperties", {}).items() if re.search(pattern, key)]
            found += known or [place.get("additionalProperties")]
        return found

    def arranged(self, value, schemas, is_top=True):
        places = list(in_place(schemas, self.root))
        if isinstance(value, list) and self.is_nested:
            items = [place.get("items") for place in places]
            return [self.arranged(item, items, False) for item in value]
        if not isinstance(value, dict) or not (is_top or self.is_nested):
            return value
        order = declared_order(schemas, self.root)
        listed = {key for place in places for key in place.get("properties", {})}
        required = {key for place in places if isinstance(place.get("required"), list) for key in place["required"]}
        for key in value:
            self.check_key(key, key in listed or key in required, places, not is_top and not listed)
        last = len(order)
        keys = sorted(value, key=lambda key: order.get(key, last if key in required else last + 1))
        return {key: self.arranged(value[key], self.schemas_of(key, places), False) for key in keys}


def in_style(style, case):
    name, schema, tests = case
    write, is_typed = STYLES[style]
    walked = []
    arrangement = Arrangement(style, schema)
    for test in tests:
        # Where a reader cannot see what is a string, another value may be what the schema allows.
        if isinstance(test["data"], dict) and (test["valid"] or is_typed):
            try:
                data = test["data"] if style == "json" else arrangement.arranged(test["data"], [schema])
                text = write(data)
                text.encode()
            except (UnicodeEncodeError, LookupError):  # half of a surrogate pair; a member that cannot come
                continue
            walked.append({"valid": test["valid"], "text": text})
    tag = {"format": {"type": "json_schema", "style": style, "json_schema": schema}}
    return {"id": f"{name} {style}", "structural_tag": tag, "tests": walked}


def cause(refused):
    """Returns a refusal's message without the names in it."""
    message = re.sub(r"`[^`]*`|\"(?:[^\"\\]|\\.)*\"", "…", refused["message"])
    return f"{refused['code']}: {message}"


def counts_of(style, cases, weir, details):
    """Returns the counts of a style: schemas, those refused by cause, and the outcomes of tests that are not right."""
    results = weir_command.run_cases(weir, [in_style(style, case) for case in cases])
    refused, wrong, tests, of_objects = collections.Counter(), collections.Counter(), 0, len(cases)
    for case, result in zip(cases, results):
        if "refused" in result and result["refused"]["message"] == NO_OBJECT:
            of_objects -= 1
            continue
        if "refused" in result:
            refused[cause(result["refused"])] += 1
        outcomes = result.get("tests", ())
        tests += len(outcomes)
        wrong.update(outcome for outcome in outcomes if outcome != "ok")
        if details and ("refused" in result or any(outcome != "ok" for outcome in outcomes)):
            print(f"{style} {case[0]}: {result.get('refused', {}).get('message', outcomes)}")
    return {"schemas": of_objects, "refused": dict(refused.most_common()), "tests": tests, "wrong": dict(wrong)}


def worse(found, before):
    """Returns the counts that are greater than recorded, each with what was recorded."""
    pairs = {"refused": (sum(found["refused"].values()), sum(before.get("refused", {}).values()))}
    for outcome, count in found["wrong"].items():
        pairs[outcome] = (count, before.get("wrong", {}).get(outcome, 0))
    return [f"{what} {now}, recorded {then}" for what, (now, then) in pairs.items() if now > then]


def table(record):
    """Returns the table of docs/tools.md: of all schemas if they are recorded, else of the tenth."""
    part = record.get("all") or record["tenth"]
    of = "" if "all" in record else ", of a tenth of the schemas"
    lines = [f"| style | refused{of} | causes |", "|---|---|---|"]
    for style, counts in part.items():
        refused = sum(counts["refused"].values())
        share = f"{refused} of {counts['schemas']} ({100 * refused / counts['schemas']:.1f} %)"
        causes = "; ".join(f"{count} {why}" for why, count in counts["refused"].items()) or "-"
        lines.append(f"| `{style}` | {share} | {causes} |")
    return "\n".join(lines) + "\n"


def main():
    options = recorded.parse_arguments(__doc__.splitlines()[0])
    every = os.environ.get("WEIR_CONFORMANCE") == "all"
    record = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    part = record.setdefault("all" if every else "tenth", {})
    cases = list(read_cases(every))
    failures = []
    for style in os.environ.get("WEIR_STYLES", "").split() or STYLES:
        found = counts_of(style, cases, options.weir, options.details)
        print(f"{style}: refused {sum(found['refused'].values())} of {found['schemas']}, tests {found['tests']}, "
              f"wrong {found['wrong'] or 'none'}")
        if style in part:
            failures += [f"{style}: {line}" for line in worse(found, part[style])]
        else:
            print(f"{style} is not recorded: `make update-conformance` records it")
        if options.update:
            part[style] = found
    page = PAGE.read_text(encoding="utf-8")
    if options.update:
        RESULTS.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        PAGE.write_text(TABLE.sub(lambda match: match[1] + table(record) + match[2], page), encoding="utf-8")
        return 0
    if table(record) not in page:
        failures.append("the table of docs/tools.md is not that of results.json: --update writes it")
    for line in failures:
        print(f"WORSE  {line}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
