import { agentActionKinds, createDecisionStream, parseDecision } from '@skillpack/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aiSdk } from '../../src/ai-sdk/ai-sdk.js';
import type { AiSdkOptions } from '../../src/ai-sdk/ai-sdk-options.js';
import { call, final, finish, type Part, provider, requestOf, text, thoughts, wholeCall } from './mocked-provider.js';

const forms: readonly AiSdkOptions[] = [
  { structured: 'schema' },
  { structured: 'tools' },
  { nativeTools: true },
  { structured: 'text' },
];

const words = fc.string({ unit: fc.constantFrom(...'ab {}[]",:\\\n\r\t\u{1F600}é'), maxLength: 40 });
const cuts = fc.array(fc.nat(), { maxLength: 12 });

function cutUp(said: string, points: readonly number[]): readonly string[] {
  const at = [0, ...points.map((point) => point % (said.length + 1)).toSorted((a, b) => a - b), said.length];
  return at.slice(1).map((end, index) => said.slice(at[index], end));
}

/** An answer with one decision, in whatever way a provider brings it. */
const answer = fc.record({
  content: words,
  points: cuts,
  way: fc.constantFrom('text', 'call', 'whole call', 'call without its whole'),
  thought: fc.option(words, { nil: undefined }),
  prose: fc.option(fc.constantFrom('I look. ', 'So: ', '\n '), { nil: undefined }),
  form: fc.constantFrom(...forms),
});

test('PSA-30: however a provider cuts an answer, and in whatever form, its pieces are the text, and the answer told from them is the one that is decided', async () => {
  await fc.assert(
    fc.asyncProperty(answer, async ({ content, points, way, thought, prose, form }) => {
      const said = final(content);
      const pieces = cutUp(said, points);
      const ways: Record<typeof way, readonly Part[]> = {
        text: text(...pieces),
        call: call('c', 'decide', ...pieces),
        'whole call': [wholeCall('c', 'decide', said)],
        'call without its whole': call('c', 'decide', ...pieces).slice(0, -1),
      };
      const parts = [
        thoughts('r', ...(thought === undefined ? [] : [thought])),
        prose === undefined ? [] : text(prose),
      ];
      const [told, shown]: [string[], string[]] = [[], []];
      const stream = createDecisionStream(({ delta }) => shown.push(delta));
      const decided = await aiSdk(provider(...parts, ways[way], finish()), form).decide(requestOf(), {
        signal: new AbortController().signal,
        onText: (delta) => {
          told.push(delta);
          stream.push(delta);
        },
      });
      expect(told.join('')).toBe(decided.text);
      const reading = parseDecision(decided.text, agentActionKinds);
      expect(reading).toMatchObject({ kind: 'decision', decision: { action: { kind: 'final_answer', content } } });
      expect(shown.join('')).toBe(content);
    }),
    { numRuns: 500 },
  );
});

const anyPart: fc.Arbitrary<Part> = fc
  .record({
    type: fc.constantFrom(
      'text-delta',
      'reasoning-delta',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
    ),
    id: fc.constantFrom('1', '2'),
    delta: fc.constantFrom('{', '}', '{}', '"a":1', ' ', 'So', final('x'), '{"text":"x"}'),
    toolName: fc.constantFrom('decide', 'shout'),
  })
  .map(({ delta, id, ...part }) => ({ ...part, id, toolCallId: id, delta, input: delta }));

test('PSA-05: whatever parts come in whatever order, the pieces are the text, and no answer holds two decisions of which one is taken', async () => {
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyPart, { maxLength: 12 }), fc.constantFrom(...forms), async (parts, form) => {
      const told: string[] = [];
      const asked = aiSdk(provider(parts, finish()), form).decide(requestOf(), {
        signal: new AbortController().signal,
        onText: (delta) => told.push(delta),
      });
      const { text: said } = await asked.catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'MODEL_ERROR' });
        return { text: undefined };
      });
      if (said === undefined) return;
      expect(told.join('')).toBe(said);
      const reading = parseDecision(said, agentActionKinds);
      if (reading.kind === 'rejected') return;
      decided += 1;
      const called = parts.flatMap((part) => (part.type === 'tool-call' ? [`${part.toolName}${part.input}`] : []));
      const decisions = new Set(called.filter((one) => /^shout\{|final_answer/u.test(one)));
      expect(decisions.size).toBeLessThanOrEqual(1);
    }),
    { numRuns: 2000 },
  );
  expect(decided).toBeGreaterThan(50);
});

test('an answer of more than anybody reads is left at that, as one that was cut off', async () => {
  const how = { signal: new AbortController().signal };
  const long = 'a'.repeat(600_000);
  const model = provider(text(long, long, long), finish());
  const answered = await aiSdk(model).decide(requestOf(), how);
  expect(answered).toMatchObject({ finish: 'length', usage: { inputTokens: 0 } });
  expect(answered.text).toHaveLength(1_200_000);
  const thinking = provider(thoughts('r', long, long, long), text('{}'), finish());
  const thought = await aiSdk(thinking).decide(requestOf(), how);
  expect([thought.reasoning?.length, thought.text]).toEqual([1_200_000, '{}']);
  const many = Array.from({ length: 65 }, (_, index) => call(`${index}`, 'shout', '{}').slice(0, 1)).flat();
  await expect(aiSdk(provider(many, finish())).decide(requestOf(), how)).rejects.toMatchObject({ code: 'MODEL_ERROR' });
  const unseen = call('1', 'shout', '{}').slice(0, 1);
  const waiting = provider(unseen, call('2', 'shout', `{"a":"${long}${long}"}`), text('no'), finish());
  expect((await aiSdk(waiting, { nativeTools: true }).decide(requestOf(), how)).finish).toBe('length');
});
