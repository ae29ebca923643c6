// Every exported function, and every constructor, method and getter of every exported class of every entry point, found by
// reflection, with every wrong kind of value at every place: typed errors or documented results, and the module works on.
// What is exported and not listed in the tables below fails the first test.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as compat from "weir/compat/web-xgrammar";
import * as full from "weir/full";
import * as plugin from "weir/plugin";
import * as transformers from "weir/transformers";
import * as webgpu from "weir/webgpu";
import * as webLLM from "weir/web-llm";

const { GrammarError } = full;
await full.init();

const TOKENS = [...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)), '{"', "true", "abc", "<end>"];
const STOP = 259;
const newInfo = () => full.TokenizerInfo.fromTokens(TOKENS, { specialTokenIds: [STOP], stopTokenIds: [STOP] });
const info = newInfo();
const compiler = new full.GrammarCompiler(info);
const compiled = compiler.compileRegex("[a-z]{3}");
const WORDS = full.bitmaskWords(info.vocabSize);

/** What a hostile script of the caller throws: it must reach the caller as it is. */
const MINE = new RangeError("mine");

class Point {
  x = 1;
}
class Liar extends Uint8Array {
  get length() {
    return 1e9;
  }
  get byteLength() {
    return 1e9;
  }
}
class LyingMask extends Int32Array {
  get length() {
    return 1e9;
  }
  set() {
    throw MINE;
  }
}
function detached(array) {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}
function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}
const throwing = { get: () => { throw MINE; }, has: () => { throw MINE; }, ownKeys: () => { throw MINE; }, getPrototypeOf: () => { throw MINE; } };

/** Values that are wrong nearly everywhere, each made anew. */
const VALUES = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => NaN,
  "-1": () => -1,
  1.5: () => 1.5,
  "2**32 + 1": () => 2 ** 32 + 1,
  "2**53": () => 2 ** 53,
  Infinity: () => Infinity,
  "a bigint": () => 5n,
  true: () => true,
  "the empty string": () => "",
  "a string": () => "x",
  "a string with half a pair": () => "\ud800",
  "a symbol": () => Symbol("s"),
  "a function": () => () => 1,
  "a class": () => Point,
  "{}": () => ({}),
  "{constructor}": () => ({ constructor: 1 }),
  "{toString}": () => ({ toString: 1, valueOf: 2 }),
  "{length}": () => ({ length: 2 ** 32 }),
  "[]": () => [],
  "[undefined]": () => [undefined],
  "an array with a hole": () => ["a", , "b"],
  "the longest array": () => new Array(2 ** 32 - 1),
  "[symbol]": () => [Symbol("s")],
  "[-1]": () => [-1],
  "[1e300]": () => [1e300],
  "[null]": () => [null],
  "a cycle": () => { const out = []; out.push(out); return out; },
  "a detached Uint8Array": () => detached(new Uint8Array(8)),
  "a detached Int32Array": () => detached(new Int32Array(WORDS)),
  "a detached Float32Array": () => detached(new Float32Array(info.vocabSize)),
  "a detached ArrayBuffer": () => detached(new Uint8Array(8)).buffer,
  "an empty Int32Array": () => new Int32Array(0),
  "a Uint16Array": () => new Uint16Array(WORDS),
  "a Uint8Array": () => new Uint8Array(3),
  "a BigInt64Array": () => new BigInt64Array(2),
  "a Float64Array": () => new Float64Array([0.5, NaN]),
  "an ArrayBuffer": () => new ArrayBuffer(8),
  "a SharedArrayBuffer": () => new SharedArrayBuffer(8),
  "a DataView": () => new DataView(new ArrayBuffer(8)),
  "a Uint8Array that lies about its length": () => new Liar(4),
  "an Int32Array that lies about its length": () => new LyingMask(WORDS),
  "a Map": () => new Map([["type", "string"]]),
  "a Set": () => new Set(["a"]),
  "a WeakMap": () => new WeakMap(),
  "a Date": () => new Date(0),
  "a RegExp": () => /a/,
  "a Promise": () => Promise.resolve({}),
  "a Response": () => new Response("{}"),
  "an Error": () => new Error("x"),
  "an object of a class": () => new Point(),
  "a boxed string": () => new String("a"),
  "an object with a prototype of an object": () => Object.create({ type: "string" }),
  "a TokenizerInfo that no constructor made": () => Object.create(full.TokenizerInfo.prototype),
  "a CompiledGrammar that no constructor made": () => Object.create(full.CompiledGrammar.prototype),
  "a GrammarMatcher behind a Proxy": () => new Proxy(new full.GrammarMatcher(compiled), {}),
  "a CompiledGrammar that is disposed of": () => { const one = compiled.clone(); one.dispose(); return one; },
  "a Proxy that throws": () => new Proxy({}, throwing),
  "an array's Proxy that throws": () => new Proxy([1], throwing),
  "a revoked Proxy": () => revoked({}),
  "a revoked Proxy of an array": () => revoked([]),
  "an object whose getters throw": () => ({ get type() { throw MINE; }, get start() { throw MINE; }, get whitespace() { throw MINE; } }),
  "an object whose conversion throws": () => ({ valueOf() { throw MINE; }, toString() { throw MINE; }, toJSON() { throw MINE; } }),
};

