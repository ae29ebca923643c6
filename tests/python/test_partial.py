"""weir.partial: JSON that is still being written, as an object that grows."""

import asyncio
import json
import random
from types import SimpleNamespace

import pytest

from weir.partial import PartialReader, async_values, text_of, values

TEXTS = ['{"a": "x\\"y\\n", "b": [1, -2.5e3, true, null, {"c": []}], "": {}}', '"\\ud83d\\ude00 \\u00e9 \\ud83d x"', " [ ] ", "{}",
         "12", "[[[]], [\"\", \"a\"]]", '{"k": {"k": {"k": "v"}}}', "true ", '{"a":1,"a":2}']


def read(pieces, model=None):
    reader = PartialReader(model)
    for piece in pieces:
        reader.feed(piece)
    reader.end()
    return reader


@pytest.mark.parametrize("text", TEXTS)
def test_the_whole_value_however_it_is_cut(text):
    cuts = random.Random(text)
    for _ in range(20):
        places = sorted(cuts.sample(range(len(text) + 1), min(3, len(text))))
        reader = read([text[i:j] for i, j in zip([0, *places], [*places, len(text)])])
        assert reader.is_complete and reader.value == reader.result() == json.loads(text)
    assert read(text).value == json.loads(text)


def begins(part, whole):
    """Returns True if `whole` may be what becomes of `part`."""
    if isinstance(part, str):
        return isinstance(whole, str) and whole.startswith(part)
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and begins(part[key], whole[key]) for key in part)
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) <= len(whole) and all(map(begins, part, whole))
    return part == whole


@pytest.mark.parametrize("text", TEXTS[:-1])
def test_each_prefix_is_the_beginning_of_the_whole(text):
    seen = 0
    for end in range(len(text) + 1):
        reader = PartialReader()
        if not reader.feed(text[:end]):
            continue
        assert begins(reader.value, json.loads(text)), (text[:end], reader.value)
        assert len(json.dumps(reader.value)) >= seen
        seen = len(json.dumps(reader.value))


def test_the_object_grows():
    reader = PartialReader()
    assert reader.feed("  ") is False
    assert reader.feed('{"name": "An') is True
    first = reader.value
    assert first == {"name": "An"}
    reader.feed('na", "age": 3')
    assert first is reader.value and first == {"name": "Anna"}  # 3 may become 30
    reader.feed("0, ")
    assert first == {"name": "Anna", "age": 30}
    with pytest.raises(ValueError, match="not complete"):
        reader.result()


@pytest.mark.parametrize(("text", "place", "expected"), [
    ('{"a" 1}', 5, "`:`"), ("[1 2]", 3, "`,` or the end"), ("{1", 1, "a key"), ("[1,]", 3, "a value"), ("[tru]", 4, "`tru`"),
    ('"\n', 1, "a character of a string"), ('"\\x', 2, "an escape"), ('"\\u00g', 5, "a hexadecimal digit"), ("{} x", 3, "nothing more"),
    ("[01]", 3, "`01`"), ("{]", 1, "a key"), ("[}", 1, "a value"), ('{"a":1]', 6, "`,` or the end"), ("[NaN]", 4, "`NaN`")])
def test_what_is_no_json(text, place, expected):
    for pieces in ([text], text):
        with pytest.raises(ValueError, match=f"not JSON at character {place}: .*{expected}"):
            read(pieces)


def chunk(text, **more):
    return SimpleNamespace(choices=[SimpleNamespace(index=0, delta=SimpleNamespace(content=text), **more)])


def test_chunks_of_clients():
    assert text_of(chunk("a")) == "a" and text_of(chunk(None)) == ""
    assert text_of(SimpleNamespace(choices=[])) == "" and text_of({"choices": [{"index": 0, "delta": {"content": "b"}}]}) == "b"
    assert text_of({"choices": [{"index": 0, "text": "c"}]}) == "c"
    assert text_of({"choices": [{"index": 1, "delta": {"content": "another choice"}}]}) == ""
    assert text_of(SimpleNamespace(type="response.output_text.delta", delta="d")) == "d"
    assert text_of(SimpleNamespace(type="response.created")) == ""
    stream = [chunk('{"a": '), chunk(None), chunk('"x'), chunk('y"}')]
    assert [json.dumps(value) for value in values(iter(stream))] == ['{}', '{"a": "x"}', '{"a": "xy"}', '{"a": "xy"}']

    async def collect():
        async def chunks():
            for each in stream:
                yield each

        return [json.dumps(value) async for value in async_values(chunks())]

    assert asyncio.run(collect())[-1] == '{"a": "xy"}'


pydantic = pytest.importorskip("pydantic")


