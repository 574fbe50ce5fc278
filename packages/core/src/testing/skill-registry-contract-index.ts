import type { expect as Expect } from 'vitest';
import { isDigest } from '../digest/is-digest.js';
import { skillScopes } from '../registry/layer-skills.js';
import type { SkillRegistryCase, SkillRegistryCaseSubject } from './skill-registry-contract-case.js';
import { expectCode } from './skill-registry-contract-case.js';

/** What an index holds, and how a skill is found in it. */
export function indexCases(expect: typeof Expect): readonly SkillRegistryCase[] {
  return [
    {
      title: 'an index has one entry a name, in the order of names, with its front matter and no text',
      run: async ({ registry, nameOf, asciiNames }) => {
        const { skills, shadowed, problems, hash } = await registry.index();
        const names = asciiNames ? ['pdf', 'table'] : ['caf\u00E9', 'pdf', 'table'];
        expect(skills.map(({ name }) => name)).toEqual(names.map(nameOf).toSorted());
        expect(skills.map(({ head }) => head.name).toSorted()).toEqual(names);
        expect(skills.filter(({ scope }) => !skillScopes.includes(scope))).toEqual([]);
        expect(new Set(skills.map(({ location }) => location)).size).toBe(skills.length);
        expect(skills.filter((entry) => 'body' in entry || 'body' in entry.head)).toEqual([]);
        expect(skills.find(({ head }) => head.name === 'pdf')?.head.description).toBe(
          'Extracts text and tables from PDF files, and fills forms. Use when somebody has a PDF.',
        );
        expect({ shadowed, problems }).toEqual({ shadowed: [], problems: [] });
        expect(isDigest(hash)).toBe(true);
      },
    },
    {
      title: 'an index is read once however many ask, and kept',
      run: async ({ registry }) => {
        const [first, ...others] = await Promise.all(Array.from({ length: 8 }, async () => registry.index()));
        const later = await registry.index();
        for (const other of [...others, later]) expect(other.skills).toBe(first?.skills);
      },
    },
    {
      title: 'the same skills have the same hash when they are read anew',
      run: async ({ registry }) => {
        const { hash } = await registry.index();
        const hashes = await Promise.all([registry.reload(), registry.reload(), registry.index()]);
        expect(hashes.map((index) => index.hash)).toEqual([hash, hash, hash]);
      },
    },
    {
      title: 'what is listed is what is offered',
      run: async ({ registry }) => {
        const { skills } = await registry.list({});
        const offered = (await registry.index()).skills;
        expect(skills.map(({ name }) => name).toSorted()).toEqual(offered.map(({ name }) => name));
      },
    },
    {
      title: 'a skill is found by its name, whatever scope is asked for, and by its name in another Unicode form',
      run: findByName(expect),
    },
    {
      title: 'a skill is found by its location, with a slash behind it or its SKILL.md',
      run: async ({ registry, skill }) => {
        const pdf = await skill('pdf');
        for (const end of ['', '/', '/SKILL.md']) {
          expect(await registry.getByPath(`${pdf.location}${end}`)).toBe(pdf);
        }
        for (const other of ['', '/', 'SKILL.md', `${pdf.location}x`, `${pdf.location}/scripts`, 'pdf']) {
          expect(await registry.getByPath(other)).toBeUndefined();
        }
      },
    },
    {
      title: 'a search finds the exact name first, as many as asked for, and nothing for nothing',
      run: async ({ registry, nameOf }) => {
        const names = async (query: string, limit?: number) =>
          (await registry.search(query, { limit })).map(({ entry }) => entry.name);
        expect((await registry.search(nameOf('table')))[0]).toMatchObject({ matched: 'name' });
        expect((await names(nameOf('table')))[0]).toBe(nameOf('table'));
        expect((await names('tables from PDF files and CSV', 1)).length).toBe(1);
        expect((await names('CSV'))[0]).toBe(nameOf('table'));
        expect(await names('zzzzqqqq')).toEqual([]);
        expect(await names('')).toEqual([]);
        expect(await names(nameOf('table'), 0)).toEqual([]);
      },
    },
    {
      title: 'a call with an aborted signal is INTERRUPTED, and the next one works',
      run: async (subject) => {
        const { registry } = subject;
        const signal = AbortSignal.abort();
        await expectCode(expect, registry.index({ signal }), 'INTERRUPTED');
        const pdf = await subject.skill('pdf');
        const calls = [
          registry.reload({ signal }),
          registry.list({ signal }),
          registry.get(pdf.name, { signal }),
          registry.getByPath(pdf.location, { signal }),
          registry.files(pdf, { signal }),
          registry.bytes(pdf, 'SKILL.md', { maxBytes: 1_000_000, signal }),
          registry.body(pdf, { signal }),
          registry.read(pdf, 'SKILL.md', { signal }),
          registry.search('pdf', { signal }),
        ];
        await Promise.all(calls.map(async (call) => expectCode(expect, call, 'INTERRUPTED')));
        expect((await registry.index()).skills).toContain(pdf);
      },
    },
  ];
}

function findByName(expect: typeof Expect): (subject: SkillRegistryCaseSubject) => Promise<void> {
  return async ({ registry, nameOf, asciiNames, skill }) => {
    const pdf = await skill('pdf');
    expect((await registry.index()).skills).toContain(pdf);
    for (const source of [undefined, ...skillScopes]) {
      const meant = source === undefined || source === pdf.scope;
      expect(await registry.get({ name: nameOf('pdf'), source })).toBe(meant ? pdf : undefined);
    }
    for (const name of ['', 'nothing', '__proto__', 'constructor', 'nobody/pdf', '/pdf', 'pdf/', '../pdf']) {
      expect(await registry.get(name)).toBeUndefined();
      expect(await registry.get({ name, source: 'user' })).toBeUndefined();
    }
    if (asciiNames) return;
    const cafe = await skill('caf\u00E9');
    expect(await registry.get(nameOf('caf\u00E9').normalize('NFD'))).toBe(cafe);
  };
}
