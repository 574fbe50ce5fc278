import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDecisionStream, type StreamedText } from './decision-stream.js';
import { agentActionKinds } from './decision-schema.js';
import { parseDecision } from './parse-decision.js';

function streamed(pieces: readonly string[], paths?: readonly string[]): readonly StreamedText[] {
  const texts: StreamedText[] = [];
  const stream = createDecisionStream((text) => texts.push(text), { paths });
  for (const piece of pieces) stream.push(piece);
  return texts;
}

const joined = (texts: readonly StreamedText[]): string => texts.map(({ delta }) => delta).join('');
const final = (content: string): string => JSON.stringify({ action: { kind: 'final_answer', content } });

function contentOf(text: string): string | undefined {
  const reading = parseDecision(text, agentActionKinds);
  return reading.kind === 'decision' && reading.decision.action.kind === 'final_answer'
    ? reading.decision.action.content
    : undefined;
}

test('PSA-30: an answer is told as it is written, before its JSON ends', () => {
  const pieces = ['{"action":{"ki', 'nd":"final_answer","content":"Thr', 'ee p', 'ages.\\', 'n', '"}}'];
  expect(streamed(pieces)).toStrictEqual([
    { path: 'action.content', delta: 'Thr' },
    { path: 'action.content', delta: 'ee p' },
    { path: 'action.content', delta: 'ages.' },
    { path: 'action.content', delta: '\n' },
  ]);
});

test('PSA-30: wherever a text is cut, its pieces are what is read in the end', () => {
  const content = 'A “quote” \\ / \b\f\n\r\t " \u0001 \u{1F600} 漢字 {"action":{"content":"no"}} \u2028';
  const escaped = final(content).replaceAll(/[^ -~]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => String.raw`\u` + character.charCodeAt(index).toString(16).padStart(4, '0'),
    ).join(''),
  );
  expect(JSON.parse(escaped)).toStrictEqual(JSON.parse(final(content)));
  for (const text of [final(content), escaped]) {
    for (let at = 0; at <= text.length; at += 1) {
      const texts = streamed([text.slice(0, at), text.slice(at)]);
      expect(joined(texts)).toBe(content);
      for (const { delta } of texts) expect([delta.length > 0, delta.isWellFormed()]).toEqual([true, true]);
    }
    expect(joined(streamed(Array.from({ length: text.length }, (_, at) => text.charAt(at))))).toBe(content);
  }
});

test('PSA-30: for every answer and every way to cut it, the pieces are the content of the decision', () => {
  const chars = fc.constantFrom('a', '"', '\\', '\n', '{', '}', '[', ',', ':', '\uD83D', '\uDE00', '\u{1F600}', '漢');
  const arrangement = fc.constantFrom<(json: string) => string>(
    (json) => json,
    (json) => `Sure, as "asked":\n\`\`\`json\n${json}\n\`\`\``,
    (json) => `<think>\n{"action":{"kind":"final_answer","content":"draft"}}</think>${json}`,
    (json) => `  <thinking>hm</thinking>\n\n${json}`,
    (json) => `<b> ${json} and {"content":"more"}`,
    (json) => json.replace('{"action":', '{"thought":["content",{"content":"no"}],"action":'),
  );
  const cuts = fc.array(fc.nat(), { maxLength: 12 });
  fc.assert(
    fc.property(fc.string({ unit: chars }), arrangement, cuts, (content, arrange, points) => {
      const text = arrange(final(content));
      const at = [
        0,
        ...points.map((point) => point % text.length).toSorted((left, right) => left - right),
        text.length,
      ];
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
      expect(pieces.join('')).toBe(text);
      expect(contentOf(text)).toBe(content.toWellFormed());
      expect(joined(streamed(pieces))).toBe(content.toWellFormed());
    }),
    { numRuns: 500 },
  );
});

test('PSA-30: any text can be watched by its path, and no other is told', () => {
  const decision = {
    plan_update: { kind: 'replace', plan: { goal: 'Count.', steps: [{ title: 'One' }, { title: 'Two' }] } },
    action: { kind: 'call_tool', tool: 't', input: { content: 'no', 'a.content': 'no', list: ['x', 2, 'y'] } },
    'action.content': 'no',
  };
  const text = JSON.stringify(decision, null, 2);
  expect(streamed([text])).toEqual([]);
  const paths = ['plan_update.plan.goal', 'plan_update.plan.steps.1.title', 'action.input.list.2', 'action.kind'];
  expect(streamed([text], paths)).toStrictEqual([
    { path: 'plan_update.plan.goal', delta: 'Count.' },
    { path: 'plan_update.plan.steps.1.title', delta: 'Two' },
    { path: 'action.kind', delta: 'call_tool' },
    { path: 'action.input.list.2', delta: 'y' },
  ]);
});

test('PSA-30: whatever arrives, nothing is thrown, only the first object counts, and depth and keys have limits', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0aD<think>/ \n') })), (pieces) => {
      streamed(pieces);
    }),
  );
  expect(streamed(['[{"content":"a"}]', '{"content":"b"}'])).toStrictEqual([{ path: 'content', delta: 'a' }]);
  expect(streamed(['{"a":'.repeat(100_000), '"content":"x"'])).toEqual([]);
  expect(streamed([`{"${'k'.repeat(100_000)}":1,"content":"x"`])).toStrictEqual([{ path: 'content', delta: 'x' }]);
});
