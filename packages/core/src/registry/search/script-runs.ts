/** A part of a text, and how words are found in it. */
export interface ScriptRun {
  /** `spaced`: words and what stands between them. `unspaced`: its script puts no space between words. `hangul`: a Korean word and its particles. */
  readonly kind: 'spaced' | 'unspaced' | 'hangul';
  readonly text: string;
}

// ASCII, and the dashes, quotation marks, arrows and lines of other texts in English: no letter, and none in form NFKC.
const plain = /^[\0-\u007F\u2000-\u2016\u2018-\u203D\u203F-\u206F\u2190-\u21FF\u2500-\u257F]*$/u;
const asciiWords = /[A-Za-z0-9]+/gu;
const letter = String.raw`[\p{L}\p{N}\p{M}]`;
const letters = new RegExp(`${letter}+`, 'gu');
// U+30FC lengthens a vowel of Katakana, and belongs to no script.
const unspaced = String.raw`(?=${letter})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const hangul = String.raw`(?=${letter})\p{Script=Hangul}`;
// “PDF” is a word of its own in “PDF文件” and in “PDF를”.
const otherScripts = new RegExp(`((?:${unspaced})+)|(?:${hangul})+`, 'gu');

const foreignLetter = new RegExp(String.raw`(?![\0-\u007F])${letter}`, 'u');

/** Whether a text has no letter but those of ASCII, in form NFKC, too. */
export function isPlainText(text: string): boolean {
  return plain.test(text);
}

/** The parts of a text, in Unicode form NFKC, with the case they have. */
export function scriptRuns(text: string): readonly ScriptRun[] {
  if (isPlainText(text)) return [{ kind: 'spaced', text }];
  const normal = text.normalize('NFKC');
  const runs: ScriptRun[] = [];
  let end = 0;
  for (const { 0: found, 1: withoutSpaces, index } of normal.matchAll(otherScripts)) {
    if (index > end) runs.push({ kind: 'spaced', text: normal.slice(end, index) });
    runs.push({ kind: withoutSpaces === undefined ? 'hangul' : 'unspaced', text: found });
    end = index + found.length;
  }
  if (end < normal.length) runs.push({ kind: 'spaced', text: normal.slice(end) });
  return runs;
}

/** Whether a run has no letter but those of ASCII. */
export function isPlainRun({ kind, text }: ScriptRun): boolean {
  return kind === 'spaced' && !foreignLetter.test(text);
}

/** The words of a run that has spaces between them, with the case they have. */
export function spacedWords(run: string): readonly string[] {
  return run.match(isPlainText(run) ? asciiWords : letters) ?? [];
}
