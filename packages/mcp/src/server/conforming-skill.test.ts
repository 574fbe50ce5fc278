import { parseSkill } from '@skillpack/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conformingSkill } from './conforming-skill.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a SKILL.md that clients take is served as it lies there', async () => {
  const bytes = bytesOf('---\r\nname: pdf\r\ndescription: What it does.\r\nother: [1, "two"]\r\n---\r\nBody\r\n');
  expect(await conformingSkill(bytes, 'pdf')).toEqual({
    kind: 'skill',
    bytes,
    frontMatter: { name: 'pdf', description: 'What it does.', other: [1, 'two'] },
    mended: undefined,
  });
});

test.each([
  ['no front matter', 'Text.'],
  ['no description', '---\nname: pdf\n---\nBody\n'],
])('a SKILL.md with %s is refused with the reason', async (_, text) => {
  expect(await conformingSkill(bytesOf(text), 'pdf')).toMatchObject({ kind: 'refused', reason: expect.any(String) });
});

test('front matter that is written anew says the same, and the body stays byte for byte', async () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
  const fields = fc.record({
    name: word,
    description: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1_500 }),
    compatibility: fc.oneof(word, fc.integer(), fc.constant('x'.repeat(700))),
    metadata: fc.oneof(word, fc.dictionary(word, fc.oneof(word, fc.integer(), fc.boolean()))),
    license: word,
    more: fc.jsonValue(),
  });
  const body = fc.string({ unit: 'binary', maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(fields, body, async (values, text) => {
      const lines = Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
      const bytes = bytesOf(`---\n${lines.join('')}---\n${text}`);
      const before = parseSkill(bytes, { folder: 'pdf' });
      const served = await conformingSkill(bytes, 'pdf');
      if (before.kind === 'refused' || served.kind === 'refused') return;
      const after = parseSkill(served.bytes, { folder: 'pdf' });
      expect(after).toMatchObject({ skill: { body: before.skill.body, license: before.skill.license } });
      const { allowedTools, description, modelInvocable } = before.skill;
      expect(after).toMatchObject({ skill: { allowedTools, description, modelInvocable } });
    }),
  );
});
