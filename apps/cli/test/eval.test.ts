import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Provider } from '../../../test/provider-server.js';
import { createEvalWorld, resultsIn, startChoosingServer, taskCases, write, writeSkill } from './eval-world.js';
import { sentKey } from './model-server.js';
import type { World } from './run-skills.js';

// A test runs several commands, each of which is a process.
vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createEvalWorld();
});
afterEach(() => world.remove());

const out = (...parts: readonly string[]): string => join(world.project, '.agents', 'evals', ...parts);

async function served(...options: Parameters<typeof startChoosingServer>): Promise<Provider> {
  const provider = await startChoosingServer(...options);
  onTestFinished(async () => provider.close());
  return provider;
}

const modelOf = ({ origin }: Provider): string => `openai-compatible:${origin}/v1#small`;
const env = { SKILLS_MODEL_API_KEY: sentKey };
const scripts = ['--approve', 'run_script,run_check'];

function fieldsOf(list: unknown, name: string): readonly string[] {
  return (list as readonly Readonly<Record<string, unknown>>[]).map((item) => String(item[name]));
}

test('PSA-35: without a model, queries are ranked over all skills and cases with a script are run: once, until something changes', async () => {
  const first = await world.run(['eval', ...scripts, '--json']);
  expect([first.exitCode, first.stderr]).toEqual([0, expect.any(String)]);
  const { verdict, report, ranks, cases } = first.json().data;
  expect(verdict.kind).toBe('passed');
  expect(report.counts).toMatchObject({ passed: 1, planned: 1, reused: 0 });
  expect(report.tasks).toMatchObject([{ model: 'scripted', passRate: { successes: 1, total: 1 } }]);
  expect(ranks.first).toMatchObject({ successes: 13, total: 13 });
  expect(fieldsOf(cases, 'suite').toSorted()).toEqual([
    'letter-triggers',
    'pdf-tasks',
    'pdf-triggers',
    'table-triggers',
  ]);
  const again = await world.run(['eval', ...scripts, '--json']);
  expect(again.json().data.report.counts).toMatchObject({ passed: 1, reused: 1 });
  expect(resultsIn(out())).toHaveLength(1);
  write(join(world.project, 'skills', 'pdf', 'scripts', 'count.sh'), '#!/bin/sh\necho "4 words"\n');
  const changed = await world.run(['eval', ...scripts, '--json']);
  expect(changed.exitCode).toBe(1);
  expect(changed.json().data.report.counts).toMatchObject({ failed: 1, reused: 0 });
});

test('a script of a skill, and a program of a case, run only where somebody said so', async () => {
  const refused = await world.run(['eval', '--json']);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('--approve run_script');
  expect(refused.json().data).toMatchObject({ verdict: { kind: 'invalid' }, report: { counts: { inconclusive: 1 } } });
  const half = await world.run(['eval', '--approve', 'run_script', '--json']);
  expect(half.json().data).toMatchObject({ verdict: { kind: 'invalid' }, report: { counts: { inconclusive: 1 } } });
  expect(
    resultsIn(out())
      .at(-1)
      ?.checks.filter(({ verdict }) => verdict !== 'passed'),
  ).toMatchObject([{ verdict: 'not_judged' }]);
});

test('what a skill is tested by is no part of what an agent sees, and a case that is edited is no other skill', async () => {
  await world.run(['eval', ...scripts]);
  const kept = readFileSync(out('results.jsonl'), 'utf8');
  expect(kept).toContain('scripts/count.sh');
  expect(kept).not.toContain('evals/');
  expect(kept).not.toContain('three.sh, ');
  write(join(world.project, 'skills', 'pdf', 'evals', 'notes.txt'), 'Nothing that a trial depends on.');
  const again = await world.run(['eval', ...scripts, '--json']);
  expect(again.json().data.report.counts).toMatchObject({ passed: 1, reused: 1 });
});

