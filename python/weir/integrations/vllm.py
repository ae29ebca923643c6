"""weir as a structured-output backend of vLLM.

    vllm serve MODEL --structured-outputs-config.backend weir

vLLM finds `register` by the entry point `vllm.general_plugins` of an installed weir, in each of its processes. Programs
that make an `LLM` call it themselves before, because `LLM` checks its options before it loads plugins:

    weir.integrations.vllm.register()
    llm = vllm.LLM(MODEL, structured_outputs_config={"backend": "weir"})

With WEIR_VLLM_AUTO=1 in the environment, the backend "auto" means weir, too. docs/vllm.md has the rest.

HOW. vLLM 0.32 and 0.33 have no registry of backends: the names are a Literal, and the functions that choose compare
with names. So `register` widens the Literal and wraps functions: four of StructuredOutputManager (grammar_init,
_create_grammar, accept_tokens, grammar_bitmask); SamplingParams._validate_structured_outputs; two checks of the front
end that name xgrammar; the check of a configuration; the offline beam search's choice of a backend, where that module
is loaded; and the scheduler's constructor, because a request's error is reported to the scheduler.
A wrapper calls the original for all other backends.

THREADS. A front end validates in its event loop, the engine compiles in the manager's threads and fills masks in its
own. WeirGrammar belongs to one request, whose calls the manager makes one after the other.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import sys
import threading
import typing
import weakref
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

import vllm
from weir.integrations._vllm_plugin import SUPPORTED_VERSIONS, check_version

check_version(vllm.__version__)  # before the imports of what another version may lack

from vllm.exceptions import VLLMValidationError
from vllm.logger import init_logger
from vllm.v1.structured_output.backend_types import (
    StructuredOutputBackend,
    StructuredOutputGrammar,
    StructuredOutputOptions,
)
from weir._weir import BatchGrammarMatcher, CompiledGrammar, GrammarMatcher
from weir.bitmask import bitmask_words
from weir.errors import GrammarError, LimitExceededError
from weir.integrations._environment import is_set
from weir.integrations._serving import (
    NO_TOKEN,
    BudgetedMatcher,
    CompilerOrError,
    RequestCompiler,
    RequestKind,
    batch_threads,
    empty_rows,
    front_end_compiler,
    is_large,
    names_tokens,
    read,
    refusal,
    server_limits,
    server_warm_up,
)

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["SUPPORTED_VERSIONS", "WeirBackend", "WeirGrammar", "register", "validate"]

_NAME = "weir"
_AUTO = "WEIR_VLLM_AUTO"
_BUDGETS = "WEIR_VLLM_MAX_TOKENS"

_logger = init_logger(__name__)

_KINDS: dict[StructuredOutputOptions, RequestKind] = {
    StructuredOutputOptions.JSON: "json",
    StructuredOutputOptions.JSON_OBJECT: "json_object",
    StructuredOutputOptions.REGEX: "regex",
    StructuredOutputOptions.CHOICE: "choice",
    StructuredOutputOptions.STRUCTURAL_TAG: "structural_tag",
}


def _kind(request_type: StructuredOutputOptions, spec: str) -> RequestKind:
    if request_type is not StructuredOutputOptions.GRAMMAR:
        return _KINDS[request_type]
    from vllm.v1.structured_output.utils import grammar_is_likely_lark

    return "lark" if grammar_is_likely_lark(spec) else "ebnf"


class WeirGrammar(StructuredOutputGrammar):
    """The grammar of one request: a weir.GrammarMatcher, `matcher`, with vLLM's names.

    most: as BudgetedMatcher has `max_tokens`.
    failure: the message of the limit that the output met, or that the tokenizer has no token that can come next; or
        None. From then on fill_bitmask allows all tokens and accept_tokens accepts none, with which vLLM ends the
        request; the engine and its other requests go on.
    """

    def __init__(self, compiled: CompiledGrammar, stop_token_ids: Iterable[int], most: int | None) -> None:
        stops = sorted(stop_token_ids)
        options = {} if stops == compiled.tokenizer_info.stop_token_ids else {"stop_token_ids": stops}
        self._budgeted = BudgetedMatcher(compiled, most, at_text_start=False, **options)
        self.stop_token_ids = frozenset(stops)
        self.failure: str | None = None
        self._vocab_size = compiled.tokenizer_info.vocab_size

    @property
    def matcher(self) -> GrammarMatcher:
        return self._budgeted.matcher

    def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:
        """Appends tokens, those after the end excepted. Returns False at the first one that the grammar refuses."""
        for token in tokens:
            if self.failure is None and self.matcher.is_terminated():
                return True
            if not self._accepts(token):
                self._note_dead_end()
                _logger.error("weir: request %s ends: %s", request_id,
                              self.failure or f"token {token} is not allowed after {self.matcher.step_count} tokens")
                return False
        return True

    def validate_tokens(self, tokens: list[int]) -> list[int]:
        """Returns the longest prefix of the tokens that may come next. Does not change the grammar."""
        if self.failure is not None:
            return []
        taken = 0
        while taken < len(tokens) and not self.is_over() and self._accepts(tokens[taken]):
            taken += 1
        self.failure = None  # a limit that a drafted token meets does not end the output
        if taken > 0:
            self._budgeted.rollback(taken)
        return tokens[:taken]

    def rollback(self, num_tokens: int) -> None:
        self._budgeted.rollback(num_tokens)

    def fill_bitmask(self, bitmask: torch.Tensor, batch_index: int) -> None:
        """Writes the mask to row `batch_index`; after the end, and after a failure, all tokens."""
        try:
            while not self.is_over():
                self.matcher.fill_next_token_bitmask(bitmask, batch_index)
                if bitmask[batch_index].any():
                    return
                if not self._give_up():
                    self.failure = NO_TOKEN
        except LimitExceededError as error:
            self.failure = str(error)
        bitmask[batch_index].fill_(-1)

    def _give_up(self) -> bool:
        """Gives up the budget, which left no token. Returns False if there is none."""
        if not self._budgeted.give_up():
            return False
        _logger.warning("weir: an output cannot end within its max_tokens any more: it needs other keys")
        return True

    def fill_drafted(self, draft: Sequence[int], rows: npt.NDArray[np.int32]) -> None:
        """Writes the mask after each token of a draft: row i + 1 is the one after draft[i].

        rows: shape (len(draft) + 1 or more, words); the caller has written row 0 and those after the draft's. After a
        token that is refused, all rows repeat the last mask before it. After a stop token they allow all tokens, and
        where no token can come next: accept_tokens then refuses any.
        """
        end = next((place for place, token in enumerate(draft) if not 0 <= token < self._vocab_size), len(draft))
        taken = [False] * (len(draft) + 1)
        if end > 0 and not self.is_over():
            path, parents = list(draft[:end]), list(range(-1, end - 1))
            try:
                taken[:end] = self.matcher.fill_draft_tree_bitmasks(path, parents, rows[1:end + 1])
                empty = self._empty_rows(draft, taken, rows)
                if empty and self._give_up():
                    taken[:end] = self.matcher.fill_draft_tree_bitmasks(path, parents, rows[1:end + 1])
                    empty = self._empty_rows(draft, taken, rows)
                rows[empty] = -1
            except LimitExceededError as error:
                self.failure = str(error)
        if self.is_over():
            rows[1:] = -1
            return
        for place, token in enumerate(draft):
            if not taken[place]:
                rows[place + 1:] = rows[place]
                return
            if token in self.stop_token_ids:
                rows[place + 1:] = -1
                return

    def _empty_rows(self, draft: Sequence[int], taken: list[bool], rows: npt.NDArray[np.int32]) -> list[int]:
        """Returns the rows after taken tokens that allow no token, those after stop tokens excepted."""
        return [place + 1 for place, token in enumerate(draft)
                if taken[place] and token not in self.stop_token_ids and not rows[place + 1].any()]

    def is_terminated(self) -> bool:
        return self.failure is None and self.matcher.is_terminated()

    def is_over(self) -> bool:
        """Returns True after the end and after a failure: no mask is needed any more."""
        return self.failure is not None or self.matcher.is_terminated()

    def reset(self) -> None:
        self._budgeted.reset()
        self.failure = None

    def _note_dead_end(self) -> None:
        try:
            if self.failure is None and not self._budgeted.has_token():
                self.failure = NO_TOKEN
        except LimitExceededError as error:
            self.failure = str(error)

    def _accepts(self, token: int) -> bool:
        if self.failure is not None or not 0 <= token < self._vocab_size:
            return False
        try:
            return self._budgeted.accept_token(token)
        except LimitExceededError as error:
            self.failure = str(error)
            return False


@dataclasses.dataclass
class WeirBackend(StructuredOutputBackend):
    """Compiles grammars for an engine.

    The first grammar reads the tokenizer. So that happens in the manager's thread for grammars, and a tokenizer that
    weir cannot use ends requests, not the engine.
    """

    def __post_init__(self) -> None:
        self._requests: CompilerOrError | None = None
        self._requests_lock = threading.Lock()
        self._one = BatchGrammarMatcher(1)
        self._several = BatchGrammarMatcher(batch_threads())

    @property
    def requests(self) -> RequestCompiler:
        """Raises TypeError, weir.TokenizerError: weir cannot use the model's tokenizer."""
        with self._requests_lock:
            if self._requests is None:
                self._requests = CompilerOrError(self.tokenizer, self.vocab_size, **_engine_options(self.vllm_config))
            return self._requests.get()

    def compile_grammar(self, request_type: StructuredOutputOptions, grammar_spec: str,
                        stop_token_ids: set[int] | None = None) -> WeirGrammar:
        """Compiles a request's grammar, or finds it in the cache. Raises VLLMValidationError: weir refuses it."""
        compiled = _compile(self.requests, request_type, grammar_spec, {})
        grammar = _grammar(compiled, stop_token_ids, None)
        self.requests.warm_up(compiled)
        return grammar

    def compile_request(self, request: Any) -> WeirGrammar:
        """As compile_grammar, with all that the request says of it."""
        params = request.sampling_params
        request_type, spec = request.structured_output_request.structured_output_key
        compiled = _compile(self.requests, request_type, spec, _request_options(params.structured_outputs))
        most = None
        if _has_budgets(self.vllm_config.structured_outputs_config):
            most = min(params.max_tokens, self.vllm_config.model_config.max_model_len - request.num_prompt_tokens)
        grammar = _grammar(compiled, params.all_stop_token_ids, most)
        self.requests.warm_up(compiled)
        return grammar

    def allocate_token_bitmask(self, max_num_seqs: int) -> torch.Tensor:
        """Makes a bitmask of shape (max_num_seqs, ceil(vocab_size / 32)) that allows all tokens."""
        return torch.full((max_num_seqs, bitmask_words(self.vocab_size)), -1, dtype=torch.int32,
                          pin_memory=torch.cuda.is_available())

    def destroy(self) -> None:
        if self._requests is not None:
            self._requests.clear_cache()

    def fill(self, matchers: Sequence[GrammarMatcher | None], rows: npt.NDArray[np.int32], filled: int) -> None:
        """Writes the masks of the matchers, of which `filled` are not None, to the rows of the same index.

        Raises LimitExceededError: a matcher met a limit; the others' rows are filled nevertheless.
        """
        batch = self._several if is_large(filled) else self._one
        batch.fill_next_token_bitmasks(matchers, rows)


