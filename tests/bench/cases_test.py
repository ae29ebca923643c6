#!/usr/bin/env python3
"""The cases of bench/cases are those that their script writes, and weir's verdicts on them are right: cases_test.py WEIR"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "cases"))
import make_cases  # noqa: E402


def main():
    with tempfile.TemporaryDirectory() as directory:
        small, handwritten, large = (pathlib.Path(directory) / f"{name}.jsonl" for name in ("small", "handwritten", "large"))
        make_cases.write(small, make_cases.small_cases())
        make_cases.write(handwritten, make_cases.handwritten_cases())
        make_cases.write(large, make_cases.large_cases())
        for path, stored in ((small, make_cases.SMALL), (handwritten, make_cases.HANDWRITTEN)):
            if path.read_bytes() != stored.read_bytes():
                print(f"{stored} is not what make_cases.py writes: run it")
                return 1
        for path in (small, handwritten, large):
            done = subprocess.run([sys.argv[1], "cases", str(path), "--json"], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(f"{path.stem} cases: {json.loads(done.stdout)['first_failing']}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
