// Small helpers for the document.

/** Returns the element with this id. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no element #${id}`);
  return found as T;
}

type Attributes = Record<string, string | boolean | ((event: Event) => void) | undefined>;

/** Creates an element. Functions are listeners, `true` and `false` say whether an attribute is there. */
export function make(tag: string, attributes: Attributes, ...children: (Node | string)[]): HTMLElement {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") out.addEventListener(name, value);
    else if (value === true) out.setAttribute(name, "");
    else if (value !== false && value !== undefined) out.setAttribute(name, value);
  }
  out.append(...children);
  return out;
}

/** Returns a message with what stands between backticks as code. */
export function inline(message: string): (Node | string)[] {
  return message.split(/`([^`]+)`/).map((part, i) => (i % 2 ? make("code", {}, part) : part));
}

/** Fills a select with options: [value, label]. */
export function fill(select: HTMLSelectElement, options: readonly (readonly [string, string])[]): void {
  select.replaceChildren(...options.map(([value, label]) => make("option", { value }, label)));
}

/** Returns a function that calls `body` once, when it has not been called for `milliseconds`. */
export function whenQuiet(milliseconds: number, body: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(body, milliseconds);
  };
}

let toastTimer = 0;
export function toast(message: string): void {
  const at = element("toast");
  at.textContent = message;
  at.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => at.classList.remove("shown"), 2600);
}
