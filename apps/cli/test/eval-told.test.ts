import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Provider } from '../../../test/provider-server.js';
import { createEvalWorld, resultsIn, startChoosingServer, write, writeSkill } from './eval-world.js';
import type { World } from './run-skills.js';

vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createEvalWorld();
});
afterEach(() => world.remove());

const scripts = ['--approve', 'run_script,run_check'];
const at = (...parts: readonly string[]): string => join(world.project, ...parts);
const out = (...parts: readonly string[]): string => at('.agents', 'evals', ...parts);

function writeCases(cases: readonly object[]): void {
  const suite = { formatVersion: 1, name: 'letters', skills: ['letter'], cases };
  write(at('skills', 'letter', 'evals', 'triggers.json'), JSON.stringify(suite));
}

async function served(...options: Parameters<typeof startChoosingServer>): Promise<string> {
  const provider: Provider = await startChoosingServer(...options);
  onTestFinished(async () => provider.close());
  return `openai-compatible:${provider.origin}/v1#small`;
}

test('cases that have no script are told where no model is named, in the verdict and in the reports', async () => {
  const ran = await world.run(['eval', 'skills/pdf', ...scripts, '--reporter', 'console,markdown']);
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(ran.stdout).toContain('Not run: 9 cases have no script, and need --model.');
  expect(ran.stdout).toContain('Evals of pdf-tasks');
  expect(ran.stdout).not.toMatch(/Evals of [^\n]*pdf-triggers/u);
  expect(ran.stdout).toContain('cost $0');
  expect(readFileSync(out('summary.md'), 'utf8')).toContain('9 cases have no script');
  const alone = await world.run(['eval', 'skills/table']);
  expect([alone.exitCode, alone.stderr]).toEqual([0, expect.stringContaining('3 cases have no script')]);
});

test('ranks alone are told by each reporter but those of trials, which are refused before anything is ranked', async () => {
  const baseline = at('baseline');
  await world.run(['eval', 'skills', '--ranks-only', '--out', baseline]);
  writeSkill(world, 'pdf', 'Does something.');
  writeSkill(world, 'table', 'Counts, merges and reads the pages of PDF documents, and anything with rows.');
  const words = ['eval', 'skills', '--ranks-only', '--baseline', baseline];
  const ran = await world.run([...words, '--reporter', 'console,json,junit,markdown,html']);
  expect(ran.exitCode, ran.stderr).toBe(1);
  const junit = readFileSync(out('junit.xml'), 'utf8');
  expect(junit).toMatch(/<testsuites [^>]*tests="1" failures="1"/u);
  expect(junit).toMatch(/<failure[\s\S]*pdf-triggers\/pdf-1: pdf → table/u);
  expect(JSON.parse(readFileSync(out('report.json'), 'utf8'))).toMatchObject({ verdict: { kind: 'failed' } });
  expect(readFileSync(out('report.html'), 'utf8')).toContain('Failed: Evals of');
  const viewer = await world.run([...words, '--reporter', 'skill-creator', '--out', 'elsewhere']);
  expect([viewer.exitCode, viewer.stderr]).toEqual([2, expect.stringContaining('--ranks-only')]);
  expect(existsSync(at('elsewhere'))).toBe(false);
});

test('a workspace for a viewer is called as its skill is, and two dialects are not two iterations of one', async () => {
  const ran = await world.run(['eval', 'skills/pdf', ...scripts, '--reporter', 'agentskills,skill-creator']);
  expect(ran.exitCode, ran.stderr).toBe(0);
  for (const dialect of ['agentskills', 'skill-creator']) {
    expect(existsSync(out(dialect, 'pdf-workspace', 'iteration-1', 'benchmark.json'))).toBe(true);
    expect(existsSync(out(dialect, 'pdf-workspace', 'iteration-2'))).toBe(false);
  }
});

test('a baseline that lies where the results go is refused, before it is written over', async () => {
  await world.run(['eval', 'skills', '--ranks-only']);
  const before = readFileSync(out('ranks.json'), 'utf8');
  writeSkill(world, 'pdf', 'Does something.');
  for (const baseline of ['.agents/evals', '.agents/evals/results.jsonl']) {
    const again = await world.run(['eval', 'skills', '--ranks-only', '--baseline', baseline]);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('written over')]);
  }
  expect(readFileSync(out('ranks.json'), 'utf8')).toBe(before);
});

test('a skill that nobody has is refused where a case wants or offers it, also where nothing is run', async () => {
  const trigger = { id: 'a', kind: 'trigger', input: 'Write a letter.' };
  for (const [wrong, near] of [
    [{ expected: { skills: 'leter' } }, 'Did you mean letter?'],
    [{ expected: { skills: 'letter' }, offer: { distractors: ['docx'] } }, '--catalogue'],
  ] as const) {
    writeCases([{ ...trigger, ...wrong }]);
    const ran = await world.run(['eval', 'skills', '--ranks-only']);
    expect([ran.exitCode, ran.stderr]).toEqual([3, expect.stringContaining(near)]);
    expect(ran.stderr).toContain('letters/a');
  }
  // What is not wanted need not be there.
  writeCases([{ ...trigger, expected: { skills: { all_of: ['letter'], none: ['docx'] } } }]);
  expect((await world.run(['eval', 'skills', '--ranks-only'])).exitCode).toBe(0);
});

