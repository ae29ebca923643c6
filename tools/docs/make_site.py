#!/usr/bin/env python3
"""Makes the documentation site: make_site.py BUILD_DIRECTORY STUB. make_site.sh prepares the environment.

The pages are README.md, docs/ and the other documents in the root directory; pages made from the headers, from STUB
(_weir.pyi) and from the Python package; and a page for each file to which one of them links. They are written to
BUILD_DIRECTORY/site-pages, and the site to BUILD_DIRECTORY/site. A broken link is an error.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import header_reference
import python_reference
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<target>[^)\s]+?)(?P<anchor>#[^)\s]*)?\)")
FENCE = re.compile(r"^(?P<indent> *)(```|~~~)")
TOP = {"README.md": "start.md", "ARCHITECTURE.md": "architecture.md", "CONTRIBUTING.md": "contributing.md",
       "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md"}
NO_REFERENCE = ("export.h", "weir.h")  # they declare nothing


class Site:
    def __init__(self, build):
        self.pages = build / "site-pages"
        self.files = set()  # files of the repository to which pages link
        self.place_of = {pathlib.PurePath(source): pathlib.PurePath(page) for source, page in TOP.items()}
        for path in (ROOT / "docs").rglob("*.md"):
            self.place_of[path.relative_to(ROOT)] = pathlib.PurePath(path.relative_to(ROOT / "docs"))
        self.headers = [path for path in sorted((ROOT / "include/weir").glob("*.h")) if path.name not in NO_REFERENCE]
        for path in [*self.headers, ROOT / "include/weir_c.h"]:
            self.place_of[path.relative_to(ROOT)] = pathlib.PurePath(f"api/{path.stem}.md")

    def write(self, place, text):
        path = self.pages / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def document(self, source):
        place = self.place_of[source]
        text = (ROOT / source).read_text(encoding="utf-8")
        if str(source) == "README.md":
            text = text.replace("# weir\n", "# At a glance\n", 1)
        self.write(place, for_python_markdown(self.relinked(text, source, place)))

    def relinked(self, text, source, place):
        def link(match):
            if re.match(r"[a-z]+:", match["target"]) or match["target"].startswith("#"):
                return match[0]
            target = pathlib.PurePath(os.path.normpath(source.parent / match["target"]))
            if target in self.place_of:
                to = self.place_of[target]
            elif match.string[:match.start()].endswith("!"):  # a picture
                to = pathlib.PurePath(f"files/{target}")
                (self.pages / to).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / target, self.pages / to)
            elif (ROOT / target).is_file():
                self.files.add(target)
                to = pathlib.PurePath(f"files/{target}.md")
            elif (ROOT / target).is_dir():
                return match["text"]  # a directory has no page
            else:
                return match[0]  # mkdocs reports the broken link
            is_name = target.suffix == ".md" and match["text"] in (target.name, str(target))
            text = self.title(target) if is_name else match["text"]
            return f"[{text}]({os.path.relpath(to, place.parent)}{match['anchor'] or ''})"

        out, in_fence = [], False
        for line in text.split("\n"):
            in_fence ^= FENCE.match(line) is not None
            out.append(line if in_fence else LINK.sub(link, line))
        return "\n".join(out)

    def title(self, document):
        first = (ROOT / document).read_text(encoding="utf-8").partition("\n")[0]
        return first.removeprefix("# ")

    def file_page(self, path):
        text = (ROOT / path).read_text(encoding="utf-8")
        if path.suffix == ".md":
            place = pathlib.PurePath(f"files/{path}.md")
            self.write(place, for_python_markdown(self.relinked(text, path, place)))
            return
        kind = {".cc": "cpp", ".h": "cpp", ".c": "c", ".py": "python", ".json": "json"}.get(path.suffix, "text")
        self.write(f"files/{path}.md", f"# {path.name}\n\n`{path}`\n\n````{kind}\n{text}\n````\n")


def for_python_markdown(text):
    """Converts a text to Python-Markdown's syntax: the content of a list item is indented by four instead of two, a
    fence in it is followed by a blank line, and a bar in code in a table has no backslash."""
    out, in_fence, extra, in_list = [], False, "", False
    for line in text.split("\n"):
        if re.match(r"(- |\d+\. )", line):
            in_list = True
        elif line and not line.startswith(" ") and not in_fence:
            in_list = False
        fence = FENCE.match(line)
        if fence and not in_fence:
            in_fence, extra = True, fence["indent"]
            out.append(extra + line.rstrip().partition(" ")[0] if not extra else extra + line)
        elif in_fence:
            out.append(extra + line if line else line)
            in_fence = fence is None
            if not in_fence and extra:
                out.append("")
        elif line.startswith("|"):
            out.append(re.sub(r"`[^`]+`", lambda m: m[0].replace("\\|", "|"), line))
        else:
            out.append(" " * (len(line) - len(line.lstrip(" "))) + line if in_list else line)
    return "\n".join(out)


def main():
    build, stub = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    subprocess.run(["rm", "-rf", str(build / "site-pages")], check=True)
    site = Site(build)
    for source in sorted(site.place_of):
        if source.suffix == ".md":
            site.document(source)
    for path in site.headers:
        name = f"weir/{path.name}"
        site.write(f"api/{path.stem}.md", header_reference.cpp_page(name, path.read_text(encoding="utf-8")))
    c_header = (ROOT / "include/weir_c.h").read_text(encoding="utf-8")
    site.write("api/weir_c.md", header_reference.c_page("weir_c.h", c_header))
    site.write("api/python.md", python_reference.page(stub, ROOT / "python/weir"))
    written = set()
    while site.files - written:  # a page may link to further files
        path = min(site.files - written)
        site.file_page(path)
        written.add(path)
    site.write("site.css", (HERE / "site.css").read_text(encoding="utf-8"))

    config = yaml.safe_load((HERE / "mkdocs.yml").read_text(encoding="utf-8"))
    for section in config["nav"]:
        for entry in section.get("Interfaces", []):
            if "C++ reference" in entry:
                entry["C++ reference"] = [{f"weir/{path.name}": f"api/{path.stem}.md"} for path in site.headers]
    config |= {"docs_dir": str(site.pages), "site_dir": str(build / "site")}
    made = build / "mkdocs.yml"
    made.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    # Without --quiet, because --strict ignores warnings that are not shown.
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(made)],
                          env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout + done.stderr, file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
