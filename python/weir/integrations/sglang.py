"""weir as a grammar backend of SGLang.

    python -m sglang.launch_server --model-path MODEL --grammar-backend weir

SGLang finds `register` by the entry point `sglang.srt.plugins` of an installed weir. docs/sglang.md has the rest.

THREADS. SGLang compiles in the backend's executor and fills masks in the scheduler's thread. A WeirGrammar belongs to
one request.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import torch

import sglang
from sglang.srt.constrained.base_grammar_backend import (
    BaseGrammarBackend,
    BaseGrammarObject,
    GrammarRow,
    GrammarStats,
    InvalidGrammarObject,
)
from weir._weir import BatchGrammarMatcher, CompiledGrammar, GrammarMatcher, TokenizerInfo
from weir._text import whole_characters
from weir.bitmask import apply_token_bitmask_inplace, bitmask_words
from weir.errors import GrammarError, LimitExceededError
from weir.integrations._environment import is_set
from weir.integrations._serving import (
    NO_TOKEN,
    BudgetedMatcher,
    RequestCompiler,
    RequestKind,
    batch_threads,
    empty_rows,
    is_large,
    refusal,
)

__all__ = ["SUPPORTED_VERSIONS", "WeirGrammar", "WeirGrammarBackend", "register"]

SUPPORTED_VERSIONS = ("0.5.23",)
_NAME = "weir"
_BUDGETS = "WEIR_SGLANG_MAX_TOKENS"
_ANY_JSON = "$$ANY$$"  # SGLang's word for any JSON value
_MARK = secrets.token_hex(16)  # begins a str that stands for a number, so that its digits stay what they are

_is_registered = False


@functools.cache
def _batch(threads: int) -> BatchGrammarMatcher:
    return BatchGrammarMatcher(threads)


class WeirGrammar(BaseGrammarObject):
    """The grammar of one request: a weir.GrammarMatcher, `matcher`, with SGLang's names.

    kind, spec: what it was made from.
    has_reasoning: True for a structural tag that writes the end of reasoning itself, where SGLang's parser reads it.
    failure: the message of the limit that the output met, or that the tokenizer has no token that can come next; or
        None. While it is set, fill_vocab_mask allows all tokens. accept_token raises it, and SGLang then ends the
        request; the other requests go on.
    """

    def __init__(self, compiled: CompiledGrammar, kind: RequestKind, spec: str, stats: GrammarStats) -> None:
        super().__init__()
        self._compiled = compiled
        self._budgeted = BudgetedMatcher(compiled, None, at_text_start=False)
        self.kind = kind
        self.spec = spec
        self.grammar_stats = stats
        self.failure: str | None = None
        self.has_reasoning = False
        self._ignored: int | None = None  # within drafts(): the number of tokens that were not accepted

    @property
    def matcher(self) -> GrammarMatcher:
        return self._budgeted.matcher

    def accept_token(self, token: int) -> None:
        """Appends a token; does nothing after the end. Raises ValueError: the grammar refuses it, or a limit was
        met."""
        if self.failure is None and self.matcher.is_terminated():
            return
        self.current_token = token
        try:
            if self.failure is None and not self._ignored and self._budgeted.accept_token(token):
                return
        except (IndexError, LimitExceededError) as error:
            self.failure = str(error)
        if self._ignored is not None:
            self._ignored += 1
            return
        raise ValueError(self.failure or f"token {token} is not allowed after {self.matcher.step_count} tokens")

    def rollback(self, k: int) -> None:
        """Removes the last `k` tokens, and with them a failure that was met after them."""
        ignored = min(k, self._ignored or 0)
        if ignored > 0:
            self._ignored = cast(int, self._ignored) - ignored
        if k > ignored:
            self._budgeted.rollback(k - ignored)
            self.failure = None

    @contextlib.contextmanager
    def drafts(self) -> Iterator[None]:
        """While SGLang tries drafted tokens, accept_token does not raise, because SGLang does not catch it there.

        A drafted token that the grammar cannot accept is ignored, and so are the tokens after it, until rollback
        removes them.
        """
        self._ignored = 0
        try:
            yield
        finally:
            self._ignored = None

    def is_terminated(self) -> bool:
        return self.failure is None and self.matcher.is_terminated()

    def allocate_vocab_mask(self, vocab_size: int, batch_size: int, device: Any) -> torch.Tensor:
        return WeirGrammarBackend.allocate_vocab_mask(vocab_size, batch_size, device)

    def fill_vocab_mask(self, vocab_mask: torch.Tensor, idx: int) -> None:
        """Writes the mask to row `idx`; after the end, and after a failure, all tokens."""
        try:
            while self.failure is None and not self.matcher.is_terminated():
                self.matcher.fill_next_token_bitmask(vocab_mask, idx)
                if vocab_mask[idx].any():
                    return
                if not self._budgeted.give_up():
                    self.failure = NO_TOKEN
        except LimitExceededError as error:
            self.failure = str(error)
        vocab_mask[idx].fill_(-1)

    @staticmethod
    def fill_vocab_mask_batched(entries: list[GrammarRow], vocab_mask: torch.Tensor) -> None:
        """Fills the rows of all grammars with one call. Other rows are left as they are."""
        rows: list[GrammarMatcher | None] = [None] * vocab_mask.shape[0]
        again = entries
        for row, grammar in entries:
            if not isinstance(grammar, WeirGrammar) or grammar.failure is not None or grammar.matcher.is_terminated():
                grammar.fill_vocab_mask(vocab_mask, row)
            else:
                rows[row] = grammar.matcher
        try:
            _batch(batch_threads() if is_large(len(entries)) else 1).fill_next_token_bitmasks(rows, vocab_mask)
            empty = set(empty_rows(vocab_mask.numpy()))
            again = [entry for entry in entries if entry.row in empty]
        except LimitExceededError:  # it names the first row only
            pass
        for row, grammar in again:
            if rows[row] is not None:
                grammar.fill_vocab_mask(vocab_mask, row)

    @staticmethod
    def reset_vocab_mask(vocab_mask: torch.Tensor) -> None:
        vocab_mask.fill_(-1)

    @staticmethod
    def move_vocab_mask(vocab_mask: torch.Tensor, device: Any) -> torch.Tensor:
        return vocab_mask.to(device, non_blocking=True)

    @staticmethod
    def apply_vocab_mask(logits: torch.Tensor, vocab_mask: torch.Tensor) -> None:
        WeirGrammarBackend.apply_vocab_mask(logits, vocab_mask)

    def copy(self) -> WeirGrammar:
        """Makes the grammar for another request, at its beginning."""
        stats = dataclasses.replace(self.grammar_stats, is_cache_hit=True, tree_traversal_time=[])
        made = WeirGrammar(self._compiled, self.kind, self.spec, stats)
        made.has_reasoning = self.has_reasoning
        return made

    def end_within(self, tokens: int) -> None:
        """Makes a grammar at its beginning end within so many tokens, a stop token included.

        Raises GrammarError: no output has so few tokens, or weir cannot count them for this grammar.
        """
        self._budgeted = BudgetedMatcher(self._compiled, tokens, at_text_start=False)

    def try_jump_forward(self, tokenizer: Any) -> tuple[list[int], str] | None:
        """Returns the text that must come next; None if there is a choice, if the output ends inside a character, or if
        looking for the text meets a limit."""
        if self.failure is not None or self.matcher.is_terminated():
            return None
        try:
            text = whole_characters(self.matcher.find_jump_forward_string())
        except LimitExceededError:  # the next mask says whether the output can go on
            return None
        return ([], text) if text else None

    def jump_forward_str_state(self, helper: tuple[list[int], str]) -> tuple[str, int]:
        return helper[1], -1

    def jump_and_retokenize(self, old_output_ids: list[int], new_output_ids: list[int], next_state: int) -> None:
        """Replaces the output's tokens by others. Raises ValueError: the grammar refuses one of them."""
        common = 0
        while common < min(len(old_output_ids), len(new_output_ids)) \
                and old_output_ids[common] == new_output_ids[common]:
            common += 1
        self._budgeted.rollback(len(old_output_ids) - common)
        for token in new_output_ids[common:]:
            self.accept_token(token)

    def __repr__(self) -> str:
        return f"WeirGrammar({self.kind!r}, {self.spec!r}, text={self.matcher.text()!r})"


