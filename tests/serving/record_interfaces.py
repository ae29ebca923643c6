"""Records the interfaces that weir's backends implement and wrap, as interfaces/ENGINE-VERSION.json.

Run it in an environment with the engine: python tests/serving/record_interfaces.py vllm. The test
tests/python/test_serving_interfaces.py compares weir's classes with all records, without the engines.
"""

import importlib
import inspect
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Classes that weir implements; all their public functions are recorded.
CLASSES = {
    "vllm": [("vllm.v1.structured_output.backend_types", "StructuredOutputGrammar"),
             ("vllm.v1.structured_output.backend_types", "StructuredOutputBackend")],
    "sglang": [("sglang.srt.constrained.base_grammar_backend", "BaseGrammarObject"),
               ("sglang.srt.constrained.base_grammar_backend", "BaseGrammarBackend")],
}
# Functions that weir wraps or calls.
FUNCTIONS = {
    "vllm": [("vllm.v1.structured_output", "StructuredOutputManager.grammar_init"),
             ("vllm.v1.structured_output", "StructuredOutputManager._create_grammar"),
             ("vllm.v1.structured_output", "StructuredOutputManager.grammar_bitmask"),
             ("vllm.v1.structured_output", "StructuredOutputManager.accept_tokens"),
             ("vllm.v1.structured_output", "StructuredOutputManager._get_constraint_bounds"),
             ("vllm.sampling_params", "SamplingParams._validate_structured_outputs"),
             ("vllm.v1.structured_output.backend_xgrammar", "validate_xgrammar_grammar"),
             ("vllm.entrypoints.generate.base.protocol", "validate_structural_tag_payload"),
             ("vllm.entrypoints.generate.beam_search.offline",
              "BeamSearchOfflineMixin._init_beam_search_structured_output")],
    "sglang": [("sglang.srt.constrained.base_grammar_backend", "register_grammar_backend"),
               ("sglang.srt.constrained.base_grammar_backend", "create_grammar_backend"),
               ("sglang.srt.constrained.reasoner_grammar_backend", "ReasonerGrammarBackend.__init__"),
               ("sglang.srt.constrained.grammar_manager", "GrammarManager._apply_request_reasoning_config")],
}


def parameters(function):
    """Returns the names of the parameters. `=` after a name marks a default, `*` before it a keyword-only parameter."""
    named = (inspect.Parameter.KEYWORD_ONLY,)
    found = inspect.signature(inspect.unwrap(function)).parameters.values()
    return [("*" if each.kind in named else "") + each.name + ("" if each.default is each.empty else "=")
            for each in found]


def methods(cls):
    """Returns the public functions of a class, including static ones, and its properties."""
    found = {}
    for name, value in vars(cls).items():
        if name.startswith("_"):
            continue
        if isinstance(value, property):
            found[name] = "property"
        elif callable(value) or isinstance(value, staticmethod):
            found[name] = parameters(getattr(cls, name))
    return found


def record(engine):
    module = importlib.import_module(engine)
    found = {"engine": engine, "version": module.__version__, "classes": {}, "functions": {}}
    for place, name in CLASSES[engine]:
        found["classes"][name] = methods(getattr(importlib.import_module(place), name))
    for place, name in FUNCTIONS[engine]:
        at = importlib.import_module(place)
        for part in name.split("."):
            at = getattr(at, part)
        found["functions"][name] = parameters(at)
    return found


if __name__ == "__main__":
    found = record(sys.argv[1])
    path = HERE / "interfaces" / f"{found['engine']}-{found['version']}.json"
    path.write_text(json.dumps(found, indent=1) + "\n")
    print(f"wrote {path}")
