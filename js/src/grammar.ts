import { ENUMS } from "./abi.js";
import { check, takeDiagnostics, type Diagnostic } from "./diagnostics.js";
import { invalid } from "./errors.js";
import { checkedText, enumNumber, writeOptions, type GrammarOptions, type GrammarSyntax, type JSONSchemaOptions, type Limits, type RegexOptions, type StructuralTagOptions } from "./options.js";
import { Handle, runtime as instance, withArena, type Arena, type Runtime } from "./runtime.js";
import { toJSONText, type JSONText, type SchemaLike } from "./schemas.js";

export type SubstringUnit = (typeof ENUMS.substring_unit)[number];

export function stringList(strings: unknown, name: string): readonly (string | Uint8Array)[] {
  if (!Array.isArray(strings)) throw invalid(`\`${name}\` must be an array of strings`);
  return strings.map((s, i) => (s instanceof Uint8Array ? s : checkedText(s, `${name}[${i}]`)));
}

/**
 * Returns the text of a JSON Schema in strict mode: no other members and items than those that it lists.
 * docs/json_schema.md says when a schema is closed.
 *
 *     strictJSONSchema('{"properties": {"a": {}}}');  // {"properties":{"a":{}},"additionalProperties":false}
 * @throws GrammarError `syntax`: not JSON; `limit_exceeded`
 */
export function strictJSONSchema(schema: SchemaLike, limits?: Limits): string {
  const text = toJSONText(schema, "schema");
  const runtime = instance();
  return withArena(runtime, (arena) => {
    const { exports, out, err } = runtime;
    check(arena, exports.weir_strict_json_schema(arena.text(text), writeOptions(arena, "limits", limits, "limits"), out, err), text, "<schema>");
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

  /** @internal */
  constructor(runtime: Runtime, pointer: number, text = "", name = "<grammar>") {
    super(runtime, pointer, "weir_grammar_free");
    this.#text = text;
    this.#name = name;
  }

  static #make(text: string, name: string, limits: Limits | undefined, call: (arena: Arena, limits: number, runtime: Runtime) => number): Grammar {
    const runtime = instance();
    return withArena(runtime, (arena) => {
      check(arena, call(arena, writeOptions(arena, "limits", limits, "limits"), runtime), text, name);
      return new Grammar(runtime, runtime.u32(runtime.out), text, name);
    });
  }

  /** Reads a grammar in a language that has rules: docs/ebnf.md, gbnf.md, xgrammar.md, kbnf.md, lark.md. */
  static fromText(text: string, options?: GrammarOptions, limits?: Limits): Grammar {
    return Grammar.#make(checkedText(text, "text"), "<grammar>", limits, (arena, under, { exports, out, err }) =>
      exports.weir_grammar_from_text(arena.text(text), writeOptions(arena, "text_options", options), under, out, err));
  }
  static fromEBNF(text: string, options?: { start?: string }, limits?: Limits): Grammar {
    return Grammar.#make(checkedText(text, "text"), "<grammar>", limits, (arena, under, { exports, out, err }) =>
      exports.weir_grammar_from_ebnf(arena.text(text), writeOptions(arena, "ebnf_options", options), under, out, err));
  }
  static fromRegex(pattern: string, options?: RegexOptions, limits?: Limits): Grammar {
    return Grammar.#make(checkedText(pattern, "pattern"), "<regex>", limits, (arena, under, { exports, out, err }) =>
      exports.weir_grammar_from_regex(arena.text(pattern), writeOptions(arena, "regex_options", options), under, out, err));
  }
  static fromJSONSchema(schema: SchemaLike, options?: JSONSchemaOptions, limits?: Limits): Grammar {
    const text = toJSONText(schema, "schema");
    return Grammar.#make(text, "<schema>", limits, (arena, under, { exports, out, err }) =>
      exports.weir_grammar_from_json_schema(arena.text(text), writeOptions(arena, "json_schema_options", options), under, out, err));
  }
  /** Returns the grammar of the JSON texts of all values. */
  static json(options?: JSONSchemaOptions, limits?: Limits): Grammar {
    return Grammar.#make("", "<json>", limits, (arena, under, { exports, out, err }) =>
      exports.weir_grammar_json(writeOptions(arena, "json_schema_options", options), under, out, err));
  }
  /** Returns the grammar of the JSON texts of all objects. */
  static jsonObject(options?: JSONSchemaOptions, limits?: Limits): Grammar {
    return Grammar.#make("", "<json>", limits, (arena, under, { exports, out, err }) =>
      exports.weir_grammar_json_object(writeOptions(arena, "json_schema_options", options), under, out, err));
  }
  static fromStructuralTag(tag: JSONText, options?: StructuralTagOptions, limits?: Limits): Grammar {
    const text = toJSONText(tag, "tag");
    return Grammar.#make(text, "<structural tag>", limits, (arena, under, { exports, out, err }) =>
      exports.weir_grammar_from_structural_tag(arena.text(text), writeOptions(arena, "structural_tag_options", options), under, out, err));
  }
  static fromResponseFormat(format: JSONText, options?: StructuralTagOptions, limits?: Limits): Grammar {
    const text = toJSONText(format, "format");
    return Grammar.#make(text, "<response format>", limits, (arena, under, { exports, out, err }) =>
      exports.weir_grammar_from_response_format(arena.text(text), writeOptions(arena, "structural_tag_options", options), under, out, err));
  }
  /** Returns the grammar of these strings. */
  static fromChoice(strings: readonly (string | Uint8Array)[], limits?: Limits): Grammar {
    const list = stringList(strings, "strings");
    return Grammar.#make("", "<choice>", limits, (arena, under, { exports, out, err }) =>
      exports.weir_grammar_from_choice(arena.texts(list), list.length, under, out, err));
  }
  /** Returns the grammar of quotations: all substrings of `text` that consist of whole units. */
  static fromSubstring(text: string, unit: SubstringUnit = "character", limits?: Limits): Grammar {
    return Grammar.#make(checkedText(text, "text"), "<substring>", limits, (arena, under, { exports, out, err }) =>
      exports.weir_grammar_from_substring(arena.text(text), enumNumber("substring_unit", unit, "unit"), under, out, err));
  }
  /** Returns the grammar of all runs of consecutive chunks. */
  static fromSubstringChunks(chunks: readonly (string | Uint8Array)[], limits?: Limits): Grammar {
    const list = stringList(chunks, "chunks");
    return Grammar.#make("", "<substring>", limits, (arena, under, { exports, out, err }) =>
      exports.weir_grammar_from_substring_chunks(arena.texts(list), list.length, under, out, err));
  }

  static #join(call: "weir_grammar_concat" | "weir_grammar_any_of", parts: readonly Grammar[], limits: Limits | undefined): Grammar {
    if (!Array.isArray(parts) || !parts.every((part) => part instanceof Grammar)) throw invalid("`parts` must be an array of Grammars");
    return Grammar.#make("", "<grammar>", limits, (arena, under, { exports, out, err }) =>
      exports[call](arena.words(parts.map((part) => part.pointer)), parts.length, under, out, err));
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
      return new Grammar(this.runtime, this.runtime.u32(this.runtime.out), this.#text, this.#name);
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
    return withArena(this.runtime, (arena) => {
      const { exports, out, err } = this.runtime;
      const status = to === "regex" ? exports.weir_convert_to_regex(this.pointer, out, err)
        : exports.weir_convert_grammar(this.pointer, enumNumber("grammar_syntax", to, "to"), out, err);
      check(arena, status, this.#text, this.#name);
      return this.runtime.ownedText(out);
    });
  }
}
