"""Makes the page for the Python package: its public classes and functions, from the stub of the extension module and
the sources of the other modules."""

import ast
import inspect

from reference_text import escaped, markdown

# The names that weir has from its extension module, in the order in which a user needs them.
_CLASSES = ("TokenizerInfo", "Grammar", "GrammarCompiler", "CompiledGrammar", "GrammarMatcher", "BatchGrammarMatcher",
            "Limits", "Capture", "Expectation", "TokenExplanation", "MatcherTimings", "GrammarWarning", "CacheStats",
            "EngineStats", "StateStats", "Diagnostic", "DiagnosticNote", "Fix")
_FUNCTIONS = ("check_grammar", "check_regex", "check_schema", "check_structural_tag", "check_response_format",
              "explain_refusal")
_MODULES = ("bitmask", "errors", "tools", "integrations/transformers", "integrations/llama_cpp")
_WIDTH = 100


def page(stub, package):
    """stub: the file _weir.pyi. package: the directory python/weir."""
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    out = ["# The Python package", "", "All of `weir` and its integrations. [python.md](../python.md) is the guide.", ""]
    for name in _CLASSES:
        out += _class("weir", classes[name])
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for name in _FUNCTIONS:
        out += _function(f"## `weir.{name}`", functions[name])
    for path in _MODULES:
        source = package / f"{path}.py"
        module = ast.parse(source.read_text(encoding="utf-8"))
        name = "weir" if path in ("bitmask", "errors") else "weir." + path.replace("/", ".")
        shown = _exported(module)
        for node in module.body:
            if getattr(node, "name", "") not in shown:
                continue
            if isinstance(node, ast.ClassDef):
                out += _class(name, node)
            elif isinstance(node, ast.FunctionDef):
                out += _function(f"## `{name}.{node.name}`", node)
    return "\n".join(out) + "\n"


def _exported(module):
    for node in module.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def _doc(node):
    text = ast.get_docstring(node)
    return markdown(inspect.cleandoc(text).split("\n"), has_arguments=True) if text else ""


def _class(module, node):
    out = [f"## `{module}.{node.name}`", "", _doc(node)]
    properties = []
    for member in node.body:
        if not isinstance(member, ast.FunctionDef):
            continue
        kinds = {ast.unparse(decorator) for decorator in member.decorator_list}
        if member.name == "__init__":
            out += ["```python", _signature(node.name, member, drop_self=True, result=False), "```\n", _doc(member)]
        elif member.name.startswith("_"):
            continue
        elif "property" in kinds:
            properties.append(member)
        else:
            out += _function(f"### `{node.name}.{member.name}`", member, drop_self="staticmethod" not in kinds)
    if properties:
        out += ["| attribute | type | |", "|---|---|---|"]
        for member in properties:
            text = " ".join((ast.get_docstring(member) or "").split())
            kind = ast.unparse(member.returns).replace("|", "\\|") if member.returns else ""
            out.append(f"| `{member.name}` | `{kind}` | {escaped(text)} |")
        out.append("")
    return out


def _function(heading, node, drop_self=False):
    return [heading, "", "```python", _signature(node.name, node, drop_self), "```\n", _doc(node)]


def _signature(name, node, drop_self=False, result=True):
    arguments = ast.unparse(node.args)
    if drop_self:
        arguments = arguments.partition("self")[2].removeprefix(", /").removeprefix(", ")
    end = f" -> {ast.unparse(node.returns)}" if result and node.returns else ""
    one_line = f"{name}({arguments}){end}"
    if len(one_line) <= _WIDTH:
        return one_line
    return f"{name}(\n    " + ",\n    ".join(_split(arguments)) + f",\n){end}"


def _split(arguments):
    """Splits at commas outside brackets and strings."""
    parts, depth, quote, start = [], 0, "", 0
    for place, char in enumerate(arguments):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(arguments[start:place].strip())
            start = place + 1
    return [*parts, arguments[start:].strip()]
