import { expect, test } from 'vitest';
import type { AgentPorts } from '../../src/agent/agent-run.js';
import { continueRun } from '../../src/agent/continue-run.js';
import { foldEvents } from '../../src/agent/fold-events.js';
import { formatRunEvent } from '../../src/agent/record/parse-run-event.js';
import { readRunEvents } from '../../src/agent/record/read-run-events.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import type { StopReason } from '../../src/agent/budget.js';
import { startRun } from '../../src/agent/start-run.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { Digest } from '../../src/digest/is-digest.js';
import type { AgentAction, Decision } from '../../src/model/action.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, select, skillFile, type AgentWorld, type Reply } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'Read notes.md.', { 'allowed-tools': 'Look' }),
  'pdf/notes.md': '# Notes\nAll of them.\n',
  'pdf/run.mjs': '',
  'alone/SKILL.md': skillFile('alone', 'Alone.', { 'run-mode': 'subagent' }),
  'alone/data.txt': 'Seven.',
};
const planned: Decision = {
  action: select('pdf'),
  plan_update: {
    kind: 'replace',
    plan: { goal: 'All', steps: [{ id: '1', title: 'One', status: 'pending' }], assumptions: [], constraints: {} },
  },
};
const load = (name: string, relative_path: string): AgentAction => ({
  kind: 'load_resource',
  skill: { name },
  relative_path,
});
// Every port is asked for something, and every kind of event but those of a failure is recorded.
const replies: readonly Reply[] = [
  planned,
  load('pdf', 'notes.md'),
  { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'run.mjs', args: ['a'] },
  { kind: 'call_tool', tool: 'Look', input: {} },
  'no decision',
  { kind: 'search_skills', query: 'alone' },
  select('alone'),
  load('alone', 'data.txt'),
  answer('There are seven.'),
  { kind: 'disable_skill', skill: { name: 'alone' } },
  answer('Seven.'),
];

/** When the one who asked cancels: as a call begins, or as it has its answer. */
type Moment = 'as it begins' | 'as it is answered';

interface Watched {
  readonly world: AgentWorld;
  readonly ports: AgentPorts;
  /** What was called since the request was made. */
  readonly calls: readonly string[];
  /** What was begun after the cancel. */
  readonly begunLate: readonly string[];
  begin(): void;
}

/** A world that cancels at one call of any port, the journal's and that of the clock included. */
function watched(at: number, moment: Moment, controller: AbortController): Watched {
  const world = agentWorld(replies, { files });
  const calls: string[] = [];
  const begunLate: string[] = [];
  let asked = false;
  const port =
    <Given extends readonly unknown[], Value>(name: string, ask: (...given: Given) => Promise<Value>) =>
    async (...given: Given): Promise<Value> => {
      if (!asked) return ask(...given);
      if (controller.signal.aborted && !name.startsWith('journal')) begunLate.push(name);
      calls.push(name);
      const now = calls.length === at;
      if (now && moment === 'as it begins') controller.abort();
      const value = await ask(...given);
      if (now && moment === 'as it is answered') controller.abort();
      return value;
    };
  const { model, registry, journal } = world.ports;
  const [runner, approver, look] = [echoRunner(), yes('once'), echoTool('Look')];
  const ports: AgentPorts = {
    ...world.ports,
    journal: {
      append: port('journal.append', async (event) => journal.append(event)),
      keep: port('journal.keep', async (bytes) => journal.keep(bytes)),
      sync: port('journal.sync', async () => journal.sync()),
    },
    model: { ...model, decide: port('model', model.decide) },
    registry: {
      ...registry,
      reload: port('registry.reload', registry.reload),
      bytes: port('registry.bytes', registry.bytes),
      files: port('registry.files', registry.files),
    },
    runner: { run: port('runner', runner.run) },
    approver: { decide: port('approver', approver.decide) },
    skillTools: [{ ...look, run: port('tool', look.run) }],
  };
  return { world, ports, calls, begunLate, begin: () => void (asked = true) };
}

const options = named({ autoReload: true });

interface Cancelled {
  readonly watch: Watched;
  readonly stop: StopReason | 'not received';
}

