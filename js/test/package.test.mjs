// The package's own behaviour: objects, errors, freeing, bad input.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { failing } from "./failing.mjs";
import { init } from "weir/full";
import * as weir from "weir/full";
import {
  allocateTokenBitmask, applyTokenBitmaskInplace, BatchGrammarMatcher, bitmaskWords, checkGrammar, checkSchema, explainRefusal, Grammar, GrammarCompiler,
  GrammarError, GrammarMatcher, isTokenInBitmask, KbnfEngine, languageNames, lineColumn, memoryBytes, structuralTagForTools, TokenizerInfo, toolStyles, version, WorkerCompiler,
} from "weir/full";

await init();

const info = TokenizerInfo.builtin();
const compiler = new GrammarCompiler(info);

test("a decoding loop", () => {
  const compiled = compiler.compileJSONSchema({ type: "array", items: { enum: ["red", "green"] }, minItems: 2 }, { whitespace: "compact" });
  const matcher = new GrammarMatcher(compiled);
  const bitmask = allocateTokenBitmask(1, info.vocabSize);
  const output = [];
  for (let step = 0; !matcher.isTerminated() && step < 100; step++) {
    matcher.fillNextTokenBitmask(bitmask);
    const logits = Float32Array.from({ length: info.vocabSize }, (_, i) => Math.sin(i * 12.9898 + step * 78.233) * (info.stopTokenIds.includes(i) ? 10 : 1));
    applyTokenBitmaskInplace(logits, bitmask);
    const token = logits.indexOf(Math.max(...logits));
    assert.ok(isTokenInBitmask(bitmask, token) && matcher.acceptToken(token));
    output.push(token);
  }
  if (!matcher.isTerminated()) assert.ok(matcher.acceptString(matcher.shortestCompletion()));
  const value = JSON.parse(matcher.text());
  assert.ok(value.length >= 2 && value.every((item) => item === "red" || item === "green"));
});

test("matchers: rollback, fork, drafts, forced text, captures, explanations", () => {
  const compiled = compiler.compileGrammar('root ::= "ab" @capture(rest: [0-9]+) "."');
  const matcher = new GrammarMatcher(compiled);
  assert.equal(matcher.findJumpForwardString(), "ab");
  assert.ok(matcher.acceptString("ab12"));
  const fork = matcher.fork();
  assert.ok(fork.acceptString("."));
  assert.ok(fork.isCompleted() && !matcher.isCompleted());
  assert.deepEqual(fork.captures(), [{ name: "rest", start: 2, end: 4, text: "12", complete: true }]);
  assert.equal(matcher.shortestCompletion(), ".");
  assert.deepEqual(matcher.shortestCompletionParts(), [{ text: "." }]);
  const x = info.tokenize("x")[0];
  const why = matcher.explain(x);
  assert.equal(why.allowed, false);
  assert.ok(why.reason.length > 0 && why.expected.bytes.includes(0x2e));
  assert.equal(matcher.acceptToken(x), false);
  assert.equal(matcher.isTokenAllowed(x), false);
  const [one, dot] = [info.tokenize("1")[0], info.tokenize(".")[0]];
  const rows = allocateTokenBitmask(3, info.vocabSize);
  assert.deepEqual(matcher.fillDraftTreeBitmasks([one, dot, x], [-1, 0, 0], rows), ["ok", "ok", "refused"]);
  const words = bitmaskWords(info.vocabSize);
  assert.ok(isTokenInBitmask(rows.subarray(0, words), dot) && rows.subarray(2 * words).every((word) => word === 0));
  matcher.rollback();
  assert.equal(matcher.stepCount, 0);
  matcher.reset();
  assert.equal(typeof matcher.stateId, "number");
  assert.equal(matcher.stateStats().maskKnown, false);
  assert.equal(typeof matcher.nextTokenMaskId(), "bigint");
  assert.equal(matcher.limitMessage(), "");
  assert.equal(matcher.temperature, undefined);
  assert.ok(matcher.expected().terminals.length > 0);
});

