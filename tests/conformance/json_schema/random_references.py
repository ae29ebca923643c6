"""Rewrites the references of a random schema: names, URIs and other pointers instead of `#/definitions/N`.

A random document has only references `#` and `#/definitions/N`. This module rewrites it. Some definitions move to
`$defs`, or to keys that a pointer must escape; get an anchor; become a resource with an identifier and a base URI of
their own; or refer to one another through the dynamic scope. Some references to the root become pointers to other
places in the document.
"""

import urllib.parse

BASE = "http://example.com/schemas/root.json"
IDS = ("d{}.json", "/d{}.json", "http://example.com/x/d{}.json", "deep/d{}", "urn:example:d{}")
KEYS = ("{}", "a/b{}", "c~d{}", "e%f{}", "g h{}", "~1{}", "\u00fc{}", 'q"{}', "x^{}")
DYNAMIC = "node"

SCHEMA = {"additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
          "unevaluatedItems", "unevaluatedProperties"}
SCHEMAS = {"allOf", "anyOf", "items", "oneOf", "prefixItems"}
NAMED_SCHEMAS = {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}


def subschemas(schema, pointer=()):
    """Yields (pointer, schema) for a schema and all objects in it that are schemas."""
    if not isinstance(schema, dict):
        return
    yield pointer, schema
    for keyword, value in list(schema.items()):
        if keyword in SCHEMA and isinstance(value, dict):
            yield from subschemas(value, (*pointer, keyword))
        elif keyword in SCHEMAS and isinstance(value, list):
            for i, part in enumerate(value):
                yield from subschemas(part, (*pointer, keyword, str(i)))
        elif keyword in NAMED_SCHEMAS and isinstance(value, dict):
            for name, part in value.items():
                yield from subschemas(part, (*pointer, keyword, name))


class Renaming:
    """Renames the definitions of one document. `level` is the index of its dialect in random_schemas.DRAFTS."""

    def __init__(self, pick, level):
        self.pick = pick
        self.level = level
        self.identifier = "$id" if level else "id"

    def apply(self, root, definitions):
        """Puts the definitions into the document, under new names, and updates the references to them."""
        container = "$defs" if self.level >= 3 and self.pick.random() < 0.5 else "definitions"
        keys = [self.pick.choice(KEYS).format(i) if self.pick.random() < 0.4 else str(i)
                for i in range(len(definitions))]
        root[container] = dict(zip(keys, definitions))
        resources = self.identify(root, definitions)
        self.point_elsewhere(root, resources)
        targets = [self.fragment((container, key)) for key in keys]
        anchors = {i: self.anchor(i, definition) for i, definition in enumerate(definitions) if i not in resources}
        for base, document in [(BASE, root), *resources.values()]:
            self.rename(document, base, targets, anchors, resources)

    def fragment(self, pointer):
        """Returns the pointer as a URI's fragment. Characters that need no percent sign sometimes get one."""
        text = "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in pointer)
        safe = "/~" if self.pick.random() < 0.5 else "/~!$&'()*+,;=:@"
        return "#" + urllib.parse.quote(text, safe=safe)

    def point_elsewhere(self, root, resources):
        """Replaces some references to the root by pointers to other schemas, which have no reference of their own, so
        that none refers to itself."""
        places = [(pointer, schema) for pointer, schema in subschemas(root) if pointer]
        hidden = [pointer for pointer, schema in [((), root), *places] if "$ref" in schema and self.level <= 2]
        hidden += self.within(root, resources)
        targets = [pointer for pointer, schema in places
                   if "$ref" not in schema and "$recursiveRef" not in schema
                   and not any(pointer[:len(outer)] == outer for outer in hidden)]
        for _, schema in places:
            if schema.get("$ref") == "#" and targets and self.pick.random() < 0.5:
                schema["$ref"] = self.fragment(self.pick.choice(targets))

    def identify(self, root, definitions):
        """Makes some definitions resources. Returns {number: (base URI, definition)} of these."""
        if self.pick.random() < 0.5:
            return {}
        root[self.identifier] = BASE
        resources = {}
        for i, definition in enumerate(definitions):
            if isinstance(definition, dict) and self.takes_names(definition) and self.pick.random() < 0.5:
                definition[self.identifier] = self.pick.choice(IDS).format(i)
                resources[i] = (urllib.parse.urljoin(BASE, definition[self.identifier]), definition)
        everything = [root, *(definition for _, definition in resources.values())]
        if self.level == 3:
            for resource in everything:
                if self.pick.random() < 0.5:
                    resource["$recursiveAnchor"] = True
        if self.level == 4:
            for resource in everything:
                resource["$dynamicAnchor" if self.pick.random() < 0.8 else "$anchor"] = DYNAMIC
            for _, schema in subschemas(root):
                if schema.get("$ref") == "#" and self.pick.random() < 0.7:
                    schema["$dynamicRef"] = schema.pop("$ref") + DYNAMIC
        return resources

    def takes_names(self, definition):
        """Returns True if the definition may have an identifier. Up to draft 7 keywords beside `$ref` are ignored."""
        return self.level > 2 or "$ref" not in definition

    def anchor(self, number, definition):
        """Gives some definitions an anchor. Returns (the keyword of a reference to it, its value), or None."""
        if not isinstance(definition, dict) or not self.takes_names(definition) or self.pick.random() < 0.6:
            return None
        name = f"d{number}"
        if self.level <= 2:
            definition[self.identifier] = "#" + name
            return "$ref", "#" + name
        keyword = self.pick.choice(("$anchor", "$dynamicAnchor")) if self.level == 4 else "$anchor"
        definition[keyword] = name
        return "$dynamicRef" if keyword == "$dynamicAnchor" else "$ref", "#" + name

    @staticmethod
    def within(document, resources):
        """Returns the pointers of the resources that are inside a document."""
        return [pointer for pointer, schema in subschemas(document)
                if pointer and any(schema is definition for _, definition in resources.values())]

    def rename(self, document, base, targets, anchors, resources):
        """Rewrites the references of one resource, without those of resources within it."""
        drawn = [f"#/definitions/{number}" for number in range(len(targets))]
        inner = self.within(document, resources)
        for pointer, schema in subschemas(document):
            if any(pointer[:len(outer)] == outer for outer in inner) or not isinstance(schema.get("$ref"), str):
                continue
            if schema["$ref"] not in drawn:
                if base != BASE and schema["$ref"].startswith("#/"):
                    schema["$ref"] = BASE + schema["$ref"]
                continue
            number = drawn.index(schema.pop("$ref"))
            schema.update([self.spelling(number, base, targets, anchors, resources)])

    def spelling(self, number, base, targets, anchors, resources):
        if number in resources and self.pick.random() < 0.8:
            absolute, definition = resources[number]
            relative = base == BASE and self.pick.random() < 0.7
            return "$ref", definition[self.identifier] if relative else absolute
        keyword, target = "$ref", targets[number]
        if anchors.get(number) and self.pick.random() < 0.7:
            keyword, target = anchors[number]
        return keyword, target if base == BASE else BASE + target

