// The page: connects the editors and panels with the engine in the Worker.
import type { Diagnostic, GrammarSyntax, ToolOptions } from "weir";
import { Client } from "./client.js";
import { element, fill, inline, make, toast, whenQuiet } from "./dom.js";
import { SourceEditor, TextEditor } from "./editors.js";
import { type Analysis, type Compiled, hasTables, isNamed, type Language, NAMED_LANGUAGES, type Source, type Stats, type Tokenizer, type TokenView } from "./engine/protocol.js";
import { showFindings } from "./findings.js";
import { EXAMPLES } from "./gallery.js";
import { Inspector } from "./inspector.js";
import { REGEX_DIALECTS } from "./declared.js";
import { LANGUAGE_NAMES, START_RULES } from "./languages.js";
import { Options } from "./options.js";
import { loadModel } from "./model-files.js";
import { fromFragment, toFragment } from "./permalink.js";
import { merged, type State, type Tab, TABS, type TextTab } from "./state.js";

/** The tokens that one call writes while a text is generated: few, so that one can watch and stop. */
const TOKENS_A_CALL = 2;
/** Only this beginning of a large GGUF file is read: the metadata with the tokenizer comes before the weights. */
const GGUF_HEAD = 64 << 20;
const CONVERT_TARGETS: readonly (readonly [GrammarSyntax | "regex", string])[] = [
  ["ebnf", "EBNF"], ["gbnf", "GBNF (llama.cpp)"], ["xgrammar", "EBNF of XGrammar"], ["kbnf", "KBNF"], ["lark", "Lark"], ["regex", "regular expression"],
];
const TITLES: Record<Tab, string> = { grammar: "Grammar", schema: "JSON Schema", tools: "Tools", convert: "Grammar" };

const client = new Client((isLong) => document.body.classList.toggle("busy", isLong));

// ---- What is shown ----------------------------------------------------------------------------------------------------

let tab: Tab = "grammar";
let detected: Language = "ebnf";
let tokenizer: Tokenizer | undefined;
let compiled: Compiled | undefined;
let analysis: Analysis | undefined;
/** The text that `analysis` is about. */
let analysedText = "";
let isGenerating = false;
/** Counts generations and what ends them: the result of a call that was made before is not written. */
let generation = 0;
/** The text as the last step left it: a step after it goes on with the same random numbers. */
let steppedText: string | undefined;
let seed = 1;

const select = (id: string) => element<HTMLSelectElement>(id);
const isChecked = (id: string) => element<HTMLInputElement>(id).checked;
const textTab = (): TextTab => (tab === "convert" ? "grammar" : tab);

/** The editors of the left side: those of the tabs, and those of languages by name, which need no grammar. */
type SourceName = TextTab | "tables" | "named";
const sources: Record<SourceName, SourceEditor> = {
  grammar: new SourceEditor(holder("grammar"), "Grammar", () => sourceChanged()),
  schema: new SourceEditor(holder("schema"), "JSON Schema", () => sourceChanged()),
  tools: new SourceEditor(holder("tools"), "Tools as OpenAI's JSON", () => sourceChanged()),
  tables: new SourceEditor(holder("tables"), "Tables", () => sourceChanged(), "Nothing is needed here. With CREATE TABLE statements, only their tables and columns may be written."),
  named: new SourceEditor(holder("named"), "Grammar", undefined, "Nothing is needed here: weir has the grammar of this language."),
};
sources.schema.language = sources.tools.language = "json_schema";
const tagView = new SourceEditor(element("tag-editor"), "Structural tag", undefined);
tagView.language = "structural_tag";
const convertView = new SourceEditor(element("convert-editor"), "Converted grammar", undefined);
const options = new Options(() => sourceChanged());
const textEditor = new TextEditor(element("text-editor"), {
  onChange: () => textChanged(),
  onCursor: () => cursorMoved(),
  step: () => void step(),
  generate: () => void generate(),
  complete: () => complete(),
});
const inspector = new Inspector({
  onFilter: () => void inspect(),
  insert: (token) => insertToken(token),
  why: (token) => void why(token),
});

function holder(name: SourceName): HTMLElement {
  const out = make("div", { class: "holder", "data-source": name });
  element("source-editor").append(out);
  return out;
}

