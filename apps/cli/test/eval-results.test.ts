import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createEvalWorld, resultsIn, startChoosingServer, taskCases, write, writeSkill } from './eval-world.js';
import { makeSkill } from './make-skill.js';
import type { World } from './run-skills.js';

vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createEvalWorld();
});
afterEach(() => world.remove());

const scripts = ['--approve', 'run_script,run_check'];
const out = (...parts: readonly string[]): string => join(world.project, '.agents', 'evals', ...parts);

test('reports of results that are there are made without running anything, from a folder and from a file', async () => {
  await world.run(['eval', 'skills/pdf', ...scripts]);
  const before = readFileSync(out('results.jsonl'), 'utf8');
  const words = ['eval', 'report', '.agents/evals', '--reporter', 'console,html=page.html,junit=junit.xml'];
  const made = await world.run([...words, '--cases', 'skills']);
  expect([made.exitCode, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toContain('✓ passed');
  expect(readFileSync(join(world.project, 'page.html'), 'utf8')).toContain('Counts the pages of a file');
  const withoutCases = await world.run(['eval', 'report', '.agents/evals', '--reporter', 'skill-creator=there']);
  expect([withoutCases.exitCode, withoutCases.stderr]).toEqual([2, expect.stringContaining('--cases')]);
  const fromFile = await world.run(['eval', 'report', '.agents/evals/results.jsonl', '--json']);
  expect(fromFile.json().data.report.counts).toMatchObject({ passed: 1 });
  expect(fromFile.json().data.ranks).toBeNull();
  expect(readFileSync(out('results.jsonl'), 'utf8')).toBe(before);
});

test('what is enough can be said: percents of what passes, and of what is chosen', async () => {
  const provider = await startChoosingServer(() => ({
    action: { kind: 'select_skills', skills: [{ name: 'pdf' }], reason: 'It always fits.' },
  }));
  onTestFinished(async () => provider.close());
  const model = `openai-compatible:${provider.origin}/v1#small`;
  const words = ['eval', 'skills', '--filter', 'pdf-triggers', '--model', model, '--max-calls', '50'];
  expect((await world.run(words)).exitCode).toBe(1);
  expect((await world.run([...words, '--min-recall', '90'])).exitCode).toBe(0);
  expect((await world.run([...words, '--min-recall', '90', '--min-specificity', '50'])).exitCode).toBe(1);
  expect((await world.run([...words, '--min-pass-rate', '85'])).exitCode).toBe(0);
  expect((await world.run([...words, '--min-pass-rate', '101'])).exitCode).toBe(2);
  expect(provider.calls).toHaveLength(9);
});

test('a baseline excuses nothing that it does not have, and one of another model is no baseline', async () => {
  const plain = world.project;
  expect((await world.run(['eval', 'skills/pdf', ...scripts, '--out', 'kept'])).exitCode).toBe(0);
  const kept = readFileSync(join(plain, 'kept', 'results.jsonl'), 'utf8');
  const otherModel = kept.replaceAll('"model":"scripted"', '"model":"scripted:old"');
  expect(otherModel).not.toBe(kept);
  write(join(plain, 'renamed.jsonl'), otherModel);
  const words = ['eval', 'skills/pdf', ...scripts, '--baseline'];
  const renamed = await world.run([...words, 'renamed.jsonl', '--json']);
  const said = 'The baseline has results of scripted:old, these are of scripted: nothing can be compared.';
  expect(renamed.exitCode).toBe(1);
  const { kind, reasons } = renamed.json().data.verdict;
  expect([kind, reasons[0]]).toEqual(['invalid', expect.stringContaining(said)]);
  const compared = await world.run(['eval', 'compare', 'renamed.jsonl', 'kept/results.jsonl']);
  expect([compared.exitCode, compared.stdout]).toEqual([1, expect.stringContaining(said)]);
  // Beside the case that both have, a new one fails at once.
  const fresh = taskCases().replaceAll('pdf-tasks', 'pdf-new').replace('"3 pages"', '"4 pages"');
  write(join(plain, 'skills', 'pdf', 'evals', 'new.json'), fresh);
  const broken = await world.run([...words, 'kept', '--json']);
  expect([broken.exitCode, broken.json().data.verdict.kind]).toEqual([1, 'failed']);
  expect(broken.json().data.report.comparison.compared).toBe(1);
  expect(broken.json().data.verdict.reasons[0]).toMatch(
    /of cases? that the baseline says nothing of .*pdf-new\/count/u,
  );
  expect((await world.run([...words, 'kept', '--min-pass-rate', '60'])).exitCode).toBe(1);
  expect((await world.run([...words, 'kept', '--min-pass-rate', '50'])).exitCode).toBe(0);
});

test('skills that are installed on the machine are never offered, but where they are named', async () => {
  const installed = join(world.home, '.agents', 'skills');
  makeSkill(join(installed, 'scanner'), { frontMatter: 'name: scanner\ndescription: Scans a photographed receipt.' });
  const provider = await startChoosingServer();
  onTestFinished(async () => provider.close());
  const model = `openai-compatible:${provider.origin}/v1#small`;
  const words = ['eval', 'skills', '--filter', 'table-triggers', '--model', model, '--max-calls', '50', '--json'];
  expect((await world.run(words)).exitCode).toBe(0);
  expect(provider.calls.map(({ text }) => text).join('\n')).not.toContain('photographed receipt');
  const first = provider.calls.length;
  const named = await world.run([...words, '--catalogue', installed]);
  expect(named.exitCode, named.stdout).toBe(0);
  const later = provider.calls.slice(first).map(({ text }) => text);
  expect(later).toHaveLength(3);
  for (const text of later) expect(text).toContain('photographed receipt');
});

test('parts are made of earlier durations, the same on every machine, and the whole is judged by ranks, too', async () => {
  await world.run(['eval', 'skills', '--ranks-only', '--out', 'baseline']);
  await world.run(['eval', 'skills', ...scripts, '--out', 'earlier']);
  writeSkill(world, 'pdf', 'Does something.');
  writeSkill(world, 'table', 'Reads, counts and merges the pages of PDF documents, and anything with rows.');
  for (const part of ['1', '2']) {
    const words = [
      'eval',
      'skills',
      ...scripts,
      '--shard',
      `${part}/2`,
      '--durations',
      'earlier',
      '--out',
      `part-${part}`,
    ];
    const ran = await world.run(words);
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringContaining(`Part ${part}/2 is done`)]);
  }
  const merged = await world.run(['eval', 'merge', 'part-1', 'part-2', '--baseline', 'baseline', '--json']);
  expect(merged.exitCode).toBe(1);
  expect(merged.json().data).toMatchObject({
    verdict: { kind: 'failed' },
    report: { counts: { passed: 1, planned: 1 } },
    rankComparison: { verdict: 'worse' },
  });
  expect(resultsIn(out())).toHaveLength(1);
  const told = await world.run(['eval', 'compare', 'baseline', '.agents/evals']);
  expect([told.exitCode, told.stdout]).toEqual([1, expect.stringMatching(/table took from pdf: [\s\S]+✗ worse/u)]);
});