const isWhole = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;
const isPlain = (value) => typeof value === "object" && value !== null && [null, Object.prototype].includes(Object.getPrototypeOf(value));
const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const isBytes = (value) => tagOf.call(value) === "Uint8Array";
/** `isPlain` and the like for values that throw. */
const quietly = (test) => (value) => {
  try {
    return test(value);
  } catch {
    return false;
  }
};

/** The kinds of arguments: a good value, and which of VALUES are documented to be taken; all others must be refused. */
const KINDS = {
  text: { good: () => "abc", takes: (value) => typeof value === "string" },
  bytes: { good: () => Uint8Array.of(97), takes: (value) => typeof value === "string" || isBytes(value) || value instanceof ArrayBuffer },
  serialized: { good: () => info.serialize(), takes: (value) => KINDS.bytes.takes(value) },
  textOrBytes: { good: () => "abc", takes: (value) => typeof value === "string" || isBytes(value) },
  texts: { good: () => ["abc", Uint8Array.of(100)], takes: (value) => Array.isArray(value) && Object.keys(value).length === value.length && value.every((item) => typeof item === "string") },
  id: { good: () => 97, takes: (value) => isWhole(value, TOKENS.length - 1) },
  anyId: { good: () => 97, takes: (value) => isWhole(value, 2 ** 32 - 1) },
  steps: { good: () => 0, takes: () => false },
  ids: { good: () => [97, 98], takes: (value) => ["Uint8Array", "Uint16Array", "Int32Array", "BigInt64Array"].includes(tagOf.call(value)) || (Array.isArray(value) && value.length === 0) },
  parents: { good: () => [-1, 0], takes: () => false },
  count: { good: () => 2, takes: (value) => isWhole(value, 2 ** 32 - 1) },
  bitmask: { good: () => new Int32Array(WORDS), takes: (value) => value instanceof LyingMask },
  anyBitmask: { good: () => new Int32Array(WORDS), takes: (value) => tagOf.call(value) === "Int32Array" },
  bitmasks: { good: () => new Int32Array(2 * WORDS), takes: () => false },
  index: { good: () => 0, takes: () => false },
  logits: { good: () => new Float32Array(info.vocabSize), takes: () => false },
  matcher: { good: () => new full.GrammarMatcher(compiled), takes: () => false },
  captured: { good: () => compiler.compileGrammar("root ::= @capture(a: [a-z])"), takes: () => false },
  flag: { good: () => true, takes: (value) => typeof value === "boolean" },
  matchers: { good: () => [new full.GrammarMatcher(compiled), null], takes: (value) => Array.isArray(value) && value.length < 2 && (value.length === 0 || value[0] === null) },  // rows without a grammar
  // Documents: whatever JSON has. The library then says what is wrong with them.
  json: {
    good: () => ({ type: "object", properties: { a: { type: "string" } } }),
    takes: (value) => typeof value === "string" || typeof value === "boolean" || isPlain(value) || (Array.isArray(value) && Object.keys(value).length === value.length && (value.length === 0 || Number.isFinite(value[0]) || value[0] === null)) || value instanceof Date,
  },
  options: { good: () => ({}), takes: (value) => isPlain(value) && Object.keys(value).length === 0 },
  schemaOptions: { good: () => ({ whitespace: "none", documents: [{ uri: "a:b", text: "{}" }] }), takes: (value) => KINDS.options.takes(value) },
  textOptions: { good: () => ({ syntax: "ebnf", start: "root", jsonSchema: { order: "declared" } }), takes: (value) => KINDS.options.takes(value) },
  ebnfOptions: { good: () => ({ start: "root" }), takes: (value) => KINDS.options.takes(value) },
  regexOptions: { good: () => ({ dialect: "rust" }), takes: (value) => KINDS.options.takes(value) },
  tagOptions: { good: () => ({ specialTokens: ["<end>"], jsonSchema: { order: "any" } }), takes: (value) => KINDS.options.takes(value) },
  toolOptions: { good: () => ({ toolChoice: "auto", parallelToolCalls: true }), takes: (value) => KINDS.options.takes(value) },
  replyOptions: { good: () => ({ mode: "strict", toolChoice: "auto" }), takes: (value) => KINDS.options.takes(value) },
  limits: { good: () => ({ callWork: 1_000_000 }), takes: (value) => KINDS.options.takes(value) },
  tokenizerOptions: { good: () => ({ paddedVocabSize: 512 }), takes: (value) => KINDS.options.takes(value) },
  matcherOptions: { good: () => ({ atTextStart: true, stopTokenIds: [STOP], maxTokens: 20 }), takes: (value) => KINDS.options.takes(value) },
  warmUpOptions: { good: () => ({ work: 100 }), takes: (value) => KINDS.options.takes(value) },
  unit: { good: () => "word", takes: () => false },
  syntax: { good: () => "gbnf", takes: () => false },
  grammar: { good: () => full.Grammar.fromEBNF('root ::= "a"'), takes: () => false },
  grammars: { good: () => [full.Grammar.fromEBNF('root ::= "a"'), full.Grammar.json()], takes: (value) => Array.isArray(value) && value.length === 0 },
  info: { good: newInfo, takes: () => false },
  compiled: { good: () => compiled.clone(), takes: () => false },
  kbnf: { good: () => "start ::= 'a';", takes: (value) => typeof value === "string" },
  zod: { good: () => ({ toJSONSchema: () => ({}) }), takes: (value) => typeof value?.toJSONSchema === "function" },
  source: { good: () => undefined, takes: () => true, takesDetached: true },  // `init` does nothing once a module is loaded; init.test.mjs has the rest
  style: { good: () => "hermes", takes: () => false },
  tools: { good: () => [{ type: "function", function: { name: "f", parameters: { type: "object" } } }], takes: (value) => KINDS.json.takes(value) },
  maybeTools: { good: () => KINDS.tools.good(), takes: (value) => value === null || KINDS.json.takes(value) },
  tokenizerJSON: { good: () => ({ model: {} }), takes: (value) => KINDS.bytes.takes(value) || KINDS.json.takes(value) },
  compiledOrList: { good: () => [compiled.clone()], takes: () => false },
  tensor: { good: () => ({ data: new Float32Array(info.vocabSize), dims: [1, info.vocabSize] }), takes: () => false },
  inputIds: { good: () => [[1n, 2n]], takes: (value) => Array.isArray(value) && Array.isArray(value[0]) },  // the tokens of a prompt are not read
  tokenizer: { good: () => ({ _tokenizerJSON: { model: {} } }), takes: (value) => typeof value === "object" || typeof value === "function" },
  format: { good: () => ({ type: "json_object" }), takes: () => false },
  device: { good: () => ({ createShaderModule: () => { throw MINE; }, queue: {} }), takes: () => false },
  buffer: { good: () => ({ size: 4 * info.vocabSize, destroy() {} }), takes: () => false },
};
for (const kind of Object.values(KINDS)) kind.takes = quietly(kind.takes);

