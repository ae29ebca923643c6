"""Exceptions of xgrammar's interface: subclasses of RuntimeError, as in xgrammar."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import weir

__all__ = ["DeserializeFormatError", "DeserializeVersionError", "GrammarError", "InvalidJSONError",
           "InvalidStructuralTagError", "runtime_errors"]


class GrammarError(weir.GrammarError, RuntimeError):
    """weir.GrammarError, which is also a RuntimeError."""


class DeserializeFormatError(RuntimeError):
    """A JSON form of another kind, or for another tokenizer."""


class DeserializeVersionError(RuntimeError):
    """A JSON form that another version of weir, or xgrammar, has written."""


class InvalidJSONError(RuntimeError):
    """A structural tag or a JSON form that is not JSON."""


class InvalidStructuralTagError(RuntimeError):
    """JSON that is not a structural tag."""


@contextlib.contextmanager
def runtime_errors() -> Iterator[None]:
    """A context manager that raises weir.GrammarError as GrammarError, and errors of a matcher's steps as
    RuntimeError."""
    try:
        yield
    except weir.GrammarError as error:
        again = GrammarError(*error.args)
        again.__dict__.update(error.__dict__)
        raise again from None
    except (TypeError, ValueError, IndexError) as error:
        raise RuntimeError(str(error)) from error