def _grammar(compiled: CompiledGrammar, stop_token_ids: Iterable[int] | None, most: int | None) -> WeirGrammar:
    """Makes the grammar of a request.

    stop_token_ids: None or none: the tokenizer's. most: the most tokens of the output, stop token included; None: any.
    Raises VLLMValidationError: no output has so few tokens, or weir cannot count them for this grammar; the stop tokens
    leave the grammar no text.
    """
    try:
        return WeirGrammar(compiled, stop_token_ids or compiled.tokenizer_info.stop_token_ids, most)
    except GrammarError as error:
        if most is None:
            raise VLLMValidationError(f"weir refuses the stop tokens: {error.message}") from error
        raise VLLMValidationError(f"weir refuses max_tokens = {most}: {error.message}",
                                  parameter="max_tokens") from error


def _compile(requests: RequestCompiler, request_type: StructuredOutputOptions, spec: str,
             options: dict[str, Any]) -> CompiledGrammar:
    kind = _kind(request_type, spec)
    try:
        return requests.compile(kind, spec, **options)
    except ValueError as error:  # GrammarError is one
        raise VLLMValidationError(refusal(error, kind)) from error


def _engine_options(vllm_config: Any) -> dict[str, Any]:
    config = vllm_config.structured_outputs_config
    return _constructor_options(config.disable_any_whitespace, config.disable_additional_properties)


