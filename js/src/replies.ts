// Reads replies of models while they are written: docs/replies.md.
import { ENUMS, STRUCTS } from "./abi.js";
import { check } from "./diagnostics.js";
import { checkedText, describe, textOrBytes, tokenIds } from "./arguments.js";
import { CompiledGrammar } from "./compiler.js";
import { invalid } from "./errors.js";
import { GrammarMatcher } from "./matcher.js";
import { newStruct, readLimits, writeOptions, type Limits, type ReplyOptions } from "./options.js";
import { Handle, handleOf, runtime as instance, withArena, type Arena, type Owned } from "./runtime.js";
import { toJSONText, type JSONText } from "./schemas.js";
import { endsInHalf, sameOffsets } from "./text.js";
import { TokenizerInfo } from "./tokenizer-info.js";
import { readToolOptions } from "./tools.js";

/** The bytes of the reply, in UTF-8, that an event accounts for. The ranges of all events are the whole reply, without gaps. */
interface OfReply {
  readonly start: number;
  readonly end: number;
}

/** An event of a value is of no bytes: its range is empty. */
interface OfValue extends OfReply {
  /** The name of the member, or the index of the item; `""` at the top. */
  readonly key: string;
  /** The number of objects and arrays around the value. */
  readonly depth: number;
}

/** What a part of a reply is. */
export type ReplyEvent =
  | (OfReply & { readonly kind: "reasoning_begins" | "reasoning_ends" | "markup" })
  /** `text` continues the reasoning, or the answer. */
  | (OfReply & { readonly kind: "reasoning" | "text"; readonly text: string })
  /** `name` is whole; `id` is what the model wrote, where the form has one. The first call is 0. */
  | (OfReply & { readonly kind: "call_begins"; readonly call: number; readonly name: string; readonly id?: string })
  /** `text` continues the arguments of the call, as JSON. */
  | (OfReply & { readonly kind: "arguments"; readonly call: number; readonly text: string })
  /** `text`, which may be empty, continues the input of a call of a custom tool, as it is. */
  | (OfReply & { readonly kind: "input"; readonly call: number; readonly text: string })
  | (OfReply & { readonly kind: "call_ends"; readonly call: number })
  /** Where a grammar has captures: `name` begins and ends, without bytes; captures may contain others. */
  | (OfReply & { readonly kind: "capture_begins" | "capture_ends"; readonly name: string })
  /** `text` continues the innermost capture that has not ended. */
  | (OfReply & { readonly kind: "capture"; readonly name: string; readonly text: string })
  /** With `values`: what arguments, or an answer in JSON, consist of. `text` continues a string, or is the number. */
  | (OfValue & { readonly kind: "string" | "number"; readonly text: string })
  | (OfValue & { readonly kind: "boolean"; readonly value: boolean })
  | (OfValue & { readonly kind: "object_begins" | "array_begins" | "null" | "string_ends" | "object_ends" | "array_ends" })
  /** The call is not valid: what was read of it, `text`, is content, as is the rest. */
  | (OfReply & { readonly kind: "call_invalid"; readonly call: number; readonly text: string; readonly reason: string });

/** A call of a tool. One in progress has `partial_arguments`, text of JSON, in the place of `arguments`. */
export interface ReplyCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
  readonly partial_arguments?: string;
}

/** A reply, in the form of OpenAI's messages. */
export interface Reply {
  readonly reasoning: string | null;
  readonly content: string | null;
  readonly tool_calls: readonly ReplyCall[];
}

/** A part of a reply that the grammar names. The range is of bytes. */
export interface ReplyCapture {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** False: the capture has not ended. */
  readonly complete?: false;
}

/** A reply of a parser that `ReplyParser.forGrammar` made. */
export interface GrammarReply {
  /** What is in no capture. */
  readonly content: string | null;
  readonly captures: readonly ReplyCapture[];
}

const EVENT = STRUCTS.reply_event.fields;

/** Reads an event of the call that was made last. */
function readEvent(arena: Arena, parser: number, index: number, at: number): ReplyEvent {
  const { runtime } = arena;
  runtime.exports.weir_reply_parser_event(parser, index, at);
  const word = (field: "start" | "end" | "call" | "kind" | "depth") => runtime.u32(at + EVENT[field][0]);
  const text = (field: "text" | "name" | "id" | "reason" | "key") => runtime.text(at + EVENT[field][0]);
  const range = { start: word("start"), end: word("end") };
  const kind = ENUMS.reply_event_kind[word("kind")]!;
  switch (kind) {
    case "reasoning":
    case "text": return { kind, text: text("text"), ...range };
    case "call_begins": {
      const id = text("id");
      return { kind, call: word("call"), name: text("name"), ...(id && { id }), ...range };
    }
    case "arguments":
    case "input": return { kind, call: word("call"), text: text("text"), ...range };
    case "capture_begins":
    case "capture_ends": return { kind, name: text("name"), ...range };
    case "capture": return { kind, name: text("name"), text: text("text"), ...range };
    case "call_ends": return { kind, call: word("call"), ...range };
    case "call_invalid": return { kind, call: word("call"), text: text("text"), reason: text("reason"), ...range };
    case "string":
    case "number": return { kind, key: text("key"), depth: word("depth"), text: text("text"), ...range };
    case "boolean": return { kind, key: text("key"), depth: word("depth"), value: text("text") === "true", ...range };
    case "object_begins":
    case "array_begins":
    case "null":
    case "string_ends":
    case "object_ends":
    case "array_ends": return { kind, key: text("key"), depth: word("depth"), ...range };
    default: return { kind, ...range };
  }
}

