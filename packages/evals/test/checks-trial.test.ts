import { startRun, type RunEvent } from '@skillpack/core';
import { expect, test } from 'vitest';
import {
  checkSkills,
  checkTrial,
  firedSkills,
  stepsOf,
  wantedSkills,
  type CaseLimits,
  type EvalCase,
  type Expectations,
  type ExpectedSkills,
  type TrialToCheck,
} from '../src/index.js';
import {
  act,
  agentPorts,
  answer,
  approver,
  call,
  echoRunner,
  load,
  no,
  runOf,
  script,
  select,
  seqOf,
} from './checks-world.js';

const expected: Expectations = { actions: [], output: [], disclosure: true, approvals: true };
const aCase: EvalCase = {
  id: 'one',
  kind: 'task',
  tags: [],
  conversation: [{ input: 'Do it.' }],
  files: [],
  offer: { distractors: [], preload: [] },
  expected,
  limits: {},
};
const spent = { turns: 4, toolCalls: 3, scripts: 1, inputTokens: 100, outputTokens: 20, duration: 1_500 };
const { signal } = new AbortController();

async function check(trial: Partial<TrialToCheck>): ReturnType<typeof checkTrial> {
  return checkTrial({ case: aCase, events: [], answers: [], spent, ...trial }, {}, { signal });
}

async function verdictsOf(
  limits: CaseLimits,
  trial: Partial<TrialToCheck> = {},
): Promise<readonly (readonly [string, string])[]> {
  const { checks } = await check({
    case: { ...aCase, limits, expected: { ...expected, disclosure: false, approvals: false } },
    ...trial,
  });
  return checks.map(({ text, verdict }) => [text, verdict]);
}

test('PSA-35: which skills fired is what the model chose and what there is, each once, in order', async () => {
  const events = await runOf([select('docx', 'nothing'), select('pdf', 'docx'), answer('Done.')], {
    options: { preload: ['survey'] },
  });
  expect(firedSkills(events)).toEqual(['docx', 'pdf']);
  expect(firedSkills(await runOf([answer('Hello.')]))).toEqual([]);
});

test('PSA-36: any of some skills, all of others and none of yet others are used', async () => {
  const events = await runOf([select('pdf'), select('docx'), answer('Done.')]);
  const verdicts = (skills: ExpectedSkills): readonly string[] =>
    checkSkills(skills, events).map(({ verdict }) => verdict);
  expect(verdicts({ anyOf: ['survey', 'docx'] })).toEqual(['passed']);
  expect(verdicts({ allOf: ['pdf', 'survey'] })).toEqual(['passed', 'failed']);
  expect(verdicts({ none: ['survey'] })).toEqual(['passed']);
  expect(verdicts({ none: ['docx'], anyOf: ['pdf'], others: false })).toEqual(['passed', 'failed', 'failed']);
  expect(checkSkills({ none: true }, events)).toEqual([
    {
      kind: 'skills',
      text: 'no skill is used',
      verdict: 'failed',
      evidence: 'Used: pdf, docx.',
      seq: seqOf(events, 'select_skills'),
    },
  ]);
  const [other] = checkSkills({ allOf: ['pdf'], others: false }, events).slice(1);
  expect(other).toMatchObject({ text: 'no skill but pdf is used', seq: seqOf(events, 'select_skills', 2) });
});

test('PSA-36: a skill that was there from the beginning is used, and was not chosen in vain', async () => {
  const events = await runOf([answer('Done.')], { options: { preload: ['pdf'] } });
  expect(checkSkills({ allOf: ['pdf'], none: true, others: false }, events).map(({ verdict }) => verdict)).toEqual([
    'passed',
    'passed',
    'passed',
  ]);
});

test('PSA-36: a skill that has a run of its own is used once', async () => {
  const events = await runOf([select('survey'), answer('Seven.'), answer('There are seven.')]);
  expect(firedSkills(events)).toEqual(['survey']);
  expect(checkSkills({ allOf: ['survey'] }, events)).toMatchObject([{ verdict: 'passed', evidence: 'Used: survey.' }]);
});

