#!/usr/bin/env python3
"""Events of weir.ReplyParser against what the writer of a reply meant: oracle_test.py READER [--cases N] [--styles NAME...]

READER is the program reply_events. Members of schemas become arguments of calls, reply_writers.py writes them in every style with
text and reasoning around them, and the reader is fed the reply in bytes, tokens, lines and whole, in both modes. Nothing here is
taken from the library: what a reply means follows from how it was written (docs/replies.md, docs/tools.md). Checked are:

- joined events are the same for all cuts and both modes, their ranges are the whole reply, and so nothing is taken back;
- reasoning, text, names, ids, and the arguments with the types of the schema;
- after each byte, what must be certain: text and strings up to what may be the beginning of a tag, values that have ended;
- the strict mode refuses nothing that the tag allows; events of values are the arguments.

Without ../shared/data the schemas are TEXTS and MIXED below. --cases is the number of replies in each style.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import lzma
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
for directory in ("json_schema", "tool_styles"):
    sys.path.insert(0, str(HERE.parent / directory))
import reply_writers  # noqa: E402
import styles_test  # noqa: E402

DATA = pathlib.Path(os.environ.get("WEIR_SHARED_DATA") or HERE.parents[3] / "shared" / "data")
CUTS = ("bytes", "tokens", "lines", "whole")
VALUES = ("object_begins", "array_begins", "string", "number", "boolean", "null", "string_ends", "object_ends", "array_ends")
DELTAS = ("reasoning", "text", "arguments", "string")
CALLS = ("call_begins", "arguments", "call_ends")
LITERALS = {"true": True, "false": False, "null": None}
HELD = 64  # No tag is longer, with the blanks that a writer puts around it.

# Of which a text, a reasoning and a string are made: what resembles tags, escapes and values.
SCRAPS = ["a", "the answer is 4", " ", "\n", " < 3 && b > 2 ", "<", "</", "<b>bold</b>", "<tool", "<tool_cal", "</para", "[1, 2]", "[",
          "{", "}", '"', "'", "\\", "\\n", '\\"', "é", "日本", "🙂", "\u2028", "&lt;", "&", "```", "``", "<|", "|>", "]<]", "<｜",
          "null", "true", "5", "-1e3", "(", ")", ",", ":", "=", "f(x)", "<!-- x -->", "\t"]
PLAIN = ["a", "the answer is 4", " ", "\n", " < 3 && b > 2 ", "<", "</", "<b>", "é", "日本", "🙂", "&lt;", ". ", "5", "`x`", "(", ")", "<to",
         "</thi"]

TEXTS = {"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}, "n": {"type": "integer"}},
         "required": ["path"]}
MIXED = {"type": "object", "properties": {
    "either": {"type": ["string", "integer", "null"]}, "flag": {"type": "boolean"}, "x": {"type": "number"},
    "list": {"type": "array", "items": {"type": "string"}}, "deep": {"type": "object", "properties": {"s": {"type": "string"}}},
    "kind": {"enum": ["one", "two"]}, "last": {"type": "string"}}}


def scraps(rng, of, count):
    return "".join(rng.choice(of) for _ in range(rng.randint(1, count)))


def hand_made(rng):
    """Returns a schema and a member, of strings that resemble the forms."""
    if rng.random() < 0.6:
        value = {"path": scraps(rng, SCRAPS, 6), "content": scraps(rng, SCRAPS, 12), "n": rng.randint(-9, 9999)}
        if rng.random() < 0.2:
            del value["content"]
        return TEXTS, value
    value = {"either": rng.choice((7, None, scraps(rng, SCRAPS, 4))), "flag": rng.random() < 0.5, "x": rng.choice((1.5, -3, 0.25, 12)),
             "list": [scraps(rng, SCRAPS, 3) for _ in range(rng.randint(0, 3))], "deep": {"s": scraps(rng, SCRAPS, 4)},
             "kind": rng.choice(("one", "two")), "last": scraps(rng, SCRAPS, 8)}
    return MIXED, {key: member for key, member in value.items() if rng.random() < 0.8}


def read_members():
    """Returns (schema, member) of the public collection, if it is there."""
    path = DATA / "maskbench-dev.jsonl.xz"
    if not path.exists():
        return []
    members = []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            if styles_test.is_of_objects(case["schema"]):
                members += [(case["schema"], test["data"]) for test in case.get("tests", ())
                            if test["valid"] and isinstance(test["data"], dict) and len(line) < 20_000]
    return members


MEMBERS = []  # read before the processes that use them are forked
KINDS = frozenset(("string", "number", "boolean", "null", "object", "array"))


def kind_of(value):
    return reply_writers.json_type(value)


def kinds_of(schema, root, depth=0):
    """Returns the kinds of values that a schema may allow: no less than those that it does allow."""
    if not isinstance(schema, dict) or depth > 8:
        return KINDS
    kinds = KINDS
    if "type" in schema:
        named = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        kinds = kinds & {"number" if name == "integer" else name for name in named}
    if isinstance(schema.get("enum"), list):
        kinds = kinds & {kind_of(value) for value in schema["enum"]}
    if "const" in schema:
        kinds = kinds & {kind_of(schema["const"])}
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        kinds = kinds & kinds_of(styles_test.at_pointer(root, reference[1:]), root, depth + 1)
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            kinds = kinds & frozenset().union(*(kinds_of(one, root, depth + 1) for one in schema[keyword]))
    for one in schema.get("allOf", ()):
        kinds = kinds & kinds_of(one, root, depth + 1)
    return frozenset(kinds)


AS_WRITTEN = object()
KNOWN = ("<think>", "<tool_call>", "<answer>", "</answer>", "<response>", "</response>", "<|im_end|>", "<|endoftext|>", "</s>")


class Unwritable(Exception):
    pass


class Arrangement(styles_test.Arrangement):
    """The order of members in the styles of styles_test.py, and in those that are like them."""

    LIKE = {"mimo_xml": "qwen_xml", "longcat_xml": "glm_xml", "minicpm5_xml": "minimax_xml", "step3_xml": "minimax_xml",
            "functiongemma": "gemma4"}

    def __init__(self, style, schema):
        super().__init__(self.LIKE.get(style, style), schema)
        self.is_nested = self.is_nested or style in ("functiongemma", "python")
        if style == "python":
            self.unwritable = re.compile(r"[\x00-/:-@\[-^`{-\x7f]|^[0-9]")


ENDS = {"qwen_xml": "</parameter>", "mimo_xml": "</parameter>", "minimax_xml": "</parameter>", "glm_xml": "</arg_value>",
        "longcat_xml": "</longcat_arg_value>", "minicpm5_xml": "</param>", "step3_xml": "</steptml:parameter>",
        "deepseek_xml": "</｜DSML｜parameter>", "deepseek_v4_1_xml": "</｜DSML｜ parameter>", "kimi_k3_xml": "<|close|>argument<|sep|>",
        "cohere_xml": "</cofl:value>", "minimax_m3_xml": reply_writers.M3, "gemma4": '<|"|>', "functiongemma": "<escape>"}


# What begins an argument. It may end the value before it, whose end is then missing.
BEGINS = {"qwen_xml": "<parameter=", "mimo_xml": "<parameter=", "minimax_xml": "<parameter name=", "glm_xml": "<arg_key>",
          "longcat_xml": "<longcat_arg_key>", "minicpm5_xml": "<param name=", "step3_xml": "<steptml:parameter name=",
          "deepseek_xml": "<｜DSML｜parameter name=", "deepseek_v4_1_xml": "<｜DSML｜ parameter name=",
          "kimi_k3_xml": "<|open|>argument key="}
ENDS_IN_STRINGS = ENDS.keys() - {"cohere_xml", "minimax_m3_xml", "gemma4", "functiongemma"}


def strings_in(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, member in value.items():
            yield key
            yield from strings_in(member)
    elif isinstance(value, list):
        for item in value:
            yield from strings_in(item)


def is_plain(value):
    """Returns False if a number is none that all writers write the same."""
    if isinstance(value, float):
        return math.isfinite(value) and "e" not in repr(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(map(is_plain, parts))


def arranged(style, schema, member):
    """Returns the member in the order in which the style writes it, and what it means there."""
    if any(ENDS.get(style, "\ud800") in text for text in strings_in(member)) or not is_plain(member):
        raise Unwritable
    json.dumps(member, ensure_ascii=False).encode()
    arguments = member if style == "json" else Arrangement(style, schema).arranged(member, [schema])
    if style == "minimax_m3_xml" and not all(is_clear(value, described([schema], schema, key), schema)
                                             for key, value in arguments.items()):
        raise Unwritable
    meant = {}
    for key, value in arguments.items():
        kinds = kinds_at(schema, key)
        if style in reply_writers.UNTYPED and not kinds and not isinstance(value, str):
            value = AS_WRITTEN  # what no schema describes is text
        elif style in reply_writers.UNTYPED and isinstance(value, str) and kinds - {"string"}:
            try:
                other = json.loads(value)
            except ValueError:
                other = value
            if not isinstance(other, str) or value.strip() != value or not value:
                raise Unwritable  # the text is a value of another kind
        meant[key] = value
    return arguments, meant


def described(schemas, root, key):
    """Returns the schemas of a member: those that list it, else those of patterns and of all other members."""
    places = list(styles_test.in_place(schemas, root))
    found = [place["properties"][key] for place in places if key in place.get("properties", {})]
    if not found:
        found = [one for place in places for one in place.get("patternProperties", {}).values()]
        found += [place["additionalProperties"] for place in places if "additionalProperties" in place]
    return found


def kinds_at(schema, key):
    return kinds_in(described([schema], schema, key), schema)


def kinds_in(schemas, root):
    """Returns the kinds of values that schemas allow together; none if they say nothing of kinds."""
    either = set()
    for one in schemas:
        kinds = kinds_of(one, root)
        places = styles_test.in_place([one], root)
        if kinds != KINDS or any(place.keys() & {"properties", "items", "anyOf", "oneOf"} for place in places):
            either |= kinds
    return either


def is_clear(value, schemas, root):
    """Returns True if a value between nested tags, of which only the schema says what it is, is read as what it is."""
    if len(schemas) > 1:
        return False  # of several schemas that list a member between nested tags, the reader takes the first
    kinds = kinds_in(schemas, root)
    places = list(styles_test.in_place(schemas, root))
    if isinstance(value, dict):
        return bool(value) and all(is_clear(member, described(schemas, root, key), root) for key, member in value.items())
    if isinstance(value, list):
        items = [place["items"] for place in places if isinstance(place.get("items"), dict)]
        return bool(value) and kinds == {"array"} and all(is_clear(item, items, root) for item in value)
    return kinds == {kind_of(value)}


def with_ends(style, schema, arguments, meant, rng):
    """Puts the end of an argument into strings, where the value goes on."""
    for key, value in arguments.items():
        if style in ENDS_IN_STRINGS and isinstance(value, str) and kinds_at(schema, key) == {"string"}:
            arguments[key] = meant[key] = value + ENDS[style] + rng.choice((" and so on", ", </b>", "x\n"))


def make_case(style, members, rng):
    """Returns a case for the reader with what it means, or None if the members cannot be written so."""
    form = reply_writers.STYLES[style]
    count = 0 if rng.random() < 0.05 else 1 if style == "harmony" else rng.choice((1, 1, 2, 3))
    tools, calls, schemas = [], [], {}
    is_free = rng.random() < 0.2  # True if it has what no tag allows and is read all the same
    names = rng.sample(("get_weather", "f", "write", "lookup_2", "convertUnits"), 3)
    for name in names:
        schema, member = rng.choice(members) if members and rng.random() < 0.6 else hand_made(rng)
        schemas[name] = (schema, member)
        tools.append({"type": "function", "function": {"name": name, "parameters": schema}})
    try:
        for number in range(count):
            schema, member = schemas[names[number]]
            arguments, meant = arranged(form.arguments, schema, member)
            if is_free:
                with_ends(form.arguments, schema, arguments, meant, rng)
            calls.append((names[number], arguments, meant))
    except (Unwritable, LookupError, UnicodeEncodeError):
        return None
    texts = [scraps(rng, PLAIN, 6) if rng.random() < 0.5 else "" for _ in range(count + 1)]
    texts = [text if text.strip() else "" for text in texts]
    if is_free and first_tag(form):
        texts = [text and text + f"`{first_tag(form)}` is a tag. " for text in texts]
    reasoning = scraps(rng, PLAIN, 8) if form.reasoning and rng.random() < 0.4 else ""
    reasoning = reasoning if reasoning.strip() else ""
    if not calls and not texts[-1]:
        return None
    parts, ids = reply_writers.write(style, reasoning, texts, [call[:2] for call in calls], rng)
    for part in parts:
        if part.kind == "value" and calls[part.call][2][part.key] is AS_WRITTEN:
            calls[part.call][2][part.key] = part.text
    text = "".join(part.text for part in parts)
    if len(text) > 6000:
        return None
    return {"style": style, "tools": tools, "is_free": is_free, "reasoning": form.whole if reasoning else "none", "text": text, "cuts": CUTS,
            "parts": parts, "ids": ids, "calls": [(name, meant) for name, _, meant in calls],
            "is_strict_alone": form.is_bare and bool(calls) and any(part.kind == "text" for part in parts),
            "schemas": {name: schema for name, (schema, _) in schemas.items()}}


class Wrong(Exception):
    pass


def joined(events):
    out = []
    for event in events:
        last = out[-1] if out else None
        same = last and event[0] in DELTAS and last[0] == event[0] and last[3] == event[3] and last[8:] == event[8:]
        if same and not (event[0] == "string" and event[4] == ""):
            last[2], last[4] = event[2], last[4] + event[4]
        else:
            out.append(list(event))
    return out


def split(steps):
    """Returns the joined events of bytes and those of values."""
    events = [event for step in steps for event in step[1:]]
    values = [event[:1] + [0, 0] + event[3:] for event in events if event[0] in VALUES]
    return joined(event for event in events if event[0] not in VALUES), joined(values)


def check_same(case, answers):
    if any(step[1] == "error" for answer in answers for steps in answer["cuts"].values() for step in steps):
        return
    expected = split(answers[0]["cuts"]["bytes"])
    for answer in answers:
        for cut, steps in answer["cuts"].items():
            got = split(steps)
            if got[0] != expected[0]:
                raise Wrong(f"the events of {cut} {answer['mode']} are others: {difference(expected[0], got[0])}")
            if got[1] and expected[1] and got[1] != expected[1]:
                raise Wrong(f"the values of {cut} {answer['mode']} are others: {difference(expected[1], got[1])}")
    at = 0
    for event in expected[0]:
        if event[1] != at or event[2] < at:
            raise Wrong(f"a gap before {event}")
        at = event[2]
    if at != len(case["text"].encode()):
        raise Wrong(f"the events end at {at}")


def difference(one, other):
    for a, b in zip(one, other):
        if a != b:
            return f"{a} and {b}"
    return f"{len(one)} and {len(other)} events"


def spaced(segments):
    return r"\s*".join([""] + [re.escape(segment.lstrip()) for segment in segments]) + r"\s*"


def same(one, other):
    """Returns whether two values of JSON are the same; 1 and 1.0 are, 1 and true are not."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def without_invalid(case, events):
    """Returns the events, those of a tag in prose that looked like a call as its text, which may only be in `is_free` cases."""
    invalid = [event for event in events if event[0] == "call_invalid"]
    if invalid and not case["is_free"]:
        raise Wrong(f"a call is not valid: {[event[7] for event in invalid]}")
    begun, numbers = set(), []  # a call without a name has not begun
    for event in events:
        if event[0] == "call_begins":
            begun.add(event[3])
        elif event[0] == "call_invalid" and event[3] in begun:
            numbers.append(event[3])
    out = []
    for event in events:
        if event[0] == "call_invalid":
            out.append(["text", *event[1:3], 0, event[4], "", "", "", "", 0])
        elif not (event[0] == "call_begins" and event[3] in numbers):
            number = event[3] - sum(other < event[3] for other in numbers) if event[0] in CALLS else event[3]
            out.append([*event[:3], number, *event[4:]])
    return out


