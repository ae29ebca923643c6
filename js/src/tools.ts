// Structural tags for the tools of a request: docs/tools.md.
import { check } from "./diagnostics.js";
import { checkedText, describe, isPlain, wholeNumber } from "./arguments.js";
import { invalid } from "./errors.js";
import { enumNumber, readLimits, readOptions, writeOptions, type Limits, type Read, type ToolOptions } from "./options.js";
import { runtime as instance, withArena } from "./runtime.js";
import { toJSONText, type JSONText } from "./schemas.js";

/** Returns the names of the languages that the option `language` of a grammar may have: `"sqlite"`, … */
export function languageNames(): string[] {
  const runtime = instance();
  return runtime.run(() => Array.from({ length: runtime.exports.weir_language_count() }, (_, i) => {
    runtime.exports.weir_language_name(i, runtime.out);
    return runtime.text(runtime.out);
  }));
}

/** Returns the styles in which models write calls: `"hermes"`, `"llama"`, … */
export function toolStyles(): string[] {
  const runtime = instance();
  return runtime.run(() => Array.from({ length: runtime.exports.weir_tool_style_count() }, (_, i) => {
    runtime.exports.weir_tool_style(i, runtime.out);
    return runtime.text(runtime.out);
  }));
}

/**
 * Returns the structural tag for the tools of a request, for `GrammarCompiler.compileStructuralTag`.
 * @param style one of `toolStyles()`, or the JSON text of a response template, as tokenizers have it
 * @param tools a list of tools as in OpenAI's interface; `null`: there are none
 * @throws GrammarError there is no such style, `tools` is not a list of tools, or `toolChoice` is not one of them
 */
export function structuralTagForTools(style: string, tools: JSONText | null, options: ToolOptions = {}, limits?: Limits): object {
  const name = checkedText(style, "style");
  const text = tools === null ? "null" : toJSONText(tools, "tools");
  const given = readOptions("tool_options", toolEntries(options));
  const under = readLimits(limits);
  const runtime = instance();
  return withArena(runtime, (arena) => {
    const status = runtime.exports.weir_structural_tag_for_tools(arena.text(name), arena.text(text), writeOptions(arena, given), writeOptions(arena, under), runtime.out, runtime.err);
    check(arena, status, text, "<tools>");
    return JSON.parse(runtime.ownedText(runtime.out)) as object;
  });
}

/** Returns the options that are given: `null` means that an option is not. */
function toolEntries(options: unknown): Record<string, unknown> {
  if (!isPlain(options)) throw invalid(`\`options\` must be a plain object, not ${describe(options)}`);
  const named = Object.entries(options).filter(([, value]) => value !== null);
  return Object.fromEntries(named.map(([key, value]) => [key, key === "toolChoice" ? choiceText(value) : key === "responseFormat" ? formatText(value) : value]));
}

/** Reads the options of a ReplyParser: those of tools, and its own. */
export function readToolOptions(options: unknown): { mode: number; values: boolean; ofTools: Read } {
  const { mode, values, ...others } = toolEntries(options);
  if (values !== undefined && typeof values !== "boolean") throw invalid(`\`values\` must be a boolean, not ${describe(values)}`);
  return {
    mode: mode === undefined ? 0 : enumNumber("reply_mode", mode, "mode"),
    values: values === true,
    ofTools: readOptions("tool_options", others, "options", ["mode", "values"])!,
  };
}

/** Returns the JSON text of `toolChoice`; undefined if it is not given. */
function choiceText(choice: unknown): string | undefined {
  if (choice === undefined) return undefined;
  if (typeof choice === "string") return JSON.stringify(choice);
  if (typeof choice !== "object") throw invalid(`\`toolChoice\` must be a string or an object, not ${describe(choice)}`);
  return toJSONText(choice, "toolChoice");
}

/** Returns the JSON text of `responseFormat`; undefined if it is not given. */
function formatText(format: unknown): string | undefined {
  return format === undefined ? undefined : toJSONText(format, "responseFormat");
}

/** Returns the version of the library. */
export function version(): string {
  const runtime = instance();
  return runtime.run(() => runtime.constant(runtime.exports.weir_version()));
}

/**
 * Returns the line and column of a position in a text. Both count from 1; columns count code points.
 * @param index from 0 to `text.length`
 */
export function lineColumn(text: string, index: number): { line: number; column: number } {
  checkedText(text, "text");
  wholeNumber(index, "index", text.length);
  const runtime = instance();
  return withArena(runtime, (arena) => {
    const offset = new TextEncoder().encode(text.slice(0, index)).length;
    check(arena, runtime.exports.weir_line_column(arena.text(text), offset, runtime.out, runtime.out + 4));
    return { line: runtime.u32(runtime.out), column: runtime.u32(runtime.out + 4) };
  });
}
