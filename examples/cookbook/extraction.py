"""Extraction: a text becomes an object of a pydantic model, never anything else."""

from __future__ import annotations

import datetime
import enum
from typing import Any

import pydantic

import weir
from decoding import generate
from models import SmallModel


class Currency(enum.Enum):
    CHF = "CHF"
    EUR = "EUR"
    GBP = "GBP"


class Invoice(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")

    number: str = pydantic.Field(pattern=r"^[A-Z]{3}-[0-9]{4}$")
    customer: str
    total: float = pydantic.Field(ge=0)
    currency: Currency
    due_date: datetime.date
    paid: bool


LETTERS = ["""\
customer = Elena Novak
number = INV-2041
due date = 2027-01-31
total = 1250.5
paid = false
currency = CHF""", """\
total: 48.2
due date: 2026-05-09
number: INV-7730
currency: EUR
paid: true
customer: Grace Okafor"""]


def without_titles(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns a schema for the prompt: without pydantic's titles, and with definitions in place of references to them."""
    definitions = schema.get("$defs", {})

    def plain(node: Any) -> Any:
        if isinstance(node, list):
            return [plain(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return plain(definitions[node["$ref"].removeprefix("#/$defs/")])
        named = node.get("properties", {})
        out = {key: plain(value) for key, value in node.items()
               if key not in ("title", "$defs", "description", "additionalProperties", "properties", "required")}
        if node.get("type") == "object":
            out |= {"properties": {key: plain(value) for key, value in named.items()},
                    "required": node.get("required", []), "additionalProperties": False}
        if "enum" in out:
            out.pop("type", None)
        return out
    result: dict[str, Any] = plain(schema)
    return result


def main() -> None:
    model = SmallModel()
    compiler = weir.GrammarCompiler(model.tokenizer_info)
    # Members as declared and one blank after separators: the form that the model was trained to write.
    compiled = compiler.compile_json_schema(Invoice, profile="serving", whitespace="compact")
    for letter in LETTERS:
        prompt = model.prompt(without_titles(Invoice.model_json_schema()), letter)
        text = generate(model, compiled, prompt, max_tokens=160)
        invoice = Invoice.model_validate_json(text)  # cannot fail: the grammar is the model's schema
        print(text)
        print(f"    {invoice.customer} owes {invoice.total:.2f} {invoice.currency.value} "
              f"until {invoice.due_date:%d %B %Y}" + (", paid" if invoice.paid else ""))


if __name__ == "__main__":
    main()
