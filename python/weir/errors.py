"""What weir raises beside ValueError, TypeError and IndexError.

Building something from text raises GrammarError or TokenizerError; a matcher's steps raise TerminatedError or
LimitExceededError, and a step that raises has changed nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weir._weir import DiagnosticNote, Fix

__all__ = ["GrammarError", "LimitExceededError", "TerminatedError", "TokenizerError"]


class GrammarError(ValueError):
    """A grammar, pattern or schema that cannot be used. str() shows the line, with a caret under the place.

    code: "invalid_argument", "syntax", "unsupported", "unsatisfiable", "limit_exceeded" or "internal".
    message: what is wrong, one sentence.
    start, end: the place, as indices of `text`: text[start:end].
    text: what was being read; of a schema given as a dict, its JSON.
    hint: a likely fix, or "".
    limit: with "limit_exceeded", the field of Limits; otherwise "".
    pointer: with a JSON Schema, the JSON Pointer of the place; "" is the whole schema.
    notes: other places that have to do with it, such as keywords that contradict each other.
    fix: where the hint can be carried out as it stands, else None.
    """

    def __init__(self, picture: str, *, code: str = "internal", message: str = "", start: int = 0, end: int = 0,
                 text: str = "", hint: str = "", limit: str = "", pointer: str = "",
                 notes: list[DiagnosticNote] | None = None, fix: Fix | None = None) -> None:
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

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args, self.__dict__  # pickled by its picture, then its attributes


class TokenizerError(ValueError):
    """A tokenizer that weir cannot use, or a text that it cannot cut. `code` as in GrammarError."""

    def __init__(self, message: str, *, code: str = "internal") -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args, self.__dict__


class TerminatedError(RuntimeError):
    """The output has ended with a stop token; only rollback and reset are possible."""


class LimitExceededError(RuntimeError):
    """A step met a limit, which the message names; Limits has them."""
