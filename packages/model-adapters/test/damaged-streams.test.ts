import { agentActionKinds, parseDecision, SkillsError } from '@skillpack/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AiSdkOptions } from '../src/ai-sdk/ai-sdk-options.js';
import { ask, type Outcome } from './conformance/ask.js';
import { eventBytes } from './conformance/event-bytes.js';
import { sendBytes } from './conformance/protocol.js';
import type { Said } from './conformance/said.js';
import { startProvider } from './conformance/start-provider.js';
import { anthropicSubject, openaiSubject, type Subject } from './conformance/subjects.js';

const decision = '{"action":{"kind":"final_answer","content":"Grüße \u{1F600}."}}';

const inText: Said = {
  parts: [
    { kind: 'reasoning', text: 'Hm.' },
    { kind: 'text', text: decision },
  ],
  pieceLength: 12,
};
const inCall: Said = { parts: [{ kind: 'call', name: 'decide', input: decision }], pieceLength: 12 };

const cases = [openaiSubject, anthropicSubject].flatMap((subject) => [
  [subject.title, 'text', { subject, said: inText, options: { structured: 'text' } }] as const,
  [subject.title, 'tools', { subject, said: inCall, options: { structured: 'tools' } }] as const,
]);

interface Case {
  readonly subject: Subject;
  readonly said: Said;
  readonly options: AiSdkOptions;
}

/** Serves whatever bytes are the turn's, and hands over what asks for them. */
async function withBytes(
  { subject, options }: Case,
  use: (askFor: (bytes: Uint8Array, reset?: boolean) => Promise<Outcome>) => Promise<void>,
): Promise<void> {
  let next: { readonly bytes: Uint8Array; readonly reset: boolean } = { bytes: new Uint8Array(), reset: false };
  const provider = await startProvider(subject.protocol.check, async (_, out) => {
    await sendBytes(out, next.bytes);
    if (next.reset) out.reset();
    else out.end();
  });
  const model = subject.make(provider.origin, options);
  try {
    await use(async (bytes, reset = false) => {
      next = { bytes, reset };
      return ask(model);
    });
  } finally {
    await provider.close();
  }
}

function expectLawful({ answer, error, told, thought }: Outcome): void {
  if (answer === undefined) {
    expect(SkillsError.is(error), String(error)).toBe(true);
    expect((error as SkillsError).kind, String(error)).toMatch(/^(?:unavailable|refused|permission|not-found)$/u);
    return;
  }
  expect(answer.text).toBe(told);
  expect(answer.reasoning ?? '').toBe(thought);
  expect(['stop', 'length', 'refused', 'other']).toContain(answer.finish);
  for (const count of [answer.usage.inputTokens, answer.usage.outputTokens, answer.usage.reasoningTokens ?? 0]) {
    expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
  }
}

test.for(cases)(
  'PSA-29: an answer that is cut off at any byte is the whole decision, or none: %s, %s',
  async ([, , given]) => {
    const whole = eventBytes(given.subject.protocol.events(given.said));
    await withBytes(given, async (askFor) => {
      for (let end = 0; end < whole.length; end += 1) {
        const outcome = await askFor(whole.subarray(0, end), end % 2 === 0);
        expectLawful(outcome);
        if (outcome.answer === undefined) continue;
        const reading = parseDecision(outcome.answer.text, agentActionKinds);
        if (reading.kind === 'decision') expect(outcome.answer.text).toBe(decision);
      }
    });
  },
);

test.for(cases)(
  'PSA-29: whatever becomes of a stream, it is an answer whose pieces are its text, or an error with a code: %s, %s',
  async ([, , given]) => {
    const events = given.subject.protocol.events(given.said);
    const place = fc.nat({ max: events.length - 1 });
    const change = fc.oneof(
      fc.record({ kind: fc.constant('drop' as const), at: place }),
      fc.record({ kind: fc.constant('repeat' as const), at: place, to: place }),
      fc.record({ kind: fc.constant('swap' as const), at: place, to: place }),
      fc.record({ kind: fc.constant('replace' as const), at: place, text: fc.oneof(fc.json(), fc.string()) }),
      fc.record({
        kind: fc.constant('field' as const),
        at: place,
        text: fc.constantFrom('null', '-1', '1e400', '[]', '{}', '""', '"x"'),
        nth: fc.nat({ max: 12 }),
      }),
    );
    await withBytes(given, async (askFor) => {
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
          const damaged = changes.reduce<readonly string[]>(damage, events);
          expectLawful(await askFor(eventBytes(damaged)));
        }),
        { numRuns: 100 },
      );
    });
  },
);

interface Change {
  readonly kind: 'drop' | 'repeat' | 'swap' | 'replace' | 'field';
  readonly at: number;
  readonly to?: number;
  readonly text?: string;
  readonly nth?: number;
}

function damage(events: readonly string[], { kind, at, to = 0, text = '', nth = 0 }: Change): readonly string[] {
  const event = events[at] ?? '';
  switch (kind) {
    case 'drop':
      return events.toSpliced(at, 1);
    case 'repeat':
      return events.toSpliced(to, 0, event);
    case 'swap':
      return events
        .with(Math.min(at, events.length - 1), events[to] ?? '')
        .with(Math.min(to, events.length - 1), event);
    case 'replace':
      return events.toSpliced(at, 1, text.replace(/[\r\n]/gu, ' '));
    case 'field': {
      // The value of one of its fields, where it is a text or a number.
      let count = 0;
      return events.toSpliced(
        at,
        1,
        event.replace(/:(?:"[^"]*"|\d+|null)/gu, (value) => (count++ === nth ? `:${text}` : value)),
      );
    }
  }
}

test.for(cases)(
  'PSA-29: an answer that ends before its end is NETWORK_ERROR, and the message says that it broke off: %s, %s',
  async ([, , given]) => {
    const events = given.subject.protocol.events(given.said);
    await withBytes(given, async (askFor) => {
      for (const reset of [true, false]) {
        for (let count = 2; count < events.length - 3; count += 1) {
          const { error } = await askFor(eventBytes(events.slice(0, count)), reset);
          expect(error, `${count} of ${events.length}, ${reset}`).toMatchObject({
            code: 'NETWORK_ERROR',
            message: expect.stringContaining('broke off') as unknown,
          });
        }
      }
    });
  },
);
