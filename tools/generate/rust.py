"""Writes rust/weir/src/options/declared.rs: the structs and enumerations, for the macros of options.rs."""

import textwrap

import abi
import model

NAMES = {"GrammarTextOptions": "TextOptions", "VocabSpec": "VocabOptions"}
# Arguments of calls in Rust.
LEFT_OUT = {("VocabSpec", "tokens")}
EXAMPLES = {
    "Limits": """let limits = weir::Limits::new().nesting(50).text_bytes(1 << 20);
assert_eq!(weir::Limits::default().nesting, 1000);
assert_eq!(limits.nesting, 50);""",
    "GrammarTextOptions": """use weir::{Grammar, GrammarSyntax, TextOptions};
Grammar::from_text("start: /[0-9]+/", &TextOptions::new().syntax(GrammarSyntax::Lark), None)?;
# Ok::<(), weir::Error>(())""",
    "JsonSchemaOptions": """use weir::{JsonSchemaOptions, Whitespace};
let options = JsonSchemaOptions::serving().whitespace(Whitespace::Compact);""",
}
TYPES = {"flag": "bool", "u32": "u32", "u64": "u64", "text": "String", "ids": "Vec<u32>", "texts": "Vec<String>"}


def name_of(cpp):
    return NAMES.get(cpp, cpp.rpartition(":")[2])


def docs(text, indent, example=""):
    text = text if text.endswith(".") else text + "."
    lines = textwrap.wrap(text[0].upper() + text[1:], 116 - len(indent), break_long_words=False, break_on_hyphens=False)
    lines += ["", "```", *example.splitlines(), "```"] if example else []
    return "".join(f"{indent}///{' ' if line else ''}{line}\n" for line in lines)


def variant(enum, word):
    """`k2019_09` of Draft is Draft2019."""
    return name_of(enum.name) + word.partition("-")[0] if word[0].isdigit() else model.pascal(word)


def rust_type(field):
    if field.kind in ("word", "structs", "options"):
        inner = name_of(field.of.name)
        return {"word": inner, "structs": f"Vec<{inner}>", "options": f"Option<{inner}>"}[field.kind]
    return TYPES[field.kind]


def about(field):
    text = field.summary
    if field.kind == "options":
        text += " `None`: the defaults."
    if field.is_optional and field.kind == "u32":
        text += " 0: any number."
    default = field.shown_default
    if default and default not in ("false", "0"):
        text += f" The default is {default if default.startswith(chr(34)) else f'`{default}`'}."
    return text


def enumeration(enum):
    out = f"enumeration! {{\n{docs(model.summary(enum.comment), '    ')}    {name_of(enum.name)} {{\n"
    for _, word, comment in enum.words:
        out += docs(model.summary(comment), "        ")
        out += f'        {variant(enum, word)} = {enum.c_enumerator(word)}, "{word}";\n'
    return out + "    }\n}\n\n"


def item(struct):
    out = docs(model.summary(struct.comment), "") + "#[derive(Clone, Debug, PartialEq, Eq)]\n"
    out += '#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]\n'
    out += f"pub struct {struct.name} {{\n"
    for field in struct.fields:
        out += docs(field.summary, "    ") + f"    pub {field.name}: {rust_type(field)},\n"
    out += f"}}\n\nimpl {struct.name} {{\n    fn raw(&self) -> weir_{struct.c_name} {{\n        weir_{struct.c_name} {{\n"
    for field in struct.fields:
        value = f"raw::text(&self.{field.name})" if field.kind == "text" else f"self.{field.name} as i32"
        out += f"            {field.name}: {value},\n"
    return out + "        }\n    }\n}\n\n"


def counts(struct):
    out = f"numbers! {{\n{docs(model.summary(struct.comment), '    ')}    {struct.name}, weir_{struct.c_name} {{\n"
    for field in struct.fields:
        out += docs(field.summary, "        ") + f"        {field.name}: {rust_type(field)},\n"
    return out + "    }\n}\n\n"


def with_pointers(struct, pointers):
    """`impl Options` of a struct with lists or options within."""
    out = (f"impl Options for {name_of(struct.name)} {{\n    type Raw = weir_{struct.c_name};\n"
           "    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {\n")
    body, indent, closing = "", "        ", ""
    for field in pointers:
        if field.kind == "texts":
            out += f"        let {field.name} = raw::texts(&self.{field.name});\n"
        elif field.kind == "structs":
            out += f"        let {field.name}: Vec<_> = self.{field.name}.iter().map({name_of(field.of.name)}::raw).collect();\n"
    for field in pointers:
        if field.kind == "options":
            out += f"        with(self.{field.name}.as_ref(), |{field.name}| {{\n"
            indent, closing = "            ", "        })\n"
    out += f"{indent}let mut raw = self.plain_raw();\n"
    for field in pointers:
        if field.kind == "options":
            body += f"{indent}raw.{field.name} = {field.name};\n"
            continue
        list_of = f"self.{field.name}" if field.kind == "ids" else field.name
        body += f"{indent}raw.{field.name} = raw::array(&{list_of});\n{indent}raw.{field.count} = {list_of}.len();\n"
    return out + body + f"{indent}f(&raw)\n{closing}    }}\n}}\n\n"


def options(struct):
    fields = [field for field in struct.fields if (struct.name, field.name) not in LEFT_OUT]
    groups = {"texts": [], "values": [], "pointers": []}
    for field in fields:
        is_pointer = field.is_list or field.kind == "options"
        groups["pointers" if is_pointer else "texts" if field.kind == "text" else "values"].append(field)
    raw = f"weir_{struct.c_name}"
    out = f"options! {{\n{docs(model.summary(struct.comment), '    ', EXAMPLES.get(struct.name, ''))}"
    out += f"    {name_of(struct.name)}, {raw}, {raw}_init {{\n"
    for group, members in groups.items():
        if group == "pointers" and not members:
            continue
        out += f"        {group} {{\n"
        for field in members:
            name = abi.rust_name(field.name)
            out += docs(about(field), "            ")
            out += f"            {name},\n" if group == "texts" else f"            {name}: {rust_type(field)},\n"
        out += "        }\n"
    out += "    }\n}\n\n"
    return out + (with_pointers(struct, groups["pointers"]) if groups["pointers"] else "")


def declared(enums, structs):
    out = "// Written by tools/generate from the structs in include/weir. Do not edit.\nuse super::*;\n\n"
    out += "".join(enumeration(enum) for enum in enums.values())
    for struct in structs.values():
        if struct.name == "RenderOptions":  # an argument of Diagnostic::render
            continue
        out += (item if struct.is_item else counts if struct.is_counts else options)(struct)
    return out.rstrip("\n") + "\n"
