import { createRedactor, defineTool, SkillsError, type ModelAdapter, type ModelRequest } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { scripted, withBudget } from '@skillpack/model-adapters';
import { systemClock } from '@skillpack/runs-fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { EvalCase, EvalPorts, EvalResult, EvalSuite, PlanOptions, RunEvalsOptions } from '../src/index.js';
import { formatResult, parseResults, planEvals, runEvals } from '../src/index.js';
import {
  answer,
  bareGround,
  choose,
  makeCase,
  makePorts,
  makeSuite,
  scriptedModels,
  secretLine,
  smallCatalogue,
  triggerCase,
} from './trial-ground.js';

/** Plans and runs a suite; the results in the order of the plan. */
async function run(
  suite: EvalSuite | readonly EvalCase[],
  ports: EvalPorts,
  options: Partial<PlanOptions> & RunEvalsOptions = {},
): Promise<readonly EvalResult[]> {
  const suites = ['cases' in suite ? suite : makeSuite(suite)];
  const { models = ['m'], arms, trials, filter, variant, ...how } = options;
  const plan = await planEvals(suites, ports, { models, arms, trials, filter, variant });
  return (await runEvals({ suites, plan }, ports, how)).results;
}

async function runOne(evalCase: EvalCase, ports: EvalPorts, options?: RunEvalsOptions): Promise<EvalResult> {
  const [result] = await run([evalCase], ports, options);
  if (result === undefined) throw new Error('There is no result.');
  return result;
}

const textOf = ({ system, messages }: ModelRequest): string =>
  [system, ...messages.map(({ content }) => content)].join('\n');

/** A model that fails with this, each time that it is asked. */
function failing(error: () => unknown): ModelAdapter & { calls: number } {
  const model = {
    name: 'failing',
    contextTokens: 100_000,
    calls: 0,
    decide: async () => {
      model.calls += 1;
      throw error();
    },
  };
  return model;
}

