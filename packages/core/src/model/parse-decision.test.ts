import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Decision } from './action.js';
import { agentActionKinds, anyDecisionSchema } from './decision-schema.js';
import { maxAnswerLength, parseDecision } from './parse-decision.js';

const answer = { action: { kind: 'final_answer', content: 'Three pages.' } };
const json = JSON.stringify(answer);
const select = JSON.stringify({
  action: { kind: 'select_skills', skills: [{ name: 'pdf' }], reason: 'It reads PDF.' },
});

function decisionOf(text: string): unknown {
  const reading = parseDecision(text, agentActionKinds);
  return reading.kind === 'decision' ? { repaired: reading.repaired, ...reading.decision } : reading.message;
}

function rejectionOf(text: string): string {
  const reading = parseDecision(text, agentActionKinds);
  return reading.kind === 'rejected' ? reading.message : `accepted: ${JSON.stringify(reading)}`;
}

test.for<readonly [string, string]>([
  ['a fenced block', `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\n`],
  ['prose around it', `I think "this" is best: ${json} Done.`],
  ['a byte order mark', `\uFEFF${json}`],
  ['a comma at its end', `${json},`],
  ['commas before its brackets', '{"action":{"kind":"final_answer","content":"Three pages.",},}'],
  ['a comma at its beginning', '{,"action":{"kind":"final_answer","content":"Three pages."}}'],
  ['thoughts before it, with a draft', `<think>Maybe ${select}</think>\n${json}`],
  ['the same decision twice', `${json}\nTo repeat: ${json}`],
  ['other objects before it', `As in {"page": 1} and {x}: ${json}`],
  ['a list around it', `[${json}]`],
  ['JSON within JSON', JSON.stringify(json)],
  ['braces that open nothing', `{{{ "{" ${json}`],
])('PSA-29: a decision is found with %s', ([, text]) => {
  expect(decisionOf(text)).toStrictEqual({ repaired: true, ...answer });
});

test('PSA-29: a line break within a text of it is mended', () => {
  expect(decisionOf('{"action":{"kind":"final_answer","content":"one\n\ttwo, ]"}}')).toStrictEqual({
    repaired: true,
    action: { kind: 'final_answer', content: 'one\n\ttwo, ]' },
  });
});

test.for([
  { kind: 'final_answer', content: 'Three pages.' },
  { action: 'final_answer', content: 'Three pages.' },
  { type: 'final_answer', answer: 'Three pages.' },
  { action: { type: 'final_answer', text: 'Three pages.' } },
  { action: 'final_answer', action_input: { content: 'Three pages.' } },
  { name: 'final_answer', arguments: { content: 'Three pages.' } },
  { final_answer: { content: 'Three pages.' } },
  { action: { final_answer: { content: 'Three pages.' } } },
  { decision: answer },
])('PSA-29: what models write for an action is understood: %j', (written) => {
  expect(decisionOf(JSON.stringify(written))).toStrictEqual({ repaired: true, ...answer });
});

test.for([
  [
    { action: 'select_skills', skills: ['pdf', { name: 'table', source: null }], reason: '' },
    { kind: 'select_skills', skills: [{ name: 'pdf' }, { name: 'table' }], reason: '' },
  ],
  [
    { kind: 'load_resource', skill: 'pdf', path: 'a.md', section_hint: null },
    { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'a.md' },
  ],
  [
    { kind: 'run_script', skill: 'pdf', script: 'scripts/a.mjs' },
    { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'scripts/a.mjs', args: [] },
  ],
  [
    { kind: 'call_tool', name: 'read', args: { path: 'a' } },
    { kind: 'call_tool', tool: 'read', input: { path: 'a' } },
  ],
  [
    { kind: 'call_tool', tool: 'now' },
    { kind: 'call_tool', tool: 'now', input: {} },
  ],
  [
    { kind: 'call_tool', tool: 'x', input: { parameters: { a: 1 } }, parameters: { b: 2 } },
    { kind: 'call_tool', tool: 'x', input: { parameters: { a: 1 } } },
  ],
] as const)('PSA-29: fields under other names are understood: %j', ([written, action]) => {
  expect(decisionOf(JSON.stringify(written))).toMatchObject({ action });
});

test('null stands for a field that is left out, and is no repair', () => {
  const skill = { name: 'pdf', source: null };
  const action = { kind: 'load_resource', skill, relative_path: 'a', section_hint: null, from_line: null };
  expect(decisionOf(JSON.stringify({ action, plan_update: null }))).toStrictEqual({
    repaired: false,
    action: { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'a' },
  });
});

