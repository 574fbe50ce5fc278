import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { chat, messages, sayInForm, send, type Provider } from '../../../test/provider-server.js';
import { chooseByWords, createEvalWorld, resultsIn, startChoosingServer, write } from './eval-world.js';
import { refuse, sentKey, startModelServer } from './model-server.js';
import type { World } from './run-skills.js';

vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createEvalWorld();
});
afterEach(() => world.remove());

const out = (): string => join(world.project, '.agents', 'evals');

function untilEnd(provider: Provider): Provider {
  onTestFinished(async () => provider.close());
  return provider;
}

/** Cases of the skill `letter`: tasks that an answer alone does. */
function writeLetters(expected: object, ids: readonly string[] = ['one']): void {
  const cases = ids.map((id) => ({ id, input: `Write a letter, ${id}.`, expected }));
  const suite = { formatVersion: 1, name: 'letters', skills: ['letter'], cases };
  write(join(world.project, 'skills', 'letter', 'evals', 'triggers.json'), JSON.stringify(suite));
}

const answers = { action: { kind: 'final_answer', content: 'Dear Ada, all the best.' } };

test('a judge is a model of its own, asked for statements alone; without one they are not judged', async () => {
  writeLetters({ output: [{ rubric: 'It greets Ada by her name.' }, { contains: 'best' }] });
  const provider = untilEnd(await startChoosingServer(() => answers));
  const judge = untilEnd(
    await startChoosingServer(() => ({ verdicts: [{ statement: 1, passed: true, evidence: 'Dear Ada' }] })),
  );
  const model = (of: Provider): string => `openai-compatible:${of.origin}/v1#small`;
  const words = ['eval', 'skills/letter', '--model', model(provider), '--max-calls', '20', '--json'];
  const unjudged = await world.run(words);
  expect(unjudged.json().data).toMatchObject({ verdict: { kind: 'invalid' }, report: { counts: { inconclusive: 1 } } });
  const judged = await world.run([...words, '--judge', model(judge)]);
  expect(judged.exitCode, judged.stdout).toBe(0);
  expect(judged.json().data.report).toMatchObject({ counts: { passed: 1, reused: 0 }, spent: { judge: { calls: 1 } } });
  expect(judge.calls).toHaveLength(1);
  expect(judge.calls.map(({ text }) => text).join('\n')).toContain('It greets Ada by her name.');
  expect(provider.calls.map(({ text }) => text).join('\n')).not.toContain('by her name');
});

test('PSA-35: with and without a skill are two arms, and the report says what the skill is worth', async () => {
  writeLetters({ output: [{ contains: 'best' }] }, ['one', 'two', 'three']);
  const provider = untilEnd(
    await startChoosingServer(({ text }) =>
      text.includes('Writes a polite letter') ? answers : { action: { kind: 'final_answer', content: 'Hm.' } },
    ),
  );
  const model = `openai-compatible:${provider.origin}/v1#small`;
  const words = ['eval', 'skills', '--filter', 'letters', '--model', model, '--max-calls', '20'];
  const ran = await world.run([...words, '--arms', 'with,without', '--json']);
  expect(ran.exitCode, ran.stdout).toBe(0);
  expect(ran.json().data.report.lifts).toMatchObject([
    { arm: 'with_skill', against: 'without_skill', pairs: 3, value: 1 },
  ]);
});

test('a budget in dollars is kept by the prices of the model, over all trials and models together', async () => {
  const provider = untilEnd(
    await startModelServer(messages, async (call, output) =>
      send(messages, { call, out: output }, sayInForm(call, JSON.stringify(chooseByWords(call)))),
    ),
  );
  const env = { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: provider.origin };
  const words = ['eval', 'skills', '--filter', 'triggers', '--concurrency', '1', '--json'];
  const models = ['--model', 'anthropic:claude-sonnet-4-5,anthropic:claude-haiku-4-5'];
  const poor = await world.run([...words, ...models, '--budget', '0.001'], { env });
  expect(poor.exitCode).toBe(1);
  expect(poor.json().data.verdict.kind).toBe('incomplete');
  expect(provider.calls).toEqual([]);
  const rich = await world.run([...words, ...models, '--budget', '5'], { env });
  expect([rich.exitCode, provider.calls.length], rich.stdout).toEqual([0, 30]);
  expect(rich.json().data.report.spent.cost).toBeGreaterThan(0);
  expect(readFileSync(join(out(), 'results.jsonl'), 'utf8')).not.toContain(sentKey);
});

test('a key that is missing is told before anything is spent or written', async () => {
  const { exitCode, stderr } = await world.run(['eval', 'skills', '--model', 'openai:gpt-5', '--budget', '1']);
  expect([exitCode, stderr]).toEqual([4, expect.stringContaining('OPENAI_API_KEY')]);
});

