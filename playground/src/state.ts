// What a link contains: all that a visitor chose or wrote, except a tokenizer file.
import type { GrammarSyntax, JSONSchemaOptions } from "weir";
import type { Language, SamplerName } from "./engine/protocol.js";

export const TABS = ["grammar", "schema", "tools", "convert"] as const;
export type Tab = (typeof TABS)[number];
/** The tabs with a text. */
export type TextTab = Exclude<Tab, "convert">;

export interface State {
  tab: Tab;
  grammar: { text: string; language: Language | "auto"; start: string; dialect: string; tables: string };
  schema: { text: string; options: JSONSchemaOptions };
  tools: { text: string; style: string; choice: string; reasoning: string; parallel: boolean };
  convertTo: GrammarSyntax | "regex";
  texts: Record<TextTab, string>;
  sampler: SamplerName;
  canonical: boolean;
}

/** Returns `base` with what `given` has. Fields of another type, as in a damaged link, are left out. */
export function merged<T extends object>(base: T, given: unknown): T {
  const out = { ...base } as Record<string, unknown>;
  if (typeof given !== "object" || given === null) return base;
  for (const [key, value] of Object.entries(given)) {
    if (!(key in base) || typeof value !== typeof out[key]) continue;
    // Options of schemas are a set of any names; weir checks them.
    out[key] = typeof value === "object" && key !== "options" ? merged(out[key] as object, value) : value;
  }
  return out as T;
}