test('PSA-07: plans are understood in the place of their update, and a patch as a list', () => {
  const plan = { goal: 'Count.', steps: [{ id: 's1', title: 'Read', status: 'pending' }] };
  const whole = { kind: 'replace', plan: { ...plan, assumptions: [], constraints: {} } };
  const operations = [{ op: 'remove_step', id: 's1' }];
  for (const [written, plan_update] of [
    [{ ...answer, plan }, whole],
    [{ ...answer, plan_update: plan }, whole],
    [{ ...answer, plan_update: { plan } }, whole],
    [{ ...answer, plan_update: { kind: 'replace', plan } }, whole],
    [
      { ...answer, plan_update: operations },
      { kind: 'patch', operations },
    ],
    [
      { ...answer, plan_update: { operations } },
      { kind: 'patch', operations },
    ],
    [
      { kind: 'update_plan', operations },
      { kind: 'patch', operations },
    ],
  ] as const) {
    expect(decisionOf(JSON.stringify(written))).toMatchObject({ repaired: true, plan_update });
  }
});

test.for([
  ['nothing', '', 'Answer with one JSON object and nothing else'],
  ['prose', 'I will read the skill first.', 'Answer with one JSON object and nothing else'],
  ['an object that is cut off', json.slice(0, -5), 'it may have been cut off'],
  ['two decisions', `${json}\n${select}`, '2 different decisions; one action a turn'],
  ['a list of two', `[${json},${select}]`, 'a list of 2 items; one action a turn'],
  ['a field twice', `${json.slice(0, -1)},"action":{"kind":"ask_user","question":"?"}}`, 'the field “action” twice'],
  ['a field twice, by escapes', '{"kind":"final_answer","k\\u0069nd":"ask_user"}', 'the field “kind” twice'],
  ['no action', '{"answer":"Three pages."}', 'The answer has no action.kind. Choose one of select_skills, load_res'],
  [
    'a tool as an action',
    '{"action":{"kind":"read_file","path":"a"}}',
    'action.kind is “read_file”, which is no action',
  ],
  [
    'a missing field',
    '{"action":{"kind":"load_resource","skill":{"name":"pdf"}}}',
    'action.relative_path: expected a text, which is missing. Its form is {"action":{"kind":"load_resource"',
  ],
  ['a wrong type', '{"action":{"kind":"final_answer","content":7}}', 'action.content: expected a text, found 7'],
  [
    'a wrong scope',
    '{"action":{"kind":"enable_skill","skill":{"name":"pdf","source":"mine"}}}',
    'action.skill.source: expected project or other or user or builtin, found “mine”',
  ],
  ['no plan', '{"action":{"kind":"update_plan"}}', 'plan_update: expected an object, which is missing'],
  [
    'an unknown operation',
    '{"action":{"kind":"update_plan"},"plan_update":{"kind":"patch","operations":[{"op":"rename"}]}}',
    'plan_update.operations.0.op: expected',
  ],
  [
    'a number that is none',
    '{"action":{"kind":"call_tool","tool":"t","input":{"n":1e999}}}',
    'action.input: expected an',
  ],
] as const)('%s is rejected with words to act on', ([, text, words]) => {
  expect(rejectionOf(text)).toContain(words);
});

test('PSA-05: an action that is not offered is rejected, and the message names those that are', () => {
  const reading = parseDecision(select, ['search_skills', 'final_answer']);
  expect(reading).toStrictEqual({
    kind: 'rejected',
    message: 'action.kind is “select_skills”, which is not offered now. Choose one of search_skills, final_answer.',
  });
});

test('an answer that is too long, too deep or too wide is refused without being read', () => {
  expect(rejectionOf(' '.repeat(10 * maxAnswerLength))).toContain('at most 1048576 are read');
  const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  expect(rejectionOf(`{"action":{"kind":"call_tool","tool":"t","input":${deep(200_000 / 6)}}}`)).toContain(
    'nested deeper',
  );
  expect(rejectionOf(`{"action":{"kind":"call_tool","tool":"t","input":${deep(30)}}}`)).toContain('at most 20 levels');
  const wide = JSON.stringify({ action: { kind: 'call_tool', tool: 't', input: { list: Array(20_000).fill(0) } } });
  expect(rejectionOf(wide)).toContain('10000 values');
});