test('a server that refuses for a while is asked again, and what it refuses for good is an error', async () => {
  let asked = 0;
  const provider = untilEnd(
    await startModelServer(chat, async (call, output) => {
      asked += 1;
      if (asked === 1) return refuse(output, { status: 429, body: {}, headers: { 'retry-after': '1' } });
      return send(chat, { call, out: output }, sayInForm(call, JSON.stringify(chooseByWords(call))));
    }),
  );
  const words = [
    'eval',
    'skills/table',
    '--max-calls',
    '50',
    '--model',
    `openai-compatible:${provider.origin}/v1#small`,
  ];
  const ran = await world.run([...words, '--json']);
  expect(ran.exitCode, ran.stdout).toBe(0);
  expect(ran.json().data.report.counts).toMatchObject({ passed: 3, error: 0 });
  const closed = untilEnd(
    await startModelServer(chat, async (_call, output) =>
      refuse(output, { status: 401, body: { error: { message: 'no' } } }),
    ),
  );
  const model = `openai-compatible:${closed.origin}/v1#small`;
  const refused = await world.run(['eval', 'skills/table', '--max-calls', '50', '--model', model, '--json']);
  expect(refused.json().data).toMatchObject({
    verdict: { kind: 'invalid' },
    report: { counts: { error: 3, failed: 0 } },
  });
  expect(resultsIn(out()).filter(({ outcome }) => outcome === 'error')).toHaveLength(3);
  // What is no matter of time is asked once a trial.
  expect(closed.calls).toHaveLength(3);
});

test('cases that measure nothing are told before a model is asked', async () => {
  const cases = [
    { id: 'a', kind: 'trigger', input: 'Write.', offer: { skills: ['table'] }, expected: { skills: 'letter' } },
  ];
  const suite = { formatVersion: 1, name: 'odd', skills: ['letter'], cases };
  write(join(world.project, 'skills', 'letter', 'evals', 'triggers.json'), JSON.stringify(suite));
  const provider = untilEnd(await startChoosingServer());
  const model = `openai-compatible:${provider.origin}/v1#small`;
  const { exitCode, stderr } = await world.run([
    'eval',
    'skills',
    '--filter',
    'odd',
    '--model',
    model,
    '--max-calls',
    '9',
  ]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('letter')]);
  expect(provider.calls).toEqual([]);
});

test('PSA-31: a list of replies of a file begins anew in each trial', async () => {
  writeLetters({ output: [{ contains: 'best' }] }, ['one', 'two']);
  write(join(world.project, 'replies.json'), JSON.stringify({ formatVersion: 1, replies: [{ decide: answers }] }));
  const ran = await world.run(['eval', 'skills', '--filter', 'letters', '--model', 'scripted:replies.json', '--json']);
  expect(ran.exitCode, ran.stdout).toBe(0);
  expect(ran.json().data.report.counts).toMatchObject({ passed: 2, planned: 2 });
});

test('PSA-31: a task that was recorded plays in another workspace, at another place, and not with another skill', async () => {
  const pdf = join(world.project, 'skills', 'pdf');
  write(join(pdf, 'scripts', 'count.sh'), '#!/bin/sh\necho "3 words, counted in $(pwd)"\n');
  const steps = [
    { action: { kind: 'select_skills', skills: [{ name: 'pdf' }], reason: 'It counts.' } },
    { action: { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'scripts/count.sh', args: ['report.pdf'] } },
    { action: { kind: 'final_answer', content: 'It has 3 pages.' } },
  ];
  const provider = untilEnd(await startChoosingServer((_call, turn) => steps[turn] ?? {}));
  const words = ['eval', 'skills/pdf', '--filter', 'tasks', '--approve', 'run_script,run_check', '--json'];
  const model = ['--model', `openai-compatible:${provider.origin}/v1#small`, '--max-calls', '9'];
  const live = await world.run([...words, ...model, '--record', 'recordings']);
  expect([live.exitCode, provider.calls.length], live.stdout).toEqual([0, 3]);
  const kept = readFileSync(join(world.project, 'recordings', 'pdf-tasks', 'count.with_skill.1.jsonl'), 'utf8');
  expect(kept).toContain('counted in {workspace}');
  expect(kept).toContain('{skills}/pdf');
  expect(kept).not.toContain(world.project);
  const played = await world.run([...words, '--model', 'recorded:recordings', '--out', 'played']);
  expect(played.exitCode, played.stdout).toBe(0);
  const moved = createEvalWorld();
  onTestFinished(() => moved.remove());
  for (const name of ['skills', 'recordings']) {
    cpSync(join(world.project, name), join(moved.project, 'deeper', name), { recursive: true });
  }
  const there = await moved.run([...words, '--model', 'recorded:recordings', '--cwd', 'deeper']);
  expect(there.exitCode, there.stdout).toBe(0);
  write(join(pdf, 'scripts', 'unused.sh'), '#!/bin/sh\n');
  const other = await world.run([...words, '--model', 'recorded:recordings', '--out', 'other']);
  expect(other.exitCode).toBe(1);
  expect(other.json().data).toMatchObject({ verdict: { kind: 'invalid' }, report: { counts: { error: 1 } } });
  expect(resultsIn(join(world.project, 'other'))[0]?.reason?.code).toBe('RECORDING_STALE');
  expect(provider.calls).toHaveLength(3);
});
