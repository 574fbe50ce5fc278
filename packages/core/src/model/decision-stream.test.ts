import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDecisionStream, type DecisionStreamOptions, type StreamedText } from './decision-stream.js';
import { agentActionKinds } from './decision-schema.js';
import { parseDecision } from './parse-decision.js';

function streamed(pieces: readonly string[], options?: DecisionStreamOptions): readonly StreamedText[] {
  const texts: StreamedText[] = [];
  const stream = createDecisionStream((text) => texts.push(text), options);
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
    (json) => `{x} [1] {"page":1,"content":"no"} ["{"] ${json} {"content":"more"}`,
    (json) => `So: [${json}]`,
    (json) => JSON.stringify((JSON.parse(json) as { action: object }).action),
    (json) => json.replace('"final_answer",', '"final_answer","thought":null,'),
    (json) =>
      json.replace('{"action":{', '{"action":"final_answer","action_input":{').replace('"kind":"final_answer",', ''),
    (json) => json.replace('{"kind":"final_answer",', '{"final_answer":{').replace(/\}$/u, '}}'),
    (json) => `{"decision":${json}}`,
    (json) => json.replace('"kind":"final_answer",', '').replace(/\}\}$/u, ',"kind":"final_answer"}}'),
    (json) => json.replace('"content":', '"answer":').replace(/\}\}$/u, ',}}'),
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
  expect(streamed([text], { paths })).toStrictEqual([
    { path: 'plan_update.plan.goal', delta: 'Count.' },
    { path: 'plan_update.plan.steps.1.title', delta: 'Two' },
    { path: 'action.kind', delta: 'call_tool' },
    { path: 'action.input.list.2', delta: 'y' },
  ]);
});

test.for([
  [{ kind: 'ask_user', question: 'Which?', content: 'no' }, ['Which?']],
  [{ kind: 'ask_user', content: 'Which?' }, ['Which?']],
  [{ question: 'Which?', kind: 'ask_user' }, ['Which?']],
  [{ kind: 'final_answer', content: 'That.', question: 'no' }, ['That.']],
  [{ kind: 'search_skills', query: 'pdf', content: 'no', question: 'no' }, []],
  [{ content: 'no', kind: 'search_skills', query: 'pdf' }, []],
] as const)('PSA-30: only what is meant for a person is told of %j', ([action, words]) => {
  const actions = ['final_answer', 'ask_user'] as const;
  for (const written of [{ action }, action]) {
    expect(streamed([JSON.stringify(written)], { actions }).map(({ delta }) => delta)).toEqual(words);
    const answered = streamed([JSON.stringify(written)]).map(({ delta }) => delta);
    expect(answered).toEqual(action.kind === 'final_answer' ? words : []);
  }
});

test('PSA-30: behind a decision with another action, or the object that was told, nothing counts', () => {
  const search = '{"action":{"kind":"search_skills","query":"a"}}';
  expect(streamed([search, final('no')])).toEqual([]);
  expect(streamed([final(''), final('no')])).toEqual([]);
  expect(streamed(['{"kind":"final_answer"}{"content":"no"}'])).toEqual([]);
  expect(joined(streamed([`{"a":]${final('no')}}`, final('yes')]))).toBe('yes');
  expect(joined(streamed(['{x}'.repeat(63), final('yes')]))).toBe('yes');
  expect(streamed(['{x}'.repeat(64), final('no')])).toEqual([]);
});

test('PSA-30: whatever arrives, nothing is thrown, only the first object counts, and depth and keys have limits', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0aD<think>/ \n') })), (pieces) => {
      streamed(pieces);
    }),
  );
  const paths = ['content'];
  expect(streamed(['[{"content":"a"}]', '{"content":"b"}'], { paths })).toStrictEqual([
    { path: 'content', delta: 'a' },
  ]);
  expect(streamed(['[1,{"content":"a"}'], { paths })).toEqual([]);
  expect(streamed(['{"a":'.repeat(100_000), '"content":"x"'])).toEqual([]);
  expect(streamed([`{"${'k'.repeat(100_000)}":1,"content":"x"`], { paths })).toStrictEqual([
    { path: 'content', delta: 'x' },
  ]);
});
