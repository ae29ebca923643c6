#!/usr/bin/env python3
"""Compares weir's metaschemas with the published ones: metaschema_test.py WEIR

The instances are every keyword of any dialect with values of every kind, alone and within others. weir matches them
against a reference to the metaschema. `jsonschema`, which has the published metaschemas, says which of them are valid.
`format` is an annotation here.
"""

import itertools
import sys

import jsonschema

import weir_command

URIS = {
    "4": "http://json-schema.org/draft-04/schema",
    "6": "http://json-schema.org/draft-06/schema",
    "7": "http://json-schema.org/draft-07/schema",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}
VALUES = (None, True, False, 0, 1, -1, 0.5, "", "a", "1a", "_a", "string", "#", "#a", "a#b", "a b", [], [[]], [1], ["a"],
          ["a", "a"], ["string", "null"], ["string", "string"], [{}], [True], [{"type": 1}], {}, {"a": 1}, {"a": "b"},
          {"a": []}, {"a": ["b"]}, {"a": ["b", "b"]}, {"a": {}}, {"a": True}, {"a": {"type": 1}}, {"type": "string"},
          {"type": "strange"}, {"minLength": -1}, {"$ref": 1}, {"maximum": 1, "exclusiveMaximum": True})
UNKNOWN = ("unknown", "")
# Keywords for which editions of a metaschema differ, and the specification's text contradicts the edition used here.
DIFFERENT = {("7", "writeOnly")}  # draft-handrews-json-schema-validation-01, section 10.3


def keywords(validator):
    """Returns the names that the published metaschema describes, in its own document or in its parts."""
    documents = [validator.META_SCHEMA]
    for part in validator.META_SCHEMA.get("allOf", ()):
        uri = validator.META_SCHEMA["$id"].rsplit("/", 1)[0] + "/" + part["$ref"]
        documents.append(jsonschema.validators.SPECIFICATIONS.contents(uri))
    return {name for document in documents for name in document["properties"]}


def instances(names):
    yield from VALUES
    for name, value in itertools.product(sorted(names), VALUES):
        yield {name: value}
    for outer, value in itertools.product(("not", "items", "properties", "dependencies", "definitions"), VALUES):
        yield {outer: {"minItems": value}}
        yield {outer: [{"pattern": value}]}
        yield {outer: {"a": {"required": value}}}


def main():
    weir = sys.argv[1]
    kinds = {draft: jsonschema.validators.validator_for({"$schema": uri}) for draft, uri in URIS.items()}
    names = set(UNKNOWN).union(*map(keywords, kinds.values()))
    wrong = count = 0
    for draft, uri in URIS.items():
        validator = kinds[draft](kinds[draft].META_SCHEMA)
        tests = [{"data": value, "valid": validator.is_valid(value)}
                 for value in instances(names - {name for of, name in DIFFERENT if of == draft})]
        case = {"id": draft, "schema": {"$schema": uri, "allOf": [{"$ref": uri}]}, "tests": tests}
        result = weir_command.run_cases(weir, [case], ["--formats", "annotate"], jobs=1)[0]
        if "refused" in result:
            sys.exit(f"draft {draft}: {result['refused']['message']}")
        for test, outcome in zip(tests, result["tests"]):
            if outcome != "ok":
                print(f"draft {draft}: {outcome}: {test['data']}")
                wrong += 1
        count += len(tests)
    print(f"{count} instances of metaschemas, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
