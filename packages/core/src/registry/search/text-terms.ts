import type { PostingBuilder } from './posting-index.js';
import { isPlainRun, isPlainText, scriptRuns, type ScriptRun } from './script-runs.js';
import { nameParts, runWords } from './search-words.js';
import { emptyHash, endHash, hashTerm, mixHash } from './term-hash.js';
import { eachGram, gramLength } from './text-grams.js';

/** Where the terms of a text go. A kind that nobody takes is not looked for. */
export interface TermSinks {
  readonly words: readonly PostingBuilder[];
  readonly pairs?: PostingBuilder | undefined;
  readonly pieces?: PostingBuilder | undefined;
}

const space = 32;
const letter = { a: 97, e: 101, i: 105, s: 115, u: 117, y: 121 };

// Letters and digits of ASCII without case; 0 for everything else.
const folded = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z0-9]/iu.test(character) ? character.toLowerCase().charCodeAt(0) : 0;
});

/**
 * Finds the terms of texts, one text after another: those that `searchWords`, `wordPairs` and `eachGram` find, as numbers.
 * Plain text, which most is, is read once, and no text is made of what is found in it.
 */
export class TextTerms {
  // A plain run: its words, with one space around each of them.
  #codes = new Uint8Array(4_096);
  #size = 0;
  // The word before, with a space behind it; 0 where there is none.
  #before = 0;

  /** Adds the terms of a text to where they go, as often as `halves` says; single characters half as often. */
  add(text: string, sinks: TermSinks, halves: number): void {
    this.#before = 0;
    if (isPlainText(text)) this.#addPlain(text, sinks, halves);
    else for (const run of scriptRuns(text)) this.#addRun(run, sinks, halves);
  }

  /** As {@link TextTerms.add}, for the names of things: `pdfTools` is also the words `pdf` and `tool`. */
  addName(name: string, sinks: TermSinks, halves: number): void {
    this.add(name, sinks, halves);
    for (const part of nameParts(name)) for (const builder of sinks.words) builder.add(hashTerm(part), halves);
  }

  #addRun(run: ScriptRun, sinks: TermSinks, halves: number): void {
    if (isPlainRun(run)) {
      this.#addPlain(run.text, sinks, halves);
      return;
    }
    for (const word of runWords(run)) {
      const hash = hashFrom(emptyHash, word);
      for (const builder of sinks.words) builder.add(endHash(hash), halves);
      if (this.#before !== 0) sinks.pairs?.add(endHash(hashFrom(this.#before, word)), halves);
      this.#before = mixHash(hash, space);
    }
    const { pieces } = sinks;
    if (pieces !== undefined) eachGram([run], (gram, weight) => pieces.add(gram, weight * halves));
  }

  #addPlain(text: string, sinks: TermSinks, halves: number): void {
    if (this.#codes.length < text.length + 2) this.#codes = new Uint8Array(2 * text.length);
    const codes = this.#codes;
    codes[0] = space;
    let [start, size] = [1, 1];
    for (let at = 0; at <= text.length; at += 1) {
      const read = at < text.length ? text.charCodeAt(at) : space;
      const code = read < 128 ? (folded[read] ?? 0) : 0;
      if (code !== 0) {
        codes[size] = code;
        size += 1;
      } else if (size > start) {
        this.#size = size;
        this.#addWord(start, sinks, halves);
        codes[size] = space;
        size += 1;
        start = size;
      }
    }
    this.#size = size;
    if (size > 1 && sinks.pieces !== undefined) this.#addGrams(sinks.pieces, halves);
  }

  #addGrams(pieces: PostingBuilder, halves: number): void {
    const codes = this.#codes;
    const length = Math.min(gramLength, this.#size);
    const last = this.#size - length;
    for (let from = 0; from <= last; from += 1) {
      let hash = emptyHash;
      for (let at = from; at < from + length; at += 1) hash = mixHash(hash, codes[at] ?? 0);
      pieces.add(endHash(hash), halves);
    }
  }

  #addWord(start: number, { words, pairs }: TermSinks, halves: number): void {
    const cut = this.#endToCut(start);
    const word = this.#hash(emptyHash, start, cut);
    for (const builder of words) builder.add(endHash(word), halves);
    if (pairs === undefined) return;
    if (this.#before !== 0) pairs.add(endHash(this.#hash(this.#before, start, cut)), halves);
    this.#before = mixHash(word, space);
  }

  /** Of a word up to where its end is cut; of three letters, `y` stands for them. */
  #hash(from: number, start: number, cut: number): number {
    let hash = from;
    for (let at = start; at < this.#size - cut; at += 1) hash = mixHash(hash, this.#codes[at] ?? 0);
    return cut === 3 ? mixHash(hash, letter.y) : hash;
  }

  /** How many letters a plural ends with, as `stemEnglish` says. */
  #endToCut(start: number): number {
    const length = this.#size - start;
    if (length < 4 || length > 40 || this.#fromEnd(1) !== letter.s) return 0;
    for (let at = start; at < this.#size; at += 1) if ((this.#codes[at] ?? 0) < letter.a) return 0;
    const [before, third] = [this.#fromEnd(2), this.#fromEnd(3)];
    if (before === letter.e && third === letter.i && length > 4) return 3;
    if (before === letter.e && third === letter.s && this.#fromEnd(4) === letter.s) return 2;
    return before === letter.s || before === letter.u || before === letter.i ? 0 : 1;
  }

  #fromEnd(letters: number): number {
    return this.#codes[this.#size - letters] ?? 0;
  }
}

function hashFrom(hash: number, word: string): number {
  let next = hash;
  for (let at = 0; at < word.length; at += 1) next = mixHash(next, word.charCodeAt(at));
  return next;
}

/** Each two words that stand side by side, as a number. */
export function wordPairs(words: readonly string[]): readonly number[] {
  return words.slice(1).map((word, at) => hashTerm(`${words[at]} ${word}`));
}
