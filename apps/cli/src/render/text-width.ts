// Made when it is needed: most texts are ASCII, and it costs a part of a short command's time.
let segmenter: Intl.Segmenter | undefined;
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Bopomofo}|[\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6])|\uFE0F|\p{Regional_Indicator}{2}/u;
const printableAscii = /^[ -~]*$/u;

/** The columns of a terminal that a text takes which has no control characters. */
export function textWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const segment of graphemes(text)) width += widthOf(segment);
  return width;
}

/** As much of a text as fits into so many columns; what was cut ends with `…`. */
export function fitText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const segment of graphemes(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns > 0 ? `${kept}…` : '';
}

function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

function widthOf(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return /^[\p{M}\p{Cf}]+$/u.test(grapheme) ? 0 : 1;
}
