#!/usr/bin/env python3
"""Writes cases other than everyday schemas, whose masks may be expensive: make_cases.py [--large FILE]

The grammars of handwritten/, one file for each language, go to handwritten.jsonl, beside this script: everyday grammars as
people write them, each with texts. The small cases go to beyond_schemas.jsonl, beside this script. With --large, large cases go to FILE: an enumeration of
10,000 values, a choice of 100,000 strings, quotations from 100 KB, and 500 tools in one grammar. A case is a line of
`weir cases`. Most grammars are written once, in the EBNF that weir and xgrammar have in common ("ebnf"), and translated
to "lark" for engines that read Lark's notation, so that bench/compare can run them on every engine. A grammar that is
written in one language only tests the constructs of that language.
"""

import argparse
import json
import pathlib
import random
import re

HERE = pathlib.Path(__file__).resolve().parent
SMALL = HERE / "beyond_schemas.jsonl"
HANDWRITTEN = HERE / "handwritten.jsonl"

JSON = r'''
root ::= value
value ::= object | array | STRING | NUMBER | "true" | "false" | "null"
object ::= "{" WS (pair (WS "," WS pair)*)? WS "}"
pair ::= STRING WS ":" WS value
array ::= "[" WS (value (WS "," WS value)*)? WS "]"
STRING ::= "\"" ([^"\\\x00-\x1f] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F]))* "\""
NUMBER ::= "-"? ("0" | [1-9] [0-9]*) ("." [0-9]+)? ([eE] [+-]? [0-9]+)?
WS ::= [ \t\n\r]*
'''

C = r'''
root ::= WS function (WS function)* WS
function ::= type pointer NAME WS "(" WS (parameter (WS "," WS parameter)*)? WS ")" WS block
parameter ::= type pointer NAME
type ::= ("const" SPACE)? ("int" | "char" | "double" | "void" | "struct" SPACE NAME)
pointer ::= SPACE | WS "*" (WS "*")* WS
block ::= "{" WS (statement WS)* "}"
statement ::= block | ";" | expression WS ";" | declaration | condition | loop | return
declaration ::= type pointer NAME (WS "[" WS expression WS "]")* (WS "=" WS assignment)? WS ";"
condition ::= "if" WS "(" WS expression WS ")" WS block (WS "else" WS (block | condition))?
loop ::= "while" WS "(" WS expression WS ")" WS block | "for" WS "(" WS (declaration | expression? WS ";") WS expression? WS ";" WS expression? WS ")" WS block
return ::= "return" (SPACE expression)? WS ";"
expression ::= assignment (WS "," WS assignment)*
assignment ::= unary WS ("=" | "+=" | "-=" | "*=") WS assignment | either
either ::= both (WS "||" WS both)*
both ::= equality (WS "&&" WS equality)*
equality ::= relation (WS ("==" | "!=") WS relation)*
relation ::= sum (WS ("<=" | ">=" | "<" | ">") WS sum)*
sum ::= product (WS ("+" | "-") WS product)*
product ::= unary (WS ("*" | "/" | "%") WS unary)*
unary ::= ("!" | "-" | "&" | "*" | "++" | "--") WS unary | postfix
postfix ::= primary (WS (call | index | "." NAME | "->" NAME | "++" | "--"))*
call ::= "(" WS (assignment (WS "," WS assignment)*)? WS ")"
index ::= "[" WS expression WS "]"
primary ::= NAME | NUMBER | STRING | CHARACTER | "(" WS expression WS ")"
NAME ::= [a-zA-Z_] [a-zA-Z0-9_]*
NUMBER ::= [0-9]+ ("." [0-9]*)? | "0x" [0-9a-fA-F]+
STRING ::= "\"" ([^"\\\n] | "\\" [^\n])* "\""
CHARACTER ::= "'" ([^'\\\n] | "\\" [^\n]) "'"
SPACE ::= [ \t\n]+
WS ::= [ \t\n]*
'''

