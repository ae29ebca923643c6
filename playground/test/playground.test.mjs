// The built page in Debian's browsers, opened as a file: every feature once, by mouse, by keyboard alone, at a phone's
// width and in the dark. Pages may load nothing but their own files.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import { extname, join } from "node:path";
import { languageNames } from "../../js/dist/single.js";
import { installed, start } from "./browsers.mjs";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const PAGE = String(pathToFileURL(join(dist, "index.html")));
const MODEL_TOKENIZER = fileURLToPath(new URL("../../data/model/tokenizer.json", import.meta.url));
const WAIT = { timeout: 60_000 };
/** Lines of a text that takes seconds. */
const LONG_LINES = 200_000;

const wanted = process.env.BROWSER ? [process.env.BROWSER] : ["chrome", "firefox"];
for (const name of wanted) describe(name, { skip: !installed.includes(name) && `${name} is not installed` }, () => inBrowser(name));

function inBrowser(name) {
  let run;
  let page;
  const requests = [];
  const errors = [];

  async function open(url = PAGE, size = { width: 1360, height: 900 }) {
    const opened = await run.browser.newPage();
    opened.on("request", (request) => requests.push(request.url()));
    opened.on("pageerror", (error) => errors.push(String(error)));
    opened.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await opened.setViewport(size);
    await opened.goto(url);
    await opened.waitForSelector("body[data-ready]", WAIT);
    return opened;
  }

  before(async () => {
    run = await start(name);
    page = await open();
  }, { timeout: 180_000 });
  after(async () => run?.end());

  const text = (selector) => page.$eval(selector, (found) => found.textContent);
  const until = (body, ...args) => page.waitForFunction(body, WAIT, ...args);
  const verdict = (wantedVerdict) => until((word) => document.getElementById("verdict").textContent === word, wantedVerdict);
  const tab = (which) => page.click(`#tab-${which}`);
  /** Types into an editor, in place of what it has. */
  async function write(editor, content) {
    await page.focus(`${editor} .cm-content`);
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.press("Delete");
    await page.keyboard.type(content);
  }
  const grammar = (content) => write('[data-source="grammar"]', content);
  const writeText = (content) => write("#text-editor", content);
  const example = async (which) => {
    await page.select("#gallery", which);
    await until((word) => document.getElementById("gallery").value === "" && document.body.dataset.tab !== undefined && word, which);
  };

  test("what a visitor sees first", async () => {
    await verdict("incomplete");
    assert.equal(await text("#text-editor .ghost"), ")");
    assert.match(await text("#costs"), /compile.*ms.*a token.*states.*masks.*grammar.*module/);
    assert.match(await text("#tokenizer-name"), /built-in · 8,192 tokens/);
  });

  test("the language is found by content", async () => {
    await tab("grammar");
    for (const [content, language] of [
      ['root ::= "a"', "EBNF"], ["start ::= 'a';", "KBNF"], ['start: "a"', "Lark"], ["[0-9]+", "regular expression"], ['{"type": "string"}', "JSON Schema"],
      ['{"type": "structural_tag", "format": {"type": "any_text"}}', "structural tag"], ['{"type": "json_object"}', "response_format"],
    ]) {
      await grammar(content);
      await until((word) => document.getElementById("language").selectedOptions[0].textContent === `found: ${word}`, language);
      await until(() => document.getElementById("findings").children.length === 0);
      assert.equal((await page.$$("#findings .error")).length, 0, language);
    }
  });

  test("languages that no content shows can be chosen", async () => {
    await grammar("red\ngreen");
    await page.select("#language", "choice");
    await writeText("gre");
    await verdict("incomplete");
    assert.equal(await text("#text-editor .ghost"), "en");
    await page.select("#language", "regex");
    await page.select("#dialect", "python");
    await grammar("(?P<x>ab)");
    await writeText("ab");
    await verdict("accepted");
    await page.select("#language", "auto");
  });

  test("Python needs no text", async () => {
    const named = await page.$$eval("#language optgroup option", (found) => found.map((option) => option.value));
    assert.deepEqual(named.sort(), languageNames());
    await grammar('root ::= "kept"');
    await page.select("#language", "python");
    await writeText("x = [1,");
    await verdict("incomplete");
    assert.equal(await text("#findings"), "");
    assert.equal(await text("#text-editor .ghost"), "]\n");
    assert.match(await text('[data-source="named"]'), /Nothing is needed here/);
    assert.deepEqual(await page.$$eval("#source-editor > :not([hidden])", (found) => found.map((held) => held.dataset.source)), ["named"]);
    assert.equal(await page.$eval("#start-field", (field) => field.hidden), true);
    // The grammar of before is there again.
    await page.select("#language", "auto");
    await writeText("ke");
    await until(() => document.querySelector("#text-editor .ghost")?.textContent === "pt");

    await example("A Python function");
    await verdict("incomplete");
    await until(() => document.getElementById("inspector-count").textContent.includes("line 5"));
    assert.match(await text("#costs"), /compile.*ms.*a token/);
    await page.click("#complete");
    await verdict("accepted");
    await writeText("def mean(values:");
    await verdict("incomplete");
    await writeText("def mean(:");
    await verdict("refused");
    assert.match(await text("#explanation"), /line 1, column 10.*“:” is refused.*expected instead/);
    await page.click("#clear");
    await page.click("#generate");
    await until(() => document.getElementById("generate").textContent === "Generate" && document.getElementById("verdict").textContent === "accepted");
    // Not empty, though an empty file is Python.
    assert.notEqual((await text("#text-editor .is-accepted")), "");
  });

  test("SQL takes tables, or any names", async () => {
    await example("A query over two tables (SQLite)");
    await verdict("incomplete");
    assert.equal(await text("#text-editor .ghost"), "d_on");
    assert.equal(await text("#source-title"), "Tables");
    assert.ok((await page.$$eval('[data-source="tables"] .cm-line span', (found) => found.map((span) => span.textContent))).includes("CREATE"));
    await writeText("SELECT name FROM books");
    await verdict("refused");
    assert.match(await text("#explanation"), /line 1, column 18.*“b” is refused/);
    await page.click("#clear");
    await verdict("incomplete");
    await page.click("#generate");
    await until(() => document.getElementById("generate").textContent === "Generate" && document.getElementById("verdict").textContent === "accepted");

    await write('[data-source="tables"]', "CREATE TABLE books (id INT, name TEXT; SELECT 1");
    await verdict("no grammar");
    await until(() => document.querySelector('[data-source="tables"] .cm-lintRange-error')?.textContent.startsWith("("));
    assert.match(await text("#findings"), /1:20.*this bracket is not closed/);
    await write('[data-source="tables"]', "CREATE TABLE books (id INT, name TEXT)");
    await writeText("SELECT name FROM books");
    await verdict("accepted");
    await page.select("#language", "postgresql");
    await verdict("accepted");
    await page.click("#share");
    await until(() => location.hash.length > 50);
    const own = page;
    page = await open(page.url());
    await verdict("accepted");
    assert.equal(await page.$eval("#language", (select) => select.value), "postgresql");
    assert.equal(await text('[data-source="tables"] .cm-content'), "CREATE TABLE books (id INT, name TEXT)");
    await page.close();
    page = own;
    await page.evaluate(() => history.replaceState(null, "", location.pathname));
    // An unknown start rule says which there are.
    await page.$eval("#start", (start) => {
      start.value = "querry";
      start.dispatchEvent(new Event("input"));
    });
    await verdict("no grammar");
    assert.match(await text("#findings"), /there is no rule querry.*statement/);
    await example("A query over two tables (SQLite)");
    await write('[data-source="tables"]', " ");
    await until(() => !document.querySelector("#text-editor .ghost"));
    await writeText("SELECT title FROM films");
    await verdict("accepted");
  });

  test("errors have squiggles, hints and fixes; warnings too", async () => {
    await example("A mistake, with a fix");
    await verdict("no grammar");
    await until(() => document.querySelector('[data-source="grammar"] .cm-lintRange-error')?.textContent === "adress");
    assert.match(await text("#findings"), /adress.*did you mean.*address/);
    assert.match(await text("#explanation"), /errors are mended/);
    await page.click("#findings .fix");
    await verdict("incomplete");
    await until(() => document.querySelector("#findings .warning")?.textContent.includes("spare"));
    assert.match(await text('[data-source="grammar"] .cm-content'), /" " address "!"/);
  });

  test("the text is coloured: accepted, incomplete, refused with the place and the reason", async () => {
    await example("A mistake, with a fix");
    await until(() => document.querySelector("#findings .fix"));
    await page.click("#findings .fix");
    await verdict("incomplete");
    await writeText("Hello world!");
    await verdict("accepted");
    assert.equal(await text("#text-editor .is-accepted"), "Hello world!");
    await writeText("Hello xyz");
    await verdict("refused");
    assert.equal(await page.$$eval("#text-editor .is-refused", (found) => found.map((part) => part.textContent).join("")), "xyz");
    assert.equal(await text("#text-editor .refused-here"), "x");
    assert.match(await text("#explanation"), /line 1, column 7.*“x” is refused.*expected instead.*next.*r.*w/);
    await page.click("#explanation .place");
    assert.equal(await page.$eval("#step", (button) => button.disabled), true);
  });

  test("tokens: count, kinds, search, why not this one", async () => {
    await writeText("Hello ");
    await verdict("incomplete");
    await until(() => document.getElementById("inspector-count").textContent.includes("column 7"));
    const count = Number(/^(\d+) of 8,192/.exec(await text("#inspector-count"))[1]);
    assert.ok(count > 1 && count < 40);
    // The kinds add up to the count.
    assert.equal((await page.$$eval("#groups b", (found) => found.map((b) => Number(b.textContent)))).reduce((a, b) => a + b), count);
    // A click between characters asks about that place.
    await page.keyboard.press("Home");
    await until(() => document.getElementById("inspector-count").textContent.includes("column 1"));
    assert.ok((await page.$$eval(".tok", (found) => found.map((token) => token.textContent))).includes("H"));
    await page.keyboard.press("End");
    await page.click("#search");
    await page.keyboard.type("wo");
    await until(() => [...document.querySelectorAll(".tok.no")].some((token) => token.textContent === "wor") || document.querySelector(".tok.no"));
    assert.ok((await page.$$eval(".tok:not(.no)", (found) => found.map((token) => token.textContent))).every((token) => token.includes("wo")));
    // The count is that of the search, too.
    const found = await page.$$eval(".tok:not(.no)", (tokens) => tokens.length);
    await until((number) => document.getElementById("inspector-count").textContent.startsWith(`${number} with “wo”, `), found);
    await page.click(".tok.no");
    await until(() => document.getElementById("why").textContent.includes("may not come here"));
    assert.match(await text("#why"), /expected: \S.* · next r w/);
    await page.click(".tok:not(.no)");
    await until(() => /^Hello wo/.test(document.querySelector("#text-editor .cm-line").textContent));
    await page.click("#search", { count: 3 });
    await page.keyboard.press("Backspace");
  });

  test("steps, forced tokens, the shortest completion", async () => {
    await writeText("Good");
    await until(() => document.querySelector("#text-editor .ghost")?.textContent.startsWith(" day"));
    await page.click("#complete");
    await verdict("accepted");
    await until(() => [...document.querySelectorAll("#text-editor .forced")].map((part) => part.textContent).join("").includes("day"));
    await page.click("#clear");
    await until(() => document.querySelector("#text-editor .ghost"));
    await page.click("#step");
    await until(() => document.querySelectorAll("#text-editor .token").length > 0);
    await page.click("#step");
    await verdict("incomplete");
  });

  test("generation ends in a text of the language", async () => {
    await example("Arithmetic (EBNF)");
    for (const sampler of ["readable", "uniform"]) {
      await page.select("#sampler", sampler);
      await verdict("incomplete");
      await page.click("#clear");
      await until(() => document.querySelector("#text-editor .cm-line").textContent.length <= 1 || document.querySelector("#text-editor .cm-placeholder"));
      await page.click("#generate");
      await until(() => document.getElementById("generate").textContent === "Generate" && document.getElementById("verdict").textContent === "accepted");
      await writeText("2*(17+4");
    }
    await page.select("#sampler", "readable");
  });

  test("generation where tokens cannot be counted: Lark's longest match", async () => {
    await example("A query language (Lark)");
    await verdict("incomplete");
    await page.click("#generate");
    await until(() => document.getElementById("generate").textContent === "Generate" && document.getElementById("verdict").textContent === "accepted");
    assert.match(await text("#text-editor .cm-content"), /^SELECT name, age FROM people WHERE age > 2.*;/);
  });

  test("a step that is computed while a tab is opened is not written there", async () => {
    await example("An order (JSON Schema)");
    await verdict("refused");
    await example("Arithmetic (EBNF)");
    await verdict("incomplete");
    // Both clicks come before the Worker answers.
    await page.evaluate(() => {
      document.getElementById("step").click();
      document.getElementById("tab-schema").click();
    });
    await verdict("refused");
    assert.match(await text("#text-editor .cm-line"), /^\{"id": "A-1024", .*"count": 13$/);
    await tab("grammar");
    await verdict("incomplete");
    assert.match(await text("#text-editor .cm-line"), /^2\*\(17\+4/);
  });

  test("a change of the grammar ends a generation", async () => {
    await grammar('root ::= "a"+ "b"');
    await writeText("a");
    await verdict("incomplete");
    await page.evaluate(() => {
      document.getElementById("generate").click();
      const start = document.getElementById("start");
      start.value = "root";
      start.dispatchEvent(new Event("input"));
    });
    assert.equal(await text("#generate"), "Generate");
    await verdict("incomplete");
    assert.match(await text("#text-editor .cm-line"), /^ab?$/);
    await example("Arithmetic (EBNF)");
  });

  test("canonical tokens only", async () => {
    await writeText("17");
    await verdict("accepted");
    const before = await text("#inspector-count");
    await page.click("#canonical");
    await until((word) => document.getElementById("inspector-count").textContent !== word, before);
    await verdict("accepted");
    // The budget counts canonical tokens.
    await writeText("2*(17+4");
    await verdict("incomplete");
    await page.click("#generate");
    await until(() => document.getElementById("generate").textContent === "Generate" && document.getElementById("verdict").textContent === "accepted");
    assert.match(await text("#text-editor .cm-content"), /^2\*\(17\+4.*\)/);
    await page.click("#canonical");
  });

  test("a JSON Schema: the keyword that refuses, options, samples, near misses", async () => {
    await example("An order (JSON Schema)");
    await verdict("refused");
    await until(() => document.getElementById("explanation").textContent.includes("maximum refuses /items/0/count"));
    // It is marked in the schema, and taken back when the text is mended.
    await page.click("#explanation .refusals .place");
    await until(() => document.querySelector('[data-source="schema"] .cm-lintRange-error')?.textContent === "12");
    await page.click("#text-editor .cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("End");
    await page.keyboard.up("Control");
    await page.keyboard.press("Backspace");
    await verdict("incomplete");
    await until(() => !document.querySelector('[data-source="schema"] .cm-lintRange-error'));

    await page.click("#schema-options summary");
    await page.select('[data-option="whitespace"]', "none");
    await verdict("refused");
    assert.match(await text("#options-set"), /1 set/);
    await page.select('[data-option="whitespace"]', "");
    await verdict("incomplete");
    await page.click("#schema-options summary");

    await page.click("#samples");
    await until(() => document.querySelectorAll("#cards .card").length >= 2);
    for (let i = 0; i < 2; i++) {
      const shown = await page.$$eval("#cards .card code", (found, at) => found[at].textContent, i);
      assert.ok(JSON.parse(shown).items.length >= 1);
      await (await page.$$("#cards .card-text"))[i].click();
      await verdict("accepted");
    }
    await page.click("#near-misses");
    await until(() => document.querySelectorAll("#cards .card.miss").length >= 3);
    const keywords = await page.$$eval("#cards .keyword", (found) => found.map((one) => one.textContent));
    for (const keyword of ["required", "additionalProperties", "pattern"]) assert.ok(keywords.includes(keyword), keyword);
    await page.click("#cards .card-text");
    await verdict("refused");
  });

  test("a JSON Schema's values in YAML", async () => {
    await example("An order (JSON Schema)");
    await verdict("refused");
    await page.click("#schema-options summary");
    await page.select('[data-option="notation"]', "yaml");
    assert.equal(await page.$eval("#sampler [value=model]", (option) => option.disabled), true);
    await writeText("id: A-10");
    await verdict("incomplete");
    await writeText("id: B-10");
    await verdict("refused");
    await until(() => document.getElementById("explanation").textContent.includes("pattern refuses /id"));
    await page.click("#samples");
    await until(() => document.querySelectorAll("#cards .card").length >= 2);
    await page.click("#cards .card-text");
    await verdict("accepted");
    await page.click("#near-misses");
    await until(() => document.querySelectorAll("#cards .card.miss").length >= 3);
    const keywords = await page.$$eval("#cards .keyword", (found) => found.map((one) => one.textContent));
    for (const keyword of ["required", "additionalProperties", "pattern"]) assert.ok(keywords.includes(keyword), keyword);
    await page.click("#cards .card-text");
    await verdict("refused");
    // Options of JSON's blanks contradict it.
    await page.select('[data-option="whitespace"]', "none");
    await verdict("no grammar");
    assert.match(await text("#findings"), /whitespace has no effect beside notation/);
    await page.select('[data-option="whitespace"]', "");
    await verdict("refused");
    await page.select('[data-option="notation"]', "");
    assert.equal(await page.$eval("#sampler [value=model]", (option) => option.disabled), false);
    await page.click("#schema-options summary");
  });

  test("the small model writes JSON for a schema", async () => {
    await tab("schema");
    await write('[data-source="schema"]', '{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 9}}, "required": ["city", "days"], "additionalProperties": false}');
    await page.select("#sampler", "model");
    await until(() => document.getElementById("tokenizer-name").textContent.includes("the model's · 1,536 tokens"));
    await page.click("#clear");
    await verdict("incomplete");
    await page.click("#generate");
    await until(() => document.getElementById("generate").textContent === "Generate" && document.getElementById("verdict").textContent === "accepted");
    const { city, days } = JSON.parse(await text("#text-editor .cm-line"));
    // The model was trained on words; random tokens are not words.
    assert.match(city, /^[\w .,'-]{2,}$/);
    assert.ok(days >= 1 && days <= 9);
    await page.click("#tokenizer-reset");
    await until(() => document.getElementById("tokenizer-name").textContent.includes("built-in"));
    assert.equal(await page.$eval("#sampler", (select) => select.value), "readable");
  });

  test("tools: the tag in a model's style, a sample call", async () => {
    await example("Weather tools");
    await verdict("incomplete");
    await page.click("#tag-section summary");
    await until(() => document.querySelector("#tag-editor .cm-content").textContent.includes("<tool_call>"));
    await page.click("#sample-call");
    await until(() => document.querySelector("#call .card"));
    assert.match(await text("#call .card"), /<tool_call>\s*\{\s*"name"\s*:\s*"(get_weather|send_mail)"/);
    await page.click("#call .card-text");
    await verdict("accepted");
    const kinds = await page.$$eval("#events li b", (kinds) => kinds.map((kind) => kind.textContent));
    assert.deepEqual(kinds.slice(0, 2), ["call begins", "arguments"]);
    assert.equal(kinds.at(-1), "call ends");
    assert.match(await text("#events .event-call_begins"), /get_weather|send_mail/);
    await page.select("#style", "llama3");
    await until(() => !document.querySelector("#tag-editor .cm-content").textContent.includes("<tool_call>"));
    await page.select("#style", "hermes");
    await page.select("#tool-choice", "none");
    await verdict("refused");
    await page.select("#tool-choice", "auto");
    await verdict("accepted");
    await write('[data-source="tools"]', '[{"name": "f", "parameters": {"properties": {"a": {"type": "string", "minLenght": 3}}}}]');
    await until(() => document.querySelector('[data-source="tools"] .cm-lintRange-warning')?.textContent.includes("minLenght"));
    await write('[data-source="tools"]', "[1]");
    await verdict("no grammar");
    assert.ok((await page.$$("#findings .error")).length > 0);
  });

  test("grammars are converted", async () => {
    await example("JSON, converted to GBNF");
    await until(() => document.querySelector("#convert-editor .cm-content").textContent.includes("root ::= value"));
    await page.select("#convert-to", "lark");
    await until(() => /start: ?/.test(document.querySelector("#convert-editor .cm-content").textContent));
    await page.select("#convert-to", "regex");
    await until(() => document.querySelectorAll("#convert-findings .error").length === 1);
    await page.select("#convert-to", "gbnf");
    // Languages by name are converted where the target can say what they have. It is not about the tables where it cannot.
    await page.select("#language", "sqlite");
    await until(() => document.getElementById("convert-findings").textContent.includes("SQLite cannot be converted: GBNF has no way to say"));
    assert.equal(await page.$("#convert-findings .place"), null);
    await page.select("#convert-to", "ebnf");
    await until(() => document.querySelector("#convert-editor .cm-content").textContent.includes("root ::= s? statement"));
    await page.select("#language", "python");
    await until(() => /Python cannot be converted: EBNF has no way to say .* block/.test(document.getElementById("convert-findings").textContent));
    await page.select("#language", "auto");
    await page.select("#convert-to", "gbnf");
  });

  test("a tokenizer file, chosen and dropped", async () => {
    await example("Arithmetic (EBNF)");
    await (await page.$("#tokenizer-file")).uploadFile(MODEL_TOKENIZER);
    await until(() => document.getElementById("tokenizer-name").textContent.includes("tokenizer.json · 1,536 tokens"));
    await until(() => document.getElementById("inspector-count").textContent.includes("of 1,536"));
    await page.click("#tokenizer-reset");
    await until(() => document.getElementById("inspector-count").textContent.includes("of 8,192"));
    const drop = (content, file) => page.evaluate((data, fileName) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([data], fileName));
      document.querySelector("#text-editor .cm-content").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, content, file);
    await drop(readFileSync(MODEL_TOKENIZER, "utf8"), "mine.json");
    await until(() => document.getElementById("tokenizer-name").textContent.includes("mine.json · 1,536 tokens"));
    await drop("no tokenizer", "broken.json");
    await until(() => document.getElementById("toast").textContent.includes("tokenizer"));
    assert.match(await text("#tokenizer-name"), /mine\.json/);
    // A new Worker has the tokenizer that is shown, not the one that could not be read.
    await page.evaluate(() => document.querySelector(".stop").click());
    await until(() => document.getElementById("explanation").textContent.includes("Stopped"));
    await example("Arithmetic (EBNF)");
    await until(() => document.getElementById("inspector-count").textContent.includes("of 1,536"));
    await page.click("#tokenizer-reset");
    await until(() => document.getElementById("tokenizer-name").textContent.includes("built-in"));
  });

  test("links contain everything; a damaged one says so", async () => {
    await example("Shapes (anyOf, const)");
    await writeText('{"kind": "box", ');
    await verdict("incomplete");
    await page.click("#share");
    await until(() => location.hash.length > 50);
    const url = page.url();
    const first = page;
    page = await open(url);
    await verdict("incomplete");
    assert.equal(await page.$eval("body", (body) => body.dataset.tab), "schema");
    assert.match(await text("#text-editor .cm-line"), /^\{"kind": "box", /);
    assert.equal(await page.$eval('[data-option="order"]', (select) => select.value), "declared");
    await page.close();
    page = await open(`${PAGE}#1damaged`);
    await until(() => document.getElementById("toast").textContent.includes("damaged"));
    await verdict("incomplete");
    await page.close();
    page = first;
  });

  test("a fragment that is no link says so; the page's own links do not", async () => {
    const first = page;
    page = await open(`${PAGE}#no-link`);
    await until(() => document.getElementById("toast").textContent.includes("damaged"));
    await page.close();
    page = await open(`${PAGE}#text-panel`);
    await verdict("incomplete");
    assert.equal(await text("#toast"), "");
    await page.close();
    page = first;
  });

  test("a reload keeps the work, also after a link was shared", async () => {
    const first = page;
    page = await open();
    await tab("grammar");
    await grammar("[0-9]+ kept");
    await writeText("12");
    await verdict("incomplete");
    const reload = async (wanted) => {
      await page.reload();
      await page.waitForSelector("body[data-ready]", WAIT);
      await until((word) => document.querySelector("#text-editor .cm-line").textContent.startsWith(word), wanted);
      assert.match(await text('[data-source="grammar"] .cm-content'), /kept/);
    };
    await reload("12");
    await page.click("#share");
    await until(() => location.hash.length > 50);
    await writeText("345");
    await reload("345");
    await page.close();
    page = first;
  });

  test("a text that cannot be checked: the error is in the place of the verdict on the text before", async () => {
    const first = page;
    page = await run.browser.newPage();
    await page.evaluateOnNewDocument(() => {
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, ...rest) {
        if (message.call !== "analyse" || !message.args[0].includes("7")) return post.call(this, message, ...rest);
        return this.dispatchEvent(new MessageEvent("message", { data: { id: message.id, error: "a limit, `callWork`, was exceeded" } }));
      };
    });
    await page.goto(PAGE);
    await page.waitForSelector("body[data-ready]", WAIT);
    await tab("grammar");
    await grammar("[0-9]+");
    await writeText("12");
    await verdict("accepted");
    await page.type("#text-editor .cm-content", "7");
    await until(() => document.querySelector("#explanation .failure")?.textContent.includes("callWork"));
    assert.equal(await text("#verdict"), "");
    assert.equal((await page.$$("#text-editor .is-accepted")).length, 0);
    assert.equal(await page.$eval("#complete", (button) => button.disabled), true);
    await writeText("12");
    await verdict("accepted");
    await page.close();
    page = first;
  });

  test("by keyboard alone", async () => {
    const own = page;
    page = await open();
    await verdict("incomplete");
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.closest("[id]")?.id || "");
    const go = async (id) => {
      for (let i = 0; i < 40 && (await focused()) !== id; i++) await page.keyboard.press("Tab");
      assert.equal(await focused(), id);
    };
    await go("tab-grammar");
    await page.keyboard.press("ArrowRight");
    await until(() => document.body.dataset.tab === "schema" && document.activeElement.id === "tab-schema");
    await page.keyboard.press("ArrowLeft");
    await until(() => document.body.dataset.tab === "grammar");
    await page.keyboard.press("End");
    await until(() => document.body.dataset.tab === "convert" && document.activeElement.id === "tab-convert");
    await page.keyboard.press("Home");
    await until(() => document.body.dataset.tab === "grammar" && document.activeElement.id === "tab-grammar");
    await verdict("incomplete");
    await go("text-editor");
    await page.keyboard.down("Control");
    await page.keyboard.press("End");
    await page.keyboard.up("Control");
    await page.keyboard.down("Alt");
    await page.keyboard.press("End");
    await page.keyboard.up("Alt");
    await verdict("accepted");
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.press("Delete");
    await verdict("incomplete");
    await page.keyboard.down("Alt");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Alt");
    await until(() => document.querySelectorAll("#text-editor .token").length > 0);
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await until(() => document.getElementById("generate").textContent === "Generate" && document.getElementById("verdict").textContent === "accepted");
    // The Tab key leaves the editor. The list of tokens is one stop, and arrow keys move in it.
    await go("search");
    await page.keyboard.press("Tab");
    for (let i = 0; i < 12 && !(await page.evaluate(() => document.activeElement.classList.contains("tok"))); i++) await page.keyboard.press("Tab");
    const firstToken = await page.evaluate(() => document.activeElement.textContent);
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await page.evaluate(() => document.activeElement.classList.contains("tok") && document.activeElement.textContent), firstToken);
    await page.keyboard.press("Enter");
    await until((token) => document.querySelector("#text-editor .cm-content").textContent.length > token.length, firstToken);
    // The focus stays in the list, although its tokens are others now.
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.ok(await page.evaluate(() => document.getElementById("token-list").contains(document.activeElement)));
    await page.close();
    page = own;
  });

  test("every control has a name; verdicts are announced", async () => {
    const nameless = await page.$$eval("button, select, input, [role=tab], .cm-content", (found) => found.filter((one) => {
      const label = one.getAttribute("aria-label") ?? one.closest("label")?.textContent ?? one.textContent;
      return label.trim() === "";
    }).map((one) => one.outerHTML.slice(0, 120)));
    assert.deepEqual(nameless, []);
    for (const id of ["verdict", "explanation", "why"]) assert.equal(await page.$eval(`#${id}`, (one) => one.getAttribute("aria-live")), "polite");
    assert.equal(await page.$eval("#toast", (one) => one.getAttribute("role")), "status");
  });

  test("contrast of at least 4.5 in the light and in the dark", async () => {
    await example("An order (JSON Schema)");
    await verdict("refused");
    await page.click("#near-misses");
    await until(() => document.querySelectorAll("#cards .card.miss").length >= 3);
    for (const theme of ["light", "dark"]) {
      if ((await page.$eval("html", (html) => html.dataset.theme)) !== theme) await page.click("#theme");
      const low = await page.evaluate(() => {
        const parse = (color) => {
          const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number);
          return color.startsWith("color(") ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
        };
        const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
        const background = (one) => {
          const own = parse(getComputedStyle(one).backgroundColor);
          return own[3] === 1 || !one.parentElement ? own : over(own, background(one.parentElement));
        };
        const luminance = (rgb) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
          const c = rgb[i] / 255;
          return sum + weight * (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        }, 0);
        const out = [];
        for (const one of document.querySelectorAll("body *")) {
          const isText = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
          if (!isText || one.closest(":disabled, [hidden], .cm-gutters, script, noscript, .ghost, .cm-placeholder, .skip, .toast, .stop") || one.getClientRects().length === 0) continue;
          const under = background(one);
          const [a, b] = [luminance(over(parse(getComputedStyle(one).color), under)), luminance(under)];
          const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (contrast < 4.5) out.push(`${one.tagName}.${one.className} ${contrast.toFixed(2)} ${one.textContent.trim().slice(0, 30)}`);
        }
        return [...new Set(out)];
      });
      assert.deepEqual(low, [], theme);
    }
  });

  test("at a phone's width nothing is cut off", async () => {
    const own = page;
    page = await open(PAGE, { width: 360, height: 740 });
    for (const which of ["grammar", "schema", "tools", "convert"]) {
      await tab(which);
      if (which !== "convert") await until(() => ["incomplete", "refused"].includes(document.getElementById("verdict").textContent));
      const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(wide <= width, `${which}: ${wide} > ${width}`);
      // Phones zoom in on what one writes into if its text is smaller.
      const small = await page.$$eval("input:not([type=checkbox]):not([type=file]), select, .cm-content", (fields) => fields.filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16).map((field) => field.id));
      assert.deepEqual(small, [], which);
    }
    await page.close();
    page = own;
  });

  test("weir runs in the Worker alone, and can be stopped there", async () => {
    const own = page;
    page = await run.browser.newPage();
    // Nothing can freeze a page that has no WebAssembly; Workers have their own.
    await page.evaluateOnNewDocument(() => {
      delete globalThis.WebAssembly;
      const { terminate } = Worker.prototype;
      globalThis.ended = 0;
      Worker.prototype.terminate = function () {
        globalThis.ended++;
        terminate.call(this);
      };
    });
    await page.goto(PAGE);
    await page.waitForSelector("body[data-ready]", WAIT);
    assert.equal(await page.evaluate(() => typeof WebAssembly), "undefined");
    await verdict("incomplete");
    // The button is shown when a call takes longer than 0.6 s, as it does for a text of some megabytes. The page then
    // works as before.
    const long = { tab: "grammar", grammar: { text: String.raw`root ::= [a-z \n]*`, language: "ebnf" }, texts: { grammar: "a text of many words\n".repeat(LONG_LINES) } };
    await page.evaluate((hash) => { location.hash = hash; }, `1${deflateRawSync(JSON.stringify(long)).toString("base64url")}`);
    await page.waitForSelector(".stop", { visible: true, ...WAIT });
    await page.click(".stop");
    await until(() => document.getElementById("explanation").textContent.includes("Stopped"));
    assert.equal(await page.evaluate(() => globalThis.ended), 1);
    await page.select("#gallery", "A date (regular expression)");
    await verdict("incomplete");
    await page.close();
    page = own;
  });

  test("over http from a subfolder", async () => {
    const own = page;
    const server = createServer((request, response) => {
      const path = new URL(request.url, "http://localhost").pathname.replace(/^\/some\/folder\//, "");
      try {
        const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
        response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }).end(readFileSync(join(dist, path)));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      page = await open(`http://127.0.0.1:${server.address().port}/some/folder/index.html`);
      await verdict("incomplete");
      await page.close();
    } finally {
      page = own;
      server.close();
      server.closeAllConnections();
    }
  });

  test("nothing was loaded but the page's own files, and nothing failed", () => {
    const foreign = requests.filter((url) => !/^(file:|blob:|data:|http:\/\/127\.0\.0\.1:\d+\/some\/folder\/)/.test(url));
    assert.deepEqual(foreign, []);
    assert.ok(requests.some((url) => url.endsWith("/playground.js")));
    assert.deepEqual(errors, []);
  });
}