/**
 * Reads what a model wrote - reasoning, text, calls of tools - in pieces of any size, and gives events. Events that are
 * joined are the same for all cuts: docs/replies.md has the rules. Needs `weir/full`.
 *
 *     const parser = new ReplyParser("hermes", tools);
 *     for await (const chunk of chunks) for (const event of parser.feed(chunk)) show(event);
 *     for (const event of parser.finish()) show(event);
 *     const { content, tool_calls } = parser.snapshot();
 */
export class ReplyParser extends Handle {
  /** The first half of a character that the last piece ended with. A string may be cut there; bytes have no such half. */
  #half = "";
  /** Events of that half, if it was read as a piece of its own and the call that follows has failed. */
  #kept: ReplyEvent[] = [];

  /**
   * @param style one of `toolStyles()`, or the JSON text of a response template
   * @param tools a list of tools as in OpenAI's interface; `null`: there are none
   * @param options those of tools; `mode`: `"tolerant"` reads every text, `"strict"` what the tag of the same tools allows;
   *   `values`: events also say which values arguments, and answers in JSON, consist of
   * @throws GrammarError there is no such style, or `tools` is not a list of tools
   */
  constructor(style: string, tools?: JSONText | null, options?: ReplyOptions, limits?: Limits);
  /** @internal */
  constructor(style: string, tools: null, options: undefined, limits: undefined, owned: Owned);
  constructor(style: string, tools: JSONText | null = null, options: ReplyOptions = {}, limits?: Limits, owned?: Owned) {
    if (owned) {
      super(owned, "weir_reply_parser_free");
      return;
    }
    const name = checkedText(style, "style");
    const text = tools === null ? "null" : toJSONText(tools, "tools");
    const { mode, values, ofTools } = readToolOptions(options);
    const under = readLimits(limits);
    const runtime = instance();
    super(withArena(runtime, (arena) => {
      const { exports, out, err } = runtime;
      const size = STRUCTS.reply_options.size;
      const given = arena.allocate(size);
      exports.weir_reply_options_init(given, size);
      runtime.view.setUint32(given + STRUCTS.reply_options.fields.mode[0], mode, true);
      runtime.view.setUint8(given + STRUCTS.reply_options.fields.values[0], Number(values));
      const written = writeOptions(arena, ofTools);
      runtime.view.setUint32(given + STRUCTS.reply_options.fields.tools[0], written, true);
      check(arena, exports.weir_reply_parser_create(arena.text(name), arena.text(text), given, writeOptions(arena, under), out, err), text, "<tools>");
      return runtime.owned();
    }), "weir_reply_parser_free");
  }

  /**
   * A parser of the texts of a grammar: of the values of a schema, or of the captures of a structural tag or another
   * grammar. `snapshot()` is then a `GrammarReply`.
   *
   *     const parser = ReplyParser.forGrammar(compiler.compileGrammar('root ::= @capture(name: [a-z]+) "=" [0-9]+'));
   *
   * @throws GrammarError `invalid_argument`: the grammar has no captures and is no schema
   */
  static forGrammar(compiled: CompiledGrammar): ReplyParser {
    const grammar = handleOf(compiled, CompiledGrammar, "compiled", "a GrammarCompiler compiles grammars");
    const { runtime } = grammar;
    const owned = withArena(runtime, (arena) => {
      check(arena, runtime.exports.weir_reply_parser_for_grammar(grammar.pointer, runtime.out, runtime.err), "", "<grammar>");
      return runtime.owned();
    });
    return new ReplyParser("", null, undefined, undefined, owned);
  }

