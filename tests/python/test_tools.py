"""Tools of a request as structural tags: what OpenAI's clients send, and errors about it."""

import pytest

import weir

TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}


def test_null_means_not_given():
    tag = weir.tools.structural_tag("hermes", [TOOL])
    assert weir.tools.structural_tag("hermes", [TOOL], tool_choice=None, parallel_tool_calls=None, reasoning=None) == tag
    function = {"name": "f", "parameters": None, "description": None, "strict": None}
    assert weir.tools.structural_tag("hermes", [{"type": "function", "function": function}]) != tag
    assert weir.tools.structural_tag("hermes", None) == weir.tools.structural_tag("hermes", [])


def test_errors_name_the_tool_and_point_into_the_tools():
    wrong = {"type": "function", "function": {"name": "g", "parameters": {"properties": {"q": {"minLength": "x"}}}}}
    other = {"type": "function", "function": {"name": "h", "parameters": {"type": "string"}}}
    with pytest.raises(weir.GrammarError) as caught:
        weir.tools.structural_tag("qwen_coder", [TOOL, wrong, other])
    shown = str(caught.value)
    assert "tool `g`, argument `q`: `minLength`" in shown
    assert "tool `h`: its `parameters` allow no object" in shown
    assert "<tools>" in shown and "<structural tag>" not in shown


def test_names_that_cannot_be_written():
    with pytest.raises(weir.GrammarError, match="tool `a>b`: the style `qwen_coder` cannot write a name with `>`"):
        weir.tools.structural_tag("qwen_coder", [{"name": "a>b"}])


def test_errors_of_the_compiler_are_shown_in_the_tools():
    reference = {"properties": {"ä": {"$ref": "https://example.com/x"}}}
    tag = weir.tools.structural_tag("hermes", [TOOL, {"name": "g", "parameters": reference}])
    with pytest.raises(weir.GrammarError) as caught:
        weir.GrammarCompiler(weir.TokenizerInfo.builtin()).compile_structural_tag(tag)
    error = caught.value
    assert error.pointer == "/1/parameters/properties/ä/$ref"
    assert error.text[error.start : error.end] == '"https://example.com/x"'
    assert error.text.startswith("[") and "structural_tag" not in error.text
    assert str(error).startswith("<tools>:1:")


def test_a_limit_names_the_tool_with_the_longest_parameters():
    many = {"name": "g", "parameters": {"properties": {f"p{i}": {"type": "integer"} for i in range(60)}}}
    tag = weir.tools.structural_tag("hermes", [TOOL, many, {"name": "h"}])
    compiler = weir.GrammarCompiler(weir.TokenizerInfo.builtin(), limits=weir.Limits(grammar_symbols=10))
    with pytest.raises(weir.GrammarError, match="the tool with the longest parameters is `g`") as caught:
        compiler.compile_structural_tag(tag)
    assert caught.value.limit == "grammar_symbols" and caught.value.pointer == "/1/parameters"


def test_an_answer_under_a_schema_and_bounded_reasoning():
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object", "required": ["a"]}}}
    tag = weir.tools.structural_tag(
        "hermes", [TOOL], response_format=form, reasoning="auto", max_reasoning_tokens=9, reasoning_closing="Enough."
    )
    text = str(tag)
    assert "{'type': 'object', 'required': ['a']}" in text
    assert "'max_tokens': 9" in text and "Enough." in text and "'optional'" in text
    with pytest.raises(weir.GrammarError, match="`response_format`: not of any known form"):
        weir.tools.structural_tag("hermes", [TOOL], response_format={"type": "xml"})


def test_bad_tools_are_loosened_or_dropped():
    wrong = {"type": "function", "function": {"name": "g", "parameters": {"properties": {"q": {"minLength": "x"}}}}}
    loose = weir.tools.structural_tag("hermes", [TOOL, wrong], on_bad_tool="loosen")
    assert [note["message"].startswith("tool `g`, argument `q`: ") for note in loose["notes"]] == [True]
    dropped = weir.tools.structural_tag("hermes", [TOOL, wrong], on_bad_tool="drop")
    assert "'name': 'g'" in str(loose["format"]) and "'name': 'g'" not in str(dropped["format"])
    with pytest.raises(ValueError, match="on_bad_tool"):
        weir.tools.structural_tag("hermes", [TOOL], on_bad_tool="ignore")
