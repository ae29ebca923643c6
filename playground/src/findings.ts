// Lists of errors and warnings, with the place, the hint and the fix.
import type { Diagnostic } from "weir";
import { inline, make } from "./dom.js";

function place(text: string, index: number): string {
  const before = text.slice(0, index);
  return `${before.split("\n").length}:${before.length - before.lastIndexOf("\n")}`;
}

export interface FindingActions {
  select(start: number, end: number): void;
  fix?(fix: NonNullable<Diagnostic["fix"]>): void;
}

/** Shows the findings about `text` in `list`; `none` is shown if there are none. */
export function showFindings(list: HTMLElement, findings: readonly Diagnostic[], text: string, actions: FindingActions, none = ""): void {
  list.replaceChildren(...findings.map((finding) => {
    const { severity, message, hint, range, fix, code } = finding;
    const hasPlace = range.end > range.start || (text !== "" && severity === "error");
    const head = make("p", {}, make("span", { class: "code" }, code === "refused" ? "refuses" : severity), " ", ...inline(message));
    const out = make("div", { class: `finding ${severity}` });
    if (hasPlace) out.append(make("button", { class: "place", "aria-label": `Go to ${place(text, range.start)}`, click: () => actions.select(range.start, range.end) }, place(text, range.start)));
    out.append(head);
    if (hint) head.append(make("span", { class: "hint" }, " ", ...inline(hint)));
    if (fix && actions.fix) out.append(make("button", { class: "fix", click: () => actions.fix!(fix) }, fix.replacement ? `Replace by ${fix.replacement.trim().slice(0, 30)}` : "Remove"));
    return out;
  }));
  if (findings.length === 0 && none) list.append(make("p", { class: "none" }, none));
}
