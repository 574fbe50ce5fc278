import { parseSimpleSkillHead, parseSkill, parseSkillHead, type ParseSkillOptions } from '@skillpack/core';
import { expect, test } from 'vitest';
import { oddSkills } from './odd-skills.js';

const profiles = ['lenient', 'strict'] as const;

test('of every odd file, a simple head is the head, with the same findings, or it is left to the library', () => {
  let answered = 0;
  for (const { source, folder = 'pdf', fileName } of oddSkills) {
    for (const profile of profiles) {
      const asked: ParseSkillOptions = { folder, fileName, profile };
      const simple = parseSimpleSkillHead(source, asked);
      if (simple === undefined) continue;
      answered += 1;
      expect(simple).toEqual(parseSkillHead(source, asked));
    }
  }
  expect(answered).toBeGreaterThan(50);
});

test('of every odd file, the head alone says what the whole says of its front matter', () => {
  for (const { source, folder = 'pdf', fileName } of oddSkills) {
    for (const profile of profiles) {
      const asked: ParseSkillOptions = { folder, fileName, profile };
      const head = parseSkillHead(source, asked);
      const whole = parseSkill(source, asked);
      if (head.kind === 'skill' && whole.kind === 'skill') {
        const { body: _, ...rest } = whole.skill;
        expect(head.skill).toEqual(rest);
      }
      // What only the body can be charged with is missing from the head, and nothing else.
      for (const found of head.diagnostics) expect(whole.diagnostics).toContainEqual(found);
    }
  }
});

test('nothing after the front matter is read, nor kept', () => {
  const front = new TextEncoder().encode('---\nname: pdf\ndescription: d\n---\n');
  const file = new Uint8Array(front.length + 4);
  file.set(front);
  file.set([0x0d, 0x0a, 0xff, 0xfe], front.length);
  expect(parseSkillHead(file, { folder: 'pdf' })).toMatchObject({ kind: 'skill', diagnostics: [] });
  expect(parseSkill(file, { folder: 'pdf' }).diagnostics.map(({ code }) => code)).toContain('encoding-invalid');
});
