// The options of a JSON Schema as controls. What is left at "default" is decided by the profile.
import type { JSONSchemaOptions } from "weir";
import { CHOICES, SWITCHES } from "./declared.js";
import { element, fill, make } from "./dom.js";

const PROFILE: (typeof CHOICES)[number] = ["profile", "Profile", ["exact", "serving"], "serving: the forms that models write and clients read well"];
// A pattern of blanks has no control.
const offered = (words: readonly string[]) => words.filter((word) => word !== "pattern").map((word) => [word, word] as const);

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
    for (const [key, label, values, title] of [PROFILE, ...CHOICES]) add(key, label, offered(values), title);
    for (const [key, label, title] of SWITCHES) add(key, label, [["yes", "yes"], ["no", "no"]], title);
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
