// The examples. Each is a part of a state; what it leaves out keeps its default.
import type { State } from "./state.js";

type Partial2<T> = { [K in keyof T]?: T[K] extends object ? Partial<T[K]> : T[K] };
export interface Example {
  name: string;
  state: Partial2<State>;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

export const EXAMPLES: readonly Example[] = [
  {
    name: "Arithmetic (EBNF)",
    state: {
      tab: "grammar",
      grammar: { text: `# Sums and products with brackets: left-recursive, as one would write it.
root   ::= sum
sum    ::= sum ("+" | "-") term | term
term   ::= term ("*" | "/") factor | factor
factor ::= number | "(" sum ")"
number ::= [0-9]+ ("." [0-9]+)?
` },
      texts: { grammar: "2*(17+4" },
    },
  },
  {
    name: "A chess game (GBNF)",
    state: {
      tab: "grammar",
      grammar: { text: `# Moves as llama.cpp's example writes them.
root    ::= "1. " move " " move "\\n" ([1-9] [0-9]? ". " move " " move "\\n")+
move    ::= (pawn | nonpawn | castle) [+#]?
nonpawn ::= [NBKQR] [a-h]? [1-8]? "x"? [a-h] [1-8]
pawn    ::= ([a-h] "x")? [a-h] [1-8] ("=" [NBKQR])?
castle  ::= "O-O" "-O"?
`, language: "gbnf" },
      texts: { grammar: "1. e4 e5\n2. Nf3 " },
    },
  },
  {
    name: "A query language (Lark)",
    state: {
      tab: "grammar",
      grammar: { text: `start: "SELECT" columns "FROM" NAME where? ";"
columns: "*" | NAME ("," NAME)*
where: "WHERE" condition (("AND" | "OR") condition)*
condition: NAME ("=" | "<" | ">") value
value: NUMBER | STRING

NAME: /[a-z_][a-z0-9_]*/
NUMBER: /-?[0-9]+/
STRING: /'[^'\\n]*'/
%ignore /[ \\n]+/
` },
      texts: { grammar: "SELECT name, age FROM people WHERE age > 2" },
    },
  },
  {
    name: "A date (regular expression)",
    state: {
      tab: "grammar",
      grammar: { text: String.raw`(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])` },
      texts: { grammar: "2024-1" },
    },
  },
  {
    name: "Poems in three lines (KBNF)",
    state: {
      tab: "grammar",
      grammar: { text: `(* Formatron's notation: rules end with a semicolon. *)
start ::= line '\\n' line '\\n' line;
line  ::= word ' ' word ' ' word | word ' ' word;
word  ::= 'autumn' | 'evening' | 'moon' | 'pond' | 'rain' | 'the' | 'silence' | 'wind';
` },
      texts: { grammar: "autumn evening\nthe p" },
    },
  },
  {
    name: "A Python function",
    state: {
      tab: "grammar",
      grammar: { language: "python" },
      texts: { grammar: `def mean(values: list[float]) -> float:
    """Returns the mean; of no values, 0."""
    if not values:
        return 0.0
    return sum(values) / len(` },
    },
  },
  {
    name: "A query over two tables (SQLite)",
    state: {
      tab: "grammar",
      grammar: { language: "sqlite", start: "query", tables: `CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, "e-mail" TEXT);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users,
  total REAL CHECK (total >= 0), -- in euros
  paid_on TEXT
);
` },
      texts: { grammar: `SELECT u.name, sum(o.total) AS spent
FROM users u JOIN orders o ON o.user_id = u.id
WHERE o.pai` },
    },
  },
  {
    name: "A mistake, with a fix",
    state: {
      tab: "grammar",
      grammar: { text: `root     ::= greeting " " adress "!"
greeting ::= "Hello" | "Good day"
address  ::= "world" | "reader"
spare    ::= "unused"
` },
      texts: { grammar: "Hello wor" },
    },
  },
  {
    name: "An order (JSON Schema)",
    state: {
      tab: "schema",
      schema: { text: json({
        type: "object",
        properties: {
          id: { type: "string", pattern: "^A-[0-9]{4}$" },
          customer: { type: "string", minLength: 2, maxLength: 24 },
          express: { type: "boolean" },
          items: {
            type: "array", minItems: 1, maxItems: 3, uniqueItems: true,
            items: { type: "object", properties: { product: { enum: ["tea", "coffee", "cocoa"] }, count: { type: "integer", minimum: 1, maximum: 12 } }, required: ["product", "count"], additionalProperties: false },
          },
          ordered: { type: "string", format: "date" },
        },
        required: ["id", "customer", "items"],
        additionalProperties: false,
      }), options: { profile: "serving" } },
      texts: { schema: '{"id": "A-1024", "customer": "Ada", "items": [{"product": "tea", "count": 13' },
    },
  },
  {
    name: "Shapes (anyOf, const)",
    state: {
      tab: "schema",
      schema: { text: json({
        anyOf: [
          { type: "object", properties: { kind: { const: "circle" }, radius: { type: "number", exclusiveMinimum: 0 } }, required: ["kind", "radius"], additionalProperties: false },
          { type: "object", properties: { kind: { const: "box" }, width: { type: "number", minimum: 0 }, height: { type: "number", minimum: 0 } }, required: ["kind", "width", "height"], additionalProperties: false },
        ],
      }), options: { profile: "serving", order: "declared" } },
      texts: { schema: '{"kind": "circle", "width"' },
    },
  },
  {
    name: "Weather tools",
    state: {
      tab: "tools",
      tools: { text: json([
        { type: "function", function: { name: "get_weather", description: "The weather at a place", parameters: { type: "object", properties: { city: { type: "string", minLength: 2 }, days: { type: "integer", minimum: 1, maximum: 7 }, unit: { enum: ["celsius", "fahrenheit"] } }, required: ["city"], additionalProperties: false } } },
        { type: "function", function: { name: "send_mail", parameters: { type: "object", properties: { to: { type: "string", format: "email" }, subject: { type: "string" } }, required: ["to"], additionalProperties: false } } },
      ]), style: "hermes", choice: "auto" },
      texts: { tools: 'Let me see.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", ' },
    },
  },
  {
    name: "JSON, converted to GBNF",
    state: {
      tab: "convert",
      grammar: { text: `root   ::= value
value  ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" (member ("," member)*)? "}"
member ::= string ":" value
array  ::= "[" (value ("," value)*)? "]"
string ::= "\\"" [^"\\\\\\x00-\\x1f]* "\\""
number ::= "-"? [0-9]+ ("." [0-9]+)?
` },
      convertTo: "gbnf",
    },
  },
];
