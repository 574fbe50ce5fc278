import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MadeRun } from '../../../test/context/make-run.js';
import { digestHex } from '../../digest/digest.js';
import { agentActionKinds } from '../../model/decision-schema.js';
import { composeRequest } from './compose-request.js';
import { estimateTokens } from './estimate-tokens.js';
import { planCompaction, type Compaction } from './plan-compaction.js';
import { shownSkills } from './shown-skills.js';

const ports = { countTokens: estimateTokens };
const options = { actions: agentActionKinds };

function tokensOf(run: MadeRun): number {
  return composeRequest(run.parts, ports, options).tokens;
}

function textOf(run: MadeRun): string {
  return composeRequest(run.parts, ports, options)
    .request.messages.map(({ content }) => content)
    .join('\n');
}

function planFor(run: MadeRun, budget: number): Compaction | undefined {
  return planCompaction(run.parts, ports, { ...options, budget });
}

const pdf = `# PDF

Some words about it.

## Reading

1. You MUST read the last page first.
2. Look at the tables.
- Never write to the original.

${'Filler that nobody needs to remember, told at length and more than once. '.repeat(60)}

\`\`\`sh
# You MUST not take a comment for a rule
\`\`\`

## Forms

不得覆盖用户的数据。其余随意。 Fill in one field at a time.
`;

const long = 'A line of output that is rather long and says little.\n'.repeat(120);

function worked(): MadeRun {
  return new MadeRun({ pdf, mail: 'Write letters.' })
    .ask('Sum up the report')
    .plan({
      goal: 'A summary',
      steps: [{ id: 's1', title: 'Read it', status: 'in_progress' }],
      assumptions: [],
      constraints: {},
    })
    .select('pdf')
    .load('pdf', 'SKILL.md', { content: 'Forms …', section: '## Forms' })
    .load('pdf', 'references/tables.md', { content: `tables\n${long}` })
    .use('count', `counted\n${long}END`)
    .use('count', 'short');
}

test('PSA-38: a request that fits its budget is left as it is', () => {
  expect(planFor(worked(), 100_000)).toBeUndefined();
});

test('PSA-38: what is shortened keeps request, plan, ledger, rules, outline and used sections, and says where the rest is', () => {
  const run = worked();
  const before = tokensOf(run);
  const compaction = planFor(run, 5000);
  expect(compaction).toMatchObject({ before });
  expect(compaction!.after).toBeLessThanOrEqual(5000);
  run.compact(compaction!.through);
  expect(tokensOf(run)).toBe(compaction!.after);
  const text = textOf(run);
  expect(text).toContain('Sum up the report');
  expect(text).toContain('"goal":"A summary"');
  expect(text).toContain('skills loaded: pdf');
  expect(text).toContain(`<skill_rest name="pdf" source="project" path="/work/app/.agents/skills/pdf" sha256="`);
  expect(text).toContain('- PDF (line 5)\n  - Reading (line 9)\n  - Forms (line 21)');
  expect(text).toContain(
    '- You MUST read the last page first. (line 11)\n- Never write to the original. (line 13)\n- 不得覆盖用户的数据。 (line 23)',
  );
  expect(text).not.toContain('take a comment');
  expect(text).not.toContain('Filler that nobody needs');
  expect(text).toContain(
    'A section you used:\n## Forms\n\n不得覆盖用户的数据。其余随意。 Fill in one field at a time.',
  );
  expect(text).toContain('You read before, and can load again: references/tables.md.');
  expect(text).toContain('It is still active. Select pdf again for its instructions');
});

