import { check, takeDiagnostics, type Diagnostic } from "./diagnostics.js";
import { invalid } from "./errors.js";
import { checkedText, readList, stringList } from "./arguments.js";
import { enumNumber, readLimits, readOptions, writeOptions, type Read, type GrammarOptions, type GrammarSyntax, type JSONSchemaOptions, type Limits, type RegexOptions, type StructuralTagOptions, type SubstringUnit } from "./options.js";
import { Handle, handleOf, Owned, runtime as instance, withArena, type Arena, type Runtime } from "./runtime.js";
import { toJSONText, type JSONText, type SchemaLike } from "./schemas.js";


/**
 * Returns the text of a JSON Schema in strict mode: no other members and items than those that it lists.
 * docs/json_schema.md says when a schema is closed.
 *
 *     strictJSONSchema('{"properties": {"a": {}}}');  // {"properties":{"a":{}},"additionalProperties":false}
 * @throws GrammarError `syntax`: not JSON; `limit_exceeded`
 */
export function strictJSONSchema(schema: SchemaLike, limits?: Limits): string {
  const text = toJSONText(schema, "schema");
  const under = readLimits(limits);
  const runtime = instance();
  return withArena(runtime, (arena) => {
    const { exports, out, err } = runtime;
    check(arena, exports.weir_strict_json_schema(arena.text(text), writeOptions(arena, under), out, err), text, "<schema>");
    return runtime.ownedText(out);
  });
}

/**
 * A grammar in any language, independent of a tokenizer. `GrammarCompiler` reads and compiles in one call. Use a
 * Grammar to compile for several tokenizers, to join grammars or to convert them.
 */
export class Grammar extends Handle {
  readonly #text: string;
  readonly #name: string;

  private constructor(owned: Owned, text: string, name: string) {
    super(owned, "weir_grammar_free", "`Grammar.fromText` and the like make it");
    this.#text = text;
    this.#name = name;
  }

