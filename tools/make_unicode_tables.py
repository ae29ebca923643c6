#!/usr/bin/env python3
"""Writes src/regex/unicode/*_tables.cc from the files of the Unicode Character Database.

    tools/make_unicode_tables.py [--data /usr/share/unicode] [--out src/regex/unicode]

The data is that of Debian's package unicode-data. The output is C++ source: the names and the packed members of every
general category, script, script extension and binary property, and the case-folding classes.
src/regex/unicode/tables.h describes each table and how it is packed. Run it again when the package has a new version of Unicode and commit
the changes. The tests in tests/unit/regex read the same data files if they are installed.
"""

import argparse
import pathlib
import re

LAST = 0x10FFFF


def fields_of(path):
    """Yields the fields of each data line of a UCD file, without comments."""
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.split("#", 1)[0].strip()
        if line:
            yield [field.strip() for field in line.split(";")]


def version_of(path):
    match = re.match(r"# PropList-([0-9.]+)\.txt", path.read_text(encoding="utf-8"))
    if not match:
        raise SystemExit(f"{path}: no version in the first line")
    return match.group(1)


def code_points(text):
    first, _, last = text.partition("..")
    return int(first, 16), int(last or first, 16)


def merged(ranges):
    """Returns the ranges sorted and merged, so that they are disjoint and not adjacent."""
    out = []
    for first, last in sorted(ranges):
        if out and first <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(last, out[-1][1]))
        else:
            out.append((first, last))
    return out


def read_properties(path, wanted=None):
    """Returns a dict: name of a property or value -> ranges, from a file of lines `range ; name`."""
    out = {}
    for fields in fields_of(path):
        if wanted is None or fields[1] in wanted:
            out.setdefault(fields[1], []).append(code_points(fields[0]))
    return {name: merged(ranges) for name, ranges in out.items()}


def value_aliases(path, prop):
    """Returns a dict: short name -> all names, for the values of a property."""
    return {f[1]: unique(f[1:]) for f in fields_of(path) if f[0] == prop}


def unique(names):
    return list(dict.fromkeys(names))


def property_aliases(path):
    """Returns a dict: long name -> all names, for properties."""
    return {f[1]: unique([f[1], f[0], *f[2:]]) for f in fields_of(path)}


def read_extensions(path):
    """Returns a dict (short name of a script -> its ranges in ScriptExtensions.txt), and all ranges in that file."""
    scripts, every = {}, []
    for fields in fields_of(path):
        every.append(code_points(fields[0]))
        for script in fields[1].split():
            scripts.setdefault(script, []).append(code_points(fields[0]))
    return {name: merged(ranges) for name, ranges in scripts.items()}, merged(every)


def case_classes(path):
    """Returns the classes of code points with the same simple case folding, each sorted, without classes of one."""
    folded = {}
    for fields in fields_of(path):
        if fields[1] in ("C", "S"):
            folded.setdefault(int(fields[2], 16), set()).add(int(fields[0], 16))
    return sorted(sorted(members | {target}) for target, members in folded.items())


def loose(name):
    return re.sub(r"[ _-]", "", name).lower()


def check_names(*tables):
    """Checks that names are unambiguous: a name without its property is looked up in all tables."""
    seen = {}
    for table in tables:
        for names, _ in table:
            for name in {loose(n) for n in names}:
                if name in seen:
                    raise SystemExit(f"`{name}` names both {seen[name]} and {names}")
                seen[name] = names


def wrapped(items):
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > 120:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return lines + [line]


def packed(number):
    """Returns the bytes of a number: seven bits a byte, the lowest first; the highest bit says that another follows."""
    out = []
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return out + [number]


def packed_ranges(ranges):
    out, after = packed(len(ranges)), 0
    for first, last in ranges:
        out += packed(first - after) + packed(last - first)
        after = last + 1
    return out


def byte_array(name, values):
    return [f"constexpr std::uint8_t {name}[] = {{", *wrapped(map(str, values)), "};"]


def identifier(name):
    return "k" + "".join(part[:1].upper() + part[1:] for part in re.split(r"[_ ]", name))


def table(function, rows):
    """Returns C++ code: the arrays of `rows` [(names, categories, ranges)] and the function that returns them."""
    out = []
    for names, _, ranges in rows:
        out += byte_array(identifier(names[0]), packed_ranges(ranges))
    out += ["", "constexpr UnicodeTable kTables[] = {"]
    out += [f'    {{"{" ".join(names)}", 0x{categories:X}, {identifier(names[0])}}},' for names, categories, _ in rows]
    return out + ["};", "", "}  // namespace", "", f"std::span<const UnicodeTable> {function}() {{ return kTables; }}", ""]


def lists(rows):
    return [(names, 0, ranges) for names, ranges in rows]


HEAD = """\
// {what}. Generated by tools/make_unicode_tables.py; do not edit.
//
// From the Unicode Character Database, version {version} ({files}), as in Debian's package unicode-data.
// Copyright (c) 1991-2022 Unicode, Inc., modified (only the facts used here, packed); the licence of the
// data stands in src/regex/unicode_license.txt.
// clang-format off
#include "regex/unicode/tables.h"

namespace weir::regex {{
namespace {{
"""


def write(out, name, what, version, files, body):
    head = HEAD.format(what=what, version=version, files=files)
    text = head + "\n".join(["", *body, "}  // namespace weir::regex", ""])
    (out / name).write_text(text, encoding="utf-8")


def category_rows(data):
    aliases = value_aliases(data / "PropertyValueAliases.txt", "gc")
    ranges = read_properties(data / "extracted/DerivedGeneralCategory.txt")
    return [(aliases[name], ranges[name]) for name in sorted(ranges)]


