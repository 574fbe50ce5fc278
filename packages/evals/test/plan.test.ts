import { createSkillRegistry, memorySkills } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { planEvals, type EvalCase, type EvalSuite, type PlanOptions } from '../src/index.js';
import { makeCase, makePorts, makeSuite, sha256, smallCatalogue, triggerCase } from './trial-ground.js';

const planOf = async (
  suites: EvalSuite | readonly EvalSuite[],
  options: Partial<PlanOptions> = {},
  ports = makePorts(),
) => planEvals('cases' in suites ? [suites] : suites, ports, { models: ['m'], ...options });

const keysOf = async (
  evalCase: EvalCase,
  options?: Partial<PlanOptions>,
  ports = makePorts(),
): Promise<readonly string[]> => (await planOf(makeSuite([evalCase]), options, ports)).jobs.map(({ key }) => key);

const skill = (name: string, description: string, body: string): Record<string, string> => ({
  [`${name}/SKILL.md`]: `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`,
});

describe('the jobs of a plan', () => {
  test('are each case, arm, model and trial; arms and models of one trial stand together, and trials come one after another', async () => {
    const suite = makeSuite([makeCase({ id: 'one' }), makeCase({ id: 'two', trials: 1 })]);
    const plan = await planOf(suite, { models: ['m', 'n'], arms: ['with_skill', 'without_skill'], trials: 2 });
    expect(plan.jobs.map(({ case: id, arm, model, trial }) => `${trial} ${id} ${model} ${arm}`)).toEqual([
      '1 one m with_skill',
      '1 one m without_skill',
      '1 one n with_skill',
      '1 one n without_skill',
      '1 two m with_skill',
      '1 two m without_skill',
      '1 two n with_skill',
      '1 two n without_skill',
      '2 one m with_skill',
      '2 one m without_skill',
      '2 one n with_skill',
      '2 one n without_skill',
    ]);
    expect(new Set(plan.jobs.map(({ key }) => key)).size).toBe(plan.jobs.length);
  });

  test('have no arm that would show nothing', async () => {
    const suite = makeSuite([triggerCase('choice', { allOf: ['pdf'] }), makeCase({ id: 'task' })]);
    const both = await planOf(suite, { arms: ['without_skill', 'with_skill'] });
    expect(both.jobs.map(({ case: id, arm }) => `${id} ${arm}`)).toEqual([
      'choice with_skill',
      'task with_skill',
      'task without_skill',
    ]);
    const aboutNothing = await planOf({ ...suite, skills: [] }, { arms: ['with_skill', 'without_skill'] });
    expect(aboutNothing.jobs.map(({ arm }) => arm)).toEqual(['with_skill', 'with_skill']);
  });

  test('are those that a filter keeps', async () => {
    const suite = makeSuite([makeCase({ id: 'one', tags: ['near-miss'] }), makeCase({ id: 'two' })]);
    const plan = await planOf(suite, {
      filter: ({ suite: name, tags }) => name === 'pdf' && tags.includes('near-miss'),
    });
    expect(plan.jobs.map(({ case: id }) => id)).toEqual(['one']);
    await expect(planOf(suite, { filter: () => false })).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('the key of a trial', () => {
  const task = makeCase({ id: 'one', files: [{ path: 'a.txt', bytes: new TextEncoder().encode('a') }] });

  test('is the same on two machines', async () => {
    expect(await keysOf(task)).toEqual(await keysOf(structuredClone(task)));
    const suite = makeSuite([task]);
    expect((await planOf(suite)).digest).toBe((await planOf(suite)).digest);
  });

  test('is another one when anything is that the outcome depends on', async () => {
    const changed: readonly EvalCase[] = [
      { ...task, id: 'other' },
      { ...task, conversation: [{ input: 'Something else.' }] },
      { ...task, files: [{ path: 'a.txt', bytes: new TextEncoder().encode('b') }] },
      { ...task, files: [{ path: 'b.txt', bytes: new TextEncoder().encode('a') }] },
      { ...task, limits: { maxTurns: 3 } },
      { ...task, script: { replies: [] } },
      { ...task, expected: { ...task.expected, disclosure: false } },
      { ...task, offer: { ...task.offer, skills: ['pdf'] } },
      { ...task, offer: { ...task.offer, preload: ['pdf'] } },
    ];
    const keys = await Promise.all([task, ...changed].map(async (one) => keysOf(one)));
    const more = await Promise.all(
      [{ models: ['n'] }, { variant: 'v2' }].map(async (options) => keysOf(task, options)),
    );
    const all = [...keys, ...more].flat();
    expect(new Set(all).size).toBe(all.length);
  });

  test('is another one when the registry has other words for its catalogue', async () => {
    const choice = triggerCase('choice', { allOf: ['pdf'] });
    const text = '---\nname: pdf\ndescription: Reads.\n---\nText.\n';
    const of = async (more: object): Promise<readonly string[]> => {
      const registry = createSkillRegistry({ ...memorySkills({ 'pdf/SKILL.md': text }), ...more }, { sha256 });
      return Promise.all([choice, task].map(async (one) => (await keysOf(one, {}, makePorts({ registry })))[0] ?? ''));
    };
    const words = [
      {},
      { promptTemplate: '{skills_list}' },
      { promptTemplate: 'All: {skills_list}' },
      { loadInstructions: 'Ask.' },
    ];
    const keys = (await Promise.all(words.map(of))).flat();
    expect(new Set(keys).size).toBe(8);
    expect(await of({})).toEqual(keys.slice(0, 2));
  });

  test('is the same when what changes nothing is another: title, tags, the number of trials', async () => {
    const [key] = await keysOf(task);
    expect(await keysOf({ ...task, title: 'A title', tags: ['new'], trials: 3 })).toContain(key);
  });

  test('is another one when a program of a check is, though it is called the same', async () => {
    const checked = (program: string | undefined): EvalCase => ({
      ...task,
      expected: {
        ...task.expected,
        output: [
          {
            kind: 'script',
            script: 'checks/sum.mjs',
            args: [],
            ...(program === undefined ? {} : { program: new TextEncoder().encode(program) }),
            negated: false,
          },
        ],
      },
    });
    expect(await keysOf(checked('exit 0'))).toEqual(await keysOf(checked('exit 0')));
    const keys = await Promise.all([undefined, 'exit 0', 'exit 1'].map(async (program) => keysOf(checked(program))));
    expect(new Set(keys.flat()).size).toBe(3);
  });

  test('of a task goes by all files of what is offered; of a choice, by names and descriptions alone', async () => {
    const choice = triggerCase('choice', { allOf: ['pdf'] });
    const registry = smallCatalogue();
    const otherBody = smallCatalogue(skill('pdf', 'Read and merge PDF files.', 'Another body.'));
    const otherFile = smallCatalogue({ 'pdf/reference.md': 'Another file.' });
    const otherText = smallCatalogue(skill('pdf', 'Does something else.', 'The same.'));
    const oneMore = smallCatalogue(skill('more', 'One more.', 'x'));
    const of = async (evalCase: EvalCase, from: ReturnType<typeof smallCatalogue>) =>
      (await keysOf(evalCase, {}, makePorts({ registry: from })))[0];
    for (const other of [otherBody, otherFile]) {
      expect(await of(task, other)).not.toBe(await of(task, registry));
      expect(await of(choice, other)).toBe(await of(choice, registry));
    }
    for (const other of [otherText, oneMore]) {
      expect(await of(task, other)).not.toBe(await of(task, registry));
      expect(await of(choice, other)).not.toBe(await of(choice, registry));
    }
  });

  test('of an arm goes by what that arm offers', async () => {
    const registry = smallCatalogue();
    const changed = smallCatalogue(skill('pdf', 'Read and merge PDF files.', 'Another body.'));
    const arms = ['with_skill', 'without_skill', 'old_skill'] as const;
    const before = await keysOf(task, { arms }, makePorts({ registry, oldRegistry: registry }));
    const after = await keysOf(task, { arms }, makePorts({ registry: changed, oldRegistry: registry }));
    expect(after.map((key, at) => key === before[at])).toEqual([false, true, true]);
  });

  test('goes by who judges only where somebody has to', async () => {
    const judge = (name: string) => ({ name, judge: async () => Promise.reject(new Error('not asked')) });
    const rubric: EvalCase = {
      ...task,
      expected: { ...task.expected, output: [{ kind: 'rubric', statement: 'It is kind.', negated: false }] },
    };
    const keys = async (evalCase: EvalCase, name: string) => keysOf(evalCase, {}, makePorts({ judge: judge(name) }));
    expect(await keys(task, 'a')).toEqual(await keys(task, 'b'));
    expect(await keys(rubric, 'a')).not.toEqual(await keys(rubric, 'b'));
  });
});

describe('what no plan can be made of', () => {
  const one = makeCase({ id: 'one' });

  test('is told before anything is run', async () => {
    const invalid: readonly [EvalSuite | readonly EvalSuite[], string][] = [
      [[makeSuite([one]), makeSuite([one])], 'Two suites are called'],
      [makeSuite([one, one]), 'there is a case “one” already'],
      [makeSuite([{ ...one, id: '../x' }]), 'cases.0.id'],
      [makeSuite([{ ...one, id: '__proto__' }]), 'cases.0.id'],
      [makeSuite([{ ...one, conversation: [] }]), 'at least one line'],
      [makeSuite([{ ...one, conversation: [{ input: ' ' }] }]), 'found nothing'],
      [makeSuite([{ ...one, trials: 0 }]), 'cases.0.trials'],
      [makeSuite([{ ...one, trials: 1_001 }]), 'has 1001 trials'],
      [makeSuite([{ ...one, kind: 'trigger', conversation: [{ input: 'a' }, { input: 'b' }] }]), 'one line'],
      [
        makeSuite([triggerCase('t', { allOf: ['pdf'] }, { offer: { distractors: [], preload: ['pdf'] } })]),
        'no text of a skill is shown',
      ],
      [makeSuite([one], { name: ' ' }), 'at name'],
    ];
    for (const [suites, message] of invalid) {
      const error: unknown = await planOf(suites).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'INVALID_CASE', message: expect.stringContaining(message) });
    }
  });

  test('is a skill that is not there, with what is near, or why it cannot be read', async () => {
    await expect(planOf(makeSuite([one], { skills: ['pfd'] }))).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
      hint: expect.stringContaining('“pdf”'),
    });
    const offering = { ...one, offer: { distractors: ['nothing'], preload: [] } };
    await expect(planOf(makeSuite([offering]))).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' });
    const registry = smallCatalogue({ 'broken/SKILL.md': '---\nname: [\n---\nx\n' });
    await expect(planOf(makeSuite([one], { skills: ['broken'] }), {}, makePorts({ registry }))).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
      hint: expect.stringContaining('Nothing was run. '),
    });
  });

  test('is an older version that is not there', async () => {
    await expect(planOf(makeSuite([one]), { arms: ['old_skill'] })).rejects.toMatchObject({ code: 'USAGE' });
    const without = makeSuite([one], { skills: ['more'] });
    const registry = smallCatalogue(skill('more', 'One more.', 'x'));
    const ports = makePorts({ registry, oldRegistry: smallCatalogue() });
    await expect(planOf(without, { arms: ['old_skill'] }, ports)).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
      message: expect.stringContaining('no older version of “more”'),
    });
  });

  test('are options that make no sense', async () => {
    const odd: readonly Partial<Record<keyof PlanOptions | 'model', unknown>>[] = [
      { models: [] },
      { models: ['m', 'm'] },
      { models: [' '] },
      { models: 'm' },
      { arms: [] },
      { arms: ['with_luck'] },
      { trials: 0 },
      { trials: 1.5 },
      { trials: 1_001 },
      { model: 'm' },
    ];
    for (const options of odd) {
      await expect(planOf(makeSuite([one]), options as never)).rejects.toMatchObject({ code: 'USAGE' });
    }
    const many = makeSuite(Array.from({ length: 21 }, (_, at) => makeCase({ id: `c${at}` })));
    await expect(planOf(many, { trials: 1_000 })).rejects.toThrow('These are 21000 trials; a plan has at most 20000.');
  });
});
