"""weir.compat.xgrammar's structural tags for models: the texts that they accept, and that they equal xgrammar's own."""

import itertools
import json

import pytest

import weir
import weir.compat.xgrammar as xgr

MODELS = ["llama", "kimi", "deepseek_r1", "deepseek_v3_1", "qwen_3_coder", "qwen_3_5", "mimo", "qwen_3",
          "deepseek_v3_2", "minimax", "minimax_m3", "glm_4_7", "deepseek_v4", "deepseek_v4_1", "cohere", "exaone",
          "kimi_k3", "harmony"]
PARAMETERS = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"],
              "additionalProperties": False}
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": PARAMETERS}},
         {"type": "function", "function": {"name": "g", "strict": False, "parameters": PARAMETERS}},
         {"type": "web", "name": "browser.search", "parameters": PARAMETERS}, {"type": "code"}]
NAMED = {"type": "function", "function": {"name": "f"}}
ALLOWED = {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [NAMED, {"type": "web"}]}}


def normal_form(node):
    """Returns a form that is equal for tags with the same texts. Tags and sequences are lists of their consecutive
    parts, with adjacent constants joined. Unordered parts are sorted."""
    if isinstance(node, list):
        return [normal_form(item) for item in node]
    if not isinstance(node, dict):
        return node
    if node["type"] == "const_string":
        return ["sequence", node["value"]]
    if node["type"] == "sequence":
        parts = [part for element in node["elements"] for part in _parts(normal_form(element))]
        return _sequence(parts)
    if node["type"] == "tag" and node["content"]["type"] != "any_text" and isinstance(node["end"], str):
        return _sequence([node["begin"], *_parts(normal_form(node["content"])), node["end"]])
    fields = {key: sorted(value) if key == "excludes" else value if key == "json_schema" else normal_form(value)
              for key, value in node.items()}
    for key in {"elements", "tags"} & set(fields):
        fields[key].sort(key=json.dumps)
    return {key: value for key, value in fields.items() if key == "json_schema" or value not in (None, False, [])}


def _parts(form):
    return form[1:] if isinstance(form, list) and form and form[0] == "sequence" else [form]


def _sequence(parts):
    joined = ["sequence"]
    for part in parts:
        if isinstance(part, str) and isinstance(joined[-1], str) and len(joined) > 1:
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return joined


def outcome(package, model, **options):
    try:
        tag = package.get_model_structural_tag(model, **options)
    except ValueError:
        return "refused"
    return normal_form(json.loads(tag.model_dump_json())["format"])


@pytest.mark.parametrize("model", MODELS)
def test_tags_are_those_of_xgrammar(model):
    xgrammar = pytest.importorskip("xgrammar")
    for tools, choice, reasoning in itertools.product(
            [None, TOOLS[:1], TOOLS],
            ["auto", "required", "none", None, NAMED, ALLOWED, {"type": "web"}, {"type": "nope"}],
            ["enabled", "disabled", "auto", False]):
        for options in [{}, {"parallel_tool_calls": False}, {"exclude_special_tokens": False}, {"any_order": True},
                        {"max_whitespace_cnt": 2}]:
            asked = {"tools": tools, "tool_choice": choice, "reasoning": reasoning, **options}
            assert outcome(xgr, model, **asked) == outcome(xgrammar, model, **asked), asked
    assert set(xgr.builtin_structural_tag._MODELS) | {"kimi_k3", "harmony"} == \
        set(xgrammar.builtin_structural_tag._structural_tag_registry)


CHOICES = ["auto", "required", "none", None, NAMED, ALLOWED, {"type": "web"}, {"type": "nope"},
           {"function": {"name": "f"}}, {"type": "function", "function": {"name": "h"}}, "bad",
           {"type": "allowed_tools", "mode": "auto", "tools": []},
           {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": []}},
           {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "function"}]}},
           {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "other"}]}}]


def normalized(package, tools, choice):
    try:
        functions, builtins, mode = package.normalize_tool_choice(tools, choice)
    except ValueError:
        return "refused"
    return ([(tool.type, vars(tool.function)) for tool in functions], [vars(tool) for tool in builtins], mode)


@pytest.mark.parametrize("choice", CHOICES, ids=json.dumps)
def test_choices_are_those_of_xgrammar(choice):
    xgrammar = pytest.importorskip("xgrammar")
    for tools in [None, [], TOOLS, TOOLS[:1] * 2, [{"function": {"name": "f"}}], [{"type": "function"}],
                  [{"name": "f"}], [5], "tools", [{"type": "function", "function": {"name": 1}}]]:
        assert normalized(xgr, tools, choice) == normalized(xgrammar, tools, choice), tools


def test_choices():
    functions, builtins, mode = xgr.normalize_tool_choice(TOOLS)
    assert [tool.function.name for tool in functions] == ["f", "g"] and mode == "auto"
    assert [(tool.type, tool.name) for tool in builtins] == [("web", "browser.search"), ("code", None)]
    assert xgr.normalize_tool_choice(TOOLS, "none") == ([], [], "auto")
    assert xgr.normalize_tool_choice(functions, NAMED) == (functions[:1], [], "forced")
    assert xgr.normalize_tool_choice(TOOLS, ALLOWED) == (functions[:1], builtins[:1], "auto")
    for tools, choice in [(TOOLS, {"type": "nope"}), (None, "required"), (TOOLS, "bad"), ("tools", "auto"),
                          ([{"name": "f"}], "auto"), (TOOLS, {"type": "function", "function": {"name": "h"}})]:
        with pytest.raises(ValueError):
            xgr.normalize_tool_choice(tools, choice)


