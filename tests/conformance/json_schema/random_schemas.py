"""Random schemas over few names and values, and JSON texts that distinguish them.

The world is small: three names, a dozen scalars, counts up to three. Schemas from a small world have corner cases (a
bound that leaves only one value, a name that a pattern and a property share, a branch that another one contradicts)
thousands of times more often than schemas over all of Unicode, and their texts can be listed.
"""

import itertools
import json
import random

import random_references

DRAFTS = ("4", "6", "7", "2019-09", "2020-12")
META_SCHEMAS = {
    "4": "http://json-schema.org/draft-04/schema#",
    "6": "http://json-schema.org/draft-06/schema#",
    "7": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}
NAMES = ("a", "b", "c")
PATTERNS = ("^a", "b$", "^[ab]$", "^a*$", "a|c", "^(aa|b)*$", "^$", "^.$", "^[abc]{2}$", "^a.$", "", "^\\S+$", "\\d",
            "^[^a]$", "^(?:a|b)c?$", "^(?!a)", "^a(?=b)", "^[\\-\\/a]$", "^a{1,2}?b?$",
            "^[\u00e9\U0001f600]$", "^[^\\sb]+$")
NUMBERS = (0, 1, 2, -1, 0.5, 3)
VALUES = (None, True, False, 0, 1, 2, 0.5, "", "a", "b", "ab", [], [0], [1, "a"], {}, {"a": 0}, {"a": 1, "b": "a"})
# Constants with names in common, or none, in any order of the names.
OBJECTS = ({}, {"b": 0}, {"a": 0}, {"b": 1}, {"a": 1}, {"c": 0}, {"b": 0, "a": 0}, {"c": 0, "a": 1}, {"a": 0, "c": 1})
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
DEFINITIONS = 3
ANNOTATIONS = (("title", "a"), ("description", "b"), ("default", {"$ref": "#/nowhere"}), ("examples", [{"$ref": "#"}]),
               ("$comment", "c"), ("readOnly", True), ("deprecated", True), ("contentEncoding", "base64"),
               ("contentMediaType", "application/json"), ("format", "of nothing"), ("nullable", True),
               ("discriminator", {"propertyName": "a"}), ("xFoo", {"type": "null"}), ("unknown", [True]))


