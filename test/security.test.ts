import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const workspace = join(import.meta.dirname, '..');
const page = readFileSync(join(workspace, 'docs', 'security.md'), 'utf8');
const comment = /^ *(?:\/\/.*|\/\*[\s\S]*?\*\/)/gmu;

interface Row {
  readonly promise: string;
  readonly file: string;
  readonly title: string;
}

const line = /^\| (?<promise>[^|]+?) *\| \[[^\]]+\]\(\.\.\/(?<file>[^)]+)\): (?<marks>`+)(?<title>.+?)\k<marks> *\|$/u;

function rowsOf(text: string): readonly (Row | string)[] {
  return text
    .split('\n')
    .filter((row) => row.startsWith('| ') && !/^\| (?:promise|-+) /u.test(row))
    .map((row) => {
      const { promise = '', file = '', title = '' } = line.exec(row)?.groups ?? {};
      return title === '' ? row : { promise, file, title: title.trim() };
    });
}

/** Whether a test or a group of tests has a title: it stands in quotation marks, where a title stands. */
function isTitled(source: string, title: string): boolean {
  const code = source.replaceAll(comment, '');
  return ["'", '"', '`'].some((mark) => {
    const escaped = title.replaceAll(mark, `\\${mark}`);
    for (let at = code.indexOf(mark + escaped + mark); at !== -1; at = code.indexOf(mark + escaped + mark, at + 1)) {
      const before = code.slice(code.lastIndexOf('\n', at) + 1, at);
      if (/^ *(?:(?:test|describe)\b.*\(|\].*\(|)$/u.test(before)) return true;
    }
    return false;
  });
}

const rows = rowsOf(page);

test('every line of the page is a promise with a file and a title', () => {
  expect(rows.filter((row) => typeof row === 'string')).toEqual([]);
  expect(rows.length).toBeGreaterThan(70);
});

test.each(rows.filter((row) => typeof row !== 'string').map(({ promise, file, title }) => [promise, file, title]))(
  'a test holds: %s',
  (_, file = '', title = '') => {
    expect(existsSync(join(workspace, file)), file).toBe(true);
    expect(isTitled(readFileSync(join(workspace, file), 'utf8'), title), `${file}: ${title}`).toBe(true);
  },
);

test('what the README promises of an install is a part of the page', () => {
  const readme = readFileSync(join(workspace, 'README.md'), 'utf8');
  const promises = [...readme.matchAll(/^- \*\*(Nothing [^*]+)\.\*\*/gmu)].map(([, promise]) => promise);
  const headings = [...page.matchAll(/^## (.+)$/gmu)].map(([, heading]) => heading);
  expect(promises.length).toBe(5);
  expect(headings).toEqual(expect.arrayContaining(promises));
});

test.each([
  ["test('a b', () => {", true],
  ["  'a b',\n", true],
  ["] as const)('a b', () => {", true],
  ["test.skipIf(windows)('a b', () => {", true],
  ["// test('a b', () => {", false],
  ["test('a b c', () => {", false],
  ["const text = 'a b';", false],
])('what counts as a title: %j', (source, expected) => {
  expect(isTitled(source, 'a b')).toBe(expected);
});
