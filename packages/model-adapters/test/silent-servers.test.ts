import { fakeClock } from '@skillpack/core/testing';
import { expect, test } from 'vitest';
import { requestOf } from './conformance/ask.js';
import type { ProviderOutput } from './conformance/provider-output.js';
import { startProvider } from './conformance/start-provider.js';
import { anthropicSubject, openaiSubject } from './conformance/subjects.js';

const both = [openaiSubject, anthropicSubject].map((subject) => [subject.title, subject] as const);

const silences: readonly (readonly [title: string, begin: (out: ProviderOutput) => void | Promise<void>])[] = [
  ['says nothing', () => {}],
  ['sends headers and nothing else', (out) => out.head(200, { 'content-type': 'text/event-stream' })],
  [
    'begins a refusal',
    async (out) => {
      out.head(500, { 'content-type': 'application/json' });
      await out.write('{"error":');
    },
  ],
  [
    'begins a body where a stream was asked for',
    async (out) => {
      out.head(200, { 'content-type': 'application/json' });
      await out.write('{"error":');
    },
  ],
  [
    'sends comments and nothing else',
    async (out) => {
      out.head(200, { 'content-type': 'text/event-stream' });
      await out.write(': still here\n\n');
    },
  ],
];

const cases = both.flatMap(([title, subject]) =>
  silences.map(([what, begin]) => [title, what, { subject, begin }] as const),
);

test.for(cases)(
  'PSA-29: a server of %s that %s is left when whoever asked gives up, and when its time is over',
  async ([, , { subject, begin }]) => {
    let asked: () => void = () => {};
    const provider = await startProvider(subject.protocol.check, async (_, out) => {
      await begin(out);
      asked();
    });
    const clock = fakeClock();
    const model = subject.make(provider.origin, { structured: 'text', clock, timeout: { firstPiece: 5000 } });
    for (const [code, stop] of [
      ['INTERRUPTED', (controller: AbortController) => controller.abort()],
      ['TIMEOUT', () => clock.advance(5001)],
    ] as const) {
      const controller = new AbortController();
      const received = new Promise<void>((resolve) => (asked = resolve));
      const answer = Promise.allSettled([model.decide(requestOf('Say it.'), { signal: controller.signal })]);
      await received;
      stop(controller);
      expect(await answer).toMatchObject([{ status: 'rejected', reason: { code } }]);
      expect(await provider.calls.at(-1)?.closed).toEqual({ cutOff: true });
    }
    await provider.close();
  },
);
