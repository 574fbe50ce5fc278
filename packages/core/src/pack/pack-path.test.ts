import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldPath } from '../digest/fold-path.js';
import { judgePath, type PathProblem } from './pack-path.js';

const hostile: ReadonlyArray<readonly [PathProblem, readonly string[]]> = [
  ['path-empty', ['', 'a//b', 'a/', 'a/./b', '.', './a']],
  ['path-absolute', ['/etc/passwd', '\\windows', '\\\\server\\share\\x', '//server/share']],
  ['path-drive', ['C:/x', 'c:x', 'a:b', 'C:\\x']],
  [
    'path-traversal',
    [
      '..',
      '../x',
      'a/../../x',
      'a/..',
      '..\\x',
      'a\\..\\..\\x',
      'a/..\\x',
      'a/\uFF0E\uFF0E/x',
      'a/\u2025/x',
      '..\uFF0Fx',
      'a\uFF3Cx',
    ],
  ],
  ['path-backslash', ['a\\b', 'a/b\\', 'a\\']],
  ['path-control-character', ['a\0b', 'a\nb', 'a\tb', '\u001B[2J', 'a\u007F', 'a\u0085', 'a\u009Bb']],
  [
    'path-invisible-character',
    [
      'a\u200Bb',
      'a\uFEFF',
      'invoice\u202Efdp.md',
      'a\u2066b',
      'a\u00ADb',
      'a\u2028b',
      'a\u3164',
      'a\u{E0041}',
      'a\u034Fb',
      'a\u200Db',
      'a\u200Cb',
      'a/\u200Db',
      '\u200D',
      'م\u200C',
      'a\u200Cم',
      '😀\u200Da',
      '🏴\u{E0067}\u{E0062}\u{E007F}',
    ],
  ],
  ['path-not-unicode', ['a\uD800', '\uDC00a', 'a\uFFFDb']],
  [
    'path-windows-reserved',
    [
      'con',
      'CON',
      'aux.md',
      'a/Nul.tar.gz',
      'prn',
      'com1',
      'COM¹.txt',
      'lpt²',
      'LPT³.x',
      'com0',
      'con .txt',
      'aux.',
      'nul:x',
      'CONIN$',
      'conout$.log',
      'clock$',
      'con/x',
    ],
  ],
  ['path-git-folder', ['.git/config', 'a/.GIT/hooks/x', '.git', 'a/git~1/x', '.ｇit/x', '.git./x', '.git /x']],
  ['path-windows-character', ['a<b', 'a>b', 'ab:c', 'a"b', 'a|b', 'a?b', 'a*b', 'file.md:stream']],
  ['path-trailing-dot-or-space', ['a.', 'a ', 'a./b', 'a /b', ' a', '...', 'a...', 'x/ y']],
  ['path-too-long', ['a'.repeat(256), '数'.repeat(86), `${'a'.repeat(200)}/`.repeat(6).slice(0, -1)]],
  ['path-too-deep', ['a/'.repeat(32) + 'a']],
];

test.each(hostile.flatMap(([problem, paths]) => paths.map((path) => [path, problem] as const)))(
  '%j is refused as %s',
  (path, problem) => {
    expect(judgePath(path)).toBe(problem);
  },
);

test.each([
  'SKILL.md',
  'pdf/SKILL.md',
  'a b/c d.md',
  'straße.md',
  'STRASSE.md',
  '数据/分析.md',
  'données é.md',
  'donne\u0301es.md',
  '.hidden/.gitignore',
  '.github/workflows/x.yml',
  'a/...b',
  '..a',
  'a..b',
  "it's (1) [2] {3} #4 %5 &6 +7 =8 @9 ~x!.md",
  'console.md',
  'comet.md',
  'com10.txt',
  'auxiliary/nullable.ts',
  'aux_.md',
  'git/x',
  'my.git/x',
  '😀.md',
  '❤️.md',
  '👩\u200D💻.md',
  '👩🏽\u200D💻.md',
  '👨\u200D👩\u200D👧\u200D👦 family.md',
  '🏳️\u200D🌈.md',
  '❤️\u200D🔥.md',
  '🇳🇴.md',
  'می\u200Cخواهم.md',
  'ශ්\u200Dරී.md',
  'क्\u200Dष.md',
  '数'.repeat(85),
  'a/'.repeat(31) + 'a',
])('%j is fine', (path) => {
  expect(judgePath(path)).toBeUndefined();
});

