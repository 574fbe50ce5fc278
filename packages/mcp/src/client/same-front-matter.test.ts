import { parseSkillHead } from '@skillpack/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameFrontMatter } from './same-front-matter.js';

function read(yaml: string): unknown {
  const parse = parseSkillHead(`---\nname: pdf\n${yaml}\n---\n`);
  return parse.kind === 'skill' ? parse.skill.frontMatter['x'] : undefined;
}

test.each([
  ['x: 1.10', 1.1, true],
  ['x: 1.10', '1.10', true],
  ['x: 1.10', 1.11, false],
  ['x: 0x1F', 31, true],
  ['x: yes', true, true],
  ['x: "yes"', false, false],
  ['x: false', false, true],
  ['x: ~', null, true],
  ['x:', null, true],
  ['x: no', null, false],
  ['x: >\n  a\n  b', 'a b\n', true],
  ['x: [a, 1]', ['a', 1], true],
  ['x: [a, 1]', [1, 'a'], false],
  ['x: { a: b }', { a: 'b' }, true],
  ['x: { a: b }', { a: 'b', c: 'd' }, false],
  ['x: { a: b, c: d }', { a: 'b' }, false],
  ['x: a', ['a'], false],
  ['x: a', {}, false],
  ['x: ""', 0, false],
])('%s is the same as %j: %s', (yaml, told, same) => {
  expect(isSameFrontMatter(told, read(yaml))).toBe(same);
});

test('every value of JSON is the same as itself, and a text that says more is another one', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(isSameFrontMatter(value, structuredClone(value))).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), (text, more) => {
      fc.pre(more.trim() !== '');
      expect(isSameFrontMatter(text, `${text}${more}x`)).toBe(false);
    }),
  );
});
