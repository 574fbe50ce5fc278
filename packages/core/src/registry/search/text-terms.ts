import type { PostingBuilder } from './posting-index.js';
import { isPlainRun, isPlainText, scriptRuns, type ScriptRun } from './script-runs.js';
import { nameParts, runWords } from './search-words.js';
import { stemEnglish } from './stem-english.js';
import { emptyHash, endHash, hashTerm, mixHash, pairTerm } from './term-hash.js';
import { eachGram, gramLength } from './text-grams.js';

/** Where the terms of a text go. A kind that nobody takes is not looked for. */
export interface TermSinks {
  readonly words: readonly PostingBuilder[];
  readonly pairs?: PostingBuilder | undefined;
  readonly pieces?: PostingBuilder | undefined;
}

const space = 32;
const letter = { d: 100, e: 101, g: 103, l: 108, n: 110, s: 115 };
// No term is below 0.
const nothing = -1;
const longestWord = 40;
// What is searched may hold as many words as it likes.
const mostStems = 50_000;

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
  // That run, and where in it the newest word ends.
  #text = '';
  #end = 0;
  // The word before.
  #before = nothing;
  // Of words that were met, without their ends.
  readonly #stems = new Map<string, number>();

  /** Adds the terms of a text to where they go, as often as `halves` says; single characters half as often. */
  add(text: string, sinks: TermSinks, halves: number): void {
    this.#before = nothing;
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
      const term = hashTerm(word);
      for (const builder of sinks.words) builder.add(term, halves);
      if (this.#before !== nothing) sinks.pairs?.add(pairTerm(this.#before, term), halves);
      this.#before = term;
    }
    const { pieces } = sinks;
    if (pieces !== undefined) eachGram([run], (gram, weight) => pieces.add(gram, weight * halves));
  }

  #addPlain(text: string, sinks: TermSinks, halves: number): void {
    if (this.#codes.length < text.length + 2) this.#codes = new Uint8Array(2 * text.length);
    const codes = this.#codes;
    this.#text = text;
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
        this.#end = at;
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
    const word = this.#mayHaveEnd(start) ? this.#stemmed(start) : this.#hash(start);
    for (const builder of words) builder.add(word, halves);
    if (pairs === undefined) return;
    if (this.#before !== nothing) pairs.add(pairTerm(this.#before, word), halves);
    this.#before = word;
  }

  #hash(start: number): number {
    let hash = emptyHash;
    for (let at = start; at < this.#size; at += 1) hash = mixHash(hash, this.#codes[at] ?? 0);
    return endHash(hash);
  }

  #stemmed(start: number): number {
    const word = this.#text.slice(this.#end - this.#size + start, this.#end).toLowerCase();
    const known = this.#stems.get(word);
    if (known !== undefined) return known;
    if (this.#stems.size >= mostStems) this.#stems.clear();
    const term = hashTerm(stemEnglish(word));
    this.#stems.set(word, term);
    return term;
  }

  /** Whether a word ends as one does that `stemEnglish` cuts, which it need not be asked of most words. */
  #mayHaveEnd(start: number): boolean {
    const length = this.#size - start;
    if (length < 4 || length > longestWord) return false;
    const [last, before] = [this.#codes[this.#size - 1], this.#codes[this.#size - 2]];
    if (last === letter.d) return before === letter.e;
    if (last === letter.g) return before === letter.n;
    if (last === letter.l) return before === letter.l;
    return last === letter.s || last === letter.e;
  }
}

/** Each two words that stand side by side, as a number. */
export function wordPairs(words: readonly string[]): readonly number[] {
  return words.slice(1).map((word, at) => pairTerm(hashTerm(words[at] ?? ''), hashTerm(word)));
}
