// Objects in a Worker: wrong arguments of every method, dispose at every time. No promise that `dispose` rejects ends the
// process, and no error has the code `internal`.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import * as weir from "weir/full";

const { GrammarError, TokenizerInfo, WorkerCompiledGrammar, WorkerCompiler, WorkerMatcher } = weir;
await weir.init();
const info = TokenizerInfo.fromTokens(["a", "b", "<end>"], { specialTokenIds: [2], stopTokenIds: [2] });

const unheard = [];
process.on("unhandledRejection", (error) => unheard.push(error));
after(() => assert.deepEqual(unheard, []));
/** Lets the process find promises that nobody listens to. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

const EMPTY = {};
const MINE = new RangeError("mine");
const VALUES = [undefined, null, NaN, -1, 2 ** 32 + 1, 5n, "x", Symbol("s"), () => 1, EMPTY, { constructor: 1 }, [], ["a", , "b"], new Map([["a", 1]]), Promise.resolve(), /a/, new Uint8Array(2),
  new ArrayBuffer(2), new Int32Array(1), new (class Point { x = 1; })(), Object.create({ work: 1 }), { get work() { throw MINE; } }, new Proxy({}, { ownKeys() { throw MINE; } })];

/** The methods of an object, own ones included, without those that end it. */
function methodsOf(object) {
  const names = new Set();
  for (let at = object; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) if (typeof value === "function") names.add(name);
  }
  return [...names].filter((name) => !["constructor", "dispose", "release", "call"].includes(name));
}

/** Asserts that the promise is fulfilled, or rejected with a typed error. */
async function typed(name, promise) {
  assert.ok(promise instanceof Promise, name);
  const [{ status, reason }] = await Promise.allSettled([promise]);
  if (status === "fulfilled") return true;
  if (reason === MINE) return false;  // what a getter throws reaches the caller as it is
  assert.ok(reason instanceof GrammarError, `${name}: ${reason?.stack ?? String(reason)}`);
  assert.notEqual(reason.code, "internal", `${name}: ${reason.message}`);
  return false;
}

async function make() {
  const compiler = await WorkerCompiler.create(info);
  const compiled = await compiler.compileRegex("[ab]+");
  return { compiler, compiled, matcher: await compiled.createMatcher() };
}

test("every method with every wrong argument", async () => {
  const { compiler, compiled, matcher } = await make();
  for (const [name, object] of Object.entries({ compiler, compiled, matcher })) {
    const methods = methodsOf(object);
    assert.ok(methods.length > 1, name);
    for (const method of methods) for (const value of VALUES) for (const args of [[value], ["a", value], [value, value]]) await typed(`${name}.${method}`, object[method](...args));
  }
  await matcher.reset();
  assert.deepEqual(await matcher.nextTokenBitmask(), new weir.GrammarMatcher(new weir.GrammarCompiler(info).compileRegex("[ab]+")).nextTokenBitmask());
  for (const value of VALUES) {
    assert.equal(await typed("create", WorkerCompiler.create(value)), false);
    if (value !== undefined && value !== EMPTY) assert.equal(await typed("create, limits", WorkerCompiler.create(info, value).then((made) => made.dispose())), false);
  }
  // What a message would not show: the class of an object.
  for (const [call, says] of [
    [() => compiler.compileJSONSchema(new Map()), /`schema` is a Map/], [() => compiler.compileJSONSchema({ a: { b: /a/ } }), /`schema\.a\.b` is a RegExp/],
    [() => compiled.createMatcher(new Map()), /plain object, not a Map/], [() => compiler.compileJSON(new Set()), /plain object, not a Set/], [() => compiler.compileChoice(["a", , "b"]), /`strings\[1\]`/],
    [() => matcher.rollback(2 ** 32 + 1), /cannot be taken back/], [() => matcher.acceptString(5), /`text` must be a string/],
  ]) await assert.rejects(call(), { name: "GrammarError", code: "invalid_argument", message: says });
  compiler.dispose();
});

test("private constructors", () => {
  for (const type of [WorkerCompiler, WorkerCompiledGrammar, WorkerMatcher]) {
    for (const value of VALUES) assert.throws(() => new type(value, value, value), { name: "GrammarError", code: "invalid_argument", message: /no public constructor/ });
  }
});

test("dispose twice, and calls afterwards: typed errors, and silence where nobody listens", async () => {
  const { compiler, compiled, matcher } = await make();
  const fork = await matcher.fork();
  await matcher.dispose();
  await matcher.dispose();
  for (const method of methodsOf(matcher)) {
    matcher[method]();
    await assert.rejects(matcher[method](), { name: "GrammarError", code: "invalid_argument", message: "this WorkerMatcher is disposed of" }, method);
  }
  assert.ok(await fork.acceptString("ab"));
  await compiled.dispose();
  compiled.dispose();
  for (const method of methodsOf(compiled)) {
    compiled[method]();
    await assert.rejects(compiled[method](), { code: "invalid_argument", message: "this WorkerCompiledGrammar is disposed of" });
  }
  assert.equal(await fork.text(), "ab");
  compiler.dispose();
  compiler.dispose();
  for (const method of methodsOf(compiler)) {
    compiler[method]("a");
    await assert.rejects(compiler[method]("a"), { name: "GrammarError", code: "invalid_argument", message: "this WorkerCompiler is disposed of" });
  }
  // Its objects are gone with the Worker.
  fork.text();
  await assert.rejects(fork.text(), { name: "GrammarError", code: "terminated" });
  await fork.dispose();
  await settle();
});

test("calls that wait when the Worker is disposed of are rejected, and nobody need listen", async () => {
  const { compiler, compiled, matcher } = await make();
  compiler.compileJSON();
  compiled.createMatcher();
  matcher.nextTokenBitmask();
  matcher.dispose();
  const waiting = [compiler.compileJSON(), compiled.warmUp(), matcher.acceptString("a")];
  compiler.dispose();
  for (const call of waiting.slice(0, 2)) await assert.rejects(call, { name: "GrammarError", code: "terminated" });
  await settle();
});

test("an argument that disposes of the Worker while it is read", async () => {
  const { compiler, compiled, matcher } = await make();
  await assert.rejects(compiled.createMatcher({ get atTextStart() { compiled.dispose(); return true; } }), { name: "GrammarError" });
  await assert.rejects(compiler.compileJSONSchema({ get type() { compiler.dispose(); return "string"; } }), { name: "GrammarError", code: "terminated" });
  await matcher.dispose();
  await settle();
});
