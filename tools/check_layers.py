#!/usr/bin/env python3
"""Checks rules of the source tree that compilers do not check.

1. Layers. A directory of src/ includes only the layers that LAYERS lists for it, and includes each of them; only
   `engine` and the layers above it know both tokens and grammars. Within a layer of ROOMS a folder includes only
   folders below it. Bindings include only public headers. Nothing in src/ or include/ includes tests/. The command
   includes public headers, its own, and the few private headers that are listed here by file.
2. Headers. Each header has an include guard and compiles alone. A header that a file of src/ includes first is compiled
   alone by every build without unity builds, such as the test `add_subdirectory`; the other headers are compiled here
   (needs --compiler). With --cache, a header is compiled again only if the compiler, its options, or a file of the
   project that it includes has changed.
3. Comments. Files, functions and constants that comments name exist.
4. Threads. Locks are those of src/base/threads.h, because WebAssembly without threads has no others.
5. Namespaces. A function is defined within its namespace, not from outside as `frontend::f()`. Its body would look names
   up in that namespace first, where a unity build has the helpers of other files.

Usage: tools/check_layers.py [--compiler g++] [--jobs N] [--include-dir DIR]... [--cache DIR]
Exit status: 0 if there are no findings; otherwise 1, and one line is printed for each finding.
"""

import argparse
import concurrent.futures
import hashlib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A layer and the layers that it includes besides itself.
LAYERS = {
    "base": set(),
    "regex": {"base"},
    "vocab": {"base"},
    "canonical": {"base", "regex", "vocab"},
    "token_languages": {"base", "regex", "vocab", "canonical"},
    "lexer": {"base", "regex"},
    "grammar": {"base", "regex"},
    "earley": {"base", "grammar"},
    "frontend": {"base", "regex", "grammar"},
    "lint": {"base", "regex", "grammar", "frontend"},
    "input": {"base", "grammar", "frontend", "lint"},
    "convert": {"base", "regex", "grammar", "frontend", "input"},
    "engine": {"base", "regex", "vocab", "canonical", "lexer", "grammar", "earley"},
    "api": {"base", "vocab", "canonical", "grammar", "lint", "input", "engine"},
    "replies": {"base", "vocab", "grammar", "frontend", "input", "engine"},
    "c_api": set(),
}

# The folders of a layer or of one of its folders, lowest first; those of one line do not include each other. "." is the
# files that are in no folder.
ROOMS = {
    "engine": [
        ["."],  # search_bounds.h, accelerators.h
        ["sets", "residuals"],
        ["accelerators", "costs"],
        ["facts", "explore", "captures"],
        ["mask"],
        ["automaton"],
        ["canonical"],
        ["matcher"],
    ],
    "frontend/json_schema": [["source"], ["values"], ["formats"], ["model"], ["rules"], ["."]],
}

# The topmost layers, which include only public headers.
BINDINGS = {"c_api"}

# A public header and the lowest layer that may include it, because its types are used there. Its functions may be
# defined in a higher layer.
PUBLIC = {
    "weir/export.h": "base",
    "weir/error.h": "base",
    "weir/diagnostic.h": "base",
    "weir/limits.h": "base",
    "weir/bitmask.h": "vocab",
    "weir/logits.h": "vocab",
    "weir/tokenizer_info.h": "vocab",
    "weir/token_dfa.h": "token_languages",
    "weir/grammar.h": "grammar",
    "weir/check.h": "lint",
    "weir/convert.h": "convert",
    "weir/json_schema.h": "grammar",
    "weir/strict_schema.h": "frontend",
    "weir/tools.h": "frontend",
    "weir/languages.h": "input",
    "weir/compiler.h": "engine",
    "weir/matcher.h": "engine",
    "weir/batch.h": "api",
    "weir/explain.h": "api",
    "weir/kbnf.h": "api",
    "weir/members.h": "api",
    "weir/reply_parser.h": "replies",
    "weir/weir.h": "api",
    "weir_c.h": "c_api",
}

