import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DiagnosticLog } from './diagnostic-log.js';
import { readSimpleYaml } from './read-simple-yaml.js';
import { readYaml, type Field } from './read-yaml.js';
import { defaultSkillLimits, type SkillLimits } from './skill-limits.js';

const long = process.env['SKILLPACK_LONG_TESTS'] === '1';
const timeout = { timeout: long ? 300_000 : 30_000 };

/** What the YAML library says of a text: its fields, in order, or a reason why there are none or something to report. */
function byLibrary(text: string, limits: SkillLimits): readonly (readonly [string, Field])[] | string {
  const log = new DiagnosticLog('lenient');
  log.locateIn(`0123456789${text}`);
  const read = readYaml({ text, offset: 10 }, log, limits);
  if (read.kind !== 'fields') return read.kind;
  return log.diagnostics.length > 0 ? log.diagnostics.map(({ code }) => code).join(' ') : [...read.fields];
}

function simply(
  text: string,
  limits: SkillLimits = defaultSkillLimits,
): readonly (readonly [string, Field])[] | undefined {
  const fields = readSimpleYaml({ text, offset: 10 }, limits);
  return fields === undefined ? undefined : [...fields];
}

const keys = [
  'name',
  'description',
  'metadata',
  'allowed-tools',
  'a',
  'x_y',
  'true',
  'null',
  '__proto__',
  'constructor',
  '1',
  '<<',
  'k.e',
];
const words = [
  'pdf',
  'a b',
  'x',
  '1',
  '1.10',
  '-1',
  '0x1F',
  '2024-01-01',
  '1e3',
  '.inf',
  'true',
  'False',
  'null',
  '~',
  'yes',
  '.',
  '..',
  '...',
  '---',
  '-',
  '--',
  '-x',
  '?',
  '? x',
  '?x',
  ':x',
  'a:b',
  'a: b',
  'a:',
  'a :b',
  'http://h/x#y',
  'a #b',
  'a#b',
  '#c',
  '# c',
  '@x',
  '`x`',
  '%x',
  '!x',
  '!!str x',
  '&a x',
  '*a',
  '*',
  '|x',
  '>x',
  '[a]',
  '[a, b]',
  '[ a ,b ]',
  '[]',
  '[a,]',
  '[,a]',
  '[a b, "c, d"]',
  "['a''b']",
  '[a: b]',
  '[a:b]',
  '["a":b]',
  '[1, 2.50, true]',
  '[a',
  'a]',
  '{a: b}',
  '{}',
  '{',
  '}',
  '[[a]]',
  '[a-b, -c]',
  '[*a]',
  '[a #b]',
  '[.a, ...]',
  '[a]b',
  '[a] # c',
  '[a]: b',
  '"q"',
  '"q" ',
  '"a: b"',
  '"a # b"',
  '"a\\"b"',
  '"a\\\\b"',
  '"a\\nb"',
  '"a\\tb"',
  '"\\x41"',
  '"a\\',
  '"a',
  '"a" b',
  '"a" # c',
  '"a": b',
  '""',
  '" a "',
  '"---"',
  "'q'",
  "'it''s'",
  "''",
  "''''",
  "'''",
  "'a",
  "'a' b",
  "'a': b",
  "'a' # c",
  '|',
  '>',
  '|-',
  '>-',
  '|+',
  '>+',
  '|2',
  '>1-',
  '| # c',
  '|-  ',
  '>  x',
  'a, b',
  'a & b',
  'a | b',
  'a > b',
  'x\u00A0',
  '\u00A0x',
  '\u00A0',
  'é',
  '数据：说明',
  '— dash',
  '😀 x',
  '\uD800',
  '\u200Bx',
  '\u0085',
  'a\u2028b',
  '\uFEFFx',
  'a\tb',
  'a\t',
  '\u0007',
  '\u001F',
  '\u0018',
  '\u0002',
  'Use when the user asks for it, or says “do it”.',
  'x'.repeat(130),
  '- a',
  '- - a',
  '-\ta',
  '- a: b',
  '- "a"',
  '- [a]',
];
const indents = ['', '', '', '', ' ', '  ', '  ', '    ', '\t', '- ', '  - ', '-  '];
const line = fc
  .tuple(
    fc.constantFrom(...indents),
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...keys).map((key) => `${key}:`) },
      { weight: 1, arbitrary: fc.constant('') },
    ),
    fc.constantFrom(' ', ' ', ' ', '  ', '', '\t'),
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...words) },
      { weight: 2, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
    ),
    fc.constantFrom('', '', '', ' ', '  ', ' # c', '\r', '\t'),
  )
  .map((parts) => parts.join(''));