test('a result that was changed by hand, and a part of another plan, are refused', async () => {
  for (const part of ['1', '2'])
    await world.run(['eval', 'skills', ...scripts, '--shard', `${part}/2`, '--out', `part-${part}`]);
  const shard = readFileSync(join(world.project, 'part-2', 'shard.json'), 'utf8');
  write(
    join(world.project, 'part-2', 'shard.json'),
    shard.replace(/"plan": ?"sha256:./u, (text) => `${text.slice(0, -1)}z`),
  );
  expect((await world.run(['eval', 'merge', 'part-1', 'part-2'])).exitCode).toBe(2);
  write(join(world.project, 'part-2', 'shard.json'), shard);
  // Without the yes, it is another plan.
  await world.run(['eval', 'skills', '--shard', '2/2', '--out', 'part-2']);
  const mixed = await world.run(['eval', 'merge', 'part-1', 'part-2', '--json']);
  expect([mixed.exitCode, mixed.json().error?.code]).toEqual([4, 'SHARD_MISMATCH']);
});

test('what was left unjudged is told with the option that would have it judged, and a filter that fits nothing is refused', async () => {
  const tasks = join(world.project, 'skills', 'pdf', 'evals', 'tasks.json');
  const unscripted = await world.run(['eval', 'skills/pdf', '--approve', 'run_script']);
  expect(unscripted.stderr).toContain('--approve run_check');
  write(tasks, readFileSync(tasks, 'utf8').replace('{"script":"checks/three.sh"}', '{"rubric":"It is polite."}'));
  const unjudged = await world.run(['eval', 'skills/pdf', '--approve', 'run_script']);
  expect([unjudged.exitCode, unjudged.stderr]).toEqual([1, expect.stringContaining('--judge')]);
  for (const words of [
    ['--filter', 'nothing-of-the-kind'],
    ['--tag', 'neer-miss'],
    ['--ranks-only', '--tag', 'x'],
  ]) {
    const refused = await world.run(['eval', 'skills', ...words]);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('No case')]);
  }
});

test('a case with the skill of nobody, and a folder without skills, are told', async () => {
  const suite = { formatVersion: 1, name: 'odd', skills: ['nobody'], cases: [{ id: 'a', input: 'x', script: {} }] };
  write(join(world.project, 'odd', 'evals', 'odd.json'), JSON.stringify(suite));
  const ran = await world.run(['eval', 'odd']);
  expect([ran.exitCode, ran.stderr]).toEqual([3, expect.stringContaining('nobody')]);
  write(join(world.project, 'nothing', 'readme.txt'), 'Nothing.');
  const none = await world.run(['eval', 'nothing']);
  expect([none.exitCode, none.stderr]).toEqual([3, expect.stringContaining('There are no cases in')]);
});
