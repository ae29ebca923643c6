// The panel of tokens: how many may come next, of which kinds, a search, and why a token may not come.
import { element, inline, make, whenQuiet } from "./dom.js";
import type { GroupName, Inspection, TokenView, Why } from "./engine/protocol.js";

export interface InspectorCommands {
  /** The search or the kind changed. */
  onFilter(): void;
  insert(token: TokenView): void;
  why(token: TokenView): void;
}

export class Inspector {
  readonly #search = element<HTMLInputElement>("search");
  readonly #list = element("token-list");
  readonly #why = element("why");
  group: GroupName | "" = "";

  constructor(private readonly commands: InspectorCommands) {
    this.#search.addEventListener("input", whenQuiet(120, () => commands.onFilter()));
    this.#list.addEventListener("keydown", (event) => this.#move(event));
  }

  get search(): string {
    return this.#search.value;
  }

  /** Arrow keys, Home and End move within the list, which is one stop of the Tab key. */
  #move(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const buttons = [...this.#list.querySelectorAll<HTMLButtonElement>("button")];
    const next = event.key === "Home" ? buttons[0] : event.key === "End" ? buttons.at(-1) : step && buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step];
    if (!next) return;
    event.preventDefault();
    for (const button of buttons) button.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  clear(message: string): void {
    this.#keepFocus(() => this.#clear(message));
  }
  #clear(message: string): void {
    element("inspector-count").textContent = "";
    element("groups").replaceChildren();
    this.#list.replaceChildren(make("p", { class: "none" }, message));
    this.#why.replaceChildren();
  }

  /** Runs `change`, which makes the list anew. If the focus was in the list, it is there afterwards. */
  #keepFocus(change: () => void): void {
    const hadFocus = this.#list.contains(document.activeElement);
    change();
    if (!hadFocus) return;
    this.#list.tabIndex = -1;
    (this.#list.querySelector<HTMLElement>('button[tabindex="0"]') ?? this.#list).focus();
  }

  /** Shows the tokens at a place. `where` names it. */
  show(found: Inspection, where: string): void {
    this.#keepFocus(() => this.#show(found, where));
  }
  #show(found: Inspection, where: string): void {
    const share = found.allowed === found.vocabSize ? "all" : `${found.allowed.toLocaleString("en")} of ${found.vocabSize.toLocaleString("en")}`;
    const matching = this.search === "" ? "" : `${found.matching.toLocaleString("en")} with “${this.search}”, `;
    element("inspector-count").textContent = `${matching}${share} ${where}`;
    this.#why.replaceChildren();
    const chips = found.groups.map(({ name, count }) => make("button", {
      class: "chip", "aria-pressed": String(this.group === name),
      click: () => {
        this.group = this.group === name ? "" : name;
        this.commands.onFilter();
      },
    }, `${name} `, make("b", {}, count.toLocaleString("en"))));
    // A kind that has no tokens here can only be taken off.
    if (this.group !== "" && !found.groups.some(({ name }) => name === this.group)) {
      chips.push(make("button", { class: "chip", "aria-pressed": "true", click: () => { this.group = ""; this.commands.onFilter(); } }, `${this.group} `, make("b", {}, "0")));
    }
    element("groups").replaceChildren(...chips);
    const items: HTMLElement[] = [...found.tokens, ...found.notAllowed].map((token) => {
      const label = `${token.shown}, token ${token.id}, ${token.allowed ? "allowed" : "not allowed"}`;
      const act = () => (token.allowed && token.text !== undefined ? this.commands.insert(token) : this.commands.why(token));
      return make("span", { role: "listitem" }, make("button", { class: token.allowed ? "tok" : "tok no", tabindex: "-1", title: `#${token.id}`, "aria-label": label, click: act }, token.shown));
    });
    if (found.matching > found.tokens.length) items.splice(found.tokens.length, 0, make("span", { class: "more" }, `and ${(found.matching - found.tokens.length).toLocaleString("en")} more`));
    if (items.length === 0) {
      items.push(make("p", { class: "none" }, this.search ? `no token contains “${this.search}”` : found.allowed === 0 ? "no token can follow" : "no token of this kind can follow"));
    }
    this.#list.replaceChildren(...items);
    const first = this.#list.querySelector("button");
    if (first) first.tabIndex = 0;
  }

  explain({ shown, allowed, reason, bytesMatched, expected, id }: Why): void {
    const lines = [make("p", {}, make("code", {}, shown), ` (token ${id}) `, make("b", { class: allowed ? "yes" : "no" }, allowed ? "may come here" : "may not come here"), ...(reason && !allowed ? [": ", ...inline(reason)] : []))];
    if (!allowed) {
      const after = bytesMatched > 0 ? `After ${bytesMatched} of its bytes, ` : "";
      const terminals = expected.terminals.slice(0, 8).join(", ");
      lines.push(make("p", { class: "hint" }, `${after}expected: ${terminals || (expected.end ? "the end" : "nothing")}${expected.bytes.length > 0 ? ` · next ${expected.bytes.slice(0, 24).join(" ")}` : ""}`));
    }
    this.#why.replaceChildren(...lines);
  }
}
