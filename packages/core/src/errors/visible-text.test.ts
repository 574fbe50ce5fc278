import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleLines, visibleText } from './visible-text.js';

const shown: ReadonlyArray<readonly [name: string, text: string, visible: string]> = [
  ['NUL', 'a\u0000b', 'a<U+0000>b'],
  ['bell and backspace', '\u0007\b', '<U+0007><U+0008>'],
  ['an escape sequence', '\u001B[31mred', '<U+001B>[31mred'],
  ['DEL', '\u007F', '<U+007F>'],
  ['C1, the 8-bit CSI', '\u009B31m', '<U+009B>31m'],
  ['soft hyphen', 'a\u00ADb', 'a<U+00AD>b'],
  ['combining grapheme joiner', '\u034F', '<U+034F>'],
  ['Arabic letter mark', '\u061C', '<U+061C>'],
  ['Hangul fillers', '\u115F\u1160\u3164\uFFA0', '<U+115F><U+1160><U+3164><U+FFA0>'],
  ['Khmer inherent vowels', '\u17B4\u17B5', '<U+17B4><U+17B5>'],
  ['Mongolian selectors', '\u180B\u180E\u180F', '<U+180B><U+180E><U+180F>'],
  ['zero-width space', '\u200B', '<U+200B>'],
  ['direction marks', '\u200E\u200F', '<U+200E><U+200F>'],
  ['line and paragraph separator', '\u2028\u2029', '<U+2028><U+2029>'],
  ['overrides and embeddings', '\u202A\u202B\u202C\u202D\u202E', '<U+202A><U+202B><U+202C><U+202D><U+202E>'],
  ['word joiner and invisible operators', '\u2060\u2064', '<U+2060><U+2064>'],
  ['isolates', '\u2066\u2067\u2068\u2069', '<U+2066><U+2067><U+2068><U+2069>'],
  ['byte order mark', '\uFEFF', '<U+FEFF>'],
  ['interlinear annotations', '\uFFF9\uFFFA\uFFFB', '<U+FFF9><U+FFFA><U+FFFB>'],
  ['musical controls', '\u{1D173}\u{1D17A}', '<U+1D173><U+1D17A>'],
  ['tags, which spell hidden text', '\u{E0041}\u{E007F}', '<U+E0041><U+E007F>'],
  ['supplementary variation selectors', '\u{E0100}\u{E01EF}', '<U+E0100><U+E01EF>'],
  ['lone surrogates', '\uD800x\uDC00', '<U+D800>x<U+DC00>'],
];

test.each(shown)('shows %s', (_, text, visible) => {
  expect(visibleText(text)).toBe(visible);
  expect(visibleLines(text)).toBe(visible);
});

test.each(['plain text', 'naïve – “quoted” …', '数据', '👩‍💻 and ❤️', 'می‌خواهم', 'e\u0301', 'a\u00A0b'])(
  'leaves %j as it is',
  (text) => {
    expect(visibleText(text)).toBe(text);
    expect(visibleLines(text)).toBe(text);
  },
);

test('one line for a label, several for a message', () => {
  expect(visibleText('a\r\n\r\n\tb\nc')).toBe('a b c');
  expect(visibleLines('a\r\nb\rc\n\td')).toBe('a\nb\nc\n\td');
});

// Written from the Unicode properties, not from the list in the code.
const control = /[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]/u;
const ignorable = /\p{Default_Ignorable_Code_Point}/u;
const kept = /^[\u200C\u200D\uFE00-\uFE0F]$/u;
const anyText = fc.string({ unit: 'binary', maxLength: 50 });

test('no text leaves a control, bidirectional or ignorable character', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const character of visibleText(text)) expect(control.test(character), text).toBe(false);
      expect(control.test(visibleLines(text).replaceAll(/[\n\t]/gu, ''))).toBe(false);
      expect(visibleText(visibleText(text))).toBe(visibleText(text));
    }),
  );
});

test('every ignorable character of Unicode is shown, but for joiners and emoji variation selectors', () => {
  const hidden: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const visible = visibleText(character) !== character;
    if ((control.test(character) || ignorable.test(character)) && !kept.test(character) && !visible) {
      hidden.push(code.toString(16));
    }
  }
  expect(hidden).toEqual([]);
});
