"""Errors as those expect them who catch xgrammar's: RuntimeError."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import weir

__all__ = ["DeserializeFormatError", "DeserializeVersionError", "GrammarError", "InvalidJSONError",
           "InvalidStructuralTagError", "runtime_errors"]


class GrammarError(weir.GrammarError, RuntimeError):
    """weir.GrammarError, which is also a RuntimeError."""


class DeserializeFormatError(RuntimeError):
    """A JSON form of something else, or for another tokenizer."""


class DeserializeVersionError(RuntimeError):
    """A JSON form that another version has written, or xgrammar."""


class InvalidJSONError(RuntimeError):
    """A structural tag or a JSON form that is no JSON."""


class InvalidStructuralTagError(RuntimeError):
    """A structural tag that is none."""


@contextlib.contextmanager
def runtime_errors() -> Iterator[None]:
    """Raises weir.GrammarError as GrammarError, and a step that cannot be taken as RuntimeError."""
    try:
        yield
    except weir.GrammarError as error:
        again = GrammarError(*error.args)
        again.__dict__.update(error.__dict__)
        raise again from None
    except (TypeError, ValueError, IndexError) as error:
        raise RuntimeError(str(error)) from error