  /** Makes a grammar. `text` is empty if the errors are not about one. */
  static #make(text: string, name: string, options: Read | undefined, limits: Limits | undefined, call: (arena: Arena, options: number, limits: number, runtime: Runtime) => number): Grammar {
    const under = readLimits(limits);
    const runtime = instance();
    return withArena(runtime, (arena) => {
      check(arena, call(arena, writeOptions(arena, options), writeOptions(arena, under), runtime), text, name);
      return new Grammar(runtime.owned(), text, name);
    });
  }

  /** Reads a grammar in a language that has rules: docs/ebnf.md, gbnf.md, xgrammar.md, kbnf.md, lark.md. */
  static fromText(text: string, options?: GrammarOptions, limits?: Limits): Grammar {
    return Grammar.#make(checkedText(text, "text"), "<grammar>", readOptions("text_options", options), limits, (arena, given, under, { exports, out, err }) =>
      exports.weir_grammar_from_text(arena.text(text), given, under, out, err));
  }
  static fromEBNF(text: string, options?: { start?: string }, limits?: Limits): Grammar {
    return Grammar.#make(checkedText(text, "text"), "<grammar>", readOptions("ebnf_options", options), limits, (arena, given, under, { exports, out, err }) =>
      exports.weir_grammar_from_ebnf(arena.text(text), given, under, out, err));
  }
  static fromRegex(pattern: string, options?: RegexOptions, limits?: Limits): Grammar {
    return Grammar.#make(checkedText(pattern, "pattern"), "<regex>", readOptions("regex_options", options), limits, (arena, given, under, { exports, out, err }) =>
      exports.weir_grammar_from_regex(arena.text(pattern), given, under, out, err));
  }
  static fromJSONSchema(schema: SchemaLike, options?: JSONSchemaOptions, limits?: Limits): Grammar {
    const text = toJSONText(schema, "schema");
    return Grammar.#make(text, "<schema>", readOptions("json_schema_options", options), limits, (arena, given, under, { exports, out, err }) =>
      exports.weir_grammar_from_json_schema(arena.text(text), given, under, out, err));
  }
  /** Returns the grammar of the JSON texts of all values. */
  static json(options?: JSONSchemaOptions, limits?: Limits): Grammar {
    return Grammar.#make("", "<json>", readOptions("json_schema_options", options), limits, (_, given, under, { exports, out, err }) =>
      exports.weir_grammar_json(given, under, out, err));
  }
  /** Returns the grammar of the JSON texts of all objects. */
  static jsonObject(options?: JSONSchemaOptions, limits?: Limits): Grammar {
    return Grammar.#make("", "<json>", readOptions("json_schema_options", options), limits, (_, given, under, { exports, out, err }) =>
      exports.weir_grammar_json_object(given, under, out, err));
  }
  static fromStructuralTag(tag: JSONText, options?: StructuralTagOptions, limits?: Limits): Grammar {
    const text = toJSONText(tag, "tag");
    return Grammar.#make(text, "<structural tag>", readOptions("structural_tag_options", options), limits, (arena, given, under, { exports, out, err }) =>
      exports.weir_grammar_from_structural_tag(arena.text(text), given, under, out, err));
  }
  /** Reads a `response_format` of OpenAI's interface. */
  static fromResponseFormat(format: JSONText, options?: StructuralTagOptions, limits?: Limits): Grammar {
    const text = toJSONText(format, "format");
    return Grammar.#make(text, "<response format>", readOptions("structural_tag_options", options), limits, (arena, given, under, { exports, out, err }) =>
      exports.weir_grammar_from_response_format(arena.text(text), given, under, out, err));
  }
  /** Returns the grammar of these strings. */
  static fromChoice(strings: readonly (string | Uint8Array)[], limits?: Limits): Grammar {
    const list = stringList(strings, "strings");
    return Grammar.#make("", "<choice>", undefined, limits, (arena, _, under, { exports, out, err }) =>
      exports.weir_grammar_from_choice(arena.texts(list), list.length, under, out, err));
  }
  /** Returns the grammar of quotations: all substrings of `text` that consist of whole units. */
  static fromSubstring(text: string, unit: SubstringUnit = "character", limits?: Limits): Grammar {
    const number = enumNumber("substring_unit", unit, "unit");
    return Grammar.#make(checkedText(text, "text"), "<substring>", undefined, limits, (arena, _, under, { exports, out, err }) =>
      exports.weir_grammar_from_substring(arena.text(text), number, under, out, err));
  }
  /** Returns the grammar of all runs of consecutive chunks. */
  static fromSubstringChunks(chunks: readonly (string | Uint8Array)[], limits?: Limits): Grammar {
    const list = stringList(chunks, "chunks");
    return Grammar.#make("", "<substring>", undefined, limits, (arena, _, under, { exports, out, err }) =>
      exports.weir_grammar_from_substring_chunks(arena.texts(list), list.length, under, out, err));
  }

  static #join(call: "weir_grammar_concat" | "weir_grammar_any_of", parts: readonly Grammar[], limits: Limits | undefined): Grammar {
    const list = readList(parts, "parts", "Grammars", (part, name) => handleOf(part, Grammar, name));
    return Grammar.#make("", "<grammar>", undefined, limits, (arena, _, under, { exports, out, err }) => {
      if (list.some((part) => part.runtime !== arena.runtime)) throw invalid("a grammar of `parts` belongs to another instance of the module");
      return exports[call](arena.words(list.map((part) => part.pointer)), list.length, under, out, err);
    });
  }
  /** Returns the grammar of a text of each part, one after another. */
  static concat(parts: readonly Grammar[], limits?: Limits): Grammar {
    return Grammar.#join("weir_grammar_concat", parts, limits);
  }
  /** Returns the grammar of the texts of any part. */
  static anyOf(parts: readonly Grammar[], limits?: Limits): Grammar {
    return Grammar.#join("weir_grammar_any_of", parts, limits);
  }

  clone(): Grammar {
    return withArena(this.runtime, (arena) => {
      check(arena, this.runtime.exports.weir_grammar_clone(this.pointer, this.runtime.out));
      return new Grammar(this.runtime.owned(), this.#text, this.#name);
    });
  }

  /** The warnings about the grammar's text. */
  get warnings(): Diagnostic[] {
    return withArena(this.runtime, (arena) => {
      if (this.runtime.exports.weir_grammar_warning_count(this.pointer) === 0) return [];
      check(arena, this.runtime.exports.weir_grammar_diagnostics(this.pointer, this.runtime.out));
      return takeDiagnostics(arena, this.runtime.u32(this.runtime.out), this.#text, this.#name);
    });
  }

  /**
   * Returns the grammar's text in another language, or as one regular expression: docs/convert.md.
   * @throws GrammarError `unsupported`: that language cannot express the grammar
   */
  convert(to: GrammarSyntax | "regex"): string {
    const syntax = to === "regex" ? undefined : enumNumber("grammar_syntax", to, "to");
    return withArena(this.runtime, (arena) => {
      const { exports, out, err } = this.runtime;
      const status = syntax === undefined ? exports.weir_convert_to_regex(this.pointer, out, err) : exports.weir_convert_grammar(this.pointer, syntax, out, err);
      check(arena, status, this.#text, this.#name);
      return this.runtime.ownedText(out);
    });
  }
}