test("forced text has whole characters only", () => {
  const matcher = new GrammarMatcher(compiler.compileGrammar('root ::= "世\uFFFD" [0-9x]'));
  assert.equal(matcher.findJumpForwardString(), "世\uFFFD");  // U+FFFD is a character of the grammar, not a sign of half of one
  assert.ok(matcher.acceptString(Uint8Array.of(0xe4)));
  assert.deepEqual(matcher.findJumpForwardBytes(), Uint8Array.of(0xb8, 0x96, 0xef, 0xbf, 0xbd));
  assert.equal(matcher.findJumpForwardString(), "");
  assert.ok(matcher.acceptString(Uint8Array.of(0xb8)));
  assert.equal(matcher.findJumpForwardString(), "");
  assert.ok(matcher.acceptString(Uint8Array.of(0x96)));
  assert.equal(matcher.findJumpForwardString(), "\uFFFD");
  // The two begin with the same two bytes.
  assert.equal(new GrammarMatcher(compiler.compileChoice(["a世", "a丗"])).findJumpForwardString(), "a");
});

test("a byte order mark is a character like others", () => {
  const matcher = new GrammarMatcher(compiler.compileGrammar('root ::= @capture(mark: "\uFEFF") "a"'));
  assert.equal(matcher.findJumpForwardString(), "\uFEFFa");
  assert.equal(matcher.shortestCompletion(), "\uFEFFa");
  assert.deepEqual(matcher.shortestCompletionParts(), [{ text: "\uFEFFa" }]);
  assert.ok(matcher.acceptString("\uFEFFa"));
  assert.equal(matcher.text(), "\uFEFFa");
  assert.equal(matcher.captures()[0].text, "\uFEFF");
  assert.equal(info.decode(info.tokenize("\uFEFFa")), "\uFEFFa");
});

test("batches", () => {
  const compiled = compiler.compileChoice(["yes", "no"]);
  const matchers = [new GrammarMatcher(compiled), null, new GrammarMatcher(compiled)];
  const words = bitmaskWords(info.vocabSize);
  const rows = allocateTokenBitmask(3, info.vocabSize);
  const batch = new BatchGrammarMatcher();
  assert.deepEqual(batch.fillNextTokenBitmasks(matchers, rows), ["ok", "ok", "ok"]);
  assert.ok(rows.subarray(words, 2 * words).every((word) => word === -1));
  const [y, n] = [info.tokenize("y")[0], info.tokenize("n")[0]];
  assert.deepEqual(batch.acceptTokens(matchers, [y, 0, n]), ["ok", "ok", "ok"]);
  assert.deepEqual([matchers[0].text(), matchers[2].text()], ["y", "n"]);
});

test("tokenizers", () => {
  assert.equal(info.decode(info.tokenize("Grüße, 世界")), "Grüße, 世界");
  const again = TokenizerInfo.deserialize(info.serialize());
  assert.equal(again.vocabSize, info.vocabSize);
  assert.equal(again.kind, info.kind);
  const list = TokenizerInfo.fromTokens(["a", "b", "<end>"], { specialTokenIds: [2], stopTokenIds: [2], paddedVocabSize: 40 });
  assert.deepEqual([list.vocabSize, list.kind, list.tokenName(2), list.tokenKind(39), list.findSpecialToken("<end>"), list.findSpecialToken("x")],
    [40, "token list", "<end>", "unused", 2, undefined]);
  assert.equal(list.canonicalSupport() === undefined || list.canonicalSupport() instanceof GrammarError, true);
  const prompt = info.tokenize("The answer is ");
  const healing = info.heal(prompt);
  assert.ok(healing.tokens > 0 && healing.bytes.length > 0);
  assert.deepEqual(info.decodeBytes(prompt.slice(-healing.tokens)), healing.bytes);
  assert.equal(info.clone().vocabSize, info.vocabSize);
  failing(() => TokenizerInfo.fromGGUF(new Uint8Array(10)), "invalid_argument", "GGUF");
  failing(() => TokenizerInfo.fromJSON({ model: 1 }), "invalid_argument", "");
  failing(() => TokenizerInfo.fromFile(new Uint8Array(0)), "invalid_argument", "");
});

