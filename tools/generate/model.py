"""Reads the structs of options, limits and counters in include/weir: their declarations are the one description of them.

A struct is read line by line, in the form that the headers have. A declaration that this file does not understand is an
error, and what is generated refers to members and enumerators by name, so that compilers check what was read.
"""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"

# The structs that all interfaces have: their names in C++, their names in C without "weir_", the headers of both.
STRUCTS = [("Limits", "limits", "limits.h"), ("TokenizerOptions", "tokenizer_options", "tokenizer_info.h"),
           ("VocabSpec", "vocab_spec", "tokenizer_info.h"), ("EbnfOptions", "ebnf_options", "grammar.h"),
           ("NamedGrammar", "named_grammar", "grammar.h"), ("RegexOptions", "regex_options", "grammar.h"),
           ("SchemaDocument", "schema_document", "json_schema.h"),
           ("JsonSchemaOptions", "json_schema_options", "json_schema.h"),
           ("GrammarTextOptions", "text_options", "grammar.h"),
           ("StructuralTagOptions", "structural_tag_options", "grammar.h"), ("ToolOptions", "tool_options", "tools.h"),
           ("ReplyOptions", "reply_options", "reply_parser.h"),
           ("CacheStats", "cache_stats", "compiler.h"), ("EngineStats", "engine_stats", "compiler.h"),
           ("WarmUpOptions", "warm_up_options", "compiler.h"), ("WarmUpReport", "warm_up_report", "compiler.h"),
           ("MatcherOptions", "matcher_options", "matcher.h"), ("StateStats", "state_stats", "matcher.h"),
           ("BatchOptions", "batch_options", "batch.h"), ("KbnfOptions", "kbnf_options", "kbnf.h"),
           ("RenderOptions", "render_options", "diagnostic.h")]

# Enumerations outside of structs: their names in C, what their enumerators begin with there, and the header.
ENUMS = {"TokenKind": ("token_kind", "WEIR_TOKEN_", "tokenizer_info.h"),
         "TokenSpelling": ("token_spelling", "WEIR_SPELLING_", "tokenizer_info.h"),
         "GrammarSyntax": ("grammar_syntax", "WEIR_SYNTAX_", "grammar.h"),
         "RegexMatch": ("regex_match", "WEIR_REGEX_", "grammar.h"),
         "RegexDialect": ("regex_dialect", "WEIR_REGEX_", "grammar.h"),
         "SubstringUnit": ("substring_unit", "WEIR_UNIT_", "grammar.h"),
         "Tokenization": ("tokenization", "WEIR_TOKENIZATION_", "matcher.h"),
         "ReplyEventKind": ("reply_event_kind", "WEIR_REPLY_", "reply_parser.h")}
# What the names in C of enumerations inside of these structs begin with.
C_SCOPES = {"JsonSchemaOptions": "schema", "ToolOptions": "tool", "ReplyOptions": "reply"}

KINDS = {"bool": "flag", "std::uint32_t": "u32", "unsigned": "u32", "std::optional<std::uint32_t>": "u32",
         "std::uint64_t": "u64", "std::size_t": "u64", "std::string": "text", "std::vector<std::uint32_t>": "ids",
         "std::optional<std::vector<std::uint32_t>>": "ids", "std::vector<std::string>": "texts"}


@dataclasses.dataclass
class Enum:
    name: str  # as C++ writes it outside of structs: "JsonSchemaOptions::Whitespace"
    c_name: str  # without "weir_": "schema_whitespace"
    c_prefix: str  # "WEIR_WHITESPACE_"
    comment: str
    words: list  # (name in C++, word, comment), numbered from 0

    def c_enumerator(self, word):
        return self.c_prefix + re.sub(r"\W", "_", word).upper()


@dataclasses.dataclass
class Field:
    name: str
    type: str  # as C++ declares it
    default: str
    comment: str
    kind: str  # "flag", "u32", "u64", "text", "word", "ids", "texts", "structs" (a list of `of`), "options" (one `of`)
    of: object = None  # the Enum of a word, the Struct of "structs" and "options"

    @property
    def is_list(self):
        return self.kind in ("ids", "texts", "structs")

    @property
    def count(self):
        """The name of the number of items in C: `special_token_count` of `special_token_ids`."""
        return re.sub(r"_ids$|s$", "", self.name) + "_count"

    @property
    def is_optional(self):
        return self.type.startswith("std::optional")

    @property
    def summary(self):
        return summary(self.comment)

    @property
    def shown_default(self):
        """The default as documents show it: `40`, `"bounded"`; empty for lists, empty texts and options."""
        if self.kind == "word":
            name = self.default.rpartition(":")[2]
            return next(f'"{word}"' for enumerator, word, _ in self.of.words if enumerator == name)
        if self.kind in ("flag", "u32", "u64") and not self.is_optional:
            shift = re.fullmatch(r"(?:std::size_t\{)?(\d+)U?\}? << (\d+)", self.default)
            number = str(int(shift[1]) << int(shift[2])) if shift else self.default.replace("'", "")
            return f"{int(number):,}" if number.isdigit() else number
        return self.default.replace('\\"', '"')[1:-1] and self.default if self.kind == "text" else ""