# Private headers that a file of the command may include, because it shows internals.
APP_EXCEPTIONS = {
    "apps/support/case_file.cc": {"grammar/suggest.h"},
    "apps/weir/member_sampler.cc": {"engine/automaton/compiled.h", "engine/automaton/completion.h"},
    "apps/support/option_checks.cc": {"grammar/suggest.h"},
    "apps/support/inputs.cc": {"base/open_file.h"},
    "apps/support/result_file.cc": {"base/open_file.h"},
    "apps/support/schema_input.cc": {"base/blanks.h"},
    "apps/support/string_list.cc": {"base/blanks.h", "base/json/json_value.h"},
    "apps/support/text.cc": {"base/utf8.h"},
    "apps/weir/index.cc": {
        "base/open_file.h",
        "canonical/canonical_automaton.h",
        "canonical/canonical_filter.h",
        "token_languages/token_index.h",
    },
    "bench/experiments/accelerators.cc": {
        "engine/accelerators.h",
        "engine/facts/vocabulary_store.h",
    },
    "bench/experiments/canonical.cc": {
        "base/interner.h",
        "canonical/merge_forest.h",
        "canonical/row_statistics.h",
        "vocab/recipe.h",
    },
    "bench/experiments/fidelity_models.h": {"llama.h"},  # of examples/language_model
    "apps/weir/tokenizer.cc": {
        "canonical/canonical_automaton.h",
        "canonical/merge_forest.h",
        "canonical/piece_automaton.h",
        "canonical/row_statistics.h",
        "vocab/token_trie.h",
        "vocab/vocabulary.h",
    },
    "apps/weir/explain.cc": {"engine/automaton/compiled.h", "engine/matcher/cursor.h"},
    "apps/weir/explain_schema.h": {"api/schema_refusal.h"},
    "apps/weir/explain_tag.h": {"base/json/json_value.h"},
    "apps/weir/explain_tag.cc": {"frontend/json_schema/source/json_pointer.h"},
    "apps/weir/inspect.cc": {
        "engine/automaton/compiled.h",
        "engine/matcher/inspect.h",
        "grammar/passes/pipeline.h",
        "vocab/token_trie.h",
        "vocab/vocabulary.h",
    },
}

# Files of other projects that comments refer to.
FOREIGN_FILES = {"docs/gguf.md", "encoder.py"}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
FIRST_INCLUDE = re.compile(r'^#include (?:"([^"]+)"|<)', re.MULTILINE)
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.DOTALL)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')
NAMED_FILE = re.compile(r'(?<![\w/.*<"])((?:[\w-]+/)*[\w-]+\.(?:h|cc|c|py|sh|md|toml|cmake|ebnf))(?![\w/])')
NAMED_FUNCTION = re.compile(r'(?<![\w:])((?:\w+::)*[a-z_]\w*)\(\)')
NAMED_CONSTANT = re.compile(r'(?<![\w:])((?:\w+::)*k[A-Z]\w+)')
CODE_SUFFIXES = {".h", ".cc", ".c"}


def relative(path):
    return path.relative_to(ROOT).as_posix()


def code_files(*tops):
    for top in tops:
        if (ROOT / top).is_dir():
            yield from sorted(p for p in (ROOT / top).rglob("*") if p.suffix in CODE_SUFFIXES)


def includes_of(path):
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1)


def layer_of_include(header):
    """Returns the layer of an included header, or None if it is not part of the project."""
    if header in PUBLIC:
        return PUBLIC[header]
    top = header.split("/", 1)[0]
    return top if top in LAYERS else None


def check_source_layers(findings):
    used = {layer: set() for layer in LAYERS}
    for path in code_files("src"):
        name = relative(path)
        layer = path.relative_to(ROOT / "src").parts[0]
        if layer not in LAYERS:
            findings.append(f"{name}:1: directory `{layer}` is not a layer (tools/check_layers.py lists them)")
            continue
        for line, header in includes_of(path):
            target = layer_of_include(header)
            used[layer].add(target)
            if layer in BINDINGS and header in PUBLIC:
                continue
            if target is None:
                findings.append(f"{name}:{line}: `{header}` is of no layer")
            elif target != layer and target not in LAYERS[layer]:
                findings.append(f"{name}:{line}: layer `{layer}` may not include `{header}` of layer `{target}`")
    for layer, allowed in LAYERS.items():
        for target in sorted(allowed - used[layer]):
            findings.append(f"tools/check_layers.py:1: layer `{layer}` includes nothing of `{target}`; it need not be allowed")


def room_of(name, top):
    """Returns the folder of a file below src/`top`, or None if the file is elsewhere."""
    if not name.startswith(top + "/"):
        return None
    first, *rest = name[len(top) + 1:].split("/")
    return first if rest else "."