async function cancelledAt(at: number, moment: Moment): Promise<Cancelled> {
  const controller = new AbortController();
  const watch = watched(at, moment, controller);
  const { world, ports } = watch;
  const run = await startRun(ports, options);
  watch.begin();
  const asked = run.ask('How many?', { signal: controller.signal });
  const result = await asked.catch((error: unknown) => error);
  const where = `call ${at} (${watch.calls[at - 1]}), ${moment}`;
  // What the disk holds is whole, and is the state.
  const text = world.events.map(formatRunEvent).join('');
  const { events } = readRunEvents(text, { sha256 }, { what: 'the record', run: 'run' });
  expect(events, where).toHaveLength(world.events.length);
  expect(foldEvents(events), where).toEqual(run.state);
  if (SkillsError.is(result, 'INTERRUPTED')) {
    expect(world.of('request_received'), where).toEqual([]);
    return { watch, stop: 'not received' };
  }
  const { stop, degraded, text: said } = await asked;
  // Nothing is begun any more, and what was under way has an end.
  expect(watch.begunLate, where).toEqual([]);
  expect(
    run.state.audit.every(({ ok }) => ok !== undefined),
    where,
  ).toBe(true);
  expect(world.clock.timers, where).toBe(0);
  expect(degraded, where).toBe(stop === 'cancelled');
  expect(said.startsWith('This is not finished. It was cancelled.'), where).toBe(degraded);
  expect(world.journal.synced, where).toBe(world.events.length);
  // Of the calls of the journal, which are most of all, every third is replayed: it takes as long as the run itself.
  if (at % 3 === 0 || watch.calls[at - 1]?.startsWith('journal') !== true) {
    const kept = async (digest: Digest) => world.journal.kept.get(digest);
    expect(await replayRun({ events, kept }, { sha256 }), where).toMatchObject({ same: true });
  }
  return { watch, stop };
}

test.for<Moment>(['as it begins', 'as it is answered'])(
  'AGIO-21, PSA-27: a cancel at any call of any port, %s, ends the request there, and its record is whole and replays',
  { timeout: 120_000 },
  async (moment) => {
    const whole = await cancelledAt(0, moment);
    expect(whole.stop).toBe('final_answer');
    expect(new Set(whole.watch.calls)).toEqual(
      new Set([
        'journal.append',
        'journal.keep',
        'journal.sync',
        'model',
        'registry.reload',
        'registry.bytes',
        'registry.files',
        'runner',
        'approver',
        'tool',
      ]),
    );
    const stops: Cancelled['stop'][] = [];
    const { calls } = whole.watch;
    for (let at = 1; at <= calls.length; at += 1) {
      // What the journal has answered is not looked at: the next call begins.
      const skipped = moment === 'as it is answered' && calls[at - 1]?.startsWith('journal') === true;
      stops.push(skipped ? (stops.at(-1) ?? 'cancelled') : (await cancelledAt(at, moment)).stop);
    }
    // A request whose skills were not read yet is none.
    expect(stops.filter((stop) => stop === 'not received')).toHaveLength(moment === 'as it begins' ? 1 : 0);
    // Only a cancel that came when there was nothing left but to write the answer down comes too late.
    const end = stops.indexOf('final_answer');
    const late = end === -1 ? stops.length : end;
    expect(stops.slice(1, late).every((stop) => stop === 'cancelled')).toBe(true);
    expect(stops.slice(late).every((stop) => stop === 'final_answer')).toBe(true);
    expect(calls.slice(late).every((call) => call.startsWith('journal'))).toBe(true);
    expect(calls.lastIndexOf('model')).toBeLessThan(late);
  },
);

test('SAA-27: after a cancel at any call of the model, the run takes the next request in the same conversation', async () => {
  const { calls } = (await cancelledAt(0, 'as it begins')).watch;
  const models = calls.flatMap((call, at) => (call === 'model' ? [at + 1] : []));
  expect(models.length).toBe(replies.length);
  for (const at of models) {
    const { world } = (await cancelledAt(at, 'as it begins')).watch;
    const next = agentWorld([answer('Then this.')], { files });
    for (const event of world.events) void next.journal.append(event);
    const run = await continueRun(world.events, next.ports, options);
    expect(await run.ask('And now?')).toMatchObject({ text: 'Then this.', stop: 'final_answer' });
    expect(JSON.stringify(next.model.requests[0]?.messages)).toContain('It was cancelled.');
    expect(foldEvents(next.events)).toEqual(run.state);
  }
});
