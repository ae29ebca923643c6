"""The training texts of the small model: JSON Schemas of the kinds that people write, each with a valid document.

    prompt      <|schema|>{"type":"object",...}<|json|>
    or          <|text|>customer: Ada Brown ...<|schema|>{...}<|json|>, if the document has the content of the text
    answer      {"customer": "Ada Brown", ...}<|end|>

The texts are generated from word lists and a seed, so they are free to use and reproducible.
"""

import dataclasses
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from train_default_tokenizer import ADJECTIVES, CITIES, FIRST_NAMES, LAST_NAMES, NOUNS, VERBS  # noqa: E402

SPECIAL_TOKENS = ["<|end|>", "<|text|>", "<|schema|>", "<|json|>"]

COUNTRIES = """Brazil Canada Chile Egypt France Germany India Italy Japan Kenya Mexico Norway Poland Spain Sweden
Turkey""".split()
STREETS = "Bridge Church Garden High Hill Lake Main Market Mill North Oak Park River School Station Union".split()
PRODUCTS = """bag book bowl cable chair clock cup desk fan hat key lamp mirror mouse pen phone pillow plate rug shirt
shoe table""".split()
ENUMS = {
    "status": "active inactive pending closed open draft archived cancelled shipped paid done failed".split(),
    "priority": "low medium high urgent critical normal".split(),
    "currency": "USD EUR GBP JPY CHF SEK INR BRL".split(),
    "color": "red green blue black white yellow orange grey purple".split(),
    "size": "XS S M L XL small medium large".split(),
    "role": "admin editor viewer owner guest member".split(),
    "language": "en de fr es it pt ja ko".split(),
    "unit": "kg g lb m cm km mile litre celsius fahrenheit".split(),
    "level": "debug info warning error fatal trace".split(),
    "method": "GET POST PUT DELETE card cash transfer invoice".split(),
    "weekday": "monday tuesday wednesday thursday friday saturday sunday".split(),
    "sentiment": "positive negative neutral mixed".split(),
    "gender": "female male other unknown".split(),
    "plan": "free basic pro team enterprise trial".split(),
    "type": "user order event invoice message task note file".split(),
}


@dataclasses.dataclass
class Field:
    """A property: its subschema and a value."""

    schema: dict
    value: object


@dataclasses.dataclass
class Example:
    schema: dict
    value: object
    text: str | None

    def prompt(self):
        head = "" if self.text is None else f"<|text|>{self.text}"
        return f"{head}<|schema|>{json.dumps(self.schema, separators=(',', ':'))}<|json|>"

    def answer(self):
        return f"{json.dumps(self.value)}<|end|>"


