"""Writes what JavaScript and Rust know of weir_c.h: structs, enumerators and functions, and what compilers check of them.

The layout of js/src/abi.ts follows the C rules for 32-bit WebAssembly: pointers and size_t have 4 bytes, every member is
aligned to its size, a struct to its largest member. cmake/wasm/layout.c has the compiler check them; the layouts of Rust
are compared with what rust/weir-sys/tests/layout.c prints.
"""

import dataclasses
import json
import os
import re

import model

# How wasm32 and Rust have C's scalars: (kind in abi.ts, size, type in Rust).
SCALARS = {"size_t": ("u32", 4, "usize"), "uint32_t": ("u32", 4, "u32"), "int32_t": ("i32", 4, "i32"),
           "uint64_t": ("u64", 8, "u64"), "bool": ("bool", 1, "bool"), "float": ("f32", 4, "f32"),
           "char": ("u8", 1, "c_char"), "void": ("", 0, "c_void")}
RUST_KEYWORDS = {"match", "type"}


@dataclasses.dataclass
class Header:
    enums: dict  # name without "weir_": [(enumerator, number)]
    structs: dict  # name without "weir_": [(member, type in C, enumeration or "")]
    opaque: list
    functions: list  # (name, [(argument, type in C)], type of the result)


def read(text):
    def plain(name):
        return name.removeprefix("weir_")

    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    enums = {plain(name): [(key, int(number)) for key, number in re.findall(r"(WEIR_\w+) = (\d+)", body)]
             for name, body in re.findall(r"typedef enum (weir_\w+) \{([^}]*)\}", code)}
    structs = {}
    for name, body in re.findall(r"typedef struct (weir_\w+) \{(.*?)\n\} ", text, flags=re.DOTALL):
        members = []
        for line in body.splitlines():
            if declared := re.match(r" *((?:const )?\w+\*?) ([\w, ]+);", line):
                enum = re.search(r"/\* A weir_(\w+)\.", line)
                members += [(member, declared[1], enum[1] if enum else "") for member in declared[2].split(", ")]
        structs[plain(name)] = members
    functions = []
    for result, name, parameters in re.findall(r"WEIR_API\s([^;(]*?)\b(weir_\w+)\s*\(([^;]*)\);", code):
        listed = [] if parameters.strip() == "void" else parameters.split(",")
        arguments = [re.fullmatch(r"\s*(.*?)(\w+)\s*", each, flags=re.DOTALL).groups() for each in listed]
        functions.append((name, [(argument, kind) for kind, argument in arguments], result.strip()))
    return Header(enums, structs, re.findall(r"typedef struct (weir_\w+) \1;", code), functions)


def _words(names):
    common = os.path.commonprefix([name for name, _ in names])
    begin = common.rfind("_") + 1
    words = [name[begin:].lower() for name, _ in names]
    return [word.replace("_", "-") if re.fullmatch(r"\d+_\d+", word) else word for word in words]


