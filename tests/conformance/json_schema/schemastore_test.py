#!/usr/bin/env python3
"""Runs SchemaStore's development half, real schemas with real documents: schemastore_test.py WEIR [--update] [--details]

The labels are those of the authors' validator, Ajv, which honours keywords of later drafts and siblings of `$ref`. So the
schemas are read as in practice. Results that are not entirely right are compared with results/schemastore.txt.
"""

import json
import lzma
import sys

import maskbench_test
import weir_command


def read_cases(_):
    """Returns all schemas."""
    with lzma.open(weir_command.shared_data("schemastore-dev.jsonl.xz"), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


if __name__ == "__main__":
    sys.exit(maskbench_test.run("schemastore", __doc__.splitlines()[0], read_cases, ("--reading", "practice")))
