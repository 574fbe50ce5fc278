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
  ['braces that hold nothing of JSON', `{{{ "{" }}} {[x}]} [1] ${json}`],
  ['a list of one around it, in prose', `So: [${json}]`],
  ['data in a list before it', `Of [{"page": 1}, {"page": 2}] I say: ${json}`],
  ['a bracket that is never closed behind it', `${json} [sic`],
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
  ['two decisions', `${json}\n${select}`, 'several decisions that differ; one action a turn'],
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

const cut = 'it may have been cut off. Answer again, shorter';
const call = '{"action":{"kind":"call_tool","tool":"write","input":{"value":';
const script = '{"kind":"run_script","skill":{"name":"pdf"},"relative_path":"wipe.mjs","args":[]}';
const goal = '{"goal":"Count.","steps":[]}';
const patch = '{"kind":"patch","operations":[{"op":"remove_step","id":"s1"}]}';

test.for([
  ['a script within the input of a tool', `${call}${script}`, cut],
  ['a script within a text of it', `${call}"a${script}`, cut],
  ['an object in a list', `[${json}`, cut],
  ['the second object of a list', `[1, ${json}, {"acti`, cut],
  ['an object behind brackets of another kind', `{"a":]${json}`, cut],
  ['what follows a decision', `${json}\n${select.slice(0, -20)}`, cut],
  ['a plan behind the action', `${json.slice(0, -1)},"plan_update":${goal}`, cut],
  ['a draft in thoughts', `<think>Maybe ${json}`, cut],
  ['another draft in thoughts', ` <thinking>Maybe ${json}</think>`, cut],
] as const)('PSA-05: of an answer that was cut off, %s is no decision', ([, text, words]) => {
  expect(rejectionOf(text)).toContain(words);
});

test.for([
  ['many empty objects', `${json}${'{}'.repeat(64)}${select}`, 'more than 64 objects'],
  ['an object of data', `${json} {"page":1} ${select}`, 'several decisions that differ'],
  ['an action that is none', `{"action":{"kind":"read_file"}} ${json}`, 'several decisions that differ'],
  ['a decision that is not valid', `{"kind":"ask_user"} ${json}`, 'several decisions that differ'],
  ['one that is no JSON', `{"action":{kind:x}} ${json}`, 'of one that cannot be read it is said'],
  ['one in other quotes', `{'kind':'run_script'} ${json}`, 'of one that cannot be read it is said'],
  ['an object that means two things', `{"a":1,"a":2} ${json}`, 'the field “a” twice'],
  ['a list of actions around it', `{"decision":${json},"actions":[{}]}`, 'it has the field “actions”'],
  ['a list of two', `[${json},${select}] ${json}`, 'several decisions that differ'],
  ['a plan', `{"plan":${goal}} ${json}`, 'several decisions that differ'],
  ['a goal and steps', `${goal} ${json}`, 'several decisions that differ'],
  ['an update of the plan', `{"plan_update":${patch}} ${json}`, 'several decisions that differ'],
  [
    'an action in a field beside',
    `{"action":{"kind":"search_skills","query":"a"},"final_answer":{"content":"b"}}`,
    'it names 2 actions, search_skills and final_answer',
  ],
  [
    'an action by its name beside',
    '{"kind":"search_skills","query":"a","action":"final_answer"}',
    'it names 2 actions',
  ],
  [
    'an action within the action',
    '{"action":{"kind":"search_skills","query":"a","ask_user":{}}}',
    'it names 2 actions',
  ],
  ['an action around the decision', `{"decision":${json},"kind":"ask_user","question":"?"}`, 'it names 2 actions'],
  [
    'a kind in its fields',
    '{"action":"search_skills","action_input":{"kind":"ask_user","query":"a"}}',
    'it names 2 actions',
  ],
  ['a list of actions', `{"action":{"kind":"search_skills","query":"a"},"actions":[{}]}`, 'it has the field “actions”'],
] as const)('PSA-05: a decision and %s are refused', ([, text, words]) => {
  expect(rejectionOf(text)).toContain(words);
});

test.for([
  [
    'another word for its kind',
    '{"action":{"kind":"fly","type":"final_answer","content":"a"}}',
    'action.kind is “fly”',
  ],
  [
    'another word for its kind, and a field',
    '{"action":{"kind":"fly","final_answer":{"content":"a"}}}',
    'action.kind is “fly”',
  ],
  [
    'its fields twice',
    '{"kind":"final_answer","parameters":{"content":"a"},"arguments":{"content":"a"}}',
    'write them once',
  ],
  ['a field in two places', '{"kind":"final_answer","content":"b","parameters":{"content":"a"}}', 'another value'],
  ['a field under two names', '{"kind":"final_answer","answer":"a","text":"b"}', 'write content'],
  ['a tool under two names', '{"kind":"call_tool","name":"a","tool_name":"b"}', 'write tool'],
  ['input under two names', '{"kind":"call_tool","tool":"a","args":{"a":1},"params":{"a":2}}', 'write input'],
  [
    'input among its fields',
    '{"kind":"call_tool","tool":"write","path":"a","text":"b"}',
    'action.input: expected an object, which',
  ],
  [
    'arguments among its fields',
    '{"kind":"run_script","skill":"pdf","path":"a.mjs","dry_run":true}',
    'action.args: expected a list, which',
  ],
  [
    'arguments that are a text',
    '{"kind":"run_script","skill":"pdf","path":"a.mjs","arguments":"-n"}',
    'action.args: expected a list',
  ],
  [
    'two updates of the plan',
    `{"kind":"final_answer","content":"a","plan_update":${patch},"plan":${goal}}`,
    'in two ways',
  ],
  [
    'an update with a plan and operations',
    `{"kind":"update_plan","plan_update":{"plan":${goal},"operations":[]}}`,
    'a plan and operations',
  ],
  [
    'a plan that is a text',
    '{"kind":"final_answer","content":"a","plan":"First read."}',
    'plan_update.plan: expected an object',
  ],
  [
    'operations that are none',
    '{"kind":"final_answer","content":"a","operations":"all"}',
    'plan_update.operations: expected a list',
  ],
  [
    'steps without a goal',
    '{"kind":"final_answer","content":"a","steps":["Read."]}',
    'plan_update.plan.goal: expected a text',
  ],
  [
    'an update that is a text',
    '{"kind":"final_answer","content":"a","plan_update":"done"}',
    'plan_update: expected an object',
  ],
] as const)('PSA-05: what would have to be guessed is refused: %s', ([, text, words]) => {
  expect(rejectionOf(text)).toContain(words);
});