SQL = r'''
root ::= query WS ";"
query ::= "SELECT" S ("DISTINCT" S)? columns S "FROM" S table (S join)* (S "WHERE" S condition)? (S group)? (S order)? (S "LIMIT" S INTEGER)?
columns ::= "*" | column (WS "," WS column)*
column ::= expression (S "AS" S NAME)?
table ::= NAME (S "AS" S NAME)? | "(" WS query WS ")" S "AS" S NAME
join ::= (("LEFT" | "INNER") S)? "JOIN" S table S "ON" S condition
group ::= "GROUP BY" S expression (WS "," WS expression)* (S "HAVING" S condition)?
order ::= "ORDER BY" S sorted (WS "," WS sorted)*
sorted ::= expression (S ("ASC" | "DESC"))?
condition ::= conjunction (S "OR" S conjunction)*
conjunction ::= test (S "AND" S test)*
test ::= "NOT" S test | "(" WS condition WS ")" | expression WS ("<=" | ">=" | "<>" | "=" | "<" | ">") WS expression | expression S ("NOT" S)? "IN" WS "(" WS (query | expression (WS "," WS expression)*) WS ")" | expression S "IS" S ("NOT" S)? "NULL" | expression S "BETWEEN" S expression S "AND" S expression | expression S "LIKE" S STRING
expression ::= term (WS ("+" | "-") WS term)*
term ::= factor (WS ("*" | "/") WS factor)*
factor ::= NAME ("." NAME)? | function | NUMBER | STRING | "(" WS expression WS ")"
function ::= ("COUNT" | "SUM" | "AVG" | "MIN" | "MAX") "(" WS ("*" | expression) WS ")"
NAME ::= [a-z_] [a-z0-9_]*
NUMBER ::= "-"? [0-9]+ ("." [0-9]+)?
INTEGER ::= [0-9]+
STRING ::= "'" ([^'] | "''")* "'"
S ::= [ \n]+
WS ::= [ \n]*
'''

AMBIGUOUS = '''
root ::= e
e ::= e e | "a"
'''

EXPRESSIONS = '''
root ::= e
e ::= e [+*] e | "(" e ")" | [0-9]+
'''


GBNF = r'''
root ::= item+
item ::= "- " [^\r\n]+ "\n" nested{0,3}
nested ::= "  * " word (" " word){0,30} "\n"
word ::= [A-Za-z0-9,.'-]+
'''

XGRAMMAR = r'''
root ::= TagDispatch(("<tool>", call), excludes=("<end>",)) "<end>"
call ::= " " name " " arguments " </tool>"
name ::= [a-z_]{1,24} (= " ")
arguments ::= Regex("\\{(\"[a-z]+\": [0-9]+(, \"[a-z]+\": [0-9]+)*)?\\}")
'''

KBNF = r'''
start ::= {statement "\n"};
statement ::= name " = " sum ";";
sum ::= product {(" + " | " - ") product};
product ::= factor {(" * " | " / ") factor};
factor ::= name | #"[0-9]+(\\.[0-9]+)?" | "(" sum ")" | #"'[^'\n]*'";
name ::= #"[a-z_][a-z0-9_]*";
'''

LARK = r'''
start: statement+
statement: "let" NAME "=" sum ";" | NAME "(" (sum ("," sum)*)? ")" ";"
sum: product (("+" | "-") product)*
product: factor (("*" | "/" | "//") factor)*
factor: "(" sum ")" | NAME | INT | FLOAT | ESCAPED_STRING
NAME: /[a-zA-Z_][a-zA-Z0-9_]*/ & ~"let"
INT: /[0-9]+/
FLOAT: /[0-9]+\.[0-9]+/
COMMENT: /#[^\n]*/
%import common (ESCAPED_STRING, WS)
%ignore WS
%ignore COMMENT
'''

LARK_TEXT = '''let total = 1 + 2.5 * (count // 3); # one
print("the total is", total, lettuce);
let x = 12 / 4;
'''


