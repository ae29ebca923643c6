"""weir.check returns its findings as data."""

import json
import pickle

import pytest

import weir
import weir.tools


def test_errors_of_a_grammar():
    text = 'root ::= "é" exprs\nexpr ::= "b" thing\n'
    first, second = weir.check_grammar(text)
    assert (first.severity, first.code, first.message) == ("error", "invalid_argument", "rule `exprs` is not defined")
    assert first.text == text and text[first.start:first.end] == "exprs" and "`expr`" in first.hint
    mended = text[:first.fix.start] + first.fix.replacement + text[first.fix.end:]
    assert mended == text.replace("exprs", "expr")
    assert [one.message for one in weir.check_grammar(mended)] == [second.message]
    assert text[second.start:second.end] == "thing" and second.fix is None and second.notes == []
    assert str(first).startswith("<grammar>:1:14: error: rule `exprs`") and not str(first).endswith("\n")
    assert repr(first) == "<weir.Diagnostic at 13: error: rule `exprs` is not defined>"


def test_warnings_of_a_grammar():
    text = 'root ::= [a-z]+ | "abc"\nspare ::= "b"\n'
    alternative, rule = weir.check_grammar(text)
    assert (alternative.severity, alternative.code, rule.code) == ("warning", "unreachable-alternative", "unused-rule")
    (note,) = alternative.notes
    assert text[note.start:note.end] == "[a-z]+" and note.message and note.location == ""
    assert weir.check_grammar("start ::= 'a';", syntax="kbnf") == []
    assert [one.code for one in weir.check_grammar("a ::= 'a';", syntax="kbnf")] == ["invalid_argument"]


def test_other_texts():
    assert [one.code for one in weir.check_regex("a(b")] == ["syntax"]
    assert weir.check_regex("(?P<x>a)", dialect="python") == []
    (wrong,) = weir.check_schema({"properties": {"a": {"type": "strin"}}})
    assert wrong.pointer == "/properties/a/type" and wrong.text[wrong.start:wrong.end] == '"strin"'
    (clash,) = weir.check_schema({"type": "integer", "minimum": 3, "maximum": 1})
    assert clash.code == "unsatisfiable" and clash.notes[-1].location == "#/maximum"
    assert [one.code for one in weir.check_schema({"format": "x"})] == ["unknown-format"]
    assert [one.severity for one in weir.check_schema({"format": "x"}, unknown_formats="refuse")] == ["error"]
    assert [one.code for one in weir.check_structural_tag({"format": {"type": "nope"}})] == ["invalid_argument"]
    assert weir.check_response_format({"type": "text"}) == []


def test_explained_refusals():
    schema = {"type": "array", "items": {"enum": ["ä", "b"]}, "maxItems": 2}
    (found,) = weir.explain_refusal(schema, '["b", "b", "b"]')
    assert (found.code, found.pointer, found.text[found.start:found.end]) == ("refused", "/maxItems", "2")
    (found,) = weir.explain_refusal('{"items": {"enum": ["ä", "b"]}}', '["c"]')
    assert repr(found.notes) == f"[DiagnosticNote({found.notes[0].message!r}, {found.notes[0].start}, " \
                                f"{found.notes[0].end}, location='#/items')]"
    assert repr(weir.Fix(13, 18, "expr")) == "Fix(13, 18, 'expr')"
    assert found.text[found.start:found.end] == '["ä", "b"]' and [note.location for note in found.notes] == ["#/items"]
    assert weir.explain_refusal(schema, b'["b", ') == []
    bound = {"properties": {"a": {"type": "integer", "maximum": 5}}}
    found = [one.pointer for one in weir.explain_refusal(bound, '{"a":7}')]
    assert found == ["/properties/a/maximum"]  # not `type`, without which 7e-1 would be possible
    assert [one.pointer for one in weir.explain_refusal(schema, "{}", order="any")] == ["/type"]


@pytest.mark.parametrize("text, schema, pointers", [
    ("9", {"type": "number", "maximum": 5}, ["/maximum"]), ("3", {"type": "integer", "minimum": 5}, ["/minimum"]),
    ("6", {"type": "integer", "multipleOf": 4}, ["/multipleOf"]), ("1", {"enum": [15]}, ["/enum"]),
    ("9", {"type": "integer", "maximum": 5}, ["/maximum"]), ("1", {"minimum": 1}, []),
    ("[9", {"items": {"maximum": 5}}, ["/items/maximum"]), ("[1", {"minItems": 2}, []), ("[1", {"maxItems": 1}, []),
    ('{"a": {"b": 7', {"properties": {"a": {"properties": {"b": {"multipleOf": 5}}}}}, ["/properties/a/properties/b/multipleOf"]),
    ("[1.5", {"items": {"type": "integer"}}, ["/items/type"]), ('["9', {"items": {"maxLength": 1}}, []), ("[-", {"items": {"minimum": 0}}, []),
    ("4", {"oneOf": [{"maximum": 3}, {"enum": [48]}]}, ["/oneOf/0/maximum", "/oneOf/1/enum"]),
    ('"abc"', {"oneOf": [{"type": "null"}, {"type": "string", "maxLength": 2}]}, ["/oneOf/0/type", "/oneOf/1/maxLength"]),
    ("{", {"required": ["a"]}, []), ("1.0", {"type": "integer"}, [])])
def test_a_value_that_could_go_on_counts_as_ended(text, schema, pointers):
    assert [one.pointer for one in weir.explain_refusal(schema, text)] == pointers


