import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { schemaAccepts } from '../../test/schema-accepts.js';
import { actionForm } from './action-form.js';
import { agentActionKinds, anyDecisionSchema, decisionSchema } from './decision-schema.js';
import { parseDecision } from './parse-decision.js';

const skill = { name: 'pdf', source: 'project' };

// One of each kind, as a model writes it: the protocol, pinned.
const decisions = [
  { action: { kind: 'select_skills', skills: [skill, { name: 'org/table' }], reason: 'It reads PDF.' } },
  {
    action: {
      kind: 'load_resource',
      skill,
      relative_path: 'references/forms.md',
      section_hint: '## Forms',
      from_line: 12,
    },
  },
  { action: { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'SKILL.md' } },
  { action: { kind: 'run_script', skill, relative_path: 'scripts/pdf.mjs', args: ['text', 'a b.pdf'] } },
  { action: { kind: 'call_tool', tool: 'read_file', input: { path: 'a', lines: [1, { deep: null }] } } },
  { action: { kind: 'search_skills', query: 'tables in documents' } },
  { action: { kind: 'disable_skill', skill, reason: 'It fails here.' } },
  { action: { kind: 'enable_skill', skill } },
  {
    action: { kind: 'update_plan' },
    plan_update: { kind: 'patch', operations: [{ op: 'set_status', id: 's1', status: 'completed' }] },
  },
  { action: { kind: 'ask_user', question: 'Which file?' } },
  {
    action: { kind: 'final_answer', content: 'Three pages.' },
    plan_update: {
      kind: 'replace',
      plan: {
        goal: 'Count pages.',
        steps: [{ id: 's1', title: 'Read it', status: 'completed' }],
        assumptions: ['It is one file.'],
        constraints: { max_turns: 12 },
      },
    },
  },
] as const;

const validate = new Ajv2020({ strict: true, allErrors: true }).compile(decisionSchema(agentActionKinds));

test.each(decisions.map((decision) => [decision.action.kind, decision] as const))(
  'PSA-04: %s is a decision, by our schema and by a validator that is not ours',
  (kind, decision) => {
    expect(anyDecisionSchema.parse(decision)).toStrictEqual(decision);
    expect([validate(decision), validate.errors]).toEqual([true, null]);
    expect(schemaAccepts('decision', { ...decision, 'a field of the future': 1 })).toBe(true);
    expect(parseDecision(JSON.stringify(decision), [kind])).toStrictEqual({
      kind: 'decision',
      decision,
      repaired: false,
    });
  },
);

test('PSA-04: every kind of action has a place in the list, a schema, a form, and a decision here', () => {
  expect(new Set(decisions.map(({ action }) => action.kind))).toEqual(new Set(agentActionKinds));
  for (const kind of agentActionKinds) {
    const form = actionForm(kind);
    expect(parseDecision(form, [kind])).toMatchObject({ kind: 'decision', repaired: false });
    expect(validate(JSON.parse(form)), form).toBe(true);
  }
});

test('PSA-04, PSA-05: a decision has exactly one action, of those that are offered', () => {
  const only = decisionSchema(['ask_user', 'final_answer']);
  const accepts = new Ajv2020({ strict: true }).compile(only);
  for (const decision of decisions) {
    const offered = decision.action.kind === 'ask_user' || decision.action.kind === 'final_answer';
    expect(accepts(decision), decision.action.kind).toBe(offered);
  }
  expect(accepts({ action: [decisions[9].action] })).toBe(false);
  expect(accepts({ actions: [decisions[9].action] })).toBe(false);
  expect(accepts({})).toBe(false);
});

test('PSA-04: what an action requires cannot be left out, and nothing else can be added', () => {
  for (const { action } of decisions) {
    const optional = new Set([
      'source',
      'section_hint',
      'from_line',
      ...(action.kind === 'select_skills' ? [] : ['reason']),
    ]);
    for (const key of Object.keys(action).filter((name) => !optional.has(name))) {
      const { [key]: _, ...rest } = action as Record<string, unknown>;
      expect(validate({ action: rest }), `${action.kind} without ${key}`).toBe(false);
    }
    expect(validate({ action: { ...action, extra: 1 } }), action.kind).toBe(false);
  }
});

test('the schema that a model is given has no references, no limits, and only anyOf', () => {
  const text = JSON.stringify(decisionSchema(agentActionKinds));
  expect(text).not.toMatch(/\$ref|\$defs|oneOf|allOf|maxLength|minItems|maximum|propertyNames/u);
  expect(decisionSchema(['final_answer', 'ask_user'])).toBe(decisionSchema(['ask_user', 'final_answer']));
});

test('PSA-04: the page on actions names every action, and shows decisions as they are', () => {
  const page = readFileSync(new URL('../../../../docs/actions.md', import.meta.url), 'utf8');
  for (const kind of agentActionKinds) expect(page).toContain(`| \`${kind}\``);
  const blocks = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gmu)].map(([, json = '']) => json);
  expect(blocks.length).toBeGreaterThan(2);
  for (const json of blocks) {
    expect(parseDecision(json, agentActionKinds), json).toMatchObject({ kind: 'decision', repaired: false });
    expect(validate(JSON.parse(json)), json).toBe(true);
  }
});
