"""What the backends for serving engines share: how a request is read, and how a refusal is told to its sender."""

from __future__ import annotations

import copy
import json
import os
import threading
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from weir import _background
from weir._adapters import server_tokenizer
from weir._weir import (
    CompiledGrammar,
    Grammar,
    GrammarCompiler,
    GrammarMatcher,
    Limits,
    TokenizerInfo,
    strict_json_schema,
)
from weir.bitmask import bitmask_words
from weir.errors import GrammarError, LimitExceededError, TokenizerError
from weir.integrations._rows import NO_TOKEN

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["NO_TOKEN", "BudgetedMatcher", "CompilerOrError", "RequestCompiler", "batch_threads", "empty_rows",
           "front_end_compiler", "is_large", "names_tokens", "read", "refusal", "server_limits", "server_warm_up"]

_FEW_ROWS = 32
_MOST_THREADS = 8

RequestKind = Literal["json", "json_object", "any_json", "regex", "choice", "ebnf", "lark", "structural_tag"]


def names_tokens(kind: RequestKind) -> bool:
    """Returns True if requests of this kind may name tokens, so that compiling one depends on the tokenizer."""
    return kind in ("ebnf", "lark", "structural_tag")


def server_limits() -> Limits:
    """Returns the limits of a server: a request is a text from a stranger.

    They bound the text (4 MiB), its nesting (500) and the work of reading it, so that no request compiles for much
    longer than a second. WEIR_CACHE_MB is the memory of all compiled grammars and their states, 512 by default.
    Raises ValueError: WEIR_CACHE_MB is no number.
    """
    given = os.environ.get("WEIR_CACHE_MB", "512")
    if not given.isdecimal():
        raise ValueError(f"WEIR_CACHE_MB is {given!r}; it is a number of MiB")
    return Limits(text_bytes=4 << 20, nesting=500, schema_steps=500_000, grammar_symbols=1_000_000,
                  regex_nodes=2_000_000, cache_memory=int(given) << 20)


def server_warm_up() -> int:
    """Returns the work of a warm-up for each grammar, in steps as Limits.call_work counts them.

    WEIR_WARM_UP sets it; 0: none. The default, 60,000, takes some milliseconds of one processor, once for a grammar,
    which is less than a model needs to read a prompt. Raises ValueError: WEIR_WARM_UP is no number.
    """
    given = os.environ.get("WEIR_WARM_UP", "60000")
    if not given.isdecimal():
        raise ValueError(f"WEIR_WARM_UP is {given!r}; it is a number of steps")
    return int(given)


def read(kind: RequestKind, spec: str, options: dict[str, Any]) -> Grammar:
    """Reads a request without a tokenizer, for checks. Names of special tokens are not looked up. Raises as compile."""
    if kind in ("ebnf", "lark"):
        return Grammar.from_text(spec, **_text_options(kind, options), limits=server_limits())
    method, argument, given = _call(kind, spec, options)
    grammar: Grammar = getattr(Grammar, f"from_{method}")(argument, **given, limits=server_limits())
    return grammar


def _schema_options(options: dict[str, Any]) -> dict[str, Any]:
    """Returns weir's options for schemas."""
    made = {"profile": "serving", **{name: value for name, value in options.items() if name != "closed"}}
    if "whitespace_pattern" in options:
        made["whitespace"] = "pattern"
    return made


def _text_options(kind: RequestKind, options: dict[str, Any]) -> dict[str, Any]:
    """Returns weir's options for a grammar with rules. Only Lark has schemas in it."""
    if kind == "ebnf":
        return {"syntax": "xgrammar"}
    return {"syntax": "lark", "json_schema": _schema_options(options)}


def _call(kind: RequestKind, spec: str, options: dict[str, Any]) -> tuple[str, Any, dict[str, Any]]:
    """Returns the name of weir's method for a kind of request, its argument and its options.

    options: `whitespace`, `whitespace_pattern`, `whitespace_limit`, `closed`, as RequestCompiler has them.
    """
    if kind == "regex":
        return "regex", spec, {"dialect": "ecma262", "dot_all": True}
    if kind == "choice":
        return "choice", _choices(spec), {}
    schema_options = _schema_options(options)
    if kind == "structural_tag":
        return "structural_tag", spec, schema_options
    if kind == "json":
        text = strict_json_schema(spec, limits=server_limits()) if options.get("closed") else spec
        return "json_schema", text, schema_options
    return "json_schema", '{"type": "object"}' if kind == "json_object" else "true", schema_options