def lark(ebnf):
    """Returns the grammar in Lark's notation. Lark treats upper-case names as terminals; for EBNF they are a hint."""
    lines = []
    for line in ebnf.strip().splitlines():
        name, body = line.split(" ::= ", 1)
        parts = re.findall(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[^"\[]+', body)
        parts = ["/" + part.replace("/", "\\/") + "/" if part.startswith("[") else part for part in parts]
        lines.append(f"{'start' if name == 'root' else name}: {''.join(parts)}")
    return "\n".join(lines) + "\n"


def until_tag(tag):
    """Returns rules for text that ends with the first `tag`. They are the automaton that searches for the tag, so they
    need no lazy terminals."""
    def longest_border(text):
        return next(n for n in range(len(tag), -1, -1) if text.endswith(tag[:n]))

    lines = []
    for state in range(len(tag)):
        exits = {}
        for c in sorted(set(tag)):
            exits.setdefault(longest_border(tag[:state] + c), []).append(c)
        others = "".join(sorted(c for c in set(tag)))
        ways = [f"[^{others}] t0"] + [f'"{c}"' + (f" t{to}" if to < len(tag) else "") for to, cs in exits.items() for c in cs]
        lines.append(f"t{state} ::= {' | '.join(ways)}")
    return "\n".join(lines) + "\n"


def test(text, valid=True):
    return {"valid": valid, "text": text}


def data(value, valid=True):
    return {"valid": valid, "data": value}


def case(name, tests, ebnf=None, **source):
    if ebnf is not None:
        source = {"grammar": ebnf, "ebnf": ebnf, "lark": lark(ebnf), **source}
    return {"id": name, **source, "tests": tests}


def words(seed, count):
    """Returns words of three syllables."""
    rng = random.Random(seed)
    return ["".join(rng.choice("bdfgklmnprst") + rng.choice("aeiou") for _ in range(3)) for _ in range(count)]


def documents():
    order = {"id": 4711, "name": "Café Zürich", "tags": ["new", "open\n", "\\"], "price": 12.5e-3, "parent": None,
             "sold": True, "at": {"x": -1, "y": [0, [], {}]}, "text": "The quick brown fox jumps over the lazy dog."}
    return [json.dumps([order] * 5, ensure_ascii=False), json.dumps({"orders": [order] * 3}, indent=2)]


def thinking():
    thought = ("First, what is asked for? Is a < b, or is <b> a tag?\nSome text such as </thin or </ may come, too. " * 4
               + "So:\n1. add 17 and 25\n2. say so\n")
    answer = 'NAME ::= [A-Z] [a-z ]* "."\n'
    ebnf = "root ::= t0 NAME\n" + until_tag("</think>") + answer
    lazy = "root ::= @lazy( /(.|\\n)*<\\/think>/ ) NAME\n" + answer
    lazy_lark = "start: thought NAME\nthought[lazy]: /(.|\\n)*<\\/think>/\n" + lark(answer)
    tests = [test(thought + "</think>The answer is forty two."), test(thought + "</think></think>The answer.", False)]
    return {"id": "text until </think>", "grammar": lazy, "ebnf": ebnf, "lark": lazy_lark, "tests": tests}


def response_format():
    schema = {"type": "object", "properties": {"title": {"type": "string", "maxLength": 60}, "year": {"type": "integer", "minimum": 1900},
              "tags": {"type": "array", "items": {"enum": ["news", "sport", "art"]}, "uniqueItems": True}},
              "required": ["title", "year"], "additionalProperties": False}
    wrapped = {"type": "json_schema", "json_schema": {"name": "article", "schema": schema, "strict": True}}
    return {"id": "response_format", "response_format": wrapped,
            "tests": [data({"title": "Ein Brief", "year": 2024, "tags": ["art", "news"]}), data({"title": "x"}, False)]}


STYLES = {
    "llama3": '{{"name": "{name}", "parameters": {json}}}',
    "hermes": '<tool_call>\n{{"name": "{name}", "arguments": {json}}}\n</tool_call>',
    "qwen_coder": "<tool_call>\n<function={name}>\n{each}</function>\n</tool_call>",
    "mistral": '[TOOL_CALLS] [{{"name": "{name}", "arguments": {json}}}]',
    "deepseek_v3": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n{json}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "deepseek_v3_1": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{json}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "glm": "<tool_call>{name}\n{each}</tool_call>",
    "kimi_k2": "<|tool_calls_section_begin|><|tool_call_begin|>functions.{name}:0<|tool_call_argument_begin|>{json}<|tool_call_end|>"
               "<|tool_calls_section_end|>",
    "minimax_m2": '<minimax:tool_call>\n<invoke name="{name}">\n{each}</invoke>\n</minimax:tool_call>',
    "deepseek_v3_2": '<｜DSML｜function_calls>\n<｜DSML｜invoke name="{name}">\n{each}</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    "deepseek_v4": '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="{name}">\n{each}</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    "deepseek_v4_1": '<｜DSML｜ calls>\n<｜DSML｜ invoke name="{name}">\n{each}</｜DSML｜ invoke>\n</｜DSML｜ calls>',
    "kimi_k3": '<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="{name}" index="1"<|sep|>{each}<|close|>call<|sep|>'
               "<|close|>tools<|sep|><|close|>message<|sep|>",
    "cohere": '<|START_ACTION|>[\n    {{"tool_call_id": "0", "tool_name": "{name}", "parameters": {json}}}\n]<|END_ACTION|>',
    "cohere_xml": '<cofl:tool_calls><cofl:tool_call id="0" name="{name}">{each}</cofl:tool_call></cofl:tool_calls>',
    "gemma4": "<|tool_call>call:{name}{{{each}}}<tool_call|>",
    "harmony": "<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{json}",
}
# Of each style that writes arguments one by one: a string argument and a number argument.
ARGUMENTS = {
    "qwen_coder": ("<parameter={key}>\n{value}\n</parameter>\n", "<parameter={key}>{value}</parameter>\n"),
    "glm": ("<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n",) * 2,
    "minimax_m2": ('<parameter name="{key}">{value}</parameter>\n',) * 2,
    "deepseek_v3_2": ('<｜DSML｜parameter name="{key}" string="true">{value}</｜DSML｜parameter>\n',
                      '<｜DSML｜parameter name="{key}" string="false">{value}</｜DSML｜parameter>\n'),
    "deepseek_v4_1": ('<｜DSML｜ parameter name="{key}" string="true">{value}</｜DSML｜ parameter>\n',
                      '<｜DSML｜ parameter name="{key}" string="false">{value}</｜DSML｜ parameter>\n'),
    "kimi_k3": ('<|open|>argument key="{key}" type="string"<|sep|>{value}<|close|>argument<|sep|>',
                '<|open|>argument key="{key}" type="number"<|sep|>{value}<|close|>argument<|sep|>'),
    "cohere_xml": ('<cofl:value name="{key}" type="raw">{value}</cofl:value>', '<cofl:value name="{key}" type="json">{value}</cofl:value>'),
    "gemma4": ('{key}:<|"|>{value}<|"|>', "{key}:{value}"),
}
ARGUMENTS["deepseek_v4"] = ARGUMENTS["deepseek_v3_2"]


def tool_styles():
    """Yields cases with two tools in each style of docs/tools.md."""
    def tool(name, properties):
        parameters = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
        return {"type": "function", "function": {"name": name, "parameters": parameters}}

    string, integer = {"type": "string"}, {"type": "integer"}
    tools = [tool("book_table", {"date": {"type": "string", "format": "date"}, "name": string, "seats": {**integer, "minimum": 1}}),
             tool("look_up", {"text": string})]
    values = {"date": "2026-05-17", "name": "Ada King, Lovelace", "seats": 4}
    for style, form in STYLES.items():
        each = ""
        for key, value in values.items():
            for_string, for_number = ARGUMENTS.get(style, ("", ""))
            separator = "," if style == "gemma4" and each else ""
            each += separator + (for_string if isinstance(value, str) else for_number).format(key=key, value=value)
        call = form.format(name="book_table", json=json.dumps(values), each=each)
        yield {"id": f"tools, {style}", "tools": tools, "style": style, "tests": [test(call), test(call.replace("book_table", "book"), False)]}


def dialects():
    """Yields a pattern for a date, a word and a quantity in each dialect, with constructs of that dialect alone."""
    text = "2026-05-17 Überfahrt 12.50"
    patterns = {"ecma": r"[0-9]{4}-\d\d-\d\d [^\W\d_]*[^\s]+ (?:0|[1-9]\d*)\.\d{2}", "rust": r"\d{4}-\d\d-\d\d [\w&&[^\d_]]+ (?:0|[1-9]\d*)\.\d{2}",
                "python": r"(?P<year>\d{4})-\d\d-\d\d [^\W\d_]++ (?:0|[1-9]\d*)\.\d{2}", "pcre": r"\d{4}-\d\d-\d\d \p{L}++ (?:0|[1-9]\d*)\.\d{2}"}
    for dialect, pattern in patterns.items():
        yield {"id": f"regex, {dialect}", "regex": pattern, "dialect": dialect, "tests": [test(text), test(text + " ", False)]}


def parts():
    """Yields cases with marked parts of an output: captures, and bounds on tokens."""
    order = {"type": "object", "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}},
             "at": {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}, "required": ["x", "y"]}},
             "required": ["name", "tags", "at"]}
    text = "Order: " + json.dumps({"name": "Café Zürich", "tags": ["new", "open"], "at": {"x": 1, "y": -2}}, ensure_ascii=False) + "!"
    captures = 'root ::= (@capture(name: NAME) "=" @capture(value: sum) ";\\n")+\nsum ::= term ([+-] term)*\n' \
               'term ::= @capture(term: [0-9]+ | NAME) | "(" sum ")"\nNAME ::= [a-z_]+\n'
    yield {"id": "captures", "ebnf": captures, "tests": [test("total=(net_price+12)-3;\nvat=total-(7+1);\n" * 5), test("a=;\n", False)]}
    for tokens in (200, 40):
        yield {"id": f"JSON in {tokens} tokens", "lark": f'start: "Order: " order "!"\norder[max_tokens={tokens}]: %json {json.dumps(order)}',
               "tests": [test(text), test(text[:-1], False)]}


