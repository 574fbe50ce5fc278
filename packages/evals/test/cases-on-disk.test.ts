import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SkillsError } from '@skillpack/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caseFilesIn } from '../src/case/case-files-in.js';
import { findSuites } from '../src/case/find-suites.js';
import { formatSuite } from '../src/case/format-suite.js';
import { parseSuite } from '../src/case/parse-suite.js';
import { readSuite } from '../src/case/read-suite.js';

let top = '';
beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), 'cases-'));
});
afterAll(async () => rm(top, { recursive: true, force: true }));

async function write(path: string, text: string | Uint8Array): Promise<string> {
  const full = join(top, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, text);
  return full;
}

const own = (id: string) => `formatVersion: 1\ncases: [{ id: ${id}, input: Do it. }]\n`;
const skill = (name: string) => `---\nname: ${name}\ndescription: Does it.\n---\nDo it.\n`;
const triggers = JSON.stringify([
  { query: 'Read a.pdf', should_trigger: true },
  { query: 'Read a.docx', should_trigger: false },
]);

const isCode = (code: Parameters<typeof SkillsError.is>[1]) => (error: unknown) => SkillsError.is(error, code);

describe('files of a case', () => {
  test('are read from below the folder of the suite', async () => {
    await write('files/evals/files/a.bin', Uint8Array.of(0, 255));
    const files = caseFilesIn(join(top, 'files/evals'));
    expect(await files.read('files/a.bin')).toEqual({ path: 'files/a.bin', bytes: Uint8Array.of(0, 255) });
    await expect(files.read('files/b.bin')).rejects.toSatisfy(isCode('FILE_NOT_FOUND'));
    await expect(files.read('files')).rejects.toSatisfy(isCode('FILE_NOT_FOUND'));
  });

  test.for(['../secret', '/etc/passwd', 'files/../../secret', 'C:/secret', '..', String.raw`..\secret`])(
    'no path leads out: %s',
    async (path) => {
      await write('out/secret', 'x');
      await mkdir(join(top, 'out/evals/files'), { recursive: true });
      await expect(caseFilesIn(join(top, 'out/evals')).read(path)).rejects.toSatisfy(isCode('PATH_TRAVERSAL_BLOCKED'));
    },
  );

  test.for(['a\0b', '', 'a//b', './a', 'con', 'a\u202Eb'])('no file has such a path: %j', async (path) => {
    await expect(caseFilesIn(top).read(path)).rejects.toSatisfy(isCode('FILE_NOT_FOUND'));
  });

  test('no link leads out, be it a file or a folder on the way', async () => {
    await write('links/secret/a.txt', 'x');
    await mkdir(join(top, 'links/evals'), { recursive: true });
    await symlink('../secret/a.txt', join(top, 'links/evals/a.txt'));
    await symlink('../secret', join(top, 'links/evals/files'));
    const files = caseFilesIn(join(top, 'links/evals'));
    await expect(files.read('a.txt')).rejects.toSatisfy(isCode('PATH_TRAVERSAL_BLOCKED'));
    await expect(files.read('files/a.txt')).rejects.toSatisfy(isCode('PATH_TRAVERSAL_BLOCKED'));
  });

  test('a pipe is not waited for, and a file of gigabytes is not read', async () => {
    await mkdir(join(top, 'odd'), { recursive: true });
    const files = caseFilesIn(join(top, 'odd'));
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [join(top, 'odd/pipe')]);
      await expect(files.read('pipe')).rejects.toSatisfy(isCode('FILE_NOT_FOUND'));
    }
    const large = await write('odd/large', '');
    await truncate(large, 5 * 1024 ** 3);
    await expect(files.read('large')).rejects.toSatisfy(isCode('FILE_TOO_LARGE'));
    await write('odd/small', 'four');
    await expect(caseFilesIn(join(top, 'odd'), { maxBytes: 3 }).read('small')).rejects.toSatisfy(
      isCode('FILE_TOO_LARGE'),
    );
  });
});

