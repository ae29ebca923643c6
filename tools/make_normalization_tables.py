#!/usr/bin/env python3
"""Writes src/vocab/normalizers/unicode_tables.cc from the Unicode character database.

Usage: tools/make_normalization_tables.py [UCD_DIRECTORY]   (default: /usr/share/unicode, Debian's unicode-data)

Decompositions are full, so that applying them once is enough. Hangul syllables are not listed, because their
decompositions are computed.
"""
import pathlib
import sys

UCD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "src/vocab/normalizers/unicode_tables.cc"


def read_ucd():
    """Returns a dict: code point -> (category, combining class, decomposition kind, decomposition, lower case)."""
    characters = {}
    first = None
    for line in (UCD / "UnicodeData.txt").read_text(encoding="ascii").splitlines():
        f = line.split(";")
        code = int(f[0], 16)
        kind, parts = None, []
        if f[5]:
            parts = f[5].split()
            kind = "compatibility" if parts[0].startswith("<") else "canonical"
            parts = [int(p, 16) for p in parts if not p.startswith("<")]
        entry = (f[2], int(f[3]), kind, parts, int(f[13], 16) if f[13] else None)
        if f[1].endswith(", First>"):
            first = code
        elif f[1].endswith(", Last>"):
            for c in range(first, code + 1):
                characters[c] = entry
        else:
            characters[code] = entry
    return characters


def read_exclusions():
    """Returns the code points with Full_Composition_Exclusion."""
    excluded = set()
    for line in (UCD / "DerivedNormalizationProps.txt").read_text(encoding="utf-8").splitlines():
        fields = [f.strip() for f in line.split("#")[0].split(";")]
        if len(fields) == 2 and fields[1] == "Full_Composition_Exclusion":
            ends = [int(e, 16) for e in fields[0].split("..")]
            excluded.update(range(ends[0], ends[-1] + 1))
    return excluded


def read_special_lowercase():
    """Returns the unconditional lower-case mappings to more than one character."""
    special = {}
    for line in (UCD / "SpecialCasing.txt").read_text(encoding="utf-8").splitlines():
        fields = [f.strip() for f in line.split("#")[0].split(";")]
        if len(fields) >= 5 and fields[4] == "" and len(fields[1].split()) > 1:
            special[int(fields[0], 16)] = [int(p, 16) for p in fields[1].split()]
    return special


def full_decomposition(characters, code, compatibility):
    entry = characters.get(code)
    if entry is None or entry[2] is None or (entry[2] == "compatibility" and not compatibility):
        return [code]
    return [d for part in entry[3] for d in full_decomposition(characters, part, compatibility)]


def ranges(codes):
    result = []
    for code in sorted(codes):
        if result and result[-1][1] == code - 1:
            result[-1][1] = code
        else:
            result.append([code, code])
    return result


def write_rows(out, rows):
    line = " "
    for row in rows:
        if len(line) + len(row) + 2 > 118:
            out.append(line)
            line = " "
        line += " " + row + ","
    out.append(line)


def write_table(out, type_name, name, rows):
    out.append(f"const {type_name} {name}Data[] = {{")
    write_rows(out, rows)
    out.append("};")


def main():
    characters = read_ucd()
    excluded = read_exclusions()
    version = (UCD / "DerivedNormalizationProps.txt").read_text(encoding="utf-8").splitlines()[0].split("-")[1][:-4]

    pool, places = [], {}

    def place(parts):
        key = tuple(parts)
        if key not in places:
            places[key] = len(pool)
            pool.extend(parts)
        return places[key]

    def mapping_rows(pairs):
        return [f"{{0x{code:X}, {place(parts)}, {len(parts)}}}" for code, parts in pairs]

    canonical, compatibility, compositions, lowercase = [], [], [], []
    special_lower = read_special_lowercase()
    for code in sorted(characters):
        entry = characters[code]
        plain = full_decomposition(characters, code, False)
        if plain != [code]:
            canonical.append((code, plain))
        full = full_decomposition(characters, code, True)
        if full != plain:
            compatibility.append((code, full))
        if entry[2] == "canonical" and len(entry[3]) == 2 and code not in excluded:
            compositions.append((entry[3][0], entry[3][1], code))
        lower = special_lower.get(code, [entry[4]] if entry[4] is not None else None)
        if lower is not None:
            lowercase.append((code, lower))

    classes = []
    for code in sorted(characters):
        combining = characters[code][1]
        if combining == 0:
            continue
        if classes and classes[-1][1] == code - 1 and classes[-1][2] == combining:
            classes[-1][1] = code
        else:
            classes.append([code, code, combining])

    def category_ranges(test):
        return [f"{{0x{a:X}, 0x{b:X}}}" for a, b in ranges(c for c in characters if test(characters[c][0]))]

    tables = [
        ("Mapping", "kCanonical", mapping_rows(canonical)),
        ("Mapping", "kCompatibility", mapping_rows(compatibility)),
        ("Mapping", "kLowercase", mapping_rows(lowercase)),
        ("Composition", "kCompositions", [f"{{0x{a:X}, 0x{b:X}, 0x{c:X}}}" for a, b, c in sorted(compositions)]),
        ("CombiningClass", "kCombiningClasses", [f"{{0x{a:X}, 0x{b:X}, {c}}}" for a, b, c in classes]),
        ("Range", "kMarks", category_ranges(lambda c: c.startswith("M"))),
        ("Range", "kNonspacingMarks", category_ranges(lambda c: c == "Mn")),
        ("Range", "kControlOrFormat", category_ranges(lambda c: c in ("Cc", "Cf", "Co"))),
    ]
    out = [
        f"// Unicode {version}. Generated by tools/make_normalization_tables.py from the Unicode character database.",
        "// clang-format off",
        '#include "vocab/normalizers/unicode_tables.h"',
        "",
        "namespace weir::vocab::unicode {",
        "",
        "namespace {",
        "",
    ]
    for type_name, name, rows in tables:
        write_table(out, type_name, name, rows)
        out.append("")
    out.append("}  // namespace")
    out.append("")
    out.append("const char32_t kPool[] = {")
    write_rows(out, [f"0x{c:X}" for c in pool])
    out.append("};")
    for type_name, name, _ in tables:
        out.append(f"const std::span<const {type_name}> {name} = {name}Data;")
    out.append("")
    out.append("}  // namespace weir::vocab::unicode")
    OUTPUT.write_text("\n".join(out) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