def _constructor_options(no_blanks: bool, is_closed: bool) -> dict[str, Any]:
    options: dict[str, Any] = {"whitespace": "none"} if no_blanks else {}
    if is_closed:
        options["closed"] = True
    return options


def _request_options(params: Any) -> dict[str, Any]:
    """Returns what a request itself asks for. Raises VLLMValidationError: two settings that exclude each other."""
    options = _constructor_options(params.disable_any_whitespace, params.disable_additional_properties)
    if params.whitespace_pattern is not None:
        if params.disable_any_whitespace:
            raise VLLMValidationError("disable_any_whitespace and whitespace_pattern exclude each other: both say which "
                                      "white space JSON has")
        options["whitespace_pattern"] = params.whitespace_pattern
    return options


def _has_budgets(config: Any) -> bool:
    """Returns True if outputs must be complete within their `max_tokens`.

    config: the server's StructuredOutputsConfig. Tokens of reasoning count for `max_tokens`, but no grammar sees them;
    so a server with a reasoning parser has no budgets.
    """
    return is_set(_BUDGETS) and not config.reasoning_parser


def validate(sampling_params: Any, tokenizer: Any, vocab_size: int, *, has_budget: bool = False,
             **options: Any) -> None:
    """Compiles the constraint of a request, as the engine will. Raises VLLMValidationError: weir refuses it.

    has_budget: True to refuse also a `max_tokens` within which no output is complete. options: those of
        RequestCompiler.
    Cost: the first call that depends on the tokenizer reads it: one whose constraint may name tokens, with a budget, or
    with stop tokens of the request's own.
    """
    from vllm.v1.structured_output.request import get_structured_output_key

    params = sampling_params.structured_outputs
    if params is None:
        return
    request_type, spec = get_structured_output_key(params)
    needs_tokens = has_budget or bool(sampling_params.stop_token_ids) or names_tokens(_kind(request_type, spec))
    requests = front_end_compiler(tokenizer, vocab_size, needs_tokens=needs_tokens, **options)
    compiled = _compile(requests, request_type, spec, _request_options(params))
    if not needs_tokens:
        return
    # The engine's stop tokens are these and the model's own, which vLLM adds later.
    stops = sampling_params.all_stop_token_ids.union(compiled.tokenizer_info.stop_token_ids)
    _grammar(compiled, stops, sampling_params.max_tokens if has_budget else None)


