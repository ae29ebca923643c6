"""A batch server: many requests, each with a grammar of its own, share every step of one model.

Requests come as lines of JSON over TCP, and each answer is a line:

    {"text": "...", "schema": {...}, "max_tokens": 100}     or "regex" in place of "schema"

Grammars compile on weir's threads while other requests decode. A request joins the batch at the next step and leaves it when
its output ends, so a short one never waits for a long one. One that takes longer than SECONDS is given up.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import logging
from typing import Any

import numpy as np

import weir
from models import SmallModel

LINE_BYTES = 1 << 16  # the longest request
SECONDS = 60
MOST_PROMPT_TOKENS = 800  # with an output of MOST_TOKENS they fit the model's context of 1,024
MOST_TOKENS = 200  # the longest output that a request may ask for
# Grammars come from strangers. These bounds and the limit of the queue are what they can cost; docs/limits.md has more.
LIMITS = weir.Limits(call_work=300_000, text_bytes=1 << 16, state_memory=64 << 20)


class BadRequest(Exception):
    """A request that cannot be served; the text is for the client."""


@dataclasses.dataclass
class Sequence:
    """One output in progress."""

    matcher: weir.GrammarMatcher
    tokens: list[int]
    prompt_size: int
    answer: asyncio.Future[dict[str, Any]]


class Engine:
    """Runs the steps of the model. All methods are for the event loop's thread."""

    def __init__(self, model: SmallModel, batch: int = 8, queue: int = 64) -> None:
        self._info = model.tokenizer_info
        self._model = model
        self._compiler = weir.GrammarCompiler(self._info, limits=LIMITS)
        self._waiting: asyncio.Queue[Sequence] = asyncio.Queue(queue)
        self._running: list[Sequence] = []
        self._batch = batch
        self._matchers = weir.BatchGrammarMatcher()
        self._bitmask = weir.allocate_token_bitmask(batch, self._info.vocab_size)
        self.steps = self.tokens = 0

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer to a request. Raises BadRequest."""
        text, count = request.get("text", ""), request.get("max_tokens", MOST_TOKENS)
        if not isinstance(text, str) or not isinstance(count, int) or not 0 < count <= MOST_TOKENS:
            raise BadRequest(f"text is a string, max_tokens a number from 1 to {MOST_TOKENS}")
        schema = request.get("schema")
        try:
            if schema is not None:
                future = self._compiler.submit_json_schema(schema, profile="serving", whitespace="compact")
            elif isinstance(request.get("regex"), str):
                future = self._compiler.submit_regex(request["regex"])
            else:
                raise BadRequest("a request has a schema or a regex")
            compiled = await asyncio.wrap_future(future)
            matcher = weir.GrammarMatcher(compiled, max_tokens=count, at_text_start=False)
            prompt = self._model.prompt(schema if schema is not None else {"type": "string"}, text)
            if len(prompt) > MOST_PROMPT_TOKENS:
                raise BadRequest(f"text and schema have {len(prompt)} tokens; at most {MOST_PROMPT_TOKENS} are allowed")
        except (weir.GrammarError, weir.TokenizerError, weir.LimitExceededError, TypeError) as error:
            raise BadRequest(str(error)) from None
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        try:
            self._waiting.put_nowait(Sequence(matcher, prompt, len(prompt), answer))
        except asyncio.QueueFull:
            raise BadRequest("busy; try again later") from None
        return await answer

    async def run(self) -> None:
        """Decodes for ever; cancel the task to end it."""
        while True:
            if not self._running:
                self._running.append(await self._waiting.get())
            while len(self._running) < self._batch and not self._waiting.empty():
                self._running.append(self._waiting.get_nowait())
            # Requests that were given up have cancelled their answers.
            self._running = [sequence for sequence in self._running if not sequence.answer.done()]
            if self._running:
                try:
                    await asyncio.to_thread(self._step)  # the event loop reads requests meanwhile
                    self._finish()
                except Exception:  # the model failed: these requests end, others are served
                    logging.exception("a step failed")
                    for sequence in self._running:
                        if not sequence.answer.done():
                            sequence.answer.set_exception(BadRequest("the server failed"))
                    self._running = []

    def _step(self) -> None:
        """Adds one token to each sequence."""
        # A model on a GPU computes these rows at once, while the masks are filled here.
        logits = np.stack([self._model.logits(sequence.tokens) for sequence in self._running])
        matchers = [sequence.matcher for sequence in self._running]
        bitmask = self._bitmask[:len(matchers)]
        with contextlib.suppress(weir.LimitExceededError):  # the row is zero, and its token is refused below
            self._matchers.fill_next_token_bitmasks(matchers, bitmask)
        weir.apply_token_bitmask_inplace(logits, bitmask)
        chosen = logits.argmax(axis=1).tolist()
        for sequence, token in zip(self._running, chosen, strict=True):
            sequence.tokens.append(token)
        self.steps += 1
        self.tokens += len(chosen)

    def _finish(self) -> None:
        """Commits the tokens of the step and answers the requests whose outputs have ended."""
        still = []
        for sequence in self._running:
            try:
                accepted = sequence.matcher.accept_token(sequence.tokens[-1])
            except weir.LimitExceededError:
                accepted = False
            if sequence.answer.done():
                continue
            if not accepted:
                sequence.answer.set_exception(BadRequest("the grammar needs more than the server allows"))
            elif sequence.matcher.is_terminated():
                output = sequence.tokens[sequence.prompt_size:]
                sequence.answer.set_result({"output": self._info.decode(output).decode(), "tokens": len(output)})
            else:
                still.append(sequence)
        self._running = still


async def serve(engine: Engine, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers the requests of one connection, one after the other."""
    with contextlib.closing(writer), contextlib.suppress(ConnectionError, asyncio.CancelledError):
        while True:
            try:
                line = await reader.readline()
            except ValueError:  # longer than LINE_BYTES
                line = b"null"
            if not line:
                break
            try:
                request = json.loads(line)
                if not isinstance(request, dict):
                    raise BadRequest(f"a request is a JSON object of at most {LINE_BYTES} bytes")
                answer = await asyncio.wait_for(engine.complete(request), SECONDS)
            except (BadRequest, ValueError, asyncio.TimeoutError) as error:
                answer = {"error": str(error) or f"no answer within {SECONDS} seconds"}
            except RecursionError:
                answer = {"error": "the request is nested too deeply"}
            writer.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
            await writer.drain()


