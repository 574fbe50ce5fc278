import fc from 'fast-check';
import type { OddSkill } from './odd-skills/odd-skill.js';
import { oddSkills } from './odd-skills.js';

/** Pieces that mean something to a splitter, a YAML parser or a repair. */
const pieces = [
  '\n',
  '\r\n',
  '\t',
  ' ',
  '  ',
  ': ',
  ':',
  '- ',
  '---',
  '---\n',
  '----',
  '...',
  '```',
  '```yaml\n',
  '~~~\n',
  '<!--',
  '-->',

  '"',
  "'",
  '|',
  '>-\n',
  '[',
  ']',
  '{',
  '}',
  ',',
  '&a ',
  '*a',
  '!!js/function ',
  '!x ',
  '? ',
  '<<: ',
  '%YAML 1.1\n',
  '#',
  '@',
  '`',

  '\uFEFF',
  '\u0000',
  '\u001B[2J',
  '\u202E',
  '\u200B',
  '\u2028',
  '\u{E0041}',
  '\uD800',
  'é',
  '数据',
  '😀',

  'name: ',
  'description: ',
  'allowed-tools: ',
  'metadata:\n  ',
  '__proto__: ',
  'constructor: ',
  'null',
  '1.10',
  '2024-01-01',

  '---js\n',
  'globalThis.executed = true',
  '((globalThis.executed = true))',
  '${globalThis.executed = true}',
];

/** Files made from these by up to `most` edits. */
export function editedSkills(files: readonly OddSkill[], most: number): fc.Arbitrary<string> {
  const texts = files.map(({ source }) => (typeof source === 'string' ? source : new TextDecoder().decode(source)));
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.constantFrom('', ...pieces)), {
    minLength: 1,
    maxLength: most,
  });
  return fc.tuple(fc.constantFrom(...texts), edits).map(([text, made]) =>
    made.reduce((now, [at, cut, piece]) => {
      const from = now.length === 0 ? 0 : at % now.length;
      return now.slice(0, from) + piece + now.slice(from + cut);
    }, text),
  );
}

/** What may stand where a SKILL.md is expected. */
export const anySkillSource: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.uint8Array({ maxLength: 400 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => `---\nname: pdf\n${parts.join('')}`),
  editedSkills(oddSkills, 6),
);

/** The ways in which a SKILL.md is read. */
export const skillOptions = fc.record({
  profile: fc.constantFrom('lenient' as const, 'strict' as const),
  folder: fc.constantFrom(undefined, 'pdf', '..', 'a/b', '数据'),
  fileName: fc.constantFrom(undefined, 'skill.md'),
  rules: fc.constantFrom(undefined, { noAngleBrackets: true, maxBodyLines: 1 }),
});