def check_rooms(findings):
    for top, levels in ROOMS.items():
        level_of = {room: level for level, rooms in enumerate(levels) for room in rooms}
        for path in code_files(f"src/{top}"):
            room = room_of(path.relative_to(ROOT / "src").as_posix(), top)
            if room not in level_of:
                findings.append(f"{relative(path)}:1: folder `{room}` has no place in ROOMS of tools/check_layers.py")
                continue
            for line, header in includes_of(path):
                target = room_of(header, top)
                if target is None or target == room:
                    continue
                if target not in level_of or level_of[target] >= level_of[room]:
                    findings.append(f"{relative(path)}:{line}: folder `{room}` may not include `{header}`")


def check_public_headers(findings):
    for path in code_files("include"):
        name = relative(path)
        own = path.relative_to(ROOT / "include").as_posix()
        if own in ("weir/weir.h", "weir/members.h"):  # include others of all layers
            continue
        if own not in PUBLIC:
            findings.append(f"{name}:1: public header without a layer (tools/check_layers.py)")
            continue
        for line, header in includes_of(path):
            if header not in PUBLIC:
                findings.append(f"{name}:{line}: a public header may not include `{header}`")
            elif PUBLIC[own] not in BINDINGS and PUBLIC[header] not in LAYERS[PUBLIC[own]] | {PUBLIC[own]}:
                findings.append(f"{name}:{line}: `{own}` may not include `{header}`, which is of a higher layer")


def check_apps(findings):
    for path in code_files("apps", "bench/experiments"):
        name = relative(path)
        allowed = APP_EXCEPTIONS.get(name, set())
        for line, header in includes_of(path):
            own = any((directory / header).is_file() for directory in (path.parent, ROOT / "apps/support"))
            if not own and header not in PUBLIC and header not in allowed:
                findings.append(f"{name}:{line}: the command may not include `{header}`")


def check_python(findings):
    for path in code_files("python"):
        for line, header in includes_of(path):
            if header not in PUBLIC and not (path.parent / header).is_file():
                findings.append(f"{relative(path)}:{line}: the Python binding may not include `{header}`")


def included_files(path, directories, known):
    """Returns the project's files that `path` includes, and `path` itself. `known` caches the results."""
    if path not in known:
        known[path] = {path}
        for _, header in includes_of(path):
            found = next((d / header for d in [path.parent, *directories] if (d / header).is_file()), None)
            if found is not None:
                known[path] = known[path] | included_files(found.resolve(), directories, known)
    return known[path]