/** The kinds of the arguments; those after "?" may be left out. */
const FULL = {
  init: ["?", "source"],
  memoryBytes: [],
  strictJSONSchema: ["json", "?", "limits"],
  allocateTokenBitmask: ["count", "count"],
  applyTokenBitmaskInplace: ["logits", "anyBitmask"],
  bitmaskWords: ["count"],
  countBitmask: ["anyBitmask"],
  isTokenInBitmask: ["anyBitmask", "anyId"],
  checkGrammar: ["text", "?", "textOptions", "limits"],
  checkRegex: ["text", "?", "regexOptions", "limits"],
  checkResponseFormat: ["json", "?", "tagOptions", "limits"],
  checkSchema: ["json", "?", "schemaOptions", "limits"],
  checkStructuralTag: ["json", "?", "tagOptions", "limits"],
  explainRefusal: ["json", "text", "?", "schemaOptions", "limits"],
  languageNames: [],
  lineColumn: ["text", "index"],
  structuralTagForTools: ["style", "maybeTools", "?", "toolOptions", "limits"],
  toolStyles: [],
  version: [],
  useZod: ["zod"],
  GrammarError: { new: "open" },  // the package makes it; it takes what it is given
  TokenizerInfo: {
    new: "private",
    static: {
      fromFile: ["bytes", "?", "tokenizerOptions", "text"], fromJSON: ["tokenizerJSON", "?", "tokenizerOptions"], fromTiktoken: ["bytes", "?", "tokenizerOptions"],
      fromSentencePiece: ["bytes", "?", "tokenizerOptions"], fromGGUF: ["bytes", "?", "tokenizerOptions"], fromTekken: ["bytes", "?", "tokenizerOptions"],
      fromTokens: ["texts", "?", "tokenizerOptions"], builtin: [], deserialize: ["serialized"],
    },
    make: newInfo,
    methods: {
      serialize: [], clone: [], checkId: ["id"], tokenBytes: ["id"], firstTokenBytes: ["id"], tokenName: ["id"], tokenKind: ["id"], findSpecialToken: ["text"], decodeBytes: ["ids"],
      decode: ["ids"], tokenize: ["textOrBytes"], heal: ["ids"], canonicalSupport: [],
    },
    afterDispose: ["vocabSize", "checkId", "textTokenEnd"],
  },
  Grammar: {
    new: "private",
    static: {
      fromText: ["text", "?", "textOptions", "limits"], fromEBNF: ["text", "?", "ebnfOptions", "limits"], fromRegex: ["text", "?", "regexOptions", "limits"],
      fromJSONSchema: ["json", "?", "schemaOptions", "limits"], json: ["?", "schemaOptions", "limits"], jsonObject: ["?", "schemaOptions", "limits"],
      fromStructuralTag: ["json", "?", "tagOptions", "limits"], fromResponseFormat: ["json", "?", "tagOptions", "limits"], fromChoice: ["texts", "?", "limits"],
      fromSubstring: ["text", "?", "unit", "limits"], fromSubstringChunks: ["texts", "?", "limits"], concat: ["grammars", "?", "limits"], anyOf: ["grammars", "?", "limits"],
    },
    make: () => full.Grammar.fromEBNF('root ::= "a"'),
    methods: { clone: [], convert: ["syntax"] },
  },
  CompiledGrammar: {
    new: "private",
    static: { of: "private" },
    make: () => compiler.compileRegex("[a-z]{3}"),
    methods: { clone: [], stats: [], warmUp: ["?", "warmUpOptions"] },
    afterDispose: ["tokenizerInfo"],
  },
  GrammarCompiler: {
    new: ["info", "?", "limits"],
    make: () => new full.GrammarCompiler(info),
    methods: {
      compile: ["grammar"], compileGrammar: ["text", "?", "textOptions"], compileEBNF: ["text", "?", "ebnfOptions"], compileRegex: ["text", "?", "regexOptions"],
      compileJSONSchema: ["json", "?", "schemaOptions"], compileJSON: ["?", "schemaOptions"], compileJSONObject: ["?", "schemaOptions"], compileStructuralTag: ["json", "?", "tagOptions"],
      compileResponseFormat: ["json", "?", "tagOptions"], compileChoice: ["texts"], compileSubstring: ["text", "?", "unit"], compileSubstringChunks: ["texts"], limits: [], cacheStats: [], clearCache: [],
    },
  },
  GrammarMatcher: {
    new: ["compiled", "?", "matcherOptions"],
    make: () => new full.GrammarMatcher(compiled),
    methods: {
      fillNextTokenBitmask: ["bitmask", "?", "index"], nextTokenBitmask: [], nextTokenMaskId: [], fillDraftTreeBitmasks: ["ids", "parents", "bitmasks"], isTokenAllowed: ["id"],
      acceptToken: ["id"], acceptString: ["textOrBytes"], acceptText: ["textOrBytes"], longestViablePrefix: ["textOrBytes"], rollback: ["?", "steps"], reset: [], fork: [], isTerminated: [],
      isCompleted: [], findJumpForwardBytes: [], findJumpForwardString: [], forcedTokens: [], shortestCompletion: [], shortestCompletionParts: [], textBytes: [], text: [], captures: [],
      expected: [], explain: ["anyId"], stateStats: [], limitMessage: [],
    },
    afterDispose: ["vocabSize", "compiledGrammar"],
  },
  BatchGrammarMatcher: {
    new: [],
    make: () => new full.BatchGrammarMatcher(),
    methods: { fillNextTokenBitmasks: ["matchers", "bitmasks"], acceptTokens: ["matchers", "ids"] },
  },
  KbnfEngine: {
    new: ["kbnf", "info", "?", "ebnfOptions", "limits"],
    make: () => new full.KbnfEngine("start ::= 'a';", info),
    methods: {
      tryAcceptNewToken: ["anyId"], tryAcceptNewBytes: ["textOrBytes"], computeAllowedTokenIds: [], allowedTokenIds: [], disallowedTokenIds: [], checkIfTokenIsAllowed: ["anyId"],
      allowedTokenBitmask: [], maskLogits: ["logits"], updateLogits: ["anyId", "logits"], isFinished: [], reset: [],
    },
  },
  ReplyParser: {
    new: ["style", "?", "maybeTools", "replyOptions", "limits"],
    static: { forGrammar: ["captured"] },
    make: () => new full.ReplyParser("hermes", KINDS.tools.good()),
    methods: { feed: ["textOrBytes"], feedTokens: ["ids", "info"], follow: ["matcher", "?", "flag"], finish: [], cut: [], snapshot: [], snapshotText: [], reset: [] },
    afterDispose: ["size"],
  },
  WorkerCompiler: { new: "private", static: { create: "worker.test.mjs" } },
  WorkerCompiledGrammar: { new: "private", static: { of: "private" } },
  WorkerMatcher: { new: "private", static: { of: "private" } },
};
const { GrammarMatcher, CompiledGrammar, TokenizerInfo } = full;
const newProcessor = () => new transformers.GrammarLogitsProcessor(compiled);
const ENTRIES = {
  "weir/full": [full, FULL],
  "weir/transformers": [transformers, {
    tokenizerInfoFrom: ["tokenizer"],
    GrammarLogitsProcessor: { new: ["compiledOrList", "?", "matcherOptions"], make: newProcessor, methods: { reset: [], _call: ["inputIds", "tensor"] } },
    StructuredOutputProcessor: { new: ["tokenizer", "format"], static: { warmup: ["tokenizer"] } },
  }],
  "weir/web-llm": [webLLM, {
    WebLLMLogitProcessor: { new: ["compiled", "?", "matcherOptions"], make: () => new webLLM.WebLLMLogitProcessor(compiled), methods: { processLogits: ["logits"], processSampledToken: ["id"], resetState: [] } },
  }],
  "weir/webgpu": [webgpu, { applyBitmask: ["device", "buffer", "anyBitmask", "?", "count"] }],
  "weir/plugin": [plugin, { rewriteWebLLM: ["text", "?", "text"], weir: [], weirEsbuild: [] }],
};