class RequestCompiler:
    """Compiles requests for one tokenizer with the settings of a server.

    tokenizer: a tokenizer object, as TokenizerInfo.from_huggingface and from_mistral take it.
    vocab_size: the width of the model's logits, which may be more or less than the tokenizer has tokens.
    stop_token_ids: the model's stop tokens; None: those that the tokenizer declares.
    options: `whitespace`, `whitespace_pattern` and `whitespace_limit` as for compile_json_schema, by default those of
        the profile "serving"; `closed`: True for objects without members, and arrays without items, that the schema
        does not list.
    Raises TypeError, TokenizerError: weir cannot use the tokenizer.
    Safe to use from several threads.
    """

    def __init__(self, tokenizer: Any, vocab_size: int, *, stop_token_ids: Sequence[int] | None = None,
                 **options: Any) -> None:
        self._set(server_tokenizer(tokenizer, vocab_size, stop_token_ids=stop_token_ids), options)

    @staticmethod
    def of(info: TokenizerInfo, **options: Any) -> RequestCompiler:
        """Makes a compiler for a weir.TokenizerInfo; the options are those of the constructor."""
        made = RequestCompiler.__new__(RequestCompiler)
        made._set(info, options)
        return made

    def with_tokenizer(self, info: TokenizerInfo) -> RequestCompiler:
        """Returns a compiler with the same settings for another tokenizer."""
        return RequestCompiler.of(info, **self._options)

    def _set(self, info: TokenizerInfo, options: dict[str, Any]) -> None:
        self.info = info
        self.compiler = GrammarCompiler(info, limits=server_limits())
        self._options = options
        self._warm_up = server_warm_up()

    def warm_up(self, compiled: CompiledGrammar) -> None:
        """Explores likely states of an output's grammar in the background, while the model reads the prompt."""
        if self._warm_up > 0:
            _background.warm_up(compiled, self._warm_up)

    def compile(self, kind: RequestKind, spec: str, **options: Any) -> CompiledGrammar:
        """Compiles a request; `spec` is its text, for choices the JSON array of the strings.

        options: as in the constructor, for this request.
        Raises GrammarError: its text can be told to the request's sender (refusal). ValueError: choices that are no
        JSON array of strings.
        """
        if kind in ("ebnf", "lark"):
            return self.compiler.compile_grammar(spec, **_text_options(kind, {**self._options, **options}))
        method, argument, given = _call(kind, spec, {**self._options, **options})
        compiled: CompiledGrammar = getattr(self.compiler, f"compile_{method}")(argument, **given)
        return compiled


class CompilerOrError:
    """A RequestCompiler, or the error with which weir refuses the tokenizer. A refused tokenizer is thus not read again
    for each request. The arguments are those of RequestCompiler.
    """

    def __init__(self, tokenizer: Any, vocab_size: int, **options: Any) -> None:
        self._made: RequestCompiler | TypeError | TokenizerError
        try:
            self._made = RequestCompiler(tokenizer, vocab_size, **options)
        except (TypeError, TokenizerError) as error:
            self._made = copy.copy(error)  # without the traceback, which would keep the tokenizer alive

    def get(self) -> RequestCompiler:
        """Returns the compiler. Raises TypeError, TokenizerError: weir cannot use the tokenizer."""
        if isinstance(self._made, RequestCompiler):
            return self._made
        raise copy.copy(self._made)

    def clear_cache(self) -> None:
        """Frees the compiled grammars, if there is a compiler."""
        if isinstance(self._made, RequestCompiler):
            self._made.compiler.clear_cache()


