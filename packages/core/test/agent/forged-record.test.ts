import { expect, test } from 'vitest';
import type { Activation } from '../../src/agent/activation.js';
import { continueRun } from '../../src/agent/continue-run.js';
import { foldEvents } from '../../src/agent/fold-events.js';
import { chainStart, sealEvent } from '../../src/agent/record/seal-event.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import type { RunEvent } from '../../src/agent/run-event.js';
import { startRun } from '../../src/agent/start-run.js';
import type { Digest } from '../../src/digest/is-digest.js';
import type { AgentAction } from '../../src/model/action.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, select, skillFile } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY', { 'allowed-tools': 'tame' }),
  'alone/SKILL.md': skillFile('alone', 'For people.', {
    'disable-model-invocation': 'true',
    'allowed-tools': 'wild',
  }),
};
const call = (tool: string): AgentAction => ({ kind: 'call_tool', tool, input: {} });

/** A record whose ledger somebody wrote anew, hashes and all. */
function forged(events: readonly RunEvent[], change: (activation: Activation) => Activation): readonly RunEvent[] {
  let prev = chainStart('run', sha256);
  return events.map(({ hash: _, ...event }) => {
    const { seq, run, at, prev: __, ...body } = event;
    const other = body.type === 'skill_activated' ? { ...body, activation: change(body.activation) } : body;
    const sealed = sealEvent(other, { seq, run, at, prev }, sha256);
    prev = sealed.hash;
    return sealed;
  });
}

async function resumed(
  change: (activation: Activation) => Activation,
  given: Readonly<Record<string, string>> = files,
) {
  const first = agentWorld([select('pdf'), answer('Ready.')], { files, skillTools: [echoTool('tame')] });
  await (await startRun(first.ports, named())).ask('Begin.');
  const events = forged(first.events, change);
  const tools = { skillTools: [echoTool('tame'), echoTool('wild')], groupedTools: { other: [echoTool('grouped')] } };
  const second = agentWorld([call('wild'), select('pdf'), call('tame'), answer('Done.')], { files: given, ...tools });
  for (const event of events) void second.journal.append(event);
  const run = await continueRun(events, second.ports, named());
  await run.ask('Go on.');
  const offered = second.model.requests.map((request) => request.tools.map(({ name }) => name));
  expect(foldEvents(second.events)).toEqual(run.state);
  return { run, second, offered, observations: second.of('observation_recorded').slice(1) };
}

test('a resumed run offers what the texts of its skills allow, whatever the ledger of its record says', async () => {
  for (const change of [
    (activation: Activation) => ({ ...activation, tools: ['wild'] }),
    (activation: Activation) => ({ ...activation, tools: ['tame', 'wild', 'grouped'], name: 'other' }),
  ]) {
    const { run, offered, observations } = await resumed(change);
    expect(offered[0]).toEqual(['tame']);
    expect(observations[0]).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } });
    expect(run.state.activations).toMatchObject([{ name: 'pdf', tools: ['tame'] }]);
  }
});

test('a skill whose text cannot be read again, or is for people only, unlocks nothing in a resumed run', async () => {
  for (const location of ['memory:/gone', 'memory:/alone']) {
    const digest = sha256(new TextEncoder().encode(files['alone/SKILL.md']));
    const { offered } = await resumed((activation) => ({
      ...activation,
      name: 'alone',
      location,
      digest,
      tools: ['wild'],
    }));
    expect(offered[0]).toEqual([]);
  }
});

