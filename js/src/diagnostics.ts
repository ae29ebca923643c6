import { ENUMS, STRUCTS } from "./abi.js";
import { codeOf, GrammarError, type ErrorDetails, type Fix, type Note, type TextRange } from "./errors.js";
import { checkedText } from "./arguments.js";
import { camel, readLimits, readOptions, writeOptions, type Read, type GrammarOptions, type JSONSchemaOptions, type Limits, type RegexOptions, type StructuralTagOptions } from "./options.js";
import { runtime as instance, withArena, type Arena, type Runtime } from "./runtime.js";
import { toJSONText, type JSONText, type SchemaLike } from "./schemas.js";
import { Offsets } from "./text.js";

/** An error or a warning about a text. */
export interface Diagnostic {
  readonly severity: (typeof ENUMS.severity)[number];
  /** The code of an error, or of a warning, such as `"unused-rule"`: docs/diagnostics.md. */
  readonly code: string;
  readonly message: string;
  readonly range: TextRange;
  readonly hint: string;
  readonly limit: string;
  /** The options that the error is about or that the message and the hint name: `["exactSplits"]`. */
  readonly options: readonly string[];
  readonly pointer: string;
  /** The text that the ranges are of, if that is not the one that was read: the tools that a structural tag was made of. */
  readonly text: string | undefined;
  readonly notes: readonly Note[];
  readonly fix: Fix | undefined;
  /** The finding as a compiler prints it, with the line and a caret. */
  readonly rendered: string;
}

/** What a message of the library names: options, and the limit that was met, as the library spells them. */
interface Named {
  readonly options?: readonly string[];
  readonly limit?: string;
}

/** Returns a message of the library with the names that options and limits have in JavaScript. */
export function inJavaScript(message: string, { options = [], limit = "" }: Named): string {
  let out = message.replace(/`?Limits::(\w+)`?/g, (_, name: string) => `\`${camel(name)}\` of the limits`);
  for (const name of limit ? [...options, limit] : options) out = out.replaceAll(`\`${name}\``, `\`${camel(name)}\``);
  return out;
}

/** Returns a rendered finding, in which the first line has the message and one line the hint, with these names. */
function renderedInJavaScript(text: string, named: Named): string {
  return text.split("\n").map((line, i) => (i === 0 || line.startsWith("  hint: ") ? inJavaScript(line, named) : line)).join("\n");
}

const DIAGNOSTIC = STRUCTS.diagnostic.fields;
const NOTE = STRUCTS.note.fields;

type ToIndex = Pick<Offsets, "index">;

/** Reads and frees a weir_diagnostics. */
export function takeDiagnostics(arena: Arena, list: number, text: string, name: string, offsets: ToIndex = new Offsets(text)): Diagnostic[] {
  const { runtime } = arena;
  const x = runtime.exports;
  const at = arena.allocate(STRUCTS.diagnostic.size);
  const note = arena.allocate(STRUCTS.note.size);
  const source = arena.text(text);
  const label = arena.text(name);
  const out: Diagnostic[] = [];
  let own: string | undefined;
  let places = offsets;
  const range = (start: number, end: number): TextRange => ({ start: places.index(start), end: places.index(end) });
  for (let i = 0; i < x.weir_diagnostics_count(list); i++) {
    runtime.view.setUint32(at, STRUCTS.diagnostic.size, true);
    if (x.weir_diagnostics_at(list, i, at) !== 0) continue;
    const word = (field: keyof typeof DIAGNOSTIC) => runtime.u32(at + DIAGNOSTIC[field][0]);
    const textOf = (field: keyof typeof DIAGNOSTIC) => runtime.text(at + DIAGNOSTIC[field][0]);
    const other = textOf("text") || undefined;
    if (other !== own) places = other === undefined ? offsets : new Offsets(other);
    own = other;
    const notes: Note[] = [];
    for (let k = 0; k < word("note_count"); k++) {
      if (x.weir_diagnostics_note(list, i, k, note) !== 0) continue;
      notes.push({
        message: runtime.text(note + NOTE.message[0]),
        location: runtime.text(note + NOTE.location[0]),
        range: range(runtime.u32(note + NOTE.start[0]), runtime.u32(note + NOTE.end[0])),
      });
    }
    const named = { options: textOf("options").split(" ").filter(Boolean), limit: textOf("limit") };
    const hasFix = runtime.view.getUint8(at + DIAGNOSTIC.has_fix[0]) !== 0;
    const finding = {
      severity: ENUMS.severity[word("severity")]!,
      code: textOf("code"),
      message: inJavaScript(textOf("message"), named),
      range: range(word("start"), word("end")),
      hint: inJavaScript(textOf("hint"), named),
      limit: camel(named.limit),
      options: named.options.map(camel),
      pointer: textOf("pointer"),
      text: own,
      notes,
      fix: hasFix ? { range: range(word("fix_start"), word("fix_end")), replacement: textOf("replacement") } : undefined,
    };
    const status = x.weir_diagnostics_render(list, i, source, label, 0, runtime.out);
    out.push({ ...finding, rendered: status === 0 ? renderedInJavaScript(runtime.ownedText(runtime.out).trimEnd(), named) : finding.message });
  }
  x.weir_diagnostics_free(list);
  return out;
}

