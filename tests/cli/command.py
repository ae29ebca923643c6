"""What the tests of the command share: calls of `weir` from outside, with the exit status that is expected.

A test file is run with the path of the command, and unittest's options after it.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
JSON_GRAMMAR = str(EXAMPLES / "json.ebnf")
EXPRESSION_GRAMMAR = str(EXAMPLES / "expression.ebnf")

_path = []


def weir_path():
    return _path[0]


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def file(self, name, content):
        path = pathlib.Path(self.directory.name) / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return str(path)

    def weir(self, *arguments, stdin="", code=0, environment=None):
        result = subprocess.run([weir_path(), *arguments], input=stdin.encode("utf-8"), capture_output=True, check=False,
                                env={**os.environ, **(environment or {})}, timeout=300)
        out, err = result.stdout.decode("utf-8"), result.stderr.decode("utf-8")
        self.assertTrue(code is None or result.returncode == code, f"weir {' '.join(arguments)}\nstdout: {out}\nstderr: {err}")
        return out, err

    def weir_json(self, *arguments, **options):
        return json.loads(self.weir(*arguments, "--json", **options)[0])


def main():
    _path.append(os.path.abspath(sys.argv.pop(1)))
    unittest.main(module="__main__")
