// Converts positions: the module counts bytes of UTF-8, JavaScript counts UTF-16 code units.

// A byte order mark is a character of the text: without `ignoreBOM` a decoder drops one at the beginning.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the text of bytes; bytes that are not UTF-8 become U+FFFD. */
export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Returns the number of bytes that a character has in UTF-8. */
const utf8Length = (code: number) => code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

/**
 * Returns the text up to the first byte that does not belong to a whole character; "" if that is the first byte. A character
 * left out in the middle would make it another text.
 */
export function wholeCharacters(bytes: Uint8Array): string {
  const text = textOf(bytes);
  let byte = 0;
  for (let index = 0; index < text.length;) {
    const code = text.codePointAt(index)!;
    const isWritten = code !== 0xfffd || (bytes[byte] === 0xef && bytes[byte + 1] === 0xbf && bytes[byte + 2] === 0xbd);
    if (!isWritten) return text.slice(0, index);
    byte += utf8Length(code);
    index += code < 0x10000 ? 1 : 2;
  }
  return text;
}

/** Converts byte offsets of a text to indices of the string. Ascending offsets are fast. */
export class Offsets {
  readonly #text: string;
  #byte = 0;
  #index = 0;
  constructor(text: string) {
    this.#text = text;
  }
  /** Returns the string index of byte `offset`. For an offset within a character, returns the character's index. */
  index(offset: number): number {
    if (offset < this.#byte) this.#byte = this.#index = 0;
    const text = this.#text;
    while (this.#index < text.length) {
      const code = text.codePointAt(this.#index)!;
      const bytes = utf8Length(code);
      if (this.#byte + bytes > offset) break;
      this.#byte += bytes;
      this.#index += bytes === 4 ? 2 : 1;
    }
    return this.#index;
  }
}

/** Byte offsets as they are: of a text that came in pieces, which nobody has as one string. */
export const sameOffsets = { index: (offset: number): number => offset };

/** Returns true if a string ends with the first half of a surrogate pair. */
export function endsInHalf(text: string): boolean {
  return (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
}

/** Returns the word that is most similar to `word`, for "did you mean", or undefined. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of words) {
    let row = Array.from({ length: candidate.length + 1 }, (_, i) => i);
    for (let i = 1; i <= word.length; i++) {
      const next = [i];
      for (let j = 1; j <= candidate.length; j++) {
        next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (word[i - 1]!.toLowerCase() === candidate[j - 1]!.toLowerCase() ? 0 : 1));
      }
      row = next;
    }
    if (row[candidate.length]! < least) [best, least] = [candidate, row[candidate.length]!];
  }
  return best;
}