class WeirGrammarBackend(BaseGrammarBackend):
    """Compiles grammars for a server. Raises TypeError, weir.TokenizerError: weir cannot use the model's tokenizer.

    eos_token_ids: the model's stop tokens; None: those that the tokenizer declares.
    options: those of RequestCompiler.
    """

    def __init__(self, tokenizer: Any, vocab_size: int, eos_token_ids: Sequence[int] | None = None,
                 **options: Any) -> None:
        super().__init__()
        self.requests = RequestCompiler(tokenizer, vocab_size, stop_token_ids=eos_token_ids, **options)
        # The text, and the token, that end reasoning where SGLang's parser reads it.
        self.reasoning_ends: list[str | int] = []
        self._framing = self.requests

    @property
    def is_support_token_filter(self) -> bool:
        return True

    def reserve_framing_tokens(self, token_ids: Sequence[int]) -> None:
        """Makes these tokens special in framed grammars, where they then match only as tokens and never as text."""
        info = self.requests.info
        if all(info.token_kind(token) == "special" for token in token_ids):
            return
        self._framing = self.requests.with_tokenizer(_with_special(info, token_ids))

    def compile_framed_grammar(self, grammar: BaseGrammarObject,
                               frame: Callable[[dict[str, Any]], dict[str, Any]]) -> BaseGrammarObject | None:
        """Returns the grammar within the frame of a model's message."""
        if not isinstance(grammar, WeirGrammar) or grammar.kind == "structural_tag":
            return None
        content = {"type": _MARK}
        tag = json.dumps(frame(content)).replace(json.dumps(content), _format_text(grammar.kind, grammar.spec))
        return self._made("structural_tag", tag, self._framing)

    @staticmethod
    def allocate_vocab_mask(vocab_size: int, batch_size: int, device: Any) -> torch.Tensor:
        """Makes a mask of shape (batch_size, ceil(vocab_size / 32)) that allows all tokens, if possible in pinned
        memory."""
        return torch.full((batch_size, bitmask_words(vocab_size)), -1, dtype=torch.int32,
                          pin_memory=torch.cuda.is_available())

    def initialize_vocab_mask_buffer(self, name: str, vocab_size: int, max_rows: int, device: Any) -> torch.Tensor:
        from sglang.srt.constrained.base_grammar_backend import register_vocab_mask_buffer

        return register_vocab_mask_buffer(name, self.allocate_vocab_mask(vocab_size, max_rows, device), max_rows)

    @staticmethod
    def move_vocab_mask(vocab_mask: torch.Tensor, device: Any) -> torch.Tensor:
        return vocab_mask.to(device, non_blocking=True)

    @staticmethod
    def apply_vocab_mask(logits: torch.Tensor, vocab_mask: torch.Tensor) -> None:
        """Sets the logits of all tokens that the mask does not allow to minus infinity."""
        kind = logits.device.type
        if kind == "cpu":
            apply_token_bitmask_inplace(logits, vocab_mask)
        elif kind in ("cuda", "xpu", "musa") and torch.version.hip is None:
            from sglang.kernels.ops.grammar.bitmask_ops import apply_token_bitmask_inplace_triton

            apply_token_bitmask_inplace_triton(logits, vocab_mask)
        elif kind == "cuda":
            from sgl_kernel import apply_token_bitmask_inplace_cuda

            apply_token_bitmask_inplace_cuda(logits, vocab_mask)
        elif kind == "npu":
            import sgl_kernel_npu  # noqa: F401 (it registers the operator)

            torch.ops.npu.apply_token_bitmask(logits, vocab_mask)
        else:
            raise RuntimeError(f"SGLang has no kernel that applies a mask on a device of type `{kind}`")

    @staticmethod
    def set_token_filter(vocab_mask: torch.Tensor, token_ids: list[int], batch_idx: int, is_allowed: bool = True,
                         reset_vocab_mask: bool = True) -> None:
        """Allows, or forbids, tokens in a row, after the row was cleared, or filled, with `reset_vocab_mask`."""
        if vocab_mask.device.type == "cuda" and torch.version.hip is None:
            from sglang.kernels.ops.grammar.token_filter_ops import set_token_filter_triton as set_filter
        else:
            from sglang.srt.constrained.torch_ops.token_filter_torch_ops import set_token_filter_torch as set_filter
        set_filter(vocab_mask, token_ids, batch_idx, is_allowed=is_allowed, reset_vocab_mask=reset_vocab_mask)

    def dispatch_json(self, key_string: str) -> BaseGrammarObject:
        return self._made("any_json" if key_string == _ANY_JSON else "json", key_string, self.requests)

    def dispatch_regex(self, key_string: str) -> BaseGrammarObject:
        return self._made("regex", key_string, self.requests)

    def dispatch_ebnf(self, key_string: str) -> BaseGrammarObject:
        return self._made("ebnf", key_string, self.requests)

    def dispatch_structural_tag(self, key_string: str) -> BaseGrammarObject:
        try:
            tag = _exact_text(_with_schemas(_exact_value(key_string)))
        except (ValueError, RecursionError):
            tag = key_string  # it is refused with its position
        return self._made("structural_tag", tag, self.requests)

    def reset(self) -> None:
        super().reset()
        self.requests.compiler.clear_cache()

    def _made(self, kind: RequestKind, spec: str, requests: RequestCompiler) -> BaseGrammarObject:
        try:
            compiled = requests.compile(kind, spec)
        except ValueError as error:  # GrammarError is one
            return InvalidGrammarObject(refusal(error, "json" if kind == "any_json" else kind))
        requests.warm_up(compiled)
        name = "json" if kind == "any_json" else kind
        made = WeirGrammar(compiled, kind, spec, GrammarStats(dispatch_type=name))
        made.has_reasoning = kind == "structural_tag" and bool(self.reasoning_ends) \
            and _writes(_exact_value(spec), self.reasoning_ends)
        return made


