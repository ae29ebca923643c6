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
    """Never raised: there is no JSON form of what weir makes."""


class DeserializeVersionError(RuntimeError):
    """Never raised, as above."""


class InvalidJSONError(RuntimeError):
    """A structural tag that is no JSON."""


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
