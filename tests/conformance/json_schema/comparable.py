"""Reads texts that mean the same to weir and to validators, which see Python values instead of texts."""

import decimal
import json

DIGITS = 15  # A double distinguishes decimal numbers of up to 15 digits.


class NotComparable(ValueError):
    """The text means something else to a validator than to weir."""


def read(text):
    """Returns the value of a text. Raises NotComparable if a name is repeated or a number may not fit a double."""

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
