import { effectiveEvents } from '@skillpack/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkActions, checkSkills, firedSkills, stepsOf, type ActionRule, type StepPattern } from '../src/index.js';
import { type Fact, holds } from './checks-oracle.js';
import { before } from './checks-world.js';
import { type Happening, happenings, MadeRun } from './checks-random-run.js';

const pattern: fc.Arbitrary<StepPattern> = fc.record(
  {
    action: fc.constantFrom('load_resource', 'run_script', 'run_script', 'select_skills', 'approval', 'final_answer'),
    skill: fc.constantFrom('a', 'b', '$X', '$Y', '$X', '*'),
    path: fc.constantFrom('a', 'p', '$X', '$Y'),
    ok: fc.boolean(),
  },
  { requiredKeys: [] },
);

const rule: fc.Arbitrary<ActionRule> = fc.oneof(
  fc.record({ kind: fc.constant('occurs' as const), step: pattern, atLeast: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('forbidden' as const), step: pattern }),
  fc.record({ kind: fc.constant('at_most' as const), step: pattern, most: fc.nat({ max: 2 }) }),
  { weight: 3, arbitrary: fc.tuple(pattern, pattern).map(([first, next]) => before(first, next)) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('sequence' as const),
      mode: fc.constantFrom('in_order', 'any_order', 'exact'),
      steps: fc.array(pattern, { maxLength: 3, size: 'max' }),
    }),
  },
);

const values = ['a', 'b', 'p'];

test('PSA-36: whether a rule holds is what trying every value, step and order comes to', () => {
  const verdicts = new Map<string, number>();
  fc.assert(
    fc.property(happenings.chain(withRule), ([all, one]) => {
      const made = new MadeRun(all);
      const [result] = checkActions([one], made.events);
      const key = `${one.kind === 'sequence' ? one.mode : one.kind} ${result?.verdict ?? ''}`;
      verdicts.set(key, (verdicts.get(key) ?? 0) + 1);
      expect(result?.verdict).toBe(holds(one, made.facts, values) ? 'passed' : 'failed');
    }),
    { numRuns: 5_000 },
  );
  // Both ends of each kind were met, else this would show little.
  expect(verdicts.size).toBe(14);
});

/** A rule that speaks of anything, or one made of what happened, so that it may well hold. */
function withRule(all: readonly Happening[]): fc.Arbitrary<readonly [readonly Happening[], ActionRule]> {
  const { facts } = new MadeRun(all);
  const made = facts.filter(({ given, lostAt }) => !given && lostAt === Infinity);
  const sorted = made.toSorted((left, right) => left.start - right.start);
  const bare = sorted.filter(({ kind }) => kind !== 'final_answer' && kind !== 'approval');
  const near = fc.oneof(
    sequenceOf('in_order', fc.subarray(sorted)),
    sequenceOf('any_order', fc.shuffledSubarray(sorted)),
    sequenceOf('exact', fc.constant(bare)),
  );
  return fc.tuple(fc.constant(all), fc.oneof(rule, near));
}

function sequenceOf(
  mode: (ActionRule & { readonly kind: 'sequence' })['mode'],
  chosen: fc.Arbitrary<readonly Fact[]>,
): fc.Arbitrary<ActionRule> {
  return chosen
    .chain((facts) => fc.tuple(...facts.slice(0, 4).map(patternOf)))
    .map((steps) => ({ kind: 'sequence', mode, steps }));
}

/** A pattern that means a step, if its variables can stand for what they have to. */
function patternOf({ kind, whole, parts }: Fact): fc.Arbitrary<StepPattern> {
  const part = parts[0] ?? whole;
  const named = (text: string | undefined): fc.Arbitrary<string> => fc.constantFrom(text ?? '*', '$X', '$Y', '$X', '*');
  return fc
    .tuple(named(part.skill), named(part.path), fc.boolean(), fc.boolean())
    .map(([skill, path, withSkill, withPath]) => ({
      action: kind,
      ...(withSkill && part.skill !== undefined && { skill }),
      ...(withPath && part.path !== undefined && { path }),
    }));
}