describe('a trial of the kind trigger', () => {
  const wantsPdf = triggerCase('wants-it', { allOf: ['pdf'] });

  test('PSA-35: ends with the choice, asks the model once, and passes where what is wanted was chosen', async () => {
    const models = scriptedModels([choose('pdf'), answer('never reached')]);
    const result = await runOne(wantsPdf, makePorts({ models }));
    expect(result).toMatchObject({
      outcome: 'passed',
      fired: ['pdf'],
      wanted: { skills: ['pdf'], all: true, not: [] },
      answer: '',
      attempts: 1,
      spent: { turns: 1, toolCalls: 1, scripts: 0 },
    });
    expect(models.requests).toHaveLength(1);
    expect(result.steps.map(({ kind }) => kind)).toEqual(['request', 'model', 'action', 'skill']);
  });

  test('fails where another skill was chosen, and says which', async () => {
    const result = await runOne(wantsPdf, makePorts({ models: scriptedModels([choose('docx')]) }));
    expect(result).toMatchObject({ outcome: 'failed', fired: ['docx'] });
    expect(result.checks[0]?.evidence).toContain('docx');
  });

  test('fails where it answered without a skill, and passes so where none is wanted', async () => {
    const models = scriptedModels(() => scripted([answer('By heart.')]));
    const none = triggerCase('wants-none', { none: true });
    const results = await run([wantsPdf, none], makePorts({ models }));
    expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'passed']);
  });

  test('PSA-35: shows no text of a skill to any model, whatever the model tries', async () => {
    const models = scriptedModels(() =>
      scripted([
        { action: { kind: 'search_skills', query: 'merge pages' } },
        { action: { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'SKILL.md' } },
        { action: { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'reference.md' } },
        choose('pdf', 'docx'),
        answer('never reached'),
      ]),
    );
    const result = await runOne(wantsPdf, makePorts({ models }));
    expect(result).toMatchObject({ outcome: 'passed', fired: ['pdf', 'docx'] });
    expect(models.requests).toHaveLength(4);
    for (const request of models.requests) expect(textOf(request)).not.toContain(secretLine);
    expect(models.requests[0]?.system).toContain('Read and merge PDF files.');
    expect(JSON.stringify(result)).not.toContain(secretLine);
  });

  test('tells no folder of a skill, so that no tool finds its text', async () => {
    const models = scriptedModels([choose('pdf')]);
    const base = smallCatalogue();
    await runOne(wantsPdf, makePorts({ models, registry: base }));
    const { skills } = await base.index();
    for (const { location } of skills) expect(models.requests[0]?.system).not.toContain(location);
  });

  test('goes on after a name that no skill has: that chose nothing', async () => {
    const models = scriptedModels([choose('pfd'), choose('pdf')]);
    expect(await runOne(wantsPdf, makePorts({ models }))).toMatchObject({ outcome: 'passed', fired: ['pdf'] });
  });

  test('has all that a case wants chosen at once', async () => {
    const models = scriptedModels([choose('pdf', 'docx', 'table')]);
    const all = triggerCase('wants-all', { allOf: ['pdf', 'docx', 'table'] });
    expect(await runOne(all, makePorts({ models }))).toMatchObject({ outcome: 'passed' });
  });

  test('says nothing where it asked a question, or came to a limit, before it chose', async () => {
    const question = scriptedModels([{ action: { kind: 'ask_user', question: 'Which one?' } }]);
    expect(await runOne(wantsPdf, makePorts({ models: question }))).toMatchObject({
      outcome: 'inconclusive',
      reason: { code: 'INCONCLUSIVE', message: 'It asked a question before it chose.' },
    });
    const search = { action: { kind: 'search_skills', query: 'x' } } as const;
    const endless = scriptedModels(() => scripted(() => search));
    const limited = await runOne(wantsPdf, makePorts({ models: endless }));
    expect(limited).toMatchObject({ outcome: 'inconclusive', spent: { turns: 5 }, checks: [] });
    const two = triggerCase('two-turns', { allOf: ['pdf'] }, { limits: { maxTurns: 2 } });
    expect((await runOne(two, makePorts({ models: scriptedModels(() => scripted(() => search)) }))).spent.turns).toBe(
      2,
    );
  });

  test('says nothing where the model refuses', async () => {
    const models = scriptedModels([{ say: 'I will not.', finish: 'refused' }]);
    expect(await runOne(wantsPdf, makePorts({ models }))).toMatchObject({
      outcome: 'inconclusive',
      reason: { code: 'MODEL_REFUSED' },
    });
  });
});