const isClass = (value) => typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
const OF_ALL = ["constructor", "dispose", "runtime", "pointer", "isDisposed"];

/** The names of an object's methods and getters, those of its class's parents and its own functions included. */
function membersOf(object) {
  const methods = new Set();
  const getters = new Set();
  for (let at = object; at && at !== Object.prototype && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (OF_ALL.includes(name) || ["length", "name", "prototype", "arguments", "caller"].includes(name)) continue;
      if (get) getters.add(name);
      else if (typeof value === "function") methods.add(name);
    }
  }
  return { methods: [...methods], getters: [...getters] };
}
const staticsOf = (type) => Object.getOwnPropertyNames(type).filter((name) => typeof type[name] === "function" && name !== "prototype");

test("everything that is exported is in the tables", () => {
  for (const [entry, [exports, table]] of Object.entries(ENTRIES)) {
    assert.deepEqual(Object.keys(exports).filter((name) => typeof exports[name] === "function").sort(), Object.keys(table).sort(), entry);
    for (const [name, listed] of Object.entries(table)) {
      if (!isClass(exports[name])) continue;
      assert.deepEqual(staticsOf(exports[name]).sort(), Object.keys(listed.static ?? {}).sort(), `${entry}: ${name}`);
      if (listed.make) assert.deepEqual(membersOf(listed.make()).methods.sort(), Object.keys(listed.methods).sort(), `${entry}: ${name}`);
    }
  }
});

