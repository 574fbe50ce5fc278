import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { chat, messages, type Protocol, sayInForm, send } from '../../../test/provider-server.js';
import { createAgentWorld } from './agent-world.js';
import { sentKey, startModelServer } from './model-server.js';
import type { World } from './run-skills.js';
import { hasTmux, openTmux } from './tmux-terminal.js';

let world: World;
beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => world.remove());

const decisionOf = (action: object): string => JSON.stringify({ action });
const [begin, end] = ['First half of the answer,', 'and the second half.'];
const whole = decisionOf({ kind: 'final_answer', content: `${begin} ${end}` });

interface DrippingServer {
  readonly origin: string;
  /** Lets the second half go. */
  release(): void;
}

/** A server that keeps the second half of its answer until it is told to go on. */
async function drip(protocol: Protocol, decision = whole): Promise<DrippingServer> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const provider = await startModelServer(protocol, async (call, out) => {
    const events = protocol.events({ ...sayInForm(call, decision), pieceLength: 3 });
    out.head(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const [at, event] of events.entries()) {
      if (at === Math.floor(events.length * 0.75)) await released;
      const name = protocol.name === 'messages' ? `event: ${(JSON.parse(event) as { type: string }).type}\n` : '';
      await out.write(`${name}data: ${event}\n\n`);
    }
    out.end();
  });
  onTestFinished(async () => {
    release();
    await provider.close();
  });
  return { origin: provider.origin, release };
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

describe.skipIf(!hasTmux)('at a terminal', { timeout: 60_000 }, () => {
  test.each([
    [chat, (origin: string) => [`openai-compatible:${origin}/v1#small`, {}] as const],
    [
      messages,
      (origin: string) =>
        ['anthropic:claude-sonnet-4-5', { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: origin }] as const,
    ],
  ])(
    'PSA-29: an answer is shown while the model writes it, once, and then what it took: %#',
    async (protocol, named) => {
      const server = await drip(protocol);
      const [model, env] = named(server.origin);
      using terminal = openTmux(world, ['run', 'Say something.', '--model', model, '--trust-project'], { env });
      await terminal.see(begin);
      expect(terminal.screen()).not.toContain(end);
      expect(terminal.screen()).not.toContain('recorded in');
      server.release();
      expect(await terminal.ended()).toBe(0);
      const screen = terminal.screen();
      expect([occurrences(screen, begin), occurrences(screen, end)]).toEqual([1, 1]);
      expect(screen).toMatch(
        /First half of the answer, and the second half\.\n10 tokens in, 5 out(?:, \$[\d.]+)?\nrecorded in /u,
      );
    },
  );

  test('PSA-29: in a chat an answer is shown while the model writes it, and at the end what all of it took', async () => {
    const server = await drip(chat);
    using terminal = openTmux(world, [
      'chat',
      '--model',
      `openai-compatible:${server.origin}/v1#small`,
      '--trust-project',
    ]);
    await terminal.see('> ');
    terminal.type('Say something.');
    terminal.press('Enter');
    await terminal.see(begin);
    expect(terminal.screen()).not.toContain(end);
    server.release();
    await terminal.see(end);
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toMatch(/\n10 tokens in, 5 out\nrecorded in /u);
  });

  test('a question is shown once, and answered below', async () => {
    const server = await drip(chat, decisionOf({ kind: 'ask_user', question: `${begin} ${end}?` }));
    server.release();
    using terminal = openTmux(world, [
      'run',
      'Ask.',
      '--model',
      `openai-compatible:${server.origin}/v1#small`,
      '--trust-project',
    ]);
    await terminal.see(/second half\.\?\n> /u);
    expect(occurrences(terminal.screen(), begin)).toBe(1);
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(1);
  });
});

test('what a model thinks is no part of its answer, and is told with --verbose alone, without secrets', async () => {
  const provider = await startModelServer(chat, async (call, out) =>
    send(
      chat,
      { call, out },
      {
        parts: [
          { kind: 'reasoning', text: `The person is kind.\nTheir key is ${sentKey}.\nSo am I` },
          ...sayInForm(call, whole).parts,
        ],
      },
    ),
  );
  onTestFinished(async () => provider.close());
  const words = [
    'run',
    'Say something.',
    '--model',
    `openai-compatible:${provider.origin}/v1#small`,
    '--trust-project',
  ];
  const env = { SKILLS_MODEL_API_KEY: sentKey };
  const plain = await world.run(words, { env });
  expect([plain.exitCode, plain.stdout]).toEqual([0, `${begin} ${end}\n`]);
  expect(plain.stderr).not.toContain('kind');
  const verbose = await world.run([...words, '--verbose', '--record', 'calls.jsonl'], { env });
  expect([verbose.exitCode, verbose.stdout]).toEqual([0, `${begin} ${end}\n`]);
  expect(verbose.stderr).toMatch(/^thinks: The person is kind\.\nthinks: Their key is .*\.\nthinks: So am I$/mu);
  expect(verbose.stderr).not.toContain(sentKey);
});