describe('what is offered', () => {
  const listed = (request: ModelRequest | undefined): readonly string[] =>
    ['pdf', 'docx', 'table', 'xlsx'].filter(
      (name) =>
        request?.system.includes(`**${name}**`) === true ||
        new RegExp(`^- .*\\b${name}\\b`, 'mu').test(request?.system ?? ''),
    );

  test('skills that are not named by the case are masked', async () => {
    const models = scriptedModels(() => scripted([choose('docx'), answer('x')]));
    const masked = triggerCase(
      'masked',
      { allOf: ['pdf'] },
      { offer: { skills: ['pdf'], distractors: ['table'], preload: [] } },
    );
    const result = await runOne(masked, makePorts({ models }));
    expect(listed(models.requests[0])).toEqual(['pdf', 'table']);
    // It is as if it were not installed.
    expect(result.fired).toEqual([]);
    expect(textOf(models.requests[1] as ModelRequest)).toContain('There is no skill “docx”');
  });

  test('without_skill offers everything but what the suite is about, and expects nothing of that', async () => {
    const models = scriptedModels(() => scripted([answer('The answer is 5.')]));
    const evalCase = makeCase({
      id: 'task',
      offer: { distractors: [], preload: ['pdf'] },
      expected: {
        skills: { allOf: ['pdf'] },
        actions: [
          { kind: 'occurs', step: { action: 'load_resource', skill: 'pd*' }, atLeast: 1 },
          // These can be of another skill.
          { kind: 'forbidden', step: { action: 'load_resource', skill: 'p*z*f' } },
          { kind: 'forbidden', step: { action: 'load_resource', skill: '*x*' } },
        ],
        output: [
          { kind: 'contains', of: { kind: 'answer' }, texts: ['5'], mode: 'all', caseless: false, negated: false },
        ],
        disclosure: true,
        approvals: true,
      },
    });
    const results = await run([evalCase], makePorts({ models }), { arms: ['with_skill', 'without_skill'] });
    const [withSkill, without] = results;
    expect([withSkill?.arm, without?.arm]).toEqual(['with_skill', 'without_skill']);
    expect(withSkill?.checks.some(({ text }) => text.includes('pd*'))).toBe(true);
    expect(without?.outcome).toBe('passed');
    expect(without?.checks.map(({ kind }) => kind)).not.toContain('skills');
    expect(without?.checks.filter(({ kind }) => kind === 'actions')).toHaveLength(2);
    expect(without?.wanted).toBeUndefined();
    const bare = models.requests.find((request) => !listed(request).includes('pdf'));
    expect(listed(bare)).toEqual(['docx', 'table']);
    expect(textOf(bare as ModelRequest)).not.toContain(secretLine);
  });

  test('old_skill offers the older version of what the suite is about, and everything else as it is', async () => {
    const old = smallCatalogue({
      'pdf/SKILL.md': '---\nname: pdf\ndescription: An older text on PDF.\n---\nThe older body of it.\n',
      'docx/SKILL.md': '---\nname: docx\ndescription: An older text on Word.\n---\nOld.\n',
    });
    const models = scriptedModels(() => scripted([choose('pdf'), answer('x')]));
    await run([makeCase({ id: 'task' })], makePorts({ models, oldRegistry: old }), { arms: ['old_skill'] });
    const [first, second] = models.requests;
    expect(first?.system).toContain('An older text on PDF.');
    expect(first?.system).toContain('Write Word documents.');
    expect(textOf(second as ModelRequest)).toContain('The older body of it.');
    expect(textOf(second as ModelRequest)).not.toContain(secretLine);
  });

  test('preloads what a case begins with, which counts as used and not as chosen', async () => {
    const models = scriptedModels([answer('x')]);
    const evalCase = makeCase({
      id: 'preloaded',
      offer: { distractors: [], preload: ['pdf'] },
      expected: { skills: { allOf: ['pdf'] }, actions: [], output: [], disclosure: true, approvals: true },
    });
    const result = await runOne(evalCase, makePorts({ models }));
    expect(result).toMatchObject({ outcome: 'passed', fired: [] });
    expect(textOf(models.requests[0] as ModelRequest)).toContain(secretLine);
  });
});