test('PSA-07: an update of the plan is read wherever it stands', () => {
  const plan_update = JSON.parse(patch) as object;
  const search = { kind: 'search_skills', query: 'a' };
  const { operations } = plan_update as { operations: unknown };
  for (const written of [
    { action: { ...search, plan_update } },
    { action: { ...search, operations } },
    { action: search, planUpdate: plan_update },
    { action: search, operations },
    { action: { kind: 'search_skills', parameters: { query: 'a', plan_update } } },
    { decision: { action: search }, plan_update },
  ]) {
    expect(decisionOf(JSON.stringify(written))).toEqual({ repaired: true, action: search, plan_update });
  }
  const plan = { ...(JSON.parse(goal) as object), assumptions: [], constraints: {} };
  expect(decisionOf(`{"kind":"update_plan","goal":"Count.","steps":[]}`)).toMatchObject({ plan_update: { plan } });
});

test.for([
  ['the arguments of a script', '{"kind":"run_script","skill":"pdf","path":"a","arguments":["-n"]}', { args: ['-n'] }],
  ['a tool named as an action is', '{"kind":"call_tool","name":"search_skills","input":{}}', { tool: 'search_skills' }],
  [
    'what a tool named so gets',
    '{"kind":"call_tool","name":"a","arguments":{"tool":"b"}}',
    { tool: 'a', input: { tool: 'b' } },
  ],
  ['a tool without input', '{"name":"call_tool","arguments":{"tool":"b"}}', { tool: 'b', input: {} }],
  ['thoughts beside a tool', '{"thought":"Now.","kind":"call_tool","tool":"now","text":null}', { input: {} }],
  ['null as another action', '{"action":{"kind":"search_skills","query":"a"},"final_answer":null}', { query: 'a' }],
] as const)('PSA-29: %s is understood', ([, text, action]) => {
  expect(decisionOf(text)).toMatchObject({ action });
});

test('of many things that are wrong, the first five are told', () => {
  const message = rejectionOf(JSON.stringify({ kind: 'run_script', skill: 'a', path: 'b', args: Array(20).fill(7) }));
  expect(message).toContain('action.args.4: expected a text, found 7. Its form is');
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
  const half = 'x'.repeat(256 * 1024);
  const long = (value: object): string => rejectionOf(JSON.stringify({ kind: 'call_tool', tool: 't', input: value }));
  expect(long({ a: half, b: half })).toContain('524288 characters');
  expect(long({ [half]: half, b: 1 })).toContain('524288 characters');
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

const data = fc.constantFrom(
  '',
  ' ',
  'So: ',
  '```json\n',
  '{x}',
  '{"page":1}',
  '[1]',
  '<think>{"kind":"ask_user"}</think>',
);
const between = (maxLength: number) =>
  fc.array(fc.oneof(data, fc.string()), { maxLength }).map((parts) => parts.join(''));
const otherForms = fc.constantFrom<(decision: Decision) => unknown>(
  (decision) => decision,
  (decision) => ({ ...decision.action, plan_update: decision.plan_update }),
  (decision) => ({ decision }),
  (decision) => [decision],
  (decision) => JSON.stringify(decision),
);

test('PSA-05: the beginning of an answer is refused, or is the same decision', () => {
  fc.assert(
    fc.property(fc.tuple(between(3), anyDecision, otherForms, between(3)), ([before, decision, form, behind]) => {
      const whole = `${before}${JSON.stringify(form(decision))}${behind}`;
      const expected = parseDecision(whole, agentActionKinds);
      fc.pre(expected.kind === 'decision');
      for (let end = 0; end < whole.length; end += 1) {
        const part = parseDecision(whole.slice(0, end), agentActionKinds);
        if (part.kind === 'decision' && expected.kind === 'decision') expect(part.decision).toEqual(expected.decision);
      }
    }),
    { numRuns: 40 },
  );
}, 60_000);

test('PSA-05: whatever stands between them, two decisions are refused', () => {
  const { action: first } = answer;
  fc.assert(
    fc.property(fc.tuple(between(3), anyDecision, between(70)), ([before, decision, middle]) => {
      fc.pre(JSON.stringify(decision.action) !== JSON.stringify(first));
      const written = JSON.stringify(decision);
      for (const both of [`${before}${json}${middle}${written}`, `${before}${written}${middle}${json}`]) {
        // Thoughts hide what they hold.
        fc.pre(!/^\s*</u.test(both));
        expect(parseDecision(both, agentActionKinds).kind).toBe('rejected');
      }
    }),
  );
});