test('PSA-35: a description that is broken makes the gate fail without a model, and the report says who took the queries', async () => {
  const baseline = join(world.project, 'baseline');
  expect((await world.run(['eval', 'skills', '--ranks-only', '--out', baseline])).exitCode).toBe(0);
  writeSkill(world, 'pdf', 'Does something.');
  writeSkill(world, 'table', 'Counts, merges and reads the pages of PDF documents, and anything with rows.');
  const words = ['eval', 'skills', '--ranks-only', '--baseline', baseline];
  const gate = await world.run([...words, '--json']);
  expect(gate.exitCode).toBe(1);
  const { verdict, rankComparison } = gate.json().data;
  expect(verdict.kind).toBe('failed');
  expect(rankComparison).toMatchObject({ verdict: 'worse', changed: ['pdf', 'table'] });
  expect(rankComparison.thefts[0]).toMatchObject({ thief: 'table', victim: 'pdf' });
  expect(rankComparison.thefts[0].queries.length).toBeGreaterThanOrEqual(6);
  const told = await world.run(words);
  expect(told.stdout).toMatch(/✗ failed: Ranks: /u);
  expect(told.stdout).toMatch(/table[^\n]*pdf/u);
  const compared = await world.run(['eval', 'compare', baseline, out(), '--json']);
  expect([compared.exitCode, compared.json().data.verdict]).toEqual([1, 'worse']);
});

test('a model of a provider is not asked where nobody said what it may cost', async () => {
  const provider = await served();
  const { exitCode, stderr } = await world.run(['eval', 'skills', '--model', modelOf(provider)], { env });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('may cost something, and nobody has said how much');
  expect(stderr).toContain('--budget 2');
  const judged = await world.run(['eval', 'skills', '--judge', modelOf(provider)], { env });
  expect(judged.exitCode).toBe(2);
  const priceless = await world.run(['eval', 'skills', '--model', modelOf(provider), '--budget', '2'], { env });
  expect([priceless.exitCode, priceless.stderr]).toEqual([2, expect.stringContaining('Nobody knows what')]);
  expect(provider.calls).toEqual([]);
});

test('PSA-35: a model over HTTP is asked as often as cases want, told no text of a skill, and scored by what it chose', async () => {
  const provider = await served();
  const words = ['eval', 'skills', '--model', modelOf(provider), '--max-calls', '100', '--filter', 'triggers'];
  const ran = await world.run([...words, '--rpm', '6000', '--json'], { env });
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  const { report } = ran.json().data;
  expect(report.triggers).toMatchObject([
    { truePositives: 12, falseNegatives: 0, falsePositives: 0, trueNegatives: 3, errors: 0 },
  ]);
  expect(provider.calls).toHaveLength(15);
  for (const { text } of provider.calls) {
    expect(text).toContain('counts and merges the pages');
    expect(text).not.toContain('A line of the text of');
    expect(text).not.toContain(sentKey);
  }
  expect(readFileSync(out('results.jsonl'), 'utf8')).not.toContain(sentKey);
  const again = await world.run([...words, '--json'], { env });
  expect([again.exitCode, provider.calls.length]).toEqual([0, 15]);
  writeSkill(world, 'letter', 'Writes letters, and an e-mail, too.');
  await world.run([...words, '--json'], { env });
  // What a catalogue says of one skill is shown in the trials of all.
  expect(provider.calls).toHaveLength(30);
});

test('a budget ends it before the next call, and the next run goes on from there', async () => {
  const provider = await served();
  const words = ['eval', 'skills/pdf', '--model', modelOf(provider), '--filter', 'triggers', '--json'];
  const short = await world.run([...words, '--max-calls', '4', '--concurrency', '1'], { env });
  expect(short.exitCode).toBe(1);
  expect(short.json().data.verdict.kind).toBe('incomplete');
  expect(provider.calls).toHaveLength(4);
  const rest = await world.run([...words, '--max-calls', '50'], { env });
  expect(rest.json().data.report.counts).toMatchObject({ passed: 9, planned: 9 });
  expect(provider.calls).toHaveLength(9);
});

test('an endpoint that is dead never scores: the verdict is invalid, and what there was of it is run anew', async () => {
  const words = ['eval', 'skills/pdf', '--model', 'openai-compatible:http://127.0.0.1:9/v1#small', '--max-calls', '99'];
  const { exitCode, stdout } = await world.run([...words, '--filter', 'triggers', '--retries', '0', '--json'], { env });
  expect(exitCode).toBe(1);
  const { verdict, report } = (JSON.parse(stdout) as { data: { verdict: object; report: Record<string, unknown> } })
    .data;
  expect(verdict).toMatchObject({ kind: 'invalid' });
  expect(report['counts']).toMatchObject({ passed: 0, failed: 0, error: 9 });
  expect(report['triggers']).toMatchObject([{ recall: { total: 0 }, errors: 9 }]);
});

