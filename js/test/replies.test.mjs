// Replies that are read while they are written. tests/conformance/replies has the rules' tests; these are of the package.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { failing } from "./failing.mjs";
import * as weir from "weir/full";
import { init, ReplyParser, structuralTagForTools, TokenizerInfo, toolStyles } from "weir/full";

await init();

const tools = [{ name: "f", parameters: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } }];
const CALL = "Hi <tool_call><function=f><parameter=a>x\"é😀</parameter></function></tool_call>";

/** Events that are of one part, joined; ranges are joined, too. */
function joined(events) {
  const out = [];
  for (const event of events) {
    const last = out.at(-1);
    if (last?.kind === event.kind && last.call === event.call && ["text", "reasoning", "arguments", "markup"].includes(event.kind)) {
      last.end = event.end;
      if ("text" in event) last.text += event.text;
    } else out.push({ ...event });
  }
  return out;
}

test("events, the reply so far, and another reply", () => {
  const parser = new ReplyParser("qwen_coder", tools);
  assert.deepEqual(parser.feed("Hi <tool"), [{ kind: "text", text: "Hi ", start: 0, end: 3 }]);
  assert.deepEqual(parser.feed("_call><function=f"), []);
  assert.deepEqual(parser.feed("><parameter=a>x"), [
    { kind: "call_begins", call: 0, name: "f", start: 3, end: 26 }, { kind: "arguments", call: 0, text: '{"a": "x', start: 26, end: 40 },
  ]);
  assert.deepEqual(parser.snapshot(), { reasoning: null, content: "Hi ", tool_calls: [{ name: "f", partial_arguments: '{"a": "x' }] });
  assert.deepEqual(parser.feed("</parameter></function></tool_call>").map(({ kind }) => kind), ["arguments", "call_ends"]);
  assert.deepEqual(parser.finish(), []);
  assert.deepEqual(parser.snapshot(), { reasoning: null, content: "Hi ", tool_calls: [{ name: "f", arguments: { a: "x" } }] });
  assert.equal(parser.size, 75);
  failing(() => parser.feed("x"), "invalid_argument", "the reply has ended");
  parser.reset();
  assert.equal(parser.size, 0);
  assert.deepEqual(parser.feed("again"), [{ kind: "text", text: "again", start: 0, end: 5 }]);
});

test("the text of a reply has all digits of a number", () => {
  const parser = new ReplyParser("hermes", null);
  parser.feed('<tool_call>{"name": "f", "arguments": {"n": 9007199254740993}}</tool_call>');
  assert.match(parser.snapshotText(), /"n": 9007199254740993}/);
  assert.equal(parser.snapshot().tool_calls[0].arguments.n, 9007199254740992);
});

test("the same events for all cuts: of the string, also within a pair of surrogates, and of its bytes", () => {
  const read = (pieces) => {
    const parser = new ReplyParser("qwen_coder", tools);
    return [joined([...pieces.flatMap((piece) => parser.feed(piece)), ...parser.finish()]), parser.snapshot()];
  };
  const whole = read([CALL]);
  assert.deepEqual(whole[1].tool_calls[0].arguments, { a: 'x"é😀' });
  const bytes = new TextEncoder().encode(CALL);
  for (let i = 0; i <= CALL.length; i++) assert.deepEqual(read([CALL.slice(0, i), CALL.slice(i)]), whole, `unit ${i}`);
  for (let i = 0; i <= bytes.length; i++) assert.deepEqual(read([bytes.subarray(0, i), bytes.subarray(i)]), whole, `byte ${i}`);
  assert.deepEqual(read([...CALL].flatMap((c) => c.split(""))), whole);
});

test("half of a pair that nothing completes is no character", () => {
  for (const end of [(parser) => parser.finish(), (parser) => parser.feed(Uint8Array.of(0x21)), (parser) => parser.feed("!")]) {
    const parser = new ReplyParser("hermes", tools);
    assert.deepEqual(parser.feed("a\ud83d").map(({ text }) => text), ["a"]);
    end(parser);
    assert.match(parser.snapshot().content, /^a\ufffd!?$/);
    assert.equal(new TextEncoder().encode(parser.snapshot().content).length, parser.size);
  }
});