describe('a task', () => {
  test('is a conversation, line after line in one run, and each answer can be looked at', async () => {
    const models = scriptedModels([answer('First.'), answer('Second.')]);
    const contains = (text: string, turn?: number) =>
      ({
        kind: 'contains',
        of: { kind: 'answer', turn },
        texts: [text],
        mode: 'all',
        caseless: false,
        negated: false,
      }) as const;
    const evalCase = makeCase({
      id: 'talk',
      conversation: [{ input: 'One?' }, { input: 'Two?' }],
      expected: {
        actions: [],
        output: [contains('First', 1), contains('Second', 2), contains('Second')],
        disclosure: true,
        approvals: true,
      },
    });
    const result = await runOne(evalCase, makePorts({ models }));
    expect(result).toMatchObject({ outcome: 'passed', answer: 'Second.', input: 'One?', spent: { turns: 2 } });
    expect(textOf(models.requests[1] as ModelRequest)).toContain('First.');
  });

  test('holds limits over all lines of a conversation together', async () => {
    const models = scriptedModels(() => scripted(() => answer('x')));
    const evalCase = makeCase({
      id: 'talk',
      conversation: [{ input: 'One?' }, { input: 'Two?' }, { input: 'Three?' }],
      limits: { maxTurns: 2 },
    });
    const result = await runOne(evalCase, makePorts({ models }));
    expect(models.requests).toHaveLength(2);
    expect(result).toMatchObject({ outcome: 'failed' });
    expect(result.checks.filter(({ kind, verdict }) => kind === 'limits' && verdict === 'failed')).not.toEqual([]);
  });

  test('that comes to no end has failed, also where every check of it would pass', async () => {
    const search = { action: { kind: 'search_skills', query: 'x' } } as const;
    const models = scriptedModels(() => scripted(() => search));
    const result = await runOne(makeCase({ id: 'endless' }), makePorts({ models }));
    expect(result.outcome).toBe('failed');
    expect(result.checks).toContainEqual(expect.objectContaining({ kind: 'limits', verdict: 'failed' }));
    expect(result.reason?.message).toContain('model calls');
  });

  test('that uses a tool which is forbidden ends before it is used', async () => {
    let used = 0;
    const shout = {
      name: 'shout',
      description: 'Shouts.',
      risk: 'low',
      input: z.object({}),
      run: () => {
        used += 1;
        return 'loud';
      },
    } as const;
    const tool = defineTool(shout, { clock: fakeClock() });
    const call = { action: { kind: 'call_tool', tool: 'shout', input: {} } } as const;
    const models = scriptedModels(() => scripted([call, answer('x')]));
    const ground = bareGround({ agent: { tools: [tool] } });
    const forbidding = makeCase({ id: 'quiet', limits: { forbiddenTools: ['shout'] } });
    const result = await runOne(forbidding, makePorts({ models, ground }));
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'TOOL_NOT_ALLOWED' } });
    expect(used).toBe(0);
    expect(models.requests).toHaveLength(1);
    const free = await runOne(
      makeCase({ id: 'free', limits: { allowedTools: ['shout'] } }),
      makePorts({ models, ground }),
    );
    expect([free.outcome, used]).toEqual(['passed', 1]);
    const allowing = makeCase({ id: 'other', limits: { allowedTools: ['whisper'] } });
    expect(await runOne(allowing, makePorts({ models, ground }))).toMatchObject({ outcome: 'failed' });
  });

  test('whose model refuses has failed: the agent did, not what it runs on', async () => {
    const models = scriptedModels([{ say: 'I will not.', finish: 'refused' }]);
    expect(await runOne(makeCase({ id: 'refused' }), makePorts({ models }))).toMatchObject({
      outcome: 'failed',
      reason: { code: 'MODEL_REFUSED' },
    });
  });

  test('goes on after a question with the next line of the person', async () => {
    const ask = { action: { kind: 'ask_user', question: 'Which file?' } } as const;
    const models = scriptedModels([ask, answer('Thank you.')]);
    const conversation = [{ input: 'Merge.' }, { input: 'a.pdf' }];
    const result = await runOne(makeCase({ id: 'asks', conversation }), makePorts({ models }));
    expect(result).toMatchObject({ outcome: 'passed', answer: 'Thank you.' });
  });

  test('that needs a yes which nobody can give is inconclusive', async () => {
    const risky = {
      name: 'send',
      description: 'Sends.',
      risk: 'medium',
      input: z.object({}),
      run: () => 'sent',
    } as const;
    const call = { action: { kind: 'call_tool', tool: 'send', input: {} } } as const;
    const tools = [defineTool(risky, { clock: fakeClock() })];
    const models = scriptedModels(() => scripted([call, answer('x')]));
    const result = await runOne(
      makeCase({ id: 'risky' }),
      makePorts({ models, ground: bareGround({ agent: { tools } }) }),
    );
    expect(result).toMatchObject({ outcome: 'inconclusive', reason: { code: 'APPROVAL_REQUIRED' }, checks: [] });
  });

  test('tells its ground of each event, and takes out what that calls a secret', async () => {
    const events: string[] = [];
    const ground = bareGround({
      onEvent: ({ type }) => void events.push(type),
      options: { redact: createRedactor({ values: ['opensesame'] }) },
    });
    const models = scriptedModels([answer('The word is opensesame.')]);
    const result = await runOne(makeCase({ id: 'word' }), makePorts({ models, ground }));
    expect(result.answer).toBe('The word is [redacted:value].');
    expect(JSON.stringify(result)).not.toContain('opensesame');
    expect(events).toEqual(expect.arrayContaining(['run_started', 'request_received', 'run_finished']));
  });

  test('of which much is to be told has a line that can be written and read', async () => {
    const loud = Array.from({ length: 200 }, () => ({
      action: { kind: 'search_skills', query: '\u202E'.repeat(1_900) },
    })) as never[];
    const models = scriptedModels(() => scripted([...loud, answer('\u202E'.repeat(100_000))] as never));
    const evalCase = makeCase({ id: 'loud', limits: { maxTurns: 300, maxToolCalls: 300 } });
    const result = await runOne(evalCase, makePorts({ models }));
    expect(parseResults(formatResult(result))).toEqual([result]);
    expect(result.answer.length).toBeLessThanOrEqual(20_000);
  });

  test('that nobody can judge is inconclusive', async () => {
    const models = scriptedModels(() => scripted([answer('x')]));
    const rubric = makeCase({
      id: 'nice',
      expected: {
        actions: [],
        output: [{ kind: 'rubric', statement: 'It is kind.', negated: false }],
        disclosure: true,
        approvals: true,
      },
    });
    expect(await runOne(rubric, makePorts({ models }))).toMatchObject({ outcome: 'inconclusive' });
    const judge = {
      name: 'judge',
      judge: async () => ({
        verdicts: [{ passed: true, evidence: 'It is.' }],
        spent: { calls: 1, inputTokens: 10, outputTokens: 2, cost: 0.01 },
      }),
    };
    expect(await runOne(rubric, makePorts({ models, judge }))).toMatchObject({
      outcome: 'passed',
      spent: { judge: { calls: 1, cost: 0.01 } },
    });
    const spent = { calls: 2, inputTokens: 20, outputTokens: 4, cost: 0.02 };
    const costly = {
      name: 'judge',
      judge: async () => Promise.reject(new SkillsError('MODEL_ERROR', 'It says nothing.', { data: { judge: spent } })),
    };
    expect(await runOne(rubric, makePorts({ models, judge: costly }))).toMatchObject({
      outcome: 'error',
      attempts: 1,
      spent: { judge: { calls: 6, inputTokens: 60, outputTokens: 12, cost: expect.closeTo(0.06) } },
    });
    const lying = {
      name: 'judge',
      judge: async () =>
        Promise.reject(new SkillsError('MODEL_ERROR', 'No.', { data: { judge: { ...spent, calls: Number.NaN } } })),
    };
    expect((await runOne(rubric, makePorts({ models, judge: lying }))).spent.judge).toBeUndefined();
    const broken = { name: 'judge', judge: async () => Promise.reject(new SkillsError('OVERLOADED', 'Later.')) };
    expect(await runOne(rubric, makePorts({ models, judge: broken }))).toMatchObject({
      outcome: 'error',
      reason: { code: 'OVERLOADED' },
      checks: [],
    });
  });

  test('of which secrets were said has none of them in its result', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const models = scriptedModels([answer(`The token is ${secret}.`)]);
    const evalCase = makeCase({
      id: 'leaks',
      conversation: [{ input: `Use ${secret}.` }],
      expected: {
        actions: [],
        output: [{ kind: 'equals', of: { kind: 'answer' }, value: secret, caseless: false, negated: false }],
        disclosure: true,
        approvals: true,
      },
    });
    expect(JSON.stringify(await runOne(evalCase, makePorts({ models })))).not.toContain(secret);
  });
});

