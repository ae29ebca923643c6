"""Writes js/src/declared.ts: the structs as interfaces, for the types of the JavaScript package."""

import re
import textwrap

import model

# Interfaces by their structs. C's, of which JavaScript has nothing, are left out.
NAMES = {"Limits": "Limits", "TokenizerOptions": "TokenizerOptions", "VocabSpec": "VocabOptions",
         "NamedGrammar": "NamedGrammar", "RegexOptions": "RegexOptions", "SchemaDocument": "SchemaDocument",
         "JsonSchemaOptions": "JSONSchemaOptions", "GrammarTextOptions": "GrammarOptions",
         "StructuralTagOptions": "StructuralTagOptions", "ToolOptions": "ToolOptions", "ReplyOptions": "ReplyOptions", "CacheStats": "CacheStats",
         "EngineStats": "EngineStats", "WarmUpOptions": "WarmUpOptions", "WarmUpReport": "WarmUpReport",
         "MatcherOptions": "MatcherOptions", "StateStats": "StateStats", "KbnfOptions": "KbnfOptions"}
# Arguments of calls in JavaScript.
LEFT_OUT = {("VocabSpec", "tokens"), ("VocabSpec", "stop_token_ids")}
# Interfaces that have the members of one of their options as their own.
EXTENDS = {"ReplyOptions": "tools"}
# What an interface has besides.
BESIDES = {"JsonSchemaOptions": '  /** The defaults of the other options. Default: `"exact"`. */\n  profile?: "exact" | "serving";\n'}
# Options of OpenAI's interface, where `null` means that an option is not given, and JSON is a value.
NULLABLE = {"ToolOptions", "ReplyOptions"}
TYPES = {("ToolOptions", "tool_choice"): "string | object", ("ToolOptions", "response_format"): "string | object",
         ("GrammarTextOptions", "indenter"): "string | object"}
SIMPLE = {"flag": "boolean", "u32": "number", "u64": "number", "text": "string", "ids": "readonly number[]",
          "texts": "readonly string[]"}


def docs(text, indent):
    lines = textwrap.wrap(text, 116 - len(indent), break_long_words=False, break_on_hyphens=False)
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def in_javascript(text, structs):
    """Names of members and of limits as JavaScript has them."""
    members = {field.name for struct in structs.values() for field in struct.fields if "_" in field.name}
    text = re.sub(r"\b(\w+)::(\w+)", lambda match: f"{match[1]}.{model.camel(match[2])}", text)
    return re.sub(r"`(\w+)`", lambda match: f"`{model.camel(match[1])}`" if match[1] in members else match[0], text)


def enum_type(enum):
    if "::" in enum.name:
        return f"(typeof ENUMS.{enum.c_name})[number]"
    return enum.name


def type_of(struct, field):
    if (struct.name, field.name) in TYPES:
        return TYPES[struct.name, field.name]
    if field.kind == "word":
        return enum_type(field.of)
    if field.kind in ("structs", "options"):
        return f"readonly {NAMES[field.of.name]}[]" if field.kind == "structs" else NAMES[field.of.name]
    return SIMPLE[field.kind]


def interface(struct, structs):
    parents = "".join(f" extends {NAMES[field.of.name]}" for field in struct.fields if field.name == EXTENDS.get(struct.name))
    out = docs(in_javascript(model.summary(struct.comment), structs), "") + f"export interface {NAMES[struct.name]}{parents} {{\n"
    out += BESIDES.get(struct.name, "")
    for field in struct.fields:
        if (struct.name, field.name) in LEFT_OUT or field.name == EXTENDS.get(struct.name):
            continue
        text = in_javascript(field.summary, structs)
        has_default = field.kind == "word" if struct.is_item else not struct.is_counts
        if has_default and field.shown_default and (struct.name, field.name) not in TYPES:
            text += f" Default: `{field.shown_default}`."
        readonly = "readonly " if struct.is_counts else ""
        optional = "" if struct.is_counts or struct.is_item and field.kind == "text" else "?"
        null = " | null" if struct.name in NULLABLE else ""
        out += docs(text, "  ") + f"  {readonly}{model.camel(field.name)}{optional}: {type_of(struct, field)}{null};\n"
    return out + "}\n\n"


def declared(enums, structs):
    out = "// Written by tools/generate from the structs in include/weir. Do not edit.\nimport type { ENUMS } from \"./abi.js\";\n\n"
    for enum in enums.values():
        if "::" not in enum.name:
            out += docs(in_javascript(model.summary(enum.comment), structs), "")
            out += f"export type {enum.name} = (typeof ENUMS.{enum.c_name})[number];\n\n"
    out += "".join(interface(struct, structs) for struct in structs.values() if struct.name in NAMES)
    return out.rstrip("\n") + "\n"