class Examples:
    """An endless sequence of examples, determined by the seed."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    # ---- Values of strings ----

    def first_name(self):
        return self.rng.choice(FIRST_NAMES)

    def last_name(self):
        name = self.rng.choice(LAST_NAMES)
        return name if name.isascii() else "Lopez"

    def city(self):
        name = self.rng.choice(CITIES)
        return name if name.isascii() else "Vienna"

    def date(self):
        return f"{self.rng.randrange(2015, 2031)}-{self.rng.randrange(1, 13):02}-{self.rng.randrange(1, 29):02}"

    def time(self):
        return f"{self.rng.randrange(24):02}:{self.rng.choice([0, 15, 30, 45]):02}:00Z"

    def words(self, low, high):
        pools = [ADJECTIVES, NOUNS, VERBS]
        return " ".join(self.rng.choice(self.rng.choice(pools)) for _ in range(self.rng.randint(low, high)))

    def sentence(self):
        rng = self.rng
        return rng.choice([
            f"The {rng.choice(ADJECTIVES)} {rng.choice(NOUNS)} and the {rng.choice(NOUNS)}.",
            f"Please {rng.choice(VERBS)} the {rng.choice(NOUNS)}.",
            f"{rng.choice(VERBS).capitalize()} the {rng.choice(ADJECTIVES)} {rng.choice(NOUNS)} in {self.city()}.",
        ])

    # ---- Fields ----

    def string_field(self, value, **keywords):
        return Field({"type": "string", **keywords}, value)

    def length_field(self):
        low = self.rng.choice([1, 2, 3])
        high = self.rng.choice([20, 30, 40])
        return self.string_field(self.words(1, 2)[:high], minLength=low, maxLength=high)

    def pattern_field(self):
        rng = self.rng
        letters, digits = rng.choice([1, 2, 3]), rng.choice([2, 3, 4, 5])
        a = "".join(rng.choice("ABCDEFGHKLMNPRSTUX") for _ in range(letters))
        d = "".join(rng.choice("0123456789") for _ in range(digits))
        return rng.choice([
            self.string_field(f"{a}-{d}", pattern=f"^[A-Z]{{{letters}}}-[0-9]{{{digits}}}$"),
            self.string_field(d, pattern=f"^[0-9]{{{digits}}}$"),
            self.string_field(f"{a}{d}", pattern=f"^[A-Z]{{{letters}}}[0-9]{{{digits}}}$"),
        ])

    def email_field(self):
        host = self.rng.choice(["example.com", "example.org", "mail.example.net"])
        return self.string_field(f"{self.first_name().lower()}.{self.last_name().lower()}@{host}", format="email")

    def uri_field(self):
        path = f"{self.rng.choice(NOUNS)}/{self.rng.randrange(100)}"
        return self.string_field(f"https://example.com/{path}", format="uri")

    def enum_field(self, values=None):
        rng = self.rng
        values = values or rng.choice([*ENUMS.values(), NOUNS, ADJECTIVES])
        chosen = rng.sample(values, rng.randint(2, min(5, len(values))))
        schema = {"enum": chosen} if rng.random() < 0.3 else {"type": "string", "enum": chosen}
        return Field(schema, rng.choice(chosen))

    def integer_field(self, low=None, high=None):
        rng = self.rng
        if low is None:
            low = rng.choice([0, 0, 1, 1, 1, 5, 10, 18, 100, -20])
            high = low + rng.choice([4, 9, 20, 50, 90, 400, 900])
        schema, value = {"type": "integer"}, rng.randint(low, high)
        bounds = rng.random()
        if bounds < 0.8:
            schema["minimum"] = low
        if bounds < 0.6:
            schema["maximum"] = high
        return Field(schema, value)

    def number_field(self, high=None):
        rng = self.rng
        high = high or rng.choice([1, 10, 100, 500, 1000])
        value = round(rng.uniform(0, high), rng.choice([1, 2, 2]))
        schema = {"type": "number"}
        bounds = rng.random()
        if bounds < 0.7:
            schema["minimum"] = 0
        if bounds < 0.4:
            schema["maximum"] = high
        return Field(schema, value)

    def boolean_field(self):
        return Field({"type": "boolean"}, self.rng.random() < 0.5)

    def const_field(self):
        value = self.rng.choice(NOUNS)
        return Field({"const": value}, value)

    def array_field(self):
        """Returns an array of short values of one kind."""
        rng = self.rng
        low = rng.choice([0, 1, 1, 2])
        high = low + rng.choice([1, 2, 3])
        count = rng.randint(max(low, 1), high)
        kind = rng.randrange(3)
        if kind == 0:
            items = self.enum_field()
            values = [rng.choice(items.schema["enum"]) for _ in range(count)]
        elif kind == 1:
            items = Field({"type": "string"}, "")
            values = [self.words(1, 1) for _ in range(count)]
        else:
            items = Field({"type": "integer", "minimum": 0, "maximum": 100}, 0)
            values = [rng.randint(0, 100) for _ in range(count)]
        schema = {"type": "array", "items": items.schema}
        if low > 0:
            schema["minItems"] = low
        if rng.random() < 0.7:
            schema["maxItems"] = high
        return Field(schema, values)

    def nullable(self, field):
        if "type" not in field.schema or "enum" in field.schema:
            return field
        value = None if self.rng.random() < 0.4 else field.value
        return Field({**field.schema, "type": [field.schema["type"], "null"]}, value)

    def named_field(self):
        """Returns a property whose name describes its value."""
        rng = self.rng
        person = f"{self.first_name()} {self.last_name()}"
        name, make = rng.choice([
            (["name", "full_name", "customer", "author", "owner", "assignee", "fullName", "patient", "contact"],
             lambda: self.string_field(person)),
            (["first_name", "firstName"], lambda: self.string_field(self.first_name())),
            (["last_name", "lastName", "surname"], lambda: self.string_field(self.last_name())),
            (["city", "destination", "origin", "location", "birthplace"], lambda: self.string_field(self.city())),
            (["country", "nationality"], lambda: self.string_field(rng.choice(COUNTRIES))),
            (["street"], lambda: self.string_field(f"{rng.randrange(1, 200)} {rng.choice(STREETS)} Street")),
            (["zip", "postal_code", "code", "sku", "reference", "id", "order_id", "ticketId"], self.pattern_field),
            (["email", "contact_email", "e_mail"], self.email_field),
            (["url", "website", "link"], self.uri_field),
            (["age", "years"], lambda: self.integer_field(rng.choice([0, 1, 18, 21]), rng.choice([65, 99, 120]))),
            (["quantity", "count", "amount", "seats", "guests", "nights", "stock"],
             lambda: self.integer_field(rng.choice([0, 1, 1]), rng.choice([5, 10, 20, 50, 100]))),
            (["price", "total", "unit_price", "cost", "weight", "discount", "balance"], self.number_field),
            (["rating", "stars", "score"], lambda: self.integer_field(rng.choice([0, 1]), rng.choice([5, 10]))),
            (["confidence", "probability"], lambda: self.number_field(1)),
            (["active", "verified", "is_member", "enabled", "paid", "gift", "isPublic", "urgent", "subscribed"],
             self.boolean_field),
            (["date", "birth_date", "created", "due", "start_date", "endDate", "due_date", "departure"],
             lambda: self.string_field(self.date(), format="date")),
            (["time", "opens_at"], lambda: self.string_field(self.time(), format="time")),
            (["created_at", "timestamp", "updatedAt", "when"],
             lambda: self.string_field(f"{self.date()}T{self.time()}", format="date-time")),
            (["tags", "labels", "keywords", "skills", "scores", "sizes", "colors", "roles"], self.array_field),
            (["note", "comment", "description", "message", "summary", "reason"],
             lambda: self.string_field(self.sentence())),
            (["title", "subject", "product", "label"], lambda: self.string_field(self.words(1, 3))),
            (["nickname", "username", "display_name"], self.length_field),
            *[([key, f"{rng.choice(NOUNS)}_{key}"], lambda key=key: self.enum_field(ENUMS[key]))
              for key in rng.sample(sorted(ENUMS), 5)],
        ])
        return rng.choice(name), make()

    def any_field(self):
        """Returns a property whose name is meaningless, so that only the schema describes its value."""
        rng = self.rng
        words = [rng.choice(rng.choice([NOUNS, NOUNS, ADJECTIVES, VERBS])) for _ in range(rng.choice([1, 1, 2, 2]))]
        name = "_".join(words) if rng.random() < 0.6 else words[0] + "".join(word.capitalize() for word in words[1:])
        make = rng.choice([self.integer_field, self.number_field, self.boolean_field, self.enum_field, self.enum_field,
                           self.array_field, self.pattern_field, self.const_field, self.length_field,
                           lambda: self.string_field(self.words(1, 3)),
                           lambda: self.string_field(self.date(), format="date")])
        return name, make()

    # ---- Objects ----

    def members(self, count):
        fields = {}
        while len(fields) < count:
            name, field = self.named_field() if self.rng.random() < 0.55 else self.any_field()
            fields.setdefault(name, self.nullable(field) if self.rng.random() < 0.05 else field)
        return fields

    def object_of(self, fields, optional):
        """Returns an object with these fields; each is optional with probability `optional`."""
        rng = self.rng
        required = [name for name in fields if rng.random() >= optional]
        value = {name: field.value for name, field in fields.items() if name in required or rng.random() < 0.5}
        schema = {"type": "object", "properties": {name: field.schema for name, field in fields.items()}}
        if required:
            schema["required"] = required
        if rng.random() < 0.7:
            schema["additionalProperties"] = False
        return Field(schema, value)

    def record(self):
        """Returns some fields, sometimes with an object or a list of objects among them."""
        rng = self.rng
        optional = rng.choice([0, 0, 0.3])
        fields = self.members(rng.randint(2, 6))
        if rng.random() < 0.35:
            inner = self.object_of(self.members(rng.randint(1, 3)), rng.choice([0, 0, 0.3]))
            inner.schema.pop("additionalProperties", None)
            name = rng.choice(["address", "customer_info", "details", "settings", "location", "profile", "meta",
                               rng.choice(NOUNS)])
            if rng.random() < 0.4:
                inner = self.list_of(inner)
                name = rng.choice(["items", "lines", "entries", "products", "events", rng.choice(NOUNS) + "s"])
            fields[name] = inner
            if rng.random() < 0.5:
                order = list(fields)
                rng.shuffle(order)
                fields = {key: fields[key] for key in order}
        return self.object_of(fields, optional)

    def list_of(self, item):
        """Returns an array of objects of the form of `item`, which is the first of them."""
        low = self.rng.choice([1, 1, 2])
        schema = {"type": "array", "items": item.schema, "minItems": low}
        if self.rng.random() < 0.5:
            schema["maxItems"] = low + self.rng.choice([1, 2])
        others = [self.like(item) for _ in range(low - 1 + (self.rng.random() < 0.3 and "maxItems" in schema))]
        return Field(schema, [item.value, *others])

    def like(self, item):
        """Returns a copy of `item` with other booleans and enumeration values. Other numbers and strings are kept,
        because the model could only guess them."""
        value = dict(item.value)
        for name in value:
            subschema = item.schema["properties"][name]
            if "enum" in subschema:
                value[name] = self.rng.choice(subschema["enum"])
            elif subschema.get("type") == "boolean":
                value[name] = self.rng.random() < 0.5
        return value

    def tool_calls(self):
        """Returns a schema of several tool calls, and a value that is one of them, with its arguments."""
        rng = self.rng
        alternatives = []
        for _ in range(rng.randint(2, 3)):
            name = f"{rng.choice(VERBS)}_{rng.choice([*NOUNS, *PRODUCTS])}"
            arguments = self.object_of(self.members(rng.randint(1, 3)), 0)
            arguments.schema.pop("additionalProperties", None)
            alternatives.append(Field(
                {"type": "object", "properties": {"name": {"const": name}, "arguments": arguments.schema},
                 "required": ["name", "arguments"]},
                {"name": name, "arguments": arguments.value}))
        return Field({"anyOf": [field.schema for field in alternatives]}, rng.choice(alternatives).value)

    # ---- Examples ----

    def lines_of(self, value):
        """Returns a text with the content of the object and one or two lines about something else."""
        rng = self.rng
        separator = rng.choice([": ", ": ", " = ", " - "])
        facts = list(value.items())
        if rng.random() < 0.5:
            name, field = self.any_field()
            if name not in value:
                facts.append((name, field.value))
        rng.shuffle(facts)
        lines = []
        for name, fact in facts:
            shown = ", ".join(map(str, fact)) if isinstance(fact, list) else \
                fact if isinstance(fact, str) else json.dumps(fact)
            lines.append(f"{name.replace('_', ' ')}{separator}{shown}")
        return "\n".join(lines)

    def __iter__(self):
        return self

    def __next__(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.3:
            field = self.object_of(self.members(rng.randint(2, 6)), 0)
            return Example(field.schema, field.value, self.lines_of(field.value))
        field = self.tool_calls() if kind < 0.42 else self.record()
        return Example(field.schema, field.value, None)
