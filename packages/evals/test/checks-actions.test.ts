import { createSkillRegistry, memorySkills, type JsonObject, type RunEvent } from '@skillpack/core';
import { expect, test } from 'vitest';
import { firedSkills, type ActionRule, type CheckResult, type StepPattern } from '../src/index.js';
import {
  act,
  answer,
  before,
  call,
  check,
  echoRunner,
  files,
  load,
  loadBeforeRun,
  loads,
  runOf,
  runs,
  script,
  select,
  selects,
  seqOf,
  sha256,
} from './checks-world.js';

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

test('PSA-36: a rule on something that never happens holds, and says so', async () => {
  const events = await runOf([answer('Nothing to do.')]);
  expect(check(loadBeforeRun, events)).toMatchObject({
    verdict: 'passed',
    evidence: 'There is no run_script of $X in the run.',
  });
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
  const again = await runOf([select('pdf'), script('pdf', 'scripts/text.mjs', 'a', 'b', 'a', 'c'), answer('Done.')]);
  const twice = (...args: readonly string[]): string =>
    check({ kind: 'occurs', step: { action: 'run_script', args }, atLeast: 1 }, again).verdict;
  expect([twice('$A', 'b'), twice('$A', '$A', 'c'), twice('$A', 'c'), twice('$A', '$A', 'b')]).toEqual([
    'passed',
    'passed',
    'passed',
    'failed',
  ]);
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
  // A variable would stand for anything that is there.
  expect(has({ input: { toString: '$X' } })).toBe('failed');
});

test('PSA-36: a list of an input is compared item by item, and is no object', async () => {
  const input = { rows: [1, { at: 2 }], by: { 0: 1 } };
  const events = await runOf([act({ kind: 'call_tool', tool: 'Read', input }), answer('Done.')]);
  const has = (wanted: JsonObject): string =>
    check({ kind: 'occurs', step: { action: 'call_tool', input: wanted }, atLeast: 1 }, events).verdict;
  expect(has({ rows: [1, { at: 2 }] })).toBe('passed');
  expect(has({ rows: [1, {}] })).toBe('passed');
  expect(has({ rows: [1] })).toBe('failed');
  expect(has({ rows: [1, { at: 2 }, 3] })).toBe('failed');
  expect(has({ rows: { 0: 1 } })).toBe('failed');
  expect(has({ by: [1] })).toBe('failed');
});

test.for([
  ['scripts/*.mjs', 'scripts/a.mjs', true],
  ['*', '', true],
  ['a*bc*cd', 'abcd', false],
  ['a*bc*cd', 'abccd', true],
  ['ab*ba', 'aba', false],
  ['ab*ba', 'abba', true],
  ['*b*b*', 'b', false],
  ['a**c', 'ac', true],
] as const)('PSA-36: in a pattern, * stands for any characters: %s and %s', async ([pattern, text, fits]) => {
  const events = await runOf([call('Read', { path: text }), answer('Done.')]);
  const step = { action: 'call_tool', input: { path: pattern } } as const;
  expect(check({ kind: 'occurs', step, atLeast: 1 }, events).verdict).toBe(fits ? 'passed' : 'failed');
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