// ---- Attempts ---------------------------------------------------------------------------------------------------------

const CODES = ["invalid_argument", "syntax", "unsupported", "unsatisfiable", "limit_exceeded", "terminated", "not_found", "out_of_memory"];
const expected = new full.GrammarMatcher(compiled).nextTokenBitmask();

/** The module compiles and makes the masks that it made before. */
function works(name) {
  assert.ok(!info.runtime.isEntered && info.runtime.lost === undefined, name);
  const own = compiler.compileRegex("[a-z]{3}");
  const matcher = new GrammarMatcher(own);
  assert.deepEqual(matcher.nextTokenBitmask(), expected, name);
  matcher.dispose();
  own.dispose();
}

function checkError(error, name) {
  // What an object of the caller throws reaches the caller as it is.
  if (error === MINE || (error instanceof TypeError && error.message.includes("proxy that has been revoked"))) return;
  assert.ok(error instanceof GrammarError, `${name}: ${error?.stack ?? String(error)}`);
  assert.ok(CODES.includes(error.code), `${name}: ${error.code}: ${error.message}`);
  assert.ok(error.message !== "" && !error.message.includes("\n"), `${name}: ${error.message}`);
  assert.doesNotMatch(error.message, /\ba undefined|\ba null|\ban? object object|Limits::|\[object/i, name);
}

let attempts = 0;
/** Calls `body`, which must throw a typed error, or may also return if `mayReturn`. */
function attempt(name, mayReturn, body) {
  attempts++;
  let isReturned = false;
  try {
    body();
    isReturned = true;
  } catch (error) {
    checkError(error, name);
  }
  assert.ok(!isReturned || mayReturn, `${name}: was taken`);
  works(name);
}

const described = (name, at, label) => `${name}, argument ${at + 1}: ${label}`;

/** Calls a function with each wrong value at each place, and with good ones that dispose of `target` when they are read. */
function abuse(name, kinds, call, fresh = () => ({ target: undefined })) {
  const needed = kinds.includes("?") ? kinds.indexOf("?") : kinds.length;
  const places = kinds.filter((kind) => kind !== "?");
  const goods = () => places.map((kind) => KINDS[kind].good());
  attempt(`${name}, all good`, true, () => call(fresh().target, goods()));
  attempt(`${name}, more than all`, true, () => call(fresh().target, [...goods(), Symbol("s"), null]));
  if (needed > 0) attempt(`${name}, no argument`, places.slice(0, needed).every((kind) => KINDS[kind].takes(undefined)), () => call(fresh().target, []));
  places.forEach((kind, at) => {
    for (const [label, make] of Object.entries(VALUES)) {
      const args = goods();
      args[at] = make();
      const isRefused = label.includes("detached") && !KINDS[kind].takesDetached;
      const mayReturn = (args[at] === undefined && at >= needed) || (!isRefused && KINDS[kind].takes(args[at]));
      attempt(described(name, at, label), mayReturn, () => call(fresh().target, args));
    }
    const { target } = fresh();
    const args = goods();
    const isOfCall = (object) => typeof object?.dispose === "function" && typeof object?.isDisposed === "boolean";
    const good = KINDS[kind].good();
    const objects = [target, ...args, ...(Array.isArray(good) ? good : [])].filter(isOfCall);
    const hostile = disposing(good, () => objects.forEach((object) => object.dispose()));
    if (hostile === undefined) return;
    args[at] = hostile;
    attempt(described(name, at, "disposes when it is read"), true, () => call(target, args));
  });
}

/** Returns the value with getters that run `dispose`; undefined for what has none. */
function disposing(value, dispose) {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || "runtime" in value) return undefined;
  return new Proxy(value, {
    get: (target, key) => (dispose(), target[key]),
    ownKeys: (target) => (dispose(), Reflect.ownKeys(target)),
    getPrototypeOf: (target) => (dispose(), Object.getPrototypeOf(target)),
  });
}