test('PSA-35: what a case wants of skills is told flat, for counting', () => {
  const wants = (skills?: ExpectedSkills) => wantedSkills({ expected: { ...expected, skills } });
  expect(wants()).toBeUndefined();
  expect(wants({ others: true })).toBeUndefined();
  expect(wants({ anyOf: ['a', 'b', 'a'] })).toEqual({ skills: ['a', 'b'], all: false, not: [] });
  expect(wants({ allOf: ['a'], anyOf: ['b'], none: ['c'] })).toEqual({ skills: ['a'], all: true, not: ['c'] });
  expect(wants({ none: true })).toEqual({ skills: [], all: false, not: [] });
  expect(wants({ none: ['c'] })).toEqual({ skills: [], all: false, not: ['c'] });
});

test('PSA-35: a trial is held to its limits, and one that ended the run is a failed check', async () => {
  expect(await verdictsOf({ maxTurns: 4, maxToolCalls: 2, maxScripts: 1, maxTokens: 119, maxSeconds: 1.5 })).toEqual([
    ['at most 4 turns', 'passed'],
    ['at most 2 actions', 'failed'],
    ['at most 1 script', 'passed'],
    ['at most 119 tokens', 'failed'],
    ['at most 1.5 seconds', 'passed'],
  ]);
  expect(await verdictsOf({ maxCost: 0.01 })).toEqual([['at most 0.01 dollars', 'not_judged']]);
  expect(await verdictsOf({ maxCost: 0.01 }, { spent: { ...spent, cost: 0.02 } })).toEqual([
    ['at most 0.01 dollars', 'failed'],
  ]);
  const events = await runOf([select('pdf'), load('pdf'), answer('Done.')], { options: { limits: { turns: 2 } } });
  expect(await verdictsOf({ maxTurns: 2 }, { events, spent: { ...spent, turns: 2 } })).toEqual([
    ['at most 2 turns', 'failed'],
  ]);
});

test('PSA-35: tools that must not be used are found, also where they were refused', async () => {
  const events = await runOf([select('pdf'), call('Write'), script('pdf'), answer('Done.')], {
    ports: { approver: approver(no) },
  });
  expect(await verdictsOf({ allowedTools: ['Wr*'] }, { events })).toEqual([['no tool is used but Wr*', 'failed']]);
  expect(await verdictsOf({ allowedTools: ['Write', 'run_script'] }, { events })).toEqual([
    ['no tool is used but Write, run_script', 'passed'],
  ]);
  const { checks } = await check({ events, case: { ...aCase, limits: { forbiddenTools: ['run_script'] } } });
  expect(checks[0]).toMatchObject({ verdict: 'failed', seq: seqOf(events, 'run_script') });
});

test('PSA-36: a run of core keeps what may be disclosed and what was approved; a record that does not is told with the step', async () => {
  const events = await runOf([select('pdf'), load('pdf'), script('pdf'), answer('Done.')]);
  const promises = async (record: readonly RunEvent[], wanted: Partial<Expectations> = {}) => {
    const { checks } = await check({ events: record, case: { ...aCase, expected: { ...expected, ...wanted } } });
    return checks;
  };
  expect((await promises(events)).map(({ kind, verdict }) => [kind, verdict])).toEqual([
    ['disclosure', 'passed'],
    ['approvals', 'passed'],
  ]);
  // As another agent might have left it: nobody was asked, and the file was read first.
  const unasked = events.filter(({ type }) => !type.startsWith('approval_'));
  const [, approvals] = await promises(unasked);
  expect(approvals).toMatchObject({ kind: 'approvals', verdict: 'failed' });
  expect(approvals?.evidence).toContain(`by #${seqOf(events, 'run_script')} (run_script pdf scripts/text.mjs)`);
  const unread = events.filter(({ type }) => type !== 'skill_activated');
  const [disclosure] = await promises(unread);
  const read = events.find((event) => event.type === 'skill_read' && event.path === 'guide.md');
  expect(disclosure).toMatchObject({ kind: 'disclosure', verdict: 'failed', seq: read?.seq });
  expect(disclosure?.evidence).toContain('guide.md of ');
  expect(await promises(unread, { disclosure: false, approvals: false })).toEqual([]);
});

