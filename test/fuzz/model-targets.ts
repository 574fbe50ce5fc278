import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import {
  actionForm,
  agentActionKinds,
  createDecisionStream,
  parseDecision,
  type AgentActionKind,
  type Decision,
} from '@skillpack/core';
import { parseScript } from '@skillpack/model-adapters';
import { schemaAccepts } from '../../packages/core/test/schema-accepts.js';
import { editedJson } from './edited-json.js';
import { fuzzTarget, refusedOr, type FuzzTarget } from './fuzz-target.js';
import { editedText } from './text-pieces.js';

const plan =
  '{"goal":"g","steps":[{"id":"s1","title":"t","status":"pending"}],"assumptions":["a"],"constraints":{"n":1}}';
const patch = '{"kind":"patch","operations":[{"op":"set_status","id":"s1","status":"completed"}]}';
const decisions = [
  ...agentActionKinds.map(actionForm),
  '{"kind":"call_tool","name":"write","arguments":{"path":"a"}}',
  '{"action":"run_script","action_input":{"skill":"pdf","script":"a.mjs","args":["-n"]}}',
  '{"final_answer":{"answer":"a"}}',
  `{"decision":{"action":{"kind":"search_skills","query":"a"}},"plan_update":${patch}}`,
  `{"action":{"kind":"final_answer","content":"a"},"plan_update":{"kind":"replace","plan":${plan}}}`,
  `{"kind":"update_plan","plan":${plan}}`,
];

const around = fc.array(
  fc.constantFrom(
    '',
    'So: ',
    '{x}',
    '{"page":1}',
    '[1] ',
    '<think>hm</think>',
    '<think>',
    '```json\n',
    '\n```',
    '[',
    ',',
  ),
  { maxLength: 3 },
);
const written = editedJson(decisions);
const answer = fc.oneof(
  { weight: 4, arbitrary: written },
  {
    weight: 4,
    arbitrary: fc
      .tuple(around, written, around, fc.option(fc.constantFrom(...decisions), { freq: 2 }))
      .map(([before, one, behind, other]) => [...before, one.trimEnd(), ...behind, other ?? ''].join('')),
  },
  { weight: 1, arbitrary: editedText(fc.constantFrom(...decisions), { most: 2 }) },
);

function decisionIn(text: string, actions: readonly AgentActionKind[] = agentActionKinds): Decision | undefined {
  const reading = parseDecision(text, actions);
  if (reading.kind === 'decision') return reading.decision;
  strictEqual(reading.message.length > 0 && reading.message.length < 4_000, true, 'it is refused without words');
  return undefined;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const decision = fuzzTarget({
  name: 'decision',
  input: fc.record({ text: answer, cuts: fc.array(fc.nat(), { maxLength: 12 }) }),
  judge({ text, cuts }) {
    const read = decisionIn(text);
    if (read === undefined) return false;
    strictEqual(schemaAccepts('decision', plain(read)), true, 'it does not follow the published schema');
    deepStrictEqual(plain(decisionIn(JSON.stringify(read))), plain(read), 'it is read otherwise the second time');
    const { kind } = read.action;
    strictEqual(
      decisionIn(
        text,
        agentActionKinds.filter((other) => other !== kind),
      ),
      undefined,
      'it was not offered',
    );
    const places = cuts.map((cut) => cut % text.length).toSorted((left, right) => left - right);
    for (const place of places) {
      const part = decisionIn(text.slice(0, place));
      if (part !== undefined) deepStrictEqual(part, read, `its first ${place} characters are another decision`);
    }
    for (const other of decisions) {
      const differs = JSON.stringify(decisionIn(other)) !== JSON.stringify(read);
      if (differs) strictEqual(decisionIn(`${text}\n${other}`), undefined, `beside it, ${other} is overlooked`);
    }
    judgeStream(
      [0, ...places].map((from, index) => text.slice(from, places[index])),
      read,
    );
    return true;
  },
  sample: 300,
});

/** What is shown while it is written is what is read in the end, or nothing. */
function judgeStream(pieces: readonly string[], { action }: Decision): void {
  let told = '';
  const stream = createDecisionStream(({ delta }) => (told += delta), { actions: ['final_answer', 'ask_user'] });
  for (const piece of pieces) stream.push(piece);
  if (action.kind === 'final_answer')
    strictEqual(told === '' || told === action.content, true, 'another answer is shown');
  else if (action.kind === 'ask_user') strictEqual(told === '' || told === action.question, true, 'another question');
  else strictEqual(told, '', 'something is shown that is meant for nobody');
}

const scripts = [
  JSON.stringify({
    formatVersion: 1,
    replies: [
      { decide: JSON.parse(actionForm('search_skills')) as object },
      { say: 'a', finish: 'length' },
      { fail: 'TIMEOUT' },
    ],
  }),
  JSON.stringify({
    rules: [
      { name: 'n', times: 1, when: { turn: 2, after: 'select_skills', ok: true }, fail: 'TIMEOUT', message: 'm' },
      {
        when: { request: { regex: 'read (?<file>\\S+)', flags: 'i' }, saw: 'a' },
        decide: { kind: 'final_answer', content: '${file}' },
      },
    ],
  }),
];
const yamls = [
  'formatVersion: 1\nreplies:\n  - say: "a"\n    finish: stop\n  - &b { decide: { kind: ask_user, question: "?" } }\n  - *b\n',
  'rules:\n  - when: { request: pdf, skillInactive: pdf }\n    decide:\n      action: { kind: final_answer, content: |\n a }\n  - say: x\n',
];

const script = fuzzTarget({
  name: 'model-script',
  input: fc.record({
    text: fc.oneof(editedJson(scripts), editedText(fc.constantFrom(...yamls), { least: 0, most: 4 })),
    fileName: fc.constantFrom('a.json', 'a.yaml'),
  }),
  judge({ text, fileName }) {
    const read = refusedOr(['INVALID_CONFIG', 'UNSUPPORTED_FORMAT'], () => parseScript(text, { fileName }));
    if (read === undefined) return false;
    const replies = 'rules' in read ? read.rules.map(({ reply }) => reply) : read;
    strictEqual(replies.length > 0, true, 'it says nothing');
    for (const reply of replies) {
      if ('action' in reply) deepStrictEqual(plain(decisionIn(JSON.stringify(reply))), plain(reply), 'no decision');
      else strictEqual(Number('say' in reply) + Number('fail' in reply), 1, 'it has not one reply');
    }
    return true;
  },
  sample: 300,
});

/** What models answer, and the scripts that stand in for them. */
export const modelTargets: readonly FuzzTarget[] = [decision, script];