for (const [entry, [exports, table]] of Object.entries(ENTRIES)) {
  for (const [name, listed] of Object.entries(table)) {
    if (name.startsWith("Worker")) continue;
    test(`${entry}: ${name}`, () => {
      const value = exports[name];
      if (!isClass(value)) return abuse(name, listed, (_, args) => value(...args));
      if (listed.new === "open") return;
      if (listed.new === "private") {
        for (const make of Object.values(VALUES)) attempt(`new ${name}`, false, () => new value(make(), make(), make()));
        attempt(`new ${name} of numbers`, false, () => new value(info.runtime, 8, info, "", ""));
      } else abuse(`new ${name}`, listed.new, (_, args) => new value(...args));
      for (const [method, kinds] of Object.entries(listed.static ?? {})) {
        if (kinds === "private") for (const make of Object.values(VALUES)) attempt(`${name}.${method}`, false, () => value[method](make(), make(), make()));
        else abuse(`${name}.${method}`, kinds, (_, args) => value[method](...args));
      }
      for (const [method, kinds] of Object.entries(listed.methods ?? {})) abuse(`${name}.${method}`, kinds, (target, args) => target[method](...args), () => ({ target: listed.make() }));
    });
  }
}

test("after dispose: typed errors, and dispose again does nothing", () => {
  for (const [, [, table]] of Object.entries(ENTRIES)) {
    for (const [name, { make, methods, afterDispose = [] }] of Object.entries(table)) {
      if (typeof make?.().dispose !== "function") continue;
      const object = make();
      object.dispose();
      object.dispose();
      object[Symbol.dispose]?.();
      assert.equal(object.isDisposed, true, name);
      const isPartOf = (member) => afterDispose.includes(member);
      for (const [method, kinds] of Object.entries(methods)) {
        attempt(`${name}.${method} after dispose`, isPartOf(method), () => object[method](...kinds.filter((kind) => kind !== "?").map((kind) => KINDS[kind].good())));
      }
      for (const getter of membersOf(object).getters) attempt(`${name}.${getter} after dispose`, isPartOf(getter), () => object[getter]);
    }
  }
  for (const dead of [compiled.clone(), newInfo(), full.Grammar.json(), new full.GrammarMatcher(compiled)]) {
    dead.dispose();
    for (const use of [() => new GrammarMatcher(dead), () => new full.GrammarCompiler(dead), () => compiler.compile(dead), () => full.Grammar.concat([dead]),
      () => new full.BatchGrammarMatcher().acceptTokens([dead], [1]), () => new full.KbnfEngine(dead), () => new transformers.GrammarLogitsProcessor(dead)]) attempt("a dead argument", false, use);
  }
});

