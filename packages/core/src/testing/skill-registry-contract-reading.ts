import type { expect as Expect } from 'vitest';
import type { SkillSelection } from '../registry/skill-excerpt.js';
import { expectCode, type SkillRegistryCase, type SkillRegistryCaseSubject } from './skill-registry-contract-case.js';
import { contractSkillDigest, contractSkillFiles } from './skill-registry-contract-files.js';

/** How the text and the files of a skill are read. */
export function readingCases(expect: typeof Expect): readonly SkillRegistryCase[] {
  return [
    {
      title: 'a body is the text after the front matter, with the digest and the size of its file',
      run: async ({ registry, skill }) => {
        const text = await registry.body(await skill('pdf'));
        expect(text.skill.body.trim()).toMatch(/^# PDF\n[^]*2\. Answer\.$/u);
        expect(text.skill).toMatchObject({ name: 'pdf', allowedTools: ['Read', 'Bash(python3:*)'] });
        expect(text).toMatchObject({ digest: contractSkillDigest, size: sizeOf('pdf/SKILL.md') });
      },
    },
    {
      title: 'the files of a skill are told by path, with their sizes',
      run: async ({ registry, skill }) => {
        const files = await registry.files(await skill('pdf'), {});
        const paths = Object.keys(contractSkillFiles).filter((path) => path.startsWith('pdf/'));
        expect(files.map(({ path, size }) => ({ path, size }))).toEqual(
          paths.map((path) => ({ path: path.slice('pdf/'.length), size: sizeOf(path) })),
        );
      },
    },
    {
      title: 'bytes are those of the file, up to the limit that is asked for',
      run: async ({ registry, skill }) => {
        const pdf = await skill('pdf');
        const path = 'assets/logo.png';
        const size = sizeOf('pdf/assets/logo.png');
        const expected = contractSkillFiles['pdf/assets/logo.png'];
        expect([...(await registry.bytes(pdf, path, { maxBytes: size }))]).toEqual([...(expected ?? [])]);
        await expectCode(expect, registry.bytes(pdf, path, { maxBytes: size - 1 }), 'FILE_TOO_LARGE');
      },
    },
    {
      title: 'a file that fits is read whole, with its digest, its size and its lines',
      run: async ({ registry, skill }) => {
        const pdf = await skill('pdf');
        expect(await registry.read(pdf, 'SKILL.md')).toEqual({
          path: 'SKILL.md',
          content: 'text',
          text: contractSkillFiles['pdf/SKILL.md'],
          size: sizeOf('pdf/SKILL.md'),
          digest: contractSkillDigest,
          lines: { start: 1, end: 17, total: 17 },
          truncated: false,
          next: undefined,
          outline: [],
        });
        expect((await registry.read(pdf, './SKILL.md')).path).toBe('SKILL.md');
      },
    },
    { title: 'a section is found by its heading, however that is written', run: readSections(expect) },
    {
      title: 'a section that is not there is SECTION_NOT_FOUND, and those that are there are told',
      run: missSections(expect),
    },
    { title: 'lines and bytes are read as they are counted, and no character is split', run: readRanges(expect) },
    { title: 'a file that is too long is read on from where it was cut, until it is whole', run: readOn(expect) },
    {
      title: 'a binary file is described, whatever part of it is asked for',
      run: async ({ registry, skill }) => {
        const pdf = await skill('pdf');
        for (const selection of [{ kind: 'all' }, { kind: 'bytes', start: 2, end: 4 }] as const) {
          const excerpt = await registry.read(pdf, 'assets/logo.png', { selection });
          expect(excerpt).toMatchObject({
            content: 'binary',
            size: 12,
            lines: undefined,
            truncated: false,
            outline: [],
          });
          expect(excerpt.text).toContain('a PNG image of 12 bytes');
        }
      },
    },
    {
      title: 'a file over the limit is FILE_TOO_LARGE, whatever part of it is asked for',
      run: async ({ registry, skill }) => {
        const table = await skill('table');
        const reading = registry.read(table, 'data/large.csv', { selection: { kind: 'lines', start: 1, end: 2 } });
        await expectCode(expect, reading, 'FILE_TOO_LARGE');
      },
    },
  ];
}

type Run = (subject: SkillRegistryCaseSubject) => Promise<void>;

function readSections(expect: typeof Expect): Run {
  return async ({ registry, skill }) => {
    const pdf = await skill('pdf');
    const section = async (heading: string) =>
      registry.read(pdf, 'references/forms.md', { selection: { kind: 'section', heading } });
    const forms = await section('Forms');
    expect(forms.text).toMatch(/^## Forms\n\nWhich fields[^]*## nor this\n[^]*Press them\.\n\n$/u);
    expect(forms).toMatchObject({ lines: { start: 9, end: 21, total: 37 }, truncated: false, next: undefined });
    expect(forms.outline.map(({ level, title }) => `${level} ${title}`)).toEqual([
      '1 Filling',
      '2 Forms',
      '3 Buttons',
      '2 Checks',
      '2 Underlined',
      '1 Printing',
      '2 Forms',
    ]);
    for (const same of ['## Forms', 'forms', ' FORMS ', '#forms', 'Filling > Forms', '# Filling > ## Forms']) {
      expect((await section(same)).text).toBe(forms.text);
    }
    expect((await section('Printing > forms')).text).toBe('## Forms\n\nForms on paper.\n');
    expect((await section('Checks')).text).toContain('## in a comment');
    expect((await section('Underlined')).text).toBe('Underlined\n----------\n\nThe end of Underlined.\n\n');
    expect((await section('Filling')).lines).toEqual({ start: 5, end: 32, total: 37 });
  };
}

function missSections(expect: typeof Expect): Run {
  return async ({ registry, skill }) => {
    const pdf = await skill('pdf');
    for (const heading of ['not a heading', 'nor this', 'in a comment', 'title', 'Printing > Checks', '', '#', '>']) {
      const reading = registry.read(pdf, 'references/forms.md', { selection: { kind: 'section', heading } });
      const error = await expectCode(expect, reading, 'SECTION_NOT_FOUND');
      expect(error?.hint).toContain('# Filling; ## Forms; ### Buttons');
    }
    const plain = registry.read(pdf, 'scripts/fill.py', { selection: { kind: 'section', heading: 'Forms' } });
    await expectCode(expect, plain, 'SECTION_NOT_FOUND');
  };
}

function readRanges(expect: typeof Expect): Run {
  return async ({ registry, skill }) => {
    const pdf = await skill('pdf');
    const read = async (selection: SkillSelection) => registry.read(pdf, 'references/wide.txt', { selection });
    const whole = 'na\u00EFve \u65E5\u672C\u8A9E \u{1F600}\nturned <U+202E>around\nthe end\n';
    expect(await read({ kind: 'all' })).toMatchObject({ text: whole, lines: { start: 1, end: 3, total: 3 } });
    expect(await read({ kind: 'lines', start: 2, end: 2 })).toMatchObject({
      text: 'turned <U+202E>around\n',
      lines: { start: 2, end: 2, total: 3 },
      truncated: false,
    });
    expect((await read({ kind: 'lines', start: 3, end: 99 })).text).toBe('the end\n');
    expect((await read({ kind: 'lines', start: 4 })).text).toBe('');
    const size = sizeOf('pdf/references/wide.txt');
    for (let cut = 0; cut <= size + 1; cut += 1) {
      const before = await read({ kind: 'bytes', start: 0, end: cut });
      const after = await read({ kind: 'bytes', start: cut });
      expect(before.text + after.text).toBe(whole);
      expect(before.text).not.toContain('\uFFFD');
    }
    for (const selection of [
      { kind: 'lines', start: 0 },
      { kind: 'lines', start: 3, end: 2 },
      { kind: 'bytes', start: -1 },
      { kind: 'bytes', start: 0.5 },
    ] as const) {
      await expectCode(expect, read(selection), 'USAGE');
    }
  };
}

function readOn(expect: typeof Expect): Run {
  return async ({ registry, skill }) => {
    const pdf = await skill('pdf');
    for (const path of ['references/long.txt', 'references/one-line.txt']) {
      const pages: string[] = [];
      for (let next: SkillSelection | undefined = { kind: 'all' }; next !== undefined && pages.length < 50;) {
        const excerpt = await registry.read(pdf, path, { selection: next });
        expect(excerpt.text.length).toBeLessThanOrEqual(12_000);
        expect(excerpt.truncated).toBe(excerpt.next !== undefined);
        pages.push(excerpt.text);
        next = excerpt.next;
      }
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.join('') === contractSkillFiles[`pdf/${path}`]).toBe(true);
      // At the end of a line, where there is one.
      if (path === 'references/long.txt') for (const page of pages) expect(page.endsWith('\n')).toBe(true);
    }
  };
}

function sizeOf(path: string): number {
  const content = contractSkillFiles[path] ?? '';
  return typeof content === 'string' ? new TextEncoder().encode(content).length : content.length;
}
