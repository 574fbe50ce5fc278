import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@skillpack/runs-fs';
import { expect, test } from 'vitest';
import { planEvals, runEvals } from '../src/index.js';
import { resultsFile } from '../src/node.js';
import {
  builtinSkills,
  diskGround,
  makeCase,
  makePorts,
  makeSuite,
  scriptedModels,
  triggerCase,
} from './trial-ground.js';

const pdfFile = new URL('../../../skills-builtin/pdf/evals/files/order-form.pdf', import.meta.url);

async function formCase() {
  return makeCase({
    id: 'reads-a-form',
    conversation: [{ input: 'Who filled in order-form.pdf?' }],
    files: [{ path: 'in/order-form.pdf', bytes: await readFile(pdfFile) }],
    expected: {
      skills: { allOf: ['pdf'] },
      actions: [
        {
          kind: 'before',
          first: { action: 'select_skills', skill: '$SKILL' },
          then: { action: 'run_script', skill: '$SKILL' },
        },
        { kind: 'occurs', step: { action: 'run_script', skill: 'pdf', ok: true }, atLeast: 1 },
      ],
      output: [
        {
          kind: 'contains',
          of: { kind: 'answer' },
          texts: ['Ada Lovelace'],
          mode: 'all',
          caseless: false,
          negated: false,
        },
        { kind: 'file', path: 'notes.md', negated: false },
      ],
      disclosure: true,
      approvals: true,
    },
    script: {
      formatVersion: 1,
      rules: [
        { when: { turn: 1 }, decide: { kind: 'select_skills', skills: [{ name: 'pdf' }], reason: 'A form.' } },
        {
          when: { after: 'select_skills' },
          decide: {
            kind: 'run_script',
            skill: { name: 'pdf' },
            relative_path: 'scripts/pdf.mjs',
            args: ['info', 'in/order-form.pdf', '--json'],
          },
        },
        {
          when: { after: 'run_script' },
          decide: { kind: 'call_tool', tool: 'write_file', input: { path: 'notes.md', content: 'A form.' } },
        },
        {
          when: { saw: { regex: '(Ada Lovelace)' } },
          decide: { kind: 'final_answer', content: 'It was $1.' },
        },
      ],
    },
  });
}

test('a whole run on the disk: real skills, a real script, a workspace of its own, a log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'evals-'));
  const suite = makeSuite([
    await formCase(),
    triggerCase(
      'asks-for-a-pdf',
      { allOf: ['pdf'] },
      {
        script: {
          formatVersion: 1,
          replies: [{ decide: { kind: 'select_skills', skills: [{ name: 'pdf' }], reason: 'x' } }],
        },
      },
    ),
  ]);
  await using results = resultsFile(join(folder, 'results.jsonl'));
  const ports = makePorts({
    registry: builtinSkills(),
    ground: diskGround({ folder }),
    clock: systemClock,
    results,
    models: scriptedModels(),
  });
  const plan = await planEvals([suite], ports, { models: ['scripted'] });
  const run = await runEvals({ suites: [suite], plan }, ports);
  expect(run.results.map(({ outcome }) => outcome)).toEqual(plan.jobs.map(() => 'passed'));
});
