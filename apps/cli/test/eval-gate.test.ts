import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEvalWorld, taskCases, write, writeSkill } from './eval-world.js';
import type { World } from './run-skills.js';

vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createEvalWorld();
});
afterEach(() => world.remove());

const scripts = ['--approve', 'run_script,run_check'];
const inProject = (...parts: readonly string[]): string => join(world.project, ...parts);
const words = ['eval', 'skills', ...scripts];

test('PSA-35: one case that a script passed before and fails now fails the gate: no chance is in that', async () => {
  expect((await world.run([...words, '--out', 'kept'])).exitCode).toBe(0);
  write(inProject('skills', 'pdf', 'scripts', 'count.sh'), '#!/bin/sh\necho "4 words"\n');
  const said =
    '1 case that passed in the baseline fails now with scripted, which answers the same each time: pdf-tasks/count.';
  const gate = await world.run([...words, '--baseline', 'kept', '--json']);
  expect(gate.exitCode).toBe(1);
  expect(gate.json().data.verdict).toMatchObject({ kind: 'failed', reasons: expect.arrayContaining([said]) });
  expect(gate.json().data.report.comparison).toMatchObject({
    verdict: 'worse',
    measures: [{ name: 'pass_rate', pairs: 1, pValue: 1, regressions: ['pdf-tasks/count'] }, { name: 'recall' }],
  });
  const compared = await world.run(['eval', 'compare', 'kept', '.agents/evals']);
  expect([compared.exitCode, compared.stdout]).toEqual([1, expect.stringContaining(said)]);
  for (const part of ['1', '2'])
    await world.run([...words, '--shard', `${part}/2`, '--baseline', 'kept', '--out', `part-${part}`]);
  const merged = await world.run(['eval', 'merge', 'part-1', 'part-2', '--out', 'whole', '--baseline', 'kept']);
  expect([merged.exitCode, merged.stdout]).toEqual([1, expect.stringContaining(said)]);
});

test('PSA-35: a skill that lost more of its requests than --max-lost says fails the gate, however few they are', async () => {
  const ranks = ['eval', 'skills', '--ranks-only'];
  expect((await world.run([...ranks, '--out', 'kept'])).exitCode).toBe(0);
  writeSkill(world, 'letter', 'Writes a polite letter to somebody.');
  const gate = await world.run([...ranks, '--baseline', 'kept']);
  expect(gate.exitCode).toBe(1);
  expect(gate.stdout).toMatch(
    /Ranks: letter: 1 of 2 requests that want it found it first and does not any more: letter-triggers\/letter-2;/u,
  );
  expect((await world.run([...ranks, '--baseline', 'kept', '--max-lost', '50'])).exitCode).toBe(0);
  expect((await world.run([...ranks, '--baseline', 'kept', '--max-lost', '49'])).exitCode).toBe(1);
  expect((await world.run([...ranks, '--baseline', 'kept', '--max-lost', '101'])).exitCode).toBe(2);
  const compare = ['eval', 'compare', 'kept', '.agents/evals'];
  expect((await world.run(compare)).exitCode).toBe(1);
  expect((await world.run([...compare, '--max-lost', '50'])).exitCode).toBe(0);
});

test('PSA-35: cases and skills that are gone are told by name, and what was left out on purpose is not', async () => {
  const other = JSON.parse(taskCases()) as { name: string; cases: { id: string; tags?: string[] }[] };
  const more = {
    ...other,
    name: 'more-tasks',
    cases: other.cases.map((one) => ({ ...one, id: 'again', tags: ['slow'] })),
  };
  write(inProject('skills', 'pdf', 'evals', 'more.json'), JSON.stringify(more));
  write(
    inProject('skills', 'pdf', 'evals', 'checks', 'three.sh'),
    '#!/bin/sh\ngrep -q "3 pages" "$EVAL_ANSWER_FILE"\n',
  );
  expect((await world.run([...words, '--out', 'kept'])).exitCode).toBe(0);
  const told = async (...flags: readonly string[]): Promise<readonly string[]> => {
    const ran = await world.run([...flags, ...scripts, '--baseline', 'kept', '--json']);
    expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
    const { reasons } = ran.json().data.verdict as { readonly reasons: readonly string[] };
    return reasons.filter((reason) => /gone|not run now|new/iu.test(reason));
  };
  expect(await told('eval', 'skills')).toEqual([]);
  expect(await told('eval', 'skills', '--filter', 'pdf-tasks')).toEqual([]);
  expect(await told('eval', 'skills', '--tag', 'slow')).toEqual([]);
  expect(await told('eval', 'skills/pdf/evals/more.json')).toEqual([]);
  expect(await told('eval', 'skills/pdf')).toEqual([]);
  expect(await told('eval', 'skills', '--shard', '1/2', '--out', 'part')).toEqual([]);
  rmSync(inProject('skills', 'pdf', 'evals', 'more.json'));
  rmSync(inProject('skills', 'table'), { recursive: true });
  expect(await told('eval', 'skills')).toEqual([
    'Not compared: 1 case of the baseline that is gone, or was not run: more-tasks/again.',
    'Ranks: Gone: table.',
    expect.stringMatching(/^Ranks: Not compared: 4 queries of the baseline that are gone: .*table-triggers\/table-1/u),
  ]);
});
