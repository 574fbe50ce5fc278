import {
  exportSuite,
  type ActionRule,
  type EvalCase,
  type EvalSuite,
  type OutputCheck,
  type OutputOf,
} from '@skillpack/evals';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** A word that stands nowhere else. */
const word = fc.nat().map((number) => `told${number}x`);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const flag = fc.boolean();

const of: fc.Arbitrary<OutputOf> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<OutputOf>({ kind: 'answer' }) },
  fc.constant<OutputOf>({ kind: 'answer', turn: 1 }),
  word.map((path): OutputOf => ({ kind: 'file', path })),
);

const step = fc.oneof(
  fc.record({ action: fc.constant('call_tool' as const), tool: word }),
  fc.record({
    action: fc.constant('call_tool' as const),
    tool: word,
    input: word.map((value) => ({ value })),
    inputExactly: flag,
  }),
  fc.record({ action: fc.constant('select_skills' as const), skill: word }),
  fc.record({ action: fc.constant('run_script' as const), skill: word, path: word, args: fc.tuple(word) }),
  fc.record({ action: fc.constant('call_tool' as const), tool: word, ok: flag }),
);

const rule: fc.Arbitrary<ActionRule> = fc.oneof(
  fc.record({ kind: fc.constant('occurs' as const), step, atLeast: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('forbidden' as const), step }),
  fc.record({ kind: fc.constant('at_most' as const), step, most: fc.integer({ min: 1, max: 3 }) }),
  // oxlint-disable-next-line unicorn/no-thenable -- the name of the field
  fc.record({ kind: fc.constant('before' as const), first: step, then: step }),
  fc.record({
    kind: fc.constant('sequence' as const),
    mode: fc.constantFrom('in_order', 'any_order', 'exact'),
    steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  }),
);

const subject = fc.oneof(
  fc.record({
    kind: fc.constant('contains' as const),
    of,
    texts: fc.array(word, { minLength: 1, maxLength: 3 }),
    mode: fc.constantFrom('all', 'any'),
    caseless: flag,
  }),
  fc.record({ kind: fc.constant('equals' as const), of, value: word, caseless: flag }),
  fc.record({ kind: fc.constant('starts_with' as const), of, value: word, caseless: flag }),
  fc.record({ kind: fc.constant('regex' as const), of, pattern: word, flags: fc.constantFrom('', 'i') }),
  fc.record({ kind: fc.constant('json' as const), of, schema: word.map((value) => ({ const: value })), within: flag }),
  fc.record({ kind: fc.constant('similar' as const), of, reference: word, least: fc.constant(0.5) }),
  fc.record({ kind: fc.constant('file' as const), path: word }),
  fc.record({ kind: fc.constant('script' as const), script: word, args: fc.tuple(word) }),
  fc.record({ kind: fc.constant('rubric' as const), statement: word }),
);
const check: fc.Arbitrary<OutputCheck> = fc.tuple(subject, flag).map(([left, negated]) => ({ ...left, negated }));

const skills = fc.oneof(
  fc.record({ allOf: fc.tuple(word), none: maybe(fc.tuple(word)), others: maybe(flag) }),
  fc.record({ anyOf: fc.tuple(word, word) }),
  fc.constant({ none: true as const }),
);

const evalCase: fc.Arbitrary<EvalCase> = fc
  .record({
    id: word,
    kind: fc.constantFrom('task', 'trigger'),
    title: maybe(word),
    tags: fc.array(word, { maxLength: 2 }),
    conversation: fc.array(
      word.map((input) => ({ input })),
      { minLength: 1, maxLength: 2 },
    ),
    files: fc.array(
      word.map((path) => ({ path, bytes: new Uint8Array([1, 2]) })),
      { maxLength: 1 },
    ),
    offer: fc.record({
      skills: maybe(fc.tuple(word)),
      distractors: fc.array(word, { maxLength: 1 }),
      preload: fc.constant([]),
    }),
    expected: fc.record({
      skills: maybe(skills),
      actions: fc.array(rule, { maxLength: 3 }),
      output: fc.array(check, { maxLength: 3 }),
      disclosure: fc.constant(true),
      approvals: fc.constant(true),
    }),
    limits: fc.record({
      maxTurns: maybe(fc.constant(7)),
      maxCost: maybe(fc.constant(0.25)),
      allowedTools: maybe(fc.tuple(word)),
    }),
    trials: maybe(fc.constant(3)),
    script: maybe(word.map((value) => ({ value }))),
  })
  // The choice of skills is asked for by one line.
  .map((each) => (each.kind === 'task' ? each : { ...each, conversation: each.conversation.slice(0, 1) }));

/** Every text of a value, by its path. */
function* textsOf(value: unknown, path: readonly string[] = []): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [path.join('.'), value];
  else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    for (const [key, inner] of Object.entries(value)) yield* textsOf(inner, [...path, key]);
  }
}

test.each(['agentskills', 'skill-creator', 'trigger-list', 'promptfoo', 'adk'] as const)(
  'PSA-35: each text of a suite is in what is written as %s, or in a note',
  (format) => {
    fc.assert(
      fc.property(fc.array(evalCase, { minLength: 1, maxLength: 3 }), word, (cases, skill) => {
        const suite: EvalSuite = { name: 'suite', skills: [skill], cases };
        const { text, files, notes } = exportSuite(suite, format);
        const out = `${text}${files.map(({ path }) => path).join(' ')}`;
        for (const [path, leaf] of textsOf({ cases })) {
          if (!/^told\d+x$/u.test(leaf) || out.includes(leaf)) continue;
          const noted = notes.some(({ at }) => at === path || path.startsWith(`${at}.`));
          expect(noted, `${path} of ${format}: ${JSON.stringify(notes.map(({ at }) => at))}`).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  },
);

test('PSA-35: what is written as a file of another tool is read without a value that is lost', () => {
  fc.assert(
    fc.property(fc.array(evalCase, { minLength: 1, maxLength: 3 }), (cases) => {
      const suite: EvalSuite = { name: 'suite', skills: ['pdf'], cases };
      for (const format of ['agentskills', 'skill-creator', 'trigger-list', 'adk'] as const) {
        expect(() => JSON.parse(exportSuite(suite, format).text) as unknown).not.toThrow();
      }
    }),
    { numRuns: 100 },
  );
});