def check_meaning(case, events):
    for kind, event_kind in (("reasoning", "reasoning"), ("text", "text")):
        wanted = [part.text for part in case["parts"] if part.kind == kind]
        if kind == "reasoning":
            wanted = [text.rstrip() for text in wanted]  # white space at its ends belongs to the tags
        got = "".join(event[4] for event in events if event[0] == event_kind)
        if not re.fullmatch(spaced(wanted), got):
            raise Wrong(f"{kind}: wanted {wanted}, got {got!r}")
    begun = [event for event in events if event[0] == "call_begins"]
    if [event[5] for event in begun] != [name for name, _ in case["calls"]]:
        raise Wrong(f"names {[event[5] for event in begun]}")
    if [event[6] for event in begun] != case["ids"]:
        raise Wrong(f"ids {[event[6] for event in begun]}, wanted {case['ids']}")
    texts = arguments_of(events)
    for number, (name, meant) in enumerate(case["calls"]):
        try:
            got = json.loads(texts[number])
        except ValueError:
            raise Wrong(f"arguments of {name} are not JSON: {texts[number]}") from None
        if not same(got, meant):
            raise Wrong(f"arguments of {name}: wanted {meant}, got {got}")
    ended = [event[3] for event in events if event[0] == "call_ends"]
    if ended != list(range(len(case["calls"]))):
        raise Wrong(f"calls that end: {ended}")


