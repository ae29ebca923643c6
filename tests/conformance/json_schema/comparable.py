"""Texts that mean the same to weir and to validators that read them into Python values."""

import decimal
import json

DIGITS = 15  # A double tells numbers of so many apart.


class NotComparable(ValueError):
    """A text that means something else to a validator than to weir."""


def read(text):
    """The value of a text, unless an object names a member twice or a number is not one that a double tells apart."""

    def members(pairs):
        if len({name for name, _ in pairs}) < len(pairs):
            raise NotComparable(text)
        return dict(pairs)

    def number(spelled, convert):
        if len(spelled) > DIGITS or abs(decimal.Decimal(spelled).adjusted()) > DIGITS:
            raise NotComparable(text)
        return convert(spelled)

    return json.loads(text, object_pairs_hook=members, parse_float=lambda spelled: number(spelled, float),
                      parse_int=lambda spelled: number(spelled, int))
