"""Values in the forms of arguments that nest: those of Command, MiniMax-M3 and Gemma 4. They know the public forms only."""

import html
import json

M3 = "]<]minimax[>["


def json_type(value):
    kinds = ((bool, "boolean"), (str, "string"), ((int, float), "number"), (list, "array"), (dict, "object"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")


def cohere(value, name=None):
    escaped = "" if name is None else html.escape(name, quote=False).replace('"', "&quot;")
    attribute = "" if name is None else f' name="{escaped}"'
    if isinstance(value, dict):
        kind, inside = "dict", "".join(cohere(member, key) for key, member in value.items())
    elif isinstance(value, list):
        kind, inside = "list", "".join(map(cohere, value))
    else:
        kind, inside = ("raw", value) if isinstance(value, str) else ("json", json.dumps(value))
    return f'<cofl:value{attribute} type="{kind}">{inside}</cofl:value>'


def minimax_m3(value):
    if isinstance(value, dict):
        return "".join(f"{M3}<{key}>{minimax_m3(member)}{M3}</{key}>" for key, member in value.items())
    if isinstance(value, list):
        return "".join(f"{M3}<item>{minimax_m3(item)}{M3}</item>" for item in value)
    return value if isinstance(value, str) else json.dumps(value)


def gemma(value, quote='<|"|>'):
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].lower())
        return "{" + ",".join(f"{key}:{gemma(member, quote)}" for key, member in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(gemma(item, quote) for item in value) + "]"
    return f"{quote}{value}{quote}" if isinstance(value, str) else json.dumps(value)
