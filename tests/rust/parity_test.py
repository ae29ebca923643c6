#!/usr/bin/env python3
"""Whether the Rust crates have what the C header has. It needs no Rust; `make test-rust` has the crates' other tests."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUST = ROOT / "rust"
# Functions of the header that the crate `weir` has no use for.
UNUSED = {
    "weir_grammar_warning": "Grammar::warnings reads the diagnostics, which have more",
    "weir_grammar_warning_count": "the same",
    "weir_compiled_grammar_warning": "CompiledGrammar::warnings reads the diagnostics, which have more",
    "weir_compiled_grammar_warning_count": "the same",
    "weir_matcher_create": "weir_matcher_create_with_error",
    "weir_grammar_syntax_name": "GrammarSyntax::name is a table of the crate's",
    "weir_reply_event_kind_name": "ReplyEventKind::name is, too",
    "weir_reply_parser_event_json": "events are values",
}


class Parity(unittest.TestCase):
    def test_functions(self):
        header = re.sub(r"/\*.*?\*/", "", (ROOT / "include" / "weir_c.h").read_text(encoding="utf-8"), flags=re.DOTALL)
        declared = set(re.findall(r"\b(weir_\w+)\(", header.replace("static inline", "")))
        inline = set(re.findall(r"static inline [^;{]*?\b(weir_\w+)\(", header))
        functions = declared - inline
        self.assertGreater(len(functions), 170)
        ffi = set(re.findall(r"pub fn (weir_\w+)\(", (RUST / "weir-sys" / "src" / "ffi.rs").read_text(encoding="utf-8")))
        self.assertEqual(functions, ffi)
        source = "".join(path.read_text(encoding="utf-8") for path in sorted((RUST / "weir" / "src").rglob("*.rs")))
        used = set(re.findall(r"\bweir_\w+", source))
        self.assertEqual(sorted(functions - used - set(UNUSED)), [])
        self.assertEqual(sorted(set(UNUSED) - functions | set(UNUSED) & used), [])

    def test_version(self):
        version = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
        for manifest in ["Cargo.toml", "weir/Cargo.toml"]:
            found = re.findall(r'^(?:version = |weir-sys = \{ version = )"([^"]+)"', (RUST / manifest).read_text(encoding="utf-8"), re.MULTILINE)
            self.assertEqual(found, [version], manifest)


if __name__ == "__main__":
    unittest.main()
