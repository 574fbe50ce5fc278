import { expect, test } from 'vitest';
import type { AgentPorts } from '../../src/agent/agent-run.js';
import { effectiveEvents, foldEvents } from '../../src/agent/fold-events.js';
import { listRequests } from '../../src/agent/record/summarise-requests.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { resumeRun } from '../../src/agent/replay/resume-run.js';
import type { RunEvent } from '../../src/agent/run-event.js';
import { startRun } from '../../src/agent/start-run.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { AgentAction } from '../../src/model/action.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, named, select, skillFile, type AgentWorld, type Reply } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

const files = { 'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY'), 'pdf/notes.md': 'NOTES', 'pdf/go.mjs': '' };
const load: AgentAction = { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'notes.md' };
const script: AgentAction = { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'go.mjs', args: [] };

function world(replies: readonly Reply[]): AgentWorld {
  return agentWorld(replies, { files, runner: echoRunner(), approver: yes('run') });
}

/** What a second process works with: the record goes on where the first one left it. */
function after(events: readonly RunEvent[], first: AgentWorld, replies: readonly Reply[]) {
  const second = world(replies);
  for (const event of events) void second.journal.append(event);
  const kept = async (digest: Parameters<AgentWorld['journal']['kept']['get']>[0]) =>
    first.journal.kept.get(digest) ?? second.journal.kept.get(digest);
  const record = { events, kept };
  const ports: AgentPorts = second.ports;
  return { second, record, ports, whole: () => ({ events: second.events, kept }) };
}

test('SAA-27: a request that ended at a limit goes on with a higher one, and does what it had done not again', async () => {
  const first = world([select('pdf'), load]);
  const run = await startRun(first.ports, named({ limits: { turns: 2 } }));
  expect(await run.ask('Do it.')).toMatchObject({ stop: 'max_turns', degraded: true });
  const { second, record, ports, whole } = after(first.events, first, [script, answer('Done.')]);
  const resumed = await resumeRun(record, ports, { limits: { turns: 4 } });
  expect(await resumed.goOn()).toMatchObject({ text: 'Done.', stop: 'final_answer' });
  expect(resumed.state.spent).toMatchObject({ turns: 4, toolCalls: 3 });
  expect(foldEvents(second.events)).toEqual(resumed.state);
  // That it was given up once is in the record, and nothing for the model.
  expect(JSON.stringify(second.model.requests[0])).not.toContain('This is not finished');
  expect(listRequests(second.events, resumed.id)).toMatchObject([{ text: 'Do it.', answer: { text: 'Done.' } }]);
  await resumed.finish();
  expect(await replayRun(whole(), { sha256 })).toMatchObject({ same: true });
});

test('a request that still has no room ends again as it did, and the record replays', async () => {
  const first = world([select('pdf')]);
  const run = await startRun(first.ports, named({ limits: { turns: 1 } }));
  await run.ask('Do it.');
  const { second, record, ports, whole } = after(first.events, first, []);
  const resumed = await resumeRun(record, ports);
  expect(await resumed.goOn()).toMatchObject({ stop: 'max_turns' });
  expect(resumed.state.conversation.filter(({ kind }) => kind === 'answer')).toHaveLength(1);
  expect(second.model.requests).toHaveLength(0);
  await resumed.finish();
  expect(await replayRun(whole(), { sha256 })).toMatchObject({ same: true });
});

test('a model that could not be asked is asked again when the run goes on, as often as before', async () => {
  const unreachable = (): Reply => new SkillsError('MODEL_ERROR', 'Nobody answers.');
  const first = world(Array.from({ length: 4 }, unreachable));
  const run = await startRun(first.ports, named());
  expect(await run.ask('Do it.')).toMatchObject({ stop: 'model_failed' });
  const { record, ports, whole } = after(first.events, first, [unreachable(), answer('There it is.')]);
  const resumed = await resumeRun(record, ports);
  expect(await resumed.goOn()).toMatchObject({ text: 'There it is.', degraded: false });
  await resumed.finish();
  expect(await replayRun(whole(), { sha256 })).toMatchObject({ same: true });
});

test('a request that was cancelled goes on; another one may be asked instead', async () => {
  const first = world([select('pdf')]);
  const run = await startRun(first.ports, named());
  expect(await run.ask('Do it.', { signal: AbortSignal.abort() })).toMatchObject({ stop: 'cancelled' });
  const goOn = after(first.events, first, [answer('Done.')]);
  const resumed = await resumeRun(goOn.record, goOn.ports);
  expect(await resumed.goOn()).toMatchObject({ text: 'Done.' });
  expect(await resumed.goOn()).toBeUndefined();
  const other = after(first.events, first, [answer('Something else.')]);
  const asked = await resumeRun(other.record, other.ports);
  expect(await asked.ask('Then this.')).toMatchObject({ text: 'Something else.' });
  expect(asked.state.conversation.filter(({ kind }) => kind === 'answer')).toHaveLength(2);
});

test('a request that goes on and is cut off then is the one that was given up before', async () => {
  const first = world([select('pdf')]);
  const run = await startRun(first.ports, named({ limits: { turns: 1 } }));
  await run.ask('Do it.');
  const again = after(first.events, first, [load, answer('Done.')]);
  const resumed = await resumeRun(again.record, again.ports, { limits: { turns: 9 } });
  await resumed.goOn();
  for (let length = first.events.length; length < again.second.events.length; length += 1) {
    const cut = again.second.events.slice(0, length);
    const read = effectiveEvents(cut).filter(({ type }) => type === 'observation_recorded').length;
    const third = after(cut, first, [load, answer('Done.')].slice(read - 1));
    const last = await resumeRun(third.record, third.ports, { limits: { turns: 99 } });
    const result = await last.goOn();
    if (result !== undefined) expect(result).toMatchObject({ text: 'Done.' });
    expect(last.state.answer?.text).toBe('Done.');
  }
});

test('what was cut off counts for the limits: calls of the model, actions, and scripts that were begun', async () => {
  const first = world([select('pdf'), script]);
  const run = await startRun(first.ports, named({ limits: { turns: 3, scripts: 1 } }));
  await run.ask('Do it.');
  const cut = first.events.slice(0, first.events.findIndex(({ type }) => type === 'approval_decided') + 1);
  const { second, record, ports, whole } = after(cut, first, [script, answer('No.')]);
  const resumed = await resumeRun(record, ports);
  expect(resumed.state.spent).toMatchObject({ turns: 2, toolCalls: 2, scripts: 1, tokens: 30 });
  expect(await resumed.goOn()).toMatchObject({ stop: 'max_scripts' });
  expect(foldEvents(second.events)).toEqual(resumed.state);
  await resumed.finish();
  expect(await replayRun(whole(), { sha256 })).toMatchObject({ same: true });
});

test('a run is named after its project in its first event, and wherever it goes on', async () => {
  const first = world([select('pdf')]);
  const run = await startRun(first.ports, named({ project: '/work/p1', limits: { turns: 1 } }));
  await run.ask('Do it.');
  expect(first.of('run_started')[0]?.options.project).toBe('/work/p1');
  const { second, record, ports, whole } = after(first.events, first, [answer('Done.')]);
  const resumed = await resumeRun(record, ports, { limits: { turns: 2 } });
  await resumed.goOn();
  await resumed.finish();
  expect(second.of('run_resumed')[0]?.with?.options.project).toBe('/work/p1');
  expect(await replayRun(whole(), { sha256 })).toMatchObject({ same: true });
});