def _format_text(kind: RequestKind, spec: str) -> str:
    """Returns the JSON of a format of a structural tag whose texts are those of a request of another kind."""
    if kind == "regex":
        return json.dumps({"type": "regex", "pattern": f"(?s:{spec})"})
    if kind == "ebnf":
        return json.dumps({"type": "grammar", "grammar": spec})
    schema = "true" if kind == "any_json" else spec.removeprefix("\ufeff")
    return f'{{"type": "json_schema", "json_schema": {schema}}}'


def _exact_value(text: str) -> Any:
    """Returns the value of a JSON text, with a str for each number: a float could not hold all digits."""
    return json.loads(text.removeprefix("\ufeff"), parse_int=_MARK.__add__, parse_float=_MARK.__add__)


def _exact_text(value: Any) -> str:
    """Returns the JSON text of such a value."""
    return re.sub(f'"{_MARK}([^"]*)"', r"\1", json.dumps(value, ensure_ascii=False))


def _writes(part: Any, ends: list[str | int]) -> bool:
    """Returns True if a structural tag has one of the texts within a begin, an end, a constant or a token, or the token
    of this number. The numbers of the tag are those of _exact_value."""
    texts = [end for end in ends if isinstance(end, str)]
    tokens = [f"{_MARK}{end}" for end in ends if isinstance(end, int)]
    left = [part]
    while left:
        each = left.pop()
        if isinstance(each, list):
            left += each
        elif isinstance(each, dict):
            own = [each.get(name) for name in ("begin", "end", "value", "token")]
            words = [word for one in own for word in (one if isinstance(one, list) else [one])]
            if any(isinstance(word, str) and (word in tokens or any(text in word for text in texts)) for word in words):
                return True
            left += [value for name, value in each.items() if name not in ("json_schema", "schema")]
    return False