describe('what a trial runs on', () => {
  const task = makeCase({ id: 'task' });

  test('PSA-35: that fails is an error, never a score', async () => {
    const codes = [
      'NETWORK_ERROR',
      'TIMEOUT',
      'RATE_LIMITED',
      'OVERLOADED',
      'MODEL_ERROR',
      'UNAUTHORIZED',
      'MODEL_NOT_FOUND',
      'REQUEST_REFUSED',
      'CONTEXT_TOO_LONG',
      'RECORDING_NOT_FOUND',
      'RECORDING_STALE',
      'INVALID_CASSETTE',
      'IO_ERROR',
    ] as const;
    for (const code of codes) {
      for (const evalCase of [task, triggerCase('choice', { allOf: ['pdf'] }), triggerCase('none', { none: true })]) {
        const model = failing(() => new SkillsError(code, 'It is down.'));
        const result = await runOne(evalCase, makePorts({ models: { open: async () => ({ model }) } }));
        expect(result, code).toMatchObject({ outcome: 'error', reason: { code }, checks: [], fired: [] });
      }
    }
  });

  test('is tried again where that may help, with longer pauses, or as long as the provider asks for', async () => {
    const pauses: number[] = [];
    const clock = { ...fakeClock(), pause: async (milliseconds: number) => void pauses.push(milliseconds) };
    const model = failing(() => new SkillsError('OVERLOADED', 'Full.'));
    const result = await runOne(task, makePorts({ clock, models: { open: async () => ({ model }) } }), { retries: 2 });
    // Core asks four times itself, with pauses of its own.
    expect(model.calls).toBe(12);
    const ofCore = [500, 1_000, 2_000];
    expect(pauses).toEqual([...ofCore, 1_000, ...ofCore, 2_000, ...ofCore]);
    expect(result).toMatchObject({ outcome: 'error', attempts: 3 });

    pauses.length = 0;
    const asks = failing(() => new SkillsError('RATE_LIMITED', 'Later.', { data: { retryAfter: 700_000 } }));
    const late = await runOne(task, makePorts({ clock, models: { open: async () => ({ model: asks }) } }));
    expect(late).toMatchObject({ outcome: 'error', attempts: 1, reason: { code: 'RATE_LIMITED' } });
    expect(asks.calls).toBe(1);
  });

  test('that would say the same again is not tried again', async () => {
    const model = failing(() => new SkillsError('UNAUTHORIZED', 'No key.'));
    const result = await runOne(task, makePorts({ models: { open: async () => ({ model }) } }), { retries: 5 });
    expect(result).toMatchObject({ outcome: 'error', attempts: 1 });
    expect(model.calls).toBe(1);
  });

  test('that works the second time gives a score, and what both attempts took', async () => {
    let opened = 0;
    const closed: boolean[] = [];
    const models = {
      open: async () => {
        opened += 1;
        const model =
          opened === 1
            ? scripted([
                choose('pdf'),
                { fail: 'NETWORK_ERROR' },
                { fail: 'NETWORK_ERROR' },
                { fail: 'NETWORK_ERROR' },
                { fail: 'NETWORK_ERROR' },
              ])
            : scripted([answer('Done.')]);
        return { model, close: async (keep: boolean) => void closed.push(keep) };
      },
    };
    const result = await runOne(task, makePorts({ models }));
    expect(result).toMatchObject({ outcome: 'passed', attempts: 2, answer: 'Done.' });
    expect(result.spent.turns).toBeGreaterThan(1);
    expect(closed).toEqual([false, true]);
  });

  test('that hangs until the time is up is an error; an agent that is slow has failed', async () => {
    const clock = fakeClock();
    const limited = makeCase({ id: 'timed', limits: { maxSeconds: 10 } });
    const hanging: ModelAdapter = {
      name: 'hanging',
      contextTokens: 100_000,
      decide: async (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new SkillsError('INTERRUPTED', 'Aborted.')));
          clock.advance(10_000);
        }),
    };
    const hung = await runOne(limited, makePorts({ clock, models: { open: async () => ({ model: hanging }) } }), {
      retries: 0,
    });
    expect(hung).toMatchObject({ outcome: 'error', reason: { code: 'TIMEOUT' } });

    const inner = scripted(() => ({ action: { kind: 'search_skills', query: 'x' } }));
    const slow: ModelAdapter = {
      ...inner,
      decide: async (request, options) => {
        clock.advance(3_000);
        return inner.decide(request, options);
      },
    };
    const failed = await runOne(limited, makePorts({ clock, models: { open: async () => ({ model: slow }) } }));
    expect(failed).toMatchObject({ outcome: 'failed' });
  });

  test('that answers once and hangs then is an error; so is one that does not stop when its time is up', async () => {
    const limited = makeCase({ id: 'timed', limits: { maxSeconds: 0.2 } });
    let calls = 0;
    const stubborn: ModelAdapter = {
      name: 'stubborn',
      contextTokens: 100_000,
      decide: async (request, options) => {
        calls += 1;
        if (calls > 1) return new Promise(() => {});
        return scripted([{ action: { kind: 'search_skills', query: 'x' } }]).decide(request, options);
      },
    };
    const ports = makePorts({ models: { open: async () => ({ model: stubborn }) } });
    const result = await runOne(limited, { ...ports, clock: systemClock }, { retries: 0 });
    expect(result).toMatchObject({ outcome: 'error', reason: { code: 'TIMEOUT' }, spent: { turns: 2 } });
  });

  test('is not tried again and again once it has failed for a while, until it answers', async () => {
    let [opened, broken] = [0, true];
    const models = {
      open: async () => {
        opened += 1;
        if (broken) throw new SkillsError('NETWORK_ERROR', 'Down.');
        return { model: scripted([answer('x')]) };
      },
    };
    const cases = Array.from({ length: 8 }, (_, at) => makeCase({ id: `case-${at}` }));
    const results = await run(cases, makePorts({ models }), {
      retries: 2,
      concurrency: 1,
      onResult: ({ case: id }) => void (broken = id !== 'case-6'),
    });
    expect(results.map(({ attempts }) => attempts)).toEqual([3, 3, 3, 3, 3, 1, 1, 1]);
    expect([results[6]?.outcome, results[7]?.outcome, opened]).toEqual(['error', 'passed', 18]);
  });

  test('is an error wherever it breaks: the place, the model, the recording', async () => {
    const broken = async (): Promise<never> => Promise.reject(new SkillsError('RECORDING_NOT_FOUND', 'None.'));
    const noModel = await runOne(task, makePorts({ models: { open: broken } }));
    expect(noModel).toMatchObject({ outcome: 'error', reason: { code: 'RECORDING_NOT_FOUND' } });
    const noGround = await runOne(
      task,
      makePorts({ ground: { open: async () => Promise.reject(new Error('no disk')) } }),
    );
    expect(noGround).toMatchObject({
      outcome: 'error',
      reason: { code: 'INTERNAL', message: expect.stringContaining('no disk') },
    });
    const models = {
      open: async () => ({
        model: scripted([answer('x')]),
        close: async () => Promise.reject(new SkillsError('IO_ERROR', 'The disk is full.')),
      }),
    };
    expect(await runOne(task, makePorts({ models }))).toMatchObject({ outcome: 'error', reason: { code: 'IO_ERROR' } });
  });

  test('is let go of whatever happens', async () => {
    let [grounds, closed] = [0, 0];
    const ground = {
      open: async () => {
        grounds += 1;
        const open = await bareGround().open({} as never, { signal: new AbortController().signal });
        return { ...open, [Symbol.asyncDispose]: async () => void (closed += 1) };
      },
    };
    const model = failing(() => new Error('a defect'));
    await runOne(task, makePorts({ ground, models: { open: async () => ({ model }) } }));
    await runOne(task, makePorts({ ground, models: { open: async () => Promise.reject(new Error('x')) } }));
    expect([grounds, closed]).toEqual([2, 2].map(() => grounds));
    expect(grounds).toBeGreaterThan(1);
  });
});