test("grammars by name", () => {
  assert.ok(languageNames().includes("sqlite"));
  const tables = JSON.stringify({ users: ["id", "name"] });
  const matcher = new GrammarMatcher(compiler.compileGrammar(tables, { language: "sqlite" }));
  assert.ok(matcher.acceptString("SELECT u.name FROM users u"));
  assert.ok(!new GrammarMatcher(compiler.compileGrammar(tables, { language: "sqlite" })).acceptString("SELECT age FROM"));
  assert.throws(() => compiler.compileGrammar("", { language: "sqlit" }), /did you mean `sqlite`/);
  const tag = { type: "structural_tag", format: { type: "language", name: "postgresql", start: "query" } };
  assert.ok(new GrammarMatcher(compiler.compileStructuralTag(tag)).acceptString("SELECT a::int FROM t"));
});

test("grammars: joined, converted, checked", () => {
  const joined = Grammar.concat([Grammar.fromRegex("[a-z]+: "), Grammar.anyOf([Grammar.fromJSONSchema(true), Grammar.fromChoice(["none"])])]);
  assert.ok(new GrammarMatcher(compiler.compile(joined)).acceptString("a: [1]"));
  assert.ok(Grammar.fromEBNF('root ::= "a"+').convert("gbnf").includes("root ::="));
  assert.equal(new RegExp(`^(?:${Grammar.fromEBNF('root ::= "a" [0-9]').convert("regex")})$`).test("a7"), true);
  const [finding] = checkGrammar('root ::= "ä"\nspare ::= "b"\n');
  assert.deepEqual([finding.severity, finding.code, finding.range.start], ["warning", "unused-rule", 13]);
  assert.ok(finding.rendered.includes("^"));
  assert.equal(checkSchema({ type: "integer", minimum: 3, maximum: 2 }).length > 0, true);
  assert.equal(toolStyles().includes("hermes"), true);
  assert.equal(structuralTagForTools("hermes", [], { toolChoice: "auto" }).type, "structural_tag");
  assert.match(version(), /^\d+\.\d+\.\d+$/);
  assert.deepEqual(lineColumn("a\nüb", 3), { line: 2, column: 2 });
});

test("the keywords that refuse a text", () => {
  const schema = '{"title": "😀", "type": "object", "properties": {"ä": {"maxLength": 2}}, "required": ["ä"]}';
  const [found, ...more] = explainRefusal(schema, '{"ä": "😀😀😀"}');
  assert.deepEqual([found.code, found.pointer, schema.slice(found.range.start, found.range.end), more.length], ["refused", "/properties/ä/maxLength", "2", 0]);
  assert.deepEqual(explainRefusal({ required: ["a"] }, "{}").map((one) => one.pointer), ["/required"]);
  assert.deepEqual(explainRefusal({ required: ["a"] }, "{"), []);
  assert.deepEqual(explainRefusal({ type: "integer" }, "1.0"), []);
  assert.deepEqual(explainRefusal({ type: "integer" }, "1.0", { profile: "serving" }).map((one) => one.pointer), ["/type"]);
  failing(() => explainRefusal({}, 3), "invalid_argument", "`text` must be a string");
});

test("errors point at the place, in units of JavaScript", () => {
  const text = 'root ::= "😀" exprs\nexpr ::= "b"\n';
  const error = failing(() => compiler.compileGrammar(text), "invalid_argument", "exprs");
  assert.equal(text.slice(error.range.start, error.range.end), "exprs");
  assert.ok(error.hint.includes("expr") && error.rendered.includes("^~~~~"));
  assert.equal(text.slice(0, error.fix.range.start) + error.fix.replacement + text.slice(error.fix.range.end), 'root ::= "😀" expr\nexpr ::= "b"\n');
  const schema = failing(() => compiler.compileJSONSchema({ properties: { a: { type: "strin" } } }), "invalid_argument", "");
  assert.equal(schema.pointer.startsWith("/properties/a"), true);
});