test('PSA-36: what was told of an answer piece by piece is held to what the record holds of it', async () => {
  const ports = agentPorts([answer('It has – 三 pages.'), answer('Two.')]);
  const run = await startRun(ports, { id: 'run' });
  const streamed: string[] = [];
  for (const request of ['First.', 'Second.']) {
    let told = '';
    await run.ask(request, { onAnswer: (delta, all) => void (told = all === '' ? '' : told + delta) });
    streamed.push(told);
  }
  await run.finish();
  const { events } = ports.journal;
  const streaming = async (pieces: readonly string[]) => (await check({ events, streamed: pieces })).checks.at(-1);
  expect(await streaming(streamed)).toMatchObject({
    kind: 'output',
    text: 'what is told piece by piece is the answer',
    verdict: 'passed',
  });
  const broken = await streaming([streamed[0] ?? '', 'Three.']);
  expect(broken).toMatchObject({
    verdict: 'failed',
    seq: events.findLast(({ type }) => type === 'request_answered')?.seq,
  });
  expect(broken?.evidence).toContain('from character 2 on: "hree." instead of "wo."');
  const degraded = await runOf([select('pdf')], { options: { limits: { turns: 1 } } });
  const nothing = await check({ events: degraded, streamed: [''] });
  expect(nothing.checks.at(-1)?.verdict).toBe('passed');
  const left = await check({ events: degraded, streamed: ['Half an ans'] });
  expect(left.checks.at(-1)?.verdict).toBe('failed');
});

test('PSA-35: a trial of the kind trigger is held to skills, actions and limits; what else it expects is not judged', async () => {
  const events = await runOf([select('pdf'), answer('Done.')]);
  const trigger: EvalCase = {
    ...aCase,
    kind: 'trigger',
    limits: { maxTurns: 9 },
    expected: {
      ...expected,
      skills: { allOf: ['pdf'] },
      actions: [{ kind: 'forbidden', step: { action: 'run_script' } }],
      output: [{ kind: 'equals', of: { kind: 'answer' }, value: 'Done.', caseless: false, negated: false }],
    },
  };
  const { checks } = await check({ case: trigger, events, answers: ['Done.'], streamed: ['Done.'] });
  expect(checks.map(({ kind, verdict }) => [kind, verdict])).toEqual([
    ['skills', 'passed'],
    ['actions', 'passed'],
    ['limits', 'passed'],
    ['output', 'not_judged'],
  ]);
});

test('PSA-35: the transcript of a run has a step for each thing that happened, with what came of it', async () => {
  const events = await runOf(
    [
      select('pdf'),
      script('pdf', 'scripts/text.mjs', 'in file.pdf'),
      call('Write'),
      answer('It has\u001B[2J 3 pages.'),
    ],
    {
      ports: { runner: echoRunner(1) },
    },
  );
  const steps = stepsOf(events);
  expect(steps.map(({ kind, label, ok }) => [kind, label, ok])).toEqual([
    ['request', 'Do it.', undefined],
    ['model', 'scripted:script', true],
    ['action', 'select_skills pdf', true],
    ['skill', 'pdf', true],
    ['model', 'scripted:script', true],
    ['action', 'run_script pdf scripts/text.mjs "in file.pdf"', false],
    ['approval', 'asked: scripts/text.mjs "in file.pdf"', true],
    ['model', 'scripted:script', true],
    ['action', 'call_tool Write {}', true],
    ['approval', 'asked: Write {}', true],
    ['model', 'scripted:script', true],
    ['answer', 'answer', true],
  ]);
  expect(steps.map(({ seq }) => seq)).toEqual(steps.map(({ seq }) => seq).toSorted((left, right) => left - right));
  expect(steps[1]?.tokens?.every((count) => count > 0)).toBe(true);
  expect(steps[5]?.detail).toContain('exit code 1');
  expect(steps.at(-1)?.detail).toBe('It has<U+001B>[2J 3 pages.');
});

test('PSA-35: a transcript has the steps of child runs under the name of their skill, and what went wrong', async () => {
  const events = await runOf([
    select('survey'),
    { say: 'Nothing that can be read.' },
    load('survey'),
    answer('Seven.'),
    { fail: 'MODEL_NOT_FOUND' },
  ]);
  const steps = stepsOf(events).map(({ kind, label, ok }) => [kind, label, ok]);
  expect(steps).toContainEqual(['action', '[survey] load_resource survey guide.md', true]);
  expect(steps).toContainEqual(['problem', '[survey] the answer is no decision', false]);
  expect(steps).toContainEqual(['skill', '[survey] survey (preload)', true]);
  expect(steps).toContainEqual(['model', 'scripted:script', false]);
  expect(steps.at(-1)).toEqual(['answer', 'ends with model_failed', false]);
});