function sourceName(): SourceName {
  const of = textTab();
  if (of !== "grammar" || !isNamed(language())) return of;
  return hasTables(language()) ? "tables" : "named";
}
const source = () => sources[sourceName()];
const isCanonical = () => isChecked("canonical") && !tokenizer?.canonicalProblem;

/** Errors of the engine are shown, not thrown: a limit that was met, bugs of the page, a stopped Worker. */
function report(error: unknown): void {
  const message = messageOf(error);
  if (message !== "stopped") toast(message);
}
const messageOf = (error: unknown) => (error as Error).message ?? String(error);

/** Shows that the text could not be analysed, in the place of what was known of the text before. */
function showFailure(error: unknown): void {
  const message = messageOf(error);
  if (message === "stopped") return;
  analysis = undefined;
  steppedText = undefined;
  textEditor.mark(undefined);
  if (tab === "schema" && compiled) sources.schema.show(compiled.findings);
  element("explanation").replaceChildren(make("p", { class: "failure" }, make("b", {}, "The text could not be checked: "), ...inline(message)));
  inspector.clear("");
  showVerdict();
  showCosts();
}

// ---- The source ---------------------------------------------------------------------------------------------------------

function language(): Language {
  const chosen = select("language").value as Language | "auto";
  return chosen === "auto" ? detected : chosen;
}

function grammarSource(): Source {
  const of = language();
  const { text } = source();
  return {
    language: of, text: isNamed(of) && text.trim() === "" ? "" : text,
    start: hasStart(of) ? element<HTMLInputElement>("start").value.trim() : "",
    regex: of === "regex" ? { dialect: select("dialect").value as "weir" } : undefined,
    schema: of === "json_schema" || of === "response_format" || of === "structural_tag" ? { profile: "serving" } : undefined,
  };
}

async function currentSource(): Promise<{ source: Source | undefined; findings: Diagnostic[] }> {
  if (tab === "schema") return { source: { language: "json_schema", text: sources.schema.text, schema: options.values }, findings: [] };
  if (tab === "tools") return toolsSource(select("tool-choice").value);
  if (select("language").value === "auto") {
    detected = await client.ask("detect", sources.grammar.text);
    showLanguage();
  }
  return { source: grammarSource(), findings: [] };
}

function toolOptions(toolChoice: string): ToolOptions {
  return { toolChoice, reasoning: select("reasoning").value as "none", parallelToolCalls: isChecked("parallel") };
}

async function toolsSource(toolChoice: string): Promise<{ source: Source | undefined; findings: Diagnostic[] }> {
  const { text, findings } = await client.ask("tag", select("style").value, sources.tools.text, toolOptions(toolChoice));
  return { source: text ? { language: "structural_tag", text, schema: { profile: "serving" } } : undefined, findings };
}

const hasStart = (of: Language) => ["ebnf", "gbnf", "xgrammar", "kbnf", "lark"].includes(of) || (isNamed(of) && START_RULES[of].length > 0);

function showLanguage(): void {
  const of = language();
  if (hasTables(of)) sources.tables.language = of;
  else if (!isNamed(of)) sources.grammar.language = of;
  select("language").options[0]!.textContent = `found: ${LANGUAGE_NAMES[detected]}`;
  element("dialect-field").hidden = of !== "regex";
  element("start-field").hidden = !hasStart(of);
  element<HTMLInputElement>("start").placeholder = of === "lark" || of === "kbnf" ? "start" : "root";
  element("starts").replaceChildren(...(isNamed(of) ? START_RULES[of] : []).map((value) => make("option", { value })));
  showSource();
}

/** Shows the editor of the open tab and the chosen language. */
function showSource(): void {
  const name = sourceName();
  element("source-title").textContent = name === "tables" ? "Tables" : TITLES[tab];
  for (const held of element("source-editor").children) (held as HTMLElement).hidden = (held as HTMLElement).dataset.source !== name;
}

/** The events that are shown. */
const MAX_EVENTS = 100;

let compilation = 0;
async function compile(): Promise<void> {
  const mine = ++compilation;
  try {
    const { source: given, findings } = await currentSource();
    if (mine !== compilation) return;
    if (tab === "convert") return await convert(given!, mine);
    if (tab === "tools") tagView.text = given?.text ?? "";
    const found = given ? await client.askLatest("compile", given) : { ok: false, findings, milliseconds: 0, stats: undefined };
    if (!found || mine !== compilation) return;
    compiled = found;
    steppedText = undefined;
    // The tag has the text of its tools, and findings about them have their places there.
    const isAboutSource = tab !== "tools" || !given || found.findings.every((finding) => finding.text === source().text);
    source().show(isAboutSource ? found.findings : []);
    showFindings(element("findings"), found.findings, isAboutSource ? source().text : "", isAboutSource ? sourceActions() : { select: () => undefined });
    showVerdict();
    if (found.ok) await analyse();
    else showNothing();
  } catch (error) {
    report(error);
  }
}

