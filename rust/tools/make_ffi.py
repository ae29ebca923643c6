#!/usr/bin/env python3
"""Writes weir-sys/src/ffi.rs: the structs, enumerators and functions of include/weir_c.h as Rust declares them.

Usage: make_ffi.py [--check]. With --check it writes nothing; exit status 1 if the file is out of date. It also writes
weir-sys/tests/layout.c, which prints sizes and offsets as the C compiler sees them; weir-sys/tests/layout.rs compares.
"""

import pathlib
import re
import sys

RUST = pathlib.Path(__file__).resolve().parents[1]
HEADER = RUST.parent / "include" / "weir_c.h"
SCALARS = {"size_t": "usize", "uint32_t": "u32", "int32_t": "i32", "uint64_t": "u64", "bool": "bool", "float": "f32",
           "char": "c_char", "void": "c_void"}
RAW, KEYWORDS = "r#", {"match", "type"}  # how Rust writes a field that is named like a keyword


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def rust_type(c_type):
    """`const weir_text*` is `*const weir_text`; `weir_matcher* const*` is `*const *mut weir_matcher`."""
    levels = [level.split() for level in c_type.split("*")]
    out, is_const = "", False
    for i, words in enumerate(levels):
        if i == 0:
            is_const = "const" in words
            name = next(word for word in words if word not in ("const", "struct"))
            out = SCALARS.get(name, name)
        else:
            out = f"*{'const' if is_const else 'mut'} {out}"
            is_const = "const" in words
    return out


def enums(text):
    for name, body in re.findall(r"typedef enum (weir_\w+) \{([^}]*)\}", text):
        yield name, re.findall(r"(WEIR_\w+) = (\d+)", body)


def structs(text):
    for name, body in re.findall(r"typedef struct (weir_\w+) \{(.*?)\n\}", text, flags=re.DOTALL):
        fields = []
        for member in re.findall(r"[^;]+(?=;)", body):
            declared = re.fullmatch(r"\s*((?:const )?\w+\*?) ([\w, ]+)", member)
            assert declared, (name, member)
            fields += [(RAW + field if field in KEYWORDS else field, rust_type(declared[1])) for field in declared[2].split(", ")]
        yield name, fields


def functions(text):
    for result, name, parameters in re.findall(r"WEIR_API\s([^;(]*?)\b(weir_\w+)\s*\(([^;]*)\);", text):
        arguments = []
        for parameter in [] if parameters.strip() == "void" else parameters.split(","):
            c_type, argument = re.fullmatch(r"\s*(.*?)(\w+)\s*", parameter, flags=re.DOTALL).groups()
            arguments.append((argument, rust_type(c_type)))
        yield name, arguments, rust_type(result)


def ffi(text):
    declared = list(structs(text))
    opaque = [name for name in re.findall(r"typedef struct (weir_\w+) \1;", text)]
    out = ["// Written by rust/tools/make_ffi.py from include/weir_c.h. Do not edit."]
    out += ["use core::ffi::{c_char, c_void};", "use core::marker::{PhantomData, PhantomPinned};", ""]
    for name, values in enums(text):
        out.append(f"pub type {name} = i32;")
        out += [f"pub const {value}: {name} = {number};" for value, number in values] + [""]
    for name in opaque:
        out += ["#[repr(C)]", f"pub struct {name} {{", "    _data: [u8; 0],",
                "    _marker: PhantomData<(*mut u8, PhantomPinned)>,", "}", ""]
    for name, fields in declared:
        out += ["#[repr(C)]", "#[derive(Clone, Copy, Debug)]", f"pub struct {name} {{"]
        out += [f"    pub {field}: {kind}," for field, kind in fields] + ["}", ""]
    out.append('extern "C" {')
    for name, arguments, result in functions(text):
        inside = ", ".join(f"{argument}: {kind}" for argument, kind in arguments)
        arrow = "" if result == "c_void" else f" -> {result}"
        out.append(f"    pub fn {name}({inside}){arrow};")
    out.append("}")
    return "\n".join(out) + "\n"


def layout(text):
    """A C program and the Rust table that must equal what it prints."""
    c = ["/* Written by rust/tools/make_ffi.py: prints the layout of each struct of weir_c.h. Do not edit. */",
         "#include <stdio.h>", "", '#include "weir_c.h"', "",
         '#define SIZE(type) printf("%s %zu\\n", #type, sizeof(type))',
         '#define OFFSET(type, field) printf("%s.%s %zu\\n", #type, #field, offsetof(type, field))', "", "int main(void) {"]
    rust = ["// Written by rust/tools/make_ffi.py. Do not edit.", "use core::mem::{offset_of, size_of};", "use weir_sys::*;", "",
            "/// What Rust says of each struct and field that tests/layout.c prints.",
            "pub fn layout() -> Vec<(&'static str, usize)> {", "    vec!["]
    for name, fields in structs(text):
        c.append(f"  SIZE({name});")
        rust.append(f'        ("{name}", size_of::<{name}>()),')
        for field, _ in fields:
            c.append(f"  OFFSET({name}, {field.removeprefix(RAW)});")
            rust.append(f'        ("{name}.{field.removeprefix(RAW)}", offset_of!({name}, {field})),')
    return "\n".join(c + ["  return 0;", "}"]) + "\n", "\n".join(rust + ["    ]", "}"]) + "\n"


def main():
    text = without_comments(HEADER.read_text(encoding="utf-8"))
    c, rust = layout(text)
    stale = False
    for name, content in [("src/ffi.rs", ffi(text)), ("tests/layout.c", c), ("tests/layout/table.rs", rust)]:
        path = RUST / "weir-sys" / name
        if path.exists() and path.read_text(encoding="utf-8") == content:
            continue
        if "--check" in sys.argv[1:]:
            print(f"{path} is out of date: python3 rust/tools/make_ffi.py", file=sys.stderr)
            stale = True
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
