"""Replies with a call, as models of each style write them, for the tests of the servers' parsers."""

TOOLS = [{"type": "function", "function": {"name": "f", "description": "", "parameters": {
    "type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "integer"}}, "required": ["a"]}}}]
# A call of f with a = "x <é" and n = 5, as models of the style write it.
CALLS = {
    "hermes": '<tool_call>\n{"name": "f", "arguments": {"a": "x <é", "n": 5}}\n</tool_call>',
    "qwen_coder": "<tool_call>\n<function=f>\n<parameter=a>\nx <é\n</parameter>\n<parameter=n>\n5\n</parameter>\n</function>\n</tool_call>",
    "llama3": '{"name": "f", "parameters": {"a": "x <é", "n": 5}}',
    "mistral": '[TOOL_CALLS][{"name": "f", "arguments": {"a": "x <é", "n": 5}}]',
    "mistral_v11": '[TOOL_CALLS]f[ARGS]{"a": "x <é", "n": 5}',
    "glm": "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x <é</arg_value>\n<arg_key>n</arg_key>\n<arg_value>5</arg_value>\n</tool_call>",
    "kimi_k2": '<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": "x <é", "n": 5}'
               "<|tool_call_end|><|tool_calls_section_end|>",
    "minimax_m2": '<minimax:tool_call>\n<invoke name="f">\n<parameter name="a">x <é</parameter>\n<parameter name="n">5</parameter>\n'
                  "</invoke>\n</minimax:tool_call>",
    "inkling": '<|message_model|>f<|content_invoke_tool_json|>{"name":"f","args":{"a":"x <é","n":5}}<|end_message|>',
    "step3p5": "<tool_call>\n<function=f>\n<parameter=a>\nx <é\n</parameter>\n<parameter=n>\n5\n</parameter>\n</function>\n</tool_call>",
    "gemma4": '<|tool_call>call:f{a:<|"|>x <é<|"|>,n:5}<tool_call|>',
    "harmony": '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": "x <é", "n": 5}<|call|>',
}
EXPECTED = [("f", {"a": "x <é", "n": 5})]
REASONING = "Let me think: is 1 < 2?"
