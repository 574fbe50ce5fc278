import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SkillsError } from '../errors/skills-error.js';
import { applyPlanUpdate } from './apply-plan-update.js';
import type { Plan, PlanOperation } from './plan.js';

const plan: Plan = {
  goal: 'Count the pages.',
  steps: [
    { id: 's1', title: 'Read the skill', status: 'in_progress' },
    { id: 's2', title: 'Run its script', status: 'pending' },
  ],
  assumptions: ['There is one file.'],
  constraints: { max_turns: 12 },
};

const patch = (...operations: PlanOperation[]): Plan => applyPlanUpdate(plan, { kind: 'patch', operations });
const ids = (of: Plan): readonly string[] => of.steps.map(({ id }) => id);
const step = (id: string) => ({ id, title: `Step ${id}`, status: 'pending' }) as const;

test('PSA-07: a whole plan takes the place of the one before, and is how the first one comes', () => {
  const other = { ...plan, goal: 'Another one.' };
  expect(applyPlanUpdate(plan, { kind: 'replace', plan: other })).toStrictEqual(other);
  expect(applyPlanUpdate(undefined, { kind: 'replace', plan })).toStrictEqual(plan);
});

test('PSA-07: a patch adds, removes, moves and changes steps, and sets goal, assumptions and constraints', () => {
  expect(ids(patch({ op: 'add_step', step: step('s3') }))).toEqual(['s1', 's2', 's3']);
  expect(ids(patch({ op: 'add_step', step: step('s3'), after: null }))).toEqual(['s3', 's1', 's2']);
  expect(ids(patch({ op: 'add_step', step: step('s3'), after: 's1' }))).toEqual(['s1', 's3', 's2']);
  expect(ids(patch({ op: 'remove_step', id: 's1' }))).toEqual(['s2']);
  expect(ids(patch({ op: 'move_step', id: 's1' }))).toEqual(['s2', 's1']);
  expect(ids(patch({ op: 'move_step', id: 's2', after: null }))).toEqual(['s2', 's1']);
  const changed = patch(
    { op: 'set_status', id: 's1', status: 'completed' },
    { op: 'set_title', id: 's2', title: 'Run it' },
    { op: 'set_goal', goal: 'Count them.' },
    { op: 'set_assumptions', assumptions: [] },
    { op: 'set_constraints', constraints: { max_turns: 3 } },
  );
  expect(changed).toStrictEqual({
    goal: 'Count them.',
    steps: [
      { id: 's1', title: 'Read the skill', status: 'completed' },
      { id: 's2', title: 'Run it', status: 'pending' },
    ],
    assumptions: [],
    constraints: { max_turns: 3 },
  });
});

test.for<readonly [string, readonly PlanOperation[], string]>([
  [
    'an unknown step',
    [{ op: 'remove_step', id: 's9' }],
    'operations.0 names the step “s9”, which is not in the plan; its steps are “s1”, “s2”',
  ],
  ['an unknown place', [{ op: 'move_step', id: 's1', after: 's9' }], 'operations.0 names the step “s9”'],
  ['a step after itself', [{ op: 'move_step', id: 's1', after: 's1' }], 'the step “s1” after itself'],
  ['an id that is taken', [{ op: 'add_step', step: step('s2') }], 'operations.0 adds a step “s2”'],
  [
    'an id that is taken and removed',
    [
      { op: 'add_step', step: step('s2') },
      { op: 'remove_step', id: 's2' },
    ],
    'operations.0 adds a step “s2”, which is there already',
  ],
  [
    'a second operation that fails',
    [
      { op: 'set_goal', goal: 'x' },
      { op: 'set_status', id: 'gone', status: 'completed' },
    ],
    'operations.1 names the step “gone”',
  ],
])('PSA-07: %s is refused, and nothing is changed', ([, operations, words]) => {
  const before = structuredClone(plan);
  const error = caught(() => patch(...operations));
  expect(SkillsError.is(error, 'INVALID_ACTION')).toBe(true);
  expect(String(error)).toContain(words);
  expect(plan).toStrictEqual(before);
});

test('PSA-07: without a plan there is nothing to patch; a plan has no more than 50 steps, each id once', () => {
  const update = { kind: 'patch', operations: [{ op: 'set_goal', goal: 'x' }] } as const;
  expect(String(caught(() => applyPlanUpdate(undefined, update)))).toContain('There is no plan yet');
  const steps = Array.from({ length: 51 }, (_, index) => step(`s${index}`));
  const many = () => applyPlanUpdate(undefined, { kind: 'replace', plan: { ...plan, steps } });
  expect(String(caught(many))).toContain('51 steps; at most 50');
  const twice = () => applyPlanUpdate(plan, { kind: 'replace', plan: { ...plan, steps: [step('a'), step('a')] } });
  expect(String(caught(twice))).toContain('two steps with the id “a”');
});

test('PSA-07: whatever a patch does, ids stay unique, and one that fails leaves the plan', () => {
  const id = fc.constantFrom('s1', 's2', 's3', 's4');
  const after = fc.option(id, { nil: null });
  const operation = fc.oneof(
    fc.record({ op: fc.constant('add_step' as const), step: id.map(step), after }),
    fc.record({ op: fc.constant('remove_step' as const), id }),
    fc.record({ op: fc.constant('move_step' as const), id, after }),
    fc.record({ op: fc.constant('set_status' as const), id, status: fc.constant('completed' as const) }),
  );
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 8 }), (operations) => {
      const before = structuredClone(plan);
      try {
        const patched = patch(...operations);
        expect(new Set(ids(patched)).size).toBe(patched.steps.length);
        const grown = operations.filter(({ op }) => op === 'add_step').length;
        const shrunk = operations.filter(({ op }) => op === 'remove_step').length;
        expect(patched.steps).toHaveLength(2 + grown - shrunk);
      } catch (error) {
        expect(SkillsError.is(error, 'INVALID_ACTION'), String(error)).toBe(true);
      }
      expect(plan).toStrictEqual(before);
    }),
  );
});

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