test("objects that no constructor made do not disturb the garbage collector", { skip: typeof gc !== "function" && "needs --expose-gc" }, async () => {
  for (const type of [full.Grammar, TokenizerInfo, CompiledGrammar, GrammarMatcher, full.GrammarCompiler, full.KbnfEngine, Object.getPrototypeOf(full.Grammar)]) {
    for (const args of [[], [{}], [{}, 8], [info.runtime, 0]]) assert.throws(() => new type(...args), GrammarError, type.name);
  }
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  works("after the collection");
});

test("web-xgrammar's interface", async () => {
  const tried = new Set();
  const attemptAsync = async (name, body) => {
    tried.add(name);
    try {
      await body();
    } catch (error) {
      checkError(error, name);
    }
    works(name);
  };
  const ours = await compat.TokenizerInfo.createTokenizerInfo(["a", "b", "</s>"], "raw", false, undefined, [2]);
  const theirs = await compat.GrammarCompiler.createGrammarCompiler(ours);
  const made = await theirs.compileGrammar('root ::= "ab"');
  const objects = {
    Grammar: await compat.Grammar.fromEBNF('root ::= "a"'), TokenizerInfo: ours, CompiledGrammar: made, GrammarCompiler: theirs, GrammarMatcher: await compat.GrammarMatcher.createGrammarMatcher(made),
    StructuralTagItem: new compat.StructuralTagItem("<a>", "{}", "</a>"), Testings: new compat.Testings(),
  };
  assert.deepEqual(Object.keys(compat.default).sort(), Object.keys(objects).sort());
  for (const [name, object] of Object.entries(objects)) {
    const type = compat[name];
    for (const [label, make] of Object.entries(VALUES)) {
      await attemptAsync(`new ${name}: ${label}`, () => void new type(make(), make(), make()));
      for (const method of staticsOf(type)) await attemptAsync(`${name}.${method}: ${label}`, () => type[method](make(), make(), make(), make()));
      for (const method of membersOf(object).methods.filter((one) => one !== "source")) await attemptAsync(`${name}.${method}: ${label}`, () => object[method](make(), make(), make()));
    }
  }
  for (const [name, object] of Object.entries(objects)) {
    object.dispose?.();
    object.dispose?.();
    for (const method of membersOf(object).methods.filter((one) => one !== "source")) await attemptAsync(`${name}.${method} after dispose`, () => object[method]());
  }
  assert.ok(tried.size > 1000, String(tried.size));
});

test("many attempts were made, and the memory did not grow by them", () => {
  assert.ok(attempts > 5000, String(attempts));
  assert.ok(full.memoryBytes() < 1 << 28, String(full.memoryBytes()));
});
