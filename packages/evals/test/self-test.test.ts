import { expect, test } from 'vitest';
import type { EvalExecutor, EvalResult } from '../src/index.js';
import { inProcess, selfTest } from '../src/index.js';
import { bareGround, makePorts, makeSuite, secretLine, smallCatalogue, triggerCase } from './trial-ground.js';

const suite = makeSuite([
  triggerCase('wants-it', { allOf: ['pdf'] }),
  triggerCase('wants-both', { allOf: ['pdf', 'docx', 'table'] }),
  triggerCase('wants-one', { anyOf: ['docx', 'pdf'] }),
  triggerCase('near-miss', { none: ['pdf'] }, { tags: ['near-miss'] }),
  triggerCase('wants-none', { none: true }),
]);

/** The usual executor, with what it gives changed on the way. */
function tampering(change: (result: EvalResult) => readonly EvalResult[]): EvalExecutor {
  const sound = inProcess();
  return {
    async *execute(jobs, work, options) {
      for await (const result of sound.execute(jobs, work, options)) yield* change(result);
    },
  };
}

const kindsOf = (report: Awaited<ReturnType<typeof selfTest>>): readonly string[] => [
  ...new Set(report.findings.map(({ kind }) => kind)),
];

test('PSA-35: the self-test passes where a model that always, one that never and one that cannot choose come to what they have to', async () => {
  expect(await selfTest([suite], makePorts())).toEqual({ passed: true, findings: [], cases: 5 });
});

test('a self-test without cases of triggering says that it tried none', async () => {
  expect(await selfTest([makeSuite([])], makePorts())).toEqual({ passed: true, findings: [], cases: 0 });
});

test('a harness that scores what was an error is found', async () => {
  for (const outcome of ['failed', 'passed'] as const) {
    const executor = tampering((result) => [result.outcome === 'error' ? { ...result, outcome } : result]);
    expect(kindsOf(await selfTest([suite], makePorts(), { executor }))).toEqual(['dead_scored']);
  }
});

test('a harness that books an error as nothing chosen is found', async () => {
  const executor = tampering((result) => [
    result.outcome === 'error' ? { ...result, outcome: 'failed', fired: [], reason: undefined } : result,
  ]);
  expect(kindsOf(await selfTest([suite], makePorts(), { executor }))).toEqual(['dead_scored']);
});

test('a harness that does not see what fired is found', async () => {
  const executor = tampering((result) => [{ ...result, fired: [] }]);
  expect(kindsOf(await selfTest([suite], makePorts(), { executor }))).toEqual(['recall', 'specificity']);
});

test('a harness that takes everything for fired is found', async () => {
  const executor = tampering((result) => [{ ...result, fired: ['pdf', 'docx', 'table'] }]);
  const { findings } = await selfTest([suite], makePorts(), { executor });
  expect(findings.map(({ message }) => message)).toEqual([
    'A model that never chooses comes to a recall of 1; it has to be 0.',
    'A model that never chooses comes to a specificity of 0; it has to be 1.',
  ]);
});

test('cases that only forbid count for the specificity, and have no recall', async () => {
  const only = makeSuite([triggerCase('near', { none: ['pdf'] })]);
  expect(await selfTest([only], makePorts())).toMatchObject({ passed: true, cases: 1 });
  const lucky = tampering((result) => [
    { ...result, fired: [], ...(result.outcome === 'failed' && { outcome: 'passed' }) },
  ]);
  const { findings } = await selfTest([only], makePorts(), { executor: lucky });
  expect(findings.map(({ message }) => message)).toContainEqual(expect.stringContaining('specificity'));
});

test('a harness that scores no trial of a living model is found', async () => {
  const executor = tampering((result) => [
    result.outcome === 'error' ? result : { ...result, outcome: 'inconclusive' },
  ]);
  const { findings } = await selfTest([suite], makePorts(), { executor });
  expect(findings[0]?.message).toContain('A model that always chooses is not scored in “pdf/wants-it”');
});

test('an executor that loses trials is found', async () => {
  const losing = tampering((result) => (result.case === 'near-miss' ? [] : [result]));
  await expect(selfTest([suite], makePorts(), { executor: losing })).rejects.toThrow('without a result of 3 jobs');
});

test('PSA-35: a harness that shows a model the text of a skill before it chose is found', async () => {
  const ground = bareGround({ options: { instructions: `Some help.\n\n> ${secretLine}\n\n${secretLine}` } });
  const report = await selfTest([suite], makePorts({ ground }));
  expect(kindsOf(report)).toEqual(['body_shown']);
  expect(report.findings).toHaveLength(5);
  expect(report.findings[0]).toMatchObject({
    suite: 'pdf',
    case: 'wants-it',
    message: 'In the case “pdf/wants-it”, a model is shown the text of “docx” before it chose.',
  });
});

test('a ground that cannot be opened is found', async () => {
  const ground = { open: async () => Promise.reject(new Error('no disk')) };
  const { findings } = await selfTest([suite], makePorts({ ground }));
  expect(findings.map(({ message }) => message)).toContainEqual(expect.stringContaining('no disk'));
});

test('a case that wants a skill which is not offered is found, and so is one that forbids it', async () => {
  const odd = makeSuite([
    triggerCase('hides-the-bad', { none: ['pdf'] }, { offer: { skills: ['docx'], distractors: [], preload: [] } }),
    triggerCase('misspells-it', { anyOf: ['pfd'] }),
    triggerCase('offers-one', { anyOf: ['pfd', 'pdf'] }),
    triggerCase('sound', { none: ['pdf'] }),
  ]);
  const { findings, passed } = await selfTest([odd], makePorts());
  expect(passed).toBe(false);
  expect(findings).toEqual([
    expect.objectContaining({ kind: 'not_offered', suite: 'pdf', case: 'hides-the-bad' }),
    expect.objectContaining({ kind: 'not_offered', case: 'misspells-it' }),
  ]);
});

test('a skill that no model may call is found by the case that wants it', async () => {
  const registry = smallCatalogue({
    'form/SKILL.md': '---\nname: form\ndescription: For people.\ndisable-model-invocation: true\n---\nText.\n',
  });
  const report = await selfTest(
    [makeSuite([triggerCase('wants-it', { allOf: ['form'] })], { skills: ['form'] })],
    makePorts({ registry }),
  );
  expect(report.passed).toBe(false);
});

test('a self-test that is cancelled says so', async () => {
  await expect(selfTest([suite], makePorts(), { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'INTERRUPTED',
  });
});

test('an option that there is not is refused', async () => {
  await expect(selfTest([suite], makePorts(), { executer: inProcess() } as never)).rejects.toMatchObject({
    code: 'USAGE',
  });
});