def _layouts(header):
    """{struct: (size, [(member, offset, kind)])} in wasm32."""
    out, aligns = {}, {}
    for name, members in header.structs.items():
        at, widest, placed = 0, 1, []
        for member, c_type, enum in members:
            base = c_type.removeprefix("const ").rstrip("*")
            if c_type.endswith("*"):
                kind, size, align = "*" + SCALARS.get(base, (base.removeprefix("weir_"),))[0], 4, 4
            elif base in SCALARS:
                kind, size = SCALARS[base][:2]
                align = size
            else:
                kind = base.removeprefix("weir_")
                size, align = out[kind][0], aligns[kind]
            if enum:
                assert kind == "i32" and enum in header.enums, (name, member)
                kind = f"enum {enum}"
            at = -(-at // align) * align
            placed.append((member, at, kind))
            at, widest = at + size, max(widest, align)
        out[name], aligns[name] = (-(-at // widest) * widest, placed), widest
    return out


def typescript(header):
    """js/src/abi.ts and cmake/wasm/layout.c."""
    layouts = _layouts(header)
    out = ("// Written by tools/generate from include/weir_c.h and VERSION. Do not edit.\n\n"
           "/** The words of each enumeration, by number. */\nexport const ENUMS = {\n")
    for name, names in header.enums.items():
        out += f"  {name}: {json.dumps(_words(names))},\n"
    out += "} as const;\n\n/** Sizes of structs, and the offset and type of each member. */\nexport const STRUCTS = {\n"
    for name, (size, members) in layouts.items():
        out += f"  {name}: {{\n    size: {size},\n    fields: {{\n"
        out += "".join(f'      {member}: [{at}, "{kind}"],\n' for member, at, kind in members) + "    },\n  },\n"
    out += ("} as const;\n\n/** The module's functions. Pointers are numbers. */\nexport interface Exports {\n"
            "  readonly memory: WebAssembly.Memory;\n  malloc(size: number): number;\n  free(pointer: number): void;\n")
    for name, arguments, result in header.functions:
        names = [model.camel(argument) for argument, _ in arguments]
        is_struct = result.removeprefix("weir_") in header.structs  # stored where the first argument points to
        listed = ", ".join(f"{each}: number" for each in (["result"] if is_struct else []) + names)
        out += f"  {name}({listed}): {'void' if is_struct or result == 'void' else 'number'};\n"
    version = (model.ROOT / "VERSION").read_text(encoding="utf-8").strip()
    out += (f"}}\n\n/** The library's version, which the module must have. */\nexport const VERSION = {json.dumps(version)};\n\n"
            "export const FUNCTIONS = [\n" + "".join(f'  "{name}",\n' for name, _, _ in header.functions) + "] as const;\n")
    checks = ("/* Written by tools/generate: has the compiler check the layouts in js/src/abi.ts. Do not edit. */\n"
              '#include <stddef.h>\n\n#include "weir_c.h"\n\n'
              "#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)\n"
              '#define OFFSET(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field)\n\n')
    for name, (size, members) in layouts.items():
        checks += f"SIZE(weir_{name}, {size});\n"
        checks += "".join(f"OFFSET(weir_{name}, {member}, {at});\n" for member, at, _ in members)
    return out, checks


def _rust_type(c_type):
    """`const weir_text*` is `*const weir_text`; `weir_matcher* const*` is `*const *mut weir_matcher`."""
    out, is_const = "", False
    for i, words in enumerate(level.split() for level in c_type.split("*")):
        if i == 0:
            is_const = "const" in words
            name = next(word for word in words if word not in ("const", "struct"))
            out = SCALARS[name][2] if name in SCALARS else name
        else:
            out = f"*{'const' if is_const else 'mut'} {out}"
            is_const = "const" in words
    return out


def rust_name(name):
    return "r#" + name if name in RUST_KEYWORDS else name


def rust(header):
    """rust/weir-sys/src/ffi.rs."""
    out = ["// Written by tools/generate from include/weir_c.h. Do not edit.", "use core::ffi::{c_char, c_void};",
           "use core::marker::{PhantomData, PhantomPinned};", ""]
    for name, values in header.enums.items():
        out.append(f"pub type weir_{name} = i32;")
        out += [f"pub const {value}: weir_{name} = {number};" for value, number in values] + [""]
    for name in header.opaque:
        out += ["#[repr(C)]", f"pub struct {name} {{", "    _data: [u8; 0],",
                "    _marker: PhantomData<(*mut u8, PhantomPinned)>,", "}", ""]
    for name, members in header.structs.items():
        out += ["#[repr(C)]", "#[derive(Clone, Copy, Debug)]", f"pub struct weir_{name} {{"]
        out += [f"    pub {rust_name(member)}: {_rust_type(kind)}," for member, kind, _ in members] + ["}", ""]
    out.append('extern "C" {')
    for name, arguments, result in header.functions:
        inside = ", ".join(f"{argument}: {_rust_type(kind)}" for argument, kind in arguments)
        out.append(f"    pub fn {name}({inside}){'' if result == 'void' else f' -> {_rust_type(result)}'};")
    return "\n".join(out + ["}"]) + "\n"


def rust_layouts(header):
    """A C program that prints the layouts, and the Rust table that must equal what it prints."""
    c = ["/* Written by tools/generate: prints the layout of each struct of weir_c.h. Do not edit. */",
         "#include <stdio.h>", "", '#include "weir_c.h"', "",
         '#define SIZE(type) printf("%s %zu\\n", #type, sizeof(type))',
         '#define OFFSET(type, field) printf("%s.%s %zu\\n", #type, #field, offsetof(type, field))', "", "int main(void) {"]
    table = ["// Written by tools/generate. Do not edit.", "use core::mem::{offset_of, size_of};", "use weir_sys::*;", "",
             "/// What Rust says of each struct and field that tests/layout.c prints.",
             "pub fn layout() -> Vec<(&'static str, usize)> {", "    vec!["]
    for name, members in header.structs.items():
        c.append(f"  SIZE(weir_{name});")
        table.append(f'        ("weir_{name}", size_of::<weir_{name}>()),')
        for member, _, _ in members:
            c.append(f"  OFFSET(weir_{name}, {member});")
            table.append(f'        ("weir_{name}.{member}", offset_of!(weir_{name}, {rust_name(member)})),')
    return "\n".join(c + ["  return 0;", "}"]) + "\n", "\n".join(table + ["    ]", "}"]) + "\n"