def fingerprint(path, command, version, known):
    directories = [ROOT / "include", ROOT / "src", ROOT / "apps"]
    digest = hashlib.sha256("\0".join([version, *command]).encode())
    for file in sorted(included_files(path, directories, known)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def alone_command(compiler, include_dirs, path):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-x", "c++"]
    if path.is_relative_to(ROOT / "apps"):
        command += ["-I", str(path.parent), "-I", str(ROOT / "apps/support")]
    command += [f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}", f"-I{ROOT / 'apps'}"]
    command += [f"-I{directory}" for directory in include_dirs]
    return command


def compile_alone(command, path):
    source = f'#include "{path}"\n'
    result = subprocess.run(command + ["-"], input=source, capture_output=True, text=True, check=False)
    return "" if result.returncode == 0 else result.stderr.strip().split("\n")[0]


def included_first():
    """Returns the headers that some source file of src/ includes first."""
    first = set()
    for path in code_files("src"):
        include = FIRST_INCLUDE.search(path.read_text()) if path.suffix == ".cc" else None
        if include and include.group(1):
            first.update(ROOT / directory / include.group(1) for directory in ("src", "include"))
    return first


def check_guards(findings):
    for path in code_files("include", "src", "apps"):
        if path.suffix != ".h":
            continue
        name = re.sub(r"[^A-Z0-9]", "_", relative(path).removeprefix("include/").upper()) + "_"
        guard = name if name.startswith("WEIR_") else "WEIR_" + name
        if f"\n#ifndef {guard}\n#define {guard}\n" not in path.read_text():
            findings.append(f"{relative(path)}:1: no include guard by the file's name")


def check_locks(findings):
    locks = re.compile(r"\bstd::(mutex|shared_mutex|scoped_lock|unique_lock|shared_lock|lock_guard|condition_variable|"
                       r"future|shared_future|promise)\b")
    for path in code_files("src"):
        if relative(path) == "src/base/threads.h":
            continue
        for line, text in enumerate(path.read_text().split("\n"), 1):
            if found := locks.search(text.split("//")[0]):
                findings.append(f"{relative(path)}:{line}: `{found.group()}`; locks are those of base/threads.h")


def check_namespaces(findings):
    from_outside = re.compile(r"^(?!return\b|using\b|namespace\b)[\w:][^=;#\"]* ((?:[a-z][a-z_0-9]*::)+[a-z_0-9]+)\([^;]*$")
    for path in code_files("src", "apps"):
        for line, text in enumerate(path.read_text().split("\n"), 1):
            if found := from_outside.match(text):
                findings.append(f"{relative(path)}:{line}: `{found.group(1)}` is defined outside of its namespace")


def check_headers_alone(findings, compiler, include_dirs, jobs, cache):
    elsewhere = included_first()
    headers = [p for p in code_files("include", "src", "apps") if p.suffix == ".h" and p not in elsewhere]
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    known = {}
    stamps = {}
    for path in headers:
        command = alone_command(compiler, include_dirs, path)
        stamps[path] = cache / fingerprint(path, command, version, known) if cache else None
    if cache:
        cache.mkdir(parents=True, exist_ok=True)
        for stamp in set(cache.iterdir()) - set(stamps.values()):
            stamp.unlink()

    def check(path):
        if stamps[path] is not None and stamps[path].exists():
            return ""
        message = compile_alone(alone_command(compiler, include_dirs, path), path)
        if not message and stamps[path] is not None:
            stamps[path].touch()
        return message

    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        for path, message in zip(headers, pool.map(check, headers)):
            if message:
                findings.append(f"{relative(path)}:1: does not compile alone: {message}")
    return len(headers)


def comments_of(text):
    """Returns (line, comment) pairs. String literals are blanked first, so that `//` in a literal is not a comment."""
    blanked = STRING.sub(lambda m: '"' + " " * (len(m.group(0)) - 2) + '"', text)
    for match in COMMENT.finditer(blanked):
        yield text.count("\n", 0, match.start()) + 1, match.group(0)


def all_paths():
    """Returns all paths of the project, relative to its root."""
    names = set()
    for top in ("src", "include", "apps", "tests", "tools", "bench", "fuzz", "docs", "examples", "data", "cmake",
                "integrations", "python"):
        if (ROOT / top).is_dir():
            names.update(relative(p) for p in (ROOT / top).rglob("*"))
    names.update(p.name for p in ROOT.iterdir())
    return names


def check_comments(findings):
    suffixes = set()  # every tail of every path: `passes/pipeline.h` names src/grammar/passes/pipeline.h
    suffixes.update(FOREIGN_FILES)
    for path in all_paths():
        parts = path.split("/")
        suffixes.update("/".join(parts[i:]) for i in range(len(parts)))
    files = list(code_files("src", "include", "apps", "integrations", "python", "examples", "tests", "bench", "fuzz"))
    words = set()
    for path in files:
        words.update(re.findall(r"\w+", COMMENT.sub(" ", path.read_text(encoding="utf-8"))))
    for path in files:
        for line, comment in comments_of(path.read_text(encoding="utf-8")):
            for match in NAMED_FILE.finditer(comment):
                if match.group(1) not in suffixes:
                    findings.append(f"{relative(path)}:{line}: comment names `{match.group(1)}`, which does not exist")
            for match in NAMED_FUNCTION.finditer(comment):
                name = match.group(1)
                if not name.startswith("std::") and any(part not in words for part in name.split("::")):
                    findings.append(f"{relative(path)}:{line}: comment names `{name}()`, which does not exist")
            for match in NAMED_CONSTANT.finditer(comment):
                name = match.group(1)
                if any(part not in words for part in name.split("::")):
                    findings.append(f"{relative(path)}:{line}: comment names `{name}`, which does not exist")
    return len(files)


def main():
    parser = argparse.ArgumentParser(description="Checks layers, headers and what comments name.")
    parser.add_argument("--compiler", help="compile headers alone with this compiler")
    parser.add_argument("--include-dir", action="append", default=[], help="a further include directory")
    parser.add_argument("--cache", type=pathlib.Path, help="a directory that remembers which headers compiled alone")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()

    findings = []
    check_source_layers(findings)
    check_rooms(findings)
    check_public_headers(findings)
    check_apps(findings)
    check_guards(findings)
    check_locks(findings)
    check_namespaces(findings)
    check_python(findings)
    files = check_comments(findings)
    headers = 0
    if arguments.compiler:
        headers = check_headers_alone(findings, arguments.compiler, arguments.include_dir, arguments.jobs,
                                      arguments.cache)
    for finding in findings:
        print(finding)
    print(f"check_layers: {files} files, {headers} headers compiled alone, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
