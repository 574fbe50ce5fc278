/** A stretch of letters and digits, and how words are found in it. */
export interface ScriptRun {
  /** `spaced`: it is a word. `unspaced`: its script puts no space between words. `hangul`: a Korean word and its particles. */
  readonly kind: 'spaced' | 'unspaced' | 'hangul';
  readonly text: string;
}

const asciiOnly = /^[\0-\u007F]*$/u;
const asciiRun = /[A-Za-z0-9]+/gu;
const letters = /[\p{L}\p{N}\p{M}]+/gu;
// U+30FC lengthens a vowel of Katakana, and belongs to no script.
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const hangul = String.raw`\p{Script=Hangul}`;
// “PDF” is a word of its own in “PDF文件” and in “PDF를”.
const sameKind = new RegExp(`${unspaced}+|${hangul}+|(?:(?!${unspaced}|${hangul}).)+`, 'gu');
const startsUnspaced = new RegExp(`^${unspaced}`, 'u');
const startsHangul = new RegExp(`^${hangul}`, 'u');

/** The stretches of letters and digits of a text, in Unicode form NFKC, with the case they have. */
export function scriptRuns(text: string): readonly ScriptRun[] {
  // The same for ASCII, in a tenth of the time.
  if (asciiOnly.test(text)) return (text.match(asciiRun) ?? []).map((run) => ({ kind: 'spaced', text: run }));
  return (text.normalize('NFKC').match(letters) ?? [])
    .flatMap((run) => run.match(sameKind) ?? [])
    .map((run) => ({ kind: kindOf(run), text: run }));
}

function kindOf(run: string): ScriptRun['kind'] {
  if (startsUnspaced.test(run)) return 'unspaced';
  return startsHangul.test(run) ? 'hangul' : 'spaced';
}