def accepts(tag, text):
    tokens = [bytes([byte]) for byte in range(256)] + [b"</s>"]
    compiler = xgr.GrammarCompiler(xgr.TokenizerInfo(tokens, stop_token_ids=256))
    matcher = xgr.GrammarMatcher(compiler.compile_structural_tag(tag))
    return matcher.accept_string(text) and matcher.is_completed()


@pytest.mark.parametrize(("model", "call"), [
    ("llama", '{"name": "f", "parameters": {"x": 1}}'),
    ("kimi", '<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"x": 1}'
             '<|tool_call_end|><|tool_calls_section_end|>'),
    ("deepseek_r1", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n"
                    '{"x": 1}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'),
    ("qwen_3_coder", "<tool_call>\n<function=f>\n<parameter=x>1</parameter>\n</function>\n</tool_call>"),
    ("qwen_3", '<tool_call>\n{"name": "f", "arguments": {"x": 1}}\n</tool_call>'),
    ("glm_4_7", "<tool_call>f<arg_key>x</arg_key><arg_value>1</arg_value></tool_call>"),
    ("minimax", '\n</think>\n\n\n\n\n<minimax:tool_call>\n<invoke name="f">\n<parameter name="x">1</parameter>'
                "</invoke>\n</minimax:tool_call>"),
    ("cohere", '<cofl:tool_calls><cofl:tool_call id="0" name="f"><cofl:value name="x" type="json">1</cofl:value>'
               "</cofl:tool_call></cofl:tool_calls>"),
    ("harmony", '<|channel|>commentary to=functions.f<|constrain|>json<|message|>{"x": 1}<|call|>'),
])
def test_calls(model, call):
    required = xgr.get_model_structural_tag(model, TOOLS[:1], "required", "disabled")
    assert accepts(required, call)
    assert not accepts(required, call.replace("1", "no", 1)) and not accepts(required, "no call")
    forced = xgr.get_model_structural_tag(model, TOOLS, NAMED, "disabled")
    assert accepts(forced, call)


@pytest.mark.parametrize("model", MODELS)
def test_the_function_of_each_model_makes_the_same(model):
    """minimax_m3's function alone has another default."""
    build = getattr(xgr.builtin_structural_tag, f"get_{model}_structural_tag")
    functions, builtins, mode = xgr.normalize_tool_choice(TOOLS[:1], "required")
    for options in ({}, {"reasoning": "disabled"}, {"parallel_tool_calls": False}):
        by_name = {"reasoning": "auto" if model == "minimax_m3" else "enabled", **options}
        expected = xgr.get_model_structural_tag(model, TOOLS[:1], "required", **by_name)
        assert build(functions, builtins, mode, **options).model_dump() == expected.model_dump()


def test_reasoning():
    tag = xgr.get_model_structural_tag("qwen_3", reasoning="enabled")
    assert accepts(tag, "so</think>\n\nyes") and not accepts(tag, "yes")
    optional = xgr.get_model_structural_tag("qwen_3", reasoning="auto")
    assert accepts(optional, "<think>so</think>\n\nyes") and accepts(optional, "yes")
    assert not accepts(xgr.get_model_structural_tag("qwen_3", reasoning=False), "<think>so</think>\n\nyes")


def test_models_of_ones_own():
    @xgr.register_model_structural_tag("mine")
    def mine(functions, builtins, mode, reasoning, **options):
        assert mode == "forced" and reasoning == "disabled" and options["parallel_tool_calls"]
        return xgr.StructuralTag(format=xgr.structural_tag.ConstStringFormat(value=functions[0].function.name))

    assert accepts(xgr.get_model_structural_tag("mine", TOOLS, NAMED, False), "f")


def test_refusals():
    for options in [{"model": "other"}, {"model": "llama", "reasoning": "some"},
                    {"model": "llama", "tool_choice": "required"}, {"model": "llama", "parallel_tool_calls": 1}]:
        with pytest.raises(ValueError):
            xgr.get_model_structural_tag(**options)
    parameters = {"type": "object", "properties": {"a>b": {}}, "required": ["a>b"]}
    unwritable = {"type": "function", "function": {"name": "f", "parameters": parameters}}
    with pytest.raises(xgr.InvalidStructuralTagError, match="a>b"):
        accepts(xgr.get_model_structural_tag("minimax_m3", [unwritable]), "")


def test_weir_reads_them():
    tag = xgr.get_model_structural_tag("deepseek_v4", TOOLS[:1], "required", "disabled")
    compiler = weir.GrammarCompiler(weir.TokenizerInfo([bytes([byte]) for byte in range(256)]))
    matcher = weir.GrammarMatcher(compiler.compile_structural_tag(tag.model_dump_json()))
    assert matcher.accept_string("\n\n<｜DSML｜tool_calls>")
