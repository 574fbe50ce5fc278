import fc from 'fast-check';

/** Pieces that mean something to whoever reads a text of ours. */
export const textPieces = [
  '"',
  "'",
  '\\',
  '\\u0000',
  '\\u005f',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r\n',
  ' ',
  '\t',
  '/',
  '../',
  './',
  '//',
  '.',
  '-',
  '+',
  '@',
  '^',
  '~',
  '*',
  '**',
  '?',
  '!',
  '#',
  '%00',
  '%2e',
  '$',
  '|',
  '||',
  '<',
  '>',
  '>=',
  '=',
  '=======\n',
  '\n<<<<<<< ours\n',
  '\n>>>>>>> theirs\n',
  '\n||||||| base\n',
  '\uFEFF',
  '\u0000',
  '\u001B[2J',
  '\u202E',
  '\u200B',
  '\u2028',
  '\u{E0041}',
  '\uD800',
  '\uDC00',
  'é',
  'e\u0301',
  '数据',
  '😀',
  'İ',
  'ß',
  'ﬁ',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'true',
  '-0',
  '1e999',
  '9007199254740993',
  '0x10',
  'x'.repeat(300),
  '1.0.0',
  'org/pdf',
  'latest',
  'https://user:secret@example.org/',
  'file:///etc/passwd',
  'C:\\',
  '~',
  'aux',
  'nul.txt',
  '.git',
] as const;

/** One change of a text. */
interface TextEdit {
  readonly at: number;
  readonly cut: number;
  readonly piece: string;
}

const textEdit: fc.Arbitrary<TextEdit> = fc.record({
  at: fc.nat(),
  cut: fc.oneof(fc.constant(0), fc.nat(12)),
  piece: fc.oneof(fc.constantFrom('', ...textPieces), fc.string({ unit: 'binary', maxLength: 4 })),
});

/** Texts made from others by up to `most` changes; by none, too, when `least` is 0. */
export function editedText(
  text: fc.Arbitrary<string>,
  { least = 1, most = 6 }: { readonly least?: number; readonly most?: number } = {},
): fc.Arbitrary<string> {
  const edits = fc.array(textEdit, { minLength: least, maxLength: most });
  return fc.tuple(text, edits).map(([start, made]) =>
    made.reduce((now, { at, cut, piece }) => {
      const from = at % (now.length + 1);
      return now.slice(0, from) + piece + now.slice(from + cut);
    }, start),
  );
}

/** Texts that follow no rule at all. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...textPieces), { maxLength: 30 }).map((parts) => parts.join('')),
);