def arguments_of(events):
    texts = collections.defaultdict(str)
    for event in events:
        if event[0] == "arguments":
            texts[event[3]] += event[4]
    return texts


def spans_of(text):
    """Returns {key: (start, end)} of the members' values in the text of an object."""
    spans, at, decoder = {}, text.index("{") + 1, json.JSONDecoder()
    blank = re.compile(r"[\s,:]*")
    while text[(at := blank.match(text, at).end())] != "}":
        key, at = decoder.raw_decode(text, at)
        start = blank.match(text, at).end()
        _, at = decoder.raw_decode(text, start)
        spans[key] = (start, at)
    return spans


ESCAPED = re.compile(r'\\u[dD][89abAB]..\\u....|\\u....|\\.|[^\\"]', re.DOTALL)


MAYBE_TAG = re.compile(r"\s*(<[^>]*)?")


def first_tag(form):
    """Returns the tag with which a section begins, or a call without one; "" if it has none by itself, or if the tag is one
    of messages, which ends a text wherever it stands."""
    found = re.match(r"<[^<>]*>", form.open or form.begin)
    if found and found[0] in ("<|message_model|>", "<|channel|>"):
        return ""
    return found[0].replace("NAME", "name") if found else ""


class Certain:
    """Follows the events after each byte, and says what is missing that is certain."""

    def __init__(self, case, events):
        self.case = case
        self.form = reply_writers.STYLES[case["style"]]
        self.counts = collections.Counter()
        self.arguments = arguments_of(events)
        self.spans = {number: spans_of(text) for number, text in self.arguments.items()}
        form = self.form
        begin = form.begin.split("NAME")[0]
        self.tags = [*form.reasoning, form.open, form.open.rstrip(), begin, first_tag(form), *KNOWN]
        self.tags += {"xlam": ["```json"], "gemma4": ["thought"]}.get(case["style"], [])
        end = ENDS.get(form.arguments, "")
        self.ends = [blank + end for blank in ("", "\n")] + (["<![CDATA["] if case["style"] == "minicpm5" else [])
        # The end of the call may end a value, too; in brackets after those that are open.
        self.ends += [tag for tag in re.findall(r"<[^<>]*>", form.end)] + [form.end.strip()]
        self.begin = BEGINS.get(form.arguments)
        self.has_brackets = form.arguments in ("gemma4", "functiongemma")

    def follow(self, steps):
        """Checks the state after each byte of each part."""
        shown = {"text": 0, "reasoning": 0, "begun": 0, "ended": 0}
        lengths = collections.Counter()
        by_fed = collections.defaultdict(list)
        for step in steps:
            by_fed[step[0]] += step[1:]
        at = base = 0
        for part in self.case["parts"]:
            data = part.text.encode()
            if part.kind in ("text", "reasoning"):
                base = self.totals(part)
            for index in range(len(data)):
                for event in by_fed.get(at + index + 1, ()):
                    if event[0] in ("text", "reasoning"):
                        shown[event[0]] += len(event[4])
                    elif event[0] == "arguments":
                        lengths[event[3]] += len(event[4])
                    elif event[0] in ("call_begins", "call_ends"):
                        shown["begun" if event[0] == "call_begins" else "ended"] += 1
                read = data[: index + 1].decode(errors="ignore")
                if part.kind in ("text", "reasoning"):
                    self.check_text(part, read, shown[part.kind] - base)
                elif part.kind == "value":
                    self.check_value(part, read, lengths[part.call], shown["begun"])
            at += len(data)

    def totals(self, part):
        """Returns how many characters of the same kind precede the part's first character that is no blank."""
        whole = self.case[part.kind + "_shown"]
        wanted = part.text.strip() if part.kind == "reasoning" else part.text.lstrip()
        start = whole.index(wanted, self.counts[part.kind])
        self.counts[part.kind] = start + len(wanted)
        return start - (len(part.text) - len(part.text.lstrip()))

    def check_text(self, part, read, count):
        held = read[max(count, 0):]
        self.note(part.kind, held, part, read)

    def check_value(self, part, read, length, begun):
        if begun <= part.call:
            raise Wrong(f"call {part.call} has not begun at its value {part.key}: {read!r}")
        start, end = self.spans[part.call][part.key]
        if self.form.arguments in ("cohere_xml", "minimax_m3_xml"):
            return  # held back until the call ends
        if part.literal:
            kinds = kinds_at(self.case["schemas"][self.case["calls"][part.call][0]], part.key)
            if kinds != {"string"}:
                return
            decoded = len(ESCAPED.findall(self.arguments[part.call], start + 1, min(max(length, start + 1), end - 1)))
            self.note("value", read[decoded:], part, read)
        elif self.form.arguments == "json":
            self.note("json", read[max(length - start, 0):], part, read)

    def note(self, where, held, part, read):
        """Fails if more is held back than what may be the beginning of a tag, or white space that may be none of the text."""
        if not held:
            return
        blank = len(held) - len(held.lstrip())
        is_edge = blank and (where == "reasoning" or len(held) == len(read))
        rest = held[blank:] if is_edge else held
        if where == "value":
            rest = re.sub(r"^[}\]\s]*", "", rest) if self.has_brackets else rest.removeprefix("\n")
            if self.begin and rest.startswith(self.begin) and "\n" not in rest:
                return
            rest = rest if not self.begin or not self.begin.startswith(rest) else ""
        ends = self.ends if where == "value" else self.tags
        is_tag = any(tag.startswith(rest) or tag and rest.startswith(tag) and MAYBE_TAG.fullmatch(rest[len(tag):]) for tag in ends)
        if where == "json" or rest and not is_tag:
            raise Wrong(f"{where}: {held!r} is held back after {read!r}")


