#!/usr/bin/env python3
"""Says what a package of binaries contains and needs:
make_sbom.py FOLDER DATE [--toolchain TOOLCHAIN [--pcre2 SOURCE] [--nanobind NANOBIND] [--mingw]]

Writes FOLDER/weir.spdx.json, a software bill of materials as SPDX 2.3 describes it, and FOLDER/third_party_notices.txt, the
licences of everything compiled in. DATE is in seconds since 1970. Without --toolchain it is about the command and the shared
library, made from the Debian packages that this machine compiles with. With it, about what was made with the folder of
zig_toolchain.sh: the command and the library, or with --nanobind the Python package's wheels, for which NANOBIND is the folder
of the installed Python package nanobind. SOURCE is the folder of cmake/fetch_pcre2.sh, if PCRE2 was compiled from it. --mingw:
the package is for Windows, and contains the start of each program.
"""

import argparse
import datetime
import hashlib
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNICODE_LICENCE = ROOT / "src" / "regex" / "unicode_license.txt"
# Debian packages of headers that the command is compiled with: the licence as SPDX names it, and as the package does.
COMMAND_HEADERS = [("nlohmann-json3-dev", "MIT", "Expat"), ("libcli11-dev", "BSD-3-Clause", "BSD-3-clause")]
# A part: its name, version, licence as SPDX names it, what is said of it, and the text of its licence with the holders.
UNICODE = ("unicode-data", re.search(r"version ([0-9.]+[0-9])", UNICODE_LICENCE.read_text(encoding="utf-8"))[1],
           "Unicode-DFS-2016", "the library, as tables", UNICODE_LICENCE.read_text(encoding="utf-8").strip())


def stanza(copyright_file, named):
    """What Debian's file about a package says of most of its files: the holders, and the text of the licence `named`."""
    stanzas = copyright_file.read_text(encoding="utf-8").split("\n\n")
    about = next(s for s in stanzas if s.lstrip("\n").startswith("Files: *"))
    holders = about[about.index("Copyright:"):].split("\nLicense:")[0]
    text = next((s for s in stanzas if s.lstrip("\n").startswith(f"License: {named}\n")), None) or about[about.index("License:"):]
    return f"{holders}\n\n{text.strip()}"


def upstream(version):
    return version.split(":")[-1].split("-")[0].split("+")[0].split("~")[0]


def installed_version(package):
    shown = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True)
    return upstream(shown.stdout)


def linked_parts():
    """What is compiled into the command and the shared library, and the packages whose libraries they are linked to."""
    parts = [(name, installed_version(name), licence, where, stanza(pathlib.Path(f"/usr/share/doc/{name}/copyright"), named))
             for name, licence, named, where in [("libexpected-dev", "CC0-1.0", "CC0-1.0", "the library")] +
             [(*header, "the command") for header in COMMAND_HEADERS]]
    needed = [(name, installed_version(name), licence)
              for name, licence in [("libpcre2-dev", "BSD-3-Clause"), ("libfmt-dev", "MIT"),
                                    ("g++", "GPL-3.0-or-later WITH GCC-exception-3.1")]]
    return parts + [UNICODE], needed