class BudgetedMatcher:
    """The matcher of a request, `matcher`, which may have a budget of tokens, and a spare one without a budget.

    A budget does not know that keys must differ: after `{"": 1, "` it counts on `": 0}`, which would repeat the key
    `""` and is refused. Where a mask is empty for that reason, give_up() replaces the matcher by the spare one. The
    output may then be cut, as without a budget.

    max_tokens: the most tokens of the output, a stop token included; None: there is no budget. options: those of
    GrammarMatcher. Raises as GrammarMatcher does.
    """

    def __init__(self, compiled: CompiledGrammar, max_tokens: int | None, **options: Any) -> None:
        self._spare: GrammarMatcher | None = None
        self._counting: GrammarMatcher | None = None
        self._words = bitmask_words(compiled.tokenizer_info.vocab_size)
        if max_tokens is None:
            self.matcher = GrammarMatcher(compiled, **options)
            return
        self.matcher = self._counting = GrammarMatcher(compiled, max_tokens=max(max_tokens - 1, 0), **options)
        self._spare = GrammarMatcher(compiled, **options)

    def accept_token(self, token: int) -> bool:
        """Returns False if the token is refused. Raises as GrammarMatcher.accept_token; neither matcher then has it."""
        taken: bool = self.matcher.accept_token(token)
        if taken and self._spare is not None:
            try:
                self._spare.accept_token(token)
            except LimitExceededError:
                self.matcher.rollback(1)
                raise
        return taken

    def rollback(self, count: int) -> None:
        self.matcher.rollback(count)
        if self._spare is not None:
            self._spare.rollback(count)

    def reset(self) -> None:
        """Returns to the beginning, and to the budget."""
        if self._counting is not None and self._spare is None:
            self.matcher, self._spare = self._counting, self.matcher
        self.matcher.reset()
        if self._spare is not None:
            self._spare.reset()

    def give_up(self) -> bool:
        """Replaces the matcher by the one without a budget. Call it where the budget leaves no token.

        Returns False if there is no budget: then the tokenizer has no token that can come next (NO_TOKEN).
        """
        if self._spare is None:
            return False
        self.matcher, self._spare = self._spare, None
        return True

    def has_token(self) -> bool:
        """Returns True if a token may come next. Raises LimitExceededError."""
        mask = np.empty((1, self._words), np.int32)
        self.matcher.fill_next_token_bitmask(mask)
        return bool(mask.any())


def empty_rows(rows: npt.NDArray[np.int32]) -> list[int]:
    """Returns the numbers of the masks that allow no token. Most allow one of the first 2,048, which is found fast."""
    return [int(row) for row in np.flatnonzero(~rows[:, :64].any(axis=1)) if not rows[row].any()]


def _choices(spec: str) -> list[str]:
    try:
        choices = json.loads(spec)
    except RecursionError:
        choices = None
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise ValueError("the choices must be a JSON array of strings")
    return choices


def refusal(error: Exception, kind: str) -> str:
    """Returns the text that a server sends back for a refused request: the message, the place, the hint."""
    if not isinstance(error, GrammarError):
        return f"weir refuses this {kind}: {error}"
    if kind in ("json", "structural_tag"):
        place = f" (at #{error.pointer})"
    else:
        before = error.text[:error.start]
        place = f" (line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))})"
    limit = f"; the limit is {error.limit}" if error.limit and error.limit not in error.message else ""
    hint = f"; hint: {error.hint}" if error.hint else ""
    return f"weir refuses this {kind}: {error.message}{place}{limit}{hint}"


def batch_threads() -> int:
    """Returns the number of threads that fill a large batch: half of the processors, at most 8."""
    return max(1, min((os.cpu_count() or 1) // 2, _MOST_THREADS))


def is_large(rows: int) -> bool:
    """Returns True if more threads than one fill so many rows faster."""
    return rows > _FEW_ROWS


_front_end: weakref.WeakKeyDictionary[Any, tuple[Any, CompilerOrError]] = weakref.WeakKeyDictionary()
_over_bytes: dict[Any, RequestCompiler] = {}  # by options
_front_end_lock = threading.Lock()


def front_end_compiler(tokenizer: Any, vocab_size: int, *, needs_tokens: bool, **options: Any) -> RequestCompiler:
    """Returns the compiler with which a front end checks requests, one for each tokenizer object and set of options.

    needs_tokens: False for a request whose check does not depend on the tokenizer (names_tokens). The compiler then has
        the 256 bytes as its tokens, and no stop tokens.
    Raises TypeError, TokenizerError: weir cannot use the tokenizer.
    Cost: the first call for a tokenizer with needs_tokens reads its vocabulary, some 300 ms for 100,000 tokens.
    """
    chosen = tuple(sorted(options.items()))
    with _front_end_lock:
        if not needs_tokens:
            if chosen not in _over_bytes:
                over_bytes = TokenizerInfo([bytes([byte]) for byte in range(256)])
                _over_bytes[chosen] = RequestCompiler.of(over_bytes, **options)
            return _over_bytes[chosen]
        key = (vocab_size, chosen)
        known = _front_end.get(tokenizer)
        if known is None or known[0] != key:
            known = (key, CompilerOrError(tokenizer, vocab_size, **options))
            _front_end[tokenizer] = known
        return known[1].get()