@dataclasses.dataclass
class Struct:
    name: str
    c_name: str  # without "weir_"
    header: str
    comment: str
    fields: list

    @property
    def is_counts(self):
        """True for what calls return, not take."""
        return self.c_name.endswith(("_stats", "_report"))

    @property
    def is_item(self):
        """True for an item of a list in another struct: in C it has no `struct_size`."""
        return self.c_name in ("named_grammar", "schema_document")


def summary(comment):
    """Returns the first sentence of a comment, with words in place of enumerators: `"none"` for kNone."""
    sentence = re.match(r".*?[.;](?= [A-Z`]| k[A-Z])|.*", comment)[0]
    sentence = sentence.removesuffix(";") + "." if sentence.endswith(";") else sentence
    return re.sub(r"\bk([A-Z]\w*)", lambda match: f'"{snake(match[1])}"', sentence)


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def camel(name):
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def pascal(name):
    return "".join(part[0].upper() + part[1:] for part in re.split(r"[_-]", name))


def _word(enumerator):
    """kByteFallback is "byte_fallback", k2019_09 is "2019-09"."""
    word = snake(enumerator[1:])
    return word.replace("_", "-") if word[0].isdigit() else word


def _declarations(lines):
    """Yields (declaration, comment) of each line of code; declarations in braces are left out with their bodies."""
    comment, text = [], ""
    for line in lines:
        line = line.strip()
        if line.startswith("///") and not line.startswith("///<") and not text:
            comment.append(line[3:].strip())
            continue
        code, _, after = (part.strip() for part in line.partition("//"))
        if not line:
            comment = []
        if not code:
            assert not after.startswith("/<"), f"a comment after a member is one line: {after}"
            continue
        text = f"{text} {code}".strip()
        if after.startswith("/<"):
            comment.append(after[2:].strip())
        if not code.endswith((";", ",")):
            continue
        yield text.rstrip(","), " ".join(comment)
        comment, text = [], ""


def _read_enum(name, c_name, c_prefix, comment, body):
    if "\n" not in body.strip():
        body = body.strip().rstrip(",").replace(", ", ",\n") + ","
    words = []
    for enumerator, about in _declarations(body.splitlines()):
        assert re.fullmatch(r"k\w+", enumerator), (name, enumerator)
        words.append((enumerator, _word(enumerator), about))
    return Enum(name, c_name, c_prefix, comment, words)


_ENUM = re.compile(r"((?:^ *///(?!<) [^\n]*\n)*)^ *enum class (\w+) : std::uint8_t \{(.*?)\};", re.DOTALL | re.MULTILINE)


def _comment(lines):
    return " ".join(line.strip().removeprefix("///").strip() for line in lines.splitlines())


def _field(struct, declaration, comment, enums, structs):
    member = re.fullmatch(r"([\w:<> ,]+?) (\w+)(?: = (.+))?;", declaration)
    assert member, f"struct {struct}: cannot read `{declaration}`"
    kind, name, default = member.groups()
    item = re.fullmatch(r"std::vector<(\w+)>", kind)
    if kind in enums:
        enum = enums[kind]
        return Field(name, kind, default, comment or enum.comment, "word", enum)
    if kind in structs:
        return Field(name, kind, default, comment, "options", structs[kind])
    if item and item[1] in structs:
        return Field(name, kind, default, comment, "structs", structs[item[1]])
    assert kind in KINDS, f"struct {struct}: member `{name}` is of unknown type {kind}"
    return Field(name, kind, default or "", comment, KINDS[kind])


def read():
    """Returns the enumerations and the structs, by their names in C++; what refers to another stands after it."""
    enums, structs = {}, {}
    texts = {path.name: path.read_text(encoding="utf-8") for path in (INCLUDE / "weir").glob("*.h")}
    for name, (c_name, prefix, header) in ENUMS.items():
        match = next((found for found in _ENUM.finditer(texts[header]) if found[2] == name), None)
        assert match, f"{header} has no enum class {name}"
        enums[name] = _read_enum(name, c_name, prefix, _comment(match[1]), match[3])
    for name, c_name, header in STRUCTS:
        match = re.search(rf"((?:^///[^\n]*\n)*)^struct {name} \{{\n(.*?)^\}};", texts[header], re.DOTALL | re.MULTILINE)
        assert match, f"{header} has no struct {name}"
        known = dict(enums)
        for about, enum, body in _ENUM.findall(match[2]):
            known[enum] = enums[f"{name}::{enum}"] = _read_enum(
                f"{name}::{enum}", f"{C_SCOPES[name]}_{snake(enum)}", f"WEIR_{snake(enum).upper()}_", _comment(about), body)
        members = _ENUM.sub("", match[2]).splitlines()
        fields = [_field(name, declaration, comment, known, structs) for declaration, comment in _declarations(members)
                  if not declaration.startswith("friend ")]
        for field in fields:
            assert field.comment, f"{header}: {name}::{field.name} has no comment"
        structs[name] = Struct(name, c_name, header, _comment(match[1]), fields)
    return enums, structs
