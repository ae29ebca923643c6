// Draws a token from a mask: uniformly, so that people can read the result, or by a model's logits.
import { isTokenInBitmask, type TokenizerInfo } from "weir";

/** A generator of numbers in [0, 1) with a seed (mulberry32): a seed gives the same samples in every browser. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

/** Draws one of the mask's tokens as a model would at this temperature. Returns -1 if the mask is empty. */
export function drawByLogits(bitmask: Int32Array, logits: Float32Array, temperature: number, random: () => number): number {
  let best = -Infinity;
  let drawn = -1;
  logits.forEach((logit, token) => {
    if (!isTokenInBitmask(bitmask, token)) return;
    // The maximum of logits with Gumbel noise is distributed as a draw from their softmax.
    const noisy = logit / temperature - Math.log(-Math.log(random() || 1e-12));
    if (noisy > best) [best, drawn] = [noisy, token];
  });
  return drawn;
}

/** Kinds of tokens: how they look, and how likely a kind is where it may come. A token's kind is the first that matches. */
const KINDS = [
  [/^\s*$/, 0.01], // the space has a kind of its own
  [/^"$/, 3], // ends strings, so that they are short
  [/^ ?[a-z]{2,}$/, 4], // words
  [/^[0-9]{1,2}$/, 1],
  [/^[^\w\s'\\]$/, 0.4], // brackets, commas, operators
  [/^ ?[A-Za-z]+$/, 0.4],
  [/^[ -~]+$/, 0.03],
  [/^/, 0.003],
] as const;
const WEIGHTS = [6, ...KINDS.map(([, weight]) => weight), 0.2];
const SPACE = WEIGHTS.length - 1;

/** Returns the kind of each token, an index of WEIGHTS: 0 for stop tokens. */
export function kindsOfTokens(info: TokenizerInfo): Uint8Array {
  const decoder = new TextDecoder();
  const kinds = Uint8Array.from({ length: info.vocabSize }, (_, token) => {
    const text = decoder.decode(info.tokenBytes(token));
    return text === " " ? SPACE : 1 + KINDS.findIndex(([pattern]) => pattern.test(text));
  });
  for (const token of info.stopTokenIds) kinds[token] = 0;
  return kinds;
}

/**
 * Draws one of the mask's tokens: all are as likely, or, with `kinds`, first a kind is drawn by its weight and then one
 * of its tokens, which gives short texts that people can read. Returns -1 if the mask is empty.
 */
export function drawToken(bitmask: Int32Array, kinds: Uint8Array | undefined, random: () => number): number {
  const counts = new Uint32Array(WEIGHTS.length);
  const drawn = new Int32Array(WEIGHTS.length).fill(-1);
  for (let word = 0; word < bitmask.length; word++) {
    for (let left = bitmask[word]!; left !== 0; left &= left - 1) {
      const token = word * 32 + (31 - Math.clz32(left & -left));
      const kind = kinds ? kinds[token]! : 0;
      if (random() * ++counts[kind]! < 1) drawn[kind] = token;
    }
  }
  let total = 0;
  let out = -1;
  drawn.forEach((token, kind) => {
    if (token < 0) return;
    total += WEIGHTS[kind]!;
    if (random() * total < WEIGHTS[kind]!) out = token;
  });
  return out;
}