def number_ranges():
    ranges = [{"type": "integer", "minimum": -1234, "maximum": 98765}, {"type": "integer", "minimum": 1, "maximum": 31},
              {"type": "number", "minimum": 0, "exclusiveMaximum": 1}, {"type": "number", "minimum": -273.15, "maximum": 5778.25}]
    schema = {"type": "object", "properties": {f"r{i}": {"type": "array", "items": r} for i, r in enumerate(ranges)},
              "required": ["r0"], "additionalProperties": False}
    good = {"r0": [-1234, -999, 0, 7, 98765, 54321], "r1": [1, 9, 10, 28, 31], "r2": [0, 0.5, 0.999, 0.0001],
            "r3": [-273.15, -100, 0, 20.5, 5778.25, 5778]}
    return case("number ranges", [data(good), data({"r0": [98766]}, False), data({"r0": [], "r1": [0]}, False),
                                  data({"r0": [], "r2": [1]}, False)], schema=schema)


C_TEXT = '''int gcd(int a, int b) {
  while (b != 0) { int t = a % b; a = b; b = t; }
  return a;
}

double mean(const double *values, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) { sum += values[i] * (i > 0 || count == 1); }
  if (count == 0) { return -1.5; } else { print("mean of %d\\n", count); }
  return sum / count;
}
'''

