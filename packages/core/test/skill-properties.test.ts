import { createRequire } from 'node:module';
import fc from 'fast-check';
import {
  parseSkill,
  parseSkillHead,
  readSkill,
  skillDiagnostics,
  SkillsError,
  splitAllowedTools,
} from '@skillpack/core';
import { parseFrontmatter, validateMetadata } from 'skills-ref';
import { afterEach, expect, test } from 'vitest';
import { anySkillSource, editedSkills, skillOptions } from './any-skill-source.js';
import { oddSkills } from './odd-skills.js';

const trap = globalThis as { executed?: boolean };

afterEach(() => {
  if (trap.executed !== undefined) throw new Error('Text of a SKILL.md was executed.');
  if ('polluted' in {}) throw new Error('Text of a SKILL.md changed the prototype of all objects.');
});

const mutated = editedSkills(oddSkills, 6);

test('whatever the bytes are, parsing never throws, and refuses with an error or accepts without one', () => {
  fc.assert(
    fc.property(anySkillSource, skillOptions, (source, given) => {
      for (const parse of [parseSkill(source, given), parseSkillHead(source, given)]) {
        const errors = parse.diagnostics.filter(({ severity }) => severity === 'error');
        expect(errors.length > 0).toBe(parse.kind === 'refused');
        for (const { code, message } of parse.diagnostics) {
          expect(skillDiagnostics).toHaveProperty(code);
          expect(message).not.toMatch(/\p{Cc}|[\u200B\u202E]/u);
        }
      }
    }),
    { numRuns: 1500 },
  );
});

test('whatever the bytes are, the throwing twin throws a SkillsError that says the file is invalid, or nothing', () => {
  let thrown = 0;
  fc.assert(
    fc.property(anySkillSource, skillOptions, (source, given) => {
      try {
        readSkill(source, given);
      } catch (error) {
        if (!SkillsError.isKind(error, 'invalid')) throw error;
        expect(error.data['diagnostics']).toEqual(parseSkill(source, given).diagnostics);
        thrown += 1;
      }
    }),
    { numRuns: 1000 },
  );
  expect(thrown).toBeGreaterThan(100);
});

const unwanted =
  /[^\P{Cc}\n\t]|[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]|\p{Surrogate}/u;

test('PSA-19: whatever stands in the file, no accepted text holds an invisible character or a CR', () => {
  let cleaned = 0;
  fc.assert(
    fc.property(anySkillSource, (source) => {
      const parse = parseSkill(source, { folder: 'pdf' });
      if (parse.kind === 'refused') return;
      const { name, description, license, compatibility, version, author, allowedTools, body } = parse.skill;
      const texts = [name, description, license, compatibility, version, author, ...(allowedTools ?? []), body];
      for (const text of texts) expect(text ?? '').not.toMatch(unwanted);
      if (unwanted.test(typeof source === 'string' ? source : new TextDecoder().decode(source))) cleaned += 1;
    }),
    { numRuns: 1500 },
  );
  expect(cleaned).toBeGreaterThan(100);
});

test('a file that lenient accepts without a warning, written with CRLF and a byte order mark, reads the same', () => {
  let compared = 0;
  fc.assert(
    fc.property(mutated, (text) => {
      const plain = parseSkill(text.replaceAll('\r', '').replaceAll('\uFEFF', ''), { folder: 'pdf' });
      const dressed = parseSkill(
        `\uFEFF${text.replaceAll('\r', '').replaceAll('\uFEFF', '').replaceAll('\n', '\r\n')}`,
        { folder: 'pdf' },
      );
      expect(dressed.kind).toBe(plain.kind);
      if (plain.kind !== 'skill' || dressed.kind !== 'skill') return;
      expect(dressed.skill).toEqual(plain.skill);
      compared += 1;
    }),
    { numRuns: 1500 },
  );
  expect(compared).toBeGreaterThan(200);
});

test('SPEC-05: tools joined by any separator outside parentheses come apart again', () => {
  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/u);
  const argument = fc.stringMatching(/^[a-z:*]{1,6}(?:[ ,][a-z:*]{1,6}){0,3}$/u);
  const tool = fc
    .tuple(word, fc.option(argument))
    .map(([name, inner]) => (inner === null ? name : `${name}(${inner})`));
  fc.assert(
    fc.property(
      fc.uniqueArray(tool, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(' ', ',', ', ', '\n', ' ,  '),
      (tools, separator) => {
        expect(splitAllowedTools(tools.join(separator))).toEqual({ tools, balanced: true });
      },
    ),
  );
});

test('SPEC-09: what strict accepts, the reference validator accepts, however a file is mutated', () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      editedSkills(
        oddSkills.filter(({ strict }) => strict),
        2,
      ),
      (text) => {
        if (parseSkill(text, { profile: 'strict', folder: 'pdf' }).kind === 'refused') return;
        accepted += 1;
        const [metadata] = parseFrontmatter(text);
        expect(validateMetadata(metadata, '/skills/pdf')).toEqual([]);
      },
    ),
    { numRuns: 2500, seed: 20261121 },
  );
  expect(accepted).toBeGreaterThan(200);
});

interface Matter {
  (
    text: string,
    options: { engines: Record<string, { parse: (yaml: string) => object }> },
  ): { matter: string; content: string };
}

test('well-formed files are split where gray-matter splits them', () => {
  const matter = createRequire(import.meta.url)('gray-matter') as Matter;
  const keep = { parse: () => ({}) };
  const line = fc.stringMatching(/^[a-z]{1,8}: [A-Za-z0-9 .,]{0,20}$/u).map((text) => text.trimEnd());
  const text = fc.array(fc.stringMatching(/^[A-Za-z#*. -]{0,20}$/u), { maxLength: 8 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { minLength: 1, maxLength: 8, selector: (one) => one.split(':')[0] }),
      text,
      (lines, body) => {
        const file = `---\n${lines.join('\n')}\n---\n${body}`;
        const parse = parseSkill(file, { folder: 'pdf' });
        const other = matter(file, { engines: { yaml: keep, json: keep, javascript: keep, coffee: keep } });
        expect(parse.kind === 'skill' && parse.skill.body).toBe(other.content);
        expect(parse.kind === 'skill' && Object.keys(parse.skill.frontMatter)).toEqual(
          other.matter
            .trim()
            .split('\n')
            .map((one) => one.split(':')[0]),
        );
      },
    ),
  );
});
