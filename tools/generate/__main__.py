"""Writes everything that follows from the structs of options, limits and counters in include/weir.

Usage: python3 tools/generate [--check]. With --check it writes nothing; exit status 1 if a file is out of date.
"""

import sys

import abi
import c
import cpp
import model
import pages
import rust
import typescript


def outputs():
    """Yields (path, content) of each file."""
    enums, structs = model.read()
    header = c.header((model.INCLUDE / "weir_c.h").read_text(encoding="utf-8"), enums, structs)
    declared = abi.read(header)
    abi_ts, wasm_layout = abi.typescript(declared)
    rust_layout, rust_table = abi.rust_layouts(declared)
    for path, content in {
        "include/weir_c.h": header,
        "include/weir/members.h": cpp.members_h(enums, structs),
        "src/c_api/members.h": c.members_h(structs),
        "src/c_api/members.cc": c.members_cc(structs),
        "js/src/abi.ts": abi_ts,
        "js/src/declared.ts": typescript.declared(enums, structs),
        "playground/src/declared.ts": pages.playground(structs),
        "docs/options.md": pages.options_md(structs),
        "cmake/wasm/layout.c": wasm_layout,
        "rust/weir-sys/src/ffi.rs": abi.rust(declared),
        "rust/weir-sys/tests/layout.c": rust_layout,
        "rust/weir-sys/tests/layout/table.rs": rust_table,
        **{f"rust/weir/src/options/declared/{name}": text for name, text in rust.declared(enums, structs).items()},
    }.items():
        yield model.ROOT / path, content


def main():
    stale = 0
    for path, content in outputs():
        if path.exists() and path.read_text(encoding="utf-8") == content:
            continue
        stale += 1
        if "--check" in sys.argv[1:]:
            print(f"{path.relative_to(model.ROOT)} is out of date: python3 tools/generate", file=sys.stderr)
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
        print(f"wrote {path.relative_to(model.ROOT)}")
    sys.exit(1 if stale and "--check" in sys.argv[1:] else 0)


if __name__ == "__main__":
    main()