def check_values(case, values):
    """Rebuilds the arguments from the events of values."""
    documents, path, opened, strings = [], [], [], {}
    for event in values:
        kind, text, key, depth = event[0], event[4], event[8], event[9]
        if kind == "string_ends":
            place(opened, documents, key, strings.pop(depth))
        elif kind == "string":
            strings[depth] = strings.get(depth, "") + text
        elif kind in ("object_begins", "array_begins"):
            one = {} if kind == "object_begins" else []
            place(opened, documents, key, one)
            opened.append(one)
        elif kind in ("object_ends", "array_ends"):
            opened.pop()
        else:
            place(opened, documents, key, LITERALS[text] if text in LITERALS else json.loads(text))
        if kind.endswith("begins") and len(opened) != depth + 1 or kind.endswith("ends") and len(opened) != depth:
            raise Wrong(f"the depth of {event}")
    del path
    if len(documents) != len(case["calls"]) or not all(same(a, meant) for a, (_, meant) in zip(documents, case["calls"])):
        raise Wrong(f"values: {documents}")


def place(opened, documents, key, value):
    if not opened:
        documents.append(value)
    elif isinstance(opened[-1], dict):
        opened[-1][key] = value
    else:
        if key != str(len(opened[-1])):
            raise Wrong(f"the key of an item is {key}")
        opened[-1].append(value)


