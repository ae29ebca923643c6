"""Matchers that follow the rows of a batch, given only the rows' tokens.

Decoding loops that pass whole sequences do not say from which earlier row a row was made: beam search copies and
reorders rows, assisted generation tries tokens and removes them again. So for each row the matcher with the longest
common prefix of tokens is searched among those of the previous call; it is rolled back to that prefix and accepts the
other tokens. If several rows come from one matcher, the others get forks of it; equal rows share a matcher.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from typing import Literal

from weir._weir import CompiledGrammar, GrammarMatcher

__all__ = ["NO_LOGIT", "NO_TOKEN", "Cursor", "RowFollower", "Tokenization"]

NO_TOKEN = "no token can come next: the tokenizer has none for a character that the grammar needs here"
NO_LOGIT = "no token can come next: the model has no logit for any that the grammar allows here"

Tokenization = Literal["any", "canonical"]


class Cursor:
    """A matcher, the tokens that it has accepted, and whether the row's next token was refused."""

    __slots__ = ("is_refused", "matcher", "tokens")

    def __init__(self, matcher: GrammarMatcher, tokens: list[int]) -> None:
        self.matcher = matcher
        self.tokens = tokens
        self.is_refused = False

    @property
    def is_over(self) -> bool:
        """True if no token may follow: after a stop token, and after a refused token."""
        return self.is_refused or self.matcher.is_terminated()

    def fork(self) -> Cursor:
        return Cursor(self.matcher.fork(), self.tokens.copy())

    def note_empty_mask(self, row: int, *, has_stop_tokens: bool, why: str = NO_TOKEN) -> None:
        """Tells of a dead end. Call it for a row whose mask allows no token; `row` is its number, for the message.

        A row that is over, or whose text is complete, is no dead end: nothing may follow there. With stop tokens the
        output can end at a dead end, which gives a warning (RuntimeWarning). Raises ValueError: it cannot end.
        """
        if self.is_over or (self.matcher.is_completed() and (self.tokens or has_stop_tokens)):
            return
        if self.matcher.is_completed():
            why = "the only text is the empty one, and there is no stop token"
        message = f"row {row}, after {self.matcher.text()[-40:]!r}: {why}"
        if not has_stop_tokens:
            raise ValueError(message)
        warnings.warn(f"{message}; the output ends there, incomplete", RuntimeWarning, stacklevel=4)

    def in_common(self, tokens: Sequence[int]) -> int:
        """Returns the number of first tokens that `tokens` and this cursor have in common."""
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
        """Rolls back to the common prefix with `tokens`, then accepts the others up to the first that is refused."""
        kept = self.in_common(tokens)
        if kept < len(self.tokens):
            self.matcher.rollback(len(self.tokens) - kept)
            del self.tokens[kept:]
        self.is_refused = False
        self.extend(tokens[kept:])

    def extend(self, tokens: Sequence[int]) -> None:
        """Accepts tokens up to the first that is refused. Tokens after a stop token are padding and ignored."""
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


class _Group:
    """Rows that have the same grammar and, with tokenization="canonical", the same prompt.

    matcher: a matcher at the beginning of the output, of which rows get forks; None: the rows have no grammar.
    share: its part of the rows, relative to other groups: the number of its prompts, or 1 before begin() sets them.
    known: the cursors of the previous call.
    """

    __slots__ = ("known", "matcher", "share")

    def __init__(self, matcher: GrammarMatcher | None, share: int) -> None:
        self.matcher = matcher
        self.share = share
        self.known = [] if matcher is None else [Cursor(matcher.fork(), [])]


class RowFollower:
    """The cursors of all rows. `grammars` has one grammar for all prompts, or one for each; None: no grammar.

    With tokenization="canonical" a row's matcher depends on its prompt, which begin() sets before the first call.
    Raises TokenizerError, GrammarError: a tokenizer or a grammar that canonical matchers cannot follow.
    """

    def __init__(self, grammars: Sequence[CompiledGrammar | None], *, at_text_start: bool = True,
                 tokenization: Tokenization = "any") -> None:
        self._grammars = list(grammars)
        self._at_text_start = at_text_start
        self._tokenization: Tokenization = tokenization
        self._rows: list[Cursor | None] = []
        self._groups: list[_Group] = []
        self.reset()

    @property
    def needs_prompts(self) -> bool:
        """True if begin() must be called before the first call."""
        return self._tokenization == "canonical"

    def reset(self) -> None:
        """Forgets all rows and prompts."""
        self._rows = []
        self._groups = [_Group(self._new_matcher(grammar, []), 1) for grammar in self._grammars]

    def begin(self, prompts: Sequence[list[int]]) -> None:
        """Sets the prompts of the rows. Precondition: each grammar has equally many prompts, and they are adjacent.

        Raises ValueError: the tokenizer does not write such a prompt. GrammarError: no text of the grammar may follow
        it.
        """
        self._groups = []
        before: tuple[int, list[int]] | None = None
        for index, prompt in enumerate(prompts):
            number = index * len(self._grammars) // len(prompts)
            if before == (number, prompt):
                self._groups[-1].share += 1
            else:
                self._groups.append(_Group(self._new_matcher(self._grammars[number], prompt), 1))
            before = (number, prompt)

    def fresh(self, index: int, count: int) -> Cursor | None:
        """Returns a new cursor for row `index` of `count` rows, None for a row without a grammar."""
        place = index * sum(group.share for group in self._groups) // count
        for group in self._groups:
            if place < group.share:
                return None if group.matcher is None else Cursor(group.matcher.fork(), [])
            place -= group.share
        raise IndexError("no such row")

    def _new_matcher(self, grammar: CompiledGrammar | None, context: list[int]) -> GrammarMatcher | None:
        if grammar is None:
            return None
        return GrammarMatcher(grammar, at_text_start=self._at_text_start, tokenization=self._tokenization,
                              context=context)

    def are_apart(self) -> bool:
        """Returns True if no two rows share a cursor."""
        cursors = [cursor for cursor in self._rows if cursor is not None]
        return len({id(cursor) for cursor in cursors}) == len(cursors)

    def extend(self, tails: Sequence[Sequence[int]]) -> list[Cursor | None]:
        """Extends each row of the previous call by its tail of tokens. Precondition: are_apart()."""
        for cursor, tail in zip(self._rows, tails):
            if cursor is not None:
                cursor.extend(tail)
        return self._rows

    def follow(self, rows: Sequence[list[int]]) -> list[Cursor | None]:
        """Returns the cursor of each row. Precondition: each prompt has equally many rows, and they are adjacent."""
        copies = len(rows) // sum(group.share for group in self._groups)
        found: list[Cursor | None] = []
        begin = 0
        for group in self._groups:
            mine = rows[begin:begin + group.share * copies]
            begin += len(mine)
            if group.matcher is None:
                found += [None] * len(mine)
                continue
            cursors = _follow(group.known, mine)
            group.known = list({id(cursor): cursor for cursor in cursors}.values())
            found += cursors
        self._rows = found
        return found


def _follow(known: list[Cursor], rows: Sequence[list[int]]) -> list[Cursor]:
    by_tokens = {tuple(cursor.tokens): cursor for cursor in known}
    # By id of a cursor: the cursor, and the distinct rows that it will be moved to (itself or forks of it).
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
