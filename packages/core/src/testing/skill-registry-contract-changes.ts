import type { expect as Expect } from 'vitest';
import type { RegistryChange } from '../registry/skill-registry.js';
import { expectCode, type SkillRegistryCase, type SkillRegistryCaseSubject } from './skill-registry-contract-case.js';
import { contractSkillFiles } from './skill-registry-contract-files.js';

type Run = (subject: SkillRegistryCaseSubject) => Promise<void>;

const notes = '---\nname: notes\ndescription: Takes notes.\n---\n\n# Notes\n';
const otherPdf = '---\nname: pdf\ndescription: Reads PDF files in another way.\n---\n\n# PDF, again\n';

/** What happens when a place changes; of a registry whose place cannot, nothing is asked. */
export function changeCases(expect: typeof Expect): readonly SkillRegistryCase[] {
  return [
    { title: 'SAA-13: a change is seen once the registry is read anew', run: seeChanges(expect) },
    { title: 'a listener is told what was added, changed and removed, until it is disposed', run: tellChanges(expect) },
    {
      title: 'SAA-07: a skill that cannot be read is a problem and keeps no other from loading',
      run: async ({ registry, write, nameOf }) => {
        if (write === undefined) return;
        const before = await registry.index();
        await write('broken/SKILL.md', 'This is no skill.\n');
        await write('notes/SKILL.md', notes);
        const after = await registry.reload();
        expect(after.skills.map(({ name }) => name)).toEqual(
          [...before.skills.map(({ name }) => name), nameOf('notes')].toSorted(),
        );
        expect(after.problems.filter(({ location }) => location.includes('broken'))).toMatchObject([
          { code: 'refused' },
        ]);
      },
    },
    {
      title: 'a skill that broke or vanished since the index was read says so when it is read',
      run: async ({ registry, write, skill }) => {
        if (write === undefined) return;
        const [pdf, table] = [await skill('pdf'), await skill('table')];
        await write('pdf/SKILL.md', 'No front matter any more.\n');
        await expectCode(expect, registry.body(pdf), 'INVALID_FRONTMATTER');
        await write('pdf/SKILL.md', undefined);
        const error = await expectCode(expect, registry.body(pdf), 'SKILL_NOT_FOUND');
        expect(error?.message).toContain(pdf.location);
        await write('table/SKILL.md', contractSkillFiles['pdf/SKILL.md'] as string);
        expect((await registry.body(table)).skill.name).toBe('pdf');
      },
    },
  ];
}

function seeChanges(expect: typeof Expect): Run {
  return async ({ registry, write, nameOf, skill }) => {
    if (write === undefined) return;
    const before = await registry.index();
    const table = await skill('table');
    await write('notes/SKILL.md', notes);
    await write('pdf/SKILL.md', otherPdf);
    await write('table/SKILL.md', undefined);
    await write('table/data/large.csv', undefined);
    const after = await registry.reload();
    expect(after.hash).not.toBe(before.hash);
    expect(await registry.index()).toBe(after);
    expect((await skill('notes')).head.description).toBe('Takes notes.');
    expect((await skill('pdf')).head.description).toBe('Reads PDF files in another way.');
    expect((await registry.body(await skill('pdf'))).skill.body).toContain('# PDF, again');
    expect(await registry.get(nameOf('table'))).toBeUndefined();
    expect(await registry.getByPath(table.location)).toBeUndefined();
    await expectCode(expect, registry.body(table), 'SKILL_NOT_FOUND');
    expect((await registry.search('CSV')).map(({ entry }) => entry.name)).not.toContain(nameOf('table'));
    for (const path of ['pdf/SKILL.md', 'table/SKILL.md', 'table/data/large.csv']) {
      await write(path, contractSkillFiles[path] as string);
    }
    await write('notes/SKILL.md', undefined);
    expect((await registry.reload()).hash).toBe(before.hash);
  };
}

function tellChanges(expect: typeof Expect): Run {
  return async ({ registry, write, nameOf }) => {
    if (write === undefined) return;
    const told: RegistryChange[] = [];
    const waiting: (() => void)[] = [];
    const subscription = await registry.subscribe((change) => {
      told.push(change);
      for (const resolve of waiting.splice(0)) resolve();
    });
    const isTold = new Promise<void>((resolve) => void waiting.push(resolve));
    await registry.reload();
    expect(told).toEqual([]);
    await write('notes/SKILL.md', notes);
    await registry.reload();
    await isTold;
    expect(told.map(({ added, removed, changed }) => ({ added, removed, changed }))).toEqual([
      { added: [nameOf('notes')], removed: [], changed: [] },
    ]);
    expect(told[0]?.index.skills.some(({ name }) => name === nameOf('notes'))).toBe(true);
    await subscription[Symbol.asyncDispose]();
    await write('notes/SKILL.md', undefined);
    await registry.reload();
    await registry.index();
    expect(told).toHaveLength(1);
  };
}
