// Converts tokens from the spellings of vocabularies to bytes.
import type { PackedTexts } from "../runtime.js";

export type VocabType = "raw" | "byte_fallback" | "byte_level";

const encoder = new TextEncoder();

/** GPT-2's byte-level alphabet: the byte for each character's code, or NO_BYTE. */
const NO_BYTE = 256;
const BYTE_OF = (() => {
  const table = new Uint16Array(512).fill(NO_BYTE);
  let next = 256;
  for (let byte = 0; byte < 256; byte++) {
    const isPrinted = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    table[isPrinted ? byte : next++] = byte;
  }
  return table;
})();

/** A token has at most this number of bytes for each of its UTF-16 units. */
const BYTES_PER_UNIT = 3;

/** Writes the bytes that a token stands for from `at` on, and returns where they end. */
function decodeInto(token: string, type: VocabType, bytes: Uint8Array, at: number): number {
  if (type === "byte_level") {
    let end = at;
    for (let i = 0; i < token.length; i++) {
      const byte = BYTE_OF[token.charCodeAt(i)] ?? NO_BYTE;
      // A token with a character outside the table, such as <|im_start|>, is spelled literally.
      if (byte === NO_BYTE) return at + encoder.encodeInto(token, bytes.subarray(at)).written;
      bytes[end++] = byte;
    }
    return end;
  }
  if (type === "byte_fallback") {
    const byte = token.length === 6 ? /^<0x([0-9A-Fa-f]{2})>$/.exec(token) : null;
    if (byte) {
      bytes[at] = parseInt(byte[1]!, 16);
      return at + 1;
    }
    token = token.replaceAll("\u2581", " ");
  }
  return at + encoder.encodeInto(token, bytes.subarray(at)).written;
}

/** Returns the bytes that a token stands for. */
export function decodeToken(token: string, type: VocabType): Uint8Array {
  const bytes = new Uint8Array(BYTES_PER_UNIT * token.length);
  return bytes.slice(0, decodeInto(token, type, bytes, 0));
}

/** Returns the bytes of all tokens. An array for each would take some 20 MB for 100,000 tokens. */
export function decodeTokens(tokens: readonly string[], type: VocabType): PackedTexts {
  let bytes = new Uint8Array(8 * tokens.length + 64);
  const ends = new Uint32Array(tokens.length);
  let end = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const needed = end + BYTES_PER_UNIT * token.length;
    if (needed > bytes.length) {
      const longer = new Uint8Array(2 * needed);
      longer.set(bytes);
      bytes = longer;
    }
    end = decodeInto(token, type, bytes, end);
    ends[i] = end;
  }
  return { bytes: bytes.subarray(0, end), ends };
}

const STOP_NAMES = new Set(["</s>", "<eos>", "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|im_end|>", "<|end\u2581of\u2581sentence|>",
  "<end_of_turn>", "<turn|>"]);

/** Returns true for the name of a token that ends an output. */
export function isStopTokenName(token: string): boolean {
  return STOP_NAMES.has(token);
}