function sourceActions() {
  return { select: (start: number, end: number) => source().select(start, end), fix: (fix: NonNullable<Diagnostic["fix"]>) => source().fix(fix) };
}

async function convert(given: Source, mine: number): Promise<void> {
  const to = select("convert-to").value as GrammarSyntax | "regex";
  const { text, findings } = await client.ask("convert", given, to);
  if (mine !== compilation || tab !== "convert") return;
  convertView.language = to;
  convertView.text = text;
  // What the target cannot say is about the grammar, which a language by name has and the visitor did not write.
  const isAboutSource = !isNamed(given.language) || findings.some(({ code }) => code !== "unsupported");
  const shown = isAboutSource ? findings : findings.map((one) => ({ ...one, message: `${LANGUAGE_NAMES[given.language]} cannot be converted: ${one.message}` }));
  source().show(isAboutSource ? findings : []);
  showFindings(element("findings"), [], "", sourceActions());
  showFindings(element("convert-findings"), shown, isAboutSource ? given.text : "", sourceActions(), text ? "" : "nothing to convert");
}

/** The model knows how to write JSON for a schema, and nothing else. */
function offerModel(): void {
  const model = select("sampler").querySelector<HTMLOptionElement>("[value=model]")!;
  model.hidden = model.disabled = tab !== "schema" || options.values.notation === "yaml";
  if (model.disabled && model.selected) select("sampler").value = "readable";
}

const compileSoon = whenQuiet(120, () => void compile());
function sourceChanged(): void {
  endGeneration();
  offerModel();
  compileSoon();
}

/** No texts can be matched: the source has errors, or compiling was stopped. */
function showNothing(message = "Once the errors are mended, the text is checked here."): void {
  analysis = undefined;
  textEditor.mark(undefined);
  element("explanation").replaceChildren(make("p", { class: "none" }, message));
  inspector.clear("Once the errors are mended, the tokens are listed here.");
  showCosts();
}

// ---- The text -----------------------------------------------------------------------------------------------------------

const analyseSoon = whenQuiet(40, () => void analyse());
let analysedAt = 0;
function textChanged(): void {
  // While a text is written token by token it is never quiet.
  if (isGenerating && performance.now() - analysedAt > 250) void analyse();
  else analyseSoon();
}

async function analyse(): Promise<void> {
  if (!compiled?.ok || tab === "convert") return;
  analysedAt = performance.now();
  const { text } = textEditor;
  try {
    const found = await client.askLatest("analyse", text, isCanonical());
    if (!found || text !== textEditor.text) return;
    analysis = found;
    analysedText = text;
    textEditor.mark({ analysis, showTokens: isChecked("tokens") });
    showVerdict();
    showExplanation([]);
    showCosts();
    inspectSoon();
    if (tab === "tools") await showEvents(text);
    if (tab === "schema") {
      if (found.verdict === "refused" && !isGenerating) blame();
      else sources.schema.show(compiled.findings);
    }
  } catch (error) {
    if (text === textEditor.text) showFailure(error);
  }
}

/** Shows the events of a reply: what a parser of the same style and tools gives a client while the model writes. */
async function showEvents(text: string): Promise<void> {
  const events = await client.askLatest("read", select("style").value, sources.tools.text, toolOptions(select("tool-choice").value), text);
  if (!events || text !== textEditor.text || tab !== "tools") return;
  element("events").replaceChildren(...events.slice(0, MAX_EVENTS).map((event) => make("li", { class: `event-${event.kind}` },
    make("b", {}, event.kind.replaceAll("_", " ")), " ",
    "name" in event ? event.name : "text" in event ? make("code", {}, event.text) : "")),
  ...(events.length > MAX_EVENTS ? [make("li", { class: "none" }, `and ${events.length - MAX_EVENTS} more`)] : []));
}