# ---- What register() does -----------------------------------------------------------------------------------------

_is_registered = False
_has_beam_search = False
# By their managers, to which schedulers refer; so a strong reference here would keep both forever.
_schedulers: weakref.WeakKeyDictionary[Any, weakref.ref[Any]] = weakref.WeakKeyDictionary()
_is_default = False  # whether this process has made a configuration whose backend is weir


def register() -> None:
    """Makes `weir` a backend of the vLLM in this process. A second call does nothing.

    Raises RuntimeError: weir does not know this version of vLLM, or finds in it other functions than it expects.
    """
    global _is_registered
    if _is_registered:
        return
    from vllm.config import structured_outputs as config
    from vllm.entrypoints.generate.base import protocol
    from vllm.sampling_params import SamplingParams
    from vllm.v1.core.sched.scheduler import Scheduler
    from vllm.v1.structured_output import StructuredOutputManager, backend_xgrammar

    wrapped = [
        (StructuredOutputManager, "grammar_init", _grammar_init),
        (StructuredOutputManager, "_create_grammar", _create_grammar),
        (StructuredOutputManager, "grammar_bitmask", _grammar_bitmask),
        (StructuredOutputManager, "accept_tokens", _accept_tokens),
        (SamplingParams, "_validate_structured_outputs", _validate_structured_outputs),
        (backend_xgrammar, "validate_xgrammar_grammar", _validate_xgrammar_grammar),
        (protocol, "validate_structural_tag_payload", _validate_structural_tag_payload),
    ]
    for owner, name, wrapper in wrapped:
        _check_signature(owner, name, wrapper)
    _wrap_beam_search()
    _widen(config)
    Scheduler.__init__ = _wrap(Scheduler.__init__, _make_scheduler)
    for owner, name, wrapper in wrapped:
        setattr(owner, name, _wrap(getattr(owner, name), wrapper))
    _is_registered = True


