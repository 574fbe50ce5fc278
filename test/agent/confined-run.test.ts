import { replayRun, runAgent } from '@skillpack/core';
import { scripted } from '@skillpack/model-adapters';
import { openRunFolder } from '@skillpack/runs-fs';
import { abilityWords, createProcessRunner, findSandbox, sandboxAbilities, type Sandbox } from '@skillpack/tools-shell';
import { expect, test } from 'vitest';
import { agentGround, sha256 } from './agent-ground.js';
import { question, surveyAnswer, surveyRules } from './survey-rules.js';

const environment = process.env;
const found = await findSandbox({ environment }, { workspace: import.meta.dirname, candidates: ['bubblewrap'] });
const all = abilityWords(sandboxAbilities.map(({ id }) => id));

/** What the record of a run says of the runner of its script; its answer is checked, and that it replays. */
async function recordedRunner(sandbox: Sandbox | undefined): Promise<unknown> {
  const ground = agentGround();
  const runs = openRunFolder(ground.runs);
  const journal = await runs.create('survey');
  const runner = createProcessRunner({ environment }, { workspace: ground.workspace, sandbox });
  const ports = { ...ground.ports(journal), runner, model: scripted(surveyRules) };
  const { text } = await runAgent(question, ports, { id: 'survey' });
  await journal.finish();
  const record = await runs.read('survey');
  expect([text, (await replayRun(record, { sha256 })).same]).toEqual([surveyAnswer, true]);
  const [started] = record.events;
  const setup = started?.type === 'run_started' ? started.options.setup : undefined;
  const kept = setup === undefined ? '{}' : new TextDecoder().decode(await record.kept(setup.digest));
  return Object(JSON.parse(kept))['runner'];
}

test('PSA-23: without a sandbox, a record names each of the abilities that its scripts had', async () => {
  expect(all.length).toBe(21);
  expect(await recordedRunner(undefined)).toEqual({ leaves: all });
});

test.skipIf(found.sandbox === undefined)(
  'PSA-23: a record names the sandbox of its scripts, and what that leaves',
  async () => {
    const { leaves = [] } = found.sandbox?.confinement ?? {};
    expect(await recordedRunner(found.sandbox)).toEqual({ confinement: { name: 'bubblewrap', leaves }, leaves });
  },
);