/**
 * Throws the error that a call has stored. Returns if `status` is 0.
 * @param text the text that was read; ranges of the error refer to it
 * @param offsets how ranges are converted if there is no such text; then the rendered error has no line of it
 */
export function check(arena: Arena, status: number, text = "", name = "<text>", offsets?: ToIndex): void {
  if (status === 0) return;
  const { runtime } = arena;
  const x = runtime.exports;
  const error = runtime.u32(runtime.err);
  runtime.view.setUint32(runtime.err, 0, true);
  if (error === 0) throw new GrammarError(codeOf(status), `the call was refused: ${runtime.constant(x.weir_status_name(status))}`);
  const details: ErrorDetails = {};
  let message = "";
  if (x.weir_error_diagnostics(error, runtime.out) === 0) {
    const [finding] = takeDiagnostics(arena, runtime.u32(runtime.out), text, name, offsets);
    message = finding!.message;
    Object.assign(details, finding, offsets && { rendered: undefined });
  }
  x.weir_error_free(error);
  throw new GrammarError(codeOf(status), message, details);
}

/** Returns the findings that a call has stored about `text`. */
function findings(text: string, name: string, call: (arena: Arena, runtime: Runtime) => number): Diagnostic[] {
  const runtime: Runtime = instance();
  return withArena(runtime, (arena) => {
    check(arena, call(arena, runtime), text, name);
    return takeDiagnostics(arena, runtime.u32(runtime.out), text, name);
  });
}

type CheckCall = "weir_check_grammar" | "weir_check_regex" | "weir_check_schema" | "weir_check_structural_tag" | "weir_check_response_format";

function checkText(call: CheckCall, text: string, options: Read | undefined, limits: Limits | undefined, name: string): Diagnostic[] {
  const under = readLimits(limits);
  return findings(text, name, (arena, { exports, out, err }) => exports[call](arena.text(text), writeOptions(arena, options), writeOptions(arena, under), out, err));
}

/**
 * Lists every error and every warning about a text; the list is empty if there are none.
 *
 *     for (const finding of checkGrammar('root ::= "a"\nspare ::= "b"\n')) console.log(finding.rendered);
 *
 * @throws GrammarError only for arguments of a wrong kind, and unknown options
 */
export function checkGrammar(text: string, options?: GrammarOptions, limits?: Limits): Diagnostic[] {
  return checkText("weir_check_grammar", checkedText(text, "text"), readOptions("text_options", options), limits, "<grammar>");
}
export function checkRegex(pattern: string, options?: RegexOptions, limits?: Limits): Diagnostic[] {
  return checkText("weir_check_regex", checkedText(pattern, "pattern"), readOptions("regex_options", options), limits, "<regex>");
}
export function checkSchema(schema: SchemaLike, options?: JSONSchemaOptions, limits?: Limits): Diagnostic[] {
  return checkText("weir_check_schema", toJSONText(schema, "schema"), readOptions("json_schema_options", options), limits, "<schema>");
}
/**
 * Lists the keywords of a JSON Schema that refuse a text at its first refused character, as findings about the schema's
 * text. The list is empty if the text, or a continuation of it, is in the schema's language.
 *
 *     explainRefusal({ type: "string", minLength: 3 }, '"ab"')[0].pointer;   // "/minLength"
 *
 * Cost: bounded; up to 200 schemas are compiled.
 */
export function explainRefusal(schema: SchemaLike, text: string, options?: JSONSchemaOptions, limits?: Limits): Diagnostic[] {
  const source = toJSONText(schema, "schema");
  const refused = checkedText(text, "text");
  const given = readOptions("json_schema_options", options);
  const under = readLimits(limits);
  return findings(source, "<schema>", (arena, { exports, out, err }) =>
    exports.weir_explain_refusal(arena.text(source), arena.text(refused), writeOptions(arena, given), writeOptions(arena, under), out, err));
}
export function checkStructuralTag(tag: JSONText, options?: StructuralTagOptions, limits?: Limits): Diagnostic[] {
  return checkText("weir_check_structural_tag", toJSONText(tag, "tag"), readOptions("structural_tag_options", options), limits, "<structural tag>");
}
export function checkResponseFormat(format: JSONText, options?: StructuralTagOptions, limits?: Limits): Diagnostic[] {
  return checkText("weir_check_response_format", toJSONText(format, "format"), readOptions("structural_tag_options", options), limits, "<response format>");
}