test("profiles of options", () => {
  const serving = compiler.compileJSONSchema({ type: "integer" }, { profile: "serving" });
  assert.equal(new GrammarMatcher(serving).acceptString("1.0"), false);
  assert.ok(new GrammarMatcher(compiler.compileJSONSchema({ type: "integer" }, { profile: "serving", integers: "any" })).acceptString("1.0"));
  failing(() => compiler.compileJSONSchema({}, { profile: "fast" }), "invalid_argument", "profile");
  const inLark = (jsonSchema) => compiler.compileGrammar('start: %json {"type": "integer"}', { syntax: "lark", jsonSchema });
  assert.ok(new GrammarMatcher(inLark(undefined)).acceptString("1.0"));
  assert.equal(new GrammarMatcher(inLark({ profile: "serving" })).acceptString("1.0"), false);
  failing(() => inLark({ profile: "fast" }), "invalid_argument", "profile");
});

test("bad input is an error that says what", () => {
  const compiled = compiler.compileRegex("[ab]+");
  const matcher = new GrammarMatcher(compiled);
  failing(() => compiler.compileJSONSchema(5), "invalid_argument", "`schema` must be JSON text or an object, not 5");
  failing(() => compiler.compileRegex(undefined), "invalid_argument", "`pattern` must be a string");
  failing(() => compiler.compileRegex("a", { dialekt: "rust" }), "invalid_argument", "unknown option `dialekt`");
  failing(() => compiler.compileRegex("a", { dialect: "ruts" }), "invalid_argument", '"rust"');
  failing(() => compiler.compileRegex("a", { ignoreCase: 1 }), "invalid_argument", "`ignoreCase` must be true or false");
  failing(() => compiler.compileJSONSchema({}, { indent: -1 }), "invalid_argument", "`indent` must be a whole number");
  failing(() => new GrammarCompiler({}), "invalid_argument", "TokenizerInfo");
  failing(() => new GrammarMatcher({}), "invalid_argument", "CompiledGrammar");
  failing(() => matcher.fillNextTokenBitmask(new Int32Array(3)), "invalid_argument", "words");
  failing(() => matcher.fillNextTokenBitmask([]), "invalid_argument", "Int32Array");
  const detached = new Int32Array(bitmaskWords(info.vocabSize));
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  failing(() => matcher.fillNextTokenBitmask(detached), "invalid_argument", "");
  failing(() => matcher.acceptToken(info.vocabSize), "invalid_argument", "no token id");
  failing(() => matcher.acceptToken(-1), "invalid_argument", "no token id");
  failing(() => matcher.acceptToken(1.5), "invalid_argument", "no token id");
  failing(() => matcher.rollback(1), "invalid_argument", "cannot be taken back");
  failing(() => matcher.fillDraftTreeBitmasks([1], [0], allocateTokenBitmask(1, info.vocabSize)), "invalid_argument", "parent");
  assert.ok(matcher.acceptString("ab") && matcher.acceptToken(info.stopTokenIds[0]));
  failing(() => matcher.acceptToken(0), "terminated", "stop token");
  failing(() => matcher.fillNextTokenBitmask(allocateTokenBitmask(1, info.vocabSize)), "terminated", "stop token");
  matcher.dispose();
  matcher.dispose();
  failing(() => matcher.acceptToken(0), "invalid_argument", "disposed of");
  const large = { type: "string", description: "x".repeat(10_000_000) };
  assert.ok(new GrammarMatcher(compiler.compileJSONSchema(large)).acceptString('"a'));
  const small = new GrammarCompiler(info, { textBytes: 1 << 20 });
  assert.equal(failing(() => small.compileJSONSchema(large), "limit_exceeded", "").limit, "textBytes");
  failing(() => compiler.compileJSONSchema(`${JSON.stringify(large).slice(0, -1)},`), "syntax", "");
  failing(() => compiler.compileJSONSchema("[".repeat(100_000)), "limit_exceeded", "");
  failing(() => compiler.compileGrammar(`root ::= ${"(".repeat(100_000)}`), "limit_exceeded", "");
  // The instance is still usable.
  assert.ok(new GrammarMatcher(compiler.compileRegex("[ab]+")).acceptString("ab"));
});

