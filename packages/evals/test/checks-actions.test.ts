import { continueRun, createSkillRegistry, effectiveEvents, memorySkills, type RunEvent } from '@skillpack/core';
import { expect, test } from 'vitest';
import { checkActions, firedSkills, type ActionRule, type CheckResult, type StepPattern } from '../src/index.js';
import {
  act,
  agentPorts,
  answer,
  approver,
  before,
  call,
  echoRunner,
  files,
  load,
  no,
  runOf,
  script,
  select,
  seqOf,
  sha256,
  yes,
  yesForTheRun,
} from './checks-world.js';

function check(rule: ActionRule, events: readonly RunEvent[]): CheckResult {
  const [result] = checkActions([rule], events);
  if (result === undefined) throw new Error('A rule has a result.');
  return result;
}

const loads = (skill: string): StepPattern => ({ action: 'load_resource', skill });
const runs = (skill: string): StepPattern => ({ action: 'run_script', skill });
const selects = (skill: string): StepPattern => ({ action: 'select_skills', skill });
const loadBeforeRun = before(loads('$X'), runs('$X'));

test('PSA-36: a step that has to come before another one is found with the same skill', async () => {
  const events = await runOf([select('pdf'), load('pdf'), script('pdf'), answer('Done.')]);
  expect(check(loadBeforeRun, events)).toEqual({
    kind: 'actions',
    text: 'load_resource of $X comes before run_script of $X',
    verdict: 'passed',
    evidence: `It holds for the one step. #${seqOf(events, 'load_resource')} (load_resource pdf guide.md) came before #${seqOf(events, 'run_script')} (run_script pdf scripts/text.mjs).`,
    seq: seqOf(events, 'run_script'),
  });
});

test('PSA-36: what was read of another skill does not count, and the step that breaks the rule is named', async () => {
  const events = await runOf([select('pdf', 'docx'), load('docx'), script('pdf'), answer('Done.')]);
  expect(check(loadBeforeRun, events)).toMatchObject({
    verdict: 'failed',
    seq: seqOf(events, 'run_script'),
    evidence: `Before #${seqOf(events, 'run_script')} (run_script pdf scripts/text.mjs) there should have been load_resource of pdf: there was only #${seqOf(events, 'load_resource')} (load_resource docx guide.md).`,
  });
});

test('PSA-36: the rule holds for every occurrence, not for the first one alone', async () => {
  const events = await runOf([
    select('pdf', 'docx'),
    load('pdf'),
    script('pdf'),
    script('docx'),
    load('docx'),
    answer('Done.'),
  ]);
  const result = check(loadBeforeRun, events);
  expect(result).toMatchObject({ verdict: 'failed', seq: seqOf(events, 'run_script', 2) });
  expect(result.evidence).toContain(
    `#${seqOf(events, 'load_resource', 2)} (load_resource docx guide.md) came only later.`,
  );
});

test('PSA-36: a step that failed prepares nothing, unless the rule asks for one that failed', async () => {
  const events = await runOf([select('pdf'), load('pdf', 'nothing.md'), script('pdf'), answer('Done.')]);
  const result = check(loadBeforeRun, events);
  expect(result.verdict).toBe('failed');
  expect(result.evidence).toContain('came before, and failed.');
  expect(check(before({ ...loads('$X'), ok: false }, runs('$X')), events).verdict).toBe('passed');
});

test('PSA-36: what an earlier request of the same run did counts for a later one', async () => {
  const events = await runOf([select('pdf'), load('pdf'), answer('One.'), script('pdf'), answer('Two.')], {
    requests: ['First.', 'Second.'],
  });
  expect(check(loadBeforeRun, events).verdict).toBe('passed');
});

