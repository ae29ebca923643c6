#!/usr/bin/env python3
"""Runs the samples in README.md and docs/: commands, with the output that is shown, and programs in C++ and C.

Usage: samples_test.py BUILD_DIRECTORY [--update]    CC, CXX: the compilers. --update writes the outputs into the pages.

A `console` block has commands after `$ `, each with the output that is expected, up to the next command. A command
without output there must succeed. Only commands in RUN are run; the others (cmake, pip, ...) are tested by
tests/install and tests/python. A `cpp` or `c` block with a `main` is built and run, and an `output` block after it is
what it prints; other such blocks are parts of a program, and are compiled with PRELUDES before them. Grammars and
structural tags are checked. A block after "... `NAME`:" is the file NAME. Python's samples are run by
tests/python/test_docs.py.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv[1]).resolve()
UPDATE = "--update" in sys.argv
BLOCK = re.compile(r"(?:`(?P<file>[\w.]+\.\w+)`[^\n]*\n\n)?```(?P<kind>\w+)\n(?P<text>.*?)```(?:\n\n```output\n(?P<output>.*?)```)?",
                   re.DOTALL)
RUN = ("weir ", "printf ", "echo ", "sed ")
MEASURED = "docs/benchmarks.md"  # its commands take minutes; tests/bench runs them on less

C_PRELUDE = """
#include <stdlib.h>
#include "weir_c.h"
extern weir_text schema;
extern weir_compiled_grammar* compiled;
extern weir_matcher* matcher;
extern weir_error* error;
extern int model;
extern int fail(weir_error* error);
extern int no_memory(void);
extern uint32_t sample(int model, const uint32_t* bitmask);
"""
LLAMA_PRELUDE = """
#include "weir_llama.h"
extern weir_error* error;
extern weir_compiled_grammar* compiled;
extern struct llama_model* model;
extern struct llama_sampler* chain;
"""
SCHEMA_PRELUDE = """
#include "weir/weir.h"
static const weir::TokenizerInfo tokenizer = weir::TokenizerInfo::builtin();
"""
PRELUDES = {"docs/c_api.md": C_PRELUDE, "docs/llama_cpp.md": LLAMA_PRELUDE,
            "docs/json_schema.md": SCHEMA_PRELUDE}
GRAMMARS = ("ebnf", "gbnf", "kbnf", "lark", "xgrammar")


class Page:
    def __init__(self, name, work):
        self.name, self.path, self.work = name, ROOT / name, work
        self.text = self.path.read_text(encoding="utf-8")
        self.problems, self.ran = [], 0
        (work / "examples").symlink_to(ROOT / "examples")
        (work / "path/to").mkdir(parents=True)
        (work / "path/to/tokenizer.json").symlink_to(ROOT / "data/default_tokenizer/tokenizer.json")

    def run(self):
        for block in BLOCK.finditer(self.text):
            kind, text = block["kind"], block["text"]
            if block["file"]:
                (self.work / block["file"]).write_text(text, encoding="utf-8")
            if kind == "console" and self.name != MEASURED:
                self.console(text)
            elif kind in GRAMMARS:
                self.checked(text, f"--syntax={kind}")
            elif kind == "json" and '"structural_tag"' in text:
                self.checked(text, "--structural-tag")
            elif kind in ("cpp", "c") and "int main(" in text:
                self.program(kind, text, block["output"])
            elif kind in ("cpp", "c"):
                self.part(kind, text)
        if UPDATE:
            self.path.write_text(self.text, encoding="utf-8")

    def console(self, text):
        for entry in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, shown = entry.partition("\n")
            if command.startswith(RUN):
                self.command(command, shown)

    def command(self, command, shown):
        self.ran += 1
        done = subprocess.run(["bash", "-c", command], cwd=self.work, capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}"}, timeout=300)
        out = done.stdout + done.stderr
        # Exit status 1, a refusal, is right only where the page shows the output.
        if done.returncode > (1 if shown.strip() else 0):
            self.problems.append(f"`{command}` ended with {done.returncode}:\n{out}")
        elif shown.strip():
            self.compare(command, shown, out + ("\n" if shown.endswith("\n\n") else ""))

    def checked(self, text, language):
        self.ran += 1
        done = subprocess.run([str(BUILD / "weir"), "check", language, "-"], input=text, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            self.problems.append(done.stdout + done.stderr)

    def program(self, kind, text, shown):
        self.ran += 1
        source = self.work / f"program.{'cc' if kind == 'cpp' else 'c'}"
        source.write_text(text, encoding="utf-8")
        compiler = [os.environ.get("CXX", "c++"), "-std=c++20"] if kind == "cpp" else [os.environ.get("CC", "cc"), "-std=c11"]
        built = subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", str(source),
                                str(BUILD / "libweir.a"), "-lpcre2-8", "-lstdc++", "-lm", "-o", str(self.work / "program")],
                               capture_output=True, text=True, check=False)
        if built.returncode != 0:
            self.problems.append(built.stderr)
            return
        done = subprocess.run([str(self.work / "program")], capture_output=True, text=True, check=False, timeout=60)
        if done.returncode != 0:
            self.problems.append(f"a program ended with {done.returncode}:\n{done.stderr}")
        elif shown is not None:
            self.compare("the program", shown, done.stdout)

    def part(self, kind, text):
        self.ran += 1
        includes = "".join(re.findall(r"#include[^\n]*\n", text))
        body = re.sub(r"#include[^\n]*\n", "", text)
        returns = "int" if "return" in body else "void"
        source = self.work / f"part.{'cc' if kind == 'cpp' else 'c'}"
        source.write_text(f"{includes}#include <stdint.h>\n{PRELUDES[self.name]}\n{returns} part(void);\n{returns} part(void) "
                          f"{{\n{body}\n{'return 0;' if returns == 'int' else ''}\n}}\n", encoding="utf-8")
        compiler = [os.environ.get("CXX", "c++"), "-std=c++20"] if kind == "cpp" else [os.environ.get("CC", "cc"), "-std=c11"]
        built = subprocess.run([*compiler, "-fsyntax-only", f"-I{ROOT}/include", f"-I{ROOT}/integrations/llama_cpp",
                                f"-I{ROOT}/tests/c_api/llama", str(source)], capture_output=True, text=True, check=False)
        if built.returncode != 0:
            self.problems.append(built.stderr)

    def compare(self, what, shown, out):
        if shown == out:
            return
        if UPDATE:
            self.text = self.text.replace(shown, out, 1)
        else:
            self.problems.append(f"`{what}` prints\n{out}where the page has\n{shown}")


def main():
    failed, ran = 0, 0
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        with tempfile.TemporaryDirectory() as work:
            page = Page(str(path.relative_to(ROOT)), pathlib.Path(work))
            page.run()
        ran += page.ran
        for problem in page.problems:
            failed += 1
            print(f"{page.name}: {problem}")
    print(f"{ran} samples, {failed} not as they should be")
    return 1 if failed or ran < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