test('PSA-38: old steps are one line each, by event; of the last observations the beginning and the end stay, and where they are kept', () => {
  const run = worked();
  run.compact(run.state.seq);
  const text = textOf(run);
  expect(text).toMatch(/- event \d+: select_skills pdf: loaded\n/u);
  expect(text).toMatch(/- event \d+: load_resource pdf SKILL\.md “## Forms”: done \(event \d+\): Forms …\n/u);
  expect(text).toMatch(/- event \d+: call_tool count: done \(event \d+\): counted\n/u);
  const { digest } = run.state.audit.at(-1)!.kept[0]!;
  expect(text).toContain(`; kept in full: stdout sha256 ${digestHex(digest)}:\ncounted\nA line of output`);
  expect(text).toMatch(/\[… \d+ characters left out …\]\n[^]*END/u);
});

test('SPEC-10, SAA-21: activation survives: the ledger and its tools stay, and only the body can be asked for again', () => {
  const run = worked();
  expect(shownSkills(run.state).size).toBe(1);
  run.compact(run.state.seq);
  expect(shownSkills(run.state).size).toBe(0);
  expect(run.state.activations.map(({ name, tools }) => [name, tools])).toEqual([['pdf', ['pdf_tool']]]);
  expect(textOf(run)).toContain('You MUST read the last page first.');
  run.select('pdf');
  expect(textOf(run)).not.toContain('<skill_rest');
  expect(textOf(run)).toContain('Filler that nobody needs');
});

test('PSA-38: earlier requests and answers are shortened, the newest request never is', () => {
  const words = `Do this: ${'very '.repeat(300)}END-OF-REQUEST`;
  const run = new MadeRun({})
    .ask(words)
    .answer(`Answer ${'so '.repeat(500)}END-OF-ANSWER`)
    .ask(words.replace('this', 'that'));
  run.compact(run.state.seq);
  const [first, ...others] = textOf(run).split('Do that:');
  expect(first).toContain('characters left out');
  expect(first).toContain('END-OF-REQUEST');
  expect(others.join('').replaceAll('very ', '')).toContain('END-OF-REQUEST');
  expect(others.join('').match(/very /gu)).toHaveLength(300);
});

test('PSA-38: a very long run is shortened to a bounded text', () => {
  const run = new MadeRun({}).ask('Go');
  for (let step = 0; step < 400; step += 1) run.use('count', long);
  run.compact(run.state.seq);
  expect(textOf(run)).toContain('280 earlier steps are in the record only');
  expect(tokensOf(run)).toBeLessThan(14_000);
  const small = new MadeRun({}, { contextTokens: 8000 }).ask('Go');
  for (let step = 0; step < 400; step += 1) small.use('count', long);
  small.compact(small.state.seq);
  expect(tokensOf(small)).toBeLessThan(5000);
});

test('PSA-38: few of the ways to shorten a long run are rendered, whether one fits or none', () => {
  const run = new MadeRun({ pdf }).ask('Go').select('pdf');
  for (let step = 0; step < 200; step += 1) run.use('count', long);
  const rendersFor = (budget: number): number => {
    let renders = 0;
    const { parts } = run;
    // The bodies are walked through once for each rendering of what was earlier.
    const bodies = new Map(parts.bodies);
    bodies.get = (location) => {
      renders += 1;
      return parts.bodies.get(location);
    };
    planCompaction({ ...parts, bodies }, ports, { ...options, budget });
    return renders;
  };
  expect(rendersFor(Infinity)).toBe(0);
  expect(rendersFor(tokensOf(run) / 2)).toBeLessThan(10);
  expect(rendersFor(100)).toBeLessThan(20);
});

test('PSA-38: what the model has not seen yet is shortened only where the window has no room for it', () => {
  const shown = (contextTokens: number): boolean => {
    const run = new MadeRun({}, { contextTokens }).ask('Go').use('count', 'first').use('count', `${long}NEWEST`);
    run.compact(planFor(run, 2500)?.through ?? 0);
    return textOf(run).includes(`${long}NEWEST`);
  };
  const needed = tokensOf(new MadeRun({}).ask('Go').use('count', `${long}NEWEST`));
  expect(needed).toBeGreaterThan(2500);
  expect(shown(2 * needed)).toBe(true);
  expect(shown(needed)).toBe(false);
});

test('PSA-38: after compaction a request fits, or is the smallest that keeps what is newest; planning again changes nothing', () => {
  const anyStep = fc.record({
    kind: fc.constantFrom('ask', 'select', 'load', 'use', 'use', 'reject', 'answer'),
    size: fc.nat(4000),
  });
  fc.assert(
    fc.property(
      fc.array(anyStep, { minLength: 1, maxLength: 15 }),
      fc.integer({ min: 1500, max: 9000 }),
      (steps, budget) => {
        const run = new MadeRun({ pdf }).ask('Go');
        for (const { kind, size } of steps) {
          const text = 'word and\n'.repeat(size / 9);
          if (kind === 'ask') run.ask(`More ${text}`);
          else if (kind === 'select') run.select('pdf');
          else if (kind === 'load') run.load('pdf', 'a.md', { content: text });
          else if (kind === 'use') run.use('tool', text);
          else if (kind === 'reject') run.reject(text);
          else run.answer(text);
        }
        const before = tokensOf(run);
        const ledger = run.state.activations;
        const compaction = planFor(run, budget);
        if (compaction === undefined && before <= budget) return;
        // The window is large: what is newest stays.
        const smaller = run.state.conversation
          .slice(0, -1)
          .filter(({ kind }) => kind !== 'decision')
          .map(({ seq }) => sizeAt(run, seq));
        const smallest = Math.min(before, ...smaller);
        run.compact(compaction?.through ?? 0);
        const after = tokensOf(run);
        expect(after <= budget || after === smallest).toBe(true);
        expect(run.state.activations).toEqual(ledger);
        expect(planFor(run, budget) === undefined || after > budget).toBe(true);
        expect(textOf(run)).toBe(textOf(run));
      },
    ),
    { numRuns: 40 },
  );
});

function sizeAt(run: MadeRun, through: number): number {
  const state = { ...run.state, compactedThrough: through };
  return composeRequest({ ...run.parts, state }, ports, options).tokens;
}
