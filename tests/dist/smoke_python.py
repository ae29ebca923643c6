"""Tries an installed Python package: its version, masks equal to the record of smoke_command.py, an error with a caret.

Run from a folder that is not the repository, so that the installed package is what is imported.
"""

import importlib.metadata
import json
import pathlib
import sys

import numpy
import weir

HERE = pathlib.Path(__file__).resolve().parent
VERSION = (HERE.parents[1] / "VERSION").read_text().strip()


def main():
    assert not pathlib.Path(weir.__file__).is_relative_to(HERE.parents[1] / "python"), weir.__file__
    assert importlib.metadata.version("weir") == VERSION
    tokenizer_info = weir.TokenizerInfo.builtin()
    compiled = weir.GrammarCompiler(tokenizer_info).compile_json_schema((HERE / "schema.json").read_text())
    record = json.loads((HERE / "masks.json").read_text())
    stop = set(tokenizer_info.stop_token_ids)
    for text, expected in record.items():
        matcher = weir.GrammarMatcher(compiled)
        assert matcher.accept_text(text) if text else True
        bitmask = weir.allocate_token_bitmask(1, tokenizer_info.vocab_size)
        matcher.fill_next_token_bitmask(bitmask)
        bits = numpy.unpackbits(numpy.asarray(bitmask).view(numpy.uint8), bitorder="little")
        allowed = [int(token) for token in numpy.flatnonzero(bits) if int(token) not in stop]
        assert allowed == [token for token in expected if token not in stop], text
    try:
        weir.GrammarCompiler(tokenizer_info).compile_grammar('root ::= "a" (b')
    except weir.GrammarError as error:
        assert "(` without `)`" in str(error) and "^" in str(error), error
    else:
        raise AssertionError("no error")
    print(f"smoke_python.py: Python {sys.version.split()[0]}, {len(record)} masks")


if __name__ == "__main__":
    main()
