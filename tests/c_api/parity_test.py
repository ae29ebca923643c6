#!/usr/bin/env python3
"""Whether weir_c.h has what the C++ headers have: each public function, and each field of the options.

C's names follow from C++'s (GrammarMatcher::accept_token is weir_matcher_accept_token); where one does not, OTHER_NAMES has
it. Functions are told by their declarations, one a line, up to the comment that says what is for the layers inside.
"""

import pathlib
import re
import unittest

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
HEADER = (INCLUDE / "weir_c.h").read_text(encoding="utf-8")
PREFIXES = {"TokenizerInfo": "tokenizer_info", "Grammar": "grammar", "GrammarCompiler": "compiler",
            "CompiledGrammar": "compiled_grammar", "GrammarMatcher": "matcher", "BatchMatcher": "batch",
            "KbnfEngine": "kbnf_engine", "ReplyParser": "reply_parser", "": ""}
OTHER_NAMES = {
    "to_string": "status_name",  # and severity_name, kbnf_result_name, grammar_syntax_name, reply_event_kind_name
    "syntax_named": "grammar_syntax_named",
    "render": "error_render",  # and diagnostics_render
    "to_diagnostic": "error_diagnostics",
    "to_json": "reply_parser_event_json",
    "tool_styles": "tool_style",
    "language_names": "language_name",
    "grammar_of_language": "grammar_from_text",
    "grammar_warnings": "grammar_warning",
    "compiled_grammar_warnings": "compiled_grammar_warning",
    "matcher_accept_string": "matcher_accept_bytes",
    "kbnf_engine_allowed_token_ids_from_last_computation": "kbnf_engine_allowed_token_ids",
    "kbnf_engine_disallowed_token_ids_from_last_computation": "kbnf_engine_disallowed_token_ids",
}
# A struct of options in C++, and the one in C.
STRUCTS = {"Limits": "limits", "TokenizerOptions": "tokenizer_options", "VocabSpec": "vocab_spec",
           "EbnfOptions": "ebnf_options", "GrammarTextOptions": "text_options", "RegexOptions": "regex_options",
           "JsonSchemaOptions": "json_schema_options", "StructuralTagOptions": "structural_tag_options",
           "ToolOptions": "tool_options", "MatcherOptions": "matcher_options", "KbnfOptions": "kbnf_options",
           "RenderOptions": "render_options", "CacheStats": "cache_stats", "EngineStats": "engine_stats",
           "StateStats": "state_stats", "Diagnostic": "diagnostic", "WarmUpOptions": "warm_up_options",
           "WarmUpReport": "warm_up_report", "BatchOptions": "batch_options",
           "ReplyOptions": "reply_options", "ReplyEvent": "reply_event"}
OTHER_FIELDS = {"where": "start", "notes": "note_count", "fix": "has_fix"}
# Headers that C has no calls for: `weir index` writes such automata to files, which any program can read.
CPP_ALONE = {"token_dfa.h"}
FUNCTION = re.compile(r"^ *(?:WEIR_API |static |constexpr |\[\[nodiscard\]\] )*[\w:<>,&* ]+? [*&]?(\w+)\(")
NOT_FUNCTIONS = {"operator", "if", "for", "while", "return"}


def code(path):
    """Without comments, but for the one that ends a public interface."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"(?<!/)//(?!/ For weir's own layers).*", "", text)


def functions(text):
    """(class or "", name) of the public functions."""
    current, is_public = "", True
    for line in text.splitlines():
        if opened := re.match(r"class WEIR_API (\w+) ?(?:final )?\{", line):
            current, is_public = opened[1], False
        elif current and re.match(r" *public:", line):
            is_public = True
        elif current and ("For weir's own layers" in line or re.match(r" *private:", line)):
            is_public = False
        elif line == "};":
            current, is_public = "", True
        elif is_public and (current or line.startswith(("WEIR_API", "constexpr"))) and (found := FUNCTION.match(line)):
            if found[1] not in NOT_FUNCTIONS:
                yield current, found[1]


def fields(struct, text, opening):
    body = re.search(opening + r" \{(.*?)\n\}", text, re.DOTALL)
    assert body, struct
    inside = re.sub(r"enum class \w+[^{]*\{.*?\};", "", body[1], flags=re.DOTALL)
    inside = re.sub(r"/\*.*?\*/", "", inside, flags=re.DOTALL)
    return set(re.findall(r"\b(\w+)(?: *=[^;]*)?;", re.sub(r"friend [^;]*;", "", inside)))


class Parity(unittest.TestCase):
    def test_functions(self):
        declared = set(re.findall(r"\bweir_(\w+)\(", HEADER))
        seen = {}
        for path in sorted((INCLUDE / "weir").glob("*.h")):
            if path.name in CPP_ALONE:
                continue
            for owner, name in functions(code(path)):
                self.assertIn(owner, PREFIXES, path.name)
                name = "create" if name == owner else name
                seen[f"{PREFIXES[owner]}_{name}" if owner else name] = path.name
        self.assertGreater(len(seen), 90)
        lacking = [f"{header}: {name}" for name, header in seen.items()
                   if OTHER_NAMES.get(name, name) not in declared]
        self.assertEqual(lacking, [])
        self.assertEqual([name for name in OTHER_NAMES if name not in seen], [])

    def test_fields(self):
        text = "".join(code(path) for path in sorted((INCLUDE / "weir").glob("*.h")))
        for cpp, c in STRUCTS.items():
            ours = fields(cpp, text, rf"struct {cpp}")
            theirs = fields(c, HEADER, rf"typedef struct weir_{c}")
            lacking = {name for name in ours if OTHER_FIELDS.get(name, name) not in theirs}
            self.assertGreater(len(ours), 0, cpp)
            self.assertEqual(lacking, set(), cpp)


if __name__ == "__main__":
    unittest.main()