test('a skill that could not be read when a run was resumed can be selected again, with its tools', async () => {
  const first = agentWorld([select('pdf'), answer('Ready.')], { files, skillTools: [echoTool('tame')] });
  await (await startRun(first.ports, named())).ask('Begin.');
  const second = agentWorld([select('pdf'), call('tame'), answer('Done.')], { files, skillTools: [echoTool('tame')] });
  for (const event of first.events) void second.journal.append(event);
  for (const bytes of first.journal.kept.values()) await second.journal.keep(bytes);
  let down = true;
  const { registry } = second.ports;
  const bytes: typeof registry.bytes = async (...given) => {
    if (down) throw new Error('The network is down.');
    return registry.bytes(...given);
  };
  const run = await continueRun(first.events, { ...second.ports, registry: { ...registry, bytes } }, named());
  down = false;
  expect(await run.ask('Go on.')).toMatchObject({ text: 'Done.' });
  expect(second.model.requests.map(({ tools }) => tools.length)).toEqual([0, 1, 1]);
  const kept = async (digest: Digest) => second.journal.kept.get(digest);
  expect(await replayRun({ events: second.events, kept }, { sha256 })).toMatchObject({ same: true });
});

/** A run in which a skill took tools away, and whose record somebody wrote anew; then it goes on. */
async function restricted(change: (activation: Activation) => Activation, given: Readonly<Record<string, string>>) {
  const look = echoTool('look');
  const runner = echoRunner();
  const first = agentWorld([select('pdf', 'sub'), answer('Child.'), answer('Ready.')], { files: given, tools: [look] });
  await (await startRun(first.ports, named({ permissions: restrict }))).ask('Begin.');
  const events = forged(first.events, change);
  const script = (name: string): AgentAction => ({
    kind: 'run_script',
    skill: { name },
    relative_path: 'go.sh',
    args: [],
  });
  const second = agentWorld([call('look'), script('pdf'), script('sub'), answer('Done.')], {
    files: given,
    tools: [look],
    runner,
    approver: yes('run'),
  });
  for (const event of events) void second.journal.append(event);
  const run = await continueRun(events, second.ports, named({ permissions: restrict }));
  await run.ask('Go on.');
  const kept = async (digest: Digest) => first.journal.kept.get(digest) ?? second.journal.kept.get(digest);
  await run.finish();
  const codes = second
    .of('observation_recorded')
    .slice(-3)
    .map(({ error }) => error?.code);
  return { look, runner, codes, replay: await replayRun({ events: second.events, kept }, { sha256 }) };
}

const restrict = { allowedTools: 'restrict' } as const;
const restricting = {
  'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY', { 'allowed-tools': 'tame' }),
  'pdf/go.sh': '',
  'sub/SKILL.md': skillFile('sub', 'SUB', { 'allowed-tools': 'tame', 'run-mode': 'subagent' }),
  'sub/go.sh': '',
};

test('a record that drops or widens what a skill declares takes no restriction away; an older one that does not say it neither', async () => {
  for (const [change, same] of [
    [(activation: Activation) => ({ ...activation, allowedTools: undefined }), false],
    [(activation: Activation) => ({ ...activation, allowedTools: ['look', 'run_script'] }), false],
    [(activation: Activation) => ({ ...activation, allowedTools: undefined, scope: 'user' as const }), false],
    [(activation: Activation) => activation, true],
  ] as const) {
    const { look, runner, codes, replay } = await restricted(change, restricting);
    expect([look.calls, runner.ran]).toEqual([[], []]);
    expect(codes).toEqual(['TOOL_NOT_ALLOWED', 'TOOL_NOT_ALLOWED', 'TOOL_NOT_ALLOWED']);
    // What does not follow from the texts of the first process is found out, too.
    expect(replay.same).toBe(same);
  }
});

test.each([
  ['another source', { scope: 'user' }],
  ['a pack', { pack: 'acme/sub' }],
] as const)('no script is run of a skill that a record says %s brought, until it is read again', async (_, forge) => {
  const listing = {
    ...restricting,
    'sub/SKILL.md': skillFile('sub', 'SUB', { 'allowed-tools': 'Bash', 'run-mode': 'subagent' }),
  };
  const honest = await restricted((activation) => activation, listing);
  expect(honest.runner.ran.map(({ skill }) => skill.name)).toEqual(['sub']);
  const { runner, codes } = await restricted((activation) => ({ ...activation, ...forge }), listing);
  expect([runner.ran, codes.at(-1)]).toEqual([[], 'TOOL_NOT_ALLOWED']);
});
