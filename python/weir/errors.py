"""The exceptions of weir. It also raises ValueError, TypeError and IndexError.

Building something from text raises GrammarError or TokenizerError. A matcher's steps raise TerminatedError or
LimitExceededError; a step that raises has not changed the matcher.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weir._weir import DiagnosticNote, Fix

__all__ = ["GrammarError", "LimitExceededError", "TerminatedError", "TokenizerError"]


class GrammarError(ValueError):
    """A grammar, pattern or schema that cannot be used. str() shows the line, with a caret under the error.

    code: "invalid_argument", "syntax", "unsupported", "unsatisfiable", "limit_exceeded" or "internal".
    message: what is wrong, in one sentence.
    start, end: the range of the error, text[start:end].
    text: the text that was read; the JSON of a schema that was given as a dict. For an error about a tool, that of the
        tools from which the structural tag was made.
    hint: a likely fix, or "".
    limit: for code "limit_exceeded" the field of Limits, otherwise "".
    options: the options that the error is about, or that message and hint name: ["exact_splits"].
    pointer: for a JSON Schema the JSON Pointer of the error, "" for the whole schema.
    notes: related positions, for example of keywords that contradict each other.
    fix: the change that carries out the hint, or None.
    """

    def __init__(self, picture: str, *, code: str = "internal", message: str = "", start: int = 0, end: int = 0,
                 text: str = "", hint: str = "", limit: str = "", pointer: str = "",
                 notes: list[DiagnosticNote] | None = None, fix: Fix | None = None,
                 options: list[str] | None = None) -> None:
        super().__init__(picture)
        self.code = code
        self.message = message
        self.start = start
        self.end = end
        self.text = text
        self.hint = hint
        self.limit = limit
        self.pointer = pointer
        self.notes = notes or []
        self.fix = fix
        self.options = options or []

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args, self.__dict__  # calls __init__ with the message, then sets the attributes


class TokenizerError(ValueError):
    """A tokenizer that weir cannot use, or a text that has no tokenization. `code` as in GrammarError."""

    def __init__(self, message: str, *, code: str = "internal") -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args, self.__dict__


class TerminatedError(RuntimeError):
    """The output has ended with a stop token; only rollback and reset are possible."""


class LimitExceededError(RuntimeError):
    """A step exceeded a limit. `limit`: the field of Limits, which the message names, too."""

    def __init__(self, message: str, *, limit: str = "") -> None:
        super().__init__(message)
        self.limit = limit

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args, self.__dict__
