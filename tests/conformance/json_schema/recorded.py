"""Recorded results, which may only improve. A file has a header of `#` lines, then lines of a name and a result."""

import argparse
import pathlib

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def parse_arguments(description):
    """Parses the command line of a test whose results are recorded."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("weir")
    parser.add_argument("--update", action="store_true", help="record the results of all that there is")
    parser.add_argument("--details", action="store_true", help="print each wrong test")
    return parser.parse_args()


def read(name):
    """Returns {name: result} of results/NAME.txt; {} if there is no such file."""
    path = RESULTS / f"{name}.txt"
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if not line.startswith("#"))


def write(name, header, results):
    RESULTS.mkdir(exist_ok=True)
    lines = [f"# {line}" for line in header] + [f"{key} {value}" for key, value in results.items()]
    (RESULTS / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def report(name, worse, better):
    """Prints the changes. Returns True if nothing has become worse."""
    for line in worse:
        print(f"WORSE  {name}: {line}")
    for line in better[:10]:
        print(f"better {name}: {line}")
    if better:
        print(f"{name}: {len(better)} better than recorded: `make update-conformance` records it")
    return not worse
