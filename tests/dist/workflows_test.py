#!/usr/bin/env python3
"""Tests files that other programs read: each command of .github/workflows is a target of the Makefile, or one of the few that
prepare a container; vcpkg's port has this version."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = re.findall(r"^([a-z][a-z -]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
TARGETS = {target for targets in RULES for target in targets.split()}
PREPARING = ("apt-get update && apt-get install ", "git config --global --add safe.directory ")


class Workflows(unittest.TestCase):
    def test_commands(self):
        made = 0
        for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
            text = path.read_text(encoding="utf-8")
            matrix = re.findall(r"^ +target: \[(.*)\]$", text, re.MULTILINE)
            for command in re.findall(r"^ +(?:- )?run: (.*)$", text, re.MULTILINE):
                if command.startswith(PREPARING):
                    continue
                target = re.fullmatch(r"make (\S+|\$\{\{ matrix\.target \}\})", command)
                self.assertTrue(target, f"{path.name}: {command}")
                for name in [target[1]] if "matrix" not in target[1] else matrix[0].split(", "):
                    self.assertIn(name, TARGETS, path.name)
                    made += 1
        self.assertGreater(made, 3)

    def test_version_of_the_port(self):
        """vcpkg reads it from a file that cannot include VERSION."""
        port = json.loads((ROOT / "packaging" / "vcpkg" / "weir" / "vcpkg.json").read_text(encoding="utf-8"))
        self.assertEqual(port["version-semver"], (ROOT / "VERSION").read_text(encoding="utf-8").strip())


if __name__ == "__main__":
    unittest.main()