test('PSA-36: a rule that fails for an occurrence names a step of the record, and what it says is plain text', () => {
  fc.assert(
    fc.property(happenings, rule, (all, one) => {
      const { events } = new MadeRun(all);
      const [result] = checkActions([one], events);
      if (result?.seq !== undefined) expect(events.some(({ seq }) => seq === result.seq)).toBe(true);
      if (
        result?.verdict === 'failed' &&
        (one.kind === 'before' || one.kind === 'forbidden' || one.kind === 'at_most')
      ) {
        expect(result.seq).toBeDefined();
      }
      expect(result?.evidence).not.toBe('');
    }),
    { numRuns: 500 },
  );
});

test('PSA-36: without what a resumed run left out, rules that only ask for steps say the same', () => {
  fc.assert(
    fc.property(happenings, pattern, fc.integer({ min: 1, max: 2 }), (all, step, atLeast) => {
      const { events } = new MadeRun(all);
      const asked: ActionRule = { kind: 'occurs', step, atLeast };
      const [whole] = checkActions([asked], events);
      const counting = effectiveEvents(events);
      // An action of which only a part was left out is another matter: it was begun, and nobody knows the rest.
      const cutOff = events.some(
        (event) =>
          !counting.includes(event) &&
          (event.type === 'skill_activated' ||
            ('id' in event && counting.some((other) => other.type === 'action_started' && other.id === event.id))),
      );
      fc.pre(!cutOff);
      const [left] = checkActions([asked], counting);
      expect(whole?.verdict).toBe(left?.verdict);
    }),
    { numRuns: 500 },
  );
});

test('PSA-36: a rule whose variables could stand for too much is not judged, and says so', () => {
  const begin = { kind: 'begin', child: false, action: 'run_script', skills: ['a'], path: 'p' } as const;
  const { events } = new MadeRun([begin, { kind: 'end', which: 0, ok: true }]);
  const args = Array.from({ length: 200 }, (_, at) => `arg${at}`);
  const many = events.map((event) =>
    event.type === 'action_started' && event.action.kind === 'run_script'
      ? { ...event, action: { ...event.action, args } }
      : event,
  );
  const step = { action: 'run_script', args: ['$A', '$B', '$C'] } as const;
  const [result] = checkActions([{ kind: 'occurs', step, atLeast: 1 }], many);
  expect(result).toMatchObject({ verdict: 'not_judged', evidence: expect.stringContaining('combinations') });
  const [one] = checkActions([{ kind: 'occurs', step: { ...step, args: ['$A'] }, atLeast: 1 }], many);
  expect(one?.verdict).toBe('passed');
});

test('PSA-36: a rule that would be tried for minutes is not judged; one without a variable is, however long the run', () => {
  const steps = Array.from({ length: 300 }, () => [
    { kind: 'begin', child: false, action: 'run_script', skills: ['a'], path: 'p' } as const,
    { kind: 'end', which: 0, ok: true } as const,
  ]);
  const { events } = new MadeRun(steps.flat());
  let at = 0;
  const long = events.map((event) => {
    if (event.type !== 'action_started' || event.action.kind !== 'run_script') return event;
    at += 1;
    return { ...event, action: { ...event.action, args: [`v${at}`] } };
  });
  const runs = (arg: string): StepPattern => ({ action: 'run_script', args: [arg] });
  const anything = Array.from({ length: 60 }, () => runs('*'));
  const told = (one: ActionRule) => checkActions([one], long)[0];
  const started = performance.now();
  for (const mode of ['in_order', 'any_order'] as const) {
    expect(told({ kind: 'sequence', mode, steps: [runs('$A'), ...anything] })).toMatchObject({
      verdict: 'not_judged',
      evidence: 'With all that its variables can stand for, it takes too long to tell.',
    });
    expect(told({ kind: 'sequence', mode, steps: [runs('v1'), ...anything, runs('v300')] })?.verdict).toBe('passed');
    expect(told({ kind: 'sequence', mode, steps: [runs('$A'), runs('v300')] })?.verdict).toBe('passed');
  }
  expect(told(before(runs('v1'), { ...runs('*'), path: 'none' }))?.verdict).toBe('passed');
  expect(told(before(runs('none'), runs('$A')))?.verdict).toBe('failed');
  // By themselves they take minutes.
  expect(performance.now() - started).toBeLessThan(30_000);
});

