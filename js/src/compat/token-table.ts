// Converts tokens from the spellings of vocabularies to bytes.
import type { PackedTexts } from "../runtime.js";

export type VocabType = "raw" | "byte_fallback" | "byte_level";

const encoder = new TextEncoder();

/** GPT-2's byte-level alphabet: the byte for each character. */
const BYTE_OF = (() => {
  const table = new Map<number, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) {
    const isPrinted = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    table.set(isPrinted ? byte : next++, byte);
  }
  return table;
})();

/** Returns the bytes that a token stands for. */
export function decodeToken(token: string, type: VocabType): Uint8Array {
  if (type === "byte_fallback") {
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(token);
    return byte ? Uint8Array.of(parseInt(byte[1]!, 16)) : encoder.encode(token.replaceAll("\u2581", " "));
  }
  if (type === "byte_level") {
    const bytes: number[] = [];
    for (const character of token) {
      const byte = BYTE_OF.get(character.codePointAt(0)!);
      // A token with a character outside the table, such as <|im_start|>, is spelled literally.
      if (byte === undefined) return encoder.encode(token);
      bytes.push(byte);
    }
    return new Uint8Array(bytes);
  }
  return encoder.encode(token);
}

/** Returns the bytes of all tokens. An array for each would take some 20 MB for 100,000 tokens. */
export function decodeTokens(tokens: readonly string[], type: VocabType): PackedTexts {
  let bytes = new Uint8Array(8 * tokens.length + 64);
  const ends = new Uint32Array(tokens.length);
  let end = 0;
  tokens.forEach((token, i) => {
    const decoded = decodeToken(token, type);
    if (end + decoded.length > bytes.length) {
      const longer = new Uint8Array(2 * (end + decoded.length));
      longer.set(bytes);
      bytes = longer;
    }
    bytes.set(decoded, end);
    end += decoded.length;
    ends[i] = end;
  });
  return { bytes: bytes.subarray(0, end), ends };
}

const STOP_NAMES = new Set(["</s>", "<eos>", "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|im_end|>", "<|end\u2581of\u2581sentence|>",
  "<end_of_turn>", "<turn|>"]);

/** Returns true for the name of a token that ends an output. */
export function isStopTokenName(token: string): boolean {
  return STOP_NAMES.has(token);
}
