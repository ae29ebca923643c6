"""Matchers that follow the rows of a batch by their tokens alone.

Decoding loops that hand over whole sequences do not say where a row came from: beam search copies and re-orders rows,
assisted generation tries tokens and takes them back. So each row is looked for among the rows of the call before, by the
tokens that they have in common: the matcher that has most of them goes back over the rest and on. Rows that come from
one get forks of its matcher, and equal rows share one.
"""

from __future__ import annotations

from collections.abc import Sequence

from weir._weir import CompiledGrammar, GrammarMatcher

__all__ = ["Cursor", "RowFollower"]


class Cursor:
    """A matcher, the tokens that it has accepted, and whether the row has a token behind them that it refused."""

    __slots__ = ("is_refused", "matcher", "tokens")

    def __init__(self, matcher: GrammarMatcher, tokens: list[int]) -> None:
        self.matcher = matcher
        self.tokens = tokens
        self.is_refused = False

    @property
    def is_over(self) -> bool:
        """Whether no token may follow: behind a stop token, and behind what was refused."""
        return self.is_refused or self.matcher.is_terminated()

    def fork(self) -> Cursor:
        return Cursor(self.matcher.fork(), self.tokens.copy())

    def in_common(self, tokens: Sequence[int]) -> int:
        """How many tokens the row begins with as this one does."""
        low, high = 0, min(len(self.tokens), len(tokens))
        if self.tokens[:high] == tokens[:high]:
            return high
        while low + 1 < high:  # the first `low` are equal, the first `high` are not
            middle = (low + high) // 2
            if self.tokens[low:middle] == tokens[low:middle]:
                low = middle
            else:
                high = middle
        return low

    def move_to(self, tokens: Sequence[int]) -> None:
        """Goes back to what the row has in common with this one, and on as far as the grammar lets it."""
        kept = self.in_common(tokens)
        if kept < len(self.tokens):
            self.matcher.rollback(len(self.tokens) - kept)
            del self.tokens[kept:]
        self.is_refused = False
        self.extend(tokens[kept:])

    def extend(self, tokens: Sequence[int]) -> None:
        """Goes on; what stands behind a stop token is padding."""
        for token in tokens:
            if self.is_over:
                return
            if self._accepts(token):
                self.tokens.append(token)
            else:
                self.is_refused = True

    def _accepts(self, token: int) -> bool:
        try:
            return self.matcher.accept_token(token)
        except IndexError:  # logits may be wider than the vocabulary
            return False


class RowFollower:
    """The cursors of all rows; `grammars` has one for each prompt, None where its rows are free."""

    def __init__(self, grammars: Sequence[CompiledGrammar | None], *, at_text_start: bool = True) -> None:
        self._grammars = list(grammars)
        self._at_text_start = at_text_start
        self._rows: list[Cursor | None] = []
        self._known: list[list[Cursor]] = []
        self.reset()

    def reset(self) -> None:
        """Forgets all rows."""
        self._rows = []
        self._known = [
            [] if grammar is None else [Cursor(GrammarMatcher(grammar, at_text_start=self._at_text_start), [])]
            for grammar in self._grammars
        ]

    def are_apart(self) -> bool:
        """Whether each row has a cursor of its own."""
        cursors = [cursor for cursor in self._rows if cursor is not None]
        return len({id(cursor) for cursor in cursors}) == len(cursors)

    def extend(self, tails: Sequence[Sequence[int]]) -> list[Cursor | None]:
        """The rows of the call before, which are apart, each with further tokens."""
        for cursor, tail in zip(self._rows, tails):
            if cursor is not None:
                cursor.extend(tail)
        return self._rows

    def follow(self, rows: Sequence[list[int]]) -> list[Cursor | None]:
        """Any rows, as many for each grammar; those of one grammar stand together. Returns the cursor of each."""
        per_grammar = len(rows) // len(self._grammars)
        found: list[Cursor | None] = []
        for index, grammar in enumerate(self._grammars):
            mine = rows[index * per_grammar:(index + 1) * per_grammar]
            if grammar is None:
                found += [None] * len(mine)
                continue
            cursors = _follow(self._known[index], mine)
            self._known[index] = list({id(cursor): cursor for cursor in cursors}.values())
            found += cursors
        self._rows = found
        return found


def _follow(known: list[Cursor], rows: Sequence[list[int]]) -> list[Cursor]:
    by_tokens = {tuple(cursor.tokens): cursor for cursor in known}
    # Which rows come from which cursor: equal rows once.
    heirs: dict[int, tuple[Cursor, dict[tuple[int, ...], None]]] = {}
    keys = [tuple(row) for row in rows]
    for key, row in dict(zip(keys, rows)).items():
        source = by_tokens.get(key) or by_tokens.get(key[:-1])
        if source is None:
            source = max(known, key=lambda cursor: cursor.in_common(row))
        heirs.setdefault(id(source), (source, {}))[1][key] = None
    moved: dict[tuple[int, ...], Cursor] = {}
    for source, targets in heirs.values():
        cursors = [source, *(source.fork() for _ in range(len(targets) - 1))]
        for key, cursor in zip(targets, cursors):
            cursor.move_to(list(key))
            moved[key] = cursor
    return [moved[key] for key in keys]