/** Finding the keywords that refuse a text compiles many schemas, so it waits until the visitor does. */
const blame = whenQuiet(250, async () => {
  const text = analysedText;
  try {
    const found = await client.askLatest("refusedBy", text);
    if (found && text === analysedText && analysis?.verdict === "refused" && tab === "schema") {
      showExplanation(found);
      sources.schema.show([...(compiled?.findings ?? []), ...found.filter(({ range }) => range.end > range.start)]);
    }
  } catch (error) {
    report(error);
  }
});

function showVerdict(): void {
  const at = element("verdict");
  const word = !compiled?.ok ? "no grammar" : analysis?.verdict ?? "";
  at.textContent = word;
  at.className = `verdict ${!compiled?.ok ? "none" : word}`;
  element("text-panel").dataset.verdict = word;
  const canContinue = compiled?.ok === true && analysis?.verdict !== "refused";
  element<HTMLButtonElement>("step").disabled = element<HTMLButtonElement>("generate").disabled = !canContinue && !isGenerating;
  element<HTMLButtonElement>("complete").disabled = !canContinue || !analysis?.completion;
}

function lineColumn(text: string, index: number): string {
  const before = text.slice(0, index);
  return `line ${before.split("\n").length}, column ${[...before.slice(before.lastIndexOf("\n") + 1)].length + 1}`;
}

function showExplanation(refusedBy: readonly Diagnostic[]): void {
  if (!analysis) return;
  const { verdict, viable, expected, completion, tokenProblem } = analysis;
  const terminals = expected.terminals.slice(0, 8);
  if (expected.terminals.length > 8) terminals.push(`${expected.terminals.length - 8} more`);
  const out: HTMLElement[] = [];
  if (tokenProblem) out.push(make("p", {}, make("b", {}, "The tokens are refused: "), ...inline(tokenProblem)));
  else if (verdict === "refused") {
    const what = analysedText.slice(viable, viable + 1) === "\n" ? "the end of the line" : `“${[...analysedText.slice(viable)][0]}”`;
    out.push(make("p", {}, make("button", { class: "place", click: () => selectText(viable) }, lineColumn(analysedText, viable)), " ", make("b", {}, `${what} is refused`)));
  } else if (verdict === "accepted") out.push(make("p", {}, make("b", {}, "The text is in the language."), terminals.length > 0 ? " It may go on, too." : " Nothing else may follow."));
  else out.push(make("p", {}, make("b", {}, "Allowed so far."), completion === undefined ? " No short text completes it." : ""));
  if (terminals.length > 0) {
    out.push(make("p", { class: "expected" }, make("span", { class: "label" }, verdict === "refused" ? "expected instead" : "expected"),
      ...[...terminals, ...(expected.end ? ["the end"] : [])].map((name) => make("code", {}, name))));
  }
  if (expected.bytes.length > 0) out.push(make("p", { class: "expected" }, make("span", { class: "label" }, "next"), ...expected.bytes.slice(0, 32).map((range) => make("code", {}, range))));
  if (refusedBy.length > 0) {
    const list = make("div", { class: "refusals" });
    showFindings(list, refusedBy, sources.schema.text, { select: (start, end) => sources.schema.select(start, end) });
    out.push(list);
  }
  element("explanation").replaceChildren(...out);
}

function selectText(at: number): void {
  textEditor.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
  textEditor.view.focus();
}

// ---- Writing ------------------------------------------------------------------------------------------------------------

async function beginWriting(): Promise<boolean> {
  const { text } = textEditor;
  if (steppedText === text && text !== "") return true;
  const { problem } = await client.ask("begin", text, select("sampler").value as "readable", seed++, isCanonical());
  if (problem) toast(problem);
  return problem === "";
}

function continueWith(text: string): void {
  const { text: before } = textEditor;
  if (text.startsWith(before)) {
    if (text.length > before.length) textEditor.append(text.slice(before.length));
  } else textEditor.text = text;
  steppedText = text;
}

/** Ends a generation or a step: what is still being computed for it is not written. */
function endGeneration(): void {
  generation++;
  steppedText = undefined;
  if (!isGenerating) return;
  isGenerating = false;
  element("generate").textContent = "Generate";
  analyseSoon();
}

async function step(): Promise<void> {
  if (isGenerating || element<HTMLButtonElement>("step").disabled) return;
  const run = generation;
  try {
    if (!(await beginWriting()) || run !== generation) return;
    const { text, done, problem } = await client.ask("step", 1);
    if (run !== generation) return;
    continueWith(text);
    if (done) {
      toast(problem || "the end: a stop token was drawn");
      steppedText = undefined;
    }
  } catch (error) {
    report(error);
  }
}

