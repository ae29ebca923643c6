// Written by tools/generate from the structs in include/weir. Do not edit.
import type { JSONSchemaOptions } from "weir";

/** Name, label, words and meaning of each option that is one of a few words. */
export const CHOICES: readonly [keyof JSONSchemaOptions, string, readonly string[], string][] = [
  ["defaultDraft", "Default draft", ["4", "6", "7", "2019-09", "2020-12"], "The draft that applies to a schema without `$schema`."],
  ["reading", "Reading", ["specification", "practice"], "What counts of keywords that a schema's draft says nothing about."],
  ["formats", "Formats", ["assert", "annotate"], "Whether `format` constrains strings."],
  ["unknownFormats", "Unknown formats", ["warn", "refuse"], "What happens to a `format` that weir does not know."],
  ["unknownKeywords", "Unknown keywords", ["ignore", "refuse"], "What happens to a member of a schema that is a keyword of no draft, such as `minLenght`."],
  ["notation", "Notation", ["json", "yaml"], "The language in which values are written."],
  ["whitespace", "Whitespace", ["bounded", "none", "compact", "indented", "unbounded", "pattern"], "Which blanks (space, tab, line ends) a text may have between its parts."],
  ["order", "Order", ["any", "declared"], "The order of an object's members."],
  ["escapes", "Escapes", ["all", "short", "required"], "The spellings of a character that are allowed in a string."],
  ["integers", "Integers", ["any", "plain"], "How a value is written where the schema allows only integers."],
  ["numbers", "Numbers", ["any", "double"], "Which numbers are allowed."],
];

/** Name, label and meaning of each flag. */
export const SWITCHES: readonly [keyof JSONSchemaOptions, string, string][] = [
  ["leadingWhitespace", "Leading whitespace", "True if blanks are also allowed before the value."],
  ["trailingWhitespace", "Trailing whitespace", "True if blanks are also allowed after the value."],
  ["loneSurrogates", "Lone surrogates", "True if a surrogate escape without its other half is allowed: `\"\\ud800\"`."],
  ["exponents", "Exponents", "True if numbers may be written with an exponent."],
];

export const REGEX_DIALECTS = ["weir", "ecma262", "rust", "python", "pcre"] as const;
