// Errors of the caller's own code that runs during a call, and of the module itself. The last test loses the instance of
// the process, so this file has no others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { failing } from "./failing.mjs";
import { Grammar, GrammarCompiler, GrammarError, GrammarMatcher, init, KbnfEngine, TokenizerInfo } from "weir/full";

await init();

// Not tail calls, which take no stack in some engines.
const endless = () => 1 + endless();

test("what a getter throws reaches the caller, and the module stays usable", () => {
  const info = TokenizerInfo.builtin();
  const compiler = new GrammarCompiler(info);
  const thrown = [new RangeError("mine"), new WebAssembly.RuntimeError("of another module"), Object.assign(new Error("x"), { name: "InternalError" }), "a string"];
  for (const error of thrown) {
    const options = { get whitespace() { throw error; } };
    assert.throws(() => compiler.compileJSONSchema({ type: "object" }, options), (caught) => caught === error);
    const tokens = new Proxy([], { get: (_, name) => { if (name === "length") return 1; throw error; } });
    assert.throws(() => info.decode(tokens), (caught) => caught === error || caught instanceof GrammarError);
  }
  assert.throws(() => compiler.compileJSONSchema({ type: "object" }, { get whitespace() { return endless(); } }), RangeError);
  assert.ok(new GrammarMatcher(compiler.compileRegex("ab")).acceptString("a"));
  assert.equal(info.runtime.lost, undefined);
});

/** The names of an object's methods, those of its class's parents included. */
function methodsOf(object) {
  const names = [];
  for (let at = Object.getPrototypeOf(object); at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    names.push(...Object.entries(Object.getOwnPropertyDescriptors(at)).filter(([, { value }]) => typeof value === "function").map(([name]) => name));
  }
  return names.filter((name) => !["constructor", "dispose"].includes(name));
}

test("no argument harms the module, whatever method it is given to", () => {
  const mine = new RangeError("mine");
  const throwing = { valueOf() { throw mine; } };
  const values = [throwing, new Proxy({}, { get() { throw mine; } }), Symbol("s"), 5n, undefined, null, NaN, -1, 1e300, "x", {}, [], () => 1];
  const info = TokenizerInfo.builtin();
  const compiler = new GrammarCompiler(info);
  const compiled = compiler.compileJSONSchema({ type: "object" });
  const engine = new KbnfEngine("start ::= 'a';", info);
  let calls = 0;
  const attempt = (name, body) => {
    calls++;
    try {
      body();
    } catch {
      // most of these arguments are refused
    }
    assert.ok(!info.runtime.isEntered && info.runtime.lost === undefined, name);
  };
  const arities = [1, 2, 3];
  for (const object of [info, compiler, compiled, Grammar.fromEBNF('root ::= "a"'), new GrammarMatcher(compiled), engine]) {
    for (const name of methodsOf(object)) {
      for (const value of values) for (const count of arities) attempt(`${object.constructor.name}.${name}`, () => object[name](...Array(count).fill(value)));
    }
  }
  for (const type of [TokenizerInfo, Grammar]) {
    for (const name of Object.getOwnPropertyNames(type).filter((one) => typeof type[one] === "function")) {
      for (const value of values) for (const count of arities) attempt(`${type.name}.${name}`, () => type[name](...Array(count).fill(value)));
    }
  }
  assert.ok(calls > 2000, String(calls));
  // Also without the checks of the classes.
  attempt("a function of the module", () => info.runtime.exports.weir_tokenizer_info_token_kind(info.pointer, throwing, info.runtime.out));
  assert.throws(() => engine.tryAcceptNewToken(throwing), { code: "invalid_argument", message: /token/ });
  assert.throws(() => engine.checkIfTokenIsAllowed(1e300), { code: "invalid_argument", message: /token/ });
  assert.throws(() => engine.maskLogits([0]), { code: "invalid_argument", message: /Float32Array/ });
});

test("a stack that is exhausted: in a script nothing is lost, in the module the instance is", () => {
  const info = TokenizerInfo.builtin();
  const compiler = new GrammarCompiler(info);
  const below = (depth, body) => (depth === 0 ? body() && 0 : 1 + below(depth - 1, body));
  let deepest = 0;
  const dig = (depth) => ((deepest = depth), 1 + dig(depth + 1));
  assert.throws(() => dig(0), RangeError);
  // With ever more of the stack left: the script, the module or nothing exhausts it.
  const outcomes = new Set();
  for (let left = 1; left < deepest && info.runtime.lost === undefined; left = Math.ceil(1.2 * left)) {
    try {
      below(deepest - left, () => compiler.compileRegex(`(a${left}|b)*`));
      outcomes.add("compiled");
    } catch (error) {
      outcomes.add(error.name);
      assert.ok(info.runtime.lost ? error.code === "limit_exceeded" : error instanceof RangeError, String(error));
    }
  }
  assert.ok(outcomes.has("RangeError") || outcomes.has("GrammarError"), [...outcomes].join(", "));
  if (info.runtime.lost) failing(() => info.tokenize("a"), "limit_exceeded", "gone");
  const fresh = new GrammarCompiler(TokenizerInfo.builtin());
  assert.ok(new GrammarMatcher(fresh.compileRegex("a")).acceptString("a"));
});