def test_explain_refusal_in_yaml():
    def pointers(schema, text):
        return [one.pointer for one in weir.explain_refusal(schema, text, notation="yaml")]

    title = {"type": "object", "properties": {"title": {"type": "string"}, "n": {"type": "integer", "maximum": 5}}}
    assert pointers(title, "title: 123\n") == ["/properties/title/type"]
    assert pointers(title, "title: '123'\n") == []
    assert pointers(title, "n: 77\n") == ["/properties/n/maximum"]
    assert pointers(title, "---\ntitle: a\nn: 77\nother:\n- {a: [1, 'it''s']}\n...\n") == ["/properties/n/maximum"]
    assert pointers({"type": "object", "required": ["a"]}, "b: 1\n") == ["/required"]
    assert pointers({"type": "object", "required": ["a"]}, "a:") == []
    assert pointers({"type": "string", "minLength": 3}, "'ab'") == ["/minLength"]
    closed = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}
    assert pointers(closed, "b: 1\n") == ["/additionalProperties"]
    lists = {"properties": {"l": {"items": {"properties": {"b": {"minItems": 2}}}}}}
    assert pointers(lists, "x: 1\nl:\n  - a: 1\n    b:\n    - 1\n") == ["/properties/l/items/properties/b/minItems"]
    assert pointers(closed, "a: [1,") == []
    # At texts that are no documents yet: within brackets, at the place in the text.
    assert pointers(title, "{title: x, n: [1,\n  2]}\n") == ["/properties/n/type"]
    assert pointers(title, "title: |\n  a\nn: x\n") == ["/properties/n/type"]
    assert pointers({"items": {"required": ["c"]}}, "[{a: 1}, {c: 2}]\n") == ["/items/required"]
    assert pointers({"properties": {"a": {"type": "number"}}}, "a: 1e5\n") == ["/properties/a/type"]
    assert pointers({"properties": {"a": {"type": "boolean"}}}, "a: tru\nb: 1\n") == ["/properties/a/type"]
    (found,) = weir.explain_refusal(title, "a: 1\nn: 1\n'a': 2\n", notation="yaml")
    assert found.message == "the key a at byte 13 is in the object already, at byte 0"
    (found,) = weir.explain_refusal(closed, "a: &x 1\n", notation="yaml")
    assert found.pointer == "" and "whatever the schema says" in found.message
    with pytest.raises(TypeError):
        weir.explain_refusal(closed, 3)


def test_errors_have_notes_and_fixes():
    with pytest.raises(weir.GrammarError) as raised:
        weir.Grammar.from_ebnf('root ::= "é" exprs\nexpr ::= "b"\n')
    error = pickle.loads(pickle.dumps(raised.value))
    assert error.fix == raised.value.fix == weir.Fix(13, 18, "expr") and error.notes == []
    compiler = weir.GrammarCompiler(weir.TokenizerInfo.builtin())
    with pytest.raises(weir.GrammarError) as raised:
        compiler.compile_json_schema({"title": "é", "type": "integer", "minimum": 3, "maximum": 1})
    note = raised.value.notes[-1]
    assert note.location == "#/maximum" and raised.value.text[note.start:note.end] == "1" and raised.value.fix is None


def test_arguments():
    assert weir.check_grammar('root ::= "a"', limits=weir.Limits(text_bytes=3))[0].limit == "text_bytes"
    with pytest.raises(ValueError, match="syntax"):
        weir.check_grammar("", syntax="latin")
    with pytest.raises(ValueError):
        weir.check_schema({}, order="none")
    with pytest.raises(TypeError):
        weir.check_schema(3)


def test_a_hundred_thousand_warnings_are_shortened(builtin):
    """What building found is not repeated when compiling, and no step compares each with each."""
    count = 20_000
    unused = 'root ::= "a" | self\nself ::= self | "b"\n' + "".join(f'u{i} ::= "c"\n' for i in range(count))
    compiled = weir.GrammarCompiler(builtin).compile_grammar(unused)
    codes = [warning.code for warning in compiled.warnings]
    assert len(codes) == 101 and codes.count("unused-rule") == 100
    assert compiled.warnings[99].message == f"rule `u99` is never used (and {count - 100} more warnings of this kind)"
    found = weir.check_grammar(unused)
    assert len(found) == 1000 and found[-1].message.endswith(" more findings)")
    keys = "{" + ", ".join(['"k": 1'] * count) + "}"
    compiled = weir.GrammarCompiler(builtin).compile_json_schema(keys)
    assert [warning.message for warning in compiled.warnings][2:] == [
        f'a later member overrides the key `"k"` (and {count - 4} more like it)']
    assert len(weir.check_schema(keys)) == 1000


def test_warnings_about_tools_lead_into_their_list(builtin):
    tools = [{"name": "f", "parameters": {"properties": {"a": {"type": "array", "items": []}}}}]
    tag = weir.tools.structural_tag("hermes", tools)
    for warnings in (weir.GrammarCompiler(builtin).compile_structural_tag(tag).warnings,
                     weir.Grammar.from_structural_tag(tag).warnings, weir.check_structural_tag(tag)):
        [warning] = warnings
        assert warning.message.startswith("tool `f`, argument `a`: ")
        assert warning.pointer.startswith("/0/parameters/properties/a")
        assert json.loads(warning.text) == tools and warning.text[warning.start:warning.end] == "[]"
    [unused] = weir.Grammar.from_ebnf('root ::= "a"\nb ::= "c"').warnings
    assert unused.text[unused.start:unused.end] == "b" and unused.pointer == ""
