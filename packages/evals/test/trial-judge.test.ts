import { SkillsError } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { scripted } from '@skillpack/model-adapters';
import { describe, expect, test } from 'vitest';
import type { EvalCase, EvalPorts, EvalResult, Judge, JudgeAnswer, OutputCheck } from '../src/index.js';
import { modelJudge, planEvals, runEvals } from '../src/index.js';
import { answer, bareGround, makeCase, makePorts, makeSuite, scriptedModels } from './trial-ground.js';

async function runOne(evalCase: EvalCase, more: Partial<EvalPorts>): Promise<EvalResult> {
  const ports = makePorts(more);
  const suites = [makeSuite([evalCase])];
  const plan = await planEvals(suites, ports, { models: ['m'] });
  const [result] = (await runEvals({ suites, plan }, ports)).results;
  if (result === undefined) throw new Error('There is no result.');
  return result;
}

const contains = (value: string, more: Partial<OutputCheck & { readonly kind: 'contains' }> = {}): OutputCheck => ({
  kind: 'contains',
  of: { kind: 'answer' },
  texts: [value],
  mode: 'all',
  caseless: false,
  negated: false,
  ...more,
});

const rubric: OutputCheck = { kind: 'rubric', statement: 'It is kind.', negated: false };

function expecting(output: readonly OutputCheck[], more: Partial<EvalCase> = {}): EvalCase {
  return makeCase({
    id: 'water-cactus',
    ...more,
    expected: { actions: [], output, disclosure: true, approvals: true },
  });
}

const spent = { calls: 2, inputTokens: 20, outputTokens: 4, cost: 0.5 };

interface TestJudge extends Judge {
  calls: number;
}

/** One after another, the last of them from then on. */
function judging(...says: readonly (SkillsError | boolean)[]): TestJudge {
  const judge: TestJudge = {
    name: 'judge',
    calls: 0,
    judge: async ({ statements }): Promise<JudgeAnswer> => {
      const said = says[Math.min(judge.calls, says.length - 1)];
      judge.calls += 1;
      if (said === undefined) throw new Error('It has nothing to say.');
      if (typeof said === 'object') throw said;
      return { verdicts: statements.map(() => ({ passed: said, evidence: 'It is so.' })), spent };
    },
  };
  return judge;
}

const busy = (more: object = {}): SkillsError =>
  new SkillsError('OVERLOADED', 'Later.', { data: { judge: spent, ...more } });

const talking = () => scriptedModels(() => scripted([answer('It gets 50 ml.')]));

describe('a judge that fails', () => {
  test('PSA-35: is asked again by itself, after a pause, and the agent is not', async () => {
    const [models, clock] = [talking(), fakeClock()];
    const before = clock.now();
    const judge = judging(busy(), busy(), true);
    expect(await runOne(expecting([rubric]), { models, judge, clock })).toMatchObject({
      outcome: 'passed',
      attempts: 1,
      spent: { turns: 1, judge: { calls: 6, inputTokens: 60, outputTokens: 12, cost: 1.5 } },
    });
    expect([judge.calls, models.opened, models.requests.length]).toEqual([3, 1, 1]);
    expect(clock.now() - before).toBe(3_000);
  });

  test('PSA-35: for good makes the trial an error once, with all that it took', async () => {
    const models = talking();
    const judge = judging(busy());
    expect(await runOne(expecting([rubric]), { models, judge })).toMatchObject({
      outcome: 'error',
      reason: { code: 'OVERLOADED' },
      checks: [],
      attempts: 1,
      spent: { turns: 1, judge: { calls: 6, cost: 1.5 } },
    });
    expect([judge.calls, models.opened]).toEqual([3, 1]);
  });

  test('is not asked again where that is in vain, or only in an hour', async () => {
    const refused = new SkillsError('UNAUTHORIZED', 'Not with this key.', { data: { judge: spent } });
    for (const error of [refused, busy({ retryAfter: 3_600_000 })]) {
      const [models, judge] = [talking(), judging(error)];
      const result = await runOne(expecting([rubric]), { models, judge });
      expect(result).toMatchObject({ outcome: 'error', spent: { judge: { calls: 2 } } });
      expect([judge.calls, models.opened]).toEqual([1, 1]);
    }
  });

  test('by answers that cannot be read is paid for in the result', async () => {
    const model = { ...scripted(() => ({ say: 'Well.', inputTokens: 10, outputTokens: 2 })), costOf: () => 0.5 };
    const result = await runOne(expecting([rubric]), { models: talking(), judge: modelJudge(model) });
    expect(result).toMatchObject({ outcome: 'error', attempts: 1, spent: { turns: 1, judge: { calls: 6, cost: 3 } } });
  });
});