def _with_schemas(tag: Any) -> Any:
    """Returns a tag in which null in the place of a schema is the schema of all values, as SGLang has it."""
    if isinstance(tag, list):
        return [_with_schemas(part) for part in tag]
    if not isinstance(tag, dict):
        return tag
    made = {name: value if name in ("json_schema", "schema") else _with_schemas(value) for name, value in tag.items()}
    if tag.get("type") in ("json_schema", "qwen_xml_parameter") and tag.get("json_schema") is None:
        made["json_schema"] = {}
    if "begin" in tag and not {"type", "grammar", "content"} & tag.keys() and tag.get("schema") is None:
        made["schema"] = {}
    return made


def _with_special(info: TokenizerInfo, token_ids: Sequence[int]) -> TokenizerInfo:
    """Returns a tokenizer of the same tokens, in which these are special, too."""
    special = {token for token in range(info.vocab_size) if info.token_kind(token) == "special"} | set(token_ids)
    tokens = [info.token_name(token).encode() if info.token_kind(token) == "special" else info.token_bytes(token)
              for token in range(info.vocab_size)]
    return TokenizerInfo(tokens, special_token_ids=sorted(special), stop_token_ids=info.stop_token_ids,
                         drops_leading_space=info.drops_leading_space)


def create_backend(server_args: Any, tokenizer: Any, vocab_size: int,
                   eos_token_ids: Any = None) -> BaseGrammarBackend:
    """Makes the backend of a server, within SGLang's ReasonerGrammarBackend if the server has a reasoning parser.

    Raises TypeError, weir.TokenizerError: weir cannot use the model's tokenizer. ValueError: settings that exclude each
    other.
    """
    from sglang.srt.runtime_context import get_serving

    serving = get_serving()
    options: dict[str, Any] = {}
    if serving.constrained_json_disable_any_whitespace:
        options["whitespace"] = "compact"
    if serving.constrained_json_max_whitespace_cnt is not None:
        options |= {"whitespace": "bounded", "whitespace_limit": serving.constrained_json_max_whitespace_cnt}
    if serving.constrained_json_whitespace_pattern is not None:
        options["whitespace_pattern"] = serving.constrained_json_whitespace_pattern
    settings = [name for name, value in (
        ("--constrained-json-disable-any-whitespace", serving.constrained_json_disable_any_whitespace or None),
        ("--constrained-json-max-whitespace-cnt", serving.constrained_json_max_whitespace_cnt),
        ("--constrained-json-whitespace-pattern", serving.constrained_json_whitespace_pattern)) if value is not None]
    if len(settings) > 1:
        raise ValueError(f"{' and '.join(settings)} exclude each other: all say which white space JSON has")
    stops = None if not eos_token_ids else [eos_token_ids] if isinstance(eos_token_ids, int) else sorted(eos_token_ids)
    backend = WeirGrammarBackend(tokenizer, vocab_size, stops, **options)
    if not serving.reasoning_parser:
        return backend
    # SGLang wraps its own backends after it has made them, but returns a registered one as it is.
    from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarBackend
    from sglang.srt.parser.reasoning_parser import ReasoningParser

    parser = ReasoningParser(model_type=serving.reasoning_parser, stream_reasoning=False, tokenizer=tokenizer)
    tokens = parser.detector.get_think_end_token_ids(tokenizer)
    if not tokens:
        return backend
    text = getattr(parser.detector, "think_end_token", None)
    backend.reasoning_ends = ([text] if text else []) + (list(tokens) if len(tokens) == 1 else [])
    return ReasonerGrammarBackend(backend, parser, tokenizer, enable_strict_thinking=serving.enable_strict_thinking)