const text = fc
  .tuple(
    fc.array(fc.oneof({ weight: 8, arbitrary: line }, { weight: 1, arbitrary: fc.constant('') }), {
      minLength: 1,
      maxLength: 7,
    }),
    fc.constantFrom('\n', '\n', '\n', '', '\n\n'),
    fc.constantFrom('', '', '', '\n', ' '),
  )
  .map(([lines, end, begin]) => begin + lines.join('\n') + end);

/** Lines that often are of the simple form, a line changed here and there: what random lines seldom are. */
const goodValue = fc.constantFrom(
  'pdf',
  'Use it: no',
  'What it does.',
  '"a: b"',
  "'it''s'",
  '[a, b]',
  '1.10',
  'true',
  '',
  '"x\\ny"',
  'https://h.test/#x',
  'ж — и',
);
const goodBlock = fc
  .tuple(
    fc.constantFrom('|', '>', '|-', '>-', '| ', '>-  '),
    fc.constantFrom(' ', '  ', '    '),
    fc.array(
      fc.constantFrom(
        'text',
        'a: b',
        '# no comment',
        '- no item',
        '',
        'more text here',
        ' indented',
        'trailing ',
        '"',
        '---',
        '  ',
        '\u00A0',
        'é',
      ),
      { maxLength: 5 },
    ),
  )
  .map(([header, indent, lines]) => [header, ...lines.map((one) => (one === '' ? '' : indent + one))].join('\n'));
const goodNested = fc
  .tuple(
    fc.constantFrom(' ', '  ', '    '),
    fc.array(fc.tuple(fc.constantFrom('author', 'version', 'b', 'b', 'c'), goodValue), { minLength: 1, maxLength: 3 }),
  )
  .map(([indent, entries]) => `\n${entries.map(([key, value]) => `${indent}${key}: ${value}`).join('\n')}`);
const goodList = fc
  .tuple(
    fc.constantFrom('', ' ', '  '),
    fc.constantFrom('- ', '-  '),
    fc.array(goodValue, { minLength: 1, maxLength: 3 }),
  )
  .map(([indent, bullet, items]) => `\n${items.map((item) => `${indent}${bullet}${item}`).join('\n')}`);
const goodText = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('name', 'description', 'metadata', 'a', 'b', 'c', 'd'),
      fc.oneof(goodValue, goodBlock, goodNested, goodList),
      fc.constantFrom('', '', '', '\n', ' '),
    ),
    { minLength: 1, maxLength: 5, selector: ([key]) => key },
  )
  .map(
    (fields) =>
      `${fields.map(([key, value, after]) => `${key}: ${value}${after}`.replace(': \n', ':\n')).join('\n')}\n`,
  );
const changed = fc
  .tuple(
    goodText,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', '', ' ', '\n', ':', '"', "'", '#', '-', '|', '\t', '[', ',', '  ', '\\', '\n\n', 'x'),
  )
  .map(([good, at, cut, piece]) => {
    const index = at % (good.length + 1);
    return good.slice(0, index) + piece + good.slice(index + cut);
  });

test(
  'what the simple reader answers is what the YAML library answers, field by field, with nothing to report',
  timeout,
  () => {
    let answered = 0;
    let asked = 0;
    fc.assert(
      fc.property(fc.oneof(text, goodText, changed), (yaml) => {
        asked += 1;
        const simple = simply(yaml);
        if (simple === undefined) return;
        answered += 1;
        expect(byLibrary(yaml, defaultSkillLimits)).toEqual(simple);
      }),
      { numRuns: long ? 300_000 : 10_000 },
    );
    // A reader that declines everything would pass.
    expect(answered / asked).toBeGreaterThan(0.1);
  },
);