test('PSA-31: trials that were recorded play again without a provider, and what was not recorded is an error', async () => {
  const provider = await served();
  const words = ['eval', 'skills/pdf', '--filter', 'triggers', '--json'];
  const live = [...words, '--model', modelOf(provider), '--max-calls', '50', '--record', 'recordings'];
  expect((await world.run(live, { env })).exitCode).toBe(0);
  expect(existsSync(join(world.project, 'recordings', 'pdf-triggers', 'pdf-1.with_skill.1.jsonl'))).toBe(true);
  const asked = provider.calls.length;
  const played = await world.run([...words, '--model', 'recorded:recordings', '--out', 'played']);
  expect(played.exitCode, played.stdout).toBe(0);
  expect(played.json().data.report).toMatchObject({ models: ['recorded:recordings'], counts: { passed: 9 } });
  expect(provider.calls).toHaveLength(asked);
  writeSkill(world, 'pdf', 'Reads and counts pages of PDF documents in another way.');
  const missed = await world.run([...words, '--model', 'recorded:recordings', '--out', 'missed']);
  expect(missed.exitCode).toBe(1);
  expect(missed.json().data.verdict.kind).toBe('invalid');
  expect(missed.json().data.report.counts).toMatchObject({ error: 9, passed: 0, failed: 0 });
  rmSync(join(world.project, 'recordings'), { recursive: true });
  expect((await world.run([...words, '--model', 'recorded:recordings'])).exitCode).toBe(3);
});

test('parts that several machines run are one run again; a part that is missing is refused', async () => {
  const provider = await served();
  const words = ['eval', 'skills', '--model', modelOf(provider), '--max-calls', '50', '--filter', 'triggers'];
  for (const part of [1, 2, 3]) {
    const ran = await world.run([...words, '--shard', `${part}/3`, '--out', `part-${part}`, '--json'], { env });
    expect(ran.exitCode, ran.stdout).toBe(0);
    expect(ran.json().data.shard).toBe(`${part}/3`);
  }
  expect(provider.calls).toHaveLength(15);
  const missing = await world.run(['eval', 'merge', 'part-1', 'part-3', '--out', 'whole', '--json']);
  expect([missing.exitCode, missing.json().error?.code]).toEqual([4, 'SHARD_MISMATCH']);
  expect(missing.json().error?.message).toContain('2');
  expect(existsSync(join(world.project, 'whole'))).toBe(false);
  const twice = await world.run(['eval', 'merge', 'part-1', 'part-2', 'part-2', '--out', 'whole']);
  expect(twice.exitCode).toBe(4);
  const merged = await world.run(['eval', 'merge', 'part-1', 'part-2', 'part-3', '--out', 'whole', '--json']);
  expect(merged.exitCode, merged.stdout).toBe(0);
  expect(merged.json().data.report.counts).toMatchObject({ passed: 15, planned: 15 });
  const reported = await world.run(['eval', 'report', 'whole', '--json']);
  expect(reported.json().data.report.triggers).toEqual(merged.json().data.report.triggers);
});

test('a model that got worse fails the gate, with the skill that it chose instead', async () => {
  const good = await served();
  const words = ['eval', 'skills', '--filter', 'triggers', '--max-calls', '200', '--trials', '2'];
  // One name for both: the later version of a model is asked by the same word.
  const named = (provider: Provider): Readonly<Record<string, string>> => ({
    OPENAI_API_KEY: sentKey,
    OPENAI_BASE_URL: `${provider.origin}/v1`,
  });
  const before = [...words, '--model', 'openai:gpt-5', '--out', 'baseline'];
  expect((await world.run(before, { env: named(good) })).exitCode).toBe(0);
  const bad = await served(() => ({
    action: { kind: 'select_skills', skills: [{ name: 'table' }], reason: 'It always fits.' },
  }));
  const after = [...words, '--model', 'openai:gpt-5', '--baseline', 'baseline', '--json'];
  const gate = await world.run(after, { env: named(bad) });
  expect(gate.exitCode).toBe(1);
  const { verdict, report } = gate.json().data;
  expect(verdict.kind).toBe('failed');
  expect(report.comparison.verdict).toBe('worse');
  expect(fieldsOf(report.comparison.changes, 'why').join('\n')).toContain('table');
});

