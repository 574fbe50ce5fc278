import { expect, test } from 'vitest';
import { createRedactor } from '../../src/agent/record/create-redactor.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { runAgent } from '../../src/agent/run-agent.js';
import type { Digest } from '../../src/digest/is-digest.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, type AgentWorld, type Reply } from './agent-world.js';

const secret = 'hunter2😀secret/x';
const redact = createRedactor({ values: [secret] });
const escaped = String.raw`hunter2\ud83d\uDE00\u0073ecret\/x`;

async function replay({ events, journal }: AgentWorld) {
  const kept = async (digest: Digest) => journal.kept.get(digest);
  return replayRun({ events, kept }, { sha256 });
}

test.for<readonly [string, string]>([
  ['in an escape', `{"action":{"kind":"call_tool","tool":"look","input":{"a":"${escaped}"}}}`],
  ['in the name of a field', `{"action":{"kind":"call_tool","tool":"look","input":{"${escaped}":1}}}`],
  ['in a text of JSON', JSON.stringify(`{"action":{"kind":"call_tool","tool":"look","input":{"a":"${escaped}"}}}`)],
  ['in prose', `So be it: {"action":{"kind":"call_tool","tool":"look","input":{"a":"${escaped}"}}}`],
  ['as it is', `{"action":{"kind":"call_tool","tool":"look","input":{"a":"${secret}"}}}`],
  [
    'in a plan',
    `{"action":{"kind":"call_tool","tool":"look","input":{}},"plan_update":{"kind":"replace","plan":{"goal":"g","steps":[{"id":"${escaped}","title":"${escaped}","status":"pending"}],"assumptions":[],"constraints":{"id":"${escaped}"}}}}`,
  ],
])('a secret that a model writes %s reaches no tool, no model and no record', async ([, text]) => {
  const tool = echoTool('look');
  const world = agentWorld([text, answer('Done.')], { tools: [tool] });
  const { state } = await runAgent('Do it.', world.ports, named({ redact }));
  expect(tool.calls).toHaveLength(1);
  for (const place of [tool.calls, world.model.requests, world.events, state, [...world.journal.kept.values()]]) {
    const said = JSON.stringify(place);
    expect(said).not.toContain(secret);
    expect(said).not.toContain('u0073ecret');
  }
  expect(JSON.stringify([tool.calls, state.plan])).toContain('[redacted:value]');
  expect(await replay(world)).toMatchObject({ same: true });
});

test('of an answer that is no decision, too, nothing secret is kept or shown', async () => {
  const replies: readonly Reply[] = [`{"action":{"kind":"none","a":"${escaped}"}}`, `It is "${escaped}".`];
  const world = agentWorld([...replies, answer('Done.')], {});
  await runAgent('Do it.', world.ports, named({ redact }));
  expect(world.of('decision_rejected')).toHaveLength(2);
  expect(JSON.stringify([world.events, world.model.requests])).not.toContain('u0073ecret');
  expect(await replay(world)).toMatchObject({ same: true });
});

test('a text without secrets is recorded as it was written, its escapes too', async () => {
  const text = String.raw`{"action":{"kind":"final_answer","content":"p\u0061th \\u0041 \/ \ud83d"}}`;
  const world = agentWorld([text], {});
  expect((await runAgent('Do it.', world.ports, named({ redact }))).text).toContain(String.raw`path \u0041 /`);
  expect(world.of('model_answered')[0]?.text).toBe(text);
});