def check(case, tolerant, strict, counts):
    for answer, mode in ((tolerant, "tolerant"), (strict, "strict")):
        if "error" in answer:
            counts[f"no parser ({mode})"] += 1
            return
        answer["mode"] = mode
    refused = [step for steps in strict["cuts"].values() for step in steps if step[1] == "error"]
    if refused:
        if strict["allowed"]:
            raise Wrong(f"strict refuses what the tag allows: {refused[0]}")
        counts["not in the tag"] += not case["is_free"]
        case["refused"] = refused[0]
    elif not strict["allowed"]:
        raise Wrong("strict takes what the tag refuses")
    if refused and case["is_strict_alone"]:
        return
    first = strict if case["is_strict_alone"] else tolerant
    check_same(case, [first] if refused or case["is_strict_alone"] else [tolerant, strict])
    events, values = split(first["cuts"]["bytes"])
    has_invalid = any(event[0] == "call_invalid" for event in events)
    events = without_invalid(case, events)
    check_meaning(case, events)
    if first is tolerant:
        check_values(case, values)
    for kind in ("text", "reasoning"):
        case[kind + "_shown"] = "".join(event[4] for event in events if event[0] == kind)
    if not has_invalid:
        Certain(case, events).follow(first["cuts"]["bytes"])
    counts["prefixes"] += len(case["text"].encode())


