"""Dates: what people write becomes a date that exists, or one that can be booked.

Two grammars: any date of RFC 3339, in which 29 February exists only in leap years; and the free days of a calendar, which
only this moment knows.
"""

from __future__ import annotations

import datetime

import weir
from decoding import generate
from models import EchoModel

# What people write, and what the stand-in would write first and second without a grammar.
PHRASES = {
    "the last day of February 2028": ("2028-02-30", "2028-02-29"),
    "third of March, 2027": ("03/03/2027", "2027-03-03"),
    "Christmas Eve 2026": ("2026-12-24",),
}
BOOKINGS = {"tomorrow": ("2026-11-24", "2026-11-25"), "next Friday": ("2026-11-27",)}
TODAY = datetime.date(2026, 11, 23)  # a Monday; a program of yours calls datetime.date.today()


def free_days(today: datetime.date, days: int, booked: set[datetime.date]) -> list[datetime.date]:
    """Returns the working days of the next `days` days that are not booked."""
    coming = (today + datetime.timedelta(days=number) for number in range(1, days + 1))
    return [day for day in coming if day.weekday() < 5 and day not in booked]


class DateParser:
    """Writes dates. One object serves many phrases, from one thread."""

    def __init__(self, model: EchoModel) -> None:
        self._model = model
        self._compiler = weir.GrammarCompiler(model.tokenizer_info)
        # A date of the years 1900 to 2099, without the quotes of a JSON string. For dates within JSON there is the format
        # `date` of JSON Schema, which has the lengths of months and all years.
        self._any_date = self._compiler.compile_regex(
            r"(?:19|20)\d{2}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)"
            r"|02-(?:0[1-9]|1\d|2[0-8]))|(?:(?:19|20)(?:0[48]|[2468][048]|[13579][26])|2000)-02-29")

    def date(self, phrase: str) -> datetime.date:
        """Returns the date that the phrase names, as far as the model knows."""
        return self._written(phrase, self._any_date)

    def booking(self, phrase: str, free: list[datetime.date]) -> datetime.date:
        """Returns one of the free days. Raises ValueError: there is none."""
        if not free:
            raise ValueError("no day is free")
        # The compiler remembers grammars; that of a calendar that has not changed costs a lookup.
        return self._written(phrase, self._compiler.compile_choice([day.isoformat() for day in free]))

    def _written(self, phrase: str, compiled: weir.CompiledGrammar) -> datetime.date:
        text = generate(self._model, compiled, self._model.prompt(f"{phrase} => "), max_tokens=20)
        return datetime.date.fromisoformat(text)  # cannot fail


def main() -> None:
    thoughts = [(phrase, dates) for phrase, dates in (PHRASES | BOOKINGS).items()]
    model = EchoModel([f"{phrase} => {dates[rank]}" for rank in (0, 1) for phrase, dates in thoughts if rank < len(dates)])
    parser = DateParser(model)
    for phrase, (alone, *_) in PHRASES.items():
        print(f"{phrase:30} alone {alone:10}  with weir {parser.date(phrase)}")
    free = free_days(TODAY, 14, booked={datetime.date(2026, 11, 24)})
    for phrase in BOOKINGS:
        print(f"{phrase:30} booked for {parser.booking(phrase, free):%A, %d %B}")


if __name__ == "__main__":
    main()
