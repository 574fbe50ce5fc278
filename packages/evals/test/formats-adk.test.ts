import { exportSuite, importSuite } from '@skillpack/evals';
import { expect, test } from 'vitest';
import { caseOf, importFixture, notesOf } from './formats-fixture.js';

const roll = { action: 'call_tool', tool: 'roll_die', input: { sides: 16 }, inputExactly: true };
const exactly = [
  { kind: 'sequence', mode: 'in_order', steps: [roll] },
  { kind: 'at_most', step: { action: 'call_tool' }, most: 1 },
];

test('PSA-35: an evalset of ADK becomes conversations with the calls of tools and the answers to each line', async () => {
  const imported = await importFixture('adk/roll.evalset.json');
  expect(imported).toMatchObject({ format: 'adk', suite: { name: 'dice-set' } });
  const { conversation, expected } = caseOf(imported, 'roll-16');
  expect(conversation.map(({ input }) => input)).toEqual(['What can you do?', 'Roll a die with 16 sides']);
  expect(expected.actions).toEqual(exactly);
  expect(expected.output).toEqual([
    { kind: 'similar', of: { kind: 'answer', turn: 1 }, reference: 'I roll dice', least: 0.8, negated: false },
    { kind: 'similar', of: { kind: 'answer', turn: 2 }, reference: 'It shows 13', least: 0.8, negated: false },
    { kind: 'rubric', statement: 'The answer is polite', negated: false, text: 'polite' },
  ]);
});

test('PSA-35: what an evalset of ADK says besides is noted, each field by its path', async () => {
  const notes = notesOf(await importFixture('adk/roll.evalset.json'));
  expect(notes).toEqual(
    expect.arrayContaining([
      'dropped creation_timestamp',
      'dropped description',
      'dropped eval_cases.*.conversation.*.invocation_id',
      'dropped eval_cases.0.conversation.1.intermediate_data.tool_responses',
      'dropped eval_cases.0.conversation.1.intermediate_data.intermediate_responses',
      'dropped eval_cases.0.session_input',
      'dropped eval_cases.0.final_session_state',
      'dropped eval_cases.1.conversation_scenario.conversation_plan',
      'changed eval_cases.1.conversation_scenario',
      'kept eval_cases.1',
    ]),
  );
});

test('PSA-35: an evalset of ADK in camel case, with the events of an invocation, is read as in snake case', async () => {
  const imported = await importFixture('adk/camel.evalset.json');
  expect(imported).toMatchObject({ format: 'adk', suite: { name: 'dice-camel' } });
  const { expected, conversation } = caseOf(imported, 'roll');
  expect(conversation).toEqual([{ input: 'Roll a die with 16 sides' }]);
  expect(expected.actions).toEqual(exactly);
  expect(expected.output).toMatchObject([{ kind: 'similar', of: { kind: 'answer' }, reference: 'It shows 13' }]);
  expect(notesOf(imported)).toContain('dropped evalCases.0.conversation.0.intermediateData.invocationEvents.1');
});

test('PSA-35: the old format of ADK is read', async () => {
  const imported = await importFixture('adk/old.test.json');
  const { expected } = caseOf(imported, 'roll_old');
  expect(imported.format).toBe('adk');
  expect(expected.actions).toEqual(exactly);
  expect(expected.output).toMatchObject([{ kind: 'similar', reference: 'It shows 13', least: 0.8 }]);
  expect(notesOf(imported)).toEqual([
    'changed 0.data.0.reference',
    'dropped 0.data.0.expected_intermediate_agent_responses',
    'dropped 0.initial_session',
  ]);
});

test('PSA-35: a bare list of lines of ADK is one conversation, in which no tool is called where none is expected', async () => {
  const imported = await importFixture('adk/lines.test.json');
  expect(imported.suite.cases).toHaveLength(1);
  const { conversation, expected } = caseOf(imported, 'hello-bye');
  expect(conversation.map(({ input }) => input)).toEqual(['Hello', 'Bye']);
  expect(expected.actions).toEqual([{ kind: 'forbidden', step: { action: 'call_tool' } }]);
});

test('PSA-35: test_config.json beside an evalset of ADK says how it is compared', async () => {
  const imported = await importFixture('adk/criteria/roll.evalset.json');
  const { expected } = caseOf(imported, 'roll-16');
  expect(expected.actions).toEqual([
    { kind: 'sequence', mode: 'any_order', steps: [{ action: 'call_tool', tool: 'roll_die' }] },
  ]);
  expect(expected.output).toMatchObject([
    { kind: 'similar', reference: 'I roll dice', least: 0.5 },
    { kind: 'rubric', statement: 'To line 1: The answer means the same as: I roll dice' },
    { kind: 'similar', reference: 'It shows 13', least: 0.5 },
    { kind: 'rubric', statement: 'To line 2: The answer means the same as: It shows 13' },
    { kind: 'rubric', statement: 'The answer is polite' },
    { kind: 'rubric', statement: 'The answer is short' },
  ]);
  expect(notesOf(imported)).toContain('dropped test_config.json.criteria.hallucinations_v1');
});

test.each([
  [{ tool_trajectory_avg_score: 1 }, exactly, []],
  [{ tool_trajectory_avg_score: { threshold: 1, match_type: 'IN_ORDER' } }, [exactly[0]], []],
  [{ tool_trajectory_avg_score: 0, response_match_score: 0.7 }, [], [0.7]],
  [{ response_match_score: { threshold: 0.3 } }, [], [0.3]],
])('PSA-35: the criteria %j of ADK say what counts', async (criteria, actions, least) => {
  const set = {
    eval_set_id: 's',
    eval_cases: [
      {
        eval_id: 'c',
        conversation: [
          {
            user_content: { parts: [{ text: 'Roll' }] },
            final_response: { parts: [{ text: 'It shows 13' }] },
            intermediate_data: { tool_uses: [{ name: 'roll_die', args: { sides: 16 } }] },
          },
        ],
      },
    ],
  };
  const bytes = new TextEncoder().encode(JSON.stringify({ criteria }));
  const files = { read: (path: string) => Promise.resolve({ path, bytes }) };
  const imported = await importSuite(JSON.stringify(set), { fileName: 's.evalset.json', files });
  const { expected } = caseOf(imported, 'c');
  expect(expected.actions).toEqual(actions);
  expect(expected.output.map((check) => (check.kind === 'similar' ? check.least : check.kind))).toEqual(least);
});

test('PSA-35: what was imported from ADK and is written for it again says the same', async () => {
  const { suite } = await importFixture('adk/roll.evalset.json');
  const { text, fileName, notes } = exportSuite(suite, 'adk');
  expect(fileName).toBe('dice-set.evalset.json');
  const again = await importSuite(text, { fileName });
  expect(again.suite).toEqual(suite);
  expect(notes.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
    'changed cases.0.expected.output.0',
    'changed cases.0.expected.output.1',
  ]);
});