def _begin_request(original: Any, manager: Any, request: Any) -> None:
    """Wraps the manager's last call for a request whose grammar is ready, which knows the request's `max_new_tokens`.

    A structural tag that contains the reasoning cannot stand after reasoning that SGLang's own parser reads. It can where
    the request does not reason, or says that the grammar counts from its first token (`reasoning_in_grammar`), as SGLang
    has it for some tool calls. A grammar within a ReasonerGrammarObject gets no budget: tokens of reasoning count, but it
    does not see them.
    """
    original(manager, request)
    _wrap_traversal()
    inner = getattr(request.grammar, "grammar", None)  # that of a ReasonerGrammarObject
    if isinstance(inner, WeirGrammar) and inner.has_reasoning and request.require_reasoning \
            and not request.grammar.reasoning_in_grammar:
        request.set_finish_with_abort("weir refuses this structural_tag: it contains the reasoning, which the server's "
                                      "--reasoning-parser reads already, so that the model would have to end it twice; "
                                      "leave the reasoning out of the tag")
        return
    if not is_set(_BUDGETS) or not isinstance(request.grammar, WeirGrammar):
        return
    most = request.sampling_params.max_new_tokens
    try:
        request.grammar.end_within(most)
    except GrammarError as error:
        request.set_finish_with_abort(f"weir refuses max_new_tokens = {most}: {error.message}")


