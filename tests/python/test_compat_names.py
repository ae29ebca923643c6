"""Each public name of the libraries that weir.compat stands for exists there, or is listed here with a reason.

tests/python/names has the names, which record_names.py recorded; docs/compat.md names what is left out.
"""

import importlib
import json
import pathlib

import pytest

RECORDS = sorted((pathlib.Path(__file__).parent / "names").glob("*.json"))
# What weir.compat leaves out: a module, a name of a module, or an attribute of a class, and the reason.
NATIVE = "the library's native module, which only its own Python code calls"
KERNEL = "the inside of a kernel, which the function of the same module calls"
LEFT_OUT = {
    "xgrammar.base": "the base class of xgrammar's handles of native objects",
    "xgrammar.contrib.mlxlm": "a program for mlx_lm, which needs Apple's processors",
    "xgrammar.kernels.apply_token_bitmask_mlx": "a kernel for Apple's processors",
    "xgrammar.kernels.apply_token_bitmask_inplace_torch.apply_token_bitmask_inplace_kernel_indices_torch": KERNEL,
    "xgrammar.kernels.apply_token_bitmask_inplace_torch.apply_token_bitmask_inplace_kernel_no_indices_torch": KERNEL,
    "xgrammar.kernels.apply_token_bitmask_inplace_torch_compile."
    "apply_token_bitmask_inplace_kernel_indices_torch_compile": KERNEL,
    "xgrammar.kernels.apply_token_bitmask_inplace_torch_compile."
    "apply_token_bitmask_inplace_kernel_no_indices_torch_compile": KERNEL,
    "xgrammar.kernels.apply_token_bitmask_inplace_triton.apply_token_bitmask_inplace_kernel": KERNEL,
    "xgrammar.libxgrammar_bindings": NATIVE,
    "xgrammar.load_binding": NATIVE,
    "xgrammar.tvm_ffi_binding": NATIVE,
    "xgrammar.testing.GrammarFunctor": "passes of xgrammar's compiler, which weir does not have",
    "llguidance.cli": "a command; weir has its own",
    "llguidance.LLParserLimits": "weir's limits count other things (weir.Limits)",
    "llguidance.LLTokenizer.from_llamacpp": "takes addresses of native functions; llguidance.llamacpp has the function "
                                            "for programs",
    "llguidance.gbnf_to_lark.main": "a command; `weir convert` is weir's",
    **{f"llguidance.gbnf_to_lark.{name}": "the inside of the conversion, which weir does otherwise"
       for name in ("ASTNode", "AlternativeNode", "GrammarParser", "LiteralNode", "Position", "RegexNode",
                    "RepetitionNode", "RuleNode", "RuleRefNode", "SequenceNode", "resolve")},
    "outlines_core": "an automaton over tokens with all its transitions; `weir index` writes one, and "
                     "weir.integrations.outlines is weir in outlines",
}


def is_left_out(name):
    """Returns True if the name or what it is part of is listed."""
    parts = name.split(".")
    return any(".".join(parts[:end]) in LEFT_OUT for end in range(1, len(parts) + 1))


def recorded(path):
    """Returns (name of the module, name in it or None, attributes) for all that the record says must exist."""
    record = json.loads(path.read_text())
    for module, names in record["modules"].items():
        if is_left_out(module):
            continue
        yield module, None, ()
        for name, attributes in ({} if isinstance(names, str) else names).items():
            if not is_left_out(f"{module}.{name}"):
                yield module, name, [each for each in attributes or () if not is_left_out(f"{module}.{name}.{each}")]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_name_exists(path):
    missing, skipped = [], []
    for module, name, attributes in recorded(path):
        try:
            here = importlib.import_module(f"weir.compat.{module}")
        except ModuleNotFoundError as error:
            if error.name.startswith("weir"):
                missing.append(module)
            else:
                skipped.append(f"{module} needs {error.name}")
            continue
        if name is None:
            continue
        try:
            value = getattr(here, name)
        except ModuleNotFoundError as error:
            skipped.append(f"{module}.{name} needs {error.name}")
            continue
        except AttributeError:
            missing.append(f"{module}.{name}")
            continue
        fields = getattr(value, "__annotations__", {})
        missing += [f"{module}.{name}.{each}" for each in attributes if not hasattr(value, each) and each not in fields]
    assert missing == []
    print(*sorted(set(skipped)), sep="\n")


def test_what_is_left_out_is_recorded_and_missing():
    """An exception that is out of date is an error, too."""
    known = set()
    for path in RECORDS:
        record = json.loads(path.read_text())
        known.add(record["package"])
        for module, names in record["modules"].items():
            known.add(module)
            for name, attributes in ({} if isinstance(names, str) else names).items():
                known.update({f"{module}.{name}", *(f"{module}.{name}.{each}" for each in attributes or ())})
    assert set(LEFT_OUT) <= known
