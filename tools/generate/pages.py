"""Writes docs/options.md, the tables of all options, and playground/src/declared.ts, the playground's switches."""

import json

import model

TITLES = {"JsonSchemaOptions": ("Options of JSON Schemas", "[JSON Schema](json_schema.md) says more."),
          "GrammarTextOptions": ("Options of grammars with rules", "The page of each language says more."),
          "RegexOptions": ("Options of regular expressions", "[Regular expressions](regex.md) says more."),
          "StructuralTagOptions": ("Options of structural tags", "[Structural tags](structural_tags.md) says more."),
          "ToolOptions": ("Options of tools", "[Tools](tools.md) says more."),
          "ReplyOptions": ("Options of reading replies", "[Replies](replies.md) says more."),
          "MatcherOptions": ("Options of matchers", "[Canonical tokenization](canonical.md) and the headers say more."),
          "KbnfOptions": ("Options of a KbnfEngine", "[KBNF](kbnf.md) says more."),
          "TokenizerOptions": ("Options of tokenizers", ""),
          "VocabSpec": ("A plain vocabulary", ""),
          "WarmUpOptions": ("Options of warm-up", ""), "BatchOptions": ("Options of batches", "")}

BEGIN = """<!-- Written by tools/generate from the structs in include/weir. Do not edit. -->
# All options

The options have these names in C++, C, Python and Rust. In JavaScript `whitespace_limit` is `whitespaceLimit`, on the
command line `--whitespace-limit`, and `--no-exponents` turns a flag off whose default is true. The [limits](limits.md) have a page of their
own. Python, JavaScript and Rust write the words of a choice as they stand here; in C++ `"declared"` is `kDeclared`, in C
`WEIR_ORDER_DECLARED`.
"""


def cell(text):
    return text.replace("|", "\\|")


def options_md(structs):
    out = BEGIN
    for name, (title, more) in TITLES.items():
        struct = structs[name]
        out += f"\n## {title}\n\n`weir::{name}` in C++, `weir_{struct.c_name}` in C.{' ' + more if more else ''}\n\n"
        out += "| option | default | |\n|---|---|---|\n"
        for field in struct.fields:
            text = cell(field.summary)
            if field.kind == "word":
                text += "<br>" + "<br>".join(
                    f'`"{word}"`: {cell(model.summary(comment))}' for _, word, comment in field.of.words)
            default = f"`{field.shown_default}`" if field.shown_default else ""
            out += f"| `{field.name}` | {default} | {text} |\n"
    return out


def playground(structs):
    """The choices and the switches of JSON Schemas, and the dialects of patterns."""
    schema, regex = structs["JsonSchemaOptions"], structs["RegexOptions"]

    def label(field):
        return field.name.replace("_", " ").capitalize()

    out = "// Written by tools/generate from the structs in include/weir. Do not edit.\nimport type { JSONSchemaOptions } from \"weir\";\n\n"
    out += "/** Name, label, words and meaning of each option that is one of a few words. */\n"
    out += "export const CHOICES: readonly [keyof JSONSchemaOptions, string, readonly string[], string][] = [\n"
    for field in schema.fields:
        if field.kind == "word":
            row = [model.camel(field.name), label(field), [word for _, word, _ in field.of.words], field.summary]
            out += f"  {json.dumps(row, ensure_ascii=False)},\n"
    out += "];\n\n/** Name, label and meaning of each flag. */\n"
    out += "export const SWITCHES: readonly [keyof JSONSchemaOptions, string, string][] = [\n"
    for field in schema.fields:
        if field.kind == "flag":
            out += f"  {json.dumps([model.camel(field.name), label(field), field.summary], ensure_ascii=False)},\n"
    words = [word for field in regex.fields if field.name == "dialect" for _, word, _ in field.of.words]
    return out + f"];\n\nexport const REGEX_DIALECTS = {json.dumps(words)} as const;\n"