async function generate(): Promise<void> {
  if (isGenerating) return endGeneration();
  if (element<HTMLButtonElement>("generate").disabled) return;
  const run = ++generation;
  isGenerating = true;
  element("generate").textContent = "Stop";
  try {
    // A whole text is followed by another one.
    if (analysis?.verdict === "accepted" && analysis.expected.terminals.length === 0) textEditor.text = "";
    for (let done = !(await beginWriting()); !done && run === generation; ) {
      const found = await client.ask("step", TOKENS_A_CALL);
      if (run !== generation) break;
      done = found.done;
      continueWith(found.text);
      if (found.problem) toast(found.problem);
    }
  } catch (error) {
    report(error);
  }
  if (run === generation) endGeneration();
}

function complete(): void {
  if (analysis?.completion && analysis.verdict !== "refused" && analysedText === textEditor.text) textEditor.append(analysis.completion);
}

// ---- Tokens -------------------------------------------------------------------------------------------------------------

async function inspect(): Promise<void> {
  if (!compiled?.ok || tab === "convert" || isGenerating) return;
  try {
    const { text, cursor } = textEditor;
    const found = await client.askLatest("inspect", text, cursor, inspector.search, inspector.group, isCanonical());
    if (!found) return;
    const where = found.at < cursor ? `at ${lineColumn(text, found.at)}, where the text is refused` : text === "" ? "at the beginning" : `at ${lineColumn(text, found.at)}`;
    inspector.show(found, where);
  } catch (error) {
    const message = messageOf(error);
    inspector.clear(message === "stopped" ? "" : message);
  }
}
const inspectSoon = whenQuiet(60, () => void inspect());
function cursorMoved(): void {
  if (!isGenerating) inspectSoon();
}

function insertToken({ text }: TokenView): void {
  if (text === undefined) return;
  // Where the text is refused, tokens are those of the place of refusal.
  const at = analysis?.verdict === "refused" ? Math.min(textEditor.cursor, analysis.viable) : textEditor.cursor;
  textEditor.view.dispatch({ changes: { from: at, insert: text }, selection: { anchor: at + text.length }, scrollIntoView: true });
}

async function why(token: TokenView): Promise<void> {
  try {
    const found = await client.ask("why", textEditor.text, textEditor.cursor, token.id, isCanonical());
    inspector.explain(found);
  } catch (error) {
    report(error);
  }
}

// ---- Samples ------------------------------------------------------------------------------------------------------------

function card(text: string, viable: number, ...about: (Node | string)[]): HTMLElement {
  const body = make("code", {}, text.slice(0, viable), ...(viable < text.length ? [make("mark", {}, text.slice(viable, viable + 1)), make("s", {}, text.slice(viable + 1))] : []));
  return make("div", { class: viable < text.length ? "card miss" : "card" },
    make("button", { class: "card-text", title: "Puts this text into the text pane", click: () => { textEditor.text = text; } }, body), ...(about.length ? [make("p", { class: "about" }, ...about)] : []));
}

async function showCards(list: HTMLElement, button: string, none: string, find: () => Promise<HTMLElement[]>): Promise<void> {
  if (!compiled?.ok) return toast("mend the errors first");
  endGeneration();
  element<HTMLButtonElement>(button).disabled = true;
  list.setAttribute("aria-busy", "true");
  try {
    const cards = await find();
    list.replaceChildren(...(cards.length ? cards : [make("p", { class: "none" }, none)]));
  } catch (error) {
    report(error);
  }
  list.removeAttribute("aria-busy");
  element<HTMLButtonElement>(button).disabled = false;
}

const showSamples = () => showCards(element("cards"), "samples", "no text was found", async () =>
  (await client.ask("samples", 6, (seed += 6))).map((text) => card(text, text.length)));

const showNearMisses = () => showCards(element("cards"), "near-misses", "No single change makes a sample invalid by one keyword: the schema may allow everything.", async () =>
  (await client.ask("nearMisses", (seed += 3))).map(({ text, change, viable, keyword, pointer, message }) => card(text, viable, ...inline(change), ": ", make("button", {
    class: "keyword", title: message, click: () => {
      textEditor.text = text;
      sources.schema.view.focus();
    },
  }, keyword), " ", make("span", { class: "hint" }, `#${pointer}`))));