def static_parts(toolchain, source, nanobind, mingw):
    """What is compiled into what is made with the toolchain; it needs the system's C library alone."""
    documents = toolchain / "sysroot" / "usr" / "share" / "doc"
    # A Debian package's version in full, since it says which security fixes the static library has.
    packages = dict(path.stem.split("_")[:2] for path in (toolchain / "apt" / "packages").glob("*.deb"))
    pcre2 = (documents / "libpcre2-dev" / "copyright").read_text(encoding="utf-8").strip()
    pcre2_version = next(source.glob("*.dsc")).stem.split("_")[1] if source else packages["libpcre2-dev"]
    where = "the extension module" if nanobind else "the command and the library"
    zig = toolchain / "zig"
    zig_version = (toolchain / "zig_version").read_text(encoding="utf-8").strip()
    parts = [
        ("libexpected-dev", upstream(packages["libexpected-dev"]), "CC0-1.0", "the library",
         stanza(documents / "libexpected-dev" / "copyright", "CC0-1.0")),
        ("libpcre2-dev", pcre2_version, "BSD-3-Clause AND BSD-2-Clause", "the library", pcre2),
        UNICODE,
        ("libcxx", f"of Zig {zig_version}", "Apache-2.0 WITH LLVM-exception", f"{where}, with libcxxabi and libunwind",
         (zig / "lib" / "libcxx" / "LICENSE.TXT").read_text(encoding="utf-8").strip()),
        ("zig", zig_version, "MIT", f"{where}: arithmetic that processors lack",
         (zig / "LICENSE").read_text(encoding="utf-8").strip()),
    ]
    if mingw:
        parts.append(("mingw-w64", f"of Zig {zig_version}", "ZPL-2.1", f"{where}: the start of programs and libraries",
                      (zig / "lib" / "libc" / "mingw" / "COPYING").read_text(encoding="utf-8").strip()))
    if not nanobind:
        parts += [(name, upstream(packages[name]), licence, "the command", stanza(documents / name / "copyright", named))
                  for name, licence, named in COMMAND_HEADERS + [("libfmt-dev", "MIT", "Expat with embedded exception")]]
        return parts, []
    metadata = next(nanobind.parent.glob("nanobind-*.dist-info"))
    robin_map = (nanobind / "ext" / "robin_map" / "include" / "tsl" / "robin_map.h").read_text(encoding="utf-8")
    comment = robin_map[robin_map.index("/**") + 3:robin_map.index("*/")]
    return parts + [
        ("nanobind", metadata.name.split("-")[1].removesuffix(".dist"), "BSD-3-Clause", "the extension module",
         (metadata / "licenses" / "LICENSE").read_text(encoding="utf-8").strip()),
        ("robin-map", "of nanobind", "MIT", "the extension module",
         "\n".join(line.strip(" *") for line in comment.splitlines()).strip()),
    ], []


def package(name, version, licence, comment):
    return {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "comment": comment}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("date", type=int)
    for option in ["--toolchain", "--pcre2", "--nanobind"]:
        parser.add_argument(option, type=pathlib.Path)
    parser.add_argument("--mingw", action="store_true")
    arguments = parser.parse_args()
    folder, date = arguments.folder, arguments.date
    folder.mkdir(parents=True, exist_ok=True)
    version = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
    if arguments.toolchain:
        parts, needed = static_parts(arguments.toolchain, arguments.pcre2, arguments.nanobind, arguments.mingw)
    else:
        parts, needed = linked_parts()
    packages = [package("weir", version, "MIT", "the Python package" if arguments.nanobind else "the command and the library")]
    related = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-weir")]
    texts = [f"weir {version}\n\n{(ROOT / 'LICENSE').read_text(encoding='utf-8').strip()}"]
    for name, part_version, licence, where, text in parts:
        packages.append(package(name, part_version, licence, f"compiled into {where}"))
        related.append(("SPDXRef-weir", "CONTAINS", f"SPDXRef-{name}"))
        texts.append(f"{name} {part_version}, compiled into {where}\n\n{text}")
    for name, part_version, licence in needed:
        packages.append(package(name.replace("+", "."), part_version, licence, "its library is linked to when a program starts"))
        related.append(("SPDXRef-weir", "DEPENDS_ON", f"SPDXRef-{name.replace('+', '.')}"))
    licences = ("\n\n" + "-" * 78 + "\n\n").join(texts) + "\n"
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"weir-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/weir-{version}-{hashlib.sha256(licences.encode()).hexdigest()[:16]}",
        "creationInfo": {"created": datetime.datetime.fromtimestamp(date, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: make_sbom.py"]},
        "packages": packages,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in related],
    }
    (folder / "weir.spdx.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    (folder / "third_party_notices.txt").write_text(licences, encoding="utf-8")


if __name__ == "__main__":
    main()
