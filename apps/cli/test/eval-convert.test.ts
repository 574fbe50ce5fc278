import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEvalWorld, write } from './eval-world.js';
import type { World } from './run-skills.js';

vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createEvalWorld();
});
afterEach(() => world.remove());

const at = (...parts: readonly string[]): string => join(world.project, ...parts);

test('a list of queries that names no skill is imported for the one that --skill names, as the suite that --name says', async () => {
  write(at('list.json'), JSON.stringify([{ query: 'Merge both PDF documents.', should_trigger: true }]));
  const alone = await world.run(['eval', 'import', 'list.json']);
  expect([alone.exitCode, alone.stderr]).toEqual([2, expect.stringContaining('--skill <name>')]);
  const words = ['eval', 'import', 'list.json', '--skill', 'pdf'];
  const imported = await world.run([...words, '--json']);
  expect(imported.exitCode, imported.stderr).toBe(0);
  expect(imported.json().data).toMatchObject({ suite: 'pdf-list', skills: ['pdf'], cases: 1 });
  const named = await world.run([...words, '--name', 'merging', '--out', 'skills/pdf/evals/merging.yaml', '--json']);
  expect(named.json().data).toMatchObject({ suite: 'merging' });
  expect(readFileSync(at('skills', 'pdf', 'evals', 'merging.yaml'), 'utf8')).toContain('name: merging');
  const odd = await world.run([...words, '--name', '../x']);
  expect([odd.exitCode, odd.stderr]).toEqual([2, expect.stringContaining('../x')]);
});

test('files of imported cases that are no short text go beside the file that is written, each once, and are read again', async () => {
  const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 1, 2, 255]);
  write(at('old', 'files', 'notes.txt'), 'Short.\n');
  writeFileSync(at('old', 'files', 'report.pdf'), bytes);
  write(at('old', 'files', 'long.csv'), 'a,b\n'.repeat(5_000));
  const evals = ['one', 'two'].map((prompt) => ({
    prompt: `Count ${prompt}.`,
    files: ['files/report.pdf', 'files/notes.txt', 'files/long.csv'],
    expected_output: 'Three.',
  }));
  write(at('old', 'evals.json'), JSON.stringify({ skill_name: 'pdf', evals }));
  const imported = await world.run(['eval', 'import', 'old/evals.json', '--out', 'new/cases.yaml', '--json']);
  expect(imported.exitCode, imported.stdout).toBe(0);
  const { files } = imported.json().data;
  expect(files).toHaveLength(2);
  const text = readFileSync(at('new', 'cases.yaml'), 'utf8');
  expect(text).toContain('Short.');
  expect(text).toContain('from: cases-files/');
  expect(text).not.toContain('base64');
  expect(text.length).toBeLessThan(2_000);
  const [pdf] = (files as readonly string[]).filter((path) => path.endsWith('report.pdf'));
  expect(readFileSync(pdf ?? '')).toEqual(bytes);
  const again = await world.run(['eval', 'export', 'new/cases.yaml', '--out', 'there', '--json']);
  expect(again.exitCode, again.stdout).toBe(0);
  const back = (again.json().data.files as readonly string[]).find((path) => path.endsWith('report.pdf'));
  expect(readFileSync(back ?? '')).toEqual(bytes);
});

test('an export says how many cases were written, and writes nothing where there is none', async () => {
  const tasks = join('skills', 'pdf', 'evals', 'tasks.json');
  const none = await world.run(['eval', 'export', tasks, '--to', 'trigger-list', '--out', 'there']);
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('no case that could be written')]);
  expect(existsSync(at('there'))).toBe(false);
  const cases = [
    { id: 'yes', kind: 'trigger', input: 'Merge the PDF.', expected: { skills: 'pdf' } },
    { id: 'work', input: 'Count the pages.', expected: { output: ['3'] } },
  ];
  write(at('mixed.json'), JSON.stringify({ formatVersion: 1, name: 'mixed', skills: ['pdf'], cases }));
  const some = await world.run(['eval', 'export', 'mixed.json', '--to', 'trigger-list', '--out', 'there']);
  expect(some.exitCode, some.stderr).toBe(0);
  expect(some.stdout).toContain('1 case stands in');
  expect(some.stdout).toContain('1 case could not be written so.');
});

test('ids that promptfoo was given come back, and a label that says neither yes nor no is no skill', async () => {
  const cases = [{ id: 'days-late', title: 'Counts the days', input: 'How late is it?', expected: { output: ['3'] } }];
  write(at('cases.json'), JSON.stringify({ formatVersion: 1, name: 'late', skills: ['pdf'], cases }));
  const exported = await world.run(['eval', 'export', 'cases.json', '--to', 'promptfoo', '--out', 'foo']);
  expect(exported.exitCode, exported.stderr).toBe(0);
  const back = await world.run(['eval', 'import', 'foo/promptfooconfig.yaml', '--json']);
  expect(back.json().data.text).toContain('id: days-late');
  expect(JSON.stringify(back.json().data.notes)).not.toContain('metadata.id');
  const labels = [
    { prompt: 'Merge the PDF files.', should: 'perhaps' },
    { prompt: 'Count the pages of it.', should: 'yes' },
  ];
  write(at('keys.json'), JSON.stringify(labels));
  const keyed = await world.run(['eval', 'import', 'keys.json', '--skill', 'pdf', '--json']);
  expect(keyed.json().data).toMatchObject({ cases: 1, skills: ['pdf'] });
  expect(JSON.stringify(keyed.json().data.notes)).toContain('perhaps');
});