def _wrap_beam_search() -> None:
    """Wraps the offline beam search's choice of a backend if its module is loaded.

    A program that makes an LLM has loaded the module before the LLM makes its configuration. A server never loads it,
    and loading it takes longer than all else that register() does.
    """
    global _has_beam_search
    module = sys.modules.get("vllm.entrypoints.generate.beam_search.offline")
    mixin = getattr(module, "BeamSearchOfflineMixin", None)
    if _has_beam_search or mixin is None:
        return
    name = "_init_beam_search_structured_output"
    _check_signature(mixin, name, _init_beam_search)
    setattr(mixin, name, _wrap(getattr(mixin, name), _init_beam_search))
    _has_beam_search = True


def _wrap(original: Any, wrapper: Any) -> Any:
    @functools.wraps(original)
    def call(*arguments: Any, **named: Any) -> Any:
        return wrapper(original, *arguments, **named)

    return call


def _check_signature(owner: Any, name: str, wrapper: Any) -> None:
    """Raises RuntimeError: the function does not exist or has other parameters than its wrapper expects."""
    found = getattr(owner, name, None)
    expected = list(inspect.signature(wrapper).parameters)[1:]
    parameters = [] if found is None else list(inspect.signature(found).parameters)
    if [parameter.lstrip("_") for parameter in parameters] != [parameter.lstrip("_") for parameter in expected]:
        raise RuntimeError(f"weir cannot be a backend of this vLLM {vllm.__version__}: `{owner.__name__}.{name}` has "
                           f"the parameters {parameters}, not {expected}. Install the vLLM release of that version")


def _widen(module: Any) -> None:
    """Adds weir to the names of backends that a configuration may have."""
    import pydantic.dataclasses

    names = typing.get_args(module.StructuredOutputsBackend)
    widened = typing.Literal[(*names, _NAME)]  # type: ignore[valid-type]
    cls = module.StructuredOutputsConfig
    module.StructuredOutputsBackend = widened
    cls.__annotations__["backend"] = widened
    cls.__dataclass_fields__["backend"].type = widened
    cls.__pydantic_fields__["backend"].annotation = widened
    check = cls.__pydantic_decorators__.model_validators["_validate_structured_output_config"]
    check.func = _wrap(check.func, _validate_config)
    pydantic.dataclasses.rebuild_dataclass(cls, force=True)


def _validate_config(original: Any, self: Any, *arguments: Any) -> Any:
    """Notes that weir was chosen. Its options for white space and closed objects are as those of other backends."""
    global _is_default
    if not _is_chosen(self.backend):
        return original(self, *arguments)
    server_limits()  # raises if WEIR_CACHE_MB is no number, so that the server does not start
    server_warm_up()
    _wrap_beam_search()
    _is_default = _is_default or self.backend == _NAME
    return self


def _auto_is_weir() -> bool:
    return is_set(_AUTO)


def _is_chosen(backend: str | None) -> bool:
    return backend == _NAME or (backend == "auto" and _auto_is_weir())


def _validate_structured_outputs(original: Any, self: Any, model_config: Any, structured_outputs_config: Any,
                                 tokenizer: Any) -> None:
    config, params = structured_outputs_config, self.structured_outputs
    if config is None or params is None or not _is_chosen(config.backend):
        original(self, model_config, config, tokenizer)
        return
    if model_config.is_diffusion:
        raise VLLMValidationError("structured outputs need a model that writes from left to right; a diffusion model "
                                  "does not")
    if tokenizer is None:
        raise VLLMValidationError("structured outputs need a tokenizer; start the server without skip_tokenizer_init")
    if params._backend not in (None, _NAME) and not params._backend_was_auto:
        raise VLLMValidationError(f"the request asks for the backend '{params._backend}', but the engine has 'weir'")
    if params.json_object is False:
        raise VLLMValidationError("json_object must be true, or be left out")
    from vllm.sampling_params import check_json_nesting

    check_json_nesting(params.json)  # vLLM serializes the document recursively
    options = _constructor_options(config.disable_any_whitespace, config.disable_additional_properties)
    validate(self, tokenizer, model_config.get_vocab_size(), has_budget=_has_budgets(config), **options)
    params._backend = _NAME
    params._backend_was_auto = config.backend == "auto"
    params.__post_init__()


