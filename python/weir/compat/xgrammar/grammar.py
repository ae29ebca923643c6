"""xgrammar.Grammar: a grammar that was read, but not yet compiled for a tokenizer."""

from __future__ import annotations

import json
from typing import Any

import weir
from weir._arguments import expect
from weir._schemas import to_schema_text
from weir.compat._checks import from_json
from weir.compat.xgrammar._refusals import refuse, refuse_options
from weir.compat.xgrammar._serialization import dump, grammar_form, load, read_grammar
from weir.compat.xgrammar.exception import InvalidJSONError, InvalidStructuralTagError, runtime_errors
from weir.compat.xgrammar.structural_tag import StructuralTag, StructuralTagItem

__all__ = ["Grammar", "StructuralTagItem", "schema_text_and_options"]

_MOST_BLANKS = 2**32 - 1


def schema_text_and_options(schema: Any, *, any_whitespace: bool = True, indent: int | None = None,
                            separators: tuple[str, str] | None = None, strict_mode: bool = True,
                            max_whitespace_cnt: int | None = None, any_order: bool = False,
                            **debugging: Any) -> tuple[str, dict[str, Any]]:
    """Returns the schema's text and the weir options that correspond to xgrammar's options."""
    refuse_options(print_converted_ebnf=(debugging.pop("print_converted_ebnf", False), False))
    if debugging:
        raise TypeError(f"there is no option `{next(iter(debugging))}`")
    text = to_schema_text(schema)
    if strict_mode:
        text = weir.strict_json_schema(text)
    options: dict[str, Any] = {"order": "any" if any_order else "declared"}
    if any_whitespace and max_whitespace_cnt is None:
        options["whitespace"] = "unbounded"
    elif any_whitespace:
        expect(max_whitespace_cnt, "max_whitespace_cnt", int)
        if max_whitespace_cnt is None or not 0 < max_whitespace_cnt <= _MOST_BLANKS:
            raise ValueError("`max_whitespace_cnt` must be a positive integer")
        options |= {"whitespace": "bounded", "whitespace_limit": max_whitespace_cnt}
    elif indent is not None:
        if separators not in (None, (",", ": ")):
            raise refuse(f"`separators={separators!r}` with `indent`")
        options |= {"whitespace": "indented", "indent": indent}
    elif separators in (None, (", ", ": ")):
        options["whitespace"] = "compact"
    elif separators == (",", ":"):
        options["whitespace"] = "none"
    else:
        raise refuse(f"`separators={separators!r}`")
    return text, options


def _structural_tag_text(arguments: tuple[Any, ...], options: dict[str, Any]) -> str:
    """Returns the JSON text of a tag, for all forms of arguments of from_structural_tag."""
    unknown = options.keys() - ({"structural_tag"} if "structural_tag" in options else {"tags", "triggers"})
    if unknown or (arguments and options):
        name = next(iter(unknown or options))
        raise TypeError(f"from_structural_tag() has no argument `{name}`" if unknown else
                        f"from_structural_tag() has got arguments beside `{name}`")
    if len(arguments) == 2 and all(isinstance(argument, list) for argument in arguments):
        return StructuralTag.from_legacy_structural_tag(*arguments).model_dump_json()
    if len(arguments) == 0 and {"tags", "triggers"} <= options.keys():
        return StructuralTag.from_legacy_structural_tag(options["tags"], options["triggers"]).model_dump_json()
    tag: Any = arguments[0] if len(arguments) == 1 else options.get("structural_tag") if not arguments else None
    if isinstance(tag, dict):
        return json.dumps(tag, ensure_ascii=False)
    if hasattr(tag, "model_dump_json"):
        return str(tag.model_dump_json())
    if not isinstance(tag, str):
        raise TypeError("Invalid arguments for from_structural_tag")
    return tag


def _with_closed_schemas(format: Any) -> Any:
    if isinstance(format, list):
        return [_with_closed_schemas(part) for part in format]
    if not isinstance(format, dict):
        return format
    if "json_schema" in format:
        schema = format["json_schema"]
        text = schema if isinstance(schema, str) else json.dumps(schema)  # a schema may be given as its text
        return {**format, "json_schema": from_json(weir.strict_json_schema(text))}
    return {name: _with_closed_schemas(part) for name, part in format.items()}