test('PSA-36: texts of a record that are meant to harm are shown, and do nothing', () => {
  const begin = {
    kind: 'begin',
    child: false,
    action: 'load_resource',
    skills: ['__proto__'],
    path: '\u001B[2J\u202E',
  } as const;
  const { events } = new MadeRun([begin]);
  const [result] = checkActions([{ kind: 'forbidden', step: { skill: '$__proto__' } }], events);
  expect(result?.verdict).toBe('failed');
  expect(result?.evidence).toContain('load_resource __proto__ <U+001B>[2J<U+202E>');
});

test('PSA-36: steps that go on at the same time do not come one before the other', () => {
  const begin = { kind: 'begin', child: false, skills: ['a'], path: 'p' } as const;
  const both = new MadeRun([
    { ...begin, action: 'load_resource' },
    { ...begin, action: 'run_script' },
    { kind: 'end', which: 0, ok: true },
    { kind: 'end', which: 0, ok: true },
  ]);
  const [first, next] = [{ action: 'load_resource' }, { action: 'run_script' }] as const;
  const [earlier, inOrder, anyOrder] = checkActions(
    [
      before(first, next),
      { kind: 'sequence', mode: 'in_order', steps: [first, next] },
      { kind: 'sequence', mode: 'any_order', steps: [next, first] },
    ],
    both.events,
  );
  expect(earlier).toMatchObject({ verdict: 'failed', seq: 3 });
  expect(earlier?.evidence).toContain('had begun, and was not done by then.');
  expect(inOrder?.verdict).toBe('failed');
  expect(anyOrder?.verdict).toBe('passed');
});

test('PSA-36: the skills of one selection come one after another, whatever else goes on meanwhile', () => {
  const { events } = new MadeRun([
    { kind: 'begin', child: false, action: 'load_resource', skills: ['a'], path: 'p' },
    { kind: 'begin', child: false, action: 'select_skills', skills: ['a', 'b'], path: 'p' },
    { kind: 'end', which: 0, ok: true },
    { kind: 'activate', which: 0, skill: 'a' },
    { kind: 'activate', which: 0, skill: 'b' },
    { kind: 'end', which: 0, ok: true },
  ]);
  const steps = [{ skill: 'a' }, { action: 'select_skills', skill: 'b' }] as const;
  const [inOrder, otherOrder] = checkActions(
    [
      { kind: 'sequence', mode: 'in_order', steps },
      {
        kind: 'sequence',
        mode: 'in_order',
        steps: [
          { action: 'select_skills', skill: 'b' },
          { action: 'select_skills', skill: 'a' },
        ],
      },
    ],
    events,
  );
  expect(inOrder?.verdict).toBe('passed');
  expect(otherOrder?.verdict).toBe('failed');
});

test('PSA-36: no part of a record makes a check throw', () => {
  const parts = happenings.chain((all) => fc.tuple(fc.shuffledSubarray(new MadeRun(all).events), rule));
  fc.assert(
    fc.property(parts, ([events, one]) => {
      expect(checkActions([one], events)).toHaveLength(1);
      expect(stepsOf(events).length).toBeLessThanOrEqual(events.length);
      expect(firedSkills(events).length).toBeLessThanOrEqual(2);
      expect(checkSkills({ none: true, anyOf: ['a'], others: false }, events)).toHaveLength(3);
    }),
    { numRuns: 500 },
  );
});