test('under any limits, too, the simple reader answers what the library does', timeout, () => {
  const limits = fc.record({
    fileBytes: fc.constant(1024),
    frontMatterBytes: fc.constant(1024),
    keys: fc.integer({ min: 0, max: 8 }),
    depth: fc.integer({ min: 0, max: 6 }),
    values: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(goodText, limits, (yaml, few) => {
      const simple = simply(yaml, few);
      if (simple !== undefined) expect(byLibrary(yaml, few)).toEqual(simple);
    }),
    { numRuns: long ? 50_000 : 4_000 },
  );
});

test.each([
  ['name: pdf', 'name', 'pdf'],
  ['version: 1.10', 'version', '1.10'],
  ['count: 3', 'count', 3],
  ['on: true', 'on', true],
  ['empty:', 'empty', null],
  ['quoted: "a: \\"b\\" # c"', 'quoted', 'a: "b" # c'],
  ["quoted: 'it''s'", 'quoted', "it's"],
  ['folded: >-\n  one\n  two\n\n  three', 'folded', 'one two\nthree'],
  ['literal: |\n  one\n    two\n', 'literal', 'one\n  two\n'],
  [
    'metadata:\n  author: me\n  version: "1.0"\n  tags: [a, "b, c", 2]',
    'metadata',
    { author: 'me', version: '1.0', tags: ['a', 'b, c', 2] },
  ],
  ['tools:\n- Read\n- "Bash(git:*)"', 'tools', ['Read', 'Bash(git:*)']],
  ['tools:\n  - Read\n  - Write', 'tools', ['Read', 'Write']],
])('the simple reader answers %j', (yaml, key, value) => {
  expect(simply(yaml)).toMatchObject([[key, { value }]]);
});

test('the simple reader answers a text with as many escapes as the library takes, and none with more', () => {
  // The library counts each backslash.
  const escaped = (backslashes: number): string => `a: "${'\\\\'.repeat(backslashes / 2)}"`;
  const { values } = defaultSkillLimits;
  const most = simply(escaped(values));
  expect(most).toBeDefined();
  expect(byLibrary(escaped(values), defaultSkillLimits)).toEqual(most);
  expect(simply(escaped(values + 2))).toBeUndefined();
  expect(byLibrary(escaped(values + 2), defaultSkillLimits)).toBe('refused');
});

test.each([
  ['name: a: b'],
  ['name: a # comment'],
  ['# comment\nname: a'],
  ['name: a\n  continued'],
  ['name: a\nname: b'],
  ['__proto__: a'],
  ['<<: a'],
  ['name: &anchor a'],
  ['name: *anchor'],
  ['name: !!str a'],
  ['name: {a: b}'],
  ['name:\n  a:\n    b: c'],
  ['name: "a\\x41"'],
  ['name: @a'],
  ['name: `a`'],
  ['\tname: a'],
  ['name: a\r'],
  ['? name\n: a'],
  ['- name'],
  [''],
])('the simple reader leaves %j to the library', (yaml) => {
  expect(simply(yaml)).toBeUndefined();
});

test('the simple reader takes time linear in the text, whatever is repeated in it', () => {
  for (const piece of [
    'a: ',
    ' ',
    '"',
    "'",
    '\\"',
    '[a, ',
    'a b ',
    '- ',
    '\n  - a',
    '\n\n',
    'a:\n',
    '|\n  ',
    '  x\n',
  ]) {
    for (const start of ['a: ', 'a: "', "a: '", 'a: [', 'a: |\n  x', 'a: >\n  x', 'a:\n  b: ', 'a:\n- ']) {
      const repeated = start + piece.repeat(200_000 / piece.length);
      // What is linear takes some 5 ms, what is quadratic seconds. A machine under load may be slow once, not each time.
      expect(
        [1, 2, 3, 4, 5].some(() => millisecondsOf(() => simply(repeated)) < 250),
        JSON.stringify(repeated.slice(0, 20)),
      ).toBe(true);
    }
  }
});

/** What a call costs of the processor. */
function millisecondsOf(call: () => void): number {
  const begun = process.cpuUsage();
  call();
  return process.cpuUsage(begun).user / 1_000;
}