SQL_TEXT = """SELECT c.name, COUNT(*) AS orders, SUM(o.price * o.amount) AS total
FROM customers AS c LEFT JOIN orders AS o ON o.customer = c.id
WHERE c.country IN ('CH', 'FR') AND (o.placed BETWEEN 20250101 AND 20251231 OR o.state IS NOT NULL) AND c.name LIKE 'A%'
GROUP BY c.name HAVING COUNT(*) > 3 ORDER BY total DESC, c.name LIMIT 10;"""

EMAIL = r"[a-zA-Z0-9._%+-]+@[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)*\.[a-zA-Z]{2,}"
URL = (r"https?://[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)*(:[0-9]{1,5})?(/[a-zA-Z0-9._~%!$&'()*+,;=:@-]*)*"
       r"(\?[a-zA-Z0-9._~%!$&'()*+,;=:@/?-]*)?(#[a-zA-Z0-9._~%!$&'()*+,;=:@/?-]*)?")


def small_cases():
    yield case("JSON", [*map(test, documents()), test('{"a": 1,}', False), test("[01]", False)], JSON)
    yield case("JSON, 200 deep", [test("[" * 200 + "]" * 200), test("[" * 200 + "]" * 199, False)], JSON)
    yield case(".{0,256}", [test("The quick brown fox jumps over the lazy dog. " * 5), test("x" * 257, False)], regex=".{0,256}")
    letters = "".join(words(1, 333))
    yield case("[a-z]{0,2000}", [test(letters[:1998]), test("a" * 2001, False)], regex="[a-z]{0,2000}")
    yield case("email", [test("ada.lovelace+notes@analytical-engine.example.org"), test("a@b", False)], regex=EMAIL)
    yield case("URL", [test("https://www.example.org:8080/a/path/with%20blanks/index.html?q=one&r=two#part-3"),
                       test("https:/example.org", False)], regex=URL)
    yield number_ranges()
    yield thinking()
    yield case("C-like", [test(C_TEXT), test("int f( { }", False), test("int f() { return 1 }", False)], C)
    yield case("SQL-like", [test(SQL_TEXT), test("SELECT FROM a;", False), test("SELECT a FROM b WHERE;", False)], SQL)
    yield {"id": "GBNF", "gbnf": GBNF, "tests": [test("- Bread, 2 loaves\n  * the dark one\n- Äpfel\n" * 4), test("-x\n", False)]}
    yield {"id": "XGrammar's EBNF", "xgrammar": XGRAMMAR,
           "tests": [test('Let me see. <tool> get_sum {"a": 17, "b": 25} </tool> So a < 50.\n' * 3 + "<end>"),
                     test("<tool> x {} <end>", False)]}
    yield {"id": "KBNF", "kbnf": KBNF,
           "tests": [test("a = 1 + 2.50 * (b_2 - 'some text');\ntotal = a / 3;\n" * 4), test("a = ;\n", False)]}
    yield {"id": "Lark, competing terminals", "lark": LARK, "tests": [test(LARK_TEXT * 3), test("let let = 1;", False)]}
    yield response_format()
    colours = ["red", "reddish", "green", "blue", "blue-green", "violet"]
    yield {"id": "choice", "choice": colours, "tests": [test(colour) for colour in colours] + [test("gree", False)]}
    quoted = "We hold these truths to be self-evident, that all men are created equal."
    yield {"id": "quotation", "substring": quoted, "unit": "word", "tests": [test(quoted[8:40]), test("hold the", False)]}
    yield from dialects()
    yield from parts()
    yield from tool_styles()
    yield case('E ::= E E | "a"', [test("a" * 500), test("ab", False)], AMBIGUOUS)
    yield case("ambiguous sums", [test("+".join(["12*(3+4)"] * 40)), test("1+*2", False)], EXPRESSIONS)


