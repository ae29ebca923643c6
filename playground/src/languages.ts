// Highlighting for the languages that weir reads, and their names.
import { json } from "@codemirror/lang-json";
import { HighlightStyle, LanguageSupport, StreamLanguage, type StreamParser, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags as t } from "@lezer/highlight";
import { hasTables, isNamed, type Language, type NamedLanguage } from "./engine/protocol.js";

export const LANGUAGE_NAMES: Record<Language, string> = {
  ebnf: "EBNF",
  gbnf: "GBNF (llama.cpp)",
  xgrammar: "EBNF of XGrammar",
  kbnf: "KBNF",
  lark: "Lark",
  regex: "regular expression",
  json_schema: "JSON Schema",
  structural_tag: "structural tag",
  response_format: "response_format",
  choice: "choice, one text a line",
  substring: "quotation of a text",
  python: "Python",
  sqlite: "SQLite",
  postgresql: "PostgreSQL",
};

const SQL_STARTS = ["statement", "query", "insert", "update", "delete", "expr"];
/** The start rules that docs/languages.md names. */
export const START_RULES: Record<NamedLanguage, readonly string[]> = { python: [], sqlite: SQL_STARTS, postgresql: [...SQL_STARTS, "merge"] };

interface GrammarState {
  isInComment: boolean;
}

/** Languages of rules differ in their comments and definitions, not in how names and strings look. */
function rules(language: Language): StreamParser<GrammarState> {
  const isLark = language === "lark";
  const isKbnf = language === "kbnf";
  return {
    name: language,
    startState: () => ({ isInComment: false }),
    token(stream, state) {
      if (state.isInComment) {
        if (stream.match(/^.*?\*\)/)) state.isInComment = false;
        else stream.skipToEnd();
        return "comment";
      }
      if (stream.eatSpace()) return null;
      if (isKbnf && stream.match("(*")) {
        state.isInComment = true;
        return "comment";
      }
      if (stream.match(isLark ? /^\/\/.*/ : isKbnf ? /^\/\/.*/ : /^(#|\/\/).*/)) return "comment";
      if (isKbnf && stream.match(/^#(e|ex|substrs)?"(?:[^"\\]|\\.)*"/)) return "regexp";
      if (stream.match(/^"(?:[^"\\]|\\.)*"i?/) || stream.match(/^'(?:[^'\\]|\\.)*'/)) return "string";
      if (stream.match(/^["'].*/)) return "string";
      if (!isKbnf && stream.match(/^\/(?![/*])(?:[^/\\\n]|\\.)+\/[a-z]*/)) return "regexp";
      if (!isLark && !isKbnf && stream.match(/^\[\^?(?:[^\]\\]|\\.)*\]/)) return "regexp";
      if (stream.match(/^<[^>\s]*>/) || stream.match(/^[@%][\w.]+/)) return "keyword";
      if (stream.match(isLark ? /^[?!]*[\w]+(?=(\.-?\d+)?(\[[^\]]*\])?(\{[^}]*\})?\s*:)/ : /^[\w.-]+(?=\s*(::=|\[))/)) return "definition";
      if (stream.match(/^[a-zA-Z_][\w-]*/)) return "variableName";
      if (stream.match(/^\d+/)) return "number";
      if (stream.match(/^(::=|->|\.\.|[|*+?~:;(){}[\],&^!=-])/)) return "operator";
      stream.next();
      return null;
    },
    tokenTable: { definition: t.definition(t.variableName) },
    languageData: { commentTokens: { line: isLark ? "//" : isKbnf ? "//" : "#" } },
  };
}

const regex: StreamParser<unknown> = {
  name: "regex",
  token(stream) {
    if (stream.match(/^\[\^?\]?(?:[^\]\\]|\\.)*\]/)) return "regexp";
    if (stream.match(/^\\(?:[pP]\{[^}]*\}|x[\da-fA-F]{2}|u\{?[\da-fA-F]+\}?|.)/)) return "keyword";
    if (stream.match(/^\{\d*,?\d*\}/)) return "number";
    if (stream.match(/^(\(\?[a-zA-Z<>=!:]*|[()|*+?^$.&~])/)) return "operator";
    stream.next();
    return null;
  },
};

/** Words that are keywords in definitions of tables. */
const TABLE_WORDS = new Set(("add alter and as cascade check column constraint create default delete drop exists foreign from generated if in index inherits "
  + "is key like not null on or primary references rename schema select set table temporary to unique update using view where with").split(" "));

/** Definitions of tables: what looks the same in most dialects. */
const tables: StreamParser<{ isInComment: boolean }> = {
  name: "tables",
  startState: () => ({ isInComment: false }),
  token(stream, state) {
    if (state.isInComment || stream.match("/*")) {
      state.isInComment = !stream.match(/^.*?\*\//);
      if (state.isInComment) stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^--.*/)) return "comment";
    if (stream.match(/^'(?:[^']|'')*'?/)) return "string";
    if (stream.match(/^("(?:[^"]|"")*"?|`[^`]*`?)/)) return "variableName";
    if (stream.match(/^\d+(\.\d+)?/)) return "number";
    const word = stream.match(/^[\p{L}_][\p{L}\p{N}_$]*/u) as RegExpMatchArray | null;
    if (word) return TABLE_WORDS.has(word[0].toLowerCase()) ? "keyword" : "variableName";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "--" } },
};

const colors = HighlightStyle.define([
  { tag: [t.comment], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [t.string], color: "var(--code-string)" },
  { tag: [t.regexp], color: "var(--code-class)" },
  { tag: [t.keyword, t.bool, t.null], color: "var(--code-keyword)" },
  { tag: [t.number], color: "var(--code-number)" },
  { tag: [t.definition(t.variableName), t.propertyName], color: "var(--code-name)", fontWeight: "600" },
  { tag: [t.variableName], color: "var(--code-reference)" },
  { tag: [t.operator], color: "var(--code-operator)" },
]);

/** Returns the highlighting of a language. */
export function highlighting(language: Language): Extension {
  const style = syntaxHighlighting(colors);
  if (isNamed(language)) return hasTables(language) ? [new LanguageSupport(StreamLanguage.define(tables)), style] : [];
  switch (language) {
    case "json_schema": case "structural_tag": case "response_format": return [json(), style];
    case "regex": return [new LanguageSupport(StreamLanguage.define(regex)), style];
    case "choice": case "substring": return [];
    default: return [new LanguageSupport(StreamLanguage.define(rules(language))), style];
  }
}
