// The options of a JSON Schema as controls. What is left at "default" is decided by the profile.
import type { JSONSchemaOptions } from "weir";
import { element, fill, make } from "./dom.js";

const CHOICES: readonly [keyof JSONSchemaOptions, string, readonly string[], string][] = [
  ["profile", "Profile", ["exact", "serving"], "serving: the forms that models write and clients read well"],
  ["whitespace", "Whitespace", ["bounded", "none", "compact", "indented", "unbounded"], "compact: as Python's json.dumps writes"],
  ["order", "Members", ["any", "declared"], "the order of an object's members"],
  ["formats", "Formats", ["assert", "annotate"], "whether `format` restricts strings"],
  ["unknownFormats", "Unknown formats", ["warn", "refuse"], ""],
  ["escapes", "Escapes", ["all", "short", "required"], "in strings"],
  ["integers", "Integers", ["any", "plain"], "plain: without fraction and exponent"],
  ["numbers", "Numbers", ["any", "double"], "double: what a double holds"],
];
const SWITCHES: readonly [keyof JSONSchemaOptions, string][] = [
  ["exponents", "exponents"],
  ["leadingWhitespace", "blanks before"],
  ["trailingWhitespace", "blanks after"],
  ["loneSurrogates", "lone surrogates"],
];

export class Options {
  #values: Record<string, unknown> = {};
  readonly #controls = new Map<string, HTMLSelectElement>();

  constructor(onChange: () => void) {
    const add = (key: string, label: string, values: readonly (readonly [string, string])[], title: string) => {
      const select = make("select", { "data-option": key, title }) as HTMLSelectElement;
      fill(select, key === "profile" ? values : [["", "default"], ...values]);
      select.addEventListener("change", () => {
        const { [key]: _, ...rest } = this.#values;
        const value = select.value === "yes" ? true : select.value === "no" ? false : select.value;
        this.#values = select.value === "" ? rest : { ...rest, [key]: value };
        this.#count();
        onChange();
      });
      this.#controls.set(key, select);
      element(key === "profile" ? "profile" : "options").append(make("label", { title }, `${label} `, select));
    };
    for (const [key, label, values, title] of CHOICES) add(key, label, values.map((value) => [value, value]), title);
    for (const [key, label] of SWITCHES) add(key, label[0]!.toUpperCase() + label.slice(1), [["yes", "yes"], ["no", "no"]], "");
  }

  #count(): void {
    const set = Object.keys(this.#values).filter((key) => key !== "profile").length;
    element("options-set").textContent = set === 0 ? "all at their defaults" : `${set} set`;
  }
  get values(): JSONSchemaOptions {
    return this.#values as JSONSchemaOptions;
  }
  set values(values: JSONSchemaOptions) {
    this.#values = { ...values };
    for (const [key, select] of this.#controls) {
      const value = this.#values[key];
      select.value = value === undefined ? (key === "profile" ? "exact" : "") : value === true ? "yes" : value === false ? "no" : String(value);
    }
    this.#count();
  }
}
