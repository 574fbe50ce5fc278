import { getEventListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { defineTool, SkillsError, type ModelAdapter, type ModelUsage } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { systemClock } from '@skillpack/runs-fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { EvalCase, EvalPorts, EvalResult, EvalRun, OpenModel, RunEvalsOptions } from '../src/index.js';
import { formatResult, parseResults, planEvals, runEvals, runTrial } from '../src/index.js';
import {
  answer,
  bareGround,
  choose,
  makeCase,
  makePorts,
  makeSuite,
  smallCatalogue,
  triggerCase,
} from './trial-ground.js';

async function run(
  cases: readonly EvalCase[],
  ports: EvalPorts,
  options: RunEvalsOptions = { retries: 0 },
): Promise<EvalRun> {
  const suites = [makeSuite(cases)];
  const plan = await planEvals(suites, ports, { models: ['m'] });
  return runEvals({ suites, plan }, ports, options);
}

async function runOne(
  evalCase: EvalCase,
  more: Partial<EvalPorts>,
  options?: RunEvalsOptions,
): Promise<EvalResult | undefined> {
  const { results } = await run([evalCase], makePorts(more), options);
  // Whatever a port does, the log stays one that can be read.
  expect(parseResults(results.map(formatResult).join(''))).toHaveLength(results.length);
  return results[0];
}

const usage: ModelUsage = { inputTokens: 1, outputTokens: 1, cost: 0 };

function saying(decisions: readonly (object | Error)[], more: Partial<ModelAdapter> = {}): ModelAdapter {
  let calls = 0;
  return {
    name: 'saying',
    contextTokens: 100_000,
    decide: async () => {
      const decision = decisions[Math.min(calls, decisions.length - 1)];
      calls += 1;
      if (decision instanceof Error) throw decision;
      return { text: JSON.stringify(decision), usage, finish: 'stop' };
    },
    ...more,
  };
}

const opening = (model: ModelAdapter, more: Partial<OpenModel> = {}): Pick<EvalPorts, 'models'> => ({
  models: { open: async () => ({ model, ...more }) },
});

const gone = (): SkillsError => new SkillsError('NETWORK_ERROR', 'It is gone.');
const done = answer('Done.');
const task = makeCase({ id: 'a' });
const noSkill = triggerCase('none', { none: true });

describe('what goes wrong around an agent is not scored', () => {
  test('PSA-35: a model that was gone while a skill had a run of its own is an error, though the run above went on', async () => {
    const kid = '---\nname: kid\ndescription: Works apart.\nrun-mode: subagent\n---\n# kid\n\nDo it.\n';
    const registry = smallCatalogue({ 'kid/SKILL.md': kid });
    const above = saying([choose('kid'), answer('It could not be done.')]);
    const model = saying([], {
      decide: async (request, options) => {
        if (request.messages.some(({ content }) => content.includes('Your part of it'))) throw gone();
        return above.decide(request, options);
      },
    });
    const result = await runOne(task, { registry, ...opening(model) });
    expect(result).toMatchObject({ outcome: 'error', reason: { code: 'NETWORK_ERROR', message: 'It is gone.' } });
    const sound = saying([choose('kid'), answer('Done there.'), answer('Done.')]);
    expect(await runOne(task, { registry, ...opening(sound) })).toMatchObject({ outcome: 'passed' });
  });

  test('a port that says it was cancelled, while nobody cancelled it, is an error and does not end the run', async () => {
    const cancelled = new SkillsError('INTERRUPTED', 'It was stopped elsewhere.');
    for (const models of [
      opening(saying([cancelled])).models,
      {
        open: async () => {
          throw cancelled;
        },
      },
    ]) {
      const { results, stoppedBy } = await run([task, makeCase({ id: 'b' })], makePorts({ models }));
      expect(results.map(({ outcome }) => outcome)).toEqual(['error', 'error']);
      expect(stoppedBy).toBeUndefined();
    }
  });

  test('a budget that is spent ends the run, also where the recording cannot be kept then', async () => {
    const spent = saying([new SkillsError('BUDGET_EXHAUSTED', 'The money is spent.')]);
    const models = opening(spent, {
      close: async () => {
        throw new SkillsError('IO_ERROR', 'The disk is full.');
      },
    });
    const { results, stoppedBy } = await run([task, makeCase({ id: 'b' })], makePorts(models), {
      retries: 0,
      concurrency: 1,
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(['stopped']);
    expect(stoppedBy?.code).toBe('BUDGET_EXHAUSTED');
  });

  test('a price that cannot be told, or is none, is not known', async () => {
    const unpriced = async () => ({
      text: JSON.stringify(done),
      usage: { inputTokens: 1, outputTokens: 1 },
      finish: 'stop' as const,
    });
    class Priced implements ModelAdapter {
      readonly name = 'priced';
      readonly contextTokens = 100_000;
      readonly price = 2;
      readonly decide = unpriced;
      costOf(): number {
        return this.price;
      }
    }
    expect((await runOne(task, opening(new Priced())))?.spent.cost).toBe(2);
    const negative = await runOne(task, opening(saying([], { decide: unpriced, costOf: () => -3 })));
    expect(negative).toMatchObject({ outcome: 'passed' });
    expect(negative?.spent.cost).toBeUndefined();
    const broken = saying([], {
      decide: unpriced,
      costOf: () => {
        throw new Error('There is no price.');
      },
    });
    expect((await runOne(task, opening(broken)))?.spent.cost).toBeUndefined();
  });

  test('a result that cannot be kept is an error, and those of others are kept', async () => {
    const redacts: readonly unknown[] = [
      () => {
        throw new Error('It does not redact.');
      },
      () => undefined,
    ];
    for (const redact of redacts) {
      const ground = bareGround({ options: { redact: redact as (text: string) => string } });
      const result = await runOne(noSkill, { ...opening(saying([done])), ground });
      expect(result).toMatchObject({ outcome: 'error', reason: { code: 'INTERNAL' }, wanted: { skills: [] } });
      expect(result?.input).toBe('');
    }
    const files = async () => Array.from({ length: 200 }, (_, at) => ({ path: 'p'.repeat(100_000) + at, size: 1 }));
    const ground = bareGround({ workspace: { path: '/x', files, read: async () => new Uint8Array() } });
    expect(await runOne(task, { ...opening(saying([done])), ground })).toMatchObject({ outcome: 'error' });
    for (const now of [() => Number.NaN, () => 8.64e15]) {
      expect(await runOne(task, { ...opening(saying([done])), clock: { now } })).toMatchObject({ outcome: 'error' });
    }
  });

  test('a clock that goes back changes no outcome', async () => {
    let time = 1e12;
    const result = await runOne(task, { ...opening(saying([done])), clock: { now: () => (time -= 1_000) } });
    expect(result).toMatchObject({ outcome: 'passed', spent: { duration: 0 } });
  });

  test('a port that throws at once, or gives nothing, is an error', async () => {
    const odd = (open: () => unknown) => ({ open }) as never;
    const throws = (): never => {
      throw new Error('At once.');
    };
    for (const open of [throws, () => undefined, async () => undefined, async () => ({})]) {
      expect(await runOne(task, { models: odd(open) })).toMatchObject({ outcome: 'error' });
      expect(await runOne(task, { ...opening(saying([done])), ground: odd(open) })).toMatchObject({ outcome: 'error' });
    }
  });
});

describe('a model that chooses everything', () => {
  test('PSA-35: is held to what it chose, also where that is more than can be chosen at once', async () => {
    const all = opening(saying([choose('pdf', 'docx', 'table')]));
    const near = triggerCase('near', { none: ['pdf'] });
    expect(await runOne(near, all)).toMatchObject({ outcome: 'failed', fired: ['pdf', 'docx', 'table'] });
    expect(await runOne(noSkill, all)).toMatchObject({ outcome: 'failed' });
    const only = triggerCase('only', { allOf: ['pdf'], others: false });
    expect(await runOne(only, all)).toMatchObject({ outcome: 'failed' });
  });
});

describe('a trial that is cancelled', () => {
  const never = async (): Promise<never> => new Promise<never>(() => undefined);

  test('ends, also where a port never does', async () => {
    const rubric = makeCase({
      id: 'judged',
      expected: {
        actions: [],
        output: [
          { kind: 'rubric', statement: 'It is nice.', negated: false },
          { kind: 'script', script: 'check.mjs', args: [], negated: false },
        ],
        disclosure: true,
        approvals: true,
      },
    });
    const workspace = { path: '/x', files: never, read: never };
    const hanging: readonly Partial<EvalPorts>[] = [
      { ground: { open: never } },
      { models: { open: never } },
      { ...opening(saying([done])), ground: bareGround({ workspace }) },
      { ...opening(saying([done])), judge: { name: 'j', judge: never } },
      { ...opening(saying([done])), ground: bareGround({ runCheck: never }) },
      { ...opening(saying([done], { decide: never })), ground: bareGround({ [Symbol.asyncDispose]: never }) },
    ];
    for (const more of hanging) {
      const controller = new AbortController();
      const running = run([rubric], makePorts(more), { retries: 0, signal: controller.signal });
      await setTimeout(20);
      controller.abort();
      const { results, stoppedBy } = await running;
      expect(results.map(({ outcome }) => outcome)).toEqual(['stopped']);
      expect(stoppedBy?.code).toBe('INTERRUPTED');
    }
  });

  test('ends, also where what is done around it never does once it has come to its end', async () => {
    const hanging: readonly [Partial<EvalPorts>, string][] = [
      [opening(saying([done]), { close: never }), 'stopped'],
      [{ ...opening(saying([done])), ground: bareGround({ [Symbol.asyncDispose]: never }) }, 'passed'],
    ];
    for (const [more, outcome] of hanging) {
      const controller = new AbortController();
      const running = run([task], makePorts(more), { retries: 0, signal: controller.signal });
      await setTimeout(20);
      controller.abort();
      expect((await running).results.map((result) => result.outcome)).toEqual([outcome]);
    }
  });

  test('ends, also where the skills that it offers are never read', async () => {
    const ports = makePorts(opening(saying([done])));
    const suites = [makeSuite([task])];
    const plan = await planEvals(suites, ports, { models: ['m'] });
    const controller = new AbortController();
    const registry = { ...ports.registry, index: never, list: never, get: never };
    const running = runEvals({ suites, plan }, { ...ports, registry }, { signal: controller.signal });
    await setTimeout(20);
    controller.abort();
    const { results, stoppedBy } = await running;
    expect(results.map(({ outcome, reason }) => [outcome, reason?.code])).toEqual([['stopped', 'INTERRUPTED']]);
    expect(stoppedBy?.code).toBe('INTERRUPTED');
  });

  test('lets go of a place that opens after all, and waits for one that takes a while', async () => {
    const closed: string[] = [];
    const late = (milliseconds: number): EvalPorts['ground'] => ({
      open: async (job, options) => {
        const place = await bareGround().open(job, options);
        await setTimeout(milliseconds);
        return { ...place, [Symbol.asyncDispose]: async () => void closed.push(String(milliseconds)) };
      },
    });
    const cancelled = async ({ ground, ...more }: Partial<EvalPorts> & Pick<EvalPorts, 'ground'>): Promise<void> => {
      const controller = new AbortController();
      const open: EvalPorts['ground']['open'] = async (job, options) => {
        queueMicrotask(() => controller.abort());
        return ground.open(job, options);
      };
      const options = { retries: 0, signal: controller.signal };
      await run([task], makePorts({ ...opening(saying([done])), ...more, ground: { open } }), options);
    };
    // The clock of a test waits for nobody: the trial is over long before the place is there.
    await cancelled({ ground: late(100) });
    expect(closed).toEqual([]);
    await expect.poll(() => closed).toEqual(['100']);
    await cancelled({ ground: late(50), clock: systemClock });
    expect(closed).toEqual(['100', '50']);
  });

  test('takes no listener along for each port that it waited for', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const ports = makePorts(opening(saying([done])));
    const plan = await planEvals([makeSuite([task])], ports, { models: ['m'] });
    const [job] = plan.jobs;
    if (job === undefined) throw new Error('There is no job.');
    await runTrial({ job, case: task, registry: smallCatalogue() }, ports, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('an agent that is slow, with a model that answers', () => {
  test('has failed, also where the time went by in a tool', async () => {
    const clock = fakeClock();
    const wait = {
      name: 'wait',
      description: 'Waits.',
      input: z.object({}),
      risk: 'low',
      run: () => {
        clock.advance(60_000);
        return { content: 'Waited.' };
      },
    } as const;
    const tool = defineTool(wait, { clock });
    const model = saying([{ action: { kind: 'call_tool', tool: 'wait', input: {} } }, done]);
    const limited = makeCase({ id: 'timed', limits: { maxSeconds: 10 } });
    const ground = bareGround({ agent: { tools: [tool] } });
    expect(await runOne(limited, { clock, ground, ...opening(model) })).toMatchObject({ outcome: 'failed' });
  });

  test('fails a limit once, however it is told', async () => {
    const search = { action: { kind: 'search_skills', query: 'x' } };
    const limited = makeCase({ id: 'limited', limits: { maxToolCalls: 1 } });
    const result = await runOne(limited, opening(saying([search, search, search, done])));
    expect(result?.outcome).toBe('failed');
    expect(result?.checks.filter(({ verdict }) => verdict === 'failed')).toHaveLength(1);
  });
});

describe('an answer that is told in pieces', () => {
  const pieces = (text: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, at) => text.slice((at * text.length) / count, ((at + 1) * text.length) / count));

  test('PSA-36: is the answer that is recorded, also where the model broke off and was asked again', async () => {
    let calls = 0;
    const model = saying([], {
      decide: async (_request, { onText }) => {
        calls += 1;
        const text = JSON.stringify(answer(calls === 1 ? 'This will never be the answer.' : 'This is the answer.'));
        for (const piece of pieces(text, calls === 1 ? 4 : 6).slice(0, calls === 1 ? 3 : 6)) onText?.(piece);
        if (calls === 1) throw gone();
        return { text, usage, finish: 'stop' };
      },
    });
    const result = await runOne(task, opening(model));
    expect(calls).toBe(2);
    expect(result).toMatchObject({ outcome: 'passed', answer: 'This is the answer.' });
    expect(result?.checks.map(({ text }) => text)).toContainEqual(expect.stringContaining('told'));
  });
});

describe('the pause before a trial is begun again', () => {
  const failsOnce = (): Pick<EvalPorts, 'ground'> => {
    let opened = 0;
    return {
      ground: {
        open: async (...call) => {
          opened += 1;
          if (opened === 1) throw new SkillsError('OVERLOADED', 'No room.');
          return bareGround().open(...call);
        },
      },
    };
  };

  test('is none where a clock has no timers, and by its timers where it has no pauses', async () => {
    const still = { now: () => 1e12 };
    const ports = { ...opening(saying([done])), ...failsOnce(), clock: still };
    expect(await runOne(task, ports, { retries: 1 })).toMatchObject({ outcome: 'passed', attempts: 2 });
    const set: number[] = [];
    const { startTimer } = systemClock;
    const clock = {
      now: () => 1e12,
      startTimer: (milliseconds: number) => {
        set.push(milliseconds);
        return startTimer(milliseconds === 1_000 ? 1 : milliseconds);
      },
    };
    const timed = { ...opening(saying([done])), ...failsOnce(), clock };
    expect(await runOne(task, timed, { retries: 1 })).toMatchObject({ outcome: 'passed', attempts: 2 });
    expect(set).toContain(1_000);
  });

  test('ends where it is cancelled, also by a clock that throws then; what it throws otherwise is told', async () => {
    const controller = new AbortController();
    const pause = async (): Promise<void> => {
      controller.abort();
      throw new DOMException('Aborted.', 'AbortError');
    };
    const ports = { ...opening(saying([done])), ...failsOnce(), clock: { ...fakeClock(), pause } };
    const cancelled = await runOne(task, ports, { retries: 1, signal: controller.signal });
    expect(cancelled).toMatchObject({ outcome: 'error', attempts: 1, reason: { code: 'OVERLOADED' } });
    const broken = { ...fakeClock(), pause: async () => Promise.reject(new Error('No time.')) };
    const running = runOne(task, { ...opening(saying([done])), ...failsOnce(), clock: broken }, { retries: 1 });
    await expect(running).rejects.toThrow('No time.');
  });
});