test("the values of arguments and of an answer", () => {
  const parser = new ReplyParser("hermes", tools, { responseFormat: { type: "json_object" }, values: true });
  const events = [...parser.feed('{"a": [true, "x\\u00e9'), ...parser.feed('"], "b": 1.'), ...parser.feed("5, \"c\": null}"), ...parser.finish()];
  const values = events.filter(({ kind }) => kind !== "text").map(({ start, end, ...event }) => event);
  assert.deepEqual(values, [
    { kind: "object_begins", key: "", depth: 0 },
    { kind: "array_begins", key: "a", depth: 1 },
    { kind: "boolean", key: "0", depth: 2, value: true },
    { kind: "string", key: "1", depth: 2, text: "" },
    { kind: "string", key: "1", depth: 2, text: "xé" },
    { kind: "string_ends", key: "1", depth: 2 },
    { kind: "array_ends", key: "a", depth: 1 },
    { kind: "number", key: "b", depth: 1, text: "1.5" },
    { kind: "null", key: "c", depth: 1 },
    { kind: "object_ends", key: "", depth: 0 },
  ]);
  parser.dispose();
  assert.throws(() => new ReplyParser("hermes", null, { values: 1 }), /`values` must be a boolean/);
});

test("reasoning, calls that are none, ids", () => {
  const parser = new ReplyParser("hermes", tools, { reasoning: "begun" });
  const events = joined([...parser.feed('why</think><tool_call>{"name": "f", "arguments": {"a"'), ...parser.finish()]);
  assert.deepEqual(events.map(({ kind }) => kind).filter((kind) => kind !== "arguments"), ["reasoning", "reasoning_ends", "call_begins", "call_invalid"]);
  const last = events.at(-1);
  assert.equal(last.text, '<tool_call>{"name": "f", "arguments": {"a"');
  assert.ok(last.reason.length > 0);
  assert.deepEqual(parser.snapshot(), { reasoning: "why", content: last.text, tool_calls: [] });
  const kimi = new ReplyParser("kimi_k2", tools);
  const begin = kimi.feed('<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": "b"}<|tool_call_end|><|tool_calls_section_end|>').find(({ kind }) => kind === "call_begins");
  assert.deepEqual([begin.name, begin.id], ["f", "functions.f:0"]);
});

test("every style, without tools and with some", () => {
  for (const style of toolStyles()) {
    for (const given of [null, [], tools]) {
      const parser = new ReplyParser(style, given);
      assert.deepEqual(joined([...parser.feed("Hel"), ...parser.feed("lo"), ...parser.finish()]).filter(({ kind }) => kind === "text").map(({ text }) => text), ["Hello"], style);
    }
  }
});

test("tokens, special ones too", () => {
  const info = TokenizerInfo.fromTokens(["ab", "<think>", "<end>", "</think>"], { specialTokenIds: [1, 2, 3], stopTokenIds: [2] });
  const parser = new ReplyParser("hermes", null);
  parser.feedTokens([1, 0, 3], info);
  parser.feedTokens(Uint32Array.of(0, 2), info);
  parser.finish();
  assert.deepEqual(parser.snapshot(), { reasoning: "ab", content: "ab", tool_calls: [] });
  failing(() => new ReplyParser("hermes").feedTokens([4], info), "invalid_argument", "4");
});

test("a reply that is cut gives what was held back", () => {
  const parser = new ReplyParser("hermes", tools, { mode: "strict" });
  parser.feed("Use the <tool_ca");
  assert.deepEqual(parser.cut().map((event) => event.text), ["<tool_ca"]);
  assert.equal(parser.snapshot().content, "Use the <tool_ca");
  failing(() => parser.cut(), "invalid_argument", "the reply has ended");
});

test("strict: what the tag refuses is an error at its byte, and the parser is as before", () => {
  const parser = new ReplyParser("hermes", tools, { mode: "strict", toolChoice: "required" });
  parser.feed("<tool_call>");
  const error = failing(() => parser.feed('{"no"}'), "invalid_argument", "does not follow its tag");
  assert.deepEqual(error.range, { start: 14, end: 17 });
  assert.match(error.rendered, /^error: the reply does not follow/);
  failing(() => parser.finish(), "invalid_argument", "is not complete");
  parser.feed('{"name": "f", "arguments": {"a": ""}}</tool_call>');
  parser.finish();
  assert.deepEqual(parser.snapshot().tool_calls, [{ name: "f", arguments: { a: "" } }]);
});