test('PSA-35: steps begin when they began, and last as long as they took', async () => {
  const ports = agentPorts([call('Slow'), answer('Done.')]);
  const slow = {
    name: 'Slow',
    description: 'Takes its time.',
    inputSchema: { type: 'object' },
    risk: 'low' as const,
    run: async () => {
      // The clock of the world is a fake one.
      (ports.clock as ReturnType<typeof agentPorts>['clock'] & { advance(milliseconds: number): void }).advance(250);
      return { ok: true, content: 'Done', output: {}, started: 0, ended: 0, duration: 0 };
    },
  };
  const run = await startRun({ ...ports, tools: [slow] }, { id: 'run' });
  await run.ask('Do it.');
  const steps = stepsOf(ports.journal.events);
  expect(steps.find(({ kind }) => kind === 'action')).toMatchObject({ start: 0, duration: 250 });
  expect(steps.at(-1)).toMatchObject({ kind: 'answer', start: 250 });
});

test('PSA-35: a question to the person is told as what ended the request', async () => {
  const events = await runOf([act({ kind: 'ask_user', question: 'Which file?' })]);
  expect(stepsOf(events).at(-1)).toMatchObject({
    kind: 'answer',
    label: 'ends with question',
    ok: true,
    detail: 'Which file?',
  });
});

test('PSA-35: a transcript says what was refused without asking anybody, and by which rule', async () => {
  const events = await runOf([call('Write'), answer('It is not allowed.')], {
    options: { permissions: { configured: { deny: ['Write'] } } },
  });
  const steps = stepsOf(events);
  expect(steps.filter(({ kind }) => kind === 'approval')).toMatchObject([
    { label: 'refused without asking', ok: false, detail: 'by configuration: Write' },
  ]);
  expect(steps.find(({ kind }) => kind === 'action')).toMatchObject({ label: 'call_tool Write {}', ok: false });
});

test('PSA-35: a transcript does not tell as refused what was allowed, nor as well what was cut off', async () => {
  const events = await runOf([call('Read'), { say: '{"kind":"final', finish: 'length' }, answer('Done.')]);
  const steps = stepsOf(events);
  expect(events.some(({ type }) => type === 'tool_judged')).toBe(true);
  expect(steps.filter(({ kind }) => kind === 'approval')).toEqual([]);
  expect(steps.filter(({ kind }) => kind === 'model').map(({ ok }) => ok)).toEqual([true, false, true]);
});

test('PSA-35: a transcript of a record that lies is plain text, and no time in it is none', async () => {
  const events = await runOf([call('Read'), answer('Done.')]);
  const odd = '\u001B[2J\u202E'.repeat(1_000);
  const lying = events.map((event, at): RunEvent => {
    const when = at === 0 ? event.at : at % 2 === 0 ? 'yesterday' : new Date(at * -1_000_000).toISOString();
    if (event.type === 'observation_recorded') return { ...event, at: when, content: odd };
    if (event.type === 'run_started') return { ...event, model: odd };
    return { ...event, at: when };
  });
  const steps = stepsOf(lying);
  expect(steps).toHaveLength(stepsOf(events).length);
  for (const { label, detail = '', start, duration } of steps) {
    // eslint-disable-next-line no-control-regex -- finding control characters is what it is for
    expect(label + detail).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u202E]/u);
    expect(label.length).toBeLessThanOrEqual(200);
    expect(detail.length).toBeLessThanOrEqual(2_000);
    expect(start).toBeGreaterThanOrEqual(0);
    expect(duration).toBeGreaterThanOrEqual(0);
  }
  expect(steps.map(({ detail = '' }) => detail).join('')).toContain('<U+202E>');
  expect(steps.find(({ kind }) => kind === 'model')?.label).toContain('<U+001B>[2J<U+202E>');
});

test('PSA-35: what a run goes on with after a break is told, also with another model', async () => {
  const events = await runOf([call('Read'), answer('Done.')]);
  const [first] = events;
  if (first === undefined) throw new Error('A run has events.');
  const resumed = {
    type: 'run_resumed',
    after: 0,
    requests: 1,
    with: { model: 'other:model' },
    run: first.run,
    seq: events.length,
    at: first.at,
  } as unknown as RunEvent;
  const asked = events.find(({ type }) => type === 'model_requested');
  const again = { ...asked, seq: events.length + 1 } as RunEvent;
  const steps = stepsOf([...events, resumed, again]);
  expect(steps.slice(-2).map(({ kind, label }) => [kind, label])).toEqual([
    ['problem', 'the run was cut off, and goes on'],
    ['model', 'other:model'],
  ]);
});