def enumeration():
    values = [f"{a} {b}" for a, b in zip(words(2, 10_000), words(3, 10_000))]
    return case("enum of 10,000", [data(values[17]), data(values[9_999]), data("no such value", False)], schema={"enum": values})


def choice():
    values = [f"{a} {b}" for a, b in zip(words(6, 100_000), words(7, 100_000))]
    return {"id": "choice of 100,000", "choice": values,
            "tests": [test(values[5]), test(values[77_777]), test("no such value", False)]}


def quotation():
    text = ""
    for number, word in enumerate(words(8, 14_300)):
        text += word + (". " if number % 11 == 10 else ", " if number % 5 == 4 else " ")
    text = text[:100_000]
    return [{"id": "quotation from 100 KB, by words", "substring": text, "unit": "word",
             "tests": [test(text[:text.index(" ", 300)]), test(text[5_000:5_003] + "xx", False)]},
            {"id": "quotation from 100 KB, by characters", "substring": text, "unit": "character",
             "tests": [test(text[40_001:40_601]), test(text[5_000:5_020] + "xx", False)]}]


def tagged_tools(schemas, calls):
    """Returns a case with the calls of tools() inside text, as a model writes them."""
    tags = [{"begin": f'<tool_call>\n{{"name": "{name}", "arguments": ', "end": "}\n</tool_call>",
             "content": {"type": "json_schema", "json_schema": schema}} for name, schema in schemas]
    tag = {"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<tool_call>"], "tags": tags}}
    texts = [f"Let me see: <tool_call>\n{json.dumps(call)}\n</tool_call> and <b>so on</b>." for call in calls]
    return {"id": "structural tag of 500 tools", "structural_tag": tag,
            "tests": [*map(test, texts), test('<tool_call>\n{"name": "none", "arguments": {}}\n</tool_call>', False)]}


