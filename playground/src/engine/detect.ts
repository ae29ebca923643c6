// Finds out in which language a text is written.
import { Grammar, type GrammarSyntax } from "weir";
import type { Language } from "./protocol.js";

const RESPONSE_FORMATS = new Set(["json_object", "json_schema", "text", "grammar", "regex"]);

function ofJSON(value: unknown): Language {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "json_schema";
  const { type, json_schema, schema, grammar, format } = value as Record<string, unknown>;
  if (type === "structural_tag" || typeof format === "object") return "structural_tag";
  const isFormat = RESPONSE_FORMATS.has(String(type)) && (type !== "json_schema" || json_schema !== undefined || schema !== undefined);
  return isFormat || grammar !== undefined ? "response_format" : "json_schema";
}

/** Returns true if the text is a grammar of this language. */
function reads(text: string, syntax: GrammarSyntax): boolean {
  try {
    Grammar.fromText(text, { syntax }).dispose();
    return true;
  } catch {
    return false;
  }
}

/** Returns the languages with rules that the text looks like, the likeliest first. */
function candidates(text: string): GrammarSyntax[] {
  if (/^\s*[\w-]+\s*::=/m.test(text)) {
    const endsRules = /;\s*($|\(\*|\/\/)/m.test(text);
    return endsRules || /^\s*start\s*::=/m.test(text) && !/^\s*root\s*::=/m.test(text) ? ["kbnf", "ebnf", "gbnf", "xgrammar"] : ["ebnf", "gbnf", "xgrammar", "kbnf"];
  }
  if (/^\s*[?!]*[a-zA-Z_]\w*(\.-?\d+)?(\[[^\]]*\])?\s*:/m.test(text) || /^\s*%(import|ignore|llguidance)/m.test(text)) return ["lark"];
  return [];
}

export function detectLanguage(text: string): Language {
  const start = text.trimStart();
  if (/^[{[]/.test(start)) {
    try {
      return ofJSON(JSON.parse(text));
    } catch {
      if (/^\{\s*("|\})/.test(start)) return "json_schema";
    }
  }
  const likely = candidates(text);
  if (likely.length > 0) return likely.find((syntax) => reads(text, syntax)) ?? likely[0]!;
  return "regex";
}
