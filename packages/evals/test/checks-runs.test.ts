import { continueRun, effectiveEvents, type RunEvent } from '@skillpack/core';
import { expect, test } from 'vitest';
import { checkActions, type ActionRule, type StepPattern } from '../src/index.js';
import {
  agentPorts,
  answer,
  approver,
  before,
  call,
  check,
  load,
  loadBeforeRun,
  loads,
  no,
  runOf,
  runs,
  script,
  select,
  selects,
  seqOf,
  yes,
  yesForTheRun,
} from './checks-world.js';

test('PSA-36: what an earlier request of the same run did counts for a later one', async () => {
  const events = await runOf([select('pdf'), load('pdf'), answer('One.'), script('pdf'), answer('Two.')], {
    requests: ['First.', 'Second.'],
  });
  expect(check(loadBeforeRun, events).verdict).toBe('passed');
});

test('PSA-36: a run of its own for a skill comes after its selection, and its steps stand where they happened', async () => {
  const replies = [
    select('survey'),
    load('survey'),
    script('survey', 'scripts/count.mjs'),
    answer('Seven.'),
    answer('There are seven.'),
  ];
  const events = await runOf(replies);
  expect(events.some(({ run }) => run === 'run/1')).toBe(true);
  expect(check(loadBeforeRun, events).verdict).toBe('passed');
  expect(check(before(selects('$X'), runs('$X')), events).verdict).toBe('passed');
  expect(check(before({ action: 'select_skills' }, runs('$X')), events).verdict).toBe('passed');
  const unread = await runOf([
    select('survey'),
    script('survey', 'scripts/count.mjs'),
    answer('Seven.'),
    answer('There are seven.'),
  ]);
  expect(check(loadBeforeRun, unread)).toMatchObject({ verdict: 'failed', seq: seqOf(unread, 'run_script') });
  // The answer of the run of its own is none to the person.
  const once: ActionRule = { kind: 'at_most', step: { action: 'final_answer' }, most: 1 };
  expect(check(once, events).verdict).toBe('passed');
  const order: ActionRule = {
    kind: 'sequence',
    mode: 'in_order',
    steps: [selects('survey'), loads('survey'), runs('survey'), { action: 'final_answer' }],
  };
  expect(check(order, events).verdict).toBe('passed');
});

test('PSA-36: a delegated skill was selected also where its run ends badly', async () => {
  const replies = [select('survey'), script('survey', 'scripts/count.mjs'), answer('So be it.')];
  const events = await runOf(replies, { ports: { approver: approver(no) }, options: { limits: { turns: 4 } } });
  expect(events.some((event) => event.run === 'run/1' && event.type === 'request_answered')).toBe(true);
  expect(check(before(selects('survey'), runs('survey')), events).verdict).toBe('passed');
});

test('PSA-36: a skill that was there from the beginning need not be selected, and was not', async () => {
  const events = await runOf([script('pdf'), answer('Done.')], { options: { preload: ['pdf'] } });
  expect(check(before(selects('$X'), runs('$X')), events).verdict).toBe('passed');
  expect(check({ kind: 'occurs', step: selects('pdf'), atLeast: 1 }, events).verdict).toBe('failed');
  expect(check({ kind: 'forbidden', step: selects('pdf') }, events).verdict).toBe('passed');
  const named = await runOf([script('pdf'), answer('Done.')], { requests: [{ text: 'Do it.', skill: 'pdf' }] });
  expect(check(before(selects('$X'), runs('$X')), named).verdict).toBe('passed');
});

test('PSA-36: a yes comes before what it allows, though it is asked for after the decision', async () => {
  const approved = before(
    { action: 'approval', skill: '$X', path: '$P' },
    { action: 'run_script', skill: '$X', path: '$P' },
  );
  const asked = await runOf([select('pdf'), script('pdf'), answer('Done.')]);
  expect(check(approved, asked).verdict).toBe('passed');
  const denied = await runOf([select('pdf'), script('pdf'), answer('Done.')], { ports: { approver: approver(no) } });
  // What nobody let be done needs no yes; but it was tried.
  expect(check(approved, denied).verdict).toBe('passed');
  expect(check({ kind: 'forbidden', step: runs('pdf') }, denied)).toMatchObject({
    verdict: 'failed',
    seq: seqOf(denied, 'run_script'),
  });
  expect(check({ kind: 'occurs', step: { action: 'approval' }, atLeast: 1 }, denied).verdict).toBe('failed');
  const allowed = await runOf([select('pdf'), script('pdf'), answer('Done.')], {
    options: { permissions: { configured: { allow: ['risk:low', 'risk:medium'], ask: [] } } },
  });
  const result = check(approved, allowed);
  expect(result).toMatchObject({ verdict: 'failed', seq: seqOf(allowed, 'run_script') });
  expect(result.evidence).toContain('there should have been approval for pdf scripts/text.mjs');
});

test('PSA-36: an earlier yes that covers a step comes before it, and counts once', async () => {
  const events = await runOf(
    [select('pdf'), script('pdf'), script('pdf', 'scripts/text.mjs', 'again'), answer('Done.')],
    {
      ports: { approver: approver(yesForTheRun) },
    },
  );
  const approved = before({ action: 'approval', args: ['again'] }, { action: 'run_script', args: ['again'] });
  expect(check(approved, events).verdict).toBe('passed');
  expect(check({ kind: 'at_most', step: { action: 'approval' }, most: 1 }, events).verdict).toBe('passed');
  expect(check({ kind: 'occurs', step: { action: 'approval' }, atLeast: 2 }, events).verdict).toBe('failed');
});