  /** Calls a function that reads, and returns its events. */
  #read(call: (arena: Arena) => number): ReplyEvent[] {
    const { runtime, pointer } = this;
    return withArena(runtime, (arena) => {
      check(arena, call(arena), "", "<reply>", sameOffsets);
      const count = runtime.exports.weir_reply_parser_event_count(pointer);
      const at = count > 0 ? newStruct(arena, "reply_event") : 0;
      const events = Array.from({ length: count }, (_, index) => readEvent(arena, pointer, index, at));
      const kept = this.#kept.splice(0);
      return kept.length > 0 ? [...kept, ...events] : events;
    });
  }

  #feed(bytes: string | Uint8Array): ReplyEvent[] {
    return this.#read((arena) => this.runtime.exports.weir_reply_parser_feed(this.pointer, arena.text(bytes), this.runtime.err));
  }

  /** Reads the half that was kept, which is no character. Its events come with those of the next call. */
  #flush(): void {
    if (this.#half === "") return;
    this.#kept = this.#feed(this.#half);
    this.#half = "";
  }

  /**
   * Reads a piece of the reply; bytes may end within a character. Returns the events that have become certain.
   * @throws GrammarError `invalid_argument`: the reply has ended; in the mode `"strict"`, the piece is not what the tag
   *   allows: `range` is then of the reply's bytes. `limit_exceeded`: it is too long. The parser is then as before.
   */
  feed(piece: string | Uint8Array): ReplyEvent[] {
    const given = textOrBytes(piece, "piece");
    if (typeof given !== "string") {
      this.#flush();
      return this.#feed(given);
    }
    const text = this.#half + given;
    const half = endsInHalf(text) ? text.slice(-1) : "";
    const events = this.#feed(half ? text.slice(0, -1) : text);
    this.#half = half;
    return events;
  }

  /**
   * Reads tokens: text, or special tokens, which stand for their names. A stop token adds nothing.
   * @throws GrammarError as `feed`
   */
  feedTokens(tokens: ArrayLike<number>, tokenizerInfo: TokenizerInfo): ReplyEvent[] {
    const info = handleOf(tokenizerInfo, TokenizerInfo, "tokenizerInfo");
    const ids = tokenIds(tokens, "tokens", info.vocabSize);
    if (info.runtime !== this.runtime) throw invalid("the parser and the tokenizer belong to different instances of the module");
    this.#flush();
    return this.#read((arena) => this.runtime.exports.weir_reply_parser_feed_tokens(this.pointer, arena.words(ids), ids.length, info.pointer, this.runtime.err));
  }

  /**
   * Reads what the matcher has accepted since the last call, so that tokens are accepted once. If the parser is of a
   * grammar, the matcher is one of the same compiled grammar. Steps that have been read cannot be taken back: call it after
   * drafted tokens were verified.
   * @param ends the reply has ended; so it has when the matcher has accepted a stop token
   * @throws GrammarError as `feed`; the matcher was taken back to before what has been read, or the parser was fed this
   *   reply
   */
  follow(matcher: GrammarMatcher, ends = false): ReplyEvent[] {
    const followed = handleOf(matcher, GrammarMatcher, "matcher");
    if (typeof ends !== "boolean") throw invalid(`\`ends\` must be true or false, not ${describe(ends)}`);
    if (followed.runtime !== this.runtime) throw invalid("the parser and the matcher belong to different instances of the module");
    return this.#read(() => this.runtime.exports.weir_reply_parser_follow(this.pointer, followed.pointer, Number(ends), this.runtime.err));
  }

  /**
   * Ends the reply. Returns the events that were held back; a call that is not complete is not valid.
   * @throws GrammarError it had ended before; in the mode `"strict"` or of a grammar, the reply is not complete
   */
  finish(): ReplyEvent[] {
    this.#flush();
    return this.#read(() => this.runtime.exports.weir_reply_parser_finish(this.pointer, this.runtime.err));
  }

  /**
   * Ends a reply that was cut, by a bound on its tokens, say. Returns the events that were held back, as `finish` does, and
   * does not ask whether the reply is complete. Also after `follow`.
   * @throws GrammarError it had ended before
   */
  cut(): ReplyEvent[] {
    this.#flush();
    return this.#read(() => this.runtime.exports.weir_reply_parser_cut(this.pointer, this.runtime.err));
  }

  /**
   * Returns the reply so far; of a parser of a grammar, `snapshot<GrammarReply>()`. Numbers are read as `JSON.parse` reads
   * them: an integer beyond 2^53 loses digits.
   */
  snapshot<Form extends Reply | GrammarReply = Reply>(): Form {
    return JSON.parse(this.snapshotText()) as Form;
  }

  /** Returns the reply so far as JSON text, with all digits of numbers, for a parser of JSON that keeps them. */
  snapshotText(): string {
    const { runtime, pointer } = this;
    return runtime.run(() => {
      runtime.exports.weir_reply_parser_snapshot(pointer, runtime.out);
      return runtime.ownedText(runtime.out);
    });
  }

  /** The number of bytes that were read. */
  get size(): number {
    return this.runtime.exports.weir_reply_parser_size(this.pointer);
  }

  /** Begins another reply. */
  reset(): void {
    this.runtime.run(() => this.runtime.exports.weir_reply_parser_reset(this.pointer));
    this.#half = "";
    this.#kept = [];
  }
}