test('a tool that is off is told with the options that turn it on', async () => {
  const rules = [
    { when: { turn: 1 }, decide: { kind: 'call_tool', tool: 'write_file', input: { path: 'a.txt', content: 'Dear' } } },
    { when: { after: 'call_tool', ok: true }, decide: { kind: 'final_answer', content: 'Done.' } },
  ];
  writeCases([
    { id: 'w', input: 'Write a.txt', expected: { output: [{ file: 'a.txt' }] }, script: { formatVersion: 1, rules } },
  ]);
  const off = await world.run(['eval', 'skills/letter']);
  expect([off.exitCode, off.stderr]).toEqual([1, expect.stringContaining('--allow write_file --approve write_file')]);
  const on = await world.run(['eval', 'skills/letter', '--allow', 'write_file', '--approve', 'write_file', '--json']);
  expect([on.exitCode, on.json().data.report.counts.passed], on.stdout).toEqual([0, 1]);
});

test('the arm without a skill has no script, and a budget in dollars without a price names the other limit', async () => {
  const arms = await world.run(['eval', 'skills', '--arms', 'with,without']);
  expect([arms.exitCode, arms.stderr]).toEqual([2, expect.stringContaining('a script says what is decided')]);
  const model = await served();
  const priced = await world.run(['eval', 'skills', '--model', model, '--budget', '1']);
  expect([priced.exitCode, priced.stderr]).toEqual([2, expect.stringContaining('--max-calls')]);
});

test('another sandbox, other variables and other permissions of the person are another trial', async () => {
  const words = ['eval', 'skills/pdf', ...scripts, '--json'];
  const reused = async (...more: readonly string[]): Promise<unknown> =>
    (await world.run([...words, ...more])).json().data.report.counts.reused;
  expect([await reused(), await reused()]).toEqual([0, 1]);
  expect(await reused('--sandbox', 'off')).toBe(0);
  expect(await reused('--env', 'LANG')).toBe(0);
  write(join(world.home, '.agents', 'config.json'), JSON.stringify({ limits: { script: 20 } }));
  expect(await reused()).toBe(0);
  write(join(world.home, '.agents', 'config.json'), JSON.stringify({ permissions: { deny: ['read_file'] } }));
  expect(await reused()).toBe(0);
});

test('what a judge said is recorded with the trials, and plays again; what is known and not recorded is told', async () => {
  const rubric = 'It greets Ada by her name.';
  writeCases([{ id: 'one', input: 'Write a letter.', expected: { output: [{ rubric }] } }]);
  const model = await served(() => ({ action: { kind: 'final_answer', content: 'Dear Ada, all the best.' } }));
  const judge = await served(() => ({ verdicts: [{ statement: 1, passed: true, evidence: 'Dear Ada' }] }));
  const words = ['eval', 'skills/letter', '--json'];
  const live = ['--model', model, '--judge', judge, '--max-calls', '20'];
  expect((await world.run([...words, ...live])).exitCode).toBe(0);
  const known = await world.run([...words, ...live, '--record', 'rec']);
  expect([known.exitCode, known.stderr]).toEqual([0, expect.stringContaining('--fresh')]);
  const kept = await world.run([...words, ...live, '--record', 'rec', '--fresh']);
  expect([kept.exitCode, kept.stderr]).toEqual([0, expect.not.stringContaining('--fresh')]);
  const replay = ['--model', 'recorded:rec', '--judge', 'recorded:rec', '--out', 'played'];
  const played = await world.run([...words, ...replay]);
  expect(played.exitCode, played.stdout).toBe(0);
  const [result] = resultsIn(at('played'));
  expect(result?.outcome).toBe('passed');
  expect(result?.checks).toContainEqual({ kind: 'rubric', text: rubric, verdict: 'passed', evidence: 'Dear Ada' });
  writeCases([{ id: 'one', input: 'Write a letter.', expected: { output: [{ rubric: 'It is short.' }] } }]);
  const missed = await world.run([...words, ...replay]);
  expect([missed.exitCode, missed.stderr]).toEqual([1, expect.stringContaining('--record')]);
  expect(missed.json().data.report.counts).toMatchObject({ error: 1, failed: 0 });
  const nowhere = await world.run([...words, '--model', 'recorded:rec', '--judge', 'recorded:skills']);
  expect([nowhere.exitCode, nowhere.stdout]).toEqual([3, expect.stringContaining('no recording of a judge')]);
});

test('a second run into a folder that is being written leaves the plan and the ranks as they are', async () => {
  const told = Promise.withResolvers<undefined>();
  const asked = Promise.withResolvers<undefined>();
  const model = await served(async () => {
    asked.resolve(undefined);
    await told.promise;
    return { action: { kind: 'final_answer', content: 'I cannot say.' } };
  });
  const words = ['eval', '--model', model, '--max-calls', '100', '--json'];
  const first = world.start([...words, 'skills/table']);
  await asked.promise;
  const plan = readFileSync(out('plan.json'), 'utf8');
  const second = await world.run([...words, 'skills/letter']);
  expect([second.exitCode, second.json().error?.code]).toEqual([6, 'BUSY']);
  expect(readFileSync(out('plan.json'), 'utf8')).toBe(plan);
  expect(existsSync(out('ranks.json'))).toBe(false);
  told.resolve(undefined);
  await new Promise((resolve) => first.once('close', resolve));
});