def ask(reader, tokenizer, questions):
    """Yields the reader's answers."""
    with tempfile.TemporaryFile() as file, tempfile.TemporaryFile() as out:
        for question in questions:
            file.write(json.dumps(question).encode() + b"\n")
        file.seek(0)
        subprocess.run([reader, tokenizer], stdin=file, stdout=out, check=True)
        out.seek(0)
        for line in out:
            yield json.loads(line)


def make_cases(style, options):
    rng = random.Random(f"{options.seed} {style}")
    cases = []
    for _ in range(40 * options.cases):
        if len(cases) < options.cases and (case := make_case(style, MEMBERS, rng)):
            cases.append(case)
    return cases


def run_styles(styles, options):
    """Returns (style, counts, [(case, why it is wrong)]) of each style; one reader reads them all."""
    by_style = {style: make_cases(style, options) for style in styles}
    questions = []
    for case in sum(by_style.values(), []):
        asked = {key: case[key] for key in ("style", "tools", "reasoning", "text", "cuts")}
        questions += [asked | {"mode": "tolerant", "values": True}, asked | {"mode": "strict", "tag": True}]
    tokenizer = DATA / "tokenizers" / "o200k_base.tiktoken"
    answers = ask(options.reader, str(tokenizer) if tokenizer.exists() else "", questions)
    return [(style, *check_all(style, cases, answers, options)) for style, cases in by_style.items()]