def _wrap_traversal() -> None:
    """Wraps the function in which SGLang tries drafted tokens, if its module is loaded.

    A scheduler with drafts has loaded the module before its first request. Other processes do not need it, and it is
    slow to load.
    """
    module: Any = sys.modules.get("sglang.srt.speculative.spec_utils")
    original = getattr(module, "traverse_tree", None)
    if original is not None and getattr(original, "func", None) is not _traverse_tree:
        module.traverse_tree = functools.partial(_traverse_tree, original)


def _traverse_tree(original: Any, next_token: Any, next_sibling: Any, draft_tokens: Any, grammar: Any,
                   *arguments: Any, **named: Any) -> None:
    """Fills the masks of a tree of drafted tokens. What stops the grammar after a draft must not stop the scheduler."""
    inner = getattr(grammar, "grammar", grammar)  # that of a ReasonerGrammarObject
    with inner.drafts() if isinstance(inner, WeirGrammar) else contextlib.nullcontext():
        original(next_token, next_sibling, draft_tokens, grammar, *arguments, **named)


def register() -> None:
    """Makes `weir` a grammar backend of the SGLang in this process, and registers its parsers if the command line or
    WEIR_SGLANG_PARSERS asks for them. A second call does nothing.

    Raises RuntimeError: weir does not know this version of SGLang. SGLang logs it and starts without the plugin; then
    `--grammar-backend weir` is refused.
    """
    global _is_registered
    if _is_registered:
        return
    check_version(sglang.__version__)
    if is_set("WEIR_SGLANG_PARSERS") or any("weir_" in argument for argument in sys.argv):
        from weir.integrations import sglang_parsers  # imports seconds of SGLang

        sglang_parsers.register()
    from sglang.srt.arg_groups.choices import GRAMMAR_BACKEND_CHOICES, add_grammar_backend_choices
    from sglang.srt.constrained.base_grammar_backend import register_grammar_backend
    from sglang.srt.plugins.hook_registry import HookRegistry, HookType

    if _NAME not in GRAMMAR_BACKEND_CHOICES:
        add_grammar_backend_choices([_NAME])
    register_grammar_backend(_NAME, create_backend)
    # SGLang applies the hook after it has loaded all plugins.
    HookRegistry.register("sglang.srt.constrained.grammar_manager.GrammarManager._apply_request_reasoning_config",
                          _begin_request, HookType.AROUND)
    _is_registered = True


def check_version(version: str) -> None:
    """Raises RuntimeError: weir does not support this version of SGLang."""
    if not any(version == known or version.startswith(known + ".post") for known in SUPPORTED_VERSIONS):
        raise RuntimeError(f"weir supports SGLang {', '.join(SUPPORTED_VERSIONS)}; this is SGLang {version}. Install a "
                           "supported SGLang or a newer weir, or choose another backend (--grammar-backend)")
