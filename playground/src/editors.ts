// The CodeMirror editors: sources with squiggles, read-only results, and the text with its colours and ghost.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Diagnostic as Squiggle, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers, placeholder, WidgetType } from "@codemirror/view";
import type { Diagnostic } from "weir";
import type { Analysis, Language } from "./engine/protocol.js";
import { highlighting } from "./languages.js";

const basics = (label: string): Extension => [
  history(),
  drawSelection(),
  highlightSpecialChars(),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
  keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
];

/** Replaces the text of an editor, as one step that can be undone. */
export function setText(view: EditorView, text: string): void {
  if (view.state.doc.toString() === text) return;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: text.length } });
}

/** An editor for what defines the texts. */
export class SourceEditor {
  readonly view: EditorView;
  readonly #language = new Compartment();

  /** @param onChange undefined: the text can only be read */
  constructor(parent: HTMLElement, label: string, onChange: (() => void) | undefined, whenEmpty = "") {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          basics(label), lineNumbers(), bracketMatching(), indentOnInput(), this.#language.of([]), whenEmpty ? placeholder(whenEmpty) : [],
          onChange ? [highlightActiveLine(), EditorView.updateListener.of((update) => update.docChanged && onChange())]
            : [EditorState.readOnly.of(true)],
        ],
      }),
    });
  }
  get text(): string {
    return this.view.state.doc.toString();
  }
  set text(text: string) {
    setText(this.view, text);
  }
  set language(language: Language) {
    this.view.dispatch({ effects: this.#language.reconfigure(highlighting(language)) });
  }

  /** Shows findings at their places, with their fixes. */
  show(findings: readonly Diagnostic[]): void {
    const { doc } = this.view.state;
    const clamp = (at: number) => Math.min(at, doc.length);
    const squiggles = findings.map(({ range, severity, message, hint, fix }): Squiggle => ({
      from: clamp(range.start),
      // If a value has several lines, the first is marked.
      to: Math.min(clamp(Math.max(range.end, range.start)), doc.lineAt(clamp(range.start)).to),
      severity,
      message: hint ? `${message}\n${hint}` : message,
      actions: fix ? [{ name: `Replace by ${fix.replacement || "nothing"}`, apply: () => this.fix(fix) }] : [],
    }));
    this.view.dispatch(setDiagnostics(this.view.state, squiggles));
  }
  fix({ range, replacement }: NonNullable<Diagnostic["fix"]>): void {
    this.view.dispatch({ changes: { from: range.start, to: range.end, insert: replacement }, userEvent: "input.fix" });
    this.view.focus();
  }
  /** Puts the cursor at a range, and shows it. */
  select(start: number, end: number): void {
    this.view.dispatch({ selection: { anchor: start, head: Math.min(end, this.view.state.doc.length) }, scrollIntoView: true });
    this.view.focus();
  }
}

class Ghost extends WidgetType {
  constructor(readonly text: string) {
    super();
  }
  override eq(other: Ghost): boolean {
    return other.text === this.text;
  }
  toDOM(): HTMLElement {
    const out = document.createElement("span");
    out.className = "ghost";
    out.textContent = this.text;
    out.setAttribute("aria-hidden", "true");
    return out;
  }
}

/** What is shown about a text. */
interface Marks {
  analysis: Analysis;
  showTokens: boolean;
}
const setMarks = StateEffect.define<Marks | undefined>();

function decorate({ analysis, showTokens }: Marks, size: number): DecorationSet {
  const { verdict, viable, tokens, completion } = analysis;
  const marks: Range<Decoration>[] = [];
  const mark = (from: number, to: number, name: string) => {
    if (from < to && to <= size) marks.push(Decoration.mark({ class: name }).range(from, to));
  };
  mark(0, viable, verdict === "accepted" ? "is-accepted" : "is-viable");
  tokens.forEach(({ start, end, forced }, i) => {
    const name = [showTokens ? (i % 2 ? "token odd" : "token") : "", forced ? "forced" : ""].filter(Boolean).join(" ");
    if (name) mark(start, end, name);
  });
  if (verdict === "refused") {
    mark(viable, size, "is-refused");
    mark(viable, Math.min(viable + 1, size), "refused-here");
  } else if (completion) {
    marks.push(Decoration.widget({ widget: new Ghost(completion), side: 1 }).range(size));
  }
  return Decoration.set(marks, true);
}

const marksField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    // What has been found about an older text stays where it was until the new one is known, but the ghost goes at once.
    let out = transaction.docChanged ? marks.map(transaction.changes).update({ filter: (_f, _t, mark) => !(mark.spec.widget instanceof Ghost) }) : marks;
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) out = effect.value ? decorate(effect.value, transaction.state.doc.length) : Decoration.none;
    }
    return out;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface TextCommands {
  onChange(): void;
  onCursor(): void;
  step(): void;
  generate(): void;
  complete(): void;
}

/** The editor for the text, with a document for each tab. */
export class TextEditor {
  readonly view: EditorView;
  readonly #extensions: Extension;
  readonly #states = new Map<string, EditorState>();
  #tab = "";

  constructor(parent: HTMLElement, commands: TextCommands) {
    const command = (body: () => void) => () => {
      body();
      return true;
    };
    this.#extensions = [
      keymap.of([
        { key: "Alt-Enter", run: command(commands.step) },
        { key: "Mod-Enter", run: command(commands.generate) },
        { key: "Alt-End", run: command(commands.complete) },
      ]),
      basics("Text"), marksField, lineNumbers(), placeholder("Type a text, or let it be generated"),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) commands.onChange();
        if (update.docChanged || update.selectionSet) commands.onCursor();
      }),
    ];
    this.view = new EditorView({ parent });
  }
  /** Shows the document of a tab. */
  open(tab: string): void {
    if (this.#tab) this.#states.set(this.#tab, this.view.state);
    this.#tab = tab;
    this.view.setState(this.#states.get(tab) ?? EditorState.create({ extensions: this.#extensions }));
  }
  /** Returns the text of a tab. */
  textOf(tab: string): string {
    return tab === this.#tab ? this.text : this.#states.get(tab)?.doc.toString() ?? "";
  }
  setTextOf(tab: string, text: string): void {
    if (tab === this.#tab) this.text = text;
    else this.#states.set(tab, EditorState.create({ doc: text, extensions: this.#extensions, selection: { anchor: text.length } }));
  }
  get text(): string {
    return this.view.state.doc.toString();
  }
  set text(text: string) {
    setText(this.view, text);
  }
  get cursor(): number {
    return this.view.state.selection.main.head;
  }
  /** Replaces the selection. */
  insert(text: string): void {
    this.view.dispatch({ ...this.view.state.replaceSelection(text), scrollIntoView: true });
  }
  append(text: string): void {
    this.view.dispatch({ changes: { from: this.view.state.doc.length, insert: text }, selection: { anchor: this.view.state.doc.length + text.length }, scrollIntoView: true });
  }
  /** Shows what is known of the text; undefined: nothing. */
  mark(marks: Marks | undefined): void {
    this.view.dispatch({ effects: setMarks.of(marks) });
  }
}