describe('PSA-35: reading a suite', () => {
  test('in the folder of a skill it is about that skill, by the name that the skill says', async () => {
    await write('read/pdf/SKILL.md', skill('pdf'));
    const path = await write('read/pdf/evals/tasks.yaml', own('a'));
    const read = await readSuite(path);
    expect(read).toMatchObject({ format: 'skillpack', notes: [], path, folder: dirname(path) });
    expect(read.suite).toMatchObject({ name: 'pdf-tasks', skills: ['pdf'] });
    await write('read/folder-of-it/SKILL.md', skill('table'));
    const named = await readSuite(await write('read/folder-of-it/evals/a.yaml', own('a')));
    expect(named.suite).toMatchObject({ name: 'table-a', skills: ['table'] });
    const elsewhere = await write('read/cases/tasks.yaml', own('a'));
    expect((await readSuite(elsewhere)).suite).toMatchObject({ name: 'tasks', skills: [] });
  });

  test('its files are taken from its folder, and those that are not there are told with their place', async () => {
    const path = await write(
      'from/a.yaml',
      'formatVersion: 1\ncases: [{ id: a, input: b, files: { x.txt: { from: in/x.txt } } }]',
    );
    await expect(readSuite(path)).rejects.toThrow(/at cases\.0\.files\.x\.txt: .* has no file “in\/x\.txt”/u);
    await write('from/in/x.txt', 'text');
    expect((await readSuite(path)).suite.cases[0]?.files).toEqual([
      { path: 'x.txt', bytes: new TextEncoder().encode('text') },
    ]);
    const out = await write(
      'from/b.yaml',
      'formatVersion: 1\ncases: [{ id: a, input: b, files: { x: { from: ../../etc/passwd } } }]',
    );
    await expect(readSuite(out)).rejects.toSatisfy(isCode('PATH_TRAVERSAL_BLOCKED'));
  });

  test('of another tool gives the suite with what was not taken over', async () => {
    await write('foreign/csv/SKILL.md', skill('csv'));
    await write('foreign/csv/evals/files/sales.csv', 'a,b\n1,2\n');
    const path = await write(
      'foreign/csv/evals/evals.json',
      JSON.stringify({
        skill_name: 'csv',
        evals: [
          {
            id: 1,
            prompt: 'Plot it.',
            expected_output: 'A plot.',
            files: ['evals/files/sales.csv'],
            assertions: ['It has bars'],
          },
        ],
      }),
    );
    const { format, suite, notes } = await readSuite(path);
    expect(format).toBe('agentskills');
    expect(suite.skills).toEqual(['csv']);
    expect(suite.cases[0]?.conversation).toEqual([{ input: 'Plot it.' }]);
    expect(suite.cases[0]?.files.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(['a,b\n1,2\n']);
    expect(suite.cases[0]?.expected.output).toContainEqual(
      expect.objectContaining({ kind: 'rubric', statement: 'It has bars' }),
    );
    expect(notes.length).toBeGreaterThan(0);
    const beside = await write(
      'foreign/csv/evals/more.json',
      JSON.stringify({ skill_name: 'csv', evals: [{ id: 1, prompt: 'Plot it.', files: ['files/sales.csv'] }] }),
    );
    expect((await readSuite(beside)).suite.cases[0]?.files).toHaveLength(1);
    const set = await readSuite(await write('foreign/csv/evals/trigger-evals.json', triggers));
    expect(set.format).toBe('trigger-list');
    expect(set.suite.cases.map(({ kind, expected }) => [kind, expected.skills])).toEqual([
      ['trigger', { allOf: ['csv'] }],
      ['trigger', { none: ['csv'] }],
    ]);
  });

  test('of another tool that does not say its skill is about the one that is given', async () => {
    const path = await write('bare/triggers.json', triggers);
    await expect(readSuite(path)).rejects.toSatisfy(isCode('INVALID_CASE'));
    const { suite } = await readSuite(path, { skill: 'pdf', name: 'mine' });
    expect(suite).toMatchObject({ name: 'mine', cases: [{ expected: { skills: { allOf: ['pdf'] } } }, {}] });
    const ours = await write('bare/ours.yaml', own('a'));
    expect((await readSuite(ours, { skill: 'pdf' })).suite).toMatchObject({ name: 'pdf-ours', skills: ['pdf'] });
  });

  test('with a slip is told by our own rules, as is one that is no text', async () => {
    const bare = await write('slip/c.yaml', 'cases:\n  - id: a\n    input: b\n    expected:\n      skills: pdf\n');
    await expect(readSuite(bare)).rejects.toThrow('at formatVersion: expected 1, which is missing');
    const path = await write('slip/a.yaml', 'formatVersion: 1\ncases: [{ id: a, inputs: b }]');
    await expect(readSuite(path)).rejects.toThrow('expected no field “inputs” (there is input)');
    const binary = await write('slip/b.yaml', Uint8Array.of(0xff, 0xfe, 0));
    await expect(readSuite(binary)).rejects.toThrow('is no text in UTF-8');
    await expect(readSuite(join(top, 'slip/none.yaml'))).rejects.toSatisfy(isCode('FILE_NOT_FOUND'));
    await expect(readSuite(join(top, 'slip'))).rejects.toSatisfy(isCode('FILE_NOT_FOUND'));
  });
});

describe('finding suites', () => {
  const paths = (found: Awaited<ReturnType<typeof findSuites>>, base: string) =>
    found.suites.map(({ path, kind, skillFolder }) => [
      path.slice(base.length + 1),
      kind,
      skillFolder?.slice(base.length + 1),
    ]);

  test('looks into evals of the folder and of every skill below it, and tells what it passes over', async () => {
    const base = join(top, 'find');
    await write('find/evals/project.yaml', own('a'));
    await write('find/.agents/skills/pdf/SKILL.md', skill('pdf'));
    await write('find/.agents/skills/pdf/evals/b.yaml', own('b'));
    await write('find/.agents/skills/pdf/evals/a.json', triggers);
    await write('find/.agents/skills/pdf/evals/notes.md', 'No cases.');
    await write('find/.agents/skills/pdf/evals/grading.json', '{"summary":{"passed":1}}');
    await write('find/.agents/skills/pdf/evals/files/c.yaml', own('c'));
    await write('find/node_modules/x/SKILL.md', skill('x'));
    await write('find/node_modules/x/evals/d.yaml', own('d'));
    await write('find/.agents/skills/pdf/assets/template/SKILL.md', skill('template'));
    await write('find/.agents/skills/pdf/assets/template/evals/t.yaml', own('t'));
    await write('find/dist/skills/pdf/SKILL.md', skill('pdf'));
    await write('find/dist/skills/pdf/evals/b.yaml', own('b'));
    await write('find/docs/evals-of-others/e.yaml', own('e'));
    const found = await findSuites(base);
    expect(paths(found, base)).toEqual([
      ['.agents/skills/pdf/evals/a.json', 'foreign', '.agents/skills/pdf'],
      ['.agents/skills/pdf/evals/b.yaml', 'own', '.agents/skills/pdf'],
      ['evals/project.yaml', 'own', undefined],
    ]);
    expect(found.skipped).toEqual([
      {
        path: join(base, '.agents/skills/pdf/evals/grading.json'),
        reason: expect.stringContaining('no file of cases') as string,
      },
    ]);
    expect(paths(await findSuites(join(base, '.agents/skills/pdf')), base)).toHaveLength(2);
    // Whoever names a folder means it.
    expect(paths(await findSuites(join(base, 'dist')), base)).toHaveLength(1);
    expect(paths(await findSuites(join(base, '.agents/skills/pdf/evals')), base)).toHaveLength(2);
    expect(paths(await findSuites(join(base, 'docs/evals-of-others')), base)).toEqual([
      ['docs/evals-of-others/e.yaml', 'own', undefined],
    ]);
  });

  test('takes a file that is named for one, whatever is in it', async () => {
    const path = await write('named/a.json', '{}');
    expect(await findSuites(path)).toEqual({ suites: [{ path, kind: 'foreign' }], skipped: [] });
    await expect(readSuite(path)).rejects.toSatisfy(isCode('INVALID_CASE'));
    await expect(findSuites(join(top, 'named/none'))).rejects.toSatisfy(isCode('FILE_NOT_FOUND'));
  });

  test('walks through no link, and says which skill is behind one', async () => {
    await write('behind/pdf/SKILL.md', skill('pdf'));
    await write('behind/pdf/evals/a.yaml', own('a'));
    await mkdir(join(top, 'linked/skills'), { recursive: true });
    await symlink('../../behind/pdf', join(top, 'linked/skills/pdf'));
    await symlink('..', join(top, 'linked/skills/loop'));
    expect(await findSuites(join(top, 'linked'))).toEqual({
      suites: [],
      skipped: [
        { path: join(top, 'linked/skills/pdf'), reason: 'It is a link to a skill: name the folder that it leads to.' },
      ],
    });
    expect((await findSuites(join(top, 'linked/skills/pdf'))).suites).toHaveLength(1);
  });

  test('finds the cases of this package that others try things with', async () => {
    const folder = fileURLToPath(new URL('./fixtures/cases', import.meta.url));
    const found = await findSuites(folder);
    expect(paths(found, folder)).toEqual([
      ['tasks.yaml', 'own', undefined],
      ['triggers.yaml', 'own', undefined],
    ]);
    for (const { path } of found.suites) expect((await readSuite(path)).suite.cases.length).toBeGreaterThan(1);
  });
});

describe('PSA-35: suites of other tools', () => {
  const folder = fileURLToPath(new URL('./fixtures/formats', import.meta.url));

  test('become files of ours that are read as the same suite', async () => {
    const { suites } = await findSuites(folder);
    expect(suites.length).toBeGreaterThan(10);
    for (const { path, kind } of suites) {
      expect([path, kind]).toEqual([path, 'foreign']);
      const { suite } = await readSuite(path, { skill: 'pdf' });
      expect(await parseSuite(formatSuite(suite), { fileName: path.replace(/\w+$/u, 'yaml') }), path).toEqual(suite);
    }
  });
});