test("an answer under a schema: objects, zod's schemas and texts, and what is none", () => {
  const schema = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
  for (const given of [schema, { toJSONSchema: () => schema }]) {
    const parser = new ReplyParser("hermes", tools, { mode: "strict", responseFormat: { type: "json_object", schema: given } });
    failing(() => parser.feed("{}"), "invalid_argument", "does not follow its tag");
    parser.feed('{"a": 1}');
    parser.finish();
    assert.equal(parser.snapshot().content, '{"a": 1}');
  }
  const text = JSON.stringify({ type: "json_schema", json_schema: { schema } });
  assert.deepEqual(structuralTagForTools("hermes", tools, { responseFormat: text }), structuralTagForTools("hermes", tools, { responseFormat: JSON.parse(text) }));
  assert.deepEqual(structuralTagForTools("hermes", tools, { responseFormat: null }), structuralTagForTools("hermes", tools));
  assert.deepEqual(structuralTagForTools("hermes", null), structuralTagForTools("hermes", []));
  const error = failing(() => structuralTagForTools("hermes", tools, { responseFormat: { type: "json_object", shema: {} } }), "invalid_argument", "`responseFormat`: a response format has no member `shema`");
  assert.match(error.hint, /`schema`/);
  failing(() => structuralTagForTools("hermes", tools, { responseFormat: 5 }), "invalid_argument", "`responseFormat` must be JSON text or an object, not 5");
  failing(() => structuralTagForTools("hermes", tools, { maxReasoningTokens: 5 }), "invalid_argument", "`maxReasoningTokens` has no effect");
  try {
    structuralTagForTools("hermes", tools, { maxReasoningTokens: 5 });
  } catch (error) {
    assert.deepEqual(error.options, ["maxReasoningTokens", "reasoning"]);
    assert.match(error.rendered, /`maxReasoningTokens` has no effect/);
  }
  failing(() => structuralTagForTools("hermes", tools, { toolChoice: "requird" }), "invalid_argument", "`toolChoice`: ");
});

test("wrong arguments", () => {
  assert.match(failing(() => new ReplyParser("hermez", tools), "invalid_argument", "hermez").hint, /hermes/);
  failing(() => new ReplyParser("hermes", "[{"), "syntax", "");
  failing(() => new ReplyParser("hermes", tools, { mode: "lax" }), "invalid_argument", '`mode` must be one of "tolerant", "strict", not "lax"');
  assert.match(failing(() => new ReplyParser("hermes", tools, { Mode: "strict" }), "invalid_argument", "unknown option `Mode`").hint, /`mode`/);
  failing(() => new ReplyParser("hermes", tools, { toolChoice: 5 }), "invalid_argument", "`toolChoice` must be a string or an object");
  new ReplyParser("hermes", tools, { mode: null, toolChoice: null, reasoning: null, parallelToolCalls: null }).dispose();
  const limits = { textBytes: 200 };
  const parser = new ReplyParser("hermes", tools, {}, limits);
  const error = failing(() => parser.feed("x".repeat(201)), "limit_exceeded", "longer than the limit");
  assert.deepEqual([error.limit, parser.size], ["textBytes", 0]);
  parser.dispose();
  failing(() => parser.feed("x"), "invalid_argument", "is disposed of");
  failing(() => parser.snapshot(), "invalid_argument", "is disposed of");
});

test("a parser of a grammar gives its captures, and follows a matcher", () => {
  const info = weir.TokenizerInfo.fromTokens([..."ab=12", "<end>"], { specialTokenIds: [5], stopTokenIds: [5] });
  const compiler = new weir.GrammarCompiler(info);
  const compiled = compiler.compileGrammar('root ::= @capture(name: [ab]+) "=" [12]+');
  const shown = (events) => events.map(({ kind, name, text }) => [kind, name ?? "", text ?? ""].join(" ").trim());
  const parser = ReplyParser.forGrammar(compiled);
  assert.deepEqual(shown(parser.feed("ab=1")), ["capture_begins name", "capture name ab", "capture_ends name", "text  =1"]);
  assert.deepEqual(parser.finish(), []);
  assert.deepEqual(parser.snapshot(), { content: "=1", captures: [{ name: "name", start: 0, end: 2, text: "ab" }] });
  parser.reset();
  const matcher = new weir.GrammarMatcher(compiled);
  matcher.acceptToken(0);
  assert.deepEqual(shown(parser.follow(matcher)), ["capture_begins name", "capture name a"]);
  matcher.rollback(1);
  failing(() => parser.follow(matcher), "invalid_argument", "was taken back to step 0");
  failing(() => parser.feed("a"), "invalid_argument", "follows a matcher");
  failing(() => ReplyParser.forGrammar(compiler.compileRegex("a")), "invalid_argument", "which parts");
  const values = ReplyParser.forGrammar(compiler.compileJSONSchema({ type: "integer" }));
  assert.deepEqual(values.feed("12").map((event) => event.kind), ["text"]);
  assert.deepEqual(values.finish().map((event) => event.kind), ["number"]);
});

test("the example of docs/javascript.md prints what it shows", async () => {
  const page = readFileSync(new URL("../../docs/javascript.md", import.meta.url), "utf8");
  const [, code, output] = /```js\n(import \{ init, ReplyParser \}[^]*?)```\n\n```output\n([^]*?)```/.exec(page);
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
  const printed = [];
  await new AsyncFunction(...Object.keys(weir), "console", code.replace(/^import .*$/m, ""))(...Object.values(weir), { log: (line) => printed.push(line) });
  assert.deepEqual(printed, output.trimEnd().split("\n"));
});