test('PSA-35: reports go to files: one page, JUnit, Markdown, JSON, and the layouts of other tools', async () => {
  const reporters = 'console,json,junit=ci/junit.xml,markdown,html,agentskills,skill-creator=viewer';
  const { exitCode, stdout, stderr } = await world.run(['eval', ...scripts, '--reporter', reporters]);
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  expect(stdout).toContain(`html: ${out('report.html')}`);
  expect(readFileSync(out('report.html'), 'utf8')).toMatch(/^<!doctype html>/iu);
  expect(readFileSync(join(world.project, 'ci', 'junit.xml'), 'utf8')).toContain('<testcase');
  expect(readFileSync(out('summary.md'), 'utf8')).toContain('pdf-tasks');
  expect(JSON.parse(readFileSync(out('report.json'), 'utf8'))).toMatchObject({ formatVersion: 1 });
  const grading = join('agentskills', 'pdf-workspace', 'iteration-1', 'eval-count', 'with_skill', 'grading.json');
  expect(JSON.parse(readFileSync(out(grading), 'utf8'))).toMatchObject({ summary: { failed: 0 } });
  expect(existsSync(join(world.project, 'viewer', 'pdf-workspace', 'iteration-1', 'benchmark.json'))).toBe(true);
  await world.run(['eval', ...scripts, '--reporter', 'agentskills']);
  expect(existsSync(out(grading.replace('iteration-1', 'iteration-2')))).toBe(true);
  const unknown = await world.run(['eval', '--reporter', 'htm']);
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean html?')]);
});

test('an old version of a skill is an arm of its own', async () => {
  const old = join(world.project, 'old', 'pdf');
  write(join(old, 'SKILL.md'), '---\nname: pdf\ndescription: Counts the pages of PDF documents.\n---\n\nOld.\n');
  const ran = await world.run(['eval', 'skills/pdf', ...scripts, '--old', 'old', '--json']);
  expect(ran.json().data.report.arms).toEqual(['with_skill', 'old_skill']);
  expect(ran.json().data.report.lifts).toMatchObject([{ arm: 'with_skill', against: 'old_skill', pairs: 1, value: 1 }]);
  expect((await world.run(['eval', 'skills/pdf', '--arms', 'with,old'])).exitCode).toBe(2);
});

test('cases of another tool are run as they are, imported with what was lost, and exported again', async () => {
  const evals = join(world.project, 'skills', 'letter', 'evals', 'evals.json');
  const cases = [
    { id: 1, prompt: 'Write a letter.', expected_output: 'A letter.', assertions: ['It has a greeting.'] },
  ];
  write(evals, JSON.stringify({ skill_name: 'letter', evals: cases }));
  const ranked = await world.run(['eval', 'skills/letter', '--ranks-only', '--json']);
  expect(ranked.exitCode).toBe(0);
  expect(fieldsOf(ranked.json().data.cases, 'format').toSorted()).toEqual(['agentskills', 'skillpack']);
  const imported = await world.run(['eval', 'import', evals, '--out', 'cases.yaml', '--json']);
  expect(imported.exitCode).toBe(0);
  expect(imported.json().data).toMatchObject({ format: 'agentskills', cases: 1, skills: ['letter'] });
  const twice = await world.run(['eval', 'import', evals, '--out', 'cases.yaml']);
  expect([twice.exitCode, twice.stderr]).toEqual([2, expect.stringContaining('exists already')]);
  const printed = await world.run(['eval', 'import', evals]);
  expect(printed.stdout).toBe(readFileSync(join(world.project, 'cases.yaml'), 'utf8'));
  const exported = await world.run(['eval', 'export', 'cases.yaml', '--to', 'agentskills', '--out', 'there']);
  expect(exported.exitCode, exported.stderr).toBe(0);
  expect(JSON.parse(readFileSync(join(world.project, 'there', 'evals.json'), 'utf8'))).toMatchObject({
    evals: [{ prompt: 'Write a letter.', assertions: ['It has a greeting.'] }],
  });
  const format = await world.run(['eval', 'import', evals, '--format', 'wazaa']);
  expect([format.exitCode, format.stderr]).toEqual([2, expect.stringContaining('Did you mean waza?')]);
});

