// Converts positions: the module counts bytes of UTF-8, JavaScript counts UTF-16 code units.

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
      const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
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
