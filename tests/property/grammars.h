// Realistic grammars in weir's EBNF for the property tests.
#ifndef WEIR_TESTS_PROPERTY_GRAMMARS_H_
#define WEIR_TESTS_PROPERTY_GRAMMARS_H_

namespace weir::testing {

struct NamedGrammar {
  const char* name;
  const char* ebnf;
};

inline constexpr const char* kJson = R"ebnf(
root     ::= ws value ws
value    ::= object | array | string | number | "true" | "false" | "null"
object   ::= "{" ws (member (ws "," ws member)*)? ws "}"
member   ::= string ws ":" ws value
array    ::= "[" ws (value (ws "," ws value)*)? ws "]"
string   ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""
number   ::= "-"? ("0" | [1-9] [0-9]*) ("." [0-9]+)? ([eE] [+-]? [0-9]+)?
ws       ::= [ \t\n\r]*
)ebnf";

inline constexpr const char* kExpressions = R"ebnf(
root ::= expr
expr ::= expr ("+" | "-") term | term
term ::= term ("*" | "/") unary | unary
unary ::= "-" unary | power
power ::= atom ("^" unary)?
atom ::= [0-9]+ ("." [0-9]+)? | [a-z] [a-z0-9]* ("(" (expr ("," expr)*)? ")")? | "(" expr ")"
)ebnf";

// Statements in which keywords are not identifiers, with the ambiguity of a dangling else.
inline constexpr const char* kStatements = R"ebnf(
root ::= statement+
statement ::= name " = " value ";\n" | "if (" value ") " statement ("else " statement)? | "{ " statement* "} "
value ::= name | /[0-9]{1,4}/ | value (" + " | " == ") value | "(" value ")"
name ::= /[a-z_][a-z0-9_]*/ & ~("if" | "else" | "while")
)ebnf";

inline constexpr NamedGrammar kGrammars[] = {
    {"json", kJson},
    {"expressions", kExpressions},
    {"statements", kStatements},
    {"unicode", "root ::= ([你-我]+ | [à-ÿ]{2,5} | \"😀\" | /\\p{Lu}\\p{Ll}*/) (\" \" root)?"},
    {"counts", "root ::= item{3,40}\nitem ::= [a-f]{1,12} \" \" | \"<\" item{0,3} \">\""},
    {"comment", "root ::= \"/*\" (~(/.*/ \"*/\" /.*/) & /(.|\\n)*/) \"*/\""},
    {"lazy", "root ::= (@lazy(/(.|\\n)*END/) \" \")+"},
    {"ambiguous", "root ::= e\ne ::= e e | \"a\" | \"ab\" | \"b\" | \" \" e | \"\""},
    {"right", "root ::= \"the \" root | \"end\" | [a-z]+ \" \" root"},
    {"mirror", "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \" \" root \" \" | \"c\""},
};

}  // namespace weir::testing

#endif  // WEIR_TESTS_PROPERTY_GRAMMARS_H_
