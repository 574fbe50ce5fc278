import { defaultSkillLimits, lintSkill, parseSkill, parseSkillHead } from '@skillpack/core';
import { expect, test } from 'vitest';

const kilobytes64 = defaultSkillLimits.frontMatterBytes - 200;
const megabyte = defaultSkillLimits.fileBytes - 200;

function repeat(piece: string, length: number): string {
  return piece.repeat(Math.floor(length / piece.length));
}

function front(yaml: string, body = 'body'): string {
  return `---\nname: pdf\ndescription: d\n${yaml}\n---\n${body}`;
}

function numbered(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

const laughs = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...[...'bcdefghij'].map((now, at) => `${now}: &${now} [${Array(9).fill(`*${'abcdefghi'[at]}`).join(',')}]`),
];

const hostile: Readonly<Record<string, string | Uint8Array>> = {
  'keys, each another': front(numbered(kilobytes64 / 9, (index) => `k${index}: v`)),
  'one key again and again': front(repeat('a: b\n', kilobytes64)),
  'a flow map of keys': front(`m: {${repeat('a,', kilobytes64)}}`),
  'open brackets': front(`m: ${repeat('[', kilobytes64)}`),
  'open braces': front(`m: ${repeat('{a: ', kilobytes64)}`),
  'list marks in one line': front(`m:\n ${repeat('- ', kilobytes64)}`),
  'key marks in one line': front(repeat('? ', kilobytes64)),
  'ever deeper indentation': front(numbered(350, (index) => `${' '.repeat(index)}a:`)),
  'indentation and list marks': front(numbered(44, (index) => `${' '.repeat(64 * index)}${'- '.repeat(32)}a:`)),
  'blank lines in front matter': front(repeat('\n', kilobytes64)),
  'tabs and blank lines': front(repeat(' \t\n', kilobytes64)),
  comments: front(repeat('#\n', kilobytes64)),
  'bad escapes': front(`a: "${repeat(String.raw`\x`, kilobytes64)}"`),
  anchors: front(repeat('&a ', kilobytes64)),
  tags: front(repeat('!a ', kilobytes64)),
  directives: front(repeat('%a\n', kilobytes64)),
  'closing brackets': front(repeat(']\n', kilobytes64)),
  'quoted words': front(repeat('"a"', kilobytes64)),
  'an alias bomb': front(laughs.join('\n')),
  'one alias, many times': front(`a: &a [${repeat('x,', 3000)}]\nb: [${repeat('*a,', 9000)}]`),
  'broken fields': front(numbered(490, (index) => `k${index}: v: w`)),
  'long broken fields': front(numbered(490, (index) => `k${index}: "v" "w" ${'x '.repeat(40)}`)),
  'an endless first line': `---${repeat('-', megabyte)}`,
  'an endless language': `---${repeat('a', megabyte)}`,
  'spaces after the delimiter': `---${repeat(' ', megabyte)}x`,
  'front matter that never ends': `---\nname: pdf\n${repeat('a: b\n', megabyte)}`,
  'blank lines alone': repeat('\n', megabyte),
  'CRLF alone': repeat('\r\n', megabyte),
  'byte order marks': repeat('\uFEFF', megabyte),
  'comments that never end': `<!--${repeat('<!--', megabyte)}`,
  fences: repeat('```\n', megabyte),
  'invisible characters': front('', repeat('\u202E', megabyte)),
  'lone surrogates': front('', repeat('\uD800', megabyte)),
  'links that never end': front('', repeat('[a](', megabyte)),
  brackets: front('', repeat('[', megabyte)),
  'paths that never end': front('', repeat('scripts/a', megabyte)),
  paths: front('', repeat('scripts/a.b ', megabyte)),
  'definitions that never end': front('', repeat('[a]: ', megabyte)),
  'empty lines': front('', repeat('\n', megabyte)),
  'parentheses in tools': front(`allowed-tools: ${repeat('(', kilobytes64)}`),
  'commas in tools': front(`allowed-tools: ${repeat('a,', kilobytes64)}`),
  'a name of 64 KiB': `---\nname: ${repeat('a', kilobytes64)}\n---\n`,
  'a name of digits': `---\nname: ${repeat('1', kilobytes64)}\n---\n`,
  'a description of colons': front(`description: ${repeat(': ', kilobytes64)}`),
  'bytes that are not UTF-8': new Uint8Array(megabyte).fill(0xff),
  'half of a UTF-16 file': new Uint8Array([0xff, 0xfe, ...Array<number>(9999).fill(0xd8)]),
};

// What is refused or read here takes milliseconds. The ceiling is far above that, and far below what any of these cost
// a parser that is not linear (minutes), so that a slow machine does not fail the test.
test.each(Object.entries(hostile))('a file of 64 KiB to 1 MiB of %s is decided at once', (_, source) => {
  const begun = performance.now();
  for (const profile of ['lenient', 'strict'] as const) {
    expect(['skill', 'refused']).toContain(parseSkill(source, { profile, folder: 'pdf' }).kind);
  }
  parseSkillHead(source, { folder: 'pdf', rules: { noAngleBrackets: true } });
  lintSkill(source, [{ path: 'scripts/a.py', firstLine: 'import os' }], { folder: 'pdf' });
  expect(performance.now() - begun).toBeLessThan(20_000);
});

test('a file over its limit is refused before it is read', () => {
  expect(parseSkill(new Uint8Array(64 * 1024 * 1024))).toMatchObject({
    kind: 'refused',
    diagnostics: [{ code: 'file-too-large' }],
  });
});

test('front matter over 64 KiB of bytes is refused, whatever its length in characters', () => {
  const wide = front(`a: ${'数'.repeat(30_000)}`);
  expect(wide.length).toBeLessThan(defaultSkillLimits.frontMatterBytes);
  expect(parseSkill(wide)).toMatchObject({ kind: 'refused', diagnostics: [{ code: 'front-matter-too-large' }] });
});

test.each([
  ['500 keys', numbered(498, (index) => `k${index}: v`), 'skill'],
  ['501 keys', numbered(499, (index) => `k${index}: v`), 'refused'],
  [
    '501 keys, most of them nested',
    `m: { ${Array.from({ length: 498 }, (_, index) => `k${index}: v`).join(', ')} }`,
    'refused',
  ],
  ['31 lists in one another', `m: ${'['.repeat(31)}${']'.repeat(31)}`, 'skill'],
  ['33 lists in one another', `m: ${'['.repeat(33)}${']'.repeat(33)}`, 'refused'],
  ['an alias bomb', laughs.join('\n'), 'refused'],
] as const)('the limits of front matter: %s', (_, yaml, kind) => {
  const parse = parseSkill(front(yaml), { folder: 'pdf' });
  expect(parse.kind).toBe(kind);
  if (kind === 'refused') expect(parse.diagnostics.map(({ code }) => code)).toContain('front-matter-too-complex');
});

test('limits can be set, and each is named by the message', () => {
  const parse = parseSkill(front('a: b'), { limits: { keys: 2 } });
  expect(parse).toMatchObject({ kind: 'refused', diagnostics: [{ message: expect.stringContaining('2 keys') }] });
});
