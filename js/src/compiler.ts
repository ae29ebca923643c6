import { check, takeDiagnostics, type Diagnostic } from "./diagnostics.js";
import { checkedText, stringList } from "./arguments.js";
import { invalid } from "./errors.js";
import { Grammar } from "./grammar.js";
import { enumNumber, newStruct, readLimits, readOptions, readStruct, writeOptions, type CacheStats, type EngineStats, type Read, type GrammarOptions, type JSONSchemaOptions, type Limits, type RegexOptions, type StructuralTagOptions, type SubstringUnit, type WarmUpOptions, type WarmUpReport } from "./options.js";
import { Handle, handleOf, Owned, withArena, type Arena, type Runtime } from "./runtime.js";
import { toJSONText, type JSONText, type SchemaLike } from "./schemas.js";
import { TokenizerInfo } from "./tokenizer-info.js";

/** A grammar compiled for a tokenizer. The matchers made from it share all explored states. */
export class CompiledGrammar extends Handle {
  /** The tokenizer for which it was compiled. */
  readonly tokenizerInfo: TokenizerInfo;
  readonly #text: string;
  readonly #name: string;

  private constructor(owned: Owned, tokenizerInfo: TokenizerInfo, text: string, name: string) {
    super(owned, "weir_compiled_grammar_free", "the methods of a GrammarCompiler make it");
    this.tokenizerInfo = tokenizerInfo;
    this.#text = text;
    this.#name = name;
  }
  /** @internal */
  static of(owned: Owned, tokenizerInfo: TokenizerInfo, text: string, name: string): CompiledGrammar {
    return new CompiledGrammar(owned, tokenizerInfo, text, name);
  }
  /** Returns another object for the same compiled grammar. */
  clone(): CompiledGrammar {
    return withArena(this.runtime, (arena) => {
      check(arena, this.runtime.exports.weir_compiled_grammar_clone(this.pointer, this.runtime.out));
      return new CompiledGrammar(this.runtime.owned(), this.tokenizerInfo, this.#text, this.#name);
    });
  }
  /** The warnings about the grammar's text. */
  get warnings(): Diagnostic[] {
    return withArena(this.runtime, (arena) => {
      if (this.runtime.exports.weir_compiled_grammar_warning_count(this.pointer) === 0) return [];
      check(arena, this.runtime.exports.weir_compiled_grammar_diagnostics(this.pointer, this.runtime.out));
      return takeDiagnostics(arena, this.runtime.u32(this.runtime.out), this.#text, this.#name);
    });
  }
  /** Returns what has been explored, and its memory. */
  stats(): EngineStats {
    return withArena(this.runtime, (arena) => {
      const at = newStruct(arena, "engine_stats");
      check(arena, this.runtime.exports.weir_compiled_grammar_stats(this.pointer, at));
      return readStruct<EngineStats>(arena, "engine_stats", at);
    });
  }
  /**
   * Explores the states that outputs are likely to meet, so that their masks are known when a matcher asks for them. It
   * takes some milliseconds; call it while the model reads its prompt. No result changes by it.
   *
   *     compiled.warmUp({ work: 30_000 });
   */
  warmUp(options?: WarmUpOptions): WarmUpReport {
    const given = readOptions("warm_up_options", options);
    return withArena(this.runtime, (arena) => {
      const at = newStruct(arena, "warm_up_report");
      check(arena, this.runtime.exports.weir_compiled_grammar_warm_up(this.pointer, writeOptions(arena, given), at));
      return readStruct<WarmUpReport>(arena, "warm_up_report", at);
    });
  }
}

/**
 * Compiles grammars for one tokenizer. The compiler caches compiled grammars with their masks, within
 * `Limits.cacheMemory`: the same text with the same options returns the same compiled grammar.
 *
 *     const compiler = new GrammarCompiler(info);
 *     const compiled = compiler.compileJSONSchema({ type: "object" });
 *
 * Every method throws GrammarError if the text cannot be used; its `rendered` shows the position.
 */
export class GrammarCompiler extends Handle {
  readonly tokenizerInfo: TokenizerInfo;

  /** @param limits limits for everything that this compiler compiles */
  constructor(tokenizerInfo: TokenizerInfo, limits?: Limits) {
    const info = handleOf(tokenizerInfo, TokenizerInfo, "tokenizerInfo", "`TokenizerInfo.fromJSON` and the like make it");
    const under = readLimits(limits);
    const { runtime } = info;
    const owned = withArena(runtime, (arena) => {
      check(arena, runtime.exports.weir_compiler_create(info.pointer, writeOptions(arena, under), runtime.out, runtime.err));
      return runtime.owned();
    });
    super(owned, "weir_compiler_free");
    this.tokenizerInfo = info.clone();
  }

  /** Compiles a text. `text` is empty if the errors are not about one. */
  #compile(text: string, name: string, options: Read | undefined, call: (arena: Arena, runtime: Runtime, options: number) => number): CompiledGrammar {
    return withArena(this.runtime, (arena) => {
      check(arena, call(arena, this.runtime, writeOptions(arena, options)), text, name);
      return CompiledGrammar.of(this.runtime.owned(), this.tokenizerInfo, text, name);
    });
  }

  compile(grammar: Grammar): CompiledGrammar {
    const given = handleOf(grammar, Grammar, "grammar", typeof grammar === "string" ? "`compileGrammar` takes a text" : "");
    if (given.runtime !== this.runtime) throw invalid("the grammar belongs to another instance of the module");
    return this.#compile("", "<grammar>", undefined, (_, { exports, out, err }) => exports.weir_compiler_compile(this.pointer, given.pointer, out, err));
  }
  /** Compiles a grammar in EBNF, or in the language `options.syntax`. */
  compileGrammar(text: string, options?: GrammarOptions): CompiledGrammar {
    return this.#compile(checkedText(text, "text"), "<grammar>", readOptions("text_options", options), (arena, { exports, out, err }, given) =>
      exports.weir_compiler_compile_text(this.pointer, arena.text(text), given, out, err));
  }
  compileEBNF(text: string, options?: { start?: string }): CompiledGrammar {
    return this.#compile(checkedText(text, "text"), "<grammar>", readOptions("ebnf_options", options), (arena, { exports, out, err }, given) =>
      exports.weir_compiler_compile_ebnf(this.pointer, arena.text(text), given, out, err));
  }
  compileRegex(pattern: string, options?: RegexOptions): CompiledGrammar {
    return this.#compile(checkedText(pattern, "pattern"), "<regex>", readOptions("regex_options", options), (arena, { exports, out, err }, given) =>
      exports.weir_compiler_compile_regex(this.pointer, arena.text(pattern), given, out, err));
  }
  /** Compiles a JSON Schema: JSON text, an object, or a schema of zod. */
  compileJSONSchema(schema: SchemaLike, options?: JSONSchemaOptions): CompiledGrammar {
    const text = toJSONText(schema, "schema");
    return this.#compile(text, "<schema>", readOptions("json_schema_options", options), (arena, { exports, out, err }, given) =>
      exports.weir_compiler_compile_json_schema(this.pointer, arena.text(text), given, out, err));
  }
  /** Compiles the grammar of the JSON texts of all values. */
  compileJSON(options?: JSONSchemaOptions): CompiledGrammar {
    return this.#compile("", "<json>", readOptions("json_schema_options", options), (_, { exports, out, err }, given) =>
      exports.weir_compiler_compile_json(this.pointer, given, out, err));
  }
  compileJSONObject(options?: JSONSchemaOptions): CompiledGrammar {
    return this.#compile("", "<json>", readOptions("json_schema_options", options), (_, { exports, out, err }, given) =>
      exports.weir_compiler_compile_json_object(this.pointer, given, out, err));
  }
  compileStructuralTag(tag: JSONText, options?: StructuralTagOptions): CompiledGrammar {
    const text = toJSONText(tag, "tag");
    return this.#compile(text, "<structural tag>", readOptions("structural_tag_options", options), (arena, { exports, out, err }, given) =>
      exports.weir_compiler_compile_structural_tag(this.pointer, arena.text(text), given, out, err));
  }
  /** Compiles a `response_format` of OpenAI's interface. */
  compileResponseFormat(format: JSONText, options?: StructuralTagOptions): CompiledGrammar {
    const text = toJSONText(format, "format");
    return this.#compile(text, "<response format>", readOptions("structural_tag_options", options), (arena, { exports, out, err }, given) =>
      exports.weir_compiler_compile_response_format(this.pointer, arena.text(text), given, out, err));
  }
  compileChoice(strings: readonly (string | Uint8Array)[]): CompiledGrammar {
    const list = stringList(strings, "strings");
    return this.#compile("", "<choice>", undefined, (arena, { exports, out, err }) =>
      exports.weir_compiler_compile_choice(this.pointer, arena.texts(list), list.length, out, err));
  }
  compileSubstring(text: string, unit: SubstringUnit = "character"): CompiledGrammar {
    const number = enumNumber("substring_unit", unit, "unit");
    return this.#compile(checkedText(text, "text"), "<substring>", undefined, (arena, { exports, out, err }) =>
      exports.weir_compiler_compile_substring(this.pointer, arena.text(text), number, out, err));
  }
  compileSubstringChunks(chunks: readonly (string | Uint8Array)[]): CompiledGrammar {
    const list = stringList(chunks, "chunks");
    return this.#compile("", "<substring>", undefined, (arena, { exports, out, err }) =>
      exports.weir_compiler_compile_substring_chunks(this.pointer, arena.texts(list), list.length, out, err));
  }

  /** Returns the limits for everything that this compiler compiles. */
  limits(): Required<Limits> {
    return withArena(this.runtime, (arena) => {
      const at = newStruct(arena, "limits");
      check(arena, this.runtime.exports.weir_compiler_limits(this.pointer, at));
      return readStruct<Required<Limits>>(arena, "limits", at);
    });
  }
  cacheStats(): CacheStats {
    return withArena(this.runtime, (arena) => {
      const at = newStruct(arena, "cache_stats");
      check(arena, this.runtime.exports.weir_compiler_cache_stats(this.pointer, at));
      return readStruct<CacheStats>(arena, "cache_stats", at);
    });
  }
  clearCache(): void {
    withArena(this.runtime, (arena) => check(arena, this.runtime.exports.weir_compiler_clear_cache(this.pointer)));
  }
}