def test_models():
    import datetime
    import typing

    class Item(pydantic.BaseModel):
        title: str
        price: float | None = None

    class Order(pydantic.BaseModel):
        number: int
        at: datetime.date
        colour: typing.Literal["red", "green"]
        items: list[Item]
        notes: dict[str, str] = {}
        by: typing.Annotated[str, pydantic.Field(alias="from")]
        any_of: Item | list[int] | None = None

    text = ('{"number": "7", "at": "2026-01-02", "colour": "red", "items": [{"title": "Pen", "price": 1}, {"title": "Ink"}], '
            '"notes": {"x": "yes"}, "from": "me", "any_of": [1, 2], "more": 1}')
    seen = []
    for order in values(text, Order):
        assert isinstance(order, Order)
        seen.append((order.at, order.colour, order.by, [item.title for item in order.items or []]))
    assert order == Order.model_validate_json(text)  # the last one
    growing = sorted(set(map(repr, seen)), key=list(map(repr, seen)).index)
    assert growing[0] == "(None, None, None, [])"
    assert "(datetime.date(2026, 1, 2), None, None, [])" in growing  # a date comes when it is whole, and so does a colour
    assert "(datetime.date(2026, 1, 2), 'red', None, ['Pe'])" in growing
    assert "(datetime.date(2026, 1, 2), 'red', 'm', ['Pen', 'Ink'])" in growing

    reader = PartialReader(Order)
    reader.feed('{"number": 7, "items": [{"title": "P')
    assert reader.value.model_fields_set == {"number", "items"}
    assert reader.value.items[0].model_fields_set == {"title"} and reader.value.items[0].price is None
    with pytest.raises(pydantic.ValidationError):
        list(values('{"number": "seven"}', Order))
    assert [type(value) for value in values("[1, 2]", list[int])][-1] is list


def test_a_type_that_contains_itself():
    endless = []
    endless.append(endless)
    by_key = {}
    by_key["a"] = by_key
    for wrong in (endless, by_key, (endless,)):
        with pytest.raises(TypeError, match="`model` must be a pydantic model or another type, not"):
            PartialReader(wrong)


@pytest.mark.parametrize("wrong", [b'{"a": 1}', 5, ["{"], {"message": {"content": "{}"}}, object()])
def test_what_is_no_chunk_is_not_taken_for_an_empty_one(wrong):
    with pytest.raises(TypeError, match="must be a str or a chunk of OpenAI's clients, not"):
        list(values([wrong]))
    with pytest.raises(TypeError, match="`text` must be a str, not"):
        PartialReader().feed(wrong)
    assert text_of(None) == "" and text_of({"choices": None, "usage": {}}) == ""
    assert text_of({"choices": [{"index": 0, "message": {"content": "{}"}}]}) == "{}"


@pytest.mark.parametrize("wrong", [5, {"type": "object"}, "Profile", SimpleNamespace(a=1)])
def test_what_is_no_model_is_refused_at_once(wrong):
    with pytest.raises(TypeError, match="`model` must be a pydantic model or another type, not"):
        PartialReader(wrong)


def test_deep_texts_and_long_numbers():
    *_, deep = values(["[" * 20_000, "]" * 20_000])
    for _ in range(19_999):
        deep, = deep
    assert deep == []
    *_, value = values(['{"a": [-' + "9" * 5_000 + "], ", '"b": 1}'])
    assert str(value["a"][0]) == "-" + "9" * 5_000 and value["b"] == 1


def test_nothing_is_read_after_the_end():
    reader = PartialReader()
    reader.feed('{"a": 1')
    reader.end()
    for more in ("}", ""):
        with pytest.raises(ValueError, match="the text has ended"):
            reader.feed(more)
    assert not reader.is_complete and reader.value == {}


def test_models_of_every_kind():
    import typing

    class Names(pydantic.RootModel[dict[str, int]]):
        pass

    class Base(pydantic.BaseModel):
        first: str
        last: str = "?"
        _seen: int = pydantic.PrivateAttr(default=3)

        def model_post_init(self, context):
            self._seen = len(self.first) + len(self.last)

    class All(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(populate_by_name=True)
        names: Names
        base: Base = pydantic.Field(validation_alias=pydantic.AliasChoices("a", "b"))
        either: dict[str, int] | typing.Literal["none"] = "none"
        word: typing.Literal["a", "b"] = pydantic.Field("a", alias="w")

    text = '{"names": {"x": 1, "y": 2}, "b": {"first": "Al", "last": "B"}, "either": {"z": 1}, "word": "b", "model_dump": 1}'
    seen = [repr(value) for value in values(text, All)]
    assert repr(All.model_validate_json(text)) == seen[-1]
    assert "All(names={'x': 1}, base=None, either='none', word='a')" in seen
    assert "All(names={'x': 1, 'y': 2}, base=Base(first='A', last='?'), either='none', word='a')" in seen
    reader = PartialReader(All)
    reader.feed(text[:-1])
    assert reader.value.word == "b" and reader.value.base._seen == 3 and callable(reader.value.model_dump)

    class Open(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(extra="allow")
        a: int = 0

    reader = PartialReader(Open)
    reader.feed('{"b": [1, {"c": "x')
    assert reader.value.model_extra == {"b": [1, {"c": "x"}]}
    with pytest.raises(pydantic.ValidationError):  # an object where none is allowed
        list(values('{"names": {}, "b": {"first": ""}, "w": {"x": [1]}}', All))
    assert list(values("[1, 2]", list[typing.Annotated[int, pydantic.Field(ge=1)]]))[-1] == [1, 2]


def test_a_long_string_in_one_byte_pieces():
    # 20,000 pieces: what is read is counted, so that a reader that begins anew for each piece fails.
    looked_at = 0

    class Counting(PartialReader):
        def _string(self, text, at):
            nonlocal looked_at
            looked_at += 1
            return super()._string(text, at)

    reader = Counting()
    reader.feed('{"a": "')
    for _ in range(20_000):
        reader.feed("x")
    assert len(reader.value["a"]) == 20_000 and looked_at <= 20_002