test('what is wrong with a command line is told before anything is read or run', async () => {
  for (const [words, told] of [
    [['--shard', '5/4'], '--shard'],
    [['--budget', 'two'], '--budget'],
    [['--arms', 'wth'], 'Did you mean with?'],
    [['--model', 'scripted,openai:gpt-5', '--budget', '1'], 'stands alone'],
    [['--record', 'x', '--model', 'recorded:skills'], '--record'],
    [['--watch', '--json'], '--watch'],
    [['--approve', 'run_scripts'], 'run_scripts'],
  ] as const) {
    const { exitCode, stdout, stderr } = await world.run(['eval', 'skills', ...words]);
    expect([words, exitCode, stdout + stderr]).toEqual([words, 2, expect.stringContaining(told)]);
  }
  const mistyped = await world.run(['eval', 'mrege']);
  expect([mistyped.exitCode, mistyped.stderr]).toEqual([3, expect.stringContaining('merge')]);
});

test('hostile cases and results are refused, and nothing of them reaches a terminal as it is', async () => {
  const evals = join(world.project, 'skills', 'letter', 'evals', 'triggers.json');
  const attacks: Readonly<Record<string, string>> = {
    'a path that leads out': JSON.stringify({
      formatVersion: 1,
      name: 'x',
      cases: [{ id: 'a', input: 'x', files: { '../../out.txt': 'x' } }],
    }),
    'a prototype': '{"formatVersion":1,"name":"x","cases":[{"id":"__proto__","input":"x","__proto__":{"a":1}}]}',
    'an escape': JSON.stringify({ formatVersion: 1, name: 'x', cases: [{ id: '\u001B[31ma', input: 'x' }] }),
    'no JSON': '{"formatVersion":1,',
  };
  for (const [name, text] of Object.entries(attacks)) {
    write(evals, text);
    const ran = await world.run(['eval', 'skills/letter', '--ranks-only']);
    // What is no JSON may be anything: nothing is left then.
    expect([name, ran.exitCode], ran.stdout + ran.stderr).toEqual([name, name === 'no JSON' ? 3 : 2]);
    expect(ran.stderr, name).toContain('triggers.json');
    expect(ran.stdout + ran.stderr, name).not.toContain('\u001B');
  }
  const shared = { formatVersion: 1, name: 'x', skills: ['letter'] };
  const input = 'Write \u001B]0;pwned\u0007 a letter \u202Ereversed.';
  write(
    evals,
    JSON.stringify({ ...shared, cases: [{ id: 'a', kind: 'trigger', input, expected: { skills: 'letter' } }] }),
  );
  const shown = await world.run(['eval', 'skills/letter', '--ranks-only', '--verbose']);
  expect([shown.exitCode, shown.stdout + shown.stderr]).toEqual([
    0,
    // oxlint-disable-next-line eslint/no-control-regex -- finding control characters is what it is for
    expect.not.stringMatching(/[\u001B\u0007\u202E]/u),
  ]);
  write(join(world.project, 'broken', 'results.jsonl'), '{"formatVersion":1}\n{"formatVersion":1}\n');
  expect((await world.run(['eval', 'report', 'broken'])).exitCode).toBe(2);
  expect((await world.run(['eval', 'report', 'nowhere'])).exitCode).toBe(3);
  expect((await world.run(['eval', 'merge', 'broken'])).exitCode).toBe(3);
});

test('a script of a case that is none is an error of that case, and scores nothing', async () => {
  write(join(world.project, 'skills', 'pdf', 'evals', 'tasks.json'), taskCases('../../../etc/passwd'));
  const ran = await world.run(['eval', 'skills/pdf', ...scripts, '--json']);
  expect(ran.exitCode).toBe(1);
  expect(ran.json().data.report.counts).toMatchObject({ passed: 0 });
});