describe('a budget', () => {
  test('PSA-35: that is spent stops before the next call, and nothing further is begun', async () => {
    const inner = scripted(() => answer('x'));
    const model = withBudget(inner, { calls: 3 });
    let calls = 0;
    const counting: ModelAdapter = {
      ...model,
      decide: async (request, options) => {
        const said = await model.decide(request, options);
        calls += 1;
        return said;
      },
    };
    let opened = 0;
    const models = {
      open: async () => {
        opened += 1;
        return { model: counting };
      },
    };
    const cases = Array.from({ length: 20 }, (_, at) => makeCase({ id: `case-${at}` }));
    const suites = [makeSuite(cases)];
    const ports = makePorts({ models });
    const plan = await planEvals(suites, ports, { models: ['m'] });
    const first = await runEvals({ suites, plan }, ports, { concurrency: 1 });
    expect(first.stoppedBy?.code).toBe('BUDGET_EXHAUSTED');
    expect(first.results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed', 'stopped']);
    expect(calls).toBe(3);
    expect(opened).toBe(4);
    // With another budget it goes on, and what was stopped is run anew.
    const again = await runEvals({ suites, plan }, { ...ports, models: scriptedModels(() => scripted([answer('x')])) });
    expect(again.stoppedBy).toBeUndefined();
    expect(again.reused).toBe(3);
    expect(again.results.map(({ outcome }) => outcome)).toEqual(cases.map(() => 'passed'));
  });
});
