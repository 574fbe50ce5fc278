import { stemEnglish } from './stem-english.js';
import { functionWords } from './function-words.js';

// Made when the first text needs it: it costs 10 ms, and English texts never do.
let segmenter: Intl.Segmenter | undefined;

const asciiOnly = /^[ -~\s]*$/u;
const wordRun = /[\p{L}\p{N}\p{M}]+/gu;
const asciiRun = /[A-Za-z0-9]+/gu;
// U+30FC lengthens a vowel of Katakana, and belongs to no script.
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const scriptRun = new RegExp(`[${unspaced}]+|\\p{Script=Hangul}+|(?:(?![${unspaced}\\p{Script=Hangul}]).)+`, 'gu');
const unspacedStart = new RegExp(`^[${unspaced}]`, 'u');
const hangulStart = /^\p{Script=Hangul}/u;
const humps = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu;
const hump = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;

/**
 * The words of a text by which it is found, in order, repeated ones repeated: letters and digits, in Unicode form NFKC,
 * without case and English endings. `camelCase` is one word and its parts. Text of scripts without spaces is cut by
 * dictionary; of a Korean word, whose end carries particles, it is each pair of syllables.
 */
export function searchWords(text: string): string[] {
  const words: string[] = [];
  if (asciiOnly.test(text)) {
    for (const run of text.match(asciiRun) ?? []) addSpaced(run, words);
    return words;
  }
  for (const run of text.normalize('NFKC').match(wordRun) ?? []) {
    for (const part of run.match(scriptRun) ?? []) {
      if (unspacedStart.test(part)) addUnspaced(part, words);
      else if (hangulStart.test(part)) addPairs(part, words);
      else addSpaced(part, words);
    }
  }
  return words;
}

/** Of words, those that say what a text is about; all of them, where none does. */
export function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !functionWords.has(word));
  return telling.length > 0 ? telling : words;
}

function addSpaced(run: string, words: string[]): void {
  words.push(stemEnglish(run.toLowerCase()));
  if (hump.test(run)) for (const part of run.match(humps) ?? []) words.push(stemEnglish(part.toLowerCase()));
}

function addUnspaced(run: string, words: string[]): void {
  // The locale is fixed so that every machine splits alike; the dictionaries do not depend on it.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike === true) words.push(segment);
}

function addPairs(run: string, words: string[]): void {
  const syllables = [...run];
  if (syllables.length === 1) words.push(run);
  for (let at = 1; at < syllables.length; at += 1) words.push(`${syllables[at - 1]}${syllables[at]}`);
}