const showCall = () => showCards(element("call"), "sample-call", "no call was found", async () => {
  const { source: given } = await toolsSource("required");
  return given ? (await client.ask("samples", 1, seed++, given)).map((text) => card(text, text.length)) : [];
});

// ---- Costs --------------------------------------------------------------------------------------------------------------

const number = (value: number, digits = 0) => value.toLocaleString("en", { maximumFractionDigits: digits });
const micros = (value: number) => (value < 1 ? "< 1 µs" : value < 1000 ? `${number(value)} µs` : `${number(value / 1000, 1)} ms`);
const size = (bytes: number) => (bytes < 1 << 20 ? `${number(bytes / 1024, bytes < 10240 ? 1 : 0)} KB` : `${number(bytes / (1 << 20), 1)} MB`);

function showCosts(): void {
  const items: [string, string, string][] = [];
  const stats: Stats | undefined = analysis?.stats ?? compiled?.stats;
  if (compiled?.ok) items.push(["compile", `${number(compiled.milliseconds, compiled.milliseconds < 10 ? 1 : 0)} ms`, "time to compile, in this browser"]);
  if (compiled?.ok && analysis) items.push(["a token", micros(analysis.laterMicros), `mask and step, mean over ${analysis.steps} tokens of the text: ${micros(analysis.firstMicros)} in the first walk after the change, ${micros(analysis.laterMicros)} in the second`]);
  if (compiled?.ok && stats) {
    items.push(["states", number(stats.states), "parser states found so far"], ["masks", number(stats.masks), "masks kept: a state that comes again costs a copy"]);
    items.push(["grammar", size(stats.memoryBytes), "memory of the compiled grammar"], ["module", size(stats.moduleBytes), "memory of the WebAssembly module"]);
  }
  element("costs").replaceChildren(...items.map(([name, value, title]) => make("div", { title }, make("dt", {}, name), make("dd", {}, value))));
}

// ---- Tokenizers ---------------------------------------------------------------------------------------------------------

async function useTokenizer(file: File | undefined): Promise<void> {
  // The model writes its own tokens alone.
  if (select("sampler").value === "model") select("sampler").value = "readable";
  await loadTokenizer(file);
}

async function useModel(): Promise<void> {
  try {
    const { config, tokenizer: vocabulary, weights } = await loadModel();
    await client.ask("model", config, Uint8Array.from(atob(weights), (c) => c.charCodeAt(0)));
    await loadTokenizer(new File([vocabulary], "the model's"));
  } catch (error) {
    select("sampler").value = "readable";
    report(error);
  }
}

async function loadTokenizer(file: File | undefined): Promise<void> {
  endGeneration();
  try {
    const bytes = file && (await (file.size > 2 * GGUF_HEAD && file.name.endsWith(".gguf") ? file.slice(0, GGUF_HEAD) : file).arrayBuffer());
    tokenizer = await client.ask("tokenizer", bytes, file?.name ?? "");
    element("tokenizer-name").textContent = `tokenizer: ${tokenizer.name} · ${number(tokenizer.vocabSize)} tokens`;
    element("tokenizer-name").title = tokenizer.kind;
    element("tokenizer-reset").hidden = !file;
    const canonical = element<HTMLInputElement>("canonical");
    canonical.disabled = tokenizer.canonicalProblem !== "";
    element("canonical-field").title = tokenizer.canonicalProblem || "only the tokens that the tokenizer itself writes";
    if (file) toast(`${tokenizer.name}: ${tokenizer.kind}, ${number(tokenizer.vocabSize)} tokens`);
    steppedText = undefined;
    await compile();
  } catch (error) {
    report(error);
  }
}

// ---- State, links, tabs -------------------------------------------------------------------------------------------------

const DEFAULT: State = {
  tab: "grammar",
  grammar: { text: "", language: "auto", start: "", dialect: "weir", tables: "" },
  schema: { text: "", options: {} },
  tools: { text: "", style: "hermes", choice: "auto", reasoning: "none", parallel: true },
  convertTo: "gbnf",
  texts: { grammar: "", schema: "", tools: "" },
  sampler: "readable",
  canonical: false,
};
/** What a visitor sees first: an example in each tab. */
const START = ["An order (JSON Schema)", "Weather tools", "Arithmetic (EBNF)"].reduce<State>((state, name) => merged(state, EXAMPLES.find((one) => one.name === name)!.state), DEFAULT);