class SchemaMaker:
    """Makes random schemas of one dialect."""

    def __init__(self, seed, draft):
        self.random = random.Random(f"{draft}/{seed}")
        self.draft = draft
        self.level = DRAFTS.index(draft)
        # In 2019-09 `contains` evaluates no items (core, 9.3.1.3, names `items` and `additionalItems`), but both
        # validators treat it as in 2020-12. Therefore a document of 2019-09 has either `contains` or unevaluatedItems.
        self.unevaluated_items = draft == "2020-12" or (draft == "2019-09" and self.random.random() < 0.5)
        self.contains = self.level >= 1 and not (draft == "2019-09" and self.unevaluated_items)

    def document(self):
        """Returns a whole schema with its definitions."""
        root = self.schema(self.random.choice((2, 2, 3)), first_definition=0)
        if not isinstance(root, dict):
            root = {"allOf": [root]} if self.level else root
        definitions = [self.schema(2, first_definition=i + 1) for i in range(DEFINITIONS)]
        if "#/definitions/" in json.dumps(root) + json.dumps(definitions):
            if "$ref" in root and self.level <= 2:  # keywords beside `$ref` are ignored, even definitions
                root = {"allOf": [root]}
            random_references.Renaming(self.random, self.level).apply(root, definitions)
        self.annotate(root)
        root["$schema"] = META_SCHEMAS[self.draft]
        return root

    def annotate(self, root):
        """Adds keywords that assert nothing, with any values."""
        pick = self.random
        for _, schema in list(random_references.subschemas(root)):
            if pick.random() < 0.1:
                schema.update([pick.choice(ANNOTATIONS)])

    def schema(self, depth, first_definition):
        """Returns a schema that refers in place only to definitions from `first_definition` on, so that no definition
        refers to itself in place."""
        pick = self.random
        if self.level and pick.random() < 0.07:
            return pick.random() < 0.6
        out = {}
        if depth == 0:
            self.scalar_keywords(out)
            return out
        if pick.random() < 0.35:
            out["type"] = pick.choice(TYPES) if pick.random() < 0.7 else pick.sample(TYPES, 2)
        groups = pick.choices((self.scalar_keywords, self.array_keywords, self.object_keywords, self.combinations),
                              weights=(2, 3, 3, 4), k=pick.choice((1, 1, 2, 3)))
        for group in groups:
            if group == self.scalar_keywords:
                group(out)
            else:
                group(out, depth - 1, first_definition)
        if self.level >= 3:
            self.unevaluated_keywords(out, depth - 1)
        return out

    def below(self, depth):
        if self.random.random() < 0.04:
            return {"$recursiveRef" if self.draft == "2019-09" and self.random.random() < 0.5 else "$ref": "#"}
        return self.schema(depth, first_definition=0)

    def count(self):
        count = self.random.choice((0, 1, 1, 2, 2, 3))
        return float(count) if self.level and self.random.random() < 0.1 else count

    def scalar_keywords(self, out):
        pick = self.random
        keyword = pick.choice(("type", "type", "enum", "const", "minimum", "maximum", "exclusive", "multipleOf",
                               "minLength", "maxLength", "pattern"))
        if keyword == "type":
            out["type"] = pick.choice(TYPES)
        elif keyword == "enum":
            out["enum"] = pick.sample(VALUES if pick.random() < 0.6 else OBJECTS, pick.choice((1, 2, 3, 5)))
        elif keyword == "const" and self.level:
            out["const"] = pick.choice(VALUES)
        elif keyword in ("minimum", "maximum"):
            out[keyword] = pick.choice(NUMBERS)
        elif keyword == "exclusive" and self.level:
            out[pick.choice(("exclusiveMinimum", "exclusiveMaximum"))] = pick.choice(NUMBERS)
        elif keyword == "exclusive":
            end = pick.choice(("Minimum", "Maximum"))
            out[end.lower()], out["exclusive" + end] = pick.choice(NUMBERS), pick.random() < 0.7
        elif keyword == "multipleOf":
            out[keyword] = pick.choice((1, 2, 0.5, 3, 0.25, 1.5))
        elif keyword in ("minLength", "maxLength"):
            out[keyword] = self.count()
        elif keyword == "pattern":
            out[keyword] = pick.choice(PATTERNS)

    def array_keywords(self, out, depth, first_definition):
        pick = self.random
        tuples = ("items", "additionalItems") if self.level < 4 else ("prefixItems", "items")
        keyword = pick.choice(("items", "items", "tuple", "tuple", "minItems", "maxItems", "contains", "contains",
                               "unique", "additional"))
        if keyword == "items":
            out["items"] = self.below(depth)
        elif keyword == "tuple":
            out[tuples[0]] = [self.below(depth) for _ in range(pick.choice((1, 2)))]
            if pick.random() < 0.5:
                out[tuples[1]] = self.below(depth)
        elif keyword == "additional":  # without effect if there is no `items`
            out["additionalItems"] = self.below(depth)
        elif keyword in ("minItems", "maxItems"):
            out[keyword] = self.count()
        elif keyword == "unique":
            out["uniqueItems"] = pick.random() < 0.9
        elif self.contains:
            out["contains"] = self.below(depth)
            if self.level >= 3:
                if pick.random() < 0.4:
                    out["minContains"] = self.count()
                if pick.random() < 0.4:
                    out["maxContains"] = self.count()

    def object_keywords(self, out, depth, first_definition):
        pick = self.random
        keyword = pick.choice(("properties", "properties", "properties", "patternProperties", "additionalProperties",
                               "propertyNames", "required", "required", "minProperties", "maxProperties", "dependent"))
        if keyword == "properties":
            out[keyword] = {name: self.below(depth) for name in pick.sample(NAMES, pick.choice((1, 2, 2, 3)))}
        elif keyword == "patternProperties":
            out[keyword] = {pattern: self.below(depth) for pattern in pick.sample(PATTERNS, pick.choice((1, 1, 2)))}
        elif keyword == "additionalProperties":
            out[keyword] = self.below(depth) if self.random.random() < 0.6 else self.random.random() < 0.2
        elif keyword == "propertyNames" and self.level:
            out[keyword] = pick.choice(({"pattern": pick.choice(PATTERNS)}, {"enum": pick.sample(NAMES, 2)},
                                        {"maxLength": self.count()}, self.below(depth)))
        elif keyword == "required":
            out[keyword] = pick.sample(NAMES, pick.choice((1, 1, 2, 0 if self.level else 1)))
        elif keyword in ("minProperties", "maxProperties"):
            out[keyword] = self.count()
        elif keyword == "dependent":
            self.dependent(out, depth, first_definition)

    def dependent(self, out, depth, first_definition):
        pick = self.random
        names = {name: pick.sample(NAMES, pick.choice((1, 2))) for name in pick.sample(NAMES, pick.choice((1, 2)))}
        schemas = {name: self.schema(depth, first_definition) for name in pick.sample(NAMES, pick.choice((1, 2)))}
        if self.level < 3:
            out["dependencies"] = {**names, **schemas} if pick.random() < 0.5 else names
        elif pick.random() < 0.5:
            out["dependentRequired"] = names
        else:
            out["dependentSchemas"] = schemas

    def combinations(self, out, depth, first_definition):
        pick = self.random
        keyword = pick.choice(("allOf", "anyOf", "anyOf", "oneOf", "oneOf", "not", "if", "if", "$ref"))

        def draw():
            return self.schema(depth, first_definition)

        if keyword == "$ref":
            if first_definition < DEFINITIONS:
                out["$ref"] = f"#/definitions/{pick.randrange(first_definition, DEFINITIONS)}"
        elif keyword == "not":
            out["not"] = draw()
        elif keyword != "if":
            out[keyword] = [draw() for _ in range(pick.choice((1, 2, 2, 3)))]
        elif self.level >= 2 and pick.random() < 0.25:
            out["allOf"] = self.conditions(draw)
        elif self.level >= 2:
            for part in ("if", "then", "else"):  # without "if" the others have no effect
                if pick.random() < (0.95 if part == "if" else 0.7):
                    out[part] = draw()

    def conditions(self, draw):
        """Returns several conditions, most of them about the value of one name."""
        pick = self.random
        name = pick.choice(NAMES)
        others = [other for other in NAMES if other != name]
        out = []
        for value in pick.sample(VALUES, pick.choice((4, 5, 7))):
            wanted = {"const": value} if pick.random() < 0.8 else {"enum": pick.sample(VALUES, 2)}
            condition = {"properties": {name if pick.random() < 0.9 else pick.choice(others): wanted}}
            if pick.random() < 0.3:
                condition["required"] = [name]
            then = {"properties": {pick.choice(others): draw()}} if pick.random() < 0.8 else draw()
            out.append({"if": condition, pick.choice(("then", "then", "then", "else")): then})
        return out

    def unevaluated_keywords(self, out, depth):
        for keyword in ("unevaluatedItems", "unevaluatedProperties"):
            if self.random.random() < 0.15 and (self.unevaluated_items or keyword != "unevaluatedItems"):
                out[keyword] = self.below(depth) if self.random.random() < 0.4 else False