test("10,000 grammars made and disposed of: the memory does not grow", () => {
  const own = new GrammarCompiler(TokenizerInfo.builtin(), { cacheMemory: 0 });
  const round = (n) => {
    for (let i = 0; i < n; i++) {
      const compiled = own.compileRegex(`[a-f]{${i % 5},9}`);
      const matcher = new GrammarMatcher(compiled);
      matcher.acceptString("abc");
      matcher.dispose();
      compiled.dispose();
    }
  };
  round(1000);
  const before = memoryBytes();
  round(10_000);
  assert.equal(memoryBytes(), before);
});

test("what nobody disposes of is freed after the garbage collector found it", { skip: typeof gc !== "function" && "needs --expose-gc" }, async () => {
  const own = new GrammarCompiler(TokenizerInfo.builtin(), { cacheMemory: 0 });
  const round = async () => {
    for (let i = 0; i < 500; i++) new GrammarMatcher(own.compileRegex("[a-f]{2,9}")).acceptString("abc");
    for (let i = 0; i < 3; i++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  for (let i = 0; i < 3; i++) await round();
  const before = memoryBytes();
  for (let i = 0; i < 6; i++) await round();
  assert.equal(memoryBytes(), before);
});

test("kbnf's calls", () => {
  const engine = new KbnfEngine("start ::= 'ab' | 'ac';", info);
  assert.equal(engine.computeAllowedTokenIds(), "ongoing");
  const a = info.tokenize("a")[0];
  assert.ok(engine.checkIfTokenIsAllowed(a) && engine.allowedTokenIds().includes(a));
  assert.equal(engine.allowedTokenIds().length + engine.disallowedTokenIds().length, info.vocabSize);
  const logits = new Float32Array(info.vocabSize);
  engine.maskLogits(logits);
  assert.equal(logits.filter((l) => l === 0).length, engine.allowedTokenIds().length);
  assert.equal(engine.tryAcceptNewToken(a), "ongoing");
  assert.equal(engine.tryAcceptNewBytes("c"), "finished");
  assert.ok(engine.isFinished());
  engine.reset();
  assert.equal(engine.isFinished(), false);
});

test("warm-up computes masks and changes none", () => {
  const schema = { type: "object", properties: { id: { type: "integer" }, kind: { enum: ["red", "green"] } }, required: ["id", "kind"] };
  const [warm, cold] = [0, 1].map(() => new GrammarCompiler(info).compileJSONSchema(schema));
  assert.deepEqual(warm.warmUp({ work: 0 }), { work: 0, masks: 0, isComplete: false });
  const report = warm.warmUp();
  assert.ok(report.work > 0 && report.work <= 60_000 && report.masks > 0);
  assert.equal(warm.stats().masks, report.masks);
  const [one, other] = [warm, cold].map((compiled) => new GrammarMatcher(compiled));
  const [ours, theirs] = [0, 1].map(() => allocateTokenBitmask(1, info.vocabSize));
  for (const token of info.tokenize('{"id": 381, "kind": "green"}')) {
    one.fillNextTokenBitmask(ours);
    other.fillNextTokenBitmask(theirs);
    assert.deepEqual(ours, theirs);
    assert.ok(one.acceptToken(token) && other.acceptToken(token));
  }
  assert.throws(() => cold.warmUp({ work: -1 }), GrammarError);
  assert.throws(() => cold.warmUp({ much: 1 }), GrammarError);
});

test("a compiler in a Worker", async () => {
  const worker = await WorkerCompiler.create(info);
  const compiled = await worker.compileJSONSchema({ enum: ["yes", "no"] });
  const matcher = await compiled.createMatcher();
  const here = new GrammarMatcher(compiler.compileJSONSchema({ enum: ["yes", "no"] }));
  const expected = allocateTokenBitmask(1, info.vocabSize);
  here.fillNextTokenBitmask(expected);
  assert.deepEqual(await matcher.nextTokenBitmask(), expected);
  assert.ok((await compiled.warmUp({ work: 5_000 })).masks > 0);
  await assert.rejects(compiled.warmUp({ much: 1 }), GrammarError);
  assert.equal(await matcher.acceptString('"ye'), true);
  assert.equal(await matcher.shortestCompletion(), 's"');
  await assert.rejects(worker.compileGrammar("root ::= x"), (error) => error instanceof GrammarError && error.rendered.includes("^"));
  await assert.rejects(worker.compileJSONSchema(3), GrammarError);
  await assert.rejects(worker.compileChoice([() => 1]), (error) => error.code === "invalid_argument");
  const pending = assert.rejects(worker.compileJSON(), (error) => error.code === "terminated");
  worker.dispose();
  await pending;
  await assert.rejects(WorkerCompiler.create(info, { much: 1 }), GrammarError);
});

test("require gives the same", async () => {
  const required = createRequire(import.meta.url)("weir/full");
  await required.init();
  assert.deepEqual(Object.keys(required).sort(), Object.keys(weir).sort());
  const theirs = new required.GrammarCompiler(required.TokenizerInfo.builtin());
  assert.ok(new required.GrammarMatcher(theirs.compileRegex("a")).acceptString("a"));
});

test("weir/single has the module inside", async () => {
  const required = createRequire(import.meta.url)("weir/single");
  await required.init();
  assert.equal(required.TokenizerInfo.builtin().vocabSize, info.vocabSize);
});

test("masks and logits: types and sizes are checked", () => {
  const mask = allocateTokenBitmask(1, 40);
  mask.fill(0);
  mask[0] = 1;
  for (const logits of [new Float32Array(40), new Float64Array(70), Array(33).fill(0), ...(globalThis.Float16Array ? [new Float16Array(40)] : [])]) {
    applyTokenBitmaskInplace(logits, mask);
    assert.deepEqual([logits[0], logits[1], logits[logits.length - 1]], [0, -Infinity, -Infinity]);
  }
  applyTokenBitmaskInplace(new Float32Array(40), new Uint32Array(mask.buffer));
  for (const logits of [new Uint16Array(40), new Int32Array(40), new Uint8Array(40), new BigInt64Array(40), {}, "0", undefined, null, new DataView(new ArrayBuffer(40))]) {
    failing(() => applyTokenBitmaskInplace(logits, mask), "invalid_argument", "`logits` must be");
  }
  for (const bitmask of [[1, 2], new Float32Array(2), new Uint8Array(8), undefined, {}]) failing(() => applyTokenBitmaskInplace(new Float32Array(40), bitmask), "invalid_argument", "`bitmask` must be");
  for (const size of [0, 5, 32]) failing(() => applyTokenBitmaskInplace(new Float32Array(size), mask), "invalid_argument", "2 words");
  failing(() => applyTokenBitmaskInplace(new Float32Array(40), new Int32Array(0)), "invalid_argument", "0 words");
  for (const args of [[1], [1, 0], [1, -1], [1, NaN], [-1, 40], [1.5, 40], ["1", 40], [1, "40"], []]) failing(() => allocateTokenBitmask(...args), "invalid_argument", "must be a whole number");
  assert.equal(allocateTokenBitmask(0, 40).length, 0);
  failing(() => allocateTokenBitmask(2 ** 32 - 1, 2 ** 32 - 1), "out_of_memory", "no memory");
  assert.deepEqual([isTokenInBitmask(mask, 0), isTokenInBitmask(mask, 1), isTokenInBitmask(mask, 5000)], [true, false, false]);
  for (const token of [-1, 2 ** 32, 0.5, "0", undefined]) failing(() => isTokenInBitmask(mask, token), "invalid_argument", "`token` must be a whole number");
});

test("a matcher's rows, steps and ids are numbers as they are, not modulo 2 ** 32", () => {
  const matcher = new GrammarMatcher(compiler.compileRegex("[ab]+"));
  assert.ok(matcher.acceptString("a"));
  for (const steps of [2, 2 ** 32 + 1, 2 ** 53 - 1]) failing(() => matcher.rollback(steps), "invalid_argument", "cannot be taken back; there are 1");
  for (const steps of [-1, 0.5, NaN, "1", null, 2 ** 60]) failing(() => matcher.rollback(steps), "invalid_argument", "`steps` must be a whole number");
  for (const token of [2 ** 32, 2 ** 32 + 97, -(2 ** 32) + 97]) {
    for (const call of ["acceptToken", "isTokenAllowed", "explain"]) failing(() => matcher[call](token), "invalid_argument", "`token`");
  }
  const rows = allocateTokenBitmask(2, info.vocabSize);
  for (const index of [2, 2 ** 32, -1, 0.5, "1"]) failing(() => matcher.fillNextTokenBitmask(rows, index), "invalid_argument", "`index` must be a whole number from 0 to 1");
  // A bound that leaves one value is that value.
  const one = allocateTokenBitmask(1, info.vocabSize);
  assert.equal(failing(() => matcher.fillNextTokenBitmask(one, 1), "invalid_argument", "`index` must be 0, not 1").hint, `\`bitmask\` has one row of ${one.length} words`);
  assert.match(failing(() => matcher.fillDraftTreeBitmasks([1], [0], one), "invalid_argument", "`parents[0]` must be -1, not 0").hint, /a node before, or -1/);
  failing(() => matcher.fillDraftTreeBitmasks([1, 1], [-1, 1], rows), "invalid_argument", "`parents[1]` must be a whole number from -1 to 0, not 1");
  for (const text of [undefined, null, 5, [], {}, new ArrayBuffer(1), new Int8Array(1), new String("a")]) {
    for (const call of ["acceptString", "acceptText", "longestViablePrefix"]) failing(() => matcher[call](text), "invalid_argument", "must be a string or a Uint8Array, not");
  }
  assert.equal(matcher.stepCount, 1);
});

test("what only the compiler finds in tools is shown in the tools", () => {
  const wrongTools = [{ name: "ok" }, { name: "g", parameters: { properties: { "ä": { $ref: "https://example.com/x" } } } }];
  const shown = failing(() => compiler.compileStructuralTag(structuralTagForTools("hermes", wrongTools)), "invalid_argument", "tool `g`, argument `ä`: ");
  assert.equal(shown.pointer, "/1/parameters/properties/ä/$ref");
  assert.match(shown.rendered, /^<tools>:1:/);
  assert.equal(JSON.stringify(wrongTools).slice(shown.range.start, shown.range.end), '"https://example.com/x"');
});

test("a warning about tools is shown in the tools, once", () => {
  const tools = [{ name: "ok" }, { name: "ä", parameters: { properties: { z: { type: "array", items: [] } } } }];
  const { warnings } = compiler.compileStructuralTag(structuralTagForTools("hermes", tools));
  assert.equal(warnings.length, 1);
  assert.equal(warnings[0].text, JSON.stringify(tools));
  assert.equal(warnings[0].pointer, "/1/parameters/properties/z/items");
  assert.match(warnings[0].rendered, /^<tools>:1:/);
  assert.equal(warnings[0].text.slice(warnings[0].range.start, warnings[0].range.end), "[]");
});

test("options without effect, names in the style of C, objects of a class: errors", () => {
  for (const options of [{ whitespacePattern: " ?" }, { whitespace: "none", whitespaceLimit: 3 }, { indent: 2 }, { whitespace: "compact", indent: 2 }]) {
    failing(() => compiler.compileJSONSchema({}, options), "invalid_argument", "has no effect without `whitespace:");
  }
  failing(() => compiler.compileStructuralTag({}, { jsonSchema: { indent: 2 } }), "invalid_argument", "`jsonSchema.indent` has no effect without `jsonSchema.whitespace");
  for (const options of [{ whitespacePattern: " ?", whitespace: "pattern" }, { whitespaceLimit: 3 }, { whitespaceLimit: 3, whitespace: "bounded" }, { profile: "serving", whitespaceLimit: 3 }, { whitespace: "indented", indent: 2 }]) {
    compiler.compileJSONSchema({}, options);
  }
  assert.match(failing(() => compiler.compileJSONSchema({}, { whitespace_limit: 3 }), "invalid_argument", "unknown option `whitespace_limit`").hint, /`whitespaceLimit`/);
  for (const key of ["constructor", "toString", "__proto__x", "structSize", "documentCount"]) failing(() => compiler.compileJSONSchema({}, { [key]: 1 }), "invalid_argument", `unknown option \`${key}\``);
  for (const options of [null, 5, "serving", [], new Map([["whitespace", "none"]]), Promise.resolve({}), new (class { whitespace = "none"; })(), Object.create({ whitespace: "none" })]) {
    failing(() => compiler.compileJSONSchema({}, options), "invalid_argument", "`options` must be a plain object, not");
  }
  const lines = 'start: "a" _NEWLINE _INDENT "b" _DEDENT\n_NEWLINE: /(\\n[ \\t]*)+/\n%declare _INDENT _DEDENT\n';
  for (const indenter of [{ tab_len: 4 }, '{"tab_len": 4}']) compiler.compileGrammar(lines, { syntax: "lark", indenter });
  failing(() => compiler.compileGrammar(lines, { syntax: "lark", indenter: { tabLen: 4 } }), "unsupported", "tabLen");
  failing(() => compiler.compileGrammar('root ::= "a"', { indenter: {} }), "invalid_argument", "`indenter` has no effect");
  failing(() => new GrammarMatcher(compiler.compileRegex("a"), { stopTokenIds: [] }), "invalid_argument", "`stopTokenIds` is empty");
  failing(() => structuralTagForTools("hermes", [], { toolChoice: 5 }), "invalid_argument", "`toolChoice` must be a string or an object, not 5");
  assert.deepEqual(structuralTagForTools("hermes", [], { toolChoice: null, reasoning: null, parallelToolCalls: null }), structuralTagForTools("hermes", []));
  failing(() => compiler.compileJSONSchema({}, { documents: [{ uri: "a:b" }] }), "invalid_argument", "`documents[0].text` is missing");
});

test("errors have the names of JavaScript", () => {
  const small = new GrammarCompiler(info, { callWork: 20 });
  const error = failing(() => small.compileJSONSchema({ type: "object", properties: { a: { type: "string", maxLength: 1000 } } }), "limit_exceeded", "`callWork`");
  assert.ok(error.limit === "callWork" && error.hint.includes("`callWork` of the limits") && !/call_work|Limits::/.test(error.rendered), error.rendered);
  const padded = failing(() => TokenizerInfo.fromTokens(["a", "b"], { paddedVocabSize: 1 }), "invalid_argument", "`paddedVocabSize`");
  assert.doesNotMatch(padded.rendered, /padded_vocab_size/);
  const outside = failing(() => info.decode([1, info.vocabSize]), "invalid_argument", `\`ids[1]\` is ${info.vocabSize}, which is no token id`);
  assert.equal(outside.hint, `ids go from 0 to ${info.vocabSize - 1}`);
  failing(() => TokenizerInfo.fromJSON(undefined), "invalid_argument", "not undefined");
  failing(() => compiler.compileRegex(null), "invalid_argument", "not null");
  failing(() => compiler.compileRegex("a", { dialect: "x".repeat(1000) }), "invalid_argument", "…");
});
