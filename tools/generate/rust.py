"""Writes rust/weir/src/options/declared: the structs and enumerations of options and counters."""

import textwrap

import abi
import model

NAMES = {"GrammarTextOptions": "TextOptions", "VocabSpec": "VocabOptions", "ReplyOptions::Mode": "ReplyMode"}
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


SERDE = '#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]\n'


def enumeration(enum):
    name = name_of(enum.name)
    variants = [(variant(enum, word), enum.c_enumerator(word), word, comment) for _, word, comment in enum.words]
    out = docs(model.summary(enum.comment), "") + "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n" + SERDE
    out += f"#[repr(i32)]\npub enum {name} {{\n"
    for each, value, word, comment in variants:
        out += docs(model.summary(comment), "    ") + f'    #[cfg_attr(feature = "serde", serde(rename = "{word}"))]\n    {each} = {value},\n'
    out += f"}}\n\nimpl {name} {{\n    #[allow(dead_code)]\n    pub(crate) fn from_raw(raw: i32) -> Self {{\n        match raw {{\n"
    out += "".join(f"            {value} => Self::{each},\n" for each, value, _, _ in variants)
    out += '            _ => unreachable!("an enumerator that weir_c.h does not have"),\n        }\n    }\n'
    out += "    /// Returns the name that all of weir's interfaces use.\n    #[must_use]\n    pub fn name(self) -> &'static str {\n        match self {\n"
    out += "".join(f'            Self::{each} => "{word}",\n' for each, _, word, _ in variants)
    return out + "        }\n    }\n}\n\n"


def item(struct):
    out = docs(model.summary(struct.comment), "") + "#[derive(Clone, Debug, PartialEq, Eq)]\n" + SERDE
    out += f"pub struct {struct.name} {{\n"
    for field in struct.fields:
        out += docs(field.summary, "    ") + f"    pub {field.name}: {rust_type(field)},\n"
    out += f"}}\n\nimpl {struct.name} {{\n    fn raw(&self) -> weir_{struct.c_name} {{\n        weir_{struct.c_name} {{\n"
    for field in struct.fields:
        value = f"raw::text(&self.{field.name})" if field.kind == "text" else f"self.{field.name} as i32"
        out += f"            {field.name}: {value},\n"
    return out + "        }\n    }\n}\n\n"


def counts(struct):
    raw = f"weir_{struct.c_name}"
    out = docs(model.summary(struct.comment), "") + "#[derive(Clone, Copy, Debug, PartialEq, Eq)]\n#[non_exhaustive]\n"
    out += f"pub struct {struct.name} {{\n"
    for field in struct.fields:
        out += docs(field.summary, "    ") + f"    pub {field.name}: {rust_type(field)},\n"
    out += (f"}}\n\nimpl {struct.name} {{\n    /// Calls a function that fills in the C struct.\n"
            f"    pub(crate) fn read(call: impl FnOnce(*mut {raw}) -> weir_status) -> Self {{\n"
            "        // SAFETY: all fields are numbers.\n        let raw = unsafe { raw::filled(call) };\n        Self {\n")
    out += "".join(f"            {field.name}: raw.{field.name},\n" for field in struct.fields)
    return out + "        }\n    }\n}\n\n"


def with_pointers(struct, pointers):
    """`impl Options`: the C struct, with pointers to the lists and options within."""
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
    if not pointers:
        return out + "        f(&self.plain_raw())\n    }\n}\n\n"
    out += f"{indent}let mut raw = self.plain_raw();\n"
    for field in pointers:
        if field.kind == "options":
            body += f"{indent}raw.{field.name} = {field.name};\n"
            continue
        list_of = f"self.{field.name}" if field.kind == "ids" else field.name
        body += f"{indent}raw.{field.name} = raw::array(&{list_of});\n{indent}raw.{field.count} = {list_of}.len();\n"
    return out + body + f"{indent}f(&raw)\n{closing}    }}\n}}\n\n"


def setter(field):
    name, kind, value = abi.rust_name(field.name), rust_type(field), abi.rust_name(field.name)
    if field.kind == "text":
        kind, value = "impl Into<String>", f"{name}.into()"
    return (docs(about(field), "    ") + f"    #[must_use]\n    pub fn {name}(mut self, {name}: {kind}) -> Self {{\n"
            f"        self.{name} = {value};\n        self\n    }}\n")


def options(struct):
    fields = [field for field in struct.fields if (struct.name, field.name) not in LEFT_OUT]
    pointers = [field for field in fields if field.is_list or field.kind == "options"]
    name, raw = name_of(struct.name), f"weir_{struct.c_name}"
    out = docs(model.summary(struct.comment), "", EXAMPLES.get(struct.name, "")) + "#[derive(Clone, Debug, PartialEq)]\n"
    out += SERDE.replace("Deserialize)", "Deserialize), serde(default, deny_unknown_fields)") + f"#[non_exhaustive]\npub struct {name} {{\n"
    for field in fields:
        out += docs(about(field), "    ") + f"    pub {abi.rust_name(field.name)}: {rust_type(field)},\n"
    out += f"}}\n\nimpl {name} {{\n    /// Returns the defaults.\n    #[must_use]\n    pub fn new() -> Self {{\n        Self::default()\n    }}\n"
    out += "".join(setter(field) for field in fields)
    out += ("\n    /// # Safety\n    /// The texts of `raw` must be valid during the call.\n"
            f"    pub(crate) unsafe fn from_raw(raw: &{raw}) -> Self {{\n        Self {{\n")
    plain = ""
    for field in fields:
        member = abi.rust_name(field.name)
        if field in pointers:
            value = "Default::default()"
        elif field.kind == "text":
            value = f"unsafe {{ raw::string(raw.{member}) }}"
            plain += f"        raw.{member} = raw::text(&self.{member});\n"
        else:
            value = f"{name_of(field.of.name)}::from_raw(raw.{member})" if field.of else f"raw.{member}"
            plain += f"        raw.{member} = self.{member}{' as i32' if field.of else ''};\n"
        if field.kind == "text":
            out += "            // SAFETY: the caller's promise.\n"
        out += f"            {member}: {value},\n"
    out += ("        }\n    }\n    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.\n"
            f"    fn plain_raw(&self) -> {raw} {{\n        // SAFETY: all fields may be zero.\n"
            f"        let mut raw = unsafe {{ raw::init({raw}_init) }};\n{plain}        raw\n    }}\n}}\n\n"
            f"impl Default for {name} {{\n    fn default() -> Self {{\n"
            "        // SAFETY: all fields may be zero; texts of the defaults are constants.\n"
            f"        unsafe {{ Self::from_raw(&raw::init({raw}_init)) }}\n    }}\n}}\n\n")
    return out + with_pointers(struct, pointers)


def declared(enums, structs):
    """Returns {file name: content}: words.rs has the enumerations; the structs of a header are together."""
    head = "// Written by tools/generate from the structs in include/weir. Do not edit.\n"
    files = {"words": "".join(enumeration(enum) for enum in enums.values())}
    for struct in structs.values():
        if struct.name == "RenderOptions":  # an argument of Diagnostic::render
            continue
        write = item if struct.is_item else counts if struct.is_counts else options
        stem = struct.header.removesuffix(".h")
        files[stem] = files.get(stem, "") + write(struct)
    contents = {f"{stem}.rs": f"{head}use crate::options::*;\n\n{text.rstrip()}\n" for stem, text in files.items()}
    modules = "".join(f"mod {stem};\n" for stem in sorted(files)) + "\n"
    return contents | {"mod.rs": head + modules + "".join(f"pub use {stem}::*;\n" for stem in sorted(files))}