SCALARS = ("null", "true", "false", "0", "1", "2", "3", "-1", "0.5", "1.5", "1.0", "-0", "1e0", "5e-1",
         '""', '"a"', '"b"', '"c"', '"ab"', '"aa"', '"aab"', '"\\u0061"', '"-"', '"1"', '" "', '"\u00e9"', '"\\ud83d\\ude00"',
           "0.0", "-0.0", "1E1", "1.5e+1", "0.25", "100")
ITEMS = ("null", "false", "0", "1", "1.0", '"a"', "[]", "{}")
MEMBER_VALUES = ("0", "1", '"a"', "[]", "{}", "null")
SOME_NAMES = ("a", "b", "c", "ab", "")


def base_texts():
    """Returns the texts for every schema: all scalars, all arrays of up to two items, objects of up to two members."""
    texts = list(SCALARS)
    for count in range(3):
        texts += ["[" + ",".join(items) + "]" for items in itertools.product(ITEMS, repeat=count)]
    for count in range(3):
        for names in itertools.permutations(NAMES, count):
            texts += ["{" + ",".join(f'"{n}":{v}' for n, v in zip(names, values)) + "}"
                      for values in itertools.product(MEMBER_VALUES[:4], repeat=count)]
    return texts


def random_text(pick, depth):
    """Returns a random text of at most this depth."""
    kind = pick.random()
    if depth == 0 or kind < 0.3:
        return pick.choice(SCALARS)
    if kind < 0.35:
        return json.dumps(pick.choices(OBJECTS, k=pick.choice((1, 2, 3, 4))))
    if kind < 0.6:
        return "[" + ",".join(random_text(pick, depth - 1) for _ in range(pick.choice((0, 1, 2, 3, 4)))) + "]"
    names = pick.sample(SOME_NAMES, pick.choice((0, 1, 2, 3, 3)))
    return "{" + ",".join(f'"{name}":{random_text(pick, depth - 1)}' for name in names) + "}"


def texts_for(seed, count):
    """Returns base_texts and `count` random texts."""
    pick = random.Random(f"texts/{seed}")
    return base_texts() + [random_text(pick, 2 if pick.random() < 0.7 else 3) for _ in range(count)]
