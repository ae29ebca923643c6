#!/usr/bin/env python3
"""Says what the binary packages contain and need: make_sbom.py FOLDER DATE

Writes FOLDER/weir.spdx.json, a software bill of materials as SPDX 2.3 describes it, and FOLDER/third_party_notices.txt, the
licences of everything compiled into the command and the library. DATE is in seconds since 1970. Versions and licences
are those of the Debian packages that this machine compiles with.
"""

import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNICODE_LICENCE = ROOT / "src" / "regex" / "unicode_license.txt"
# Compiled in: the Debian package, the licence of its files that are, and where.
CONTAINED = [
    ("nlohmann-json3-dev", "MIT", "the library"),
    ("libexpected-dev", "CC0-1.0", "the library"),
    ("libcli11-dev", "BSD-3-Clause", "the command"),
    ("unicode-data", "Unicode-DFS-2016", "the library, as tables"),
]
# Linked to when a program starts; Debian 12 has them.
NEEDED = [("libpcre2-dev", "BSD-3-Clause"), ("libfmt-dev", "MIT"), ("g++", "GPL-3.0-or-later WITH GCC-exception-3.1")]
# The licence that applies to the files that are compiled in, in Debian's file about a package.
STANZAS = {"nlohmann-json3-dev": "Expat", "libexpected-dev": "CC0-1.0", "libcli11-dev": "BSD-3-clause"}


def version_of(package):
    if package == "unicode-data":  # only those who make the tables have it
        return re.search(r"version ([0-9.]+[0-9])", UNICODE_LICENCE.read_text(encoding="utf-8"))[1]
    shown = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True).stdout
    return shown.split(":")[-1].split("-")[0].split("+")[0].split("~")[0]


def licence_text(package):
    """The text of the licence, and the lines about copyright."""
    if package == "unicode-data":
        return UNICODE_LICENCE.read_text(encoding="utf-8").strip()
    stanzas = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(encoding="utf-8").split("\n\n")
    named = STANZAS[package]
    about = next(s for s in stanzas if s.lstrip("\n").startswith("Files: *"))
    holders = about[about.index("Copyright:"):].split("\nLicense:")[0]
    text = next((s for s in stanzas if s.lstrip("\n").startswith(f"License: {named}\n")), None) or about[about.index("License:"):]
    return f"{holders}\n\n{text.strip()}"


def package(name, version, licence, comment):
    return {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "comment": comment}


def main():
    folder, date = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    version = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
    packages = [package("weir", version, "MIT", "the command and the library")]
    related = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-weir")]
    texts = [f"weir {version}\n\n{(ROOT / 'LICENSE').read_text(encoding='utf-8').strip()}"]
    for name, licence, where in CONTAINED:
        packages.append(package(name, version_of(name), licence, f"compiled into {where}"))
        related.append(("SPDXRef-weir", "CONTAINS", f"SPDXRef-{name}"))
        texts.append(f"{name} {version_of(name)}, compiled into {where}\n\n{licence_text(name)}")
    for name, licence in NEEDED:
        packages.append(package(name.replace("+", "."), version_of(name), licence, "its library is linked to when a program starts"))
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