class Grammar:
    """A weir.Grammar, `grammar`, with xgrammar's names. Its functions raise GrammarError, a RuntimeError."""

    def __init__(self, grammar: weir.Grammar, *, tag: Any = None, lark: str | None = None) -> None:
        self.grammar = grammar
        self.lark = lark  #: Its text, where it was read from Lark.
        self._tag = tag  # the structural tag that it was read from, or None

    def __str__(self) -> str:
        """Returns the grammar's text in xgrammar's EBNF; a comment that says why if it cannot be written there."""
        try:
            return self.grammar.convert("xgrammar")
        except weir.GrammarError as error:
            return f"# This grammar cannot be written in XGrammar's EBNF: {error.message}\n"

    def compile_with(self, compiler: weir.GrammarCompiler) -> weir.CompiledGrammar:
        """Compiles the grammar. A structural tag is read again, because it depends on the tokenizer's special
        tokens."""
        if self._tag is None:
            return compiler.compile(self.grammar)
        return compiler.compile_structural_tag(self._tag, order="declared", whitespace="unbounded")

    @staticmethod
    def from_ebnf(ebnf_string: str, *, root_rule_name: str = "root") -> Grammar:
        with runtime_errors():
            return Grammar(weir.Grammar.from_text(ebnf_string, syntax="xgrammar", start=root_rule_name))

    @staticmethod
    def from_json_schema(schema: Any, **options: Any) -> Grammar:
        """schema: JSON text, a dict, a pydantic model. Options and their defaults are xgrammar's: any_whitespace=True,
        indent=None, separators=None, strict_mode=True, max_whitespace_cnt=None, any_order=False."""
        with runtime_errors():
            text, given = schema_text_and_options(schema, **options)
            return Grammar(weir.Grammar.from_json_schema(text, **given))

    @staticmethod
    def from_regex(regex_string: str, *, print_converted_ebnf: bool = False) -> Grammar:
        refuse_options(print_converted_ebnf=(print_converted_ebnf, False))
        with runtime_errors():
            return Grammar(weir.Grammar.from_regex(regex_string, dialect="ecma262", dot_all=True))

    @staticmethod
    def builtin_json_grammar() -> Grammar:
        """Makes a grammar of JSON objects and arrays, with any white space inside."""
        return Grammar(weir.Grammar.from_json_schema({"type": ["object", "array"]}, whitespace="unbounded"))

    @staticmethod
    def from_lark(lark_string: str, *, tokenizer_info: Any = None,
                  named_grammars: dict[str, Grammar | str] | None = None) -> Grammar:
        """Reads a Lark grammar.

        tokenizer_info: ignored; special tokens are looked up by the compiler.
        named_grammars: the grammars that `@name` refers to; they must be in Lark.
        """
        named: dict[str, str] = {}
        for name, value in (named_grammars or {}).items():
            text = value.lark if isinstance(value, Grammar) else value
            if text is None:
                raise refuse(f"`named_grammars[{name!r}]`, a grammar that was not read from Lark,")
            named[name] = text
        with runtime_errors():
            # xgrammar has no lexer: any split of a text into terminals is accepted.
            read = weir.Grammar.from_text(lark_string, syntax="lark", exact_splits=True, grammars=named,
                                          json_schema={"order": "declared", "whitespace": "unbounded"})
        return Grammar(read, lark=None if named else lark_string)

    @staticmethod
    def from_structural_tag(*arguments: Any, **options: Any) -> Grammar:
        """from_structural_tag(structural_tag), a StructuralTag, JSON text or a dict, or (tags, triggers). Schemas in it
        are closed, as in strict mode."""
        try:
            tag = from_json(_structural_tag_text(arguments, options))
        except ValueError as error:
            raise InvalidJSONError(str(error)) from None
        except RecursionError:
            raise InvalidStructuralTagError("the structural tag is nested too deeply") from None
        try:
            tag = _with_closed_schemas(tag)
            read = weir.Grammar.from_structural_tag(tag, order="declared", whitespace="unbounded")
        except weir.GrammarError as error:
            raise InvalidStructuralTagError(str(error)) from None
        except RecursionError:
            raise InvalidStructuralTagError("the structural tag is nested too deeply") from None
        return Grammar(read, tag=tag)

    @staticmethod
    def concat(*grammars: Grammar) -> Grammar:
        with runtime_errors():
            return Grammar(weir.Grammar.concat(*[grammar.grammar for grammar in grammars]))

    @staticmethod
    def union(*grammars: Grammar) -> Grammar:
        with runtime_errors():
            return Grammar(weir.Grammar.any_of(*[grammar.grammar for grammar in grammars]))

    def serialize_json(self) -> str:
        """Returns a JSON form of the grammar for this version of weir."""
        return dump("grammar", {"grammar": grammar_form(self.grammar), "tag": self._tag, "lark": self.lark})

    @staticmethod
    def deserialize_json(json_string: str) -> Grammar:
        """Raises InvalidJSONError, DeserializeVersionError, DeserializeFormatError."""
        form = load("grammar", json_string)
        return Grammar(read_grammar(form.get("grammar")), tag=form.get("tag"), lark=form.get("lark"))
