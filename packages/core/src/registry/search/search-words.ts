import { functionWords } from './function-words.js';
import { isPlainText, scriptRuns, spacedWords, type ScriptRun } from './script-runs.js';
import { stemEnglish } from './stem-english.js';

// Made when the first text needs it: it costs 10 ms, and English texts never do.
let segmenter: Intl.Segmenter | undefined;

const humps = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu;
const isHumped = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;

/**
 * The words of a text, cut into runs, by which it is found, in order, repeated ones repeated: letters and digits, in Unicode form NFKC,
 * without case and the ends of English plurals. Text of scripts without spaces is cut by dictionary. Of a Korean word
 * it is each pair of syllables, since its end carries particles.
 */
export function searchWords(runs: readonly ScriptRun[]): readonly string[] {
  return runs.flatMap(runWords);
}

/** As {@link searchWords}, of one run. */
export function runWords({ kind, text }: ScriptRun): readonly string[] {
  switch (kind) {
    case 'spaced':
      return spacedWords(text).map((word) => stemEnglish(word.toLowerCase()));
    case 'unspaced':
      return dictionaryWords(text);
    case 'hangul':
      return syllablePairs(text);
  }
}

/** The words within words of a name, as capital letters tell them apart: `pdfTools` is `pdf` and `tool`. */
export function nameParts(name: string): readonly string[] {
  if (isPlainText(name) && !isHumped.test(name)) return [];
  const parts = scriptRuns(name)
    .flatMap(({ text }) => spacedWords(text))
    .flatMap((word) => (isHumped.test(word) ? (word.match(humps) ?? []) : []));
  return parts.map((part) => stemEnglish(part.toLowerCase()));
}

/** Of words, those that say what a text is about; all of them, where none does. */
export function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !functionWords.has(word));
  return telling.length > 0 ? telling : words;
}

function dictionaryWords(run: string): string[] {
  // The locale is fixed so that every machine splits alike; the dictionaries do not depend on it.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return Array.from(segmenter.segment(run), ({ segment }) => segment);
}

function syllablePairs(run: string): string[] {
  const syllables = Array.from(run);
  if (syllables.length === 1) return syllables;
  return syllables.slice(1).map((syllable, at) => `${syllables[at]}${syllable}`);
}
