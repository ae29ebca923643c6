"""Writes the C interface of the structs: their declarations in weir_c.h, and src/c_api/members.h, by which it is read.

The order of a struct's members in C is that of weir_c.h, so that programs compiled with an older header go on working: a
new member is appended, an enumeration of a struct stands before it. Another new struct or enumeration begins as an empty one
in weir_c.h, in its place among the calls: `typedef struct weir_x {} weir_x;`.
"""

import re
import textwrap

import model

TYPES = {"flag": "bool", "u32": "uint32_t", "u64": "uint64_t", "text": "weir_text", "word": "int32_t",
         "ids": "const uint32_t*", "texts": "const weir_text*"}


def c_comment(text, indent):
    text = re.sub(r"[^\x00-\x7f]", lambda match: {"µ": "u", "▁": "U+2581"}[match[0]], text)
    lines = textwrap.wrap(text, 120 - len(indent) - 6, break_long_words=False, break_on_hyphens=False)
    return f"{indent}/* " + f"\n{indent} * ".join(lines) + " */\n"


def c_type(field):
    if field.kind in ("structs", "options"):
        return f"const weir_{field.of.c_name}*"
    return TYPES[field.kind]


def about(struct, field):
    """The comment in C: what has no value is 0, NULL or empty there. Items of lists have no defaults."""
    text = field.summary
    if struct.is_item and field.kind == "word":
        text += f' There is no default: 0 is "{field.of.words[0][1]}".'
    if field.is_optional:
        text += " 0: any number." if field.kind == "u32" else " An empty list is no value."
    if field.kind == "options":
        text += " NULL: the defaults."
    return text


def ordered(struct, old_body):
    """The members in the order of weir_c.h, new ones at the end."""
    known = re.findall(r"(\w+);", re.sub(r"/\*.*?\*/", "", old_body, flags=re.DOTALL))
    names = {field.name for field in struct.fields}
    gone = set(known) - names - {field.count for field in struct.fields} - {"struct_size"}
    assert not gone, f"weir_{struct.c_name} has members that {struct.name} lacks: {', '.join(sorted(gone))}"
    return sorted(struct.fields, key=lambda field: known.index(field.name) if field.name in known else len(known))


def struct_body(struct, old_body):
    out = "" if struct.is_item else "  size_t struct_size;\n"
    for field in ordered(struct, old_body):
        out += c_comment(about(struct, field), "  ")
        enum = f" /* A weir_{field.of.c_name}. */" if field.kind == "word" else ""
        out += f"  {c_type(field)} {field.name};{enum}\n"
        if field.is_list:
            out += f"  size_t {field.count};\n"
    return out


def enum_body(enum):
    names = [f"{enum.c_enumerator(word)} = {number}" for number, (_, word, _) in enumerate(enum.words)]
    line = f"typedef enum weir_{enum.c_name} {{ {', '.join(names)} }} weir_{enum.c_name};"
    texts = [c_comment(model.summary(comment), "  ") for _, _, comment in enum.words]
    return "".join(f"{text}  {name}{',' if name != names[-1] else ''}\n" for text, name in zip(texts, names))


def header(text, enums, structs):
    """Returns weir_c.h with the declarations of `enums` and `structs`."""
    for enum in enums.values():
        if "::" in enum.name and f"typedef enum weir_{enum.c_name} {{" not in text:  # before the struct that has it
            struct = f"typedef struct weir_{structs[enum.name.partition(':')[0]].c_name} {{"
            text = text.replace(struct, f"typedef enum weir_{enum.c_name} {{\n}} weir_{enum.c_name};\n\n{struct}")
        pattern = rf"(typedef enum weir_{enum.c_name} \{{\n?).*?(\}} weir_{enum.c_name};)"
        text, count = re.subn(pattern, lambda match: f"typedef enum weir_{enum.c_name} {{\n{enum_body(enum)}{match[2]}", text, flags=re.DOTALL)
        assert count == 1, f"weir_c.h has no enumeration weir_{enum.c_name}"
    for struct in structs.values():
        pattern = rf"(typedef struct weir_{struct.c_name} \{{)\n?(.*?)(\}} weir_{struct.c_name};)"
        text, count = re.subn(pattern, lambda match: f"{match[1]}\n{struct_body(struct, match[2])}{match[3]}", text, flags=re.DOTALL)
        assert count == 1, f"weir_c.h has no struct weir_{struct.c_name}"
    return text


GENERATED = "// Written by tools/generate from the structs in include/weir. Do not edit.\n// clang-format off\n"


def members_h(structs):
    """src/c_api/members.h: which C++ struct a C struct stands for, and its members."""
    out = GENERATED + """#ifndef WEIR_SRC_C_API_MEMBERS_H_
#define WEIR_SRC_C_API_MEMBERS_H_

#include "c_api/member.h"

namespace weir::c_api {

"""
    for struct in structs.values():
        out += (f"template <>\nstruct Of<weir_{struct.c_name}> {{\n  using Cpp = {struct.name};\n"
                f"  static const Table table;\n}};\n\n")
    return out + "}  // namespace weir::c_api\n\n#endif  // WEIR_SRC_C_API_MEMBERS_H_\n"


def members_cc(structs):
    out = GENERATED + '#include "c_api/members.h"\n\n#include "c_api/options.h"\n\nnamespace weir::c_api {\n\nnamespace {\n\n'
    for struct in structs.values():
        out += f"constexpr Member k{struct.name}[] = {{\n"
        for field in struct.fields:
            pair = f"weir_{struct.c_name}, {struct.name}, {field.name}"
            if field.kind == "word":
                out += f'    WEIR_WORD({pair}, {field.of.name}::{field.of.words[-1][0]}, "weir_{field.of.c_name}"),\n'
            elif field.kind in ("structs", "options"):
                out += f"    WEIR_{field.kind.upper()}({pair}, weir_{field.of.c_name}),\n"
            else:
                out += f"    WEIR_MEMBER({pair}),\n"
        out += "};\n"
        for field in struct.fields:
            if field.is_list:
                out += f"WEIR_COUNT(weir_{struct.c_name}, {field.name}, {field.count});\n"
        out += "\n"
    out += "}  // namespace\n\n"
    for struct in structs.values():
        out += f"constinit const Table Of<weir_{struct.c_name}>::table = {'item_' if struct.is_item else ''}table_of<weir_{struct.c_name}, {struct.name}>(k{struct.name});\n"
    out += "\n}  // namespace weir::c_api\n\n"
    for struct in structs.values():
        if struct.is_counts or struct.is_item:
            continue
        name = "spec" if struct.c_name == "vocab_spec" else "limits" if struct.c_name == "limits" else "options"
        out += (f"weir_status weir_{struct.c_name}_init(weir_{struct.c_name}* {name}, size_t struct_size) {{\n"
                f"  return weir::c_api::init({name}, struct_size);\n}}\n")
    return out
