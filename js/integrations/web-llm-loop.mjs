// The loop of web-llm: its engine, conversation, pipeline and tokenizer generate with weir, for all response formats.
// This file is bundled with weir's plugin and runs in Node and in Chromium. Of web-llm only the runtime of compiled
// models has a replacement (tvm.mjs).
import { createPipeline, MLCEngine, Tokenizer } from "@mlc-ai/web-llm";
import * as grammars from "weir/compat/web-xgrammar";
import { Llama, readWeights } from "./model.mjs";
import { Runtime } from "./tvm.mjs";

/** web-llm's configuration of the model. */
const CHAT = {
  context_window_size: 1024, sliding_window_size: -1, attention_sink_size: -1, temperature: 1, top_p: 1, repetition_penalty: 1,
  tokenizer_files: ["tokenizer.json"], tokenizer_info: { token_postproc_method: "byte_level", prepend_space_in_encode: false },
  conv_template: {
    system_template: "{system_message}", system_message: "", roles: { user: "<|schema|>", assistant: "<|json|>", tool: "<|schema|>" },
    role_templates: { user: "{user_message}", assistant: "{assistant_message}", tool: "{tool_message}" },
    role_content_sep: "", role_empty_sep: "", seps: [""], stop_str: [],
  },
};

const POINT = { type: "object", properties: { x: { type: "integer", minimum: -5, maximum: 5 }, y: { enum: ["up", "down"] } }, required: ["x", "y"], additionalProperties: false };
const ORDER = { type: "object", properties: { id: { type: "string", pattern: "^[A-Z]{2}[0-9]{3}$" }, lines: { type: "array", items: POINT, minItems: 1, maxItems: 2 } }, required: ["id", "lines"], additionalProperties: false };
const isPoint = ({ x, y, ...others }) => Number.isInteger(x) && x >= -5 && x <= 5 && ["up", "down"].includes(y) && Object.keys(others).length === 0;
const isOrder = ({ id, lines, ...others }) => /^[A-Z]{2}[0-9]{3}$/.test(id) && lines.length >= 1 && lines.length <= 2 && lines.every(isPoint) && Object.keys(others).length === 0;

const json = (schema) => ({ type: "json_object", schema: JSON.stringify(schema) });
const TAG = { type: "structural_tag", format: { type: "triggered_tags", triggers: ["<point>"], tags: [{ type: "tag", begin: "<point>", content: { type: "json_schema", json_schema: POINT }, end: "</point>" }], at_least_one: true, stop_after_first: true } };

/** Each request: what the user asks for, the response format, a test of the text, and what the pipeline does with its matcher. */
const REQUESTS = [
  ["json_object with a schema", POINT, json(POINT), (text) => isPoint(JSON.parse(text)), "made"],
  ["the same format again", POINT, json(POINT), (text) => isPoint(JSON.parse(text)), "reset"],
  ["another schema", ORDER, json(ORDER), (text) => isOrder(JSON.parse(text)), "made"],
  ["a grammar", { type: "string" }, { type: "grammar", grammar: 'root ::= "[" digit ("," digit){2} "]"\ndigit ::= [0-9]' }, (text) => /^\[\d,\d,\d\]$/.test(text), "made"],
  ["a structural tag", POINT, { type: "structural_tag", structural_tag: TAG }, (text) => isPoint(JSON.parse(/^[^]*?<point>([^]*)<\/point>$/.exec(text)[1])), "made"],
  ["the same tag as text", POINT, { type: "structural_tag", structural_tag: JSON.stringify(TAG) }, (text) => isPoint(JSON.parse(/^[^]*?<point>([^]*)<\/point>$/.exec(text)[1])), "reset"],
  ["json_object without a schema", POINT, { type: "json_object" }, (text) => typeof JSON.parse(text) === "object", "made"],
];

/**
 * Runs the loop.
 * @param files config, weights and tokenizer: ArrayBuffers of the model's files
 * @param applyMask for Runtime
 * @param readTokenizer reads the tokenizer in place of web-llm's own tokenizers, which cannot be loaded in Node
 * @returns the outputs and statistics; throws if something is wrong
 */
export async function run({ config, weights, tokenizer }, applyMask, readTokenizer = (data) => Tokenizer.fromJSON(data)) {
  const llama = new Llama(JSON.parse(new TextDecoder().decode(config)), readWeights(weights));
  const runtime = new Runtime(llama, applyMask);
  const chat = { ...CHAT, vocab_size: llama.config.vocab_size, conv_template: { ...CHAT.conv_template, stop_token_ids: [llama.config.eos_token_id] } };
  const engine = new MLCEngine({ logLevel: "ERROR" });
  const pipeline = createPipeline(engine, "model", chat, runtime, await readTokenizer(tokenizer));
  const results = [];
  const check = (condition, text) => {
    if (!condition) throw new Error(`${text}: ${JSON.stringify(results.at(-1))}`);
  };
  let matcher;
  for (const [name, prompt, response_format, isRight, expected] of REQUESTS) {
    const counts = { ...runtime.counts };
    const reply = await engine.chat.completions.create({ messages: [{ role: "user", content: JSON.stringify(prompt) }], response_format, temperature: 0.7, max_tokens: 150, seed: results.length });
    const { message: { content }, finish_reason } = reply.choices[0];
    const { completion_tokens, extra } = reply.usage;
    const matcherWas = pipeline.grammarMatcher === matcher ? "reset" : "made";
    matcher = pipeline.grammarMatcher;
    results.push({ name, content, finish_reason, tokens: completion_tokens, matcher: matcherWas, initSeconds: pipeline.getCurRoundGrammarInitTotalTime(), perTokenSeconds: pipeline.getCurRoundGrammarPerTokenTotalTime() });
    check(matcher instanceof grammars.GrammarMatcher, "the matcher is not weir's");
    check(finish_reason === "stop", "the output did not end");
    check(isRight(content), "the output is wrong");
    check(matcherWas === expected, "the matcher was used in another way");
    check(matcher.isTerminated(), "the matcher did not see the stop token");
    check(runtime.counts.masks - counts.masks === completion_tokens, "a mask for each token");
    check(runtime.counts.prefills === counts.prefills + 1, "one prefill");
    check((matcherWas === "reset" || results.at(-1).initSeconds > 0) && results.at(-1).perTokenSeconds > 0, "no statistics");  // a browser's clock is coarse
    if (response_format.type !== "structural_tag") check(extra.grammar_init_s > 0 && extra.grammar_per_token_s > 0, "web-llm does not report the statistics");
  }
  // A stream: its parts are the text.
  let text = "";
  const again = { messages: [{ role: "user", content: JSON.stringify(POINT) }], response_format: json(POINT), temperature: 0.7, seed: 0 };
  for await (const { choices: [choice] } of await engine.chat.completions.create({ ...again, stream: true })) text += choice?.delta.content ?? "";
  check(isPoint(JSON.parse(text)), "the stream is wrong");
  // A format that cannot be used is weir's error, with the position; the pipeline can be used afterwards.
  let error;
  try {
    await engine.chat.completions.create({ messages: [{ role: "user", content: "{}" }], response_format: { type: "grammar", grammar: 'root ::= "a" missing' } });
  } catch (caught) {
    error = String(caught.message);
  }
  check(/missing/.test(error), `the error says nothing of the grammar: ${error}`);
  const reply = await engine.chat.completions.create(again);
  check(isPoint(JSON.parse(reply.choices[0].message.content)), "after an error");
  await engine.unload();
  return { results, ...runtime.counts };
}
