import { createHash } from 'node:crypto';
import {
  type AgentPorts,
  createMemoryJournal,
  createSkillRegistry,
  memorySkills,
  replayRun,
  runAgent,
  type Sha256,
  type Tool,
} from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import type { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { aiSdk } from '../../src/ai-sdk/ai-sdk.js';
import type { AiSdkOptions } from '../../src/ai-sdk/ai-sdk-options.js';
import { answering, call, final, finish, type Part, text, thoughts } from './mocked-provider.js';

const sha256: Sha256 = (data) =>
  // Cast: the form of a digest is what this line builds.
  `sha256:${createHash('sha256').update(data).digest('hex')}` as ReturnType<Sha256>;

function worldOf(model: MockLanguageModelV4, options: AiSdkOptions) {
  const calls: unknown[] = [];
  const shout: Tool = {
    name: 'shout',
    description: 'Writes in capitals.',
    inputSchema: { type: 'object' },
    risk: 'low',
    run: async (input) => {
      calls.push(input);
      return { ok: true, content: 'HEY', output: {}, started: 0, ended: 0, duration: 0 };
    },
  };
  const journal = createMemoryJournal(sha256);
  const ports: AgentPorts = {
    registry: createSkillRegistry(memorySkills({}), { sha256 }),
    model: aiSdk(model, options),
    journal,
    clock: fakeClock(),
    sha256,
    tools: [shout],
  };
  return { ports, calls, journal };
}

const shouting = JSON.stringify({ action: { kind: 'call_tool', tool: 'shout', input: { text: 'hey' } } });

const forms: readonly (readonly [
  title: string,
  options: AiSdkOptions,
  called: readonly Part[],
  answered: readonly Part[],
])[] = [
  ['schema', { structured: 'schema' }, text(...shouting), text(...final('It says HEY.'))],
  ['tools', { structured: 'tools' }, call('1', 'decide', ...shouting), call('2', 'decide', ...final('It says HEY.'))],
  [
    'native tools',
    { nativeTools: true },
    call('1', 'shout', ...'{"text":"hey"}'),
    call('2', 'decide', ...final('It says HEY.')),
  ],
  ['text', { structured: 'text' }, text('I shout. ', ...shouting), text('So: ', ...final('It says HEY.'))],
];

test.for(forms)(
  'PSA-05, PSA-30: an agent acts in turns, tells its answer as it is written, and is replayed: %s',
  async ([, options, called, answered]) => {
    const model = answering(() => [
      ...thoughts('r', 'Let me ', 'see.'),
      ...(model.doStreamCalls.length === 1 ? called : answered),
      finish('tool-calls'),
    ]);
    const { ports, calls, journal } = worldOf(model, options);
    const [told, thought]: [string[], string[]] = [[], []];
    const answer = await runAgent('Shout.', ports, {
      id: 'one',
      onAnswer: (delta) => told.push(delta),
      onReasoning: (delta) => thought.push(delta),
    });
    expect(answer).toMatchObject({ text: 'It says HEY.', stop: 'final_answer', state: { turn: 2 } });
    expect(told.length).toBeGreaterThan(1);
    expect(told.join('')).toBe(answer.text);
    expect(thought.join('')).toBe('Let me see.'.repeat(2));
    expect(calls).toEqual([{ text: 'hey' }]);
    const { events } = journal;
    expect(await replayRun({ events, kept: async (digest) => journal.kept.get(digest) }, { sha256 })).toMatchObject({
      same: true,
    });
  },
);

test.for(forms)(
  'PSA-30: nothing is done before the whole answer is there and was judged: %s',
  async ([, options, called]) => {
    const ends: readonly (readonly Part[])[] = [
      [{ type: 'error', error: new TypeError('fetch failed') }],
      [],
      [finish('error')],
      [finish('interrupted')],
      [
        ...called.map((part): Part => ('id' in part ? { ...part, id: `${part.id}b` } : part)),
        ...call('9', 'delete', '{}'),
        finish(),
      ],
    ];
    for (const end of ends) {
      const model = answering(() => [...called, ...end]);
      const { ports, calls, journal } = worldOf(model, options);
      expect(await runAgent('Shout.', ports, { id: 'one', limits: { consecutiveFailures: 2 } })).toMatchObject({
        degraded: true,
      });
      expect(calls).toEqual([]);
      expect(journal.events.some(({ type }) => type === 'action_started')).toBe(false);
    }
  },
);