def check_all(style, cases, answers, options):
    counts, wrong = collections.Counter(cases=len(cases)), []
    for case in cases:
        try:
            check(case, next(answers), next(answers), counts)
        except Wrong as error:
            wrong.append((case, str(error)))
        if options.details and "refused" in case:
            at, _, message = case["refused"]
            data = case["text"].encode()
            print(f"  {style}: not in the tag: {message}\n    {data[max(at - 150, 0):at].decode(errors='replace')!r}"
                  f" {data[at:at + 60].decode(errors='replace')!r}")
    return counts, wrong


def is_lacking(style, counts):
    """Returns True if few of a style's replies could be tried: the writer or the reader has changed."""
    tried = counts["cases"] - counts["no parser (tolerant)"] - counts["no parser (strict)"]
    if 2 * tried > counts["cases"] > 0 and 2 * counts["not in the tag"] <= counts["cases"]:
        return False
    print(f"  {style}: too few replies have been tried")
    return True


def styles_of_page():
    """Returns the names in the first column of the table of docs/tools.md that has models."""
    page = styles_test.PAGE.read_text(encoding="utf-8")
    table = page[page.index("| style | models |"):].split("\n\n")[0]
    return {name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reader")
    parser.add_argument("--cases", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--styles", nargs="*")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--show", type=int, default=2, help="how many wrong replies of a style are shown")
    options = parser.parse_args()
    MEMBERS.extend(read_members())
    missing = styles_of_page() - reply_writers.STYLES.keys()
    for style in sorted(missing):
        print(f"{style} has no writer")
    failed, prefixes = len(missing), 0
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        styles = list(options.styles or reply_writers.STYLES)
        parts = pool.map(run_styles, (styles[::2], styles[1::2]), (options, options))
        for style, counts, wrong in itertools.chain.from_iterable(parts):
            print(style, dict(counts), f"wrong {len(wrong)}")
            prefixes += counts["prefixes"]
            failed += len(wrong) + is_lacking(style, counts)
            for case, why in wrong[: options.show]:
                print(f"  {why}\n    {json.dumps({key: case[key] for key in ('style', 'tools', 'reasoning', 'text')}, ensure_ascii=False)}")
    print(f"{prefixes} prefixes, {failed} replies that are not read as they were written")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
