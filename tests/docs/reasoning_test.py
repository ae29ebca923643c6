#!/usr/bin/env python3
"""Tests that the table of docs/tools.md says between which tags the styles have reasoning.

Usage: reasoning_test.py WEIR [--update], which writes the table.
"""

import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tools.md"
HEAD = "| reasoning between | styles |\n|---|---|\n"


def weir(command, *arguments):
    done = subprocess.run([command, "tools", *arguments], input="[]", capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def first_tag(part):
    """Returns the first tag in a format, which is that of the reasoning; None if there is none."""
    if part["type"] == "tag":
        return part
    parts = part.get("elements") or part.get("tags") or ([part["content"]] if "content" in part else [])
    return next(filter(None, map(first_tag, parts)), None)


def tags_of(command, style):
    """Returns the tags around the reasoning of a style, as a cell of the table."""
    tag, error = weir(command, "--style", style, "--tools", "-", "--reasoning", "whole")
    if f"the style `{style}` has no reasoning" in error:
        return "none: an error"
    around = first_tag(json.loads(tag)["format"])
    return " and ".join("`" + text.replace("\n", "⏎").replace("|", "\\|") + "`" for text in (around["begin"], around["end"]))


def table(command):
    help_text, _ = weir(command, "--help")
    styles = re.search(r"How the model writes calls[^:]*:(.*?)--tools", help_text, re.DOTALL)[1]
    rows = {}
    for style in re.findall(r"\w+", styles):
        rows.setdefault(tags_of(command, style), []).append(f"`{style}`")
    most = max(rows, key=lambda tags: len(rows[tags]))
    rows[most] = ["all others"]
    order = sorted(rows, key=lambda tags: (tags == most, tags.startswith("none")))
    return HEAD + "".join(f"| {tags} | {', '.join(rows[tags])} |\n" for tags in order)


def main():
    command, *options = sys.argv[1:]
    page = PAGE.read_text(encoding="utf-8")
    made = table(command)
    if options == ["--update"]:
        PAGE.write_text(re.sub(re.escape(HEAD) + r"(\|.*\n)*", lambda _: made, page), encoding="utf-8")
    elif made not in page:
        print(f"docs/tools.md has not this table; --update writes it:\n{made}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