test('PSA-36: a yes to a tool is a yes to that tool with that input', async () => {
  const events = await runOf([call('Write', { path: 'a.txt' }), call('Write', { path: 'b.txt' }), answer('Done.')], {
    ports: { approver: approver(yes, no) },
  });
  const approval: StepPattern = { action: 'approval', tool: 'Write', input: { path: '$P' } };
  const write: StepPattern = { action: 'call_tool', tool: 'Write', input: { path: '$P' } };
  expect(check(before(approval, write), events).verdict).toBe('passed');
  expect(check({ kind: 'occurs', step: { ...approval, input: { path: 'b.txt' } }, atLeast: 1 }, events).verdict).toBe(
    'failed',
  );
  expect(
    check({ kind: 'occurs', step: { ...write, ok: true, input: { path: '*.txt' } }, atLeast: 1 }, events).verdict,
  ).toBe('passed');
});

test('PSA-36: where a run was cut off, what it left out prepares nothing, and a script that may have run did', async () => {
  const replies = [select('pdf'), load('pdf'), script('pdf'), answer('Done.')];
  const ports = agentPorts(replies);
  const whole = await runOf(replies);
  // Cut off while the script was under way: it was let run, and nobody saw its end.
  const cut = whole.slice(0, whole.findIndex((event) => event.type === 'approval_decided') + 1);
  for (const event of cut) await ports.journal.append(event);
  const resumed = { ...ports, model: agentPorts([script('pdf'), answer('Done.')]).model };
  const run = await continueRun(cut, resumed, { id: 'run' });
  await run.goOn();
  const { events } = ports.journal;
  const scripts = events.filter((event) => event.type === 'action_started' && event.action.kind === 'run_script');
  expect(scripts).toHaveLength(2);
  expect(check({ kind: 'at_most', step: runs('pdf'), most: 1 }, events)).toMatchObject({
    verdict: 'failed',
    seq: scripts[1]?.seq,
  });
  expect(check({ kind: 'occurs', step: runs('pdf'), atLeast: 2 }, events).verdict).toBe('failed');
  expect(check(loadBeforeRun, events).verdict).toBe('passed');
  expect(
    check({ kind: 'sequence', mode: 'exact', steps: [selects('pdf'), loads('pdf'), runs('pdf')] }, events).verdict,
  ).toBe('passed');
});

test('PSA-36: what a run of its own read before it was cut off is unknown to the one that follows', async () => {
  const replies = [
    select('survey'),
    load('survey'),
    script('survey', 'scripts/count.mjs'),
    answer('Seven.'),
    answer('Done.'),
  ];
  const whole = await runOf(replies);
  const cut = whole.slice(0, seqOf(whole, 'run_script') - 1);
  const ports = agentPorts([
    select('survey'),
    script('survey', 'scripts/count.mjs'),
    answer('Seven.'),
    answer('Done.'),
  ]);
  for (const event of cut) await ports.journal.append(event);
  const run = await continueRun(cut, ports, { id: 'run' });
  await run.goOn();
  const { events } = ports.journal;
  expect(effectiveEvents(events).length).toBeLessThan(events.length);
  const result = check(loadBeforeRun, events);
  expect(result).toMatchObject({ verdict: 'failed', seq: seqOf(events, 'run_script') });
  expect(result.evidence).toContain('in what the run left out when it went on');
});

test('PSA-36: wherever a run is cut off and goes on, its rules come to the same', async () => {
  const replies = [select('pdf'), load('pdf'), script('pdf'), call('Write'), answer('Done.')];
  const rules: readonly ActionRule[] = [
    loadBeforeRun,
    before(selects('$X'), runs('$X')),
    before({ action: 'approval', tool: '$T' }, { action: 'call_tool', tool: '$T' }),
    { kind: 'occurs', step: { ...runs('pdf'), ok: true }, atLeast: 1 },
    { kind: 'sequence', mode: 'exact', steps: [selects('pdf'), loads('pdf'), runs('pdf'), { tool: 'Write' }] },
    { kind: 'forbidden', step: loads('docx') },
  ];
  const whole = await runOf(replies);
  const verdicts = (events: readonly RunEvent[]): readonly string[] =>
    checkActions(rules, events).map(({ verdict }) => verdict);
  expect(verdicts(whole)).toEqual(rules.map(() => 'passed'));
  const answered = whole.findIndex(({ type }) => type === 'request_answered');
  for (let length = 1; length < answered; length += 1) {
    const cut = whole.slice(0, length);
    const done = effectiveEvents(cut).filter(({ type }) => type === 'observation_recorded').length;
    const ports = agentPorts(replies.slice(done));
    for (const event of cut) await ports.journal.append(event);
    const run = await continueRun(cut, ports, { id: 'run' });
    const open = cut.some(({ type }) => type === 'request_received');
    await (open ? run.goOn() : run.ask('Do it.'));
    expect([length, ...verdicts(ports.journal.events)]).toEqual([length, ...rules.map(() => 'passed')]);
  }
});