def _validate_xgrammar_grammar(original: Any, sampling_params: Any) -> None:
    """vLLM's tool parsers ask xgrammar's check whether a constraint can be met at all, whatever the backend is."""
    params = sampling_params.structured_outputs
    if params is None or not (_is_default or _auto_is_weir()):
        original(sampling_params)
        return
    from vllm.v1.structured_output.request import get_structured_output_key

    request_type, spec = get_structured_output_key(params)
    _read(_kind(request_type, spec), spec, _request_options(params))


def _read(kind: RequestKind, spec: str, options: dict[str, Any], parameter: str | None = None) -> None:
    try:
        read(kind, spec, options)
    except (TypeError, ValueError) as error:
        raise VLLMValidationError(refusal(error, kind), parameter=parameter) from error


def _validate_structural_tag_payload(original: Any, payload: Any, parameter: str) -> None:
    if not (_is_default or _auto_is_weir()) or not payload:
        original(payload, parameter=parameter)
        return
    from vllm.sampling_params import check_json_nesting

    if isinstance(payload, str):
        check_json_nesting(payload, structural_tag=True)
    _read("structural_tag", payload, {}, parameter)


def _grammar_init(original: Any, self: Any, request: Any) -> None:
    structured = request.structured_output_request
    if structured is not None and request.sampling_params.structured_outputs._backend == _NAME and self.backend is None:
        self.backend = WeirBackend(self.vllm_config, tokenizer=self.tokenizer,
                                   vocab_size=self.vllm_config.model_config.get_vocab_size())
        self.backend_name = _NAME
    original(self, request)


def _create_grammar(original: Any, self: Any, request: Any) -> StructuredOutputGrammar:
    if not isinstance(self.backend, WeirBackend):
        made: StructuredOutputGrammar = original(self, request)
        return made
    try:
        return self.backend.compile_request(request)
    except Exception as error:  # vLLM fails the request; before 0.33 it does not say why
        _logger.error("weir: request %s is refused: %s", request.request_id, error)
        raise


def _accept_tokens(original: Any, self: Any, request: Any, new_token_ids: Any) -> bool:
    """Where the output met a limit, the scheduler ends the request with the limit's message (since vLLM 0.33; before,
    the message is only in the log)."""
    if original(self, request, new_token_ids):
        return True
    structured, scheduler = request.structured_output_request, _schedulers.get(self)
    failure = getattr(structured and structured.grammar, "failure", None)
    errors = getattr(scheduler and scheduler(), "grammar_compile_error_reqs", None)
    if failure is None or not isinstance(errors, dict):
        return False
    from vllm.outputs import RequestError

    errors[request.request_id] = RequestError(code="validation_error", message=f"weir ends this output: {failure}")
    return True


def _make_scheduler(original: Any, self: Any, *arguments: Any, **named: Any) -> None:
    original(self, *arguments, **named)
    _schedulers[self.structured_output_manager] = weakref.ref(self)


def _init_beam_search(original: Any, self: Any, structured_outputs: Any, tokenizer: Any) -> Any:
    config = self.llm_engine.vllm_config
    if not _is_chosen(structured_outputs._backend or config.structured_outputs_config.backend):
        return original(self, structured_outputs, tokenizer)
    from vllm.v1.structured_output.request import get_structured_output_key

    structured_outputs._backend = _NAME
    backend = WeirBackend(config, tokenizer=tokenizer, vocab_size=self.model_config.get_vocab_size())
    return backend, get_structured_output_key(structured_outputs), backend.allocate_token_bitmask(1)


