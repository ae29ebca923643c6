"""Texts of bytes that may begin or end inside a character."""

from __future__ import annotations

__all__ = ["whole_characters"]


def whole_characters(data: bytes) -> str:
    """Returns the text up to the first byte that does not belong to a whole character; "" if that is the first byte.

    A character left out in the middle would make it another text, so nothing after that byte counts.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        return data[:error.start].decode()