test('limits can be set', () => {
  const limits = { depth: 2, pathBytes: 6, componentBytes: 3 };
  expect(judgePath('a/b', limits)).toBeUndefined();
  expect(judgePath('a/b/c', limits)).toBe('path-too-deep');
  expect(judgePath('abcd', limits)).toBe('path-too-long');
  expect(judgePath('abc/def', limits)).toBe('path-too-long');
  expect(judgePath('éé', limits)).toBe('path-too-long');
});

test('what is fine has no way out, on any platform', () => {
  const piece = fc.oneof(
    fc.constantFrom('..', '.', '/', '\\', ':', 'C:', ' ', 'con', '\0', '\u200D', 'a', '.git', '数', '😀', '~', '$'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = pieces.join('');
      if (judgePath(path) !== undefined) return;
      const components = path.split('/');
      expect(path).not.toMatch(/[\p{Cc}\p{Bidi_Control}\\:]/u);
      for (const component of components) expect(component).toMatch(/^(?! )(?!\.\.?$).*[^. ]$/su);
      expect(path.isWellFormed()).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('a path of any length is judged at once', () => {
  const started = performance.now();
  for (const unit of ['a', '/', '../', 'con ', '\u200D', '😀\u200D', '\uD800', ' ', '.', 'م\u200C']) {
    judgePath(unit.repeat(500_000));
  }
  expect(performance.now() - started).toBeLessThan(3_000);
});

test.each([
  ['README.md', 'readme.MD'],
  ['é.md', 'e\u0301.md'],
  ['straße', 'STRASSE'],
  ['straße', 'STRAẞE'],
  ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ['ı', 'I'],
  ['K', '\u212A'],
  ['ſ', 's'],
  ['ﬁle', 'file'],
  ['Å', '\u212B'],
  ['a b', 'a\u00A0b'],
  ['👩\u200D💻', '👩💻'],
  ['❤️', '❤'],
  ['한', '\u1112\u1161\u11AB'],
])('%j and %j may be one file', (left, right) => {
  expect(foldPath(left)).toBe(foldPath(right));
});

test.each([
  ['a', 'b'],
  ['a', 'á'],
  ['o', 'ø'],
  ['а', 'a'],
  ['😀', '😁'],
])('%j and %j are two files', (left, right) => {
  expect(foldPath(left)).not.toBe(foldPath(right));
});

test('case and Unicode form never change the folded form, and folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (text) => {
      const folded = foldPath(text);
      expect(foldPath(folded)).toBe(folded);
      for (const other of [text.normalize('NFD'), text.normalize('NFC'), text.toUpperCase(), text.toLowerCase()]) {
        expect(foldPath(other)).toBe(folded);
      }
    }),
    { numRuns: 1_000 },
  );
});

const plainPart = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aZ9._-+@=, ~$:'), maxLength: 6 }),
  fc.constantFrom('con', 'CON', 'Con.md', 'conx', 'aux.', 'com1', 'com10', 'lpt9.txt', 'nul', '.git', '.GIT', '.gitx'),
  fc.constantFrom('.', '..', '', '.a', 'a.', 'git~1', 'clock$', 'conin$'),
);

test('what is fine at first sight is fine at the second', () => {
  // A letter that is not ASCII is judged at the second sight, and changes nothing for the components beside it.
  const judged = fc.array(plainPart, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(judged, (path) => {
      fc.pre(!/^(?:\/|[A-Z]:|$)/iu.test(path));
      expect(judgePath(path)).toBe(judgePath(`é/${path}`));
    }),
    { numRuns: 5_000 },
  );
});

test('what is fine at first sight keeps the limits', () => {
  const limits = { depth: 2, pathBytes: 20, componentBytes: 10 };
  expect(judgePath('a/b', limits)).toBeUndefined();
  expect(judgePath('a/b/c', limits)).toBe('path-too-deep');
  expect(judgePath('abcdefghijk', limits)).toBe('path-too-long');
  expect(judgePath('abcdefghij/abcdefghi', limits)).toBeUndefined();
  expect(judgePath('abcdefghij/abcdefghij', limits)).toBe('path-too-long');
});

test('folding ASCII is folding what holds a letter that is not', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      expect(`${foldPath(text)}é`).toBe(foldPath(`${text}é`));
    }),
  );
});