def category_body(rows):
    """Returns C++ code: the names of the categories, and the runs of code points of one category."""
    runs = sorted((first, last, index) for index, (_, ranges) in enumerate(rows) for first, last in ranges)
    assert all(a[1] + 1 == b[0] for a, b in zip(runs, runs[1:])) and runs[0][0] == 0 and runs[-1][1] == LAST
    lengths = [byte for first, last, _ in runs for byte in packed(last - first)]
    return [*byte_array("kLengths", lengths), *byte_array("kCategories", [index for _, _, index in runs]),
            "constexpr const char* kNames[] = {", *(f'    "{" ".join(names)}",' for names, _ in rows), "};", "",
            "}  // namespace", "", "UnicodeCategories unicode_categories() { return {kNames, kLengths, kCategories}; }", ""]


class Differences:
    """Describes a set as a union of general categories, and the ranges in which it differs from that union."""

    def __init__(self, categories):
        self.categories = [self.bits(ranges) for _, ranges in categories]

    @staticmethod
    def bits(ranges):
        """Returns a set as a number: one bit a code point."""
        out = 0
        for first, last in ranges:
            out |= (1 << last + 1) - (1 << first)
        return out

    @staticmethod
    def ranges(bits):
        edges, out = bits ^ bits << 1, []  # a bit wherever a range begins, and after each range
        text = f"{edges:b}"[::-1]
        places = [place.start() for place in re.finditer("1", text)]
        for first, after in zip(places[::2], places[1::2]):
            out.append((first, after - 1))
        return out

    def cost(self, bits):
        return len(packed_ranges(self.ranges(bits)))

    def of(self, ranges):
        """Returns (the categories as a number with a bit for each, the ranges of the difference). Adds or removes one
        category at a time while that makes the ranges smaller."""
        chosen, rest = 0, self.bits(ranges)
        for index, category in enumerate(self.categories):
            if 2 * (category & rest).bit_count() > category.bit_count():
                chosen, rest = chosen | 1 << index, rest ^ category
        if self.cost(rest) >= len(packed_ranges(ranges)):
            chosen, rest = 0, self.bits(ranges)
        best, improved = self.cost(rest), True
        while improved:
            improved = False
            for index, category in enumerate(self.categories):
                cost = self.cost(rest ^ category)
                if cost < best:
                    best, improved = cost, True
                    chosen, rest = chosen ^ 1 << index, rest ^ category
        return chosen, self.ranges(rest)


def script_rows(data):
    aliases = value_aliases(data / "PropertyValueAliases.txt", "sc")
    by_long_name = {loose(name): short for short, names in aliases.items() for name in names}
    ranges = {by_long_name[loose(name)]: r for name, r in read_properties(data / "Scripts.txt").items()}
    return [(aliases[name], ranges[name]) for name in sorted(ranges)]


def property_rows(data):
    aliases = property_aliases(data / "PropertyAliases.txt")
    ranges = read_properties(data / "PropList.txt")
    ranges |= read_properties(data / "DerivedCoreProperties.txt")
    ranges |= read_properties(data / "emoji/emoji-data.txt")
    ranges |= read_properties(data / "extracted/DerivedBinaryProperties.txt")
    ranges |= read_properties(data / "DerivedNormalizationProps.txt",
                              ("Changes_When_NFKC_Casefolded", "Full_Composition_Exclusion"))
    return [(aliases[name], ranges[name]) for name in sorted(ranges)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("/usr/share/unicode"))
    parser.add_argument("--out", type=pathlib.Path, default=root / "src/regex/unicode")
    args = parser.parse_args()
    data, version = args.data, version_of(args.data / "PropList.txt")

    categories, scripts, properties = category_rows(data), script_rows(data), property_rows(data)
    composite = [(names, []) for short, names in value_aliases(data / "PropertyValueAliases.txt", "gc").items()
                 if short in ("C", "L", "LC", "M", "N", "P", "S", "Z")]
    check_names(categories, composite, scripts, properties, [(["Any"], []), (["ASCII"], []), (["Assigned"], [])])
    write(args.out, "category_tables.cc", "General categories", version, "DerivedGeneralCategory.txt",
          category_body(categories))
    write(args.out, "script_tables.cc", "Scripts", version, "Scripts.txt", table("unicode_scripts", lists(scripts)))
    differences = Differences(categories)
    write(args.out, "property_tables.cc", "Binary properties", version,
          "PropList.txt, DerivedCoreProperties.txt, emoji-data.txt and others",
          table("unicode_properties", [(names, *differences.of(ranges)) for names, ranges in properties]))

    extensions, every = read_extensions(data / "ScriptExtensions.txt")
    body = table("unicode_script_extensions", [([name], 0, extensions[name]) for name in sorted(extensions)])
    write(args.out, "script_extension_tables.cc", "Script extensions", version, "ScriptExtensions.txt",
          [*byte_array("kListed", packed_ranges(every)), *body,
           "const std::uint8_t* unicode_listed_script_extensions() { return kListed; }", ""])

    steps = sorted((c, cls[(i + 1) % len(cls)]) for cls in case_classes(data / "CaseFolding.txt") for i, c in enumerate(cls))
    links, previous = packed(len(steps)), 0
    for start, end in steps:
        links += packed(start - previous) + packed(2 * (end - start) if end > start else 2 * (start - end) - 1)
        previous = start
    write(args.out, "case_tables.cc", "Simple case folding", version, "CaseFolding.txt",
          [*byte_array("kSteps", links), "", "}  // namespace", "",
           "const std::uint8_t* unicode_case_links() { return kSteps; }", ""])


if __name__ == "__main__":
    main()