def tools():
    rng = random.Random(4)
    kinds = [{"type": "string"}, {"type": "integer"}, {"type": "number", "minimum": 0}, {"type": "boolean"},
             {"enum": ["low", "high"]}, {"type": "array", "items": {"type": "string"}}]
    values = ["Zürich, 8001", 17, 0.25, True, "high", ["one", "two"]]
    names, alternatives, schemas, calls = words(5, 500), [], [], []
    for number, name in enumerate(names):
        chosen = {argument: rng.randrange(len(kinds)) for argument in words(1000 + number, rng.randrange(1, 6))}
        arguments = {"type": "object", "properties": {argument: kinds[kind] for argument, kind in chosen.items()},
                     "required": list(chosen)[:2], "additionalProperties": False}
        alternatives.append({"type": "object", "properties": {"name": {"const": f"{name}_{number}"}, "arguments": arguments},
                             "required": ["name", "arguments"], "additionalProperties": False})
        schemas.append((f"{name}_{number}", arguments))
        calls.append({"name": f"{name}_{number}", "arguments": {argument: values[kind] for argument, kind in chosen.items()}})
    used = [calls[i] for i in (0, 123, 250, 499)]
    tests = [*map(data, used), data({"name": "none", "arguments": {}}, False)]
    return [case("500 tools", tests, schema={"anyOf": alternatives}), tagged_tools(schemas, used)]


def large_cases():
    return [enumeration(), choice(), *quotation(), *tools()]


def handwritten_cases():
    """The grammars of handwritten/. A file is a list of cases: `=== ID`, the grammar, and then its texts, each after a line
    `--- ok` or `--- no`. The newline before the next such line is not part of the text. After `--- ok json` the text is a
    JSON string: for texts with control characters, or with lines that would end it here."""
    for path in sorted((HERE / "handwritten").glob("*.txt")):
        for part in re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
            head, *texts = re.split(r"^--- (ok|no)( json)?\n", part, flags=re.M)
            name, grammar = head.split("\n", 1)
            tests = []
            for verdict, is_json, text in zip(texts[::3], texts[1::3], texts[2::3], strict=True):
                # A case ends with an empty line, which is not part of its last text.
                is_last = len(tests) == len(texts) // 3 - 1
                text = text.removesuffix("\n\n" if is_last and text.endswith("\n\n") else "\n")
                tests.append(test(json.loads(text) if is_json else text, verdict == "ok"))
            yield {"id": name, path.stem: grammar.strip("\n"), "tests": tests}


def write(path, cases):
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in cases), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", type=pathlib.Path, metavar="FILE", help="write the large cases here")
    options = parser.parse_args()
    write(SMALL, small_cases())
    write(HANDWRITTEN, handwritten_cases())
    if options.large:
        write(options.large, large_cases())


if __name__ == "__main__":
    main()
