"""weir.strict_json_schema, compared with another implementation of strict mode, which works on Python's values."""

import json
import random
import re

import pytest

import weir
from weir.integrations._serving import RequestCompiler

PARTS = {"allOf", "anyOf", "oneOf", "if", "then", "else", "$ref", "$dynamicRef", "$recursiveRef", "dependentSchemas",
         "dependencies", "not"}
NOTES = {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$schema",
         "$id", "id", "$anchor", "$defs", "definitions", "$vocabulary", "discriminator"}
CHILDREN = ("additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems", "contains", "items",
            "prefixItems")


class Oracle:
    def __init__(self, root):
        self.root = root
        self.is_old = re.search(r"draft-0?[3-7]", str(root.get("$schema", ""))) is not None
        self.container = "definitions" if self.is_old else "$defs"
        self.names = {}  # by the target's address
        self.targets = []

    def closed_root(self):
        made = self.close(self.root)
        copies = {}
        for target in self.targets:  # which grows
            copies[self.names[id(target)]] = self.close(target)
        if copies:
            made[self.container] = {**made.get(self.container, {}), **copies}
        return made

    def close(self, schema):
        if isinstance(schema, list):
            return [self.close(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        out = self.part(schema)
        others = set(schema) - NOTES
        if others == {"$ref"}:
            out["$ref"] = self.reference(schema["$ref"])
        elif others in ({"anyOf"}, {"oneOf"}):
            (key,) = others
            out[key] = self.close(schema[key])
        elif not PARTS & set(schema):
            if self.is_open(schema):
                out["additionalProperties"] = False
            if isinstance(schema.get("items"), list):
                out.setdefault("additionalItems", False)
            elif "prefixItems" in schema and "unevaluatedItems" not in schema:
                out.setdefault("items", False)
        elif not self.is_old and self.is_open(schema):
            out["unevaluatedProperties"] = False
        return out

    def part(self, schema):
        out = dict(schema)
        for key in ("properties", "patternProperties"):
            if isinstance(schema.get(key), dict):
                out[key] = {name: self.close(value) for name, value in schema[key].items()}
        for key in CHILDREN:
            if key in schema:
                out[key] = self.close(schema[key])
        for key in ("allOf", "anyOf", "oneOf"):
            if isinstance(schema.get(key), list):
                out[key] = [self.part(one) if isinstance(one, dict) else one for one in schema[key]]
        for key in ("if", "then", "else"):
            if isinstance(schema.get(key), dict):
                out[key] = self.part(schema[key])
        return out

    def is_open(self, schema):
        if "additionalProperties" in schema or "unevaluatedProperties" in schema:
            return False
        return self.lists_members(schema, ())

    def lists_members(self, schema, seen):
        if not isinstance(schema, dict) or id(schema) in seen:
            return False
        seen = (*seen, id(schema))
        inner = [schema.get(key) for key in ("if", "then", "else")] + [self.find(schema.get("$ref"))]
        for key in ("allOf", "anyOf", "oneOf"):
            inner += schema[key] if isinstance(schema.get(key), list) else []
        return "properties" in schema or "patternProperties" in schema or any(self.lists_members(p, seen) for p in inner)

    def find(self, reference):
        if not isinstance(reference, str) or not reference.startswith("#/") or "%" in reference:
            return None
        at = self.root
        for token in reference[2:].split("/"):
            token = token.replace("~1", "/").replace("~0", "~")
            if isinstance(at, dict):
                at = at.get(token)
            elif isinstance(at, list) and re.fullmatch("0|[1-9][0-9]*", token) and int(token) < len(at):
                at = at[int(token)]
            else:
                return None
        return at

    def reference(self, reference):
        target = self.find(reference)
        if not isinstance(target, dict) or not isinstance(self.root.get(self.container, {}), dict):
            return reference
        if id(target) not in self.names:
            name = f"strict-{len(self.targets)}"
            while name in self.root.get(self.container, {}):
                name += "-"
            self.names[id(target)] = name
            self.targets.append(target)
        return f"#/{self.container}/{self.names[id(target)]}"


def expected(schema):
    return Oracle(schema).closed_root() if isinstance(schema, dict) else schema


def same_names(made, schema):
    """Returns the closed schema with the copies named in the order of the text: the two meet references in different
    orders."""
    order = {}
    container = Oracle(schema).container if isinstance(schema, dict) else ""
    pattern = re.compile(f"^#/{re.escape(container)}/(strict-[0-9]+-*)$")
    known = schema.get(container, {}) if isinstance(schema, dict) else {}

    def rename(value):
        if isinstance(value, list):
            return [rename(item) for item in value]
        if not isinstance(value, dict):
            return value
        out = {}
        for key, item in sorted(value.items()):
            found = pattern.match(item) if key == "$ref" and isinstance(item, str) else None
            if found and found[1] not in known:
                item = order.setdefault(found[1], f"copy {len(order)}")
            out[key] = rename(item)
        return out

    if not isinstance(made, dict) or not isinstance(made.get(container), dict):
        return rename(made)
    copies = {name: value for name, value in made[container].items() if name not in known}
    out = rename({**made, container: {name: value for name, value in made[container].items() if name in known}})
    done = {}
    while len(done) < len(order):
        for name, new in list(order.items()):
            if new not in done:
                done[new] = rename(copies[name])
    assert len(done) == len(copies)
    return out, done


def random_schema(rng, depth=0):
    if depth > 4 or rng.random() < 0.15:
        return rng.choice([True, False, {}, {"type": "object"}, {"const": {"properties": {"x": 1}}}, 5])
    out = {}
    below = lambda: random_schema(rng, depth + 1)  # noqa: E731
    makers = {
        "properties": lambda: {name: below() for name in rng.sample("abc/~", rng.randint(0, 3))},
        "patternProperties": lambda: {"^x": below()},
        "additionalProperties": below, "unevaluatedProperties": below, "unevaluatedItems": below, "contains": below,
        "items": lambda: below() if rng.random() < 0.6 else [below()], "prefixItems": lambda: [below(), below()],
        "additionalItems": below, "allOf": lambda: [below()], "anyOf": lambda: [below(), below()],
        "oneOf": lambda: [below()], "if": below, "then": below, "else": below, "not": below,
        "$ref": lambda: rng.choice(["#", "#/$defs/a", "#/$defs/b", "#/definitions/a", "#/properties/a", "#/x", "other",
                                    "#/$defs/a/properties/b", "#/prefixItems/1", "#/prefixItems/01", "#/allOf/0"]),
        "title": lambda: "t", "required": lambda: ["a"], "dependentSchemas": lambda: {"a": below()}, "$anchor": lambda: "x",
    }
    for key in rng.sample(sorted(makers), rng.choice([1, 1, 1, 2, 3, 5])):
        out[key] = makers[key]()
    if depth == 0:
        if rng.random() < 0.3:
            out["$schema"] = rng.choice(["http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-04/schema#",
                                         "https://json-schema.org/draft/2020-12/schema", "x/draft-8"])
        for name in ("$defs", "definitions"):
            if rng.random() < 0.7:
                out[name] = {key: below() for key in rng.sample(["a", "b", "strict-0", "strict-1"], 3)}
    return out


def test_random_schemas():
    rng = random.Random(3)
    changed = 0
    for _ in range(4000):
        schema = random_schema(rng)
        found = json.loads(weir.strict_json_schema(json.dumps(schema)))
        assert same_names(found, schema) == same_names(expected(schema), schema), json.dumps(schema)
        if isinstance(schema, dict):
            assert list(found) == list(expected(schema))  # on which the order of an object's members may depend
        changed += found != schema
    assert changed > 1000


def test_numbers_and_errors():
    number = '{"properties":{},"maximum":123456789012345678901234567890.10}'
    assert weir.strict_json_schema(number) == number[:-1] + ',"additionalProperties":false}'
    with pytest.raises(weir.GrammarError) as caught:
        weir.strict_json_schema('{"a": tru}')
    assert caught.value.code == "syntax" and caught.value.start == 6
    assert weir.strict_json_schema({"properties": {}}) == '{"properties":{},"additionalProperties":false}'
    with pytest.raises(weir.GrammarError) as caught:
        weir.strict_json_schema('{"properties": {}}', limits=weir.Limits(text_bytes=10))
    assert caught.value.limit == "text_bytes"


def test_a_server_refuses_a_schema_that_it_cannot_close():
    requests = RequestCompiler.of(weir.TokenizerInfo.builtin(), closed=True)
    matcher = weir.GrammarMatcher(requests.compile("json", '{"properties": {"a": {"const": 1}}, "required": ["a"]}'))
    assert not matcher.accept_string('{"b"')
    chain = ",".join(f'"{i}": {{"allOf": [{{"$ref": "#/$defs/{i + 1}"}}]}}' for i in range(1000))
    wide = ",".join('{"allOf": [{"$ref": "#/$defs/0"}]}' for _ in range(1000))
    with pytest.raises(weir.GrammarError) as caught:
        requests.compile("json", f'{{"prefixItems": [{wide}], "$defs": {{{chain}, "1000": {{"type": "object"}}}}}}')
    assert caught.value.limit == "schema_steps"
    with pytest.raises(weir.GrammarError) as caught:
        requests.compile("json", '{"a": tru}')
    assert caught.value.code == "syntax" and caught.value.start == 6
