import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { checkSkillPath, isSkillPath } from './skill-path.js';

const component = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    '...',
    '.. ',
    '. .',
    'a',
    'SKILL.md',
    '~',
    'C:',
    '\\',
    '..\\',
    '\u2024\u2024',
    '\uFF0E\uFF0E',
  ),
  fc.constantFrom('\0', 'a\0', '\n', '\uFF0F', '\uD800', 'cafe\u0301', '%2e%2e', '-', '*'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const paths = fc
  .tuple(
    fc.constantFrom('', '/', './', '//', '\\', 'C:', 'c:\\', './/', './/../'),
    fc.array(component, { maxLength: 6 }),
  )
  .map(([start, components]) => `${start}${components.join('/')}`);

/** Where a path ends, as the file systems of Linux and of Windows read it. */
function resolved(
  path: string,
  separator: RegExp,
  nameOf: (component: string) => string,
): readonly string[] | undefined {
  const folders: string[] = [];
  for (const part of path.split(separator).map(nameOf)) {
    if (part === '..' && folders.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') folders.push(part);
  }
  return folders;
}

test('PSA-22: no path holds a control character of either range, or is longer than any file system allows', () => {
  for (const character of ['\u0000', '\u001F', '\u007F', '\u0080', '\u009B', '\u009F']) {
    expect(caught(() => checkSkillPath(`a${character}b`))).toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
    expect(isSkillPath(`a${character}b`)).toBe(false);
  }
  expect(isSkillPath(`a\u00A0b`)).toBe(true);
  const long = (length: number): string => `${'a/'.repeat(length / 2 - 1)}aa`;
  expect([isSkillPath(long(1024)), isSkillPath(long(1026))]).toEqual([true, false]);
  expect(caught(() => checkSkillPath(long(1026)))).toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect([isSkillPath('a'.repeat(255)), isSkillPath('a'.repeat(256))]).toEqual([true, false]);
});

test('PSA-22: of random paths, those that are let through stay below the folder on every system', () => {
  fc.assert(
    fc.property(paths, (path) => {
      let checked: string;
      try {
        checked = checkSkillPath(path);
      } catch {
        return;
      }
      expect(isSkillPath(checked)).toBe(true);
      expect(checked).not.toMatch(/^[\\/]|^[A-Za-z]:|\\|\0/u);
      const components = checked.split('/');
      expect(resolved(checked, /\//u, (part) => part)).toEqual(components);
      // Windows takes dots and spaces from the end of each name, and knows two separators.
      expect(
        resolved(checked, /[\\/]/u, (part) => part.replace(/[. ]+$/u, (end) => (part === end ? part.trimEnd() : ''))),
      ).toHaveLength(components.length);
      expect(resolved(checked.normalize('NFKC'), /[\\/]/u, (part) => part)).toHaveLength(components.length);
    }),
    { numRuns: 5_000 },
  );
});

test('a path is refused by what it does, and says so', () => {
  expect(caught(() => checkSkillPath('../up'))).toMatchObject({
    code: 'PATH_TRAVERSAL_BLOCKED',
    message: 'The path “../up” leads out of the skill (“..”).',
  });
  expect(caught(() => checkSkillPath('a//b'))).toMatchObject({
    code: 'FILE_NOT_FOUND',
    message: 'The path “a//b” has an empty component or “.”, so no file of a skill has it.',
  });
  expect(caught(() => checkSkillPath('x'.repeat(100_000))).message.length).toBeLessThan(400);
});

test('a leading ./ is what skills write, and means nothing', () => {
  expect(checkSkillPath('./references/forms.md')).toBe('references/forms.md');
  expect(checkSkillPath('././a')).toBe('a');
  expect(checkSkillPath('.hidden/..a/a..')).toBe('.hidden/..a/a..');
});
