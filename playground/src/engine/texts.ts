// Bytes and texts: positions, and tokens in a form that can be seen.
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const strict = new TextDecoder("utf-8", { fatal: true });

/** Returns the index in `text` of each byte of its UTF-8, and of the end. Bytes within a character have its index. */
export function indicesOfBytes(text: string): Uint32Array {
  const out = new Uint32Array(encoder.encode(text).length + 1);
  let byte = 0;
  for (let i = 0; i < text.length; ) {
    const code = text.codePointAt(i)!;
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    out.fill(i, byte, byte + bytes);
    byte += bytes;
    i += bytes === 4 ? 2 : 1;
  }
  out[byte] = text.length;
  return out;
}

/** Returns the text, or undefined if the bytes are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

const SIGNS: Record<string, string> = { " ": "␣", "\n": "⏎", "\t": "⇥", "\r": "\\r" };

/** Returns a printable form: signs for blanks, `\u{…}` for other control characters, <0xHH> for bytes that are no text. */
export function shownBytes(bytes: Uint8Array): string {
  const text = textOf(bytes);
  if (text === undefined) return [...bytes].map((byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`).join("");
  return text.replace(/[ \n\t\r]/g, (c) => SIGNS[c]!).replace(/[\p{C}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

const CLASSES = [[48, 57], [65, 90], [97, 122], [0, 31], [128, 191], [192, 255]] as const;

/** Returns a set of ascending bytes as a list of characters, and of ranges of digits, of letters and of other bytes. */
export function shownByteSet(bytes: Uint8Array): string[] {
  const one = (byte: number) => SIGNS[String.fromCharCode(byte)] ?? (byte > 32 && byte < 127 ? String.fromCharCode(byte) : `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`);
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; ) {
    const last = CLASSES.find(([from, to]) => bytes[i]! >= from && bytes[i]! <= to)?.[1] ?? 0;
    let end = i;
    while (end + 1 < bytes.length && bytes[end + 1] === bytes[end]! + 1 && bytes[end + 1]! <= last) end++;
    if (end > i + 1) parts.push(`${one(bytes[i]!)}–${one(bytes[end]!)}`);
    else for (let k = i; k <= end; k++) parts.push(one(bytes[k]!));
    i = end + 1;
  }
  return parts;
}

export { encoder, decoder };
