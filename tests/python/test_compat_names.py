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
}


def is_left_out(name):
    """Returns True if the name or what it is part of is listed."""
    parts = name.split(".")
    return any(".".join(parts[:end]) in LEFT_OUT for end in range(1, len(parts) + 1))


def recorded(path):
    """Returns what a record names, by its full name: (module, a name in it or None, an attribute of that or None)."""
    entries = {}
    for module, names in json.loads(path.read_text())["modules"].items():
        entries[module] = (module, None, None)
        for name, attributes in ({} if isinstance(names, str) else names).items():
            entries[f"{module}.{name}"] = (module, name, None)
            entries.update({f"{module}.{name}.{each}": (module, name, each) for each in attributes or ()})
    return entries


def find(module, name, attribute):
    """Returns "here" or "missing"; "needs ..." if weir.compat cannot be asked without a package that is not there."""
    try:
        value = importlib.import_module(f"weir.compat.{module}")
        if name is not None:
            value = getattr(value, name)
    except ImportError as error:
        absent = error if isinstance(error, ModuleNotFoundError) else error.__cause__
        return "missing" if absent.name.startswith("weir") else f"needs {absent.name}"
    except AttributeError:
        return "missing"
    is_here = attribute is None or hasattr(value, attribute) or attribute in getattr(value, "__annotations__", {})
    return "here" if is_here else "missing"


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_name_exists(path):
    results = {name: find(*entry) for name, entry in recorded(path).items() if not is_left_out(name)}
    assert "here" in results.values()
    assert [name for name, result in results.items() if result == "missing"] == []
    print(*sorted(f"{name} {result}" for name, result in results.items() if result != "here"), sep="\n")


def test_what_is_left_out_is_recorded_and_missing():
    """An exception that is out of date is an error, too."""
    entries = {name: entry for path in RECORDS for name, entry in recorded(path).items()}
    assert set(LEFT_OUT) <= set(entries)
    assert [name for name in LEFT_OUT if find(*entries[name]) == "here"] == []