test('PSA-36: a rule on something that never happens holds, and says so', async () => {
  const events = await runOf([answer('Nothing to do.')]);
  expect(check(loadBeforeRun, events)).toMatchObject({
    verdict: 'passed',
    evidence: 'There is no run_script of $X in the run.',
  });
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

test('PSA-36: the skill whose file is used counts, not the one that was named beside the path', async () => {
  const path = '/skills/docx/scripts/text.mjs';
  const location = (events: readonly RunEvent[]): string =>
    events.flatMap((event) =>
      event.type === 'skill_activated' && event.activation.name === 'docx' ? [event.activation.location] : [],
    )[0] ?? '';
  const probe = await runOf([select('docx'), answer('Done.')]);
  const full = `${location(probe)}/scripts/text.mjs`;
  expect(full).not.toBe(path);
  const events = await runOf([
    select('pdf', 'docx'),
    load('pdf'),
    act({ kind: 'run_script', skill: { name: 'pdf' }, relative_path: full, args: [] }),
    answer('Done.'),
  ]);
  expect(
    check({ kind: 'occurs', step: { ...runs('docx'), path: 'scripts/text.mjs', ok: true }, atLeast: 1 }, events)
      .verdict,
  ).toBe('passed');
  expect(check(loadBeforeRun, events)).toMatchObject({ verdict: 'failed', seq: seqOf(events, 'run_script') });
});

test('PSA-36: a path is the same however it is written', async () => {
  const events = await runOf([select('pdf'), load('pdf', './guide.md'), script('pdf'), answer('Done.')]);
  const has = (step: StepPattern): string => check({ kind: 'occurs', step, atLeast: 1 }, events).verdict;
  expect(has({ ...loads('pdf'), path: 'guide.md' })).toBe('passed');
  expect(has({ ...runs('pdf'), path: './scripts//text.mjs' })).toBe('passed');
  expect(has({ ...runs('pdf'), path: 'scripts\\*.mjs' })).toBe('passed');
  expect(has({ ...runs('pdf'), path: 'text.mjs' })).toBe('failed');
});

test('PSA-36: a tool belongs to the skill that brought it, and one that was there before to none', async () => {
  const events = await runOf([call('Read'), select('pdf'), call('Look'), call('Read'), answer('Done.')]);
  const of = (tool: string): ActionRule => ({
    kind: 'occurs',
    step: { action: 'call_tool', tool, skill: 'pdf' },
    atLeast: 1,
  });
  expect(check(of('Look'), events).verdict).toBe('passed');
  expect(check(of('Read'), events).verdict).toBe('failed');
});

test('PSA-36: what may happen at most so often may do so for each value of a variable', async () => {
  const events = await runOf([select('pdf', 'docx'), script('pdf'), script('docx'), script('pdf'), answer('Done.')]);
  const most = (step: StepPattern, count: number): CheckResult => check({ kind: 'at_most', step, most: count }, events);
  expect(most(runs('$X'), 2).verdict).toBe('passed');
  expect(most(runs('$X'), 1)).toMatchObject({ verdict: 'failed', seq: seqOf(events, 'run_script', 3) });
  expect(most(runs('*'), 2)).toMatchObject({ verdict: 'failed', seq: seqOf(events, 'run_script', 3) });
  expect(most(runs('docx'), 0)).toMatchObject({ verdict: 'failed', seq: seqOf(events, 'run_script', 2) });
});

test('PSA-36: what has to happen does so as often as is asked for, with one value for one variable', async () => {
  const events = await runOf([select('pdf', 'docx'), script('pdf'), script('docx'), answer('Done.')]);
  const occurs = (step: StepPattern, atLeast: number): CheckResult => check({ kind: 'occurs', step, atLeast }, events);
  expect(occurs(runs('$X'), 1).verdict).toBe('passed');
  expect(occurs(runs('$X'), 2)).toMatchObject({
    verdict: 'failed',
    evidence: expect.stringContaining('happened once'),
  });
  expect(occurs(runs('*'), 2).verdict).toBe('passed');
  expect(occurs({ action: 'load_resource' }, 1).verdict).toBe('failed');
  // One selection of two skills is one action.
  expect(occurs({ action: 'select_skills' }, 2).verdict).toBe('failed');
});

test('PSA-36: arguments are found in their order, with others between them', async () => {
  const events = await runOf([
    select('pdf'),
    script('pdf', 'scripts/text.mjs', 'text', '--pages', '1-3', 'in.pdf', 'out.txt'),
    answer('Done.'),
  ]);
  const has = (...args: readonly string[]): string =>
    check({ kind: 'occurs', step: { action: 'run_script', args }, atLeast: 1 }, events).verdict;
  expect(has('text', 'in.pdf')).toBe('passed');
  expect(has('in.pdf', 'text')).toBe('failed');
  expect(has('text', '*.pdf', '*.txt')).toBe('passed');
  expect(has('$A', '$B', 'out.txt')).toBe('passed');
  expect(has('$A', '$A')).toBe('failed');
  const readFirst = before(
    { action: 'call_tool', tool: 'Read', input: { path: '$F' } },
    { action: 'run_script', args: ['$F'] },
  );
  expect(check(readFirst, events).verdict).toBe('failed');
  const read = await runOf([
    select('pdf'),
    call('Read', { path: 'in.pdf' }),
    script('pdf', 'scripts/text.mjs', 'text', 'in.pdf'),
    answer('Done.'),
  ]);
  expect(check(readFirst, read).verdict).toBe('passed');
});

test('PSA-36: fields of an input are compared, those that are not named may be there', async () => {
  const events = await runOf([call('Read', { path: 'a.txt', lines: 10 }), answer('Done.')]);
  const has = (step: Omit<StepPattern, 'action'>): string =>
    check({ kind: 'occurs', step: { action: 'call_tool', ...step }, atLeast: 1 }, events).verdict;
  expect(has({ input: { path: 'a.txt' } })).toBe('passed');
  expect(has({ input: { path: 'a.txt' }, inputExactly: true })).toBe('failed');
  expect(has({ input: { lines: 10, path: '$P' }, inputExactly: true })).toBe('passed');
  expect(has({ input: { lines: '10' } })).toBe('failed');
  expect(has({ input: { lines: '$N' } })).toBe('passed');
  expect(has({ input: { toString: '*' } })).toBe('failed');
});

test('PSA-36: steps of a sequence stand one after another, with anything between them', async () => {
  const events = await runOf([select('pdf'), call('Read'), load('pdf'), script('pdf'), answer('Done.')]);
  const inOrder = (...steps: readonly StepPattern[]): CheckResult =>
    check({ kind: 'sequence', mode: 'in_order', steps }, events);
  expect(inOrder(selects('$X'), loads('$X'), runs('$X')).verdict).toBe('passed');
  const broken = inOrder(selects('pdf'), runs('pdf'), loads('pdf'));
  expect(broken).toMatchObject({ verdict: 'failed', seq: seqOf(events, 'load_resource') });
  expect(broken.evidence).toContain(`After #${seqOf(events, 'run_script')}`);
  expect(broken.evidence).toContain('came too early');
  expect(inOrder(selects('docx')).evidence).toBe('There is no select_skills of docx (step 1 of 1).');
});

test('PSA-36: steps of a sequence in any order are each a step of its own', async () => {
  const events = await runOf([select('docx', 'pdf'), script('pdf'), load('pdf'), answer('Done.')]);
  const anyOrder = (...steps: readonly StepPattern[]): CheckResult =>
    check({ kind: 'sequence', mode: 'any_order', steps }, events);
  expect(anyOrder(loads('$X'), runs('$X')).verdict).toBe('passed');
  expect(anyOrder(runs('pdf'), runs('pdf'))).toMatchObject({ verdict: 'failed', seq: seqOf(events, 'run_script') });
  // Each skill of a selection was selected.
  expect(anyOrder(selects('pdf'), selects('docx'), { action: 'run_script' }, runs('pdf')).verdict).toBe('failed');
  expect(anyOrder(selects('pdf'), selects('docx'), runs('*')).verdict).toBe('passed');
  // The one that could be either has to be left to the other.
  expect(anyOrder({ path: '*' }, loads('pdf')).verdict).toBe('passed');
  expect(anyOrder({ path: '*' }, { path: '*' }, loads('pdf')).verdict).toBe('failed');
});

test('PSA-36: an exact sequence is all that was done, besides answering', async () => {
  const events = await runOf([select('pdf'), load('pdf'), script('pdf'), answer('Done.')]);
  const exactly = (...steps: readonly StepPattern[]): CheckResult =>
    check({ kind: 'sequence', mode: 'exact', steps }, events);
  expect(exactly(selects('$X'), loads('$X'), runs('$X')).verdict).toBe('passed');
  expect(exactly(selects('$X'), loads('$X'), runs('$X'), { action: 'final_answer' }).verdict).toBe('passed');
  expect(exactly(selects('pdf'), runs('pdf'))).toMatchObject({
    verdict: 'failed',
    seq: seqOf(events, 'load_resource'),
  });
  expect(exactly(selects('pdf'), loads('pdf'))).toMatchObject({ verdict: 'failed', seq: seqOf(events, 'run_script') });
  expect(exactly(selects('pdf'), loads('pdf'), runs('pdf'), runs('pdf')).evidence).toContain('(step 4 of 4)');
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

test('PSA-36: a script that ended with an error was run', async () => {
  const events = await runOf([select('pdf'), script('pdf'), answer('It failed.')], {
    ports: { runner: echoRunner(1) },
  });
  expect(check({ kind: 'forbidden', step: { ...runs('pdf'), ok: true } }, events).verdict).toBe('passed');
  expect(check({ kind: 'forbidden', step: { ...runs('pdf'), ok: false } }, events).verdict).toBe('failed');
  expect(check(loadBeforeRun, events).verdict).toBe('failed');
});

test('PSA-36: a script counts as the tool run_script, as it does for permissions', async () => {
  const events = await runOf([select('pdf'), script('pdf'), call('Write'), answer('Done.')]);
  expect(check({ kind: 'forbidden', step: { tool: 'run_script' } }, events)).toMatchObject({
    verdict: 'failed',
    seq: seqOf(events, 'run_script'),
  });
  const approved = before({ action: 'approval', tool: '$T' }, { tool: '$T' });
  expect(check(approved, events)).toMatchObject({ verdict: 'passed', text: 'approval of $T comes before use of $T' });
  // What only reads needs no yes, and this rule asks for one.
  const read = await runOf([select('pdf'), script('pdf'), call('Read'), answer('Done.')]);
  expect(check(approved, read)).toMatchObject({ verdict: 'failed', seq: seqOf(read, 'call_tool') });
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

test('PSA-36: a skill of a pack is the same one by its own name and by that of its organisation', async () => {
  const backend = memorySkills(files);
  const list: typeof backend.list = async (options) => {
    const { skills, ...rest } = await backend.list(options);
    return { ...rest, skills: skills.map((skill) => ({ ...skill, pack: 'org/tools' })) };
  };
  const registry = createSkillRegistry({ ...backend, list }, { sha256 });
  const events = await runOf([select('org/docx'), load('docx'), script('org/docx'), answer('Done.')], {
    ports: { registry },
  });
  expect(check(loadBeforeRun, events).verdict).toBe('passed');
  expect(check({ kind: 'occurs', step: { ...runs('org/docx'), ok: true }, atLeast: 1 }, events).verdict).toBe('passed');
  expect(check({ kind: 'forbidden', step: selects('docx') }, events).verdict).toBe('failed');
  expect(firedSkills(events)).toEqual(['docx']);
});