function state(): State {
  return {
    tab,
    grammar: { text: sources.grammar.text, language: select("language").value as Language | "auto", start: element<HTMLInputElement>("start").value, dialect: select("dialect").value, tables: sources.tables.text },
    schema: { text: sources.schema.text, options: options.values },
    tools: { text: sources.tools.text, style: select("style").value, choice: select("tool-choice").value, reasoning: select("reasoning").value, parallel: isChecked("parallel") },
    convertTo: select("convert-to").value as GrammarSyntax,
    texts: { grammar: textEditor.textOf("grammar"), schema: textEditor.textOf("schema"), tools: textEditor.textOf("tools") },
    sampler: select("sampler").value as "readable",
    canonical: isChecked("canonical"),
  };
}

function show(given: State): void {
  endGeneration();
  // A select keeps its value if a link has one that does not exist.
  const choose = (id: string, value: string) => {
    if ([...select(id).options].some((option) => option.value === value)) select(id).value = value;
  };
  choose("language", given.grammar.language);
  choose("dialect", given.grammar.dialect);
  element<HTMLInputElement>("start").value = given.grammar.start;
  options.values = given.schema.options;
  choose("style", given.tools.style);
  choose("tool-choice", given.tools.choice);
  choose("reasoning", given.tools.reasoning);
  element<HTMLInputElement>("parallel").checked = given.tools.parallel;
  choose("convert-to", given.convertTo);
  choose("sampler", given.sampler);
  element<HTMLInputElement>("canonical").checked = given.canonical;
  sources.tables.text = given.grammar.tables;
  for (const name of TABS.filter((one) => one !== "convert")) {
    sources[name].text = given[name].text;
    textEditor.setTextOf(name, given.texts[name]);
  }
  showLanguage();
  openTab(TABS.includes(given.tab) ? given.tab : "grammar");
}

function openTab(next: Tab): void {
  endGeneration();
  tab = next;
  document.body.dataset.tab = tab;
  for (const button of document.querySelectorAll<HTMLElement>("[role=tab]")) {
    const isOpen = button.dataset.tab === tab;
    button.setAttribute("aria-selected", String(isOpen));
    button.tabIndex = isOpen ? 0 : -1;
  }
  element("source-panel").setAttribute("aria-labelledby", `tab-${tab}`);
  showSource();
  if (tab !== "convert") textEditor.open(tab);
  analysis = compiled = undefined;
  textEditor.mark(undefined);
  inspector.clear("");
  showCosts();
  element("explanation").replaceChildren();
  element("cards").replaceChildren(make("p", { class: "none" }, "Random texts of the schema; near misses break one keyword each."));
  element("call").replaceChildren(make("p", { class: "none" }, "What a model writes in this style to call a tool, with random arguments."));
  showVerdict();
  sourceChanged();
}

async function share(): Promise<void> {
  const fragment = await toFragment(state());
  history.replaceState(null, "", fragment);
  try {
    await navigator.clipboard.writeText(location.href);
    toast("The link is copied. It contains everything that you see.");
  } catch {
    toast("The address bar has the link. It contains everything that you see.");
  }
}

async function openFragment(): Promise<boolean> {
  // The page's own links are to its elements.
  if (location.hash === "" || document.getElementById(location.hash.slice(1))) return false;
  try {
    show(merged(DEFAULT, await fromFragment(location.hash)));
    return true;
  } catch {
    toast("The link is damaged: it cannot be read.");
    return false;
  }
}

/** The work of this tab of the browser, so that a reload does not lose it. It belongs to the link under which it was begun. */
const KEPT = "weir-work";
function keep(): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ link: location.hash, state: state() }));
  } catch {
    // There is no storage, or no room: a reload then shows the link.
  }
}
/** Shows the work that was kept; returns false if there is none for this link. */
function openKept(): boolean {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as { link?: unknown; state?: unknown } | null;
    if (kept?.link !== location.hash) return false;
    show(merged(DEFAULT, kept.state));
    return true;
  } catch {
    return false;
  }
}

// ---- Controls -----------------------------------------------------------------------------------------------------------

