import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSkill, parseSkillHead, readSkill, SkillsError, type SkillParse } from '@skillpack/core';
import { validate } from 'skills-ref';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OddSkill } from './odd-skills/odd-skill.js';
import { oddSkills } from './odd-skills.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillpack-odd-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function parse(odd: OddSkill, profile: 'lenient' | 'strict'): SkillParse {
  return parseSkill(odd.source, { profile, folder: odd.folder ?? 'pdf', fileName: odd.fileName });
}

test('there are at least 60 odd files, each under its own title', () => {
  expect(oddSkills.length).toBeGreaterThanOrEqual(60);
  expect(new Set(oddSkills.map(({ title }) => title)).size).toBe(oddSkills.length);
});

describe.each(oddSkills)('$title', (odd) => {
  test('lenient reports exactly this, and reads exactly this', () => {
    const result = parse(odd, 'lenient');
    expect(result.diagnostics.map(({ code }) => code).toSorted()).toEqual([...odd.codes].toSorted());
    if (odd.reads === undefined) expect(result.kind).toBe('refused');
    else expect(result).toMatchObject({ kind: 'skill', skill: odd.reads });
  });

  test('a head read alone says the same as the whole', () => {
    const whole = parse(odd, 'lenient');
    const head = parseSkillHead(odd.source, { folder: odd.folder ?? 'pdf', fileName: odd.fileName });
    expect(head.kind).toBe(whole.kind);
    if (head.kind === 'skill' && whole.kind === 'skill') {
      const { body: _, ...rest } = whole.skill;
      expect(head.skill).toEqual(rest);
    }
  });

  test('every finding says where it is and what to do', () => {
    for (const profile of ['lenient', 'strict'] as const) {
      for (const { line, column, message, fix } of parse(odd, profile).diagnostics) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(column ?? 1).toBeGreaterThanOrEqual(1);
        expect(message).toMatch(/\S/u);
        expect(fix).toMatch(/\S/u);
        expect(message + fix).not.toMatch(/\p{Cc}|\u202E|\u200B/u);
      }
    }
  });

  test('the throwing twin refuses with a SkillsError what is refused, and nothing else', () => {
    const result = parse(odd, 'strict');
    const attempt = (): unknown => readSkill(odd.source, { profile: 'strict', folder: odd.folder ?? 'pdf' });
    if (result.kind === 'skill') expect(attempt()).toEqual(result.skill);
    else expect(attempt).toThrow(expect.toSatisfy((error) => SkillsError.isKind(error, 'invalid')));
  });

  test(`SPEC-09: strict ${odd.strict ? 'accepts' : 'refuses'} it, and the reference validator ${odd.differs === undefined ? 'does so too' : 'differs, for a stated reason'}`, async () => {
    expect(parse(odd, 'strict').kind).toBe(odd.strict ? 'skill' : 'refused');
    const skill = join(folder, String(oddSkills.indexOf(odd)), odd.folder ?? 'pdf');
    await mkdir(skill, { recursive: true });
    await writeFile(join(skill, odd.fileName ?? 'SKILL.md'), odd.source);
    const problems = await validate(skill);
    if (odd.differs === undefined) expect(problems.length === 0, problems.join('\n')).toBe(odd.strict);
    else {
      expect(problems).toEqual([]);
      expect(odd.strict).toBe(false);
    }
  });
});
