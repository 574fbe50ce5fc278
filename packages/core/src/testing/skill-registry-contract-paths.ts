import type { expect as Expect } from 'vitest';
import type { ErrorCode } from '../errors/codes.js';
import { expectCode, type SkillRegistryCase } from './skill-registry-contract-case.js';

const hostile: readonly (readonly [path: string, code: ErrorCode])[] = [
  ['../table/SKILL.md', 'PATH_TRAVERSAL_BLOCKED'],
  ['references/../../table/SKILL.md', 'PATH_TRAVERSAL_BLOCKED'],
  ['references/..', 'PATH_TRAVERSAL_BLOCKED'],
  ['./../table/SKILL.md', 'PATH_TRAVERSAL_BLOCKED'],
  ['..', 'PATH_TRAVERSAL_BLOCKED'],
  ['.. /table/SKILL.md', 'PATH_TRAVERSAL_BLOCKED'],
  ['\uFF0E\uFF0E/table/SKILL.md', 'PATH_TRAVERSAL_BLOCKED'],
  ['..\uFF0Ftable/SKILL.md', 'PATH_TRAVERSAL_BLOCKED'],
  ['/etc/passwd', 'PATH_TRAVERSAL_BLOCKED'],
  ['//host/share', 'PATH_TRAVERSAL_BLOCKED'],
  ['\\\\host\\share', 'PATH_TRAVERSAL_BLOCKED'],
  ['C:/Windows/win.ini', 'PATH_TRAVERSAL_BLOCKED'],
  ['c:secret', 'PATH_TRAVERSAL_BLOCKED'],
  ['..\\table\\SKILL.md', 'PATH_TRAVERSAL_BLOCKED'],
  ['references\\forms.md', 'PATH_TRAVERSAL_BLOCKED'],
  ['SKILL.md\0', 'PATH_TRAVERSAL_BLOCKED'],
  ['SKILL.md\0.png', 'PATH_TRAVERSAL_BLOCKED'],
  ['references/\nforms.md', 'PATH_TRAVERSAL_BLOCKED'],
  ['', 'FILE_NOT_FOUND'],
  ['.', 'FILE_NOT_FOUND'],
  ['references', 'FILE_NOT_FOUND'],
  ['references/', 'FILE_NOT_FOUND'],
  ['references//forms.md', 'FILE_NOT_FOUND'],
  ['references/./forms.md', 'FILE_NOT_FOUND'],
  ['references/*.md', 'FILE_NOT_FOUND'],
  ['SKILL.md/x', 'FILE_NOT_FOUND'],
  ['SKILL.md/', 'FILE_NOT_FOUND'],
  ['~/SKILL.md', 'FILE_NOT_FOUND'],
  ['$HOME/SKILL.md', 'FILE_NOT_FOUND'],
  ['%2e%2e/table/SKILL.md', 'FILE_NOT_FOUND'],
  ['file:///etc/passwd', 'FILE_NOT_FOUND'],
  ['__proto__', 'FILE_NOT_FOUND'],
  ['constructor/name', 'FILE_NOT_FOUND'],
  ['references/\uD800.md', 'FILE_NOT_FOUND'],
  [`references/${'x'.repeat(300)}.md`, 'FILE_NOT_FOUND'],
  ['a/'.repeat(3_000), 'FILE_NOT_FOUND'],
];

/** Which paths and which skills are refused. */
export function pathCases(expect: typeof Expect): readonly SkillRegistryCase[] {
  return [
    {
      title: 'PSA-22: no path leads out of a skill: it is refused before anything is read',
      run: async ({ registry, skill }) => {
        const pdf = await skill('pdf');
        for (const [path, code] of hostile) {
          await expectCode(expect, registry.read(pdf, path), code);
          await expectCode(
            expect,
            registry.read(pdf, path, { selection: { kind: 'section', heading: 'Forms' } }),
            code,
          );
          await expectCode(expect, registry.bytes(pdf, path, { maxBytes: 1_000_000 }), code);
        }
      },
    },
    {
      title: 'a file that is not there is FILE_NOT_FOUND, and those that may be meant are told',
      run: async ({ registry, skill }) => {
        const pdf = await skill('pdf');
        for (const path of ['forms.md', 'references/Forms.txt', 'reference/forms.md', 'references/from.md']) {
          const error = await expectCode(expect, registry.read(pdf, path), 'FILE_NOT_FOUND');
          expect(error?.hint).toContain('references/forms.md');
        }
        const error = await expectCode(expect, registry.read(pdf, 'nothing/like-it'), 'FILE_NOT_FOUND');
        expect(error?.hint).toContain('SKILL.md');
      },
    },
    {
      title: 'a skill that is not in the index is SKILL_NOT_FOUND, whatever its entry says',
      run: async ({ registry, skill }) => {
        const pdf = await skill('pdf');
        for (const location of ['/etc', `${pdf.location}/scripts`, '', '/', '..', `${pdf.location}/../table`]) {
          const forged = { ...pdf, location };
          await expectCode(expect, registry.body(forged), 'SKILL_NOT_FOUND');
          await expectCode(expect, registry.files(forged, {}), 'SKILL_NOT_FOUND');
          await expectCode(expect, registry.read(forged, 'SKILL.md'), 'SKILL_NOT_FOUND');
          await expectCode(expect, registry.bytes(forged, 'passwd', { maxBytes: 100 }), 'SKILL_NOT_FOUND');
        }
      },
    },
  ];
}