def _grammar_bitmask(original: Any, self: Any, requests: Any, structured_output_request_ids: Any,
                     scheduled_spec_decode_tokens: Any) -> npt.NDArray[np.int32] | None:
    """Fills the masks of a step: of all requests with one call, then those after drafted tokens, a call a request."""
    backend, ids = self.backend, structured_output_request_ids
    if not isinstance(backend, WeirBackend) or self.vllm_config.model_config.is_diffusion or not ids:
        filled: npt.NDArray[np.int32] | None = original(self, requests, ids, scheduled_spec_decode_tokens)
        return filled
    stride = self.vllm_config.num_speculative_tokens + 1
    if self._grammar_bitmask is None:
        most = self.vllm_config.scheduler_config.max_num_seqs
        self._grammar_bitmask = backend.allocate_token_bitmask(most * stride)
    step = _Step(self, backend, self._grammar_bitmask.numpy())
    is_packed = vllm.__version__.startswith("0.32.")  # since 0.33 each request has `stride` rows
    first = 0
    for request_id in ids:
        draft = scheduled_spec_decode_tokens.get(request_id, ())
        step.add(requests[request_id], draft, first)
        first += len(draft) + 1 if is_packed else stride
    step.fill(first)
    return step.rows[:first]


class _Step:
    """The masks of one step. A request has a row for each drafted token and one more: the mask before each token.

    `grammar_start` and `constraint_start`, which the manager computes, are the numbers of drafted tokens that the
    grammar does not see, and that no mask applies to, because they are reasoning.
    """

    def __init__(self, manager: Any, backend: WeirBackend, rows: npt.NDArray[np.int32]) -> None:
        self.rows = rows
        self._manager = manager
        self._backend = backend
        self._grammars: dict[int, WeirGrammar] = {}  # by the row of their present state's mask
        self._drafts: list[tuple[WeirGrammar, list[int], int, int]] = []  # tokens, and the range of their rows

    def add(self, request: Any, draft: Sequence[int], first: int) -> None:
        """Notes a request whose rows begin with row `first`, and writes its rows that need no grammar."""
        kept = _without_padding(draft)
        start, constrained = self._manager._get_constraint_bounds(request, kept)
        after = first + len(draft) + 1
        if constrained > 0:  # before: reasoning
            self._free(first, min(first + constrained, after), request)
        grammar: WeirGrammar = request.structured_output_request.grammar
        if grammar.is_over():
            self.rows[min(first + constrained, after):after] = -1
            return
        known = first + len(kept) + 1
        self.rows[known:after] = -1  # after padding
        if constrained > len(kept):
            return
        if constrained == start:
            self._grammars[first + start] = grammar
        if start < len(kept):
            self._drafts.append((grammar, kept[start:], first + start, after))

    def fill(self, count: int) -> None:
        matchers: list[GrammarMatcher | None] = [None] * count
        for row, grammar in self._grammars.items():
            matchers[row] = grammar.matcher
        bitmask = torch.from_numpy(self.rows)
        again = self._grammars
        try:
            if self._grammars:
                self._backend.fill(matchers, self.rows[:count], len(self._grammars))
            again = {row: self._grammars[row] for row in empty_rows(self.rows[:count]) if row in self._grammars}
        except LimitExceededError:  # it names the first row only
            pass
        for row, grammar in again.items():
            grammar.fill_bitmask(bitmask, row)
        for grammar, draft, begin, end in self._drafts:
            grammar.fill_drafted(draft, self.rows[begin:end])

    def _free(self, begin: int, end: int, request: Any) -> None:
        """Writes rows of reasoning: all tokens, those excepted that end it and that the grammar refuses."""
        self.rows[begin:end] = -1
        masked = getattr(self._manager, "_masked_reasoning_ends", None)
        for token in () if masked is None else masked(request):
            self.rows[begin:end, token // 32] &= np.int32(~(1 << token % 32) if token % 32 < 31 else 2**31 - 1)


def _without_padding(draft: Sequence[int]) -> list[int]:
    """Returns the drafted tokens before the first -1, with which vLLM pads."""
    tokens = list(draft)
    return tokens[:tokens.index(-1)] if -1 in tokens else tokens