async def ask(port: int, request: dict[str, Any]) -> dict[str, Any]:
    """Sends one request and returns the answer: a client."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(json.dumps(request).encode() + b"\n")
    answer: dict[str, Any] = json.loads(await reader.readline())
    writer.close()
    return answer


CITY = {"type": "object", "properties": {"city": {"type": "string"}, "nights": {"type": "integer", "minimum": 1, "maximum": 30}},
        "required": ["city", "nights"], "additionalProperties": False}
REQUESTS: list[dict[str, Any]] = [{"text": "city: Lisbon\nnights: 4", "schema": CITY}, {"text": "nights: 12\ncity: Oslo", "schema": CITY},
            {"text": "city: Nairobi", "schema": {"enum": ["Africa", "Europe"]}}, {"regex": "[a-z", "text": ""},
            {"text": "city: Bergen\nnights: 3", "schema": CITY, "max_tokens": 2}]


async def main() -> None:
    engine = Engine(SmallModel())
    running = asyncio.create_task(engine.run())
    server = await asyncio.start_server(lambda r, w: serve(engine, r, w), "127.0.0.1", 0, limit=LINE_BYTES)
    port = server.sockets[0].getsockname()[1]
    for request, answer in zip(REQUESTS, await asyncio.gather(*(ask(port, request) for request in REQUESTS)), strict=True):
        print(json.dumps(request["text"]), "->", answer.get("output", answer.get("error")))
    print(f"more than one token a step: {engine.tokens > engine.steps}")
    server.close()
    running.cancel()


if __name__ == "__main__":
    asyncio.run(main())
