import { ENUMS } from "./abi.js";

/** The reason why something could not be built or a step could not be made. */
export type ErrorCode =
  | "invalid_argument"
  | "syntax"
  | "unsupported"
  | "unsatisfiable"
  | "limit_exceeded"
  | "internal"
  | "out_of_memory"
  | "terminated"
  | "not_found";

/** A range of a text, in UTF-16 code units: `text.slice(range.start, range.end)`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Another position that belongs to an error or a warning. */
export interface Note {
  readonly message: string;
  /** For a JSON Schema, a pointer such as `"#/a/minLength"`. */
  readonly location: string;
  /** Empty if the position is in another document. */
  readonly range: TextRange;
}

/** The change that corrects a text: `replacement` in place of `range`. */
export interface Fix {
  readonly range: TextRange;
  readonly replacement: string;
}

export interface ErrorDetails {
  range?: TextRange;
  hint?: string;
  limit?: string;
  options?: readonly string[];
  pointer?: string;
  rendered?: string;
  notes?: readonly Note[];
  fix?: Fix | undefined;
  /** The error of another library, such as zod's. */
  cause?: unknown;
}

/**
 * Every error of this package: a grammar, schema, tokenizer or argument that cannot be used, or a step that exceeded a
 * limit. The call that failed has changed nothing.
 */
export class GrammarError extends Error {
  override readonly name = "GrammarError";
  readonly code: ErrorCode;
  /** The range in the text that was read; for bytes, in the bytes. Empty at 0 if the error is not about a text. */
  readonly range: TextRange;
  /** A likely fix, or "". */
  readonly hint: string;
  /** With code `"limit_exceeded"`, the field of `Limits`, such as `"callWork"`; else "". */
  readonly limit: string;
  /** The options that the error is about or that the message and the hint name: `["exactSplits"]`. */
  readonly options: readonly string[];
  /** For a JSON Schema, the JSON Pointer of the value that contains the range. */
  readonly pointer: string;
  /** The error as a compiler prints it: the position, the line with a caret below it, the hint. */
  readonly rendered: string;
  readonly notes: readonly Note[];
  /** The change that implements the hint, if there is one. */
  readonly fix: Fix | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    if ("cause" in details) Object.defineProperty(this, "cause", { value: details.cause, configurable: true, writable: true });
    this.code = code;
    this.range = details.range ?? { start: 0, end: 0 };
    this.hint = details.hint ?? "";
    this.limit = details.limit ?? "";
    this.options = details.options ?? [];
    this.pointer = details.pointer ?? "";
    this.rendered = details.rendered ?? `error: ${message}${details.hint ? `\n  hint: ${details.hint}` : ""}`;
    this.notes = details.notes ?? [];
    this.fix = details.fix;
  }

  /** The rendered error. */
  override toString(): string {
    return this.rendered;
  }
}

export function invalid(message: string, hint = ""): GrammarError {
  return new GrammarError("invalid_argument", message, { hint });
}

export function codeOf(status: number): ErrorCode {
  return (ENUMS.status[status] ?? "internal") as ErrorCode;
}