test('hostile answers of a mebibyte are judged in linear time', () => {
  const started = performance.now();
  for (const piece of ['{', '{"', '}', '"', '\\', '{"a":', ',', '[', '{}', '<think>', '{"kind":"ask_user"}']) {
    rejectionOf(piece.repeat(Math.floor(maxAnswerLength / piece.length)));
    rejectionOf(`x ${piece.repeat(Math.floor(maxAnswerLength / piece.length) - 2)}`);
  }
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('keys of prototypes lead nowhere, and what is said of hostile text is visible', () => {
  const text =
    '{"__proto__":{"kind":"final_answer"},"action":{"kind":"call_tool","tool":"t","input":{"constructor":1}}}';
  expect(decisionOf(text)).toStrictEqual({
    repaired: false,
    action: { kind: 'call_tool', tool: 't', input: { constructor: 1 } },
  });
  expect(({} as Record<string, unknown>)['kind']).toBeUndefined();
  expect(rejectionOf('{"action":{"kind":"constructor"}}')).toContain('which is no action');
  expect(rejectionOf('{"action":{"kind":"\\u001b[2J\\u202e"}}')).toContain('“<U+001B>[2J<U+202E>”');
});

test('half a surrogate pair becomes a replacement character, so that it can be recorded', () => {
  expect(decisionOf('{"action":{"kind":"final_answer","content":"a\\ud83d"}}')).toMatchObject({
    action: { content: 'a\uFFFD' },
  });
});

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const skill = fc.record({ name: text, source: fc.constantFrom('project', 'user') }, { requiredKeys: ['name'] });
const input = fc
  .dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as object)
  .filter((value) => !JSON.stringify(value).includes('__proto__'));
const step = fc.record({ id: text, title: text, status: fc.constantFrom('pending', 'completed') });
const anyDecision = fc.record(
  {
    action: fc.oneof(
      fc.record({
        kind: fc.constant('select_skills'),
        skills: fc.array(skill, { minLength: 1, maxLength: 3 }),
        reason: text,
      }),
      fc.record({ kind: fc.constant('run_script'), skill, relative_path: text, args: fc.array(text) }),
      fc.record({ kind: fc.constant('call_tool'), tool: text, input }),
      fc.record({ kind: fc.constant('final_answer'), content: text }),
    ),
    plan_update: fc.oneof(
      fc.record({
        kind: fc.constant('replace'),
        plan: fc.record({ goal: text, steps: fc.array(step), assumptions: fc.array(text), constraints: input }),
      }),
      fc.record({
        kind: fc.constant('patch'),
        operations: fc.array(fc.record({ op: fc.constant('add_step'), step, after: fc.option(text) }), {
          minLength: 1,
        }),
      }),
    ),
  },
  { requiredKeys: ['action'] },
) as unknown as fc.Arbitrary<Decision>;

test('PSA-04: a decision that is written is read as it was, in prose too', () => {
  fc.assert(
    fc.property(anyDecision, fc.constantFrom(0, 2), (decision, indent) => {
      const plain: unknown = JSON.parse(JSON.stringify(decision));
      const written = JSON.stringify(decision, null, indent);
      expect(parseDecision(written, agentActionKinds)).toEqual({ kind: 'decision', decision: plain, repaired: false });
      const found = parseDecision(`So:\n\`\`\`\n${written}\n\`\`\``, agentActionKinds);
      expect(found).toEqual({ kind: 'decision', decision: plain, repaired: true });
    }),
  );
});

test('PSA-05: whatever comes, nothing is thrown, and what is accepted follows the schema', () => {
  const noise = fc.array(
    fc.oneof(
      fc.string(),
      fc.constantFrom('{', '}', '"', '\\', ',', ':', '[', ']', 'null', '"action":', '"kind":', '\uD800', json, select),
      anyDecision.map((decision) => JSON.stringify(decision)),
      fc.json(),
    ),
    { maxLength: 8 },
  );
  const damaged = fc
    .tuple(
      anyDecision.map((decision) => JSON.stringify(decision)),
      fc.nat(),
      fc.nat(20),
      fc.string(),
    )
    .map(([written, at, length, other]) => {
      const from = at % written.length;
      return written.slice(0, from) + other + written.slice(from + length);
    });
  fc.assert(
    fc.property(
      fc.oneof(
        noise.map((parts) => parts.join('')),
        damaged,
      ),
      (written) => {
        const reading = parseDecision(written, agentActionKinds);
        if (reading.kind === 'decision') {
          expect(anyDecisionSchema.parse(reading.decision)).toStrictEqual(reading.decision);
          const again = parseDecision(JSON.stringify(reading.decision), agentActionKinds);
          expect(again).toEqual({
            kind: 'decision',
            decision: JSON.parse(JSON.stringify(reading.decision)),
            repaired: false,
          });
        } else expect(reading.message.length).toBeLessThan(2500);
      },
    ),
    { numRuns: 1000 },
  );
});