describe('a judge is not asked', () => {
  test('about a trial that has failed by another check already', async () => {
    const judge = judging(true);
    const result = await runOne(expecting([rubric, contains('a litre')]), { models: talking(), judge });
    expect(result.outcome).toBe('failed');
    expect(result.checks.find(({ kind }) => kind === 'rubric')).toMatchObject({
      verdict: 'not_judged',
      evidence: 'The trial has failed already: the judge was not asked.',
    });
    expect(judge.calls).toBe(0);
    expect(result.spent.judge).toBeUndefined();
  });

  test('about a trial in which something was done that must not be', async () => {
    const judge = judging(true);
    const evalCase = { ...expecting([rubric]), limits: { maxTokens: 1 } };
    expect(await runOne(evalCase, { models: talking(), judge })).toMatchObject({ outcome: 'failed' });
    expect(judge.calls).toBe(0);
  });
});

describe('what core says of a request that came to no end is no answer', () => {
  const garbage = '<html><body>502 Bad Gateway {"a": </body>';
  const gateway = (...before: readonly object[]) =>
    scriptedModels(() => scripted([...before, ...Array.from({ length: 20 }, () => ({ say: garbage }))] as never));

  test('PSA-35: checks of an answer have none, a judge is not asked, and files are still looked at', async () => {
    const judge = judging(true);
    const files = async () => [{ path: 'plan.md', size: 4 }];
    const read = async () => new TextEncoder().encode('Fern');
    const runs: string[] = [];
    const ground = bareGround({
      workspace: { path: '/x', files, read },
      runCheck: async (request) => {
        runs.push(request.answer);
        return { exitCode: 0, output: '' };
      },
    });
    const output: readonly OutputCheck[] = [
      contains('50'),
      contains('cactus'),
      contains('a litre', { negated: true }),
      contains('Fern', { of: { kind: 'file', path: 'plan.md' } }),
      { kind: 'script', script: 'check.mjs', args: [], negated: false },
      rubric,
    ];
    const result = await runOne(expecting(output), { models: gateway(), judge, ground });
    expect(result).toMatchObject({ outcome: 'failed', answer: '' });
    const made = result.checks.filter(({ kind }) => kind === 'output' || kind === 'rubric');
    expect(made.map(({ verdict }) => verdict)).toEqual([
      'failed',
      'failed',
      'failed',
      'passed',
      'passed',
      'failed',
      'passed',
    ]);
    expect(made[0]?.evidence).toBe('There is no answer.');
    expect(made[5]?.evidence).toBe('There is no answer.');
    expect([runs, judge.calls]).toEqual([[''], 0]);
    expect(JSON.stringify(result.checks)).not.toMatch(/This is not finished|502/u);
  });

  test('PSA-35: the answer to an earlier line does not stand for the last one', async () => {
    const conversation = [{ input: 'How much?' }, { input: 'And the fern?' }];
    const output = [contains('50 ml'), contains('50 ml', { of: { kind: 'answer', turn: 1 } })];
    const models = gateway(answer('It gets 50 ml.'));
    const result = await runOne(expecting(output, { conversation }), { models });
    const verdicts = result.checks.filter(({ kind }) => kind === 'output').map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['failed', 'passed', 'passed']);
    expect(result).toMatchObject({ outcome: 'failed', answer: '' });
    expect(models.requests.length).toBeGreaterThan(1);
  });
});