function connect(): void {
  const on = (id: string, event: string, body: () => void) => element(id).addEventListener(event, body);
  for (const button of document.querySelectorAll<HTMLElement>("[role=tab]")) {
    button.addEventListener("click", () => openTab(button.dataset.tab as Tab));
    button.addEventListener("keydown", (event) => {
      const { key } = event as KeyboardEvent;
      const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
      const next = key === "Home" ? TABS[0] : key === "End" ? TABS.at(-1)! : by ? TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length]! : undefined;
      if (!next) return;
      event.preventDefault();
      openTab(next);
      element(`tab-${next}`).focus();
    });
  }
  fill(select("gallery"), [["", "Examples"], ...EXAMPLES.map(({ name }) => [name, name] as const)]);
  on("gallery", "change", () => {
    const example = EXAMPLES.find(({ name }) => name === select("gallery").value);
    select("gallery").value = "";
    if (example) show(merged(merged(state(), { grammar: DEFAULT.grammar, schema: { options: {} } }), example.state));
  });
  const offered = Object.entries(LANGUAGE_NAMES).filter(([name]) => !isNamed(name as Language));
  fill(select("language"), [["auto", "found by content"], ...offered]);
  const named = make("optgroup", { label: "Languages by name" });
  named.append(...NAMED_LANGUAGES.map((value) => make("option", { value }, LANGUAGE_NAMES[value])));
  select("language").append(named);
  fill(select("dialect"), REGEX_DIALECTS.map((name) => [name, name]));
  fill(select("convert-to"), CONVERT_TARGETS);
  on("language", "change", () => {
    showLanguage();
    sourceChanged();
  });
  for (const id of ["dialect", "style", "tool-choice", "reasoning", "parallel", "convert-to"]) on(id, "change", sourceChanged);
  on("start", "input", sourceChanged);
  on("step", "click", () => void step());
  on("generate", "click", () => void generate());
  on("complete", "click", complete);
  on("clear", "click", () => {
    endGeneration();
    textEditor.text = "";
    textEditor.view.focus();
  });
  on("canonical", "change", () => {
    steppedText = undefined;
    void analyse();
  });
  on("sampler", "change", () => {
    steppedText = undefined;
    if (select("sampler").value === "model") void useModel();
  });
  on("tokens", "change", () => analysis && textEditor.mark({ analysis, showTokens: isChecked("tokens") }));
  on("samples", "click", () => void showSamples());
  on("near-misses", "click", () => void showNearMisses());
  on("sample-call", "click", () => void showCall());
  on("share", "click", () => void share());
  on("convert-copy", "click", () => void navigator.clipboard.writeText(convertView.text).then(() => toast("Copied."), () => toast("The browser does not let pages copy here.")));
  on("tokenizer-reset", "click", () => void useTokenizer(undefined));
  const file = element<HTMLInputElement>("tokenizer-file");
  file.addEventListener("change", () => {
    if (file.files?.[0]) void useTokenizer(file.files[0]);
    file.value = "";
  });
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    element("drop").hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) element("drop").hidden = true;
  });
  // Before the editors, which would insert the file's text.
  addEventListener("drop", (event) => {
    element("drop").hidden = true;
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    event.stopPropagation();
    void useTokenizer(dropped);
  }, true);
  addEventListener("hashchange", () => void openFragment());
  connectTheme();
}

function connectTheme(): void {
  const button = element("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem("weir-theme");
  } catch {
    // A page that was opened as a file may have no storage; the choice is then not remembered.
  }
  const apply = () => {
    const theme = chosen ?? (system.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    button.setAttribute("aria-pressed", String(theme === "dark"));
  };
  system.addEventListener("change", apply);
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("weir-theme", chosen);
    } catch {
      // As above.
    }
    apply();
  });
  apply();
}

async function begin(): Promise<void> {
  connect();
  try {
    fill(select("style"), (await client.ask("styles")).map((name) => [name, name]));
    if (!openKept() && !(await openFragment())) show(START);
    addEventListener("pagehide", keep);
    await (select("sampler").value === "model" ? useModel() : useTokenizer(undefined));
    document.body.dataset.ready = "";
  } catch (error) {
    element("findings").replaceChildren(make("p", { class: "finding error" }, `The engine cannot be started: ${(error as Error).message}`));
  }
}

function stop(): void {
  endGeneration();
  compilation++;
  client.stop();
  compiled = undefined;
  showVerdict();
  showNothing("Stopped. A change of the grammar starts it again.");
}

document.body.append(make("button", { class: "stop", click: stop }, "Working… stop"));
void begin();
